/* Set-returning functions. Each returns an array of its rows (README.md). */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "base/limits.h"

#include <string.h>

typedef struct List {
   MtEval *ev;
   MtVals vals;
} List;

static bool push (List *l, MtVal v)
{
   if (l->vals.n == MT_MAX_SET_ROWS) {
      mt_error (l->ev->err, MT_E_LIMIT, "a set has more than %d rows", MT_MAX_SET_ROWS);
      return mt_error_hint (
         l->ev->err, "Use generate_series in FROM with constant arguments. It has no limit there.");
   }
   mt_vals_add (&l->vals, l->ev->arena, v);
   return true;
}

static bool finish (List *l, MtVal *out)
{
   return mt_v_make_array (l->ev->arena, l->vals.v, l->vals.n, out, l->ev->err);
}

/* ---- unnest ---- */

/* Computes unnest: all elements of an array, over all dimensions. Arguments: array, element
 * type. */
static bool fn_unnest (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   List l = {.ev = ev};
   MtTypeId t = MT_T_UNKNOWN;
   MtVal v;
   *out = a[0];
   mt_type_by_name (mt_v_text (a[1]), &t);
   if (mt_type_holds_arrays (t) || mt_doc_at (a[0], 0).type != MT_ARRAY)
      return true;
   for (MtArrayIter it = mt_array_iter (a[0], t); mt_array_next (&it, &v);)
      if (!push (&l, v))
         return false;
   return finish (&l, out);
}

static bool fn_same (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

/* Computes generate_subscripts. Arguments: array, number of the dimension [, reverse]. */
static bool fn_subscripts (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   List l = {.ev = ev};
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count = mt_array_dims (a[0], MT_T_UNKNOWN, dims);
   size_t length = a[1].i >= 1 && a[1].i <= count ? dims[a[1].i - 1] : 0;
   bool reverse = n > 2 && a[2].i;
   for (size_t i = 0; i < length; i++)
      if (!push (&l, mt_v_int32 ((int32_t) (reverse ? length - i : i + 1))))
         return false;
   return finish (&l, out);
}

/* ---- generate_series ---- */

static bool zero_step (MtEval *ev)
{
   return mt_error (ev->err, MT_E_PARAMETER, "step size cannot equal zero");
}

/* Computes generate_series of integers. MT_USER (ev) is the number of their bits, 64 or 32. */
static bool fn_series_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   List l = {.ev = ev};
   int64_t step = n > 2 ? a[2].i : 1, v = a[0].i;
   bool more = true;
   if (step == 0)
      return zero_step (ev);
   for (; more && (step > 0 ? v <= a[1].i : v >= a[1].i);
        more = !__builtin_add_overflow (v, step, &v))
      if (!push (&l, MT_USER (ev) == 64 ? mt_v_int64 (v) : mt_v_int32 ((int32_t) v)))
         return false;
   return finish (&l, out);
}

static bool fn_series_numeric (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const names[] = {"start value", "stop value", "step size"};
   List l = {.ev = ev};
   MtNum v[3];
   v[2] = mt_num_from_int64 (1);
   for (int i = 0; i < n; i++) {
      v[i] = mt_num_of (a[i]);
      if (mt_num_is_nan (v[i]) || mt_num_is_inf (v[i]))
         return mt_error (ev->err, MT_E_PARAMETER, "%s cannot be %s", names[i],
                          mt_num_is_nan (v[i]) ? "NaN" : "infinity");
   }
   int sign = mt_num_sign (v[2]);
   if (sign == 0)
      return zero_step (ev);
   while (mt_num_compare (v[0], v[1]) * sign <= 0)
      if (!push (&l, mt_num_to_val (ev->arena, v[0])) || !mt_num_add (v[0], v[2], &v[0], ev->err))
         return false;
   return finish (&l, out);
}

