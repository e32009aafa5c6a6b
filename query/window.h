/* Window functions (calls with OVER) in the typed tree. */
#ifndef MT_WINDOW_H
#define MT_WINDOW_H

#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* The start or end of a window frame. */
typedef struct MtBoundX {
   MtFrameBoundKind kind;
   int64_t offset; /* For ROWS and GROUPS: the number of rows or groups. */
   MtX *limit;     /* For RANGE with an offset: the value to compare with MtWindowDef.range_key. */
   /* The error for an offset that is out of range, raised when rows are read. NULL: none. */
   const char *state, *message;
   bool by_row; /* Raise the error only if the query has rows. */
} MtBoundX;

/* A window: PARTITION BY, ORDER BY and the frame. */
typedef struct MtWindowDef {
   MtX **partition;
   int partition_count;
   MtSortX *order;
   int order_count;
   bool has_frame; /* the query gives a frame other than the default */
   MtFrameMode mode;
   MtBoundX start, end;
   MtX *range_key;      /* For RANGE: the value to compare with MtBoundX.limit. */
   const char *exclude; /* The option of EXCLUDE. NULL: EXCLUDE NO OTHERS. */
} MtWindowDef;

#define MT_WINDOW_MAX_ARGS 5

/* A window call. MT_X_WINDOW.index is its index in MtWindows.calls. */
typedef struct MtWindowCall {
   const MtWindowFunc *fn; /* NULL: an aggregate */
   MtAggCall agg;
   MtX *args[MT_WINDOW_MAX_ARGS]; /* arguments of fn */
   int argc;
   int def; /* index of MtWindows.defs */
   MtType type;
   MtSpan span;
} MtWindowCall;

/* An entry of the WINDOW clause. The entry is analyzed once for all references. */
typedef struct MtNamedWindow {
   const MtWindow *written;
   MtWindowDef def;
} MtNamedWindow;

struct MtWindows {
   MtWindowDef *defs; /* all different */
   int def_count, def_cap;
   MtWindowCall *calls; /* all different */
   int call_count, call_cap;
   MtNamedWindow *named;
   int named_count, named_cap;
};

/* Returns whether two windows have the same rows in the same order: an equal PARTITION BY and ORDER
 * BY. */
bool mt_window_same_rows (const MtWindowDef *a, const MtWindowDef *b);

/* Calls `visit` for each expression of w. visit may replace *x. Returns false as soon as visit
 * returns false. */
bool mt_windows_each (MtWindows *w, bool (*visit) (void *ctx, MtX **x), void *ctx);

#endif
