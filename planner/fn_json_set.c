/* Functions that give the parts of a jsonb as rows. */
#include "planner/func_int.h"

#include "base/jsonb.h"

#include <string.h>

/* How a part is given: as jsonb, or as text, where JSON's null is NULL. */
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

/* user 1: as text */
static bool fn_elements (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtVal v;
   if (a[0].type != MT_ARRAY)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot extract elements from %s", strcmp (mt_jsonb_type (a[0]), "object") == 0 ? "an object" : "a scalar");
   if (!mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   MtVal *e = mt_v_elements (ev->arena, v, &count);
   for (size_t i = 0; i < count; i++)
      e[i] = part_of (ev, e[i], MT_USER (ev));
   return mt_v_make_array (ev->arena, e, count, out, ev->err);
}

/* The fields of an object, in canonical order: their names, or {key, value}. user: */
enum { KEYS = 2, TEXT_TOO = 1 };

static bool fn_fields (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtStr names[2] = {MT_STR ("key"), MT_STR ("value")}, key;
   MtVal v, e, pair[2];
   size_t i = 0;
   if (!mt_jsonb_canonical (ev->arena, a[0], &v, ev->err))
      return false;
   if (v.type != MT_DOC && (MT_USER (ev) & KEYS))
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call jsonb_object_keys on %s", v.type == MT_ARRAY ? "an array" : "a scalar");
   if (v.type != MT_DOC)
      return mt_error (ev->err, MT_E_PARAMETER, "cannot call jsonb_each%s on a non-object", MT_USER (ev) & TEXT_TOO ? "_text" : "");
   MtVal *rows = MT_NEW_N (ev->arena, MtVal, mt_doc_count (v) + 1);
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &e); i++) {
      rows[i] = pair[0] = mt_v_str (key.p, key.n);
      pair[1] = part_of (ev, e, MT_USER (ev) & TEXT_TOO);
      if (!(MT_USER (ev) & KEYS) && !mt_v_make_doc (ev->arena, names, pair, 2, &rows[i], ev->err))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, i, out, ev->err);
}

#define SET(name_, sig_, columns_, op_, summary_, example_) MT_ROW_SET (name_, sig_, 0, columns_, NULL, op_, summary_, example_)

const MtFunc mt_fn_json_set[] = {
   SET ("jsonb_array_elements", "jsonb -> jsonb", "value jsonb = *", MT_OPN ("json_elements", elements, 0), "the elements of an array", "SELECT jsonb_array_elements('[1, true]') => 1"),
   SET ("jsonb_array_elements_text", "jsonb -> text", "value text = *", MT_OPN ("json_elements_text", elements, 1), "the elements of an array, as text", "SELECT jsonb_array_elements_text('[\"a\"]') => a"),
   SET ("jsonb_object_keys", "jsonb -> text", NULL, MT_OPN ("json_keys", fields, KEYS), "the keys of an object", "SELECT jsonb_object_keys('{\"a\": 1}') => a"),
   SET ("jsonb_each", "jsonb -> jsonb", "key text, value jsonb", MT_OPN ("json_each", fields, 0), "the keys and values of an object", "SELECT value FROM jsonb_each('{\"a\": 1}') => 1"),
   SET ("jsonb_each_text", "jsonb -> jsonb", "key text, value text", MT_OPN ("json_each_text", fields, TEXT_TOO), "the keys and values of an object, as text", "SELECT value FROM jsonb_each_text('{\"a\": \"x\"}') => x"),
   {.name = NULL},
};
