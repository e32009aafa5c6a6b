/* state_agg: gathers points (a time and a value that begins then), and sorts them at the end. */
#include "functions/timeseries/timeline.h"

#include "functions/core/rows.h"

#include <stdlib.h>
#include <string.h>

MtStatePoint mt_state_point (int64_t time, MtVal state)
{
   MtStatePoint p = {.time = time, .n = state.len};
   if (state.type == MT_STRING)
      p.state.p = (const char *) state.p;
   else
      p.state.i = state.i;
   return p;
}

MtVal mt_state_of_point (bool ints, const MtStatePoint *p)
{
   return ints ? mt_v_int64 (p->state.i) : mt_v_str (p->state.p, p->n);
}

static const char *kind_name (bool ints) { return ints ? "bigint" : "text"; }

/* ---- gathering ---- */

/* A cache of recent texts by hash: rows with the same text share its memory. */
#define RECENT 16
typedef struct MtRecent {
   MtStr texts[RECENT];
} MtRecent;

static bool keep_text (MtEval *ev, MtTimeline *t, MtStatePoint *p)
{
   if (!t->recent)
      t->recent = MT_NEW (ev->arena, MtRecent);
   MtStr *s = &t->recent->texts[mt_v_hash (mt_state_of_point (false, p), 0) % RECENT];
   if (!s->p || s->n != p->n || memcmp (s->p, p->state.p, p->n) != 0) {
      char *copy = mt_try_strndup (ev->arena, p->state.p, p->n);
      if (!copy)
         return false;
      *s = (MtStr) {copy, p->n};
   }
   p->state.p = s->p;
   return true;
}

/* Adds a point, and copies its text. Returns false without an error if memory is exhausted, which
 * makes the statement fail later. */
static bool add_point (MtEval *ev, MtTimeline *t, MtStatePoint p)
{
   if (!MT_TRY_GROW_IN (ev->arena, t->points, t->n, t->cap, 4) ||
       (!t->ints && !keep_text (ev, t, &p)))
      return false;
   t->points[t->n++] = p;
   return true;
}

bool mt_timeline_add_part (MtEval *ev, MtTimeline *t, MtTimelinePart part)
{
   if (!MT_TRY_GROW_IN (ev->arena, t->parts, t->part_count, t->part_cap, 1))
      return false;
   t->parts[t->part_count++] = part;
   return true;
}

/* If memory is exhausted, the caller's mt_memory_check reports it. */
bool mt_timeline_merge (MtEval *ev, void *into, const void *from)
{
   MtTimeline *t = into;
   const MtTimeline *f = from;
   size_t first = t->n;
   bool ok = true;
   if (f->n && !t->n)
      t->ints = f->ints;
   else if (f->n && t->ints != f->ints) {
      mt_error (ev->err, MT_E_PARAMETER, "cannot merge states of type %s and of type %s",
                kind_name (t->ints), kind_name (f->ints));
      return mt_error_hint (ev->err, "Merge the states of one state_agg only.");
   }
   for (size_t i = 0; i < f->n && ok; i++)
      ok = add_point (ev, t, f->points[i]);
   for (size_t i = 0; i < f->part_count && ok; i++) {
      MtTimelinePart part = f->parts[i];
      part.first += first;
      ok = mt_timeline_add_part (ev, t, part);
   }
   return true;
}

bool mt_timeline_step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   MtTimeline *t = state;
   (void) argc;
   t->ints = args[1].type != MT_STRING;
   if (!mt_range_time (ev, args[0]))
      return false;
   add_point (ev, t, mt_state_point (args[0].i, args[1]));
   return true;
}

/* ---- order ---- */

static int by_time (const MtStatePoint *a, const MtStatePoint *b)
{
   return (a->time > b->time) - (a->time < b->time);
}

/* Compares points by time, and at the same time by value, so that an error does not depend on the
 * order of rows. */
static int by_time_int (const void *a, const void *b)
{
   const MtStatePoint *x = a, *y = b;
   int c = by_time (x, y);
   return c ? c : (x->state.i > y->state.i) - (x->state.i < y->state.i);
}

