/* States that a level keeps (layouts/cell_state.h): which of them answers an aggregate. */
#include "planner/cut/way.h"

#include "layouts/cell_state.h"
#include "query/aggregate.h"
#include "query/condition.h"
#include "query/x.h"

#include <string.h>

/* Returns the column of an argument; -1: it is none. Analysis converts numbers to the aggregate's
 * type, as the writer of the layout does. */
static int column_of (const MtX *x, MtTypeId parameter)
{
   if (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) && x->call.argc == 1 &&
       x->type.id == parameter && mt_type_is_number (parameter) &&
       mt_type_is_number (x->call.args[0]->type.id))
      x = x->call.args[0];
   return x->kind == MT_X_COLUMN ? x->column : -1;
}

static bool same_arg (const MtX *x, const MtStateArg *kept, MtTypeId parameter)
{
   if (kept->column >= 0)
      return column_of (x, parameter) == kept->column;
   return x->kind == MT_X_CONST && mt_v_compare (x->value, kept->constant) == 0;
}

static bool same_call (const MtAggCall *g, const MtCellState *s)
{
   bool row = g->arg && g->arg->kind == MT_X_CALL && g->arg->call.fn == &mt_agg_row;
   int argc = row ? g->arg->call.argc : g->arg != NULL;
   bool same = argc == s->argc && strcmp (g->agg->op, s->acc->name) == 0;
   for (int i = 0; i < argc && same; i++)
      same = same_arg (row ? g->arg->call.args[i] : g->arg, &s->args[i], s->acc->types[i]);
   return same;
}

/* Returns whether a condition says that a column is equal to a constant. */
static bool fixes (const MtX *x, int column)
{
   return mt_x_is_equality (x) &&
          ((x->call.args[0]->kind == MT_X_COLUMN && x->call.args[0]->column == column &&
            x->call.args[1]->kind == MT_X_CONST) ||
           (x->call.args[1]->kind == MT_X_COLUMN && x->call.args[1]->column == column &&
            x->call.args[0]->kind == MT_X_CONST));
}

/* Returns whether all cells of a group have the same value of a column. */
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

const MtCellState *mt_way_state (const MtWay *w, const MtAggCall *g)
{
   const MtPreagg *agg = &w->levels[w->count - 1]->agg;
   if (w->mode != MT_CUT_AGGREGATE || w->layout->attached ||
       w->layout->presums != MT_PRESUMS_TRUST || !g->agg->state || g->distinct || g->order_count)
      return NULL;
   for (size_t i = 0; i < agg->state_count; i++)
      if (same_call (g, &agg->states[i]))
         return &agg->states[i];
   return NULL;
}
