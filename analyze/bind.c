/* Query blocks: SELECT and VALUES. */
#include "analyze/bind_int.h"
#include "planner/emit/eval.h"
#include "planner/rewrite/push.h"
#include "query/window.h"

#include <stdlib.h>
#include <string.h>

/* ---- for all of the binder ---- */

bool mt_enter (MtBinder *b, MtSpan span)
{
   MtSharing *all = mt_sharing (b);
   if (b->inline_depth && ++all->nodes > MT_MAX_EXPANDED_NODES) {
      mt_error_at (b->err, span, MT_E_TOO_COMPLEX, "statement is too complex");
      return mt_error_detail (b->err, "The bodies of its SQL functions come to more than %d nodes.",
                              MT_MAX_EXPANDED_NODES);
   }
   if (!(++all->tick & 255) && !mt_cancel_check (b->env->cancel, b->err))
      return false;
   if (++b->depth <= MT_MAX_EXPR_DEPTH)
      return true;
   b->depth--;
   mt_error_at (b->err, span, MT_E_TOO_COMPLEX, "stack depth limit exceeded");
   return mt_error_hint (b->err, "Expressions may be nested %d deep.", MT_MAX_EXPR_DEPTH);
}

bool mt_x_map_children (MtBinder *b, MtX **x, bool (*child) (void *ctx, MtX **x), void *ctx)
{
   int n;
   if (!mt_x_children (*x, &n))
      return true;
   if (!mt_enter (b, (*x)->span))
      return false;
   MtX **list, *copy = mt_x_copy (b->a, *x, &list, &n);
   bool ok = true;
   for (int i = 0; i < n && ok; i++)
      ok = child (ctx, &list[i]);
   mt_leave (b);
   mt_x_update (copy);
   *x = copy;
   return ok;
}

bool mt_refuse (MtBinder *b, MtSpan span, const char *what)
{
   return mt_error_at (b->err, span, MT_E_FEATURE, "%s not supported", what);
}

bool mt_settle_unknown (MtBinder *b, MtX **x)
{
   return (*x)->type.id != MT_T_UNKNOWN ||
          mt_coerce (b, *x, mt_type (MT_T_TEXT), MT_COERCE_IMPLICIT, x);
}

/* ---- the select list ---- */

/* What * or t.* gives. *around: the table's name, where it is of a query around; else NULL. */
static bool star_names (MtBinder *b, const MtRel *rel, const MtExpr *e, MtNames *out,
                        const MtName **around)
{
   const MtNameList *parts = e->column.parts;
   *around = NULL;
   if (rel->kind == MT_REL_NONE && !parts)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX,
                          "SELECT * with no tables specified is not valid");
   *out = mt_names_all (rel);
   if (!parts)
      return true;
   while (parts->next) /* schema.t.*: the last part is the table's */
      parts = parts->next;
   if (mt_names_of_table (rel, &parts->name, out))
      return true;
   *around = &parts->name;
   if (!mt_names_around (b, &parts->name, out))
      return mt_error_at (b->err, e->span, MT_E_UNDEFINED_TABLE,
                          "missing FROM-clause entry for table \"%s\"", parts->name.text);
   return true;
}

static bool count_targets (MtBinder *b, const MtRel *rel, const MtTarget *t, int *n)
{
   MtNames names;
   const MtName *around;
   for (*n = 0; t; t = t->next) {
      if (t->expr->kind == MT_EXPR_STAR && !star_names (b, rel, t->expr, &names, &around))
         return false;
      *n += t->expr->kind == MT_EXPR_STAR ? names.count : 1;
   }
   return true;
}

/* A column's result has the name that the column was created with, or else the one in quotes. */
static const char *default_name (const MtRel *rel, const MtExpr *e)
{
   const MtExpr *inner = e;
   while (inner->kind == MT_EXPR_CAST || inner->kind == MT_EXPR_COLLATE)
      inner = inner->kind == MT_EXPR_CAST ? inner->cast.arg : inner->collate.arg;
   if (inner->kind == MT_EXPR_COLUMN) {
      const MtNameList *n = inner->column.parts, *before = NULL;
      for (; n->next; n = n->next)
         before = n;
      MtNames names = mt_names_all (rel);
      if (before)
         mt_names_of_table (rel, &before->name, &names);
      int i = n->name.quoted ? -1 : mt_names_find (&names, &n->name);
      if (i >= 0)
         return mt_names_text (&names, i);
   }
   return mt_target_name (e);
}

