/* The session's variables: one row each. */
#include "session/session_int.h"

#include "base/datetime.h"

#include <stdlib.h>
#include <string.h>

typedef struct MtSetting {
   const char *name;      /* as SHOW prints it */
   const char *initial;
   const char *summary;
   bool (*set) (MtSession *s, const char *value, MtError *err); /* NULL: can't be changed */
   const char *(*show) (MtSession *s, MtArena *a); /* NULL: `fixed` */
   const char *fixed;     /* what it always is */
} MtSetting;

static bool
bad_value (const char *name, const char *value, const char *hint, MtError *err)
{
   mt_error (err, MT_E_PARAMETER, "invalid value for parameter \"%s\": \"%s\"", name, value);
   return hint ? mt_error_hint (err, "%s", hint) : false;
}

static bool
read_bool (const char *name, const char *value, bool *out, MtError *err)
{
   static const char *const on[] = {"on", "true", "yes", "1"}, *const off[] = {"off", "false", "no", "0"};
   for (size_t i = 0; i < 4; i++) {
      if (mt_ieq (value, on[i]) || mt_ieq (value, off[i])) {
         *out = mt_ieq (value, on[i]);
         return true;
      }
   }
   mt_error (err, MT_E_PARAMETER, "parameter \"%s\" requires a Boolean value", name);
   return false;
}

/* A number with one of the units, in the first unit; PostgreSQL's rules for memory and time. */
typedef struct UnitRow {
   const char *name;
   double factor;
} UnitRow;

static bool
read_quantity (const char *name, const char *value, const UnitRow *units, double plain, int64_t *out, MtError *err)
{
   char *end;
   double x = strtod (value, &end), factor = 0;
   while (*end == ' ')
      end++;
   if (!*end)
      factor = plain;
   for (const UnitRow *u = units; u->name && *end; u++)
      if (strcmp (u->name, end) == 0)
         factor = u->factor;
   if (end == value || factor == 0 || !(x >= 0) || x * factor > 9e15)
      return bad_value (name, value, "Valid units are listed in the manual: kB, MB, GB for memory; ms, s, min, h, d for time.", err);
   *out = (int64_t) (x * factor);
   return true;
}

static const UnitRow memory_units[] = {{"B", 1}, {"kB", 1024}, {"MB", 1048576}, {"GB", 1073741824}, {NULL, 0}};
static const UnitRow time_units[] = {{"us", 0.001}, {"ms", 1}, {"s", 1000}, {"min", 60000}, {"h", 3600000}, {"d", 86400000}, {NULL, 0}};

static const char *
quantity_text (MtArena *a, int64_t x, const UnitRow *units)
{
   const UnitRow *best = NULL;
   for (const UnitRow *u = units; u->name; u++)
      if (u->factor >= 1 && x % (int64_t) u->factor == 0)
         best = u;
   return x == 0 ? "0" : mt_printf (a, "%lld%s", (long long) (x / (int64_t) best->factor), best->name);
}

static bool
set_timezone (MtSession *s, const char *value, MtError *err)
{
   const MtZone *z;
   MtError inner;
   MtInterval iv;
   if (strncmp (value, MT_ZONE_INTERVAL, strlen (MT_ZONE_INTERVAL)) == 0) { /* SET TIME ZONE INTERVAL '…' */
      const char *text = value + strlen (MT_ZONE_INTERVAL);
      if (!mt_interval_in (text, strlen (text), &iv, err))
         return false;
      if (iv.months || iv.days || iv.us >= 168 * INT64_C (3600000000) || iv.us <= -168 * INT64_C (3600000000))
         return bad_value ("TimeZone", text, NULL, err);
      if (!mt_tz_find_offset ((int32_t) (iv.us / 1000000), &z, err))
         return false;
   } else if (!mt_tz_find_setting (value, &z, &inner)) {
      return bad_value ("TimeZone", value, NULL, err);
   }
   s->settings.zone = z;
   const char *name = mt_tz_name (z); /* less the marks that tell names apart from abbreviations */
   s->settings.timezone = mt_strdup (s->arena, name + (*name == ':' ? 1 : strncmp (name, "<>", 2) == 0 ? 2 : 0));
   return true;
}

