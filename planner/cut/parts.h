/* Which partitions of a store a query reads. */
#ifndef MT_PARTS_H
#define MT_PARTS_H

#include "planner/cut/choose.h"

typedef struct MtParts {
   /* The first of the partitions that the query reads, an array of `count` in arena a. */
   const MtPartition *first;
   /* Number of partitions that the query reads, and of all partitions of the store. */
   size_t count, of;
} MtParts;

/* Returns the partitions of a store whose bounds overlap `ranges`, ordered by time. */
MtParts mt_parts_of (MtArena *a, const MtStoreDesc *s, MtRangeSet ranges);
/* Returns the number of partitions of a store whose bounds overlap `ranges`. 0: the store is not
 * partitioned. */
size_t mt_parts_count (const MtStoreDesc *s, MtRangeSet ranges);
/* Fills the partition fields of the chosen candidate, for EXPLAIN. within: the times that the query
 * reads. NULL: all partitions are read. */
void mt_parts_note (MtArena *a, const MtChoice *choice, const MtRangeSet *within,
                    MtCandidate *chosen);
/* Returns whether a block returns plain table rows sorted by the table's time first. *descending:
 * newest first. */
bool mt_parts_in_order (const MtQuery *q, bool *descending);

#endif
