/* The line editor: keys and their actions. */
#include "shell/edit/edit_int.h"
#include "shell/edit/terminal.h"

#include <ctype.h>
#include <string.h>

typedef MtAfterKey Action (MtEditor *e);

/* ---- moving the cursor ---- */

static MtAfterKey left (MtEditor *e)
{
   e->t.cursor = mt_edit_left (&e->t, e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey right (MtEditor *e)
{
   e->t.cursor = mt_edit_right (&e->t, e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey word_left (MtEditor *e)
{
   e->t.cursor = mt_edit_word_left (&e->t, e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey word_right (MtEditor *e)
{
   e->t.cursor = mt_edit_word_right (&e->t, e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey line_start (MtEditor *e)
{
   e->t.cursor = mt_edit_line_start (&e->t, e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey line_end (MtEditor *e)
{
   e->t.cursor = mt_edit_line_end (&e->t, e->t.cursor);
   return MT_KEY_GO_ON;
}

static MtAfterKey text_start (MtEditor *e)
{
   e->t.cursor = 0;
   return MT_KEY_GO_ON;
}

static MtAfterKey text_end (MtEditor *e)
{
   e->t.cursor = e->t.b.n;
   return MT_KEY_GO_ON;
}

/* Moves the cursor `by` rows up or down; at the first or last row, goes to the previous or next
 * entry of the history. */
static MtAfterKey vertical (MtEditor *e, int by)
{
   size_t before = e->t.cursor;
   e->column = e->last == MT_DID_VERTICAL ? e->column : -1;
   e->t.cursor = mt_screen_vertical (&e->screen, &e->t, before, by, &e->column);
   e->now = MT_DID_VERTICAL;
   if (e->t.cursor == before && mt_recall (e, by)) {
      e->now = MT_DID_OTHER;
      if (by > 0 && e->at < e->history->n)
         e->t.cursor = mt_edit_line_end (&e->t, 0);
   }
   return MT_KEY_GO_ON;
}

static MtAfterKey up (MtEditor *e) { return vertical (e, -1); }
static MtAfterKey down (MtEditor *e) { return vertical (e, 1); }

static MtAfterKey older (MtEditor *e)
{
   mt_recall (e, -1);
   return MT_KEY_GO_ON;
}

static MtAfterKey newer (MtEditor *e)
{
   mt_recall (e, 1);
   return MT_KEY_GO_ON;
}

static MtAfterKey oldest (MtEditor *e)
{
   mt_recall (e, -(long) e->at);
   return MT_KEY_GO_ON;
}

static MtAfterKey newest (MtEditor *e)
{
   if (e->history)
      mt_recall (e, (long) (e->history->n - e->at));
   return MT_KEY_GO_ON;
}

/* ---- changing ---- */

static MtAfterKey delete_left (MtEditor *e)
{
   mt_edit_replace (&e->t, mt_edit_left (&e->t, e->t.cursor), e->t.cursor, "", 0);
   return MT_KEY_GO_ON;
}

static MtAfterKey delete_right (MtEditor *e)
{
   size_t at = e->t.cursor;
   mt_edit_replace (&e->t, at, mt_edit_right (&e->t, at), "", 0);
   return MT_KEY_GO_ON;
}

static MtAfterKey delete_or_leave (MtEditor *e)
{
   return e->t.b.n ? delete_right (e) : MT_KEY_LEAVE;
}

/* Cuts the text from the cursor to the end of the line; at the end of a line, the newline. */
static MtAfterKey kill_line (MtEditor *e)
{
   size_t at = e->t.cursor, end = mt_edit_line_end (&e->t, at);
   mt_kill (e, at, end > at || end == e->t.b.n ? end : end + 1, false);
   return MT_KEY_GO_ON;
}

static MtAfterKey kill_to_start (MtEditor *e)
{
   size_t at = e->t.cursor, start = mt_edit_line_start (&e->t, at);
   mt_kill (e, start < at || !start ? start : start - 1, at, true);
   return MT_KEY_GO_ON;
}

static MtAfterKey kill_word_right (MtEditor *e)
{
   mt_kill (e, e->t.cursor, mt_edit_word_right (&e->t, e->t.cursor), false);
   return MT_KEY_GO_ON;
}

static MtAfterKey kill_word_left (MtEditor *e)
{
   mt_kill (e, mt_edit_word_left (&e->t, e->t.cursor), e->t.cursor, true);
   return MT_KEY_GO_ON;
}

/* Cuts the text back to the last white space before the cursor. */
static MtAfterKey kill_blanks_left (MtEditor *e)
{
   size_t at = e->t.cursor;
   while (at && isspace ((unsigned char) e->t.b.p[at - 1]))
      at--;
   while (at && !isspace ((unsigned char) e->t.b.p[at - 1]))
      at--;
   mt_kill (e, at, e->t.cursor, true);
   return MT_KEY_GO_ON;
}

static MtAfterKey yank (MtEditor *e)
{
   mt_yank (e);
   return MT_KEY_GO_ON;
}

static MtAfterKey yank_before (MtEditor *e)
{
   mt_yank_before (e);
   return MT_KEY_GO_ON;
}

static MtAfterKey undo (MtEditor *e)
{
   mt_edit_undo (&e->t);
   return MT_KEY_GO_ON;
}

static MtAfterKey redo (MtEditor *e)
{
   mt_edit_redo (&e->t);
   return MT_KEY_GO_ON;
}

/* Swaps the characters before and at the cursor. */
static MtAfterKey transpose (MtEditor *e)
{
   size_t end = mt_edit_right (&e->t, e->t.cursor);
   if (e->t.cursor == mt_edit_line_end (&e->t, e->t.cursor))
      end = e->t.cursor;
   size_t middle = mt_edit_left (&e->t, end), start = mt_edit_left (&e->t, middle);
   if (start == middle || start < mt_edit_line_start (&e->t, e->t.cursor))
      return MT_KEY_GO_ON;
   MtBuf b = {0};
   mt_buf_add (&b, e->t.b.p + middle, end - middle);
   mt_buf_add (&b, e->t.b.p + start, middle - start);
   mt_edit_replace (&e->t, start, end, b.p, b.n);
   mt_buf_free (&b);
   return MT_KEY_GO_ON;
}

/* Changes the case of the word at the cursor: `first` is applied to its first letter, `rest` to the
 * others. */
static MtAfterKey change_case (MtEditor *e, int (*first) (int), int (*rest) (int))
{
   size_t at = e->t.cursor, end = mt_edit_word_right (&e->t, at), start = at;
   while (start < end && !isalnum ((unsigned char) e->t.b.p[start]))
      start++;
   MtBuf b = {0};
   for (size_t i = at; i < end; i++) {
      unsigned char c = (unsigned char) e->t.b.p[i];
      int changed = i == start ? first (c) : rest (c);
      mt_buf_addc (&b, (char) (c < 0x80 ? changed : c));
   }
   mt_edit_replace (&e->t, at, end, b.n ? b.p : "", b.n);
   mt_buf_free (&b);
   return MT_KEY_GO_ON;
}

static MtAfterKey upper (MtEditor *e) { return change_case (e, toupper, toupper); }
static MtAfterKey lower (MtEditor *e) { return change_case (e, tolower, tolower); }
static MtAfterKey capital (MtEditor *e) { return change_case (e, toupper, tolower); }

static MtAfterKey new_line (MtEditor *e)
{
   mt_edit_replace (&e->t, e->t.cursor, e->t.cursor, "\n", 1);
   return MT_KEY_GO_ON;
}

static MtAfterKey paste (MtEditor *e)
{
   const MtBuf *p = &e->keys.pasted;
   mt_edit_replace (&e->t, e->t.cursor, e->t.cursor, p->n ? p->p : "", p->n);
   return MT_KEY_GO_ON;
}

/* Inserts the next key as a character, even if it is a control character. */
static MtAfterKey quoted (MtEditor *e)
{
   int key = mt_edit_next (e);
   char c = (char) key;
   if (key == '\r')
      return new_line (e);
   if (key > 0 && key < 0x80)
      mt_edit_replace (&e->t, e->t.cursor, e->t.cursor, &c, 1);
   return MT_KEY_GO_ON;
}

/* ---- the whole text ---- */

static MtAfterKey enter (MtEditor *e)
{
   const char *why = NULL;
   if (e->host->ready (e->host->ctx, mt_edit_bytes (&e->t), e->t.b.n, &why))
      return MT_KEY_ACCEPT;
   if (why)
      mt_buf_printf (&e->screen.below, "%s\n", why);
   return new_line (e);
}

static MtAfterKey tab (MtEditor *e)
{
   if (e->host->complete)
      mt_offer (e);
   else
      mt_edit_type (&e->t, "\t", 1);
   return MT_KEY_GO_ON;
}

static MtAfterKey interrupt (MtEditor *e) { return MT_KEY_BREAK; }
static MtAfterKey leave (MtEditor *e) { return MT_KEY_LEAVE; }
static MtAfterKey ignore (MtEditor *e) { return MT_KEY_GO_ON; }

static MtAfterKey clear_screen (MtEditor *e)
{
   mt_screen_anew (&e->screen, true);
   return MT_KEY_GO_ON;
}

static MtAfterKey redraw (MtEditor *e)
{
   mt_screen_resized (&e->screen, &e->t);
   return MT_KEY_GO_ON;
}

static MtAfterKey stop (MtEditor *e)
{
   mt_buf_clear (&e->screen.below);
   mt_screen_draw (&e->screen, &e->t);
   mt_terminal_stop ();
   mt_terminal_take_continued ();
   mt_screen_anew (&e->screen, false);
   return MT_KEY_GO_ON;
}

MtAfterKey mt_edit_by_program (MtEditor *e)
{
   MtBuf text = {0};
   if (!e->host->external)
      return MT_KEY_GO_ON;
   mt_buf_add (&text, mt_edit_bytes (&e->t), e->t.b.n);
   mt_terminal_leave ();
   if (e->host->external (e->host->ctx, &text))
      mt_edit_replace (&e->t, 0, e->t.b.n, text.n ? text.p : "", text.n);
   mt_terminal_enter (MT_TERMINAL_EDITS);
   mt_screen_anew (&e->screen, false);
   mt_buf_free (&text);
   return MT_KEY_GO_ON;
}

static MtAfterKey search (MtEditor *e, bool forwards)
{
   int key = mt_recall_search (e, forwards);
   return key ? mt_edit_key (e, key) : MT_KEY_GO_ON;
}

static MtAfterKey search_back (MtEditor *e) { return search (e, false); }
static MtAfterKey search_on (MtEditor *e) { return search (e, true); }

/* ---- keys ---- */

#define META(key) (MT_KEY_META | (key))
#define CTRL_KEY(key) (MT_KEY_CTRL | (key))

static Action after_x;

/* The keys and their actions. To add a key, add a row. docs/mtsql.1 lists the keys for users. */
static const struct {
   int key;
   Action *act;
} bindings[] = {
   {'\r', enter},
   {'\n', enter},
   {MT_KEY_NEWLINE, new_line},
   {'\t', tab},
   {MT_KEY_PASTE, paste},
   {MT_KEY_UP, up},
   {MT_CTRL ('P'), up},
   {MT_KEY_DOWN, down},
   {MT_CTRL ('N'), down},
   {MT_KEY_LEFT, left},
   {MT_CTRL ('B'), left},
   {MT_KEY_RIGHT, right},
   {MT_CTRL ('F'), right},
   {META ('b'), word_left},
   {META (MT_KEY_LEFT), word_left},
   {CTRL_KEY (MT_KEY_LEFT), word_left},
   {META ('f'), word_right},
   {META (MT_KEY_RIGHT), word_right},
   {CTRL_KEY (MT_KEY_RIGHT), word_right},
   {MT_CTRL ('A'), line_start},
   {MT_KEY_HOME, line_start},
   {MT_CTRL ('E'), line_end},
   {MT_KEY_END, line_end},
   {CTRL_KEY (MT_KEY_HOME), text_start},
   {CTRL_KEY (MT_KEY_END), text_end},
   {MT_KEY_PAGE_UP, older},
   {CTRL_KEY (MT_KEY_UP), older},
   {META ('p'), older},
   {MT_KEY_PAGE_DOWN, newer},
   {CTRL_KEY (MT_KEY_DOWN), newer},
   {META ('n'), newer},
   {META ('<'), oldest},
   {META ('>'), newest},
   {MT_CTRL ('R'), search_back},
   {MT_CTRL ('S'), search_on},
   {0x7F, delete_left},
   {MT_CTRL ('H'), delete_left},
   {MT_KEY_DELETE, delete_right},
   {MT_CTRL ('D'), delete_or_leave},
   {MT_CTRL ('K'), kill_line},
   {MT_CTRL ('U'), kill_to_start},
   {MT_CTRL ('W'), kill_blanks_left},
   {META ('d'), kill_word_right},
   {META (MT_KEY_DELETE), kill_word_right},
   {CTRL_KEY (MT_KEY_DELETE), kill_word_right},
   {META (0x7F), kill_word_left},
   {META (MT_CTRL ('H')), kill_word_left},
   {MT_CTRL ('Y'), yank},
   {META ('y'), yank_before},
   {0x1F, undo}, /* Ctrl-_ and Ctrl-/ */
   {META ('_'), redo},
   {META ('/'), redo},
   {MT_CTRL ('T'), transpose},
   {META ('u'), upper},
   {META ('l'), lower},
   {META ('c'), capital},
   {MT_CTRL ('V'), quoted},
   {MT_CTRL ('Q'), quoted},
   {MT_CTRL ('L'), clear_screen},
   {MT_CTRL ('C'), interrupt},
   {MT_KEY_INTERRUPT, interrupt},
   {MT_CTRL ('Z'), stop},
   {MT_CTRL ('X'), after_x},
   {MT_KEY_REDRAW, redraw},
   {MT_KEY_EOF, leave},
};

int mt_edit_next (MtEditor *e) { return e->host->vi ? mt_vi_next (e) : mt_keys_next (&e->keys); }

/* Handles the key after Ctrl-X. */
static MtAfterKey after_x (MtEditor *e)
{
   int key = mt_edit_next (e);
   if (key == MT_CTRL ('U') || key == 'u')
      return undo (e);
   if (key == MT_CTRL ('E') || key == 'e')
      return mt_edit_by_program (e);
   return key >= MT_KEY_INTERRUPT && key <= MT_KEY_EOF ? mt_edit_key (e, key) : MT_KEY_GO_ON;
}

static Action *find_action (int key)
{
   for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
      if (bindings[i].key == key)
         return bindings[i].act;
   return key >= ' ' && key < MT_KEY_UP ? NULL : ignore;
}

MtAfterKey mt_edit_key (MtEditor *e, int key)
{
   char utf8[4];
   Action *act = find_action (key);
   if (act)
      return act (e);
   mt_edit_type (&e->t, utf8, mt_utf8_put (utf8, (uint32_t) key));
   return MT_KEY_GO_ON;
}

/* Draws the text, unless more keys can be read at once. */
static void draw (MtEditor *e)
{
   MtBuf hint = {0};
   if (mt_keys_pending (&e->keys))
      return;
   if (e->host->hint && !e->screen.below.n)
      e->host->hint (e->host->ctx, mt_edit_bytes (&e->t), e->t.cursor, &hint);
   if (hint.n) {
      mt_buf_add (&e->screen.below, hint.p, hint.n);
      mt_buf_addc (&e->screen.below, '\n');
   }
   mt_screen_draw (&e->screen, &e->t);
   mt_buf_free (&hint);
}

static MtAfterKey run (MtEditor *e)
{
   MtAfterKey after = MT_KEY_GO_ON;
   while (after == MT_KEY_GO_ON) {
      draw (e);
      int key = mt_edit_next (e);
      if (mt_terminal_take_continued ())
         mt_screen_anew (&e->screen, false);
      if (key != MT_KEY_REDRAW)
         mt_buf_clear (&e->screen.below);
      e->now = MT_DID_OTHER;
      after = e->host->vi ? mt_vi_key (e, key) : mt_edit_key (e, key);
      e->last = e->now;
   }
   mt_buf_clear (&e->screen.below);
   mt_screen_finish (&e->screen, &e->t);
   return after;
}

MtEditEnd mt_edit (const MtEditHost *host, const MtHistory *history, MtBuf *text)
{
   static const MtEditEnd ends[] = {[MT_KEY_ACCEPT] = MT_EDIT_DONE,
                                    [MT_KEY_LEAVE] = MT_EDIT_EOF,
                                    [MT_KEY_BREAK] = MT_EDIT_INTERRUPTED};
   MtEditor e = {.host = host, .history = history, .keys = {.host = host, .again = -1}};
   if (host->vi)
      mt_vi_begin (&e);
   e.at = history ? history->n : 0;
   mt_buf_clear (text);
   if (!mt_terminal_enter (MT_TERMINAL_EDITS))
      return MT_EDIT_EOF;
   mt_screen_init (&e.screen, host);
   MtEditEnd end = ends[run (&e)];
   mt_terminal_leave ();
   mt_buf_add (text, mt_edit_bytes (&e.t), e.t.b.n);
   mt_edit_text_free (&e.t);
   mt_screen_free (&e.screen);
   mt_buf_free (&e.keys.pasted);
   mt_buf_free (&e.own);
   return end;
}
