/* Runs: files of sorted keys. For a value of _id or of an indexed field, a run lists the
 * documents that can have the value. One run covers many blocks. runs.c describes the files and
 * their use. */
#ifndef MT_STORE_RUNS_H
#define MT_STORE_RUNS_H

#include "engine/local/store/coll_int.h"

/* The manifest's description of a run. The run contains the keys of one field for all blocks
 * with first <= serial < end. */
typedef struct MtRunInfo {
   uint32_t number; /* number of the run's file, unique in the collection */
   uint32_t field;  /* index in the collection's fields */
   uint32_t first, end;
   /* Number of keys in the file. 0: there is no file, because the blocks' ranges are narrow
    * enough to find documents. */
   uint64_t entries;
   uint64_t hash; /* hash of the file's header and table of checksums */
} MtRunInfo;

typedef struct MtRun MtRun;

/* All runs (files of sorted keys) of a collection. The runs of one field are sorted by the
 * blocks that they cover. Snapshots share a set; it never changes. */
typedef struct MtRunSet {
   atomic_uint refs;
   uint32_t count;
   MtRun *runs[];
} MtRunSet;

typedef struct MtKeyPlace {
   uint32_t serial, offset, ordinal;
} MtKeyPlace;

/* A list of documents, by their places. The caller frees `at`. */
typedef struct MtKeyPlaces {
   MtKeyPlace *at;
   size_t count, cap;
} MtKeyPlaces;

/* Returns the hash of a key. Keys in runs are sorted by this hash, so it is part of the file
 * format. */
static inline uint32_t mt_key_hash (MtVal v)
{
   return (uint32_t) (mt_v_hash (v, 0) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
}

const MtRunInfo *mt_run_info (const MtRun *r);
/* Adds a run to the collection. The run replaces the runs of the same field that cover only
 * blocks of the new run. `fd`: the run's open file in a temporary store, owned; otherwise -1. */
void mt_coll_add_run (MtColl *c, const MtRunInfo *info, int fd);
/* Writes the _ids of all blocks without a run into runs, so that the open step can find them.
 * The runs remain if the step is committed. After a failure the step can continue without these
 * runs. */
bool mt_runs_of_step (MtColl *c, MtError *err);
/* Returns a reference to the collection's runs, or NULL. */
MtRunSet *mt_runs_hold (const MtColl *c);
void mt_runs_unref (MtRunSet *set);
/* Removes the runs that cover blocks with serial numbers of `serials` or above. */
void mt_runs_cut (MtColl *c, uint32_t serials);
/* Appends the places of the documents whose key has this hash to *out. Returns false if the
 * run's file cannot be used, or if there would be more than `most` places. Any thread may call
 * this function. */
bool mt_run_find (MtRun *r, const MtColl *c, uint32_t hash, size_t most, MtKeyPlaces *out);
/* Returns false if the run's file is damaged or missing. */
bool mt_run_usable (const MtRun *r);
/* Checks that the mapped files of the runs have not lost bytes. Returns true if `set` is NULL. */
bool mt_runs_whole (const MtRunSet *set, MtError *err);
/* Returns the path of the file of run `number`. The caller frees the path. Returns NULL in a
 * temporary store. */
char *mt_run_path (const MtColl *c, uint32_t number);

/* Writes runs for the blocks that no run covers, if there are enough of them. Then commits the
 * names of the runs. Call it after a commit, while the writer's lock is held. After a failure (a
 * full disk, a cancelled statement) a later commit tries again. */
void mt_store_make_runs (MtStore *s);

#endif
