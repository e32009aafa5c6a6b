/* Kinds of expressions, each bound by one function. */
#ifndef MT_ANALYZE_EXPR_INT_H
#define MT_ANALYZE_EXPR_INT_H

#include "analyze/expr/expr.h"

/* ---- literal.c ---- */

bool mt_bind_integer (MtBinder *b, const MtExpr *e, MtX **out);
/* An integer with a minus sign: -2147483648 is one literal. False without an error: it doesn't fit a
 * bigint. */
bool mt_bind_negative_integer (MtBinder *b, const MtExpr *e, MtX **out);
bool mt_bind_decimal (MtBinder *b, const MtExpr *e, MtX **out);
/* Returns a literal of type UNKNOWN. */
MtX *mt_unknown_literal (MtBinder *b, MtStr s, MtSpan span);
bool mt_bind_typed_string (MtBinder *b, const MtExpr *e, MtX **out);
/* A cast to an interval with fields: INTERVAL DAY TO HOUR. */
bool mt_bind_interval_cast (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_param (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* ---- predicate.c ---- */

bool mt_bind_logic (MtBinder *b, MtScope *s, const MtExpr *e, MtXKind kind, MtX **out);
bool mt_bind_not (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_is (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_like (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Makes COALESCE (x, v). */
MtX *mt_or_bool (MtBinder *b, MtX *x, bool v, MtSpan span);

/* ---- array.c ---- */

/* ARRAY[…] and ARRAY (SELECT …). Elements are cast to those of `want`; NULL: to their common
 * type. */
bool mt_bind_array (MtBinder *b, MtScope *s, const MtExpr *e, const MtType *want, MtX **out);
/* a[i] and a[i:j] of arrays and jsonb. */
bool mt_bind_subscript (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* ---- call.c ---- */

bool mt_bind_call_expr (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* ---- special.c ---- */

/* Calls with rules of their own. No row of functions/ has them. */
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
/* Binds calls with rules of their own: *out is NULL for others. */
bool mt_bind_special (MtBinder *b, const MtExpr *e, const char *name, MtX **args, int argc,
                      MtX **out);
/* f (…, VARIADIC array): the array is the last argument. */
bool mt_bind_variadic (MtBinder *b, const char *name, MtX **args, int argc, MtSpan span, MtX **out);

#endif
