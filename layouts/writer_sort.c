/* Sorting the chunk into a way's order: keys are packed into 64 bits by the ranges that the columns
 * have, and sorted by radix; fields beyond 64 bits are compared where the words are equal. */
#include "layouts/writer_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct Packed {
   const MtKeyField *k;
   const MtColChunk *c;
   uint64_t lo;   /* subtracted, as signed bits */
   int64_t step;  /* divided by */
   uint64_t null; /* 1 when NULLs take the code 0 */
   int bits;
} Packed;

/* ---- codes ---- */

static int64_t fixed_code (const MtBinding *b, int64_t v)
{
   switch (b->kind) {
   case MT_BIND_COLUMN: return v;
   case MT_BIND_TIME_TRUNC: return mt_utc_floor (v, b->unit);
   case MT_BIND_TIME_PART: return mt_utc_part (v, b->unit, b->of);
   }
   return v;
}

static int bits_of (uint64_t max) { return max ? 64 - __builtin_clzll (max) : 0; }

/* Period of the exact time: values are multiples of it. */
static int64_t step_of (const MtTable *t, const MtKeyField *k)
{
   if (k->bind->kind == MT_BIND_TIME_TRUNC)
      return mt_unit_ms (k->bind->unit) ? mt_unit_ms (k->bind->unit) : MT_DAY_MS;
   if (k->bind->kind == MT_BIND_COLUMN && k->column == t->time_column &&
       t->columns[k->column].period_ms)
      return t->columns[k->column].period_ms;
   return 1;
}

static Packed packed_field (const MtTable *t, const MtKeyField *k, const MtColChunk *cols)
{
   Packed p = {.k = k, .c = &cols[k->column], .step = 1};
   if (p.c->dict_kind) {
      p.bits = bits_of (p.c->dict.count - 1);
      return p;
   }
   p.null = p.c->any_null;
   if (p.c->min > p.c->max) { /* NULLs only */
      p.bits = 1;
      return p;
   }
   int64_t lo = fixed_code (k->bind, p.c->min), hi = fixed_code (k->bind, p.c->max);
   if (k->bind->kind == MT_BIND_TIME_PART && k->bind->of != MT_UNIT_EPOCH) {
      lo = 0;
      hi = mt_part_count (k->bind->unit, k->bind->of);
   }
   p.lo = (uint64_t) lo;
   p.step = step_of (t, k);
   uint64_t span = ((uint64_t) hi - p.lo) / (uint64_t) p.step;
   p.bits = span > UINT64_MAX - 1 ? 65 : bits_of (span + p.null);
   return p;
}

static inline uint64_t code_of (const Packed *p, uint32_t row)
{
   if (p->c->dict_kind)
      return p->c->dict.rank[p->c->ids[row]];
   if (p->null && p->c->nulls[row])
      return 0;
   uint64_t above = (uint64_t) fixed_code (p->k->bind, p->c->fixed[row]) - p->lo;
   return (p->step == 1 ? above : above / (uint64_t) p->step) + p->null;
}

static void pack_field (const Packed *p, MtPair *pairs, uint32_t count)
{
   if (!p->bits)
      return;
   if (p->c->dict_kind) {
      const uint32_t *rank = p->c->dict.rank, *ids = p->c->ids;
      for (uint32_t i = 0; i < count; i++)
         pairs[i].key = (p->bits == 64 ? 0 : pairs[i].key << p->bits) | rank[ids[i]];
      return;
   }
   if (p->k->bind->kind == MT_BIND_COLUMN && !p->null) {
      const int64_t *v = p->c->fixed;
      uint64_t lo = p->lo, step = (uint64_t) p->step;
      for (uint32_t i = 0; i < count; i++)
         pairs[i].key = (p->bits == 64 ? 0 : pairs[i].key << p->bits) |
                        (step == 1 ? (uint64_t) v[i] - lo : ((uint64_t) v[i] - lo) / step);
      return;
   }
   for (uint32_t i = 0; i < count; i++)
      pairs[i].key = (p->bits == 64 ? 0 : pairs[i].key << p->bits) | code_of (p, i);
}

/* ---- radix ---- */

enum { RADIX_BITS = 11, RADIX_SIZE = 1 << RADIX_BITS, RADIX_PASSES = 6 };

static bool is_sorted (const MtPair *p, uint32_t count)
{
   for (uint32_t i = 1; i < count; i++)
      if (p[i - 1].key > p[i].key)
         return false;
   return true;
}

