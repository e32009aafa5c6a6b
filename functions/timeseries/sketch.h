/* What the sketches uddsketch, tdigest and hyperloglog have in common: their parameters, the sum of
 * their numbers, and percentiles. */
#ifndef MT_SKETCH_H
#define MT_SKETCH_H

#include "functions/timeseries/summary.h"

#define MT_SKETCH_MAX_BUCKETS 10000

/* A sum of doubles with the sum of its rounding errors, so that the order hardly matters. */
typedef struct MtTotal {
   double hi, lo;
} MtTotal;

/* How many numbers a sketch has, and their sum. */
typedef struct MtTally {
   int64_t n;
   MtTotal sum;
} MtTally;

/* Adds numbers. 22003 if there are too many, or their sum is beyond the range of doubles. */
bool mt_tally_add (MtTally *t, const MtTally *more, MtError *err);
double mt_tally_mean (const MtTally *t);
/* The fields n and sum. Reading checks that n > 0, and that the sum is finite. */
void mt_tally_write (const MtTally *t, MtBson *b);
void mt_tally_read (MtSummaryReader *r, MtTally *t);

/* Checks a number to be added to a sketch; 22003 if it is NaN or infinite. */
bool mt_sketch_number (double x, const char *name, MtError *err);
/* Checks the number of buckets; 22023. */
bool mt_sketch_buckets (int64_t buckets, int64_t least, int64_t most, MtError *err);
/* Sets the error that sketches have different parameters (22023), and returns false. */
bool mt_sketch_differ (const char *name, MtError *err);

/* Calls `one` for each fraction of an array; NULL gives NULL. *out is an array in ev->arena. */
bool mt_sketch_each (MtEval *ev, MtVal fractions, const void *sketch,
                     bool (*one) (MtEval *ev, const void *sketch, double fraction, double *out),
                     MtVal *out);

#endif
