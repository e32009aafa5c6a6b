/* interpolate (value, prev, next) of TimescaleDB. prev and next are records (time, value) of the
 * points before and after the returned rows. Each is split into its time and its value, because a
 * record here has no type that could be an argument's. */
#include "analyze/calls/call.h"
#include "analyze/expr/expr_int.h"
#include "analyze/types/coerce.h"

typedef struct Record {
   const MtExpr *time, *value; /* the fields of (time, value); NULL: there is no record */
} Record;

static bool no_record (MtBinder *b, const MtExpr *e)
{
   mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                "prev and next of interpolate must be records (time, value)");
   return mt_error_hint (b->err, "Write (time, value), or (SELECT (time, value) FROM …).");
}

/* Stores the two expressions of ROW (time, value) in *out. Returns false if e is another
 * expression. */
static bool take_row (const MtExpr *e, Record *out)
{
   if (e->kind != MT_EXPR_ROW || mt_list_length (e->list) != 2)
      return false;
   *out = (Record) {e->list->expr, e->list->next->expr};
   return true;
}

/* Makes a copy of sub-select e that returns only `target`. */
static const MtExpr *with_target (MtBinder *b, const MtExpr *e, const MtExpr *target)
{
   MtExpr *sub = MT_NEW (b->a, MtExpr);
   MtSelect *select = MT_NEW (b->a, MtSelect);
   *sub = *e;
   *select = *e->subquery;
   select->plain.targets = MT_NEW (b->a, MtTarget);
   select->plain.targets->expr = (MtExpr *) (uintptr_t) target;
   sub->subquery = select;
   return sub;
}

/* Splits (SELECT (time, value) …) or (SELECT time, value …) into two sub-selects, one of the time
 * and one of the value. Returns false if e is another query. */
static bool take_select (MtBinder *b, const MtExpr *e, Record *out)
{
   const MtSelect *s = e->subquery;
   const MtTarget *t = s->kind == MT_SELECT_PLAIN ? s->plain.targets : NULL;
   Record r;
   if (!t)
      return false;
   if (t->next && !t->next->next)
      r = (Record) {t->expr, t->next->expr};
   else if (t->next || !take_row (t->expr, &r))
      return false;
   *out = (Record) {with_target (b, e, r.time), with_target (b, e, r.value)};
   return true;
}

/* Analyzes the record e, and stores its time in args[0] and its value in args[1], cast to `type`.
 * Leaves args unchanged if e is the literal NULL. */
static bool bind_record (MtBinder *b, MtScope *s, const MtExpr *e, MtType type, MtX **args)
{
   Record r;
   if (e->kind == MT_EXPR_NULL)
      return true;
   if (!take_row (e, &r) && !(e->kind == MT_EXPR_SUBQUERY && take_select (b, e, &r)))
      return no_record (b, e);
   return mt_bind_x (b, s, r.time, &args[0]) && mt_bind_x (b, s, r.value, &args[1]) &&
          mt_coerce (b, args[1], type, MT_COERCE_IMPLICIT, &args[1]);
}

/* Stores the arguments value, prev and next of the call in `out`, by position or by name. Returns
 * false if the call has other arguments, or no value. */
static bool take_args (const MtExpr *e, const MtExpr *out[3])
{
   static const char *const names[] = {"value", "prev", "next"};
   const MtNameList *n = e->call.arg_names;
   int i = 0;
   for (const MtExprList *l = e->call.args; l; l = l->next, i++, n = n ? n->next : NULL) {
      int at = i;
      if (n && n->name.text)
         for (at = 0; at < 3 && !mt_ieq (n->name.text, names[at]);)
            at++;
      if (at >= 3 || out[at])
         return false;
      out[at] = l->expr;
   }
   return out[0] != NULL;
}

bool mt_bind_interpolate (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtExpr *given[3] = {NULL};
   MtX *value, **args = MT_NEW_N (b->a, MtX *, 5), **first = MT_NEW_N (b->a, MtX *, 1);
   if (!take_args (e, given))
      return mt_error_at (b->err, e->span, MT_E_UNDEFINED_FUNCTION,
                          "interpolate takes the arguments value, prev and next");
   if (!mt_bind_x (b, s, given[0], &first[0]) ||
       !mt_bind_function (b, "interpolate", e->span, first, 1, &value))
      return false;
   args[0] = value->call.args[0];
   for (int i = 1; i < 5; i++)
      args[i] = mt_x_null (b->a, i % 2 ? mt_type (MT_T_UNKNOWN) : value->type, e->span);
   for (int i = 1; i < 3; i++)
      if (given[i] && !bind_record (b, s, given[i], value->type, &args[2 * i - 1]))
         return false;
   *out = mt_x_call (b->a, value->call.fn, value->type, args, 5, e->span);
   (*out)->nullable = true;
   return true;
}
