/* Sorts a chunk's rows by a way's keys. The keys of a row are packed into an integer of 64 bits, as
 * few bits for each as its column's range needs, and these integers are radix-sorted. Keys that
 * don't fit are compared where the integers are equal. */
#include "layouts/pack/pack_int.h"
#include "base/memory.h"
#include "types/datetime.h"

#include <stdlib.h>
#include <string.h>

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

/* Returns a number of which all values of key k are multiples: its time unit or the table's period,
 * in ms; otherwise 1. */
static int64_t step_of (const MtTable *t, const MtKeyField *k)
{
   if (k->bind->kind == MT_BIND_TIME_TRUNC)
      return mt_unit_ms (k->bind->unit) ? mt_unit_ms (k->bind->unit) : MT_DAY_MS;
   if (k->bind->kind == MT_BIND_COLUMN && k->column == t->time_column &&
       t->columns[k->column].period_ms)
      return t->columns[k->column].period_ms;
   return 1;
}

static MtPackedKey packed_field (const MtTable *t, const MtKeyField *k, const MtColChunk *cols)
{
   MtPackedKey p = {.k = k, .c = &cols[k->column], .step = 1};
   if (p.c->dict_kind) {
      p.bits = bits_of (p.c->dict.count - 1);
      return p;
   }
   p.null = p.c->any_null;
   if (p.c->min > p.c->max) { /* all values are NULL */
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

static inline uint64_t code_of (const MtPackedKey *p, uint32_t row)
{
   if (p->c->dict_kind)
      return p->c->dict.rank[p->c->ids[row]];
   if (p->null && p->c->nulls[row])
      return 0;
   uint64_t above = (uint64_t) fixed_code (p->k->bind, p->c->fixed[row]) - p->lo;
   return (p->step == 1 ? above : above / (uint64_t) p->step) + p->null;
}

static void pack_field (const MtPackedKey *p, MtPair *pairs, uint32_t count)
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

/* Sorts pairs by the lowest `bits` bits of their keys. Returns the array that has the result: p or
 * tmp. */
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

/* ---- key fields that don't fit into 64 bits ---- */

typedef struct Rest {
   const MtPackedKey *p;
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

/* ---- sorting the chunk ---- */

/* Fills s->field_of_bit: for each bit of the sort key, the index of the key field that it belongs
 * to. Sets the fields' shifts. */
static void field_bits (MtStream *s, MtPackedKey *p, int fields)
{
   int bit = 0;
   for (int f = fields - 1; f >= 0; f--) {
      p[f].shift = bit;
      for (int i = 0; i < p[f].bits; i++)
         s->field_of_bit[bit++] = (uint8_t) f;
   }
}

bool mt_way_sort (const MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                  MtStream *s, MtError *err)
{
   MtPackedKey *p = mt_calloc ("writer", (size_t) w->key_count + 1, sizeof *p);
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
   s->packed = p;
   s->word_fields = word;
   s->pairs = pairs;
   s->count = count;
   s->cols = cols;
   return true;
}

MtVal mt_key_value (const MtKeyField *k, const MtColChunk *cols, uint32_t row)
{
   MtVal v = mt_col_get (&cols[k->column], row);
   if (k->bind->kind == MT_BIND_COLUMN || v.type != MT_DATE)
      return v;
   int64_t code = fixed_code (k->bind, v.i);
   return k->bind->kind == MT_BIND_TIME_TRUNC ? mt_v_date (code)
                                              : mt_v_int64 (code + k->bind->base);
}

MtVal mt_key_unpack (const MtPackedKey *p, const MtKeyField *k, uint64_t key)
{
   const MtColChunk *c = p->c;
   uint64_t code = p->bits ? key >> p->shift & (UINT64_MAX >> (64 - p->bits)) : 0;
   if (c->dict_kind)
      return c->dict.entries[c->dict.by_rank[code]].v;
   if (code < p->null)
      return mt_v_null ();
   int64_t v = (int64_t) (p->lo + (code - p->null) * (uint64_t) p->step);
   if (c->type == MT_DOUBLE)
      return (MtVal) {.type = MT_DOUBLE, .i = mt_order_double (v)};
   if (k->bind->kind == MT_BIND_TIME_PART)
      return mt_v_int64 (v + k->bind->base);
   return (MtVal) {.type = c->type, .i = v};
}
