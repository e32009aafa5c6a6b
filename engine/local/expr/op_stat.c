/* Operators over the numbers or the first elements of an array, and over timestamps:
 * $percentile, $median, $stdDevPop, $firstN, $minN, $tsSecond, … */
#include "engine/local/expr/op_int.h"

#include <stdlib.h>

/* ---- $percentile, $median ---- */

static int by_size (const void *a, const void *b)
{
   double x = *(const double *) a, y = *(const double *) b;
   return (x > y) - (x < y);
}

bool mt_op_percentiles (MtEval *ev, const char *name, MtVal p, MtVal method, MtPercentiles *out)
{
   size_t n;
   MtVal *list = mt_v_elements (ev->arena, p, &n);
   *out = (MtPercentiles) {.p = MT_NEW_N (ev->arena, double, n + 1), .n = n};
   out->continuous = mt_v_is_text (method, "continuous");
   if (!out->continuous && !mt_v_is_text (method, "discrete") &&
       !mt_v_is_text (method, "approximate"))
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                         "'method' of %s must be 'approximate', 'discrete' or 'continuous'", name);
   if (p.type != MT_ARRAY || !n)
      return MT_OP_FAIL (MT_E_PARAMETER, 7750303,
                         "'p' of %s must be an array of numbers from 0 to 1", name);
   for (size_t i = 0; i < n; i++) {
      out->p[i] = mt_is_number (list[i]) ? mt_op_double (list[i]) : -1;
      if (!(out->p[i] >= 0 && out->p[i] <= 1))
         return MT_OP_FAIL (MT_E_PARAMETER, 7750303,
                            "'p' of %s must be an array of numbers from 0 to 1", name);
   }
   return true;
}

MtPercentilePlace mt_op_percentile_place (uint64_t n, double p, bool continuous)
{
   if (!continuous) {
      double rank = ceil (p * (double) n) - 1;
      return (MtPercentilePlace) {rank > 0 ? (uint64_t) rank : 0, 0};
   }
   double rank = p * (double) (n - 1);
   return (MtPercentilePlace) {(uint64_t) rank, rank - floor (rank)};
}

double mt_op_between (double low, double high, double share)
{
   /* If both numbers are equal, the result is clear. The formula would not work for infinities. */
   return share == 0 || low == high ? low : low * (1 - share) + high * share;
}

static MtVal percentile (const double *sorted, size_t n, double p, bool continuous)
{
   if (!n)
      return mt_v_null ();
   MtPercentilePlace at = mt_op_percentile_place (n, p, continuous);
   return mt_v_double (
      mt_op_between (sorted[at.rank], sorted[at.rank + 1 < n ? at.rank + 1 : at.rank], at.share));
}

/* Stores the numbers of v, which is a number or an array, in *out, sorted. Ignores NaN and values
 * that are not numbers. */
static bool numbers_of (MtEval *ev, MtVal v, double **out, size_t *count)
{
   size_t n = 1;
   const MtVal *list = v.type == MT_ARRAY ? mt_v_elements (ev->arena, v, &n) : &v;
   *count = 0;
   *out = MT_TRY_NEW_N (ev->arena, double, n + 1);
   if (!*out)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < n; i++)
      if (mt_is_number (list[i]) && !isnan (mt_op_double (list[i])))
         (*out)[(*count)++] = mt_op_double (list[i]);
   qsort (*out, *count, sizeof **out, by_size);
   return true;
}

static bool op_percentile (MT_OP_ARGS)
{
   MtPercentiles p;
   double *v;
   size_t n;
   if (!mt_op_percentiles (ev, "$percentile", args[1], args[2], &p) ||
       !numbers_of (ev, args[0], &v, &n))
      return false;
   MtVal *list = MT_NEW_N (ev->arena, MtVal, p.n + 1);
   for (size_t i = 0; i < p.n; i++)
      list[i] = percentile (v, n, p.p[i], p.continuous);
   return mt_v_make_array (ev->arena, list, p.n, out, ev->err);
}

static bool op_median (MT_OP_ARGS)
{
   MtPercentiles p;
   double *v;
   size_t n;
   MtVal half = mt_v_double (0.5), list;
   if (!mt_v_make_array (ev->arena, &half, 1, &list, ev->err) ||
       !mt_op_percentiles (ev, "$median", list, args[1], &p) || !numbers_of (ev, args[0], &v, &n))
      return false;
   return mt_op_put (out, percentile (v, n, 0.5, p.continuous));
}

/* ---- $stdDevPop, $stdDevSamp ---- */

