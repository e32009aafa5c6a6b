#include "planner/cut/way.h"

#include "layouts/expire.h"
#include "layouts/leaves.h"
#include "functions/agg.h"
#include "query/x.h"
#include "planner/cut/newest.h"
#include "planner/cut/parts.h"
#include "planner/cut/step.h"

#include <string.h>

/* ---- ways ---- */

static void bind_level (MtWay *w, int level)
{
   const MtNode *n = w->levels[level];
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->kind == MT_BIND_COLUMN) {
         if (!w->bound[b->column]) {
            w->bound[b->column] = b;
            w->bound_at[b->column] = level;
         }
         if (b->column == w->table->time_column) {
            w->time_at = level;
            w->time_exact = true;
         }
      } else if (!w->time_exact) {
         w->time_at = level;
         w->grain = b->unit;
      }
   }
}

static void bind_records (MtWay *w)
{
   const MtNode *n = w->levels[w->count - 1];
   for (size_t i = 0; i < n->raw.count; i++) {
      int c = n->raw.columns[i];
      if (w->bound_at[c] < 0)
         w->bound_at[c] = w->count;
      if (c == w->table->time_column && !w->time_exact) {
         w->time_at = w->count;
         w->time_exact = true;
      }
   }
}

static MtWay way_to (MtArena *a, const MtTable *t, const MtLayout *l, size_t store,
                     const MtNode *node, MtCutMode mode)
{
   MtWay w = {.table = t, .layout = l, .store = &l->stores[store], .mode = mode, .time_at = -1};
   w.stats = l->stats ? &l->stats[store] : NULL;
   w.bound = MT_NEW_N (a, const MtBinding *, t->column_count + 1);
   w.bound_at = MT_NEW_N (a, int, t->column_count + 1);
   for (size_t c = 0; c < t->column_count; c++)
      w.bound_at[c] = -1;
   for (const MtNode *n = node; n; n = n->parent)
      w.count++;
   int at = w.count;
   for (const MtNode *n = node; n; n = n->parent)
      w.levels[--at] = n;
   for (int i = 0; i < w.count; i++)
      bind_level (&w, i);
   if (mode == MT_CUT_RECORDS)
      bind_records (&w);
   /* If all times are multiples of a period, an interval no longer than the period contains only
    * one possible time, so the time is exact. */
   int64_t period = t->time_column >= 0 ? t->columns[t->time_column].period_ms : 0,
           g = mt_unit_ms (w.grain);
   if (!w.time_exact && w.time_at >= 0 && period > 0 && g > 0 && period % g == 0) {
      w.time_exact = true;
      w.bound_at[t->time_column] = w.time_at;
   }
   w.name = mode == MT_CUT_RECORDS ? "records" : node->name;
   if (l->keeps == MT_KEEPS_LATEST)
      w.name = "newest";
   return w;
}

MtWay *mt_way_of_documents (MtArena *a, const MtTable *t, const MtLayout *l, size_t store)
{
   MtWay *w = MT_NEW (a, MtWay);
   const MtNode *root = l->stores[store].root;
   *w = way_to (a, t, l, store, root,
                mt_store_is_rows (&l->stores[store]) ? MT_CUT_RECORDS : MT_CUT_SIZE);
   return w;
}

MtWay *mt_ways (MtArena *a, const MtTable *t, const MtLayout *l, int *count)
{
   size_t most = 0;
   for (size_t s = 0; s < l->store_count; s++)
      most += l->stores[s].node_count * 3;
   MtWay *ways = MT_NEW_N (a, MtWay, most + 1);
   *count = 0;
   for (size_t s = 0; s < l->store_count; s++) {
      for (size_t i = 0; i < l->stores[s].node_count; i++) {
         const MtNode *n = l->stores[s].nodes[i];
         if (n->agg.present)
            ways[(*count)++] = way_to (a, t, l, s, n, MT_CUT_AGGREGATE);
         if (n->raw.present && n->raw.many && !(n->agg.present && n->agg.n))
            ways[(*count)++] = way_to (a, t, l, s, n, MT_CUT_SIZE);
         if (n->raw.present)
            ways[(*count)++] = way_to (a, t, l, s, n, MT_CUT_RECORDS);
      }
   }
   return ways;
}

