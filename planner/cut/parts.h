/* Which partitions of a store a query reads. */
#ifndef MT_PARTS_H
#define MT_PARTS_H

#include "planner/cut/choose.h"

typedef struct MtParts {
   /* The partitions whose bounds overlap the times. The list is in arena a. */
   const MtPartition *first;
   /* `of`: the number of all partitions of the store. */
   size_t count, of;
} MtParts;

/* Finds the partitions that may hold records of these times, ordered by time. */
MtParts mt_parts_of (MtArena *a, const MtStoreDesc *s, MtRangeSet ranges);
/* The number of these partitions. 0: the store has no partitions. */
size_t mt_parts_count (const MtStoreDesc *s, MtRangeSet ranges);
/* Writes into the chosen candidate which partitions its pieces read within these times. within
 * NULL: all partitions are read. */
void mt_parts_note (MtArena *a, const MtChoice *choice, const MtRangeSet *within,
                    MtCandidate *chosen);
/* Whether a block over a table returns its rows ordered by time first; *descending is the
 * direction. */
bool mt_parts_in_order (const MtQuery *q, bool *descending);

#endif
