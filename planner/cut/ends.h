/* Aggregates that the first or the last times alone decide: what is read from the ends of all times
 * on, until nothing that is left can change the answer. */
#ifndef MT_ENDS_H
#define MT_ENDS_H

#include "engine/pipe.h"
#include "planner/cut/range.h"

#define MT_END_OLDEST 1u
#define MT_END_NEWEST 2u

/* From which ends a query over a table can be answered that has no groups; 0: it needs all rows. */
unsigned mt_ends_of (const MtQuery *q);
/* "newest first" … */
const char *mt_ends_name (unsigned ends);

/* In which order parts of the time are read: indexes of `bounds`, in arena a. They may overlap. */
const int *mt_ends_order (MtArena *a, unsigned ends, const MtRange *bounds, int count);

/* The stages behind a part's partial aggregates, and behind all of them one after the other: the
 * rest aren't read once they can't change any aggregate. rest: from where to where the times of the
 * parts go that come after it. */
void mt_ends_mark (const MtQuery *q, MtRange rest, MtPipe *pipe);
void mt_ends_stop (const MtQuery *q, MtPipe *pipe);

#endif
