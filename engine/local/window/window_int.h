/* The stages $_mtWindow and $setWindowFields (window functions): rows that are kept until all rows
 * of their frames have been received, frames, and functions.
 *
 * Rows are numbered from 0 over the whole input. A partition is a range of row numbers, and so is a
 * frame. */
#ifndef MT_WINDOW_INT_H
#define MT_WINDOW_INT_H

#include "engine/local/group/group.h"

/* ---- rows.c: rows that wait, the least recently used ones in a temporary file beyond the budget
 * ---- */

typedef struct MtWinRow {
   /* number of the row's peer group (rows that are equal in ORDER BY), counted over all
    * partitions */
   uint64_t group;
   uint64_t pad;
   MtVal v[];
} MtWinRow;

typedef struct MtWinChunk MtWinChunk;

typedef struct MtWinRows {
   uint32_t width;      /* number of values in each row */
   uint64_t first, end; /* the kept rows have the numbers first to end - 1 */
   MtWinChunk **chunks; /* the chunks of kept rows, from row `first` on */
   size_t chunk_count, chunk_cap, chunk_at;
   /* ends of the list of chunks in memory, from the most to the least recently used */
   MtWinChunk *newest, *oldest;
   size_t in_memory, bytes, budget;
   FILE *file;
   int64_t file_end;
   MtWinChunk *spare;
} MtWinRows;

void mt_win_rows_init (MtWinRows *r, uint32_t width, size_t budget);
void mt_win_rows_free (MtWinRows *r);
/* Appends a row whose values are all missing; the caller then sets them, with their bytes in
 * *arena. The row's address is valid until the next call. Returns NULL with w->err set on
 * failure. */
MtWinRow *mt_win_rows_add (MtWinRows *r, MtWork *w, MtArena **arena);
/* Returns row number i, which may have to be read from the temporary file. The result is valid
 * until a few other rows have been read. Returns NULL with w->err set on failure. */
const MtWinRow *mt_win_row (MtWinRows *r, uint64_t i, MtWork *w);
/* Removes all rows whose number is less than `before`. */
void mt_win_rows_drop (MtWinRows *r, uint64_t before);

/* ---- what a stage computes ---- */

typedef enum {
   MT_WB_UNBOUNDED,
   MT_WB_CURRENT,
   MT_WB_PRECEDING,
   MT_WB_FOLLOWING,
   MT_WB_VALUE,
   MT_WB_ROW /* the row itself, without its peers, whatever the mode is */
} MtWinBoundKind;
typedef enum { MT_WF_ROWS, MT_WF_RANGE, MT_WF_GROUPS } MtWinMode;
typedef enum { MT_WX_NOTHING, MT_WX_CURRENT, MT_WX_GROUP, MT_WX_TIES } MtWinExclude;

typedef struct MtWinBound {
   MtWinBoundKind kind;
   uint64_t offset; /* number of rows or groups, for MT_WB_PRECEDING and MT_WB_FOLLOWING */
   /* for MT_WB_VALUE: the limit with which the ORDER BY value of other rows is compared */
   MtExecExpr *limit;
   uint32_t limit_at; /* index of the limit in a row's values */
   /* SQLSTATE of the error that an invalid offset raises at the first row. "": the offset is
    * valid. */
   char state[6];
   const char *message;
   bool fails_always; /* the error is raised even if there are no rows */
} MtWinBound;

typedef struct MtWinFrame {
   MtWinMode mode;
   MtWinBound start, end;
   MtWinExclude exclude;
   MtExecExpr *by; /* for MT_WB_VALUE: the ORDER BY value, which is compared with the limits */
   /* a sort key that comes before `by`, and separates NULL and NaN from other values; NULL: not
    * needed */
   MtExecExpr *rank;
   uint32_t by_at, rank_at;
   bool descending;
} MtWinFrame;

typedef enum {
   MT_WK_ROW_NUMBER,
   MT_WK_RANK,
   MT_WK_DENSE_RANK,
   MT_WK_PERCENT_RANK,
   MT_WK_CUME_DIST,
   MT_WK_NTILE,
   MT_WK_SHIFT,
   MT_WK_FIRST,
   MT_WK_LAST,
   MT_WK_NTH,
   MT_WK_EMA,
   MT_WK_HOLT_WINTERS,
   MT_WK_LOCF,
   MT_WK_LINEAR_FILL,
   MT_WK_DERIVATIVE,
   MT_WK_EXP_AVG,
   MT_WK_ACCUMULATE
} MtWinKind;

