/* Conditions: splitting them at AND, and finding the columns and join sides that they use. */
#ifndef MT_CONDITION_H
#define MT_CONDITION_H

#include "query/query.h"

/* Returns an array of the *count conditions that AND combines to x, in arena a. x may be NULL: then
 * *count is 0. */
MtX **mt_conjuncts (MtArena *a, MtX *x, int *count);
/* Combines conditions by AND. Returns NULL for an empty list. */
MtX *mt_conjunction (MtArena *a, MtX **list, int count);

/* The least and greatest column number in an expression. low > high: it has no columns. */
typedef struct MtColumnSpan {
   int low, high;
} MtColumnSpan;
MtColumnSpan mt_x_column_span (const MtX *x);

/* Returns the side of a join whose columns x uses. left: number of columns of the join's left side.
 * MT_SIDE_BOTH also if x uses no columns, or is volatile. */
typedef enum MtSide { MT_SIDE_LEFT, MT_SIDE_RIGHT, MT_SIDE_BOTH } MtSide;
MtSide mt_x_side (const MtX *x, int left);
/* Returns whether x is a call of the operator =. */
bool mt_x_is_equality (const MtX *x);

/* Returns whether equal values of type t are always identical. False for numbers, where 1.0 equals
 * 1.00, and 0 equals -0. */
bool mt_equal_is_same (MtTypeId t);
/* Returns whether values of types a and b are equal in SQL if and only if they are equal in
 * MongoDB. False for intervals (30 days equal a month) and documents (SQL ignores the order of
 * fields). */
bool mt_plain_equality (MtTypeId a, MtTypeId b);

/* Returns whether `where` is never true for a row with NULL in the column. False: perhaps it is. */
bool mt_excludes_null (const MtX *where, int column);
/* Returns whether `where` is never true for a row with NaN in the column. False: perhaps it is. */
bool mt_excludes_nan (const MtX *where, int column);

/* Returns whether computing x can never raise an error, because x has only columns, constants,
 * comparisons and logical operators. */
bool mt_x_cannot_fail (const MtX *x);

/* The condition of an ASOF join in its parts: left[i] = right[i] for all i, AND left_time OP
 * right_time. */
typedef struct MtAsof {
   MtX **left, **right;
   int count;
   MtX *left_time, *right_time;
   /* OP is < or <=: a left row is joined with the next later right row, not with the last
    * earlier one */
   bool forward;
   bool strict; /* OP is < or >: right rows of the same time don't match */
} MtAsof;

/* Splits the condition of an ASOF join into *out, in arena a. Returns false if the condition does
 * not have this form; *why is then set to a hint for the user. */
bool mt_asof_parts (MtArena *a, const MtJoin *j, MtAsof *out, const char **why);

#endif
