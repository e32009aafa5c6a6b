/* Groups one side of a join before the join. The group keys are all expressions over the side that
 * the join conditions and the rest of the query use. So all rows of a group match the same rows of
 * the other side. Sums, counts, minima and maxima are combined after the join. */
#include "planner/rewrite/early.h"

#include "functions/signature.h"
#include "query/x.h"
#include "query/condition.h"
#include "query/function.h"

#include <string.h>

typedef struct Early {
   MtArena *a;
   const MtQuery *q;
   const MtRel *side;
   int low, high; /* the side's columns have the numbers low … high - 1 in the join */
   bool possible;
   /* The side's group keys: its expressions that the query uses, over the columns of the query's
    * FROM. */
   MtX **keys;
   int key_count, key_capacity;
   MtAggCall *parts; /* the aggregates to compute before the join, over the query's FROM */
   int part_count;
   /* For each aggregate of the query: the expression that replaces it after the join. */
   MtX **values;
   MtAggCall *aggs; /* the aggregates to compute after the join */
   int agg_count;
} Early;

/* ---- expressions of the query that read the side ---- */

typedef struct Where {
   const Early *e;
   bool in, out;
} Where;

static void see (void *ctx, int column)
{
   Where *w = ctx;
   bool in = column >= w->e->low && column < w->e->high;
   w->in |= in;
   w->out |= !in;
}

static Where where_is (const Early *e, const MtX *x)
{
   Where w = {.e = e};
   if (x)
      mt_x_each_column (x, see, &w);
   return w;
}

/* Returns whether x can be computed for every row of the side without an error. The original query
 * might not compute x for all rows, so computing it early must not fail. */
static bool is_harmless (const MtX *x)
{
   int n;
   MtX **kids = mt_x_children ((MtX *) x, &n);
   const MtFunc *f = x->kind == MT_X_CALL ? x->call.fn : NULL;
   bool safe = f ? (f->flags & (MT_F_CAST_IMPLICIT | MT_F_LINEAR)) || f->cmp != MT_CMP_NONE ||
                      f->step != MT_STEP_NONE
                 : x->kind != MT_X_KEY && x->kind != MT_X_AGG;
   for (int i = 0; i < n && safe; i++)
      safe = is_harmless (kids[i]);
   return safe;
}

/* Returns whether x can be computed before the join: it uses only columns of the side, and can't
 * fail. x may be NULL. */
static bool is_early (const Early *e, const MtX *x)
{
   return !x || (!where_is (e, x).out && is_harmless (x));
}

static int key_of (Early *e, const MtX *x)
{
   for (int i = 0; i < e->key_count; i++)
      if (mt_x_equal (e->keys[i], x))
         return i;
   if (e->key_count == e->key_capacity) {
      int capacity = e->key_capacity ? 2 * e->key_capacity : 8;
      MtX **more = MT_NEW_N (e->a, MtX *, (size_t) capacity);
      if (e->key_count)
         memcpy (more, e->keys, (size_t) e->key_count * sizeof *more);
      e->keys = more;
      e->key_capacity = capacity;
   }
   e->possible = e->possible && mt_equal_is_same (x->type.id) && !x->is_volatile;
   e->keys[e->key_count] = (MtX *) x;
   return e->key_count++;
}

/* Adds group keys for x: its largest sub-expressions that use only columns of the side and can't
 * fail. */
static void want (Early *e, const MtX *x)
{
   Where w = where_is (e, x);
   int n;
   if (w.in && is_early (e, x))
      key_of (e, x);
   else if (w.in) {
      MtX **kids = mt_x_children ((MtX *) x, &n);
      for (int i = 0; i < n; i++)
         want (e, kids[i]);
   }
}

/* Adds group keys for the conditions of all joins around the side. False: an outer join or other
 * special join is among them. first: the number of rel's first column in the query's FROM. */
static bool want_conditions (Early *e, const MtRel *rel, int first)
{
   if (rel == e->side)
      return true;
   const MtJoin *j = rel->join;
   int middle = first + j->left->column_count;
   bool left = e->low < middle;
   if (j->apply || j->asof || (left ? j->keep_right : j->keep_left || j->mark || j->single))
      return false;
   if (j->on)
      want (e, mt_x_shift (e->a, j->on, first));
   return want_conditions (e, left ? j->left : j->right, left ? first : middle);
}

/* ---- aggregates ---- */

