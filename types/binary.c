#include "types/binary.h"
#include "base/network.h"
#include "base/value.h"
#include "types/datetime.h"
#include "types/record.h"

#include <stdlib.h>

#define EPOCH_MS INT64_C (946684800000) /* 2000-01-01, PostgreSQL's epoch, since 1970 */
enum { EPOCH_DAYS = 10957, MOST_DIGITS = 0x4000 };

enum { CHAR_OID = 18, NAME_OID = 19, CHAR_ARRAY_OID = 1002, NAME_ARRAY_OID = 1003 };
enum { VECTOR = 1, INT2VECTOR_OID = 22, OIDVECTOR_OID = 30 }; /* VECTOR: in MtType.mod1 */

MtType mt_type_vector (MtTypeId element)
{
   return (MtType) {.id = mt_type_array (element), .mod1 = VECTOR, .mod2 = -1};
}

bool mt_type_is_vector (MtType t)
{
   return t.mod1 == VECTOR &&
          (t.id == mt_type_array (MT_T_INT2) || t.id == mt_type_array (MT_T_OID));
}

/* The types name and "char": values of mod2 of text, and of varchar(1), to which casts to "char"
 * cut their values. */
enum { CATALOG_NAME = -3, CATALOG_CHAR = -4 };

MtType mt_type_catalog_name (void) { return (MtType) {MT_T_TEXT, -1, CATALOG_NAME}; }
MtType mt_type_catalog_char (void) { return (MtType) {MT_T_TEXT, -1, CATALOG_CHAR}; }

bool mt_type_is_catalog_char (MtType t)
{
   return (t.id == MT_T_TEXT || t.id == MT_T_VARCHAR) && t.mod2 == CATALOG_CHAR;
}

bool mt_type_is_catalog_text (MtType t)
{
   return mt_type_is_catalog_char (t) || (t.id == MT_T_TEXT && t.mod2 == CATALOG_NAME);
}

/* The OIDs of name, "char" and their arrays; 0: t is another type. */
static uint32_t catalog_text_oid (MtType t)
{
   MtType element = {mt_type_element (t.id), t.mod1, t.mod2};
   if (!mt_type_is_catalog_text (element))
      return 0;
   bool array = mt_type_is_array (t.id);
   if (mt_type_is_catalog_char (element))
      return array ? CHAR_ARRAY_OID : CHAR_OID;
   return array ? NAME_ARRAY_OID : NAME_OID;
}

uint32_t mt_type_oid (MtType t)
{
   uint32_t oid = catalog_text_oid (t);
   if (oid)
      return oid;
   if (mt_type_is_vector (t))
      return t.id == mt_type_array (MT_T_INT2) ? INT2VECTOR_OID : OIDVECTOR_OID;
   MtTypeId id = t.id == MT_T_UNKNOWN ? MT_T_TEXT : t.id;
   return mt_type_info (id)->oid;
}

bool mt_type_of_catalog_oid (int64_t oid, MtType *out)
{
   switch (oid) {
   case INT2VECTOR_OID: *out = mt_type_vector (MT_T_INT2); break;
   case OIDVECTOR_OID: *out = mt_type_vector (MT_T_OID); break;
   case CHAR_OID:
   case CHAR_ARRAY_OID: *out = mt_type_catalog_char (); break;
   case NAME_OID:
   case NAME_ARRAY_OID: *out = mt_type_catalog_name (); break;
   default: return false;
   }
   if (oid == CHAR_ARRAY_OID || oid == NAME_ARRAY_OID)
      out->id = mt_type_array (out->id);
   return true;
}

int16_t mt_type_bytes (MtType t)
{
   if (mt_type_is_catalog_text (t))
      return mt_type_is_catalog_char (t) ? 1 : 64;
   switch (t.id) {
   case MT_T_BOOL: return 1;
   case MT_T_INT2: return 2;
   case MT_T_INT4:
   case MT_T_FLOAT4:
   case MT_T_DATE:
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE: return 4;
   case MT_T_INT8:
   case MT_T_FLOAT8:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return 8;
   case MT_T_INTERVAL:
   case MT_T_UUID: return 16;
   default: return -1;
   }
}

/* ---- numeric: groups of four decimal digits, as in PostgreSQL's numeric_send ---- */

