/* Splits text in mongosh's syntax into tokens. */
#include "types/mongosh_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

MtSpan mt_sh_span (const MtMongosh *m, MtStr raw)
{
   return (MtSpan) {(int32_t) (raw.p - m->start), (int32_t) raw.n};
}

static bool bad (MtMongosh *m, const char *from, size_t n, const char *what)
{
   return mt_error_at (m->err, mt_sh_span (m, (MtStr) {from, n}), MT_E_SYNTAX, "%s", what);
}

static bool is_high (char c) { return (unsigned char) c & 0x80; }
static bool begins_word (char c)
{
   return isalpha ((unsigned char) c) || c == '_' || c == '$' || is_high (c);
}
static bool in_word (char c) { return begins_word (c) || isdigit ((unsigned char) c); }

/* Returns how many bytes of white space begin at m->p, including no-break spaces and byte order
 * marks. */
static size_t blank (const MtMongosh *m)
{
   size_t left = (size_t) (m->end - m->p);
   if (left && strchr (" \t\r\n\v\f", *m->p) && *m->p)
      return 1;
   if (left >= 2 && memcmp (m->p, "\xC2\xA0", 2) == 0)
      return 2;
   return left >= 3 && memcmp (m->p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static bool skip_blank (MtMongosh *m)
{
   for (size_t n;;) {
      while ((n = blank (m)))
         m->p += n;
      if (m->end - m->p < 2 || *m->p != '/' || (m->p[1] != '/' && m->p[1] != '*'))
         return true;
      const char *from = m->p, *stop;
      if (from[1] == '/') {
         stop = memchr (from, '\n', (size_t) (m->end - from));
         m->p = stop ? stop : m->end;
         continue;
      }
      stop = memmem (from + 2, (size_t) (m->end - from - 2), "*/", 2);
      if (!stop)
         return bad (m, from, 2, "unterminated comment");
      m->p = stop + 2;
   }
}

/* ---- strings ---- */

static bool hex (const char **p, const char *end, int digits, uint32_t *out)
{
   const char *q = *p;
   uint32_t x = 0;
   for (int i = 0; i < digits; i++, q++) {
      int d = q < end ? mt_hex_digit (*q) : -1;
      if (d < 0)
         return false;
      x = x * 16 + (uint32_t) d;
   }
   *p = q;
   *out = x;
   return true;
}

/* Reads 1 to 6 hexadecimal digits in braces, as in \u{1F600}, and advances *p. */
static bool braced (const char **p, const char *end, uint32_t *out)
{
   const char *close = memchr (*p, '}', (size_t) (end - *p));
   (*p)++;
   if (!close || close - *p < 1 || close - *p > 6 || !hex (p, end, (int) (close - *p), out) ||
       *out > 0x10FFFF)
      return false;
   (*p)++;
   return true;
}

/* Reads the rest of \xNN, \uNNNN (or a surrogate pair) or \u{N…}. *p is at the letter. */
static bool code_point (const char **p, const char *end, uint32_t *c)
{
   uint32_t low;
   const char *q = *p + 1;
   bool ok;
   if (**p == 'x')
      ok = hex (&q, end, 2, c);
   else
      ok = q < end && *q == '{' ? braced (&q, end, c) : hex (&q, end, 4, c);
   if (ok && *c >= 0xD800 && *c < 0xDC00 && end - q > 2 && q[0] == '\\' && q[1] == 'u') {
      q += 2;
      ok = hex (&q, end, 4, &low) && low >= 0xDC00 && low <= 0xDFFF;
      *c = 0x10000 + ((*c - 0xD800) << 10) + (ok ? low - 0xDC00 : 0);
   }
   *p = q;
   return ok && (*c < 0xD800 || *c > 0xDFFF);
}

/* Reads the rest of an escape sequence after its backslash, and appends its character to b. */
static bool escape (MtMongosh *m, MtBuf *b)
{
   static const char from[] = "bfnrtv", to[] = "\b\f\n\r\t\v";
   const char *start = m->p - 1, *at = *m->p ? strchr (from, *m->p) : NULL;
   uint32_t c;
   char utf8[4];
   if (*m->p == 'x' || *m->p == 'u') {
      if (!code_point (&m->p, m->end, &c))
         return bad (m, start, 2, "invalid escape sequence");
      mt_buf_add (b, utf8, mt_utf8_put (utf8, c));
      return true;
   }
   if (*m->p == '0' && (m->end - m->p < 2 || !isdigit ((unsigned char) m->p[1])))
      mt_buf_addc (b, 0);
   else if (isdigit ((unsigned char) *m->p))
      return bad (m, start, 2, "octal escape sequences are not allowed");
   else if (*m->p == '\r' ||
            *m->p ==
               '\n') /* a backslash at the end of a line continues the string in the next line */
      m->p += *m->p == '\r' && m->end - m->p > 1 && m->p[1] == '\n';
   else
      mt_buf_addc (b, at ? to[at - from] : *m->p);
   m->p++;
   return true;
}

static bool characters (MtMongosh *m, char quote, MtBuf *b)
{
   const char *start = m->p - 1;
   while (m->p < m->end && *m->p != quote) {
      const char *q = m->p;
      bool template = quote == '`';
      while (q < m->end && *q != quote && *q != '\\' && (template || *q != '\n') &&
             !(template && *q == '$' && m->end - q > 1 && q[1] == '{'))
         q++;
      mt_buf_add (b, m->p, (size_t) (q - m->p));
      m->p = q;
      if (q < m->end && *q == '$')
         return bad (m, q, 2, "expressions within a string are not supported");
      if (q < m->end && *q == '\n')
         break;
      if (q < m->end && *q == '\\' && ++m->p < m->end && !escape (m, b))
         return false;
   }
   if (m->p < m->end && *m->p == quote)
      return true;
   return bad (m, start, (size_t) (m->p - start), "unterminated string");
}

static bool string (MtMongosh *m)
{
   MtBuf b = {0};
   char quote = *m->p++;
   const char *close = m->p;
   while (close < m->end && *close != quote && *close != '\\' && *close != '\n' && *close != '$')
      close++;
   if (close < m->end && *close == quote) { /* the string has no escapes, so the text is borrowed */
      m->t.text = (MtStr) {m->p, (size_t) (close - m->p)};
      m->p = close + 1;
      return true;
   }
   bool ok = characters (m, quote, &b);
   if (ok) {
      m->p++;
      m->t.text = (MtStr) {mt_strndup (m->a, b.p ? b.p : "", b.n), b.n};
   }
   mt_buf_free (&b);
   return ok;
}

/* ---- numbers ---- */

static const char *digits (const char *p, const char *end)
{
   while (p < end && (isdigit ((unsigned char) *p) ||
                      (*p == '_' && p + 1 < end && isdigit ((unsigned char) p[1]) &&
                       isdigit ((unsigned char) p[-1]))))
      p++;
   return p;
}

static int base_of (MtStr raw)
{
   char c = raw.n > 1 && raw.p[0] == '0' ? (char) tolower ((unsigned char) raw.p[1]) : 0;
   switch (c) {
   case 'x': return 16;
   case 'o': return 8;
   case 'b': return 2;
   default: return 10;
   }
}

static bool number (MtMongosh *m)
{
   const char *from = m->p, *q = digits (from, m->end);
   int base = base_of ((MtStr) {from, (size_t) (m->end - from)});
   bool ok = true;
   if (base != 10) {
      for (q = from + 2; q < m->end && mt_hex_digit (*q) >= 0 && mt_hex_digit (*q) < base;)
         q++;
      ok = q > from + 2;
   } else {
      /* Numbers such as 010 are an error, because they were octal in old JavaScript. */
      ok = !(*from == '0' && q > from + 1);
      if (q < m->end && *q == '.')
         q = digits (q + 1, m->end);
      if (q < m->end && (*q == 'e' || *q == 'E')) {
         q += 1 + (q + 1 < m->end && (q[1] == '+' || q[1] == '-'));
         ok = ok && q < m->end && isdigit ((unsigned char) *q);
         q = digits (q, m->end);
      }
   }
   while (q < m->end && in_word (*q)) {
      ok = false;
      q++;
   }
   m->p = q;
   return ok || bad (m, from, (size_t) (q - from), "invalid number");
}

MtVal mt_sh_whole (int64_t i)
{
   return i >= INT32_MIN && i <= INT32_MAX ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i);
}

MtVal mt_sh_number (MtStr raw, bool negative)
{
   int base = base_of (raw);
   bool whole = base != 10 || (!memchr (raw.p, '.', raw.n) && !memchr (raw.p, 'e', raw.n) &&
                               !memchr (raw.p, 'E', raw.n));
   char *text = mt_heap_strndup (raw.p, raw.n), *to = text;
   for (const char *p = text; *p; p++)
      if (*p != '_')
         *to++ = *p;
   *to = 0;
   errno = 0;
   uint64_t u = whole ? strtoull (text + (base != 10 ? 2 : 0), NULL, base) : 0;
   double d = base == 10 ? strtod (text, NULL) : 0;
   for (const char *p = text + 2; base != 10 && *p; p++)
      d = d * base + mt_hex_digit (*p);
   whole = whole && !errno && u <= (uint64_t) INT64_MAX + negative;
   free (text);
   if (whole && !(negative && u == 0))
      return mt_sh_whole (negative ? (int64_t) (0 - u) : (int64_t) u);
   return mt_v_double (negative ? -d : d);
}

/* ---- other tokens ---- */

/* Returns whether a value can end with this token. If not, a slash after it begins a regular
 * expression. */
static bool ends_value (const MtMongoshToken *t)
{
   return t->kind == MT_SH_WORD || t->kind == MT_SH_STRING || t->kind == MT_SH_NUMBER ||
          t->kind == MT_SH_REGEX || (t->kind == MT_SH_SIGN && strchr (")]}", *t->raw.p));
}

static bool regex (MtMongosh *m)
{
   const char *from = m->p, *q = from + 1;
   for (bool in_class = false; q < m->end && *q != '\n' && (*q != '/' || in_class); q++) {
      in_class = *q == '[' || (in_class && *q != ']');
      q += *q == '\\' && q + 1 < m->end && q[1] != '\n';
   }
   if (q >= m->end || *q != '/')
      return bad (m, from, (size_t) (q - from), "unterminated regular expression");
   m->t.text = (MtStr) {from + 1, (size_t) (q - from - 1)};
   m->p = q + 1;
   while (m->p < m->end && in_word (*m->p))
      m->p++;
   m->t.flags = (MtStr) {q + 1, (size_t) (m->p - q - 1)};
   return true;
}

static void word (MtMongosh *m)
{
   do {
      m->p++;
      while (m->p < m->end && in_word (*m->p))
         m->p++;
   } while (m->end - m->p > 1 && *m->p == '.' && begins_word (m->p[1]));
}

static bool token (MtMongosh *m)
{
   bool divides = ends_value (&m->t);
   m->t = (MtMongoshToken) {.raw = {m->p, 0}};
   if (m->p >= m->end)
      return true;
   char c = *m->p;
   if (c == '"' || c == '\'' || c == '`') {
      m->t.kind = MT_SH_STRING;
      return string (m);
   }
   if (isdigit ((unsigned char) c) ||
       (c == '.' && m->end - m->p > 1 && isdigit ((unsigned char) m->p[1]))) {
      m->t.kind = MT_SH_NUMBER;
      return number (m);
   }
   if (c == '/' && !divides) {
      m->t.kind = MT_SH_REGEX;
      return regex (m);
   }
   if (m->end - m->p >= 3 &&
       /* these bytes begin typographic quotes and dashes, which word processors insert */
       memcmp (m->p, "\xE2\x80", 2) == 0) {
      bad (m, m->p, 3, "unexpected character");
      return mt_error_hint (m->err, "Write straight quotes (\" or ') and plain spaces.");
   }
   m->t.kind = begins_word (c) ? MT_SH_WORD : MT_SH_SIGN;
   if (m->t.kind == MT_SH_WORD)
      word (m);
   else
      m->p++;
   return true;
}

bool mt_sh_next (MtMongosh *m)
{
   m->last = m->p;
   if (!skip_blank (m))
      return false;
   const char *from = m->p;
   if (!token (m))
      return false;
   m->t.raw = (MtStr) {from, (size_t) (m->p - from)};
   return true;
}

bool mt_sh_begin (MtMongosh *m, MtArena *a, MtStr text, MtError *err)
{
   *m = (MtMongosh) {.a = a, .start = text.p, .p = text.p, .end = text.p + text.n, .err = err};
   if (text.n > INT32_MAX)
      return mt_error (err, MT_E_LIMIT, "the text is too long");
   if (!mt_utf8_valid (text.p, text.n))
      return mt_error (err, MT_E_ENCODING, "the text is not valid UTF-8");
   return mt_sh_next (m);
}

bool mt_sh_unexpected (MtMongosh *m, const char *wanted)
{
   MtStr t = m->t.raw;
   size_t n = t.n < 60 ? t.n : 60;
   while (n < t.n && ((unsigned char) t.p[n] & 0xC0) == 0x80)
      n--;
   if (t.p + t.n == m->end && t.n == 0)
      mt_error_at (m->err, mt_sh_span (m, t), MT_E_SYNTAX, "syntax error at end of input");
   else
      mt_error_at (m->err, mt_sh_span (m, t), MT_E_SYNTAX, "syntax error at or near \"%.*s\"",
                   (int) n, t.p);
   return wanted ? mt_error_detail (m->err, "Expected %s.", wanted) : false;
}

bool mt_sh_take (MtMongosh *m, char c, const char *wanted)
{
   return mt_sh_is (m, c) ? mt_sh_next (m) : mt_sh_unexpected (m, wanted);
}
