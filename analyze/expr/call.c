/* Calls in expressions: chooses whether a call is of an aggregate, a window function or an ordinary
 * function. */
#include "analyze/calls/call.h"
#include "analyze/calls/set.h"
#include "analyze/expr/expr_int.h"
#include "analyze/group/aggregate.h"
#include "analyze/group/sets.h"
#include "analyze/names/column.h"
#include "analyze/names/record.h"
#include "analyze/types/coerce.h"

#include <string.h>

static bool refuse_parts (MtBinder *b, const MtExpr *e)
{
   const MtNameList *n = e->call.name;
   if (n->next && !mt_ieq (n->name.text, "pg_catalog") && !mt_ieq (n->name.text, "public") &&
       !mt_ieq (n->name.text, "information_schema"))
      return mt_error_at (b->err, n->name.span, MT_E_SCHEMA, "schema \"%s\" does not exist",
                          n->name.text);
   return true;
}

static bool bind_args (MtBinder *b, MtScope *s, const MtExpr *e, MtCallArgs *call)
{
   call->argc = mt_list_length (e->call.args);
   if (call->argc > 100)
      return mt_error_at (b->err, e->span, MT_E_TOO_MANY_ARGUMENTS,
                          "cannot pass more than 100 arguments to a function");
   MtX **args = call->args = MT_NEW_N (b->a, MtX *, (size_t) call->argc + 1);
   MtName *names = e->call.arg_names ? MT_NEW_N (b->a, MtName, (size_t) call->argc + 1) : NULL;
   call->names = names;
   int i = 0;
   const MtNameList *n = e->call.arg_names;
   MtX *guard = s->guard;
   bool rows = mt_takes_json_rows (b, e);
   MtSpecial special = mt_special_of (mt_last_name (e->call.name)->text);
   for (const MtExprList *l = e->call.args; l; l = l->next, i++) {
      if (names && n) {
         names[i] = n->name;
         n = n->next;
      }
      bool lazy = i > 0 && special == MT_SPECIAL_COALESCE;
      if (lazy)
         s->guard = mt_x_both (b->a, s->guard, mt_x_null_test (b->a, args[i - 1], l->expr->span));
      if (rows ? !mt_bind_json_arg (b, s, l->expr, &args[i]) : !mt_bind_x (b, s, l->expr, &args[i]))
         return false;
   }
   s->guard = guard;
   return true;
}

/* Returns the first clause of the call that only aggregates may have, such as "DISTINCT". NULL: it
 * has none. */
static const char *aggregate_part (const MtExpr *e)
{
   if (e->call.distinct)
      return "DISTINCT";
   if (e->call.order)
      return "ORDER BY";
   if (e->call.filter)
      return "FILTER";
   return e->call.within_group ? "WITHIN GROUP" : NULL;
}

/* ---- functions that have an aggregate's name, but read an aggregate's state ---- */

/* Returns whether a function or an aggregate of this name returns a state: the intermediate value
 * of a two-step aggregate, such as stats_agg. */
static bool call_gives_state (MtBinder *b, const char *name)
{
   int funcs, aggs;
   bool gives = false;
   const MtSig **f = mt_sigs_by_name (b->a, b->env, name, 0, &funcs),
               **g = mt_agg_sigs_by_name (b->a, b->env, name, &aggs);
   for (int i = 0; i < funcs; i++)
      gives |= mt_type_is_state (f[i]->ret);
   for (int i = 0; i < aggs; i++)
      gives |= mt_type_is_state (g[i]->ret);
   return gives;
}

static bool type_is_state (MtBinder *b, const MtTypeName *name)
{
   MtType type;
   return mt_resolve_type (b, name, &type) && mt_type_is_state (type.id);
}

/* Returns whether the value of expression e is a state (the intermediate value of a two-step
 * aggregate). Raises no errors. */
static bool gives_state (MtBinder *b, MtScope *s, const MtExpr *e)
{
   MtError *err = b->err, ignored = {0};
   MtX *column;
   bool gives = false;
   b->err = &ignored;
   if (e->kind == MT_EXPR_CALL)
      gives = call_gives_state (b, mt_last_name (e->call.name)->text);
   else if (e->kind == MT_EXPR_COLUMN)
      gives = mt_bind_column_ref (b, s, e, &column) && mt_type_is_state (column->type.id);
   else if (e->kind == MT_EXPR_PARAM && s->params && e->param <= s->param_count)
      gives = mt_type_is_state (s->params[e->param - 1]->type.id);
   else if (e->kind == MT_EXPR_CAST)
      gives = type_is_state (b, e->cast.type);
   else if (e->kind == MT_EXPR_TYPED_STRING)
      gives = type_is_state (b, e->typed.type);
   b->err = err;
   return gives;
}

