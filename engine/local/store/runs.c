/* Runs: files of sorted keys, the indexes on disk. For each value of an indexed field, a run lists
 * the places of the documents that may have it. So a look-up reads only these documents, even in a
 * process that has just started.
 *
 * Each run is one file, FOLDER/<collection's id>.<number>.key. It is written after the commit of
 * its blocks, and a further commit adds it to the manifest:
 *
 *    header  magic[8] version:4 field:4 store_id:8 collection:8 number:4 bits:4 first:4 end:4
 *            entries:8 hash:8 (64 bytes)
 *    table   a checksum of 4 bytes for each 4,096 bytes of the body (the low half of XXH3-64)
 *    body    at a multiple of 4,096: places[entries]:8, hashes[entries]:4, directory[2^bits + 1]:4
 *
 * Entries are sorted by hash (mt_key_hash), then by document. Entries whose hashes begin with the
 * same `bits` bits are neighbours: from directory[hash >> (32 - bits)] up to the next element of
 * directory. A place packs the block's serial number - first (20 bits), the document's offset in
 * the block (22) and its ordinal (22). NULL and missing values have no entries, except in runs of
 * _id (field 0), which list every document. Documents that were deleted before the run was made
 * have no entries.
 *
 * Runs only make reading faster. Documents that are deleted later stay in a run. Readers skip
 * blocks that were merged away, and scan the blocks if a run's file is damaged or missing. Results
 * are correct because a run has an entry for each document of the blocks that it covers. */
#include "engine/local/store/runs_int.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const MtRunInfo *mt_run_info (const MtRun *r) { return &r->info; }

char *mt_run_path (const MtColl *c, uint32_t number)
{
   return c->path ? mt_heap_printf ("%s/%016llx.%08x.key", c->store->path,
                                    (unsigned long long) c->id, number)
                  : NULL;
}

/* ---- life ---- */

static void run_unref (MtRun *r)
{
   if (atomic_fetch_sub (&r->refs, 1) != 1)
      return;
   mt_mapped_unref (r->map);
   if (r->fd >= 0)
      close (r->fd);
   pthread_mutex_destroy (&r->opening);
   free (r->page_ok);
   free (r);
}

void mt_runs_unref (MtRunSet *set)
{
   if (!set || atomic_fetch_sub (&set->refs, 1) != 1)
      return;
   for (uint32_t i = 0; i < set->count; i++)
      run_unref (set->runs[i]);
   free (set);
}

MtRunSet *mt_runs_hold (const MtColl *c)
{
   if (c->runs)
      atomic_fetch_add (&c->runs->refs, 1);
   return c->runs;
}

bool mt_run_within (const MtRunInfo *a, const MtRunInfo *b)
{
   return a->field == b->field && a->first >= b->first && a->end <= b->end;
}

void mt_run_put (MtColl *c, const MtRunInfo *info, int fd, bool committed)
{
   uint32_t old = c->runs ? c->runs->count : 0;
   MtRunSet *set = mt_calloc ("index of keys", 1, sizeof *set + (old + 1u) * sizeof *set->runs);
   MtRun *r = mt_calloc ("index of keys", 1, sizeof *r);
   if (pthread_mutex_init (&r->opening, NULL) != 0)
      mt_no_memory ("index of keys", sizeof r->opening);
   atomic_init (&set->refs, 1);
   atomic_init (&r->refs, 1);
   r->info = *info;
   r->committed = committed;
   r->fd = fd;
   for (uint32_t i = 0; i < old; i++)
      if (!mt_run_within (&c->runs->runs[i]->info, info)) {
         atomic_fetch_add (&c->runs->runs[i]->refs, 1);
         set->runs[set->count++] = c->runs->runs[i];
      }
   set->runs[set->count++] = r;
   mt_runs_unref (c->runs);
   c->runs = set;
}

void mt_coll_add_run (MtColl *c, const MtRunInfo *info, int fd) { mt_run_put (c, info, fd, true); }

void mt_run_remove_file (const MtColl *c, const MtRunInfo *info)
{
   char *path = info->entries ? mt_run_path (c, info->number) : NULL;
   if (path)
      unlink (path);
   free (path);
}

void mt_runs_cut (MtColl *c, uint32_t serials)
{
   uint32_t left = 0;
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      left += c->runs->runs[i]->info.end <= serials;
   if (!c->runs || left == c->runs->count)
      return;
   MtRunSet *set = mt_calloc ("index of keys", 1, sizeof *set + left * sizeof *set->runs);
   atomic_init (&set->refs, 1);
   for (uint32_t i = 0; i < c->runs->count; i++) {
      MtRun *r = c->runs->runs[i];
      if (r->info.end <= serials) {
         atomic_fetch_add (&r->refs, 1);
         set->runs[set->count++] = r;
      } else if (!r->committed) {
         mt_run_remove_file (c, &r->info);
      }
   }
   mt_runs_unref (c->runs);
   c->runs = set;
}

/* ---- reading ---- */

/* Returns whether the header of the mapped file belongs to this run (a file of sorted keys) and is
 * valid. */
