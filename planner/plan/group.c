#include "planner/plan/group.h"

#include "types/numeric.h"

#include "functions/agg.h"
#include "layouts/cell_state.h"
#include "query/x.h"

#include <string.h>

/* Names of the fields for aggregate number i: a<i> has its partial result (the sum, the extreme,
 * the count), and b<i> the number of non-NULL values. */

static const char *field (MtArena *a, char letter, int i)
{
   return mt_printf (a, "%c%d", letter, i);
}

/* Returns the accumulator that merges states which aggregate g gives: its own, or that of rollup.
 * NULL: g gives no states, or has to see all rows. */
static const MtStateAccumulator *merger (const MtAggCall *g)
{
   if (!g->agg->state || !mt_type_is_state (g->type.id) || g->distinct || g->order_count)
      return NULL;
   return g->agg->merger ? g->agg->merger : mt_state_rollup (g->type.id);
}

/* Returns whether aggregate g is of points in the order of the table's time. Its states can be
 * merged if they are of different times. */
static bool follows_time (const MtAggCall *g, const MtTable *t)
{
   bool row = g->arg && g->arg->kind == MT_X_CALL && g->arg->call.fn == &mt_agg_row,
        follows = false;
   for (int i = 0; row && i < g->arg->call.argc && !follows; i++) {
      const MtX *x = g->arg->call.args[i];
      follows = x->kind == MT_X_COLUMN && x->column == t->time_column;
   }
   return follows;
}

/* Returns whether partial results of aggregate g can be merged by a second $group. apart: the table
 * whose records are of different times in each part; NULL: a time can be in several parts. */
static bool merges (const MtAggCall *g, const MtTable *apart)
{
   if (g->agg->rule != MT_AGG_PARTS || g->agg->kind->flags & MT_AGG_MERGES)
      return true;
   return merger (g) && (!mt_type_is_sequence (g->type.id) || (apart && follows_time (g, apart)));
}

bool mt_group_can_merge (const MtQuery *q, const MtTable *apart)
{
   for (int i = 0; i < q->agg_count; i++)
      if (mt_agg_takes_set (&q->aggs[i]) || !merges (&q->aggs[i], apart))
         return false;
   return true;
}

/* Returns whether g is min or max of numbers that may be NaN. NaN is the greatest number in SQL,
 * and the least in MongoDB. So field a<i> ignores NaNs, and field b<i> counts them. */
static bool minds_nan (const MtAggCall *g)
{
   return (g->agg->rule == MT_AGG_MIN || g->agg->rule == MT_AGG_MAX) &&
          (g->arg->type.id == MT_T_FLOAT4 || g->arg->type.id == MT_T_FLOAT8 ||
           g->arg->type.id == MT_T_NUMERIC);
}

/* Returns the block's only DISTINCT aggregate, if it can be computed by two $group stages, of which
 * the first groups by its argument, too. NULL: not possible. */
static const MtAggCall *single_distinct (const MtQuery *q)
{
   const MtAggCall *only = NULL;
   for (int i = 0; i < q->agg_count; i++) {
      const MtAggCall *g = &q->aggs[i];
      if (!mt_agg_takes_set (g) && !merges (g, NULL))
         return NULL;
      if (!mt_agg_takes_set (g))
         continue;
      if (only && !(mt_x_equal (only->arg, g->arg) &&
                    (only->filter == g->filter ||
                     (only->filter && g->filter && mt_x_equal (only->filter, g->filter)))))
         return NULL;
      only = g;
   }
   return only;
}

/* ---- parts of expressions ---- */

static const bson_t *value_of (MtEmit *e, const MtX *x)
{
   bson_t *d = mt_doc_new (e->a);
   return mt_emit_value (e, x, d, "") ? d : NULL;
}

static const bson_t *condition_of (MtEmit *e, const MtX *x)
{
   bson_t *d = mt_doc_new (e->a);
   return mt_emit_condition (e, x, d, "") ? d : NULL;
}

/* Returns the path of `field` within the value at `path`. If field is "", it is `path` itself. */
static const char *path_in (MtArena *a, const char *path, const char *field)
{
   return *field ? mt_printf (a, "%s.%s", path, field) : path;
}

static const bson_t *null_expr (MtArena *a) { return mt_doc_of (a, mt_v_null ()); }

static const bson_t *if_then (MtArena *a, const bson_t *cond, const bson_t *then,
                              const bson_t *otherwise)
{
   return cond ? mt_mql_op (a, "$cond", cond, then, otherwise, NULL) : then;
}

static const bson_t *not_null (MtArena *a, const bson_t *value)
{
   return mt_mql_op (a, "$gt", value, null_expr (a), NULL);
}

static bool is_exact (MtTypeId id) { return id == MT_T_INT8 || id == MT_T_NUMERIC; }

/* Returns the expression to be added up by $sum. bigint is converted to decimal, so that sums are
 * exact. */
static const bson_t *summand (MtArena *a, MtTypeId id, const bson_t *value, bool maybe_double)
{
   if (id == MT_T_INT8)
      return mt_mql_op1 (a, "$toDecimal", maybe_double ? mt_mql_op1 (a, "$toLong", value) : value);
   return value;
}

