/* Analyzes aggregate calls, and collects them in MtScope.aggs. */
#include "analyze/group/aggregate.h"

#include "analyze/calls/call.h"
#include "analyze/calls/choose.h"
#include "analyze/group/order.h"
#include "analyze/group/window_int.h"
#include "analyze/names/record.h"
#include "analyze/state/outer.h"
#include "analyze/types/coerce.h"
#include "query/aggregate.h"
#include "query/condition.h"

#include <string.h>

static bool same_x (const MtX *a, const MtX *b) { return a && b ? mt_x_equal (a, b) : a == b; }

static bool same_order (const MtAggCall *a, const MtAggCall *b)
{
   if (a->order_count != b->order_count)
      return false;
   for (int i = 0; i < a->order_count; i++)
      if (a->order[i].descending != b->order[i].descending ||
          a->order[i].nulls_first != b->order[i].nulls_first)
         return false;
   return true;
}

int mt_add_aggregate (MtBinder *b, MtScope *s, const MtAggCall *call)
{
   for (int i = 0; i < s->agg_count; i++) {
      const MtAggCall *o = &s->aggs[i];
      if (o->agg == call->agg && o->distinct == call->distinct && same_x (o->arg, call->arg) &&
          same_x (o->filter, call->filter) && same_order (o, call))
         return i;
   }
   MT_GROW_IN (b->a, s->aggs, s->agg_count, s->agg_cap, 8);
   s->aggs[s->agg_count] = *call;
   return s->agg_count++;
}

static bool check_clause (MtBinder *b, const MtScope *s, const MtExpr *e)
{
   static const char *const where[] = {
      [MT_CLAUSE_WHERE] = "WHERE",
      [MT_CLAUSE_GROUP] = "GROUP BY",
      [MT_CLAUSE_LIMIT] = "LIMIT",
      [MT_CLAUSE_OFFSET] = "OFFSET",
      [MT_CLAUSE_VALUES] = "VALUES",
      [MT_CLAUSE_FILTER] = "FILTER",
      [MT_CLAUSE_FUNCTION] = "SQL function bodies",
      [MT_CLAUSE_DEFAULT] = "DEFAULT expressions",
      [MT_CLAUSE_COPY] = "COPY FROM WHERE conditions",
      [MT_CLAUSE_CHECK] = "check constraints",
      [MT_CLAUSE_INDEX] = "index predicates",
      [MT_CLAUSE_EXECUTE] = "EXECUTE parameters",
      [MT_CLAUSE_ON] = "JOIN conditions",
      [MT_CLAUSE_FROM] = "functions in FROM",
      [MT_CLAUSE_SAMPLE] = "SAMPLE BY",
   };
   if (s->in_aggregate && s->clause != MT_CLAUSE_FILTER)
      return mt_error_at (b->err, e->span, MT_E_GROUPING,
                          "aggregate function calls cannot be nested");
   if (s->clause == MT_CLAUSE_FRAME)
      return mt_error_at (b->err, e->span, MT_E_GROUPING,
                          "aggregate functions are not allowed in window %s", s->frame);
   switch (s->clause) {
   case MT_CLAUSE_WHERE:
   case MT_CLAUSE_GROUP:
   case MT_CLAUSE_LIMIT:
   case MT_CLAUSE_OFFSET:
   case MT_CLAUSE_VALUES:
   case MT_CLAUSE_FILTER:
   case MT_CLAUSE_FUNCTION:
   case MT_CLAUSE_DEFAULT:
   case MT_CLAUSE_COPY:
   case MT_CLAUSE_CHECK:
   case MT_CLAUSE_INDEX:
   case MT_CLAUSE_EXECUTE:
   case MT_CLAUSE_ON:
   case MT_CLAUSE_FROM:
   case MT_CLAUSE_SAMPLE:
      return mt_error_at (b->err, e->span, MT_E_GROUPING,
                          "aggregate functions are not allowed in %s", where[s->clause]);
   case MT_CLAUSE_SELECT:
   case MT_CLAUSE_HAVING:
   case MT_CLAUSE_QUALIFY:
   case MT_CLAUSE_ORDER:
   case MT_CLAUSE_WINDOW:
   case MT_CLAUSE_FRAME: break;
   }
   return true;
}

