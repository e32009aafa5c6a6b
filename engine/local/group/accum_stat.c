/* Accumulators that MongoDB does not have: sums of squares and products of deviations, bit
 * operations, and counts by position. They return arrays and integers, from which
 * functions/agg_results.c computes SQL's results. */
#include "engine/local/group/accum_int.h"

#include <math.h>

/* ---- $_mtMoments, $_mtPairs ---- */

/* Sums of x and y, and of the squares and products of their deviations from the means. They are
 * updated by the method of Youngs and Cramer, as in PostgreSQL. */
typedef struct Pairs {
   double n, sx, sxx, sy, syy, sxy;
   bool overflow; /* finite values have a sum beyond the range of double */
} Pairs;

static double number_of (MtVal v)
{
   if (v.type == MT_DOUBLE)
      return v.d;
   return v.type == MT_DECIMAL ? mt_acc_decimal_double (v) : (double) v.i;
}

static void pairs_add (Pairs *s, double x, double y)
{
   double before = s->n;
   bool finite = isfinite (x) && isfinite (y) && isfinite (s->sx) && isfinite (s->sy);
   s->n++;
   s->sx += x;
   s->sy += y;
   if (before == 0) {
      s->sxx = isfinite (x) ? 0 : NAN;
      s->syy = isfinite (y) ? 0 : NAN;
      s->sxy = isfinite (x) && isfinite (y) ? 0 : NAN;
      return;
   }
   double dx = x * s->n - s->sx, dy = y * s->n - s->sy, scale = 1.0 / (s->n * before);
   s->sxx += dx * dx * scale;
   s->syy += dy * dy * scale;
   s->sxy += dx * dy * scale;
   s->overflow |= finite && !(isfinite (s->sx) && isfinite (s->sy) && !isinf (s->sxx) &&
                              !isinf (s->syy) && !isinf (s->sxy));
   s->sxx = isinf (s->sxx) ? NAN : s->sxx;
   s->syy = isinf (s->syy) ? NAN : s->syy;
   s->sxy = isinf (s->sxy) ? NAN : s->sxy;
}

static void pairs_join (Pairs *s, const Pairs *f)
{
   if (f->n == 0)
      return;
   if (s->n == 0) {
      *s = *f;
      return;
   }
   double n = s->n + f->n, dx = s->sx / s->n - f->sx / f->n, dy = s->sy / s->n - f->sy / f->n,
          weight = s->n * f->n / n;
   s->sxx += f->sxx + weight * dx * dx;
   s->syy += f->syy + weight * dy * dy;
   s->sxy += f->sxy + weight * dx * dy;
   s->sx += f->sx;
   s->sy += f->sy;
   s->n = n;
   s->overflow |= f->overflow;
}

static bool moments_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   if (mt_is_number (v))
      pairs_add (state, number_of (v), 0);
   return true;
}

/* Adds the pair v = [y, x] to the state. Ignores it if x or y is null. */
static bool pair_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   MtVal y = mt_doc_at (v, 0), x = mt_doc_at (v, 1);
   if (v.type == MT_ARRAY && mt_is_number (x) && mt_is_number (y))
      pairs_add (state, number_of (x), number_of (y));
   return true;
}

static bool pairs_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   pairs_join (into, from);
   return true;
}

static bool pairs_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Pairs *s = state;
   MtVal v[6] = {mt_v_double (s->n),  mt_v_double (s->sx),  mt_v_double (s->sxx),
                 mt_v_double (s->sy), mt_v_double (s->syy), mt_v_double (s->sxy)};
   if (s->overflow)
      return mt_error (&w->err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   return mt_v_make_array (w->arena, v, a->row->form & MT_ACC_PAIRS ? 6 : 3, out, &w->err);
}

/* ---- $_mtBitAnd, $_mtBitOr, $_mtBitXor ---- */

typedef struct Bits {
   int64_t v;
   bool set;
} Bits;

static void bits_put (const MtAcc *a, Bits *s, int64_t v)
{
   if (!s->set)
      s->v = v;
   else if (a->row->form & MT_ACC_AND)
      s->v &= v;
   else
      s->v = a->row->form & MT_ACC_OR ? s->v | v : s->v ^ v;
   s->set = true;
}

