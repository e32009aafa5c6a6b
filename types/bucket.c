#include "types/bucket.h"

#include "types/datetime_int.h"

#define ORIGIN_MONDAY INT64_C (946857600000) /* Monday 2000-01-03, the default origin, in ms */
#define ORIGIN_MONTH (2000 * 12)             /* 2000-01, the default origin, in months */
#define HOUR_US INT64_C (3600000000)

static bool ts_range (MtError *err)
{
   return mt_error (err, MT_E_DATETIME_RANGE, "timestamp out of range");
}

static bool not_positive (MtError *err)
{
   return mt_error (err, MT_E_PARAMETER, "period must be greater than 0");
}

static MtInt128 floor_128 (MtInt128 a, MtInt128 b) { return a / b - (a % b < 0); }

/* Converts an interval without months to microseconds; a day has 24 hours. */
static bool fixed_us (MtInterval iv, int64_t *us, MtError *err)
{
   if (__builtin_mul_overflow ((int64_t) iv.days, MT_DAY_US, us) ||
       __builtin_add_overflow (*us, iv.us, us))
      return mt_error (err, MT_E_DATETIME_RANGE, "interval out of range");
   return true;
}

/* ---- buckets of local time ---- */

static int64_t month_start (int64_t month)
{
   int64_t year = mt_floor_div (month, 12);
   return mt_days_from_civil (year, (int) (month - year * 12) + 1, 1) * MT_DAY_MS;
}

static int64_t month_of (int64_t local)
{
   MtTm tm = mt_tm_open (local);
   return tm.year * 12 + tm.month - 1;
}

/* Computes the bucket [*from, *to), a whole number of months, that contains the local time `local`.
 * Of the origin only its month is used. */
static bool month_cell (const MtBuckets *b, int64_t local, int64_t origin, int64_t *from,
                        int64_t *to, MtError *err)
{
   int64_t months = b->width.months, first = b->has_origin ? month_of (origin) : ORIGIN_MONTH;
   if (b->width.days || b->width.us)
      return mt_error (err, MT_E_FEATURE, "month intervals cannot have day or time component");
   if (months < 0)
      return not_positive (err);
   int64_t month = first + mt_floor_div (month_of (local) - first, months) * months;
   *from = month_start (month);
   *to = month_start (month + months);
   return true;
}

/* Computes the bucket [*from, *to) that contains the local time `local`, counted from the local
 * time `origin`. */
static bool cell_from (const MtBuckets *b, int64_t local, int64_t origin, int64_t *from,
                       int64_t *to, MtError *err)
{
   int64_t width;
   if (b->width.months)
      return month_cell (b, local, origin, from, to, err);
   if (!fixed_us (b->width, &width, err))
      return false;
   if (width <= 0)
      return not_positive (err);
   /* In the last years of the range, microseconds since 1970 don't fit in 64 bits. A bucket
    * contains the milliseconds that begin in it. */
   MtInt128 widths = floor_128 ((MtInt128) (local - origin) * 1000, width);
   MtInt128 start = widths * width + (MtInt128) origin * 1000;
   *from = (int64_t) floor_128 (start, 1000);
   MtInt128 end = -floor_128 (-(start + width), 1000);
   *to = end < MT_TS_END ? (int64_t) end : MT_TS_END;
   return true;
}

static int64_t local_origin (const MtBuckets *b)
{
   if (!b->has_origin)
      return ORIGIN_MONDAY;
   return b->zone ? mt_tz_to_local (b->zone, b->origin) : b->origin;
}

bool mt_bucket_cell (const MtBuckets *b, int64_t local, int64_t *from, int64_t *to, MtError *err)
{
   return cell_from (b, local, local_origin (b), from, to, err);
}

/* ---- buckets ---- */

/* start: the start of a bucket; end: all times from the given time up to this one are certainly in
 * the bucket. */
typedef struct Bucket {
   int64_t start, end;
} Bucket;

static bool in_day (MtInterval width, int64_t *us)
{
   return !width.months && fixed_us (width, us, NULL) && *us < MT_DAY_US;
}

/* If the regular start of a bucket is after ms, which happens when the clocks are set back, moves
 * the bucket's start to an earlier time. cell: its start in local time. */
static void begin_earlier (const MtBuckets *b, int64_t ms, int64_t cell, int64_t regular,
                           Bucket *out)
{
   int64_t us;
   if (!in_day (b->width, &us)) {
      out->start = cell - (int64_t) mt_tz_offset (b->zone, ms) * 1000;
      out->end = regular < out->end ? regular : out->end;
      return;
   }
   MtInt128 start = (MtInt128) regular * 1000, after = start - (MtInt128) ms * 1000;
   start += floor_128 (-after, us) * us;
   int64_t end = (int64_t) -floor_128 (-(start + us), 1000);
   out->start = (int64_t) floor_128 (start, 1000);
   out->end = end < out->end ? end : out->end;
}

