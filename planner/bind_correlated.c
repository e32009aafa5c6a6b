/* Sub-selects that refer to the query around them, as joins of that query: each of its rows is paired with the rows of the sub-select that
 * belong to it, and gets what the sub-select says as further columns, which have no name.
 *
 * EXISTS, IN, ANY and ALL ask whether there is such a row: a mark. A scalar sub-select is the only such row's value; when it is an aggregate,
 * or the first by some order, the sub-select first groups its rows by what they are compared with. References may stand in the conditions of
 * the sub-select's WHERE; anything else is refused. */
#include "planner/bind_int.h"
#include "planner/push.h"
#include "planner/window.h"

#include <string.h>

#define WHAT "this sub-select, which refers to the query around it, is"

static bool refuse (MtBinder *b, MtSpan span, const char *hint)
{
   mt_refuse (b, span, WHAT);
   return mt_error_hint (b->err, "%s", hint);
}

/* ---- where references stand ---- */

static void see_outer (void *ctx, int column) { *(bool *) ctx |= column >= MT_OUTER_COLUMN; }
static void see_inner (void *ctx, int column) { *(bool *) ctx |= column < MT_OUTER_COLUMN; }

static bool has_outer (const MtX *x)
{
   bool found = false;
   if (x)
      mt_x_each_column (x, see_outer, &found);
   return found;
}

static bool has_inner (const MtX *x)
{
   bool found = false;
   mt_x_each_column (x, see_inner, &found);
   return found;
}

static bool is_inner (void *ctx, MtX **x)
{
   (void) ctx;
   return !has_outer (*x);
}

static bool query_refers (const MtQuery *q, bool but_where);

static bool rel_refers (const MtRel *rel)
{
   for (int r = 0; r < rel->row_count; r++)
      for (int i = 0; i < rel->column_count; i++)
         if (has_outer (rel->rows[r][i]))
            return true;
   if (rel->kind == MT_REL_JOIN)
      return has_outer (rel->join->on) || rel_refers (rel->join->left) || rel_refers (rel->join->right);
   if (rel->kind == MT_REL_UNNEST) {
      for (int i = 0; i < rel->unnest->count; i++)
         if (has_outer (rel->unnest->calls[i]))
            return true;
      return has_outer (rel->unnest->on) || rel_refers (rel->unnest->input);
   }
   return rel->kind == MT_REL_QUERY && query_refers (rel->query, false);
}

static bool query_refers (const MtQuery *q, bool but_where)
{
   bool found = rel_refers (&q->rel) || has_outer (q->having) || (!but_where && has_outer (q->where));
   for (int i = 0; i < q->arm_count; i++)
      found |= query_refers (q->arms[i], false);
   for (int i = 0; i < q->key_count; i++)
      found |= has_outer (q->keys[i]);
   for (int i = 0; i < q->agg_count; i++)
      found |= has_outer (q->aggs[i].arg) || has_outer (q->aggs[i].filter);
   for (int i = 0; i < q->target_count; i++)
      found |= has_outer (q->targets[i].expr);
   for (int i = 0; i < q->sort_count; i++)
      found |= has_outer (q->sort[i].expr);
   return found || (q->windows && !mt_windows_each (q->windows, is_inner, NULL));
}

/* ---- the sub-select without its references ---- */

typedef struct Sub {
   MtBinder *b;
   MtScope *s;
   MtQuery *q;
   MtSpan span;
   MtX **links;      /* conditions that refer to the query around */
   int link_count;
   int *place;       /* by column of q->rel: which target it is; -1: none yet */
   int base;         /* in the query around: the number of the first target */
} Sub;

static bool take_links (Sub *sub)
{
   int n, rest = 0;
   MtX **parts = mt_conjuncts (sub->b->a, sub->q->where, &n);
   if (query_refers (sub->q, true))
      return refuse (sub->b, sub->span, "It may refer to the query around it in conditions of its WHERE, joined by AND.");
   sub->links = MT_NEW_N (sub->b->a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++)
      if (!has_outer (parts[i]))
         parts[rest++] = parts[i];
      else if (parts[i]->is_volatile)
         return refuse (sub->b, sub->span, "A condition with a volatile function can't refer to the query around it.");
      else
         sub->links[sub->link_count++] = parts[i];
   sub->q->where = mt_conjunction (sub->b->a, parts, rest);
   return true;
}

static void add_target (Sub *sub, MtX *x)
{
   MtQuery *q = sub->q;
   MtTargetX *more = MT_NEW_N (sub->b->a, MtTargetX, (size_t) q->target_count + 1);
   if (q->target_count)
      memcpy (more, q->targets, (size_t) q->target_count * sizeof *more);
   more[q->target_count++] = (MtTargetX){"", x};
   q->targets = more;
   q->visible_count = q->target_count;
}

