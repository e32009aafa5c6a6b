/* to_char for times. PostgreSQL's template patterns (formatting.c), without TM (locales) and RM. */
#include "planner/func_int.h"

#include "base/datetime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Parts {
   int64_t year, days, us;   /* us: of the day */
   int month, day, hour, minute, second, iso_week;
   int64_t iso_year;
   int32_t offset;           /* seconds east */
   const char *abbrev;       /* "" for a timestamp without zone */
} Parts;

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"};
static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

static void split (int64_t ms, const MtZone *z, Parts *p)
{
   *p = (Parts){.abbrev = ""};
   if (z) {
      bool dst;
      p->offset = mt_tz_offset_info (z, ms, &p->abbrev, &dst);
      ms = mt_tz_to_local (z, ms);
   }
   p->days = mt_floor_div (ms, MT_DAY_MS);
   p->us = (ms - p->days * MT_DAY_MS) * 1000;
   mt_civil_from_days (p->days, &p->year, &p->month, &p->day);
   mt_iso_week (p->days, &p->iso_year, &p->iso_week);
   int64_t s = p->us / 1000000;
   p->hour = (int) (s / 3600);
   p->minute = (int) (s / 60 % 60);
   p->second = (int) (s % 60);
}

/* ---- output ---- */

typedef struct Out {
   MtBuf *b;
   bool fill;       /* padded; false after FM */
   const char *th;  /* "th" or "TH" follows; NULL: none */
} Out;

static void ordinal (Out *o, int64_t v)
{
   static const char *const suffix[] = {"th", "st", "nd", "rd"};
   if (!o->th)
      return;
   int64_t u = v < 0 ? -v : v, last = u % 10;
   const char *s = suffix[u % 100 / 10 != 1 && last >= 1 && last <= 3 ? last : 0];
   for (int i = 0; i < 2; i++)
      mt_buf_addc (o->b, (char) (o->th[0] == 'T' ? toupper (s[i]) : s[i]));
}

static void num (Out *o, int64_t v, int width)
{
   if (o->fill)
      mt_buf_printf (o->b, "%0*lld", v < 0 ? width + 1 : width, (long long) v);
   else
      mt_buf_printf (o->b, "%lld", (long long) v);
   ordinal (o, v);
}

/* As the pattern is spelled: MONTH, Month, month. */
static void word (Out *o, const char *name, const char *pattern, int chars, int pad)
{
   size_t n = chars ? (size_t) chars : strlen (name);
   bool upper = isupper ((unsigned char) pattern[0]), all = upper && isupper ((unsigned char) pattern[1]);
   for (size_t i = 0; i < n; i++)
      mt_buf_addc (o->b, (char) (all || (upper && i == 0) ? toupper ((unsigned char) name[i]) : tolower ((unsigned char) name[i])));
   for (size_t i = n; o->fill && pad && i < (size_t) pad; i++)
      mt_buf_addc (o->b, ' ');
}

enum {
   C_YYYY, C_YYY, C_YY, C_Y, C_YCOMMA, C_IYYY, C_IYY, C_IY, C_I, C_MM, C_DDD, C_DD, C_D, C_IDDD, C_ID, C_HH24, C_HH, C_MI, C_SS, C_SSSS, C_MS, C_US, C_AM, C_AMDOT,
   C_MONTH, C_MON, C_DAY, C_DY, C_WW, C_W, C_IW, C_CC, C_J, C_Q, C_TZ, C_TZH, C_TZM, C_OF, C_BC, C_BCDOT, C_FF
};

/* Longer ones first among those that begin alike; in any case. */
static const struct {
   const char *text;
   int code;
} codes[] = {
   {"Y,YYY", C_YCOMMA}, {"YYYY", C_YYYY}, {"YYY", C_YYY}, {"YY", C_YY}, {"Y", C_Y}, {"IYYY", C_IYYY}, {"IYY", C_IYY}, {"IY", C_IY}, {"IDDD", C_IDDD}, {"ID", C_ID},
   {"IW", C_IW}, {"I", C_I}, {"MONTH", C_MONTH}, {"MON", C_MON}, {"MM", C_MM}, {"MI", C_MI}, {"MS", C_MS}, {"DDD", C_DDD}, {"DD", C_DD}, {"DAY", C_DAY}, {"DY", C_DY},
   {"D", C_D}, {"HH24", C_HH24}, {"HH12", C_HH}, {"HH", C_HH}, {"SSSSS", C_SSSS}, {"SSSS", C_SSSS}, {"SS", C_SS}, {"US", C_US}, {"FF1", C_FF}, {"FF2", C_FF},
   {"FF3", C_FF}, {"FF4", C_FF}, {"FF5", C_FF}, {"FF6", C_FF}, {"A.M.", C_AMDOT}, {"P.M.", C_AMDOT}, {"AM", C_AM}, {"PM", C_AM}, {"WW", C_WW}, {"W", C_W}, {"CC", C_CC},
   {"J", C_J}, {"Q", C_Q}, {"TZH", C_TZH}, {"TZM", C_TZM}, {"TZ", C_TZ}, {"OF", C_OF}, {"B.C.", C_BCDOT}, {"A.D.", C_BCDOT}, {"BC", C_BC}, {"AD", C_BC},
};

