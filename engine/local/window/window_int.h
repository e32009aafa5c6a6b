/* $_mtWindow: rows that wait for their frames, frames over them, and what is computed over frames.
 *
 * Rows are numbered from 0 over the whole input; a partition is a range of them, so is a frame. */
#ifndef MT_WINDOW_INT_H
#define MT_WINDOW_INT_H

#include "engine/local/group/group.h"

/* ---- rows.c: rows that wait, the least recently used ones in a temporary file beyond the budget
 * ---- */

typedef struct MtWinRow {
   uint64_t group; /* of rows that are equal in the order (peers); grows over partitions */
   uint64_t pad;
   MtVal v[];
} MtWinRow;

typedef struct MtWinChunk MtWinChunk;

typedef struct MtWinRows {
   uint32_t width;      /* values a row */
   uint64_t first, end; /* the rows that are kept: [first, end) */
   MtWinChunk **chunks; /* from `first` on */
   size_t chunk_count, chunk_cap, chunk_at;
   MtWinChunk *newest, *oldest; /* in memory, by their last use */
   size_t in_memory, bytes, budget;
   FILE *file;
   int64_t file_end;
   MtWinChunk *spare;
} MtWinRows;

void mt_win_rows_init (MtWinRows *r, uint32_t width, size_t budget);
void mt_win_rows_free (MtWinRows *r);
/* One more row, its values missing as yet, and the arena for their bytes. It stays in place until
 * the next one is added. NULL: w->err is set. */
MtWinRow *mt_win_rows_add (MtWinRows *r, MtWork *w, MtArena **arena);
/* A kept row, borrowed until a few others have been asked for. NULL: w->err is set. */
const MtWinRow *mt_win_row (MtWinRows *r, uint64_t i, MtWork *w);
/* Rows before that one won't be asked for again. */
void mt_win_rows_drop (MtWinRows *r, uint64_t before);

/* ---- what a stage computes ---- */

typedef enum {
   MT_WB_UNBOUNDED,
   MT_WB_CURRENT,
   MT_WB_PRECEDING,
   MT_WB_FOLLOWING,
   MT_WB_VALUE
} MtWinBoundKind;
typedef enum { MT_WF_ROWS, MT_WF_RANGE, MT_WF_GROUPS } MtWinMode;
typedef enum { MT_WX_NOTHING, MT_WX_CURRENT, MT_WX_GROUP, MT_WX_TIES } MtWinExclude;

typedef struct MtWinBound {
   MtWinBoundKind kind;
   uint64_t offset;   /* PRECEDING, FOLLOWING */
   MtExecExpr *limit; /* VALUE: what the order's value is compared with */
   uint32_t limit_at; /* in a row */
   char state[6];     /* an offset that can't be: the error that the first row raises; "": none */
   const char *message;
   bool fails_always; /* the end of no rows raises it, too */
} MtWinBound;

typedef struct MtWinFrame {
   MtWinMode mode;
   MtWinBound start, end;
   MtWinExclude exclude;
   MtExecExpr *by;   /* with VALUE: what is compared with limits */
   MtExecExpr *rank; /* sorts before `by` where that is NULL or NaN; NULL: nothing does */
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
   MT_WK_ACCUMULATE
} MtWinKind;

typedef struct MtWinFunc {
   MtWinKind kind;
   uint32_t frame;                  /* MT_NO_SLOT: none */
   MtExecExpr *arg, *n, *otherwise; /* n: NTILE's and NTH's number, SHIFT's distance (back:
                                       negative); NULL: not given */
   uint32_t arg_at, n_at, otherwise_at;
   MtAcc acc;      /* ACCUMULATE */
   MtExecVar *var; /* the result */
} MtWinFunc;

typedef struct MtWindowNode {
   MtExecNode n;
   MtExecExpr **partition, **order;
   uint32_t partition_count, order_count;
   MtWinFrame *frames;
   uint32_t frame_count;
   MtWinFunc *funcs;
   uint32_t func_count;
   bool whole;      /* something needs to know the partition's end */
   bool peers;      /* something needs to know the group's end */
   uint32_t *carry; /* slots that are read downstream: the row's first values */
   uint32_t carry_count;
   MtExecExpr **extra; /* the row's other values */
   uint32_t extra_count;
} MtWindowNode;

