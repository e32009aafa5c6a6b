/* The private structures of the embedded store. README.md explains them; the formats of the files
 * are described in manifest.c, segment.c, block.c and runs.c.
 *
 * A step is a batch of writes, from mt_store_begin to commit or rollback. */
#ifndef MT_STORE_INT_H
#define MT_STORE_INT_H

#include "base/bytes.h"
#include "base/limits.h"
#include "base/mapped.h"
#include "engine/local/documents/check.h"
#include "engine/local/documents/rebuild.h"
#include "engine/local/store/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <sys/uio.h>

#define MT_STORE_VERSION 9u
/* Since this version the valid prefix of the log is the truth, and not the slots. */
#define MT_STORE_VERSION_LOG 8u
/* Each page of this many bytes has a checksum. */
#define MT_STORE_PAGE 4096u
/* Blocks smaller than this are merged if there are many in a row. New ones lie in the log of the
 * manifest, and not in the segment file, so that their commit syncs one file. */
#define MT_STORE_SMALL (64u << 10)
/* A step with more bytes of small blocks writes further ones to the segment. */
#define MT_STORE_LOGGED_STEP (256u << 10)
/* When a collection has this many bytes in the log, or the store the second number, they are moved
 * to the segment. */
#define MT_STORE_LOGGED_MOST (128u << 10)
#define MT_STORE_LOGGED_ALL (1u << 20)
/* Documents are collected into blocks of this many bytes. A larger document gets its own block. */
#define MT_STORE_BLOCK (1u << 20)
/* Blocks of at least this size begin on a page of the file. */
#define MT_STORE_ALIGN_FROM (64u << 10)
/* The most top-level fields of a collection that can be indexed. More fail with 54000. */
#define MT_STORE_RANGES 16u
/* The most other top-level fields of a collection whose ranges are kept. */
#define MT_STORE_MEASURES 32u
/* At how many positions of a document the key is guessed. */
#define MT_STORE_SPOTS 48u
/* The most _ids that an open step (a batch of writes) keeps in memory, at 16 to 50 bytes each.
 * Further _ids are written to disk as a run (a file of sorted keys). */
#define MT_STORE_STEP_IDS (8u << 20)
/* The most bytes in memory for increments that are not yet written into their documents. */
#define MT_EVENTS_MEMORY ((size_t) 64 << 20)
/* A bound of a field's values that is longer than this is shortened, so that it still bounds the
 * values. */
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
   bool rebuilt; /* the documents are not stored, but `columns` are */
   MtColumns columns;
   /* Hash of the header and of the table of checksums that follows. */
   uint64_t hash;
} MtBlockHead;

static inline size_t mt_block_pages (uint32_t size)
{
   return (size + (size_t) MT_STORE_PAGE - 1) / MT_STORE_PAGE;
}
/* Reads the header of a block. Returns false if the bytes are no header, or if its numbers
 * contradict each other. Does not check the header's hash. */
bool mt_block_head_read (const uint8_t p[MT_BLOCK_HEAD], MtBlockHead *out);
/* Computes the hash of a block's header and of the table of checksums behind the header, which has
 * entries for `pages` pages. */
uint64_t mt_block_head_hash (const uint8_t *p, size_t pages);
/* Computes the checksum of one page of a block's documents, which are `size` bytes in all. */
uint32_t mt_block_page_sum (const uint8_t *data, uint32_t size, size_t page);
/* The offset of the checksum of page number `page`, counted from the block's header. */
#define MT_BLOCK_SUM_AT(page) (MT_BLOCK_HEAD + 4 * (size_t) (page))

/* ---- what a collection holds ---- */

/* The bounds of one field's values in one block. `kept` false: the bounds are unknown. */
typedef struct MtBlockRange {
   bool kept;
   MtVal min, max;
} MtBlockRange;

/* A bitmap of the deleted documents of a block. Snapshots share the bitmap. A writer copies the
 * bitmap before a change if a snapshot uses it. */
typedef struct MtDeleted {
   atomic_uint refs;
   uint32_t count;
   uint64_t bytes;     /* total size of the deleted documents */
   uint32_t documents; /* number of documents in the block */
   uint8_t bits[];
} MtDeleted;

