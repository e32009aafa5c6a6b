/* stats_agg: count, sum and moments of one or two variables. */
#include "functions/timeseries/moments.h"

#include "functions/core/rows.h"

#include <math.h>
#include <string.h>

/* ---- states ---- */

static bool merge1 (MtEval *ev, void *into, const void *from)
{
   return mt_moments1_join (into, from, ev->err);
}

static bool merge2 (MtEval *ev, void *into, const void *from)
{
   return mt_moments2_join (into, from, ev->err);
}

static bool write1 (MtEval *ev, const void *state, MtBson *b)
{
   const MtMoments1 *m = state;
   (void) ev;
   mt_moments1_write (m, b);
   return m->n > 0;
}

static bool write2 (MtEval *ev, const void *state, MtBson *b)
{
   const MtMoments2 *m = state;
   (void) ev;
   mt_moments2_write (m, b);
   return m->n > 0;
}

static void read1 (MtEval *ev, MtSummaryReader *r, void *state)
{
   (void) ev;
   mt_moments1_read (r, state);
}

static void read2 (MtEval *ev, MtSummaryReader *r, void *state)
{
   (void) ev;
   mt_moments2_read (r, state);
}

static const MtStateKind STATS1 = {MT_T_STATSSUMMARY1D, sizeof (MtMoments1), merge1, write1, read1},
                         STATS2 = {MT_T_STATSSUMMARY2D, sizeof (MtMoments2), merge2, write2, read2};

static bool step1 (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return mt_moments1_add (state, args[0].d, ev->err);
}

/* Adds a row to the state of two variables. Arguments: y, x, in this order as in regr_slope. */
static bool step2 (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return mt_moments2_add (state, args[1].d, args[0].d, ev->err);
}

/* ---- accessors ---- */

typedef enum What {
   AVERAGE,
   SUM,
   VARIANCE,
   STDDEV,
   SKEWNESS,
   KURTOSIS,
   NUM_VALS,
   /* functions of a state of two variables (x, y) */
   COVARIANCE,
   SLOPE,
   INTERCEPT,
   X_INTERCEPT,
   CORR,
   DETERMINATION
} What;
#define OF_Y 64 /* of the variable y; else of x, or of both */

/* Sets *out to the divisor for the method named `method`: n for 'population', n - 1 for
 * 'sample'. */
static bool divisor (MtEval *ev, MtVal method, int64_t n, double *out)
{
   MtStr name = mt_v_text (method);
   bool population = mt_str_is (name, "population") || mt_str_is (name, "pop");
   *out = (double) (population ? n : n - 1);
   if (population || mt_str_is (name, "sample") || mt_str_is (name, "samp"))
      return true;
   mt_error (ev->err, MT_E_PARAMETER, "unknown method \"%.*s\"", (int) name.n, name.p);
   return mt_error_hint (ev->err, "Methods are 'sample' and 'population'.");
}

/* Returns the statistic `what` of one variable. `count` is the number of values; `n` is the
 * divisor, count or count - 1. */
static MtVal of_one (What what, const MtMoments *m, int64_t count, double n)
{
   if (what == NUM_VALS)
      return mt_v_int64 (count);
   if (what == SUM)
      return mt_v_double (m->sum);
   if (what == AVERAGE)
      return mt_v_double (m->sum / (double) count);
   if (n <= 0)
      return mt_v_null ();
   switch (what) {
   case VARIANCE: return mt_v_double (m->s2 / n);
   case STDDEV: return mt_v_double (sqrt (m->s2 / n));
   case SKEWNESS: return mt_v_defined (m->s3 / n / pow (m->s2 / n, 1.5));
   default: return mt_v_defined (m->s4 / n / (m->s2 / n * (m->s2 / n)));
   }
}

static MtVal of_both (What what, const MtMoments2 *m, double n)
{
   double corr = mt_moments2_corr (m), slope = mt_moments2_slope (m);
   switch (what) {
   case COVARIANCE: return n > 0 ? mt_v_double (m->sxy / n) : mt_v_null ();
   case SLOPE: return mt_v_defined (slope);
   case INTERCEPT: return mt_v_defined (mt_moments2_intercept (m));
   case X_INTERCEPT:
      return slope == 0 ? mt_v_null () : mt_v_defined (-mt_moments2_intercept (m) / slope);
   case CORR: return mt_v_defined (corr);
   default: return mt_v_defined (corr * corr);
   }
}

static bool fn_stats1 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtMoments1 m = {0};
   double by = 0;
   if (!mt_summary_read (ev, &STATS1, a[0], &m) || (n > 1 && !divisor (ev, a[1], m.n, &by)))
      return false;
   *out = of_one ((What) MT_USER (ev), &m.x, m.n, by);
   return true;
}

