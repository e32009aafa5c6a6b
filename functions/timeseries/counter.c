/* counter_agg and gauge_agg: changes and rates of a series. A counter only grows. A smaller value
 * means that it was reset to 0; the value before the reset is added to all later ones. A gauge may
 * fall. */
#include "functions/timeseries/moments.h"
#include "functions/timeseries/timepoints.h"

#include "functions/core/rows.h"
#include "types/datetime.h"

#include <math.h>

typedef struct Metric {
   MtStretch run;
   MtTimePoint second, penultimate; /* of one point: that point */
   double reset_sum;                /* the sum of the numbers before resets */
   int64_t resets, changes;
   /* sums for a regression line: x is in seconds since 2000; y is the value, with the values before
    * resets added */
   MtMoments2 stats;
   bool bounded;
   int64_t from, to; /* if bounded: the range [from, to) for extrapolated_… */
} Metric;

enum { SECONDS_2000 = 946684800 }; /* seconds from 1970 to 2000 */

static double seconds (int64_t ms) { return (double) ms / 1000; }

/* ---- summaries ---- */

static bool start (void *summary, MtTimePoint p, int option, MtError *err)
{
   Metric *m = summary;
   (void) option;
   *m = (Metric) {.run = {p, p}, .second = p, .penultimate = p};
   return mt_moments2_add (&m->stats, seconds (p.ms) - SECONDS_2000, p.v, err);
}

/* Returns whether a value changed. NaN after NaN is no change, as in Prometheus. */
static bool changed (double from, double to) { return from != to && !(isnan (from) && isnan (to)); }

static bool add_gauge (void *summary, MtTimePoint p, MtError *err)
{
   Metric *m = summary;
   m->changes += changed (m->run.last.v, p.v);
   if (m->stats.n == 1)
      m->second = p;
   m->penultimate = m->run.last;
   m->run.last = p;
   return mt_moments2_add (&m->stats, seconds (p.ms) - SECONDS_2000, p.v + m->reset_sum, err);
}

static void reset (Metric *m, MtTimePoint next)
{
   if (next.v < m->run.last.v) {
      m->reset_sum += m->run.last.v;
      m->resets++;
   }
}

static bool add_counter (void *summary, MtTimePoint p, MtError *err)
{
   reset (summary, p);
   return add_gauge (summary, p, err);
}

static void widen_bounds (Metric *m, const Metric *n)
{
   if (n->bounded) {
      m->from = m->bounded && m->from < n->from ? m->from : n->from;
      m->to = m->bounded && m->to > n->to ? m->to : n->to;
      m->bounded = true;
   }
}

static bool join_gauge (void *summary, const void *next, MtError *err)
{
   Metric *m = summary;
   const Metric *n = next;
   MtMoments2 stats = n->stats;
   stats.y.sum += m->reset_sum * (double) stats.n;
   m->changes += n->changes + changed (m->run.last.v, n->run.first.v);
   m->penultimate = n->stats.n == 1 ? m->run.last : n->penultimate;
   m->second = m->stats.n == 1 ? n->run.first : m->second;
   m->run.last = n->run.last;
   m->reset_sum += n->reset_sum;
   m->resets += n->resets;
   widen_bounds (m, n);
   return mt_moments2_join (&m->stats, &stats, err);
}

static bool join_counter (void *summary, const void *next, MtError *err)
{
   reset (summary, ((const Metric *) next)->run.first);
   return join_gauge (summary, next, err);
}

/* ---- stored ---- */

