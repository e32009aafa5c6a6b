/* Pushes conditions down, near to where rows are read.
 *
 * A condition is pushed below a join if it uses columns of one side only. A condition of ON is not
 * pushed if the join returns unmatched rows of that side. A condition of WHERE is not pushed if the
 * join fills that side with NULLs.
 *
 * A condition is pushed into a sub-select if its columns have the same values before the
 * sub-select's grouping. It is not pushed if it is volatile, or if the sub-select's result depends
 * on its rows as a whole: LIMIT, OFFSET, DISTINCT ON … */
#include "planner/rewrite/push.h"
#include "query/condition.h"
#include "planner/rewrite/join_order.h"
#include "query/window.h"
#include "query/x.h"

#include <string.h>

/* ---- lists of conditions ---- */

typedef struct List {
   MtArena *a;
   MtX **x;
   int n, cap;
} List;

static void add (List *l, MtX *x)
{
   MT_GROW_IN (l->a, l->x, l->n, l->cap, 8);
   l->x[l->n++] = x;
}

static List parts_of (MtArena *a, MtX *x)
{
   List l = {.a = a};
   l.x = mt_conjuncts (a, x, &l.n);
   l.cap = l.n;
   return l;
}

/* ---- finding the columns that are used ---- */

typedef struct Marks {
   bool *used;
   int offset;
} Marks;

static void mark (void *ctx, int column)
{
   const Marks *m = ctx;
   m->used[m->offset + column] = true;
}

static void mark_x (const MtX *x, bool *used, int offset)
{
   Marks m = {used, offset};
   if (x)
      mt_x_each_column (x, mark, &m);
}

static void mark_query (const MtQuery *q, bool *used)
{
   mark_x (q->where, used, 0);
   mark_x (q->having, used, 0);
   for (int i = 0; i < q->key_count; i++)
      mark_x (q->keys[i], used, 0);
   for (int i = 0; i < q->agg_count; i++) {
      mark_x (q->aggs[i].arg, used, 0);
      mark_x (q->aggs[i].filter, used, 0);
   }
   for (int i = 0; i < q->target_count; i++)
      mark_x (q->targets[i].expr, used, 0);
   for (int i = 0; i < q->sort_count; i++)
      mark_x (q->sort[i].expr, used, 0);
}

/* ---- removing unused columns of a sub-select ---- */

static MtX *placed (MtArena *a, MtX *x, const int *place)
{
   if (x->kind != MT_X_TARGET)
      return x;
   MtX *target = MT_NEW (a, MtX);
   *target = *x;
   target->index = place[x->index];
   return target;
}

/* Removes the columns of a sub-select with DISTINCT ON (such as LATEST ON makes) that q does not
 * use. */
static void prune (MtArena *a, const MtQuery *q, MtRel *rel)
{
   MtQuery *in = rel->query;
   int n = 0, *place = MT_NEW_N (a, int, (size_t) in->target_count + 1);
   if (!in->on_count || in->arm_count || in->windows || q->windows || rel->targets ||
       in->visible_count != rel->column_count)
      return;
   bool *used = MT_NEW_N (a, bool, (size_t) in->target_count + 1);
   mark_query (q, used);
   for (int i = 0; i < in->target_count; i++)
      used[i] |= i >= in->visible_count;
   for (int i = 0; i < in->sort_count; i++)
      if (in->sort[i].expr->kind == MT_X_TARGET)
         used[in->sort[i].expr->index] = true;
   MtTargetX *targets = MT_NEW_N (a, MtTargetX, (size_t) in->target_count + 1);
   MtSortX *sort = MT_NEW_N (a, MtSortX, (size_t) in->sort_count + 1);
   for (int i = 0; i < in->target_count; i++) {
      place[i] = used[i] ? n : -1;
      if (used[i])
         targets[n++] = in->targets[i];
   }
   for (int i = 0; i < in->sort_count; i++) {
      sort[i] = in->sort[i];
      sort[i].expr = placed (a, sort[i].expr, place);
   }
   in->visible_count -= in->target_count - n;
   in->target_count = n;
   in->targets = targets;
   in->sort = sort;
   in->literals = NULL;
   rel->targets = place;
}

