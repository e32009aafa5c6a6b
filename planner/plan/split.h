/* Splits a plan for a server that can't run all of it. */
#ifndef MT_SPLIT_H
#define MT_SPLIT_H

#include "engine/pipe.h"
#include "planner/plan/plan.h"

/* Whether stages (an array), an expression or a condition use only operators that the server
 * has. */
bool mt_server_has (const MtCaps *caps, MtVal v);

/* The engine's abilities for q. A server that treats equal numerics as different must not group
 * by them. */
const MtCaps *mt_caps_for (MtArena *a, const MtPlanSettings *settings, const MtQuery *q);

/* A $project of the fields that `behind` reads of the documents from `before`. NULL: there is
 * nothing to leave out. */
bson_t *mt_wanted_fields (MtArena *a, const MtPipe *before, const MtPipe *behind);

/* Moves the conditions of a $match for which `stays` is false into a $match at the end of
 * `before`. Returns the other conditions. */
typedef bool (*MtStays) (const void *ctx, const bson_t *condition);
MtVal mt_split_match (MtArena *a, MtVal match, MtStays stays, const void *ctx, MtPipe *before);

/* Splits plan->remote, which is the whole pipeline. Afterwards the server can run plan->remote;
 * plan->local and plan->arms are set as needed. */
void mt_plan_split (MtArena *a, const MtCaps *caps, MtPlan *plan);
/* The same, but the arms of the stages' unions must be read one after the other. */
void mt_plan_split_arms (MtArena *a, const MtCaps *caps, MtPlan *plan);

#endif
