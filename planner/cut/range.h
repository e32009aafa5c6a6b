/* Sets of times, stored as unions of half-open ranges in milliseconds. Converts SQL conditions on
 * the time column to such sets. */
#ifndef MT_RANGE_H
#define MT_RANGE_H

#include "query/query.h"

#define MT_TIME_MIN INT64_MIN
#define MT_TIME_MAX INT64_MAX

typedef struct MtRange {
   int64_t lo, hi; /* milliseconds from lo up to, but not including, hi */
} MtRange;

/* A set of times, as ranges that are sorted, non-empty, and not adjacent. count 0: the empty
 * set. */
typedef struct MtRangeSet {
   MtRange *ranges;
   int count;
} MtRangeSet;

/* mt_ranges_all returns the set of all times, mt_ranges_one the set of times from lo to before hi.
 * The results of all functions in this file are in arena a. */
MtRangeSet mt_ranges_all (MtArena *a);
MtRangeSet mt_ranges_one (MtArena *a, int64_t lo, int64_t hi);
/* Return the union of x and y, the intersection of x and y, and the times of x that are not in
 * `gone`. */
MtRangeSet mt_ranges_union (MtArena *a, MtRangeSet x, MtRangeSet y);
MtRangeSet mt_ranges_intersect (MtArena *a, MtRangeSet x, MtRangeSet y);
MtRangeSet mt_ranges_without (MtArena *a, MtRangeSet x, MtRangeSet gone);
bool mt_ranges_is_all (MtRangeSet s);

/* Converts a condition x on the time column to the exact set of times that satisfy x. False: x also
 * restricts other columns, or is too complex. period_ms > 0: stored times are multiples of
 * period_ms, and bounds are rounded up to such multiples. */
bool mt_ranges_of (MtArena *a, const MtX *x, int time_column, int64_t period_ms, MtRangeSet *out);

/* Returns the times at which condition x can be true. The set may be too large, but never too
 * small. Rows whose time is NULL are not considered. */
MtRangeSet mt_ranges_within (MtArena *a, const MtX *x, int time_column);

/* Recognizes x as <, <=, > or >= between the time column and a constant c. *boundary is the first
 * time at which the result of x changes, rounded up to a multiple of period_ms: c for ">= c" and
 * "< c", the next millisecond for "> c" and "<= c". False: x is another expression. */
bool mt_time_comparison (const MtX *x, int time_column, int64_t period_ms, int64_t *boundary);

/* Returns the start of the unit (hour, day … in UTC) that contains ms. MT_TIME_MIN if it is out of
 * range. */
int64_t mt_unit_floor (int64_t ms, MtUnit unit);
/* Returns the start of the next unit (hour, day … in UTC) after the one that contains ms. */
int64_t mt_unit_next (int64_t ms, MtUnit unit);
/* Returns whether ms is the start of a unit (hour, day … in UTC). */
bool mt_on_unit (int64_t ms, MtUnit unit);

#endif
