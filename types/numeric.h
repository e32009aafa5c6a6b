/* Numbers: reads, computes and prints them as PostgreSQL 15 does: numeric (stored as Decimal128),
 * integers, doubles, and also Booleans.
 *
 * MtNum is an IEEE 754 decimal128 in BID format, the bytes that BSON stores. The scale of a
 * PostgreSQL numeric (its number of decimals) is the negated exponent. +, - and * keep the scale,
 * and / chooses it as PostgreSQL does. Different from PostgreSQL, a number has at most 34
 * significant digits. A result with more is rounded (halves away from zero) to 34 digits, so it
 * loses decimals; an integer beyond 34 digits loses its last digits. Magnitudes must be below
 * 10^6145 (22003 "value overflows numeric format"). */
#ifndef MT_NUMERIC_H
#define MT_NUMERIC_H

#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

__extension__ typedef __int128 MtInt128;
__extension__ typedef unsigned __int128 MtUint128;

typedef struct MtNum {
   /* the low 64 bits, then the high 64 bits; on little-endian machines these are the bytes of
    * BSON */
   uint64_t w[2];
} MtNum;

/* ---- conversions ---- */

MtNum mt_num_from_int64 (int64_t i);
MtNum mt_num_from_int128 (MtInt128 i);           /* rounded beyond 34 digits */
MtNum mt_num_from_scaled (int64_t i, int scale); /* returns i / 10^scale, with `scale` decimals */
MtNum mt_num_from_double (double d);             /* PostgreSQL's cast: 15 significant digits */
MtNum mt_num_from_float (float f);               /* 6 significant digits */
/* Converts a BSON number of any type. From a double, 15 significant digits are taken. Returns false
 * if v is not a number. */
bool mt_num_from_val (MtVal v, MtNum *out);
MtNum mt_num_of (MtVal v);                 /* like mt_num_from_val, but NaN if v is not a number */
MtVal mt_num_to_val (MtArena *a, MtNum n); /* returns a value of type MT_DECIMAL */
static inline MtNum mt_num_load (const void *p)
{
   MtNum n;
   __builtin_memcpy (&n, p, sizeof n);
   return n;
}

/* These functions convert to an integer; halves are rounded away from zero. Errors: 22003 out of
 * range, 0A000 NaN or infinity. */
bool mt_num_to_int64 (MtNum n, int64_t *out, MtError *err);
bool mt_num_to_int32 (MtNum n, int32_t *out, MtError *err);
bool mt_num_to_int16 (MtNum n, int16_t *out, MtError *err);
/* truncates to an integer; false if n is NaN, infinite or too large */
bool mt_num_to_int128 (MtNum n, MtInt128 *out);
double mt_num_to_double (MtNum n);

/* Parses a numeric. Errors: 22P02 syntax, 22003 too large. */
bool mt_num_in (const char *p, size_t n, MtNum *out, MtError *err);
void mt_num_out (MtNum n, MtBuf *out);

/* Rounds n for the type numeric(precision, scale). Fails with 22003 if n has too many digits before
 * the point. */
bool mt_num_typmod (MtNum n, int precision, int scale, MtNum *out, MtError *err);

/* ---- properties ---- */

bool mt_num_is_nan (MtNum n);
bool mt_num_is_inf (MtNum n); /* true for infinity and minus infinity */
bool mt_num_is_zero (MtNum n);
int mt_num_sign (MtNum n);  /* returns -1, 0 or 1; 0 for NaN */
int mt_num_scale (MtNum n); /* returns the number of decimals, at least 0 */
/* PostgreSQL's order: NaN is greater than all numbers and equal to NaN */
int mt_num_compare (MtNum a, MtNum b);

/* ---- arithmetic; errors, with PostgreSQL's messages: 22012, 22003, 2201E, 2201F ---- */

MtNum mt_num_neg (MtNum n);
MtNum mt_num_abs (MtNum n);
bool mt_num_add (MtNum a, MtNum b, MtNum *out, MtError *err);
bool mt_num_sub (MtNum a, MtNum b, MtNum *out, MtError *err);
bool mt_num_mul (MtNum a, MtNum b, MtNum *out, MtError *err);
/* Computes a / b with as many decimals as PostgreSQL, which gives at least 16 significant
 * digits. */
bool mt_num_div (MtNum a, MtNum b, MtNum *out, MtError *err);
/* computes SQL's div (a, b): the quotient, truncated to an integer */
bool mt_num_div_trunc (MtNum a, MtNum b, MtNum *out, MtError *err);
/* Computes the remainder of a / b; it has the sign of a. */
bool mt_num_mod (MtNum a, MtNum b, MtNum *out, MtError *err);
/* Rounds n to `scale` decimals, which may be negative. Halves are rounded away from zero. */
MtNum mt_num_round (MtNum n, int scale);
MtNum mt_num_trunc (MtNum n, int scale);
MtNum mt_num_ceil (MtNum n);
MtNum mt_num_floor (MtNum n);
MtNum mt_num_trim_scale (MtNum n);
bool mt_num_sqrt (MtNum n, MtNum *out, MtError *err);
/* Computes the square root of n, which must be finite and not negative, rounded to `scale`
 * decimals. */
bool mt_num_sqrt_at (MtNum n, int scale, MtNum *out, MtError *err);
bool mt_num_exp (MtNum n, MtNum *out, MtError *err);
bool mt_num_ln (MtNum n, MtNum *out, MtError *err);
bool mt_num_log10 (MtNum n, MtNum *out, MtError *err);
bool mt_num_log (MtNum base, MtNum n, MtNum *out, MtError *err);
bool mt_num_power (MtNum base, MtNum exponent, MtNum *out, MtError *err);

/* ---- text of other types ---- */

/* Prints a double as the shortest text that is read as the same number: 1e+20, 0.1, -0, NaN,
 * Infinity. */
void mt_double_out (double d, MtBuf *out);
/* Returns PostgreSQL's text for a double that is infinite or NaN. */
const char *mt_special_name (double d);
void mt_float_out (float f, MtBuf *out);
/* Prints a number rounded to at most `digits` (at least 1) significant digits, as printf's %g
 * does. */
void mt_double_out_digits (double d, int digits, MtBuf *out);
bool mt_double_in (const char *p, size_t n, double *out, MtError *err);
bool mt_float_in (const char *p, size_t n, float *out, MtError *err);
/* Parses an integer that has `bits` bits: 16 (smallint), 32 (integer) or 64 (bigint). */
bool mt_int_in (const char *p, size_t n, int bits, int64_t *out, MtError *err);
/* Parse a Boolean: true, yes, on, 1, false, no, off, 0, or an unambiguous prefix of such a word.
 * mt_bool_word allows no blanks around the word, and sets no error. */
bool mt_bool_in (const char *p, size_t n, bool *out, MtError *err);
bool mt_bool_word (MtStr s, bool *out);

/* Converts a double to an integer of `bits` bits; halves are rounded to the even integer. Fails
 * with 22003 if the result is out of range. */
bool mt_double_to_int (double d, int bits, int64_t *out, MtError *err);

#endif
