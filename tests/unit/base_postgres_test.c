/* Every line of data/postgres.tsv: what PostgreSQL 15 answered, and what base/ answers. */
#include "types/bucket.h"
#include "types/numeric.h"
#include "types/tz.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_ARGS 6

typedef struct Call {
   const char *arg[MAX_ARGS];
   size_t len[MAX_ARGS];
   MtBuf out;
   MtError err;
} Call;

static const MtZone *zone (Call *c, int i)
{
   const MtZone *z = NULL;
   if (c->len[i] && !mt_tz_find (c->arg[i], c->len[i], &z, &c->err))
      fail_msg ("%s", c->err.message);
   return z;
}

static MtMoment moment (Call *c, int i, const MtZone *z)
{
   MtMoment t = {0, 0};
   if (!mt_moment_in (c->arg[i], c->len[i], NULL, z != NULL, &t, &c->err))
      fail_msg ("%s", c->err.message);
   return t;
}

static int64_t stamp (Call *c, int i, const MtZone *z) { return moment (c, i, z).ms; }

static MtInterval interval (Call *c, int i)
{
   MtInterval iv = {0, 0, 0};
   if (!mt_interval_in (c->arg[i], c->len[i], &iv, &c->err))
      fail_msg ("%s", c->err.message);
   return iv;
}

static MtNum num (Call *c, int i)
{
   MtNum n = {{0, 0}};
   if (!mt_num_in (c->arg[i], c->len[i], &n, &c->err))
      fail_msg ("%s", c->err.message);
   return n;
}

static bool put_moment (Call *c, bool ok, MtMoment t, const MtZone *z)
{
   if (ok)
      mt_moment_out (t, z, &c->out);
   return ok;
}

static bool put_stamp (Call *c, bool ok, int64_t ms, const MtZone *z)
{
   if (ok && z)
      mt_timestamptz_out (ms, z, &c->out);
   else if (ok)
      mt_timestamp_out (ms, &c->out);
   return ok;
}

static bool put_iv (Call *c, bool ok, MtInterval iv)
{
   if (ok)
      mt_interval_out (iv, &c->out);
   return ok;
}

static bool put_num (Call *c, bool ok, MtNum n)
{
   if (ok)
      mt_num_out (n, &c->out);
   return ok;
}

static bool put_int (Call *c, bool ok, int64_t i)
{
   if (ok)
      mt_buf_printf (&c->out, "%lld", (long long) i);
   return ok;
}

static bool timestamptz_in (Call *c)
{
   MtTimeEnv env = {.zone = zone (c, 0)};
   MtMoment t = {0, 0};
   bool ok = mt_moment_in (c->arg[1], c->len[1], &env, true, &t, &c->err);
   return put_moment (c, ok, t, env.zone);
}

static bool timestamp_in (Call *c)
{
   MtMoment t = {0, 0};
   bool ok = mt_moment_in (c->arg[0], c->len[0], NULL, false, &t, &c->err);
   return put_moment (c, ok, t, NULL);
}

static bool date_in (Call *c)
{
   int32_t days;
   bool ok = mt_date_in (c->arg[0], c->len[0], NULL, &days, &c->err);
   if (ok)
      mt_date_out (days, &c->out);
   return ok;
}

static bool time_in (Call *c)
{
   int64_t us;
   bool ok = mt_time_in (c->arg[0], c->len[0], NULL, &us, &c->err);
   if (ok)
      mt_time_out (us, &c->out);
   return ok;
}

