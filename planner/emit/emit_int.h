/* Declarations that the emitter's files share. */
#ifndef MT_EMIT_INT_H
#define MT_EMIT_INT_H

#include "engine/pipe.h"
#include "planner/emit/emit.h"
#include "functions/core/row.h"
#include "functions/signature.h"

#include <string.h>

/* An operator expression {key: {op: [ … ]}} whose arguments are still being appended. */
typedef struct MtOpenOp {
   bson_t doc, list;
   uint32_t n;
   char key[16];
} MtOpenOp;

/* Open and close an operator expression. The caller appends the arguments to o->list between both
 * calls. */
void mt_op_open (bson_t *out, const char *key, const char *op, MtOpenOp *o);
const char *mt_op_next (MtOpenOp *o); /* returns the next argument's key: "0", "1" … */
void mt_op_close (bson_t *out, MtOpenOp *o);

/* Appends an expression for x that may yield a missing field instead of null. For operands of
 * comparisons and IS NULL. */
bool mt_emit_raw (MtEmit *e, const MtX *x, bson_t *out, const char *key);
/* Appends a boolean expression that is never null: "x is TRUE" if want, otherwise "x is FALSE". */
bool mt_emit_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key);
/* Appends a function call, by the function's template, its operator, or a special form. */
bool mt_emit_call (MtEmit *e, const MtX *x, bson_t *out, const char *key);
/* Appends a comparison as a boolean that is never null: "x is TRUE" if want, otherwise "x is
 * FALSE". */
bool mt_emit_compare (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key);
/* Appends a call whose translation depends on constant arguments: date_trunc, time_bucket, LIKE …
 * Other calls: *done is false, and nothing is appended. */
bool mt_emit_special (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done);
/* Appends LIKE with a constant pattern as a boolean that is never null: "x is TRUE" if want,
 * otherwise "x is FALSE". *done false: x is another call, and nothing is appended. */
bool mt_emit_like_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key,
                         bool *done);
/* A condition on a path inside a jsonb or document column, in a form that can use an index. In the
 * arena of MtEmit. */
typedef struct MtJsonMatch {
   const char *path;     /* field path; NULL: `leaves` has the paths and values */
   MtVal value;          /* the value at `path` equals `value` */
   bool among;           /* the value at `path` is one of the elements of `value` */
   const bson_t *leaves; /* {path: value, …}: each path has the given value */
} MtJsonMatch;

/* Recognizes x as a condition on a path inside a jsonb or document column. False: x is another
 * expression. */
bool mt_json_match (MtEmit *e, const MtX *x, MtJsonMatch *out);
/* Appends the condition that mt_json_match recognized in x, as fields of a $match. */
bool mt_emit_json_match (MtEmit *e, const MtX *x, const MtJsonMatch *m, bson_t *out);
/* A condition on an array column: column @> values, column <@ values, or column && values. */
typedef struct MtArrayMatch {
   const char *path;
   MtFuncKind op;       /* MT_FN_ARRAY_CONTAINS, _WITHIN or _OVERLAP, with the column on the left */
   const MtVal *values; /* without NULLs */
   int count;
   bool null; /* the constant has NULLs, which equal no element */
   bool flat; /* the column's arrays have one dimension */
} MtArrayMatch;

/* Recognizes a condition on an array column and a constant array. False: x is another expression,
 * or the match language can't test it. */
bool mt_array_match (MtEmit *e, const MtX *x, MtArrayMatch *out);
/* Appends the condition that mt_array_match recognized in x. */
bool mt_emit_array_match (MtEmit *e, const MtX *x, const MtArrayMatch *m, bson_t *out);

/* Appends a constant. $literal protects text that starts with "$", and documents. */
void mt_emit_const (MtVal v, bson_t *out, const char *key);
const MtPlace *mt_emit_place (
   const MtEmit *e, const MtX *x); /* returns where x is stored; NULL: x must be computed */

static inline bool mt_is_call (const MtX *x, MtFuncKind kind, int argc)
{
   return x->kind == MT_X_CALL && x->call.argc == argc && x->call.fn->kind == kind;
}

#endif
