/* Set-returning functions: tests, and the places where they may stand. */
#ifndef MT_SET_H
#define MT_SET_H

#include "analyze/state/binder.h"

/* Whether x is a call of a set-returning function, or has one below it. */
bool mt_is_set (const MtX *x);
bool mt_has_set (const MtX *x);
/* 0A000 if a member of the list has a set-returning call. `what` names the construct: "CASE" … */
bool mt_no_sets (MtBinder *b, MtX *const *list, int count, const char *what);
/* 0A000 if x, a set-returning call, may not stand in this clause. */
bool mt_check_set (MtBinder *b, const MtScope *s, const MtExpr *e, const MtX *x);

#endif
