/* The accumulator $_mtSorted: all values of a group in SQL's order, or a value computed from them.
 * Its argument: {input: value or array, order: [{at, down, nulls}, …], distinct, take: "all" |
 * "continuous" | "discrete" | "mode" | "deviation", share}. `at` is the index of a sort key in the
 * array that `input` returns; -1: the value itself. "deviation" is the median absolute deviation of
 * numbers. */
#include "engine/local/group/accum_int.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <math.h>
#include <stdlib.h>

#define MAX_KEYS 16

typedef enum Take { TAKE_ALL, TAKE_CONTINUOUS, TAKE_DISCRETE, TAKE_MODE, TAKE_DEVIATION } Take;

typedef struct Key {
   int at;
   bool down, nulls_first;
} Key;

typedef struct Sorted {
   Key keys[MAX_KEYS];
   uint32_t count;
   bool distinct;
   Take take;
   double share;
   bool ranks; /* only one number at one rank is needed, so numbers need no list */
} Sorted;

/* ---- parsing ---- */

static bool read_key (MtCompile *c, MtVal v, Key *k)
{
   MtVal at = mt_doc_field (v, "at"), down = mt_doc_field (v, "down"),
         nulls = mt_doc_field (v, "nulls");
   if (at.type != MT_INT32 || at.i < -1 || down.type != MT_BOOL || nulls.type != MT_BOOL)
      return mt_bad (c, 0, "a key of $_mtSorted has 'at', 'down' and 'nulls'");
   *k = (Key) {(int) at.i, down.i, nulls.i};
   return true;
}

static bool read_take (MtCompile *c, MtVal v, Take *out)
{
   static const char *const names[] = {[TAKE_ALL] = "all",
                                       [TAKE_CONTINUOUS] = "continuous",
                                       [TAKE_DISCRETE] = "discrete",
                                       [TAKE_MODE] = "mode",
                                       [TAKE_DEVIATION] = "deviation"};
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_v_is_text (v, names[i])) {
         *out = (Take) i;
         return true;
      }
   return mt_bad (c, 0,
                  "'take' of $_mtSorted must be \"all\", \"continuous\", \"discrete\", \"mode\" or "
                  "\"deviation\"");
}

bool mt_sorted_parse (MtCompile *c, MtAcc *a, MtVal spec)
{
   Sorted *s = MT_NEW (c->arena, Sorted);
   MtVal input = mt_doc_field (spec, "input"), order = mt_doc_field (spec, "order"),
         distinct = mt_doc_field (spec, "distinct"), share = mt_doc_field (spec, "share"), v;
   MtDocIter it = mt_doc_iter (order);
   MtStr key;
   if (spec.type != MT_DOC || input.type == MT_MISSING || mt_doc_count (order) > MAX_KEYS)
      return mt_bad (c, 0,
                     "the $_mtSorted accumulator needs 'input', and 'order' with at most %d keys",
                     MAX_KEYS);
   while (mt_doc_next (&it, &key, &v))
      if (!read_key (c, v, &s->keys[s->count++]))
         return false;
   s->distinct = distinct.type == MT_BOOL && distinct.i;
   s->share = share.type == MT_DOUBLE ? share.d : 0;
   if (!read_take (c, mt_doc_field (spec, "take"), &s->take))
      return false;
   s->ranks = s->count == 1 && s->keys[0].at < 0 && !s->distinct &&
              (s->take == TAKE_CONTINUOUS || s->take == TAKE_DISCRETE);
   a->extra = s;
   a->any_order = s->take != TAKE_ALL;
   return (a->arg = mt_expr_parse (c, input)) != NULL;
}

/* ---- SQL's order ---- */

static bool is_nan (MtVal v)
{
   return (v.type == MT_DOUBLE || v.type == MT_DECIMAL) &&
          isnan (v.type == MT_DOUBLE ? v.d : mt_acc_decimal_double (v));
}

