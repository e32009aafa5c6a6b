/* Comparisons of times with constants that have microseconds. Stored and computed times are whole
 * milliseconds. So a comparison is rewritten to one of whole milliseconds with the same result. For
 * example, ts < 12.0005 s becomes ts <= 12.000 s. ts = 12.0005 s becomes false, or NULL if ts is
 * NULL. */
#include "analyze/calls/call.h"
#include "analyze/calls/fold.h"
#include "analyze/types/array_cast.h"
#include "query/comparison.h"
#include "types/datetime.h"

#include <string.h>

static bool is_timestamp (const MtX *x)
{
   return x->type.id == MT_T_TIMESTAMP || x->type.id == MT_T_TIMESTAMPTZ;
}

/* A call time + interval, interval + time or time - interval, with a constant, non-NULL
 * interval. */
typedef struct Sum {
   MtX *time, *interval;
   bool minus;
} Sum;

static bool is_sum (const MtX *x, Sum *out)
{
   MtFuncKind kind = x->kind == MT_X_CALL ? x->call.fn->kind : MT_FN_OTHER;
   if ((kind != MT_FN_TIME_PLUS && kind != MT_FN_TIME_MINUS) || !is_timestamp (x))
      return false;
   bool swapped = x->call.args[0]->type.id == MT_T_INTERVAL;
   *out = (Sum) {x->call.args[swapped], x->call.args[!swapped], kind == MT_FN_TIME_MINUS};
   return is_timestamp (out->time) && out->interval->kind == MT_X_CONST &&
          out->interval->type.id == MT_T_INTERVAL && !mt_is_nullish (out->interval->value);
}

static int rest_of_us (int64_t us) { return (int) (us - mt_floor_div (us, 1000) * 1000); }

/* Returns the microseconds (0 to 999) by which time x exceeds a whole millisecond. */
static int rest_of (const MtX *x)
{
   Sum s;
   if (!is_timestamp (x))
      return 0;
   if (x->kind == MT_X_CONST)
      return mt_v_moment (x->value).us;
   if (is_sum (x, &s) && rest_of (s.time) == 0) {
      int64_t us = mt_v_to_interval (s.interval->value).us;
      return rest_of_us (s.minus ? -rest_of_us (us) : us);
   }
   bool converts = x->kind == MT_X_CALL && x->call.argc == 2 &&
                   (x->call.fn->flags & (MT_F_CAST | MT_F_ZONE));
   for (int i = 0; converts && i < 2; i++)
      if (is_timestamp (x->call.args[i]))
         return rest_of (x->call.args[i]);
   return 0;
}

/* Rewrites (t + '600 us') + '600 us' as one sum, t + '1200 us'. In two sums, each result would be
 * rounded to milliseconds. */
static void join_intervals (MtBinder *b, MtX *x)
{
   Sum outer, inner;
   if (!is_sum (x, &outer) || !is_sum (outer.time, &inner))
      return;
   MtInterval more = mt_v_to_interval (outer.interval->value),
              iv = mt_v_to_interval (inner.interval->value);
   if (more.months || more.days || iv.us % 1000 == 0)
      return;
   if (outer.minus == inner.minus ? __builtin_add_overflow (iv.us, more.us, &iv.us)
                                  : __builtin_sub_overflow (iv.us, more.us, &iv.us))
      return;
   int n;
   MtX **list, *sum = mt_x_copy (b->a, outer.time, &list, &n);
   list[list[0]->type.id != MT_T_INTERVAL] = mt_x_const (b->a, mt_type (MT_T_INTERVAL),
                                                         mt_v_interval (b->a, iv), x->span);
   mt_x_update (sum);
   *x = *sum;
}

/* Makes an expression that is never true: NULL if any expression of the list is NULL, otherwise
 * false. */
static MtX *never (MtBinder *b, MtX *const *list, int count, MtSpan span)
{
   MtX **nulls = MT_NEW_N (b->a, MtX *, (size_t) count);
   int n = 0;
   for (int i = 0; i < count; i++)
      if (list[i]->nullable)
         nulls[n++] = mt_x_null_test (b->a, list[i], span);
   if (n == 0)
      return mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (false), span);
   MtX *any = n == 1 ? nulls[0] : mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), nulls, n, span);
   return mt_x_both (b->a, any, mt_x_null (b->a, mt_type (MT_T_BOOL), span));
}

/* Rewrites the comparison *x of two times with different microseconds to one of whole milliseconds
 * with the same result. left_is_less: the left side has fewer microseconds. */
