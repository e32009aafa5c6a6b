/* JSON lines: an object a line, fields by column name. Values that JSON has no type for are text,
 * or MongoDB's extended JSON. */
#include "copy/copy_int.h"

#include "types/jsonb.h"

#include <math.h>
#include <string.h>

const MtCopyOptionRow mt_jsonl_options[] = {
   {"epoch", "s|ms|us", "none", "times are numbers since 1970-01-01 UTC"},
   {"encoding", "name", "UTF8", "how the file is encoded: LATIN1, WIN1252, …"},
   {NULL, NULL, NULL, NULL},
};

enum { MAX_DEPTH = 100 };

typedef struct Json {
   const char **names; /* of the columns, for hints */
   int next;           /* fields mostly come in the same order */
   size_t record_len;
   const char *p, *end; /* what is left of the line */
   size_t line_at;      /* where the line begins in the buffer */
} Json;

bool mt_jsonl_open_in (MtCopyIn *in, MtError *err)
{
   Json *j = in->state = MT_NEW (in->a, Json);
   j->names = MT_NEW_N (in->a, const char *, in->column_count + 1);
   for (size_t i = 0; i < in->column_count; i++)
      j->names[i] = in->x.table->columns[in->columns[i]].name;
   return true;
}

static MtStr whole_line (MtCopyIn *in, Json *j)
{
   return (MtStr) {in->buf + in->start, (size_t) (j->end - (in->buf + in->start))};
}

static bool bad_json (MtCopyIn *in, Json *j, const char *what, MtError *err)
{
   mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type json");
   mt_error_detail (err, "%s, at byte %zu.", what, (size_t) (j->p - (in->buf + in->start)) + 1);
   return mt_copy_context (in, -1, whole_line (in, j), err);
}

static void space (Json *j)
{
   while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\r'))
      j->p++;
}

/* ---- strings ---- */

static bool hex4 (Json *j, unsigned *out)
{
   *out = 0;
   if (j->end - j->p < 4)
      return false;
   for (int i = 0; i < 4; i++, j->p++) {
      int d = mt_hex_digit (*j->p);
      if (d < 0)
         return false;
      *out = *out * 16 + (unsigned) d;
   }
   return true;
}

static bool unicode_escape (MtCopyIn *in, Json *j, MtError *err)
{
   unsigned c, low;
   if (!hex4 (j, &c))
      return bad_json (in, j, "\"\\u\" must be followed by four hexadecimal digits", err);
   if (c >= 0xD800 && c < 0xDC00) {
      if (j->end - j->p < 6 || j->p[0] != '\\' || j->p[1] != 'u' || (j->p += 2, !hex4 (j, &low)) ||
          low < 0xDC00 || low > 0xDFFF)
         return bad_json (in, j, "Unicode high surrogate must be followed by a low surrogate", err);
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
   } else if (c >= 0xDC00 && c < 0xE000)
      return bad_json (in, j, "Unicode low surrogate must follow a high surrogate", err);
   if (!c) {
      mt_error (err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\": 0x00");
      return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
   }
   char utf8[4];
   mt_buf_add (&in->scratch, utf8, mt_utf8_put (utf8, c));
   return true;
}

static bool escape (MtCopyIn *in, Json *j, MtError *err)
{
   static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
   if (j->p == j->end)
      return bad_json (in, j, "The string doesn't end", err);
   char c = *j->p++;
   if (c == 'u')
      return unicode_escape (in, j, err);
   const char *at = c ? strchr (from, c) : NULL;
   if (!at)
      return bad_json (in, j, "An escape is not known", err);
   mt_buf_addc (&in->scratch, to[at - from]);
   return true;
}

