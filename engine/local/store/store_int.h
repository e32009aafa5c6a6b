/* The private structures of the embedded store. README.md explains them. The formats of the files
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
/* The documents of a block have one checksum for each page of this many bytes. */
#define MT_STORE_PAGE 4096u
/* Blocks smaller than this are merged if there are many in a row. New blocks that are smaller are
 * written to the manifest's log instead of the segment file, so that their commit syncs only one
 * file. */
#define MT_STORE_SMALL (64u << 10)
/* If the small blocks of a step exceed this many bytes, further ones are written to the segment
 * file. */
#define MT_STORE_LOGGED_STEP (256u << 10)
/* Small blocks are moved from the log to the segment file if those of one collection exceed
 * MT_STORE_LOGGED_MOST bytes, or those of the whole store MT_STORE_LOGGED_ALL bytes. */
#define MT_STORE_LOGGED_MOST (128u << 10)
#define MT_STORE_LOGGED_ALL (1u << 20)
/* A block is written when its documents reach about this many bytes. A larger document gets a block
 * of its own. */
#define MT_STORE_BLOCK (1u << 20)
/* A block of at least this size begins at a multiple of MT_STORE_PAGE in the segment file. */
#define MT_STORE_ALIGN_FROM (64u << 10)
/* The maximum number of indexed fields of a collection. More fail with 54000. */
#define MT_STORE_RANGES 16u
/* The maximum number of other top-level fields (measures) of a collection whose value ranges are
 * kept. */
#define MT_STORE_MEASURES 32u
/* The field at a position of a document is guessed from the preceding document. This is the number
 * of such positions. */
#define MT_STORE_SPOTS 48u
/* The maximum number of _ids that an open step (an uncommitted batch) keeps in memory, at 16 to 50
 * bytes each. Further ones are written to disk as a run (a file of sorted keys). */
#define MT_STORE_STEP_IDS (8u << 20)
/* The maximum memory for increments that are not yet written into their documents. */
#define MT_EVENTS_MEMORY ((size_t) 64 << 20)
/* The least and the greatest value of a range are stored with at most this many bytes. A longer
 * value is shortened so that the range still includes all values. */
#define MT_STORE_RANGE_BYTES 64u

/* ---- a block in its segment file ---- */

#define MT_SEGMENT_HEAD 64u
#define MT_BLOCK_HEAD 64u
#define MT_BLOCK_MAGIC "MTBK"

/* The header of a block in its segment file. block.c describes its bytes. */
typedef struct MtBlockHead {
   uint64_t collection;
   /* `size` is the number of bytes of the documents, and `data_at` their offset from the header */
   uint32_t serial, documents, size, data_at;
   bool rebuilt; /* the documents are not stored, but `columns` are */
   MtColumns columns;
   /* hash of the header and of the table of checksums behind it */
   uint64_t hash;
} MtBlockHead;

static inline size_t mt_block_pages (uint32_t size)
{
   return (size + (size_t) MT_STORE_PAGE - 1) / MT_STORE_PAGE;
}
/* Decodes the header of a block. Returns false if the bytes are no header, or if its numbers
 * contradict each other. Does not check the header's hash. */
bool mt_block_head_read (const uint8_t p[MT_BLOCK_HEAD], MtBlockHead *out);
/* Returns the hash of a block's header at p and of the table of checksums behind it, which has
 * `pages` entries. */
uint64_t mt_block_head_hash (const uint8_t *p, size_t pages);
/* Returns the checksum of page number `page` of a block's documents. `data` has all of them, `size`
 * bytes. */
uint32_t mt_block_page_sum (const uint8_t *data, uint32_t size, size_t page);
/* The offset of the checksum of page number `page` from the beginning of the block's header. */
#define MT_BLOCK_SUM_AT(page) (MT_BLOCK_HEAD + 4 * (size_t) (page))

/* ---- what a collection holds ---- */

