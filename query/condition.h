/* Conditions: their parts, and the columns and sides of a join that they refer to. */
#ifndef MT_CONDITION_H
#define MT_CONDITION_H

#include "query/query.h"

/* Returns the parts of a condition that AND joins, in arena a. x may be NULL: then *count is 0. */
MtX **mt_conjuncts (MtArena *a, MtX *x, int *count);
/* Joins conditions by AND. Returns NULL for an empty list. */
MtX *mt_conjunction (MtArena *a, MtX **list, int count);

/* The lowest and highest column number in an expression. low > high: there are no columns. */
typedef struct MtColumnSpan {
   int low, high;
} MtColumnSpan;
MtColumnSpan mt_x_column_span (const MtX *x);

/* The side of a join that an expression refers to. The join's left side has `left` columns.
 * MT_SIDE_BOTH also if x has no columns or is volatile. */
typedef enum MtSide { MT_SIDE_LEFT, MT_SIDE_RIGHT, MT_SIDE_BOTH } MtSide;
MtSide mt_x_side (const MtX *x, int left);
/* Returns whether x is a call of the operator =. */
bool mt_x_is_equality (const MtX *x);

/* Returns whether equal values of type t are always identical. False for numbers: 1.0 equals 1.00,
 * and 0 equals -0. */
bool mt_equal_is_same (MtTypeId t);
/* Returns whether SQL's equality of types a and b is the same as MongoDB's. False for intervals (30
 * days equal a month) and documents (SQL ignores the order of fields). */
bool mt_plain_equality (MtTypeId a, MtTypeId b);

/* Returns whether no row for which `where` is true has NULL in the column. False: not known. */
bool mt_excludes_null (const MtX *where, int column);
/* Returns whether no row for which `where` is true has NaN in the column. False: not known. */
bool mt_excludes_nan (const MtX *where, int column);

/* Returns whether computing x can never raise an error: x has only columns, constants, comparisons
 * and logic. */
bool mt_x_cannot_fail (const MtX *x);

/* The parsed condition of an ASOF join: left[i] = right[i] for all i, AND left_time OP
 * right_time. */
typedef struct MtAsof {
   MtX **left, **right;
   int count;
   MtX *left_time, *right_time;
   bool forward; /* OP is < or <=: the partner is the next later row, not the last earlier row */
   bool strict;  /* OP is < or >: rows at the same time are no partners */
} MtAsof;

/* Parses the condition of an ASOF join into *out, in arena a. Returns false if the condition has
 * another form; *why is then a hint for the user. */
bool mt_asof_parts (MtArena *a, const MtJoin *j, MtAsof *out, const char **why);

#endif
