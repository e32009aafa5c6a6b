#include "types/tz_int.h"

#include "base/str.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PostgreSQL 15's default abbreviations that have a fixed offset: the name, the offset in quarters
 * of an hour east of UTC, and whether it is daylight-saving time. */
static const struct {
   const char *name;
   int quarters;
   bool is_dst;
} abbreviations[] = {
   {"ACDT", 42, true},   {"ACSST", 42, true},  {"ACST", 38, false},  {"ACT", -20, false},
   {"ACWST", 35, false}, {"ADT", -12, true},   {"AEDT", 44, true},   {"AESST", 44, true},
   {"AEST", 40, false},  {"AFT", 18, false},   {"AKDT", -32, true},  {"AKST", -36, false},
   {"ALMST", 28, true},  {"ALMT", 24, false},  {"AMT", -16, false},  {"AST", -16, false},
   {"AWSST", 36, true},  {"AWST", 32, false},  {"AZOST", 0, true},   {"AZOT", -4, false},
   {"BDST", 8, true},    {"BDT", 24, false},   {"BNT", 32, false},   {"BORT", 32, false},
   {"BOT", -16, false},  {"BRA", -12, false},  {"BRST", -8, true},   {"BRT", -12, false},
   {"BST", 4, true},     {"BTT", 24, false},   {"CADT", 42, true},   {"CAST", 38, false},
   {"CCT", 32, false},   {"CDT", -20, true},   {"CEST", 8, true},    {"CET", 4, false},
   {"CETDST", 8, true},  {"CHADT", 55, true},  {"CHAST", 51, false}, {"CHUT", 40, false},
   {"CLST", -12, true},  {"COT", -20, false},  {"CST", -24, false},  {"CXT", 28, false},
   {"DDUT", 40, false},  {"EAT", 12, false},   {"EDT", -16, true},   {"EEST", 12, true},
   {"EET", 8, false},    {"EETDST", 12, true}, {"EGST", 0, true},    {"EGT", -4, false},
   {"EST", -20, false},  {"FET", 12, false},   {"FJST", 52, true},   {"FJT", 48, false},
   {"FNST", -4, true},   {"FNT", -8, false},   {"GALT", -24, false}, {"GAMT", -36, false},
   {"GFT", -12, false},  {"GILT", 48, false},  {"GMT", 0, false},    {"HKT", 32, false},
   {"HST", -40, false},  {"ICT", 28, false},   {"IDT", 12, true},    {"IRT", 14, false},
   {"IST", 8, false},    {"JAYT", 36, false},  {"JST", 36, false},   {"KDT", 40, true},
   {"KGST", 24, true},   {"KST", 36, false},   {"LHST", 42, false},  {"LIGT", 40, false},
   {"MART", -38, false}, {"MDT", -24, true},   {"MEST", 8, true},    {"MESZ", 8, true},
   {"MET", 4, false},    {"METDST", 8, true},  {"MEZ", 4, false},    {"MHT", 48, false},
   {"MMT", 26, false},   {"MPT", 40, false},   {"MSD", 16, true},    {"MST", -28, false},
   {"MUST", 20, true},   {"MUT", 16, false},   {"MVT", 20, false},   {"MYT", 32, false},
   {"NDT", -10, true},   {"NFT", -14, false},  {"NPT", 23, false},   {"NST", -14, false},
   {"NZDT", 52, true},   {"NZST", 48, false},  {"NZT", 48, false},   {"PDT", -28, true},
   {"PET", -20, false},  {"PGT", 40, false},   {"PHT", 32, false},   {"PKST", 24, true},
   {"PKT", 20, false},   {"PMDT", -8, true},   {"PMST", -12, false}, {"PONT", 44, false},
   {"PST", -32, false},  {"PWT", 36, false},   {"PYST", -12, true},  {"RET", 16, false},
   {"SADT", 42, true},   {"SAST", 8, false},   {"SCT", 16, false},   {"TAHT", -40, false},
   {"TFT", 20, false},   {"TJT", 20, false},   {"TOT", 52, false},   {"TRUT", 40, false},
   {"TVT", 48, false},   {"UCT", 0, false},    {"ULAST", 36, true},  {"UT", 0, false},
   {"UTC", 0, false},    {"UYST", -8, true},   {"UYT", -12, false},  {"UZST", 24, true},
   {"UZT", 20, false},   {"VUT", 44, false},   {"WADT", 32, true},   {"WAKT", 48, false},
   {"WAST", 28, false},  {"WAT", 4, false},    {"WDT", 36, true},    {"WET", 0, false},
   {"WETDST", 4, true},  {"WFT", 48, false},   {"WGST", -8, true},   {"WGT", -12, false},
   {"XJT", 24, false},   {"YAPT", 40, false},  {"YEKST", 24, true},  {"Z", 0, false},
   {"ZULU", 0, false},
};

