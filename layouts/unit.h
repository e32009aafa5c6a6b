/* Units of time, in UTC, and text formats of times. All times are milliseconds since 1970. */
#ifndef MT_UNIT_H
#define MT_UNIT_H

#include "base/str.h"

/* In the order of their lengths. Between a second and a day are also the multiples of a second that
 * divide a day: 2 seconds, 3 seconds … 12 hours. They have no constants (mt_unit_of_ms). */
typedef enum MtUnit {
   MT_UNIT_MS,
   MT_UNIT_SECOND,
   MT_UNIT_MINUTE = MT_UNIT_SECOND + 25,
   MT_UNIT_HOUR = MT_UNIT_SECOND + 81,
   MT_UNIT_DAY = MT_UNIT_SECOND + 95,
   MT_UNIT_WEEK, /* begins on Monday */
   MT_UNIT_MONTH,
   MT_UNIT_YEAR,
   MT_UNIT_EPOCH /* all time since 1970 */
} MtUnit;

/* Returns a unit's length in milliseconds; 0 for month, year and epoch, whose length varies. */
int64_t mt_unit_ms (MtUnit u);
const char *mt_unit_name (MtUnit u);
bool mt_unit_by_name (MtStr name, MtUnit *out);
/* Finds the unit with this length. */
bool mt_unit_of_ms (int64_t ms, MtUnit *out);
/* Returns whether u is a multiple such as 5 minutes, which begins at midnight and whose name begins
 * with a number. */
bool mt_unit_is_multiple (MtUnit u);
/* Returns the article of a unit's name in messages: "the ", but "" for a multiple. */
const char *mt_unit_article (MtUnit u);
/* Returns whether each interval of the finer unit lies within one interval of the coarser unit. A
 * week does not lie within a month. */
bool mt_unit_within (MtUnit finer, MtUnit coarser);

/* Returns the start of the unit (such as the day) that contains the time ms; 0 for
 * MT_UNIT_EPOCH. */
int64_t mt_utc_floor (int64_t ms, MtUnit u);
/* Returns the start of the unit after the one that begins at `start`. */
int64_t mt_utc_next (int64_t start, MtUnit u);
/* Returns the time n units after `start`, which is the start of a longer unit. */
int64_t mt_utc_add (int64_t start, MtUnit u, int64_t n);
/* Returns the number of whole units from 1970 to the time ms, rounded down. The unit has a fixed
 * length. */
int64_t mt_unit_div (int64_t ms, MtUnit u);
/* Returns the month of the year of the time ms, from 0 to 11. */
int64_t mt_utc_month (int64_t ms);
/* Returns a part of the time ms: the number of whole `unit`s since the start of the `of`. For
 * example, the hour of the day. */
static inline int64_t mt_utc_part (int64_t ms, MtUnit unit, MtUnit of)
{
   return unit == MT_UNIT_MONTH ? mt_utc_month (ms)
                                : mt_unit_div (ms - mt_utc_floor (ms, of), unit);
}
/* Returns the greatest number of `unit`s in one `of`, such as 24 hours in a day; 0 if there is no
 * limit. */
int64_t mt_part_count (MtUnit unit, MtUnit of);

/* Returns how many of a unit are a second, so that all numbers from low to high are times from 1985
 * to 2096 in this unit: s, ms, us or ns. 0: there is none. */
int64_t mt_epoch_guess (double low, double high);

/* ---- formats of %Y %m %d %H %M %S %L and literal characters ---- */

/* The first and last time that a format can express: years 0000 to 9999. */
#define MT_FORMAT_MIN_MS INT64_C (-62167219200000)
#define MT_FORMAT_MAX_MS INT64_C (253402300799999)

/* Returns the number of digits that a format's letter stands for; 0: it is no such letter. */
int mt_format_digits (char specifier);
/* Returns the number of bytes of each time in a format. */
size_t mt_format_width (const char *format);
/* Appends the time ms as text in the given format to `out`. */
void mt_time_format (const char *format, int64_t ms, MtBuf *out);
/* Reads text in the given format as a time. False if the text does not have the format. */
bool mt_time_unformat (const char *format, MtStr text, int64_t *ms);
/* Returns the format of a time in a form of ISO 8601, in UTC or without a zone; NULL: the text is no
 * such time. The result is static: texts of one form give the same pointer. */
const char *mt_format_of (MtStr text);
/* Returns the finest unit of time in a format. MT_UNIT_EPOCH if a coarser unit is missing, so that
 * the text is no single time. */
MtUnit mt_format_grain (const char *format);

#endif