enum {
   NUMERIC_NEGATIVE = 0x4000,
   NUMERIC_NAN = 0xC000,
   NUMERIC_PLUS = 0xD000,
   NUMERIC_MINUS = 0xF000
};

static void put_numeric_head (MtBuf *out, uint16_t digits, int16_t weight, uint16_t sign,
                              uint16_t scale)
{
   mt_put_be16 (out, digits);
   mt_put_be16 (out, (uint16_t) weight);
   mt_put_be16 (out, sign);
   mt_put_be16 (out, scale);
}

/* Returns the value of one group of four decimal digits: of the digits for 10^(4 * weight) and up.
 * `text` has n digits; the first one stands `first` places before the decimal point (1: units). */
static uint16_t group (const char *text, size_t n, long first, long weight)
{
   uint16_t v = 0;
   for (long place = weight * 4 + 4; place > weight * 4; place--) {
      long i = first - place;
      v = (uint16_t) (v * 10 + (i >= 0 && i < (long) n ? text[i] - '0' : 0));
   }
   return v;
}

/* Appends a numeric in binary form, from its text: [-]digits[.digits], NaN or [-]Infinity. */
static bool send_numeric (const char *p, size_t n, MtBuf *out)
{
   MtBuf digits = {0};
   bool minus = n && *p == '-';
   size_t at = minus;
   long whole = 0, scale = 0;
   if (n && p[n - 1] == 'N')
      put_numeric_head (out, 0, 0, NUMERIC_NAN, 0);
   else if (n && p[n - 1] == 'y')
      put_numeric_head (out, 0, 0, minus ? NUMERIC_MINUS : NUMERIC_PLUS, 0);
   if (n && (p[n - 1] == 'N' || p[n - 1] == 'y'))
      return true;
   for (; at < n && p[at] != '.'; at++, whole++)
      mt_buf_addc (&digits, p[at]);
   for (at++; at < n; at++, scale++)
      mt_buf_addc (&digits, p[at]);
   long high = (whole + 3) / 4 - 1, low = -((scale + 3) / 4);
   while (high >= low && group (digits.p, digits.n, whole, high) == 0)
      high--;
   while (low <= high && group (digits.p, digits.n, whole, low) == 0)
      low++;
   bool zero = high < low;
   put_numeric_head (out, zero ? 0 : (uint16_t) (high - low + 1), zero ? 0 : (int16_t) high,
                     minus && !zero ? NUMERIC_NEGATIVE : 0, (uint16_t) scale);
   for (long w = high; !zero && w >= low; w--)
      mt_put_be16 (out, group (digits.p, digits.n, whole, w));
   mt_buf_free (&digits);
   return true;
}

static bool receive_numeric (MtNetBytes *m, MtBuf *out)
{
   uint16_t count = mt_take_be16 (m);
   int weight = (int16_t) mt_take_be16 (m);
   uint16_t sign = mt_take_be16 (m), scale = mt_take_be16 (m);
   if (m->bad || count > MOST_DIGITS || scale > 0x3FFF || m->n - m->at != 2u * count)
      return false;
   if (sign == NUMERIC_NAN || sign == NUMERIC_PLUS || sign == NUMERIC_MINUS) {
      if (sign == NUMERIC_NAN)
         mt_buf_adds (out, "NaN");
      else
         mt_buf_adds (out, sign == NUMERIC_PLUS ? "Infinity" : "-Infinity");
      return true;
   }
   if (sign != 0 && sign != NUMERIC_NEGATIVE)
      return false;
   if (sign)
      mt_buf_addc (out, '-');
   const uint8_t *digits = m->p + m->at;
   int lowest = -((scale + 3) / 4), top = weight > 0 ? weight : 0;
   size_t point = 0;
   for (int w = top; w >= lowest; w--) {
      int i = weight - w;
      unsigned v = i >= 0 && i < count ? digits[2 * i] * 256u + digits[2 * i + 1] : 0;
      if (v > 9999)
         return false;
      if (w == -1) {
         mt_buf_addc (out, '.');
         point = out->n;
      }
      mt_buf_digits (out, v, 4);
   }
   if (scale && out->n > point + scale) { /* the last group may be longer than the scale */
      out->n = point + scale;
      out->p[out->n] = 0;
   }
   mt_take_bytes (m, 2u * count);
   return true;
}

