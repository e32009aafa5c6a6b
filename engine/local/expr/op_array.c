/* The operators on arrays, sets and objects. */
#include "engine/local/expr/bson_value.h"
#include "engine/local/expr/op_int.h"

#include <stdlib.h>

static bool array_of (MtEval *ev, const MtVal *v, size_t n, MtVal *out)
{
   return mt_v_make_array (ev->arena, v, n, out, ev->err);
}

static bool op_size (MT_OP_ARGS)
{
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 17124,
                         "The argument to $size must be an array, but was of type: %s",
                         mt_v_type_name (args[0]));
   /* a list of a column has a length, but no bytes; see mt_stored_value */
   size_t n = args[0].p ? mt_doc_count (args[0]) : args[0].len;
   return mt_op_put (out, mt_v_int32 ((int32_t) n));
}

static bool op_is_array (MT_OP_ARGS)
{
   return mt_op_put (out, mt_v_bool (args[0].type == MT_ARRAY));
}

static MtVal at_index (MtVal array, int64_t i)
{
   if (i < 0)
      i += (int64_t) mt_doc_count (array);
   return i < 0 ? mt_v_missing () : mt_doc_at (array, (size_t) i);
}

static bool op_element_at (MT_OP_ARGS)
{
   int32_t i;
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]))
      return mt_op_null (out);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 28689,
                         "$arrayElemAt's first argument must be an array, but is %s",
                         mt_v_type_name (args[0]));
   if (!mt_is_number (args[1]))
      return MT_OP_FAIL (MT_E_PARAMETER, 28690,
                         "$arrayElemAt's second argument must be a numeric value, but is %s",
                         mt_v_type_name (args[1]));
   if (!mt_op_whole32 (args[1], &i))
      return MT_OP_FAIL (
         MT_E_PARAMETER, 28691,
         "$arrayElemAt's second argument must be representable as a 32-bit integer: %s",
         mt_op_shown (ev, args[1]));
   return mt_op_put (out, at_index (args[0], i));
}

static bool end_of (MtEval *ev, const char *name, MtVal v, int64_t i, MtVal *out)
{
   if (mt_is_nullish (v))
      return mt_op_null (out);
   if (v.type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, mt_code_type (name, 0),
                         "%s's argument must be an array, but is %s", name, mt_v_type_name (v));
   return mt_op_put (out, at_index (v, i));
}

static bool op_first (MT_OP_ARGS) { return end_of (ev, "$first", args[0], 0, out); }
static bool op_last (MT_OP_ARGS) { return end_of (ev, "$last", args[0], -1, out); }

static bool op_slice (MT_OP_ARGS)
{
   static const char *const which[] = {"", "Second", "Third"};
   int32_t n[3] = {0, 0, 0};
   for (int i = 0; i < argc; i++)
      if (mt_is_nullish (args[i]))
         return mt_op_null (out);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 28724,
                         "First argument to $slice must be an array, but is of type: %s",
                         mt_v_type_name (args[0]));
   for (int i = 1; i < argc; i++)
      if (!mt_op_whole32 (args[i], &n[i]))
         return MT_OP_FAIL (MT_E_PARAMETER, (i == 1 ? 28725 : 28727) + mt_is_number (args[i]),
                            "%s argument to $slice can't be represented as a 32-bit integer: %s",
                            which[i], mt_op_shown (ev, args[i]));
   size_t size;
   MtVal *v = mt_v_elements (ev->arena, args[0], &size);
   int64_t count = (int64_t) size, from = 0, take = n[1];
   if (argc == 3) {
      if (n[2] <= 0)
         return MT_OP_FAIL (MT_E_PARAMETER, 28729, "Third argument to $slice must be positive: %d",
                            (int) n[2]);
      from = n[1] < 0 ? count + n[1] : n[1];
      from = from < 0 ? 0 : from;
      from = from > count ? count : from;
      take = n[2];
   } else if (n[1] < 0) {
      from = count + n[1] < 0 ? 0 : count + n[1];
      take = count - from;
   }
   take = take > count - from ? count - from : take;
   return array_of (ev, v + from, (size_t) take, out);
}

