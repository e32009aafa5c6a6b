/* Type conversions by PostgreSQL's rules (parse_coerce.c). */
#ifndef MT_COERCE_H
#define MT_COERCE_H

#include "analyze/state/binder.h"

/* Where a conversion happens: by itself, when a value is stored, or by a cast. Each allows more than
 * the one before. */
typedef enum MtCoercion { MT_COERCE_IMPLICIT, MT_COERCE_ASSIGN, MT_COERCE_EXPLICIT } MtCoercion;

/* Whether a value of type `from` can become `to`, which may be a type of a signature. */
bool mt_can_coerce (MtTypeId from, MtTypeId to, MtCoercion how);
/* Converts x to type `to`. 42846 or 42804: there is no such conversion. Errors have x's place. */
bool mt_coerce (MtBinder *b, MtX *x, MtType to, MtCoercion how, MtX **out);
/* Makes *x text if its type is UNKNOWN. */
bool mt_settle_unknown (MtBinder *b, MtX **x);
/* Returns x for its second use in one expression. If x is a parameter without a type, the first use
 * may have given it one. */
MtX *mt_param_again (MtBinder *b, MtX *x);
/* Binds a boolean expression. 42804 names the construct `what`: "WHERE", "HAVING" … */
bool mt_bind_bool (MtBinder *b, MtScope *s, const MtExpr *e, const char *what, MtX **out);

/* Computes the type that all of the list can become (PostgreSQL's select_common_type), text if all
 * are UNKNOWN. 42804 names the construct `what`: "CASE", "UNION" … */
bool mt_common_type (MtBinder *b, MtX *const *list, int count, const char *what, MtTypeId *out);
/* The same of types alone; *out is MT_T_UNKNOWN if all are. False: types[*bad] doesn't fit *out. */
bool mt_common_type_of (const MtTypeId *types, int count, MtTypeId *out, int *bad);
/* Returns t with the modifier that all of the list have, or without one if they differ. t is their
 * common type. */
MtType mt_common_modifier (MtX *const *list, int count, MtTypeId t);

/* Resolves a type as it is written. 42704: unknown; 0A000: PostgreSQL has it and mtsql lacks it. */
bool mt_resolve_type (MtBinder *b, const MtTypeName *tn, MtType *out);
/* Whether the type is oid, which is a bigint in mtsql. */
bool mt_is_oid (const MtTypeName *tn);
/* Adds the range check of oid to *x, which was cast from type `from`. A small negative number wraps
 * around. */
void mt_check_oid (MtBinder *b, MtTypeId from, MtX **x);

/* Makes argument i of a function, which the caller doesn't write: its name begins with "_" (the
 * session's zone, the time …). `element` is the type for "_type". False without an error: it is
 * unknown. */
bool mt_hidden_arg (MtBinder *b, const MtSig *sig, int i, MtTypeId element, MtX **out);
/* Returns the name of a type as an argument of functions. */
MtX *mt_type_arg (MtBinder *b, MtTypeId t);

#endif
