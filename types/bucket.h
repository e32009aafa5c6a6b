/* Buckets of time: computes them as TimescaleDB's time_bucket and PostgreSQL's date_bin do. Times
 * are in milliseconds, as in datetime.h. */
#ifndef MT_BUCKET_H
#define MT_BUCKET_H

#include "types/datetime.h"

/* A division of time into buckets of one width. Buckets of fixed width are counted from the origin
 * in local time, and buckets of whole months from the origin's month. */
typedef struct MtBuckets {
   MtInterval width;
   const MtZone *zone; /* NULL: UTC */
   /* the UTC time from which buckets are counted; default 2000-01-03 (a Monday), for months
    * 2000-01 */
   int64_t origin;
   bool has_origin;
   MtInterval offset; /* added to the start of all buckets, in UTC */
} MtBuckets;

/* Computes the start of the bucket that contains ms. The start is never after ms.
 *
 * Buckets divide the local time of the zone. If a bucket's start is a local time that occurs twice
 * in autumn, the later one is meant. If the bucket would then begin after ms, a bucket of less than
 * a day begins one or more widths earlier, and a longer bucket begins at the earlier of the two
 * times. If a bucket's width divides an hour, no bucket contains times of two hours that date_trunc
 * separates. Errors: 22023 if the width is not positive, 0A000 if the width mixes months with days
 * or time, 22008 if a time is out of range. */
bool mt_bucket_start (const MtBuckets *b, int64_t ms, int64_t *start, MtError *err);

/* Computes the bucket [*from, *to), in local time, that contains the local time `local`. b->zone
 * isn't used. Errors are those of mt_bucket_start. */
bool mt_bucket_cell (const MtBuckets *b, int64_t local, int64_t *from, int64_t *to, MtError *err);

/* Sets *next to a time after ms such that all times from ms up to *next (exclusive) are in the same
 * bucket as ms. At *next another bucket may begin, but need not. b->offset must have no months.
 * Errors are those of mt_bucket_start. */
bool mt_bucket_next (const MtBuckets *b, int64_t ms, int64_t *next, MtError *err);

/* Checks an interval that is used as width or offset of buckets of dates. Fails with 0A000 if it is
 * zero or not a whole number of days. */
bool mt_bucket_of_dates (MtInterval iv, MtError *err);

/* Computes PostgreSQL's date_bin. Fails with 0A000 if the stride has months, and with 22008 if a
 * value is out of range. */
bool mt_date_bin (MtInterval stride, int64_t ms, int64_t origin_ms, int64_t *out, MtError *err);

#endif
