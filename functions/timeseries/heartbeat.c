/* heartbeat_agg: when something was alive, judged by heartbeats. After each heartbeat it counts as
 * alive for a given time. */
#include "functions/timeseries/ranges.h"

#include "functions/core/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

/* A time in which it was alive: from <= t < to, in milliseconds since 1970. */
typedef struct Range {
   int64_t from, to;
} Range;

/* The state of heartbeat_agg: a period from start to end, and its ranges covered by heartbeats.
 * Ranges may be unsorted and overlap, and the last may extend beyond `end`; settle and clip put
 * this right for the result. */
typedef struct Heartbeats {
   int64_t live; /* how long a heartbeat counts, in milliseconds. 0: no rows */
   int64_t start, end;
   int64_t last; /* the last heartbeat, if there are ranges */
   Range *ranges;
   size_t n, cap;
} Heartbeats;

static int by_from (const void *a, const void *b)
{
   const Range *x = a, *y = b;
   return (x->from > y->from) - (x->from < y->from);
}

/* Sorts the live ranges of h by their start, and merges ranges that overlap or touch. */
static void settle (Heartbeats *h)
{
   size_t kept = 0;
   if (h->n < 2)
      return;
   qsort (h->ranges, h->n, sizeof *h->ranges, by_from);
   for (size_t i = 1; i < h->n; i++) {
      Range r = h->ranges[i], *last = &h->ranges[kept];
      if (r.from > last->to)
         h->ranges[++kept] = r;
      else if (r.to > last->to)
         last->to = r.to;
   }
   h->n = kept + 1;
}

static void clip (Heartbeats *h)
{
   Range *last = h->n ? &h->ranges[h->n - 1] : NULL;
   if (last && last->to > h->end)
      last->to = h->end;
}

/* Makes room for one more range: joins ranges; if more than half of them remain, doubles the list.
 * Returns false if memory is exhausted. */
static bool make_room (MtEval *ev, Heartbeats *h)
{
   if (h->n < h->cap)
      return true;
   settle (h);
   if (h->n <= h->cap / 2 && h->cap)
      return true;
   size_t cap = h->cap ? h->cap * 2 : 8;
   Range *ranges = mt_try_arena_move (ev->arena, h->ranges, h->n, cap, sizeof *ranges);
   if (!ranges)
      return false;
   h->ranges = ranges;
   h->cap = cap;
   return true;
}

/* Adds the range r, in which the system was alive, to h->ranges, or merges it with the last range.
 * `beat` is the time of its last heartbeat. */
static void add_range (MtEval *ev, Heartbeats *h, Range r, int64_t beat)
{
   Range *last = h->n ? &h->ranges[h->n - 1] : NULL;
   if (!last || beat > h->last)
      h->last = beat;
   if (last && r.from >= last->from && r.from <= last->to)
      last->to = r.to > last->to ? r.to : last->to;
   else if (make_room (ev, h))
      h->ranges[h->n++] = r;
}

static bool same_liveness (MtEval *ev, const Heartbeats *a, const Heartbeats *b)
{
   if (a->live == b->live)
      return true;
   mt_error (ev->err, MT_E_PARAMETER, "cannot merge states of heartbeats with different liveness");
   return mt_error_hint (ev->err, "Compute the states with the same last argument.");
}

static bool merge (MtEval *ev, void *into, const void *from)
{
   Heartbeats *h = into;
   const Heartbeats *f = from;
   if (!f->live)
      return true;
   if (!h->live)
      *h = (Heartbeats) {.live = f->live, .start = f->start, .end = f->end};
   if (!same_liveness (ev, h, f))
      return false;
   h->start = f->start < h->start ? f->start : h->start;
   h->end = f->end > h->end ? f->end : h->end;
   for (size_t i = 0; i < f->n; i++)
      add_range (ev, h, f->ranges[i], f->last);
   return true;
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   Heartbeats h = *(const Heartbeats *) state;
   if (!h.live)
      return false;
   h.ranges = mt_try_arena_move (ev->arena, h.ranges, h.n, h.n + 1, sizeof *h.ranges);
   if (!h.ranges)
      return false;
   settle (&h);
   clip (&h);
   mt_bson_put (b, "start", mt_v_date (h.start));
   mt_bson_put (b, "end", mt_v_date (h.end));
   mt_bson_put (b, "live", mt_v_int64 (h.live));
   mt_bson_put (b, "last", h.n ? mt_v_date (h.last) : mt_v_null ());
   mt_write_times (b, "from", &h.ranges->from, sizeof *h.ranges, h.n);
   mt_write_times (b, "to", &h.ranges->to, sizeof *h.ranges, h.n);
   return true;
}

