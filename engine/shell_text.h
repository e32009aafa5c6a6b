/* Pipelines as text that pastes into mongosh. */
#ifndef MT_SHELL_TEXT_H
#define MT_SHELL_TEXT_H

#include "base/value.h"

/* whole: long lists of constants, too, and unions of many alike collections; else the first ones,
 * and a comment that says how many follow. */
typedef struct MtShellStyle {
   int indent; /* of the line that the text begins */
   bool whole;
   bool alone; /* without the unions of the first pipeline that there is */
   bool mark;  /* stages that only mtsql can run have a comment that says so */
} MtShellStyle;

enum {
   MT_UNIONS_SHOWN = 11
}; /* as many alike ones are shown whole: those of the months of a year with the first one */

/* A value in mongosh's syntax: {"a": NumberLong("1"), "d": ISODate("…")}. */
void mt_shell_value (MtVal v, MtBuf *out);
/* Each stage of a pipeline on its own line, style.indent spaces before it, and those of pipelines
 * within it; commas between. */
void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out);
/* How many of the first stages mongosh and its server can run, before one that only mtsql can. */
size_t mt_shell_pastes (const bson_t *stages);
/* What stands for further ones like the one before, the last of which is over that collection. */
void mt_shell_more (size_t count, MtStr last, MtBuf *out);
/* A pipeline in relaxed extended JSON, as one array on one line. */
void mt_json_pipeline (const bson_t *stages, MtBuf *out);
#endif
