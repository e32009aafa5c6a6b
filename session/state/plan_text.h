/* A plan's pipelines as text for mongosh. */
#ifndef MT_PLAN_TEXT_H
#define MT_PLAN_TEXT_H

#include "engine/shell_text.h"
#include "planner/plan/plan.h"

/* Prints the pipelines of a plan. whole: prints long lists and repeated arms completely. */
void mt_plan_text (MtEngine *e, const MtPlan *p, bool whole, MtBuf *out);
/* Prints stages between two texts. */
void mt_stages_text (const char *before, const bson_t *stages, MtShellStyle style,
                     const char *after, MtBuf *out);

#endif
