/* The engine interface: collections of BSON documents, and pipelines over them. Knows BSON and no
 * SQL.
 *
 * Two implementations: `local` (in process: an embedded store, dump folders, .bson and .jsonl
 * files) and `mongo` (libmongoc; the only folder that includes it). Both are reached through the
 * functions here. An engine is used by one thread; only mt_engine_cancel's flag may be set from
 * elsewhere. */
#ifndef MT_ENGINE_H
#define MT_ENGINE_H

#include "base/cancel.h"
#include "base/error.h"
#include "base/value.h"

typedef struct MtEngine MtEngine;
typedef struct MtCursor MtCursor;
typedef struct MtOpRow MtOpRow;

typedef struct MtEngineOptions {
   bool read_only;
   bool create;            /* local store: make it when missing */
   unsigned threads;       /* local: 0 = number of processors */
   size_t work_mem;        /* bytes that one blocking stage may hold; 0 = 256 MiB */
   const char *app_name;   /* mongo: handshake */
   const char *password;   /* mongo: of the URI's user, where the URI has none */
   const MtCancel *cancel; /* mongo: ends the attempt to connect, 57014; as mt_engine_set_cancel.
                              NULL: nothing does */
} MtEngineOptions;

typedef struct MtCaps {
   const char *engine; /* "local" or "mongo" */
   char version[64];   /* the server's, or the library's */
   bool read_only;
   bool atomic_write;   /* mt_engine_begin … commit spans collections and is all or nothing, up to
                            atomic_bytes */
   size_t atomic_bytes; /* of what a step inserts; SIZE_MAX: any size */
   bool transactions;   /* several steps can be one: mt_engine_txn_begin */
   bool pieces;         /* steps can be undone together: mt_engine_txn_in_pieces */
   bool savepoints;     /* and can be undone in part; a step that fails undoes only itself */
   bool snapshots;      /* mt_engine_txn_freeze */
   bool local_operators; /* runs operators registered with mt_engine_register_ops ($_mt…) */
   bool increments;      /* mt_engine_increment, with which several writers at once lose nothing */
   bool fresh_fields;    /* MtIncrement.fresh */
   bool fresh_slots;     /* MtIncrement.slots */
   bool adjusts;         /* mt_engine_adjust */
   bool router;          /* of a sharded cluster: mt_engine_shard */
   bool unique_indexes;  /* mt_engine_create_unique_index, mt_engine_insert_absent,
                            mt_engine_replace_same */
   size_t increment_bytes; /* a document that isn't there is better inserted than made of more than
                              so much; SIZE_MAX: no, others may make it meanwhile */
   bool bytes_touched;     /* fills MtStageStats.bytes */
   bool finds_beside;      /* mt_cursor_beside may know */
   bool exact_stats; /* MtCollStats.documents is the number of documents now, and no estimate of
                        before */
   /* Stages and operators that it lacks, by name, NULL-terminated ("$densify", …); from probing. */
   const char *const *lacking;
} MtCaps;

/* In `lacking`: {$unionWith: {pipeline: [{$documents: …}, …]}}, without a collection. */
#define MT_UNION_WITH_DOCUMENTS "$unionWith $documents"
/* Another collection's documents behind a pipeline's own. */
#define MT_UNION_WITH_COLLECTION "$unionWith collection"
/* Decimals that are equal, 1.5 and 1.50, as one key of a $group. */
#define MT_GROUP_OF_DECIMALS "$group decimals"

/* Whether `name` is in lacking. */
bool mt_caps_lack (const MtCaps *caps, const char *name);

/* What a target is: "mongodb://…" and "mongodb+srv://…" go to mongo; a folder with a store's
 * manifest (or a path that doesn't exist, with create) is an embedded store; other folders, .bson,
 * .json, .jsonl files are read-only collections. target NULL: a temporary store, removed on
 * close. */
bool mt_engine_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                     MtError *err);
void mt_engine_close (MtEngine *e); /* NULL is allowed */
/* With what a target was opened nevertheless: a store's damage, or files of a folder that were left
 * out. Message and hint; NULL: nothing. Borrowed from the engine. */
const MtError *mt_engine_warning (const MtEngine *e);

