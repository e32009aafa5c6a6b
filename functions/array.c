/* Functions of arrays: lengths, elements, slices, changes. */
#include "functions/array.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"
#include "functions/signature.h"

#include <string.h>

static bool make (MtEval *ev, const MtVal *v, size_t n, MtVal *out)
{
   return mt_v_make_array (ev->arena, v, n, out, ev->err);
}

static bool empty (MtEval *ev, MtVal *out) { return make (ev, NULL, 0, out); }

/* Computes an array's dimensions. `type` is the name of the element type, which most functions here
 * get as a hidden last argument. */
static bool dims_of (MtEval *ev, MtVal array, MtVal type, size_t dims[MT_MAX_ARRAY_DIMS],
                     int *count)
{
   MtTypeId t;
   if (!mt_element_type (ev, type, &t))
      return false;
   *count = mt_array_dims (array, t, dims);
   return true;
}

/* ---- lengths ---- */

enum { LENGTH, LOWER, UPPER };

/* Computes array_length, array_upper or array_lower; MT_USER (ev) says which. Arguments: array,
 * number of the dimension, element type. */
static bool fn_array_length (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count;
   *out = mt_v_null ();
   if (!dims_of (ev, a[0], a[2], dims, &count))
      return false;
   if (a[1].i >= 1 && a[1].i <= count)
      *out = mt_v_int32 (MT_USER (ev) == LOWER ? 1 : (int32_t) dims[a[1].i - 1]);
   return true;
}

static bool fn_array_ndims (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count;
   if (!dims_of (ev, a[0], a[1], dims, &count))
      return false;
   *out = count ? mt_v_int32 (count) : mt_v_null ();
   return true;
}

static bool fn_array_dims (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count;
   MtBuf buf = {0};
   *out = mt_v_null ();
   if (!dims_of (ev, a[0], a[1], dims, &count))
      return false;
   for (int i = 0; i < count; i++)
      mt_buf_printf (&buf, "[1:%zu]", dims[i]);
   if (count)
      *out = mt_text_result (ev, &buf);
   return true;
}

static bool fn_cardinality (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS], all = 1;
   int count;
   if (!dims_of (ev, a[0], a[1], dims, &count))
      return false;
   for (int i = 0; i < count; i++)
      all *= dims[i];
   *out = mt_v_int32 (count ? (int32_t) all : 0);
   return true;
}

/* ---- putting together ---- */

static bool differing (MtEval *ev, const char *fmt, int x, int y)
{
   mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "cannot concatenate incompatible arrays");
   return mt_error_detail (ev->err, fmt, x, y);
}

static bool join (MtEval *ev, MtVal a, MtVal b, bool nest_a, bool nest_b, MtVal *out)
{
   size_t na = 1, nb = 1;
   MtVal *x = nest_a ? &a : mt_v_elements (ev->arena, a, &na),
         *y = nest_b ? &b : mt_v_elements (ev->arena, b, &nb);
   MtVal *list = MT_TRY_NEW_N (ev->arena, MtVal, na + nb + 1);
   if (!x || !y || !list)
      return mt_memory_check (ev->err);
   if (na)
      memcpy (list, x, na * sizeof *list);
   if (nb)
      memcpy (list + na, y, nb * sizeof *list);
   return make (ev, list, na + nb, out);
}

/* Computes array_cat. Arguments: array, array, element type. Appends the elements of the second
 * array; but if one array has one more dimension, the other array becomes an element of it. */
static bool fn_array_cat (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t x[MT_MAX_ARRAY_DIMS], y[MT_MAX_ARRAY_DIMS];
   int nx, ny;
   bool null_a = mt_is_nullish (a[0]), null_b = mt_is_nullish (a[1]);
   *out = null_a ? a[1] : a[0];
   if (null_a || null_b)
      return true;
   if (!dims_of (ev, a[0], a[2], x, &nx) || !dims_of (ev, a[1], a[2], y, &ny))
      return false;
   if (nx == 0 || ny == 0) {
      *out = nx == 0 ? a[1] : a[0];
      return true;
   }
   if (nx != ny && nx != ny - 1 && nx != ny + 1)
      return differing (ev, "Arrays of %d and %d dimensions are not compatible for concatenation.",
                        nx, ny);
   const size_t *inner_x = x + (nx >= ny), *inner_y = y + (ny >= nx);
   int inner = (nx > ny ? nx : ny) - 1;
   if (memcmp (inner_x, inner_y, (size_t) inner * sizeof *x))
      return differing (
         ev,
         nx == ny ? "Arrays with differing element dimensions are not compatible for concatenation."
                  : "Arrays with differing dimensions are not compatible for concatenation.",
         nx, ny);
   return join (ev, a[0], a[1], nx < ny, ny < nx, out);
}

