/* Units of time, in UTC, and text formats of times. All times are milliseconds since 1970. */
#ifndef MT_UNIT_H
#define MT_UNIT_H

#include "base/str.h"

/* Units of time, from short to long. Between MT_UNIT_SECOND and MT_UNIT_DAY are also the multiples
 * of a second that divide a day: 2 seconds, 3 seconds … 12 hours. They have no constants; see
 * mt_unit_of_ms. */
typedef enum MtUnit {
   MT_UNIT_MS,
   MT_UNIT_SECOND,
   MT_UNIT_MINUTE = MT_UNIT_SECOND + 25,
   MT_UNIT_HOUR = MT_UNIT_SECOND + 81,
   MT_UNIT_DAY = MT_UNIT_SECOND + 95,
   MT_UNIT_WEEK, /* begins on Monday */
   MT_UNIT_MONTH,
   MT_UNIT_YEAR,
   MT_UNIT_EPOCH /* no unit: all time since 1970 is one interval */
} MtUnit;

/* Returns a unit's length in milliseconds; 0 for month, year and epoch, whose length varies. */
int64_t mt_unit_ms (MtUnit u);
const char *mt_unit_name (MtUnit u);
bool mt_unit_by_name (MtStr name, MtUnit *out);
/* Sets *out to the unit that is ms milliseconds long; false if there is none. */
bool mt_unit_of_ms (int64_t ms, MtUnit *out);
/* Returns whether u is a multiple of a simple unit, such as 5 minutes. Its intervals are counted
 * from midnight, and its name begins with a number. */
bool mt_unit_is_multiple (MtUnit u);
/* Returns the article before a unit's name in messages: "the ", but "" for a multiple such as "5
 * minutes". */
const char *mt_unit_article (MtUnit u);
/* Returns whether each interval of `finer` is in one interval of `coarser`. A week may be in two
 * months, so it is not within a month. */
bool mt_unit_within (MtUnit finer, MtUnit coarser);

/* Returns the start of the unit (such as the day) that contains time ms; 0 for MT_UNIT_EPOCH. */
int64_t mt_utc_floor (int64_t ms, MtUnit u);
/* Returns the start of the next unit after the one that begins at `start`. */
int64_t mt_utc_next (int64_t start, MtUnit u);
/* Returns the time that is n units after `start`, which is the start of a longer unit. */
int64_t mt_utc_add (int64_t start, MtUnit u, int64_t n);
/* Returns the number of whole units from 1970 to time ms, rounded down. u must have a fixed
 * length. */
int64_t mt_unit_div (int64_t ms, MtUnit u);
/* Returns the month of the year of the time ms, from 0 to 11. */
int64_t mt_utc_month (int64_t ms);
/* Returns a part of the time ms: the number of whole `unit`s since the start of the enclosing unit
 * `of`, such as the hour of the day. */
static inline int64_t mt_utc_part (int64_t ms, MtUnit unit, MtUnit of)
{
   return unit == MT_UNIT_MONTH ? mt_utc_month (ms)
                                : mt_unit_div (ms - mt_utc_floor (ms, of), unit);
}
/* Returns the greatest number of `unit`s in one `of`, such as 24 hours in a day; 0 if `of` has no
 * end. */
int64_t mt_part_count (MtUnit unit, MtUnit of);

/* Guesses the unit of numbers that range from low to high. Returns how many such units are in a
 * second (1, 1000, …), so that all numbers are times from 1985 to 2096. 0: no unit fits. */
int64_t mt_epoch_guess (double low, double high);

/* ---- formats of %Y %m %d %H %M %S %L and literal characters ---- */

/* The earliest and latest time that a format can represent: years 0000 to 9999. */
#define MT_FORMAT_MIN_MS INT64_C (-62167219200000)
#define MT_FORMAT_MAX_MS INT64_C (253402300799999)

/* Returns the number of digits for a format's letter (such as 4 for 'Y'); 0: it is no such
 * letter. */
int mt_format_digits (char specifier);
/* Returns the number of bytes of a time in a format; all times have the same. */
size_t mt_format_width (const char *format);
/* Appends the time ms as text in the given format to `out`. */
void mt_time_format (const char *format, int64_t ms, MtBuf *out);
/* Reads text in the given format as a time. False if the text does not have the format. */
bool mt_time_unformat (const char *format, MtStr text, int64_t *ms);
/* Returns the format of a text that is a time by ISO 8601, in UTC or without a time zone; NULL: it
 * is not. The result is static: two texts of the same format give the same pointer. */
const char *mt_format_of (MtStr text);
/* Returns the smallest unit of time in a format. MT_UNIT_EPOCH if a larger unit is missing (such as
 * hours without days), so that a text does not mean one time. */
MtUnit mt_format_grain (const char *format);

#endif