/* Returns whether a stored state is valid: its ranges ascend, lie in the period, and end where the
 * last heartbeat implies. */
static bool is_valid (const Heartbeats *h)
{
   bool ok = mt_ts_in_range (h->start) && mt_ts_in_range (h->end) && h->start < h->end &&
             h->live > 0 && h->live <= MT_TS_END - MT_TS_FIRST;
   for (size_t i = 0; i < h->n && ok; i++)
      ok = h->ranges[i].from < h->ranges[i].to &&
           (i ? h->ranges[i].from > h->ranges[i - 1].to : h->ranges[i].from >= h->start);
   if (!ok || !h->n)
      return ok;
   int64_t to = h->last + h->live;
   return h->last <= h->end && h->ranges[h->n - 1].to == (to < h->end ? to : h->end);
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Heartbeats *h = state;
   size_t n, to_count;
   const int64_t *from = mt_read_times (r, ev->arena, "from", &n),
                 *to = mt_read_times (r, ev->arena, "to", &to_count);
   Heartbeats read = {.live = mt_read_int (r, "live"),
                      .start = mt_read_time (r, "start"),
                      .end = mt_read_time (r, "end"),
                      .last = n ? mt_read_time (r, "last") : 0,
                      .cap = n + 1};
   r->ok &= n == to_count && (!n || mt_ts_in_range (read.last));
   if (!r->ok || !from || !to)
      return;
   read.ranges = MT_TRY_NEW_N (ev->arena, Range, n + 1);
   for (size_t i = 0; i < n && read.ranges; i++)
      read.ranges[read.n++] = (Range) {from[i], to[i]};
   r->ok = !read.ranges || is_valid (&read);
   if (!r->ok || !read.ranges)
      return;
   *h = read;
   if (n)
      h->ranges[n - 1].to = h->last + h->live;
}

static const MtStateKind HEARTBEATS = {MT_T_HEARTBEATAGG, sizeof (Heartbeats), merge, write_state,
                                       read_state};

/* ---- rows of heartbeat_agg ---- */

/* Reads the arguments start, duration and liveness (how long a heartbeat counts) into *h. */
static bool read_period (MtEval *ev, const MtVal *args, Heartbeats *h)
{
   MtMoment end, live;
   if (!mt_range_time (ev, args[0]) || !mt_range_end (ev, args[0], args[1], mt_v_null (), &end) ||
       !mt_range_end (ev, args[0], args[2], mt_v_null (), &live))
      return false;
   *h = (Heartbeats) {.start = args[0].i, .end = end.ms, .live = live.ms - args[0].i};
   if (h->live > 0 && h->end - h->start > h->live)
      return true;
   mt_error (ev->err, MT_E_PARAMETER, "invalid liveness of heartbeat_agg");
   return mt_error_hint (ev->err, "The liveness is at least a millisecond, and shorter than the "
                                  "duration.");
}

static bool same_period (MtEval *ev, const Heartbeats *a, const Heartbeats *b)
{
   if (a->start == b->start && a->end == b->end && a->live == b->live)
      return true;
   mt_error (ev->err, MT_E_PARAMETER, "heartbeat_agg has rows of different periods in one group");
   return mt_error_hint (ev->err, "Group by the start of the period, and merge states by rollup.");
}

/* Adds a row to the state. Arguments: time of the heartbeat, start, duration, liveness. */
static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Heartbeats *h = state, row;
   int64_t t = args[0].i;
   (void) argc;
   if (!read_period (ev, args + 1, &row))
      return false;
   if (!h->live)
      *h = row;
   if (!same_period (ev, h, &row))
      return false;
   if (t < row.start || t >= row.end) {
      mt_error (ev->err, MT_E_PARAMETER, "a heartbeat is outside of the period of heartbeat_agg");
      return mt_error_hint (ev->err, "Heartbeats are in the duration after the start. Choose rows "
                                     "by WHERE, or a start by time_bucket.");
   }
   add_range (ev, h, (Range) {t, t + row.live}, t);
   return true;
}

