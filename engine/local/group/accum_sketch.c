/* Accumulators with bounded memory whose results depend only on the set of values, not on their
 * order.
 *
 * $_mtDistinct estimates the number of distinct values. It keeps the KEPT smallest hashes. If there
 * are fewer distinct hashes, the count is exact. Otherwise the number is computed from the largest
 * kept hash (a k-minimum-values sketch). The standard error is 1 / sqrt (KEPT), 1.6 %.
 *
 * $_mtBins makes a histogram. Each value has a 64-bit key in the order of the values. A bin
 * contains all keys with the same upper bits. If there are more than MOST_BINS bins, all bins are
 * widened by one bit. So the width of bins depends only on the set of values. */
#include "base/bid.h"
#include "engine/local/group/accum_int.h"
#include "engine/local/group/state.h"

#include <stdlib.h>
#include <string.h>

#define KEPT 4096u
#define MOST_BINS 8192u
#define FIRST_SLOTS 64u

static int by_number (const void *x, const void *y)
{
   uint64_t a = *(const uint64_t *) x, b = *(const uint64_t *) y;
   return (a > b) - (a < b);
}

/* Mixes the bits of a number, so that each bit of the result depends on all bits (splitmix64). */
static uint64_t mixed (uint64_t h)
{
   h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
   h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
   return h ^ (h >> 31);
}

/* Returns a number for the difference between a decimal and the nearest double, so that different
 * decimals have different hashes. 0: there is no difference. */
static uint64_t beyond_double (MtVal v)
{
   unsigned flags = 0;
   uint64_t bits;
   BID_UINT128 x = mt_bid_load (v.p);
   double d = bid128_to_binary64 (x, MT_BID_NEAREST, &flags);
   x = bid128_sub (x, binary64_to_bid128 (d, MT_BID_NEAREST, &flags), MT_BID_NEAREST, &flags);
   d = bid128_to_binary64 (x, MT_BID_NEAREST, &flags);
   memcpy (&bits, &d, sizeof bits);
   return d == 0 || d != d ? 0 : bits;
}

uint64_t mt_sketch_hash (MtVal v)
{
   uint64_t h = mixed (mt_group_hash (&v, 1)), rest = v.type == MT_DECIMAL ? beyond_double (v) : 0;
   return rest ? mixed (h ^ rest) : h;
}

/* ---- $_mtDistinct ---- */

/* A hash table of hashes. 0 marks a free slot. */
typedef struct Distinct {
   uint64_t *slots;
   uint32_t size, count; /* size: a power of 2, or 0 */
   uint64_t below;       /* hashes below this are kept, others dropped; 0: all are kept */
} Distinct;

_Static_assert (sizeof (Distinct) == MT_DISTINCT_BYTES, "as declared");

static void put_hash (Distinct *d, uint64_t h)
{
   uint32_t i = (uint32_t) h & (d->size - 1);
   while (d->slots[i] && d->slots[i] != h)
      i = (i + 1) & (d->size - 1);
   d->count += !d->slots[i];
   d->slots[i] = h;
}

static void resize (MtGroupTable *t, Distinct *d, uint32_t size)
{
   Distinct old = *d;
   d->slots = MT_NEW_N (t->arena, uint64_t, size);
   d->size = size;
   d->count = 0;
   for (uint32_t i = 0; i < old.size; i++)
      if (old.slots[i])
         put_hash (d, old.slots[i]);
}

/* Returns the hashes in the table in ascending order, in arena a. */
static uint64_t *sorted_hashes (MtArena *a, const Distinct *d)
{
   uint64_t *list = MT_NEW_N (a, uint64_t, (size_t) d->count + 1);
   uint32_t n = 0;
   for (uint32_t i = 0; i < d->size; i++)
      if (d->slots[i])
         list[n++] = d->slots[i];
   qsort (list, n, sizeof *list, by_number);
   return list;
}

/* Removes all but the KEPT smallest hashes from the table. */
static void prune (Distinct *d, MtArena *scratch)
{
   uint64_t *list = sorted_hashes (scratch, d);
   memset (d->slots, 0, d->size * sizeof *d->slots);
   d->count = 0;
   if (!d->below || list[KEPT] < d->below)
      d->below = list[KEPT];
   for (uint32_t i = 0; i < KEPT; i++)
      put_hash (d, list[i]);
}

static void add_hash (MtGroupTable *t, Distinct *d, uint64_t h, MtArena *scratch)
{
   h += !h;
   if (d->below && h >= d->below)
      return;
   if (d->count * 2 >= d->size)
      resize (t, d, d->size ? d->size * 2 : FIRST_SLOTS);
   put_hash (d, h);
   if (d->count == 2 * KEPT)
      prune (d, scratch);
}

