/* Buckets of time: TimescaleDB's time_bucket, and PostgreSQL's date_bin. Times are milliseconds, as
 * in datetime.h. */
#ifndef MT_BUCKET_H
#define MT_BUCKET_H

#include "types/datetime.h"

/* A row of buckets. Buckets of fixed width are counted from the origin's local time, buckets of whole
 * months from the origin's month. */
typedef struct MtBuckets {
   MtInterval width;
   const MtZone *zone; /* NULL: UTC */
   int64_t origin;     /* a UTC time. Default: Monday 2000-01-03, for months 2000-01 */
   bool has_origin;
   MtInterval offset; /* shifts all buckets, in UTC */
} MtBuckets;

/* Computes the start of the bucket that contains ms. The start is never after ms.
 *
 * Buckets divide the zone's local time. A local time that occurs twice in autumn means the later one.
 * If the bucket would then begin after ms, a bucket of less than a day begins one or more widths
 * earlier, and a longer bucket begins at the earlier of the two times. If a bucket's width divides an
 * hour, two hours that date_trunc separates have no bucket in common.
 *
 * 22023 `period must be greater than 0`; 0A000 for months mixed with days or time; 22008 out of
 * range. */
bool mt_bucket_start (const MtBuckets *b, int64_t ms, int64_t *start, MtError *err);

/* Computes the cell [*from, *to) of local time that contains `local`. The zone isn't used. Errors: as
 * mt_bucket_start. */
bool mt_bucket_cell (const MtBuckets *b, int64_t local, int64_t *from, int64_t *to, MtError *err);

/* Computes a time after ms up to which all times have the same bucket as ms. Another bucket may begin
 * at *next. The offset must have no months. Errors: as mt_bucket_start. */
bool mt_bucket_next (const MtBuckets *b, int64_t ms, int64_t *next, MtError *err);

/* Checks an interval as the width or offset of buckets of dates: whole days, not zero. 0A000 if not. */
bool mt_bucket_of_dates (MtInterval iv, MtError *err);

/* PostgreSQL's date_bin. 0A000 if the stride has months; 22008 with PostgreSQL's text if a value is out
 * of range. */
bool mt_date_bin (MtInterval stride, int64_t ms, int64_t origin_ms, int64_t *out, MtError *err);

#endif
