/* Helpers for the C code of SQL functions: time zones, and results of type text and timestamp. */
#include "functions/core/row.h"

#include "types/datetime.h"

#include <math.h>
#include <string.h>

bool mt_zone_arg (MtEval *ev, MtVal name, const MtZone **out)
{
   static _Thread_local struct {
      char name[80];
      size_t n;
      const MtZone *zone;
   } last;
   if (last.zone && last.n == name.len && memcmp (last.name, name.p, name.len) == 0) {
      *out = last.zone;
      return true;
   }
   if (!mt_tz_find ((const char *) name.p, name.len, out, ev->err))
      return false;
   if (name.len < sizeof last.name) {
      memcpy (last.name, name.p, name.len);
      last.n = name.len;
      last.zone = *out;
   }
   return true;
}

MtVal mt_text_result (MtEval *ev, MtBuf *buf)
{
   MtVal v = mt_v_copy (ev->arena, mt_v_str (buf->p ? buf->p : "", buf->n));
   mt_buf_free (buf);
   return v;
}

void mt_put_moment (const MtEval *ev, MtMoment t, MtVal *out)
{
   *out = ev->exact_times ? mt_v_from_moment (t) : mt_v_date (t.ms);
}

bool mt_date_fits_timestamp (MtVal date, MtError *err)
{
   int64_t ms;
   int32_t days = (int32_t) (date.i / MT_DAY_MS);
   return !mt_ts_is_finite (date.i) || mt_date_to_timestamp (days, &ms, err);
}

bool mt_num_to_bits (MtNum x, int bits, int64_t *out, MtError *err)
{
   int32_t i4 = 0;
   int16_t i2 = 0;
   if (bits == 64)
      return mt_num_to_int64 (x, out, err);
   if (bits == 32 ? !mt_num_to_int32 (x, &i4, err) : !mt_num_to_int16 (x, &i2, err))
      return false;
   *out = bits == 32 ? i4 : i2;
   return true;
}

bool mt_check_fraction (double fraction, MtError *err)
{
   return (fraction >= 0 && fraction <= 1) ||
          mt_error (err, MT_E_NUMERIC_RANGE,
                    isnan (fraction) ? "percentile value NaN is not between 0 and 1"
                                     : "percentile value %g is not between 0 and 1",
                    fraction);
}
