/* DISTINCT: over a table it is a grouping, so that a cut above the records may answer it. */
#include "planner/bind_int.h"

/* A value of one row, and the same one whenever it is computed. */
static bool is_plain (const MtX *x)
{
   int n;
   MtX **kids = mt_x_children ((MtX *) x, &n);
   if (x->is_volatile)
      return false;
   if (!kids)
      return x->kind == MT_X_CONST || x->kind == MT_X_COLUMN;
   if (x->kind != MT_X_CALL && x->kind != MT_X_AND && x->kind != MT_X_OR && x->kind != MT_X_NOT && x->kind != MT_X_IS_NULL && x->kind != MT_X_IN &&
       x->kind != MT_X_CASE && x->kind != MT_X_COALESCE)
      return false;
   for (int i = 0; i < n; i++)
      if (!is_plain (kids[i]))
         return false;
   return true;
}

/* The key that is x; added where there is none. */
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
   if (q->grouped || q->arm_count || q->rel.kind != MT_REL_TABLE || q->target_count != q->visible_count)
      return;
   for (int i = 0; i < q->target_count; i++) {
      if (!is_plain (q->targets[i].expr))
         return;
      any |= q->targets[i].expr->kind != MT_X_CONST;
   }
   for (int i = 0; i < q->sort_count; i++)
      if (q->sort[i].expr->kind != MT_X_TARGET)
         return;
   if (!any) /* no rows give no group, where GROUP BY () would */
      return;
   q->keys = MT_NEW_N (b->a, MtX *, (size_t) q->target_count);
   for (int i = 0; i < q->target_count; i++) {
      MtX *x = q->targets[i].expr;
      if (x->kind == MT_X_CONST)
         continue;
      q->targets[i].expr = mt_x_new (b->a, MT_X_KEY, x->type, x->span);
      q->targets[i].expr->index = key_of (q, x);
      q->targets[i].expr->nullable = x->nullable;
   }
   q->grouped = true;
   q->distinct = false;
}
