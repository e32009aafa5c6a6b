/* Functions of the type json, whose values keep their text: extraction, and building texts from
 * other values. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/json_text.h"
#include "types/jsonb.h"
#include "types/record.h"

#include <math.h>
#include <string.h>

/* Flag of MT_USER (ev): return text instead of json. */
#define TEXT 1

/* ---- parts ---- */

static bool give (MtEval *ev, bool found, MtStr part, MtVal *out)
{
   *out = mt_v_null ();
   if (!found)
      return !mt_error_is_set (ev->err);
   if (MT_USER (ev) & TEXT)
      return mt_json_text_value (ev->arena, part, out, ev->err);
   *out = mt_v_str (part.p, part.n);
   return true;
}

static bool fn_json_text_get (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtStr part = {0};
   mt_error_clear (ev->err);
   bool found = a[1].type == MT_STRING
                   ? mt_json_text_field (mt_v_text (a[0]), mt_v_text (a[1]), &part, ev->err)
                   : mt_json_text_element (mt_v_text (a[0]), a[1].i, &part);
   return give (ev, found, part, out);
}

/* Follows one key of a path into `json`; in an array the key is an integer index. *out is the value
 * found. Returns false if there is none. */
static bool step (MtEval *ev, MtStr json, MtVal key, MtStr *out)
{
   MtVal index;
   MtStr text = mt_v_text (key);
   if (mt_json_text_iter (json).object)
      return mt_json_text_field (json, text, out, ev->err);
   return mt_value_parse (ev->arena, mt_type (MT_T_INT4), text, NULL, &index, &(MtError) {0}) &&
          mt_json_text_element (json, index.i, out);
}

static bool walk (MtEval *ev, MtVal json, const MtVal *path, size_t count, MtVal *out)
{
   MtStr part = mt_v_text (json);
   bool found = true;
   mt_error_clear (ev->err);
   for (size_t i = 0; i < count && found; i++)
      found = !mt_is_nullish (path[i]) && step (ev, part, path[i], &part);
   return give (ev, found, part, out);
}

static bool fn_json_text_path (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtVal *path = mt_v_elements (ev->arena, a[1], &count);
   return walk (ev, a[0], path, count, out);
}

static bool fn_json_text_extract (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return walk (ev, a[0], a + 1, (size_t) n - 1, out);
}

static bool fn_json_text_type (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_cstr (mt_json_text_type (mt_v_text (a[0])));
   return true;
}

static bool fn_json_text_length (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const char *type = mt_json_text_type (mt_v_text (a[0]));
   if (strcmp (type, "array") != 0)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot get array length of a %s",
                       strcmp (type, "object") == 0 ? "non-array" : "scalar");
   *out = mt_v_int32 ((int32_t) mt_json_text_count (mt_v_text (a[0])));
   return true;
}

/* ---- rows ---- */

/* Computes json_array_elements, or with the flag TEXT of MT_USER (ev), json_array_elements_text. */
static bool fn_json_text_elements (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtStr json = mt_v_text (a[0]), key, v;
   const char *type = mt_json_text_type (json);
   size_t count = mt_json_text_count (json), i = 0;
   MtVal *e = MT_TRY_NEW_N (ev->arena, MtVal, count + 1);
   if (!e)
      return mt_memory_check (ev->err);
   if (strcmp (type, "array") != 0)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call %s on a %s",
                       MT_USER (ev) & TEXT ? "json_array_elements_text" : "json_array_elements",
                       strcmp (type, "object") == 0 ? "non-array" : "scalar");
   for (MtJsonTextIter it = mt_json_text_iter (json); mt_json_text_next (&it, &key, &v); i++)
      if (!give (ev, true, v, &e[i]))
         return false;
   return mt_v_make_array (ev->arena, e, count, out, ev->err);
}

