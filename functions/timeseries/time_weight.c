/* time_weight: averages and integrals over time. Between two points, the value is that of the first
 * one (LOCF, last observation carried forward), or lies on the line between them (linear). */
#include "functions/timeseries/timepoints.h"

#include "functions/core/rows.h"
#include "types/datetime.h"

#include <strings.h>

/* The method, in MtTimePoints.option. 0: not known yet. */
typedef enum Method { METHOD_LOCF = 1, METHOD_LINEAR } Method;

typedef struct Weighted {
   MtStretch run;
   double area; /* under the curve from the first to the last point, in milliseconds */
   Method method;
} Weighted;

static double area (Method method, MtTimePoint a, MtTimePoint b)
{
   double height = method == METHOD_LOCF ? a.v : (a.v + b.v) / 2;
   return height * (double) (b.ms - a.ms);
}

/* ---- summaries ---- */

static bool start (void *summary, MtTimePoint p, int option, MtError *err)
{
   (void) err;
   *(Weighted *) summary = (Weighted) {.run = {p, p}, .method = (Method) option};
   return true;
}

static bool add (void *summary, MtTimePoint p, MtError *err)
{
   Weighted *w = summary;
   (void) err;
   w->area += area (w->method, w->run.last, p);
   w->run.last = p;
   return true;
}

static bool join (void *summary, const void *next, MtError *err)
{
   Weighted *w = summary;
   const Weighted *n = next;
   if (w->method != n->method)
      return mt_error (err, MT_E_PARAMETER, "the method must be the same for all states");
   w->area += area (w->method, w->run.last, n->run.first) + n->area;
   w->run.last = n->run.last;
   return true;
}

static bool write_weighted (MtEval *ev, const void *state, MtBson *b)
{
   const Weighted *w = state;
   (void) ev;
   mt_bson_put (b, "method", mt_v_cstr (w->method == METHOD_LOCF ? "LOCF" : "linear"));
   mt_timepoint_write (b, "first", w->run.first);
   mt_timepoint_write (b, "last", w->run.last);
   mt_bson_put (b, "area", mt_v_double (w->area));
   return true;
}

/* Returns the method with this name, ignoring case, or 0. */
static int method_of (MtVal v)
{
   MtStr name = mt_v_text (v);
   if (name.n == 4 && strncasecmp (name.p, "locf", 4) == 0)
      return METHOD_LOCF;
   bool linear = (name.n == 6 && strncasecmp (name.p, "linear", 6) == 0) ||
                 (name.n == 11 && strncasecmp (name.p, "trapezoidal", 11) == 0);
   return linear ? METHOD_LINEAR : 0;
}

static void read_weighted (MtEval *ev, MtSummaryReader *r, void *state)
{
   Weighted *w = state;
   MtVal method = mt_doc_field (r->doc, "method");
   (void) ev;
   *w = (Weighted) {.run = {mt_timepoint_read (r, "first"), mt_timepoint_read (r, "last")},
                    .area = mt_read_double (r, "area"),
                    .method = method.type == MT_STRING ? (Method) method_of (method) : 0};
   r->ok &= w->method && w->run.first.ms <= w->run.last.ms;
}

static const MtStateKind WEIGHTED = {MT_T_TIMEWEIGHTSUMMARY, sizeof (Weighted), NULL,
                                     write_weighted, read_weighted};
static const MtTimePointsKind WEIGHTS = {&WEIGHTED, start, add, join};

static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   MtTimePoints *s = state;
   int method = method_of (args[0]);
   (void) argc;
   if (!method) {
      mt_error (ev->err, MT_E_PARAMETER, "unknown method \"%.*s\"", (int) args[0].len,
                (const char *) args[0].p);
      return mt_error_hint (ev->err, "Methods are 'LOCF' and 'linear'.");
   }
   if (s->option && s->option != method)
      return mt_error (ev->err, MT_E_PARAMETER, "the method must be the same for all rows");
   s->option = method;
   return mt_timepoints_add (ev, s, args[1], args[2]);
}

/* ---- functions ---- */

typedef enum What { FIRST_VAL, LAST_VAL, FIRST_TIME, LAST_TIME } What;