/* j->p is behind the opening quote. Without escapes the text is the line's own. */
static bool json_string (MtCopyIn *in, Json *j, MtStr *out, MtError *err)
{
   const char *start = j->p;
   size_t at = in->scratch.n;
   bool copied = false;
   for (; j->p < j->end && *j->p != '"';) {
      if ((unsigned char) *j->p < 32)
         return bad_json (in, j, "A control character in a string must be escaped", err);
      if (*j->p != '\\') {
         if (copied)
            mt_buf_addc (&in->scratch, *j->p);
         j->p++;
         continue;
      }
      if (!copied)
         mt_buf_add (&in->scratch, start, (size_t) (j->p - start));
      copied = true;
      j->p++;
      if (!escape (in, j, err))
         return false;
   }
   if (j->p == j->end)
      return bad_json (in, j, "The string doesn't end", err);
   *out = copied ? (MtStr) {in->scratch.p + at, in->scratch.n - at}
                 : (MtStr) {start, (size_t) (j->p - start)};
   j->p++;
   return true;
}

/* ---- values ---- */

static bool word (Json *j, const char *w)
{
   size_t n = strlen (w);
   if ((size_t) (j->end - j->p) < n || memcmp (j->p, w, n))
      return false;
   j->p += n;
   return true;
}

static bool digit (const Json *j) { return j->p < j->end && *j->p >= '0' && *j->p <= '9'; }

static bool json_number (Json *j, MtStr *out)
{
   const char *start = j->p;
   if (j->p < j->end && *j->p == '-')
      j->p++;
   if (!digit (j) || (*j->p == '0' && j->p + 1 < j->end && j->p[1] >= '0' && j->p[1] <= '9'))
      return false;
   while (digit (j))
      j->p++;
   if (j->p < j->end && *j->p == '.') {
      j->p++;
      if (!digit (j))
         return false;
      while (digit (j))
         j->p++;
   }
   if (j->p < j->end && (*j->p | 32) == 'e') {
      j->p++;
      if (j->p < j->end && (*j->p == '+' || *j->p == '-'))
         j->p++;
      if (!digit (j))
         return false;
      while (digit (j))
         j->p++;
   }
   *out = (MtStr) {start, (size_t) (j->p - start)};
   return true;
}

/* The extent of an array or object; libbson checks what is inside. */
static bool json_nested (MtCopyIn *in, Json *j, MtStr *out, MtError *err)
{
   const char *start = j->p;
   int depth = 0;
   do {
      char c = *j->p++;
      if (c == '"') {
         while (j->p < j->end && *j->p != '"')
            j->p += 1 + (*j->p == '\\' && j->p + 1 < j->end);
         if (j->p >= j->end)
            return bad_json (in, j, "The string doesn't end", err);
         j->p++;
      }
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      if (depth > MAX_DEPTH)
         return bad_json (in, j, "It is nested too deeply", err);
   } while (depth && j->p < j->end);
   if (depth)
      return bad_json (in, j, "The object or array doesn't end", err);
   *out = (MtStr) {start, (size_t) (j->p - start)};
   return true;
}

static bool mismatch (MtCopyIn *in, int column, const char *what, MtStr text, MtError *err)
{
   mt_error (err, MT_E_DATATYPE_MISMATCH, "column \"%s\" is of type %s but the field is %s",
             in->x.table->columns[column].name,
             mt_type_info (in->x.table->columns[column].type.id)->display, what);
   return mt_copy_context (in, column, text, err);
}

static void array_text (MtVal array, bool json, MtBuf *out)
{
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal v;
   mt_buf_addc (out, '{');
   for (bool first = true; mt_doc_next (&it, &key, &v); first = false) {
      MtBuf text = {0};
      if (!first)
         mt_buf_addc (out, ',');
      if (v.type == MT_ARRAY && !json) {
         array_text (v, json, out);
         continue;
      }
      if (v.type == MT_NULL) {
         mt_buf_adds (out, "NULL");
         continue;
      }
      if (v.type == MT_STRING && !json)
         mt_buf_add (&text, (const char *) v.p, v.len);
      else
         mt_jsonb_print (v, &text);
      mt_buf_addc (out, '"');
      for (size_t i = 0; i < text.n; i++) {
         if (text.p[i] == '"' || text.p[i] == '\\')
            mt_buf_addc (out, '\\');
         mt_buf_addc (out, text.p[i]);
      }
      mt_buf_addc (out, '"');
      mt_buf_free (&text);
   }
   mt_buf_addc (out, '}');
}

