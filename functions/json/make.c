/* Converts other values to jsonb: to_jsonb, the builders (jsonb_build_object …), and the results of
 * jsonb_agg's accumulators. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/json_text.h"
#include "types/jsonb.h"
#include "types/numeric.h"
#include "types/record.h"
#include "types/tz.h"

#include <math.h>
#include <string.h>

/* ---- converting one value to jsonb ---- */

static bool text_value (MtEval *ev, MtTypeId t, MtVal v, const MtZone *zone, MtVal *out)
{
   MtTextStyle style = {.zone = zone, .extra_float_digits = 1};
   MtBuf b = {0};
   if (!mt_value_print (mt_type (t), v, &style, &b, ev->err)) {
      mt_buf_free (&b);
      return false;
   }
   if (t == MT_T_TIMESTAMP || t == MT_T_TIMESTAMPTZ)
      mt_json_time (&b, t == MT_T_TIMESTAMPTZ);
   *out = mt_text_result (ev, &b);
   return true;
}

/* Converts a number to jsonb. A double becomes the numeric with its shortest text. NaN and
 * infinity, which JSON does not have, become strings. */
static bool number_value (MtEval *ev, MtTypeId t, MtVal v, MtVal *out)
{
   MtNum n;
   MtVal text;
   if (v.type == MT_DECIMAL && !mt_num_is_nan (mt_num_load (v.p)) &&
       !mt_num_is_inf (mt_num_load (v.p))) {
      *out = v;
      return true;
   }
   if (!text_value (ev, t, v, NULL, &text))
      return false;
   *out = text;
   if (v.type == MT_DECIMAL || v.d - v.d != 0)
      return true;
   if (!mt_num_in ((const char *) text.p, text.len, &n, ev->err))
      return false;
   *out = mt_num_to_val (ev->arena, n);
   return true;
}

static bool object (MtEval *ev, MtVal record, const MtZone *zone, MtVal *out);

static bool scalar (MtEval *ev, MtTypeId t, MtVal v, const MtZone *zone, MtVal *out)
{
   *out = v;
   if (mt_is_nullish (v))
      return true;
   switch (mt_type_form (t)) {
   case MT_T_JSON:
      return mt_json_parse (ev->arena, (MtStr) {(const char *) v.p, v.len}, out, ev->err);
   case MT_T_JSONB:
   case MT_ANY_STATE:
   case MT_T_DOCUMENT: return mt_jsonb_canonical (ev->arena, v, out, ev->err);
   case MT_T_FLOAT4:
   case MT_T_FLOAT8:
   case MT_T_NUMERIC: return number_value (ev, t, v, out);
   case MT_T_BOOL:
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR: return mt_value_normalize (ev->arena, mt_type (t), v, out, ev->err);
   case MT_T_UNKNOWN:
   case MT_T_DATE:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ:
   case MT_T_INTERVAL:
   case MT_T_UUID:
   case MT_T_BYTEA:
   case MT_T_OBJECTID:
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE:
   case MT_T_COUNT: break;
   case MT_T_RECORD: return object (ev, v, zone, out);
   }
   return text_value (ev, t, v, zone, out);
}

/* Converts an SQL array with all its dimensions to a JSON array. */
static bool list (MtEval *ev, MtTypeId element, MtVal v, const MtZone *zone, MtVal *out)
{
   size_t n;
   MtVal *e = mt_v_elements (ev->arena, v, &n);
   for (size_t i = 0; i < n; i++) {
      bool nested = e[i].type == MT_ARRAY && element != MT_T_JSONB &&
                    element !=
                       MT_T_DOCUMENT; /* recursion is no deeper than the array's dimensions */
      if (nested ? !list (ev, element, e[i], zone, &e[i])
                 : !scalar (ev, element, e[i], zone, &e[i]))
         return false;
      e[i] = mt_jsonb_to_element (e[i]);
   }
   return mt_v_make_array (ev->arena, e, n, out, ev->err);
}

static bool value (MtEval *ev, MtTypeId t, MtVal v, const MtZone *zone, MtVal *out)
{
   return mt_type_is_array (t) && !mt_is_nullish (v) ? list (ev, mt_type_element (t), v, zone, out)
                                                     : scalar (ev, t, v, zone, out);
}

/* Converts a record to a JSON object. The recursion is limited by the nesting of the record's
 * type. */
static bool object (MtEval *ev, MtVal record, const MtZone *zone, MtVal *out)
{
   MtRecordIter it = mt_record_iter (record);
   MtRecordField f;
   size_t n = 0, cap = mt_record_count (record) + 1;
   MtJsonMember *m = MT_TRY_NEW_N (ev->arena, MtJsonMember, cap);
   if (!m)
      return mt_memory_check (ev->err);
   for (; n < cap && mt_record_next (&it, &f); n++) {
      m[n] = (MtJsonMember) {.key = f.name};
      if (!value (ev, f.type, f.value, zone, &m[n].value))
         return false;
   }
   return mt_jsonb_object (ev->arena, m, n, out, ev->err);
}

