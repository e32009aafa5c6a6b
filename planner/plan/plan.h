/* The plan: layout choice, cuts, and the pipeline. */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "engine/engine.h"
#include "planner/cut/candidate.h"

/* One arm of a union that the server can't run as one. */
typedef struct MtPlanArm {
   const char *collection; /* as MtPlan's */
   bson_t *remote;
   bson_t *local;
   struct MtPlanArm *arms; /* the same */
   int arm_count;
} MtPlanArm;

typedef struct MtPlan {
   const char *collection; /* where the remote pipeline starts; NULL: no collection */
   bson_t *remote;  /* an array of stages; what the server runs (everything, on the local engine) */
   bson_t *local;   /* an array of stages over the remote one's documents; NULL: none */
   MtPlanArm *arms; /* where there are any, `local` is over the documents of one after the other,
                       and `remote` is NULL */
   int arm_count;
   MtSharedRows *shared; /* of its $_mtWith stages: the same for all plans of the statement; NULL:
                            there are none */
   MtRelColumn *columns; /* of the result; document field names are "c0", "c1", … */
   int column_count;
   MtCandidate *candidates;
   int candidate_count;
   struct MtOutline *outline; /* planner/plan/outline.h; NULL: not wanted */
} MtPlan;

bool mt_plan_query (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPlan **out,
                    MtError *err);

#endif
