/* Type conversions by PostgreSQL's rules (parse_coerce.c). */
#ifndef MT_COERCE_H
#define MT_COERCE_H

#include "analyze/state/binder.h"

/* The context of a type conversion: implicit, assignment to a column, or explicit cast. Each allows
 * more conversions than the one before. */
typedef enum MtCoercion { MT_COERCE_IMPLICIT, MT_COERCE_ASSIGN, MT_COERCE_EXPLICIT } MtCoercion;

/* Returns whether type `from` can be converted to `to`, which may be polymorphic (anyelement …). */
bool mt_can_coerce (MtTypeId from, MtTypeId to, MtCoercion how);
/* Converts x to type `to`. Fails with 42846 (cast) or 42804 (assignment) if there is no such
 * conversion. Error positions are that of x. */
bool mt_coerce (MtBinder *b, MtX *x, MtType to, MtCoercion how, MtX **out);
/* Gives *x the type text if it is an untyped literal (UNKNOWN). */
bool mt_settle_unknown (MtBinder *b, MtX **x);
/* Returns x for a second use in one expression. If x is an untyped parameter, the result has the
 * type from its first use. */
MtX *mt_param_again (MtBinder *b, MtX *x);
/* Analyzes an expression that must be boolean. Fails with 42804 otherwise. what: the construct for
 * the message, "WHERE", "HAVING" … */
bool mt_bind_bool (MtBinder *b, MtScope *s, const MtExpr *e, const char *what, MtX **out);

/* Computes the common type of expressions (PostgreSQL's select_common_type); text if all are
 * UNKNOWN. Fails with 42804 if there is none. what: the construct for the message, "CASE", "UNION"
 * … */
bool mt_common_type (MtBinder *b, MtX *const *list, int count, const char *what, MtTypeId *out);
/* Computes the common type of several types; MT_T_UNKNOWN if all are. False: types[*bad] can't be
 * converted to *out. */
bool mt_common_type_of (const MtTypeId *types, int count, MtTypeId *out, int *bad);
/* Returns type t with the type modifier that all expressions share, as (10,2) in numeric(10,2), or
 * without one if modifiers differ. t: their common type. */
MtType mt_common_modifier (MtX *const *list, int count, MtTypeId t);

/* Finds a type by one of its names, also one that users have created. */
bool mt_named_type (MtBinder *b, const char *name, MtTypeId *out);
/* Resolves a type name in SQL. Fails with 42704 if the type is unknown, and with 0A000 if only
 * PostgreSQL has it. */
bool mt_resolve_type (MtBinder *b, const MtTypeName *tn, MtType *out);

/* Makes hidden argument i of a function: one that SQL callers do not write, such as the session's
 * time zone. Its name begins with "_". element: the type for "_type". False without an error: the
 * name is unknown. */
bool mt_hidden_arg (MtBinder *b, const MtSig *sig, int i, MtTypeId element, MtX **out);
/* Returns the name of type t as a constant text argument. */
MtX *mt_type_arg (MtBinder *b, MtTypeId t);

#endif
