#include "layouts/sums.h"

#include <string.h>

void mt_sums_clear (MtSums *a)
{
   a->i = 0;
   a->d = 0;
   a->num = (MtNum) {{0, 0}};
   a->nonnull = 0;
   a->min.type = a->max.type = MT_MISSING;
}

static bool is_double (MtTypeId t) { return t == MT_T_FLOAT4 || t == MT_T_FLOAT8; }

static void keep (MtVal *to, uint8_t bytes[16], MtVal v)
{
   *to = v;
   if (v.type == MT_DECIMAL) {
      memcpy (bytes, v.p, 16);
      to->p = bytes;
   }
}

static void add_num (MtSums *a, MtNum n)
{
   MtError lost;
   MtNum sum;
   if (a->num.w[0] == 0 && a->num.w[1] == 0)
      a->num = n;
   else if (mt_num_add (a->num, n, &sum, &lost))
      a->num = sum;
}

static void add_number (MtSums *a, MtVal v, MtTypeId type)
{
   MtNum n;
   if (mt_type_is_integer (type)) {
      MtInt128 i = v.i;
      if (v.type == MT_DOUBLE)
         i = (MtInt128) v.d;
      else if (v.type == MT_DECIMAL && !(mt_num_from_val (v, &n) && mt_num_to_int128 (n, &i)))
         return;
      a->i += i;
   } else if (is_double (type)) {
      if (v.type == MT_DOUBLE)
         a->d += v.d;
      else
         a->d += v.type == MT_DECIMAL && mt_num_from_val (v, &n) ? mt_num_to_double (n)
                                                                 : (double) v.i;
   } else if (mt_num_from_val (v, &n))
      add_num (a, n);
}

void mt_sums_value (MtSums *a, MtVal v, MtTypeId type, bool range)
{
   if (mt_is_nullish (v))
      return;
   a->nonnull++;
   if (mt_is_number (v))
      add_number (a, v, type);
   if (!range)
      return;
   if (a->min.type == MT_MISSING || mt_v_compare (v, a->min) < 0)
      keep (&a->min, a->min_bytes, v);
   if (a->max.type == MT_MISSING || mt_v_compare (v, a->max) > 0)
      keep (&a->max, a->max_bytes, v);
}

void mt_sums_extremes (MtSums *a, const MtSums *more)
{
   if (more->min.type != MT_MISSING &&
       (a->min.type == MT_MISSING || mt_v_compare (more->min, a->min) < 0))
      keep (&a->min, a->min_bytes, more->min);
   if (more->max.type != MT_MISSING &&
       (a->max.type == MT_MISSING || mt_v_compare (more->max, a->max) > 0))
      keep (&a->max, a->max_bytes, more->max);
}

void mt_sums_fold (MtSums *a, const MtSums *more, MtTypeId type)
{
   if (!more->nonnull)
      return;
   a->i += more->i;
   a->d += more->d;
   if (type == MT_T_NUMERIC)
      add_num (a, more->num);
   a->nonnull += more->nonnull;
   mt_sums_extremes (a, more);
}

static MtVal decimal_value (MtNum n, uint8_t decimal[16])
{
   memcpy (decimal, &n, 16);
   return (MtVal) {.type = MT_DECIMAL, .len = 16, .p = decimal};
}

MtVal mt_sums_integer (MtInt128 i, uint8_t as, uint8_t decimal[16])
{
   /* Doubles represent all integers up to this number. */
   const MtInt128 whole = (MtInt128) 1 << 53;
   if (as == MT_DOUBLE && i >= -whole && i <= whole)
      return mt_v_double ((double) i);
   if (as == MT_INT32 && i >= INT32_MIN && i <= INT32_MAX)
      return mt_v_int32 ((int32_t) i);
   if (as != MT_DECIMAL && i >= INT64_MIN && i <= INT64_MAX)
      return mt_v_int64 ((int64_t) i);
   return decimal_value (mt_num_from_int128 (i), decimal);
}

MtVal mt_sums_total (const MtSums *a, MtTypeId type, uint8_t as, uint8_t decimal[16])
{
   if (!a->nonnull) /* SQL: the sum of no values is NULL */
      return mt_v_null ();
   if (mt_type_is_integer (type))
      return mt_sums_integer (a->i, as, decimal);
   if (is_double (type))
      return as == MT_DECIMAL ? decimal_value (mt_num_from_double (a->d), decimal)
                              : mt_v_double (a->d);
   MtNum n = a->num.w[0] || a->num.w[1] ? a->num : mt_num_from_int64 (0);
   return as == MT_DOUBLE ? mt_v_double (mt_num_to_double (n)) : decimal_value (n, decimal);
}
