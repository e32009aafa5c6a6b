/* Whole rows as arguments, which become jsonb objects. */
#include "analyze/names/row_object.h"

#include "analyze/calls/call.h"
#include "analyze/names/names.h"

/* Returns whether rel has an outer join, so that a table's whole row may be NULL. */
static bool has_outer (const MtRel *rel)
{
   if (rel->kind == MT_REL_UNNEST)
      return rel->unnest->keep || has_outer (rel->unnest->input);
   if (rel->kind != MT_REL_JOIN)
      return false;
   return rel->join->keep_left || rel->join->keep_right || has_outer (rel->join->left) ||
          has_outer (rel->join->right);
}

/* Returns whether e is a table's alias, used as a whole row, and not a column's name. */
static bool whole_row (const MtScope *s, const MtExpr *e, MtNames *out)
{
   const MtNameList *parts = e->kind == MT_EXPR_COLUMN ? e->column.parts : NULL;
   if (!s->rel || !parts || parts->next || mt_rel_column (s->rel, &parts->name) != -1 ||
       !mt_names_of_table (s->rel, &parts->name, out))
      return false;
   return out->count > 1 || s->rel->kind == MT_REL_TABLE || s->rel->kind == MT_REL_QUERY ||
          s->rel->kind == MT_REL_VALUES; /* a function's alias may mean its value */
}

static bool row_object (MtBinder *b, const MtNames *names, MtSpan span, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2 * (size_t) names->count + 1);
   if (has_outer (names->rel))
      return mt_refuse (b, span, "a row of an outer join as a value is");
   for (int i = 0; i < names->count; i++) {
      args[2 * i] = mt_x_text (b->a, mt_names_text (names, i), span);
      args[2 * i + 1] = mt_names_x (b, names, i, span);
   }
   return mt_bind_function (b, "jsonb_build_object", span, args, 2 * names->count, out);
}

/* ROW (…): its fields are f1, f2 … */
static bool row_of_values (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   int n = mt_list_length (e->list);
   MtX **args = MT_NEW_N (b->a, MtX *, 2 * (size_t) n + 1);
   n = 0;
   for (const MtExprList *l = e->list; l; l = l->next, n++) {
      args[2 * n] = mt_x_text (b->a, mt_printf (b->a, "f%d", n + 1), e->span);
      if (!mt_bind_json_arg (b, s, l->expr, &args[2 * n + 1]))
         return false;
   }
   return mt_bind_function (b, "jsonb_build_object", e->span, args, 2 * n, out);
}

bool mt_takes_json_rows (const MtBinder *b, const MtExpr *call)
{
   int count;
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, mt_last_name (call->call.name)->text, 0,
                                         &count);
   for (int i = 0; i < count; i++)
      if (sigs[i]->fn->flags & MT_F_JSON_ROWS)
         return true;
   return false;
}

bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtNames names;
   if (e->kind == MT_EXPR_ROW)
      return row_of_values (b, s, e, out);
   return whole_row (s, e, &names) ? row_object (b, &names, e->span, out)
                                   : mt_bind_x (b, s, e, out);
}