static bool check (MtRun *r, const MtColl *c)
{
   const uint8_t *h = r->base;
   const MtRunInfo *i = &r->info;
   if (r->size < MT_RUN_HEAD || memcmp (h, MT_RUN_MAGIC, 8) != 0 ||
       mt_get32 (h + 8) != MT_RUN_VERSION || mt_get32 (h + 12) != i->field ||
       mt_get64 (h + 16) != c->store->store_id || mt_get64 (h + 24) != c->id ||
       mt_get32 (h + 32) != i->number || mt_get32 (h + 40) != i->first ||
       mt_get32 (h + 44) != i->end || mt_get64 (h + 48) != i->entries)
      return false;
   r->bits = mt_get32 (h + 36);
   if (r->bits < 1 || r->bits > 30)
      return false;
   r->body_size = mt_run_body_size (i, r->bits);
   size_t pages = mt_run_pages (r->body_size), at = mt_run_body_at (pages);
   if (r->size < at || r->size - at < r->body_size || mt_run_head_hash (h, pages) != i->hash)
      return false;
   r->body = h + at;
   r->page_ok = mt_calloc ("store", pages, sizeof *r->page_ok);
   return true;
}

static bool map (MtRun *r, const MtColl *c)
{
   struct stat st;
   char *path = mt_run_path (c, r->info.number);
   int fd = path ? open (path, O_RDONLY | O_CLOEXEC) : r->fd;
   if (fd < 0) {
      free (path);
      return false;
   }
   r->map = fstat (fd, &st) == 0 && st.st_size > 0 ? mt_mapped_new (fd, (size_t) st.st_size, path)
                                                   : NULL;
   free (path);
   close (fd);
   r->fd = -1;
   if (!r->map)
      return false;
   r->base = r->map->base;
   r->size = (size_t) st.st_size;
   return check (r, c);
}

bool mt_run_open (MtRun *r, const MtColl *c)
{
   if (atomic_load_explicit (&r->state, memory_order_acquire) == MT_RUN_UNOPENED) {
      pthread_mutex_lock (&r->opening);
      if (atomic_load (&r->state) == MT_RUN_UNOPENED)
         atomic_store_explicit (&r->state, map (r, c) ? MT_RUN_OPEN : MT_RUN_UNUSABLE,
                                memory_order_release);
      pthread_mutex_unlock (&r->opening);
   }
   return atomic_load_explicit (&r->state, memory_order_acquire) == MT_RUN_OPEN &&
          mt_mapped_check (r->map, NULL);
}

bool mt_run_usable (const MtRun *r)
{
   int state = atomic_load_explicit (&r->state, memory_order_acquire);
   return state == MT_RUN_UNOPENED || (state == MT_RUN_OPEN && mt_mapped_check (r->map, NULL));
}

bool mt_runs_whole (const MtRunSet *set, MtError *err)
{
   bool ok = true;
   for (uint32_t i = 0; ok && set && i < set->count; i++)
      if (atomic_load_explicit (&set->runs[i]->state, memory_order_acquire) == MT_RUN_OPEN)
         ok = mt_mapped_whole (set->runs[i]->map, set->runs[i]->size, err);
   return ok;
}

static bool spoilt (MtRun *r)
{
   atomic_store_explicit (&r->state, MT_RUN_UNUSABLE, memory_order_release);
   return false;
}

const uint8_t *mt_run_bytes (MtRun *r, size_t at, size_t n)
{
   for (size_t page = at / MT_STORE_PAGE; n > 0 && page <= (at + n - 1) / MT_STORE_PAGE; page++) {
      if (atomic_load_explicit (&r->page_ok[page], memory_order_relaxed))
         continue;
      size_t from = page * MT_STORE_PAGE,
             len = r->body_size - from < MT_STORE_PAGE ? r->body_size - from : MT_STORE_PAGE;
      if ((uint32_t) XXH3_64bits (r->body + from, len) !=
          mt_get32 (r->base + MT_RUN_HEAD + 4 * page)) {
         spoilt (r);
         return NULL;
      }
      atomic_store_explicit (&r->page_ok[page], 1, memory_order_relaxed);
   }
   return r->body + at;
}

MtKeyPlace mt_run_place (const MtRunInfo *i, uint64_t p)
{
   return (MtKeyPlace) {i->first + (uint32_t) (p >> (MT_RUN_OFFSET_BITS + MT_RUN_ORDINAL_BITS)),
                        (uint32_t) (p >> MT_RUN_ORDINAL_BITS) & ((1u << MT_RUN_OFFSET_BITS) - 1),
                        (uint32_t) p & ((1u << MT_RUN_ORDINAL_BITS) - 1)};
}

static void add_place (MtKeyPlace p, MtKeyPlaces *out)
{
   MT_GROW ("store", out->at, out->count, out->cap, 64);
   out->at[out->count++] = p;
}

bool mt_run_find (MtRun *r, const MtColl *c, uint32_t hash, size_t most, MtKeyPlaces *out)
{
   const MtRunInfo *i = &r->info;
   if (i->entries == 0 || !mt_run_open (r, c))
      return false;
   size_t hashes = (size_t) i->entries * 8, directory = hashes + (size_t) i->entries * 4;
   const uint8_t *d = mt_run_bytes (r, directory + (size_t) (hash >> (32 - r->bits)) * 4, 8);
   if (!d)
      return false;
   uint32_t from = mt_get32 (d), to = mt_get32 (d + 4);
   if (from > to || to > i->entries)
      return spoilt (r);
   const uint8_t *h = mt_run_bytes (r, hashes + (size_t) from * 4, (size_t) (to - from) * 4);
   if (!h)
      return false;
   while (from < to && mt_get32 (h) < hash)
      from++, h += 4;
   uint32_t n = 0;
   while (from + n < to && mt_get32 (h + (size_t) n * 4) == hash)
      n++;
   const uint8_t *p = n && n <= most - out->count
                         ? mt_run_bytes (r, (size_t) from * 8, (size_t) n * 8)
                         : NULL;
   if (n && !p)
      return false;
   for (uint32_t k = 0; k < n; k++)
      add_place (mt_run_place (i, mt_get64 (p + (size_t) k * 8)), out);
   return true;
}
