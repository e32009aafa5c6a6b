/* The presets: a table row for each, and a function that writes its descriptor as JSON. */
#include "layouts/presets/preset_int.h"
#include "layouts/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

/* ---- writing the descriptor ---- */

static void finish (MtPresetBuild *b) { mt_preset_raw (b, "}]}"); }

/* Appends the encoding of the time. as_double: epoch seconds are stored as doubles. */
static void time_encoding (MtPresetBuild *b, bool as_double)
{
   mt_preset_raw (b, ", \"encoding\": ");
   if (as_double && !strcmp (b->time_encoding, "epoch_s"))
      mt_preset_raw (b, "{\"kind\": \"epoch_s\", \"as\": \"double\"}");
   else
      mt_preset_raw (b, mt_preset_time (b));
}

static void bind_column (MtPresetBuild *b, int c, const char *at, bool as_double)
{
   mt_preset_raw (b, "{\"column\": ");
   mt_preset_str (b, b->t->columns[c].name);
   if (at) {
      mt_preset_raw (b, ", \"at\": ");
      mt_preset_str (b, at);
   }
   if (c == b->t->time_column)
      time_encoding (b, as_double);
   mt_preset_raw (b, "}");
}

static bool is_measure (const MtPresetBuild *b, size_t i)
{
   return b->t->columns[i].role == MT_COL_MEASURE;
}

/* Writes the short field name of a measure to `out`: its index among the measures. from_last:
 * counts from the last measure. */
static void code (const MtPresetBuild *b, size_t column, bool from_last, char out[16])
{
   size_t n = 0, place = 0;
   for (size_t i = 0; i < b->t->column_count; i++) {
      if (i == column)
         place = n;
      n += is_measure (b, i);
   }
   snprintf (out, 16, "%zu", from_last ? n - 1 - place : place);
}

/* Returns whether a column is stored in the _id. */
static bool in_id (const MtColumn *c) { return !c->inner && mt_path_in_id (c->field); }

static bool is_bound_row (const MtColumn *c)
{
   return c->role == MT_COL_DIMENSION || c->role == MT_COL_TIME ||
          (c->role == MT_COL_PLAIN && in_id (c));
}

/* Appends the columns of records. coded: each measure is stored under its index, the last measure
 * first, as in this layout's original publication. Other columns are stored under their names. */
static void raw_columns (MtPresetBuild *b, bool coded, bool codes_from_last)
{
   char name[16];
   size_t n = 0;
   mt_preset_raw (b, "\"columns\": {");
   for (size_t k = b->t->column_count; k-- > 0;) {
      size_t i = coded ? k : b->t->column_count - 1 - k;
      const MtColumn *c = &b->t->columns[i];
      if ((c->role != MT_COL_MEASURE && c->role != MT_COL_PLAIN) || (!coded && is_bound_row (c)))
         continue;
      mt_preset_raw (b, n++ ? ", " : "");
      mt_preset_str (b, c->name);
      mt_preset_raw (b, ": ");
      code (b, i, codes_from_last, name);
      mt_preset_str (b, coded && c->role == MT_COL_MEASURE ? name : c->field);
   }
   mt_preset_raw (b, "}");
}

/* ---- rows ---- */

static bool build_rows (MtPresetBuild *b)
{
   size_t n = 0;
   mt_preset_begin (b, "records");
   mt_preset_raw (b, ", \"write\": \"insert\", \"root\": {\"is\": \"document\", \"bind\": [");
   for (size_t i = 0; i < b->t->column_count; i++)
      if (is_bound_row (&b->t->columns[i])) {
         mt_preset_raw (b, n++ ? ", " : "");
         bind_column (b, (int) i, NULL, false);
      }
   mt_preset_raw (b, "], \"raw\": {");
   raw_columns (b, false, false);
   mt_preset_raw (b, "}}");
   finish (b);
   return true;
}

/* ---- per_day ---- */

static bool bucket_option (MtPresetBuild *b, MtUnit *out)
{
   static const char *const words[] = {"1 minute", "1 hour", "1 day", "1 week",
                                       "1 month",  "1 year", NULL};
   static const MtUnit bucket_units[] = {MT_UNIT_MINUTE, MT_UNIT_HOUR,  MT_UNIT_DAY,
                                         MT_UNIT_WEEK,   MT_UNIT_MONTH, MT_UNIT_YEAR};
   const MtPresetOption *o = mt_preset_option (b, "bucket");
   *out = MT_UNIT_DAY;
   if (!o)
      return true;
   for (int i = 0; words[i]; i++)
      if (mt_ieq (o->value, words[i]) || mt_ieq (o->value, words[i] + 2)) {
         *out = bucket_units[i];
         return true;
      }
   return mt_preset_bad_value (b, o,
                               "It must be 1 minute, 1 hour, 1 day, 1 week, 1 month or 1 year.");
}

/* Appends the part of the composed _id that is the start of the time bucket, as text: in
 * time_encoding, or, if that is no number, as epoch seconds. */
