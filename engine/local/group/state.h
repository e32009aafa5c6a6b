/* Aggregates that are written as C functions over a state (the running values of one group).
 * Extensions register them through include/mtsql_ext.h. The local executor runs them as
 * accumulators of $group and of windows. */
#ifndef MT_AGG_STATE_H
#define MT_AGG_STATE_H

#include "engine/local/expr/op.h"
#include "types/type.h"

/* The functions of an aggregate. A state holds the aggregate's running values for one group, such
 * as a sum and a count. It has `size` bytes. A new state is all zeros, so zeros must mean "no rows
 * yet".
 *
 * One group can have several states: one of each thread, some read back from temporary files, and
 * in windows one of each part of the frame. `merge` combines two states.
 *
 * In step, merge and load, ev->arena allocates memory that lives as long as the state. The arena is
 * freed as a whole, so the functions free nothing. In final and save, ev->arena allocates memory
 * for the result. Arguments are borrowed, so copy the bytes that the state keeps. ev->user is the
 * member `user` below. To report an error, call mt_error (ev->err, …) and return false. */
typedef struct MtAggState {
   size_t size;
   /* Adds one row to the state; args[] has the row's argc arguments. If MtStateAccumulator.strict
    * is set, rows with a NULL argument are skipped and never passed to this function. */
   bool (*step) (MtEval *ev, void *state, const MtVal *args, int argc);
   /* Adds the rows of state `from` to state `into`, as if they came after the rows of `into`.
    * Afterwards `into` must not point into the memory of `from`. */
   bool (*merge) (MtEval *ev, void *into, const void *from);
   /* Computes the aggregate's result from the state, without changing the state: more rows may be
    * added afterwards. *out may point into the state's memory. */
   bool (*final) (MtEval *ev, const void *state, MtVal *out);
   /* `save` encodes a state as one value for a temporary file. `load` decodes such a value into a
    * state that is all zeros; it returns false without an error if `saved` is not an encoded state.
    * Both are NULL if the state contains no pointers. Then the state's bytes themselves are
    * written. */
   bool (*save) (MtEval *ev, const void *state, MtVal *out);
   bool (*load) (MtEval *ev, void *state, MtVal saved);
   /* True if the result depends on the order of the rows, as with array_agg. Then one thread passes
    * all rows in order. */
   bool ordered;
   /* True if the aggregate compares its arguments. Equal values of jsonb, interval, bytea and
    * arrays can have different stored forms, so the functions get a sort key for each argument
    * instead of the value. Equal values have equal sort keys. */
   bool ranks;
   /* True if the argument is itself a saved state, and the aggregate merges states (a rollup). Over
    * one row the result is that row's state, unchanged. save isn't NULL. */
   bool joins;
   void *user;
} MtAggState;

/* An accumulator of $group that runs an aggregate: {name: argument}. For each row the argument is
 * an array of the aggregate's arguments, or null to skip the row. With `bare`, the argument is the
 * aggregate's only argument itself, without an array. The result is {v: value}. So a group whose
 * value is null can be told from a group without rows. */
typedef struct MtStateAccumulator {
   const char *name;     /* "$_mt…" */
   const char *function; /* the aggregate's name in SQL */
   const MtAggState *state;
   MtTypeId result;
   bool strict; /* rows with a NULL argument don't count */
   /* True if the last argument is a type name: the actual type of the aggregate's polymorphic
    * argument. */
   bool takes_type;
   /* The type of each argument (argc types). A stored value of another BSON type is converted, such
    * as the int 69 to the double 69.0. For a polymorphic type such as anyelement, values are not
    * converted. */
   const MtTypeId *types;
   int argc; /* at most MT_STATE_ARGS */
   bool bare;
   /* The accumulator that merges saved states of this aggregate. NULL: use the rollup function of
    * the type `result`. */
   const struct MtStateAccumulator *rollup;
} MtStateAccumulator;

#define MT_STATE_ARGS 16

/* Returns a 64-bit hash of v with well-mixed bits, for sketches such as hyperloglog. Equal numbers
 * of different types (1 and 1.0) have the same hash. Stored hyperloglog states depend on this hash,
 * so the function must never change. */
uint64_t mt_sketch_hash (MtVal v);

/* Registers an accumulator for the whole process. `acc` is borrowed and must stay valid until the
 * process ends. Registering the same `acc` again has no effect. */
void mt_accumulator_add (const MtStateAccumulator *acc);

/* Returns the registered accumulator with index `place` (from 0), or NULL if there are fewer. */
const MtStateAccumulator *mt_accumulator_at (size_t place);

/* A plain aggregate, such as stddev, whose result can be computed from the saved state of the
 * accumulator `acc` over the same arguments. */
typedef struct MtKeptAggregate {
   const char *function;
   const MtTypeId *types; /* argc types, of the aggregate's arguments */
   int argc;
   const MtStateAccumulator *acc;
} MtKeptAggregate;

/* Sets the process-wide list of MtKeptAggregate. `list` is borrowed and must stay valid until the
 * process ends. */
void mt_kept_aggregates_set (const MtKeptAggregate *list, size_t count);
const MtKeptAggregate *mt_kept_aggregates (size_t *count);

/* Converts a row's arguments to the aggregate's argument types, and adds the row to `state`. Skips
 * the row if a strict aggregate has a NULL argument. `scratch` has the memory for converted
 * arguments. Returns false on error. */
bool mt_state_add_row (MtEval *ev, const MtStateAccumulator *acc, void *state, const MtVal *args,
                       MtArena *scratch);

/* Runs an aggregate over the elements of the array `rows`; if `rows` is not an array, over no rows.
 * Each element is an array that begins with the arguments of one row. The state and the result *out
 * are allocated in ev->arena. */
bool mt_state_run (MtEval *ev, const MtStateAccumulator *acc, MtVal rows, MtVal *out);

#endif
