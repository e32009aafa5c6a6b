/* Keys on disk: for an indexed field, and for _id, which documents of many blocks can hold a value.
 * Files and their use: top of runs.c. */
#ifndef MT_STORE_RUNS_H
#define MT_STORE_RUNS_H

#include "engine/local/store/coll_int.h"

/* What the manifest says of a run: the documents of all blocks with first <= serial < end, by a
 * field. */
typedef struct MtRunInfo {
   uint32_t number; /* of its file, in the collection */
   uint32_t field;  /* of the collection's fields */
   uint32_t first, end;
   uint64_t entries; /* 0: none were made, since the blocks' ranges tell them apart; there is no
                        file then */
   uint64_t hash;    /* of the file's header and table of checksums */
} MtRunInfo;

typedef struct MtRun MtRun;

/* A collection's runs, of each field in the order of serials. Never changed; shared by
 * snapshots. */
typedef struct MtRunSet {
   atomic_uint refs;
   uint32_t count;
   MtRun *runs[];
} MtRunSet;

typedef struct MtKeyPlace {
   uint32_t serial, offset, ordinal;
} MtKeyPlace;

/* The hash by which runs are sorted: part of the files' format. */
static inline uint32_t mt_key_hash (MtVal v)
{
   return (uint32_t) (mt_v_hash (v, 0) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
}

const MtRunInfo *mt_run_info (const MtRun *r);
/* Makes it one of the collection's, in the place of those of its field within its serials. fd >= 0:
 * of its file, in a temporary store; owned. */
void mt_coll_add_run (MtColl *c, const MtRunInfo *info, int fd);
/* Makes a run of the _ids of all blocks that have none, for the open step's own finds; false: they
 * go on without. It stays when the step is committed. */
bool mt_runs_of_step (MtColl *c, MtError *err);
MtRunSet *mt_runs_hold (const MtColl *c); /* NULL: there are none */
void mt_runs_unref (MtRunSet *set);
void mt_runs_cut (MtColl *c, uint32_t serials); /* only the runs of so many are left */
/* Adds places of documents whose value has this hash. False: the file can't be used, or it would be
 * more than `most` in all. Any thread may ask. */
bool mt_run_find (MtRun *r, const MtColl *c, uint32_t hash, MtKeyPlace **places, size_t *count,
                  size_t *cap, size_t most);
bool mt_run_usable (const MtRun *r); /* false: its file was found to be damaged, or isn't there */
bool mt_runs_whole (const MtRunSet *set,
                    MtError *err); /* as mt_mapped_whole, of the files in use; NULL: true */
char *mt_run_path (const MtColl *c,
                   uint32_t number); /* freed by the caller; NULL in a temporary store */

/* Behind a commit, under its lock: makes runs of what the collection's runs don't cover, when that
 * is enough, and says so in a commit of its own. What can't be made (a full disk, a cancelled
 * statement) is left to a later one. */
void mt_store_make_runs (MtStore *s);

#endif