/* PostgreSQL's abbreviations whose offset has changed in history, each with its zone. The offset
 * for a time is that of the abbreviation in the zone, or, if the zone did not use it then, the
 * offset in force. */
static const struct {
   const char *name, *zone;
} regional[] = {
   {"AMST", "Asia/Yerevan"},
   {"ANAST", "Asia/Anadyr"},
   {"ANAT", "Asia/Anadyr"},
   {"ARST", "America/Argentina/Buenos_Aires"},
   {"ART", "America/Argentina/Buenos_Aires"},
   {"AZST", "Asia/Baku"},
   {"AZT", "Asia/Baku"},
   {"CKT", "Pacific/Rarotonga"},
   {"CLT", "America/Santiago"},
   {"DAVT", "Antarctica/Davis"},
   {"EASST", "Pacific/Easter"},
   {"EAST", "Pacific/Easter"},
   {"FKST", "Atlantic/Stanley"},
   {"FKT", "Atlantic/Stanley"},
   {"GEST", "Asia/Tbilisi"},
   {"GET", "Asia/Tbilisi"},
   {"GYT", "America/Guyana"},
   {"IOT", "Indian/Chagos"},
   {"IRKST", "Asia/Irkutsk"},
   {"IRKT", "Asia/Irkutsk"},
   {"KGT", "Asia/Bishkek"},
   {"KOST", "Pacific/Kosrae"},
   {"KRAST", "Asia/Krasnoyarsk"},
   {"KRAT", "Asia/Krasnoyarsk"},
   {"LHDT", "Australia/Lord_Howe"},
   {"LINT", "Pacific/Kiritimati"},
   {"LKT", "Asia/Colombo"},
   {"MAGST", "Asia/Magadan"},
   {"MAGT", "Asia/Magadan"},
   {"MAWT", "Antarctica/Mawson"},
   {"MSK", "Europe/Moscow"},
   {"NOVST", "Asia/Novosibirsk"},
   {"NOVT", "Asia/Novosibirsk"},
   {"NUT", "Pacific/Niue"},
   {"OMSST", "Asia/Omsk"},
   {"OMST", "Asia/Omsk"},
   {"PETST", "Asia/Kamchatka"},
   {"PETT", "Asia/Kamchatka"},
   {"PYT", "America/Asuncion"},
   {"SGT", "Asia/Singapore"},
   {"TKT", "Pacific/Fakaofo"},
   {"TMT", "Asia/Ashgabat"},
   {"ULAT", "Asia/Ulaanbaatar"},
   {"VET", "America/Caracas"},
   {"VLAST", "Asia/Vladivostok"},
   {"VLAT", "Asia/Vladivostok"},
   {"VOLT", "Europe/Volgograd"},
   {"YAKST", "Asia/Yakutsk"},
   {"YAKT", "Asia/Yakutsk"},
   {"YEKT", "Asia/Yekaterinburg"},
};

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
/* Caches of zones; zones are never removed. There are three, because one name can mean different
 * things: "CET" is an abbreviation in PostgreSQL, and a zone with summer time in MongoDB; "+05:30"
 * is west of UTC in POSIX, and east elsewhere. */
