/* Presets for counters. A document has the sums of one series (one combination of dimensions) in a
 * day or month, divided by minute, hour or day. */
#include "layouts/presets/preset_int.h"
#include "layouts/stored.h"

#include <string.h>

/* The table's dimensions and measures. */
typedef struct Series {
   int dims[MT_MAX_COLUMNS];
   int dim_count, measure, measure_count;
} Series;

static Series series_of (const MtTable *t)
{
   Series s = {.measure = -1};
   for (size_t i = 0; i < t->column_count && i < MT_MAX_COLUMNS; i++) {
      if (t->columns[i].role == MT_COL_DIMENSION)
         s.dims[s.dim_count++] = (int) i;
      if (t->columns[i].role == MT_COL_MEASURE) {
         s.measure = (int) i;
         s.measure_count++;
      }
   }
   return s;
}

/* ---- bindings and ids ---- */

/* Appends where a column is stored (its binding in the descriptor), or, if column < 0, the time
 * truncated to the unit `what`. The value is read from the field `at`, or, if from_id, from the
 * _id; then `at` has a copy. at NULL: only the _id has the value. */
static void bind (MtPresetBuild *b, int column, const char *what, const char *at,
                  const char *encoding, bool from_id)
{
   mt_preset_raw (b, column >= 0 ? "{\"column\": " : "{\"trunc\": ");
   mt_preset_str (b, column >= 0 ? b->t->columns[column].name : what);
   if (from_id || !at)
      mt_preset_raw (b, ", \"from\": \"id\"");
   if (at) {
      mt_preset_raw (b, ", \"at\": ");
      mt_preset_str (b, at);
   }
   if (at && encoding) {
      mt_preset_raw (b, ", \"encoding\": ");
      mt_preset_raw (b, encoding);
   }
   mt_preset_raw (b, "}");
}

/* Appends to the descriptor how documents are written, and the composed _id: the time in `format`,
 * and the dimensions, with separators between them. bound: the _id is a column that the root level
 * binds, so no composed _id is appended. */
static void compose (MtPresetBuild *b, const Series *s, const char *unit, const char *format,
                     const char *separator, bool bound)
{
   mt_preset_raw (b, ", \"write\": \"inc\"");
   if (b->preallocate)
      mt_preset_raw (b, mt_printf (b->a, ", \"preallocate\": %lld", (long long) b->preallocate));
   if (bound)
      return;
   mt_preset_raw (b, ", \"id\": [{\"trunc\": ");
   mt_preset_str (b, unit);
   mt_preset_raw (b, ", \"encoding\": {\"format\": ");
   mt_preset_str (b, format);
   mt_preset_raw (b, "}}");
   for (int i = 0; i < s->dim_count; i++) {
      const MtColumn *c = &b->t->columns[s->dims[i]];
      mt_preset_raw (b, ", ");
      mt_preset_str (b, separator);
      mt_preset_raw (b, ", {\"column\": ");
      mt_preset_str (b, c->name);
      mt_preset_raw (b, mt_is_text_type (c->type.id) ? "}" : ", \"encoding\": \"text\"}");
   }
   mt_preset_raw (b, "]");
}

/* ---- levels ---- */

/* The keys of a map by time: the number of the unit `part` within the unit `of`, such as the hour
 * of the day. */
typedef struct TimeKeys {
   const char *part, *of;
   int first; /* the number of the first unit: 0 or 1 */
   int pad;   /* digits with leading zeros; 0: not padded */
} TimeKeys;

/* Appends to the descriptor a map level at path `at`. below: JSON fields that describe the map's
 * values. */
static void map (MtPresetBuild *b, const char *at, TimeKeys keys, const char *below)
{
   mt_preset_raw (
      b,
      mt_printf (b->a,
                 "{\"is\": \"map\", \"at\": \"%s\", \"bind\": [{\"part\": \"%s\", \"of\": \"%s\", "
                 "\"base\": %d, \"encoding\": "
                 "{\"kind\": \"text\", \"pad\": %d}}], %s}",
                 at, keys.part, keys.of, keys.first, keys.pad, below));
}

