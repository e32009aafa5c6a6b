/* What the files of operators share. */
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

/* A row of a positional operator, folded when constant. */
#define MT_OP_ROW(name, min, max, fn, summary, example) \
   {name, min, max, NULL, MT_OP_FOLD, fn, summary, example, NULL}
/* The same, for functions that look at ev->user. */
#define MT_ROW_WITH(name, min, max, fn, user, summary, example) \
   {name, min, max, NULL, MT_OP_FOLD, fn, summary, example, (void *) (uintptr_t) user}
/* A row whose arguments are named. */
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

/* Numbers as other numbers, by MongoDB's rules. A double has 15 digits as a decimal. */
BID_UINT128 mt_op_decimal (MtVal v);
double mt_op_double (MtVal v);
MtVal mt_op_from_bid (MtEval *ev, BID_UINT128 x);
/* A whole number in 64 bits, of any numeric type; false: it isn't one. */
bool mt_op_whole (MtVal v, int64_t *out);
/* The same in 32 bits. */
bool mt_op_whole32 (MtVal v, int32_t *out);

/* What MongoDB counts as true: everything but false, 0, null, missing. */
bool mt_op_truth (MtVal v);

/* A date of a date, timestamp or ObjectId; else 22P02. */
bool mt_op_date (MtEval *ev, MtVal v, int64_t *ms);

/* Text of a string, number, date or null (""); else 22P02. */
bool mt_op_text (MtEval *ev, MtVal v, MtStr *out);

/* One of MongoDB's conversions: `to` is a BSON type. */
bool mt_op_convert (MtEval *ev, MtVal v, uint8_t to, MtVal *out);

/* ISO text of a date, as $toString and $dateToString have it: 2020-01-01T00:00:00.000Z. */
MtVal mt_op_iso_date (MtEval *ev, int64_t ms);

/* A value as it is shown in messages: JSON, cut. In the arena. */
const char *mt_op_shown (MtEval *ev, MtVal v);

#endif
