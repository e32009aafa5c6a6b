/* TimescaleDB's time_bucket, and date_bin. Buckets of a fixed width are counted from Monday
 * 2000-01-03, buckets of months from 2000-01-01. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/bucket.h"

/* MT_USER (ev) of time_bucket: which arguments follow width and time; plus DATES if the times are
 * dates. Without a zone argument buckets are in UTC: time_bucket ignores the session's zone. */
enum { PLAIN, ORIGIN, OFFSET, ZONE, ZONE_ORIGIN_OFFSET, DATES = 8 };

/* Checks that the width and the offset of buckets of dates are whole days (or months). */
static bool of_dates (const MtBuckets *b, int form, MtError *err)
{
   if (form == OFFSET && b->offset.months)
      return mt_error (err, MT_E_FEATURE,
                       "interval defined in terms of month, year, century etc. not supported");
   return (b->width.months || mt_bucket_of_dates (b->width, err)) &&
          (form != OFFSET || mt_bucket_of_dates (b->offset, err));
}

static bool fn_bucket (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuckets b = {.width = mt_v_to_interval (a[0])};
   int form = MT_USER (ev) & ~DATES;
   int64_t ms;
   if (form >= ZONE && !mt_zone_arg (ev, a[2], &b.zone))
      return false;
   if (form == ORIGIN || (form == ZONE_ORIGIN_OFFSET && !mt_is_nullish (a[3]))) {
      b.origin = a[form == ORIGIN ? 2 : 3].i;
      b.has_origin = true;
   }
   if (form == OFFSET || (form == ZONE_ORIGIN_OFFSET && !mt_is_nullish (a[4])))
      b.offset = mt_v_to_interval (a[form == OFFSET ? 2 : 4]);
   if (((MT_USER (ev) & DATES) && !of_dates (&b, form, ev->err)) ||
       !mt_bucket_start (&b, a[1].i, &ms, ev->err))
      return false;
   *out = mt_v_date (ms);
   return true;
}

/* Computes time_bucket of integers. Arguments: width, value [, offset]. MT_USER (ev) is the size of
 * the integers in bits. An overflow in any step is an error. */
static bool fn_bucket_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int bits = MT_USER (ev);
   int64_t least = INT64_MIN >> (64 - bits), most = ~least, width = a[0].i, off = 0;
   if (width <= 0)
      return mt_error (ev->err, MT_E_PARAMETER, "period must be greater than 0");
   if (n > 2)
      off = a[2].i % width;
   MtInt128 from = (MtInt128) a[1].i - off, start = from - from % width;
   start -= from % width < 0 ? width : 0;
   if (from < least || from > most || start < least || start + off < least || start + off > most)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "%s", "timestamp out of range");
   *out = bits == 64 ? mt_v_int64 ((int64_t) (start + off)) : mt_v_int32 ((int32_t) (start + off));
   return true;
}

static bool fn_date_bin (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t ms;
   if (!mt_date_bin (mt_v_to_interval (a[0]), a[1].i, a[2].i, &ms, ev->err))
      return false;
   *out = mt_v_date (ms);
   return true;
}

#define B(sig, form, what, ex) \
   MT_ROW_STEP ("time_bucket", sig, MT_NN, NULL, MT_OPN ("bucket_" #form, bucket, form), \
                MT_STEP_BUCKET, what, ex)
#define D(sig, form, what, ex) \
   MT_ROW_STEP ("time_bucket", sig, MT_NN, NULL, \
                MT_OPN ("bucket_dates_" #form, bucket, form | DATES), MT_STEP_BUCKET, what, ex)

/* Computes the time_bucket with five arguments. Only the last two, origin and offset, may be
 * NULL. */
static bool fn_bucket_null (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]) || mt_is_nullish (a[1]) || mt_is_nullish (a[2]))
      return true;
   return fn_bucket (ev, a, n, out);
}

