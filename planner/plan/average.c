/* The average of integers, with PostgreSQL's number of decimals. PostgreSQL gives the quotient
 * of two integers 16 - 4 w decimals, where w is the number of groups of four digits before the
 * quotient's last group. It finds w by the first groups of both integers: w is the greatest
 * number for which |sum| >= t * 10000^w. Here t is the count, with its first group increased by
 * one, and all its other groups 0.
 *
 * A quotient of 34 digits is accurate to 10^(4 w - 29). Its distance from the middle between two
 * results is 0, or at least 10^(4 w - 16) / (2 * count). So it is rounded like the exact
 * quotient. */
#include "planner/plan/average.h"

#include "types/numeric.h"

#include <string.h>

#define GROUPS 4        /* of the count */
#define LARGEST_GROUP 4 /* the w from which on there are no decimals */
#define SCALES 9        /* 0, 4 … 32 decimals */
#define MORE_SCALES 26  /* for sums with decimals; $trunc fails for 104 decimals */

static MtVal decimal (MtArena *a, int64_t i, int scale)
{
   return mt_num_to_val (a, mt_num_from_scaled (i, scale));
}

/* Returns 10000^w as a decimal. */
static MtVal unit (MtArena *a, int w)
{
   int64_t up = 1;
   for (int i = 0; i < w; i++)
      up *= 10000;
   return decimal (a, up, w < 0 ? -4 * w : 0);
}

/* Returns an array of `count` numbers 10000^w, for w from `first` on in steps of `step` (1 or
 * -1). */
static MtVal units (MtArena *a, int first, int count, int step)
{
   bson_t *list = mt_doc_new (a);
   for (int i = 0; i < count; i++)
      mt_doc_push (list, unit (a, first + i * step));
   return mt_v_array (list);
}

/* Returns an array with half a unit of the last decimal, for each of the SCALES. */
static MtVal halves (MtArena *a)
{
   bson_t *list = mt_doc_new (a);
   for (int i = 0; i < SCALES; i++)
      mt_doc_push (list, decimal (a, 5, 4 * i + 1));
   return mt_v_array (list);
}

/* Returns an expression for the quotient of the variables s and n, rounded half away from zero to 4
 * * i decimals, where i is a variable. */
static MtVal rounded (MtArena *a)
{
   bson_t *out = mt_doc_new (a);
   MtVal half = halves (a);
   mt_doc_printf (out,
                  "$trunc: [{$add: [{$divide: ['$$s', '$$n']}, {$multiply: [{$arrayElemAt: [%p, "
                  "'$$i']}, {$cond: [{$lt: ['$$s', 0]}, -1, 1]}]}]}, {$multiply: ['$$i', 4]}]",
                  (void *) &half);
   return mt_v_doc (out);
}

/* Returns the number of decimals of the variable s, or less than 0. */
static MtVal decimals (MtArena *a)
{
   bson_t *out = mt_doc_new (a);
   mt_doc_printf (
      out,
      "r: {$let: {vars: {x: {$split: [{$toString: '$$s'}, 'E']}}, in: {$let: {vars: {m: {$split: "
      "[{$arrayElemAt: ['$$x', 0]}, '.']}, x: {$ifNull: [{$arrayElemAt: ['$$x', 1]}, '']}}, in: "
      "{$subtract: [{$strLenCP: {$ifNull: [{$arrayElemAt: ['$$m', 1]}, '']}}, {$cond: [{$eq: "
      "[{$substrBytes: ['$$x', 0, 1]}, '-']}, {$toInt: '$$x'}, 0]}]}}}}}");
   return mt_doc_field (mt_v_doc (out), "r");
}