static const bson_t *times (MtArena *a, const bson_t *value, const bson_t *n)
{
   MtVal v = mt_doc_value (n);
   if (v.type == MT_INT32 && v.i == 1)
      return value;
   return mt_mql_op (a, "$multiply", value, n, NULL);
}

/* ---- accumulators for one piece of the plan ---- */

typedef struct Acc {
   MtGrouping *g;
   MtSourcePlaces *src;
   bson_t *group;
   MtError *err;
} Acc;

static void accumulate (Acc *c, const char *name, const char *op, const bson_t *expr)
{
   bson_t *d = mt_doc_new (c->g->a);
   mt_doc_add (d, op, mt_doc_value (expr));
   mt_doc_add_doc (c->group, name, d);
}

static const MtX *bare_column (const MtX *x)
{
   while (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) &&
          mt_type_is_integer (x->call.args[0]->type.id))
      x = x->call.args[0];
   return x->kind == MT_X_COLUMN ? x : NULL;
}

/* Returns the pre-aggregates that the level stores of the aggregate's argument. NULL: it stores
 * none. */
static const MtMeasureAgg *stored (Acc *c, const MtAggCall *g)
{
   const MtX *col = c->src->scan && g->arg ? bare_column (g->arg) : NULL;
   if (!col || c->src->scan->way->mode != MT_CUT_AGGREGATE ||
       c->src->scan->way->bound_at[col->column] >= 0)
      return NULL;
   return mt_scan_stored (c->src->scan, col->column);
}

static const bson_t *records_n (Acc *c)
{
   return c->src->scan ? mt_scan_n (c->src->scan) : mt_mql_int (c->g->a, 1);
}

/* Returns an expression for the number of non-NULL values in a stored pre-aggregate. For a sum, 0
 * or 1 suffices: whether there are any. */
static const bson_t *stored_count (Acc *c, const MtAggCall *g, const MtMeasureAgg *m)
{
   MtArena *a = c->g->a;
   const MtScan *s = c->src->scan;
   const bson_t *count = m->nonnull ? mt_mql_path (a, mt_scan_path (s, m->nonnull)) : NULL;
   if (!count && s->way->levels[s->way->count - 1]->agg.n)
      count = mt_scan_n (s);
   if (g->agg->rule != MT_AGG_SUM || !m->sum || m->nonnull)
      return count;
   return if_then (a, not_null (a, mt_mql_path (a, mt_scan_path (s, m->sum))), mt_mql_int (a, 1),
                   mt_mql_int (a, 0)); /* a NULL sum is of no values */
}

/* Returns whether the non-NULL inputs of aggregate i must be counted in field b<i>, as for averages
 * and for sums that may be NULL. Records it in counted[i]. */
static bool count_values (Acc *c, const MtAggCall *g, int i, bool nullable)
{
   bool needed = g->agg->rule == MT_AGG_AVG || nullable || g->filter || c->g->q->key_count == 0 ||
                 c->g->merged || single_distinct (c->g->q);
   c->g->counted[i] |= needed;
   return needed;
}

/* Sets the number of NaNs to 0, for min and max from stored pre-aggregates. */
static void no_nan_stored (Acc *c, const MtAggCall *g, int i)
{
   if (minds_nan (g))
      accumulate (c, field (c->g->a, 'b', i), "$sum", mt_mql_int (c->g->a, 0));
}

/* Returns an expression for a stored sum. If a layout stores sums of integers as doubles, it uses
 * an exact type for sums above 2^53; both become integers. */
static const bson_t *stored_sum (Acc *c, const MtMeasureAgg *m, MtTypeId type)
{
   MtArena *a = c->g->a;
   const bson_t *sum = mt_mql_path (a, mt_scan_path (c->src->scan, m->sum));
   if (m->as != MT_DOUBLE || !mt_type_is_integer (type))
      return sum;
   const bson_t *is_double = mt_mql_op (a, "$eq", mt_mql_op1 (a, "$type", sum),
                                        mt_doc_of (a, mt_v_cstr ("double")), NULL);
   return if_then (a, is_double, mt_mql_op1 (a, "$toLong", sum), sum);
}

static bool acc_stored (Acc *c, const MtAggCall *g, int i, const MtMeasureAgg *m,
                        const bson_t *filter)
{
   MtArena *a = c->g->a;
   const MtScan *s = c->src->scan;
   const MtX *col = bare_column (g->arg);
   const bson_t *zero = mt_mql_int (a, 0);
   const bson_t *sum = m->sum ? stored_sum (c, m, col->type.id) : NULL;
   const bson_t *count = stored_count (c, g, m);
   bool doubles = s->way->layout->attached && m->as != MT_DOUBLE;
   switch (g->agg->rule) {
   case MT_AGG_COUNT_STAR:
   case MT_AGG_COUNT:
      accumulate (c, field (a, 'a', i), "$sum", if_then (a, filter, count, zero));
      return true;
   case MT_AGG_SUM:
   case MT_AGG_AVG:
      accumulate (c, field (a, 'a', i), "$sum",
                  if_then (a, filter, summand (a, col->type.id, sum, doubles), zero));
      if (count_values (c, g, i,
                        s->way->layout->attached || !mt_has_no_nulls (s->way, col->column)))
         accumulate (c, field (a, 'b', i), "$sum", if_then (a, filter, count, zero));
      return true;
   case MT_AGG_MIN:
      no_nan_stored (c, g, i);
      accumulate (c, field (a, 'a', i), "$min",
                  if_then (a, filter, mt_mql_path (a, mt_scan_path (s, m->min)), null_expr (a)));
      return true;
   case MT_AGG_MAX:
      no_nan_stored (c, g, i);
      accumulate (c, field (a, 'a', i), "$max",
                  if_then (a, filter, mt_mql_path (a, mt_scan_path (s, m->max)), null_expr (a)));
      return true;
   case MT_AGG_PARTS: break;
   }
   return true;
}

