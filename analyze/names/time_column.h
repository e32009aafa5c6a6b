/* Finds the TIME column of FROM, for clauses such as SAMPLE BY that do not name it. */
#ifndef MT_TIME_COLUMN_H
#define MT_TIME_COLUMN_H

#include "analyze/state/binder.h"

/* Texts for the error if there is no TIME column: "<clause> needs a TIME column <where>", and a
 * hint that says how to do without one. */
typedef struct MtTimeUse {
   const char *clause, *where, *hint;
   MtSpan span;
} MtTimeUse;

/* Makes *out a reference to the TIME column of a table in rel. It may come through sub-selects, and
 * may be the time bucket that a SAMPLE BY in a sub-select made of it. Fails with 42703 if there is
 * no TIME column, and with 42702 if there are several. */
bool mt_find_time (MtBinder *b, const MtRel *rel, const MtTimeUse *use, MtX **out);

#endif
