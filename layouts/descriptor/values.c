/* Reads single values of a descriptor, and maintains their path for errors. */
#include "engine/engine.h"
#include "layouts/descriptor/descriptor_int.h"
#include "layouts/stored.h"

#include <stdio.h>
#include <string.h>

/* ---- places and errors ---- */

size_t mt_d_enter (MtParse *p, const char *field)
{
   size_t mark = p->path_len, dot = mark > 0, n = strlen (field);
   /* The path is too long for the buffer: errors then have the path of the enclosing document. */
   if (mark + dot + n >= sizeof p->path)
      return mark;
   p->path[mark] = '.';
   memcpy (p->path + mark + dot, field, n + 1);
   p->path_len += dot + n;
   return mark;
}

size_t mt_d_enter_index (MtParse *p, const char *field, size_t i)
{
   char buf[80];
   snprintf (buf, sizeof buf, "%s[%zu]", field, i);
   return mt_d_enter (p, buf);
}

void mt_d_leave (MtParse *p, size_t mark)
{
   p->path_len = mark;
   p->path[mark] = 0;
}

/* Sets the position of an error to the name (not the value) of field `field` of the current
 * document, and returns false. */
static bool blame_name (MtParse *p, MtStr field)
{
   MtBlame *b = p->blame;
   size_t n = strlen (b->path);
   snprintf (b->path + n, sizeof b->path - n, "%s%.*s", n ? "." : "",
             (int) (field.n < 200 ? field.n : 200), field.p);
   b->name = true;
   return false;
}

static size_t count_names (const char *const *names)
{
   size_t n = 0;
   while (names[n])
      n++;
   return n;
}

static bool bad_name (MtParse *p, const char *what, MtStr got, const char *const *names)
{
   char buf[256];
   snprintf (buf, sizeof buf, "%.*s", (int) (got.n < 200 ? got.n : 200), got.p);
   MT_BAD (p, "unknown %s \"%s\"", what, buf);
   return mt_error_near (p->blame->err, buf, names, count_names (names));
}

/* ---- values ---- */

bool mt_d_expect (MtParse *p, MtVal v, const char *const *names)
{
   if (v.type != MT_DOC)
      return MT_BAD (p, "must be a document");
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   uint64_t seen = 0;
   while (mt_doc_next (&it, &key, &x)) {
      size_t i = 0;
      while (names[i] && !mt_str_is (key, names[i]))
         i++;
      if (!names[i]) {
         bad_name (p, "field", key, names);
         return blame_name (p, key);
      }
      if (seen & (UINT64_C (1) << i))
         return MT_BAD (p, "field \"%s\" is given twice", names[i]) || blame_name (p, key);
      seen |= UINT64_C (1) << i;
   }
   return true;
}

bool mt_d_text (MtParse *p, MtVal v, const char **out)
{
   if (v.type != MT_STRING)
      return MT_BAD (p, "must be text");
   if (memchr (v.p, 0, v.len))
      return MT_BAD (p, "has a NUL byte");
   *out = mt_strndup (p->a, (const char *) v.p, v.len);
   return true;
}

bool mt_d_int (MtParse *p, MtVal v, int64_t min, int64_t max, int64_t *out)
{
   bool whole = v.type == MT_INT32 || v.type == MT_INT64 ||
                (v.type == MT_DOUBLE && v.d >= -1e15 && v.d <= 1e15 &&
                 (double) (int64_t) v.d == v.d);
   int64_t i = 0;
   if (whole)
      i = v.type == MT_DOUBLE ? (int64_t) v.d : v.i;
   if (!whole || i < min || i > max)
      return MT_BAD (p, "must be a whole number from %lld to %lld", (long long) min,
                     (long long) max);
   *out = i;
   return true;
}

bool mt_d_opt_bool (MtParse *p, MtVal doc, const char *name, bool *out)
{
   MtVal v = mt_doc_field (doc, name);
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, name);
   if (v.type != MT_BOOL)
      return MT_BAD (p, "must be true or false");
   *out = v.i;
   mt_d_leave (p, m);
   return true;
}

