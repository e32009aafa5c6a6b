/* Keys on disk. A run says where the documents of many blocks are that can hold a value in an
 * indexed field, so that a look-up steps on these alone, in a process that has just begun, too.
 *
 * One file a run, FOLDER/<collection's id>.<number>.key, written once, behind the commit that made
 * the blocks, and named by a commit of its own:
 *
 *    header  magic[8] version:4 field:4 store_id:8 collection:8 number:4 bits:4 first:4 end:4
 *            entries:8 hash:8 (64 bytes)
 *    table   a checksum of 4 bytes for each 4,096 bytes of what follows (the low half of XXH3-64)
 *    body    at a multiple of 4,096: places[entries]:8, hashes[entries]:4, directory[2^bits + 1]:4
 *
 * Entries are in the order of their hashes (mt_key_hash), those of one hash in that of their
 * documents; the list of a hash lies between directory[hash >> (32 - bits)] and the next. A place
 * is the block's serial - first (20 bits), the document's offset (22) and its ordinal (22). NULL
 * and missing values aren't there but for _id, the field 0, by which every document is found, and
 * deleted ones only when they were deleted later.
 *
 * Runs are a help, not the data: deleted documents stay in them, blocks that were merged away are
 * stepped over, and where a file is damaged or gone the blocks are looked through. So no answer
 * depends on more than that an entry of each document is in the run that covers its block. */
#include "engine/local/store/ids.h"
#include "base/temporary.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HEAD 64u
#define RUN_VERSION 1u
#define LEAST_BYTES (4u << 20)  /* of blocks that no run covers: fewer are looked through */
#define MOST_BYTES (256u << 20) /* of a run's blocks */
#define MOST_ENTRIES (4u << 20)
#define SMALL_BLOCK (64u << 10) /* may soon be merged with others */
#define ENOUGH_BLOCKS 8u        /* a look-up by ranges goes to no more of a run's */
#define OFFSET_BITS 22u
#define ORDINAL_BITS 22u
#define SERIAL_BITS 20u

static const char run_magic[8] = {'m', 't', 's', 'q', 'l', 'k', 'e', 'y'};

typedef enum State { UNOPENED, OPEN, UNUSABLE } State;

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

uint32_t mt_key_hash (MtVal v)
{
   return (uint32_t) (mt_v_hash (v, 0) * UINT64_C (0x9E3779B97F4A7C15) >> 32);
}

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

static bool within (const MtRunInfo *a, const MtRunInfo *b)
{
   return a->field == b->field && a->first >= b->first && a->end <= b->end;
}

/* In the place of those of its field within its serials. */
static void put_run (MtColl *c, const MtRunInfo *info, int fd, bool said)
{
   uint32_t old = c->runs ? c->runs->count : 0;
   MtRunSet *set = mt_calloc ("index of keys", 1, sizeof *set + (old + 1u) * sizeof *set->runs);
   MtRun *r = mt_calloc ("index of keys", 1, sizeof *r);
   if (pthread_mutex_init (&r->opening, NULL) != 0)
      mt_no_memory ("index of keys", sizeof r->opening);
   atomic_init (&set->refs, 1);
   atomic_init (&r->refs, 1);
   r->info = *info;
   r->said = said;
   r->fd = fd;
   for (uint32_t i = 0; i < old; i++)
      if (!within (&c->runs->runs[i]->info, info)) {
         atomic_fetch_add (&c->runs->runs[i]->refs, 1);
         set->runs[set->count++] = c->runs->runs[i];
      }
   set->runs[set->count++] = r;
   mt_runs_unref (c->runs);
   c->runs = set;
}

void mt_coll_add_run (MtColl *c, const MtRunInfo *info, int fd) { put_run (c, info, fd, true); }

static void remove_file (const MtColl *c, const MtRunInfo *info)
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
      } else if (!r->said) {
         remove_file (c, &r->info);
      }
   }
   mt_runs_unref (c->runs);
   c->runs = set;
}

/* ---- reading ---- */

static size_t body_of (const MtRunInfo *i, unsigned bits)
{
   return (size_t) i->entries * 12 + (((size_t) 1 << bits) + 1) * 4;
}
static size_t pages_of (size_t bytes) { return (bytes + MT_STORE_PAGE - 1) / MT_STORE_PAGE; }
static size_t body_at (size_t pages)
{
   return (HEAD + 4 * pages + MT_STORE_PAGE - 1) / MT_STORE_PAGE * MT_STORE_PAGE;
}
static uint64_t head_hash (const uint8_t *head, size_t pages)
{
   return XXH3_64bits_withSeed (head + HEAD, 4 * pages, XXH3_64bits (head, 56));
}

