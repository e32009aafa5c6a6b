/* The engine interface: collections of BSON documents, and pipelines over them. The engine does not
 * depend on SQL.
 *
 * There are two engines. `local` runs inside this process, on a store, a dump folder, or .bson and
 * .jsonl files. `mongo` is a MongoDB server, used by means of libmongoc. Only one thread at a time
 * may use an engine, but any thread may set the flags of its MtCancel.
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
   /* mongo: a flag that ends the attempt to connect, with 57014. NULL: the attempt can't be
    * cancelled. */
   const MtCancel *cancel;
} MtEngineOptions;

/* The capabilities of an engine. */
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
   /* mt_engine_create_unique_index, mt_engine_insert_absent and mt_engine_replace_same are
    * supported */
   bool unique_indexes;
   /* A new document of more than this many bytes is inserted as a whole, since this is faster than
    * creating it by increments. SIZE_MAX: increments must always be used, because another client
    * may create the same document. */
   size_t increment_bytes;
   bool bytes_touched; /* fills MtStageStats.bytes */
   bool finds_beside;  /* mt_cursor_beside may find the document */
   bool exact_stats;   /* MtCollStats.documents is exact, not an estimate */
   bool hashes_all;    /* $toHashedIndexKey differs for documents that differ in any byte */
   /* The names of stages and operators that the engine does not support ("$densify", …), and the
    * MT_… names below. Ends with NULL. */
   const char *const *lacking;
} MtCaps;

/* A name in MtCaps.lacking: the engine does not support $unionWith without a collection, as in
 * {$unionWith: {pipeline: [{$documents: …}, …]}}. */
#define MT_UNION_WITH_DOCUMENTS "$unionWith $documents"
/* A name in MtCaps.lacking: the engine does not support $unionWith with another collection. */
#define MT_UNION_WITH_COLLECTION "$unionWith collection"
/* A name in MtCaps.lacking: $group treats equal decimals, such as 1.5 and 1.50, as different
 * keys. */
#define MT_GROUP_OF_DECIMALS "$group decimals"
/* A name in MtCaps.lacking: the input of $regexMatch can be a path or a variable, but not any other
 * expression. */
#define MT_REGEX_OF_COMPUTED "$regexMatch computed"

/* Returns whether the engine does not support the stage or operator `name` (MtCaps.lacking). */
bool mt_caps_lack (const MtCaps *caps, const char *name);

/* ---- opening ---- */

/* Opens a target: a server, a store, or a folder or file of documents. "mongodb://…" and
 * "mongodb+srv://…" are servers. A folder with the manifest of a store is a store. So is a path
 * that does not exist, if options->create is set. Other folders, and .bson, .json and .jsonl files,
 * are read-only collections. target NULL: opens a temporary store, which is deleted by
 * mt_engine_close. */
bool mt_engine_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                     MtError *err);
void mt_engine_close (MtEngine *e); /* NULL is allowed */
/* Returns a warning that opening the target caused, with a hint: the store is damaged, or files
 * were ignored. NULL: no warning. Borrowed from the engine. */
const MtError *mt_engine_warning (const MtEngine *e);
/* Returns the capabilities of the engine that the next step writes to: the target, or the temporary
 * store after mt_engine_aim_temporary. */
const MtCaps *mt_engine_caps (const MtEngine *e);
/* Returns the capabilities of the target, even after mt_engine_aim_temporary. */
const MtCaps *mt_engine_target_caps (const MtEngine *e);
/* Connects to the server again if the connection was lost. Fails with 08001 if the server can't be
 * reached. Outside of steps, all other functions reconnect, too. */
bool mt_engine_reconnect (MtEngine *e, MtError *err);

/* ---- salvaging a damaged store ---- */

/* A collection of a salvaged store, with the numbers of its documents. */
typedef struct MtSalvaged {
   const char *collection; /* the collection's name; borrowed */
   uint64_t saved, lost;   /* numbers of documents; `lost` has only the known losses */
   uint64_t damaged_blocks;
   bool increments_lost; /* some increments not yet applied to documents were lost */
} MtSalvaged;

typedef struct MtSalvageOptions {
   const char *from, *to;                             /* folders; `to` must not exist */
   const MtCancel *cancel;                            /* borrowed; NULL: none */
   const MtProgress *progress;                        /* borrowed; NULL: none */
   void (*report) (void *ctx, const MtSalvaged *one); /* once for each collection */
   void *ctx;
} MtSalvageOptions;

/* Makes a new store from all data of a damaged store that pass their checks. *lost_commits: the
 * number of commits that could not be read; documents that they deleted or replaced may reappear.
 * After an error, no new store exists: 58P01 (no such folder), 42710 (`to` exists), XX001 (not a
 * store), 53100 (disk full), 57014 (cancelled). */
bool mt_store_salvage (const MtSalvageOptions *o, uint64_t *lost_commits, MtError *err);

/* ---- settings ---- */

/* Sets the flags that cancel all later operations. Borrowed. NULL: operations can't be
 * cancelled. */
void mt_engine_set_cancel (MtEngine *e, const MtCancel *cancel);
void mt_engine_set_progress (MtEngine *e, const MtProgress *progress);
void mt_engine_set_work_mem (MtEngine *e, size_t bytes);
void mt_engine_set_threads (MtEngine *e, unsigned threads); /* local: for later pipelines */
/* How pipelines read the local store. Both members are false, except in tests that compare
 * results. */
typedef struct MtReading {
   bool all_blocks; /* don't skip blocks, not even if the ranges of their values match no row */
   bool documents;  /* read documents even where a block has the needed fields as columns */
} MtReading;
/* Only local: sets how later pipelines read the store. */
void mt_engine_set_reading (MtEngine *e, MtReading how);
/* Only local: sets the timeout in ms for waiting until another process has ended its step. 0: does
 * not wait. */
void mt_engine_set_lock_timeout (MtEngine *e, int64_t ms);

/* ---- temporary collections ---- */

/* Temporary collections have the name prefix MT_TEMPORARY. They are in a local temporary store that
 * belongs to this engine, so no other client sees them. They are deleted when the engine is closed,
 * or when the process ends. A pipeline can read them together with collections of the target (the
 * server or store that was opened). */
/* Returns whether a collection's name begins with MT_TEMPORARY, the prefix of temporary
 * collections. False for NULL. */
bool mt_is_temporary (const char *collection);
/* Creates the engine's temporary store, unless it exists. This also works if the target is
 * read-only. */
bool mt_engine_keep_temporary (MtEngine *e, MtError *err);
/* While `on` is true, steps write only to the temporary store, and don't lock the target.
 * Otherwise, a step of the target includes writes to temporary collections. Transactions always
 * include both stores. Do not call it while a step is open. */
void mt_engine_aim_temporary (MtEngine *e, bool on);
/* Returns the temporary store of the engine, whose savepoints the caller uses. NULL: there is none.
 * Borrowed. */
MtEngine *mt_engine_temporary (MtEngine *e);

/* ---- additional operators ---- */

/* Adds operators (engine/local/expr/op.h) to the engine's executor. `rows` must stay valid as long
 * as the engine. `mongo` uses them for the parts of plans that run locally. */
bool mt_engine_register_ops (MtEngine *e, const MtOpRow *rows, MtError *err);

#endif