bool mt_distinct_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   (void) a;
   if (!mt_is_nullish (v))
      add_hash (t, state, mt_sketch_hash (v), w->arena);
   return true;
}

bool mt_distinct_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   Distinct *d = into;
   const Distinct *f = from;
   (void) a;
   if (f->below && (!d->below || f->below < d->below))
      d->below = f->below;
   for (uint32_t i = 0; i < f->size; i++)
      if (f->slots[i])
         add_hash (t, d, f->slots[i], w->arena);
   return true;
}

bool mt_distinct_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Distinct *d = state;
   (void) a;
   uint64_t *list = sorted_hashes (w->arena, d);
   uint32_t n = 0;
   while (n < d->count && (!d->below || list[n] < d->below))
      n++;
   double share = n > KEPT ? (double) list[KEPT] / 18446744073709551616.0 : 0;
   if (n <= KEPT && d->below)
      share = (double) d->below / 18446744073709551616.0;
   *out = mt_v_int64 (share > 0 ? (int64_t) ((double) KEPT / share + 0.5) : (int64_t) n);
   return true;
}

bool mt_distinct_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const Distinct *d = state;
   (void) a;
   (void) w;
   mt_bson_bytes (b, &d->below, 8);
   mt_bson_bytes (b, &d->count, 4);
   for (uint32_t i = 0; i < d->size; i++)
      if (d->slots[i])
         mt_bson_bytes (b, &d->slots[i], 8);
   return true;
}

bool mt_distinct_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                       const uint8_t *end, MtWork *w)
{
   Distinct *d = state, from = {0};
   (void) a;
   if (end - *p < 12)
      return false;
   memcpy (&from.below, *p, 8);
   memcpy (&from.count, *p + 8, 4);
   *p += 12;
   if ((size_t) (end - *p) / 8 < from.count)
      return false;
   *d = (Distinct) {.below = from.below};
   for (uint32_t i = 0; i < from.count; i++, *p += 8) {
      uint64_t h;
      memcpy (&h, *p, 8);
      add_hash (t, d, h, w->arena);
   }
   return true;
}

/* ---- $_mtBins ---- */

typedef struct Bin {
   uint64_t least, count; /* smallest key and number of keys of the bin; count 0: free slot */
} Bin;

typedef struct Bins {
   Bin *slots;
   uint32_t size, count;
   uint8_t shift; /* a bin has all keys that are equal when shifted right by this */
   uint8_t type;  /* BSON type of the values: MT_DOUBLE, MT_INT64 or MT_DATE */
} Bins;

_Static_assert (sizeof (Bins) == MT_BINS_BYTES, "as declared");

#define SIGN ((uint64_t) 1 << 63)

/* Returns the 64-bit key of a number or time. NaN has the largest key, as in SQL's order. */
static uint64_t key_of (MtVal v)
{
   uint64_t bits;
   if (v.type != MT_DOUBLE)
      return (uint64_t) v.i ^ SIGN;
   double d = v.d == 0 ? 0 : v.d;
   memcpy (&bits, &d, sizeof bits);
   if (d != d)
      return UINT64_MAX;
   return bits & SIGN ? ~bits : bits | SIGN;
}

static MtVal value_of (uint8_t type, uint64_t key)
{
   if (type != MT_DOUBLE)
      return (MtVal) {.type = type, .i = (int64_t) (key ^ SIGN)};
   if (key == UINT64_MAX)
      return mt_v_double (__builtin_nan (""));
   uint64_t bits = key & SIGN ? key ^ SIGN : ~key;
   double d;
   memcpy (&d, &bits, sizeof d);
   return mt_v_double (d);
}

static void put_bin (Bins *s, Bin b)
{
   uint64_t id = b.least >> s->shift;
   uint32_t i = (uint32_t) mixed (id) & (s->size - 1);
   while (s->slots[i].count && s->slots[i].least >> s->shift != id)
      i = (i + 1) & (s->size - 1);
   Bin *to = &s->slots[i];
   s->count += !to->count;
   if (!to->count || b.least < to->least)
      to->least = b.least;
   to->count += b.count;
}

static void rebuild (MtGroupTable *t, Bins *s, uint32_t size, uint8_t shift)
{
   Bins old = *s;
   s->slots = MT_NEW_N (t->arena, Bin, size);
   s->size = size;
   s->shift = shift;
   s->count = 0;
   for (uint32_t i = 0; i < old.size; i++)
      if (old.slots[i].count)
         put_bin (s, old.slots[i]);
}

