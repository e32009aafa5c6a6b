/* Operators that compute results of aggregates from a group's sums, pairs and sorted values. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/decimal.h"

#include <math.h>
#include <string.h>

/* ---- variances of integers and numerics, from exact sums ---- */

/* A number of 256 bits, lowest word first. It holds the square of a decimal. */
typedef struct Wide {
   uint64_t w[4];
} Wide;

static Wide wide_product (MtUint128 a, MtUint128 b)
{
   Wide r = {{0}};
   uint64_t x[2] = {(uint64_t) a, (uint64_t) (a >> 64)},
            y[2] = {(uint64_t) b, (uint64_t) (b >> 64)};
   for (int i = 0; i < 2; i++) {
      MtUint128 carry = 0;
      for (int j = 0; j < 2; j++) {
         carry += (MtUint128) x[i] * y[j] + r.w[i + j];
         r.w[i + j] = (uint64_t) carry;
         carry >>= 64;
      }
      r.w[i + 2] = (uint64_t) carry;
   }
   return r;
}

/* Multiplies x by 10, `times` times. False: the result does not fit in 256 bits. */
static bool wide_times_ten (Wide *x, int times)
{
   for (; times > 0; times--) {
      MtUint128 carry = 0;
      for (int i = 0; i < 4; i++) {
         carry += (MtUint128) x->w[i] * 10;
         x->w[i] = (uint64_t) carry;
         carry >>= 64;
      }
      if (carry)
         return false;
   }
   return true;
}

static void wide_cut_digit (Wide *x)
{
   MtUint128 rest = 0;
   for (int i = 3; i >= 0; i--) {
      rest = rest << 64 | x->w[i];
      x->w[i] = (uint64_t) (rest / 10);
      rest %= 10;
   }
}

static int wide_compare (const Wide *a, const Wide *b)
{
   for (int i = 3; i >= 0; i--)
      if (a->w[i] != b->w[i])
         return a->w[i] < b->w[i] ? -1 : 1;
   return 0;
}

static Wide wide_minus (const Wide *a, const Wide *b)
{
   Wide r;
   bool borrow = false;
   for (int i = 0; i < 4; i++) {
      uint64_t less;
      bool first = __builtin_sub_overflow (a->w[i], b->w[i], &less),
           second = __builtin_sub_overflow (less, (uint64_t) borrow, &r.w[i]);
      borrow = first || second;
   }
   return r;
}

static double wide_to_double (const Wide *x)
{
   double d = 0;
   for (int i = 3; i >= 0; i--)
      d = d * 0x1p64 + (double) x->w[i];
   return d;
}

/* Converts a 256-bit number times 10^exp to a decimal. Digits after the 38th are truncated. */
static bool wide_to_num (Wide x, int exp, MtNum *out)
{
   while (x.w[3] || x.w[2] || x.w[1] >> 58) {
      wide_cut_digit (&x);
      exp++;
   }
   return mt_dec_close (
      (MtDec) {.kind = MT_DEC_FINITE, .exp = exp, .coef = (MtUint128) x.w[1] << 64 | x.w[0]}, out);
}

static bool too_many_digits (MtError *err)
{
   mt_error (
      err, MT_E_NUMERIC_RANGE,
      "the sum of squares has more than 34 digits, so the variance cannot be computed exactly");
   return mt_error_hint (err, "Cast the argument to double precision.");
}

/* Computes n * squares - sum * sum, which is the variance times n * n. *zero: it is not above 0.
 * A sum with 34 digits may have been rounded by half a unit of its last digit in each row. If
 * PostgreSQL's 16 digits are no longer certain, this is an error. */
static bool deviation (MtDec sum, MtDec squares, int64_t n, MtNum *out, bool *zero, MtError *err)
{
   int exp = 2 * sum.exp < squares.exp || squares.coef == 0 ? 2 * sum.exp : squares.exp;
   if (sum.coef == 0)
      exp = squares.exp;
   Wide all = wide_product (squares.coef, (MtUint128) n), mean = wide_product (sum.coef, sum.coef);
   if ((squares.coef && !wide_times_ten (&all, squares.exp - exp)) ||
       (sum.coef && !wide_times_ten (&mean, 2 * sum.exp - exp)))
      return too_many_digits (err);
   *zero = wide_compare (&all, &mean) <= 0;
   Wide rest = {{0}};
   if (!*zero)
      rest = wide_minus (&all, &mean);
   if (mt_dec_digits (squares.coef) >= MT_NUM_DIGITS) {
      double rows = (double) n, unsure = rows * (rows + 1) * pow (10, squares.exp - exp);
      if (mt_dec_digits (sum.coef) >= MT_NUM_DIGITS)
         unsure += 2 * rows * (double) sum.coef * pow (10, 2 * sum.exp - exp);
      if (unsure * 1e17 > wide_to_double (&rest))
         return too_many_digits (err);
   }
   return wide_to_num (rest, exp, out);
}