/* One collection of a salvaged store. */
typedef struct MtSalvaged {
   const char *collection; /* borrowed */
   uint64_t saved, lost;   /* documents; lost: as far as it is known */
   uint64_t damaged_blocks;
   bool increments_lost; /* increments that documents didn't have yet */
} MtSalvaged;

typedef struct MtSalvageOptions {
   const char *from, *to;  /* folders; `to` must not exist */
   const MtCancel *cancel; /* borrowed, as progress; NULL: none */
   const MtProgress *progress;
   void (*report) (void *ctx, const MtSalvaged *one); /* once for each collection */
   void *ctx;
} MtSalvageOptions;

/* Makes a new store of everything in a damaged one that can be verified. *lost_commits: commits
 * that can't be read; deleted or replaced documents may be there again then. On an error there is
 * no new store: 58P01 (no folder), 42710 (`to` exists), XX001 (nothing of a store is there), 53100,
 * 57014. */
bool mt_store_salvage (const MtSalvageOptions *o, uint64_t *lost_commits, MtError *err);
const MtCaps *mt_engine_caps (const MtEngine *e);

/* The flag and the deadline that all later operations of this engine obey; borrowed, NULL: none. */
void mt_engine_set_cancel (MtEngine *e, const MtCancel *cancel);
void mt_engine_set_progress (MtEngine *e, const MtProgress *progress);
void mt_engine_set_work_mem (MtEngine *e, size_t bytes);
void mt_engine_set_threads (MtEngine *e, unsigned threads); /* local: of what runs from now on */
/* local: how long a step waits for another process to end its own; 0: not at all. */
void mt_engine_set_lock_timeout (MtEngine *e, int64_t ms);

/* ---- temporary collections ---- */

/* Collections whose names begin so live in a store of the engine's own, in process, until it is
 * closed: nobody else sees them, nothing of them is in the target, and a process that is killed
 * leaves nothing. Pipelines have them beside the target's. */
#define MT_TEMPORARY "pg_temp."
bool mt_is_temporary (const char *collection); /* NULL is none */
/* Makes that store, once. A read-only target can have one. */
bool mt_engine_keep_temporary (MtEngine *e, MtError *err);
/* While `on`, steps are the temporary store's alone, and mt_engine_caps is about it; the target
 * isn't locked. Not within a step. A transaction is both stores' in any case, and a step of the
 * target has what it writes to temporary collections in it. */
void mt_engine_aim_temporary (MtEngine *e, bool on);
/* That store, for its places in a transaction; NULL: there is none. Borrowed. */
MtEngine *mt_engine_temporary (MtEngine *e);
const MtCaps *mt_engine_target_caps (const MtEngine *e); /* wherever steps are aimed at */

/* ---- reading ---- */

struct MtRunStats;

/* What a stage runs a pipeline for. */
typedef enum MtWithin {
   MT_WITHIN_ONCE, /* the other side's documents; $_mtApply: for each document, over what is kept */
   MT_WITHIN_KEPT, /* $_mtApply: what is the same for each document, and kept */
   MT_WITHIN_DIRECT, /* $_mtApply: for each document, over the collection */
   MT_WITHIN_COUNT
} MtWithin;

typedef struct MtStageStats {
   const char *stage; /* "$match", "$group", … or the fused form "$unwind" */
   size_t at;         /* which stage of the pipeline */
   uint64_t docs_in;
   uint64_t docs_out;
   uint64_t bytes;   /* of stored documents that this stage stepped on (a skipped sub-document adds
                        its header only) */
   uint64_t us;      /* time in the stage itself; summed over threads */
   uint64_t spilled; /* bytes that went to temporary files */
   const struct MtRunStats *within[MT_WITHIN_COUNT]; /* all runs of such a pipeline, added up; NULL:
                                                        there was none, or it isn't counted */
} MtStageStats;

typedef struct MtRunStats {
   uint64_t docs_read;    /* stored documents looked at */
   uint64_t docs_skipped; /* malformed ones, when the caller asked to skip */
   uint64_t bytes_read;   /* bytes touched of them */
   uint64_t bytes_total;  /* size of the collections read */
   uint64_t blocks_read, blocks_pruned;
   uint64_t
      collections; /* that were opened; of a server's only those that a pipeline begins with */
   uint64_t us;
   const MtStageStats *stages; /* borrowed from the cursor */
   size_t stage_count;
   size_t length;      /* of the pipeline, in stages */
   uint64_t docs_in;   /* that came into its first stage */
   uint64_t source_us; /* time in giving them */
} MtRunStats;

