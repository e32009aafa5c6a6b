/* Functions of enumerated types. An argument gives the type: its handle (the internal name
 * "enum:…", types/enum.h), or the array of its labels. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/enum.h"

static bool type_of (MtEval *ev, MtVal handle, MtTypeId *out)
{
   return (mt_type_by_name (mt_v_text (handle), out) && mt_type_is_enum (*out)) ||
          mt_error (ev->err, MT_E_PARAMETER, "an operator of enumerated types needs a type");
}

static bool fn_keep_label (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

static bool fn_enum_in (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   return type_of (ev, a[1], &t) &&
          mt_value_parse (ev->arena, mt_type (t), mt_v_text (a[0]), NULL, out, ev->err);
}

static bool fn_enum_rank (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count, i = 0;
   MtVal *labels = mt_v_elements (ev->arena, a[1], &count);
   while (i < count && mt_v_compare (labels[i], a[0]) != 0)
      i++;
   *out = mt_v_int32 (i < count ? (int32_t) i : -1);
   return true;
}

static bool fn_enum_at (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t count;
   MtVal *labels = mt_v_elements (ev->arena, a[1], &count);
   bool within = a[0].i >= 0 && (size_t) a[0].i < count;
   *out = within ? labels[a[0].i] : mt_v_null ();
   return true;
}

/* Computes enum_first, or enum_last if MT_USER (ev) is 1. */
static bool fn_enum_end (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   if (!type_of (ev, a[1], &t))
      return false;
   const MtEnum *e = mt_enum_of (t);
   if (e->count == 0)
      return mt_error (ev->err, MT_E_STATE, "enum %s contains no values", e->info.name);
   *out = mt_v_cstr (e->labels[MT_USER (ev) ? e->count - 1 : 0]);
   return true;
}

/* Computes enum_range. Arguments: the type; or the first label, the last label and the type. A NULL
 * label means the first or the last of the type. */
static bool fn_enum_range (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t;
   if (!type_of (ev, a[n - 1], &t))
      return false;
   const MtEnum *e = mt_enum_of (t);
   int low = 0, high = (int) e->count - 1;
   if (n == 3 && !mt_is_nullish (a[0]))
      low = mt_enum_rank (t, mt_v_text (a[0]));
   if (n == 3 && !mt_is_nullish (a[1]))
      high = mt_enum_rank (t, mt_v_text (a[1]));
   MtVal *list = MT_NEW_N (ev->arena, MtVal, e->count + 1);
   size_t count = 0;
   for (int i = low; i >= 0 && i <= high; i++)
      list[count++] = mt_v_cstr (e->labels[i]);
   return mt_v_make_array (ev->arena, list, count, out, ev->err);
}

#define NS MT_F_NOT_STRICT

const MtFunc mt_fn_enum[] = {
   MT_ROW ("$enum_text", "any -> text", MT_F_CAST | MT_NN | MT_F_NULL_SAFE, "\"$1\"",
           MT_OPN ("enum_text", keep_label, 0), "a value of an enumerated type as text",
           "SELECT 'ok'::mood::text => ok"),
   MT_ROW ("$enum_in", "text, text -> text", MT_NN, NULL, MT_OPN ("enum_in", enum_in, 0),
           "text as a value of an enumerated type", "SELECT 'ok'::text::mood => ok"),
   MT_ROW ("$enum_rank", "text, text[] -> int4", MT_NN, "{\"$indexOfArray\": [\"$2\", \"$1\"]}",
           MT_OPN ("enum_rank", enum_rank, 0), "the place of a value in the order of its type",
           "SELECT 'ok'::mood > 'sad'::mood => t"),
   MT_ROW ("$enum_at", "int4, text[] -> text", MT_NN, "{\"$arrayElemAt\": [\"$2\", \"$1\"]}",
           MT_OPN ("enum_at", enum_at, 0), "the value at a place of the order",
           "SELECT greatest('ok'::mood, 'sad') => ok"),
   MT_ROW ("enum_first", "anyenum, _type text -> anyenum", NS | MT_NN, NULL,
           MT_OPN ("enum_first", enum_end, 0), "first value of the argument's enumerated type",
           "SELECT enum_first(NULL::mood) => sad"),
   MT_ROW ("enum_last", "anyenum, _type text -> anyenum", NS | MT_NN, NULL,
           MT_OPN ("enum_last", enum_end, 1), "last value of the argument's enumerated type",
           "SELECT enum_last(NULL::mood) => happy"),
   MT_ROW ("enum_range", "anyenum, _type text -> anyarray", NS | MT_NN | MT_F_FLAT, NULL,
           MT_OPN ("enum_range", enum_range, 0),
           "all values of the argument's enumerated type, in their order",
           "SELECT enum_range(NULL::mood) => {sad,ok,happy}"),
   MT_ROW ("enum_range", "anyenum, anyenum, _type text -> anyarray", NS | MT_NN | MT_F_FLAT, NULL,
           MT_OPN ("enum_range", enum_range, 0),
           "the values from one to another; NULL: from the first, or to the last",
           "SELECT enum_range('ok'::mood, NULL) => {ok,happy}"),
   {.name = NULL},
};
