/* Sources of input: splits their lines into statements and commands, and runs these in order. */
#include "shell/commands/command.h"
#include "shell/core/input.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "shell/dashboard/board.h"
#include "shell/program.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Runs the statements that \gexec collected. If one fails, the others are still run, unless the
 * error stops all input. */
static void run_made (MtShell *sh)
{
   MtBuf all = sh->to_run;
   bool says = mt_same (mt_var_get (&sh->vars, "ECHO"), "all"), canceled = false;
   sh->to_run = (MtBuf) {0};
   for (size_t at = 0; at < all.n && !sh->stop && !canceled; at += strlen (all.p + at) + 1) {
      const char *sql = all.p + at;
      if (says)
         puts (sql);
      canceled = !mt_run_statement (sh, sql, strlen (sql)) &&
                 mt_same (mt_var_get (&sh->vars, "SQLSTATE"), MT_E_CANCELED);
   }
   mt_buf_free (&all);
}

/* Returns false, after reporting it, if memory was exhausted while the input was read: only a part
 * of a statement would be run. */
static bool has_all (MtShell *sh, MtInput *src)
{
   MtError err;
   mt_error_clear (&err);
   if (mt_memory_check (&err))
      return true;
   mt_complain (sh, "error: not enough memory for the input: %s", err.message);
   mt_buf_free (&src->query);
   sh->stop = true;
   return mt_fail (sh);
}

/* Runs the query buffer, and stores it as the previous query for \g and \p. */
static void run_query (MtShell *sh, MtInput *src)
{
   if (!has_all (sh, src))
      return;
   MtBuf q = src->query;
   src->query = (MtBuf) {0};
   src->scan = (MtTextScan) {0};
   while (q.n && strchr (" \t\r\n", q.p[q.n - 1]))
      q.n--;
   if (q.n)
      q.p[q.n] = 0;
   mt_buf_clear (&sh->previous);
   mt_buf_add (&sh->previous, q.n ? q.p : "", q.n);
   bool runs = true, ok = !sh->board || mt_board_query (sh, &q, &runs);
   if (ok && runs && !mt_run_statement (sh, q.n ? q.p : "", q.n))
      mt_buf_clear (&sh->to_run); /* \gexec needs all rows: after an error it runs none */
   mt_buf_free (&q);
   sh->charted = sh->go.kind == MT_GO_CHART;
   mt_go_clear (sh);
   run_made (sh);
}

/* Returns whether the last statement in the buffer is complete, that is, ends with a ';'. */
static bool is_whole (const MtBuf *query)
{
   size_t at = 0, end;
   MtInputState state = MT_INPUT_READY;
   while (at < query->n && mt_input_complete (query->p + at, query->n - at, &end, &state))
      at += end;
   return state == MT_INPUT_READY;
}

/* Discards a statement in a branch of \if that is not run; it was only read to find its end. keep:
 * how many bytes of the query buffer stay. */
static void drop_query (MtInput *src, size_t keep)
{
   src->query.n = keep;
   if (src->query.p)
      src->query.p[keep] = 0;
}

/* Runs the text from \e line by line, as if it had been typed. */
static void run_edited (MtShell *sh, MtInput *src)
{
   MtBuf text = sh->edited;
   sh->edited = (MtBuf) {0};
   for (size_t at = 0; at < text.n && !sh->stop && !sh->quit;) {
      const char *p = text.p + at, *nl = memchr (p, '\n', text.n - at);
      size_t n = nl ? (size_t) (nl - p) : text.n - at;
      mt_run_line (sh, src, p, n);
      at += n + 1;
   }
   mt_buf_free (&text);
}

static void run_command (MtShell *sh, MtInput *src)
{
   MtAfterCommand after = mt_command_run (sh, src);
   if (after.include)
      mt_run_file (sh, after.include, true);
   free (after.include);
   if (after.send)
      run_query (sh, src);
}

