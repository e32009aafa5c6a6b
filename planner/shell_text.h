/* Pipelines as text that pastes into mongosh. */
#ifndef MT_SHELL_TEXT_H
#define MT_SHELL_TEXT_H

#include "base/value.h"

/* whole: long lists of constants, too; else their first values, and a comment that says how many follow. */
typedef struct MtShellStyle {
   int indent; /* of the line that the text begins */
   bool whole;
} MtShellStyle;

/* A value in mongosh's syntax: {"a": NumberLong("1"), "d": ISODate("…")}. */
void mt_shell_value (MtVal v, MtBuf *out);
/* Each stage of a pipeline on its own line, style.indent spaces before it, and those of pipelines within it; commas between. */
void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out);
/* The same in relaxed extended JSON, as one array on one line. */
void mt_json_pipeline (const bson_t *stages, MtBuf *out);
#endif