static void want_column (void *ctx, int column)
{
   Sub *sub = ctx;
   if (column >= MT_OUTER_COLUMN || sub->place[column] >= 0)
      return;
   const MtRelColumn *c = &sub->q->rel.columns[column];
   MtX *x = mt_x_new (sub->b->a, MT_X_COLUMN, c->type, MT_NO_SPAN);
   x->column = column;
   x->nullable = c->nullable;
   sub->place[column] = sub->q->target_count;
   add_target (sub, x);
}

/* Columns that the links are about become targets. */
static void want_links (Sub *sub)
{
   sub->place = MT_NEW_N (sub->b->a, int, (size_t) sub->q->rel.column_count + 1);
   for (int i = 0; i < sub->q->rel.column_count; i++)
      sub->place[i] = -1;
   for (int i = 0; i < sub->link_count; i++)
      mt_x_each_column (sub->links[i], want_column, sub);
}

static MtX *joined_column (void *ctx, const MtX *column)
{
   const Sub *sub = ctx;
   MtX *x = MT_NEW (sub->b->a, MtX);
   *x = *column;
   x->column = column->column >= MT_OUTER_COLUMN ? column->column - MT_OUTER_COLUMN : sub->base + sub->place[column->column];
   return x;
}

static bool attach (Sub *sub, bool mark)
{
   MtRel *right = MT_NEW (sub->b->a, MtRel);
   MtQuery *q = sub->q;
   sub->base = sub->s->own->column_count;
   right->kind = MT_REL_QUERY;
   right->query = q;
   right->column_count = q->target_count;
   right->columns = MT_NEW_N (sub->b->a, MtRelColumn, (size_t) q->target_count + 1);
   for (int i = 0; i < q->target_count; i++)
      right->columns[i] = (MtRelColumn){NULL, q->targets[i].expr->type, q->targets[i].expr->nullable};
   return mt_join_unnamed (sub->b, sub->s->own, right, mark, sub->span);
}

/* Column `i` of the sub-select, or behind them the mark, in the query around. */
static MtX *column_around (const Sub *sub, int i)
{
   const MtRelColumn *c = &sub->s->own->columns[sub->base + i];
   MtX *x = mt_x_new (sub->b->a, MT_X_COLUMN, c->type, sub->span);
   x->column = sub->base + i;
   x->nullable = c->nullable;
   return x;
}

static MtX *all_links (Sub *sub, MtX *more)
{
   MtX **on = MT_NEW_N (sub->b->a, MtX *, (size_t) sub->link_count + 1);
   int n = 0;
   for (; n < sub->link_count; n++)
      on[n] = mt_x_map_columns (sub->b->a, sub->links[n], joined_column, sub);
   if (more)
      on[n++] = more;
   return mt_conjunction (sub->b->a, on, n);
}

/* The join looks at every row, also at those for which CASE or COALESCE never comes to the sub-select. */
static bool check_branch (Sub *sub)
{
   for (int i = 0; i < sub->link_count && sub->s->conditional; i++)
      if (!mt_x_cannot_fail (sub->links[i]))
         return refuse (sub->b, sub->span, "Within CASE and COALESCE the columns of the query around it may be compared as they are, without computing with them.");
   return true;
}

static bool start (Sub *sub)
{
   if (!sub->s->own)
      return refuse (sub->b, sub->span, "It may stand in SELECT, WHERE and ORDER BY of a query with FROM.");
   if (sub->q->arm_count || sub->q->windows || sub->q->gapfill)
      return refuse (sub->b, sub->span, "It may be a single SELECT, without set operations and window functions.");
   return take_links (sub) && check_branch (sub);
}

/* ---- is there a row? ---- */

/* The rows themselves, each by itself. */
static bool plain_rows (Sub *sub)
{
   MtQuery *q = sub->q;
   if (q->grouped || q->limit >= 0 || q->offset || q->on_count)
      return refuse (sub->b, sub->span, "Without GROUP BY, LIMIT and OFFSET it can be answered here.");
   q->distinct = false;
   q->sort_count = 0;
   return true;
}

static void ungroup (MtQuery *q)
{
   q->grouped = false;
   q->key_count = q->agg_count = 0;
}

static MtX *constant (const Sub *sub, bool v) { return mt_x_const (sub->b->a, mt_type (MT_T_BOOL), mt_v_bool (v), sub->span); }