static const MtAgg *agg_row (MtArena *a, const char *name, int argc, MtTypeId arg)
{
   int n;
   const MtSig **sigs = mt_agg_sigs_by_name (a, NULL, name, &n);
   for (int i = 0; i < n; i++)
      if (sigs[i]->argc == argc &&
          (argc == 0 || sigs[i]->args[0] == arg || sigs[i]->args[0] == MT_SIG_ANY))
         return sigs[i]->agg;
   return NULL;
}

static MtTypeId sum_type (MtTypeId arg)
{
   if (arg == MT_T_INT2 || arg == MT_T_INT4)
      return MT_T_INT8;
   return arg == MT_T_INT8 ? MT_T_NUMERIC : arg;
}

static const MtFunc *function_of (MtArena *a, const char *name, unsigned mask, MtTypeId arg)
{
   int n;
   const MtSig **sigs = mt_sigs_by_name (a, NULL, name, mask, &n);
   for (int i = 0; i < n; i++)
      if (sigs[i]->argc == 2 && sigs[i]->args[0] == arg && sigs[i]->args[1] == arg)
         return sigs[i]->fn;
   return NULL;
}

/* Returns a reference, after the join, to aggregate number i that was computed before it. Call it
 * when all keys are known. */
static MtX *part_column (const Early *e, int i)
{
   MtX *x = mt_x_new (e->a, MT_X_COLUMN, e->parts[i].type, MT_NO_SPAN);
   x->column = e->low + e->key_count + i;
   x->nullable = e->parts[i].agg->rule != MT_AGG_COUNT &&
                 e->parts[i].agg->rule != MT_AGG_COUNT_STAR;
   x->finite = !e->parts[i].arg || e->parts[i].arg->finite;
   return x;
}

static MtX *behind (Early *e, const MtX *x);

static bool equal_or_none (const MtX *a, const MtX *b)
{
   return a && b ? mt_x_equal (a, b) : a == b;
}

static bool same_call (const MtAggCall *a, const MtAggCall *b)
{
   return a->agg == b->agg && a->distinct == b->distinct && equal_or_none (a->arg, b->arg) &&
          equal_or_none (a->filter, b->filter);
}

/* Adds an aggregate that is computed after the join, unless an equal one exists, and returns a
 * reference to it. */
static MtX *add_agg (Early *e, MtAggCall call)
{
   MtX *x = mt_x_new (e->a, MT_X_AGG, call.type, call.span);
   x->nullable = true;
   for (x->index = 0; x->index < e->agg_count && !same_call (&e->aggs[x->index], &call); x->index++)
      ;
   if (x->index == e->agg_count)
      e->aggs[e->agg_count++] = call;
   return x;
}

static MtX *cast (Early *e, MtX *x, MtTypeId to)
{
   if (x->type.id == to)
      return x;
   const MtSig *sig = mt_cast_row (x->type.id, to);
   MtX **args = MT_NEW_N (e->a, MtX *, 1);
   args[0] = x;
   e->possible = e->possible && sig;
   return sig ? mt_x_call (e->a, sig->fn, mt_type (to), args, 1, x->span) : x;
}

static MtX *sum_of_part (Early *e, const MtAggCall *g, MtX *filter, int part)
{
   MtX *column = part_column (e, part);
   const MtAgg *agg = agg_row (e->a, "sum", 1, column->type.id);
   e->possible = e->possible && agg;
   return add_agg (e, (MtAggCall) {.agg = agg,
                                   .arg = column,
                                   .filter = filter,
                                   .type = mt_type (sum_type (column->type.id)),
                                   .span = g->span});
}

static MtX *or_zero (Early *e, MtX *x)
{
   MtX **list = MT_NEW_N (e->a, MtX *, 2);
   list[0] = x;
   list[1] = mt_x_const (e->a, mt_type (MT_T_INT8), mt_v_int64 (0), x->span);
   return mt_x_list (e->a, MT_X_COALESCE, mt_type (MT_T_INT8), list, 2, x->span);
}

static MtX *quotient (Early *e, MtX *sum, MtX *count)
{
   MtTypeId t = sum->type.id == MT_T_FLOAT8 ? MT_T_FLOAT8 : MT_T_NUMERIC;
   const MtFunc *divide = function_of (e->a, "/", MT_F_OPERATOR, t);
   MtX **args = MT_NEW_N (e->a, MtX *, 2);
   args[0] = cast (e, sum, t);
   args[1] = cast (e, count, t);
   e->possible = e->possible && divide;
   return divide ? mt_x_call (e->a, divide, mt_type (t), args, 2, sum->span) : sum;
}

