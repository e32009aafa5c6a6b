/* Query blocks: SELECT. */
#include "analyze/block/block.h"

#include "analyze/block/block_int.h"
#include "analyze/block/star.h"
#include "analyze/calls/set.h"
#include "analyze/expr/expr.h"
#include "analyze/from/from.h"
#include "analyze/from/shared.h"
#include "analyze/from/window_join.h"
#include "analyze/group/aggregate.h"
#include "analyze/group/blocks.h"
#include "analyze/group/comparable.h"
#include "analyze/group/order.h"
#include "analyze/group/sets.h"
#include "analyze/names/column.h"
#include "analyze/names/names.h"
#include "analyze/sub/pending.h"
#include "analyze/types/coerce.h"
#include "query/window.h"

/* ---- the select list ---- */

/* Finds the columns that each `*` or t.* of a select list stands for (*stars), and stores the
 * number of all result columns in *n. Fails with 42601 if EXCLUDE removes all columns. */
static bool find_stars (MtBinder *b, MtScope *s, const MtRel *rel, const MtTarget *list,
                        MtStar **stars, int *n)
{
   bool changed = false;
   int count = 0;
   for (const MtTarget *t = list; t; t = t->next)
      count += t->expr->kind == MT_EXPR_STAR;
   MtStar *star = *stars = MT_NEW_N (b->a, MtStar, (size_t) count + 1);
   *n = 0;
   for (const MtTarget *t = list; t; t = t->next) {
      if (t->expr->kind != MT_EXPR_STAR) {
         ++*n;
         continue;
      }
      if (!mt_star_columns (b, s, rel, t->expr, star))
         return false;
      *n += star->count;
      changed |= star++->changes != NULL;
   }
   return *n || !changed ||
          mt_error_at (b->err, list->expr->span, MT_E_SYNTAX, "EXCLUDE leaves no column");
}

/* Returns the name of a select-list item without AS. A column keeps the spelling of CREATE TABLE,
 * unless the query quotes the name. */
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

static bool bind_targets (MtBinder *b, MtScope *s, const MtTarget *list, MtQuery *q)
{
   int n;
   MtStar *star;
   if (!find_stars (b, s, &q->rel, list, &star, &n))
      return false;
   if (n > MT_MAX_COLUMNS)
      return mt_error (b->err, MT_E_TOO_MANY_COLUMNS, "target lists can have at most %d entries",
                       MT_MAX_COLUMNS);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 2); /* one more for QUALIFY */
   s->results = MT_NEW_N (b->a, MtResultName, (size_t) n + 1);
   for (const MtTarget *t = list; t; t = t->next) {
      if (t->expr->kind == MT_EXPR_STAR) {
         if (!mt_bind_star (b, s, star++, q))
            return false;
         continue;
      }
      MtTargetX *out = &q->targets[q->target_count];
      out->name = t->alias.text ? t->alias.text : default_name (&q->rel, t->expr);
      if (!mt_bind_x (b, s, t->expr, &out->expr))
         return false;
      q->target_count++;
      if (t->alias.text)
         s->results[s->result_count++] = (MtResultName) {&t->alias, out->expr};
   }
   q->visible_count = s->target_count = q->target_count;
   return true;
}

/* ---- blocks ---- */

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

/* Analyzes the condition of QUALIFY, and adds it to the select list as a hidden column that is not
 * returned. Fails with 42P20 if the block has no window call. */
static bool bind_qualify (MtBinder *b, MtScope *s, const MtExpr *e, MtQuery *q)
{
   MtX *x;
   if (!e)
      return true;
   s->clause = MT_CLAUSE_QUALIFY;
   if (!mt_bind_bool (b, s, e, "QUALIFY", &x))
      return false;
   if (!s->windows->call_count) {
      mt_error_at (b->err, e->span, MT_E_WINDOWING, "QUALIFY requires a window function call");
      return mt_error_hint (b->err,
                            "Use WHERE for a condition on rows, and HAVING for one on groups.");
   }
   q->targets[q->target_count++] = (MtTargetX) {"", x};
   s->target_count = q->target_count;
   return true;
}

/* Rewrites query q after all its clauses are analyzed: adds grouping, gap filling, grouping sets
 * and window functions, and converts sub-selects to joins. qualifies: the query has QUALIFY. */
static bool settle_block (MtBinder *b, MtScope *scope, MtGroupSets *sets, bool qualifies,
                          MtQuery *q)
{
   return mt_group_query (b, scope, sets, q) && mt_check_step (b, q) &&
          mt_gapfill_query (b, q, sets->count > 1) && mt_split_sets (b, scope, sets, q) &&
          mt_pending_above (b, scope, q) && mt_window_query (b, q) &&
          (!qualifies || mt_qualify_query (b, q)) && mt_expand_query (b, q);
}