static int by_time_text (const void *a, const void *b)
{
   const MtStatePoint *x = a, *y = b;
   int c = by_time (x, y);
   return c ? c : mt_v_compare (mt_state_of_point (false, x), mt_state_of_point (false, y));
}

static int by_begin (const void *a, const void *b)
{
   const MtTimelinePart *x = a, *y = b;
   if (x->begin != y->begin)
      return x->begin > y->begin ? 1 : -1;
   return (x->end > y->end) - (x->end < y->end);
}

static void print_state (MtBuf *b, bool ints, const MtStatePoint *p)
{
   if (ints)
      mt_buf_printf (b, "%" PRId64, p->state.i);
   else
      mt_buf_printf (b, "\"%.*s\"", (int) p->n, p->state.p);
}

static bool refuse_two (MtEval *ev, bool ints, const MtStatePoint *a, const MtStatePoint *b)
{
   MtBuf text = {0};
   mt_buf_adds (&text, "state cannot be both ");
   print_state (&text, ints, a);
   mt_buf_adds (&text, " and ");
   print_state (&text, ints, b);
   mt_buf_adds (&text, " at ");
   mt_timestamptz_out (a->time, NULL, &text);
   mt_error (ev->err, MT_E_PARAMETER, "%.*s", (int) text.n, text.p);
   mt_buf_free (&text);
   return mt_error_hint (ev->err,
                         "Leave out one of the two rows, or aggregate each device by itself.");
}

bool mt_timeline_sort_rows (MtEval *ev, const MtTimeline *t, MtStatePoint *points)
{
   memcpy (points, t->points, t->n * sizeof *points);
   qsort (points, t->n, sizeof *points, t->ints ? by_time_int : by_time_text);
   for (size_t i = 1; i < t->n; i++)
      if (points[i].time == points[i - 1].time &&
          !mt_same_state (t->ints, &points[i], &points[i - 1]))
         return refuse_two (ev, t->ints, &points[i - 1], &points[i]);
   return true;
}

static bool refuse_overlap (MtEval *ev, const MtTimelinePart *a, const MtTimelinePart *b)
{
   const int64_t times[] = {a->begin, a->end, b->begin, b->end};
   static const char *const before[] = {"cannot merge states that overlap in time: ", " to ",
                                        ", and ", " to "};
   MtBuf text = {0};
   for (int i = 0; i < 4; i++) {
      mt_buf_adds (&text, before[i]);
      mt_timestamptz_out (times[i], NULL, &text);
   }
   mt_error (ev->err, MT_E_PARAMETER, "%.*s", (int) text.n, text.p);
   mt_buf_free (&text);
   return mt_error_hint (ev->err, "Group by what the states belong to, such as a device.");
}

const MtTimelinePart *mt_timeline_sort_parts (MtEval *ev, const MtTimeline *t)
{
   MtTimelinePart *parts = MT_TRY_NEW_N (ev->arena, MtTimelinePart, t->part_count);
   if (!parts)
      return NULL;
   memcpy (parts, t->parts, t->part_count * sizeof *parts);
   qsort (parts, t->part_count, sizeof *parts, by_begin);
   for (const MtTimelinePart *p = parts + 1; p < parts + t->part_count; p++)
      if (p->begin == p[-1].begin || p->begin < p[-1].end) {
         refuse_overlap (ev, &p[-1], p);
         return NULL;
      }
   return parts;
}

/* Copies the points of all parts to `points`, sorted by time. *end is the end of the last part.
 * Returns false on error. */
static bool join_parts (MtEval *ev, const MtTimeline *t, MtStatePoint *points, int64_t *end)
{
   const MtTimelinePart *parts = mt_timeline_sort_parts (ev, t);
   for (size_t i = 0; parts && i < t->part_count; i++) {
      memcpy (points, t->points + parts[i].first, parts[i].count * sizeof *points);
      points += parts[i].count;
      *end = parts[i].end;
   }
   return parts != NULL;
}