/* The analyzed parts of an aggregate call: arguments, ORDER BY and FILTER. */
typedef struct Inside {
   /* The arguments in the order of the function's parameters. The sort keys of WITHIN GROUP come
    * last. */
   MtX *args[MT_AGG_MAX_ARGS];
   int argc;
   MtX *order[MT_AGG_MAX_ARGS];
   MtAggOrder how[MT_AGG_MAX_ARGS];
   int order_count;
   MtX *filter;
} Inside;

static bool bind_order_of (MtBinder *b, MtScope *s, const MtExpr *e, const MtOrderItem *items,
                           Inside *in)
{
   for (const MtOrderItem *o = items; o; o = o->next) {
      MtSortX how;
      if (in->order_count == MT_AGG_MAX_ARGS / 2)
         return mt_error_at (b->err, e->span, MT_E_TOO_MANY_COLUMNS,
                             "an aggregate can't be ordered by more than %d expressions",
                             MT_AGG_MAX_ARGS / 2);
      /* Keys of WITHIN GROUP stay untyped, because the signature gives them their types later. */
      if (!mt_sort_direction (b, o, &how) ||
          !mt_bind_x (b, s, o->expr, &in->order[in->order_count]) ||
          (!e->call.within_group && !mt_settle_unknown (b, &in->order[in->order_count])))
         return false;
      in->how[in->order_count++] = (MtAggOrder) {how.descending, how.nulls_first};
   }
   return true;
}

static bool is_count (const MtSig *sig)
{
   return sig->agg->rule == MT_AGG_COUNT || sig->agg->rule == MT_AGG_COUNT_STAR;
}

static bool bind_argument (MtBinder *b, MtScope *s, const MtSig *sig, const MtExpr *e, MtX **out)
{
   const MtAgg *agg = sig->agg;
   return agg->rule == MT_AGG_PARTS && agg->kind->flags & MT_AGG_JSON
             ? mt_bind_json_arg (b, s, e, out)
             : mt_bind_x (b, s, e, out);
}

/* Analyzes the arguments, ORDER BY and FILTER of an aggregate call into *in. sig: any candidate
 * signature, since all candidates treat row arguments in the same way. */
static bool bind_inside (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig *sig, Inside *in)
{
   bool was = s->in_aggregate, in_window = s->in_window, ok = true;
   MtClause clause = s->clause;
   MtX *guard = s->guard;
   s->guard = NULL; /* an aggregate within CASE sees all rows, so the guard doesn't apply */
   s->in_aggregate = !e->call.over;
   s->in_window = in_window || e->call.over;
   for (const MtExprList *l = e->call.args; l && ok; l = l->next)
      if (in->argc == MT_AGG_MAX_ARGS / 2)
         ok = mt_error_at (b->err, e->span, MT_E_TOO_MANY_ARGUMENTS,
                           "cannot pass more than %d arguments to an aggregate",
                           MT_AGG_MAX_ARGS / 2);
      else
         ok = bind_argument (b, s, sig, l->expr, &in->args[in->argc++]);
   ok = ok &&
        bind_order_of (b, s, e, e->call.within_group ? e->call.within_group : e->call.order, in);
   for (int i = 0; ok && e->call.within_group && i < in->order_count; i++)
      in->args[in->argc++] = in->order[i];
   s->clause = MT_CLAUSE_FILTER;
   if (ok && e->call.filter)
      ok = mt_bind_bool (b, s, e->call.filter, "FILTER", &in->filter);
   s->clause = clause;
   s->guard = guard;
   s->in_aggregate = was;
   s->in_window = in_window;
   return ok;
}

/* Returns copies of the signatures without hidden arguments, which calls do not write. */
static const MtSig **seen_by_call (MtBinder *b, const MtSig **sigs, int count)
{
   const MtSig **seen = MT_NEW_N (b->a, const MtSig *, (size_t) count + 1);
   for (int i = 0; i < count; i++) {
      MtSig *s = MT_NEW (b->a, MtSig);
      *s = *sigs[i];
      s->argc = mt_visible_args (s);
      seen[i] = s;
   }
   return seen;
}

