/* The operators on strings. Names with CP count code points; names with Bytes count bytes. */
#include "engine/local/expr/op_int.h"

#define STR(v) ((MtStr) {(const char *) (v).p, (v).len})

static MtVal value_of (MtStr s) { return mt_v_str (s.p, s.n); }
static bool continues (char c) { return ((unsigned char) c & 0xC0) == 0x80; }

/* Returns the byte offset of code point number n (from 0) in s. If s has fewer code points, returns
 * s.n. */
static size_t byte_of (MtStr s, uint64_t n)
{
   size_t i = 0;
   while (i < s.n && n > 0) {
      do
         i++;
      while (i < s.n && continues (s.p[i]));
      n--;
   }
   return i;
}

static bool op_concat (MT_OP_ARGS)
{
   size_t n = 0;
   bool is_null = false;
   for (int i = 0; i < argc; i++) {
      if (mt_is_nullish (args[i]))
         is_null = true;
      else if (args[i].type != MT_STRING)
         return MT_OP_FAIL (MT_E_PARAMETER, 16702, "$concat only supports strings, not %s",
                            mt_v_type_name (args[i]));
      else
         n += args[i].len;
      if (is_null)
         return mt_op_null (out);
   }
   char *text = mt_value_fits (n) ? mt_try_alloc (ev->arena, n + 1) : NULL, *p = text;
   if (!text)
      return mt_memory_check (ev->err);
   for (int i = 0; i < argc; i++) {
      memcpy (p, args[i].len ? args[i].p : (const uint8_t *) "", args[i].len);
      p += args[i].len;
   }
   return mt_op_put (out, mt_v_str (text, n));
}

static bool change_case (MtEval *ev, MtVal v, char from, int by, MtVal *out)
{
   MtStr s;
   if (!mt_op_text (ev, v, &s))
      return false;
   char *text = mt_try_strndup (ev->arena, s.p, s.n);
   if (!text)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < s.n; i++)
      if (text[i] >= from && text[i] <= from + 25)
         text[i] = (char) (text[i] + by);
   return mt_op_put (out, mt_v_str (text, s.n));
}

static bool op_lower (MT_OP_ARGS) { return change_case (ev, args[0], 'A', 32, out); }
static bool op_upper (MT_OP_ARGS) { return change_case (ev, args[0], 'a', -32, out); }

static bool op_length_cp (MT_OP_ARGS)
{
   if (args[0].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 34471, "$strLenCP requires a string argument, found: %s",
                         mt_v_type_name (args[0]));
   return mt_op_put (out,
                     mt_v_int32 ((int32_t) mt_utf8_length ((const char *) args[0].p, args[0].len)));
}

static bool op_length_bytes (MT_OP_ARGS)
{
   if (args[0].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 34473,
                         "$strLenBytes requires a string argument, found: %s",
                         mt_v_type_name (args[0]));
   return mt_op_put (out, mt_v_int32 ((int32_t) args[0].len));
}

static bool as_long (MtVal v, int64_t *out)
{
   if (!mt_is_number (v))
      return false;
   double d = mt_op_double (v);
   if (mt_is_int (v))
      *out = v.i;
   else if (!(d > -9e18)) /* this is also true for NaN */
      *out = INT64_MIN;
   else
      *out = d < 9e18 ? (int64_t) d : INT64_MAX;
   return true;
}

