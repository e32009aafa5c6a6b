/* Reads tokens of JSON text. */
#include "base/json_scan.h"

#include <string.h>

void mt_json_scan_space (MtJsonScan *s)
{
   while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
      s->p++;
}

bool mt_json_scan_word (MtJsonScan *s, const char *word)
{
   size_t n = strlen (word);
   if ((size_t) (s->end - s->p) < n || memcmp (s->p, word, n))
      return false;
   s->p += n;
   return true;
}

/* ---- numbers ---- */

static bool is_digit (const MtJsonScan *s) { return s->p < s->end && *s->p >= '0' && *s->p <= '9'; }

/* Skips digits. Returns false if the next character is no digit. */
static bool digits (MtJsonScan *s)
{
   if (!is_digit (s))
      return false;
   while (is_digit (s))
      s->p++;
   return true;
}

bool mt_json_scan_number (MtJsonScan *s, MtStr *out, bool *integer)
{
   const char *start = s->p;
   *integer = true;
   if (s->p < s->end && *s->p == '-')
      s->p++;
   bool zero = s->p < s->end && *s->p == '0';
   if (zero && s->end - s->p > 1 && s->p[1] >= '0' && s->p[1] <= '9')
      return false;
   if (!digits (s))
      return false;
   if (s->p < s->end && *s->p == '.') {
      *integer = false;
      s->p++;
      if (!digits (s))
         return false;
   }
   if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
      *integer = false;
      s->p++;
      if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
         s->p++;
      if (!digits (s))
         return false;
   }
   *out = (MtStr) {start, (size_t) (s->p - start)};
   return true;
}

/* ---- strings ---- */

static bool hex4 (MtJsonScan *s, unsigned *out)
{
   *out = 0;
   if (s->end - s->p < 4)
      return false;
   for (int i = 0; i < 4; i++, s->p++) {
      int d = mt_hex_digit (*s->p);
      if (d < 0)
         return false;
      *out = *out * 16 + (unsigned) d;
   }
   return true;
}

/* Reads the second half of a surrogate pair, \uDC00 to \uDFFF, and combines it with *c, the first
 * half. */
static MtJsonFault low_half (MtJsonScan *s, unsigned *c)
{
   unsigned low;
   if (s->end - s->p < 2 || s->p[0] != '\\' || s->p[1] != 'u')
      return MT_JSON_HIGH_ALONE;
   if (s->end - s->p < 6)
      return MT_JSON_LOW_HEX;
   s->p += 2;
   if (!hex4 (s, &low))
      return MT_JSON_LOW_HEX;
   if (low >= 0xD800 && low < 0xDC00)
      return MT_JSON_TWO_HIGH;
   if (low < 0xDC00 || low > 0xDFFF)
      return MT_JSON_NOT_LOW;
   *c = 0x10000 + ((*c - 0xD800) << 10) + (low - 0xDC00);
   return MT_JSON_OK;
}

/* Reads the rest of an escape sequence after \u. Appends the character to `copy`. */
static MtJsonFault unicode_escape (MtJsonScan *s, MtBuf *copy)
{
   unsigned c;
   char utf8[4];
   MtJsonFault fault = MT_JSON_OK;
   if (!hex4 (s, &c))
      return MT_JSON_HEX;
   if (c == 0)
      return MT_JSON_ZERO;
   if (c >= 0xDC00 && c <= 0xDFFF)
      return MT_JSON_LOW_ALONE;
   if (c >= 0xD800 && c < 0xDC00)
      fault = low_half (s, &c);
   if (!fault)
      mt_buf_add (copy, utf8, mt_utf8_put (utf8, c));
   return fault;
}

/* Reads the rest of an escape sequence after the backslash. Appends the character to `copy`. */
static MtJsonFault escape (MtJsonScan *s, MtBuf *copy)
{
   static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
   if (s->p == s->end)
      return MT_JSON_UNTERMINATED;
   char c = *s->p++;
   if (c == 'u')
      return unicode_escape (s, copy);
   const char *at = c ? strchr (from, c) : NULL;
   if (!at)
      return MT_JSON_ESCAPE;
   mt_buf_addc (copy, to[at - from]);
   return MT_JSON_OK;
}

MtJsonFault mt_json_scan_string (MtJsonScan *s, MtBuf *copy, MtStr *out)
{
   size_t at = copy->n;
   bool copied = false;
   for (;;) {
      const char *from = s->p;
      while (s->p < s->end && *s->p != '"' && *s->p != '\\' && (unsigned char) *s->p >= 0x20)
         s->p++;
      size_t n = (size_t) (s->p - from);
      if (s->p == s->end)
         return MT_JSON_UNTERMINATED;
      char c = *s->p;
      if (c == '"' && !copied)
         *out = (MtStr) {from, n};
      else
         mt_buf_add (copy, from, n);
      if (c == '"')
         break;
      if (c != '\\')
         return MT_JSON_CONTROL;
      copied = true;
      s->p++;
      MtJsonFault fault = escape (s, copy);
      if (fault)
         return fault;
   }
   s->p++;
   if (copied)
      *out = (MtStr) {copy->p ? copy->p + at : "", copy->n - at};
   return MT_JSON_OK;
}
