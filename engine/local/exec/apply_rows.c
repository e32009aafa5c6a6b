/* Stores the documents of $_mtApply that are the same for each input row. */
#include "base/temporary.h"
#include "engine/local/exec/apply_int.h"

#include <stdlib.h>
#include <unistd.h>

static bool spill (MtApplyRows *r, MtError *err)
{
   r->file = mt_temporary_stream (err);
   if (!r->file || (r->mem.n && !mt_temporary_write (r->file, r->mem.p, r->mem.n, err)))
      return false;
   free (r->mem.p);
   r->mem = (MtBson) {.arena = NULL};
   return true;
}

static void drop_index (MtApplyRows *r)
{
   r->by_key = r->by_time = false; /* without the index, each run reads all documents */
   free (r->entries);
   r->entries = NULL;
   r->count = r->cap = 0;
}

/* Returns the time by which a document is indexed, INT64_MIN for none. If `time` is neither a time
 * nor null, the index by time is given up. */
static int64_t time_of (MtApplyRows *r, const MtVal *time)
{
   if (time && time->type == MT_DATE)
      return time->i;
   if (time && !mt_is_nullish (*time))
      r->by_time = false;
   return INT64_MIN;
}

static void add_entry (MtApplyRows *r, MtApplyKey key, size_t limit)
{
   MT_GROW ("pipeline", r->entries, r->count, r->cap, 256);
   r->entries[r->count++] = (MtApplyEntry) {.hash = key.value ? mt_v_hash (*key.value, 7) : 0,
                                            .at = r->size,
                                            .time = time_of (r, key.time)};
   if (r->count * (sizeof *r->entries + 2 * sizeof *r->first) > limit || r->count == INT32_MAX ||
       (!key.value && !r->by_time))
      drop_index (r);
}

bool mt_apply_add (MtApplyRows *r, const uint8_t *doc, MtApplyKey key, size_t limit, MtError *err)
{
   uint32_t len = mt_get32 (doc);
   if (r->size == 0) {
      r->by_key = key.value || key.time;
      r->by_time = key.time != NULL;
   }
   if (r->by_key)
      add_entry (r, key, limit);
   if (!r->file && r->mem.n + len > limit && !spill (r, err))
      return false;
   r->size += len;
   if (r->file)
      return mt_temporary_write (r->file, doc, len, err);
   mt_bson_bytes (&r->mem, doc, len);
   return mt_memory_check (err);
}

/* Compares entries by hash, then by time. */
static int compare_entries (const MtApplyEntry *a, const MtApplyEntry *b)
{
   if (a->hash != b->hash)
      return a->hash < b->hash ? -1 : 1;
   return (a->time > b->time) - (a->time < b->time);
}

static int by_time (const void *x, const void *y)
{
   const MtApplyEntry *a = x, *b = y;
   int c = compare_entries (a, b);
   return c ? c : (a->at > b->at) - (a->at < b->at);
}

static void make_chains (MtApplyRows *r)
{
   r->mask = 15;
   while (r->mask < r->count)
      r->mask = r->mask * 2 + 1;
   r->first = mt_x_calloc ((size_t) r->mask + 1, sizeof *r->first);
   /* in reverse, so that each chain has the order of the documents */
   for (uint32_t i = r->count; i-- > 0;) {
      uint32_t *first = &r->first[r->entries[i].hash & r->mask];
      r->entries[i].next = *first;
      *first = i + 1;
   }
}

bool mt_apply_seal (MtApplyRows *r, MtError *err)
{
   if (r->file && !mt_temporary_flush (r->file, err))
      return false;
   if (r->by_time && r->count)
      qsort (r->entries, r->count, sizeof *r->entries, by_time);
   else if (r->by_key)
      make_chains (r);
   return true;
}

/* Returns 1 + the index of the first entry that is not less than `wanted`, by hash and time. 0:
 * there is none. */
static uint32_t first_entry (const MtApplyRows *r, const MtApplyEntry *wanted)
{
   uint32_t low = 0, high = r->count;
   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (compare_entries (&r->entries[middle], wanted) < 0)
         low = middle + 1;
      else
         high = middle;
   }
   return low < r->count ? low + 1 : 0;
}

void mt_apply_rewind (MtApplyRows *r, const MtVal *key, int64_t from, int64_t until)
{
   r->at = 0;
   r->chosen = r->by_key && (key || r->by_time);
   if (!r->chosen)
      return;
   r->hash = key ? mt_v_hash (*key, 7) : 0;
   r->until = until;
   r->entry = r->by_time ? first_entry (r, &(const MtApplyEntry) {.hash = r->hash, .time = from})
                         : r->first[r->hash & r->mask];
}

/* Stores the offset of the next document in the index by time in *at. Returns false if the range of
 * times has ended. */
static bool next_in_time (MtApplyRows *r, uint64_t *at)
{
   const MtApplyEntry *e = r->entry ? &r->entries[r->entry - 1] : NULL;
   if (!e || e->hash != r->hash || e->time > r->until)
      return false;
   *at = e->at;
   r->entry = r->entry < r->count ? r->entry + 1 : 0;
   return true;
}

/* Stores the offset of the next document to read in *at. Returns false if there is none. */
static bool find_next (MtApplyRows *r, uint64_t *at)
{
   if (!r->chosen) {
      *at = r->at;
      return r->at < r->size;
   }
   if (r->by_time)
      return next_in_time (r, at);
   while (r->entry && r->entries[r->entry - 1].hash != r->hash)
      r->entry = r->entries[r->entry - 1].next;
   if (!r->entry)
      return false;
   *at = r->entries[r->entry - 1].at;
   r->entry = r->entries[r->entry - 1].next;
   return true;
}

/* Reads the document at offset `at` of the file into r->buffer. Returns NULL with *err set on
 * failure. */
static const uint8_t *from_file (MtApplyRows *r, uint64_t at, MtError *err)
{
   uint8_t head[4];
   r->buffer.n = 0;
   if (!mt_temporary_read_at (r->file, (off_t) at, head, 4, err))
      return NULL;
   uint32_t len = mt_get32 (head);
   if (!mt_bson_room (&r->buffer, len)) {
      mt_memory_check (err);
      return NULL;
   }
   return mt_temporary_read_at (r->file, (off_t) at, r->buffer.p, len, err) ? r->buffer.p : NULL;
}

bool mt_apply_next (void *ctx, const bson_t **doc, MtError *err)
{
   MtApplyRows *r = ctx;
   uint64_t at;
   *doc = NULL;
   if (!r || !find_next (r, &at))
      return true;
   const uint8_t *p = r->file ? from_file (r, at, err) : r->mem.p + at;
   if (!p)
      return false;
   uint32_t len = mt_get32 (p);
   r->at = at + len;
   if (!bson_init_static (&r->doc, p, len))
      return r->file ? mt_temporary_damaged (err) : mt_x_malformed (err);
   *doc = &r->doc;
   return true;
}

void mt_apply_free (MtApplyRows *r)
{
   mt_temporary_close (r->file);
   free (r->mem.p);
   free (r->buffer.p);
   free (r->entries);
   free (r->first);
}