static void id_time (MtPresetBuild *b, MtUnit unit)
{
   mt_preset_raw (b, "{\"trunc\": ");
   mt_preset_str (b, mt_unit_name (unit));
   mt_preset_raw (b, ", \"encoding\": ");
   bool number = strcmp (b->time_encoding, "date") && !mt_preset_time_is_text (b);
   mt_preset_str (b, number ? b->time_encoding : "epoch_s");
   mt_preset_raw (b, "}");
}

static bool build_per_day (MtPresetBuild *b)
{
   MtUnit unit;
   bool from_last = true;
   const MtPresetOption *o = mt_preset_option (b, "code_order");
   if (!mt_preset_need_time (b) || !bucket_option (b, &unit))
      return false;
   if (o && strcmp (o->value, "first") && strcmp (o->value, "last"))
      return mt_preset_bad_value (b, o, "It must be first or last.");
   from_last = !o || !strcmp (o->value, "last");
   mt_preset_begin (b, "records");
   mt_preset_raw (b, ", \"write\": \"push\", \"id\": [");
   id_time (b, unit);
   for (size_t i = b->t->column_count; i-- > 0;)
      if (b->t->columns[i].role == MT_COL_DIMENSION) {
         mt_preset_raw (b, ", \".\", {\"column\": ");
         mt_preset_str (b, b->t->columns[i].name);
         mt_preset_raw (
            b, mt_is_text_type (b->t->columns[i].type.id) ? "}" : ", \"encoding\": \"text\"}");
      }
   mt_preset_raw (b, "], \"root\": {\"is\": \"document\", \"bind\": [");
   for (size_t i = 0; i < b->t->column_count; i++)
      if (b->t->columns[i].role == MT_COL_DIMENSION) {
         bind_column (b, (int) i, NULL, false);
         mt_preset_raw (b, ", ");
      }
   mt_preset_raw (b, "{\"trunc\": ");
   mt_preset_str (b, mt_unit_name (unit));
   mt_preset_raw (b, ", \"at\": \"date\"");
   time_encoding (b, true);
   mt_preset_raw (b, "}], \"sub\": {\"is\": \"list\", \"at\": \"values\", \"bind\": [");
   bind_column (b, b->t->time_column, "t", false);
   mt_preset_raw (b, "], \"raw\": {");
   raw_columns (b, true, from_last);
   mt_preset_raw (b, "}}}");
   finish (b);
   return true;
}

/* ---- nested ---- */

typedef struct Nested {
   MtPresetKey *cluster, *levels, *presum;
   size_t cluster_count, level_count, presum_count;
   bool raw_values, nonnull;
   MtKeep keep;
} Nested;

static bool listed (const MtPresetKey *keys, size_t count, MtPresetKey k)
{
   for (size_t i = 0; i < count; i++)
      if (keys[i].column == k.column && keys[i].unit == k.unit)
         return true;
   return false;
}

static MtPresetKey exact (int column) { return (MtPresetKey) {column, MT_UNIT_MS}; }

static const char *key_name (const MtPresetBuild *b, MtPresetKey k)
{
   return k.unit == MT_UNIT_MS ? b->t->columns[k.column].name : mt_unit_name (k.unit);
}

static bool in_cluster (const Nested *n, MtPresetKey k)
{
   return listed (n->cluster, n->cluster_count, k);
}

static bool in_levels (const Nested *n, MtPresetKey k)
{
   return listed (n->levels, n->level_count, k);
}

/* Sets the nesting levels that the preset has without the option "levels": the time, and then the
 * dimensions in the table's order. Columns of cluster_by are left out. */
static void nested_usual (MtPresetBuild *b, Nested *n)
{
   MtPresetKey time = exact (b->t->time_column);
   if (!in_cluster (n, time))
      n->levels[n->level_count++] = time;
   for (size_t i = 0; i < b->t->column_count; i++)
      if (b->t->columns[i].role == MT_COL_DIMENSION && !in_cluster (n, exact ((int) i)))
         n->levels[n->level_count++] = exact ((int) i);
}

/* Checks that each dimension and the time is in one of the options "cluster_by" and "levels", which
 * give the nesting of documents. A layout without records needs no exact time if one of the lists
 * has a unit of time. */
static bool nested_complete (MtPresetBuild *b, const Nested *n, bool has_unit)
{
   for (size_t i = 0; i < b->t->column_count; i++) {
      MtPresetKey k = exact ((int) i);
      const MtColumn *c = &b->t->columns[i];
      bool needed = c->role == MT_COL_DIMENSION ||
                    (c->role == MT_COL_TIME && !(has_unit && !n->raw_values));
      if (needed && !in_levels (n, k) && !in_cluster (n, k))
         return mt_error (b->err, MT_E_PARAMETER,
                          "column \"%s\" is neither in \"cluster_by\" nor in \"levels\"", c->name);
   }
   return true;
}

static bool nested_disjoint (MtPresetBuild *b, const Nested *n)
{
   for (size_t i = 0; i < n->level_count; i++)
      if (in_cluster (n, n->levels[i]))
         return mt_error (b->err, MT_E_PARAMETER,
                          "column \"%s\" is both in \"cluster_by\" and in \"levels\"",
                          key_name (b, n->levels[i]));
   return true;
}

/* Checks the units of time in cluster_by and levels, from the document inwards: each must divide
 * the unit before it, and the exact time must come last. *any is set to whether there are units. */
