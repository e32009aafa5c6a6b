/* UNION and UNION ALL. Chains of one kind become one block with many arms; UNION is DISTINCT over UNION ALL. */
#include "planner/bind_int.h"

#include <string.h>

typedef struct Arms {
   MtQuery **list;
   int count, cap;
} Arms;

static void add_arm (MtBinder *b, Arms *arms, MtQuery *q)
{
   if (arms->count == arms->cap) {
      int cap = arms->cap ? arms->cap * 2 : 4;
      MtQuery **more = MT_NEW_N (b->a, MtQuery *, (size_t) cap);
      if (arms->count)
         memcpy (more, arms->list, (size_t) arms->count * sizeof *more);
      arms->list = more;
      arms->cap = cap;
   }
   arms->list[arms->count++] = q;
}

/* A UNION ALL inside a UNION ALL (or any UNION inside a UNION) is the same list, unless it has parts of its own. */
static bool same_chain (const MtSelect *s, const MtSelect *outer)
{
   return s->kind == MT_SELECT_SETOP && s->setop.op == MT_UNION && !s->with && !s->order && !s->limit && !s->offset && !s->limit_with_ties &&
          !s->locking && (s->setop.all == outer->setop.all);
}

/* Left-deep chains are long: walked by a loop. */
static bool collect (MtBinder *b, const MtSelect *outer, Arms *arms)
{
   int n = 1;
   for (const MtSelect *s = outer->setop.left; same_chain (s, outer); s = s->setop.left)
      n++;
   const MtSelect **chain = MT_NEW_N (b->a, const MtSelect *, (size_t) n + 1);
   const MtSelect *s = outer;
   for (int i = n; i > 0; i--, s = s->setop.left)
      chain[i] = s->setop.right;
   chain[0] = s;
   for (int i = 0; i <= n; i++) {
      MtQuery *q;
      if (!mt_bind_query (b, chain[i], &q))
         return false;
      if (arms->count && q->visible_count != arms->list[0]->visible_count)
         return mt_error_at (b->err, chain[i]->span, MT_E_SYNTAX, "each UNION query must have the same number of columns");
      add_arm (b, arms, q);
   }
   return true;
}

/* The arm as a sub-select, so that its columns can be cast after its DISTINCT, ORDER BY and LIMIT. */
static MtQuery *wrap (MtBinder *b, MtQuery *arm)
{
   MtQuery *q = MT_NEW (b->a, MtQuery);
   int n = arm->visible_count;
   q->limit = -1;
   q->rel.kind = MT_REL_QUERY;
   q->rel.alias = "unnamed";
   q->rel.query = arm;
   q->rel.column_count = n;
   q->rel.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) n + 1);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   q->target_count = q->visible_count = n;
   for (int i = 0; i < n; i++) {
      const MtX *x = arm->targets[i].expr;
      MtX *c = mt_x_new (b->a, MT_X_COLUMN, x->type, x->span);
      c->column = i;
      c->nullable = x->nullable;
      q->rel.columns[i] = (MtRelColumn){arm->targets[i].name, x->type, x->nullable};
      q->targets[i] = (MtTargetX){arm->targets[i].name, c};
   }
   return q;
}

static bool unknown_literal (const MtQuery *arm, int column)
{
   const MtX *x = arm->targets[column].expr;
   return x->kind == MT_X_CONST && x->type.id == MT_T_TEXT && arm->arm_count == 0;
}

/* String literals of an arm were made text when the arm was bound; beside another type they are literals again. */
static void unsettle (MtBinder *b, MtX **list, int n, Arms *arms, int column)
{
   for (int i = 0; i < n; i++)
      if (unknown_literal (arms->list[i], column)) {
         MtX *copy = MT_NEW (b->a, MtX);
         *copy = *list[i];
         copy->type = mt_type (MT_T_UNKNOWN);
         list[i] = copy;
      }
}

static bool unify (MtBinder *b, Arms *arms, int column, MtRelColumn *out)
{
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) arms->count);
   MtTypeId t;
   out->nullable = false;
   for (int i = 0; i < arms->count; i++)
      list[i] = arms->list[i]->targets[column].expr;
   unsettle (b, list, arms->count, arms, column);
   if (!mt_common_type (b, list, arms->count, "UNION", &t))
      return false;
   for (int i = 0; i < arms->count; i++) {
      MtQuery *arm = arms->list[i];
      if (arm->targets[column].expr->type.id != t) {
         if (arm->distinct || arm->sort_count || arm->limit >= 0 || arm->offset || arm->arm_count)
            arms->list[i] = arm = wrap (b, arm);
         /* A literal is the same in every row: it can stand above DISTINCT and LIMIT. */
         MtX *from = list[i]->type.id == MT_T_UNKNOWN ? list[i] : arm->targets[column].expr;
         if (!mt_coerce (b, from, mt_type (t), MT_COERCE_IMPLICIT, &arm->targets[column].expr))
            return false;
      }
      out->nullable |= arm->targets[column].expr->nullable;
   }
   out->name = arms->list[0]->targets[column].name;
   out->type = mt_type (t);
   return true;
}

/* Over a union only output columns can be ordered by. */
static bool check_order (MtBinder *b, const MtSelect *s, const MtRel *rel)
{
   for (const MtOrderItem *o = s->order; o; o = o->next) {
      bool name = o->expr->kind == MT_EXPR_COLUMN && !o->expr->column.parts->next;
      if (name) {
         if (mt_rel_column (rel, &o->expr->column.parts->name) == -1)
            return mt_error_at (b->err, o->expr->span, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist", o->expr->column.parts->name.text);
      } else if (o->expr->kind != MT_EXPR_INTEGER) {
         mt_error_at (b->err, o->expr->span, MT_E_FEATURE, "invalid UNION/INTERSECT/EXCEPT ORDER BY clause");
         mt_error_detail (b->err, "Only result column names can be used, not expressions or functions.");
         return mt_error_hint (b->err, "Add the expression/function to every SELECT, or move the UNION into a FROM clause.");
      }
   }
   return true;
}

bool mt_bind_setop (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   Arms arms = {0};
   MtQuery *q = *out;
   if (s->setop.op != MT_UNION)
      return mt_refuse (b, s->span, s->setop.op == MT_INTERSECT ? "INTERSECT is" : "EXCEPT is");
   if (!collect (b, s, &arms))
      return false;
   int n = arms.list[0]->visible_count;
   MtRel rel = {.kind = MT_REL_NONE, .column_count = n};
   rel.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) n + 1);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   for (int i = 0; i < n; i++) {
      if (!unify (b, &arms, i, &rel.columns[i]))
         return false;
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, rel.columns[i].type, s->span);
      x->column = i;
      x->nullable = rel.columns[i].nullable;
      q->targets[i] = (MtTargetX){rel.columns[i].name, x};
   }
   q->target_count = q->visible_count = n;
   q->arms = arms.list;
   q->arm_count = arms.count;
   q->distinct = !s->setop.all;
   MtScope scope = {.rel = &rel, .clause = MT_CLAUSE_ORDER};
   return check_order (b, s, &rel) && mt_bind_order (b, &scope, s->order, q) && mt_bind_limit (b, s, q);
}
