/* Private to copy: determines which types a text can have. */
#ifndef MT_SNIFF_TYPES_H
#define MT_SNIFF_TYPES_H

#include "copy/sniff_int.h"

/* The types that a text can have, as bits. */
enum {
   MT_SNIFF_BOOL = 1,
   MT_SNIFF_INT = 2,     /* an integer that fits bigint */
   MT_SNIFF_FLOAT = 4,   /* a number that a double represents with all its digits */
   MT_SNIFF_NUMERIC = 8, /* a number with at most 34 digits */
   MT_SNIFF_COMMA = 16,  /* a number with a decimal comma, or an integer */
   MT_SNIFF_YMD = 32,    /* 2026-01-31 or 2026/01/31, perhaps with a time */
   MT_SNIFF_DMY = 64,    /* 31.01.2026 or 31/01/2026, perhaps with a time */
   MT_SNIFF_MDY = 128,   /* 01/31/2026, perhaps with a time */
   MT_SNIFF_WORDS = 256, /* 31 Jan 2026, perhaps with a time; still to be parsed */
   MT_SNIFF_CLOCK = 512, /* a time of day */
   MT_SNIFF_UUID = 1024
};
#define MT_SNIFF_TIMES (MT_SNIFF_YMD | MT_SNIFF_DMY | MT_SNIFF_MDY | MT_SNIFF_WORDS)

/* Whether a date has a time of day, and a time zone. */
typedef struct MtSniffTime {
   bool timed, zoned;
} MtSniffTime;

/* Returns the types that text s can have, as bits. 0: only text. decimal: if it is ',' or 0,
 * numbers may have a decimal comma. *t: whether a date has a time and a zone. */
unsigned mt_sniff_kinds (MtStr s, char decimal, MtSniffTime *t);
/* Converts a text to an integer. Returns false if it is none, or does not fit bigint. */
bool mt_sniff_int (MtStr s, int64_t *out);

#endif
