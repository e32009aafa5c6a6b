/* Analysis of expressions. */
#ifndef MT_ANALYZE_EXPR_H
#define MT_ANALYZE_EXPR_H

#include "analyze/state/binder.h"

/* Analyzes any expression into *out. Code in other folders calls mt_bind_x, which calls this
 * function. */
bool mt_analyze_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
