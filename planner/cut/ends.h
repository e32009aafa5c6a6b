/* Aggregates that depend on the first or the last times only. The parts of the time are read
 * from these ends until the rest can't change the answer. */
#ifndef MT_ENDS_H
#define MT_ENDS_H

#include "engine/pipe.h"
#include "planner/cut/range.h"

#define MT_END_OLDEST 1u
#define MT_END_NEWEST 2u

/* From which ends an ungrouped query over a table can be answered. 0: the query needs all rows. */
unsigned mt_ends_of (const MtQuery *q);
/* The order for EXPLAIN: "newest first" … Static. */
const char *mt_ends_name (unsigned ends);

/* The order in which parts of the time are read: indexes of `bounds`, in arena a. The bounds may
 * overlap. */
const int *mt_ends_order (MtArena *a, unsigned ends, const MtRange *bounds, int count);

/* mt_ends_mark appends the stages after one part's partial aggregates. mt_ends_stop appends the
 * stages after all parts, one after the other. Together they stop reading when the rest can't
 * change any aggregate. rest: the times of the parts that come later. */
void mt_ends_mark (const MtQuery *q, MtRange rest, MtPipe *pipe);
void mt_ends_stop (const MtQuery *q, MtPipe *pipe);

#endif
