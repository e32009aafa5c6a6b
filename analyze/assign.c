/* Analyzes queries whose rows are written to a table (such as INSERT … SELECT), and converts their
 * columns to the types of the table's columns. */
#include "analyze/bind.h"
#include "analyze/block/block.h"
#include "analyze/calls/fold.h"
#include "analyze/types/array_cast.h"
#include "analyze/types/coerce.h"
#include "planner/rewrite/push.h"

static bool assign (MtBinder *b, const MtColumn *c, MtX *x, MtX **out)
{
   MtTypeId from = x->type.id;
   if (from != MT_T_UNKNOWN && from != c->type.id &&
       !mt_can_coerce (from, c->type.id, MT_COERCE_ASSIGN)) {
      mt_error_at (b->err, x->span, MT_E_DATATYPE_MISMATCH,
                   "column \"%s\" is of type %s but expression is of type %s", c->name,
                   mt_type_info (c->type.id)->display, mt_type_info (from)->display);
      return mt_error_hint (b->err, "You will need to rewrite or cast the expression.");
   }
   return mt_coerce (b, x, c->type, MT_COERCE_ASSIGN, out);
}

bool mt_bind_value (MtArena *a, const MtBindEnv *env, const MtExpr *e, const MtColumn *c, MtX **out,
                    MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtRel none = {.kind = MT_REL_NONE};
   MtScope s = {.rel = &none, .clause = MT_CLAUSE_VALUES};
   if (!mt_bind_x (&b, &s, e, out) || !assign (&b, c, *out, out) || !mt_fold (&b, out))
      return false;
   /* Table columns store whole milliseconds, so a constant time loses its microseconds here. */
   if ((*out)->kind == MT_X_CONST && (*out)->value.type == MT_DATE)
      *out = mt_x_const (a, (*out)->type, mt_v_date ((*out)->value.i), (*out)->span);
   return true;
}

bool mt_bind_argument (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtParam param, MtX **out,
                       MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtRel none = {.kind = MT_REL_NONE};
   MtScope s = {.rel = &none, .clause = MT_CLAUSE_EXECUTE};
   MtX *x;
   if (!mt_bind_x (&b, &s, e, &x))
      return false;
   MtTypeId from = x->type.id, to = param.type.id;
   if (from != MT_T_UNKNOWN && from != to && !mt_can_coerce (from, to, MT_COERCE_ASSIGN)) {
      mt_error_at (err, e->span, MT_E_DATATYPE_MISMATCH,
                   "parameter $%d of type %s cannot be coerced to the expected type %s",
                   param.number, mt_type_info (from)->display, mt_type_info (to)->display);
      return mt_error_hint (err, "You will need to rewrite or cast the expression.");
   }
   if (!mt_coerce (&b, x, param.type, MT_COERCE_ASSIGN, out))
      return false;
   if (mt_has_moments (*out)) {
      mt_refuse (&b, e->span, "an array parameter of times with microseconds is");
      return mt_error_hint (err, "Cast the elements to timestamptz(3) or timestamp(3).");
   }
   return mt_fold (&b, out);
}

bool mt_bind_type (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtType *out,
                   MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   return mt_resolve_type (&b, name, out);
}

/* Returns whether the items of q's select list can be cast in place without changing which rows q
 * returns or their order. Otherwise the casts need an outer query. */
static bool may_change_targets (const MtQuery *q)
{
   return q->arm_count == 0 && !q->distinct && q->sort_count == 0;
}

/* Makes the query SELECT * FROM (q), to which casts can be added after the DISTINCT and ORDER BY of
 * q. */
static MtQuery *around (MtBinder *b, MtQuery *q)
{
   MtQuery *outer = MT_NEW (b->a, MtQuery);
   int n = q->visible_count;
   *outer = (MtQuery) {.limit = -1, .target_count = n, .visible_count = n};
   outer->rel = (MtRel) {.kind = MT_REL_QUERY, .query = q, .column_count = n};
   outer->rel.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) n + 1);
   outer->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   for (int i = 0; i < n; i++) {
      const MtX *from = q->targets[i].expr;
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, from->type, from->span);
      x->column = i;
      mt_x_refers (x, from);
      outer->rel.columns[i] = mt_rel_column_of (q->targets[i].name, x);
      outer->targets[i] = (MtTargetX) {q->targets[i].name, x};
   }
   return outer;
}

bool mt_all_given (const MtNameList *named, int given, MtError *err)
{
   const MtNameList *c = named;
   for (; c && given; c = c->next)
      given--;
   return !c || mt_error_at (err, c->name.span, MT_E_SYNTAX,
                             "INSERT has more target columns than expressions");
}

bool mt_bind_assigned (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtAssignment to,
                       MtQuery **out, MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtQuery *q;
   b.assigned = s;
   if (!mt_bind_query (&b, s, &q))
      return false;
   if (q->visible_count > (int) to.count)
      return mt_error_at (err, q->targets[to.count].expr->span, MT_E_SYNTAX,
                          "INSERT has more expressions than target columns");
   if (!mt_all_given (to.named, q->visible_count, err))
      return false;
   if (!may_change_targets (q))
      q = around (&b, q);
   for (int i = 0; i < q->visible_count; i++)
      if (!assign (&b, to.columns[i], q->targets[i].expr, &q->targets[i].expr))
         return false;
   if (!mt_fold_query (&b, q))
      return false;
   mt_push_query (a, q);
   *out = q;
   return true;
}
