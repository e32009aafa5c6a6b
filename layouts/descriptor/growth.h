/* Growth of a table's statistics, as changes of single numbers in its catalog document. Several
 * writers can apply such changes at the same time. */
#ifndef MT_GROWTH_H
#define MT_GROWTH_H

#include "layouts/table.h"

typedef struct MtGrowth {
   /* The changes are valid only if the stored document meets these conditions: {path: condition,
    * …}. */
   bson_t also;
   /* changes {path: value, …}: add, minimum, maximum, set; as in MtAdjust (engine/write.h) */
   bson_t add, lower, raise, set;
} MtGrowth;

/* Computes the changes of statistics from `before` to `now`, as changes of the catalog document
 * of table `kept`. False if the tables differ in more than statistics, or a statistic became
 * unknown; then the whole document must be written. *out is always initialized; free it with
 * mt_growth_free. */
bool mt_table_growth (MtArena *a, const MtTable *kept, const MtTable *before, const MtTable *now,
                      MtGrowth *out);
void mt_growth_free (MtGrowth *g);

#endif
