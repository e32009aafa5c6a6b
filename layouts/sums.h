/* Computes the sum, the number of values, the minimum and the maximum of one measure. */
#ifndef MT_SUMS_H
#define MT_SUMS_H

#include "types/numeric.h"
#include "types/type.h"

/* The sum, count, minimum and maximum of one measure. Initialize to zero bytes. Which of i, d and
 * num has the sum depends on the measure's type. */
typedef struct MtSums {
   MtInt128 i;      /* sum of integers */
   double d;        /* sum of floating-point numbers */
   MtNum num;       /* sum of numerics; 16 zero bytes: nothing was added */
   int64_t nonnull; /* number of values that are not NULL */
   MtVal min, max;  /* MT_MISSING: there were no values */
   /* memory for the bytes of min and max, if they are decimals */
   uint8_t min_bytes[16], max_bytes[16];
} MtSums;

void mt_sums_clear (MtSums *s);
/* Adds value v of the measure's type to *s; NULL is ignored. range: also updates min and max, which
 * borrow v's bytes (except a decimal's). */
void mt_sums_value (MtSums *s, MtVal v, MtTypeId type, bool range);
/* Updates the minimum and maximum of *s by those of `more`. Sums and counts do not change. */
void mt_sums_extremes (MtSums *s, const MtSums *more);
void mt_sums_fold (MtSums *s, const MtSums *more, MtTypeId type);

/* Returns the sum as a value of BSON type `as`, or of the next wider type that represents it
 * exactly. NULL if there were no values. `decimal` is memory for a decimal's bytes. */
MtVal mt_sums_total (const MtSums *s, MtTypeId type, uint8_t as, uint8_t decimal[16]);
/* Returns an integer as a value of BSON type `as`, or of the next wider type that represents it.
 * `decimal` is memory for a decimal's bytes. */
MtVal mt_sums_integer (MtInt128 i, uint8_t as, uint8_t decimal[16]);

#endif
