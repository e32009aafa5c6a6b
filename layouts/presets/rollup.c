/* Roll-ups: one document a series and period, with an entry for each bucket of time. */
#include "layouts/presets/preset_int.h"

#include <string.h>

const MtPresetOptionRow mt_preset_rollup_options[] = {
   {"bucket", "1 second|1 minute|1 hour|1 day|1 month, or several", "1 hour",
    "the time that an entry covers; several, such as '1 hour, 1 day', have documents each"},
   {"by", "columns", "all dimensions", "what has entries of its own; '' for the whole table"},
   {"keep", "calls", "sum, min and max of each measure",
    "what an entry keeps: sum, min, max, count and avg of measures, states such as "
    "percentile_agg(v), and stddev(v), corr(y, x), first(v, ts) and the like"},
   {"document", "hour|day|month|year", "the next but one unit: a day of hours, a month of days",
    "the time that a document covers"},
   {NULL, NULL, NULL, NULL},
};

typedef struct Bucket {
   MtUnit unit, document;
} Bucket;

typedef struct Rollup {
   Bucket buckets[5];
   size_t count;
   int *by;
   size_t by_count;
   MtKeep keep;
} Rollup;

/* Each width of a bucket, and the period that one document covers if no option says. */
static const struct {
   const char *word;
   MtUnit unit, document;
} widths[] = {{"1 second", MT_UNIT_SECOND, MT_UNIT_HOUR},
              {"1 minute", MT_UNIT_MINUTE, MT_UNIT_DAY},
              {"1 hour", MT_UNIT_HOUR, MT_UNIT_DAY},
              {"1 day", MT_UNIT_DAY, MT_UNIT_MONTH},
              {"1 month", MT_UNIT_MONTH, MT_UNIT_YEAR}};

static bool add_bucket (MtPresetBuild *b, Rollup *r, const char *word)
{
   for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
      if (!mt_ieq (word, widths[i].word) && !mt_ieq (word, widths[i].word + 2))
         continue;
      for (size_t k = 0; k < r->count; k++)
         if (r->buckets[k].unit == widths[i].unit)
            return mt_preset_bad_value (b, mt_preset_option (b, "bucket"),
                                        "Each bucket is given once.");
      r->buckets[r->count++] = (Bucket) {widths[i].unit, widths[i].document};
      return true;
   }
   return mt_preset_bad_value (b, mt_preset_option (b, "bucket"),
                               "It must be 1 second, 1 minute, 1 hour, 1 day or 1 month, or "
                               "several of them.");
}

static bool read_buckets (MtPresetBuild *b, Rollup *r)
{
   const MtPresetOption *o = mt_preset_option (b, "bucket");
   const char *p = o ? o->value : "1 hour";
   while (*p)
      if (!add_bucket (b, r, mt_preset_next_word (b->a, &p)))
         return false;
   return r->count || add_bucket (b, r, "");
}

static bool read_document (MtPresetBuild *b, Rollup *r)
{
   const MtPresetOption *o = mt_preset_option (b, "document");
   MtUnit unit;
   if (!o)
      return true;
   if (!mt_unit_by_name (mt_str (o->value), &unit) || unit < MT_UNIT_HOUR || unit > MT_UNIT_YEAR ||
       unit == MT_UNIT_WEEK)
      return mt_preset_bad_value (b, o, "It must be hour, day, month or year.");
   for (size_t i = 0; i < r->count; i++) {
      if (unit <= r->buckets[i].unit)
         return mt_preset_bad_value (b, o, "A document covers a longer time than a bucket.");
      r->buckets[i].document = unit;
   }
   return true;
}

static bool read_by (MtPresetBuild *b, Rollup *r)
{
   if (!mt_preset_key (b, "by", &r->by, &r->by_count))
      return false;
   return !mt_in_key (r->by, r->by_count, b->t->time_column) ||
          mt_preset_bad_value (b, mt_preset_option (b, "by"), "The time can't be in it.");
}

