/* Functions of jsonb and of documents: extraction, changes, casts. make.c converts other values to
 * jsonb. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/jsonb.h"
#include "types/numeric.h"

#include <string.h>

/* ---- fields and elements ---- */

/* Flags of MT_USER (ev) for functions that extract a value: */
#define TEXT 1     /* the result is text */
#define DOCUMENT 2 /* the argument is a document, in which null means SQL NULL */

/* Appends the text of a BSON value that JSON does not have: an ObjectId's digits, or a date in ISO
 * 8601. Returns false for other values. */
static bool foreign_text (MtVal v, MtBuf *b)
{
   MtTextStyle utc = {.extra_float_digits = 1};
   if (v.type == MT_DATE && mt_ts_is_finite (v.i) &&
       mt_value_print (mt_type (MT_T_TIMESTAMP), v, &utc, b, &(MtError) {0})) {
      char *gap = memchr (b->p, ' ', b->n);
      if (gap)
         *gap = 'T';
      mt_buf_addc (b, 'Z');
      return true;
   }
   return v.type == MT_OID && mt_value_print (mt_type (MT_T_OBJECTID), v, &utc, b, &(MtError) {0});
}

static MtVal as_text (MtEval *ev, MtVal v, bool document)
{
   MtBuf b = {0};
   if (v.type == MT_STRING || v.type == MT_NULL)
      return v;
   if (v.type == MT_MAXKEY && !document)
      return mt_v_null ();
   if (foreign_text (v, &b))
      return mt_text_result (ev, &b);
   if (document)
      mt_document_print (v, &b);
   else
      mt_jsonb_print (v, &b);
   return mt_text_result (ev, &b);
}

/* Sets *out to the extracted value v, as jsonb, or with the flag TEXT of MT_USER (ev) as text.
 * MT_MISSING gives NULL. */
static bool give (MtEval *ev, MtVal v, MtVal *out)
{
   bool document = MT_USER (ev) & DOCUMENT;
   v = document || v.type == MT_MISSING ? v : mt_jsonb_from_element (v);
   *out = mt_is_nullish (v) ? mt_v_null () : v;
   if (MT_USER (ev) & TEXT)
      *out = as_text (ev, *out, document);
   return true;
}

/* Converts a BSON value that JSON shows as an object (such as a date) to that object, so that its
 * fields can be extracted. */
static bool looked_into (MtEval *ev, MtVal v, MtVal *out)
{
   *out = v;
   return (MT_USER (ev) & DOCUMENT) || v.type == MT_DOC || v.type == MT_ARRAY ||
          mt_jsonb_canonical (ev->arena, v, out, ev->err);
}

static bool fn_json_get (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v;
   if (!looked_into (ev, a[0], &v))
      return false;
   if (a[1].type == MT_STRING)
      return give (ev, mt_jsonb_field (v, mt_v_text (a[1])), out);
   if (v.type != MT_DOC && v.type != MT_ARRAY) /* a scalar counts as an array with one element */
      return give (ev, a[1].i == 0 || a[1].i == -1 ? v : mt_v_missing (), out);
   return give (ev, mt_jsonb_element (v, a[1].i), out);
}

static bool fn_json_path (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtVal v, *path = mt_v_elements (ev->arena, a[1], &count);
   return looked_into (ev, a[0], &v) && give (ev, count ? mt_jsonb_at (v, path, count) : v, out);
}

/* Computes jsonb_extract_path. Arguments: jsonb, key, key, …. */
static bool fn_json_extract (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v;
   *out = mt_v_null ();
   for (int i = 0; i < n; i++)
      if (mt_is_nullish (a[i]))
         return true;
   return looked_into (ev, a[0], &v) && give (ev, mt_jsonb_at (v, a + 1, (size_t) n - 1), out);
}

/* ---- tests ---- */

static bool fn_json_contains (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal x, y;
   if (!mt_jsonb_canonical (ev->arena, a[MT_USER (ev)], &x, ev->err) ||
       !mt_jsonb_canonical (ev->arena, a[!MT_USER (ev)], &y, ev->err))
      return false;
   *out = mt_v_bool (mt_jsonb_contains (x, y));
   return true;
}

static bool fn_json_exists (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_bool (mt_jsonb_has_key (a[0], mt_v_text (a[1])));
   return true;
}