/* The least and the greatest value of one field in one block. `kept` false: the block has no range
 * for the field. */
typedef struct MtBlockRange {
   bool kept;
   MtVal min, max;
} MtBlockRange;

/* A bitmap of the deleted documents of a block. Snapshots share it. If a snapshot uses it, a writer
 * changes a copy. */
typedef struct MtDeleted {
   atomic_uint refs;
   uint32_t count;
   uint64_t bytes;     /* total size of the deleted documents */
   uint32_t documents; /* number of documents in the block */
   uint8_t bits[];
} MtDeleted;

/* The common beginning of the two structures that find documents of a block by a field: a key table
 * (keys.c) and marks (part.c). A finder never changes, and is freed with the collection. */
typedef struct MtFinder {
   struct MtFinder *next;  /* that of the same block for the next field */
   struct MtFinder *older; /* the next entry in the list of all finders of the collection */
   uint32_t field;
} MtFinder;

typedef struct MtIdMarks MtIdMarks; /* places of some _ids in a sorted block, see order.c */

typedef enum MtIdOrder { MT_IDS_UNKNOWN, MT_IDS_ASCEND, MT_IDS_MIXED } MtIdOrder;

/* The documents of a small block that is written to the log instead of the segment file. Snapshots
 * share them. */
typedef struct MtLogged {
   atomic_uint refs;
   uint8_t bytes[];
} MtLogged;

typedef struct MtStoreBlock {
   /* the documents of a block that is in the log; then `offset` and `data_at` are 0. NULL: the
    * block is in the segment file */
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
   bool rebuilt;             /* only the columns are stored; see mt_rebuild */
   MtColumns columns;        /* behind the documents; its `p` is not used */
   MtColumnsSeen columns_ok; /* which columns are verified, see mt_columns_find */
   MtDeleted *deleted;       /* documents whose deletion is committed; NULL: none */
   uint8_t *pending;         /* bitmap of the documents deleted in the open step; NULL: none */
   MtIdOrder id_order;       /* whether the documents are sorted by _id */
   /* places of some documents of a block that is sorted by _id; NULL: the block was not searched
    * yet */
   MtIdMarks *id_marks;
   /* The deleted documents as sources within the open step (an uncommitted batch) see them:
    * `deleted` and those deleted in the step. NULL: the step has deleted none. */
   MtDeleted *seen;
   atomic_uchar head_ok;
   atomic_uchar *page_ok;
   atomic_uchar looked_up; /* a look-up has read this block */
   atomic_uchar narrowed;  /* mt_block_part was called for this block before */
   /* lists of the block's key tables, and of its marks; usually one element for each field that was
    * searched */
   _Atomic (MtFinder *) keys, marks;
} MtStoreBlock;

/* Returns the number of bytes of documents in the segment file; 0 if the block stores only columns
 * (the values of each field together). */
static inline uint32_t mt_block_stored (const MtStoreBlock *b) { return b->rebuilt ? 0 : b->size; }
/* Returns the offset of the block's columns in the segment file. */
static inline uint64_t mt_block_columns_at (const MtStoreBlock *b)
{
   return (b->offset + b->data_at + mt_block_stored (b) + 7) & ~UINT64_C (7);
}
/* Returns the offset in the segment file where the block and its columns (the values of each field
 * together) end; 0 for a block in the log. */
static inline uint64_t mt_block_end (const MtStoreBlock *b)
{
   if (b->logged)
      return 0;
   return b->columns.bytes ? mt_block_columns_at (b) + b->columns.bytes
                           : b->offset + b->data_at + b->size;
}

/* The guess for one position of a document: the key that the preceding document has there. */
typedef struct MtSpot {
   uint64_t mask, low; /* mask and value of the key's first 8 bytes */
   uint64_t last;      /* the last 8 bytes, if it is longer */
   char key[32];
   size_t key_bytes; /* with the NUL; 0: not known yet */
   int8_t field;     /* number of the indexed field; from MT_STORE_RANGES on: of the measure */
} MtSpot;