static const char *
show_timezone (MtSession *s, MtArena *a)
{
   return s->settings.timezone;
}

static bool
set_layout (MtSession *s, const char *value, MtError *err)
{
   s->settings.layout = *value ? mt_strdup (s->arena, value) : NULL;
   return true;
}

static const char *
show_layout (MtSession *s, MtArena *a)
{
   return s->settings.layout ? s->settings.layout : "";
}

static bool
set_cut (MtSession *s, const char *value, MtError *err)
{
   s->settings.cut = *value ? mt_strdup (s->arena, value) : NULL;
   return true;
}

static const char *
show_cut (MtSession *s, MtArena *a)
{
   return s->settings.cut ? s->settings.cut : "";
}

static bool
set_on_malformed (MtSession *s, const char *value, MtError *err)
{
   if (!mt_ieq (value, "error") && !mt_ieq (value, "skip"))
      return bad_value ("on_malformed", value, "Available values: error, skip.", err);
   s->settings.skip_malformed = mt_ieq (value, "skip");
   return true;
}

static const char *
show_on_malformed (MtSession *s, MtArena *a)
{
   return s->settings.skip_malformed ? "skip" : "error";
}

static bool
set_optimize (MtSession *s, const char *value, MtError *err)
{
   return read_bool ("enable_cuts", value, &s->settings.optimize, err);
}

static const char *
show_optimize (MtSession *s, MtArena *a)
{
   return s->settings.optimize ? "on" : "off";
}

static bool
set_pushdown (MtSession *s, const char *value, MtError *err)
{
   return read_bool ("require_full_pushdown", value, &s->settings.require_full_pushdown, err);
}

static const char *
show_pushdown (MtSession *s, MtArena *a)
{
   return s->settings.require_full_pushdown ? "on" : "off";
}

static bool
set_work_mem (MtSession *s, const char *value, MtError *err)
{
   int64_t bytes;
   if (!read_quantity ("work_mem", value, memory_units, 1024, &bytes, err))
      return false;
   if (bytes < 65536)
      return bad_value ("work_mem", value, "It must be at least 64kB.", err);
   s->settings.work_mem = bytes;
   mt_engine_set_work_mem (s->engine, (size_t) bytes);
   return true;
}

static const char *
show_work_mem (MtSession *s, MtArena *a)
{
   return quantity_text (a, s->settings.work_mem, memory_units);
}

static bool
set_timeout (MtSession *s, const char *value, MtError *err)
{
   return read_quantity ("statement_timeout", value, time_units, 1, &s->settings.statement_timeout, err);
}

static const char *
show_timeout (MtSession *s, MtArena *a)
{
   return quantity_text (a, s->settings.statement_timeout, time_units);
}

static bool
set_float_digits (MtSession *s, const char *value, MtError *err)
{
   char *end;
   long n = strtol (value, &end, 10);
   if (*end || end == value || n < -15 || n > 3)
      return bad_value ("extra_float_digits", value, "It lies between -15 and 3.", err);
   s->settings.extra_float_digits = (int) n;
   return true;
}

static const char *
show_float_digits (MtSession *s, MtArena *a)
{
   return mt_printf (a, "%d", s->settings.extra_float_digits);
}

static bool
set_sample_size (MtSession *s, const char *value, MtError *err)
{
   char *end;
   long long n = strtoll (value, &end, 10);
   if (end == value || *end || n < 1 || n > 10000000)
      return bad_value ("sample_size", value, "It must be a number of documents, from 1 to 10000000.", err);
   s->settings.sample_size = n;
   return true;
}

