/* Functions of text: lengths, case, substrings, padding. A character is a code point. Upper and
 * lower case exist only for ASCII letters, as in the "C" locale. */
#include "base/cancel.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <ctype.h>
#include <string.h>

#define HITS_PER_POLL 4096

static size_t step (const uint8_t *p, size_t n)
{
   size_t i = 1;
   while (i < n && (p[i] & 0xC0) == 0x80)
      i++;
   return i;
}

/* Returns the byte offset behind the first `chars` characters of v, or v.len if v is shorter. */
static size_t offset_of (MtVal v, int64_t chars)
{
   size_t i = 0;
   for (; chars > 0 && i < v.len; chars--)
      i += step (v.p + i, v.len - i);
   return i;
}

static MtVal slice (MtVal v, size_t from, size_t to)
{
   return mt_v_str ((const char *) v.p + from, to - from);
}

static int64_t char_count (MtVal v) { return (int64_t) mt_utf8_length ((const char *) v.p, v.len); }

static bool fn_byte_count (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_int32 ((int32_t) a[0].len);
   return true;
}

static bool fn_initcap (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   char *p = mt_try_strndup (ev->arena, (const char *) a[0].p, a[0].len);
   if (!p)
      return mt_memory_check (ev->err);
   bool inside = false;
   for (uint32_t i = 0; i < a[0].len; i++) {
      unsigned char c = (unsigned char) p[i];
      if (c < 0x80)
         p[i] = (char) (inside ? tolower (c) : toupper (c));
      inside = c < 0x80 && isalnum (c);
   }
   *out = mt_v_str (p, a[0].len);
   return true;
}

static bool fn_substring (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t from = a[1].i, to = INT64_MAX;
   if (n > 2) {
      if (a[2].i < 0)
         return mt_error (ev->err, MT_E_SUBSTRING, "negative substring length not allowed");
      to = from + a[2].i;
   }
   if (from < 1)
      from = 1;
   if (to <= from) {
      *out = mt_v_cstr ("");
      return true;
   }
   size_t s = offset_of (a[0], from - 1);
   MtVal rest = slice (a[0], s, a[0].len);
   *out = slice (rest, 0, to == INT64_MAX ? rest.len : offset_of (rest, to - from));
   return true;
}

