/* Statistics of a set of numbers: their count, sum, and sums of the second to fourth powers of the
 * differences from the mean; the same for a set of pairs, with the sum of products. States of
 * stats_agg, counter_agg and gauge_agg contain them. */
#ifndef MT_MOMENTS_H
#define MT_MOMENTS_H

#include "functions/timeseries/summary.h"

/* The sum of the values, and sums of powers of their differences from the mean: s2 of squares, s3
 * of cubes, s4 of fourth powers. */
typedef struct MtMoments {
   double sum, s2, s3, s4;
} MtMoments;

typedef struct MtMoments1 {
   int64_t n;
   MtMoments x;
} MtMoments1;

typedef struct MtMoments2 {
   int64_t n;
   MtMoments x, y;
   double sxy; /* the sum of the products of the deviations */
} MtMoments2;

/* Add a number or a pair, or merge another set into m. Fail with 22003 if finite values have an
 * infinite sum, or if there are more than 2^63 values. */
bool mt_moments1_add (MtMoments1 *m, double x, MtError *err);
bool mt_moments1_join (MtMoments1 *m, const MtMoments1 *from, MtError *err);
bool mt_moments2_add (MtMoments2 *m, double x, double y, MtError *err);
bool mt_moments2_join (MtMoments2 *m, const MtMoments2 *from, MtError *err);

/* Returns d as a double; a NaN, by which functions say "not defined", becomes NULL. */
MtVal mt_v_defined (double d);

/* The slope and intercept of the regression line y = slope * x + intercept, and the correlation.
 * NAN: not defined. */
double mt_moments2_slope (const MtMoments2 *m);
double mt_moments2_intercept (const MtMoments2 *m);
double mt_moments2_corr (const MtMoments2 *m);

void mt_moments1_write (const MtMoments1 *m, MtBson *b);
void mt_moments1_read (MtSummaryReader *r, MtMoments1 *m);
void mt_moments2_write (const MtMoments2 *m, MtBson *b);
void mt_moments2_read (MtSummaryReader *r, MtMoments2 *m);

#endif
