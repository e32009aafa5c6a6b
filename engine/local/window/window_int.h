/* $_mtWindow: rows that wait for their frames, the frames, and the functions over them.
 *
 * Rows are numbered from 0 over the whole input. A partition is a range of rows, and so is a
 * frame. */
#ifndef MT_WINDOW_INT_H
#define MT_WINDOW_INT_H

#include "engine/local/group/group.h"

/* ---- rows.c: rows that wait, the least recently used ones in a temporary file beyond the budget
 * ---- */

typedef struct MtWinRow {
   /* number of the row's peers (rows that are equal in the order); ascends over all partitions */
   uint64_t group;
   uint64_t pad;
   MtVal v[];
} MtWinRow;

typedef struct MtWinChunk MtWinChunk;

typedef struct MtWinRows {
   uint32_t width;      /* values of a row */
   uint64_t first, end; /* the kept rows: [first, end) */
   MtWinChunk **chunks; /* from `first` on */
   size_t chunk_count, chunk_cap, chunk_at;
   MtWinChunk *newest, *oldest; /* chunks in memory, by their last use */
   size_t in_memory, bytes, budget;
   FILE *file;
   int64_t file_end;
   MtWinChunk *spare;
} MtWinRows;

void mt_win_rows_init (MtWinRows *r, uint32_t width, size_t budget);
void mt_win_rows_free (MtWinRows *r);
/* Adds a row with missing values. *arena is for their bytes. The row stays in place until the next
 * one is added. NULL: w->err is set. */
MtWinRow *mt_win_rows_add (MtWinRows *r, MtWork *w, MtArena **arena);
/* Returns a kept row. It is borrowed until a few others have been read. NULL: w->err is set. */
const MtWinRow *mt_win_row (MtWinRows *r, uint64_t i, MtWork *w);
/* Drops the rows before this one: they are not needed again. */
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
   uint64_t offset;   /* for PRECEDING and FOLLOWING */
   MtExecExpr *limit; /* VALUE: the limit that the order's value is compared with */
   uint32_t limit_at; /* index in a row */
   /* SQLSTATE of an error for an invalid offset, raised by the first row. "": none. */
   char state[6];
   const char *message;
   bool fails_always; /* raised even without rows */
} MtWinBound;

typedef struct MtWinFrame {
   MtWinMode mode;
   MtWinBound start, end;
   MtWinExclude exclude;
   MtExecExpr *by;   /* VALUE: the value that is compared with limits */
   MtExecExpr *rank; /* sorts before `by`, whose value may be NULL or NaN; NULL: not needed */
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
   uint32_t frame; /* MT_NO_SLOT: none */
   /* n: the number of NTILE and NTH, or the distance of SHIFT (negative: back). NULL: not given. */
   MtExecExpr *arg, *n, *otherwise;
   uint32_t arg_at, n_at, otherwise_at;
   MtAcc acc;      /* for ACCUMULATE */
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
   bool whole;      /* some function or frame needs the end of the partition */
   bool peers;      /* some function or frame needs the end of the peers */
   uint32_t *carry; /* slots that are read later: the row's first values */
   uint32_t carry_count;
   MtExecExpr **extra; /* the row's other values */
   uint32_t extra_count;
} MtWindowNode;

/* Sets the functions of a node (stage.c). */
void mt_window_node_init (MtWindowNode *n);

/* ---- running ---- */

/* The rows of a frame without the excluded ones: [a, b), the current row (TIES), [c, d). */
typedef struct MtWinPieces {
   uint64_t a, b, c, d;
   bool self;
} MtWinPieces;

typedef struct MtWinFrameState {
   uint64_t head, tail; /* both only move forward within a partition */
   MtWinPieces pieces;
} MtWinFrameState;

/* An accumulator over [lo, hi). Both ends only move forward. For [lo, mid) there are the states of
 * all suffixes within one block of rows, and a state at the start of each further block (a mark).
 * For [mid, hi) there is one state that rows are added to. So each row is added at most three
 * times, whatever the frame. */
