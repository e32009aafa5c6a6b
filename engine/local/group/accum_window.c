/* Accumulators that MongoDB has only in $setWindowFields: $integral, $covariancePop,
 * $covarianceSamp. */
#include "engine/local/group/accum_int.h"

#include <math.h>

/* Stores the two elements of an array in *x and *y. Returns false if v is not an array of two
 * elements. */
static bool pair_of (MtVal v, MtVal *x, MtVal *y)
{
   if (v.type != MT_ARRAY || mt_doc_count (v) != 2)
      return false;
   *x = mt_doc_at (v, 0);
   *y = mt_doc_at (v, 1);
   return true;
}

static bool is_nan (MtVal v)
{
   return (v.type == MT_DOUBLE && isnan (v.d)) ||
          (v.type == MT_DECIMAL && isnan (mt_acc_decimal_double (v)));
}

/* ---- $integral: the area under the curve, by the trapezoidal rule ---- */

typedef struct Point {
   MtVal x, y;
} Point;

typedef struct Area {
   Point first, last;
   uint64_t count, nans;
   MtSum sum;
} Area;

static bool add_trapezoid (Area *s, Point a, Point b, MtWork *w)
{
   MtVal width, height, area;
   if (is_nan (a.x) || is_nan (a.y) || is_nan (b.x) || is_nan (b.y))
      return true;
   return mt_op_arith (&w->ev, "$subtract", b.x, a.x, &width) &&
          mt_op_arith (&w->ev, "$add", b.y, a.y, &height) &&
          mt_op_arith (&w->ev, "$multiply", height, width, &area) &&
          mt_op_arith (&w->ev, "$divide", area, mt_v_double (2), &area) &&
          mt_sum_add (&s->sum, area);
}

static bool check_point (const MtAcc *a, Point p, MtWork *w)
{
   bool date = p.x.type == MT_DATE;
   if (!mt_is_number (p.y) || (!date && !mt_is_number (p.x)))
      return mt_error_coded (&w->err, MT_E_PARAMETER, 5423900,
                             "$integral takes numbers over a sortBy field of numbers or dates");
   if (a->extra && !date)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 5423901,
                             "$integral with 'unit' expects the sortBy field to be a Date");
   return a->extra || !date ||
          mt_error_coded (&w->err, MT_E_PARAMETER, 5423902,
                          "$integral (with no 'unit') expects the sortBy field to be numeric");
}

static Point own_point (MtGroupTable *t, Point p)
{
   return (Point) {mt_acc_own (t, p.x), mt_acc_own (t, p.y)};
}

static bool area_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   Area *s = state;
   Point p = {mt_v_null (), mt_v_null ()};
   pair_of (v, &p.x, &p.y);
   if (!check_point (a, p, w) || (s->count && !add_trapezoid (s, s->last, p, w)))
      return false;
   s->last = own_point (t, p);
   if (!s->count++)
      s->first = s->last;
   s->nans += is_nan (p.x) || is_nan (p.y);
   return true;
}

static bool area_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   Area *s = into;
   const Area *f = from;
   if (!f->count)
      return true;
   if (s->count && !add_trapezoid (s, s->last, f->first, w))
      return false;
   mt_sum_merge (&s->sum, &f->sum);
   if (!s->count)
      s->first = own_point (t, f->first);
   s->last = own_point (t, f->last);
   s->count += f->count;
   s->nans += f->nans;
   return true;
}

static bool area_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Area *s = state;
   const int64_t *unit_ms = a->extra;
   *out = s->count ? mt_v_double (NAN) : mt_v_null ();
   if (!s->count || s->nans)
      return true;
   *out = mt_sum_value (&s->sum, false, w->arena);
   return !unit_ms || mt_op_arith (&w->ev, "$divide", *out, mt_v_int64 (*unit_ms), out);
}

/* ---- $covariancePop, $covarianceSamp ---- */

/* The sum of (x - mean of x) (y - mean of y), updated by Welford's method. Infinities and NaN are
 * counted separately, because they would make the means useless. */
typedef struct Covariance {
   double mean_x, mean_y, sum, special;
   uint64_t count;
   bool has_special;
} Covariance;

static double as_double (MtVal v) { return v.type == MT_DOUBLE ? v.d : (double) v.i; }

static double special_of (double x, double y)
{
   if (isnan (x) || isnan (y) || (isinf (x) && isinf (y) && (x > 0) != (y > 0)))
      return NAN;
   return isinf (x) ? x : y;
}

static bool covariance_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   Covariance *s = state;
   MtVal first, second;
   if (!pair_of (v, &first, &second) || !mt_is_number (first) || !mt_is_number (second))
      return true;
   if (first.type == MT_DECIMAL || second.type == MT_DECIMAL) {
      mt_error (&w->err, MT_E_FEATURE, "%s of decimals is not supported", a->row->name);
      return mt_error_hint (&w->err, "Convert the values to doubles.");
   }
   double x = as_double (first), y = as_double (second);
   if (!isfinite (x) || !isfinite (y)) {
      s->special += special_of (x, y);
      s->has_special = true;
      return true;
   }
   double delta = x - s->mean_x;
   s->count++;
   s->mean_x += delta / (double) s->count;
   s->mean_y += (y - s->mean_y) / (double) s->count;
   s->sum += delta * (y - s->mean_y);
   return true;
}

static bool covariance_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from,
                              MtWork *w)
{
   Covariance *s = into;
   const Covariance *f = from;
   s->special += f->special;
   s->has_special = s->has_special || f->has_special;
   if (!f->count)
      return true;
   double n = (double) (s->count + f->count), dx = f->mean_x - s->mean_x,
          dy = f->mean_y - s->mean_y, share = (double) f->count / n;
   s->sum += f->sum + dx * dy * (double) s->count * share;
   s->mean_x += dx * share;
   s->mean_y += dy * share;
   s->count += f->count;
   return true;
}

static bool covariance_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Covariance *s = state;
   uint64_t less = a->row->form & MT_ACC_SAMPLE ? 1 : 0;
   if (s->count <= less)
      *out = mt_v_null ();
   else if (s->count == 1)
      *out = mt_v_double (0);
   else
      *out = mt_v_double ((s->has_special ? s->special : s->sum) / (double) (s->count - less));
   return true;
}

#define COVARIANCE covariance_add, covariance_merge, covariance_result, NULL, NULL

static const MtAccRow rows[] = {
   {"$integral", sizeof (Area), true, NULL, area_add, area_merge, area_result, NULL, NULL, 0},
   {"$covariancePop", sizeof (Covariance), false, NULL, COVARIANCE, 0},
   {"$covarianceSamp", sizeof (Covariance), false, NULL, COVARIANCE, MT_ACC_SAMPLE},
};

const MtAccRow *mt_acc_window_row (const char *name)
{
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (strcmp (rows[i].name, name) == 0)
         return &rows[i];
   return NULL;
}
