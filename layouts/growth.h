/* What a step adds to a table's statistics, as changes of numbers of its description in the
 * catalog. */
#ifndef MT_GROWTH_H
#define MT_GROWTH_H

#include "layouts/table.h"

/* One store's statistics as they are kept (layouts/table.h). */
bool mt_stats_to_bson (const MtStoreDesc *s, const MtStoreStats *st, bson_t *b);

typedef struct MtGrowth {
   bson_t also; /* what must hold of the description, so that the others are right: {path:
                   condition, …} */
   bson_t add, lower, raise, set; /* {path: value, …} */
} MtGrowth;

/* From `before` to `now`, of a description that has the numbers of `kept`, which others may have
 * changed since `before` was read. False where that can't be said so: the tables aren't alike, or
 * something isn't known any more that was. *out is initialized anyway: mt_growth_free. */
bool mt_table_growth (MtArena *a, const MtTable *kept, const MtTable *before, const MtTable *now,
                      MtGrowth *out);
void mt_growth_free (MtGrowth *g);

#endif