/* Computes array_append; arguments: array, element, element type. If MT_USER (ev) is 1,
 * array_prepend, where the element comes first. */
static bool fn_array_append (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool prepend = MT_USER (ev);
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count;
   MtVal array = a[prepend], element = a[!prepend];
   if (mt_is_nullish (array) && !empty (ev, &array))
      return false;
   if (!dims_of (ev, array, a[2], dims, &count))
      return false;
   if (count > 1)
      return mt_error (ev->err, MT_E_DATA, "argument must be empty or one-dimensional array");
   return prepend ? join (ev, element, array, true, false, out)
                  : join (ev, array, element, false, true, out);
}

/* ---- searching ---- */

static bool same (MtTypeId t, MtVal x, MtVal y)
{
   if (mt_is_nullish (x) || mt_is_nullish (y))
      return mt_is_nullish (x) && mt_is_nullish (y);
   return mt_datum_compare (t, x, y) == 0;
}

static bool only_flat (MtEval *ev, MtVal array, MtTypeId t, const char *what)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   return mt_array_dims (array, t, dims) <= 1 ||
          mt_error (ev->err, MT_E_FEATURE, "%s multidimensional arrays is not supported", what);
}

/* Computes array_position; arguments: array, element [, start], element type. If MT_USER (ev) is 1,
 * array_positions. */
static bool fn_array_position (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   size_t count, found = 0;
   int64_t start = 1;
   bool all = MT_USER (ev);
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   if (!mt_element_type (ev, a[n - 1], &t) || !only_flat (ev, a[0], t, "searching for elements in"))
      return false;
   if (n == 4 && mt_is_nullish (a[2]))
      return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "initial position must not be null");
   if (n == 4)
      start = a[2].i;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count),
         *list = MT_TRY_NEW_N (ev->arena, MtVal, count + 1);
   if (!v || !list)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < count && (all || !found); i++)
      if ((int64_t) i + 1 >= start && same (t, v[i], a[1]))
         list[found++] = mt_v_int32 ((int32_t) i + 1);
   if (all)
      return make (ev, list, found, out);
   if (found)
      *out = list[0];
   return true;
}

/* Computes array_remove. Arguments: array, element, element type. */
static bool fn_array_remove (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   size_t count, kept = 0;
   *out = a[0];
   if (mt_is_nullish (a[0]))
      return true;
   if (!mt_element_type (ev, a[2], &t) || !only_flat (ev, a[0], t, "removing elements from"))
      return false;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   for (size_t i = 0; i < count; i++)
      if (!same (t, v[i], a[1]))
         v[kept++] = v[i];
   return make (ev, v, kept, out);
}

static bool replace_level (MtEval *ev, MtVal array, MtTypeId t, const MtVal *a, int depth,
                           MtVal *out)
{
   size_t count;
   MtVal *v = mt_v_elements (ev->arena, array, &count);
   for (size_t i = 0; i < count; i++)
      if (v[i].type == MT_ARRAY && depth < MT_MAX_ARRAY_DIMS && !mt_type_holds_arrays (t)) {
         if (!replace_level (ev, v[i], t, a, depth + 1, &v[i]))
            return false;
      } else if (same (t, v[i], a[1]))
         v[i] = a[2];
   return make (ev, v, count, out);
}

/* Computes array_replace. Arguments: array, old element, new element, element type. */
static bool fn_array_replace (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   *out = a[0];
   return mt_is_nullish (a[0]) ||
          (mt_element_type (ev, a[3], &t) && replace_level (ev, a[0], t, a, 1, out));
}

