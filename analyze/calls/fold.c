/* Constant folding: computes expressions without columns during analysis. The order is that of
 * PostgreSQL (eval_const_expressions): arguments first, and the branches of CASE, AND and OR from
 * left to right. So branches that are never reached raise no errors. Nodes that are used in several
 * places are copied before they are changed. */
#include "analyze/calls/fold.h"

#include "analyze/types/array_cast.h"
#include "planner/emit/eval.h"

#include <string.h>

static bool is_const (const MtX *x) { return x->kind == MT_X_CONST; }

static bool is_bool_const (const MtX *x, bool v)
{
   return x->kind == MT_X_CONST && x->value.type == MT_BOOL && (x->value.i != 0) == v;
}

static MtX *bool_const (MtBinder *b, bool v, MtSpan span)
{
   return mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (v), span);
}

/* Keeps only the first k operands in `list` of c, an AND or OR node. Returns the operand itself if
 * k is 1, and `none` if k is 0. */
static MtX *with_first (MtX *c, int k, MtX **list, MtX *none)
{
   if (k < 2)
      return k ? list[0] : none;
   c->count = k;
   mt_x_update (c);
   return c;
}

/* Simplifies an AND (stop is false) or OR (stop is true) with constant operands. `stop` is the
 * operand value that decides the result. */
static bool fold_logic (MtBinder *b, MtX **x, bool stop)
{
   int n, k = 0;
   MtX **list, *c = mt_x_copy (b->a, *x, &list, &n), *null = NULL;
   for (int i = 0; i < n; i++) {
      if (!mt_fold (b, &list[i]))
         return false;
      if (is_bool_const (list[i], stop)) {
         *x = bool_const (b, stop, c->span);
         return true;
      }
      if (mt_x_is_null_const (list[i]))
         null = list[i];
      else if (!is_bool_const (list[i], !stop))
         list[k++] = list[i];
   }
   if (null)
      list[k++] = null;
   *x = with_first (c, k, list, bool_const (b, !stop, c->span));
   return true;
}

static bool fold_case (MtBinder *b, MtX **x)
{
   int n, k = 0;
   MtX **list, *c = mt_x_copy (b->a, *x, &list, &n);
   for (int i = 0; i + 1 < n; i += 2) {
      MtX *when = list[i], *then = list[i + 1];
      if (!mt_fold (b, &when))
         return false;
      if (is_const (when) && !is_bool_const (when, true))
         continue; /* this branch is never taken */
      if (!mt_fold (b, &then))
         return false;
      if (is_bool_const (when, true)) { /* this branch is always taken, so later ones are dropped */
         list[k++] = then;
         goto done;
      }
      list[k++] = when;
      list[k++] = then;
   }
   if (!mt_fold (b, &list[n - 1]))
      return false;
   list[k++] = list[n - 1];
done:
   c->count = k;
   mt_x_update (c);
   *x = k == 1 ? list[0] : c;
   return true;
}

static bool fold_coalesce (MtBinder *b, MtX **x)
{
   int n, k = 0;
   MtX **list, *c = mt_x_copy (b->a, *x, &list, &n);
   for (int i = 0; i < n; i++) {
      if (!mt_fold (b, &list[i]))
         return false;
      if (mt_x_is_null_const (list[i]))
         continue;
      list[k++] = list[i];
      if (!list[k - 1]->nullable)
         break;
   }
   *x = with_first (c, k, list, mt_x_null (b->a, c->type, c->span));
   return true;
}

static bool evaluate (MtBinder *b, MtX **x)
{
   MtVal v;
   MtX *c = *x;
   if (!mt_eval_const (b->a, c, b->env, &v, b->err)) {
      if (c->kind == MT_X_CALL && !c->call.fn->op && mt_error_is (b->err, MT_E_FEATURE)) {
         mt_error_clear (b->err); /* only a server can compute the call, so the call stays */
         return true;
      }
      if (b->err->span.start < 0)
         b->err->span = MT_NO_SPAN; /* PostgreSQL reports no position for run-time errors */
      return false;
   }
   *x = mt_x_const (b->a, c->type, v, c->span);
   return true;
}

static bool fold_others (MtBinder *b, MtX **x)
{
   int n;
   MtX **list, *c = mt_x_copy (b->a, *x, &list, &n);
   bool constant = true, null = false;
   for (int i = 0; i < n; i++) {
      if (!mt_fold (b, &list[i]))
         return false;
      constant &= is_const (list[i]);
      null |= mt_x_is_null_const (list[i]);
   }
   mt_x_update (c);
   *x = c;
   if (c->kind == MT_X_CALL) {
      unsigned f = c->call.fn->flags;
      if (null && !(f & MT_F_NOT_STRICT)) {
         *x = mt_x_null (b->a, c->type, c->span);
         return true;
      }
      if (f & (MT_F_VOLATILE | MT_F_SET) || c->call.fn == &mt_agg_row)
         return true;
   }
   return constant && !mt_has_moments (c) ? evaluate (b, x) : mt_fold_moments (b, x);
}

bool mt_fold (MtBinder *b, MtX **x)
{
   bool ok = true;
   if (!mt_enter (b, (*x)->span))
      return false;
   switch ((*x)->kind) {
   case MT_X_CONST:
   case MT_X_COLUMN:
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
   case MT_X_OUTER: break;
   case MT_X_AND: ok = fold_logic (b, x, false); break;
   case MT_X_OR: ok = fold_logic (b, x, true); break;
   case MT_X_CASE: ok = fold_case (b, x); break;
   case MT_X_COALESCE: ok = fold_coalesce (b, x); break;
   case MT_X_CALL:
   case MT_X_NOT:
   case MT_X_IS_NULL:
   case MT_X_IN: ok = fold_others (b, x); break;
   }
   mt_leave (b);
   return ok;
}

static bool fold_one (void *b, MtX **x) { return mt_fold (b, x); }

bool mt_fold_query (MtBinder *b, MtQuery *q) { return mt_query_each (q, fold_one, b); }
