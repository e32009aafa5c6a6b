/* Parses JSON text into jsonb, by PostgreSQL's rules and with PostgreSQL's error messages. */
#include "base/json_scan.h"
#include "types/datum_int.h"
#include "types/jsonb.h"
#include "base/limits.h"
#include "types/numeric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Json {
   MtArena *a;
   MtJsonScan s;
   int depth;
   bool ordered; /* fields keep the order of the text, instead of jsonb's order */
   MtError *err;
} Json;

#define SYNTAX "invalid input syntax for type json"

static bool is_word (const char *p, const char *end)
{
   return p < end && (((unsigned char) *p & 0x80) || *p == '_' || isalnum ((unsigned char) *p));
}

/* Returns the end of the token at p, for error messages: a word, a string, a number with letters
 * that follow it, or one character. */
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

/* Reports a syntax error at j->s.p, where `what` was expected. Returns false. */
static bool expected (Json *j, const char *what)
{
   mt_error (j->err, MT_E_TEXT_REPRESENTATION, SYNTAX);
   if (j->s.p >= j->s.end)
      return mt_error_detail (j->err, "The input string ended unexpectedly.");
   size_t n = (size_t) (token_end (j->s.p, j->s.end) - j->s.p);
   bool sign = strchr ("{}[]:,\"-", *j->s.p) || (*j->s.p >= '0' && *j->s.p <= '9');
   MtStr token = {j->s.p, n};
   if (!sign && !mt_str_is (token, "true") && !mt_str_is (token, "false") &&
       !mt_str_is (token, "null"))
      what = NULL;
   if (what)
      return mt_error_detail (j->err, "Expected %s, but found \"%.*s\".", what, (int) n, j->s.p);
   return mt_error_detail (j->err, "Token \"%.*s\" is invalid.", (int) n, j->s.p);
}

/* Reports a fault within the string that begins at `start`: 22P02, or 22P05 for \u0000. j->s.p is
 * at the fault. Returns false. */
static bool string_fault (Json *j, MtJsonFault fault, const char *start)
{
   const char *p = j->s.p, *next = p;
   mt_error (j->err, MT_E_TEXT_REPRESENTATION, SYNTAX);
   switch (fault) {
   case MT_JSON_OK: break;
   case MT_JSON_UNTERMINATED: j->s.p = start; return expected (j, NULL);
   case MT_JSON_CONTROL:
      return mt_error_detail (j->err, "Character with value 0x%02x must be escaped.",
                              (unsigned) (unsigned char) *p);
   case MT_JSON_ESCAPE:
      while (next < j->s.end && ((unsigned char) *next & 0xC0) == 0x80)
         next++;
      return mt_error_detail (j->err, "Escape sequence \"\\%.*s\" is invalid.",
                              (int) (next - p) + 1, p - 1);
   case MT_JSON_HEX:
   case MT_JSON_LOW_HEX:
      return mt_error_detail (j->err, "\"\\u\" must be followed by four hexadecimal digits.");
   case MT_JSON_ZERO:
      mt_error (j->err, MT_E_UNTRANSLATABLE, "unsupported Unicode escape sequence");
      return mt_error_detail (j->err, "\\u0000 cannot be converted to text.");
   case MT_JSON_TWO_HIGH:
      return mt_error_detail (j->err, "Unicode high surrogate must not follow a high surrogate.");
   case MT_JSON_LOW_ALONE:
   case MT_JSON_HIGH_ALONE:
   case MT_JSON_NOT_LOW: break;
   }
   return mt_error_detail (j->err, "Unicode low surrogate must follow a high surrogate.");
}

static bool string (Json *j, MtStr *out)
{
   MtBuf copy = {0};
   const char *start = j->s.p++;
   MtJsonFault fault = mt_json_scan_string (&j->s, &copy, out);
   if (!fault)
      out->p = mt_strndup (j->a, out->p, out->n);
   mt_buf_free (&copy);
   return !fault || string_fault (j, fault, start);
}

static bool number (Json *j, MtVal *out)
{
   const char *start = j->s.p;
   bool integer;
   MtStr t;
   if (!mt_json_scan_number (&j->s, &t, &integer) || is_word (j->s.p, j->s.end)) {
      j->s.p = start;
      return expected (j, NULL);
   }
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

static bool word (Json *j, const char *w, MtVal v, MtVal *out)
{
   const char *start = j->s.p;
   if (!mt_json_scan_word (&j->s, w) || is_word (j->s.p, j->s.end)) {
      j->s.p = start;
      return expected (j, NULL);
   }
   *out = v;
   return true;
}

static bool value (Json *j, MtVal *out);

static bool member (Json *j, const char *wanted, MtJsonMember *m)
{
   mt_json_scan_space (&j->s);
   if (j->s.p >= j->s.end || *j->s.p != '"')
      return expected (j, wanted);
   if (!string (j, &m->key))
      return false;
   mt_json_scan_space (&j->s);
   if (j->s.p >= j->s.end || *j->s.p != ':')
      return expected (j, "\":\"");
   j->s.p++;
   return value (j, &m->value);
}

/* Reads a comma (*more true), or the closing bracket `close` (*more false). Any other character is
 * an error; `wanted` is for its message. */
static bool next (Json *j, char close, const char *wanted, bool *more)
{
   mt_json_scan_space (&j->s);
   if (j->s.p >= j->s.end || (*j->s.p != ',' && *j->s.p != close))
      return expected (j, wanted);
   *more = *j->s.p++ == ',';
   return true;
}

static bool object (Json *j, MtVal *out)
{
   size_t n = 0, cap = 8;
   MtJsonMember *m = MT_NEW_N (j->a, MtJsonMember, cap);
   bool more = true;
   j->s.p++;
   mt_json_scan_space (&j->s);
   if (j->s.p < j->s.end && *j->s.p == '}') {
      j->s.p++;
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
   j->s.p++;
   mt_json_scan_space (&j->s);
   if (j->s.p < j->s.end && *j->s.p == ']') {
      j->s.p++;
      more = false;
   }
   while (more) {
      MT_GROW_IN (j->a, v, n, cap, 8);
      if (!value (j, &v[n++]) || !next (j, ']', "\",\" or \"]\"", &more))
         return false;
   }
   return mt_v_make_array (j->a, v, n, out, j->err);
}

static bool value (Json *j, MtVal *out)
{
   mt_json_scan_space (&j->s);
   if (j->s.p >= j->s.end || strchr ("}],:", *j->s.p))
      return expected (j, "JSON value");
   if (j->depth >= MT_MAX_BSON_DEPTH)
      return mt_error (j->err, MT_E_LIMIT, "a document may be nested %d levels deep",
                       MT_MAX_BSON_DEPTH);
   bool ok = true;
   MtStr s;
   j->depth++;
   switch (*j->s.p) {
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
   mt_json_scan_space (&j->s);
   return j->s.p == j->s.end || expected (j, "end of input");
}

bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   Json j = {.a = a, .s = {text.p, text.p + text.n}, .err = err};
   if (!whole (&j, out))
      return false;
   *out = mt_jsonb_from_element (*out);
   return true;
}

bool mt_document_parse (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   Json j = {.a = a, .s = {text.p, text.p + text.n}, .ordered = true, .err = err};
   return whole (&j, out);
}
