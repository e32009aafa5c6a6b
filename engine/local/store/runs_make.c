/* Chooses the blocks of a new run (a file of sorted keys), and writes its file. */
#include "engine/local/store/ids.h"
#include "engine/local/store/runs_int.h"
#include "base/memory.h"
#include "base/temporary.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The maximum size of the blocks that one run (a file of sorted keys) covers. */
#define MOST_BYTES (256u << 20)
#define MOST_ENTRIES (4u << 20)
/* A block smaller than this may soon be merged with others, so a run (a file of sorted keys) should
 * not end with such a block. */
#define SMALL_BLOCK (64u << 10)
/* If the value ranges of the blocks leave at most this many blocks for a look-up to scan, a run (a
 * file of sorted keys) is unnecessary. */
#define ENOUGH_BLOCKS 8u

/* Returns the serial number of the first block that no run of the field covers. */
static uint32_t covered_to (const MtColl *c, uint32_t field)
{
   uint32_t end = 0;
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (c->runs->runs[i]->info.field == field && c->runs->runs[i]->info.end > end)
         end = c->runs->runs[i]->info.end;
   return end;
}

/* Adds the blocks from m->info.first up to (not including) serial number `last` to the new run (a
 * file of sorted keys), until a limit of a run is reached. */
static void widen (MtRunMaking *m, uint32_t last)
{
   for (uint32_t s = m->info.first; s < last && s - m->info.first < 1u << MT_RUN_SERIAL_BITS; s++) {
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

bool mt_run_next_part (MtColl *c, uint32_t field, MtRunMaking *m)
{
   uint32_t first = covered_to (c, field);
   *m = (MtRunMaking) {
      .c = c, .fits = true, .info = {.field = field, .first = first, .end = first}};
   for (size_t i = c->block_count;
        i-- > 0 && c->blocks[i]->serial >= first && m->bytes < MT_RUN_LEAST_BYTES;)
      m->bytes += c->blocks[i]->size;
   if (m->bytes < MT_RUN_LEAST_BYTES)
      return false;
   uint32_t last = c->serial_count;
   while (last > first && (!c->serials[last - 1] || c->serials[last - 1]->size < SMALL_BLOCK))
      last--;
   m->bytes = 0;
   widen (m, last);
   return m->bytes >= MT_RUN_LEAST_BYTES;
}

void mt_run_take_smaller (MtRunMaking *m)
{
   for (const MtRunSet *set = m->c->runs; set;) {
      const MtRunInfo *before = NULL;
      uint64_t bytes = 0;
      bool committed = true;
      uint32_t documents = 0, blocks = 0;
      for (uint32_t i = 0; i < set->count; i++)
         if (set->runs[i]->info.field == m->info.field && set->runs[i]->info.end == m->info.first) {
            before = &set->runs[i]->info;
            committed = set->runs[i]->committed;
         }
      if (!before || (m->in_step && committed) ||
          m->info.end - before->first >= 1u << MT_RUN_SERIAL_BITS)
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

/* Counts the blocks whose value range overlaps that of the middle block, as a sample of how many
 * blocks a look-up would scan. *dates is true if the values are dates. Returns 0 if no block from
 * the middle on has a range, because they contain arrays. */
static uint32_t blocks_beside (const MtRunMaking *m, bool *dates)
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

/* Returns whether all blocks of the new run are sorted by _id. Then a document can be found without
 * keys, by the blocks' ranges and a search within the block. */
static bool ids_in_order (const MtRunMaking *m)
{
   MtColl *c = m->c;
   uint32_t known = m->info.first;
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++) {
      const MtRunInfo *run = &c->runs->runs[i]->info;
      if (run->field == 0 && run->entries == 0 && run->first <= known && run->end > known)
         known = run->end; /* the order was already checked for that run */
   }
   for (uint32_t s = known; s < m->info.end; s++)
      if (c->serials[s] && !mt_order_ascends (c, c->serials[s]))
         return false;
   return true;
}

/* Returns whether a run (a file of sorted keys) would not help, because the blocks' value ranges
 * are narrow enough to find documents (usual for ascending times) or do not exist. */
static bool ranges_tell (const MtRunMaking *m)
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

static void add_entry (MtRunMaking *m, uint32_t serial, uint64_t offset, uint64_t ordinal,
                       uint32_t hash)
{
   if (offset >> MT_RUN_OFFSET_BITS || ordinal >> MT_RUN_ORDINAL_BITS || m->count == m->cap)
      m->fits = false;
   else
      m->entries[m->count++] = (MtRunEntry) {(uint64_t) (serial - m->info.first)
                                                   << (MT_RUN_OFFSET_BITS + MT_RUN_ORDINAL_BITS) |
                                                offset << MT_RUN_ORDINAL_BITS | ordinal,
                                             hash};
}

static bool add_block (MtRunMaking *m, const MtStoreBlock *b, MtError *err)
{
   MtBlockWalk walk;
   bool ids = m->info.field == 0, end;
   const char *field = m->c->fields[m->info.field];
   if (!ids && (m->info.field >= b->range_count || !b->ranges[m->info.field].kept))
      return true; /* blocks without bounds are always scanned */
   if (!mt_block_walk (&walk, m->c->name, b, mt_coll_data (m->c, b), &m->c->rebuilt, err))
      return false;
   for (MtFieldWalk f = mt_field_walk (&walk, field); m->fits;) {
      if (!mt_field_next (&f, &end, err))
         return false;
      if (end)
         return true;
      if ((ids || !mt_is_nullish (f.value)) && !is_gone (b, f.ordinal))
         add_entry (m, b->serial, f.offset, f.ordinal, mt_key_hash (f.value));
   }
   return true;
}

/* Copies the keys of an older run (a file of sorted keys) that becomes part of the new one, so that
 * its blocks need not be read again. Returns false if its file cannot be read. */
static bool add_run (MtRunMaking *m, MtRun *r)
{
   const MtRunInfo *i = &r->info;
   size_t before = m->count;
   const uint8_t *p = i->entries && mt_run_open (r, m->c) ? mt_run_bytes (r, 0, r->body_size)
                                                          : NULL;
   for (uint64_t k = 0; p && k < i->entries; k++) {
      MtKeyPlace at = mt_run_place (i, mt_get64 (p + k * 8));
      const MtStoreBlock *b = at.serial < i->end ? m->c->serials[at.serial] : NULL;
      if (b && at.ordinal < b->documents && !is_gone (b, at.ordinal))
         add_entry (m, at.serial, at.offset, at.ordinal, mt_get32 (p + i->entries * 8 + k * 4));
   }
   if (!p)
      m->count = before;
   return p != NULL;
}

/* Returns the run (a file of sorted keys) of this field that begins with block `serial` and covers
 * only blocks of the new run, or NULL. */
static MtRun *run_from (const MtRunMaking *m, uint32_t serial)
{
   for (uint32_t i = 0; m->c->runs && i < m->c->runs->count; i++)
      if (m->c->runs->runs[i]->info.first == serial &&
          mt_run_within (&m->c->runs->runs[i]->info, &m->info))
         return m->c->runs->runs[i];
   return NULL;
}

static bool gather (MtRunMaking *m, MtError *err)
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
   const MtRunEntry *x = p, *y = q;
   if (x->hash != y->hash)
      return x->hash < y->hash ? -1 : 1;
   return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts n entries, which have similar hashes, by hash and then by document. Uses insertion sort for
 * short lists, because most lists are short. */
static void sort_list (MtRunEntry *e, size_t n)
{
   if (n > 32) {
      qsort (e, n, sizeof *e, by_hash);
      return;
   }
   for (size_t i = 1; i < n; i++) {
      MtRunEntry x = e[i];
      size_t k = i;
      for (; k > 0 && by_hash (&e[k - 1], &x) > 0; k--)
         e[k] = e[k - 1];
      e[k] = x;
   }
}

/* Fills `body`, the body of the run's file (sorted keys of one field): distributes the entries over
 * 2^bits lists by the first bits of the hash, and sorts each list. */
static void put_body (const MtRunMaking *m, unsigned bits, uint8_t *body)
{
   size_t lists = (size_t) 1 << bits, n = m->count;
   uint32_t *first = mt_calloc ("index of keys", lists + 2, sizeof *first);
   MtRunEntry *sorted = mt_malloc ("index of keys", (n + 1) * sizeof *sorted);
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

static uint8_t *put_file (MtRunMaking *m, size_t *size)
{
   unsigned bits = 1;
   while (bits < 30 && m->count >> (bits + 4))
      bits++;
   m->info.entries = m->count;
   size_t body = mt_run_body_size (&m->info, bits), pages = mt_run_pages (body),
          at = mt_run_body_at (pages);
   uint8_t *h = mt_try_calloc ("store", 1, at + body);
   if (!h)
      return NULL;
   memcpy (h, MT_RUN_MAGIC, 8);
   mt_put32 (h + 8, MT_RUN_VERSION);
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
      mt_put32 (h + MT_RUN_HEAD + 4 * i, (uint32_t) XXH3_64bits (h + at + from, n));
   }
   m->info.hash = mt_run_head_hash (h, pages);
   mt_put64 (h + 56, m->info.hash);
   *size = at + body;
   return h;
}

/* Writes and syncs the file of the run (sorted keys of one field). In a temporary store the file
 * stays open as *fd; otherwise *fd is -1 afterwards. */
static bool write_file (MtRunMaking *m, int *fd, MtError *err)
{
   size_t size = 0;
   char *path = mt_run_path (m->c, m->info.number);
   uint8_t *file = put_file (m, &size);
   bool ok = file != NULL || mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   *fd = -1;
   if (ok)
      *fd = path ? open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : mt_temporary_file ();
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

bool mt_run_build (MtRunMaking *m, uint64_t length, int *fd, MtError *err)
{
   *fd = -1;
   m->info.number = next_number (m->c);
   if (!mt_coll_map (m->c, length, err))
      return false;
   bool keys = !ranges_tell (m);
   return !keys || (gather (m, err) && (!m->fits || !m->count || write_file (m, fd, err)));
}

/* Returns a new run (a file of sorted keys) of _ids for the next blocks of the open step (an
 * uncommitted batch), as many as one run may cover. */
static MtRunMaking part_of_step (MtColl *c)
{
   uint32_t first = covered_to (c, 0);
   MtRunMaking m = {
      .c = c, .fits = true, .in_step = true, .info = {.field = 0, .first = first, .end = first}};
   widen (&m, c->serial_count);
   return m;
}

bool mt_runs_of_step (MtColl *c, MtError *err)
{
   for (MtRunMaking m = part_of_step (c); m.blocks > 0; m = part_of_step (c)) {
      int fd;
      mt_run_take_smaller (&m);
      bool ok = mt_run_build (&m, c->length, &fd, err);
      free (m.entries);
      if (!ok)
         return false;
      for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
         if (mt_run_within (&c->runs->runs[i]->info, &m.info))
            mt_run_remove_file (c, &c->runs->runs[i]->info);
      mt_run_put (c, &m.info, fd, false);
   }
   return true;
}
