/* Compares arrays: =, <, @>, &&, x = ANY (array), and the sort keys of arrays. The last argument of
 * most operators is the name of the element type. */
#include "functions/array.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/enum.h"
#include "types/jsonb.h"
#include "types/record.h"
#include "functions/signature.h"
#include "query/comparison.h"

bool mt_element_type (MtEval *ev, MtVal name, MtTypeId *out)
{
   return mt_type_by_name (mt_v_text (name), out) ||
          mt_error (ev->err, MT_E_PARAMETER, "an operator of arrays needs a type's name");
}

static bool fn_array_cmp (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   if (!mt_element_type (ev, a[2], &t))
      return false;
   *out = mt_v_bool (
      mt_cmp_holds ((MtCmp) MT_USER (ev), mt_datum_compare (mt_type_array (t), a[0], a[1])));
   return true;
}

static bool fn_array_distinct (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   bool x = mt_is_nullish (a[0]), y = mt_is_nullish (a[1]);
   if (!mt_element_type (ev, a[2], &t))
      return false;
   *out = mt_v_bool (x || y ? x != y : mt_datum_compare (mt_type_array (t), a[0], a[1]) != 0);
   return true;
}

/* Computes GREATEST of arrays, or LEAST if MT_USER (ev) is 1. Arguments: element type, arrays. */
static bool fn_array_extreme (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   *out = mt_v_null ();
   if (!mt_element_type (ev, a[0], &t))
      return false;
   for (int i = 1; i < n; i++) {
      if (mt_is_nullish (a[i]))
         continue;
      int c = mt_is_nullish (*out) ? 0 : mt_datum_compare (mt_type_array (t), a[i], *out);
      if (mt_is_nullish (*out) || (MT_USER (ev) ? c < 0 : c > 0))
         *out = a[i];
   }
   return true;
}

/* ---- the key of an order ---- */

static bool array_key (MtEval *ev, MtTypeId element, MtVal v, MtVal *out);
static bool record_key (MtEval *ev, MtVal v, MtVal *out);

/* Sets *out to the sort key of an array element or of a record's field: {n: rank, v: value}. By it
 * MongoDB sorts NaN after numbers and NULL last, as PostgreSQL does. */
static bool element_key (MtEval *ev, MtTypeId t, MtVal v, MtVal *out)
{
   static const MtStr keys[] = {{"n", 1}, {"v", 1}};
   int32_t rank = mt_is_nullish (v) ? 2 : mt_v_is_nan (v);
   MtVal pair[2] = {mt_v_int32 (rank), v};
   if (mt_type_is_array (t) && !mt_is_nullish (v) &&
       !array_key (ev, mt_type_element (t), v, &pair[1]))
      return false;
   if (t == MT_T_RECORD && !mt_is_nullish (v) && !record_key (ev, v, &pair[1]))
      return false;
   if (mt_type_is_enum (t) && !mt_is_nullish (v))
      pair[1] = mt_v_int32 (mt_enum_rank (t, mt_v_text (v)));
   if (t == MT_T_JSONB && !mt_is_nullish (v) && !mt_jsonb_key (ev->arena, v, &pair[1], ev->err))
      return false;
   if (t == MT_T_INTERVAL && !mt_is_nullish (v)) {
      MtInterval iv = mt_v_to_interval (v);
      MtInt128 days = (MtInt128) iv.months * 30 + iv.days;
      pair[1] = mt_num_to_val (ev->arena, mt_num_from_int128 (days * 86400000000 + iv.us));
   }
   if (t == MT_T_BYTEA && !mt_is_nullish (v))
      pair[1] = mt_v_str ((const char *) v.p,
                          v.len); /* bytes in their order; the key never leaves the process */
   return mt_v_make_doc (ev->arena, keys, pair, pair[0].i ? 1 : 2, out, ev->err);
}

/* Sets *out to the sort key of an array: {e: sort keys of the elements, d: the number of dimensions
 * and their lengths}. */
static bool array_key (MtEval *ev, MtTypeId t, MtVal array, MtVal *out)
{
   static const MtStr keys[] = {{"e", 1}, {"d", 1}};
   size_t dims[MT_MAX_ARRAY_DIMS], count = 0, cap = 16;
   MtVal v, parts[2], lengths[MT_MAX_ARRAY_DIMS + 1], *list = MT_NEW_N (ev->arena, MtVal, cap);
   for (MtArrayIter it = mt_array_iter (array, t); mt_array_next (&it, &v); count++) {
      if (!MT_TRY_GROW_IN (ev->arena, list, count, cap, 16))
         return mt_memory_check (ev->err);
      if (!element_key (ev, t, v, &list[count]))
         return false;
   }
   int d = mt_array_dims (array, t, dims);
   lengths[0] = mt_v_int32 (d);
   for (int i = 0; i < d; i++)
      lengths[i + 1] = mt_v_int64 ((int64_t) dims[i]);
   return mt_v_make_array (ev->arena, list, count, &parts[0], ev->err) &&
          mt_v_make_array (ev->arena, lengths, (size_t) d + 1, &parts[1], ev->err) &&
          mt_v_make_doc (ev->arena, keys, parts, 2, out, ev->err);
}