/* Adds an aggregate to compute before the join, unless an equal one exists, and returns its index.
 * It is the aggregate `name` of g's argument; name NULL: g itself. */
static int part_of (Early *e, const MtAggCall *g, const char *name)
{
   int argc = g->arg != NULL;
   MtTypeId arg = argc ? g->arg->type.id : MT_T_UNKNOWN;
   const MtAgg *agg = name ? agg_row (e->a, name, argc, arg) : g->agg;
   MtType type = g->type;
   if (agg && name)
      type = mt_type (agg->rule == MT_AGG_SUM ? sum_type (arg) : MT_T_INT8);
   e->possible = e->possible && agg;
   MtAggCall part = {.agg = agg,
                     .arg = g->arg,
                     .filter = is_early (e, g->filter) ? g->filter : NULL,
                     .type = type,
                     .span = g->span};
   for (int i = 0; i < e->part_count; i++)
      if (same_call (&e->parts[i], &part))
         return i;
   e->parts[e->part_count] = part;
   return e->part_count++;
}

static bool can_be_summed (MtTypeId t)
{
   return t == MT_T_INT2 || t == MT_T_INT4 || t == MT_T_INT8 || t == MT_T_NUMERIC ||
          t == MT_T_FLOAT8;
}

/* Returns whether the aggregate is the same if rows are repeated, as min and max are. */
static bool ignores_repeats (const MtAggCall *g)
{
   return g->distinct || g->agg->rule == MT_AGG_MIN || g->agg->rule == MT_AGG_MAX;
}

/* Returns whether aggregate g is computed in two steps: partly on the side before the join, and
 * then after it. Otherwise it is computed only after the join. */
static bool is_of_side (const Early *e, const MtAggCall *g)
{
   return !g->distinct && is_early (e, g->arg);
}

static bool agg_fits (const Early *e, const MtAggCall *g)
{
   if (g->order_count || (g->arg && g->arg->is_volatile) || (g->filter && g->filter->is_volatile))
      return false;
   if (!is_of_side (e, g))
      return ignores_repeats (g);
   switch (g->agg->rule) {
   case MT_AGG_COUNT_STAR:
   case MT_AGG_COUNT:
   case MT_AGG_MIN:
   case MT_AGG_MAX: return true;
   case MT_AGG_SUM:
   case MT_AGG_AVG: return can_be_summed (g->arg->type.id);
   case MT_AGG_PARTS: return false;
   }
   return false;
}

/* Adds what aggregate g needs: aggregates to compute before the join, or group keys. */
static void want_agg (Early *e, const MtAggCall *g)
{
   if (!agg_fits (e, g))
      e->possible = false;
   else if (!is_of_side (e, g)) {
      want (e, g->arg);
      if (g->filter)
         want (e, g->filter);
   } else {
      part_of (e, g, g->agg->rule == MT_AGG_AVG ? "sum" : NULL);
      if (g->agg->rule == MT_AGG_AVG)
         part_of (e, g, "count");
      if (!is_early (e, g->filter))
         want (e, g->filter);
   }
}

/* Returns the expression that replaces aggregate g after the join. All keys and early aggregates
 * must be known. */
static MtX *agg_behind (Early *e, const MtAggCall *g)
{
   if (!is_of_side (e, g)) {
      MtAggCall same = *g;
      same.arg = g->arg ? behind (e, g->arg) : NULL;
      same.filter = g->filter ? behind (e, g->filter) : NULL;
      return add_agg (e, same);
   }
   MtX *filter = is_early (e, g->filter) ? NULL : behind (e, g->filter);
   switch (g->agg->rule) {
   case MT_AGG_COUNT_STAR:
   case MT_AGG_COUNT:
      return or_zero (e, cast (e, sum_of_part (e, g, filter, part_of (e, g, NULL)), MT_T_INT8));
   case MT_AGG_SUM: return cast (e, sum_of_part (e, g, filter, part_of (e, g, NULL)), g->type.id);
   case MT_AGG_AVG: {
      MtX *sum = sum_of_part (e, g, filter, part_of (e, g, "sum"));
      return quotient (e, sum, sum_of_part (e, g, filter, part_of (e, g, "count")));
   }
   case MT_AGG_MIN:
   case MT_AGG_MAX: {
      MtAggCall same = *g;
      same.arg = part_column (e, part_of (e, g, NULL));
      same.filter = filter;
      return add_agg (e, same);
   }
   case MT_AGG_PARTS: break;
   }
   e->possible = false;
   return NULL;
}