bool mt_d_opt_word (MtParse *p, MtVal doc, const char *name, const char *const *words, int *out)
{
   MtVal v = mt_doc_field (doc, name);
   const char *text;
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, name);
   if (!mt_d_text (p, v, &text))
      return false;
   int i = 0;
   while (words[i] && strcmp (words[i], text))
      i++;
   if (!words[i])
      return bad_name (p, "word", mt_str (text), words);
   *out = i;
   mt_d_leave (p, m);
   return true;
}

bool mt_d_path (MtParse *p, MtVal v, const char **out)
{
   if (!mt_d_text (p, v, out))
      return false;
   if (strlen (*out) > MT_MAX_PATH_BYTES)
      return MT_BAD (p, "path is longer than %d bytes", MT_MAX_PATH_BYTES);
   if (!mt_utf8_valid (*out, strlen (*out)))
      return MT_BAD (p, "path is not valid UTF-8");
   size_t n = strlen (*out), parts = 0;
   const char *rest = *out;
   MtStr c;
   while (mt_path_next (&rest, &c)) {
      if (!c.n)
         return MT_BAD (p, "path \"%s\" has an empty name", *out);
      if (c.p[0] == '$')
         return MT_BAD (p, "path \"%s\" has a name that begins with \"$\"", *out);
      if (++parts > MT_MAX_LEVELS)
         return MT_BAD (p, "path has more than %d names", MT_MAX_LEVELS);
   }
   if (n && (*out)[n - 1] == '.')
      return MT_BAD (p, "path \"%s\" has an empty name", *out);
   return true;
}

bool mt_d_opt_path (MtParse *p, MtVal doc, const char *name, const char **out)
{
   MtVal v = mt_doc_field (doc, name);
   if (v.type == MT_MISSING)
      return true;
   size_t m = mt_d_enter (p, name);
   if (!mt_d_path (p, v, out))
      return false;
   mt_d_leave (p, m);
   return true;
}

bool mt_d_column (MtParse *p, MtStr name, int *out)
{
   if (p->sketch)
      return mt_sketch_column (p, name, out);
   const char **names = MT_NEW_N (p->a, const char *, p->t->column_count + 1);
   for (size_t i = 0; i < p->t->column_count; i++) {
      names[i] = p->t->columns[i].name;
      if (mt_str_is (name, names[i])) {
         *out = (int) i;
         return true;
      }
   }
   int found = memchr (name.p, 0, name.n)
                  ? -1
                  : mt_table_column (p->t, mt_strndup (p->a, name.p, name.n), false);
   if (found >= 0) {
      *out = found;
      return true;
   }
   return bad_name (p, "column", name, names);
}

static const char *const number_words[] = {"int32", "int64", "double", "decimal", NULL};
static const uint8_t number_types[] = {MT_INT32, MT_INT64, MT_DOUBLE, MT_DECIMAL};

bool mt_d_opt_as (MtParse *p, MtVal doc, uint8_t *as)
{
   int i = -1;
   if (!mt_d_opt_word (p, doc, "as", number_words, &i))
      return false;
   if (i >= 0)
      *as = number_types[i];
   return true;
}

const char *mt_number_word (uint8_t as)
{
   switch (as) {
   case MT_INT32: return "int32";
   case MT_INT64: return "int64";
   case MT_DOUBLE: return "double";
   default: return "decimal";
   }
}

/* ---- encodings ---- */

static bool parse_format (MtParse *p, MtVal v, MtEncoding *e)
{
   size_t m = mt_d_enter (p, "format");
   if (!mt_d_text (p, v, &e->format))
      return false;
   if (mt_format_grain (e->format) == MT_UNIT_EPOCH)
      return MT_BAD (
         p,
         "format \"%s\" must have the year and go down without a gap, of %%Y %%m %%d %%H %%M %%S %%L",
         e->format);
   e->kind = MT_ENC_FORMAT;
   mt_d_leave (p, m);
   return true;
}