static bool bind_star (MtBinder *b, const MtExpr *e, MtQuery *q)
{
   MtNames names;
   const MtName *around;
   if (!star_names (b, &q->rel, e, &names, &around))
      return false;
   for (int i = 0; i < names.count; i++) {
      MtName name = {.text = mt_names_text (&names, i), .quoted = true};
      MtTargetX *out = &q->targets[q->target_count++];
      out->name = name.text;
      if (around && !mt_outer_column (b, around, &name, e->span, &out->expr))
         return false;
      if (!around)
         out->expr = mt_names_x (b, &names, i, e->span);
   }
   return true;
}

static bool bind_targets (MtBinder *b, MtScope *s, const MtTarget *list, MtQuery *q)
{
   int n;
   if (!count_targets (b, &q->rel, list, &n))
      return false;
   if (n > MT_MAX_COLUMNS)
      return mt_error (b->err, "54011", "target lists can have at most %d entries", MT_MAX_COLUMNS);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   for (const MtTarget *t = list; t; t = t->next) {
      if (t->expr->kind == MT_EXPR_STAR) {
         if (!bind_star (b, t->expr, q))
            return false;
         continue;
      }
      MtTargetX *out = &q->targets[q->target_count];
      out->name = t->alias.text ? t->alias.text : default_name (&q->rel, t->expr);
      if (!mt_bind_x (b, s, t->expr, &out->expr))
         return false;
      q->target_count++;
   }
   q->visible_count = q->target_count;
   return true;
}

/* ---- GROUP BY ---- */

/* -3 is a constant by its grammar. */
static const MtExpr *negated (const MtExpr *e)
{
   return e->kind == MT_EXPR_OPERATOR && !e->op.left && strcmp (e->op.op, "-") == 0 ? e->op.right
                                                                                    : NULL;
}

static bool is_position (const MtExpr *e)
{
   const MtExpr *n = negated (e);
   return e->kind == MT_EXPR_INTEGER || (n && n->kind == MT_EXPR_INTEGER);
}

static bool position (MtBinder *b, const MtExpr *e, const MtQuery *q, const char *clause, int *out)
{
   if (negated (e))
      return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                          "%s position -%s is not in select list", clause, negated (e)->text);
   if (strlen (e->text) > 6 || (*out = atoi (e->text)) < 1 || *out > q->visible_count)
      return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                          "%s position %s is not in select list", clause, e->text);
   --*out;
   return true;
}

/* An output column of that name: its index, -1: none, -2: several that differ. */
static int output_column (const MtQuery *q, const MtName *name)
{
   int found = -1;
   bool exact = false, several = false;
   for (int i = 0; i < q->visible_count; i++) {
      bool spelled = strcmp (q->targets[i].name, name->text) == 0;
      if (exact ? !spelled : !mt_same_name (q->targets[i].name, name))
         continue;
      if (found < 0 || exact != spelled)
         several = false;
      else
         several |= !mt_x_equal (q->targets[found].expr, q->targets[i].expr);
      found = found < 0 || exact != spelled ? i : found;
      exact = spelled;
   }
   return several ? -2 : found;
}

static const MtName *bare_name (const MtExpr *e)
{
   return e->kind == MT_EXPR_COLUMN && !e->column.parts->next ? &e->column.parts->name : NULL;
}

static bool is_constant (const MtExpr *e)
{
   return e->kind == MT_EXPR_STRING || e->kind == MT_EXPR_DECIMAL || e->kind == MT_EXPR_NULL ||
          e->kind == MT_EXPR_BOOL;
}

/* A node in a key that can't be there: it may come by a position or an alias. */
static const MtX *not_in_key (const MtX *x, bool (*is_it) (const MtX *x))
{
   int n;
   MtX **kids = mt_x_children ((MtX *) x, &n);
   const MtX *found = is_it (x) ? x : NULL;
   for (int i = 0; kids && i < n && !found; i++)
      found = not_in_key (kids[i], is_it);
   return found;
}

static bool is_aggregate (const MtX *x) { return x->kind == MT_X_AGG || mt_is_grouping (x); }

static bool is_window (const MtX *x) { return x->kind == MT_X_WINDOW; }

