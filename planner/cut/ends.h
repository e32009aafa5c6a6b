/* Early stop for aggregates that need only the oldest or newest rows, such as min(ts) and last(v,
 * ts). Partitions are read from the oldest or newest on, until no other partition can change the
 * result. */
#ifndef MT_ENDS_H
#define MT_ENDS_H

#include "engine/pipe.h"
#include "planner/cut/range.h"

#define MT_END_OLDEST 1u
#define MT_END_NEWEST 2u

/* Returns at which ends of the time the rows are that an ungrouped query needs, as MT_END_ bits. 0:
 * it needs all rows. */
unsigned mt_ends_of (const MtQuery *q);
/* Returns the reading order, such as "newest first", for MT_END_ bits, for EXPLAIN. The string is
 * static. */
const char *mt_ends_name (unsigned ends);

/* Returns the order in which to read `count` time ranges for the given MT_END_ bits: an array of
 * indexes of `bounds`, in arena a. The ranges may overlap. */
const int *mt_ends_order (MtArena *a, unsigned ends, const MtRange *bounds, int count);

/* mt_ends_mark and mt_ends_stop append stages that stop reading as soon as no unread partition can
 * change an aggregate. mt_ends_mark is called after the partial aggregates of one or several
 * partitions; `rest` is the time range of all partitions that are read later. mt_ends_stop is
 * called after the union of all partitions. */
void mt_ends_mark (const MtQuery *q, MtRange rest, MtPipe *pipe);
void mt_ends_stop (const MtQuery *q, MtPipe *pipe);

#endif