/* ---- pushing into a sub-select ---- */

typedef struct Partitioned {
   const MtWindows *w;
   bool all;
} Partitioned;

static void check_partitioned (void *ctx, int column)
{
   Partitioned *p = ctx;
   for (int d = 0; d < p->w->def_count; d++) {
      const MtWindowDef *def = &p->w->defs[d];
      bool found = false;
      for (int i = 0; i < def->partition_count && !found; i++)
         found = def->partition[i]->column == column &&
                 mt_equal_is_same (def->partition[i]->type.id);
      p->all = p->all && found;
   }
}

/* Returns whether a condition can be checked before the window functions, because each window's
 * PARTITION BY has all of its columns. */
static bool windows_let_pass (const MtWindows *w, const MtX *condition)
{
   Partitioned p = {w, true};
   mt_x_each_column (condition, check_partitioned, &p);
   return p.all && !condition->is_volatile;
}

typedef struct Inside {
   MtArena *a;
   const MtQuery *q;
   const MtRel *rel; /* FROM item that is the sub-select, in the enclosing query */
   bool fits;
} Inside;

static const MtX *target_of (const Inside *in, int column)
{
   int t = in->rel->targets ? in->rel->targets[column] : column;
   return t < 0 ? NULL : in->q->targets[t].expr;
}

/* Returns x, an expression after GROUP BY, as an expression before it: a group key is replaced by
 * its definition. */
static const MtX *before_grouping (const Inside *in, const MtX *x)
{
   return x->kind == MT_X_KEY ? in->q->keys[x->index] : x;
}

static void check_column (void *ctx, int column)
{
   Inside *in = ctx;
   const MtX *x = target_of (in, column);
   in->fits = in->fits && x && !before_grouping (in, x)->is_volatile &&
              (in->q->grouped ? x->kind == MT_X_KEY || x->kind == MT_X_CONST : true);
}

static MtX *inner_column (void *ctx, const MtX *column)
{
   const Inside *in = ctx;
   return (MtX *) before_grouping (in, target_of (in, column->column));
}

static bool push_inside (MtArena *a, const MtRel *rel, MtQuery *q, MtX *x);

/* Pushes condition x into all members of a UNION, or into none. Returns whether it was pushed. */
static bool push_arms (MtArena *a, MtQuery *q, MtX *x)
{
   MtRel plain = {.kind = MT_REL_QUERY};
   for (int i = 0; i < q->target_count; i++)
      if (q->targets[i].expr->kind != MT_X_COLUMN || q->targets[i].expr->column != i)
         return false;
   MtQuery **arms = MT_NEW_N (a, MtQuery *, (size_t) q->arm_count);
   for (int i = 0; i < q->arm_count; i++) {
      arms[i] = mt_query_copy (a, q->arms[i]);
      if (!push_inside (a, &plain, arms[i], x))
         return false;
   }
   q->arms = arms;
   return true;
}

#define MOST_GROWN 200 /* a pushed condition may grow by this number of nodes at most */

/* Returns whether removing rows below the block would change its other result rows, as with
 * LIMIT. */
static bool counts_rows (const MtQuery *q)
{
   return q->limit >= 0 || q->offset || q->on_count || q->gapfill || q->work;
}

static bool push_inside (MtArena *a, const MtRel *rel, MtQuery *q, MtX *x)
{
   Inside in = {a, q, rel, true};
   if (counts_rows (q) || x->is_volatile)
      return false;
   if (q->arm_count)
      return push_arms (a, q, x);
   if (q->grouped && q->key_count == 0) /* there is one row, even if no row is read */
      return false;
   mt_x_each_column (x, check_column, &in);
   if (!in.fits)
      return false;
   MtX *inside = mt_x_map_columns (a, x, inner_column, &in);
   if (inside->size > x->size + MOST_GROWN) /* could grow without limit in nested sub-selects */
      return false;
   List l = parts_of (a, q->where);
   add (&l, inside);
   q->where = mt_conjunction (a, l.x, l.n);
   return true;
}

/* ---- pushing below a join ---- */

typedef struct Sides {
   int left; /* number of columns of the left side */
   /* conditions for the left side, the right side (over its own columns), and the join */
   List l, r, here;
} Sides;

