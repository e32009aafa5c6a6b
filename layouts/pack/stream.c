/* Streams: return the records of a way sorted by its keys, from memory or from runs on disk, and
 * merge records of stored documents into them. */
#include "layouts/pack/pack_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static int compare_key (MtVal a, MtVal b)
{
   if (a.type != b.type) {
      if (a.type == MT_NULL || b.type == MT_NULL)
         return a.type == MT_NULL ? -1 : 1;
      return mt_v_compare (a, b);
   }
   if (a.type == MT_STRING) {
      int c = memcmp (a.p, b.p, a.len < b.len ? a.len : b.len);
      return c ? c : (a.len > b.len) - (a.len < b.len);
   }
   if (a.type == MT_DOUBLE) {
      int64_t x = mt_order_double (a.i), y = mt_order_double (b.i);
      return (x > y) - (x < y);
   }
   if (a.type == MT_INT32 || a.type == MT_INT64 || a.type == MT_DATE || a.type == MT_BOOL ||
       a.type == MT_NULL)
      return a.type == MT_NULL ? 0 : (a.i > b.i) - (a.i < b.i);
   return mt_v_compare (a, b);
}

int mt_keys_compare (const MtVal *a, const MtVal *b, int count, int *diff)
{
   for (int f = 0; f < count; f++) {
      int c = compare_key (a[f], b[f]);
      if (c) {
         *diff = f;
         return c;
      }
   }
   *diff = count;
   return 0;
}

/* ---- one sorted array for several ways ---- */

static bool same_binding (const MtKeyField *x, const MtKeyField *y)
{
   const MtBinding *a = x->bind, *b = y->bind;
   return x->column == y->column && a->kind == b->kind &&
          (a->kind == MT_BIND_COLUMN || a->unit == b->unit) &&
          (a->kind != MT_BIND_TIME_PART || a->of == b->of);
}

/* Returns whether the order of a way's records is irrelevant, because it keeps no records and adds
 * up only integers. */
static bool only_adds_up (const MtWriteWay *w, const MtColChunk *cols)
{
   bool ok = !w->leaf->raw.present;
   for (int i = 0; i < w->pay_count && ok; i++)
      ok = !cols[w->pay[i]].dict_kind && cols[w->pay[i]].type != MT_DOUBLE;
   return ok;
}

bool mt_way_goes_along (const MtWriteWay *w, const MtStream *finer)
{
   bool ok = !finer->merge && w->key_count <= finer->word_fields && only_adds_up (w, finer->cols);
   for (int f = 0; f < w->key_count && ok; f++)
      ok = same_binding (&w->keys[f], &finer->way->keys[f]);
   return ok;
}

/* Makes stream s share the sorted rows of `finer`. Key fields that only `finer` has are ignored
 * when keys are compared. */
static void go_along (MtStream *s, const MtStream *finer)
{
   s->pairs = finer->pairs;
   s->packed = finer->packed;
   s->borrowed = true;
   s->count = finer->count;
   s->cols = finer->cols;
   s->word_fields = s->way->key_count;
   for (size_t i = 0; i < sizeof s->field_of_bit; i++)
      s->field_of_bit[i] = finer->field_of_bit[i] < s->way->key_count ? finer->field_of_bit[i]
                                                                      : (uint8_t) s->way->key_count;
}

/* ---- reading new records ---- */

static bool differs (const MtStream *s, int f, uint32_t x, uint32_t y)
{
   return compare_key (mt_key_value (&s->way->keys[f], s->cols, x),
                       mt_key_value (&s->way->keys[f], s->cols, y)) != 0;
}

static int memory_diff (const MtStream *s, const MtPair *prev, const MtPair *now)
{
   uint64_t x = prev->key ^ now->key;
   if (x)
      return s->field_of_bit[63 - __builtin_clzll (x)];
   int f = s->word_fields;
   while (f < s->way->key_count && !differs (s, f, prev->row, now->row))
      f++;
   return f;
}

/* Reads values of the next records. Their rows are far apart, and the processor waits for the
 * memory of all of them together. */
static void read_ahead (MtStream *s)
{
   MtAhead *a = s->ahead;
   const MtPair *next = s->pairs + s->pos;
   a->from = s->pos;
   a->count = s->count - s->pos < MT_AHEAD ? s->count - s->pos : MT_AHEAD;
   for (int i = 0; i < s->way->pay_count; i++) {
      const MtColChunk *c = &s->cols[s->way->pay[i]];
      int64_t *raw = a->raw + (size_t) i * MT_AHEAD;
      for (uint32_t k = 0; k < a->count; k++)
         raw[k] = mt_col_raw (c, next[k].row);
   }
}