static bool op_substr_bytes (MT_OP_ARGS)
{
   MtStr s;
   int64_t start, length;
   if (!mt_op_text (ev, args[0], &s))
      return false;
   if (!as_long (args[1], &start))
      return MT_OP_FAIL (MT_E_PARAMETER, 16034,
                         "$substrBytes:  starting index must be a numeric type (is BSON type %s)",
                         mt_v_type_name (args[1]));
   if (!as_long (args[2], &length))
      return MT_OP_FAIL (MT_E_PARAMETER, 16035,
                         "$substrBytes:  length must be a numeric type (is BSON type %s)",
                         mt_v_type_name (args[2]));
   if (start < 0)
      return MT_OP_FAIL (MT_E_PARAMETER, 50752,
                         "$substrBytes:  starting index must be non-negative (got: %" PRId64 ")",
                         start);
   if ((uint64_t) start >= s.n)
      return mt_op_put (out, mt_v_cstr (""));
   size_t rest = s.n - (size_t) start,
          n = length < 0 || (uint64_t) length > rest ? rest : (size_t) length;
   if (continues (s.p[start]))
      return MT_OP_FAIL (
         MT_E_PARAMETER, 28656,
         "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.");
   if (n < rest && continues (s.p[(size_t) start + n]))
      return MT_OP_FAIL (
         MT_E_PARAMETER, 28657,
         "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.");
   return mt_op_put (out, mt_v_str (s.p + start, n));
}

static bool op_substr_cp (MT_OP_ARGS)
{
   static const char *const what[] = {"starting index", "length"};
   MtStr s;
   int32_t n[2];
   if (!mt_op_text (ev, args[0], &s))
      return false;
   for (int i = 0; i < 2; i++) {
      if (!mt_is_number (args[i + 1]))
         return MT_OP_FAIL (MT_E_PARAMETER, 34450 + 2 * i,
                            "$substrCP: %s must be a numeric type (is BSON type %s)", what[i],
                            mt_v_type_name (args[i + 1]));
      if (!mt_op_whole32 (args[i + 1], &n[i]))
         return MT_OP_FAIL (MT_E_PARAMETER, 34451 + 2 * i,
                            "$substrCP: %s cannot be represented as a 32-bit integral value: %s",
                            what[i], mt_op_shown (ev, args[i + 1]));
      if (n[i] < 0)
         return MT_OP_FAIL (MT_E_PARAMETER, 34455 - i,
                            "$substrCP: %s must be a non-negative integer: %d", what[i],
                            (int) n[i]);
   }
   size_t from = byte_of (s, (uint64_t) n[0]);
   MtStr rest = {s.p + from, s.n - from};
   return mt_op_put (out, mt_v_str (rest.p, byte_of (rest, (uint64_t) n[1])));
}

/* ---- $indexOf… ---- */

static bool index_range (MtEval *ev, const char *name, const MtVal *args, int argc,
                         int32_t range[2])
{
   static const char *const what[] = {"starting", "ending"};
   for (int i = 2; i < argc; i++) {
      if (!mt_op_whole32 (args[i], &range[i - 2]))
         return MT_OP_FAIL (
            MT_E_PARAMETER, 40096,
            "%s requires an integral %s index, found a value of type: %s, with value: %s", name,
            what[i - 2], mt_v_type_name (args[i]), mt_op_shown (ev, args[i]));
      if (range[i - 2] < 0)
         return MT_OP_FAIL (MT_E_PARAMETER, 40097, "%s requires a nonnegative %s index, found: %d",
                            name, what[i - 2], (int) range[i - 2]);
   }
   return true;
}

static bool index_of (MtEval *ev, const char *name, const MtVal *args, int argc, bool points,
                      MtVal *out)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, mt_code_type (name, 0),
                         "%s requires a string as the first argument, found: %s", name,
                         mt_v_type_name (args[0]));
   if (args[1].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, mt_code_type (name, 1),
                         "%s requires a string as the second argument, found: %s", name,
                         mt_v_type_name (args[1]));
   MtStr s = STR (args[0]), sub = STR (args[1]);
   int32_t range[2] = {0, INT32_MAX};
   if (!index_range (ev, name, args, argc, range))
      return false;
   size_t length = points ? mt_utf8_length (s.p, s.n) : s.n, start = (size_t) range[0];
   size_t end = (size_t) range[1] < length ? (size_t) range[1] : length;
   if (start > length || end < start)
      return mt_op_put (out, mt_v_int32 (-1));
   size_t from = points ? byte_of (s, start) : start, to = points ? byte_of (s, end) : end;
   const char *at = sub.n == 0 ? s.p + from : memmem (s.p + from, to - from, sub.p, sub.n);
   if (!at)
      return mt_op_put (out, mt_v_int32 (-1));
   size_t found = (size_t) (at - s.p);
   return mt_op_put (out, mt_v_int32 ((int32_t) (points ? mt_utf8_length (s.p, found) : found)));
}