/* What finds documents of a block by a field: its keys (keys.c) or its marks (part.c) begin with
 * this. It never changes, and is freed with the collection. */
typedef struct MtFinder {
   struct MtFinder *next;  /* that of the same block for the next field */
   struct MtFinder *older; /* the next entry in the list of all finders of the collection */
   uint32_t field;
} MtFinder;

typedef struct MtIdMarks MtIdMarks; /* places of some _ids in a sorted block, see order.c */

typedef enum MtIdOrder { MT_IDS_UNKNOWN, MT_IDS_ASCEND, MT_IDS_MIXED } MtIdOrder;

/* The documents of a small block that lies in the log. Snapshots share them. */
typedef struct MtLogged {
   atomic_uint refs;
   uint8_t bytes[];
} MtLogged;

typedef struct MtStoreBlock {
   /* its documents, if the log has them; then `offset` and `data_at` are 0. NULL: the segment has
    * them */
   MtLogged *logged;
   uint64_t offset;  /* offset of the block's header in the segment file */
   uint32_t data_at; /* offset of the documents from the header */
   uint32_t size;    /* bytes of the documents */
   uint32_t documents;
   uint32_t serial;
   uint64_t head_hash; /* hash of the header and of the table of checksums */
   uint32_t range_count;
   MtBlockRange *ranges;    /* bounds of each indexed field, in the order of MtColl.fields */
   const uint8_t *measures; /* ranges of other fields, see measure.c; NULL: none */
   uint32_t measure_bytes;
   bool rebuilt;                     /* only the columns are stored; see mt_rebuild */
   MtColumns columns;                /* behind the documents; its `p` is not used */
   atomic_uint_least64_t columns_ok; /* which columns are verified, see mt_columns_find */
   MtDeleted *deleted;               /* documents whose deletion is committed; NULL: none */
   uint8_t *pending;   /* bitmap of the documents deleted in the open step; NULL: none */
   MtIdOrder id_order; /* whether the documents are sorted by _id */
   /* places of some _ids in a sorted block; NULL: the block was not read for this yet */
   MtIdMarks *id_marks;
   /* `deleted`, and the deletions of the open step that the step's own sources see. NULL: no
    * such deletions. */
   MtDeleted *seen;
   atomic_uchar head_ok;
   atomic_uchar *page_ok;
   atomic_uchar looked_up; /* a look-up has read this block */
   atomic_uchar narrowed;  /* mt_block_part was called for this block before */
   /* the hash tables of the block's keys, and its marks: lists with an entry for each field */
   _Atomic (MtFinder *) keys, marks;
} MtStoreBlock;

/* Returns how many bytes of documents the segment file has for the block. */
static inline uint32_t mt_block_stored (const MtStoreBlock *b) { return b->rebuilt ? 0 : b->size; }
/* Returns the offset of the block's columns in the segment file. */
static inline uint64_t mt_block_columns_at (const MtStoreBlock *b)
{
   return (b->offset + b->data_at + mt_block_stored (b) + 7) & ~UINT64_C (7);
}
/* Returns the offset behind the block in the segment file, its columns included. */
static inline uint64_t mt_block_end (const MtStoreBlock *b)
{
   if (b->logged)
      return 0;
   return b->columns.bytes ? mt_block_columns_at (b) + b->columns.bytes
                           : b->offset + b->data_at + b->size;
}

/* The key at one position of a document, as it was in the document before. */
typedef struct MtSpot {
   uint64_t mask, low; /* mask and value of the key's first 8 bytes */
   uint64_t last;      /* the last 8 bytes, if it is longer */
   char key[32];
   size_t key_bytes; /* with the NUL; 0: not known yet */
   int8_t field;     /* number of the indexed field; from MT_STORE_RANGES on: of the measure */
} MtSpot;

/* The range of a field that no index names, in the block that is being filled. */
typedef struct MtMeasure {
   const char *name; /* in the collection's arena */
   bool any;         /* `range` has a value */
   bool nulls, nans; /* there are null or missing values; there are NaNs */
   bool lost;        /* there are values that have no range */
   MtBlockRange range;
} MtMeasure;