static void hand_out (MtArena *a, Sides *s, MtX *x, bool may_left, bool may_right)
{
   MtSide w = mt_x_side (x, s->left);
   if (w == MT_SIDE_LEFT && may_left)
      add (&s->l, x);
   else if (w == MT_SIDE_RIGHT && may_right)
      add (&s->r, mt_x_shift (a, x, -s->left));
   else
      add (&s->here, x);
}

typedef struct Other {
   MtArena *a;
   const MtX *column;
} Other;

static MtX *other_column (void *ctx, const MtX *column)
{
   (void) column;
   const Other *o = ctx;
   MtX *x = MT_NEW (o->a, MtX);
   *x = *o->column;
   return x;
}

/* A column of one side of a join. offset: the number of the side's first column in the join. */
typedef struct SideColumn {
   const MtX *x;
   int offset;
} SideColumn;

/* The join requires mine = theirs, two columns. Adds the conditions of `from` on `mine` also to
 * `to`, as conditions on `theirs`. Only conditions that can't raise an error are copied. */
static void infer (MtArena *a, List *from, List *to, SideColumn mine, SideColumn theirs)
{
   int n = from->n;
   for (int i = 0; i < n; i++) {
      MtColumnSpan s = mt_x_column_span (from->x[i]);
      if (s.low != s.high || s.low != mine.x->column - mine.offset || from->x[i]->is_volatile ||
          !mt_x_cannot_fail (from->x[i]))
         continue;
      MtX column = *theirs.x;
      column.column -= theirs.offset;
      Other o = {a, &column};
      add (to, mt_x_map_columns (a, from->x[i], other_column, &o));
   }
}

/* Recognizes x as `left column = right column` of a join, and sets *l and *r. left: number of
 * columns of the left side. */
static bool equates_columns (const MtX *x, int left, const MtX **l, const MtX **r)
{
   if (!mt_x_is_equality (x))
      return false;
   *l = x->call.args[0];
   *r = x->call.args[1];
   if ((*l)->kind != MT_X_COLUMN || (*r)->kind != MT_X_COLUMN || (*l)->type.id != (*r)->type.id ||
       !mt_equal_is_same ((*l)->type.id))
      return false;
   if ((*l)->column >= left) {
      const MtX *t = *l;
      *l = *r;
      *r = t;
   }
   return (*l)->column < left && (*r)->column >= left;
}

static void infer_sides (MtArena *a, const MtJoin *j, Sides *s, const List *on)
{
   for (int i = 0; i < on->n; i++) {
      const MtX *l, *r;
      if (!equates_columns (on->x[i], s->left, &l, &r))
         continue;
      int known = s->r.n;
      SideColumn left = {l, 0}, right = {r, s->left};
      if (!j->keep_right)
         infer (a, &s->l, &s->r, left, right);
      List before = s->r;
      before.n = known;
      if (!j->keep_left)
         infer (a, &before, &s->l, right, left);
   }
}

/* Replaces a join side by a sub-select that has the conditions as its WHERE, and returns only the
 * used columns. */
static void wrap (MtArena *a, MtRel *side, const List *conditions, const bool *used)
{
   MtQuery *q = MT_NEW (a, MtQuery);
   q->limit = -1;
   q->rel = *side;
   q->where = mt_conjunction (a, conditions->x, conditions->n);
   q->targets = MT_NEW_N (a, MtTargetX, (size_t) side->column_count + 1);
   side->targets = MT_NEW_N (a, int, (size_t) side->column_count + 1);
   for (int i = 0; i < side->column_count; i++) {
      side->targets[i] = used[i] ? q->target_count : -1;
      if (!used[i])
         continue;
      MtX *x = mt_x_new (a, MT_X_COLUMN, side->columns[i].type, MT_NO_SPAN);
      x->column = i;
      mt_x_refers_column (x, &side->columns[i]);
      q->targets[q->target_count++] = (MtTargetX) {side->columns[i].name, x};
   }
   q->visible_count = q->target_count;
   side->kind = MT_REL_QUERY;
   side->query = q;
}

