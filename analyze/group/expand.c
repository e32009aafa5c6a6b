/* Set-returning functions in a select list. Each row of the query is repeated for each row of the
 * function that returns the most rows. Set-returning functions in GROUP BY keys are computed before
 * the grouping. */
#include "query/x.h"
#include "analyze/calls/set.h"
#include "analyze/group/blocks.h"
#include "analyze/names/joined.h"

#include <string.h>

/* Columns of set-returning functions have temporary numbers from here on, until their final numbers
 * in FROM are known. */
#define SET_COLUMN (1 << 23)

typedef struct Expand {
   MtBinder *b;
   MtQuery *inner; /* the block whose rows the set functions expand; NULL: it is FROM itself */
   int cap;
   MtX **calls;
   int count;
   int first; /* how many columns come before those of the set functions */
} Expand;

static MtX *set_column (Expand *e, int i, MtX *call)
{
   MtX *c = mt_x_new (e->b->a, MT_X_COLUMN, call->type, call->span);
   c->column = SET_COLUMN + i;
   c->finite = call->finite;
   return c;
}

static MtX *add_call (Expand *e, MtX *call)
{
   int i = 0;
   while (i < e->count && (call->is_volatile || !mt_x_equal (e->calls[i], call)))
      i++;
   if (i == e->count) {
      MtX **more = MT_NEW_N (e->b->a, MtX *, (size_t) e->count + 1);
      if (e->count)
         memcpy (more, e->calls, (size_t) e->count * sizeof *more);
      more[e->count++] = call;
      e->calls = more;
   }
   return set_column (e, i, call);
}

/* Returns a reference to the column of the inner query that contains x. Adds x to the inner query's
 * select list if it is missing. */
static MtX *inner_column (Expand *e, MtX *x)
{
   MtQuery *q = e->inner;
   int i = 0;
   while (i < q->target_count && !mt_x_equal (q->targets[i].expr, x))
      i++;
   MT_GROW_IN (e->b->a, q->targets, i, e->cap, 8);
   if (i == q->target_count)
      q->targets[q->target_count++] = (MtTargetX) {mt_printf (e->b->a, "column%d", i + 1), x};
   MtX *c = mt_x_new (e->b->a, MT_X_COLUMN, x->type, x->span);
   c->column = i;
   mt_x_refers (c, x);
   return c;
}

/* Replaces set-returning calls in *x by references to their columns. If there is an inner query,
 * also replaces other columns, keys and aggregates by references to its columns. */
static bool expand (void *ctx, MtX **x)
{
   Expand *e = ctx;
   MtX *o = *x;
   int n;
   if (e->inner && (o->kind == MT_X_COLUMN || o->kind == MT_X_KEY || o->kind == MT_X_AGG)) {
      *x = inner_column (e, o);
      return true;
   }
   if (!mt_x_children (o, &n) || (!e->inner && !mt_has_set (o)))
      return true;
   bool ok = mt_x_map_children (e->b, x, expand, e);
   if (ok && mt_is_set (o))
      *x = add_call (e, *x);
   return ok;
}

static MtX *numbered (void *ctx, const MtX *column)
{
   Expand *e = ctx;
   MtX *x = MT_NEW (e->b->a, MtX);
   *x = *column;
   if (x->column >= SET_COLUMN && x->column < MT_PENDING_COLUMN)
      x->column += e->first - SET_COLUMN;
   return x;
}

static void number_columns (Expand *e, MtQuery *q)
{
   for (int i = 0; i < q->key_count; i++)
      q->keys[i] = mt_x_map_columns (e->b->a, q->keys[i], numbered, e);
   for (int i = 0; i < q->target_count; i++)
      q->targets[i].expr = mt_x_map_columns (e->b->a, q->targets[i].expr, numbered, e);
   for (int i = 0; i < q->sort_count; i++)
      q->sort[i].expr = mt_x_map_columns (e->b->a, q->sort[i].expr, numbered, e);
}

/* Makes an unnamed FROM item (MT_REL_UNNEST) that calls the set-returning functions in e. */
static MtRel *sets_rel (Expand *e)
{
   MtRel *rel = MT_NEW (e->b->a, MtRel);
   MtUnnest *u = MT_NEW (e->b->a, MtUnnest);
   *u = (MtUnnest) {.input = MT_NEW (e->b->a, MtRel),
                    .calls = e->calls,
                    .count = e->count,
                    .column_count = e->count};
   u->columns = MT_NEW_N (e->b->a, MtUnnestColumn, (size_t) e->count + 1);
   *rel = (MtRel) {.kind = MT_REL_UNNEST,
                   .unnest = u,
                   .column_count = e->count,
                   .columns = MT_NEW_N (e->b->a, MtRelColumn, (size_t) e->count + 1)};
   for (int i = 0; i < e->count; i++) {
      u->columns[i].call = i;
      rel->columns[i] = mt_column_computed (mt_printf (e->b->a, "set%d", i + 1), e->calls[i]->type,
                                            true, e->calls[i]->finite);
   }
   return rel;
}