/* Analyzes the FROM clause. If it has WINDOW JOINs, the tables on their right sides can be named
 * only inside aggregates. */
static bool bind_rows (MtBinder *b, MtScope *scope, const MtSelect *s, MtRel *rel)
{
   if (!mt_bind_window_join (b, scope, s->plain.from, rel, &scope->around))
      return false;
   if (!scope->around)
      return mt_bind_from (b, s->plain.from, rel) &&
             (!s->plain.latest || mt_bind_latest (b, s, rel));
   MtOuter *unseen = MT_NEW (b->a, MtOuter);
   *unseen = (MtOuter) {
      .scope = &scope->around->scope, .next = (MtOuter *) b->unseen, .query = b->query};
   b->unseen = unseen;
   return mt_begin_around (b, scope, s);
}

static bool bind_clauses (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   MtScope scope = {.rel = &q->rel,
                    .own = &q->rel,
                    .clause = MT_CLAUSE_SELECT,
                    .defers = true,
                    .windows = MT_NEW (b->a, MtWindows),
                    .named = s->plain.windows};
   MtGroupSets sets;
   if (!bind_rows (b, &scope, s, &q->rel))
      return false;
   q->distinct = s->plain.distinct && !s->plain.distinct_on;
   if (!bind_targets (b, &scope, s->plain.targets, q))
      return false;
   scope.only_true = true;
   scope.clause = MT_CLAUSE_WHERE;
   if (s->plain.where && !s->plain.latest &&
       !mt_bind_bool (b, &scope, s->plain.where, "WHERE", &q->where))
      return false;
   scope.clause = MT_CLAUSE_HAVING;
   if (s->plain.having && !mt_bind_bool (b, &scope, s->plain.having, "HAVING", &q->having))
      return false;
   scope.only_true = false;
   if ((s != b->assigned || q->distinct) && !settle_targets (b, q))
      return false;
   if (!mt_bind_order (b, &scope, s->order, q) || !bind_qualify (b, &scope, s->plain.qualify, q) ||
       !mt_bind_distinct_on (b, &scope, s->plain.distinct_on, q))
      return false;
   scope.clause = MT_CLAUSE_GROUP;
   if (!mt_bind_group_by (b, &scope, s, q, &sets) || !mt_bind_named_windows (b, &scope))
      return false;
   q->grouped |= scope.has_grouping;
   q->windows = scope.windows->call_count ? scope.windows : NULL;
   if (s->plain.sample && !mt_sample_query (b, &scope, s, q, &sets))
      return false;
   if ((scope.around && !mt_end_around (b, &scope)) || !mt_bind_limit (b, s, q) ||
       !mt_gapfill_lookups (b, &scope, q, &sets) || !mt_pending_below (b, &scope, q) ||
       !mt_expand_keys (b, q))
      return false;
   if (!mt_check_comparable (b, &scope, q))
      return false;
   mt_pending_hide (b, &scope, q);
   if (!settle_block (b, &scope, &sets, s->plain.qualify != NULL, q))
      return false;
   if (q->distinct)
      mt_distinct_as_groups (b, q);
   return true;
}

/* Binds the list of RETURNING, which gives one row for each changed row. */
static bool bind_returning (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   const MtSpan span = s->plain.targets->expr->span;
   bool above;
   if (!mt_lift_sets (b, &s, &above)) {
      if (!bind_clauses (b, s, q))
         return false;
      if (q->rel.kind != MT_REL_UNNEST)
         return true;
   }
   return mt_error_at (b->err, span, MT_E_FEATURE,
                       "set-returning functions are not allowed in RETURNING");
}

/* Binds a block. A set-returning call that moved to FROM must not change what others see: an
 * aggregate of this block can be within a sub-select, and comes before it. */
static bool bind_plain (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   const MtSpan span = s->plain.targets ? s->plain.targets->expr->span : s->span;
   if (s->plain.returning)
      return bind_returning (b, s, q);
   bool above, lifted = mt_lift_sets (b, &s, &above), ok = bind_clauses (b, s, q);
   if (!lifted || above)
      return ok;
   if (ok ? q->rel.kind != MT_REL_UNNEST && !q->grouped && !q->windows
          : !mt_error_is (b->err, MT_E_GROUPING))
      return ok;
   mt_error_clear (b->err);
   mt_refuse (b, span,
              "a set-returning function of several columns beside an aggregate in a sub-select is");
   return mt_error_hint (b->err, "Call the function in FROM. Its argument can be a sub-select.");
}

