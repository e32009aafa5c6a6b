/* uddsketch and percentile_agg: estimate percentiles with a limited relative error.
 *
 * A number x > 0 is counted in the bucket with key ceil (log (x) / log (g)), where g = (1 + error)
 * / (1 - error). If too many buckets are in use, the sketch collapses: neighbouring buckets are
 * merged in pairs, which squares g. The new bucket of a number follows from its old one. So the
 * result depends only on the numbers, not on their order or on the order of merges. Source: I.
 * Epicoco, C. Melle, M. Cafaro, M. Pulimeno and G. Morleo, "UDDSketch: Accurate Tracking of
 * Quantiles in Data Streams" (2020). */
#include "functions/timeseries/sketch.h"

#include "functions/core/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LEAST_BUCKETS 5 /* 0, and two of each sign that never become one */
#define LEAST_ERROR 1e-12
#define MOST_KEY ((int64_t) 1 << 49) /* of a double, before the first collapse */
#define MOST_COLLAPSES 50            /* After these, each key is 0 or 1. */

/* The place of a bucket is a number by which buckets sort like the numbers in them: MIDDLE + key
 * for positive numbers, the negative of that for negative numbers, and 0 for the number 0. */
#define MIDDLE ((int64_t) 1 << 52)

typedef struct Bucket {
   int64_t place, count;
} Bucket;

typedef struct Udd {
   int32_t most; /* at most this many buckets; 0: no rows yet */
   int32_t collapses;
   double max_error; /* before the first collapse */
   double log_gamma; /* log (g) of max_error */
   MtTally tally;
   Bucket *buckets; /* in order */
   uint32_t count, cap;
} Udd;

/* ---- buckets ---- */

static void set_error (Udd *s, double max_error)
{
   s->max_error = max_error;
   s->log_gamma = 2 * atanh (max_error);
}

/* Returns a bucket's place after `times` further collapses: its key becomes ceil (key /
 * 2^times). */
static int64_t collapsed (int64_t place, int times)
{
   int64_t size = place < 0 ? -place : place;
   if (!size)
      return 0;
   size = ((size + ((int64_t) 1 << times) - 1) >> times) - (MIDDLE >> times) + MIDDLE;
   return place < 0 ? -size : size;
}

static int64_t place_of (const Udd *s, double x)
{
   if (x == 0)
      return 0;
   int64_t size = MIDDLE + (int64_t) ceil (log (fabs (x)) / s->log_gamma);
   return collapsed (x < 0 ? -size : size, s->collapses);
}

static double error_of (const Udd *s)
{
   double e = s->max_error;
   for (int i = 0; i < s->collapses; i++)
      e = 2 * e / (1 + e * e);
   return e;
}

/* Returns the number that represents a bucket: its relative distance to both ends of the bucket is
 * the same. */
static double value_of (const Udd *s, int64_t place)
{
   if (place == 0)
      return 0;
   double key = (double) ((place < 0 ? -place : place) - MIDDLE),
          d = exp ((key - 1) * ldexp (s->log_gamma, s->collapses) + log1p (error_of (s)));
   d = fmin (fmax (d, DBL_TRUE_MIN), DBL_MAX);
   return place < 0 ? -d : d;
}