static bool read_keep (MtPresetBuild *b, Rollup *r)
{
   if (!mt_preset_keep (b, &r->keep))
      return false;
   for (size_t i = 0; i < b->t->column_count && !mt_preset_option (b, "keep"); i++)
      if (b->t->columns[i].role == MT_COL_MEASURE && mt_type_is_number (b->t->columns[i].type.id))
         r->keep.numbers[i] = MT_KEEP_SUM | MT_KEEP_MIN | MT_KEEP_MAX;
   return true;
}

/* ---- the descriptor ---- */

static void bind_by (MtPresetBuild *b, const Rollup *r)
{
   for (size_t i = 0; i < r->by_count; i++) {
      mt_preset_raw (b, ", {\"column\": ");
      mt_preset_str (b, b->t->columns[r->by[i]].name);
      mt_preset_raw (b, "}");
   }
}

static void put_numbers (MtPresetBuild *b, const Rollup *r)
{
   static const MtKeptNames names = {"sum_", "min_", "max_", "count_"};
   size_t measures = 0;
   for (size_t i = 0; i < b->t->column_count; i++) {
      const MtColumn *c = &b->t->columns[i];
      if (!r->keep.numbers[i])
         continue;
      mt_preset_raw (b, measures++ ? ", " : ", \"measures\": {");
      mt_preset_str (b, c->name);
      mt_preset_raw (b, ": {");
      mt_preset_kept_paths (b, r->keep.numbers[i], &names, c->field);
      mt_preset_raw (b, "}");
   }
   mt_preset_raw (b, measures ? "}" : "");
}

/* Appends a store: a document a series and period, and in it a list with an entry a bucket. */
static void put_store (MtPresetBuild *b, const Rollup *r, const Bucket *k)
{
   const char *unit = mt_unit_name (k->unit), *document = mt_unit_name (k->document);
   mt_preset_raw (b, ", \"write\": \"push\", \"root\": {\"is\": \"document\", \"bind\": [");
   mt_preset_raw (b, mt_printf (b->a, "{\"trunc\": \"%s\", \"at\": \"%s\", \"encoding\": %s}",
                                document, document, mt_preset_time (b)));
   bind_by (b, r);
   mt_preset_raw (b, mt_printf (b->a,
                                "], \"sub\": {\"is\": \"list\", \"at\": \"%ss\", \"bind\": "
                                "[{\"part\": \"%s\", \"of\": \"%s\", \"at\": \"%s\"%s}], \"agg\": "
                                "{\"n\": \"n\"",
                                unit, unit, document, unit,
                                k->unit == MT_UNIT_MONTH || k->unit == MT_UNIT_DAY ? ", \"base\": 1"
                                                                                   : ""));
   put_numbers (b, r);
   mt_preset_kept_states (b, &r->keep);
   mt_preset_raw (b, "}}}}");
}

bool mt_preset_rollup (MtPresetBuild *b)
{
   Rollup r = {.count = 0};
   if (!mt_preset_need_time (b) || !read_buckets (b, &r) || !read_document (b, &r) ||
       !read_by (b, &r) || !read_keep (b, &r))
      return false;
   mt_preset_raw (b, "{\"keeps\": \"rollup\", \"key\": [");
   for (size_t i = 0; i < r.by_count; i++) {
      mt_preset_raw (b, i ? ", " : "");
      mt_preset_str (b, b->t->columns[r.by[i]].name);
   }
   mt_preset_raw (b, "], \"stores\": [");
   for (size_t i = 0; i < r.count; i++) {
      mt_preset_raw (b, i ? ", {" : "{");
      mt_preset_collection (b, i ? mt_printf (b->a, "%s_%s", b->collection,
                                              mt_unit_name (r.buckets[i].unit))
                                 : b->collection);
      put_store (b, &r, &r.buckets[i]);
   }
   mt_preset_raw (b, "]}");
   return true;
}