/* Returns whether call e, whose name is an aggregate's, calls the function of this name that reads
 * a state. In sum (stats_agg (x)), sum is such a function. */
static bool reads_state (MtBinder *b, MtScope *s, const MtExpr *e)
{
   int count;
   bool reads = false;
   const MtExprList *args = e->call.args;
   if (!args || aggregate_part (e))
      return false;
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, mt_last_name (e->call.name)->text, 0,
                                         &count);
   for (int i = 0; i < count; i++)
      reads |= sigs[i]->argc && mt_type_is_state (sigs[i]->args[0]);
   return reads && gives_state (b, s, args->expr);
}

/* ---- calls ---- */

bool mt_bind_call_expr (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const char *name = mt_last_name (e->call.name)->text;
   int agg_count;
   MtCallArgs call = {.argc = 0};
   if (!refuse_parts (b, e))
      return false;
   if (mt_ieq (name, "grouping"))
      return mt_bind_grouping (b, s, e, out);
   if (b->hypothetical && s->in_aggregate && strcmp (name, MT_GIVEN) == 0 && e->call.args &&
       !e->call.args->next)
      return mt_bind_given (b, s, e, out);
   if (mt_is_hypothetical (e))
      return mt_bind_hypothetical (b, s, e, out);
   if (e->call.over || mt_is_window_function (name))
      return mt_bind_window_call (b, s, e, out);
   const MtSig **aggs = mt_agg_sigs_by_name (b->a, b->env, name, &agg_count);
   if (agg_count && !reads_state (b, s, e))
      return mt_bind_aggregate (b, s, e, aggs, agg_count, out);
   if (mt_ieq (name, "interpolate") && e->call.args && e->call.args->next && !reads_state (b, s, e))
      return mt_bind_interpolate (b, s, e, out);
   if (e->call.star)
      return mt_no_function (b, name, e->span, &call);
   const char *only = aggregate_part (e);
   if (!bind_args (b, s, e, &call))
      return false;
   if (e->call.variadic)
      return mt_bind_variadic (b, name, call.args, call.argc, e->span, out);
   if (!mt_bind_special (b, e, name, call.args, call.argc, out))
      return false;
   if (!*out && !mt_bind_named_args (b, name, e->span, &call, out))
      return false;
   if (mt_is_set (*out) && !mt_check_set (b, s, e, *out))
      return false;
   if (only)
      return mt_error_at (b->err, e->span, MT_E_WRONG_OBJECT,
                          "%s specified, but %s is not an aggregate function", only, name);
   return true;
}

/* ---- state -> call ---- */

/* Returns the index of the parameter of function `name` that has the state type `state`. -1: there
 * is none. */
static int place_of_state (MtBinder *b, const char *name, MtTypeId state)
{
   int count, place = -1;
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, name, 0, &count);
   for (int i = 0; i < count; i++)
      for (int k = sigs[i]->argc; k-- > 0;)
         if (sigs[i]->args[k] == state)
            place = k;
   return place;
}

bool mt_bind_accessor (MtBinder *b, MtScope *s, MtX *state, const MtExpr *call, MtX **out)
{
   const char *name = mt_last_name (call->call.name)->text;
   MtCallArgs c = {.argc = 0};
   if (!refuse_parts (b, call))
      return false;
   if (aggregate_part (call) || call->call.over || call->call.star || call->call.variadic ||
       call->call.arg_names)
      return mt_error_at (b->err, call->span, MT_E_SYNTAX,
                          "a function after -> takes only a list of arguments");
   if (!bind_args (b, s, call, &c))
      return false;
   int at = place_of_state (b, name, state->type.id);
   at = at < 0 ? 0 : at;
   at = at > c.argc ? c.argc : at;
   memmove (c.args + at + 1, c.args + at, (size_t) (c.argc - at) * sizeof *c.args);
   c.args[at] = state;
   return mt_bind_function (b, name, call->span, c.args, c.argc + 1, out) &&
          (!mt_is_set (*out) || mt_check_set (b, s, call, *out));
}
