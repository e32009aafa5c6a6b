/* A plan's pipelines as text for mongosh. */
#ifndef MT_PLAN_TEXT_H
#define MT_PLAN_TEXT_H

#include "engine/shell_text.h"
#include "planner/plan/plan.h"

/* Prints the pipelines of a plan as text for mongosh. whole: otherwise long lists are cut, and
 * repeated arms are only counted. */
void mt_plan_text (MtEngine *e, const MtPlan *p, bool whole, MtBuf *out);
/* Prints the stages of a pipeline, with the texts `before` and `after` around them. */
void mt_stages_text (const char *before, const bson_t *stages, MtShellStyle style,
                     const char *after, MtBuf *out);

#endif
