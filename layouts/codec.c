/* Encodes column values for documents, and decodes stored values. */
#include "layouts/stored.h"

#include "types/datetime.h"
#include "types/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

MtType mt_binding_type (const MtTable *t, const MtBinding *b)
{
   return b->kind == MT_BIND_TIME_PART ? mt_type (MT_T_INT8) : t->columns[b->column].type;
}

MtVal mt_binding_value (const MtTable *t, const MtBinding *b, const MtVal *row)
{
   MtVal v = row[b->column];
   if (b->kind == MT_BIND_COLUMN || v.type != MT_DATE)
      return v;
   if (b->kind == MT_BIND_TIME_TRUNC)
      return mt_v_date (mt_utc_floor (v.i, b->unit));
   return mt_v_int64 (mt_utc_part (v.i, b->unit, b->of) + b->base);
}

/* ---- writing ---- */

static bool encode_number (const MtEncoding *e, int64_t i, MtVal *out, MtError *err)
{
   if (e->as == MT_INT32 && (i > INT32_MAX || i < INT32_MIN))
      return mt_error (err, MT_E_NUMERIC_RANGE,
                       "value %lld doesn't fit the int32 that the layout keeps", (long long) i);
   if (e->as == MT_DOUBLE && (i > (INT64_C (1) << 53) || i < -(INT64_C (1) << 53)))
      return mt_error (err, MT_E_NUMERIC_RANGE,
                       "value %lld doesn't fit the double that the layout keeps exactly",
                       (long long) i);
   if (e->as == MT_DOUBLE)
      *out = mt_v_double ((double) i);
   else
      *out = e->as == MT_INT32 ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i);
   return true;
}

static bool encode_epoch_s (const MtEncoding *e, int64_t ms, MtVal *out, MtError *err)
{
   if (ms % 1000 == 0)
      return encode_number (e, ms / 1000, out, err);
   if (e->as == MT_DOUBLE) {
      *out = mt_v_double ((double) ms / 1000.0);
      return true;
   }
   mt_error (err, MT_E_DATETIME_RANGE,
             "time with milliseconds doesn't fit the whole seconds that the layout keeps");
   return mt_error_hint (err,
                         "Use time_encoding = date or epoch_ms, or a format that ends in %%S.%%L.");
}

