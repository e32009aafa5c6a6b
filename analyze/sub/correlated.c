/* Rewrites correlated sub-selects as joins. Each row of the enclosing query is joined with its rows
 * of the sub-select. The sub-select's results become additional columns without names.
 *
 * For EXISTS, IN, ANY and ALL, the join only adds a mark: a boolean column that is true if there is
 * such a row. A sub-select used as a value must have at most one row.
 *
 * There are two ways to compute the rows. If all references to the enclosing query are in
 * conditions of WHERE (the links), the sub-select is evaluated once, and the links become the join
 * condition. A sub-select that returns an aggregate, or the first row by some order, is first
 * grouped by the columns in the links. In all other cases, the sub-select is evaluated for each row
 * of the enclosing query (MtJoin.apply). */
#include "analyze/from/shared.h"
#include "analyze/names/joined.h"
#include "analyze/state/outer.h"
#include "analyze/sub/pending.h"
#include "analyze/sub/row.h"
#include "analyze/sub/sub_int.h"
#include "query/condition.h"

#include <string.h>

/* ---- finding references to the enclosing query ---- */

typedef struct Sub {
   MtBinder *b;
   MtScope *s;
   MtQuery *q;
   MtSpan span;
   /* Links: the WHERE conditions of the sub-select that refer to the enclosing query. They become
    * join conditions. */
   MtX **links;
   int link_count;
   int *place; /* for each column of q->rel, the index of the target with its value; -1: none yet */
   MtRel *right;
   MtJoin *join;
   int base; /* in the enclosing query: the column number of the sub-select's first target */
} Sub;

static bool refuse (MtBinder *b, MtSpan span, const char *hint)
{
   mt_refuse (b, span, "this correlated sub-select is");
   return mt_error_hint (b->err, "%s", hint);
}

static bool has_outer (const Sub *sub, const MtX *x) { return mt_x_has_outer (x, sub->s->id); }

static void see_inner (void *ctx, int column)
{
   (void) column;
   *(bool *) ctx = true;
}

static bool has_inner (const MtX *x)
{
   bool found = false;
   mt_x_each_column (x, see_inner, &found);
   return found;
}

static bool is_inner (void *sub, MtX **x) { return !has_outer (sub, *x); }

/* Returns whether the sub-select returns the same rows for each row of the enclosing query: it does
 * not refer to it, and is not inside a branch of CASE. */
static bool is_alone (Sub *sub) { return !sub->s->guard && mt_query_each (sub->q, is_inner, sub); }

/* Moves the WHERE conditions that refer to the enclosing query from WHERE to sub->links. Returns
 * false if other parts of the sub-select refer to it, too, or if moving a condition could cause an
 * error. */
static bool take_links (Sub *sub)
{
   MtQuery *q = sub->q;
   MtX *where = q->where;
   int n, rest = 0;
   if (q->arm_count || q->windows || q->gapfill)
      return false;
   q->where = NULL;
   bool inner = mt_query_each (q, is_inner, sub);
   q->where = where;
   MtX **parts = mt_conjuncts (sub->b->a, where, &n);
   for (int i = 0; i < n && inner; i++)
      inner = !has_outer (sub, parts[i]) ||
              !(parts[i]->is_volatile || (sub->s->guard && !mt_x_cannot_fail (parts[i])));
   if (!inner)
      return false;
   sub->links = MT_NEW_N (sub->b->a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++)
      if (has_outer (sub, parts[i]))
         sub->links[sub->link_count++] = parts[i];
      else
         parts[rest++] = parts[i];
   q->where = mt_conjunction (sub->b->a, parts, rest);
   return true;
}

/* ---- joining the sub-select ---- */

static void add_target (Sub *sub, MtX *x)
{
   MtQuery *q = sub->q;
   MtTargetX *more = MT_NEW_N (sub->b->a, MtTargetX, (size_t) q->target_count + 1);
   if (q->target_count)
      memcpy (more, q->targets, (size_t) q->target_count * sizeof *more);
   more[q->target_count++] = (MtTargetX) {"", x};
   q->targets = more;
   q->visible_count = q->target_count;
}

