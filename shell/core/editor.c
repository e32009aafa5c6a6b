/* Reads lines typed at the terminal: prints prompts, and decides whether a statement is
 * complete. */
#include "shell/core/input.h"
#include "shell/core/output.h"
#include "shell/edit/terminal.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct Editor {
   MtShell *sh;
   MtInput *src;
   const MtEditorHelp *help;
   MtEditHost host;
   const MtHistory *history;
   const char *prompt_name; /* the variable that has the prompt of the first line */
   const char *question;    /* the prompt given to \prompt; NULL: use the variable */
   MtBuf typed;             /* the text that was typed last; its lines run one by one */
   size_t at;               /* the offset in `typed` of the next line to run */
   MtBuf line;
   bool dumb; /* the terminal can't move its cursor: lines are read without an editor */
   bool interrupted;
} Editor;

/* the line editor; NULL: it is not open */
static Editor *editor;

/* ---- prompts ---- */

static const char *transaction_mark (const MtShell *sh)
{
   static const char *const marks[] = {
      [MT_TRANSACTION_NONE] = "", [MT_TRANSACTION_OPEN] = "*", [MT_TRANSACTION_FAILED] = "!"};
   return marks[mt_transaction_state (sh->session)];
}

/* Appends the name of the current database to a prompt. */
static void add_database (const MtShell *sh, MtBuf *out)
{
   char *name = sh->target ? mt_shell_database (sh->target) : NULL;
   mt_buf_adds (out, name ? name : "mtsql");
   free (name);
}

/* Appends the prompt whose format is in the variable `name`, such as PROMPT1. state: the character
 * for %R; line: the number for %l. */
static void add_prompt (const Editor *e, const char *name, char state, uint64_t line, MtBuf *out)
{
   const char *p = mt_var_get (&e->sh->vars, name);
   for (p = p ? p : "%/%R%x> "; *p; p++) {
      if (*p != '%' || !p[1]) {
         mt_buf_addc (out, *p);
         continue;
      }
      p++;
      if (*p == '/' || *p == '~')
         add_database (e->sh, out);
      else if (*p == 'R')
         mt_buf_addc (out, state);
      else if (*p == 'l')
         mt_buf_printf (out, "%llu", (unsigned long long) line);
      else if (*p == '#')
         mt_buf_addc (out, '>');
      else if (*p == 'x')
         mt_buf_adds (out, transaction_mark (e->sh));
      else if (*p != '[' && *p != ']')
         mt_buf_addc (out, *p);
   }
}

/* ---- is the statement complete? ---- */

/* The state after scanning some lines of a text that is being typed. */
typedef struct Walk {
   MtTextScan scan;
   MtBuf query;  /* the statement so far */
   bool command; /* the last line has a backslash command */
} Walk;

static void begin_walk (const Editor *e, Walk *w)
{
   *w = (Walk) {.scan = e->src->scan};
   mt_buf_add (&w->query, e->src->query.n ? e->src->query.p : "", e->src->query.n);
}

/* Returns whether a backslash command runs or clears the query buffer, so that the statement before
 * it is complete. */
static bool uses_query (const char *name)
{
   static const char *const names[] = {"g",      "gx",           "gset",     "gexec",
                                       "gdesc",  "crosstabview", "chart",    "watch",
                                       "advise", "compare",      "pipeline", "parse",
                                       "r",      "reset"};
   size_t n = 0;
   while (isalpha ((unsigned char) name[n]))
      n++;
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strlen (names[i]) == n && strncmp (names[i], name, n) == 0)
         return true;
   return false;
}

static void walk_line (const Editor *e, Walk *w, const char *p, size_t n)
{
   MtBuf line = {0};
   size_t pos = 0;
   MtScanEnd end;
   w->command = false;
   mt_buf_add (&line, p, n);
   while ((end = mt_scan_line (&w->scan, &e->sh->vars, &line, &pos, &w->query)) !=
          MT_SCAN_LINE_ENDED) {
      if (end == MT_SCAN_BACKSLASH && pos < line.n && line.p[pos] != ';') {
         w->command = true;
         w->query.n = uses_query (line.p + pos) ? 0 : w->query.n;
         break;
      }
      pos += end == MT_SCAN_BACKSLASH; /* \; is a ';' that ends no statement */
      w->query.n = end == MT_SCAN_SEMICOLON ? 0 : w->query.n;
   }
   if (w->query.n)
      mt_buf_addc (&w->query, '\n');
   mt_buf_free (&line);
}