static bool write_metric (MtEval *ev, const void *state, MtBson *b)
{
   const Metric *m = state;
   (void) ev;
   mt_timepoint_write (b, "first", m->run.first);
   mt_timepoint_write (b, "second", m->second);
   mt_timepoint_write (b, "penultimate", m->penultimate);
   mt_timepoint_write (b, "last", m->run.last);
   mt_bson_put (b, "reset_sum", mt_v_double (m->reset_sum));
   mt_bson_put (b, "resets", mt_v_int64 (m->resets));
   mt_bson_put (b, "changes", mt_v_int64 (m->changes));
   if (m->bounded) {
      mt_bson_put (b, "from", mt_v_date (m->from));
      mt_bson_put (b, "to", mt_v_date (m->to));
   }
   mt_moments2_write (&m->stats, b);
   return true;
}

static void read_metric (MtEval *ev, MtSummaryReader *r, void *state)
{
   Metric *m = state;
   (void) ev;
   *m = (Metric) {.run = {mt_timepoint_read (r, "first"), mt_timepoint_read (r, "last")},
                  .second = mt_timepoint_read (r, "second"),
                  .penultimate = mt_timepoint_read (r, "penultimate"),
                  .reset_sum = mt_read_double (r, "reset_sum"),
                  .resets = mt_read_int (r, "resets"),
                  .changes = mt_read_int (r, "changes"),
                  .bounded = mt_doc_field (r->doc, "from").type != MT_MISSING};
   if (m->bounded) {
      m->from = mt_read_time (r, "from");
      m->to = mt_read_time (r, "to");
   }
   mt_moments2_read (r, &m->stats);
   bool one = m->stats.n == 1;
   r->ok &= m->resets >= 0 && m->changes >= m->resets &&
            (one ? m->run.first.ms == m->run.last.ms
                 : m->run.first.ms < m->second.ms && m->second.ms <= m->run.last.ms &&
                      m->run.first.ms <= m->penultimate.ms && m->penultimate.ms < m->run.last.ms);
}

static const MtStateKind COUNTER = {MT_T_COUNTERSUMMARY, sizeof (Metric), NULL, write_metric,
                                    read_metric},
                         GAUGE = {MT_T_GAUGESUMMARY, sizeof (Metric), NULL, write_metric,
                                  read_metric};
static const MtTimePointsKind COUNTERS = {&COUNTER, start, add_counter, join_counter},
                              GAUGES = {&GAUGE, start, add_gauge, join_gauge};

/* ---- functions ---- */

typedef enum What {
   DELTA,
   TIME_DELTA,
   RATE,
   IDELTA_LEFT,
   IDELTA_RIGHT,
   IRATE_LEFT,
   IRATE_RIGHT,
   NUM_RESETS,
   NUM_CHANGES,
   NUM_ELEMENTS,
   FIRST_VAL,
   LAST_VAL,
   FIRST_TIME,
   LAST_TIME,
   SLOPE,
   INTERCEPT,
   CORR,
   ZERO_TIME
} What;
#define OF_GAUGE 64

static const MtTimePointsKind *kind_of (const MtEval *ev)
{
   return MT_USER (ev) & OF_GAUGE ? &GAUGES : &COUNTERS;
}

static double delta (const Metric *m) { return m->run.last.v + m->reset_sum - m->run.first.v; }

static double time_delta (const Metric *m) { return seconds (m->run.last.ms - m->run.first.ms); }

/* Returns the change from point a to the next point b. After a reset a counter has grown from 0. */
static double step (bool gauge, MtTimePoint a, MtTimePoint b)
{
   return !gauge && b.v < a.v ? b.v : b.v - a.v;
}

static MtVal per_second (double change, double length)
{
   return length > 0 ? mt_v_double (change / length) : mt_v_null ();
}

/* Sets *out to the time at which the regression line is 0; NULL if there is none. */
static bool zero_time (const Metric *m, MtVal *out, MtError *err)
{
   double at = -mt_moments2_intercept (&m->stats) / mt_moments2_slope (&m->stats),
          ms = (at + SECONDS_2000) * 1000;
   *out = mt_v_null ();
   if (isnan (ms) || isinf (ms))
      return true;
   if (fabs (ms) > 1e16 || !mt_ts_in_range ((int64_t) ms))
      return mt_error (err, MT_E_DATETIME_RANGE, "timestamp out of range");
   *out = mt_v_date ((int64_t) ms);
   return true;
}

