/* Which documents a change of rows is about. */
#ifndef MT_AFFECTED_H
#define MT_AFFECTED_H

#include "layouts/leaves.h"
#include "planner/plan/plan.h"
#include "planner/cut/range.h"

/* The times that q's WHERE can be true of. *alone: it says no more than that; then it is true of
 * all of them. */
MtRangeSet mt_affected_times (MtArena *a, const MtQuery *q, const MtTextStyle *style, bool *alone);

/* The documents of a store in which there are records that q's WHERE is true of, q being over the
 * store's table alone: as they are where each record is a document, else as {_id: …}, each once.
 * `leaf`: of sums, and it is true of what they sum up; NULL: the store has records. The plan has no
 * columns: its documents are no rows. */
bool mt_plan_affected (MtArena *a, const MtQuery *q, const MtLayout *l, const MtStoreDesc *store,
                       const MtNode *leaf, const MtPlanSettings *settings, MtPlan **out,
                       MtError *err);

/* Whether q's WHERE is as true of all that a leaf of sums sums up as of its row (MtLeaf.row); else
 * *why (in arena a) says what it would have to know. */
bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why);

/* The documents of a layout's only collection that have nothing but records before a time; edge:
 * those that have such records and others. They are documents with their _id. *out NULL: there are
 * none such, since their root says no time, or says it all. */
bool mt_plan_before (MtArena *a, const MtTable *t, const MtLayout *l, int64_t before_ms, bool edge,
                     const MtPlanSettings *settings, MtPlan **out, MtError *err);

/* The documents of a layout's only collection that may have records of some times, also such as
 * have expired, as they are stored, and maybe others: a pipeline in arena a. All of them where
 * their root doesn't tell, or not to a $match. */
bool mt_pipeline_within (MtArena *a, const MtTable *t, const MtLayout *l, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err);

#endif
