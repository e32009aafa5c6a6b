/* Stored documents for the local executor. A collection is divided into blocks; a block has
 * documents end to end.
 *
 * The embedded store (store.c) and read-only files (files.c) both provide this interface. Bytes are
 * mapped, not copied, except documents that are rebuilt from columns. A page's checksum is verified
 * when a reader first reads the page. So a query that needs only the beginning of large documents
 * neither reads nor verifies the rest. */
#ifndef MT_STORE_H
#define MT_STORE_H

#include "engine/engine.h"
#include "engine/local/documents/rebuild.h"

typedef struct MtBlock {
   const uint8_t *data; /* documents end to end; known once a reader reads the block */
   size_t size;
   /* Bytes that stay mapped as long as the source: the documents, if the block stores them, and the
    * columns. Documents rebuilt from columns are valid only until the reader's next block. */
   const uint8_t *lasting;
   size_t lasting_bytes;
   bool columns; /* the block has columns */
   uint32_t documents;
   uint32_t deleted; /* if not 0, check each document with mt_block_is_deleted */
   const void *impl; /* private to the source */
} MtBlock;

/* A snapshot of the committed state of one collection. Thread-safe. */
typedef struct MtSource MtSource;

/* Returns the number of blocks. */
size_t mt_source_blocks (const MtSource *s);
/* Sets *out to block number `index`. Its bytes are borrowed, and not verified yet (see
 * MtReader). */
void mt_source_block (const MtSource *s, size_t index, MtBlock *out);
/* Sets *out to the number of documents in the source and their total size in bytes. */
void mt_source_stats (const MtSource *s, MtCollStats *out);
void mt_source_free (MtSource *s);
/* Checks that no file has been truncated since it was mapped. On failure (XX001 or 58030) values
 * that were read from the source may be wrong. */
bool mt_source_check (const MtSource *s, MtError *err);
/* Like mt_source_check, but also asks the system for the sizes of the files. Call it before results
 * are returned to the client. */
bool mt_source_whole (const MtSource *s, MtError *err);
/* Returns whether document number `ordinal` of the block is deleted. */
bool mt_block_is_deleted (const MtBlock *b, uint32_t ordinal);

/* Sets *min and *max to the range of a top-level field over a block: every value v has *min <= v <=
 * *max in MongoDB's sort order. The range may be too wide. Returns false if the store has no range
 * for this field. */
bool mt_block_range (const MtSource *s, size_t index, const char *field, MtVal *min, MtVal *max);

/* Sets *out to the range of a top-level field over a block with null and NaN kept apart. Returns
 * false if the store has only the plain range or none, or if all values are null or NaN. */
bool mt_block_parts (const MtSource *s, size_t index, const char *field, MtRangeParts *out);
/* Sets *out to the range of a field over a block that has columns: the field of the documents, or
 * of those in its lists. path, depth: see mt_columns_range. Returns false if it is unknown. */
bool mt_block_column_range (const MtSource *s, size_t index, const char *const *path,
                            uint32_t depth, MtRangeParts *out);

/* The place of a document in a block: its offset and its number. */
typedef struct MtHit {
   uint32_t offset, ordinal;
} MtHit;
#define MT_BLOCK_HITS 256

/* Finds documents whose top-level field may equal one of the given values. The store must have an
 * index of the field. The values must not be NULL, arrays, documents or regular expressions.
 * `field` and `values` are borrowed. Free the look-up before its source. Thread-safe. */
typedef struct MtLookup MtLookup;
/* Creates a look-up of `count` values of `field`. The caller frees it by mt_lookup_free. */
MtLookup *mt_lookup_new (const MtSource *s, const char *field, const MtVal *values, size_t count);
void mt_lookup_free (MtLookup *l);
/* Checks that no key file of the look-up has been truncated since it was mapped (fails with XX001
 * or 58030). `l` may be NULL. */
bool mt_lookup_whole (const MtLookup *l, MtError *err);
/* Returns true if the block certainly has no document with one of the values. Does not read the
 * block. */
bool mt_lookup_none (const MtLookup *l, size_t block);
/* Lists the places of the documents in a block that may have one of the values, in ascending order;
 * *found is their number, at most MT_BLOCK_HITS. Returns false if the places are unknown or too
 * many: then scan the block. */
bool mt_lookup_block (const MtLookup *l, size_t block, MtHit *hits, size_t *found);
/* Returns the total size of the blocks that must be scanned, because their documents are not
 * indexed, to decide whether several threads are worthwhile. Stops when the sum reaches `enough`.
 * Also returns `enough` if the index has very many places to read. */
