/* Inlines SQL functions. A body is an expression, "SELECT expression", or a query, of which the
 * first column of the first row counts. */
#ifndef MT_INLINE_H
#define MT_INLINE_H

#include "analyze/state/binder.h"

/* Parses the body of an SQL function to an expression over $1 … or parameter names, in arena a.
 * *reads: the body reads tables, so arguments must be constants. Error positions are in the body.
 * Fails with 42P13 if the body is not a query of one column. */
bool mt_func_body (MtArena *a, const char *body, MtExpr **out, bool *reads, MtError *err);

/* Replaces a call of an SQL function by its body. Fails with 54001 if calls are nested too deep,
 * and with 0A000 if the body uses a volatile argument more than once. */
bool mt_inline_sql (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);
/* Does the same in a scope that has the function and its arguments as parameters, and what else the
 * body may use. */
bool mt_inline_in (MtBinder *b, MtScope *s, MtSpan span, MtX **out);

#endif
