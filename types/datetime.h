/* Dates, times and intervals: reads, computes and prints them as PostgreSQL 15 does (DateStyle ISO,
 * MDY; IntervalStyle postgres).
 *
 * A timestamp is a number of milliseconds since 1970-01-01, as in BSON: in UTC (timestamptz), or in
 * local time (timestamp). Fractions of a millisecond are rounded down, also before 1970. Times of
 * day and intervals have microseconds. Constants in a statement are moments (MtMoment), which have
 * microseconds, too. The range is PostgreSQL's, 4714-11-24 BC to 294276-12-31 AD. Errors have
 * PostgreSQL's messages: 22007 (not a date), 22008 (out of range), 22023 (unknown unit or zone). */
#ifndef MT_DATETIME_H
#define MT_DATETIME_H

#include "types/numeric.h"
#include "types/type.h"
#include "types/tz.h"

#define MT_TS_INFINITY INT64_MAX /* 'infinity' of timestamps */
#define MT_TS_MINUS_INFINITY INT64_MIN
#define MT_TS_FIRST INT64_C (-210866803200000) /* the first timestamp: 4714-11-24 BC */
#define MT_TS_END INT64_C (9224318016000000)   /* the first time after the range: 294277-01-01 */
#define MT_DATE_FIRST (-2440588)               /* the first date, in days: 4714-11-24 BC */
#define MT_DATE_END 2145042906                 /* the first day after the range: 5874898-01-01 */
#define MT_DATE_INFINITY INT32_MAX
#define MT_DATE_MINUS_INFINITY INT32_MIN
#define MT_DAY_MS INT64_C (86400000)
#define MT_DAY_US INT64_C (86400000000)

/* Returns whether a finite timestamp in ms is in PostgreSQL's range. mt_date_in_range: the same for
 * a number of days since 1970. */
static inline bool mt_ts_in_range (int64_t ms) { return ms >= MT_TS_FIRST && ms < MT_TS_END; }
static inline bool mt_date_in_range (int64_t days)
{
   return days >= MT_DATE_FIRST && days < MT_DATE_END;
}
static inline bool mt_ts_is_finite (int64_t ms)
{
   return ms != MT_TS_INFINITY && ms != MT_TS_MINUS_INFINITY;
}

/* A timestamp with microseconds: `ms` milliseconds since 1970-01-01, and `us` microseconds (0 to
 * 999). */
typedef struct MtMoment {
   int64_t ms;
   int us;
} MtMoment;

static inline MtMoment mt_moment (int64_t ms) { return (MtMoment) {ms, 0}; }
static inline int mt_moment_compare (MtMoment a, MtMoment b)
{
   return a.ms != b.ms ? (a.ms > b.ms) - (a.ms < b.ms) : (a.us > b.us) - (a.us < b.us);
}
/* Returns the moment `us` microseconds after the time ms; if `us` is negative, before it. */
MtMoment mt_moment_after (int64_t ms, int64_t us);

typedef struct MtInterval {
   int32_t months;
   int32_t days;
   int64_t us;
} MtInterval;

/* The settings of the session that change how a timestamp is read. */
typedef struct MtTimeEnv {
   const MtZone *zone; /* the session's time zone; NULL: UTC */
   int64_t now_ms;     /* the statement's time, for 'now', 'today', … */
   MtDateOrder order;
} MtTimeEnv;

/* ---- the calendar (proleptic Gregorian; years are astronomical: 0 is 1 BC) ---- */

