/* tdigest: estimates percentiles with a limited error of the rank, which is smaller near both ends.
 *
 * Numbers are kept with their counts as long as they are few. Then neighbours are merged into
 * centroids (a mean and a count). A function k (q) maps a fraction q of the numbers to a scale from
 * 0 to the number of centroids. Neighbours are merged as long as their centroid has a width of at
 * most 1 on that scale. So a wider centroid with several numbers is a single number that occurs
 * often. Source: T. Dunning, O. Ertl, "Computing Extremely Accurate Quantiles Using t-Digests"
 * (2019); k is TimescaleDB's.
 *
 * As long as a group has at most FINE * buckets different numbers, its state depends only on them,
 * not on their order or on merges of states. With more numbers, the order decides which neighbours
 * are merged. */
#include "functions/timeseries/sketch.h"

#include "functions/core/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINE 16         /* kept for each bucket before the state is written */
#define ROOM (2 * FINE) /* kept for each bucket before centroids are joined */

typedef struct Centroid {
   double mean;
   int64_t n;
} Centroid;

typedef struct Digest {
   int32_t most; /* centroids of a state that is written; 0: no rows yet */
   MtTally tally;
   double min, max;
   Centroid *list; /* in any order; in order if the state was written */
   uint32_t count, cap;
} Digest;

/* ---- centroids ---- */

static int by_mean (const void *x, const void *y)
{
   double a = ((const Centroid *) x)->mean, b = ((const Centroid *) y)->mean;
   return (a > b) - (a < b);
}

/* Sorts the centroids, and merges those with equal means. Returns the new number. */
static uint32_t sort (Centroid *list, uint32_t count)
{
   uint32_t n = 0;
   qsort (list, count, sizeof *list, by_mean);
   for (uint32_t i = 0; i < count; i++)
      if (n && list[n - 1].mean == list[i].mean)
         list[n - 1].n += list[i].n;
      else
         list[n++] = list[i];
   return n;
}

/* Returns k (n / all), the place of n numbers out of `all` on the scale from 0 to `size`. */
static double place (int64_t n, int64_t all, double size)
{
   double q = (double) n / (double) all;
   return q < 0.5 ? size * sqrt (q / 2) : size * (1 - sqrt ((1 - q) / 2));
}

/* Merges two centroids, where a is not greater than b. The mean is kept between theirs despite
 * rounding. */
static Centroid joined (Centroid a, Centroid b)
{
   double n = (double) a.n + (double) b.n,
          mean = a.mean * ((double) a.n / n) + b.mean * ((double) b.n / n);
   return (Centroid) {fmin (fmax (mean, a.mean), b.mean), a.n + b.n};
}

/* Merges neighbours of a sorted list, and writes the resulting centroids to `out`. Returns their
 * number. `all` is the number of all numbers. */
static uint32_t join (const Centroid *list, uint32_t count, int64_t all, double size, Centroid *out)
{
   uint32_t n = 0;
   int64_t end = list[0].n;
   double start = 0;
   Centroid now = list[0];
   for (uint32_t i = 1; i < count; i++) {
      Centroid next = list[i];
      if (place (end + next.n, all, size) - start <= 1)
         now = joined (now, next);
      else {
         out[n++] = now;
         now = next;
         start = place (end, all, size);
      }
      end += next.n;
   }
   out[n++] = now;
   return n;
}

/* Reduces a sorted list to at most `most` centroids. Begins with the scale `size`, and makes it
 * smaller until they are few enough. Returns their number. */
static uint32_t reduce (MtArena *scratch, Centroid *list, uint32_t count, int64_t all,
                        uint32_t most, double size)
{
   if (count <= most)
      return count;
   Centroid *out = MT_NEW_N (scratch, Centroid, count);
   uint32_t n = join (list, count, all, size, out);
   while (n > most) {
      size *= fmin (0.99, (double) most / n);
      n = join (list, count, all, size, out);
   }
   memcpy (list, out, n * sizeof *out);
   return n;
}

/* Reduces the list, to make room for more numbers. Any two neighbours together are wider than 1, so
 * the first scale gives few enough centroids. */