/* Replaces inner joins by a sub-select in which they are joined in a better order. False: the order
 * is as good as it is. */
static bool reorder (MtArena *a, MtRel *side, const List *conditions, const bool *used)
{
   MtX **x = conditions->x;
   int n = conditions->n, *place = MT_NEW_N (a, int, (size_t) side->column_count + 1);
   MtRel ordered = *side, *order;
   if (!mt_join_order (a, side, &x, &n, &order, place))
      return false;
   List none = {.a = a};
   wrap (a, &ordered, &none, used);
   ordered.query->rel = *order;
   ordered.query->where = mt_conjunction (a, x, n);
   for (int i = 0; i < ordered.query->target_count; i++)
      ordered.query->targets[i].expr->column = place[ordered.query->targets[i].expr->column];
   *side = ordered;
   mt_push_query (a, side->query);
   return true;
}

static void push_join (MtArena *a, MtRel *rel, const List *conditions, const bool *used,
                       List *above);

/* Moves conditions that refer to an enclosing query from `conditions` to `above`. So the stages
 * below are the same for all rows of the enclosing query, and run only once. */
static void keep_outer (List *conditions, List *above)
{
   int n = 0;
   for (int i = 0; i < conditions->n; i++)
      if (mt_x_has_outer (conditions->x[i], 0))
         add (above, conditions->x[i]);
      else
         conditions->x[n++] = conditions->x[i];
   conditions->n = n;
}

static void push_side (MtArena *a, MtRel *side, const List *conditions, const bool *used)
{
   List left = {.a = a};
   switch (side->kind) {
   case MT_REL_JOIN:
      if (!reorder (a, side, conditions, used))
         push_join (a, side, conditions, used, &left);
      break;
   case MT_REL_QUERY:
      for (int i = 0; i < conditions->n; i++)
         if (!push_inside (a, side, side->query, conditions->x[i]))
            add (&left, conditions->x[i]);
      mt_push_query (a, side->query);
      break;
   case MT_REL_UNNEST:
      wrap (a, side, conditions, used);
      mt_push_query (a, side->query);
      return;
   case MT_REL_NONE:
   case MT_REL_TABLE:
   case MT_REL_VALUES:
   case MT_REL_SERIES:
   case MT_REL_WORK:
   case MT_REL_SYSTEM:
   case MT_REL_SHARED: wrap (a, side, conditions, used); return;
   }
   if (left.n)
      wrap (a, side, &left, used);
}

/* Pushes the conditions of a join, and `conditions` from above it, down as far as possible. Those
 * that must be checked after the join are added to `above`. used: for each column of the join,
 * whether the query or a condition reads it. */
static void push_join (MtArena *a, MtRel *rel, const List *conditions, const bool *used,
                       List *above)
{
   MtJoin *j = rel->join;
   Sides s = {.left = j->left->column_count, .l.a = a, .r.a = a, .here.a = a};
   List on = parts_of (a, j->on);
   /* In an ASOF join, rows of the right side may be removed early only by the equalities in ON.
    * Other conditions would change which row is the nearest. */
   for (int i = 0; i < on.n; i++)
      hand_out (a, &s, on.x[i], !j->keep_left && !j->asof, !j->keep_right && !j->asof);
   for (int i = 0; i < conditions->n; i++) {
      MtSide w = mt_x_side (conditions->x[i], s.left);
      bool goes = (w == MT_SIDE_BOTH && !j->keep_left && !j->keep_right) ||
                  (w == MT_SIDE_LEFT && !j->keep_right) || (w == MT_SIDE_RIGHT && !j->keep_left);
      goes = goes && (!j->asof || w == MT_SIDE_LEFT);
      if (goes && !conditions->x[i]->is_volatile)
         hand_out (a, &s, conditions->x[i], true, true);
      else
         add (above, conditions->x[i]);
   }
   infer_sides (a, j, &s, &s.here);
   j->on = mt_conjunction (a, s.here.x, s.here.n);
   push_side (a, j->left, &s.l, used);
   push_side (a, j->right, &s.r, used + s.left);
}

/* Pushes conditions below set-returning functions, into their input. Sets `used` for the input
 * columns that the functions use. Other conditions are added to `above`. */
