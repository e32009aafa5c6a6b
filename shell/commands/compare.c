/* \compare compares the costs of a query with each layout, as a table or as an HTML page. \pipeline
 * prints the pipeline of a query. */
#include "shell/commands/command_int.h"
#include "shell/commands/compare_int.h"
#include "base/memory.h"
#include "base/draft.h"
#include "shell/format/width.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

enum { TOUCHED = 4, TIME = 5, COLUMNS = 8, BAR = 10, SHORTEST_BAR = 4, EIGHTHS = 8 };

static MtStr count (MtArena *a, double n)
{
   return n < 0 ? (MtStr) {0} : mt_str (mt_printf (a, "%.0f", n));
}

/* Returns a bar for value n, where `most` has a bar of `width` characters; padded to `width`. Each
 * value above 0 has a visible bar. */
static const char *bar (MtArena *a, double n, double most, int width)
{
   static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
   bool utf8 = mt_speaks_utf8 ();
   MtBuf b = {0};
   int length = most > 0 ? (int) (n / most * width * EIGHTHS + 0.5) : 0, used = 0;
   length += n > 0 && length == 0;
   for (; used < length / EIGHTHS; used++)
      mt_buf_adds (&b, utf8 ? "█" : "#");
   if (length % EIGHTHS) {
      mt_buf_adds (&b, utf8 ? parts[length % EIGHTHS] : "#");
      used++;
   }
   mt_buf_fill (&b, ' ', (size_t) (width - used));
   const char *out = mt_strndup (a, b.p ? b.p : "", b.n);
   mt_buf_free (&b);
   return out;
}

/* Returns the width of a bar such that two columns of bars fit on the terminal; 0: there is no
 * space, or the output format is for programs. */
static int bar_width (MtShell *sh, const MtListing *l)
{
   MtFmtOptions o = mt_rows_options (sh);
   int width = 0;
   if (strcmp (o.format->name, "aligned") != 0 && strcmp (o.format->name, "wrapped") != 0)
      return 0;
   for (size_t i = 0; i < l->columns; i++) {
      int widest = mt_text_width (l->headers[i], strlen (l->headers[i]));
      for (size_t k = 0; k < l->rows; k++) {
         MtStr cell = l->cells[k * l->columns + i];
         int w = mt_text_width (cell.p, cell.n);
         widest = w > widest ? w : widest;
      }
      width += widest + 3;
   }
   /* an additional bar makes its column wider by at most the bar's width, as part of it may fit
    * below the header */
   int room = o.columns > 0 ? (o.columns - width) / 2 - 1 : BAR;
   if (room < SHORTEST_BAR)
      return 0;
   return room < BAR ? room : BAR;
}

/* Appends a bar to each cell of a column. figures[i] is the value in row i; -1: the row has
 * none. */
static void add_bars (MtArena *a, MtListing *l, size_t column, const double *figures, int width)
{
   double most = 0;
   for (size_t i = 0; i < l->rows; i++)
      most = figures[i] > most ? figures[i] : most;
   for (size_t i = 0; i < l->rows; i++) {
      MtStr *cell = &l->cells[i * l->columns + column];
      if (figures[i] >= 0)
         *cell = mt_str (
            mt_printf (a, "%.*s %s", (int) cell->n, cell->p, bar (a, figures[i], most, width)));
   }
}

static void put_row (MtArena *a, const MtComparison *k, MtStr *row)
{
   row[0] = mt_str (k->layout);
   row[1] = mt_str (k->cut ? k->cut : "");
   row[2] = count (a, k->documents);
   row[3] = count (a, k->bytes_stored);
   row[TOUCHED] = count (a, k->bytes_touched);
   row[TIME] = mt_str (mt_printf (a, "%.3f", k->milliseconds));
   row[6] = mt_str (mt_printf (a, "%u", k->runs));
   row[7] = mt_str (mt_printf (a, "%llu", (unsigned long long) k->rows));
}

static void answers (MtShell *sh, MtArena *a, const MtComparison *k, size_t n)
{
   static const char *const headers[] = {"layout",        "cut", "documents", "bytes stored",
                                         "bytes touched", "ms",  "runs",      "rows"};
   const char **footers = MT_NEW_N (a, const char *, n + 2);
   double *touched = MT_NEW_N (a, double, n + 1), *ms = MT_NEW_N (a, double, n + 1);
   size_t f = 0;
   MtListing l = {.headers = headers,
                  .columns = COLUMNS,
                  .right = {false, false, true, true, true, true, true, true}};
   l.cells = MT_NEW_N (a, MtStr, COLUMNS * (n + 1));
   for (size_t i = 0; i < n; i++) {
      if (!k[i].answers) {
         footers[f++] = mt_printf (a, "%s: %s", k[i].layout,
                                   k[i].reason ? k[i].reason : "can't answer");
         continue;
      }
      touched[l.rows] = k[i].bytes_touched;
      ms[l.rows] = k[i].milliseconds;
      put_row (a, &k[i], l.cells + COLUMNS * l.rows++);
   }
   int width = bar_width (sh, &l);
   if (width) {
      add_bars (a, &l, TOUCHED, touched, width);
      add_bars (a, &l, TIME, ms, width);
   }
   l.footers = f ? footers : NULL;
   mt_print_listing (sh, &l);
}

