/* Values of domains. */
#ifndef MT_TYPES_DOMAIN_H
#define MT_TYPES_DOMAIN_H

#include "analyze/state/binder.h"

/* Finds the domain that a type name means. False: it is no domain's. */
bool mt_find_domain (MtBinder *b, const MtTypeName *tn, MtDomain *out);
/* Returns x, which has the base type, with the checks of the domain: 23502, 23514. */
bool mt_domain_value (MtBinder *b, const MtDomain *d, MtX *x, MtX **out);
/* Analyzes a condition of a domain, with `value` in the place of VALUE. */
bool mt_bind_domain_check (MtBinder *b, const MtDomain *d, const MtExpr *e, MtX *value, MtX **out);

#endif
