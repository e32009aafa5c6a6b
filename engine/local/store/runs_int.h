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
/* A new run (a file of sorted keys) is worthwhile only for blocks of at least this many bytes. */
#define MT_RUN_LEAST_BYTES (4u << 20)
#define MT_RUN_OFFSET_BITS 22u
#define MT_RUN_ORDINAL_BITS 22u
#define MT_RUN_SERIAL_BITS 20u

typedef enum MtRunState { MT_RUN_UNOPENED, MT_RUN_OPEN, MT_RUN_UNUSABLE } MtRunState;

struct MtRun {
   atomic_uint refs;
   MtRunInfo info;
   /* Whether the manifest has this run (a file of sorted keys). If not, the run belongs to the open
    * step (an uncommitted batch), or to a step that was just committed. */
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

/* Returns whether `a` and `b` are for the same field, and `b` covers all blocks that `a` covers. */
bool mt_run_within (const MtRunInfo *a, const MtRunInfo *b);
/* Adds a run (a file of sorted keys) to the collection's set. It replaces runs of the same field
 * all of whose blocks it covers. fd: in a temporary store, the run's open file, which the set then
 * owns; otherwise -1. */
void mt_run_put (MtColl *c, const MtRunInfo *info, int fd, bool committed);
void mt_run_remove_file (const MtColl *c, const MtRunInfo *info);
/* Opens, checks and maps the file of the run (sorted keys of one field), unless that has been done.
 * Returns false if the file is damaged or missing. */
bool mt_run_open (MtRun *r, const MtColl *c);
/* Returns n verified bytes at offset `at` of the body of the run's file (sorted keys of one field),
 * or NULL if the bytes are damaged. */
const uint8_t *mt_run_bytes (MtRun *r, size_t at, size_t n);
/* Unpacks a document's place from the 64-bit number that the run's file (sorted keys of one field)
 * stores. */
MtKeyPlace mt_run_place (const MtRunInfo *i, uint64_t p);

/* ---- runs_make.c ---- */

typedef struct MtRunEntry {
   uint64_t place;
   uint32_t hash;
} MtRunEntry;

/* A new run (a file of sorted keys) while it is being made. */
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

/* Chooses the blocks for the next run (a file of sorted keys) of a field, and sets *m: all blocks
 * behind the field's last run, except small blocks at the end. Returns false if there are too
 * few. */
bool mt_run_next_part (MtColl *c, uint32_t field, MtRunMaking *m);
/* Extends the new run (a file of sorted keys) by the blocks of the preceding run of the field,
 * repeatedly, as long as that run is not larger. So a collection that grows slowly has few runs. In
 * an open step (an uncommitted batch), only runs of the same step are included. */
void mt_run_take_smaller (MtRunMaking *m);
/* Writes the file of the run (sorted keys of one field). If the blocks' value ranges are narrow
 * enough to find documents, writes no file, and sets entries to 0. *fd is the open file in a
 * temporary store, otherwise -1. `length` is the length of the segment file that must be mapped. */
bool mt_run_build (MtRunMaking *m, uint64_t length, int *fd, MtError *err);

#endif
