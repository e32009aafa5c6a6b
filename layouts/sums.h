/* The sum, the number of values and the extremes of one measure. */
#ifndef MT_SUMS_H
#define MT_SUMS_H

#include "types/numeric.h"
#include "types/type.h"

/* An MtSums of zeros is empty. Which of i, d and num is used depends on the measure's type. */
typedef struct MtSums {
   MtInt128 i;                           /* of integer types */
   double d;                             /* of floating-point types */
   MtNum num;                            /* of numeric; 16 zero bytes: nothing was added */
   int64_t nonnull;                      /* the number of values */
   MtVal min, max;                       /* MT_MISSING: none */
   uint8_t min_bytes[16], max_bytes[16]; /* of min and max, if they are decimals */
} MtSums;

void mt_sums_clear (MtSums *s);
/* Adds one value of the measure's type; NULL is ignored. range: updates the extremes, too. The
 * bytes of a value that becomes an extreme are borrowed, except a decimal's. */
void mt_sums_value (MtSums *s, MtVal v, MtTypeId type, bool range);
void mt_sums_fold (MtSums *s, const MtSums *more, MtTypeId type);

/* Returns the sum as a value of BSON type `as`, or of the next wider type that holds it exactly.
 * NULL if there were no values. A decimal's bytes are in `decimal`. */
MtVal mt_sums_total (const MtSums *s, MtTypeId type, uint8_t as, uint8_t decimal[16]);
/* Returns an integer as a value of BSON type `as`, or of the next wider type that holds it. */
MtVal mt_sums_integer (MtInt128 i, uint8_t as, uint8_t decimal[16]);

#endif
