#include "shell/edit/edit_int.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 400 };

/* Returns how many leading bytes all choices have in common; upper and lower case are equal. */
static size_t common_length (const MtChoices *c)
{
   size_t n = c->n ? strlen (c->v[0]) : 0;
   for (size_t i = 1; i < c->n; i++) {
      size_t k = 0;
      while (k < n && tolower ((unsigned char) c->v[i][k]) == tolower ((unsigned char) c->v[0][k]))
         k++;
      n = k;
   }
   while (n && ((unsigned char) c->v[0][n] & 0xC0) == 0x80)
      n--;
   return n;
}

static int widest (const MtChoices *c)
{
   int width = 0;
   for (size_t i = 0; i < c->n; i++) {
      int w = mt_text_width (c->v[i], strlen (c->v[i]));
      width = w > width ? w : width;
   }
   return width;
}

/* Lists the choices below the text, in columns that are read from top to bottom. */
static void list (MtEditor *e, const MtChoices *c)
{
   MtBuf *out = &e->screen.below;
   size_t n = c->n < MAX_LISTED ? c->n : MAX_LISTED;
   int width = widest (c) + 2;
   size_t per_row = e->screen.columns > width ? (size_t) ((e->screen.columns - 1) / width) : 1,
          rows = (n + per_row - 1) / per_row;
   for (size_t row = 0; row < rows; row++) {
      for (size_t i = row; i < n; i += rows) {
         int pad = i + rows < n ? width - mt_text_width (c->v[i], strlen (c->v[i])) : 0;
         mt_buf_adds (out, c->v[i]);
         mt_buf_fill (out, ' ', (size_t) pad);
      }
      mt_buf_addc (out, '\n');
   }
   if (c->n > n)
      mt_buf_printf (out, "… and %zu more\n", c->n - n);
}

/* Replaces the word being typed by the first `common` bytes of the choices. A blank is added after
 * a single choice, unless more can follow it, as after "(". */
static void insert (MtEditor *e, const MtChoices *c, size_t common)
{
   MtBuf b = {0};
   const char *rest = mt_edit_bytes (&e->t) + e->t.cursor;
   mt_buf_add (&b, c->v[0], common);
   char last = b.n ? b.p[b.n - 1] : 0;
   if (c->n == 1 && !strchr ("(/=.", last) && *rest != ' ' && !(last == '\'' && *rest == '\''))
      mt_buf_addc (&b, ' ');
   mt_edit_replace (&e->t, c->start, e->t.cursor, b.n ? b.p : "", b.n);
   mt_buf_free (&b);
}

void mt_offer (MtEditor *e)
{
   MtChoices c = {0};
   e->host->complete (e->host->ctx, mt_edit_bytes (&e->t), e->t.cursor, &c);
   size_t typed = e->t.cursor - c.start, common = common_length (&c);
   if (c.n == 1 || common > typed)
      insert (e, &c, common);
   else if (c.n > 1)
      list (e, &c);
   free (c.v);
   mt_arena_free (c.arena);
}
