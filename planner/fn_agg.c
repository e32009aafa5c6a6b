/* Aggregates: their rows. How they become accumulators is the planner's part; the operators here finish what $group gives. */
#include "planner/func_int.h"

#include "base/datetime.h"

#include <math.h>
#include <string.h>

/* [sum, count, "numeric" | "float8" | "float4"]: NULL for a count of 0. */
static bool fn_avg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum sum, count, r;
   *out = mt_v_null ();
   if (n != 3 || a[2].type != MT_STRING)
      return mt_error (ev->err, MT_E_PARAMETER, "$_mtAvg takes a sum, a count and a type");
   if (!mt_num_from_val (a[1], &count) || mt_num_is_zero (count) || mt_is_nullish (a[0]))
      return true;
   if (mt_str_is (mt_v_text (a[2]), "numeric")) {
      if (!mt_num_from_val (a[0], &sum) || !mt_num_div (sum, count, &r, ev->err))
         return false;
      *out = mt_num_to_val (ev->arena, r);
      return true;
   }
   double d = a[0].type == MT_DOUBLE ? a[0].d : mt_num_from_val (a[0], &sum) ? mt_num_to_double (sum) : NAN;
   *out = mt_v_double (d / mt_num_to_double (count));
   return true;
}

/* A sum that $sum made, in the type that SQL gives: [sum, "int8" | "numeric" | "float4" | "float8"]. */
static bool fn_sum (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   *out = mt_v_null ();
   if (n != 2 || a[1].type != MT_STRING || !mt_type_by_name (mt_v_text (a[1]), &t))
      return mt_error (ev->err, MT_E_PARAMETER, "$_mtSum takes a sum and a type");
   if (mt_is_nullish (a[0]))
      return true;
   if (t == MT_T_FLOAT4 && a[0].type == MT_DOUBLE) {
      *out = mt_v_double ((double) (float) a[0].d);
      return true;
   }
   if (mt_value_normalize (ev->arena, mt_type (t), a[0], out, ev->err))
      return true;
   return mt_error (ev->err, MT_E_NUMERIC_RANGE, "%s out of range", mt_type_info (t)->display);
}

/* Sums of intervals: [months, days, microseconds] -> interval; with a count: the average. */
static bool fn_interval_agg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv = {0};
   MtVal v[3];
   *out = mt_v_null ();
   for (int i = 0; i < 3; i++)
      if (i >= n || mt_is_nullish (a[i]))
         return true;
      else if (!mt_value_normalize (ev->arena, mt_type (i < 2 ? MT_T_INT4 : MT_T_INT8), a[i], &v[i], ev->err))
         return mt_error (ev->err, MT_E_DATETIME_RANGE, "interval out of range");
   iv = (MtInterval){.months = (int32_t) v[0].i, .days = (int32_t) v[1].i, .us = v[2].i};
   if (n > 3) {
      MtNum count;
      if (!mt_num_from_val (a[3], &count) || mt_num_is_zero (count))
         return true;
      if (!mt_interval_div (iv, mt_num_to_double (count), &iv, ev->err))
         return false;
   }
   *out = mt_v_interval (ev->arena, iv);
   return true;
}

/* PostgreSQL's order for min and max where MongoDB's differs: the smallest or largest of an array of values (user 1: intervals;
 * 2: largest). */
static bool fn_extreme_of (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   *out = mt_v_null ();
   if (n != 1 || a[0].type != MT_ARRAY)
      return true;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   for (size_t i = 0; i < count; i++) {
      if (mt_is_nullish (v[i]))
         continue;
      MtTypeId t = v[i].type == MT_DOC ? MT_T_INTERVAL : v[i].type == MT_DOUBLE ? MT_T_FLOAT8 : v[i].type == MT_DECIMAL ? MT_T_NUMERIC : MT_T_DOCUMENT;
      int c = mt_is_nullish (*out) ? 0 : mt_datum_compare (t, v[i], *out);
      if (mt_is_nullish (*out) || (MT_USER (ev) ? c > 0 : c < 0))
         *out = v[i];
   }
   return true;
}

/* "Can this be?": an error with the row's text, else the value: [condition, value, sqlstate, message]. */
static bool fn_check (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (n != 4)
      return mt_error (ev->err, MT_E_PARAMETER, "$_mtCheck takes four arguments");
   if (a[0].type == MT_BOOL && !a[0].i) {
      char state[6] = {0};
      memcpy (state, a[2].p, a[2].len < 5 ? a[2].len : 5);
      return mt_error (ev->err, state, "%.*s", (int) a[3].len, (const char *) a[3].p);
   }
   *out = a[1];
   return true;
}