static bool not_allowed (MtBinder *b, const MtSelect *s, const char *what)
{
   MtBuf strength = {0};
   for (const char *c = s->locking; *c; c++)
      mt_buf_addc (&strength, (char) (*c == ' ' ? ' ' : *c & ~0x20));
   mt_buf_addc (&strength, 0);
   mt_error (b->err, MT_E_FEATURE, "FOR %s is not allowed with %s", strength.p, what);
   mt_buf_free (&strength);
   return false;
}

static bool is_item (const MtFrom *f, const MtName *name)
{
   for (; f; f = f->next) {
      bool join = f->kind == MT_FROM_JOIN, table = f->kind == MT_FROM_TABLE;
      const MtName *own = f->alias.text || !table ? &f->alias : &f->table.name;
      if (own->text ? mt_same_name (own->text, name)
                    : join && (is_item (f->join.left, name) || is_item (f->join.right, name)))
         return true;
   }
   return false;
}

/* Checks that each table named by FOR UPDATE OF is an item of FROM. Fails with 42P01 if not. */
static bool locks_items (MtBinder *b, const MtSelect *s)
{
   const char *strength = mt_strdup (b->a, s->locking);
   for (char *c = (char *) strength; *c; c++)
      *c = (char) (*c == ' ' ? ' ' : *c & ~0x20);
   for (const MtNameList *n = s->lock_of; n; n = n->next)
      if (!is_item (s->plain.from, &n->name))
         return mt_error_at (b->err, n->name.span, MT_E_UNDEFINED_TABLE,
                             "relation \"%s\" in FOR %s clause not found in FROM clause",
                             n->name.text, strength);
   return true;
}

/* Checks whether FOR UPDATE, FOR SHARE and similar clauses are allowed in query s. Rows are not
 * locked one by one: the transaction takes the lock for writing, which excludes all other
 * writers. */
static bool may_lock (MtBinder *b, const MtSelect *s)
{
   if (s->kind == MT_SELECT_SETOP)
      return not_allowed (b, s, "UNION/INTERSECT/EXCEPT");
   if (s->kind != MT_SELECT_PLAIN)
      return not_allowed (b, s, "VALUES");
   if (s->plain.distinct || s->plain.distinct_on)
      return not_allowed (b, s, "DISTINCT clause");
   if (s->plain.group_by)
      return not_allowed (b, s, "GROUP BY clause");
   if (s->plain.having)
      return not_allowed (b, s, "HAVING clause");
   if (!locks_items (b, s))
      return false;
   if (b->env->locks)
      return true;
   mt_refuse (b, s->span,
              mt_ieq (s->locking, "update") ? "FOR UPDATE here is"
                                            : "locking rows (FOR …) here is");
   return mt_error_hint (b->err, "Rows are locked in process only, by a SELECT or a statement that "
                                 "writes. Elsewhere, an UPDATE can claim rows: it returns them.");
}

/* Analyzes any query into *out. Code in other folders calls mt_bind_query, which calls this
 * function. */
static bool analyze_query (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   const MtCteBind *outer = b->ctes;
   MtOuter *lateral = b->lateral;
   const MtOuter *unseen = b->unseen;
   MtQuery *q = MT_NEW (b->a, MtQuery);
   bool ok = false;
   q->limit = -1;
   if (s->into)
      return mt_error_at (b->err, s->into->span, MT_E_SYNTAX,
                          "SELECT ... INTO is not allowed here");
   if (s->locking && !may_lock (b, s))
      return false;
   if (!mt_count_query (b, s->span) || !mt_enter (b, s->span))
      return false;
   int query = b->query;
   b->query = ++b->query_count;
   b->lateral = b->outer;
   if (mt_push_ctes (b, s))
      switch (s->kind) {
      case MT_SELECT_PLAIN: ok = bind_plain (b, s, q); break;
      case MT_SELECT_VALUES: ok = mt_bind_values (b, s, &q); break;
      case MT_SELECT_SETOP: ok = mt_bind_setop (b, s, q) && mt_check_comparable (b, NULL, q); break;
      case MT_SELECT_SUMMARY: ok = mt_bind_summary (b, s, &q); break;
      }
   if (ok && s->locking && q->grouped)
      ok = not_allowed (b, s, "aggregate functions");
   if (ok && s->locking && q->windows)
      ok = not_allowed (b, s, "window functions");
   ok = ok && mt_bind_unread_ctes (b, outer);
   b->ctes = outer;
   b->lateral = lateral;
   b->unseen = unseen;
   b->query = query;
   mt_leave (b);
   *out = q;
   return ok;
}

MtBinder mt_binder_new (MtArena *a, const MtBindEnv *env, MtError *err)
{
   static const MtBindUpper upper = {mt_analyze_x, analyze_query, mt_analyze_cte};
   return (MtBinder) {.a = a, .env = env, .err = err, .upper = &upper};
}
