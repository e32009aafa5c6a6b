/* jsonb: JSON text to BSON and back, as PostgreSQL's jsonb reads and prints it. */
#include "base/datum_int.h"
#include "base/limits.h"
#include "base/numeric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Json {
   MtArena *a;
   const char *p, *end;
   MtStr text;
   int depth;
   MtError *err;
} Json;

static bool bad (Json *j)
{
   mt_datum_syntax (j->err, MT_T_JSONB, j->text);
   snprintf (j->err->message, sizeof j->err->message, "invalid input syntax for type json");
   if (j->p >= j->end)
      return mt_error_detail (j->err, "The input string ended unexpectedly.");
   const char *q = j->p;
   while (q < j->end && q - j->p < 40 && !strchr (" ,]}\n\t:", *q))
      q++;
   return mt_error_detail (j->err, "Token \"%.*s\" is invalid.", (int) (q > j->p ? q - j->p : 1), j->p);
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
      char c = j->p < j->end ? *j->p : 0;
      int d = mt_hex_digit (c);
      if (d < 0)
         return bad (j);
      *out = *out * 16 + (unsigned) d;
   }
   return true;
}

static bool unicode_escape (Json *j, MtBuf *b)
{
   unsigned c, low;
   if (!hex4 (j, &c))
      return false;
   if (c == 0)
      return mt_error (j->err, "22P05", "unsupported Unicode escape sequence");
   if (c >= 0xD800 && c < 0xDC00) {
      if (j->end - j->p < 2 || j->p[0] != '\\' || j->p[1] != 'u')
         return bad (j);
      j->p += 2;
      if (!hex4 (j, &low))
         return false;
      if (low < 0xDC00 || low > 0xDFFF)
         return bad (j);
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
   } else if (c >= 0xDC00 && c <= 0xDFFF)
      return bad (j);
   char utf8[4];
   mt_buf_add (b, utf8, mt_utf8_put (utf8, c));
   return true;
}

static bool escape (Json *j, MtBuf *b)
{
   char c = j->p < j->end ? *j->p++ : 0;
   static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
   if (c == 'u')
      return unicode_escape (j, b);
   const char *at = c ? strchr (from, c) : NULL;
   if (!at)
      return bad (j);
   mt_buf_addc (b, to[at - from]);
   return true;
}

