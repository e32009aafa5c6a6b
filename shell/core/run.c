/* Runs statements: their transactions, results, errors and execution times. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Prints the time of a statement, without the time that the user spent in the pager. */
static void elapsed (MtShell *sh, double ms)
{
   if (!sh->timing)
      return;
   FILE *f = sh->display.o.format->for_programs ? stderr : stdout;
   ms -= sh->pager_ms;
   double plan = mt_planning_ms (sh->session) - sh->planned_ms, run = ms - plan - sh->print_ms;
   unsigned long s = (unsigned long) (ms / 1000);
   fprintf (f, "Time: %.3f ms (", ms);
   if (s >= 3600)
      fprintf (f, "%02lu:%02lu:%06.3f, ", s / 3600, s / 60 % 60,
               ms / 1000 - (double) (s / 60 * 60));
   else if (s)
      fprintf (f, "%02lu:%06.3f, ", s / 60, ms / 1000 - (double) (s / 60 * 60));
   fprintf (f, "plan %.3f, run %.3f, print %.3f)\n", plan, run > 0 ? run : 0, sh->print_ms);
   fflush (f);
}

static bool drain (MtResult *r, MtError *err)
{
   bool more, ok;
   while ((ok = mt_result_next (r, &more, err)) && more)
      ;
   return ok;
}

static bool word_is (const char *tag, const char *word)
{
   size_t n = strlen (word);
   return strncmp (tag, word, n) == 0 && (tag[n] == ' ' || !tag[n]);
}

/* Prints the command tag, but not after the rows of a SELECT and the like. */
static void print_tag (MtShell *sh, const MtResult *r, bool had_rows)
{
   const char *tag = mt_result_tag (r);
   if (!tag || !*tag || mt_var_bool (&sh->vars, "QUIET", false) ||
       sh->display.o.format->for_programs)
      return;
   static const char *const silent[] = {"SELECT", "SHOW", "EXPLAIN", "VALUES", "FETCH"};
   for (size_t i = 0; had_rows && i < sizeof silent / sizeof *silent; i++) {
      if (word_is (tag, silent[i]))
         return;
   }
   fprintf (mt_output (sh), "%s\n", tag);
   fflush (mt_output (sh));
}

static uint64_t tag_rows (const char *tag)
{
   const char *last = tag ? strrchr (tag, ' ') : NULL;
   return last ? strtoull (last + 1, NULL, 10) : 0;
}

/* ---- running a statement ---- */

/* Reads, prints and frees one result. last: it is the last result of its text, which commands such
 * as \gset use. */
static bool take (MtShell *sh, MtResult *r, bool last, uint64_t *rows, MtError *err)
{
   bool had_rows = mt_result_has_rows (r), describes = sh->go.kind == MT_GO_DESCRIBE;
   bool ok = had_rows ? mt_rows_take (sh, r, last, rows, err) : drain (r, err);
   ok = ok && mt_result_verdict (r, err);
   mt_progress_clear (sh);
   if (ok && describes && !had_rows)
      fputs ("The command has no result, or the result has no columns.\n", mt_output (sh));
   else if (ok && !sh->copied_out) /* COPY TO STDOUT prints only its data */
      print_tag (sh, r, had_rows);
   if (ok && !had_rows)
      *rows = tag_rows (mt_result_tag (r));
   mt_result_free (r);
   return ok;
}

/* Runs the statements of a text one after the other. *rows is the number of rows of the last
 * result. */
static bool run_script (MtShell *sh, MtScript *script, uint64_t *rows, MtError *err)
{
   MtResult *r = NULL;
   bool ok = true;
   while (ok && !script->last && (ok = mt_script_next (sh->session, script, &r, err)) && r) {
      *rows = 0;
      ok = take (sh, r, script->last, rows, err);
      if (!script->last)
         mt_copy_end (sh);
      sh->copied_out = false;
   }
   mt_script_close (sh->session);
   return ok;
}

