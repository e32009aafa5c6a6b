/* Shared by the files of dates, times and intervals. */
#ifndef MT_DATETIME_INT_H
#define MT_DATETIME_INT_H

#include "types/datetime.h"

#include <ctype.h>
#include <string.h>

/* A local time in parts. */
typedef struct MtTm {
   int64_t year;
   int month, day, hour, minute, second, ms;
} MtTm;

MtTm mt_tm_open (int64_t local_ms);
int64_t mt_tm_close (MtTm tm);

typedef struct MtUnitName {
   const char *name;
   MtTimeUnit unit;
   bool part_only; /* known to extract only */
} MtUnitName;

const MtUnitName *mt_unit_row (const char *p, size_t n); /* NULL: unknown */
/* The years of a unit from a year to a millennium. */
int64_t mt_unit_years (MtTimeUnit unit);
bool mt_unit_unknown (const char *p, size_t n, const char *type,
                      MtError *err); /* sets the error, returns false */
bool mt_unit_unsupported (const char *p, size_t n, const char *type, MtError *err);

bool mt_text_bad (const char *type, const char *p, size_t n, MtError *err); /* 22007 */
bool mt_text_range (const char *p, size_t n, MtError *err);                 /* 22008 */

/* Reads the digits after a point as microseconds, rounded. The result may be 1,000,000. */
int64_t mt_fraction_us (const char *p, size_t n);

#define MT_TS_TYPE "timestamp without time zone"
#define MT_TSTZ_TYPE "timestamp with time zone"

#endif