/* A document of another collection that the same command may find. */
typedef struct MtBeside {
   const char *collection;
   MtVal id;
} MtBeside;

typedef struct MtAggregateArgs {
   const char *collection; /* NULL: no collection (pipelines that begin with $documents) */
   const bson_t *pipeline; /* an array of stages: {"0": {…}, …} */
   const bson_t *options;  /* NULL; mongo: extra command fields (hint, maxTimeMS, comment) */
   bool want_stats;        /* count and time each stage */
   const MtBeside *beside; /* NULL, or what mt_cursor_beside gives; borrowed until this returns */
   struct MtSharedRows *shared; /* NULL, or what the pipelines of one statement compute once
                                   (below); it outlives the cursor */
} MtAggregateArgs;

/* Runs a pipeline. Owned by the caller: mt_cursor_free. Errors of the pipeline itself carry
 * MongoDB's text under 0A000 (unknown stage or operator) or 22023 (bad arguments); data errors
 * their SQLSTATE (22012, 22003, …). */
bool mt_engine_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);

/* Next document, borrowed until the next call; *doc = NULL at the end. */
bool mt_cursor_next (MtCursor *c, const bson_t **doc, MtError *err);
/* Before the first mt_cursor_next: runs the pipeline, and gives the document that args.beside asked
 * for, as it was then or a moment before or after; NULL: there is none. *known false: it didn't
 * come with the answer (as in process, where pipelines of this kind gave many documents or weren't
 * met so far, and where the answer has a second batch) and is to be found by itself. Borrowed until
 * the cursor is freed. */
bool mt_cursor_beside (MtCursor *c, bool *known, const bson_t **doc, MtError *err);
void mt_cursor_stats (MtCursor *c, MtRunStats *out); /* complete once the end was reached */
void mt_cursor_free (MtCursor *c);

/* Runs a pipeline of the local executor over documents that `next` supplies (another engine's
 * cursor, a list): how the rest of a plan runs that a server can't. Owned by the caller. */
typedef bool (*MtNextDoc) (void *ctx, const bson_t **doc, MtError *err);
bool mt_local_aggregate_over (MtNextDoc next, void *ctx, const bson_t *pipeline,
                              const MtCancel *cancel, MtCursor **out, MtError *err);

/* The rows of $_mtWith stages, by their names. The first pipeline that reads them computes them;
 * the others, also later ones, read the same rows. Lives as long as arena `a`, as do its rows. */
typedef struct MtSharedRows MtSharedRows;
MtSharedRows *mt_shared_rows_new (MtArena *a);

/* The same with this engine's registered operators, cancelling and memory. shared: as in
 * MtAggregateArgs. */
bool mt_engine_aggregate_over (MtEngine *e, MtNextDoc next, void *ctx, const bson_t *pipeline,
                               bool want_stats, MtSharedRows *shared, MtCursor **out, MtError *err);

/* ---- what there is ---- */

typedef struct MtCollStats {
   uint64_t documents;
   uint64_t bytes;        /* of the documents as BSON */
   uint64_t stored_bytes; /* on disk; 0: not known */
} MtCollStats;

/* Names of collections, sorted, in arena `a`. */
bool mt_engine_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                            MtError *err);
bool mt_engine_has_collection (MtEngine *e, const char *name, bool *has, MtError *err);
/* Whether the collection has a collation of its own, and what is read of it is asked for with
 * {collation: {locale: "simple"}}; so far as the engine has looked at it. */
bool mt_engine_is_collated (MtEngine *e, const char *collection);
bool mt_engine_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
/* Whether there is any document, with as little as tells it; not in a missing collection. What the
 * step wrote counts. */
bool mt_engine_has_documents (MtEngine *e, const char *collection, bool *has, MtError *err);

/* The indexes as a list of {v, key, name, …}, as a server lists them; that on _id alone where the
 * engine has no others. In arena `a`. */
bool mt_engine_indexes (MtEngine *e, MtArena *a, const char *collection, bson_t **out,
                        MtError *err);