static bool is_sample (MtStr what)
{
   return what.n > 5 && memcmp (what.p + what.n - 4, "samp", 4) == 0;
}
static bool is_root (MtStr what) { return what.n > 6 && memcmp (what.p, "stddev", 6) == 0; }

/* Arguments: [sum, sum of squares, count, "var_pop" | "var_samp" | "stddev_pop" |
 * "stddev_samp"]. */
static bool fn_variance (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum sum, squares, num, r;
   int64_t rows;
   bool zero = false;
   *out = mt_v_null ();
   if (n != 4 || a[3].type != MT_STRING || !mt_num_from_val (a[2], &num) ||
       !mt_num_to_int64 (num, &rows, ev->err))
      return mt_error (ev->err, MT_E_PARAMETER, "$_mtVariance takes two sums, a count and a name");
   MtStr what = mt_v_text (a[3]);
   if (rows <= is_sample (what) || !mt_num_from_val (a[0], &sum) ||
       !mt_num_from_val (a[1], &squares))
      return true;
   MtDec s = mt_dec_open (sum), q = mt_dec_open (squares);
   if (s.kind != MT_DEC_FINITE || q.kind != MT_DEC_FINITE) {
      mt_dec_close ((MtDec) {.kind = MT_DEC_NAN}, &r);
      *out = mt_num_to_val (ev->arena, r);
      return true;
   }
   if (!deviation (s, q, rows, &num, &zero, ev->err))
      return false;
   MtNum divisor = mt_num_from_int128 ((MtInt128) rows * (rows - is_sample (what)));
   if (zero)
      r = mt_num_from_int64 (0);
   else if (!mt_num_div (num, divisor, &r, ev->err) ||
            (is_root (what) && !mt_num_sqrt_at (r, mt_num_scale (r), &r, ev->err)))
      return false;
   *out = mt_num_to_val (ev->arena, r);
   return true;
}

/* ---- variances of doubles: [n, sum, sum of squared deviations] ---- */

static bool fn_spread (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal count = n == 2 ? mt_doc_at (a[0], 0) : mt_v_missing (),
         squares = n == 2 ? mt_doc_at (a[0], 2) : mt_v_missing ();
   *out = mt_v_null ();
   if (count.type != MT_DOUBLE || squares.type != MT_DOUBLE || a[1].type != MT_STRING)
      return true;
   bool sample = is_sample (mt_v_text (a[1]));
   if (count.d < (sample ? 2 : 1))
      return true;
   double r = squares.d / (count.d - sample);
   *out = mt_v_double (is_root (mt_v_text (a[1])) ? sqrt (r) : r);
   return true;
}

/* ---- pairs: [n, sx, sxx, sy, syy, sxy] ---- */

typedef struct Pairs {
   double n, sx, sxx, sy, syy, sxy;
} Pairs;

/* Computes a regression aggregate (corr, regr_slope …) from sums over pairs. False: the result is
 * NULL. */
static bool regression (MtStr what, const Pairs *p, double *out)
{
   if (mt_str_is (what, "covar_samp"))
      return p->n > 1 && (*out = p->sxy / (p->n - 1), true);
   if (p->n < 1)
      return false;
   if (mt_str_is (what, "covar_pop"))
      *out = p->sxy / p->n;
   else if (mt_str_is (what, "regr_sxx"))
      *out = p->sxx;
   else if (mt_str_is (what, "regr_syy"))
      *out = p->syy;
   else if (mt_str_is (what, "regr_sxy"))
      *out = p->sxy;
   else if (mt_str_is (what, "regr_avgx"))
      *out = p->sx / p->n;
   else if (mt_str_is (what, "regr_avgy"))
      *out = p->sy / p->n;
   else if (p->sxx == 0)
      return false;
   else if (mt_str_is (what, "corr"))
      return p->syy != 0 && (*out = p->sxy / sqrt (p->sxx * p->syy), true);
   else if (mt_str_is (what, "regr_r2"))
      *out = p->syy == 0 ? 1 : p->sxy * p->sxy / (p->sxx * p->syy);
   else if (mt_str_is (what, "regr_slope"))
      *out = p->sxy / p->sxx;
   else /* regr_intercept */
      *out = (p->sy - p->sx * p->sxy / p->sxx) / p->n;
   return true;
}

