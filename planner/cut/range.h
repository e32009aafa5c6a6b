/* Sets of time: unions of half-open ranges of milliseconds. What a filter says about the time
 * column. */
#ifndef MT_RANGE_H
#define MT_RANGE_H

#include "query/query.h"

#define MT_TIME_MIN INT64_MIN
#define MT_TIME_MAX INT64_MAX

typedef struct MtRange {
   int64_t lo, hi; /* [lo, hi) */
} MtRange;

/* Sorted, disjoint, not touching, none empty. count 0: no time at all. */
typedef struct MtRangeSet {
   MtRange *ranges;
   int count;
} MtRangeSet;

MtRangeSet mt_ranges_all (MtArena *a);
MtRangeSet mt_ranges_one (MtArena *a, int64_t lo, int64_t hi);
MtRangeSet mt_ranges_union (MtArena *a, MtRangeSet x, MtRangeSet y);
MtRangeSet mt_ranges_intersect (MtArena *a, MtRangeSet x, MtRangeSet y);
MtRangeSet mt_ranges_without (MtArena *a, MtRangeSet x, MtRangeSet gone);
bool mt_ranges_is_all (MtRangeSet s);

/* True, with the set in *out, when x says exactly "the time column is in *out". period_ms > 0: all
 * times are multiples of it, and bounds are moved up to the grid. */
bool mt_ranges_of (MtArena *a, const MtX *x, int time_column, int64_t period_ms, MtRangeSet *out);

/* All times that rows can have for which x is true, by what its parts say of the time; others, too,
 * where they can't be told. NULL is no time. */
MtRangeSet mt_ranges_within (MtArena *a, const MtX *x, int time_column);

/* A comparison of the bare time column with a constant: *lo is where it changes (">= c" and "< c"
 * at c; "> c", "<= c" just after, moved to the grid). False when x is something else, or an
 * equality. */
bool mt_time_comparison (const MtX *x, int time_column, int64_t period_ms, int64_t *boundary);

/* ms moved up (down) to a multiple of step since the epoch. */
int64_t mt_ceil_to (int64_t ms, int64_t step);
int64_t mt_floor_to (int64_t ms, int64_t step);
/* The start of the unit (UTC) that contains ms; MT_TIME_MIN where that is before all times. */
int64_t mt_unit_floor (int64_t ms, MtUnit unit);
/* The start of the next one. */
int64_t mt_unit_next (int64_t ms, MtUnit unit);
bool mt_on_unit (int64_t ms, MtUnit unit);

#endif
