/* compact_state_agg: the total time that each state lasted. The times when it began are not
 * kept. */
#include "functions/timeseries/timeline.h"

#include "functions/core/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- durations ---- */

static int by_state (const MtStatePoint *a, const MtStatePoint *b, bool ints)
{
   return mt_v_compare (mt_state_of_point (ints, a), mt_state_of_point (ints, b));
}

static int by_int (const void *a, const void *b) { return by_state (a, b, true); }
static int by_text (const void *a, const void *b) { return by_state (a, b, false); }

/* Merges points with the same state into one, which has the sum of their durations. Sorts the
 * points by state, and returns their new number. */
static size_t add_up (bool ints, MtStatePoint *points, size_t n)
{
   size_t last = 0;
   qsort (points, n, sizeof *points, ints ? by_int : by_text);
   for (size_t i = 1; i < n; i++)
      if (mt_same_state (ints, &points[i], &points[last]))
         points[last].time += points[i].time;
      else
         points[++last] = points[i];
   return last + 1;
}

/* The contents of a stored state: the total duration of each value, and the first and last
 * values. */
typedef struct Total {
   MtStatePoint *points;
   size_t n;
   int64_t begin, end;
   MtStatePoint first, last;
} Total;

/* Computes durations from single rows: each value lasts until the next row. Sets all->points. */
static bool of_rows (MtEval *ev, const MtTimeline *t, Total *all)
{
   MtStatePoint *p = all->points;
   if (!mt_timeline_sort_rows (ev, t, p))
      return false;
   all->first = p[0];
   all->last = p[t->n - 1];
   all->begin = p[0].time;
   all->end = all->last.time;
   for (size_t i = 0; i < t->n; i++)
      p[i].time = i + 1 < t->n ? p[i + 1].time - p[i].time : 0;
   return true;
}

/* Computes durations from several stored parts: the last value of a part lasts until the next part
 * begins. Sets all->points. */
static bool of_parts (MtEval *ev, const MtTimeline *t, Total *all)
{
   const MtTimelinePart *parts = mt_timeline_sort_parts (ev, t);
   if (!parts)
      return false;
   const MtTimelinePart *end = parts + t->part_count - 1;
   memcpy (all->points, t->points, t->n * sizeof *all->points);
   all->first = all->points[parts->first + parts->from];
   all->last = all->points[end->first + end->to];
   all->begin = parts->begin;
   all->end = end->end;
   for (const MtTimelinePart *p = parts; p < end; p++)
      all->points[p->first + p->to].time += p[1].begin - p->end;
   return true;
}

/* ---- the stored form ---- */

static void write_total (MtBson *b, bool ints, const Total *all)
{
   size_t list = mt_bson_array (b, "s");
   for (size_t i = 0; i < all->n; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_state_of_point (ints, &all->points[i]));
   mt_bson_end (b, list);
   list = mt_bson_array (b, "d");
   for (size_t i = 0; i < all->n; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_int64 (all->points[i].time));
   mt_bson_end (b, list);
   mt_bson_put (b, "first", mt_state_of_point (ints, &all->first));
   mt_bson_put (b, "last", mt_state_of_point (ints, &all->last));
   mt_bson_put (b, "start", mt_v_date (all->begin));
   mt_bson_put (b, "end", mt_v_date (all->end));
}

static bool write_durations (MtEval *ev, const void *state, MtBson *b)
{
   const MtTimeline *t = state;
   Total all = {.points = t->n ? MT_TRY_NEW_N (ev->arena, MtStatePoint, t->n) : NULL};
   if (!all.points || !(t->part_count ? of_parts : of_rows) (ev, t, &all))
      return false;
   all.n = add_up (t->ints, all.points, t->n);
   write_total (b, t->ints, &all);
   return true;
}

static bool is_state (MtVal v)
{
   return v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_STRING;
}

/* Returns the index of the point whose state equals the field `name` of the stored document. Sets
 * r->ok to false if there is none. */
static size_t read_which (MtSummaryReader *r, const MtTimeline *t, const char *name)
{
   MtVal v = r->doc.type == MT_DOC ? mt_doc_field (r->doc, name) : mt_v_missing ();
   MtStatePoint wanted = mt_state_point (0, v);
   r->ok = r->ok && is_state (v) && (v.type != MT_STRING) == t->ints;
   for (size_t i = 0; r->ok && i < t->n; i++)
      if (mt_same_state (t->ints, &t->points[i], &wanted))
         return i;
   r->ok = false;
   return 0;
}

/* Reads point i of a stored document, with duration `ms`. Returns false if its state does not come
 * after that of the preceding point, or if ms exceeds `rest`, the time that is left. */
