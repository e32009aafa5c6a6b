/* Type conversions by PostgreSQL's rules (parse_coerce.c). */
#ifndef MT_COERCE_H
#define MT_COERCE_H

#include "analyze/state/binder.h"

/* The context of a type conversion: implicit (inside an expression), assignment (to a table
 * column), or explicit (a cast in the query). In this order, each context allows more conversions
 * than the previous one. */
typedef enum MtCoercion { MT_COERCE_IMPLICIT, MT_COERCE_ASSIGN, MT_COERCE_EXPLICIT } MtCoercion;

/* Returns whether type `from` can be converted to `to`, which may be polymorphic (anyelement …). */
bool mt_can_coerce (MtTypeId from, MtTypeId to, MtCoercion how);
/* Converts x to type `to` in context `how`. Fails with 42846 (cast) or 42804 (assignment) if there
 * is no such conversion. Errors have the position of x. */
bool mt_coerce (MtBinder *b, MtX *x, MtType to, MtCoercion how, MtX **out);
/* If *x is an untyped literal (UNKNOWN), gives it the type text. */
bool mt_settle_unknown (MtBinder *b, MtX **x);
/* Returns x for a second use in the same expression. An untyped parameter has the type that its
 * first use gave it. */
MtX *mt_param_again (MtBinder *b, MtX *x);
/* Analyzes expression e, which must be boolean. Fails with 42804 if it is not. what: the clause for
 * the message, such as "WHERE". */
bool mt_bind_bool (MtBinder *b, MtScope *s, const MtExpr *e, const char *what, MtX **out);

/* Finds the common type of expressions (PostgreSQL's select_common_type), or text if all are
 * untyped literals. Fails with 42804 if there is none. what: the construct for the message, such as
 * "CASE". */
bool mt_common_type (MtBinder *b, MtX *const *list, int count, const char *what, MtTypeId *out);
/* Finds the common type of several types, or MT_T_UNKNOWN if all types are. Returns false if type
 * number *bad can't be converted to *out. */
bool mt_common_type_of (const MtTypeId *types, int count, MtTypeId *out, int *bad);
/* Returns the type t, the common type of the expressions. If all of them have the same type
 * modifier, such as (10, 2) of numeric(10, 2), the result has it, too. */
MtType mt_common_modifier (MtX *const *list, int count, MtTypeId t);

/* Finds a built-in or user-defined type by one of its names. Returns false if there is none. */
bool mt_named_type (MtBinder *b, const char *name, MtTypeId *out);
/* Finds the type of a type name in SQL. Fails with 42704 if the type is unknown, and with 0A000 if
 * only PostgreSQL has it. */
bool mt_resolve_type (MtBinder *b, const MtTypeName *tn, MtType *out);
/* The same for a cast, whose type can also be name or "char" (types/binary.h). */
bool mt_resolve_cast_type (MtBinder *b, const MtTypeName *tn, MtType *out);

/* Makes the value of parameter i of a function if it is hidden: the call does not write it, and its
 * name begins with "_". An example is the session's time zone. element: the value of the parameter
 * "_type". Returns false, without an error, if the name is unknown. */
bool mt_hidden_arg (MtBinder *b, const MtSig *sig, int i, MtTypeId element, MtX **out);
/* Returns a text constant with the name of type t, for functions that take a type as argument. */
MtX *mt_type_arg (MtBinder *b, MtTypeId t);

#endif
