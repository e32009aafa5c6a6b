/* The functions that compute results from states of state_agg. */
#include "functions/timeseries/timeline.h"

#include "functions/core/rows.h"

#include <stdlib.h>

/* ---- reading ---- */

static bool read_timeline (MtEval *ev, MtVal v, bool ints, MtTimeline *t)
{
   return mt_timeline_read (ev, &mt_timeline_kind, v, ints, t);
}

/* Returns the end of the period that begins at point i. */
static int64_t end_of (const MtTimeline *t, size_t i)
{
   return i + 1 < t->n ? t->points[i + 1].time : mt_timeline_end (t);
}

/* Extends a timeline to the period from `start` to `end`: its last value continues until `end`, and
 * the last value of the preceding state `prev` (null: none) holds from `start` on. */
static bool extend (MtEval *ev, MtTimeline *t, MtVal prev, MtMoment start, MtMoment end)
{
   MtTimeline p = {0};
   MtStatePoint *first = t->points;
   if (end.ms > mt_timeline_end (t))
      t->parts[0].end = end.ms;
   if (mt_is_nullish (prev))
      return true;
   if (!read_timeline (ev, prev, t->ints, &p))
      return false;
   if (start.ms >= first->time)
      return true;
   MtStatePoint last = p.points[p.n - 1];
   last.time = start.ms;
   if (mt_same_state (t->ints, &last, first))
      first->time = start.ms;
   else {
      memmove (first + 1, first, t->n++ * sizeof *first);
      *first = last;
   }
   return true;
}

/* Reads the arguments (state, start, interval, preceding state, time zone) of a function that
 * interpolates. `within` becomes the period from start to start + interval. */
static bool read_interpolated (MtEval *ev, bool ints, MtVal agg, const MtVal *a, MtTimeline *t,
                               MtMoment within[2])
{
   if (mt_is_nullish (agg))
      return mt_timeline_refuse_null (ev);
   within[0] = mt_v_moment (a[0]);
   return mt_range_time (ev, a[0]) && mt_range_end (ev, a[0], a[1], a[3], &within[1]) &&
          read_timeline (ev, agg, ints, t) && extend (ev, t, a[2], within[0], within[1]);
}

/* ---- durations ---- */

/* Sets *out to how long the value `state` lasted within a period. `within` NULL: at all times. */
static bool duration_of (MtEval *ev, const MtTimeline *t, MtVal state, const MtMoment within[2],
                         MtVal *out)
{
   MtStatePoint wanted = mt_state_point (0, state);
   MtMoment sum = mt_moment (0);
   for (size_t i = 0; i < t->n; i++) {
      MtMoment from = mt_moment (t->points[i].time), to = mt_moment (end_of (t, i));
      if (!mt_same_state (t->ints, &t->points[i], &wanted))
         continue;
      if (within && mt_moment_compare (within[0], from) > 0)
         from = within[0];
      if (within && mt_moment_compare (within[1], to) < 0)
         to = within[1];
      if (mt_moment_compare (from, to) < 0) {
         sum.ms += to.ms - from.ms;
         sum.us += to.us - from.us;
      }
   }
   return mt_range_length (ev, mt_moment (0), sum, out);
}

/* Computes duration_in. Arguments: state, value [, start, interval, time zone]. MT_USER (ev): the
 * values are bigint. */
static bool fn_duration_in (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   MtMoment within[2] = {{0, 0}, mt_moment (MT_TS_INFINITY)};
   *out = mt_v_null ();
   if (mt_is_nullish (a[1]) || (n > 2 && mt_is_nullish (a[2])))
      return true;
   if (n > 2)
      within[0] = mt_v_moment (a[2]);
   if (n > 3 && !mt_is_nullish (a[3]) && !mt_range_end (ev, a[2], a[3], a[4], &within[1]))
      return false;
   if (mt_is_nullish (a[0]))
      return mt_range_interval (ev, 0, out);
   return read_timeline (ev, a[0], MT_USER (ev), &t) &&
          duration_of (ev, &t, a[1], n > 2 ? within : NULL, out);
}

/* Computes interpolated_duration_in. Arguments: state, value, start, interval, preceding state,
 * time zone. */
static bool fn_interpolated_duration (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0}, prev = {0};
   MtMoment within[2];
   *out = mt_v_null ();
   (void) n;
   if (mt_is_nullish (a[1]) || mt_is_nullish (a[2]) || mt_is_nullish (a[3]))
      return true;
   if (!mt_is_nullish (a[4]) &&
       !(read_timeline (ev, a[4], MT_USER (ev), &prev) && mt_timeline_follows (ev, a[2], &prev)))
      return false;
   return read_interpolated (ev, MT_USER (ev), a[0], a + 2, &t, within) &&
          duration_of (ev, &t, a[1], within, out);
}

