/* Functions that analyze one kind of expression each. */
#ifndef MT_ANALYZE_EXPR_INT_H
#define MT_ANALYZE_EXPR_INT_H

#include "analyze/expr/expr.h"

/* ---- literal.c ---- */

bool mt_bind_integer (MtBinder *b, const MtExpr *e, MtX **out);
/* Analyzes a minus sign and an integer as one literal, such as -2147483648. Returns false, without
 * an error, if the number does not fit a bigint. */
bool mt_bind_negative_integer (MtBinder *b, const MtExpr *e, MtX **out);
bool mt_bind_decimal (MtBinder *b, const MtExpr *e, MtX **out);
/* Makes a string literal of type UNKNOWN, whose context decides its type. */
MtX *mt_unknown_literal (MtBinder *b, MtStr s, MtSpan span);
bool mt_bind_typed_string (MtBinder *b, const MtExpr *e, MtX **out);
/* Analyzes a cast to an interval with fields, such as INTERVAL DAY TO HOUR. */
bool mt_bind_interval_cast (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_param (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* ---- predicate.c ---- */

bool mt_bind_logic (MtBinder *b, MtScope *s, const MtExpr *e, MtXKind kind, MtX **out);
bool mt_bind_not (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_is (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_like (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Makes the expression COALESCE (x, v): the boolean x, or v if x is NULL. */
MtX *mt_or_bool (MtBinder *b, MtX *x, bool v, MtSpan span);

/* ---- array.c ---- */

/* Analyzes ARRAY[…] and ARRAY (SELECT …). want: the array type to make, whose element type the
 * elements are converted to; NULL: they are converted to their common type. */
bool mt_bind_array (MtBinder *b, MtScope *s, const MtExpr *e, const MtType *want, MtX **out);
/* Analyzes subscripts and slices, a[i] and a[i:j], of arrays and jsonb. */
bool mt_bind_subscript (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* ---- call.c ---- */

bool mt_bind_call_expr (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes `state -> call`, where the function of `call` reads the state of an aggregate. The state
 * is added to the arguments of the call at the position of the parameter with the state's type. */
bool mt_bind_accessor (MtBinder *b, MtScope *s, MtX *state, const MtExpr *call, MtX **out);

/* ---- special.c ---- */

/* Calls with syntax or type rules of their own, such as COALESCE. They are not in the list of
 * functions (functions/). */
typedef enum MtSpecial {
   MT_SPECIAL_NONE,
   MT_SPECIAL_COALESCE,
   MT_SPECIAL_GREATEST,
   MT_SPECIAL_LEAST,
   MT_SPECIAL_NULLIF,
   MT_SPECIAL_TYPEOF,
   MT_SPECIAL_NOW /* current_timestamp (p) and the like */
} MtSpecial;
MtSpecial mt_special_of (const char *name);
/* Analyzes a call of a function that mt_special_of recognizes, such as COALESCE. Sets *out to NULL
 * if `name` is another function. */
bool mt_bind_special (MtBinder *b, const MtExpr *e, const char *name, MtX **args, int argc,
                      MtX **out);
/* Analyzes a call f (…, VARIADIC array), which passes the elements of an array as arguments. The
 * array is the last of args. */
bool mt_bind_variadic (MtBinder *b, const char *name, MtX **args, int argc, MtSpan span, MtX **out);

/* Analyzes interpolate (value, prev, next), where prev and next are records (time, value), or
 * sub-selects that return such a record. Makes a call with five arguments: value, prev's time and
 * value, next's time and value. */
bool mt_bind_interpolate (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
