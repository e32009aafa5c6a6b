/* The operators that convert types, with MongoDB's rules and text formats. */
#include "engine/local/expr/op_int.h"

#include "base/digest.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN_BYTES 120

const char *mt_op_shown (MtEval *ev, MtVal v)
{
   MtBuf b = {0};
   mt_v_to_json (v, false, &b);
   char *text = mt_strndup (ev->arena, b.p, b.n > SHOWN_BYTES ? SHOWN_BYTES : b.n);
   mt_buf_free (&b);
   return text;
}

bool mt_op_truth (MtVal v)
{
   if (mt_is_nullish (v))
      return false;
   if (v.type == MT_BOOL || mt_is_int (v))
      return v.i != 0;
   if (v.type == MT_DOUBLE)
      return v.d != 0;
   return v.type != MT_DECIMAL || !bid128_isZero (mt_bid_load (v.p));
}

bool mt_op_date (MtEval *ev, MtVal v, int64_t *ms)
{
   if (v.type == MT_DATE)
      *ms = v.i;
   else if (v.type == MT_TIMESTAMP)
      *ms = (int64_t) ((uint64_t) v.i >> 32) * 1000;
   else if (v.type == MT_OID)
      *ms = ((int64_t) v.p[0] << 24 | v.p[1] << 16 | v.p[2] << 8 | v.p[3]) * 1000;
   else
      return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, 16006, "can't convert from BSON type %s to Date",
                         mt_v_type_name (v));
   return true;
}

MtVal mt_op_iso_date (MtEval *ev, int64_t ms)
{
   int64_t days = mt_floor_div (ms, MT_DAY_MS), year;
   int month, day, rest = (int) (ms - days * MT_DAY_MS);
   mt_civil_from_days (days, &year, &month, &day);
   char *text = mt_printf (ev->arena, "%04" PRId64 "-%02d-%02dT%02d:%02d:%02d.%03dZ", year, month,
                           day, rest / 3600000, rest / 60000 % 60, rest / 1000 % 60, rest % 1000);
   return mt_v_cstr (text);
}

static MtVal decimal_text (MtEval *ev, MtVal v)
{
   bson_decimal128_t d;
   char text[BSON_DECIMAL128_STRING];
   memcpy (&d, v.p, sizeof d);
   bson_decimal128_to_string (&d, text);
   return mt_v_str (mt_strdup (ev->arena, text), strlen (text));
}

/* Prints a double with at most 16 digits, as mongod does. */
static MtVal double_text (MtEval *ev, double d)
{
   char *text = NULL;
   if (isnan (d))
      text = mt_strdup (ev->arena, "NaN");
   else if (isinf (d))
      text = mt_strdup (ev->arena, d > 0 ? "Infinity" : "-Infinity");
   else
      text = mt_printf (ev->arena, "%.16g", d);
   return mt_v_cstr (text);
}

static MtVal number_text (MtEval *ev, MtVal v)
{
   if (v.type == MT_DOUBLE)
      return double_text (ev, v.d);
   if (v.type == MT_DECIMAL)
      return decimal_text (ev, v);
   char *text = mt_printf (ev->arena, "%" PRId64, v.i);
   return mt_v_cstr (text);
}

bool mt_op_text (MtEval *ev, MtVal v, MtStr *out)
{
   if (mt_is_nullish (v)) {
      *out = MT_STR ("");
      return true;
   }
   if (mt_is_number (v))
      v = number_text (ev, v);
   else if (v.type == MT_DATE || v.type == MT_TIMESTAMP) {
      int64_t ms = 0;
      mt_op_date (ev, v, &ms);
      v = mt_op_iso_date (ev, ms);
   } else if (v.type != MT_STRING && v.type != MT_CODE && v.type != MT_SYMBOL)
      return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, 16007,
                         "can't convert from BSON type %s to String", mt_v_type_name (v));
   *out = (MtStr) {(const char *) v.p, v.len};
   return true;
}

/* ---- $convert ---- */

bool mt_op_unsupported (MtEval *ev, MtVal v, uint8_t to)
{
   return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION,
                      "Unsupported conversion from %s to %s in $convert with no onError value",
                      mt_v_type_name (v), mt_v_type_name ((MtVal) {.type = to}));
}