static bool op_concat_arrays (MT_OP_ARGS)
{
   size_t n = 0;
   for (int i = 0; i < argc; i++) {
      if (mt_is_nullish (args[i]))
         return mt_op_null (out);
      if (args[i].type != MT_ARRAY)
         return MT_OP_FAIL (MT_E_PARAMETER, 28664, "$concatArrays only supports arrays, not %s",
                            mt_v_type_name (args[i]));
      n += mt_doc_count (args[i]);
   }
   MtVal *all = MT_TRY_NEW_N (ev->arena, MtVal, n);
   size_t k = 0;
   if (!all)
      return mt_memory_check (ev->err);
   for (int i = 0; i < argc; i++) {
      MtDocIter it = mt_doc_iter (args[i]);
      MtStr key;
      while (mt_doc_next (&it, &key, &all[k]))
         k++;
   }
   return array_of (ev, all, n, out);
}

static bool op_in (MT_OP_ARGS)
{
   if (args[1].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 40081,
                         "$in requires an array as a second argument, found: %s",
                         mt_v_type_name (args[1]));
   MtDocIter it = mt_doc_iter (args[1]);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (mt_x_compare_strict (args[0], v) == 0)
         return mt_op_put (out, mt_v_bool (true));
   return mt_op_put (out, mt_v_bool (false));
}

static bool op_index_of (MT_OP_ARGS)
{
   int32_t range[2] = {0, INT32_MAX};
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 40090,
                         "$indexOfArray requires an array as a first argument, found: %s",
                         mt_v_type_name (args[0]));
   for (int i = 2; i < argc; i++)
      if (!mt_op_whole32 (args[i], &range[i - 2]) || range[i - 2] < 0)
         return MT_OP_FAIL (MT_E_PARAMETER, range[i - 2] < 0 ? 9711601 : 9711600,
                            "$indexOfArray requires a nonnegative integral %s index, found: %s",
                            i == 2 ? "starting" : "ending", mt_op_shown (ev, args[i]));
   size_t n;
   MtVal *v = mt_v_elements (ev->arena, args[0], &n);
   for (size_t i = (size_t) range[0]; i < n && i < (size_t) range[1]; i++)
      if (mt_x_compare_strict (v[i], args[1]) == 0)
         return mt_op_put (out, mt_v_int32 ((int32_t) i));
   return mt_op_put (out, mt_v_int32 (-1));
}

static bool op_reverse (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 34435,
                         "The argument to $reverseArray must be an array, but was of type: %s",
                         mt_v_type_name (args[0]));
   size_t n;
   MtVal *v = mt_v_elements (ev->arena, args[0], &n);
   for (size_t i = 0; i < n / 2; i++) {
      MtVal t = v[i];
      v[i] = v[n - 1 - i];
      v[n - 1 - i] = t;
   }
   return array_of (ev, v, n, out);
}

/* The limit of the memory for the result of $range, in bytes; the same as in MongoDB. */
#define RANGE_MAX_BYTES (100u << 20)

static bool op_range (MT_OP_ARGS)
{
   static const char *const what[] = {"starting", "ending", "step"};
   int32_t n[3] = {0, 0, 1};
   for (int i = 0; i < argc; i++)
      if (!mt_op_whole32 (args[i], &n[i]))
         return MT_OP_FAIL (
            MT_E_PARAMETER, 34443 + 2 * i + mt_is_number (args[i]),
            "$range requires a %s value that can be represented as a 32-bit integer, found value: "
            "%s",
            what[i], mt_op_shown (ev, args[i]));
   if (n[2] == 0)
      return MT_OP_FAIL (MT_E_PARAMETER, 34449, "$range requires a non-zero step value");
   int64_t span = n[2] > 0 ? (int64_t) n[1] - n[0] : (int64_t) n[0] - n[1], step = llabs (n[2]);
   size_t count = span <= 0 ? 0 : (size_t) ((span + step - 1) / step);
   if (count > RANGE_MAX_BYTES / sizeof (MtVal))
      return MT_OP_FAIL (MT_E_LIMIT, MT_CODE_MEMORY,
                         "$range would use too much memory and cannot spill");
   MtVal *v = MT_TRY_NEW_N (ev->arena, MtVal, count);
   if (!v)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < count; i++)
      v[i] = mt_v_int32 ((int32_t) (n[0] + (int64_t) i * n[2]));
   return array_of (ev, v, count, out);
}

