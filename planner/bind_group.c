/* Aggregates and grouping: aggregate calls are collected while expressions are bound over FROM's columns; then columns
 * that belong to group keys become keys, and a column that is left over is an error. */
#include "planner/bind_int.h"

#include <string.h>

static bool same_x (const MtX *a, const MtX *b)
{
   return a && b ? mt_x_equal (a, b) : a == b;
}

static int add_agg (MtBinder *b, MtScope *s, const MtAggCall *call)
{
   for (int i = 0; i < s->agg_count; i++) {
      const MtAggCall *o = &s->aggs[i];
      if (o->agg == call->agg && o->distinct == call->distinct && same_x (o->arg, call->arg) && same_x (o->filter, call->filter))
         return i;
   }
   if (s->agg_count == s->agg_cap) {
      int cap = s->agg_cap ? s->agg_cap * 2 : 8;
      MtAggCall *more = MT_NEW_N (b->a, MtAggCall, (size_t) cap);
      if (s->agg_count)
         memcpy (more, s->aggs, (size_t) s->agg_count * sizeof *more);
      s->aggs = more;
      s->agg_cap = cap;
   }
   s->aggs[s->agg_count] = *call;
   return s->agg_count++;
}

static bool check_clause (MtBinder *b, const MtScope *s, const MtExpr *e)
{
   static const char *const where[] = {
      [MT_CLAUSE_WHERE] = "WHERE", [MT_CLAUSE_GROUP] = "GROUP BY", [MT_CLAUSE_LIMIT] = "LIMIT", [MT_CLAUSE_OFFSET] = "OFFSET",
      [MT_CLAUSE_VALUES] = "VALUES", [MT_CLAUSE_FILTER] = "FILTER", [MT_CLAUSE_FUNCTION] = "SQL function bodies", [MT_CLAUSE_DEFAULT] = "expressions over one row",
   };
   if (s->in_aggregate && s->clause != MT_CLAUSE_FILTER)
      return mt_error_at (b->err, e->span, MT_E_GROUPING, "aggregate function calls cannot be nested");
   switch (s->clause) {
   case MT_CLAUSE_WHERE:
   case MT_CLAUSE_GROUP:
   case MT_CLAUSE_LIMIT:
   case MT_CLAUSE_OFFSET:
   case MT_CLAUSE_VALUES:
   case MT_CLAUSE_FILTER:
   case MT_CLAUSE_FUNCTION:
   case MT_CLAUSE_DEFAULT:
      return mt_error_at (b->err, e->span, MT_E_GROUPING, "aggregate functions are not allowed in %s", where[s->clause]);
   case MT_CLAUSE_SELECT:
   case MT_CLAUSE_HAVING:
   case MT_CLAUSE_ORDER:
      break;
   }
   return true;
}

static bool no_aggregate (MtBinder *b, const MtExpr *e, const char *name, MtX *const *args, int argc)
{
   MtBuf buf = {0};
   for (int i = 0; i < argc; i++)
      mt_buf_printf (&buf, "%s%s", i ? ", " : "", mt_type_info (args[i]->type.id)->display);
   mt_error_at (b->err, e->span, MT_E_UNDEFINED_FUNCTION, "function %s(%s) does not exist", name, buf.p ? buf.p : "");
   mt_buf_free (&buf);
   return mt_error_hint (b->err, "No function matches the given name and argument types. You might need to add explicit type casts.");
}

/* FILTER and the argument are bound in the same scope, where further aggregates are refused. */
static bool bind_inside (MtBinder *b, MtScope *s, const MtExpr *e, MtX **args, int *argc, MtX **filter)
{
   bool was = s->in_aggregate;
   MtClause clause = s->clause;
   bool ok = true;
   s->in_aggregate = true;
   *argc = 0;
   for (const MtExprList *l = e->call.args; l && ok; l = l->next)
      if (*argc == MT_SIG_MAX_ARGS)
         ok = mt_error_at (b->err, e->span, "54023", "cannot pass more than %d arguments to an aggregate", MT_SIG_MAX_ARGS);
      else
         ok = mt_bind_x (b, s, l->expr, &args[(*argc)++]);
   s->clause = MT_CLAUSE_FILTER;
   if (ok && e->call.filter)
      ok = mt_bind_bool (b, s, e->call.filter, "FILTER", filter);
   s->clause = clause;
   s->in_aggregate = was;
   return ok;
}

