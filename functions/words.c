#include "functions/words.h"

#include "functions/core/row.h"
#include "functions/text/pattern.h"
#include "functions/time/format.h"
#include "functions/time/gapfill.h"

#include "types/datetime.h"

/* ---- to_char of times ---- */

/* Servers handle only some years, so a time is moved by multiples of 400 years into the years 2000
 * to 2399. The year is computed separately. */
#define CYCLE_DAYS 146097
#define CYCLE_MS (CYCLE_DAYS * MT_DAY_MS)
#define YEAR_2000_MS INT64_C (946684800000)

/* Appends to `parts` an expression for the year $$y as text of at least four digits, without a
 * sign. Year 0 is 1 BC, and so on. */
static void add_year (bson_t *parts)
{
   bson_t year = BSON_INITIALIZER;
   mt_doc_printf (&year,
                  "$let: {vars: {y: {$cond: [{$gt: ['$$y', 0]}, '$$y', {$subtract: [1, '$$y']}]}}, "
                  "in: {$cond: [{$gt: ['$$y', 9999]}, {$toString: '$$y'}, {$substrBytes: "
                  "[{$toString: {$add: ['$$y', 10000]}}, 1, 4]}]}}");
   mt_doc_push (parts, mt_v_doc (&year));
   bson_destroy (&year);
}

/* Returns an array of expressions for the parts of the template, which are concatenated later. They
 * read the year from the variable $$y, and all else from the date $$d. NULL: the template has
 * fields that can't be converted. */
static bson_t *parts_of (MtArena *a, MtStr template)
{
   int count;
   const char *const *formats = mt_date_formats (a, template, &count);
   bson_t *parts = formats ? mt_doc_new (a) : NULL;
   for (int i = 0; formats && i < count; i++) {
      bson_t *text = mt_doc_new (a);
      if (!formats[i]) {
         add_year (parts);
         continue;
      }
      mt_doc_printf (text, "$dateToString: {date: '$$d', format: %s}", formats[i]);
      mt_doc_push (parts, mt_v_doc (text));
   }
   return parts;
}

const bson_t *mt_to_char_words (MtArena *a, MtVal args)
{
   size_t n = 0;
   MtVal *v = args.type == MT_ARRAY ? mt_v_elements (a, args, &n) : NULL;
   if (n < 2 || v[1].type != MT_STRING || (n == 3 && !mt_v_is_text (v[2], "UTC")) || n > 3)
      return NULL;
   bson_t *list = parts_of (a, mt_v_text (v[1])), *out = mt_doc_new (a);
   if (!list)
      return NULL;
   MtVal parts = mt_v_array (list), epoch = mt_v_date (0), start = mt_v_date (YEAR_2000_MS),
         offset = mt_v_int64 (YEAR_2000_MS), cycle = mt_v_int64 (CYCLE_MS),
         least = mt_v_int64 (MT_TS_MINUS_INFINITY), most = mt_v_int64 (MT_TS_INFINITY);
   /* m: milliseconds since 1970; r: milliseconds since the beginning of its 400-year cycle */
   mt_doc_printf (
      out,
      "r: {$let: {vars: {m: {$subtract: [%p, %p]}}, in: {$cond: [{$in: [{$ifNull: ['$$m', %p]}, "
      "[%p, %p]]}, null, {$let: {vars: {r: {$mod: [{$add: [{$mod: [{$subtract: ['$$m', %p]}, %p]}, "
      "%p]}, %p]}}, in: {$let: {vars: {d: {$add: [%p, '$$r']}}, in: {$let: {vars: {y: {$add: "
      "[{$year: '$$d'}, {$multiply: [400, {$toInt: {$divide: [{$subtract: [{$subtract: ['$$m', "
      "%p]}, '$$r']}, %p]}}]}]}}, in: {$concat: %p}}}}}}}]}}}",
      (void *) &v[0], (void *) &epoch, (void *) &least, (void *) &least, (void *) &most,
      (void *) &offset, (void *) &cycle, (void *) &cycle, (void *) &cycle, (void *) &start,
      (void *) &offset, (void *) &cycle, (void *) &parts);
   return mt_doc_of (a, mt_doc_field (mt_v_doc (out), "r"));
}

/* ---- regular expressions ---- */

static const bson_t *words_of (MtArena *a, MtVal args, bool negated, bool caseless)
{
   size_t n = 0;
   MtVal *v = args.type == MT_ARRAY ? mt_v_elements (a, args, &n) : NULL;
   if (n != 2 || v[1].type != MT_STRING)
      return NULL;
   const char *regex = mt_regex_simple (a, mt_v_text (v[1]), caseless);
   if (!regex)
      return NULL;
   bson_t *match = mt_doc_new (a);
   mt_doc_printf (match, "$regexMatch: {input: '$$r', regex: %s, options: 's'}", regex);
   const bson_t *text = mt_mql_op (a, "$ifNull", mt_doc_of (a, v[0]), mt_doc_of (a, mt_v_null ()),
                                   NULL),
                *is = mt_doc_of (a, mt_v_doc (match)), *r = mt_mql_path (a, "$r"),
                *null = mt_doc_of (a, mt_v_null ());
   if (negated)
      is = mt_mql_op1 (a, "$not", is);
   return mt_mql_let (a, "r", text,
                      mt_mql_op (a, "$cond", mt_mql_op (a, "$eq", r, null, NULL), null, is, NULL));
}