static void memory_next (MtStream *s)
{
   if (s->pos == s->count) {
      s->own_end = true;
      s->own_diff = -1;
      return;
   }
   const MtPair *now = &s->pairs[s->pos];
   if (s->pos - s->ahead->from >= s->ahead->count)
      read_ahead (s);
   const int64_t *raw = s->ahead->raw + (s->pos - s->ahead->from);
   s->own_diff = s->pos ? memory_diff (s, now - 1, now) : -1;
   s->pos++;
   for (int f = s->own_diff < 0 ? 0 : s->own_diff; f < s->way->key_count; f++)
      s->own_key[f] = f < s->word_fields ? mt_key_unpack (&s->packed[f], &s->way->keys[f], now->key)
                                         : mt_key_value (&s->way->keys[f], s->cols, now->row);
   for (int i = 0; i < s->way->pay_count; i++)
      s->own_pay[i] = mt_col_cooked (&s->cols[s->way->pay[i]], now->row,
                                     raw[(size_t) i * MT_AHEAD]);
}

static bool own_next (MtStream *s, MtError *err)
{
   if (s->merge)
      return mt_merge_next (s->merge, s->own_key, s->own_pay, &s->own_diff, &s->own_end, err);
   memory_next (s);
   return true;
}

static size_t strings_of (const MtVal *v, int count)
{
   size_t n = 0;
   for (int i = 0; i < count; i++)
      if (mt_has_length (v[i].type))
         n += v[i].len + 8;
   return n;
}

/* Makes a record the stream's current one: the stored record x, or, if x is NULL, the next new
 * record. diff: the first key field that differs from the previous record. */
static void show (MtStream *s, const MtExtra *x, int diff)
{
   s->extra = x;
   s->key = x ? x->key : s->own_key;
   s->pay = x ? x->pay : s->own_pay;
   s->diff = diff;
   s->string_bytes = (s->has_strings ? strings_of (s->pay, s->way->pay_count) : 0) +
                     (diff < s->way->key_count ? strings_of (s->key, s->way->key_count) : 0);
}

/* Returns the next record of the stored document, if its key is not after the next new record's;
 * NULL: the new record comes first. */
static const MtExtra *choose (MtStream *s)
{
   int d;
   const MtExtra *x = s->extra_pos < s->extra_count ? &s->extras[s->extra_pos] : NULL;
   if (x && !s->own_end && mt_keys_compare (s->own_key, x->key, s->way->key_count, &d) < 0)
      x = NULL;
   if (x)
      s->extra_pos++;
   return x;
}

/* Copies the current record's key to s->prev_key, for comparing it with the next record's. Its
 * bytes are not valid that long. */
static void keep_key (MtStream *s)
{
   size_t total = strings_of (s->key, s->way->key_count) + 16 * (size_t) s->way->key_count, at = 0;
   mt_buf_clear (&s->prev_bytes);
   if (!mt_buf_reserve (&s->prev_bytes, total))
      return; /* if memory is short, the statement fails later */
   for (int f = 0; f < s->way->key_count; f++) {
      s->prev_key[f] = s->key[f];
      MtVal *v = &s->prev_key[f];
      size_t n = strings_of (v, 1) ? v->len : 0;
      if (v->type == MT_DECIMAL)
         n = 16;
      else if (v->type == MT_OID)
         n = 12;
      if (!n)
         continue;
      memcpy (s->prev_bytes.p + at, v->p, n);
      v->p = (const uint8_t *) s->prev_bytes.p + at;
      at += n;
   }
}

static bool mixed_next (MtStream *s, MtError *err)
{
   keep_key (s);
   bool was_extra = s->extra != NULL;
   if (!was_extra && !own_next (s, err))
      return false;
   const MtExtra *x = choose (s);
   if (!x && s->own_end) {
      s->end = true;
      s->diff = -1;
      return true;
   }
   int diff;
   mt_keys_compare (s->prev_key, x ? x->key : s->own_key, s->way->key_count, &diff);
   show (s, x, diff);
   if (!x && s->extra_pos == s->extra_count)
      s->extra_count = 0;
   return true;
}

bool mt_stream_next (MtStream *s, MtError *err)
{
   if (s->extra_count)
      return mixed_next (s, err);
   if (!own_next (s, err))
      return false;
   s->end = s->own_end;
   if (s->end)
      s->diff = -1;
   else
      show (s, NULL, s->own_diff);
   return true;
}

