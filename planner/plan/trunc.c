/* Rewrites $dateTrunc with other operators, for servers that lack it or compute it wrongly. */
#include "planner/plan/trunc.h"

#include "types/datetime.h"

#include <string.h>

/* In $dateTrunc, intervals of weeks are counted from a Monday, and all others from 2000-01-01. */
#define YEAR_2000_MS INT64_C (946684800000)
#define MONDAY_MS (YEAR_2000_MS + 2 * MT_DAY_MS)

/* Computes the width of the intervals of $dateTrunc, and the start of one of them. False: the
 * intervals have different lengths, or start at local times. */
static bool bins_of (MtVal args, int64_t *width_ms, int64_t *origin_ms)
{
   static const struct {
      const char *unit;
      int64_t ms;
   } units[] = {{"week", 7 * MT_DAY_MS}, {"day", MT_DAY_MS}, {"hour", 3600000},
                {"minute", 60000},       {"second", 1000},   {"millisecond", 1}};
   MtVal unit = mt_doc_field (args, "unit"), size = mt_doc_field (args, "binSize");
   if (args.type != MT_DOC || unit.type != MT_STRING ||
       mt_doc_field (args, "timezone").type != MT_MISSING ||
       (size.type != MT_MISSING && size.type != MT_INT64))
      return false;
   for (size_t i = 0; i < sizeof units / sizeof *units; i++)
      if (mt_v_is_text (unit, units[i].unit)) {
         int64_t bins = size.type == MT_INT64 ? size.i : 1;
         if (bins < 1 || bins > INT64_MAX / 4 / units[i].ms)
            return false;
         *width_ms = bins * units[i].ms;
         *origin_ms = i == 0 ? MONDAY_MS : YEAR_2000_MS;
         return i > 0 || bins == 1;
      }
   return false;
}

static const bson_t *by_modulo (MtArena *a, MtVal date, int64_t width_ms, int64_t origin_ms)
{
   bool path = date.type == MT_STRING;
   const bson_t *t = path ? mt_doc_of (a, date) : mt_mql_path (a, "$t"),
                *width = mt_mql_const (a, mt_v_int64 (width_ms)),
                *origin = mt_mql_const (a, mt_v_date (origin_ms));
   const bson_t *rest = mt_mql_op (a, "$mod", mt_mql_op (a, "$subtract", t, origin, NULL), width,
                                   NULL);
   rest = mt_mql_op (a, "$mod", mt_mql_op (a, "$add", rest, width, NULL), width, NULL);
   const bson_t *start = mt_mql_op (a, "$subtract", t, rest, NULL);
   return path ? start : mt_mql_let (a, "t", mt_doc_of (a, date), start);
}

const bson_t *mt_trunc_by_modulo (MtArena *a, MtVal args)
{
   int64_t width_ms, origin_ms;
   return bins_of (args, &width_ms, &origin_ms)
             ? by_modulo (a, mt_doc_field (args, "date"), width_ms, origin_ms)
             : NULL;
}