bool mt_bind_group_key (MtBinder *b, MtScope *s, const MtExpr *e, const MtQuery *q, MtX **out)
{
   int i = -1;
   const MtName *name = bare_name (e);
   if (is_position (e)) {
      if (!position (b, e, q, "GROUP BY", &i))
         return false;
   } else if (is_constant (e) && e->kind != MT_EXPR_BOOL)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "non-integer constant in GROUP BY");
   else if (name &&
            mt_rel_column (&q->rel, name) == -1) { /* a column of FROM goes before an output name */
      i = output_column (q, name);
      if (i == -2)
         return mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_COLUMN, "GROUP BY \"%s\" is ambiguous",
                             name->text);
   }
   if (i < 0)
      return mt_bind_x (b, s, e, out) && mt_settle_unknown (b, out);
   *out = q->targets[i].expr;
   const MtX *aggregate = not_in_key (*out, is_aggregate), *window = not_in_key (*out, is_window);
   if (aggregate)
      return mt_error_at (b->err, aggregate->span, MT_E_GROUPING,
                          "aggregate functions are not allowed in GROUP BY");
   return !window || mt_error_at (b->err, window->span, MT_E_WINDOWING,
                                  "window functions are not allowed in GROUP BY");
}

/* ---- ORDER BY ---- */

static int equal_target (const MtQuery *q, const MtX *x)
{
   for (int i = 0; i < q->visible_count; i++)
      if (mt_x_equal (q->targets[i].expr, x))
         return i;
   return -1;
}

static MtX *target_ref (MtBinder *b, const MtQuery *q, int i, MtSpan span)
{
   MtX *x = mt_x_new (b->a, MT_X_TARGET, q->targets[i].expr->type, span);
   x->index = i;
   mt_x_refers (x, q->targets[i].expr);
   return x;
}

bool mt_bind_sort_key (MtBinder *b, MtScope *s, const MtExpr *e, const char *clause,
                       const MtQuery *q, MtX **out)
{
   int i = -1;
   const MtName *name = bare_name (e);
   if (is_position (e)) {
      if (!position (b, e, q, clause, &i))
         return false;
   } else if (is_constant (e) && e->kind != MT_EXPR_BOOL)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "non-integer constant in %s", clause);
   else if (name) {
      i = output_column (q, name);
      if (i == -2)
         return mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_COLUMN, "%s \"%s\" is ambiguous",
                             clause, name->text);
   }
   if (i < 0) {
      if (!mt_bind_x (b, s, e, out) || !mt_settle_unknown (b, out))
         return false;
      i = equal_target (q, *out);
   }
   if (i >= 0)
      *out = target_ref (b, q, i, e->span);
   else if (q->distinct)
      return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                          "for SELECT DISTINCT, ORDER BY expressions must appear in select list");
   return true;
}

bool mt_sort_direction (MtBinder *b, const MtOrderItem *o, MtSortX *out)
{
   bool desc = o->descending;
   if (o->using_op) {
      if (strcmp (o->using_op, "<") && strcmp (o->using_op, ">")) {
         mt_error_at (b->err, o->expr->span, "42809",
                      "operator %s is not a valid ordering operator", o->using_op);
         return mt_error_hint (
            b->err,
            "Ordering operators must be \"<\" or \">\" members of btree operator families.");
      }
      desc = o->using_op[0] == '>';
   }
   out->descending = desc;
   out->nulls_first = o->nulls ? o->nulls == 1 : desc;
   return true;
}

bool mt_bind_order (MtBinder *b, MtScope *s, const MtOrderItem *items, MtQuery *q)
{
   int n = 0;
   for (const MtOrderItem *o = items; o; o = o->next)
      n++;
   q->sort = MT_NEW_N (b->a, MtSortX, (size_t) n + 1);
   s->clause = MT_CLAUSE_ORDER;
   for (const MtOrderItem *o = items; o; o = o->next) {
      MtSortX *out = &q->sort[q->sort_count];
      if (!mt_bind_sort_key (b, s, o->expr, "ORDER BY", q, &out->expr) ||
          !mt_sort_direction (b, o, out))
         return false;
      bool seen = false; /* a key that stands before decides already */
      for (int i = 0; i < q->sort_count && !seen; i++)
         seen = mt_x_equal (q->sort[i].expr, out->expr);
      q->sort_count += !seen;
   }
   return true;
}

/* ---- LIMIT ---- */