/* Another flag of MT_USER (ev): compute json_object_keys instead of json_each. */
#define KEYS 2
static bool fn_json_text_fields (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const MtStr names[2] = {{"key", 3}, {"value", 5}};
   MtStr json = mt_v_text (a[0]), key, v;
   const char *type = mt_json_text_type (json);
   size_t count = mt_json_text_count (json), i = 0;
   MtVal *rows = MT_TRY_NEW_N (ev->arena, MtVal, count + 1), pair[2];
   if (!rows)
      return mt_memory_check (ev->err);
   if (strcmp (type, "object") != 0 && MT_USER (ev) & KEYS)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call json_object_keys on %s",
                       strcmp (type, "array") == 0 ? "an array" : "a scalar");
   if (strcmp (type, "object") != 0)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot deconstruct %s as an object",
                       strcmp (type, "array") == 0 ? "an array" : "a scalar");
   for (MtJsonTextIter it = mt_json_text_iter (json); mt_json_text_next (&it, &key, &v); i++) {
      if (!mt_json_parse (ev->arena, key, &pair[0], ev->err))
         return false;
      rows[i] = pair[0];
      if (!(MT_USER (ev) & KEYS) && (!give (ev, true, v, &pair[1]) ||
                                     !mt_v_make_doc (ev->arena, names, pair, 2, &rows[i], ev->err)))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, count, out, ev->err);
}

/* ---- values as JSON ---- */

/* How SQL values are written as JSON. */
typedef struct Style {
   MtEval *ev;
   MtTextStyle text;
   bool pretty; /* each field or element in a line */
} Style;

static bool put (const Style *s, MtTypeId t, MtVal v, bool inner, MtBuf *out);

static bool is_json_number (const MtBuf *b)
{
   return b->n && strcmp (mt_json_text_type ((MtStr) {b->p, b->n}), "number") == 0 &&
          mt_json_text_check ((MtStr) {b->p, b->n}, &(MtError) {0});
}

static bool put_scalar (const Style *s, MtTypeId t, MtVal v, MtBuf *out)
{
   MtBuf b = {0};
   if (t == MT_T_BOOL) {
      mt_buf_adds (out, v.i ? "true" : "false");
      return true;
   }
   bool ok = mt_value_print (mt_type (t), v, &s->text, &b, s->ev->err);
   if (ok && (t == MT_T_TIMESTAMP || t == MT_T_TIMESTAMPTZ))
      mt_json_time (&b, t == MT_T_TIMESTAMPTZ);
   bool plain = t == MT_T_JSON || t == MT_T_JSONB || mt_type_prints_json (t) ||
                (mt_type_is_number (t) && is_json_number (&b));
   if (ok && plain)
      mt_buf_add (out, b.p, b.n);
   else if (ok)
      mt_json_string (out, b.p, b.n);
   mt_buf_free (&b);
   return ok;
}

static const char *between (const Style *s, bool inner)
{
   return s->pretty && !inner ? ",\n " : ",";
}

static bool put_list (const Style *s, MtTypeId element, MtVal v, bool inner, MtBuf *out)
{
   size_t n;
   MtVal *e = mt_v_elements (s->ev->arena, v, &n);
   mt_buf_addc (out, '[');
   for (size_t i = 0; i < n; i++) {
      bool nested = e[i].type == MT_ARRAY && !mt_type_holds_arrays (element);
      mt_buf_adds (out, i ? between (s, inner) : "");
      if (nested ? !put_list (s, element, e[i], true, out) : !put (s, element, e[i], true, out))
         return false;
   }
   mt_buf_addc (out, ']');
   return true;
}

static bool put_record (const Style *s, MtVal v, bool inner, MtBuf *out)
{
   MtRecordIter it = mt_record_iter (v);
   MtRecordField f;
   mt_buf_addc (out, '{');
   for (int i = 0; mt_record_next (&it, &f); i++) {
      mt_buf_adds (out, i ? between (s, inner) : "");
      mt_json_string (out, f.name.p, f.name.n);
      mt_buf_addc (out, ':');
      if (!put (s, f.type, f.value, true, out))
         return false;
   }
   mt_buf_addc (out, '}');
   return true;
}

