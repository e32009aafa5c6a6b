/* Window calls: OVER and the WINDOW clause, by PostgreSQL's rules and wording
 * (transformWindowFuncCall, transformWindowDefinitions). */
#include "analyze/calls/call.h"
#include "analyze/calls/choose.h"
#include "analyze/group/aggregate.h"
#include "analyze/group/order.h"
#include "analyze/group/window_int.h"
#include "analyze/types/coerce.h"
#include "query/window.h"

#include <string.h>

static bool same_x (const MtX *a, const MtX *b) { return a && b ? mt_x_equal (a, b) : a == b; }

static bool same_bound (const MtBoundX *a, const MtBoundX *b)
{
   return a->kind == b->kind && a->offset == b->offset && same_x (a->limit, b->limit) &&
          a->state == b->state;
}

static bool same_def (const MtWindowDef *a, const MtWindowDef *b)
{
   return mt_window_same_rows (a, b) && a->mode == b->mode && same_bound (&a->start, &b->start) &&
          same_bound (&a->end, &b->end) && mt_same (a->exclude, b->exclude);
}

static int add_def (MtBinder *b, MtWindows *w, MtWindowDef *def)
{
   MtSortX *order = MT_NEW_N (b->a, MtSortX, (size_t) def->order_count + 1);
   for (int i = 0; i < def->order_count; i++) {
      order[i] = def->order[i];
      order[i].expr = mt_orderable (b, order[i].expr);
   }
   def->order = order;
   for (int i = 0; i < w->def_count; i++)
      if (same_def (&w->defs[i], def))
         return i;
   MT_GROW_IN (b->a, w->defs, w->def_count, w->def_cap, 4);
   MtWindowDef *own = &w->defs[w->def_count];
   *own = *def;
   /* The list is copied, because its expressions are replaced later, and other windows may share
    * it. */
   own->partition = MT_NEW_N (b->a, MtX *, (size_t) def->partition_count + 1);
   if (def->partition_count)
      memcpy (own->partition, def->partition,
              (size_t) def->partition_count * sizeof *own->partition);
   return w->def_count++;
}

static bool same_call (const MtWindowCall *a, const MtWindowCall *b)
{
   bool same = a->fn == b->fn && a->def == b->def && a->argc == b->argc &&
               a->agg.agg == b->agg.agg && a->type.id == b->type.id &&
               same_x (a->agg.arg, b->agg.arg) && same_x (a->agg.filter, b->agg.filter);
   for (int i = 0; i < a->argc && same; i++)
      same = mt_x_equal (a->args[i], b->args[i]);
   return same;
}

static int add_call (MtBinder *b, MtWindows *w, const MtWindowCall *call)
{
   for (int i = 0; i < w->call_count; i++)
      if (same_call (&w->calls[i], call))
         return i;
   MT_GROW_IN (b->a, w->calls, w->call_count, w->call_cap, 4);
   w->calls[w->call_count] = *call;
   return w->call_count++;
}

/* ---- clauses that allow window calls ---- */

static bool not_here (MtBinder *b, const MtExpr *e, const char *where)
{
   return mt_error_at (b->err, e->span, MT_E_WINDOWING, "window functions are not allowed in %s",
                       where);
}

static bool check_place (MtBinder *b, const MtScope *s, const MtExpr *e)
{
   if (s->in_aggregate && s->clause != MT_CLAUSE_FILTER)
      return mt_error_at (b->err, e->span, MT_E_GROUPING,
                          "aggregate function calls cannot contain window function calls");
   switch (s->clause) {
   case MT_CLAUSE_WHERE: return not_here (b, e, "WHERE");
   case MT_CLAUSE_GROUP: return not_here (b, e, "GROUP BY");
   case MT_CLAUSE_HAVING: return not_here (b, e, "HAVING");
   case MT_CLAUSE_LIMIT: return not_here (b, e, "LIMIT");
   case MT_CLAUSE_OFFSET: return not_here (b, e, "OFFSET");
   case MT_CLAUSE_VALUES: return not_here (b, e, "VALUES");
   case MT_CLAUSE_FILTER: return not_here (b, e, "FILTER");
   case MT_CLAUSE_FUNCTION: return not_here (b, e, "SQL function bodies");
   case MT_CLAUSE_EXECUTE: return not_here (b, e, "EXECUTE parameters");
   case MT_CLAUSE_ON: return not_here (b, e, "JOIN conditions");
   case MT_CLAUSE_FROM: return not_here (b, e, "functions in FROM");
   case MT_CLAUSE_SAMPLE: return not_here (b, e, "SAMPLE BY");
   case MT_CLAUSE_DEFAULT: return not_here (b, e, "DEFAULT expressions");
   case MT_CLAUSE_COPY: return not_here (b, e, "COPY FROM WHERE conditions");
   case MT_CLAUSE_CHECK: return not_here (b, e, "check constraints");
   case MT_CLAUSE_INDEX: return not_here (b, e, "index predicates");
   case MT_CLAUSE_WINDOW:
   case MT_CLAUSE_FRAME: return not_here (b, e, "window definitions");
   case MT_CLAUSE_SELECT:
   case MT_CLAUSE_QUALIFY:
   case MT_CLAUSE_ORDER: break;
   }
   if (s->in_window)
      return mt_error_at (b->err, e->span, MT_E_WINDOWING,
                          "window function calls cannot be nested");
   return s->windows || mt_refuse (b, e->span, "a window function here is");
}