/* ---- objects ---- */

/* Returns the operands of an operator like $max: the elements of the argument if there is only one
 * and it is an array; otherwise the arguments. */
static const MtVal *operands (MtEval *ev, const MtVal *args, int argc, size_t *n)
{
   if (argc == 1 && args[0].type == MT_ARRAY)
      return mt_v_elements (ev->arena, args[0], n);
   *n = (size_t) argc;
   return args;
}

static bool op_bson_size (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_DOC)
      return MT_OP_FAIL (MT_E_PARAMETER, 31393, "$bsonSize requires a document input, found: %s",
                         mt_v_type_name (args[0]));
   *out = mt_v_int32 ((int32_t) args[0].len);
   return true;
}

static bool op_object_to_array (MT_OP_ARGS)
{
   static const MtStr keys[] = {{"k", 1}, {"v", 1}};
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_DOC)
      return MT_OP_FAIL (MT_E_PARAMETER, 40390,
                         "$objectToArray requires a document input, found: %s",
                         mt_v_type_name (args[0]));
   size_t n = mt_doc_count (args[0]), i = 0;
   MtVal *pairs = MT_TRY_NEW_N (ev->arena, MtVal, n), kv[2];
   MtDocIter it = mt_doc_iter (args[0]);
   MtStr key;
   if (!pairs)
      return mt_memory_check (ev->err);
   while (mt_doc_next (&it, &key, &kv[1])) {
      kv[0] = mt_v_str (key.p, key.n);
      if (!mt_v_make_doc (ev->arena, keys, kv, 2, &pairs[i++], ev->err))
         return false;
   }
   return array_of (ev, pairs, n, out);
}

/* Reads the key and the value of a pair e of $arrayToObject, which is [key, value] or {k, v}. */
static bool pair_of (MtEval *ev, MtVal e, MtVal *k, MtVal *v)
{
   if (e.type == MT_ARRAY && mt_doc_count (e) == 2) {
      *k = mt_doc_at (e, 0);
      *v = mt_doc_at (e, 1);
   } else if (e.type == MT_DOC) {
      *k = mt_doc_field (e, "k");
      *v = mt_doc_field (e, "v");
      if (mt_doc_count (e) != 2 || k->type == MT_MISSING || v->type == MT_MISSING)
         return MT_OP_FAIL (MT_E_PARAMETER, mt_doc_count (e) != 2 ? 40392 : 40393,
                            "$arrayToObject requires an object with keys 'k' and 'v'. Found: %s",
                            mt_op_shown (ev, e));
   } else
      return MT_OP_FAIL (
         MT_E_PARAMETER, e.type == MT_ARRAY ? 40397 : 40398,
         "$arrayToObject requires a consistent input format. Elements must all be arrays of 2 or "
         "all be objects. Found: %s",
         mt_op_shown (ev, e));
   if (k->type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, e.type == MT_ARRAY ? 40395 : 40394,
                         "$arrayToObject requires keys of type string. Found type: %s",
                         mt_v_type_name (*k));
   if (memchr (k->p, 0, k->len))
      return MT_OP_FAIL (MT_E_PARAMETER, e.type == MT_ARRAY ? 4940400 : 4940401,
                         "Key field cannot contain an embedded null byte");
   return true;
}

