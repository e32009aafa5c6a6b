/* Stored documents for the local executor. A collection is cut into blocks; a block holds documents
 * end to end.
 *
 * The embedded store (store.c) and read-only files (files.c) both provide this interface. Bytes are
 * mapped, not copied, except documents that are rebuilt from columns. A reader verifies the checksum
 * of a page when it first reads the page. So a query that stops high in a document's tree neither
 * reads nor verifies the bytes below. */
#ifndef MT_STORE_H
#define MT_STORE_H

#include "engine/engine.h"
#include "engine/local/documents/rebuild.h"

typedef struct MtBlock {
   const uint8_t *data; /* documents end to end; known once a reader reads the block */
   size_t size;
   /* Bytes that stay mapped as long as the source: the documents, if they are stored, and the
    * columns. Documents that are rebuilt stay until the reader's next block. */
   const uint8_t *lasting;
   size_t lasting_bytes;
   bool columns; /* the block has columns */
   uint32_t documents;
   uint32_t deleted; /* if not 0, check each document with mt_block_is_deleted */
   const void *impl; /* private to the source */
} MtBlock;

/* A snapshot of the committed state of one collection. Several threads may use it at once. */
typedef struct MtSource MtSource;

/* Returns the number of blocks. */
size_t mt_source_blocks (const MtSource *s);
/* Gets the block number `index`. The block's bytes are borrowed, and not verified yet. */
void mt_source_block (const MtSource *s, size_t index, MtBlock *out);
/* Gets the number of documents in the source, and their size in bytes. */
void mt_source_stats (const MtSource *s, MtCollStats *out);
void mt_source_free (MtSource *s);
/* Checks that no mapped file has lost bytes since the source was opened. After a failure (XX001
 * or 58030), values that were read from the source may be wrong. */
bool mt_source_check (const MtSource *s, MtError *err);
/* Does what mt_source_check does, and also checks the sizes of the files. Call mt_source_whole
 * before results are returned to the client. */
bool mt_source_whole (const MtSource *s, MtError *err);
/* Returns whether document number `ordinal` of the block is deleted. */
bool mt_block_is_deleted (const MtBlock *b, uint32_t ordinal);

/* Gets the range of a top-level field's values over a block. Every value v of the block has *min
 * <= v <= *max in MongoDB's order; the bounds may be too wide. Returns false if the store has no
 * range for this field. */
bool mt_block_range (const MtSource *s, size_t index, const char *field, MtVal *min, MtVal *max);

/* The range of a top-level field over a block, in three parts: whether there are null or missing
 * values, whether there is NaN, and the bounds of all other values. */
typedef struct MtRangeParts {
   bool nulls, nans;
   MtVal least, greatest;
} MtRangeParts;
/* Gets the parts of a field's range over a block. Returns false if the store has only the range, or
 * nothing, or if there are no other values. */
bool mt_block_parts (const MtSource *s, size_t index, const char *field, MtRangeParts *out);

/* The place of a document in a block. */
typedef struct MtHit {
   uint32_t offset, ordinal;
} MtHit;
#define MT_BLOCK_HITS 256

/* A look-up finds the documents whose top-level field may equal one of the given values. The
 * store must keep ranges (bounds for each block) of the field. The values must not be NULL,
 * arrays, documents or patterns. The look-up borrows `field` and `values`. Free the look-up
 * before its source. Several threads may use one look-up at once. */
typedef struct MtLookup MtLookup;
/* Creates a look-up of the given values of `field`. The caller frees the look-up. */
MtLookup *mt_lookup_new (const MtSource *s, const char *field, const MtVal *values, size_t count);
void mt_lookup_free (MtLookup *l);
/* Checks that the key files of the look-up have not lost bytes (XX001 or 58030 if they have).
 * Returns true if `l` is NULL. */
bool mt_lookup_whole (const MtLookup *l, MtError *err);
/* Returns true if the block certainly has no document with one of the look-up's values. Does not
 * read the file. */
bool mt_lookup_none (const MtLookup *l, size_t block);
/* Gets the places of the documents that the look-up finds in a block, in ascending order.
 * Returns false if the places are unknown, or if there are more than MT_BLOCK_HITS. */
bool mt_lookup_block (const MtLookup *l, size_t block, MtHit *hits, size_t *found);
/* Sums the sizes of the blocks for which mt_lookup_block returns false, to decide whether
 * several threads are worthwhile. Stops when the sum reaches `enough`. Also returns `enough` if
 * the look-up has very many places. */
