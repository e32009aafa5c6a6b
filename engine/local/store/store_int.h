/* The private structures of the embedded store. README.md explains them; the formats of the files
 * are described in manifest.c, segment.c, block.c and runs.c.
 *
 * A step is a batch of writes, from mt_store_begin to commit or rollback. */
#ifndef MT_STORE_INT_H
#define MT_STORE_INT_H

#include "base/bytes.h"
#include "base/limits.h"
#include "base/mapped.h"
#include "engine/local/store/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#define MT_STORE_VERSION 4u
/* Each page of this many bytes has a checksum. */
#define MT_STORE_PAGE 4096u
/* Documents are gathered into blocks of this size. A larger document gets its own block. */
#define MT_STORE_BLOCK (1u << 20)
/* Blocks of at least this size begin on a page of the file. */
#define MT_STORE_ALIGN_FROM (64u << 10)
/* The most top-level fields with block ranges, for each collection (54000). */
#define MT_STORE_RANGES 16u
/* The most _ids that an open step keeps in memory, at 16 to 50 bytes each. Further ones are written
 * to disk as a run. */
#define MT_STORE_STEP_IDS (8u << 20)
/* The most bytes of increments that are not folded yet. */
#define MT_EVENTS_MEMORY ((size_t) 64 << 20)
/* A longer bound is cut to this length. It remains a bound. */
#define MT_STORE_RANGE_BYTES 64u

/* ---- a block in its segment file ---- */

#define MT_SEGMENT_HEAD 64u
#define MT_BLOCK_HEAD 64u
#define MT_BLOCK_MAGIC "MTBK"

/* A block's header. block.c describes its bytes. */
typedef struct MtBlockHead {
   uint64_t collection;
   /* `size` counts the bytes of the documents. `data_at` is their offset from the header. */
   uint32_t serial, documents, size, data_at;
   /* Covers the header and the table of checksums. */
   uint64_t hash;
} MtBlockHead;

static inline size_t mt_block_pages (uint32_t size)
{
   return (size + (size_t) MT_STORE_PAGE - 1) / MT_STORE_PAGE;
}
/* Reads a header. Returns false if there is none, or if its numbers contradict each other. Does not
 * check its hash. */
bool mt_block_head_read (const uint8_t p[MT_BLOCK_HEAD], MtBlockHead *out);
/* Computes the hash of a header and the table of checksums behind it. `size` is the header's. */
uint64_t mt_block_head_hash (const uint8_t *p, uint32_t size);
/* Computes the checksum of one page of a block's documents, which are `size` bytes in all. */
uint32_t mt_block_page_sum (const uint8_t *data, uint32_t size, size_t page);
/* The offset of a page's checksum from the header. */
#define MT_BLOCK_SUM_AT(page) (MT_BLOCK_HEAD + 4 * (size_t) (page))

typedef enum MtBsonState { MT_BSON_OK, MT_BSON_BAD, MT_BSON_DEEP, MT_BSON_NO_UTF8 } MtBsonState;

/* Checks the structure of a document of `len` bytes. *at gets the offset of the fault. Does not
 * check text for UTF-8. */
MtBsonState mt_bson_check (const uint8_t *doc, size_t len, size_t *at);
/* Like mt_bson_check, for documents that other programs wrote: names and texts must be UTF-8. */
MtBsonState mt_bson_check_all (const uint8_t *doc, size_t len, size_t *at);
/* Reads the value of an element at `p` in a checked document. Borrowed. */
MtVal mt_bson_value (uint8_t type, const uint8_t *p);
/* Returns the size of an element's value at `p` in a checked document. */
size_t mt_bson_value_size (uint8_t type, const uint8_t *p);
/* Returns a top-level field of a checked document, or MT_MISSING. Borrowed. */
MtVal mt_bson_field (const uint8_t *doc, size_t len, const char *name);

/* ---- what a collection holds ---- */

/* The bounds of one field's values over one block. They are unknown unless `kept`. */
typedef struct MtBlockRange {
   bool kept;
   MtVal min, max;
} MtBlockRange;

/* The deleted documents of a block. Snapshots share it; a writer copies it before a change if a
 * snapshot holds it. */
typedef struct MtDeleted {
   atomic_uint refs;
   uint32_t count;
   uint64_t bytes;     /* of the deleted documents */
   uint32_t documents; /* in the block */
   uint8_t bits[];
} MtDeleted;

