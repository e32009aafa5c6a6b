/* Ticks of times: at whole seconds, hours, days and months in a time zone. */
#include "shell/chart/chart_int.h"
#include "types/datetime.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A distance between ticks: `each` units, `ms` milliseconds. Ticks are where the local clock or
 * calendar shows a multiple of it. */
static const struct Step {
   MtTimeUnit unit;
   int each;
   double ms;
} steps[] = {
   {MT_U_MILLISECOND, 1, 1},     {MT_U_MILLISECOND, 2, 2},     {MT_U_MILLISECOND, 5, 5},
   {MT_U_MILLISECOND, 10, 10},   {MT_U_MILLISECOND, 20, 20},   {MT_U_MILLISECOND, 50, 50},
   {MT_U_MILLISECOND, 100, 100}, {MT_U_MILLISECOND, 200, 200}, {MT_U_MILLISECOND, 500, 500},
   {MT_U_SECOND, 1, 1e3},        {MT_U_SECOND, 2, 2e3},        {MT_U_SECOND, 5, 5e3},
   {MT_U_SECOND, 10, 1e4},       {MT_U_SECOND, 15, 15e3},      {MT_U_SECOND, 30, 3e4},
   {MT_U_MINUTE, 1, 6e4},        {MT_U_MINUTE, 2, 12e4},       {MT_U_MINUTE, 5, 3e5},
   {MT_U_MINUTE, 10, 6e5},       {MT_U_MINUTE, 15, 9e5},       {MT_U_MINUTE, 30, 18e5},
   {MT_U_HOUR, 1, 36e5},         {MT_U_HOUR, 2, 72e5},         {MT_U_HOUR, 3, 108e5},
   {MT_U_HOUR, 6, 216e5},        {MT_U_HOUR, 12, 432e5},       {MT_U_DAY, 1, 864e5},
   {MT_U_DAY, 2, 1728e5},        {MT_U_WEEK, 1, 6048e5},       {MT_U_WEEK, 2, 12096e5},
   {MT_U_MONTH, 1, 26784e5},     {MT_U_MONTH, 3, 79488e5},     {MT_U_MONTH, 6, 158976e5},
   {MT_U_YEAR, 1, 31622400e3},   {MT_U_YEAR, 2, 63244800e3},   {MT_U_YEAR, 5, 158e9},
   {MT_U_YEAR, 10, 316e9},       {MT_U_YEAR, 20, 632e9},       {MT_U_YEAR, 50, 158e10},
   {MT_U_YEAR, 100, 316e10},     {MT_U_YEAR, 200, 632e10},     {MT_U_YEAR, 500, 158e11},
   {MT_U_YEAR, 1000, 316e11},    {MT_U_YEAR, 2000, 632e11},    {MT_U_YEAR, 5000, 158e12},
   {MT_U_YEAR, 10000, 316e12},   {MT_U_YEAR, 50000, 158e13},   {MT_U_YEAR, 200000, 632e13},
};
enum { STEPS = sizeof steps / sizeof *steps };

static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static const MtZone *zone_of (const MtScale *s) { return s->zone ? s->zone : mt_tz_utc (); }

/* ---- labels ---- */

static void clock_label (char *out, size_t size, int64_t local_ms, MtTimeUnit unit)
{
   int64_t ms = local_ms - mt_floor_div (local_ms, MT_DAY_MS) * MT_DAY_MS;
   int h = (int) (ms / 3600000), m = (int) (ms / 60000 % 60), s = (int) (ms / 1000 % 60);
   if (unit == MT_U_MILLISECOND)
      snprintf (out, size, "%02d:%02d:%02d.%03d", h, m, s, (int) (ms % 1000));
   else if (unit == MT_U_SECOND)
      snprintf (out, size, "%02d:%02d:%02d", h, m, s);
   else
      snprintf (out, size, "%02d:%02d", h, m);
}

/* Sets the tick's label and its date (or, for days and months, its year), and whether the date
 * begins there. */
static void labels (MtTick *t, int64_t local_ms, MtTimeUnit unit)
{
   int64_t days = mt_floor_div (local_ms, MT_DAY_MS), year;
   int month, day;
   mt_civil_from_days (days, &year, &month, &day);
   if (unit <= MT_U_HOUR) {
      clock_label (t->label, sizeof t->label, local_ms, unit);
      snprintf (t->date, sizeof t->date, "%04lld-%02d-%02d", (long long) year, month, day);
      t->begins = local_ms == days * MT_DAY_MS;
   } else if (unit == MT_U_YEAR) {
      snprintf (t->label, sizeof t->label, "%lld", (long long) year);
   } else {
      snprintf (t->date, sizeof t->date, "%lld", (long long) year);
      if (unit == MT_U_MONTH)
         snprintf (t->label, sizeof t->label, "%s", months[month - 1]);
      else
         snprintf (t->label, sizeof t->label, "%s %d", months[month - 1], day);
      t->begins = month == 1 && day == 1;
   }
}

