/* Adds, subtracts and scales the statistics of stores (numbers of documents, records and bytes). */
#ifndef MT_STATS_H
#define MT_STATS_H

#include "layouts/table.h"

/* Adds the statistics `more` to `into`, whose arrays are replaced by new ones in arena a. If the
 * number of NULLs is unknown in one of them, it becomes unknown. */
void mt_stats_add (MtArena *a, const MtStoreDesc *s, MtStoreStats *into, const MtStoreStats *more);
/* Subtracts the counts of `less` from `from`; no count becomes negative. The time range and the
 * counts of NULLs stay. */
void mt_stats_take (const MtStoreDesc *s, MtStoreStats *from, const MtStoreStats *less);
/* Multiplies all counts in `stats` by a factor. */
void mt_stats_scale (const MtStoreDesc *s, MtStoreStats *stats, double factor);

#endif