typedef struct MtWinFunc {
   MtWinKind kind;
   uint32_t frame; /* index of the function's frame; MT_NO_SLOT: it has no frame */
   /* `n` is the number of NTILE and NTH, the distance of SHIFT (negative: backwards), the array of
    * parameters of EMA and HOLT_WINTERS, or the sort key of LINEAR_FILL and DERIVATIVE. `otherwise`
    * is the default of SHIFT. NULL: the argument was not given. */
   MtExecExpr *arg, *n, *otherwise;
   uint32_t arg_at, n_at, otherwise_at;
   MtAcc acc; /* the accumulator, for MT_WK_ACCUMULATE */
   /* The sort keys of accumulators such as $top. acc.keys reads them from slots, which are set from
    * a row's values before the row is added to the accumulator. */
   MtExecExpr **keys;
   uint32_t *keys_at;
   /* Follow MongoDB's rules: a rank has the type int if it fits, and a missing value becomes the
    * default of SHIFT, or null. */
   bool mongo;
   MtVal alpha, rest; /* the weights of EXP_AVG, as decimals: alpha, and 1 - alpha */
   int64_t unit_ms;   /* DERIVATIVE: milliseconds of its unit; 0: it has no unit */
   MtExecVar *var;    /* the variable of the function's result */
} MtWinFunc;

typedef struct MtWindowNode {
   MtExecNode n;
   MtExecExpr **partition, **order;
   uint32_t partition_count, order_count;
   MtWinFrame *frames;
   uint32_t frame_count;
   MtWinFunc *funcs;
   uint32_t func_count;
   /* some function or frame needs all rows of the partition */
   bool whole;
   bool peers;      /* some function or frame needs all peers of a row before it can compute */
   uint32_t *carry; /* slots that later nodes read; they are the first values of a row */
   uint32_t carry_count;
   MtExecExpr **extra; /* expressions of the row's other values */
   uint32_t extra_count;
} MtWindowNode;

/* Sets the callbacks (push, finish, …) of a window node. */
void mt_window_node_init (MtWindowNode *n);
/* Appends to the compiled pipeline a window node made from `plan`, binds its expressions to
 * positions in the row, and gives its functions variables for their results. Returns NULL with
 * c->err set on failure. */
MtWindowNode *mt_window_node_add (MtCompile *c, const MtWindowNode *plan);

/* ---- running ---- */

/* The rows of a frame without excluded rows: numbers a to b - 1, then the current row if `self` is
 * set (EXCLUDE TIES), then numbers c to d - 1. */
typedef struct MtWinPieces {
   uint64_t a, b, c, d;
   bool self;
} MtWinPieces;

typedef struct MtWinFrameState {
   /* number of the frame's first row, and of the row behind its last; both only increase within a
    * partition */
   uint64_t head, tail;
   MtWinPieces pieces;
} MtWinFrameState;

#define MT_WIN_NO_ROW UINT64_MAX

/* The result of an accumulator over the rows [lo, hi), a range whose ends only move forward. Rows
 * are divided into blocks of MT_WIN_BLOCK rows. A result is a suffix merged with `back`:
 *
 *   - `suffix` has, for each row of the first block, the state of all rows from it up to mid.
 *   - `marks` has, for each further block of [lo, mid), the state of all rows from its start up to
 *     mid. When lo enters the next block, `suffix` is computed anew from its mark.
 *   - `back` is the state of [mid, hi), to which new rows are added.
 *
 * So each row is added at most three times, whatever the frame is. */
#define MT_WIN_BLOCK 64u
typedef struct MtWinSlide {
   uint64_t lo, mid, hi;
   uint64_t block; /* number of the first row of the block of `suffix` */
   uint32_t suffix_count;
   uint8_t *suffix; /* MT_WIN_BLOCK states */
   uint8_t *marks;  /* states of the further blocks of [lo, mid), the last block first */
   uint32_t mark_count, mark_cap;
   uint8_t *back;
   MtGroupTable suffix_mem, marks_mem, back_mem;
   size_t back_limit;
} MtWinSlide;

/* The state of EMA and HOLT_WINTERS after a row. The next result is computed from it. */
typedef struct MtWinSmooth {
   double alpha, beta, gamma;
   uint32_t period; /* for HOLT_WINTERS */
   uint64_t seen;   /* the number of values so far; HOLT_WINTERS: at most two periods */
   bool begun;      /* the parameters were read */
   double level, trend;
   /* for HOLT_WINTERS: first the values of two periods, then the seasonal share of each row of a
    * period */
   double *season;
   uint32_t season_cap, at; /* `at`: the current row's place in `season` */
} MtWinSmooth;

typedef struct MtWinFuncState {
   /* for MT_WK_ACCUMULATE: two slides, one for the rows before the excluded ones and one for those
    * behind */
   MtWinSlide *slides;
   MtWinPieces seen; /* the rows from which `value` was computed */
   uint64_t seen_self;
   bool valid;
   MtVal value;
   uint8_t *bytes; /* memory for the bytes of `value` */
   size_t cap;
   MtGroupTable scratch;
   uint8_t *total; /* for MT_WK_ACCUMULATE: memory for a state */
   int64_t tiles;  /* for NTILE: the number of tiles; -1: the argument was NULL so far */
   uint64_t from;  /* for NTILE: the first row whose argument is not NULL */
   MtWinSmooth smooth;
   /* For LINEAR_FILL: the last preceding row that has a value, and the next following one.
    * MT_WIN_NO_ROW: none. */
   uint64_t before, after;
   bool decimal; /* for EXP_AVG: some value was a decimal */
} MtWinFuncState;

