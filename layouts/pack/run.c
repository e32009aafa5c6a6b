/* Writes and merges runs, which are sorted records on disk, in one unlinked file per way (path from
 * the root to a leaf).
 *
 * A record is its sort key (8 bytes), followed by its other values: the number in the dictionary
 * (4 bytes), or a fixed-size value (8 bytes), behind a byte that is 1 for NULL if the column has
 * NULLs. This is possible if all keys fit in the sort key, and if the chunk's dictionaries stay in
 * memory (MtSpoolRun).
 *
 * Otherwise a record is its length (4 bytes), followed by its keys and other values. A value is its
 * BSON type and 8 bytes, or its type, subtype, length and bytes. */
#include "layouts/pack/pack_int.h"
#include "base/memory.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_BUFFER = 64 << 10, OUT_BUFFER = 1 << 20, MAX_RUNS = 64 };

struct MtRunOut {
   MtWriteWay *w;
   MtBuf buf;
   MtSpoolRun run;
};

/* ---- writing ---- */

static bool flush (MtRunOut *o, MtError *err)
{
   if (!mt_temporary_write_at (o->w->fd, (uint64_t) o->w->file_size, o->buf.p, o->buf.n, err))
      return false;
   o->w->file_size += (int64_t) o->buf.n;
   mt_buf_clear (&o->buf);
   return true;
}

bool mt_run_begin (MtWriteWay *w, MtRunOut **out, MtError *err)
{
   *out = NULL;
   if (w->fd < 0 && (w->fd = mt_temporary_file ()) < 0)
      return mt_temporary_failed (err, "create");
   MtRunOut *o = mt_calloc ("writer", 1, sizeof *o);
   *o = (MtRunOut) {.w = w, .run = {.offset = w->file_size}};
   *out = o;
   return mt_buf_reserve (&o->buf, OUT_BUFFER + 4096) || mt_memory_check (err);
}

/* Returns the size of values of a BSON type that is fixed but not 8 bytes, such as an ObjectId's; 0
 * for other types. */
static uint32_t wide (uint8_t type)
{
   if (type == MT_DECIMAL)
      return 16;
   return type == MT_OID ? 12 : 0;
}

static char *put (char *p, MtVal v)
{
   *p++ = (char) v.type;
   if (v.type == MT_NULL)
      return p;
   if (mt_has_length (v.type)) {
      *p++ = (char) v.sub;
      memcpy (p, &v.len, 4);
      memcpy (p + 4, v.p, v.len);
      return p + 4 + v.len;
   }
   uint32_t n = wide (v.type);
   memcpy (p, n ? (const void *) v.p : (const void *) &v.i, n ? n : 8);
   return p + (n ? n : 8);
}

static size_t room (const MtVal *v, int count)
{
   size_t n = 0;
   for (int i = 0; i < count; i++)
      n += 17 + (mt_has_length (v[i].type) ? v[i].len : 0);
   return n;
}

bool mt_run_add (MtRunOut *o, const MtVal *key, const MtVal *pay, MtError *err)
{
   size_t most = 4 + room (key, o->w->key_count) + room (pay, o->w->pay_count);
   if (o->buf.n && o->buf.n + most > OUT_BUFFER && !flush (o, err))
      return false;
   if (!mt_buf_reserve (&o->buf, most + 1))
      return mt_memory_check (err);
   char *start = o->buf.p + o->buf.n, *p = start + 4;
   for (int i = 0; i < o->w->key_count; i++)
      p = put (p, key[i]);
   for (int i = 0; i < o->w->pay_count; i++)
      p = put (p, pay[i]);
   uint32_t size = (uint32_t) (p - start);
   memcpy (start, &size, 4);
   o->buf.n += size;
   return true;
}

/* Returns the size of a column's value in a record with a sort key. */
static inline uint32_t packed_size (const MtColChunk *c)
{
   return c->dict_kind ? 4 : 8 + c->any_null;
}

/* Writes the values of `count` rows in column c, the first at p and each `record` bytes behind the
 * one before. */
static void put_column (const MtColChunk *c, const MtPair *pairs, uint32_t count, char *p,
                        uint32_t record)
{
   for (uint32_t k = 0; k < count; k++) {
      uint32_t row = pairs[k].row;
      char *to = p + (size_t) k * record;
      if (c->dict_kind) {
         memcpy (to, &c->ids[row], 4);
         continue;
      }
      if (c->any_null)
         *to++ = c->nulls && c->nulls[row];
      memcpy (to, &c->fixed[row], 8);
   }
}