/* Like rounded (), for a sum with decimals. */
static MtVal rounded_numeric (MtArena *a)
{
   bson_t *out = mt_doc_new (a);
   MtVal of_sum = decimals (a), most = mt_num_to_val (a, mt_num_from_scaled (1, -33));
   mt_doc_printf (
      out,
      "r: {$let: {vars: {e: {$max: [{$multiply: ['$$i', 4]}, %p]}}, in: {$cond: [{$lt: "
      "[{$multiply: ['$$z', {$toDecimal: {$concat: ['2E', {$toString: '$$e'}]}}]}, %p]}, {$trunc: "
      "[{$add: [{$divide: ['$$s', '$$n']}, {$multiply: [{$toDecimal: {$concat: ['5E-', {$toString: "
      "{$add: ['$$e', 1]}}]}}, {$cond: [{$lt: ['$$s', 0]}, -1, 1]}]}]}, '$$e']}, {$toDecimal: "
      "{$concat: ['too many digits for the server: ', {$toString: '$$s'}]}}]}}}",
      (void *) &of_sum, (void *) &most);
   return mt_doc_field (mt_v_doc (out), "r");
}

/* Returns the rounded quotient, with the variable i computed from s, n and the groups g of n. */
static MtVal with_scale (MtArena *a, bool whole)
{
   bson_t *out = mt_doc_new (a);
   MtVal of_count = units (a, 0, GROUPS, 1), result = whole ? rounded (a) : rounded_numeric (a),
         of_quotient = units (a, LARGEST_GROUP, (whole ? SCALES : MORE_SCALES) - 1, -1);
   mt_doc_printf (
      out,
      "$let: {vars: {z: {$abs: '$$s'}, t: {$let: {vars: {p: {$arrayElemAt: [%p, {$subtract: "
      "['$$g', 1]}]}}, in: {$add: [{$subtract: ['$$n', {$mod: ['$$n', '$$p']}]}, '$$p']}}}}, in: "
      "{$let: {vars: {i: {$cond: [{$eq: ['$$z', 0]}, {$add: ['$$g', %d]}, {$size: {$filter: "
      "{input: %p, cond: {$lt: ['$$z', {$multiply: ['$$t', '$$this']}]}}}}]}}, in: %p}}}",
      (void *) &of_count, LARGEST_GROUP, (void *) &of_quotient, (void *) &result);
   return mt_v_doc (out);
}

/* Returns `result`, or s itself if it is no finite number. */
static MtVal if_finite (MtArena *a, MtVal result)
{
   bson_t *out = mt_doc_new (a), *others = mt_doc_new (a);
   static const char *const texts[] = {"NaN", "Infinity", "-Infinity"};
   MtNum n;
   for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
      if (mt_num_in (texts[i], strlen (texts[i]), &n, NULL))
         mt_doc_push (others, mt_num_to_val (a, n));
   MtVal list = mt_v_array (others);
   mt_doc_printf (out, "$cond: [{$in: ['$$s', %p]}, '$$s', %p]", (void *) &list, (void *) &result);
   return mt_v_doc (out);
}

const bson_t *mt_average_words (MtArena *a, MtVal args)
{
   size_t n = 0;
   MtVal *v = args.type == MT_ARRAY ? mt_v_elements (a, args, &n) : NULL;
   bool whole = n == 3 && mt_v_is_text (v[2], "integer");
   if (!v || n != 3 || (!whole && !mt_v_is_text (v[2], "decimal")))
      return NULL;
   bson_t *out = mt_doc_new (a);
   MtVal groups = units (a, 0, GROUPS, 1), result = with_scale (a, whole);
   if (!whole)
      result = if_finite (a, result);
   mt_doc_printf (out,
                  "r: {$let: {vars: {s: {$toDecimal: %p}, n: {$toDecimal: %p}}, in: {$cond: [{$gt: "
                  "['$$n', 0]}, {$let: {vars: {g: {$size: {$filter: {input: %p, cond: {$gte: "
                  "['$$n', '$$this']}}}}}, in: %p}}, null]}}}",
                  (void *) &v[0], (void *) &v[1], (void *) &groups, (void *) &result);
   return mt_doc_of (a, mt_doc_field (mt_v_doc (out), "r"));
}
