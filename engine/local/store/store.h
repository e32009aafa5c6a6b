/* Stored documents as the local executor sees them: collections cut into blocks, blocks holding
 * documents end to end.
 *
 * The embedded store (store.c) and read-only files (files.c) both give this. Bytes are mapped, not
 * copied. Pages of a block carry checksums that are verified when a reader first steps on them, so
 * that a query cut high in a document's tree neither reads nor verifies what lies below. */
#ifndef MT_STORE_H
#define MT_STORE_H

#include "engine/engine.h"

typedef struct MtBlock {
   const uint8_t *data; /* documents end to end */
   size_t size;
   uint32_t documents;
   uint32_t deleted; /* > 0: ask mt_block_is_deleted for each */
   const void *impl; /* the source's own */
} MtBlock;

/* A snapshot of one collection: what was committed when it was taken. Used by several threads at
 * once. */
typedef struct MtSource MtSource;

size_t mt_source_blocks (const MtSource *s);
void mt_source_block (const MtSource *s, size_t index, MtBlock *out);
void mt_source_stats (const MtSource *s, MtCollStats *out);
void mt_source_free (MtSource *s);
/* False (XX001, 58030): a file has lost bytes since the source was opened. What was read may be
 * wrong. */
bool mt_source_check (const MtSource *s, MtError *err);
/* The same, and looks at the files' sizes. Call it before what was read is given out. */
bool mt_source_whole (const MtSource *s, MtError *err);
bool mt_block_is_deleted (const MtBlock *b, uint32_t ordinal);

/* The range of a top-level field's values over a block, when the store keeps one for that field
 * (bounds are true bounds: every value v of the block has *min <= v <= *max in MongoDB's order; too
 * wide is allowed). False: not kept. */
bool mt_block_range (const MtSource *s, size_t index, const char *field, MtVal *min, MtVal *max);

/* Documents of a block. */
typedef struct MtHit {
   uint32_t offset, ordinal;
} MtHit;
#define MT_BLOCK_HITS 256

/* A look-up: the documents whose top-level field may be equal to one of the values (no NULL, no
 * arrays, documents or patterns). For fields with ranges. It ends before its source, and borrows
 * `field` and `values`. Several threads may use one. */
typedef struct MtLookup MtLookup;
MtLookup *mt_lookup_new (const MtSource *s, const char *field, const MtVal *values, size_t count);
void mt_lookup_free (MtLookup *l);
/* As mt_source_whole, of the keys. NULL: true. */
bool mt_lookup_whole (const MtLookup *l, MtError *err);
/* Surely none in this block, which was found out at no cost. */
bool mt_lookup_none (const MtLookup *l, size_t block);
/* Those of a block, in their order: at most MT_BLOCK_HITS. False: it isn't known, or they are
 * more. */
bool mt_lookup_block (const MtLookup *l, size_t block, MtHit *hits, size_t *found);
/* Bytes of blocks of which mt_lookup_block doesn't know; stops adding up at `enough`. */
uint64_t mt_lookup_unknown (const MtLookup *l, uint64_t enough);

/* ---- a reader steps over a block's bytes ---- */

/* Every access to a block's bytes goes through mt_need first: it bounds the access by the block and
 * verifies the pages' checksums. [lo, lo + span) is known to be good. One reader per thread. */
typedef struct MtReader {
   const uint8_t *lo;
   size_t span;
   const MtSource *source;
   MtBlock block;
   uint64_t touched; /* bytes stepped on; kept by the caller of mt_need */
   MtError *err;
} MtReader;

/* False when the block can't be made ready: XX001. */
bool mt_reader_init (MtReader *r, const MtSource *s, size_t block_index, MtError *err);

/* Verifies at least [p, p+n), n > 0; false with *err = XX001 naming the collection and the offset
 * when it is out of the block's bounds or a checksum is wrong. */
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

/* Opens or (create) makes an embedded store in a folder; path NULL: a temporary one, removed on
 * close. One writer at a time, across processes: the lock is taken at the first write (55P03 when
 * another holds it) and kept until commit. Errors: 58030, XX001 (truncated, bit-flipped manifest),
 * 53100 (disk full), 0A000 (made by a newer version). */
bool mt_store_open (const char *path, bool create, bool read_only, MtStore **out, MtError *err);
void mt_store_close (MtStore *s);
/* True when the folder looks like a store. */
bool mt_store_detect (const char *path);
/* Read-only as requested, because the files can't be written, or because the last commit is
 * damaged. */