static MtZone *postgres_zones, *mongo_zones, *fixed_zones;

static MtZone utc_zone = {.name = "UTC", .types = {{0, false, "UTC"}}, .type_count = 1};

const MtZone *mt_tz_utc (void) { return &utc_zone; }
const char *mt_tz_name (const MtZone *z) { return z->name; }
bool mt_tz_is_fixed (const MtZone *z) { return z->count == 0; }

/* ---- finding a zone by its name ---- */

/* Replaces `path`, a folder, by the path of the entry in it whose name is `name`; upper and lower
 * case are equal. Returns false if there is none. */
static bool find_entry (char *path, size_t size, const char *name, size_t len)
{
   DIR *dir = opendir (path);
   if (!dir)
      return false;
   bool found = false;
   for (struct dirent *e; !found && (e = readdir (dir));)
      if (strlen (e->d_name) == len && mt_str_ieq ((MtStr) {name, len}, (MtStr) {e->d_name, len})) {
         size_t n = strlen (path);
         found = n + 1 + len < size;
         if (found)
            snprintf (path + n, size - n, "/%.*s", (int) len, e->d_name);
      }
   closedir (dir);
   return found;
}

static MtZone *read_named (const char *name, size_t len)
{
   char path[sizeof MT_ZONES_DIR + MT_TZ_NAME_BYTES + 2] = MT_ZONES_DIR;
   if (len == 0 || len >= MT_TZ_NAME_BYTES || name[0] == '.' || name[0] == '/')
      return NULL;
   for (size_t i = 0; i < len;) {
      const char *slash = memchr (name + i, '/', len - i);
      size_t n = slash ? (size_t) (slash - (name + i)) : len - i;
      if (n == 0 || name[i] == '.' || !find_entry (path, sizeof path, name + i, n))
         return NULL;
      i += n + 1;
   }
   MtZone *z = mt_tz_read_file (path);
   if (z)
      /* the name is zeroed, so it ends with a NUL */
      memcpy (z->name, path + sizeof MT_ZONES_DIR, len);
   return z;
}

static MtZone *new_zone (const char *name)
{
   MtZone *z = mt_tz_memory (NULL, sizeof *z);
   memset (z, 0, sizeof *z);
   snprintf (z->name, sizeof z->name, "%s", name);
   return z;
}

static MtZone *from_rule (const char *name, size_t len)
{
   char text[MT_TZ_NAME_BYTES];
   MtTzRule rule;
   if (len == 0 || len >= sizeof text)
      return NULL;
   for (size_t i = 0; i < len; i++)
      text[i] = (char) toupper ((unsigned char) name[i]);
   text[len] = 0;
   if (!mt_tz_parse_rule (text, &rule))
      return NULL;
   MtZone *z = new_zone (text);
   mt_tz_add_rule (z, &rule, INT64_MIN, 1900);
   return z;
}

static MtZone *fixed_zone (int32_t offset, bool is_dst, const char *name)
{
   MtZone *z = new_zone (name);
   z->types[0] = (MtTzType) {offset, is_dst, z->name};
   z->type_count = 1;
   return z;
}

static MtZone *from_abbreviation (const char *name, size_t len)
{
   for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++)
      if (mt_str_ieq ((MtStr) {name, len}, mt_str (abbreviations[i].name)))
         return fixed_zone (abbreviations[i].quarters * 900, abbreviations[i].is_dst,
                            abbreviations[i].name);
   return NULL;
}

/* If the zone uses this abbreviation, changes its transitions to other types: they get the last
 * earlier type with the abbreviation, or else its first one. So MSK in summer is not MSD. */
static void keep_abbreviation (MtZone *z, const char *name)
{
   size_t known = z->type_count;
   for (size_t i = z->count; i-- > 0;)
      if (strcmp (z->types[z->type[i]].abbrev, name) == 0)
         known = z->type[i];
   if (known == z->type_count)
      return;
   z->before = known; /* the first type with the abbreviation is used for earlier times, too */
   for (size_t i = 0; i < z->count; i++) {
      if (strcmp (z->types[z->type[i]].abbrev, name) == 0)
         known = z->type[i];
      z->type[i] = (uint8_t) known;
   }
}