static bool fn_metric (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Metric m = {0};
   bool gauge = MT_USER (ev) & OF_GAUGE;
   (void) n;
   if (!mt_summary_read (ev, kind_of (ev)->state, a[0], &m))
      return false;
   const MtTimePoint first = m.run.first, last = m.run.last;
   switch ((What) (MT_USER (ev) & ~OF_GAUGE)) {
   case DELTA: *out = mt_v_double (delta (&m)); break;
   case TIME_DELTA: *out = mt_v_double (time_delta (&m)); break;
   case RATE: *out = per_second (delta (&m), time_delta (&m)); break;
   case IDELTA_LEFT: *out = mt_v_double (step (gauge, first, m.second)); break;
   case IDELTA_RIGHT: *out = mt_v_double (step (gauge, m.penultimate, last)); break;
   case IRATE_LEFT:
      *out = per_second (step (gauge, first, m.second), seconds (m.second.ms - first.ms));
      break;
   case IRATE_RIGHT:
      *out = per_second (step (gauge, m.penultimate, last), seconds (last.ms - m.penultimate.ms));
      break;
   case NUM_RESETS: *out = mt_v_int64 (m.resets); break;
   case NUM_CHANGES: *out = mt_v_int64 (m.changes); break;
   case NUM_ELEMENTS: *out = mt_v_int64 (m.stats.n); break;
   case FIRST_VAL: *out = mt_v_double (first.v); break;
   case LAST_VAL: *out = mt_v_double (last.v); break;
   case FIRST_TIME: *out = mt_v_date (first.ms); break;
   case LAST_TIME: *out = mt_v_date (last.ms); break;
   case SLOPE: *out = mt_v_defined (mt_moments2_slope (&m.stats)); break;
   case INTERCEPT: *out = mt_v_defined (mt_moments2_intercept (&m.stats)); break;
   case CORR: *out = mt_v_defined (mt_moments2_corr (&m.stats)); break;
   case ZERO_TIME: return zero_time (&m, out, ev->err);
   }
   return true;
}

/* ---- extrapolated: Prometheus' rule ---- */

static bool fn_with_bounds (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Metric m = {0};
   (void) n;
   if (!mt_summary_read (ev, kind_of (ev)->state, a[0], &m))
      return false;
   m.bounded = true;
   m.from = a[1].i;
   m.to = a[2].i;
   if (!mt_ts_is_finite (m.from) || !mt_ts_is_finite (m.to) || m.from > m.run.first.ms ||
       m.to <= m.run.last.ms)
      return mt_error (ev->err, MT_E_PARAMETER, "the state has points outside of the bounds");
   return mt_summary_write (ev, kind_of (ev)->state, &m, out);
}

/* Computes Prometheus' increase () of a counter or delta () of a gauge: the change over the whole
 * range [from, to), extrapolated from the part that the points cover. At each end, the change is
 * extrapolated to the end of the range if that is near (within 1.1 times the average distance of
 * points), otherwise by half that distance. A counter is not extrapolated below 0. The range ends
 * one millisecond before `to`. */
static double extrapolated (const Metric *m, bool gauge)
{
   double change = delta (m), covered = time_delta (m), each = covered / (double) (m->stats.n - 1),
          before = seconds (m->run.first.ms - m->from),
          after = seconds (m->to - m->run.last.ms - 1);
   before = before < 1.1 * each ? before : each / 2;
   after = after < 1.1 * each ? after : each / 2;
   if (!gauge && change > 0 && m->run.first.v >= 0)
      before = fmin (before, covered * (m->run.first.v / change));
   return change * ((before + covered + after) / covered);
}

#define OF_TIME 32 /* extrapolated_rate, interpolated_rate: per second */

