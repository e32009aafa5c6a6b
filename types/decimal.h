/* Decimal numbers split into sign, digits and exponent, for computing and printing numerics. */
#ifndef MT_DECIMAL_H
#define MT_DECIMAL_H

#include "base/bid.h"
#include "types/numeric.h"

#define MT_NUM_DIGITS 34
#define MT_NUM_MIN_EXP (-6176)
#define MT_NUM_MAX_EXP 6111
#define MT_NUM_MIN_SIG_DIGITS 16 /* least precision of quotients, roots and logarithms */

typedef enum MtDecKind { MT_DEC_FINITE, MT_DEC_INF, MT_DEC_NAN } MtDecKind;

typedef struct MtDec {
   MtDecKind kind;
   bool neg;
   int exp; /* value = coef * 10^exp */
   MtUint128 coef;
} MtDec;

MtDec mt_dec_open (MtNum n);
/* Converts d to an MtNum. A coefficient of more than 34 digits is rounded, halves away from zero.
 * Returns false if the number is too large. */
bool mt_dec_close (MtDec d, MtNum *out);

MtUint128 mt_pow10 (int n);         /* returns 10^n, n from 0 to 38 */
int mt_dec_digits (MtUint128 coef); /* returns the number of digits; 0 has one digit */

/* Returns coef without its last `drop` decimal digits. round: halves are rounded away from zero;
 * otherwise truncates. */
MtUint128 mt_dec_drop (MtUint128 coef, int drop, bool round);

/* Returns d with `scale` decimals: adds zeros, up to 34 digits in all, or removes digits (round:
 * with rounding). */
MtDec mt_dec_rescale (MtDec d, int scale, bool round);

/* PostgreSQL stores a numeric as groups of four decimal digits. Returns the position of the group
 * that contains the first digit (0: the group just before the point). *first_group is the value of
 * this group. */
int mt_dec_weight (MtDec d, int *first_group);

BID_UINT128 mt_num_bid (MtNum n);
MtNum mt_num_of_bid (BID_UINT128 x); /* minus zero becomes zero */
bool mt_num_overflow (MtError *err);

#endif
