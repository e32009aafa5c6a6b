/* Evaluating typed expressions here and now. */
#ifndef MT_EVAL_H
#define MT_EVAL_H

#include "query/environment.h"

/* Evaluates an expression without columns now, in env's style, until env's cancel. */
bool mt_eval_const (MtArena *a, const MtX *x, const MtBindEnv *env, MtVal *out, MtError *err);
/* Evaluates an expression over a row of values (COPY … WHERE, INSERT's VALUES, generated columns),
 * by the local executor's operators. */
bool mt_eval_row (MtArena *a, const MtX *x, const MtVal *row, const MtBindEnv *env, MtVal *out,
                  MtError *err);

#endif
