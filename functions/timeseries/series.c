/* Reads and writes series of points, and declares the operators that reduce them. */
#include "functions/timeseries/series.h"

#include "functions/core/row.h"
#include "functions/core/rows.h"
#include "types/datetime.h"
#include "types/numeric.h"

#include <math.h>

bool mt_points_new (MtArena *a, size_t n, MtPoints *out, MtError *err)
{
   *out = (MtPoints) {.ms = mt_try_alloc_n (a, n + 1, sizeof *out->ms),
                      .v = mt_try_alloc_n (a, n + 1, sizeof *out->v),
                      .n = n};
   return (out->ms && out->v) || mt_memory_check (err);
}

/* ---- the results of aggregates ---- */

/* Reads rows [time, value, …], which are sorted by time, into *out. Skips infinite times and
 * values. */
static bool read_points (MtEval *ev, MtVal rows, MtPoints *out)
{
   size_t n;
   MtVal *row = mt_v_elements (ev->arena, rows, &n);
   if (!mt_points_new (ev->arena, n, out, ev->err))
      return false;
   out->n = 0;
   for (size_t i = 0; i < n; i++) {
      MtVal time = mt_doc_at (row[i], 0), value = mt_doc_at (row[i], 1);
      double v = value.type == MT_DOUBLE ? value.d : mt_num_to_double (mt_num_of (value));
      int64_t ms = mt_v_moment (time).ms;
      if (!isfinite (v) || !mt_ts_is_finite (ms))
         continue;
      out->ms[out->n] = ms;
      out->v[out->n++] = v;
   }
   return true;
}

static bool write_points (MtEval *ev, const MtPoints *p, MtVal *out)
{
   MtStr names[] = {MT_STR ("time"), MT_STR ("value")};
   MtVal *docs = mt_try_alloc_n (ev->arena, p->n + 1, sizeof *docs);
   if (!docs)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < p->n; i++) {
      MtVal pair[] = {mt_v_date (p->ms[i]), mt_v_double (p->v[i])};
      if (!mt_v_make_doc (ev->arena, names, pair, 2, &docs[i], ev->err))
         return false;
   }
   return mt_v_make_long_array (ev->arena, docs, p->n, ev->cancel, out, ev->err);
}

typedef bool Reduction (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out);

/* Reduces a series by the function `by`. Arguments: [[time, value], …] sorted by time, and the
 * number of points n. */
static bool reduce (MtEval *ev, const MtVal *a, int n, Reduction *by, MtVal *out)
{
   MtPoints p, few;
   *out = mt_v_null ();
   if (n != 2 || a[0].type != MT_ARRAY)
      return true;
   if ((a[1].type != MT_INT32 && a[1].type != MT_INT64) || a[1].i < 2)
      return mt_error (ev->err, MT_E_PARAMETER, "a number of points must be at least 2");
   if (!read_points (ev, a[0], &p) || p.n == 0)
      return !mt_error_is_set (ev->err);
   return by (ev, &p, (size_t) a[1].i, &few) && write_points (ev, &few, out);
}

static bool fn_lttb (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return reduce (ev, a, n, mt_points_lttb, out);
}

static bool fn_asap (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return reduce (ev, a, n, mt_points_asap, out);
}

#define SAMPLE "[[[{\"$date\": \"2024-01-01T00:00:00Z\"}, 1.0]], 2]"
#define REDUCTION(op_, fn_, summary_) \
   {.name = op_, \
    .min_args = 2, \
    .max_args = 2, \
    .flags = MT_OP_FOLD, \
    .fn = fn_, \
    .summary = summary_, \
    .example = "{\"" op_ "\": " SAMPLE \
               "} => [{\"time\": {\"$date\": \"2024-01-01T00:00:00Z\"}, \"value\": 1.0}]"}

const MtOpRow mt_series_ops[] = {
   REDUCTION ("$_mtLttb", fn_lttb, "the points of a series that its shape needs most"),
   REDUCTION ("$_mtAsapSmooth", fn_asap, "a series smoothed as much as its outliers allow"),
   {.name = NULL},
};

/* ---- unnest ---- */

static bool fn_unnest_points (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count = 0;
   MtVal *points = a[0].type == MT_ARRAY ? mt_v_elements (ev->arena, a[0], &count) : NULL;
   bool ok = points != NULL;
   for (size_t i = 0; i < count && ok; i++) {
      MtVal time = mt_doc_field (points[i], "time"), value = mt_doc_field (points[i], "value");
      ok = points[i].type == MT_DOC && (time.type == MT_DATE || mt_is_nullish (time)) &&
           (mt_is_number (value) || mt_is_nullish (value));
   }
   if (!ok)
      return mt_error (ev->err, MT_E_PARAMETER,
                       "argument of unnest must be an array of documents {time, value}");
   *out = a[0];
   return true;
}

const MtFunc mt_fn_series[] = {
   MT_ROW_SET (
      "unnest", "series document -> document", 0, "time timestamptz, value float8", NULL,
      MT_OPN ("unnest_points", unnest_points, 0),
      "points of a series, as rows, for example the result of lttb or asap_smooth",
      "SELECT value FROM (SELECT lttb(t, v, 2) AS s FROM (VALUES (timestamptz '2020-01-01',"
      " 1), ('2020-01-02', 9)) AS x (t, v)) AS y, unnest(s) => 1"),
   {.name = NULL},
};
