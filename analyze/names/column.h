/* Resolves column names. */
#ifndef MT_COLUMN_REF_H
#define MT_COLUMN_REF_H

#include "analyze/names/names.h"

/* Resolves the name e (MT_EXPR_COLUMN) to a column of FROM or of an enclosing query, or to a
 * parameter of an SQL function. Fails with 42703 (no such column), 42P01 (no such table) or 42702
 * (ambiguous). */
bool mt_bind_column_ref (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Resolves [qualifier.]name to a column of an enclosing query, or of a FROM item to the left of a
 * LATERAL item. *out is NULL if there is no such column. */
bool mt_outer_column (MtBinder *b, const MtName *qualifier, const MtName *name, MtSpan span,
                      MtX **out);

#endif
