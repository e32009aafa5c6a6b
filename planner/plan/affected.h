/* Finds the stored documents that DELETE, UPDATE and expiry must change. */
#ifndef MT_AFFECTED_H
#define MT_AFFECTED_H

#include "layouts/leaves.h"
#include "planner/plan/plan.h"
#include "planner/cut/way.h"

/* Returns the times at which q's WHERE can be true. *alone: WHERE restricts only the time, so every
 * row in these times satisfies WHERE. */
MtRangeSet mt_affected_times (MtArena *a, const MtQuery *q, const MtTextStyle *style, bool *alone);

/* The rows to change, and one store of a layout in which to find their documents. */
typedef struct MtAffected {
   const MtQuery *query; /* SELECT from the table; WHERE selects the rows to change */
   const MtLayout *layout;
   const MtStoreDesc *store;
   /* A level of sums (no records) whose sums WHERE selects as a whole. NULL: the store has
    * records. */
   const MtNode *leaf;
} MtAffected;

/* Plans a query that returns each document with a record, or a sum, that satisfies WHERE. The
 * query returns whole documents if a document is one record, and otherwise {_id: …}. The plan has
 * no SQL columns. */
bool mt_plan_affected (MtArena *a, const MtAffected *of, const MtPlanSettings *settings,
                       MtPlan **out, MtError *err);

/* Returns whether q's WHERE is the same for all records that one stored sum adds up. leaf: the
 * level of sums. False: *why, in arena a, names the column or time that the level does not
 * store. */
bool mt_leaf_decides (MtArena *a, const MtQuery *q, const MtLeafWay *leaf, const MtTextStyle *style,
                      const char **why);

/* A search for the documents whose records are all older than before_ms, for expiry. The layout has
 * one collection. */
typedef struct MtBefore {
   const MtTable *table;
   const MtLayout *layout;
   int64_t before_ms;
   bool edge; /* search for documents with both older and newer records instead */
} MtBefore;

/* Plans a query that returns the _id of documents older than of->before_ms. *out NULL: no such
 * documents can be found, because the document level does not store the time, or no document has
 * both older and newer records. */
bool mt_plan_before (MtArena *a, const MtBefore *of, const MtPlanSettings *settings, MtPlan **out,
                     MtError *err);

/* Makes a pipeline that returns all stored documents that may have records in `times`, expired
 * records included. w: from mt_way_of_documents. The pipeline returns every document if documents
 * do not store their time. In arena a. */
bool mt_pipeline_within (MtArena *a, const MtWay *w, MtRangeSet times,
                         const MtPlanSettings *settings, const bson_t **out, MtError *err);

#endif
