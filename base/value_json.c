/* MongoDB Extended JSON v2 of a value, without spaces, as mongod's own tools print it. */
#include "base/value.h"

#include "base/base64.h"
#include "base/limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEEPEST \
   (10 * MT_MAX_BSON_DEPTH) /* values nested deeper (in unvalidated documents) print as null */

void mt_json_string (MtBuf *out, const char *p, size_t n)
{
   /* the letters of the escapes for the characters 8 to 13. JSON has no \v. */
   static const char escapes[] = "btnvfr";
   mt_buf_addc (out, '"');
   size_t done = 0;
   for (size_t i = 0; i < n; i++) {
      unsigned char c = (unsigned char) p[i];
      if (c >= 0x20 && c != '"' && c != '\\')
         continue;
      mt_buf_add (out, p + done, i - done);
      done = i + 1;
      if (c == '"' || c == '\\')
         mt_buf_printf (out, "\\%c", c);
      else if (c >= 8 && c <= 13 && c != 11)
         mt_buf_printf (out, "\\%c", escapes[c - 8]);
      else
         mt_buf_printf (out, "\\u%04x", c);
   }
   if (n > done)
      mt_buf_add (out, p + done, n - done);
   mt_buf_addc (out, '"');
}

static void put_string (MtBuf *out, MtVal v) { mt_json_string (out, (const char *) v.p, v.len); }

/* Appends the fewest digits that are read back as the same double, always with a point or an
 * exponent, so that readers take the number as a double. */
static void put_double (MtBuf *out, double d, bool canonical)
{
   char text[40];
   if (isnan (d) || isinf (d)) {
      const char *infinity = d > 0 ? "Infinity" : "-Infinity";
      mt_buf_printf (out, "{\"$numberDouble\":\"%s\"}", isnan (d) ? "NaN" : infinity);
      return;
   }
   for (int digits = 15; digits <= 17; digits++) {
      snprintf (text, sizeof text, "%.*g", digits, d);
      if (strtod (text, NULL) == d)
         break;
   }
   const char *tail = strpbrk (text, ".e") ? "" : ".0";
   mt_buf_printf (out, canonical ? "{\"$numberDouble\":\"%s%s\"}" : "%s%s", text, tail);
}

/* Converts days since 1970-01-01 to a date of the proleptic Gregorian calendar (Howard Hinnant's
 * civil_from_days). */
static void civil (int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
   days += 719468;
   int64_t era = (days >= 0 ? days : days - 146096) / 146097;
   unsigned doe = (unsigned) (days - era * 146097);
   unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
   unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
   unsigned mp = (5 * doy + 2) / 153;
   *day = doy - (153 * mp + 2) / 5 + 1;
   *month = mp < 10 ? mp + 3 : mp - 9;
   *year = (int64_t) yoe + era * 400 + (*month <= 2);
}

static void put_date (MtBuf *out, int64_t ms, bool canonical)
{
   /* In relaxed form, only the years 1970 to 9999 are written as ISO text. */
   if (canonical || ms < 0 || ms > 253402300799999) {
      mt_buf_printf (out, "{\"$date\":{\"$numberLong\":\"%" PRId64 "\"}}", ms);
      return;
   }
   int64_t year;
   unsigned month, day, s = (unsigned) (ms / 1000 % 86400), frac = (unsigned) (ms % 1000);
   civil (ms / 86400000, &year, &month, &day);
   mt_buf_printf (out, "{\"$date\":\"%04d-%02u-%02uT%02u:%02u:%02u", (int) year, month, day,
                  s / 3600, s / 60 % 60, s % 60);
   if (frac)
      mt_buf_printf (out, ".%03u", frac);
   mt_buf_adds (out, "Z\"}");
}

static void put_oid (MtBuf *out, const uint8_t *p)
{
   mt_buf_adds (out, "{\"$oid\":\"");
   for (int i = 0; i < 12; i++)
      mt_buf_printf (out, "%02x", p[i]);
   mt_buf_adds (out, "\"}");
}

static void put_decimal (MtBuf *out, const uint8_t *p)
{
   bson_decimal128_t d;
   char text[BSON_DECIMAL128_STRING];
   memcpy (&d, p, sizeof d);
   bson_decimal128_to_string (&d, text);
   mt_buf_printf (out, "{\"$numberDecimal\":\"%s\"}", text);
}

static void put_regex (MtBuf *out, MtVal v)
{
   const char *pattern = (const char *) v.p, *options = pattern + strlen (pattern) + 1;
   char sorted[16];
   size_t n = 0;
   /* Extended JSON requires the options in alphabetical order. */
   for (; options[n] && n < sizeof sorted - 1; n++) {
      size_t at = n;
      for (; at > 0 && sorted[at - 1] > options[n]; at--)
         sorted[at] = sorted[at - 1];
      sorted[at] = options[n];
   }
   sorted[n] = 0;
   options = options[n] ? options : sorted;
   mt_buf_adds (out, "{\"$regularExpression\":{\"pattern\":");
   mt_json_string (out, pattern, strlen (pattern));
   mt_buf_adds (out, ",\"options\":");
   mt_json_string (out, options, strlen (options));
   mt_buf_adds (out, "}}");
}

