/* The builders of MERGE. */
#include "parser/build_merge_int.h"

MtMergeWhen *mt_b_merge_when (MtParser *p, MtToken t, MtMergeAction action, MtExpr *where,
                              MtToken end)
{
   MtMergeWhen *w = MT_NEW (p->a, MtMergeWhen);
   w->matched = true;
   w->action = action;
   w->where = where;
   w->span = mt_b_join_spans (t.span, end.span);
   return w;
}

MtMergeWhen *mt_b_merge_update (MtParser *p, MtToken t, MtExpr *where, MtAssigns set)
{
   MtMergeWhen *w = mt_b_merge_when (p, t, MT_MERGE_UPDATE, where, t);
   w->set = set.first;
   w->span = mt_b_join_spans (w->span, set.last->value->outer);
   return w;
}

MtMergeWhen *mt_b_merge_insert (MtParser *p, MtToken t, MtExpr *where, MtMergeInsert insert)
{
   MtMergeWhen *w = mt_b_merge_missing (mt_b_merge_when (p, t, MT_MERGE_INSERT, where, t));
   w->columns = insert.columns;
   w->overriding = insert.overriding;
   w->values = insert.values;
   w->span = mt_b_join_spans (w->span, insert.end);
   return w;
}

MtMergeWhen *mt_b_merge_missing (MtMergeWhen *w)
{
   w->matched = false;
   return w;
}

MtMergeWhens mt_b_merge_whens (MtParser *p, MtMergeWhens list, MtMergeWhen *w)
{
   for (const MtMergeWhen *before = list.first; before; before = before->next)
      if (before->matched == w->matched && !before->where)
         mt_b_fail (p, MT_NO_SPAN, MT_E_SYNTAX,
                    "unreachable WHEN clause specified after unconditional WHEN clause");
   if (list.first)
      MT_PUSH (list, w);
   else
      list = (MtMergeWhens) {w, w};
   return list;
}

MtStmt *mt_b_merge (MtParser *p, MtToken t, MtQualified table, MtFrom *source, MtExpr *on,
                    MtMergeWhens whens)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_MERGE, t, whens.last->span);
   s->change.schema = table.schema;
   s->change.table = table.name;
   s->change.alias = table.alias;
   s->change.from = source;
   s->change.where = on;
   s->change.whens = whens.first;
   return s;
}