static bool op_array_to_object (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 40386, "$arrayToObject requires an array input, found: %s",
                         mt_v_type_name (args[0]));
   MtFieldList f = {0};
   MtDocIter it = mt_doc_iter (args[0]);
   MtStr key;
   MtVal first = mt_doc_at (args[0], 0);
   for (MtVal e, k, v; mt_doc_next (&it, &key, &e);) {
      if (e.type != first.type && (first.type == MT_ARRAY || first.type == MT_DOC))
         return MT_OP_FAIL (MT_E_PARAMETER, first.type == MT_ARRAY ? 40396 : 40391,
                            "$arrayToObject requires a consistent input format. Elements must all "
                            "be arrays or all be objects. Found: %s",
                            mt_op_shown (ev, e));
      if (!pair_of (ev, e, &k, &v))
         return false;
      mt_field_list_set (ev->arena, &f, (MtStr) {(const char *) k.p, k.len}, v);
   }
   return mt_v_make_doc (ev->arena, f.keys, f.vals, f.n, out, ev->err);
}

static bool op_merge_objects (MT_OP_ARGS)
{
   MtFieldList f = {0};
   size_t n;
   const MtVal *docs = operands (ev, args, argc, &n);
   for (size_t i = 0; i < n; i++) {
      if (mt_is_nullish (docs[i]))
         continue;
      if (docs[i].type != MT_DOC)
         return MT_OP_FAIL (MT_E_PARAMETER, 40400,
                            "$mergeObjects requires object inputs, but input %s is of type %s",
                            mt_op_shown (ev, docs[i]), mt_v_type_name (docs[i]));
      MtDocIter it = mt_doc_iter (docs[i]);
      MtStr key;
      for (MtVal v; mt_doc_next (&it, &key, &v);)
         mt_field_list_set (ev->arena, &f, key, v);
   }
   return mt_v_make_doc (ev->arena, f.keys, f.vals, f.n, out, ev->err);
}

/* ---- sets: arrays in which order and repetition don't matter; results are sorted ---- */

static int by_value (const void *a, const void *b)
{
   return mt_x_compare_strict (*(const MtVal *) a, *(const MtVal *) b);
}

static size_t sort_unique (MtVal *v, size_t n)
{
   size_t k = 0;
   if (n > 1)
      qsort (v, n, sizeof *v, by_value);
   for (size_t i = 0; i < n; i++)
      if (k == 0 || by_value (&v[k - 1], &v[i]) != 0)
         v[k++] = v[i];
   return k;
}

static bool contains (const MtVal *set, size_t n, MtVal v)
{
   return n > 0 && bsearch (&v, set, n, sizeof *set, by_value);
}

static bool not_array (MtEval *ev, const char *name, MtVal v)
{
   return MT_OP_FAIL (MT_E_PARAMETER, mt_code_type (name, 0),
                      "All operands of %s must be arrays. One argument is of type: %s", name,
                      mt_v_type_name (v));
}

static MtVal *set_of (MtEval *ev, MtVal array, size_t *n)
{
   MtVal *v = mt_v_elements (ev->arena, array, n);
   *n = sort_unique (v, *n);
   return v;
}

static bool op_union (MT_OP_ARGS)
{
   for (int i = 0; i < argc; i++)
      if (!mt_is_nullish (args[i]) && args[i].type != MT_ARRAY)
         return not_array (ev, "$setUnion", args[i]);
   MtVal all;
   if (!op_concat_arrays (ev, args, argc, &all) || all.type != MT_ARRAY)
      return mt_op_null (out);
   size_t n;
   MtVal *set = set_of (ev, all, &n);
   return array_of (ev, set, n, out);
}

static bool op_intersection (MT_OP_ARGS)
{
   MtVal *kept = NULL;
   size_t n = 0;
   for (int i = 0; i < argc; i++) {
      if (mt_is_nullish (args[i]))
         return mt_op_null (out);
      if (args[i].type != MT_ARRAY)
         return not_array (ev, "$setIntersection", args[i]);
      size_t m, k = 0;
      MtVal *set = set_of (ev, args[i], &m);
      if (i == 0) {
         kept = set;
         n = m;
         continue;
      }
      for (size_t j = 0; j < n; j++)
         if (contains (set, m, kept[j]))
            kept[k++] = kept[j];
      n = k;
   }
   return array_of (ev, kept, n, out);
}