/* Returns whether the bucket that begins at `start` is so far from changes of the clock that none
 * can affect it. The UTC offset is constant in [from, to). */
static bool calm (int64_t start, int64_t from, int64_t to)
{
   return (from == INT64_MIN || start - from >= 2 * MT_DAY_MS) &&
          (to == INT64_MAX || to - start >= 2 * MT_DAY_MS);
}

/* Computes the bucket that contains ms. Ignores b->offset. */
static bool bucket_of (const MtBuckets *b, int64_t ms, Bucket *out, MtError *err)
{
   int64_t cell, cell_end, from = INT64_MIN, to = INT64_MAX, us;
   int64_t offset = b->zone ? (int64_t) mt_tz_span (b->zone, ms, &from, &to) * 1000 : 0;
   if (!mt_bucket_cell (b, ms + offset, &cell, &cell_end, err))
      return false;
   *out = (Bucket) {cell - offset, cell_end - offset < to ? cell_end - offset : to};
   if (calm (out->start, from, to))
      return true;
   int64_t regular = mt_tz_to_utc (b->zone, cell);
   if (regular > ms)
      begin_earlier (b, ms, cell, regular, out);
   else if (mt_tz_offset (b->zone, regular) * INT64_C (1000) <= offset || !in_day (b->width, &us) ||
            HOUR_US % us)
      out->start = regular;
   return true;
}

static bool has_offset (const MtBuckets *b)
{
   return b->offset.months || b->offset.days || b->offset.us;
}

/* Subtracts b->offset from *ms. */
static bool unshifted (const MtBuckets *b, int64_t *ms, MtError *err)
{
   MtInterval back;
   return !has_offset (b) || (mt_interval_neg (b->offset, &back, err) &&
                              mt_ts_add_interval (*ms, back, NULL, ms, err));
}

static bool shifted (const MtBuckets *b, int64_t *ms, MtError *err)
{
   if (has_offset (b) && !mt_ts_add_interval (*ms, b->offset, NULL, ms, err))
      return false;
   return mt_ts_in_range (*ms) || ts_range (err);
}

bool mt_bucket_start (const MtBuckets *b, int64_t ms, int64_t *start, MtError *err)
{
   Bucket bucket;
   if (!mt_ts_is_finite (ms)) {
      *start = ms;
      return true;
   }
   if (!unshifted (b, &ms, err) || !bucket_of (b, ms, &bucket, err) ||
       !shifted (b, &bucket.start, err))
      return false;
   *start = bucket.start;
   return true;
}

bool mt_bucket_next (const MtBuckets *b, int64_t ms, int64_t *next, MtError *err)
{
   Bucket bucket;
   int64_t back = ms;
   if (!unshifted (b, &back, err) || !bucket_of (b, back, &bucket, err))
      return false;
   *next = bucket.end + (ms - back);
   return true;
}

bool mt_bucket_of_dates (MtInterval iv, MtError *err)
{
   int64_t us;
   if (!fixed_us (iv, &us, err))
      return false;
   if (us > -MT_DAY_US && us < MT_DAY_US)
      return mt_error (err, MT_E_FEATURE, "interval must not have sub-day precision");
   if (us % MT_DAY_US)
      return mt_error (err, MT_E_FEATURE, "interval must be a multiple of a day");
   return true;
}

bool mt_date_bin (MtInterval stride, int64_t ms, int64_t origin, int64_t *out, MtError *err)
{
   int64_t us, end;
   if (!mt_ts_is_finite (ms)) {
      *out = ms;
      return true;
   }
   if (!mt_ts_is_finite (origin))
      return mt_error (err, MT_E_DATETIME_RANGE, "origin out of range");
   if (stride.months)
      return mt_error (err, MT_E_FEATURE,
                       "timestamps cannot be binned into intervals containing months or years");
   if (!fixed_us (stride, &us, err))
      return false;
   if (us <= 0)
      return mt_error (err, MT_E_DATETIME_RANGE, "stride must be greater than zero");
   if (__builtin_mul_overflow (
          ms - origin, 1000,
          &end)) /* PostgreSQL subtracts in microseconds, so it overflows here, too */
      return mt_error (err, MT_E_DATETIME_RANGE, "interval out of range");
   MtBuckets b = {.width = stride, .origin = origin, .has_origin = true};
   return cell_from (&b, ms, origin, out, &end, err) && (mt_ts_in_range (*out) || ts_range (err));
}
