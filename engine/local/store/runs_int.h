/* Runs from within: their file and their making. Shared by runs.c, runs_make.c and
 * runs_commit.c. */
#ifndef MT_RUNS_INT_H
#define MT_RUNS_INT_H

#include "engine/local/store/runs.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MT_RUN_MAGIC "mtsqlkey"
#define MT_RUN_HEAD 64u
#define MT_RUN_VERSION 1u
#define MT_RUN_LEAST_BYTES (4u << 20) /* of blocks that no run covers: fewer are looked through */
#define MT_RUN_OFFSET_BITS 22u
#define MT_RUN_ORDINAL_BITS 22u
#define MT_RUN_SERIAL_BITS 20u

typedef enum MtRunState { MT_RUN_UNOPENED, MT_RUN_OPEN, MT_RUN_UNUSABLE } MtRunState;

struct MtRun {
   atomic_uint refs;
   MtRunInfo info;
   bool said; /* a commit named it; else it is of the open step, or of one whose commit was the last
                 thing that could be done */
   int fd;    /* in a temporary store */
   pthread_mutex_t opening;
   atomic_int state;
   MtMapped *map;
   const uint8_t *base; /* of the mapping */
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

/* Whether the blocks of `a` are all among those of `b`, for the same field. */
bool mt_run_within (const MtRunInfo *a, const MtRunInfo *b);
/* In the place of those of its field within its serials. */
void mt_run_put (MtColl *c, const MtRunInfo *info, int fd, bool said);
void mt_run_remove_file (const MtColl *c, const MtRunInfo *info);
bool mt_run_open (MtRun *r, const MtColl *c);
/* Bytes of the body, verified; NULL: they are damaged. */
const uint8_t *mt_run_bytes (MtRun *r, size_t at, size_t n);
MtKeyPlace mt_run_place (const MtRunInfo *i, uint64_t p);

/* ---- runs_make.c ---- */

typedef struct MtRunEntry {
   uint64_t place;
   uint32_t hash;
} MtRunEntry;

typedef struct MtRunMaking {
   MtColl *c;
   MtRunInfo info;
   MtRunEntry *entries;
   size_t count, cap;
   bool fits;      /* places can be told with their bits */
   uint64_t bytes; /* of blocks */
   uint32_t blocks, documents;
   bool in_step;
} MtRunMaking;

/* What the next run of a field is to cover: blocks behind the last one, but for small ones at the
 * end; false: that isn't enough. */
bool mt_run_next_part (MtColl *c, uint32_t field, MtRunMaking *m);
/* A run before it that isn't larger becomes part of it (in a step: one of the step's), so that a
 * collection that grows bit by bit has few. */
void mt_run_take_smaller (MtRunMaking *m);
/* Makes the file, unless ranges tell as much. */
bool mt_run_build (MtRunMaking *m, uint64_t length, int *fd, MtError *err);

#endif