static bool parse_encoding_doc (MtParse *p, MtVal v, MtEncoding *e)
{
   static const char *const names[] = {"kind", "as", "pad", "format", NULL};
   int kind = -1;
   int64_t pad = 0;
   MtVal f;
   if (!mt_d_expect (p, v, names) || !mt_d_opt_word (p, v, "kind", mt_encoding_words, &kind) ||
       !mt_d_opt_as (p, v, &e->as))
      return false;
   if ((f = mt_doc_field (v, "format")).type != MT_MISSING) {
      if (kind >= 0 && kind != MT_ENC_FORMAT)
         return MT_BAD (p, "\"format\" goes with the kind \"format\" only");
      if (!parse_format (p, f, e))
         return false;
   } else if (kind < 0 || kind == MT_ENC_FORMAT)
      return MT_BAD (p, kind < 0 ? "\"kind\" is missing" : "\"format\" is missing");
   else
      e->kind = (MtEncodingKind) kind;
   if ((f = mt_doc_field (v, "pad")).type != MT_MISSING) {
      size_t m = mt_d_enter (p, "pad");
      if (!mt_d_int (p, f, 0, 32, &pad))
         return false;
      if (e->kind != MT_ENC_TEXT)
         return MT_BAD (p, "only the encoding \"text\" is padded");
      mt_d_leave (p, m);
   }
   e->pad = (int) pad;
   return true;
}

static bool parse_encoding (MtParse *p, MtVal v, MtEncoding *e)
{
   if (v.type == MT_STRING) {
      MtStr s = {(const char *) v.p, v.len};
      for (int i = 0; mt_encoding_words[i]; i++)
         if (mt_str_is (s, mt_encoding_words[i])) {
            if (i == MT_ENC_FORMAT)
               return MT_BAD (p, "a format is written {\"format\": \"%%Y%%m%%d\"}");
            e->kind = (MtEncodingKind) i;
            return true;
         }
      return bad_name (p, "encoding", s, mt_encoding_words);
   }
   return v.type == MT_DOC ? parse_encoding_doc (p, v, e)
                           : MT_BAD (p, "must be an encoding's name or a document");
}

/* Checks that encoding e can store `values`, and sets its defaults. */
static bool check_encoding (MtParse *p, MtEncoding *e, MtEncodedValues values)
{
   MtType t = values.type;
   /* `open`: the column's type is not known without a table, so it may be any type that the
    * encoding can store. */
   bool open = t.id == MT_T_UNKNOWN, timed = e->kind >= MT_ENC_DATE;
   bool time = open ? timed : mt_type_is_datetime (t.id);
   if (timed && (!time || values.part))
      return MT_BAD (p, "encoding \"%s\" is for times", mt_encoding_words[e->kind]);
   if (e->kind == MT_ENC_TEXT && (values.trunc || time))
      return MT_BAD (p, "a time as text needs a format");
   if (e->kind == MT_ENC_TEXT && !open && !mt_is_text_type (t.id) && !mt_type_is_integer (t.id) &&
       t.id != MT_T_BOOL && t.id != MT_T_UUID)
      return MT_BAD (p, "values of type %s can't be kept as text", mt_type_info (t.id)->display);
   if (e->pad && !open && !mt_type_is_integer (t.id))
      return MT_BAD (p, "only whole numbers are padded");
   bool epoch = e->kind == MT_ENC_EPOCH_S || e->kind == MT_ENC_EPOCH_MS;
   bool number = e->kind == MT_ENC_NATIVE && (open || mt_type_is_integer (t.id));
   if (e->as == MT_DECIMAL || (e->as && !epoch && !number))
      return MT_BAD (p, "\"as\" doesn't go with this encoding and type");
   if (e->kind == MT_ENC_EPOCH_MS && e->as == MT_INT32)
      return MT_BAD (p, "milliseconds since 1970 don't fit int32");
   if (!e->as && epoch)
      e->as = MT_INT64;
   if (values.trunc && e->kind == MT_ENC_NATIVE)
      e->kind = MT_ENC_DATE;
   return true;
}

bool mt_d_opt_encoding (MtParse *p, MtVal doc, MtEncodedValues values, MtEncoding *e)
{
   MtVal v = mt_doc_field (doc, "encoding");
   size_t m = mt_d_enter (p, "encoding");
   if (v.type != MT_MISSING && !parse_encoding (p, v, e))
      return false;
   unsigned fact = 0;
   if (e->kind >= MT_ENC_DATE)
      fact = MT_SK_TIME;
   else if (e->kind == MT_ENC_TEXT || e->as)
      fact = MT_SK_NO_TIME;
   if (!check_encoding (p, e, values) ||
       (values.type.id == MT_T_UNKNOWN && !mt_sketch_note (p, values.column, fact)))
      return false;
   mt_d_leave (p, m);
   return true;
}