/* stage.c: how such a node runs. */
void mt_window_node_init (MtWindowNode *n);

/* ---- running ---- */

/* Rows that count, without what EXCLUDE leaves out: [a, b), the current one (TIES), [c, d). */
typedef struct MtWinPieces {
   uint64_t a, b, c, d;
   bool self;
} MtWinPieces;

typedef struct MtWinFrameState {
   uint64_t head, tail; /* both only grow within a partition */
   MtWinPieces pieces;
} MtWinFrameState;

/* An accumulator over [lo, hi), which only move forward. [lo, mid) is known as the suffixes of one
 * block of rows, with a state at each further block's start; [mid, hi) as one state that rows are
 * added to. So a row is added three times, whatever the frame. */
#define MT_WIN_BLOCK 64u
typedef struct MtWinSlide {
   uint64_t lo, mid, hi;
   uint64_t block; /* the first row that `suffix` has */
   uint32_t suffix_count;
   uint8_t *suffix; /* MT_WIN_BLOCK states */
   uint8_t *marks;  /* of [lo, mid)'s blocks, the last one first */
   uint32_t mark_count, mark_cap;
   uint8_t *back;
   MtGroupTable suffix_mem, marks_mem, back_mem;
   size_t back_limit;
} MtWinSlide;

typedef struct MtWinFuncState {
   MtWinSlide *slides; /* ACCUMULATE: before and after what is excluded */
   MtWinPieces seen;   /* `value` is of these rows */
   uint64_t seen_self;
   bool valid;
   MtVal value;
   uint8_t *bytes; /* of value */
   size_t cap;
   MtGroupTable scratch;
   uint8_t *total; /* ACCUMULATE: a state */
   int64_t tiles;  /* NTILE; -1: NULL so far */
   uint64_t from;  /* NTILE: the first row that has one */
} MtWinFuncState;

typedef struct MtWinState {
   MtWinRows rows;
   uint64_t *starts; /* of partitions that begin after the current one, from starts_at on */
   size_t starts_at, starts_count, starts_cap;
   uint64_t at;                     /* the row that is emitted next */
   uint64_t part, part_end;         /* its partition; part_end: as far as known */
   bool complete;                   /* part_end is the partition's end */
   uint64_t group_first, group_end; /* its peers; group_end: when the node asks for peers */
   uint64_t group_number, part_group;
   bool entered; /* `part` and what follows are of row `at` */
   bool any, ended;
   uint64_t group; /* of the last row that came in */
   MtVal *last;    /* its partition's and order's values */
   MtArena *last_part, *last_order;
   MtWinFrameState *frames;
   MtWinFuncState *funcs;
} MtWinState;

typedef enum { MT_WIN_READY, MT_WIN_WAIT, MT_WIN_ERROR } MtWinStep;

/* Moves a frame to row st->at. WAIT: rows that it depends on haven't come yet. */
MtWinStep mt_win_frame_move (const MtWinFrame *f, MtWinFrameState *s, MtWinState *st, MtWork *w);
/* The first row that the frame may still look at. */
uint64_t mt_win_frame_needs (const MtWinFrame *f, const MtWinFrameState *s);

/* The value of a function for row st->at, whose frames have been moved. Borrowed until the next
 * row. */
bool mt_win_func (const MtWindowNode *n, uint32_t i, MtWinState *st, MtWork *w, MtVal *out);
void mt_win_func_begin (const MtWindowNode *n, uint32_t i, MtWinState *st); /* a partition begins */
uint64_t mt_win_func_needs (const MtWindowNode *n, uint32_t i, const MtWinState *st);
void mt_win_func_free (MtWinFuncState *s);

/* slide.c */
static inline size_t mt_win_state_size (const MtAcc *a) { return (a->row->size + 15u) & ~15u; }
MtWinSlide *mt_win_slides_new (const MtAcc *a);
void mt_win_slides_free (MtWinSlide *s);
void mt_win_slide_begin (MtWinSlide *s, const MtAcc *a, uint64_t at);
bool mt_win_slide_to (MtWinSlide *s, const MtWinFunc *f, uint64_t lo, uint64_t hi, MtWinRows *rows,
                      MtWork *w);
bool mt_win_slide_merge (const MtWinSlide *s, const MtAcc *a, MtGroupTable *t, void *into,
                         MtWork *w);

#endif
