/* Finds the partitions of a store (one collection for each month or day) that a query reads. */
#ifndef MT_PARTS_H
#define MT_PARTS_H

#include "planner/cut/choose.h"

typedef struct MtParts {
   /* The partitions that the query reads: an array of `count` in arena a, sorted by time. */
   const MtPartition *first;
   /* `count`: number of partitions that the query reads; `of`: number of all partitions of the
    * store. */
   size_t count, of;
} MtParts;

/* Returns the partitions of a store that overlap the time ranges, sorted by time. */
MtParts mt_parts_of (MtArena *a, const MtStoreDesc *s, MtRangeSet ranges);
/* Returns the number of partitions of a store that overlap the time ranges; 0 if the store is not
 * partitioned. */
size_t mt_parts_count (const MtStoreDesc *s, MtRangeSet ranges);
/* Sets the members of `chosen` about partitions, for EXPLAIN. within: the times that the query
 * reads; NULL: all. */
void mt_parts_note (MtArena *a, const MtChoice *choice, const MtRangeSet *within,
                    MtCandidate *chosen);
/* Returns whether the query block returns rows of the table in ORDER BY the table's time (and then
 * perhaps other keys). *descending is set to whether the newest is first. */
bool mt_parts_in_order (const MtQuery *q, bool *descending);

#endif