typedef struct MtBlockKeys MtBlockKeys; /* keys.c */
typedef struct MtIdMarks MtIdMarks;     /* order.c */

typedef enum MtIdOrder { MT_IDS_UNKNOWN, MT_IDS_ASCEND, MT_IDS_MIXED } MtIdOrder;

typedef struct MtStoreBlock {
   uint64_t offset;  /* of the block's header in the segment file */
   uint32_t data_at; /* offset of the documents from the header */
   uint32_t size;    /* of the documents */
   uint32_t documents;
   uint32_t serial;
   uint64_t head_hash; /* covers the header and the table of checksums */
   uint32_t range_count;
   MtBlockRange *ranges; /* one for each field, in the order of the collection's fields */
   MtDeleted *deleted;   /* committed deletions; NULL: none */
   uint8_t *pending;     /* bitmap of this step's deletions; NULL: none */
   MtIdOrder id_order;   /* the order of its documents */
   MtIdMarks *id_marks;  /* NULL: not read yet */
   /* `deleted`, with the deletions of this step that its own sources see; NULL: the same as
    * `deleted` */
   MtDeleted *seen;
   atomic_uchar head_ok;
   atomic_uchar *page_ok;
   atomic_uchar looked_up;       /* a look-up has read this block */
   _Atomic (MtBlockKeys *) keys; /* a list, one entry for each field */
} MtStoreBlock;

/* The block that is being filled. */
typedef struct MtBlockBuilder {
   uint8_t *data;
   size_t cap, n;
   uint32_t documents;
   MtBlockRange ranges[MT_STORE_RANGES]; /* the bounds borrow from `data` */
   bool any[MT_STORE_RANGES];            /* false: no document yet */
   bool ids_ascend;
   /* bitmap of deletions, with room for all documents that fit `cap`; NULL: none */
   uint8_t *pending;
} MtBlockBuilder;

typedef struct MtIdEntry {
   uint32_t hash;   /* by mt_key_hash */
   uint32_t serial; /* UINT32_MAX: the entry is free */
   uint32_t offset; /* of the document in its block */
   uint32_t ordinal;
} MtIdEntry;

/* A document found by _id. */
typedef struct MtFoundDoc {
   MtIdEntry at;
   const uint8_t *doc; /* borrowed until the collection changes; NULL: there is none */
   size_t len;
} MtFoundDoc;

typedef struct MtIdIndex MtIdIndex; /* index.c */

typedef struct MtGone {
   uint32_t serial, ordinal, bytes;
} MtGone;

typedef struct MtEvents MtEvents; /* events.h */
typedef struct MtEventUndo MtEventUndo;
typedef struct MtGroup MtGroup;   /* group.c */
typedef struct MtRunSet MtRunSet; /* runs.h */
typedef struct MtRunInfo MtRunInfo;

typedef struct MtColl {
   atomic_uint refs;
   MtArena *arena;
   MtStore *store;
   uint64_t id;
   const char *name;
   char *path; /* of the segment file; NULL in a temporary store */
   int fd;     /* -1: not open */
   bool fd_writes;
   /* Of the segment file. Snapshots hold it. It may reach beyond the end of the file, so that the
    * file can grow into it. */
   MtMapped *map;
   uint64_t map_seen;                 /* size of the file when it was last checked */
   uint64_t length, committed_length; /* of the segment file */

   MtStoreBlock **blocks; /* in the order of the documents */
   size_t block_count, block_cap, committed_blocks;
   MtStoreBlock **serials; /* by serial; NULL: merged into another block */
   uint32_t serial_count, serial_cap, committed_serials;
   MtStoreBlock **merged; /* blocks that this step merged into others */
   size_t merged_count;
   size_t before_cap;
   MtStoreBlock **before; /* `blocks` before this step's first merge; NULL: no merge */

   const char *fields[MT_STORE_RANGES]; /* [0] is "_id" */
   uint32_t field_count, committed_fields;

   MtBlockBuilder builder;
   MtIdIndex *index;             /* NULL: not built, or out of date */
   _Atomic (MtBlockKeys *) keys; /* of all blocks that the collection ever had */
   MtRunSet *runs;               /* keys on disk; NULL: none */
   /* Bytes that the step wrote, set while it is committed. UINT64_MAX: there are new fields. */
   uint64_t grown;
   MtGone *gone; /* this step's deletions */
   size_t gone_count, gone_cap;
   /* The part that sources see: committed, or up to the last mt_store_see. */
   size_t seen_blocks, seen_gone;
   bool created, dropped; /* in this step */

   MtEvents *events; /* increments that are not folded yet; NULL: none */
   /* Committed increments that were not read yet, one after the other: n:4 and n bytes of
    * MT_OP_EVENTS. */
   MtBuf event_queue;
   size_t queue_at;
   MtBuf event_log;                /* this step's increments, in the form of its commit */
   uint32_t path_refs, path_round; /* numbers for the paths in the log */
   MtEventUndo *undo;              /* changes of this step to `events` */
   size_t undo_count, undo_cap;
   bool catching_up;
   /* this step has folded the increments; further ones change documents at once */
   bool folded;
   bool seen_folded; /* `folded`, as sources see it */
   /* In this step: the file is cut to the committed length and can be appended to. */
   bool writing;
   bool tailed;       /* in this step: a return to a mark left bytes behind `length` */
   uint64_t unsynced; /* bytes appended since the last call that starts writing back */
} MtColl;

