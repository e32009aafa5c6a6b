/* Growth of a table's statistics, as changes of single numbers in its catalog document. Several
 * writers can apply such changes at the same time. */
#ifndef MT_GROWTH_H
#define MT_GROWTH_H

#include "layouts/table.h"

typedef struct MtGrowth {
   /* {path: condition, …}: the changes are right only if the stored document meets these
    * conditions */
   bson_t also;
   bson_t add, lower, raise, set; /* {path: value, …}; as in MtAdjust (engine/write.h) */
} MtGrowth;

/* Computes the changes from `before` to `now`, to apply to a stored document with the statistics of
 * `kept`. False if the tables differ in more than statistics, or a statistic became unknown. *out
 * is always initialized; free it with mt_growth_free. */
bool mt_table_growth (MtArena *a, const MtTable *kept, const MtTable *before, const MtTable *now,
                      MtGrowth *out);
void mt_growth_free (MtGrowth *g);

#endif