static bool row_count (MtBinder *b, const MtExpr *e, MtClause clause, int64_t absent, int64_t *out)
{
   const char *what = clause == MT_CLAUSE_LIMIT ? "LIMIT" : "OFFSET";
   MtScope s = {.clause = clause};
   MtX *x;
   MtVal v;
   *out = absent;
   if (!e)
      return true;
   if (!mt_bind_x (b, &s, e, &x))
      return e->kind == MT_EXPR_COLUMN
                ? mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                               "argument of %s must not contain variables", what)
                : false;
   if (!mt_can_coerce (x->type.id, MT_T_INT8, MT_COERCE_ASSIGN) ||
       mt_type_info (x->type.id)->category == 'S')
      return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                          "argument of %s must be type bigint, not type %s", what,
                          mt_type_info (x->type.id)->display);
   if (!mt_coerce (b, x, mt_type (MT_T_INT8), MT_COERCE_ASSIGN, &x) ||
       !mt_eval_const (b->a, x, b->env, &v, b->err))
      return false;
   if (mt_is_nullish (v))
      return true;
   if (v.i < 0)
      return mt_error_at (b->err, e->span,
                          clause == MT_CLAUSE_LIMIT ? MT_E_BAD_LIMIT : MT_E_BAD_OFFSET,
                          "%s must not be negative", what);
   *out = v.i;
   return true;
}

bool mt_bind_limit (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   q->with_ties = s->limit_with_ties;
   if (s->limit_with_ties && s->limit && s->limit->kind == MT_EXPR_NULL)
      return mt_error (b->err, MT_E_BAD_LIMIT,
                       "row count cannot be null in FETCH FIRST ... WITH TIES clause");
   return row_count (b, s->offset, MT_CLAUSE_OFFSET, 0, &q->offset) &&
          row_count (b, s->limit, MT_CLAUSE_LIMIT, -1, &q->limit);
}

/* ---- blocks ---- */

static bool refuse_plain (MtBinder *b, const MtSelect *s) { return true; }

static bool settle_targets (MtBinder *b, MtQuery *q)
{
   q->literals = MT_NEW_N (b->a, int, (size_t) q->target_count + 1);
   for (int i = 0; i < q->target_count; i++) {
      const MtX *x = q->targets[i].expr;
      if (x->type.id == MT_T_UNKNOWN)
         q->literals[i] = x->param && b->env->params->types[x->param - 1].id == MT_T_UNKNOWN
                             ? x->param
                             : MT_LITERAL;
      if (!mt_settle_unknown (b, &q->targets[i].expr))
         return false;
   }
   return true;
}

static bool bind_plain (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   MtScope scope = {.rel = &q->rel,
                    .own = &q->rel,
                    .clause = MT_CLAUSE_SELECT,
                    .defers = true,
                    .windows = mt_windows_new (b->a),
                    .named = s->plain.windows};
   MtGroupSets sets;
   if (!refuse_plain (b, s) || !mt_bind_from (b, s->plain.from, &q->rel))
      return false;
   q->distinct = s->plain.distinct && !s->plain.distinct_on;
   if (!bind_targets (b, &scope, s->plain.targets, q))
      return false;
   scope.only_true = true;
   scope.clause = MT_CLAUSE_WHERE;
   if (s->plain.where && !mt_bind_bool (b, &scope, s->plain.where, "WHERE", &q->where))
      return false;
   scope.clause = MT_CLAUSE_HAVING;
   if (s->plain.having && !mt_bind_bool (b, &scope, s->plain.having, "HAVING", &q->having))
      return false;
   scope.only_true = false;
   if ((s != b->assigned || q->distinct) && !settle_targets (b, q))
      return false;
   if (!mt_bind_order (b, &scope, s->order, q) ||
       !mt_bind_distinct_on (b, &scope, s->plain.distinct_on, q))
      return false;
   scope.clause = MT_CLAUSE_GROUP;
   if (!mt_bind_group_by (b, &scope, s, q, &sets) || !mt_bind_named_windows (b, &scope))
      return false;
   q->grouped |= scope.has_grouping;
   q->windows = scope.windows->call_count ? scope.windows : NULL;
   if (!mt_bind_limit (b, s, q) || !mt_pending_below (b, &scope, q) || !mt_expand_keys (b, q))
      return false;
   mt_pending_hide (b, &scope, q);
   if (!mt_group_query (b, &scope, &sets, q) || !mt_check_step (b, q) ||
       !mt_gapfill_query (b, q, sets.count > 1) || !mt_split_sets (b, &scope, &sets, q) ||
       !mt_pending_above (b, &scope, q) || !mt_window_query (b, q) || !mt_expand_query (b, q))
      return false;
   if (q->distinct)
      mt_distinct_as_groups (b, q);
   return true;
}

static bool same_spelling (const MtName *a, const MtName *b)
{
   bool exact = mt_name_is_exact (a) || mt_name_is_exact (b);
   return exact ? strcmp (a->text, b->text) == 0 : mt_ieq (a->text, b->text);
}