static bool interval_in (Call *c)
{
   MtInterval iv = {0, 0, 0};
   bool ok = mt_interval_in (c->arg[0], c->len[0], &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool put_part (Call *c, bool ok, MtNum n, bool is_null)
{
   if (ok && is_null)
      mt_buf_adds (&c->out, "NULL");
   return ok && is_null ? true : put_num (c, ok, n);
}

static bool extract (Call *c)
{
   const MtZone *z = zone (c, 0);
   MtNum n = {{0, 0}};
   bool is_null = false, ok = mt_extract ((MtStr) {c->arg[1], c->len[1]}, moment (c, 2, z), z, &n,
                                          &is_null, &c->err);
   return put_part (c, ok, n, is_null);
}

static bool extract_date (Call *c)
{
   MtNum n = {{0, 0}};
   int32_t days = 0;
   bool is_null = false;
   assert_true (mt_date_in (c->arg[1], c->len[1], NULL, &days, &c->err));
   bool ok = mt_extract_date (c->arg[0], c->len[0], days, &n, &is_null, &c->err);
   return put_part (c, ok, n, is_null);
}

static bool extract_time (Call *c)
{
   MtNum n = {{0, 0}};
   int64_t us = 0;
   assert_true (mt_time_in (c->arg[1], c->len[1], NULL, &us, &c->err));
   bool ok = mt_extract_time (c->arg[0], c->len[0], us, &n, &c->err);
   return put_num (c, ok, n);
}

static bool extract_interval (Call *c)
{
   MtNum n = {{0, 0}};
   bool ok = mt_extract_interval (c->arg[0], c->len[0], interval (c, 1), &n, &c->err);
   return put_num (c, ok, n);
}

static bool date_trunc (Call *c)
{
   const MtZone *z = zone (c, 0);
   MtMoment t = {0, 0};
   bool ok = mt_date_trunc (c->arg[1], c->len[1], moment (c, 2, z), z, &t, &c->err);
   return put_moment (c, ok, t, z);
}

static bool interval_trunc (Call *c)
{
   MtInterval iv = {0, 0, 0};
   bool ok = mt_interval_trunc (c->arg[0], c->len[0], interval (c, 1), &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool add (Call *c)
{
   const MtZone *z = zone (c, 0);
   MtMoment t = {0, 0};
   bool ok = mt_moment_add (moment (c, 1, z), interval (c, 2), z, &t, &c->err);
   return put_moment (c, ok, t, z);
}

static bool sub (Call *c)
{
   MtInterval iv = {0, 0, 0};
   bool ok = mt_ts_sub (moment (c, 0, NULL), moment (c, 1, NULL), &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool age (Call *c)
{
   MtInterval iv = {0, 0, 0};
   const MtZone *z = zone (c, 0);
   bool ok = mt_age (moment (c, 1, z), moment (c, 2, z), z, &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool scale_interval (Call *c, bool (*f) (MtInterval, double, MtInterval *, MtError *))
{
   MtInterval iv = {0, 0, 0};
   bool ok = f (interval (c, 0), strtod (c->arg[1], NULL), &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool interval_mul (Call *c) { return scale_interval (c, mt_interval_mul); }
static bool interval_div (Call *c) { return scale_interval (c, mt_interval_div); }

static bool justify (Call *c, bool (*f) (MtInterval, MtInterval *, MtError *))
{
   MtInterval iv = {0, 0, 0};
   bool ok = f (interval (c, 0), &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool justify_hours (Call *c) { return justify (c, mt_justify_hours); }
static bool justify_days (Call *c) { return justify (c, mt_justify_days); }
static bool justify_interval (Call *c) { return justify (c, mt_justify_interval); }

static bool interval_add (Call *c)
{
   MtInterval iv = {0, 0, 0};
   bool ok = mt_interval_add (interval (c, 0), interval (c, 1), &iv, &c->err);
   return put_iv (c, ok, iv);
}

static bool interval_compare (Call *c)
{
   return put_int (c, true, mt_interval_compare (interval (c, 0), interval (c, 1)));
}

static bool date_bin (Call *c)
{
   int64_t ms = 0;
   bool ok = mt_date_bin (interval (c, 0), stamp (c, 1, NULL), stamp (c, 2, NULL), &ms, &c->err);
   return put_stamp (c, ok, ms, NULL);
}

static bool at_zone (Call *c)
{
   const MtZone *z;
   int64_t ms = 0;
   bool ok = mt_tz_find (c->arg[1], c->len[1], &z, &c->err) &&
             mt_timestamp_at_zone (stamp (c, 0, NULL), z, &ms, &c->err);
   return put_stamp (c, ok, ms, mt_tz_utc ());
}

static bool to_zone (Call *c)
{
   const MtZone *z;
   int64_t ms = 0;
   bool ok = mt_tz_find (c->arg[1], c->len[1], &z, &c->err) &&
             mt_timestamptz_at_zone (stamp (c, 0, mt_tz_utc ()), z, &ms, &c->err);
   return put_stamp (c, ok, ms, NULL);
}

static bool num_in (Call *c)
{
   MtNum n = {{0, 0}};
   bool ok = mt_num_in (c->arg[0], c->len[0], &n, &c->err);
   return put_num (c, ok, n);
}

static bool one (Call *c, bool (*f) (MtNum, MtNum *, MtError *))
{
   MtNum n = {{0, 0}};
   bool ok = f (num (c, 0), &n, &c->err);
   return put_num (c, ok, n);
}

static bool two (Call *c, bool (*f) (MtNum, MtNum, MtNum *, MtError *))
{
   MtNum n = {{0, 0}};
   bool ok = f (num (c, 0), num (c, 1), &n, &c->err);
   return put_num (c, ok, n);
}

static bool num_ceil (Call *c) { return put_num (c, true, mt_num_ceil (num (c, 0))); }
static bool num_floor (Call *c) { return put_num (c, true, mt_num_floor (num (c, 0))); }
static bool num_abs (Call *c) { return put_num (c, true, mt_num_abs (num (c, 0))); }
static bool num_trim_scale (Call *c) { return put_num (c, true, mt_num_trim_scale (num (c, 0))); }
static bool num_sqrt (Call *c) { return one (c, mt_num_sqrt); }
static bool num_exp (Call *c) { return one (c, mt_num_exp); }
static bool num_ln (Call *c) { return one (c, mt_num_ln); }
static bool num_log (Call *c) { return one (c, mt_num_log10); }
static bool num_add (Call *c) { return two (c, mt_num_add); }
static bool num_sub (Call *c) { return two (c, mt_num_sub); }
static bool num_mul (Call *c) { return two (c, mt_num_mul); }
static bool num_div (Call *c) { return two (c, mt_num_div); }
static bool num_divt (Call *c) { return two (c, mt_num_div_trunc); }
static bool num_mod (Call *c) { return two (c, mt_num_mod); }
static bool num_power (Call *c) { return two (c, mt_num_power); }
static bool num_logb (Call *c) { return two (c, mt_num_log); }
static bool num_compare (Call *c)
{
   return put_int (c, true, mt_num_compare (num (c, 0), num (c, 1)));
}
static bool num_round (Call *c)
{
   return put_num (c, true, mt_num_round (num (c, 0), atoi (c->arg[1])));
}
static bool num_trunc (Call *c)
{
   return put_num (c, true, mt_num_trunc (num (c, 0), atoi (c->arg[1])));
}

static bool num_typmod (Call *c)
{
   MtNum n = {{0, 0}};
   bool ok = mt_num_typmod (num (c, 0), atoi (c->arg[1]), atoi (c->arg[2]), &n, &c->err);
   return put_num (c, ok, n);
}

static bool num_to_smallint (Call *c)
{
   int16_t i = 0;
   bool ok = mt_num_to_int16 (num (c, 0), &i, &c->err);
   return put_int (c, ok, i);
}

static bool num_to_integer (Call *c)
{
   int32_t i = 0;
   bool ok = mt_num_to_int32 (num (c, 0), &i, &c->err);
   return put_int (c, ok, i);
}

static bool num_to_bigint (Call *c)
{
   int64_t i = 0;
   bool ok = mt_num_to_int64 (num (c, 0), &i, &c->err);
   return put_int (c, ok, i);
}

static bool num_to_double (Call *c)
{
   mt_double_out (mt_num_to_double (num (c, 0)), &c->out);
   return true;
}

static bool double_text (Call *c)
{
   double d;
   bool ok = mt_double_in (c->arg[0], c->len[0], &d, &c->err);
   if (ok)
      mt_double_out (d, &c->out);
   return ok;
}

static bool real_text (Call *c)
{
   float f;
   bool ok = mt_float_in (c->arg[0], c->len[0], &f, &c->err);
   if (ok)
      mt_float_out (f, &c->out);
   return ok;
}

static bool double_to_numeric (Call *c)
{
   double d = 0;
   bool ok = mt_double_in (c->arg[0], c->len[0], &d, &c->err);
   return put_num (c, ok, mt_num_from_double (d));
}

static bool double_to_integer (Call *c)
{
   double d = 0;
   int64_t i = 0;
   bool ok = mt_double_in (c->arg[0], c->len[0], &d, &c->err) &&
             mt_double_to_int (d, 32, &i, &c->err);
   return put_int (c, ok, i);
}

static bool int_text (Call *c, int bits)
{
   int64_t i = 0;
   bool ok = mt_int_in (c->arg[0], c->len[0], bits, &i, &c->err);
   return put_int (c, ok, i);
}

static bool smallint_text (Call *c) { return int_text (c, 16); }
static bool integer_text (Call *c) { return int_text (c, 32); }
static bool bigint_text (Call *c) { return int_text (c, 64); }

static bool boolean_text (Call *c)
{
   bool b, ok = mt_bool_in (c->arg[0], c->len[0], &b, &c->err);
   if (ok)
      mt_buf_adds (&c->out, b ? "true" : "false");
   return ok;
}

static const struct {
   const char *name;
   bool (*run) (Call *c);
} calls[] = {
   {"timestamptz_in", timestamptz_in},
   {"timestamp_in", timestamp_in},
   {"date_in", date_in},
   {"time_in", time_in},
   {"interval_in", interval_in},
   {"extract", extract},
   {"extract_date", extract_date},
   {"extract_time", extract_time},
   {"extract_interval", extract_interval},
   {"date_trunc", date_trunc},
   {"interval_trunc", interval_trunc},
   {"add", add},
   {"sub", sub},
   {"age", age},
   {"interval_mul", interval_mul},
   {"interval_div", interval_div},
   {"justify_hours", justify_hours},
   {"justify_days", justify_days},
   {"justify_interval", justify_interval},
   {"interval_add", interval_add},
   {"interval_compare", interval_compare},
   {"date_bin", date_bin},
   {"at_zone", at_zone},
   {"to_zone", to_zone},
   {"num_in", num_in},
   {"num_ceil", num_ceil},
   {"num_floor", num_floor},
   {"num_abs", num_abs},
   {"num_trim_scale", num_trim_scale},
   {"num_sqrt", num_sqrt},
   {"num_exp", num_exp},
   {"num_ln", num_ln},
   {"num_log", num_log},
   {"num_add", num_add},
   {"num_sub", num_sub},
   {"num_mul", num_mul},
   {"num_div", num_div},
   {"num_divt", num_divt},
   {"num_mod", num_mod},
   {"num_power", num_power},
   {"num_logb", num_logb},
   {"num_compare", num_compare},
   {"num_round", num_round},
   {"num_trunc", num_trunc},
   {"num_typmod", num_typmod},
   {"num_to_smallint", num_to_smallint},
   {"num_to_integer", num_to_integer},
   {"num_to_bigint", num_to_bigint},
   {"num_to_double", num_to_double},
   {"double", double_text},
   {"real", real_text},
   {"double_to_numeric", double_to_numeric},
   {"double_to_integer", double_to_integer},
   {"smallint", smallint_text},
   {"integer", integer_text},
   {"bigint", bigint_text},
   {"boolean", boolean_text},
};

/* Answers that need more than Decimal128's 34 digits differ by design. */
static bool beyond_decimal128 (const char *answer)
{
   int digits = 0;
   bool leading = true;
   for (const char *p = answer; *p; p++) {
      if (*p >= '1' && *p <= '9')
         leading = false;
      digits += *p >= '0' && *p <= '9' && !leading;
   }
   return answer[0] != '!' && digits > 34;
}

/* One line, its fields cut by tabs. True when base/ agrees. */
static bool check (char *line)
{
   Call c = {0};
   char *field[MAX_ARGS + 2];
   size_t n = 0;
   for (char *p = line; p && n < MAX_ARGS + 2; n++) {
      field[n] = p;
      p = strchr (p, '\t');
      if (p)
         *p++ = 0;
   }
   assert_true (n >= 3);
   for (size_t i = 1; i + 1 < n; i++) {
      c.arg[i - 1] = field[i];
      c.len[i - 1] = strlen (field[i]);
   }
   const char *want = field[n - 1];
   size_t k = 0;
   while (k < sizeof calls / sizeof *calls && strcmp (calls[k].name, field[0]) != 0)
      k++;
   if (k == sizeof calls / sizeof *calls)
      fail_msg ("no call \"%s\"", field[0]);
   if (!calls[k].run (&c)) {
      mt_buf_clear (&c.out);
      mt_buf_printf (&c.out, "!%s %s", c.err.sqlstate, c.err.message);
   }
   const char *got = c.out.p ? c.out.p : "";
   bool ok = strcmp (got, want) == 0 || beyond_decimal128 (want);
   if (!ok) {
      fprintf (stderr, "%s", field[0]);
      for (size_t i = 1; i + 1 < n; i++)
         fprintf (stderr, " <%s>", field[i]);
      fprintf (stderr, "\n   PostgreSQL: %s\n   here:       %s\n", want, got);
   }
   mt_buf_free (&c.out);
   return ok;
}

static void as_postgresql (void **state)
{
   char path[] = __FILE__, file[512], line[4096];
   *strrchr (path, '/') = 0;
   snprintf (file, sizeof file, "%s", getenv ("MT_POSTGRES_TSV") ? getenv ("MT_POSTGRES_TSV") : "");
   if (!file[0])
      snprintf (file, sizeof file, "%s/data/postgres.tsv", path);
   FILE *f = fopen (file, "r");
   if (!f)
      fail_msg ("no %s", file);
   int lines = 0, wrong = 0;
   while (fgets (line, sizeof line, f)) {
      line[strcspn (line, "\n")] = 0;
      lines++;
      wrong += !check (line);
   }
   fclose (f);
   assert_true (lines > 1000);
   if (wrong)
      fail_msg ("%d of %d differ", wrong, lines);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (as_postgresql)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