/* Returns the end of the line that begins at `at`. */
static size_t line_end (const char *text, size_t n, size_t at)
{
   const char *nl = memchr (text + at, '\n', n - at);
   return nl ? (size_t) (nl - text) : n;
}

static void add_prompts (void *ctx, const char *text, size_t n, MtBuf *out)
{
   const Editor *e = ctx;
   if (e->question) {
      mt_buf_adds (out, e->question);
      mt_buf_addc (out, 0);
      return;
   }
   Walk w;
   begin_walk (e, &w);
   const char *name = e->prompt_name;
   uint64_t number = e->src->line + 1;
   for (size_t at = 0, end; at <= n; at = end + 1, number++) {
      end = line_end (text, n, at);
      add_prompt (e, name, mt_shell_active (e->sh) ? mt_scan_prompt (&w.scan, &w.query) : '@',
                  number, out);
      mt_buf_addc (out, 0);
      if (end < n)
         walk_line (e, &w, text + at, end - at);
      name = strcmp (name, "PROMPT1") == 0 ? "PROMPT2" : name;
   }
   mt_buf_free (&w.query);
}

bool mt_plain_word (const char *line, const char *word)
{
   line += strspn (line, " \t");
   size_t n = strlen (word);
   return strncasecmp (line, word, n) == 0 && !line[n + strspn (line + n, " \t;")];
}

static const char *why_not (const char *last_line)
{
   if (mt_plain_word (last_line, "quit") || mt_plain_word (last_line, "exit"))
      return "Use \\q to quit.";
   if (mt_plain_word (last_line, "help"))
      return "Use \\? for help or press control-C to clear the input buffer.";
   return NULL;
}

static bool is_ready (void *ctx, const char *text, size_t n, const char **why)
{
   const Editor *e = ctx;
   if (e->question || strcmp (e->prompt_name, "PROMPT3") == 0 || !mt_shell_active (e->sh))
      return true;
   Walk w;
   begin_walk (e, &w);
   size_t at = 0, end;
   for (;; at = end + 1) {
      end = line_end (text, n, at);
      walk_line (e, &w, text + at, end - at);
      if (end == n)
         break;
   }
   bool ready = w.command || (!w.query.n && !w.scan.quote);
   if (!ready && at == 0 && !e->src->query.n && !e->src->scan.quote)
      ready = why_not (text) != NULL;
   else if (!ready)
      *why = why_not (text + at);
   mt_buf_free (&w.query);
   return ready;
}

/* ---- completion ---- */

static void complete (void *ctx, const char *text, size_t cursor, MtChoices *out)
{
   Editor *e = ctx;
   const MtBuf *query = &e->src->query;
   MtBuf all = {0};
   mt_buf_add (&all, query->n ? query->p : "", query->n);
   mt_buf_adds (&all, text);
   e->help->complete (e->sh, all.n ? all.p : "", query->n + cursor, out);
   out->start -= out->start < query->n ? out->start : query->n;
   mt_buf_free (&all);
}

/* ---- lines ---- */

static void paint (void *ctx, const char *text, size_t n, size_t cursor, uint8_t *styles)
{
   const Editor *e = ctx;
   e->help->style (text, n, cursor, styles);
}

static void hint (void *ctx, const char *text, size_t n, MtBuf *out)
{
   const Editor *e = ctx;
   e->help->hint (e->sh, text, n, out);
}

/* Returns whether the text is shown in colours. */
static bool has_colours (const Editor *e)
{
   return mt_terminal_wants_colours () && mt_var_bool (&e->sh->vars, "HIGHLIGHT", true);
}

static bool edit_elsewhere (void *ctx, MtBuf *text)
{
   const Editor *e = ctx;
   return e->help->edit_elsewhere (e->sh, text);
}

static bool wants_vi (const Editor *e)
{
   return mt_same (mt_var_get (&e->sh->vars, "EDITING"), "vi");
}

void mt_editor_open (MtShell *sh, MtInput *src, const MtEditorHelp *help)
{
   editor = mt_calloc ("line editor", 1, sizeof *editor);
   *editor = (Editor) {.sh = sh, .src = src, .help = help, .dumb = !mt_terminal_moves ()};
   editor->host = (MtEditHost) {.ctx = editor,
                                .ready = is_ready,
                                .prompts = add_prompts,
                                .take_interrupt = mt_signals_take_interrupt,
                                .take_resize = mt_signals_take_resize,
                                .window_size = mt_window_size};
   editor->history = mt_history_open (sh);
   if (!mt_var_get (&sh->vars, "EDITING"))
      mt_var_set (&sh->vars, "EDITING",
                  !sh->open.restricted && mt_inputrc_wants_vi () ? "vi" : "emacs");
}