/* Removes points with the same value as the preceding one, and returns the new number. */
static size_t remove_same (bool ints, MtStatePoint *points, size_t n)
{
   size_t kept = 1;
   for (size_t i = 1; i < n; i++)
      if (!mt_same_state (ints, &points[i], &points[kept - 1]))
         points[kept++] = points[i];
   return kept;
}

/* ---- the stored form ---- */

static void write_points (MtBson *b, bool ints, const MtStatePoint *points, size_t n, int64_t end)
{
   mt_write_times (b, "t", n ? &points->time : NULL, sizeof *points, n);
   size_t list = mt_bson_array (b, "s");
   for (size_t i = 0; i < n; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_state_of_point (ints, &points[i]));
   mt_bson_end (b, list);
   mt_bson_put (b, "end", mt_v_date (end));
}

static bool write_timeline (MtEval *ev, const void *state, MtBson *b)
{
   const MtTimeline *t = state;
   MtStatePoint *points = t->n ? MT_TRY_NEW_N (ev->arena, MtStatePoint, t->n) : NULL;
   int64_t end = 0;
   if (!points ||
       !(t->part_count ? join_parts (ev, t, points, &end) : mt_timeline_sort_rows (ev, t, points)))
      return false;
   if (!t->part_count)
      end = points[t->n - 1].time;
   write_points (b, t->ints, points, remove_same (t->ints, points, t->n), end);
   return true;
}

/* Reads the value v of point i from a stored state. Returns false if the point may not follow the
 * preceding one. */
static bool read_state (MtTimeline *t, size_t i, int64_t time, MtVal v)
{
   bool ints = v.type == MT_INT32 || v.type == MT_INT64;
   if ((!ints && v.type != MT_STRING) || (i && ints != t->ints))
      return false;
   t->ints = ints;
   t->points[i] = mt_state_point (time, v);
   return i == 0 || (time >= t->points[i - 1].time &&
                     !mt_same_state (ints, &t->points[i], &t->points[i - 1]));
}

static void read_timeline (MtEval *ev, MtSummaryReader *r, void *state)
{
   MtTimeline *t = state;
   size_t n;
   MtVal list = r->doc.type == MT_DOC ? mt_doc_field (r->doc, "s") : mt_v_missing (), v;
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   int64_t *times = mt_read_times (r, ev->arena, "t", &n), end = mt_read_time (r, "end");
   r->ok &= n > 0 && list.type == MT_ARRAY && mt_ts_in_range (end);
   t->points = r->ok && times ? MT_TRY_NEW_N (ev->arena, MtStatePoint, n) : NULL;
   if (!t->points)
      return;
   for (size_t i = 0; i < n && r->ok; i++)
      r->ok = mt_doc_next (&it, &key, &v) && read_state (t, i, times[i], v);
   r->ok = r->ok && !mt_doc_next (&it, &key, &v) && end >= times[n - 1];
   if (r->ok &&
       mt_timeline_add_part (ev, t, (MtTimelinePart) {.count = n, .begin = times[0], .end = end}))
      t->n = t->cap = n;
}

const MtStateKind mt_timeline_kind = {MT_T_STATEAGG, sizeof (MtTimeline), mt_timeline_merge,
                                      write_timeline, read_timeline};

/* ---- common code of functions that read states ---- */

bool mt_timeline_read (MtEval *ev, const MtStateKind *kind, MtVal v, bool ints, MtTimeline *t)
{
   if (!mt_summary_read (ev, kind, v, t))
      return false;
   if (!t->part_count || !MT_TRY_GROW_IN (ev->arena, t->points, t->n, t->cap, 1))
      return mt_memory_check (ev->err);
   if (t->ints == ints)
      return true;
   mt_error (ev->err, MT_E_PARAMETER, "the states of this %s are of type %s, not %s",
             mt_type_display (ev->arena, mt_type (kind->type)), kind_name (t->ints),
             kind_name (ints));
   return mt_error_hint (ev->err, t->ints ? "Write the state as a number, and use "
                                            "into_int_values, state_int_timeline, state_at_int."
                                          : "Write the state as a text, and use into_values, "
                                            "state_timeline, state_at.");
}

bool mt_timeline_refuse_null (MtEval *ev)
{
   mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "cannot interpolate a state without rows");
   return mt_error_hint (ev->err, "Leave out groups whose state is NULL.");
}

