/* Values of domains (types with CHECK and NOT NULL constraints on a base type). */
#ifndef MT_TYPES_DOMAIN_H
#define MT_TYPES_DOMAIN_H

#include "analyze/state/binder.h"

/* Finds the domain with the type name tn. Returns false if tn is no domain. */
bool mt_find_domain (MtBinder *b, const MtTypeName *tn, MtDomain *out);
/* Makes an expression that checks x against the constraints of domain d, and returns x, which has
 * the base type. At run time, it fails with 23502 (NOT NULL) or 23514 (CHECK). */
bool mt_domain_value (MtBinder *b, const MtDomain *d, MtX *x, MtX **out);
/* Analyzes e, a CHECK condition of a domain. The name VALUE in it means the expression `value`. */
bool mt_bind_domain_check (MtBinder *b, const MtDomain *d, const MtExpr *e, MtX *value, MtX **out);

#endif