/* ---- times ---- */

/* Appends a timestamp as the number of microseconds since 2000-01-01. */
static void send_moment (MtMoment t, MtBuf *out)
{
   int64_t us = t.ms;
   if (t.ms != MT_TS_INFINITY && t.ms != MT_TS_MINUS_INFINITY)
      us = (t.ms - EPOCH_MS) * 1000 + t.us;
   mt_put_be64 (out, (uint64_t) us);
}

static void send_date (int32_t days, MtBuf *out)
{
   if (days != MT_DATE_INFINITY && days != MT_DATE_MINUS_INFINITY)
      days -= EPOCH_DAYS;
   mt_put_be32 (out, (uint32_t) days);
}

static void send_interval (MtInterval iv, MtBuf *out)
{
   mt_put_be64 (out, (uint64_t) iv.us);
   mt_put_be32 (out, (uint32_t) iv.days);
   mt_put_be32 (out, (uint32_t) iv.months);
}

static bool receive_moment (int64_t us, const MtZone *zone, MtBuf *out)
{
   if (us == INT64_MAX || us == INT64_MIN)
      mt_buf_adds (out, us < 0 ? "-infinity" : "infinity");
   else
      mt_moment_out (mt_moment_after (EPOCH_MS, us), zone, out);
   return true;
}

static bool receive_date (int32_t days, MtBuf *out)
{
   if (days == INT32_MAX || days == INT32_MIN)
      mt_buf_adds (out, days < 0 ? "-infinity" : "infinity");
   else if (days > INT32_MAX - EPOCH_DAYS)
      return false;
   else
      mt_date_out (days + EPOCH_DAYS, out);
   return true;
}

static bool receive_interval (MtNetBytes *m, MtBuf *out)
{
   int64_t us = (int64_t) mt_take_be64 (m);
   int32_t days = (int32_t) mt_take_be32 (m), months = (int32_t) mt_take_be32 (m);
   if (!m->bad)
      mt_interval_out ((MtInterval) {months, days, us}, out);
   return !m->bad;
}

/* ---- arrays: PostgreSQL's array_send ---- */

static bool send_value (MtArena *a, MtType t, MtVal v, const MtTextStyle *style, MtBuf *out,
                        MtError *err);

bool mt_binary_put (MtArena *a, MtType t, MtVal v, const MtTextStyle *style, MtBuf *out,
                    MtError *err)
{
   size_t at = out->n;
   mt_put_be32 (out, UINT32_MAX); /* NULL */
   if (mt_is_nullish (v))
      return true;
   if (!send_value (a, t, v, style, out, err))
      return false;
   mt_set_be32 (out, at, (uint32_t) (out->n - at - 4));
   return true;
}

static bool send_array (MtArena *a, MtType t, MtVal v, const MtTextStyle *style, MtBuf *out,
                        MtError *err)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   MtType element = {mt_type_element (t.id), t.mod1, t.mod2 == MT_FLAT ? -1 : t.mod2};
   int n = mt_array_dims (v, element.id, dims);
   mt_put_be32 (out, (uint32_t) n);
   size_t nulls = out->n;
   bool any = false;
   mt_put_be32 (out, 0);
   mt_put_be32 (out, mt_type_oid (element));
   for (int i = 0; i < n; i++) {
      mt_put_be32 (out, (uint32_t) dims[i]);
      mt_put_be32 (out, 1); /* the lower bound */
   }
   MtArrayIter it = mt_array_iter (v, element.id);
   for (MtVal e; mt_array_next (&it, &e);) {
      any |= mt_is_nullish (e);
      if (!mt_binary_put (a, element, e, style, out, err))
         return false;
   }
   if (any)
      mt_set_be32 (out, nulls, 1);
   return true;
}

/* Appends a record: the number of its fields, then for each field its type's OID and its value. */
static bool send_record (MtArena *a, MtVal record, const MtTextStyle *style, MtBuf *out,
                         MtError *err)
{
   MtRecordIter it = mt_record_iter (record);
   MtRecordField f;
   mt_put_be32 (out, (uint32_t) mt_record_count (record));
   while (mt_record_next (&it, &f)) {
      mt_put_be32 (out, mt_type_oid (mt_type (f.type)));
      if (!mt_binary_put (a, mt_type (f.type), f.value, style, out, err))
         return false;
   }
   return true;
}