static void want_column (void *ctx, int column)
{
   Sub *sub = ctx;
   if (sub->place[column] >= 0)
      return;
   const MtRelColumn *c = &sub->q->rel.columns[column];
   MtX *x = mt_x_new (sub->b->a, MT_X_COLUMN, c->type, MT_NO_SPAN);
   x->column = column;
   mt_x_refers_column (x, c);
   sub->place[column] = sub->q->target_count;
   add_target (sub, x);
}

/* Adds the columns that the links (correlated conditions) use to the sub-select's select list, so
 * that the join condition can use them. */
static void want_links (Sub *sub)
{
   sub->place = MT_NEW_N (sub->b->a, int, (size_t) sub->q->rel.column_count + 1);
   for (int i = 0; i < sub->q->rel.column_count; i++)
      sub->place[i] = -1;
   for (int i = 0; i < sub->link_count; i++)
      mt_x_each_column (sub->links[i], want_column, sub);
}

static MtX *joined_column (void *ctx, const MtX *leaf)
{
   const Sub *sub = ctx;
   if (leaf->kind == MT_X_OUTER)
      return leaf->outer.scope == sub->s->id ? mt_outer_value (sub->b->a, leaf) : (MtX *) leaf;
   MtX *x = MT_NEW (sub->b->a, MtX);
   *x = *leaf;
   x->column = sub->base + sub->place[leaf->column];
   return x;
}

/* Returns whether the current clause is computed after GROUP BY, if the query has one. */
static bool may_be_above (const MtScope *s)
{
   return s->defers && !s->in_aggregate &&
          (s->clause == MT_CLAUSE_SELECT || s->clause == MT_CLAUSE_HAVING ||
           s->clause == MT_CLAUSE_QUALIFY || s->clause == MT_CLAUSE_ORDER ||
           s->clause == MT_CLAUSE_WINDOW);
}

static bool attach (Sub *sub, bool mark)
{
   MtRel *right = sub->right = MT_NEW (sub->b->a, MtRel);
   MtQuery *q = sub->q;
   MtJoin how = {.keep_left = true, .mark = mark};
   right->kind = MT_REL_QUERY;
   right->query = q;
   right->column_count = q->visible_count;
   right->columns = MT_NEW_N (sub->b->a, MtRelColumn, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++)
      right->columns[i] = mt_column_computed (NULL, q->targets[i].expr->type, true,
                                              q->targets[i].expr->finite);
   if (may_be_above (sub->s)) {
      MtPending *p = mt_pending_new (sub->b, sub->s, right, &how, sub->span);
      sub->base = p->first;
      sub->join = p->join;
      return true;
   }
   sub->base = sub->s->own->column_count;
   if (!mt_join_unnamed (sub->b, sub->s->own, right, mark, sub->span))
      return false;
   sub->join = sub->s->own->join;
   return true;
}

/* Joins the sub-select so that it is evaluated for each row of the enclosing query. mark: the join
 * adds the boolean column. */
static bool attach_each (Sub *sub, bool mark)
{
   if (!attach (sub, mark))
      return false;
   sub->join->right = sub->right;
   mt_join_apply (sub->b, sub->join, mt_scope_id (sub->b, sub->s));
   sub->join->when = sub->s->guard;
   return true;
}

/* Returns an expression in the enclosing query that reads column i of the joined sub-select. i ==
 * the number of columns: the mark. */
static MtX *column_around (const Sub *sub, int i)
{
   bool mark = i == sub->right->column_count;
   MtX *x = mt_x_new (sub->b->a, MT_X_COLUMN,
                      mark ? mt_type (MT_T_BOOL) : sub->right->columns[i].type, sub->span);
   x->column = sub->base + i;
   x->nullable = !mark;
   x->finite = mark || sub->right->columns[i].finite;
   return x;
}

static MtX *all_links (Sub *sub, MtX *more)
{
   MtX **on = MT_NEW_N (sub->b->a, MtX *, (size_t) sub->link_count + 1);
   int n = 0;
   for (; n < sub->link_count; n++)
      on[n] = mt_x_map_leaves (sub->b->a, sub->links[n], joined_column, sub);
   if (more)
      on[n++] = more;
   return mt_conjunction (sub->b->a, on, n);
}

static bool start (Sub *sub)
{
   mt_scope_id (sub->b, sub->s);
   return sub->s->own ||
          refuse (sub->b, sub->span,
                  "Correlated sub-selects may stand in SELECT, WHERE, JOIN … ON, VALUES, GROUP BY, "
                  "HAVING and ORDER BY.");
}

