/* The comparison operators. They compare values of all types in MongoDB's sort order. Missing
 * values sort before null. */
#include "engine/local/expr/op_int.h"

static int compare (const MtVal *args) { return mt_x_compare_strict (args[0], args[1]); }

static bool op_eq (MT_OP_ARGS) { return mt_op_put (out, mt_v_bool (compare (args) == 0)); }
static bool op_ne (MT_OP_ARGS) { return mt_op_put (out, mt_v_bool (compare (args) != 0)); }
static bool op_gt (MT_OP_ARGS) { return mt_op_put (out, mt_v_bool (compare (args) > 0)); }
static bool op_gte (MT_OP_ARGS) { return mt_op_put (out, mt_v_bool (compare (args) >= 0)); }
static bool op_lt (MT_OP_ARGS) { return mt_op_put (out, mt_v_bool (compare (args) < 0)); }
static bool op_lte (MT_OP_ARGS) { return mt_op_put (out, mt_v_bool (compare (args) <= 0)); }

static bool op_cmp (MT_OP_ARGS)
{
   int c = compare (args);
   return mt_op_put (out, mt_v_int32 ((c > 0) - (c < 0)));
}

const MtOpRow mt_ops_compare[] = {
   MT_OP_ROW ("$eq", 2, 2, op_eq, "equal", "{\"$eq\": [1, 1.0]} => true"),
   MT_OP_ROW ("$ne", 2, 2, op_ne, "not equal", "{\"$ne\": [1, 2]} => true"),
   MT_OP_ROW ("$gt", 2, 2, op_gt, "greater", "{\"$gt\": [\"a\", 5]} => true"),
   MT_OP_ROW ("$gte", 2, 2, op_gte, "greater or equal", "{\"$gte\": [2, 2]} => true"),
   MT_OP_ROW ("$lt", 2, 2, op_lt, "less", "{\"$lt\": [null, 0]} => true"),
   MT_OP_ROW ("$lte", 2, 2, op_lte, "less or equal", "{\"$lte\": [3, 2]} => false"),
   MT_OP_ROW ("$cmp", 2, 2, op_cmp, "-1, 0 or 1", "{\"$cmp\": [1, 2]} => -1"),
   MT_OP_END,
};