static bool fn_extrapolated (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Metric m = {0};
   MtStr method = mt_v_text (a[1]);
   (void) n;
   if (!mt_summary_read (ev, kind_of (ev)->state, a[0], &m))
      return false;
   if (!mt_str_is (method, "prometheus")) {
      mt_error (ev->err, MT_E_PARAMETER, "unknown method \"%.*s\"", (int) method.n, method.p);
      return mt_error_hint (ev->err, "The method is 'prometheus'.");
   }
   if (!m.bounded) {
      mt_error (ev->err, MT_E_PARAMETER, "extrapolation needs the bounds of the range");
      return mt_error_hint (ev->err, "Add them: with_bounds (state, from, to).");
   }
   double length = seconds (m.to - m.from - 1);
   *out = mt_v_null ();
   if (m.stats.n < 2)
      return true;
   double change = extrapolated (&m, MT_USER (ev) & OF_GAUGE);
   *out = MT_USER (ev) & OF_TIME ? per_second (change, length) : mt_v_double (change);
   return true;
}

/* ---- interpolated: to the edges of a bucket, by points of the neighbouring states ---- */

/* Returns the point at time `ms` on the line between the points a and b. If a counter fell between
 * them, it began at 0 directly after a. */
static MtTimePoint at_edge (bool gauge, MtTimePoint a, MtTimePoint b, int64_t ms)
{
   if (!gauge && a.v > b.v)
      a.v = 0;
   return mt_timepoint_between (a, b, ms);
}

static bool fn_interpolated (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Metric m = {0}, whole;
   MtNeighbours at;
   const MtTimePointsKind *kind = kind_of (ev);
   bool gauge = MT_USER (ev) & OF_GAUGE;
   (void) n;
   *out = mt_v_null ();
   if (mt_any_null (a, 3))
      return true;
   if (!mt_summary_read (ev, kind->state, a[0], &m) ||
       !mt_timepoints_beside (ev, kind, &m.run, a + 1, &at))
      return false;
   const MtStretch *prev = at.prev, *next = at.next;
   whole = m;
   if (prev && at.start < m.run.first.ms &&
       (!start (&whole, at_edge (gauge, prev->last, m.run.first, at.start), 0, ev->err) ||
        !kind->join (&whole, &m, ev->err)))
      return false;
   if (next && !kind->add (&whole, at_edge (gauge, m.run.last, next->first, at.end), ev->err))
      return false;
   *out = MT_USER (ev) & OF_TIME ? per_second (delta (&whole), time_delta (&whole))
                                 : mt_v_double (delta (&whole));
   return true;
}

/* ---- rows ---- */

static const char *const METHOD[] = {NULL, "'prometheus'"};
static const char *const BESIDE[] = {NULL, NULL, NULL, "NULL", "NULL", NULL};

#define POINTS \
   "FROM (VALUES (timestamptz '2020-01-01 00:00', 10), ('2020-01-01 00:01', 20), ('2020-01-01 " \
   "00:02', 50), ('2020-01-01 00:03', 10)) AS t (ts, v) => "
#define OF(sql_, agg_, gauge_, name_, what_, ret_, doc_, r_) \
   MT_ROW (name_, "state " sql_ " -> " ret_, 0, NULL, \
           MT_OPN (agg_ "_" name_, metric, (what_) | (gauge_)), doc_, \
           "SELECT " name_ "(" agg_ "(ts, v)) " POINTS r_)
/* Rows of functions for both kinds of state. r_ and g_ are the results of the example for a counter
 * and for a gauge. */
#define BOTH(name_, what_, ret_, doc_, r_, g_) \
   OF ("countersummary", "counter_agg", 0, name_, what_, ret_, doc_, r_), \
      OF ("gaugesummary", "gauge_agg", OF_GAUGE, name_, what_, ret_, doc_, g_)
