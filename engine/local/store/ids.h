/* Finding documents by _id: in keys on disk, in ordered blocks, and in a table in memory for the
 * rest. index.c explains it. */
#ifndef MT_STORE_IDS_H
#define MT_STORE_IDS_H

#include "engine/local/store/runs.h"

/* ---- order.c: blocks in the order of their _ids ---- */

/* Returns whether the block's documents are in the order of their _ids. Reads the block if that is
 * unknown. False if the block is damaged. */
bool mt_order_ascends (MtColl *c, MtStoreBlock *b);
/* Finds the block's living document with this _id. found->doc is NULL if there is none. Reads the whole
 * block if it is not ordered. */
bool mt_order_find (MtColl *c, MtStoreBlock *b, MtVal id, MtFoundDoc *found, MtError *err);
/* Returns the mapped bytes of a block. */
bool mt_order_data (MtColl *c, const MtStoreBlock *b, const uint8_t **data, MtError *err);

#endif
