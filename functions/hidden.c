/* Internal functions, which SQL can't call: type modifiers, and LIKE with ESCAPE. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"

#include <string.h>

/* Sets *out to the first `max` characters of a text. Returns false if the rest has characters other
 * than blanks. */
static bool cut (MtVal text, size_t max, MtVal *out)
{
   size_t chars = 0, i = 0, j;
   for (; i < text.len; i++)
      if ((text.p[i] & 0xC0) != 0x80 && chars++ == max)
         break;
   *out = mt_v_str ((const char *) text.p, i);
   for (j = i; j < text.len && text.p[j] == ' '; j++)
      ;
   return j == text.len;
}

static bool fn_varchar (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return cut (a[0], (size_t) a[1].i, out) || MT_USER (ev) ||
          mt_error (ev->err, MT_E_STRING_LENGTH, "value too long for type character varying(%d)",
                    (int) a[1].i);
}

static bool fn_bpchar (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!cut (a[0], (size_t) a[1].i, out) && !MT_USER (ev))
      return mt_error (ev->err, MT_E_STRING_LENGTH, "value too long for type character(%d)",
                       (int) a[1].i);
   while (out->len && out->p[out->len - 1] == ' ')
      out->len--;
   return true;
}

/* Appends the blanks that a char(n) value has in PostgreSQL. a[1] is n. */
static bool fn_bpchar_pad (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   if (!mt_value_print ((MtType) {MT_T_BPCHAR, (int16_t) a[1].i, -1}, a[0], NULL, &b, ev->err))
      return false;
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_bool_out (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_str (a[0].i ? "t" : "f", 1);
   return true;
}

/* Returns the length of an interval in microseconds by which PostgreSQL compares intervals, with 30
 * days a month and 24 hours a day. */
static bool fn_interval_length (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv = mt_v_to_interval (a[0]);
   MtInt128 days = (MtInt128) iv.months * 30 + iv.days;
   *out = mt_num_to_val (ev->arena, mt_num_from_int128 (days * 86400000000 + iv.us));
   return true;
}

static bool fn_time_shift (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t us;
   if (__builtin_add_overflow (a[0].i, a[1].i, &us)) /* after all times */
      us = a[1].i < 0 ? INT64_MIN : INT64_MAX;
   *out = mt_v_int64 (us);
   return true;
}

static int64_t power10 (int64_t n)
{
   int64_t p = 1;
   for (; n > 0; n--)
      p *= 10;
   return p;
}

static bool fn_timestamp_round (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   if (mt_ts_is_finite (a[0].i))
      mt_put_moment (ev, mt_moment_round (mt_v_moment (a[0]), power10 (6 - a[1].i)), out);
   return true;
}

static bool fn_time_round (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_int64 (mt_round_us (a[0].i, power10 (6 - a[1].i)));
   return true;
}

static bool fn_interval_round (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv = mt_v_to_interval (a[0]);
   iv.us = mt_round_us (iv.us, power10 (6 - a[1].i));
   *out = mt_v_interval (ev->arena, iv);
   return true;
}

const MtFunc mt_fn_hidden[] = {
   MT_ROW ("$bool_out", "bool -> text", MT_NN, "{\"$cond\": [\"$1\", \"t\", \"f\"]}",
           MT_OPN ("bool_out", bool_out, 0), "a boolean as concat prints it",
           "SELECT concat(true) => t"),
   MT_ROW ("$interval_length", "interval -> numeric", MT_NN, NULL,
           MT_OPN ("interval_length", interval_length, 0),
           "an interval's estimated microseconds, by which it is ordered",
           "SELECT interval '1 mon' = interval '30 days' => t"),
   MT_ROW ("$time_shift", "time, int8 -> int8", MT_NN, NULL, MT_OPN ("time_shift", time_shift, 0),
           "microseconds of a day, shifted, also beyond the day",
           "SELECT extract(epoch FROM time '00:00:01') => 1.000000"),
   MT_ROW ("$varchar", "varchar, int4 -> varchar", MT_NN, NULL, MT_OPN ("varchar", varchar, 0),
           "varchar(n) in an assignment", "SELECT 'abc'::varchar(3) => abc"),
   MT_ROW ("$varchar_cut", "varchar, int4 -> varchar", MT_NN | MT_F_NULL_SAFE, NULL,
           MT_OPN ("varchar_cut", varchar, 1), "varchar(n) in a cast",
           "SELECT 'abc'::text::varchar(2) => ab"),
   MT_ROW ("$bpchar", "bpchar, int4 -> bpchar", MT_NN, NULL, MT_OPN ("bpchar", bpchar, 0),
           "char(n) in an assignment", "SELECT 'abc'::char(3) => abc"),
   MT_ROW ("$bpchar_cut", "bpchar, int4 -> bpchar", MT_NN | MT_F_NULL_SAFE, NULL,
           MT_OPN ("bpchar_cut", bpchar, 1), "char(n) in a cast",
           "SELECT 'abc'::text::char(2) => ab"),
   MT_ROW ("$bpchar_pad", "bpchar, int4 -> text", MT_NN, NULL, MT_OPN ("bpchar_pad", bpchar_pad, 0),
           "char(n) with its blanks, as text", "SELECT 'a'::char(3) LIKE 'a__' => t"),
   MT_ROW ("$timestamp_round", "timestamptz, int4 -> timestamptz", MT_NN, NULL,
           MT_OPN ("timestamp_round", timestamp_round, 0), "timestamp(p)",
           "SELECT timestamp '2020-01-01 00:00:00.6'::timestamp(0) => 2020-01-01 00:00:01"),
   MT_ROW ("$time_round", "time, int4 -> time", MT_NN, NULL, MT_OPN ("time_round", time_round, 0),
           "time(p)", "SELECT time '00:00:00.6'::time(0) => 00:00:01"),
   MT_ROW ("$interval_round", "interval, int4 -> interval", MT_NN, NULL,
           MT_OPN ("interval_round", interval_round, 0), "interval(p)",
           "SELECT interval '1.6 s'::interval(0) => 00:00:02"),
   {.name = NULL},
};
