/* Finds the stored aggregate state of a level (layouts/cell_state.h) from which an aggregate can be
 * computed. */
#include "planner/cut/way.h"

#include "functions/agg.h"
#include "layouts/cell_state.h"
#include "query/aggregate.h"
#include "query/condition.h"
#include "query/x.h"

#include <string.h>

/* Returns the column that is argument x of an aggregate; -1: x is another expression. A cast of a
 * numeric column to the aggregate's parameter type counts as the column, because the layout's
 * writer converts it, too. */
static int column_of (const MtX *x, MtTypeId parameter)
{
   if (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) && x->call.argc == 1 &&
       x->type.id == parameter && mt_type_is_number (parameter) &&
       mt_type_is_number (x->call.args[0]->type.id))
      x = x->call.args[0];
   return x->kind == MT_X_COLUMN ? x->column : -1;
}

/* Returns whether x is time_bucket (width, column) of a kept argument. */
static bool is_bucket_of (const MtX *x, const MtStateArg *kept)
{
   const MtX *const *args = x->kind == MT_X_CALL ? (const MtX *const *) x->call.args : NULL;
   return args && x->call.fn->step == MT_STEP_BUCKET && x->call.argc == 2 &&
          args[0]->kind == MT_X_CONST && args[0]->value.type == MT_DOC &&
          mt_same_width (mt_v_to_interval (args[0]->value), kept->width) &&
          args[1]->kind == MT_X_COLUMN && args[1]->column == kept->column;
}

static bool same_arg (const MtX *x, const MtStateArg *kept, MtTypeId parameter)
{
   if (kept->bucketed)
      return is_bucket_of (x, kept);
   if (kept->column >= 0)
      return column_of (x, parameter) == kept->column;
   return x->kind == MT_X_CONST && mt_v_compare (x->value, kept->constant) == 0;
}

static bool same_args (const MtAggCall *g, const MtCellState *s)
{
   bool row = g->arg && g->arg->kind == MT_X_CALL && g->arg->call.fn == &mt_agg_row;
   int argc = row ? g->arg->call.argc : g->arg != NULL;
   bool same = argc == s->argc;
   for (int i = 0; i < argc && same; i++)
      same = same_arg (row ? g->arg->call.args[i] : g->arg, &s->args[i], s->acc->types[i]);
   return same;
}

/* Returns whether a stored state of kind acc contains the partial result of an aggregate. */
static bool has_parts (const MtAgg *agg, const MtStateAccumulator *acc)
{
   if (agg->state)
      return strcmp (agg->op, acc->name) == 0;
   return agg->rule == MT_AGG_PARTS && agg->kind->kept_fields[0] &&
          (acc == agg->kind->kept || acc->result == agg->kind->states);
}

/* Returns whether the aggregate is computed from merged states of kind acc, as the accessor
 * functions of two-step aggregates are. */
static bool is_computed_from (const MtAgg *agg, const MtStateAccumulator *acc)
{
   return agg->rule == MT_AGG_PARTS && agg->kind->of_state && acc->result == agg->kind->states;
}

typedef bool (*Answers) (const MtAgg *agg, const MtStateAccumulator *acc);

/* Returns a state that nesting level n stores for the arguments of g. `answers` tests whether this
 * kind of state is suitable. NULL: there is none. */
static const MtCellState *kept_at (const MtLayout *l, const MtNode *n, const MtAggCall *g,
                                   Answers answers)
{
   if (l->attached || l->presums != MT_PRESUMS_TRUST || g->distinct || g->order_count)
      return NULL;
   for (size_t i = 0; i < n->agg.state_count; i++)
      if (answers (g->agg, n->agg.states[i].acc) && same_args (g, &n->agg.states[i]))
         return &n->agg.states[i];
   return NULL;
}

/* Returns whether condition x is `column = constant`. */
static bool fixes (const MtX *x, int column)
{
   return mt_x_is_equality (x) &&
          ((x->call.args[0]->kind == MT_X_COLUMN && x->call.args[0]->column == column &&
            x->call.args[1]->kind == MT_X_CONST) ||
           (x->call.args[1]->kind == MT_X_COLUMN && x->call.args[1]->column == column &&
            x->call.args[0]->kind == MT_X_CONST));
}