bool mt_correlated_exists (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out)
{
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   if (q->limit == 0 || (q->grouped && !q->key_count && !q->having && !q->offset && !q->arm_count)) { /* no row; one row, whatever there is */
      *out = constant (&sub, q->limit != 0);
      return true;
   }
   if (!start (&sub))
      return false;
   if (q->limit > 0)
      q->limit = -1;
   if (q->key_count && !q->having) /* as many groups as there are, none only where there is no row */
      ungroup (q);
   q->target_count = q->visible_count = 0;
   if (!plain_rows (&sub))
      return false;
   want_links (&sub);
   if (!attach (&sub, true))
      return false;
   s->own->join->on = all_links (&sub, NULL);
   *out = column_around (&sub, q->target_count);
   return true;
}

/* One more column of the query around: whether there is a row for which `left op value` is true, or (null) NULL. */
static bool mark_compared (Sub *sub, MtX *left, const char *op, bool negated, bool null, MtX **out)
{
   MtX *same;
   MtQuery *q = mt_query_copy (sub->b->a, sub->q);
   Sub own = *sub;
   own.q = q;
   want_links (&own);
   if (!attach (&own, true) || !mt_bind_operator (own.b, op, own.span, left, column_around (&own, 0), &same))
      return false;
   if (negated)
      same = mt_x_not (own.b->a, same);
   if (null) {
      MtX **list = MT_NEW_N (own.b->a, MtX *, 1);
      list[0] = same;
      same = mt_x_list (own.b->a, MT_X_IS_NULL, mt_type (MT_T_BOOL), list, 1, own.span);
   }
   own.s->own->join->on = all_links (&own, same);
   *out = column_around (&own, q->target_count);
   return true;
}

/* left OP ANY (rows) is true where one compares true, else NULL where one compares as NULL, else false; ALL is the opposite of ANY of the
 * opposite. */
bool mt_correlated_any (MtBinder *b, MtScope *s, MtX *left, const char *op, bool all, MtQuery *q, MtSpan span, MtX **out)
{
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   MtX **list = MT_NEW_N (b->a, MtX *, 5), *any;
   if (q->visible_count != 1)
      return mt_error_at (b->err, span, MT_E_SYNTAX, "subquery has %s columns", q->visible_count ? "too many" : "too few");
   if (!start (&sub) || !plain_rows (&sub))
      return false;
   q->target_count = 1;
   bool nullable = left->nullable || q->targets[0].expr->nullable;
   if (!mark_compared (&sub, left, op, all, false, &list[0]))
      return false;
   list[1] = constant (&sub, true);
   list[4] = constant (&sub, false);
   if (nullable && !mark_compared (&sub, left, op, all, true, &list[2]))
      return false;
   list[3] = mt_x_null (b->a, mt_type (MT_T_BOOL), span);
   if (!nullable)
      list[2] = list[4];
   any = mt_x_list (b->a, MT_X_CASE, mt_type (MT_T_BOOL), list, nullable ? 5 : 3, span);
   *out = all ? mt_x_not (b->a, any) : any;
   return true;
}

/* ---- the value of a row ---- */

/* Every link is an equality of something of the sub-select's with something of the query's around: what rows can be grouped by. */
static bool link_keys (Sub *sub, MtX **inner)
{
   for (int i = 0; i < sub->link_count; i++) {
      const MtX *x = sub->links[i];
      bool equality = mt_x_is_equality (x);
      MtX *l = equality ? x->call.args[0] : NULL, *r = equality ? x->call.args[1] : NULL;
      if (equality && has_outer (l)) {
         MtX *t = l;
         l = r;
         r = t;
      }
      if (!equality || has_outer (l) || has_inner (r) || !has_inner (l) || !mt_plain_equality (l->type.id, r->type.id))
         return refuse (sub->b, sub->span, "Where it is an aggregate or ends with LIMIT 1, it may be linked to the query around it by equalities only.");
      inner[i] = l;
   }
   return true;
}

/* What a target over aggregates is when there is no row. */
static MtX *of_no_rows (Sub *sub, const MtX *x)
{
   int n;
   if (x->kind == MT_X_AGG)
      return x->nullable ? mt_x_null (sub->b->a, x->type, x->span) : mt_x_const (sub->b->a, x->type, mt_v_int64 (0), x->span);
   MtX **list, *copy = mt_x_copy (sub->b->a, x, &list, &n);
   for (int i = 0; i < n; i++)
      list[i] = of_no_rows (sub, list[i]);
   mt_x_update (copy);
   return copy;
}