/* ---- writing ---- */

/* Everything between begin and commit is one step: seen by others at commit and not at all after
 * rollback or a crash, where caps.atomic_write; on a server without transactions begin and rollback
 * undo what they can by the batch's ids and say so in the error otherwise. Calls outside begin …
 * commit are their own step. */
bool mt_engine_begin (MtEngine *e, MtError *err);
bool mt_engine_commit (MtEngine *e, MtError *err);
void mt_engine_rollback (MtEngine *e);
/* Waits for what other threads send of the step. False with its error when some of it failed,
 * before anything that the caller fails by, and no call said so. */
bool mt_engine_sent (MtEngine *e, MtError *err);
/* Whether the error of the open step's last call is of documents that calls before it gave, or may
 * be. */
bool mt_engine_failed_late (const MtEngine *e);
/* After a rollback: the quoted names of collections in which documents of the step may remain, or
 * what it took away is missing; NULL: none. Borrowed until the next step. */
const char *mt_engine_leftover (const MtEngine *e);
/* The documents of these _ids (an array; NULL or empty: no more) get a greater number at `path`
 * every two seconds from now on, as signs of life; those that are gone are not made again. Always
 * the same collection and path. A rollback while one is gone takes no more away from collections
 * that its step made than what can be nobody else's: others, who took the step for dead, may have
 * dropped them, and made them again. Where a rollback goes on when mt_engine_rollback has returned,
 * it removes these documents at its end, if nothing of the step remains. */
void mt_engine_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes the documents that are listed. Where the statement is to end, and the server takes long
 * for it, that goes on when this has returned. Only outside of steps and transactions. */
void mt_engine_retire (MtEngine *e);

/* A transaction: the steps between begin and commit (or rollback) are one. Each sees what those
 * before it wrote, nobody else does; the engine is asked for a writer's lock by the first. A step
 * that is rolled back undoes itself only where caps.savepoints; elsewhere nothing but a rollback of
 * the whole is left, and mt_engine_txn_commit is an error (40000). Where !caps.transactions steps
 * are refused between these calls (0A000). */
bool mt_engine_txn_begin (MtEngine *e, MtError *err);
bool mt_engine_txn_commit (MtEngine *e, MtError *err);
void mt_engine_txn_rollback (MtEngine *e);
bool mt_engine_in_txn (const MtEngine *e);
/* From here on the transaction's steps are committed one by one, and others see them. Its rollback
 * undoes all of them; collections that they dropped go with its commit. 0A000 once the transaction
 * has written. Only where caps.pieces. mt_engine_in_txn is false then. */
bool mt_engine_txn_in_pieces (MtEngine *e, MtError *err);
bool mt_engine_in_pieces (const MtEngine *e);
/* While `on`, single calls are no part of a transaction in pieces: they stay when it is undone. */
void mt_engine_set_apart (MtEngine *e, bool on);
/* Whether it has written (or tried to): it holds what others wait for. */
bool mt_engine_txn_wrote (const MtEngine *e);
/* All reading until its end is as of now. 40001 for a step once others committed. Only where
 * caps.snapshots. */
bool mt_engine_txn_freeze (MtEngine *e, MtError *err);
/* What is read sees from now on what the open step has written; it does anyway on a server. */
bool mt_engine_see (MtEngine *e, MtError *err);
/* A place in a transaction, between two steps, to return to; 0 is a place, too. Letting go of one
 * lets go of those after it; so does returning, but for itself. Only where caps.savepoints. */
bool mt_engine_mark (MtEngine *e, size_t *mark, MtError *err);
void mt_engine_return (MtEngine *e, size_t mark);
void mt_engine_unmark (MtEngine *e, size_t mark);
/* Makes a lost connection again: 08001 when that fails. Every call does so by itself outside of
 * steps. */
bool mt_engine_reconnect (MtEngine *e, MtError *err);

bool mt_engine_create_collection (MtEngine *e, const char *name,
                                  MtError *err); /* 42P07 when it exists */
/* Shards an empty collection by a key, {path: 1 or "hashed", …}. Only with caps.router. */
bool mt_engine_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);
/* Makes a collection and an ascending index (count 0: none) where they are missing. On a server
 * they stay when the step is rolled back, as others may write there by then. */