/* The ranges of further fields of the block that is being filled. */
typedef struct MtMeasuring {
   MtMeasure measures[MT_STORE_MEASURES]; /* their names are kept from block to block */
   uint32_t measure_count;
   MtSpot spots[MT_STORE_SPOTS];
} MtMeasuring;

/* The last block of a collection, which is not yet full and not yet written to the file. */
typedef struct MtBlockBuilder {
   uint8_t *data;
   size_t cap, n;
   uint32_t documents;
   MtBlockRange ranges[MT_STORE_RANGES]; /* the bounds borrow from `data` */
   bool any[MT_STORE_RANGES];            /* whether the field's range in `ranges` has a value yet */
   MtMeasuring *measuring;               /* NULL: no document was taken yet; owned */
   MtColumnMaker *columns;               /* NULL: no block was written yet; owned */
   bool ids_ascend;
   /* Bitmap of deleted documents, with room for all documents that fit into `cap` bytes. NULL:
    * none is deleted. */
   uint8_t *pending;
} MtBlockBuilder;

typedef struct MtIdEntry {
   uint32_t hash;   /* hash of the _id by mt_key_hash */
   uint32_t serial; /* number of the block; UINT32_MAX: the entry is free */
   uint32_t offset; /* offset of the document in its block */
   uint32_t ordinal;
} MtIdEntry;

/* The result of a search by _id. */
typedef struct MtFoundDoc {
   MtIdEntry at;
   const uint8_t *doc; /* borrowed until the collection changes; NULL: there is no such document */
   size_t len;
} MtFoundDoc;

typedef struct MtIdIndex MtIdIndex; /* the hash table of _ids, see index.c */

typedef struct MtGone {
   uint32_t serial, ordinal, bytes;
} MtGone;

typedef struct MtEvents MtEvents; /* events.h */
typedef struct MtEventUndo MtEventUndo;
typedef struct MtGroup MtGroup;   /* commits that wait to be synced, see group.c */
typedef struct MtRunSet MtRunSet; /* runs.h */
typedef struct MtRunInfo MtRunInfo;

typedef struct MtColl {
   atomic_uint refs;
   MtArena *arena;
   MtStore *store;
   uint64_t id;
   const char *name;
   char *path; /* path of the segment file; NULL in a temporary store */
   int fd;     /* descriptor of the segment file; -1: not open */
   bool fd_writes;
   /* The mapping of the segment file, shared with snapshots. The mapping can be longer than the
    * file, so that the file can grow without a new mapping. */
   MtMapped *map;
   uint64_t map_seen;  /* size of the file when it was last checked */
   MtRebuilt *rebuilt; /* documents of the block in which one was searched last; NULL: none */
   /* lengths of the segment file, with and without the open step */
   uint64_t length, committed_length;
   uint64_t logged_bytes; /* of the blocks in the log */

   MtStoreBlock **blocks; /* all blocks, in the order of the documents */
   size_t block_count, block_cap, committed_blocks;
   /* blocks by their serial numbers; NULL: the block was merged into another block */
   MtStoreBlock **serials;
   uint32_t serial_count, serial_cap, committed_serials;
   MtStoreBlock **merged; /* blocks that the open step merged into others */
   size_t merged_count;
   size_t before_cap;
   /* copy of `blocks` from before the open step's first merge; NULL: no merge */
   MtStoreBlock **before;

   const char *fields[MT_STORE_RANGES]; /* the indexed fields; the first is "_id" */
   uint32_t field_count, committed_fields;

   MtBlockBuilder builder;
   MtIdIndex *index;             /* the hash table of _ids; NULL: not built, or out of date */
   _Atomic (MtFinder *) finders; /* a linked list of those of all blocks, also of removed ones */
   MtRunSet *runs;               /* the files of sorted keys; NULL: none */
   /* Bytes that the step wrote. Only valid while the step is being committed. UINT64_MAX: the
    * step indexed new fields. */
   uint64_t grown;
   MtGone *gone; /* documents deleted in the open step */
   size_t gone_count, gone_cap;
   /* How much of `blocks` and `gone` new sources see: the committed part, or everything before
    * the last mt_store_see. */
   size_t seen_blocks, seen_gone;
   bool created, dropped; /* created or dropped in the open step */

   MtEvents *events; /* increments that are not yet written into their documents; NULL: none */
   /* Committed increments that are not applied to `events` yet. Each entry is a length n (4
    * bytes) and n bytes of the operation MT_OP_EVENTS. */
   MtBuf event_queue;
   size_t queue_at;
   MtBuf event_log;                /* increments of the open step, in the format of the commit */
   uint32_t path_refs, path_round; /* for numbering the paths of fields in event_log */
   MtEventUndo *undo;              /* how to undo the changes of the open step to `events` */
   size_t undo_count, undo_cap;
   bool catching_up;
   /* The open step has written all increments into their documents. Further increments change
    * the documents directly. */
   bool folded;
   bool seen_folded; /* the value of `folded` that new sources see */
   /* The open step can append to the file: the file was already cut to its committed length. */
   bool writing;
   bool packs;  /* the commit of the open step packs the collection */
   bool tailed; /* in the open step, a return to a mark left unused bytes behind `length` */
   /* bytes appended since the operating system was last told to write the file to disk */
   uint64_t unsynced;
} MtColl;

