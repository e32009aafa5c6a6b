/* Reads values from text and prints them, type by type. */
#include "types/datetime.h"
#include "types/enum.h"
#include "types/datum_int.h"
#include "types/json_text.h"
#include "types/jsonb.h"
#include "types/record.h"

#include <float.h>
#include <math.h>
#include <string.h>

static MtTimeEnv time_env (const MtTextStyle *style)
{
   return style ? (MtTimeEnv) {.zone = style->zone, .now_ms = style->now_ms, .order = style->order}
                : (MtTimeEnv) {0};
}

/* ---- text to value ---- */

/* Reads a uuid as PostgreSQL's uuid_in does: a hyphen is allowed after each group of four digits,
 * and braces around the text. */
static bool uuid_in (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   const char *p = text.p, *end = text.p + text.n;
   uint8_t *bytes = mt_alloc (a, 16);
   bool braces = p < end && *p == '{';
   p += braces;
   for (int i = 0; i < 16; i++) {
      int hi = p < end ? mt_hex_digit (p[0]) : -1, lo = end - p > 1 ? mt_hex_digit (p[1]) : -1;
      if (hi < 0 || lo < 0)
         return mt_datum_syntax (err, MT_T_UUID, text);
      bytes[i] = (uint8_t) (hi * 16 + lo);
      p += 2;
      if (i % 2 == 1 && i < 15 && p < end && *p == '-')
         p++;
   }
   if (braces && (p >= end || *p++ != '}'))
      return mt_datum_syntax (err, MT_T_UUID, text);
   if (p != end)
      return mt_datum_syntax (err, MT_T_UUID, text);
   *out = (MtVal) {.type = MT_BINARY, .sub = 4, .len = 16, .p = bytes};
   return true;
}

static bool bytea_hex (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   uint8_t *bytes = mt_try_alloc (a, text.n / 2 + 1);
   uint32_t n = 0;
   if (!bytes)
      return mt_memory_check (err);
   for (size_t i = 2; i < text.n;) {
      char c = text.p[i];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
         i++;
         continue;
      }
      int hi = mt_hex_digit (c), lo = i + 1 < text.n ? mt_hex_digit (text.p[i + 1]) : -1;
      if (hi < 0)
         return mt_error (err, MT_E_PARAMETER, "invalid hexadecimal digit: \"%c\"", c);
      if (i + 1 >= text.n)
         return mt_error (err, MT_E_PARAMETER, "invalid hexadecimal data: odd number of digits");
      if (lo < 0)
         return mt_error (err, MT_E_PARAMETER, "invalid hexadecimal digit: \"%c\"", text.p[i + 1]);
      bytes[n++] = (uint8_t) (hi * 16 + lo);
      i += 2;
   }
   *out = (MtVal) {.type = MT_BINARY, .len = n, .p = bytes};
   return true;
}

static bool octal (const char *p, size_t n)
{
   return n >= 4 && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' && p[3] >= '0' &&
          p[3] <= '7';
}