bool mt_run_add_packed (MtRunOut *o, MtStream *s, const MtColChunk *kept, const MtSpill *sp,
                        MtError *err)
{
   const MtWriteWay *w = o->w;
   uint32_t record = 8, n;
   for (int i = 0; i < w->pay_count; i++)
      record += packed_size (&s->cols[w->pay[i]]);
   for (uint32_t from = 0; from < s->count; from += n) {
      uint32_t at = 8;
      n = OUT_BUFFER / record + 1;
      n = n < s->count - from ? n : s->count - from;
      if (!mt_buf_reserve (&o->buf, (size_t) n * record))
         return mt_memory_check (err);
      const MtPair *pairs = s->pairs + from;
      char *p = o->buf.p;
      for (uint32_t k = 0; k < n; k++)
         memcpy (p + (size_t) k * record, &pairs[k].key, 8);
      for (int i = 0; i < w->pay_count; i++) {
         const MtColChunk *c = &s->cols[w->pay[i]];
         put_column (c, pairs, n, p + at, record);
         at += packed_size (c);
      }
      o->buf.n = (size_t) n * record;
      if (!flush (o, err) || !mt_cancel_check (sp->cancel, err))
         return false;
   }
   o->run.cols = kept;
   o->run.packed = s->packed;
   s->packed = NULL;
   for (int f = 0; f < w->key_count; f++)
      o->run.packed[f].c = &kept[w->keys[f].column];
   return true;
}

bool mt_run_end (MtRunOut *o, MtError *err)
{
   if (!o)
      return false;
   MtWriteWay *w = o->w;
   bool ok = flush (o, err);
   if (ok) {
      MtSpoolRun *runs = mt_realloc ("writer", w->runs, (w->run_count + 1) * sizeof *runs);
      w->runs = runs;
      o->run.size = w->file_size - o->run.offset;
      w->runs[w->run_count++] = o->run;
   } else {
      free (o->run.packed);
   }
   mt_buf_free (&o->buf);
   free (o);
   return ok;
}

/* ---- reading ---- */

typedef struct Reader {
   const MtSpoolRun *run;
   int64_t at, end; /* offsets in the file: the rest of the run that is not in the buffer yet */
   uint8_t *buf;
   size_t n, pos, cap;
   const uint8_t *rec, *pay_at;
   uint32_t size;
   uint32_t record; /* size of all records, which have sort keys; 0: the records are values */
   MtVal *key;
   bool any;      /* `key` is that of a record */
   uint64_t word; /* the record's sort key; 0 if the run has none */
   bool done;
} Reader;

struct MtMerge {
   MtWriteWay *w;
   Reader *readers;
   size_t count;
   uint32_t *heap; /* heap of the readers' indexes, ordered by their current keys, smallest first */
   size_t heap_count;
   MtBuf now, before; /* the last record that was returned, and the record before it */
   MtVal *last_key;
   bool any;
};

static bool fill (const MtWriteWay *w, Reader *r, size_t want, MtError *err)
{
   memmove (r->buf, r->buf + r->pos, r->n - r->pos);
   r->n -= r->pos;
   r->pos = 0;
   if (want > r->cap) {
      r->buf = mt_realloc ("writer", r->buf, want);
      r->cap = want;
   }
   while (r->n < want && r->at < r->end) {
      int64_t left = r->end - r->at;
      size_t ask = r->cap - r->n < (size_t) left ? r->cap - r->n : (size_t) left;
      ssize_t n = pread (w->fd, r->buf + r->n, ask, r->at);
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0) {
         errno = n ? errno : EIO;
         return mt_temporary_failed (err, "read");
      }
      r->n += (size_t) n;
      r->at += n;
   }
   return r->n >= want || r->at >= r->end;
}

static const uint8_t *get (const uint8_t *p, MtVal *v)
{
   *v = (MtVal) {.type = *p++};
   if (v->type == MT_NULL)
      return p;
   if (mt_has_length (v->type)) {
      v->sub = *p++;
      memcpy (&v->len, p, 4);
      v->p = p + 4;
      return p + 4 + v->len;
   }
   uint32_t n = wide (v->type);
   if (n) {
      v->p = p;
      return p + n;
   }
   memcpy (&v->i, p, 8);
   return p + 8;
}

