/* JSON lines: a file with one object per line, whose fields have the names of columns. Values of
 * types that JSON does not have are text, or MongoDB's extended JSON. */
#include "base/json_scan.h"
#include "copy/copy_int.h"

#include "types/json_text.h"
#include "types/jsonb.h"

#include <math.h>
#include <string.h>

const MtCopyOptionRow mt_jsonl_options[] = {
   {"epoch", "s|ms|us|ns", "none", "times are numbers since 1970-01-01 UTC"},
   {"datestyle", "mdy|dmy|ymd", "mdy", "the order of the numbers in dates such as 1/2/2026"},
   {"encoding", "name", "UTF8", "how the file is encoded: LATIN1, WIN1252, …"},
   {NULL, NULL, NULL, NULL},
};

enum { MAX_DEPTH = 100 };

typedef struct Json {
   const char **names; /* the names of the columns, for hints */
   int next;           /* guess of the next key's column: most lines have the same order of keys */
   size_t record_len;
   MtJsonScan s; /* the part of the line that is still to be read */
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
   return (MtStr) {in->buf + in->start, (size_t) (j->s.end - (in->buf + in->start))};
}

static bool bad_json (MtCopyIn *in, Json *j, const char *what, MtError *err)
{
   mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type json");
   mt_error_detail (err, "%s, at byte %zu.", what, (size_t) (j->s.p - (in->buf + in->start)) + 1);
   return mt_copy_context (in, -1, whole_line (in, j), err);
}

/* ---- strings ---- */

static const char *string_fault (MtJsonFault fault)
{
   switch (fault) {
   case MT_JSON_OK:
   case MT_JSON_ZERO: break;
   case MT_JSON_UNTERMINATED: return "The string doesn't end";
   case MT_JSON_CONTROL: return "A control character in a string must be escaped";
   case MT_JSON_ESCAPE: return "An escape is not known";
   case MT_JSON_HEX: return "\"\\u\" must be followed by four hexadecimal digits";
   case MT_JSON_LOW_ALONE: return "Unicode low surrogate must follow a high surrogate";
   case MT_JSON_HIGH_ALONE:
   case MT_JSON_LOW_HEX:
   case MT_JSON_TWO_HIGH:
   case MT_JSON_NOT_LOW: return "Unicode high surrogate must be followed by a low surrogate";
   }
   return "The string is damaged";
}

/* Reads a string after its opening quote. If it has no escapes, *out borrows from the line,
 * otherwise from in->scratch. */
static bool json_string (MtCopyIn *in, Json *j, MtStr *out, MtError *err)
{
   MtJsonFault fault = mt_json_scan_string (&j->s, &in->scratch, out);
   if (!fault)
      return true;
   if (fault != MT_JSON_ZERO)
      return bad_json (in, j, string_fault (fault), err);
   mt_error (err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\": 0x00");
   return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
}

/* ---- values ---- */

/* Finds the end of a JSON array or object, and stores its text in *out. Its content is not checked
 * here, but later when it is parsed. */