static MtZone *from_regional (const char *name, size_t len)
{
   for (size_t i = 0; i < sizeof regional / sizeof *regional; i++) {
      if (!mt_str_ieq ((MtStr) {name, len}, mt_str (regional[i].name)))
         continue;
      MtZone *z = read_named (regional[i].zone, strlen (regional[i].zone));
      if (!z)
         return NULL;
      keep_abbreviation (z, regional[i].name);
      snprintf (z->name, sizeof z->name, "%s", regional[i].name);
      return z;
   }
   return NULL;
}

static const MtZone *cached (const MtZone *list, const char *name, size_t len)
{
   for (const MtZone *z = list; z; z = z->next)
      if (mt_str_ieq ((MtStr) {name, len}, mt_str (z->name)))
         return z;
   return NULL;
}

static const MtZone *keep (MtZone **list, MtZone *z)
{
   if (z) {
      z->next = *list;
      *list = z;
   }
   return z;
}

/* Finds a zone by a name such as ":CET", which always means the zone's file. ("CET" without the
 * colon is the abbreviation.) */
static MtZone *from_file_only (const char *name, size_t len)
{
   MtZone *z = read_named (name + 1, len - 1);
   if (z && len < sizeof z->name) {
      memmove (z->name + 1, z->name, len);
      z->name[0] = ':';
   }
   return z;
}

static MtZone *make_postgres (const char *name, size_t len)
{
   if (len > 1 && name[0] == ':')
      return from_file_only (name, len);
   MtZone *z = from_abbreviation (name, len);
   if (!z)
      z = from_regional (name, len);
   if (!z)
      z = read_named (name, len);
   return z ? z : from_rule (name, len);
}

static bool is_utc (const char *name, size_t len)
{
   MtStr s = {name, len};
   return mt_str_ieq (s, MT_STR ("UTC")) || mt_str_ieq (s, MT_STR ("Z")) ||
          mt_str_ieq (s, MT_STR ("zulu"));
}

bool mt_tz_find (const char *name, size_t len, const MtZone **out, MtError *err)
{
   if (is_utc (name, len)) {
      *out = &utc_zone;
      return true;
   }
   /* a plain offset is parsed as a POSIX rule with an empty abbreviation */
   char text[MT_TZ_NAME_BYTES];
   if (len > 0 && len < sizeof text - 2 && (name[0] == '+' || name[0] == '-')) {
      snprintf (text, sizeof text, "<>%.*s", (int) len, name);
      name = text;
      len += 2;
   }
   pthread_mutex_lock (&cache_lock);
   const MtZone *z = cached (postgres_zones, name, len);
   if (!z)
      z = keep (&postgres_zones, make_postgres (name, len));
   pthread_mutex_unlock (&cache_lock);
   if (name == text) {
      name += 2;
      len -= 2;
   }
   if (!z)
      return mt_error (err, MT_E_PARAMETER, "time zone \"%.*s\" not recognized", (int) len, name);
   *out = z;
   return true;
}

static bool is_abbreviation (const char *name)
{
   for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++)
      if (mt_str_ieq (mt_str (name), mt_str (abbreviations[i].name)))
         return true;
   for (size_t i = 0; i < sizeof regional / sizeof *regional; i++)
      if (mt_str_ieq (mt_str (name), mt_str (regional[i].name)))
         return true;
   return false;
}

bool mt_tz_find_setting (const char *name, const MtZone **out, MtError *err)
{
   char text[MT_TZ_NAME_BYTES + 1], *end;
   double hours = strtod (name, &end);
   if (end != name && *end == 0) {
      if (!(hours >= -167 && hours <= 167))
         return mt_error (err, MT_E_PARAMETER, "time zone \"%s\" not recognized", name);
      return mt_tz_find_offset ((int32_t) (hours * 3600), out, err);
   }
   if (!is_abbreviation (name) || is_utc (name, strlen (name)))
      return mt_tz_find (name, strlen (name), out, err);
   snprintf (text, sizeof text, ":%s", name);
   return mt_tz_find (text, strlen (text), out, err);
}