/* Appends a value of type t as JSON, as PostgreSQL's datum_to_json does. `inner`: it is nested in
 * another value. */
static bool put (const Style *s, MtTypeId t, MtVal v, bool inner, MtBuf *out)
{
   if (mt_is_nullish (v)) {
      mt_buf_adds (out, "null");
      return true;
   }
   if (mt_type_is_array (t))
      return put_list (s, mt_type_element (t), v, inner, out);
   return t == MT_T_RECORD ? put_record (s, v, inner, out) : put_scalar (s, t, v, out);
}

static bool made (MtEval *ev, bool ok, MtBuf *b, MtVal *out)
{
   if (ok)
      *out = mt_text_result (ev, b);
   else
      mt_buf_free (b);
   return ok;
}

static bool style_of (MtEval *ev, MtVal zone, Style *out)
{
   *out = (Style) {.ev = ev, .text = {.extra_float_digits = 1}};
   return mt_zone_arg (ev, zone, &out->text.zone);
}

/* Values of MT_USER (ev) for to_json: what kind of argument it has. */
enum { ANY_VALUE, ROW_VALUE, ARRAY_VALUE };

/* Computes to_json. Arguments: value [, pretty], name of its type, time zone. For an array, the
 * element type is given; for a row, no type. */
static bool fn_to_json (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t = MT_T_RECORD;
   Style s;
   MtBuf b = {0};
   int what = MT_USER (ev);
   if ((what != ROW_VALUE && !mt_type_by_name (mt_v_text (a[n - 2]), &t)) ||
       !style_of (ev, a[n - 1], &s))
      return false;
   if (what == ARRAY_VALUE)
      t = mt_type_array (t);
   s.pretty = n == (what == ROW_VALUE ? 3 : 4) && a[1].i;
   return made (ev, put (&s, t, a[0], false, &b), &b, out);
}

/* ---- builders ---- */

static void put_json (MtVal v, MtBuf *out)
{
   if (mt_is_nullish (v))
      mt_buf_adds (out, "null");
   else
      mt_buf_add (out, v.p, v.len);
}

/* Computes json_build_array. Arguments: values of type json. */
static bool fn_json_build_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   mt_buf_addc (&b, '[');
   for (int i = 0; i < n; i++) {
      mt_buf_adds (&b, i ? ", " : "");
      put_json (a[i], &b);
   }
   mt_buf_addc (&b, ']');
   return made (ev, true, &b, out);
}

/* Appends a key of an object: the text of a jsonb scalar as a JSON string. */
static void put_key (MtVal key, MtBuf *out)
{
   MtBuf text = {0};
   if (key.type == MT_STRING)
      mt_json_string (out, (const char *) key.p, key.len);
   else {
      mt_jsonb_print (key, &text);
      mt_json_string (out, text.p, text.n);
      mt_buf_free (&text);
   }
}

/* Computes json_build_object. Arguments: key (jsonb), value (json), key, value, …. */
static bool fn_json_build_object (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   if (n % 2) {
      mt_error (ev->err, MT_E_PARAMETER, "argument list must have even number of elements");
      return mt_error_hint (
         ev->err,
         "The arguments of json_build_object() must consist of alternating keys and values.");
   }
   mt_buf_addc (&b, '{');
   for (int i = 0; i < n; i += 2) {
      if (mt_is_nullish (a[i])) {
         mt_buf_free (&b);
         mt_error (ev->err, MT_E_PARAMETER, "argument %d cannot be null", i + 1);
         return mt_error_hint (ev->err, "Object keys should be text.");
      }
      mt_buf_adds (&b, i ? ", " : "");
      put_key (a[i], &b);
      mt_buf_adds (&b, " : ");
      put_json (a[i + 1], &b);
   }
   mt_buf_addc (&b, '}');
   return made (ev, true, &b, out);
}

/* ---- aggregates ---- */