/* ---- PARTITION BY and ORDER BY ---- */

static bool bind_partition (MtBinder *b, MtScope *s, const MtExprList *list, MtWindowDef *def)
{
   int n = mt_list_length (list);
   def->partition = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   for (const MtExprList *l = list; l; l = l->next) {
      MtX *x;
      bool seen = false;
      if (!mt_bind_x (b, s, l->expr, &x) || !mt_settle_unknown (b, &x))
         return false;
      x = mt_orderable (b, x);
      for (int i = 0; i < def->partition_count && !seen; i++)
         seen = mt_x_equal (def->partition[i], x);
      if (!seen)
         def->partition[def->partition_count++] = x;
   }
   return true;
}

static bool bind_window_order (MtBinder *b, MtScope *s, const MtOrderItem *items, MtWindowDef *def)
{
   int n = 0;
   for (const MtOrderItem *o = items; o; o = o->next)
      n++;
   def->order = MT_NEW_N (b->a, MtSortX, (size_t) n + 1);
   for (const MtOrderItem *o = items; o; o = o->next) {
      MtSortX *out = &def->order[def->order_count++];
      if (!mt_bind_x (b, s, o->expr, &out->expr) || !mt_settle_unknown (b, &out->expr) ||
          !mt_sort_direction (b, o, out))
         return false;
   }
   return true;
}

/* ---- windows ---- */

static bool bind_def (MtBinder *b, MtScope *s, const MtWindow *w, const MtWindow *before,
                      MtWindowDef *out);

static const MtWindow *find_window (const MtScope *s, const MtName *name, const MtWindow *before)
{
   for (const MtWindow *w = s->named; w && w != before; w = w->next)
      if (strcmp (w->name.text, name->text) == 0 ||
          (!mt_name_is_exact (name) && !mt_name_is_exact (&w->name) &&
           mt_ieq (w->name.text, name->text)))
         return w;
   return NULL;
}

static bool bind_once (MtBinder *b, MtScope *s, const MtWindow *w, MtWindowDef *out)
{
   MtWindows *all = s->windows;
   for (int i = 0; i < all->named_count; i++)
      if (all->named[i].written == w) {
         *out = all->named[i].def;
         return true;
      }
   if (!bind_def (b, s, w, w, out))
      return false;
   MT_GROW_IN (b->a, all->named, all->named_count, all->named_cap, 4);
   all->named[all->named_count++] = (MtNamedWindow) {w, *out};
   return true;
}

static bool bind_named (MtBinder *b, MtScope *s, const MtName *name, MtSpan span,
                        const MtWindow *before, MtWindowDef *out)
{
   const MtWindow *w = find_window (s, name, before);
   MtNear near = {.name = name->text};
   if (w)
      return bind_once (b, s, w, out);
   mt_error_at (b->err, span, MT_E_UNDEFINED_OBJECT, "window \"%s\" does not exist", name->text);
   for (w = s->named; w && w != before; w = w->next)
      mt_near_try (&near, w->name.text);
   return mt_error_found (b->err, &near);
}

/* Copies PARTITION BY and ORDER BY into *out from the named window that window w is based on, as in
 * OVER (base ORDER BY …). Only windows that WINDOW defines before `before` are found; NULL: all. */
static bool extend (MtBinder *b, MtScope *s, const MtWindow *w, const MtWindow *before,
                    MtWindowDef *out)
{
   MtWindowDef base = {0};
   const char *name = w->base.text;
   if (!bind_named (b, s, &w->base, w->span, before, &base))
      return false;
   if (w->partition)
      return mt_error_at (b->err, w->span, MT_E_WINDOWING,
                          "cannot override PARTITION BY clause of window \"%s\"", name);
   if (w->order && base.order_count)
      return mt_error_at (b->err, w->span, MT_E_WINDOWING,
                          "cannot override ORDER BY clause of window \"%s\"", name);
   if (base.has_frame) {
      mt_error_at (b->err, w->span, MT_E_WINDOWING,
                   "cannot copy window \"%s\" because it has a frame clause", name);
      return w->name.text || w->order || w->has_frame
                ? false
                : mt_error_hint (b->err, "Omit the parentheses in this OVER clause.");
   }
   out->partition = base.partition;
   out->partition_count = base.partition_count;
   if (base.order_count) {
      out->order = base.order;
      out->order_count = base.order_count;
   }
   return true;
}

