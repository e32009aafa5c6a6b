/* A plan for a server that can't run all of it. */
#ifndef MT_SPLIT_H
#define MT_SPLIT_H

#include "engine/pipe.h"
#include "planner/plan/plan.h"

/* Whether stages (an array), an expression or a condition have nothing that the server lacks. */
bool mt_server_has (const MtCaps *caps, MtVal v);

/* What the engine can do for q: numerics as keys of groups, where a server tells equal ones apart,
 * are none of its business. */
const MtCaps *mt_caps_for (MtArena *a, const MtPlanSettings *settings, const MtQuery *q);

/* A $project of the fields that `behind` reads of the documents that come out of `before`; NULL:
 * there is nothing to be left out. */
bson_t *mt_wanted_fields (MtArena *a, const MtPipe *before, const MtPipe *behind);

/* The conditions of a $match that don't stay go into a $match of their own at the end of `before`;
 * the others are returned. */
typedef bool (*MtStays) (const void *ctx, const bson_t *condition);
MtVal mt_split_match (MtArena *a, MtVal match, MtStays stays, const void *ctx, MtPipe *before);

/* plan->remote is the whole pipeline, and is what the server can run of it afterwards; plan->local
 * and plan->arms are set as needed. */
void mt_plan_split (MtArena *a, const MtCaps *caps, MtPlan *plan);
/* The same, where the arms of the stages' unions must be read one after the other. */
void mt_plan_split_arms (MtArena *a, const MtCaps *caps, MtPlan *plan);

#endif
