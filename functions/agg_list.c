/* Percentiles from arrays of values, in MongoDB's own operators. */
#include "functions/agg_list.h"

#include "engine/pipe.h"

#include "types/datetime.h"

static bool is_float (MtTypeId t) { return t == MT_T_FLOAT8; }

bool mt_listed (const MtAggInput *in, MtTypeId type, bool continuous)
{
   bool plain = mt_type_is_integer (type) || type == MT_T_TEXT || mt_type_is_datetime (type);
   bool descending = in->call->order_count && in->call->order[0].descending;
   return in->lists && !descending && (is_float (type) || (plain && !continuous));
}

/* Returns the array of the elements of `list` that satisfy a condition on $$this. */
static const bson_t *filtered (MtArena *a, const bson_t *list, const char *op, MtVal than)
{
   bson_t *out = mt_doc_new (a);
   MtVal input = mt_doc_value (list);
   mt_doc_printf (out, "$filter: {input: %p, cond: {%s: ['$$this', %p]}}", (void *) &input, op,
                  (void *) &than);
   return mt_doc_of (a, mt_v_doc (out));
}

/* Returns element i of the sorted values $$v. In SQL's order NaNs come behind them. */
static const bson_t *element (MtArena *a, MtTypeId type, const bson_t *i)
{
   const bson_t *v = mt_mql_path (a, "$v"), *at = mt_mql_op (a, "$arrayElemAt", v, i, NULL);
   return is_float (type)
             ? mt_mql_op (a, "$cond", mt_mql_op (a, "$lt", i, mt_mql_op1 (a, "$size", v), NULL), at,
                          mt_nan_of (a, type), NULL)
             : at;
}

/* Returns the first value at or after the share of the $$n values. */
static const bson_t *discrete (MtArena *a, MtTypeId type, const bson_t *share)
{
   const bson_t *row = mt_mql_op1 (
      a, "$toInt",
      mt_mql_op1 (a, "$ceil", mt_mql_op (a, "$multiply", share, mt_mql_path (a, "$n"), NULL)));
   const bson_t *i = mt_mql_op (a, "$max", mt_mql_int (a, 0),
                                mt_mql_op (a, "$subtract", row, mt_mql_int (a, 1), NULL), NULL);
   return mt_mql_let (a, "i", i, element (a, type, mt_mql_path (a, "$i")));
}

/* Returns the value between two neighbours: low, or low + part * (high - low). */
static const bson_t *between (MtArena *a)
{
   bson_t *out = mt_doc_new (a);
   mt_doc_printf (out, "$cond: [{$eq: ['$$part', 0]}, '$$low', {$add: ['$$low', {$multiply: "
                       "['$$part', {$subtract: ['$$high', '$$low']}]}]}]");
   return mt_doc_of (a, mt_v_doc (out));
}

static const bson_t *continuous_at (MtArena *a, MtTypeId type, const bson_t *share)
{
   const bson_t *at = mt_mql_path (a, "$at"), *floor = mt_mql_op1 (a, "$floor", at),
                *low = element (a, type, mt_mql_op1 (a, "$toInt", floor)),
                *high = element (a, type, mt_mql_op1 (a, "$toInt", mt_mql_op1 (a, "$ceil", at)));
   const bson_t *place = mt_mql_op (
      a, "$multiply", share,
      mt_mql_op (a, "$subtract", mt_mql_path (a, "$n"), mt_mql_int (a, 1), NULL), NULL);
   return mt_mql_let (
      a, "at", place,
      mt_mql_let (
         a, "part", mt_mql_op (a, "$subtract", at, floor, NULL),
         mt_mql_let (a, "low", mt_mql_op1 (a, "$toDouble", low),
                     mt_mql_let (a, "high", mt_mql_op1 (a, "$toDouble", high), between (a)))));
}

const bson_t *mt_of_list (const MtAggInput *in, MtTypeId type, const bson_t *list, double share,
                          bool continuous)
{
   MtArena *a = in->a;
   bson_t *sort = mt_doc_new (a);
   const bson_t *null = mt_doc_of (a, mt_v_null ()), *n = mt_mql_path (a, "$n"),
                *of = mt_mql_const (a, mt_v_double (share)), *values = mt_mql_path (a, "$all");
   const bson_t *value = continuous ? continuous_at (a, type, of) : discrete (a, type, of);
   if (is_float (type))
      values = filtered (a, values, "$ne", mt_doc_value (mt_nan_of (a, type)));
   MtVal input = mt_doc_value (values);
   mt_doc_printf (sort, "$sortArray: {input: %p, sortBy: 1}", (void *) &input);
   value = mt_mql_let (a, "v", mt_doc_of (a, mt_v_doc (sort)), value);
   value = mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", n, mt_mql_int (a, 0), NULL), value, null,
                      NULL);
   value = mt_mql_let (a, "n", mt_mql_op1 (a, "$size", mt_mql_path (a, "$all")), value);
   list = mt_mql_op (a, "$ifNull", list, mt_doc_of (a, mt_v_array (mt_doc_new (a))), NULL);
   return mt_mql_let (a, "all", filtered (a, list, "$gt", mt_v_null ()), value);
}
