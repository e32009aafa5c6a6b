/* Frames of windows: ROWS, RANGE and GROUPS with offsets. */
#include "analyze/calls/call.h"
#include "analyze/calls/enum.h"
#include "analyze/group/window_int.h"
#include "analyze/types/coerce.h"
#include "planner/emit/eval.h"
#include "query/window.h"
#include "types/datetime.h"

#include <math.h>
#include <string.h>

/* Intervals are sorted by their estimated length (a month has 30 days), arrays by a key made of
 * their elements, and labels of enumerated types by their index in the type. */
MtX *mt_orderable (MtBinder *b, MtX *x)
{
   if (mt_type_is_enum (x->type.id))
      return mt_enum_place (b, x);
   if (x->type.id != MT_T_INTERVAL && !mt_type_is_array (x->type.id))
      return x;
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   args[0] = x;
   if (mt_type_is_array (x->type.id)) {
      args[1] = mt_type_arg (b, mt_type_element (x->type.id));
      return mt_x_call (b->a, mt_hidden_func ("$array_key"), mt_type (MT_T_DOCUMENT), args, 2,
                        x->span);
   }
   return mt_x_call (b->a, mt_hidden_func ("$interval_length"), mt_type (MT_T_NUMERIC), args, 1,
                     x->span);
}

static const char *mode_name (MtFrameMode m)
{
   switch (m) {
   case MT_FRAME_ROWS: return "ROWS";
   case MT_FRAME_RANGE: return "RANGE";
   case MT_FRAME_GROUPS: break;
   }
   return "GROUPS";
}

/* Computes *x, a constant offset of a frame, and replaces it by its value. If the offset is NULL,
 * stores the error in *out; it is raised only if the query has rows. start: the offset belongs to
 * the start of the frame. */
static bool offset_value (MtBinder *b, MtX **x, bool start, MtBoundX *out)
{
   MtVal v;
   if (!mt_eval_const (b->a, *x, b->env, &v, b->err))
      return false;
   *x = mt_x_const (b->a, (*x)->type, v, (*x)->span);
   if (mt_is_nullish (v)) {
      out->state = MT_E_NULL_NOT_ALLOWED;
      out->message = start ? "frame starting offset must not be null"
                           : "frame ending offset must not be null";
   }
   return true;
}

static bool row_offset (MtBinder *b, MtX *x, const MtExpr *e, MtFrameMode mode, bool start,
                        MtBoundX *out)
{
   if (!mt_can_coerce (x->type.id, MT_T_INT8, MT_COERCE_ASSIGN) ||
       mt_type_info (x->type.id)->category == 'S')
      return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                          "argument of %s must be type bigint, not type %s", mode_name (mode),
                          mt_type_info (x->type.id)->display);
   if (!mt_coerce (b, x, mt_type (MT_T_INT8), MT_COERCE_ASSIGN, &x) ||
       !offset_value (b, &x, start, out))
      return false;
   out->offset = out->state ? 0 : x->value.i;
   if (out->offset < 0) {
      out->state = MT_E_WINDOW_FRAME;
      out->message = start ? "frame starting offset must not be negative"
                           : "frame ending offset must not be negative";
   }
   return true;
}

/* Returns the type of the offsets of RANGE for a sort key of type `column`. MT_T_UNKNOWN: RANGE
 * with offsets does not support the type. */
static MtTypeId range_offset_type (MtTypeId column)
{
   switch (column) {
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8: return MT_T_INT8;
   case MT_T_FLOAT4:
   case MT_T_FLOAT8: return MT_T_FLOAT8;
   case MT_T_NUMERIC: return MT_T_NUMERIC;
   case MT_T_DATE:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ:
   case MT_T_INTERVAL: return MT_T_INTERVAL;
   default: return MT_T_UNKNOWN;
   }
}

