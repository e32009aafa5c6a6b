/* Functions that the files of analyze/sub share. */
#ifndef MT_SUB_INT_H
#define MT_SUB_INT_H

#include "analyze/sub/row.h"

/* A comparison with ANY or ALL. */
typedef struct MtQuantifier {
   const char *op;
   bool all;
   MtSpan span;
} MtQuantifier;

/* Binds left op ANY|ALL (array). */
bool mt_bind_any_array (MtBinder *b, MtX *left, const MtQuantifier *how, MtX *array, MtX **out);
/* Binds left op ANY|ALL of a list, which isn't empty. */
bool mt_compare_any (MtBinder *b, MtX *left, const MtQuantifier *how, MtX **list, int n, MtX **out);

/* Binds a sub-select, and returns the columns of its only row, as a join. */
bool mt_bind_row_sub (MtBinder *b, MtScope *s, const MtSelect *select, MtSpan span, MtRow *out);

/* Each makes a sub-select a join of the query around it. q is bound and not folded. */
bool mt_correlated_exists (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out);
bool mt_correlated_any (MtBinder *b, MtScope *s, const MtRow *left, const MtQuantifier *how,
                        MtQuery *q, MtX **out);
bool mt_correlated_value (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out);
/* Returns all columns. q needn't refer to the query around. */
bool mt_correlated_row (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtRow *out);

#endif
