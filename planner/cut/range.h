/* Sets of time: unions of half-open ranges of milliseconds. Also: the set of times for which a
 * filter is true. */
#ifndef MT_RANGE_H
#define MT_RANGE_H

#include "query/query.h"

#define MT_TIME_MIN INT64_MIN
#define MT_TIME_MAX INT64_MAX

typedef struct MtRange {
   int64_t lo, hi; /* [lo, hi) */
} MtRange;

/* Sorted, disjoint and non-empty ranges that don't touch. count is 0: no time at all. */
typedef struct MtRangeSet {
   MtRange *ranges;
   int count;
} MtRangeSet;

/* All times; the range [lo, hi), which may be empty. In arena a, as are the results below. */
MtRangeSet mt_ranges_all (MtArena *a);
MtRangeSet mt_ranges_one (MtArena *a, int64_t lo, int64_t hi);
/* The times in x or in y; in both; in x, but not in gone. */
MtRangeSet mt_ranges_union (MtArena *a, MtRangeSet x, MtRangeSet y);
MtRangeSet mt_ranges_intersect (MtArena *a, MtRangeSet x, MtRangeSet y);
MtRangeSet mt_ranges_without (MtArena *a, MtRangeSet x, MtRangeSet gone);
bool mt_ranges_is_all (MtRangeSet s);

/* Reads x as exactly "the time column is in *out". False: x is another condition. period_ms > 0:
 * all times are multiples of it, and bounds are moved up to the next multiple. */
bool mt_ranges_of (MtArena *a, const MtX *x, int time_column, int64_t period_ms, MtRangeSet *out);

/* A set that contains all times of rows for which x can be true. The set may be too large where
 * x restricts the time only indirectly. NULL is no time. */
MtRangeSet mt_ranges_within (MtArena *a, const MtX *x, int time_column);

/* Reads a comparison of the bare time column with a constant. *boundary is the first time at
 * which the result changes, moved up to a multiple of period_ms: c for ">= c" and "< c", the
 * next millisecond for "> c" and "<= c". False: x is an equality or another expression. */
bool mt_time_comparison (const MtX *x, int time_column, int64_t period_ms, int64_t *boundary);

/* ms moved up, or down, to a multiple of step since the epoch. */
int64_t mt_ceil_to (int64_t ms, int64_t step);
int64_t mt_floor_to (int64_t ms, int64_t step);
/* The start of the unit (UTC) that contains ms. MT_TIME_MIN when the start is before all times. */
int64_t mt_unit_floor (int64_t ms, MtUnit unit);
/* The start of the next unit. */
int64_t mt_unit_next (int64_t ms, MtUnit unit);
/* Whether ms is the start of a unit. */
bool mt_on_unit (int64_t ms, MtUnit unit);

#endif
