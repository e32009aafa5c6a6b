/* Stored documents for the local executor. A collection is cut into blocks; a block holds documents
 * end to end.
 *
 * The embedded store (store.c) and read-only files (files.c) both provide this interface. Bytes are
 * mapped, not copied. A reader verifies the checksum of a page when it first reads the page. So a
 * query that stops high in a document's tree neither reads nor verifies the bytes below. */
#ifndef MT_STORE_H
#define MT_STORE_H

#include "engine/engine.h"

typedef struct MtBlock {
   const uint8_t *data; /* documents end to end */
   size_t size;
   uint32_t documents;
   uint32_t deleted; /* if not 0, check each document with mt_block_is_deleted */
   const void *impl; /* private to the source */
} MtBlock;

/* A snapshot of the committed state of one collection. Several threads may use it at once. */
typedef struct MtSource MtSource;

/* Returns the number of blocks. */
size_t mt_source_blocks (const MtSource *s);
/* Gets a block. Its bytes are borrowed and not verified. */
void mt_source_block (const MtSource *s, size_t index, MtBlock *out);
/* Gets the number of documents, and bytes. */
void mt_source_stats (const MtSource *s, MtCollStats *out);
void mt_source_free (MtSource *s);
/* Returns false if a file has lost bytes since the source was opened (XX001, 58030). Values that
 * were read may be wrong then. */
bool mt_source_check (const MtSource *s, MtError *err);
/* Like mt_source_check, and also checks the sizes of the files. Call it before results are handed
 * out. */
bool mt_source_whole (const MtSource *s, MtError *err);
/* Returns whether document number `ordinal` of the block is deleted. */
bool mt_block_is_deleted (const MtBlock *b, uint32_t ordinal);

/* Gets the range of a top-level field's values over a block. Every value v of the block has *min <=
 * v <= *max in MongoDB's order; the bounds may be too wide. Returns false if the store keeps no
 * range of this field. */
bool mt_block_range (const MtSource *s, size_t index, const char *field, MtVal *min, MtVal *max);

/* The place of a document in a block. */
typedef struct MtHit {
   uint32_t offset, ordinal;
} MtHit;
#define MT_BLOCK_HITS 256

/* A look-up: the documents whose top-level field may equal one of the values. The field must have
 * ranges. The values must not be NULL, arrays, documents or patterns. A look-up ends before its
 * source, and borrows `field` and `values`. Several threads may use it. */
typedef struct MtLookup MtLookup;
/* The caller frees the look-up. */
MtLookup *mt_lookup_new (const MtSource *s, const char *field, const MtVal *values, size_t count);
void mt_lookup_free (MtLookup *l);
/* Like mt_source_whole, for the keys. NULL gives true. */
bool mt_lookup_whole (const MtLookup *l, MtError *err);
/* Returns true if the block surely has no such document. Reads nothing. */
bool mt_lookup_none (const MtLookup *l, size_t block);
/* Gets the places in a block, in order, at most MT_BLOCK_HITS. Returns false if they are unknown or
 * more. */
bool mt_lookup_block (const MtLookup *l, size_t block, MtHit *hits, size_t *found);
/* Sums the bytes of the blocks for which mt_lookup_block returns false. Stops at `enough`. */
uint64_t mt_lookup_unknown (const MtLookup *l, uint64_t enough);

/* ---- a reader steps over a block's bytes ---- */

/* Reads a block. Every access to the block's bytes needs a call of mt_need before. mt_need checks
 * that the access lies within the block, and verifies the pages' checksums. [lo, lo + span) is
 * verified. Each thread has its own reader. */
typedef struct MtReader {
   const uint8_t *lo;
   size_t span;
   const MtSource *source;
   MtBlock block;
   uint64_t touched; /* bytes read; the caller of mt_need counts them */
   MtError *err;
} MtReader;

/* XX001 if the block cannot be prepared. */
bool mt_reader_init (MtReader *r, const MtSource *s, size_t block_index, MtError *err);

/* Verifies at least [p, p+n), n > 0. XX001 with the collection and the offset if the bytes lie
 * outside the block or a checksum is wrong. */
bool mt_need_slow (MtReader *r, const uint8_t *p, size_t n);

static inline bool mt_need (MtReader *r, const uint8_t *p, size_t n)
{
   size_t off = (size_t) (p - r->lo);
   if (__builtin_expect (p >= r->lo && off <= r->span && n <= r->span - off, 1))
      return true;
   return mt_need_slow (r, p, n);
}

/* ---- the writable store ---- */

typedef struct MtStore MtStore;

/* Opens an embedded store in a folder, or creates it (create). path NULL: a temporary store,
 * removed on close. There is one writer at a time over all processes. A step takes the lock at its
 * begin and keeps it until commit; 55P03 if another process holds it. Errors: 58030, XX001 (damaged
 * manifest), 53100 (disk full), 0A000 (made by a newer version). */
bool mt_store_open (const char *path, bool create, bool read_only, MtStore **out, MtError *err);
void mt_store_close (MtStore *s);
/* Returns whether the folder looks like a store. */
bool mt_store_detect (const char *path);
/* Returns true if the caller chose it, if the files cannot be written, or if the last commit is
 * damaged. */
bool mt_store_is_read_only (const MtStore *s);
/* Returns the message and hint for the damage despite which the store was opened, or NULL. Borrowed
 * from the store. */
