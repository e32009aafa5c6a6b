/* Plans FROM items (VALUES, sub-selects, joins, functions) and the members of set operations. */
#include "planner/plan/blocks_int.h"

#include "planner/plan/apply.h"
#include "planner/plan/asof.h"
#include "planner/plan/join.h"
#include "planner/plan/lookup.h"
#include "planner/plan/setop.h"
#include "planner/plan/split.h"
#include "planner/plan/unnest.h"
#include "query/condition.h"
#include "query/window.h"
#include "query/x.h"

#include <math.h>
#include <string.h>

static bool from_join (MtPlanning *p, const MtRel *rel, int first, MtPlanBlock *b, MtPlace *places);

/* Plans VALUES that are not constant: one document gets an array of the rows, and $unwind makes
 * documents of them. */
static void values_of_row (MtPlanning *p, const bson_t *list, MtPlanBlock *b)
{
   bson_t *one = mt_doc_new (p->a), *rows = mt_doc_new (p->a), *root = mt_doc_new (p->a);
   mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   mt_doc_add_array (rows, "r", list);
   mt_pipe_add (b->pipe, "$project", rows);
   mt_pipe_add_value (b->pipe, "$unwind", mt_v_cstr ("$r"));
   mt_doc_add_text (root, "newRoot", "$r");
   mt_pipe_add (b->pipe, "$replaceRoot", root);
}

static bool from_values (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   bson_t *list = mt_doc_new (p->a);
   bool is_volatile = false;
   for (int r = 0; r < (q->rel.kind == MT_REL_NONE ? 1 : q->rel.row_count); r++) {
      bson_t *row = mt_doc_new (p->a);
      for (int i = 0; i < q->rel.column_count; i++) {
         MtEmit e = {.a = p->a, .err = p->err, .style = &p->settings->style};
         if (!mt_emit_value (&e, q->rel.rows[r][i], row, mt_target_field (p->a, i)))
            return false;
         is_volatile = is_volatile || q->rel.rows[r][i]->is_volatile;
      }
      mt_doc_add_doc (list, mt_printf (p->a, "%d", r), row);
   }
   if (is_volatile || mt_names_outer (list))
      values_of_row (p, list, b);
   else
      mt_pipe_add_value (b->pipe, "$documents", mt_v_array (list));
   b->rows = q->rel.kind == MT_REL_NONE ? 1 : q->rel.row_count;
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = mt_target_field (p->a, i),
                             .nullable = q->rel.columns[i].nullable,
                             .can_match = true};
   return true;
}

static bool from_query (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   if (!mt_plan_block (p, q->rel.query, b))
      return false;
   if (q->windows && !mt_window_emit (p->a, q, p->settings, b->pipe, places, p->err))
      return false;
   if (q->windows && b->outline)
      b->outline = mt_outline_windows (p->a, q, b->rows, b->pipe, b->outline);
   if (q->windows)
      return true;
   for (int i = 0; i < q->rel.column_count; i++) {
      int target = q->rel.targets ? q->rel.targets[i] : i;
      places[i] = (MtPlace) {.path = mt_target_field (p->a, target < 0 ? 0 : target),
                             .nullable = q->rel.columns[i].nullable,
                             .can_match = true};
   }
   return true;
}

/* Plans reading the newest rows of a recursive query, which are in a temporary collection with the
 * fields c0, c1 …. */
static bool from_work (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   b->collection = q->rel.work;
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {
         .path = mt_target_field (p->a, i), .nullable = true, .can_match = true};
   return true;
}

/* Plans a shared query (computed once, read several times) when it is used first. Returns its index
 * in p->sharing; -1: an error. */
static int plan_shared (MtPlanning *p, const MtShared *s, MtOutline **outline)
{
   MtSharedPlans *all = p->sharing;
   MtPlanBlock b;
   bson_t *spec = mt_doc_new (p->a);
   for (int i = 0; i < all->count; i++)
      if (all->planned[i].shared == s)
         return i;
   if (!mt_plan_block (p, s->query, &b))
      return -1;
   mt_doc_add_text (spec, "name", s->work);
   if (b.collection)
      mt_doc_add_text (spec, "coll", b.collection);
   mt_doc_add_array (spec, "pipeline", b.pipe->stages);
   all->list = all->list ? all->list : mt_doc_new (p->a);
   all->rows = s->rows;
   mt_doc_add_doc (all->list, mt_printf (p->a, "%d", all->count), spec);
   MT_GROW_IN (p->a, all->planned, all->count, all->cap, 8);
   all->planned[all->count] = (struct SharedPlan) {s, b.rows};
   *outline = b.outline;
   return all->count++;
}