static bool overflow (MtEval *ev, MtVal v, MtErrorTopic target)
{
   MT_OP_FAIL (MT_E_NUMERIC_RANGE, MT_CODE_CONVERSION,
               "Conversion would overflow target type in $convert with no onError value: %s",
               mt_op_shown (ev, v));
   return mt_error_topic (ev->err, target);
}

static bool integer_overflow (MtEval *ev, MtVal v, uint8_t to)
{
   return overflow (ev, v, to == MT_INT32 ? MT_TOPIC_INTEGER : MT_TOPIC_BIGINT);
}

static bool not_a_number (MtEval *ev, MtVal v, const char *why)
{
   int n = v.len > 200 ? 200 : (int) v.len;
   return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION,
                      "Failed to parse number '%.*s' in $convert with no onError value: %s", n,
                      (const char *) v.p, why);
}

static bool string_to_int (MtEval *ev, MtVal v, int64_t *out)
{
   const char *p = (const char *) v.p;
   size_t i = v.len > 0 && (p[0] == '-' || p[0] == '+');
   if (i == v.len)
      return not_a_number (ev, v, v.len ? "Did not consume any digits" : "Empty string");
   for (size_t k = i; k < v.len; k++)
      if (!isdigit ((unsigned char) p[k]))
         return not_a_number (ev, v, "Did not consume whole string.");
   return mt_int_in (p, v.len, 64, out, NULL) || not_a_number (ev, v, "Overflow");
}

/* Reads an integer in a base of $convert. */
static bool based_int (MtEval *ev, MtVal v, int base, int64_t *out)
{
   const char *p = (const char *) v.p;
   size_t i = v.len > 0 && (p[0] == '-' || p[0] == '+');
   bool negative = v.len && p[0] == '-';
   if (i == v.len)
      return not_a_number (ev, v, v.len ? "Did not consume any digits" : "Empty string");
   for (*out = 0; i < v.len; i++) {
      int digit = mt_hex_digit (p[i]);
      if (digit < 0 || digit >= base)
         return not_a_number (ev, v, "Did not consume whole string.");
      if (__builtin_mul_overflow (*out, base, out) ||
          __builtin_sub_overflow (*out, digit, out)) /* the smallest number has no positive one */
         return not_a_number (ev, v, "Overflow");
   }
   if (!negative && *out == INT64_MIN)
      return not_a_number (ev, v, "Overflow");
   *out = negative ? *out : -*out;
   return true;
}

static bool special_to_int (MtEval *ev, bool nan)
{
   return nan ? MT_OP_FAIL (
                   MT_E_NUMERIC_RANGE, MT_CODE_CONVERSION,
                   "Attempt to convert NaN value to integer type in $convert with no onError value")
              : MT_OP_FAIL (
                   MT_E_NUMERIC_RANGE, MT_CODE_CONVERSION,
                   "Attempt to convert infinity value to integer type in $convert with no onError "
                   "value");
}

static bool to_integer (MtEval *ev, MtVal v, uint8_t to, MtVal *out)
{
   int64_t i = v.i;
   unsigned flags = 0;
   if (v.type == MT_DOUBLE) {
      if (isnan (v.d) || isinf (v.d))
         return special_to_int (ev, isnan (v.d));
      double whole = trunc (v.d);
      if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0))
         return integer_overflow (ev, v, to);
      i = (int64_t) whole;
   } else if (v.type == MT_DECIMAL) {
      BID_UINT128 x = mt_bid_load (v.p);
      if (bid128_isNaN (x) || bid128_isInf (x))
         return special_to_int (ev, bid128_isNaN (x));
      i = bid128_to_int64_xint (x, &flags);
      if (flags & MT_BID_INVALID)
         return integer_overflow (ev, v, to);
   } else if (v.type == MT_STRING) {
      if (!string_to_int (ev, v, &i))
         return false;
      if (to == MT_INT32 && (i < INT32_MIN || i > INT32_MAX))
         return not_a_number (ev, v, "Overflow");
   } else if (!mt_is_int (v) && v.type != MT_BOOL && !(v.type == MT_DATE && to == MT_INT64))
      return mt_op_unsupported (ev, v, to);
   if (to == MT_INT32 && (i < INT32_MIN || i > INT32_MAX))
      return integer_overflow (ev, v, to);
   return mt_op_put (out, to == MT_INT32 ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i));
}