uint64_t mt_lookup_unknown (const MtLookup *l, uint64_t enough);

/* A range condition: low <= field <= high, where the values are dates (MT_DATE, in milliseconds) or
 * integers (MT_INT64). The field's name is borrowed. */
typedef struct MtFieldSpan {
   const char *field;
   uint8_t type;
   int64_t low, high;
} MtFieldSpan;

/* The part of a block from byte offset `from` up to `to`. Its first document has the number
 * `ordinal`. */
typedef struct MtBlockPart {
   uint32_t from, to, ordinal;
} MtBlockPart;

/* Sets *out to a part of the block that has all documents fulfilling the condition. Returns false
 * if the whole block must be read: the field is not indexed, the documents do not ascend in it, all
 * match, or this is the first request for the block. */
bool mt_block_part (const MtSource *s, size_t index, const MtFieldSpan *span, MtBlockPart *out);

/* ---- a reader steps over a block's bytes ---- */

/* Reads the bytes of one block. Call mt_need before each access: it checks that the access lies
 * within the block, and verifies the checksums of its pages (the 4 KiB units of checksums). The
 * bytes lo … lo + span - 1 are already verified. Each thread needs a reader of its own. */
typedef struct MtReader {
   const uint8_t *lo;
   size_t span;
   const MtSource *source;
   MtBlock block;
   MtRebuilt *rebuilt; /* owned; the documents of a block that is kept as columns; NULL: none yet */
   MtError *err;
} MtReader;

/* Moves the reader to block number `block_index`. Before the first block *r must be zeroed; memory
 * is reused from block to block. Fails with XX001 if the block is damaged, and with 53200. */
bool mt_reader_init (MtReader *r, const MtSource *s, size_t block_index, MtError *err);
/* Frees the reader's memory. */
void mt_reader_end (MtReader *r);

/* Verifies at least the n > 0 bytes at p, and sets r->lo and r->span. Fails with XX001 if they lie
 * outside the block or a checksum is wrong. The message names the collection and the offset. */
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

/* Opens the embedded store in the folder `path`; with `create`, creates it if there is none. If
 * `path` is NULL, creates a temporary store, which is removed on close. Many processes can read a
 * store, and one at a time can write. A step (all writes between mt_store_begin and
 * mt_store_commit) holds the writer's lock. Fails with 58030, XX001 (damaged manifest), 53100 (disk
 * full), and 0A000 (made by a newer version). */
bool mt_store_open (const char *path, bool create, bool read_only, MtStore **out, MtError *err);
/* Opens a store that does not exist yet; its first write creates the folder. Fails with 58030 if
 * the folder can't be created. */
bool mt_store_open_absent (const char *path, MtStore **out, MtError *err);
void mt_store_close (MtStore *s);
/* Returns whether the folder contains a store, judged by its files. */
bool mt_store_detect (const char *path);
/* Returns true if the store was opened read-only on request, if its files are not writable, or if
 * its last commit is damaged. */
bool mt_store_is_read_only (const MtStore *s);
/* Returns a warning if the store is damaged and could be opened nevertheless, else NULL. The
 * warning is borrowed. */
const MtError *mt_store_warning (const MtStore *s);
/* Sets the flag that another thread sets to cancel long work, such as building an index or waiting
 * for a lock. The flag is borrowed. NULL: no flag. */
void mt_store_set_cancel (MtStore *s, const MtCancel *cancel);
/* Sets how many milliseconds mt_store_begin waits for the writer's lock. 0: it does not wait. */
void mt_store_set_lock_timeout (MtStore *s, int64_t ms);

/* Reads commits of other processes, and then takes a snapshot of a collection. If the collection
 * does not exist, the snapshot is empty. The caller frees *out by mt_source_free. */
bool mt_store_source (MtStore *s, const char *collection, MtSource **out, MtError *err);
/* The two steps of mt_store_source, so that snapshots of several collections show the same state.
 * mt_store_refresh reads commits of other processes. mt_store_source_seen then takes a snapshot
 * without reading newer commits. */
bool mt_store_refresh (MtStore *s, MtError *err);
bool mt_store_source_seen (MtStore *s, const char *collection, MtSource **out, MtError *err);
/* Lists the names of the store's collections in *names, in alphabetical order; *count is their
 * number. The list is allocated in `a`. */
bool mt_store_collections (MtStore *s, MtArena *a, const char ***names, size_t *count,
                           MtError *err);
