/* Bodies of SQL functions: an expression, "SELECT expression", or a query that returns the first
 * column of its first row. */
#ifndef MT_INLINE_H
#define MT_INLINE_H

#include "analyze/state/binder.h"

/* Parses a body to an expression over its parameters ($1 … or their names), in arena a. *reads: the
 * body is a query that reads tables, and its arguments must be constants. Errors have their place in
 * the body. 42P13: it isn't a query of one column. */
bool mt_func_body (MtArena *a, const char *body, MtExpr **out, bool *reads, MtError *err);

/* Puts the body of sig's function in the place of a call. 54001: calls are nested too deep; 0A000: a
 * volatile argument is used more than once. */
bool mt_inline_sql (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);

#endif
