/* Window functions (calls with OVER) in the typed tree. */
#ifndef MT_WINDOW_H
#define MT_WINDOW_H

#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* A bound (start or end) of a window frame. */
typedef struct MtBoundX {
   MtFrameBoundKind kind;
   int64_t offset; /* For ROWS and GROUPS: the offset, as a number of rows or groups. */
   MtX *limit;     /* For RANGE: the value that MtWindowDef.range_key is compared with. */
   /* SQLSTATE and message of the error for an invalid offset. It is raised only when rows are read.
    * NULL: the offset is valid. */
   const char *state, *message;
   bool by_row; /* The error is raised only if the query has rows. */
} MtBoundX;

/* A window: PARTITION BY, ORDER BY and the frame. */
typedef struct MtWindowDef {
   MtX **partition;
   int partition_count;
   MtSortX *order;
   int order_count;
   bool has_frame; /* the query specifies a frame that is not the default */
   MtFrameMode mode;
   MtBoundX start, end;
   MtX *range_key;      /* For RANGE: the value that is compared with MtBoundX.limit. */
   const char *exclude; /* The option of EXCLUDE. NULL: EXCLUDE NO OTHERS. */
} MtWindowDef;

#define MT_WINDOW_MAX_ARGS 5

/* A call of a window function. MT_X_WINDOW.index is its index in MtWindows.calls. */
typedef struct MtWindowCall {
   const MtWindowFunc *fn; /* NULL: an aggregate */
   MtAggCall agg;
   MtX *args[MT_WINDOW_MAX_ARGS]; /* arguments of fn */
   int argc;
   int def; /* index of its window in MtWindows.defs */
   MtType type;
   MtSpan span;
} MtWindowCall;

/* A window of the WINDOW clause. It is bound once for all references to it. */
typedef struct MtNamedWindow {
   const MtWindow *written;
   MtWindowDef def;
} MtNamedWindow;

struct MtWindows {
   MtWindowDef *defs; /* the different windows of the block, each once */
   int def_count, def_cap;
   MtWindowCall *calls; /* the different window calls of the block, each once */
   int call_count, call_cap;
   MtNamedWindow *named;
   int named_count, named_cap;
};

/* Returns whether two windows have the same partitions and the same order of rows, that is, equal
 * PARTITION BY and ORDER BY clauses. */
bool mt_window_same_rows (const MtWindowDef *a, const MtWindowDef *b);

/* Calls `visit` for each expression of w. visit may replace *x. Stops and returns false when visit
 * returns false. */
bool mt_windows_each (MtWindows *w, bool (*visit) (void *ctx, MtX **x), void *ctx);

#endif
