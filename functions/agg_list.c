/* Percentiles of an array of values, computed with MongoDB's operators only. */
#include "functions/agg_list.h"

#include "engine/pipe.h"
#include "functions/core/row.h"

#include "types/datetime.h"

static bool is_float (MtTypeId t) { return t == MT_T_FLOAT8; }

static bool is_descending (const MtAggInput *in)
{
   return in->call->order_count && in->call->order[0].descending;
}

bool mt_listed (const MtAggInput *in, MtTypeId type, bool continuous)
{
   bool plain = mt_type_is_integer (type) || type == MT_T_TEXT || mt_type_is_datetime (type);
   return in->lists && (is_float (type) || (plain && !continuous));
}

bool mt_fractions_valid (MtVal fractions)
{
   MtDocIter it = mt_doc_iter (fractions);
   MtStr key;
   MtVal v;
   if (fractions.type != MT_ARRAY)
      return mt_is_nullish (fractions) || mt_check_fraction (fractions.d, NULL);
   while (mt_doc_next (&it, &key, &v))
      if (!mt_fractions_valid (v))
         return false;
   return true;
}

/* Returns the expression for the elements of `list` for which {op: [element, than]} is true. */
static const bson_t *filtered (MtArena *a, const bson_t *list, const char *op, MtVal than)
{
   bson_t *out = mt_doc_new (a);
   MtVal input = mt_doc_value (list);
   mt_doc_printf (out, "$filter: {input: %p, cond: {%s: ['$$this', %p]}}", (void *) &input, op,
                  (void *) &than);
   return mt_doc_of (a, mt_v_doc (out));
}

/* How the values $$v of an aggregate are sorted. $$n counts them, with NaNs. */
typedef struct Order {
   MtArena *a;
   MtTypeId type;
   bool descending, continuous;
} Order;

/* Returns element i of the values. NaNs aren't in $$v. In SQL's order they come behind other
 * values, and before them if the order is descending. */
static const bson_t *element (const Order *o, const bson_t *i)
{
   MtArena *a = o->a;
   const bson_t *v = mt_mql_path (a, "$v"), *size = mt_mql_op1 (a, "$size", v);
   if (!is_float (o->type))
      return mt_mql_op (a, "$arrayElemAt", v, i, NULL);
   const bson_t *nans = mt_mql_op (a, "$subtract", mt_mql_path (a, "$n"), size, NULL),
                *j = mt_mql_path (a, "$j"), *is_nan;
   if (o->descending)
      is_nan = mt_mql_op (a, "$lt", j, mt_mql_int (a, 0), NULL);
   else
      is_nan = mt_mql_op (a, "$gte", j, size, NULL);
   return mt_mql_let (a, "j", o->descending ? mt_mql_op (a, "$subtract", i, nans, NULL) : i,
                      mt_mql_op (a, "$cond", is_nan, mt_nan_of (a, o->type),
                                 mt_mql_op (a, "$arrayElemAt", v, j, NULL), NULL));
}

/* Returns the first value at or after the share of the $$n values. */
static const bson_t *discrete (const Order *o, const bson_t *share)
{
   MtArena *a = o->a;
   const bson_t *row = mt_mql_op1 (
      a, "$toInt",
      mt_mql_op1 (a, "$ceil", mt_mql_op (a, "$multiply", share, mt_mql_path (a, "$n"), NULL)));
   const bson_t *i = mt_mql_op (a, "$max", mt_mql_int (a, 0),
                                mt_mql_op (a, "$subtract", row, mt_mql_int (a, 1), NULL), NULL);
   return mt_mql_let (a, "i", i, element (o, mt_mql_path (a, "$i")));
}

/* Returns the expression for the value between two neighbours: low + part * (high - low), or low if
 * part is 0. */
static const bson_t *between (MtArena *a)
{
   bson_t *out = mt_doc_new (a);
   mt_doc_printf (out, "$cond: [{$eq: ['$$part', 0]}, '$$low', {$add: ['$$low', {$multiply: "
                       "['$$part', {$subtract: ['$$high', '$$low']}]}]}]");
   return mt_doc_of (a, mt_v_doc (out));
}

static const bson_t *continuous (const Order *o, const bson_t *share)
{
   MtArena *a = o->a;
   const bson_t *at = mt_mql_path (a, "$at"), *floor = mt_mql_op1 (a, "$floor", at),
                *low = element (o, mt_mql_op1 (a, "$toInt", floor)),
                *high = element (o, mt_mql_op1 (a, "$toInt", mt_mql_op1 (a, "$ceil", at)));
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

/* Recursion is as deep as an array has dimensions. */
static const bson_t *at_fractions (const Order *o, MtVal fractions)
{
   MtDocIter it = mt_doc_iter (fractions);
   MtStr key;
   MtVal v;
   if (mt_is_nullish (fractions))
      return mt_doc_of (o->a, mt_v_null ());
   if (fractions.type != MT_ARRAY) {
      const bson_t *share = mt_mql_const (o->a, fractions);
      return o->continuous ? continuous (o, share) : discrete (o, share);
   }
   bson_t *list = mt_doc_new (o->a);
   while (mt_doc_next (&it, &key, &v))
      mt_doc_push (list, mt_doc_value (at_fractions (o, v)));
   return mt_doc_of (o->a, mt_v_array (list));
}

const bson_t *mt_of_list (const MtAggInput *in, MtTypeId type, const bson_t *list, MtVal fractions,
                          bool continuous)
{
   MtArena *a = in->a;
   Order o = {a, type, is_descending (in), continuous};
   bson_t *sort = mt_doc_new (a);
   const bson_t *null = mt_doc_of (a, mt_v_null ()), *n = mt_mql_path (a, "$n"),
                *values = mt_mql_path (a, "$all"), *value = at_fractions (&o, fractions);
   if (is_float (type))
      values = filtered (a, values, "$ne", mt_doc_value (mt_nan_of (a, type)));
   MtVal input = mt_doc_value (values);
   mt_doc_printf (sort, "$sortArray: {input: %p, sortBy: %d}", (void *) &input,
                  o.descending ? -1 : 1);
   value = mt_mql_let (a, "v", mt_doc_of (a, mt_v_doc (sort)), value);
   value = mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", n, mt_mql_int (a, 0), NULL), value, null,
                      NULL);
   value = mt_mql_let (a, "n", mt_mql_op1 (a, "$size", mt_mql_path (a, "$all")), value);
   list = mt_mql_op (a, "$ifNull", list, mt_doc_of (a, mt_v_array (mt_doc_new (a))), NULL);
   return mt_mql_let (a, "all", filtered (a, list, "$gt", mt_v_null ()), value);
}
