#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/password.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
   SHOWN_COLUMNS = 60,
   RIGHT_COLUMNS = 10
}; /* as in libpq: the columns shown of a long line, and the columns after the caret */

/* One line of a statement, split into characters, to be shown with an error. */
typedef struct Excerpt {
   size_t *byte; /* the offset of character i */
   int *column;  /* the column at which character i is shown */
   size_t n;
} Excerpt;

static void prefix (MtShell *sh, FILE *f)
{
   const MtInput *src = sh->source;
   if (src && src->name)
      fprintf (f, "mtsql:%s:%llu: ", src->name, (unsigned long long) src->line);
}

void mt_complain (MtShell *sh, const char *fmt, ...)
{
   va_list ap;
   mt_progress_clear (sh);
   fflush (stdout);
   const MtInput *src = sh->source;
   if (src && src->name)
      prefix (sh, stderr);
   else if (!src || !sh->interactive)
      fputs ("mtsql: ", stderr);
   bool error = strncmp (fmt, "error: ", 7) == 0;
   if (src && sh->interactive && !src->name)
      fmt += error ? 7 : 0; /* at the prompt psql omits the prefix */
   else if (!error && strncmp (fmt, "warning: ", 9) != 0)
      fputs ("error: ", stderr);
   va_start (ap, fmt);
   vfprintf (stderr, fmt, ap);
   va_end (ap);
   fputc ('\n', stderr);
}

bool mt_fail (MtShell *sh)
{
   sh->failed = true;
   if (mt_var_bool (&sh->vars, "ON_ERROR_STOP", false) && !(sh->source && sh->source->terminal))
      sh->stop = true;
   return false;
}

/* Splits a line into characters, with control characters made visible. */
static Excerpt split (const char *p, size_t n)
{
   MtBuf shown = {0};
   Excerpt e = {mt_malloc ("excerpt", (n + 1) * sizeof (size_t)),
                mt_malloc ("excerpt", (n + 1) * sizeof (int)), 0};
   int column = 0, w;
   for (size_t i = 0; i < n;) {
      e.byte[e.n] = i;
      e.column[e.n++] = column;
      i += mt_text_add_visible (&shown, p + i, n - i, &w);
      column += w > 0 ? w : 1;
   }
   mt_buf_free (&shown);
   e.byte[e.n] = n;
   e.column[e.n] = column;
   return e;
}

/* Chooses which characters of a long line are shown around character `at`: *from to *to
 * (exclusive). */
static void window (const Excerpt *e, size_t at, size_t *from, size_t *to)
{
   *from = 0;
   *to = e->n;
   if (e->column[e->n] <= SHOWN_COLUMNS)
      return;
   if (SHOWN_COLUMNS >= e->column[at] + RIGHT_COLUMNS) {
      while (e->column[*to] > SHOWN_COLUMNS)
         --*to;
      return;
   }
   while (e->column[at] + RIGHT_COLUMNS < e->column[*to])
      --*to;
   while (e->column[*to] - e->column[*from] > SHOWN_COLUMNS)
      ++*from;
}

static void add_place (MtBuf *out, const char *sql, size_t n, MtSpan span)
{
   if (span.start < 0 || (size_t) span.start > n)
      return;
   size_t at = (size_t) span.start, start = at, end = at, line = 1;
   while (start > 0 && sql[start - 1] != '\n')
      start--;
   while (end < n && sql[end] != '\n' && sql[end] != '\r')
      end++;
   for (size_t i = 0; i < start; i++)
      line += sql[i] == '\n';
   Excerpt e = split (sql + start, end - start);
   size_t k = 0, from, to;
   while (k < e.n && e.byte[k] < at - start)
      k++;
   window (&e, k, &from, &to);
   size_t begun = out->n;
   mt_buf_printf (out, "LINE %zu: %s", line, from ? "..." : "");
   int indent = (int) (out->n - begun) + e.column[k] - e.column[from];
   for (size_t i = e.byte[from]; i < e.byte[to]; i++)
      if (sql[start + i] == '\t')
         mt_buf_addc (out, ' ');
      else
         i += mt_text_add_visible (out, sql + start + i, e.byte[to] - i, &(int) {0}) - 1;
   mt_buf_printf (out, "%s\n%*s^\n", to < e.n ? "..." : "", indent, "");
   free (e.byte);
   free (e.column);
}

static void add_part (MtBuf *out, const char *word, const char *text)
{
   if (!text || !*text)
      return;
   mt_buf_printf (out, "%s:  ", word);
   mt_text_add_all_visible (out, text, strlen (text));
   mt_buf_addc (out, '\n');
}

