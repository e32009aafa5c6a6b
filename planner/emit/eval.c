/* Computes typed expressions in process: constants, the values of INSERT, the WHERE of COPY. A
 * function is computed by its C operator, or, if it has none, by its template in the local
 * executor. */
#include "planner/emit/emit_int.h"

#include "types/tz.h"
#include "engine/engine.h"
#include "planner/emit/eval.h"
#include "functions/core/row.h"
#include "functions/signature.h"
#include "functions/template.h"

typedef struct Run {
   MtArena *a;
   const MtVal *row;
   const MtBindEnv *env;
   MtError *err;
   int depth;
} Run;

static bool run (Run *r, const MtX *x, MtVal *out);

/* ---- templates ---- */

static bool no_doc_twice (void *ctx, const bson_t **doc, MtError *err)
{
   const bson_t **next = ctx;
   *doc = *next;
   *next = NULL;
   return true;
}

static bool run_pipeline (Run *r, const bson_t *pipeline, MtVal *out)
{
   bson_t empty = BSON_INITIALIZER;
   const bson_t *next = &empty, *doc = NULL;
   MtCursor *c = NULL;
   bson_iter_t it;
   bool ok = mt_local_aggregate_over (no_doc_twice, &next, pipeline, NULL, &c, r->err) &&
             mt_cursor_next (c, &doc, r->err);
   if (ok) {
      *out = doc && bson_iter_init_find (&it, doc, "v") ? mt_v_copy (r->a, mt_v_from_iter (&it))
                                                        : mt_v_null ();
      if (mt_is_nullish (*out))
         *out = mt_v_null ();
   }
   mt_cursor_free (c);
   bson_destroy (&empty);
   return ok;
}

/* Computes call x with the values `args` by running {$project: {v: …}} on an empty document. */
static bool run_in_pipeline (Run *r, const MtX *x, const MtVal *args, MtVal *out)
{
   MtEmit e = {.a = r->a, .err = r->err, .style = &r->env->style};
   MtX **list = MT_NEW_N (r->a, MtX *, (size_t) x->call.argc + 1);
   for (int i = 0; i < x->call.argc; i++)
      list[i] = mt_x_const (r->a, x->call.args[i]->type, args[i], x->span);
   MtX *call = mt_x_call (r->a, x->call.fn, x->type, list, x->call.argc, x->span);
   bson_t pipeline = BSON_INITIALIZER, stage, project;
   mt_doc_begin (&pipeline, "0", &stage);
   mt_doc_begin (&stage, "$project", &project);
   mt_doc_add_int (&project, "_id", 0);
   bool ok = mt_emit_call (&e, call, &project, "v");
   mt_doc_end (&stage, &project);
   mt_doc_end (&pipeline, &stage);
   ok = ok && run_pipeline (r, &pipeline, out);
   bson_destroy (&pipeline);
   return ok;
}

static bool run_template (Run *r, const MtX *x, const MtVal *args, MtVal *out)
{
   const MtFunc *f = x->call.fn;
   const MtTemplate *here = f->here ? f->here : mt_builtin_template (f);
   MtVal v;
   if (here ? !mt_template_run (r->a, here, args, x->call.argc, &v, r->err)
            : !run_in_pipeline (r, x, args, &v))
      return false;
   if (mt_is_nullish (v)) {
      *out = mt_v_null ();
      return true;
   }
   if (!mt_value_normalize (r->a, x->type, v, out, r->err))
      return mt_error (r->err, MT_E_DATATYPE_MISMATCH,
                       "function %s returned a value of type %s where %s is declared",
                       x->call.fn->name, mt_v_type_name (v), mt_type_info (x->type.id)->display);
   return true;
}

/* ---- kinds ---- */

