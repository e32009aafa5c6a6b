/* Aggregates that are C functions over a state. Extensions write them (include/mtsql_ext.h), and
 * the local executor runs them as accumulators. */
#ifndef MT_AGG_STATE_H
#define MT_AGG_STATE_H

#include "engine/local/expr/op.h"
#include "types/type.h"

/* The functions of an aggregate. A state holds what the aggregate keeps for one group. It has
 * `size` bytes, which are 0 at first, so zeros must mean "no rows yet".
 *
 * A group is computed in parts: several threads step through its rows, states go to temporary
 * files and come back, and windows add states of parts of their frames. `merge` joins the parts.
 *
 * ev->arena of step, merge and load has the memory behind the state's pointers. It is freed as a
 * whole, so nothing is freed one by one. ev->arena of final and save has the memory of results.
 * Arguments are borrowed: copy the bytes that the state keeps. ev->user is `user`. To report an
 * error, call mt_error (ev->err, …) and return false. */
typedef struct MtAggState {
   size_t size;
   /* Adds a row with its arguments to a state. A strict aggregate sees no NULL. */
   bool (*step) (MtEval *ev, void *state, const MtVal *args, int argc);
   /* Adds the rows of `from` behind those of `into`. `into` must not point into the memory of
    * `from` afterwards. */
   bool (*merge) (MtEval *ev, void *into, const void *from);
   /* Computes the result. The state may be used again. *out may borrow from the state. */
   bool (*final) (MtEval *ev, const void *state, MtVal *out);
   /* Writes a state as one value for a temporary file, and reads it back into a state of zeros.
    * load returns false without an error if the value is not a state. Both are NULL if the state
    * has no pointers: its bytes are copied. */
   bool (*save) (MtEval *ev, const void *state, MtVal *out);
   bool (*load) (MtEval *ev, void *state, MtVal saved);
   /* The result depends on the order of the rows, so they come one after the other, on one
    * thread. */
   bool ordered;
   /* Equal values of jsonb, interval, bytea and arrays may be stored in different forms. The
    * arguments are their ranks, which are equal then. */
   bool ranks;
   /* The argument is a state, and the result of one row is this state itself. save isn't NULL. */
   bool joins;
   void *user;
} MtAggState;

/* An aggregate as an accumulator: {name: argument}. For each row the argument is null (the row is
 * skipped), or an array of the aggregate's arguments; with `bare`, it is the only argument itself.
 * The result is {v: result}, so that a group with the result null differs from no group. */
typedef struct MtStateAccumulator {
   const char *name;     /* "$_mt…" */
   const char *function; /* the aggregate's name in SQL */
   const MtAggState *state;
   MtTypeId result;
   bool strict; /* rows with a NULL argument don't count */
   /* The last argument is the name of the type that a polymorphic argument stands for. */
   bool takes_type;
   /* By argument: its type. Stored values of another BSON type are converted (69 to 69.0). A type
    * of no value, as of anyelement: values stay as they are. */
   const MtTypeId *types;
   int argc; /* at most MT_STATE_ARGS */
   bool bare;
   /* Merges the states that this one gives. NULL: the rollup of the result's type does. */
   const struct MtStateAccumulator *rollup;
} MtStateAccumulator;

#define MT_STATE_ARGS 16

/* Returns a hash of a value for sketches, whose 64 bits look random. Equal numbers of different
 * types have the same hash. States of hyperloglog that are stored depend on it, so it must not
 * change. */
uint64_t mt_sketch_hash (MtVal v);

/* Adds an accumulator for the whole process. `acc` is borrowed forever. A second call with the same
 * acc has no effect. */
void mt_accumulator_add (const MtStateAccumulator *acc);

/* Returns an accumulator that mt_accumulator_add added, by its place from 0 on. NULL: there are not
 * so many. */
const MtStateAccumulator *mt_accumulator_at (size_t place);

/* A plain aggregate, such as stddev, whose answer follows from the states of an accumulator over the
 * same arguments. */
typedef struct MtKeptAggregate {
   const char *function;
   const MtTypeId *types; /* argc types, of the aggregate's arguments */
   int argc;
   const MtStateAccumulator *acc;
} MtKeptAggregate;

/* Sets the list of these aggregates for the whole process, which is borrowed forever. */
void mt_kept_aggregates_set (const MtKeptAggregate *list, size_t count);
const MtKeptAggregate *mt_kept_aggregates (size_t *count);

/* Converts a row's arguments to the aggregate's types, and adds the row to a state. A row that
 * doesn't count leaves the state as it is. scratch: memory for converted arguments. */
bool mt_state_add_row (MtEval *ev, const MtStateAccumulator *acc, void *state, const MtVal *args,
                       MtArena *scratch);

/* Runs an aggregate over the elements of an array, or over no rows if `rows` is not an array. Each
 * element is an array that begins with the arguments. ev->arena has the state and the result. */
bool mt_state_run (MtEval *ev, const MtStateAccumulator *acc, MtVal rows, MtVal *out);

#endif
