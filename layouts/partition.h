/* Stores with a collection a month or a day. Which partitions there are isn't written down
 * anywhere: they are the collections of the right names (docs/decisions/0007-partitions.md), so
 * that whoever makes or drops one is seen. */
#ifndef MT_LAYOUT_PARTITION_H
#define MT_LAYOUT_PARTITION_H

#include "engine/engine.h"
#include "layouts/table.h"

/* The partition of a time: its name (in arena a) and bounds. */
MtPartition mt_partition_of (MtArena *a, const MtStoreDesc *s, int64_t ms);

/* Whether a collection of that name belongs to the store. */
bool mt_store_owns (const MtStoreDesc *s, const char *collection);
/* Whether its name looks as if it did, with a date that isn't written as a partition's:
 * history_201301, history_2013_1. */
bool mt_store_nearly_owns (const MtStoreDesc *s, const char *collection);

bool mt_has_partitions (const MtTable *const *tables, size_t count);
/* Looks which partitions the tables' stores have, in one listing; does nothing where none has
 * any. */
bool mt_partitions_look (MtEngine *e, const MtTable *const *tables, size_t count, MtError *err);

/* The store's collections that there are, or should be: one, or each partition's. In arena a. */
const char *const *mt_store_collections_of (MtArena *a, const MtStoreDesc *s, size_t *count);
/* A store of one of its collections alone: *s where it has but one. */
MtStoreDesc mt_store_alone (const MtStoreDesc *s, const char *collection);

/* Makes the collection, and the indexes that the store's documents are found by, where they are
 * missing. A partition stays when the step is rolled back on a server. */
bool mt_store_make_collection (MtEngine *e, const MtTable *t, const MtStoreDesc *s,
                               const char *collection, bool *made, MtError *err);
/* The one of a store without partitions, behind its drop: a server makes it anew for a writer who
 * doesn't know of that yet, and it gets its indexes. */
bool mt_store_make_again (MtEngine *e, const MtTable *t, const MtStoreDesc *s, MtError *err);

#endif
