/* What the tests of binder, emitter and functions share: a table, and statements to typed trees. */
#ifndef BIND_ENV_H
#define BIND_ENV_H

#include "session/core/core.h"
#include "types/enum.h"
#include "types/tz.h"
#include "parser/parser.h"
#include "analyze/bind.h"
#include "planner/emit/emit.h"
#include "session/state/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define T(id) {MT_T_##id, -1, -1}

static MtColumn bind_env_columns[] = {
   {.name = "ts", .type = T (TIMESTAMPTZ), .role = MT_COL_TIME, .not_null = true, .field = "ts"},
   {.name = "a", .type = T (INT4), .field = "a"},
   {.name = "b", .type = T (INT8), .not_null = true, .field = "b"},
   {.name = "d", .type = T (FLOAT8), .field = "d"},
   {.name = "n", .type = T (NUMERIC), .field = "n"},
   {.name = "s", .type = T (TEXT), .field = "s"},
   {.name = "flag", .type = T (BOOL), .field = "flag"},
   {.name = "vCmdid", .type = T (TEXT), .role = MT_COL_DIMENSION, .field = "vCmdid"},
   {.name = "iv", .type = T (INTERVAL), .field = "iv"},
   {.name = "dt", .type = T (DATE), .field = "dt"},
   {.name = "Dup", .type = T (INT4), .field = "Dup"},
   {.name = "dUp", .type = T (INT4), .field = "dUp"},
};
#define BIND_ENV_COLUMNS (sizeof bind_env_columns / sizeof *bind_env_columns)

static MtTable bind_env_table = {.name = "calls",
                                 .columns = bind_env_columns,
                                 .column_count = BIND_ENV_COLUMNS,
                                 .time_column = 0};

static bool bind_env_find (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                           MtError *err)
{
   *out = (name->quoted ? strcmp : strcasecmp) (name->text, "calls") == 0 ? &bind_env_table : NULL;
   return true;
}

static const char *const *bind_env_tables (void *ctx, size_t *count)
{
   static const char *const names[] = {"calls"};
   *count = 1;
   return names;
}

/* What functions over the catalog look up: of an empty store. */
static MtSession *bind_env_session;

static void bind_env_close (void) { mt_close (bind_env_session); }

static MtSession *bind_env_catalog (void)
{
   MtError err;
   if (!bind_env_session && mt_open (&(MtOpenOptions) {0}, &bind_env_session, &err))
      atexit (bind_env_close);
   return bind_env_session;
}

static bool bind_env_look_up (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err)
{
   return mt_system_lookup (bind_env_catalog (), a, what, out, err);
}

static bool bind_env_name (void *ctx, MtTypeId t, int64_t oid, MtBuf *out)
{
   return mt_system_print_oid (bind_env_catalog (), t, oid, out);
}

/* The enumerated type of examples. */
static bool bind_env_type (void *ctx, const char *name, MtTypeId *out)
{
   static const char *const labels[] = {"sad", "ok", "happy"};
   *out = mt_enum_id (mt_str ("0123456789abcdef01234567"));
   mt_enum_define (*out, "mood", (const uint32_t[]) {70000001, 70000002}, labels, 3);
   return strcasecmp (name, "mood") == 0;
}

/* The domain of examples. */
static bool bind_env_domain (void *ctx, MtArena *a, const char *name, MtDomain *out)
{
   static struct MtDomainCheck check = {"positive_check", "VALUE > 0", 0};
   *out = (MtDomain) {
      .name = "positive", .base = T (INT4), .not_null = true, .checks = &check, .check_count = 1};
   return strcasecmp (name, "positive") == 0;
}

static MtBindEnv bind_env (void)
{
   static const MtOidNames names = {bind_env_name, NULL};
   return (MtBindEnv) {.lookup = bind_env_look_up,
                       .table = bind_env_find,
                       .tables = bind_env_tables,
                       .type = bind_env_type,
                       .domain = bind_env_domain,
                       .style = {.zone = mt_tz_utc (),
                                 .now_ms = INT64_C (1600000000123),
                                 .statement_ms = INT64_C (1600000000123),
                                 .extra_float_digits = 1,
                                 .names = &names}};
}

static inline bool bind_env_sql (MtArena *a, const MtBindEnv *env, const char *sql, MtQuery **q,
                                 MtError *err)
{
   MtStmt *st;
   return mt_parse (a, sql, strlen (sql), &st, err) && mt_bind_select (a, env, st->select, q, err);
}

static inline void bind_env_error (const MtError *err, MtBuf *out)
{
   mt_buf_printf (out, "ERROR %s %s", err->sqlstate, err->message);
   if (err->span.start >= 0)
      mt_buf_printf (out, " @%d", err->span.start);
   if (err->detail[0])
      mt_buf_printf (out, " DETAIL %s", err->detail);
   if (err->hint[0])
      mt_buf_printf (out, " HINT %s", err->hint);
}

/* Reads a file of pairs of lines: a statement, then "=> " and what is expected; other lines are
 * comments. Calls answer for each, compares. With ACCEPT=1 in the environment the file is written
 * anew instead. Returns the number of differences; *count of pairs. */
static inline int bind_env_file (const char *path, void (*answer) (const char *sql, MtBuf *out),
                                 int *count)
{
   char line[4096], sql[4096] = "";
   MtBuf got = {0}, whole = {0};
   int bad = 0;
   FILE *f = fopen (path, "r");
   *count = 0;
   if (!f)
      return -1;
   while (fgets (line, sizeof line, f)) {
      line[strcspn (line, "\n")] = 0;
      bool expected = strncmp (line, "=> ", 3) == 0;
      if (!expected) {
         mt_buf_printf (&whole, "%s\n", line);
         snprintf (sql, sizeof sql, "%s", line);
         continue;
      }
      mt_buf_clear (&got);
      answer (sql, &got);
      mt_buf_printf (&whole, "=> %s\n", got.p);
      ++*count;
      if (strcmp (line + 3, got.p)) {
         fprintf (stderr, "%s\n   expected %s\n   got      %s\n", sql, line + 3, got.p);
         bad++;
      }
   }
   fclose (f);
   if (getenv ("ACCEPT") && (f = fopen (path, "w"))) {
      fwrite (whole.p, 1, whole.n, f);
      fclose (f);
      bad = 0;
   }
   mt_buf_free (&got);
   mt_buf_free (&whole);
   return bad;
}

#endif
