/* Builds an expression that tests whether a document has the shape that its layout's descriptor
 * defines (docs/lemma.md, section 5). */
#ifndef MT_SHAPE_H
#define MT_SHAPE_H

#include "layouts/table.h"

/* Returns an aggregation expression {"": …} that is true if a document has the shape of its store.
 * In arena a. */
const bson_t *mt_well_formed (MtArena *a, const MtTable *t, const MtLayout *l,
                              const MtStoreDesc *store);

/* Returns an aggregation expression that is true if a document's stored pre-aggregates equal those
 * computed from its records. Sums of doubles may differ by a factor of 1e-9. For layouts with
 * presums = verify (docs/lemma.md, section 4, rule 7). */
const bson_t *mt_sums_agree (MtArena *a, const MtTable *t, const MtStoreDesc *store);

#endif
