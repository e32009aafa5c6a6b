/* Time zones: the system's TZif files (RFC 8536) with their rules for the future, PostgreSQL's
 * abbreviations, fixed offsets.
 *
 * A zone is immutable and lives as long as the process; threads share it. Times are milliseconds:
 * UTC, or local ("as if it were UTC"). Offsets are seconds east of UTC. */
#ifndef MT_TZ_H
#define MT_TZ_H

#include "base/error.h"

#include <stddef.h>

typedef struct MtZone MtZone;

const MtZone *mt_tz_utc (void);

/* A zone by name, as PostgreSQL finds it: an abbreviation of its default list ("EST", "CET"), else
 * an IANA name without regard to case, else a POSIX rule ("EST5EDT", "UTC+3": hours *west*;
 * "+05:30" too). 22023 `time zone "x" not recognized`. */
bool mt_tz_find (const char *name, size_t len, const MtZone **out, MtError *err);

/* A zone as SET TimeZone names it: hours east of UTC ("-7", "5.5"), else as above, but
 * abbreviations aren't known, so that "CET" is the zone with summer time; its name is then ":CET",
 * which finds it again. */
bool mt_tz_find_setting (const char *name, const MtZone **out, MtError *err);
bool mt_tz_find_offset (int32_t seconds_east, const MtZone **out,
                        MtError *err); /* named "<+05:30>-05:30" */

/* A zone as MongoDB's operators name it: an IANA name, "UTC", "GMT", or an offset "+hh", "+hhmm",
 * "+hh:mm" *east* of UTC. */
bool mt_tz_find_mongo (const char *name, size_t len, const MtZone **out, MtError *err);

/* The zone of a fixed offset, named "+05:30". */
const MtZone *mt_tz_fixed (int32_t seconds_east);

/* The name as the files spell it ("Asia/Kolkata"), or the POSIX rule. */
const char *mt_tz_name (const MtZone *z);
bool mt_tz_is_fixed (const MtZone *z); /* one offset for all times */

int32_t mt_tz_offset (const MtZone *z, int64_t utc_ms);

/* The same with the abbreviation in force ("EST"; borrowed from the zone) and whether it is
 * daylight-saving time. */
int32_t mt_tz_offset_info (const MtZone *z, int64_t utc_ms, const char **abbrev, bool *is_dst);

/* The span [*from, *to) of UTC times around utc_ms with one offset: what a loop over times keeps to
 * itself. */
int32_t mt_tz_span (const MtZone *z, int64_t utc_ms, int64_t *from, int64_t *to);

/* Calls visit with the name of each of the system's files, some of which may be of no zone, until
 * it says false. */
typedef bool (*MtTzVisit) (void *ctx, const char *name);
void mt_tz_each (MtTzVisit visit, void *ctx);

static inline int64_t mt_tz_to_local (const MtZone *z, int64_t utc_ms)
{
   return utc_ms + (int64_t) mt_tz_offset (z, utc_ms) * 1000;
}

/* Local time to UTC as PostgreSQL does it: in a gap (spring) by the offset before it, in an overlap
 * (autumn) by the offset after it, i.e. the second of the two. */
int64_t mt_tz_to_utc (const MtZone *z, int64_t local_ms);

/* The first instant after utc_ms at which the offset changes; false when there is none. */
bool mt_tz_next_transition (const MtZone *z, int64_t utc_ms, int64_t *next);

#endif
