/* Row values: ROW (a, b) and (a, b). */
#ifndef MT_ROW_VALUE_H
#define MT_ROW_VALUE_H

#include "analyze/names/record.h"

bool mt_is_row (const MtExpr *e);
/* Analyzes the fields of ROW (a, b) or (a, b). */
bool mt_bind_fields (MtBinder *b, MtScope *s, const MtExpr *e, MtRow *out);
/* Makes a record from ROW (a, b) or (a, b). */
bool mt_bind_row (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Makes the comparison `l op r` of two rows. Fails with 42601 if they have different numbers of
 * fields. */
bool mt_row_compare (MtBinder *b, const char *op, MtSpan span, const MtRow *l, const MtRow *r,
                     MtX **out);

/* Analyze comparisons, IN, BETWEEN, IS NULL and IS DISTINCT FROM with a row value as operand. */
bool mt_bind_row_compare (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_null (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes x IS [NOT] NULL, where x is a record, but not written as a row value. */
bool mt_bind_record_null (MtBinder *b, MtX *x, bool negated, MtSpan span, MtX **out);
bool mt_bind_row_distinct (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* Analyzes the value for one column of UPDATE … SET (a, b) = (SELECT …). The sub-select is analyzed
 * once for all columns. */
bool mt_bind_part (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

#endif