static void uuid_text (const uint8_t *p, MtBuf *out)
{
   for (int i = 0; i < 16; i++)
      mt_buf_printf (out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", p[i]);
}

bool mt_encode_text (const MtEncoding *e, MtType t, MtVal v, MtBuf *out, MtError *err)
{
   MtVal x;
   switch (e->kind) {
   case MT_ENC_FORMAT:
      if (v.i < MT_FORMAT_MIN_MS || v.i > MT_FORMAT_MAX_MS)
         return mt_error (err, MT_E_DATETIME_RANGE,
                          "time out of range for the format \"%s\" that the layout keeps",
                          e->format);
      mt_time_format (e->format, v.i, out);
      return true;
   case MT_ENC_EPOCH_S:
      if (v.i % 1000)
         return encode_epoch_s (&(MtEncoding) {.as = MT_INT64}, v.i, &x, err);
      mt_buf_printf (out, "%lld", (long long) (v.i / 1000));
      return true;
   case MT_ENC_EPOCH_MS:
   case MT_ENC_DATE: mt_buf_printf (out, "%lld", (long long) v.i); return true;
   case MT_ENC_NATIVE:
   case MT_ENC_TEXT: break;
   }
   if (v.type == MT_STRING)
      mt_buf_add (out, v.p, v.len);
   else if (v.type == MT_BOOL)
      mt_buf_adds (out, v.i ? "true" : "false");
   else if (v.type == MT_BINARY && v.len == 16)
      uuid_text (v.p, out);
   else {
      if (v.i < 0)
         mt_buf_addc (out, '-');
      mt_buf_digits (out, v.i < 0 ? -(uint64_t) v.i : (uint64_t) v.i, e->pad ? e->pad : 1);
   }
   return true;
}

bool mt_encode (const MtEncoding *e, MtType t, MtVal v, MtBuf *scratch, MtVal *out, MtError *err)
{
   if (mt_is_nullish (v)) {
      *out = mt_v_null ();
      return true;
   }
   size_t start = scratch->n;
   switch (e->kind) {
   case MT_ENC_NATIVE:
      *out = v;
      return e->as && (v.type == MT_INT32 || v.type == MT_INT64) ? encode_number (e, v.i, out, err)
                                                                 : true;
   case MT_ENC_DATE: *out = v; return true;
   case MT_ENC_EPOCH_S: return encode_epoch_s (e, v.i, out, err);
   case MT_ENC_EPOCH_MS: return encode_number (e, v.i, out, err);
   case MT_ENC_FORMAT:
      if (v.i % 1000 && mt_format_grain (e->format) != MT_UNIT_MS)
         return encode_epoch_s (&(MtEncoding) {.as = MT_INT64}, v.i, out, err);
      break;
   case MT_ENC_TEXT: break;
   }
   if (!mt_encode_text (e, t, v, scratch, err))
      return false;
   *out = mt_v_str (scratch->p + start, scratch->n - start);
   return true;
}

/* ---- reading ---- */

bool mt_whole_number (MtVal v, int64_t *out)
{
   if (v.type == MT_INT32 || v.type == MT_INT64) {
      *out = v.i;
      return true;
   }
   if (v.type == MT_DOUBLE && v.d >= -9.2e18 && v.d <= 9.2e18 && v.d == floor (v.d)) {
      *out = (int64_t) v.d;
      return true;
   }
   MtNum n;
   MtInt128 i;
   if (v.type != MT_DECIMAL || !mt_num_from_val (v, &n) || !mt_num_to_int128 (n, &i) ||
       i > INT64_MAX || i < INT64_MIN || mt_num_compare (mt_num_from_int128 (i), n))
      return false;
   *out = (int64_t) i;
   return true;
}

/* Converts seconds to milliseconds, rounding down. A double is first rounded to the nearest
 * millisecond, so that every time written by encode_epoch_s is read back exactly. Returns false if
 * v is no number or out of range. */
static bool decode_epoch_s (MtVal v, int64_t *ms)
{
   int64_t s;
   if (mt_whole_number (v, &s))
      return !__builtin_mul_overflow (s, INT64_C (1000), ms);
   if (v.type != MT_DOUBLE || !(v.d > -9e15 && v.d < 9e15))
      return false;
   *ms = (int64_t) floor (v.d * 1000 + 0.5);
   *ms -= (double) *ms / 1000.0 > v.d;
   return true;
}

bool mt_read_digits (MtStr s, int64_t *out)
{
   bool minus = s.n && *s.p == '-';
   uint64_t u = 0;
   if (s.n <= (size_t) minus)
      return false;
   for (size_t i = minus; i < s.n; i++) {
      if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow (u, (uint64_t) 10, &u) ||
          __builtin_add_overflow (u, (uint64_t) (s.p[i] - '0'), &u))
         return false;
   }
   if (u > (uint64_t) INT64_MAX + minus)
      return false;
   *out = minus ? (int64_t) (0 - u) : (int64_t) u;
   return true;
}

static bool decode_text (MtArena *a, MtType t, MtVal v, MtVal *out)
{
   if (v.type != MT_STRING && v.type != MT_SYMBOL)
      return mt_value_normalize (a, t, v, out, NULL);
   MtStr s = {(const char *) v.p, v.len};
   int64_t i;
   if (mt_is_text_type (t.id)) {
      *out = mt_v_str (s.p, s.n);
      return true;
   }
   if (mt_type_is_integer (t.id))
      return mt_read_digits (s, &i) && mt_value_normalize (a, t, mt_v_int64 (i), out, NULL);
   return mt_value_parse (a, t, s, &(MtTextStyle) {.extra_float_digits = 1}, out, NULL);
}

bool mt_decode (MtArena *a, const MtEncoding *e, MtType t, MtVal v, MtVal *out)
{
   int64_t ms = 0;
   if (mt_is_nullish (v)) {
      *out = mt_v_null ();
      return true;
   }
   switch (e->kind) {
   case MT_ENC_NATIVE:
      if (mt_type_is_integer (t.id) && mt_whole_number (v, &ms)) {
         *out = t.id == MT_T_INT8 ? mt_v_int64 (ms) : mt_v_int32 ((int32_t) ms);
         return t.id == MT_T_INT8 || (ms >= INT32_MIN && ms <= INT32_MAX);
      }
      return mt_value_normalize (a, t, v, out, NULL);
   case MT_ENC_TEXT: return decode_text (a, t, v, out);
   case MT_ENC_DATE: *out = v; return v.type == MT_DATE;
   case MT_ENC_EPOCH_S:
      if (!decode_epoch_s (v, &ms))
         return false;
      break;
   case MT_ENC_EPOCH_MS:
      if (!mt_whole_number (v, &ms))
         return false;
      break;
   case MT_ENC_FORMAT:
      if (v.type != MT_STRING ||
          !mt_time_unformat (e->format, (MtStr) {(const char *) v.p, v.len}, &ms))
         return false;
      break;
   }
   *out = mt_v_date (ms);
   return true;
}
