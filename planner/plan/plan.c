#include "planner/plan/plan.h"

#include "layouts/expire.h"
#include "planner/plan/apply.h"
#include "planner/plan/asof.h"
#include "planner/cut/choose.h"
#include "query/condition.h"
#include "planner/rewrite/early.h"
#include "planner/emit/emit.h"
#include "planner/cut/ends.h"
#include "planner/plan/group.h"
#include "planner/plan/join.h"
#include "planner/plan/lookup.h"
#include "planner/plan/outline.h"
#include "planner/cut/parts.h"
#include "planner/plan/plan_int.h"
#include "planner/cut/scan.h"
#include "planner/plan/setop.h"
#include "planner/plan/split.h"
#include "planner/plan/unnest.h"
#include "query/window.h"
#include "query/x.h"

#include <string.h>

/* Plans blocks. A block becomes stages whose documents have the fields c0, c1 … for its targets. */

typedef struct Planning {
   MtArena *a;
   const MtPlanSettings *settings;
   const MtCaps *caps; /* what the engine can do for this query */
   MtCandidates candidates;
   const MtQuery *top;
   struct Sharing *sharing;
   MtError *err;
} Planning;

/* Shared rows, which are computed once: the body of $_mtWith. Each entry reads only entries
 * before it. */
typedef struct Sharing {
   bson_t *list;
   MtSharedRows *rows;
   struct SharedPlan {
      const MtShared *shared;
      double rows; /* as in Block */
   } *planned;
   int count, cap;
} Sharing;

/* Stages, and the collection that they read. NULL: they begin with $documents. */
typedef struct Block {
   const char *collection;
   MtPipe *pipe;
   double rows;        /* estimated maximum of its rows; 0: not known */
   bool walks;         /* its arms are read in order, one after the other */
   MtOutline *outline; /* set if the settings request one */
} Block;

static bool plan_block (Planning *p, const MtQuery *q, Block *out);
static bool from_join (Planning *p, const MtRel *rel, int first, Block *b, MtPlace *places);

/* ---- FROM ---- */

/* Rows that aren't constant are an array in one document: they refer to the row around them, or
 * are computed anew each time. */
static void values_of_row (Planning *p, const bson_t *list, Block *b)
{
   bson_t *one = mt_doc_new (p->a), *rows = mt_doc_new (p->a), *root = mt_doc_new (p->a);
   mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   mt_doc_add_array (rows, "r", list);
   mt_pipe_add (b->pipe, "$project", rows);
   mt_pipe_add_value (b->pipe, "$unwind", mt_v_str ("$r", 2));
   mt_doc_add (root, "newRoot", mt_v_str ("$r", 2));
   mt_pipe_add (b->pipe, "$replaceRoot", root);
}

