/* Reading the records and the sums of stored documents. */
#ifndef MT_DECODE_H
#define MT_DECODE_H

#include "layouts/leaves.h"

/* Reads the records of a document: a row of values by column, borrowed from the document or in
 * arena a. *seen (its nodes in a) is the document's share of the store's statistics. XX001 if the
 * document does not have the layout's shape. */
bool mt_decode_records (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                        MtVal doc, MtVal ***rows, size_t *count, MtStoreStats *seen, MtError *err);
/* Reads the leaves of node `leaf` in a document; leaves without records are left out. In arena a,
 * or borrowed from the document. XX001 if the document does not have the layout's shape. */
bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       const MtNode *leaf, MtVal doc, MtLeaf **out, size_t *count, MtError *err);

#endif