bool mt_store_is_read_only (const MtStore *s);
/* The damage with which the store was opened nevertheless: message and hint. NULL: none. Borrowed
 * from the store. */
const MtError *mt_store_warning (const MtStore *s);
void mt_store_set_cancel (
   MtStore *s,
   const MtCancel *cancel); /* looked at while indexes are built; borrowed, NULL: none */
void mt_store_set_lock_timeout (MtStore *s,
                                int64_t ms); /* how long the lock is waited for; 0: not at all */

bool mt_store_source (MtStore *s, const char *collection, MtSource **out,
                      MtError *err); /* an unknown one is empty */
/* The same in two halves: takes over what other processes committed, and gives snapshots as of
 * then. So that snapshots of several collections belong together. */
bool mt_store_refresh (MtStore *s, MtError *err);
bool mt_store_source_seen (MtStore *s, const char *collection, MtSource **out, MtError *err);
bool mt_store_collections (MtStore *s, MtArena *a, const char ***names, size_t *count,
                           MtError *err);
bool mt_store_begin (MtStore *s, MtError *err);
bool mt_store_commit (MtStore *s, MtError *err);
void mt_store_rollback (MtStore *s);
/* Within a step finds see what it wrote, sources don't until this is called. */
bool mt_store_see (MtStore *s, MtError *err);
/* A place in the open step, to return to: what was written after it is undone then, and seen by
 * nobody; places after it are gone. Sources that were taken meanwhile must be freed before. A place
 * is its number, from 1 on; letting go of one lets go of those after it. */
bool mt_store_mark (MtStore *s, size_t *mark, MtError *err);
void mt_store_return (MtStore *s, size_t mark);
void mt_store_unmark (MtStore *s, size_t mark);
/* From now on sources are as of now, whoever commits meanwhile, until `freeze` is false again. A
 * step that begins then is 40001 when somebody did; 72000 when another process removed what was to
 * be read. */
bool mt_store_freeze (MtStore *s, bool freeze, MtError *err);
bool mt_store_create (MtStore *s, const char *collection, MtError *err);
bool mt_store_drop (MtStore *s, const char *collection, MtError *err);
bool mt_store_insert (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                      bool check_id, MtError *err);
bool mt_store_replace (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                       MtError *err);
/* Adds to numbers of the document of that _id, as mt_engine_increment says. 42804 for a field that
 * is no number. */
bool mt_store_increment (MtStore *s, const char *collection, MtVal id, const bson_t *amounts,
                         const bson_t *first, MtError *err);
uint64_t mt_store_made (const MtStore *s); /* documents that increments made since the step began */
bool mt_store_only_increments (const MtStore *s);
/* From now on a commit of increments alone may become durable so much later (0: it waits for the
 * disk). What was committed is lost with the process only within that time. */
void mt_store_set_delay (MtStore *s, int64_t ms);
bool mt_store_sync (MtStore *s, MtError *err); /* makes durable what was committed */
bool mt_store_find (MtStore *s, const char *collection, MtVal id, MtArena *a, const uint8_t **doc,
                    size_t *len, MtError *err);
bool mt_store_delete (MtStore *s, const char *collection, MtVal id, bool *deleted, MtError *err);
/* Keeps block ranges of these top-level fields from now on (and for existing blocks, by a scan). */
bool mt_store_index (MtStore *s, const char *collection, const char *const *fields, size_t count,
                     MtError *err);
uint64_t mt_store_disk_bytes (MtStore *s, const char *collection);

/* ---- read-only files: a folder of .bson/.json/.jsonl (mongodump's db/collection.bson too), or one
 * such file ---- */

typedef struct MtFiles MtFiles;
bool mt_files_none (const char *path); /* true: a folder with nothing in it at all */
bool mt_files_open (const char *path, MtFiles **out, MtError *err);
void mt_files_close (MtFiles *f);
const MtError *mt_files_warning (const MtFiles *f); /* files that are no collections, though they
                                                       are called like it; NULL: none */
void mt_files_set_cancel (
   MtFiles *f, const MtCancel *cancel); /* looked at while files are read; borrowed, NULL: none */
bool mt_files_source (MtFiles *f, const char *collection, MtSource **out,
                      MtError *err); /* validates every document: XX001 with the offset or line */
bool mt_files_collections (MtFiles *f, MtArena *a, const char ***names, size_t *count,
                           MtError *err);

#endif