static bool fn_regression (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count = 0;
   MtVal *v = n == 2 && a[0].type == MT_ARRAY ? mt_v_elements (ev->arena, a[0], &count) : NULL;
   MtStr what = n == 2 && a[1].type == MT_STRING ? mt_v_text (a[1]) : mt_str ("");
   Pairs p = {0};
   *out = mt_v_null ();
   if (count == 6)
      p = (Pairs) {v[0].d, v[1].d, v[2].d, v[3].d, v[4].d, v[5].d};
   if (mt_str_is (what, "regr_count"))
      *out = mt_v_int64 ((int64_t) p.n);
   else if (regression (what, &p, &p.sx))
      *out = mt_v_double (p.sx);
   return true;
}

/* ---- sorted values ---- */

/* string_agg. Argument: [[text, separator, …], …]. Each separator precedes its text, except for the
 * first text. MT_USER (ev): the BSON type of the texts and of the result. */
static bool fn_joined (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtDocIter it = mt_doc_iter (n == 1 ? a[0] : mt_v_null ());
   MtBuf buf = {0};
   MtStr key;
   MtVal row;
   *out = mt_v_null ();
   if (n != 1 || a[0].type != MT_ARRAY)
      return true;
   for (bool first = true; mt_doc_next (&it, &key, &row); first = false) {
      MtVal text = mt_doc_at (row, 0), between = mt_doc_at (row, 1);
      if (!first && between.type == MT_USER (ev))
         mt_buf_add (&buf, (const char *) between.p, between.len);
      mt_buf_add (&buf, (const char *) text.p, text.len);
   }
   *out = mt_text_result (ev, &buf);
   out->type = (uint8_t) MT_USER (ev);
   return true;
}

/* Interpolates intervals as PostgreSQL does: low + (high - low) * share. */
static bool between_intervals (MtEval *ev, MtVal low, MtVal high, double share, MtVal *out)
{
   MtInterval lo = mt_v_to_interval (low), hi = mt_v_to_interval (high), r;
   if (!mt_interval_sub (hi, lo, &r, ev->err) || !mt_interval_mul (r, share, &r, ev->err) ||
       !mt_interval_add (lo, r, &r, ev->err))
      return false;
   *out = mt_v_interval (ev->arena, r);
   return true;
}

/* Argument: [low, high, share]. The result is low + share * (high - low). An interval comes as
 * [interval, its length]. */
static bool fn_between (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal low = mt_doc_at (n ? a[0] : mt_v_null (), 0),
         high = mt_doc_at (n ? a[0] : mt_v_null (), 1),
         share = mt_doc_at (n ? a[0] : mt_v_null (), 2);
   *out = mt_v_null ();
   if (n != 1 || a[0].type != MT_ARRAY || share.type != MT_DOUBLE)
      return true;
   if (low.type == MT_ARRAY)
      return between_intervals (ev, mt_doc_at (low, 0), mt_doc_at (high, 0), share.d, out);
   *out = share.d == 0 ? low : mt_v_double (low.d + share.d * (high.d - low.d));
   return true;
}

/* Computes the value at a fraction of n values in order. */
static bool at_fraction (MtEval *ev, const MtVal *v, size_t n, MtVal fraction, bool continuous,
                         MtVal *out)
{
   *out = mt_v_null ();
   if (mt_is_nullish (fraction))
      return true;
   double f = fraction.d, at = f * (double) (n - 1);
   if (!(f >= 0 && f <= 1))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "percentile value %g is not between 0 and 1",
                       f);
   if (!continuous) {
      size_t row = (size_t) ceil (f * (double) n);
      *out = mt_doc_at (v[row ? row - 1 : 0], 0);
      return true;
   }
   MtVal low = mt_doc_at (v[(size_t) floor (at)], 0), high = mt_doc_at (v[(size_t) ceil (at)], 0);
   double share = at - floor (at);
   if (low.type == MT_DOC)
      return between_intervals (ev, low, high, share, out);
   *out = share == 0 ? low : mt_v_double (low.d + share * (high.d - low.d));
   return true;
}

static bool at_fractions (MtEval *ev, const MtVal *v, size_t n, MtVal fractions, bool continuous,
                          MtVal *out)
{
   size_t count;
   MtVal *f = mt_v_elements (ev->arena, fractions, &count);
   for (size_t i = 0; i < count; i++)
      if (f[i].type == MT_ARRAY ? !at_fractions (ev, v, n, f[i], continuous, &f[i])
                                : !at_fraction (ev, v, n, f[i], continuous, &f[i]))
         return false;
   return mt_v_make_array (ev->arena, f, count, out, ev->err);
}