static bool describe (MtShell *sh, const MtScript *script, uint64_t *rows, MtError *err)
{
   MtResult *r = NULL;
   return mt_describe (sh->session, script->sql, (long) script->len, &r, err) &&
          take (sh, r, true, rows, err);
}

/* Runs a statement with the parameters given by \bind. */
static bool run_bound (MtShell *sh, MtScript *script, uint64_t *rows, MtError *err)
{
   MtResult *r = NULL;
   MtPrepared *p = NULL;
   MtVal *values = mt_calloc ("parameters", sh->bound_count + 1, sizeof *values);
   for (size_t i = 0; i < sh->bound_count; i++)
      values[i] = mt_v_str (sh->bound[i], strlen (sh->bound[i]));
   bool ok = mt_prepare (sh->session, script->sql, (long) script->len, &p, err) &&
             mt_execute (p, values, sh->bound_count, &r, err) && take (sh, r, true, rows, err);
   mt_prepared_free (p);
   free (values);
   return ok;
}

/* Runs a text of statements, and sets the variables that describe the outcome (ERROR, ROW_COUNT …).
 * *began: a COPY had started to read data before the error. */
static bool run (MtShell *sh, MtScript *script, MtError *err, bool *began)
{
   MtShortage shortage = {0}; /* the shell's own memory, while it prints */
   uint64_t rows = 0;
   MT_RECORD_SHORTAGE (&shortage);
   sh->copied_out = false;
   bool (*const way) (MtShell *sh, MtScript *script, uint64_t *rows,
                      MtError *err) = sh->binds ? run_bound : run_script;
   bool ok = sh->go.kind == MT_GO_DESCRIBE ? describe (sh, script, &rows, err)
                                           : way (sh, script, &rows, err);
   mt_progress_clear (sh);
   *began = sh->copy_active;
   mt_copy_end (sh);
   char text[24];
   snprintf (text, sizeof text, "%llu", (unsigned long long) (ok ? rows : 0));
   mt_var_set (&sh->vars, "ROW_COUNT", text);
   mt_var_set (&sh->vars, "ERROR", ok ? "false" : "true");
   mt_var_set (&sh->vars, "SQLSTATE", ok || !mt_error_is_set (err) ? "00000" : err->sqlstate);
   return ok;
}

static bool blank (const char *s, size_t n)
{
   for (size_t i = 0; i < n; i++) {
      if (!isspace ((unsigned char) s[i]) && s[i] != ';')
         return false;
   }
   return true;
}

static void echo (MtShell *sh, const char *sql, size_t n)
{
   const char *how = mt_var_get (&sh->vars, "ECHO");
   if (!how || strcmp (how, "queries") != 0)
      return;
   fwrite (sql, 1, n, stdout);
   putchar ('\n');
   fflush (stdout);
}

/* ---- transactions ---- */

/* Runs a statement of the shell itself, such as BEGIN, and prints nothing but its error. Returns
 * false after an error. */
static bool run_own (MtShell *sh, const char *sql)
{
   MtError err = {0};
   MtResult *r = NULL;
   bool ok = mt_query (sh->session, sql, -1, &r, &err);
   mt_result_free (r);
   if (!ok)
      mt_report_error (sh, &err, NULL, 0);
   return ok;
}

/* Returns whether a statement begins or ends a transaction block. With AUTOCOMMIT off, no block is
 * begun before such a statement. */
static bool controls_block (const char *sql, size_t n)
{
   static const char *const words[] = {"abort", "begin",    "start",  "commit",
                                       "end",   "rollback", "discard"};
   const char *word;
   size_t len = mt_scan_first_word (sql, n, &word);
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (strlen (words[i]) == len && strncasecmp (words[i], word, len) == 0)
         return true;
   return false;
}

#define OWN_SAVEPOINT "pg_psql_temporary_savepoint"

/* Begins the transaction block or the savepoint that the variables AUTOCOMMIT and ON_ERROR_ROLLBACK
 * require before a statement. *saved: a savepoint was set. */
