/* The engine interface: collections of BSON documents, and pipelines over them. Nothing here knows
 * SQL.
 *
 * There are two engines. `local` runs in process, on a store, a dump folder, or .bson and .jsonl
 * files. `mongo` is a server, through libmongoc. One thread uses an engine at a time; only the
 * flags of its MtCancel may be set by another.
 *
 * This header has what concerns an engine as a whole, and includes the others. */
#ifndef MT_ENGINE_H
#define MT_ENGINE_H

#include "engine/collections.h"
#include "engine/read.h"
#include "engine/steps.h"
#include "engine/types.h"
#include "engine/write.h"

typedef struct MtEngineOptions {
   bool read_only;
   bool create;          /* local: makes the store if it is missing */
   unsigned threads;     /* local: 0 is the number of processors */
   size_t work_mem;      /* bytes that one blocking stage may hold; 0 is 256 MiB */
   const char *app_name; /* mongo: for the handshake */
   const char *password; /* mongo: for the URI's user, if the URI has no password */
   /* mongo: ends the attempt to connect, 57014; as mt_engine_set_cancel. NULL: nothing does. */
   const MtCancel *cancel;
} MtEngineOptions;

/* What an engine can do. */
typedef struct MtCaps {
   const char *engine; /* "local" or "mongo" */
   char version[64];   /* the server's, or the library's */
   bool read_only;
   bool atomic_write;    /* a step is all or nothing, up to atomic_bytes */
   size_t atomic_bytes;  /* that a step inserts; SIZE_MAX: any number */
   bool transactions;    /* mt_engine_txn_begin joins several steps */
   bool pieces;          /* mt_engine_txn_in_pieces */
   bool savepoints;      /* mt_engine_mark; a step that fails undoes only itself */
   bool snapshots;       /* mt_engine_txn_freeze */
   bool local_operators; /* runs operators of mt_engine_register_ops ($_mt…) */
   bool increments;      /* mt_engine_increment, which is safe with several writers */
   bool fresh_fields;    /* MtIncrement.fresh */
   bool fresh_slots;     /* MtIncrement.slots */
   bool adjusts;         /* mt_engine_adjust */
   bool router;          /* mt_engine_shard: the server is a router of a sharded cluster */
   bool unique_indexes;  /* mt_engine_create_unique_index, mt_engine_insert_absent,
                            * mt_engine_replace_same */
   /* A new document of more bytes is better inserted than made by increments. SIZE_MAX: never,
    * because another client may make it at the same time. */
   size_t increment_bytes;
   bool bytes_touched; /* fills MtStageStats.bytes */
   bool finds_beside;  /* mt_cursor_beside may find the document */
   bool exact_stats;   /* MtCollStats.documents is exact, not an estimate */
   /* Names of missing stages and operators ("$densify", …), and of MT_UNION_WITH_DOCUMENTS and its
    * like. NULL at the end. */
   const char *const *lacking;
} MtCaps;

/* In `lacking`: {$unionWith: {pipeline: [{$documents: …}, …]}}, without a collection. */
#define MT_UNION_WITH_DOCUMENTS "$unionWith $documents"
/* In `lacking`: another collection's documents after a pipeline's own. */
#define MT_UNION_WITH_COLLECTION "$unionWith collection"
/* In `lacking`: equal decimals, 1.5 and 1.50, as one key of a $group. */
#define MT_GROUP_OF_DECIMALS "$group decimals"

/* Whether `name` is in `lacking`. */
bool mt_caps_lack (const MtCaps *caps, const char *name);

/* ---- opening ---- */

/* Opens a target. "mongodb://…" and "mongodb+srv://…" are servers. A folder with a store's manifest
 * is a store; so is a path that doesn't exist, with options->create. Other folders, and .bson,
 * .json and .jsonl files, are read-only collections. target NULL: a temporary store, removed on
 * close. */
bool mt_engine_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                     MtError *err);
void mt_engine_close (MtEngine *e); /* NULL is allowed */
/* A problem that did not keep the target from being opened: a store's damage, or files that were
 * left out. Message and hint. NULL: none. Borrowed from the engine. */
const MtError *mt_engine_warning (const MtEngine *e);
/* The capabilities of the engine that the steps go to (mt_engine_aim_temporary). */
const MtCaps *mt_engine_caps (const MtEngine *e);
/* Those of the target in any case. */
const MtCaps *mt_engine_target_caps (const MtEngine *e);
/* Connects again if the connection was lost: 08001. All other calls do so, too, outside of
 * steps. */
bool mt_engine_reconnect (MtEngine *e, MtError *err);

/* ---- salvaging a store ---- */

/* One collection of a salvaged store. */
typedef struct MtSalvaged {
   const char *collection; /* borrowed */
   uint64_t saved, lost;   /* documents; `lost` counts those that are known */
   uint64_t damaged_blocks;
   bool increments_lost; /* increments that were not in documents yet */
} MtSalvaged;

typedef struct MtSalvageOptions {
   const char *from, *to;                             /* folders; `to` must not exist */
   const MtCancel *cancel;                            /* borrowed; NULL: none */
   const MtProgress *progress;                        /* borrowed; NULL: none */
   void (*report) (void *ctx, const MtSalvaged *one); /* once for each collection */
   void *ctx;
} MtSalvageOptions;

/* Makes a new store from all that can be verified in a damaged one. *lost_commits: the number of
 * commits that can't be read; documents that they deleted or replaced may be there again. On an
 * error there is no new store: 58P01 (no folder), 42710 (`to` exists), XX001 (no store), 53100,
 * 57014. */
bool mt_store_salvage (const MtSalvageOptions *o, uint64_t *lost_commits, MtError *err);

/* ---- settings ---- */

/* All later operations obey this. Borrowed; NULL: none. */
void mt_engine_set_cancel (MtEngine *e, const MtCancel *cancel);
void mt_engine_set_progress (MtEngine *e, const MtProgress *progress);
void mt_engine_set_work_mem (MtEngine *e, size_t bytes);
void mt_engine_set_threads (MtEngine *e, unsigned threads); /* local: for what runs from now on */
/* local: ms that a step waits for another process's step; 0: none. */
void mt_engine_set_lock_timeout (MtEngine *e, int64_t ms);

/* ---- temporary collections ---- */

/* Collections with this prefix are in a store of the engine's own, in process. Nobody else sees
 * them. They go when the engine is closed, also when the process is killed. A pipeline can read
 * them beside the target's. */
#define MT_TEMPORARY "pg_temp."
bool mt_is_temporary (const char *collection); /* NULL is not */
/* Makes that store, once. A read-only target can have one. */
bool mt_engine_keep_temporary (MtEngine *e, MtError *err);
/* While `on`, steps go to the temporary store alone, and the target isn't locked. Not within a
 * step. Transactions always join both stores. A step of the target includes writes to temporary
 * collections. */
void mt_engine_aim_temporary (MtEngine *e, bool on);
/* That store, for its savepoints. NULL: there is none. Borrowed. */
MtEngine *mt_engine_temporary (MtEngine *e);

/* ---- operators ---- */

/* Adds operators (engine/local/expr/op.h) to the engine's executor. Rows are borrowed for the
 * engine's life. `mongo` keeps them for the local parts of plans. */
bool mt_engine_register_ops (MtEngine *e, const MtOpRow *rows, MtError *err);

#endif