static bool nested_units (MtPresetBuild *b, const Nested *n, bool *any)
{
   MtUnit above = MT_UNIT_EPOCH;
   *any = false;
   for (size_t i = 0; i < n->cluster_count + n->level_count; i++) {
      bool level = i >= n->cluster_count;
      MtPresetKey k = level ? n->levels[i - n->cluster_count] : n->cluster[i];
      if (k.column != b->t->time_column)
         continue;
      if (above != MT_UNIT_EPOCH && (k.unit == above || !mt_unit_within (k.unit, above))) {
         mt_error_at (b->err, mt_preset_option (b, level ? "levels" : "cluster_by")->span,
                      MT_E_PARAMETER, "\"%s\" doesn't divide the unit of time above it",
                      key_name (b, k));
         return mt_error_hint (b->err,
                               "Units of time go from long to short, then the time itself.");
      }
      above = k.unit;
      *any = *any || k.unit != MT_UNIT_MS;
   }
   return true;
}

static bool nested_levels (MtPresetBuild *b, Nested *n)
{
   bool has_unit;
   if (!n->level_count)
      nested_usual (b, n);
   if (!nested_disjoint (b, n) || !nested_units (b, n, &has_unit) ||
       !nested_complete (b, n, has_unit))
      return false;
   for (size_t i = 0; i < n->presum_count; i++)
      if (!in_levels (n, n->presum[i]) && !in_cluster (n, n->presum[i]))
         return mt_error (b->err, MT_E_PARAMETER, "column \"%s\" in \"presum\" is no level",
                          key_name (b, n->presum[i]));
   return n->level_count ? true
                         : mt_error (b->err, MT_E_PARAMETER, "no column is left for the levels");
}

static bool nested_options (MtPresetBuild *b, Nested *n)
{
   MtPresetKey time = exact (b->t->time_column);
   n->raw_values = true;
   if (!mt_preset_keys (b, "cluster_by", &n->cluster, &n->cluster_count) ||
       !mt_preset_keys (b, "levels", &n->levels, &n->level_count) ||
       !mt_preset_keys (b, "presum", &n->presum, &n->presum_count) ||
       !mt_preset_bool (b, "raw_values", &n->raw_values) ||
       !mt_preset_bool (b, "nonnull", &n->nonnull) || !mt_preset_keep (b, &n->keep) ||
       !nested_levels (b, n))
      return false;
   if (!mt_preset_option (b, "presum") && in_levels (n, time))
      n->presum[n->presum_count++] = time;
   return true;
}

/* Appends to the descriptor that a nesting level stores key k in the field `at`. The topmost level
 * with a unit of time stores the truncated time, such as the day. Lower levels store a part of the
 * time, such as the hour of the day. *above is the unit of the levels above (MT_UNIT_EPOCH: none),
 * and is set to this level's unit. */
static void bind_key (MtPresetBuild *b, MtPresetKey k, const char *at, MtUnit *above)
{
   if (k.unit == MT_UNIT_MS) {
      bind_column (b, k.column, at, true);
      return;
   }
   bool first = *above == MT_UNIT_EPOCH;
   mt_preset_raw (b, first ? "{\"trunc\": " : "{\"part\": ");
   mt_preset_str (b, mt_unit_name (k.unit));
   if (!first) {
      mt_preset_raw (b, ", \"of\": ");
      mt_preset_str (b, mt_unit_name (*above));
   }
   mt_preset_raw (b, ", \"at\": ");
   mt_preset_str (b, at ? at : mt_unit_name (k.unit));
   if (first)
      time_encoding (b, true);
   mt_preset_raw (b, "}");
   *above = k.unit;
}

static const MtKeptNames nested_root_names = {"sum_", "min_", "max_", "n_"},
                         nested_level_names = {"", "min", "max", "n"};

/* Appends the pre-aggregates (counts, sums, extremes) that a level stores. Fields of the root level
 * have full names; fields of nested levels have short names. */
static void nested_agg (MtPresetBuild *b, const Nested *n, bool root)
{
   char name[16];
   size_t count = 0;
   mt_preset_raw (b, root ? ", \"agg\": {\"n\": \"count\"" : ", \"agg\": {\"n\": \"c\"");
   for (size_t i = 0; i < b->t->column_count; i++) {
      const MtColumn *c = &b->t->columns[i];
      unsigned keep = n->keep.numbers[i] | MT_KEEP_SUM;
      if (c->role != MT_COL_MEASURE || !mt_type_is_number (c->type.id))
         continue;
      mt_preset_raw (b, count++ ? ", " : ", \"measures\": {");
      mt_preset_str (b, c->name);
      code (b, i, false, name);
      if (n->nonnull && !c->not_null)
         keep |= MT_KEEP_COUNT;
      mt_preset_raw (b, ": {");
      mt_preset_kept_paths (b, keep, root ? &nested_root_names : &nested_level_names,
                            root ? c->field : name);
      mt_preset_raw (b, "}");
   }
   mt_preset_raw (b, count ? "}" : "");
   mt_preset_kept_states (b, &n->keep);
   mt_preset_raw (b, "}");
}

