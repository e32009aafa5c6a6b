/* Decides whether a store's documents can be written by increments ($inc) of their fields, without
 * being read. */
#ifndef MT_INCREMENTS_H
#define MT_INCREMENTS_H

#include "layouts/table.h"

/* Returns whether new rows can be written into the store's existing documents only by incrementing
 * numbers, as with $inc. */
bool mt_store_increments (const MtTable *t, const MtStoreDesc *s);
/* Like mt_store_increments, but each record is a new field besides the incremented numbers. The
 * engine sets the field only if it is missing (MtIncrement.fresh). */
bool mt_store_sets_fresh (const MtTable *t, const MtStoreDesc *s);
/* Like mt_store_increments, but each record is set as a fixed element of an array, besides the
 * incremented numbers (MtIncrement.slots). */
bool mt_store_fills_slots (const MtTable *t, const MtStoreDesc *s);

/* Returns whether the store's documents can be created before their first record is inserted. If
 * not, *why is set to the reason, which completes the sentence "documents that …". */
bool mt_can_preallocate (const MtTable *t, const MtStoreDesc *s, const char **why);
/* Returns the unit of time that one document of the store covers. The store must fulfil
 * mt_can_preallocate. */
MtUnit mt_prealloc_unit (const MtStoreDesc *s);

#endif