static const char *
show_sample_size (MtSession *s, MtArena *a)
{
   return mt_printf (a, "%lld", (long long) s->settings.sample_size);
}

static bool
set_application_name (MtSession *s, const char *value, MtError *err)
{
   s->settings.application_name = mt_strdup (s->arena, value);
   return true;
}

static const char *
show_application_name (MtSession *s, MtArena *a)
{
   return s->settings.application_name;
}

/* There is one schema for tables; naming it, or the catalog's own, changes nothing. */
static bool
set_search_path (MtSession *s, const char *value, MtError *err)
{
   static const char *const known[] = {"public", "pg_catalog", "information_schema", "$user"};
   for (const char *p = value; *p;) {
      size_t n = strcspn (p, ", "), i = 0;
      MtStr name = {p + (*p == '"'), n - (*p == '"' ? 2 : 0)};
      while (i < sizeof known / sizeof *known && !mt_str_ieq (name, mt_str (known[i])))
         i++;
      if (n && i == sizeof known / sizeof *known)
         return bad_value ("search_path", value, "Tables are in schema public.", err);
      p += n + (p[n] != 0);
   }
   s->settings.search_path = mt_strdup (s->arena, value);
   return true;
}

static const char *
show_search_path (MtSession *s, MtArena *a)
{
   return s->settings.search_path;
}

#define FIXED(name, value, summary) {name, NULL, summary, NULL, NULL, value}

static const MtSetting settings[] = {
   {"application_name", "", "Who uses the session; it is only kept.", set_application_name, show_application_name, NULL},
   FIXED ("bytea_output", "hex", "How bytes are printed."),
   FIXED ("client_encoding", "UTF8", "The encoding of statements and results."),
   {"cut", "", "The cut at which layouts are read; empty: the cheapest.", set_cut, show_cut, NULL},
   FIXED ("DateStyle", "ISO, MDY", "How dates are printed."),
   {"enable_cuts", "on", "Whether inner levels may answer; off reads records only.", set_optimize, show_optimize, NULL},
   {"extra_float_digits", "1", "Digits of doubles: 1 and more print the shortest text that reads back.", set_float_digits, show_float_digits, NULL},
   FIXED ("integer_datetimes", "on", "Times are whole numbers."),
   FIXED ("IntervalStyle", "postgres", "How intervals are printed."),
   {"layout", "", "The layout that is read; empty: the cheapest.", set_layout, show_layout, NULL},
   FIXED ("lc_collate", "C", "The order of texts."),
   FIXED ("lc_ctype", "C", "What letters are."),
   {"on_malformed", "error", "What a document of another shape does: error, or skip with a warning.", set_on_malformed, show_on_malformed, NULL},
   {"require_full_pushdown", "off", "Refuse what would be computed outside the server.", set_pushdown, show_pushdown, NULL},
   {"sample_size", "1000", "How many documents are drawn to see what an undeclared collection has.", set_sample_size, show_sample_size, NULL},
   {"search_path", "\"$user\", public", "Where tables are looked for; there is one schema.", set_search_path, show_search_path, NULL},
   FIXED ("server_encoding", "UTF8", "The encoding of texts."),
   FIXED ("server_version", MT_SERVER_VERSION, "The PostgreSQL whose SQL this is, and mtsql's version."),
   FIXED ("server_version_num", MT_SERVER_VERSION_NUM, "The same as a number."),
   FIXED ("standard_conforming_strings", "on", "Backslashes in '...' are ordinary characters."),
   {"statement_timeout", "0", "How long a statement may run; 0: for ever.", set_timeout, show_timeout, NULL},
   {"TimeZone", "UTC", "The zone in which times are shown, read and truncated.", set_timezone, show_timezone, NULL},
   {"work_mem", "256MB", "Memory of one sort or grouping before it goes to disk.", set_work_mem, show_work_mem, NULL},
};

#define SETTING_COUNT (sizeof settings / sizeof *settings)

