/* Expressions. */
#ifndef MT_ANALYZE_EXPR_H
#define MT_ANALYZE_EXPR_H

#include "analyze/state/binder.h"

/* Binds any expression: MtBindUpper.x. Other rooms call mt_bind_x. */
bool mt_analyze_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