static const MtSig *choose_aggregate (MtBinder *b, const MtExpr *e, const MtSig **sigs,
                                      int sig_count, const Inside *in)
{
   MtTypeId types[MT_AGG_MAX_ARGS];
   bool ambiguous;
   const char *name = sigs[0]->name;
   for (int i = 0; i < in->argc; i++)
      types[i] = in->args[i]->type.id;
   if (in->argc == 0 && !e->call.star && is_count (sigs[0])) {
      mt_error_at (b->err, e->span, MT_E_WRONG_OBJECT,
                   "count(*) must be used to call a parameterless aggregate function");
      return NULL;
   }
   const MtSig **seen = seen_by_call (b, sigs, sig_count),
               *sig = mt_choose_sig (seen, sig_count, types, in->argc, false, &ambiguous);
   if (!sig || (in->argc == 0) != e->call.star) {
      mt_no_such_function (b, name, e->span, in->args, in->argc);
      return NULL;
   }
   while (*seen != sig) {
      seen++;
      sigs++;
   }
   return *sigs;
}

static bool check_parts (MtBinder *b, const MtExpr *e, const MtAgg *agg)
{
   unsigned flags = agg->rule == MT_AGG_PARTS ? agg->kind->flags : MT_AGG_SET;
   bool within = flags & MT_AGG_WITHIN;
   if (within && e->call.distinct)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "cannot use DISTINCT with WITHIN GROUP");
   if (within && !e->call.within_group)
      return mt_error_at (b->err, e->span, MT_E_WRONG_OBJECT,
                          "WITHIN GROUP is required for ordered-set aggregate %s", agg->name);
   if (!within && e->call.within_group)
      return mt_error_at (b->err, e->span, MT_E_WRONG_OBJECT,
                          "%s is not an ordered-set aggregate, so it cannot have WITHIN GROUP",
                          agg->name);
   if (e->call.star && e->call.distinct)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX,
                          "DISTINCT specified, but count(*) takes no argument");
   if (e->call.distinct && !(flags & (MT_AGG_SET | MT_AGG_OWN_SET | MT_AGG_ONCE)))
      return mt_refuse (b, e->span, mt_printf (b->a, "DISTINCT in %s is", agg->name));
   return true;
}

/* Adds the hidden arguments of signature sig to in->args. */
static bool hidden_arguments (MtBinder *b, const MtSig *sig, Inside *in)
{
   MtTypeId element = MT_T_TEXT;
   for (int i = 0; i < in->argc; i++)
      if (sig->args[i] == MT_SIG_ELEMENT)
         element = in->args[i]->type.id;
   for (; in->argc < sig->argc; in->argc++)
      if (!mt_hidden_arg (b, sig, in->argc, element, &in->args[in->argc]))
         return false;
   return true;
}

/* Sets call->arg, the value that the aggregate reads from each row: the argument, or a record of
 * all arguments and ORDER BY keys if there are several. */