void mt_editor_close (void)
{
   mt_history_close (editor->sh);
   mt_buf_free (&editor->typed);
   mt_buf_free (&editor->line);
   free (editor);
   editor = NULL;
}

/* Reads a line from the terminal without the line editor. */
static MtEditEnd read_plainly (Editor *e)
{
   mt_buf_clear (&e->line);
   add_prompts (e, "", 0, &e->line);
   fputs (e->line.n ? e->line.p : "", stdout);
   fflush (stdout);
   mt_buf_clear (&e->typed);
   for (char c = 0; c != '\n';) {
      ssize_t n = mt_interrupted ? -1 : read (STDIN_FILENO, &c, 1);
      if (mt_signals_take_interrupt ())
         return MT_EDIT_INTERRUPTED;
      if (n == 0 || (n < 0 && errno != EINTR))
         return e->typed.n ? MT_EDIT_DONE : MT_EDIT_EOF;
      if (n > 0 && c != '\n')
         mt_buf_addc (&e->typed, c);
   }
   return MT_EDIT_DONE;
}

/* Lets the user type a text of one or more lines, which mt_editor_line then returns line by line.
 * prompt_name: the variable with the prompt; question: shown instead of it. Returns false at the
 * end of the input, or after Ctrl-C (e->interrupted). */
static bool type_text (Editor *e, const char *prompt_name, const char *question)
{
   bool sql = !question && strcmp (prompt_name, "PROMPT3") != 0;
   mt_interrupted = 0; /* an earlier Ctrl-C cancelled a statement, not this line */
   fflush (stdout);
   e->prompt_name = prompt_name;
   e->question = question;
   e->at = 0;
   e->host.complete = sql ? complete : NULL;
   e->host.style = sql && has_colours (e) ? paint : NULL;
   e->host.hint = sql ? hint : NULL;
   e->host.external = sql ? edit_elsewhere : NULL;
   e->host.vi = wants_vi (e);
   MtEditEnd end = e->dumb ? read_plainly (e)
                           : mt_edit (&e->host, sql ? e->history : NULL, &e->typed);
   if (end == MT_EDIT_DONE && !e->dumb) {
      fputc ('\n', stdout);
      fflush (stdout);
   }
   e->interrupted = end == MT_EDIT_INTERRUPTED;
   if (end != MT_EDIT_DONE)
      mt_buf_clear (&e->typed);
   mt_buf_addc (&e->typed, '\n');
   e->at = end == MT_EDIT_DONE ? 0 : e->typed.n;
   return end == MT_EDIT_DONE;
}

/* Returns the next line of the text typed last, and its length in *n; NULL: no line is left. */
static const char *next_line (Editor *e, int *n)
{
   if (mt_interrupted) /* Ctrl-C also drops the lines typed after the cancelled statement */
      e->at = e->typed.n;
   if (e->at >= e->typed.n)
      return NULL;
   size_t end = line_end (e->typed.p, e->typed.n, e->at);
   mt_buf_clear (&e->line);
   mt_buf_add (&e->line, e->typed.p + e->at, end - e->at);
   e->at = end + 1;
   *n = (int) e->line.n;
   return e->line.n ? e->line.p : "";
}

const char *mt_editor_line (const char *prompt_name, int *n, bool *interrupted)
{
   const char *line = next_line (editor, n);
   *interrupted = false;
   if (line)
      return line;
   bool typed = type_text (editor, prompt_name, NULL);
   *interrupted = editor->interrupted;
   return typed ? next_line (editor, n) : NULL;
}

bool mt_editor_ask (const char *text, MtBuf *line)
{
   if (!editor)
      return false;
   /* keeps the lines that were typed after \prompt; they are read later */
   MtBuf rest = editor->typed;
   size_t at = editor->at;
   editor->typed = (MtBuf) {0};
   bool answered = type_text (editor, "PROMPT1", text);
   if (answered)
      mt_buf_add (line, editor->typed.p, line_end (editor->typed.p, editor->typed.n, 0));
   else
      puts (editor->interrupted ? "^C" : "");
   mt_buf_free (&editor->typed);
   editor->typed = rest;
   editor->at = at;
   mt_interrupted |= editor->interrupted;
   return answered;
}

bool mt_editor_data_line (MtBuf *line)
{
   int n;
   bool interrupted = false;
   const char *s = editor ? mt_editor_line ("PROMPT3", &n, &interrupted) : NULL;
   mt_interrupted |= interrupted;
   if (!s)
      return false;
   mt_buf_add (line, s, (size_t) n);
   mt_buf_addc (line, '\n');
   return true;
}