/* ---- the query after the join ---- */

static int width (const Early *e) { return e->key_count + e->part_count; }

/* Returns x, an expression over the query's original FROM, rewritten for the new FROM, in which the
 * side is grouped. */
static MtX *behind (Early *e, const MtX *x)
{
   Where w = where_is (e, x);
   MtX **list, *copy;
   int n;
   if (w.in && is_early (e, x)) {
      copy = mt_x_new (e->a, MT_X_COLUMN, x->type, x->span);
      copy->column = e->low + key_of (e, x);
      mt_x_refers (copy, x);
      return copy;
   }
   if (x->kind == MT_X_AGG)
      return e->values[x->index];
   if (x->kind == MT_X_COLUMN) {
      copy = MT_NEW (e->a, MtX);
      *copy = *x;
      copy->column += x->column >= e->high ? width (e) - (e->high - e->low) : 0;
      return copy;
   }
   copy = mt_x_copy (e->a, x, &list, &n);
   for (int i = 0; i < n; i++)
      list[i] = behind (e, list[i]);
   mt_x_update (copy);
   return copy;
}

/* ---- the grouped side ---- */

static MtX *inner_column (void *ctx, const MtX *column)
{
   const Early *e = ctx;
   int at = column->column - e->low;
   return e->side->query->targets[e->side->targets ? e->side->targets[at] : at].expr;
}

static MtX *inside (Early *e, const MtX *x)
{
   return x ? mt_x_map_columns (e->a, x, inner_column, e) : NULL;
}

static MtQuery *grouped_side (Early *e)
{
   MtQuery *g = MT_NEW (e->a, MtQuery);
   *g = *e->side->query;
   g->grouped = true;
   g->literals = NULL;
   g->key_count = e->key_count;
   g->keys = MT_NEW_N (e->a, MtX *, (size_t) e->key_count + 1);
   g->agg_count = e->part_count;
   g->aggs = MT_NEW_N (e->a, MtAggCall, (size_t) e->part_count + 1);
   g->targets = MT_NEW_N (e->a, MtTargetX, (size_t) width (e) + 1);
   g->target_count = g->visible_count = width (e);
   for (int i = 0; i < width (e); i++) {
      bool is_key = i < e->key_count;
      const MtX *as = is_key ? e->keys[i] : part_column (e, i - e->key_count);
      MtX *x = mt_x_new (e->a, is_key ? MT_X_KEY : MT_X_AGG, as->type, MT_NO_SPAN);
      x->index = is_key ? i : i - e->key_count;
      mt_x_refers (x, as);
      g->targets[i] = (MtTargetX) {"", x};
      if (is_key)
         g->keys[i] = inside (e, as);
   }
   for (int i = 0; i < e->part_count; i++) {
      g->aggs[i] = e->parts[i];
      g->aggs[i].arg = inside (e, e->parts[i].arg);
      g->aggs[i].filter = inside (e, e->parts[i].filter);
   }
   return g;
}

/* ---- the join with the grouped side ---- */

static void set_columns (Early *e, MtRel *rel, const MtRel *left, const MtRel *right, bool mark)
{
   int n = left->column_count + right->column_count;
   MtRelColumn *columns = MT_NEW_N (e->a, MtRelColumn, (size_t) n + 2);
   memcpy (columns, left->columns, (size_t) left->column_count * sizeof *columns);
   memcpy (columns + left->column_count, right->columns,
           (size_t) right->column_count * sizeof *columns);
   if (mark)
      columns[n] = rel->columns[rel->column_count - 1];
   rel->columns = columns;
   rel->column_count = n + mark;
}

