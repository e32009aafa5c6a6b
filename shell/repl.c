/* The terminal: line editing by libedit, a history of whole statements, prompts, Ctrl-C. */
#include "shell/complete.h"
#include "base/memory.h"
#include "shell/core/password.h"
#include "shell/format/width.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

enum { HISTORY_DEFAULT = 500, MAX_LISTED = 400 };

/* One terminal, one editor: libedit's callbacks reach it here. */
typedef struct Repl {
   MtShell *sh;
   EditLine *el;
   History *history;
   MtInput *src;
   char prompt[256];
   bool interrupted; /* Ctrl-C while typing */
} Repl;

static Repl *repl;

/* ---- prompts ---- */

static const char *transaction_mark (const MtShell *sh)
{
   static const char *const marks[] = {
      [MT_TRANSACTION_NONE] = "", [MT_TRANSACTION_OPEN] = "*", [MT_TRANSACTION_FAILED] = "!"};
   return marks[mt_transaction_state (sh->session)];
}

static void compose_prompt (Repl *r, const char *name)
{
   const char *p = mt_var_get (&r->sh->vars, name);
   char state = mt_shell_active (r->sh) ? mt_scan_prompt (&r->src->scan, &r->src->query) : '@';
   MtBuf b = {0};
   for (p = p ? p : "%/%R%x> "; *p; p++) {
      if (*p != '%' || !p[1]) {
         mt_buf_addc (&b, *p);
         continue;
      }
      p++;
      if (*p == '/' || *p == '~')
         mt_buf_adds (&b, "mtsql");
      else if (*p == 'R')
         mt_buf_addc (&b, state);
      else if (*p == 'l')
         mt_buf_printf (&b, "%llu", (unsigned long long) r->src->line);
      else if (*p == '#')
         mt_buf_addc (&b, '>');
      else if (*p == 'x')
         mt_buf_adds (&b, transaction_mark (r->sh));
      else
         mt_buf_addc (&b, *p);
   }
   snprintf (r->prompt, sizeof r->prompt, "%s", b.n ? b.p : "");
   mt_buf_free (&b);
}

static char *prompt (EditLine *el)
{
   (void) el;
   return repl->prompt;
}

/* ---- keys ---- */

/* One character from the terminal; -1 when a signal ends the line. */
static int read_key (EditLine *el, wchar_t *out)
{
   char bytes[MB_LEN_MAX];
   size_t n = 0;
   mbstate_t state = {0};
   for (;;) {
      ssize_t got = mt_interrupted ? -1 : read (STDIN_FILENO, bytes + n, 1);
      if (mt_signals_take_resize ())
         el_resize (el);
      if (mt_signals_take_interrupt ()) {
         repl->interrupted = true;
         errno = EINTR;
         return -1;
      }
      if (got < 0 && errno == EINTR)
         continue;
      if (got <= 0)
         return got < 0 ? -1 : 0;
      wchar_t w;
      mbstate_t from = state;
      size_t len = mbrtowc (&w, bytes, ++n, &from);
      if (len == (size_t) -2 && n < sizeof bytes)
         continue;
      *out = len == (size_t) -1 || len == (size_t) -2 ? (wchar_t) 0xFFFD : w;
      return 1;
   }
}

static void show_choices (const MtChoices *c)
{
   int columns, lines, width = 0;
   mt_window_size (&columns, &lines);
   for (size_t i = 0; i < c->n; i++) {
      int w = mt_text_width (c->v[i], strlen (c->v[i]));
      width = w > width ? w : width;
   }
   size_t per_line = columns > width + 2 ? (size_t) (columns / (width + 2)) : 1;
   putchar ('\n');
   for (size_t i = 0; i < c->n && i < MAX_LISTED; i++) {
      bool last = (i + 1) % per_line == 0 || i + 1 == c->n;
      printf ("%s%*s", c->v[i], last ? 0 : width + 2 - mt_text_width (c->v[i], strlen (c->v[i])),
              "");
      if (last)
         putchar ('\n');
   }
   if (c->n > MAX_LISTED)
      printf ("… and %zu more\n", c->n - MAX_LISTED);
   fflush (stdout);
}

/* A chosen word goes in without what was typed of it; a single one is followed by a space. */
static unsigned char insert (EditLine *el, const MtChoices *c, size_t typed, size_t common)
{
   char *text = mt_heap_strndup (c->v[0], common);
   MtBuf b = {0};
   mt_buf_adds (&b, text);
   free (text);
   char last = b.n ? b.p[b.n - 1] : 0;
   if (c->n == 1 && last != '(' && last != '/')
      mt_buf_addc (&b, ' ');
   el_deletestr (el, (int) typed);
   int ok = el_insertstr (el, b.p);
   mt_buf_free (&b);
   return ok == 0 ? CC_REFRESH : CC_ERROR;
}