static bool from_shared (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   bson_t *one = mt_doc_new (p->a), *spec = mt_doc_new (p->a);
   const MtShared *s = q->rel.shared;
   MtOutline *outline = NULL;
   int at = plan_shared (p, s, &outline);
   if (at < 0)
      return false;
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = mt_target_field (p->a, i),
                             .nullable = q->rel.columns[i].nullable,
                             .can_match = true};
   mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   mt_doc_add_text (spec, "name", s->work);
   mt_pipe_add (b->pipe, "$_mtRead", spec);
   b->rows = p->sharing->planned[at].rows;
   if (p->settings->outline) {
      b->outline = mt_outline_item (p->a, &q->rel, b->rows, b->pipe);
      mt_outline_add (b->outline, outline);
   }
   return true;
}

/* Plans generate_series as a stage that generates the values. */
static bool from_series (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   const MtSeries *s = q->rel.series;
   bson_t *one = mt_doc_new (p->a), *spec = mt_doc_new (p->a);
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = mt_target_field (p->a, i), .can_match = true};
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = places};
   if (!s->empty)
      mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   b->rows = 1000; /* a guess: few rows compared with a table */
   if (s->empty)
      return true;
   if (!mt_emit_value (&emit, s->start, spec, "start") ||
       !mt_emit_value (&emit, s->stop, spec, "stop") ||
       !mt_emit_value (&emit, s->next, spec, "next"))
      return false;
   if (s->down)
      mt_doc_add (spec, "down", mt_v_bool (true));
   mt_doc_add_text (spec, "as", places[0].path);
   if (q->rel.column_count > 1)
      mt_doc_add_text (spec, "ordinal", places[1].path);
   mt_pipe_add (b->pipe, "$_mtSeries", spec);
   return true;
}

/* Plans a read of a table in pg_catalog. Its rows are constants in the plan. */
static bool from_system (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   bson_t *one = mt_doc_new (p->a), *spec = mt_doc_new (p->a);
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = q->rel.fields[i], .nullable = true, .can_match = true};
   mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   mt_doc_add_text (spec, "name", q->rel.work);
   mt_doc_add (spec, "documents", q->rel.given);
   mt_pipe_add (b->pipe, "$_mtTable", spec);
   b->rows = (double) mt_doc_count (q->rel.given);
   return true;
}

void mt_union_with (MtPlanning *p, MtPipe *pipe, const MtPlanBlock *other)
{
   bson_t *u = mt_doc_new (p->a);
   if (other->collection)
      mt_doc_add_text (u, "coll", other->collection);
   mt_doc_add_array (u, "pipeline", other->pipe->stages);
   mt_pipe_add (pipe, "$unionWith", u);
}

/* Plans WITH RECURSIVE: a stage that runs the recursive query on the newest rows again and again,
 * until it returns none. */
static bool from_recursion (MtPlanning *p, const MtQuery *q, MtPlanBlock *b)
{
   MtPlanBlock step = {.pipe = mt_pipe_new (p->a)};
   bson_t *spec = mt_doc_new (p->a);
   if (!mt_plan_block (p, q->arms[0], b) || !mt_plan_block (p, q->arms[1], &step))
      return false;
   mt_doc_add_text (spec, "as", q->work);
   if (step.collection)
      mt_doc_add_text (spec, "coll", step.collection);
   mt_doc_add (spec, "all", mt_v_bool (q->work_all));
   mt_doc_add_array (spec, "pipeline", step.pipe->stages);
   mt_pipe_add (b->pipe, "$_mtRecursive", spec);
   if (b->outline) {
      b->outline = mt_outline_step (p->a, mt_outline_set_name (q), "", 0, b->pipe, b->outline);
      mt_outline_add (b->outline, step.outline);
   }
   return true;
}