/* The value range of a measure (a number or date without an index) in the block that is being
 * filled. */
typedef struct MtMeasure {
   const char *name; /* in the collection's arena */
   bool any;         /* `range` has a value */
   bool nulls, nans; /* there are null or missing values; there are NaNs */
   bool lost;        /* there are values that have no range */
   MtBlockRange range;
} MtMeasure;

/* Computes the value ranges of measures (numbers and dates without an index) while a block is
 * filled. */
typedef struct MtMeasuring {
   MtMeasure measures[MT_STORE_MEASURES]; /* their names are kept from block to block */
   uint32_t measure_count;
   MtSpot spots[MT_STORE_SPOTS];
} MtMeasuring;

/* The last block of a collection, which is being filled in memory and is not yet written. */
typedef struct MtBlockBuilder {
   uint8_t *data;
   size_t cap, n;
   uint32_t documents;
   MtBlockRange ranges[MT_STORE_RANGES]; /* the bounds borrow from `data` */
   bool any[MT_STORE_RANGES];            /* whether the field's range in `ranges` has a value yet */
   MtMeasuring *measuring;               /* NULL: no document was taken yet; owned */
   bool ids_ascend;
   /* Bitmap of documents of this block that the open step (an uncommitted batch) has deleted. It
    * has room for all documents that fit into `cap` bytes. NULL: none. */
   uint8_t *pending;
} MtBlockBuilder;

/* The block that was filled last, while its columns are made. A load makes them in a thread, and
 * fills the next block meanwhile. */
typedef struct MtBlockMaking {
   /* in the collection's list, but not written yet, and without its place; NULL: none */
   MtStoreBlock *block;
   uint8_t *data; /* the block's documents; owned */
   size_t cap;
   MtBlockHead head;
   MtColumnMaker *columns; /* NULL: no block was written yet; owned */
   pthread_t thread;
   bool running; /* the thread must be joined; until then it uses the members above */
} MtBlockMaking;

typedef struct MtIdEntry {
   uint32_t hash;   /* hash of the _id by mt_key_hash */
   uint32_t serial; /* number of the block; UINT32_MAX: the entry is free */
   uint32_t offset; /* offset of the document in its block */
   uint32_t ordinal;
} MtIdEntry;