const MtOpRow mt_agg_ops[] = {
   {.name = "$_mtAvg", .min_args = 3, .max_args = 3, .flags = MT_OP_FOLD, .fn = fn_avg, .summary = "PostgreSQL's avg from a sum, a count and a type", .example = "{\"$_mtAvg\": [7, 2, \"numeric\"]} => {\"$numberDecimal\": \"3.5000000000000000\"}"},
   {.name = "$_mtSum", .min_args = 2, .max_args = 2, .flags = MT_OP_FOLD, .fn = fn_sum, .summary = "a sum in SQL's type", .example = "{\"$_mtSum\": [7, \"int8\"]} => {\"$numberLong\": \"7\"}"},
   {.name = "$_mtIntervalSum", .min_args = 3, .max_args = 4, .flags = MT_OP_FOLD, .fn = fn_interval_agg, .summary = "sum or average of intervals from summed months, days, microseconds (and a count)", .example = "{\"$_mtIntervalSum\": [1, 2, 3]} => {\"m\": 1, \"d\": 2, \"us\": {\"$numberLong\": \"3\"}}"},
   {.name = "$_mtMinOf", .min_args = 1, .max_args = 1, .flags = MT_OP_FOLD, .fn = fn_extreme_of, .user = (void *) 0, .summary = "smallest of an array by SQL's order", .example = "{\"$_mtMinOf\": [[3, 1, 2]]} => 1"},
   {.name = "$_mtMaxOf", .min_args = 1, .max_args = 1, .flags = MT_OP_FOLD, .fn = fn_extreme_of, .user = (void *) 1, .summary = "largest of an array by SQL's order", .example = "{\"$_mtMaxOf\": [[3, 1, 2]]} => 3"},
   {.name = "$_mtCheck", .min_args = 4, .max_args = 4, .flags = MT_OP_FOLD, .fn = fn_check, .summary = "a value, or an error when a condition is false", .example = "{\"$_mtCheck\": [true, 1, \"22003\", \"out of range\"]} => 1"},
   {.name = NULL},
};

#define AGG(n, sig, r, s, ex) {.name = n, .signature = sig, .rule = r, .summary = s, .example = ex}
#define ORDERED(T, v)                                                                                                  \
   AGG ("min", T " -> " T, MT_AGG_MIN, "smallest non-NULL value", "SELECT min(x::" T ") FROM (VALUES (" v "), (NULL)) AS t (x)"), \
   AGG ("max", T " -> " T, MT_AGG_MAX, "largest non-NULL value", "SELECT max(x::" T ") FROM (VALUES (" v "), (NULL)) AS t (x)")

const MtAgg mt_agg_rows[] = {
   AGG ("count", "-> int8", MT_AGG_COUNT_STAR, "number of rows", "SELECT count(*) FROM (VALUES (1), (NULL)) AS t (x)"),
   AGG ("count", "any -> int8", MT_AGG_COUNT, "number of rows where the value isn't NULL", "SELECT count(x) FROM (VALUES (1), (NULL)) AS t (x)"),
   AGG ("sum", "int2 -> int8", MT_AGG_SUM, "sum of non-NULL values", "SELECT sum(x::int2) FROM (VALUES (1), (2)) AS t (x)"),
   AGG ("sum", "int4 -> int8", MT_AGG_SUM, "sum of non-NULL values", "SELECT sum(x) FROM (VALUES (1), (2)) AS t (x)"),
   AGG ("sum", "int8 -> numeric", MT_AGG_SUM, "sum of non-NULL values, exact", "SELECT sum(x::int8) FROM (VALUES (1), (2)) AS t (x)"),
   AGG ("sum", "numeric -> numeric", MT_AGG_SUM, "sum of non-NULL values, exact", "SELECT sum(x) FROM (VALUES (1.5), (2.5)) AS t (x)"),
   AGG ("sum", "float4 -> float4", MT_AGG_SUM, "sum of non-NULL values", "SELECT sum(x::float4) FROM (VALUES (1.5), (2.5)) AS t (x)"),
   AGG ("sum", "float8 -> float8", MT_AGG_SUM, "sum of non-NULL values", "SELECT sum(x::float8) FROM (VALUES (1.5), (2.5)) AS t (x)"),
   AGG ("sum", "interval -> interval", MT_AGG_SUM, "sum of non-NULL values", "SELECT sum(x::interval) FROM (VALUES ('1 day'), ('2 h')) AS t (x)"),
   AGG ("avg", "int2 -> numeric", MT_AGG_AVG, "average of non-NULL values, exact", "SELECT avg(x::int2) FROM (VALUES (1), (2)) AS t (x)"),
   AGG ("avg", "int4 -> numeric", MT_AGG_AVG, "average of non-NULL values, exact", "SELECT avg(x) FROM (VALUES (1), (2)) AS t (x)"),
   AGG ("avg", "int8 -> numeric", MT_AGG_AVG, "average of non-NULL values, exact", "SELECT avg(x::int8) FROM (VALUES (1), (2)) AS t (x)"),
   AGG ("avg", "numeric -> numeric", MT_AGG_AVG, "average of non-NULL values, exact", "SELECT avg(x) FROM (VALUES (1.5), (2.5)) AS t (x)"),
   AGG ("avg", "float4 -> float8", MT_AGG_AVG, "average of non-NULL values", "SELECT avg(x::float4) FROM (VALUES (1.5), (2.5)) AS t (x)"),
   AGG ("avg", "float8 -> float8", MT_AGG_AVG, "average of non-NULL values", "SELECT avg(x::float8) FROM (VALUES (1.5), (2.5)) AS t (x)"),
   AGG ("avg", "interval -> interval", MT_AGG_AVG, "average of non-NULL values", "SELECT avg(x::interval) FROM (VALUES ('1 day'), ('2 h')) AS t (x)"),
   ORDERED ("int2", "1"),
   ORDERED ("int4", "1"),
   ORDERED ("int8", "1"),
   ORDERED ("float4", "1.5"),
   ORDERED ("float8", "1.5"),
   ORDERED ("numeric", "1.5"),
   ORDERED ("text", "'a'"),
   ORDERED ("date", "'2020-01-01'"),
   ORDERED ("time", "'10:00'"),
   ORDERED ("timestamp", "'2020-01-01'"),
   ORDERED ("timestamptz", "'2020-01-01'"),
   ORDERED ("interval", "'1 day'"),
   ORDERED ("objectid", "'507f1f77bcf86cd799439011'"),
   {.name = NULL},
};