/* Sets *out to the sort key of a record: {e: sort keys of its fields}. It is a document, because
 * MongoDB would sort an array by one of its elements. The names of the fields don't matter. */
static bool record_key (MtEval *ev, MtVal record, MtVal *out)
{
   MtRecordIter it = mt_record_iter (record);
   MtRecordField f;
   static const MtStr keys[] = {{"e", 1}};
   size_t count = 0, cap = mt_record_count (record) + 1;
   MtVal fields, *list = MT_TRY_NEW_N (ev->arena, MtVal, cap);
   if (!list)
      return mt_memory_check (ev->err);
   while (count < cap && mt_record_next (&it, &f))
      if (!element_key (ev, f.type, f.value, &list[count++]))
         return false;
   return mt_v_make_array (ev->arena, list, count, &fields, ev->err) &&
          mt_v_make_doc (ev->arena, keys, &fields, 1, out, ev->err);
}

static bool fn_array_key (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   *out = mt_v_null ();
   return mt_is_nullish (a[0]) || (mt_element_type (ev, a[1], &t) && array_key (ev, t, a[0], out));
}

static bool fn_record_key (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_null ();
   return mt_is_nullish (a[0]) || record_key (ev, a[0], out);
}

/* ---- containment ---- */

static bool has_element (MtVal array, MtTypeId t, MtVal v)
{
   MtVal e;
   for (MtArrayIter it = mt_array_iter (array, t); mt_array_next (&it, &e);)
      if (!mt_is_nullish (e) && mt_datum_compare (t, e, v) == 0)
         return true;
   return false;
}

/* Computes the array operators @> (MT_USER (ev) is 0), <@ (1) and && (2). The third argument is the
 * element type. */
static bool fn_array_contains (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   MtVal v, whole = a[MT_USER (ev) == 1], part = a[MT_USER (ev) != 1];
   bool overlap = MT_USER (ev) == 2, found = !overlap;
   if (!mt_element_type (ev, a[2], &t))
      return false;
   for (MtArrayIter it = mt_array_iter (part, t); found != overlap && mt_array_next (&it, &v);) {
      bool there = !mt_is_nullish (v) && has_element (whole, t, v);
      found = overlap ? there : found && there;
   }
   *out = mt_v_bool (found);
   return true;
}

/* ---- x op ANY (array) ---- */

/* Computes value op ANY (array). Arguments: value, array, element type. MT_USER (ev) is the
 * operator (MtCmp), plus 8 for ALL. */
static bool fn_any (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool all = MT_USER (ev) & 8, null = false;
   MtCmp op = (MtCmp) (MT_USER (ev) & 7);
   MtTypeId t;
   MtVal v;
   *out = mt_v_null ();
   if (mt_is_nullish (a[1]))
      return true;
   if (!mt_element_type (ev, a[2], &t))
      return false;
   for (MtArrayIter it = mt_array_iter (a[1], t); mt_array_next (&it, &v);) {
      if (mt_is_nullish (v) || mt_is_nullish (a[0]))
         null = true;
      else if (mt_cmp_holds (op, mt_datum_compare (t, a[0], v)) != all) {
         *out = mt_v_bool (!all);
         return true;
      }
   }
   if (!null)
      *out = mt_v_bool (all);
   return true;
}

