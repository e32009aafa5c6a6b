/* The embedded store's own structures. The files' layout is described in STORE.md and at the top of
 * manifest.c. */
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
#define MT_STORE_PAGE 4096u /* bytes under one checksum */
#define MT_STORE_BLOCK \
   (1u << 20) /* documents are gathered into blocks of this size; a larger one has its own */
#define MT_STORE_ALIGN_FROM (64u << 10) /* blocks from this size on begin on a page of the file */
#define MT_STORE_RANGES 16u /* top-level fields with block ranges, per collection (54000) */
#define MT_STORE_STEP_IDS \
   (8u << 20) /* _ids that an open step has in memory, at 16 to 50 bytes: beyond, they go to disk
               * \ */
#define MT_EVENTS_MEMORY ((size_t) 64 << 20) /* of increments that aren't in documents yet */
#define MT_STORE_RANGE_BYTES 64u /* a bound longer than this is cut (and stays a bound) */

/* ---- a block in its segment file ---- */

#define MT_SEGMENT_HEAD 64u
#define MT_BLOCK_HEAD 64u
#define MT_BLOCK_MAGIC "MTBK"

/* What stands before a block's documents; coll.c has its layout in the file. */
typedef struct MtBlockHead {
   uint64_t collection;
   uint32_t serial, documents, size,
      data_at;    /* size: of the documents; data_at: where they are, from the header */
   uint64_t hash; /* of the header and the table of checksums */
} MtBlockHead;

static inline size_t mt_block_pages (uint32_t size)
{
   return (size + (size_t) MT_STORE_PAGE - 1) / MT_STORE_PAGE;
}
/* Reads a header; false: there is none, or it contradicts itself. Its hash is read and not
 * checked. */
bool mt_block_head_read (const uint8_t p[MT_BLOCK_HEAD], MtBlockHead *out);
/* The hash that belongs to a header of such a size and the table of checksums behind it. */
uint64_t mt_block_head_hash (const uint8_t *p, uint32_t size);
/* The checksum of a page of documents that are `size` bytes as a whole, and the one that the table
 * has. */
uint32_t mt_block_page_sum (const uint8_t *data, uint32_t size, size_t page);
#define MT_BLOCK_SUM_AT(page) (MT_BLOCK_HEAD + 4 * (size_t) (page)) /* from the header */

typedef enum MtBsonState { MT_BSON_OK, MT_BSON_BAD, MT_BSON_DEEP, MT_BSON_NO_UTF8 } MtBsonState;

/* Checks the structure of a document of `len` bytes; *at = offset of what is wrong. Text isn't
 * checked for UTF-8. */
MtBsonState mt_bson_check (const uint8_t *doc, size_t len, size_t *at);
/* The same for documents that other programs wrote: names and texts must be UTF-8, too. */
MtBsonState mt_bson_check_all (const uint8_t *doc, size_t len, size_t *at);
/* The value at `p` of an element of a checked document; borrowed. */
MtVal mt_bson_value (uint8_t type, const uint8_t *p);
/* The size of an element's value in a checked document. */
size_t mt_bson_value_size (uint8_t type, const uint8_t *p);
/* A top-level field of a checked document; MT_MISSING when it isn't there. */
MtVal mt_bson_field (const uint8_t *doc, size_t len, const char *name);

/* ---- what a collection holds ---- */

/* Bounds of one field over one block. kept false: nothing is known. */
typedef struct MtBlockRange {
   bool kept;
   MtVal min, max;
} MtBlockRange;

/* Documents of a block that are gone. Shared by snapshots, copied before a change when a snapshot
 * holds it. */
typedef struct MtDeleted {
   atomic_uint refs;
   uint32_t count;
   uint64_t bytes;     /* of the deleted documents */
   uint32_t documents; /* of the block */
   uint8_t bits[];
} MtDeleted;

typedef struct MtBlockKeys MtBlockKeys; /* keys.c */
typedef struct MtIdMarks MtIdMarks;     /* order.c */

typedef enum MtIdOrder { MT_IDS_UNKNOWN, MT_IDS_ASCEND, MT_IDS_MIXED } MtIdOrder;

typedef struct MtStoreBlock {
   uint64_t offset;  /* of the block's header in the segment file */
   uint32_t data_at; /* of the documents, from `offset` */
   uint32_t size;    /* of the documents */
   uint32_t documents;
   uint32_t serial;
   uint64_t head_hash; /* of the header and the table of checksums */
   uint32_t range_count;
   MtBlockRange *ranges; /* of the collection's fields, in their order */
   MtDeleted *deleted;   /* committed; NULL: none */
   uint8_t *pending;     /* bitmap of this step's deletions; NULL: none */
   MtIdOrder id_order;   /* of its documents */
   MtIdMarks *id_marks;  /* NULL: it wasn't looked through */
   MtDeleted
      *seen; /* `deleted` and those of this step's that its sources see; NULL: none of these */
   atomic_uchar head_ok;
   atomic_uchar *page_ok;
   atomic_uchar asked;           /* a look-up came here */
   _Atomic (MtBlockKeys *) keys; /* a list, by field */
} MtStoreBlock;