/* ---- parts ---- */

static bool fn_trim_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtVal *v = mt_v_elements (ev->arena, a[0], &count);
   if (a[1].i < 0 || (size_t) a[1].i > count)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT,
                       "number of elements to trim must be between 0 and %zu", count);
   return make (ev, v, count - (size_t) a[1].i, out);
}

static bool filled (MtEval *ev, MtVal value, const MtVal *dims, size_t n, MtVal *out)
{
   MtVal inner = value;
   size_t count = (size_t) dims[0].i;
   if (n > 1 && !filled (ev, value, dims + 1, n - 1, &inner))
      return false;
   MtVal *list = MT_TRY_NEW_N (ev->arena, MtVal, count + 1);
   if (!list)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < count; i++)
      list[i] = inner;
   return make (ev, list, count, out);
}

static bool check_bounds (MtEval *ev, MtVal low, size_t n)
{
   size_t count;
   MtVal *v = mt_v_elements (ev->arena, low, &count);
   if (count != n)
      return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "wrong number of array subscripts");
   for (size_t i = 0; i < count; i++)
      if (mt_is_nullish (v[i]))
         return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "dimension values cannot be null");
      else if (v[i].i != 1)
         return mt_error (ev->err, MT_E_FEATURE,
                          "arrays whose lower bound is not 1 are not supported");
   return true;
}

/* Computes array_fill. Arguments: value, array of the dimensions' lengths [, array of their lower
 * bounds]. */
static bool fn_array_fill (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count, all = 1;
   if (mt_is_nullish (a[1]) || (n > 2 && mt_is_nullish (a[2])))
      return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED,
                       "dimension array or low bound array cannot be null");
   MtVal *dims = mt_v_elements (ev->arena, a[1], &count);
   if (count > MT_MAX_ARRAY_DIMS)
      return mt_error (ev->err, MT_E_LIMIT,
                       "number of array dimensions (%zu) exceeds the maximum allowed (%d)", count,
                       MT_MAX_ARRAY_DIMS);
   for (size_t i = 0; i < count; i++) {
      if (mt_is_nullish (dims[i]))
         return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "dimension values cannot be null");
      if (dims[i].i < 0 || __builtin_mul_overflow (all, (size_t) dims[i].i, &all) ||
          all > MT_MAX_DOC_BYTES)
         return mt_error (ev->err, MT_E_LIMIT, "array size exceeds the maximum allowed (%d)",
                          (int) MT_MAX_DOC_BYTES);
   }
   if (n > 2 && !check_bounds (ev, a[2], count))
      return false;
   return count == 0 || all == 0 ? empty (ev, out) : filled (ev, a[0], dims, count, out);
}

/* ---- subscripts ---- */

static MtVal element_at (MtVal array, const MtVal *index, int n)
{
   for (int i = 0; i < n; i++) {
      if (mt_is_nullish (index[i]) || array.type != MT_ARRAY || index[i].i < 1)
         return mt_v_null ();
      array = mt_doc_at (array, (size_t) index[i].i - 1);
   }
   return mt_is_nullish (array) ? mt_v_null () : array;
}

/* Computes a[i][j]. Arguments: element type, array, subscripts. The result is NULL unless there is
 * one subscript for each dimension. */
static bool fn_subscript (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count;
   *out = mt_v_null ();
   if (mt_is_nullish (a[1]))
      return true;
   if (!dims_of (ev, a[1], a[0], dims, &count))
      return false;
   if (count == n - 2)
      *out = element_at (a[1], a + 2, n - 2);
   return true;
}

static bool slice_level (MtEval *ev, MtVal array, const MtVal *bounds, int n, MtVal *out)
{
   size_t count, kept = 0;
   MtVal *v = mt_v_elements (ev->arena, array, &count);
   int64_t low = bounds[0].i, high = bounds[1].i;
   for (int64_t i = low < 1 ? 1 : low; i <= high && i <= (int64_t) count; i++) {
      v[kept] = v[i - 1];
      if (n > 1 && !slice_level (ev, v[kept], bounds + 2, n - 1, &v[kept]))
         return false;
      if (n > 1 && mt_doc_count (v[kept]) == 0)
         return empty (ev, out);
      kept++;
   }
   return make (ev, v, kept, out);
}

