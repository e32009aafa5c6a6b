/* Row values: ROW (a, b) and (a, b). */
#ifndef MT_ROW_VALUE_H
#define MT_ROW_VALUE_H

#include "analyze/state/binder.h"

typedef struct MtRow {
   MtX **x;
   int n;
} MtRow;

bool mt_is_row (const MtExpr *e);
/* Binds the fields of an MT_EXPR_ROW. */
bool mt_bind_fields (MtBinder *b, MtScope *s, const MtExpr *e, MtRow *out);
/* Compares two rows. 42601: their lengths differ. Rows of one field compare as that field. */
bool mt_row_compare (MtBinder *b, const char *op, MtSpan span, const MtRow *l, const MtRow *r,
                     MtX **out);

/* Each binds a construct in which a side, or the value, is a row. */
bool mt_bind_row_compare (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_null (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_distinct (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Binds one column of (a, b) = (SELECT …) in UPDATE. */
bool mt_bind_part (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