/* Computes jsonb ?| text[]: whether any of the keys exists. If MT_USER (ev) is 1, ?&: whether all
 * exist. */
static bool fn_json_exists_some (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtDocIter it = mt_doc_iter (a[1]);
   MtStr key;
   MtVal v;
   bool all = MT_USER (ev);
   while (mt_doc_next (&it, &key, &v))
      if (!mt_is_nullish (v) && mt_jsonb_has_key (a[0], mt_v_text (v)) != all) {
         *out = mt_v_bool (!all);
         return true;
      }
   *out = mt_v_bool (all);
   return true;
}

static bool fn_json_type (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const char *s = MT_USER (ev) & DOCUMENT ? mt_v_type_name (a[0]) : mt_jsonb_type (a[0]);
   *out = mt_v_cstr (s);
   return true;
}

static bool fn_json_length (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (a[0].type != MT_ARRAY)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot get array length of a %s",
                       a[0].type == MT_DOC ? "non-array" : "scalar");
   *out = mt_v_int32 ((int32_t) mt_doc_count (a[0]));
   return true;
}

/* ---- computing changed jsonb values ---- */

static bool fn_json_concat (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal x, y;
   return mt_jsonb_canonical (ev->arena, a[0], &x, ev->err) &&
          mt_jsonb_canonical (ev->arena, a[1], &y, ev->err) &&
          mt_jsonb_concat (ev->arena, x, y, out, ev->err);
}

static bool fn_json_minus (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v;
   size_t count = 1;
   const MtVal *keys = a + 1;
   if (!mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   if (a[1].type == MT_INT32)
      return mt_jsonb_without_element (ev->arena, v, a[1].i, out, ev->err);
   if (a[1].type == MT_ARRAY)
      keys = mt_v_elements (ev->arena, a[1], &count);
   return mt_jsonb_without_keys (ev->arena, v, keys, count, out, ev->err);
}

static bool set (MtEval *ev, MtVal target, MtVal path, MtJsonSet how, MtVal value, MtVal *out)
{
   size_t n;
   MtVal *steps = mt_v_elements (ev->arena, path, &n), v, w;
   return mt_jsonb_canonical (ev->arena, target, &v, ev->err) &&
          mt_jsonb_canonical (ev->arena, value, &w, ev->err) &&
          mt_jsonb_set (ev->arena, v, &(MtJsonChange) {steps, n, how, w}, out, ev->err);
}

static bool fn_json_delete_path (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return set (ev, a[0], a[1], MT_JSON_DELETE, mt_v_null (), out);
}

static bool fn_jsonb_set (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return set (ev, a[0], a[1], a[3].i ? MT_JSON_CREATE : MT_JSON_REPLACE, a[2], out);
}

static bool fn_jsonb_insert (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return set (ev, a[0], a[1], a[3].i ? MT_JSON_INSERT_AFTER : MT_JSON_INSERT_BEFORE, a[2], out);
}

/* Computes jsonb_set_lax. Arguments: target, path, value, create_if_missing,
 * null_value_treatment. */
static bool fn_jsonb_set_lax (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool create = a[3].i;
   MtStr how = mt_is_nullish (a[4]) ? MT_STR ("") : mt_v_text (a[4]);
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]) || mt_is_nullish (a[1]) || mt_is_nullish (a[3]))
      return true;
   if (!mt_is_nullish (a[2]))
      return set (ev, a[0], a[1], create ? MT_JSON_CREATE : MT_JSON_REPLACE, a[2], out);
   if (mt_str_is (how, "use_json_null"))
      return set (ev, a[0], a[1], create ? MT_JSON_CREATE : MT_JSON_REPLACE, mt_jsonb_null (), out);
   if (mt_str_is (how, "delete_key"))
      return set (ev, a[0], a[1], MT_JSON_DELETE, mt_v_null (), out);
   *out = a[0];
   if (mt_str_is (how, "return_target"))
      return true;
   if (!mt_str_is (how, "raise_exception"))
      return mt_error (
         ev->err, MT_E_PARAMETER,
         "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or "
         "\"raise_exception\"");
   mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "JSON value must not be null");
   mt_error_detail (ev->err,
                    "Exception was raised because null_value_treatment is \"raise_exception\".");
   return mt_error_hint (
      ev->err,
      "To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not "
      "passed.");
}

