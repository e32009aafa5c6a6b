/* Converts arrays to text and text to arrays: array_to_string, string_to_array. */
#include "functions/array.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <string.h>

/* Joins the elements of an array. Arguments: array, delimiter, text for NULL elements (NULL: they
 * are left out), element type, time zone. */
static bool to_string (MtEval *ev, const MtVal a[5], MtVal *out)
{
   MtTextStyle style = {.extra_float_digits = 1};
   MtTypeId t;
   MtBuf buf = {0};
   MtVal v, delimiter = a[1], null = a[2];
   bool first = true, ok = true;
   if (!mt_element_type (ev, a[3], &t) || !mt_zone_arg (ev, a[4], &style.zone))
      return false;
   for (MtArrayIter it = mt_array_iter (a[0], t); ok && mt_array_next (&it, &v);) {
      bool is_null = mt_is_nullish (v);
      if (is_null && mt_is_nullish (null))
         continue;
      if (!first)
         mt_buf_add (&buf, delimiter.p, delimiter.len);
      first = false;
      if (is_null)
         mt_buf_add (&buf, null.p, null.len);
      else
         ok = mt_value_print (mt_type (t), v, &style, &buf, ev->err);
   }
   *out = mt_text_result (ev, &buf);
   return ok;
}

static bool fn_array_to_string (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtVal all[5] = {a[0], a[1], mt_v_null (), a[2], a[3]};
   return to_string (ev, all, out);
}

/* Computes array_to_string with a text for NULL elements. That text may be NULL. If the array or
 * the delimiter is NULL, the result is NULL. */
static bool fn_array_to_string_null (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_null ();
   return mt_is_nullish (a[0]) || mt_is_nullish (a[1]) || to_string (ev, a, out);
}

typedef struct Parts {
   MtEval *ev;
   MtVals vals;
   MtVal null; /* the text that becomes NULL */
} Parts;

static void add (Parts *p, const uint8_t *from, size_t len)
{
   bool null = !mt_is_nullish (p->null) && p->null.len == len && memcmp (p->null.p, from, len) == 0;
   mt_vals_add (&p->vals, p->ev->arena, null ? mt_v_null () : mt_v_str ((const char *) from, len));
}

static void split_characters (Parts *p, const uint8_t *s, const uint8_t *end)
{
   while (s < end) {
      const uint8_t *next = s + 1;
      while (next < end && (*next & 0xC0) == 0x80)
         next++;
      add (p, s, (size_t) (next - s));
      s = next;
   }
}

/* Computes string_to_array. Arguments: text, delimiter [, text that becomes a NULL element]. If the
 * delimiter is NULL, each character becomes an element. */
static bool fn_string_to_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Parts p = {.ev = ev, .null = n > 2 ? a[2] : mt_v_null ()};
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   const uint8_t *s = a[0].p, *end = s + a[0].len, *hit;
   if (mt_is_nullish (a[1]))
      split_characters (&p, s, end);
   else if (a[0].len) {
      while (a[1].len && (hit = memmem (s, (size_t) (end - s), a[1].p, a[1].len))) {
         add (&p, s, (size_t) (hit - s));
         s = hit + a[1].len;
      }
      add (&p, s, (size_t) (end - s));
   }
   return mt_v_make_array (ev->arena, p.vals.v, p.vals.n, out, ev->err);
}

#define NS MT_F_NOT_STRICT

const MtFunc mt_fn_array_text[] = {
   MT_ROW ("array_to_string", "anyarray, delimiter text, _type text, _zone text -> text", MT_NN,
           NULL, MT_OPN ("array_to_string", array_to_string, 0),
           "elements as text, joined by a delimiter, without NULLs",
           "SELECT array_to_string(ARRAY[1, 2, NULL, 5], ',') => 1,2,5"),
   MT_ROW ("array_to_string",
           "anyarray, delimiter text, null_string text, _type text, _zone text -> text", NS, NULL,
           MT_OPN ("array_to_string_null", array_to_string_null, 0),
           "elements as text, joined by a delimiter, with a text for NULLs",
           "SELECT array_to_string(ARRAY[1, 2, NULL, 5], ',', '*') => 1,2,*,5"),
   MT_ROW ("string_to_array", "text, delimiter text -> text[]", NS | MT_F_FLAT, NULL,
           MT_OPN ("string_to_array", string_to_array, 0),
           "parts of a text between delimiters; each character if the delimiter is NULL",
           "SELECT string_to_array('xx~~yy~~zz', '~~') => {xx,yy,zz}"),
   MT_ROW ("string_to_array", "text, delimiter text, null_string text -> text[]", NS | MT_F_FLAT,
           NULL, MT_OPN ("string_to_array", string_to_array, 0),
           "parts of a text between delimiters; one text becomes NULL",
           "SELECT string_to_array('xx~~yy~~zz', '~~', 'yy') => {xx,NULL,zz}"),
   MT_ROW_SET ("string_to_table", "text, delimiter text -> text", NS, NULL, NULL,
               MT_OPN ("string_to_array", string_to_array, 0),
               "parts of a text between delimiters, as rows",
               "SELECT string_to_table('xx~^~yy~^~zz', '~^~') => xx"),
   MT_ROW_SET ("string_to_table", "text, delimiter text, null_string text -> text", NS, NULL, NULL,
               MT_OPN ("string_to_array", string_to_array, 0),
               "parts of a text between delimiters, as rows; one text becomes NULL",
               "SELECT string_to_table('a,b', ',', 'x') => a"),
   {.name = NULL},
};
