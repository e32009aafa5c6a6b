/* References from a sub-select to columns of its enclosing queries. */
#ifndef MT_OUTER_H
#define MT_OUTER_H

#include "analyze/state/binder.h"

/* Returns the id of scope s, which is never 0. Assigns an id if s has none. */
int mt_scope_id (MtBinder *b, MtScope *s);
/* Converts x, a reference from a sub-select to an enclosing query (MT_X_OUTER), to an expression
 * for the same column or aggregate inside the enclosing query. */
MtX *mt_outer_value (MtArena *a, const MtX *x);
/* Makes j a join whose right side is evaluated for each left row, since it refers to left columns.
 * scope: the id of the left side's scope. Stores the left columns that the right side uses in
 * j->lets. */
void mt_join_apply (MtBinder *b, MtJoin *j, int scope);

/* The queries whose columns the arguments of an aggregate use. They decide which query computes the
 * aggregate. */
typedef struct MtReach {
   const MtScope *scope;
   /* The scopes that enclose the aggregate's query. */
   const MtOuter *around;
   /* The number of columns of FROM before correlated sub-selects in the arguments add columns. */
   int columns;
   /* Out: the arguments use a column of the aggregate's own query. */
   bool own;
   /* Out: the innermost enclosing query whose columns the arguments use. NULL: none. */
   const MtOuter *nearest;
} MtReach;

/* Records in r the references to other queries in x. x may be NULL. */
void mt_reach_x (MtReach *r, MtX *x);
/* Records in r the references in sub-select q to its enclosing queries. */
void mt_reach_query (MtReach *r, MtQuery *q);

/* A correlated sub-select that was analyzed, but is joined to the enclosing query later. */
typedef struct MtPending {
   MtRel *right;
   /* The join to make. Its expressions may use columns of FROM and of other sub-selects that are
    * joined later. */
   MtJoin *join;
   /* The temporary number of the sub-select's first column (MT_PENDING_COLUMN or more). If the join
    * has a mark (a boolean: there is a row), its number follows that of the last column. */
   int first;
   MtSpan span;
   /* During grouping, the expressions of the join are hidden items of the select list. This is the
    * index of the first one. */
   int target;
   /* 1 + the number of the sub-select's first column in FROM, after it was joined. 0: it is not
    * joined yet. */
   int at;
} MtPending;

/* Returns the sub-select in s->pending that has the column with this temporary number. */
const MtPending *mt_pending_of (const MtScope *s, int column);
/* Returns the first node in x for which `is` is true. Also searches the expressions of s that
 * correlated sub-selects in x refer to. NULL: there is none. */
const MtX *mt_pending_find (const MtScope *s, const MtX *x, bool (*is) (const MtX *x));

#endif