static bool op_difference (MT_OP_ARGS)
{
   static const char *const which[] = {"First", "Second"};
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]))
      return mt_op_null (out);
   for (int i = 0; i < 2; i++)
      if (args[i].type != MT_ARRAY)
         return MT_OP_FAIL (
            MT_E_PARAMETER, 17048 + i,
            "both operands of $setDifference must be arrays. %s argument is of type: %s", which[i],
            mt_v_type_name (args[i]));
   size_t n, m, k = 0;
   MtVal *v = mt_v_elements (ev->arena, args[0], &n), *set = set_of (ev, args[1], &m),
         *seen = MT_TRY_NEW_N (ev->arena, MtVal, n);
   if (!v || !set || !seen)
      return mt_memory_check (ev->err);
   memcpy (seen, v, n * sizeof *v);
   size_t unique = sort_unique (seen, n);
   bool *done = MT_TRY_NEW_N (ev->arena, bool, unique);
   if (!done)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < n; i++) {
      const MtVal *at = bsearch (&v[i], seen, unique, sizeof *seen, by_value);
      if (!at || done[at - seen] || contains (set, m, v[i]))
         continue;
      done[at - seen] = true;
      v[k++] = v[i];
   }
   return array_of (ev, v, k, out);
}

static bool op_set_equals (MT_OP_ARGS)
{
   MtVal *first = NULL;
   size_t n = 0, m;
   bool equal = true;
   for (int i = 0; i < argc; i++) {
      if (args[i].type != MT_ARRAY)
         return not_array (ev, "$setEquals", args[i]);
      MtVal *set = set_of (ev, args[i], &m);
      if (i == 0) {
         first = set;
         n = m;
      }
      equal = equal && n == m;
      for (size_t k = 0; equal && k < n; k++)
         equal = by_value (&first[k], &set[k]) == 0;
   }
   return mt_op_put (out, mt_v_bool (equal));
}

static bool op_subset (MT_OP_ARGS)
{
   for (int i = 0; i < 2; i++)
      if (args[i].type != MT_ARRAY)
         return MT_OP_FAIL (
            MT_E_PARAMETER, i ? 17042 : 17046,
            "both operands of $setIsSubset must be arrays. %s argument is of type: %s",
            i ? "Second" : "First", mt_v_type_name (args[i]));
   size_t n, m;
   MtVal *a = set_of (ev, args[0], &n), *b = set_of (ev, args[1], &m);
   bool all = true;
   for (size_t i = 0; all && i < n; i++)
      all = contains (b, m, a[i]);
   return mt_op_put (out, mt_v_bool (all));
}

static bool truth_of_all (MtEval *ev, const char *name, MtVal array, bool stop_at, MtVal *out)
{
   if (array.type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, mt_code_type (name, 0),
                         "%s's argument must be an array, but is %s", name, mt_v_type_name (array));
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (mt_op_truth (v) == stop_at)
         return mt_op_put (out, mt_v_bool (stop_at));
   return mt_op_put (out, mt_v_bool (!stop_at));
}

static bool op_all_true (MT_OP_ARGS)
{
   return truth_of_all (ev, "$allElementsTrue", args[0], false, out);
}
static bool op_any_true (MT_OP_ARGS)
{
   return truth_of_all (ev, "$anyElementTrue", args[0], true, out);
}

/* ---- $sum and similar operators over an array, or over the arguments ---- */

/* Adds up the operands that are numbers, and ignores all others. *count: how many numbers there
 * are. */
static bool total (MtEval *ev, const MtVal *args, int argc, size_t *count, MtVal *out)
{
   size_t n;
   const MtVal *v = operands (ev, args, argc, &n);
   MtVal *numbers = MT_TRY_NEW_N (ev->arena, MtVal, n);
   *count = 0;
   if (!numbers)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < n; i++)
      if (mt_is_number (v[i]))
         numbers[(*count)++] = v[i];
   return mt_op_row (mt_ops_arithmetic, "$add")->fn (ev, numbers, (int) *count, out);
}