/* The lengths of a collection's lists at a mark (a savepoint). A return to the mark removes all
 * entries behind these lengths. */
typedef struct MtMarkColl {
   /* Borrowed. The pointer stays valid, because a collection is freed only when a step ends, or
    * by a return to a mark from before its creation. */
   MtColl *coll;
   size_t blocks, gone;
   uint32_t serials, fields;
   uint64_t length;
   bool dropped, folded;
   size_t undo, log; /* lengths of MtColl.undo and MtColl.event_log */
   uint32_t refs;
} MtMarkColl;

typedef struct MtStoreMark {
   MtMarkColl *colls;
   size_t coll_count, record_bytes;
} MtStoreMark;

/* A file that is no longer used and is removed later, because another process may be about to
 * open it. */
typedef struct MtRemoval {
   char *path;
   int64_t since_ms;
   uint64_t seq; /* the commit that replaced the file; the file stays until this is durable */
} MtRemoval;

struct MtStore {
   char *path; /* the store's folder; NULL: a temporary store */
   bool read_only, temporary;
   /* it is unknown whether the last commit succeeded, so nothing more can be written */
   bool broken;
   bool absent; /* the store's folder is made by the first write */
   int manifest_fd;
   int lock_fd; /* descriptor of the file LOCK; -1: this process does not hold the lock */
   bool tidied; /* files that killed writers left behind were removed */
   dev_t manifest_dev;
   ino_t manifest_ino;
   uint64_t store_id, seq, log_length, chain, next_id;
   int bad_slot;   /* which of the manifest's two head slots is damaged; -1: neither */
   bool salvaging; /* salvage mode: an operation on an unknown collection creates the collection */
   /* Number of the last commit if its record is damaged, else 0. Nothing can be written to a
    * store with a damaged last commit. */
   uint64_t lost_seq;
   /* Number of the last commit that a slot names, if a power loss has torn it or one before it,
    * else 0. The next step cuts it off. */
   uint64_t torn_seq;
   bool ahead; /* commits that the slots don't name were taken over */
   /* An older program wrote a slot. It would misread new commits, so the slots are written anew
    * before the first one. */
   bool old_slots;
   /* The last commits may never have been synced. Their bytes are written again before the first
    * commit, because a sync by another process may have failed. */
   bool unsure;
   atomic_bool sync_failed; /* nothing more can be written until the store is opened again */
   bool old_log;            /* it ignored valid records behind the slots */
   uint64_t log_room; /* the size of the manifest with the zeros behind the log; 0: not known */
   bool packs;        /* the commit of the open step also writes the manifest anew */
   unsigned commits_in_row; /* commits of this store */
   /* the last commit, and the end of the log, that are certainly synced */
   uint64_t synced_seq, synced_end;
   MtError warning; /* the damage that was found when the store was opened; see mt_store_warning */
   uint64_t committed_next_id;
   bool in_step;
   /* an open step needs the lock; changed only between mt_group_enter and mt_group_leave */
   bool busy;
   bool frozen; /* new sources show the state at the time of mt_store_freeze */
   MtStoreMark *marks;
   size_t mark_count;
   bool failed; /* the open step cannot be committed, because of `failure` */
   MtError failure;
   MtBuf record; /* the operations of the open step, in the format of the manifest */
   MtColl **colls;
   size_t coll_count, coll_cap;
   MtColl *last;            /* the last result of mt_store_coll */
   atomic_size_t key_bytes; /* bytes of memory used by the key tables of blocks */
   size_t step_ids;         /* MT_STORE_STEP_IDS, or less in tests */
   const MtCancel *cancel;
   int64_t lock_timeout_ms;
   MtRemoval *removals;
   size_t removal_count;
   uint64_t made; /* how many documents mt_store_increment created in the open step */
   /* How many milliseconds a commit may wait to be synced with other commits. 0: it does not. */
   int64_t delay_ms;
   struct MtMates *mates; /* the stores of this folder in this process; NULL: it never wrote */
   MtGroup *group;        /* the commits that wait to be synced; NULL: no commit ever waited */
};

