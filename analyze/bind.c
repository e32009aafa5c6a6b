/* Entry points of analysis (name and type resolution). */
#include "analyze/bind.h"

#include "analyze/block/block.h"
#include "analyze/calls/fold.h"
#include "analyze/types/domain.h"
#include "analyze/types/coerce.h"
#include "planner/rewrite/push.h"

static bool bind_whole (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                        MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   if (!mt_bind_query (&b, s, out))
      return false;
   mt_query_set_origins (a, *out);
   if (!mt_fold_query (&b, *out))
      return false;
   mt_push_query (a, *out);
   return true;
}

/* Analyzes a SELECT into *out. If the statement reads a GROUP BY query in several places (by a WITH
 * entry or a view), analyzes the statement twice. In the first version, the grouped rows are
 * computed once and shared. In the second version, each place has its own copy of the query, into
 * which its conditions can be pushed. Returns the version with the lower estimated cost. */
bool mt_bind_select (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                     MtError *err)
{
   MtSharing *all = env->sharing, none = {0}, before = all ? *all : none;
   MtError ignored;
   MtQuery *apart;
   double once, each;
   mt_error_clear (&ignored);
   if (!bind_whole (a, env, s, out, err))
      return false;
   if (!env->cost || !all || all->groupings == before.groupings || all->ran || before.apart)
      return true;
   MtSharing after = *all;
   *all = before;
   all->rows = after.rows;
   all->apart = true;
   bool ok = bind_whole (a, env, s, &apart, &ignored) && !all->ran &&
             env->cost (env->ctx, a, *out, &once, &ignored) &&
             env->cost (env->ctx, a, apart, &each, &ignored);
   all->apart = false;
   if (ok && each < once)
      *out = apart;
   else
      *all = after;
   return true;
}

bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtType want, MtX **out,
                   MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtScope s = {.rel = &(MtRel) {.kind = MT_REL_NONE}, .clause = MT_CLAUSE_DEFAULT};
   return mt_bind_x (&b, &s, e, out) && mt_coerce (&b, *out, want, MT_COERCE_ASSIGN, out) &&
          mt_fold (&b, out);
}

static bool can_change (void *ctx, const MtX *x)
{
   const unsigned flags = MT_F_STABLE | MT_F_VOLATILE | MT_F_SESSION | MT_F_SEES;
   return x->kind == MT_X_CALL && (x->call.fn->flags & flags);
}

static bool is_immutable (MtBinder *b, const MtX *x)
{
   return !mt_x_find (x, can_change, NULL) ||
          mt_error (b->err, MT_E_INVALID_DEFINITION,
                    "functions in index predicate must be marked IMMUTABLE");
}

static bool bind_over_row (MtBinder *b, const MtTable *t, MtClause clause, const MtExpr *e,
                           MtX **out)
{
   MtArena *a = b->a;
   MtRel rel = {.kind = MT_REL_TABLE,
                .alias = t->name,
                .table = t,
                .column_count = (int) t->column_count,
                .columns = MT_NEW_N (a, MtRelColumn, t->column_count + 1)};
   for (size_t i = 0; i < t->column_count; i++)
      rel.columns[i] = mt_rel_column_stored (&t->columns[i]);
   MtScope s = {.rel = &rel, .clause = clause};
   return mt_bind_bool (b, &s, e, clause == MT_CLAUSE_CHECK ? "CHECK" : "WHERE", out) &&
          (clause != MT_CLAUSE_INDEX || is_immutable (b, *out)) && mt_fold (b, out);
}

bool mt_bind_condition (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e,
                        MtX **out, MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   return bind_over_row (&b, t, MT_CLAUSE_COPY, e, out);
}

bool mt_bind_check (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtX **out,
                    MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   return bind_over_row (&b, t, MT_CLAUSE_CHECK, e, out);
}

bool mt_bind_predicate (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e,
                        MtX **out, MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   return bind_over_row (&b, t, MT_CLAUSE_INDEX, e, out);
}

void mt_domain_of (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtDomain *out)
{
   MtBinder b = mt_binder_new (a, env, NULL);
   if (name->array_dims || !mt_find_domain (&b, name, out))
      out->name = NULL;
}

bool mt_bind_domain_column (MtArena *a, const MtBindEnv *env, const MtDomain *d, int column,
                            MtX **out, MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtX *x = mt_x_new (a, MT_X_COLUMN, d->base, MT_NO_SPAN);
   x->column = column;
   x->nullable = true;
   return mt_domain_value (&b, d, x, out) && mt_fold (&b, out);
}

bool mt_bind_domain_condition (MtArena *a, const MtBindEnv *env, const MtDomain *d, const MtExpr *e,
                               MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtX *x;
   return mt_bind_domain_check (&b, d, e, mt_x_null (a, d->base, MT_NO_SPAN), &x);
}