typedef struct MtWinState {
   MtWinRows rows;
   uint64_t *starts; /* first row numbers of the later partitions, from index starts_at on */
   size_t starts_at, starts_count, starts_cap;
   uint64_t at; /* number of the row that is pushed next */
   /* first row of the partition of row `at`, and the row behind its last one received so far */
   uint64_t part, part_end;
   bool complete; /* part_end is really the partition's end */
   /* first row of the peers of row `at`, and the row behind the last. group_end is only valid if
    * the node's `peers` is set. */
   uint64_t group_first, group_end;
   uint64_t group_number, part_group;
   bool entered; /* the members from `part` on belong to row `at` */
   bool any, ended;
   uint64_t group; /* number of the last input row's group of peers */
   MtVal *last;    /* the last input row's values of PARTITION BY and ORDER BY */
   MtArena *last_part, *last_order;
   MtWinFrameState *frames;
   MtWinFuncState *funcs;
} MtWinState;

typedef enum { MT_WIN_READY, MT_WIN_WAIT, MT_WIN_ERROR } MtWinStep;

/* Computes the frame of the current row, st->at. Returns MT_WIN_WAIT if that needs rows that have
 * not been received yet. */
MtWinStep mt_win_frame_move (const MtWinFrame *f, MtWinFrameState *s, MtWinState *st, MtWork *w);
/* Returns the number of the first row that the frame may still need. Earlier rows can be
 * removed. */
uint64_t mt_win_frame_needs (const MtWinFrame *f, const MtWinFrameState *s);

/* Computes function number i for the current row, st->at. Call mt_win_frame_move for its frame
 * before. *out is valid until the next row. */
bool mt_win_func (const MtWindowNode *n, uint32_t i, MtWinState *st, MtWork *w, MtVal *out);
/* Resets the state of function number i at the beginning of a partition. */
void mt_win_func_begin (const MtWindowNode *n, uint32_t i, MtWinState *st);
/* Returns the number of the first row that function number i may still need. Earlier rows can be
 * removed. */
uint64_t mt_win_func_needs (const MtWindowNode *n, uint32_t i, const MtWinState *st);
void mt_win_func_free (MtWinFuncState *s);

/* Computes EMA or HOLT_WINTERS for the next row. `value` may be NULL. `n` is the array of
 * parameters, which is read at the partition's first row. */
bool mt_win_smooth (const MtWinFunc *f, MtWinSmooth *s, MtVal value, MtVal n, MtWork *w,
                    MtVal *out);
/* Resets the state at the beginning of a partition. */
void mt_win_smooth_begin (MtWinSmooth *s);

/* Sets *out to a copy of value number `at` of row i, because reading other rows can remove row i
 * from memory. */
bool mt_win_value (MtWinState *st, uint64_t i, uint32_t at, MtWork *w, MtVal *out);
/* Copies v into s->value, where it stays when the row is removed. */
void mt_win_keep (MtWinFuncState *s, MtVal v);

/* Compute LOCF, LINEAR_FILL, DERIVATIVE and EXP_AVG for the current row, st->at (curve.c). */
bool mt_win_locf (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out);
bool mt_win_linear_fill (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w,
                         MtVal *out);
bool mt_win_derivative (const MtWinFunc *f, MtWinState *st, MtWork *w, MtVal *out);
bool mt_win_exp_avg (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out);

static inline size_t mt_win_state_size (const MtAcc *a) { return (a->row->size + 15u) & ~15u; }
MtWinSlide *mt_win_slides_new (const MtAcc *a);
void mt_win_slides_free (MtWinSlide *s);
void mt_win_slide_begin (MtWinSlide *s, const MtAcc *a, uint64_t at);
/* Moves the accumulator's range of rows forward to [lo, hi). */
bool mt_win_slide_to (MtWinSlide *s, const MtWinFunc *f, uint64_t lo, uint64_t hi, MtWinRows *rows,
                      MtWork *w);
/* Adds a row to an accumulator's state. `t` has the memory of the state. */
bool mt_win_add (const MtWinFunc *f, MtGroupTable *t, void *state, const MtWinRow *row, MtWork *w);
/* Merges the accumulator's result over its whole range into the state `into`. */
bool mt_win_slide_merge (const MtWinSlide *s, const MtAcc *a, MtGroupTable *t, void *into,
                         MtWork *w);

#endif