/* The lengths of a collection at a mark. A return to the mark forgets everything behind these
 * lengths. */
typedef struct MtMarkColl {
   /* Borrowed. A collection is forgotten only when a step ends, or by a return to a mark before its
    * creation. */
   MtColl *coll;
   size_t blocks, gone;
   uint32_t serials, fields;
   uint64_t length;
   bool dropped, folded;
   size_t undo, log; /* of increments */
   uint32_t refs;
} MtMarkColl;

typedef struct MtStoreMark {
   MtMarkColl *colls;
   size_t coll_count, record_bytes;
} MtStoreMark;

/* A dropped segment or run whose file is removed later, since another process may be about to open
 * it. */
typedef struct MtRemoval {
   char *path;
   int64_t since_ms;
} MtRemoval;

struct MtStore {
   char *path; /* NULL: temporary */
   bool read_only, temporary;
   bool broken; /* the outcome of a commit is unknown: no further writes */
   int manifest_fd;
   int lock_fd; /* -1: not held */
   bool tidied; /* leftovers of killed writers were removed */
   dev_t manifest_dev;
   ino_t manifest_ino;
   uint64_t store_id, seq, log_length, chain, next_id;
   int bad_slot;   /* the damaged head slot of the manifest; -1: both are whole */
   bool salvaging; /* an operation on an unknown collection creates it */
   /* The last commit, if its record is damaged: nothing can be written then. 0: none. */
   uint64_t lost_seq;
   MtError warning; /* why the store was opened despite damage; see mt_store_warning */
   uint64_t committed_next_id;
   bool in_step;
   bool busy;   /* a step needs the lock; changed only between mt_group_enter and mt_group_leave */
   bool frozen; /* sources show the state at mt_store_freeze */
   MtStoreMark *marks;
   size_t mark_count;
   bool failed; /* this step cannot be committed */
   MtError failure;
   MtBuf record; /* this step's operations */
   MtColl **colls;
   size_t coll_count, coll_cap;
   MtColl *last;            /* found last by mt_store_coll */
   atomic_size_t key_bytes; /* memory of the blocks' keys */
   size_t step_ids;         /* MT_STORE_STEP_IDS; fewer in tests */
   const MtCancel *cancel;
   int64_t lock_timeout_ms;
   MtRemoval *removals;
   size_t removal_count;
   uint64_t made; /* documents that increments created in this step */
   /* How long commits that hold only increments may wait for others. 0: not at all. */
   int64_t delay_ms;
   MtGroup *group; /* the waiting commits; NULL: there never were any */
};

/* One block of a snapshot. */
typedef struct MtSourceBlock {
   const uint8_t *data;
   MtStoreBlock *block; /* NULL: no checksums and no ranges (files) */
   MtDeleted *deleted;
   const MtBlockRange *ranges;
   uint32_t range_count;
   uint32_t size, documents;
   /* A block of documents with increments. They are built when they are first read. */
   /* Numbers of these documents in the source's events. NULL: a block as it is stored. */
   const uint32_t *docs;
   MtStoreBlock *base; /* the block of the stored documents; NULL: they are new */
   const uint8_t *base_data;
   uint8_t *made;  /* the same as `data`, owned */
   uint64_t guess; /* the estimated size */
} MtSourceBlock;