/* Whether the mapped file is the run's. */
static bool check (MtRun *r, const MtColl *c)
{
   const uint8_t *h = r->base;
   const MtRunInfo *i = &r->info;
   if (r->size < HEAD || memcmp (h, run_magic, 8) != 0 || mt_get32 (h + 8) != RUN_VERSION ||
       mt_get32 (h + 12) != i->field || mt_get64 (h + 16) != c->store->store_id ||
       mt_get64 (h + 24) != c->id || mt_get32 (h + 32) != i->number ||
       mt_get32 (h + 40) != i->first || mt_get32 (h + 44) != i->end ||
       mt_get64 (h + 48) != i->entries)
      return false;
   r->bits = mt_get32 (h + 36);
   if (r->bits < 1 || r->bits > 30)
      return false;
   r->body_size = body_of (i, r->bits);
   size_t pages = pages_of (r->body_size), at = body_at (pages);
   if (r->size < at || r->size - at < r->body_size || head_hash (h, pages) != i->hash)
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

static bool is_open (MtRun *r, const MtColl *c)
{
   if (atomic_load_explicit (&r->state, memory_order_acquire) == UNOPENED) {
      pthread_mutex_lock (&r->opening);
      if (atomic_load (&r->state) == UNOPENED)
         atomic_store_explicit (&r->state, map (r, c) ? OPEN : UNUSABLE, memory_order_release);
      pthread_mutex_unlock (&r->opening);
   }
   return atomic_load_explicit (&r->state, memory_order_acquire) == OPEN &&
          mt_mapped_check (r->map, NULL);
}

bool mt_run_usable (const MtRun *r)
{
   int state = atomic_load_explicit (&r->state, memory_order_acquire);
   return state == UNOPENED || (state == OPEN && mt_mapped_check (r->map, NULL));
}

bool mt_runs_whole (const MtRunSet *set, MtError *err)
{
   bool ok = true;
   for (uint32_t i = 0; ok && set && i < set->count; i++)
      if (atomic_load_explicit (&set->runs[i]->state, memory_order_acquire) == OPEN)
         ok = mt_mapped_whole (set->runs[i]->map, set->runs[i]->size, err);
   return ok;
}

static bool spoilt (MtRun *r)
{
   atomic_store_explicit (&r->state, UNUSABLE, memory_order_release);
   return false;
}

/* Bytes of the body, verified; NULL: they are damaged. */
static const uint8_t *bytes (MtRun *r, size_t at, size_t n)
{
   for (size_t page = at / MT_STORE_PAGE; n > 0 && page <= (at + n - 1) / MT_STORE_PAGE; page++) {
      if (atomic_load_explicit (&r->page_ok[page], memory_order_relaxed))
         continue;
      size_t from = page * MT_STORE_PAGE,
             len = r->body_size - from < MT_STORE_PAGE ? r->body_size - from : MT_STORE_PAGE;
      if ((uint32_t) XXH3_64bits (r->body + from, len) != mt_get32 (r->base + HEAD + 4 * page)) {
         spoilt (r);
         return NULL;
      }
      atomic_store_explicit (&r->page_ok[page], 1, memory_order_relaxed);
   }
   return r->body + at;
}

static MtKeyPlace place_of (const MtRunInfo *i, uint64_t p)
{
   return (MtKeyPlace) {i->first + (uint32_t) (p >> (OFFSET_BITS + ORDINAL_BITS)),
                        (uint32_t) (p >> ORDINAL_BITS) & ((1u << OFFSET_BITS) - 1),
                        (uint32_t) p & ((1u << ORDINAL_BITS) - 1)};
}

static void add_place (MtKeyPlace p, MtKeyPlace **places, size_t *count, size_t *cap)
{
   MT_GROW ("store", *places, *count, *cap, 64);
   (*places)[(*count)++] = p;
}

bool mt_run_find (MtRun *r, const MtColl *c, uint32_t hash, MtKeyPlace **places, size_t *count,
                  size_t *cap, size_t most)
{
   const MtRunInfo *i = &r->info;
   if (i->entries == 0 || !is_open (r, c))
      return false;
   size_t hashes = (size_t) i->entries * 8, directory = hashes + (size_t) i->entries * 4;
   const uint8_t *d = bytes (r, directory + (size_t) (hash >> (32 - r->bits)) * 4, 8);
   if (!d)
      return false;
   uint32_t from = mt_get32 (d), to = mt_get32 (d + 4);
   if (from > to || to > i->entries)
      return spoilt (r);
   const uint8_t *h = bytes (r, hashes + (size_t) from * 4, (size_t) (to - from) * 4);
   if (!h)
      return false;
   while (from < to && mt_get32 (h) < hash)
      from++, h += 4;
   uint32_t n = 0;
   while (from + n < to && mt_get32 (h + (size_t) n * 4) == hash)
      n++;
   const uint8_t *p = n && n <= most - *count ? bytes (r, (size_t) from * 8, (size_t) n * 8) : NULL;
   if (n && !p)
      return false;
   for (uint32_t k = 0; k < n; k++)
      add_place (place_of (i, mt_get64 (p + (size_t) k * 8)), places, count, cap);
   return true;
}

/* ---- making ---- */

typedef struct Entry {
   uint64_t place;
   uint32_t hash;
} Entry;

typedef struct Making {
   MtColl *c;
   MtRunInfo info;
   Entry *entries;
   size_t count, cap;
   bool fits;      /* places can be told with their bits */
   uint64_t bytes; /* of blocks */
   uint32_t blocks, documents;
   bool in_step;
} Making;

/* The end of what the field's runs cover. */
static uint32_t covered_to (const MtColl *c, uint32_t field)
{
   uint32_t end = 0;
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (c->runs->runs[i]->info.field == field && c->runs->runs[i]->info.end > end)
         end = c->runs->runs[i]->info.end;
   return end;
}

/* Takes in blocks from m->info.first on, of serials below `last`, as many as a run may have. */
static void widen (Making *m, uint32_t last)
{
   for (uint32_t s = m->info.first; s < last && s - m->info.first < 1u << SERIAL_BITS; s++) {
      const MtStoreBlock *b = m->c->serials[s];
      if (b && m->blocks &&
          (m->bytes + b->size > MOST_BYTES || m->documents + b->documents > MOST_ENTRIES))
         return;
      m->info.end = s + 1;
      m->bytes += b ? b->size : 0;
      m->documents += b ? b->documents : 0;
      m->blocks += b != NULL;
   }
}

/* What the next run of a field is to cover: blocks behind the last one, but for small ones at the
 * end; false: that isn't enough. */
static bool next_part (MtColl *c, uint32_t field, Making *m)
{
   uint32_t first = covered_to (c, field);
   *m = (Making) {.c = c, .fits = true, .info = {.field = field, .first = first, .end = first}};
   for (size_t i = c->block_count;
        i-- > 0 && c->blocks[i]->serial >= first && m->bytes < LEAST_BYTES;)
      m->bytes += c->blocks[i]->size;
   if (m->bytes < LEAST_BYTES)
      return false;
   uint32_t last = c->serial_count;
   while (last > first && (!c->serials[last - 1] || c->serials[last - 1]->size < SMALL_BLOCK))
      last--;
   m->bytes = 0;
   widen (m, last);
   return m->bytes >= LEAST_BYTES;
}

/* A run before it that isn't larger becomes part of it (in a step: one of the step's), so that a
 * collection that grows bit by bit has few. */
static void take_smaller (Making *m)
{
   for (const MtRunSet *set = m->c->runs; set;) {
      const MtRunInfo *before = NULL;
      uint64_t bytes = 0;
      bool said = true;
      uint32_t documents = 0, blocks = 0;
      for (uint32_t i = 0; i < set->count; i++)
         if (set->runs[i]->info.field == m->info.field && set->runs[i]->info.end == m->info.first) {
            before = &set->runs[i]->info;
            said = set->runs[i]->said;
         }
      if (!before || (m->in_step && said) || m->info.end - before->first >= 1u << SERIAL_BITS)
         return;
      for (uint32_t s = before->first; s < before->end; s++)
         if (m->c->serials[s]) {
            bytes += m->c->serials[s]->size;
            documents += m->c->serials[s]->documents;
            blocks++;
         }
      if (bytes > m->bytes || bytes + m->bytes > MOST_BYTES ||
          documents + m->documents > MOST_ENTRIES)
         return;
      m->bytes += bytes;
      m->documents += documents;
      m->blocks += blocks;
      m->info.first = before->first;
   }
}

static bool overlap (const MtBlockRange *a, const MtBlockRange *b)
{
   return mt_v_compare (a->min, b->max) <= 0 && mt_v_compare (b->min, a->max) <= 0;
}

/* In how many blocks are values of the one in the middle. 0: lists in all that are looked at. */
static uint32_t blocks_beside (const Making *m, bool *dates)
{
   const MtBlockRange *middle = NULL;
   uint32_t seen = 0, beside = 0, f = m->info.field;
   for (uint32_t s = m->info.first; s < m->info.end && !middle; s++) {
      const MtStoreBlock *b = m->c->serials[s];
      if (b && seen++ >= m->blocks / 2 && f < b->range_count && b->ranges[f].kept)
         middle = &b->ranges[f];
   }
   *dates = middle && middle->min.type == MT_DATE;
   for (uint32_t s = m->info.first; middle && s < m->info.end; s++) {
      const MtStoreBlock *b = m->c->serials[s];
      beside += b && f < b->range_count && b->ranges[f].kept && overlap (&b->ranges[f], middle);
   }
   return beside;
}

/* Whether the document of an _id is found by ranges and by the order in its block. */
static bool ids_in_order (const Making *m)
{
   MtColl *c = m->c;
   uint32_t known = m->info.first;
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++) {
      const MtRunInfo *run = &c->runs->runs[i]->info;
      if (run->field == 0 && run->entries == 0 && run->first <= known && run->end > known)
         known = run->end; /* it was looked at then */
   }
   for (uint32_t s = known; s < m->info.end; s++)
      if (c->serials[s] && !mt_order_ascends (c, c->serials[s]))
         return false;
   return true;
}

