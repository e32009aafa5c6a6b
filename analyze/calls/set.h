/* Checks that set-returning functions are called only where they are allowed. */
#ifndef MT_SET_H
#define MT_SET_H

#include "analyze/state/binder.h"

/* Returns whether x is or contains a call of a set-returning function. */
bool mt_is_set (const MtX *x);
bool mt_has_set (const MtX *x);
/* Fails with 0A000 (not supported) if an expression of the list contains a call of a set-returning
 * function. what: the construct for the message, such as "CASE". */
bool mt_no_sets (MtBinder *b, MtX *const *list, int count, const char *what);
/* Fails with 0A000 (not supported) if x calls a set-returning function and the current clause,
 * s->clause, does not allow such calls. */
bool mt_check_set (MtBinder *b, const MtScope *s, const MtExpr *e, const MtX *x);

#endif
