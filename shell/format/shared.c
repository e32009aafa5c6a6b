/* Helpers for the formats: output, padding, footers, and rows held back. */
#include "shell/format/format_int.h"
#include "base/memory.h"

#include <stdio.h>

enum { FLUSH_BYTES = 64 << 10 };

void mt_fmt_flush (MtFmt *f, bool all)
{
   if (f->out.n == 0 || (!all && f->out.n < FLUSH_BYTES))
      return;
   if (!f->broken)
      f->broken = !f->write (f->ctx, f->out.p, f->out.n);
   mt_buf_clear (&f->out);
}

void mt_fmt_repeat (MtFmt *f, const char *s, int n)
{
   for (int i = 0; i < n; i++)
      mt_buf_adds (&f->out, s);
}

void mt_fmt_pad (MtFmt *f, int n)
{
   static const char spaces[] = "                                                                ";
   while (n > 0) {
      int m = n < (int) sizeof spaces - 1 ? n : (int) sizeof spaces - 1;
      mt_buf_add (&f->out, spaces, (size_t) m);
      n -= m;
   }
}

const char *const *mt_fmt_footers (const MtFmt *f, const char *const *given, char scratch[64],
                                   const char *list[2])
{
   if (given)
      return given;
   list[0] = list[1] = NULL;
   if (f->o->footer) {
      snprintf (scratch, 64, f->rows == 1 ? "(%llu row)" : "(%llu rows)",
                (unsigned long long) f->rows);
      list[0] = scratch;
   }
   return list;
}

void mt_fmt_hold (MtFmt *f, const MtStr *cells)
{
   if (f->held == f->cap) {
      size_t row_bytes = f->n * sizeof *f->cells;
      size_t cap = mt_try_room ("cells", f->cap, f->held + 1, 64, row_bytes, sizeof f->cap);
      MtStr *more = cap ? mt_try_realloc ("cells", f->cells, cap * row_bytes) : NULL;
      if (!more)
         return; /* the statement fails for lack of memory */
      f->cells = more;
      f->cap = cap;
   }
   for (size_t i = 0; i < f->n; i++) {
      MtStr c = cells[i];
      if (c.p) {
         c.p = mt_try_strndup (f->arena, c.p, c.n);
         c.n = c.p ? c.n : 0;
         f->held_bytes += c.n;
      }
      f->cells[f->held * f->n + i] = c;
   }
   f->held_bytes += f->n * sizeof (MtStr);
   f->held++;
}