/* Whether the blocks' ranges tell so few of them that a run would be of no use: as for times, which
 * come in their order. */
static bool ranges_tell (const Making *m)
{
   bool dates;
   uint32_t beside = blocks_beside (m, &dates);
   if (m->info.field == 0)
      return beside > 0 && beside <= (m->blocks > ENOUGH_BLOCKS ? ENOUGH_BLOCKS : 3) &&
             ids_in_order (m);
   return beside == 0 || dates || (beside <= ENOUGH_BLOCKS && m->blocks > ENOUGH_BLOCKS);
}

static bool is_gone (const MtStoreBlock *b, uint32_t ordinal)
{
   return b->deleted && (b->deleted->bits[ordinal / 8] & (1u << ordinal % 8));
}

static void add_entry (Making *m, uint32_t serial, uint64_t offset, uint64_t ordinal, uint32_t hash)
{
   if (offset >> OFFSET_BITS || ordinal >> ORDINAL_BITS || m->count == m->cap)
      m->fits = false;
   else
      m->entries[m->count++] = (Entry) {(uint64_t) (serial - m->info.first)
                                              << (OFFSET_BITS + ORDINAL_BITS) |
                                           offset << ORDINAL_BITS | ordinal,
                                        hash};
}

static bool add_block (Making *m, const MtStoreBlock *b, MtError *err)
{
   const uint8_t *data = m->c->map->base + b->offset + b->data_at, *doc;
   size_t offset = 0, len;
   bool ids = m->info.field == 0;
   const char *field = m->c->fields[m->info.field];
   if (!ids && (m->info.field >= b->range_count || !b->ranges[m->info.field].kept))
      return true; /* these are looked through */
   for (uint32_t i = 0; m->fits; i++) {
      uint64_t at = offset;
      if (!mt_block_next (m->c->name, b, data, &offset, &doc, &len, err))
         return false;
      if (!doc)
         return true;
      MtVal v = mt_bson_field (doc, len, field);
      if ((ids || !mt_is_nullish (v)) && !is_gone (b, i))
         add_entry (m, b->serial, at, i, mt_key_hash (v));
   }
   return true;
}

