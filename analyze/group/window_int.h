/* Functions shared by the files that analyze window calls. */
#ifndef MT_WINDOW_CALLS_INT_H
#define MT_WINDOW_CALLS_INT_H

#include "analyze/group/aggregate.h"
#include "query/window.h"

/* Makes x a window call (MT_X_WINDOW) of aggregate `agg`, whose arguments are analyzed. The type of
 * x is already set. */
bool mt_bind_window_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtAggCall *agg,
                               MtX *x);
/* Computes the arguments of window function f that must be constant (MtWindowFunc.constants), and
 * replaces them by their values. Fails with 0A000 if one is not constant, and with 22004 or 22023
 * if its value is NULL or invalid. */
bool mt_window_constants (MtBinder *b, const MtWindowFunc *f, MtX **args, int argc);
/* Replaces a call of a window function that is defined in SQL by its body. The arguments of `call`
 * already have the types of `sig`. framed: the window of the call. */
bool mt_inline_window (MtBinder *b, const MtScope *s, MtWindowCall *call, MtSig *sig,
                       const MtWindowDef *framed, MtX **out);
/* Analyzes the frame of window w, and stores it in def. The ORDER BY in def must be analyzed
 * before. */
bool mt_bind_frame (MtBinder *b, MtScope *s, const MtWindow *w, MtWindowDef *def);
/* Returns an expression for sorting by x: MongoDB's order of its values is SQL's order of x. It is
 * x itself, except for intervals, arrays and enumerated types. */
MtX *mt_orderable (MtBinder *b, MtX *x);

#endif