static bool bits_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   if (v.type == MT_INT32 || v.type == MT_INT64)
      bits_put (a, state, v.i);
   return true;
}

static bool bits_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const Bits *f = from;
   if (f->set)
      bits_put (a, into, f->v);
   return true;
}

static bool bits_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Bits *s = state;
   *out = s->set ? mt_v_int64 (s->v) : mt_v_null ();
   return true;
}

/* ---- $_mtTally ---- */

/* Counts how often each position occurs. The input is [position, size], where position is from 0 to
 * size - 1. */
typedef struct Tally {
   int64_t *counts;
   uint32_t size;
} Tally;

static void tally_size (MtGroupTable *t, Tally *s, uint32_t size)
{
   if (s->size >= size)
      return;
   int64_t *more = MT_NEW_N (t->arena, int64_t, size);
   if (s->size)
      memcpy (more, s->counts, s->size * sizeof *more);
   *s = (Tally) {more, size};
}

static bool tally_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   Tally *s = state;
   MtVal at = mt_doc_at (v, 0), size = mt_doc_at (v, 1);
   if (v.type != MT_ARRAY || at.type != MT_INT32 || size.type != MT_INT32)
      return true;
   if (at.i < 0 || at.i >= size.i)
      return mt_error (&w->err, MT_E_PARAMETER, "$_mtTally takes positions below its size");
   tally_size (t, s, (uint32_t) size.i);
   s->counts[at.i]++;
   return true;
}

static bool tally_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   Tally *s = into;
   const Tally *f = from;
   tally_size (t, s, f->size);
   for (uint32_t i = 0; i < f->size; i++)
      s->counts[i] += f->counts[i];
   return true;
}

static bool tally_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Tally *s = state;
   *out = mt_v_null ();
   if (!s->size)
      return true;
   MtVal *v = MT_NEW_N (w->arena, MtVal, s->size);
   for (uint32_t i = 0; i < s->size; i++)
      v[i] = s->counts[i] == (int32_t) s->counts[i] ? mt_v_int32 ((int32_t) s->counts[i])
                                                    : mt_v_int64 (s->counts[i]);
   return mt_v_make_array (w->arena, v, s->size, out, &w->err);
}

static bool tally_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const Tally *s = state;
   size_t bytes = s->size * sizeof *s->counts;
   mt_bson_bytes (b, &s->size, 4);
   mt_bson_bytes (b, s->counts, bytes);
   return true;
}

static bool tally_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                        const uint8_t *end, MtWork *w)
{
   uint32_t size;
   Tally *s = state;
   *s = (Tally) {0};
   if (end - *p < 4)
      return false;
   memcpy (&size, *p, 4);
   *p += 4;
   if ((size_t) (end - *p) < size * sizeof *s->counts)
      return false;
   tally_size (t, s, size);
   if (size)
      memcpy (s->counts, *p, size * sizeof *s->counts);
   *p += size * sizeof *s->counts;
   return true;
}

#define BITS sizeof (Bits), false, NULL, bits_add, bits_merge, bits_result, NULL, NULL

const MtAccRow mt_acc_stat_rows[] = {
   {"$_mtMoments", sizeof (Pairs), false, NULL, moments_add, pairs_merge, pairs_result, NULL, NULL,
    0},
   {"$_mtPairs", sizeof (Pairs), false, NULL, pair_add, pairs_merge, pairs_result, NULL, NULL,
    MT_ACC_PAIRS},
   {"$_mtBitAnd", BITS, MT_ACC_AND},
   {"$_mtBitOr", BITS, MT_ACC_OR},
   {"$_mtBitXor", BITS, MT_ACC_XOR},
   {"$_mtTally", sizeof (Tally), false, NULL, tally_add, tally_merge, tally_result, tally_save,
    tally_load, 0},
   {"$_mtDistinct", MT_DISTINCT_BYTES, false, NULL, mt_distinct_add, mt_distinct_merge,
    mt_distinct_result, mt_distinct_save, mt_distinct_load, 0},
   {"$_mtBins", MT_BINS_BYTES, false, NULL, mt_bins_add, mt_bins_merge, mt_bins_result,
    mt_bins_save, mt_bins_load, 0},
   {0},
};