static void nested_level (MtPresetBuild *b, const Nested *n, size_t i, MtUnit above)
{
   bool last = i + 1 == n->level_count;
   mt_preset_raw (b, ", \"sub\": {\"is\": \"list\", \"at\": \"_\", \"bind\": [");
   bind_key (b, n->levels[i], "d", &above);
   mt_preset_raw (b, "]");
   if ((last && !n->raw_values) || listed (n->presum, n->presum_count, n->levels[i]))
      nested_agg (b, n, false);
   if (!last)
      nested_level (b, n, i + 1, above);
   else if (n->raw_values) {
      mt_preset_raw (b, ", \"raw\": {\"at\": \"v\", \"many\": true, ");
      raw_columns (b, true, false);
      mt_preset_raw (b, "}");
   }
   mt_preset_raw (b, "}");
}

/* Appends the field "range" of the layout's descriptor: documents store their first and last time.
 * A layout without the exact time has no range, because it couldn't be computed again from the
 * sums. */
static void nested_range (MtPresetBuild *b, const Nested *n)
{
   MtPresetKey time = exact (b->t->time_column);
   if (!in_cluster (n, time) && !in_levels (n, time))
      return;
   const char *field = b->t->columns[b->t->time_column].field;
   mt_preset_raw (b, ", \"range\": {\"min\": ");
   mt_preset_str (b, mt_printf (b->a, "min_%s", field));
   mt_preset_raw (b, ", \"max\": ");
   mt_preset_str (b, mt_printf (b->a, "max_%s", field));
   mt_preset_raw (b, ", \"exact\": true");
   time_encoding (b, true);
   mt_preset_raw (b, "}");
}

static bool build_nested (MtPresetBuild *b)
{
   Nested n = {0};
   MtUnit above = MT_UNIT_EPOCH;
   if (!mt_preset_need_time (b) || !nested_options (b, &n))
      return false;
   mt_preset_begin (b, n.raw_values ? "records" : "sums");
   mt_preset_raw (b, ", \"write\": \"pack\", \"repeats\": true");
   const MtPresetOption *flush = mt_preset_option (b, "flush_levels");
   if (flush) {
      char *end;
      long v = strtol (flush->value, &end, 10);
      if (*end || v < 1 || v > 1000000000)
         return mt_preset_bad_value (b, flush, "It must be a whole number from 1 to 1000000000.");
      mt_preset_raw (b, ", \"flush_levels\": ");
      mt_preset_raw (b, mt_printf (b->a, "%ld", v));
   }
   mt_preset_raw (b, ", \"root\": {\"is\": \"document\", \"bind\": [");
   for (size_t i = 0; i < n.cluster_count; i++) {
      mt_preset_raw (b, i ? ", " : "");
      bind_key (b, n.cluster[i], NULL, &above);
   }
   mt_preset_raw (b, "]");
   nested_range (b, &n);
   nested_agg (b, &n, true);
   nested_level (b, &n, 0, above);
   mt_preset_raw (b, "}");
   finish (b);
   return true;
}

/* ---- latest ---- */

/* Reads the option "key". Without it, the key is all dimensions. */
static bool latest_key (MtPresetBuild *b, int **key, size_t *count)
{
   if (!mt_preset_key (b, "key", key, count))
      return false;
   if (!*count)
      return mt_error (b->err, MT_E_INVALID_DEFINITION,
                       "layout \"latest\" needs a key: a dimension of the table");
   if (mt_in_key (*key, *count, b->t->time_column))
      return mt_preset_bad_value (b, mt_preset_option (b, "key"), "The time can't be in the key.");
   return true;
}

static void column_names (MtPresetBuild *b, const int *columns, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      mt_preset_raw (b, i ? ", " : "");
      mt_preset_str (b, b->t->columns[columns[i]].name);
   }
}

/* Appends to the layout's descriptor how the _id and the columns of the key are stored. A key of
 * one column is the _id itself. The columns of a longer key are joined to a text, and are also
 * stored as fields. */
static void latest_id (MtPresetBuild *b, const int *key, size_t count)
{
   if (count > 1)
      mt_preset_raw (b, ", \"id\": [");
   for (size_t i = 0; i < count && count > 1; i++) {
      mt_preset_raw (b, i ? ", \"/\", {\"column\": " : "{\"column\": ");
      mt_preset_str (b, b->t->columns[key[i]].name);
      mt_preset_raw (
         b, mt_is_text_type (b->t->columns[key[i]].type.id) ? "}" : ", \"encoding\": \"text\"}");
   }
   mt_preset_raw (b, count > 1 ? "], \"root\": {\"is\": \"document\", \"bind\": ["
                               : ", \"root\": {\"is\": \"document\", \"bind\": [");
   for (size_t i = 0; i < count; i++) {
      mt_preset_raw (b, i ? ", " : "");
      bind_column (b, key[i], count > 1 ? NULL : "_id", false);
   }
}

