/* Runs: files of sorted keys, the indexes on disk. For a value of _id or of an indexed field, a run
 * lists the documents that may have it. One run covers many blocks. runs.c describes the files and
 * their use. */
#ifndef MT_STORE_RUNS_H
#define MT_STORE_RUNS_H

#include "engine/local/store/coll_int.h"

/* A run (a file of sorted keys) as the manifest describes it. It has the keys of one field for all
 * blocks with first <= serial number < end. */
typedef struct MtRunInfo {
   uint32_t number; /* number of the run's file, unique in the collection */
   uint32_t field;  /* index in the collection's fields */
   uint32_t first, end;
   /* Number of keys in the file. 0: the run (sorted keys of one field) has no file, because the
    * blocks' value ranges are narrow enough to find documents. */
   uint64_t entries;
   uint64_t hash; /* hash of the file's header and table of checksums */
} MtRunInfo;

typedef struct MtRun MtRun;

/* All runs (files of sorted keys) of a collection. The runs of one field are sorted by the blocks
 * that they cover. A set never changes, and snapshots share it. */
typedef struct MtRunSet {
   atomic_uint refs;
   uint32_t count;
   MtRun *runs[];
} MtRunSet;

typedef struct MtKeyPlace {
   uint32_t serial, offset, ordinal;
} MtKeyPlace;

/* A list of places of documents (block, offset, number). The caller frees `at`. */
typedef struct MtKeyPlaces {
   MtKeyPlace *at;
   size_t count, cap;
} MtKeyPlaces;

/* Returns the 32-bit hash of a key. Keys in runs are sorted by this hash, so it is part of the file
 * format and must not change. */
static inline uint32_t mt_key_hash (MtVal v)
{
   return (uint32_t) (mt_v_hash (v, 0) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
}

const MtRunInfo *mt_run_info (const MtRun *r);
/* Adds a run (a file of sorted keys) to the collection's set. It replaces runs of the same field
 * all of whose blocks it covers. In a temporary store `fd` is the run's open file, which the set
 * then owns; otherwise -1. */
void mt_coll_add_run (MtColl *c, const MtRunInfo *info, int fd);
/* Writes the _ids of all blocks that no run (a file of sorted keys) covers into new runs, so that
 * the open step (an uncommitted batch) can find its own documents without much memory. The runs are
 * kept if the step is committed. If writing fails, the step can go on without them. */
bool mt_runs_of_step (MtColl *c, MtError *err);
/* Returns a reference to the collection's runs, or NULL. */
MtRunSet *mt_runs_hold (const MtColl *c);
void mt_runs_unref (MtRunSet *set);
/* Removes the runs (files of sorted keys) that cover any block whose serial number is at least
 * `serials`. */
void mt_runs_cut (MtColl *c, uint32_t serials);
/* Appends the places of the documents whose key has this hash to *out. Returns false if the file of
 * the run (sorted keys of one field) cannot be used, or if *out would get more than `most` places.
 * Thread-safe. */
bool mt_run_find (MtRun *r, const MtColl *c, uint32_t hash, size_t most, MtKeyPlaces *out);
/* Returns false if the file of the run (sorted keys of one field) was found to be damaged or
 * missing. */
bool mt_run_usable (const MtRun *r);
/* Checks that no file of the runs has been truncated since it was mapped. Otherwise fails with
 * XX001 or 58030. `set` may be NULL. */
bool mt_runs_whole (const MtRunSet *set, MtError *err);
/* Returns the path of the file of run `number`, which the caller frees. NULL in a temporary
 * store. */
char *mt_run_path (const MtColl *c, uint32_t number);

/* Writes runs (files of sorted keys) for blocks that no run covers, if they are large enough
 * together, and commits the runs to the manifest. Call it after a commit, while the writer's lock
 * is still held. After a failure (disk full, cancelled) a later commit tries again. */
void mt_store_make_runs (MtStore *s);

#endif
