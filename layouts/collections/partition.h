/* Partitions: stores with one collection for each month or day. The catalog does not list
 * partitions; they are recognized by their names (docs/decisions/0007-partitions.md). So mtsql
 * notices partitions that other clients create or drop. */
#ifndef MT_LAYOUT_PARTITION_H
#define MT_LAYOUT_PARTITION_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Returns the partition of the store that has the time `ms`. Its name is allocated in arena a. */
MtPartition mt_partition_of (MtArena *a, const MtStoreDesc *s, int64_t ms);

/* Returns whether a collection is the store's collection, or by its name one of the store's
 * partitions. */
bool mt_store_owns (const MtStoreDesc *s, const char *collection);
/* Returns whether a name looks like a misspelt partition of the store, such as history_201301 or
 * history_2013_1. */
bool mt_store_nearly_owns (const MtStoreDesc *s, const char *collection);

bool mt_has_partitions (const MtTable *const *tables, size_t count);
/* Reads the list of all collections of e once, and updates the lists of partitions of all stores of
 * these tables. */
bool mt_partitions_look (MtEngine *e, const MtTable *const *tables, size_t count, MtError *err);

/* Returns the names of the store's collections, allocated in arena a: one, or one for each
 * partition. *count is their number. */
const char *const *mt_store_collections_of (MtArena *a, const MtStoreDesc *s, size_t *count);
/* Returns a copy of the store that has only one of its collections, `collection`. */
MtStoreDesc mt_store_alone (const MtStoreDesc *s, const char *collection);

#endif