static bool arguments (MtBinder *b, const MtExpr *e, const MtSig *sig, Inside *in, MtAggCall *call)
{
   unsigned flags = mt_agg_flags (call);
   MtX *written[MT_AGG_MAX_ARGS];
   memcpy (written, in->args, sizeof written);
   for (int i = 0; i < in->argc; i++) {
      MtType t = mt_type_exists (sig->args[i]) ? mt_type (sig->args[i]) : in->args[i]->type;
      if (!mt_coerce (b, in->args[i], t, MT_COERCE_IMPLICIT, &in->args[i]) ||
          !mt_settle_unknown (b, &in->args[i]))
         return false;
   }
   if (!hidden_arguments (b, sig, in))
      return false;
   if (is_count (sig) && !e->call.distinct && in->argc == 1 &&
       mt_is_record_call (in->args[0])) /* count(t): a row is never NULL, so no field is read */
      in->args[0] = mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (1), in->args[0]->span);
   for (int k = 0; k < in->order_count && e->call.distinct && !(flags & MT_AGG_WITHIN); k++) {
      bool found = false;
      for (int i = 0; i < in->argc && !found; i++) {
         found = mt_x_equal (in->order[k], written[i]) || mt_x_equal (in->order[k], in->args[i]);
         /* The argument may be a cast of the sort key. Then the rows are sorted by the argument. */
         in->order[k] = found ? in->args[i] : in->order[k];
      }
      if (!found)
         return mt_error_at (
            b->err, in->order[k]->span, MT_E_INVALID_COLUMN_REF,
            "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list");
   }
   for (int i = 0; i < in->argc && flags & MT_AGG_JSON; i++)
      if (i == 0 && in->argc > 1 ? !mt_json_key (b, in->args[i], &in->args[i])
                                 : !mt_json_value (b, in->args[i], &in->args[i]))
         return false;
   if (flags & (MT_AGG_ORDERED | MT_AGG_WITHIN)) {
      MtAggOrder *how = MT_NEW_N (b->a, MtAggOrder, (size_t) in->order_count + 1);
      memcpy (how, in->how, (size_t) in->order_count * sizeof *how);
      call->order = how;
      call->order_count = in->order_count;
   }
   int extra = flags & MT_AGG_ORDERED ? in->order_count : 0, total = in->argc + extra;
   if (total == 0)
      return true;
   call->arg = in->args[0];
   if (total == 1)
      return true;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) total + 1);
   memcpy (list, in->args, (size_t) in->argc * sizeof *list);
   memcpy (list + in->argc, in->order, (size_t) extra * sizeof *list);
   call->arg = mt_x_call (b->a, &mt_agg_row, mt_type (MT_T_JSONB), list, total, e->span);
   return true;
}

/* Fails with 42804 if all arguments of type anyelement or anyarray are untyped literals. */
static bool known_elements (MtBinder *b, const MtSig *sig, const Inside *in)
{
   bool polymorphic = false, known = false;
   for (int i = 0; i < in->argc; i++) {
      bool family = sig->args[i] == MT_SIG_ELEMENT || sig->args[i] == MT_SIG_ARRAY ||
                    sig->args[i] == MT_SIG_NONARRAY;
      polymorphic |= family;
      known |= family && (in->args[i]->type.id != MT_T_UNKNOWN || in->args[i]->param);
   }
   return !polymorphic || known ||
          mt_error (b->err, MT_E_DATATYPE_MISMATCH,
                    "could not determine polymorphic type because input has type unknown");
}

/* Returns the array type whose elements have type t. If t is an array type, returns t. */
static MtType array_of (MtType t)
{
   if (mt_type_is_array (t.id))
      return t;
   return t.id == MT_T_BPCHAR ? (MtType) {mt_type_array (t.id), t.mod1, -1} : mt_type_flat (t.id);
}

/* Returns the type of the aggregate's result. anyelement and anyarray become the type of the first
 * argument of such a parameter, without its modifier. */
static MtType result_type (const MtSig *sig, const Inside *in)
{
   for (int i = 0; i < in->argc && !mt_type_exists (sig->ret); i++) {
      MtType t = in->args[i]->type;
      if (mt_type_exists (sig->args[i]) || sig->args[i] == MT_SIG_ANY)
         continue;
      if (sig->ret == MT_SIG_ARRAY && mt_type_is_array (t.id) == (sig->args[i] == MT_SIG_ARRAY))
         t = array_of (t);
      return t.mod1 < 0 || mt_type_element (t.id) == MT_T_BPCHAR ? t : mt_type (t.id);
   }
   if (sig->ret == MT_T_BPCHAR && in->argc && in->args[0]->type.id == MT_T_BPCHAR)
      return in->args[0]->type; /* of the same length: character(n) is printed with padding */
   return mt_type (sig->ret);
}

static void reach_inside (MtReach *r, const Inside *in)
{
   for (int i = 0; i < in->argc; i++)
      mt_reach_x (r, in->args[i]);
   for (int i = 0; i < in->order_count; i++)
      mt_reach_x (r, in->order[i]);
   mt_reach_x (r, in->filter);
}

/* A copy of the scope before an aggregate's arguments were analyzed. It is restored if the
 * aggregate belongs to an enclosing query. */
typedef struct Before {
   MtScope scope;
   MtRel rel;
} Before;

static Before remember (const MtScope *s)
{
   return (Before) {*s, s->own ? *s->own : (MtRel) {.kind = MT_REL_NONE}};
}