int64_t mt_days_from_civil (int64_t year, int month, int day); /* returns days since 1970-01-01 */
void mt_civil_from_days (int64_t days, int64_t *year, int *month, int *day);
int mt_days_in_month (int64_t year, int month);
int mt_iso_dow (int64_t days); /* returns 1 for Monday … 7 for Sunday */
void mt_iso_week (int64_t days, int64_t *iso_year, int *week);
static inline int64_t mt_floor_div (int64_t a, int64_t b)
{
   return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Round to a multiple of step_us. mt_round_us rounds halves away from zero, mt_moment_round away
 * from 2000-01-01, as in PostgreSQL. If the result would be out of range, it is truncated
 * instead. */
int64_t mt_round_us (int64_t us, int64_t step_us);
MtMoment mt_moment_round (MtMoment t, int64_t step_us); /* t must be finite */

/* ---- text ---- */

bool mt_moment_in (const char *p, size_t n, const MtTimeEnv *env, bool with_zone, MtMoment *out,
                   MtError *err);
bool mt_timestamptz_in (const char *p, size_t n, const MtTimeEnv *env, int64_t *ms, MtError *err);
bool mt_timestamp_in (const char *p, size_t n, const MtTimeEnv *env, int64_t *ms, MtError *err);
bool mt_date_in (const char *p, size_t n, const MtTimeEnv *env, int32_t *days, MtError *err);
bool mt_time_in (const char *p, size_t n, const MtTimeEnv *env, int64_t *us, MtError *err);
bool mt_interval_in (const char *p, size_t n, MtInterval *out, MtError *err);

/* Prints a timestamp with time zone in the local time of `zone`, such as 2020-01-01 00:00:00+00. */
void mt_timestamptz_out (int64_t ms, const MtZone *zone, MtBuf *out);
void mt_timestamp_out (int64_t ms, MtBuf *out);
/* Prints a moment in the local time of `zone`; NULL: as a timestamp without time zone. */
void mt_moment_out (MtMoment t, const MtZone *zone, MtBuf *out);
void mt_date_out (int32_t days, MtBuf *out);
void mt_time_out (int64_t us, MtBuf *out);
void mt_interval_out (MtInterval iv, MtBuf *out); /* prints 1 year 2 mons 3 days 04:05:06.789 */

/* ---- conversions ---- */

/* Compute `timestamp AT TIME ZONE zone` and `timestamptz AT TIME ZONE zone`. */
bool mt_timestamp_at_zone (int64_t local_ms, const MtZone *zone, int64_t *utc_ms, MtError *err);
bool mt_timestamptz_at_zone (int64_t utc_ms, const MtZone *zone, int64_t *local_ms, MtError *err);
bool mt_timestamp_to_date (int64_t local_ms, int32_t *days, MtError *err);
bool mt_date_to_timestamp (int32_t days, int64_t *local_ms, MtError *err);
int64_t mt_timestamp_to_time (int64_t local_ms); /* returns microseconds since midnight */

/* ---- units ---- */

/* The units of date_trunc and extract. (Units of layouts are MtUnit in layouts/table.h.) */
typedef enum MtTimeUnit {
   MT_U_MICROSECOND,
   MT_U_MILLISECOND,
   MT_U_SECOND,
   MT_U_MINUTE,
   MT_U_HOUR,
   MT_U_DAY,
   MT_U_WEEK,
   MT_U_MONTH,
   MT_U_QUARTER,
   MT_U_YEAR,
   MT_U_DECADE,
   MT_U_CENTURY,
   MT_U_MILLENNIUM,
   MT_U_DOW,
   MT_U_ISODOW,
   MT_U_DOY,
   MT_U_ISOYEAR,
   MT_U_EPOCH,
   MT_U_JULIAN,
   MT_U_TIMEZONE,
   MT_U_TIMEZONE_HOUR,
   MT_U_TIMEZONE_MINUTE
} MtTimeUnit;

/* Like mt_interval_in, but a last number without a unit has the unit `unit` instead of seconds, as
 * in INTERVAL '1 2' DAY TO HOUR. minutes_first: '1:30' means minutes and seconds (90 seconds), as
 * with MINUTE TO SECOND. */
bool mt_interval_in_unit (const char *p, size_t n, MtTimeUnit unit, bool minutes_first,
                          MtInterval *out, MtError *err);

/* Finds a unit by one of PostgreSQL's names or abbreviations ("day", "days", "d", "dow" …), in
 * upper or lower case. Returns false if there is no such unit. */
bool mt_unit_find (const char *p, size_t n, MtTimeUnit *out);

/* Computes date_trunc (unit, t [, zone]). zone NULL: t is a timestamp without time zone. */
bool mt_date_trunc (const char *unit, size_t unit_len, MtMoment t, const MtZone *zone,
                    MtMoment *out, MtError *err);
bool mt_interval_trunc (const char *unit, size_t unit_len, MtInterval iv, MtInterval *out,
                        MtError *err);
/* Like mt_date_trunc, but for a time in ms, with a unit from mt_unit_find. */
bool mt_trunc_by (MtTimeUnit unit, int64_t ms, const MtZone *zone, int64_t *out, MtError *err);

/* Computes extract (unit FROM t) as a numeric with the number of decimals that PostgreSQL gives.
 * *is_null is set for parts that an infinite time lacks. (The SQL function date_part converts the
 * result to double.) */
bool mt_extract (MtStr unit, MtMoment t, const MtZone *zone, MtNum *out, bool *is_null,
                 MtError *err);
bool mt_extract_date (const char *unit, size_t unit_len, int32_t days, MtNum *out, bool *is_null,
                      MtError *err);
bool mt_extract_time (const char *unit, size_t unit_len, int64_t us, MtNum *out, MtError *err);
bool mt_extract_interval (const char *unit, size_t unit_len, MtInterval iv, MtNum *out,
                          MtError *err);

/* ---- arithmetic ---- */

/* Adds an interval to a time. zone NULL: ms is a timestamp without time zone, otherwise days and
 * months are added in the zone's local time. */
bool mt_ts_add_interval (int64_t ms, MtInterval iv, const MtZone *zone, int64_t *out, MtError *err);
bool mt_moment_add (MtMoment t, MtInterval iv, const MtZone *zone, MtMoment *out, MtError *err);
/* Computes a - b as an interval with days and time, but without months. */
bool mt_ts_sub (MtMoment a, MtMoment b, MtInterval *out, MtError *err);
bool mt_age (MtMoment a, MtMoment b, const MtZone *zone, MtInterval *out, MtError *err);
/* Adds an interval to a time of day `us`. The result wraps around at midnight. */
bool mt_time_add_interval (int64_t us, MtInterval iv, int64_t *out);

bool mt_interval_add (MtInterval a, MtInterval b, MtInterval *out, MtError *err);
bool mt_interval_sub (MtInterval a, MtInterval b, MtInterval *out, MtError *err);
bool mt_interval_neg (MtInterval a, MtInterval *out, MtError *err);
bool mt_interval_mul (MtInterval a, double factor, MtInterval *out, MtError *err);
bool mt_interval_div (MtInterval a, double factor, MtInterval *out, MtError *err);
/* Compares two intervals by length: a month has 30 days, a day 24 hours. Returns a number below,
 * equal to or above 0. */
int mt_interval_compare (MtInterval a, MtInterval b);
bool mt_justify_hours (MtInterval a, MtInterval *out, MtError *err);
bool mt_justify_days (MtInterval a, MtInterval *out, MtError *err);
bool mt_justify_interval (MtInterval a, MtInterval *out, MtError *err);

#endif
