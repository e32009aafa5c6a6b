#include "planner/plan/affected.h"

#include "layouts/leaves.h"
#include "layouts/stored.h"
#include "planner/cut/scan.h"
#include "planner/plan/split.h"

/* Returns the way (path of levels) to the records of the store, or to its level of sums
 * of->leaf. */
static const MtWay *way_to (MtArena *a, const MtAffected *of)
{
   int count;
   const MtWay *ways = mt_ways (a, of->query->rel.table, of->layout, &count);
   for (int i = 0; i < count; i++) {
      const MtWay *w = &ways[i];
      bool to_leaf = w->mode == MT_CUT_AGGREGATE && w->levels[w->count - 1] == of->leaf;
      if (w->store == of->store && (of->leaf ? to_leaf : w->mode == MT_CUT_RECORDS))
         return w;
   }
   return NULL;
}

bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why)
{
   const MtWay *w = way_to (a, &(MtAffected) {q, leaf->l, leaf->s, leaf->leaf});
   MtNeed need = mt_need_of (a, q, style);
   MtWayCheck c = {a, w, &need, need.ranges, why};
   *why = "the leaves have no sums";
   return w && (!q->where || mt_way_knows (&c, q->where));
}

MtRangeSet mt_affected_times (MtArena *a, const MtQuery *q, const MtTextStyle *style, bool *alone)
{
   MtNeed need = mt_need_of (a, q, style);
   *alone = need.filter_count == 0;
   return need.within;
}

static MtPlan *plan_of (MtArena *a, const MtStoreDesc *store, const MtPipe *pipe,
                        const MtPlanSettings *settings)
{
   MtPlan *plan = MT_NEW (a, MtPlan);
   plan->collection = store->collection;
   plan->remote = pipe->stages;
   if (!settings->caps->local_operators)
      mt_plan_split (a, settings->caps, plan);
   return plan;
}

bool mt_plan_affected (MtArena *a, const MtAffected *of, const MtPlanSettings *settings,
                       MtPlan **out, MtError *err)
{
   MtNeed need = mt_need_of (a, of->query, &settings->style);
   const MtStoreDesc *store = of->store;
   const MtWay *w = way_to (a, of);
   MtScan scan;
   need.skip_malformed = settings->skip_malformed;
   if (!w)
      return mt_error (err, MT_E_INTERNAL, "the %s of a change can't be found in \"%s\"",
                       of->leaf ? "sums" : "records", store->collection);
   MtPiece piece = {w, need.ranges, MT_DOCS_ALL};
   if (!mt_scan_emit (a, &piece, &need, settings->optimize, &scan, err))
      return false;
   if (!mt_store_is_rows (store)) {
      bson_t *group = mt_doc_new (a);
      mt_doc_add_path (a, group, "_id", "_id");
      mt_pipe_add (scan.pipe, "$group", group);
   }
   *out = plan_of (a, store, scan.pipe, settings);
   return true;
}

/* Returns the earliest time that a document which contains time ms can have. If documents have only
 * one time, it is ms. */
static int64_t document_start (const MtWay *w, int64_t ms)
{
   return w->time_at < 0 || w->time_exact ? ms : mt_utc_floor (ms, w->grain);
}

/* Plans a query that returns the documents of a piece (a path of levels and time ranges). Expired
 * rows are included. */
static bool plan_documents (MtArena *a, const MtPiece *piece, const MtPlanSettings *settings,
                            MtPlan **out, MtError *err)
{
   MtTable forever = *piece->way->table;
   MtQuery all = {.rel = {.kind = MT_REL_TABLE, .table = &forever}, .limit = -1};
   MtScan scan;
   forever.expiry = NULL;
   MtNeed need = mt_need_of (a, &all, &settings->style);
   need.has_ranges = true;
   need.ranges = piece->ranges;
   if (!mt_scan_emit (a, piece, &need, true, &scan, err))
      return false;
   *out = plan_of (a, piece->way->store, scan.pipe, settings);
   return true;
}

bool mt_plan_before (MtArena *a, const MtBefore *of, const MtPlanSettings *settings, MtPlan **out,
                     MtError *err)
{
   int64_t before_ms = of->before_ms;
   bool edge = of->edge;
   const MtWay *w = mt_way_of_documents (a, of->table, of->layout, 0);
   bool ranged = w->time_at < 0 && w->store->root->range.present;
   int64_t start = document_start (w, before_ms);
   *out = NULL;
   if (!ranged && (w->time_at < 0 || (edge && start == before_ms)))
      return true;
   MtRangeSet times = edge && !ranged ? mt_ranges_one (a, start, before_ms)
                                      : mt_ranges_one (a, MT_TIME_MIN, start);
   MtDocMode which = edge ? MT_DOCS_EDGE : MT_DOCS_INSIDE;
   MtPiece piece = {w, times, ranged ? which : MT_DOCS_ALL};
   return plan_documents (a, &piece, settings, out, err);
}

bool mt_pipeline_within (MtArena *a, const MtWay *w, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err)
{
   bson_t *pipeline = mt_doc_new (a);
   MtRangeSet wide = {0};
   MtPlan *plan;
   *out = pipeline;
   if (w->time_at < 0 || mt_ranges_is_all (times))
      return true;
   for (int i = 0; i < times.count; i++) {
      int64_t first = times.ranges[i].lo, last = times.ranges[i].hi - 1;
      if (!w->time_exact)
         mt_document_span (w->grain, &first, &last);
      MtRangeSet one = mt_ranges_one (a, first, last + 1);
      wide = i ? mt_ranges_union (a, wide, one) : one;
   }
   if (!plan_documents (a, &(MtPiece) {w, wide, MT_DOCS_ALL}, settings, &plan, err))
      return false;
   MtVal first = mt_doc_at (mt_v_array (plan->remote), 0);
   if (first.type == MT_DOC && mt_doc_field (first, "$match").type == MT_DOC)
      mt_doc_add (pipeline, "0", first);
   return true;
}