uint64_t mt_lookup_unknown (const MtLookup *l, uint64_t enough);

/* A condition that a field's values are dates (MT_DATE) or integers (MT_INT64) from `low` to
 * `high`. Borrows the field's name. */
typedef struct MtFieldSpan {
   const char *field;
   uint8_t type;
   int64_t low, high;
} MtFieldSpan;

/* The documents of a block whose bytes are from `from` to `to`. The first one has this number. */
typedef struct MtBlockPart {
   uint32_t from, to, ordinal;
} MtBlockPart;

/* Finds a part of the block with all documents that fulfil the condition. Returns false if the
 * whole block must be read: the field is not indexed, the documents do not ascend in it, or this is
 * the first request for the block. */
bool mt_block_part (const MtSource *s, size_t index, const MtFieldSpan *span, MtBlockPart *out);

/* ---- a reader steps over a block's bytes ---- */

/* Reads a block. Call mt_need before each access to the block's bytes. mt_need checks that the
 * access lies within the block, and verifies the checksums of the pages. The bytes [lo, lo +
 * span) are already verified. Each thread has its own reader. */
typedef struct MtReader {
   const uint8_t *lo;
   size_t span;
   const MtSource *source;
   MtBlock block;
   MtRebuilt *rebuilt; /* owned; the documents of a block that is kept as columns; NULL: none yet */
   MtError *err;
} MtReader;

/* Starts reading block number `block_index`. *r is zeroed before its first block, and keeps memory
 * from block to block. Fails with XX001 if the block is damaged, and with 53200. */
bool mt_reader_init (MtReader *r, const MtSource *s, size_t block_index, MtError *err);
/* Frees the reader's memory. */
void mt_reader_end (MtReader *r);

/* Verifies at least the bytes [p, p+n), where n > 0. Fails with XX001 if the bytes lie outside
 * the block or a checksum is wrong. The message names the collection and the offset. */
bool mt_need_slow (MtReader *r, const uint8_t *p, size_t n);

static inline bool mt_need (MtReader *r, const uint8_t *p, size_t n)
{
   size_t off = (size_t) (p - r->lo);
   if (__builtin_expect (p >= r->lo && off <= r->span && n <= r->span - off, 1))
      return true;
   return mt_need_slow (r, p, n);
}

/* Returns the level of the documents in the reader's block. */
static inline MtColumnLevel mt_reader_level (const MtReader *r)
{
   return (MtColumnLevel) {0, r->block.documents};
}
/* Gets the column of a field of a level in the reader's block; that of documents is read before
 * others. *has: the block has this column. Fails with XX001 if it is damaged. */
bool mt_reader_column (const MtReader *r, MtColumnLevel level, const char *field,
                       MtStoredColumn *out, bool *has);

/* ---- the writable store ---- */

typedef struct MtStore MtStore;

/* Opens the embedded store in the folder `path`. `create`: creates the store if there is none.
 * `path` NULL: creates a temporary store, which is removed on close. Only one process can write
 * at a time. A step (a batch of writes) takes the writer's lock at its begin and holds the lock
 * until commit. The step fails with 55P03 if another process holds the lock. Errors: 58030,
 * XX001 (damaged manifest), 53100 (disk full), 0A000 (made by a newer version). */
bool mt_store_open (const char *path, bool create, bool read_only, MtStore **out, MtError *err);
/* Opens a store that does not exist. The first write creates it. 58030: its folder can't be made. */
bool mt_store_open_absent (const char *path, MtStore **out, MtError *err);
void mt_store_close (MtStore *s);
/* Returns whether the folder looks like a store. */
bool mt_store_detect (const char *path);
/* Returns true if the store was opened read-only by request, if its files cannot be written, or
 * if the last commit is damaged. */
bool mt_store_is_read_only (const MtStore *s);
/* Returns a warning if the store could be opened although it is damaged, else NULL. The warning
 * is borrowed from the store. */
const MtError *mt_store_warning (const MtStore *s);
/* Sets the flag that cancels the building of indexes. The flag is borrowed. NULL: no flag. */
void mt_store_set_cancel (MtStore *s, const MtCancel *cancel);
/* Sets how many milliseconds the store waits for the writer's lock. 0: the store does not wait. */
void mt_store_set_lock_timeout (MtStore *s, int64_t ms);

/* Takes a snapshot of a collection. An unknown collection is empty. */
bool mt_store_source (MtStore *s, const char *collection, MtSource **out, MtError *err);
/* mt_store_source in two functions, so that several collections can have snapshots of the same
 * moment. mt_store_refresh reads the commits of other processes. mt_store_source_seen then takes
 * a snapshot of a collection without reading newer commits. */
