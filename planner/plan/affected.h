/* Finds the stored documents that DELETE, UPDATE and expiry must change. */
#ifndef MT_AFFECTED_H
#define MT_AFFECTED_H

#include "layouts/leaves.h"
#include "planner/plan/plan.h"
#include "planner/cut/way.h"

/* Returns the times at which q's WHERE can be true. *alone is set to whether WHERE restricts only
 * the time, so that it is true for every row at these times. */
MtRangeSet mt_affected_times (MtArena *a, const MtQuery *q, const MtTextStyle *style, bool *alone);

/* The rows to change, and the store of a layout in which to find their documents. */
typedef struct MtAffected {
   const MtQuery *query; /* a SELECT from the table; its WHERE selects the rows to change */
   const MtLayout *layout;
   const MtStoreDesc *store;
   /* In a store without records: the level of sums. WHERE must be true or false for each sum as a
    * whole. NULL: the store has records. */
   const MtNode *leaf;
} MtAffected;

/* Plans a query that returns each document that contains a record, or sum, for which WHERE is true.
 * If a document is one record, it returns the whole document, else {_id: …}. The plan has no SQL
 * columns. */
bool mt_plan_affected (MtArena *a, const MtAffected *of, const MtPlanSettings *settings,
                       MtPlan **out, MtError *err);

/* Returns whether q's WHERE has the same value for all records in any one stored sum of leaf
 * `leaf`. If not, *why, in arena a, names the column or time that the leaf does not store. */
bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why);

/* A search, for expiry, for documents whose records are all before before_ms. The layout must have
 * one collection. */
typedef struct MtBefore {
   const MtTable *table;
   const MtLayout *layout;
   int64_t before_ms;
   bool edge; /* search instead for documents that have records before and after before_ms */
} MtBefore;

/* Plans a query that returns the _id of each document that `of` searches for. *out NULL: there are
 * none that can be found, because documents don't store their time, or (of->edge) because no
 * document can have both. */
bool mt_plan_before (MtArena *a, const MtBefore *of, const MtPlanSettings *settings, MtPlan **out,
                     MtError *err);

/* Sets *out to a pipeline, in arena a, that returns all stored documents that may have records in
 * `times`, even if they have expired. If documents do not store their time, it returns all
 * documents. w: from mt_way_of_documents. */
bool mt_pipeline_within (MtArena *a, const MtWay *w, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err);

#endif
