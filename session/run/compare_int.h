/* The parts of \compare. */
#ifndef MT_COMPARE_INT_H
#define MT_COMPARE_INT_H

#include "planner/plan/plan.h"
#include "session/run/run.h"

/* Fills row->samples with a document of each store of a layout that the plan reads. plan NULL: the
 * layout can't answer, and the document is one of its first store. Memory is in the statement's
 * arena. Errors are those of mt_engine_aggregate. */
bool mt_compare_samples (MtStatement *st, const MtLayout *l, const MtPlan *plan, MtComparison *row,
                         MtError *err);

#endif
