/* generate_series in FROM with constant arguments. A pipeline stage makes the values one by one, so
 * that no array of all values is needed. */
#include "analyze/calls/call.h"
#include "analyze/calls/fold.h"
#include "analyze/calls/set.h"
#include "analyze/from/from_int.h"
#include "analyze/types/coerce.h"
#include "types/datetime.h"

/* Returns the type of a series of times from the types of its start and stop: timestamp if one is a
 * timestamp and the other is no timestamptz, otherwise timestamptz (also for two dates). An untyped
 * literal takes the other's type. MT_T_UNKNOWN: start or stop is not a time. */
static MtTypeId time_type (MtTypeId start, MtTypeId stop)
{
   bool fits = (mt_type_is_datetime (start) || mt_type_is_datetime (stop)) &&
               (mt_type_is_datetime (start) || start == MT_T_UNKNOWN) &&
               (mt_type_is_datetime (stop) || stop == MT_T_UNKNOWN);
   bool zone = start == MT_T_TIMESTAMPTZ || stop == MT_T_TIMESTAMPTZ,
        plain = start == MT_T_TIMESTAMP || stop == MT_T_TIMESTAMP;
   if (!fits)
      return MT_T_UNKNOWN;
   return plain && !zone ? MT_T_TIMESTAMP : MT_T_TIMESTAMPTZ;
}

/* Returns the type of the values of generate_series: a time type, or the smallest number type to
 * which all arguments can be cast. MT_T_UNKNOWN: no type fits. */
static MtTypeId series_type (MtX *const *args, int argc)
{
   static const MtTypeId numbers[] = {MT_T_INT4, MT_T_INT8, MT_T_NUMERIC};
   MtTypeId step = argc == 3 ? args[2]->type.id : MT_T_UNKNOWN;
   if (argc == 3 && (step == MT_T_INTERVAL || step == MT_T_UNKNOWN) &&
       time_type (args[0]->type.id, args[1]->type.id) != MT_T_UNKNOWN)
      return time_type (args[0]->type.id, args[1]->type.id);
   for (size_t t = 0; t < sizeof numbers / sizeof *numbers; t++) {
      bool fits = true;
      for (int i = 0; i < argc && fits; i++)
         fits = args[i]->type.id == MT_T_UNKNOWN ||
                mt_can_coerce (args[i]->type.id, numbers[t], MT_COERCE_IMPLICIT);
      if (fits)
         return numbers[t];
   }
   return MT_T_UNKNOWN;
}

static MtX *literal (MtBinder *b, const char *text, MtSpan span)
{
   MtX *x = mt_x_text (b->a, text, span);
   x->type = mt_type (MT_T_UNKNOWN);
   return x;
}

/* Casts argument *x to `type`, and computes its value. Fails with 0A000 if it is not constant. */
static bool settle (MtBinder *b, MtX **x, MtTypeId type)
{
   if (!mt_coerce (b, *x, mt_type (type), MT_COERCE_IMPLICIT, x) || !mt_fold (b, x))
      return false;
   if ((*x)->kind == MT_X_CONST)
      return true;
   mt_refuse (b, (*x)->span, "generate_series with arguments that are not constant is");
   return mt_error_hint (b->err, "Use constants, or sub-selects that are not correlated.");
}

/* Computes the comparison `step op 0`, and stores its result in *out. */
static bool compare_zero (MtBinder *b, MtX *step, const char *op, bool *out)
{
   MtX *x;
   if (!mt_bind_operator (b, op, step->span, step, literal (b, "0", step->span), &x) ||
       !mt_fold (b, &x))
      return false;
   *out = x->kind == MT_X_CONST && x->value.type == MT_BOOL && x->value.i;
   return true;
}

/* Classifies a number for error messages: 'n' for NaN of Decimal128, 'i' for its infinities, 0 for
 * other values. */
static int special (MtVal v)
{
   if (v.type != MT_DECIMAL)
      return 0;
   if ((v.p[15] & 0x7C) == 0x7C)
      return 'n';
   return (v.p[15] & 0x78) == 0x78 ? 'i' : 0;
}

static bool check_numbers (MtBinder *b, MtX *const *args, int argc)
{
   static const char *const names[] = {"start value", "stop value", "step size"};
   for (int i = 0; i < argc; i++) {
      int kind = special (args[i]->value);
      if (kind)
         return mt_error (b->err, MT_E_PARAMETER, "%s cannot be %s", names[i],
                          kind == 'n' ? "NaN" : "infinity");
   }
   return true;
}

/* Raises the error "function is not unique", since untyped literals may be numbers or times. */
static bool not_unique (MtBinder *b, const MtExpr *e, int argc)
{
   mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_FUNCTION,
                "function generate_series(unknown, unknown%s) is not unique",
                argc == 3 ? ", unknown" : "");
   return mt_error_hint (
      b->err,
      "Could not choose a best candidate function. You might need to add explicit type casts.");
}

/* Returns whether the step has a fraction of a millisecond. The pipeline stage can't make such
 * series, since it makes times in whole milliseconds. */
static bool is_fine (const MtX *step)
{
   return step->type.id == MT_T_INTERVAL && !mt_is_nullish (step->value) &&
          mt_v_to_interval (step->value).us % 1000;
}