static int compare_values (MtVal x, MtVal y)
{
   if (x.type == MT_DOUBLE && y.type == MT_DOUBLE && !isnan (x.d) && !isnan (y.d))
      return (x.d > y.d) - (x.d < y.d);
   bool nx = is_nan (x), ny = is_nan (y);
   return nx || ny ? nx - ny : mt_x_compare (x, y);
}

static int compare_rows (const void *p, const void *q, void *ctx)
{
   const Sorted *s = ctx;
   const MtVal *x = p, *y = q;
   for (uint32_t i = 0; i < s->count; i++) {
      const Key *k = &s->keys[i];
      MtVal a = k->at < 0 ? *x : mt_doc_at (*x, (size_t) k->at),
            b = k->at < 0 ? *y : mt_doc_at (*y, (size_t) k->at);
      int sign = (int) mt_is_nullish (b) - (int) mt_is_nullish (a);
      if (sign)
         return k->nulls_first ? sign : -sign;
      sign = mt_is_nullish (a) ? 0 : compare_values (a, b) * (k->down ? -1 : 1);
      if (sign)
         return sign;
   }
   return 0;
}

/* At least this many values are sorted with checks for cancel; fewer are sorted without. */
#define POLLED_FROM 4096

/* Merges the two sorted halves of v, the first of which has `half` values. room: memory for n
 * values. Returns false if the statement was cancelled; then v is undefined. */
static bool merge_halves (MtVal *v, size_t half, size_t n, MtVal *room, const Sorted *s, MtWork *w)
{
   size_t i = 0, j = half, k = 0;
   if (half == 0 || compare_rows (&v[half - 1], &v[half], (void *) s) <= 0)
      return true;
   memcpy (room, v, half * sizeof *v);
   while (i < half && j < n) {
      v[k++] = compare_rows (&v[j], &room[i], (void *) s) < 0 ? v[j++] : room[i++];
      if (k % POLLED_FROM == 0 && !mt_x_poll (w))
         return false;
   }
   memcpy (v + k, room + i, (half - i) * sizeof *v);
   return true;
}

/* Sorts n values by merge sort; equal values keep their order. The recursion depth is the logarithm
 * of n. Returns false if the statement was cancelled. */
static bool stable_sort (MtVal *v, size_t n, MtVal *room, const Sorted *s, MtWork *w)
{
   if (n < 2)
      return true;
   if ((n > POLLED_FROM && !mt_x_poll (w)) || !stable_sort (v, n / 2, room, s, w) ||
       !stable_sort (v + n / 2, n - n / 2, room, s, w))
      return false;
   return merge_halves (v, n / 2, n, room, s, w);
}

/* ---- adding values, and the results ---- */

/* Checks that the list of one group fits into memory, where it is sorted. (The groups together may
 * be on disk.) Fails with 53200 if it does not. */
static bool fits (const MtSortedState *st, MtWork *w)
{
   return mt_acc_fits (st->list.n * sizeof *st->list.v, w);
}

/* Returns the common type under which value v can be stored as a 64-bit key. MT_LISTED: it can't,
 * so the values must be in a list. */
static uint8_t key_type (MtVal v)
{
   switch (v.type) {
   case MT_INT32: return MT_INT64;
   case MT_INT64:
   case MT_DOUBLE:
   case MT_DATE: return v.type;
   default: return MT_LISTED;
   }
}

static uint64_t key_of (MtVal v)
{
   return v.type == MT_DOUBLE ? mt_key_of_double (v.d) : (uint64_t) v.i ^ 1ull << 63;
}

static MtVal of_key (uint8_t type, uint64_t key)
{
   if (type == MT_DOUBLE)
      return mt_v_double (mt_double_of_key (key));
   int64_t i = (int64_t) (key ^ 1ull << 63);
   return type == MT_DATE ? mt_v_date (i) : mt_v_int64 (i);
}

typedef struct Listing {
   const MtAcc *a;
   MtGroupTable *t;
   MtAccList *to;
   uint8_t type;
   MtWork *w;
} Listing;