static bool to_double (MtEval *ev, MtVal v, MtVal *out)
{
   double d = (double) v.i;
   if (mt_is_number (v)) {
      d = mt_op_double (v);
      if (v.type == MT_DECIMAL && isinf (d) && !bid128_isInf (mt_bid_load (v.p)))
         return overflow (ev, v, MT_TOPIC_DOUBLE);
   } else if (v.type == MT_STRING) {
      char first = v.len ? (char) v.p[0] : ' ';
      if (memchr (v.p, 'x', v.len) || memchr (v.p, 'X', v.len))
         return not_a_number (ev, v, "Illegal hexadecimal input in $convert with no onError value");
      if (isspace ((unsigned char) first) || isspace ((unsigned char) v.p[v.len - 1]) ||
          !mt_double_in ((const char *) v.p, v.len, &d, NULL))
         return not_a_number (ev, v, v.len ? "Did not consume whole string." : "Empty string");
   } else if (v.type != MT_BOOL && v.type != MT_DATE)
      return mt_op_unsupported (ev, v, MT_DOUBLE);
   return mt_op_put (out, mt_v_double (d));
}

static bool to_decimal (MtEval *ev, MtVal v, MtVal *out)
{
   if (v.type == MT_STRING) {
      bson_decimal128_t d;
      if (v.len > INT_MAX ||
          !bson_decimal128_from_string_w_len (v.len ? (const char *) v.p : "", (int) v.len, &d))
         return not_a_number (ev, v, v.len ? "Failed to parse string to decimal" : "Empty string");
      return mt_op_put (out, mt_v_decimal (ev->arena, (const uint8_t *) &d));
   }
   if (!mt_is_number (v) && v.type != MT_BOOL && v.type != MT_DATE)
      return mt_op_unsupported (ev, v, MT_DECIMAL);
   return mt_op_put (out, mt_op_from_bid (ev, mt_op_decimal (v)));
}

/* Writes a whole number in a base of $convert, with upper-case digits. */
static bool based_text (MtEval *ev, MtVal v, int base, MtVal *out)
{
   char text[66], *p = text + sizeof text;
   int64_t i = 0;
   if (!mt_op_whole (v, &i))
      return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION,
                         "can't write %s in base %d, because it is no integer", mt_op_shown (ev, v),
                         base);
   uint64_t left = i < 0 ? 0 - (uint64_t) i : (uint64_t) i;
   do
      *--p = "0123456789ABCDEF"[left % (unsigned) base];
   while (left /= (unsigned) base);
   if (i < 0)
      *--p = '-';
   return mt_op_put (out, mt_v_copy (ev->arena, mt_v_str (p, (size_t) (text + sizeof text - p))));
}

bool mt_op_string (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out)
{
   char hex[25];
   switch (v.type) {
   case MT_STRING: return mt_op_put (out, v);
   case MT_BOOL: return mt_op_put (out, v.i ? mt_v_cstr ("true") : mt_v_cstr ("false"));
   case MT_DATE: return mt_op_put (out, mt_op_iso_date (ev, v.i));
   case MT_OID:
      mt_hex (v.p, 12, "0123456789abcdef", hex);
      return mt_op_put (out, mt_v_copy (ev->arena, mt_v_str (hex, 24)));
   case MT_INT32:
   case MT_INT64:
   case MT_DOUBLE:
   case MT_DECIMAL:
      return how->base ? based_text (ev, v, how->base, out) : mt_op_put (out, number_text (ev, v));
   }
   return mt_op_string_of_rest (ev, v, how, out);
}

/* Converts a text to a date. Accepts the ISO format and PostgreSQL's other formats, but not words
 * like 'now', which mean a different time at each call. */
static bool string_to_date (MtEval *ev, MtVal v, int64_t *ms)
{
   const char *p = (const char *) v.p;
   bool digit = false;
   for (size_t i = 0; i < v.len; i++)
      digit = digit || isdigit ((unsigned char) p[i]);
   if (digit && mt_timestamptz_in (p, v.len, NULL, ms, NULL) && mt_ts_is_finite (*ms))
      return true;
   return MT_OP_FAIL (MT_E_DATETIME_FORMAT, MT_CODE_CONVERSION, "Error parsing date string '%.*s'",
                      v.len > 200 ? 200 : (int) v.len, p);
}

