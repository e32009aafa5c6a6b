/* EXPLAIN and what there is. */
#ifndef MT_SESSION_INSPECT_H
#define MT_SESSION_INSPECT_H

#include "session/core/core.h"

typedef struct MtOutlineStyle {
   const MtRunStats *run; /* of the plan's main pipeline; NULL: it wasn't run */
   bool costs, timing;
   bool server; /* a part of the plan may be a server's */
} MtOutlineStyle;

/* NULL, and steps that a list of stages shows as well, give nothing. */
void mt_outline_text (const struct MtOutline *o, const MtOutlineStyle *s, MtBuf *out);

/* {"node": …, "inputs": […]}; o isn't NULL. */
void mt_outline_json (const struct MtOutline *o, const MtOutlineStyle *s, int indent, MtBuf *out);

bool mt_run_explain (MtStatement *st, MtError *err); /* session/inspect/explain.c */

#endif