struct MtSource {
   char *name; /* of the collection, for messages */
   MtSourceBlock *blocks;
   size_t count;
   MtCollStats stats;
   MtColl *coll;         /* held; NULL for files */
   MtMapped *map;        /* held; NULL: no documents */
   uint64_t map_used;    /* bytes of it that the blocks need */
   MtEvents *events;     /* held; NULL: none */
   MtBlockRange *ranges; /* of _id, over the blocks of new documents with increments */
   MtRunSet *runs;       /* held; NULL: none */
   pthread_mutex_t making;
   const char *fields[MT_STORE_RANGES];
   uint32_t field_count;
   void (*release) (void *owner); /* frees `owner`; for files */
   void *owner;
};

/* ---- io.c ---- */

/* Sets *err from errno: 53100, 58P01 or 58030. Returns false. */
bool mt_io_error (MtError *err, const char *doing, const char *path);
bool mt_io_write (int fd, const void *p, size_t n, uint64_t at, const char *path, MtError *err);
bool mt_io_read (int fd, void *p, size_t n, uint64_t at, const char *path,
                 MtError *err); /* XX001 if the file ends before. */
bool mt_io_sync (int fd, const char *path, MtError *err);
bool mt_io_sync_dir (const char *path, MtError *err);
/* Takes the writer's lock. 55P03 if another process holds it. */
bool mt_store_lock (MtStore *s, MtError *err);
void mt_store_unlock (MtStore *s);

/* ---- store.c ---- */

/* Undoes and ends the open step. Keeps the files if the outcome of a commit is unknown, since the
 * next start may find the commit done. */
void mt_store_undo_step (MtStore *s);
/* Releases the lock, unless commits of this process wait: no other writer may come between. */
void mt_store_let_go (MtStore *s);
/* Removes the dropped files that are at least this old. */
void mt_store_remove_old (MtStore *s, int64_t age_ms);
/* Marks the files of a dropped collection for removal. */
void mt_store_remove_files_later (MtStore *s, const MtColl *c);

/* Marks a file for removal after a while, since readers may be about to open it. Takes over `path`;
 * NULL does nothing. */
void mt_store_remove_later (MtStore *s, char *path);

/* ---- write.c ---- */

/* Writes a checked document: it replaces the document with its _id, or is added. */
bool mt_store_put (MtColl *c, const uint8_t *doc, size_t len, MtError *err);
/* Remembers that the step cannot be committed, and why. Returns false. */
bool mt_step_failed (MtStore *s, const MtError *err);

/* ---- group.c: commits that wait for others ---- */

/* Makes s->record durable, together with the waiting commits. *unknown: the outcome shows only when
 * the store is opened anew. */
bool mt_store_commit_record (MtStore *s, bool *unknown, MtError *err);
/* Checks that no mapped bytes were lost, before a commit that was made from them. XX001. */
bool mt_store_is_whole (const MtStore *s, MtError *err);

/* Between enter and leave no other thread uses the manifest. */
void mt_group_enter (MtStore *s);
void mt_group_leave (MtStore *s);
/* Commits a record that becomes durable soon. */
bool mt_group_add (MtStore *s, const MtBuf *record, MtError *err);
/* Makes the waiting commits durable now. */
bool mt_group_flush (MtStore *s, MtError *err);
/* Returns whether commits wait. The lock is held then. */
bool mt_group_waits (MtStore *s);
/* Returns the records of the waiting commits, or NULL. Only between enter and leave. */
MtBuf *mt_group_waiting (MtStore *s);
void mt_group_close (MtStore *s);

/* ---- mark.c ---- */

/* Forgets all marks but the first `kept`. */
void mt_store_forget_marks (MtStore *s, size_t kept);

/* ---- source.c and block.c ---- */

/* Creates a source without blocks, with room for `room` of them. */
MtSource *mt_source_new (const char *name, size_t room);
/* Verifies the pages that n bytes at `from` of the block's documents lie on. XX001. */
bool mt_block_verify (const char *name, const MtStoreBlock *b, const uint8_t *data, size_t from,
                      size_t n, MtError *err);
/* A place in a block's bytes, to step over its documents. */
typedef struct MtBlockWalk {
   const char *name; /* of the collection, for messages */
   const MtStoreBlock *block;
   const uint8_t *data; /* of the block */
   size_t offset;       /* of the next document */
} MtBlockWalk;

/* Reads the next document, verified; deleted ones are included. *doc is NULL at the end. XX001. */
bool mt_block_next (MtBlockWalk *walk, const uint8_t **doc, size_t *len, MtError *err);

#endif
