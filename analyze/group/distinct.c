/* DISTINCT and DISTINCT ON. SELECT DISTINCT over a table becomes GROUP BY, because a GROUP BY can
 * be answered from stored levels above the records. The expressions of DISTINCT ON must be the
 * first sort keys. */
#include "analyze/group/order.h"

#include <string.h>

/* Returns whether x can't be in a GROUP BY key, since it is an aggregate, a window call, a volatile
 * call, or a reference to such a value. */
static bool is_unfit (void *ctx, const MtX *x)
{
   return x->is_volatile || x->kind == MT_X_KEY || x->kind == MT_X_AGG || x->kind == MT_X_TARGET ||
          x->kind == MT_X_WINDOW || x->kind == MT_X_OUTER;
}

/* Returns the index of x in the keys of q. Adds x to the keys if it is missing. */
static int key_of (MtQuery *q, MtX *x)
{
   for (int i = 0; i < q->key_count; i++)
      if (mt_x_equal (q->keys[i], x))
         return i;
   q->keys[q->key_count] = x;
   return q->key_count++;
}

void mt_distinct_as_groups (MtBinder *b, MtQuery *q)
{
   bool any = false;
   if (q->grouped || q->arm_count || q->rel.kind != MT_REL_TABLE ||
       q->target_count != q->visible_count)
      return;
   for (int i = 0; i < q->target_count; i++) {
      if (mt_x_find (q->targets[i].expr, is_unfit, NULL))
         return;
      any |= q->targets[i].expr->kind != MT_X_CONST;
   }
   for (int i = 0; i < q->sort_count; i++)
      if (q->sort[i].expr->kind != MT_X_TARGET)
         return;
   if (!any) /* Without rows there is no group, but GROUP BY () would give one. */
      return;
   q->keys = MT_NEW_N (b->a, MtX *, (size_t) q->target_count);
   for (int i = 0; i < q->target_count; i++) {
      MtX *x = q->targets[i].expr;
      if (x->kind == MT_X_CONST)
         continue;
      q->targets[i].expr = mt_x_new (b->a, MT_X_KEY, x->type, x->span);
      q->targets[i].expr->index = key_of (q, x);
      mt_x_refers (q->targets[i].expr, x);
   }
   q->grouped = true;
   q->distinct = false;
}

/* ---- DISTINCT ON ---- */

typedef struct OnKeys {
   MtX **list;
   const MtExpr **from; /* the expressions as parsed, for the positions of errors */
   int count;
} OnKeys;

static bool bind_keys (MtBinder *b, MtScope *s, const MtExprList *keys, const MtQuery *q,
                       OnKeys *on)
{
   int n = mt_list_length (keys);
   on->list = MT_NEW_N (b->a, MtX *, (size_t) n);
   on->from = MT_NEW_N (b->a, const MtExpr *, (size_t) n);
   on->count = 0;
   for (const MtExprList *l = keys; l; l = l->next) {
      MtX *x;
      bool seen = false;
      if (!mt_bind_sort_key (b, s, l->expr, "DISTINCT ON", q, &x))
         return false;
      for (int i = 0; i < on->count && !seen; i++)
         seen = mt_x_equal (on->list[i], x);
      if (seen)
         continue;
      on->from[on->count] = l->expr;
      on->list[on->count++] = x;
   }
   return true;
}

static int find_key (const OnKeys *on, const MtX *x)
{
   for (int i = 0; i < on->count; i++)
      if (mt_x_equal (on->list[i], x))
         return i;
   return -1;
}

static bool no_match (MtBinder *b, const MtExpr *e)
{
   return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                       "SELECT DISTINCT ON expressions must match initial ORDER BY expressions");
}

/* Expressions of DISTINCT ON that ORDER BY lacks are added to its end. Fails with 42P10 if ORDER BY
 * has another key before an expression of DISTINCT ON. */
bool mt_bind_distinct_on (MtBinder *b, MtScope *s, const MtExprList *keys, MtQuery *q)
{
   OnKeys on;
   bool skipped = false;
   q->unordered = !q->sort_count;
   if (!keys)
      return true;
   if (!bind_keys (b, s, keys, q, &on))
      return false;
   bool *found = MT_NEW_N (b->a, bool, (size_t) on.count);
   for (int i = 0; i < q->sort_count; i++) {
      int k = find_key (&on, q->sort[i].expr);
      if (k >= 0 && skipped)
         return no_match (b, on.from[k]);
      if (k >= 0)
         found[k] = true;
      else
         skipped = true;
   }
   MtSortX *sort = MT_NEW_N (b->a, MtSortX, (size_t) (q->sort_count + on.count));
   memcpy (sort, q->sort, (size_t) q->sort_count * sizeof *sort);
   for (int k = 0; k < on.count; k++) {
      if (found[k])
         continue;
      if (skipped)
         return no_match (b, on.from[k]);
      sort[q->sort_count++] = (MtSortX) {.expr = on.list[k]};
   }
   q->sort = sort;
   q->on_count = on.count;
   return true;
}
