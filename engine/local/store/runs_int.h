/* Private structures of runs (files of sorted keys), shared by runs.c, runs_make.c and
 * runs_commit.c. */
#ifndef MT_RUNS_INT_H
#define MT_RUNS_INT_H

#include "engine/local/store/runs.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MT_RUN_MAGIC "mtsqlkey"
#define MT_RUN_HEAD 64u
#define MT_RUN_VERSION 1u
/* A new run must cover blocks of at least this many bytes. */
#define MT_RUN_LEAST_BYTES (4u << 20)
#define MT_RUN_OFFSET_BITS 22u
#define MT_RUN_ORDINAL_BITS 22u
#define MT_RUN_SERIAL_BITS 20u

typedef enum MtRunState { MT_RUN_UNOPENED, MT_RUN_OPEN, MT_RUN_UNUSABLE } MtRunState;

struct MtRun {
   atomic_uint refs;
   MtRunInfo info;
   /* Whether a commit has named the run. If not, the run belongs to the open step, or to a step
    * whose commit was the last successful write. */
   bool committed;
   int fd; /* the run's open file in a temporary store */
   pthread_mutex_t opening;
   atomic_int state;
   MtMapped *map;
   const uint8_t *base; /* address of the mapped file */
   size_t size;
   const uint8_t *body;
   size_t body_size;
   unsigned bits;
   atomic_uchar *page_ok;
};

/* ---- the file ---- */

static inline size_t mt_run_body_size (const MtRunInfo *i, unsigned bits)
{
   return (size_t) i->entries * 12 + (((size_t) 1 << bits) + 1) * 4;
}

static inline size_t mt_run_pages (size_t bytes)
{
   return (bytes + MT_STORE_PAGE - 1) / MT_STORE_PAGE;
}

static inline size_t mt_run_body_at (size_t pages)
{
   return (MT_RUN_HEAD + 4 * pages + MT_STORE_PAGE - 1) / MT_STORE_PAGE * MT_STORE_PAGE;
}

static inline uint64_t mt_run_head_hash (const uint8_t *head, size_t pages)
{
   return XXH3_64bits_withSeed (head + MT_RUN_HEAD, 4 * pages, XXH3_64bits (head, 56));
}

/* ---- runs.c ---- */

/* Returns whether `a` is for the same field as `b` and covers only blocks that `b` covers. */
bool mt_run_within (const MtRunInfo *a, const MtRunInfo *b);
/* Adds a run to the collection. The run replaces the runs of the same field that cover only
 * blocks of the new run. */
void mt_run_put (MtColl *c, const MtRunInfo *info, int fd, bool committed);
void mt_run_remove_file (const MtColl *c, const MtRunInfo *info);
/* Opens and maps the run's file, unless it is already open. Returns false if the file is damaged
 * or missing. */
bool mt_run_open (MtRun *r, const MtColl *c);
/* Returns n verified bytes at offset `at` of the run's keys, or NULL if the bytes are damaged. */
const uint8_t *mt_run_bytes (MtRun *r, size_t at, size_t n);
/* Decodes the place of a document, which the run's file stores as the number `p`. */
MtKeyPlace mt_run_place (const MtRunInfo *i, uint64_t p);

/* ---- runs_make.c ---- */

typedef struct MtRunEntry {
   uint64_t place;
   uint32_t hash;
} MtRunEntry;

/* The state of writing a new run. */
typedef struct MtRunMaking {
   MtColl *c;
   MtRunInfo info;
   MtRunEntry *entries;
   size_t count, cap;
   bool fits;      /* every document's place fits into the bits that the file format has for it */
   uint64_t bytes; /* total size of the blocks */
   uint32_t blocks, documents;
   bool in_step;
} MtRunMaking;

/* Chooses the blocks for the next run of a field: all blocks behind the field's last run, except
 * small blocks at the end. Returns false if there are too few such blocks. */
bool mt_run_next_part (MtColl *c, uint32_t field, MtRunMaking *m);
/* Extends the new run by the blocks of the run before it, if that run is not larger. So a
 * collection that grows slowly has few runs. In an open step, only a run of the same step is
 * included. */
void mt_run_take_smaller (MtRunMaking *m);
/* Writes the run's file. Writes no file if the blocks' ranges are narrow enough to find
 * documents. *fd is the file's descriptor in a temporary store, otherwise -1. */
bool mt_run_build (MtRunMaking *m, uint64_t length, int *fd, MtError *err);

#endif
