/* Collections of a store: segment files, blocks, and the index of _ids in memory. */
#ifndef MT_COLL_INT_H
#define MT_COLL_INT_H

#include "engine/local/store/store_int.h"

/* ---- segment.c ---- */

/* Opens the segment file. writing: also cuts it to the committed length, once in a step. */
bool mt_coll_open (MtColl *c, bool writing, MtError *err);
/* Maps the segment file at least up to this offset. XX001 if the file is shorter. */
bool mt_coll_map (MtColl *c, uint64_t upto, MtError *err);
/* Closes the file if the store has many collections and the step does not write to this one. */
void mt_coll_spare_fd (MtColl *c);

/* ---- block.c: deleted documents ---- */

void mt_deleted_unref (MtDeleted *d);
/* Adds a document of `bytes` bytes to the block's deletions *at, which is created or copied if
 * needed. */
void mt_deleted_add (MtDeleted **at, const MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* Adds a committed deletion. */
void mt_coll_apply_gone (MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* Returns whether the document was deleted, in this step or before. */
bool mt_coll_is_gone (const MtStoreBlock *b, uint32_t ordinal);

/* ---- range.c ---- */

/* Copies the bounds into the arena, cut to MT_STORE_RANGE_BYTES. */
MtBlockRange mt_range_keep (MtArena *a, MtBlockRange r);
/* Widens a range to a further value. *any: there was a value before. */
void mt_range_widen (MtBlockRange *r, bool *any, MtVal v);

/* ---- coll.c ---- */

/* Creates a collection in memory. */
MtColl *mt_coll_new (MtStore *s, uint64_t id, const char *name, size_t name_len);
/* Drops a reference. The last one frees the collection. */
void mt_coll_unref (MtColl *c);
/* Returns the collection of this name, or NULL. */
MtColl *mt_store_coll (MtStore *s, const char *name);
MtColl *mt_store_coll_by_id (MtStore *s, uint64_t id);
/* Removes a collection from the store's list. */
void mt_store_forget (MtStore *s, MtColl *c);
/* Adds a collection to the store's list. */
void mt_store_keep (MtStore *s, MtColl *c);
/* Adds a block at the end. The arguments are its header's. */
MtStoreBlock *mt_coll_add_block (MtColl *c, uint32_t serial, uint64_t offset, uint32_t data_at,
                                 uint32_t size, uint32_t documents);
/* Replaces `count` blocks from `first` on by the last `with` blocks. Keeps the old ones for a
 * rollback. Returns false if there are no such blocks. */
bool mt_coll_merge (MtColl *c, size_t first, size_t count, size_t with);
/* Appends a checked document to the block being filled. */
bool mt_coll_append (MtColl *c, const uint8_t *doc, size_t len, MtError *err);
/* Writes the block that is being filled. */
bool mt_coll_flush (MtColl *c, MtError *err);
/* Undoes the step. keep_file: the appended bytes stay, since the commit may turn out to be done. */
void mt_coll_rollback (MtColl *c, bool keep_file);
/* Ends a committed step. */
void mt_coll_committed (MtColl *c);
/* Appends the living documents of a block of `from`. `from` may be c itself. */
bool mt_coll_copy_living (MtColl *c, const MtColl *from, const MtStoreBlock *b, MtError *err);
/* Merges runs of small blocks. */
bool mt_coll_compact (MtColl *c, MtError *err);
/* Lets sources see the step so far. The block being filled must be flushed before. */
void mt_coll_see (MtColl *c);
/* Returns to the state of a mark. */
void mt_coll_return (MtColl *c, const MtMarkColl *m);

/* ---- keys.c ---- */

/* Frees the keys of all blocks in memory. */
void mt_keys_free (MtColl *c);

/* ---- index.c ---- */

/* Finds a living document by _id. found->doc is NULL if there is none. */
bool mt_index_find (MtColl *c, MtVal id, MtFoundDoc *found, MtError *err);
/* Adds the _id of a new document. */
void mt_index_added (MtColl *c, MtVal id, uint32_t serial, uint32_t offset, uint32_t ordinal);
/* Changes the place of an _id whose document was replaced. */
void mt_index_moved (MtColl *c, const MtIdEntry *old, uint32_t serial, uint32_t offset,
                     uint32_t ordinal);
/* Frees the index; the next find builds it again. */
void mt_index_drop (MtColl *c);
/* Takes notice of a flushed block. If the step wrote many documents, moves their _ids to disk. */
void mt_index_flushed (MtColl *c);
/* Takes notice of blocks that were removed or replaced. */
void mt_index_reshaped (MtColl *c);

#endif
