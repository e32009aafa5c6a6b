/* Conditions and wanted columns go to where the rows come from. */
#ifndef MT_PUSH_H
#define MT_PUSH_H

#include "planner/query.h"

/* Moves conditions of WHERE and ON into the sub-selects and sides of joins that they are about, makes tables of joins into blocks of
 * their own that give only the columns that somebody wants, and does the same below. Once a query, after folding; in arena a. */
void mt_push_query (MtArena *a, MtQuery *q);

/* Which side of a join with `left` columns on the left an expression is about; MT_SIDE_BOTH also where it is about none, or volatile. */
typedef enum MtSide { MT_SIDE_LEFT, MT_SIDE_RIGHT, MT_SIDE_BOTH } MtSide;
MtSide mt_x_side (const MtX *x, int left);
/* Whether x is a call of the operator =. */
bool mt_x_is_equality (const MtX *x);

/* Types of which equal values are the same in every respect: not numbers that may be written with more digits, nor zeros with a sign. */
bool mt_equal_is_same (MtTypeId t);

/* Whether looking at it can't fail, whatever the row: comparisons of columns and constants, and what is made of those. */
bool mt_x_cannot_fail (const MtX *x);

/* The parts of a condition that must all hold, in arena a; none: *count is 0. */
MtX **mt_conjuncts (MtArena *a, MtX *x, int *count);
/* The opposite; NULL for none. */
MtX *mt_conjunction (MtArena *a, MtX **list, int count);

#endif