/* The document found by a search by _id, and its place. */
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
   /* The mapping of the segment file, shared with snapshots. It can be longer than the file, so
    * that the file can grow without a new mapping. */
   MtMapped *map;
   uint64_t map_seen;  /* size of the file when it was last checked */
   MtRebuilt *rebuilt; /* documents of the block in which one was searched last; NULL: none */
   /* length of the segment file including the open step's writes, and at the last commit */
   uint64_t length, committed_length;
   uint64_t logged_bytes; /* of the blocks in the log */

   MtStoreBlock **blocks; /* all blocks, in the order of the documents */
   size_t block_count, block_cap, committed_blocks;
   /* the blocks by serial number; NULL: the block was merged into another one */
   MtStoreBlock **serials;
   uint32_t serial_count, serial_cap, committed_serials;
   MtStoreBlock **merged; /* blocks that the open step merged into others */
   size_t merged_count;
   size_t before_cap;
   /* copy of `blocks` from before the open step's first merge of blocks, for a rollback; NULL: no
    * merge */
   MtStoreBlock **before;

   const char *fields[MT_STORE_RANGES]; /* the indexed fields; the first is "_id" */
   uint32_t field_count, committed_fields;

   MtBlockBuilder builder;
   MtBlockMaking making;
   MtIdIndex *index;             /* the hash table of _ids; NULL: not built, or out of date */
   _Atomic (MtFinder *) finders; /* a linked list of those of all blocks, also of removed ones */
   MtRunSet *runs;               /* the files of sorted keys; NULL: none */
   /* Number of bytes that the step has added. Only set while the step is being committed.
    * UINT64_MAX: the step has indexed further fields. */
   uint64_t grown;
   MtGone *gone; /* documents deleted in the open step */
   size_t gone_count, gone_cap;
   /* How many elements of `blocks` and `gone` are visible to new sources: the committed ones, or
    * those at the last mt_store_see. */
   size_t seen_blocks, seen_gone;
   bool created, dropped; /* created or dropped in the open step */

   MtEvents *events; /* increments that are not yet written into their documents; NULL: none */
   /* Committed increments that are not applied to `events` yet. Each is a length n (4 bytes)
    * followed by n bytes of an operation MT_OP_EVENTS. */
   MtBuf event_queue;
   size_t queue_at;
   MtBuf event_log;                /* increments of the open step, as its commit logs them */
   uint32_t path_refs, path_round; /* for numbering the paths of fields in event_log */
   MtEventUndo *undo;              /* how to undo the changes of the open step to `events` */
   size_t undo_count, undo_cap;
   bool catching_up;
   /* The open step (an uncommitted batch) has written all increments into their documents. So its
    * further increments change the documents directly. */
   bool folded;
   bool seen_folded; /* the value of `folded` that new sources see */
   /* The segment file was prepared for this step's writes: uncommitted bytes of earlier steps are
    * truncated. */
   bool writing;
   bool packs;  /* the commit of the open step packs the collection */
   bool tailed; /* in the open step, a return to a mark left unused bytes behind `length` */
   /* bytes appended since the system was last asked to start writing the file to disk */
   uint64_t unsynced;
} MtColl;

/* The lengths of a collection's lists at a savepoint. Returning to the savepoint removes all
 * elements behind these lengths. */
