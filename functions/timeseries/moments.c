/* Sums of powers of differences from the mean. Two sets are merged by the formulas of P. Pébay,
 * "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
 * statistical moments" (Sandia report SAND2008-6212). A number is added by merging a set of one. */
#include "functions/timeseries/moments.h"

#include <math.h>

static MtMoments one (double x)
{
   double rest = isfinite (x) ? 0 : NAN;
   return (MtMoments) {x, rest, rest, rest};
}

/* Returns the sums of the union of two sets. na and nb are the numbers of values in the sets, both
 * at least 1. */
static MtMoments joined (const MtMoments *a, double na, const MtMoments *b, double nb)
{
   double n = na + nb, d = b->sum / nb - a->sum / na, dn = d / n, pairs = na * nb;
   return (MtMoments) {
      .sum = a->sum + b->sum,
      .s2 = a->s2 + b->s2 + d * dn * pairs,
      .s3 = a->s3 + b->s3 + d * dn * dn * pairs * (na - nb) + 3 * dn * (na * b->s2 - nb * a->s2),
      .s4 = a->s4 + b->s4 + d * dn * dn * dn * pairs * (na * na - pairs + nb * nb) +
            6 * dn * dn * (na * na * b->s2 + nb * nb * a->s2) + 4 * dn * (na * b->s3 - nb * a->s3),
   };
}

/* Checks new sums. An infinite value makes the sums of differences NaN, as in PostgreSQL. If all
 * values are finite (`finite`) and a sum is infinite, fails with 22003. */
static bool checked (MtMoments *m, bool finite, MtError *err)
{
   bool over = isinf (m->sum) || isinf (m->s2) || isinf (m->s3) || isinf (m->s4);
   if (over && finite)
      return mt_error (err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   m->s2 = isinf (m->s2) ? NAN : m->s2;
   m->s3 = isinf (m->s3) ? NAN : m->s3;
   m->s4 = isinf (m->s4) ? NAN : m->s4;
   return true;
}

/* Adds `more` to *n. Fails with 22003 on overflow. */
static bool add_counts (int64_t *n, int64_t more, MtError *err)
{
   return !__builtin_add_overflow (*n, more, n) ||
          mt_error (err, MT_E_NUMERIC_RANGE, "bigint out of range");
}

bool mt_moments1_join (MtMoments1 *m, const MtMoments1 *from, MtError *err)
{
   if (!from->n)
      return true;
   if (!m->n) {
      *m = *from;
      return true;
   }
   bool finite = isfinite (m->x.sum) && isfinite (from->x.sum);
   m->x = joined (&m->x, (double) m->n, &from->x, (double) from->n);
   return add_counts (&m->n, from->n, err) && checked (&m->x, finite, err);
}

bool mt_moments1_add (MtMoments1 *m, double x, MtError *err)
{
   return mt_moments1_join (m, &(MtMoments1) {1, one (x)}, err);
}

bool mt_moments2_join (MtMoments2 *m, const MtMoments2 *from, MtError *err)
{
   if (!from->n)
      return true;
   if (!m->n) {
      *m = *from;
      return true;
   }
   double na = (double) m->n, nb = (double) from->n, dx = from->x.sum / nb - m->x.sum / na,
          dy = from->y.sum / nb - m->y.sum / na;
   bool x = isfinite (m->x.sum) && isfinite (from->x.sum),
        y = isfinite (m->y.sum) && isfinite (from->y.sum);
   m->sxy += from->sxy + dx * dy * na * nb / (na + nb);
   m->x = joined (&m->x, na, &from->x, nb);
   m->y = joined (&m->y, na, &from->y, nb);
   if (!add_counts (&m->n, from->n, err))
      return false;
   if (isinf (m->sxy) && x && y)
      return mt_error (err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   m->sxy = isinf (m->sxy) ? NAN : m->sxy;
   return checked (&m->x, x, err) && checked (&m->y, y, err);
}

bool mt_moments2_add (MtMoments2 *m, double x, double y, MtError *err)
{
   double sxy = isfinite (x) && isfinite (y) ? 0 : NAN;
   return mt_moments2_join (m, &(MtMoments2) {1, one (x), one (y), sxy}, err);
}

MtVal mt_v_defined (double d) { return isnan (d) ? mt_v_null () : mt_v_double (d); }

double mt_moments2_slope (const MtMoments2 *m)
{
   return m->n > 1 && m->x.s2 != 0 ? m->sxy / m->x.s2 : NAN;
}

double mt_moments2_intercept (const MtMoments2 *m)
{
   return (m->y.sum - m->x.sum * mt_moments2_slope (m)) / (double) m->n;
}

double mt_moments2_corr (const MtMoments2 *m)
{
   return m->n > 1 && m->x.s2 != 0 && m->y.s2 != 0 ? m->sxy / sqrt (m->x.s2 * m->y.s2) : NAN;
}

/* ---- stored ---- */

/* The names of the fields that store one set's sums. */
typedef struct Names {
   const char *sum, *s2, *s3, *s4;
} Names;

static const Names OF_X = {"sx", "sx2", "sx3", "sx4"}, OF_Y = {"sy", "sy2", "sy3", "sy4"};

static void write_sums (const MtMoments *m, const Names *names, MtBson *b)
{
   mt_bson_put (b, names->sum, mt_v_double (m->sum));
   mt_bson_put (b, names->s2, mt_v_double (m->s2));
   mt_bson_put (b, names->s3, mt_v_double (m->s3));
   mt_bson_put (b, names->s4, mt_v_double (m->s4));
}

static void read_sums (MtSummaryReader *r, const Names *names, MtMoments *m)
{
   m->sum = mt_read_double (r, names->sum);
   m->s2 = mt_read_double (r, names->s2);
   m->s3 = mt_read_double (r, names->s3);
   m->s4 = mt_read_double (r, names->s4);
}

static int64_t read_count (MtSummaryReader *r)
{
   int64_t n = mt_read_int (r, "n");
   r->ok &= n > 0;
   return n;
}

void mt_moments1_write (const MtMoments1 *m, MtBson *b)
{
   mt_bson_put (b, "n", mt_v_int64 (m->n));
   write_sums (&m->x, &OF_X, b);
}

void mt_moments1_read (MtSummaryReader *r, MtMoments1 *m)
{
   m->n = read_count (r);
   read_sums (r, &OF_X, &m->x);
}

void mt_moments2_write (const MtMoments2 *m, MtBson *b)
{
   mt_bson_put (b, "n", mt_v_int64 (m->n));
   write_sums (&m->x, &OF_X, b);
   write_sums (&m->y, &OF_Y, b);
   mt_bson_put (b, "sxy", mt_v_double (m->sxy));
}

void mt_moments2_read (MtSummaryReader *r, MtMoments2 *m)
{
   m->n = read_count (r);
   read_sums (r, &OF_X, &m->x);
   read_sums (r, &OF_Y, &m->y);
   m->sxy = mt_read_double (r, "sxy");
}
