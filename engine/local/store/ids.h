/* Finds documents by _id: by key files on disk, by the order of sorted blocks, and by a table in
 * memory for all other blocks. index.c explains the search. */
#ifndef MT_STORE_IDS_H
#define MT_STORE_IDS_H

#include "engine/local/store/runs.h"

/* ---- order.c: blocks in the order of their _ids ---- */

/* Returns whether the block's documents are sorted by _id. Reads the block if that is not known
 * yet. A damaged block counts as unsorted. */
bool mt_order_ascends (MtColl *c, MtStoreBlock *b);
/* Finds the document with this _id in the block. found->doc is NULL if there is none, or if the
 * document is deleted. Reads the whole block if its documents are not sorted. */
bool mt_order_find (MtColl *c, MtStoreBlock *b, MtVal id, MtFoundDoc *found, MtError *err);
/* Maps the block, and prepares *walk for a loop over its documents. The documents are valid until
 * the next call for this collection, or until the collection changes. */
bool mt_order_walk (MtColl *c, const MtStoreBlock *b, MtBlockWalk *walk, MtError *err);

#endif