const MtError *mt_store_warning (const MtStore *s);
/* Sets the flag that building of indexes polls. Borrowed; NULL: none. */
void mt_store_set_cancel (MtStore *s, const MtCancel *cancel);
/* Sets how long the store waits for the lock. 0: not at all. */
void mt_store_set_lock_timeout (MtStore *s, int64_t ms);

/* Takes a snapshot of a collection. An unknown collection is empty. */
bool mt_store_source (MtStore *s, const char *collection, MtSource **out, MtError *err);
/* mt_store_source in two halves, so that snapshots of several collections belong together. The
 * first half takes over the commits of other processes. The second half takes a snapshot of that
 * state. */
bool mt_store_refresh (MtStore *s, MtError *err);
bool mt_store_source_seen (MtStore *s, const char *collection, MtSource **out, MtError *err);
/* Lists the collections by name, in the arena. */
bool mt_store_collections (MtStore *s, MtArena *a, const char ***names, size_t *count,
                           MtError *err);
/* Begins a step: takes the lock and the commits of other processes. */
bool mt_store_begin (MtStore *s, MtError *err);
/* Ends a step and makes it durable. On failure the step is undone. */
bool mt_store_commit (MtStore *s, MtError *err);
/* Undoes the open step. Does nothing without one. */
void mt_store_rollback (MtStore *s);
/* Lets sources see this step's writes. Finds see them without this call. */
bool mt_store_see (MtStore *s, MtError *err);
/* Marks a place in the open step. mt_store_return undoes the writes after the mark and removes
 * later marks. Sources taken after the mark must be freed before. A mark is a number from 1 on.
 * mt_store_unmark removes a mark and the marks after it. */
bool mt_store_mark (MtStore *s, size_t *mark, MtError *err);
void mt_store_return (MtStore *s, size_t mark);
void mt_store_unmark (MtStore *s, size_t mark);
/* While frozen, sources show the state of this moment, also after other commits. A step that begins
 * meanwhile fails with 40001 if another process has committed. Reading fails with 72000 if another
 * process has removed the files. */
bool mt_store_freeze (MtStore *s, bool freeze, MtError *err);
/* Creates a collection. 42P07 if it exists. Like all writes, only within a step. */
bool mt_store_create (MtStore *s, const char *collection, MtError *err);
/* Drops a collection. An unknown one is no error. */
bool mt_store_drop (MtStore *s, const char *collection, MtError *err);
/* Adds a document, and its collection if needed. check_id: 23505 if the _id exists. 54000 for a
 * document over the limits. */
bool mt_store_insert (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                      bool check_id, MtError *err);
/* Replaces the document with this _id, or adds the document. */
bool mt_store_replace (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                       MtError *err);
/* Adds amounts to numbers of the document with this _id; see mt_engine_increment. 42804 if a field
 * is not a number. */
bool mt_store_increment (MtStore *s, const char *collection, MtVal id, const bson_t *amounts,
                         const bson_t *first, MtError *err);
/* Returns how many documents increments created in this step. */
uint64_t mt_store_made (const MtStore *s);
/* Returns whether the open step has only incremented so far. */
bool mt_store_only_increments (const MtStore *s);
/* Sets how long a commit that holds only increments may wait before it becomes durable. 0: not at
 * all. A crash of the process loses at most the commits of that time. */
void mt_store_set_delay (MtStore *s, int64_t ms);
/* Makes all commits durable. */
bool mt_store_sync (MtStore *s, MtError *err);
/* Copies the document with this _id into the arena. *doc is NULL if there is none. */
bool mt_store_find (MtStore *s, const char *collection, MtVal id, MtArena *a, const uint8_t **doc,
                    size_t *len, MtError *err);
/* Deletes the document with this _id. *deleted: there was one. */
bool mt_store_delete (MtStore *s, const char *collection, MtVal id, bool *deleted, MtError *err);
/* Keeps block ranges of these top-level fields from now on. Reads existing blocks for this. */
bool mt_store_index (MtStore *s, const char *collection, const char *const *fields, size_t count,
                     MtError *err);
/* Returns the size of the collection's segment file. */
uint64_t mt_store_disk_bytes (MtStore *s, const char *collection);

/* ---- read-only files: a folder of .bson/.json/.jsonl (mongodump's db/collection.bson too), or one
 * such file ---- */

typedef struct MtFiles MtFiles;
/* Returns true if the folder is entirely empty. */
bool mt_files_none (const char *path);
/* Opens a folder or a file. No document is read yet. 58P01, 42P07 for two files of one name, 0A000
 * for other files. */
bool mt_files_open (const char *path, MtFiles **out, MtError *err);
void mt_files_close (MtFiles *f);
/* Returns a warning about files that are not collections although their names look like it, or
 * NULL. */
const MtError *mt_files_warning (const MtFiles *f);
/* Sets the flag that reading of files polls. Borrowed; NULL: none. */
void mt_files_set_cancel (MtFiles *f, const MtCancel *cancel);
/* Takes a snapshot of a file's documents. Validates every document: XX001 with the offset or
 * line. */
bool mt_files_source (MtFiles *f, const char *collection, MtSource **out, MtError *err);
/* Lists the collections by name, in the arena. */
bool mt_files_collections (MtFiles *f, MtArena *a, const char ***names, size_t *count,
                           MtError *err);

#endif