static void compact (Digest *s)
{
   MtArena *scratch = mt_arena_new ("tdigest", NULL);
   int64_t all = 0;
   s->count = sort (s->list, s->count);
   for (uint32_t i = 0; i < s->count; i++)
      all += s->list[i].n;
   s->count = reduce (scratch, s->list, s->count, all, (uint32_t) s->most * FINE,
                      s->most * FINE / 2.0);
   mt_arena_free (scratch);
}

static void push (MtEval *ev, Digest *s, Centroid c)
{
   if (s->count == (uint32_t) s->most * ROOM)
      compact (s);
   MT_GROW_IN (ev->arena, s->list, s->count, s->cap, 16);
   s->list[s->count++] = c;
}

/* ---- the state ---- */

static bool merge (MtEval *ev, void *into, const void *from)
{
   Digest *s = into;
   const Digest *f = from;
   if (!f->most)
      return true;
   if (!s->most)
      *s = (Digest) {.most = f->most, .min = f->min, .max = f->max};
   if (s->most != f->most)
      return mt_sketch_differ ("tdigest", ev->err);
   if (!mt_tally_add (&s->tally, &f->tally, ev->err))
      return false;
   s->min = fmin (s->min, f->min);
   s->max = fmax (s->max, f->max);
   for (uint32_t i = 0; i < f->count; i++)
      push (ev, s, f->list[i]);
   return true;
}

/* Writes a state with at most s->most * share centroids. */
static bool write_some (MtEval *ev, const Digest *s, uint32_t share, MtBson *b)
{
   Centroid *list = MT_NEW_N (ev->arena, Centroid, (size_t) s->count + 1);
   if (s->count)
      memcpy (list, s->list, s->count * sizeof *list);
   uint32_t n = sort (list, s->count);
   n = reduce (ev->arena, list, n, s->tally.n, (uint32_t) s->most * share, s->most * share);
   mt_bson_put (b, "buckets", mt_v_int32 (s->most));
   mt_tally_write (&s->tally, b);
   mt_bson_put (b, "min", mt_v_double (s->min));
   mt_bson_put (b, "max", mt_v_double (s->max));
   size_t at = mt_bson_array (b, "centroids");
   for (uint32_t i = 0; i < n; i++) {
      mt_bson_put_at (b, 2 * i, mt_v_double (list[i].mean));
      mt_bson_put_at (b, 2 * i + 1, mt_v_int (list[i].n));
   }
   mt_bson_end (b, at);
   return s->most > 0;
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   return write_some (ev, state, 1, b);
}

/* Writes a state to a temporary file, with as many centroids as in memory. */
static bool write_all (MtEval *ev, const void *state, MtBson *b)
{
   return write_some (ev, state, ROOM, b);
}

static bool read_centroid (MtSummaryReader *r, MtSummaryList *l, Digest *s, int64_t *left)
{
   Centroid c = {mt_list_double (r, l), mt_list_int (r, l)};
   double least = s->count ? s->list[s->count - 1].mean : s->min;
   if (!r->ok || s->count == s->cap || !(c.mean >= least && c.mean <= s->max) || c.n <= 0 ||
       c.n > *left)
      return false;
   s->list[s->count++] = c;
   *left -= c.n;
   return true;
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Digest *s = state;
   int64_t most = mt_read_int (r, "buckets");
   MtSummaryList l = mt_read_list (r, "centroids");
   mt_tally_read (r, &s->tally);
   s->min = mt_read_double (r, "min");
   s->max = mt_read_double (r, "max");
   size_t count = mt_list_count (&l) / 2;
   r->ok = r->ok && most >= 1 && most <= MT_SKETCH_MAX_BUCKETS && isfinite (s->min) &&
           isfinite (s->max) && s->min <= s->max && count <= (size_t) most * ROOM;
   if (!r->ok)
      return;
   int64_t left = s->tally.n;
   s->most = (int32_t) most;
   s->cap = (uint32_t) count;
   s->list = MT_NEW_N (ev->arena, Centroid, count + 1);
   while (r->ok && mt_list_more (&l))
      r->ok = read_centroid (r, &l, s, &left);
   r->ok = r->ok && left == 0;
}

static const MtStateKind TDIGEST = {MT_T_TDIGEST, sizeof (Digest), merge, write_state, read_state},
                         WHOLE = {MT_T_TDIGEST, sizeof (Digest), merge, write_all, read_state};