/* Returns the JSON of a map level whose maps are the values of another map. */
static const char *inner_map (MtPresetBuild *b, const char *part, const char *of, int pad,
                              const char *below)
{
   return mt_printf (
      b->a,
      "\"sub\": {\"is\": \"map\", \"at\": \"\", \"bind\": [{\"part\": \"%s\", \"of\": \"%s\", "
      "\"encoding\": {\"kind\": \"text\", \"pad\": %d}}], %s}",
      part, of, pad, below);
}

/* Reads the option preallocate, such as '1/2000': one write in 2000 creates the document of the
 * next period. */
static bool preallocate_option (MtPresetBuild *b)
{
   const MtPresetOption *o = mt_preset_option (b, "preallocate");
   int64_t hits;
   if (!o)
      return true;
   bool ok = strncmp (o->value, "1/", 2) == 0 && mt_read_digits (mt_str (o->value + 2), &hits) &&
             hits >= 1 && hits <= 1000000000;
   b->preallocate = ok ? hits : 0;
   return ok ||
          mt_preset_bad_value (
             b, o,
             "It is a probability, '1/2000': one hit in so many makes the next day's document.");
}

/* ---- daily_metrics ---- */

typedef struct Daily {
   bool hierarchical, minute_of_day, unpadded, fields;
} Daily;

static bool daily_options (MtPresetBuild *b, Daily *d)
{
   const MtPresetOption *inner = mt_preset_option (b, "inner_key");
   bool padded = true;
   if (!mt_preset_either (b, "style", "flat", "hierarchical", &d->hierarchical) ||
       !mt_preset_either (b, "inner_key", "minute of hour", "minute of day", &d->minute_of_day) ||
       !mt_preset_either (b, "trust", "id", "fields", &d->fields) ||
       !mt_preset_bool (b, "padded", &padded))
      return false;
   d->unpadded = !padded;
   return !inner || d->hierarchical ||
          mt_preset_bad_value (
             b, inner,
             "Only style = 'hierarchical' has an inner key; in the flat one it is the minute of "
             "the day.");
}

static bool daily_columns (MtPresetBuild *b, const Series *s)
{
   if (!s->measure_count)
      return mt_error (b->err, MT_E_INVALID_DEFINITION,
                       "layout \"daily_metrics\" needs a measure that is a COUNTER");
   for (size_t i = 0; i < b->t->column_count; i++) {
      if (b->t->columns[i].role != MT_COL_MEASURE || b->t->columns[i].counter)
         continue;
      mt_error (b->err, MT_E_INVALID_DEFINITION,
                "layout \"daily_metrics\" needs a measure that is a COUNTER");
      return mt_error_hint (
         b->err,
         "A stored 0 means there that nothing happened, which is right only for increments above "
         "0: declare \"%s\" MEASURE COUNTER.",
         b->t->columns[i].name);
   }
   return true;
}

/* Returns the JSON for the sums in a cell (array or map element). With one measure a cell is a
 * number, with several a sub-document. */
static const char *daily_sums (MtPresetBuild *b, const Series *s)
{
   const char *list = "";
   for (size_t i = 0; i < b->t->column_count; i++)
      if (b->t->columns[i].role == MT_COL_MEASURE)
         list = mt_printf (b->a, "%s%s%s: %s", list, *list ? ", " : "",
                           mt_preset_quoted (b, b->t->columns[i].name),
                           s->measure_count > 1 ? mt_preset_quoted (b, b->t->columns[i].field)
                                                : "\"\"");
   return mt_printf (b->a, "\"agg\": {\"measures\": {%s}, \"zero\": \"absent\"}", list);
}

static void daily_minutes (MtPresetBuild *b, const Daily *d, const char *agg)
{
   int two = d->unpadded ? 0 : 2, four = d->unpadded ? 0 : 4;
   if (!d->hierarchical)
      map (b, "minute", (TimeKeys) {"minute", "day", 0, four}, agg);
   else
      map (b, "minute", (TimeKeys) {"hour", "day", 0, two},
           d->minute_of_day ? inner_map (b, "minute", "day", four, agg)
                            : inner_map (b, "minute", "hour", two, agg));
}

