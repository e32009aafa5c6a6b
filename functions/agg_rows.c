/* The table of aggregates, and the operators that compute results of sums and averages behind
 * $group. */
#include "functions/agg.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "functions/signature.h"
#include "query/aggregate.h"

#include <math.h>
#include <string.h>

/* Arguments: [sum, count, "integer" | "numeric" | "decimal" | "float8" | "float4"]. NULL for a
 * count of 0. "integer": the sum has no decimals, and the result is numeric. "decimal": a numeric
 * that servers must compute. */
static bool fn_avg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum sum, count, r;
   *out = mt_v_null ();
   if (n != 3 || a[2].type != MT_STRING)
      return mt_error (ev->err, MT_E_PARAMETER, "$_mtAvg takes a sum, a count and a type");
   if (!mt_num_from_val (a[1], &count) || mt_num_is_zero (count) || mt_is_nullish (a[0]))
      return true;
   if (mt_v_is_text (a[2], "integer") || mt_v_is_text (a[2], "numeric") ||
       mt_v_is_text (a[2], "decimal")) {
      if (!mt_num_from_val (a[0], &sum) || !mt_num_div (sum, count, &r, ev->err))
         return false;
      *out = mt_num_to_val (ev->arena, r);
      return true;
   }
   double d = NAN;
   if (a[0].type == MT_DOUBLE)
      d = a[0].d;
   else if (mt_num_from_val (a[0], &sum))
      d = mt_num_to_double (sum);
   *out = mt_v_double (d / mt_num_to_double (count));
   return true;
}

/* Converts a result of MongoDB's $sum to SQL's type. Arguments: sum, and "int8", "numeric",
 * "float4" or "float8". */
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

/* Computes sum or avg of intervals. Arguments: the sums of the months, the days and the
 * microseconds, and for avg the count. */
static bool fn_interval_agg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv = {0};
   MtVal v[3];
   *out = mt_v_null ();
   for (int i = 0; i < 3; i++)
      if (i >= n || mt_is_nullish (a[i]))
         return true;
      else if (!mt_value_normalize (ev->arena, mt_type (i < 2 ? MT_T_INT4 : MT_T_INT8), a[i], &v[i],
                                    ev->err))
         return mt_error (ev->err, MT_E_DATETIME_RANGE, "interval out of range");
   iv = (MtInterval) {.months = (int32_t) v[0].i, .days = (int32_t) v[1].i, .us = v[2].i};
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

static MtTypeId type_of (MtVal v)
{
   switch (v.type) {
   case MT_DOC: return MT_T_INTERVAL;
   case MT_DOUBLE: return MT_T_FLOAT8;
   case MT_DECIMAL: return MT_T_NUMERIC;
   default: return MT_T_DOCUMENT;
   }
}

/* Returns the least element of an array in PostgreSQL's order, or the greatest if MT_USER (ev) is
 * 1. */
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
      int c = mt_is_nullish (*out) ? 0 : mt_datum_compare (type_of (v[i]), v[i], *out);
      if (mt_is_nullish (*out) || (MT_USER (ev) ? c > 0 : c < 0))
         *out = v[i];
   }
   return true;
}

/* Returns its second argument, or raises an error if the first is false. Arguments: condition,
 * value, SQLSTATE, message. */
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
   {.name = "$_mtAvg",
    .min_args = 3,
    .max_args = 3,
    .flags = MT_OP_FOLD,
    .fn = fn_avg,
    .summary = "PostgreSQL's avg from a sum, a count and a type",
    .example =
       "{\"$_mtAvg\": [7, 2, \"numeric\"]} => {\"$numberDecimal\": \"3.5000000000000000\"}"},
   {.name = "$_mtSum",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_sum,
    .summary = "a sum in SQL's type",
    .example = "{\"$_mtSum\": [7, \"int8\"]} => {\"$numberLong\": \"7\"}"},
   {.name = "$_mtIntervalSum",
    .min_args = 3,
    .max_args = 4,
    .flags = MT_OP_FOLD,
    .fn = fn_interval_agg,
    .summary = "sum or average of intervals from summed months, days, microseconds (and a count)",
    .example = "{\"$_mtIntervalSum\": [1, 2, 3]} => {\"m\": 1, \"d\": 2, \"us\": {\"$numberLong\": "
               "\"3\"}}"},
   {.name = "$_mtMinOf",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_extreme_of,
    .user = (void *) 0,
    .summary = "smallest of an array by SQL's order",
    .example = "{\"$_mtMinOf\": [[3, 1, 2]]} => 1"},
   {.name = "$_mtMaxOf",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_extreme_of,
    .user = (void *) 1,
    .summary = "largest of an array by SQL's order",
    .example = "{\"$_mtMaxOf\": [[3, 1, 2]]} => 3"},
   {.name = "$_mtCheck",
    .min_args = 4,
    .max_args = 4,
    .flags = MT_OP_FOLD,
    .fn = fn_check,
    .summary = "a value, or an error when a condition is false",
    .example = "{\"$_mtCheck\": [true, 1, \"22003\", \"out of range\"]} => 1"},
   {.name = NULL},
};