static bool save (MtEval *ev, const void *state, MtVal *out)
{
   return mt_summary_write (ev, &WHOLE, state, out);
}

static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Digest *s = state;
   double x = args[1].d + 0; /* -0 becomes 0 */
   (void) argc;
   if (s->most && s->most != args[0].i)
      return mt_sketch_differ ("tdigest", ev->err);
   if (!mt_sketch_buckets (args[0].i, 1, MT_SKETCH_MAX_BUCKETS, ev->err) ||
       !mt_sketch_number (x, "tdigest", ev->err) ||
       !mt_tally_add (&s->tally, &(MtTally) {1, {x, 0}}, ev->err))
      return false;
   s->min = s->most ? fmin (s->min, x) : x;
   s->max = s->most ? fmax (s->max, x) : x;
   s->most = (int32_t) args[0].i;
   push (ev, s, (Centroid) {x, 1});
   return true;
}

/* ---- accessors ---- */

/* The line that maps ranks to numbers. A centroid is a point in the middle of its ranks. A centroid
 * that is one frequent number is a horizontal part of the line. */
typedef struct Line {
   double *rank, *number;
   size_t n;
} Line;

static void add_point (Line *l, double rank, double number)
{
   l->rank[l->n] = rank;
   l->number[l->n++] = number;
}

static Line line_of (MtArena *a, const Digest *s)
{
   Line l = {MT_NEW_N (a, double, 2 * (size_t) s->count + 2),
             MT_NEW_N (a, double, 2 * (size_t) s->count + 2), 0};
   int64_t before = 0, all = s->tally.n;
   if (s->min < s->list[0].mean)
      add_point (&l, 0, s->min);
   for (uint32_t i = 0; i < s->count; i++) {
      Centroid c = s->list[i];
      double start = (double) before, n = (double) c.n;
      before += c.n;
      if (c.n > 1 && place (before, all, s->most) - place (before - c.n, all, s->most) > 1) {
         add_point (&l, start, c.mean);
         add_point (&l, start + n, c.mean);
      } else
         add_point (&l, start + n / 2, c.mean);
   }
   if (s->max > s->list[s->count - 1].mean)
      add_point (&l, (double) all, s->max);
   return l;
}

/* Returns y at x = `at` on the line through n points, whose x and y don't decrease. If several
 * points have that x, returns the middle of their y. */
static double along (const double *x, const double *y, size_t n, double at)
{
   size_t lo = 0, hi = n;
   while (lo < n && x[lo] < at)
      lo++;
   while (hi > lo && x[hi - 1] > at)
      hi--;
   if (lo < hi)
      return y[lo] / 2 + y[hi - 1] / 2;
   if (lo == 0 || lo == n)
      return y[lo ? n - 1 : 0];
   double share = (at - x[lo - 1]) / (x[lo] - x[lo - 1]);
   if (!isfinite (x[lo] - x[lo - 1]))
      share = (at / 2 - x[lo - 1] / 2) / (x[lo] / 2 - x[lo - 1] / 2);
   return fmin (fmax (y[lo - 1] * (1 - share) + y[lo] * share, y[lo - 1]), y[lo]);
}

static bool percentile (MtEval *ev, const void *sketch, double fraction, double *out)
{
   const Digest *s = sketch;
   if (!mt_check_fraction (fraction, ev->err))
      return false;
   Line l = line_of (ev->arena, s);
   *out = along (l.rank, l.number, l.n, fraction * (double) s->tally.n);
   if (fraction == 0 || fraction == 1)
      *out = fraction == 0 ? s->min : s->max;
   return true;
}

static double rank_of (MtEval *ev, const Digest *s, double x)
{
   if (x < s->min)
      return 0;
   if (!(x <= s->max))
      return 1;
   Line l = line_of (ev->arena, s);
   return along (l.number, l.rank, l.n, x) / (double) s->tally.n;
}

static bool fn_td_percentile (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Digest s = {0};
   double d;
   (void) n;
   if (!mt_summary_read (ev, &TDIGEST, a[1], &s) || !percentile (ev, &s, a[0].d, &d))
      return false;
   *out = mt_v_double (d);
   return true;
}