/* Analyzes a window definition. before: w may refer only to entries of the WINDOW clause before
 * this one; NULL: to all entries. */
static bool bind_def (MtBinder *b, MtScope *s, const MtWindow *w, const MtWindow *before,
                      MtWindowDef *out)
{
   if (w->is_reference)
      return bind_named (b, s, &w->name, w->span, before, out);
   if (!mt_enter (b, w->span))
      return false;
   bool ok = bind_window_order (b, s, w->order, out) && bind_partition (b, s, w->partition, out) &&
             (!w->base.text || extend (b, s, w, before, out)) && mt_bind_frame (b, s, w, out);
   mt_leave (b);
   return ok;
}

static bool bind_over (MtBinder *b, MtScope *s, const MtWindow *w, bool named, MtWindowDef *out)
{
   MtClause clause = s->clause;
   bool in_window = s->in_window;
   s->clause = MT_CLAUSE_WINDOW;
   s->in_window = false;
   bool ok = named ? bind_once (b, s, w, out) : bind_def (b, s, w, NULL, out);
   s->clause = clause;
   s->in_window = in_window;
   return ok;
}

bool mt_bind_named_windows (MtBinder *b, MtScope *s)
{
   for (const MtWindow *w = s->named; w; w = w->next) {
      MtWindowDef ignored = {0};
      if (find_window (s, &w->name, w))
         return mt_error_at (b->err, w->span, MT_E_WINDOWING, "window \"%s\" is already defined",
                             w->name.text);
      if (!bind_over (b, s, w, true, &ignored))
         return false;
   }
   return true;
}

/* ---- calls ---- */

static const char *called (const MtExpr *e) { return mt_last_name (e->call.name)->text; }

static void finish_call (MtBinder *b, MtScope *s, MtWindowDef *def, MtWindowCall *call, MtX *x)
{
   call->def = add_def (b, s->windows, def);
   x->kind = MT_X_WINDOW;
   x->index = add_call (b, s->windows, call);
}

bool mt_bind_window_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtAggCall *agg,
                               MtX *x)
{
   MtWindowCall call = {.agg = *agg, .type = agg->type, .span = e->span};
   MtWindowDef def = {0};
   if (!bind_over (b, s, e->call.over, false, &def))
      return false;
   finish_call (b, s, &def, &call, x);
   return true;
}

static bool bind_args (MtBinder *b, MtScope *s, const MtExpr *e, MtX **args, int *argc)
{
   bool ok = true, was = s->in_window;
   s->in_window = true;
   for (const MtExprList *l = e->call.args; l && ok; l = l->next)
      ok = *argc == MT_SIG_MAX_ARGS
              ? mt_error_at (b->err, e->span, MT_E_TOO_MANY_ARGUMENTS,
                             "cannot pass more than %d arguments to a window function",
                             MT_SIG_MAX_ARGS)
              : mt_bind_x (b, s, l->expr, &args[(*argc)++]);
   s->in_window = was;
   return ok;
}

static const MtWindowFunc *choose (const char *name, MtX *const *args, int argc, MtSig *sig)
{
   MtTypeId types[MT_SIG_MAX_ARGS];
   for (int i = 0; i < argc; i++)
      types[i] = args[i]->type.id;
   for (const MtWindowFunc *f = mt_window_funcs; f->name; f++) {
      const MtSig *one = sig;
      bool ambiguous;
      if (mt_ieq (f->name, name) && mt_sig_parse (f->name, f->signature, 0, sig) &&
          mt_choose_sig (&one, 1, types, argc, false, &ambiguous))
         return f;
   }
   return NULL;
}

/* Finds the result type of lag, lead and similar functions: the common type of the value and the
 * default value. */
static bool value_type (MtBinder *b, const MtExpr *e, MtX **args, int argc, MtType *out)
{
   MtX *list[2] = {args[0], argc == 3 ? args[2] : args[0]};
   MtTypeId t;
   if (!mt_common_type (b, list, 2, called (e), &t)) {
      mt_error_clear (b->err);
      return mt_no_such_function (b, called (e), e->span, args, argc);
   }
   if (list[0]->type.id == MT_T_UNKNOWN && list[1]->type.id == MT_T_UNKNOWN)
      return mt_error (b->err, MT_E_DATATYPE_MISMATCH,
                       "could not determine polymorphic type because input has type unknown");
   *out = t == args[0]->type.id && argc < 3 && (args[0]->type.mod1 < 0 || t == MT_T_BPCHAR)
             ? args[0]->type
             : mt_type (t);
   return true;
}

