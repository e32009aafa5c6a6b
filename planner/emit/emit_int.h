/* Declarations that the emitter's files share. */
#ifndef MT_EMIT_INT_H
#define MT_EMIT_INT_H

#include "engine/pipe.h"
#include "planner/emit/emit.h"
#include "functions/core/row.h"
#include "functions/signature.h"

#include <string.h>

/* An aggregation expression {key: {op: [ … ]}} to which operands are being appended. */
typedef struct MtOpenOp {
   bson_t doc, list;
   uint32_t n;
   char key[16];
} MtOpenOp;

/* mt_op_open begins an aggregation expression, and mt_op_close ends it. Between them the caller
 * appends the operands to o->list. */
void mt_op_open (bson_t *out, const char *key, const char *op, MtOpenOp *o);
const char *mt_op_next (MtOpenOp *o); /* returns the next argument's key: "0", "1" … */
void mt_op_close (bson_t *out, MtOpenOp *o);

/* Appends an expression for x that may give a missing field instead of null. Used for operands of
 * comparisons and IS NULL. */
bool mt_emit_raw (MtEmit *e, const MtX *x, bson_t *out, const char *key);
/* Appends a boolean expression that is never null: "x is TRUE" if want, otherwise "x is FALSE". */
bool mt_emit_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key);
/* Appends a function call, by the function's template, its operator, or a special form. */
bool mt_emit_call (MtEmit *e, const MtX *x, bson_t *out, const char *key);
/* Appends a comparison as a boolean that is never null: "x is TRUE" if want, otherwise "x is
 * FALSE". */
bool mt_emit_compare (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key);
/* Appends a call whose translation depends on constant arguments, such as date_trunc, time_bucket
 * or LIKE. *done is set to whether x is such a call; if not, nothing is appended. */
bool mt_emit_special (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done);
/* Appends LIKE with a constant pattern as a boolean that is never null: "x is TRUE" if want,
 * otherwise "x is FALSE". *done is set to whether x is such a call; if not, nothing is appended. */
bool mt_emit_like_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key,
                         bool *done);
/* A condition on a path in a jsonb or document column, in a form that can use an index. In the
 * arena of MtEmit. */
typedef struct MtJsonMatch {
   const char *path; /* field path; NULL: `leaves` has the paths and values */
   MtVal value;      /* the value at `path` equals `value` */
   /* the value at `path` equals one of the elements of `value`, instead of `value` itself */
   bool among;
   /* {path: value, …}: the value at each path equals the given one; NULL: `path` is used */
   const bson_t *leaves;
} MtJsonMatch;

/* Recognizes x as a condition on a path inside a jsonb or document column. False: x is another
 * expression. */
bool mt_json_match (MtEmit *e, const MtX *x, MtJsonMatch *out);
/* Appends to `out`, the document of a $match, the condition m that mt_json_match found for x. */
bool mt_emit_json_match (MtEmit *e, const MtX *x, const MtJsonMatch *m, bson_t *out);
/* A condition on an array column: column @> values, column <@ values, or column && values. */
typedef struct MtArrayMatch {
   const char *path;
   /* MT_FN_ARRAY_CONTAINS, _WITHIN or _OVERLAP; the column is the left operand */
   MtFuncKind op;
   const MtVal *values; /* the constant array's elements, without NULLs */
   int count;
   bool null; /* the constant has NULLs, which equal no element */
   bool flat; /* the column's arrays always have one dimension */
} MtArrayMatch;

/* Recognizes x as a condition between an array column and a constant array, and sets *out. False: x
 * is another expression, or $match has no equivalent condition. */
bool mt_array_match (MtEmit *e, const MtX *x, MtArrayMatch *out);
/* Appends to `out`, the document of a $match, the condition m that mt_array_match found for x. */
bool mt_emit_array_match (MtEmit *e, const MtX *x, const MtArrayMatch *m, bson_t *out);

/* Appends a constant. $literal is used for text that begins with "$", and for documents. */
void mt_emit_const (MtVal v, bson_t *out, const char *key);
const MtPlace *mt_emit_place (
   const MtEmit *e, const MtX *x); /* returns where x is stored; NULL: x must be computed */

static inline bool mt_is_call (const MtX *x, MtFuncKind kind, int argc)
{
   return x->kind == MT_X_CALL && x->call.argc == argc && x->call.fn->kind == kind;
}

#endif
