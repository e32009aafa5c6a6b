/* Plans a query: chooses layouts and cuts, and writes the pipeline. */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "engine/engine.h"
#include "planner/cut/candidate.h"

/* One arm of a union that the server can't run as one pipeline. */
typedef struct MtPlanArm {
   const char *collection; /* as in MtPlan */
   bson_t *remote;
   bson_t *local;
   struct MtPlanArm *arms; /* as in MtPlan */
   int arm_count;
} MtPlanArm;

typedef struct MtPlan {
   const char *collection; /* the collection that `remote` reads; NULL: none */
   /* The stages that the server runs, an array. The local engine runs all of them. */
   bson_t *remote;
   bson_t *local; /* an array of stages over the documents of `remote`; NULL: none */
   /* If there are arms, `remote` is NULL, and `local` reads the documents of one arm after the
    * other. */
   MtPlanArm *arms;
   int arm_count;
   /* The rows of its $_mtWith stages, shared by all plans of the statement. NULL: there are
    * none. */
   MtSharedRows *shared;
   MtRelColumn *columns; /* of the result; the fields of its documents are "c0", "c1", … */
   int column_count;
   MtCandidate *candidates;
   int candidate_count;
   struct MtOutline *outline; /* NULL: not requested */
} MtPlan;

/* Plans q. *out is in arena a. 0A000: no layout can answer, or a part can't run on the server while
 * require_full_pushdown is on. 42704: the settings name a layout or a cut that does not exist. */
bool mt_plan_query (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPlan **out,
                    MtError *err);

#endif