static bool op_index_bytes (MT_OP_ARGS)
{
   return index_of (ev, "$indexOfBytes", args, argc, false, out);
}
static bool op_index_cp (MT_OP_ARGS) { return index_of (ev, "$indexOfCP", args, argc, true, out); }

/* ---- $split, $trim, $replace… ---- */

static bool op_split (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]))
      return mt_op_null (out);
   for (int i = 0; i < 2; i++)
      if (args[i].type != MT_STRING)
         return MT_OP_FAIL (
            MT_E_PARAMETER, 40085 + i,
            "$split requires an expression that evaluates to a string as a %s argument, found: %s",
            i ? "second" : "first", mt_v_type_name (args[i]));
   MtStr s = STR (args[0]), by = STR (args[1]);
   if (by.n == 0)
      return MT_OP_FAIL (MT_E_PARAMETER, 40087, "$split requires a non-empty separator");
   size_t n = 1;
   for (const char *p = s.p; (p = memmem (p, (size_t) (s.p + s.n - p), by.p, by.n)); p += by.n)
      n++;
   MtVal *parts = MT_TRY_NEW_N (ev->arena, MtVal, n);
   if (!parts)
      return mt_memory_check (ev->err);
   const char *p = s.p;
   for (size_t i = 0; i < n; i++) {
      size_t left = (size_t) (s.p + s.n - p);
      const char *end = i + 1 < n ? memmem (p, left, by.p, by.n) : p + left;
      parts[i] = mt_v_str (p, (size_t) (end - p));
      p = end + by.n;
   }
   return mt_v_make_array (ev->arena, parts, n, out, ev->err);
}

/* The characters that $trim removes by default: NUL, ASCII white space, and Unicode white space. */
static const char blanks[] =
   "\0 \t\n\v\f\r\xC2\xA0\xE1\x9A\x80\xE2\x80\x80\xE2\x80\x81\xE2\x80\x82\xE2\x80\x83\xE2\x80\x84"
   "\xE2\x80\x85\xE2\x80\x86\xE2\x80\x87\xE2\x80\x88\xE2\x80\x89\xE2\x80\x8A";

/* Returns whether the code point whose n bytes are at p is in `set`. */
static bool in_set (MtStr set, const char *p, size_t n)
{
   for (size_t i = 0; i < set.n;) {
      size_t k = byte_of ((MtStr) {set.p + i, set.n - i}, 1);
      if (k == n && memcmp (set.p + i, p, n) == 0)
         return true;
      i += k;
   }
   return false;
}

enum { TRIM_LEFT = 1, TRIM_RIGHT = 2 };

/* Computes $trim, $ltrim and $rtrim. args: input, chars? */
static bool op_trim (MT_OP_ARGS)
{
   static const char *const names[] = {"", "$ltrim", "$rtrim", "$trim"};
   int sides = (int) (uintptr_t) ev->user;
   if (mt_is_nullish (args[0]) || args[1].type == MT_NULL)
      return mt_op_null (out);
   for (int i = 0; i < 2; i++)
      if (args[i].type != MT_STRING && args[i].type != MT_MISSING)
         return MT_OP_FAIL (MT_E_PARAMETER, 50699 + i,
                            "%s requires %s to be a string, got %s (of type %s) instead.",
                            names[sides], i ? "'chars'" : "its input", mt_op_shown (ev, args[i]),
                            mt_v_type_name (args[i]));
   MtStr s = STR (args[0]),
         set = args[1].type == MT_STRING ? STR (args[1]) : (MtStr) {blanks, sizeof blanks - 1};
   while (s.n > 0 && (sides & TRIM_LEFT)) {
      size_t k = byte_of (s, 1);
      if (!in_set (set, s.p, k))
         break;
      s.p += k;
      s.n -= k;
   }
   while (s.n > 0 && (sides & TRIM_RIGHT)) {
      size_t k = 1;
      while (k < s.n && continues (s.p[s.n - k]))
         k++;
      if (!in_set (set, s.p + s.n - k, k))
         break;
      s.n -= k;
   }
   return mt_op_put (out, value_of (s));
}

