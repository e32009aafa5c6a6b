/* Lines typed at the terminal: prompts, keys, and completion by libedit. */
#include "shell/core/input.h"
#include "shell/core/output.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <errno.h>
#include <histedit.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { MAX_LISTED = 400 };

typedef struct Editor {
   MtShell *sh;
   MtInput *src;
   MtCompleter complete;
   EditLine *el;
   char prompt[256];
   /* the user typed Ctrl-C while editing the line */
   bool interrupted;
} Editor;

/* The open line editor. The callbacks of libedit get it from this variable. */
static Editor *editor;

/* ---- prompts ---- */

static const char *transaction_mark (const MtShell *sh)
{
   static const char *const marks[] = {
      [MT_TRANSACTION_NONE] = "", [MT_TRANSACTION_OPEN] = "*", [MT_TRANSACTION_FAILED] = "!"};
   return marks[mt_transaction_state (sh->session)];
}

static void compose_prompt (Editor *e, const char *name)
{
   const char *p = mt_var_get (&e->sh->vars, name);
   char state = mt_shell_active (e->sh) ? mt_scan_prompt (&e->src->scan, &e->src->query) : '@';
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
         mt_buf_printf (&b, "%llu", (unsigned long long) e->src->line);
      else if (*p == '#')
         mt_buf_addc (&b, '>');
      else if (*p == 'x')
         mt_buf_adds (&b, transaction_mark (e->sh));
      else
         mt_buf_addc (&b, *p);
   }
   snprintf (e->prompt, sizeof e->prompt, "%s", b.n ? b.p : "");
   mt_buf_free (&b);
}

static char *prompt (EditLine *el)
{
   (void) el;
   return editor->prompt;
}

/* ---- keys ---- */

/* Reads one character from the terminal. Returns -1 after a signal that ends the line. */
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
         editor->interrupted = true;
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

/* ---- completion ---- */

static size_t choices_common (const MtChoices *c)
{
   if (!c->n)
      return 0;
   size_t n = strlen (c->v[0]);
   for (size_t i = 1; i < c->n; i++) {
      size_t k = 0;
      while (k < n && tolower ((unsigned char) c->v[i][k]) == tolower ((unsigned char) c->v[0][k]))
         k++;
      n = k;
   }
   return n;
}

static void choices_free (MtChoices *c)
{
   free (c->v);
   mt_arena_free (c->arena);
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

/* Replaces the typed word by the common beginning of the choices. A single choice is followed by
 * a space. */
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
   MtChoices c = {0};
   unsigned char result = CC_ERROR;
   editor->complete (editor->sh, editor->src->query.n ? editor->src->query.p : "", line, &c);
   const char *word = line + c.start;
   size_t typed = strlen (word), common = choices_common (&c);
   /* el_deletestr counts characters, not bytes */
   size_t characters = mt_utf8_length (word, typed);
   if (c.n == 1 || common > typed) {
      result = insert (el, &c, characters, common);
   } else if (c.n > 1) {
      show_choices (&c);
      result = CC_REDISPLAY;
   }
   choices_free (&c);
   free (line);
   return result;
}

/* ---- lines ---- */

static void open_terminal (Editor *e, struct history *entries)
{
   e->el = el_init ("mtsql", stdin, stdout, stderr);
   el_set (e->el, EL_PROMPT, prompt);
   el_set (e->el, EL_EDITOR, "emacs");
   el_set (e->el, EL_SIGNAL, 0);
   el_set (e->el, EL_HIST, history, entries);
   /* el_wset, because libedit leaks the copies that el_set makes */
   el_wset (e->el, EL_ADDFN, L"mtsql-complete", L"complete the word", complete);
   el_set (e->el, EL_BIND, "^I", "mtsql-complete", NULL);
   el_set (e->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
   el_set (e->el, EL_GETCFN, read_key);
   if (!e->sh->open.restricted)
      el_source (e->el, NULL);
}

void mt_editor_open (MtShell *sh, MtInput *src, MtCompleter complete_line)
{
   editor = mt_calloc ("line editor", 1, sizeof *editor);
   *editor = (Editor) {.sh = sh, .src = src, .complete = complete_line};
   open_terminal (editor, mt_history_open (sh));
}

void mt_editor_close (void)
{
   mt_history_save (editor->sh);
   el_end (editor->el);
   mt_history_close ();
   free (editor);
   editor = NULL;
}

/* Reads a line after e->prompt, without its line feed. NULL at the end of the input, or after
 * Ctrl-C (e->interrupted). */
static const char *edit_line (Editor *e, int *n)
{
   e->interrupted = false;
   mt_interrupted = 0; /* an earlier Ctrl-C cancelled a statement, not this line */
   fflush (stdout);
   const char *s = el_gets (e->el, n);
   if (e->interrupted || !s || *n <= 0)
      return NULL;
   if (s[*n - 1] == '\n')
      --*n;
   return s;
}

const char *mt_editor_line (const char *prompt_name, int *n, bool *interrupted)
{
   compose_prompt (editor, prompt_name);
   const char *s = edit_line (editor, n);
   *interrupted = editor->interrupted;
   return s;
}

bool mt_editor_ask (const char *text, MtBuf *line)
{
   int n;
   if (!editor)
      return false;
   snprintf (editor->prompt, sizeof editor->prompt, "%s", text);
   const char *s = edit_line (editor, &n);
   if (s)
      mt_buf_add (line, s, (size_t) n);
   else
      puts (editor->interrupted ? "^C" : "");
   mt_interrupted |= editor->interrupted;
   return s != NULL;
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