/* Plans the members of a set operation. Each returns the fields c0, c1 …. */
static bool from_arms (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   if (q->work && !from_recursion (p, q, b))
      return false;
   MtPlanBlock part = *b; /* at most MT_ARMS_TOGETHER members, in one pipeline */
   MtOutline *set = NULL;
   for (int i = 0; i < q->arm_count && !q->work; i++) {
      MtPlanBlock arm = {.pipe = mt_pipe_new (p->a)};
      if (!mt_plan_block (p, q->arms[i], i == 0 ? b : &arm))
         return false;
      if (i == 0 && b->outline)
         set = mt_outline_step (p->a, mt_outline_set_name (q), "", 0, b->pipe, b->outline);
      if (q->times)
         mt_setop_mark ((i == 0 ? b : &arm)->pipe, i);
      b->rows += i ? arm.rows : 0;
      if (i % MT_ARMS_TOGETHER)
         mt_union_with (p, part.pipe, &arm);
      else {
         if (i > MT_ARMS_TOGETHER)
            mt_union_with (p, b->pipe, &part);
         part = i ? arm : *b;
      }
      if (i && set) {
         mt_outline_add (set, arm.outline);
         arm.outline->run_by = q->arm_count > MT_ARMS_TOGETHER ? -1 : arm.outline->run_by;
      }
   }
   b->kept = 0;
   if (q->arm_count > MT_ARMS_TOGETHER)
      mt_union_with (p, b->pipe, &part);
   if (q->times)
      mt_setop_count (q, b->pipe);
   if (set) {
      b->outline = set;
      set->end = b->pipe->count;
      set->rows = b->rows;
   }
   for (int i = 0; i < q->arms[0]->visible_count; i++)
      places[i] = (MtPlace) {
         .path = mt_target_field (p->a, i), .nullable = true, .can_match = true};
   return true;
}

/* Plans one side of a join. Its columns become the fields j<n>, where n counts the columns of the
 * whole join; `first` is the side's first n. */
static bool from_side (MtPlanning *p, const MtRel *rel, int first, MtPlanBlock *b, MtPlace *places)
{
   if (rel->kind == MT_REL_JOIN)
      return from_join (p, rel, first, b, places);
   if (!mt_plan_block (p, rel->query, b))
      return false;
   bson_t *project = mt_doc_new (p->a);
   mt_doc_add_int (project, "_id", 0);
   for (int i = 0; i < rel->column_count; i++) {
      int target = rel->targets ? rel->targets[i] : i;
      const char *field = target < 0 ? NULL : mt_printf (p->a, "j%d", first + i);
      places[first + i] = (MtPlace) {
         .path = field, .nullable = rel->columns[i].nullable, .can_match = true};
      if (field)
         mt_doc_add_path (p->a, project, field, mt_target_field (p->a, target));
   }
   if (bson_count_keys (project) == 1)
      mt_doc_add (project, "j", mt_v_bool (true));
   mt_pipe_add (b->pipe, "$project", project);
   return true;
}

/* Returns whether a hash join keeps its left side in memory, because it has fewer rows. For EXISTS
 * (which marks rows) and scalar sub-selects it always keeps the right side. */
static bool keep_first_side (const MtJoin *j, const MtPlanBlock *left, const MtPlanBlock *right)
{
   return !j->mark && !j->single && left->rows > 0 && left->rows * 2 < right->rows;
}

/* Writes the body of $_mtJoin to spec. swap: the left side is kept in memory. places: for each
 * column of the join, its field. */
static bool join_spec (MtPlanning *p, const MtRel *rel, bool swap, const MtPlanBlock *other,
                       const MtPlace *places, bson_t *spec)
{
   const MtJoin *j = rel->join;
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = places};
   MtJoinStage stage = {.collection = other->collection,
                        .pipeline = other->pipe->stages,
                        .on = j->on,
                        .left_count = j->left->column_count,
                        .swapped = swap,
                        .keep_left = swap ? j->keep_right : j->keep_left,
                        .keep_right = swap ? j->keep_left : j->keep_right,
                        .mark = j->mark ? places[rel->column_count - 1].path : NULL,
                        .single = j->single};
   return mt_join_emit (&emit, &stage, rel, places, spec);
}

/* Estimates how many rows of a block meet its filters; at least one. 0: unknown. */
static double kept_rows (const MtPlanBlock *b)
{
   double kept = b->kept > 0 ? b->rows * b->kept : b->rows;
   return b->rows > 0 && kept < 1 ? 1 : kept;
}

