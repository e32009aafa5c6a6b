/* The typed form of window calls. */
#ifndef MT_WINDOW_H
#define MT_WINDOW_H

#include "parser/ast.h"
#include "query/function.h"
#include "query/query.h"

typedef struct MtBoundX {
   MtFrameBoundKind kind;
   int64_t offset; /* ROWS, GROUPS */
   MtX *limit; /* RANGE with an offset: where the frame ends, in terms of the window's range key */
   const char *state,
      *message; /* an offset that can't be: the error that reading rows raises; NULL: none */
   bool by_row; /* raised only when there is a row */
} MtBoundX;

typedef struct MtWindowDef {
   MtX **partition;
   int partition_count;
   MtSortX *order;
   int order_count;
   bool has_frame; /* written, and not the default */
   MtFrameMode mode;
   MtBoundX start, end;
   MtX *range_key;      /* with limits: what is compared with them */
   const char *exclude; /* NULL: no others */
} MtWindowDef;

typedef struct MtWindowCall {
   const MtWindowFunc *fn; /* NULL: an aggregate */
   MtAggCall agg;
   MtX *args[3]; /* of fn */
   int argc;
   int def;
   MtType type;
   MtSpan span;
} MtWindowCall;

/* An entry of the WINDOW clause, bound once for all that refer to it. */
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

/* Visits every expression of w, and may replace it. False: a visit failed. */
bool mt_windows_each (MtWindows *w, bool (*visit) (void *ctx, MtX **x), void *ctx);

#endif
