/* Helpers of the operators' files. */
#ifndef MT_OP_INT_H
#define MT_OP_INT_H

#include "base/bid.h"
#include "types/datetime.h"
#include "types/numeric.h"
#include "engine/local/expr/op.h"

#include <inttypes.h>
#include <math.h>

#define MT_OP_ARGS MtEval *ev, const MtVal *args, int argc, MtVal *out
#define MT_OP_END {NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL}

/* A row of a positional operator that is computed at once for constants. */
#define MT_OP_ROW(name, min, max, fn, summary, example) \
   {name, min, max, NULL, MT_OP_FOLD, fn, summary, example, NULL}
/* Like MT_OP_ROW, for functions that read ev->user. */
#define MT_ROW_WITH(name, min, max, fn, user, summary, example) \
   {name, min, max, NULL, MT_OP_FOLD, fn, summary, example, (void *) (uintptr_t) user}
/* Like MT_OP_ROW, with named arguments. */
#define MT_ROW_NAMED(name, count, params, fn, summary, example) \
   {name, count, count, params, MT_OP_FOLD, fn, summary, example, NULL}

#define MT_OP_FAIL(code, ...) mt_error (ev->err, code, __VA_ARGS__)

static inline bool mt_op_put (MtVal *out, MtVal v)
{
   *out = v;
   return true;
}

static inline bool mt_op_null (MtVal *out) { return mt_op_put (out, mt_v_null ()); }
static inline bool mt_is_int (MtVal v) { return v.type == MT_INT32 || v.type == MT_INT64; }

/* Converts numbers by MongoDB's rules. A double has 15 digits as a decimal. */
BID_UINT128 mt_op_decimal (MtVal v);
double mt_op_double (MtVal v);
MtVal mt_op_from_bid (MtEval *ev, BID_UINT128 x);
/* Converts a number to 64 bits. Returns false if it is not whole. */
bool mt_op_whole (MtVal v, int64_t *out);
/* Like mt_op_whole, for 32 bits. */
bool mt_op_whole32 (MtVal v, int32_t *out);

/* Returns MongoDB's truth value: true for everything but false, 0, null and missing. */
bool mt_op_truth (MtVal v);

/* Gets the date of a date, timestamp or ObjectId. 22P02 for other values. */
bool mt_op_date (MtEval *ev, MtVal v, int64_t *ms);

/* Gets the text of a string, number, date or null (""). 22P02 for other values. */
bool mt_op_text (MtEval *ev, MtVal v, MtStr *out);

/* Converts a value as $convert does. `to` is a BSON type. */
bool mt_op_convert (MtEval *ev, MtVal v, uint8_t to, MtVal *out);

/* Returns the ISO text of a date, as in $toString: 2020-01-01T00:00:00.000Z. */
MtVal mt_op_iso_date (MtEval *ev, int64_t ms);

/* Returns a value as JSON for messages, shortened. In the arena. */
const char *mt_op_shown (MtEval *ev, MtVal v);

#endif
