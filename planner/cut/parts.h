/* Which partitions of a store a query reads. */
#ifndef MT_PARTS_H
#define MT_PARTS_H

#include "planner/cut/choose.h"

typedef struct MtParts {
   const MtPartition
      *first; /* those between whose bounds the times lie are in this list, which is in arena a */
   size_t count, of; /* of so many that there are */
} MtParts;

/* The partitions that may have records of these times, by time. */
MtParts mt_parts_of (MtArena *a, const MtStoreDesc *s, MtRangeSet ranges);
/* How many those are; 0 where the store has none. */
size_t mt_parts_count (const MtStoreDesc *s, MtRangeSet ranges);
/* Notes in the chosen candidate what its pieces read of the times that can be asked for; within
 * NULL: all partitions are read. */
void mt_parts_note (MtArena *a, const MtChoice *choice, const MtRangeSet *within,
                    MtCandidate *chosen);
/* Whether the rows of a block over a table are asked for by time first, and how. */
bool mt_parts_in_order (const MtQuery *q, bool *descending);

#endif