static void histogram (const MtPair *p, uint32_t count, int passes, uint32_t (*counts)[RADIX_SIZE])
{
   for (uint32_t i = 0; i < count; i++) {
      uint64_t k = p[i].key;
      for (int d = 0; d < passes; d++, k >>= RADIX_BITS)
         counts[d][k & (RADIX_SIZE - 1)]++;
   }
}

/* Returns the array that holds the result, p or tmp. */
static MtPair *radix_sort (MtPair *p, MtPair *tmp, uint32_t count, int bits)
{
   int passes = (bits + RADIX_BITS - 1) / RADIX_BITS;
   uint32_t (*counts)[RADIX_SIZE] = mt_calloc ("writer", RADIX_PASSES, sizeof *counts);
   histogram (p, count, passes, counts);
   for (int d = 0; d < passes; d++) {
      int shift = d * RADIX_BITS;
      uint32_t at = 0, *c = counts[d];
      if (c[p[0].key >> shift & (RADIX_SIZE - 1)] == count)
         continue;
      for (int i = 0; i < RADIX_SIZE; i++) {
         uint32_t n = c[i];
         c[i] = at;
         at += n;
      }
      for (uint32_t i = 0; i < count; i++)
         tmp[c[p[i].key >> shift & (RADIX_SIZE - 1)]++] = p[i];
      MtPair *swap = p;
      p = tmp;
      tmp = swap;
   }
   free (counts);
   return p;
}

/* ---- fields beyond the word ---- */

typedef struct Rest {
   const Packed *p;
   int count;
} Rest;

static int compare_rest (const void *a, const void *b, void *ctx)
{
   const Rest *r = ctx;
   uint32_t x = ((const MtPair *) a)->row, y = ((const MtPair *) b)->row;
   for (int i = 0; i < r->count; i++) {
      uint64_t cx = code_of (&r->p[i], x), cy = code_of (&r->p[i], y);
      bool nx = r->p[i].null && r->p[i].c->nulls[x], ny = r->p[i].null && r->p[i].c->nulls[y];
      if (nx != ny)
         return nx ? -1 : 1;
      if (cx != cy)
         return cx < cy ? -1 : 1;
   }
   return (x > y) - (x < y);
}

static void sort_rest (MtPair *p, uint32_t count, Rest *r)
{
   for (uint32_t i = 0; r->count && i < count;) {
      uint32_t j = i + 1;
      while (j < count && p[j].key == p[i].key)
         j++;
      if (j > i + 1)
         qsort_r (p + i, j - i, sizeof *p, compare_rest, r);
      i = j;
   }
}

/* ---- the whole ---- */

static void field_bits (MtStream *s, const Packed *p, int fields)
{
   int bit = 0;
   for (int f = fields - 1; f >= 0; f--)
      for (int i = 0; i < p[f].bits; i++)
         s->field_of_bit[bit++] = (uint8_t) f;
}

bool mt_way_sort (const MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                  MtStream *s, MtError *err)
{
   Packed *p = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof *p);
   MtPair *pairs = mt_malloc ("writer", sizeof *pairs * (count + 1)), *tmp = NULL;
   int bits = 0, word = 0;
   for (int f = 0; f < w->key_count; f++) {
      if (cols[w->keys[f].column].dict_kind)
         mt_dict_rank (&cols[w->keys[f].column].dict);
      p[f] = packed_field (t, &w->keys[f], cols);
      if (word == f && f < 255 && bits + p[f].bits <= 64) {
         bits += p[f].bits;
         word++;
      }
   }
   for (uint32_t i = 0; i < count; i++)
      pairs[i] = (MtPair) {.row = i};
   for (int f = 0; f < word; f++)
      pack_field (&p[f], pairs, count);
   if (count && !is_sorted (pairs, count)) {
      tmp = mt_malloc ("writer", sizeof *pairs * count);
      MtPair *sorted = radix_sort (pairs, tmp, count, bits);
      free (sorted == pairs ? tmp : pairs);
      pairs = sorted;
   }
   sort_rest (pairs, count, &(Rest) {p + word, w->key_count - word});
   field_bits (s, p, word);
   free (p);
   s->word_fields = word;
   s->pairs = pairs;
   s->count = count;
   s->cols = cols;
   return true;
}

/* ---- an order that does for another way, too ---- */

static bool same_binding (const MtKeyField *x, const MtKeyField *y)
{
   const MtBinding *a = x->bind, *b = y->bind;
   return x->column == y->column && a->kind == b->kind &&
          (a->kind == MT_BIND_COLUMN || a->unit == b->unit) &&
          (a->kind != MT_BIND_TIME_PART || a->of == b->of);
}