/* ---- what a query block needs ---- */

static void split_and (MtNeed *need, MtArena *a, MtX *x, int64_t period)
{
   if (x->kind == MT_X_AND) {
      for (int i = 0; i < x->count; i++)
         split_and (need, a, x->list[i], period);
      return;
   }
   MtRangeSet r;
   int tc = need->table->time_column;
   bool ranges = tc >= 0 && mt_ranges_of (a, x, tc, period, &r);
   /* A condition on the time is not true for a row whose time is NULL, even if it is true for all
    * times. */
   if (ranges && (!mt_ranges_is_all (r) || need->table->columns[tc].not_null)) {
      need->ranges = mt_ranges_intersect (a, need->ranges, r);
      need->has_ranges = true;
      return;
   }
   need->filters[need->filter_count++] = x;
   mt_x_mark_columns (x, need->used);
}

static int conjuncts (const MtX *x)
{
   if (!x)
      return 0;
   if (x->kind != MT_X_AND)
      return 1;
   int n = 0;
   for (int i = 0; i < x->count; i++)
      n += conjuncts (x->list[i]);
   return n;
}

/* Sets used[i] for each column number i that the query block uses outside WHERE. */
static void mark_beside (const MtQuery *q, bool *used)
{
   for (int i = 0; i < q->key_count; i++)
      mt_x_mark_columns (q->keys[i], used);
   for (int i = 0; i < q->agg_count; i++) {
      if (q->aggs[i].arg)
         mt_x_mark_columns (q->aggs[i].arg, used);
      if (q->aggs[i].filter)
         mt_x_mark_columns (q->aggs[i].filter, used);
   }
   for (int i = 0; i < q->target_count && !q->grouped; i++)
      mt_x_mark_columns (q->targets[i].expr, used);
   for (int i = 0; i < q->sort_count && !q->grouped; i++)
      if (q->sort[i].expr->kind != MT_X_TARGET)
         mt_x_mark_columns (q->sort[i].expr, used);
}

MtNeed mt_need_of (MtArena *a, const MtQuery *q, const MtTextStyle *style)
{
   const MtTable *t = q->rel.table;
   MtNeed need = {.table = t, .query = q, .style = *style, .ranges = mt_ranges_all (a)};
   need.used = MT_NEW_N (a, bool, t->column_count + 1);
   need.beside = MT_NEW_N (a, bool, t->column_count + 1);
   need.filters = MT_NEW_N (a, MtX *, (size_t) conjuncts (q->where) + 1);
   int64_t period = t->time_column >= 0 ? t->columns[t->time_column].period_ms : 0;
   if (q->where)
      split_and (&need, a, q->where, period);
   int64_t horizon = mt_expiry_horizon (t, style->now_ms);
   if (horizon != MT_NEVER_EXPIRES) { /* rows before the horizon have expired */
      need.ranges = mt_ranges_intersect (a, need.ranges, mt_ranges_one (a, horizon, MT_TIME_MAX));
      need.has_ranges = true;
   }
   need.within = q->limit == 0 ? (MtRangeSet) {NULL, 0} : need.ranges;
   if (need.filter_count && t->time_column >= 0)
      need.within = mt_ranges_intersect (a, need.within,
                                         mt_ranges_within (a, q->where, t->time_column));
   mark_beside (q, need.beside);
   for (size_t i = 0; i < t->column_count; i++)
      need.used[i] |= need.beside[i];
   return need;
}

typedef struct Deepest {
   const MtWay *w;
   int level;
} Deepest;

static void deepest (void *ctx, int column)
{
   Deepest *d = ctx;
   int at = d->w->bound_at[column];
   if (column == d->w->table->time_column && at < 0)
      at = d->w->time_at;
   if (at < 0)
      at = d->w->count;
   if (at > d->level)
      d->level = at;
}

int mt_level_of (const MtWay *w, const MtX *x)
{
   /* A volatile expression has another value for each record, so it needs records. */
   Deepest d = {w, x->is_volatile ? w->count : 0};
   mt_x_each_column (x, deepest, &d);
   return d.level;
}

