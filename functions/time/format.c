/* to_char of times and intervals, by PostgreSQL's template patterns (section 9.8 of its manual).
 * Names are in English. */
#include "functions/core/rows.h"
#include "functions/time/format_int.h"

#include "types/datetime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Parts {
   int64_t year, days, us; /* us: microseconds of the day */
   int64_t doy;
   /* the value is an interval: year and month are its months, day its days, and hour has no
    * limit */
   bool interval;
   int month, day, hour, minute, second, iso_week;
   int64_t iso_year;
   int32_t offset;     /* seconds east of UTC */
   const char *abbrev; /* "" for a timestamp without time zone */
} Parts;

const char *const mt_month_names[12] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
const char *const mt_weekday_names[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday"};

static const char *const roman_months[12] = {"I",   "II",   "III", "IV", "V",  "VI",
                                             "VII", "VIII", "IX",  "X",  "XI", "XII"};

static void split (MtMoment t, const MtZone *z, Parts *p)
{
   int64_t ms = t.ms;
   *p = (Parts) {.abbrev = ""};
   if (z) {
      bool dst;
      p->offset = mt_tz_offset_info (z, ms, &p->abbrev, &dst);
      ms = mt_tz_to_local (z, ms);
   }
   p->days = mt_floor_div (ms, MT_DAY_MS);
   p->us = (ms - p->days * MT_DAY_MS) * 1000 + t.us;
   mt_civil_from_days (p->days, &p->year, &p->month, &p->day);
   mt_iso_week (p->days, &p->iso_year, &p->iso_week);
   p->doy = p->days - mt_days_from_civil (p->year, 1, 1) + 1;
   int64_t s = p->us / 1000000;
   p->hour = (int) (s / 3600);
   p->minute = (int) (s / 60 % 60);
   p->second = (int) (s % 60);
}

static void split_interval (MtInterval iv, Parts *p)
{
   int64_t s = iv.us / 1000000;
   *p = (Parts) {.interval = true,
                 .abbrev = "",
                 .year = iv.months / 12,
                 .month = iv.months % 12,
                 .day = iv.days,
                 .us = iv.us,
                 .minute = (int) (s / 60 % 60),
                 .second = (int) (s % 60)};
   p->hour = (int) (s / 3600);
   p->doy = (int64_t) iv.months * 30 + iv.days;
}

/* ---- output ---- */

typedef struct Out {
   MtBuf *b;
   bool fill;      /* the field is padded to its width; false after FM */
   const char *th; /* ordinal suffix "th" or "TH" of the field; NULL: none */
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

/* Writes a name in the case of the pattern: MONTH, Month or month. `chars`: only the first
 * characters; 0: all. `pad`: the width to which blanks fill it up, unless FM is given. */
static void word (Out *o, const char *name, const char *pattern, int chars, int pad)
{
   size_t n = chars ? (size_t) chars : strlen (name);
   bool upper = isupper ((unsigned char) pattern[0]),
        all = upper && isupper ((unsigned char) pattern[1]);
   for (size_t i = 0; i < n; i++)
      mt_buf_addc (o->b, (char) (all || (upper && i == 0) ? toupper ((unsigned char) name[i])
                                                          : tolower ((unsigned char) name[i])));
   for (size_t i = n; o->fill && pad && i < (size_t) pad; i++)
      mt_buf_addc (o->b, ' ');
}

/* The template's codes. A longer code comes before its prefixes. A code also matches in small
 * letters; those that can begin with one capital letter are listed twice. */
static const struct {
   const char *text;
   MtTimeCode code;
} codes[] = {
   {"Y,YYY", C_YCOMMA}, {"YYYY", C_YYYY},   {"YYY", C_YYY},    {"YY", C_YY},
   {"Y", C_Y},          {"IYYY", C_IYYY},   {"IYY", C_IYY},    {"IY", C_IY},
   {"IDDD", C_IDDD},    {"ID", C_ID},       {"IW", C_IW},      {"I", C_I},
   {"MONTH", C_MONTH},  {"Month", C_MONTH}, {"MON", C_MON},    {"Mon", C_MON},
   {"MM", C_MM},        {"MI", C_MI},       {"MS", C_MS},      {"DDD", C_DDD},
   {"DD", C_DD},        {"DAY", C_DAY},     {"Day", C_DAY},    {"DY", C_DY},
   {"Dy", C_DY},        {"D", C_D},         {"HH24", C_HH24},  {"HH12", C_HH},
   {"HH", C_HH},        {"SSSSS", C_SSSS},  {"SSSS", C_SSSS},  {"SS", C_SS},
   {"US", C_US},        {"FF1", C_FF},      {"FF2", C_FF},     {"FF3", C_FF},
   {"FF4", C_FF},       {"FF5", C_FF},      {"FF6", C_FF},     {"FX", C_FX},
   {"A.M.", C_AMDOT},   {"P.M.", C_AMDOT},  {"AM", C_AM},      {"PM", C_AM},
   {"WW", C_WW},        {"W", C_W},         {"CC", C_CC},      {"J", C_J},
   {"Q", C_Q},          {"RM", C_RM},       {"TZH", C_TZH},    {"TZM", C_TZM},
   {"TZ", C_TZ},        {"OF", C_OF},       {"B.C.", C_BCDOT}, {"A.D.", C_BCDOT},
   {"BC", C_BC},        {"AD", C_BC},
};

static bool spelled (const char *p, const char *name, size_t n)
{
   bool small = true;
   for (size_t i = 0; i < n; i++)
      small &= p[i] == tolower ((unsigned char) name[i]);
   return small || memcmp (p, name, n) == 0;
}

static MtTimeCode find_code (const char *p, size_t n, size_t *len)
{
   for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
      *len = strlen (codes[i].text);
      if (*len <= n && spelled (p, codes[i].text, *len))
         return codes[i].code;
   }
   return C_NONE;
}

static bool is_word (const char *p, const char *end, const char *word)
{
   return end - p >= 2 && spelled (p, word, 2);
}

static bool is_separator (char c) { return c > ' ' && c < 0x7F && !isalnum ((unsigned char) c); }

static size_t char_len (const char *p, const char *end)
{
   size_t n = 1;
   while (p + n < end && ((unsigned char) p[n] & 0xC0) == 0x80)
      n++;
   return n;
}

/* Reads a field of a template with its prefixes (FM, TM) and suffix (TH). Returns false if there is
 * no field; prefixes are then skipped all the same. */
static bool read_field (const char **p, const char *end, MtTimeNode *n)
{
   size_t len;
   *n = (MtTimeNode) {.kind = MT_TN_FIELD};
   if (is_word (*p, end, "FM") || is_word (*p, end, "TM")) {
      n->fm = toupper ((unsigned char) **p) == 'F';
      n->tm = !n->fm;
      *p += 2;
   }
   n->code = find_code (*p, (size_t) (end - *p), &len);
   if (n->code == C_NONE)
      return false;
   n->text = (MtStr) {*p, len};
   *p += len;
   if (is_word (*p, end, "TH")) {
      n->th = *p;
      *p += 2;
   } else if (is_word (*p, end, "SP"))
      *p += 2;
   return true;
}

#define CACHED 48 /* maximum length of a template in the cache */

/* The last parsed template. It is almost always a constant, so it can be used for the next row. */
typedef struct Cache {
   char text[CACHED];
   size_t n, count;
   bool set;
   MtTimeNode nodes[CACHED];
} Cache;

static MtTimeNode *parse_template (MtEval *ev, MtStr format, size_t *count);

const MtTimeNode *mt_time_template (MtEval *ev, MtStr format, size_t *count)
{
   static _Thread_local Cache last;
   if (format.n == 0 || format.n > CACHED)
      return parse_template (ev, format, count);
   if (!last.set || last.n != format.n || memcmp (last.text, format.p, last.n) != 0) {
      memcpy (last.text, format.p, format.n);
      last.n = format.n;
      const MtTimeNode *nodes = parse_template (ev, (MtStr) {last.text, last.n}, &last.count);
      memcpy (last.nodes, nodes, last.count * sizeof *nodes);
      last.set = true;
   }
   *count = last.count;
   return last.nodes;
}

static MtTimeNode *parse_template (MtEval *ev, MtStr format, size_t *count)
{
   const char *p = format.p, *end = p + format.n;
   MtTimeNode *list = MT_NEW_N (ev->arena, MtTimeNode, format.n + 1);
   bool quoted = false;
   *count = 0;
   while (p < end) {
      MtTimeNode n = {.kind = MT_TN_CHAR};
      if (!quoted && read_field (&p, end, &n)) {
         list[(*count)++] = n;
         continue;
      }
      if (p == end)
         break;
      if (*p == '"') {
         quoted = !quoted;
         p++;
         continue;
      }
      if (*p == '\\' && p + 1 < end && (quoted || p[1] == '"'))
         p++;
      size_t len = char_len (p, end);
      MtTimeNodeKind kind = MT_TN_CHAR;
      if (!quoted && is_separator (*p))
         kind = MT_TN_SEPARATOR;
      else if (!quoted && isspace ((unsigned char) *p))
         kind = MT_TN_SPACE;
      list[(*count)++] = (MtTimeNode) {.kind = kind, .text = {p, len}};
      p += len;
   }
   return list;
}

static int64_t bc_year (int64_t y)
{
   return y <= 0 ? 1 - y : y; /* years are shown positive, beside BC */
}

static int64_t century (int64_t y) { return y > 0 ? (y + 99) / 100 : -((100 - y) / 100); }

static void half_day (Out *o, const char *pattern, const char *first, const char *second,
                      bool later)
{
   const char *s = later ? second : first;
   for (; *s; s++)
      mt_buf_addc (o->b,
                   (char) (isupper ((unsigned char) pattern[0]) ? toupper ((unsigned char) *s)
                                                                : tolower ((unsigned char) *s)));
}

static void offset (Out *o, const Parts *p)
{
   int32_t s = p->offset < 0 ? -p->offset : p->offset;
   mt_buf_printf (o->b, "%c%0*d", p->offset < 0 ? '-' : '+', o->fill ? 2 : 0, s / 3600);
   if (s / 60 % 60)
      mt_buf_printf (o->b, ":%02d", s / 60 % 60);
}

/* Writes the month as a Roman numeral (RM). In an interval, a remainder of 0 months is December, or
 * January if the interval is negative; negative months count back from December. */
static void roman_month (Out *o, const char *pattern, const Parts *p)
{
   if (!p->month && !p->year)
      return;
   int at = p->year >= 0 ? 11 : 0;
   if (p->month)
      at = p->month > 0 ? p->month - 1 : p->month + 12;
   const char *name = roman_months[at];
   half_day (o, pattern, name, name, false);
   for (size_t n = strlen (name); o->fill && n < 4; n++)
      mt_buf_addc (o->b, ' ');
}

static void date_code (Out *o, int code, const char *pattern, const Parts *p)
{
   int64_t y = p->interval ? p->year : bc_year (p->year), iy = bc_year (p->iso_year);
   int dow = mt_iso_dow (p->days) % 7;
   switch (code) {
   case C_YYYY: num (o, y, 4); break;
   case C_YYY: num (o, y % 1000, 3); break;
   case C_YY: num (o, y % 100, 2); break;
   case C_Y: num (o, y % 10, 1); break;
   case C_YCOMMA:
      mt_buf_printf (o->b, "%lld,%03lld", (long long) (y / 1000), (long long) (y % 1000));
      ordinal (o, y);
      break;
   case C_IYYY: num (o, iy, 4); break;
   case C_IYY: num (o, iy % 1000, 3); break;
   case C_IY: num (o, iy % 100, 2); break;
   case C_I: num (o, iy % 10, 1); break;
   case C_MM: num (o, p->month, 2); break;
   case C_DDD: num (o, p->doy, p->doy < 0 ? 2 : 3); break;
   case C_DD: num (o, p->day, p->day < 0 ? 1 : 2); break;
   case C_D: num (o, dow + 1, 1); break;
   case C_IDDD: num (o, (p->iso_week - 1) * 7 + mt_iso_dow (p->days), 3); break;
   case C_ID: num (o, mt_iso_dow (p->days), 1); break;
   case C_MONTH: word (o, mt_month_names[p->month - 1], pattern, 0, 9); break;
   case C_MON: word (o, mt_month_names[p->month - 1], pattern, 3, 0); break;
   case C_DAY: word (o, mt_weekday_names[dow], pattern, 0, 9); break;
   case C_DY: word (o, mt_weekday_names[dow], pattern, 3, 0); break;
   case C_WW: num (o, (p->doy - 1) / 7 + 1, 2); break;
   case C_W: num (o, (p->day - 1) / 7 + 1, 1); break;
   case C_IW: num (o, p->iso_week, 2); break;
   case C_CC: num (o, p->interval ? p->year / 100 : century (p->year), 2); break;
   case C_J: num (o, p->days + 2440588, 1); break;
   case C_Q:
      if (p->month)
         num (o, (p->month - 1) / 3 + 1, 1);
      break;
   case C_RM: roman_month (o, pattern, p); break;
   case C_BC: half_day (o, pattern, "AD", "BC", p->year <= 0); break;
   default: half_day (o, pattern, "A.D.", "B.C.", p->year <= 0);
   }
}

/* Writes the fraction of a second with `width` digits. FM does not remove zeros. */
static void fraction (Out *o, int64_t v, int width)
{
   mt_buf_printf (o->b, "%0*lld", width, (long long) v);
   ordinal (o, v);
}

static void time_code (Out *o, int code, const char *pattern, const Parts *p)
{
   static const int64_t powers[] = {100000, 10000, 1000, 100, 10, 1};
   int32_t abs_offset = p->offset < 0 ? -p->offset : p->offset;
   switch (code) {
   case C_HH24: num (o, p->hour, 2); break;
   case C_HH:
      num (o, p->hour % 12 == 0 ? 12 : p->hour % 12, p->hour < 0 && p->hour % 12 == 0 ? 3 : 2);
      break;
   case C_MI: num (o, p->minute, 2); break;
   case C_SS: num (o, p->second, 2); break;
   case C_SSSS: num (o, p->us / 1000000, 1); break;
   case C_MS: fraction (o, p->us % 1000000 / 1000, 3); break;
   case C_US: fraction (o, p->us % 1000000, 6); break;
   case C_FF: fraction (o, p->us % 1000000 / powers[pattern[2] - '1'], pattern[2] - '0'); break;
   case C_AM: half_day (o, pattern, "AM", "PM", p->hour % 24 >= 12); break;
   case C_AMDOT: half_day (o, pattern, "A.M.", "P.M.", p->hour % 24 >= 12); break;
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

static bool suits_interval (MtEval *ev, MtTimeCode c)
{
   if (c == C_J || c == C_IW || (c >= C_IYYY && c <= C_I) || c == C_IDDD)
      return mt_error (ev->err, MT_E_FEATURE,
                       "ISO weeks, ISO years and Julian days of an interval are not supported");
   if (c != C_MONTH && c != C_MON && c != C_DAY && c != C_DY && c != C_D && c != C_ID &&
       c != C_BC && c != C_BCDOT && c != C_TZ && c != C_OF && c != C_TZH && c != C_TZM)
      return true;
   mt_error (ev->err, MT_E_DATETIME_FORMAT, "invalid format specification for an interval value");
   return mt_error_hint (ev->err, "Intervals are not tied to specific calendar dates.");
}

static bool format (MtEval *ev, MtBuf *b, MtStr f, const Parts *p)
{
   size_t count;
   const MtTimeNode *nodes = mt_time_template (ev, f, &count);
   for (size_t i = 0; i < count; i++) {
      const MtTimeNode *n = &nodes[i];
      Out o = {.b = b, .fill = !n->fm, .th = n->th};
      bool name = n->tm && (n->code == C_MONTH || n->code == C_DAY);
      if (name)
         o.fill = false;
      if (n->kind == MT_TN_FIELD && p->interval && !suits_interval (ev, n->code))
         return false;
      if (n->kind != MT_TN_FIELD)
         mt_buf_add (b, n->text.p, n->text.n);
      else if (is_time_code (n->code))
         time_code (&o, n->code, n->text.p, p);
      else if (n->code != C_FX)
         date_code (&o, n->code, n->text.p, p);
   }
   return true;
}

/* Computes to_char. Arguments: time, template [, time zone]. */
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
   split (mt_v_moment (a[0]), z, &p);
   bool ok = format (ev, &b, mt_v_text (a[1]), &p);
   *out = mt_text_result (ev, &b);
   return ok;
}

static bool fn_to_char_interval (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Parts p;
   MtBuf b = {0};
   *out = mt_v_null ();
   if (a[1].len == 0)
      return true;
   split_interval (mt_v_to_interval (a[0]), &p);
   bool ok = format (ev, &b, mt_v_text (a[1]), &p);
   *out = mt_text_result (ev, &b);
   return ok;
}

const MtFunc mt_fn_format[] = {
   MT_ROW ("to_char", "t timestamp, format text -> text", 0, NULL, MT_OPN ("to_char", to_char, 0),
           "time formatted by a template",
           "SELECT to_char(timestamp '2002-04-20 17:31:12.66', 'HH12:MI:SS') => 05:31:12"),
   MT_ROW (
      "to_char", "t timestamptz, format text, _zone text -> text", 0, NULL,
      MT_OPN ("to_char", to_char, 0), "time in the session's time zone, formatted by a template",
      "SELECT to_char(timestamptz '2002-04-20 17:31:12+00', 'YYYY-MM-DD TZ') => 2002-04-20 UTC"),
   MT_ROW ("to_char", "i interval, format text -> text", 0, NULL,
           MT_OPN ("to_char_interval", to_char_interval, 0), "interval formatted by a template",
           "SELECT to_char(interval '15h 2m 12s', 'HH24:MI:SS') => 15:02:12"),
   {.name = NULL},
};