/* JSON's array as one of SQL: by its text, so that elements are read as that of any other
 * format. */
static bool array_value (MtCopyIn *in, Json *j, int column, MtVal *out, MtError *err)
{
   MtStr text;
   MtVal v;
   MtBuf b = {0};
   if (!json_nested (in, j, &text, err))
      return false;
   in->values_used = true;
   if (!mt_json_parse (in->values, text, &v, NULL))
      return bad_json (in, j, "The array is damaged", err);
   array_text (v, mt_type_holds_arrays (mt_type_element (in->x.table->columns[column].type.id)),
               &b);
   text = (MtStr) {mt_strndup (in->values, b.p, b.n), b.n};
   mt_buf_free (&b);
   return mt_copy_value (in, column, text, out, err);
}

/* A jsonb value or a document, or extended JSON ({"$date": …}) of another type. */
static bool nested_value (MtCopyIn *in, Json *j, int column, MtVal *out, MtError *err)
{
   MtType t = in->x.table->columns[column].type;
   MtStr text;
   bson_error_t e;
   MtBuf doc = {0};
   bool object = *j->p == '{';
   if (!json_nested (in, j, &text, err))
      return false;
   in->values_used = true;
   if (t.id == MT_T_JSONB &&
       !memmem (text.p, text.n, "\"$",
                2)) /* with the digits that its numbers have, which libbson doesn't keep */
      return mt_json_parse (in->values, text, out, NULL) ||
             bad_json (in, j, "The object or array is damaged", err);
   mt_buf_adds (&doc, "{\"v\": ");
   mt_buf_add (&doc, text.p, text.n);
   mt_buf_adds (&doc, "}");
   bson_t *b = bson_new_from_json ((const uint8_t *) doc.p, (ssize_t) doc.n, &e);
   mt_buf_free (&doc);
   if (!b)
      return bad_json (in, j, "The object or array is damaged", err);
   MtVal v = mt_v_copy (in->values, mt_doc_get (mt_v_doc (b), "v", 1));
   bson_destroy (b);
   bool plain = v.type == MT_DOC || v.type == MT_ARRAY;
   if ((plain && t.id != MT_T_JSONB && t.id != MT_T_DOCUMENT) ||
       !mt_value_normalize (in->values, t, v, out, NULL))
      return mismatch (in, column, object ? "an object" : "an array", text, err);
   return true;
}

static bool takes_number (const MtCopyIn *in, MtTypeId t)
{
   return mt_type_is_number (t) || t == MT_T_JSONB || (in->o.epoch && mt_type_is_datetime (t));
}

static bool json_value (MtCopyIn *in, Json *j, int column, MtVal *out, MtError *err)
{
   MtTypeId t = in->x.table->columns[column].type.id;
   MtStr text;
   const char *start = j->p;
   bool yes;
   if (j->p == j->end)
      return bad_json (in, j, "A value is missing", err);
   if (*j->p == '[' && mt_type_is_array (t))
      return array_value (in, j, column, out, err);
   if (*j->p == '{' || *j->p == '[')
      return nested_value (in, j, column, out, err);
   if (*j->p == '"') {
      j->p++;
      if (!json_string (in, j, &text, err))
         return false;
      if (t == MT_T_BOOL)
         return mismatch (in, column, "a string", text, err);
      if (t == MT_T_JSONB || t == MT_T_DOCUMENT) {
         *out = mt_v_str (text.p, text.n);
         return true;
      }
      return mt_copy_value (in, column, text, out, err);
   }
   if (word (j, "null")) {
      *out = mt_v_null ();
      return true;
   }
   if ((yes = word (j, "true")) || word (j, "false")) {
      *out = mt_v_bool (yes);
      return t == MT_T_BOOL || t == MT_T_JSONB
                ? true
                : mismatch (in, column, "a boolean", (MtStr) {start, (size_t) (j->p - start)}, err);
   }
   if (!json_number (j, &text))
      return bad_json (in, j, "A value is expected", err);
   return takes_number (in, t) ? mt_copy_value (in, column, text, out, err)
                               : mismatch (in, column, "a number", text, err);
}