bool mt_store_refresh (MtStore *s, MtError *err);
bool mt_store_source_seen (MtStore *s, const char *collection, MtSource **out, MtError *err);
/* Lists the names of the store's collections, in alphabetical order. The list is allocated in
 * `a`. */
bool mt_store_collections (MtStore *s, MtArena *a, const char ***names, size_t *count,
                           MtError *err);
/* Begins a step (a batch of writes): takes the writer's lock, then reads the commits of other
 * processes. */
bool mt_store_begin (MtStore *s, MtError *err);
/* Ends the open step and makes its writes durable. On failure the writes are undone, except after a
 * failed sync: then it is unknown whether they are durable, and nothing more can be written. */
bool mt_store_commit (MtStore *s, MtError *err);
/* Undoes and ends the open step. Does nothing if no step is open. */
void mt_store_rollback (MtStore *s);
/* Makes the writes of the open step visible to new sources. mt_store_find sees the writes
 * without this call. */
bool mt_store_see (MtStore *s, MtError *err);
/* Sets a mark (a savepoint) in the open step. Marks are numbered from 1. mt_store_return undoes
 * the writes after the mark and removes later marks. Free the sources taken after the mark
 * before you call mt_store_return. mt_store_unmark removes a mark and the marks after it. */
bool mt_store_mark (MtStore *s, size_t *mark, MtError *err);
void mt_store_return (MtStore *s, size_t mark);
void mt_store_unmark (MtStore *s, size_t mark);
/* Freezes or unfreezes the store. While the store is frozen, sources show the state at the time
 * of freezing, even after other commits. A step that begins while the store is frozen fails with
 * 40001 if another process has committed. Reading fails with 72000 if another process has
 * removed the files. */
bool mt_store_freeze (MtStore *s, bool freeze, MtError *err);
/* Creates a collection, within an open step. Fails with 42P07 if the collection exists. */
bool mt_store_create (MtStore *s, const char *collection, MtError *err);
/* Drops a collection, within an open step. Does nothing if the collection does not exist. */
bool mt_store_drop (MtStore *s, const char *collection, MtError *err);
/* Adds a document, and creates its collection if needed. `check_id`: fails with 23505 if a
 * document with this _id exists. Fails with 54000 if the document is too large or too deep. */
bool mt_store_insert (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                      bool check_id, MtError *err);
/* Replaces the stored document that has the same _id as `doc`. Adds `doc` if there is none. */
bool mt_store_replace (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                       MtError *err);
/* Adds `amounts` to numbers in the document with this _id, as mt_engine_increment describes.
 * Fails with 42804 if a field is not a number. */
bool mt_store_increment (MtStore *s, const char *collection, MtVal id, const bson_t *amounts,
                         const bson_t *first, MtError *err);
/* Returns how many documents mt_store_increment has created in the open step. */
uint64_t mt_store_made (const MtStore *s);
/* Returns whether mt_store_increment made all writes of the open step so far. */
bool mt_store_only_increments (const MtStore *s);
/* Sets how long a commit may wait before it becomes durable. 0: it does not wait. A crash of the
 * machine loses at most the commits that still wait; a killed process loses none. */
void mt_store_set_delay (MtStore *s, int64_t ms);
/* Packs collections at the commit of the open step: folds their increments, and writes their
 * documents as one load would have written them. Then the commit also writes the manifest anew.
 * Skips collections that don't exist. */
bool mt_store_pack (MtStore *s, const char *const *collections, size_t count, MtError *err);
/* Makes the commits that still wait durable. */
bool mt_store_sync (MtStore *s, MtError *err);
/* Copies the document with this _id into the arena. *doc is missing if there is none. */
bool mt_store_find (MtStore *s, const char *collection, MtVal id, MtArena *a, MtVal *doc,
                    MtError *err);
/* Deletes the document with this _id. *deleted is set to whether the document existed. */
bool mt_store_delete (MtStore *s, const char *collection, MtVal id, bool *deleted, MtError *err);
/* Indexes top-level fields: the store keeps the bounds of their values for each block. Reads the
 * existing blocks to compute their bounds. */
bool mt_store_index (MtStore *s, const char *collection, const char *const *fields, size_t count,
                     MtError *err);
/* Returns the size in bytes of the collection's segment file (the file of its documents). */
uint64_t mt_store_disk_bytes (MtStore *s, const char *collection);

#endif
