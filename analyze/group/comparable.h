/* Checks for types without an equality operator: json, and records with a field of type json. */
#ifndef MT_COMPARABLE_H
#define MT_COMPARABLE_H

#include "analyze/state/binder.h"

/* Checks the values that GROUP BY, DISTINCT, ORDER BY, windows and aggregates of q compare. s is
 * the block's scope, or NULL for a set operation. Fails with 42883 if their type has no equality
 * operator. */
bool mt_check_comparable (MtBinder *b, const MtScope *s, const MtQuery *q);

#endif