static unsigned char complete (EditLine *el, int key)
{
   (void) key;
   const LineInfo *l = el_line (el);
   char *line = mt_heap_strndup (l->buffer, (size_t) (l->cursor - l->buffer));
   MtChoices c;
   unsigned char result = CC_ERROR;
   mt_complete (repl->sh, repl->src->query.n ? repl->src->query.p : "", line, &c);
   const char *word = line + c.start;
   size_t typed = strlen (word), common = mt_choices_common (&c);
   /* el_deletestr counts characters */
   size_t characters = mt_utf8_length (word, typed);
   if (c.n == 1 || common > typed) {
      result = insert (el, &c, characters, common);
   } else if (c.n > 1) {
      show_choices (&c);
      result = CC_REDISPLAY;
   }
   mt_choices_free (&c);
   free (line);
   return result;
}

/* ---- history ---- */

static char *history_path (const MtShell *sh)
{
   const char *set = mt_var_get (&sh->vars, "HISTFILE"), *env = getenv ("MTSQL_HISTORY"),
              *home = getenv ("HOME");
   if (sh->open.restricted)
      return NULL;
   if (set || env)
      return mt_heap_strdup (set ? set : env);
   MtBuf b = {0};
   if (home)
      mt_buf_printf (&b, "%s/.mtsql_history", home);
   return b.p;
}

/* A target's password never gets into the history. */
static void remember (Repl *r, const char *text)
{
   HistEvent e;
   const char *control = mt_var_get (&r->sh->vars, "HISTCONTROL");
   bool spaces = control &&
                 (strcmp (control, "ignorespace") == 0 || strcmp (control, "ignoreboth") == 0);
   if (!*text || (spaces && *text == ' ') || strspn (text, " \t\n") == strlen (text))
      return;
   size_t n = strlen (text);
   while (n && strchr (" \t\n", text[n - 1]))
      n--;
   char *trimmed = mt_heap_strndup (text, n);
   text = trimmed;
   char *clean = mt_without_passwords (text);
   if (history (r->history, &e, H_FIRST) != 0 || strcmp (e.str, clean) != 0)
      history (r->history, &e, H_ENTER, clean);
   free (clean);
   free (trimmed);
}

/* HISTFILE may be a device, whose permissions are everybody's, or a link to one. */
static bool is_ours (const char *path)
{
   struct stat st;
   return stat (path, &st) != 0 || S_ISREG (st.st_mode);
}

/* The file to write, made so that nobody else can ever read it. No link is followed: another's file
 * would be overwritten. */