static bool fn_jsonb_strip_nulls (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v;
   return mt_jsonb_canonical (ev->arena, a[0], &v, ev->err) &&
          mt_jsonb_strip_nulls (ev->arena, v, out, ev->err);
}

static bool fn_jsonb_pretty (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v;
   MtBuf b = {0};
   if (!mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   mt_jsonb_pretty (v, &b);
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_jsonb_from_document (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_jsonb_canonical (ev->arena, a[0], out, ev->err);
}

static bool fn_document_from_jsonb (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_jsonb_to_element (a[0]);
   return true;
}

/* Casts a number to real (`single`) or double precision through its text, because that reports
 * values out of range. */
static bool to_float (MtEval *ev, bool single, MtVal number, MtVal *out)
{
   MtBuf b = {0};
   float f = 0;
   double d = 0;
   mt_jsonb_print (number, &b);
   bool ok = single ? mt_float_in (b.p, b.n, &f, ev->err) : mt_double_in (b.p, b.n, &d, ev->err);
   mt_buf_free (&b);
   *out = mt_v_double (single ? (double) f : d);
   return ok;
}

/* Casts a jsonb number or boolean to the type MT_USER (ev). */
static bool fn_from_jsonb (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtType t = mt_type ((MtTypeId) MT_USER (ev));
   bool fits = t.id == MT_T_BOOL ? a[0].type == MT_BOOL : mt_is_number (a[0]);
   MtNum x;
   int64_t i;
   int bits = 64;
   if (!fits)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot cast jsonb %s to type %s",
                       mt_jsonb_type (a[0]), mt_type_info (t.id)->display);
   if (t.id == MT_T_FLOAT4 || t.id == MT_T_FLOAT8)
      return to_float (ev, t.id == MT_T_FLOAT4, a[0], out);
   if (!mt_type_is_integer (t.id))
      return mt_value_normalize (ev->arena, t, a[0], out, ev->err);
   mt_num_from_val (a[0], &x);
   if (t.id != MT_T_INT8)
      bits = t.id == MT_T_INT4 ? 32 : 16;
   if (!mt_num_to_bits (x, bits, &i, ev->err))
      return false;
   *out = bits == 64 ? mt_v_int64 (i) : mt_v_int32 ((int32_t) i);
   return true;
}

/* Returns the sort key of a jsonb value, by which values are also compared for equality. */
static bool fn_json_key (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_jsonb_key (ev->arena, a[0], out, ev->err);
}

const MtOpRow mt_json_ops[] = {
   {.name = "$_mtJsonbKey",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_json_key,
    .summary = "key by which jsonb values are ordered and compared",
    .example = "{\"$_mtJsonbKey\": [true]} => {\"r\": 3, \"v\": true}"},
   {.name = NULL},
};

#define OPER (MT_F_OPERATOR | MT_NN)
#define GET(T, op, d) \
   MT_ROW_KIND (JSON_KEY, "->", T ", text -> " T, MT_F_OPERATOR, NULL, \
                MT_OPN (op "_get", json_get, d), "field of an object", \
                "SELECT '{\"a\": [1]}'::" T " -> 'a' => [1]"), \
      MT_ROW_KIND (JSON_KEY, "->", T ", int4 -> " T, MT_F_OPERATOR, NULL, \
                   MT_OPN (op "_get", json_get, d), "element of an array", \
                   "SELECT '[1, 2]'::" T " -> 1 => 2"), \
      MT_ROW_KIND (JSON_KEY_TEXT, "->>", T ", text -> text", MT_F_OPERATOR, NULL, \
                   MT_OPN (op "_text", json_get, TEXT | d), "field of an object, as text", \
                   "SELECT '{\"a\": \"x\"}'::" T " ->> 'a' => x"), \
      MT_ROW_KIND (JSON_KEY_TEXT, "->>", T ", int4 -> text", MT_F_OPERATOR, NULL, \
                   MT_OPN (op "_text", json_get, TEXT | d), "element of an array, as text", \
                   "SELECT '[1, \"b\"]'::" T " ->> -1 => b"), \
      MT_ROW_KIND (JSON_PATH, "#>", T ", text[] -> " T, MT_F_OPERATOR, NULL, \
                   MT_OPN (op "_path", json_path, d), "value at a path", \
                   "SELECT '{\"a\": [1, 2]}'::" T " #> '{a,1}' => 2"), \
      MT_ROW_KIND (JSON_PATH_TEXT, "#>>", T ", text[] -> text", MT_F_OPERATOR, NULL, \
                   MT_OPN (op "_path_text", json_path, TEXT | d), "value at a path, as text", \
                   "SELECT '{\"a\": [1, \"x\"]}'::" T " #>> '{a,-1}' => x")
#define CHANGE(name_, more, flags_, fn_, s, ex, ...) \
   {.name = name_, \
    .signature = "jsonb_in jsonb, path text[], replacement jsonb" more " -> jsonb", \
    .flags = flags_, \
    .op = MT_OPN (name_, fn_, 0), \
    .defaults = (const char *const[]) {NULL, NULL, NULL, __VA_ARGS__}, \
    .summary = s, \
    .example = ex}
#define FROM_JSONB(to, id, v, text) \
   MT_ROW (to, "jsonb -> " to, MT_F_CAST | MT_NN, NULL, MT_OPN (to "_from_jsonb", from_jsonb, id), \
           "cast", "SELECT " v "::jsonb::" to " => " text)

const MtFunc mt_fn_json[] = {
   GET ("jsonb", "json", 0),
   GET ("document", "document", 2),
   MT_ROW_KIND (CONTAINS, "@>", "jsonb, jsonb -> bool", OPER, NULL,
                MT_OPN ("json_contains", json_contains, 0),
                "whether the left value contains the right one",
                "SELECT '{\"a\": 1, \"b\": 2}'::jsonb @> '{\"b\": 2}' => t"),
   MT_ROW_KIND (CONTAINED, "<@", "jsonb, jsonb -> bool", OPER, NULL,
                MT_OPN ("json_contained", json_contains, 1),
                "whether the right value contains the left one",
                "SELECT '{\"b\": 2}'::jsonb <@ '{\"a\": 1, \"b\": 2}' => t"),
   MT_ROW ("?", "jsonb, text -> bool", OPER, NULL, MT_OPN ("json_exists", json_exists, 0),
           "whether the value has a key, or a string as an element",
           "SELECT '[\"a\"]'::jsonb ? 'a' => t"),
   MT_ROW ("?|", "jsonb, text[] -> bool", OPER, NULL,
           MT_OPN ("json_exists_any", json_exists_some, 0), "whether the value has one of the keys",
           "SELECT '{\"a\": 1}'::jsonb ?| '{a,b}' => t"),
   MT_ROW ("?&", "jsonb, text[] -> bool", OPER, NULL,
           MT_OPN ("json_exists_all", json_exists_some, 1), "whether the value has all of the keys",
           "SELECT '{\"a\": 1}'::jsonb ?& '{a,b}' => f"),
   MT_ROW ("||", "jsonb, jsonb -> jsonb", OPER, NULL, MT_OPN ("json_concat", json_concat, 0),
           "fields or elements of both", "SELECT '[1]'::jsonb || '2' => [1, 2]"),
   MT_ROW ("-", "jsonb, text -> jsonb", OPER, NULL, MT_OPN ("json_minus", json_minus, 0),
           "jsonb without a key", "SELECT '{\"a\": 1, \"b\": 2}'::jsonb - 'a' => {\"b\": 2}"),
   MT_ROW ("-", "jsonb, int4 -> jsonb", OPER, NULL, MT_OPN ("json_minus", json_minus, 0),
           "jsonb without an element", "SELECT '[1, 2]'::jsonb - 0 => [2]"),
   MT_ROW ("-", "jsonb, text[] -> jsonb", OPER, NULL, MT_OPN ("json_minus", json_minus, 0),
           "jsonb without keys", "SELECT '{\"a\": 1, \"b\": 2}'::jsonb - '{a,b}'::text[] => {}"),
   MT_ROW ("#-", "jsonb, text[] -> jsonb", OPER, NULL,
           MT_OPN ("json_delete_path", json_delete_path, 0), "jsonb without the value at a path",
           "SELECT '[1, {\"a\": 2}]'::jsonb #- '{1,a}' => [1, {}]"),
   MT_ROW_KIND (JSON_PATH, "jsonb_extract_path", "jsonb, text -> jsonb", MT_F_VARIADIC, NULL,
                MT_OPN ("json_extract", json_extract, 0), "value at a path",
                "SELECT jsonb_extract_path('{\"a\": [1, 2]}', 'a', '1') => 2"),
   MT_ROW_KIND (JSON_PATH_TEXT, "jsonb_extract_path_text", "jsonb, text -> text", MT_F_VARIADIC,
                NULL, MT_OPN ("json_extract_text", json_extract, TEXT), "value at a path, as text",
                "SELECT jsonb_extract_path_text('{\"a\": \"x\"}', 'a') => x"),
   MT_ROW ("jsonb_typeof", "jsonb -> text", MT_NN, NULL, MT_OPN ("json_type", json_type, 0),
           "type of a JSON value", "SELECT jsonb_typeof('-123.4') => number"),
   MT_ROW ("bson_type", "document -> text", MT_NN, "{\"$type\": \"$1\"}",
           MT_OPN ("bson_type", json_type, DOCUMENT), "BSON type of a value",
           "SELECT bson_type('1'::document) => int"),
   MT_ROW ("jsonb_array_length", "jsonb -> int4", MT_NN, NULL,
           MT_OPN ("json_length", json_length, 0), "number of elements",
           "SELECT jsonb_array_length('[1, [2, 3]]') => 2"),
   CHANGE ("jsonb_set", ", create_if_missing bool", MT_NN, jsonb_set,
           "jsonb with the value at a path replaced",
           "SELECT jsonb_set('{\"a\": 1}', '{b}', '2') => {\"a\": 1, \"b\": 2}", "true"),
   CHANGE ("jsonb_set_lax", ", create_if_missing bool, null_value_treatment text", MT_F_NOT_STRICT,
           jsonb_set_lax,
           "jsonb with the value at a path replaced; the last argument says how NULL is treated",
           "SELECT jsonb_set_lax('{\"a\": 1}', '{a}', NULL) => {\"a\": null}", "true",
           "'use_json_null'"),
   CHANGE ("jsonb_insert", ", insert_after bool", MT_NN, jsonb_insert,
           "jsonb with a key or an element inserted at a path",
           "SELECT jsonb_insert('[1, 2]', '{1}', '9') => [1, 9, 2]", "false"),
   MT_ROW ("jsonb_strip_nulls", "jsonb -> jsonb", MT_NN, NULL,
           MT_OPN ("jsonb_strip_nulls", jsonb_strip_nulls, 0), "jsonb without fields that are null",
           "SELECT jsonb_strip_nulls('{\"a\": null, \"b\": [null]}') => {\"b\": [null]}"),
   MT_ROW ("jsonb_pretty", "jsonb -> text", MT_NN, NULL, MT_OPN ("jsonb_pretty", jsonb_pretty, 0),
           "jsonb as indented text", "SELECT length(jsonb_pretty('[1, 2]')) => 16"),
   MT_ROW ("jsonb", "document -> jsonb", MT_F_CAST | MT_F_CAST_IMPLICIT | MT_NN, NULL,
           MT_OPN ("jsonb_from_document", jsonb_from_document, 0), "cast",
           "SELECT '[1]'::document::jsonb => [1]"),
   MT_ROW ("document", "jsonb -> document", MT_F_CAST | MT_F_CAST_IMPLICIT, NULL,
           MT_OPN ("document_from_jsonb", document_from_jsonb, 0), "cast",
           "SELECT '[1]'::jsonb::document => [1]"),
   FROM_JSONB ("bool", MT_T_BOOL, "'true'", "t"),
   FROM_JSONB ("int2", MT_T_INT2, "'7'", "7"),
   FROM_JSONB ("int4", MT_T_INT4, "'1.5'", "2"),
   FROM_JSONB ("int8", MT_T_INT8, "'1'", "1"),
   FROM_JSONB ("float4", MT_T_FLOAT4, "'1.5'", "1.5"),
   FROM_JSONB ("float8", MT_T_FLOAT8, "'1.5'", "1.5"),
   FROM_JSONB ("numeric", MT_T_NUMERIC, "'1.50'", "1.50"),
   {.name = NULL},
};
