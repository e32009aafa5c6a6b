/* The prompt of a dashboard on a terminal: reads name=value for one of its variables. */
#include "shell/dashboard/dashboard_int.h"
#include "shell/edit/keys.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char prompt[] = "Set ";

static void set_text (MtAsk *ask, const char *p, size_t n)
{
   mt_edit_replace (&ask->text, 0, ask->text.b.n, p, n);
}

/* Sets the text of the prompt to name=value of a variable, with its current value. */
static void offer (MtAsk *ask, const MtBoardView *v, size_t variable)
{
   MtBuf b = {0};
   const char *name = v->board->variables[variable], *value = mt_var_get (&v->sh->vars, name);
   mt_buf_printf (&b, "%s=%s", name, value ? value : "");
   set_text (ask, b.p ? b.p : "", b.n);
   mt_buf_free (&b);
   ask->offered = (int) variable;
}

static void complain (MtAsk *ask, const char *problem)
{
   free (ask->problem);
   ask->problem = problem ? mt_heap_strdup (problem) : NULL;
}

void mt_ask_open (MtAsk *ask, const MtBoardView *v)
{
   size_t n = v->board->variable_count;
   mt_ask_close (ask, n ? NULL : "The file has no variables. \\default adds one");
   ask->open = n > 0;
   if (n == 1)
      offer (ask, v, 0);
}

void mt_ask_close (MtAsk *ask, const char *problem)
{
   mt_edit_text_free (&ask->text);
   complain (ask, problem);
   ask->open = false;
   ask->offered = -1;
}

/* Returns the index of the variable whose name is before the = in the prompt's text; -1: there is
 * none. *value: the text after the =; NULL: the text has no =. */
static int variable_of (const MtAsk *ask, const MtBoardView *v, const char **value)
{
   const char *text = mt_edit_bytes (&ask->text), *equals = strchr (text, '=');
   const char *end = equals ? equals : text + strlen (text);
   *value = equals ? equals + 1 : NULL;
   while (isspace ((unsigned char) *text))
      text++;
   while (end > text && isspace ((unsigned char) end[-1]))
      end--;
   for (size_t i = 0; i < v->board->variable_count; i++)
      if (strlen (v->board->variables[i]) == (size_t) (end - text) &&
          memcmp (v->board->variables[i], text, (size_t) (end - text)) == 0)
         return (int) i;
   return -1;
}

bool mt_ask_answer (MtAsk *ask, const MtBoardView *v, const char **name, const char **value)
{
   MtBuf b = {0};
   int i = variable_of (ask, v, value);
   if (i >= 0 && *value) {
      *name = v->board->variables[i];
      return true;
   }
   if (!*value)
      mt_buf_adds (&b, "Type name=value. Tab shows the variables");
   else
      mt_buf_adds (&b, "The dashboard has no such variable. Tab shows the variables");
   complain (ask, b.p);
   mt_buf_free (&b);
   return false;
}

/* Sets the text to name=value of the next variable; if the user has typed the beginning of a name,
 * of the first variable that begins so. */
static void complete (MtAsk *ask, const MtBoardView *v)
{
   const MtBoard *b = v->board;
   const char *text = mt_edit_bytes (&ask->text);
   bool again = ask->offered >= 0;
   size_t n = again ? 0 : strcspn (text, "="), first = again ? (size_t) ask->offered + 1 : 0;
   for (size_t k = 0; k < b->variable_count; k++) {
      size_t i = (first + k) % b->variable_count;
      if (strncmp (b->variables[i], text, n) == 0) {
         offer (ask, v, i);
         return;
      }
   }
}

static void type (MtAsk *ask, int key)
{
   char utf8[4];
   if (key >= ' ' && key != 0x7F && key < MT_KEY_UP)
      mt_edit_type (&ask->text, utf8, mt_utf8_put (utf8, (uint32_t) key));
}

static void paste (MtAsk *ask, const MtBuf *pasted)
{
   for (size_t i = 0; i < pasted->n; i++)
      if ((unsigned char) pasted->p[i] >= ' ')
         mt_edit_type (&ask->text, pasted->p + i, 1);
}

static void erase (MtAsk *ask, size_t from, size_t to)
{
   mt_edit_replace (&ask->text, from, to, "", 0);
}

static void edit (MtAsk *ask, const MtKeys *keys, int key)
{
   MtEditText *t = &ask->text;
   switch (key) {
   case 0x7F:
   case MT_CTRL ('H'): erase (ask, mt_edit_left (t, t->cursor), t->cursor); break;
   case MT_KEY_DELETE: erase (ask, t->cursor, mt_edit_right (t, t->cursor)); break;
   case MT_CTRL ('W'): erase (ask, mt_edit_word_left (t, t->cursor), t->cursor); break;
   case MT_CTRL ('U'): erase (ask, 0, t->cursor); break;
   case MT_CTRL ('K'): erase (ask, t->cursor, t->b.n); break;
   case MT_KEY_LEFT: t->cursor = mt_edit_left (t, t->cursor); break;
   case MT_KEY_RIGHT: t->cursor = mt_edit_right (t, t->cursor); break;
   case MT_KEY_HOME:
   case MT_CTRL ('A'): t->cursor = 0; break;
   case MT_KEY_END:
   case MT_CTRL ('E'): t->cursor = t->b.n; break;
   case MT_KEY_PASTE: paste (ask, &keys->pasted); break;
   default: type (ask, key);
   }
}

MtAsked mt_ask_key (MtAsk *ask, const MtBoardView *v, const MtKeys *keys, int key)
{
   enum { ESC = 0x1B };
   switch (key) {
   case ESC:
   case MT_CTRL ('D'):
   case MT_CTRL ('G'):
   case MT_KEY_INTERRUPT: return MT_ASK_CANCELS;
   case '\r':
   case '\n': return MT_ASK_ANSWERS;
   case MT_KEY_REDRAW: return MT_ASK_GOES_ON;
   case '\t': complete (ask, v); break;
   default: ask->offered = -1; edit (ask, keys, key);
   }
   complain (ask, NULL);
   return MT_ASK_GOES_ON;
}

void mt_ask_draw (const MtAsk *ask, const MtBoardView *v, MtBuf *out)
{
   const MtEditText *t = &ask->text;
   const char *text = mt_edit_bytes (t);
   int room = v->screen.columns - (int) sizeof prompt - 1, before;
   size_t from = 0;
   while (from < t->cursor && mt_text_width (text + from, t->cursor - from) > room)
      from = mt_edit_right (t, from);
   before = mt_text_width (text + from, t->cursor - from);
   MtBuf line = {0};
   mt_buf_adds (&line, prompt);
   mt_buf_add (&line, text + from, t->b.n - from);
   if (ask->problem)
      mt_buf_printf (&line, "   %s", ask->problem);
   else if (!t->b.n)
      mt_buf_adds (&line, "name=value. Tab shows the variables, Escape cancels");
   mt_board_clip (v, (MtStr) {line.p, line.n}, v->screen.columns - 1, false, out);
   mt_buf_free (&line);
   mt_buf_printf (out, "\033[K\033[%dG\033[?25h", (int) sizeof prompt + (before > 0 ? before : 0));
}