/* ---- records ---- */

static int find_column (MtCopyIn *in, Json *j, MtStr name)
{
   for (size_t k = 0; k < in->column_count; k++) {
      size_t i = ((size_t) j->next + k) % in->column_count;
      if (mt_str_is (name, j->names[i])) {
         j->next = (int) i + 1;
         return in->columns[i];
      }
   }
   for (size_t i = 0; i < in->column_count; i++)
      if (mt_str_ieq (name, mt_str (j->names[i])))
         return in->columns[i];
   return -1;
}

static bool unknown_field (MtCopyIn *in, Json *j, MtStr name, MtError *err)
{
   char buf[128];
   size_t n = name.n < sizeof buf - 1 ? name.n : sizeof buf - 1;
   memcpy (buf, name.p, n);
   buf[n] = 0;
   const char *near = mt_nearest (buf, j->names, in->column_count);
   mt_error (err, MT_E_UNDEFINED_COLUMN, "column \"%s\" of relation \"%s\" does not exist", buf,
             in->x.table->name);
   if (near)
      mt_error_hint (err, "Perhaps you meant \"%s\".", near);
   return mt_copy_context (in, -1, whole_line (in, j), err);
}

static bool json_field (MtCopyIn *in, Json *j, MtError *err)
{
   MtStr name;
   if (j->p == j->end || *j->p != '"')
      return bad_json (in, j, "A field's name is expected", err);
   j->p++;
   if (!json_string (in, j, &name, err))
      return false;
   int c = find_column (in, j, name);
   if (c < 0)
      return unknown_field (in, j, name, err);
   if (in->row[c].type != MT_MISSING) {
      mt_error (err, MT_E_DUPLICATE_COLUMN, "column \"%s\" specified more than once",
                in->x.table->columns[c].name);
      return mt_copy_context (in, -1, whole_line (in, j), err);
   }
   space (j);
   if (j->p == j->end || *j->p++ != ':')
      return bad_json (in, j, "\":\" is expected", err);
   space (j);
   return json_value (in, j, c, &in->row[c], err);
}

static bool json_object (MtCopyIn *in, Json *j, MtError *err)
{
   if (*j->p != '{')
      return bad_json (in, j, "A line must be one object", err);
   j->p++;
   space (j);
   if (j->p < j->end && *j->p == '}') {
      j->p++;
   } else
      for (;;) {
         space (j);
         if (!json_field (in, j, err))
            return false;
         space (j);
         if (j->p == j->end || (*j->p != ',' && *j->p != '}'))
            return bad_json (in, j, "\",\" or \"}\" is expected", err);
         if (*j->p++ == '}')
            break;
      }
   space (j);
   return j->p == j->end ? true : bad_json (in, j, "There is something after the object", err);
}

/* The next line that isn't empty lies at in->start .. j->end. */
static bool next_line (MtCopyIn *in, Json *j, bool *end, MtError *err)
{
   for (;;) {
      const char *p = in->buf + in->start, *nl;
      while (!(nl = memchr (p, '\n', (size_t) (in->buf + in->n - p))) && !in->eof) {
         p = in->buf + in->n;
         if (!mt_copy_fill (in, &p, err))
            return false;
      }
      j->p = in->buf + in->start;
      j->end = nl ? nl : in->buf + in->n;
      *end = !nl && j->p == j->end;
      if (*end)
         return true;
      in->line++;
      j->record_len = (size_t) (j->end - j->p) + (nl != NULL);
      space (j);
      if (j->p < j->end)
         return true;
      in->start += j->record_len;
   }
}

