/* Early stop for aggregates that need only the oldest or newest rows, such as min(ts) and
 * last(v, ts). Partitions are read from that end until no other partition can change the result. */
#ifndef MT_ENDS_H
#define MT_ENDS_H

#include "engine/pipe.h"
#include "planner/cut/range.h"

#define MT_END_OLDEST 1u
#define MT_END_NEWEST 2u

/* Returns from which ends of the time an ungrouped query can be answered, as MT_END_ bits. 0: the
 * query needs all rows. */
unsigned mt_ends_of (const MtQuery *q);
/* Returns the reading order for EXPLAIN, such as "newest first", for MT_END_ bits. Static. */
const char *mt_ends_name (unsigned ends);

/* Returns the order in which to read `count` parts of the time, as indexes of `bounds`, in arena a.
 * The bounds may overlap. ends: MT_END_ bits. */
const int *mt_ends_order (MtArena *a, unsigned ends, const MtRange *bounds, int count);

/* Append the stages that stop reading once later parts can't change any aggregate. mt_ends_mark
 * follows the partial aggregates of one part; `rest` is the time of all later parts. mt_ends_stop
 * follows the union of all parts. */
void mt_ends_mark (const MtQuery *q, MtRange rest, MtPipe *pipe);
void mt_ends_stop (const MtQuery *q, MtPipe *pipe);

#endif