static bool check_order (MtBinder *b, const MtWindowCall *call, const MtWindowDef *def)
{
   if (!call->fn->ordered || def->order_count)
      return true;
   mt_error_at (b->err, call->span, MT_E_WINDOWING,
                "window function %s requires an ORDER BY clause in its window", call->fn->name);
   return mt_error_hint (b->err, "Add ORDER BY to OVER (…), for example the column of times.");
}

static bool bind_window_func (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *args[MT_SIG_MAX_ARGS];
   MtWindowCall call = {.span = e->span};
   MtWindowDef def = {0};
   MtSig sig;
   int argc = 0;
   if (!bind_args (b, s, e, args, &argc))
      return false;
   call.fn = choose (called (e), args, argc, &sig);
   if (!call.fn)
      return mt_no_such_function (b, called (e), e->span, args, argc);
   call.type = mt_type (sig.ret);
   if (sig.ret == MT_SIG_ANY && !value_type (b, e, args, argc, &call.type))
      return false;
   call.argc = argc;
   for (int i = 0; i < argc; i++)
      if (!mt_coerce (b, args[i], sig.args[i] == MT_SIG_ANY ? call.type : mt_type (sig.args[i]),
                      MT_COERCE_IMPLICIT, &call.args[i]))
         return false;
   if (!mt_window_constants (b, call.fn, call.args, argc) ||
       !bind_over (b, s, e->call.over, false, &def) || !check_order (b, &call, &def))
      return false;
   if (call.fn->sql)
      return mt_inline_window (b, s, &call, &sig, &def, out);
   *out = mt_x_new (b->a, MT_X_WINDOW, call.type, e->span);
   (*out)->nullable = !call.fn->never_null;
   (*out)->finite = mt_x_all_finite (call.args, argc);
   finish_call (b, s, &def, &call, *out);
   return true;
}

/* Fails with 0A000 (not supported) if the call has a clause that is not allowed with OVER, such as
 * DISTINCT. */
static bool check_parts (MtBinder *b, const MtExpr *e, bool aggregate)
{
   const char *name = called (e), *what = NULL;
   if (e->call.within_group)
      return mt_error_at (b->err, e->span, MT_E_FEATURE,
                          "OVER is not supported for ordered-set aggregate %s", name);
   if (e->call.ignore_nulls == 1)
      return mt_refuse (b, e->span, "IGNORE NULLS is");
   if (e->call.distinct)
      what = "DISTINCT is not implemented for window functions";
   else if (e->call.order)
      what = "aggregate ORDER BY is not implemented for window functions";
   else if (e->call.filter && !aggregate)
      what = "FILTER is not implemented for non-aggregate window functions";
   return !what || mt_error_at (b->err, e->span, MT_E_FEATURE, "%s", what);
}

/* Reports that a function that is no aggregate or window function has OVER. Errors in the call
 * itself are reported before. */
static bool not_for_windows (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtExpr *plain = MT_NEW (b->a, MtExpr);
   *plain = *e;
   plain->call.over = NULL;
   return mt_bind_x (b, s, plain, out) &&
          mt_error_at (b->err, e->span, MT_E_WRONG_OBJECT,
                       "OVER specified, but %s is not a window function nor an aggregate function",
                       called (e));
}

bool mt_bind_window_call (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   int count;
   const char *name = called (e);
   const MtSig **aggs = mt_agg_sigs_by_name (b->a, b->env, name, &count);
   bool own = mt_is_window_function (name);
   if (!e->call.over && e->call.within_group)
      return mt_refuse (b, e->span, mt_printf (b->a, "%s with WITHIN GROUP is", name));
   if (!e->call.over)
      return mt_error_at (b->err, e->span, MT_E_WRONG_OBJECT,
                          "window function %s requires an OVER clause", name);
   if (!own && !count)
      return not_for_windows (b, s, e, out);
   if (!check_place (b, s, e) || !check_parts (b, e, count > 0))
      return false;
   MtX *guard = s->guard;
   s->guard = NULL; /* a window call within CASE sees all rows, so the guard doesn't apply */
   bool ok = own ? bind_window_func (b, s, e, out) : mt_bind_aggregate (b, s, e, aggs, count, out);
   s->guard = guard;
   return ok;
}