static bool merge_rows (MtEval *ev, void *into, const void *from)
{
   const Heartbeats *h = into, *f = from;
   return (h->live && f->live && !same_period (ev, h, f)) ? false : merge (ev, into, from);
}

/* The rows of one heartbeat_agg, which have one period, unlike the states of a rollup. */
static const MtStateKind ROWS = {MT_T_HEARTBEATAGG, sizeof (Heartbeats), merge_rows, write_state,
                                 read_state};

#define ROWS_STATE(step_) \
   &(const MtAggState) \
   { \
      .size = sizeof (Heartbeats), .step = step_, .merge = mt_summary_merge, \
      .final = mt_summary_save, .save = mt_summary_save, .load = mt_summary_load, \
      .user = (void *) (uintptr_t) &ROWS \
   }

/* Merges the states of parts of the rows of one heartbeat_agg. */
static const MtStateAccumulator parts = {.name = "$_mtHeartbeatParts",
                                         .function = "",
                                         .state = ROWS_STATE (mt_summary_rollup),
                                         .result = MT_T_HEARTBEATAGG,
                                         .strict = true,
                                         .types = &ROWS.type,
                                         .argc = 1,
                                         .bare = true};

/* ---- reading ---- */

static bool read_beats (MtEval *ev, MtVal v, Heartbeats *h)
{
   return mt_summary_read (ev, &HEARTBEATS, v, h) && (h->live || mt_memory_check (ev->err));
}

/* Adds to h the time for which the last heartbeat of an earlier period still counts. `pred` is the
 * state of that period, or null. */
static bool interpolate (MtEval *ev, Heartbeats *h, MtVal pred)
{
   Heartbeats p = {0};
   if (mt_is_nullish (pred))
      return true;
   if (!read_beats (ev, pred, &p))
      return false;
   if (p.end > h->start) {
      mt_error (ev->err, MT_E_PARAMETER,
                "the period of the preceding state ends after the period of this state begins");
      return mt_error_hint (ev->err, "Pass the state of an earlier period as the last argument.");
   }
   if (p.n && p.last + h->live > h->start) {
      add_range (ev, h, (Range) {h->start, p.last + h->live}, p.last);
      settle (h);
   }
   return mt_memory_check (ev->err);
}

/* Returns how many milliseconds are covered by the ranges, which must be clipped to the period. */
static int64_t alive (const Heartbeats *h)
{
   int64_t sum = 0;
   for (size_t i = 0; i < h->n; i++)
      sum += h->ranges[i].to - h->ranges[i].from;
   return sum;
}

/* Sets *out to gap number i of a state: the time that no heartbeat covers before range i, or if i
 * is h->n, behind the last range. Returns whether that time isn't empty. */
static bool gap (const Heartbeats *h, size_t i, Range *out)
{
   *out = (Range) {i ? h->ranges[i - 1].to : h->start, i < h->n ? h->ranges[i].from : h->end};
   return out->from < out->to;
}

typedef enum What { UPTIME, DOWNTIME, LIVE_RANGES, GAPS } What;

static bool fn_heartbeat_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Heartbeats h = {0};
   (void) n;
   if (!read_beats (ev, a[0], &h))
      return false;
   clip (&h);
   int64_t up = alive (&h);
   return mt_range_interval (ev, MT_USER (ev) == UPTIME ? up : h.end - h.start - up, out);
}

static bool fn_heartbeat_count (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Heartbeats h = {0};
   Range r;
   int64_t gaps = 0;
   (void) n;
   if (!read_beats (ev, a[0], &h))
      return false;
   clip (&h);
   for (size_t i = 0; i <= h.n; i++)
      gaps += gap (&h, i, &r);
   *out = mt_v_int64 (MT_USER (ev) == GAPS ? gaps : (int64_t) h.n);
   return true;
}

static const MtStr COLUMNS[] = {{"start", 5}, {"end", 3}};