static bool read_duration (MtTimeline *t, size_t i, MtVal state, int64_t ms, int64_t rest)
{
   bool ints = state.type != MT_STRING;
   if (!is_state (state) || (i && ints != t->ints) || ms < 0 || ms > rest)
      return false;
   t->ints = ints;
   t->points[i] = mt_state_point (ms, state);
   return i == 0 || by_state (&t->points[i - 1], &t->points[i], ints) < 0;
}

static void read_durations (MtEval *ev, MtSummaryReader *r, void *state)
{
   MtTimeline *t = state;
   MtVal list = mt_read_array (r, "s"), v;
   MtSummaryList lengths = mt_read_list (r, "d");
   MtTimelinePart part = {.begin = mt_read_time (r, "start"), .end = mt_read_time (r, "end")};
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   size_t n = r->ok ? mt_list_count (&lengths) : 0;
   r->ok = r->ok && n && mt_ts_in_range (part.begin) && mt_ts_in_range (part.end) &&
           part.begin <= part.end;
   t->points = r->ok ? MT_TRY_NEW_N (ev->arena, MtStatePoint, n) : NULL;
   if (!t->points)
      return;
   int64_t rest = part.end - part.begin;
   for (size_t i = 0; i < n && r->ok; i++) {
      int64_t ms = mt_list_int (r, &lengths);
      r->ok = r->ok && mt_doc_next (&it, &key, &v) && read_duration (t, i, v, ms, rest);
      rest -= r->ok ? ms : 0;
   }
   r->ok = r->ok && !mt_doc_next (&it, &key, &v) && rest == 0;
   t->n = t->cap = part.count = n;
   part.from = read_which (r, t, "first");
   part.to = read_which (r, t, "last");
   if (r->ok)
      mt_timeline_add_part (ev, t, part);
}

static const MtStateKind kind = {MT_T_COMPACTSTATEAGG, sizeof (MtTimeline), mt_timeline_merge,
                                 write_durations, read_durations};

/* ---- functions ---- */

static int64_t lasted (const MtTimeline *t, MtVal state)
{
   MtStatePoint wanted = mt_state_point (0, state);
   for (size_t i = 0; i < t->n; i++)
      if (mt_same_state (t->ints, &t->points[i], &wanted))
         return t->points[i].time;
   return 0;
}

/* Computes duration_in. Arguments: aggregate state, value. MT_USER (ev): the values are bigint. */
static bool fn_lasted (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   (void) n;
   *out = mt_v_null ();
   if (mt_is_nullish (a[1]))
      return true;
   if (mt_is_nullish (a[0]))
      return mt_range_interval (ev, 0, out);
   return mt_timeline_read (ev, &kind, a[0], MT_USER (ev), &t) &&
          mt_range_interval (ev, lasted (&t, a[1]), out);
}

/* Checks that all times of an aggregate state lie within the period from start to end. */
static bool within (MtEval *ev, const MtTimeline *t, MtMoment start, MtMoment end)
{
   if (mt_moment_compare (start, mt_moment (t->parts[0].begin)) <= 0 &&
       mt_moment_compare (end, mt_moment (mt_timeline_end (t))) >= 0)
      return true;
   mt_error (ev->err, MT_E_PARAMETER,
             "a state of compact_state_agg has times outside of the period");
   return mt_error_hint (ev->err, "Use state_agg, which keeps the times.");
}

static bool has_state (const MtTimeline *t, size_t i, MtVal state)
{
   MtStatePoint wanted = mt_state_point (0, state);
   return mt_same_state (t->ints, &t->points[i], &wanted);
}

/* Computes interpolated_duration_in. Arguments: aggregate state, value, start, interval, preceding
 * aggregate state, time zone. */
static bool fn_interpolated_lasted (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0}, prev = {0};
   bool ints = MT_USER (ev), after = !mt_is_nullish (a[4]);
   MtMoment start = mt_v_moment (a[2]), end, sum;
   (void) n;
   *out = mt_v_null ();
   if (mt_is_nullish (a[1]) || mt_is_nullish (a[2]) || mt_is_nullish (a[3]))
      return true;
   if (mt_is_nullish (a[0]))
      return mt_timeline_refuse_null (ev);
   if ((after && !(mt_timeline_read (ev, &kind, a[4], ints, &prev) &&
                   mt_timeline_follows (ev, a[2], &prev))) ||
       !mt_range_time (ev, a[2]) || !mt_range_end (ev, a[2], a[3], a[5], &end) ||
       !mt_timeline_read (ev, &kind, a[0], ints, &t) || !within (ev, &t, start, end))
      return false;
   sum = mt_moment (lasted (&t, a[1]));
   if (has_state (&t, t.parts[0].to, a[1])) {
      sum.ms += end.ms - mt_timeline_end (&t);
      sum.us += end.us;
   }
   if (after && has_state (&prev, prev.parts[0].to, a[1])) {
      sum.ms += t.parts[0].begin - start.ms;
      sum.us -= start.us;
   }
   return mt_range_length (ev, mt_moment (0), sum, out);
}

