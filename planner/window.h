/* Window functions: their rows, the typed form of windows, and from there to stages. */
#ifndef MT_WINDOW_H
#define MT_WINDOW_H

#include "parser/ast.h"
#include "planner/emit.h"
#include "planner/function.h"
#include "planner/pipe.h"

/* A function that only a window has; aggregates are MtAgg's rows, and need no other here. */
typedef struct MtWindowFunc {
   const char *name;
   const char *signature;
   const char *op;          /* of $_mtWindow */
   bool framed;             /* looks at the frame; others at the whole partition */
   bool never_null;
   const char *summary;
   const char *example;     /* as a function's */
} MtWindowFunc;

/* Ended by a row without a name. */
extern const MtWindowFunc mt_window_funcs[];
const MtWindowFunc *mt_builtin_windows (size_t *count);

typedef struct MtBoundX {
   MtFrameBoundKind kind;
   int64_t offset;          /* ROWS, GROUPS */
   MtX *limit;              /* RANGE with an offset: where the frame ends, in terms of the window's range key */
   const char *state, *message; /* an offset that can't be: the error that reading rows raises; NULL: none */
   bool by_row;             /* raised only when there is a row */
} MtBoundX;

typedef struct MtWindowDef {
   MtX **partition;
   int partition_count;
   MtSortX *order;
   int order_count;
   bool has_frame;          /* written, and not the default */
   MtFrameMode mode;
   MtBoundX start, end;
   MtX *range_key;          /* with limits: what is compared with them */
   const char *exclude;     /* NULL: no others */
} MtWindowDef;

typedef struct MtWindowCall {
   const MtWindowFunc *fn;  /* NULL: an aggregate */
   MtAggCall agg;
   MtX *args[3];            /* of fn */
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
   MtWindowDef *defs;       /* all different */
   int def_count, def_cap;
   MtWindowCall *calls;     /* all different */
   int call_count, call_cap;
   MtNamedWindow *named;
   int named_count, named_cap;
};

/* Visits every expression of w, and may replace it. False: a visit failed. */
bool mt_windows_each (MtWindows *w, bool (*visit) (void *ctx, MtX **x), void *ctx);

/* Whether the rows that meet a condition over q->rel can be chosen before the windows are computed: it is about what all of them partition by. */
bool mt_windows_let_pass (const MtWindows *w, const MtX *condition);

/* The stages that compute q's windows over documents with its sub-select's columns c0, c1 …; places (by column of q->rel) are set. */
bool mt_window_emit (MtArena *a, const MtQuery *q, const MtTextStyle *style, MtPipe *pipe, MtPlace *places, MtError *err);

/* Whether a built-in window function has that name; ASCII case is ignored. */
bool mt_is_window_function (const char *name);

#endif