/* Computes json_agg. Arguments: the rows [[value, time zone, …], …] of $_mtSorted, name of the
 * value's type. */
static bool fn_json_agg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtTypeId t;
   Style s = {0};
   MtBuf b = {0};
   bool ok = true;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   if (!mt_type_by_name (mt_v_text (a[1]), &t))
      return false;
   MtVal *e = mt_v_elements (ev->arena, a[0], &count);
   const char *gap = mt_type_is_array (t) || t == MT_T_RECORD ? ", \n " : ", ";
   mt_buf_addc (&b, '[');
   for (size_t i = 0; i < count && ok; i++) {
      mt_buf_adds (&b, i ? gap : "");
      ok = (i || style_of (ev, mt_doc_at (e[i], 1), &s)) &&
           put (&s, t, mt_doc_at (e[i], 0), true, &b);
   }
   mt_buf_addc (&b, ']');
   return made (ev, ok, &b, out);
}

/* Computes json_object_agg. Arguments: the rows [[key, value, time zone, …], …] of $_mtSorted,
 * names of the types of key and value. */
static bool fn_json_object_agg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtTypeId tk, tv;
   Style s = {0};
   MtBuf b = {0}, key = {0};
   bool ok = true;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   if (!mt_type_by_name (mt_v_text (a[1]), &tk) || !mt_type_by_name (mt_v_text (a[2]), &tv))
      return false;
   MtVal *e = mt_v_elements (ev->arena, a[0], &count);
   mt_buf_adds (&b, "{ ");
   for (size_t i = 0; i < count && ok; i++) {
      MtVal k = mt_doc_at (e[i], 0);
      mt_buf_adds (&b, i ? ", " : "");
      ok = i || style_of (ev, mt_doc_at (e[i], 2), &s);
      if (ok && mt_is_nullish (k))
         ok = mt_error (ev->err, MT_E_PARAMETER, "field name must not be null");
      key.n = 0;
      ok = ok && put (&s, tk, k, true, &key);
      if (ok && *key.p == '"')
         mt_buf_add (&b, key.p, key.n);
      else if (ok)
         mt_json_string (&b, key.p, key.n);
      mt_buf_adds (&b, " : ");
      ok = ok && put (&s, tv, mt_doc_at (e[i], 1), true, &b);
   }
   mt_buf_adds (&b, " }");
   mt_buf_free (&key);
   return made (ev, ok, &b, out);
}

const MtOpRow mt_json_text_ops[] = {
   {.name = "$_mtJsonArray",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_json_agg,
    .summary = "json_agg of gathered rows",
    .example = "{\"$_mtJsonArray\": [[[1, \"UTC\"], [3, \"UTC\"]], \"int4\"]} => \"[1, 3]\""},
   {.name = "$_mtJsonObject",
    .min_args = 3,
    .max_args = 3,
    .flags = MT_OP_FOLD,
    .fn = fn_json_object_agg,
    .summary = "json_object_agg of gathered rows",
    .example = "{\"$_mtJsonObject\": [[[\"a\", 1, \"UTC\"]], \"text\", \"int4\"]} => "
               "\"{ \\\"a\\\" : 1 }\""},
   {.name = NULL},
};

/* ---- casts ---- */

static bool fn_json_from_jsonb (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   mt_jsonb_print (a[0], &b);
   return made (ev, true, &b, out);
}

static bool fn_jsonb_from_json (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_json_parse (ev->arena, mt_v_text (a[0]), out, ev->err);
}

/* Computes json_strip_nulls: appends `json` without members that are null, and without white
 * space. */
