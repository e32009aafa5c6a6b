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
/* Returns the value of an argument onNull or onError. Absent, it is null. If it was given and its
 * value is missing, the parser has made MT_UNDEFINED of it (parse.c). */
static inline MtVal mt_op_otherwise (MtVal v)
{
   if (v.type == MT_MISSING)
      return mt_v_null ();
   return v.type == MT_UNDEFINED ? mt_v_missing () : v;
}

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

/* Returns the ISO text of a date, as in $toString: 2020-01-01T00:00:00.000Z. */
MtVal mt_op_iso_date (MtEval *ev, int64_t ms);

/* The functions of $regexMatch, $regexFind and $regexFindAll. args: input, regex, options? Each
 * thread caches the patterns that it compiled last. */
bool mt_op_regex_match (MT_OP_ARGS);
bool mt_op_regex_find (MT_OP_ARGS);
bool mt_op_regex_find_all (MT_OP_ARGS);

/* How $convert writes and reads text and binary data. */
typedef struct MtConversion {
   int base;        /* of integers in text: 2, 8, 10 or 16; 0: any decimal number */
   MtStr format;    /* of binary data in text: "base64", "hex" …; empty: not given */
   bool big_endian; /* the order of the bytes of numbers in binary data */
   uint8_t subtype; /* of the binary data that is made */
} MtConversion;

/* Fails with MongoDB's error for values of a type that $convert does not convert to type `to`. */
bool mt_op_unsupported (MtEval *ev, MtVal v, uint8_t to);
/* Returns the text of a value by the rules of $toString. */
bool mt_op_string (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out);
/* Returns the text of values that have none of the types number, string, bool, date and
 * ObjectId. */
bool mt_op_string_of_rest (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out);
/* Reads a number from binary data. to: MT_INT32, MT_INT64 or MT_DOUBLE. */
bool mt_op_binary_number (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out);
/* Makes binary data from a number, a string, an array or binary data. */
bool mt_op_binary (MtEval *ev, MtVal v, const MtConversion *how, MtVal *out);
/* Makes a document or an array (to: MT_DOC or MT_ARRAY) from JSON text or binary data. */
bool mt_op_container (MtEval *ev, MtVal v, uint8_t to, const MtConversion *how, MtVal *out);
/* Reads an array or a binary vector as a list of `count` numbers in the arena of ev; a bit is 0 or
 * 1. *out is NULL if an element is no number. Fails if v is neither. */
bool mt_op_numbers (MtEval *ev, MtVal v, double **out, size_t *count);

/* Returns a value as JSON, shortened, for error messages. In the arena of ev. */
const char *mt_op_shown (MtEval *ev, MtVal v);

#endif
