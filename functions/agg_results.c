/* Operators that compute the results of aggregates from a group's sums, pairs and sorted values. */
#include "functions/agg.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/decimal.h"
#include "query/aggregate.h"

#include <math.h>
#include <string.h>

/* ---- variances of integers and numerics, from exact sums ---- */

/* An integer of 256 bits, lowest word first. It can hold the square of a decimal's digits. */
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

/* Multiplies x by 10, `times` times. Returns false if the product exceeds 256 bits. */
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

/* Converts x * 10^exp to a decimal. Digits behind the 38th are truncated. */
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

/* Computes n * squares - sum * sum, which is the variance times n * n. *zero is true if the result
 * is not above 0. A sum with 34 digits may have been rounded in each row, by half a unit of its
 * last digit. If PostgreSQL's 16 digits are then uncertain, fails. */
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

/* Operators of variances: MT_USER (ev) has the flag MT_AGG_SAMPLE for a sample's variance (divide
 * by n - 1), and MT_AGG_ROOT for a standard deviation. */
static bool is_sample (const MtEval *ev) { return MT_USER (ev) & MT_AGG_SAMPLE; }
static bool is_root (const MtEval *ev) { return MT_USER (ev) & MT_AGG_ROOT; }

/* Computes a variance or standard deviation. Arguments: sum, sum of squares, number of values. */
static bool fn_variance (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum sum, squares, num, r;
   int64_t rows;
   bool zero = false;
   *out = mt_v_null ();
   if (n != 3 || !mt_num_from_val (a[2], &num) || !mt_num_to_int64 (num, &rows, ev->err))
      return mt_error (ev->err, MT_E_PARAMETER, "a variance takes two sums and a count");
   if (rows <= is_sample (ev) || !mt_num_from_val (a[0], &sum) || !mt_num_from_val (a[1], &squares))
      return true;
   MtDec s = mt_dec_open (sum), q = mt_dec_open (squares);
   if (s.kind != MT_DEC_FINITE || q.kind != MT_DEC_FINITE) {
      mt_dec_close ((MtDec) {.kind = MT_DEC_NAN}, &r);
      *out = mt_num_to_val (ev->arena, r);
      return true;
   }
   if (!deviation (s, q, rows, &num, &zero, ev->err))
      return false;
   MtNum divisor = mt_num_from_int128 ((MtInt128) rows * (rows - is_sample (ev)));
   if (zero)
      r = mt_num_from_int64 (0);
   else if (!mt_num_div (num, divisor, &r, ev->err) ||
            (is_root (ev) && !mt_num_sqrt_at (r, mt_num_scale (r), &r, ev->err)))
      return false;
   *out = mt_num_to_val (ev->arena, r);
   return true;
}

/* ---- variances of doubles: [n, sum, sum of squared deviations] ---- */

static bool fn_spread (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal count = n == 1 ? mt_doc_at (a[0], 0) : mt_v_missing (),
         squares = n == 1 ? mt_doc_at (a[0], 2) : mt_v_missing ();
   *out = mt_v_null ();
   if (count.type != MT_DOUBLE || squares.type != MT_DOUBLE)
      return true;
   bool sample = is_sample (ev);
   if (count.d < (sample ? 2 : 1))
      return true;
   double r = squares.d / (count.d - sample);
   *out = mt_v_double (is_root (ev) ? sqrt (r) : r);
   return true;
}

/* ---- pairs: [n, sx, sxx, sy, syy, sxy] ---- */

typedef struct Pairs {
   double n, sx, sxx, sy, syy, sxy;
} Pairs;

/* The regression aggregates. Each has an operator, with one of these in MT_USER (ev). */
typedef enum Regression {
   CORR,
   COVAR_POP,
   COVAR_SAMP,
   REGR_AVGX,
   REGR_AVGY,
   REGR_INTERCEPT,
   REGR_R2,
   REGR_SLOPE,
   REGR_SXX,
   REGR_SXY,
   REGR_SYY
} Regression;

