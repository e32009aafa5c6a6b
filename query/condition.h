/* What a condition says: its parts, and which columns and sides of a join they are about. */
#ifndef MT_CONDITION_H
#define MT_CONDITION_H

#include "query/query.h"

/* The parts of a condition that must all hold, in arena a; none: *count is 0. */
MtX **mt_conjuncts (MtArena *a, MtX *x, int *count);
/* The opposite; NULL for none. */
MtX *mt_conjunction (MtArena *a, MtX **list, int count);

/* The first and the last column that an expression has; low > high: it has none. */
typedef struct MtColumnSpan {
   int low, high;
} MtColumnSpan;
MtColumnSpan mt_x_column_span (const MtX *x);

/* Which side of a join with `left` columns on the left an expression is about; MT_SIDE_BOTH also
 * where it is about none, or volatile. */
typedef enum MtSide { MT_SIDE_LEFT, MT_SIDE_RIGHT, MT_SIDE_BOTH } MtSide;
MtSide mt_x_side (const MtX *x, int left);
/* Whether x is a call of the operator =. */
bool mt_x_is_equality (const MtX *x);

/* Types of which equal values are the same in every respect. Not numbers, which may be written with
 * more digits, or as a zero with a sign. */
bool mt_equal_is_same (MtTypeId t);
/* Types whose values are equal exactly when their documents' values compare as equal. Not
 * intervals, whose months and days may make the same time; nor documents, whose fields' order means
 * nothing. */
bool mt_plain_equality (MtTypeId a, MtTypeId b);

/* Whether looking at it can't fail, whatever the row: comparisons of columns and constants, and
 * what is made of those. */
bool mt_x_cannot_fail (const MtX *x);

/* What the condition of an ASOF join says: left[i] = right[i], and left_time OP right_time. */
typedef struct MtAsof {
   MtX **left, **right;
   int count;
   MtX *left_time, *right_time;
   bool forward; /* OP is < or <=: the nearest is the next one, not the last */
   bool strict;  /* OP is < or > */
} MtAsof;

/* False: the condition says something else; *why is a hint. */
bool mt_asof_parts (MtArena *a, const MtJoin *j, MtAsof *out, const char **why);

#endif
