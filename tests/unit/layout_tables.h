/* Tables that the tests of layouts share, and their descriptors in docs/lemma.md. */
#ifndef MT_LAYOUT_TABLES_H
#define MT_LAYOUT_TABLES_H

#include "layouts/table.h"

/* In arena a. calls: system of packed calls; memory: a series a second; hits: counters a minute;
 * regions: an hour; odd: many types; any: values of jsonb. */
MtTable *mt_test_table (MtArena *a, const char *name);
/* JSON in which ' stands for " : a bson_t that is released with the arena. Aborts on bad JSON. */
bson_t *mt_test_json (MtArena *a, const char *text);
/* The examples of docs/lemma.md, by their collection; text in arena a. */
size_t mt_test_examples (MtArena *a, const char **texts, size_t most);
/* The table that an example is for. */
const char *mt_test_table_of (const char *example);

#endif