/* For a server, finding the matches of one row by an index costs as much as sending this many
 * rows. */
#define ROWS_A_SEEK 20

/* Returns whether the join condition compares arrays for equality. $lookup's localField would
 * compare their elements instead. */
static bool equates_arrays (MtArena *a, MtX *on)
{
   int n;
   MtX **parts = mt_conjuncts (a, on, &n);
   bool found = false;
   for (int i = 0; i < n && !found; i++)
      found = mt_x_is_equality (parts[i]) && mt_type_is_array (parts[i]->call.args[0]->type.id);
   return found;
}

/* Plans a join as a $lookup on the server, if few rows find their matches by an index, or if the
 * whole query must run on the server. False: $lookup is not possible or too slow. */
static bool looked_up (MtPlanning *p, const MtRel *rel, const bson_t *spec, const MtPlanBlock *rows,
                       const MtPlanBlock *other, MtPipe *pipe)
{
   const MtPlanSettings *s = p->settings;
   if (!mt_lookup_can (p->a, p->caps, spec) ||
       !mt_server_has (p->a, p->caps, mt_v_array (rows->pipe->stages)))
      return false;
   const char *field = equates_arrays (p->a, rel->join->on) ? NULL : mt_lookup_field (p->a, spec);
   /* The share of rows that meet the filters is a guess. The geometric mean with all rows limits
    * the loss if it is wrong. */
   double seeks = sqrt (rows->rows * kept_rows (rows));
   bool few = field && seeks > 0 && seeks * ROWS_A_SEEK <= other->rows && s->indexed &&
              s->indexed (s->indexed_ctx, other->collection, field);
   if (few || s->require_full_pushdown)
      mt_lookup_emit (p->a, spec, field, pipe);
   return few || s->require_full_pushdown;
}

/* Plans the join of two sides into *b: as a $lookup, with either side first, if that is possible
 * and fast; otherwise as a hash join. */
static bool pair (MtPlanning *p, const MtRel *rel, MtPlanBlock sides[2], const MtPlace *places,
                  MtPlanBlock *b)
{
   bool hashed = keep_first_side (rel->join, &sides[0], &sides[1]), orders[] = {hashed, !hashed};
   double rows = fmax (sides[0].rows, sides[1].rows);
   double kept = rows > 0 ? fmax (kept_rows (&sides[0]), kept_rows (&sides[1])) / rows : 0;
   bson_t *specs[2];
   for (int i = 0; i < (p->caps->local_operators ? 1 : 2); i++) {
      bool swap = orders[i];
      specs[i] = mt_doc_new (p->a);
      if (!join_spec (p, rel, swap, &sides[!swap], places, specs[i]))
         return false;
      *b = sides[swap];
      b->rows = rows;
      b->kept = kept;
      if (looked_up (p, rel, specs[i], &sides[swap], &sides[!swap], b->pipe)) {
         if (b->outline)
            b->outline = mt_outline_join (p->a, &(MtJoinStep) {rel, swap, true, rows}, b->pipe,
                                          b->outline, sides[!swap].outline);
         return true;
      }
   }
   *b = sides[hashed];
   b->rows = rows;
   b->kept = kept;
   mt_pipe_add (b->pipe, "$_mtJoin", specs[0]);
   if (b->outline)
      b->outline = mt_outline_join (p->a, &(MtJoinStep) {rel, hashed, false, rows}, b->pipe,
                                    b->outline, sides[!hashed].outline);
   return true;
}

static bool asof (MtPlanning *p, const MtRel *rel, MtPlanBlock sides[2], MtPlace *places,
                  MtPlanBlock *b)
{
   MtAsof parts;
   const char *why;
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = places};
   if (!mt_asof_parts (p->a, rel->join, &parts, &why))
      return mt_error (p->err, MT_E_INTERNAL, "the condition of an ASOF join has changed");
   for (int i = 0; i < 2; i++)
      if (!mt_asof_mark (&emit, &parts, i == 1, sides[i].pipe))
         return false;
   *b = sides[0];
   mt_union_with (p, b->pipe, &sides[1]);
   if (b->outline)
      b->outline = mt_outline_join (p->a, &(MtJoinStep) {rel, false, false, sides[0].rows}, b->pipe,
                                    b->outline, sides[1].outline);
   mt_asof_pair (p->a, &parts, rel, places, b->pipe);
   if (b->outline)
      b->outline->end = b->pipe->count;
   for (int i = rel->join->left->column_count; i < rel->column_count; i++)
      places[i].nullable = places[i].may_be_missing = places[i].nullable || rel->join->keep_left;
   return true;
}