static bool fn_end (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Weighted w = {0};
   (void) n;
   if (!mt_summary_read (ev, &WEIGHTED, a[0], &w))
      return false;
   switch ((What) MT_USER (ev)) {
   case FIRST_VAL: *out = mt_v_double (w.run.first.v); break;
   case LAST_VAL: *out = mt_v_double (w.run.last.v); break;
   case FIRST_TIME: *out = mt_v_date (w.run.first.ms); break;
   case LAST_TIME: *out = mt_v_date (w.run.last.ms); break;
   }
   return true;
}

/* Returns the average over time; NULL for a single point, which has no duration. */
static MtVal average (const Weighted *w)
{
   int64_t length = w->run.last.ms - w->run.first.ms;
   return length > 0 ? mt_v_double (w->area / (double) length) : mt_v_null ();
}

static bool integral (MtEval *ev, const Weighted *w, MtVal unit, MtVal *out)
{
   MtInterval one;
   MtStr name = mt_v_text (unit);
   MtBuf text = {0};
   mt_buf_printf (&text, "1 %.*s", (int) name.n, name.p);
   bool ok = mt_interval_in (text.p, text.n, &one, NULL) && !one.months && !one.days && one.us > 0;
   mt_buf_free (&text);
   if (!ok) {
      mt_error (ev->err, MT_E_PARAMETER, "unknown unit of time \"%.*s\"", (int) name.n, name.p);
      return mt_error_hint (
         ev->err, "Units are 'microsecond', 'millisecond', 'second', 'minute' and 'hour'.");
   }
   *out = mt_v_double (w->area * 1000 / (double) one.us);
   return true;
}

static bool fn_average (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Weighted w = {0};
   (void) n;
   if (!mt_summary_read (ev, &WEIGHTED, a[0], &w))
      return false;
   *out = average (&w);
   return true;
}

static bool fn_integral (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Weighted w = {0};
   (void) n;
   return mt_summary_read (ev, &WEIGHTED, a[0], &w) && integral (ev, &w, a[1], out);
}

/* ---- interpolated: to the edges of a bucket, by the neighbouring states ---- */

/* Returns the point at time `ms`, the edge of a bucket, between the points a and b. */
static MtTimePoint at_edge (Method method, MtTimePoint a, MtTimePoint b, int64_t ms)
{
   return method == METHOD_LOCF ? (MtTimePoint) {ms, a.v} : mt_timepoint_between (a, b, ms);
}

/* Extends a summary to the edges of a bucket, with the help of the states of the preceding and the
 * next bucket. With LOCF no next state is needed, because the last value continues. */
static bool extend (MtEval *ev, Weighted *w, const MtVal *args)
{
   MtNeighbours at;
   Weighted whole;
   if (!mt_timepoints_beside (ev, &WEIGHTS, &w->run, args, &at))
      return false;
   const MtStretch *prev = at.prev, *next = at.next;
   if (prev && at.start < w->run.first.ms) {
      start (&whole, at_edge (w->method, prev->last, w->run.first, at.start), (int) w->method,
             NULL);
      if (!join (&whole, w, ev->err))
         return false;
      *w = whole;
   }
   if (next || w->method == METHOD_LOCF)
      add (w, at_edge (w->method, w->run.last, next ? next->first : w->run.last, at.end), NULL);
   return true;
}

static bool fn_interpolated_average (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Weighted w = {0};
   (void) n;
   *out = mt_v_null ();
   if (mt_any_null (a, 3))
      return true;
   if (!mt_summary_read (ev, &WEIGHTED, a[0], &w) || !extend (ev, &w, a + 1))
      return false;
   *out = average (&w);
   return true;
}

/* Computes interpolated_integral. Arguments: state, start, interval, preceding state, next state,
 * unit, time zone. */
static bool fn_interpolated_integral (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Weighted w = {0};
   MtVal beside[] = {a[1], a[2], a[3], a[4], a[6]};
   (void) n;
   *out = mt_v_null ();
   if (mt_any_null (a, 3) || mt_is_nullish (a[5]))
      return true;
   return mt_summary_read (ev, &WEIGHTED, a[0], &w) && extend (ev, &w, beside) &&
          integral (ev, &w, a[5], out);
}