typedef struct MtMarkColl {
   /* Borrowed. It stays valid: a collection is freed only when a step ends, or when the step
    * returns to a savepoint before the collection's creation. */
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

/* A file that is no longer used. It is removed later, because another process may be about to open
 * it. */
typedef struct MtRemoval {
   char *path;
   int64_t since_ms;
   uint64_t seq; /* the commit that replaced the file; the file stays until this is durable */
} MtRemoval;

struct MtStore {
   char *path; /* the store's folder; NULL: a temporary store */
   bool read_only, temporary;
   /* It is unknown whether the last commit succeeded, so nothing more can be written. */
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
   /* If the record of the last commit is damaged, its number; else 0. Then the store can only be
    * read. */
   uint64_t lost_seq;
   /* If a power loss left the last commits incomplete, the number of the newest commit that a head
    * slot names; else 0. The next step truncates the log before the incomplete records. */
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
   /* the last commit that is certainly synced, and the end of its record in the log */
   uint64_t synced_seq, synced_end;
   MtError warning; /* the damage that was found when the store was opened; see mt_store_warning */
   uint64_t committed_next_id;
   bool in_step;
   /* A step is open, so the writer's lock must be kept. Changed only between mt_group_enter and
    * mt_group_leave. */
   bool busy;
   bool frozen; /* new sources show the state at the time of mt_store_freeze */
   MtStoreMark *marks;
   size_t mark_count;
   bool failed; /* the open step cannot be committed, because of `failure` */
   MtError failure;
   MtBuf record; /* the operations of the open step, as the manifest stores them */
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
   /* For how many milliseconds a commit may wait to be synced together with others. 0: it is synced
    * at once. */
   int64_t delay_ms;
   struct MtMates *mates; /* the stores of this folder in this process; NULL: it never wrote */
   MtGroup *group;        /* the commits that wait to be synced; NULL: no commit ever waited */
};

/* One block of a snapshot (MtSource). */
typedef struct MtSourceBlock {
   /* the documents; NULL until they are needed if they have increments. In a block of the store,
    * the first byte behind the header */
   const uint8_t *data;
   /* the block in the store; NULL: the block belongs to a read-only file (no checksums, no ranges),
    * or its documents have increments */
   MtStoreBlock *block;
   MtLogged *logged; /* shared; the memory of `data` or `base_data`; NULL: it is mapped */
   MtDeleted *deleted;
   const MtBlockRange *ranges;
   uint32_t range_count;
   const uint8_t *measures; /* ranges of other fields, see measure.c; NULL: none */
   uint32_t measure_bytes;
   uint32_t size, documents;
   /* The following members are for a block whose documents have increments. These documents are
    * built when the block is first read. */
   /* Numbers of the block's documents in MtSource.events. NULL: the documents have no
    * increments. */
   const uint32_t *docs;
   /* the block that stores these documents without their increments; NULL: increments created the
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

/* Sets *err to the system's error errno: 53100 (disk full), 58P01 (no such file) or 58030 (any
 * other). `doing` is the failed action ("open"). Returns false. */
bool mt_io_error (MtError *err, const char *doing, const char *path);
bool mt_io_write (int fd, const void *p, size_t n, uint64_t at, const char *path, MtError *err);
/* Writes `count` parts of memory one after the other at offset `at` of the file. mt_io_read reads n
 * bytes at offset `at`, and fails with XX001 if the file ends before. */
bool mt_io_write_parts (int fd, const struct iovec *parts, int count, uint64_t at, const char *path,
                        MtError *err);
bool mt_io_read (int fd, void *p, size_t n, uint64_t at, const char *path, MtError *err);
bool mt_io_sync (int fd, const char *path, MtError *err);
bool mt_io_sync_dir (const char *path, MtError *err);
/* Takes the writer's lock, and waits for it up to the lock timeout. Fails with 55P03 if another
 * process still has it. */
bool mt_store_lock (MtStore *s, MtError *err);
void mt_store_unlock (MtStore *s);

/* ---- store.c ---- */

/* Rolls back the open step (an uncommitted batch). Keeps the step's files if it is unknown whether
 * its commit succeeded, because the manifest may refer to them when the store is opened again. */
void mt_store_undo_step (MtStore *s);
/* Releases the writer's lock, unless commits of this process are still hidden from other processes:
 * no other process may write before them. */
void mt_store_let_go (MtStore *s);
/* Removes files that were marked for removal at least age_ms milliseconds ago. */
void mt_store_remove_old (MtStore *s, int64_t age_ms);
/* Marks the files of a dropped collection for later removal. */
void mt_store_remove_files_later (MtStore *s, const MtColl *c);

/* Marks a file for removal later, because readers may be about to open it. Takes ownership of
 * `path`. Does nothing if `path` is NULL. */
void mt_store_remove_later (MtStore *s, char *path);

/* ---- group.c: commits that don't wait for the disk ---- */

/* Writes s->record (the operations of the open step, an uncommitted batch) to the log, where other
 * processes see the commit. mt_group_settle makes it durable. After an error, *unknown is set if it
 * is unknown whether the commit succeeded; then the store must be opened again. */
bool mt_store_commit_record (MtStore *s, bool *unknown, MtError *err);
/* Checks that no mapped file has been truncated since it was mapped (XX001). Call it before a
 * commit, which may contain data copied from the mapped files. */
bool mt_store_is_whole (const MtStore *s, MtError *err);

/* Locks the manifest against the sync thread and other threads until mt_group_leave. */
void mt_group_enter (MtStore *s);
void mt_group_leave (MtStore *s);
/* Writes s->record to the log, but not the head slot. Other processes see the commit when it is
 * synced, after the store's delay (delay_ms) at the latest. Until then the writer's lock must be
 * kept. */
bool mt_group_add (MtStore *s, bool *unknown, MtError *err);
/* Makes the last commit durable: at once if the store has no delay, and otherwise the sync thread
 * does it within the delay. */
bool mt_group_settle (MtStore *s, MtError *err);
/* Syncs all commits of this process that are not durable yet. */
bool mt_group_flush (MtStore *s, MtError *err);
/* Writes the head slot, so that other processes see commits that mt_group_add has hidden from
 * them. */
bool mt_group_publish (MtStore *s, MtError *err);
/* Returns whether there are commits that other processes don't see yet. Call it only between
 * mt_group_enter and mt_group_leave. */
bool mt_group_waiting (const MtStore *s);
void mt_group_close (MtStore *s);

/* ---- mark.c ---- */

/* Removes the savepoints of the open step (an uncommitted batch), except the first `kept` ones. The
 * writes are kept. */
void mt_store_forget_marks (MtStore *s, size_t kept);

/* ---- source.c and block.c ---- */

/* Returns a new source (snapshot of a collection) without blocks, with room for `room` blocks. */
MtSource *mt_source_new (const char *name, size_t room);
/* Verifies the checksums of the pages with the n bytes at offset `from` of the block's documents,
 * as far as they are not verified yet. Fails with XX001 if a checksum is wrong. */
bool mt_block_verify (const char *name, const MtStoreBlock *b, const uint8_t *data, size_t from,
                      size_t n, MtError *err);
/* A loop over the documents of a block (mt_block_walk, mt_block_next). */
typedef struct MtBlockWalk {
   const char *name; /* name of the collection, for messages */
   const MtStoreBlock *block;
   const uint8_t *data;   /* bytes of the block's documents */
   size_t offset;         /* offset of the next document in `data` */
   MtRebuilt *rebuilt;    /* has `data` if the documents are not stored; borrowed */
   const uint8_t *stored; /* the first byte behind the block's header */
} MtBlockWalk;

/* Returns the columns of a block (the values of each field together). `stored` is the address of
 * the first byte behind the block's header. */
MtColumns mt_block_columns (const MtStoreBlock *b, const uint8_t *stored);
/* Begins a loop over the documents of a block. `stored` is the address of the first byte behind the
 * block's header. If the documents must be rebuilt from columns, *rebuilt gets their memory, which
 * the caller frees after the loop by mt_rebuilt_free. Fails with 53200. */
bool mt_block_walk (MtBlockWalk *walk, const char *name, const MtStoreBlock *b,
                    const uint8_t *stored, MtRebuilt **rebuilt, MtError *err);
/* Rebuilds documents from offset *from to *to of a block that stores only columns (the values of
 * each field together), as mt_rebuild does. Fails with XX001 if a column is damaged, and with
 * 53200. */
bool mt_block_rebuild (const char *name, const MtStoreBlock *b, MtRebuilt *rebuilt, size_t *from,
                       size_t *to, MtError *err);

/* Returns in *doc the next document of the block, verified; deleted documents are included. *doc is
 * NULL at the end of the block. Fails with XX001 if the block is damaged. */
bool mt_block_next (MtBlockWalk *walk, const uint8_t **doc, size_t *len, MtError *err);

/* A loop over the values of a field in the documents of a block. */
typedef struct MtFieldWalk {
   MtBlockWalk documents;
   const char *field;
   /* The field's column, and the offsets of the documents (mt_columns_offsets). NULL: the values
    * come from the documents. */
   const uint8_t *offsets;
   MtStoredColumn column;
   uint32_t next; /* the number of the next document */
   /* the document of the current value, and the value, which is borrowed until the next one */
   uint32_t ordinal, offset;
   MtVal value;
} MtFieldWalk;

/* Returns the beginning of a loop over the values of a field. The values come from the field's
 * column if the documents are not stored. walk: from mt_block_walk; borrowed are its members. */
MtFieldWalk mt_field_walk (const MtBlockWalk *walk, const char *field);
/* Moves on to the next document, and sets *end if there is none. Fails with XX001 if the block is
 * damaged, and with 53200. */
bool mt_field_next (MtFieldWalk *f, bool *end, MtError *err);

#endif
