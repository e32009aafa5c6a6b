/* Which documents a change of rows concerns. */
#ifndef MT_AFFECTED_H
#define MT_AFFECTED_H

#include "layouts/leaves.h"
#include "planner/plan/plan.h"
#include "planner/cut/range.h"

/* The times for which q's WHERE can be true. *alone: WHERE restricts nothing but the time, so it
 * is true for all of these times. */
MtRangeSet mt_affected_times (MtArena *a, const MtQuery *q, const MtTextStyle *style, bool *alone);

/* Plans the documents of a store with records for which q's WHERE is true. q reads the store's
 * table alone. The plan returns whole documents when each record is a document, and {_id: …}
 * otherwise, each document once. `leaf`: a leaf of sums for whose sums WHERE is true. NULL: the
 * store has records. The plan has no columns, since its documents are not rows. */
bool mt_plan_affected (MtArena *a, const MtQuery *q, const MtLayout *l, const MtStoreDesc *store,
                       const MtNode *leaf, const MtPlanSettings *settings, MtPlan **out,
                       MtError *err);

/* Whether q's WHERE has one value for all records that a leaf of sums adds up, and for the
 * leaf's row (MtLeaf.row). False: *why (in arena a) names the column or the time that the leaf
 * lacks. */
bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why);

/* Plans the documents of a layout's only collection whose records are all before a time. edge:
 * the documents with such records and other ones. The plan returns documents with their _id.
 * *out is NULL when there are none: the root doesn't bind the time, or binds it exactly. */
bool mt_plan_before (MtArena *a, const MtTable *t, const MtLayout *l, int64_t before_ms, bool edge,
                     const MtPlanSettings *settings, MtPlan **out, MtError *err);

/* Writes a pipeline that returns the stored documents of a layout's only collection that may
 * have records of these times, expired ones included. It may return other documents too. It
 * returns all documents when no $match on the root can tell the time. In arena a. */
bool mt_pipeline_within (MtArena *a, const MtTable *t, const MtLayout *l, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err);

#endif
