/* Reading the records and the sums of stored documents. */
#ifndef MT_DECODE_H
#define MT_DECODE_H

#include "layouts/leaves.h"

/* Reads the records of a document. A record is a row of values by column, borrowed from the
 * document or in arena a. *seen has the document's statistics, with nodes in arena a. XX001 if the
 * document does not have the layout's shape. */
bool mt_decode_records (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                        MtVal doc, MtVal ***rows, size_t *count, MtStoreStats *seen, MtError *err);
/* Reads all records or sums of the node `leaf` in a document, without sums of no records. In arena
 * a, or borrowed from the document. XX001 if the document does not have the layout's shape. */
bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       const MtNode *leaf, MtVal doc, MtLeaf **out, size_t *count, MtError *err);

#endif