/* The zone's name has POSIX form, such as "<+05:30>-05:30", so that mt_tz_find finds it again. */
bool mt_tz_find_offset (int32_t seconds, const MtZone **out, MtError *err)
{
   char at[16], text[MT_TZ_NAME_BYTES];
   int32_t size = seconds < 0 ? -seconds : seconds;
   int n = snprintf (at, sizeof at, "%02d", size / 3600);
   if (size % 3600)
      n += snprintf (at + n, sizeof at - (size_t) n, ":%02d", size / 60 % 60);
   if (size % 60)
      snprintf (at + n, sizeof at - (size_t) n, ":%02d", size % 60);
   int len = snprintf (text, sizeof text, "<%c%s>%c%s", seconds < 0 ? '-' : '+', at,
                       seconds < 0 ? '+' : '-', at);
   return mt_tz_find (text, (size_t) len, out, err);
}

const MtZone *mt_tz_fixed (int32_t seconds)
{
   char name[MT_TZ_NAME_BYTES];
   if (seconds == 0)
      return &utc_zone;
   int32_t size = seconds < 0 ? -seconds : seconds;
   int n = snprintf (name, sizeof name, "%c%02d:%02d", seconds < 0 ? '-' : '+', size / 3600,
                     size / 60 % 60);
   if (size % 60)
      n += snprintf (name + n, sizeof name - (size_t) n, ":%02d", size % 60);
   pthread_mutex_lock (&cache_lock);
   const MtZone *z = cached (fixed_zones, name, (size_t) n);
   if (!z)
      z = keep (&fixed_zones, fixed_zone (seconds, false, name));
   pthread_mutex_unlock (&cache_lock);
   return z;
}

/* Parses an offset +hh, +hhmm or +hh:mm, east of UTC, as MongoDB does. */
static bool mongo_offset (const char *p, size_t n, int32_t *out)
{
   char d[5] = "0000";
   if ((n != 3 && n != 5 && n != 6) || (p[0] != '+' && p[0] != '-') || (n == 6 && p[3] != ':'))
      return false;
   for (size_t i = 1, k = 0; i < n; i++)
      if (!(n == 6 && i == 3)) {
         if (!isdigit ((unsigned char) p[i]))
            return false;
         d[k++] = p[i];
      }
   int32_t s = ((d[0] - '0') * 10 + d[1] - '0') * 3600 + ((d[2] - '0') * 10 + d[3] - '0') * 60;
   *out = p[0] == '-' ? -s : s;
   return true;
}

bool mt_tz_find_mongo (const char *name, size_t len, const MtZone **out, MtError *err)
{
   int32_t offset;
   if (mongo_offset (name, len, &offset)) {
      *out = mt_tz_fixed (offset);
      return true;
   }
   if (is_utc (name, len)) {
      *out = &utc_zone;
      return true;
   }
   pthread_mutex_lock (&cache_lock);
   const MtZone *z = cached (mongo_zones, name, len);
   if (!z)
      z = keep (&mongo_zones, read_named (name, len));
   pthread_mutex_unlock (&cache_lock);
   if (!z)
      return mt_error (err, MT_E_PARAMETER, "unrecognized time zone identifier: \"%.*s\"",
                       (int) len, name);
   *out = z;
   return true;
}

/* ---- looking up the offset of a time ---- */

/* Returns how many transitions (changes of the offset) are at or before t. The last of them is in
 * force at t. */