/* Computes state_at, the value at a time. Arguments: state, time. */
static bool fn_state_at (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   MtMoment at = mt_v_moment (a[1]);
   (void) n;
   if (!read_timeline (ev, a[0], MT_USER (ev), &t))
      return false;
   size_t i = t.n;
   while (i && mt_moment_compare (mt_moment (t.points[i - 1].time), at) > 0)
      i--;
   *out = i ? mt_state_of_point (t.ints, &t.points[i - 1]) : mt_v_null ();
   return true;
}

/* ---- sets ---- */

static const MtStr TIMELINE[] = {{"state", 5}, {"start_time", 10}, {"end_time", 8}},
                   VALUES[] = {{"state", 5}, {"duration", 8}};

/* Sets *out to the rows (value, start, end) of all periods. If `state` isn't MT_MISSING, only to
 * the rows (start, end) of periods with that value. */
static bool periods (MtEval *ev, const MtTimeline *t, MtVal state, MtVal *out)
{
   bool all = state.type == MT_MISSING;
   MtStatePoint wanted = mt_state_point (0, state);
   MtRangeRows rows = {ev, TIMELINE + !all, all ? 3 : 2, {0}};
   for (size_t i = 0; i < t->n; i++) {
      const MtStatePoint *p = &t->points[i];
      MtVal row[] = {mt_state_of_point (t->ints, p), mt_v_date (p->time),
                     mt_v_date (end_of (t, i))};
      if ((all || mt_same_state (t->ints, p, &wanted)) && !mt_range_add (&rows, row + !all))
         return false;
   }
   return mt_range_finish (&rows, out);
}

/* Computes state_timeline and state_periods. Arguments: state [, value]. */
static bool fn_timeline (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   return read_timeline (ev, a[0], MT_USER (ev), &t) &&
          periods (ev, &t, n > 1 ? a[1] : mt_v_missing (), out);
}

/* Computes interpolated_state_timeline and interpolated_state_periods. Arguments: state [, value],
 * start, interval, preceding state, time zone. */
static bool fn_interpolated_timeline (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   MtMoment within[2];
   int rest = n - 4;
   *out = mt_v_null ();
   for (int i = 1; i < rest + 2; i++)
      if (mt_is_nullish (a[i]))
         return true;
   return read_interpolated (ev, MT_USER (ev), a[0], a + rest, &t, within) &&
          periods (ev, &t, rest > 1 ? a[1] : mt_v_missing (), out);
}

/* How long a value lasted in all, and the number of its first point. */
typedef struct Sum {
   MtVal state;
   size_t first;
   int64_t ms;
} Sum;

static int by_state (const void *a, const void *b)
{
   const Sum *x = a, *y = b;
   int c = mt_v_compare (x->state, y->state);
   return c ? c : (x->first > y->first) - (x->first < y->first);
}

static int by_first (const void *a, const void *b)
{
   const Sum *x = a, *y = b;
   return (x->first > y->first) - (x->first < y->first);
}

/* Returns an array of the different values with their durations, in the order of their first
 * points; *n is their number. */
static Sum *sums_of (MtEval *ev, const MtTimeline *t, size_t *n)
{
   Sum *sums = MT_TRY_NEW_N (ev->arena, Sum, t->n);
   size_t count = 0;
   *n = 0;
   for (size_t i = 0; sums && i < t->n; i++)
      sums[i] = (Sum) {mt_state_of_point (t->ints, &t->points[i]), i,
                       end_of (t, i) - t->points[i].time};
   if (!sums)
      return NULL;
   qsort (sums, t->n, sizeof *sums, by_state);
   for (size_t i = 1; i < t->n; i++)
      if (mt_v_compare (sums[i].state, sums[count].state) == 0)
         sums[count].ms += sums[i].ms;
      else
         sums[++count] = sums[i];
   *n = count + 1;
   qsort (sums, *n, sizeof *sums, by_first);
   return sums;
}

/* Computes into_values. The argument is a state. */
static bool fn_values (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   MtRangeRows rows = {ev, VALUES, 2, {0}};
   size_t count;
   (void) n;
   if (!read_timeline (ev, a[0], MT_USER (ev), &t))
      return false;
   const Sum *sums = sums_of (ev, &t, &count);
   for (size_t i = 0; i < count; i++) {
      MtVal row[] = {sums[i].state, mt_v_null ()};
      if (!mt_range_interval (ev, sums[i].ms, &row[1]) || !mt_range_add (&rows, row))
         return false;
   }
   return mt_range_finish (&rows, out);
}

/* ---- rows ---- */

static const char *const TO_THE_END[] = {NULL, NULL, NULL, "NULL", NULL};

#define T0 "2020-01-01 00:00:00+00"
#define T7 "2020-01-01 00:07:00+00"
#define T9 "2020-01-01 00:09:00+00"
/* For the examples: a state a, with the value `on` from T0, and `off` from T7 until T9. */
#define ROWS(on, off) \
   " FROM (SELECT state_agg(t, s) AS a FROM (VALUES (timestamptz '" T0 "', " on "), ('" T7 \
   "', " off "), ('" T9 "', " off ")) AS v (t, s)) AS u"