#define NS MT_F_NOT_STRICT
#define ORDER(op_, code, n, ex) \
   {.name = op_, \
    .signature = "anyarray, anyarray, _type text -> bool", \
    .flags = MT_F_OPERATOR | MT_NN, \
    .cmp = MT_CMP_##code, \
    .op = MT_OPN ("array_" n, array_cmp, MT_CMP_##code), \
    .summary = "comparison", \
    .example = ex}
#define ANY(op_, code, n) \
   MT_ROW ("$any " op_, "anyelement, anyarray, _type text -> bool", NS, NULL, \
           MT_OPN ("any_" n, any, MT_CMP_##code), "comparison with some element", \
           "SELECT 2 " op_ " ANY (ARRAY[2]) => " RESULT_##code)
#define ALL(op_, code, n) \
   MT_ROW ("$all " op_, "anyelement, anyarray, _type text -> bool", NS, NULL, \
           MT_OPN ("all_" n, any, MT_CMP_##code + 8), "comparison with all elements", \
           "SELECT 2 " op_ " ALL (ARRAY[2]) => " RESULT_##code)
#define RESULT_EQ "t"
#define RESULT_NE "f"
#define RESULT_LT "f"
#define RESULT_LE "t"
#define RESULT_GT "f"
#define RESULT_GE "t"
#define QUANTIFIED(op_, code, n) ANY (op_, code, n), ALL (op_, code, n)
#define CONTAINS(kind, op_, n, u, what, ex) \
   MT_ROW_KIND (ARRAY_##kind, op_, "anyarray, anyarray, _type text -> bool", \
                MT_F_OPERATOR | MT_NN, NULL, MT_OPN (n, array_contains, u), what, ex)

const MtFunc mt_fn_array_compare[] = {
   ORDER ("<", LT, "lt", "SELECT ARRAY[1, 2] < ARRAY[1, 3] => t"),
   ORDER ("<=", LE, "le", "SELECT ARRAY[1, 2] <= ARRAY[1, NULL] => t"),
   ORDER (">", GT, "gt", "SELECT ARRAY[1, 2] > ARRAY[1] => t"),
   ORDER (">=", GE, "ge", "SELECT ARRAY[1, 2] >= ARRAY[1, 2] => t"),
   ORDER ("$array_=", EQ, "eq", "SELECT ARRAY[interval '1 day'] = ARRAY[interval '24 h'] => t"),
   ORDER ("$array_<>", NE, "ne", "SELECT ARRAY[interval '1 day'] <> ARRAY[interval '24 h'] => f"),
   MT_ROW ("$array_distinct", "anyarray, anyarray, _type text -> bool", NS | MT_NN, NULL,
           MT_OPN ("array_distinct", array_distinct, 0), "IS DISTINCT FROM",
           "SELECT ARRAY[interval '1 day'] IS DISTINCT FROM NULL => t"),
   MT_ROW ("$array_key", "anyarray, text -> document", MT_NN, NULL,
           MT_OPN ("array_order", array_key, 0), "key by which arrays are ordered",
           "SELECT ARRAY[1] < ARRAY[2] => t"),
   MT_ROW ("$greatest_array", "text, anyarray -> anyarray", NS | MT_F_VARIADIC, NULL,
           MT_OPN ("array_greatest", array_extreme, 0), "largest argument that is not NULL",
           "SELECT greatest(ARRAY[1], ARRAY[NULL::int]) => {NULL}"),
   MT_ROW ("$least_array", "text, anyarray -> anyarray", NS | MT_F_VARIADIC, NULL,
           MT_OPN ("array_least", array_extreme, 1), "smallest argument that is not NULL",
           "SELECT least(ARRAY[1], ARRAY[NULL::int]) => {1}"),
   CONTAINS (CONTAINS, "@>", "array_contains", 0,
             "whether the left array has all elements of the right one",
             "SELECT ARRAY[1, 4, 3] @> ARRAY[3, 1, 3] => t"),
   CONTAINS (WITHIN, "<@", "array_contained", 1,
             "whether the right array has all elements of the left one",
             "SELECT ARRAY[2, 7] <@ ARRAY[1, 7, 4, 2, 6] => t"),
   CONTAINS (OVERLAP, "&&", "array_overlap", 2, "whether the arrays have an element in common",
             "SELECT ARRAY[1, 4, 3] && ARRAY[2, 1] => t"),
   QUANTIFIED ("=", EQ, "eq"),
   QUANTIFIED ("<>", NE, "ne"),
   QUANTIFIED ("<", LT, "lt"),
   QUANTIFIED ("<=", LE, "le"),
   QUANTIFIED (">", GT, "gt"),
   QUANTIFIED (">=", GE, "ge"),
   {.name = NULL},
};

const MtOpRow mt_array_ops[] = {
   {.name = "$_mtArrayKey",
    .min_args = 2,
    .max_args = 2,
    .flags = MT_OP_FOLD,
    .fn = fn_array_key,
    .summary = "key by which arrays are ordered",
    .example = "{\"$_mtArrayKey\": [[5], \"int4\"]} => {\"e\": [{\"n\": 0, \"v\": 5}], \"d\": [1, "
               "{\"$numberLong\": \"1\"}]}"},
   {.name = "$_mtRecordKey",
    .min_args = 1,
    .max_args = 1,
    .flags = MT_OP_FOLD,
    .fn = fn_record_key,
    .summary = "key by which records are ordered and compared",
    .example = "{\"$_mtRecordKey\": [{\"n\": [\"f1\"], \"t\": [3], \"v\": [5]}]} => "
               "{\"e\": [{\"n\": 0, \"v\": 5}]}"},
   {.name = NULL},
};