/* Plans a join whose right side runs again for each left row ($_mtApply). */
static bool apply (MtPlanning *p, const MtRel *rel, MtPlanBlock sides[2], MtPlace *places,
                   MtPlanBlock *b)
{
   const MtJoin *j = rel->join;
   bson_t *spec = mt_doc_new (p->a);
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = places};
   MtApplied right = {sides[1].collection, sides[1].pipe->stages,
                      j->mark ? places[rel->column_count - 1].path : NULL};
   *b = sides[0];
   if (!mt_apply_emit (&emit, rel, places, &right, spec))
      return false;
   mt_pipe_add (b->pipe, "$_mtApply", spec);
   if (!j->mark && !j->single) /* the number of matches is unknown */
      b->rows = 0;
   if (b->outline)
      b->outline = mt_outline_apply (p->a, rel, b->rows, b->pipe, b->outline, sides[1].outline);
   for (int i = j->left->column_count; i < rel->column_count - j->mark; i++)
      places[i].nullable = places[i].may_be_missing = places[i].nullable || j->keep_left;
   return true;
}

static bool from_join (MtPlanning *p, const MtRel *rel, int first, MtPlanBlock *b, MtPlace *places)
{
   const MtJoin *j = rel->join;
   MtPlanBlock sides[2] = {{.pipe = mt_pipe_new (p->a)}, {.pipe = mt_pipe_new (p->a)}};
   int middle = first + j->left->column_count, end = first + rel->column_count;
   if (!from_side (p, j->left, first, &sides[0], places) ||
       !from_side (p, j->right, middle, &sides[1], places))
      return false;
   if (j->mark)
      places[end - 1] = (MtPlace) {.path = mt_printf (p->a, "j%d", end - 1), .can_match = true};
   if (j->apply)
      return apply (p, rel, sides, places + first, b);
   if (j->asof)
      return asof (p, rel, sides, places + first, b);
   if (!pair (p, rel, sides, places + first, b))
      return false;
   for (int i = first; i < end - j->mark; i++)
      places[i].nullable = places[i].may_be_missing = places[i].nullable ||
                                                      (i < middle ? j->keep_right : j->keep_left);
   return true;
}

static bool from_input (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   switch (q->rel.kind) {
   case MT_REL_JOIN: return from_join (p, &q->rel, 0, b, places);
   case MT_REL_NONE: return from_values (p, q, b, places);
   default: return from_query (p, q, b, places);
   }
}

/* Plans set-returning functions that are called for each row of a sub-select or join. */
static bool from_unnest (MtPlanning *p, const MtRel *rel, MtPlanBlock *b, MtPlace *places)
{
   MtQuery around = {.rel = *rel->unnest->input};
   if (!from_input (p, &around, b, places))
      return false;
   b->rows *= 10; /* PostgreSQL's guess for the elements of an array */
   if (!mt_unnest_emit (p->a, rel, &p->settings->style, places, b->pipe, p->err))
      return false;
   if (b->outline)
      b->outline = mt_outline_step (p->a, "ProjectSet", "", b->rows, b->pipe, b->outline);
   return true;
}

bool mt_plan_from (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places)
{
   if (q->arm_count)
      return from_arms (p, q, b, places);
   switch (q->rel.kind) {
   case MT_REL_QUERY: return from_query (p, q, b, places);
   case MT_REL_JOIN: return from_join (p, &q->rel, 0, b, places);
   case MT_REL_SERIES: return from_series (p, q, b, places);
   case MT_REL_UNNEST: return from_unnest (p, &q->rel, b, places);
   case MT_REL_WORK: return from_work (p, q, b, places);
   case MT_REL_SHARED: return from_shared (p, q, b, places);
   case MT_REL_SYSTEM: return from_system (p, q, b, places);
   case MT_REL_NONE:
   case MT_REL_TABLE:
   case MT_REL_VALUES: break;
   }
   return from_values (p, q, b, places);
}