/* ---- rules 1 and 2: columns and time ---- */

bool mt_way_no (const MtWayCheck *c, const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   *c->reason = mt_vprintf (c->a, fmt, ap);
   va_end (ap);
   return false;
}

const char *mt_way_column (const MtWayCheck *c, int column)
{
   return c->need->table->columns[column].name;
}

/* Shortens a long time range to one in which the same interval boundaries occur. Time zones have
 * no transitions before 1770, their rules repeat after 2270, and the calendar repeats every 400
 * years. */
static void shorten (int64_t *lo, int64_t *hi)
{
   const int64_t year = 366 * MT_DAY_MS, calendar = 400 * year, first = -200 * year,
                 last = 300 * year;
   if (*lo < first) {
      int64_t from = *hi < first && *hi > INT64_MIN + calendar ? *hi - calendar : first;
      *lo = *lo > from ? *lo : from;
   }
   if (*hi > last) {
      int64_t to = *lo > last && *lo < INT64_MAX - calendar ? *lo + calendar : last;
      *hi = *hi < to ? *hi : to;
   }
}

/* Sets the time range in which step functions must be checked: the query's ranges, restricted to
 * the times of stored data. */
static void time_span (const MtWayCheck *c, int64_t *lo, int64_t *hi)
{
   *lo = c->ranges.count ? c->ranges.ranges[0].lo : 0;
   *hi = c->ranges.count ? c->ranges.ranges[c->ranges.count - 1].hi : 0;
   const MtStoreStats *s = c->w->stats;
   if (s && s->present && s->has_time && !c->w->layout->attached) {
      if (s->min_ms > *lo)
         *lo = s->min_ms;
      if (s->max_ms < *hi)
         *hi = s->max_ms;
   }
   shorten (lo, hi);
}

static bool step_ok (const MtWayCheck *c, const MtX *x)
{
   int64_t lo, hi;
   time_span (c, &lo, &hi);
   return mt_step_boundaries_aligned (x, c->w->table->time_column, c->w->grain, lo, hi,
                                      &c->need->style);
}

/* Checks that each column of x is stored at the nesting level or above, exactly enough for its use
 * in x. */
bool mt_way_knows (const MtWayCheck *c, const MtX *x)
{
   const MtTable *t = c->need->table;
   int n;
   if (x->is_volatile && c->w->mode != MT_CUT_RECORDS)
      return mt_way_no (c, "a random value is made for each record");
   if (x->kind == MT_X_COLUMN) {
      int col = x->column;
      if (c->w->bound_at[col] >= 0)
         return true;
      if (t->columns[col].role == MT_COL_MEASURE)
         return mt_way_no (c, "the query needs each value of \"%s\"", mt_way_column (c, col));
      if (col != t->time_column && c->w->layout->keeps == MT_KEEPS_ROLLUP)
         return mt_way_no (c, "column \"%s\" isn't kept apart at this level",
                           mt_way_column (c, col));
      if (col != t->time_column)
         return mt_way_no (c, "column \"%s\" is stored below this level", mt_way_column (c, col));
      if (c->w->time_at < 0)
         return mt_way_no (c, "the time is stored below this level");
      return mt_way_no (c, "the time is known only to %s%s", mt_unit_article (c->w->grain),
                        mt_unit_name (c->w->grain));
   }
   if (c->w->time_at >= 0 && !c->w->time_exact && x->kind == MT_X_CALL && t->time_column >= 0) {
      int64_t boundary, period = t->columns[t->time_column].period_ms;
      if (mt_time_comparison (x, t->time_column, period, &boundary) &&
          mt_on_unit (boundary, c->w->grain))
         return true;
      if (x->call.fn->step != MT_STEP_NONE && step_ok (c, x))
         return true;
   }
   MtX *const *kids = mt_x_kids (x, &n);
   for (int i = 0; i < n; i++)
      if (!mt_way_knows (c, kids[i]))
         return false;
   return true;
}

/* ---- rule 3: aggregates ---- */

static const MtMeasureAgg *stored_of (const MtNode *n, int column)
{
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].column == column)
         return &n->agg.measures[i];
   return NULL;
}

