/* JSON text to jsonb, as PostgreSQL's reader takes it and with its words for what it doesn't
 * take. */
#include "types/datum_int.h"
#include "types/jsonb.h"
#include "base/limits.h"
#include "types/numeric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Json {
   MtArena *a;
   const char *p, *end;
   int depth;
   bool ordered; /* fields keep the order in which they are written */
   MtError *err;
} Json;

#define SYNTAX "invalid input syntax for type json"

static bool bad_string (Json *j, const char *detail)
{
   mt_error (j->err, MT_E_TEXT_REPRESENTATION, SYNTAX);
   return mt_error_detail (j->err, "%s", detail);
}

static bool is_word (const char *p, const char *end)
{
   return p < end && (((unsigned char) *p & 0x80) || *p == '_' || isalnum ((unsigned char) *p));
}

/* Where the token at p ends: a word, a number with what hangs on it, a string, or one character. */
static const char *token_end (const char *p, const char *end)
{
   const char *q = p;
   if (*p == '"') {
      for (q++; q < end && *q != '"'; q++)
         q += *q == '\\' && q + 1 < end;
      return q < end ? q + 1 : q;
   }
   if (*p == '-' || (*p >= '0' && *p <= '9')) {
      for (q++; is_word (q, end) || (q < end && (*q == '.' || ((*q == '+' || *q == '-') &&
                                                               (q[-1] == 'e' || q[-1] == 'E'))));)
         q++;
      return q;
   }
   while (is_word (q, end))
      q++;
   return q > p ? q : p + 1;
}

/* What was wanted at j->p, where something else is. */
static bool expected (Json *j, const char *what)
{
   mt_error (j->err, MT_E_TEXT_REPRESENTATION, SYNTAX);
   if (j->p >= j->end)
      return mt_error_detail (j->err, "The input string ended unexpectedly.");
   size_t n = (size_t) (token_end (j->p, j->end) - j->p);
   bool sign = strchr ("{}[]:,\"-", *j->p) || (*j->p >= '0' && *j->p <= '9');
   MtStr token = {j->p, n};
   if (!sign && !mt_str_is (token, "true") && !mt_str_is (token, "false") &&
       !mt_str_is (token, "null"))
      what = NULL;
   if (what)
      return mt_error_detail (j->err, "Expected %s, but found \"%.*s\".", what, (int) n, j->p);
   return mt_error_detail (j->err, "Token \"%.*s\" is invalid.", (int) n, j->p);
}

static void space (Json *j)
{
   while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r'))
      j->p++;
}

static bool hex4 (Json *j, unsigned *out)
{
   *out = 0;
   for (int i = 0; i < 4; i++, j->p++) {
      int d = mt_hex_digit (j->p < j->end ? *j->p : 0);
      if (d < 0)
         return bad_string (j, "\"\\u\" must be followed by four hexadecimal digits.");
      *out = *out * 16 + (unsigned) d;
   }
   return true;
}

#define LONE_LOW "Unicode low surrogate must follow a high surrogate."

static bool unicode_escape (Json *j, MtBuf *b)
{
   unsigned c, low;
   if (!hex4 (j, &c))
      return false;
   if (c == 0) {
      mt_error (j->err, MT_E_UNTRANSLATABLE, "unsupported Unicode escape sequence");
      return mt_error_detail (j->err, "\\u0000 cannot be converted to text.");
   }
   if (c >= 0xD800 && c < 0xDC00) {
      if (j->end - j->p < 2 || j->p[0] != '\\' || j->p[1] != 'u')
         return bad_string (j, LONE_LOW);
      j->p += 2;
      if (!hex4 (j, &low))
         return false;
      if (low >= 0xD800 && low < 0xDC00)
         return bad_string (j, "Unicode high surrogate must not follow a high surrogate.");
      if (low < 0xDC00 || low > 0xDFFF)
         return bad_string (j, LONE_LOW);
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
   } else if (c >= 0xDC00 && c <= 0xDFFF)
      return bad_string (j, LONE_LOW);
   char utf8[4];
   mt_buf_add (b, utf8, mt_utf8_put (utf8, c));
   return true;
}

static bool escape (Json *j, MtBuf *b)
{
   static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
   const char *c = j->p++, *at = c < j->end && *c ? strchr (from, *c) : NULL;
   if (c < j->end && *c == 'u')
      return unicode_escape (j, b);
   if (at) {
      mt_buf_addc (b, to[at - from]);
      return true;
   }
   const char *next = c + 1;
   while (next < j->end && ((unsigned char) *next & 0xC0) == 0x80)
      next++;
   mt_error (j->err, MT_E_TEXT_REPRESENTATION, SYNTAX);
   return mt_error_detail (j->err, "Escape sequence \"\\%.*s\" is invalid.", (int) (next - c), c);
}

/* The characters up to the closing quote. */
static bool characters (Json *j, MtBuf *b)
{
   while (j->p < j->end && *j->p != '"') {
      const char *q = j->p;
      while (q < j->end && *q != '"' && *q != '\\' && (unsigned char) *q >= 0x20)
         q++;
      mt_buf_add (b, j->p, (size_t) (q - j->p));
      j->p = q;
      if (q < j->end && *q == '\\') {
         j->p++;
         if (j->p < j->end && !escape (j, b))
            return false;
      } else if (q < j->end && *q != '"') {
         mt_error (j->err, MT_E_TEXT_REPRESENTATION, SYNTAX);
         return mt_error_detail (j->err, "Character with value 0x%02x must be escaped.",
                                 (unsigned) (unsigned char) *q);
      }
   }
   return true;
}