/* ---- EXISTS, IN, ANY and ALL ---- */

/* Returns whether each row of q is independent of the other rows: q has no GROUP BY, aggregates,
 * LIMIT, OFFSET or DISTINCT ON. */
static bool are_plain (const MtQuery *q)
{
   return !q->grouped && q->limit < 0 && !q->offset && !q->on_count;
}

static void forget_order (MtQuery *q)
{
   q->distinct = false;
   q->sort_count = 0;
}

static void ungroup (MtQuery *q)
{
   q->grouped = false;
   q->key_count = q->agg_count = 0;
}

static MtX *constant (const Sub *sub, bool v)
{
   return mt_x_const (sub->b->a, mt_type (MT_T_BOOL), mt_v_bool (v), sub->span);
}

/* Joins an EXISTS sub-select that is evaluated for each row of the enclosing query. LIMIT 1 is
 * added, since one row decides. */
static bool exists_each (Sub *sub)
{
   if (sub->q->limit < 0)
      sub->q->limit = 1;
   return is_alone (sub) ? attach (sub, true) : attach_each (sub, true);
}

bool mt_correlated_exists (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out)
{
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   if (q->limit == 0 || (q->grouped && !q->key_count && !q->having && !q->offset &&
                         !q->arm_count)) { /* it gives no row, or always exactly one */
      *out = constant (&sub, q->limit != 0);
      return true;
   }
   if (!start (&sub))
      return false;
   if (q->limit > 0 && !q->offset)
      q->limit = -1;
   if (q->key_count && !q->having && !q->windows &&
       !q->arm_count) { /* there is a group if there is a row, so grouping isn't needed */
      ungroup (q);
      q->target_count = q->visible_count = 0;
      q->sort_count = q->on_count = 0;
   }
   if (!are_plain (q) || !take_links (&sub)) {
      if (!exists_each (&sub))
         return false;
   } else {
      forget_order (q);
      q->target_count = q->visible_count = 0;
      want_links (&sub);
      if (!attach (&sub, true))
         return false;
      sub.join->on = all_links (&sub, NULL);
   }
   *out = column_around (&sub, sub.right->column_count);
   return true;
}

static bool compare_around (const Sub *own, const MtRow *left, const char *op, MtX **out)
{
   MtRow right = {MT_NEW_N (own->b->a, MtX *, (size_t) left->n + 1), left->n};
   for (int i = 0; i < left->n; i++)
      right.x[i] = column_around (own, i);
   return mt_row_compare (own->b, op, own->span, left, &right, out);
}

/* Joins a copy of the sub-select with a mark, which is true if `left op value` is true for at least
 * one of its rows. null: the mark is true if the comparison is NULL for at least one row. linked:
 * the copy is joined by its links. *out: the mark. */
static bool mark_compared (const Sub *sub, const MtRow *left, const MtQuantifier *how, bool linked,
                           bool null, MtX **out)
{
   MtX *same;
   Sub own = *sub;
   if (!mt_count_copies (sub->b, sub->q, sub->span))
      return false;
   own.q = mt_query_copy (sub->b->a, sub->q);
   if (linked)
      want_links (&own);
   if (!(linked ? attach (&own, true) : attach_each (&own, true)) ||
       !compare_around (&own, left, how->op, &same))
      return false;
   if (how->all)
      same = mt_x_not (own.b->a, same);
   if (null)
      same = mt_x_null_test (own.b->a, same, own.span);
   own.join->on = linked ? all_links (&own, same) : same;
   *out = column_around (&own, own.right->column_count);
   return true;
}

static bool any_nullable (const MtRow *left, const MtQuery *q)
{
   bool found = false;
   for (int i = 0; i < left->n; i++)
      found = found || left->x[i]->nullable || q->targets[i].expr->nullable;
   return found;
}

/* left op ANY (rows) is true if the comparison is true for one row, otherwise NULL if it is NULL
 * for one row, otherwise false. ALL is computed as NOT (left negated-op ANY (rows)). */