/* Computes live_ranges, or dead_ranges if MT_USER (ev) is GAPS. The argument is a state. */
static bool fn_heartbeat_ranges (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Heartbeats h = {0};
   MtRangeRows rows = {ev, COLUMNS, 2, {0}};
   (void) n;
   if (!read_beats (ev, a[0], &h))
      return false;
   clip (&h);
   bool gaps = MT_USER (ev) == GAPS;
   for (size_t i = 0; i < h.n + gaps; i++) {
      Range r;
      if (gaps && !gap (&h, i, &r))
         continue;
      if (!gaps)
         r = h.ranges[i];
      if (!mt_range_add (&rows, (MtVal[]) {mt_v_date (r.from), mt_v_date (r.to)}))
         return false;
   }
   return mt_range_finish (&rows, out);
}

/* Computes live_at. Arguments: state, time. */
static bool fn_live_at (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Heartbeats h = {0};
   MtMoment t = mt_v_moment (a[1]);
   bool live = false;
   (void) n;
   if (!read_beats (ev, a[0], &h))
      return false;
   clip (&h);
   if (t.ms < h.start || mt_moment_compare (t, mt_moment (h.end)) > 0) {
      mt_error (ev->err, MT_E_PARAMETER, "the time is outside of the period of the heartbeatagg");
      return mt_error_hint (ev->err,
                            "live_at has an answer from the start of the state to its end.");
   }
   for (size_t i = 0; i < h.n; i++)
      live |= t.ms >= h.ranges[i].from && t.ms < h.ranges[i].to;
   *out = mt_v_bool (live);
   return true;
}

static bool put_state (MtEval *ev, const Heartbeats *h, MtVal *out)
{
   return mt_summary_write (ev, &HEARTBEATS, h, out) && mt_memory_check (ev->err);
}

/* Computes interpolate. Arguments: state, state of the preceding period. */
static bool fn_heartbeat_interpolate (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Heartbeats h = {0};
   *out = mt_v_null ();
   (void) n;
   if (mt_is_nullish (a[0]))
      return true;
   return read_beats (ev, a[0], &h) && interpolate (ev, &h, a[1]) && put_state (ev, &h, out);
}

/* Restricts the state to the period from start to end: removes and cuts ranges outside of it. */
static void trim (Heartbeats *h, int64_t start, int64_t end)
{
   size_t kept = 0;
   for (size_t i = 0; i < h->n; i++)
      if (h->ranges[i].to > start && h->ranges[i].from < end)
         h->ranges[kept++] = h->ranges[i];
   h->n = kept;
   h->start = start;
   h->end = end;
   if (!kept)
      return;
   Range *first = h->ranges, *last = &h->ranges[kept - 1];
   first->from = first->from < start ? start : first->from;
   h->last = last->to - h->live < end ? last->to - h->live : end;
   last->to = h->last + h->live;
}

/* Computes trim_to. Arguments: state, start, duration, time zone. */
static bool fn_heartbeat_trim (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Heartbeats h = {0};
   *out = mt_v_null ();
   (void) n;
   if (mt_is_nullish (a[0]))
      return true;
   if (!read_beats (ev, a[0], &h))
      return false;
   MtVal start = mt_is_nullish (a[1]) ? mt_v_date (h.start) : a[1];
   MtMoment end = mt_moment (h.end);
   if (!mt_is_nullish (a[2]) && !mt_range_end (ev, start, a[2], a[3], &end))
      return false;
   if (start.i < h.start || end.ms > h.end || start.i >= end.ms) {
      mt_error (ev->err, MT_E_PARAMETER,
                "cannot trim a heartbeatagg to a period outside of its own");
      return mt_error_hint (ev->err, "The period begins and ends within that of the state, and "
                                     "isn't empty.");
   }
   trim (&h, start.i, end.ms);
   return put_state (ev, &h, out);
}

/* ---- rows ---- */

static const char *const TRIM_ALL[] = {NULL, "NULL", "NULL", NULL};

#define BEATS \
   " FROM (SELECT heartbeat_agg(t, '2020-01-01 00:00:00+00', '1 hour', '10 min') AS a FROM (VALUES " \
   "(timestamptz '2020-01-01 00:05:00+00'), ('2020-01-01 00:12:00+00'), ('2020-01-01 " \
   "00:55:00+00')) AS v (t)) AS u"
