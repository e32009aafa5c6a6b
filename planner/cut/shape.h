/* Whether a document has the shape that its layout's descriptor says (docs/lemma.md, section 5). */
#ifndef MT_SHAPE_H
#define MT_SHAPE_H

#include "layouts/table.h"

/* An aggregation expression, {"": …}, that is true for a well-formed document of the store. In
 * arena a. */
const bson_t *mt_well_formed (MtArena *a, const MtTable *t, const MtLayout *l,
                              const MtStoreDesc *store);

/* The same for a document whose stored numbers (n, sums, extremes, redundant copies) agree with
 * what lies below them; sums of doubles within 1e-9. For layouts with presums = verify
 * (docs/lemma.md, section 4, rule 7). The document must be well-formed. */
const bson_t *mt_sums_agree (MtArena *a, const MtTable *t, const MtStoreDesc *store);

#endif