static bool to_date (MtEval *ev, MtVal v, MtVal *out)
{
   int64_t ms = v.i;
   if (v.type == MT_DOUBLE || v.type == MT_DECIMAL) {
      MtVal i;
      if (!to_integer (ev, v, MT_INT64, &i))
         return false;
      ms = i.i;
   } else if (v.type == MT_STRING) {
      if (!string_to_date (ev, v, &ms))
         return false;
   } else if (v.type == MT_TIMESTAMP || v.type == MT_OID) {
      mt_op_date (ev, v, &ms);
   } else if (v.type != MT_DATE && v.type != MT_INT64)
      return mt_op_unsupported (ev, v, MT_DATE);
   return mt_op_put (out, mt_v_date (ms));
}

static bool to_oid (MtEval *ev, MtVal v, MtVal *out)
{
   uint8_t bytes[12];
   if (v.type == MT_OID)
      return mt_op_put (out, v);
   if (v.type != MT_STRING)
      return mt_op_unsupported (ev, v, MT_OID);
   bool ok = v.len == 24;
   for (size_t i = 0; ok && i < 12; i++) {
      int high = mt_hex_digit ((char) v.p[2 * i]), low = mt_hex_digit ((char) v.p[2 * i + 1]);
      ok = high >= 0 && low >= 0;
      bytes[i] = (uint8_t) (ok ? high << 4 | low : 0);
   }
   if (!ok)
      return MT_OP_FAIL (MT_E_TEXT_REPRESENTATION, MT_CODE_CONVERSION,
                         "Failed to parse objectId '%.*s' in $convert with no onError value: %s",
                         v.len > 200 ? 200 : (int) v.len, (const char *) v.p,
                         v.len == 24 ? "Invalid character found in hex string"
                                     : "Invalid string length for parsing to OID, expected 24");
   return mt_op_put (out, mt_v_copy (ev->arena, (MtVal) {.type = MT_OID, .len = 12, .p = bytes}));
}

/* Converts text to a number that is an integer in a base of $convert. */
static bool based_number (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out)
{
   int64_t i = 0;
   if (!based_int (ev, v, how->base, &i))
      return false;
   if (to == MT_INT32 && (i < INT32_MIN || i > INT32_MAX))
      return not_a_number (ev, v, "Overflow");
   v = mt_v_int64 (i);
   if (to == MT_DOUBLE)
      return to_double (ev, v, out);
   return to == MT_DECIMAL ? to_decimal (ev, v, out) : to_integer (ev, v, to, out);
}

static bool to_number (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out)
{
   if (v.type == MT_STRING && how->base)
      return based_number (ev, v, to, how, out);
   if (v.type == MT_BINARY && to != MT_DECIMAL)
      return mt_op_binary_number (ev, v, to, how, out);
   if (to == MT_DOUBLE)
      return to_double (ev, v, out);
   return to == MT_DECIMAL ? to_decimal (ev, v, out) : to_integer (ev, v, to, out);
}

/* Converts v to the BSON type `to`, by the rules of $convert. */
static bool convert (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out)
{
   if (mt_is_nullish (v))
      return mt_op_null (out);
   switch (to) {
   case MT_INT32:
   case MT_INT64:
   case MT_DOUBLE:
   case MT_DECIMAL: return to_number (ev, v, to, how, out);
   case MT_STRING: return mt_op_string (ev, v, how, out);
   case MT_DATE: return to_date (ev, v, out);
   case MT_BOOL: return mt_op_put (out, mt_v_bool (mt_op_truth (v)));
   case MT_OID: return to_oid (ev, v, out);
   case MT_BINARY: return mt_op_binary (ev, v, how, out);
   case MT_DOC:
   case MT_ARRAY: return mt_op_container (ev, v, to, how, out);
   }
   return mt_op_unsupported (ev, v, to);
}

/* ---- the operators ---- */

static bool op_to (MT_OP_ARGS)
{
   MtConversion how = {.format = MT_STR ("auto")};
   return convert (ev, args[0], (uint8_t) (uintptr_t) ev->user, &how, out);
}

