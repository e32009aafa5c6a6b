/* Private to types: the data of a zone, for tz.c (look-up), tz_file.c (TZif files) and tz_rule.c
 * (POSIX rules). */
#ifndef MT_TZ_INT_H
#define MT_TZ_INT_H

#include "types/tz.h"

#include <stdint.h>

#define MT_TZ_NAME_BYTES 64
#define MT_TZ_MAX_TYPES 260   /* 256 types from a file, and further ones from its rule */
#define MT_TZ_CYCLE_YEARS 400 /* the calendar with its weekdays repeats after 400 years */
#define MT_TZ_CYCLE_S INT64_C (12622780800)

typedef struct MtTzType {
   int32_t offset; /* seconds east of UTC */
   bool is_dst;
   const char *abbrev;
} MtTzType;

struct MtZone {
   char name[MT_TZ_NAME_BYTES];
   size_t count;  /* the number of transitions (changes of offset) */
   int64_t *at;   /* the times of the transitions, in UTC seconds, ascending */
   uint8_t *type; /* type[i]: the index in `types` of the type in force from at[i] on */
   MtTzType types[MT_TZ_MAX_TYPES];
   size_t type_count;
   size_t before;       /* the index in `types` of the type in force before at[0] */
   bool cyclic;         /* the last MT_TZ_CYCLE_YEARS years repeat for ever */
   char *abbrevs;       /* the memory of types[].abbrev */
   struct MtZone *next; /* the next zone in the cache */
};

/* The day and time of day at which summer time begins or ends each year. */
typedef struct MtTzSwitch {
   /* how the day is given: 'M' month, week, weekday; 'J' day 1-365 without Feb 29; 'N' day 0-365 */
   char kind;
   int month, week, day;
   int32_t seconds; /* local time of the day; may be negative or beyond a day */
} MtTzSwitch;

typedef struct MtTzRule {
   char std[16], dst[16]; /* the abbreviations; dst "": no summer time */
   int32_t std_offset, dst_offset;
   MtTzSwitch start, end;
} MtTzRule;

bool mt_tz_parse_rule (const char *s, MtTzRule *rule);

/* Adds the two types of a POSIX rule to z, and the rule's transitions for 400 years from
 * `first_year` on, but only those after the time `after` (in seconds). The zone's arrays must be
 * from malloc, or NULL. Returns false if z has too many types. */
bool mt_tz_add_rule (MtZone *z, const MtTzRule *rule, int64_t after, int64_t first_year);

/* Reads a TZif file into a new zone; NULL: the file is not valid. */
MtZone *mt_tz_read_file (const char *path);

/* Allocates or enlarges (old not NULL) memory that is never freed. Aborts if memory is
 * exhausted. */
void *mt_tz_memory (void *old, size_t size);

#define MT_ZONES_DIR "/usr/share/zoneinfo"

#endif
