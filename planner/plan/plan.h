/* Plans a query: chooses a layout and a cut (the level at which a plan stops reading) for each
 * table, and builds the MongoDB pipeline. */
#ifndef MT_PLAN_H
#define MT_PLAN_H

#include "engine/engine.h"
#include "engine/fields.h"
#include "planner/cut/candidate.h"

/* A member of a UNION that the server can't run as one pipeline. `remote` and `local` are as in
 * MtPlan. */
typedef struct MtPlanArm {
   const char *collection; /* collection that `remote` reads; NULL: none */
   bson_t *remote;
   bson_t *local;
   struct MtPlanArm *arms; /* members of a nested union, like MtPlan.arms */
   int arm_count;
} MtPlanArm;

typedef struct MtPlan {
   const char *collection; /* the collection that `remote` reads; NULL: none */
   /* Array of the stages that the server runs. On the embedded engine these are all stages. */
   bson_t *remote;
   bson_t *local; /* array of stages in process, over the documents of `remote`; NULL: none */
   /* The members of a UNION, which run one after the other. If set, `remote` is NULL, and `local`
    * reads the results of all members. */
   MtPlanArm *arms;
   int arm_count;
   /* Rows of queries that the statement computes once and reads several times ($_mtWith). All plans
    * of the statement share them. NULL: none. */
   MtSharedRows *shared;
   MtRelColumn *columns; /* result columns; the documents have the fields "c0", "c1", … */
   int column_count;
   MtCandidate *candidates;
   int candidate_count;
   struct MtOutline *outline; /* steps for EXPLAIN; NULL: not needed */
} MtPlan;

/* Plans q into *out, in arena a. 0A000 if no layout can answer, or if require_full_pushdown is on
 * and the server can't run a part. 42704 if SET layout or SET cut has an unknown name. */
bool mt_plan_query (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPlan **out,
                    MtError *err);
/* Returns the whole plan as an MtPlanArm that borrows its content. */
static inline MtPlanArm mt_whole_plan (const MtPlan *p)
{
   return (MtPlanArm) {p->collection, p->remote, p->local, p->arms, p->arm_count};
}
/* Returns the stored fields that the pipelines of a plan read, in arena a. */
MtFieldsRead mt_plan_fields (MtArena *a, const MtPlan *p);

#endif