/* Begins a step, that is a batch of writes that commits or rolls back as a whole. Takes the
 * writer's lock, then applies commits of other processes. Fails with 55P03 if another process still
 * holds the lock after the time of mt_store_set_lock_timeout. */
bool mt_store_begin (MtStore *s, MtError *err);
/* Commits the open step (an uncommitted batch) and makes it durable, or durable within the delay
 * (mt_store_set_delay). On failure the writes are undone. Only if the sync fails it is unknown
 * whether they are durable; then nothing more can be written. */
bool mt_store_commit (MtStore *s, MtError *err);
/* Rolls back the open step (an uncommitted batch). Does nothing if no step is open. */
void mt_store_rollback (MtStore *s);
/* Makes the writes of the open step (an uncommitted batch) visible to sources that are opened from
 * now on. (mt_store_find sees them in any case.) */
bool mt_store_see (MtStore *s, MtError *err);
/* Sets a savepoint in the open step (an uncommitted batch); *mark is its number, counted from 1.
 * mt_store_return undoes the writes after a savepoint, and removes later savepoints; first free all
 * sources that were opened after it. mt_store_unmark removes a savepoint and all later ones, and
 * keeps the writes. */
bool mt_store_mark (MtStore *s, size_t *mark, MtError *err);
void mt_store_return (MtStore *s, size_t mark);
void mt_store_unmark (MtStore *s, size_t mark);
/* Freezes the store, or unfreezes it. While it is frozen, all sources show the state at the time of
 * freezing. A step that begins fails with 40001 if another process has committed since. Reading
 * fails with 72000 if another process has removed the files. */
bool mt_store_freeze (MtStore *s, bool freeze, MtError *err);
/* Creates an empty collection within the open step (an uncommitted batch). Fails with 42P07 if it
 * exists. */
bool mt_store_create (MtStore *s, const char *collection, MtError *err);
/* Drops a collection within the open step (an uncommitted batch). Does nothing if it does not
 * exist. */
bool mt_store_drop (MtStore *s, const char *collection, MtError *err);
/* Adds a document, and creates its collection if needed. With `check_id`, fails with 23505 if a
 * document with the same _id exists; without it, the caller guarantees a new _id. Fails with 54000
 * if the document is too large or too deeply nested. */
bool mt_store_insert (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                      bool check_id, MtError *err);
/* Replaces the document with the same _id by `doc`; adds `doc` if there is none. */
bool mt_store_replace (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                       MtError *err);
/* Adds `amounts` ({path: number, …}) to fields of the document with this _id, as
 * mt_engine_increment does. If the document does not exist, creates it from `first`. Fails with
 * 42804 if a field is not a number. */
bool mt_store_increment (MtStore *s, const char *collection, MtVal id, const bson_t *amounts,
                         const bson_t *first, MtError *err);
/* Returns how many documents mt_store_increment has created in the open step (an uncommitted
 * batch). */
uint64_t mt_store_made (const MtStore *s);
/* Returns whether all writes of the open step were made by mt_store_increment. */
bool mt_store_only_increments (const MtStore *s);
/* Sets for how many milliseconds a commit may wait for a common sync with other commits. 0: each
 * commit is synced at once. If the machine crashes, only commits that still wait are lost; if the
 * process is killed, none. */
void mt_store_set_delay (MtStore *s, int64_t ms);
/* Packs collections at the commit of the open step: folds their increments, and writes their
 * documents as one load would have written them. Then the commit also writes the manifest anew.
 * Skips collections that don't exist. */
bool mt_store_pack (MtStore *s, const char *const *collections, size_t count, MtError *err);
/* Makes the commits that still wait durable. */
bool mt_store_sync (MtStore *s, MtError *err);
/* Sets *doc to a copy of the document with this _id, allocated in `a`, or to a missing value if
 * there is none. */
bool mt_store_find (MtStore *s, const char *collection, MtVal id, MtArena *a, MtVal *doc,
                    MtError *err);
/* Deletes the document with this _id. *deleted is true if it existed. */
bool mt_store_delete (MtStore *s, const char *collection, MtVal id, bool *deleted, MtError *err);
/* Indexes `count` top-level fields: from now on the store keeps the range (least and greatest
 * value) of each field for each block. For the existing blocks the ranges are computed now. */
bool mt_store_index (MtStore *s, const char *collection, const char *const *fields, size_t count,
                     MtError *err);
/* Returns the size in bytes of the collection's segment file (the file of its documents). */
uint64_t mt_store_disk_bytes (MtStore *s, const char *collection);

#endif
