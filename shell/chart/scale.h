/* Axes: the range of their values, and ticks with labels.
 *
 * A value is a double: a number, or milliseconds (of a time since 1970 in UTC, or of a
 * duration). */
#ifndef MT_SHELL_CHART_SCALE_H
#define MT_SHELL_CHART_SCALE_H

#include "types/tz.h"

#include <stdbool.h>
#include <stddef.h>

enum { MT_TICKS = 64 };

typedef enum MtAxisKind { MT_AXIS_NUMBER, MT_AXIS_TIME, MT_AXIS_DURATION } MtAxisKind;

typedef struct MtTick {
   double at;
   char label[32];
   /* a second label where it changes: the date for a time of day, the year for a day; "": none */
   char date[24];
   /* the tick is at the beginning of its date: at midnight, or, if `date` is a year, at the year's
    * first day */
   bool begins;
} MtTick;

typedef struct MtScale {
   MtAxisKind kind;
   bool log;
   /* ticks are only at whole numbers */
   bool whole;
   /* the least distance between two ticks of times, in milliseconds */
   double least_ms;
   double lo, hi;
   /* the time zone in which times are shown; NULL: UTC */
   const MtZone *zone;
   MtTick ticks[MT_TICKS];
   size_t n;
} MtScale;

/* Returns the position of a value on the scale, from 0 for lo to 1 for hi. */
double mt_scale_place (const MtScale *s, double v);

/* Returns the position from 0 to 1 at which bars begin: that of value 0, or 0 if the scale is
 * logarithmic. */
double mt_scale_base (const MtScale *s);

/* Fills s->ticks. `coarse` selects the distance between ticks; a larger number is a larger
 * distance. Returns false if there would be more than MT_TICKS ticks. */
bool mt_scale_ticks (MtScale *s, int coarse);
enum { MT_SCALE_STEPS = 40 };

/* Moves lo and hi outward to multiples of a distance between ticks, chosen so that about `count`
 * ticks fit. Scales of times stay as they are. */
void mt_scale_widen (MtScale *s, int count);

/* Writes a value between lo and hi, a number or a duration, as text with about three digits. */
void mt_scale_label (const MtScale *s, double v, char out[32]);

/* Interval widths for times and durations in milliseconds, ended by 0. Each divides the next. The
 * last one divides the range of all durations into some hundred intervals. */
extern const double mt_whole_steps_ms[];

#endif