/* Adds a tick with its labels, if it lies between lo and hi. Returns false if there are too many
 * ticks. */
static bool add (MtScale *s, int64_t utc_ms, int64_t local_ms, MtTimeUnit unit)
{
   if ((double) utc_ms < s->lo || (double) utc_ms > s->hi)
      return true;
   if (s->n >= MT_TICKS)
      return false;
   MtTick *t = &s->ticks[s->n++];
   *t = (MtTick) {.at = (double) utc_ms};
   labels (t, local_ms, unit);
   return true;
}

static void drop_repeated_dates (MtScale *s)
{
   char last[sizeof s->ticks->date] = "";
   for (size_t i = 0; i < s->n; i++) {
      if (strcmp (s->ticks[i].date, last) == 0)
         s->ticks[i].date[0] = 0;
      else
         snprintf (last, sizeof last, "%s", s->ticks[i].date);
   }
}

/* ---- ticks ---- */

/* Makes ticks at distances of less than a day. Spans with the same UTC offset are handled one by
 * one, so an hour that comes twice in autumn has its ticks twice. */
static bool clock_ticks (MtScale *s, const struct Step *step)
{
   int64_t each = (int64_t) step->ms, from, to, end = (int64_t) s->hi;
   bool ok = true;
   for (int64_t t = (int64_t) floor (s->lo); ok && t <= end; t = to) {
      int64_t offset = (int64_t) mt_tz_span (zone_of (s), t, &from, &to) * 1000;
      to = to < end ? to : end + 1;
      int64_t local = (mt_floor_div (t + offset - 1, each) + 1) * each;
      for (; ok && local - offset < to; local += each)
         ok = add (s, local - offset, local, step->unit);
   }
   return ok;
}

static bool is_day_tick (int64_t days, const struct Step *step)
{
   int64_t year;
   int month, day;
   if (step->unit == MT_U_WEEK) /* Mondays; 1970-01-05 was one */
      return mt_floor_div (days - 4, 7L * step->each) * 7 * step->each == days - 4;
   mt_civil_from_days (days, &year, &month, &day);
   return step->each == 1 || (day % 2 == 1 && day < 31);
}

static bool day_ticks (MtScale *s, const struct Step *step)
{
   int64_t first = mt_floor_div (mt_tz_to_local (zone_of (s), (int64_t) s->lo), MT_DAY_MS);
   int64_t last = mt_floor_div (mt_tz_to_local (zone_of (s), (int64_t) s->hi), MT_DAY_MS);
   bool ok = true;
   for (int64_t d = first; ok && d <= last; d++)
      if (is_day_tick (d, step))
         ok = add (s, mt_tz_to_utc (zone_of (s), d * MT_DAY_MS), d * MT_DAY_MS, step->unit);
   return ok;
}

static bool month_ticks (MtScale *s, const struct Step *step)
{
   int64_t year, months_each = step->each * (step->unit == MT_U_YEAR ? 12 : 1);
   int month, day;
   mt_civil_from_days (mt_floor_div (mt_tz_to_local (zone_of (s), (int64_t) s->lo), MT_DAY_MS),
                       &year, &month, &day);
   int64_t m = mt_floor_div (year * 12 + month - 1, months_each) * months_each, at = INT64_MIN;
   bool ok = true;
   for (; ok && (double) at <= s->hi; m += months_each) {
      int64_t local = mt_days_from_civil (mt_floor_div (m, 12),
                                          (int) (m - mt_floor_div (m, 12) * 12) + 1, 1) *
                      MT_DAY_MS;
      at = mt_tz_to_utc (zone_of (s), local);
      ok = add (s, at, local, step->unit);
   }
   return ok;
}

bool mt_time_ticks (MtScale *s, int coarse)
{
   int i = 0;
   while (i < STEPS - 1 && (steps[i].ms * MT_TICKS < s->hi - s->lo || steps[i].ms < s->least_ms))
      i++;
   i = i + coarse < STEPS ? i + coarse : STEPS - 1;
   bool (*ticks) (MtScale *s, const struct Step *step) = month_ticks;
   if (steps[i].unit <= MT_U_HOUR)
      ticks = clock_ticks;
   else if (steps[i].unit <= MT_U_WEEK)
      ticks = day_ticks;
   bool ok = ticks (s, &steps[i]);
   drop_repeated_dates (s);
   return ok;
}