static bool receive_element (MtType t, MtNetBytes *m, MtBuf *out, MtError *err)
{
   uint32_t n = mt_take_be32 (m);
   MtBuf text = {0};
   if (n == UINT32_MAX) {
      mt_buf_adds (out, "NULL");
      return !m->bad;
   }
   const uint8_t *p = mt_take_bytes (m, n);
   bool ok = p && mt_binary_receive (t, p, n, &text, err);
   mt_buf_addc (out, '"');
   for (size_t i = 0; ok && i < text.n; i++) {
      if (text.p[i] == '"' || text.p[i] == '\\')
         mt_buf_addc (out, '\\');
      mt_buf_addc (out, text.p[i]);
   }
   mt_buf_addc (out, '"');
   mt_buf_free (&text);
   return ok;
}

/* Reads the elements of a binary array in the last `depth` dimensions, whose lengths are dims[0]
 * and so on. Appends them as text with braces. */
static bool receive_dimension (MtType element, MtNetBytes *m, const uint32_t *dims, int depth,
                               MtBuf *out, MtError *err)
{
   bool ok = true;
   mt_buf_addc (out, '{');
   for (uint32_t i = 0; ok && i < *dims; i++) {
      if (i)
         mt_buf_addc (out, ',');
      ok = depth > 1 ? receive_dimension (element, m, dims + 1, depth - 1, out, err)
                     : receive_element (element, m, out, err);
   }
   mt_buf_addc (out, '}');
   return ok;
}

static bool receive_array (MtType t, MtNetBytes *m, MtBuf *out, MtError *err)
{
   MtType element = mt_type (mt_type_element (t.id));
   uint32_t n = mt_take_be32 (m), dims[MT_MAX_ARRAY_DIMS];
   mt_take_be32 (m); /* whether there are NULLs */
   mt_take_be32 (m); /* the OID of the elements' type; the parameter's own type counts */
   if (m->bad || n > MT_MAX_ARRAY_DIMS)
      return false;
   for (uint32_t i = 0; i < n; i++) {
      dims[i] = mt_take_be32 (m);
      mt_take_be32 (m); /* the lower bound: arrays begin at 1 here */
      if (m->bad || dims[i] > m->n)
         return false;
   }
   if (n == 0) {
      mt_buf_adds (out, "{}");
      return true;
   }
   return receive_dimension (element, m, dims, (int) n, out, err);
}

/* ---- all types ---- */

static bool send_value (MtArena *a, MtType t, MtVal v, const MtTextStyle *style, MtBuf *out,
                        MtError *err)
{
   union {
      float f;
      uint32_t u;
   } real;
   union {
      double d;
      uint64_t u;
   } wide;
   if (!mt_value_normalize (a, t, v, &v, err))
      return false;
   if (mt_type_is_array (t.id))
      return send_array (a, t, v, style, out, err);
   switch (t.id) {
   case MT_T_BOOL: mt_buf_addc (out, v.i != 0); return true;
   case MT_T_INT2: mt_put_be16 (out, (uint16_t) v.i); return true;
   case MT_T_INT4:
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE: mt_put_be32 (out, (uint32_t) v.i); return true;
   case MT_T_INT8:
   case MT_T_TIME: mt_put_be64 (out, (uint64_t) v.i); return true;
   case MT_T_FLOAT4:
      real.f = (float) v.d;
      mt_put_be32 (out, real.u);
      return true;
   case MT_T_FLOAT8:
      wide.d = v.d;
      mt_put_be64 (out, wide.u);
      return true;
   case MT_T_DATE: send_date (mt_v_days (v), out); return true;
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: send_moment (mt_v_moment (v), out); return true;
   case MT_T_INTERVAL: send_interval (mt_v_to_interval (v), out); return true;
   case MT_T_UUID:
   case MT_T_BYTEA: mt_buf_add (out, v.p, v.len); return true;
   case MT_T_RECORD: return send_record (a, v, style, out, err);
   case MT_T_JSONB: mt_buf_addc (out, 1); break; /* the version of the form */
   case MT_T_NUMERIC: {
      MtBuf text = {0};
      bool ok = mt_value_print (t, v, style, &text, err) && send_numeric (text.p, text.n, out);
      mt_buf_free (&text);
      return ok;
   }
   default: break;
   }
   if (mt_type_is_catalog_char (t)) { /* one byte; zero stands for an empty text */
      mt_buf_addc (out, v.len ? (char) v.p[0] : 0);
      return true;
   }
   return mt_value_print (t, v, style, out, err);
}