static void strip_nulls (MtStr json, MtBuf *out)
{
   MtJsonTextIter it = mt_json_text_iter (json);
   MtStr key, value;
   const char *type = mt_json_text_type (json), *gap = "";
   bool object = it.object, list = object || strcmp (type, "array") == 0;
   if (!list) {
      json = mt_json_text_trim (json);
      mt_buf_add (out, json.p, json.n);
      return;
   }
   mt_buf_addc (out, object ? '{' : '[');
   while (mt_json_text_next (&it, &key, &value)) {
      if (object && strcmp (mt_json_text_type (value), "null") == 0)
         continue;
      mt_buf_adds (out, gap);
      gap = ",";
      if (object) {
         mt_buf_add (out, key.p, key.n);
         mt_buf_addc (out, ':');
      }
      strip_nulls (value, out);
   }
   mt_buf_addc (out, object ? '}' : ']');
}

static bool fn_json_strip_nulls (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   strip_nulls (mt_v_text (a[0]), &b);
   *out = mt_text_result (ev, &b);
   return true;
}

#define GET(op, arg, kind, ret, fn, u, s, ex) \
   MT_ROW (op, "json, " arg " -> " ret, MT_F_OPERATOR, NULL, MT_OPN ("json_text_" kind, fn, u), s, \
           ex)
#define SET(name_, sig_, columns_, op_, summary_, example_) \
   MT_ROW_SET (name_, sig_, 0, columns_, NULL, op_, summary_, example_)
#define BUILD (MT_F_NOT_STRICT | MT_NN | MT_F_VARIADIC | MT_F_JSON_TEXTS)