bool mt_engine_ensure_collection (MtEngine *e, const char *name, const char *const *paths,
                                  size_t count, bool unique, MtError *err);
/* A collection that mt_engine_ensure_collection made is the open step's alone: its rollback drops
 * it. */
void mt_engine_own_collection (MtEngine *e, const char *name);
bool mt_engine_drop_collection (MtEngine *e, const char *name,
                                MtError *err); /* a missing one is no error */

/* A time-series collection, as a server keeps them: documents of one record each, which it packs
 * into buckets by itself. */
typedef struct MtTimeseries {
   const char *time, *meta; /* fields; meta NULL: none */
   const char *granularity; /* "seconds", "minutes", "hours"; NULL: the server's default */
   int64_t expire_after_s;  /* -1: never */
} MtTimeseries;
/* 0A000 where the server has none, which it may say or pass over in silence. In process it is a
 * collection like any other, of which nothing expires (0A000). */
bool mt_engine_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                  MtError *err);
/* What the collection was made as, in arena `a`; *out NULL: no time-series collection. */
bool mt_engine_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                           MtError *err);
/* What the open step writes from here on isn't part of a transaction: servers take no writes to
 * time-series collections in one. 0A000 in a block. */
bool mt_engine_beside_transaction (MtEngine *e, MtError *err);

/* Appends documents; buffered by the engine into batches. A document without _id gets an ObjectId
 * first. 23505 for an _id that exists when check_ids (else the caller promises fresh ids), 54000
 * for one over 16 MiB. */
bool mt_engine_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                       MtError *err);
/* An ObjectId for a document that is to be inserted: no other engine gives it. They ascend, but for
 * their counter's end, once in 16 million. */
void mt_engine_new_id (MtEngine *e, bson_oid_t *out);
/* Replaces the document with doc's _id; inserts it when there is none (upsert). */
bool mt_engine_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
typedef struct MtIncrement {
   const bson_t
      *amounts;         /* {path: number, …}, a path being names joined by dots: added to fields */
   const bson_t *first; /* {path: value, …}: what a document that comes to be by this has besides */
   const bson_t *fresh; /* {path: value, …}: fields that have no value (or null) get these. NULL or
                           empty: none; only with caps.fresh_fields */
   const bson_t
      *slots; /* {path: [value or null, …], …}: the same for elements of arrays, which are made, or
                 get longer by nulls, as need be; null is no value. Only with caps.fresh_slots */
} MtIncrement;
/* Adds to the document of that _id, or makes it where there is none. With no amounts and nothing
 * fresh, that is all that happens. Where one of the fresh fields or slots has a value, nothing is
 * done to the document: 23505, when mt_engine_incremented returns at the latest. Buffered like
 * inserts, and not ordered among themselves. Only with caps.increments. On a server a lost answer
 * leaves open which were applied (08007); 42804 for a field that holds no number. */
bool mt_engine_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                          MtError *err);
/* Sends what waits; *made: how many documents came to be by increments since begin. */
bool mt_engine_incremented (MtEngine *e, uint64_t *made, MtError *err);
/* Changes numbers of the document of that _id. At once, outside of any transaction and never
 * undone; or, with `within`, as part of the transaction that the open step is by now, if it is one;
 * with `undone`, too, it is put back as it was where the step is rolled back. *found: the document
 * is there and meets `also`. Only with caps.adjusts. */
typedef struct MtAdjust {
   const bson_t *also; /* {path: value or condition, …}; NULL: nothing else */
   const bson_t *add, *lower, *raise,
      *set; /* {path: value, …}; lower, raise: of what is greater, or less. NULL or empty: none */
   const bson_t *first; /* what a document has that comes to be by this; NULL: none does */
   bool within, undone;
   bool *came;    /* of one behind another: set where the document, which is one that is kept alive
                     (mt_engine_beat), came to be by this: the step's rollback goes by that, too */
   MtVal then_id; /* another document of the collection is changed by the same command, behind this
                     one and whether or not that is found; not with `within` */
   const struct MtAdjust *then; /* how: with `first`, and without `also`. NULL: there is none */
} MtAdjust;
bool mt_engine_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a,
                       bool *found, MtError *err);