static bool list_run (void *ctx, const uint64_t *keys, uint32_t n)
{
   Listing *l = ctx;
   for (uint32_t i = 0; i < n; i++)
      if (!mt_list_add (l->a, l->t, l->to, of_key (l->type, keys[i]), l->w))
         return false;
   return mt_tick (l->w);
}

/* Appends all values of `from` to the list `to`, which may be the list of another or the same
 * state. */
static bool list_all (const MtAcc *a, MtGroupTable *t, MtAccList *to, const MtSortedState *from,
                      MtWork *w)
{
   Listing l = {a, t, to, from->type, w};
   return from->type == MT_LISTED ? mt_list_merge (a, t, to, &from->list, w)
                                  : mt_numbers_each (&from->numbers, list_run, &l);
}

/* Converts the keys to a list of values, because a new value can't be stored as a key of the same
 * type. */
static bool make_list (const MtAcc *a, MtGroupTable *t, MtSortedState *st, MtWork *w)
{
   if (!list_all (a, t, &st->list, st, w))
      return false;
   st->numbers = (MtNumbers) {0};
   st->type = MT_LISTED;
   return true;
}

bool mt_sorted_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   MtSortedState *st = state;
   const Sorted *s = a->extra;
   if (mt_is_nullish (v))
      return true;
   uint8_t type = s->ranks ? key_type (v) : MT_LISTED;
   if (!st->type)
      st->type = type;
   if (st->type == type && type != MT_LISTED)
      return mt_numbers_add (t, &st->numbers, key_of (v), w);
   return (st->type == MT_LISTED || make_list (a, t, st, w)) &&
          mt_list_add (a, t, &st->list, v, w) && fits (st, w);
}

bool mt_sorted_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   MtSortedState *st = into;
   const MtSortedState *f = from;
   if (!f->type)
      return true;
   if (!st->type)
      st->type = f->type;
   if (st->type == f->type && f->type != MT_LISTED)
      return mt_numbers_join (t, &st->numbers, &f->numbers, w);
   return (st->type == MT_LISTED || make_list (a, t, st, w)) && list_all (a, t, &st->list, f, w) &&
          fits (st, w);
}

bool mt_sorted_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const MtSortedState *st = state;
   mt_bson_bytes (b, &st->type, sizeof st->type);
   mt_numbers_save (&st->numbers, b);
   return mt_list_save (a, &st->list, w, b);
}

bool mt_sorted_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                     const uint8_t *end, MtWork *w)
{
   MtSortedState *st = state;
   if ((size_t) (end - *p) < sizeof st->type)
      return false;
   memcpy (&st->type, *p, sizeof st->type);
   *p += sizeof st->type;
   return mt_numbers_load (t, &st->numbers, p, end, w) && mt_list_load (a, t, &st->list, p, end, w);
}

static size_t without_repeats (MtVal *v, size_t n, const Sorted *s)
{
   size_t k = 0;
   for (size_t i = 0; i < n; i++)
      if (k == 0 || compare_rows (&v[k - 1], &v[i], (void *) s) != 0)
         v[k++] = v[i];
   return k;
}

/* Returns the most frequent of n sorted values. If several are equally frequent, returns the first
 * one. */
static MtVal most_frequent (const MtVal *v, size_t n, const Sorted *s)
{
   size_t best = 0, best_count = 0, first = 0;
   for (size_t i = 1; i <= n; i++)
      if (i == n || compare_rows (&v[first], &v[i], (void *) s) != 0) {
         if (i - first > best_count) {
            best = first;
            best_count = i - first;
         }
         first = i;
      }
   return v[best];
}

/* Makes *out the array [before, behind, share]: the values on both sides of a percentile's
 * position, and how far (0 to 1) it is from the first to the second. */