static MtRel *rel_with (Early *e, const MtRel *rel, int first, MtQuery *groups)
{
   MtRel *out = MT_NEW (e->a, MtRel);
   *out = *rel;
   if (rel == e->side) {
      out->query = groups;
      out->targets = NULL;
      out->column_count = groups->target_count;
      out->columns = MT_NEW_N (e->a, MtRelColumn, (size_t) groups->target_count + 1);
      for (int i = 0; i < groups->target_count; i++)
         out->columns[i] = mt_rel_column_of ("", groups->targets[i].expr);
      return out;
   }
   int middle = first + rel->join->left->column_count;
   bool left = e->low < middle;
   MtJoin *j = MT_NEW (e->a, MtJoin);
   *j = *rel->join;
   if (left)
      j->left = rel_with (e, j->left, first, groups);
   else
      j->right = rel_with (e, j->right, middle, groups);
   if (j->on)
      j->on = mt_x_shift (e->a, behind (e, mt_x_shift (e->a, j->on, first)), -first);
   out->join = j;
   set_columns (e, out, j->left, j->right, j->mark);
   return out;
}

static MtQuery *query_with (Early *e, MtQuery *groups)
{
   const MtQuery *q = e->q;
   MtQuery *out = MT_NEW (e->a, MtQuery);
   *out = *q;
   out->rel = *rel_with (e, &q->rel, 0, groups);
   out->where = q->where ? behind (e, q->where) : NULL;
   out->having = q->having ? behind (e, q->having) : NULL;
   out->keys = MT_NEW_N (e->a, MtX *, (size_t) q->key_count + 1);
   for (int i = 0; i < q->key_count; i++)
      out->keys[i] = behind (e, q->keys[i]);
   out->aggs = e->aggs;
   out->agg_count = e->agg_count;
   out->targets = MT_NEW_N (e->a, MtTargetX, (size_t) q->target_count + 1);
   for (int i = 0; i < q->target_count; i++)
      out->targets[i] = (MtTargetX) {q->targets[i].name, behind (e, q->targets[i].expr)};
   out->sort = MT_NEW_N (e->a, MtSortX, (size_t) q->sort_count + 1);
   for (int i = 0; i < q->sort_count; i++) {
      out->sort[i] = q->sort[i];
      out->sort[i].expr = behind (e, q->sort[i].expr);
   }
   return out;
}

/* ---- finding sides of a join ---- */

/* Returns side number *i of the joins in rel, counting only sides that read one table, and
 * decreasing *i. *first is the number of rel's first column, and is set to that of the side. NULL:
 * there is none. */
static const MtRel *find_side (const MtRel *rel, int *i, int *first)
{
   if (rel->kind == MT_REL_JOIN) {
      const MtRel *found = find_side (rel->join->left, i, first);
      if (!found)
         found = find_side (rel->join->right, i, first);
      *first += !found && rel->join->mark;
      return found;
   }
   const MtQuery *q = rel->kind == MT_REL_QUERY ? rel->query : NULL;
   if (q && q->rel.kind == MT_REL_TABLE && !q->arm_count && !q->grouped && !q->windows &&
       !q->distinct && !q->sort_count && q->limit < 0 && !q->offset && (*i)-- == 0)
      return rel;
   *first += rel->column_count;
   return NULL;
}

bool mt_group_early (MtArena *a, const MtQuery *q, int i, MtEarlySide *out)
{
   Early e = {.a = a, .q = q, .possible = !q->gapfill && !q->windows};
   if (!q->grouped || q->arm_count || q->rel.kind != MT_REL_JOIN ||
       !(e.side = find_side (&q->rel, &i, &e.low)))
      return false;
   *out = (MtEarlySide) {.rows = e.side->query};
   e.high = e.low + e.side->column_count;
   size_t most = 2 * (size_t) q->agg_count + 1; /* avg needs two early aggregates */
   e.parts = MT_NEW_N (a, MtAggCall, most);
   e.possible = e.possible && want_conditions (&e, &q->rel, 0);
   if (q->where)
      want (&e, q->where);
   for (int k = 0; k < q->key_count; k++)
      want (&e, q->keys[k]);
   for (int k = 0; k < q->agg_count; k++)
      want_agg (&e, &q->aggs[k]);
   if (!e.possible || !e.key_count) /* without keys, grouping no rows gives a row */
      return true;
   e.aggs = MT_NEW_N (a, MtAggCall, most);
   e.values = MT_NEW_N (a, MtX *, most);
   for (int k = 0; k < q->agg_count; k++)
      e.values[k] = agg_behind (&e, &q->aggs[k]);
   if (!e.possible)
      return true;
   MtQuery *groups = grouped_side (&e);
   out->query = query_with (&e, groups);
   out->groups = groups;
   return true;
}