/* Computes to_jsonb. Arguments: value, name of its type, time zone. */
static bool fn_to_jsonb (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   const MtZone *zone;
   if (!mt_type_by_name (mt_v_text (a[1]), &t) || !mt_zone_arg (ev, a[2], &zone))
      return false;
   return value (ev, t, a[0], zone, out);
}

/* ---- objects and arrays ---- */

static bool fn_build_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal *e = MT_TRY_NEW_N (ev->arena, MtVal, (size_t) n + 1);
   if (!e)
      return mt_memory_check (ev->err);
   for (int i = 0; i < n; i++)
      e[i] = mt_jsonb_to_element (a[i]);
   return mt_v_make_array (ev->arena, e, (size_t) n, out, ev->err);
}

/* Sets *out to the text of a jsonb scalar, for use as the key of an object. Fails if v is an object
 * or array. */
static bool key_text (MtEval *ev, MtVal v, MtStr *out)
{
   MtBuf b = {0};
   if (v.type == MT_DOC || v.type == MT_ARRAY)
      return mt_error (ev->err, MT_E_PARAMETER,
                       "key value must be scalar, not array, composite, or json");
   if (v.type != MT_STRING) {
      mt_jsonb_print (v, &b);
      v = mt_text_result (ev, &b);
   }
   *out = mt_v_text (v);
   return true;
}

static bool fn_build_object (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtJsonMember *m = MT_TRY_NEW_N (ev->arena, MtJsonMember, (size_t) n + 1);
   if (!m)
      return mt_memory_check (ev->err);
   if (n % 2) {
      mt_error (ev->err, MT_E_PARAMETER, "argument list must have even number of elements");
      return mt_error_hint (
         ev->err,
         "The arguments of jsonb_build_object() must consist of alternating keys and values.");
   }
   for (int i = 0; i < n; i += 2) {
      if (mt_is_nullish (a[i]))
         return mt_error (ev->err, MT_E_PARAMETER, "argument %d: key must not be null", i + 1);
      if (!key_text (ev, a[i], &m[i / 2].key))
         return false;
      m[i / 2].value = a[i + 1];
   }
   return mt_jsonb_object (ev->arena, m, (size_t) n / 2, out, ev->err);
}

static bool member (MtEval *ev, MtVal key, MtVal value, MtJsonMember *m)
{
   if (mt_is_nullish (key))
      return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "null value not allowed for object key");
   *m = (MtJsonMember) {.key = mt_v_text (key), .value = value};
   return true;
}

/* Builds an object from keys and text values: as jsonb, or if MT_USER (ev) is 1, as text of type
 * json. */
static bool object_of_texts (MtEval *ev, MtJsonMember *m, size_t n, MtVal *out)
{
   MtBuf b = {0};
   if (!MT_USER (ev))
      return mt_jsonb_object (ev->arena, m, n, out, ev->err);
   for (size_t i = 0; i < n; i++) {
      mt_buf_adds (&b, i ? ", " : "{");
      mt_json_string (&b, m[i].key.p, m[i].key.n);
      mt_buf_adds (&b, " : ");
      if (mt_is_nullish (m[i].value))
         mt_buf_adds (&b, "null");
      else
         mt_json_string (&b, (const char *) m[i].value.p, m[i].value.len);
   }
   mt_buf_adds (&b, n ? "}" : "{}");
   *out = mt_text_result (ev, &b);
   return true;
}

/* Computes jsonb_object (text[]). The array has keys and values alternately, or pairs of key and
 * value. */
static bool fn_jsonb_object (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS], count, k = 0, width;
   int d = mt_array_dims (a[0], false, dims);
   MtVal *e = mt_v_elements (ev->arena, a[0], &count), *pair = e;
   MtJsonMember *m = MT_TRY_NEW_N (ev->arena, MtJsonMember, count + 1);
   if (!e || !m)
      return mt_memory_check (ev->err);
   if (d > 2)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "wrong number of array subscripts");
   if (d == 2 && dims[1] != 2)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "array must have two columns");
   if (d == 1 && count % 2)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "array must have even number of elements");
   for (size_t i = 0; i < count; i += d == 2 ? 1 : 2) {
      pair = d == 2 ? mt_v_elements (ev->arena, e[i], &width) : e + i;
      if (!member (ev, pair[0], pair[1], &m[k++]))
         return false;
   }
   return object_of_texts (ev, m, k, out);
}

static bool fn_jsonb_object_two (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS], keys, values;
   MtVal *k = mt_v_elements (ev->arena, a[0], &keys), *v = mt_v_elements (ev->arena, a[1], &values);
   MtJsonMember *m = MT_TRY_NEW_N (ev->arena, MtJsonMember, keys + 1);
   if (!k || !v || !m)
      return mt_memory_check (ev->err);
   if (mt_array_dims (a[0], false, dims) > 1 || mt_array_dims (a[1], false, dims) > 1)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "wrong number of array subscripts");
   if (keys != values)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "mismatched array dimensions");
   for (size_t i = 0; i < keys; i++)
      if (!member (ev, k[i], v[i], &m[i]))
         return false;
   return object_of_texts (ev, m, keys, out);
}

/* ---- aggregates ---- */