static bool fn_stats2 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtMoments2 m = {0};
   double by = 0;
   What what = (What) (MT_USER (ev) & ~OF_Y);
   if (!mt_summary_read (ev, &STATS2, a[0], &m) || (n > 1 && !divisor (ev, a[1], m.n, &by)))
      return false;
   *out = what < COVARIANCE ? of_one (what, MT_USER (ev) & OF_Y ? &m.y : &m.x, m.n, by)
                            : of_both (what, &m, by);
   return true;
}

/* ---- the sums in a state, as $_mtMoments and $_mtPairs give them ---- */

static bool fn_moments_of (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtMoments1 m = {0};
   *out = mt_v_null ();
   if (n != 1 || mt_is_nullish (a[0]))
      return true;
   if (!mt_summary_read (ev, &STATS1, a[0], &m))
      return false;
   MtVal v[] = {mt_v_double ((double) m.n), mt_v_double (m.x.sum), mt_v_double (m.x.s2)};
   return mt_v_make_array (ev->arena, v, 3, out, ev->err);
}

static bool fn_pairs_of (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtMoments2 m = {0};
   *out = mt_v_null ();
   if (n != 1 || mt_is_nullish (a[0]))
      return true;
   if (!mt_summary_read (ev, &STATS2, a[0], &m))
      return false;
   MtVal v[] = {mt_v_double ((double) m.n), mt_v_double (m.x.sum), mt_v_double (m.x.s2),
                mt_v_double (m.y.sum),      mt_v_double (m.y.s2),  mt_v_double (m.sxy)};
   return mt_v_make_array (ev->arena, v, 6, out, ev->err);
}

#define SUMS_OF(name_, fn_, summary_, example_) \
   {.name = name_, \
    .min_args = 1, \
    .max_args = 1, \
    .flags = MT_OP_FOLD, \
    .fn = fn_, \
    .summary = summary_, \
    .example = "{\"" name_ "\": " example_}
#define NO_DEVIATION(axis_) \
   ", \"" axis_ "\": 4.0, \"" axis_ "2\": 0.0, \"" axis_ "3\": 0.0, \"" axis_ "4\": 0.0"

const MtOpRow mt_stats_ops[] = {
   SUMS_OF (
      "$_mtMomentsOf", fn_moments_of, "the sums of stats_agg of one variable",
      "{\"k\": \"statssummary1d\", \"v\": 1, \"n\": 2" NO_DEVIATION ("sx") "}} => [2.0, 4.0, 0.0]"),
   SUMS_OF ("$_mtPairsOf", fn_pairs_of, "the sums of stats_agg of two variables",
            "{\"k\": \"statssummary2d\", \"v\": 1, \"n\": 2" NO_DEVIATION ("sx")
               NO_DEVIATION ("sy") ", \"sxy\": 0.0}} => [2.0, 4.0, 0.0, 4.0, 0.0, 0.0]"),
   {.name = NULL},
};

/* ---- rows ---- */

static const char *const SAMPLE[] = {NULL, "'sample'"};

#define OF_STATS1 "FROM (VALUES (7), (18), (-2), (5), (3)) AS t (x) => "
#define OF_STATS2 "FROM (VALUES (2, 1), (3, 2), (7, 3)) AS t (y, x) => "
#define ONE(name_, what_, ret_, doc_, r_) \
   MT_ROW (name_, "state statssummary1d -> " ret_, 0, NULL, \
           MT_OPN ("stats1_" name_, stats1, what_), doc_, \
           "SELECT " name_ "(stats_agg(x)) " OF_STATS1 r_)
#define TWO(name_, what_, doc_, r_) \
   MT_ROW (name_, "state statssummary2d -> float8", 0, NULL, \
           MT_OPN ("stats2_" name_, stats2, what_), doc_, \
           "SELECT " name_ "(stats_agg(y, x)) " OF_STATS2 r_)
#define METHOD(name_, type_, op_, fn_, what_, doc_, example_) \
   {.name = name_, \
    .signature = "state " type_ ", method text -> float8", \
    .op = MT_OPN (op_ name_, fn_, what_), \
    .defaults = SAMPLE, \
    .summary = doc_ ", of a 'sample' (the default) or a 'population'", \
    .example = example_}
#define ONE_BY(name_, what_, doc_, r_) \
   METHOD (name_, "statssummary1d", "stats1_", stats1, what_, doc_, \
           "SELECT " name_ "(stats_agg(x), 'population') " OF_STATS1 r_)