/* Returns an expression for the stored sum of one result of a CASE; if `counts`, for the number of
 * its values. */
static const bson_t *case_part (Acc *c, const MtAggCall *g, const MtX *result, bool counts)
{
   MtArena *a = c->g->a;
   const MtScan *s = c->src->scan;
   const MtX *col = mt_bare_measure (result);
   if (!col)
      return counts && mt_x_is_zero (result) ? records_n (c) : mt_mql_int (a, 0);
   const MtMeasureAgg *m = mt_scan_stored (s, col->column);
   if (counts)
      return m ? stored_count (c, g, m)
               /* no record has NULL here, or the level would not have been chosen */
               : records_n (c);
   return m && m->sum ? summand (a, col->type.id, stored_sum (c, m, col->type.id),
                                 s->way->layout->attached && m->as != MT_DOUBLE)
                      : mt_mql_int (a, 0);
}

static const bson_t *case_parts (Acc *c, const MtAggCall *g, bool counts)
{
   const MtX *x = g->arg;
   bson_t *branches = mt_doc_new (c->g->a), *body = mt_doc_new (c->g->a);
   for (int i = 0; i + 1 < x->count; i += 2) {
      const bson_t *when = condition_of (c->src->emit, x->list[i]);
      bson_t *branch = mt_doc_new (c->g->a);
      if (!when)
         return NULL;
      mt_doc_add (branch, "case", mt_doc_value (when));
      mt_doc_add (branch, "then", mt_doc_value (case_part (c, g, x->list[i + 1], counts)));
      mt_doc_add_doc (branches, mt_printf (c->g->a, "%d", i / 2), branch);
   }
   mt_doc_add_array (body, "branches", branches);
   mt_doc_add (body, "default", mt_doc_value (case_part (c, g, x->list[x->count - 1], counts)));
   return mt_mql_op1 (c->g->a, "$switch", mt_doc_of (c->g->a, mt_v_doc (body)));
}

/* Returns whether g is an aggregate of a CASE that can be computed from stored sums. */
static bool is_stored_case (const Acc *c, const MtAggCall *g)
{
   return c->src->scan && c->src->scan->way->mode == MT_CUT_AGGREGATE &&
          mt_is_case_of_sums (c->src->scan->way, g);
}

static bool acc_case (Acc *c, const MtAggCall *g, int i, const bson_t *filter)
{
   const bson_t *zero = mt_mql_int (c->g->a, 0), *count = case_parts (c, g, true),
                *sum = count ? case_parts (c, g, false) : NULL;
   if (!sum)
      return false;
   accumulate (c, field (c->g->a, 'a', i), "$sum",
               if_then (c->g->a, filter, g->agg->rule == MT_AGG_COUNT ? count : sum, zero));
   if (g->agg->rule != MT_AGG_COUNT && count_values (c, g, i, true))
      accumulate (c, field (c->g->a, 'b', i), "$sum", if_then (c->g->a, filter, count, zero));
   return true;
}

/* Returns an expression for min or max of the time, from the first and last time that each document
 * stores. */
static const bson_t *kept_bound (Acc *c, const MtAggCall *g)
{
   const MtWay *w = c->src->scan->way;
   const MtTimeRange *r = &w->levels[w->count - 1]->range;
   const char *path = g->agg->rule == MT_AGG_MIN ? r->min : r->max;
   const bson_t *decoded = mt_decoded (c->g->a, &r->encoding,
                                       &w->table->columns[w->table->time_column], path);
   return decoded ? decoded : mt_mql_path (c->g->a, path);
}