static bool before (MtShell *sh, const char *sql, size_t n, bool *saved)
{
   const char *how = mt_var_get (&sh->vars, "ON_ERROR_ROLLBACK");
   bool saves = how && (strcmp (how, "interactive") == 0
                           ? sh->interactive
                           : mt_var_bool (&sh->vars, "ON_ERROR_ROLLBACK", false));
   bool controls = controls_block (sql, n);
   *saved = false;
   if (mt_transaction_state (sh->session) == MT_TRANSACTION_NONE && !controls &&
       !mt_var_bool (&sh->vars, "AUTOCOMMIT", true) && !run_own (sh, "BEGIN"))
      return false;
   if (!saves || controls || mt_transaction_state (sh->session) != MT_TRANSACTION_OPEN)
      return true;
   return *saved = run_own (sh, "SAVEPOINT " OWN_SAVEPOINT);
}

static void after (MtShell *sh, const char *sql, size_t n, bool ok, bool saved)
{
   /* after these statements the shell's savepoint may no longer exist */
   static const char *const own[] = {"savepoint", "release", "rollback"};
   const char *word;
   size_t len = mt_scan_first_word (sql, n, &word);
   if (!saved || mt_transaction_state (sh->session) == MT_TRANSACTION_NONE)
      return;
   for (size_t i = 0; ok && i < sizeof own / sizeof *own; i++)
      if (strlen (own[i]) == len && strncasecmp (own[i], word, len) == 0)
         return;
   run_own (sh, ok ? "RELEASE SAVEPOINT " OWN_SAVEPOINT : "ROLLBACK TO SAVEPOINT " OWN_SAVEPOINT);
}

bool mt_run_single_begin (MtShell *sh) { return run_own (sh, "BEGIN") || mt_fail (sh); }

void mt_run_single_end (MtShell *sh)
{
   if (mt_transaction_state (sh->session) != MT_TRANSACTION_NONE &&
       !run_own (sh, sh->failed ? "ROLLBACK" : "COMMIT"))
      mt_fail (sh);
}

/* If a COPY … FROM STDIN failed before it read any data, skips its data in the input, because they
 * are not SQL. */
static void skip_data (MtShell *sh, const char *sql, size_t n)
{
   const char *word = sql;
   if (!sh->source || sh->source->terminal)
      return;
   mt_scan_first_word (sql, n, &word);
   if (mt_copy_has_data (word, n - (size_t) (word - sql)))
      mt_copy_discard (sh);
}

bool mt_run_statement (MtShell *sh, const char *sql, size_t n)
{
   if (blank (sql, n))
      return true;
   MtError err = {0};
   echo (sh, sql, n);
   mt_progress_begin (sh);
   sh->planned_ms = mt_planning_ms (sh->session);
   sh->print_ms = sh->pager_ms = 0;
   mt_signals_running (true);
   bool saved, began = false, ok = before (sh, sql, n, &saved);
   if (!ok) {
      mt_bound_clear (sh);
      mt_signals_running (false);
      return mt_fail (sh);
   }
   MtScript script = {.sql = sql, .len = n};
   ok = run (sh, &script, &err, &began);
   mt_bound_clear (sh);
   after (sh, sql, n, ok, saved);
   mt_signals_running (false);
   double ms = mt_shell_now_ms () - sh->started_ms;
   if (sh->reader_gone) {
      sh->stop = true;
      return false;
   }
   if (!ok) {
      const char *how = mt_var_get (&sh->vars, "ECHO");
      mt_report_error (sh, &err, sql, n);
      if (how && strcmp (how, "errors") == 0)
         fprintf (stderr, "STATEMENT:  %.*s\n", (int) n, sql);
      if (!began)
         skip_data (sh, sql + script.at, n - script.at);
      mt_fail (sh);
   }
   elapsed (sh, ms);
   return ok;
}
