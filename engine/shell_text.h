/* Prints pipelines as text that can be pasted into mongosh. */
#ifndef MT_SHELL_TEXT_H
#define MT_SHELL_TEXT_H

#include "base/value.h"

/* How to print a pipeline. */
typedef struct MtShellStyle {
   int indent; /* spaces before the line that the text begins */
   bool whole; /* prints long lists of constants, and many like unions, completely */
   bool alone; /* without the unions of the first pipeline */
   bool mark;  /* marks stages that only mtsql can run by a comment */
} MtShellStyle;

enum {
   MT_UNIONS_SHOWN = 11
}; /* so many like unions are printed: with the first collection, the months of a year */

/* A value in mongosh's syntax: {"a": NumberLong("1"), "d": ISODate("…")}. */
void mt_shell_value (MtVal v, MtBuf *out);
/* Prints each stage on a line of its own, after style.indent spaces, with commas between. Pipelines
 * within a stage are printed in the same way. */
void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out);
/* The number of stages before the first one that only mtsql can run. */
size_t mt_shell_pastes (const bson_t *stages);
/* Prints the comment for `count` more unions, the last of which reads that collection. */
void mt_shell_more (size_t count, MtStr last, MtBuf *out);
/* Prints a pipeline in relaxed extended JSON, as one array on one line. */
void mt_json_pipeline (const bson_t *stages, MtBuf *out);
#endif
