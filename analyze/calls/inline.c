/* Parses the bodies of SQL functions, and replaces calls by the bodies. */
#include "analyze/calls/inline.h"

#include "analyze/calls/fold.h"
#include "analyze/types/coerce.h"
#include "parser/parser.h"

#include <string.h>
#include <strings.h>

#define MAX_INLINE_DEPTH 32

/* ---- parsing bodies ---- */

static bool is_query (const char *body)
{
   static const char *const words[] = {"select", "values", "with", "table"};
   body += strspn (body, " \t\r\n(");
   for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      size_t n = strlen (words[i]);
      if (strncasecmp (body, words[i], n) == 0 && strchr (" \t\r\n(*;", body[n]))
         return true;
   }
   return false;
}

/* Returns the only item of the select list if the SELECT has no clauses. NULL: it has clauses or
 * several items. */
static const MtTarget *only_target (const MtSelect *s)
{
   if (s->kind != MT_SELECT_PLAIN || s->with || s->order || s->limit || s->offset || s->locking ||
       s->plain.distinct || s->plain.distinct_on || s->plain.from || s->plain.where ||
       s->plain.group_by || s->plain.sample || s->plain.latest || s->plain.having ||
       s->plain.windows || s->plain.qualify)
      return NULL;
   const MtTarget *t = s->plain.targets;
   return t && !t->next && t->expr->kind != MT_EXPR_STAR ? t : NULL;
}

/* Converts query s to a sub-select used as a value: the value of the first row, or NULL if there
 * are no rows. */
static MtExpr *as_value (MtArena *a, MtSelect *s)
{
   MtExpr *e = MT_NEW (a, MtExpr);
   e->kind = MT_EXPR_SUBQUERY;
   e->span = s->span;
   e->depth = s->depth + 1;
   e->subquery = s;
   if (!s->limit) {
      MtError never;
      if (!mt_parse_expr (a, "1", 1, &s->limit, &never))
         return NULL;
   }
   return e;
}

static bool mismatch (MtError *err, const char *detail)
{
   mt_error (err, MT_E_FUNCTION_DEFINITION, "return type mismatch in a function of LANGUAGE sql");
   return mt_error_detail (err, "%s", detail);
}

#define NOT_A_QUERY "The body must be one SELECT."

bool mt_func_body (MtArena *a, const char *body, MtExpr **out, bool *reads, MtError *err)
{
   MtStmt *st;
   MtError as_statement = {0};
   size_t n = strlen (body);
   *reads = false;
   if (!is_query (body)) {
      if (mt_parse_expr (a, body, n, out, err))
         return true;
      return mt_parse (a, body, n, &st, &as_statement) ? mismatch (err, NOT_A_QUERY) : false;
   }
   if (!mt_parse (a, body, n, &st, err))
      return false;
   if (!st || st->kind != MT_STMT_SELECT)
      return mismatch (err, NOT_A_QUERY);
   if (st->databases)
      return mt_error (err, MT_E_FEATURE,
                       "a database in a name of a function's body is not supported");
   if (st->select->kind == MT_SELECT_PLAIN &&
       (!st->select->plain.targets || st->select->plain.targets->next))
      return mismatch (err, "Final statement must return exactly one column.");
   const MtTarget *only = only_target (st->select);
   *reads = !only;
   *out = only ? only->expr : as_value (a, st->select);
   return *out != NULL;
}

/* ---- replacing calls ---- */

/* Wraps the body of a STRICT function in a CASE, so that the result is NULL if any argument is
 * NULL. */
static MtX *strictly (MtBinder *b, MtX **args, int argc, MtX *body, MtSpan span)
{
   MtX **nulls = MT_NEW_N (b->a, MtX *, (size_t) argc + 1), **list = MT_NEW_N (b->a, MtX *, 3);
   int n = 0;
   for (int i = 0; i < argc; i++)
      if (args[i]->nullable) {
         MtX **one = MT_NEW_N (b->a, MtX *, 1);
         one[0] = args[i];
         nulls[n++] = mt_x_list (b->a, MT_X_IS_NULL, mt_type (MT_T_BOOL), one, 1, span);
      }
   if (n == 0)
      return body;
   list[0] = n == 1 ? nulls[0] : mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), nulls, n, span);
   list[1] = mt_x_null (b->a, body->type, span);
   list[2] = body;
   return mt_x_list (b->a, MT_X_CASE, body->type, list, 3, span);
}

