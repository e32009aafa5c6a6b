#include "functions/words.h"

#include "functions/core/row.h"
#include "functions/text/pattern.h"
#include "functions/time/format.h"

#include "types/datetime.h"

/* ---- to_char of times ---- */

/* Servers read only some years, so a time is moved by whole cycles of 400 years into the years 2000
 * to 2399. The year is computed beside it. */
#define CYCLE_DAYS 146097
#define CYCLE_MS (CYCLE_DAYS * MT_DAY_MS)
#define YEAR_2000_MS INT64_C (946684800000)

/* Appends the year without a sign, in four digits or more. There is no year 0. */
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

/* Returns an array of texts by the template. They read the year $$y, and $$d for the rest. NULL:
 * the template has other fields. */
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
   /* m: milliseconds; r: those since the cycle began */
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

static const bson_t *words_of (MtArena *a, MtVal args, bool negated)
{
   size_t n = 0;
   MtVal *v = args.type == MT_ARRAY ? mt_v_elements (a, args, &n) : NULL;
   if (n != 2 || v[1].type != MT_STRING)
      return NULL;
   const char *regex = mt_regex_simple (a, mt_v_text (v[1]));
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

const bson_t *mt_regex_words (MtArena *a, MtVal args) { return words_of (a, args, false); }

const bson_t *mt_not_regex_words (MtArena *a, MtVal args) { return words_of (a, args, true); }