static bool string (Json *j, MtStr *out)
{
   MtBuf b = {0};
   const char *start = j->p++;
   bool ok = characters (j, &b);
   if (ok && j->p >= j->end) {
      j->p = start;
      ok = expected (j, NULL);
   }
   if (ok) {
      j->p++;
      *out = (MtStr) {mt_strndup (j->a, b.p ? b.p : "", b.n), b.n};
   }
   mt_buf_free (&b);
   return ok;
}

static const char *digits (const char *p, const char *end)
{
   while (p < end && *p >= '0' && *p <= '9')
      p++;
   return p;
}

static bool number (Json *j, MtVal *out)
{
   const char *p = j->p, *q;
   if (p < j->end && *p == '-')
      p++;
   q = digits (p, j->end);
   if (q == p || (*p == '0' && q > p + 1))
      return expected (j, NULL);
   bool integer = true;
   if (q < j->end && *q == '.') {
      integer = false;
      p = q + 1;
      q = digits (p, j->end);
      if (q == p)
         return expected (j, NULL);
   }
   if (q < j->end && (*q == 'e' || *q == 'E')) {
      integer = false;
      p = q + 1;
      if (p < j->end && (*p == '+' || *p == '-'))
         p++;
      q = digits (p, j->end);
      if (q == p)
         return expected (j, NULL);
   }
   if (is_word (q, j->end))
      return expected (j, NULL);
   MtStr t = {j->p, (size_t) (q - j->p)};
   j->p = q;
   if (integer && t.n <= 18) {
      long long v = strtoll (mt_strndup (j->a, t.p, t.n), NULL, 10);
      *out = v >= INT32_MIN && v <= INT32_MAX ? mt_v_int32 ((int32_t) v) : mt_v_int64 (v);
      return true;
   }
   MtNum n;
   if (!mt_num_in (t.p, t.n, &n, j->err))
      return false;
   *out = mt_num_to_val (j->a, n);
   return true;
}

static bool value (Json *j, MtVal *out);

static bool member (Json *j, const char *wanted, MtJsonMember *m)
{
   space (j);
   if (j->p >= j->end || *j->p != '"')
      return expected (j, wanted);
   if (!string (j, &m->key))
      return false;
   space (j);
   if (j->p >= j->end || *j->p != ':')
      return expected (j, "\":\"");
   j->p++;
   return value (j, &m->value);
}

/* A comma (*more), or the closing bracket. */
static bool next (Json *j, char close, const char *wanted, bool *more)
{
   space (j);
   if (j->p >= j->end || (*j->p != ',' && *j->p != close))
      return expected (j, wanted);
   *more = *j->p++ == ',';
   return true;
}

static bool object (Json *j, MtVal *out)
{
   size_t n = 0, cap = 8;
   MtJsonMember *m = MT_NEW_N (j->a, MtJsonMember, cap);
   bool more = true;
   j->p++;
   space (j);
   if (j->p < j->end && *j->p == '}') {
      j->p++;
      more = false;
   }
   while (more) {
      MT_GROW_IN (j->a, m, n, cap, 8);
      if (!member (j, n ? "string" : "string or \"}\"", &m[n]) ||
          !next (j, '}', "\",\" or \"}\"", &more))
         return false;
      n++;
   }
   return j->ordered ? mt_document_object (j->a, m, n, out, j->err)
                     : mt_jsonb_object (j->a, m, n, out, j->err);
}

static bool array (Json *j, MtVal *out)
{
   size_t n = 0, cap = 8;
   MtVal *v = MT_NEW_N (j->a, MtVal, cap);
   bool more = true;
   j->p++;
   space (j);
   if (j->p < j->end && *j->p == ']') {
      j->p++;
      more = false;
   }
   while (more) {
      MT_GROW_IN (j->a, v, n, cap, 8);
      if (!value (j, &v[n++]) || !next (j, ']', "\",\" or \"]\"", &more))
         return false;
   }
   return mt_v_make_array (j->a, v, n, out, j->err);
}

static bool word (Json *j, const char *w, MtVal v, MtVal *out)
{
   size_t n = strlen (w);
   if ((size_t) (token_end (j->p, j->end) - j->p) != n || memcmp (j->p, w, n))
      return expected (j, NULL);
   j->p += n;
   *out = v;
   return true;
}

static bool value (Json *j, MtVal *out)
{
   space (j);
   if (j->p >= j->end || strchr ("}],:", *j->p))
      return expected (j, "JSON value");
   if (j->depth >= MT_MAX_BSON_DEPTH)
      return mt_error (j->err, MT_E_LIMIT, "a document may be nested %d levels deep",
                       MT_MAX_BSON_DEPTH);
   bool ok = true;
   MtStr s;
   j->depth++;
   switch (*j->p) {
   case '{': ok = object (j, out); break;
   case '[': ok = array (j, out); break;
   case '"':
      ok = string (j, &s);
      if (ok)
         *out = mt_v_str (s.p, s.n);
      break;
   case 't': ok = word (j, "true", mt_v_bool (true), out); break;
   case 'f': ok = word (j, "false", mt_v_bool (false), out); break;
   case 'n': ok = word (j, "null", mt_v_null (), out); break;
   default: ok = number (j, out);
   }
   j->depth--;
   return ok;
}

static bool whole (Json *j, MtVal *out)
{
   if (!value (j, out))
      return false;
   space (j);
   return j->p == j->end || expected (j, "end of input");
}

bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   Json j = {.a = a, .p = text.p, .end = text.p + text.n, .err = err};
   if (!whole (&j, out))
      return false;
   *out = mt_jsonb_from_element (*out);
   return true;
}

bool mt_document_parse (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   Json j = {.a = a, .p = text.p, .end = text.p + text.n, .ordered = true, .err = err};
   return whole (&j, out);
}
