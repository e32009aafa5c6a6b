/* Common parts of aggregates over periods, such as state_agg and heartbeat_agg. */
#include "functions/timeseries/ranges.h"

#include "functions/core/row.h"
#include "base/limits.h"

/* ---- times and lengths ---- */

static bool too_long (MtEval *ev)
{
   return mt_error (ev->err, MT_E_DATETIME_RANGE, "interval out of range");
}

bool mt_range_length (MtEval *ev, MtMoment from, MtMoment to, MtVal *out)
{
   int64_t us;
   MtInterval length;
   if (__builtin_sub_overflow (to.ms, from.ms, &us) || __builtin_mul_overflow (us, 1000, &us) ||
       __builtin_add_overflow (us, to.us - from.us, &us))
      return too_long (ev);
   if (!mt_justify_hours ((MtInterval) {.us = us}, &length, ev->err))
      return false;
   *out = mt_v_interval (ev->arena, length);
   return true;
}

bool mt_range_interval (MtEval *ev, int64_t ms, MtVal *out)
{
   return mt_range_length (ev, mt_moment (0), mt_moment (ms), out);
}

bool mt_range_end (MtEval *ev, MtVal start, MtVal length, MtVal zone, MtMoment *end)
{
   MtInterval iv = mt_v_to_interval (length);
   const MtZone *z = NULL;
   if (mt_interval_compare (iv, (MtInterval) {0}) < 0)
      return mt_error (ev->err, MT_E_PARAMETER, "interval must not be negative");
   return (mt_is_nullish (zone) || mt_zone_arg (ev, zone, &z)) &&
          mt_moment_add (mt_v_moment (start), iv, z, end, ev->err);
}

bool mt_range_time (MtEval *ev, MtVal time)
{
   if (mt_ts_is_finite (time.i))
      return true;
   mt_error (ev->err, MT_E_DATETIME_RANGE, "a state of periods cannot have an infinite time");
   return mt_error_hint (ev->err, "Leave out rows with infinite times, by FILTER or WHERE.");
}

/* ---- sets ---- */

bool mt_range_add (MtRangeRows *r, const MtVal *values)
{
   MtVal row;
   if (r->rows.n == MT_MAX_SET_ROWS)
      return mt_error (r->ev->err, MT_E_LIMIT, "a set has more than %d rows", MT_MAX_SET_ROWS);
   if (!mt_v_make_doc (r->ev->arena, r->columns, values, r->width, &row, r->ev->err))
      return false;
   mt_vals_add (&r->rows, r->ev->arena, row);
   return true;
}

bool mt_range_finish (MtRangeRows *r, MtVal *out)
{
   return mt_v_make_long_array (r->ev->arena, r->rows.v, r->rows.n, r->ev->cancel, out, r->ev->err);
}

/* ---- the stored form ---- */

int64_t *mt_read_times (MtSummaryReader *r, MtArena *a, const char *name, size_t *n)
{
   MtVal list = r->doc.type == MT_DOC ? mt_doc_field (r->doc, name) : mt_v_missing (), v;
   size_t count = list.type == MT_ARRAY ? mt_doc_count (list) : 0;
   int64_t *times = MT_TRY_NEW_N (a, int64_t, count + 1);
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   r->ok &= list.type == MT_ARRAY;
   *n = count;
   for (size_t i = 0; times && i < count && mt_doc_next (&it, &key, &v); i++) {
      r->ok &= v.type == MT_DATE && mt_ts_in_range (v.i);
      times[i] = v.i;
   }
   return times;
}

void mt_write_times (MtBson *b, const char *name, const int64_t *first, size_t stride, size_t n)
{
   size_t list = mt_bson_array (b, name);
   const char *p = (const char *) first;
   for (size_t i = 0; i < n; i++, p += stride)
      mt_bson_put_at (b, (uint32_t) i, mt_v_date (*(const int64_t *) (const void *) p));
   mt_bson_end (b, list);
}