/* Returns whether x is always NULL when arg is NULL, because x passes arg only through strict
 * functions. Then no test for NULL is needed. */
static bool uses (const MtX *x, const MtX *arg)
{
   int n;
   MtX **kids = mt_x_children ((MtX *) x, &n);
   if (x == arg)
      return true;
   if (x->kind != MT_X_CALL || (x->call.fn->flags & MT_F_NOT_STRICT))
      return false;
   for (int i = 0; i < n; i++)
      if (uses (kids[i], arg))
         return true;
   return false;
}

static bool strict_itself (const MtX *x, MtX *const *args, int argc)
{
   for (int i = 0; i < argc; i++)
      if (args[i]->nullable && !uses (x, args[i]))
         return false;
   return true;
}

/* Computes the arguments of a function whose body reads tables. Fails with 0A000 if an argument is
 * not constant, because the body runs as a separate query. */
static bool known_args (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span)
{
   for (int i = 0; i < argc; i++) {
      if (!mt_fold (b, &args[i]))
         return false;
      if (args[i]->kind == MT_X_CONST)
         continue;
      mt_refuse (b, span,
                 mt_printf (b->a,
                            "calling %s, whose body is a query, with non-constant arguments is",
                            sig->name));
      return mt_error_hint (b->err, "Write the query instead of the call.");
   }
   return true;
}

static bool volatile_twice (MtBinder *b, const MtSig *sig, MtX *const *args, const int *used,
                            int argc, MtSpan span)
{
   for (int i = 0; i < argc; i++)
      if (args[i]->is_volatile && used[i] > 1) {
         mt_refuse (b, span,
                    mt_printf (b->a,
                               "a volatile argument that the body of %s uses more than once is",
                               sig->name));
         return mt_error_hint (b->err, "Compute the argument in a sub-select and pass its column.");
      }
   return true;
}

static bool bind_body (MtBinder *b, MtScope *s, MtX **out)
{
   const MtSig *sig = s->param_sig;
   MtExpr *body;
   bool reads;
   return mt_func_body (b->a, sig->fn->sql, &body, &reads, b->err) &&
          (!reads || known_args (b, sig, s->params, s->param_count, MT_NO_SPAN)) &&
          mt_bind_x (b, s, body, out) &&
          mt_coerce (b, *out, mt_type (sig->ret), MT_COERCE_ASSIGN, out);
}

bool mt_inline_sql (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out)
{
   MtScope s = {
      .clause = MT_CLAUSE_FUNCTION, .params = args, .param_count = argc, .param_sig = sig};
   return mt_inline_in (b, &s, span, out);
}

bool mt_inline_in (MtBinder *b, MtScope *s, MtSpan span, MtX **out)
{
   const MtSig *sig = s->param_sig;
   MtX **args = s->params;
   int argc = s->param_count;
   MtError own = {0}, *err = b->err;
   MtOuter *outer = b->outer;
   const MtCteBind *ctes = b->ctes;
   const MtSig *sees = b->sees;
   int used[MT_SIG_MAX_ARGS] = {0};
   MtX *x = NULL;
   s->param_uses = used;
   if (b->inline_depth >= MAX_INLINE_DEPTH)
      return mt_error_at (b->err, span, MT_E_TOO_COMPLEX,
                          "function %s calls itself, or calls are nested more than %d deep",
                          sig->name, MAX_INLINE_DEPTH);
   b->inline_depth++;
   b->err = &own;
   b->outer = NULL; /* the body sees no scopes around the call */
   b->ctes = NULL;
   b->sees = !sees && sig->fn->flags & MT_F_SEES ? sig : sees;
   bool ok = bind_body (b, s, &x);
   b->err = err;
   b->outer = outer;
   b->ctes = ctes;
   b->sees = sees;
   b->inline_depth--;
   if (!ok) {
      mt_error_at (b->err, span, own.sqlstate, "%s", own.message);
      if (*own.hint)
         mt_error_hint (b->err, "%s", own.hint);
      return mt_error_detail (b->err, "In the body of SQL function \"%s\".", sig->name);
   }
   bool strict = !(sig->fn->flags & MT_F_NOT_STRICT) && !strict_itself (x, args, argc);
   for (int i = 0; strict && i < argc; i++)
      used[i] += args[i]->nullable;
   *out = strict ? strictly (b, args, argc, x, span) : x;
   return volatile_twice (b, sig, args, used, argc, span);
}
