/* Growth of a table's statistics, as changes of single numbers in its catalog document. Several
 * writers can apply such changes at the same time. */
#ifndef MT_GROWTH_H
#define MT_GROWTH_H

#include "layouts/table.h"

typedef struct MtGrowth {
   /* {path: condition, …}: the changes are right only if the document fulfils these. */
   bson_t also;
   bson_t add, lower, raise, set; /* {path: value, …} */
} MtGrowth;

/* Computes the changes from `before` to `now` for a document that has the numbers of `kept`. Other
 * writers may have changed the document since `before` was read. False if the tables differ in more
 * than statistics, or a statistic became unknown. *out is initialized in any case: mt_growth_free.
 */
bool mt_table_growth (MtArena *a, const MtTable *kept, const MtTable *before, const MtTable *now,
                      MtGrowth *out);
void mt_growth_free (MtGrowth *g);

#endif
