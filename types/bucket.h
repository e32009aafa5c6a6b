/* Buckets of time: TimescaleDB's time_bucket, and PostgreSQL's date_bin. Times are milliseconds, as
 * in datetime.h. */
#ifndef MT_BUCKET_H
#define MT_BUCKET_H

#include "types/datetime.h"

/* Which buckets: of fixed width, counted from the origin's local time; or of whole months, counted
 * from the origin's month. */
typedef struct MtBuckets {
   MtInterval width;
   const MtZone *zone; /* NULL: UTC */
   int64_t origin;     /* a UTC time. Default: Monday 2000-01-03, for months 2000-01 */
   bool has_origin;
   MtInterval offset; /* all buckets are shifted by it, in UTC */
} MtBuckets;

/* The start of the bucket that ms is in, never after ms.
 *
 * Buckets are cut off the zone's local time. A local time that comes twice in autumn means the
 * later one. If the bucket would then begin after ms, a bucket of less than a day begins one width
 * earlier, or as many as it takes, and a longer one begins at the earlier of the two times. Buckets
 * that divide an hour keep apart the hours that date_trunc keeps apart.
 *
 * 22023 `period must be greater than 0`; 0A000 for months mixed with days or time; 22008 out of
 * range. */
bool mt_bucket_start (const MtBuckets *b, int64_t ms, int64_t *start, MtError *err);

/* The cell of local time that `local` is in: [*from, *to). The zone isn't used. Errors as above. */
bool mt_bucket_cell (const MtBuckets *b, int64_t local, int64_t *from, int64_t *to, MtError *err);

/* The first time after ms at which another bucket may begin: between ms and *next all times have
 * one start. The offset must have no months. Errors as above. */
bool mt_bucket_next (const MtBuckets *b, int64_t ms, int64_t *next, MtError *err);

/* Whether dates can have buckets of that width, or moved by it: not zero, and whole days. 0A000 if
 * not. */
bool mt_bucket_of_dates (MtInterval iv, MtError *err);

/* 0A000 for strides with months; 22008 with PostgreSQL's texts for what is out of range. */
bool mt_date_bin (MtInterval stride, int64_t ms, int64_t origin_ms, int64_t *out, MtError *err);

#endif
