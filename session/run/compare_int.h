/* Shared by the files of \compare. */
#ifndef MT_COMPARE_INT_H
#define MT_COMPARE_INT_H

#include "planner/plan/plan.h"
#include "session/run/run.h"

/* Fills row->samples with one document from each store of layout l that the plan reads, as lines of
 * text. plan NULL: the layout can't answer the query, and the document comes from its first store.
 * Memory is in the statement's arena. Errors are those of mt_engine_aggregate. */
bool mt_compare_samples (MtStatement *st, const MtLayout *l, const MtPlan *plan, MtComparison *row,
                         MtError *err);

#endif