#define FROM_T0 "timestamptz '" T0 "', '10 min', NULL"
#define PERIOD "start timestamptz, interval interval"
#define PERIOD_AFTER PERIOD ", prev stateagg, _zone text"
#define TIMES "start_time timestamptz, end_time timestamptz"

#define FN(name_, sig_, flags_, op_, fn_, ints_, doc_, example_) \
   MT_ROW (name_, "agg stateagg" sig_, flags_, NULL, MT_OPN (op_, fn_, ints_), doc_, example_)
#define SET(name_, sig_, flags_, columns_, op_, fn_, ints_, doc_, example_) \
   MT_ROW_SET (name_, "agg stateagg" sig_ " -> jsonb", flags_, columns_, NULL, \
               MT_OPN (op_, fn_, ints_), doc_, example_)
#define DURATION_WITHIN(T, op_, ints_, example_) \
   {.name = "duration_in", \
    .signature = "agg stateagg, state " T ", " PERIOD ", _zone text -> interval", \
    .flags = MT_F_NOT_STRICT, \
    .op = MT_OPN (op_, duration_in, ints_), \
    .defaults = TO_THE_END, \
    .summary = "how long a state lasted in the period from start on (interval NULL: to the end)", \
    .example = example_}

/* Rows of the functions for values of type T. ints: MT_USER (ev). int_ and int__ are "" and "" or
 * "_int" and "int_", for the names. on, off: values as SQL. */
#define OF_TYPE(T, ints, int_, int__, on, off) \
   FN ("duration_in", ", state " T " -> interval", MT_F_NOT_STRICT, "duration_in" int_, \
       duration_in, ints, "how long a state of state_agg lasted", \
       "SELECT duration_in(a, " on ")" ROWS (on, off) " => 00:07:00"), \
      DURATION_WITHIN (T, "duration_within" int_, ints, \
                       "SELECT duration_in(a, " on \
                       ", '2020-01-01 00:05:00+00')" ROWS (on, off) " => 00:02:00"), \
      FN ("interpolated_duration_in", ", state " T ", " PERIOD_AFTER " -> interval", \
          MT_F_NOT_STRICT, "interpolated_duration" int_, interpolated_duration, ints, \
          "how long a state lasted in a period; prev's last state comes before the first one, " \
          "and the last one goes on", \
          "SELECT interpolated_duration_in(a, " off ", " FROM_T0 \
          ")" ROWS (on, off) " => 00:03:00"), \
      FN ("state_at" int_, ", ts timestamptz -> " T, 0, "state_at" int_, state_at, ints, \
          "state at a time; NULL before the first time", \
          "SELECT state_at" int_ "(a, '" T9 "') = " off ROWS (on, off) " => t"), \
      SET ("into_" int__ "values", "", 0, "state " T ", duration interval", "into_values" int_, \
           values, ints, "how long each state lasted, as rows", \
           "SELECT duration" ROWS (on, off) ", into_" int__ "values(a) => 00:07:00"), \
      SET ("state_" int__ "timeline", "", 0, "state " T ", " TIMES, "timeline" int_, timeline, \
           ints, "states with their periods, as rows in the order of time", \
           "SELECT end_time" ROWS (on, off) ", state_" int__ "timeline(a) => " T7), \
      SET ("state_periods", ", state " T, 0, TIMES, "periods" int_, timeline, ints, \
           "periods of a state, as rows in the order of time", \
           "SELECT end_time" ROWS (on, off) ", state_periods(a, " off ") => " T9), \
      SET ("interpolated_state_" int__ "timeline", ", " PERIOD_AFTER, MT_F_NOT_STRICT, \
           "state " T ", " TIMES, "interpolated_timeline" int_, interpolated_timeline, ints, \
           "states with their periods, extended to a period as by interpolated_duration_in", \
           "SELECT end_time" ROWS (on, off) ", interpolated_state_" int__ "timeline(a, " FROM_T0 \
                                            ") => " T7), \
      SET ("interpolated_state_periods", ", state " T ", " PERIOD_AFTER, MT_F_NOT_STRICT, TIMES, \
           "interpolated_periods" int_, interpolated_timeline, ints, \
           "periods of a state, extended to a period as by interpolated_duration_in", \
           "SELECT end_time" ROWS (on, off) ", interpolated_state_periods(a, " off ", " FROM_T0 \
                                            ") => 2020-01-01 00:10:00+00")

const MtFunc mt_fn_timeline[] = {
   OF_TYPE ("text", false, "", "", "'on'", "'off'"),
   OF_TYPE ("int8", true, "_int", "int_", "1", "0"),
   {.name = NULL},
};