/* Returns the BSON type for the name or number `to`. MT_MISSING: there is no such type. */
static uint8_t type_of (MtVal to)
{
   int64_t code;
   if (to.type != MT_STRING)
      return mt_is_number (to) && mt_op_whole (to, &code) &&
                   (code == -1 || code == MT_MAXKEY || (code >= MT_DOUBLE && code <= MT_DECIMAL))
                ? (uint8_t) code
                : MT_MISSING;
   for (uint8_t type = MT_DOUBLE; type <= MT_DECIMAL; type++)
      if (mt_v_is_text (to, mt_v_type_name ((MtVal) {.type = type})))
         return type;
   if (mt_v_is_text (to, "minKey"))
      return MT_MINKEY;
   return mt_v_is_text (to, "maxKey") ? MT_MAXKEY : MT_MISSING;
}

/* Reads the argument `to` of $convert: a type, or {type, subtype}. */
static bool read_to (MtEval *ev, MtVal to, uint8_t *type, uint8_t *subtype)
{
   MtVal sub = mt_v_missing ();
   int64_t n = 0;
   if (to.type == MT_DOC) {
      sub = mt_doc_field (to, "subtype");
      to = mt_doc_field (to, "type");
   }
   *type = type_of (to);
   if (*type == MT_MISSING)
      return MT_OP_FAIL (MT_E_PARAMETER,
                         to.type == MT_STRING ? MT_CODE_BAD_VALUE : MT_CODE_FAILED_TO_PARSE,
                         "Unknown type name: %s", mt_op_shown (ev, to));
   if (!mt_is_nullish (sub) && !mt_is_number (sub))
      return MT_OP_FAIL (MT_E_PARAMETER, 4341108, "'subtype' must be a number, but is %s",
                         mt_op_shown (ev, sub));
   if (!mt_is_nullish (sub) && !mt_op_whole (sub, &n))
      return MT_OP_FAIL (MT_E_PARAMETER, 4341106, "'subtype' must be an integer, but is %s",
                         mt_op_shown (ev, sub));
   if (n < 0 || n > 255 || (n > 9 && n < 128))
      return MT_OP_FAIL (MT_E_PARAMETER, 4341107, "%s is no subtype of BinData",
                         mt_op_shown (ev, sub));
   *subtype = (uint8_t) n;
   return true;
}

/* Reads the arguments format, base and byteOrder of $convert, which begin at args. */
static bool read_how (MtEval *ev, const MtVal *args, MtConversion *how)
{
   static const char formats[] = " auto base64 base64url hex utf8 uuid ";
   MtVal format = args[0], base = args[1], order = args[2];
   int64_t n = 0;
   if (!mt_is_nullish (base)) {
      if (!mt_is_number (base) || !mt_op_whole (base, &n))
         return MT_OP_FAIL (MT_E_PARAMETER, 3501300, "'base' must be an integer, but is %s",
                            mt_op_shown (ev, base));
      if (n != 2 && n != 8 && n != 10 && n != 16)
         return MT_OP_FAIL (MT_E_PARAMETER, 3501301, "'base' must be 2, 8, 10 or 16, but is %s",
                            mt_op_shown (ev, base));
   }
   how->base = (int) n;
   if (!mt_is_nullish (format)) {
      if (format.type != MT_STRING)
         return MT_OP_FAIL (MT_E_PARAMETER, 4341114, "'format' must be a string, but is %s",
                            mt_op_shown (ev, format));
      how->format = (MtStr) {(const char *) format.p, format.len};
      const char *word = mt_printf (ev->arena, " %.*s ", (int) format.len, how->format.p);
      if (!format.len || !strstr (formats, word))
         return MT_OP_FAIL (MT_E_PARAMETER, 4341125, "Invalid 'format' argument for $convert: %s",
                            mt_op_shown (ev, format));
   }
   if (!mt_is_nullish (order)) {
      if (order.type != MT_STRING)
         return MT_OP_FAIL (MT_E_PARAMETER, 9130001, "'byteOrder' must be a string, but is %s",
                            mt_op_shown (ev, order));
      how->big_endian = mt_v_is_text (order, "big");
      if (!how->big_endian && !mt_v_is_text (order, "little"))
         return MT_OP_FAIL (MT_E_PARAMETER, 9130002,
                            "'byteOrder' must be \"big\" or \"little\", but is %s",
                            mt_op_shown (ev, order));
   }
   return true;
}