/* Returns the index of the first bucket whose place is at least `place`. */
static uint32_t first_from (const Udd *s, int64_t place)
{
   uint32_t lo = 0, hi = s->count;
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (s->buckets[mid].place < place)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

static void collapse (Udd *s)
{
   uint32_t n = 0;
   for (uint32_t i = 0; i < s->count; i++) {
      Bucket b = {collapsed (s->buckets[i].place, 1), s->buckets[i].count};
      if (n && s->buckets[n - 1].place == b.place)
         s->buckets[n - 1].count += b.count;
      else
         s->buckets[n++] = b;
   }
   s->count = n;
   s->collapses++;
}

static void add_count (MtEval *ev, Udd *s, int64_t place, int64_t count)
{
   uint32_t i = first_from (s, place);
   if (i < s->count && s->buckets[i].place == place) {
      s->buckets[i].count += count;
      return;
   }
   MT_GROW_IN (ev->arena, s->buckets, s->count, s->cap, 16);
   memmove (&s->buckets[i + 1], &s->buckets[i], (s->count - i) * sizeof *s->buckets);
   s->buckets[i] = (Bucket) {place, count};
   s->count++;
   while (s->count > (uint32_t) s->most)
      collapse (s);
}

/* ---- the state ---- */

static bool merge (MtEval *ev, void *into, const void *from)
{
   Udd *s = into;
   const Udd *f = from;
   if (!f->most)
      return true;
   if (!s->most)
      *s = (Udd) {.most = f->most, .max_error = f->max_error, .log_gamma = f->log_gamma};
   if (s->most != f->most || s->max_error != f->max_error)
      return mt_sketch_differ ("uddsketch", ev->err);
   if (!mt_tally_add (&s->tally, &f->tally, ev->err))
      return false;
   while (s->collapses < f->collapses)
      collapse (s);
   for (uint32_t i = 0; i < f->count; i++)
      add_count (ev, s, collapsed (f->buckets[i].place, s->collapses - f->collapses),
                 f->buckets[i].count);
   return true;
}

/* Writes the field `name`: the keys and counts [key, count, …] of the buckets with this sign, from
 * index i on. Returns the index of the next bucket. */
static uint32_t write_buckets (const Udd *s, const char *name, uint32_t i, int sign, MtBson *b)
{
   size_t list = mt_bson_array (b, name);
   for (uint32_t at = 0; i < s->count && s->buckets[i].place * sign > 0; i++) {
      mt_bson_put_at (b, at++, mt_v_int (s->buckets[i].place * sign - MIDDLE));
      mt_bson_put_at (b, at++, mt_v_int (s->buckets[i].count));
   }
   mt_bson_end (b, list);
   return i;
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   const Udd *s = state;
   (void) ev;
   mt_bson_put (b, "buckets", mt_v_int32 (s->most));
   mt_bson_put (b, "max_error", mt_v_double (s->max_error));
   mt_bson_put (b, "collapses", mt_v_int32 (s->collapses));
   mt_tally_write (&s->tally, b);
   uint32_t i = write_buckets (s, "negative", 0, -1, b);
   bool zero = i < s->count && s->buckets[i].place == 0;
   mt_bson_put (b, "zero", mt_v_int64 (zero ? s->buckets[i].count : 0));
   write_buckets (s, "positive", i + zero, 1, b);
   return s->most > 0;
}

/* Appends a bucket from a stored state. `left` is how many of the sketch's numbers are in no bucket
 * yet. Returns false if the bucket is invalid. */
static bool read_bucket (Udd *s, int64_t place, int64_t count, int64_t *left)
{
   bool ok = count > 0 && count <= *left && s->count < (uint32_t) s->most &&
             (s->count == 0 || s->buckets[s->count - 1].place < place);
   if (ok) {
      s->buckets[s->count++] = (Bucket) {place, count};
      *left -= count;
   }
   return ok;
}

static void read_buckets (MtSummaryReader *r, const char *name, int sign, Udd *s, int64_t *left)
{
   int64_t least = -(MOST_KEY >> s->collapses), unit = (int64_t) 1 << s->collapses,
           most = (MOST_KEY + unit - 1) / unit;
   MtSummaryList l = mt_read_list (r, name);
   while (r->ok && mt_list_more (&l)) {
      int64_t key = mt_list_int (r, &l), count = mt_list_int (r, &l);
      r->ok = r->ok && key >= least && key <= most &&
              read_bucket (s, sign * (MIDDLE + key), count, left);
   }
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Udd *s = state;
   int64_t most = mt_read_int (r, "buckets"), collapses = mt_read_int (r, "collapses"),
           zero = mt_read_int (r, "zero");
   s->max_error = mt_read_double (r, "max_error");
   mt_tally_read (r, &s->tally);
   r->ok = r->ok && most >= LEAST_BUCKETS && most <= MT_SKETCH_MAX_BUCKETS && collapses >= 0 &&
           collapses <= MOST_COLLAPSES && s->max_error >= LEAST_ERROR && s->max_error < 1 &&
           zero >= 0;
   if (!r->ok)
      return;
   int64_t left = s->tally.n;
   set_error (s, s->max_error);
   s->most = (int32_t) most;
   s->collapses = (int32_t) collapses;
   /* A bucket is two numbers, which take at least 6 bytes each, so the document limits the number
    * of buckets. */
   s->cap = (uint32_t) (r->doc.len / 12 < most ? r->doc.len / 12 : most) + 1;
   s->buckets = MT_NEW_N (ev->arena, Bucket, s->cap);
   read_buckets (r, "negative", -1, s, &left);
   r->ok = r->ok && (zero == 0 || read_bucket (s, 0, zero, &left));
   read_buckets (r, "positive", 1, s, &left);
   r->ok = r->ok && left == 0;
}

static const MtStateKind UDDSKETCH = {MT_T_UDDSKETCH, sizeof (Udd), merge, write_state, read_state};

static bool add (MtEval *ev, Udd *s, int64_t most, double max_error, double x)
{
   if (s->most && (s->most != most || s->max_error != max_error))
      return mt_sketch_differ ("uddsketch", ev->err);
   if (!s->most && !mt_sketch_buckets (most, LEAST_BUCKETS, MT_SKETCH_MAX_BUCKETS, ev->err))
      return false;
   if (!(max_error >= LEAST_ERROR && max_error < 1))
      return mt_error (ev->err, MT_E_PARAMETER, "maximum error is not between 1e-12 and 1");
   if (!mt_sketch_number (x, "uddsketch", ev->err) ||
       !mt_tally_add (&s->tally, &(MtTally) {1, {x, 0}}, ev->err))
      return false;
   if (!s->most)
      set_error (s, max_error);
   s->most = (int32_t) most;
   add_count (ev, s, place_of (s, x), 1);
   return true;
}

static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return add (ev, state, args[0].i, args[1].d, args[2].d);
}

