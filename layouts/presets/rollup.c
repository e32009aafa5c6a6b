/* The preset of roll-ups: a document for each series (combination of dimensions) and period. It has
 * an array with an element for each time bucket. */
#include "layouts/presets/preset_int.h"

#include "types/datetime.h"

#include <string.h>

const MtPresetOptionRow mt_preset_rollup_options[] = {
   {"bucket", "30 seconds|5 minutes|1 hour|1 day|7 days|1 month …, or several", "1 hour",
    "the time that an entry covers; several, such as '1 hour, 1 day', have documents each"},
   {"by", "columns", "all dimensions", "what has entries of its own; '' for the whole table"},
   {"keep", "calls", "sum, min and max of each measure",
    "what an entry keeps: sum, min, max, count and avg of measures, states such as "
    "percentile_agg(v), and stddev(v), corr(y, x), first(v, ts) and the like"},
   {"document", "hour|day|month|year",
    "an hour of seconds, a day of minutes or hours, a month of days",
    "the time that a document covers"},
   {NULL, NULL, NULL, NULL},
};

typedef struct Bucket {
   MtUnit unit, document;
} Bucket;

#define MAX_BUCKETS 8

typedef struct Rollup {
   Bucket buckets[MAX_BUCKETS];
   size_t count;
   int *by;
   size_t by_count;
   MtKeep keep;
} Rollup;

static bool is_duplicate (const Rollup *r, MtUnit unit)
{
   bool found = false;
   for (size_t i = 0; i < r->count; i++)
      found = found || r->buckets[i].unit == unit;
   return found;
}

/* Reads the width of a time bucket, such as `5 minutes`, `1 hour` or `hour`, as a unit of time.
 * False if there is no such unit. */
static bool read_width (const char *word, MtUnit *out)
{
   MtInterval iv;
   MtError lost;
   if (mt_unit_by_name (mt_str (word), out))
      return *out >= MT_UNIT_SECOND && *out <= MT_UNIT_MONTH;
   if (!mt_interval_in (word, strlen (word), &iv, &lost))
      return false;
   if (iv.months) {
      *out = MT_UNIT_MONTH;
      return iv.months == 1 && !iv.days && !iv.us;
   }
   int64_t day_us = MT_DAY_MS * 1000, us;
   return !__builtin_mul_overflow (iv.days, day_us, &us) &&
          !__builtin_add_overflow (us, iv.us, &us) && us > 0 && us % 1000000 == 0 &&
          mt_unit_of_ms (us / 1000, out);
}

/* Returns the default period that a document covers, for buckets of unit `bucket`. A week has its
 * own document, because a week can be in two months. */
static MtUnit document_of (MtUnit bucket)
{
   switch (bucket) {
   case MT_UNIT_DAY: return MT_UNIT_MONTH;
   case MT_UNIT_WEEK: return MT_UNIT_WEEK;
   case MT_UNIT_MONTH: return MT_UNIT_YEAR;
   default:
      return bucket < MT_UNIT_MINUTE && mt_unit_within (bucket, MT_UNIT_HOUR) ? MT_UNIT_HOUR
                                                                              : MT_UNIT_DAY;
   }
}

static bool add_bucket (MtPresetBuild *b, Rollup *r, const char *word)
{
   const MtPresetOption *o = mt_preset_option (b, "bucket");
   MtUnit unit;
   if (!read_width (word, &unit))
      return mt_preset_bad_value (
         b, o,
         "A bucket divides an hour or a day, such as 30 seconds, 5 minutes "
         "or 6 hours, or is 1 day, 7 days or 1 month. There may be several "
         "buckets.");
   if (is_duplicate (r, unit))
      return mt_preset_bad_value (b, o, "Each bucket is given once.");
   if (r->count == MAX_BUCKETS)
      return mt_preset_bad_value (b, o, "There are too many buckets.");
   r->buckets[r->count++] = (Bucket) {unit, document_of (unit)};
   return true;
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
       unit == MT_UNIT_WEEK || mt_unit_is_multiple (unit))
      return mt_preset_bad_value (b, o, "It must be hour, day, month or year.");
   for (size_t i = 0; i < r->count; i++) {
      if (unit <= r->buckets[i].unit)
         return mt_preset_bad_value (b, o, "A document covers a longer time than a bucket.");
      if (!mt_unit_within (r->buckets[i].unit, unit))
         return mt_preset_bad_value (b, o, "A document must hold whole buckets.");
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

static void put_kept (MtPresetBuild *b, const Rollup *r)
{
   mt_preset_raw (b, ", \"agg\": {\"n\": \"n\"");
   put_numbers (b, r);
   mt_preset_kept_states (b, &r->keep);
   mt_preset_raw (b, "}");
}

/* Appends the level that is a document's array of buckets. */
static void put_list (MtPresetBuild *b, const Rollup *r, const Bucket *k)
{
   bool counts_from_1 = k->unit == MT_UNIT_MONTH || k->unit == MT_UNIT_DAY;
   const char *unit = mt_unit_name (k->unit),
              *field = mt_unit_is_multiple (k->unit) ? "bucket" : unit;
   mt_preset_raw (b, mt_printf (b->a,
                                ", \"sub\": {\"is\": \"list\", \"at\": \"%ss\", \"bind\": "
                                "[{\"part\": \"%s\", \"of\": \"%s\", \"at\": \"%s\"%s}]",
                                field, unit, mt_unit_name (k->document), field,
                                counts_from_1 ? ", \"base\": 1" : ""));
   put_kept (b, r);
   mt_preset_raw (b, "}");
}

/* Appends a store: a document for each series and period, with an array of buckets. If one bucket
 * is as long as the period, the document itself is the bucket. */
static void put_store (MtPresetBuild *b, const Rollup *r, const Bucket *k)
{
   const char *document = mt_unit_name (k->document);
   mt_preset_raw (b, ", \"write\": \"push\", \"root\": {\"is\": \"document\", \"bind\": [");
   mt_preset_raw (b, mt_printf (b->a, "{\"trunc\": \"%s\", \"at\": \"%s\", \"encoding\": %s}",
                                document, document, mt_preset_time (b)));
   bind_by (b, r);
   mt_preset_raw (b, "]");
   if (k->document == k->unit)
      put_kept (b, r);
   else
      put_list (b, r, k);
   mt_preset_raw (b, "}}");
}

/* Returns the collection's name for bucket number i: the first bucket uses the layout's collection,
 * and the others append their width to its name. */
static const char *collection_of (MtPresetBuild *b, const Rollup *r, size_t i)
{
   char *name = mt_printf (b->a, "%s_%s", b->collection, mt_unit_name (r->buckets[i].unit));
   for (char *p = name + strlen (b->collection); *p; p++)
      if (*p == ' ')
         *p = '_';
   return i ? name : b->collection;
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
      mt_preset_collection (b, collection_of (b, &r, i));
      put_store (b, &r, &r.buckets[i]);
   }
   mt_preset_raw (b, "]}");
   return true;
}
