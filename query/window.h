/* Window calls in the typed tree. */
#ifndef MT_WINDOW_H
#define MT_WINDOW_H

#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

/* The start or the end of a frame. */
typedef struct MtBoundX {
   MtFrameBoundKind kind;
   int64_t offset; /* With ROWS and GROUPS. */
   MtX *limit; /* With RANGE and an offset: the end of the frame, to compare with the range key. */
   /* The error for an offset that is out of range, raised when rows are read. NULL: none. */
   const char *state, *message;
   bool by_row; /* The error is raised only if there is a row. */
} MtBoundX;

/* A window: PARTITION BY, ORDER BY and the frame. */
typedef struct MtWindowDef {
   MtX **partition;
   int partition_count;
   MtSortX *order;
   int order_count;
   bool has_frame; /* a frame is written, and isn't the default */
   MtFrameMode mode;
   MtBoundX start, end;
   MtX *range_key;      /* The value that is compared with limits. */
   const char *exclude; /* EXCLUDE. NULL: NO OTHERS. */
} MtWindowDef;

/* A window call. MT_X_WINDOW refers to it by its index. */
typedef struct MtWindowCall {
   const MtWindowFunc *fn; /* NULL: an aggregate */
   MtAggCall agg;
   MtX *args[3]; /* of fn */
   int argc;
   int def; /* index of MtWindows.defs */
   MtType type;
   MtSpan span;
} MtWindowCall;

/* An entry of the WINDOW clause. It is bound once for all references. */
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

/* Calls visit for each expression of w, which it may replace. Returns false if a visit does. */
bool mt_windows_each (MtWindows *w, bool (*visit) (void *ctx, MtX **x), void *ctx);

#endif