static bool step_default (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return add (ev, state, 200, 0.001, args[0].d);
}

/* ---- accessors ---- */

/* Sets *out to an estimate of the number that is greater than the given fraction of all numbers. */
static bool percentile (MtEval *ev, const void *sketch, double fraction, double *out)
{
   const Udd *s = sketch;
   if (!mt_check_fraction (fraction, ev->err))
      return false;
   int64_t n = s->tally.n;
   double rank = floor (fraction * (double) n);
   int64_t before = rank < (double) n ? (int64_t) rank : n - 1;
   uint32_t i = 0;
   while (i + 1 < s->count && before >= s->buckets[i].count)
      before -= s->buckets[i++].count;
   *out = value_of (s, s->buckets[i].place);
   return true;
}

/* Returns the estimated fraction of numbers less than x. Of the numbers in the bucket of x, half
 * count as less. */
static double rank_of (const Udd *s, double x)
{
   if (!isfinite (x))
      return x < 0 ? 0 : 1;
   int64_t place = place_of (s, x);
   uint32_t at = first_from (s, place);
   double smaller = 0;
   for (uint32_t i = 0; i < at; i++)
      smaller += (double) s->buckets[i].count;
   if (at < s->count && s->buckets[at].place == place)
      smaller += (double) s->buckets[at].count / 2;
   return smaller / (double) s->tally.n;
}

static bool fn_udd_percentile (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Udd s = {0};
   double d;
   (void) n;
   if (!mt_summary_read (ev, &UDDSKETCH, a[1], &s) || !percentile (ev, &s, a[0].d, &d))
      return false;
   *out = mt_v_double (d);
   return true;
}

static bool fn_udd_percentiles (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Udd s = {0};
   (void) n;
   return mt_summary_read (ev, &UDDSKETCH, a[1], &s) &&
          mt_sketch_each (ev, a[0], &s, percentile, out);
}

