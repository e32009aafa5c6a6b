/* Casts. Numbers and times have functions of their own. Other types are cast through text, with
 * PostgreSQL's output and input functions. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static int bits_of (int user) { return 16 << user; }

static void put_int (int bits, int64_t i, MtVal *out)
{
   *out = bits == 64 ? mt_v_int64 (i) : mt_v_int32 ((int32_t) i);
}

static bool fn_int_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int bits = bits_of (MT_USER (ev));
   int64_t max = INT64_MAX >> (64 - bits);
   if (a[0].i > max || a[0].i < -max - 1)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "%s out of range", mt_int_name (bits));
   put_int (bits, a[0].i, out);
   return true;
}

static bool fn_int_float (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_double (MT_USER (ev) ? (double) (float) a[0].i : (double) a[0].i);
   return true;
}

static bool fn_int_num (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_num_to_val (ev->arena, mt_num_from_int64 (a[0].i));
   return true;
}

static bool fn_float_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int bits = bits_of (MT_USER (ev));
   int64_t i;
   if (!mt_double_to_int (a[0].d, bits, &i, ev->err))
      return false;
   put_int (bits, i, out);
   return true;
}

static bool fn_float_float (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double d = a[0].d;
   float f = (float) d;
   if (!MT_USER (ev)) {
      *out = a[0];
      return true;
   }
   if (isinf (f) && !isinf (d))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   if (f == 0 && d != 0)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: underflow");
   *out = mt_v_double ((double) f);
   return true;
}

static bool fn_float_num (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_num_to_val (ev->arena, MT_USER (ev) ? mt_num_from_float ((float) a[0].d)
                                                 : mt_num_from_double (a[0].d));
   return true;
}

static bool fn_num_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum x = mt_num_of (a[0]);
   int64_t i;
   if (!mt_num_to_bits (x, bits_of (MT_USER (ev)), &i, ev->err))
      return false;
   put_int (bits_of (MT_USER (ev)), i, out);
   return true;
}

static bool fn_num_float (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum x = mt_num_of (a[0]);
   double d = mt_num_to_double (x);
   bool beyond = (isinf (d) && !mt_num_is_inf (x)) || (d == 0 && mt_num_sign (x) != 0);
   if (!MT_USER (ev) && !beyond) {
      *out = mt_v_double (d);
      return true;
   }
   MtBuf buf = {0};
   float f = 0;
   mt_num_out (x, &buf); /* by way of text: this rounds once, and reports the text's error */
   bool ok = MT_USER (ev) ? mt_float_in (buf.p, buf.n, &f, ev->err)
                          : mt_double_in (buf.p, buf.n, &d, ev->err);
   mt_buf_free (&buf);
   *out = mt_v_double (MT_USER (ev) ? (double) f : d);
   return ok;
}

static bool fn_bool_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_int32 (a[0].i != 0);
   return true;
}

static bool fn_int_bool (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_bool (a[0].i != 0);
   return true;
}

static bool fn_trim (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   while (out->len && out->p[out->len - 1] == ' ')
      out->len--;
   return true;
}

static bool fn_keep (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

/* ---- times ---- */

static bool fn_tz_local (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z;
   MtMoment t = mt_v_moment (a[0]);
   if (!mt_zone_arg (ev, a[1], &z) || !mt_timestamptz_at_zone (t.ms, z, &t.ms, ev->err))
      return false;
   mt_put_moment (ev, t, out);
   return true;
}

static bool fn_local_tz (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z;
   MtMoment t = mt_v_moment (a[0]);
   if (!mt_zone_arg (ev, a[1], &z) || !mt_timestamp_at_zone (t.ms, z, &t.ms, ev->err))
      return false;
   mt_put_moment (ev, t, out);
   return true;
}

static bool fn_date_ts (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return mt_date_fits_timestamp (a[0], ev->err);
}

static bool fn_date_tz (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_date_fits_timestamp (a[0], ev->err) && fn_local_tz (ev, a, n, out);
}

static bool fn_ts_date (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int32_t days;
   if (!mt_timestamp_to_date (a[0].i, &days, ev->err))
      return false;
   *out = mt_v_from_days (days);
   return true;
}

static bool fn_tz_date (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal local;
   return fn_tz_local (ev, a, n, &local) && fn_ts_date (ev, &local, 1, out);
}

static bool fn_ts_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!mt_ts_is_finite (a[0].i))
      *out = mt_v_null ();
   else
      *out = mt_v_int64 (mt_timestamp_to_time (a[0].i) + mt_v_moment (a[0]).us);
   return true;
}

