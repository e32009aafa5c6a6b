/* Records: rows as values (types/record.h). Only analysis makes calls of the functions whose names
 * begin with '$'; SQL text can't name these functions. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/record.h"

/* Builds a record. Arguments: array of names, array of types, values. */
static bool fn_record (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_record_make (ev->arena, a, (size_t) n, out, ev->err);
}

static bool fn_record_field (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal v = mt_record_at (a[0], (size_t) a[1].i);
   *out = mt_is_nullish (v) ? mt_v_null () : v;
   return true;
}

/* Computes IS NULL, or if the second argument is true, IS NOT NULL, of a record: whether all fields
 * are NULL, or none. Arguments: record, negated. */
static bool fn_record_null (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRecordIter it = mt_record_iter (a[0]);
   MtRecordField f;
   bool all = !mt_is_nullish (a[0]) || !a[1].i;
   while (all && !mt_is_nullish (a[0]) && mt_record_next (&it, &f))
      all = mt_is_nullish (f.value) != (bool) a[1].i;
   *out = mt_v_bool (all);
   return true;
}

#define NS MT_F_NOT_STRICT
#define TEXT(to) \
   MT_ROW (to, "record, _zone text -> " to, MT_F_CAST | MT_F_CAST_ASSIGN | MT_NN, NULL, \
           MT_OPN (to "_from_record", record_text, 0), "cast", \
           "SELECT ROW(1, 'a b', NULL)::" to " => (1,\"a b\",)")

static bool fn_record_text (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTextStyle style = {.extra_float_digits = 1};
   MtBuf buf = {0};
   if (!mt_zone_arg (ev, a[1], &style.zone))
      return false;
   if (!mt_record_print (a[0], &style, &buf, ev->err)) {
      mt_buf_free (&buf);
      return false;
   }
   *out = mt_text_result (ev, &buf);
   return true;
}

const MtFunc mt_fn_record[] = {
   MT_ROW ("$record", "text[], int4[], any -> record", NS | MT_NN | MT_F_VARIADIC, NULL,
           MT_OP (record), "row of values", "SELECT ROW(1, 'a b', NULL) => (1,\"a b\",)"),
   MT_ROW ("$record_field", "record, int4 -> document", 0, NULL, MT_OP (record_field),
           "field of a row", "SELECT (r).f2 FROM (SELECT ROW(1, 2) AS r) AS s => 2"),
   MT_ROW ("$record_null", "record, bool -> bool", NS | MT_NN, NULL, MT_OP (record_null),
           "whether all fields of a row are NULL, or none is",
           "SELECT r IS NULL FROM (SELECT ROW(NULL, NULL) AS r) AS s => t"),
   TEXT ("text"),
   TEXT ("varchar"),
   {.name = NULL},
};