static int find_code (const char *p, size_t n, size_t *len)
{
   for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
      *len = strlen (codes[i].text);
      if (*len <= n && strncasecmp (p, codes[i].text, *len) == 0)
         return codes[i].code;
   }
   return -1;
}

static int64_t bc_year (int64_t y)
{
   return y <= 0 ? 1 - y : y; /* shown positive, BC says which */
}

static int64_t century (int64_t y)
{
   return y > 0 ? (y + 99) / 100 : -((100 - y) / 100);
}

static void half_day (Out *o, const char *pattern, const char *first, const char *second, bool later)
{
   const char *s = later ? second : first;
   for (; *s; s++)
      mt_buf_addc (o->b, (char) (isupper ((unsigned char) pattern[0]) ? toupper ((unsigned char) *s) : tolower ((unsigned char) *s)));
}

static void offset (Out *o, const Parts *p)
{
   int32_t s = p->offset < 0 ? -p->offset : p->offset;
   mt_buf_printf (o->b, "%c%02d", p->offset < 0 ? '-' : '+', s / 3600);
   if (s / 60 % 60)
      mt_buf_printf (o->b, ":%02d", s / 60 % 60);
}

static void date_code (Out *o, int code, const char *pattern, const Parts *p)
{
   int64_t y = bc_year (p->year), iy = bc_year (p->iso_year), doy = p->days - mt_days_from_civil (p->year, 1, 1) + 1;
   int dow = mt_iso_dow (p->days) % 7;
   switch (code) {
   case C_YYYY: num (o, y, 4); break;
   case C_YYY: num (o, y % 1000, 3); break;
   case C_YY: num (o, y % 100, 2); break;
   case C_Y: num (o, y % 10, 1); break;
   case C_YCOMMA: mt_buf_printf (o->b, "%lld,%03lld", (long long) (y / 1000), (long long) (y % 1000)); break;
   case C_IYYY: num (o, iy, 4); break;
   case C_IYY: num (o, iy % 1000, 3); break;
   case C_IY: num (o, iy % 100, 2); break;
   case C_I: num (o, iy % 10, 1); break;
   case C_MM: num (o, p->month, 2); break;
   case C_DDD: num (o, doy, 3); break;
   case C_DD: num (o, p->day, 2); break;
   case C_D: num (o, dow + 1, 1); break;
   case C_IDDD: num (o, (p->iso_week - 1) * 7 + mt_iso_dow (p->days), 3); break;
   case C_ID: num (o, mt_iso_dow (p->days), 1); break;
   case C_MONTH: word (o, months[p->month - 1], pattern, 0, 9); break;
   case C_MON: word (o, months[p->month - 1], pattern, 3, 0); break;
   case C_DAY: word (o, weekdays[dow], pattern, 0, 9); break;
   case C_DY: word (o, weekdays[dow], pattern, 3, 0); break;
   case C_WW: num (o, (doy - 1) / 7 + 1, 2); break;
   case C_W: num (o, (p->day - 1) / 7 + 1, 1); break;
   case C_IW: num (o, p->iso_week, 2); break;
   case C_CC: num (o, century (p->year), 2); break;
   case C_J: num (o, p->days + 2440588, 1); break;
   case C_Q: num (o, (p->month - 1) / 3 + 1, 1); break;
   case C_BC: half_day (o, pattern, "AD", "BC", p->year <= 0); break;
   default: half_day (o, pattern, "A.D.", "B.C.", p->year <= 0);
   }
}

