/* Splits a plan into stages that the server runs and stages that run in process. */
#ifndef MT_SPLIT_H
#define MT_SPLIT_H

#include "engine/pipe.h"
#include "planner/plan/plan.h"

/* Returns whether the server supports all operators in v, or others by which they can be rewritten
 * (words.h). v: stages, an expression or a condition. a: arena for temporary values. */
bool mt_server_has (MtArena *a, const MtCaps *caps, MtVal v);

/* Returns the name of the first stage or operator that the server lacks. NULL: it has all of them.
 * The name is borrowed from `stages`, or static. */
const char *mt_first_lacking (MtArena *a, const MtCaps *caps, const bson_t *stages);

/* Returns the engine's capabilities, reduced for query q. A server that distinguishes 1.0 and 1.00
 * must not group by numerics. The stages and operators in settings->pushdown_off are removed. */
const MtCaps *mt_caps_for (MtArena *a, const MtPlanSettings *settings, const MtQuery *q);

/* Returns a $project of the fields that the stages `behind` read from the documents that `before`
 * returns. NULL: they need all fields. */
bson_t *mt_wanted_fields (MtArena *a, const MtPipe *before, const MtPipe *behind);

/* mt_split_match returns the conditions of a $match for which the callback `stays` returns true,
 * and moves all others to a $match at the end of `before`. */
typedef bool (*MtStays) (const void *ctx, const bson_t *condition);
MtVal mt_split_match (MtArena *a, MtVal match, MtStays stays, const void *ctx, MtPipe *before);

/* Splits the pipeline in plan->remote, which has all stages: plan->remote keeps those that the
 * server can run, and plan->local and plan->arms get the others. */
void mt_plan_split (MtArena *a, const MtCaps *caps, MtPlan *plan);
/* Like mt_plan_split, but its $unionWith members become plan->arms, which are read one after the
 * other. */
void mt_plan_split_arms (MtArena *a, const MtCaps *caps, MtPlan *plan);

#endif