bool mt_has_no_nulls (const MtWay *w, int column)
{
   const MtStoreStats *s = w->stats;
   return w->table->columns[column].not_null ||
          (!w->layout->attached && s && s->present && s->nulls &&
           (size_t) column < s->null_columns && s->nulls[column] == 0);
}

static bool counts_non_null (const MtWayCheck *c, int column)
{
   const MtNode *n = c->w->levels[c->w->count - 1];
   const MtMeasureAgg *m = stored_of (n, column);
   if ((m && m->nonnull) || (n->agg.n && mt_has_no_nulls (c->w, column)))
      return true;
   if (!n->agg.n)
      return mt_way_no (c, "the number of records isn't stored at this level");
   return mt_way_no (c, "the number of non-NULL values of \"%s\" isn't stored, and it may be NULL",
                     mt_way_column (c, column));
}

const MtX *mt_bare_measure (const MtX *x)
{
   while (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) && x->call.argc >= 1 &&
          mt_type_is_integer (x->call.args[0]->type.id) &&
          (x->type.id == MT_T_INT8 || x->type.id == MT_T_NUMERIC))
      x = x->call.args[0];
   return x->kind == MT_X_COLUMN ? x : NULL;
}

bool mt_x_is_zero (const MtX *x)
{
   return x->kind == MT_X_CONST && mt_is_number (x->value) &&
          mt_v_compare_numbers (x->value, mt_v_int32 (0)) == 0;
}

static bool is_null (const MtX *x) { return x->kind == MT_X_CONST && mt_is_nullish (x->value); }

/* Returns result number k of a CASE; the ELSE result is the last. */
static const MtX *case_result (const MtX *x, int k)
{
   return x->list[k < x->count / 2 ? 2 * k + 1 : x->count - 1];
}

bool mt_is_case_of_sums (const MtWay *w, const MtAggCall *g)
{
   const MtX *x = g->arg;
   bool any = false;
   if (!x || x->kind != MT_X_CASE || x->is_volatile || mt_agg_takes_set (g) ||
       !(g->agg->rule == MT_AGG_SUM || g->agg->rule == MT_AGG_AVG || g->agg->rule == MT_AGG_COUNT))
      return false;
   for (int k = 0; k <= x->count / 2; k++) {
      const MtX *r = case_result (x, k), *column = mt_bare_measure (r);
      if (column ? w->bound_at[column->column] >= 0 || column->column == w->table->time_column
                 : !mt_x_is_zero (r) && !is_null (r))
         return false;
      any = any || column;
   }
   return any;
}

static bool measure_answer (const MtWayCheck *c, const MtAggCall *g, const MtX *col)
{
   const char *name = mt_way_column (c, col->column);
   const MtMeasureAgg *m = stored_of (c->w->levels[c->w->count - 1], col->column);
   const MtColumn *def = &c->need->table->columns[col->column];
   if (mt_agg_takes_set (g))
      return def->role == MT_COL_MEASURE
                ? mt_way_no (c, "DISTINCT needs each value of \"%s\"", name)
                : mt_way_no (c, "column \"%s\" is stored below this level", name);
   switch (g->agg->rule) {
   case MT_AGG_COUNT_STAR:
   case MT_AGG_COUNT: return counts_non_null (c, col->column);
   case MT_AGG_SUM:
      if (!m || !m->sum)
         return mt_way_no (c, "the sum of \"%s\" isn't stored at this level", name);
      /* mtsql's writer stores NULL as the sum of no values. In a layout of sums, the stored sum is
       * the value itself. */
      return !c->w->layout->attached || def->not_null || def->counter ||
             c->w->layout->keeps == MT_KEEPS_SUMS || counts_non_null (c, col->column);
   case MT_AGG_AVG:
      if (!m || !m->sum)
         return mt_way_no (c, "the sum of \"%s\" isn't stored at this level", name);
      return counts_non_null (c, col->column);
   case MT_AGG_MIN:
      return (m && m->min && c->w->layout->keeps != MT_KEEPS_SUMS) ||
             mt_way_no (c, "the minimum of \"%s\" isn't stored at this level", name);
   case MT_AGG_MAX:
      return (m && m->max && c->w->layout->keeps != MT_KEEPS_SUMS) ||
             mt_way_no (c, "the maximum of \"%s\" isn't stored at this level", name);
   case MT_AGG_PARTS: return mt_way_no (c, "%s needs each value of \"%s\"", g->agg->name, name);
   }
   return false;
}