/* Computes a slice a[low:high][low:high]…. Arguments: element type, array, low, high, low, high, ….
 * Dimensions without a slice are taken whole. With more slices than dimensions, the result is an
 * empty array. */
static bool fn_slice (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   int count;
   *out = mt_v_null ();
   for (int i = 1; i < n; i++)
      if (mt_is_nullish (a[i]))
         return true;
   if (!dims_of (ev, a[1], a[0], dims, &count))
      return false;
   int given = (n - 2) / 2;
   return count < given ? empty (ev, out) : slice_level (ev, a[1], a + 2, given, out);
}

/* ---- counting NULLs, buckets ---- */

/* Computes num_nulls, the number of NULL arguments, or if MT_USER (ev) is 1, num_nonnulls. */
static bool fn_count_nulls (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v;
   int32_t count = 0;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   for (MtArrayIter it = mt_array_iter (a[0], MT_T_UNKNOWN); mt_array_next (&it, &v);)
      count += mt_is_nullish (v) != MT_USER (ev);
   *out = mt_v_int32 (count);
   return true;
}

/* Computes width_bucket (value, thresholds). Arguments: value, sorted array of thresholds, element
 * type. */
static bool fn_bucket_of (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   size_t count, low = 0;
   if (!mt_element_type (ev, a[2], &t))
      return false;
   MtVal *v = mt_v_elements (ev->arena, a[1], &count);
   size_t high = count;
   for (size_t i = 0; i < count; i++) {
      if (v[i].type == MT_ARRAY && !mt_type_holds_arrays (t))
         return mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT,
                          "thresholds must be one-dimensional array");
      if (mt_is_nullish (v[i]))
         return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED,
                          "thresholds array must not contain NULLs");
   }
   while (low < high) {
      size_t mid = (low + high) / 2;
      if (mt_datum_compare (t, a[0], v[mid]) < 0)
         high = mid;
      else
         low = mid + 1;
   }
   *out = mt_v_int32 ((int32_t) low);
   return true;
}

static bool fn_size (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_int32 ((int32_t) mt_doc_count (a[0]));
   return true;
}

/* Computes x = ANY (array), for element types for which BSON's equality is SQL's. */
static bool fn_in_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtDocIter it = mt_doc_iter (a[1]);
   MtStr key;
   MtVal v;
   bool null = false;
   *out = mt_v_null ();
   if (mt_is_nullish (a[1]))
      return true;
   while (mt_doc_next (&it, &key, &v)) {
      null |= mt_is_nullish (v) || mt_is_nullish (a[0]);
      if (!mt_is_nullish (v) && !mt_is_nullish (a[0]) && mt_v_compare (a[0], v) == 0) {
         *out = mt_v_bool (true);
         return true;
      }
   }
   if (!null)
      *out = mt_v_bool (false);
   return true;
}

/* x = ANY (array) as an expression, where $1 is x and $2 the array. Its conditions in order: a NULL
 * array gives NULL. An empty array gives false, even for NULL. A NULL x gives NULL. Otherwise $in
 * decides; but if the array has a NULL element, NULL replaces false. */
#define IN_ARRAY \
   "{\"$cond\": [{\"$lte\": [\"$2\", null]}, null, {\"$cond\": [{\"$eq\": [\"$2\", []]}, false, " \
   "{\"$cond\": [{\"$lte\": [\"$1\", null]}, null, " \
   "{\"$cond\": [{\"$in\": [\"$1\", \"$2\"]}, true, {\"$cond\": [{\"$in\": [null, \"$2\"]}, " \
   "null, false]}]}]}]}]}"
#define NS MT_F_NOT_STRICT
#define OPER MT_F_OPERATOR

