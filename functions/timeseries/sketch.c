#include "functions/timeseries/sketch.h"

#include <math.h>

/* ---- count and sum ---- */

/* Adds x by A. Neumaier's summation, which collects the exact rounding error of each addition in
 * t->lo. */
static void total_add (MtTotal *t, double x)
{
   double sum = t->hi + x;
   t->lo += fabs (t->hi) >= fabs (x) ? (t->hi - sum) + x : (x - sum) + t->hi;
   t->hi = sum;
}

static double sum_of (const MtTally *t) { return t->sum.hi + t->sum.lo; }

bool mt_tally_add (MtTally *t, const MtTally *more, MtError *err)
{
   MtTally now = *t;
   if (__builtin_add_overflow (now.n, more->n, &now.n))
      return mt_error (err, MT_E_NUMERIC_RANGE, "bigint out of range");
   total_add (&now.sum, more->sum.hi);
   total_add (&now.sum, more->sum.lo);
   if (!isfinite (sum_of (&now)))
      return mt_error (err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   *t = now;
   return true;
}

double mt_tally_mean (const MtTally *t) { return sum_of (t) / (double) t->n; }

void mt_tally_write (const MtTally *t, MtBson *b)
{
   mt_bson_put (b, "n", mt_v_int64 (t->n));
   mt_bson_put (b, "sum", mt_v_double (sum_of (t)));
}

void mt_tally_read (MtSummaryReader *r, MtTally *t)
{
   t->n = mt_read_int (r, "n");
   t->sum.hi = mt_read_double (r, "sum");
   r->ok &= t->n > 0 && isfinite (t->sum.hi);
}

/* ---- arguments ---- */

bool mt_sketch_number (double x, const char *name, MtError *err)
{
   if (isfinite (x))
      return true;
   mt_error (err, MT_E_NUMERIC_RANGE, "%s takes finite numbers only", name);
   return mt_error_hint (err, "Leave out NaN and infinity: FILTER (WHERE abs (x) < 'Infinity').");
}

bool mt_sketch_buckets (int64_t buckets, int64_t least, int64_t most, MtError *err)
{
   return (buckets >= least && buckets <= most) ||
          mt_error (err, MT_E_PARAMETER,
                    "number of buckets %" PRId64 " is not between %" PRId64 " and %" PRId64,
                    buckets, least, most);
}

bool mt_sketch_differ (const char *name, MtError *err)
{
   mt_error (err, MT_E_PARAMETER, "states of type %s have different parameters", name);
   return mt_error_hint (err, "Only sketches with the same parameters can be merged.");
}

bool mt_sketch_each (MtEval *ev, MtVal fractions, const void *sketch,
                     bool (*one) (MtEval *ev, const void *sketch, double fraction, double *out),
                     MtVal *out)
{
   size_t n;
   MtVal *v = mt_v_elements (ev->arena, fractions, &n), number;
   for (size_t i = 0; i < n; i++) {
      double d;
      if (mt_is_nullish (v[i]))
         continue;
      if (!mt_value_normalize (ev->arena, mt_type (MT_T_FLOAT8), v[i], &number, ev->err) ||
          !one (ev, sketch, number.d, &d))
         return false;
      v[i] = mt_v_double (d);
   }
   return mt_v_make_array (ev->arena, v, n, out, ev->err);
}