/* One block of a snapshot. */
typedef struct MtSourceBlock {
   /* the documents; of a block of the store, the first byte behind its header */
   const uint8_t *data;
   /* the store's block; NULL: a block of a read-only file, without checksums and ranges */
   MtStoreBlock *block;
   MtLogged *logged; /* shared; the memory of `data` or `base_data`; NULL: it is mapped */
   MtDeleted *deleted;
   const MtBlockRange *ranges;
   uint32_t range_count;
   const uint8_t *measures; /* ranges of other fields, see measure.c; NULL: none */
   uint32_t measure_bytes;
   uint32_t size, documents;
   /* The following members are for a block of documents that have increments. These documents
    * are built when the block is first read. */
   /* Indexes of the block's documents in MtSource.events. NULL: the block is read as it is
    * stored. */
   const uint32_t *docs;
   /* the block that holds the documents without their increments; NULL: increments created the
    * documents */
   MtStoreBlock *base;
   const uint8_t *base_data;
   uint8_t *made;  /* the memory of `data` if the block was built; owned */
   uint64_t guess; /* estimated size of the built documents */
} MtSourceBlock;

struct MtSource {
   char *name; /* name of the collection, for messages */
   MtSourceBlock *blocks;
   size_t count;
   MtCollStats stats;
   MtColl *coll;         /* shared; NULL for files */
   MtMapped *map;        /* shared; NULL: there are no documents */
   uint64_t map_used;    /* length of the part of `map` that the blocks use */
   MtEvents *events;     /* increments, shared; NULL: none */
   MtBlockRange *ranges; /* bounds of _id for the blocks of documents that increments created */
   MtRunSet *runs;       /* files of sorted keys, shared; NULL: none */
   pthread_mutex_t making;
   const char *fields[MT_STORE_RANGES];
   uint32_t field_count;
   void (*release) (void *owner); /* frees `owner`; for files */
   void *owner;
};

/* ---- io.c ---- */

/* Sets *err from errno: 53100 (disk full), 58P01 (no such file) or 58030 (any other failure).
 * Returns false. */
bool mt_io_error (MtError *err, const char *doing, const char *path);
bool mt_io_write (int fd, const void *p, size_t n, uint64_t at, const char *path, MtError *err);
/* Reads n bytes at offset `at` of the file. Fails with XX001 if the file ends before. */
/* Writes the parts one behind the other. */
bool mt_io_write_parts (int fd, const struct iovec *parts, int count, uint64_t at, const char *path,
                        MtError *err);
bool mt_io_read (int fd, void *p, size_t n, uint64_t at, const char *path, MtError *err);
bool mt_io_sync (int fd, const char *path, MtError *err);
bool mt_io_sync_dir (const char *path, MtError *err);
/* Takes the writer's lock. Fails with 55P03 if another process holds the lock for too long. */
bool mt_store_lock (MtStore *s, MtError *err);
void mt_store_unlock (MtStore *s);

/* ---- store.c ---- */

/* Undoes and ends the open step. Keeps the step's files if it is unknown whether its commit
 * succeeded, because the next start may find the commit complete. */
void mt_store_undo_step (MtStore *s);
/* Releases the writer's lock. Keeps the lock while commits of this process wait to be written,
 * so that no other process can write before them. */
