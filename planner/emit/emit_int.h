/* Declarations that the emitter's files share. */
#ifndef MT_EMIT_INT_H
#define MT_EMIT_INT_H

#include "engine/pipe.h"
#include "planner/emit/emit.h"
#include "functions/core/row.h"
#include "functions/signature.h"

#include <string.h>

/* An operator with a list of arguments that is being written: {key: {op: [ … ]}}. */
typedef struct MtOpenOp {
   bson_t doc, list;
   uint32_t n;
   char key[16];
} MtOpenOp;

/* Begins and ends an operator. The arguments are appended to o->list in between. */
void mt_op_open (bson_t *out, const char *key, const char *op, MtOpenOp *o);
const char *mt_op_next (MtOpenOp *o); /* the key of the next argument */
void mt_op_close (bson_t *out, MtOpenOp *o);

/* Writes x as a value that is compared or tested for NULL: a missing field may stay missing. */
bool mt_emit_raw (MtEmit *e, const MtX *x, bson_t *out, const char *key);
/* Writes a boolean that is never NULL: x is TRUE (want), or x is FALSE (!want). */
bool mt_emit_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key);
/* Writes a call by its row: a template, an operator, or one of the forms below. */
bool mt_emit_call (MtEmit *e, const MtX *x, bson_t *out, const char *key);
/* Writes a comparison as mt_emit_truth does. */
bool mt_emit_compare (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key);
/* Writes a call whose best form depends on its constant arguments: date_trunc, time_bucket, LIKE
 * … Sets *done to false, and writes nothing, for other calls. */
bool mt_emit_special (MtEmit *e, const MtX *x, bson_t *out, const char *key, bool *done);
/* Writes LIKE with a constant pattern as a condition, in the same way. */
bool mt_emit_like_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key,
                         bool *done);
/* A condition on a place within a jsonb or a document, for which an index may serve. In the arena
 * of MtEmit. */
typedef struct MtJsonMatch {
   const char *path;     /* NULL: leaves */
   MtVal value;          /* the place has this value */
   bool among;           /* the place has one of the elements of `value` */
   const bson_t *leaves; /* all of {path: value, …} hold */
} MtJsonMatch;

/* Reads x as such a condition. False: x is another expression. */
bool mt_json_match (MtEmit *e, const MtX *x, MtJsonMatch *out);
/* Appends the condition that was read from x, as fields of a $match: x is TRUE. */
bool mt_emit_json_match (MtEmit *e, const MtX *x, const MtJsonMatch *m, bson_t *out);
/* Appends a constant, in $literal where it could be read as a path or an expression. */
void mt_emit_const (MtVal v, bson_t *out, const char *key);
const MtPlace *mt_emit_place (const MtEmit *e, const MtX *x); /* NULL: no document holds x */

static inline bool mt_is_call (const MtX *x, MtFuncKind kind, int argc)
{
   return x->kind == MT_X_CALL && x->call.argc == argc && x->call.fn->kind == kind;
}

#endif
