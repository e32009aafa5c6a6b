/* Plans query blocks that read one table: the pieces of the chosen plan, in each partition that
 * they read. */
#include "planner/plan/blocks_int.h"

#include "layouts/expire.h"
#include "planner/cut/ends.h"
#include "planner/cut/parts.h"
#include "planner/cut/scan.h"
#include "planner/plan/group.h"
#include "query/x.h"

/* The time that servers need for a union grows with the number of unions in its pipeline
 * (decisions/0014-unions.md). Up to ARMS_FLAT members, such as the months of a year, are united in
 * one pipeline; more members are united in SHARES nested unions. */
#define ARMS_FLAT 12
#define SHARES 5

double mt_chosen_cells (const MtCandidates *c)
{
   const MtCandidate *chosen = mt_chosen (c);
   return chosen ? chosen->cells : 0;
}

/* A read of one piece of the chosen plan (MtPiece: a path of levels and time ranges) from one
 * collection or partition. */
typedef struct Reading {
   const MtPiece *piece;
   const char *collection;
   MtRange bounds; /* time range that contains all rows of the collection */
   bool never;     /* no row of the collection can match the query */
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

/* Returns an element for each piece of the chosen plan and each partition that the piece reads. */
static Readings readings_of (MtPlanning *p, const MtNeed *need, const MtChoice *choice)
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

static bool read_one (MtPlanning *p, const MtNeed *need, const Reading *r, MtScan *scan,
                      MtPlanBlock *b)
{
   MtPipe *pipe = mt_pipe_new (p->a);
   if (!mt_scan_emit (p->a, r->piece, need, p->settings->optimize, scan, p->err))
      return false;
   if (r->never)
      mt_pipe_add_never (pipe);
   mt_pipe_append (pipe, scan->pipe);
   scan->pipe = pipe;
   *b = (MtPlanBlock) {.collection = r->collection, .pipe = pipe};
   return true;
}

/* Unites all members in one pipeline, by a $unionWith for each after the first. */
static void union_flat (MtPlanning *p, const MtPlanBlock *arms, int count, MtPlanBlock *out)
{
   *out = arms[0];
   for (int i = 1; i < count; i++)
      mt_union_with (p, out->pipe, &arms[i]);
}

/* Unites many members: those after the first are divided into `shares` groups of equal size, each
 * of which becomes a nested union. */
static void union_shares (MtPlanning *p, const MtPlanBlock *arms, int count, int shares,
                          MtPlanBlock *out)
{
   *out = arms[0];
   shares = count - 1 < shares ? count - 1 : shares;
   for (int i = 0, from = 1, end; i < shares; i++, from = end) {
      MtPlanBlock share;
      end = from + (count - from) / (shares - i);
      union_shares (p, &arms[from], end - from, shares,
                    &share); /* the depth is the logarithm of count */
      mt_union_with (p, out->pipe, &share);
   }
}

static void union_of (MtPlanning *p, const MtPlanBlock *arms, int count, MtPlanBlock *out)
{
   union_shares (p, arms, count, count > ARMS_FLAT ? SHARES : ARMS_FLAT, out);
}

/* Returns whether partitions can be read one after the other, and each only if it is needed. On a
 * server each is then a separate query, because a union does not guarantee an order. */
static bool reads_in_order (const MtPlanning *p, const MtQuery *q)
{
   return p->caps->local_operators || (q == p->top && !p->settings->require_full_pushdown);
}

/* Unites members that must be read in order. On a server each member becomes a separate query. */
static void union_in_turn (MtPlanning *p, MtPlanBlock *arms, int count, MtPlanBlock *out)
{
   p->caps->local_operators ? union_of (p, arms, count, out) : union_flat (p, arms, count, out);
}

/* Returns the need without the conditions that refer to an enclosing query, which are moved to
 * *rest. They are checked after all partitions are united, so that partitions are read only
 * once. */
static MtNeed need_of_all (MtPlanning *p, const MtNeed *need, const Readings *r, MtNeed *rest)
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

static bool match_rest (MtPlanning *p, const MtNeed *rest, const MtScan *scan, MtPipe *pipe)
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

/* Plans a read of all partitions of a table, as one union. Sets scan to where the columns are. */
static bool read_all (MtPlanning *p, const MtNeed *need, const Readings *r, MtScan *scan,
                      MtPlanBlock *b)
{
   MtPlanBlock *arms = MT_NEW_N (p->a, MtPlanBlock, (size_t) r->count);
   MtNeed rest, all = need_of_all (p, need, r, &rest);
   for (int i = 0; i < r->count; i++)
      if (!read_one (p, &all, &r->list[i], scan, &arms[i]))
         return false;
   union_of (p, arms, r->count, b);
   scan->pipe = b->pipe;
   return match_rest (p, &rest, scan, b->pipe);
}

static bool group_from (MtPlanning *p, const MtNeed *need, const MtScan *scan, MtGrouping *g,
                        MtPipe *pipe)
{
   MtEmit emit = {.a = p->a, .err = p->err, .style = &p->settings->style, .columns = scan->columns};
   MtSourcePlaces src = {&emit, scan, need};
   return mt_group_emit (g, &src, pipe, p->err);
}

static bool read_groups (MtPlanning *p, const MtNeed *need, const Reading *r, MtPlanBlock *b,
                         MtGrouping *g)
{
   MtScan scan;
   return read_one (p, need, r, &scan, b) && group_from (p, need, &scan, g, b->pipe);
}

/* Returns the time range of all partitions from index i on, in the reading order `order`. */
static MtRange bounds_from (const Readings *r, const int *order, int i)
{
   MtRange all = {MT_TIME_MAX, MT_TIME_MIN};
   for (; i < r->count; i++) {
      MtRange one = r->list[order[i]].bounds;
      all = (MtRange) {one.lo < all.lo ? one.lo : all.lo, one.hi > all.hi ? one.hi : all.hi};
   }
   return all;
}

/* Plans min, max, first and last by reading partitions from the oldest or newest on, until the
 * result is final. On a server, each query reads more partitions than the preceding one. */
static bool groups_from_ends (MtPlanning *p, const MtNeed *need, const Readings *r, MtPlanBlock *b,
                              MtGrouping *g)
{
   MtPlanBlock *arms = MT_NEW_N (p->a, MtPlanBlock, (size_t) r->count);
   MtRange *bounds = MT_NEW_N (p->a, MtRange, (size_t) r->count);
   int count = 0, most = 1;
   for (int i = 0; i < r->count; i++)
      bounds[i] = r->list[i].bounds;
   const int *order = mt_ends_order (p->a, need->ends, bounds, r->count);
   for (int from = 0, end; from < r->count; from = end, count++) {
      if (!p->caps->local_operators && count >= 2)
         most = 2 * most < MT_ARMS_TOGETHER ? 2 * most : MT_ARMS_TOGETHER;
      MtPlanBlock *some = MT_NEW_N (p->a, MtPlanBlock, (size_t) most);
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

static bool grouped_readings (MtPlanning *p, const MtNeed *need, const Readings *r, MtPlanBlock *b,
                              MtGrouping *g)
{
   MtPlanBlock *arms = MT_NEW_N (p->a, MtPlanBlock, (size_t) r->count);
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

/* Plans ORDER BY time by reading one sorted partition after the other. If there is a LIMIT, the
 * last partitions may not be needed. */
static bool walk_partitions (MtPlanning *p, const MtQuery *q, const MtNeed *need, const Readings *r,
                             bool descending, MtPlanBlock *b)
{
   MtPlanBlock *arms = MT_NEW_N (p->a, MtPlanBlock, (size_t) r->count);
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

/* Returns whether a row may lack a time, as rows of other programs may. Such a row may be in any
 * partition, so partitions can't be read in order. */
static bool may_lack_time (const MtNeed *need, const Readings *r)
{
   return r->list[0].piece->way->layout->attached && !need->has_ranges &&
          !need->table->columns[need->table->time_column].not_null;
}

/* Returns whether ORDER BY time can be planned by reading one partition after the other. */
static bool may_walk (const MtPlanning *p, const MtQuery *q, const MtNeed *need, const Readings *r,
                      bool *descending)
{
   return r->count > 1 && reads_in_order (p, q) && !may_lack_time (need, r) &&
          !names_outer (need) && q->limit != 0 && q->limit < INT64_MAX / 2 &&
          q->offset < INT64_MAX / 2 && mt_parts_in_order (q, descending);
}

/* Adds the EXPLAIN steps for reading a table. */
static void outline_table (const MtPlanning *p, const MtQuery *q, MtPlanBlock *b)
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

/* Returns q with aggregate i replaced by calls[i], which is computed from stored states, for each i
 * with takes[i]. */
static const MtQuery *with_states (MtArena *a, const MtQuery *q, MtAggCall *const *calls,
                                   const bool *takes)
{
   MtQuery *out = MT_NEW (a, MtQuery);
   *out = *q;
   out->aggs = MT_NEW_N (a, MtAggCall, (size_t) q->agg_count + 1);
   for (int i = 0; i < q->agg_count; i++)
      out->aggs[i] = takes[i] ? *calls[i] : q->aggs[i];
   return out;
}

/* Sets need->state_calls, the calls that can be computed from stored states, and whether groups of
 * such calls can be merged. */
static void note_states (MtArena *a, const MtQuery *q, MtNeed *need)
{
   bool *takes = MT_NEW_N (a, bool, (size_t) q->agg_count + 1);
   need->state_calls = MT_NEW_N (a, MtAggCall *, (size_t) q->agg_count + 1);
   for (int i = 0; i < q->agg_count; i++) {
      need->state_calls[i] = mt_state_call (a, need->table, &q->aggs[i]);
      takes[i] = need->state_calls[i] != NULL;
   }
   q = with_states (a, q, need->state_calls, takes);
   need->mergeable = mt_group_can_merge (q, need->table);
   need->apart = !mt_group_can_merge (q, NULL);
}

/* Returns q with aggregates replaced by calls that are computed from stored states
 * (need->state_calls). If the plan has several pieces, whose groups are merged, replaces all
 * aggregates that have such a call; else only those whose states the layout stores. */
static const MtQuery *as_chosen (MtArena *a, const MtQuery *q, const MtNeed *need,
                                 const MtChoice *choice)
{
   bool *takes = MT_NEW_N (a, bool, (size_t) q->agg_count + 1), any = false;
   for (int i = 0; i < q->agg_count; i++) {
      const MtAggCall *call = need->state_calls[i];
      takes[i] = call && choice->count > 1;
      for (int k = 0; k < choice->count && call; k++)
         takes[i] = takes[i] || mt_way_state (choice->pieces[k].way, call);
      any = any || takes[i];
   }
   return any ? with_states (a, q, need->state_calls, takes) : q;
}

/* Estimates the number of rows of a block over the table that was planned last. */
static void estimate (const MtPlanning *p, bool one, MtPlanBlock *b)
{
   const MtCandidate *chosen = mt_chosen (&p->candidates);
   b->rows = one ? 1 : mt_chosen_cells (&p->candidates);
   b->kept = !one && chosen && chosen->rows < b->rows ? chosen->rows / b->rows : 1;
}

bool mt_plan_table (MtPlanning *p, const MtQuery *q, MtPlanBlock *b)
{
   MtNeed need = mt_need_of (p->a, q, &p->settings->style);
   MtChoice choice;
   bool descending, outer;
   need.skip_malformed = p->settings->skip_malformed;
   need.skips = p->settings->optimize && p->caps->local_operators;
   note_states (p->a, q, &need);
   need.ends = p->settings->optimize && reads_in_order (p, q) && !names_outer (&need)
                  ? mt_ends_of (q)
                  : 0;
   if (!mt_choose (p->a, &need, p->settings, &p->candidates, &choice, p->err))
      return false;
   need.has_ranges |= choice.count > 1;
   q = as_chosen (p->a, q, &need, &choice);
   need.mergeable = mt_group_can_merge (q, choice.count > 1 ? need.table : NULL);
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
                      .lists = mt_group_lists (p->settings),
                      .on_server = p->settings->require_full_pushdown,
                      .merged = readings.count > 1 && need.mergeable && !outer};
      if (!grouped_readings (p, &need, &readings, b, &g))
         return false;
      if (b->walks)
         note_order (&p->candidates, mt_ends_name (need.ends), true);
      estimate (p, q->key_count == 0, b);
      emit.keys = g.keys;
      emit.aggs = g.aggs;
      emit.lists = g.lists;
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
   estimate (p, false, b);
   emit.columns = scan.columns;
   outline_table (p, q, b);
   return b->walks || mt_end_block (p->a, q, &emit, b->pipe, &b->outline, p->err);
}