/* Rounds start and stop to whole milliseconds without changing which values lie between them. */
static bool whole_times (MtBinder *b, MtX **args)
{
   if (mt_x_is_null_const (args[0]) || mt_x_is_null_const (args[1]) || mt_x_is_null_const (args[2]))
      return true;
   MtMoment start = mt_v_moment (args[0]->value), stop = mt_v_moment (args[1]->value);
   bool down = mt_interval_compare (mt_v_to_interval (args[2]->value), (MtInterval) {0}) < 0;
   if (start.us && is_fine (args[2]))
      return mt_refuse (b, args[0]->span,
                        "generate_series by microseconds from a time with microseconds is");
   if (mt_ts_is_finite (stop.ms))
      stop = mt_moment_after (stop.ms, stop.us - start.us + (down ? 999 : 0));
   args[0] = mt_x_const (b->a, args[0]->type, mt_v_date (start.ms), args[0]->span);
   args[1] = mt_x_const (b->a, args[1]->type, mt_v_date (stop.ms), args[1]->span);
   return true;
}

/* Makes rel an MT_REL_SERIES. Leaves rel->series NULL if the pipeline stage can't make the
 * values. */
static bool series (MtBinder *b, const MtExpr *e, MtX **args, int argc, MtRel *rel)
{
   MtTypeId type = argc < 2 || argc > 3 ? MT_T_UNKNOWN : series_type (args, argc);
   bool times = type == MT_T_TIMESTAMP || type == MT_T_TIMESTAMPTZ, zero;
   bool known = false;
   for (int i = 0; i < argc; i++)
      known |= args[i]->type.id != MT_T_UNKNOWN;
   if (!known && argc >= 2)
      return not_unique (b, e, argc);
   if (type == MT_T_UNKNOWN)
      return mt_no_such_function (b, "generate_series", e->span, args, argc);
   if (argc == 2)
      args[2] = literal (b, "1", e->span);
   for (int i = 0; i < 3; i++)
      if (!settle (b, &args[i], times && i == 2 ? MT_T_INTERVAL : type))
         return false;
   if (times && !whole_times (b, args))
      return false;
   if (times && is_fine (args[2]))
      return true;
   MtSeries *s = MT_NEW (b->a, MtSeries);
   *s = (MtSeries) {.start = args[0], .stop = args[1], .step = args[2]};
   for (int i = 0; i < 3; i++)
      s->empty |= mt_x_is_null_const (args[i]);
   rel->series = s;
   if (s->empty)
      return true;
   if (!check_numbers (b, args, 3) || !compare_zero (b, args[2], "=", &zero) ||
       !compare_zero (b, args[2], "<", &s->down))
      return false;
   if (zero)
      return mt_error (b->err, MT_E_PARAMETER, "step size cannot equal zero");
   MtX *last = mt_x_new (b->a, MT_X_COLUMN, mt_type (type), e->span);
   last->nullable = false;
   last->finite = args[0]->finite;
   return mt_bind_operator (b, "+", e->span, last, args[2], &s->next) && mt_fold (b, &s->next);
}

static bool is_series (const MtExpr *e)
{
   const char *name = mt_last_name (e->call.name)->text;
   return mt_ieq (name, "generate_series") && !e->call.distinct && !e->call.order &&
          !e->call.filter && !e->call.over && !e->call.within_group;
}

/* Analyzes the arguments of generate_series into args. Sets *constant if all of them are
 * constants. */
static bool bind_arguments (MtBinder *b, MtScope *s, const MtExpr *e, MtX **args, bool *constant)
{
   *constant = true;
   for (const MtExprList *l = e->call.args; l; l = l->next, args++) {
      MtX *folded;
      if (!mt_bind_x (b, s, l->expr, args))
         return false;
      folded = *args;
      if (!mt_fold (b, &folded))
         return false;
      *constant &= folded->kind == MT_X_CONST;
   }
   return true;
}

bool mt_bind_series (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtX **call, bool *done)
{
   const MtExpr *e = f->function.call;
   MtX *args[3] = {0};
   int argc = e->kind == MT_EXPR_CALL ? mt_list_length (e->call.args) : 0;
   bool constant;
   if (e->kind != MT_EXPR_CALL || !is_series (e) || e->call.arg_names || argc > 3)
      return true;
   if (!bind_arguments (b, s, e, args, &constant))
      return false;
   if (!constant)
      return mt_bind_function (b, "generate_series", e->span, args, argc, call) &&
             mt_check_set (b, s, e, *call);
   if (!series (b, e, args, argc, rel))
      return false;
   if (!rel->series)
      return mt_bind_function (b, "generate_series", e->span, args, argc, call) &&
             mt_check_set (b, s, e, *call);
   *done = true;
   rel->kind = MT_REL_SERIES;
   rel->alias = f->alias.text ? f->alias.text : "generate_series";
   rel->column_count = 1 + f->with_ordinality;
   rel->columns = MT_NEW_N (b->a, MtRelColumn, 3);
   rel->columns[0] = mt_column_computed (rel->alias, args[0]->type, false, args[0]->finite);
   rel->columns[1] = mt_column_computed ("ordinality", mt_type (MT_T_INT8), false, true);
   return true;
}
