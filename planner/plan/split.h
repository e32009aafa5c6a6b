/* Splits a plan into stages that the server runs and stages that run in process. */
#ifndef MT_SPLIT_H
#define MT_SPLIT_H

#include "engine/pipe.h"
#include "planner/plan/plan.h"

/* Returns whether the server supports all operators in v, or other words for them (words.h). v:
 * stages, an expression or a condition. a: for temporary values. */
bool mt_server_has (MtArena *a, const MtCaps *caps, MtVal v);

/* Returns the name of the first operator or other part of the stages that the server lacks. NULL:
 * it has all of them. The name is in `stages`, or static. */
const char *mt_first_lacking (MtArena *a, const MtCaps *caps, const bson_t *stages);

/* Returns the engine's capabilities, reduced for q: a server that doesn't treat 1.0 and 1.00 as
 * equal must not group by numerics. settings->pushdown_off removes the stages and operators that it
 * names. */
const MtCaps *mt_caps_for (MtArena *a, const MtPlanSettings *settings, const MtQuery *q);

/* Returns a $project of the fields that the stages `behind` read from the output of `before`. NULL:
 * `behind` needs all fields. */
bson_t *mt_wanted_fields (MtArena *a, const MtPipe *before, const MtPipe *behind);

/* mt_split_match divides the conditions of a $match. It returns those for which `stays` is true,
 * and moves all others to a $match at the end of `before`. */
typedef bool (*MtStays) (const void *ctx, const bson_t *condition);
MtVal mt_split_match (MtArena *a, MtVal match, MtStays stays, const void *ctx, MtPipe *before);

/* Splits the whole pipeline in plan->remote. Afterwards plan->remote has only stages that the
 * server can run; plan->local and plan->arms have all others. */
void mt_plan_split (MtArena *a, const MtCaps *caps, MtPlan *plan);
/* Splits the whole pipeline in plan->remote like mt_plan_split, and turns its $unionWith members
 * into plan->arms, which are read one after the other. */
void mt_plan_split_arms (MtArena *a, const MtCaps *caps, MtPlan *plan);

#endif