const MtFunc mt_fn_array[] = {
   MT_ROW ("array_length", "anyarray, dimension int4, _type text -> int4", 0, NULL,
           MT_OPN ("array_length", array_length, LENGTH), "length of a dimension",
           "SELECT array_length(ARRAY[[1, 2, 3], [4, 5, 6]], 2) => 3"),
   MT_ROW ("array_lower", "anyarray, dimension int4, _type text -> int4", 0, NULL,
           MT_OPN ("array_lower", array_length, LOWER), "first subscript of a dimension (always 1)",
           "SELECT array_lower(ARRAY[5, 6], 1) => 1"),
   MT_ROW ("array_upper", "anyarray, dimension int4, _type text -> int4", 0, NULL,
           MT_OPN ("array_upper", array_length, UPPER), "last subscript of a dimension",
           "SELECT array_upper(ARRAY[1, 8, 3, 7], 1) => 4"),
   MT_ROW ("array_ndims", "anyarray, _type text -> int4", 0, NULL,
           MT_OPN ("array_ndims", array_ndims, 0), "number of dimensions",
           "SELECT array_ndims(ARRAY[[1, 2, 3], [4, 5, 6]]) => 2"),
   MT_ROW ("array_dims", "anyarray, _type text -> text", 0, NULL,
           MT_OPN ("array_dims", array_dims, 0), "dimensions as text",
           "SELECT array_dims(ARRAY[[1, 2, 3], [4, 5, 6]]) => [1:2][1:3]"),
   MT_ROW ("cardinality", "anyarray, _type text -> int4", MT_NN | MT_F_FLAT_ROW, NULL,
           MT_OPN ("cardinality", cardinality, 0), "number of elements in all dimensions",
           "SELECT cardinality(ARRAY[[1, 2], [3, 4]]) => 4"),
   MT_ROW ("$cardinality", "anyarray -> int4", MT_NN, "{\"$size\": [\"$1\"]}",
           MT_OPN ("size", size, 0), "number of elements of an array that has one dimension",
           "SELECT cardinality(string_to_array('a,b', ',')) => 2"),
   MT_ROW_KIND (IN_ARRAY, "$in_array", "anyelement, anyarray -> bool", NS, IN_ARRAY,
                MT_OPN ("in_array", in_array, 0),
                "whether a value is an element of an array that has one dimension",
                "SELECT 'b' = ANY (string_to_array('a,b', ',')) => t"),
   MT_ROW ("array_append", "anycompatiblearray, anycompatible, _type text -> anycompatiblearray",
           NS | MT_NN, NULL, MT_OPN ("array_append", array_append, 0),
           "array with one more element at the end",
           "SELECT array_append(ARRAY[1, 2], 3) => {1,2,3}"),
   MT_ROW ("array_prepend", "anycompatible, anycompatiblearray, _type text -> anycompatiblearray",
           NS | MT_NN, NULL, MT_OPN ("array_prepend", array_append, 1),
           "array with one more element at the beginning",
           "SELECT array_prepend(1, ARRAY[2, 3]) => {1,2,3}"),
   MT_ROW ("array_cat", "anycompatiblearray, anycompatiblearray, _type text -> anycompatiblearray",
           NS, NULL, MT_OPN ("array_cat", array_cat, 0), "two arrays joined",
           "SELECT array_cat(ARRAY[1, 2, 3], ARRAY[4, 5]) => {1,2,3,4,5}"),
   MT_ROW ("||", "anycompatiblearray, anycompatible, _type text -> anycompatiblearray",
           OPER | NS | MT_NN, NULL, MT_OPN ("array_append", array_append, 0),
           "array with one more element at the end", "SELECT ARRAY[4, 5, 6] || 7 => {4,5,6,7}"),
   MT_ROW ("||", "anycompatible, anycompatiblearray, _type text -> anycompatiblearray",
           OPER | NS | MT_NN, NULL, MT_OPN ("array_prepend", array_append, 1),
           "array with one more element at the beginning",
           "SELECT 3 || ARRAY[4, 5, 6] => {3,4,5,6}"),
   MT_ROW ("||", "anycompatiblearray, anycompatiblearray, _type text -> anycompatiblearray",
           OPER | NS, NULL, MT_OPN ("array_cat", array_cat, 0), "two arrays joined",
           "SELECT ARRAY[1, 2, 3] || ARRAY[[4, 5, 6], [7, 8, 9]] => {{1,2,3},{4,5,6},{7,8,9}}"),
   MT_ROW ("array_position", "anycompatiblearray, anycompatible, _type text -> int4", NS, NULL,
           MT_OPN ("array_position", array_position, 0),
           "subscript of the first element that equals the value",
           "SELECT array_position(ARRAY['sun', 'mon', 'tue'], 'mon') => 2"),
   MT_ROW ("array_position", "anycompatiblearray, anycompatible, start int4, _type text -> int4",
           NS, NULL, MT_OPN ("array_position", array_position, 0),
           "subscript of the first element from start on that equals the value",
           "SELECT array_position(ARRAY['a', 'b', 'a'], 'a', 2) => 3"),
   MT_ROW ("array_positions", "anycompatiblearray, anycompatible, _type text -> int4[]",
           NS | MT_F_FLAT, NULL, MT_OPN ("array_positions", array_position, 1),
           "subscripts of all elements that equal the value",
           "SELECT array_positions(ARRAY['A', 'A', 'B', 'A'], 'A') => {1,2,4}"),
   MT_ROW ("array_remove", "anycompatiblearray, anycompatible, _type text -> anycompatiblearray",
           NS, NULL, MT_OPN ("array_remove", array_remove, 0),
           "array without elements that equal the value",
           "SELECT array_remove(ARRAY[1, 2, 3, 2], 2) => {1,3}"),
   MT_ROW ("array_replace",
           "anycompatiblearray, anycompatible, anycompatible, _type text -> anycompatiblearray", NS,
           NULL, MT_OPN ("array_replace", array_replace, 0), "array with equal elements replaced",
           "SELECT array_replace(ARRAY[1, 2, 5, 4], 5, 3) => {1,2,3,4}"),
   MT_ROW ("trim_array", "anyarray, n int4 -> anyarray", MT_NN, NULL,
           MT_OPN ("trim_array", trim_array, 0), "array without the last n elements",
           "SELECT trim_array(ARRAY[1, 2, 3, 4, 5, 6], 2) => {1,2,3,4}"),
   MT_ROW ("array_fill", "anyelement, lengths int4[] -> anyarray", NS | MT_NN, NULL,
           MT_OPN ("array_fill", array_fill, 0), "array of the given lengths, filled with a value",
           "SELECT array_fill(11, ARRAY[2, 3]) => {{11,11,11},{11,11,11}}"),
   MT_ROW ("array_fill", "anyelement, lengths int4[], lower int4[] -> anyarray", NS | MT_NN, NULL,
           MT_OPN ("array_fill", array_fill, 0), "array of the given lengths, filled with a value",
           "SELECT array_fill(7, ARRAY[3], ARRAY[1]) => {7,7,7}"),
   MT_ROW ("width_bucket", "anycompatible, thresholds anycompatiblearray, _type text -> int4",
           MT_NN, NULL, MT_OPN ("bucket_of", bucket_of, 0),
           "number of the bucket; the thresholds are the starts of the buckets",
           "SELECT width_bucket(5, ARRAY[1, 3, 4, 10]) => 3"),
   MT_ROW ("$num_nulls", "anyarray -> int4", NS, NULL, MT_OPN ("count_nulls", count_nulls, 0),
           "number of NULL elements", "SELECT num_nulls(VARIADIC ARRAY[1, NULL]) => 1"),
   MT_ROW ("$num_nonnulls", "anyarray -> int4", NS, NULL, MT_OPN ("count_nonnulls", count_nulls, 1),
           "number of elements that aren't NULL",
           "SELECT num_nonnulls(VARIADIC ARRAY[1, NULL, 2]) => 2"),
   MT_ROW ("$subscript", "text, anyarray, int4 -> anyelement", NS | MT_F_VARIADIC, NULL,
           MT_OPN ("subscript", subscript, 0), "element of an array",
           "SELECT (ARRAY[[1, 2], [3, 4]])[2][1] => 3"),
   MT_ROW ("$slice", "text, anyarray, int4 -> anyarray", NS | MT_F_VARIADIC, NULL,
           MT_OPN ("slice", slice, 0), "a part of an array",
           "SELECT (ARRAY[1, 2, 3, 4])[2:3] => {2,3}"),
   {.name = NULL},
};
