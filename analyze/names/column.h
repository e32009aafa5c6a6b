/* References to columns. */
#ifndef MT_COLUMN_REF_H
#define MT_COLUMN_REF_H

#include "analyze/names/names.h"

/* Binds an MT_EXPR_COLUMN: a column of FROM, of a query around, or a parameter of an SQL function.
 * 42703, 42P01, 42702. */
bool mt_bind_column_ref (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Binds a column of a query around this sub-select, or of an item to the left of a LATERAL one.
 * *out is NULL if there is none of that name. */
bool mt_outer_column (MtBinder *b, const MtName *qualifier, const MtName *name, MtSpan span,
                      MtX **out);

#endif
