/* States that a level of a layout's documents stores: each entry of the level has the state of an
 * aggregate, such as percentile_agg (value), over the records below it. The aggregates are in
 * functions/timeseries; this header uses only their accumulators. */
#ifndef MT_CELL_STATE_H
#define MT_CELL_STATE_H

#include "engine/local/group/state.h"
#include "layouts/table.h"
#include "types/datetime.h"

/* An argument of the aggregate: a column, the time_bucket of a column, or a constant. */
typedef struct MtStateArg {
   int column;       /* index into MtTable.columns; -1: a constant */
   MtVal constant;   /* of the aggregate's type */
   bool bucketed;    /* the argument is time_bucket (width, column) */
   MtInterval width; /* of the buckets */
} MtStateArg;

typedef struct MtCellState {
   const MtStateAccumulator *acc, *rollup; /* rollup: merges states, as mt_state_rollup returns */
   MtStateArg *args;                       /* acc->argc; the last one may be acc->takes_type's */
   int argc;
   const char *at; /* path of the state in the cell's value */
} MtCellState;

/* ---- the text of a call ---- */

/* A call as text: the aggregate's name, and its arguments. A column's argument has only a name, and
 * perhaps the width of buckets. */
typedef struct MtStateCall {
   const char *function;
   struct {
      MtStr column;   /* without quotes; p NULL: a constant */
      MtStr width;    /* the argument is time_bucket (width, column); p NULL: the column itself */
      MtVal constant; /* a number or a text */
   } args[MT_STATE_ARGS];
   int argc;
} MtStateCall;

/* Parses one call, such as `uddsketch (100, 0.01, "My column")`, at the beginning of *text, and
 * moves *text behind it. Memory is allocated in arena a. Returns false if there is no such call. */
bool mt_state_call_read (MtArena *a, const char **text, MtStateCall *out);

/* Finds the aggregate for a call by the types of its arguments, and fills *out. columns[i] is the
 * index of argument i in the table's columns, or -1 if it is a constant. For a plain aggregate,
 * such as stddev, the state is chosen from which it can be computed. If t->sketch is set, columns
 * have no types yet, and only the number of arguments counts. Returns NULL, or a message why there
 * is no such aggregate, allocated in arena a. */
const char *mt_cell_state_make (MtArena *a, const MtTable *t, const MtStateCall *call,
                                const int *columns, MtCellState *out);

/* Returns the call of a state as text, with the names of the table's columns, allocated in arena
 * a. */
const char *mt_cell_state_text (MtArena *a, const MtTable *t, const MtCellState *s);

/* Returns whether two widths of buckets are the same interval. */
bool mt_same_width (MtInterval a, MtInterval b);

/* Returns whether two states are of the same call. */
bool mt_cell_state_same (const MtCellState *a, const MtCellState *b);

/* Fills `args`, which has room for MT_STATE_ARGS values, with the aggregate's arguments for one
 * record. row[i] is the value of the table's column i. */
void mt_cell_state_args (const MtCellState *s, const MtVal *row, MtVal *args);

/* Returns the value of an argument. column: the value of its column. */
MtVal mt_cell_state_arg (const MtStateArg *arg, MtVal column);

/* Returns whether a column is an argument. */
bool mt_cell_state_uses (const MtCellState *s, int column);

/* Returns whether each interval of unit u lies within one bucket of time_bucket with this width. */
bool mt_bucket_holds (MtInterval width, MtUnit u);

/* Returns whether a state is of points in the order of time (mt_type_is_sequence), and the store
 * is a roll-up. New points inside the time of such a stored state can't be merged into it. */
bool mt_cell_state_joins (const MtLayout *l, const MtCellState *s);
/* Returns whether any level of the store has a state for which mt_cell_state_joins is true. */
bool mt_store_joins (const MtLayout *l, const MtStoreDesc *s);

/* Sets *first and *last to the times, in ms, of the first and the last point of a stored state
 * whose points are sorted by time. Returns false if the state is damaged. */
bool mt_sequence_span (MtTypeId type, MtVal state, int64_t *first, int64_t *last);

/* Returns the accumulator that merges states of this type, that of the aggregate rollup. Its states
 * in memory are the same as those of the aggregates that compute them. */
const MtStateAccumulator *mt_state_rollup (MtTypeId state);

#endif