#define AGG(n, sig, r, s, ex) {.name = n, .signature = sig, .rule = r, .summary = s, .example = ex}
#define PARTS(n, sig, k, s, ex) \
   {.name = n, \
    .signature = sig, \
    .rule = MT_AGG_PARTS, \
    .kind = &mt_agg_##k, \
    .summary = s, \
    .example = ex}
/* Rows of variance aggregates for all types. The result is numeric for integers and numeric, else
 * double precision. */
#define VARIANCE_OF(n, w, f, T, ret, k, s, r) \
   {.name = n, \
    .signature = T " -> " ret, \
    .rule = MT_AGG_PARTS, \
    .kind = &mt_agg_##k, \
    .form = f, \
    .op = w, \
    .summary = s, \
    .example = "SELECT " n "(x::" T ") FROM (VALUES (1), (2), (4)) AS t (x) => " r}
#define VARIANCE(n, w, f, s, exact, r) \
   VARIANCE_OF (n, "$_mt" w, f, "int2", "numeric", variance, s, exact), \
      VARIANCE_OF (n, "$_mt" w, f, "int4", "numeric", variance, s, exact), \
      VARIANCE_OF (n, "$_mt" w, f, "int8", "numeric", variance, s, exact), \
      VARIANCE_OF (n, "$_mt" w, f, "numeric", "numeric", variance, s, exact), \
      VARIANCE_OF (n, "$_mtSpread" w, f, "float4", "float8", spread, s, r), \
      VARIANCE_OF (n, "$_mtSpread" w, f, "float8", "float8", spread, s, r)
/* Rows of aggregates of one kind k. FORM sets MtAgg.form (flags), WITH_OP sets MtAgg.op (an
 * operator). */
#define FORM(n, sig, k, f, s, ex) \
   {.name = n, \
    .signature = sig, \
    .rule = MT_AGG_PARTS, \
    .kind = &mt_agg_##k, \
    .form = f, \
    .summary = s, \
    .example = ex}
#define WITH_OP(n, sig, k, o, s, ex) \
   {.name = n, \
    .signature = sig, \
    .rule = MT_AGG_PARTS, \
    .kind = &mt_agg_##k, \
    .op = o, \
    .summary = s, \
    .example = ex}
#define PAIRS(n, o, s, r) \
   WITH_OP (n, "y float8, x float8 -> float8", pairs, "$_mt" o, s, \
            "SELECT " n "(y, x) FROM (VALUES (1, 2), (3, 5), (4, 11)) AS t (y, x) => " r)
#define BITS(n, k, o, s, r) \
   WITH_OP (n, "int2 -> int2", k, o, s, \
            "SELECT " n "(x::int2) FROM (VALUES (6), (3)) AS t (x) => " r), \
      WITH_OP (n, "int4 -> int4", k, o, s, \
               "SELECT " n "(x) FROM (VALUES (6), (3)) AS t (x) => " r), \
      WITH_OP (n, "int8 -> int8", k, o, s, \
               "SELECT " n "(x::int8) FROM (VALUES (6), (3)) AS t (x) => " r)
#define AT_TIME_OF(n, k, T, s, r) \
   PARTS (n, "value anyelement, time " T " -> anyelement", k, s, \
          "SELECT " n "(v, t::" T \
          ") FROM (VALUES ('a', '2020-01-01'), ('b', '2020-01-02')) AS x (v, t) => " r)
#define AT_NUMBER(n, k, T, s, r) \
   PARTS (n, "value anyelement, time " T " -> anyelement", k, s, \
          "SELECT " n "(v, t::" T ") FROM (VALUES ('a', 1), ('b', 2)) AS x (v, t) => " r)
