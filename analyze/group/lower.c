/* Splits a query block in two. The inner block, a sub-select, has FROM, WHERE, GROUP BY and HAVING.
 * The outer block computes window calls, or joins sub-selects to the grouped rows. */
#include "analyze/group/blocks.h"
#include "query/window.h"

typedef struct Below {
   MtBinder *b;
   MtQuery *inner;
   int cap;
   int calls;  /* how many columns come before those that the sub-select adds */
   bool waits; /* window calls aren't moved into the sub-select */
} Below;

/* Returns a reference to the column of the sub-select that contains x. Adds x to the sub-select's
 * select list if it is missing. */
static MtX *column_of (Below *below, MtX *x)
{
   MtQuery *q = below->inner;
   MtArena *a = below->b->a;
   int i = 0;
   while (i < q->target_count && (x->is_volatile || !mt_x_equal (q->targets[i].expr, x)))
      i++;
   MT_GROW_IN (a, q->targets, i, below->cap, 8);
   if (i == q->target_count)
      q->targets[q->target_count++] = (MtTargetX) {mt_printf (a, "column%d", i + 1), x};
   MtX *c = mt_x_new (a, MT_X_COLUMN, x->type, x->span);
   c->column = below->calls + i;
   mt_x_refers (c, x);
   return c;
}

static bool whole_below (void *ctx, MtX **x)
{
   *x = column_of (ctx, *x);
   return true;
}

/* Replaces columns, keys and aggregates in *x by references to columns of the sub-select, and
 * window calls by references to the columns of their results. If below->waits, window calls stay.
 * Changes a copy of the tree. */
static bool leaves_below (void *ctx, MtX **x)
{
   Below *below = ctx;
   MtX *o = *x;
   if ((o->kind == MT_X_COLUMN && o->column >= MT_PENDING_COLUMN) ||
       (o->kind == MT_X_WINDOW && below->waits))
      return true;
   if (o->kind == MT_X_COLUMN || o->kind == MT_X_KEY || o->kind == MT_X_AGG) {
      *x = column_of (below, o);
      return true;
   }
   if (o->kind == MT_X_WINDOW) {
      *x = mt_x_new (below->b->a, MT_X_COLUMN, o->type, o->span);
      (*x)->column = o->index;
      mt_x_refers (*x, o);
      return true;
   }
   return mt_x_map_children (below->b, x, leaves_below, below);
}

static bool split_windows (Below *below, MtWindows *w)
{
   MtWindows calls = *w, defs = *w;
   calls.def_count = defs.call_count = 0;
   return mt_windows_each (&defs, whole_below, below) &&
          mt_windows_each (&calls, leaves_below, below);
}

static void window_columns (MtArena *a, const MtWindows *w, const MtQuery *inner, MtRel *rel)
{
   *rel = (MtRel) {.kind = MT_REL_QUERY, .alias = "unnamed", .query = (MtQuery *) inner};
   rel->column_count = w->call_count + inner->target_count;
   rel->columns = MT_NEW_N (a, MtRelColumn, (size_t) rel->column_count + 1);
   rel->targets = MT_NEW_N (a, int, (size_t) rel->column_count + 1);
   for (int i = 0; i < rel->column_count; i++)
      rel->targets[i] = i < w->call_count ? -1 : i - w->call_count;
   for (int i = 0; i < w->call_count; i++)
      rel->columns[i] = mt_column_computed (mt_printf (a, "window%d", i + 1), w->calls[i].type,
                                            true, false);
   for (int i = 0; i < inner->target_count; i++)
      rel->columns[w->call_count + i] = mt_rel_column_target (inner, i);
}

static MtQuery *inner_of (MtArena *a, const MtQuery *q)
{
   MtQuery *inner = MT_NEW (a, MtQuery);
   *inner = (MtQuery) {.arms = q->arms,
                       .arm_count = q->arm_count,
                       .times = q->times,
                       .rel = q->rel,
                       .where = q->where,
                       .grouped = q->grouped,
                       .keys = q->keys,
                       .key_count = q->key_count,
                       .aggs = q->aggs,
                       .agg_count = q->agg_count,
                       .having = q->having,
                       .gapfill = q->gapfill,
                       .limit = -1};
   return inner;
}

void mt_clear_lower (MtQuery *q)
{
   q->arms = NULL;
   q->arm_count = 0;
   q->times = NULL;
   q->where = q->having = NULL;
   q->grouped = false;
   q->gapfill = NULL;
   q->keys = NULL;
   q->aggs = NULL;
   q->key_count = q->agg_count = 0;
}

bool mt_window_query (MtBinder *b, MtQuery *q)
{
   MtWindows *w = q->windows;
   if (!w)
      return true;
   MtQuery *inner = inner_of (b->a, q);
   Below below = {.b = b, .inner = inner, .calls = w->call_count};
   if (!split_windows (&below, w) || !mt_results_each (q, leaves_below, &below))
      return false;
   inner->visible_count = inner->target_count;
   mt_clear_lower (q);
   window_columns (b->a, w, inner, &q->rel);
   return true;
}

bool mt_lower_query (MtBinder *b, MtQuery *q, MtX **list, int count)
{
   MtWindows none = {.call_count = 0};
   MtQuery *inner = inner_of (b->a, q);
   Below below = {.b = b, .inner = inner, .waits = true};
   for (int i = 0; i < count; i++)
      if (!leaves_below (&below, &list[i]))
         return false;
   if (!mt_results_each (q, leaves_below, &below) ||
       (q->windows && !mt_windows_each (q->windows, leaves_below, &below)))
      return false;
   inner->visible_count = inner->target_count;
   mt_clear_lower (q);
   window_columns (b->a, &none, inner, &q->rel);
   return true;
}

bool mt_qualify_query (MtBinder *b, MtQuery *q)
{
   MtWindows *windows = q->windows;
   MtX *condition = q->targets[--q->target_count].expr;
   q->windows = NULL;
   if (!mt_lower_query (b, q, &condition, 1))
      return false;
   q->rel.query->windows = windows;
   q->where = condition;
   return true;
}
