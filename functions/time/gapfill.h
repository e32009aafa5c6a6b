/* Buckets of time_bucket_gapfill, for use outside functions/time. */
#ifndef MT_FN_GAPFILL_H
#define MT_FN_GAPFILL_H

#include "base/arena.h"
#include "base/value.h"

/* Returns the starts of the buckets, sorted, in arena a. args: ten arguments of $_mtGapfill; those
 * that are absent are NULL. NULL: the arguments are wrong. */
const int64_t *mt_gapfill_starts (MtArena *a, const MtVal *args, size_t *count);

#endif