/* Appends the columns that are not in the key, with the time as the first one. */
static void latest_columns (MtPresetBuild *b, const int *key, size_t count)
{
   const MtColumn *time = &b->t->columns[b->t->time_column];
   mt_preset_raw (b, "], \"raw\": {\"columns\": {");
   mt_preset_str (b, time->name);
   mt_preset_raw (b, ": {\"at\": ");
   mt_preset_str (b, time->field);
   time_encoding (b, false);
   mt_preset_raw (b, "}");
   for (size_t i = 0; i < b->t->column_count; i++) {
      if ((int) i == b->t->time_column || mt_in_key (key, count, (int) i))
         continue;
      mt_preset_raw (b, ", ");
      mt_preset_str (b, b->t->columns[i].name);
      mt_preset_raw (b, ": ");
      mt_preset_str (b, b->t->columns[i].field);
   }
   mt_preset_raw (b, "}}}");
}

static bool build_latest (MtPresetBuild *b)
{
   int *key, *tie;
   size_t key_count, tie_count;
   if (!mt_preset_need_time (b) || !latest_key (b, &key, &key_count) ||
       !mt_preset_any_columns (b, "tie", &tie, &tie_count))
      return false;
   mt_preset_raw (b, "{\"keeps\": \"latest\", \"key\": [");
   column_names (b, key, key_count);
   mt_preset_raw (b, tie_count ? "], \"tie\": [" : "]");
   column_names (b, tie, tie_count);
   mt_preset_raw (b, tie_count ? "], \"stores\": [{" : ", \"stores\": [{");
   mt_preset_collection (b, b->collection);
   mt_preset_raw (b, ", \"write\": \"newer\"");
   latest_id (b, key, key_count);
   latest_columns (b, key, key_count);
   finish (b);
   return true;
}

/* ---- timeseries ---- */

typedef struct Series {
   const char *meta; /* the metaField of the time-series collection; NULL: none */
   bool whole;       /* the metaField's value is the only dimension itself, not a sub-document */
   int dims, dim;
} Series;

/* Chooses the metaField of the time-series collection. If there is only one dimension, its own
 * field is the metaField, unless the option "meta" names another. Several dimensions become fields
 * of the metaField's sub-document. */
static bool series_options (MtPresetBuild *b, Series *s)
{
   const MtPresetOption *meta = mt_preset_option (b, "meta");
   for (size_t i = 0; i < b->t->column_count; i++)
      if (b->t->columns[i].role == MT_COL_DIMENSION) {
         s->dim = (int) i;
         s->dims++;
      }
   const char *own = s->dims == 1 ? b->t->columns[s->dim].field : NULL;
   if (meta)
      s->meta = meta->value;
   else if (own && !strchr (own, '.'))
      s->meta = own;
   else
      s->meta = s->dims ? "meta" : NULL;
   s->whole = own && !strcmp (own, s->meta);
   if (strcmp (b->time_encoding, "date") && mt_preset_option (b, "time_encoding"))
      return mt_preset_bad_value (b, mt_preset_option (b, "time_encoding"),
                                  "A time-series collection has dates.");
   b->time_encoding = "date";
   return true;
}

static bool series_made_as (MtPresetBuild *b, const Series *s)
{
   const MtPresetOption *g = mt_preset_option (b, "granularity"),
                        *expire = mt_preset_option (b, "expire_after_seconds");
   if (g && strcmp (g->value, "seconds") && strcmp (g->value, "minutes") &&
       strcmp (g->value, "hours"))
      return mt_preset_bad_value (b, g, "It must be seconds, minutes or hours.");
   char *end;
   long seconds = expire ? strtol (expire->value, &end, 10) : 0;
   if (expire && (!*expire->value || *end || seconds < 0 || seconds > INT32_MAX))
      return mt_preset_bad_value (b, expire, "It must be a whole number from 0 to 2147483647.");
   mt_preset_raw (b, ", \"timeseries\": {\"timeField\": ");
   mt_preset_str (b, b->t->columns[b->t->time_column].field);
   if (s->meta) {
      mt_preset_raw (b, ", \"metaField\": ");
      mt_preset_str (b, s->meta);
   }
   if (g) {
      mt_preset_raw (b, ", \"granularity\": ");
      mt_preset_str (b, g->value);
   }
   if (expire)
      mt_preset_raw (b, mt_printf (b->a, ", \"expireAfterSeconds\": %ld", seconds));
   mt_preset_raw (b, "}");
   return true;
}

static bool build_timeseries (MtPresetBuild *b)
{
   Series s = {0};
   if (!mt_preset_need_time (b) || !series_options (b, &s))
      return false;
   mt_preset_begin (b, "records");
   if (!series_made_as (b, &s))
      return false;
   mt_preset_raw (b, ", \"root\": {\"is\": \"document\", \"bind\": [");
   bind_column (b, b->t->time_column, NULL, false);
   for (size_t i = 0; i < b->t->column_count; i++) {
      if (b->t->columns[i].role != MT_COL_DIMENSION)
         continue;
      mt_preset_raw (b, ", ");
      const char *field = b->t->columns[i].field;
      size_t n = strlen (s.meta);
      /* `field` may already begin with the metaField, if it comes from the option FIELD. */
      bool inside = s.whole || (!strncmp (field, s.meta, n) && field[n] == '.');
      bind_column (b, (int) i, inside ? field : mt_printf (b->a, "%s.%s", s.meta, field), false);
   }
   mt_preset_raw (b, "], \"raw\": {");
   raw_columns (b, false, false);
   mt_preset_raw (b, "}}");
   finish (b);
   return true;
}