/* The block that is being filled. */
typedef struct MtBlockBuilder {
   uint8_t *data;
   size_t cap, n;
   uint32_t documents;
   MtBlockRange ranges[MT_STORE_RANGES]; /* bounds borrow from data */
   bool any[MT_STORE_RANGES];            /* false: no document yet */
   bool ids_ascend;
   uint8_t *pending; /* bitmap of deletions, for as many documents as `cap` can hold; NULL: none */
} MtBlockBuilder;

typedef struct MtIdEntry {
   uint32_t hash;   /* mt_key_hash */
   uint32_t serial; /* UINT32_MAX: free */
   uint32_t offset; /* of the document in its block */
   uint32_t ordinal;
} MtIdEntry;

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
   int fd;     /* -1: not open yet */
   bool fd_writes;
   MtMapped *map;     /* of the segment file, and held by snapshots; may reach beyond the end of the
                         file, so that it can grow */
   uint64_t map_seen; /* the file had so many bytes when it was mapped, or looked at */
   uint64_t length, committed_length; /* of the segment file */

   MtStoreBlock **blocks; /* in the documents' order */
   size_t block_count, block_cap, committed_blocks;
   MtStoreBlock **serials; /* by serial; NULL: merged away */
   uint32_t serial_count, serial_cap, committed_serials;
   MtStoreBlock **merged; /* blocks that this step merged into others */
   size_t merged_count;
   size_t before_cap;
   MtStoreBlock **before; /* `blocks` before this step's first merge; NULL: there was none */

   const char *fields[MT_STORE_RANGES]; /* [0] is "_id" */
   uint32_t field_count, committed_fields;

   MtBlockBuilder builder;
   MtIdIndex *index;             /* NULL: nobody looked for an _id yet, or everything changed */
   _Atomic (MtBlockKeys *) keys; /* of all blocks it ever had */
   MtRunSet *runs;               /* keys on disk; NULL: none */
   uint64_t grown; /* bytes that the step wrote, while it is being committed; UINT64_MAX: fields are
                      new */
   MtGone *gone;   /* this step's deletions */
   size_t gone_count, gone_cap;
   size_t seen_blocks,
      seen_gone;          /* of which sources know: what is committed, and what mt_store_see says */
   bool created, dropped; /* in this step */

   MtEvents *events;  /* increments that documents don't have yet; NULL: none */
   MtBuf event_queue; /* committed ones that weren't looked at yet: n:4 and n bytes of OP_EVENTS,
                         over and over */
   size_t queue_at;
   MtBuf event_log;                /* this step's, as its commit will say them */
   uint32_t path_refs, path_round; /* of paths in the log */
   MtEventUndo *undo;              /* what this step changed in `events` */
   size_t undo_count, undo_cap;
   bool catching_up;
   bool folded;       /* this step has put them into documents, and increments by itself */
   bool seen_folded;  /* and sources know */
   bool writing;      /* in this step: truncated to the committed length, ready to be appended to */
   bool tailed;       /* in this step: a return to a mark left bytes behind `length` */
   uint64_t unsynced; /* bytes appended since writing back was begun */
} MtColl;