#define BOUNDS(sql_, agg_, gauge_) \
   MT_ROW ("with_bounds", "state " sql_ ", from_time timestamptz, to_time timestamptz -> " sql_, \
           0, NULL, MT_OPN (agg_ "_with_bounds", with_bounds, gauge_), \
           "the state with the range [from_time, to_time) for extrapolated_delta and " \
           "extrapolated_rate", \
           "SELECT num_elements(with_bounds(" agg_ "(ts, v), '2020-01-01', '2020-01-02')) " POINTS \
           "4")
#define EXTRAPOLATED(sql_, agg_, name_, user_, doc_, r_) \
   {.name = name_, \
    .signature = "state " sql_ ", method text -> float8", \
    .op = MT_OPN (agg_ "_" name_, extrapolated, user_), \
    .defaults = METHOD, \
    .summary = doc_, \
    .example = "SELECT " name_ "(with_bounds(" agg_ \
               "(ts, v), '2020-01-01 00:00', '2020-01-01 00:03:30.001')) " POINTS r_}
#define INTERPOLATED(sql_, agg_, name_, user_, doc_, r_) \
   {.name = name_, \
    .signature = "state " sql_ ", start timestamptz, duration interval, prev " sql_ ", next " sql_ \
                 ", _zone text -> float8", \
    .flags = MT_F_NOT_STRICT, \
    .op = MT_OPN (agg_ "_" name_, interpolated, user_), \
    .defaults = BESIDE, \
    .summary = doc_, \
    .example = "SELECT " name_ "(" agg_ "(ts, v), '2020-01-01', '5 min', NULL, " agg_ \
               "(ts + interval '5 min', v + 100)) " POINTS r_}

const MtFunc mt_fn_counter[] = {
   BOTH ("delta", DELTA, "float8", "change from the first to the last point", "50", "0"),
   BOTH ("time_delta", TIME_DELTA, "float8", "seconds from the first to the last point", "180",
         "180"),
   BOTH ("rate", RATE, "float8", "change per second", "0.2777777777777778", "0"),
   BOTH ("idelta_left", IDELTA_LEFT, "float8", "change between the first two points", "10", "10"),
   BOTH ("idelta_right", IDELTA_RIGHT, "float8", "change between the last two points", "10", "-40"),
   BOTH ("irate_left", IRATE_LEFT, "float8", "change per second between the first two points",
         "0.16666666666666666", "0.16666666666666666"),
   BOTH ("irate_right", IRATE_RIGHT, "float8", "change per second between the last two points",
         "0.16666666666666666", "-0.6666666666666666"),
   OF ("countersummary", "counter_agg", 0, "num_resets", NUM_RESETS, "int8",
       "how often the counter began again", "1"),
   BOTH ("num_changes", NUM_CHANGES, "int8", "how often the number changed", "3", "3"),
   BOTH ("num_elements", NUM_ELEMENTS, "int8", "how many points", "4", "4"),
   BOTH ("first_val", FIRST_VAL, "float8", "number of the first point", "10", "10"),
   BOTH ("last_val", LAST_VAL, "float8", "number of the last point", "10", "10"),
   BOTH ("first_time", FIRST_TIME, "timestamptz", "time of the first point",
         "2020-01-01 00:00:00+00", "2020-01-01 00:00:00+00"),
   BOTH ("last_time", LAST_TIME, "timestamptz", "time of the last point", "2020-01-01 00:03:00+00",
         "2020-01-01 00:03:00+00"),
   BOTH ("slope", SLOPE, "float8", "slope of the least-squares line, per second", "0.3",
         "0.04999999999999999"),
   BOTH ("intercept", INTERCEPT, "float8", "least-squares line at 2000-01-01 00:00 UTC",
         "-189345592", "-31557581.999999993"),
   BOTH ("corr", CORR, "float8", "correlation of number and time", "0.9761870601839528",
         "0.20459830184114197"),
   OF ("countersummary", "counter_agg", 0, "counter_zero_time", ZERO_TIME, "timestamptz",
       "time at which the least-squares line is 0", "2019-12-31 23:59:33.333+00"),
   OF ("gaugesummary", "gauge_agg", OF_GAUGE, "gauge_zero_time", ZERO_TIME, "timestamptz",
       "time at which the least-squares line is 0", "2019-12-31 23:54:00+00"),
   BOUNDS ("countersummary", "counter_agg", 0),
   BOUNDS ("gaugesummary", "gauge_agg", OF_GAUGE),
   EXTRAPOLATED ("countersummary", "counter_agg", "extrapolated_delta", 0,
                 "change in the range of with_bounds, by Prometheus' rule of increase",
                 "58.333333333333336"),
   EXTRAPOLATED ("countersummary", "counter_agg", "extrapolated_rate", OF_TIME,
                 "change per second in the range of with_bounds, by Prometheus' rule of rate",
                 "0.2777777777777778"),
   EXTRAPOLATED ("gaugesummary", "gauge_agg", "extrapolated_delta", OF_GAUGE,
                 "change in the range of with_bounds, by Prometheus' rule of delta", "0"),
   EXTRAPOLATED ("gaugesummary", "gauge_agg", "extrapolated_rate", OF_GAUGE | OF_TIME,
                 "change per second in the range of with_bounds", "0"),
   INTERPOLATED ("countersummary", "counter_agg", "interpolated_delta", 0,
                 "change in a bucket of time, to its edges by the states beside it", "150"),
   INTERPOLATED ("countersummary", "counter_agg", "interpolated_rate", OF_TIME,
                 "change per second in a bucket of time, to its edges by the states beside it",
                 "0.5"),
   INTERPOLATED ("gaugesummary", "gauge_agg", "interpolated_delta", OF_GAUGE,
                 "change in a bucket of time, to its edges by the states beside it", "100"),
   INTERPOLATED ("gaugesummary", "gauge_agg", "interpolated_rate", OF_GAUGE | OF_TIME,
                 "change per second in a bucket of time, to its edges by the states beside it",
                 "0.3333333333333333"),
   {.name = NULL},
};

