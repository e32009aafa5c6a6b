/* Whether a document has the shape of its layout's descriptor (docs/lemma.md, section 5). */
#ifndef MT_SHAPE_H
#define MT_SHAPE_H

#include "layouts/table.h"

/* An aggregation expression {"": …} that is true for a well-formed document of the store. In
 * arena a. */
const bson_t *mt_well_formed (MtArena *a, const MtTable *t, const MtLayout *l,
                              const MtStoreDesc *store);

/* An expression that is true when the stored numbers of a well-formed document (n, sums,
 * extremes, redundant copies) agree with the records below them. Sums of doubles may differ by
 * 1e-9. For layouts with presums = verify (docs/lemma.md, section 4, rule 7). */
const bson_t *mt_sums_agree (MtArena *a, const MtTable *t, const MtStoreDesc *store);

#endif