bool mt_correlated_any (MtBinder *b, MtScope *s, const MtRow *left, const MtQuantifier *how,
                        MtQuery *q, MtX **out)
{
   MtSpan span = how->span;
   bool all = how->all;
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   MtX **list = MT_NEW_N (b->a, MtX *, 5), *any;
   if (all && strcmp (how->op, "<>") == 0) { /* NOT (x = ANY …), because = can use a hash join */
      /* The result is negated, so FALSE and NULL must be distinguished. The caller restores
       * only_true. */
      s->only_true = false;
      if (!mt_correlated_any (b, s, left, &(MtQuantifier) {"=", false, span}, q, &any))
         return false;
      *out = mt_x_not (b->a, any);
      return true;
   }
   if (q->visible_count != left->n)
      return mt_error_at (b->err, span, MT_E_SYNTAX, "subquery has %s columns",
                          q->visible_count > left->n ? "too many" : "too few");
   if (!start (&sub))
      return false;
   bool alone = is_alone (&sub), linked = alone || (are_plain (q) && take_links (&sub));
   bool nullable = (any_nullable (left, q) || !linked) && (all || !s->only_true);
   if (linked && !alone) {
      forget_order (q);
      q->target_count = left->n;
   }
   if (!mark_compared (&sub, left, how, linked, false, &list[0]))
      return false;
   list[1] = constant (&sub, true);
   list[4] = constant (&sub, false);
   if (nullable && !mark_compared (&sub, left, how, linked, true, &list[2]))
      return false;
   list[3] = mt_x_null (b->a, mt_type (MT_T_BOOL), span);
   if (!nullable)
      list[2] = list[4];
   any = mt_x_list (b->a, MT_X_CASE, mt_type (MT_T_BOOL), list, nullable ? 5 : 3, span);
   *out = all ? mt_x_not (b->a, any) : any;
   return true;
}

/* ---- sub-selects as values ---- */

/* Stores in inner[i] the side of link i that uses the sub-select's own columns. Returns false if a
 * link is not an equality of such a side with a side of the enclosing query. Otherwise the
 * sub-select can be grouped by the inner sides. */
static bool link_keys (const Sub *sub, MtX **inner)
{
   for (int i = 0; i < sub->link_count; i++) {
      const MtX *x = sub->links[i];
      bool equality = mt_x_is_equality (x);
      MtX *l = equality ? x->call.args[0] : NULL, *r = equality ? x->call.args[1] : NULL;
      if (equality && has_outer (sub, l)) {
         MtX *t = l;
         l = r;
         r = t;
      }
      if (!equality || has_outer (sub, l) || has_inner (r) || !has_inner (l) ||
          !mt_plain_equality (l->type.id, r->type.id))
         return false;
      inner[i] = l;
   }
   return sub->link_count > 0;
}

/* Returns the value of select-list item x of a query with aggregates if there are no rows: counts
 * are 0, all other aggregates NULL. */
static MtX *of_no_rows (Sub *sub, const MtX *x)
{
   int n;
   if (x->kind == MT_X_AGG)
      return x->nullable ? mt_x_null (sub->b->a, x->type, x->span)
                         : mt_x_const (sub->b->a, x->type, mt_v_int64 (0), x->span);
   MtX **list, *copy = mt_x_copy (sub->b->a, x, &list, &n);
   for (int i = 0; i < n; i++)
      list[i] = of_no_rows (sub, list[i]);
   mt_x_update (copy);
   return copy;
}

/* Makes the join condition from the links. The inner sides are read from the sub-select's columns
 * number `first` and up. */
static MtX *link_targets (Sub *sub, MtX *const *inner, int first)
{
   MtX **on = MT_NEW_N (sub->b->a, MtX *, (size_t) sub->link_count + 1);
   for (int i = 0; i < sub->link_count; i++) {
      MtX *copy = MT_NEW (sub->b->a, MtX), **args = MT_NEW_N (sub->b->a, MtX *, 2);
      *copy = *sub->links[i];
      for (int k = 0; k < 2; k++)
         args[k] = copy->call.args[k] == inner[i]
                      ? column_around (sub, first + i)
                      : mt_x_map_leaves (sub->b->a, copy->call.args[k], joined_column, sub);
      copy->call.args = args;
      on[i] = copy;
   }
   return mt_conjunction (sub->b->a, on, sub->link_count);
}

