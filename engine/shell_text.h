/* Prints pipelines as text that can be pasted into mongosh. */
#ifndef MT_SHELL_TEXT_H
#define MT_SHELL_TEXT_H

#include "base/value.h"

/* How to print a pipeline. */
typedef struct MtShellStyle {
   int indent; /* number of spaces at the start of each line */
   bool whole; /* prints long lists of constants, and long rows of similar unions, completely */
   bool alone; /* leaves out the $unionWith stages of the outermost pipeline */
   bool mark;  /* adds a comment to stages that only mtsql can run */
} MtShellStyle;

enum {
   /* At most this many similar unions are printed: one collection and 11 unions are a year of
    * months. */
   MT_UNIONS_SHOWN = 11
};

/* Appends a value in mongosh's syntax to `out`, such as {"a": NumberLong("1"), "d":
 * ISODate("…")}. */
void mt_shell_value (MtVal v, MtBuf *out);
/* Prints each stage on its own line, indented by style.indent spaces, with commas between.
 * Pipelines nested in a stage are printed in the same way. */
void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out);
/* Returns the number of stages before the first one that only mtsql can run. Up to there a pipeline
 * can be pasted into mongosh. */
size_t mt_shell_pastes (const bson_t *stages);
/* Prints the text of a comment that stands for `count` omitted unions. `last` is the collection of
 * the last one. */
void mt_shell_more (size_t count, MtStr last, MtBuf *out);
/* Prints a pipeline as one array of relaxed extended JSON, on one line. */
void mt_json_pipeline (const bson_t *stages, MtBuf *out);
#endif