static bool acc_value (Acc *c, const MtAggCall *g, int i, const bson_t *filter)
{
   MtArena *a = c->g->a;
   bool kept = c->src->scan && mt_reads_range (c->src->scan->way, g);
   const bson_t *n = records_n (c), *zero = mt_mql_int (a, 0);
   bool nullable = g->arg->kind == MT_X_COLUMN ? c->src->emit->columns[g->arg->column].nullable
                                               : g->arg->nullable;
   if (g->agg->rule == MT_AGG_COUNT && !nullable) {
      accumulate (c, field (a, 'a', i), "$sum", if_then (a, filter, n, zero));
      return true;
   }
   const bson_t *v = kept ? kept_bound (c, g) : value_of (c->src->emit, g->arg);
   if (!v)
      return false;
   const bson_t *there = nullable ? not_null (a, v) : NULL;
   if (there && filter)
      filter = mt_mql_op (a, "$and", filter, there, NULL);
   else if (there)
      filter = there;
   bool doubles = c->src->scan && c->src->scan->way->layout->attached;
   switch (g->agg->rule) {
   case MT_AGG_COUNT_STAR:
   case MT_AGG_COUNT:
      accumulate (c, field (a, 'a', i), "$sum", if_then (a, filter, n, zero));
      return true;
   case MT_AGG_SUM:
   case MT_AGG_AVG:
      v = times (a, summand (a, g->arg->type.id, v, doubles), n);
      accumulate (c, field (a, 'a', i), "$sum", filter == there ? v : if_then (a, filter, v, zero));
      if (count_values (c, g, i, nullable))
         accumulate (c, field (a, 'b', i), "$sum", if_then (a, filter, n, zero));
      return true;
   case MT_AGG_MIN:
   case MT_AGG_MAX:
      v = filter == there ? v : if_then (a, filter, v, null_expr (a));
      if (minds_nan (g)) {
         const bson_t *nan = mt_mql_op (a, "$eq", v, mt_nan_of (a, g->arg->type.id), NULL);
         accumulate (c, field (a, 'b', i), "$sum", if_then (a, nan, mt_mql_int (a, 1), zero));
         v = if_then (a, nan, null_expr (a), v);
      }
      accumulate (c, field (a, 'a', i), g->agg->rule == MT_AGG_MIN ? "$min" : "$max", v);
      return true;
   case MT_AGG_PARTS: break;
   }
   return true;
}

static bool accumulate_parts (Acc *c, const MtAggInput *in, int i)
{
   MtAggPart parts[MT_AGG_MAX_PARTS];
   const MtAggKind *kind = in->call->agg->kind;
   if (!kind->parts (in, parts, c->err))
      return false;
   for (int p = 0; p < kind->part_count; p++)
      accumulate (c, field (in->a, (char) ('a' + p), i), parts[p].op, parts[p].expr);
   return true;
}

static MtAggInput input_of (const MtGrouping *g, const MtAggCall *call)
{
   return (MtAggInput) {
      .a = g->a, .call = call, .own = g->own, .lists = g->lists, .n = mt_mql_int (g->a, 1)};
}

bool mt_group_lists (const MtPlanSettings *settings)
{
   return settings->require_full_pushdown && !settings->caps->local_operators &&
          !mt_caps_lack (settings->caps, "$sortArray");
}

static bool acc_parts (Acc *c, const MtAggCall *g, int i, const bson_t *filter)
{
   MtAggInput in = input_of (c->g, g);
   bool row = g->arg->kind == MT_X_CALL && g->arg->call.fn == &mt_agg_row;
   in.filter = filter;
   in.n = records_n (c);
   in.doubles = c->src->scan && c->src->scan->way->layout->attached;
   in.argc = row ? g->arg->call.argc : 1;
   for (int k = 0; k < in.argc; k++) {
      const MtX *x = row ? g->arg->call.args[k] : g->arg;
      if (!(in.args[k] = value_of (c->src->emit, x)))
         return false;
      in.nullable[k] = x->kind == MT_X_COLUMN ? c->src->emit->columns[x->column].nullable
                                              : x->nullable;
   }
   return accumulate_parts (c, &in, i);
}

/* Returns an expression for the value that a DISTINCT aggregate collects. count (DISTINCT x)
 * collects sort ranks for types such as intervals and jsonb, whose equal values can differ in
 * form. */
static const bson_t *distinct_value (MtEmit *e, const MtAggCall *g)
{
   const bson_t *v = value_of (e, g->arg);
   return v && mt_type_has_rank (g->arg->type.id) && g->agg->rule == MT_AGG_COUNT
             ? mt_rank_of (e->a, g->arg->type.id, v)
             : v;
}

static bool acc_set (Acc *c, const MtAggCall *g, int i, const bson_t *filter)
{
   const bson_t *v = distinct_value (c->src->emit, g);
   if (!v)
      return false;
   accumulate (c, field (c->g->a, 'a', i), "$addToSet",
               if_then (c->g->a, filter, v, null_expr (c->g->a)));
   return true;
}

/* Appends an accumulator over the value at `path` in the cell (array or map element). */
static void accumulate_kept (Acc *c, const char *name, const char *op, const char *path,
                             const bson_t *filter)
{
   MtArena *a = c->g->a;
   accumulate (c, name, op,
               if_then (a, filter, mt_mql_path (a, mt_scan_path (c->src->scan, path)),
                        null_expr (a)));
}

/* Appends accumulators that merge the stored states of the level. False: the level stores no state
 * for aggregate i. */
static bool acc_state (Acc *c, const MtAggCall *g, int i, const bson_t *filter)
{
   MtArena *a = c->g->a;
   const MtCellState *s = c->src->scan ? mt_way_state (c->src->scan->way, g) : NULL;
   if (!s)
      return false;
   if (g->agg->state) {
      accumulate_kept (c, field (a, 'a', i), s->rollup->name, s->at, filter);
      return true;
   }
   const MtAggKind *kind = g->agg->kind;
   for (int p = 0; p < kind->part_count; p++)
      accumulate_kept (c, field (a, (char) ('a' + p), i), kind->merge[p],
                       path_in (a, s->at, kind->kept_fields[p]), filter);
   return true;
}

/* Appends accumulators over the sums and counts in stored states. False: aggregate g is not
 * computed from states. */
