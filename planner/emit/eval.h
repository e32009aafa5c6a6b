/* Computes typed expressions at once, without a pipeline over documents. */
#ifndef MT_EVAL_H
#define MT_EVAL_H

#include "query/environment.h"

/* Computes an expression without columns in env's style. env's cancel stops it. */
bool mt_eval_const (MtArena *a, const MtX *x, const MtBindEnv *env, MtVal *out, MtError *err);
/* Computes an expression over one row of values by the operators of the local executor: COPY …
 * WHERE, INSERT … VALUES, generated columns. */
bool mt_eval_row (MtArena *a, const MtX *x, const MtVal *row, const MtBindEnv *env, MtVal *out,
                  MtError *err);

#endif
