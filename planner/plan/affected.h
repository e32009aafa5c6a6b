/* Which documents a change of rows concerns. */
#ifndef MT_AFFECTED_H
#define MT_AFFECTED_H

#include "layouts/leaves.h"
#include "planner/plan/plan.h"
#include "planner/cut/way.h"

/* The times for which q's WHERE can be true. *alone: WHERE restricts nothing but the time, so it
 * is true for all of these times. */
MtRangeSet mt_affected_times (MtArena *a, const MtQuery *q, const MtTextStyle *style, bool *alone);

/* A change of rows, and one store of a layout. */
typedef struct MtAffected {
   const MtQuery *query; /* over the store's table alone; its WHERE chooses the rows */
   const MtLayout *layout;
   const MtStoreDesc *store;
   const MtNode *leaf; /* a leaf of sums that WHERE decides; NULL: the store has records */
} MtAffected;

/* Plans the documents of the store with records, or sums, for which WHERE is true. The plan
 * returns whole documents when each record is a document, and {_id: …} otherwise, each document
 * once. The plan has no columns, since its documents are not rows. */
bool mt_plan_affected (MtArena *a, const MtAffected *of, const MtPlanSettings *settings,
                       MtPlan **out, MtError *err);

/* Whether q's WHERE has one value for all records that a leaf of sums adds up, and for the
 * leaf's row (MtLeaf.row). False: *why (in arena a) names the column or the time that the leaf
 * lacks. */
bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why);

/* The documents of a layout's only collection whose records are all before a time. */
typedef struct MtBefore {
   const MtTable *table;
   const MtLayout *layout;
   int64_t before_ms;
   bool edge; /* the documents that also have other records, instead */
} MtBefore;

/* Plans these documents. The plan returns documents with their _id. *out is NULL when it would
 * find none: the root does not give the time, or no document lies across it. */
bool mt_plan_before (MtArena *a, const MtBefore *of, const MtPlanSettings *settings, MtPlan **out,
                     MtError *err);

/* Writes a pipeline that returns the stored documents of a way (mt_way_of_documents) that may
 * have records of these times, expired ones included. It may return other documents too. It
 * returns all documents when no $match on the root can tell the time. In arena a. */
bool mt_pipeline_within (MtArena *a, const MtWay *w, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err);

#endif