/* ---- rows ---- */

#define POINTS \
   "FROM (VALUES (timestamptz '2020-01-01 00:00', 10), ('2020-01-01 00:01', 20), ('2020-01-01 " \
   "00:03', 5)) AS t (ts, v) => "
#define STATE "timeweightsummary"
#define END(name_, what_, ret_, doc_, r_) \
   MT_ROW (name_, "state " STATE " -> " ret_, 0, NULL, MT_OPN ("time_weight_" name_, end, what_), \
           doc_, "SELECT " name_ "(time_weight('LOCF', ts, v)) " POINTS r_)

const MtFunc mt_fn_time_weight[] = {
   MT_ROW ("average", "state " STATE " -> float8", 0, NULL,
           MT_OPN ("time_weight_average", average, 0),
           "average over time; NULL for one point, which lasts no time",
           "SELECT average(time_weight('linear', ts, v)) " POINTS "13.333333333333334"),
   {.name = "integral",
    .signature = "state " STATE ", unit text -> float8",
    .op = MT_OPN ("time_weight_integral", integral, 0),
    .defaults = (const char *const[]) {NULL, "'second'"},
    .summary = "area under the curve; the unit of time is a second unless given",
    .example = "SELECT integral(time_weight('LOCF', ts, v), 'minute') " POINTS "50"},
   END ("first_val", FIRST_VAL, "float8", "number of the first point", "10"),
   END ("last_val", LAST_VAL, "float8", "number of the last point", "5"),
   END ("first_time", FIRST_TIME, "timestamptz", "time of the first point",
        "2020-01-01 00:00:00+00"),
   END ("last_time", LAST_TIME, "timestamptz", "time of the last point", "2020-01-01 00:03:00+00"),
   {.name = "interpolated_average",
    .signature = "state " STATE ", start timestamptz, duration interval, prev " STATE
                 ", next " STATE ", _zone text -> float8",
    .flags = MT_F_NOT_STRICT,
    .op = MT_OPN ("time_weight_interpolated_average", interpolated_average, 0),
    .defaults = (const char *const[]) {NULL, NULL, NULL, "NULL", "NULL", NULL},
    .summary = "average over a bucket of time, to its edges by the states beside it",
    .example =
       "SELECT interpolated_average(time_weight('LOCF', ts, v), '2020-01-01', '5 min') " POINTS
       "12"},
   {.name = "interpolated_integral",
    .signature = "state " STATE ", start timestamptz, duration interval, prev " STATE
                 ", next " STATE ", unit text, _zone text -> float8",
    .flags = MT_F_NOT_STRICT,
    .op = MT_OPN ("time_weight_interpolated_integral", interpolated_integral, 0),
    .defaults = (const char *const[]) {NULL, NULL, NULL, "NULL", "NULL", "'second'", NULL},
    .summary = "area under the curve over a bucket of time, to its edges by the states beside it",
    .example = "SELECT interpolated_integral(time_weight('LOCF', ts, v), '2020-01-01', '5 min', "
               "unit => 'minute') " POINTS "60"},
   {.name = NULL},
};

const MtAgg mt_agg_time_weight[] = {
   MT_TIMEPOINTS_AGG (
      "time_weight", "method text, ts timestamptz, value float8 -> " STATE, step, WEIGHTS,
      "state of a value over time: average, integral, interpolated_…; method 'LOCF' "
      "carries the last value forward, 'linear' draws lines",
      "SELECT average(time_weight('LOCF', ts, v)) " POINTS "16.666666666666668"),
   MT_TIMEPOINTS_AGG (
      "rollup", "state " STATE " -> " STATE, mt_timepoints_rollup, WEIGHTS,
      "one state of states that follow each other",
      "SELECT integral(rollup(s)) FROM (SELECT time_weight('LOCF', ts, v) AS s FROM "
      "(VALUES (1, timestamptz '2020-01-01 00:00', 5), (2, '2020-01-01 00:01', 8)) "
      "AS t (g, ts, v) GROUP BY g) AS u => 300"),
   {.name = NULL},
};