/* By what one document is newer than another of the same _id: the first of the paths whose values
 * differ decides, the greater one is newer. Missing and NULL are least, NaN is the greatest number,
 * strings and binaries are compared by their bytes. */
typedef struct MtNewer {
   const char *const *paths;
   size_t count;
} MtNewer;
int mt_newer_compare (MtVal a, MtVal b, const MtNewer *by);
typedef struct MtNewerCounts {
   uint64_t made; /* documents that came to be */
   double bytes;  /* that all of them grew by */
} MtNewerCounts;
/* Each of docs (of different _ids) takes the place of the document with its _id, unless that is at
 * least as new; where there is none it comes to be. Writers at the same time lose nothing: what
 * another made or changed meanwhile is looked at again. On a server that is no part of the step's
 * transaction, unless it is a block's, in which what another changed meanwhile is 40001. Adds to
 * *counts. */
bool mt_engine_keep_newer (MtEngine *e, const char *collection, const bson_t *const *docs,
                           size_t count, const MtNewer *by, MtNewerCounts *counts, MtError *err);
/* How much later than its commit a step of increments alone may become durable, so that many share
 * a sync; 0, the default: not later. What a crash takes away then is what was committed within that
 * time. No effect on a server. */
void mt_engine_set_commit_delay (MtEngine *e, int64_t ms);
/* Makes durable what was committed. */
bool mt_engine_sync (MtEngine *e, MtError *err);
/* Whether the open step did nothing but increment, so far as the engine knows. */
bool mt_engine_only_increments (const MtEngine *e);
/* Finds by _id; *doc in arena `a`, NULL when there is none. Sees the open step's own writes. */
bool mt_engine_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                        MtError *err);
bool mt_engine_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                          MtError *err);
/* Ascending index; where the engine prunes by block ranges it keeps ranges of these fields. */
bool mt_engine_create_index (MtEngine *e, const char *collection, const char *const *paths,
                             size_t count, MtError *err);

/* The same, of which no two documents may have the same values (all missing is a value, too): 23505
 * for what breaks it from now on. Only with caps.unique_indexes, as the next two. */
bool mt_engine_create_unique_index (MtEngine *e, const char *collection, const char *const *paths,
                                    size_t count, MtError *err);
/* Inserts documents, which have no _id. refused[i]: a unique index didn't take it, because another
 * document has its values; the others are in. Whoever inserts the same at the same moment, one of
 * them is refused. Not within a transaction: 0A000. */
bool mt_engine_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                              size_t count, bool *refused, MtError *err);
/* Replaces `old` by `doc`, which has its _id (NULL: old is deleted), unless another has changed it
 * meanwhile: *replaced is false then. old NULL: doc is inserted, unless there is one of its _id.
 * `fields` are names at the top that such documents may have: one that old lacks may not have come.
 * 0A000 where a field's name can't be a path, and within a transaction. `was` and `is`: old and doc
 * as what mt_engine_increment makes them of nothing, where others add to such documents: a rollback
 * adds the difference to one that isn't `doc` any more. NULL: such a one stays as it is, and is
 * left over. */
typedef struct MtReplaceSame {
   const char *collection;
   const bson_t *old, *doc;
   const char *const *fields;
   size_t field_count;
   const MtIncrement *was, *is;
} MtReplaceSame;
bool mt_engine_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);

/* Lets a server delete documents by itself once the date at `path` is so many seconds old (after_s
 * < 0: no more): an index. path NULL: a time-series collection's documents, by their time. *does:
 * the server says that it will; false in process. Not undone by a rollback. */
bool mt_engine_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                       bool *does, MtError *err);
/* Deletes what matches. On a server at once, without a way back, and no part of the open step or
 * its transaction: for what nobody sees any more. */
bool mt_engine_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                                uint64_t *deleted, MtError *err);

/* Drops the index on these paths that mt_engine_create_index makes; none is no error. Ranges that
 * the local store keeps stay: they cost next to nothing. */
bool mt_engine_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                           size_t count, MtError *err);

/* ---- extending the local executor ---- */

/* Adds operators (engine/local/expr/op.h) to this engine's executor; rows are borrowed for the
 * engine's life. The mongo engine keeps them for plans' local parts. */
bool mt_engine_register_ops (MtEngine *e, const MtOpRow *rows, MtError *err);

#endif