/* ---- minute ---- */

static bool minute_columns (MtPresetBuild *b, int *measure)
{
   int dims = 0, others = 0;
   *measure = -1;
   for (size_t i = 0; i < b->t->column_count; i++) {
      dims += b->t->columns[i].role == MT_COL_DIMENSION;
      others += (int) i != b->t->time_column && b->t->columns[i].role != MT_COL_DIMENSION;
      if (is_measure (b, i))
         *measure = (int) i;
   }
   if (!mt_preset_need_time (b))
      return false;
   if (!dims || *measure < 0 || others != 1)
      return mt_error (
         b->err, MT_E_INVALID_DEFINITION,
         "layout \"minute\" needs dimensions and exactly one measure beside the time");
   return true;
}

static bool build_minute (MtPresetBuild *b)
{
   int measure;
   bool array = false;
   if (!minute_columns (b, &measure) || !mt_preset_either (b, "values", "fields", "array", &array))
      return false;
   mt_preset_begin (b, "records");
   mt_preset_raw (b, ", \"write\": \"inc\"");
   mt_preset_raw (b,
                  ", \"root\": {\"is\": \"document\", \"bind\": [{\"trunc\": \"minute\", \"at\": "
                  "\"timestamp_minute\", \"encoding\": ");
   mt_preset_raw (b, mt_preset_option (b, "time_encoding") ? mt_preset_time (b) : "\"date\"");
   mt_preset_raw (b, "}");
   for (size_t i = 0; i < b->t->column_count; i++)
      if (b->t->columns[i].role == MT_COL_DIMENSION) {
         mt_preset_raw (b, ", ");
         bind_column (b, (int) i, NULL, false);
      }
   mt_preset_raw (b, "], \"agg\": {\"n\": \"num_samples\", \"measures\": {");
   mt_preset_str (b, b->t->columns[measure].name);
   mt_preset_raw (b, ": \"total_samples\"}}, \"order\": [\"timestamp_minute\", \"num_samples\", "
                     "\"total_samples\"], \"sub\": {\"is\": ");
   mt_preset_raw (
      b,
      array
         ? "\"slots\", \"at\": \"values\", \"bind\": [{\"part\": \"second\", \"of\": \"minute\"}], "
           "\"raw\": {\"columns\": {"
         : "\"map\", \"at\": \"values\", \"bind\": [{\"part\": \"second\", \"of\": \"minute\", "
           "\"encoding\": \"text\"}], \"raw\": {\"columns\": {");
   mt_preset_str (b, b->t->columns[measure].name);
   mt_preset_raw (b, ": \"\"}}}}");
   finish (b);
   return true;
}

/* ---- the table of presets ---- */

static const MtPresetOptionRow common_rows[] = {
   {"collection", "name", "the table's name, or table_layout for further layouts",
    "the collection that holds the documents"},
   {"time_encoding", "date|epoch_s|epoch_ms|text|format",
    "epoch_s when the time has a PERIOD of whole seconds, else date",
    "how the time is stored; text: as in ISO 8601; a format: of %Y %m %d %H %M %S %L"},
   {"partition_by", "day|month", "one collection for all",
    "one collection a day or month (UTC), named like calls_2024_01"},
   {"expire_after", "interval", "never",
    "older rows aren't seen any more, and go: the table's in CREATE TABLE, the layout's in ADD "
    "LAYOUT; ALTER TABLE ... SET changes it"},
   {"presums", "trust|verify|ignore", "trust", "whether stored counts and sums are believed"},
   {"shard_key", "_id|columns", "none",
    "by what collections are sharded that are made on a router (mongos); 'host hashed' by hashes"},
   {NULL, NULL, NULL, NULL},
};
static const MtPresetOptionRow no_options[] = {{NULL, NULL, NULL, NULL}};
static const MtPresetOptionRow per_day_options[] = {
   {"bucket", "1 minute|1 hour|1 day|1 week|1 month|1 year", "1 day",
    "the time that one document covers"},
   {"code_order", "first|last", "last",
    "which measure is \"0\": the table's first or its last one"},
   {NULL, NULL, NULL, NULL},
};
static const MtPresetOptionRow nested_rows[] = {
   {"cluster_by", "columns", "none",
    "dimensions whose values have documents of their own; also hour, day, week, month, year"},
   {"levels", "columns", "the time, then the other dimensions",
    "what the nested lists stand for, from the outermost on; also minute, hour, day, week, month, "
    "year"},
   {"presum", "columns", "the time", "levels that keep a count and sums; the document always does"},
   {"raw_values", "boolean", "true",
    "false: the last level keeps a count and sums instead of records"},
   {"nonnull", "boolean", "false",
    "true: pre-sums also count the values that aren't NULL, of measures that may be"},
   {"keep", "calls", "nothing more",
    "what the document and the levels of presum keep beside sums: min, max and count of measures, "
    "and states such as percentile_agg(v)"},
   {"flush_levels", "integer", "50000", "a document is closed after so many elements"},
   {NULL, NULL, NULL, NULL},
};