static bool fn_tz_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal local;
   return fn_tz_local (ev, a, n, &local) && fn_ts_time (ev, &local, 1, out);
}

static bool fn_time_interval (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_interval (ev->arena, (MtInterval) {.us = a[0].i});
   return true;
}

static bool fn_interval_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t us = mt_v_to_interval (a[0]).us % MT_DAY_US;
   *out = mt_v_int64 (us < 0 ? us + MT_DAY_US : us);
   return true;
}

static bool fn_oid_tz (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const uint8_t *p = a[0].p;
   *out = mt_v_date (
      (int64_t) ((uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8 | p[3]) *
      1000);
   return true;
}

/* ---- text ---- */

/* Casts a value to text. MT_USER (ev) is the value's type. a[1], if present, is the time zone. */
static bool fn_to_text (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTextStyle style = {.extra_float_digits = 1};
   MtBuf buf = {0};
   if (n > 1 && !mt_zone_arg (ev, a[1], &style.zone))
      return false;
   if (MT_USER (ev) == MT_T_BOOL) {
      *out = a[0].i ? mt_v_cstr ("true") : mt_v_cstr ("false");
      return true;
   }
   if (!mt_value_print (mt_type ((MtTypeId) MT_USER (ev)), a[0], &style, &buf, ev->err)) {
      mt_buf_free (&buf);
      return false;
   }
   *out = mt_text_result (ev, &buf);
   return true;
}

/* Casts text to the type MT_USER (ev). For types whose input depends on them, a[1] is the time zone
 * and a[2] the statement's time. */
static bool fn_from_text (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTextStyle style = {.extra_float_digits = 1, .exact_times = ev->exact_times};
   if (n > 2) {
      style.now_ms = a[2].i;
      if (!mt_zone_arg (ev, a[1], &style.zone))
         return false;
   }
   return mt_value_parse (ev->arena, mt_type ((MtTypeId) MT_USER (ev)), mt_v_text (a[0]), &style,
                          out, ev->err);
}

/* Casts a scalar value of a document to the type MT_USER (ev). */
static bool fn_from_doc (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t = (MtTypeId) MT_USER (ev);
   MtVal v = a[0];
   if (mt_is_number (v) && (mt_type_is_integer (t))) { /* rounds as numeric does */
      MtNum x;
      MtVal d;
      mt_num_from_val (v, &x);
      d = mt_num_to_val (ev->arena, x);
      MtEval inner = *ev;
      uintptr_t size = t == MT_T_INT4;
      if (t == MT_T_INT8)
         size = 2;
      inner.user = (void *) size;
      return fn_num_int (&inner, &d, 1, out);
   }
   if (mt_value_normalize (ev->arena, mt_type (t), v, out, ev->err))
      return true;
   return mt_error (ev->err, MT_E_PARAMETER, "cannot cast a value of BSON type %s to type %s",
                    mt_v_type_name (v), mt_type_info (t)->display);
}

#define I (MT_F_CAST | MT_F_CAST_IMPLICIT | MT_NN)
#define A (MT_F_CAST | MT_F_CAST_ASSIGN | MT_NN)
#define E (MT_F_CAST | MT_NN)
#define S MT_F_NULL_SAFE
#define C(from, to, flags, mql, op, ex) MT_ROW (to, from " -> " to, flags, mql, op, "cast", ex)
#define TOINT "{\"$toInt\": \"$1\"}"
#define TOLONG "{\"$toLong\": \"$1\"}"
#define TODOUBLE "{\"$toDouble\": \"$1\"}"
#define TODECIMAL "{\"$toDecimal\": \"$1\"}"
/* Casting a column of integers to numeric: other programs may have stored doubles, of which
 * $toDecimal alone would keep only 15 digits. */
#define INT_TODECIMAL "{\"$toDecimal\": {\"$toLong\": \"$1\"}}"
#define TOSTRING "{\"$toString\": \"$1\"}"
#define RTRIM "{\"$rtrim\": {\"input\": \"$1\", \"chars\": \" \"}}"
#define HALF_AWAY \
   "{\"$trunc\": {\"$add\": [\"$1\", {\"$cond\": [{\"$lt\": [\"$1\", 0]}, {\"$numberDecimal\": " \
   "\"-0.5\"}, {\"$numberDecimal\": \"0.5\"}]}]}}"
#define OUT(from, id, mql, flags, v, text) \
   C (from, "text", A | (flags), mql, MT_OPN ("text_from_" from, to_text, id), \
      "SELECT " v "::" from "::text => " text), \
      C (from, "varchar", A | (flags), mql, MT_OPN ("text_from_" from, to_text, id), \
         "SELECT " v "::" from "::varchar => " text)
#define IN(to, id, v, text) \
   C ("text", to, E, NULL, MT_OPN (to "_from_text", from_text, id), \
      "SELECT " v "::text::" to " => " text), \
      C ("varchar", to, E, NULL, MT_OPN (to "_from_text", from_text, id), \
         "SELECT " v "::varchar::" to " => " text)
#define IN_TIME(to, id, v, text) \
   MT_ROW (to, "text, _zone text, _now timestamptz -> " to, E | MT_F_INFINITE, NULL, \
           MT_OPN (to "_from_text", from_text, id), "cast", \
           "SELECT " v "::text::" to " => " text), \
      MT_ROW (to, "varchar, _zone text, _now timestamptz -> " to, E | MT_F_INFINITE, NULL, \
              MT_OPN (to "_from_text", from_text, id), "cast", \
              "SELECT " v "::varchar::" to " => " text)
#define FROM_DOC(from, to, id, v, text) \
   C (from, to, E | MT_F_INFINITE, NULL, MT_OPN (to "_from_doc", from_doc, id), \
      "SELECT " v "::" from "::" to " => " text)

const MtFunc mt_fn_cast[] = {
   C ("int2", "int4", I | S, TOINT, MT_OPN ("int4_from_int", int_int, 1),
      "SELECT 1::int2::int4 => 1"),
   C ("int2", "int8", I | S, TOLONG, MT_OPN ("int8_from_int", int_int, 2),
      "SELECT 1::int2::int8 => 1"),
   C ("int4", "int8", I | S, TOLONG, MT_OPN ("int8_from_int", int_int, 2), "SELECT 1::int8 => 1"),
   C ("int4", "int2", A, NULL, MT_OPN ("int2_from_int", int_int, 0), "SELECT 1::int2 => 1"),
   C ("int8", "int2", A, NULL, MT_OPN ("int2_from_int", int_int, 0), "SELECT 1::int8::int2 => 1"),
   C ("int8", "int4", A | S, TOINT, MT_OPN ("int4_from_int", int_int, 1),
      "SELECT 1::int8::int4 => 1"),
   C ("int2", "float4", I, NULL, MT_OPN ("float4_from_int", int_float, 1),
      "SELECT 1::int2::float4 => 1"),
   C ("int4", "float4", I, NULL, MT_OPN ("float4_from_int", int_float, 1), "SELECT 1::float4 => 1"),
   C ("int8", "float4", I, NULL, MT_OPN ("float4_from_int", int_float, 1),
      "SELECT 1::int8::float4 => 1"),
   C ("int2", "float8", I | S, TODOUBLE, MT_OPN ("float8_from_int", int_float, 0),
      "SELECT 1::int2::float8 => 1"),
   C ("int4", "float8", I | S, TODOUBLE, MT_OPN ("float8_from_int", int_float, 0),
      "SELECT 1::float8 => 1"),
   C ("int8", "float8", I | S, TODOUBLE, MT_OPN ("float8_from_int", int_float, 0),
      "SELECT 1::int8::float8 => 1"),
   C ("int2", "numeric", I | S, INT_TODECIMAL, MT_OPN ("numeric_from_int", int_num, 0),
      "SELECT 1::int2::numeric => 1"),
   C ("int4", "numeric", I | S, INT_TODECIMAL, MT_OPN ("numeric_from_int", int_num, 0),
      "SELECT 1::numeric => 1"),
   C ("int8", "numeric", I | S, INT_TODECIMAL, MT_OPN ("numeric_from_int", int_num, 0),
      "SELECT 1::int8::numeric => 1"),
   C ("float4", "float8", I | S, TODOUBLE, MT_OPN ("float8_from_float", float_float, 0),
      "SELECT 1.5::float4::float8 => 1.5"),
   C ("float8", "float4", A, NULL, MT_OPN ("float4_from_float", float_float, 1),
      "SELECT 1.5::float8::float4 => 1.5"),
   C ("float4", "numeric", A, NULL, MT_OPN ("numeric_from_float4", float_num, 1),
      "SELECT 1.1::float4::numeric => 1.1"),
   C ("float8", "numeric", A, NULL, MT_OPN ("numeric_from_float8", float_num, 0),
      "SELECT 1.1::float8::numeric => 1.1"),
   C ("float4", "int2", A, NULL, MT_OPN ("int2_from_float", float_int, 0),
      "SELECT 2.5::float4::int2 => 2"),
   C ("float4", "int4", A | S, "{\"$toInt\": {\"$round\": [\"$1\", 0]}}",
      MT_OPN ("int4_from_float", float_int, 1), "SELECT 2.5::float4::int4 => 2"),
   C ("float4", "int8", A | S, "{\"$toLong\": {\"$round\": [\"$1\", 0]}}",
      MT_OPN ("int8_from_float", float_int, 2), "SELECT 3.5::float4::int8 => 4"),
   C ("float8", "int2", A, NULL, MT_OPN ("int2_from_float", float_int, 0),
      "SELECT 2.5::float8::int2 => 2"),
   C ("float8", "int4", A | S, "{\"$toInt\": {\"$round\": [\"$1\", 0]}}",
      MT_OPN ("int4_from_float", float_int, 1), "SELECT 2.5::float8::int4 => 2"),
   C ("float8", "int8", A | S, "{\"$toLong\": {\"$round\": [\"$1\", 0]}}",
      MT_OPN ("int8_from_float", float_int, 2), "SELECT 3.5::float8::int8 => 4"),
   C ("numeric", "int2", A, NULL, MT_OPN ("int2_from_num", num_int, 0), "SELECT 2.5::int2 => 3"),
   C ("numeric", "int4", A | S, "{\"$toInt\": " HALF_AWAY "}", MT_OPN ("int4_from_num", num_int, 1),
      "SELECT 2.5::int4 => 3"),
   C ("numeric", "int8", A | S, "{\"$toLong\": " HALF_AWAY "}",
      MT_OPN ("int8_from_num", num_int, 2), "SELECT (-2.5)::int8 => -3"),
   C ("numeric", "float4", I, NULL, MT_OPN ("float4_from_num", num_float, 1),
      "SELECT 2.5::float4 => 2.5"),
   C ("numeric", "float8", I | S, TODOUBLE, MT_OPN ("float8_from_num", num_float, 0),
      "SELECT 2.5::float8 => 2.5"),
   C ("bool", "int4", E, "{\"$cond\": [\"$1\", 1, 0]}", MT_OPN ("int4_from_bool", bool_int, 0),
      "SELECT true::int4 => 1"),
   C ("int4", "bool", E, "{\"$ne\": [\"$1\", 0]}", MT_OPN ("bool_from_int", int_bool, 0),
      "SELECT 2::bool => t"),
   C ("text", "varchar", I | S, TOSTRING, MT_OPN ("keep", keep, 0),
      "SELECT 'a'::text::varchar => a"),
   C ("varchar", "text", I | S, TOSTRING, MT_OPN ("keep", keep, 0),
      "SELECT 'a'::varchar::text => a"),
   C ("text", "bpchar", I, RTRIM, MT_OPN ("bpchar_from_text", trim, 0),
      "SELECT 'a '::text::bpchar => a"),
   C ("varchar", "bpchar", I, RTRIM, MT_OPN ("bpchar_from_text", trim, 0),
      "SELECT 'a '::varchar::bpchar => a"),
   C ("bpchar", "text", I, RTRIM, MT_OPN ("bpchar_from_text", trim, 0),
      "SELECT 'a'::char(3)::text => a"),
   C ("bpchar", "varchar", I, RTRIM, MT_OPN ("bpchar_from_text", trim, 0),
      "SELECT 'a'::char(3)::varchar => a"),
   C ("date", "timestamp", I | S, "{\"$toDate\": \"$1\"}", MT_OPN ("ts_from_date", date_ts, 0),
      "SELECT date '2020-01-02'::timestamp => 2020-01-02 00:00:00"),
   MT_ROW ("timestamptz", "date, _zone text -> timestamptz", I, NULL,
           MT_OPN ("tz_from_date", date_tz, 0), "cast",
           "SELECT date '2020-01-02'::timestamptz => 2020-01-02 00:00:00+00"),
   MT_ROW ("timestamptz", "timestamp, _zone text -> timestamptz", I, NULL,
           MT_OPN ("tz_from_local", local_tz, 0), "cast",
           "SELECT timestamp '2020-01-02'::timestamptz => 2020-01-02 00:00:00+00"),
   MT_ROW ("timestamp", "timestamptz, _zone text -> timestamp", A, NULL,
           MT_OPN ("local_from_tz", tz_local, 0), "cast",
           "SELECT timestamptz '2020-01-02'::timestamp => 2020-01-02 00:00:00"),
   MT_ROW_STEP ("date", "timestamp -> date", A | S,
                "{\"$dateTrunc\": {\"date\": \"$1\", \"unit\": \"day\"}}",
                MT_OPN ("date_from_ts", ts_date, 0), MT_STEP_DATE, "cast",
                "SELECT timestamp '2020-01-02 03:04'::date => 2020-01-02"),
   MT_ROW_STEP ("date", "timestamptz, _zone text -> date", A, NULL,
                MT_OPN ("date_from_tz", tz_date, 0), MT_STEP_DATE, "cast",
                "SELECT timestamptz '2020-01-02 03:04'::date => 2020-01-02"),
   C ("timestamp", "time", MT_F_CAST | MT_F_CAST_ASSIGN, NULL, MT_OPN ("time_from_ts", ts_time, 0),
      "SELECT timestamp '2020-01-02 03:04'::time => 03:04:00"),
   MT_ROW ("time", "timestamptz, _zone text -> time", MT_F_CAST | MT_F_CAST_ASSIGN, NULL,
           MT_OPN ("time_from_tz", tz_time, 0), "cast",
           "SELECT timestamptz '2020-01-02 03:04'::time => 03:04:00"),
   C ("time", "interval", I, NULL, MT_OPN ("interval_from_time", time_interval, 0),
      "SELECT time '03:04'::interval => 03:04:00"),
   C ("interval", "time", A, NULL, MT_OPN ("time_from_interval", interval_time, 0),
      "SELECT interval '27:04'::time => 03:04:00"),
   C ("objectid", "timestamptz", E | S, "{\"$toDate\": \"$1\"}", MT_OPN ("tz_from_oid", oid_tz, 0),
      "SELECT '507f1f77bcf86cd799439011'::objectid::timestamptz => 2012-10-17 21:13:27+00"),
   OUT ("bool", MT_T_BOOL, "{\"$cond\": [\"$1\", \"true\", \"false\"]}", 0, "true", "true"),
   OUT ("int2", MT_T_INT2, TOSTRING, S, "1", "1"),
   OUT ("int4", MT_T_INT4, TOSTRING, S, "1", "1"),
   OUT ("int8", MT_T_INT8, TOSTRING, S, "1", "1"),
   OUT ("oid", MT_T_OID, TOSTRING, S, "1", "1"),
   OUT ("float4", MT_T_FLOAT4, NULL, 0, "1.1", "1.1"),
   OUT ("float8", MT_T_FLOAT8, NULL, 0, "1.1", "1.1"),
   OUT ("numeric", MT_T_NUMERIC, NULL, 0, "1.10", "1.10"),
   OUT ("date", MT_T_DATE, NULL, 0, "'2020-01-02'", "2020-01-02"),
   OUT ("time", MT_T_TIME, NULL, 0, "'03:04'", "03:04:00"),
   OUT ("timestamp", MT_T_TIMESTAMP, NULL, 0, "'2020-01-02'", "2020-01-02 00:00:00"),
   MT_ROW ("text", "timestamptz, _zone text -> text", A, NULL,
           MT_OPN ("text_from_timestamptz", to_text, MT_T_TIMESTAMPTZ), "cast",
           "SELECT timestamptz '2020-01-02'::text => 2020-01-02 00:00:00+00"),
   MT_ROW ("varchar", "timestamptz, _zone text -> varchar", A, NULL,
           MT_OPN ("text_from_timestamptz", to_text, MT_T_TIMESTAMPTZ), "cast",
           "SELECT timestamptz '2020-01-02'::varchar => 2020-01-02 00:00:00+00"),
   OUT ("interval", MT_T_INTERVAL, NULL, 0, "'1 day'", "1 day"),
   OUT ("uuid", MT_T_UUID, NULL, 0, "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
   OUT ("bytea", MT_T_BYTEA, NULL, 0, "'ab'", "\\x6162"),
   OUT ("jsonb", MT_T_JSONB, NULL, 0, "'[1,2]'", "[1, 2]"),
   OUT ("json", MT_T_JSON, "\"$1\"", S, "'[1,2]'", "[1,2]"),
   OUT ("objectid", MT_T_OBJECTID, TOSTRING, S, "'507f1f77bcf86cd799439011'",
        "507f1f77bcf86cd799439011"),
   OUT ("document", MT_T_DOCUMENT, NULL, 0, "'[1,2]'", "[1, 2]"),
   IN ("bool", MT_T_BOOL, "'yes'", "t"),
   IN ("int2", MT_T_INT2, "' 1 '", "1"),
   IN ("int4", MT_T_INT4, "' 1 '", "1"),
   IN ("int8", MT_T_INT8, "' 1 '", "1"),
   IN ("oid", MT_T_OID, "' 1 '", "1"),
   IN ("float4", MT_T_FLOAT4, "'1.5'", "1.5"),
   IN ("float8", MT_T_FLOAT8, "'1e3'", "1000"),
   IN ("numeric", MT_T_NUMERIC, "'1.50'", "1.50"),
   IN_TIME ("date", MT_T_DATE, "'2020-01-02'", "2020-01-02"),
   IN_TIME ("time", MT_T_TIME, "'03:04'", "03:04:00"),
   IN_TIME ("timestamp", MT_T_TIMESTAMP, "'2020-01-02'", "2020-01-02 00:00:00"),
   IN_TIME ("timestamptz", MT_T_TIMESTAMPTZ, "'2020-01-02'", "2020-01-02 00:00:00+00"),
   IN ("interval", MT_T_INTERVAL, "'1 h'", "01:00:00"),
   IN ("uuid", MT_T_UUID, "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
       "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
   IN ("bytea", MT_T_BYTEA, "'ab'", "\\x6162"),
   IN ("jsonb", MT_T_JSONB, "'{\"b\":1, \"a\":2}'", "{\"a\": 2, \"b\": 1}"),
   IN ("json", MT_T_JSON, "'{\"b\":1}'", "{\"b\":1}"),
   IN ("objectid", MT_T_OBJECTID, "'507F1F77BCF86CD799439011'", "507f1f77bcf86cd799439011"),
   FROM_DOC ("document", "bool", MT_T_BOOL, "'true'", "t"),
   FROM_DOC ("document", "int4", MT_T_INT4, "'1'", "1"),
   FROM_DOC ("document", "int8", MT_T_INT8, "'1'", "1"),
   FROM_DOC ("document", "float8", MT_T_FLOAT8, "'1.5'", "1.5"),
   FROM_DOC ("document", "numeric", MT_T_NUMERIC, "'1.50'", "1.50"),
   FROM_DOC ("document", "timestamptz", MT_T_TIMESTAMPTZ, "NULL", ""),
   {.name = NULL},
};