/* Computes jsonb_agg. The argument is the result of $_mtSorted, [[value, …], …]; the first value of
 * each row is used. */
static bool fn_agg_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   MtVal *e = mt_v_elements (ev->arena, a[0], &count);
   for (size_t i = 0; i < count; i++)
      e[i] = mt_jsonb_to_element (mt_doc_at (e[i], 0));
   return mt_v_make_array (ev->arena, e, count, out, ev->err);
}

static bool fn_agg_object (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   MtVal *e = mt_v_elements (ev->arena, a[0], &count);
   MtJsonMember *m = MT_TRY_NEW_N (ev->arena, MtJsonMember, count + 1);
   if (!e || !m)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < count; i++) {
      MtVal key = mt_doc_at (e[i], 0);
      if (mt_is_nullish (key))
         return mt_error (ev->err, MT_E_PARAMETER, "field name must not be null");
      if (!key_text (ev, key, &m[i].key))
         return false;
      m[i].value = mt_doc_at (e[i], 1);
   }
   return mt_jsonb_object (ev->arena, m, count, out, ev->err);
}

#define AGG_OP(name_, fn_, s, ex) \
   {.name = name_, \
    .min_args = 1, \
    .max_args = 1, \
    .flags = MT_OP_FOLD, \
    .fn = fn_, \
    .summary = s, \
    .example = ex}

const MtOpRow mt_json_make_ops[] = {
   AGG_OP ("$_mtJsonbArray", fn_agg_array, "jsonb_agg of gathered rows",
           "{\"$_mtJsonbArray\": [[[1, 2], [3]]]} => [1, 3]"),
   AGG_OP ("$_mtJsonbObject", fn_agg_object, "jsonb_object_agg of gathered rows",
           "{\"$_mtJsonbObject\": [[[\"b\", 2], [\"a\", 1]]]} => {\"a\": 1, \"b\": 2}"),
   {.name = NULL},
};

#define VALUES (MT_F_NOT_STRICT | MT_NN | MT_F_VARIADIC | MT_F_JSON_VALUES)
#define ARRAY_OF (VALUES | MT_F_JSON_ROWS)
#define OBJECT_OF (VALUES | MT_F_JSON_PAIRS)

const MtFunc mt_fn_json_make[] = {
   MT_ROW ("to_jsonb", "anyelement, _type text, _zone text -> jsonb", MT_NN | MT_F_JSON_ROWS, NULL,
           MT_OPN ("to_jsonb", to_jsonb, 0), "value as jsonb",
           "SELECT to_jsonb(timestamp '2020-01-02 03:04') => \"2020-01-02T03:04:00\""),
   MT_ROW ("jsonb_build_array", "any -> jsonb", ARRAY_OF, NULL,
           MT_OPN ("jsonb_build_array", build_array, 0), "jsonb array of the values",
           "SELECT jsonb_build_array(1, 'a', NULL) => [1, \"a\", null]"),
   MT_ROW ("jsonb_build_array", "-> jsonb", MT_F_NOT_STRICT | MT_NN, NULL,
           MT_OPN ("jsonb_build_array", build_array, 0), "empty jsonb array",
           "SELECT jsonb_build_array() => []"),
   MT_ROW ("jsonb_build_object", "any -> jsonb", OBJECT_OF | MT_F_JSON_ROWS, NULL,
           MT_OPN ("jsonb_build_object", build_object, 0),
           "jsonb object of alternating keys and values",
           "SELECT jsonb_build_object('b', 1.50, 'a', true) => {\"a\": true, \"b\": 1.50}"),
   MT_ROW ("jsonb_build_object", "-> jsonb", MT_F_NOT_STRICT | MT_NN, NULL,
           MT_OPN ("jsonb_build_object", build_object, 0), "empty jsonb object",
           "SELECT jsonb_build_object() => {}"),
   MT_ROW ("json_object", "text[] -> json", MT_NN, NULL, MT_OPN ("json_object", jsonb_object, 1),
           "json object of alternating keys and values, or of a list of pairs",
           "SELECT json_object('{a,1,b,2}') => {\"a\" : \"1\", \"b\" : \"2\"}"),
   MT_ROW ("json_object", "text[], text[] -> json", MT_NN, NULL,
           MT_OPN ("json_object_two", jsonb_object_two, 1), "json object of keys and values",
           "SELECT json_object('{a,b}', '{1,2}') => {\"a\" : \"1\", \"b\" : \"2\"}"),
   MT_ROW ("jsonb_object", "text[] -> jsonb", MT_NN, NULL, MT_OPN ("jsonb_object", jsonb_object, 0),
           "jsonb object of alternating keys and values",
           "SELECT jsonb_object('{a,1,b,2}') => {\"a\": \"1\", \"b\": \"2\"}"),
   MT_ROW ("jsonb_object", "keys text[], values text[] -> jsonb", MT_NN, NULL,
           MT_OPN ("jsonb_object_two", jsonb_object_two, 0),
           "jsonb object of keys and their values",
           "SELECT jsonb_object('{a,b}', '{1,2}') => {\"a\": \"1\", \"b\": \"2\"}"),
   {.name = NULL},
};
