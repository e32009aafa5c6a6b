/* Time zones: the system's TZif files (RFC 8536), with their rules for the future; PostgreSQL's
 * abbreviations; and fixed offsets.
 *
 * A zone is immutable and lives as long as the process; threads share it. Times are in
 * milliseconds, in UTC or local (as if local time were UTC). Offsets are in seconds east of UTC. */
#ifndef MT_TZ_H
#define MT_TZ_H

#include "base/error.h"

#include <stddef.h>

typedef struct MtZone MtZone;

const MtZone *mt_tz_utc (void);

/* Finds a zone by its name, as PostgreSQL does: an abbreviation of its default list ("EST", "CET");
 * or an IANA name, in upper or lower case; or a POSIX rule ("EST5EDT", "UTC+3", also "+05:30"),
 * whose hours are *west* of UTC. Fails with 22023 if there is no such zone. */
bool mt_tz_find (const char *name, size_t len, const MtZone **out, MtError *err);

/* Finds a zone by a value of SET TimeZone: hours east of UTC ("-7", "5.5"), or a name as in
 * mt_tz_find, but no abbreviation. So "CET" is the zone with summer time, whose name is then
 * ":CET". */
bool mt_tz_find_setting (const char *name, const MtZone **out, MtError *err);
/* Finds the zone with a fixed offset. Its name has POSIX form, such as "<+05:30>-05:30". */
bool mt_tz_find_offset (int32_t seconds_east, const MtZone **out, MtError *err);

/* Finds a zone by a name as MongoDB's operators allow it: an IANA name, "UTC", "GMT", or an offset
 * "+hh", "+hhmm" or "+hh:mm" *east* of UTC. */
bool mt_tz_find_mongo (const char *name, size_t len, const MtZone **out, MtError *err);

/* Returns the zone with a fixed offset. Its name is such as "+05:30". */
const MtZone *mt_tz_fixed (int32_t seconds_east);

/* Returns the name of a zone as it is spelled in the system's files ("Asia/Kolkata"), or its POSIX
 * rule. */
const char *mt_tz_name (const MtZone *z);
bool mt_tz_is_fixed (const MtZone *z); /* true: the zone has one offset for all times */

int32_t mt_tz_offset (const MtZone *z, int64_t utc_ms);

/* Like mt_tz_offset. *abbrev: the abbreviation in force ("EST"), borrowed from the zone; *is_dst:
 * whether daylight-saving time is in force. */
int32_t mt_tz_offset_info (const MtZone *z, int64_t utc_ms, const char **abbrev, bool *is_dst);

/* Returns the offset at utc_ms, and the span [*from, *to) of UTC times around it with the same
 * offset. A loop over ascending times has to call it again only outside of the span. */
int32_t mt_tz_span (const MtZone *z, int64_t utc_ms, int64_t *from, int64_t *to);

/* A callback for mt_tz_each, which receives the name of each of the system's time zone files. It
 * returns false to stop. Some files may not be zones. */
typedef bool (*MtTzVisit) (void *ctx, const char *name);
void mt_tz_each (MtTzVisit visit, void *ctx);

static inline int64_t mt_tz_to_local (const MtZone *z, int64_t utc_ms)
{
   return utc_ms + (int64_t) mt_tz_offset (z, utc_ms) * 1000;
}

/* Converts local time to UTC as PostgreSQL does. For a time that does not exist (in spring), the
 * offset before the gap is used. Of a time that occurs twice (in autumn), the second one is
 * meant. */
int64_t mt_tz_to_utc (const MtZone *z, int64_t local_ms);

/* Sets *next to the first time after utc_ms at which the offset changes. Returns false if it never
 * changes again. */
bool mt_tz_next_transition (const MtZone *z, int64_t utc_ms, int64_t *next);

#endif
