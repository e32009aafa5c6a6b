/* EXPLAIN. The other files of this room define functions of include/mtsql.h. */
#ifndef MT_SESSION_INSPECT_H
#define MT_SESSION_INSPECT_H

#include "session/core/core.h"

typedef struct MtOutlineStyle {
   const MtRunStats *run; /* of the plan's main pipeline; NULL: it did not run */
   bool costs, timing;
   bool server; /* the plan may have parts on a server and in process */
} MtOutlineStyle;

/* Prints the steps of a plan as a tree. Prints nothing if o is NULL, or the list of stages shows
 * the same. */
void mt_outline_text (const struct MtOutline *o, const MtOutlineStyle *s, MtBuf *out);

/* Prints the steps as {"node": …, "inputs": […]}; o is not NULL. */
void mt_outline_json (const struct MtOutline *o, const MtOutlineStyle *s, int indent, MtBuf *out);

bool mt_run_explain (MtStatement *st, MtError *err);

#endif