/* Returns whether the aggregate has a result for these pairs. Some divide by the number of pairs,
 * or by the deviation of x or y, which must not be 0. */
static bool has_value (Regression kind, const Pairs *p)
{
   switch (kind) {
   case COVAR_SAMP: return p->n > 1;
   case CORR: return p->n >= 1 && p->sxx != 0 && p->syy != 0;
   case REGR_INTERCEPT:
   case REGR_R2:
   case REGR_SLOPE: return p->n >= 1 && p->sxx != 0;
   case COVAR_POP:
   case REGR_AVGX:
   case REGR_AVGY:
   case REGR_SXX:
   case REGR_SXY:
   case REGR_SYY: break;
   }
   return p->n >= 1;
}

static double regression (Regression kind, const Pairs *p)
{
   switch (kind) {
   case CORR: return p->sxy / sqrt (p->sxx * p->syy);
   case COVAR_POP: return p->sxy / p->n;
   case COVAR_SAMP: return p->sxy / (p->n - 1);
   case REGR_AVGX: return p->sx / p->n;
   case REGR_AVGY: return p->sy / p->n;
   case REGR_INTERCEPT: return (p->sy - p->sx * p->sxy / p->sxx) / p->n;
   case REGR_R2: return p->syy == 0 ? 1 : p->sxy * p->sxy / (p->sxx * p->syy);
   case REGR_SLOPE: return p->sxy / p->sxx;
   case REGR_SXX: return p->sxx;
   case REGR_SXY: return p->sxy;
   case REGR_SYY: return p->syy;
   }
   return NAN;
}

static bool fn_regression (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count = 0;
   MtVal *v = n == 1 && a[0].type == MT_ARRAY ? mt_v_elements (ev->arena, a[0], &count) : NULL;
   Regression kind = (Regression) MT_USER (ev);
   *out = mt_v_null ();
   if (count != 6)
      return true;
   Pairs p = {v[0].d, v[1].d, v[2].d, v[3].d, v[4].d, v[5].d};
   if (has_value (kind, &p))
      *out = mt_v_double (regression (kind, &p));
   return true;
}

/* ---- sorted values ---- */

/* Computes string_agg. Argument: [[text, separator], …]. A separator is put before its text, except
 * before the first text. MT_USER (ev) is the BSON type of the texts and of the result. */
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

/* Returns a number as a double. Values of a double column can have another type in documents of
 * other programs. */
static double number (MtVal v)
{
   return v.type == MT_DOUBLE ? v.d : mt_num_to_double (mt_num_of (v));
}

/* ---- sparkline ---- */

/* Divides n values into `width` groups of neighbours of about equal size, and replaces
 * v[0..width-1] by their averages. */
static void average (double *v, size_t n, size_t width)
{
   for (size_t i = 0; i < width; i++) {
      size_t from = i * n / width, to = (i + 1) * n / width;
      double sum = 0;
      for (size_t k = from; k < to; k++)
         sum += v[k] / (double) (to - from);
      v[i] = sum;
   }
}

/* Sets limits[] to the minimum, the maximum and the width of a sparkline: the arguments in its
 * first row, or else the finite extremes of the n values v, and n. */
static bool spark_limits (MtEval *ev, MtVal row, const double *v, size_t n, double limits[3])
{
   MtVal min = mt_doc_at (row, 1), max = mt_doc_at (row, 2), width = mt_doc_at (row, 3);
   limits[0] = INFINITY;
   limits[1] = -INFINITY;
   for (size_t i = 0; i < n; i++) {
      limits[0] = isfinite (v[i]) ? fmin (limits[0], v[i]) : limits[0];
      limits[1] = isfinite (v[i]) ? fmax (limits[1], v[i]) : limits[1];
   }
   limits[0] = min.type == MT_DOUBLE ? min.d : limits[0];
   limits[1] = max.type == MT_DOUBLE ? max.d : limits[1];
   limits[2] = mt_is_nullish (width) ? (double) n : (double) width.i;
   return limits[2] >= 1 ||
          mt_error (ev->err, MT_E_PARAMETER, "the width of a sparkline must be positive");
}