static FILE *private_file (const char *path)
{
   int fd = open (path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
   struct stat st;
   if (fd < 0)
      return NULL;
   bool ok = fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && fchmod (fd, 0600) == 0 &&
             ftruncate (fd, 0) == 0;
   FILE *f = ok ? fdopen (fd, "w") : NULL;
   if (!f)
      close (fd);
   return f;
}

static void open_history (Repl *r)
{
   HistEvent e;
   r->history = history_init ();
   long size = mt_var_long (&r->sh->vars, "HISTSIZE", HISTORY_DEFAULT);
   history (r->history, &e, H_SETSIZE, (int) size);
   char *path = history_path (r->sh);
   if (path && is_ours (path))
      history (r->history, &e, H_LOAD, path);
   free (path);
}

static void save_history (Repl *r)
{
   HistEvent e;
   char *path = history_path (r->sh);
   if (path && is_ours (path)) {
      FILE *f = private_file (path);
      if (!f || history (r->history, &e, H_SAVE_FP, f) < 0)
         mt_complain (r->sh, "could not save the history to \"%s\": %s", path,
                      errno == ELOOP ? "it is a link" : strerror (errno));
      if (f)
         fclose (f);
   }
   free (path);
}

bool mt_history_write (FILE *f)
{
   HistEvent e;
   if (!repl)
      return false;
   for (int rc = history (repl->history, &e, H_LAST); rc == 0;
        rc = history (repl->history, &e, H_PREV))
      fprintf (f, "%s\n", e.str);
   return true;
}

/* ---- the loop ---- */

static void open_editor (Repl *r)
{
   r->el = el_init ("mtsql", stdin, stdout, stderr);
   el_set (r->el, EL_PROMPT, prompt);
   el_set (r->el, EL_EDITOR, "emacs");
   el_set (r->el, EL_SIGNAL, 0);
   el_set (r->el, EL_HIST, history, r->history);
   el_wset (r->el, EL_ADDFN, L"mtsql-complete", L"complete the word",
            complete); /* libedit leaks the copies that el_set makes */
   el_set (r->el, EL_BIND, "^I", "mtsql-complete", NULL);
   el_set (r->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
   el_set (r->el, EL_GETCFN, read_key);
   if (!r->sh->open.restricted)
      el_source (r->el, NULL);
}

/* The next line behind r->prompt, without its line feed; NULL at the end of the input, or when
 * Ctrl-C was typed (r->interrupted). */
static const char *edit_line (Repl *r, int *n)
{
   r->interrupted = false;
   mt_interrupted = 0; /* what cancelled a statement is no key of this line */
   fflush (stdout);
   const char *s = el_gets (r->el, n);
   if (r->interrupted || !s || *n <= 0)
      return NULL;
   if (s[*n - 1] == '\n')
      --*n;
   return s;
}

static const char *next_line (Repl *r, const char *prompt_name, int *n)
{
   compose_prompt (r, prompt_name);
   return edit_line (r, n);
}

bool mt_repl_ask (const char *prompt, MtBuf *line)
{
   int n;
   if (!repl)
      return false;
   snprintf (repl->prompt, sizeof repl->prompt, "%s", prompt);
   const char *s = edit_line (repl, &n);
   if (s)
      mt_buf_add (line, s, (size_t) n);
   else
      puts (repl->interrupted ? "^C" : "");
   mt_interrupted |= repl->interrupted;
   return s != NULL;
}

bool mt_repl_copy_line (MtShell *sh, MtBuf *line)
{
   int n;
   const char *s = repl ? next_line (repl, "PROMPT3", &n) : NULL;
   if (!s) {
      mt_interrupted |= repl && repl->interrupted;
      return false;
   }
   mt_buf_add (line, s, (size_t) n);
   mt_buf_addc (line, '\n');
   return true;
}

static void interrupt (Repl *r)
{
   puts ("^C");
   mt_buf_clear (&r->src->query);
   mt_buf_clear (&r->sh->shown);
   r->src->scan = (MtTextScan) {0};
}

static bool is_word (const char *line, const char *word)
{
   line += strspn (line, " \t");
   size_t n = strlen (word);
   return strncasecmp (line, word, n) == 0 && !line[n + strspn (line + n, " \t;")];
}

/* What people type who are new, instead of a backslash command; as psql takes it. true: the line is
 * done with. */
static bool plain_word (Repl *r, const char *line)
{
   bool leaves = is_word (line, "quit") || is_word (line, "exit"), helps = is_word (line, "help"),
        within = r->src->query.n || r->src->scan.quote;
   if (!leaves && !helps)
      return false;
   if (within)
      puts (leaves ? "Use \\q to quit."
                   : "Use \\? for help or press control-C to clear the input buffer.");
   else if (helps)
      puts (
         "You are using mtsql, SQL for time series in MongoDB.\nType:  \\h for help with SQL statements and functions\n       \\? for help with mtsql commands\n"
         "       \\g or terminate with semicolon to run a query\n       \\q to quit");
   else
      r->sh->quit = true;
   return !within;
}

static void take_line (Repl *r, const char *s, size_t n)
{
   MtShell *sh = r->sh;
   char *line = mt_heap_strndup (s, n);
   r->src->line++;
   if (plain_word (r, line)) {
      remember (r, line);
      free (line);
      return;
   }
   if (sh->shown.n)
      mt_buf_addc (&sh->shown, '\n');
   mt_buf_adds (&sh->shown, line);
   mt_run_line (sh, r->src, line, n);
   if (!r->src->query.n) {
      remember (r, sh->shown.p);
      mt_buf_clear (&sh->shown);
   }
   free (line);
}

static void greet (MtShell *sh)
{
   if (mt_var_bool (&sh->vars, "QUIET", false))
      return;
   printf ("mtsql %s, connected to %s\nType \\? for commands, \\h for SQL, \\q to quit.\n\n",
           MTSQL_VERSION, sh->shown_target);
}

int mt_repl (MtShell *sh)
{
   MtInput src = {.terminal = true};
   Repl r = {.sh = sh, .src = &src};
   repl = &r;
   sh->source = &src;
   if (!mt_var_get (&sh->vars, "PROMPT3"))
      mt_var_set (&sh->vars, "PROMPT3", ">> ");
   open_history (&r);
   open_editor (&r);
   greet (sh);
   while (!sh->stop && !sh->quit) {
      int n = 0;
      const char *s = next_line (&r, src.query.n || src.scan.quote ? "PROMPT2" : "PROMPT1", &n);
      if (r.interrupted) {
         interrupt (&r);
         continue;
      }
      if (!s) { /* Ctrl-D */
         if (!mt_var_bool (&sh->vars, "QUIET", false))
            puts ("\\q");
         break;
      }
      take_line (&r, s, (size_t) n);
   }
   save_history (&r);
   el_end (r.el);
   history_end (r.history);
   repl = NULL;
   sh->source = NULL;
   mt_input_free (&src);
   return sh->exit_code >= 0 ? sh->exit_code : MT_EXIT_OK;
}