void
mt_settings_init (MtSession *s)
{
   MtError ignored;
   for (size_t i = 0; i < SETTING_COUNT; i++)
      if (settings[i].initial)
         settings[i].set (s, settings[i].initial, &ignored);
}

static const char *
shown (const MtSetting *row, MtSession *s, MtArena *a)
{
   return row->show ? row->show (s, a) : row->fixed;
}

static bool
find_setting (const MtName *name, const MtSetting **out, MtError *err)
{
   const char *names[SETTING_COUNT];
   for (size_t i = 0; i < SETTING_COUNT; i++) {
      names[i] = settings[i].name;
      if (mt_ieq (settings[i].name, name->text)) {
         *out = &settings[i];
         return true;
      }
   }
   mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT, "unrecognized configuration parameter \"%s\"", name->text);
   const char *near = mt_nearest (name->text, names, SETTING_COUNT);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near) : mt_error_hint (err, "SHOW ALL lists the parameters.");
}

/* What clients set though it is so: to the same value, or the first part of it. */
static bool
is_fixed (const MtSetting *row, const MtOption *v)
{
   size_t n = strcspn (row->fixed, ",");
   if (strcmp (row->fixed, "on") == 0 && mt_str_is (v->value, "true"))
      return true;
   return strncmp (row->name, "server", 6) != 0 && v->value.n >= n && strncasecmp (v->value.p, row->fixed, n) == 0;
}

static const char *
joined (MtArena *a, const MtOption *v)
{
   const char *text = "";
   for (; v; v = v->next)
      text = mt_printf (a, "%s%.*s%s", text, (int) v->value.n, v->value.p, v->next ? ", " : "");
   return text;
}

bool
mt_run_set (MtStatement *st, MtError *err)
{
   const MtSetting *row;
   if (!find_setting (&st->stmt->set.name, &row, err))
      return false;
   mt_result_set_tag (st->result, "SET");
   const MtOption *v = st->stmt->set.values;
   if (!row->set)
      return st->stmt->set.is_default || (v && is_fixed (row, v)) || mt_error_at (err, st->stmt->set.name.span, "55P02", "parameter \"%s\" cannot be changed", row->name);
   if (st->stmt->set.is_default)
      return row->set (st->session, row->initial, err);
   if (row->set == set_search_path)
      return row->set (st->session, joined (st->arena, v), err);
   if (v && v->next)
      return mt_error_at (err, v->span, MT_E_PARAMETER, "SET %s takes only one argument", row->name);
   return row->set (st->session, v ? mt_strndup (st->arena, v->value.p, v->value.n) : "", err);
}

bool
mt_run_reset (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "RESET");
   if (!st->stmt->set.name.text) {
      mt_settings_init (st->session);
      return true;
   }
   const MtSetting *row;
   if (!find_setting (&st->stmt->set.name, &row, err))
      return false;
   return !row->initial || row->set (st->session, row->initial, err);
}

bool
mt_run_show (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "SHOW");
   if (st->stmt->set.name.text) {
      const MtSetting *row;
      if (!find_setting (&st->stmt->set.name, &row, err))
         return false;
      const char *value = shown (row, st->session, st->arena);
      mt_result_text_columns (st->result, 1, &row->name);
      mt_result_add_row (st->result, &value);
      return true;
   }
   static const char *const names[] = {"name", "setting", "description"};
   mt_result_text_columns (st->result, 3, names);
   for (size_t i = 0; i < SETTING_COUNT; i++)
      mt_result_add_row (st->result, (const char *[]){settings[i].name, shown (&settings[i], st->session, st->arena), settings[i].summary});
   return true;
}

bool
mt_setting_at (MtSession *s, MtArena *a, size_t index, MtSettingInfo *out)
{
   if (index >= SETTING_COUNT)
      return false;
   const MtSetting *row = &settings[index];
   *out = (MtSettingInfo){row->name, shown (row, s, a), row->summary, row->initial, row->set != NULL};
   return true;
}
