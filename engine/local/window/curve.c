/* The window functions $locf, $linearFill, $derivative and $expMovingAvg of $setWindowFields. They
 * use MongoDB's arithmetic operators, so their results have the same types as MongoDB's. */
#include "engine/local/expr/codes.h"
#include "engine/local/window/window_int.h"

static bool arith (MtWork *w, const char *op, MtVal a, MtVal b, MtVal *out)
{
   return mt_op_arith (&w->ev, op, a, b, out);
}

/* ---- $locf: the last value that is not null ---- */

bool mt_win_locf (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out)
{
   MtVal v;
   if (!mt_win_value (st, st->at, f->arg_at, w, &v))
      return false;
   if (!mt_is_nullish (v))
      mt_win_keep (s, v);
   *out = s->valid ? s->value : mt_v_null ();
   return true;
}

/* ---- $linearFill ---- */

static bool check_y (MtWork *w, MtVal y)
{
   return mt_is_nullish (y) || mt_is_number (y) ||
          mt_error_coded (&w->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                          "value to be filled must be numeric or nullish, but found %s",
                          mt_v_type_name (y));
}

/* Checks that a row's sort key x is a number or date, differs from the preceding row's, and has the
 * same kind. */
static bool check_x (const MtWinFunc *f, MtWinState *st, MtWork *w, MtVal x)
{
   MtVal last;
   if (!mt_is_number (x) && x.type != MT_DATE)
      return mt_error_coded (&w->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                             "value of the sortBy field must be numeric or a date, but found %s",
                             mt_v_type_name (x));
   if (st->at == st->part)
      return true;
   if (!mt_win_value (st, st->at - 1, f->n_at, w, &last))
      return false;
   if (mt_v_compare (x, last) == 0)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 6050106,
                             "there can be no repeated values in the sort field");
   return (x.type == MT_DATE) == (last.type == MT_DATE) ||
          mt_error_coded (&w->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                          "conflicting sort value types, previously received type %s, but found %s",
                          mt_v_type_name (last), mt_v_type_name (x));
}

/* Sets s->after to the next row behind st->at with a value, or to the partition's end. It is kept
 * until st->at reaches it, so each row is read only once. */
static bool find_after (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w)
{
   if (s->after != MT_WIN_NO_ROW && s->after > st->at)
      return true;
   for (s->after = st->at + 1; s->after < st->part_end; s->after++) {
      const MtWinRow *row = mt_win_row (&st->rows, s->after, w);
      if (!row || !mt_tick (w))
         return false;
      if (!mt_is_nullish (row->v[f->arg_at]))
         break;
   }
   return true;
}

/* Computes y1 + (x - x1) * ((y2 - y1) / (x2 - x1)): the value at x on the line between the last row
 * with a value (x1, y1) and the next one (x2, y2). */
static bool interpolate (const MtWinFunc *f, const MtWinFuncState *s, MtWinState *st, MtWork *w,
                         MtVal x, MtVal *out)
{
   MtVal x1, y1, x2, y2, rise, run, slope;
   return mt_win_value (st, s->before, f->n_at, w, &x1) &&
          mt_win_value (st, s->before, f->arg_at, w, &y1) &&
          mt_win_value (st, s->after, f->n_at, w, &x2) &&
          mt_win_value (st, s->after, f->arg_at, w, &y2) && check_y (w, y2) &&
          arith (w, "$subtract", y2, y1, &rise) && arith (w, "$subtract", x2, x1, &run) &&
          arith (w, "$divide", rise, run, &slope) && arith (w, "$subtract", x, x1, &run) &&
          arith (w, "$multiply", run, slope, &rise) && arith (w, "$add", y1, rise, out);
}

bool mt_win_linear_fill (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w,
                         MtVal *out)
{
   MtVal x, y;
   if (!mt_win_value (st, st->at, f->arg_at, w, &y) || !mt_win_value (st, st->at, f->n_at, w, &x) ||
       !check_y (w, y) || !check_x (f, st, w, x))
      return false;
   *out = mt_v_null ();
   if (!mt_is_nullish (y)) {
      s->before = st->at;
      *out = y;
      return true;
   }
   if (s->before == MT_WIN_NO_ROW)
      return true;
   if (!find_after (f, s, st, w))
      return false;
   return s->after == st->part_end || interpolate (f, s, st, w, x, out);
}

/* ---- $derivative: the slope from the frame's first row to its last row ---- */

static bool check_times (const MtWinFunc *f, MtWork *w, MtVal a, MtVal b)
{
   bool dates = a.type == MT_DATE && b.type == MT_DATE;
   if (f->unit_ms)
      return dates ||
             mt_error_coded (&w->err, MT_E_PARAMETER, 5624900,
                             "$derivative with 'unit' expects the sortBy field to be a Date");
   if (a.type == MT_DATE || b.type == MT_DATE)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 5624901,
                             "$derivative where the sortBy is a Date requires a 'unit'");
   return (mt_is_number (a) && mt_is_number (b)) ||
          mt_error_coded (&w->err, MT_E_PARAMETER, 5624902,
                          "$derivative (with no 'unit') expects the sortBy field to be numeric");
}

static bool is_zero (MtVal v) { return mt_v_compare (v, mt_v_int32 (0)) == 0; }

bool mt_win_derivative (const MtWinFunc *f, MtWinState *st, MtWork *w, MtVal *out)
{
   const MtWinPieces *p = &st->frames[f->frame].pieces;
   MtVal x1, y1, x2, y2, rise, run;
   *out = mt_v_null ();
   if (p->a == p->b)
      return true;
   if (!mt_win_value (st, p->a, f->n_at, w, &x1) || !mt_win_value (st, p->a, f->arg_at, w, &y1) ||
       !mt_win_value (st, p->b - 1, f->n_at, w, &x2) ||
       !mt_win_value (st, p->b - 1, f->arg_at, w, &y2) || !check_times (f, w, x1, x2) ||
       !arith (w, "$subtract", x2, x1, &run) || !arith (w, "$subtract", y2, y1, &rise))
      return false;
   if (mt_is_nullish (rise))
      return mt_error_coded (&w->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                             "$derivative input must not be null or missing");
   if (is_zero (run))
      return true;
   if (!arith (w, "$divide", rise, run, out))
      return false;
   return !f->unit_ms || arith (w, "$multiply", *out, mt_v_int64 (f->unit_ms), out);
}

/* ---- $expMovingAvg ---- */

/* Computes $expMovingAvg for the current row. It is computed in decimals, and returned as a double
 * unless one of the values was a decimal. */
bool mt_win_exp_avg (const MtWinFunc *f, MtWinFuncState *s, MtWinState *st, MtWork *w, MtVal *out)
{
   MtVal v, old;
   if (!mt_win_value (st, st->at, f->arg_at, w, &v))
      return false;
   if (mt_is_number (v)) {
      s->decimal = s->decimal || v.type == MT_DECIMAL;
      if (s->valid &&
          (!arith (w, "$multiply", v, f->alpha, &v) ||
           !arith (w, "$multiply", s->value, f->rest, &old) || !arith (w, "$add", v, old, &v)))
         return false;
      mt_win_keep (s, v);
   }
   *out = s->valid ? s->value : mt_v_null ();
   if (!s->valid || s->decimal)
      return true;
   const MtOpRow *row = mt_op_row (mt_ops_convert, "$toDouble");
   w->ev.user = row->user;
   return row->fn (&w->ev, &s->value, 1, out);
}