/* Where a step stood, to return to. What was appended since is behind these lengths. */
typedef struct MtMarkColl {
   MtColl *coll; /* its own; a collection is forgotten only when a step ends, or by a return to
                    before it was made */
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

/* A dropped collection's segment: other processes that read the manifest just before may be about
 * to open it. */
typedef struct MtDoomed {
   char *path;
   int64_t since_ms;
} MtDoomed;

struct MtStore {
   char *path; /* NULL: temporary */
   bool read_only, temporary;
   bool broken; /* a commit's outcome isn't known: no more writing */
   int manifest_fd;
   int lock_fd; /* -1: not held */
   bool tidied; /* leftovers of killed writers were removed */
   dev_t manifest_dev;
   ino_t manifest_ino;
   uint64_t store_id, seq, log_length, chain, next_id;
   int bad_slot;   /* the damaged head slot of the manifest; -1: both are whole */
   bool salvaging; /* operations on unknown collections make these */
   uint64_t
      lost_seq;     /* the last commit, whose record is damaged: nothing is written then; 0: none */
   MtError warning; /* why the store was opened though it is damaged; see mt_store_warning */
   uint64_t committed_next_id;
   bool in_step;
   bool busy;   /* a step needs the lock; changed between mt_group_enter and leave */
   bool frozen; /* sources are as of mt_store_freeze */
   MtStoreMark *marks;
   size_t mark_count;
   bool failed; /* this step can't be committed */
   MtError failure;
   MtBuf record; /* this step's operations */
   MtColl **colls;
   size_t coll_count, coll_cap;
   MtColl *last;            /* of mt_store_coll */
   atomic_size_t key_bytes; /* of blocks' keys */
   size_t step_ids;         /* MT_STORE_STEP_IDS; fewer in tests */
   const MtCancel *cancel;
   int64_t lock_timeout_ms;
   MtDoomed *doomed;
   size_t doomed_count;
   uint64_t made;    /* documents that increments made since the step began */
   int64_t delay_ms; /* how long commits of increments alone may wait for others; 0: not at all */
   MtGroup *group;   /* of those that wait; NULL: there never were any */
};

/* One block of a snapshot. */
typedef struct MtSourceBlock {
   const uint8_t *data;
   MtStoreBlock *block; /* NULL: no checksums, no ranges (files) */
   MtDeleted *deleted;
   const MtBlockRange *ranges;
   uint32_t range_count;
   uint32_t size, documents;
   /* Documents with increments, made when they are first read: */
   const uint32_t *docs; /* `documents` of the source's events; NULL: bytes as they are stored */
   MtStoreBlock *base;   /* the block that has them; NULL: they are new */
   const uint8_t *base_data;
   uint8_t *made;  /* `data`, owned */
   uint64_t guess; /* of their bytes */
} MtSourceBlock;

struct MtSource {
   char *name; /* of the collection, for messages */
   MtSourceBlock *blocks;
   size_t count;
   MtCollStats stats;
   MtColl *coll;         /* held; NULL for files */
   MtMapped *map;        /* held; NULL: no documents */
   uint64_t map_used;    /* so many bytes of it */
   MtEvents *events;     /* held; NULL: none */
   MtBlockRange *ranges; /* of _id, over the blocks of new documents with increments */
   MtRunSet *runs;       /* held; NULL: none */
   pthread_mutex_t making;
   const char *fields[MT_STORE_RANGES];
   uint32_t field_count;
   void (*release) (void *owner); /* of files */
   void *owner;
};

/* ---- io.c ---- */

bool mt_io_error (MtError *err, const char *doing,
                  const char *path); /* from errno; 53100, 58P01 or 58030; false */
bool mt_io_write (int fd, const void *p, size_t n, uint64_t at, const char *path, MtError *err);
bool mt_io_read (int fd, void *p, size_t n, uint64_t at, const char *path,
                 MtError *err); /* XX001 when the file ends before */
bool mt_io_sync (int fd, const char *path, MtError *err);
bool mt_io_sync_dir (const char *path, MtError *err);
bool mt_store_lock (MtStore *s, MtError *err);
void mt_store_unlock (MtStore *s);

/* ---- store.c ---- */

/* Undoes the open step and ends it. Files are left as they are when the commit's outcome isn't
 * known: the next start may find that it happened. */
void mt_store_undo_step (MtStore *s);
/* The lock stays while commits wait: nobody else may come between. */
void mt_store_let_go (MtStore *s);
/* Removes segments that were dropped at least so long ago. */
void mt_store_remove_doomed (MtStore *s, int64_t age_ms);
/* Dooms the files of a dropped collection. */
void mt_store_doom_coll (MtStore *s, const MtColl *c);

/* Removes a file that readers may just be about to open, after a while. Takes over `path`; NULL:
 * nothing. */
void mt_store_doom (MtStore *s, char *path);

/* ---- write.c ---- */

/* Puts a checked document in the place of that of its _id, or beside the others. */
bool mt_store_put (MtColl *c, const uint8_t *doc, size_t len, MtError *err);
/* Remembers why a step can't be committed any more. Returns false. */
bool mt_step_failed (MtStore *s, const MtError *err);

/* ---- group.c: commits that wait for others ---- */

/* Makes s->record durable, together with what waits. *unknown: whether it is shows later only. */
bool mt_store_commit_record (MtStore *s, bool *unknown, MtError *err);
/* Nothing is committed that was made of bytes that are lost. */
bool mt_store_is_whole (const MtStore *s, MtError *err);

/* Between these nobody else uses the manifest. */
void mt_group_enter (MtStore *s);
void mt_group_leave (MtStore *s);
bool mt_group_add (MtStore *s, const MtBuf *record, MtError *err); /* committed, and durable soon */
bool mt_group_flush (MtStore *s, MtError *err);                    /* now */
bool mt_group_waits (MtStore *s); /* some do; the lock is held then */
MtBuf *mt_group_waiting (
   MtStore *s); /* what they say; only between enter and leave; NULL: nothing */
void mt_group_close (MtStore *s);

/* ---- mark.c ---- */

void mt_store_forget_marks (MtStore *s, size_t kept);

/* ---- source.c and block.c ---- */

MtSource *mt_source_new (const char *name,
                         size_t room); /* with room for so many blocks, and none yet */
bool mt_block_verify (const char *name, const MtStoreBlock *b, const uint8_t *data, size_t from,
                      size_t n, MtError *err);
/* Iterates over a block's documents: *offset is moved on; *doc = NULL at the end. Skips none. */
bool mt_block_next (const char *name, const MtStoreBlock *b, const uint8_t *data, size_t *offset,
                    const uint8_t **doc, size_t *len, MtError *err);

#endif