static bool is_less_than_zero (const MtX *x)
{
   MtNum n;
   switch (x->type.id) {
   case MT_T_INT8: return x->value.i < 0;
   case MT_T_FLOAT8: return !(x->value.d >= 0);
   case MT_T_NUMERIC:
      return mt_num_from_val (x->value, &n) && (mt_num_is_nan (n) || mt_num_sign (n) < 0);
   default: return mt_interval_compare (mt_v_to_interval (x->value), (MtInterval) {0}) < 0;
   }
}

static bool is_infinite (const MtX *x)
{
   MtNum n;
   if (x->type.id == MT_T_FLOAT8)
      return isinf (x->value.d);
   return x->type.id == MT_T_NUMERIC && mt_num_from_val (x->value, &n) && mt_num_is_inf (n);
}

static bool range_offset (MtBinder *b, MtX **x, const MtExpr *e, MtTypeId column)
{
   MtTypeId want = range_offset_type (column), have = (*x)->type.id;
   if (want == MT_T_UNKNOWN)
      return mt_error_at (
         b->err, e->span, MT_E_FEATURE,
         "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s",
         mt_type_info (column)->display);
   if (have != MT_T_UNKNOWN && !mt_can_coerce (have, want, MT_COERCE_IMPLICIT)) {
      mt_error_at (
         b->err, e->span, MT_E_FEATURE,
         "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s and offset "
         "type %s",
         mt_type_info (column)->display, mt_type_info (have)->display);
      return mt_error_hint (b->err, "Cast the offset value to an appropriate type.");
   }
   return mt_coerce (b, *x, mt_type (want), MT_COERCE_IMPLICIT, x);
}

/* Rounds the offset of RANGE up or down to whole milliseconds. The frame keeps the same rows, since
 * times are whole milliseconds. */
static MtX *whole_offset (MtBinder *b, MtX *offset, bool up)
{
   MtInterval iv = mt_v_to_interval (offset->value);
   int64_t rest = iv.us - mt_floor_div (iv.us, 1000) * 1000;
   if (rest == 0 || __builtin_add_overflow (iv.us, up ? 1000 - rest : -rest, &iv.us))
      return offset;
   return mt_x_const (b->a, offset->type, mt_v_interval (b->a, iv), offset->span);
}

/* Makes the bound key - offset or key + offset of a RANGE frame. Integers become numeric, so that
 * the sum doesn't overflow, as in PostgreSQL. lowest: this is the least value in the frame, not the
 * greatest one. For times, the offset is rounded so that the bound moves into the frame. */
static bool bind_limit (MtBinder *b, MtX *key, MtX *offset, bool minus, bool lowest, MtX **out)
{
   MtTypeId t = key->type.id;
   if (t == MT_T_TIMESTAMP || t == MT_T_TIMESTAMPTZ)
      offset = whole_offset (b, offset, minus != lowest);
   if (t == MT_T_TIME) { /* the sum doesn't wrap at midnight */
      int64_t us = mt_v_to_interval (offset->value).us;
      MtX **args = MT_NEW_N (b->a, MtX *, 2);
      args[0] = key;
      args[1] = mt_x_const (b->a, mt_type (MT_T_INT8), mt_v_int64 (minus ? -us : us), offset->span);
      *out = mt_x_call (b->a, mt_hidden_func ("$time_shift"), mt_type (MT_T_INT8), args, 2,
                        key->span);
      return true;
   }
   MtTypeId as = mt_type_is_integer (t) ? MT_T_NUMERIC : t;
   if (t == MT_T_FLOAT4)
      as = MT_T_FLOAT8;
   if (as != t && !mt_coerce (b, key, mt_type (as), MT_COERCE_IMPLICIT, &key))
      return false;
   if (mt_type_is_integer (t) &&
       !mt_coerce (b, offset, mt_type (MT_T_NUMERIC), MT_COERCE_IMPLICIT, &offset))
      return false;
   if (!mt_bind_operator (b, minus ? "-" : "+", offset->span, key, offset, out))
      return false;
   *out = mt_orderable (b, *out);
   return true;
}

/* Makes key - infinity or key + infinity, a bound of a RANGE frame. If the key is the opposite
 * infinity, this difference has no value; PostgreSQL then includes all rows. near: this bound
 * includes those rows without a special case. */