/* Returns whether the column has the same value in all cells (array or map elements) of a group. */
static bool is_one_value (const MtNeed *need, int column)
{
   const MtQuery *q = need->query;
   bool one = false;
   for (int i = 0; i < q->key_count && !one; i++)
      one = q->keys[i]->kind == MT_X_COLUMN && q->keys[i]->column == column;
   for (int i = 0; i < need->filter_count && !one; i++)
      one = fixes (need->filters[i], column);
   return one;
}

bool mt_way_cells_apart (const MtWay *w, const MtNeed *need)
{
   bool apart = !w->store->repeats;
   for (size_t c = 0; c < w->table->column_count && apart; c++)
      apart = w->bound_at[c] < 0 || (int) c == w->table->time_column ||
              is_one_value (need, (int) c);
   return apart;
}

static const MtNode *last_level (const MtWay *w) { return w->levels[w->count - 1]; }

const MtCellState *mt_way_state (const MtWay *w, const MtAggCall *g)
{
   return w->mode == MT_CUT_AGGREGATE ? kept_at (w->layout, last_level (w), g, has_parts) : NULL;
}

MtAggCall *mt_state_call (MtArena *a, const MtTable *t, const MtAggCall *g)
{
   const MtCellState *s = NULL;
   for (size_t i = 0; i < t->layout_count && !s; i++)
      for (size_t k = 0; k < t->layouts[i].store_count && !s; k++)
         for (size_t n = 0; n < t->layouts[i].stores[k].node_count && !s; n++)
            s = kept_at (&t->layouts[i], t->layouts[i].stores[k].nodes[n], g, is_computed_from);
   if (!s)
      return NULL;
   MtAggCall *call = MT_NEW (a, MtAggCall);
   *call = *g;
   call->agg = mt_state_agg_of (s->acc);
   call->type = mt_type (s->acc->result);
   call->answers = g;
   return call;
}

/* ---- sums and counts that are read from states ---- */

/* Returns whether the way's last nesting level stores as pre-aggregates the sum and count that g, a
 * sum, average or count, needs. Then g needs no stored aggregate state. */
static bool stores_numbers (const MtWay *w, const MtAggCall *g, int column)
{
   const MtPreagg *agg = &last_level (w)->agg;
   const MtMeasureAgg *m = NULL;
   for (size_t i = 0; i < agg->measure_count; i++)
      if (agg->measures[i].column == column)
         m = &agg->measures[i];
   bool counts = (m && m->nonnull) || (agg->n && mt_has_no_nulls (w, column));
   return (g->agg->rule == MT_AGG_COUNT || (m && m->sum)) && (g->agg->rule == MT_AGG_SUM || counts);
}

/* Sets *out to the names of the fields with the sum and the count of a column in state s. False:
 * the state has none. */
static bool numbers_of (const MtCellState *s, MtTypeId column, MtStateNumbers *out)
{
   bool exact = s->acc == mt_agg_variance.kept,
        real = column == MT_T_FLOAT4 || column == MT_T_FLOAT8;
   *out = (MtStateNumbers) {.state = s, .count = "n", .sum = "s"};
   if (!exact)
      out->sum = real ? "sx" : NULL;
   return exact || s->acc->result == MT_T_STATSSUMMARY1D;
}

bool mt_way_state_numbers (const MtWay *w, const MtAggCall *g, MtStateNumbers *out)
{
   bool sums = g->agg->rule == MT_AGG_SUM || g->agg->rule == MT_AGG_AVG;
   const MtX *x = g->arg && !g->distinct && (sums || g->agg->rule == MT_AGG_COUNT)
                     ? mt_bare_measure (g->arg)
                     : NULL;
   if (!x || w->mode != MT_CUT_AGGREGATE || w->layout->attached ||
       w->layout->presums != MT_PRESUMS_TRUST || w->bound_at[x->column] >= 0 ||
       stores_numbers (w, g, x->column))
      return false;
   const MtPreagg *agg = &last_level (w)->agg;
   for (size_t i = 0; i < agg->state_count; i++) {
      const MtCellState *s = &agg->states[i];
      if (s->argc == 1 && s->args[0].column == x->column &&
          numbers_of (s, w->table->columns[x->column].type.id, out) && (out->sum || !sums))
         return true;
   }
   return false;
}
