#include "planner/cut/newest.h"

#include "functions/agg.h"
#include "query/x.h"

/* ---- expressions that have the same value for all records of a key ---- */

typedef struct Outside {
   const MtLayout *l;
   int column; /* the first column found that is not in the layout's key; -1: none */
} Outside;

static void see_column (void *ctx, int column)
{
   Outside *o = ctx;
   if (o->column < 0 && !mt_in_key (o->l->key, o->l->key_count, column))
      o->column = column;
}

static int outside_key (const MtWayCheck *c, const MtX *x)
{
   Outside o = {c->w->layout, -1};
   mt_x_each_column (x, see_column, &o);
   return o.column;
}

static bool of_key (const MtWayCheck *c, const MtX *x)
{
   return !x->is_volatile && outside_key (c, x) < 0;
}

static bool filters_ok (const MtWayCheck *c)
{
   for (int i = 0; i < c->need->filter_count; i++) {
      const MtX *f = c->need->filters[i];
      if (of_key (c, f))
         continue;
      int column = outside_key (c, f);
      return column < 0
                ? mt_way_no (c, "a random condition is tested for each record")
                : mt_way_no (
                     c, "the condition on \"%s\" may be true of older records than the newest one",
                     mt_way_column (c, column));
   }
   bool open = c->ranges.count == 1 && c->ranges.ranges[0].hi == MT_TIME_MAX;
   return !c->need->has_ranges || open ||
          mt_way_no (c, "the range of time may exclude newest records");
}

/* ---- aggregates ---- */

static bool is_time (const MtWayCheck *c, const MtX *x)
{
   return x->kind == MT_X_COLUMN && x->column == c->need->table->time_column;
}

/* Returns whether g is the aggregate last (value, time), where the time is the table's time
 * column. */
static bool is_last (const MtWayCheck *c, const MtAggCall *g)
{
   const MtX *args = g->arg;
   return mt_agg_is_last (g) && args && args->kind == MT_X_CALL && args->call.argc == 2 &&
          g->order_count == 0 && is_time (c, args->call.args[1]) &&
          !args->call.args[0]->is_volatile;
}

static bool aggregate_ok (const MtWayCheck *c, const MtAggCall *g)
{
   const char *name = g->agg->name;
   if (g->filter && !of_key (c, g->filter))
      return mt_way_no (c, "the FILTER of %s may exclude newest records", name);
   if (is_last (c, g) || (g->agg->rule == MT_AGG_MAX && g->arg && is_time (c, g->arg)))
      return true;
   bool once = g->distinct || g->agg->rule == MT_AGG_MIN || g->agg->rule == MT_AGG_MAX ||
               mt_agg_flags (g) & MT_AGG_ONCE;
   return (once && g->arg && of_key (c, g->arg)) ||
          mt_way_no (c, "%s needs older records, too", name);
}

static bool groups_ok (const MtWayCheck *c)
{
   const MtQuery *q = c->need->query;
   for (int i = 0; i < q->key_count; i++)
      if (!of_key (c, q->keys[i]))
         return q->keys[i]->is_volatile
                   ? mt_way_no (c, "a random value is made for each record")
                   : mt_way_no (c, "groups by \"%s\" contain older records",
                                mt_way_column (c, outside_key (c, q->keys[i])));
   for (int i = 0; i < q->agg_count; i++)
      if (!aggregate_ok (c, &q->aggs[i]))
         return false;
   return true;
}

/* ---- rows: only the first of a sort order ---- */

/* Returns whether sort key s, on expression x, breaks ties between records of one time as the
 * layout does in `column`: the greater value first, NULLs last. */
static bool breaks_tie_alike (const MtWayCheck *c, const MtSortX *s, const MtX *x, int column)
{
   if (x->kind != MT_X_COLUMN || x->column != column || !s->descending)
      return false;
   return !s->nulls_first || c->need->table->columns[column].not_null ||
          mt_has_no_nulls (c->w, column);
}

/* Returns whether the query's ORDER BY sorts the newest record of each key first. For records of
 * equal times, it must prefer the one that the layout keeps. */
static bool newest_first (const MtWayCheck *c)
{
   const MtQuery *q = c->need->query;
   const MtLayout *l = c->w->layout;
   size_t tie = 0;
   int i = 0;
   while (i < q->sort_count && of_key (c, mt_sort_expr (q, &q->sort[i])))
      i++;
   if (i < q->on_count)
      return mt_way_no (c, "DISTINCT ON has expressions beside the key");
   if (i == q->sort_count || !is_time (c, mt_sort_expr (q, &q->sort[i])) || !q->sort[i].descending)
      return mt_way_no (c, "ORDER BY doesn't sort the newest record of each key first");
   for (i++; i < q->sort_count && tie < l->tie_count; i++) {
      if (of_key (c, mt_sort_expr (q, &q->sort[i])) || is_time (c, mt_sort_expr (q, &q->sort[i])))
         continue;
      if (!breaks_tie_alike (c, &q->sort[i], mt_sort_expr (q, &q->sort[i]), l->tie[tie]))
         return mt_way_no (
            c,
            "of records with equal times the layout keeps the one with the greatest \"%s\", NULL "
            "last, but the order differs",
            mt_way_column (c, l->tie[tie]));
      tie++;
   }
   return true;
}

static bool rows_ok (const MtWayCheck *c)
{
   const MtQuery *q = c->need->query;
   bool one = q->limit == 1 && q->offset == 0 && !q->with_ties && !q->distinct && q->sort_count > 0;
   if (!q->on_count && !one)
      return mt_way_no (c, "the query needs older records, too");
   return newest_first (c);
}

bool mt_newest_answers (const MtWayCheck *c)
{
   return filters_ok (c) && (c->need->query->grouped ? groups_ok (c) : rows_ok (c));
}
