/* Finds the TIME column of FROM, for clauses that work on it without naming it. */
#ifndef MT_TIME_COLUMN_H
#define MT_TIME_COLUMN_H

#include "analyze/state/binder.h"

/* How an error describes the search: "<clause> needs a TIME column <where>". hint: what to do
 * without such a column. */
typedef struct MtTimeUse {
   const char *clause, *where, *hint;
   MtSpan span;
} MtTimeUse;

/* Finds the column of rel that is a table's TIME column, perhaps through sub-selects, and perhaps as
 * the bucket of a SAMPLE BY there. Fails with 42703 if there is none, and with 42702 if there are
 * several. */
bool mt_find_time (MtBinder *b, const MtRel *rel, const MtTimeUse *use, MtX **out);

#endif