/* Computes sparkline. Arguments: [[value, min, max, width], …] in order, and whether the rows have
 * the last three. If all values are equal, all characters are full. NaN is a space. */
static bool fn_sparkline (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const levels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
   size_t count;
   double limits[3];
   MtBuf buf = {0};
   *out = mt_v_null ();
   if (n != 2 || a[0].type != MT_ARRAY)
      return true;
   MtVal *rows = mt_v_elements (ev->arena, a[0], &count);
   double *v = mt_try_alloc_n (ev->arena, count + 1, sizeof *v);
   if (!v)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < count; i++)
      v[i] = number (mt_doc_at (rows[i], 0));
   if (!count)
      return true;
   if (!spark_limits (ev, a[1].i ? rows[0] : mt_v_null (), v, count, limits))
      return false;
   size_t width = limits[2] < (double) count ? (size_t) limits[2] : count;
   if (width < count)
      average (v, count, width);
   for (size_t i = 0; i < width; i++) {
      double share = limits[1] > limits[0] ? (v[i] - limits[0]) / (limits[1] - limits[0]) : 1;
      int level = (int) fmin (fmax (share * 8, 0), 7);
      mt_buf_adds (&buf, isnan (v[i]) ? " " : levels[level]);
   }
   *out = mt_text_result (ev, &buf);
   return true;
}

/* ---- percentiles ---- */

/* Interpolates between intervals as PostgreSQL does: low + (high - low) * share. */
static bool between_intervals (MtEval *ev, MtVal low, MtVal high, double share, MtVal *out)
{
   MtInterval lo = mt_v_to_interval (low), hi = mt_v_to_interval (high), r;
   if (!mt_interval_sub (hi, lo, &r, ev->err) || !mt_interval_mul (r, share, &r, ev->err) ||
       !mt_interval_add (lo, r, &r, ev->err))
      return false;
   *out = mt_v_interval (ev->arena, r);
   return true;
}

/* Interpolates between times, to whole milliseconds. */
static MtVal between_times (MtVal low, MtVal high, double share)
{
   return mt_v_date (low.i + (int64_t) ((double) (high.i - low.i) * share));
}

/* Interpolates between numbers. If share is 0 the result is low, because 0 * infinity is NaN. */
static MtVal between_numbers (MtVal low, MtVal high, double share)
{
   double from = number (low);
   return mt_v_double (share == 0 ? from : from + share * (number (high) - from));
}

/* Interpolates. Argument: [low, high, share]. The result is low + share * (high - low). Each
 * interval comes as an array [interval, its length]. */
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
   if (low.type == MT_DATE)
      *out = between_times (low, high, share.d);
   else
      *out = between_numbers (low, high, share.d);
   return true;
}

/* Sets *out to the value at a fraction of n sorted values, as percentile_cont (`continuous`) or
 * percentile_disc. Each element of v is an array [value, …]. */
