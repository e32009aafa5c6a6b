/* The error if require_full_pushdown is on and a server can't run a query completely. */
#ifndef MT_REFUSE_H
#define MT_REFUSE_H

#include "planner/plan/outline.h"
#include "planner/plan/plan.h"

/* Sets error 0A000 and returns false. The message names the step, the expression and the operator
 * that the server can't run. stages: the whole pipeline of q; outline: its steps. */
bool mt_refuse_here (MtArena *a, const MtQuery *q, const MtCaps *caps, const bson_t *stages,
                     const MtOutline *outline, MtError *err);

#endif