void mt_run_line (MtShell *sh, MtInput *src, const char *line, size_t n)
{
   const char *echo = mt_var_get (&sh->vars, "ECHO");
   if (echo && strcmp (echo, "all") == 0 && !src->terminal) {
      fwrite (line, 1, n, stdout);
      putchar ('\n');
   }
   MtShortage shortage = {0};
   MT_RECORD_SHORTAGE (&shortage);
   mt_buf_clear (&src->input);
   mt_buf_add (&src->input, line, n);
   src->pos = 0;
   while (!sh->stop && !sh->quit) {
      size_t before = src->query.n;
      int parens = src->scan.parens;
      MtScanEnd end = mt_scan_line (&src->scan, mt_shell_active (sh) ? &sh->vars : &(MtVars) {0},
                                    &src->input, &src->pos, &src->query);
      if (!mt_shell_active (sh)) {
         drop_query (src, before);
         src->scan.parens = parens;
      }
      if (end == MT_SCAN_LINE_ENDED)
         break;
      if (end == MT_SCAN_BACKSLASH) {
         if (src->gathers && src->query.n && src->input.p[src->pos] != ';' &&
             is_whole (&src->query))
            run_query (sh, src);
         if (!sh->stop)
            run_command (sh, src);
      } else if (mt_shell_active (sh) && !src->gathers) {
         run_query (sh, src);
      }
   }
   if (sh->edited.n)
      run_edited (sh, src);
   else if (src->query.n && mt_shell_active (sh))
      mt_buf_addc (&src->query, '\n');
   if (!sh->stop)
      has_all (sh, src);
}

static void end_input (MtShell *sh, MtInput *src)
{
   if (!sh->stop && !sh->quit && src->query.n && mt_shell_active (sh))
      run_query (sh, src);
   if (!sh->stop && !sh->quit && sh->condition_count > src->conditions) {
      mt_complain (sh, "error: reached EOF without finding closing \\endif(s)");
      mt_fail (sh);
   }
   sh->condition_count = src->conditions;
}

static void begin (MtShell *sh, MtInput *src)
{
   src->parent = sh->source;
   src->conditions = sh->condition_count;
   sh->source = src;
}

static bool end (MtShell *sh, MtInput *src)
{
   end_input (sh, src);
   sh->source = src->parent;
   sh->quit = false; /* \q ends only this file, not the files that include it */
   mt_input_free (src);
   return !sh->stop;
}

bool mt_run_text (MtShell *sh, const char *text)
{
   MtInput src = {.text = text, .gathers = true};
   begin (sh, &src);
   while (src.text && !sh->stop && !sh->quit) {
      const char *p = src.text, *nl = strchr (p, '\n');
      src.text = nl ? nl + 1 : NULL;
      src.line++;
      mt_run_line (sh, &src, p, nl ? (size_t) (nl - p) : strlen (p));
   }
   return end (sh, &src);
}

/* Removes the newline; from the first line also the byte order mark, or the whole line if it begins
 * with "#!". */
static void trim (MtBuf *line, uint64_t number)
{
   if (line->n && line->p[line->n - 1] == '\n')
      line->n--;
   if (number == 1 && line->n >= 3 && memcmp (line->p, "\xEF\xBB\xBF", 3) == 0) {
      line->n -= 3;
      memmove (line->p, line->p + 3, line->n);
   }
   if (number == 1 && line->n >= 2 && memcmp (line->p, "#!", 2) == 0)
      line->n = 0; /* the program that runs the script */
   if (line->p)
      line->p[line->n] = 0;
}

bool mt_run_stream (MtShell *sh, FILE *f, const char *name)
{
   MtInput src = {.file = f, .name = name};
   MtBuf line = {0};
   begin (sh, &src);
   while (!sh->stop && !sh->quit && mt_input_read_line (sh, f, &line)) {
      src.line++;
      trim (&line, src.line);
      if (memchr (line.p, 0, line.n)) {
         mt_complain (sh, "the input contains a zero byte");
         mt_fail (sh);
         sh->stop = !src.parent || !src.parent->terminal;
         break;
      }
      mt_run_line (sh, &src, line.p, line.n);
   }
   mt_buf_free (&line);
   return end (sh, &src);
}

static size_t depth (const MtShell *sh)
{
   size_t n = 0;
   for (const MtInput *s = sh->source; s; s = s->parent)
      n++;
   return n;
}

bool mt_run_file (MtShell *sh, const char *path, bool from_include)
{
   if (strcmp (path, "-") == 0)
      return mt_run_stream (sh, stdin, "<stdin>");
   struct stat st;
   FILE *f = depth (sh) < MT_MAX_INCLUDES ? fopen (path, "r") : NULL;
   if (!f || (fstat (fileno (f), &st) == 0 && S_ISDIR (st.st_mode))) {
      const char *why = f ? "it is a directory" : strerror (errno);
      if (depth (sh) >= MT_MAX_INCLUDES)
         why = "too many nested \\i";
      mt_complain (sh, from_include ? "%s: %s" : "error: %s: %s", path, why);
      if (f)
         fclose (f);
      return mt_fail (sh);
   }
   char *name = mt_heap_strdup (path);
   bool ok = mt_run_stream (sh, f, name);
   free (name);
   fclose (f);
   return ok;
}