#define MT_WIN_BLOCK 64u
typedef struct MtWinSlide {
   uint64_t lo, mid, hi;
   uint64_t block; /* the first row of `suffix` */
   uint32_t suffix_count;
   uint8_t *suffix; /* MT_WIN_BLOCK states */
   uint8_t *marks;  /* of the blocks of [lo, mid), the last block first */
   uint32_t mark_count, mark_cap;
   uint8_t *back;
   MtGroupTable suffix_mem, marks_mem, back_mem;
   size_t back_limit;
} MtWinSlide;

typedef struct MtWinFuncState {
   MtWinSlide *slides; /* ACCUMULATE: one before and one behind the excluded rows */
   MtWinPieces seen;   /* the rows of `value` */
   uint64_t seen_self;
   bool valid;
   MtVal value;
   uint8_t *bytes; /* memory of `value` */
   size_t cap;
   MtGroupTable scratch;
   uint8_t *total; /* ACCUMULATE: a state */
   int64_t tiles;  /* NTILE; -1: NULL so far */
   uint64_t from;  /* NTILE: the first row with a number */
} MtWinFuncState;

typedef struct MtWinState {
   MtWinRows rows;
   uint64_t *starts; /* starts of later partitions, from starts_at on */
   size_t starts_at, starts_count, starts_cap;
   uint64_t at;                     /* the row that is emitted next */
   uint64_t part, part_end;         /* its partition; part_end: as far as known */
   bool complete;                   /* part_end is the partition's end */
   uint64_t group_first, group_end; /* its peers; group_end is kept if the node needs peers */
   uint64_t group_number, part_group;
   bool entered; /* `part` and the members behind it belong to row `at` */
   bool any, ended;
   uint64_t group; /* of the last input row */
   MtVal *last;    /* its partition's and order's values */
   MtArena *last_part, *last_order;
   MtWinFrameState *frames;
   MtWinFuncState *funcs;
} MtWinState;

typedef enum { MT_WIN_READY, MT_WIN_WAIT, MT_WIN_ERROR } MtWinStep;

/* Moves a frame to row st->at. WAIT: rows that it depends on have not come yet. */
MtWinStep mt_win_frame_move (const MtWinFrame *f, MtWinFrameState *s, MtWinState *st, MtWork *w);
/* Returns the first row that the frame may still read. */
uint64_t mt_win_frame_needs (const MtWinFrame *f, const MtWinFrameState *s);

/* Computes a function for row st->at, whose frames were moved before. *out is borrowed until the
 * next row. */
bool mt_win_func (const MtWindowNode *n, uint32_t i, MtWinState *st, MtWork *w, MtVal *out);
/* Begins a partition. */
void mt_win_func_begin (const MtWindowNode *n, uint32_t i, MtWinState *st);
/* Returns the first row that the function may still read. */
uint64_t mt_win_func_needs (const MtWindowNode *n, uint32_t i, const MtWinState *st);
void mt_win_func_free (MtWinFuncState *s);

/* slide.c */
static inline size_t mt_win_state_size (const MtAcc *a) { return (a->row->size + 15u) & ~15u; }
MtWinSlide *mt_win_slides_new (const MtAcc *a);
void mt_win_slides_free (MtWinSlide *s);
void mt_win_slide_begin (MtWinSlide *s, const MtAcc *a, uint64_t at);
/* Moves the range to [lo, hi). */
bool mt_win_slide_to (MtWinSlide *s, const MtWinFunc *f, uint64_t lo, uint64_t hi, MtWinRows *rows,
                      MtWork *w);
/* Merges the state of the whole range into `into`. */
bool mt_win_slide_merge (const MtWinSlide *s, const MtAcc *a, MtGroupTable *t, void *into,
                         MtWork *w);

#endif
