/* AND, OR, NOT, IS, BETWEEN, IN and LIKE. */
#include "analyze/calls/call.h"
#include "analyze/calls/chars.h"
#include "analyze/calls/enum.h"
#include "analyze/expr/expr_int.h"
#include "analyze/sub/pending.h"
#include "analyze/sub/row.h"
#include "analyze/sub/sub.h"
#include "analyze/types/coerce.h"

#include <string.h>

bool mt_bind_logic (MtBinder *b, MtScope *s, const MtExpr *e, MtXKind kind, MtX **out)
{
   const char *what = kind == MT_X_AND ? "AND" : "OR";
   int n = mt_list_length (e->list), i = 0;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n);
   for (const MtExprList *l = e->list; l; l = l->next)
      if (!mt_bind_bool (b, s, l->expr, what, &list[i++]))
         return false;
   *out = mt_x_list (b->a, kind, mt_type (MT_T_BOOL), list, n, e->span);
   return true;
}

bool mt_bind_not (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *x;
   if (!mt_bind_bool (b, s, e->arg, "NOT", &x))
      return false;
   *out = mt_x_not (b->a, x);
   (*out)->span = e->span;
   return true;
}

MtX *mt_or_bool (MtBinder *b, MtX *x, bool v, MtSpan span)
{
   MtX **list = MT_NEW_N (b->a, MtX *, 2);
   list[0] = x;
   list[1] = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (v), span);
   return mt_x_list (b->a, MT_X_COALESCE, mt_type (MT_T_BOOL), list, 2, span);
}

static bool bind_distinct_from (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *l, *r;
   if (mt_is_row (e->is.left) || mt_is_row (e->is.right))
      return mt_bind_row_distinct (b, s, e, out);
   return mt_bind_x (b, s, e->is.left, &l) && mt_bind_x (b, s, e->is.right, &r) &&
          mt_distinct_from (b, l, r, e->at, out);
}

bool mt_bind_is (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   static const char *const what[] = {"", "IS TRUE", "IS FALSE", "IS UNKNOWN", ""};
   static const char *const what_not[] = {"", "IS NOT TRUE", "IS NOT FALSE", "IS NOT UNKNOWN", ""};
   MtX *x = NULL;
   if (e->is.test == MT_IS_NULL && (mt_is_row (e->is.left) || mt_names_a_table (b, s, e->is.left)))
      return mt_bind_row_null (b, s, e, out);
   if (e->is.test == MT_IS_DISTINCT_FROM) {
      if (!bind_distinct_from (b, s, e, &x))
         return false;
   } else if (e->is.test == MT_IS_NULL) {
      if (!mt_bind_x (b, s, e->is.left, &x) || (!x->param && !mt_settle_unknown (b, &x)))
         return false;
      if (x->type.id == MT_T_RECORD)
         return mt_bind_record_null (b, x, e->is.negated, e->span, out);
      x = mt_x_null_test (b->a, x, e->span);
   } else {
      if (!mt_bind_bool (b, s, e->is.left, (e->is.negated ? what_not : what)[e->is.test], &x))
         return false;
      if (e->is.test == MT_IS_TRUE)
         x = mt_or_bool (b, x, false, e->span);
      else if (e->is.test == MT_IS_FALSE)
         x = mt_x_not (b->a, mt_or_bool (b, x, true, e->span));
      else
         x = mt_x_null_test (b->a, x, e->span);
   }
   *out = e->is.negated ? mt_x_not (b->a, x) : x;
   return true;
}

static MtX *both (MtBinder *b, MtXKind kind, MtX *x, MtX *y, MtSpan span)
{
   MtX **list = MT_NEW_N (b->a, MtX *, 2);
   list[0] = x;
   list[1] = y;
   return mt_x_list (b->a, kind, mt_type (MT_T_BOOL), list, 2, span);
}

static bool compared (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out)
{
   return mt_bind_operator (b, op, span, mt_param_again (b, left), mt_param_again (b, right), out);
}

/* Analyzes value BETWEEN low AND high. The comparison with `low` is analyzed before `high`, because
 * it may give a parameter in `value` its type. */
bool mt_bind_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *v, *low, *high, *ge, *le, *x;
   if (mt_is_row (e->between.value) && mt_is_row (e->between.low) && mt_is_row (e->between.high))
      return mt_bind_row_between (b, s, e, out);
   if (!mt_bind_x (b, s, e->between.value, &v) || !mt_bind_x (b, s, e->between.low, &low) ||
       !compared (b, ">=", e->at, v, low, &ge) || !mt_bind_x (b, s, e->between.high, &high) ||
       !compared (b, "<=", e->at, v, high, &le))
      return false;
   x = both (b, MT_X_AND, ge, le, e->span);
   if (e->between.symmetric) {
      if (!compared (b, ">=", e->at, v, high, &ge) || !compared (b, "<=", e->at, v, low, &le))
         return false;
      x = both (b, MT_X_OR, x, both (b, MT_X_AND, ge, le, e->span), e->span);
   }
   *out = e->between.negated ? mt_x_not (b->a, x) : x;
   return true;
}

