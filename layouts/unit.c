#include "layouts/unit.h"
#include "types/datetime.h"

#include <string.h>

static const struct {
   const char *name;
   int64_t ms;
} units[] = {
   [MT_UNIT_MS] = {"ms", 1},
   [MT_UNIT_SECOND] = {"second", 1000},
   [MT_UNIT_MINUTE] = {"minute", 60000},
   [MT_UNIT_HOUR] = {"hour", 3600000},
   [MT_UNIT_DAY] = {"day", MT_DAY_MS},
   [MT_UNIT_WEEK] = {"week", 7 * MT_DAY_MS},
   [MT_UNIT_MONTH] = {"month", 0},
   [MT_UNIT_YEAR] = {"year", 0},
   [MT_UNIT_EPOCH] = {"epoch", 0},
};

int64_t mt_unit_ms (MtUnit u) { return units[u].ms; }
const char *mt_unit_name (MtUnit u) { return units[u].name; }

bool mt_unit_by_name (MtStr name, MtUnit *out)
{
   for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
      if (mt_str_is (name, units[i].name)) {
         *out = (MtUnit) i;
         return true;
      }
   return false;
}

bool mt_unit_within (MtUnit finer, MtUnit coarser)
{
   return finer == coarser ||
          (finer < coarser && finer != MT_UNIT_WEEK && finer != MT_UNIT_EPOCH) ||
          (finer == MT_UNIT_WEEK && coarser == MT_UNIT_EPOCH);
}

/* Constant divisors let the compiler replace the division by a multiplication. */
int64_t mt_unit_div (int64_t ms, MtUnit u)
{
   switch (u) {
   case MT_UNIT_SECOND: return mt_floor_div (ms, 1000);
   case MT_UNIT_MINUTE: return mt_floor_div (ms, 60000);
   case MT_UNIT_HOUR: return mt_floor_div (ms, 3600000);
   case MT_UNIT_DAY: return mt_floor_div (ms, MT_DAY_MS);
   default: return mt_floor_div (ms, units[u].ms);
   }
}

int64_t mt_utc_floor (int64_t ms, MtUnit u)
{
   int64_t y;
   int m, d;
   switch (u) {
   case MT_UNIT_MS: return ms;
   case MT_UNIT_SECOND:
   case MT_UNIT_MINUTE:
   case MT_UNIT_HOUR:
   case MT_UNIT_DAY: return mt_unit_div (ms, u) * units[u].ms;
   case MT_UNIT_WEEK: /* 1970-01-01 was a Thursday; its week began on Monday, 29 December */
      return (mt_floor_div (mt_floor_div (ms, MT_DAY_MS) + 3, 7) * 7 - 3) * MT_DAY_MS;
   case MT_UNIT_MONTH:
      mt_civil_from_days (mt_floor_div (ms, MT_DAY_MS), &y, &m, &d);
      return mt_days_from_civil (y, m, 1) * MT_DAY_MS;
   case MT_UNIT_YEAR:
      mt_civil_from_days (mt_floor_div (ms, MT_DAY_MS), &y, &m, &d);
      return mt_days_from_civil (y, 1, 1) * MT_DAY_MS;
   case MT_UNIT_EPOCH: return 0;
   }
   return ms;
}

int64_t mt_utc_next (int64_t start, MtUnit u)
{
   switch (u) {
   case MT_UNIT_MONTH: return mt_utc_floor (start + 32 * MT_DAY_MS, u);
   case MT_UNIT_YEAR: return mt_utc_floor (start + 367 * MT_DAY_MS, u);
   case MT_UNIT_EPOCH: return INT64_MAX;
   case MT_UNIT_MS:
   case MT_UNIT_SECOND:
   case MT_UNIT_MINUTE:
   case MT_UNIT_HOUR:
   case MT_UNIT_DAY:
   case MT_UNIT_WEEK: return start + units[u].ms;
   }
   return start;
}

int64_t mt_utc_month (int64_t ms)
{
   int64_t y;
   int m, d;
   mt_civil_from_days (mt_floor_div (ms, MT_DAY_MS), &y, &m, &d);
   return m - 1;
}

int64_t mt_utc_add (int64_t start, MtUnit u, int64_t n)
{
   int64_t y;
   int m, d;
   if (u != MT_UNIT_MONTH)
      return start + n * units[u].ms;
   mt_civil_from_days (mt_floor_div (start, MT_DAY_MS), &y, &m, &d);
   int64_t months = m - 1 + n, years = mt_floor_div (months, 12);
   return mt_days_from_civil (y + years, (int) (months - 12 * years) + 1, 1) * MT_DAY_MS;
}

int64_t mt_part_count (MtUnit unit, MtUnit of)
{
   if (unit == MT_UNIT_MONTH)
      return of == MT_UNIT_YEAR ? 12 : 0;
   int64_t len = units[of].ms;
   if (of == MT_UNIT_YEAR)
      len = 366 * MT_DAY_MS;
   else if (of == MT_UNIT_MONTH)
      len = 31 * MT_DAY_MS;
   int64_t each = units[unit].ms;
   return len && each ? (len + each - 1) / each : 0;
}

int64_t mt_epoch_guess (double low, double high)
{
   for (int64_t unit = 1; unit <= 1000000000; unit *= 1000)
      if (low >= 4.8e8 * (double) unit && high <= 4e9 * (double) unit)
         return unit;
   return 0;
}