static void pipelines (MtShell *sh, const MtComparison *k, size_t n)
{
   MtOut out;
   if (!mt_out_begin (sh, &out))
      return;
   for (size_t i = 0; i < n; i++) {
      if (k[i].answers && k[i].pipeline)
         mt_out_printf (
            &out, "%s:\n%s%s\n", k[i].layout, k[i].pipeline,
            k[i].pipeline[0] && k[i].pipeline[strlen (k[i].pipeline) - 1] == '\n' ? "" : "\n");
   }
   mt_out_end (&out);
}

/* ---- the page ---- */

/* If the line begins with the name of an .html file, removes it from the line and returns it. NULL:
 * it does not. Owned by the caller (free). */
static char *take_file (char *line)
{
   MtBuf name = {0};
   char *p = line;
   bool quoted = *p == '\'', ends = false;
   for (p += quoted; *p && !ends; p++) {
      bool twice = quoted && *p == '\'' && p[1] == '\'';
      ends = quoted ? *p == '\'' && !twice : isspace ((unsigned char) *p) || *p == ';';
      if (!ends)
         mt_buf_addc (&name, *p);
      p += twice;
   }
   static const char suffix[] = ".html";
   size_t n = sizeof suffix - 1;
   if (name.n <= n || strcasecmp (name.p + name.n - n, suffix) != 0 || (quoted && !ends)) {
      mt_buf_free (&name);
      return NULL;
   }
   memmove (line, p, strlen (p) + 1);
   const char *home = getenv ("HOME");
   if (quoted || !home || strncmp (name.p, "~/", 2) != 0)
      return name.p;
   char *path = mt_heap_printf ("%s%s", home, name.p + 1);
   mt_buf_free (&name);
   return path;
}

static bool write_page (const char *file, const MtComparisons *k, const char *sql, MtError *err)
{
   MtBuf page = {0};
   mt_compare_page (k, sql, &page);
   bool ok = mt_memory_check (err) && mt_draft_write (file, &page, err);
   mt_buf_free (&page);
   return ok;
}

static bool compare (MtCall *c, const char *file, const char *sql)
{
   MtShell *sh = c->sh;
   MtArena *a = mt_arena_new ("comparison", NULL);
   MtComparisons k;
   MtError err = {0};
   mt_progress_begin (sh);
   bool ok = mt_compare (sh->session, a, sql, (long) strlen (sql), &k, &err);
   mt_progress_clear (sh);
   if (!ok)
      mt_report_error (sh, &err, sql, strlen (sql));
   if (ok && file && !(ok = write_page (file, &k, sql, &err)))
      mt_report_error (sh, &err, NULL, 0);
   if (ok && !file) {
      answers (sh, a, k.list, k.count);
      if (c->plus)
         pipelines (sh, k.list, k.count);
   }
   mt_arena_free (a);
   return ok;
}

bool mt_cmd_compare (MtCall *c)
{
   char *file = c->argc ? take_file (c->argv[0]) : NULL;
   char *sql = NULL;
   bool ok = !file || !c->sh->open.restricted;
   if (!ok)
      mt_complain (c->sh, "\\compare: files are not allowed in a restricted session");
   if (file && c->argv[0][strspn (c->argv[0], " \t;")] == 0) {
      /* after the file's name there is no query: use the query buffer or the previous query */
      free (c->argv[0]);
      c->argv[0] = NULL;
      c->argc = 0;
   }
   ok = ok && (sql = mt_call_query (c)) && compare (c, file, sql);
   free (sql);
   free (file);
   return ok;
}

/* Prints the lines of EXPLAIN's output from "Pipeline:" on. */
static bool print_pipeline (MtShell *sh, MtResult *r, MtError *err)
{
   static const char mark[] = "Pipeline: ";
   MtOut out;
   bool more, ok = true, begun = false;
   if (!mt_out_begin (sh, &out))
      return mt_error (err, MT_E_IO, "could not open the output");
   while ((ok = mt_result_next (r, &more, err)) && more) {
      const char *line = mt_result_text (r, 0, NULL);
      bool first = line && strncmp (line, mark, sizeof mark - 1) == 0;
      begun |= first;
      if (begun && line)
         mt_out_printf (&out, "%s\n", line + (first ? sizeof mark - 1 : 0));
   }
   mt_out_end (&out);
   return ok;
}

bool mt_cmd_pipeline (MtCall *c)
{
   MtShell *sh = c->sh;
   char *sql = mt_call_query (c);
   if (!sql)
      return false;
   MtBuf text = {0};
   MtError err = {0};
   MtResult *r = NULL;
   mt_buf_printf (&text, "EXPLAIN (COSTS OFF) %s", sql);
   bool ok = mt_query (sh->session, text.p, (long) text.n, &r, &err) &&
             print_pipeline (sh, r, &err);
   if (!ok)
      mt_report_error (sh, &err, text.p, text.n);
   mt_result_free (r);
   mt_buf_free (&text);
   free (sql);
   return ok;
}
