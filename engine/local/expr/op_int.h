/* Functions and macros that the files of operators share. */
#ifndef MT_OP_INT_H
#define MT_OP_INT_H

#include "base/bid.h"
#include "types/datetime.h"
#include "types/numeric.h"
#include "engine/local/expr/codes.h"
#include "engine/local/expr/collation.h"
#include "engine/local/expr/op.h"

#include <inttypes.h>
#include <math.h>

#define MT_OP_ARGS MtEval *ev, const MtVal *args, int argc, MtVal *out
#define MT_OP_END {NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL}

/* Defines the row of an operator whose arguments are an array. Its result depends only on the
 * arguments, so it is computed at compile time if they are constants. */
#define MT_OP_ROW(name, min, max, fn, summary, example) \
   {name, min, max, NULL, MT_OP_FOLD, fn, summary, example, NULL}
/* Like MT_OP_ROW, for a function that also reads ev->user. */
#define MT_ROW_WITH(name, min, max, fn, user, summary, example) \
   {name, min, max, NULL, MT_OP_FOLD, fn, summary, example, (void *) (uintptr_t) user}
/* Like MT_OP_ROW, for an operator whose argument is a document with named arguments. */
#define MT_ROW_NAMED(name, count, params, fn, summary, example) \
   {name, count, count, params, MT_OP_FOLD, fn, summary, example, NULL}

/* Fails with a SQLSTATE, MongoDB's error code, and a message. */
#define MT_OP_FAIL(sqlstate, code, ...) mt_error_coded (ev->err, sqlstate, code, __VA_ARGS__)

static inline bool mt_op_put (MtVal *out, MtVal v)
{
   *out = v;
   return true;
}

static inline bool mt_op_null (MtVal *out) { return mt_op_put (out, mt_v_null ()); }
static inline bool mt_is_int (MtVal v) { return v.type == MT_INT32 || v.type == MT_INT64; }

/* Converts a number to a decimal by MongoDB's rules: a double is rounded to 15 digits. */
BID_UINT128 mt_op_decimal (MtVal v);
MtVal mt_op_from_bid (MtEval *ev, BID_UINT128 x);

/* Returns MongoDB's truth value of v: false for false, 0, null and missing, otherwise true. */
bool mt_op_truth (MtVal v);

/* Stores the time of a date, timestamp or ObjectId in milliseconds in *ms. Fails with 22P02 for
 * other values. */
bool mt_op_date (MtEval *ev, MtVal v, int64_t *ms);

/* Stores the text of a string, number, date or null ("") in *out. Fails with 22P02 for other
 * values. */
bool mt_op_text (MtEval *ev, MtVal v, MtStr *out);

/* The functions of $regexMatch, $regexFind and $regexFindAll. args: input, regex, options? Each
 * thread caches the patterns that it compiled last. */
bool mt_op_regex_match (MT_OP_ARGS);
bool mt_op_regex_find (MT_OP_ARGS);
bool mt_op_regex_find_all (MT_OP_ARGS);

/* Returns a value as JSON, shortened, for error messages. In the arena of ev. */
const char *mt_op_shown (MtEval *ev, MtVal v);

#endif