static bool run_call (Run *r, const MtX *x, MtVal *out)
{
   const MtFunc *f = x->call.fn;
   MtVal few[8], *args = x->call.argc <= 8 ? few : MT_NEW_N (r->a, MtVal, (size_t) x->call.argc);
   bool strict = !(f->flags & MT_F_NOT_STRICT);
   for (int i = 0; i < x->call.argc; i++) {
      if (!run (r, x->call.args[i], &args[i]))
         return false;
      if (strict && mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
   }
   const MtOpRow *op = f->op;
   if (op && f->flags & MT_F_SESSION && r->env->op && r->env->op (r->env->ctx, op->name))
      op = r->env->op (r->env->ctx, op->name);
   if (op)
      return mt_run_op (
         (MtEval) {.arena = r->a, .err = r->err, .cancel = r->env->cancel, .exact_times = !r->row},
         op, false, args, x->call.argc, out);
   return run_template (r, x, args, out);
}

/* Computes AND (stop is false) or OR (stop is true). It stops at the first operand that equals
 * `stop`, which decides the result. */
static bool run_logic (Run *r, const MtX *x, bool stop, MtVal *out)
{
   bool null = false;
   for (int i = 0; i < x->count; i++) {
      MtVal v;
      if (!run (r, x->list[i], &v))
         return false;
      if (mt_is_nullish (v))
         null = true;
      else if ((v.i != 0) == stop) {
         *out = mt_v_bool (stop);
         return true;
      }
   }
   *out = null ? mt_v_null () : mt_v_bool (!stop);
   return true;
}

static bool run_in (Run *r, const MtX *x, MtVal *out)
{
   MtVal v, o;
   bool null = false;
   if (!run (r, x->list[0], &v))
      return false;
   *out = mt_v_null ();
   if (mt_is_nullish (v))
      return true;
   for (int i = 1; i < x->count; i++) {
      if (!run (r, x->list[i], &o))
         return false;
      if (mt_is_nullish (o))
         null = true;
      else if (mt_datum_compare (x->list[0]->type.id, v, o) == 0) {
         *out = mt_v_bool (true);
         return true;
      }
   }
   if (!null)
      *out = mt_v_bool (false);
   return true;
}

static bool run_case (Run *r, const MtX *x, MtVal *out)
{
   MtVal when;
   for (int i = 0; i + 1 < x->count; i += 2) {
      if (!run (r, x->list[i], &when))
         return false;
      if (when.type == MT_BOOL && when.i)
         return run (r, x->list[i + 1], out);
   }
   return run (r, x->list[x->count - 1], out);
}

static bool run_coalesce (Run *r, const MtX *x, MtVal *out)
{
   for (int i = 0; i < x->count; i++) {
      if (!run (r, x->list[i], out))
         return false;
      if (!mt_is_nullish (*out))
         return true;
   }
   *out = mt_v_null ();
   return true;
}

static bool run_kind (Run *r, const MtX *x, MtVal *out)
{
   MtVal v;
   switch (x->kind) {
   case MT_X_CONST:
      *out = x->value;
      if (r->row && out->type == MT_DATE)
         out->len = 0;
      return true;
   case MT_X_COLUMN:
      if (!r->row)
         break;
      *out = mt_is_nullish (r->row[x->column]) ? mt_v_null () : r->row[x->column];
      return true;
   case MT_X_CALL: return run_call (r, x, out);
   case MT_X_AND:
   case MT_X_OR: return run_logic (r, x, x->kind == MT_X_OR, out);
   case MT_X_NOT:
      if (!run (r, x->list[0], &v))
         return false;
      *out = mt_is_nullish (v) ? mt_v_null () : mt_v_bool (!v.i);
      return true;
   case MT_X_IS_NULL:
      if (!run (r, x->list[0], &v))
         return false;
      *out = mt_v_bool (mt_is_nullish (v));
      return true;
   case MT_X_IN: return run_in (r, x, out);
   case MT_X_CASE: return run_case (r, x, out);
   case MT_X_COALESCE: return run_coalesce (r, x, out);
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW: break;
   case MT_X_OUTER:
      mt_error_at (r->err, x->span, MT_E_FEATURE,
                   "a column of an outer query is not supported where a constant is needed");
      return mt_error_hint (
         r->err, "Use constants or parameters in LIMIT, OFFSET, frames and TABLESAMPLE.");
   }
   return mt_error_at (r->err, x->span, MT_E_FEATURE,
                       "an expression over rows is not supported where a constant is needed");
}

static bool run (Run *r, const MtX *x, MtVal *out)
{
   if (r->depth >= MT_MAX_EXPR_DEPTH + 8)
      return mt_error_at (r->err, x->span, MT_E_TOO_COMPLEX, "stack depth limit exceeded");
   r->depth++;
   bool ok = run_kind (r, x, out);
   r->depth--;
   return ok;
}

bool mt_eval_row (MtArena *a, const MtX *x, const MtVal *row, const MtBindEnv *env, MtVal *out,
                  MtError *err)
{
   Run r = {.a = a, .row = row, .env = env, .err = err};
   MtVal v;
   if (!run (&r, x, &v))
      return false;
   *out = v;
   return true;
}

bool mt_eval_const (MtArena *a, const MtX *x, const MtBindEnv *env, MtVal *out, MtError *err)
{
   return mt_eval_row (a, x, NULL, env, out, err);
}