/* Computes generate_series of times. Arguments: start, stop, step [, time zone]. */
static bool fn_series_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   List l = {.ev = ev};
   MtInterval step = mt_v_to_interval (a[2]);
   const MtZone *z = NULL;
   MtMoment t = mt_v_moment (a[0]);
   int sign = mt_interval_compare (step, (MtInterval) {0});
   if (n > 3 && !mt_zone_arg (ev, a[3], &z))
      return false;
   if (sign == 0)
      return zero_step (ev);
   if (!mt_ts_is_finite (t.ms)) /* an infinite time would never move */
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "timestamp out of range");
   while (mt_moment_compare (t, mt_v_moment (a[1])) * sign <= 0)
      if (!push (&l, mt_v_date (t.ms)) || !mt_moment_add (t, step, z, &t, ev->err))
         return false;
   return finish (&l, out);
}

#define SET(name_, sig_, flags_, mql_, op_, summary_, example_) \
   MT_ROW_SET (name_, sig_, flags_, NULL, mql_, op_, summary_, example_)
#define SERIES(T, op_, ex1, ex2) \
   SET ("generate_series", "start " T ", stop " T " -> " T, 0, NULL, op_, \
        "values from start to stop, as rows", ex1), \
      SET ("generate_series", "start " T ", stop " T ", step " T " -> " T, 0, NULL, op_, \
           "values from start to stop in steps, as rows", ex2)

const MtFunc mt_fn_set[] = {
   SET ("unnest", "anyarray, _type text -> anyelement", MT_F_FLAT_ROW, NULL,
        MT_OPN ("unnest", unnest, 0),
        "elements of an array, in all dimensions; in FROM also of several arrays side by side",
        "SELECT unnest('{{1},{2}}'::int[]) => 1"),
   SET ("$unnest", "anyarray -> anyelement", MT_F_NULL_SAFE, "\"$1\"",
        MT_OPN ("unnest_flat", same, 0), "the elements of an array that has one dimension",
        "SELECT unnest(ARRAY['a', 'b']) => a"),
   SET ("generate_subscripts", "anyarray, dim int4 -> int4", 0, NULL,
        MT_OPN ("subscripts", subscripts, 0), "subscripts of an array in a dimension, as rows",
        "SELECT generate_subscripts(ARRAY[5, 6], 1) => 1"),
   SET ("generate_subscripts", "anyarray, dim int4, reverse bool -> int4", 0, NULL,
        MT_OPN ("subscripts", subscripts, 0),
        "subscripts of an array in a dimension as rows, in reverse order",
        "SELECT generate_subscripts(ARRAY[5, 6], 1, true) => 2"),
   SERIES ("int4", MT_OPN ("series_int4", series_int, 32), "SELECT generate_series(2, 4) => 2",
           "SELECT generate_series(4, 0, -2) => 4"),
   SERIES ("int8", MT_OPN ("series_int8", series_int, 64),
           "SELECT generate_series(2::int8, 4) => 2",
           "SELECT generate_series(4::int8, 0, -2) => 4"),
   SERIES ("numeric", MT_OPN ("series_numeric", series_numeric, 0),
           "SELECT generate_series(1.5, 4) => 1.5", "SELECT generate_series(1, 2, 0.25) => 1"),
   SET ("generate_series", "start timestamp, stop timestamp, step interval -> timestamp", 0, NULL,
        MT_OPN ("series_timestamp", series_time, 0), "times from start to stop in steps, as rows",
        "SELECT generate_series(timestamp '2020-01-01', '2020-01-02', '12 h') => 2020-01-01 "
        "00:00:00"),
   SET ("generate_series",
        "start timestamptz, stop timestamptz, step interval, _zone text -> timestamptz", 0, NULL,
        MT_OPN ("series_timestamptz", series_time, 0), "times from start to stop in steps, as rows",
        "SELECT generate_series(timestamptz '2020-01-01', '2020-01-02', '12 h') => 2020-01-01 "
        "00:00:00+00"),
   {.name = NULL},
};