static bool op_sum (MT_OP_ARGS)
{
   size_t count;
   return total (ev, args, argc, &count, out);
}

static bool op_avg (MT_OP_ARGS)
{
   size_t count;
   MtVal pair[2];
   if (!total (ev, args, argc, &count, &pair[0]))
      return false;
   pair[1] = mt_v_int64 ((int64_t) count);
   return count ? mt_op_arith (ev, "$divide", pair[0], pair[1], out) : mt_op_null (out);
}

static bool op_extreme (MT_OP_ARGS)
{
   size_t n;
   int sign = ev->user ? 1 : -1;
   const MtVal *v = operands (ev, args, argc, &n), *best = NULL;
   for (size_t i = 0; i < n; i++)
      if (!mt_is_nullish (v[i]) && (!best || mt_x_compare (v[i], *best) * sign > 0))
         best = &v[i];
   return mt_op_put (out, best ? *best : mt_v_null ());
}

/* ---- $sortArray, $zip ---- */

typedef struct SortKey {
   MtStr path; /* the path of the sort key; n 0: the key is the element itself */
   int sign;
} SortKey;

typedef struct SortItem {
   MtVal v;
   MtVal *keys;
   size_t at; /* original index, which decides between equal keys (a stable sort) */
   const SortKey *by;
   size_t count;
} SortItem;

static int by_keys (const void *pa, const void *pb)
{
   const SortItem *a = pa, *b = pb;
   for (size_t i = 0; i < a->count; i++) {
      int c = mt_x_compare (a->keys[i], b->keys[i]);
      if (c)
         return c * a->by[i].sign;
   }
   return (a->at > b->at) - (a->at < b->at);
}

static MtVal at_path (MtVal v, MtStr path)
{
   while (path.n > 0 && v.type != MT_MISSING) {
      const char *dot = memchr (path.p, '.', path.n);
      size_t n = dot ? (size_t) (dot - path.p) : path.n;
      v = v.type == MT_DOC ? mt_doc_get (v, path.p, n) : mt_v_missing ();
      path = dot ? (MtStr) {dot + 1, path.n - n - 1} : (MtStr) {NULL, 0};
   }
   return v;
}

static bool sort_keys (MtEval *ev, MtVal by, SortKey **keys, size_t *n)
{
   int32_t sign;
   *n = by.type == MT_DOC ? mt_doc_count (by) : 1;
   *keys = MT_NEW_N (ev->arena, SortKey, *n);
   if (by.type != MT_DOC) {
      if (!mt_op_whole32 (by, &sign) || (sign != 1 && sign != -1))
         return MT_OP_FAIL (
            MT_E_PARAMETER, 2942505,
            "Invalid sortBy: %s: it must be 1, -1, or an object of field names with 1 or -1",
            mt_op_shown (ev, by));
      (*keys)[0] = (SortKey) {{NULL, 0}, sign};
      return true;
   }
   MtDocIter it = mt_doc_iter (by);
   MtVal v;
   for (SortKey *k = *keys; mt_doc_next (&it, &k->path, &v); k++) {
      if (!mt_op_whole32 (v, &sign) || (sign != 1 && sign != -1))
         return MT_OP_FAIL (MT_E_PARAMETER, 15975,
                            "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
      k->sign = sign;
   }
   return true;
}

/* Computes $sortArray. args: input, sortBy. */
static bool op_sort (MT_OP_ARGS)
{
   SortKey *by;
   size_t count, n;
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 2942504,
                         "The input argument to $sortArray must be an array, but was of type: %s",
                         mt_v_type_name (args[0]));
   if (!sort_keys (ev, args[1], &by, &count))
      return false;
   MtVal *v = mt_v_elements (ev->arena, args[0], &n),
         *keys = MT_TRY_NEW_N (ev->arena, MtVal, n * count);
   SortItem *items = MT_TRY_NEW_N (ev->arena, SortItem, n);
   if (!v || !keys || !items)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < n; i++) {
      items[i] = (SortItem) {v[i], keys + i * count, i, by, count};
      for (size_t k = 0; k < count; k++)
         items[i].keys[k] = by[k].path.n ? at_path (v[i], by[k].path) : v[i];
   }
   if (n > 1)
      qsort (items, n, sizeof *items, by_keys);
   for (size_t i = 0; i < n; i++)
      v[i] = items[i].v;
   return array_of (ev, v, n, out);
}