static bool bytea_in (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   if (text.n >= 2 && text.p[0] == '\\' && text.p[1] == 'x')
      return bytea_hex (a, text, out, err);
   uint8_t *bytes = mt_try_alloc (a, text.n + 1);
   uint32_t n = 0;
   if (!bytes)
      return mt_memory_check (err);
   for (size_t i = 0; i < text.n; i++) {
      const char *p = text.p + i;
      if (*p != '\\')
         bytes[n++] = (uint8_t) *p;
      else if (octal (p, text.n - i)) {
         bytes[n++] = (uint8_t) ((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
         i += 3;
      } else if (i + 1 < text.n && p[1] == '\\') {
         bytes[n++] = '\\';
         i++;
      } else
         return mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type bytea");
   }
   *out = (MtVal) {.type = MT_BINARY, .len = n, .p = bytes};
   return true;
}

static bool objectid_in (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   MtStr s = mt_datum_trim (text);
   uint8_t *bytes = mt_alloc (a, 12);
   for (int i = 0; i < 12; i++) {
      int hi = s.n == 24 ? mt_hex_digit (s.p[2 * i]) : -1,
          lo = s.n == 24 ? mt_hex_digit (s.p[2 * i + 1]) : -1;
      if (hi < 0 || lo < 0)
         return mt_datum_syntax (err, MT_T_OBJECTID, text);
      bytes[i] = (uint8_t) (hi * 16 + lo);
   }
   *out = (MtVal) {.type = MT_OID, .len = 12, .p = bytes};
   return true;
}

/* Returns whether an integer with these digits does not fit in 64 bits. */
static bool beyond_int64 (MtStr digits, bool negative)
{
   return digits.n > 19 ||
          (digits.n == 19 &&
           memcmp (digits.p, negative ? "9223372036854775808" : "9223372036854775807", 19) > 0);
}

/* Copies JSON text; integers that do not fit in 64 bits get an exponent. So libbson reads them as
 * doubles, instead of reducing them modulo 2^64. */
static void mark_doubles (MtStr json, MtBuf *out)
{
   bool quoted = false;
   for (size_t i = 0, n; i < json.n; i += n) {
      const char *p = json.p + i;
      n = quoted && *p == '\\' && i + 1 < json.n ? 2 : 1;
      quoted ^= *p == '"';
      bool negative = *p == '-', number = !quoted && (negative || (*p >= '0' && *p <= '9'));
      while (number && i + n < json.n && memchr ("0123456789.eE+-", p[n], 15))
         n++;
      mt_buf_add (out, p, n);
      MtStr digits = {p + negative, n - negative};
      bool whole = number && !memchr (p, '.', n) && !memchr (p, 'e', n) && !memchr (p, 'E', n);
      if (whole && beyond_int64 (digits, negative))
         mt_buf_adds (out, "e0");
   }
}

/* Reads an aggregate state: a document {k: the type's name, v: 1, …} in MongoDB's extended JSON. */
static bool state_in (MtArena *a, MtTypeId t, MtStr text, MtVal *out, MtError *err)
{
   MtBuf json = {0};
   mark_doubles (text, &json);
   const uint8_t *p = (const uint8_t *) json.p;
   bson_t *doc = json.n ? bson_new_from_json (p, (ssize_t) json.n, NULL) : NULL;
   bool ok = doc && mt_v_is_text (mt_doc_field (mt_v_doc (doc), "k"), mt_type_info (t)->name);
   if (ok)
      *out = mt_v_copy (a, mt_v_doc (doc));
   bson_destroy (doc);
   mt_buf_free (&json);
   return ok || mt_datum_syntax (err, t, text);
}

/* Reads a text for varchar(n) or char(n). More than n characters are allowed only if the rest are
 * blanks, which are removed. For char all trailing blanks are removed. */
static bool chars_in (MtArena *a, MtType t, MtStr text, MtVal *out, MtError *err)
{
   size_t n = text.n;
   if (t.mod1 >= 0 && mt_utf8_length (text.p, text.n) > (size_t) t.mod1) {
      size_t chars = 0, i = 0;
      for (; i < text.n; i++)
         if (((unsigned char) text.p[i] & 0xC0) != 0x80 && chars++ == (size_t) t.mod1)
            break;
      n = i;
      for (; i < text.n; i++)
         if (text.p[i] != ' ')
            return mt_error (err, MT_E_STRING_LENGTH, "value too long for type %s(%d)",
                             mt_type_info (t.id)->display, t.mod1);
   }
   while (t.id == MT_T_BPCHAR && n && text.p[n - 1] == ' ')
      n--;
   *out = mt_v_copy (a, mt_v_str (text.p, n));
   return true;
}

static void padded_out (MtVal v, int width, MtBuf *out)
{
   const char *p = (const char *) v.p;
   mt_buf_add (out, p, v.len);
   for (size_t n = mt_utf8_length (p, v.len); width > 0 && n < (size_t) width; n++)
      mt_buf_addc (out, ' ');
}

/* Indexed by p in timestamp(p), 0 to 6: the smallest unit, in microseconds. */
static const int64_t precision_us[] = {1000000, 100000, 10000, 1000, 100, 10, 1};

static bool timestamp_in (MtType t, MtStr s, const MtTextStyle *style, MtVal *out, MtError *err)
{
   MtTimeEnv env = time_env (style);
   MtMoment moment;
   if (!mt_moment_in (s.p, s.n, &env, t.id == MT_T_TIMESTAMPTZ, &moment, err))
      return false;
   if (t.mod1 >= 0 && mt_ts_is_finite (moment.ms))
      moment = mt_moment_round (moment, precision_us[t.mod1]);
   *out = style && style->exact_times ? mt_v_from_moment (moment) : mt_v_date (moment.ms);
   return true;
}

static bool date_in (MtStr s, const MtTextStyle *style, MtVal *out, MtError *err)
{
   MtTimeEnv env = time_env (style);
   int32_t days;
   if (!mt_date_in (s.p, s.n, &env, &days, err))
      return false;
   *out = mt_v_from_days (days);
   return true;
}

static bool time_in (MtType t, MtStr s, const MtTextStyle *style, MtVal *out, MtError *err)
{
   MtTimeEnv env = time_env (style);
   int64_t us;
   if (!mt_time_in (s.p, s.n, &env, &us, err))
      return false;
   if (t.mod1 >= 0)
      us = mt_round_us (us, precision_us[t.mod1]);
   *out = mt_v_int64 (us);
   return true;
}

static bool interval_in (MtArena *a, MtType t, MtStr s, MtVal *out, MtError *err)
{
   static const int64_t steps[] = {1000000, 100000, 10000, 1000, 100, 10};
   MtInterval iv;
   if (!mt_interval_in (s.p, s.n, &iv, err))
      return false;
   if (t.mod1 >= 0 && t.mod1 < 6)
      iv.us = mt_round_us (iv.us, steps[t.mod1]);
   *out = mt_v_interval (a, iv);
   return true;
}

static bool numeric_in (MtArena *a, MtType t, MtStr s, MtVal *out, MtError *err)
{
   MtNum n;
   if (!mt_num_in (s.p, s.n, &n, err))
      return false;
   if (t.mod1 >= 0 && !mt_num_typmod (n, t.mod1, t.mod2 < 0 ? 0 : t.mod2, &n, err))
      return false;
   *out = mt_num_to_val (a, n);
   return true;
}

static int int_bits (MtTypeId id)
{
   switch (id) {
   case MT_T_INT2: return 16;
   case MT_T_INT4: return 32;
   default: return 64;
   }
}

static bool number_in (MtType t, MtStr s, MtVal *out, MtError *err)
{
   int64_t i;
   double d;
   float f;
   if (t.id == MT_T_FLOAT8) {
      if (!mt_double_in (s.p, s.n, &d, err))
         return false;
      *out = mt_v_double (d);
      return true;
   }
   if (t.id == MT_T_FLOAT4) {
      if (!mt_float_in (s.p, s.n, &f, err))
         return false;
      *out = mt_v_double ((double) f);
      return true;
   }
   if (!mt_int_in (s.p, s.n, int_bits (t.id), &i, err))
      return false;
   *out = t.id == MT_T_INT8 ? mt_v_int64 (i) : mt_v_int32 ((int32_t) i);
   return true;
}

/* Reads an OID. As in PostgreSQL, negative numbers mean OIDs from 2^31 on. */
static bool oid_in (MtStr s, MtVal *out, MtError *err)
{
   int64_t i = INT64_MAX;
   MtError failed;
   bool ok = mt_int_in (s.p, s.n, 64, &i, &failed);
   if (!ok && !mt_error_is (&failed, MT_E_NUMERIC_RANGE))
      return mt_datum_syntax (err, MT_T_OID, s);
   if (i < INT32_MIN || i > UINT32_MAX)
      return mt_error (err, MT_E_NUMERIC_RANGE, "value \"%.*s\" is out of range for type oid",
                       (int) s.n, s.p);
   *out = mt_v_int64 ((uint32_t) i);
   return true;
}

static bool enum_in (MtArena *a, MtTypeId t, MtStr text, MtVal *out, MtError *err)
{
   if (mt_enum_rank (t, text) < 0)
      return mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input value for enum %s: \"%.*s\"",
                       mt_type_info (t)->display, (int) text.n, text.p ? text.p : "");
   *out = mt_v_copy (a, mt_v_str (text.p, text.n));
   return true;
}

bool mt_value_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out,
                     MtError *err)
{
   bool b;
   if (mt_type_is_array (t.id))
      return mt_array_parse (a, t, text, style, out, err);
   if (mt_type_is_enum (t.id))
      return enum_in (a, t.id, text, out, err);
   switch (t.id) {
   case MT_T_BOOL:
      if (!mt_bool_in (text.p, text.n, &b, err))
         return false;
      *out = mt_v_bool (b);
      return true;
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_FLOAT4:
   case MT_T_FLOAT8: return number_in (t, text, out, err);
   case MT_T_NUMERIC: return numeric_in (a, t, text, out, err);
   case MT_T_UNKNOWN:
   case MT_T_TEXT: *out = mt_v_copy (a, mt_v_str (text.p ? text.p : "", text.n)); return true;
   case MT_T_VARCHAR:
   case MT_T_BPCHAR: return chars_in (a, t, text, out, err);
   case MT_T_DATE: return date_in (text, style, out, err);
   case MT_T_TIME: return time_in (t, text, style, out, err);
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return timestamp_in (t, text, style, out, err);
   case MT_T_INTERVAL: return interval_in (a, t, text, out, err);
   case MT_T_UUID: return uuid_in (a, text, out, err);
   case MT_T_BYTEA: return bytea_in (a, text, out, err);
   case MT_T_OBJECTID: return objectid_in (a, text, out, err);
   case MT_T_JSON:
      *out = mt_v_copy (a, mt_v_str (text.p ? text.p : "", text.n));
      return mt_json_text_check (text, err);
   case MT_T_JSONB: return mt_json_parse (a, text, out, err);
   case MT_T_DOCUMENT: return mt_document_parse (a, text, out, err);
   case MT_ANY_STATE: return state_in (a, t.id, text, out, err);
   case MT_T_OID: return oid_in (text, out, err);
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE:
      return number_in (mt_type (MT_T_INT8), text, out,
                        err); /* functions/catalog.c looks up names of catalog objects */
   case MT_T_RECORD:
      return mt_error (err, MT_E_FEATURE, "input of anonymous composite types is not implemented");
   case MT_T_COUNT: break;
   }
   return mt_error (err, MT_E_INTERNAL, "no input for type %d", (int) t.id);
}