static bool neighbours (MtVal before, MtVal behind, double share, MtWork *w, MtVal *out)
{
   MtVal list[3] = {before, behind, mt_v_double (share)};
   return mt_v_make_array (w->arena, list, 3, out, &w->err);
}

static bool number_at (const MtSortedState *st, const Sorted *s, MtWork *w, MtVal *out)
{
   uint64_t n = st->numbers.n, before, behind;
   bool down = s->keys[0].down, continuous = s->take == TAKE_CONTINUOUS;
   MtPercentilePlace at = mt_op_percentile_place (n, s->share, continuous);
   /* In descending order, the next number is the previous one of the ascending order. The last
    * number has no next one. */
   bool last = at.rank + 1 == n;
   uint64_t rank = at.rank;
   if (down)
      rank = last ? 0 : n - 2 - at.rank;
   if (!mt_numbers_at (&st->numbers, rank, w, &before, &behind))
      return false;
   MtVal low = of_key (st->type, before), high = of_key (st->type, last ? before : behind);
   MtVal first = down ? high : low, second = down ? low : high;
   if (continuous)
      return neighbours (first, second, at.share, w, out);
   *out = first;
   return true;
}

/* ---- the median absolute deviation ---- */

static double number_of (MtVal v)
{
   if (v.type == MT_DOUBLE)
      return v.d;
   return v.type == MT_DECIMAL ? mt_acc_decimal_double (v) : (double) v.i;
}

/* Returns the mean of two neighbouring numbers. It also works for equal infinities. */
static double middle (double low, double high)
{
   return low == high ? low : low + (high - low) / 2;
}

/* Returns the deviation with the rank `want` (from 0), that is, the distance of a value from the
 * median. v is sorted. So the smallest deviations are in its middle, and the next larger one is
 * always on one of both sides. */
static double deviation_at (const MtVal *v, size_t n, double median, size_t want)
{
   size_t high = n / 2, low = high;
   double last = 0;
   for (size_t i = 0; i <= want; i++) {
      double up = high < n ? fabs (number_of (v[high]) - median) : INFINITY,
             down = low > 0 ? fabs (number_of (v[low - 1]) - median) : INFINITY;
      bool below = low > 0 && (high == n || down < up || isnan (up));
      last = below ? down : up;
      low -= below;
      high += !below;
   }
   return last;
}

static double deviation (const MtVal *v, size_t n)
{
   size_t half = (n - 1) / 2;
   double median = middle (number_of (v[half]), number_of (v[n / 2]));
   double low = deviation_at (v, n, median, half);
   return n % 2 ? low : middle (low, deviation_at (v, n, median, half + 1));
}

bool mt_sorted_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtSortedState *st = state;
   const MtAccList *l = &st->list;
   const Sorted *s = a->extra;
   size_t n = l->n;
   *out = mt_v_null ();
   if (st->numbers.n)
      return number_at (st, s, w, out);
   if (n == 0)
      return true;
   MtVal *room = s->count ? MT_TRY_NEW_N (w->arena, MtVal, n / 2 + 1) : NULL;
   if (s->count && (!room ? !mt_memory_check (&w->err) : !stable_sort (l->v, n, room, s, w)))
      return false;
   if (s->distinct)
      n = without_repeats (l->v, n, s);
   MtPercentilePlace at = mt_op_percentile_place (n, s->share, s->take == TAKE_CONTINUOUS);
   switch (s->take) {
   case TAKE_ALL:
      return mt_v_make_long_array (w->arena, l->v, n, w->exec->args.cancel, out, &w->err);
   case TAKE_CONTINUOUS:
      return neighbours (l->v[at.rank], l->v[at.rank + 1 < n ? at.rank + 1 : at.rank], at.share, w,
                         out);
   case TAKE_DISCRETE: *out = l->v[at.rank]; return true;
   case TAKE_MODE: *out = most_frequent (l->v, n, s); return true;
   case TAKE_DEVIATION: *out = mt_v_double (deviation (l->v, n)); return true;
   }
   return true;
}