const MtFunc mt_fn_bucket[] = {
   B ("bucket_width interval, ts timestamptz -> timestamptz", PLAIN, "start of the bucket",
      "SELECT time_bucket('5 minutes', timestamptz '2020-01-01 00:07+00') => 2020-01-01 "
      "00:05:00+00"),
   B ("bucket_width interval, ts timestamp -> timestamp", PLAIN, "start of the bucket",
      "SELECT time_bucket('7 days', timestamp '2020-01-01') => 2019-12-30 00:00:00"),
   D ("bucket_width interval, ts date -> date", PLAIN, "start of the bucket",
      "SELECT time_bucket('1 month', date '2020-01-15') => 2020-01-01"),
   B ("bucket_width interval, ts timestamptz, origin timestamptz -> timestamptz", ORIGIN,
      "start of the bucket; buckets are counted from origin",
      "SELECT time_bucket('7 days', timestamptz '2020-01-01+00', timestamptz '2020-01-01+00') => "
      "2020-01-01 00:00:00+00"),
   B ("bucket_width interval, ts timestamp, origin timestamp -> timestamp", ORIGIN,
      "start of the bucket; buckets are counted from origin",
      "SELECT time_bucket('7 days', timestamp '2020-01-01', timestamp '2020-01-01') => 2020-01-01 "
      "00:00:00"),
   D ("bucket_width interval, ts date, origin date -> date", ORIGIN,
      "start of the bucket; buckets are counted from origin",
      "SELECT time_bucket('7 days', date '2020-01-05', date '2020-01-01') => 2020-01-01"),
   B ("bucket_width interval, ts timestamptz, offset interval -> timestamptz", OFFSET,
      "start of the bucket; buckets are shifted by offset",
      "SELECT time_bucket('1 day', timestamptz '2020-01-01 01:00+00', interval '2 h') => "
      "2019-12-31 02:00:00+00"),
   B ("bucket_width interval, ts timestamp, offset interval -> timestamp", OFFSET,
      "start of the bucket; buckets are shifted by offset",
      "SELECT time_bucket('1 day', timestamp '2020-01-01 01:00', interval '2 h') => 2019-12-31 "
      "02:00:00"),
   D ("bucket_width interval, ts date, offset interval -> date", OFFSET,
      "start of the bucket; buckets are shifted by offset",
      "SELECT time_bucket('7 days', date '2020-01-05', interval '1 day') => 2019-12-31"),
   B ("bucket_width interval, ts timestamptz, timezone text -> timestamptz", ZONE,
      "start of the bucket in a time zone",
      "SELECT time_bucket('1 day', timestamptz '2020-01-01 23:30+00', 'Europe/Berlin') => "
      "2020-01-01 23:00:00+00"),
   {.name = "time_bucket",
    .signature =
       "bucket_width interval, ts timestamptz, timezone text, origin timestamptz, offset interval "
       "-> timestamptz",
    .flags = MT_F_NOT_STRICT,
    .step = MT_STEP_BUCKET,
    .op = MT_OPN ("bucket_ZONE_ORIGIN_OFFSET", bucket_null, ZONE_ORIGIN_OFFSET),
    .defaults = (const char *const[]) {NULL, NULL, NULL, "NULL", "NULL"},
    .summary =
       "start of the bucket in a time zone; buckets are counted from origin and shifted by offset",
    .example =
       "SELECT time_bucket('1 day', timestamptz '2020-01-01 23:30+00', 'Europe/Berlin', NULL, "
       "NULL) => 2020-01-01 23:00:00+00"},
   MT_ROW ("time_bucket", "bucket_width int2, ts int2, offset int2 -> int2", MT_NN, NULL,
           MT_OPN ("bucket_int2", bucket_int, 16), "start of the bucket of integers",
           "SELECT time_bucket(5::smallint, 13::smallint, 2::smallint) => 12"),
   MT_ROW ("time_bucket", "bucket_width int4, ts int4, offset int4 -> int4", MT_NN, NULL,
           MT_OPN ("bucket_int4", bucket_int, 32), "start of the bucket of integers",
           "SELECT time_bucket(5, 13, 2) => 12"),
   MT_ROW ("time_bucket", "bucket_width int8, ts int8, offset int8 -> int8", MT_NN, NULL,
           MT_OPN ("bucket_int8", bucket_int, 64), "start of the bucket of integers",
           "SELECT time_bucket(5::bigint, 13, 2) => 12"),
   MT_ROW_STEP ("date_bin",
                "stride interval, source timestamptz, origin timestamptz -> timestamptz", MT_NN,
                NULL, MT_OPN ("date_bin", date_bin, 0), MT_STEP_BIN,
                "start of the bin; bins are counted from origin",
                "SELECT date_bin('15 minutes', timestamptz '2020-02-11 15:44:17+00', timestamptz "
                "'2001-01-01+00') => 2020-02-11 15:30:00+00"),
   MT_ROW_STEP (
      "date_bin", "stride interval, source timestamp, origin timestamp -> timestamp", MT_NN, NULL,
      MT_OPN ("date_bin", date_bin, 0), MT_STEP_BIN,
      "start of the bin; bins are counted from origin",
      "SELECT date_bin('15 minutes', timestamp '2020-02-11 15:44:17', timestamp '2001-01-01') => "
      "2020-02-11 15:30:00"),
   {.name = NULL},
};
