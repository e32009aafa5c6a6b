#include "shell/edit/edit_int.h"

enum { KILLS = 32 };

/* The last cut texts, a ring buffer. They survive the edited text. ring[newest] is the last one. */
static MtBuf ring[KILLS];
static size_t newest, shown;

void mt_kill (MtEditor *e, size_t from, size_t to, bool backwards)
{
   MtBuf text = {0};
   e->now = MT_DID_KILL;
   if (from == to)
      return;
   const char *p = mt_edit_bytes (&e->t) + from;
   if (e->last != MT_DID_KILL) {
      newest = (newest + 1) % KILLS;
      mt_buf_clear (&ring[newest]);
   }
   if (backwards)
      mt_buf_add (&text, p, to - from);
   mt_buf_add (&text, ring[newest].n ? ring[newest].p : "", ring[newest].n);
   if (!backwards)
      mt_buf_add (&text, p, to - from);
   mt_buf_free (&ring[newest]);
   ring[newest] = text;
   mt_edit_replace (&e->t, from, to, "", 0);
}

void mt_keep_cut (const char *p, size_t n)
{
   if (!n)
      return;
   newest = (newest + 1) % KILLS;
   mt_buf_clear (&ring[newest]);
   mt_buf_add (&ring[newest], p, n);
}

const MtBuf *mt_last_cut (void) { return &ring[newest]; }

void mt_yank (MtEditor *e)
{
   if (!mt_edit_may_put (&e->t, ring[newest].n, 1))
      return;
   shown = newest;
   e->now = MT_DID_YANK;
   e->yanked = e->t.cursor;
   mt_edit_replace (&e->t, e->yanked, e->yanked, ring[shown].n ? ring[shown].p : "", ring[shown].n);
}

void mt_yank_before (MtEditor *e)
{
   if (e->last != MT_DID_YANK)
      return;
   do
      shown = (shown + KILLS - 1) % KILLS;
   while (!ring[shown].n && shown != newest);
   if (!mt_edit_may_put (&e->t, ring[shown].n, 1))
      return;
   e->now = MT_DID_YANK;
   mt_edit_replace (&e->t, e->yanked, e->t.cursor, ring[shown].n ? ring[shown].p : "",
                    ring[shown].n);
}
