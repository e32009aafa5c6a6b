/* The engine interface: collections of BSON documents, and pipelines over them. Nothing here knows
 * SQL.
 *
 * There are two engines. `local` runs in process, on a store, a dump folder, or .bson and .jsonl
 * files. `mongo` is a server, through libmongoc. One thread uses an engine at a time; only the
 * flags of its MtCancel may be set by another.
 *
 * This header declares the functions for an engine as a whole, and includes the engine's other
 * headers. */
#ifndef MT_ENGINE_H
#define MT_ENGINE_H

#include "engine/collections.h"
#include "engine/read.h"
#include "engine/steps.h"
#include "engine/types.h"
#include "engine/write.h"

typedef struct MtEngineOptions {
   bool read_only;
   bool create;          /* local: creates the store if it is missing */
   unsigned threads;     /* local: 0 is the number of processors */
   size_t work_mem;      /* bytes that one blocking stage may hold; 0 is 256 MiB */
   const char *app_name; /* mongo: the client's name, sent to the server */
   const char *password; /* mongo: for the URI's user, if the URI has no password */
   /* mongo: a cancel that ends the attempt to connect with 57014. NULL: the attempt can't be
    * cancelled. */
   const MtCancel *cancel;
} MtEngineOptions;

/* What an engine can do. */
typedef struct MtCaps {
   const char *engine; /* "local" or "mongo" */
   char version[64];   /* of the server, or of this library */
   bool read_only;
   bool atomic_write;    /* a step that inserts at most atomic_bytes is all or nothing */
   size_t atomic_bytes;  /* SIZE_MAX: no limit */
   bool transactions;    /* mt_engine_txn_begin joins several steps */
   bool pieces;          /* mt_engine_txn_in_pieces works */
   bool savepoints;      /* mt_engine_mark works; a step that fails undoes only itself */
   bool snapshots;       /* mt_engine_txn_freeze works */
   bool local_operators; /* runs operators of mt_engine_register_ops ($_mt…) */
   bool increments;      /* mt_engine_increment works, and is safe with several writers */
   bool fresh_fields;    /* MtIncrement.fresh works */
   bool fresh_slots;     /* MtIncrement.slots works */
   bool adjusts;         /* mt_engine_adjust works */
   bool router;          /* the server is a router of a sharded cluster; mt_engine_shard works */
   /* mt_engine_create_unique_index, mt_engine_insert_absent and mt_engine_replace_same work */
   bool unique_indexes;
   /* A new document of more than this many bytes is faster to insert than to create by increments.
    * SIZE_MAX: always use increments, because another client may create the same document. */
   size_t increment_bytes;
   bool bytes_touched; /* fills MtStageStats.bytes */
   bool finds_beside;  /* mt_cursor_beside may find the document */
   bool exact_stats;   /* MtCollStats.documents is exact, not an estimate */
   bool hashes_all;    /* $toHashedIndexKey differs for documents that differ in any byte */
   /* Names of stages and operators that the engine lacks ("$densify", …), and MT_… names below.
    * Ends with NULL. */
   const char *const *lacking;
} MtCaps;

/* A name in MtCaps.lacking: the engine can't run {$unionWith: {pipeline: [{$documents: …}, …]}},
 * without a collection. */
#define MT_UNION_WITH_DOCUMENTS "$unionWith $documents"
/* A name in MtCaps.lacking: the engine can't run $unionWith with another collection. */
#define MT_UNION_WITH_COLLECTION "$unionWith collection"
/* A name in MtCaps.lacking: $group doesn't treat equal decimals, such as 1.5 and 1.50, as one
 * key. */
#define MT_GROUP_OF_DECIMALS "$group decimals"
/* A name in MtCaps.lacking: $regexMatch takes paths and variables, but not every other expression. */
#define MT_REGEX_OF_COMPUTED "$regexMatch computed"

/* Returns whether the engine lacks the stage or operator `name` (MtCaps.lacking). */
bool mt_caps_lack (const MtCaps *caps, const char *name);

/* ---- opening ---- */

/* Opens a target, which is a server, a store, or a folder or file of documents. "mongodb://…" and
 * "mongodb+srv://…" are servers. A folder with a store's manifest is a store; so is a path that
 * doesn't exist, with options->create. Other folders, and .bson, .json and .jsonl files, are
 * read-only collections. target NULL: a temporary store, removed on close. */