static void go_back (MtScope *s, const Before *was)
{
   int id = s->id;
   *s = was->scope;
   s->id = id;
   if (s->own)
      *s->own = was->rel;
}

/* An aggregate call and its candidate signatures. */
typedef struct Call {
   const MtExpr *e;
   const MtSig **sigs;
   int count;
} Call;

/* If the aggregate's arguments use only columns of an enclosing query, adds the aggregate to that
 * query, makes *out a reference to its result, and sets *done. Otherwise sets *done to false: this
 * query computes the aggregate. r: the queries whose columns the arguments use. */
static bool aggregate_around (MtBinder *b, const Call *call, const MtReach *r, bool *done,
                              MtX **out)
{
   const MtExpr *e = call->e;
   MtOuter *was = b->outer, *o = was;
   *done = !r->own && r->nearest;
   if (!*done)
      return true;
   while (o != r->nearest)
      o = o->next;
   if (o->shares) {
      mt_refuse (b, e->span, "an aggregate over the left side of a WINDOW JOIN is");
      return mt_error_hint (b->err, "Use a column of the right side in each aggregate.");
   }
   if (o->query)
      return mt_error_at (
         b->err, e->span, MT_E_GROUPING,
         "aggregate functions are not allowed in FROM clause of their own query level");
   MtX *x;
   b->outer = o->next;
   bool ok = mt_bind_aggregate (b, o->scope, e, call->sigs, call->count, &x);
   b->outer = was;
   if (!ok)
      return false;
   *out = mt_x_new (b->a, MT_X_OUTER, x->type, e->span);
   (*out)->outer.scope = o->scope->id;
   (*out)->outer.column = MT_OUTER_AGG + x->index;
   mt_x_refers (*out, x);
   return true;
}

/* Analyzes the arguments of an aggregate call. Sets *done if an enclosing query computes the
 * aggregate (then *out is its result). Only otherwise must aggregates be allowed in the current
 * clause. */
static bool bind_own (MtBinder *b, MtScope *s, const Call *call, Inside *in, bool *done, MtX **out)
{
   const MtExpr *e = call->e;
   MtError *err = b->err, misplaced = {0};
   b->err = &misplaced;
   bool here = check_clause (b, s, e);
   b->err = err;
   if (!here && !b->outer) {
      *err = misplaced;
      return false;
   }
   MtReach reach = {.scope = s, .around = b->outer, .columns = s->rel ? s->rel->column_count : 0},
           *around = b->reach;
   Before before = remember (s);
   b->reach = &reach;
   bool ok = bind_inside (b, s, e, call->sigs[0], in);
   b->reach = around;
   if (!ok)
      return false;
   reach_inside (&reach, in);
   if (!reach.own && reach.nearest)
      go_back (s, &before);
   if (!aggregate_around (b, call, &reach, done, out))
      return false;
   if (!here && !*done)
      *err = misplaced;
   return here || *done;
}

bool mt_bind_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int sig_count,
                        MtX **out)
{
   if (s->around && !e->call.over)
      return mt_bind_around (b, s, e, sigs, sig_count, out);
   Inside in = {.argc = 0};
   Call own = {e, sigs, sig_count};
   bool done = false;
   if (e->call.over ? !bind_inside (b, s, e, sigs[0], &in)
                    : !bind_own (b, s, &own, &in, &done, out))
      return false;
   if (done)
      return true;
   const MtSig *sig = choose_aggregate (b, e, sigs, sig_count, &in);
   if (!sig || !known_elements (b, sig, &in) || !check_parts (b, e, sig->agg))
      return false;
   MtAggCall call = {
      .agg = sig->agg, .filter = in.filter, .distinct = e->call.distinct, .span = e->span};
   if (!arguments (b, e, sig, &in, &call))
      return false;
   call.type = result_type (sig, &in);
   *out = mt_x_new (b->a, MT_X_AGG, call.type, e->span);
   (*out)->nullable = !is_count (sig) && !(mt_agg_flags (&call) & MT_AGG_NEVER_NULL);
   (*out)->finite = mt_x_all_finite (in.args, in.argc);
   if (e->call.over)
      return mt_bind_window_aggregate (b, s, e, &call, *out);
   (*out)->index = mt_add_aggregate (b, s, &call);
   return true;
}