static bool string (Json *j, MtStr *out)
{
   MtBuf b = {0};
   bool ok = true;
   j->p++;
   while (ok && j->p < j->end && *j->p != '"') {
      unsigned char c = (unsigned char) *j->p++;
      if (c == '\\')
         ok = escape (j, &b);
      else if (c < 0x20)
         ok = bad (j);
      else
         mt_buf_addc (&b, (char) c);
   }
   if (ok && j->p >= j->end)
      ok = bad (j);
   if (ok) {
      j->p++;
      *out = (MtStr){mt_strndup (j->a, b.p ? b.p : "", b.n), b.n};
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
      return bad (j);
   bool integer = true;
   if (q < j->end && *q == '.') {
      integer = false;
      p = q + 1;
      q = digits (p, j->end);
      if (q == p)
         return bad (j);
   }
   if (q < j->end && (*q == 'e' || *q == 'E')) {
      integer = false;
      p = q + 1;
      if (p < j->end && (*p == '+' || *p == '-'))
         p++;
      q = digits (p, j->end);
      if (q == p)
         return bad (j);
   }
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

/* PostgreSQL's order of a jsonb object's keys: shorter first, then bytes. */
static int key_order (MtStr a, MtStr b)
{
   return a.n != b.n ? (a.n < b.n ? -1 : 1) : memcmp (a.p, b.p, a.n);
}

typedef struct Member {
   MtStr key;
   MtVal value;
   size_t order;
} Member;

static int member_order (const void *a, const void *b)
{
   const Member *m = a, *n = b;
   int c = key_order (m->key, n->key);
   return c ? c : m->order < n->order ? -1 : 1;
}

static bool make_object (Json *j, Member *m, size_t n, MtVal *out)
{
   qsort (m, n, sizeof *m, member_order);
   MtStr *keys = MT_NEW_N (j->a, MtStr, n + 1);
   MtVal *vals = MT_NEW_N (j->a, MtVal, n + 1);
   size_t k = 0;
   for (size_t i = 0; i < n; i++) {
      if (i + 1 < n && key_order (m[i].key, m[i + 1].key) == 0)
         continue; /* of equal keys the last one stays */
      keys[k] = m[i].key;
      vals[k++] = m[i].value;
   }
   return mt_v_make_doc (j->a, keys, vals, k, out, j->err);
}

static bool object (Json *j, MtVal *out)
{
   size_t n = 0, cap = 8;
   Member *m = MT_NEW_N (j->a, Member, cap);
   j->p++;
   space (j);
   while (j->p < j->end && *j->p != '}') {
      if (n == cap) {
         Member *more = MT_NEW_N (j->a, Member, cap * 2);
         memcpy (more, m, n * sizeof *m);
         m = more;
         cap *= 2;
      }
      m[n].order = n;
      if (*j->p != '"')
         return bad (j);
      if (!string (j, &m[n].key))
         return false;
      space (j);
      if (j->p >= j->end || *j->p != ':')
         return bad (j);
      j->p++;
      if (!value (j, &m[n++].value))
         return false;
      space (j);
      if (j->p < j->end && *j->p == ',') {
         j->p++;
         space (j);
         if (j->p < j->end && *j->p == '}')
            return bad (j);
      } else if (j->p >= j->end || *j->p != '}')
         return bad (j);
   }
   if (j->p >= j->end)
      return bad (j);
   j->p++;
   return make_object (j, m, n, out);
}

static bool array (Json *j, MtVal *out)
{
   size_t n = 0, cap = 8;
   MtVal *v = MT_NEW_N (j->a, MtVal, cap);
   j->p++;
   space (j);
   while (j->p < j->end && *j->p != ']') {
      if (n == cap) {
         MtVal *more = MT_NEW_N (j->a, MtVal, cap * 2);
         memcpy (more, v, n * sizeof *v);
         v = more;
         cap *= 2;
      }
      if (!value (j, &v[n++]))
         return false;
      space (j);
      if (j->p < j->end && *j->p == ',') {
         j->p++;
         space (j);
         if (j->p < j->end && *j->p == ']')
            return bad (j);
      } else if (j->p >= j->end || *j->p != ']')
         return bad (j);
   }
   if (j->p >= j->end)
      return bad (j);
   j->p++;
   return mt_v_make_array (j->a, v, n, out, j->err);
}

static bool word (Json *j, const char *w, MtVal v, MtVal *out)
{
   size_t n = strlen (w);
   if ((size_t) (j->end - j->p) < n || memcmp (j->p, w, n))
      return bad (j);
   j->p += n;
   *out = v;
   return true;
}

static bool value (Json *j, MtVal *out)
{
   space (j);
   if (j->p >= j->end)
      return bad (j);
   if (j->depth >= MT_MAX_BSON_DEPTH)
      return mt_error (j->err, MT_E_LIMIT, "a document may be nested %d levels deep", MT_MAX_BSON_DEPTH);
   bool ok = true;
   MtStr s;
   j->depth++;
   switch (*j->p) {
   case '{':
      ok = object (j, out);
      break;
   case '[':
      ok = array (j, out);
      break;
   case '"':
      ok = string (j, &s);
      if (ok)
         *out = mt_v_str (s.p, s.n);
      break;
   case 't':
      ok = word (j, "true", mt_v_bool (true), out);
      break;
   case 'f':
      ok = word (j, "false", mt_v_bool (false), out);
      break;
   case 'n':
      ok = word (j, "null", mt_v_null (), out);
      break;
   default:
      ok = number (j, out);
   }
   j->depth--;
   return ok;
}

bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   Json j = {.a = a, .p = text.p, .end = text.p + text.n, .text = text, .err = err};
   if (!value (&j, out))
      return false;
   space (&j);
   return j.p == j.end ? true : bad (&j);
}

static void print_children (MtVal v, MtBuf *out)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal child;
   bool first = true;
   mt_buf_addc (out, v.type == MT_DOC ? '{' : '[');
   while (mt_doc_next (&it, &key, &child)) {
      if (!first)
         mt_buf_adds (out, ", ");
      first = false;
      if (v.type == MT_DOC) {
         mt_json_string (out, key.p, key.n);
         mt_buf_adds (out, ": ");
      }
      mt_jsonb_print (child, out);
   }
   mt_buf_addc (out, v.type == MT_DOC ? '}' : ']');
}

void mt_jsonb_print (MtVal v, MtBuf *out)
{
   switch (v.type) {
   case MT_DOC:
   case MT_ARRAY:
      print_children (v, out); /* no deeper than MT_MAX_BSON_DEPTH: documents come from an engine or from the parser above */
      break;
   case MT_STRING:
      mt_json_string (out, (const char *) v.p, v.len);
      break;
   case MT_BOOL:
      mt_buf_adds (out, v.i ? "true" : "false");
      break;
   case MT_NULL:
   case MT_MISSING:
      mt_buf_adds (out, "null");
      break;
   case MT_INT32:
   case MT_INT64:
      mt_buf_printf (out, "%lld", (long long) v.i);
      break;
   case MT_DOUBLE:
      if (v.d - v.d == 0)
         mt_double_out (v.d, out);
      else
         mt_v_to_json (v, false, out);
      break;
   case MT_DECIMAL:
      mt_num_out (mt_num_load (v.p), out);
      break;
   default:
      mt_v_to_json (v, false, out);
   }
}
