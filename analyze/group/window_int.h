/* Functions shared by the files that analyze window calls. */
#ifndef MT_WINDOW_CALLS_INT_H
#define MT_WINDOW_CALLS_INT_H

#include "analyze/group/aggregate.h"
#include "query/window.h"

/* Makes x a window call (MT_X_WINDOW) of aggregate `agg`, whose arguments are analyzed. The type of
 * x is already set. */
bool mt_bind_window_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtAggCall *agg,
                               MtX *x);
/* Checks MtWindowFunc.constants, and replaces these arguments by their values. Fails with 0A000,
 * 22004 or 22023. */
bool mt_window_constants (MtBinder *b, const MtWindowFunc *f, MtX **args, int argc);
/* Replaces a call of a window function by its body in SQL. The call's arguments are coerced to the
 * types of `sig`, and `framed` is its window. */
bool mt_inline_window (MtBinder *b, const MtScope *s, MtWindowCall *call, MtSig *sig,
                       const MtWindowDef *framed, MtX **out);
/* Analyzes the frame of window w, and sets it in def. def's ORDER BY must be analyzed. */
bool mt_bind_frame (MtBinder *b, MtScope *s, const MtWindow *w, MtWindowDef *def);
/* Returns an expression that MongoDB sorts as SQL sorts x. The result is x itself, except for
 * intervals and arrays. */
MtX *mt_orderable (MtBinder *b, MtX *x);

#endif
