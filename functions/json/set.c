/* Functions that return the elements or members of a jsonb as rows. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/jsonb.h"

#include <string.h>

/* Returns v as jsonb, or with `text` as text. As text, JSON's null becomes SQL's NULL. */
static MtVal part_of (MtEval *ev, MtVal v, bool text)
{
   MtBuf b = {0};
   if (!text)
      return mt_jsonb_from_element (v);
   if (v.type == MT_STRING || v.type == MT_NULL)
      return v;
   mt_jsonb_print (v, &b);
   return mt_text_result (ev, &b);
}

/* Computes jsonb_array_elements, or jsonb_array_elements_text if MT_USER (ev) is 1. */
static bool fn_elements (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtVal v;
   if (a[0].type != MT_ARRAY)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot extract elements from %s",
                       strcmp (mt_jsonb_type (a[0]), "object") == 0 ? "an object" : "a scalar");
   if (!mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   MtVal *e = mt_v_elements (ev->arena, v, &count);
   for (size_t i = 0; i < count; i++)
      e[i] = part_of (ev, e[i], MT_USER (ev));
   return mt_v_make_array (ev->arena, e, count, out, ev->err);
}

/* Flags of MT_USER (ev): KEYS computes jsonb_object_keys instead of jsonb_each; TEXT_TOO returns
 * values as text. */
enum { KEYS = 2, TEXT_TOO = 1 };

static bool fn_fields (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtStr names[2] = {MT_STR ("key"), MT_STR ("value")}, key;
   MtVal v, e, pair[2];
   size_t i = 0;
   if (!mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   if (v.type != MT_DOC && (MT_USER (ev) & KEYS))
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call jsonb_object_keys on %s",
                       v.type == MT_ARRAY ? "an array" : "a scalar");
   if (v.type != MT_DOC)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call jsonb_each%s on a non-object",
                       MT_USER (ev) & TEXT_TOO ? "_text" : "");
   MtVal *rows = MT_TRY_NEW_N (ev->arena, MtVal, mt_doc_count (v) + 1);
   if (!rows)
      return mt_memory_check (ev->err);
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &e); i++) {
      rows[i] = pair[0] = mt_v_str (key.p, key.n);
      pair[1] = part_of (ev, e, MT_USER (ev) & TEXT_TOO);
      if (!(MT_USER (ev) & KEYS) && !mt_v_make_doc (ev->arena, names, pair, 2, &rows[i], ev->err))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, i, out, ev->err);
}

/* ---- rows whose columns the call defines ---- */

typedef struct Filling {
   MtEval *ev;
   MtTextStyle style;
   MtStr key;
} Filling;

static bool fill (Filling *f, MtType t, MtVal v, MtVal *out);

/* Context for converting nested JSON arrays to an SQL array. The first innermost element determines
 * the number of dimensions. */
typedef struct Dims {
   int count;                      /* 0: not known so far */
   size_t size[MT_MAX_ARRAY_DIMS]; /* of each dimension in which an array was completed */
   bool sized[MT_MAX_ARRAY_DIMS];
   size_t at[MT_MAX_ARRAY_DIMS]; /* the element that is being filled */
   bool empty;
} Dims;

/* Reports that a JSON array is missing at nesting level `level` of the value of key f->key. Returns
 * false. */
static bool no_array (Filling *f, const Dims *d, int level)
{
   MtBuf at = {0};
   for (int i = 0; i < level; i++)
      mt_buf_printf (&at, "[%zu]", d->at[i]);
   mt_error (f->ev->err, MT_E_TEXT_REPRESENTATION, "expected JSON array");
   if (level == 0)
      mt_error_hint (f->ev->err, "See the value of key \"%.*s\".", (int) f->key.n, f->key.p);
   else
      mt_error_hint (f->ev->err, "See the array element %s of key \"%.*s\".", at.p, (int) f->key.n,
                     f->key.p);
   mt_buf_free (&at);
   return false;
}

static bool same_size (Filling *f, Dims *d, int level, size_t n)
{
   if (d->sized[level] && d->size[level] != n) {
      mt_error (f->ev->err, MT_E_TEXT_REPRESENTATION, "malformed JSON array");
      return mt_error_detail (
         f->ev->err, "Multidimensional arrays must have sub-arrays with matching dimensions.");
   }
   d->sized[level] = true;
   d->size[level] = n;
   d->empty |= n == 0;
   return true;
}

static bool fill_level (Filling *f, Dims *d, MtType element, MtVal v, int level, MtVal *out)
{
   size_t n;
   if (v.type != MT_ARRAY)
      return no_array (f, d, level);
   if (level == MT_MAX_ARRAY_DIMS)
      return mt_error (f->ev->err, MT_E_LIMIT,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)",
                       level + 1, MT_MAX_ARRAY_DIMS);
   MtVal *e = mt_v_elements (f->ev->arena, v, &n);
   if (d->count == 0 && (n == 0 || e[0].type != MT_ARRAY))
      d->count = level + 1;
   for (size_t i = 0; i < n; i++) {
      d->at[level] = i;
      bool within = d->count == 0 || level + 1 < d->count;
      if (!(within ? fill_level (f, d, element, e[i], level + 1, &e[i])
                   : fill (f, element, e[i], &e[i])))
         return false;
   }
   return same_size (f, d, level, n) && mt_v_make_array (f->ev->arena, e, n, out, f->ev->err);
}

static bool fill_array (Filling *f, MtType t, MtVal v, MtVal *out)
{
   Dims d = {0};
   MtType element = t;
   element.id = mt_type_element (t.id);
   return fill_level (f, &d, element, v, 0, out) &&
          (!d.empty || mt_v_make_array (f->ev->arena, NULL, 0, out, f->ev->err));
}