static bool uses_measure (const MtWayCheck *c, const MtX *x)
{
   int n;
   MtX *const *kids = mt_x_kids (x, &n);
   if (x->kind == MT_X_COLUMN)
      return c->w->bound_at[x->column] < 0 && x->column != c->need->table->time_column;
   for (int i = 0; i < n; i++)
      if (uses_measure (c, kids[i]))
         return true;
   return false;
}

static bool has_n (const MtWayCheck *c)
{
   const MtNode *n = c->w->levels[c->w->count - 1];
   return c->w->mode == MT_CUT_SIZE || n->agg.n ||
          mt_way_no (c, "the number of records isn't stored at this level");
}

bool mt_reads_range (const MtWay *w, const MtAggCall *g)
{
   const MtTimeRange *r = &w->levels[w->count - 1]->range;
   return g->arg && g->arg->kind == MT_X_COLUMN && g->arg->column == w->table->time_column &&
          w->time_at < 0 && r->present && r->exact &&
          (g->agg->rule == MT_AGG_MIN || g->agg->rule == MT_AGG_MAX);
}

/* Returns whether stored sums answer an aggregate of a CASE: its conditions must be constant within
 * an entry of the level, and the sum of each result must be stored. */
static bool case_answer (const MtWayCheck *c, const MtAggCall *g)
{
   const MtX *x = g->arg;
   bool counted = g->agg->rule == MT_AGG_AVG || g->agg->rule == MT_AGG_COUNT;
   if (c->w->mode == MT_CUT_SIZE)
      return mt_way_no (c, "an expression of measures is computed for each record");
   for (int i = 0; i + 1 < x->count; i += 2)
      if (!mt_way_knows (c, x->list[i]))
         return false;
   for (int k = 0; k <= x->count / 2; k++) {
      const MtX *r = case_result (x, k), *col = mt_bare_measure (r);
      if (col ? !measure_answer (c, g, col) : counted && mt_x_is_zero (r) && !has_n (c))
         return false;
   }
   return true;
}

/* Returns whether aggregate number i can be computed from a stored state of the nesting level. */
static bool in_a_state (const MtWayCheck *c, int i)
{
   const MtAggCall *g = &c->need->query->aggs[i],
                   *call = c->need->state_calls ? c->need->state_calls[i] : NULL;
   MtStateNumbers numbers;
   return mt_way_state (c->w, g) || (call && mt_way_state (c->w, call)) ||
          mt_way_state_numbers (c->w, g, &numbers);
}

static bool aggregate_ok (const MtWayCheck *c, int i)
{
   const MtAggCall *g = &c->need->query->aggs[i];
   if (g->filter && !mt_way_knows (c, g->filter))
      return false;
   if (mt_reads_range (c->w, g))
      return true;
   if (c->w->mode == MT_CUT_RECORDS)
      return !g->arg || mt_way_knows (c, g->arg);
   if (!g->arg)
      return has_n (c);
   if (in_a_state (c, i))
      return !mt_type_is_sequence (g->type.id) || mt_way_cells_apart (c->w, c->need) ||
             mt_way_no (c, "states of %s can be of the same time in one group", g->agg->name);
   if (uses_measure (c, g->arg)) {
      const MtX *col = mt_bare_measure (g->arg);
      if (!col && mt_is_case_of_sums (c->w, g))
         return case_answer (c, g);
      if (!col)
         return mt_way_knows (c, g->arg) ||
                (g->agg->rule != MT_AGG_PARTS &&
                 mt_way_no (c, "an expression of measures is computed for each record"));
      if (c->w->mode == MT_CUT_SIZE)
         return mt_way_no (c, "measures are stored below this level");
      return measure_answer (c, g, col);
   }
   /* The argument is constant within an entry, so it is computed once and multiplied by the number
    * of records. */
   if (!mt_way_knows (c, g->arg))
      return false;
   if (g->distinct || g->agg->rule == MT_AGG_MIN || g->agg->rule == MT_AGG_MAX ||
       mt_agg_flags (g) & MT_AGG_ONCE)
      return true;
   if (g->agg->rule == MT_AGG_PARTS && !(g->agg->kind->flags & MT_AGG_WEIGHS))
      return mt_way_no (c, "%s needs each record", g->agg->name);
   return has_n (c);
}

