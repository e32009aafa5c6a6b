/* Finding documents by _id: over keys on disk, over blocks in order, and over a table in memory of
 * what neither has. Top of index.c. */
#ifndef MT_STORE_IDS_H
#define MT_STORE_IDS_H

#include "engine/local/store/runs.h"

/* ---- order.c: blocks in the order of their _ids ---- */

/* Whether the block's documents are; looks through it when that isn't known. False, too, where it
 * is damaged. */
bool mt_order_ascends (MtColl *c, MtStoreBlock *b);
/* The block's living document of that _id; *doc NULL when there is none. In a block that is in no
 * order, by looking through it. */
bool mt_order_find (MtColl *c, MtStoreBlock *b, MtVal id, MtIdEntry *found, const uint8_t **doc,
                    size_t *len, MtError *err);
/* The block's bytes, mapped. */
bool mt_order_data (MtColl *c, const MtStoreBlock *b, const uint8_t **data, MtError *err);

#endif