bool mt_push_ctes (MtBinder *b, const MtSelect *s)
{
   const MtCteBind *before = b->ctes;
   for (const MtCte *c = s->with; c; c = c->next) {
      for (const MtCte *d = s->with; d != c; d = d->next)
         if (same_spelling (&d->name, &c->name))
            return mt_error_at (b->err, c->name.span, "42712",
                                "WITH query name \"%s\" specified more than once", c->name.text);
      MtCteBind *bind = MT_NEW (b->a, MtCteBind);
      *bind = (MtCteBind) {c, s->with_recursive ? MT_NEW (b->a, MtRecursion) : NULL,
                           MT_NEW (b->a, MtCteState), b->outer, b->ctes};
      b->ctes = bind;
   }
   for (const MtCteBind *c = b->ctes; c != before && s->with_recursive; c = c->outer)
      c->recursion->scope = b->ctes;
   return true;
}

bool mt_bind_query (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   const MtCteBind *outer = b->ctes;
   MtOuter *lateral = b->lateral;
   MtQuery *q = MT_NEW (b->a, MtQuery);
   bool ok = false;
   q->limit = -1;
   if (s->into)
      return mt_error_at (b->err, s->into->span, MT_E_SYNTAX,
                          "SELECT ... INTO is not allowed here");
   if (s->locking)
      return mt_refuse (
         b, s->span, mt_ieq (s->locking, "update") ? "FOR UPDATE is" : "locking rows (FOR …) is");
   if (!mt_count_query (b, s->span) || !mt_enter (b, s->span))
      return false;
   int query = b->query;
   b->query = ++b->query_count;
   b->lateral = b->outer;
   if (mt_push_ctes (b, s))
      switch (s->kind) {
      case MT_SELECT_PLAIN: ok = bind_plain (b, s, q); break;
      case MT_SELECT_VALUES: ok = mt_bind_values (b, s, &q); break;
      case MT_SELECT_SETOP: ok = mt_bind_setop (b, s, &q); break;
      }
   ok = ok && mt_bind_unread_ctes (b, outer);
   b->ctes = outer;
   b->lateral = lateral;
   b->query = query;
   mt_leave (b);
   *out = q;
   return ok;
}

/* ---- entry points ---- */

static bool bind_whole (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                        MtError *err)
{
   MtBinder b = {.a = a, .env = env, .err = err};
   if (!mt_bind_query (&b, s, out) || !mt_fold_query (&b, *out))
      return false;
   mt_push_query (a, *out);
   return true;
}

/* Groups that are read several times: computed once, or in each place with its conditions. */
bool mt_bind_select (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                     MtError *err)
{
   MtSharing *all = env->sharing, none = {0}, before = all ? *all : none;
   MtError ignored;
   MtQuery *apart;
   double once, each;
   mt_error_clear (&ignored);
   if (!bind_whole (a, env, s, out, err))
      return false;
   if (!env->cost || !all || all->groupings == before.groupings || all->ran || before.apart)
      return true;
   MtSharing after = *all;
   *all = before;
   all->rows = after.rows;
   all->apart = true;
   bool ok = bind_whole (a, env, s, &apart, &ignored) && !all->ran &&
             env->cost (env->ctx, a, *out, &once, &ignored) &&
             env->cost (env->ctx, a, apart, &each, &ignored);
   all->apart = false;
   if (ok && each < once)
      *out = apart;
   else
      *all = after;
   return true;
}

bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtType want,
                   MtX **out, MtError *err)
{
   MtBinder b = {.a = a, .env = env, .err = err};
   MtRel rel = {.kind = MT_REL_NONE};
   if (t) {
      rel.kind = MT_REL_TABLE;
      rel.alias = t->name;
      rel.table = t;
      rel.column_count = (int) t->column_count;
      rel.columns = MT_NEW_N (a, MtRelColumn, t->column_count + 1);
      for (size_t i = 0; i < t->column_count; i++)
         rel.columns[i] = mt_rel_column_stored (&t->columns[i]);
   }
   MtScope s = {.rel = &rel, .clause = MT_CLAUSE_DEFAULT};
   if (!mt_bind_x (&b, &s, e, out))
      return false;
   if (want.id != MT_T_UNKNOWN ? !mt_coerce (&b, *out, want, MT_COERCE_ASSIGN, out)
                               : !mt_settle_unknown (&b, out))
      return false;
   return mt_fold (&b, out);
}