static bool acc_state_numbers (Acc *c, const MtAggCall *g, int i, const bson_t *filter)
{
   MtArena *a = c->g->a;
   MtStateNumbers of;
   if (!c->src->scan || !mt_way_state_numbers (c->src->scan->way, g, &of))
      return false;
   const char *count = path_in (a, of.state->at, of.count);
   if (g->agg->rule == MT_AGG_COUNT) {
      accumulate_kept (c, field (a, 'a', i), "$sum", count, filter);
      return true;
   }
   c->g->counted[i] = true;
   accumulate_kept (c, field (a, 'a', i), "$sum", path_in (a, of.state->at, of.sum), filter);
   accumulate_kept (c, field (a, 'b', i), "$sum", count, filter);
   return true;
}

static bool acc_one (Acc *c, int i)
{
   const MtAggCall *g = &c->g->q->aggs[i];
   const bson_t *filter = NULL;
   if (g->filter && !(filter = condition_of (c->src->emit, g->filter)))
      return false;
   if (mt_agg_takes_set (g))
      return single_distinct (c->g->q) || acc_set (c, g, i, filter);
   if (!g->arg) {
      accumulate (c, field (c->g->a, 'a', i), "$sum",
                  if_then (c->g->a, filter, records_n (c), mt_mql_int (c->g->a, 0)));
      return true;
   }
   if (acc_state (c, g, i, filter) || acc_state_numbers (c, g, i, filter))
      return true;
   if (g->agg->rule == MT_AGG_PARTS)
      return acc_parts (c, g, i, filter);
   if (is_stored_case (c, g))
      return acc_case (c, g, i, filter);
   const MtMeasureAgg *m = stored (c, g);
   return m ? acc_stored (c, g, i, m, filter) : acc_value (c, g, i, filter);
}

/* ---- group keys ---- */

static const char *key_path (MtArena *a, const MtQuery *q, int i)
{
   return q->key_count == 1 && !single_distinct (q) ? "_id" : mt_printf (a, "_id.k%d", i);
}

/* Returns whether rows can be grouped by the stored (encoded) value of column `key`, which is then
 * decoded once for each group. */
static bool groups_as_stored (const MtGrouping *g, const MtSourcePlaces *src, const MtX *key)
{
   return !g->merged && src->scan && key->kind == MT_X_COLUMN && !mt_type_has_rank (key->type.id) &&
          src->emit->columns[key->column].path && src->scan->encodings[key->column];
}

/* Recognizes v as a document {op: argument}, with one field. */
static bool single_operator (MtVal v, const char **op, MtVal *argument)
{
   bson_t view;
   bson_iter_t it;
   if (v.type != MT_DOC || !bson_init_static (&view, v.p, v.len) || bson_count_keys (&view) != 1 ||
       !bson_iter_init (&it, &view) || !bson_iter_next (&it))
      return false;
   *op = bson_iter_key (&it);
   *argument = mt_v_from_iter (&it);
   return true;
}

/* Recognizes {$toDecimal: integer}, which is the form of extract (…), and returns the integer.
 * Grouping by it is cheaper, and it is converted to a decimal once for each group. NULL: another
 * expression. */
static const bson_t *whole_number_inside (MtArena *a, const bson_t *expr)
{
   static const char *const whole[] = {"$year",         "$month",     "$dayOfMonth", "$hour",
                                       "$minute",       "$dayOfYear", "$isoWeek",    "$isoWeekYear",
                                       "$isoDayOfWeek", "$toInt",     "$toLong"};
   const char *op;
   MtVal inner, argument;
   if (!single_operator (mt_doc_value (expr), &op, &inner) || strcmp (op, "$toDecimal") != 0 ||
       !single_operator (inner, &op, &argument))
      return NULL;
   for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
      if (strcmp (op, whole[i]) == 0)
         return mt_doc_of (a, inner);
   return NULL;
}

static const bson_t *key_expr (MtGrouping *g, MtSourcePlaces *src, int i, MtError *err)
{
   const MtX *key = g->q->keys[i];
   if (!groups_as_stored (g, src, key)) {
      const bson_t *x = value_of (src->emit, key),
                   *number = x && !g->merged ? whole_number_inside (g->a, x) : NULL;
      g->keys[i].expr = number ? mt_mql_op1 (g->a, "$toDecimal",
                                             mt_mql_path (g->a, key_path (g->a, g->q, i)))
                               : NULL;
      return number ? number : x;
   }
   const MtPlace *p = &src->emit->columns[key->column];
   const bson_t *path = mt_mql_path (g->a, p->path);
   return p->may_be_missing ? mt_mql_op (g->a, "$ifNull", path, null_expr (g->a), NULL) : path;
}

/* Returns the name of the field for the first value of a group key whose type is grouped by a sort
 * rank, such as intervals and jsonb. */
static const char *ranked_field (MtArena *a, int key) { return mt_printf (a, "key%d", key); }

static const bson_t *ranked_key (MtGrouping *g, int i, const bson_t *value, bson_t *group)
{
   bson_t *first = mt_doc_new (g->a);
   mt_doc_add (first, "$first", mt_doc_value (value));
   mt_doc_add_doc (group, ranked_field (g->a, i), first);
   return mt_rank_of (g->a, g->q->keys[i]->type.id, value);
}

