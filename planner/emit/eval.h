/* Computes typed expressions in process, without running a pipeline on stored documents. */
#ifndef MT_EVAL_H
#define MT_EVAL_H

#include "query/environment.h"

/* Computes an expression that has no columns. env has the time zone and other settings for text;
 * env->cancel stops the computation. */
bool mt_eval_const (MtArena *a, const MtX *x, const MtBindEnv *env, MtVal *out, MtError *err);
/* Computes an expression over one row, whose column values are in `row`, by the local executor. For
 * COPY … WHERE, INSERT … VALUES and generated columns. */
bool mt_eval_row (MtArena *a, const MtX *x, const MtVal *row, const MtBindEnv *env, MtVal *out,
                  MtError *err);

#endif
