#include "planner/plan/affected.h"

#include "layouts/leaves.h"
#include "layouts/stored.h"
#include "planner/cut/scan.h"
#include "planner/plan/split.h"

/* Finds the way to a store's records, or to a leaf of sums. */
static const MtWay *way_to (MtArena *a, const MtTable *t, const MtLayout *l,
                            const MtStoreDesc *store, const MtNode *leaf)
{
   int count;
   const MtWay *ways = mt_ways (a, t, l, &count);
   for (int i = 0; i < count; i++)
      if (ways[i].store == store &&
          (leaf ? ways[i].mode == MT_CUT_AGGREGATE && ways[i].levels[ways[i].count - 1] == leaf
                : ways[i].mode == MT_CUT_RECORDS))
         return &ways[i];
   return NULL;
}

bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why)
{
   const MtWay *w = way_to (a, q->rel.table, leaf->l, leaf->s, leaf->leaf);
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

bool mt_plan_affected (MtArena *a, const MtQuery *q, const MtLayout *l, const MtStoreDesc *store,
                       const MtNode *leaf, const MtPlanSettings *settings, MtPlan **out,
                       MtError *err)
{
   MtNeed need = mt_need_of (a, q, &settings->style);
   const MtWay *w = way_to (a, q->rel.table, l, store, leaf);
   MtScan scan;
   need.skip_malformed = settings->skip_malformed;
   if (!w)
      return mt_error (err, MT_E_INTERNAL, "collection \"%s\" can't say which %s a change concerns",
                       store->collection, leaf ? "sums" : "records");
   if (!mt_scan_emit (a, w, &need, need.ranges, MT_DOCS_ALL, settings->optimize, &scan, err))
      return false;
   if (!mt_store_is_rows (store)) {
      bson_t *group = mt_doc_new (a);
      mt_doc_add_path (a, group, "_id", "_id");
      mt_pipe_add (scan.pipe, "$group", group);
   }
   *out = plan_of (a, store, scan.pipe, settings);
   return true;
}

/* The start of the time that a document around ms holds. ms itself when a document holds one
 * moment. */
static int64_t document_start (const MtWay *w, int64_t ms)
{
   return w->time_at < 0 || w->time_exact ? ms : mt_utc_floor (ms, w->grain);
}

/* Plans the documents of some times, including expired ones. */
static bool plan_documents (MtArena *a, const MtTable *t, const MtWay *w, MtRangeSet times,
                            MtDocMode docs, const MtPlanSettings *settings, MtPlan **out,
                            MtError *err)
{
   MtTable forever = *t;
   MtQuery all = {.rel = {.kind = MT_REL_TABLE, .table = &forever}, .limit = -1};
   MtScan scan;
   forever.expiry = NULL;
   MtNeed need = mt_need_of (a, &all, &settings->style);
   need.has_ranges = true;
   need.ranges = times;
   if (!mt_scan_emit (a, w, &need, times, docs, true, &scan, err))
      return false;
   *out = plan_of (a, w->store, scan.pipe, settings);
   return true;
}

bool mt_plan_before (MtArena *a, const MtTable *t, const MtLayout *l, int64_t before_ms, bool edge,
                     const MtPlanSettings *settings, MtPlan **out, MtError *err)
{
   const MtWay *w = mt_way_of_documents (a, t, l, 0);
   bool ranged = w->time_at < 0 && w->store->root->range.present;
   int64_t start = document_start (w, before_ms);
   *out = NULL;
   if (!ranged && (w->time_at < 0 || (edge && start == before_ms)))
      return true;
   MtRangeSet times = edge && !ranged ? mt_ranges_one (a, start, before_ms)
                                      : mt_ranges_one (a, MT_TIME_MIN, start);
   MtDocMode which = edge ? MT_DOCS_EDGE : MT_DOCS_INSIDE;
   return plan_documents (a, t, w, times, ranged ? which : MT_DOCS_ALL, settings, out, err);
}

bool mt_pipeline_within (MtArena *a, const MtTable *t, const MtLayout *l, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err)
{
   const MtWay *w = mt_way_of_documents (a, t, l, 0);
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
   if (!plan_documents (a, t, w, wide, MT_DOCS_ALL, settings, &plan, err))
      return false;
   MtVal first = mt_doc_at (mt_v_array (plan->remote), 0);
   if (first.type == MT_DOC && mt_doc_get (first, "$match", 6).type == MT_DOC)
      mt_doc_add (pipeline, "0", first);
   return true;
}