static bool from_values (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
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

static bool from_query (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
{
   if (!plan_block (p, q->rel.query, b))
      return false;
   if (q->windows && !mt_window_emit (p->a, q, &p->settings->style, b->pipe, places, p->err))
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

/* The rows that a recursive query made last: a collection of documents with the fields c0, c1 … */
static bool from_work (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
{
   b->collection = q->rel.work;
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {
         .path = mt_target_field (p->a, i), .nullable = true, .can_match = true};
   return true;
}

/* Plans the query of shared rows, unless it is planned already. Returns its number; -1: an
 * error. */
static int plan_shared (Planning *p, const MtShared *s, MtOutline **outline)
{
   Sharing *all = p->sharing;
   Block b;
   bson_t *spec = mt_doc_new (p->a);
   for (int i = 0; i < all->count; i++)
      if (all->planned[i].shared == s)
         return i;
   if (!plan_block (p, s->query, &b))
      return -1;
   mt_doc_add (spec, "name", mt_v_str (s->work, strlen (s->work)));
   if (b.collection)
      mt_doc_add (spec, "coll", mt_v_str (b.collection, strlen (b.collection)));
   mt_doc_add_array (spec, "pipeline", b.pipe->stages);
   all->list = all->list ? all->list : mt_doc_new (p->a);
   all->rows = s->rows;
   mt_doc_add_doc (all->list, mt_printf (p->a, "%d", all->count), spec);
   MT_GROW_IN (p->a, all->planned, all->count, all->cap, 8);
   all->planned[all->count] = (struct SharedPlan) {s, b.rows};
   *outline = b.outline;
   return all->count++;
}

static bool from_shared (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
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
   mt_doc_add (spec, "name", mt_v_str (s->work, strlen (s->work)));
   mt_pipe_add (b->pipe, "$_mtRead", spec);
   b->rows = p->sharing->planned[at].rows;
   if (p->settings->outline) {
      b->outline = mt_outline_item (p->a, &q->rel, b->rows, b->pipe);
      mt_outline_add (b->outline, outline);
   }
   return true;
}

/* generate_series: a stage that makes the values. */
static bool from_series (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
{
   const MtSeries *s = q->rel.series;
   bson_t *one = mt_doc_new (p->a), *spec = mt_doc_new (p->a);
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = mt_target_field (p->a, i), .can_match = true};
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = places};
   if (!s->empty)
      mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   b->rows = 1000; /* few rows, compared with a table */
   if (s->empty)
      return true;
   if (!mt_emit_value (&emit, s->start, spec, "start") ||
       !mt_emit_value (&emit, s->stop, spec, "stop") ||
       !mt_emit_value (&emit, s->next, spec, "next"))
      return false;
   if (s->down)
      mt_doc_add (spec, "down", mt_v_bool (true));
   mt_doc_add (spec, "as", mt_v_str (places[0].path, strlen (places[0].path)));
   if (q->rel.column_count > 1)
      mt_doc_add (spec, "ordinal", mt_v_str (places[1].path, strlen (places[1].path)));
   mt_pipe_add (b->pipe, "$_mtSeries", spec);
   return true;
}

/* A table of the catalog: its rows are a part of the plan. */
static bool from_system (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
{
   bson_t *one = mt_doc_new (p->a), *spec = mt_doc_new (p->a);
   for (int i = 0; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = q->rel.fields[i], .nullable = true, .can_match = true};
   mt_doc_add_doc (one, "0", mt_doc_new (p->a));
   mt_pipe_add_value (b->pipe, "$documents", mt_v_array (one));
   mt_doc_add (spec, "name", mt_v_str (q->rel.work, strlen (q->rel.work)));
   mt_doc_add (spec, "documents", q->rel.given);
   mt_pipe_add (b->pipe, "$_mtTable", spec);
   b->rows = (double) mt_doc_count (q->rel.given);
   return true;
}

static void union_with (Planning *p, MtPipe *pipe, const Block *other)
{
   bson_t *u = mt_doc_new (p->a);
   if (other->collection)
      mt_doc_add (u, "coll", mt_v_str (other->collection, strlen (other->collection)));
   mt_doc_add_array (u, "pipeline", other->pipe->stages);
   mt_pipe_add (pipe, "$unionWith", u);
}

/* WITH RECURSIVE: the second arm is a stage that repeats over the rows made so far. */
static bool from_recursion (Planning *p, const MtQuery *q, Block *b)
{
   Block step = {.pipe = mt_pipe_new (p->a)};
   bson_t *spec = mt_doc_new (p->a);
   if (!plan_block (p, q->arms[0], b) || !plan_block (p, q->arms[1], &step))
      return false;
   mt_doc_add (spec, "as", mt_v_str (q->work, strlen (q->work)));
   if (step.collection)
      mt_doc_add (spec, "coll", mt_v_str (step.collection, strlen (step.collection)));
   mt_doc_add (spec, "all", mt_v_bool (q->work_all));
   mt_doc_add_array (spec, "pipeline", step.pipe->stages);
   mt_pipe_add (b->pipe, "$_mtRecursive", spec);
   if (b->outline) {
      b->outline = mt_outline_step (p->a, mt_outline_set_name (q), "", 0, b->pipe, b->outline);
      mt_outline_add (b->outline, step.outline);
   }
   return true;
}

#define ARMS_TOGETHER 250 /* servers accept at most 1,000 stages in a pipeline */
/* Servers' time for a union grows with the number of unions in its pipeline
 * (decisions/0014-unions.md). The months of a year are united flat; more arms are united in
 * shares. */
#define ARMS_FLAT 12
#define SHARES 5

/* Set operations: every arm has the fields c0, c1 …, which are the block's columns. */
static bool from_arms (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
{
   if (q->work && !from_recursion (p, q, b))
      return false;
   Block part = *b; /* as many arms as one pipeline should hold */
   MtOutline *set = NULL;
   for (int i = 0; i < q->arm_count && !q->work; i++) {
      Block arm = {.pipe = mt_pipe_new (p->a)};
      if (!plan_block (p, q->arms[i], i == 0 ? b : &arm))
         return false;
      if (i == 0 && b->outline)
         set = mt_outline_step (p->a, mt_outline_set_name (q), "", 0, b->pipe, b->outline);
      if (q->times)
         mt_setop_mark ((i == 0 ? b : &arm)->pipe, i);
      b->rows += i ? arm.rows : 0;
      if (i % ARMS_TOGETHER)
         union_with (p, part.pipe, &arm);
      else {
         if (i > ARMS_TOGETHER)
            union_with (p, b->pipe, &part);
         part = i ? arm : *b;
      }
      if (i && set) {
         mt_outline_add (set, arm.outline);
         arm.outline->run_by = q->arm_count > ARMS_TOGETHER ? -1 : arm.outline->run_by;
      }
   }
   if (q->arm_count > ARMS_TOGETHER)
      union_with (p, b->pipe, &part);
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

/* A side of a join: its columns are the fields j<number>, numbered through the whole join. */
static bool from_side (Planning *p, const MtRel *rel, int first, Block *b, MtPlace *places)
{
   if (rel->kind == MT_REL_JOIN)
      return from_join (p, rel, first, b, places);
   if (!plan_block (p, rel->query, b))
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

/* Whether the left side, with fewer rows, is kept in memory. With a mark or a single partner the
 * right side is always kept. */
static bool keep_first_side (const MtJoin *j, const Block *left, const Block *right)
{
   return !j->mark && !j->single && left->rows > 0 && left->rows * 2 < right->rows;
}

/* Writes the join's stage over the rows of one side. places: of the join's columns. */
static bool join_spec (Planning *p, const MtRel *rel, bool swap, const Block *other,
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

/* A server sends as many rows in the time in which it finds one row's partners. */
#define ROWS_A_SEEK 20

/* Whether the condition compares arrays for equality. localField compares their elements
 * instead, and an empty array has none. */
static bool equates_arrays (MtArena *a, MtX *on)
{
   int n;
   MtX **parts = mt_conjuncts (a, on, &n);
   bool found = false;
   for (int i = 0; i < n && !found; i++)
      found = mt_x_is_equality (parts[i]) && mt_type_is_array (parts[i]->call.args[0]->type.id);
   return found;
}

/* Joins by $lookup on the server, if one side's few rows find their partners by an index, or if
 * nothing else is allowed. */
static bool looked_up (Planning *p, const MtRel *rel, const bson_t *spec, const Block *rows,
                       const Block *other, MtPipe *pipe)
{
   const MtPlanSettings *s = p->settings;
   if (!mt_lookup_can (p->caps, spec) || !mt_server_has (p->caps, mt_v_array (rows->pipe->stages)))
      return false;
   const char *field = equates_arrays (p->a, rel->join->on) ? NULL : mt_lookup_field (p->a, spec);
   bool few = field && rows->rows > 0 && rows->rows * ROWS_A_SEEK <= other->rows && s->indexed &&
              s->indexed (s->indexed_ctx, other->collection, field);
   if (few || s->require_full_pushdown)
      mt_lookup_emit (p->a, spec, field, pipe);
   return few || s->require_full_pushdown;
}

/* Joins two sides into *b. Tries $lookup in the order of a hash join, then in the other order.
 * Otherwise it is a hash join. */
static bool pair (Planning *p, const MtRel *rel, Block sides[2], const MtPlace *places, Block *b)
{
   bool hashed = keep_first_side (rel->join, &sides[0], &sides[1]), orders[] = {hashed, !hashed};
   double rows = sides[0].rows > sides[1].rows ? sides[0].rows : sides[1].rows;
   bson_t *specs[2];
   for (int i = 0; i < (p->caps->local_operators ? 1 : 2); i++) {
      bool swap = orders[i];
      specs[i] = mt_doc_new (p->a);
      if (!join_spec (p, rel, swap, &sides[!swap], places, specs[i]))
         return false;
      *b = sides[swap];
      b->rows = rows;
      if (looked_up (p, rel, specs[i], &sides[swap], &sides[!swap], b->pipe)) {
         if (b->outline)
            b->outline = mt_outline_join (p->a, &(MtJoinStep) {rel, swap, true, rows}, b->pipe,
                                          b->outline, sides[!swap].outline);
         return true;
      }
   }
   *b = sides[hashed];
   b->rows = rows;
   mt_pipe_add (b->pipe, "$_mtJoin", specs[0]);
   if (b->outline)
      b->outline = mt_outline_join (p->a, &(MtJoinStep) {rel, hashed, false, rows}, b->pipe,
                                    b->outline, sides[!hashed].outline);
   return true;
}

static bool asof (Planning *p, const MtRel *rel, Block sides[2], MtPlace *places, Block *b)
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
   union_with (p, b->pipe, &sides[1]);
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

/* Runs the right side's stages for each row of the left side. */
static bool apply (Planning *p, const MtRel *rel, Block sides[2], MtPlace *places, Block *b)
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
   if (!j->mark && !j->single) /* the number of partners isn't known */
      b->rows = 0;
   if (b->outline)
      b->outline = mt_outline_apply (p->a, rel, b->rows, b->pipe, b->outline, sides[1].outline);
   for (int i = j->left->column_count; i < rel->column_count - j->mark; i++)
      places[i].nullable = places[i].may_be_missing = places[i].nullable || j->keep_left;
   return true;
}

static bool from_join (Planning *p, const MtRel *rel, int first, Block *b, MtPlace *places)
{
   const MtJoin *j = rel->join;
   Block sides[2] = {{.pipe = mt_pipe_new (p->a)}, {.pipe = mt_pipe_new (p->a)}};
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

static bool from_input (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
{
   switch (q->rel.kind) {
   case MT_REL_JOIN: return from_join (p, &q->rel, 0, b, places);
   case MT_REL_NONE: return from_values (p, q, b, places);
   default: return from_query (p, q, b, places);
   }
}

/* Sets over the rows of a sub-select or a join. */
static bool from_unnest (Planning *p, const MtRel *rel, Block *b, MtPlace *places)
{
   MtQuery around = {.rel = *rel->unnest->input};
   if (!from_input (p, &around, b, places))
      return false;
   b->rows *= 10; /* PostgreSQL's guess for an array */
   if (!mt_unnest_emit (p->a, rel, &p->settings->style, places, b->pipe, p->err))
      return false;
   if (b->outline)
      b->outline = mt_outline_step (p->a, "ProjectSet", "", b->rows, b->pipe, b->outline);
   return true;
}

/* ---- blocks over tables ---- */

/* A piece of the choice, read from one collection. */
typedef struct Reading {
   const MtPiece *piece;
   const char *collection;
   MtRange bounds; /* the times of its rows are between these */
   bool never;     /* no row can be there */
} Reading;

typedef struct Readings {
   Reading *list;
   int count;
} Readings;

static MtRange bounds_of (MtRangeSet ranges)
{
   return ranges.count ? (MtRange) {ranges.ranges[0].lo, ranges.ranges[ranges.count - 1].hi}
                       : (MtRange) {MT_TIME_MAX, MT_TIME_MIN};
}

/* Every piece, once for each partition that it reads. */
static Readings readings_of (Planning *p, const MtNeed *need, const MtChoice *choice)
{
   Readings r = {NULL, 0};
   size_t most = 0;
   for (int i = 0; i < choice->count; i++)
      most += choice->pieces[i].way->store->parts ? choice->pieces[i].way->store->parts->count + 1
                                                  : 1;
   r.list = MT_NEW_N (p->a, Reading, most + 1);
   for (int i = 0; i < choice->count; i++) {
      const MtPiece *piece = &choice->pieces[i];
      const MtStoreDesc *s = piece->way->store;
      MtRangeSet ranges = p->settings->optimize
                             ? mt_ranges_intersect (p->a, piece->ranges, need->within)
                             : mt_ranges_all (p->a);
      if (!s->parts) {
         r.list[r.count++] = (Reading) {piece, s->collection, bounds_of (ranges), false};
         continue;
      }
      MtParts parts = mt_parts_of (p->a, s, ranges);
      for (size_t k = 0; k < parts.count; k++) {
         const MtPartition *part = &parts.first[k];
         r.list[r.count++] = (Reading) {
            piece, part->collection,
            bounds_of (mt_ranges_intersect (p->a, ranges,
                                            mt_ranges_one (p->a, part->start_ms, part->end_ms))),
            false};
      }
   }
   if (r.count == 0)
      r.list[r.count++] = (Reading) {&choice->pieces[0], choice->pieces[0].way->store->collection,
                                     bounds_of (need->within), true};
   return r;
}

static bool read_one (Planning *p, const MtNeed *need, const Reading *r, MtScan *scan, Block *b)
{
   MtPipe *pipe = mt_pipe_new (p->a);
   if (!mt_scan_emit (p->a, r->piece, need, p->settings->optimize, scan, p->err))
      return false;
   if (r->never)
      mt_pipe_add_never (pipe);
   mt_pipe_append (pipe, scan->pipe);
   scan->pipe = pipe;
   *b = (Block) {.collection = r->collection, .pipe = pipe};
   return true;
}

/* Reads the arms one after the other, in one pipeline. */
static void union_flat (Planning *p, const Block *arms, int count, Block *out)
{
   *out = arms[0];
   for (int i = 1; i < count; i++)
      union_with (p, out->pipe, &arms[i]);
}

/* Reads the arms one after the other. The arms after the first are divided into equal shares,
 * each of which is united by itself. */
static void union_shares (Planning *p, const Block *arms, int count, int shares, Block *out)
{
   *out = arms[0];
   shares = count - 1 < shares ? count - 1 : shares;
   for (int i = 0, from = 1, end; i < shares; i++, from = end) {
      Block share;
      end = from + (count - from) / (shares - i);
      union_shares (p, &arms[from], end - from, shares,
                    &share); /* the depth is the logarithm of the count */
      union_with (p, out->pipe, &share);
   }
}

static void union_of (Planning *p, const Block *arms, int count, Block *out)
{
   union_shares (p, arms, count, count > ARMS_FLAT ? SHARES : ARMS_FLAT, out);
}

/* Whether readings can be read in order, and the last ones only when their rows are needed. A
 * server promises no order for a union. So each reading is a query of its own there. */
static bool reads_in_order (const Planning *p, const MtQuery *q)
{
   return p->caps->local_operators || (q == p->top && !p->settings->require_full_pushdown);
}

/* Unites arms that are read in order. On a server the arms are queries of their own, side by
 * side. */
static void union_in_turn (Planning *p, Block *arms, int count, Block *out)
{
   p->caps->local_operators ? union_of (p, arms, count, out) : union_flat (p, arms, count, out);
}

/* Conditions on rows around the query are checked after the union of all partitions. Everything
 * before that is the same for each row, and is read once. */
static MtNeed need_of_all (Planning *p, const MtNeed *need, const Readings *r, MtNeed *rest)
{
   MtNeed all = *need;
   *rest = *need;
   rest->filter_count = 0;
   if (r->count == 1)
      return all;
   all.filter_count = 0;
   all.filters = MT_NEW_N (p->a, MtX *, (size_t) need->filter_count + 1);
   rest->filters = MT_NEW_N (p->a, MtX *, (size_t) need->filter_count + 1);
   for (int i = 0; i < need->filter_count; i++) {
      MtNeed *to = mt_x_has_outer (need->filters[i], 0) ? rest : &all;
      to->filters[to->filter_count++] = need->filters[i];
   }
   return all;
}

static bool match_rest (Planning *p, const MtNeed *rest, const MtScan *scan, MtPipe *pipe)
{
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = scan->columns};
   bson_t *all = mt_doc_new (p->a);
   for (int i = 0; i < rest->filter_count; i++) {
      bson_t *match = mt_doc_new (p->a);
      if (!mt_emit_match (&emit, rest->filters[i], match))
         return false;
      if (!bson_empty (match))
         mt_doc_add_doc (all, mt_printf (p->a, "%u", bson_count_keys (all)), match);
   }
   if (!bson_empty (all))
      mt_pipe_add (pipe, "$match", mt_match_all (p->a, all));
   return true;
}

/* Reads all cells of a table. The columns have the same places in all readings. */
static bool read_all (Planning *p, const MtNeed *need, const Readings *r, MtScan *scan, Block *b)
{
   Block *arms = MT_NEW_N (p->a, Block, (size_t) r->count);
   MtNeed rest, all = need_of_all (p, need, r, &rest);
   for (int i = 0; i < r->count; i++)
      if (!read_one (p, &all, &r->list[i], scan, &arms[i]))
         return false;
   union_of (p, arms, r->count, b);
   scan->pipe = b->pipe;
   return match_rest (p, &rest, scan, b->pipe);
}

static bool group_from (Planning *p, const MtNeed *need, const MtScan *scan, MtGrouping *g,
                        MtPipe *pipe)
{
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = scan->columns};
   MtSourcePlaces src = {&emit, scan, need};
   return mt_group_emit (g, &src, pipe, p->err);
}

static bool read_groups (Planning *p, const MtNeed *need, const Reading *r, Block *b, MtGrouping *g)
{
   MtScan scan;
   return read_one (p, need, r, &scan, b) && group_from (p, need, &scan, g, b->pipe);
}

/* The times of the readings from the i-th one on. */
static MtRange bounds_from (const Readings *r, const int *order, int i)
{
   MtRange all = {MT_TIME_MAX, MT_TIME_MIN};
   for (; i < r->count; i++) {
      MtRange one = r->list[order[i]].bounds;
      all = (MtRange) {one.lo < all.lo ? one.lo : all.lo, one.hi > all.hi ? one.hi : all.hi};
   }
   return all;
}

/* Reads from the ends of the time until the rest can't change the answer. On a server each step
 * reads more partitions than the one before, so that times without rows take few round trips. */
static bool groups_from_ends (Planning *p, const MtNeed *need, const Readings *r, Block *b,
                              MtGrouping *g)
{
   Block *arms = MT_NEW_N (p->a, Block, (size_t) r->count);
   MtRange *bounds = MT_NEW_N (p->a, MtRange, (size_t) r->count);
   int count = 0, most = 1;
   for (int i = 0; i < r->count; i++)
      bounds[i] = r->list[i].bounds;
   const int *order = mt_ends_order (p->a, need->ends, bounds, r->count);
   for (int from = 0, end; from < r->count; from = end, count++) {
      most = p->caps->local_operators || count < 2 ? 1
             : 2 * most < ARMS_TOGETHER            ? 2 * most
                                                   : ARMS_TOGETHER;
      Block *some = MT_NEW_N (p->a, Block, (size_t) most);
      end = from + most < r->count ? from + most : r->count;
      for (int i = from; i < end; i++)
         if (!read_groups (p, need, &r->list[order[i]], &some[i - from], g))
            return false;
      union_of (p, some, end - from, &arms[count]);
      if (end - from > 1)
         mt_group_merge (g, arms[count].pipe);
      if (end < r->count)
         mt_ends_mark (g->q, bounds_from (r, order, end), arms[count].pipe);
   }
   union_in_turn (p, arms, count, b);
   b->walks = true;
   mt_ends_stop (g->q, b->pipe);
   mt_group_merge (g, b->pipe);
   mt_group_finish (g, b->pipe);
   return true;
}

static bool grouped_readings (Planning *p, const MtNeed *need, const Readings *r, Block *b,
                              MtGrouping *g)
{
   Block *arms = MT_NEW_N (p->a, Block, (size_t) r->count);
   MtScan scan;
   if (g->merged && need->ends)
      return groups_from_ends (p, need, r, b, g);
   if (!g->merged) {
      if (!read_all (p, need, r, &scan, b) || !group_from (p, need, &scan, g, b->pipe))
         return false;
      mt_group_finish (g, b->pipe);
      return true;
   }
   for (int i = 0; i < r->count; i++)
      if (!read_groups (p, need, &r->list[i], &arms[i], g))
         return false;
   union_of (p, arms, r->count, b);
   mt_group_merge (g, b->pipe);
   mt_group_finish (g, b->pipe);
   return true;
}

/* The number of cells of the cuts that were chosen for the last table. */
static double chosen_cells (const MtCandidates *c)
{
   const MtCandidate *chosen = mt_chosen (c);
   return chosen ? chosen->cells : 0;
}

/* Reads rows ordered by time from one partition after the other. Each partition is sorted by
 * itself. With a limit the last partitions need not be read. */
static bool walk_partitions (Planning *p, const MtQuery *q, const MtNeed *need, const Readings *r,
                             bool descending, Block *b)
{
   Block *arms = MT_NEW_N (p->a, Block, (size_t) r->count);
   MtQuery each = *q;
   each.offset = 0;
   each.limit = q->limit > 0 && q->offset > 0 ? q->limit + q->offset : q->limit;
   for (int i = 0; i < r->count; i++) {
      MtScan scan;
      if (!read_one (p, need, &r->list[descending ? r->count - 1 - i : i], &scan, &arms[i]))
         return false;
      MtEmit emit = {
         .a = p->a, .err = p->err, .style = &p->settings->style, .columns = scan.columns};
      MtOutline *none = NULL;
      if (!mt_end_block (p->a, &each, &emit, arms[i].pipe, &none, p->err))
         return false;
   }
   union_in_turn (p, arms, r->count, b);
   if (q->offset > 0)
      mt_pipe_add_value (b->pipe, "$skip", mt_v_int64 (q->offset));
   if (q->limit > 0)
      mt_pipe_add_value (b->pipe, "$limit", mt_v_int64 (q->limit));
   b->walks = true;
   return true;
}

static bool names_outer (const MtNeed *need)
{
   bool found = false;
   for (int i = 0; i < need->filter_count && !found; i++)
      found = mt_x_has_outer (need->filters[i], 0);
   return found;
}

/* Whether rows may lack a time, as other writers' rows may. Such rows sort first or last, in any
 * partition. */
static bool may_lack_time (const MtNeed *need, const Readings *r)
{
   return r->list[0].piece->way->layout->attached && !need->has_ranges &&
          !need->table->columns[need->table->time_column].not_null;
}

/* Whether partitions can be read in order. LIMIT 0 reads nothing, and LIMIT plus OFFSET must not
 * overflow. */
static bool may_walk (const Planning *p, const MtQuery *q, const MtNeed *need, const Readings *r,
                      bool *descending)
{
   return r->count > 1 && reads_in_order (p, q) && !may_lack_time (need, r) &&
          !names_outer (need) && q->limit != 0 && q->limit < INT64_MAX / 2 &&
          q->offset < INT64_MAX / 2 && mt_parts_in_order (q, descending);
}

/* Adds the steps of a table. The number of rows that a grouping reads isn't known: sums may
 * answer, in several pieces. */
static void outline_table (const Planning *p, const MtQuery *q, Block *b)
{
   if (!p->settings->outline)
      return;
   b->outline = mt_outline_scan (p->a, q, mt_chosen (&p->candidates), b->pipe);
   if (q->grouped) {
      b->outline->end = -1;
      b->outline = mt_outline_group (p->a, q, q->key_count ? 0 : 1, b->pipe, b->outline);
   }
   if (b->walks && !q->grouped && q->sort_count)
      b->outline = mt_outline_sort (p->a, q, b->pipe, b->outline);
   if (b->walks && !q->grouped && (q->limit >= 0 || q->offset > 0))
      b->outline = mt_outline_limit (p->a, q, b->pipe, b->outline);
}

static void note_expired (const MtNeed *need, MtCandidate *chosen)
{
   chosen->expired_ms = mt_expiry_horizon (need->table, need->style.now_ms);
   chosen->expires = chosen->expired_ms != MT_NEVER_EXPIRES;
}

static void note_order (const MtCandidates *c, const char *order, bool stops)
{
   MtCandidate *chosen = mt_chosen (c);
   chosen->order = order;
   chosen->stops = stops;
}

static bool plan_table (Planning *p, const MtQuery *q, Block *b)
{
   MtNeed need = mt_need_of (p->a, q, &p->settings->style);
   MtChoice choice;
   bool descending, outer;
   need.skip_malformed = p->settings->skip_malformed;
   need.mergeable = mt_group_can_merge (q);
   need.ends = p->settings->optimize && reads_in_order (p, q) && !names_outer (&need)
                  ? mt_ends_of (q)
                  : 0;
   if (!mt_choose (p->a, &need, p->settings, &p->candidates, &choice, p->err))
      return false;
   need.has_ranges |= choice.count > 1;
   mt_parts_note (p->a, &choice, p->settings->optimize ? &need.within : NULL,
                  mt_chosen (&p->candidates));
   note_expired (&need, mt_chosen (&p->candidates));
   Readings readings = readings_of (p, &need, &choice);
   outer = choice.count == 1 && names_outer (&need);
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style};
   if (q->grouped) {
      MtGrouping g = {.a = p->a,
                      .q = q,
                      .own = p->settings->caps->local_operators,
                      .merged = readings.count > 1 && need.mergeable && !outer};
      if (!grouped_readings (p, &need, &readings, b, &g))
         return false;
      if (b->walks)
         note_order (&p->candidates, mt_ends_name (need.ends), true);
      b->rows = q->key_count ? chosen_cells (&p->candidates) : 1;
      emit.keys = g.keys;
      emit.aggs = g.aggs;
      outline_table (p, q, b);
      return mt_end_block (p->a, q, &emit, b->pipe, &b->outline, p->err);
   }
   MtScan scan;
   if (may_walk (p, q, &need, &readings, &descending)
          ? !walk_partitions (p, q, &need, &readings, descending, b)
          : !read_all (p, &need, &readings, &scan, b))
      return false;
   if (b->walks)
      note_order (&p->candidates, mt_ends_name (descending ? MT_END_NEWEST : MT_END_OLDEST),
                  q->limit > 0);
   b->rows = chosen_cells (&p->candidates);
   emit.columns = scan.columns;
   outline_table (p, q, b);
   return b->walks || mt_end_block (p->a, q, &emit, b->pipe, &b->outline, p->err);
}

/* ---- blocks over anything else ---- */

static bool read_from (Planning *p, const MtQuery *q, Block *b, MtPlace *places)
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

static bool plan_rows (Planning *p, const MtQuery *q, Block *b)
{
   int columns = q->arm_count ? q->arms[0]->visible_count : q->rel.column_count;
   MtPlace *places = MT_NEW_N (p->a, MtPlace, (size_t) columns + 1);
   if (!read_from (p, q, b, places))
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
      MtGrouping g = {.a = p->a, .q = q, .own = p->settings->caps->local_operators};
      MtSourcePlaces src = {&emit, NULL, NULL};
      if (!mt_group_emit (&g, &src, b->pipe, p->err))
         return false;
      mt_group_finish (&g, b->pipe);
      emit = (MtEmit) {
         .a = p->a, .err = p->err, .style = &p->settings->style, .keys = g.keys, .aggs = g.aggs};
      if (b->outline)
         b->outline = mt_outline_group (p->a, q, q->key_count ? 0 : 1, b->pipe, b->outline);
   }
   return mt_end_block (p->a, q, &emit, b->pipe, &b->outline, p->err);
}

/* The number of cells that a block over a table reads. Negative: the block can't be planned. */
static double cells_of (const Planning *p, const MtQuery *q)
{
   MtError ignored;
   Sharing sharing = {0};
   Planning trial = {
      .a = p->a, .settings = p->settings, .caps = p->caps, .sharing = &sharing, .err = &ignored};
   Block b;
   mt_error_clear (&ignored);
   return plan_block (&trial, q, &b) ? chosen_cells (&trial.candidates) : -1;
}

/* A side is grouped first if it then reads fewer cells by this factor. */
#define CELLS_SAVED 4

/* The query with one side of its join grouped first: the side for which a higher cut saves most.
 * q itself if none saves enough. */
static const MtQuery *grouped_early (const Planning *p, const MtQuery *q)
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

static bool plan_block (Planning *p, const MtQuery *q, Block *out)
{
   if (!mt_cancel_check (p->settings->cancel, p->err))
      return false;
   if (q->grouped && q->rel.kind == MT_REL_JOIN) {
      const MtQuery *early = grouped_early (p, q);
      if (early != q)
         return plan_block (p, early, out);
   }
   *out = (Block) {.pipe = mt_pipe_new (p->a)};
   if (!(q->arm_count == 0 && q->rel.kind == MT_REL_TABLE ? plan_table (p, q, out)
                                                          : plan_rows (p, q, out)))
      return false;
   if (q->limit >= 0 && !q->with_ties && (out->rows <= 0 || out->rows > (double) q->limit))
      out->rows = q->limit ? (double) q->limit : 1;
   return true;
}

/* Inserts $_mtWith before the stages that read shared rows. */
static void name_first (MtArena *a, const bson_t *list, Block *b)
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

/* The first function in x that MongoDB's operators can't compute. NULL: there is none. */
static const MtX *only_here (MtX *x)
{
   int n;
   MtX **children = mt_x_children (x, &n);
   bool call = x->kind == MT_X_CALL && x->call.fn->op;
   const MtX *found = call && (!x->call.fn->mql || mt_only_by_operator (x)) ? x : NULL;
   for (int i = 0; i < n && !found; i++)
      found = only_here (children[i]);
   return found;
}

/* Reports 0A000. Names the step, or the function of the select list, that a server can't run. */
static bool refuse_here (MtArena *a, const MtQuery *q, const MtPlan *plan, MtError *err)
{
   const char *step = plan->outline ? mt_outline_first_here (a, plan->outline) : NULL;
   const MtX *call = NULL;
   for (int i = 0; i < q->visible_count && !step && !call; i++)
      call = only_here (q->targets[i].expr);
   mt_error (err, MT_E_FEATURE,
             "a part of this query can't run on the server, and require_full_pushdown is on");
   if (call)
      err->span = call->span;
   if (step)
      mt_error_detail (err, "The server can't run the step %s.", step);
   else if (call) {
      MtBuf text = {0};
      mt_x_print (call, q, &text);
      mt_error_detail (err, "The server can't compute %s.", text.p);
      mt_buf_free (&text);
   }
   return mt_error_hint (
      err, "Turn require_full_pushdown off and use EXPLAIN to see where each step runs.");
}

bool mt_plan_query (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPlan **out,
                    MtError *err)
{
   Sharing sharing = {0};
   Planning p = {.a = a,
                 .settings = settings,
                 .caps = mt_caps_for (a, settings, q),
                 .top = q,
                 .sharing = &sharing,
                 .err = err};
   Block b = {0};
   if (!plan_block (&p, q, &b))
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
      return refuse_here (a, q, plan, err);
   plan->column_count = q->visible_count;
   plan->columns = MT_NEW_N (a, MtRelColumn, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++) {
      const MtTargetX *t = &q->targets[i];
      plan->columns[i] = mt_rel_column_of (t->name, t->expr);
   }
   plan->candidates = p.candidates.list;
   plan->candidate_count = p.candidates.count;
   *out = plan;
   return true;
}
