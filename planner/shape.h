/* Whether a document has the shape that its layout's descriptor says (docs/lemma.md, section 5). */
#ifndef MT_SHAPE_H
#define MT_SHAPE_H

#include "layouts/table.h"

/* An aggregation expression, {"": …}, that is true for a well-formed document of the store. In arena a. */
const bson_t *mt_well_formed (MtArena *a, const MtTable *t, const MtStoreDesc *store);

#endif