static size_t count_before (const MtZone *z, int64_t t)
{
   size_t lo = 0, hi = z->count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (z->at[mid] <= t)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

/* Moves a time t after the table of transitions back by whole cycles of 400 years, so that the
 * table covers it. *shift is by how much. */
static int64_t into_table (const MtZone *z, int64_t t, int64_t *shift)
{
   *shift = 0;
   if (z->cyclic && t >= z->at[z->count - 1]) {
      *shift = ((t - z->at[z->count - 1]) / MT_TZ_CYCLE_S + 1) * MT_TZ_CYCLE_S;
      t -= *shift;
   }
   return t;
}

static const MtTzType *type_at (const MtZone *z, size_t before)
{
   return &z->types[before ? z->type[before - 1] : z->before];
}

static int64_t to_ms (int64_t s)
{
   int64_t ms;
   if (!__builtin_mul_overflow (s, 1000, &ms))
      return ms;
   return s < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t to_s (int64_t ms) { return ms / 1000 - (ms % 1000 < 0); }

static const MtTzType *span_of (const MtZone *z, int64_t t, int64_t *from, int64_t *to)
{
   int64_t shift;
   size_t n = count_before (z, into_table (z, t, &shift)), lo = n, hi = n;
   const MtTzType *type = type_at (z, n);
   /* transitions that only change the abbreviation don't end the span */
   while (lo > 0 && type_at (z, lo - 1)->offset == type->offset)
      lo--;
   while (hi < z->count && z->types[z->type[hi]].offset == type->offset)
      hi++;
   *from = lo > 0 ? z->at[lo - 1] + shift : INT64_MIN;
   if (hi == z->count && z->cyclic)
      hi--;
   *to = hi < z->count ? z->at[hi] + shift : INT64_MAX;
   return type;
}

int32_t mt_tz_span (const MtZone *z, int64_t ms, int64_t *from, int64_t *to)
{
   int64_t a, b;
   int32_t offset = span_of (z, to_s (ms), &a, &b)->offset;
   *from = to_ms (a);
   *to = to_ms (b);
   return offset;
}

int32_t mt_tz_offset (const MtZone *z, int64_t ms)
{
   static _Thread_local struct {
      const MtZone *zone;
      int64_t from, to;
      int32_t offset;
   } last;
   if (z->count == 0)
      return z->types[z->before].offset;
   if (last.zone != z || ms < last.from || ms >= last.to) {
      last.offset = mt_tz_span (z, ms, &last.from, &last.to);
      last.zone = z;
   }
   return last.offset;
}

int32_t mt_tz_offset_info (const MtZone *z, int64_t ms, const char **abbrev, bool *is_dst)
{
   int64_t shift;
   const MtTzType *t = type_at (z, count_before (z, into_table (z, to_s (ms), &shift)));
   *abbrev = t->abbrev;
   *is_dst = t->is_dst;
   return t->offset;
}

bool mt_tz_next_transition (const MtZone *z, int64_t ms, int64_t *next)
{
   int64_t from, to;
   int32_t offset = mt_tz_span (z, ms, &from, &to);
   if (to == INT64_MAX)
      return false;
   /* At the end of the table, a span may go on in the next cycle. If one cycle has no change of the
    * offset, none has. */
   for (int ends = 0; mt_tz_offset (z, to) == offset; ends++) {
      if (ends == 2)
         return false;
      mt_tz_span (z, to, &from, &to);
      if (to == INT64_MAX)
         return false;
   }
   *next = to;
   return true;
}

int64_t mt_tz_to_utc (const MtZone *z, int64_t local)
{
   /* As in PostgreSQL, the first transition after the time one day before `local` decides. No zone
    * has two transitions within this day. */
   int64_t day_before = local < INT64_MIN + 2 * 86400000 ? local : local - 86400000, boundary;
   int64_t before = (int64_t) mt_tz_offset (z, day_before) * 1000;
   if (z->count == 0 || !mt_tz_next_transition (z, day_before, &boundary))
      return local - before;
   int64_t after = (int64_t) mt_tz_offset (z, boundary) * 1000;
   int64_t by_before = local - before, by_after = local - after;
   if (by_before < boundary && by_after < boundary)
      return by_before;
   if (by_before > boundary && by_after >= boundary)
      return by_after;
   return by_before > by_after ? by_before : by_after;
}