/* Converts the value v of a JSON object's member to type t. Most types are converted through
 * text. */
static bool fill (Filling *f, MtType t, MtVal v, MtVal *out)
{
   MtBuf b = {0};
   *out = mt_v_null ();
   if (mt_is_nullish (v))
      return true;
   if (t.id == MT_T_JSONB || t.id == MT_T_DOCUMENT) {
      *out = v;
      return true;
   }
   if (mt_type_is_array (t.id) && v.type != MT_STRING)
      return fill_array (f, t, v, out);
   if (v.type != MT_STRING) {
      mt_jsonb_print (v, &b);
      v = mt_text_result (f->ev, &b);
   }
   return mt_value_parse (f->ev->arena, t, mt_v_text (v), &f->style, out, f->ev->err);
}

/* Builds in *out the document of one result row, with fields f0, f1, …, from a JSON object. `spec`
 * lists the columns' names and types. */
static bool record (Filling *f, MtVal spec, MtVal object, MtVal *out)
{
   size_t n, width;
   MtVal *columns = mt_v_elements (f->ev->arena, spec, &n);
   MtStr *names = MT_NEW_N (f->ev->arena, MtStr, n + 1);
   MtVal *vals = MT_NEW_N (f->ev->arena, MtVal, n + 1);
   for (size_t i = 0; i < n; i++) {
      MtVal *c = mt_v_elements (f->ev->arena, columns[i], &width);
      MtType t;
      if (width != 4 || !mt_type_by_name (mt_v_text (c[1]), &t.id))
         return mt_error (f->ev->err, MT_E_PARAMETER,
                          "a column of a record has a name, a type and two modifiers");
      t.mod1 = (int16_t) c[2].i;
      t.mod2 = (int16_t) c[3].i;
      f->key = mt_v_text (c[0]);
      names[i] = mt_str (mt_printf (f->ev->arena, "f%zu", i));
      if (!fill (f, t, mt_jsonb_field (object, f->key), &vals[i]))
         return false;
   }
   return mt_v_make_doc (f->ev->arena, names, vals, n, out, f->ev->err);
}

/* Computes jsonb_to_record. Arguments: jsonb, columns, time zone, the statement's time. If MT_USER
 * (ev) is 1, jsonb_to_recordset, whose argument is an array of objects. */
static bool fn_records (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Filling f = {.ev = ev, .style = {.extra_float_digits = 1, .now_ms = a[3].i}};
   bool set = MT_USER (ev);
   size_t count = 1;
   MtVal v, *rows;
   if (!mt_zone_arg (ev, a[2], &f.style.zone) || !mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   if (!set && mt_is_nullish (v) && !mt_v_make_doc (ev->arena, NULL, NULL, 0, &v, ev->err))
      return false;
   if (set && v.type != MT_ARRAY)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call jsonb_to_recordset on a non-array");
   if (!set && v.type != MT_DOC)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call populate_composite on %s",
                       v.type == MT_ARRAY ? "an array" : "a scalar");
   rows = set ? mt_v_elements (ev->arena, v, &count) : &v;
   for (size_t i = 0; i < count; i++) {
      if (rows[i].type != MT_DOC)
         return mt_error (ev->err, MT_E_PARAMETER,
                          "argument of jsonb_to_recordset must be an array of objects");
      if (!record (&f, a[1], rows[i], &rows[i]))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, count, out, ev->err);
}

#define SET(name_, sig_, columns_, op_, summary_, example_) \
   MT_ROW_SET (name_, sig_, 0, columns_, NULL, op_, summary_, example_)

const MtFunc mt_fn_json_set[] = {
   SET ("jsonb_array_elements", "jsonb -> jsonb", "value jsonb = *",
        MT_OPN ("json_elements", elements, 0), "elements of an array, as rows",
        "SELECT jsonb_array_elements('[1, true]') => 1"),
   SET ("jsonb_array_elements_text", "jsonb -> text", "value text = *",
        MT_OPN ("json_elements_text", elements, 1), "elements of an array as text, as rows",
        "SELECT jsonb_array_elements_text('[\"a\"]') => a"),
   SET ("jsonb_object_keys", "jsonb -> text", NULL, MT_OPN ("json_keys", fields, KEYS),
        "keys of an object, as rows", "SELECT jsonb_object_keys('{\"a\": 1}') => a"),
   SET ("jsonb_each", "jsonb -> jsonb", "key text, value jsonb", MT_OPN ("json_each", fields, 0),
        "keys and values of an object, as rows", "SELECT value FROM jsonb_each('{\"a\": 1}') => 1"),
   SET ("jsonb_each_text", "jsonb -> jsonb", "key text, value text",
        MT_OPN ("json_each_text", fields, TEXT_TOO),
        "keys and values of an object as text, as rows",
        "SELECT value FROM jsonb_each_text('{\"a\": \"x\"}') => x"),
   MT_ROW_SET ("$jsonb_to_record", "jsonb, columns jsonb, _zone text, _now timestamptz -> jsonb",
               MT_F_NOT_STRICT, "f0 jsonb", NULL, MT_OPN ("json_record", records, 0),
               "an object as a row",
               "SELECT a FROM jsonb_to_record('{\"a\": \"1\"}') AS x (a int) => 1"),
   SET ("$jsonb_to_recordset", "jsonb, columns jsonb, _zone text, _now timestamptz -> jsonb",
        "f0 jsonb", MT_OPN ("json_recordset", records, 1), "objects as rows",
        "SELECT a FROM jsonb_to_recordset('[{\"a\": \"1\"}]') AS x (a int) => 1"),
   {.name = NULL},
};
