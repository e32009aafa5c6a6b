/* References from a sub-select to columns of its enclosing queries. */
#ifndef MT_OUTER_H
#define MT_OUTER_H

#include "analyze/state/binder.h"

/* Returns the id of scope s. Assigns an id if s has none. */
int mt_scope_id (MtBinder *b, MtScope *s);
/* Converts x, a reference from a sub-select (MT_X_OUTER), to the expression for the same column or
 * aggregate in the enclosing query. */
MtX *mt_outer_value (MtArena *a, const MtX *x);
/* Makes j a join whose right side runs for each left row, since it refers to left columns. scope:
 * the id of the left side. Sets j->lets. */
void mt_join_apply (MtBinder *b, MtJoin *j, int scope);

/* The enclosing queries to which an aggregate's arguments refer. */
typedef struct MtReach {
   const MtScope *scope;
   /* The scopes that enclose the aggregate's query. */
   const MtOuter *around;
   /* The number of FROM's columns before correlated sub-selects in the arguments add theirs. */
   int columns;
   /* Out: there is a reference to the aggregate's own query. */
   bool own;
   /* Out: the innermost enclosing query to which there is a reference. NULL: none. */
   const MtOuter *nearest;
} MtReach;

/* Records in r the references to other queries in x. x may be NULL. */
void mt_reach_x (MtReach *r, MtX *x);
/* Records in r the references in sub-select q to its enclosing queries. */
void mt_reach_query (MtReach *r, MtQuery *q);

/* A correlated sub-select that will be joined to the enclosing query. */
typedef struct MtPending {
   MtRel *right;
   /* The join to make. Its expressions use columns of FROM and of other pending sub-selects. */
   MtJoin *join;
   /* The temporary number of the sub-select's first column (from MT_PENDING_COLUMN on). Its mark
    * follows the columns. */
   int first;
   MtSpan span;
   /* During grouping: the index of the first hidden target that holds an expression of the join. */
   int target;
   /* The final number of the sub-select's first column, plus 1. 0: not joined yet. */
   int at;
} MtPending;

/* Returns the sub-select of s that has the column with a temporary number (from MT_PENDING_COLUMN
 * on). */
const MtPending *mt_pending_of (const MtScope *s, int column);
/* Returns the first node in x that `is` accepts, also in the references that correlated sub-selects
 * in x make to s. NULL: there is none. */
const MtX *mt_pending_find (const MtScope *s, const MtX *x, bool (*is) (const MtX *x));

#endif
