/* Domains, which are catalog objects of the kind "domain". */
#ifndef MT_SESSION_DOMAINS_H
#define MT_SESSION_DOMAINS_H

#include "session/core/core.h"

/* Finds a domain by name, in arena a; false if there is none. It is the callback MtBindEnv.domain;
 * ctx is the session. */
bool mt_domain_named (void *ctx, MtArena *a, const char *name, MtDomain *out);
/* Returns all domains, sorted by name, in arena a. Damaged ones are skipped. */
MtDomain *mt_domain_list (MtSession *s, MtArena *a, size_t *count);
/* Saves a domain in the catalog. A new domain and new constraints get their OIDs. */
bool mt_domain_save (MtStatement *st, MtDomain *d, MtError *err);

#endif