static void push_unnest (MtArena *a, MtRel *rel, const List *conditions, bool *used, List *above)
{
   MtUnnest *u = rel->unnest;
   List all = parts_of (a, u->on), below = {.a = a};
   mark_x (u->on, used, 0);
   u->on = NULL;
   for (int i = 0; i < u->count; i++)
      mark_x (u->calls[i], used, 0);
   for (int i = 0; i < conditions->n; i++)
      add (&all, conditions->x[i]);
   for (int i = 0; i < all.n; i++)
      add (mt_x_side (all.x[i], u->input->column_count) == MT_SIDE_LEFT ? &below : above, all.x[i]);
   if (u->input->kind != MT_REL_NONE)
      push_side (a, u->input, &below, used);
}

static void mark_conditions (const MtRel *rel, bool *used, int offset)
{
   if (rel->kind != MT_REL_JOIN)
      return;
   mark_x (rel->join->on, used, offset);
   mark_x (rel->join->when, used, offset);
   for (int i = 0; i < rel->join->let_count; i++)
      mark_x (rel->join->lets[i].x, used, offset);
   mark_conditions (rel->join->left, used, offset);
   mark_conditions (rel->join->right, used, offset + rel->join->left->column_count);
}

/* Adds the conditions of all inner joins in rel to `out`. offset: the number of rel's first
 * column. */
static void add_inner (MtArena *a, const MtRel *rel, int offset, List *out)
{
   const MtJoin *j = rel->join;
   if (rel->kind != MT_REL_JOIN || j->keep_left || j->keep_right || j->asof)
      return;
   List on = parts_of (a, j->on);
   for (int i = 0; i < on.n; i++)
      add (out, offset ? mt_x_shift (a, on.x[i], offset) : on.x[i]);
   add_inner (a, j->left, offset, out);
   add_inner (a, j->right, offset + j->left->column_count, out);
}

/* Returns the conditions that are true for all rows of a block, before pushdown: its WHERE and the
 * conditions of its inner joins. */
static MtX *true_of_rows (MtArena *a, const MtQuery *q)
{
   List all = parts_of (a, q->where);
   add_inner (a, &q->rel, 0, &all);
   return mt_conjunction (a, all.x, all.n);
}

void mt_push_query (MtArena *a, MtQuery *q)
{
   for (int i = 0; i < q->arm_count; i++) {
      q->arms[i] = mt_query_copy (a, q->arms[i]); /* members from grouping sets share one FROM */
      mt_push_query (a, q->arms[i]);
   }
   if (q->arm_count)
      return;
   if (q->gapfill)
      q->gapfill->where = true_of_rows (a, q);
   List conditions = parts_of (a, q->where), left = {.a = a};
   if (q->rel.kind == MT_REL_JOIN || q->rel.kind == MT_REL_QUERY || q->rel.kind == MT_REL_UNNEST)
      keep_outer (&conditions, &left);
   if (q->rel.kind == MT_REL_JOIN) {
      bool *used = MT_NEW_N (a, bool, (size_t) q->rel.column_count + 1);
      mark_query (q, used);
      mark_conditions (&q->rel, used, 0);
      if (!reorder (a, &q->rel, &conditions, used))
         push_join (a, &q->rel, &conditions, used, &left);
      q->where = mt_conjunction (a, left.x, left.n);
   } else if (q->rel.kind == MT_REL_UNNEST) {
      bool *used = MT_NEW_N (a, bool, (size_t) q->rel.column_count + 1);
      mark_query (q, used);
      mark_conditions (q->rel.unnest->input, used, 0);
      push_unnest (a, &q->rel, &conditions, used, &left);
      q->where = mt_conjunction (a, left.x, left.n);
   } else if (q->rel.kind == MT_REL_QUERY) {
      for (int i = 0; i < conditions.n; i++)
         if ((q->windows && !windows_let_pass (q->windows, conditions.x[i])) ||
             !push_inside (a, &q->rel, q->rel.query, conditions.x[i]))
            add (&left, conditions.x[i]);
      q->where = mt_conjunction (a, left.x, left.n);
      prune (a, q, &q->rel);
      mt_push_query (a, q->rel.query);
   }
}