/* What a run that becomes part of this one has: so that its blocks needn't be read again. False:
 * they must be. */
static bool add_run (Making *m, MtRun *r)
{
   const MtRunInfo *i = &r->info;
   size_t before = m->count;
   const uint8_t *p = i->entries && is_open (r, m->c) ? bytes (r, 0, r->body_size) : NULL;
   for (uint64_t k = 0; p && k < i->entries; k++) {
      MtKeyPlace at = place_of (i, mt_get64 (p + k * 8));
      const MtStoreBlock *b = at.serial < i->end ? m->c->serials[at.serial] : NULL;
      if (b && at.ordinal < b->documents && !is_gone (b, at.ordinal))
         add_entry (m, at.serial, at.offset, at.ordinal, mt_get32 (p + i->entries * 8 + k * 4));
   }
   if (!p)
      m->count = before;
   return p != NULL;
}

/* The run of the field that begins there; NULL: none. */
static MtRun *run_from (const Making *m, uint32_t serial)
{
   for (uint32_t i = 0; m->c->runs && i < m->c->runs->count; i++)
      if (m->c->runs->runs[i]->info.first == serial &&
          within (&m->c->runs->runs[i]->info, &m->info))
         return m->c->runs->runs[i];
   return NULL;
}

static bool gather (Making *m, MtError *err)
{
   m->cap = m->documents;
   m->entries = mt_try_malloc ("store", (m->cap + 1) * sizeof *m->entries);
   if (!m->entries)
      return mt_memory_check (err);
   for (uint32_t s = m->info.first, next; s < m->info.end && m->fits; s = next) {
      MtRun *before = run_from (m, s);
      next = s + 1;
      if (!mt_cancel_check (m->c->store->cancel, err))
         return false;
      if (before && add_run (m, before))
         next = before->info.end;
      else if (m->c->serials[s] && !add_block (m, m->c->serials[s], err))
         return false;
   }
   return true;
}