/* Whole numbers add up to the same in any order, and nothing is kept of the records themselves. */
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

/* Fields that it doesn't have differ for nobody. */
static void go_along (MtStream *s, const MtStream *finer)
{
   s->pairs = finer->pairs;
   s->borrowed = true;
   s->count = finer->count;
   s->cols = finer->cols;
   s->word_fields = s->way->key_count;
   for (size_t i = 0; i < sizeof s->field_of_bit; i++)
      s->field_of_bit[i] = finer->field_of_bit[i] < s->way->key_count ? finer->field_of_bit[i]
                                                                      : (uint8_t) s->way->key_count;
}

/* ---- streams ---- */

MtVal mt_key_value (const MtKeyField *k, const MtColChunk *cols, uint32_t row)
{
   MtVal v = mt_col_get (&cols[k->column], row);
   if (k->bind->kind == MT_BIND_COLUMN || v.type != MT_DATE)
      return v;
   int64_t code = fixed_code (k->bind, v.i);
   return k->bind->kind == MT_BIND_TIME_TRUNC ? mt_v_date (code)
                                              : mt_v_int64 (code + k->bind->base);
}

static int compare_key (MtVal a, MtVal b)
{
   if (a.type != b.type)
      return a.type == MT_NULL ? -1 : b.type == MT_NULL ? 1 : mt_v_compare (a, b);
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

static void memory_next (MtStream *s)
{
   if (s->pos == s->count) {
      s->own_end = true;
      s->own_diff = -1;
      return;
   }
   const MtPair *now = &s->pairs[s->pos];
   s->own_diff = s->pos ? memory_diff (s, now - 1, now) : -1;
   s->pos++;
   for (int f = s->own_diff < 0 ? 0 : s->own_diff; f < s->way->key_count; f++)
      s->own_key[f] = mt_key_value (&s->way->keys[f], s->cols, now->row);
   for (int i = 0; i < s->way->pay_count; i++) {
      const MtColChunk *c = &s->cols[s->way->pay[i]];
      if (s->pos + 12 < s->count && !c->dict_kind)
         __builtin_prefetch (&c->fixed[s->pairs[s->pos + 12].row]);
      s->own_pay[i] = mt_col_get (c, now->row);
   }
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
      if (v[i].type == MT_STRING || v[i].type == MT_BINARY || v[i].type == MT_DOC ||
          v[i].type == MT_ARRAY)
         n += v[i].len + 8;
   return n;
}

static void show (MtStream *s, const MtExtra *x, int diff)
{
   s->extra = x;
   s->key = x ? x->key : s->own_key;
   s->pay = x ? x->pay : s->own_pay;
   s->diff = diff;
   s->string_bytes = (s->has_strings ? strings_of (s->pay, s->way->pay_count) : 0) +
                     (diff < s->way->key_count ? strings_of (s->key, s->way->key_count) : 0);
}

/* The smaller of the next stored and the next new record; stored first where they are equal. */
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

/* A copy of the current key that outlives the record. */
static void keep_key (MtStream *s)
{
   size_t total = strings_of (s->key, s->way->key_count) + 16 * (size_t) s->way->key_count, at = 0;
   mt_buf_clear (&s->prev_bytes);
   if (!mt_buf_reserve (&s->prev_bytes, total))
      return; /* the statement fails */
   for (int f = 0; f < s->way->key_count; f++) {
      s->prev_key[f] = s->key[f];
      MtVal *v = &s->prev_key[f];
      size_t n = v->type == MT_DECIMAL ? 16
                 : v->type == MT_OID   ? 12
                 : strings_of (v, 1)   ? v->len
                                       : 0;
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
   return mt_way_sort (w, t, cols, count, s, err) && mt_stream_next (s, err);
}

bool mt_stream_open_along (MtStream *s, MtWriteWay *w, const MtTable *t, const MtStream *finer,
                           MtError *err)
{
   stream_init (s, w, t);
   s->steady = true;
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
   if (!s->borrowed)
      free (s->pairs);
   free (s->own_key);
   free (s->own_pay);
   free (s->prev_key);
   mt_buf_free (&s->prev_bytes);
   mt_merge_close (s->merge);
   *s = (MtStream) {0};
}

bool mt_way_spill (MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                   const MtSpill *sp, MtError *err)
{
   MtStream s = {0};
   MtRunOut *out = NULL;
   bool ok = mt_run_begin (w, &out, err) && mt_stream_open_memory (&s, w, t, cols, count, err);
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