static void place_key (MtGrouping *g, MtSourcePlaces *src, int i)
{
   const MtX *key = g->q->keys[i];
   const char *path = mt_type_has_rank (key->type.id) ? ranked_field (g->a, i)
                                                      : key_path (g->a, g->q, i);
   MtPlace p = {
      .path = path, .nullable = key->nullable, .may_be_missing = false, .can_match = true};
   if (g->keys[i].expr) {
      g->keys[i] = (MtPlace) {.expr = g->keys[i].expr, .nullable = key->nullable};
      return;
   }
   if (groups_as_stored (g, src, key)) {
      const MtPlace *col = &src->emit->columns[key->column];
      p.expr = mt_decoded (g->a, src->scan->encodings[key->column],
                           &src->scan->way->table->columns[key->column], path);
      p.encode = col->encode;
      p.impl = col->impl;
   }
   g->keys[i] = p;
}

static bool group_id (MtGrouping *g, MtSourcePlaces *src, bson_t *group, MtError *err)
{
   const MtQuery *q = g->q;
   const MtAggCall *d = single_distinct (q);
   if (q->key_count == 0 && !d) {
      mt_doc_add (group, "_id", mt_v_null ());
      return true;
   }
   bson_t *id = mt_doc_new (g->a);
   for (int i = 0; i < q->key_count; i++) {
      const bson_t *x = key_expr (g, src, i, err);
      if (!x)
         return false;
      place_key (g, src, i);
      if (mt_type_has_rank (q->keys[i]->type.id))
         x = ranked_key (g, i, x, group);
      if (q->key_count == 1 && !d) {
         mt_doc_add (group, "_id", mt_doc_value (x));
         return true;
      }
      mt_doc_add (id, mt_printf (g->a, "k%d", i), mt_doc_value (x));
   }
   if (d) {
      const bson_t *x = distinct_value (src->emit, d), *f = NULL;
      if (!x || (d->filter && !(f = condition_of (src->emit, d->filter))))
         return false;
      mt_doc_add (id, "d", mt_doc_value (if_then (g->a, f, x, null_expr (g->a))));
   }
   mt_doc_add_doc (group, "_id", id);
   return true;
}

/* ---- grouping partial results ---- */

static void merge_field (MtGrouping *g, bson_t *group, const char *name, const char *op)
{
   bson_t *d = mt_doc_new (g->a);
   mt_doc_add_path (g->a, d, op, name);
   mt_doc_add_doc (group, name, d);
}

/* Appends an accumulator that merges the states in the fields `name`: {v: state}, which are results
 * of an aggregate. */
static void merge_states (MtGrouping *g, bson_t *group, const char *name, const char *op)
{
   bson_t *d = mt_doc_new (g->a);
   mt_doc_add_path (g->a, d, op, mt_printf (g->a, "%s.v", name));
   mt_doc_add_doc (group, name, d);
}

static bool has_b (const MtAggCall *g)
{
   return g->agg->rule == MT_AGG_SUM || g->agg->rule == MT_AGG_AVG || minds_nan (g);
}

static const char *merge_op (const MtAgg *agg)
{
   switch (agg->rule) {
   case MT_AGG_MIN: return "$min";
   case MT_AGG_MAX: return "$max";
   default: return "$sum";
   }
}

static void merge_partials (MtGrouping *g, bson_t *group)
{
   for (int i = 0; i < g->q->key_count; i++)
      if (mt_type_has_rank (g->q->keys[i]->type.id))
         merge_field (g, group, ranked_field (g->a, i), "$first");
   for (int i = 0; i < g->q->agg_count; i++) {
      const MtAggCall *c = &g->q->aggs[i];
      if (mt_agg_takes_set (c))
         continue;
      const MtStateAccumulator *states = merger (c);
      if (states) {
         merge_states (g, group, field (g->a, 'a', i), states->name);
         continue;
      }
      for (int p = 0; c->agg->rule == MT_AGG_PARTS && p < c->agg->kind->part_count; p++)
         merge_field (g, group, field (g->a, (char) ('a' + p), i), c->agg->kind->merge[p]);
      if (c->agg->rule == MT_AGG_PARTS)
         continue;
      merge_field (g, group, field (g->a, 'a', i), merge_op (c->agg));
      if (has_b (c))
         merge_field (g, group, field (g->a, 'b', i), "$sum");
   }
}

static bool distinct_values (MtGrouping *g, bson_t *group, MtError *err)
{
   MtArena *a = g->a;
   const bson_t *d = mt_mql_path (a, "_id.d");
   Acc c = {.g = g, .group = group, .err = err};
   for (int i = 0; i < g->q->agg_count; i++) {
      const MtAggCall *call = &g->q->aggs[i];
      if (!mt_agg_takes_set (call))
         continue;
      if (call->agg->rule == MT_AGG_PARTS) {
         MtAggInput in = input_of (g, call);
         in.args[0] = d;
         in.nullable[0] = true;
         in.argc = 1;
         if (!accumulate_parts (&c, &in, i))
            return false;
         continue;
      }
      const bson_t *one = if_then (a, not_null (a, d), mt_mql_int (a, 1), mt_mql_int (a, 0));
      if (call->agg->rule == MT_AGG_COUNT) {
         accumulate (&c, field (a, 'a', i), "$sum", one);
         continue;
      }
      accumulate (&c, field (a, 'a', i), "$sum", summand (a, call->arg->type.id, d, false));
      accumulate (&c, field (a, 'b', i), "$sum", one);
   }
   return true;
}