void mt_stream_mark (const MtStream *s, MtArena *a, MtStreamMark *mark)
{
   size_t keys = (size_t) s->way->key_count, pays = (size_t) s->way->pay_count;
   if (!mark->key) {
      mark->key = MT_NEW_N (a, MtVal, keys + 1);
      mark->pay = MT_NEW_N (a, MtVal, pays + 1);
   }
   mark->at = *s;
   memcpy (mark->key, s->own_key, keys * sizeof *mark->key);
   memcpy (mark->pay, s->own_pay, pays * sizeof *mark->pay);
}

void mt_stream_go_back (MtStream *s, const MtStreamMark *mark)
{
   MtBuf prev = s->prev_bytes;
   *s = mark->at;
   s->prev_bytes = prev;
   memcpy (s->own_key, mark->key, (size_t) s->way->key_count * sizeof *mark->key);
   memcpy (s->own_pay, mark->pay, (size_t) s->way->pay_count * sizeof *mark->pay);
}

void mt_stream_mix (MtStream *s, const MtExtra *extras, size_t count)
{
   s->extras = extras;
   s->extra_count = count;
   s->extra_pos = 0;
   int diff = s->diff;
   show (s, choose (s), diff);
}

static void stream_init (MtStream *s, MtWriteWay *w, const MtTable *t)
{
   *s = (MtStream) {.way = w, .own_key = s->own_key};
   s->own_key = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof (MtVal));
   s->own_pay = mt_calloc ("writer", (size_t) w->pay_count + 1, sizeof (MtVal));
   s->prev_key = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof (MtVal));
   for (int i = 0; i < w->pay_count; i++) {
      MtTypeId id = t->columns[w->pay[i]].type.id;
      s->has_strings = s->has_strings || id >= MT_T_TEXT;
   }
}

bool mt_stream_open_memory (MtStream *s, MtWriteWay *w, const MtTable *t, MtColChunk *cols,
                            uint32_t count, MtError *err)
{
   stream_init (s, w, t);
   s->steady = true;
   s->ahead = mt_calloc (
      "writer", 1, sizeof *s->ahead + (size_t) w->pay_count * MT_AHEAD * sizeof *s->ahead->raw);
   return mt_way_sort (w, t, cols, count, s, err) && mt_stream_next (s, err);
}

bool mt_stream_open_along (MtStream *s, MtWriteWay *w, const MtTable *t, const MtStream *finer,
                           MtError *err)
{
   stream_init (s, w, t);
   s->steady = true;
   s->ahead = mt_calloc (
      "writer", 1, sizeof *s->ahead + (size_t) w->pay_count * MT_AHEAD * sizeof *s->ahead->raw);
   go_along (s, finer);
   return mt_stream_next (s, err);
}

bool mt_stream_open_runs (MtStream *s, MtWriteWay *w, const MtTable *t, const MtSpill *sp,
                          MtError *err)
{
   stream_init (s, w, t);
   return mt_merge_open (w, t, sp, &s->merge, err) && mt_stream_next (s, err);
}

void mt_stream_close (MtStream *s)
{
   if (!s->borrowed) {
      free (s->pairs);
      free (s->packed);
   }
   free (s->ahead);
   free (s->own_key);
   free (s->own_pay);
   free (s->prev_key);
   mt_buf_free (&s->prev_bytes);
   mt_merge_close (s->merge);
   *s = (MtStream) {0};
}

bool mt_way_spill (MtWriteWay *w, const MtTable *t, const MtChunkRows *rows, const MtSpill *sp,
                   MtError *err)
{
   MtStream s = {0};
   MtRunOut *out = NULL;
   bool ok = mt_run_begin (w, &out, err) &&
             mt_stream_open_memory (&s, w, t, rows->cols, rows->count, err);
   if (ok && rows->kept && s.word_fields == w->key_count)
      ok = mt_run_add_packed (out, &s, rows->kept, sp, err);
   else
      while (ok && !s.end) {
         ok = mt_run_add (out, s.key, s.pay, err);
         ok = ok && ((s.pos & 4095) || mt_cancel_check (sp->cancel, err));
         ok = ok && mt_stream_next (&s, err);
      }
   if (s.own_key)
      mt_stream_close (&s);
   MtError lost;
   return mt_run_end (out, ok ? err : &lost) && ok;
}
