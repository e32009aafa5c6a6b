/* Plans a query: chooses for each table a layout and the level at which reading stops, and writes
 * the MongoDB pipeline. */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "engine/engine.h"
#include "engine/fields.h"
#include "planner/cut/candidate.h"

/* One member of a UNION that the server can't run as one pipeline. remote and local are as in
 * MtPlan. */
typedef struct MtPlanArm {
   const char *collection; /* collection that `remote` reads; NULL: none */
   bson_t *remote;
   bson_t *local;
   struct MtPlanArm *arms; /* members of a nested union, as MtPlan.arms */
   int arm_count;
} MtPlanArm;

typedef struct MtPlan {
   const char *collection; /* the collection that `remote` reads; NULL: none */
   /* The stages that the server runs, an array. The local engine runs all of them. */
   bson_t *remote;
   bson_t *local; /* an array of stages over the documents of `remote`; NULL: none */
   /* The members of a UNION, run one after the other. If set, `remote` is NULL, and `local` reads
    * the results of all members. */
   MtPlanArm *arms;
   int arm_count;
   /* Rows of queries that the statement computes once and reads several times ($_mtWith). Shared by
    * all plans of the statement. NULL: none. */
   MtSharedRows *shared;
   MtRelColumn *columns; /* result columns; documents name them "c0", "c1", … */
   int column_count;
   MtCandidate *candidates;
   int candidate_count;
   struct MtOutline *outline; /* steps for EXPLAIN; NULL: not requested */
} MtPlan;

/* Plans q into *out, in arena a. Fails with 0A000 if no layout can answer, or if
 * require_full_pushdown is on and a part can't run on the server. Fails with 42704 if SET layout or
 * SET cut names an unknown layout or level. */
bool mt_plan_query (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPlan **out,
                    MtError *err);
/* Returns the whole plan as one arm; it borrows from the plan. */
static inline MtPlanArm mt_whole_plan (const MtPlan *p)
{
   return (MtPlanArm) {p->collection, p->remote, p->local, p->arms, p->arm_count};
}
/* Returns the stored fields that the pipelines of a plan read, in arena a. */
MtFieldsRead mt_plan_fields (MtArena *a, const MtPlan *p);

#endif