#define TWO_BY(name_, what_, doc_, r_) \
   METHOD (name_, "statssummary2d", "stats2_", stats2, what_, doc_, \
           "SELECT " name_ "(stats_agg(y, x), 'population') " OF_STATS2 r_)

const MtFunc mt_fn_stats[] = {
   ONE ("average", AVERAGE, "float8", "average of the numbers of stats_agg", "6.2"),
   ONE ("sum", SUM, "float8", "sum of the numbers of stats_agg", "31"),
   ONE ("num_vals", NUM_VALS, "int8", "how many numbers stats_agg has", "5"),
   ONE_BY ("variance", VARIANCE, "variance of stats_agg", "43.760000000000005"),
   ONE_BY ("stddev", STDDEV, "standard deviation of stats_agg", "6.615134163416491"),
   ONE_BY ("skewness", SKEWNESS, "skewness of stats_agg", "0.7307491483756289"),
   ONE_BY ("kurtosis", KURTOSIS, "kurtosis of stats_agg", "2.5083152578966534"),
   TWO ("average_y", AVERAGE | OF_Y, "average of y", "4"),
   TWO ("average_x", AVERAGE, "average of x", "2"),
   TWO ("sum_y", SUM | OF_Y, "sum of y", "12"),
   TWO ("sum_x", SUM, "sum of x", "6"),
   MT_ROW ("num_vals", "state statssummary2d -> int8", 0, NULL,
           MT_OPN ("stats2_num_vals", stats2, NUM_VALS), "how many pairs stats_agg has",
           "SELECT num_vals(stats_agg(y, x)) " OF_STATS2 "3"),
   TWO_BY ("variance_y", VARIANCE | OF_Y, "variance of y", "4.666666666666667"),
   TWO_BY ("variance_x", VARIANCE, "variance of x", "0.6666666666666666"),
   TWO_BY ("stddev_y", STDDEV | OF_Y, "standard deviation of y", "2.160246899469287"),
   TWO_BY ("stddev_x", STDDEV, "standard deviation of x", "0.816496580927726"),
   TWO_BY ("skewness_y", SKEWNESS | OF_Y, "skewness of y", "0.5951700641394972"),
   TWO_BY ("skewness_x", SKEWNESS, "skewness of x", "0"),
   TWO_BY ("kurtosis_y", KURTOSIS | OF_Y, "kurtosis of y", "1.4999999999999996"),
   TWO_BY ("kurtosis_x", KURTOSIS, "kurtosis of x", "1.5"),
   TWO_BY ("covariance", COVARIANCE, "covariance of y and x", "1.6666666666666667"),
   TWO ("slope", SLOPE, "slope of the least-squares line", "2.5"),
   TWO ("intercept", INTERCEPT, "y of the least-squares line at x = 0", "-1"),
   TWO ("x_intercept", X_INTERCEPT, "x of the least-squares line at y = 0", "0.4"),
   TWO ("corr", CORR, "correlation of y and x", "0.944911182523068"),
   TWO ("determination_coeff", DETERMINATION, "square of the correlation of y and x",
        "0.8928571428571428"),
   {.name = NULL},
};

const MtAgg mt_agg_stats[] = {
   MT_SUMMARY_AGG ("stats_agg", "value float8 -> statssummary1d", step1, MtMoments1, STATS1,
                   "state of a variable: average, sum, stddev, variance, skewness, kurtosis, "
                   "num_vals",
                   "SELECT average(stats_agg(x)) " OF_STATS1 "6.2"),
   MT_SUMMARY_AGG ("stats_agg", "y float8, x float8 -> statssummary2d", step2, MtMoments2, STATS2,
                   "state of two variables: the functions of one with _y and _x, slope, intercept, "
                   "x_intercept, corr, covariance, determination_coeff",
                   "SELECT slope(stats_agg(y, x)) " OF_STATS2 "2.5"),
   MT_SUMMARY_ROLLUP ("statssummary1d", MtMoments1, STATS1,
                      "SELECT average(rollup(s)) FROM (SELECT stats_agg(x) AS s FROM (VALUES (1, "
                      "1), (1, 3), (2, 8)) AS t (g, x) GROUP BY g) AS u => 4"),
   MT_SUMMARY_ROLLUP ("statssummary2d", MtMoments2, STATS2,
                      "SELECT slope(rollup(s)) FROM (SELECT stats_agg(y, x) AS s FROM (VALUES (1, "
                      "2, 1), (1, 3, 2), (2, 7, 3)) AS t (g, y, x) GROUP BY g) AS u => 2.5"),
   {.name = NULL},
};
