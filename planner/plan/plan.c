/* Plans queries. The stages of a query block return documents with a field c0, c1 … for each item
 * of its select list. */
#include "planner/plan/blocks_int.h"

#include "planner/plan/group.h"
#include "planner/plan/refuse.h"
#include "planner/plan/split.h"
#include "planner/rewrite/early.h"
#include "planner/rewrite/top.h"
#include "query/window.h"
#include "query/x.h"

#include <string.h>

static bool plan_rows (MtPlanning *p, const MtQuery *q, MtPlanBlock *b)
{
   int columns = q->arm_count ? q->arms[0]->visible_count : q->rel.column_count;
   MtPlace *places = MT_NEW_N (p->a, MtPlace, (size_t) columns + 1);
   if (!mt_plan_from (p, q, b, places))
      return false;
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = places};
   if (p->settings->outline && !b->outline)
      b->outline = mt_outline_item (p->a, &q->rel, b->rows, b->pipe);
   if (q->where) {
      bson_t *match = mt_doc_new (p->a);
      if (!mt_emit_match (&emit, q->where, match))
         return false;
      if (!bson_empty (match))
         mt_pipe_add (b->pipe, "$match", match);
      if (b->outline)
         b->outline = mt_outline_where (p->a, q, b->pipe, b->outline);
   }
   if (q->grouped) {
      MtGrouping g = {.a = p->a,
                      .q = q,
                      .own = p->settings->caps->local_operators,
                      .lists = mt_group_lists (p->settings),
                      .on_server = p->settings->require_full_pushdown};
      MtSourcePlaces src = {&emit, NULL, NULL};
      if (!mt_group_emit (&g, &src, b->pipe, p->err))
         return false;
      mt_group_finish (&g, b->pipe);
      emit = (MtEmit) {.a = p->a,
                       .err = p->err,
                       .style = &p->settings->style,
                       .keys = g.keys,
                       .aggs = g.aggs,
                       .lists = g.lists};
      if (b->outline)
         b->outline = mt_outline_group (p->a, q, q->key_count ? 0 : 1, b->pipe, b->outline);
   }
   return mt_end_block (p->a, q, &emit, b->pipe, &b->outline, p->err);
}

/* Returns the estimated number of cells (entries of the chosen level) that a block over one table
 * reads. Negative: it can't be planned. */
static double cells_of (const MtPlanning *p, const MtQuery *q)
{
   MtError ignored;
   MtSharedPlans sharing = {0};
   MtPlanning trial = {
      .a = p->a, .settings = p->settings, .caps = p->caps, .sharing = &sharing, .err = &ignored};
   MtPlanBlock b;
   mt_error_clear (&ignored);
   return mt_plan_block (&trial, q, &b) ? mt_chosen_cells (&trial.candidates) : -1;
}

/* A join side is grouped before the join if this reads fewer cells (array or map elements) by this
 * factor. */
#define CELLS_SAVED 4

/* Returns q rewritten so that one side of its join is grouped before the join: the side where this
 * saves most cells (entries to read). Returns q itself if no side saves enough. */
static const MtQuery *grouped_early (const MtPlanning *p, const MtQuery *q)
{
   MtEarlySide side;
   const MtQuery *best = q;
   double most = 0;
   for (int i = 0; p->settings->optimize && mt_group_early (p->a, q, i, &side); i++) {
      double groups = side.query ? cells_of (p, side.groups) : -1,
             rows = groups < 0 ? 0 : cells_of (p, side.rows);
      if (groups >= 0 && groups * CELLS_SAVED <= rows && rows - groups > most) {
         most = rows - groups;
         best = side.query;
      }
   }
   return best;
}

bool mt_plan_block (MtPlanning *p, const MtQuery *q, MtPlanBlock *out)
{
   if (!mt_cancel_check (p->settings->cancel, p->err))
      return false;
   if (q->grouped && q->rel.kind == MT_REL_JOIN) {
      const MtQuery *early = grouped_early (p, q);
      if (early != q)
         return mt_plan_block (p, early, out);
   }
   if (p->settings->optimize)
      q = mt_push_top (p->a, q);
   *out = (MtPlanBlock) {.pipe = mt_pipe_new (p->a)};
   if (!(q->arm_count == 0 && q->rel.kind == MT_REL_TABLE ? mt_plan_table (p, q, out)
                                                          : plan_rows (p, q, out)))
      return false;
   if (q->limit >= 0 && !q->with_ties && (out->rows <= 0 || out->rows > (double) q->limit))
      out->rows = q->limit ? (double) q->limit : 1;
   return true;
}

/* Inserts the stage $_mtWith, which computes the shared queries of `list`, before the block's other
 * stages. */
static void name_first (MtArena *a, const bson_t *list, MtPlanBlock *b)
{
   MtPipe *all = mt_pipe_new (a);
   bson_iter_t it, stage;
   mt_pipe_add_value (all, "$_mtWith", mt_v_array (list));
   for (bson_iter_init (&it, b->pipe->stages);
        bson_iter_next (&it) && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage);)
      mt_pipe_add_value (all, bson_iter_key (&stage), mt_v_from_iter (&stage));
   mt_outline_shift (b->outline, b->pipe);
   *b->pipe = *all;
}

bool mt_plan_query (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPlan **out,
                    MtError *err)
{
   MtSharedPlans sharing = {0};
   MtPlanning p = {.a = a,
                   .settings = settings,
                   .caps = mt_caps_for (a, settings, q),
                   .top = q,
                   .sharing = &sharing,
                   .err = err};
   MtPlanBlock b = {0};
   if (!mt_plan_block (&p, q, &b))
      return false;
   if (sharing.list)
      name_first (a, sharing.list, &b);
   MtPlan *plan = MT_NEW (a, MtPlan);
   plan->shared = sharing.rows;
   plan->collection = b.collection;
   plan->remote = b.pipe->stages;
   plan->outline = b.outline;
   if (b.outline && !settings->caps->local_operators)
      mt_outline_place (a, p.caps, b.outline);
   if (!settings->caps->local_operators)
      b.walks ? mt_plan_split_arms (a, p.caps, plan) : mt_plan_split (a, p.caps, plan);
   bool here = plan->local || plan->arm_count ||
               (!settings->caps->local_operators && mt_is_temporary (plan->collection));
   if (here && settings->require_full_pushdown)
      return mt_refuse_here (a, q, p.caps, b.pipe->stages, plan->outline, err);
   plan->column_count = q->visible_count;
   plan->columns = MT_NEW_N (a, MtRelColumn, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++) {
      const MtTargetX *t = &q->targets[i];
      plan->columns[i] = mt_rel_column_of (t->name, t->expr);
      if (q->origins)
         plan->columns[i].origin = q->origins[i];
   }
   plan->candidates = p.candidates.list;
   plan->candidate_count = p.candidates.count;
   *out = plan;
   return true;
}

static void add_arm (MtArena *a, const MtPlanArm *arm, MtFieldsRead *out)
{
   for (int i = 0; i < arm->arm_count; i++)
      add_arm (a, &arm->arms[i], out);
   mt_fields_read (a, arm->collection, arm->remote, arm->local, out);
}

MtFieldsRead mt_plan_fields (MtArena *a, const MtPlan *p)
{
   MtFieldsRead out = {0};
   MtPlanArm whole = mt_whole_plan (p);
   add_arm (a, &whole, &out);
   return out;
}