bool mt_bind_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int sig_count, MtX **out)
{
   MtX *args[MT_SIG_MAX_ARGS], *filter = NULL;
   MtTypeId types[MT_SIG_MAX_ARGS];
   int argc;
   bool ambiguous;
   if (!check_clause (b, s, e))
      return false;
   if (e->call.order)
      return mt_refuse (b, e->span, "ORDER BY in an aggregate is");
   if (!bind_inside (b, s, e, args, &argc, &filter))
      return false;
   for (int i = 0; i < argc; i++)
      types[i] = args[i]->type.id;
   const char *name = sigs[0]->name;
   if (argc == 0 && !e->call.star && mt_ieq (name, "count"))
      return mt_error_at (b->err, e->span, "42809", "count(*) must be used to call a parameterless aggregate function");
   if (e->call.star && e->call.distinct)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "DISTINCT specified, but count(*) takes no argument");
   const MtSig *sig = mt_choose_sig (sigs, sig_count, types, argc, false, &ambiguous);
   if (!sig || (argc == 0) != e->call.star)
      return no_aggregate (b, e, name, args, argc);
   MtAggCall call = {.agg = sig->agg, .filter = filter, .distinct = e->call.distinct, .span = e->span};
   MtType type = mt_type (sig->ret);
   if (argc) {
      if (!mt_coerce (b, args[0], sig->args[0] < MT_T_COUNT ? mt_type (sig->args[0]) : args[0]->type, MT_COERCE_IMPLICIT, &call.arg))
         return false;
      if (!mt_settle_unknown (b, &call.arg))
         return false;
      if (sig->ret == MT_SIG_ELEMENT)
         type = call.arg->type;
   }
   call.type = type;
   *out = mt_x_new (b->a, MT_X_AGG, type, e->span);
   (*out)->index = add_agg (b, s, &call);
   (*out)->nullable = !mt_ieq (name, "count");
   return true;
}

/* ---- keys ---- */

typedef struct Keys {
   MtBinder *b;
   const MtScope *s;
   MtQuery *q;
} Keys;

static bool ungrouped (Keys *k, const MtX *x)
{
   const MtRel *rel = k->s->rel;
   const char *name = rel->columns[x->column].name;
   return mt_error_at (k->b->err, x->span, MT_E_GROUPING, "column \"%s%s%s\" must appear in the GROUP BY clause or be used in an aggregate function",
                       rel->alias ? rel->alias : "", rel->alias ? "." : "", name);
}

static MtX *key_ref (Keys *k, int i, MtSpan span)
{
   MtX *x = mt_x_new (k->b->a, MT_X_KEY, k->q->keys[i]->type, span);
   x->index = i;
   x->nullable = k->q->keys[i]->nullable;
   return x;
}

/* A copy of *x in which key expressions are MT_X_KEY. The tree may be shared, so nothing is changed in place. */
static bool to_keys (Keys *k, MtX **x)
{
   MtX *o = *x;
   int n;
   if (o->kind != MT_X_CONST)
      for (int i = 0; i < k->q->key_count; i++)
         if (mt_x_equal (o, k->q->keys[i])) {
            *x = key_ref (k, i, o->span);
            return true;
         }
   if (o->kind == MT_X_COLUMN)
      return ungrouped (k, o);
   MtX **kids = mt_x_children (o, &n);
   if (!kids)
      return true;
   if (!mt_enter (k->b, o->span))
      return false;
   MtX *copy = MT_NEW (k->b->a, MtX), **list = MT_NEW_N (k->b->a, MtX *, (size_t) n + 1);
   *copy = *o;
   memcpy (list, kids, (size_t) n * sizeof *list);
   if (o->kind == MT_X_CALL)
      copy->call.args = list;
   else
      copy->list = list;
   bool ok = true;
   for (int i = 0; i < n && ok; i++)
      ok = to_keys (k, &list[i]);
   mt_leave (k->b);
   mt_x_update (copy);
   *x = copy;
   return ok;
}

bool mt_group_query (MtBinder *b, MtScope *s, MtQuery *q)
{
   Keys k = {b, s, q};
   q->aggs = s->aggs;
   q->agg_count = s->agg_count;
   q->grouped = q->key_count > 0 || q->agg_count > 0 || q->having || q->grouped;
   if (!q->grouped)
      return true;
   for (int i = 0; i < q->target_count; i++)
      if (!to_keys (&k, &q->targets[i].expr))
         return false;
   if (q->having && !to_keys (&k, &q->having))
      return false;
   for (int i = 0; i < q->sort_count; i++)
      if (!to_keys (&k, &q->sort[i].expr))
         return false;
   return true;
}
