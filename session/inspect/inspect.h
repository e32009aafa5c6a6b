/* Shared by the files of EXPLAIN. The other files in this folder define functions of
 * include/mtsql.h. */
#ifndef MT_SESSION_INSPECT_H
#define MT_SESSION_INSPECT_H

#include "session/core/core.h"

typedef struct MtOutlineStyle {
   /* the statistics of running the plan's main pipeline; NULL: the plan did not run */
   const MtRunStats *run;
   bool costs, timing;
   bool server; /* the session has opened a server; steps may run on it or in this process */
} MtOutlineStyle;

/* Prints the steps of a plan as a tree. Prints nothing if o is NULL, or if the printed pipeline
 * stages already show the same steps. */
void mt_outline_text (const struct MtOutline *o, const MtOutlineStyle *s, MtBuf *out);

/* Prints the steps of a plan as JSON: {"node": …, "inputs": […]}. o is not NULL. */
void mt_outline_json (const struct MtOutline *o, const MtOutlineStyle *s, int indent, MtBuf *out);

bool mt_run_explain (MtStatement *st, MtError *err);

#endif
