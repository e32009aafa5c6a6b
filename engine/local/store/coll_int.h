/* The collections of a store: their files of documents (segments), the blocks in these files,
 * and the table of _ids in memory. */
#ifndef MT_COLL_INT_H
#define MT_COLL_INT_H

#include "engine/local/store/store_int.h"

/* ---- segment.c ---- */

/* Opens the collection's segment file. `writing`: also truncates the file to its committed
 * length, once in each step. */
bool mt_coll_open (MtColl *c, bool writing, MtError *err);
/* Maps the segment file up to offset `upto` or further. 0: nothing needs to be mapped. Fails with
 * XX001 if the file is shorter. */
bool mt_coll_map (MtColl *c, uint64_t upto, MtError *err);
/* Closes the file descriptor of the collection's segment file if the store has many collections, so
 * that they don't need too many descriptors. Keeps it open while the engine's step (begin … commit)
 * writes to this collection. */
void mt_coll_spare_fd (MtColl *c);

/* ---- block.c: deleted documents ---- */

void mt_deleted_unref (MtDeleted *d);
/* Adds a deleted document of `bytes` bytes to the bitmap *at. Creates the bitmap if *at is NULL,
 * and copies the bitmap if a snapshot uses it. */
void mt_deleted_add (MtDeleted **at, const MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* Records in the block that the deletion of document number `ordinal` is committed. */
void mt_coll_apply_gone (MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* Returns whether document number `ordinal` of the block was deleted, in the open step or
 * before. */
bool mt_coll_is_gone (const MtStoreBlock *b, uint32_t ordinal);

/* ---- coll.c: small blocks in the log ---- */

/* Adds a small block at the end of the collection, with a copy of its documents. */
MtStoreBlock *mt_coll_add_logged (MtColl *c, const uint8_t *data, uint32_t size,
                                  uint32_t documents);
/* Replaces `count` blocks of the log from index `first` on by one with their living documents. The
 * log repeats this by itself, and needs no copy of the documents. Returns false if the collection
 * has no such blocks. */
bool mt_coll_join (MtColl *c, size_t first, size_t count, MtError *err);
MtLogged *mt_logged_hold (MtLogged *l); /* NULL is allowed */
void mt_logged_unref (MtLogged *l);     /* NULL is allowed */

/* Returns the documents of a block. A block of the segment must be mapped. */
static inline const uint8_t *mt_coll_data (const MtColl *c, const MtStoreBlock *b)
{
   return b->logged ? b->logged->bytes : c->map->base + b->offset + b->data_at;
}

/* ---- range.c ---- */

/* Copies a block's bounds into the arena. Shortens long bounds to MT_STORE_RANGE_BYTES. */
MtBlockRange mt_range_keep (MtArena *a, MtBlockRange r);
/* Widens the bounds *r so that they include `v`. *any is false before the first value, and is
 * set to true. */
void mt_range_widen (MtBlockRange *r, bool *any, MtVal v);

/* ---- measure.c ---- */

/* Widens the ranges of the block that is being filled by a document of its buffer. The buffer has
 * room for 8 bytes behind the document. Returns the document's _id. */
MtVal mt_builder_take (MtColl *c, const uint8_t *doc, size_t len);
/* Forgets the ranges and guesses, for the next block. NULL is allowed. */
void mt_measuring_reset (MtMeasuring *m);
/* Gives the finished block `k` the ranges of the measures in the buffer. */
void mt_builder_measures (MtColl *c, MtStoreBlock *k);
/* Copies `n` bytes of entries into the collection's arena, for the block. */
void mt_block_keep_measures (MtColl *c, MtStoreBlock *b, const void *entries, uint32_t n);
/* Gets the range of a field from entries. Returns false if there is none, or if they are
 * damaged. */
bool mt_measure_parts (const uint8_t *entries, uint32_t n, const char *field, MtRangeParts *out);

/* ---- coll.c ---- */

/* Creates a collection in memory only, with one reference. */
MtColl *mt_coll_new (MtStore *s, uint64_t id, const char *name, size_t name_len);
/* Releases a reference to the collection. The last release frees the collection. */
void mt_coll_unref (MtColl *c);
/* Returns the collection of this name, or NULL. */
MtColl *mt_store_coll (MtStore *s, const char *name);
MtColl *mt_store_coll_by_id (MtStore *s, uint64_t id);
/* Removes a collection from the store's list. */
void mt_store_forget (MtStore *s, MtColl *c);
/* Adds a collection to the store's list. */
void mt_store_keep (MtStore *s, MtColl *c);
/* Adds the block at this offset of the file at the end of the collection. */
MtStoreBlock *mt_coll_add_block (MtColl *c, uint64_t offset, const MtBlockHead *h);
/* Replaces `count` blocks from index `first` on by the last `with` blocks. Keeps the replaced
 * blocks for a rollback. Returns false if the collection has no such blocks. */
bool mt_coll_merge (MtColl *c, size_t first, size_t count, size_t with);
/* Appends a checked document to the last block, which is still in memory. Writes the block when
 * it is full. */
bool mt_coll_append (MtColl *c, const uint8_t *doc, size_t len, MtError *err);
/* Writes the last, unfinished block of the collection to the file, or to the step's record if it is
 * small. */
bool mt_coll_flush (MtColl *c, MtError *err);
/* Undoes the open step's changes of the collection. `keep_file`: does not remove the appended
 * bytes, because it is unknown whether the commit succeeded. */
void mt_coll_rollback (MtColl *c, bool keep_file);
/* Makes the open step's changes of the collection final, after the commit. */
void mt_coll_committed (MtColl *c);
/* Appends the documents of block `b` of the collection `from` that are not deleted. `from` and
 * `c` may be the same collection. */
bool mt_coll_copy_living (MtColl *c, const MtColl *from, const MtStoreBlock *b, MtError *err);
/* Merges small blocks at the end of the collection, if there are many. */
bool mt_coll_compact (MtColl *c, MtError *err);
/* Copies the living documents of blocks behind all blocks, into the segment, and removes the blocks:
 * those from index `from` up to `end` that lie in the log, or also those in the segment. */
bool mt_coll_move (MtColl *c, size_t from, size_t end, bool stored_too, MtError *err);
/* Moves the blocks of the log at the end of a session that made many small commits. Ignores
 * failures. */
void mt_store_pack_log (MtStore *s);
/* Moves all blocks of the log to the segment. */
bool mt_coll_move_logged (MtColl *c, MtError *err);
/* Makes the open step's writes visible to new sources. Call mt_coll_flush before. */
void mt_coll_see (MtColl *c);
/* Undoes the changes of the collection that the open step made after the mark (a savepoint). */
void mt_coll_return (MtColl *c, const MtMarkColl *m);

/* ---- keys.c: finders ---- */

/* Returns the finder of a field in a block's list, or NULL. */
MtFinder *mt_finder_of (_Atomic (MtFinder *) *list, uint32_t field);
/* Adds a finder, made by mt_calloc, to a block's list. The collection owns it. Another thread may
 * have added the same one meanwhile: both are correct and are kept. */
void mt_finder_add (MtColl *c, _Atomic (MtFinder *) *list, MtFinder *f);
void mt_finders_free (MtColl *c);

/* ---- index.c ---- */

/* Finds the document with this _id. found->doc is NULL if there is none, or if the document is
 * deleted. */
bool mt_index_find (MtColl *c, MtVal id, MtFoundDoc *found, MtError *err);
/* Adds the _id of a new document to the table of _ids in memory. */
void mt_index_added (MtColl *c, MtVal id, uint32_t serial, uint32_t offset, uint32_t ordinal);
/* Changes the place that the table of _ids has for an _id, after the document was replaced. */
void mt_index_moved (MtColl *c, const MtIdEntry *old, uint32_t serial, uint32_t offset,
                     uint32_t ordinal);
/* Frees the table of _ids in memory. The next search by _id builds the table again. */
void mt_index_drop (MtColl *c);
/* Updates the table of _ids after mt_coll_flush. If the step wrote many documents, moves their
 * _ids to disk. */
void mt_index_flushed (MtColl *c);
/* Updates the table of _ids after blocks were removed or replaced. */
void mt_index_reshaped (MtColl *c);

#endif
