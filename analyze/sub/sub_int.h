/* Functions that the files of analyze/sub share. */
#ifndef MT_SUB_INT_H
#define MT_SUB_INT_H

#include "analyze/sub/row.h"

/* The operator of a comparison, and whether it is with ANY or ALL. */
typedef struct MtQuantifier {
   const char *op;
   bool all;
   MtSpan span;
} MtQuantifier;

/* Makes `left op ANY (array)` or `left op ALL (array)`. */
bool mt_bind_any_array (MtBinder *b, MtX *left, const MtQuantifier *how, MtX *array, MtX **out);
/* Makes `left op ANY (list)` or `left op ALL (list)` for a list of n > 0 expressions. */
bool mt_compare_any (MtBinder *b, MtX *left, const MtQuantifier *how, MtX **list, int n, MtX **out);

/* Analyzes a sub-select of one row, joins it to the enclosing query, and stores its columns in
 * *out. */
bool mt_bind_row_sub (MtBinder *b, MtScope *s, const MtSelect *select, MtSpan span, MtRow *out);

/* Convert a correlated sub-select q to a join to the enclosing query. *out: the value of the
 * expression. q must be analyzed, with its constants not folded (mt_bind_query). */
bool mt_correlated_exists (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out);
bool mt_correlated_any (MtBinder *b, MtScope *s, const MtRow *left, const MtQuantifier *how,
                        MtQuery *q, MtX **out);
bool mt_correlated_value (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out);
/* Joins sub-select q to the enclosing query, and stores all its columns in *out. q may be
 * uncorrelated. */
bool mt_correlated_row (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtRow *out);

#endif
