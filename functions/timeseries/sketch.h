/* Common parts of the sketches uddsketch, tdigest and hyperloglog: checks of parameters, counts and
 * sums, and arrays of percentiles. */
#ifndef MT_SKETCH_H
#define MT_SKETCH_H

#include "functions/timeseries/summary.h"

#define MT_SKETCH_MAX_BUCKETS 10000

/* A sum of doubles, together with the sum of its rounding errors, so that it hardly depends on the
 * order of additions. */
typedef struct MtTotal {
   double hi, lo;
} MtTotal;

/* The count and the sum of the numbers in a sketch. */
typedef struct MtTally {
   int64_t n;
   MtTotal sum;
} MtTally;

/* Adds the count and sum of `more`. Fails with 22003 if the count or the sum overflows. */
bool mt_tally_add (MtTally *t, const MtTally *more, MtError *err);
double mt_tally_mean (const MtTally *t);
/* Write and read the fields n and sum of a stored state. Reading sets r->ok to false unless n > 0
 * and the sum is finite. */
void mt_tally_write (const MtTally *t, MtBson *b);
void mt_tally_read (MtSummaryReader *r, MtTally *t);

/* Checks a number to be added to the sketch `name`. Fails with 22003 if it is NaN or infinite. */
bool mt_sketch_number (double x, const char *name, MtError *err);
/* Checks that the number of buckets is from `least` to `most`. Otherwise fails with 22023. */
bool mt_sketch_buckets (int64_t buckets, int64_t least, int64_t most, MtError *err);
/* Sets error 22023 (sketches with different parameters can't be merged), and returns false. */
bool mt_sketch_differ (const char *name, MtError *err);

/* Sets *out to the array of results of `one` for each element of the array `fractions`; a NULL
 * element gives NULL. */
bool mt_sketch_each (MtEval *ev, MtVal fractions, const void *sketch,
                     bool (*one) (MtEval *ev, const void *sketch, double fraction, double *out),
                     MtVal *out);

#endif