const MtFunc mt_fn_json_text[] = {
   GET ("->", "text", "get", "json", json_text_get, 0, "field of an object",
        "SELECT '{\"a\": [1,  2]}'::json -> 'a' => [1,  2]"),
   GET ("->", "int4", "get", "json", json_text_get, 0, "element of an array",
        "SELECT '[1, 2.0]'::json -> 1 => 2.0"),
   GET ("->>", "text", "get_text", "text", json_text_get, TEXT, "field of an object, as text",
        "SELECT '{\"a\": \"x\"}'::json ->> 'a' => x"),
   GET ("->>", "int4", "get_text", "text", json_text_get, TEXT, "element of an array, as text",
        "SELECT '[1, \"b\"]'::json ->> -1 => b"),
   GET ("#>", "text[]", "path", "json", json_text_path, 0, "value at a path",
        "SELECT '{\"a\": [1, 2]}'::json #> '{a,1}' => 2"),
   GET ("#>>", "text[]", "path_text", "text", json_text_path, TEXT, "value at a path, as text",
        "SELECT '{\"a\": [1, \"x\"]}'::json #>> '{a,-1}' => x"),
   MT_ROW ("json_extract_path", "json, text -> json", MT_F_VARIADIC, NULL,
           MT_OPN ("json_text_extract", json_text_extract, 0), "value at a path",
           "SELECT json_extract_path('{\"a\": [1, 2]}', 'a', '1') => 2"),
   MT_ROW ("json_extract_path_text", "json, text -> text", MT_F_VARIADIC, NULL,
           MT_OPN ("json_text_extract_text", json_text_extract, TEXT), "value at a path, as text",
           "SELECT json_extract_path_text('{\"a\": \"x\"}', 'a') => x"),
   MT_ROW ("json_typeof", "json -> text", MT_NN, NULL, MT_OP (json_text_type),
           "type of a JSON value", "SELECT json_typeof('-123.4') => number"),
   MT_ROW ("json_array_length", "json -> int4", MT_NN, NULL, MT_OP (json_text_length),
           "number of elements", "SELECT json_array_length('[1, [2, 3]]') => 2"),
   SET ("json_array_elements", "json -> json", "value json = *",
        MT_OPN ("json_text_elements", json_text_elements, 0), "elements of an array, as rows",
        "SELECT json_array_elements('[1.0, true]') => 1.0"),
   SET ("json_array_elements_text", "json -> text", "value text = *",
        MT_OPN ("json_text_elements_text", json_text_elements, TEXT),
        "elements of an array as text, as rows", "SELECT json_array_elements_text('[\"a\"]') => a"),
   SET ("json_object_keys", "json -> text", NULL, MT_OPN ("json_text_keys", json_text_fields, KEYS),
        "keys of an object, as rows", "SELECT json_object_keys('{\"a\": 1}') => a"),
   SET ("json_each", "json -> json", "key text, value json",
        MT_OPN ("json_text_each", json_text_fields, 0), "keys and values of an object, as rows",
        "SELECT value FROM json_each('{\"a\": 1.0}') => 1.0"),
   SET ("json_each_text", "json -> json", "key text, value text",
        MT_OPN ("json_text_each_text", json_text_fields, TEXT),
        "keys and values of an object as text, as rows",
        "SELECT value FROM json_each_text('{\"a\": \"x\"}') => x"),
   MT_ROW ("to_json", "anyelement, _type text, _zone text -> json", MT_NN, NULL, MT_OP (to_json),
           "value as json", "SELECT to_json(ARRAY[[1, 2]]) => [[1,2]]"),
   MT_ROW ("row_to_json", "record, _zone text -> json", MT_NN, NULL,
           MT_OPN ("row_to_json", to_json, ROW_VALUE), "row as a json object",
           "SELECT row_to_json(ROW(1, 'a')) => {\"f1\":1,\"f2\":\"a\"}"),
   MT_ROW ("row_to_json", "record, pretty bool, _zone text -> json", MT_NN, NULL,
           MT_OPN ("row_to_json", to_json, ROW_VALUE),
           "row as a json object, with line breaks if the second argument is true",
           "SELECT length(row_to_json(ROW(1, 2), true)::text) => 17"),
   MT_ROW ("array_to_json", "anyarray, _type text, _zone text -> json", MT_NN, NULL,
           MT_OPN ("array_to_json", to_json, ARRAY_VALUE), "array as a json array",
           "SELECT array_to_json(ARRAY[1, 2]) => [1,2]"),
   MT_ROW ("array_to_json", "anyarray, pretty bool, _type text, _zone text -> json", MT_NN, NULL,
           MT_OPN ("array_to_json", to_json, ARRAY_VALUE),
           "array as a json array, with line breaks if the second argument is true",
           "SELECT length(array_to_json(ARRAY[1, 2], true)::text) => 7"),
   MT_ROW ("json_build_array", "any -> json", BUILD, NULL, MT_OP (json_build_array),
           "json array of the values", "SELECT json_build_array(1, 'a', NULL) => [1, \"a\", null]"),
   MT_ROW ("json_build_array", "-> json", MT_F_NOT_STRICT | MT_NN, NULL, MT_OP (json_build_array),
           "empty json array", "SELECT json_build_array() => []"),
   MT_ROW ("json_build_object", "any -> json", BUILD | MT_F_JSON_PAIRS, NULL,
           MT_OP (json_build_object), "json object of alternating keys and values",
           "SELECT json_build_object('b', 1.50, 'a', NULL) => {\"b\" : 1.50, \"a\" : null}"),
   MT_ROW ("json_build_object", "-> json", MT_F_NOT_STRICT | MT_NN, NULL, MT_OP (json_build_object),
           "empty json object", "SELECT json_build_object() => {}"),
   MT_ROW ("json_strip_nulls", "json -> json", MT_NN, NULL, MT_OP (json_strip_nulls),
           "json without fields that are null",
           "SELECT json_strip_nulls('{\"a\": null, \"b\": [1, null]}') => {\"b\":[1,null]}"),
   MT_ROW ("json", "jsonb -> json", MT_F_CAST | MT_F_CAST_ASSIGN | MT_NN, NULL,
           MT_OP (json_from_jsonb), "cast", "SELECT '[1,2]'::jsonb::json => [1, 2]"),
   MT_ROW ("jsonb", "json -> jsonb", MT_F_CAST | MT_F_CAST_ASSIGN | MT_NN, NULL,
           MT_OP (jsonb_from_json), "cast", "SELECT '[1,2]'::json::jsonb => [1, 2]"),
   {.name = NULL},
};
