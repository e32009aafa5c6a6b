/* Replaces calls of SQL functions by their bodies. A body is an expression, "SELECT expression", or
 * a query. The value of a query is the first column of its first row. */
#ifndef MT_INLINE_H
#define MT_INLINE_H

#include "analyze/state/binder.h"

/* Parses the body of an SQL function in arena a. *out: an expression over $1 … or parameter names.
 * *reads: the body reads tables, so that calls need constant arguments. Error positions count from
 * the start of the body. Fails with 42P13 if the body is not a query of one column. */
bool mt_func_body (MtArena *a, const char *body, MtExpr **out, bool *reads, MtError *err);

/* Replaces a call of an SQL function by its body. Fails with 54001 if calls are nested too deep,
 * and with 0A000 if the body uses a volatile argument more than once. */
bool mt_inline_sql (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);
/* Analyzes the body of an SQL function that replaces a call at `span`. s: a scope with the function
 * (s->param_sig), the arguments as parameters, and other names that the body may use. */
bool mt_inline_in (MtBinder *b, MtScope *s, MtSpan span, MtX **out);

#endif