/* The links are equalities with the targets from `first` on, one by one. */
static MtX *link_targets (Sub *sub, MtX *const *inner, int first)
{
   MtX **on = MT_NEW_N (sub->b->a, MtX *, (size_t) sub->link_count + 1);
   for (int i = 0; i < sub->link_count; i++) {
      MtX *copy = MT_NEW (sub->b->a, MtX), **args = MT_NEW_N (sub->b->a, MtX *, 2);
      *copy = *sub->links[i];
      for (int k = 0; k < 2; k++)
         args[k] = copy->call.args[k] == inner[i] ? column_around (sub, first + i) : mt_x_map_columns (sub->b->a, copy->call.args[k], joined_column, sub);
      copy->call.args = args;
      on[i] = copy;
   }
   return mt_conjunction (sub->b->a, on, sub->link_count);
}

static bool aggregate_value (Sub *sub, MtX **inner, MtX **out)
{
   MtQuery *q = sub->q;
   if (q->key_count || q->having || q->limit == 0 || q->offset)
      return refuse (sub->b, sub->span, "Without GROUP BY, HAVING and OFFSET it can be answered here.");
   MtX *none = of_no_rows (sub, q->targets[0].expr);
   q->target_count = 1;
   q->sort_count = 0;
   q->limit = -1;
   q->distinct = false;
   q->keys = inner;
   q->key_count = sub->link_count;
   for (int i = 0; i < sub->link_count; i++) {
      MtX *key = mt_x_new (sub->b->a, MT_X_KEY, inner[i]->type, sub->span);
      key->index = i;
      key->nullable = inner[i]->nullable;
      add_target (sub, key);
   }
   if (!attach (sub, false))
      return false;
   sub->s->own->join->on = link_targets (sub, inner, 1);
   MtX **list = MT_NEW_N (sub->b->a, MtX *, 3), **key = MT_NEW_N (sub->b->a, MtX *, 1);
   key[0] = column_around (sub, 1);
   list[0] = mt_x_list (sub->b->a, MT_X_IS_NULL, mt_type (MT_T_BOOL), key, 1, sub->span);
   list[1] = none;
   list[2] = column_around (sub, 0);
   *out = none->nullable && none->kind == MT_X_CONST ? list[2] : mt_x_list (sub->b->a, MT_X_CASE, list[2]->type, list, 3, sub->span);
   return true;
}

/* ORDER BY … LIMIT 1: the first row of each key. */
static bool first_value (Sub *sub, MtX **inner, MtX **out)
{
   MtQuery *q = sub->q;
   int n = sub->link_count;
   if (q->grouped || q->distinct || q->on_count || q->offset || q->with_ties || q->target_count != q->visible_count)
      return refuse (sub->b, sub->span, "Without GROUP BY, DISTINCT, WITH TIES and OFFSET it can be answered here.");
   MtSortX *sort = MT_NEW_N (sub->b->a, MtSortX, (size_t) (n + q->sort_count) + 1);
   if (q->sort_count)
      memcpy (sort + n, q->sort, (size_t) q->sort_count * sizeof *sort);
   for (int i = 0; i < n; i++) {
      MtX *target = mt_x_new (sub->b->a, MT_X_TARGET, inner[i]->type, sub->span);
      target->index = q->target_count;
      target->nullable = inner[i]->nullable;
      add_target (sub, inner[i]);
      sort[i] = (MtSortX){.expr = target};
   }
   q->sort = sort;
   q->sort_count += n;
   q->on_count = n;
   q->limit = -1;
   if (!attach (sub, false))
      return false;
   sub->s->own->join->on = link_targets (sub, inner, 1);
   *out = column_around (sub, 0);
   return true;
}

bool mt_correlated_value (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out)
{
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   if (q->visible_count != 1)
      return mt_error_at (b->err, span, MT_E_SYNTAX, "subquery %s", q->visible_count ? "must return only one column" : "has too few columns");
   if (!start (&sub))
      return false;
   MtX **inner = MT_NEW_N (b->a, MtX *, (size_t) sub.link_count + 1);
   if (q->grouped || q->limit == 1)
      return link_keys (&sub, inner) && (q->grouped ? aggregate_value (&sub, inner, out) : first_value (&sub, inner, out));
   if (!plain_rows (&sub))
      return false;
   if (s->conditional)
      return refuse (b, span, "Within CASE and COALESCE it may be an aggregate, or end with LIMIT 1.");
   q->target_count = 1;
   want_links (&sub);
   if (!attach (&sub, false))
      return false;
   s->own->join->on = all_links (&sub, NULL);
   s->own->join->single = true;
   *out = column_around (&sub, 0);
   return true;
}