#define ONE(name_, ret_, fn_, what_, doc_, r_) \
   MT_ROW (name_, "agg heartbeatagg -> " ret_, 0, NULL, MT_OPN ("heartbeat_" name_, fn_, what_), \
           doc_, "SELECT " name_ "(a)" BEATS " => " r_)
#define INTERPOLATED(name_, up_) \
   {.name = "interpolated_" name_, \
    .signature = "agg heartbeatagg, pred heartbeatagg -> interval", \
    .flags = MT_F_NOT_STRICT, \
    .sql = name_ " (interpolate ($1, $2))", \
    .summary = name_ " in which the last heartbeat of the period before counts, too", \
    .example = "SELECT interpolated_" name_ "(a, NULL)" BEATS " => " up_}
#define RANGES(name_, what_, doc_, r_) \
   MT_ROW_SET (name_, "agg heartbeatagg -> jsonb", 0, "start timestamptz, end timestamptz", NULL, \
               MT_OPN ("heartbeat_" name_, heartbeat_ranges, what_), doc_, \
               "SELECT r.end" BEATS ", " name_ "(a) AS r => " r_)

const MtFunc mt_fn_heartbeat[] = {
   ONE ("uptime", "interval", heartbeat_time, UPTIME, "how long heartbeat_agg was alive",
        "00:22:00"),
   ONE ("downtime", "interval", heartbeat_time, DOWNTIME, "how long heartbeat_agg was not alive",
        "00:38:00"),
   ONE ("num_live_ranges", "int8", heartbeat_count, LIVE_RANGES, "how many rows live_ranges has",
        "2"),
   ONE ("num_gaps", "int8", heartbeat_count, GAPS, "how many rows dead_ranges has", "2"),
   RANGES ("live_ranges", LIVE_RANGES, "periods in which heartbeat_agg was alive, as rows",
           "2020-01-01 00:22:00+00"),
   RANGES ("dead_ranges", GAPS, "periods in which heartbeat_agg was not alive, as rows",
           "2020-01-01 00:05:00+00"),
   MT_ROW ("live_at", "agg heartbeatagg, ts timestamptz -> bool", 0, NULL,
           MT_OPN ("heartbeat_live_at", live_at, 0), "whether heartbeat_agg was alive at a time",
           "SELECT live_at(a, '2020-01-01 00:21:00+00')" BEATS " => t"),
   MT_ROW ("interpolate", "agg heartbeatagg, pred heartbeatagg -> heartbeatagg", MT_F_NOT_STRICT,
           NULL, MT_OPN ("heartbeat_interpolate", heartbeat_interpolate, 0),
           "state in which the last heartbeat of the period before counts, too",
           "SELECT uptime(interpolate(a, NULL))" BEATS " => 00:22:00"),
   INTERPOLATED ("uptime", "00:22:00"),
   INTERPOLATED ("downtime", "00:38:00"),
   {.name = "trim_to",
    .signature = "agg heartbeatagg, start timestamptz, duration interval, _zone text -> "
                 "heartbeatagg",
    .flags = MT_F_NOT_STRICT,
    .op = MT_OPN ("heartbeat_trim_to", heartbeat_trim, 0),
    .defaults = TRIM_ALL,
    .summary = "state of a part of the period (from its start, or to its end, if it is NULL)",
    .example = "SELECT uptime(trim_to(a, duration => '10 min'))" BEATS " => 00:05:00"},
   {.name = NULL},
};

const MtAgg mt_agg_heartbeat[] = {
   {.name = "heartbeat_agg",
    .signature = "ts timestamptz, start timestamptz, duration interval, liveness interval -> "
                 "heartbeatagg",
    .summary = "state of heartbeats, each of which counts for the liveness: uptime, downtime, "
               "live_ranges, dead_ranges, live_at, num_live_ranges, num_gaps, interpolate, trim_to",
    .example = "SELECT uptime(a)" BEATS " => 00:22:00",
    .state = ROWS_STATE (step),
    .merger = &parts},
   MT_SUMMARY_ROLLUP ("heartbeatagg", Heartbeats, HEARTBEATS,
                      "SELECT uptime(rollup(a))" BEATS " => 00:22:00"),
   {.name = NULL},
};