static bool regroup_without_distinct (MtGrouping *g, MtPipe *pipe, MtError *err)
{
   bson_t *group = mt_doc_new (g->a), *id = mt_doc_new (g->a);
   for (int i = 0; i < g->q->key_count; i++)
      mt_doc_add_path (g->a, id, mt_printf (g->a, "k%d", i), mt_printf (g->a, "_id.k%d", i));
   if (g->q->key_count)
      mt_doc_add_doc (group, "_id", id);
   else
      mt_doc_add (group, "_id", mt_v_null ());
   merge_partials (g, group);
   if (!distinct_values (g, group, err))
      return false;
   mt_pipe_add (pipe, "$group", group);
   return true;
}

static void prepare (MtGrouping *g)
{
   if (g->keys)
      return;
   g->keys = MT_NEW_N (g->a, MtPlace, (size_t) g->q->key_count + 1);
   g->aggs = MT_NEW_N (g->a, MtPlace, (size_t) g->q->agg_count + 1);
   g->counted = MT_NEW_N (g->a, bool, (size_t) g->q->agg_count + 1);
}

bool mt_group_emit (MtGrouping *g, MtSourcePlaces *src, MtPipe *pipe, MtError *err)
{
   bson_t *group = mt_doc_new (g->a);
   Acc c = {g, src, group, err};
   prepare (g);
   if (!group_id (g, src, group, err))
      return false;
   for (int i = 0; i < g->q->agg_count; i++)
      if (!acc_one (&c, i))
         return false;
   mt_pipe_add (pipe, "$group", group);
   return !single_distinct (g->q) || regroup_without_distinct (g, pipe, err);
}

void mt_group_merge (MtGrouping *g, MtPipe *pipe)
{
   bson_t *group = mt_doc_new (g->a);
   mt_doc_add_path (g->a, group, "_id", "_id");
   merge_partials (g, group);
   mt_pipe_add (pipe, "$group", group);
}

/* ---- results after grouping ---- */

/* Returns the row of an aggregation over no input: counts are 0, all other aggregates NULL. */
static bson_t *nothing_row (MtGrouping *g)
{
   MtArena *a = g->a;
   bson_t *doc = mt_doc_new (a);
   mt_doc_add (doc, "_id", mt_v_null ());
   for (int i = 0; i < g->q->agg_count; i++) {
      const MtAggCall *c = &g->q->aggs[i];
      bool set = mt_agg_takes_set (c) && !single_distinct (g->q);
      bool extreme = c->agg->rule == MT_AGG_MIN || c->agg->rule == MT_AGG_MAX;
      if (set)
         mt_doc_add_array (doc, field (a, 'a', i), mt_doc_new (a));
      else if (c->agg->rule == MT_AGG_PARTS)
         for (int p = 0; p < c->agg->kind->part_count; p++) {
            const char *merge = c->agg->kind->merge[p];
            mt_doc_add (doc, field (a, (char) ('a' + p), i),
                        merge && strcmp (merge, "$sum") == 0 ? mt_v_int32 (0) : mt_v_null ());
         }
      else
         mt_doc_add (doc, field (a, 'a', i), extreme ? mt_v_null () : mt_v_int32 (0));
      if (has_b (c) && !set)
         mt_doc_add (doc, field (a, 'b', i), mt_v_int32 (0));
   }
   return doc;
}

/* Appends stages that return the row of nothing_row if there is no group. */
static void one_row_at_least (MtGrouping *g, MtPipe *pipe)
{
   MtArena *a = g->a;
   bson_t *limit = mt_doc_new (a), *stages = mt_doc_new (a), *facet = mt_doc_new (a),
          *root = mt_doc_new (a), *none = mt_doc_new (a);
   mt_doc_add_int (limit, "$limit", 1);
   mt_doc_add_doc (stages, "0", limit);
   mt_doc_add_array (facet, "g", stages);
   mt_pipe_add (pipe, "$facet", facet);
   mt_doc_add_doc (none, "", nothing_row (g));
   const bson_t *first = mt_mql_op (a, "$arrayElemAt", mt_mql_path (a, "g"), mt_mql_int (a, 0),
                                    NULL);
   mt_doc_add (root, "newRoot", mt_doc_value (mt_mql_op (a, "$ifNull", first, none, NULL)));
   mt_pipe_add (pipe, "$replaceRoot", root);
}

static const bson_t *average (MtGrouping *g, const MtAggCall *c, const bson_t *sum, const bson_t *n)
{
   MtArena *a = g->a;
   if (c->type.id == MT_T_NUMERIC) {
      bool whole = mt_type_is_integer (c->arg->type.id);
      const char *kind = g->on_server ? "decimal" : "numeric";
      return mt_mql_op (a, "$_mtAvg", sum, n, mt_doc_of (a, mt_v_cstr (whole ? "integer" : kind)),
                        NULL);
   }
   const bson_t *quotient = mt_mql_op (a, "$divide", mt_mql_op1 (a, "$toDouble", sum), n, NULL);
   return mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", n, mt_mql_int (a, 0), NULL), quotient,
                     null_expr (a), NULL);
}

