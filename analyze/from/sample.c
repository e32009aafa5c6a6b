/* TABLESAMPLE. The table becomes a sub-select with a random condition. Both methods, BERNOULLI and
 * SYSTEM, choose row by row, because results must not depend on the blocks of the layout. With
 * REPEATABLE, a row is chosen by a hash of the seed and the row's values, so equal rows are chosen
 * or left out together. */
#include "analyze/calls/call.h"
#include "analyze/from/from_int.h"
#include "analyze/names/names.h"
#include "analyze/types/coerce.h"
#include "planner/emit/eval.h"

#include <math.h>
#include <string.h>

static bool parameter (MtBinder *b, const MtExpr *e, const char *null_state, const char *what,
                       double *out)
{
   MtScope s = {.clause = MT_CLAUSE_FUNCTION};
   MtTypeId type = strcmp (null_state, MT_E_TABLESAMPLE_REPEAT) == 0 ? MT_T_FLOAT8 : MT_T_FLOAT4;
   MtX *x;
   MtVal v;
   if (!mt_bind_x (b, &s, e, &x))
      return false;
   if (!mt_can_coerce (x->type.id, type, MT_COERCE_ASSIGN) ||
       mt_type_info (x->type.id)->category == 'S')
      return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                          "argument of TABLESAMPLE must be type %s, not type %s",
                          mt_type_info (type)->display, mt_type_info (x->type.id)->display);
   if (!mt_coerce (b, x, mt_type (type), MT_COERCE_ASSIGN, &x) ||
       !mt_eval_const (b->a, x, b->env, &v, b->err))
      return false;
   bool preparing = b->env->params && !b->env->params->values; /* parameters are NULL then */
   if (mt_is_nullish (v) && !preparing)
      return mt_error (b->err, null_state, "%s cannot be null", what);
   *out = mt_is_nullish (v) ? 0 : v.d;
   return true;
}

static bool percentage (MtBinder *b, const MtExpr *call, double *out)
{
   const MtName *name = mt_last_name (call->call.name);
   int n = mt_list_length (call->call.args);
   const char *method = NULL;
   if (mt_same_name ("bernoulli", name))
      method = "bernoulli";
   else if (mt_same_name ("system", name))
      method = "system";
   if (!method)
      return mt_error_at (b->err, name->span, MT_E_UNDEFINED_OBJECT,
                          "tablesample method %s does not exist", name->text);
   if (n != 1)
      return mt_error_at (b->err, name->span, MT_E_TABLESAMPLE,
                          "tablesample method %s requires 1 argument, not %d", method, n);
   if (!parameter (b, call->call.args->expr, MT_E_TABLESAMPLE, "TABLESAMPLE parameter", out))
      return false;
   return (*out >= 0 && *out <= 100) ||
          mt_error (b->err, MT_E_TABLESAMPLE, "sample percentage must be between 0 and 100");
}

static MtX *number (MtBinder *b, double d, MtSpan span)
{
   return mt_x_const (b->a, mt_type (MT_T_FLOAT8), mt_v_double (d), span);
}

/* Makes the condition of TABLESAMPLE … REPEATABLE: md5 (concat (seed, columns …)), read as a
 * number, is less than `share` of all possible digests. */
static bool drawn_by_seed (MtBinder *b, const MtRel *rel, double share, double seed, MtSpan span,
                           MtX **out)
{
   MtX **parts = MT_NEW_N (b->a, MtX *, (size_t) rel->column_count * 2 + 1), *text, *digest;
   int n = 0;
   parts[n++] = number (b, seed, span);
   for (int i = 0; i < rel->column_count; i++) {
      MtX *column = mt_x_new (b->a, MT_X_COLUMN, rel->columns[i].type, span);
      column->column = i;
      mt_x_refers_column (column, &rel->columns[i]);
      parts[n++] = mt_x_text (b->a, "/", span);
      parts[n++] = column;
   }
   if (!mt_bind_function (b, "concat", span, parts, n, &text) ||
       !mt_bind_function (b, "md5", span, &text, 1, &digest))
      return false;
   const char *limit = mt_printf (b->a, "%013llx", (unsigned long long) floor (share * 0x1p52));
   return mt_bind_operator (b, "<", span, digest, mt_x_text (b->a, share < 1 ? limit : "g", span),
                            out);
}

static bool drawn (MtBinder *b, double share, MtSpan span, MtX **out)
{
   MtX *random;
   return mt_bind_function (b, "random", span, NULL, 0, &random) &&
          mt_bind_operator (b, "<", span, random, number (b, share, span), out);
}

bool mt_bind_sample (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   double percent, seed = 0;
   MtSpan span = f->table.sample->span;
   MtQuery *q = MT_NEW (b->a, MtQuery);
   if (rel->kind != MT_REL_TABLE)
      return mt_error_at (
         b->err, f->table.name.span, MT_E_FEATURE,
         "TABLESAMPLE clause can only be applied to tables and materialized views");
   if (!percentage (b, f->table.sample, &percent))
      return false;
   if (f->table.repeatable && !parameter (b, f->table.repeatable, MT_E_TABLESAMPLE_REPEAT,
                                          "TABLESAMPLE REPEATABLE parameter", &seed))
      return false;
   q->limit = -1;
   q->rel = *rel;
   if (f->table.repeatable ? !drawn_by_seed (b, rel, percent / 100, seed, span, &q->where)
                           : !drawn (b, percent / 100, span, &q->where))
      return false;
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) rel->column_count + 1);
   q->target_count = q->visible_count = rel->column_count;
   for (int i = 0; i < rel->column_count; i++) {
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, rel->columns[i].type, span);
      x->column = i;
      mt_x_refers_column (x, &rel->columns[i]);
      q->targets[i] = (MtTargetX) {rel->columns[i].name, x};
   }
   rel->kind = MT_REL_QUERY;
   rel->query = q;
   rel->table = NULL;
   return true;
}
