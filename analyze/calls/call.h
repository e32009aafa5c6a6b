/* Makes calls of functions and operators. The arguments are already analyzed. */
#ifndef MT_CALL_H
#define MT_CALL_H

#include "analyze/calls/choose.h"

/* Makes a call of function sig: converts arguments, adds hidden arguments, and inlines SQL
 * functions. */
bool mt_build_call (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);
/* Makes a call of the function `name` that fits the arguments. Fails with 42883 if none fits, and
 * with 42725 if several do. */
bool mt_bind_function (MtBinder *b, const char *name, MtSpan span, MtX **args, int argc, MtX **out);
/* Like mt_bind_function, for calls with named arguments (name => value). Fills the candidates of
 * *call. */
bool mt_bind_named_args (MtBinder *b, const char *name, MtSpan span, MtCallArgs *call, MtX **out);
/* Makes a call of an operator. left is NULL for a prefix operator. Fails with 42883 if no operator
 * fits, and with 42725 if several do. */
bool mt_bind_operator (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out);
/* Makes the expression l IS DISTINCT FROM r. */
bool mt_distinct_from (MtBinder *b, MtX *l, MtX *r, MtSpan span, MtX **out);

/* Raises 42883 (undefined function). The detail lists the candidates, and the hint a function with
 * a similar name. Returns false. */
bool mt_no_function (MtBinder *b, const char *name, MtSpan span, const MtCallArgs *call);
/* Raises 42883 (undefined function) with PostgreSQL's general hint about argument types. Returns
 * false. */
bool mt_no_such_function (MtBinder *b, const char *name, MtSpan span, MtX *const *args, int argc);

/* Makes the expression x -> 'name', a field of a jsonb. */
bool mt_json_field (MtBinder *b, MtX *x, const char *name, MtSpan span, MtX **out);
/* Makes the expression x[key] for a jsonb or document x. */
bool mt_json_subscript (MtBinder *b, MtX *x, MtX *key, MtSpan span, MtX **out);
/* Converts x to jsonb as to_jsonb does. */
bool mt_json_value (MtBinder *b, MtX *x, MtX **out);
/* Converts x to json as to_json does. */
bool mt_json_text_of (MtBinder *b, MtX *x, MtX **out);
/* Converts x to the text of a jsonb object's key. Fails with 22023 if x has no suitable type. */
bool mt_json_key (MtBinder *b, MtX *x, MtX **out);

/* Returns the correctly spelled static name of a function that reads a file in FROM, such as
 * read_csv. `name` may be in any case. NULL: the function does not read a file. */
const char *mt_reads_file (const char *name);

#endif