static bool compare (MtBinder *b, MtX **x, bool left_is_less)
{
   MtX *c = *x, *l = c->call.args[0], *r = c->call.args[1];
   MtCmp op = mt_x_cmp (c);
   if (op == MT_CMP_EQ || op == MT_CMP_NE) {
      MtX *equal = never (b, c->call.args, 2, c->span);
      *x = op == MT_CMP_EQ ? equal : mt_x_not (b->a, equal);
      return mt_fold (b, x);
   }
   const char *same = left_is_less ? ">" : ">=";
   if (mt_cmp_is_less (op))
      same = left_is_less ? "<=" : "<";
   return strcmp (c->call.fn->name, same) == 0 || mt_bind_operator (b, same, c->span, l, r, x);
}

/* Rewrites *x, x IN (…), for times. List elements whose microseconds differ from those of x can
 * never be equal to x, so they are removed. A removed element that is NULL still makes the result
 * NULL instead of false. */
static bool in_list (MtBinder *b, MtX **x)
{
   int n, k = 1, m = 1;
   MtX **list, *c = mt_x_copy (b->a, *x, &list, &n), **others = MT_NEW_N (b->a, MtX *, (size_t) n);
   others[0] = list[0];
   for (int i = 1; i < n; i++)
      if (mt_x_is_null_const (list[i]) || rest_of (list[i]) == rest_of (list[0]))
         list[k++] = list[i];
      else
         others[m++] = list[i];
   if (k == n)
      return true;
   *x = never (b, others, m, c->span);
   if (k > 1) {
      c->count = k;
      mt_x_update (c);
      MtX **either = MT_NEW_N (b->a, MtX *, 2);
      either[0] = c;
      either[1] = *x;
      *x = mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), either, 2, c->span);
   }
   return mt_fold (b, x);
}

static bool is_timestamps (const MtX *x)
{
   return x->type.id == mt_type_array (MT_T_TIMESTAMP) ||
          x->type.id == mt_type_array (MT_T_TIMESTAMPTZ);
}

/* Refuses array calls with an array of times and a constant with microseconds, since the call would
 * ignore the microseconds: arrays hold whole milliseconds. */
static bool check_arrays (MtBinder *b, const MtX *c)
{
   bool arrays = false, between = false;
   for (int i = 0; i < c->call.argc; i++) {
      arrays |= is_timestamps (c->call.args[i]);
      between |= mt_has_moments (c->call.args[i]) ||
                 (c->call.args[i]->kind == MT_X_CONST && rest_of (c->call.args[i]));
   }
   if (!arrays || !between)
      return true;
   mt_refuse (b, c->span, "a call of an array and a time that has microseconds is");
   return mt_error_hint (
      b->err,
      "Stored times have milliseconds. Cast the constant to timestamptz(3) or timestamp(3).");
}

bool mt_fold_moments (MtBinder *b, MtX **x)
{
   MtX *c = *x;
   if (c->kind == MT_X_IN)
      return !is_timestamp (c->list[0]) || in_list (b, x);
   if (c->kind != MT_X_CALL)
      return true;
   if (!check_arrays (b, c))
      return false;
   if (is_timestamp (c)) {
      join_intervals (b, c);
      return true;
   }
   if (c->call.argc != 2 || !is_timestamp (c->call.args[0]) || !is_timestamp (c->call.args[1]))
      return true;
   int l = rest_of (c->call.args[0]), r = rest_of (c->call.args[1]);
   if (l == r)
      return true;
   if (c->call.fn->cmp != MT_CMP_NONE)
      return compare (b, x, l < r);
   if (c->call.fn != mt_hidden_func ("$distinct"))
      return true;
   MtX *left = mt_x_null_test (b->a, c->call.args[0], c->span),
       *right = mt_x_null_test (b->a, c->call.args[1], c->span);
   *x = mt_x_not (b->a, mt_x_both (b->a, left, right));
   return mt_fold (b, x);
}

const char *mt_moment_operator (MtBinder *b, const char *op, MtX **left)
{
   if (!is_timestamp (*left) || (*left)->kind != MT_X_CONST || rest_of (*left) == 0)
      return op;
   bool ordered = op[0] == '>' || strcmp (op, "<") == 0 || strcmp (op, "<=") == 0;
   /* No stored time equals MT_TS_END. */
   int64_t ms = ordered ? mt_v_moment ((*left)->value).ms : MT_TS_END;
   *left = mt_x_const (b->a, (*left)->type, mt_v_date (ms), (*left)->span);
   if (!ordered)
      return op;
   return op[0] == '<' ? "<" : ">=";
}
