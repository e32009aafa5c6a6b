#include "planner/rewrite/join_order.h"

#include "query/condition.h"
#include "query/x.h"

#include <string.h>

typedef struct Leaf {
   MtRel *rel;
   int first; /* number of the leaf's first column in the join; a leaf is one joined table */
   bool taken;
} Leaf;

typedef struct Order {
   MtArena *a;
   Leaf *leaves;
   int count;
   MtX **conditions;
   int condition_count;
   int *place;
} Order;

static bool is_inner (const MtRel *rel)
{
   const MtJoin *j = rel->join;
   return rel->kind == MT_REL_JOIN && !j->keep_left && !j->keep_right && !j->mark && !j->single &&
          !j->apply && !j->asof;
}

static int count_leaves (const MtRel *rel)
{
   return is_inner (rel) ? count_leaves (rel->join->left) + count_leaves (rel->join->right) : 1;
}

static int count_conditions (MtArena *a, const MtRel *rel)
{
   int n;
   if (!is_inner (rel))
      return 0;
   mt_conjuncts (a, rel->join->on, &n);
   return n + count_conditions (a, rel->join->left) + count_conditions (a, rel->join->right);
}

static void flatten (Order *o, MtRel *rel, int first)
{
   int n;
   if (!is_inner (rel)) {
      o->leaves[o->count++] = (Leaf) {rel, first, false};
      return;
   }
   MtX **on = mt_conjuncts (o->a, rel->join->on, &n);
   for (int i = 0; i < n; i++)
      o->conditions[o->condition_count++] = mt_x_shift (o->a, on[i], first);
   flatten (o, rel->join->left, first);
   flatten (o, rel->join->right, first + rel->join->left->column_count);
}

/* Which leaves (tables of the join) an expression refers to: leaf number `leaf`, leaves that are
 * already joined (taken), and leaves that are not (missing). */
typedef struct About {
   const Order *o;
   int leaf;
   bool here, taken, missing;
} About;

static void look (void *ctx, int column)
{
   About *x = ctx;
   for (int i = 0; i < x->o->count; i++) {
      const Leaf *l = &x->o->leaves[i];
      if (column < l->first || column >= l->first + l->rel->column_count)
         continue;
      x->here |= i == x->leaf;
      x->taken |= i != x->leaf && l->taken;
      x->missing |= i != x->leaf && !l->taken;
   }
}

/* Returns whether an equality links this leaf (a table) to leaves that are already joined. */
static bool is_linked (const Order *o, int leaf)
{
   for (int i = 0; i < o->condition_count; i++) {
      const MtX *x = o->conditions[i];
      About about = {.o = o, .leaf = leaf};
      if (!mt_x_is_equality (x))
         continue;
      mt_x_each_column (x, look, &about);
      if (about.here && about.taken && !about.missing)
         return true;
   }
   return false;
}

static int next_leaf (const Order *o)
{
   int free = -1;
   for (int i = 0; i < o->count; i++) {
      if (o->leaves[i].taken)
         continue;
      if (free < 0)
         free = i;
      if (is_linked (o, i))
         return i;
   }
   return free;
}

static MtRel *pair (MtArena *a, MtRel *left, MtRel *right)
{
   MtRel *rel = MT_NEW (a, MtRel);
   rel->kind = MT_REL_JOIN;
   rel->column_count = left->column_count + right->column_count;
   rel->columns = MT_NEW_N (a, MtRelColumn, (size_t) rel->column_count + 1);
   for (int i = 0; i < rel->column_count; i++)
      rel->columns[i] = i < left->column_count ? left->columns[i]
                                               : right->columns[i - left->column_count];
   rel->join = MT_NEW (a, MtJoin);
   *rel->join = (MtJoin) {.left = left, .right = right};
   return rel;
}

static MtX *placed (void *ctx, const MtX *column)
{
   const Order *o = ctx;
   MtX *x = MT_NEW (o->a, MtX);
   *x = *column;
   x->column = o->place[column->column];
   return x;
}

bool mt_join_order (MtArena *a, const MtRel *rel, MtX ***conditions, int *count, MtRel **out,
                    int *place)
{
   int leaves = count_leaves (rel), at = 0;
   bool same = true;
   if (leaves < 3)
      return false;
   Order o = {.a = a,
              .place = place,
              .leaves = MT_NEW_N (a, Leaf, (size_t) leaves),
              .condition_count = *count};
   o.conditions = MT_NEW_N (a, MtX *, (size_t) (*count + count_conditions (a, rel)) + 1);
   if (*count)
      memcpy (o.conditions, *conditions, (size_t) *count * sizeof *o.conditions);
   flatten (&o, (MtRel *) rel, 0);
   for (int k = 0; k < leaves; k++) {
      int i = k ? next_leaf (&o) : 0;
      Leaf *l = &o.leaves[i];
      same &= i == k;
      l->taken = true;
      for (int c = 0; c < l->rel->column_count; c++)
         place[l->first + c] = at + c;
      at += l->rel->column_count;
      *out = k ? pair (a, *out, l->rel) : l->rel;
   }
   if (same)
      return false;
   for (int i = 0; i < o.condition_count; i++)
      o.conditions[i] = mt_x_map_columns (a, o.conditions[i], placed, &o);
   *conditions = o.conditions;
   *count = o.condition_count;
   return true;
}
