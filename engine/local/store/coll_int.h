/* The collections of a store: their data files (segments), the blocks of documents in these files,
 * and the index of _ids. */
#ifndef MT_COLL_INT_H
#define MT_COLL_INT_H

#include "engine/local/store/store_int.h"

/* ---- segment.c ---- */

/* Opens the collection's segment file. With `writing`, opens it for writing and truncates it to its
 * committed length, at the first call of each step (begin to commit). */
bool mt_coll_open (MtColl *c, bool writing, MtError *err);
/* Maps the segment file into memory, at least up to offset `upto`. Does nothing if `upto` is 0.
 * Fails with XX001 if the file is shorter. */
bool mt_coll_map (MtColl *c, uint64_t upto, MtError *err);
/* Closes the file descriptor of the collection's segment file if the store has so many collections
 * that descriptors could run out. Keeps it open while the open step (begin to commit) writes to
 * this collection. */
void mt_coll_spare_fd (MtColl *c);

/* ---- block.c: deleted documents ---- */

void mt_deleted_unref (MtDeleted *d);
/* Marks document number `ordinal`, which has `bytes` bytes, as deleted in the bitmap *at of block
 * b. Creates the bitmap if *at is NULL, and copies the bitmap if a snapshot shares it. */
void mt_deleted_add (MtDeleted **at, const MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* Marks document number `ordinal` of the block (`bytes` bytes) as deleted by a committed step. */
void mt_coll_apply_gone (MtStoreBlock *b, uint32_t ordinal, uint32_t bytes);
/* Returns whether document number `ordinal` of the block is deleted, be it by a commit or by the
 * open step. */
bool mt_coll_is_gone (const MtStoreBlock *b, uint32_t ordinal);

/* ---- coll.c: small blocks in the log ---- */

/* Adds a small block at the end of the collection, whose documents are in the log and not in the
 * segment file. Copies the documents. */
MtStoreBlock *mt_coll_add_logged (MtColl *c, const uint8_t *data, uint32_t size,
                                  uint32_t documents);
/* Joins `count` blocks of the log, from index `first` on, into one block without their deleted
 * documents. Returns false if these are not blocks of the log. A reader of the log makes the same
 * call again, so the log needn't repeat the documents. */
bool mt_coll_join (MtColl *c, size_t first, size_t count, MtError *err);
MtLogged *mt_logged_hold (MtLogged *l); /* NULL is allowed */
void mt_logged_unref (MtLogged *l);     /* NULL is allowed */

/* Returns the address of the block's first document. If the block is in the segment file, that part
 * must be mapped (mt_coll_map). */
static inline const uint8_t *mt_coll_data (const MtColl *c, const MtStoreBlock *b)
{
   return b->logged ? b->logged->bytes : c->map->base + b->offset + b->data_at;
}

/* ---- range.c ---- */

/* Returns a copy of a block's value range (least and greatest value of a field) with its bytes in
 * the arena. Values longer than MT_STORE_RANGE_BYTES are shortened. */
MtBlockRange mt_range_keep (MtArena *a, MtBlockRange r);
/* Widens the value range *r so that it includes v. If *any is false, v is the first value, and *any
 * is set. */
void mt_range_widen (MtBlockRange *r, bool *any, MtVal v);

/* ---- measure.c ---- */

/* Adds a document in the buffer to the value ranges of the block that is being filled. Returns the
 * document's _id. 8 bytes behind the document must be readable. */
MtVal mt_builder_take (MtColl *c, const uint8_t *doc, size_t len);
/* Clears the value ranges of measures, and the guesses where a document has them, for the next
 * block. NULL is allowed. */
void mt_measuring_reset (MtMeasuring *m);
/* Stores the value ranges of the measures, collected while the buffer was filled, in the finished
 * block `k`. */
void mt_builder_measures (MtColl *c, MtStoreBlock *k);
/* Stores n bytes of encoded value ranges in the block, as a copy in the collection's arena. */
void mt_block_keep_measures (MtColl *c, MtStoreBlock *b, const void *entries, uint32_t n);
/* Finds the value range of a field in n bytes of encoded ranges. Returns false if the field has
 * none, or if the bytes are damaged. */
bool mt_measure_parts (const uint8_t *entries, uint32_t n, const char *field, MtRangeParts *out);

/* ---- coll.c ---- */

/* Creates the struct of a collection, without a file. The caller gets one reference. */
MtColl *mt_coll_new (MtStore *s, uint64_t id, const char *name, size_t name_len);
/* Releases a reference to the collection. The last release frees the collection. */
void mt_coll_unref (MtColl *c);
/* Returns the store's collection with this name, or this id; NULL if there is none. */
MtColl *mt_store_coll (MtStore *s, const char *name);
MtColl *mt_store_coll_by_id (MtStore *s, uint64_t id);
/* Removes a collection from the store's list, without freeing it. */
void mt_store_forget (MtStore *s, MtColl *c);
/* Adds a collection to the store's list. */
void mt_store_keep (MtStore *s, MtColl *c);
/* Adds the block with header `h` at `offset` of the segment file to the end of the collection's
 * list. */
MtStoreBlock *mt_coll_add_block (MtColl *c, uint64_t offset, const MtBlockHead *h);
/* Removes `count` blocks from index `first` on, and puts the last `with` blocks of the list in
 * their place. The removed blocks are kept for a rollback. Returns false if the list has no such
 * blocks. */
bool mt_coll_merge (MtColl *c, size_t first, size_t count, size_t with);
/* Appends a valid document to the block in the buffer. Writes the block first if it is full. */
bool mt_coll_append (MtColl *c, const uint8_t *doc, size_t len, MtError *err);
/* Writes the block whose columns are being made (c->making), if there is one. Until then its bytes
 * can't be read. */
bool mt_coll_settle (MtColl *c, MtError *err);
/* Writes the unfinished block in the buffer to the segment file, or to the step's log record if the
 * block is small. */
bool mt_coll_flush (MtColl *c, MtError *err);
/* Undoes the changes of the collection by the open step (an uncommitted batch). With `keep_file`,
 * the bytes appended to the file stay, because it is unknown whether the commit succeeded. */
void mt_coll_rollback (MtColl *c, bool keep_file);
/* Called after the commit: the changes of the collection by the open step (an uncommitted batch)
 * can no longer be rolled back. */
void mt_coll_committed (MtColl *c);
/* Appends those documents of block `b` of the collection `from` to c that are not deleted. `from`
 * may be c. */
bool mt_coll_copy_living (MtColl *c, const MtColl *from, const MtStoreBlock *b, MtError *err);
/* Merges small blocks at the end of the collection into larger ones, if there are many. */
bool mt_coll_compact (MtColl *c, MtError *err);
/* Copies the living documents of blocks behind all blocks, into the segment, and removes the
 * blocks: those from index `from` up to `end` that lie in the log, or also those in the segment. */
bool mt_coll_move (MtColl *c, size_t from, size_t end, bool stored_too, MtError *err);
/* Moves the blocks of the log at the end of a session that made many small commits. Ignores
 * failures. */
void mt_store_pack_log (MtStore *s);
/* Moves all blocks of the log to the segment. */
bool mt_coll_move_logged (MtColl *c, MtError *err);
/* Makes the writes of the open step (an uncommitted batch) visible to readers that start from now
 * on. Call mt_coll_flush before. */
void mt_coll_see (MtColl *c);
/* Undoes the changes of the collection that the open step (an uncommitted batch) made after the
 * savepoint `m`. */
void mt_coll_return (MtColl *c, const MtMarkColl *m);

/* ---- keys.c: finders ---- */

/* Returns the finder of a field (a look-up structure, see MtFinder) in a block's list, or NULL. */
MtFinder *mt_finder_of (_Atomic (MtFinder *) *list, uint32_t field);
/* Adds the finder f, allocated by mt_calloc, to a block's list. The collection owns f. Thread-safe:
 * if two threads add a finder for the same field, both stay in the list. */
void mt_finder_add (MtColl *c, _Atomic (MtFinder *) *list, MtFinder *f);
void mt_finders_free (MtColl *c);

/* ---- index.c ---- */

/* Finds the document with this _id. found->doc is NULL if there is none, or if it is deleted. */
bool mt_index_find (MtColl *c, MtVal id, MtFoundDoc *found, MtError *err);
/* Adds the _id of a new document to the index in memory: serial is the number of its block, offset
 * and ordinal are its place in the block. */
void mt_index_added (MtColl *c, MtVal id, uint32_t serial, uint32_t offset, uint32_t ordinal);
/* Changes the entry `old` of the index in memory to a new place, because the document was
 * replaced. */
void mt_index_moved (MtColl *c, const MtIdEntry *old, uint32_t serial, uint32_t offset,
                     uint32_t ordinal);
/* Frees the index of _ids in memory. The next search by _id builds it again. */
void mt_index_drop (MtColl *c);
/* Updates the index of _ids after mt_coll_flush wrote blocks. If the open step (an uncommitted
 * batch) wrote many documents, moves their _ids to a file. */
void mt_index_flushed (MtColl *c);
/* Updates the index of _ids after blocks were removed or replaced. */
void mt_index_reshaped (MtColl *c);

#endif