bool mt_timeline_follows (MtEval *ev, MtVal start, const MtTimeline *prev)
{
   if (mt_v_moment (start).ms >= mt_timeline_end (prev))
      return true;
   mt_error (ev->err, MT_E_PARAMETER,
             "the period of the preceding state ends after the period of this state begins");
   return mt_error_hint (ev->err, "Pass the state of an earlier period as the last argument.");
}

/* ---- temporary files ---- */

/* Saves a state for a temporary file. Points of rows are saved unsorted as they are, because the
 * stored form has no equal neighbours. */
bool mt_timeline_save (MtEval *ev, const void *state, MtVal *out)
{
   const MtTimeline *t = state;
   MtBson b = {0};
   bson_t doc;
   mt_bson_start (&b);
   write_points (&b, t->ints, t->points, t->n, 0);
   size_t list = mt_bson_array (&b, "parts");
   for (size_t i = 0; i < t->part_count; i++)
      mt_bson_put_at (
         &b, (uint32_t) i,
         (MtVal) {.type = MT_BINARY, .len = sizeof *t->parts, .p = (const uint8_t *) &t->parts[i]});
   mt_bson_end (&b, list);
   bool ok = mt_bson_finish (&b, &doc) ||
             mt_error (ev->err, MT_E_LIMIT, "a state of state_agg is too large");
   if (ok)
      *out = mt_v_copy (ev->arena, mt_v_doc (&doc));
   mt_bson_free (&b);
   return ok;
}

bool mt_timeline_load (MtEval *ev, void *state, MtVal saved)
{
   MtTimeline *t = state;
   MtTimelinePart part;
   MtDocIter times = mt_doc_iter (mt_doc_field (saved, "t")),
             states = mt_doc_iter (mt_doc_field (saved, "s")),
             parts = mt_doc_iter (mt_doc_field (saved, "parts"));
   MtStr key;
   MtVal time, v;
   while (mt_doc_next (&times, &key, &time) && mt_doc_next (&states, &key, &v)) {
      t->ints = v.type != MT_STRING;
      if (!add_point (ev, t, mt_state_point (time.i, v)))
         return false;
   }
   while (mt_doc_next (&parts, &key, &v)) {
      if (v.len != sizeof part)
         return false;
      memcpy (&part, v.p, sizeof part);
      if (!mt_timeline_add_part (ev, t, part))
         return false;
   }
   return saved.type == MT_DOC;
}

/* ---- rows ---- */

const MtAgg mt_agg_timeline[] = {
   MT_TIMELINE_AGG (
      mt_timeline_kind, "state_agg", "ts timestamptz, state text -> stateagg", mt_timeline_step,
      "state of the times that something spent in states: duration_in, state_at, "
      "state_timeline, state_periods, into_values",
      "SELECT duration_in(state_agg(t, s), 'on') FROM (VALUES (timestamptz '2020-01-01 "
      "00:00', 'on'), ('2020-01-01 00:07', 'off')) AS v (t, s) => 00:07:00"),
   MT_TIMELINE_AGG (mt_timeline_kind, "state_agg", "ts timestamptz, state int8 -> stateagg",
                    mt_timeline_step,
                    "state of the times that something spent in states: duration_in, state_at, "
                    "state_timeline, state_periods, into_values",
                    "SELECT duration_in(state_agg(t, s), 1) FROM (VALUES (timestamptz '2020-01-01 "
                    "00:00', 1), ('2020-01-01 00:07', 0)) AS v (t, s) => 00:07:00"),
   MT_TIMELINE_AGG (
      mt_timeline_kind, "rollup", "state stateagg -> stateagg", mt_summary_rollup,
      "one state of the rows of all states",
      "SELECT duration_in(rollup(s), 'on') FROM (SELECT state_agg(t, s) AS s FROM (VALUES "
      "(timestamptz '2020-01-01 00:00', 'on'), ('2020-01-01 00:07', 'off')) AS v (t, s) "
      "GROUP BY t) AS u => 00:07:00"),
   {.name = NULL},
};
