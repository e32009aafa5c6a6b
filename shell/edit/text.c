#include "shell/edit/text.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* The largest text to which cut text may still be added. */
enum { MOST_PUT_BYTES = 1 << 20 };

/* ---- changes ---- */

static void free_changes (MtEditText *t, size_t from)
{
   for (size_t i = from; i < t->n; i++) {
      mt_buf_free (&t->changes[i].gone);
      mt_buf_free (&t->changes[i].came);
   }
   t->n = from;
}

void mt_edit_text_free (MtEditText *t)
{
   free_changes (t, 0);
   free (t->changes);
   mt_buf_free (&t->b);
   *t = (MtEditText) {0};
}

void mt_edit_text_reset (MtEditText *t)
{
   free_changes (t, 0);
   mt_buf_clear (&t->b);
   t->cursor = t->done = 0;
   t->typing = false;
}

const char *mt_edit_bytes (const MtEditText *t) { return t->b.n ? t->b.p : ""; }

/* Replaces the bytes from..to by n bytes at p, without a record for undo. Returns false if memory
 * is exhausted; then nothing has changed. */
static bool put (MtEditText *t, size_t from, size_t to, const char *p, size_t n)
{
   size_t rest = t->b.n - to;
   if (!mt_buf_reserve (&t->b, n))
      return false;
   if (t->b.p) {
      memmove (t->b.p + from + n, t->b.p + to, rest);
      memcpy (t->b.p + from, p, n);
      t->b.n = from + n + rest;
      t->b.p[t->b.n] = 0;
   }
   t->cursor = from + n;
   return true;
}

bool mt_edit_may_put (const MtEditText *t, size_t n, int times)
{
   return t->b.n + n * (size_t) times <= MOST_PUT_BYTES;
}

void mt_edit_replace (MtEditText *t, size_t from, size_t to, const char *p, size_t n)
{
   t->typing = false;
   if (from == to && n == 0) {
      t->cursor = from;
      return;
   }
   MtEditChange c = {.at = from, .cursor = t->cursor, .group = t->group};
   if (!mt_buf_add (&c.gone, mt_edit_bytes (t) + from, to - from) || !mt_buf_add (&c.came, p, n) ||
       !put (t, from, to, p, n)) {
      mt_buf_free (&c.gone);
      mt_buf_free (&c.came);
      return;
   }
   free_changes (t, t->done);
   MT_GROW ("changes of the line editor", t->changes, t->n, t->cap, 32);
   t->changes[t->n++] = c;
   t->done = t->n;
}

void mt_edit_type (MtEditText *t, const char *p, size_t n)
{
   MtEditChange *last = t->typing && t->done ? &t->changes[t->done - 1] : NULL;
   bool joins = last && last->group == t->group && last->at + last->came.n == t->cursor &&
                (*p == ' ' || last->came.p[last->came.n - 1] != ' ');
   if (joins) {
      if (mt_buf_reserve (&last->came, n) && put (t, t->cursor, t->cursor, p, n))
         mt_buf_add (&last->came, p, n);
   } else {
      mt_edit_replace (t, t->cursor, t->cursor, p, n);
   }
   t->typing = true;
}

/* Returns whether the changes i and i + 1 belong to the same group, so that they are undone
 * together. */
static bool together (const MtEditText *t, size_t i)
{
   return t->changes[i].group && t->changes[i].group == t->changes[i + 1].group;
}

bool mt_edit_undo (MtEditText *t)
{
   t->typing = false;
   if (!t->done)
      return false;
   do {
      const MtEditChange *c = &t->changes[t->done - 1];
      if (!put (t, c->at, c->at + c->came.n, c->gone.n ? c->gone.p : "", c->gone.n))
         return false;
      t->done--;
      t->cursor = c->cursor;
   } while (t->done && together (t, t->done - 1));
   return true;
}

bool mt_edit_redo (MtEditText *t)
{
   t->typing = false;
   if (t->done == t->n)
      return false;
   do {
      const MtEditChange *c = &t->changes[t->done];
      if (!put (t, c->at, c->at + c->gone.n, c->came.n ? c->came.p : "", c->came.n))
         return false;
      t->done++;
   } while (t->done < t->n && together (t, t->done - 1));
   return true;
}

/* ---- positions ---- */

size_t mt_edit_cluster (const char *p, size_t n, int *width)
{
   uint32_t cp, next;
   int w;
   utf8proc_int32_t state = 0;
   size_t len = mt_text_step (p, n, &cp, width);
   bool joined = false;
   while (len < n && (unsigned char) p[len] >= 0x80) {
      size_t step = mt_text_step (p + len, n - len, &next, &w);
      if (utf8proc_grapheme_break_stateful ((utf8proc_int32_t) cp, (utf8proc_int32_t) next, &state))
         break;
      joined = cp == 0x200D;
      *width += w > 0 && !joined ? w : 0;
      cp = next;
      len += step;
   }
   return len;
}

size_t mt_edit_right (const MtEditText *t, size_t at)
{
   int width;
   return at < t->b.n ? at + mt_edit_cluster (t->b.p + at, t->b.n - at, &width) : at;
}

size_t mt_edit_left (const MtEditText *t, size_t at)
{
   if (!at)
      return 0;
   size_t i = mt_edit_line_start (t, at);
   if (i == at)
      return at - 1;
   for (size_t next; (next = mt_edit_right (t, i)) < at;)
      i = next;
   return i;
}

static bool word_char (char c)
{
   return isalnum ((unsigned char) c) || c == '_' || (unsigned char) c >= 0x80;
}

size_t mt_edit_word_left (const MtEditText *t, size_t at)
{
   while (at && !word_char (t->b.p[at - 1]))
      at--;
   while (at && word_char (t->b.p[at - 1]))
      at--;
   return at;
}

size_t mt_edit_word_right (const MtEditText *t, size_t at)
{
   while (at < t->b.n && !word_char (t->b.p[at]))
      at++;
   while (at < t->b.n && word_char (t->b.p[at]))
      at++;
   return at;
}

size_t mt_edit_line_start (const MtEditText *t, size_t at)
{
   while (at && t->b.p[at - 1] != '\n')
      at--;
   return at;
}

size_t mt_edit_line_end (const MtEditText *t, size_t at)
{
   const char *p = mt_edit_bytes (t), *nl = memchr (p + at, '\n', t->b.n - at);
   return nl ? (size_t) (nl - p) : t->b.n;
}
