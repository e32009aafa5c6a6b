/* References to the rows of queries around a sub-select. */
#ifndef MT_OUTER_H
#define MT_OUTER_H

#include "analyze/state/binder.h"

/* Returns the id of a scope. Gives it one if it has none. */
int mt_scope_id (MtBinder *b, MtScope *s);
/* Returns the column or aggregate that x, an MT_X_OUTER, refers to, as an expression of its own
 * block. */
MtX *mt_outer_value (MtArena *a, const MtX *x);
/* Makes j an apply: its right side has references to `scope`, the left side. Collects j->lets. */
void mt_join_apply (MtBinder *b, MtJoin *j, int scope);

/* The queries that the arguments of an aggregate refer to. */
typedef struct MtReach {
   const MtScope *scope;
   /* The scopes around it. */
   const MtOuter *around;
   /* The number of FROM's columns before correlated sub-selects in the arguments add theirs. */
   int columns;
   /* Out: there is a reference to the aggregate's own query. */
   bool own;
   /* Out: the nearest query around that is referred to. NULL: none. */
   const MtOuter *nearest;
} MtReach;

/* Adds the references in x; x may be NULL. */
void mt_reach_x (MtReach *r, MtX *x);
/* Adds the references in a sub-select to the queries around it. */
void mt_reach_query (MtReach *r, MtQuery *q);

#endif
