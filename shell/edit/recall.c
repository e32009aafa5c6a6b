#include "shell/edit/edit_int.h"

#include <string.h>

static void show (MtEditor *e, const char *text, size_t n)
{
   unsigned group = e->t.group;
   mt_edit_text_reset (&e->t);
   e->t.group = 0; /* makes this insertion an undo step of its own */
   mt_edit_replace (&e->t, 0, 0, text, n);
   e->t.group = group;
}

static void show_entry (MtEditor *e, size_t at)
{
   if (e->at == e->history->n && at != e->at) {
      mt_buf_clear (&e->own);
      mt_buf_add (&e->own, mt_edit_bytes (&e->t), e->t.b.n);
   }
   e->at = at;
   if (at == e->history->n)
      show (e, e->own.n ? e->own.p : "", e->own.n);
   else
      show (e, e->history->v[at].text, strlen (e->history->v[at].text));
}

bool mt_recall (MtEditor *e, long by)
{
   if (!e->history || (by < 0 ? e->at < (size_t) -by : e->at + (size_t) by > e->history->n))
      return false;
   show_entry (e, by < 0 ? e->at - (size_t) -by : e->at + (size_t) by);
   return true;
}

/* ---- search ---- */

typedef struct Search {
   MtBuf pattern, prompt;
   bool forwards, failed;
   size_t found; /* the history entry that is shown; history->n: none yet */
   size_t place; /* the offset of the pattern in this entry */
} Search;

/* Returns where the pattern is in an entry's text; NULL: nowhere. If the pattern has no capitals,
 * upper and lower case are equal. */
static const char *find (const Search *s, const char *text)
{
   for (size_t i = 0; i < s->pattern.n; i++)
      if (s->pattern.p[i] >= 'A' && s->pattern.p[i] <= 'Z')
         return strstr (text, s->pattern.p);
   return strcasestr (text, s->pattern.p);
}

/* Searches the history for the pattern, from entry `from` on in the direction of the search. `from`
 * may be history->n, the number of entries. */
static void search (MtEditor *e, Search *s, size_t from)
{
   size_t n = e->history->n;
   s->failed = s->pattern.n > 0;
   for (size_t i = from; s->pattern.n && (s->forwards ? i < n : i != (size_t) -1);
        s->forwards ? i++ : i--) {
      const char *text = i < n ? e->history->v[i].text : NULL, *at = text ? find (s, text) : NULL;
      if (!at)
         continue;
      s->failed = false;
      s->found = i;
      s->place = (size_t) (at - text);
      show_entry (e, i);
      e->t.cursor = s->place;
      return;
   }
}

static void draw (MtEditor *e, Search *s)
{
   mt_buf_clear (&s->prompt);
   mt_buf_printf (&s->prompt, "(%s%s)`%s': ", s->failed ? "failed " : "",
                  s->forwards ? "i-search" : "reverse-i-search", s->pattern.n ? s->pattern.p : "");
   e->screen.instead = s->prompt.p;
   e->screen.found = s->place;
   e->screen.found_n = s->failed || s->found == e->history->n ? 0 : s->pattern.n;
   if (!mt_keys_pending (&e->keys))
      mt_screen_draw (&e->screen, &e->t);
}

/* Removes the last character of the pattern. */
static void shorten (Search *s)
{
   while (s->pattern.n && ((unsigned char) s->pattern.p[s->pattern.n - 1] & 0xC0) == 0x80)
      s->pattern.n--;
   s->pattern.n -= s->pattern.n > 0;
   if (s->pattern.p)
      s->pattern.p[s->pattern.n] = 0;
}

/* Handles a key during the search. Returns false if the key ends the search. */
static bool obey (MtEditor *e, Search *s, int key)
{
   char utf8[4];
   size_t n = e->history->n;
   if (key == MT_CTRL ('R') || key == MT_CTRL ('S')) {
      s->forwards = key == MT_CTRL ('S');
      if (s->found != n)
         search (e, s, s->forwards ? s->found + 1 : s->found - 1);
      else if (!s->forwards)
         search (e, s, n);
   } else if (key == 0x7F || key == MT_CTRL ('H')) {
      shorten (s);
      search (e, s, s->forwards ? s->found : n);
   } else if (key == MT_KEY_REDRAW) {
      mt_screen_resized (&e->screen, &e->t);
   } else if (key >= ' ' && key < MT_KEY_UP) {
      mt_buf_add (&s->pattern, utf8, mt_utf8_put (utf8, (uint32_t) key));
      search (e, s, s->found);
   } else if (key == MT_KEY_PASTE) {
      mt_buf_add (&s->pattern, e->keys.pasted.p, e->keys.pasted.n);
      search (e, s, s->found);
   } else {
      return false;
   }
   return true;
}

/* The pattern and direction of the last search. They survive the edited text. */
static MtBuf last_pattern;
static bool last_forwards;

static void keep_search (const Search *s)
{
   if (!s->pattern.n)
      return;
   mt_buf_clear (&last_pattern);
   mt_buf_add (&last_pattern, s->pattern.p, s->pattern.n);
   last_forwards = s->forwards;
}

void mt_recall_again (MtEditor *e, bool other_way)
{
   if (!e->history || !last_pattern.n)
      return;
   Search s = {.pattern = last_pattern, .forwards = last_forwards != other_way};
   if (s.forwards || e->at)
      search (e, &s, s.forwards ? e->at + 1 : e->at - 1);
}

int mt_recall_search (MtEditor *e, bool forwards)
{
   if (!e->history)
      return 0;
   size_t before = e->at, cursor = e->t.cursor;
   Search s = {.forwards = forwards, .found = e->at};
   int key;
   do {
      draw (e, &s);
      key = mt_edit_next (e);
   } while (obey (e, &s, key));
   e->screen.instead = NULL;
   e->screen.found_n = 0;
   if (key == MT_CTRL ('G')) {
      show_entry (e, before);
      e->t.cursor = cursor < e->t.b.n ? cursor : e->t.b.n;
   }
   keep_search (&s);
   mt_buf_free (&s.pattern);
   mt_buf_free (&s.prompt);
   return key == MT_CTRL ('G') || key == 0x1B ? 0 : key;
}