static bool op_deviation (MT_OP_ARGS)
{
   size_t n = (size_t) argc, count = 0, less = (size_t) (uintptr_t) ev->user;
   if (argc == 1 && args[0].type == MT_ARRAY)
      args = mt_v_elements (ev->arena, args[0], &n);
   double mean = 0, squares = 0;
   for (size_t i = 0; i < n; i++) {
      if (!mt_is_number (args[i]))
         continue;
      double x = mt_op_double (args[i]), delta = x - mean;
      mean += delta / (double) ++count;
      squares += delta * (x - mean);
   }
   return mt_op_put (out, count <= less ? mt_v_null ()
                                        : mt_v_double (sqrt (squares / (double) (count - less))));
}

/* ---- $firstN, $lastN, $minN, $maxN ---- */

typedef enum { FIRST, LAST, LEAST, MOST } Which;

static int by_value (const void *a, const void *b)
{
   return mt_x_compare (*(const MtVal *) a, *(const MtVal *) b);
}

static bool op_some (MT_OP_ARGS)
{
   static const char *const names[] = {"$firstN", "$lastN", "$minN", "$maxN"};
   Which which = (Which) (uintptr_t) ev->user;
   int64_t wanted;
   size_t n, count = 0;
   if (args[0].type != MT_ARRAY)
      return MT_OP_FAIL (MT_E_PARAMETER, 5788200, "input of %s must be an array, but is %s",
                         names[which], mt_v_type_name (args[0]));
   if (!mt_op_whole (args[1], &wanted) || wanted < 1)
      return MT_OP_FAIL (MT_E_PARAMETER, 5787908, "'n' of %s must be an integer greater than 0",
                         names[which]);
   MtVal *list = mt_v_elements (ev->arena, args[0], &n);
   for (size_t i = 0; i < n; i++)
      if (which < LEAST || !mt_is_nullish (list[i]))
         list[count++] = list[i];
   if (which >= LEAST)
      qsort (list, count, sizeof *list, by_value);
   for (size_t i = 0; which == MOST && i < count / 2; i++) {
      MtVal v = list[i];
      list[i] = list[count - 1 - i];
      list[count - 1 - i] = v;
   }
   size_t kept = (uint64_t) wanted < count ? (size_t) wanted : count;
   return mt_v_make_array (ev->arena, list + (which == LAST ? count - kept : 0), kept, out,
                           ev->err);
}

/* ---- $similarityCosine, $similarityDotProduct, $similarityEuclidean ---- */

typedef enum Similarity { COSINE, DOT_PRODUCT, EUCLIDEAN } Similarity;

/* Returns the similarity of two vectors of n numbers. score: scaled as vector searches do. */
static double similarity (Similarity which, const double *a, const double *b, size_t n, bool score)
{
   double dot = 0, aa = 0, bb = 0, squares = 0;
   for (size_t i = 0; i < n; i++) {
      dot += a[i] * b[i];
      aa += a[i] * a[i];
      bb += b[i] * b[i];
      squares += (a[i] - b[i]) * (a[i] - b[i]);
   }
   if (which == EUCLIDEAN)
      return score ? 1 / (1 + sqrt (squares)) : sqrt (squares);
   double r = dot;
   if (which == COSINE)
      r = aa > 0 && bb > 0 ? dot / (sqrt (aa) * sqrt (bb)) : 0;
   return score ? (1 + r) / 2 : r;
}

/* args: vectors, score? */
static bool op_similarity (MT_OP_ARGS)
{
   double *numbers[2];
   size_t n = 0, count[2] = {0, 0};
   MtVal *vectors = mt_v_elements (ev->arena, args[0], &n);
   if (args[0].type != MT_ARRAY || n != 2)
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_FAILED_TO_PARSE,
                         "'vectors' must be an array of two vectors");
   if (args[1].type != MT_MISSING && args[1].type != MT_BOOL)
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_FAILED_TO_PARSE, "'score' must be a boolean");
   if (mt_is_nullish (vectors[0]) || mt_is_nullish (vectors[1]))
      return mt_op_null (out);
   for (int i = 0; i < 2; i++)
      if (vectors[i].type != MT_ARRAY && vectors[i].type != MT_BINARY)
         return MT_OP_FAIL (MT_E_PARAMETER, 10413200 + i, "a vector must be an array, but is %s",
                            mt_v_type_name (vectors[i]));
   for (int i = 0; i < 2; i++)
      if (!mt_op_numbers (ev, vectors[i], &numbers[i], &count[i]))
         return false;
   if (count[0] != count[1])
      return MT_OP_FAIL (MT_E_PARAMETER, 10413202, "the vectors have %zu and %zu elements",
                         count[0], count[1]);
   for (int i = 0; i < 2; i++)
      if (!numbers[i])
         return MT_OP_FAIL (MT_E_PARAMETER, 10413203 + i, "an element of a vector is no number");
   return mt_op_put (out, mt_v_double (similarity ((Similarity) (uintptr_t) ev->user, numbers[0],
                                                   numbers[1], count[0], args[1].i)));
}

