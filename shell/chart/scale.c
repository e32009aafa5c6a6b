/* Scales with ticks for numbers and durations; those for times are in times.c. */
#include "shell/chart/chart_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double mt_whole_steps_ms[] = {1,       10,      100,     1000,    5000,     15000,
                                    60000,   300000,  900000,  3600000, 10800000, 21600000,
                                    4.32e7,  8.64e7,  8.64e8,  8.64e9,  8.64e10,  8.64e11,
                                    8.64e12, 8.64e13, 8.64e14, 8.64e15, 0};

static double curve (const MtScale *s, double v) { return s->log ? log10 (v) : v; }

double mt_scale_place (const MtScale *s, double v)
{
   double lo = curve (s, s->lo), hi = curve (s, s->hi);
   return hi > lo ? (curve (s, v) - lo) / (hi - lo) : 0.5;
}

double mt_scale_base (const MtScale *s) { return s->log ? 0 : mt_scale_place (s, 0); }

/* ---- steps between ticks ---- */

/* Returns 1, 2 or 5 times a power of ten: the i-th of these numbers in ascending order, counted
 * from 10^exponent. */
static double nice_number (int exponent, int i)
{
   static const double digits[] = {1, 2, 5};
   return digits[i % 3] * pow (10, exponent + i / 3);
}

/* The possible distances between ticks of durations, in milliseconds. */
static const double duration_steps[] = {1,       2,      5,      10,       20,      50,
                                        100,     200,    500,    1000,     2000,    5000,
                                        10000,   15000,  30000,  60000,    120000,  300000,
                                        600000,  900000, 1.8e6,  3.6e6,    7.2e6,   1.08e7,
                                        2.16e7,  4.32e7, 8.64e7, 1.728e8,  4.32e8,  8.64e8,
                                        1.728e9, 4.32e9, 8.64e9, 1.728e10, 4.32e10, 8.64e10};
enum { DURATION_STEPS = sizeof duration_steps / sizeof *duration_steps };

static double step_of (const MtScale *s, int coarse)
{
   double range = s->hi - s->lo;
   int first = 0;
   if (s->kind != MT_AXIS_DURATION) {
      double exponent = floor (log10 (range / MT_TICKS));
      return nice_number ((int) (s->whole ? fmax (exponent, 0) : exponent), coarse);
   }
   while (first < DURATION_STEPS - 1 && duration_steps[first] * MT_TICKS < range)
      first++;
   int i = first + coarse;
   return i < DURATION_STEPS ? duration_steps[i]
                             : nice_number (0, 3 * 11 + i - DURATION_STEPS) * 8.64e-1;
}

/* ---- labels ---- */

static const struct Unit {
   double size;
   const char *name;
} duration_units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}, {1, "ms"}},
  number_units[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};

/* Returns the unit in which the labels of a scale are written, such as "k" or "min". */
static struct Unit unit_of (const MtScale *s, double step)
{
   double most = fmax (fabs (s->lo), fabs (s->hi));
   if (s->kind == MT_AXIS_DURATION) {
      for (size_t i = 0; i < 5; i++)
         if (step >= duration_units[i].size)
            return duration_units[i];
      return duration_units[4];
   }
   for (size_t i = 0; most >= 1e5 && most < 1e18 && i < 6; i++)
      if (most >= number_units[i].size)
         return number_units[i];
   return number_units[5];
}

static void number_label (char out[32], double v, double step, struct Unit unit)
{
   double size = fabs (v / unit.size), least = step / unit.size;
   int decimals = least >= 1 ? 0 : (int) ceil (-log10 (least) - 1e-9);
   const char *space = *unit.name ? " " : "";
   if (v == 0)
      snprintf (out, 32, "0");
   else if (decimals > 6 || size >= 1e15)
      snprintf (out, 32, "%.*g%s%s", 6, v / unit.size, space, unit.name);
   else
      snprintf (out, 32, "%.*f%s%s", decimals, v / unit.size, space, unit.name);
}

void mt_scale_label (const MtScale *s, double v, char out[32])
{
   struct Unit unit = unit_of (s, fmax (fabs (s->lo), fabs (s->hi)));
   double shown = v / unit.size;
   snprintf (out, 32, fabs (shown) >= 100 && fabs (shown) < 1e15 ? "%.0f%s%s" : "%.3g%s%s", shown,
             *unit.name ? " " : "", unit.name);
}

/* ---- ticks ---- */

static bool add (MtScale *s, double at, double step, struct Unit unit)
{
   if (s->n >= MT_TICKS)
      return false;
   MtTick *t = &s->ticks[s->n++];
   *t = (MtTick) {.at = at};
   number_label (t->label, at, step, unit);
   return true;
}

static bool linear_ticks (MtScale *s, int coarse)
{
   double step = step_of (s, coarse), slack = step * 1e-9;
   struct Unit unit = unit_of (s, step);
   bool ok = isfinite (step) && step > 0;
   for (double i = ceil ((s->lo - slack) / step); ok && i * step <= s->hi + slack; i++)
      ok = add (s, i * step, step, unit);
   return ok;
}

/* Makes the ticks of a logarithmic scale at 1, 10, 100 …; with coarse 0 also at 2 and 5 times
 * these. With coarse above 1, only at each `coarse`-th power of ten. Returns false if there are too
 * many. */
static bool log_ticks (MtScale *s, int coarse)
{
   int first = (int) floor (log10 (s->lo)), last = (int) ceil (log10 (s->hi));
   int stride = coarse ? coarse : 1;
   bool ok = true;
   for (int e = first; ok && e <= last; e++) {
      for (int i = 0; ok && i < 3; i++) {
         double at = nice_number (e, i);
         if ((i && coarse) || e % stride != 0 || at < s->lo * (1 - 1e-9) || at > s->hi * (1 + 1e-9))
            continue;
         MtScale one = {.lo = at, .hi = at};
         ok = add (s, at, at, unit_of (&one, at));
      }
   }
   return ok;
}

bool mt_scale_ticks (MtScale *s, int coarse)
{
   s->n = 0;
   if (!(s->hi > s->lo))
      return true;
   if (s->kind == MT_AXIS_TIME)
      return mt_time_ticks (s, coarse);
   return s->log ? log_ticks (s, coarse) : linear_ticks (s, coarse);
}

void mt_scale_widen (MtScale *s, int count)
{
   if (s->kind == MT_AXIS_TIME || !(s->hi > s->lo))
      return;
   if (s->log) {
      s->lo = pow (10, floor (log10 (s->lo) + 1e-9));
      s->hi = pow (10, ceil (log10 (s->hi) - 1e-9));
      return;
   }
   int coarse = 0;
   while (coarse < MT_SCALE_STEPS - 1 && (s->hi - s->lo) / step_of (s, coarse) > count)
      coarse++;
   double step = step_of (s, coarse);
   s->lo = floor (s->lo / step + 1e-9) * step;
   s->hi = ceil (s->hi / step - 1e-9) * step;
}