/* Computes $zip. args: inputs, useLongestLength?, defaults? */
static bool op_zip (MT_OP_ARGS)
{
   bool longest = mt_op_truth (args[1]);
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 34461, "inputs must be an array of expressions, found %s",
                         mt_v_type_name (args[0]));
   if (args[2].type != MT_MISSING &&
       (!longest || args[2].type != MT_ARRAY || mt_doc_count (args[2]) != mt_doc_count (args[0])))
      return MT_OP_FAIL (
         MT_E_PARAMETER,
         MT_CODE_IF ({!longest, 34466}, {args[2].type != MT_ARRAY, 34462}, {true, 34467}),
         "$zip: defaults must be an array of the inputs' length, and go with useLongestLength: "
         "true");
   size_t n, rows = 0;
   MtVal *inputs = mt_v_elements (ev->arena, args[0], &n);
   MtDocIter *its = MT_TRY_NEW_N (ev->arena, MtDocIter, n);
   if (!inputs || !its)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < n; i++) {
      if (mt_is_nullish (inputs[i]))
         return mt_op_null (out);
      if (inputs[i].type != MT_ARRAY)
         return MT_OP_FAIL (MT_E_PARAMETER, 34468, "$zip found a non-array expression in input: %s",
                            mt_op_shown (ev, inputs[i]));
      size_t size = mt_doc_count (inputs[i]);
      rows = i == 0 || (longest ? size > rows : size < rows) ? size : rows;
      its[i] = mt_doc_iter (inputs[i]);
   }
   MtVal *table = MT_TRY_NEW_N (ev->arena, MtVal, rows), *row = MT_TRY_NEW_N (ev->arena, MtVal, n);
   if (!table || !row)
      return mt_memory_check (ev->err);
   for (size_t r = 0; r < rows; r++) {
      MtStr key;
      for (size_t i = 0; i < n; i++)
         if (!mt_doc_next (&its[i], &key, &row[i]))
            row[i] = mt_doc_at (args[2], i);
      if (!array_of (ev, row, n, &table[r]))
         return false;
   }
   return array_of (ev, table, rows, out);
}