bool mt_jsonl_next (MtCopyIn *in, bool *end, MtError *err)
{
   Json *j = in->state;
   in->start += j->record_len;
   j->record_len = 0;
   if (!in->started && !mt_copy_skip_mark (in, err))
      return false;
   if (!next_line (in, j, end, err) || *end)
      return *end;
   in->record = whole_line (in, j);
   for (size_t i = 0; i < in->x.table->column_count; i++)
      in->row[i] = mt_v_missing ();
   /* Unescaped text is never longer than the line: so the scratch doesn't move while values borrow
    * it. */
   mt_buf_clear (&in->scratch);
   if (!mt_buf_reserve (&in->scratch, (size_t) (j->end - j->p) + 1))
      return mt_memory_check (err);
   j->next = 0;
   in->can_go_on = true;
   return mt_copy_check_utf8 (in, -1, (MtStr) {j->p, (size_t) (j->end - j->p)}, err) &&
          json_object (in, j, err) &&
          (j->record_len <= MT_MAX_DOC_BYTES || mt_copy_check_size (in, err));
}

/* ---- writing ---- */

bool mt_jsonl_open_out (MtCopyOut *out, MtError *err) { return true; }

static bool put_value (MtCopyOut *out, MtType type, MtVal v, MtError *err);

/* JSON's null would be read as NULL. */
static bool has_json_null (MtVal array)
{
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal v;
   bool found = false;
   while (!found && mt_doc_next (&it, &key, &v))
      found = v.type == MT_MAXKEY;
   return found;
}

/* Those of several dimensions are arrays of arrays; elements of jsonb may be arrays, too. */
static bool put_array (MtCopyOut *out, MtType type, MtVal array, MtError *err)
{
   MtType element = {.id = mt_type_element (type.id), .mod1 = -1, .mod2 = -1};
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal v;
   bool ok = true;
   mt_buf_addc (&out->text, '[');
   for (bool first = true; ok && mt_doc_next (&it, &key, &v); first = false) {
      if (!first)
         mt_buf_addc (&out->text, ',');
      ok = v.type == MT_ARRAY && !mt_type_holds_arrays (element.id)
              ? put_array (out, type, v, err)
              : put_value (out, element, v, err);
   }
   mt_buf_addc (&out->text, ']');
   return ok;
}

static bool put_value (MtCopyOut *out, MtType type, MtVal v, MtError *err)
{
   MtTypeId t = type.id;
   bool number = mt_type_is_number (t) && !(v.type == MT_DOUBLE && !isfinite (v.d));
   if (mt_is_nullish (v)) {
      mt_buf_adds (&out->text, "null");
      return true;
   }
   if (t == MT_T_JSONB) {
      mt_jsonb_print (v, &out->text);
      return true;
   }
   if (t == MT_T_DOCUMENT) {
      mt_v_to_json (v, false, &out->text);
      return true;
   }
   if (mt_type_is_array (t) && v.type == MT_ARRAY && !has_json_null (v))
      return put_array (out, type, v, err);
   if (v.type == MT_BOOL) {
      mt_buf_adds (&out->text, v.i ? "true" : "false");
      return true;
   }
   mt_buf_clear (&out->value);
   if (!mt_value_print (type, v, out->x.style, &out->value, err))
      return false;
   const char *p = out->value.p ? out->value.p : "";
   if (number && v.type == MT_DECIMAL && (*p == 'N' || *p == 'I' || p[1] == 'I'))
      number = false;
   if (number)
      mt_buf_add (&out->text, p, out->value.n);
   else
      mt_json_string (&out->text, p, out->value.n);
   return true;
}

bool mt_jsonl_row (MtCopyOut *out, const MtVal *row, MtError *err)
{
   mt_buf_addc (&out->text, '{');
   for (size_t i = 0; i < out->x.column_count; i++) {
      if (i)
         mt_buf_addc (&out->text, ',');
      mt_json_string (&out->text, out->x.names[i], strlen (out->x.names[i]));
      mt_buf_addc (&out->text, ':');
      if (!put_value (out, out->x.types[i], row[i], err))
         return false;
   }
   mt_buf_adds (&out->text, "}\n");
   return true;
}
