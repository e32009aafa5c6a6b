/* Deciding whether a store's documents can be written as increments of their fields, without being
 * read. */
#ifndef MT_INCREMENTS_H
#define MT_INCREMENTS_H

#include "layouts/table.h"

/* Returns whether rows can be added to the store's documents by incrementing numbers, as with
 * $inc. */
bool mt_store_increments (const MtTable *t, const MtStoreDesc *s);
/* Like mt_store_increments, but a record is a new field of its own. The engine sets the field only
 * if it is missing (MtIncrement.fresh). */
bool mt_store_sets_fresh (const MtTable *t, const MtStoreDesc *s);
/* Like mt_store_increments, but each record has its own place in an array (MtIncrement.slots). */
bool mt_store_fills_slots (const MtTable *t, const MtStoreDesc *s);

/* Returns whether documents of the store can be created before their first record arrives. If not,
 * *why completes the sentence "documents that …". */
bool mt_can_preallocate (const MtTable *t, const MtStoreDesc *s, const char **why);
/* Returns the unit of time that each document covers, of a store whose documents can be created
 * ahead (mt_can_preallocate). */
MtUnit mt_prealloc_unit (const MtStoreDesc *s);

#endif
