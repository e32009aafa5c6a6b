/* Window functions that are defined in SQL, and arguments of window functions that must be
 * constant. */
#include "analyze/calls/fold.h"
#include "analyze/calls/inline.h"
#include "analyze/group/window_int.h"
#include "analyze/types/coerce.h"
#include "types/datetime.h"

#include <math.h>

/* ---- constant arguments ---- */

static bool is_prepared (const MtBinder *b) { return b->env->params && !b->env->params->values; }

static double number_of (const MtX *x)
{
   if (x->type.id == MT_T_INTERVAL) {
      MtInterval iv = mt_v_to_interval (x->value);
      return ((double) iv.months * 30 + iv.days) * 86400 + (double) iv.us / 1e6;
   }
   return x->value.type == MT_DOUBLE ? x->value.d : (double) x->value.i;
}

static bool out_of_range (MtBinder *b, const MtWindowFunc *f, const MtWindowConstant *c,
                          MtSpan span)
{
   const char *low = c->positive ? "greater than" : "at least";
   return isinf (c->most)
             ? mt_error_at (b->err, span, MT_E_PARAMETER, "%s of %s must be %s %g", c->name,
                            f->name, low, c->least)
             : mt_error_at (b->err, span, MT_E_PARAMETER, "%s of %s must be %s %g and at most %g",
                            c->name, f->name, low, c->least, c->most);
}

static bool check_constant (MtBinder *b, const MtWindowFunc *f, const MtWindowConstant *c, MtX **x)
{
   MtSpan span = (*x)->span;
   if (!mt_fold (b, x))
      return false;
   if ((*x)->kind != MT_X_CONST)
      return mt_error_at (b->err, span, MT_E_FEATURE, "%s of %s must be a constant", c->name,
                          f->name);
   if (mt_is_nullish ((*x)->value))
      return is_prepared (b) || mt_error_at (b->err, span, MT_E_NULL_NOT_ALLOWED,
                                             "%s of %s must not be null", c->name, f->name);
   double v = number_of (*x);
   return ((c->positive ? v > c->least : v >= c->least) && v <= c->most) ||
          out_of_range (b, f, c, span);
}

bool mt_window_constants (MtBinder *b, const MtWindowFunc *f, MtX **args, int argc)
{
   for (const MtWindowConstant *c = f->constants; c && c->param; c++)
      if (c->param <= argc && !check_constant (b, f, c, &args[c->param - 1]))
         return false;
   return true;
}

/* ---- functions defined in SQL ---- */

/* Adds a window named `name` with the analyzed definition `def` to the WINDOW clause of a
 * function's SQL body. Returns the clause's entry. */
static MtWindow *name_window (MtBinder *b, MtWindows *all, const char *name, MtSpan span,
                              const MtWindowDef *def, MtWindow *next)
{
   MtWindow *w = MT_NEW (b->a, MtWindow);
   *w = (MtWindow) {.name = {.text = name, .span = span}, .span = span, .next = next};
   MT_GROW_IN (b->a, all->named, all->named_count, all->named_cap, 4);
   all->named[all->named_count++] = (MtNamedWindow) {w, *def};
   return w;
}

bool mt_inline_window (MtBinder *b, const MtScope *s, MtWindowCall *call, MtSig *sig,
                       const MtWindowDef *framed, MtX **out)
{
   MtFunc body = {.name = call->fn->name,
                  .signature = call->fn->signature,
                  .flags = MT_F_NOT_STRICT,
                  .sql = call->fn->sql};
   MtWindowDef ordered = {.partition = framed->partition,
                          .partition_count = framed->partition_count,
                          .order = framed->order,
                          .order_count = framed->order_count,
                          .mode = MT_FRAME_RANGE,
                          .end.kind = MT_BOUND_CURRENT_ROW};
   MtWindow *names = name_window (b, s->windows, "framed", call->span, framed, NULL);
   names = name_window (b, s->windows, "ordered", call->span, &ordered, names);
   sig->fn = &body;
   MtScope inner = {.clause = s->clause,
                    .windows = s->windows,
                    .named = names,
                    .params = call->args,
                    .param_count = call->argc,
                    .param_sig = sig};
   return mt_inline_in (b, &inner, call->span, out);
}