static const bson_t *converted (MtArena *a, MtTypeId result, const bson_t *x)
{
   switch (result) {
   case MT_T_INT8: return mt_mql_op1 (a, "$toLong", x);
   case MT_T_NUMERIC: return mt_mql_op1 (a, "$toDecimal", x);
   case MT_T_FLOAT4:
   case MT_T_FLOAT8: return mt_mql_op1 (a, "$toDouble", x);
   default: return x;
   }
}

/* Returns an expression for the set that $addToSet has collected for aggregate i, without NULL. */
static const bson_t *set_of (MtArena *a, int i)
{
   bson_t *nulls = mt_doc_new (a), *wrapped = mt_doc_new (a);
   mt_doc_add (nulls, "0", mt_v_null ());
   mt_doc_add_array (wrapped, "", nulls);
   return mt_mql_op (a, "$setDifference", mt_mql_path (a, field (a, 'a', i)), wrapped, NULL);
}

static const bson_t *result_of_parts (MtGrouping *g, const MtAggCall *c, int i, bool set)
{
   const bson_t *parts[MT_AGG_MAX_PARTS];
   MtAggInput in = input_of (g, c);
   for (int p = 0; p < c->agg->kind->part_count; p++)
      parts[p] = mt_mql_path (g->a, field (g->a, (char) ('a' + p), i));
   return set ? c->agg->kind->of_set (&in, set_of (g->a, i)) : c->agg->kind->result (&in, parts);
}

static void place_aggregate (MtGrouping *g, int i)
{
   MtArena *a = g->a;
   const MtAggCall *c = &g->q->aggs[i];
   const bson_t *x = mt_mql_path (a, field (a, 'a', i)), *n = mt_mql_path (a, field (a, 'b', i));
   MtPlace p = {.nullable = c->agg->rule != MT_AGG_COUNT && c->agg->rule != MT_AGG_COUNT_STAR};
   bool set = mt_agg_takes_set (c) && !single_distinct (g->q);
   if (set) {
      x = set_of (a, i);
      n = mt_mql_op1 (a, "$size", x);
   }
   switch (c->agg->rule) {
   case MT_AGG_COUNT_STAR:
   case MT_AGG_COUNT: p.expr = mt_mql_op1 (a, "$toLong", set ? n : x); break;
   case MT_AGG_SUM:
   case MT_AGG_AVG:
      if (set) {
         bson_t *map = mt_doc_new (a), *body = mt_doc_new (a), *wrapped = mt_doc_new (a);
         mt_doc_add (map, "input", mt_doc_value (x));
         mt_doc_add (map, "in",
                     mt_doc_value (is_exact (c->arg->type.id)
                                      ? mt_mql_op1 (a, "$toDecimal", mt_mql_path (a, "$this"))
                                      : mt_mql_path (a, "$this")));
         mt_doc_add_doc (body, "$map", map);
         mt_doc_add_doc (wrapped, "", body);
         x = mt_mql_op1 (a, "$sum", wrapped);
      }
      if (c->agg->rule == MT_AGG_AVG)
         p.expr = average (g, c, x, n);
      else if (!g->counted[i] && !mt_agg_takes_set (c))
         p.expr = converted (a, c->type.id, x);
      else
         p.expr = mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", n, mt_mql_int (a, 0), NULL),
                             converted (a, c->type.id, x), null_expr (a), NULL);
      break;
   case MT_AGG_MIN:
   case MT_AGG_MAX:
      if (minds_nan (c)) {
         const bson_t *any = mt_mql_op (a, "$gt", n, mt_mql_int (a, 0), NULL),
                      *none = null_expr (a);
         p.expr = c->agg->rule == MT_AGG_MAX
                     ? mt_mql_op (a, "$cond", any, mt_nan_of (a, c->type.id),
                                  mt_mql_op (a, "$ifNull", x, none, NULL), NULL)
                     : mt_mql_op (
                          a, "$ifNull", x,
                          mt_mql_op (a, "$cond", any, mt_nan_of (a, c->type.id), none, NULL), NULL);
         break;
      }
      p.path = field (a, 'a', i);
      p.may_be_missing = true;
      p.can_match = true;
      break;
   case MT_AGG_PARTS:
      p.nullable = !(c->agg->kind->flags & MT_AGG_NEVER_NULL);
      p.expr = result_of_parts (g, c, i, set);
      break;
   }
   if (c->answers)
      p.expr = c->answers->agg->kind->of_state (&(MtAggInput) {.a = a, .call = c->answers}, p.expr);
   g->aggs[i] = p;
}

void mt_group_finish (MtGrouping *g, MtPipe *pipe)
{
   if (g->q->key_count == 0)
      one_row_at_least (g, pipe);
   for (int i = 0; i < g->q->agg_count; i++)
      place_aggregate (g, i);
}

bool mt_group_accumulate (MtGrouping *g, MtSourcePlaces *src, int i, bson_t *fields, MtError *err)
{
   Acc c = {g, src, fields, err};
   prepare (g);
   if (!acc_one (&c, i))
      return false;
   place_aggregate (g, i);
   return true;
}