static bool fn_udd_rank (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Udd s = {0};
   (void) n;
   if (!mt_summary_read (ev, &UDDSKETCH, a[1], &s))
      return false;
   *out = mt_v_double (rank_of (&s, a[0].d));
   return true;
}

typedef enum What { ERROR_OF, MEAN, NUM_VALS } What;

static bool fn_udd (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Udd s = {0};
   (void) n;
   if (!mt_summary_read (ev, &UDDSKETCH, a[0], &s))
      return false;
   switch ((What) MT_USER (ev)) {
   case ERROR_OF: *out = mt_v_double (error_of (&s)); break;
   case MEAN: *out = mt_v_double (mt_tally_mean (&s.tally)); break;
   case NUM_VALS: *out = mt_v_int64 (s.tally.n); break;
   }
   return true;
}

/* ---- rows ---- */

#define OF_FIVE "FROM (VALUES (7), (18), (-2), (5), (3)) AS t (x) => "

const MtFunc mt_fn_uddsketch[] = {
   MT_ROW ("approx_percentile", "percentile float8, sketch uddsketch -> float8", 0, NULL,
           MT_OPN ("udd_approx_percentile", udd_percentile, 0),
           "number at a fraction from 0 to 1, with the relative error of error()",
           "SELECT round(approx_percentile(0.5, percentile_agg(x))::numeric, 1) " OF_FIVE "5.0"),
   MT_ROW ("approx_percentile_array", "percentiles float8[], sketch uddsketch -> float8[]", 0, NULL,
           MT_OPN ("udd_approx_percentile_array", udd_percentiles, 0),
           "numbers at several fractions",
           "SELECT array_length(approx_percentile_array(ARRAY[0.5, 1], percentile_agg(x)), "
           "1) " OF_FIVE "2"),
   MT_ROW ("approx_percentile_rank", "value float8, sketch uddsketch -> float8", 0, NULL,
           MT_OPN ("udd_approx_percentile_rank", udd_rank, 0),
           "fraction of the numbers that are smaller, about",
           "SELECT approx_percentile_rank(10, percentile_agg(x)) " OF_FIVE "0.8"),
   MT_ROW ("error", "sketch uddsketch -> float8", 0, NULL, MT_OPN ("udd_error", udd, ERROR_OF),
           "largest relative error of approx_percentile",
           "SELECT error(uddsketch(200, 0.001, x)) " OF_FIVE "0.001"),
   MT_ROW ("mean", "sketch uddsketch -> float8", 0, NULL, MT_OPN ("udd_mean", udd, MEAN),
           "average of the numbers of uddsketch", "SELECT mean(percentile_agg(x)) " OF_FIVE "6.2"),
   MT_ROW ("num_vals", "sketch uddsketch -> int8", 0, NULL, MT_OPN ("udd_num_vals", udd, NUM_VALS),
           "how many numbers uddsketch has", "SELECT num_vals(percentile_agg(x)) " OF_FIVE "5"),
   {.name = NULL},
};

const MtAgg mt_agg_uddsketch[] = {
   MT_SUMMARY_AGG ("uddsketch", "buckets int4, max_error float8, value float8 -> uddsketch", step,
                   Udd, UDDSKETCH,
                   "sketch for approx_percentile with a relative error: at most max_error, or more "
                   "if the numbers need more buckets",
                   "SELECT num_vals(uddsketch(100, 0.01, x)) " OF_FIVE "5"),
   MT_SUMMARY_AGG ("percentile_agg", "value float8 -> uddsketch", step_default, Udd, UDDSKETCH,
                   "sketch for approx_percentile: uddsketch(200, 0.001, value)",
                   "SELECT error(percentile_agg(x)) " OF_FIVE "0.001"),
   MT_SUMMARY_ROLLUP ("uddsketch", Udd, UDDSKETCH,
                      "SELECT num_vals(rollup(s)) FROM (SELECT percentile_agg(x) AS s FROM (VALUES "
                      "(1, 1), (1, 3), (2, 8)) AS t (g, x) GROUP BY g) AS u => 3"),
   {.name = NULL},
};