int mt_format_digits (char specifier)
{
   switch (specifier) {
   case 'Y': return 4;
   case 'L': return 3;
   case 'm':
   case 'd':
   case 'H':
   case 'M':
   case 'S': return 2;
   default: return 0;
   }
}

size_t mt_format_width (const char *format)
{
   size_t n = 0;
   for (const char *f = format; *f; f++)
      n += *f != '%' || *++f == '%' ? 1 : (size_t) mt_format_digits (*f);
   return n;
}

static void two_digits (MtBuf *out, int v)
{
   mt_buf_addc (out, (char) ('0' + v / 10 % 10));
   mt_buf_addc (out, (char) ('0' + v % 10));
}

void mt_time_format (const char *format, int64_t ms, MtBuf *out)
{
   int64_t y, day = mt_floor_div (ms, MT_DAY_MS), s = (ms - day * MT_DAY_MS) / 1000;
   int m, d;
   mt_civil_from_days (day, &y, &m, &d);
   for (const char *f = format; *f; f++) {
      if (*f != '%') {
         mt_buf_addc (out, *f);
         continue;
      }
      switch (*++f) {
      case 'Y': mt_buf_digits (out, (uint64_t) y, 4); break;
      case 'm': two_digits (out, m); break;
      case 'd': two_digits (out, d); break;
      case 'H': two_digits (out, (int) (s / 3600)); break;
      case 'M': two_digits (out, (int) (s / 60 % 60)); break;
      case 'S': two_digits (out, (int) (s % 60)); break;
      case 'L': mt_buf_digits (out, (uint64_t) (ms - day * MT_DAY_MS) % 1000, 3); break;
      case '%': mt_buf_addc (out, '%'); break;
      }
   }
}

/* Reads n digits as a number, and removes them from the start of the text. */
static bool digits (MtStr *text, size_t n, int64_t *out)
{
   if (text->n < n)
      return false;
   *out = 0;
   for (size_t i = 0; i < n; i++) {
      if (text->p[i] < '0' || text->p[i] > '9')
         return false;
      *out = *out * 10 + (text->p[i] - '0');
   }
   text->p += n;
   text->n -= n;
   return true;
}

bool mt_time_unformat (const char *format, MtStr text, int64_t *ms)
{
   int64_t y = 1970, mo = 1, d = 1, h = 0, mi = 0, s = 0, part = 0;
   for (const char *f = format; *f; f++) {
      int64_t *to = NULL;
      if (*f == '%')
         switch (*++f) {
         case 'Y': to = &y; break;
         case 'm': to = &mo; break;
         case 'd': to = &d; break;
         case 'H': to = &h; break;
         case 'M': to = &mi; break;
         case 'S': to = &s; break;
         case 'L': to = &part; break;
         }
      if (to) {
         if (!digits (&text, (size_t) mt_format_digits (*f), to))
            return false;
      } else {
         if (!text.n || *text.p != *f)
            return false;
         text.p++;
         text.n--;
      }
   }
   if (text.n || mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 59)
      return false;
   int64_t day = mt_days_from_civil (y, (int) mo, (int) d), back_y;
   int back_m, back_d;
   mt_civil_from_days (day, &back_y, &back_m, &back_d);
   *ms = ((day * 24 + h) * 60 + mi) * 60000 + s * 1000 + part;
   return back_d == d;
}

MtUnit mt_format_grain (const char *format)
{
   static const char order[] = "YmdHMSL";
   static const MtUnit grain[] = {MT_UNIT_YEAR,   MT_UNIT_MONTH,  MT_UNIT_DAY, MT_UNIT_HOUR,
                                  MT_UNIT_MINUTE, MT_UNIT_SECOND, MT_UNIT_MS};
   enum { COUNT = sizeof grain / sizeof *grain };
   bool seen[COUNT] = {false};
   for (const char *f = format; *f; f++)
      if (*f == '%') {
         const char *p = *++f ? strchr (order, *f) : NULL;
         if (p)
            seen[p - order] = true;
         else if (*f != '%')
            return MT_UNIT_EPOCH;
         if (!*f)
            return MT_UNIT_EPOCH;
      }
   int n = 0;
   while (n < COUNT && seen[n])
      n++;
   for (int i = n; i < COUNT; i++)
      if (seen[i])
         return MT_UNIT_EPOCH;
   return n ? grain[n - 1] : MT_UNIT_EPOCH;
}

const char *mt_format_of (MtStr text)
{
   static const char *const formats[] = {"%Y-%m-%dT%H:%M:%SZ",      "%Y-%m-%dT%H:%M:%S.%LZ",
                                         "%Y-%m-%dT%H:%M:%S+00:00", "%Y-%m-%dT%H:%M:%S.%L+00:00",
                                         "%Y-%m-%d %H:%M:%SZ",      "%Y-%m-%d %H:%M:%S.%LZ",
                                         "%Y-%m-%d %H:%M:%S+00",    "%Y-%m-%dT%H:%M:%S",
                                         "%Y-%m-%dT%H:%M:%S.%L",    "%Y-%m-%d %H:%M:%S",
                                         "%Y-%m-%d %H:%M:%S.%L",    "%Y-%m-%d"};
   int64_t ms;
   if (text.n < sizeof "2024-01-31" - 1 || text.p[4] != '-')
      return NULL;
   for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
      if (mt_format_width (formats[i]) == text.n && mt_time_unformat (formats[i], text, &ms))
         return formats[i];
   return NULL;
}
