/* FROM. */
#ifndef MT_FROM_CLAUSE_H
#define MT_FROM_CLAUSE_H

#include "analyze/state/binder.h"

/* Binds the items of FROM to *rel; f is NULL if there is no FROM. */
bool mt_bind_from (MtBinder *b, const MtFrom *f, MtRel *rel);

#endif