static const MtPresetOptionRow minute_options[] = {
   {"values", "fields|array", "fields",
    "the seconds' values: fields \"0\" … \"59\", or an array, in which null is no sample"},
   {NULL, NULL, NULL, NULL},
};
static const MtPresetOptionRow series_options_rows[] = {
   {"meta", "field", "the only dimension's field, else meta",
    "the metaField: what tells series apart; several dimensions are fields of it"},
   {"granularity", "seconds|minutes|hours", "the server's",
    "about how far apart records of a series are"},
   {"expire_after_seconds", "integer", "never",
    "the server deletes records so long after their time"},
   {NULL, NULL, NULL, NULL},
};
static const MtPresetOptionRow latest_options[] = {
   {"key", "columns", "all dimensions",
    "what there is one document of; one column is the _id itself"},
   {"tie", "columns", "the other columns, in the table's order",
    "among records of one time the greater value of the first of these stays, and so on"},
   {NULL, NULL, NULL, NULL},
};

static const char *const lacks_none[] = {NULL}, *const lacks_sums[] = {"presums", NULL},
                         *const lacks_latest[] = {"partition_by", "presums", NULL},
                         *const lacks_series[] = {"partition_by", "time_encoding", "presums", NULL};

static const MtPresetRow rows[] = {
   {MT_PRESET_PLAIN, "one document a record", no_options, build_rows,
    "CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE) USING "
    "rows",
    lacks_sums},
   {"per_day", "one document a combination of dimensions and day", per_day_options, build_per_day,
    "CREATE TABLE t (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, v bigint MEASURE) "
    "USING per_day WITH (bucket = '1 hour')",
    lacks_sums},
   {"nested", "dimensions packed as nested lists, with counts and sums above", nested_rows,
    build_nested,
    "CREATE TABLE t (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, app text DIMENSION, v "
    "bigint MEASURE) USING nested WITH (cluster_by = 'host', "
    "levels = 'ts, app')",
    lacks_none},
   {"minute", "one document a series and minute, values by second", minute_options, build_minute,
    "CREATE TABLE t (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE) "
    "USING minute",
    lacks_none},
   {"timeseries", "one document a record, in MongoDB's own time-series collection",
    series_options_rows, build_timeseries,
    "CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, v double "
    "precision MEASURE) USING timeseries WITH (granularity = 'minutes')",
    lacks_series},
   {"latest", "one document a key: its newest record only", latest_options, build_latest,
    "CREATE TABLE t (userid text DIMENSION, ts timestamptz TIME FIELD 't', cell text FIELD 'c', x "
    "double precision FIELD 'x') USING latest WITH (key = 'userid')",
    lacks_latest},
   {"daily_metrics", "one document a counter and day: its sums by day, hour and minute",
    mt_preset_daily_metrics_options, mt_preset_daily_metrics,
    "CREATE TABLE t (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, hits bigint "
    "MEASURE COUNTER) USING daily_metrics WITH (style = 'hierarchical')",
    lacks_none},
   {"rollup",
    "one document a series and period, with sums, extremes and states of each bucket of time",
    mt_preset_rollup_options, mt_preset_rollup,
    "CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE); ALTER "
    "TABLE t ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'sum(v), "
    "max(v), percentile_agg(v)')",
    lacks_sums},
   {"mms",
    "totals and counts of a host's item by day, hour and minute; the first two by month on request",
    mt_preset_mms_options, mt_preset_mms,
    "CREATE TABLE t (ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, "
    "host text DIMENSION, total bigint MEASURE NOT NULL) USING mms "
    "WITH (months = true)",
    lacks_none},
   {NULL, NULL, NULL, NULL, NULL, NULL},
};
static const char *const preset_names[] = {"rows",       "per_day", "nested",        "minute",
                                           "timeseries", "latest",  "daily_metrics", "rollup",
                                           "mms",        NULL};
_Static_assert (sizeof preset_names / sizeof preset_names[0] == sizeof rows / sizeof rows[0],
                "a name for each row");

const MtPresetRow *mt_preset_rows (void) { return rows; }
const MtPresetOptionRow *mt_preset_common_options (void) { return common_rows; }
const char *const *mt_preset_names (void) { return preset_names; }

bool mt_is_preset (const char *name)
{
   for (const char *const *p = preset_names; *p; p++)
      if (mt_ieq (*p, name))
         return true;
   return false;
}

bool mt_preset_has (const MtPresetRow *row, const MtPresetOptionRow *common)
{
   for (const char *const *l = row->lacks; *l; l++)
      if (!strcmp (*l, common->name))
         return false;
   return true;
}

static bool known_options (MtPresetBuild *b)
{
   const char *names[32];
   size_t n = 0;
   for (const MtPresetOptionRow *o = b->row->options; o->name; o++)
      names[n++] = o->name;
   for (const MtPresetOptionRow *o = common_rows; o->name; o++)
      names[n++] = o->name;
   for (size_t i = 0; i < b->option_count; i++) {
      size_t k = 0;
      while (k < n && !mt_ieq (names[k], b->options[i].name))
         k++;
      for (size_t j = 0; j < i; j++)
         if (mt_ieq (b->options[j].name, b->options[i].name))
            return mt_error_at (b->err, b->options[i].span, MT_E_SYNTAX,
                                "option \"%s\" specified more than once", b->options[i].name);
      if (k < n)
         continue;
      mt_error_at (b->err, b->options[i].span, MT_E_PARAMETER,
                   "unrecognized option \"%s\" of layout \"%s\"", b->options[i].name, b->row->name);
      return mt_error_near (b->err, b->options[i].name, names, n);
   }
   return true;
}