#define AT_TIME(n, k, s, r) \
   AT_TIME_OF (n, k, "timestamptz", s, r), AT_TIME_OF (n, k, "timestamp", s, r), \
      AT_TIME_OF (n, k, "date", s, r), AT_NUMBER (n, k, "int4", s, r), \
      AT_NUMBER (n, k, "int8", s, r), AT_NUMBER (n, k, "numeric", s, r), \
      AT_NUMBER (n, k, "float8", s, r), \
      PARTS (n, "value anyelement, time text -> anyelement", k, s, \
             "SELECT " n "(v, t) FROM (VALUES ('a', 'x'), ('b', 'y')) AS x (v, t) => " r)
#define ARG_OF(n, k, T, v, w, s, r) \
   PARTS (n, "value anyelement, key " T " -> anyelement", k, s, \
          "SELECT " n "(v, k::" T ") FROM (VALUES ('a', " v "), ('b', " w ")) AS x (v, k) => " r)
#define ARG(n, k, s, r) \
   ARG_OF (n, k, "timestamptz", "'2020-01-01'", "'2020-01-02'", s, r), \
      ARG_OF (n, k, "timestamp", "'2020-01-01'", "'2020-01-02'", s, r), \
      ARG_OF (n, k, "date", "'2020-01-01'", "'2020-01-02'", s, r), \
      ARG_OF (n, k, "int4", "1", "2", s, r), ARG_OF (n, k, "int8", "1", "2", s, r), \
      ARG_OF (n, k, "numeric", "1", "2", s, r), ARG_OF (n, k, "float8", "1", "2", s, r), \
      ARG_OF (n, k, "text", "'x'", "'y'", s, r)
#define ARG_MIN(n) \
   ARG (n, arg_min, "value of the row with the smallest key; rows with NULL don't count", "a")
#define ARG_MAX(n) \
   ARG (n, arg_max, "value of the row with the largest key; rows with NULL don't count", "b")
#define MEDIAN(T, ret, f, a, b, r) \
   FORM ("median", T " -> " ret, median, f, "value in the middle of the order", \
         "SELECT median(x::" T ") FROM (VALUES (" a "), (" b ")) AS t (x) => " r)
#define QUANTILE_OF(T, v, w, q, r) \
   PARTS ("approx_quantile", "value " T ", fraction float8 -> " T, quantile, \
          "value at a fraction of the order, in bounded memory; about, if there are many values", \
          "SELECT approx_quantile(x::" T ", 0.5) FROM (VALUES (" v "), (" w ")) AS t (x) => " q), \
      PARTS ( \
         "approx_quantile", "value " T ", fractions float8[] -> " T "[]", quantile, \
         "values at several fractions of the order, in bounded memory; about, if they are many", \
         "SELECT approx_quantile(x::" T ", ARRAY[0, 1]) FROM (VALUES (" v "), (" w \
         ")) AS t (x) => " r)
#define ORDERED(T, v, r) \
   AGG ("min", T " -> " T, MT_AGG_MIN, "smallest non-NULL value", \
        "SELECT min(x::" T ") FROM (VALUES (" v "), (NULL)) AS t (x) => " r), \
      AGG ("max", T " -> " T, MT_AGG_MAX, "largest non-NULL value", \
           "SELECT max(x::" T ") FROM (VALUES (" v "), (NULL)) AS t (x) => " r)

/* A row of an aggregate that reduces a series to n points; n may be at most `most`. */
#define POINTS(n, o, most, s, r) \
   {.name = n, \
    .signature = "time timestamptz, value float8, n int4 -> document", \
    .rule = MT_AGG_PARTS, \
    .kind = &mt_agg_series, \
    .form = most, \
    .op = o, \
    .summary = s, \
    .example = "SELECT " n "(t, v, 2) FROM (VALUES (timestamptz '2020-01-01', 1), ('2020-01-02', " \
               "9)) AS x (t, v) => " r}

