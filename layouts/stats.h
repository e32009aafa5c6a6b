/* Arithmetic on the statistics of stores. */
#ifndef MT_STATS_H
#define MT_STATS_H

#include "layouts/table.h"

/* Adds the statistics `more` to `into`, whose arrays are replaced by new ones in arena a. Counts of
 * NULLs become unknown unless both are known. */
void mt_stats_add (MtArena *a, const MtStoreDesc *s, MtStoreStats *into, const MtStoreStats *more);
/* Subtracts counts, never below 0. Bounds of time and counts of NULLs stay. */
void mt_stats_take (const MtStoreDesc *s, MtStoreStats *from, const MtStoreStats *less);
/* Multiplies all counts by a factor. */
void mt_stats_scale (const MtStoreDesc *s, MtStoreStats *stats, double factor);

#endif
