/* A plan for a server that can't run all of it. */
#ifndef MT_SPLIT_H
#define MT_SPLIT_H

#include "planner/plan.h"

/* Whether stages (an array), an expression or a condition have nothing that the server lacks. */
bool mt_server_has (const MtCaps *caps, MtVal v);

/* plan->remote is the whole pipeline, and is what the server can run of it afterwards; plan->local and plan->arms are set as needed. */
void mt_plan_split (MtArena *a, const MtCaps *caps, MtPlan *plan);

#endif