static int by_hash (const void *p, const void *q)
{
   const Entry *x = p, *y = q;
   if (x->hash != y->hash)
      return x->hash < y->hash ? -1 : 1;
   return x->place < y->place ? -1 : x->place > y->place;
}

/* Lists are short, but for those of a value that many have. */
static void sort_list (Entry *e, size_t n)
{
   if (n > 32) {
      qsort (e, n, sizeof *e, by_hash);
      return;
   }
   for (size_t i = 1; i < n; i++) {
      Entry x = e[i];
      size_t k = i;
      for (; k > 0 && by_hash (&e[k - 1], &x) > 0; k--)
         e[k] = e[k - 1];
      e[k] = x;
   }
}

/* The body: entries are dealt out to their lists, which are short. */
static void put_body (const Making *m, unsigned bits, uint8_t *body)
{
   size_t lists = (size_t) 1 << bits, n = m->count;
   uint32_t *first = mt_calloc ("index of keys", lists + 2, sizeof *first);
   Entry *sorted = mt_malloc ("index of keys", (n + 1) * sizeof *sorted);
   for (size_t i = 0; i < n; i++)
      first[(m->entries[i].hash >> (32 - bits)) + 2]++;
   for (size_t i = 2; i <= lists; i++)
      first[i + 1] += first[i];
   for (size_t i = 0; i < n; i++)
      sorted[first[(m->entries[i].hash >> (32 - bits)) + 1]++] = m->entries[i];
   for (size_t i = 0; i < lists; i++)
      sort_list (sorted + first[i], first[i + 1] - first[i]);
   for (size_t i = 0; i < n; i++) {
      mt_put64 (body + i * 8, sorted[i].place);
      mt_put32 (body + n * 8 + i * 4, sorted[i].hash);
   }
   memcpy (body + n * 12, first, (lists + 1) * sizeof *first);
   free (sorted);
   free (first);
}

static uint8_t *put_file (Making *m, size_t *size)
{
   unsigned bits = 1;
   while (bits < 30 && m->count >> (bits + 4))
      bits++;
   m->info.entries = m->count;
   size_t body = body_of (&m->info, bits), pages = pages_of (body), at = body_at (pages);
   uint8_t *h = mt_try_calloc ("store", 1, at + body);
   if (!h)
      return NULL;
   memcpy (h, run_magic, 8);
   mt_put32 (h + 8, RUN_VERSION);
   mt_put32 (h + 12, m->info.field);
   mt_put64 (h + 16, m->c->store->store_id);
   mt_put64 (h + 24, m->c->id);
   mt_put32 (h + 32, m->info.number);
   mt_put32 (h + 36, bits);
   mt_put32 (h + 40, m->info.first);
   mt_put32 (h + 44, m->info.end);
   mt_put64 (h + 48, m->info.entries);
   put_body (m, bits, h + at);
   for (size_t i = 0; i < pages; i++) {
      size_t from = i * MT_STORE_PAGE,
             n = body - from < MT_STORE_PAGE ? body - from : MT_STORE_PAGE;
      mt_put32 (h + HEAD + 4 * i, (uint32_t) XXH3_64bits (h + at + from, n));
   }
   m->info.hash = head_hash (h, pages);
   mt_put64 (h + 56, m->info.hash);
   *size = at + body;
   return h;
}

