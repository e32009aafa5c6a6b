/* Binds queries without running them. */
#include "analyze/bind.h"
#include "session/core/core.h"
#include "session/core/schemas.h"
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
   for (int i = 0; i < q->visible_count; i++) {
      MtRelColumn *c = &out->columns[out->count++];
      *c = mt_rel_column_of (q->targets[i].name, q->targets[i].expr);
      if (q->origins)
         c->origin = q->origins[i];
   }
   return true;
}

bool mt_is_plain_values (const MtSelect *s)
{
   return s->kind == MT_SELECT_VALUES && !s->order && !s->limit && !s->offset && !s->with;
}

/* ---- queries that are stored in the catalog ---- */

bool mt_complete_query (MtStatement *st, const MtSelect *query, const MtSelect **out, MtError *err)
{
   MtBuf text = {0};
   MtStmt *copy;
   MtQuery *q;
   *out = query;
   if (mt_path_is_plain (st->session))
      return true;
   MtStatement stored = *st;
   stored.env.completes = true;
   mt_print_select (query, &text);
   bool before = mt_look_begin (&stored);
   bool ok = mt_parse (st->arena, text.p, text.n, &copy, err) &&
             mt_bind_select (st->arena, &stored.env, copy->select, &q, err);
   mt_look_end (&stored, before);
   mt_buf_free (&text);
   if (ok)
      *out = copy->select;
   return ok;
}

bool mt_print_stored (MtStatement *st, const MtSelect *query, MtBuf *out, MtError *err)
{
   const MtSelect *complete;
   if (!mt_complete_query (st, query, &complete, err))
      return false;
   mt_print_select (complete, out);
   return true;
}