bool mt_engine_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                     MtError *err);
void mt_engine_close (MtEngine *e); /* NULL is allowed */
/* Returns a warning, with a hint, from opening the target: a damaged store, or files that were left
 * out. NULL: no warning. Borrowed from the engine. */
const MtError *mt_engine_warning (const MtEngine *e);
/* Returns the capabilities of the engine that runs the next step: the target, or the temporary
 * store (mt_engine_aim_temporary). */
const MtCaps *mt_engine_caps (const MtEngine *e);
/* Returns the capabilities of the target, even while steps go to the temporary store. */
const MtCaps *mt_engine_target_caps (const MtEngine *e);
/* Connects again if the connection was lost. 08001 if the server can't be reached. Outside of
 * steps, all other calls connect again, too. */
bool mt_engine_reconnect (MtEngine *e, MtError *err);

/* ---- salvaging a store ---- */

/* One collection of a salvaged store. */
typedef struct MtSalvaged {
   const char *collection; /* borrowed */
   uint64_t saved, lost;   /* numbers of documents; `lost` has only the known losses */
   uint64_t damaged_blocks;
   bool increments_lost; /* some increments were lost that no document contained yet */
} MtSalvaged;

typedef struct MtSalvageOptions {
   const char *from, *to;                             /* folders; `to` must not exist */
   const MtCancel *cancel;                            /* borrowed; NULL: none */
   const MtProgress *progress;                        /* borrowed; NULL: none */
   void (*report) (void *ctx, const MtSalvaged *one); /* once for each collection */
   void *ctx;
} MtSalvageOptions;

/* Makes a new store from all data of a damaged store that passes its checks. *lost_commits: the
 * number of unreadable commits; documents that these commits deleted or replaced may reappear. On
 * an error no new store is left: 58P01 (no folder), 42710 (`to` exists), XX001 (no store), 53100
 * (disk full), 57014 (cancelled). */
bool mt_store_salvage (const MtSalvageOptions *o, uint64_t *lost_commits, MtError *err);

/* ---- settings ---- */

/* Sets the cancel flag that all later operations obey. Borrowed; NULL: operations can't be
 * cancelled. */
void mt_engine_set_cancel (MtEngine *e, const MtCancel *cancel);
void mt_engine_set_progress (MtEngine *e, const MtProgress *progress);
void mt_engine_set_work_mem (MtEngine *e, size_t bytes);
void mt_engine_set_threads (MtEngine *e, unsigned threads); /* local: for later pipelines */
/* How the embedded store is read. Both are off unless a test compares the ways. */
typedef struct MtReading {
   bool all_blocks; /* don't skip blocks whose ranges show that no row of them is needed */
   bool documents;  /* read documents, although a block keeps the needed fields as columns */
} MtReading;
/* local: sets how later pipelines read the store. */
void mt_engine_set_reading (MtEngine *e, MtReading how);
/* local: sets how many ms a step waits for the step of another process; 0: does not wait. */
void mt_engine_set_lock_timeout (MtEngine *e, int64_t ms);

/* ---- temporary collections ---- */

/* Temporary collections have the prefix MT_TEMPORARY. They are in a temporary store in process that belongs to the
 * engine; nobody else sees them. They are deleted when the engine is closed, or the process is
 * killed. A pipeline can read temporary collections and the target's collections together. */
/* Returns whether a collection's name has the prefix of temporary collections. False for NULL. */
bool mt_is_temporary (const char *collection);
/* Creates the engine's temporary store, unless it exists. An engine with a read-only target can
 * have one, too. */
bool mt_engine_keep_temporary (MtEngine *e, MtError *err);
/* While `on`, steps go to the temporary store alone, and the target isn't locked. Not within a
 * step. Transactions always join both stores. A step of the target includes writes to temporary
 * collections. */
void mt_engine_aim_temporary (MtEngine *e, bool on);
/* Returns the engine's temporary store, for its savepoints. NULL: the engine has none. Borrowed. */
MtEngine *mt_engine_temporary (MtEngine *e);

/* ---- operators ---- */

/* Adds operators (engine/local/expr/op.h) to the engine's executor. Rows are borrowed for the
 * engine's life. `mongo` keeps them for the local parts of plans. */
bool mt_engine_register_ops (MtEngine *e, const MtOpRow *rows, MtError *err);

#endif
