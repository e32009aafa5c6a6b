/* Keys on disk: for a value of _id or an indexed field, the documents of many blocks that can have
 * it. runs.c describes the files and their use. */
#ifndef MT_STORE_RUNS_H
#define MT_STORE_RUNS_H

#include "engine/local/store/coll_int.h"

/* A run, as the manifest describes it: the keys of one field in all blocks with first <= serial <
 * end. */
typedef struct MtRunInfo {
   uint32_t number; /* of its file, within the collection */
   uint32_t field;  /* index in the collection's fields */
   uint32_t first, end;
   /* 0: there is no file, since the blocks' ranges are selective enough. */
   uint64_t entries;
   uint64_t hash; /* covers the file's header and table of checksums */
} MtRunInfo;

typedef struct MtRun MtRun;

/* The runs of a collection. The runs of one field are in the order of serials. Never changed.
 * Snapshots share it. */
typedef struct MtRunSet {
   atomic_uint refs;
   uint32_t count;
   MtRun *runs[];
} MtRunSet;

typedef struct MtKeyPlace {
   uint32_t serial, offset, ordinal;
} MtKeyPlace;

/* A list of places. The caller frees `at`. */
typedef struct MtKeyPlaces {
   MtKeyPlace *at;
   size_t count, cap;
} MtKeyPlaces;

/* The hash by which the entries of runs are sorted. It is part of the file format. */
static inline uint32_t mt_key_hash (MtVal v)
{
   return (uint32_t) (mt_v_hash (v, 0) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
}

const MtRunInfo *mt_run_info (const MtRun *r);
/* Adds a run to the collection. It replaces the runs of its field within its serials. fd: its file
 * in a temporary store, owned; else -1. */
void mt_coll_add_run (MtColl *c, const MtRunInfo *info, int fd);
/* Makes runs of the _ids of all blocks that have none, for the open step's own finds. They stay if
 * the step is committed. On failure the step can go on without them. */
bool mt_runs_of_step (MtColl *c, MtError *err);
/* Returns a reference to the collection's runs, or NULL. */
MtRunSet *mt_runs_hold (const MtColl *c);
void mt_runs_unref (MtRunSet *set);
/* Keeps only the runs whose blocks all have serials below this one. */
void mt_runs_cut (MtColl *c, uint32_t serials);
/* Appends the places of documents whose value has this hash. Returns false if the file cannot be
 * used, or if there would be more than `most` places. Any thread may call it. */
bool mt_run_find (MtRun *r, const MtColl *c, uint32_t hash, size_t most, MtKeyPlaces *out);
/* Returns false if the file is damaged or missing. */
bool mt_run_usable (const MtRun *r);
/* Like mt_mapped_whole, for the files in use. NULL gives true. */
bool mt_runs_whole (const MtRunSet *set, MtError *err);
/* The caller frees the result. NULL in a temporary store. */
char *mt_run_path (const MtColl *c, uint32_t number);

/* Makes runs of blocks that no run covers, if there are enough of them, and names the runs in a
 * commit of their own. Called behind a commit, under its lock. Failures (a full disk, a cancelled
 * statement) leave the work to a later commit. */
void mt_store_make_runs (MtStore *s);

#endif