static const MtStr VALUES[] = {{"state", 5}, {"duration", 8}};

/* Computes into_values. The argument is an aggregate state. */
static bool fn_each (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTimeline t = {0};
   MtRangeRows rows = {ev, VALUES, 2, {0}};
   (void) n;
   if (!mt_timeline_read (ev, &kind, a[0], MT_USER (ev), &t))
      return false;
   for (size_t i = 0; i < t.n; i++) {
      MtVal row[] = {mt_state_of_point (t.ints, &t.points[i]), mt_v_null ()};
      if (!mt_range_interval (ev, t.points[i].time, &row[1]) || !mt_range_add (&rows, row))
         return false;
   }
   return mt_range_finish (&rows, out);
}

/* ---- rows ---- */

#define T0 "2020-01-01 00:00:00+00"
#define T7 "2020-01-01 00:07:00+00"
/* For the examples: an aggregate state a, with the values `on` from T0 and `off` from T7. */
#define FROM(on, off) \
   " FROM (SELECT compact_state_agg(t, s) AS a FROM (VALUES (timestamptz '" T0 "', " on "), ('" T7 \
   "', " off ")) AS v (t, s)) AS u"

/* Rows of the functions for values of type T. ints: MT_USER (ev). int_ and int__ are "" and "" or
 * "_int" and "int_", for the names. on, off: values as SQL. */
#define OF_TYPE(T, ints, int_, int__, on, off) \
   MT_ROW ("duration_in", "agg compactstateagg, state " T " -> interval", MT_F_NOT_STRICT, NULL, \
           MT_OPN ("lasted" int_, lasted, ints), "how long a state of compact_state_agg lasted", \
           "SELECT duration_in(a, " on ")" FROM (on, off) " => 00:07:00"), \
      MT_ROW ("interpolated_duration_in", \
              "agg compactstateagg, state " T ", start timestamptz, interval interval, prev " \
              "compactstateagg, _zone text -> interval", \
              MT_F_NOT_STRICT, NULL, \
              MT_OPN ("interpolated_lasted" int_, interpolated_lasted, ints), \
              "how long a state lasted in a period that has all times of the state", \
              "SELECT interpolated_duration_in(a, " off ", timestamptz '" T0 \
              "', '10 min', NULL)" FROM (on, off) " => 00:03:00"), \
      MT_ROW_SET ("into_" int__ "values", "agg compactstateagg -> jsonb", 0, \
                  "state " T ", duration interval", NULL, \
                  MT_OPN ("lasted_values" int_, each, ints), \
                  "how long each state lasted, as rows in the order of states", \
                  "SELECT duration" FROM (on, off) ", into_" int__ "values(a) WHERE state = " on \
                                                   " => 00:07:00")

const MtFunc mt_fn_durations[] = {
   OF_TYPE ("text", false, "", "", "'on'", "'off'"),
   OF_TYPE ("int8", true, "_int", "int_", "1", "0"),
   {.name = NULL},
};

const MtAgg mt_agg_durations[] = {
   MT_TIMELINE_AGG (
      kind, "compact_state_agg", "ts timestamptz, state text -> compactstateagg", mt_timeline_step,
      "state of how long something was in states: duration_in, into_values",
      "SELECT duration_in(compact_state_agg(t, s), 'on') FROM (VALUES (timestamptz "
      "'2020-01-01 00:00', 'on'), ('2020-01-01 00:07', 'off')) AS v (t, s) => 00:07:00"),
   MT_TIMELINE_AGG (kind, "compact_state_agg", "ts timestamptz, state int8 -> compactstateagg",
                    mt_timeline_step,
                    "state of how long something was in states: duration_in, into_values",
                    "SELECT duration_in(compact_state_agg(t, s), 1) FROM (VALUES (timestamptz "
                    "'2020-01-01 00:00', 1), ('2020-01-01 00:07', 0)) AS v (t, s) => 00:07:00"),
   MT_TIMELINE_AGG (
      kind, "rollup", "state compactstateagg -> compactstateagg", mt_summary_rollup,
      "one state of the rows of all states",
      "SELECT duration_in(rollup(s), 'on') FROM (SELECT compact_state_agg(t, s) AS s FROM "
      "(VALUES (timestamptz '2020-01-01 00:00', 'on'), ('2020-01-01 00:07', 'off')) AS v "
      "(t, s) GROUP BY t) AS u => 00:07:00"),
   {.name = NULL},
};