/* ---- timestamps and binary data ---- */

static bool op_timestamp (MT_OP_ARGS)
{
   bool second = ev->user == NULL;
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_TIMESTAMP)
      return MT_OP_FAIL (MT_E_PARAMETER, second ? 5687301 : 5687302,
                         "%s requires a timestamp, found: %s",
                         second ? "$tsSecond" : "$tsIncrement", mt_v_type_name (args[0]));
   uint64_t bits = (uint64_t) args[0].i;
   return mt_op_put (out, mt_v_int64 ((int64_t) (second ? bits >> 32 : bits & UINT32_MAX)));
}

static bool op_binary_size (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (args[0].type != MT_STRING && args[0].type != MT_BINARY)
      return MT_OP_FAIL (MT_E_PARAMETER, 51276,
                         "$binarySize requires a string or BinData argument, found: %s",
                         mt_v_type_name (args[0]));
   return mt_op_put (out, mt_v_int32 ((int32_t) args[0].len));
}

/* ---- the table ---- */

#define SOME(name, which, summary, example) \
   {name, 2, 2, "input,n", MT_OP_FOLD, op_some, summary, example, (void *) (uintptr_t) which}
#define SIMILARITY(name, which, summary, example) \
   {name,          2,       2,       "vectors,score?",          MT_OP_FOLD, \
    op_similarity, summary, example, (void *) (uintptr_t) which}

const MtOpRow mt_ops_stat[] = {
   MT_ROW_NAMED ("$percentile", 3, "input,p,method", op_percentile,
                 "the values below which these shares of the numbers are",
                 "{\"$percentile\": {\"input\": [1, 2, 3, 4], \"p\": [0.5, 1], \"method\": "
                 "\"approximate\"}} => [2.0, 4.0]"),
   MT_ROW_NAMED ("$median", 2, "input,method", op_median, "the value in the middle of the numbers",
                 "{\"$median\": {\"input\": [5, 1, 3], \"method\": \"approximate\"}} => 3.0"),
   MT_ROW_WITH ("$stdDevPop", 0, -1, op_deviation, 0, "the standard deviation of a population",
                "{\"$stdDevPop\": [[1, 3]]} => 1.0"),
   MT_ROW_WITH ("$stdDevSamp", 0, -1, op_deviation, 1, "the standard deviation of a sample",
                "{\"$stdDevSamp\": [1, 2, 3]} => 1.0"),
   SOME ("$firstN", FIRST, "the first n elements",
         "{\"$firstN\": {\"input\": [3, 1, 2], \"n\": 2}} => [3, 1]"),
   SOME ("$lastN", LAST, "the last n elements",
         "{\"$lastN\": {\"input\": [3, 1, 2], \"n\": 2}} => [1, 2]"),
   SOME ("$minN", LEAST, "the n least elements but null",
         "{\"$minN\": {\"input\": [3, null, 2, 5], \"n\": 2}} => [2, 3]"),
   SOME ("$maxN", MOST, "the n greatest elements",
         "{\"$maxN\": {\"input\": [3, null, 2, 5], \"n\": 2}} => [5, 3]"),
   SIMILARITY ("$similarityCosine", COSINE, "the cosine of the angle between two vectors",
               "{\"$similarityCosine\": {\"vectors\": [[0, 2], [0, 1]]}} => 1.0"),
   SIMILARITY ("$similarityDotProduct", DOT_PRODUCT, "the dot product of two vectors",
               "{\"$similarityDotProduct\": {\"vectors\": [[1, 2], [3, 4]]}} => 11.0"),
   SIMILARITY ("$similarityEuclidean", EUCLIDEAN, "the distance of two vectors",
               "{\"$similarityEuclidean\": {\"vectors\": [[0, 0], [3, 4]]}} => 5.0"),
   MT_ROW_WITH (
      "$tsSecond", 1, 1, op_timestamp, 0, "the seconds of a timestamp",
      "{\"$tsSecond\": {\"$timestamp\": {\"t\": 7, \"i\": 2}}} => {\"$numberLong\": \"7\"}"),
   MT_ROW_WITH ("$tsIncrement", 1, 1, op_timestamp, 1, "the ordinal of a timestamp",
                "{\"$tsIncrement\": {\"$timestamp\": {\"t\": 7, \"i\": 2}}} => {\"$numberLong\": "
                "\"2\"}"),
   MT_OP_ROW ("$binarySize", 1, 1, op_binary_size, "the bytes of a string or of binary data",
              "{\"$binarySize\": \"é\"} => 2"),
   MT_OP_END,
};