bool mt_preset_daily_metrics (MtPresetBuild *b)
{
   Series s = series_of (b->t);
   Daily d = {0};
   if (!mt_preset_need_time (b) || !daily_columns (b, &s) || !daily_options (b, &d) ||
       !preallocate_option (b))
      return false;
   const char *agg = daily_sums (b, &s);
   mt_preset_begin (b, "sums");
   const char *date = mt_preset_option (b, "time_encoding") ? mt_preset_time (b) : "\"date\"";
   bool id_alone = !s.dim_count && !d.fields; /* without dimensions, the _id is the day */
   compose (b, &s, "day", "%Y%m%d", "/", id_alone);
   mt_preset_raw (b, ", \"root\": {\"is\": \"document\", \"bind\": [");
   bind (b, -1, "day", id_alone ? "_id" : "metadata.date",
         id_alone ? "{\"format\": \"%Y%m%d\"}" : date, s.dim_count && !d.fields);
   for (int i = 0; i < s.dim_count; i++) {
      mt_preset_raw (b, ", ");
      bind (b, s.dims[i], NULL, mt_printf (b->a, "metadata.%s", b->t->columns[s.dims[i]].field),
            NULL, !d.fields);
   }
   mt_preset_raw (b, "], \"alt\": [{\"is\": \"scalar\", \"at\": \"daily\", ");
   mt_preset_raw (b, agg);
   mt_preset_raw (b, "}, ");
   map (b, "hourly", (TimeKeys) {"hour", "day", 0, d.unpadded ? 0 : 2}, agg);
   mt_preset_raw (b, ", ");
   daily_minutes (b, &d, agg);
   mt_preset_raw (b, "]}}]}");
   return true;
}

/* ---- mms ---- */

typedef struct Mms {
   bool hierarchical, fields, months, id_has_day;
} Mms;

static bool mms_options (MtPresetBuild *b, Mms *m)
{
   static const char *const of_months[] = {"hours_collection", "days_collection", "month_id"};
   if (!mt_preset_either (b, "style", "flat", "hierarchical", &m->hierarchical) ||
       !mt_preset_either (b, "trust", "id", "fields", &m->fields) ||
       !mt_preset_bool (b, "months", &m->months) ||
       !mt_preset_either (b, "month_id", "month", "day", &m->id_has_day))
      return false;
   const MtPresetOption *time = mt_preset_option (b, "time_encoding");
   if (time)
      return mt_preset_bad_value (b, time, "The days of this layout are text, 20110620.");
   for (size_t i = 0; i < sizeof of_months / sizeof *of_months; i++) {
      const MtPresetOption *o = mt_preset_option (b, of_months[i]);
      if (o && !m->months)
         return mt_preset_bad_value (b, o, "Only months = true has documents of months.");
   }
   return true;
}

static bool mms_columns (MtPresetBuild *b, const Series *s)
{
   if (s->dim_count == 3 && s->measure_count == 1)
      return true;
   mt_error (b->err, MT_E_INVALID_DEFINITION,
             "layout \"mms\" needs exactly three dimensions and one measure beside the time");
   return mt_error_hint (
      b->err,
      "They are, in this order: the item (field \"i\"), its group (\"g\") and the host, which only "
      "the _id has; and the total (\"t\").");
}

static const char *days_format (const Mms *m) { return m->id_has_day ? "%Y%m%d" : "%Y%m"; }

/* A store whose documents each have a map of the days of a month. */
typedef struct MonthStore {
   /* the option that names the collection, and the suffix of the default name */
   const char *option, *suffix;
   int first_day;     /* the key of the month's first day: 0 or 1 */
   const char *below; /* JSON fields that describe the map's values */
} MonthStore;

/* Appends a store with a document for each month. All columns and times that its root level binds
 * are read from the _id. */
static void mms_months (MtPresetBuild *b, const Series *s, const Mms *m, MonthStore store)
{
   const MtPresetOption *o = mt_preset_option (b, store.option);
   mt_preset_raw (b, "}, {");
   mt_preset_collection (b, o ? o->value : mt_printf (b->a, "%s_%s", b->collection, store.suffix));
   compose (b, s, "month", days_format (m), "-", false);
   mt_preset_raw (b, ", \"root\": {\"is\": \"document\", \"bind\": [");
   bind (b, -1, "month", NULL, NULL, true);
   for (int i = 0; i < s->dim_count; i++) {
      mt_preset_raw (b, ", ");
      bind (b, s->dims[i], NULL, NULL, NULL, true);
   }
   mt_preset_raw (b, "], \"sub\": ");
   map (b, "d", (TimeKeys) {"day", "month", store.first_day, 0}, store.below);
   mt_preset_raw (b, "}");
}