/* Writes the file; *fd stays open in a temporary store. */
static bool write_file (Making *m, int *fd, MtError *err)
{
   size_t size = 0;
   char *path = mt_run_path (m->c, m->info.number);
   uint8_t *file = put_file (m, &size);
   bool ok = file != NULL || mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   *fd = !ok    ? -1
         : path ? open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                : mt_temporary_file ();
   if (ok && *fd < 0)
      ok = mt_io_error (err, "create", path);
   ok = ok && mt_io_write (*fd, file, size, 0, path, err) &&
        (!path || (mt_io_sync (*fd, path, err) && mt_io_sync_dir (m->c->store->path, err)));
   if (*fd >= 0 && (path || !ok)) {
      close (*fd);
      *fd = -1;
   }
   if (!ok && path)
      unlink (path);
   free (file);
   free (path);
   return ok;
}

static uint32_t next_number (const MtColl *c)
{
   uint32_t n = 0;
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (c->runs->runs[i]->info.number >= n)
         n = c->runs->runs[i]->info.number + 1;
   return n;
}

/* Makes the file, unless ranges tell as much. */
static bool build (Making *m, uint64_t length, int *fd, MtError *err)
{
   *fd = -1;
   m->info.number = next_number (m->c);
   if (!mt_coll_map (m->c, length, err))
      return false;
   bool keys = !ranges_tell (m);
   return !keys || (gather (m, err) && (!m->fits || !m->count || write_file (m, fd, err)));
}

static bool commit (MtColl *c, MtError *err)
{
   bool unknown = false, ok = mt_store_commit_record (c->store, &unknown, err);
   c->store->broken |= unknown;
   return ok;
}

/* Makes the run and says so; the files that it replaces are removed a while later. */
static bool make_run (Making *m, MtError *err)
{
   MtColl *c = m->c;
   int fd;
   if (!build (m, c->committed_length, &fd, err))
      return false;
   mt_buf_clear (&c->store->record);
   mt_record_run (c->store, c, &m->info);
   if (!commit (c, err)) {
      if (!c->store->broken)
         remove_file (c, &m->info);
      if (fd >= 0)
         close (fd);
      return false;
   }
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (c->runs->runs[i]->info.entries && within (&c->runs->runs[i]->info, &m->info))
         mt_store_doom (c->store, mt_run_path (c, c->runs->runs[i]->info.number));
   mt_coll_add_run (c, &m->info, fd);
   return true;
}

/* What the step made for itself is of use from now on. */
static bool say_those_of_step (MtColl *c, MtError *err)
{
   bool any = false;
   mt_buf_clear (&c->store->record);
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (!c->runs->runs[i]->said) {
         mt_record_run (c->store, c, &c->runs->runs[i]->info);
         any = true;
      }
   if (any && !commit (c, err))
      return false;
   for (uint32_t i = 0; any && i < c->runs->count; i++)
      c->runs->runs[i]->said = true;
   return true;
}

/* The part is at most as large as any run is. */
static Making part_of_step (MtColl *c)
{
   uint32_t first = covered_to (c, 0);
   Making m = {
      .c = c, .fits = true, .in_step = true, .info = {.field = 0, .first = first, .end = first}};
   widen (&m, c->serial_count);
   return m;
}

bool mt_runs_of_step (MtColl *c, MtError *err)
{
   for (Making m = part_of_step (c); m.blocks > 0; m = part_of_step (c)) {
      int fd;
      take_smaller (&m);
      bool ok = build (&m, c->length, &fd, err);
      free (m.entries);
      if (!ok)
         return false;
      for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
         if (within (&c->runs->runs[i]->info, &m.info))
            remove_file (c, &c->runs->runs[i]->info);
      put_run (c, &m.info, fd, false);
   }
   return true;
}

/* Few at a time, unless the step wrote much itself: another pays for what was left. */
static bool make_runs (MtColl *c, uint32_t field, MtError *err)
{
   uint64_t most = 2 + c->grown / LEAST_BYTES;
   for (Making m; most-- > 0 && next_part (c, field, &m);) {
      take_smaller (&m);
      bool ok = make_run (&m, err);
      free (m.entries);
      if (!ok)
         return false;
   }
   return true;
}

void mt_store_make_runs (MtStore *s)
{
   MtError ignored;
   bool ok = !s->broken;
   mt_error_clear (&ignored);
   for (size_t i = 0; i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      ok = ok && say_those_of_step (c, &ignored);
      for (uint32_t f = 0; ok && c->grown && f < c->field_count; f++)
         ok = make_runs (c, f, &ignored);
      c->grown = 0;
   }
   mt_buf_clear (&s->record);
}