static bool json_nested (MtCopyIn *in, Json *j, MtStr *out, MtError *err)
{
   const char *start = j->s.p;
   MtJsonExtent extent = {0};
   bool closed = false;
   while (!closed && j->s.p < j->s.end) {
      closed = mt_json_extent (&extent, *j->s.p++);
      if (extent.depth > MAX_DEPTH)
         return bad_json (in, j, "It is nested too deeply", err);
   }
   if (!closed)
      return bad_json (
         in, j, extent.in_string ? "The string doesn't end" : "The object or array doesn't end",
         err);
   *out = (MtStr) {start, (size_t) (j->s.p - start)};
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

/* Converts a JSON array to an SQL array. The elements are converted like fields in other
 * formats. */
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

/* Makes a value for a column of type json, which stores the text unchanged. */
static bool keep_text (MtCopyIn *in, Json *j, MtStr text, MtVal *out, MtError *err)
{
   *out = mt_v_copy (in->values, mt_v_str (text.p, text.n));
   in->values_used = true;
   return mt_json_text_check (text, &(MtError) {0}) || bad_json (in, j, "The JSON is damaged", err);
}

/* Converts a JSON object or array to a value of type jsonb or document. For other types, the object
 * must be extended JSON, such as {"$date": …}. */
static bool nested_value (MtCopyIn *in, Json *j, int column, MtVal *out, MtError *err)
{
   MtType t = in->x.table->columns[column].type;
   MtStr text;
   bson_error_t e;
   MtBuf doc = {0};
   bool object = *j->s.p == '{';
   if (!json_nested (in, j, &text, err))
      return false;
   in->values_used = true;
   if (t.id == MT_T_JSON)
      return keep_text (in, j, text, out, err);
   /* If the text can't have extended JSON, mt_json_parse parses it. Unlike libbson, it keeps all
    * digits of numbers. */
   if (t.id == MT_T_JSONB && !memmem (text.p, text.n, "\"$", 2))
      return mt_json_parse (in->values, text, out, NULL) ||
             bad_json (in, j, "The object or array is damaged", err);
   mt_buf_adds (&doc, "{\"v\": ");
   mt_buf_add (&doc, text.p, text.n);
   mt_buf_adds (&doc, "}");
   bson_t *b = bson_new_from_json ((const uint8_t *) doc.p, (ssize_t) doc.n, &e);
   mt_buf_free (&doc);
   if (!b)
      return bad_json (in, j, "The object or array is damaged", err);
   MtVal v = mt_v_copy (in->values, mt_doc_field (mt_v_doc (b), "v"));
   bson_destroy (b);
   bool plain = v.type == MT_DOC || v.type == MT_ARRAY;
   if ((plain && !mt_type_prints_json (t.id)) || !mt_value_normalize (in->values, t, v, out, NULL))
      return mismatch (in, column, object ? "an object" : "an array", text, err);
   return true;
}

static bool takes_number (const MtCopyIn *in, MtTypeId t)
{
   return mt_type_is_number (t) || t == MT_T_JSON || t == MT_T_JSONB ||
          (in->o.epoch && mt_type_is_datetime (t));
}

static bool json_value (MtCopyIn *in, Json *j, int column, MtVal *out, MtError *err)
{
   MtTypeId t = in->x.table->columns[column].type.id;
   MtStr text;
   const char *start = j->s.p;
   bool yes, integer;
   if (j->s.p == j->s.end)
      return bad_json (in, j, "A value is missing", err);
   if (*j->s.p == '[' && mt_type_is_array (t))
      return array_value (in, j, column, out, err);
   if (*j->s.p == '{' || *j->s.p == '[')
      return nested_value (in, j, column, out, err);
   if (*j->s.p == '"') {
      j->s.p++;
      if (!json_string (in, j, &text, err))
         return false;
      if (t == MT_T_JSON)
         return keep_text (in, j, (MtStr) {start, (size_t) (j->s.p - start)}, out, err);
      if (t == MT_T_BOOL)
         return mismatch (in, column, "a string", text, err);
      if (t == MT_T_JSONB || t == MT_T_DOCUMENT) {
         *out = mt_v_str (text.p, text.n);
         return true;
      }
      return mt_copy_value (in, column, text, out, err);
   }
   if (mt_json_scan_word (&j->s, "null")) {
      *out = mt_v_null ();
      return true;
   }
   if ((yes = mt_json_scan_word (&j->s, "true")) || mt_json_scan_word (&j->s, "false")) {
      *out = t == MT_T_JSON ? mt_v_cstr (yes ? "true" : "false") : mt_v_bool (yes);
      return t == MT_T_BOOL || t == MT_T_JSON || t == MT_T_JSONB ||
             mismatch (in, column, "a boolean", (MtStr) {start, (size_t) (j->s.p - start)}, err);
   }
   if (!mt_json_scan_number (&j->s, &text, &integer))
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
   else
      mt_error_hint (err, "Add the column first: ALTER TABLE %s ADD COLUMN …", in->x.table->name);
   return mt_copy_context (in, -1, whole_line (in, j), err);
}

static bool json_field (MtCopyIn *in, Json *j, MtError *err)
{
   MtStr name;
   if (j->s.p == j->s.end || *j->s.p != '"')
      return bad_json (in, j, "A field's name is expected", err);
   j->s.p++;
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
   mt_json_scan_space (&j->s);
   if (j->s.p == j->s.end || *j->s.p++ != ':')
      return bad_json (in, j, "\":\" is expected", err);
   mt_json_scan_space (&j->s);
   return json_value (in, j, c, &in->row[c], err);
}

static bool json_object (MtCopyIn *in, Json *j, MtError *err)
{
   if (*j->s.p != '{')
      return bad_json (in, j, "A line must be one object", err);
   j->s.p++;
   mt_json_scan_space (&j->s);
   if (j->s.p < j->s.end && *j->s.p == '}') {
      j->s.p++;
   } else
      for (;;) {
         mt_json_scan_space (&j->s);
         if (!json_field (in, j, err))
            return false;
         mt_json_scan_space (&j->s);
         if (j->s.p == j->s.end || (*j->s.p != ',' && *j->s.p != '}'))
            return bad_json (in, j, "\",\" or \"}\" is expected", err);
         if (*j->s.p++ == '}')
            break;
      }
   mt_json_scan_space (&j->s);
   return j->s.p == j->s.end ? true : bad_json (in, j, "There is something after the object", err);
}

/* Reads the next line that is not empty: from in->start to j->s.end. Sets *end if there is none. */
static bool next_line (MtCopyIn *in, Json *j, bool *end, MtError *err)
{
   for (;;) {
      const char *p = in->buf + in->start, *nl;
      while (!(nl = memchr (p, '\n', (size_t) (in->buf + in->n - p))) && !in->eof) {
         p = in->buf + in->n;
         if (!mt_copy_fill (in, &p, err))
            return false;
      }
      j->s.p = in->buf + in->start;
      j->s.end = nl ? nl : in->buf + in->n;
      *end = !nl && j->s.p == j->s.end;
      if (*end)
         return true;
      in->line++;
      j->record_len = (size_t) (j->s.end - j->s.p) + (nl != NULL);
      mt_json_scan_space (&j->s);
      if (j->s.p < j->s.end)
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
   /* Makes room for the length of the line in in->scratch. Unescaped text is never longer than the
    * line, so the buffer is not reallocated while values borrow from it. */
   mt_buf_clear (&in->scratch);
   if (!mt_buf_reserve (&in->scratch, (size_t) (j->s.end - j->s.p) + 1))
      return mt_memory_check (err);
   j->next = 0;
   in->can_go_on = true;
   return mt_copy_check_utf8 (in, -1, (MtStr) {j->s.p, (size_t) (j->s.end - j->s.p)}, err) &&
          json_object (in, j, err) &&
          (j->record_len <= MT_MAX_DOC_BYTES || mt_copy_check_size (in, err));
}

/* ---- writing ---- */

bool mt_jsonl_open_out (MtCopyOut *out, MtError *err) { return true; }

static bool put_value (MtCopyOut *out, MtType type, MtVal v, MtError *err);

/* Returns whether an array contains a JSON null. COPY FROM would read it as NULL. */
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

/* Writes an array. Each dimension becomes a JSON array. An element of type jsonb may be an array,
 * too. */
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
   bool number = (mt_type_is_number (t) || t == MT_T_OID) &&
                 !(v.type == MT_DOUBLE && !isfinite (v.d));
   if (mt_is_nullish (v)) {
      mt_buf_adds (&out->text, "null");
      return true;
   }
   if (t == MT_T_JSON && v.type == MT_STRING) { /* line breaks occur only between tokens */
      for (uint32_t i = 0; i < v.len; i++)
         mt_buf_addc (&out->text, v.p[i] == '\n' || v.p[i] == '\r' ? ' ' : (char) v.p[i]);
      return true;
   }
   if (t == MT_T_JSONB) {
      mt_jsonb_print (v, &out->text);
      return true;
   }
   if (t == MT_T_DOCUMENT || mt_type_is_state (t)) {
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