/* Computes $convert. args: input, to, onError?, onNull?, format?, base?, byteOrder? */
static bool op_convert (MT_OP_ARGS)
{
   MtConversion how = {0};
   uint8_t to;
   if (mt_is_nullish (args[0]))
      return mt_op_put (out, mt_op_otherwise (args[3]));
   if (mt_is_nullish (args[1]))
      return mt_op_null (out);
   if (!read_to (ev, args[1], &to, &how.subtype) || !read_how (ev, args + 4, &how))
      return false;
   if (convert (ev, args[0], to, &how, out))
      return true;
   if (args[2].type == MT_MISSING || ev->err->code != MT_CODE_CONVERSION)
      return false;
   *ev->err = (MtError) {0};
   return mt_op_put (out, mt_op_otherwise (args[2]));
}

static bool op_type (MT_OP_ARGS)
{
   const char *name = mt_v_type_name (args[0]);
   return mt_op_put (out, mt_v_cstr (name));
}

static bool op_to_uuid (MT_OP_ARGS)
{
   MtConversion how = {.format = MT_STR ("uuid"), .subtype = 4};
   return mt_is_nullish (args[0]) ? mt_op_null (out) : mt_op_binary (ev, args[0], &how, out);
}

static bool op_is_number (MT_OP_ARGS)
{
   return mt_op_put (out, mt_v_bool (mt_is_number (args[0])));
}

const MtOpRow mt_ops_convert[] = {
   MT_ROW_WITH ("$toInt", 1, 1, op_to, MT_INT32, "to int, cutting decimals off",
                "{\"$toInt\": \"42\"} => 42"),
   MT_ROW_WITH ("$toLong", 1, 1, op_to, MT_INT64, "to long; a date gives milliseconds",
                "{\"$toLong\": 5.9} => {\"$numberLong\": \"5\"}"),
   MT_ROW_WITH ("$toDouble", 1, 1, op_to, MT_DOUBLE, "to double",
                "{\"$toDouble\": \"1.5\"} => 1.5"),
   MT_ROW_WITH ("$toDecimal", 1, 1, op_to, MT_DECIMAL,
                "to decimal; a double by its first 15 digits",
                "{\"$toDecimal\": 2.5} => {\"$numberDecimal\": \"2.50000000000000\"}"),
   MT_ROW_WITH ("$toString", 1, 1, op_to, MT_STRING, "to text", "{\"$toString\": 2.5} => \"2.5\""),
   MT_ROW_WITH ("$toDate", 1, 1, op_to, MT_DATE, "to a date, from text or milliseconds",
                "{\"$toDate\": \"2020-01-01\"} => {\"$date\": \"2020-01-01T00:00:00Z\"}"),
   MT_ROW_WITH ("$toBool", 1, 1, op_to, MT_BOOL, "to bool: all but 0 and false are true",
                "{\"$toBool\": \"false\"} => true"),
   MT_ROW_WITH ("$toObjectId", 1, 1, op_to, MT_OID, "to an ObjectId, from 24 hexadecimal digits",
                "{\"$toObjectId\": \"5ab9cbfa31c2ab715d42129e\"} => {\"$oid\": "
                "\"5ab9cbfa31c2ab715d42129e\"}"),
   MT_OP_ROW ("$toUUID", 1, 1, op_to_uuid, "to a UUID, from text",
              "{\"$toUUID\": \"0123abcd-4567-89ab-cdef-0123456789AB\"} => {\"$uuid\": "
              "\"0123abcd-4567-89ab-cdef-0123456789ab\"}"),
   MT_ROW_WITH ("$toArray", 1, 1, op_to, MT_ARRAY, "to an array, from JSON text or a binary vector",
                "{\"$toArray\": \"[1, 2.5]\"} => [1, 2.5]"),
   MT_ROW_WITH ("$toObject", 1, 1, op_to, MT_DOC, "to an object, from JSON text",
                "{\"$toObject\": \"{\\\"a\\\": 1}\"} => {\"a\": 1}"),
   MT_ROW_NAMED ("$convert", 7, "input,to,onError?,onNull?,format?,base?,byteOrder?", op_convert,
                 "to a type by its name, with values for errors and null",
                 "{\"$convert\": {\"input\": \"x\", \"to\": \"int\", \"onError\": -1}} => -1"),
   MT_OP_ROW ("$type", 1, 1, op_type, "the type's name", "{\"$type\": 1.5} => \"double\""),
   MT_OP_ROW ("$isNumber", 1, 1, op_is_number, "is it a number", "{\"$isNumber\": \"1\"} => false"),
   MT_OP_END,
};
