/* Units of time, in UTC, and text formats of times. All times are milliseconds since 1970. */
#ifndef MT_UNIT_H
#define MT_UNIT_H

#include "base/str.h"

typedef enum MtUnit {
   MT_UNIT_MS,
   MT_UNIT_SECOND,
   MT_UNIT_MINUTE,
   MT_UNIT_HOUR,
   MT_UNIT_DAY,
   MT_UNIT_WEEK, /* begins on Monday */
   MT_UNIT_MONTH,
   MT_UNIT_YEAR,
   MT_UNIT_EPOCH /* all time since 1970 */
} MtUnit;

/* Returns a unit's length in milliseconds; 0 for month, year and epoch, whose length varies. */
int64_t mt_unit_ms (MtUnit u);
const char *mt_unit_name (MtUnit u);
bool mt_unit_by_name (MtStr name, MtUnit *out);
/* Returns whether each interval of the finer unit lies within one interval of the coarser. */
bool mt_unit_within (MtUnit finer, MtUnit coarser);

/* Returns the start of the unit that contains ms; 0 for MT_UNIT_EPOCH. */
int64_t mt_utc_floor (int64_t ms, MtUnit u);
/* Returns the start of the unit after the one that begins at `start`. */
int64_t mt_utc_next (int64_t start, MtUnit u);
/* Returns the time n units after `start`, which is the start of a longer unit. */
int64_t mt_utc_add (int64_t start, MtUnit u, int64_t n);
/* Returns the number of whole units in ms, rounded down. The unit has a fixed length. */
int64_t mt_unit_div (int64_t ms, MtUnit u);
/* Returns the month of the year, from 0 to 11. */
int64_t mt_utc_month (int64_t ms);
/* Returns the number of whole `unit`s since the start of the `of` that contains ms. */
static inline int64_t mt_utc_part (int64_t ms, MtUnit unit, MtUnit of)
{
   return unit == MT_UNIT_MONTH ? mt_utc_month (ms)
                                : mt_unit_div (ms - mt_utc_floor (ms, of), unit);
}
/* Returns the greatest number of `unit`s that one `of` can have; 0 if there is no bound. */
int64_t mt_part_count (MtUnit unit, MtUnit of);

/* ---- formats of %Y %m %d %H %M %S and literal characters ---- */

/* The first and last time that a format can express: years 0000 to 9999. */
#define MT_FORMAT_MIN_MS INT64_C (-62167219200000)
#define MT_FORMAT_MAX_MS INT64_C (253402300799999)

/* Appends the time's text to `out`. */
void mt_time_format (const char *format, int64_t ms, MtBuf *out);
/* Reads a time's text; false if the text does not have the format. */
bool mt_time_unformat (const char *format, MtStr text, int64_t *ms);
/* Returns the finest unit that the format expresses together with all coarser units.
 * MT_UNIT_EPOCH if a coarser unit is missing. */
MtUnit mt_format_grain (const char *format);

#endif