/* ---- IN ---- */

/* Converts x IN (a, b) to x = a OR x = b, if the values have no common type. Fails if x and a value
 * can't be compared by =. list: x, then the values. */
static bool in_chain (MtBinder *b, MtX **list, int n, MtSpan span, MtX **out)
{
   MtX **ors = MT_NEW_N (b->a, MtX *, (size_t) n);
   for (int i = 1; i < n; i++)
      if (!mt_bind_operator (b, "=", span, list[0], list[i], &ors[i - 1]))
         return false;
   *out = n == 2 ? ors[0] : mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), ors, n - 1, span);
   return true;
}

bool mt_bind_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (!e->in.list)
      return mt_bind_once (b, s, e, mt_bind_in_sub, out);
   if (mt_is_row (e->in.value))
      return mt_bind_row_in (b, s, e, out);
   int n = mt_list_length (e->in.list) + 1, i = 1;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n);
   if (!mt_bind_x (b, s, e->in.value, &list[0]))
      return false;
   for (const MtExprList *l = e->in.list; l; l = l->next)
      if (!mt_bind_x (b, s, l->expr, &list[i++]))
         return false;
   MtTypeId t;
   MtError ignored;
   MtBinder quiet = *b;
   quiet.err = &ignored;
   MtX *x;
   if (mt_type_has_rank (list[0]->type.id) || !mt_common_type (&quiet, list, n, "IN", &t)) {
      if (!in_chain (b, list, n, e->at, &x))
         return false;
   } else {
      for (i = 0; i < n; i++)
         if (!mt_coerce (b, list[i], mt_type (t), MT_COERCE_IMPLICIT, &list[i]))
            return false;
      mt_label_texts (b, list, n);
      x = mt_x_list (b->a, MT_X_IN, mt_type (MT_T_BOOL), list, n, e->span);
   }
   *out = e->in.negated ? mt_x_not (b->a, x) : x;
   return true;
}

static bool bind_similar (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 3);
   if (!mt_bind_x (b, s, e->like.value, &args[0]) || !mt_bind_x (b, s, e->like.pattern, &args[1]))
      return false;
   if (!e->like.escape)
      args[2] = mt_x_text (b->a, "\\", MT_NO_SPAN);
   else if (!mt_bind_x (b, s, e->like.escape, &args[2]))
      return false;
   for (int i = 0; i < 3; i++)
      if (!mt_can_coerce (args[i]->type.id, MT_T_TEXT, MT_COERCE_IMPLICIT))
         return mt_bind_operator (b, "~", e->span, args[0], args[i ? i : 1],
                                  out); /* reports the missing operator */
      else if (!mt_coerce (b, args[i], mt_type (MT_T_TEXT), MT_COERCE_IMPLICIT, &args[i]))
         return false;
   MtX *x = mt_x_call (b->a, mt_hidden_func ("$similar"), mt_type (MT_T_BOOL), args, 3, e->span);
   *out = e->like.negated ? mt_x_not (b->a, x) : x;
   return true;
}

bool mt_bind_like (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (e->like.kind == MT_SIMILAR)
      return bind_similar (b, s, e, out);
   MtX *args[3], *x;
   int n = 2;
   if (!mt_bind_x (b, s, e->like.value, &args[0]) || !mt_bind_x (b, s, e->like.pattern, &args[1]))
      return false;
   static const char *const ops[2][2] = {{"~~", "!~~"}, {"~~*", "!~~*"}};
   const char *op = ops[e->like.kind == MT_ILIKE][0];
   if (!e->like.escape) {
      if (!mt_bind_operator (b, op, e->at, args[0], args[1], &x))
         return false;
   } else {
      if (!mt_bind_x (b, s, e->like.escape, &args[2]))
         return false;
      args[0] = mt_chars_padded (b, args[0]);
      bool bytes = e->like.kind == MT_LIKE && args[0]->type.id == MT_T_BYTEA;
      MtTypeId t = bytes ? MT_T_BYTEA : MT_T_TEXT;
      for (n = 0; n < 3; n++)
         if (args[n]->type.id != t && !mt_can_coerce (args[n]->type.id, t, MT_COERCE_IMPLICIT))
            return mt_bind_operator (b, op, e->at, args[0], args[1], &x);
         else if (!mt_coerce (b, args[n], mt_type (t), MT_COERCE_IMPLICIT, &args[n]))
            return false;
      MtX **copy = MT_NEW_N (b->a, MtX *, 3);
      memcpy (copy, args, sizeof args);
      const char *name = bytes ? "$like_bytes_escape" : "$like_escape";
      if (e->like.kind == MT_ILIKE)
         name = "$ilike_escape";
      x = mt_x_call (b->a, mt_hidden_func (name), mt_type (MT_T_BOOL), copy, 3, e->span);
   }
   *out = e->like.negated ? mt_x_not (b->a, x) : x;
   return true;
}