static void mms_day (MtPresetBuild *b, const Series *s, const Mms *m, const char *agg)
{
   static const char *const fields[] = {"i", "g", NULL};
   compose (b, s, "day", "%Y%m%d", "-", false);
   mt_preset_raw (b, ", \"root\": {\"is\": \"document\", \"bind\": [");
   bind (b, -1, "day", "d", "{\"format\": \"%Y%m%d\"}", !m->fields);
   for (int i = 0; i < s->dim_count; i++) {
      mt_preset_raw (b, ", ");
      bind (b, s->dims[i], NULL, fields[i], NULL, !m->fields);
   }
   mt_preset_raw (b, "], \"order\": [\"_id\", \"d\", \"g\", \"i\"], ");
   mt_preset_raw (b, m->months ? "\"sub\": " : "\"alt\": [{\"is\": \"scalar\", \"at\": \"dy\", ");
   if (!m->months) {
      mt_preset_raw (b, agg);
      mt_preset_raw (b, "}, ");
      map (b, "hy", (TimeKeys) {"hour", "day", 0, 0}, agg);
      mt_preset_raw (b, ", ");
   }
   if (m->hierarchical)
      map (b, "mn", (TimeKeys) {"hour", "day", 0, 0}, inner_map (b, "minute", "day", 0, agg));
   else
      map (b, "mn", (TimeKeys) {"minute", "day", 0, 0}, agg);
   mt_preset_raw (b, m->months ? "}" : "]}");
}

bool mt_preset_mms (MtPresetBuild *b)
{
   Series s = series_of (b->t);
   Mms m = {0};
   if (!mt_preset_need_time (b) || !mms_columns (b, &s) || !mms_options (b, &m) ||
       !preallocate_option (b))
      return false;
   const char *agg = mt_printf (
      b->a, "\"agg\": {\"n\": \"n\", \"measures\": {%s: \"t\"}}, \"order\": [\"t\", \"n\"]",
      mt_preset_quoted (b, b->t->columns[s.measure].name));
   mt_preset_begin (b, "sums");
   mms_day (b, &s, &m, agg);
   if (m.months) {
      mms_months (b, &s, &m,
                  (MonthStore) {"hours_collection", "month_hours", 1,
                                inner_map (b, "hour", "day", 0, agg)});
      mms_months (b, &s, &m, (MonthStore) {"days_collection", "month_days", 0, agg});
   }
   mt_preset_raw (b, "}]}");
   return true;
}

/* ---- options ---- */

const MtPresetOptionRow mt_preset_daily_metrics_options[] = {
   {"style", "flat|hierarchical", "flat",
    "minutes keyed by the minute of the day, or in a sub-document for each hour"},
   {"inner_key", "minute of hour|minute of day", "minute of hour",
    "hierarchical: what keys the minutes of an hour"},
   {"padded", "boolean", "true", "false: keys are written without leading zeros (both are read)"},
   {"preallocate", "1/hits", "none",
    "one hit in so many makes its series' document of the next day, every slot 0"},
   {"trust", "id|fields", "id",
    "where day and dimensions are read from when _id and metadata disagree"},
   {NULL, NULL, NULL, NULL},
};

const MtPresetOptionRow mt_preset_mms_options[] = {
   {"style", "flat|hierarchical", "flat",
    "minutes keyed by the minute of the day: at once, or in a sub-document for each hour"},
   {"months", "boolean", "false",
    "true: hours and days are in documents of a month, in collections of their own"},
   {"hours_collection", "name", "the collection's name with _month_hours",
    "documents of a month by day and hour"},
   {"days_collection", "name", "the collection's name with _month_days",
    "documents of a month by day"},
   {"month_id", "month|day", "month",
    "whether a month begins its _id as 201106 or as its first day, 20110601"},
   {"preallocate", "1/hits", "none",
    "one hit in so many makes its series' documents of the next day and month, every slot 0"},
   {"trust", "id|fields", "id",
    "where day, item and group are read from when _id and fields disagree"},
   {NULL, NULL, NULL, NULL},
};
