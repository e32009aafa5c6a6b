/* Bodies of functions of LANGUAGE sql: an expression, "SELECT expression", or a query, which gives
 * the first column of its first row. */
#ifndef MT_FUNC_BODY_H
#define MT_FUNC_BODY_H

#include "analyze/bind_int.h"

/* The body as an expression over its parameters ($1 … or their names), in arena a. *reads: it is a
 * query that reads tables, and can only be bound where all arguments are constants. Errors have
 * their place in the body; 42P13: it isn't a query of one column. */
bool mt_func_body (MtArena *a, const char *body, MtExpr **out, bool *reads, MtError *err);

/* The body of sig's function in the place of a call. Errors: 54001 where calls are nested too deep
 * (a function that calls itself); 0A000 where an argument is volatile and used more than once. */
bool mt_inline_sql (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);

#endif