/* Returns a value of a record with a sort key, and moves *at behind it. */
static MtVal get_packed (const MtColChunk *c, const uint8_t **at)
{
   const uint8_t *p = *at;
   *at += packed_size (c);
   if (c->dict_kind) {
      uint32_t id;
      memcpy (&id, p, 4);
      return mt_col_cooked (c, 0, id);
   }
   if (c->any_null && *p++)
      return mt_v_null ();
   int64_t raw;
   memcpy (&raw, p, 8);
   return mt_col_cooked (c, 0, raw);
}

/* Sets r->key from the record's sort key: the fields that differ from the record before. */
static void unpack_key (const MtWriteWay *w, Reader *r)
{
   const MtPackedKey *packed = r->run->packed;
   uint64_t word, differs;
   memcpy (&word, r->rec, 8);
   differs = word ^ r->word;
   for (int f = 0; f < w->key_count; f++)
      if (!r->any || (packed[f].bits && differs >> packed[f].shift))
         r->key[f] = mt_key_unpack (&packed[f], &w->keys[f], word);
   r->word = word;
   r->any = true;
}

static uint32_t packed_record (const MtWriteWay *w, const MtSpoolRun *run)
{
   uint32_t n = 8;
   for (int i = 0; i < w->pay_count; i++)
      n += packed_size (&run->cols[w->pay[i]]);
   return n;
}

static bool reader_next (const MtWriteWay *w, Reader *r, MtError *err)
{
   r->pos += r->size;
   r->size = 0;
   if (r->n - r->pos < 4 && !fill (w, r, 4, err))
      return false;
   if (r->n - r->pos < 4) {
      r->done = true;
      return true;
   }
   uint32_t size = r->record;
   if (!size)
      memcpy (&size, r->buf + r->pos, 4);
   if (r->n - r->pos < size && !fill (w, r, size, err))
      return false;
   if (r->n - r->pos < size) {
      errno = EIO;
      return mt_temporary_failed (err, "read");
   }
   r->size = size;
   r->rec = r->buf + r->pos;
   if (r->record) {
      r->pay_at = r->rec + 8;
      unpack_key (w, r);
      return true;
   }
   const uint8_t *p = r->rec + 4;
   for (int i = 0; i < w->key_count; i++)
      p = get (p, &r->key[i]);
   r->pay_at = p;
   return true;
}

/* Returns whether the current record of reader a is returned before that of reader b. Records with
 * equal keys keep their order of insertion. */
static bool before (const MtMerge *m, uint32_t a, uint32_t b)
{
   int diff, c = mt_keys_compare (m->readers[a].key, m->readers[b].key, m->w->key_count, &diff);
   return c ? c < 0 : a < b;
}

static void sift (MtMerge *m, size_t i)
{
   for (;;) {
      size_t least = i, l = 2 * i + 1;
      if (l < m->heap_count && before (m, m->heap[l], m->heap[least]))
         least = l;
      if (l + 1 < m->heap_count && before (m, m->heap[l + 1], m->heap[least]))
         least = l + 1;
      if (least == i)
         return;
      uint32_t x = m->heap[i];
      m->heap[i] = m->heap[least];
      m->heap[least] = x;
      i = least;
   }
}

static bool merge_runs (MtWriteWay *w, const MtSpoolRun *runs, size_t count, const MtSpill *sp,
                        MtMerge **out, MtError *err)
{
   MtMerge *m = mt_calloc ("writer", 1, sizeof *m);
   m->readers = mt_calloc ("writer", count + 1, sizeof *m->readers);
   m->heap = mt_calloc ("writer", count + 1, sizeof *m->heap);
   m->last_key = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof *m->last_key);
   m->w = w;
   m->count = count;
   *out = m;
   size_t each = sp->memory / (2 * (count + 1));
   if (each < LEAST_BUFFER)
      each = LEAST_BUFFER;
   if (each > OUT_BUFFER)
      each = OUT_BUFFER;
   for (size_t i = 0; i < count; i++) {
      Reader *r = &m->readers[i];
      *r = (Reader) {.run = &runs[i],
                     .record = runs[i].cols ? packed_record (w, &runs[i]) : 0,
                     .at = runs[i].offset,
                     .end = runs[i].offset + runs[i].size,
                     .cap = each,
                     .buf = mt_malloc ("writer", each)};
      r->key = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof *r->key);
      if (!reader_next (w, r, err))
         return false;
      if (!r->done)
         m->heap[m->heap_count++] = (uint32_t) i;
   }
   for (size_t i = m->heap_count; i-- > 0;)
      sift (m, i);
   return true;
}

