/* Axes: the range of their values, and ticks with labels.
 *
 * A value is a double: a number, or milliseconds (of a time since 1970 UTC, or of a duration). */
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
   /* the date of a time of day, or the year of a day, where it changes; "": none */
   char date[24];
   /* the tick begins its date; the first tick of an axis may lie within its date */
   bool begins;
} MtTick;

typedef struct MtScale {
   MtAxisKind kind;
   bool log;
   /* ticks are whole numbers */
   bool whole;
   /* the least step between times, in milliseconds */
   double least_ms;
   double lo, hi;
   /* the zone of times; NULL: UTC */
   const MtZone *zone;
   MtTick ticks[MT_TICKS];
   size_t n;
} MtScale;

/* Returns where a value is between lo (0) and hi (1). */
double mt_scale_place (const MtScale *s, double v);

/* Returns the place at which bars begin: that of 0, or of the lowest value if the scale is
 * logarithmic. */
double mt_scale_base (const MtScale *s);

/* Computes the ticks of the step number `coarse`; a larger number is a larger step. Returns false
 * if there would be more than MT_TICKS ticks. */
bool mt_scale_ticks (MtScale *s, int coarse);
enum { MT_SCALE_STEPS = 40 };

/* Moves lo and hi outward to multiples of a step, so that about `count` ticks fit. Times are left
 * as they are. */
void mt_scale_widen (MtScale *s, int count);

/* Writes a number or a duration that lies between lo and hi, with about three digits. */
void mt_scale_label (const MtScale *s, double v, char out[32]);

/* The steps of times and durations in milliseconds, ended by 0. Each divides the next one. The
 * last one cuts the range of all durations into some hundred intervals. */
extern const double mt_whole_steps_ms[];

#endif