static void receive_hex (const char *prefix, MtNetBytes *m, MtBuf *out)
{
   static const char digits[] = "0123456789abcdef";
   mt_buf_adds (out, prefix);
   for (; m->at < m->n; m->at++) {
      mt_buf_addc (out, digits[m->p[m->at] >> 4]);
      mt_buf_addc (out, digits[m->p[m->at] & 15]);
   }
}

static bool receive_number (MtTypeId id, MtNetBytes *m, MtBuf *out)
{
   union {
      float f;
      uint32_t u;
   } real;
   union {
      double d;
      uint64_t u;
   } wide;
   switch (id) {
   case MT_T_INT2: mt_buf_printf (out, "%d", (int16_t) mt_take_be16 (m)); break;
   case MT_T_INT4: mt_buf_printf (out, "%d", (int32_t) mt_take_be32 (m)); break;
   case MT_T_INT8: mt_buf_printf (out, "%lld", (long long) mt_take_be64 (m)); break;
   case MT_T_FLOAT4:
      real.u = mt_take_be32 (m);
      mt_buf_printf (out, "%.9g", (double) real.f);
      break;
   case MT_T_FLOAT8:
      wide.u = mt_take_be64 (m);
      mt_buf_printf (out, "%.17g", wide.d);
      break;
   default: mt_buf_printf (out, "%u", mt_take_be32 (m)); break; /* an OID */
   }
   return !m->bad;
}

static bool receive (MtType t, MtNetBytes *m, MtBuf *out, MtError *err)
{
   if (mt_type_is_array (t.id))
      return receive_array (t, m, out, err);
   if (t.id == MT_T_NUMERIC)
      return receive_numeric (m, out);
   if (mt_type_is_number (t.id) || mt_type_is_oid (t.id))
      return receive_number (t.id, m, out);
   switch (t.id) {
   case MT_T_BOOL: {
      const uint8_t *p = mt_take_bytes (m, 1);
      mt_buf_addc (out, p && *p ? 't' : 'f');
      return p != NULL;
   }
   case MT_T_DATE: return receive_date ((int32_t) mt_take_be32 (m), out);
   case MT_T_TIME: mt_time_out ((int64_t) mt_take_be64 (m), out); return true;
   case MT_T_TIMESTAMP: return receive_moment ((int64_t) mt_take_be64 (m), NULL, out);
   case MT_T_TIMESTAMPTZ: return receive_moment ((int64_t) mt_take_be64 (m), mt_tz_utc (), out);
   case MT_T_INTERVAL: return receive_interval (m, out);
   case MT_T_UUID: receive_hex ("", m, out); return true;
   case MT_T_BYTEA: receive_hex ("\\x", m, out); return true;
   case MT_T_JSONB: {
      const uint8_t *p = mt_take_bytes (m, 1);
      if (!p || *p != 1)
         return false;
      break;
   }
   default: break;
   }
   size_t left = m->n - m->at;
   if (mt_type_is_catalog_char (t) && left == 1 && !m->p[m->at]) {
      mt_take_bytes (m, 1);
      return true;
   }
   mt_buf_add (out, mt_take_bytes (m, left), left);
   return true;
}

bool mt_binary_receive (MtType t, const uint8_t *p, size_t n, MtBuf *out, MtError *err)
{
   MtNetBytes m = {.p = p, .n = n};
   mt_error_clear (err);
   if (receive (t, &m, out, err) && mt_took_all (&m))
      return true;
   return mt_error_is_set (err)
             ? false
             : mt_error (err, "22P03", "incorrect binary data format for type %s",
                         mt_type_info (t.id)->display);
}