/* Computes lpad, or rpad if MT_USER (ev) is 1. */
static bool fn_pad (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal fill = n > 2 ? a[2] : mt_v_cstr (" ");
   int64_t want = a[1].i < 0 ? 0 : a[1].i, len = char_count (a[0]), fill_len = char_count (fill);
   if (len >= want || fill_len == 0) {
      *out = slice (a[0], 0, offset_of (a[0], want));
      return true;
   }
   MtBuf b = {0};
   if (MT_USER (ev))
      mt_buf_add (&b, a[0].p, a[0].len);
   int64_t need = want - len;
   if (fill.len == 1) {
      mt_buf_fill (&b, (char) fill.p[0], (size_t) need);
      need = 0;
   }
   while (need >= fill_len && mt_buf_add (&b, fill.p, fill.len))
      need -= fill_len;
   mt_buf_add (&b, fill.p, offset_of (fill, need));
   if (!MT_USER (ev))
      mt_buf_add (&b, a[0].p, a[0].len);
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_repeat (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t count = a[1].i < 0 ? 0 : a[1].i;
   size_t size = (size_t) count * a[0].len;
   char *p = mt_value_fits (size) ? mt_try_alloc (ev->arena, size + 1) : NULL;
   if (!p)
      return mt_memory_check (ev->err);
   if (size)
      memcpy (p, a[0].p, a[0].len);
   for (size_t done = a[0].len; done < size;) { /* doubles the text so far */
      size_t more = done < size - done ? done : size - done;
      memcpy (p + done, p, more);
      done += more;
   }
   *out = mt_v_str (p, size);
   return true;
}

static bool fn_reverse (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   char *p = mt_try_alloc (ev->arena, a[0].len + 1);
   if (!p)
      return mt_memory_check (ev->err);
   size_t end = a[0].len;
   for (size_t i = 0; i < a[0].len;) {
      size_t m = step (a[0].p + i, a[0].len - i);
      end -= m;
      memcpy (p + end, a[0].p + i, m);
      i += m;
   }
   *out = mt_v_str (p, a[0].len);
   return true;
}

static const uint8_t *find (MtVal v, size_t from, MtVal what)
{
   if (what.len == 0)
      return v.p + from;
   return memmem (v.p + from, v.len - from, what.p, what.len);
}

static bool fn_replace (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   size_t at = 0;
   const uint8_t *hit;
   for (unsigned i = 1; a[1].len && (hit = find (a[0], at, a[1])); i++) {
      if (i % HITS_PER_POLL == 0 && !mt_cancel_check (ev->cancel, ev->err)) {
         mt_buf_free (&b);
         return false;
      }
      mt_buf_add (&b, a[0].p + at, (size_t) (hit - a[0].p) - at);
      if (!mt_buf_add (&b, a[2].p, a[2].len))
         break;
      at = (size_t) (hit - a[0].p) + a[1].len;
   }
   mt_buf_add (&b, a[0].p + at, a[0].len - at);
   *out = mt_text_result (ev, &b);
   return true;
}

static int64_t count_fields (MtVal v, MtVal sep)
{
   int64_t n = 1;
   const uint8_t *hit;
   for (size_t at = 0; sep.len && (hit = find (v, at, sep)); n++)
      at = (size_t) (hit - v.p) + sep.len;
   return n;
}

static bool fn_split_part (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t want = a[2].i;
   size_t at = 0;
   if (want == 0)
      return mt_error (ev->err, MT_E_PARAMETER, "field position must not be zero");
   if (want < 0)
      want += count_fields (a[0], a[1]) + 1;
   *out = mt_v_cstr ("");
   for (int64_t i = 1; want > 0; i++) {
      const uint8_t *hit = a[1].len ? find (a[0], at, a[1]) : NULL;
      size_t end = hit ? (size_t) (hit - a[0].p) : a[0].len;
      if (i == want) {
         *out = slice (a[0], at, end);
         return true;
      }
      if (!hit)
         return true;
      at = end + a[1].len;
   }
   return true;
}

static bool fn_translate (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   for (size_t i = 0; i < a[0].len;) {
      size_t m = step (a[0].p + i, a[0].len - i), f = 0;
      int64_t pos = 0;
      bool found = false;
      for (; f < a[1].len && !found; pos++) {
         size_t k = step (a[1].p + f, a[1].len - f);
         found = k == m && memcmp (a[1].p + f, a[0].p + i, m) == 0;
         f += k;
      }
      if (!found)
         mt_buf_add (&b, a[0].p + i, m);
      else {
         size_t t = offset_of (a[2], pos - 1);
         if (t < a[2].len)
            mt_buf_add (&b, a[2].p + t, step (a[2].p + t, a[2].len - t));
      }
      i += m;
   }
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_overlay (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t from = a[2].i, len = n > 3 ? a[3].i : char_count (a[1]);
   MtBuf b = {0};
   if (from <= 0 || len < 0)
      return mt_error (ev->err, MT_E_SUBSTRING, "negative substring length not allowed");
   size_t s = offset_of (a[0], from - 1), e = offset_of (a[0], from - 1 + len);
   mt_buf_add (&b, a[0].p, s);
   mt_buf_add (&b, a[1].p, a[1].len);
   mt_buf_add (&b, a[0].p + e, a[0].len - e);
   *out = mt_text_result (ev, &b);
   return true;
}

#define T1 "text -> text"
#define NS (MT_NN | MT_F_NULL_SAFE)
#define LEN "{\"$strLenCP\": \"$1\"}"
/* Templates of text functions. For upper and lower: $toUpper and $toLower return "" for null, so
 * they are used in a condition. */
#define LEFT \
   "{\"$substrCP\": [\"$1\", 0, {\"$cond\": [{\"$gte\": [\"$2\", 0]}, \"$2\", {\"$max\": [0, " \
   "{\"$add\": [{\"$strLenCP\": \"$1\"}, \"$2\"]}]}]}]}"
#define RIGHT \
   "{\"$substrCP\": [\"$1\", {\"$max\": [0, {\"$cond\": [{\"$gte\": [\"$2\", 0]}, " \
   "{\"$subtract\": [{\"$strLenCP\": \"$1\"}, \"$2\"]}," \
   " {\"$min\": [{\"$multiply\": [\"$2\", -1]}, {\"$strLenCP\": \"$1\"}]}]}]}, {\"$cond\": " \
   "[{\"$gte\": [\"$2\", 0]}, \"$2\", {\"$strLenCP\": \"$1\"}]}]}"
#define REST \
   "{\"$substrCP\": [\"$1\", {\"$max\": [0, {\"$subtract\": [\"$2\", 1]}]}, {\"$strLenCP\": " \
   "\"$1\"}]}"
#define TRIM(op) "{\"" op "\": {\"input\": \"$1\", \"chars\": \"$2\"}}"
#define STARTS "{\"$eq\": [{\"$indexOfBytes\": [\"$1\", \"$2\"]}, 0]}"
#define UPPER "{\"$toUpper\": \"$1\"}"
#define LOWER "{\"$toLower\": \"$1\"}"

const MtFunc mt_fn_text[] = {
   MT_ROW ("length", "text -> int4", MT_NN, LEN, NULL, "number of characters",
           "SELECT length('jose') => 4"),
   MT_ROW ("octet_length", "text -> int4", MT_NN, "{\"$strLenBytes\": \"$1\"}", NULL,
           "number of bytes in UTF-8", "SELECT octet_length('josé') => 5"),
   MT_ROW ("length", "bytea -> int4", MT_NN, NULL, MT_OPN ("byte_count", byte_count, 0),
           "number of bytes", "SELECT length('ab'::bytea) => 2"),
   MT_ROW ("upper", T1, MT_NN, UPPER, NULL, "ASCII letters in upper case",
           "SELECT upper('tom') => TOM"),
   MT_ROW ("lower", T1, MT_NN, LOWER, NULL, "ASCII letters in lower case",
           "SELECT lower('TOM') => tom"),
   MT_ROW ("initcap", T1, MT_NN, NULL, MT_OPN ("initcap", initcap, 0),
           "text with the first letter of each word in upper case",
           "SELECT initcap('hi THOMAS') => Hi Thomas"),
   MT_ROW ("btrim", "text, characters text -> text", MT_NN, TRIM ("$trim"), NULL,
           "text without the given characters at both ends",
           "SELECT btrim('xyxtrimyyx', 'xyz') => trim"),
   MT_ROW ("ltrim", "text, characters text -> text", MT_NN, TRIM ("$ltrim"), NULL,
           "text without the given characters at the start",
           "SELECT ltrim('zzzytest', 'xyz') => test"),
   MT_ROW ("rtrim", "text, characters text -> text", MT_NN, TRIM ("$rtrim"), NULL,
           "text without the given characters at the end",
           "SELECT rtrim('testxxzx', 'xyz') => test"),
   MT_ROW ("substring", "text, from int4 -> text", MT_NN, REST, NULL, "text from a position on",
           "SELECT substring('Thomas', 3) => omas"),
   MT_ROW ("substring", "text, from int4, count int4 -> text", MT_NN, NULL,
           MT_OPN ("substring", substring, 0), "n characters from a position on",
           "SELECT substring('Thomas' FROM 2 FOR 3) => hom"),
   MT_ROW ("left", "text, count int4 -> text", MT_NN, LEFT, NULL,
           "first n characters; n < 0: all but the last -n", "SELECT left('abcde', 2) => ab"),
   MT_ROW ("right", "text, count int4 -> text", MT_NN, RIGHT, NULL,
           "last n characters; n < 0: all but the first -n", "SELECT right('abcde', 2) => de"),
   MT_ROW ("lpad", "text, length int4, fill text -> text", MT_NN, NULL, MT_OPN ("lpad", pad, 0),
           "text padded on the left to a length", "SELECT lpad('hi', 5, 'xy') => xyxhi"),
   MT_ROW ("rpad", "text, length int4, fill text -> text", MT_NN, NULL, MT_OPN ("rpad", pad, 1),
           "text padded on the right to a length", "SELECT rpad('hi', 5, 'xy') => hixyx"),
   MT_ROW ("replace", "text, from text, to text -> text", MT_NN, NULL,
           MT_OPN ("replace", replace, 0), "text with all occurrences replaced",
           "SELECT replace('abcdefabcdef', 'cd', 'XX') => abXXefabXXef"),
   MT_ROW ("strpos", "text, what text -> int4", MT_NN,
           "{\"$add\": [{\"$indexOfCP\": [\"$1\", \"$2\"]}, 1]}", NULL, "position of a text, or 0",
           "SELECT strpos('high', 'ig') => 2"),
   MT_ROW ("repeat", "text, count int4 -> text", MT_NN, NULL, MT_OPN ("repeat", repeat, 0),
           "text repeated n times", "SELECT repeat('Pg', 4) => PgPgPgPg"),
   MT_ROW ("reverse", T1, MT_NN, NULL, MT_OPN ("reverse", reverse, 0),
           "characters in reverse order", "SELECT reverse('abcde') => edcba"),
   MT_ROW ("split_part", "text, separator text, n int4 -> text", MT_NN, NULL,
           MT_OPN ("split_part", split_part, 0), "field number n; n < 0: counted from the end",
           "SELECT split_part('abc~@~def~@~ghi', '~@~', 2) => def"),
   MT_ROW ("starts_with", "text, prefix text -> bool", MT_NN, STARTS, NULL,
           "whether the text begins with a prefix", "SELECT starts_with('alphabet', 'alph') => t"),
   MT_ROW ("translate", "text, from text, to text -> text", MT_NN, NULL,
           MT_OPN ("translate", translate, 0), "text with characters replaced one by one",
           "SELECT translate('12345', '143', 'ax') => a2x5"),
   MT_ROW ("overlay", "text, with text, from int4 -> text", MT_NN, NULL,
           MT_OPN ("overlay", overlay, 0), "text with a part replaced",
           "SELECT overlay('Txxxxas' PLACING 'hom' FROM 2) => Thomxas"),
   MT_ROW ("overlay", "text, with text, from int4, count int4 -> text", MT_NN, NULL,
           MT_OPN ("overlay", overlay, 0), "text with a part replaced",
           "SELECT overlay('Txxxxas' PLACING 'hom' FROM 2 FOR 4) => Thomas"),
   {.name = NULL},
};
