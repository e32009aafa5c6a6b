/* The buckets of time_bucket_gapfill, for other folders. */
#ifndef MT_FN_GAPFILL_H
#define MT_FN_GAPFILL_H

#include "base/arena.h"
#include "base/value.h"

/* Returns the sorted starts of the buckets, allocated in arena a; *count is their number. args[]
 * are the ten arguments of $_mtGapfill; absent ones are NULL. Returns NULL if they are invalid. */
const int64_t *mt_gapfill_starts (MtArena *a, const MtVal *args, size_t *count);

#endif
