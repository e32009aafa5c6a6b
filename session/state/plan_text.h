/* A plan's pipelines as mongosh takes them. */
#ifndef MT_PLAN_TEXT_H
#define MT_PLAN_TEXT_H

#include "engine/shell_text.h"
#include "planner/plan/plan.h"

/* whole: lists aren't cut, nor arms that are like each other. */
void mt_plan_text (MtEngine *e, const MtPlan *p, bool whole, MtBuf *out);
/* A list of stages between two texts. */
void mt_stages_text (const char *before, const bson_t *stages, MtShellStyle style,
                     const char *after, MtBuf *out);

/* A plan as its only arm. */
static inline MtPlanArm mt_whole_plan (const MtPlan *p)
{
   return (MtPlanArm) {p->collection, p->remote, p->local, p->arms, p->arm_count};
}

#endif
