/* to_char of a time as $dateToString. Servers read only some years, so the time is moved by whole
 * cycles of 400 years into the years 2000 to 2399. The year is computed beside it. */
#include "functions/words.h"
#include "functions/time/format_int.h"

#include "types/datetime.h"

#define CYCLE_DAYS 146097
#define CYCLE_MS (CYCLE_DAYS * MT_DAY_MS)
#define YEAR_2000_MS INT64_C (946684800000)

/* Returns the code of $dateToString for a field. NULL: it has none, or a year. */
static const char *code_of (MtTimeCode c)
{
   switch (c) {
   case C_MM: return "%m";
   case C_DD: return "%d";
   case C_HH24: return "%H";
   case C_MI: return "%M";
   case C_SS: return "%S";
   case C_MS: return "%L";
   default: return NULL;
   }
}

/* Appends the text by a format of $dateToString to `parts`, and empties the format. */
static void end_text (MtArena *a, MtBuf *format, bson_t *parts)
{
   bson_t *text = mt_doc_new (a);
   if (!format->n)
      return;
   MtVal f = mt_v_cstr (mt_strndup (a, format->p, format->n));
   mt_doc_printf (text, "$dateToString: {date: '$$d', format: %p}", (void *) &f);
   mt_doc_push (parts, mt_v_doc (text));
   mt_buf_clear (format);
}

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
   MtError ignored = {0};
   MtEval ev = {.arena = a, .err = &ignored};
   MtBuf format = {0};
   bson_t *parts = mt_doc_new (a);
   size_t count;
   const MtTimeNode *nodes = mt_time_template (&ev, template, &count);
   bool can = true;
   for (size_t i = 0; can && i < count; i++) {
      const MtTimeNode *n = &nodes[i];
      const char *code = n->kind == MT_TN_FIELD ? code_of (n->code) : NULL;
      can = !n->fm && !n->tm && !n->th;
      if (code)
         mt_buf_adds (&format, code);
      else if (n->kind != MT_TN_FIELD && n->text.p[0] != '%')
         mt_buf_add (&format, n->text.p, n->text.n);
      else if (n->kind == MT_TN_FIELD && n->code == C_YYYY) {
         end_text (a, &format, parts);
         add_year (parts);
      } else
         can = false;
   }
   end_text (a, &format, parts);
   mt_buf_free (&format);
   return can && !bson_empty (parts) ? parts : NULL;
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