void mt_store_let_go (MtStore *s);
/* Removes the unused files that were marked for removal at least age_ms milliseconds ago. */
void mt_store_remove_old (MtStore *s, int64_t age_ms);
/* Marks the files of a dropped collection for removal. */
void mt_store_remove_files_later (MtStore *s, const MtColl *c);

/* Marks a file for later removal, because readers may be about to open it. Frees `path` later.
 * Does nothing if `path` is NULL. */
void mt_store_remove_later (MtStore *s, char *path);

/* ---- group.c: commits that don't wait for the disk ---- */

/* Writes s->record (the operations of the open step) to the log, so that others see the commit.
 * mt_group_settle makes it durable. *unknown is set if only reopening the store can show whether
 * the commit succeeded. */
bool mt_store_commit_record (MtStore *s, bool *unknown, MtError *err);
/* Checks that no mapped file has lost bytes (XX001). Call it before a commit, because the commit
 * may contain data from the mapped files. */
bool mt_store_is_whole (const MtStore *s, MtError *err);

/* Locks the manifest against other threads until mt_group_leave. */
void mt_group_enter (MtStore *s);
void mt_group_leave (MtStore *s);
/* Writes s->record to the log, without a slot: others see the commit after the store's delay at the
 * latest, when it is durable. The writer's lock must stay held until then. */
bool mt_group_add (MtStore *s, bool *unknown, MtError *err);
/* Makes the last commit durable: at once, or after the store's delay at the latest. */
bool mt_group_settle (MtStore *s, MtError *err);
/* Makes all commits of this process durable now. */
bool mt_group_flush (MtStore *s, MtError *err);
/* Writes the slot of commits that others don't see yet. */
bool mt_group_publish (MtStore *s, MtError *err);
/* Returns whether there are commits that others don't see yet. Call it only between mt_group_enter
 * and mt_group_leave. */
bool mt_group_waiting (const MtStore *s);
void mt_group_close (MtStore *s);

/* ---- mark.c ---- */

/* Removes all marks (savepoints) of the open step except the first `kept` ones. */
void mt_store_forget_marks (MtStore *s, size_t kept);

/* ---- source.c and block.c ---- */

/* Creates a source (a snapshot) without blocks, with room for `room` blocks. */
MtSource *mt_source_new (const char *name, size_t room);
/* Verifies the checksums of the pages that hold the n bytes at offset `from` of the block's
 * documents. Fails with XX001 if a checksum is wrong. */
bool mt_block_verify (const char *name, const MtStoreBlock *b, const uint8_t *data, size_t from,
                      size_t n, MtError *err);
/* The state of a loop over the documents of a block. */
typedef struct MtBlockWalk {
   const char *name; /* name of the collection, for messages */
   const MtStoreBlock *block;
   const uint8_t *data; /* bytes of the block's documents */
   size_t offset;       /* offset of the next document in `data` */
   MtRebuilt *rebuilt;  /* has `data` if the documents are not stored; borrowed */
} MtBlockWalk;

/* Returns the columns of a block, whose first stored byte behind the header is at `stored`. */
MtColumns mt_block_columns (const MtStoreBlock *b, const uint8_t *stored);
/* Begins a loop over the documents of a block. `stored` is the address of the first byte behind its
 * header. *rebuilt is memory for documents that are not stored; the caller frees it after the loop.
 * Fails with 53200. */
bool mt_block_walk (MtBlockWalk *walk, const char *name, const MtStoreBlock *b,
                    const uint8_t *stored, MtRebuilt **rebuilt, MtError *err);
/* Rebuilds the documents from offset *from to *to of a block that is not stored, as mt_rebuild
 * does. Fails with XX001 if its columns are damaged, and with 53200. */
bool mt_block_rebuild (const char *name, const MtStoreBlock *b, MtRebuilt *rebuilt, size_t *from,
                       size_t *to, MtError *err);

/* Reads and verifies the next document of the block, including deleted documents. *doc is NULL
 * at the end. Fails with XX001 if the block is damaged. */
bool mt_block_next (MtBlockWalk *walk, const uint8_t **doc, size_t *len, MtError *err);

#endif