const MtAgg mt_agg_counter[] = {
   MT_TIMEPOINTS_AGG (
      "counter_agg", "ts timestamptz, value float8 -> countersummary", mt_timepoints_step, COUNTERS,
      "state of a counter, which only grows, and begins again at 0: delta, rate, irate_…, "
      "idelta_…, num_resets, slope, extrapolated_…, interpolated_…",
      "SELECT delta(counter_agg(ts, v)) " POINTS "50"),
   MT_TIMEPOINTS_AGG (
      "rollup", "state countersummary -> countersummary", mt_timepoints_rollup, COUNTERS,
      "one state of states that follow each other",
      "SELECT delta(rollup(s)) FROM (SELECT counter_agg(ts, v) AS s FROM (VALUES (1, "
      "timestamptz '2020-01-01', 5), (2, '2020-01-02', 8)) AS t (g, ts, v) GROUP BY g) "
      "AS u => 3"),
   MT_TIMEPOINTS_AGG (
      "gauge_agg", "ts timestamptz, value float8 -> gaugesummary", mt_timepoints_step, GAUGES,
      "state of a number that may fall: the functions of counter_agg, without resets",
      "SELECT delta(gauge_agg(ts, v)) " POINTS "0"),
   MT_TIMEPOINTS_AGG (
      "rollup", "state gaugesummary -> gaugesummary", mt_timepoints_rollup, GAUGES,
      "one state of states that follow each other",
      "SELECT delta(rollup(s)) FROM (SELECT gauge_agg(ts, v) AS s FROM (VALUES (1, "
      "timestamptz '2020-01-01', 5), (2, '2020-01-02', 3)) AS t (g, ts, v) GROUP BY g) "
      "AS u => -2"),
   {.name = NULL},
};