const MtOpRow mt_ops_array[] = {
   MT_OP_ROW ("$size", 1, 1, op_size, "the number of elements", "{\"$size\": [[1, 2]]} => 2"),
   MT_OP_ROW ("$arrayElemAt", 2, 2, op_element_at, "the element at an index; below 0 from the end",
              "{\"$arrayElemAt\": [[1, 2, 3], -1]} => 3"),
   MT_OP_ROW ("$first", 1, 1, op_first, "the first element", "{\"$first\": [[1, 2]]} => 1"),
   MT_OP_ROW ("$last", 1, 1, op_last, "the last element", "{\"$last\": [[1, 2]]} => 2"),
   MT_OP_ROW ("$slice", 2, 3, op_slice, "a part: [position,] count",
              "{\"$slice\": [[1, 2, 3], 1, 2]} => [2, 3]"),
   MT_OP_ROW ("$concatArrays", 0, -1, op_concat_arrays, "arrays one after the other",
              "{\"$concatArrays\": [[1], [2]]} => [1, 2]"),
   MT_OP_ROW ("$in", 2, 2, op_in, "is a value among the elements",
              "{\"$in\": [2, [1, 2]]} => true"),
   MT_OP_ROW ("$indexOfArray", 2, 4, op_index_of, "where a value is, or -1",
              "{\"$indexOfArray\": [[5, 6], 6]} => 1"),
   MT_OP_ROW ("$isArray", 1, 1, op_is_array, "is it an array", "{\"$isArray\": [[1]]} => true"),
   MT_OP_ROW ("$reverseArray", 1, 1, op_reverse, "the elements from the last to the first",
              "{\"$reverseArray\": [[1, 2]]} => [2, 1]"),
   MT_OP_ROW ("$range", 2, 3, op_range, "numbers from, to (not included), step",
              "{\"$range\": [0, 6, 2]} => [0, 2, 4]"),
   MT_OP_ROW ("$bsonSize", 1, 1, op_bson_size, "the bytes of an object",
              "{\"$bsonSize\": {\"$literal\": {\"a\": 1}}} => 12"),
   MT_OP_ROW ("$objectToArray", 1, 1, op_object_to_array, "[{k, v}, …] of an object",
              "{\"$objectToArray\": {\"$literal\": {\"a\": 1}}} => [{\"k\": \"a\", \"v\": 1}]"),
   MT_OP_ROW ("$arrayToObject", 1, 1, op_array_to_object, "an object of [{k, v}, …] or [[k, v], …]",
              "{\"$arrayToObject\": [[[\"a\", 1]]]} => {\"a\": 1}"),
   MT_OP_ROW ("$mergeObjects", 0, -1, op_merge_objects,
              "the fields of all objects; the last one wins",
              "{\"$mergeObjects\": [{\"a\": 1}, {\"a\": 2}]} => {\"a\": 2}"),
   MT_OP_ROW ("$setUnion", 0, -1, op_union, "what any has",
              "{\"$setUnion\": [[2, 1], [1]]} => [1, 2]"),
   MT_OP_ROW ("$setIntersection", 0, -1, op_intersection, "what all have",
              "{\"$setIntersection\": [[1, 2], [2]]} => [2]"),
   MT_OP_ROW ("$setDifference", 2, 2, op_difference, "what only the first has",
              "{\"$setDifference\": [[3, 1, 2], [1]]} => [3, 2]"),
   MT_OP_ROW ("$setEquals", 2, -1, op_set_equals, "the same elements",
              "{\"$setEquals\": [[1, 2, 2], [2, 1]]} => true"),
   MT_OP_ROW ("$setIsSubset", 2, 2, op_subset, "does the second have all of the first",
              "{\"$setIsSubset\": [[1], [1, 2]]} => true"),
   MT_OP_ROW ("$allElementsTrue", 1, 1, op_all_true, "is no element false, 0 or null",
              "{\"$allElementsTrue\": [[1, true]]} => true"),
   MT_OP_ROW ("$anyElementTrue", 1, 1, op_any_true, "is any element true",
              "{\"$anyElementTrue\": [[0, false]]} => false"),
   MT_OP_ROW ("$sum", 0, -1, op_sum, "the sum of the numbers among values, or in an array",
              "{\"$sum\": [[1, 2, \"x\"]]} => 3"),
   MT_OP_ROW ("$avg", 0, -1, op_avg, "their average", "{\"$avg\": [1, 2]} => 1.5"),
   MT_ROW_WITH ("$min", 0, -1, op_extreme, 0, "the least value but null",
                "{\"$min\": [[3, 1, null]]} => 1"),
   MT_ROW_WITH ("$max", 0, -1, op_extreme, 1, "the greatest value", "{\"$max\": [3, 1]} => 3"),
   MT_ROW_NAMED ("$sortArray", 2, "input,sortBy", op_sort, "sorted, by value (1, -1) or by fields",
                 "{\"$sortArray\": {\"input\": [3, 1, 2], \"sortBy\": -1}} => [3, 2, 1]"),
   MT_ROW_NAMED ("$zip", 3, "inputs,useLongestLength?,defaults?", op_zip,
                 "the first elements, the second ones, …",
                 "{\"$zip\": {\"inputs\": [[1, 2], [\"a\", \"b\"]]}} => [[1, \"a\"], [2, \"b\"]]"),
   MT_OP_END,
};
