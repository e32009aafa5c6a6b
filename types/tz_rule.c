/* Parses POSIX TZ rules ("EST5EDT,M3.2.0,M11.1.0"). They are the last line of a TZif file, and can
 * be used as names of zones. */
#include "types/datetime.h"
#include "types/tz_int.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S 86400

/* Parses an abbreviation: letters, or any characters between < and >. It may be empty, as in
 * "+05:30", which PostgreSQL accepts. Returns the end of the text read, or NULL. */
static const char *parse_name (const char *s, char *out, size_t size)
{
   size_t n;
   bool quoted = *s == '<';
   s += quoted;
   if (quoted)
      n = strcspn (s, ">");
   else
      for (n = 0; s[n] && !isdigit ((unsigned char) s[n]) && !strchr ("+-,", s[n]); n++)
         if (!isalpha ((unsigned char) s[n]))
            return NULL;
   if (n >= size || (quoted && s[n] != '>'))
      return NULL;
   memcpy (out, s, n);
   out[n] = 0;
   return s + n + quoted;
}

static const char *parse_int (const char *s, int low, int high, int *out)
{
   if (!isdigit ((unsigned char) *s))
      return NULL;
   int v = 0;
   while (isdigit ((unsigned char) *s)) {
      v = v * 10 + (*s++ - '0');
      if (v > high)
         return NULL;
   }
   *out = v;
   return v >= low ? s : NULL;
}

/* Parses a time [+-]hh[:mm[:ss]] into seconds. Returns the end of the text read. */
static const char *parse_time (const char *s, int32_t *out)
{
   int h = 0, m = 0, sec = 0, sign = *s == '-' ? -1 : 1;
   s += *s == '-' || *s == '+';
   s = parse_int (s, 0, 167, &h);
   if (s && *s == ':') {
      s = parse_int (s + 1, 0, 59, &m);
      if (s && *s == ':')
         s = parse_int (s + 1, 0, 60, &sec);
   }
   *out = sign * (h * 3600 + m * 60 + sec);
   return s;
}

static const char *parse_switch (const char *s, MtTzSwitch *out)
{
   out->seconds = 7200;
   if (*s == 'M') {
      out->kind = 'M';
      s = parse_int (s + 1, 1, 12, &out->month);
      if (!s || *s != '.' || !(s = parse_int (s + 1, 1, 5, &out->week)) || *s != '.' ||
          !(s = parse_int (s + 1, 0, 6, &out->day)))
         return NULL;
   } else {
      bool julian = *s == 'J';
      out->kind = julian ? 'J' : 'N';
      if (!(s = parse_int (s + julian, julian, 365, &out->day)))
         return NULL;
   }
   return *s == '/' ? parse_time (s + 1, &out->seconds) : s;
}

bool mt_tz_parse_rule (const char *s, MtTzRule *r)
{
   *r = (MtTzRule) {0};
   if (!(s = parse_name (s, r->std, sizeof r->std)) || !(s = parse_time (s, &r->std_offset)))
      return false;
   r->std_offset = -r->std_offset;
   if (*s == 0)
      return true;
   if (!(s = parse_name (s, r->dst, sizeof r->dst)) || !r->dst[0])
      return false;
   r->dst_offset = r->std_offset + 3600;
   if (*s && *s != ',') {
      if (!(s = parse_time (s, &r->dst_offset)))
         return false;
      r->dst_offset = -r->dst_offset;
   }
   if (*s == 0)
      s =
         /* POSIX does not define the default rule; other programs use that of the United States */
         ",M3.2.0,M11.1.0";
   return *s == ',' && (s = parse_switch (s + 1, &r->start)) && *s == ',' &&
          (s = parse_switch (s + 1, &r->end)) && *s == 0;
}

/* Returns the local time, in seconds since 1970, at which summer time begins or ends in a year. */
static int64_t switch_at (const MtTzSwitch *w, int64_t year)
{
   int64_t day;
   if (w->kind == 'M') {
      int64_t first = mt_days_from_civil (year, w->month, 1);
      int first_dow = mt_iso_dow (first) % 7;
      day = first + (w->day - first_dow + 7) % 7 + 7 * (w->week - 1);
      while (day >= first + mt_days_in_month (year, w->month))
         day -= 7;
   } else {
      bool leap = mt_days_in_month (year, 2) == 29;
      int n = w->kind == 'N' ? w->day : w->day - 1 + (leap && w->day >= 60);
      day = mt_days_from_civil (year, 1, 1) + n;
   }
   return day * DAY_S + w->seconds;
}

static bool add_type (MtZone *z, int32_t offset, bool is_dst, const char *abbrev, uint8_t *index)
{
   for (size_t i = 0; i < z->type_count && i < 256; i++)
      if (z->types[i].offset == offset && z->types[i].is_dst == is_dst &&
          strcmp (z->types[i].abbrev, abbrev) == 0) {
         *index = (uint8_t) i;
         return true;
      }
   if (z->type_count >= 256)
      return false;
   char *copy = mt_tz_memory (NULL, strlen (abbrev) + 1);
   strcpy (copy, abbrev);
   *index = (uint8_t) z->type_count;
   z->types[z->type_count++] = (MtTzType) {offset, is_dst, copy};
   return true;
}

static void add_transition (MtZone *z, int64_t at, uint8_t type, int64_t after)
{
   if (at <= after)
      return;
   z->at[z->count] = at;
   z->type[z->count++] = type;
}

bool mt_tz_add_rule (MtZone *z, const MtTzRule *r, int64_t after, int64_t first_year)
{
   uint8_t std, dst;
   if (!add_type (z, r->std_offset, false, r->std, &std))
      return false;
   if (!r->dst[0]) {
      if (z->count == 0)
         z->before = std;
      return true;
   }
   if (!add_type (z, r->dst_offset, true, r->dst, &dst))
      return false;
   size_t room = z->count + 2 * (MT_TZ_CYCLE_YEARS + 2);
   z->at = mt_tz_memory (z->at, room * sizeof *z->at);
   z->type = mt_tz_memory (z->type, room * sizeof *z->type);
   if (z->count == 0)
      z->before = std;
   for (int64_t y = first_year; y <= first_year + MT_TZ_CYCLE_YEARS + 1; y++) {
      int64_t on = switch_at (&r->start, y) - r->std_offset,
              off = switch_at (&r->end, y) - r->dst_offset;
      if (on < off) {
         add_transition (z, on, dst, after);
         add_transition (z, off, std, after);
      } else {
         add_transition (z, off, std, after);
         add_transition (z, on, dst, after);
      }
   }
   z->cyclic = true;
   return true;
}
