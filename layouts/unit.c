#include "layouts/unit.h"
#include "types/datetime.h"

#include <string.h>

#define S(n) {#n " seconds", (n) * 1000}
#define M(n) {#n " minutes", (n) * 60000}
#define H(n) {#n " hours", (n) * 3600000}

static const struct {
   const char *name;
   int64_t ms;
} units[] = {
   [MT_UNIT_MS] = {"ms", 1},
   [MT_UNIT_SECOND] = {"second", 1000},
   S (2),
   S (3),
   S (4),
   S (5),
   S (6),
   S (8),
   S (9),
   S (10),
   S (12),
   S (15),
   S (16),
   S (18),
   S (20),
   S (24),
   S (25),
   S (27),
   S (30),
   S (32),
   S (36),
   S (40),
   S (45),
   S (48),
   S (50),
   S (54),
   [MT_UNIT_MINUTE] = {"minute", 60000},
   S (64),
   S (72),
   S (75),
   S (80),
   S (90),
   S (96),
   S (100),
   S (108),
   M (2),
   S (128),
   S (135),
   S (144),
   S (150),
   S (160),
   M (3),
   S (192),
   S (200),
   S (216),
   S (225),
   M (4),
   S (270),
   S (288),
   M (5),
   S (320),
   M (6),
   S (384),
   S (400),
   S (432),
   S (450),
   M (8),
   M (9),
   S (576),
   M (10),
   S (640),
   S (675),
   M (12),
   S (800),
   S (864),
   M (15),
   M (16),
   M (18),
   S (1152),
   M (20),
   S (1350),
   M (24),
   S (1600),
   S (1728),
   M (30),
   M (32),
   M (36),
   M (40),
   M (45),
   M (48),
   S (3200),
   S (3456),
   [MT_UNIT_HOUR] = {"hour", 3600000},
   M (72),
   M (80),
   M (90),
   M (96),
   H (2),
   M (144),
   M (160),
   H (3),
   H (4),
   M (288),
   H (6),
   H (8),
   H (12),
   [MT_UNIT_DAY] = {"day", MT_DAY_MS},
   [MT_UNIT_WEEK] = {"week", 7 * MT_DAY_MS},
   [MT_UNIT_MONTH] = {"month", 0},
   [MT_UNIT_YEAR] = {"year", 0},
   [MT_UNIT_EPOCH] = {"epoch", 0},
};

#undef S
#undef M
#undef H

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

bool mt_unit_of_ms (int64_t ms, MtUnit *out)
{
   for (MtUnit u = MT_UNIT_MS; u <= MT_UNIT_WEEK; u++)
      if (units[u].ms == ms) {
         *out = u;
         return true;
      }
   return false;
}

bool mt_unit_is_multiple (MtUnit u) { return units[u].name[0] <= '9'; }

const char *mt_unit_article (MtUnit u) { return mt_unit_is_multiple (u) ? "" : "the "; }

bool mt_unit_within (MtUnit finer, MtUnit coarser)
{
   if (finer == MT_UNIT_WEEK || finer == coarser)
      return finer == coarser || coarser == MT_UNIT_EPOCH;
   return finer < coarser && (coarser > MT_UNIT_DAY || units[coarser].ms % units[finer].ms == 0);
}

/* Divides ms by the unit's length, rounded down. Each case has a constant divisor, so that the
 * compiler can replace the division by a multiplication. */
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
   case MT_UNIT_WEEK: /* 1970-01-01 was a Thursday; its week began on Monday, 29 December */
      return (mt_floor_div (mt_floor_div (ms, MT_DAY_MS) + 3, 7) * 7 - 3) * MT_DAY_MS;
   case MT_UNIT_MONTH:
      mt_civil_from_days (mt_floor_div (ms, MT_DAY_MS), &y, &m, &d);
      return mt_days_from_civil (y, m, 1) * MT_DAY_MS;
   case MT_UNIT_YEAR:
      mt_civil_from_days (mt_floor_div (ms, MT_DAY_MS), &y, &m, &d);
      return mt_days_from_civil (y, 1, 1) * MT_DAY_MS;
   case MT_UNIT_EPOCH: return 0;
   default: return mt_unit_div (ms, u) * units[u].ms;
   }
}

int64_t mt_utc_next (int64_t start, MtUnit u)
{
   switch (u) {
   case MT_UNIT_MONTH: return mt_utc_floor (start + 32 * MT_DAY_MS, u);
   case MT_UNIT_YEAR: return mt_utc_floor (start + 367 * MT_DAY_MS, u);
   case MT_UNIT_EPOCH: return INT64_MAX;
   default: return start + units[u].ms;
   }
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

/* Reads the first n bytes of *text as decimal digits, and removes them. False if there are fewer,
 * or other characters. */
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