/* Computes $replaceOne and $replaceAll. args: input, find, replacement. */
static bool op_replace (MT_OP_ARGS)
{
   static const char *const what[] = {"input", "find", "replacement"};
   bool all = ev->user != NULL, is_null = false;
   for (int i = 0; i < 3; i++) {
      if (mt_is_nullish (args[i]))
         is_null = true;
      else if (args[i].type != MT_STRING)
         return MT_OP_FAIL (MT_E_PARAMETER, 51746 - i,
                            "%s requires that '%s' be a string, found: %s",
                            all ? "$replaceAll" : "$replaceOne", what[i],
                            mt_op_shown (ev, args[i]));
   }
   if (is_null)
      return mt_op_null (out);
   MtStr s = STR (args[0]), find = STR (args[1]), by = STR (args[2]);
   MtBuf b = {0};
   size_t i = 0;
   for (bool more = true; more;) {
      const char *at = find.n ? memmem (s.p + i, s.n - i, find.p, find.n) : s.p + i;
      if (!at)
         break;
      size_t where = (size_t) (at - s.p);
      mt_buf_add (&b, s.p + i, where - i);
      mt_buf_add (&b, by.p, by.n);
      i = where + find.n;
      more = all && i < s.n;
      /* With $replaceAll, an empty `find` text is found before each character, and at the end. */
      if (all && find.n == 0 && i < s.n) {
         size_t k = byte_of ((MtStr) {s.p + i, s.n - i}, 1);
         mt_buf_add (&b, s.p + i, k);
         i += k;
         more = true;
      }
      if (all && find.n == 0 && i == s.n && where == s.n)
         more = false;
   }
   if (s.n > i)
      mt_buf_add (&b, s.p + i, s.n - i);
   *out = mt_v_copy (ev->arena, mt_v_str (b.p ? b.p : "", b.n));
   mt_buf_free (&b);
   return true;
}

static bool op_strcasecmp (MT_OP_ARGS)
{
   MtVal a, b;
   if (!change_case (ev, args[0], 'a', -32, &a) || !change_case (ev, args[1], 'a', -32, &b))
      return false;
   int c = mt_v_compare (a, b);
   return mt_op_put (out, mt_v_int32 ((c > 0) - (c < 0)));
}

#define NAMED_WITH(name, count, params, fn, user, summary, example) \
   {name, count, count, params, MT_OP_FOLD, fn, summary, example, (void *) (uintptr_t) user}