/* ---- rule 4: entries without records ---- */

static bool existence_ok (const MtWayCheck *c)
{
   const MtNode *n = c->w->levels[c->w->count - 1];
   if (c->w->mode != MT_CUT_AGGREGATE || n->agg.n || !n->agg.zero_is_absent)
      return true;
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (c->need->table->columns[n->agg.measures[i].column].counter)
         return true;
   return mt_way_no (c,
                     "a stored 0 may mean that there was no sample, and no measure is a COUNTER");
}

static bool ranges_ok (const MtWayCheck *c, MtDocMode docs)
{
   const MtWay *w = c->w;
   if (!c->need->has_ranges || w->time_exact || docs == MT_DOCS_INSIDE)
      return true;
   if (w->time_at < 0)
      return mt_way_no (c, "the filter's time is stored below this level");
   for (int i = 0; i < c->ranges.count; i++)
      if (!mt_on_unit (c->ranges.ranges[i].lo, w->grain) ||
          !mt_on_unit (c->ranges.ranges[i].hi, w->grain))
         return mt_way_no (c, "the range of time begins or ends within %s%s",
                           mt_unit_article (w->grain), mt_unit_name (w->grain));
   return true;
}

/* Returns whether w ends at the finest level of a layout that stores only sums. This level is taken
 * as right if levels contradict each other. */
static bool is_finest (MtArena *a, const MtWay *w)
{
   size_t count;
   MtLeafWay *ways = mt_leaf_ways (a, w->table, &count);
   if (w->layout->keeps != MT_KEEPS_SUMS)
      return false;
   const MtLeafWay *finest = mt_leaf_trusted (w->table, ways, count,
                                              (int) (w->layout - w->table->layouts));
   return finest && finest->leaf == w->levels[w->count - 1];
}

bool mt_cut_answers (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                     MtDocMode docs, const char **reason)
{
   MtWayCheck c = {a, w, need, ranges, reason};
   const MtQuery *q = need->query;
   *reason = "";
   if (!w->layout->clean)
      return mt_way_no (&c, "the layout's last write wasn't finished");
   if (w->store->suspect)
      return mt_way_no (&c, "a write to several layouts is running, or wasn't finished");
   if (w->layout->presums == MT_PRESUMS_IGNORE && w->mode == MT_CUT_AGGREGATE && !is_finest (a, w))
      return mt_way_no (&c, "%s",
                        w->layout->keeps == MT_KEEPS_SUMS
                           ? "only the finest sums are read in this layout"
                           : "stored sums are ignored in this layout");
   if (w->layout->keeps == MT_KEEPS_LATEST)
      return docs == MT_DOCS_ALL && mt_newest_answers (&c);
   if (!q->grouped && w->mode != MT_CUT_RECORDS)
      return mt_way_no (&c, "the query needs each record");
   if (docs != MT_DOCS_ALL && !w->levels[0]->range.present)
      return mt_way_no (&c, "the documents have no range of time");
   for (int i = 0; i < need->filter_count; i++) {
      if (!mt_way_knows (&c, need->filters[i]))
         return false;
   }
   if (!ranges_ok (&c, docs))
      return false;
   for (int i = 0; i < q->key_count; i++)
      if (!mt_way_knows (&c, q->keys[i]))
         return false;
   for (int i = 0; i < q->agg_count; i++)
      if (!aggregate_ok (&c, i))
         return false;
   for (size_t i = 0; i < need->table->column_count && !q->grouped; i++)
      if (need->used[i] && w->bound_at[i] < 0)
         return mt_way_no (&c, "column \"%s\" isn't stored", mt_way_column (&c, (int) i));
   return existence_ok (&c);
}
