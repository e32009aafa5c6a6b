/* Calls of functions and operators over bound arguments. */
#ifndef MT_CALL_H
#define MT_CALL_H

#include "analyze/calls/choose.h"

/* Makes a call of a chosen row: converts the arguments, adds hidden ones, and inlines SQL bodies. */
bool mt_build_call (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);
/* Makes a call of the function of that name. 42883: there is none; 42725: several fit. */
bool mt_bind_function (MtBinder *b, const char *name, MtSpan span, MtX **args, int argc, MtX **out);
/* The same; some arguments may be given by name. `call` has them; the candidates are found. */
bool mt_bind_named_args (MtBinder *b, const char *name, MtSpan span, MtCallArgs *call, MtX **out);
/* Makes a call of an operator; left is NULL for a prefix operator. 42883, 42725. */
bool mt_bind_operator (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out);
/* Makes l IS DISTINCT FROM r. */
bool mt_distinct_from (MtBinder *b, MtX *l, MtX *r, MtSpan span, MtX **out);

/* Raises 42883 with candidates and a near name in its detail and hint. */
bool mt_no_function (MtBinder *b, const char *name, MtSpan span, const MtCallArgs *call);
/* Raises 42883 with PostgreSQL's general hint. */
bool mt_no_such_function (MtBinder *b, const char *name, MtSpan span, MtX *const *args, int argc);

/* x -> 'name'. */
bool mt_json_field (MtBinder *b, MtX *x, const char *name, MtSpan span, MtX **out);
/* x[key] of a jsonb or a document. */
bool mt_json_subscript (MtBinder *b, MtX *x, MtX *key, MtSpan span, MtX **out);
/* Converts x to jsonb as to_jsonb does. */
bool mt_json_value (MtBinder *b, MtX *x, MtX **out);
/* The same for a key of an object. 22023: x can't be a key. */
bool mt_json_key (MtBinder *b, MtX *x, MtX **out);

#endif
