/* Numbers as PostgreSQL 15 reads, computes and prints them: numeric (over Decimal128), integers,
 * doubles, booleans.
 *
 * MtNum is IEEE 754 decimal128 in BID form, the bytes that BSON stores. What PostgreSQL calls the
 * scale of a numeric is the negated exponent, kept through +, -, * and chosen for / as PostgreSQL
 * chooses it. The documented difference: 34 significant digits. A result that needs more is rounded
 * (half away from zero) to 34 digits, and loses scale; a whole number beyond 34 digits loses its
 * last digits. Magnitudes end at 10^6145 (22003 "value overflows numeric format"). */
#ifndef MT_NUMERIC_H
#define MT_NUMERIC_H

#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

__extension__ typedef __int128 MtInt128;
__extension__ typedef unsigned __int128 MtUint128;

typedef struct MtNum {
   uint64_t w[2]; /* low, high: on little-endian machines the 16 bytes of BSON */
} MtNum;

/* ---- to and from ---- */

MtNum mt_num_from_int64 (int64_t i);
MtNum mt_num_from_int128 (MtInt128 i);           /* rounded beyond 34 digits */
MtNum mt_num_from_scaled (int64_t i, int scale); /* i / 10^scale, with that scale */
MtNum mt_num_from_double (double d);             /* PostgreSQL's cast: 15 significant digits */
MtNum mt_num_from_float (float f);               /* 6 significant digits */
bool mt_num_from_val (MtVal v,
                      MtNum *out); /* any BSON number; doubles as above; false: not a number */
MtNum mt_num_of (MtVal v);         /* the same; NaN: not a number */
MtVal mt_num_to_val (MtArena *a, MtNum n); /* MT_DECIMAL */
static inline MtNum mt_num_load (const void *p)
{
   MtNum n;
   __builtin_memcpy (&n, p, sizeof n);
   return n;
}

bool mt_num_to_int64 (
   MtNum n, int64_t *out,
   MtError *err); /* rounded half away; 22003 "bigint out of range", 0A000 for NaN, infinity */
bool mt_num_to_int32 (MtNum n, int32_t *out, MtError *err);
bool mt_num_to_int16 (MtNum n, int16_t *out, MtError *err);
bool mt_num_to_int128 (MtNum n, MtInt128 *out); /* truncated; false: NaN, infinite, too large */
double mt_num_to_double (MtNum n);

bool mt_num_in (const char *p, size_t n, MtNum *out, MtError *err); /* 22P02, 22003 */
void mt_num_out (MtNum n, MtBuf *out);

/* numeric(precision, scale): rounds, or 22003 "numeric field overflow" with PostgreSQL's detail. */
bool mt_num_typmod (MtNum n, int precision, int scale, MtNum *out, MtError *err);

/* ---- what they are ---- */

bool mt_num_is_nan (MtNum n);
bool mt_num_is_inf (MtNum n); /* either sign */
bool mt_num_is_zero (MtNum n);
int mt_num_sign (MtNum n);             /* -1, 0, 1; NaN 0 */
int mt_num_scale (MtNum n);            /* >= 0 */
int mt_num_compare (MtNum a, MtNum b); /* PostgreSQL's order: NaN above all, equal to itself */

/* ---- computing; false sets 22012, 22003, 2201E, 2201F with PostgreSQL's texts ---- */

MtNum mt_num_neg (MtNum n);
MtNum mt_num_abs (MtNum n);
bool mt_num_add (MtNum a, MtNum b, MtNum *out, MtError *err);
bool mt_num_sub (MtNum a, MtNum b, MtNum *out, MtError *err);
bool mt_num_mul (MtNum a, MtNum b, MtNum *out, MtError *err);
bool mt_num_div (MtNum a, MtNum b, MtNum *out,
                 MtError *err); /* PostgreSQL's scale: at least 16 significant digits */
bool mt_num_div_trunc (MtNum a, MtNum b, MtNum *out, MtError *err); /* div(a, b) */
bool mt_num_mod (MtNum a, MtNum b, MtNum *out, MtError *err);       /* sign of a */
MtNum mt_num_round (MtNum n, int scale); /* half away from zero; scale may be negative */
MtNum mt_num_trunc (MtNum n, int scale);
MtNum mt_num_ceil (MtNum n);
MtNum mt_num_floor (MtNum n);
MtNum mt_num_trim_scale (MtNum n);
bool mt_num_sqrt (MtNum n, MtNum *out, MtError *err);
bool mt_num_sqrt_at (MtNum n, int scale, MtNum *out,
                     MtError *err); /* n finite, not below 0; rounded to the scale */
bool mt_num_exp (MtNum n, MtNum *out, MtError *err);
bool mt_num_ln (MtNum n, MtNum *out, MtError *err);
bool mt_num_log10 (MtNum n, MtNum *out, MtError *err);
bool mt_num_log (MtNum base, MtNum n, MtNum *out, MtError *err);
bool mt_num_power (MtNum base, MtNum exponent, MtNum *out, MtError *err);

/* ---- other types' text ---- */

void mt_double_out (double d,
                    MtBuf *out); /* shortest that reads back: 1e+20, 0.1, -0, NaN, Infinity */
void mt_float_out (float f, MtBuf *out);
void mt_double_out_digits (
   double d, int digits,
   MtBuf *out); /* rounded to at most so many significant digits, 1 at least, as by %g */
bool mt_double_in (const char *p, size_t n, double *out, MtError *err);
bool mt_float_in (const char *p, size_t n, float *out, MtError *err);
/* bits: 16, 32 or 64 (smallint, integer, bigint). */
bool mt_int_in (const char *p, size_t n, int bits, int64_t *out, MtError *err);
bool mt_bool_in (
   const char *p, size_t n, bool *out,
   MtError *err); /* t, true, y, yes, on, 1 and their opposites, or prefixes of them */

/* double precision to integer: rounded half to even, 22003 "integer out of range". */
bool mt_double_to_int (double d, int bits, int64_t *out, MtError *err);

#endif