/* ---- value to text ---- */

static void uuid_out (MtVal v, MtBuf *out)
{
   for (int i = 0; i < 16; i++)
      mt_buf_printf (out, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", v.p[i]);
}

static void oid_out (MtTypeId t, int64_t oid, const MtTextStyle *style, MtBuf *out)
{
   MtType type;
   if (oid == 0)
      mt_buf_addc (out, '-');
   else if (t == MT_T_REGTYPE && mt_type_of_oid (oid, -1, &type))
      mt_buf_adds (out, mt_type_display (NULL, type)); /* without modifiers: a static text */
   else if (!style || !style->names || !style->names->print (style->names->ctx, t, oid, out))
      mt_buf_printf (out, "%lld", (long long) oid);
}

static void hex_out (const char *prefix, MtVal v, uint32_t n, MtBuf *out)
{
   static const char hex[] = "0123456789abcdef";
   mt_buf_adds (out, prefix);
   if (!mt_buf_reserve (out, 2 * (size_t) n))
      return;
   for (uint32_t i = 0; i < n; i++) {
      mt_buf_addc (out, hex[v.p[i] >> 4]);
      mt_buf_addc (out, hex[v.p[i] & 15]);
   }
}

static void int_out (int64_t i, MtBuf *out)
{
   char text[24], *p = text + sizeof text;
   uint64_t u = i < 0 ? -(uint64_t) i : (uint64_t) i;
   do
      *--p = (char) ('0' + u % 10);
   while (u /= 10);
   if (i < 0)
      *--p = '-';
   mt_buf_add (out, p, (size_t) (text + sizeof text - p));
}

static bool print_exact (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out)
{
   bool rounds = style && style->extra_float_digits <= 0;
   switch (mt_type_form (t.id)) {
   case MT_T_BOOL: mt_buf_addc (out, v.i ? 't' : 'f'); return true;
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_OID: int_out (v.i, out); return true;
   case MT_T_FLOAT4:
      if (rounds)
         mt_double_out_digits (v.d, FLT_DIG + style->extra_float_digits, out);
      else
         mt_float_out ((float) v.d, out);
      return true;
   case MT_T_FLOAT8:
      if (rounds)
         mt_double_out_digits (v.d, DBL_DIG + style->extra_float_digits, out);
      else
         mt_double_out (v.d, out);
      return true;
   case MT_T_NUMERIC: mt_num_out (mt_num_load (v.p), out); return true;
   case MT_T_UNKNOWN:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_JSON: mt_buf_add (out, v.p, v.len); return true;
   case MT_T_BPCHAR: padded_out (v, t.mod1, out); return true;
   case MT_T_DATE: mt_date_out (mt_v_days (v), out); return true;
   case MT_T_TIME: mt_time_out (v.i, out); return true;
   case MT_T_TIMESTAMP: mt_moment_out (mt_v_moment (v), NULL, out); return true;
   case MT_T_TIMESTAMPTZ:
      mt_moment_out (mt_v_moment (v), style && style->zone ? style->zone : mt_tz_utc (), out);
      return true;
   case MT_T_INTERVAL: mt_interval_out (mt_v_to_interval (v), out); return true;
   case MT_T_UUID: uuid_out (v, out); return true;
   case MT_T_BYTEA: hex_out ("\\x", v, v.len, out); return true;
   case MT_T_OBJECTID: hex_out ("", v, 12, out); return true;
   case MT_T_JSONB: mt_jsonb_print (v, out); return true;
   case MT_ANY_STATE:
   case MT_T_DOCUMENT: mt_document_print (v, out); return true;
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE: oid_out (t.id, v.i, style, out); return true;
   case MT_T_RECORD: /* mt_value_print prints it */
   case MT_T_COUNT: break;
   }
   return false;
}

bool mt_value_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err)
{
   if (mt_is_nullish (v))
      return true;
   MtVal own = v;
   if (mt_type_is_array (t.id))
      return mt_array_print (t, v, style, out, err);
   if (t.id == MT_T_RECORD)
      return mt_record_print (v, style, out, err);
   if (t.id == MT_T_NUMERIC && v.type != MT_DECIMAL) {
      MtNum n;
      if (mt_num_from_val (v, &n)) {
         mt_num_out (n, out);
         return true;
      }
      own.type = MT_MISSING;
   }
   if (!mt_value_normalize (NULL, t, own.type == MT_MISSING ? v : own, &own, err))
      return false;
   return print_exact (t, own, style, out);
}