/* Copies a reader's record into *key and *pay. They are valid until the second call after this
 * one. */
static void take (MtMerge *m, const Reader *r, MtVal *key, MtVal *pay)
{
   if (r->record) { /* the bytes of texts are those of the dictionaries */
      const uint8_t *at = r->pay_at;
      memcpy (key, r->key, (size_t) m->w->key_count * sizeof *key);
      for (int i = 0; i < m->w->pay_count; i++)
         pay[i] = get_packed (&r->run->cols[m->w->pay[i]], &at);
      return;
   }
   MtBuf swap = m->before;
   m->before = m->now;
   m->now = swap;
   mt_buf_clear (&m->now);
   mt_buf_add (&m->now, r->rec, r->size);
   const uint8_t *p = (const uint8_t *) m->now.p + 4;
   for (int i = 0; i < m->w->key_count; i++)
      p = get (p, &key[i]);
   for (int i = 0; i < m->w->pay_count; i++)
      p = get (p, &pay[i]);
}

bool mt_merge_next (MtMerge *m, MtVal *key, MtVal *pay, int *diff, bool *end, MtError *err)
{
   if (!m->heap_count) {
      *end = true;
      *diff = -1;
      return true;
   }
   Reader *r = &m->readers[m->heap[0]];
   take (m, r, key, pay);
   *diff = -1;
   if (m->any)
      mt_keys_compare (m->last_key, key, m->w->key_count, diff);
   memcpy (m->last_key, key, (size_t) m->w->key_count * sizeof *key);
   m->any = true;
   if (!reader_next (m->w, r, err))
      return false;
   if (r->done)
      m->heap[0] = m->heap[--m->heap_count];
   sift (m, 0);
   return true;
}

void mt_merge_close (MtMerge *m)
{
   if (!m)
      return;
   for (size_t i = 0; i < m->count; i++) {
      free (m->readers[i].buf);
      free (m->readers[i].key);
   }
   free (m->readers);
   free (m->heap);
   free (m->last_key);
   mt_buf_free (&m->now);
   mt_buf_free (&m->before);
   free (m);
}

void mt_way_close (MtWriteWay *w)
{
   if (w->fd >= 0)
      close (w->fd);
   for (size_t i = 0; i < w->run_count; i++)
      free (w->runs[i].packed);
   free (w->runs);
   w->fd = -1;
   w->runs = NULL;
   w->run_count = 0;
}

/* Merges the oldest MAX_RUNS runs into one, so that a reader's buffer for each run fits in
 * memory. */
static bool merge_down (MtWriteWay *w, const MtSpill *sp, MtError *err)
{
   MtMerge *m = NULL;
   MtRunOut *out = NULL;
   MtVal *key = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof *key),
         *pay = mt_calloc ("writer", (size_t) w->pay_count + 1, sizeof *pay);
   bool end = false;
   int diff;
   bool ok = merge_runs (w, w->runs, MAX_RUNS, sp, &m, err) && mt_run_begin (w, &out, err);
   for (uint32_t n = 0; ok && !end; n++) {
      ok = mt_merge_next (m, key, pay, &diff, &end, err) &&
           (end || mt_run_add (out, key, pay, err));
      ok = ok && ((n & 4095) || mt_cancel_check (sp->cancel, err));
   }
   MtError lost;
   ok = mt_run_end (out, ok ? err : &lost) && ok;
   mt_merge_close (m);
   free (key);
   free (pay);
   if (!ok)
      return false;
   /* The merged run has the oldest records, so it becomes the first run. */
   for (size_t i = 0; i < MAX_RUNS; i++)
      free (w->runs[i].packed);
   size_t kept = w->run_count - 1 - MAX_RUNS;
   w->runs[0] = w->runs[w->run_count - 1];
   memmove (w->runs + 1, w->runs + MAX_RUNS, kept * sizeof *w->runs);
   w->run_count = kept + 1;
   return true;
}

bool mt_merge_open (MtWriteWay *w, const MtTable *t, const MtSpill *sp, MtMerge **out, MtError *err)
{
   while (w->run_count > MAX_RUNS)
      if (!merge_down (w, sp, err))
         return false;
   return merge_runs (w, w->runs, w->run_count, sp, out, err);
}
