/* Binds queries without running them. */
#include "analyze/bind.h"
#include "session/core/core.h"
#include "session/state/session.h"

bool mt_run_nothing (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out,
                     MtError *err)
{
   *out = (MtVals) {0};
   return true;
}

bool mt_look_begin (MtStatement *st)
{
   bool before = st->session->unread;
   st->env.run = mt_run_nothing;
   st->session->unread = true;
   return before;
}

void mt_look_end (MtStatement *st, bool before) { st->session->unread = before; }

bool mt_check_select (MtStatement *st, const MtSelect *select, MtColumnList *out, MtError *err)
{
   MtQuery *q;
   if (!mt_bind_select (st->arena, &st->env, select, &q, err))
      return false;
   out->columns = MT_NEW_N (st->arena, MtRelColumn, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++)
      out->columns[out->count++] = mt_rel_column_of (q->targets[i].name, q->targets[i].expr);
   return true;
}

bool mt_is_plain_values (const MtSelect *s)
{
   return s->kind == MT_SELECT_VALUES && !s->order && !s->limit && !s->offset && !s->with;
}