static bool fn_td_percentiles (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Digest s = {0};
   (void) n;
   return mt_summary_read (ev, &TDIGEST, a[1], &s) &&
          mt_sketch_each (ev, a[0], &s, percentile, out);
}

static bool fn_td_rank (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Digest s = {0};
   (void) n;
   if (!mt_summary_read (ev, &TDIGEST, a[1], &s))
      return false;
   *out = mt_v_double (rank_of (ev, &s, a[0].d));
   return true;
}

typedef enum What { MIN_VAL, MAX_VAL, MEAN, NUM_VALS } What;

static bool fn_td (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Digest s = {0};
   (void) n;
   if (!mt_summary_read (ev, &TDIGEST, a[0], &s))
      return false;
   switch ((What) MT_USER (ev)) {
   case MIN_VAL: *out = mt_v_double (s.min); break;
   case MAX_VAL: *out = mt_v_double (s.max); break;
   case MEAN: *out = mt_v_double (mt_tally_mean (&s.tally)); break;
   case NUM_VALS: *out = mt_v_int64 (s.tally.n); break;
   }
   return true;
}

/* ---- rows ---- */

#define OF_FIVE "FROM (VALUES (7), (18), (-2), (5), (3)) AS t (x) => "
#define ONE(name_, what_, ret_, doc_, r_) \
   MT_ROW (name_, "digest tdigest -> " ret_, 0, NULL, MT_OPN ("td_" name_, td, what_), doc_, \
           "SELECT " name_ "(tdigest(100, x)) " OF_FIVE r_)

const MtFunc mt_fn_tdigest[] = {
   MT_ROW ("approx_percentile", "percentile float8, digest tdigest -> float8", 0, NULL,
           MT_OPN ("td_approx_percentile", td_percentile, 0),
           "number at a fraction from 0 to 1, with an error of the rank",
           "SELECT approx_percentile(0.5, tdigest(100, x)) " OF_FIVE "5"),
   MT_ROW ("approx_percentile_array", "percentiles float8[], digest tdigest -> float8[]", 0, NULL,
           MT_OPN ("td_approx_percentile_array", td_percentiles, 0), "numbers at several fractions",
           "SELECT approx_percentile_array(ARRAY[0.5, 1], tdigest(100, x)) " OF_FIVE "{5,18}"),
   MT_ROW ("approx_percentile_rank", "value float8, digest tdigest -> float8", 0, NULL,
           MT_OPN ("td_approx_percentile_rank", td_rank, 0),
           "fraction of the numbers that are smaller, about",
           "SELECT approx_percentile_rank(5, tdigest(100, x)) " OF_FIVE "0.5"),
   ONE ("min_val", MIN_VAL, "float8", "smallest number of tdigest", "-2"),
   ONE ("max_val", MAX_VAL, "float8", "largest number of tdigest", "18"),
   ONE ("mean", MEAN, "float8", "average of the numbers of tdigest", "6.2"),
   ONE ("num_vals", NUM_VALS, "int8", "how many numbers tdigest has", "5"),
   {.name = NULL},
};

#define STATE(step_, joins_) \
   &(const MtAggState) \
   { \
      .size = sizeof (Digest), .step = step_, .merge = mt_summary_merge, .final = mt_summary_save, \
      .save = save, .load = mt_summary_load, .joins = joins_, \
      .user = (void *) (uintptr_t) &TDIGEST \
   }

const MtAgg mt_agg_tdigest[] = {
   {.name = "tdigest",
    .signature = "buckets int4, value float8 -> tdigest",
    .summary = "sketch of at most so many centroids for approx_percentile",
    .example = "SELECT num_vals(tdigest(100, x)) " OF_FIVE "5",
    .state = STATE (step, false)},
   {.name = "rollup",
    .signature = "state tdigest -> tdigest",
    .summary = "one state of the rows of all states",
    .example = "SELECT max_val(rollup(s)) FROM (SELECT tdigest(100, x) AS s FROM (VALUES (1, 1), "
               "(1, 3), (2, 8)) AS t (g, x) GROUP BY g) AS u => 8",
    .state = STATE (mt_summary_rollup, true)},
   {.name = NULL},
};