static MtBuf compose (const MtError *err, const char *sql, size_t n, const char *verbosity)
{
   bool verbose = mt_same (verbosity, "verbose"), terse = mt_same (verbosity, "terse"),
        state_only = mt_same (verbosity, "sqlstate");
   MtBuf b = {0};
   mt_buf_adds (&b, "ERROR:  ");
   if (verbose || state_only)
      mt_buf_printf (&b, "%s%s", err->sqlstate, verbose ? ": " : "");
   if (!state_only)
      mt_text_add_all_visible (&b, err->message, strlen (err->message));
   if (terse && sql && err->span.start >= 0 && (size_t) err->span.start <= n)
      mt_buf_printf (&b, " at character %zu", mt_utf8_length (sql, (size_t) err->span.start) + 1);
   mt_buf_addc (&b, '\n');
   if (!terse && !state_only) {
      if (sql)
         add_place (&b, sql, n, err->span);
      add_part (&b, "DETAIL", err->detail);
      add_part (&b, "HINT", err->hint);
      add_part (&b, "CONTEXT", err->context);
   }
   if (verbose) {
      add_part (&b, "SCHEMA NAME", err->names.schema);
      add_part (&b, "TABLE NAME", err->names.table);
      add_part (&b, "COLUMN NAME", err->names.column);
      add_part (&b, "DATATYPE NAME", err->names.type);
      add_part (&b, "CONSTRAINT NAME", err->names.constraint);
   }
   return b;
}

void mt_report_no_connection (const MtShell *sh, const MtError *err)
{
   char *message = mt_without_passwords (err->message),
        *detail = mt_without_passwords (err->detail);
   mt_complain ((MtShell *) sh, "error: %s", message);
   if (*detail)
      fprintf (stderr, "DETAIL:  %s\n", detail);
   if (err->hint[0])
      fprintf (stderr, "HINT:  %s\n", err->hint);
   free (message);
   free (detail);
}

static bool is_connection_error (const char *sqlstate) { return strncmp (sqlstate, "08", 2) == 0; }

/* If the error means that the connection is lost, reconnects if the shell is interactive; otherwise
 * stops all input with exit status 2. */
static void check_connection (MtShell *sh, const MtError *cause)
{
   MtError err = {0};
   if (!is_connection_error (cause->sqlstate))
      return;
   if (!sh->interactive) {
      mt_complain (sh, "error: connection to server was lost");
      sh->exit_code = MT_EXIT_CONNECTION;
      sh->stop = true;
      return;
   }
   fputs ("The connection to the server was lost. Attempting reset: ", stderr);
   fflush (stderr);
   mt_signals_running (true);
   bool ok = mt_reconnect (sh->session, &err);
   mt_signals_running (false);
   if (ok) {
      fputs ("Succeeded.\n", stderr);
   } else {
      fputs ("Failed.\n", stderr);
      mt_report_no_connection (sh, &err);
   }
}

void mt_report_error (MtShell *sh, const MtError *err, const char *sql, size_t n)
{
   if (!mt_error_is_set (err)) {
      mt_complain (sh, "error: %s", err->message);
      return;
   }
   MtBuf b = compose (err, sql, n, mt_var_get (&sh->vars, "VERBOSITY"));
   mt_progress_clear (sh);
   fflush (stdout);
   prefix (sh, stderr);
   fwrite (b.p, 1, b.n, stderr);
   mt_buf_free (&b);
   sh->last_error = *err;
   mt_buf_clear (&sh->last_failed);
   mt_buf_add (&sh->last_failed, sql ? sql : "", sql ? n : 0);
   mt_var_set (&sh->vars, "LAST_ERROR_MESSAGE", err->message);
   mt_var_set (&sh->vars, "LAST_ERROR_SQLSTATE", err->sqlstate);
   check_connection (sh, err);
}

void mt_report_last_error (MtShell *sh)
{
   if (!mt_error_is_set (&sh->last_error)) {
      puts ("There is no previous error.");
      return;
   }
   MtBuf b = compose (&sh->last_error, sh->last_failed.n ? sh->last_failed.p : NULL,
                      sh->last_failed.n, "verbose");
   mt_complain (sh, "error: %.*s", (int) b.n - 1, b.p);
   mt_buf_free (&b);
}

void mt_report_notice (void *ctx, const char *severity, const char *message, const char *hint)
{
   MtShell *sh = ctx;
   if (sh->hides_notices)
      return;
   mt_progress_clear (sh);
   fflush (stdout);
   MtBuf b = {0};
   add_part (&b, severity, message);
   add_part (&b, "HINT", hint);
   prefix (sh, stderr);
   fwrite (b.p, 1, b.n, stderr);
   mt_buf_free (&b);
}
