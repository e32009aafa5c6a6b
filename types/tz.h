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

/* Finds a zone by its name, as PostgreSQL does: an abbreviation of its default list ("EST", "CET"),
 * else an IANA name without regard to case, else a POSIX rule ("EST5EDT", "UTC+3": hours *west*;
 * "+05:30" too). Fails with 22023 if no zone has the name. */
bool mt_tz_find (const char *name, size_t len, const MtZone **out, MtError *err);

/* Finds a zone by the value of SET TimeZone: hours east of UTC ("-7", "5.5"), else a name as in
 * mt_tz_find, but not an abbreviation. "CET" therefore finds the zone with summer time, whose name
 * is then ":CET". */
bool mt_tz_find_setting (const char *name, const MtZone **out, MtError *err);
/* Finds the zone of a fixed offset, with a name in POSIX form such as "<+05:30>-05:30". */
bool mt_tz_find_offset (int32_t seconds_east, const MtZone **out, MtError *err);

/* Finds a zone by its name in MongoDB's operators: an IANA name, "UTC", "GMT", or an offset "+hh",
 * "+hhmm", "+hh:mm" *east* of UTC. */
bool mt_tz_find_mongo (const char *name, size_t len, const MtZone **out, MtError *err);

/* Returns the zone of a fixed offset, with a name such as "+05:30". */
const MtZone *mt_tz_fixed (int32_t seconds_east);

/* Returns the name of a zone as the system's files spell it ("Asia/Kolkata"), or its POSIX rule. */
const char *mt_tz_name (const MtZone *z);
bool mt_tz_is_fixed (const MtZone *z); /* true: the zone has one offset for all times */

int32_t mt_tz_offset (const MtZone *z, int64_t utc_ms);

/* Like mt_tz_offset. *abbrev is the abbreviation ("EST", borrowed from the zone); *is_dst:
 * daylight-saving time is in force. */
int32_t mt_tz_offset_info (const MtZone *z, int64_t utc_ms, const char **abbrev, bool *is_dst);

/* Returns the offset at utc_ms, and the span [*from, *to) of UTC times that have this offset. A
 * loop over times needs a new call only outside the span. */
int32_t mt_tz_span (const MtZone *z, int64_t utc_ms, int64_t *from, int64_t *to);

/* A function that mt_tz_each calls with the name of each of the system's time zone files, until the
 * function returns false. Some files may not be zones. */
typedef bool (*MtTzVisit) (void *ctx, const char *name);
void mt_tz_each (MtTzVisit visit, void *ctx);

static inline int64_t mt_tz_to_local (const MtZone *z, int64_t utc_ms)
{
   return utc_ms + (int64_t) mt_tz_offset (z, utc_ms) * 1000;
}

/* Converts local time to UTC as PostgreSQL does. A time in a gap (spring) uses the offset before
 * the gap. A time that occurs twice (autumn) means the second one. */
int64_t mt_tz_to_utc (const MtZone *z, int64_t local_ms);

/* Finds the first time after utc_ms at which the offset changes. Returns false if no change
 * follows. */
bool mt_tz_next_transition (const MtZone *z, int64_t utc_ms, int64_t *next);

#endif
