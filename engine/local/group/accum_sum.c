/* Sums and means. They do not depend on the order of rows: they are exact for integers and
 * decimals, and rounding errors are compensated for doubles. */
#include "engine/local/group/group.h"

#include "base/bid.h"

#include <math.h>

static void add_double (MtSum *s, double d)
{
   if (!isfinite (d)) {
      s->special += d;
      s->has_special = true;
      return;
   }
   double sum = s->hi + d, b = sum - s->hi;
   s->lo += (s->hi - (sum - b)) + (d - b);
   s->hi = sum;
}

/* Returns the sum of the rounding errors of s->hi. Returns 0 if the sum exceeds the range of
 * doubles, so that it is infinite. */
static double rest (const MtSum *s) { return isnan (s->lo) ? 0 : s->lo; }

static void add_decimal (MtSum *s, BID_UINT128 d)
{
   unsigned flags = 0;
   if (s->has_dec)
      d = bid128_add (mt_bid_load (s->dec), d, MT_BID_NEAREST, &flags);
   memcpy (s->dec, &d, 16);
   s->has_dec = true;
}

/* Adds the value v to the sum. Ignores values that are not numbers. */
bool mt_sum_add (MtSum *s, MtVal v)
{
   switch (v.type) {
   case MT_INT64:
      s->seen_int64 = true;
      s->i += v.i;
      break;
   case MT_INT32: s->i += v.i; break;
   case MT_DOUBLE:
      s->seen_double = true;
      add_double (s, v.d);
      break;
   case MT_DECIMAL:
      s->seen_decimal = true;
      add_decimal (s, mt_bid_load (v.p));
      break;
   default: return true;
   }
   s->count++;
   return true;
}

void mt_sum_merge (MtSum *s, const MtSum *from)
{
   s->i += from->i;
   s->count += from->count;
   s->seen_int64 |= from->seen_int64;
   s->seen_double |= from->seen_double;
   s->seen_decimal |= from->seen_decimal;
   add_double (s, from->hi);
   add_double (s, rest (from));
   s->special += from->special;
   s->has_special |= from->has_special;
   if (from->has_dec)
      add_decimal (s, mt_bid_load (from->dec));
}

/* Converts an integer to decimal. The result is exact if 34 digits are enough. */
static BID_UINT128 decimal_of_int (MtInt128 i)
{
   unsigned flags = 0;
   const int64_t billion = 1000000000;
   MtInt128 high = i / billion / billion;
   BID_UINT128 unit = bid128_from_int64 (billion * billion),
               low = bid128_from_int64 ((int64_t) (i % (billion * billion)));
   BID_UINT128 top = bid128_mul (bid128_from_int64 ((int64_t) (high / billion)),
                                 bid128_from_int64 (billion), MT_BID_NEAREST, &flags);
   top = bid128_add (top, bid128_from_int64 ((int64_t) (high % billion)), MT_BID_NEAREST, &flags);
   return bid128_add (bid128_mul (top, unit, MT_BID_NEAREST, &flags), low, MT_BID_NEAREST, &flags);
}

static BID_UINT128 decimal_total (const MtSum *s)
{
   unsigned flags = 0;
   BID_UINT128 d = decimal_of_int (s->i);
   if (s->has_dec)
      d = s->i ? bid128_add (mt_bid_load (s->dec), d, MT_BID_NEAREST, &flags)
               : mt_bid_load (s->dec);
   if (s->seen_double) {
      double parts[3] = {s->hi, rest (s), s->has_special ? s->special : 0};
      for (int k = 0; k < 3; k++)
         if (parts[k] != 0)
            d = bid128_add (d, binary64_to_bid128 (parts[k], MT_BID_NEAREST, &flags),
                            MT_BID_NEAREST, &flags);
   }
   return d;
}

static double double_total (const MtSum *s)
{
   if (s->has_special)
      return s->special;
   MtSum t = {.hi = s->hi, .lo = rest (s)};
   double high = (double) s->i;
   add_double (&t, high);
   if (fabs (high) < 1.6e38)
      add_double (&t, (double) (s->i - (MtInt128) high));
   return t.hi + rest (&t);
}

static MtVal decimal_value (BID_UINT128 d, MtArena *a)
{
   uint8_t bytes[16];
   memcpy (bytes, &d, 16);
   return mt_v_decimal (a, bytes);
}

MtVal mt_sum_value (const MtSum *s, bool decimal, MtArena *a)
{
   if (s->seen_decimal || decimal)
      return decimal_value (decimal_total (s), a);
   if (s->seen_double)
      return mt_v_double (double_total (s));
   if (!s->seen_int64 && s->i == (int32_t) s->i)
      return mt_v_int32 ((int32_t) s->i);
   if (s->i == (int64_t) s->i)
      return mt_v_int64 ((int64_t) s->i);
   return mt_v_double ((double) s->i);
}

MtVal mt_avg_value (const MtSum *s, MtArena *a)
{
   if (!s->count)
      return mt_v_null ();
   if (s->seen_decimal) {
      unsigned flags = 0;
      return decimal_value (bid128_div (decimal_total (s), bid128_from_int64 ((int64_t) s->count),
                                        MT_BID_NEAREST, &flags),
                            a);
   }
   return mt_v_double (double_total (s) / (double) s->count);
}
