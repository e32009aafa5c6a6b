/* Collections of a store: their segment files, blocks, and keys in memory. */
#ifndef MT_COLL_INT_H
#define MT_COLL_INT_H

#include "engine/local/store/store_int.h"

/* ---- segment.c ---- */

bool mt_coll_open (MtColl *c, bool writing, MtError *err);
bool mt_coll_map (MtColl *c, uint64_t upto, MtError *err);
void mt_coll_spare_fd (MtColl *c);

/* ---- block.c: deleted documents ---- */

void mt_deleted_unref (MtDeleted *d);
void mt_deleted_add (MtDeleted **at, const MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
void mt_coll_apply_gone (MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* In this step, or before. */
bool mt_coll_is_gone (const MtStoreBlock *b, uint32_t ordinal);

/* ---- range.c ---- */

MtBlockRange mt_range_keep (MtArena *a,
                            MtBlockRange r); /* bounds copied and cut to MT_STORE_RANGE_BYTES */
void mt_range_widen (MtBlockRange *r, bool *any, MtVal v);

/* ---- coll.c ---- */

MtColl *mt_coll_new (MtStore *s, uint64_t id, const char *name, size_t name_len);
void mt_coll_unref (MtColl *c);
MtColl *mt_store_coll (MtStore *s, const char *name); /* NULL: there is none */
MtColl *mt_store_coll_by_id (MtStore *s, uint64_t id);
void mt_store_forget (MtStore *s, MtColl *c);
void mt_store_keep (MtStore *s, MtColl *c);
MtStoreBlock *mt_coll_add_block (MtColl *c, uint32_t serial, uint64_t offset, uint32_t data_at,
                                 uint32_t size, uint32_t documents);
bool mt_coll_merge (MtColl *c, size_t first, size_t count, size_t with);
bool mt_coll_append (MtColl *c, const uint8_t *doc, size_t len, MtError *err);
bool mt_coll_flush (MtColl *c, MtError *err); /* writes the block being filled */
void mt_coll_rollback (
   MtColl *c, bool keep_file); /* keep_file: what was appended may turn out to be committed */
void mt_coll_committed (MtColl *c);
/* Appends the living documents of a block of `from`, which may be c itself. */
bool mt_coll_copy_living (MtColl *c, const MtColl *from, const MtStoreBlock *b, MtError *err);
bool mt_coll_compact (MtColl *c, MtError *err); /* merges runs of small blocks */
/* Sources see what the step did so far; the block being filled was flushed. */
void mt_coll_see (MtColl *c);
/* Back to where the step stood at a mark. */
void mt_coll_return (MtColl *c, const MtMarkColl *m);

/* ---- keys.c ---- */

void mt_keys_free (MtColl *c);

/* ---- index.c ---- */

/* Finds a living document by _id; *serial = UINT32_MAX when there is none. */
bool mt_index_find (MtColl *c, MtVal id, MtIdEntry *found, const uint8_t **doc, size_t *len,
                    MtError *err);
void mt_index_added (MtColl *c, MtVal id, uint32_t serial, uint32_t offset, uint32_t ordinal);
void mt_index_moved (MtColl *c, const MtIdEntry *old, uint32_t serial, uint32_t offset,
                     uint32_t ordinal);
void mt_index_drop (MtColl *c);
void mt_index_flushed (MtColl *c); /* the block that was being filled is among the others; where the
                                      step wrote many, what is in memory goes to disk */
void mt_index_reshaped (MtColl *c); /* blocks were taken away, or put in the place of others */

#endif
