#include "types/json_text.h"

#include "base/limits.h"
#include "types/jsonb.h"

#include <string.h>

typedef struct Scan {
   const char *p, *end;
   int depth;
} Scan;

static void skip_space (Scan *s)
{
   while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
      s->p++;
}

static bool is_digit (const Scan *s) { return s->p < s->end && *s->p >= '0' && *s->p <= '9'; }

static bool digits (Scan *s)
{
   bool any = is_digit (s);
   while (is_digit (s))
      s->p++;
   return any;
}

static bool take (Scan *s, char c)
{
   bool is = s->p < s->end && *s->p == c;
   s->p += is;
   return is;
}

static bool number (Scan *s)
{
   take (s, '-');
   if (!take (s, '0') && !digits (s))
      return false;
   if (take (s, '.') && !digits (s))
      return false;
   if (take (s, 'e') || take (s, 'E')) {
      if (!take (s, '+'))
         take (s, '-');
      return digits (s);
   }
   return true;
}

static bool is_hex (char c)
{
   return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Skips a string. s->p is at its opening quote. Returns false if it is not valid. */
static bool string (Scan *s)
{
   if (!take (s, '"'))
      return false;
   while (s->p < s->end && *s->p != '"') {
      if ((unsigned char) *s->p < 0x20)
         return false;
      if (*s->p++ != '\\')
         continue;
      if (s->p == s->end || !strchr ("\"\\/bfnrtu", *s->p) || !*s->p)
         return false;
      if (*s->p++ == 'u')
         for (int i = 0; i < 4; i++, s->p++)
            if (s->p == s->end || !is_hex (*s->p))
               return false;
   }
   return take (s, '"');
}

static bool word (Scan *s, const char *w)
{
   size_t n = strlen (w);
   bool is = (size_t) (s->end - s->p) >= n && memcmp (s->p, w, n) == 0;
   s->p += is ? n : 0;
   return is;
}

static bool value (Scan *s);

/* Skips an object or array. s->p is after its opening bracket; `close` is the closing one. Returns
 * false if it is not valid. */
static bool list (Scan *s, char close)
{
   skip_space (s);
   if (take (s, close))
      return true;
   do {
      skip_space (s);
      if (close == '}') {
         if (!string (s))
            return false;
         skip_space (s);
         if (!take (s, ':'))
            return false;
      }
      if (!value (s))
         return false;
      skip_space (s);
   } while (take (s, ','));
   return take (s, close);
}

static bool value (Scan *s)
{
   bool ok;
   skip_space (s);
   if (s->p == s->end)
      return false;
   switch (*s->p) {
   case '{':
   case '[':
      if (++s->depth > MT_MAX_EXPR_DEPTH)
         return false;
      ok = list (s, *s->p++ == '{' ? '}' : ']');
      s->depth--;
      return ok;
   case '"': return string (s);
   case 't': return word (s, "true");
   case 'f': return word (s, "false");
   case 'n': return word (s, "null");
   default: return number (s);
   }
}

bool mt_json_text_check (MtStr text, MtError *err)
{
   Scan s = {text.p, text.p + text.n, 0};
   if (text.n && value (&s)) {
      skip_space (&s);
      if (s.p == s.end)
         return true;
   }
   MtArena *a = mt_arena_new ("json", NULL);
   MtVal ignored;
   bool parsed = mt_json_parse (a, text, &ignored, err); /* its message tells where the fault is */
   mt_arena_free (a);
   return parsed ? mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type json")
                 : false;
}

MtStr mt_json_text_trim (MtStr json) { return mt_str_trim (json, " \t\n\r"); }

const char *mt_json_text_type (MtStr json)
{
   json = mt_json_text_trim (json);
   switch (json.n ? *json.p : 'n') {
   case '{': return "object";
   case '[': return "array";
   case '"': return "string";
   case 't':
   case 'f': return "boolean";
   case 'n': return "null";
   default: return "number";
   }
}

MtJsonTextIter mt_json_text_iter (MtStr json)
{
   json = mt_json_text_trim (json);
   bool object = json.n && *json.p == '{', any = object || (json.n && *json.p == '[');
   return any ? (MtJsonTextIter) {json.p + 1, json.p + json.n, object}
              : (MtJsonTextIter) {json.p, json.p, false};
}

bool mt_json_text_next (MtJsonTextIter *it, MtStr *key, MtStr *out)
{
   Scan s = {it->p, it->end, 0};
   skip_space (&s);
   take (&s, ',');
   skip_space (&s);
   *key = (MtStr) {s.p, 0};
   if (s.p >= s.end || *s.p == '}' || *s.p == ']')
      return false;
   if (it->object) {
      string (&s);
      key->n = (size_t) (s.p - key->p);
      skip_space (&s);
      take (&s, ':');
      skip_space (&s);
   }
   const char *start = s.p;
   bool ok = value (&s);
   *out = (MtStr) {start, (size_t) (s.p - start)};
   it->p = s.p;
   return ok;
}

size_t mt_json_text_count (MtStr json)
{
   MtJsonTextIter it = mt_json_text_iter (json);
   MtStr key, v;
   size_t n = 0;
   while (mt_json_text_next (&it, &key, &v))
      n++;
   return n;
}

/* Returns whether the key `quoted`, which is a JSON string with quotes and escapes, is the text
 * `key`. */
static bool is_key (MtStr quoted, MtStr key, MtError *err)
{
   if (!memchr (quoted.p, '\\', quoted.n))
      return quoted.n == key.n + 2 && (key.n == 0 || memcmp (quoted.p + 1, key.p, key.n) == 0);
   MtArena *a = mt_arena_new ("key", NULL);
   MtVal v;
   bool is = mt_json_parse (a, quoted, &v, err) && v.type == MT_STRING && v.len == key.n &&
             (key.n == 0 || memcmp (v.p, key.p, key.n) == 0);
   mt_arena_free (a);
   return is;
}

bool mt_json_text_field (MtStr json, MtStr key, MtStr *out, MtError *err)
{
   MtJsonTextIter it = mt_json_text_iter (json);
   MtStr k, v;
   bool found = false;
   while (it.object && mt_json_text_next (&it, &k, &v)) {
      if (is_key (k, key, err)) {
         *out = v;
         found = true;
      }
      if (mt_error_is_set (err))
         return false;
   }
   return found;
}

bool mt_json_text_element (MtStr json, int64_t index, MtStr *out)
{
   MtJsonTextIter it = mt_json_text_iter (json);
   MtStr key;
   if (it.object)
      return false;
   if (index < 0)
      index += (int64_t) mt_json_text_count (json);
   for (int64_t i = 0; index >= 0 && mt_json_text_next (&it, &key, out); i++)
      if (i == index)
         return true;
   return false;
}

bool mt_json_text_value (MtArena *a, MtStr json, MtVal *out, MtError *err)
{
   json = mt_json_text_trim (json);
   *out = mt_v_null ();
   if (json.n && *json.p == 'n')
      return true;
   if (json.n && *json.p == '"')
      return mt_json_parse (a, json, out, err);
   *out = mt_v_copy (a, mt_v_str (json.p, json.n));
   return true;
}

void mt_json_time (MtBuf *b, bool zoned)
{
   char *gap = memchr (b->p, ' ', b->n), *sign = NULL;
   if (!gap)
      return;
   *gap = 'T';
   for (char *p = gap; zoned && p < b->p + b->n; p++)
      if (*p == '+' || *p == '-')
         sign = p;
   if (sign && sign + 3 == b->p + b->n)
      mt_buf_adds (b, ":00");
}