const MtOpRow mt_ops_string[] = {
   MT_OP_ROW ("$concat", 0, -1, op_concat, "strings one after the other",
              "{\"$concat\": [\"a\", \"b\"]} => \"ab\""),
   MT_OP_ROW ("$toLower", 1, 1, op_lower, "ASCII letters in lower case",
              "{\"$toLower\": \"Ab\"} => \"ab\""),
   MT_OP_ROW ("$toUpper", 1, 1, op_upper, "ASCII letters in upper case",
              "{\"$toUpper\": \"Ab\"} => \"AB\""),
   MT_OP_ROW ("$strLenCP", 1, 1, op_length_cp, "length in code points",
              "{\"$strLenCP\": \"h\u00e9\"} => 2"),
   MT_OP_ROW ("$strLenBytes", 1, 1, op_length_bytes, "length in bytes",
              "{\"$strLenBytes\": \"h\u00e9\"} => 3"),
   MT_OP_ROW ("$substrCP", 3, 3, op_substr_cp, "a part, by code points: start, length",
              "{\"$substrCP\": [\"hello\", 1, 3]} => \"ell\""),
   MT_OP_ROW ("$substrBytes", 3, 3, op_substr_bytes, "a part, by bytes: start, length",
              "{\"$substrBytes\": [\"hello\", 1, -1]} => \"ello\""),
   MT_OP_ROW ("$substr", 3, 3, op_substr_bytes, "the same as $substrBytes",
              "{\"$substr\": [\"hello\", 0, 2]} => \"he\""),
   MT_OP_ROW ("$indexOfCP", 2, 4, op_index_cp, "where a string occurs, in code points, or -1",
              "{\"$indexOfCP\": [\"h\u00e9llo\", \"l\"]} => 2"),
   MT_OP_ROW ("$indexOfBytes", 2, 4, op_index_bytes, "where a string occurs, in bytes, or -1",
              "{\"$indexOfBytes\": [\"h\u00e9llo\", \"l\"]} => 3"),
   MT_OP_ROW ("$split", 2, 2, op_split, "the parts between separators",
              "{\"$split\": [\"a-b-c\", \"-\"]} => [\"a\", \"b\", \"c\"]"),
   NAMED_WITH ("$trim", 2, "input,chars?", op_trim, 3,
               "without blanks, or given characters, at both ends",
               "{\"$trim\": {\"input\": \" a \"}} => \"a\""),
   NAMED_WITH ("$ltrim", 2, "input,chars?", op_trim, TRIM_LEFT, "without them at the beginning",
               "{\"$ltrim\": {\"input\": \"xxa\", \"chars\": \"x\"}} => \"a\""),
   NAMED_WITH ("$rtrim", 2, "input,chars?", op_trim, TRIM_RIGHT, "without them at the end",
               "{\"$rtrim\": {\"input\": \"a \"}} => \"a\""),
   NAMED_WITH (
      "$replaceOne", 3, "input,find,replacement", op_replace, 0, "the first occurrence replaced",
      "{\"$replaceOne\": {\"input\": \"aba\", \"find\": \"a\", \"replacement\": \"x\"}} => "
      "\"xba\""),
   NAMED_WITH (
      "$replaceAll", 3, "input,find,replacement", op_replace, 1, "all occurrences replaced",
      "{\"$replaceAll\": {\"input\": \"aba\", \"find\": \"a\", \"replacement\": \"x\"}} => "
      "\"xbx\""),
   MT_OP_ROW ("$strcasecmp", 2, 2, op_strcasecmp, "compared without regard to ASCII case",
              "{\"$strcasecmp\": [\"ABC\", \"abc\"]} => 0"),
   MT_ROW_NAMED (
      "$regexMatch", 3, "input,regex,options?", mt_op_regex_match,
      "does a regular expression occur",
      "{\"$regexMatch\": {\"input\": \"Hello\", \"regex\": \"^h\", \"options\": \"i\"}} => true"),
   MT_ROW_NAMED (
      "$regexFind", 3, "input,regex,options?", mt_op_regex_find,
      "the first match of a regular expression",
      "{\"$regexFind\": {\"input\": \"abc\", \"regex\": \"b(.)\"}} => {\"match\": \"bc\", \"idx\": "
      "1, \"captures\": [\"c\"]}"),
   MT_ROW_NAMED (
      "$regexFindAll", 3, "input,regex,options?", mt_op_regex_find_all,
      "all matches of a regular expression",
      "{\"$regexFindAll\": {\"input\": \"aa\", \"regex\": \"a\"}} => [{\"match\": \"a\", \"idx\": "
      "0, \"captures\": []}, {\"match\": \"a\", \"idx\": 1, \"captures\": []}]"),
   MT_OP_END,
};
