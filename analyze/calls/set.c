/* Checks that set-returning functions are called only where they are allowed. */
#include "analyze/calls/set.h"

#include <string.h>

bool mt_is_set (const MtX *x) { return x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_SET); }

static bool is_set_call (void *ctx, const MtX *x) { return mt_is_set (x); }

bool mt_has_set (const MtX *x) { return mt_x_find (x, is_set_call, NULL) != NULL; }

static bool not_in (MtBinder *b, const MtExpr *e, const char *where)
{
   return mt_error_at (b->err, e->span, MT_E_FEATURE,
                       "set-returning functions are not allowed in %s", where);
}

bool mt_no_sets (MtBinder *b, MtX *const *list, int count, const char *what)
{
   for (int i = 0; i < count; i++)
      if (mt_has_set (list[i])) {
         mt_error_at (b->err, list[i]->span, MT_E_FEATURE,
                      "set-returning functions are not allowed in %s", what);
         return mt_error_hint (
            b->err,
            "You might be able to move the set-returning function into a LATERAL FROM item.");
      }
   return true;
}

bool mt_check_set (MtBinder *b, const MtScope *s, const MtExpr *e, const MtX *x)
{
   for (int i = 0; i < x->call.argc; i++)
      if (mt_has_set (x->call.args[i]))
         return s->clause == MT_CLAUSE_FROM
                   ? mt_error_at (b->err, e->span, MT_E_FEATURE,
                                  "set-returning functions must appear at top level of FROM")
                   : mt_refuse (b, e->span,
                                "a set-returning function as an argument of another one is");
   if (s->in_aggregate && s->clause != MT_CLAUSE_FILTER) {
      mt_error_at (b->err, e->span, MT_E_FEATURE,
                   "aggregate function calls cannot contain set-returning function calls");
      return mt_error_hint (
         b->err, "You might be able to move the set-returning function into a LATERAL FROM item.");
   }
   switch (s->clause) {
   case MT_CLAUSE_WHERE: return not_in (b, e, "WHERE");
   case MT_CLAUSE_HAVING: return not_in (b, e, "HAVING");
   case MT_CLAUSE_QUALIFY: return not_in (b, e, "QUALIFY");
   case MT_CLAUSE_LIMIT: return not_in (b, e, "LIMIT");
   case MT_CLAUSE_OFFSET: return not_in (b, e, "OFFSET");
   case MT_CLAUSE_VALUES: return not_in (b, e, "VALUES");
   case MT_CLAUSE_FILTER: return not_in (b, e, "FILTER");
   case MT_CLAUSE_FUNCTION: return not_in (b, e, "SQL function bodies");
   case MT_CLAUSE_DEFAULT: return not_in (b, e, "DEFAULT expressions");
   case MT_CLAUSE_COPY: return not_in (b, e, "COPY FROM WHERE conditions");
   case MT_CLAUSE_CHECK: return not_in (b, e, "check constraints");
   case MT_CLAUSE_INDEX: return not_in (b, e, "index predicates");
   case MT_CLAUSE_EXECUTE: return not_in (b, e, "EXECUTE parameters");
   case MT_CLAUSE_ON: return not_in (b, e, "JOIN conditions");
   case MT_CLAUSE_SAMPLE: return not_in (b, e, "SAMPLE BY");
   case MT_CLAUSE_WINDOW:
   case MT_CLAUSE_FRAME: return not_in (b, e, "window definitions");
   case MT_CLAUSE_SELECT:
   case MT_CLAUSE_GROUP:
   case MT_CLAUSE_ORDER:
   case MT_CLAUSE_FROM: break;
   }
   if (s->in_window) {
      mt_error_at (b->err, e->span, MT_E_FEATURE,
                   "window function calls cannot contain set-returning function calls");
      return mt_error_hint (
         b->err, "You might be able to move the set-returning function into a LATERAL FROM item.");
   }
   if (s->clause == MT_CLAUSE_FROM || !x->call.fn->columns || strchr (x->call.fn->columns, '*'))
      return true;
   mt_refuse (b, e->span, "a set-returning function of several columns among the results is");
   return mt_error_hint (b->err, "Call the function in FROM. Its argument can be a sub-select.");
}