static bool infinite_limit (MtBinder *b, MtX *key, bool minus, bool near, MtX **out)
{
   MtX *far_end, *other, *is_other, **list = MT_NEW_N (b->a, MtX *, 3);
   MtType t = key->type.id == MT_T_FLOAT4 ? mt_type (MT_T_FLOAT8) : key->type;
   MtX *low = mt_x_const (b->a, mt_type (MT_T_UNKNOWN), mt_v_cstr ("-Infinity"), key->span),
       *high = mt_x_const (b->a, mt_type (MT_T_UNKNOWN), mt_v_cstr ("Infinity"), key->span);
   if (!mt_coerce (b, minus ? low : high, t, MT_COERCE_EXPLICIT, &far_end) ||
       !mt_coerce (b, minus ? high : low, t, MT_COERCE_EXPLICIT, &other))
      return false;
   *out = far_end;
   if (near)
      return true;
   if (!mt_bind_operator (b, "=", key->span, key, other, &is_other))
      return false;
   list[0] = is_other;
   list[1] = other;
   list[2] = far_end;
   *out = mt_x_list (b->a, MT_X_CASE, t, list, 3, key->span);
   return true;
}

static bool range_bound (MtBinder *b, MtX *x, const MtExpr *e, MtWindowDef *def, bool start,
                         MtBoundX *out)
{
   MtX *key = def->order[0].expr;
   if (!range_offset (b, &x, e, key->type.id) || !offset_value (b, &x, start, out))
      return false;
   if (out->state)
      return true;
   if (is_less_than_zero (x)) {
      out->state = MT_E_WINDOW_FRAME;
      out->message = "invalid preceding or following size in window function";
      out->by_row = true;
      return true;
   }
   bool down = def->order[0].descending, minus = (out->kind == MT_BOUND_PRECEDING) != down;
   def->range_key = mt_orderable (b, key);
   return is_infinite (x) ? infinite_limit (b, key, minus, minus == (start != down), &out->limit)
                          : bind_limit (b, key, x, minus, start != down, &out->limit);
}

static bool bind_bound (MtBinder *b, MtScope *s, const MtFrameBound *bound, MtWindowDef *def,
                        bool start, MtBoundX *out)
{
   MtX *x;
   out->kind = bound->kind;
   if (!bound->offset)
      return true;
   s->clause = MT_CLAUSE_FRAME;
   s->frame = mode_name (def->mode);
   if (!mt_bind_x (b, s, bound->offset, &x))
      return false;
   const MtX *column = mt_x_first_column (x);
   if (column)
      return mt_error_at (b->err, column->span, MT_E_INVALID_COLUMN_REF,
                          "argument of %s must not contain variables", s->frame);
   return def->mode == MT_FRAME_RANGE ? range_bound (b, x, bound->offset, def, start, out)
                                      : row_offset (b, x, bound->offset, def->mode, start, out);
}

bool mt_bind_frame (MtBinder *b, MtScope *s, const MtWindow *w, MtWindowDef *def)
{
   def->has_frame = w->has_frame;
   def->mode = w->has_frame ? w->mode : MT_FRAME_RANGE;
   def->end.kind = MT_BOUND_CURRENT_ROW;
   if (!w->has_frame)
      return true;
   def->exclude = w->exclude && strcmp (w->exclude, "no others") ? w->exclude : NULL;
   if (w->mode == MT_FRAME_GROUPS && def->order_count == 0)
      return mt_error_at (b->err, w->span, MT_E_WINDOWING,
                          "GROUPS mode requires an ORDER BY clause");
   if (w->mode == MT_FRAME_RANGE && (w->start.offset || w->end.offset) && def->order_count != 1)
      return mt_error_at (
         b->err, w->span, MT_E_WINDOWING,
         "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column");
   return bind_bound (b, s, &w->start, def, true, &def->start) &&
          bind_bound (b, s, &w->end, def, false, &def->end);
}