static void time_code (Out *o, int code, const char *pattern, const Parts *p)
{
   static const int64_t powers[] = {100000, 10000, 1000, 100, 10, 1};
   int32_t abs_offset = p->offset < 0 ? -p->offset : p->offset;
   switch (code) {
   case C_HH24: num (o, p->hour, 2); break;
   case C_HH: num (o, p->hour % 12 == 0 ? 12 : p->hour % 12, 2); break;
   case C_MI: num (o, p->minute, 2); break;
   case C_SS: num (o, p->second, 2); break;
   case C_SSSS: num (o, p->us / 1000000, 1); break;
   case C_MS: num (o, p->us / 1000 % 1000, 3); break;
   case C_US: num (o, p->us % 1000000, 6); break;
   case C_FF: mt_buf_printf (o->b, "%0*lld", pattern[2] - '0', (long long) (p->us % 1000000 / powers[pattern[2] - '1'])); break;
   case C_AM: half_day (o, pattern, "AM", "PM", p->hour >= 12); break;
   case C_AMDOT: half_day (o, pattern, "A.M.", "P.M.", p->hour >= 12); break;
   case C_TZ: half_day (o, pattern, p->abbrev, p->abbrev, false); break;
   case C_TZH: mt_buf_printf (o->b, "%c%02d", p->offset < 0 ? '-' : '+', abs_offset / 3600); break;
   case C_TZM: mt_buf_printf (o->b, "%02d", abs_offset / 60 % 60); break;
   default: offset (o, p);
   }
}

static bool is_time_code (int code)
{
   return (code >= C_HH24 && code <= C_AMDOT) || (code >= C_TZ && code <= C_OF) || code == C_FF;
}

static size_t quoted (MtBuf *b, const char *f, size_t n)
{
   size_t i = 1;
   for (; i < n && f[i] != '"'; i++) {
      if (f[i] == '\\' && i + 1 < n)
         i++;
      mt_buf_addc (b, f[i]);
   }
   return i < n ? i + 1 : i;
}

static void format (MtBuf *b, MtStr f, const Parts *p)
{
   for (size_t i = 0, len; i < f.n;) {
      Out o = {.b = b, .fill = true};
      size_t start = i;
      if (f.p[i] == '"') {
         i += quoted (b, f.p + i, f.n - i);
         continue;
      }
      if (f.p[i] == '\\' && i + 1 < f.n && f.p[i + 1] == '"') {
         mt_buf_addc (b, '"');
         i += 2;
         continue;
      }
      if (f.n - i > 2 && (strncmp (f.p + i, "FM", 2) == 0 || strncmp (f.p + i, "fm", 2) == 0)) {
         o.fill = false;
         i += 2;
      }
      int code = find_code (f.p + i, f.n - i, &len);
      if (code < 0) {
         mt_buf_addc (b, f.p[start]);
         i = start + 1;
         continue;
      }
      const char *pattern = f.p + i;
      i += len;
      if (f.n - i >= 2 && (strncmp (f.p + i, "TH", 2) == 0 || strncmp (f.p + i, "th", 2) == 0)) {
         o.th = f.p + i;
         i += 2;
      }
      if (is_time_code (code))
         time_code (&o, code, pattern, p);
      else
         date_code (&o, code, pattern, p);
   }
}

/* a: time, format [, zone] */
static bool fn_to_char (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z = NULL;
   Parts p;
   MtBuf b = {0};
   *out = mt_v_null ();
   if (n > 2 && !mt_zone_arg (ev, a[2], &z))
      return false;
   if (!mt_ts_is_finite (a[0].i) || a[1].len == 0)
      return true;
   split (a[0].i, z, &p);
   format (&b, mt_v_text (a[1]), &p);
   *out = mt_text_result (ev, &b);
   return true;
}

const MtFunc mt_fn_format[] = {
   MT_ROW ("to_char", "t timestamp, format text -> text", 0, NULL, MT_OPN ("to_char", to_char, 0), "a time by a template", "SELECT to_char(timestamp '2002-04-20 17:31:12.66', 'HH12:MI:SS') => 05:31:12"),
   MT_ROW ("to_char", "t timestamptz, format text, _zone text -> text", 0, NULL, MT_OPN ("to_char", to_char, 0), "a time by a template, in the session's zone", "SELECT to_char(timestamptz '2002-04-20 17:31:12+00', 'YYYY-MM-DD TZ') => 2002-04-20 UTC"),
   {.name = NULL},
};
