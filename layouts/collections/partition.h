/* Stores with one collection per month or day. The partitions of a store are not recorded: they are
 * the collections whose names have the right form (docs/decisions/0007-partitions.md). So
 * partitions that other clients create or drop are seen. */
#ifndef MT_LAYOUT_PARTITION_H
#define MT_LAYOUT_PARTITION_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Returns the partition that contains a time. Its name is in arena a. */
MtPartition mt_partition_of (MtArena *a, const MtStoreDesc *s, int64_t ms);

/* Returns whether a collection of this name belongs to the store. */
bool mt_store_owns (const MtStoreDesc *s, const char *collection);
/* Returns whether a name resembles a partition's but is none: history_201301, history_2013_1. */
bool mt_store_nearly_owns (const MtStoreDesc *s, const char *collection);

bool mt_has_partitions (const MtTable *const *tables, size_t count);
/* Updates the list of partitions of the tables' stores, with one listing of the collections. */
bool mt_partitions_look (MtEngine *e, const MtTable *const *tables, size_t count, MtError *err);

/* Returns the names of the store's collections, in arena a: one, or one per partition. */
const char *const *mt_store_collections_of (MtArena *a, const MtStoreDesc *s, size_t *count);
/* Returns the store restricted to one of its collections. */
MtStoreDesc mt_store_alone (const MtStoreDesc *s, const char *collection);

#endif