/* ---- in GROUP BY keys ---- */

/* Replaces set-returning calls that are also in GROUP BY keys by references to their columns. */
static bool replace_known (void *ctx, MtX **x)
{
   Expand *e = ctx;
   int n;
   for (int i = 0; i < e->count; i++)
      if (mt_is_set (*x) && mt_x_equal (*x, e->calls[i])) {
         *x = set_column (e, i, *x);
         return true;
      }
   if (!mt_has_set (*x))
      return true;
   MtX **list, *copy = mt_x_copy (e->b->a, *x, &list, &n);
   for (int i = 0; i < n; i++)
      if (!replace_known (e, &list[i]))
         return false;
   mt_x_update (copy);
   *x = copy;
   return true;
}

bool mt_expand_keys (MtBinder *b, MtQuery *q)
{
   Expand e = {.b = b, .first = q->rel.column_count};
   for (int i = 0; i < q->key_count; i++)
      if (!expand (&e, &q->keys[i]))
         return false;
   if (!e.count)
      return true;
   if (!mt_results_each (q, replace_known, &e))
      return false;
   number_columns (&e, q);
   MtRel *right = sets_rel (&e);
   if (!mt_join_unnamed (b, &q->rel, right, false, MT_NO_SPAN))
      return false;
   q->rel.kind = MT_REL_UNNEST;
   q->rel.unnest = right->unnest;
   q->rel.unnest->input = q->rel.join->left;
   q->rel.join = NULL;
   return true;
}

/* ---- in the select list ---- */

static bool any_set (const MtQuery *q, bool sorts)
{
   for (int i = 0; !sorts && i < q->target_count; i++)
      if (mt_has_set (q->targets[i].expr))
         return true;
   for (int i = 0; i < q->sort_count; i++)
      if (mt_has_set (mt_sort_expr (q, &q->sort[i])))
         return true;
   return false;
}

/* Moves ORDER BY and DISTINCT ON to the inner query, so that rows are sorted before set-returning
 * functions repeat them. */
static void sort_below (MtQuery *q, MtQuery *inner)
{
   inner->sort = q->sort;
   inner->sort_count = q->sort_count;
   for (int i = 0; i < inner->sort_count; i++)
      if (inner->sort[i].expr->kind == MT_X_TARGET)
         inner->sort[i].expr = q->targets[inner->sort[i].expr->index].expr;
   inner->on_count = q->on_count;
   q->sort = NULL;
   q->sort_count = q->on_count = 0;
}

/* Returns whether set-returning functions repeat rows after ORDER BY and DISTINCT ON, as in
 * PostgreSQL. True if ORDER BY has no such function, and the query has no DISTINCT, no WITH TIES,
 * and no DISTINCT ON without ORDER BY. */
static bool comes_behind_order (const MtQuery *q)
{
   return !q->distinct && !q->with_ties && !(q->on_count && q->unordered) && !any_set (q, true);
}

static MtQuery *block_below (MtBinder *b, MtQuery *q)
{
   MtQuery *inner = MT_NEW (b->a, MtQuery);
   *inner = *q;
   inner->targets = NULL;
   inner->sort = NULL;
   inner->literals = NULL;
   inner->target_count = inner->visible_count = inner->sort_count = inner->on_count = 0;
   inner->distinct = inner->with_ties = false;
   inner->limit = -1;
   inner->offset = 0;
   q->windows = NULL;
   mt_clear_lower (q);
   return inner;
}

static void rel_over (Expand *e, MtRel *rel)
{
   const MtQuery *in = e->inner;
   MtRel *sets = sets_rel (e), *input = sets->unnest->input;
   *input = (MtRel) {.kind = MT_REL_QUERY, .query = e->inner, .column_count = in->target_count};
   input->columns = MT_NEW_N (e->b->a, MtRelColumn, (size_t) in->target_count + 1);
   *rel = *sets;
   rel->column_count = in->target_count + e->count;
   rel->columns = MT_NEW_N (e->b->a, MtRelColumn, (size_t) rel->column_count + 1);
   for (int i = 0; i < rel->column_count; i++)
      rel->columns[i] = i < in->target_count ? mt_rel_column_target (in, i)
                                             : sets->columns[i - in->target_count];
   memcpy (input->columns, rel->columns, (size_t) in->target_count * sizeof *rel->columns);
}

bool mt_expand_query (MtBinder *b, MtQuery *q)
{
   if (!any_set (q, false))
      return true;
   MtQuery *inner = block_below (b, q);
   Expand e = {.b = b, .inner = inner};
   if (comes_behind_order (q))
      sort_below (q, inner);
   else if (q->on_count && q->with_ties && !q->unordered)
      return mt_refuse (b, q->targets[0].expr->span,
                        "DISTINCT ON with WITH TIES and set-returning functions is");
   if (!mt_results_each (q, expand, &e))
      return false;
   inner->visible_count = inner->target_count;
   e.first = inner->target_count;
   number_columns (&e, q);
   rel_over (&e, &q->rel);
   return true;
}