static void put (MtVal v, bool canonical, MtBuf *out, int depth);

static void put_doc (MtVal v, bool canonical, MtBuf *out, int depth)
{
   if (depth > DEEPEST) {
      mt_buf_adds (out, "null");
      return;
   }
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   bool doc = v.type == MT_DOC;
   mt_buf_addc (out, doc ? '{' : '[');
   for (bool first = true; mt_doc_next (&it, &key, &e); first = false) {
      if (!first)
         mt_buf_addc (out, ',');
      if (doc) {
         mt_json_string (out, key.p, key.n);
         mt_buf_addc (out, ':');
      }
      put (e, canonical, out, depth + 1);
   }
   mt_buf_addc (out, doc ? '}' : ']');
}

/* Appends code with scope, or a DBPointer. Checks the sizes of its parts, since the iterator has
 * checked only the size of the whole value. */
static void put_old (MtVal v, bool canonical, MtBuf *out, int depth)
{
   size_t skip = v.type == 0x0F ? 4 : 0, text_len = 0;
   uint32_t n;
   memcpy (&n, v.p + skip, 4);
   n = BSON_UINT32_FROM_LE (n);
   if (n >= 1 && n <= v.len - skip - 4)
      text_len = n - 1;
   const char *text = (const char *) v.p + skip + 4;
   size_t rest = skip + 4 + text_len + 1;
   mt_buf_adds (out, v.type == 0x0F ? "{\"$code\":" : "{\"$dbPointer\":{\"$ref\":");
   mt_json_string (out, text, text_len);
   mt_buf_adds (out, v.type == 0x0F ? ",\"$scope\":" : ",\"$id\":");
   if (v.type == 0x0F) {
      MtVal scope = {
         .type = MT_DOC, .len = v.len > rest ? v.len - (uint32_t) rest : 0, .p = v.p + rest};
      put_doc (scope, canonical, out, depth + 1);
      mt_buf_adds (out, "}");
   } else {
      put_oid (out, v.p + v.len - 12);
      mt_buf_adds (out, "}}");
   }
}

static void put_number_or_date (MtVal v, bool canonical, MtBuf *out)
{
   uint64_t bits = (uint64_t) v.i;
   switch (v.type) {
   case MT_DOUBLE: put_double (out, v.d, canonical); break;
   case MT_DATE: put_date (out, v.i, canonical); break;
   case MT_DECIMAL: put_decimal (out, v.p); break;
   case MT_INT32:
      mt_buf_printf (out, canonical ? "{\"$numberInt\":\"%" PRId64 "\"}" : "%" PRId64, v.i);
      break;
   case MT_INT64:
      mt_buf_printf (out, canonical ? "{\"$numberLong\":\"%" PRId64 "\"}" : "%" PRId64, v.i);
      break;
   case MT_TIMESTAMP:
      mt_buf_printf (out, "{\"$timestamp\":{\"t\":%u,\"i\":%u}}", (unsigned) (bits >> 32),
                     (unsigned) (bits & 0xFFFFFFFFu));
      break;
   }
}

static void put (MtVal v, bool canonical, MtBuf *out, int depth)
{
   switch (v.type) {
   case MT_STRING: put_string (out, v); break;
   case MT_DOC:
   case MT_ARRAY: put_doc (v, canonical, out, depth); break;
   case MT_BINARY:
      v = mt_v_bytes (v);
      mt_buf_adds (out, "{\"$binary\":{\"base64\":\"");
      mt_base64_put (v.p, v.len, MT_BASE64, out);
      mt_buf_printf (out, "\",\"subType\":\"%02x\"}}", v.sub);
      break;
   case MT_UNDEFINED: mt_buf_adds (out, "{\"$undefined\":true}"); break;
   case MT_OID: put_oid (out, v.p); break;
   case MT_BOOL: mt_buf_adds (out, v.i ? "true" : "false"); break;
   case MT_REGEX: put_regex (out, v); break;
   case MT_CODE:
   case MT_SYMBOL:
      mt_buf_adds (out, v.type == MT_CODE ? "{\"$code\":" : "{\"$symbol\":");
      put_string (out, v);
      mt_buf_addc (out, '}');
      break;
   case 0x0C:
   case 0x0F: put_old (v, canonical, out, depth); break;
   case MT_MAXKEY: mt_buf_adds (out, "{\"$maxKey\":1}"); break;
   case MT_MINKEY: mt_buf_adds (out, "{\"$minKey\":1}"); break;
   case MT_MISSING:
   case MT_NULL: mt_buf_adds (out, "null"); break;
   default: put_number_or_date (v, canonical, out); break; /* numbers and dates */
   }
}

void mt_v_to_json (MtVal v, bool canonical, MtBuf *out) { put (v, canonical, out, 0); }