/* Arguments: [[value …] in order …], fractions, the aggregate's name. */
static bool fn_percentiles (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   *out = mt_v_null ();
   if (n != 3 || a[0].type != MT_ARRAY || a[1].type != MT_ARRAY)
      return true;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   return count == 0 ||
          at_fractions (ev, v, count, a[1], mt_str_is (mt_v_text (a[2]), "percentile_cont"), out);
}

/* The result of array_agg. sorted: each value is followed by its sort keys. nested: the values
 * are arrays. */
static bool fn_array_of (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count, first[MT_MAX_ARRAY_DIMS], dims[MT_MAX_ARRAY_DIMS];
   int known = 0;
   *out = mt_v_null ();
   if (n != 3 || a[0].type != MT_ARRAY)
      return true;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   for (size_t i = 0; i < count; i++) {
      if (a[1].i)
         v[i] = mt_doc_at (v[i], 0);
      if (!a[2].i)
         continue;
      if (mt_is_nullish (v[i]))
         return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "cannot accumulate null arrays");
      int d = mt_array_dims (v[i], MT_T_UNKNOWN, i ? dims : first);
      if (d == 0)
         return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "cannot accumulate empty arrays");
      if (d == MT_MAX_ARRAY_DIMS)
         return mt_error (ev->err, MT_E_LIMIT,
                          "number of array dimensions (%d) exceeds the maximum allowed (%d)", d + 1,
                          MT_MAX_ARRAY_DIMS);
      if (i && (d != known || memcmp (first, dims, (size_t) d * sizeof *dims)))
         return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT,
                          "cannot accumulate arrays of different dimensionality");
      known = d;
   }
   return count == 0 || mt_v_make_array (ev->arena, v, count, out, ev->err);
}

const MtOpRow mt_agg_stat_ops[] = {
   {.name = "$_mtVariance",
    .min_args = 4,
    .max_args = 4,
    .flags = MT_OP_FOLD,
    .fn = fn_variance,
    .summary = "PostgreSQL's variance or deviation from sums of values and squares, and a count",
    .example =
       "{\"$_mtVariance\": [3, 5, 2, \"var_samp\"]} => {\"$numberDecimal\": \"0.50000000000000000000\"}"},
   {.name = "$_mtSpread",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_spread,
    .summary = "variance or deviation from what $_mtMoments gives",
    .example = "{\"$_mtSpread\": [[2.0, 3.0, 0.5], \"var_samp\"]} => 0.5"},
   {.name = "$_mtRegression",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_regression,
    .summary = "corr, covar_pop, regr_slope … from what $_mtPairs gives",
    .example = "{\"$_mtRegression\": [[2.0, 3.0, 0.5, 3.0, 0.5, 0.5], \"regr_slope\"]} => 1.0"},
   {.name = "$_mtJoined",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_joined,
    .user = (void *) MT_STRING,
    .summary = "texts joined, each but the first behind its separator",
    .example = "{\"$_mtJoined\": [[[\"a\", \",\"], [\"b\", \"-\"]]]} => \"a-b\""},
   {.name = "$_mtJoinedBytes",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_joined,
    .user = (void *) MT_BINARY,
    .summary = "bytes joined, each but the first behind its separator",
    .example =
       "{\"$_mtJoinedBytes\": [[[{\"$binary\": {\"base64\": \"YQ==\", \"subType\": \"00\"}}, null]]]} => {\"$binary\": {\"base64\": \"YQ==\", \"subType\": \"00\"}}"},
   {.name = "$_mtBetween",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_between,
    .summary = "a value on the way from one to another",
    .example = "{\"$_mtBetween\": [[1.0, 3.0, 0.25]]} => 1.5"},
   {.name = "$_mtPercentiles",
    .min_args = 3,
    .max_args = 3,
    .flags = MT_OP_FOLD,
    .fn = fn_percentiles,
    .summary = "values at fractions of an order",
    .example =
       "{\"$_mtPercentiles\": [[[1.0], [3.0]], [0.5, 1.0], \"percentile_cont\"]} => [2.0, 3.0]"},
   {.name = "$_mtArray",
    .min_args = 3,
    .max_args = 3,
    .flags = MT_OP_FOLD,
    .fn = fn_array_of,
    .summary = "array_agg's array",
    .example = "{\"$_mtArray\": [[[1, 5], [2, 4]], true, false]} => [1, 2]"},
   {.name = NULL},
};