const MtAgg mt_agg_rows[] = {
   AGG ("count", "-> int8", MT_AGG_COUNT_STAR, "number of rows",
        "SELECT count(*) FROM (VALUES (1), (NULL)) AS t (x) => 2"),
   AGG ("count", "any -> int8", MT_AGG_COUNT, "number of rows where the value isn't NULL",
        "SELECT count(x) FROM (VALUES (1), (NULL)) AS t (x) => 1"),
   AGG ("sum", "int2 -> int8", MT_AGG_SUM, "sum of non-NULL values",
        "SELECT sum(x::int2) FROM (VALUES (1), (2)) AS t (x) => 3"),
   AGG ("sum", "int4 -> int8", MT_AGG_SUM, "sum of non-NULL values",
        "SELECT sum(x) FROM (VALUES (1), (2)) AS t (x) => 3"),
   AGG ("sum", "int8 -> numeric", MT_AGG_SUM, "sum of non-NULL values, exact",
        "SELECT sum(x::int8) FROM (VALUES (1), (2)) AS t (x) => 3"),
   AGG ("sum", "numeric -> numeric", MT_AGG_SUM, "sum of non-NULL values, exact",
        "SELECT sum(x) FROM (VALUES (1.5), (2.5)) AS t (x) => 4.0"),
   AGG ("sum", "float4 -> float4", MT_AGG_SUM, "sum of non-NULL values",
        "SELECT sum(x::float4) FROM (VALUES (1.5), (2.5)) AS t (x) => 4"),
   AGG ("sum", "float8 -> float8", MT_AGG_SUM, "sum of non-NULL values",
        "SELECT sum(x::float8) FROM (VALUES (1.5), (2.5)) AS t (x) => 4"),
   PARTS ("sum", "interval -> interval", interval_sum, "sum of non-NULL values",
          "SELECT sum(x::interval) FROM (VALUES ('1 day'), ('2 h')) AS t (x) => 1 day 02:00:00"),
   AGG ("avg", "int2 -> numeric", MT_AGG_AVG, "average of non-NULL values, exact",
        "SELECT avg(x::int2) FROM (VALUES (1), (2)) AS t (x) => 1.5000000000000000"),
   AGG ("avg", "int4 -> numeric", MT_AGG_AVG, "average of non-NULL values, exact",
        "SELECT avg(x) FROM (VALUES (1), (2)) AS t (x) => 1.5000000000000000"),
   AGG ("avg", "int8 -> numeric", MT_AGG_AVG, "average of non-NULL values, exact",
        "SELECT avg(x::int8) FROM (VALUES (1), (2)) AS t (x) => 1.5000000000000000"),
   AGG ("avg", "numeric -> numeric", MT_AGG_AVG, "average of non-NULL values, exact",
        "SELECT avg(x) FROM (VALUES (1.5), (2.5)) AS t (x) => 2.0000000000000000"),
   AGG ("avg", "float4 -> float8", MT_AGG_AVG, "average of non-NULL values",
        "SELECT avg(x::float4) FROM (VALUES (1.5), (2.5)) AS t (x) => 2"),
   AGG ("avg", "float8 -> float8", MT_AGG_AVG, "average of non-NULL values",
        "SELECT avg(x::float8) FROM (VALUES (1.5), (2.5)) AS t (x) => 2"),
   FORM ("avg", "interval -> interval", interval_sum, MT_AGG_AVERAGE, "average of non-NULL values",
         "SELECT avg(x::interval) FROM (VALUES ('1 day'), ('2 h')) AS t (x) => 13:00:00"),
   ORDERED ("int2", "1", "1"),
   ORDERED ("int4", "1", "1"),
   ORDERED ("int8", "1", "1"),
   ORDERED ("oid", "1", "1"),
   ORDERED ("float4", "1.5", "1.5"),
   ORDERED ("float8", "1.5", "1.5"),
   ORDERED ("numeric", "1.5", "1.5"),
   ORDERED ("text", "'a'", "a"),
   ORDERED ("bpchar", "'a'", "a"),
   ORDERED ("date", "'2020-01-01'", "2020-01-01"),
   ORDERED ("time", "'10:00'", "10:00:00"),
   ORDERED ("timestamp", "'2020-01-01'", "2020-01-01 00:00:00"),
   ORDERED ("timestamptz", "'2020-01-01'", "2020-01-01 00:00:00+00"),
   PARTS ("min", "anyenum -> anyenum", ranked_min, "smallest non-NULL value",
          "SELECT min('ok'::mood) => ok"),
   PARTS ("max", "anyenum -> anyenum", ranked_max, "largest non-NULL value",
          "SELECT max('ok'::mood) => ok"),
   PARTS ("min", "interval -> interval", ranked_min, "smallest non-NULL value",
          "SELECT min(x::interval) FROM (VALUES ('1 mon'), ('40 days')) AS t (x) => 1 mon"),
   PARTS ("max", "interval -> interval", ranked_max, "largest non-NULL value",
          "SELECT max(x::interval) FROM (VALUES ('1 mon'), ('40 days')) AS t (x) => 40 days"),
   ORDERED ("objectid", "'507f1f77bcf86cd799439011'", "507f1f77bcf86cd799439011"),
   AGG ("bool_and", "bool -> bool", MT_AGG_MIN, "whether all non-NULL values are true",
        "SELECT bool_and(x) FROM (VALUES (true), (false), (NULL)) AS t (x) => f"),
   AGG ("every", "bool -> bool", MT_AGG_MIN, "whether all non-NULL values are true",
        "SELECT every(x) FROM (VALUES (true), (NULL)) AS t (x) => t"),
   AGG ("bool_or", "bool -> bool", MT_AGG_MAX, "whether a value is true",
        "SELECT bool_or(x) FROM (VALUES (true), (false), (NULL)) AS t (x) => t"),
   VARIANCE ("var_pop", "VarPop", 0, "variance of the population", "1.5555555555555556",
             "1.5555555555555554"),
   VARIANCE ("var_samp", "VarSamp", MT_AGG_SAMPLE, "variance of a sample", "2.3333333333333333",
             "2.333333333333333"),
   VARIANCE ("variance", "VarSamp", MT_AGG_SAMPLE, "variance of a sample", "2.3333333333333333",
             "2.333333333333333"),
   VARIANCE ("stddev_pop", "StddevPop", MT_AGG_ROOT, "standard deviation of the population",
             "1.2472191289246471", "1.247219128924647"),
   VARIANCE ("stddev_samp", "StddevSamp", MT_AGG_SAMPLE | MT_AGG_ROOT,
             "standard deviation of a sample", "1.5275252316519467", "1.5275252316519465"),
   VARIANCE ("stddev", "StddevSamp", MT_AGG_SAMPLE | MT_AGG_ROOT, "standard deviation of a sample",
             "1.5275252316519467", "1.5275252316519465"),
   PAIRS ("corr", "Corr", "correlation of pairs without NULL", "0.9285714285714287"),
   PAIRS ("covar_pop", "CovarPop", "covariance of the population", "4.333333333333333"),
   PAIRS ("covar_samp", "CovarSamp", "covariance of a sample", "6.5"),
   PAIRS ("regr_avgx", "RegrAvgx", "average of x over pairs without NULL", "6"),
   PAIRS ("regr_avgy", "RegrAvgy", "average of y over pairs without NULL", "2.6666666666666665"),
   PARTS ("regr_count", "y float8, x float8 -> int8", pair_count, "number of pairs without NULL",
          "SELECT regr_count(y, x) FROM (VALUES (1, 2), (3, NULL)) AS t (y, x) => 1"),
   PAIRS ("regr_intercept", "RegrIntercept", "y of the least-squares line at x = 0",
          "0.8095238095238096"),
   PAIRS ("regr_r2", "RegrR2", "square of the correlation", "0.8622448979591838"),
   PAIRS ("regr_slope", "RegrSlope", "slope of the least-squares line", "0.30952380952380953"),
   PAIRS ("regr_sxx", "RegrSxx", "sum of the squares of x's deviations", "42"),
   PAIRS ("regr_sxy", "RegrSxy", "sum of the products of the deviations", "13"),
   PAIRS ("regr_syy", "RegrSyy", "sum of the squares of y's deviations", "4.666666666666666"),
   BITS ("bit_and", bits, "$_mtBitAnd", "bits that are set in all non-NULL values", "2"),
   BITS ("bit_or", bits, "$_mtBitOr", "bits that are set in any value", "7"),
   BITS ("bit_xor", bit_xor, "$_mtBitXor", "bits that are set in an odd number of values", "5"),
   PARTS (
      "string_agg", "value text, delimiter text -> text", joined,
      "non-NULL values joined; a value's delimiter is before it, except for the first value",
      "SELECT string_agg(x, ', ' ORDER BY x DESC) FROM (VALUES ('a'), ('b'), (NULL)) AS t (x) => "
      "b, a"),
   PARTS (
      "string_agg", "value bytea, delimiter bytea -> bytea", joined_bytes,
      "non-NULL values joined; a value's delimiter is before it, except for the first value",
      "SELECT string_agg(x::bytea, ',' ORDER BY x DESC) FROM (VALUES ('a'), ('b'), (NULL)) AS t "
      "(x) => \\x622c61"),
   PARTS (
      "sparkline", "value float8 -> text", sparkline,
      "a character for each non-NULL value, as high as the value between the lowest and the highest",
      "SELECT sparkline(x ORDER BY x) FROM (VALUES (1), (9), (4), (NULL)) AS t (x) => ▁▄█"),
   FORM (
      "sparkline", "value float8, min float8, max float8, width int4 -> text", sparkline,
      MT_AGG_LIMITS,
      "values between min and max (NULL: the lowest and highest value); more values than `width` (NULL: any number) become averages of equally many values",
      "SELECT sparkline(x, 0, NULL, 2 ORDER BY x) FROM generate_series(1, 8) AS x => ▃▇"),
   PARTS ("json_agg", "value any, _zone text -> json", json_array,
          "json array of the values, including NULLs",
          "SELECT json_agg(x ORDER BY x DESC) FROM (VALUES (1), (2)) AS t (x) => [2, 1]"),
   PARTS ("json_object_agg", "key any, value any, _zone text -> json", json_object,
          "json object of the keys and values",
          "SELECT json_object_agg(k, v) FROM (VALUES ('b', 1)) AS t (k, v) => { \"b\" : 1 }"),
   PARTS ("jsonb_agg", "any -> jsonb", jsonb_array, "jsonb array of the values, including NULLs",
          "SELECT jsonb_agg(x ORDER BY x DESC) FROM (VALUES (1), (2)) AS t (x) => [2, 1]"),
   PARTS (
      "jsonb_object_agg", "key any, value any -> jsonb", jsonb_object,
      "jsonb object of the keys and values",
      "SELECT jsonb_object_agg(k, v) FROM (VALUES ('b', 1), ('a', 2)) AS t (k, v) => {\"a\": 2, "
      "\"b\": 1}"),
   FORM (
      "percentile_cont", "fraction float8, value float8 -> float8", percentile, MT_AGG_CONTINUOUS,
      "value at a fraction of the order, interpolated: WITHIN GROUP (ORDER BY value)",
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (4), (8)) AS t "
      "(x) => 3"),
   FORM (
      "percentile_cont", "fraction float8, value interval -> interval", percentile,
      MT_AGG_CONTINUOUS,
      "value at a fraction of the order, interpolated: WITHIN GROUP (ORDER BY value)",
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x::interval) FROM (VALUES ('1 h'), ('2 "
      "h')) AS t (x) => 01:30:00"),
   PARTS (
      "percentile_disc", "fraction float8, value anyelement -> anyelement", percentile,
      "first value at or after a fraction of the order: WITHIN GROUP (ORDER BY value)",
      "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (4), (8)) AS t "
      "(x) => 2"),
   FORM (
      "percentile_cont", "fractions float8[], value float8 -> float8[]", percentiles,
      MT_AGG_CONTINUOUS,
      "values at several fractions of the order, interpolated: WITHIN GROUP (ORDER BY value)",
      "SELECT percentile_cont(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), "
      "(4), (8)) AS t (x) => {1.75,3}"),
   FORM (
      "percentile_cont", "fractions float8[], value interval -> interval[]", percentiles,
      MT_AGG_CONTINUOUS,
      "values at several fractions of the order, interpolated: WITHIN GROUP (ORDER BY value)",
      "SELECT percentile_cont(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY x::interval) FROM (VALUES ('1 "
      "h'), ('2 h')) AS t (x) => {01:00:00,01:30:00}"),
   PARTS (
      "percentile_disc", "fractions float8[], value anyelement -> anyarray", percentiles,
      "first values at or after several fractions of the order: WITHIN GROUP (ORDER BY value)",
      "SELECT percentile_disc(ARRAY[0.5, 1]) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (4), "
      "(8)) AS t (x) => {2,8}"),
   PARTS (
      "array_agg", "anynonarray -> anyarray", array, "array of the values, including NULLs",
      "SELECT array_agg(x ORDER BY x DESC) FROM (VALUES (1), (3), (NULL)) AS t (x) => {NULL,3,1}"),
   PARTS ("array_agg", "anyarray -> anyarray", array,
          "array of the arrays, with one dimension more",
          "SELECT array_agg(x) FROM (VALUES (ARRAY[1, 2]), ('{3,4}')) AS t (x) => {{1,2},{3,4}}"),
   PARTS ("min", "anyarray -> anyarray", ranked_min, "smallest non-NULL value",
          "SELECT min(x) FROM (VALUES (ARRAY[2]), ('{1,5}')) AS t (x) => {1,5}"),
   PARTS ("max", "anyarray -> anyarray", ranked_max, "largest non-NULL value",
          "SELECT max(x) FROM (VALUES (ARRAY[2]), ('{1,5}')) AS t (x) => {2}"),
   PARTS ("mode", "value anyelement -> anyelement", mode,
          "most frequent value, the first one if there are several: WITHIN GROUP (ORDER BY value)",
          "SELECT mode() WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (2)) AS t (x) => 2"),
   AT_TIME ("first", first, "value at the earliest time", "a"),
   AT_TIME ("last", last, "value at the latest time", "b"),
   ARG_MIN ("arg_min"),
   ARG_MAX ("arg_max"),
   ARG_MIN ("min_by"),
   ARG_MAX ("max_by"),
   PARTS ("any_value", "anyelement -> anyelement", any,
          "one of the non-NULL values, the same for every layout",
          "SELECT any_value(x) FROM (VALUES (NULL), ('a')) AS t (x) => a"),
   MEDIAN ("float8", "float8", MT_AGG_CONTINUOUS, "1", "4", "2.5"),
   MEDIAN ("interval", "interval", MT_AGG_CONTINUOUS, "'1 h'", "'2 h'", "01:30:00"),
   MEDIAN ("timestamptz", "timestamptz", MT_AGG_CONTINUOUS, "'2020-01-01'", "'2020-01-02'",
           "2020-01-01 12:00:00+00"),
   MEDIAN ("timestamp", "timestamp", MT_AGG_CONTINUOUS, "'2020-01-01'", "'2020-01-02'",
           "2020-01-01 12:00:00"),
   MEDIAN ("date", "timestamp", MT_AGG_CONTINUOUS, "'2020-01-01'", "'2020-01-02'",
           "2020-01-01 12:00:00"),
   MEDIAN ("text", "text", 0, "'b'", "'a'", "a"),
   PARTS ("mad", "value float8 -> float8", deviation,
          "median absolute deviation: median of the values' distances from their median",
          "SELECT mad(x) FROM (VALUES (1), (2), (4), (9)) AS t (x) => 1.5"),
   PARTS ("approx_count_distinct", "any -> int8", distinct,
          "number of different values, in bounded memory; about, if they are more than 4096",
          "SELECT approx_count_distinct(x) FROM (VALUES (1), (2), (2), (NULL)) AS t (x) => 2"),
   QUANTILE_OF ("float8", "1", "4", "2.5", "{1,4}"),
   QUANTILE_OF ("int8", "1", "4", "1", "{1,4}"),
   QUANTILE_OF ("date", "'2020-01-01'", "'2020-01-05'", "2020-01-01", "{2020-01-01,2020-01-05}"),
   QUANTILE_OF ("timestamp", "'2020-01-01'", "'2020-01-05'", "2020-01-01 00:00:00",
                "{\"2020-01-01 00:00:00\",\"2020-01-05 00:00:00\"}"),
   QUANTILE_OF ("timestamptz", "'2020-01-01'", "'2020-01-05'", "2020-01-01 00:00:00+00",
                "{\"2020-01-01 00:00:00+00\",\"2020-01-05 00:00:00+00\"}"),
   PARTS ("histogram", "value float8, min float8, max float8, nbuckets int4 -> int4[]", histogram,
          "counts of values below min, in nbuckets equal buckets, and at max or above",
          "SELECT histogram(x, 0, 10, 2) FROM (VALUES (1), (2), (7), (10)) AS t (x) => {0,2,1,1}"),
   POINTS ("lttb", "$_mtLttb", 100000,
           "n points that keep the shape of a series, chosen by largest triangles; see unnest",
           "[{\"time\": {\"$date\":\"2020-01-01T00:00:00Z\"}, \"value\": 1}, "
           "{\"time\": {\"$date\":\"2020-01-02T00:00:00Z\"}, \"value\": 9}]"),
   POINTS ("asap_smooth", "$_mtAsapSmooth", 10000,
           "about n points of a series, smoothed as much as its outliers allow; see unnest",
           "[{\"time\": {\"$date\":\"2020-01-01T00:00:00Z\"}, \"value\": 1}, "
           "{\"time\": {\"$date\":\"2020-01-02T00:00:00Z\"}, \"value\": 9}]"),
   {.name = NULL},
};