/* Widens all bins by one bit again and again, until there are at most MOST_BINS. */
static void widen_all (MtGroupTable *t, Bins *s, MtArena *scratch)
{
   uint64_t *list = MT_NEW_N (scratch, uint64_t, s->count);
   uint32_t n = 0, bins;
   uint8_t shift = s->shift;
   for (uint32_t i = 0; i < s->size; i++)
      if (s->slots[i].count)
         list[n++] = s->slots[i].least;
   qsort (list, n, sizeof *list, by_number);
   do {
      shift++;
      bins = 1;
      for (uint32_t i = 1; i < n; i++)
         bins += list[i] >> shift != list[i - 1] >> shift;
   } while (bins > MOST_BINS);
   rebuild (t, s, s->size, shift);
}

static void add_bin (MtGroupTable *t, Bins *s, Bin b, MtArena *scratch)
{
   if ((s->count + 1) * 4 > s->size * 3)
      rebuild (t, s, s->size ? s->size * 2 : FIRST_SLOTS, s->shift);
   put_bin (s, b);
   if (s->count > MOST_BINS)
      widen_all (t, s, scratch);
}

bool mt_bins_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   Bins *s = state;
   (void) a;
   if (mt_is_nullish (v))
      return true;
   if (v.type == MT_INT32)
      v = mt_v_int64 (v.i);
   if (v.type != MT_DOUBLE && v.type != MT_INT64 && v.type != MT_DATE)
      return mt_error (&w->err, MT_E_PARAMETER, "$_mtBins takes integers, doubles and dates");
   if (s->count && s->type != v.type)
      return mt_error (&w->err, MT_E_PARAMETER, "$_mtBins takes values of one type");
   s->type = (uint8_t) v.type;
   add_bin (t, s, (Bin) {key_of (v), 1}, w->arena);
   return true;
}

static void widen (MtGroupTable *t, Bins *s, uint8_t shift)
{
   if (s->size && s->shift < shift)
      rebuild (t, s, s->size, shift);
   s->shift = s->shift < shift ? shift : s->shift;
}

bool mt_bins_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   Bins *s = into;
   const Bins *f = from;
   (void) a;
   widen (t, s, f->shift);
   s->type = f->count ? f->type : s->type;
   for (uint32_t i = 0; i < f->size; i++)
      if (f->slots[i].count)
         add_bin (t, s, f->slots[i], w->arena);
   return true;
}

static int by_least (const void *x, const void *y)
{
   uint64_t a = ((const Bin *) x)->least, b = ((const Bin *) y)->least;
   return (a > b) - (a < b);
}

/* The result is an array in the order of the values: [whether each bin has a single value, value,
 * count, value, count, …]. */
bool mt_bins_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Bins *s = state;
   uint32_t n = 0;
   (void) a;
   *out = mt_v_null ();
   if (!s->count)
      return true;
   Bin *list = MT_NEW_N (w->arena, Bin, s->count);
   MtVal *v = MT_NEW_N (w->arena, MtVal, (size_t) s->count * 2 + 1);
   for (uint32_t i = 0; i < s->size; i++)
      if (s->slots[i].count)
         list[n++] = s->slots[i];
   qsort (list, n, sizeof *list, by_least);
   v[0] = mt_v_bool (s->shift == 0);
   for (uint32_t i = 0; i < n; i++) {
      v[2 * i + 1] = value_of (s->type, list[i].least);
      v[2 * i + 2] = mt_v_int64 ((int64_t) list[i].count);
   }
   return mt_v_make_array (w->arena, v, (size_t) n * 2 + 1, out, &w->err);
}

bool mt_bins_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const Bins *s = state;
   (void) a;
   (void) w;
   mt_bson_bytes (b, &s->count, 4);
   mt_bson_bytes (b, &s->shift, 1);
   mt_bson_bytes (b, &s->type, 1);
   for (uint32_t i = 0; i < s->size; i++)
      if (s->slots[i].count)
         mt_bson_bytes (b, &s->slots[i], sizeof s->slots[i]);
   return true;
}

bool mt_bins_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                   const uint8_t *end, MtWork *w)
{
   Bins *s = state;
   uint32_t count;
   (void) a;
   if (end - *p < 6)
      return false;
   memcpy (&count, *p, 4);
   *s = (Bins) {.shift = (*p)[4], .type = (*p)[5]};
   *p += 6;
   if ((size_t) (end - *p) / sizeof (Bin) < count || s->shift > 63)
      return false;
   for (uint32_t i = 0; i < count; i++, *p += sizeof (Bin)) {
      Bin b;
      memcpy (&b, *p, sizeof b);
      add_bin (t, s, b, w->arena);
   }
   return true;
}
