/* Private to types: shared by the files for dates, times and intervals. */
#ifndef MT_DATETIME_INT_H
#define MT_DATETIME_INT_H

#include "types/datetime.h"

#include <ctype.h>
#include <string.h>

/* A local time, split into its components year, month, day and so on. */
typedef struct MtTm {
   int64_t year;
   int month, day, hour, minute, second, ms;
} MtTm;

MtTm mt_tm_open (int64_t local_ms);
int64_t mt_tm_close (MtTm tm);

typedef struct MtUnitName {
   const char *name;
   MtTimeUnit unit;
   bool part_only; /* extract accepts the unit, but date_trunc does not */
} MtUnitName;

/* Finds a unit of time by its name; NULL: there is no such unit. */
const MtUnitName *mt_unit_row (const char *p, size_t n);
/* Returns how many years a unit has; the unit must be from year to millennium. */
int64_t mt_unit_years (MtTimeUnit unit);

/* Sets the error 22007 that a text is no value of the type. Returns false. */
bool mt_text_bad (const char *type, const char *p, size_t n, MtError *err);
/* Sets the error 22008 that a component in the text is out of range. Returns false. */
bool mt_text_range (const char *p, size_t n, MtError *err);

#define MT_TS_TYPE "timestamp without time zone"
#define MT_TSTZ_TYPE "timestamp with time zone"

#endif
