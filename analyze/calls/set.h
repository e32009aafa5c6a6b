/* Checks where set-returning functions are allowed. */
#ifndef MT_SET_H
#define MT_SET_H

#include "analyze/state/binder.h"

/* Returns whether x is or contains a call of a set-returning function. */
bool mt_is_set (const MtX *x);
bool mt_has_set (const MtX *x);
/* Fails with 0A000 (not supported) if an expression of the list contains a set-returning call.
 * what: the construct for the message, "CASE" … */
bool mt_no_sets (MtBinder *b, MtX *const *list, int count, const char *what);
/* Fails with 0A000 (not supported) if x is a set-returning call and s->clause does not allow
 * one. */
bool mt_check_set (MtBinder *b, const MtScope *s, const MtExpr *e, const MtX *x);

#endif