static bool aggregate_value (Sub *sub, MtX **inner, MtX **out)
{
   MtQuery *q = sub->q;
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
      mt_x_refers (key, inner[i]);
      add_target (sub, key);
   }
   if (!attach (sub, false))
      return false;
   sub->join->on = link_targets (sub, inner, 1);
   MtX **list = MT_NEW_N (sub->b->a, MtX *, 3);
   list[0] = mt_x_null_test (sub->b->a, column_around (sub, 1), sub->span);
   list[1] = none;
   list[2] = column_around (sub, 0);
   *out = none->nullable && none->kind == MT_X_CONST
             ? list[2]
             : mt_x_list (sub->b->a, MT_X_CASE, list[2]->type, list, 3, sub->span);
   return true;
}

/* Joins a sub-select with ORDER BY … LIMIT 1. DISTINCT ON the links' columns finds the first row
 * for each of their values. */
static bool first_value (Sub *sub, MtX **inner, MtX **out)
{
   MtQuery *q = sub->q;
   int n = sub->link_count;
   MtSortX *sort = MT_NEW_N (sub->b->a, MtSortX, (size_t) (n + q->sort_count) + 1);
   if (q->sort_count)
      memcpy (sort + n, q->sort, (size_t) q->sort_count * sizeof *sort);
   for (int i = 0; i < n; i++) {
      MtX *target = mt_x_new (sub->b->a, MT_X_TARGET, inner[i]->type, sub->span);
      target->index = q->target_count;
      mt_x_refers (target, inner[i]);
      add_target (sub, inner[i]);
      sort[i] = (MtSortX) {.expr = target};
   }
   q->sort = sort;
   q->sort_count += n;
   q->on_count = n;
   q->limit = -1;
   if (!attach (sub, false))
      return false;
   sub->join->on = link_targets (sub, inner, 1);
   *out = column_around (sub, 0);
   return true;
}

/* Returns whether q has aggregates, but no GROUP BY. Then q can be grouped by the links. */
static bool is_one_aggregate (const MtQuery *q)
{
   return q->grouped && !q->key_count && !q->having && q->limit != 0 && !q->offset;
}

static bool is_first_row (const MtQuery *q)
{
   return q->limit == 1 && !q->grouped && !q->distinct && !q->on_count && !q->offset &&
          !q->with_ties && q->target_count == q->visible_count;
}

static bool row_each (Sub *sub)
{
   MtQuery *q = sub->q;
   if (!(is_alone (sub) ? attach (sub, false) : attach_each (sub, false)))
      return false;
   sub->join->single = !(q->limit == 1 && !q->with_ties) &&
                       !(q->grouped && !q->key_count && !q->windows && !q->arm_count);
   return true;
}

bool mt_correlated_row (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtRow *out)
{
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   if (!start (&sub) || !row_each (&sub))
      return false;
   *out = (MtRow) {MT_NEW_N (b->a, MtX *, (size_t) q->visible_count + 1), q->visible_count};
   for (int i = 0; i < out->n; i++)
      out->x[i] = column_around (&sub, i);
   return true;
}

static bool joined_value (Sub *sub, MtX **out)
{
   forget_order (sub->q);
   sub->q->target_count = 1;
   want_links (sub);
   if (!attach (sub, false))
      return false;
   sub->join->on = all_links (sub, NULL);
   sub->join->single = true;
   *out = column_around (sub, 0);
   return true;
}

bool mt_correlated_value (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out)
{
   Sub sub = {.b = b, .s = s, .q = q, .span = span};
   if (q->visible_count != 1)
      return mt_error_at (b->err, span, MT_E_SYNTAX, "subquery %s",
                          q->visible_count ? "must return only one column" : "has too few columns");
   if (!start (&sub))
      return false;
   MtX *where = q->where;
   bool plain = are_plain (q) && !s->guard,
        linked = (plain || is_one_aggregate (q) || is_first_row (q)) && take_links (&sub);
   if (linked && plain)
      return joined_value (&sub, out);
   MtX **inner = MT_NEW_N (b->a, MtX *, (size_t) sub.link_count + 1);
   if (linked && link_keys (&sub, inner))
      return q->grouped ? aggregate_value (&sub, inner, out) : first_value (&sub, inner, out);
   q->where = where;
   if (!row_each (&sub))
      return false;
   *out = column_around (&sub, 0);
   return true;
}