static bool at_fraction (MtEval *ev, const MtVal *v, size_t n, MtVal fraction, bool continuous,
                         MtVal *out)
{
   *out = mt_v_null ();
   if (mt_is_nullish (fraction))
      return true;
   double f = fraction.d, at = f * (double) (n - 1);
   if (!mt_check_fraction (f, ev->err))
      return false;
   if (!continuous) {
      size_t row = (size_t) ceil (f * (double) n);
      *out = mt_doc_at (v[row ? row - 1 : 0], 0);
      return true;
   }
   MtVal low = mt_doc_at (v[(size_t) floor (at)], 0), high = mt_doc_at (v[(size_t) ceil (at)], 0);
   double share = at - floor (at);
   if (low.type == MT_DOC)
      return between_intervals (ev, low, high, share, out);
   *out = between_numbers (low, high, share);
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

/* Computes percentiles. Arguments: [[value, …], …] sorted, and an array of fractions. MT_USER (ev)
 * is 1 for percentile_cont. */
static bool fn_percentiles (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   *out = mt_v_null ();
   if (n != 2 || a[0].type != MT_ARRAY || a[1].type != MT_ARRAY)
      return true;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   return count == 0 || at_fractions (ev, v, count, a[1], MT_USER (ev), out);
}

/* The result of the accumulator $_mtBins: [exact, value, count, value, count, …]. */
typedef struct Bins {
   const MtVal *v; /* after the first element */
   size_t n;
   int64_t total;
} Bins;

/* Returns the value of row number `row`, counted from 0: the value of the bin that contains it. */
static MtVal value_at (const Bins *b, int64_t row)
{
   size_t i = 0;
   for (; i + 1 < b->n && row >= b->v[2 * i + 1].i; i++)
      row -= b->v[2 * i + 1].i;
   return b->v[2 * i];
}

/* Computes a quantile: for doubles as percentile_cont, for other types as percentile_disc. */
static bool quantile (MtEval *ev, const Bins *b, MtVal fraction, MtVal *out)
{
   double f = fraction.d;
   *out = mt_v_null ();
   if (mt_is_nullish (fraction))
      return true;
   if (!mt_check_fraction (f, ev->err))
      return false;
   if (b->v[0].type != MT_DOUBLE) {
      double row = ceil (f * (double) b->total);
      *out = value_at (b, row < 1 ? 0 : (int64_t) row - 1);
      return true;
   }
   double at = f * (double) (b->total - 1), share = at - floor (at);
   MtVal low = value_at (b, (int64_t) at), high = share > 0 ? value_at (b, (int64_t) at + 1) : low;
   *out = share > 0 ? mt_v_double (low.d + share * (high.d - low.d)) : low;
   return true;
}

/* Computes quantiles. Arguments: the bins, and a fraction or an array of fractions. */
static bool fn_quantiles (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   *out = mt_v_null ();
   if (n != 2 || a[0].type != MT_ARRAY || mt_is_nullish (a[1]))
      return true;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   Bins b = {.v = v + 1, .n = (count - 1) / 2};
   for (size_t i = 0; i < b.n; i++)
      b.total += b.v[2 * i + 1].i;
   if (a[1].type != MT_ARRAY)
      return quantile (ev, &b, a[1], out);
   MtVal *f = mt_v_elements (ev->arena, a[1], &count);
   for (size_t i = 0; i < count; i++)
      if (!quantile (ev, &b, f[i], &f[i]))
         return false;
   return mt_v_make_array (ev->arena, f, count, out, ev->err);
}

/* Computes array_agg. Arguments: the values; whether each is an array [value, sort keys …] (1 or
 * 0); whether the values are arrays themselves, which must have equal dimensions (1 or 0). */
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

/* Declares an operator that computes an aggregate's result: op_ is its name, user_ is its MT_USER
 * (ev). */
#define FINISH(op_, args_, fn_name_, user_, summary_, example_) \
   {.name = op_, \
    .min_args = args_, \
    .max_args = args_, \
    .flags = MT_OP_FOLD, \
    .fn = fn_name_, \
    .user = (void *) (uintptr_t) (user_), \
    .summary = summary_, \
    .example = "{\"" op_ "\": " example_}
#define VARIANCE(op_, form_, r) \
   FINISH (op_, 3, fn_variance, form_, \
           "PostgreSQL's variance or deviation from sums of values and squares, and a count", \
           "[3, 5, 2]} => {\"$numberDecimal\": \"" r "\"}")
#define SPREAD(op_, form_, r) \
   FINISH (op_, 1, fn_spread, form_, "variance or deviation from the result of $_mtMoments", \
           "[[2.0, 3.0, 0.5]]} => " r)
#define REGRESSION(op_, kind_, r) \
   FINISH (op_, 1, fn_regression, kind_, "a regression aggregate from the result of $_mtPairs", \
           "[[2.0, 3.0, 0.5, 3.0, 0.5, 0.5]]} => " r)

const MtOpRow mt_agg_stat_ops[] = {
   VARIANCE ("$_mtVarPop", 0, "0.25000000000000000000"),
   VARIANCE ("$_mtVarSamp", MT_AGG_SAMPLE, "0.50000000000000000000"),
   VARIANCE ("$_mtStddevPop", MT_AGG_ROOT, "0.50000000000000000000"),
   VARIANCE ("$_mtStddevSamp", MT_AGG_SAMPLE | MT_AGG_ROOT, "0.70710678118654752440"),
   SPREAD ("$_mtSpreadVarPop", 0, "0.25"),
   SPREAD ("$_mtSpreadVarSamp", MT_AGG_SAMPLE, "0.5"),
   SPREAD ("$_mtSpreadStddevPop", MT_AGG_ROOT, "0.5"),
   SPREAD ("$_mtSpreadStddevSamp", MT_AGG_SAMPLE | MT_AGG_ROOT, "0.7071067811865476"),
   REGRESSION ("$_mtCorr", CORR, "1.0"),
   REGRESSION ("$_mtCovarPop", COVAR_POP, "0.25"),
   REGRESSION ("$_mtCovarSamp", COVAR_SAMP, "0.5"),
   REGRESSION ("$_mtRegrAvgx", REGR_AVGX, "1.5"),
   REGRESSION ("$_mtRegrAvgy", REGR_AVGY, "1.5"),
   REGRESSION ("$_mtRegrIntercept", REGR_INTERCEPT, "0.0"),
   REGRESSION ("$_mtRegrR2", REGR_R2, "1.0"),
   REGRESSION ("$_mtRegrSlope", REGR_SLOPE, "1.0"),
   REGRESSION ("$_mtRegrSxx", REGR_SXX, "0.5"),
   REGRESSION ("$_mtRegrSxy", REGR_SXY, "0.5"),
   REGRESSION ("$_mtRegrSyy", REGR_SYY, "0.5"),
   FINISH ("$_mtPercentilesCont", 2, fn_percentiles, true,
           "values at fractions of an order, interpolated",
           "[[[1.0], [3.0]], [0.5, 1.0]]} => [2.0, 3.0]"),
   FINISH ("$_mtPercentilesDisc", 2, fn_percentiles, false, "first values at fractions of an order",
           "[[[1.0], [3.0]], [0.5, 1.0]]} => [1.0, 3.0]"),
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
       "{\"$_mtJoinedBytes\": [[[{\"$binary\": {\"base64\": \"YQ==\", \"subType\": \"00\"}}, "
       "null]]]} => {\"$binary\": {\"base64\": \"YQ==\", \"subType\": \"00\"}}"},
   {.name = "$_mtBetween",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_between,
    .summary = "a value on the way from one to another",
    .example = "{\"$_mtBetween\": [[1.0, 3.0, 0.25]]} => 1.5"},
   {.name = "$_mtQuantiles",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_quantiles,
    .summary = "values at fractions of the bins of $_mtBins",
    .example = "{\"$_mtQuantiles\": [[true, 1, 2, 5, 1], [0.5, 1.0]]} => [1, 5]"},
   {.name = "$_mtSparkline",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_sparkline,
    .summary = "a character for each value, as high as the value",
    .example = "{\"$_mtSparkline\": [[[1.0], [3.0]], false]} => \"▁█\""},
   {.name = "$_mtArray",
    .min_args = 3,
    .max_args = 3,
    .flags = MT_OP_FOLD,
    .fn = fn_array_of,
    .summary = "array_agg's array",
    .example = "{\"$_mtArray\": [[[1, 5], [2, 4]], true, false]} => [1, 2]"},
   {.name = NULL},
};
