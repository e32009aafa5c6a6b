/* Types without equality: json, and rows that have it. */
#ifndef MT_COMPARABLE_H
#define MT_COMPARABLE_H

#include "analyze/state/binder.h"

/* Checks GROUP BY, DISTINCT, ORDER BY, windows and aggregates of a bound block, or of a set
 * operation (s NULL). Fails with 42883 if values must be compared whose type has no equality. */
bool mt_check_comparable (MtBinder *b, const MtScope *s, const MtQuery *q);

#endif