/* ---- renaming a column ---- */

/* Returns whether the values of an option are lists of columns. `option` has n bytes. */
static bool names_columns (const char *preset, const char *option, size_t n)
{
   const MtPresetRow *row = rows;
   while (row->name && !mt_ieq (row->name, preset))
      row++;
   for (int common = !row->name; common < 2; common++)
      for (const MtPresetOptionRow *o = common ? common_rows : row->options; o->name; o++)
         if (mt_str_ieq ((MtStr) {option, n}, mt_str (o->name)))
            return strstr (o->type, "columns") != NULL;
   return false;
}

/* Appends the list of columns from p to `end` to `out`, with the new name `to` for column number
 * `column`. A word, such as "hashed", may follow each column. */
static void rename_in_list (MtBuf *out, const MtTable *t, const char *p, const char *end,
                            int column, const char *to)
{
   while (p < end) {
      const char *from = p + strspn (p, " \t"), *comma = memchr (p, ',', (size_t) (end - p)),
                 *stop = comma ? comma : end, *word = from;
      while (word < stop && *word != ' ' && *word != '\t')
         word++;
      const char *last = stop;
      while (last > from && (last[-1] == ' ' || last[-1] == '\t'))
         last--;
      MtArena *a = mt_arena_new ("name", NULL);
      bool all = mt_table_column (t, mt_strndup (a, from, (size_t) (last - from)), false) == column;
      bool first = all || mt_table_column (t, mt_strndup (a, from, (size_t) (word - from)),
                                           false) == column;
      const char *rest = p;
      mt_arena_free (a);
      if (first) {
         mt_buf_add (out, p, (size_t) (from - p));
         mt_buf_adds (out, to);
         rest = all ? last : word;
      }
      stop += comma != NULL;
      mt_buf_add (out, rest, (size_t) (stop - rest));
      p = stop;
   }
}

const char *mt_preset_renamed (MtArena *a, const MtTable *t, const char *preset,
                               const char *options, int column, const char *to)
{
   MtBuf out = {0};
   const char *p = options;
   while (*p) {
      const char *name = p, *eq = strstr (p, " = '"), *value = eq ? eq + 4 : NULL, *end = value;
      while (end && *end && (*end != '\'' || end[1] == '\''))
         end += *end == '\'' ? 2 : 1;
      if (!end || !*end || (end[1] && strncmp (end + 1, ", ", 2) != 0))
         break; /* unknown syntax stays as it is */
      mt_buf_add (&out, p, (size_t) (value - p));
      if (names_columns (preset, name, (size_t) (eq - name)))
         rename_in_list (&out, t, value, end, column, to);
      else
         mt_buf_add (&out, value, (size_t) (end - value));
      p = end + (end[1] ? 3 : 1);
      mt_buf_add (&out, end, (size_t) (p - end));
   }
   const char *s = *p ? options : mt_strndup (a, out.p ? out.p : "", out.n);
   mt_buf_free (&out);
   return s;
}

/* ---- making a descriptor ---- */

static bool build (MtPresetBuild *b, bson_t *out)
{
   if (!known_options (b) || !mt_preset_read_common (b) || !b->row->build (b))
      return false;
   bson_error_t e;
   bson_t *doc = bson_new_from_json ((const uint8_t *) b->json.p, (ssize_t) b->json.n, &e);
   if (!doc)
      return mt_error (b->err, MT_E_PARAMETER, "names in the descriptor can't be stored: %s",
                       e.message);
   bool ok = bson_concat (out, doc);
   bson_destroy (doc);
   return ok ? true : mt_error (b->err, MT_E_LIMIT, "descriptor is too large");
}

/* Returns the names of all presets as text: "rows, …, per_day and mms". */
static const char *all_names (MtArena *a)
{
   const char *text = preset_names[0];
   for (size_t i = 1; preset_names[i]; i++)
      text = mt_printf (a, preset_names[i + 1] ? "%s, %s" : "%s and %s", text, preset_names[i]);
   return text;
}

bool mt_preset_descriptor (MtArena *a, const MtTable *t, const MtPresetUse *use, bson_t *out,
                           MtError *err)
{
   MtPresetBuild b = {.a = a,
                      .t = t,
                      .options = use->options,
                      .option_count = use->option_count,
                      .collection = use->collection,
                      .err = err};
   for (b.row = rows; b.row->name && !mt_ieq (b.row->name, use->preset); b.row++)
      ;
   if (!b.row->name) {
      const char *near = mt_nearest (use->preset, preset_names,
                                     sizeof preset_names / sizeof preset_names[0] - 1);
      mt_error (err, MT_E_UNDEFINED_OBJECT, "layout \"%s\" does not exist", use->preset);
      return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near)
                  : mt_error_hint (err, "Layouts are %s.", all_names (a));
   }
   bool ok = build (&b, out);
   mt_buf_free (&b.json);
   return ok;
}
