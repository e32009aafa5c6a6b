/* References from sub-selects to columns of enclosing queries. */
#include "analyze/state/outer.h"

MtX *mt_outer_value (MtArena *a, const MtX *x)
{
   bool aggregate = x->outer.column >= MT_OUTER_AGG;
   MtX *value = mt_x_new (a, aggregate ? MT_X_AGG : MT_X_COLUMN, x->type, x->span);
   mt_x_refers (value, x);
   if (aggregate)
      value->index = x->outer.column - MT_OUTER_AGG;
   else
      value->column = x->outer.column;
   return value;
}

int mt_scope_id (MtBinder *b, MtScope *s)
{
   if (!s->id)
      s->id = ++b->scope_count;
   return s->id;
}

typedef struct Lets {
   MtArena *a;
   MtJoin *j;
   int cap;
} Lets;

static void add_let (Lets *l, const MtX *x)
{
   MtJoin *j = l->j;
   for (int i = 0; i < j->let_count; i++)
      if (j->lets[i].column == x->outer.column)
         return;
   MT_GROW_IN (l->a, j->lets, j->let_count, l->cap, 4);
   j->lets[j->let_count++] = (MtLet) {x->outer.column, mt_outer_value (l->a, x)};
}

static bool collect (void *ctx, const MtX *x)
{
   Lets *l = ctx;
   if (x->kind == MT_X_OUTER && x->outer.scope == l->j->apply)
      add_let (l, x);
   return false;
}

static bool collect_all (void *ctx, MtX **x)
{
   mt_x_find (*x, collect, ctx);
   return true;
}

void mt_join_apply (MtBinder *b, MtJoin *j, int scope)
{
   Lets l = {.a = b->a, .j = j};
   j->apply = scope;
   mt_rel_each (j->right, collect_all, &l);
}

/* ---- queries to which an expression refers ---- */

static void reach_scope (MtReach *r, int id)
{
   r->own |= id == r->scope->id;
   for (const MtOuter *o = r->around; o && o != r->nearest; o = o->next)
      if (o->scope->id == id)
         r->nearest = o;
}

/* If x is a reference from a sub-select to an enclosing query (MT_X_OUTER), records the query in
 * ctx, an MtReach. Returns false to visit all nodes. */
static bool reach_outer (void *ctx, const MtX *x)
{
   if (x->kind == MT_X_OUTER)
      reach_scope (ctx, x->outer.scope);
   return false;
}

static bool reach_inner (void *ctx, MtX **x)
{
   mt_x_find (*x, reach_outer, ctx);
   return true;
}

void mt_reach_query (MtReach *r, MtQuery *q) { mt_query_each (q, reach_inner, r); }

/* Like reach_outer, but also records references to columns of the aggregate's own query. Columns
 * from r->columns on belong to joined sub-selects, whose references were recorded when they were
 * analyzed. */
static bool reach_node (void *ctx, const MtX *x)
{
   MtReach *r = ctx;
   if (x->kind == MT_X_COLUMN)
      r->own |= x->column < r->columns;
   return reach_outer (r, x);
}

void mt_reach_x (MtReach *r, MtX *x)
{
   if (x)
      mt_x_find (x, reach_node, r);
}

/* ---- pending sub-selects ---- */

const MtPending *mt_pending_of (const MtScope *s, int column)
{
   const MtPending *found = NULL;
   for (int i = 0; i < s->pending_count && s->pending[i].first <= column; i++)
      found = &s->pending[i];
   return found;
}

typedef struct Find {
   const MtScope *s;
   bool (*is) (const MtX *x);
   const MtPending *within; /* the sub-select whose join is being searched; NULL: none */
   const MtX *found;
} Find;

static bool find (void *ctx, const MtX *x)
{
   Find *f = ctx;
   if (f->is (x)) {
      f->found = x;
      return true;
   }
   const MtPending *p = x->kind == MT_X_COLUMN && x->column >= MT_PENDING_COLUMN
                           ? mt_pending_of (f->s, x->column)
                           : NULL;
   if (!p || (f->within && p >= f->within)) /* the join's own columns have later numbers */
      return false;
   const MtPending *around = f->within;
   const MtJoin *j = p->join;
   f->within = p;
   bool found = (j->on && mt_x_find (j->on, find, f)) || (j->when && mt_x_find (j->when, find, f));
   for (int i = 0; i < j->let_count && !found; i++)
      found = mt_x_find (j->lets[i].x, find, f) != NULL;
   f->within = around;
   return found;
}

const MtX *mt_pending_find (const MtScope *s, const MtX *x, bool (*is) (const MtX *x))
{
   Find f = {.s = s, .is = is};
   mt_x_find (x, find, &f);
   return f.found;
}