const bson_t *mt_regex_words (MtArena *a, MtVal args) { return words_of (a, args, false, false); }

const bson_t *mt_not_regex_words (MtArena *a, MtVal args)
{
   return words_of (a, args, true, false);
}

const bson_t *mt_iregex_words (MtArena *a, MtVal args) { return words_of (a, args, false, true); }

const bson_t *mt_not_iregex_words (MtArena *a, MtVal args)
{
   return words_of (a, args, true, true);
}

/* ---- gaps ---- */

#define MOST_STARTS 1000 /* they stand in the pipeline */

/* Returns the expression for y0 + (y1 - y0) * (share of the time $$t between the two rows),
 * computed as $_mtGapfill does. */
static MtVal interpolated (MtArena *a, MtVal y0, MtVal y1)
{
   bson_t *out = mt_doc_new (a);
   mt_doc_printf (
      out,
      "$let: {vars: {y0: %p, y1: %p, x: {$toDouble: {$multiply: [{$subtract: ['$$t', "
      "'$$before.t']}, 1000]}}, rest: {$toDouble: {$multiply: [{$subtract: ['$$behind.t', '$$t']}, "
      "1000]}}}, in: {$cond: [{$or: [{$lte: ['$$y0', null]}, {$lte: ['$$y1', null]}]}, null, "
      "{$cond: [{$eq: ['$$y0', '$$y1']}, '$$y0', {$divide: [{$add: [{$multiply: ['$$y0', '$$rest']}, "
      "{$multiply: ['$$y1', '$$x']}]}, {$add: ['$$x', '$$rest']}]}]}]}}",
      (void *) &y0, (void *) &y1);
   return mt_v_doc (out);
}

/* Returns the expression for the field `name` of a row, {$ifNull: ["$$row.v.name", null]}. */
static MtVal field_of (MtArena *a, const char *row, MtStr name)
{
   const char *path = mt_printf (a, "$%s.v.%.*s", row, (int) name.n, name.p);
   return mt_doc_value (
      mt_mql_op (a, "$ifNull", mt_mql_path (a, path), mt_doc_of (a, mt_v_null ()), NULL));
}

/* Returns the expression for the row that fills a gap at time $$t between the rows $$before and
 * $$behind. NULL: a field is filled in a way that servers can't compute. */
static bson_t *gap_row (MtArena *a, MtVal fills)
{
   bson_t *row = mt_doc_new (a);
   MtDocIter it = mt_doc_iter (fills);
   MtStr key;
   MtVal fill;
   mt_doc_add_path (a, row, "t", "$t");
   while (mt_doc_next (&it, &key, &fill)) {
      MtStr name = mt_v_text (mt_doc_at (fill, 0)), how = mt_v_text (mt_doc_at (fill, 1));
      MtVal before = field_of (a, "before", name);
      if (mt_doc_at (fill, 2).i || !(mt_str_is (how, "locf") || mt_str_is (how, "float8")))
         return NULL;
      mt_doc_add (row, mt_strndup (a, name.p, name.n),
                  mt_str_is (how, "locf") ? before
                                          : interpolated (a, before, field_of (a, "behind", name)));
   }
   return row;
}

const bson_t *mt_gapfill_words (MtArena *a, const MtVal *args)
{
   size_t count;
   bool dates = mt_v_is_text (args[1], "timestamp") || mt_v_is_text (args[1], "timestamptz");
   const int64_t *starts = dates ? mt_gapfill_starts (a, args, &count) : NULL;
   bson_t *row = starts && count <= MOST_STARTS ? gap_row (a, args[6]) : NULL,
          *list = mt_doc_new (a), *out = mt_doc_new (a);
   if (!row)
      return NULL;
   for (size_t i = 0; i < count; i++)
      mt_doc_push (list, mt_v_date (starts[i]));
   MtVal all = mt_v_array (list), gap = mt_v_doc (row);
   mt_doc_printf (
      out,
      "r: {$let: {vars: {rows: {$sortArray: {input: '$rows', sortBy: {t: 1}}}}, in: {$sortArray: "
      "{input: {$concatArrays: [{$map: {input: '$$rows', as: 'w', in: {$mergeObjects: [{t: "
      "'$$w.t'}, '$$w.v']}}}, {$map: {input: {$setDifference: [%p, {$map: {input: '$$rows', as: "
      "'w', in: '$$w.t'}}]}, as: 't', in: {$let: {vars: {before: {$arrayElemAt: [{$filter: {input: "
      "'$$rows', as: 'w', cond: {$lt: ['$$w.t', '$$t']}}}, -1]}, behind: {$arrayElemAt: [{$filter: "
      "{input: '$$rows', as: 'w', cond: {$gt: ['$$w.t', '$$t']}}}, 0]}}, in: %p}}}}]}, sortBy: {t: "
      "1}}}}}",
      (void *) &all, (void *) &gap);
   return mt_doc_of (a, mt_doc_field (mt_v_doc (out), "r"));
}
