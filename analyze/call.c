/* Calls: functions, operators, aggregates, and the special ones (coalesce, nullif, greatest,
 * extract …). */
#include "analyze/bind_int.h"

#include "types/datetime.h"
#include "types/tz.h"
#include "analyze/func_body.h"
#include "functions/core/row.h"
#include "query/window.h"

#include <string.h>

/* ---- choosing and building ---- */

static void types_of (MtX *const *args, int argc, MtTypeId *types)
{
   for (int i = 0; i < argc; i++)
      types[i] = args[i]->type.id;
}

static void print_types (const MtTypeId *types, int argc, MtBuf *out)
{
   for (int i = 0; i < argc; i++)
      mt_buf_printf (out, "%s%s", i ? ", " : "", mt_sig_type_name (types[i]));
}

static MtTypeId param_type (const MtSig *s, int i)
{
   return s->args[i < s->argc ? i : s->argc - 1];
}

/* What the polymorphic types stand for in this call. */
static bool polymorphic_types (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span,
                               MtPolymorphic *out)
{
   MtTypeId types[argc + 1];
   types[0] = MT_T_UNKNOWN;
   types_of (args, argc, types);
   if (!mt_sig_agree (sig, types, argc, out))
      return mt_error_at (b->err, span, MT_E_DATATYPE_MISMATCH,
                          "arguments of function %s do not have one type", sig->name);
   for (int i = 0; i < argc && out->element == MT_T_UNKNOWN; i++)
      if (param_type (sig, i) == MT_SIG_ARRAY)
         return mt_error (b->err, MT_E_DATATYPE_MISMATCH,
                          "could not determine polymorphic type because input has type unknown");
   return true;
}

/* What the session knows, by a parameter's name. */
static bool looked_up (MtBinder *b, MtStr name, MtTypeId type, MtX **out)
{
   static const uint8_t nothing[] = {5, 0, 0, 0, 0}; /* an empty document */
   MtVal v = mt_v_null ();
   if (!name.n || name.p[0] != '_' ||
       (b->env->lookup &&
        !b->env->lookup (b->env->ctx, b->a, mt_strndup (b->a, name.p + 1, name.n - 1), &v, b->err)))
      return false;
   if (mt_is_nullish (v))
      v = type == MT_T_DOCUMENT ? (MtVal) {.type = MT_DOC, .len = sizeof nothing, .p = nothing}
                                : mt_v_str ("", 0);
   *out = mt_x_const (b->a, mt_type (type), v, MT_NO_SPAN);
   return true;
}

/* Arguments that rows ask for silently: the session's zone (signature's name "_zone"), the
 * transaction's time ("_now"), the statement's
 * ("_statement"), the name of the type that polymorphic types stand for ("_type"). */
static bool hidden_arg (MtBinder *b, const MtSig *sig, const MtPolymorphic *p, int i, MtX **out)
{
   if (mt_str_is (sig->arg_names[i], "_type"))
      *out = mt_type_arg (b, p->element != MT_T_UNKNOWN ? p->element
                                                        : mt_sig_actual (MT_SIG_COMPATIBLE, p));
   else if (mt_str_is (sig->arg_names[i], "_zone"))
      *out = mt_x_text (b->a, mt_tz_name (b->env->style.zone ? b->env->style.zone : mt_tz_utc ()),
                        MT_NO_SPAN);
   else if (mt_str_is (sig->arg_names[i], "_now"))
      *out = mt_x_const (b->a, mt_type (MT_T_TIMESTAMPTZ), mt_v_date (b->env->style.now_ms),
                         MT_NO_SPAN);
   else if (mt_str_is (sig->arg_names[i], "_statement"))
      *out = mt_x_const (b->a, mt_type (MT_T_TIMESTAMPTZ), mt_v_date (b->env->style.statement_ms),
                         MT_NO_SPAN);
   else
      return looked_up (b, sig->arg_names[i], sig->args[i], out);
   return true;
}

/* Those take a value of any type as its text: as its output function gives it (true is t), but for
 * ||, which casts. */
static bool joins_text (const MtSig *sig)
{
   static const char *const names[] = {"||",     "concat",        "concat_ws",
                                       "format", "quote_literal", "quote_nullable"};
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strcmp (sig->name, names[i]) == 0)
         return true;
   return false;
}

/* Those take a value of any type as jsonb. */
static bool makes_json (const MtSig *sig)
{
   return strncmp (sig->name, "jsonb_build_", 12) == 0 ||
          strcmp (sig->name, "json_build_object") == 0;
}

bool mt_json_value (MtBinder *b, MtX *x, MtX **out)
{
   if (!mt_settle_unknown (b, &x))
      return false;
   *out = x;
   return x->type.id == MT_T_JSONB || mt_bind_function (b, "to_jsonb", x->span, &x, NULL, 1, out);
}

bool mt_json_key (MtBinder *b, MtX *x, MtX **out)
{
   if (x->type.id == MT_T_JSONB || x->type.id == MT_T_DOCUMENT || mt_type_is_array (x->type.id))
      return mt_error (b->err, MT_E_PARAMETER,
                       "key value must be scalar, not array, composite, or json");
   return mt_json_value (b, x, out);
}

/* A date behind the last timestamp can't be one, and is later than all when it is compared. */
static MtX *compared_date (MtBinder *b, const MtSig *sig, MtX *x, MtTypeId t)
{
   bool timestamp = t == MT_T_TIMESTAMP || t == MT_T_TIMESTAMPTZ;
   if (!(sig->fn->flags & MT_F_COMPARISON) || !timestamp || x->kind != MT_X_CONST ||
       x->type.id != MT_T_DATE || mt_is_nullish (x->value) ||
       mt_date_fits_timestamp (x->value, NULL))
      return x;
   return mt_x_const (b->a, x->type, mt_v_date (MT_TS_INFINITY), x->span);
}

bool mt_build_call (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out)
{
   MtPolymorphic types;
   if (!polymorphic_types (b, sig, args, argc, span, &types))
      return false;
   int total = argc + (sig->variadic ? 0 : sig->argc - argc);
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) total + 1);
   for (int i = 0; i < total; i++) {
      if (i >= argc) {
         if (!hidden_arg (b, sig, &types, i, &list[i]))
            return mt_error_at (b->err, span, MT_E_INTERNAL, "function %s lacks an argument",
                                sig->name);
         continue;
      }
      MtTypeId declared = param_type (sig, i), t = mt_sig_actual (declared, &types);
      bool join = (declared == MT_SIG_ANY || declared == MT_SIG_NONARRAY) && joins_text (sig);
      if (makes_json (sig)) {
         bool key = i % 2 == 0 && (mt_ieq (sig->name, "jsonb_build_object") ||
                                   mt_ieq (sig->name, "json_build_object"));
         if (key ? !mt_json_key (b, args[i], &list[i]) : !mt_json_value (b, args[i], &list[i]))
            return false;
         continue;
      }
      if (join || (t == MT_SIG_ANY && args[i]->type.id == MT_T_UNKNOWN))
         t = MT_T_TEXT;
      if (join && args[i]->type.id == MT_T_BOOL && sig->name[0] != '|' &&
          sig->name[0] != 'q') { /* concat (true) is t, true || '' is true */
         list[i] = mt_x_call (b->a, mt_hidden_func ("$bool_out"), mt_type (MT_T_TEXT),
                              MT_NEW_N (b->a, MtX *, 1), 0, span);
         list[i]->call.args[0] = args[i];
         list[i]->call.argc = 1;
         mt_x_update (list[i]);
         continue;
      }
      MtX *arg = compared_date (b, sig, args[i], t);
      MtType want = t == arg->type.id ? arg->type : mt_type (t);
      if (!mt_coerce (b, arg, want, join ? MT_COERCE_EXPLICIT : MT_COERCE_IMPLICIT, &list[i]))
         return false;
   }
   if (sig->fn->sql)
      return mt_inline_sql (b, sig, list, total, span, out);
   MtType ret = mt_type (mt_sig_actual (sig->ret, &types));
   if (sig->fn->flags & MT_F_FLAT)
      ret = mt_type_flat (mt_type_element (ret.id));
   *out = mt_x_call (b->a, sig->fn, ret, list, total, span);
   mt_flat_call (*out);
   return true;
}

/* ---- operators ---- */

static bool no_operator (MtBinder *b, const char *op, MtSpan span, MtX *const *args, int argc,
                         bool exists)
{
   const char *l = argc == 2 ? mt_type_info (args[0]->type.id)->display : "",
              *r = mt_type_info (args[argc - 1]->type.id)->display;
   if (mt_is_lacking_operator (op, args[0]->type.id))
      return mt_refuse (b, span, mt_printf (b->a, "operator %s here is", op));
   mt_error_at (b->err, span, MT_E_UNDEFINED_FUNCTION, "operator does not exist: %s%s%s %s", l,
                argc == 2 ? " " : "", op, r);
   if (!exists)
      return mt_error_hint (b->err, "No operator of that name is supported.");
   return mt_error_hint (
      b->err,
      argc == 2
         ? "No operator matches the given name and argument types. You might need to add explicit type casts."
         : "No operator matches the given name and argument type. You might need to add an explicit type cast.");
}

bool mt_bind_operator (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   int argc = 0, count;
   bool ambiguous;
   if (left)
      args[argc++] = left;
   args[argc++] = right;
   if (strcmp (op, "!=") == 0)
      op = "<>";
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, op, MT_F_OPERATOR, &count);
   const MtSig *s = mt_choose_call (b, sigs, count, args, NULL, argc, true, &ambiguous);
   if (ambiguous) {
      mt_error_at (b->err, span, MT_E_AMBIGUOUS_FUNCTION, "operator is not unique: %s%s%s %s",
                   left ? mt_type_info (left->type.id)->display : "", left ? " " : "", op,
                   mt_type_info (right->type.id)->display);
      return mt_error_hint (
         b->err,
         "Could not choose a best candidate operator. You might need to add explicit type casts.");
   }
   if (!s)
      return no_operator (b, op, span, args, argc, count > 0);
   if (!mt_build_call (b, s, args, argc, span, out))
      return false;
   if (argc == 2 && s->args[0] == MT_SIG_ARRAY && (*out)->call.argc == 2 &&
       mt_type_has_rank ((*out)->call.args[0]->type.id))
      *out = mt_array_comparison (
         b, *out,
         op[0] == '=' ? "$array_="
                      : "$array_<>"); /* by the elements' order, not by their documents */
   return true;
}

/* ---- functions by name ---- */

static void print_args (MtX *const *args, const MtName *names, int argc, MtBuf *out)
{
   for (int i = 0; i < argc; i++)
      mt_buf_printf (out, "%s%s%s%s", i ? ", " : "", names && names[i].text ? names[i].text : "",
                     names && names[i].text ? " => " : "",
                     mt_type_info (args[i]->type.id)->display);
}

static bool no_function (MtBinder *b, const char *name, MtSpan span, MtX *const *args,
                         const MtName *names, int argc, const MtSig **sigs, int count)
{
   MtBuf buf = {0};
   if (!count && !mt_refuse_lacking_function (b, name, span))
      return false;
   print_args (args, names, argc, &buf);
   mt_error_at (b->err, span, MT_E_UNDEFINED_FUNCTION, "function %s(%s) does not exist", name,
                buf.p ? buf.p : "");
   mt_buf_clear (&buf);
   for (int i = 0; i < count && i < 6; i++) {
      mt_buf_printf (&buf, "%s%s(", i ? ", " : "Candidates are: ", sigs[i]->name);
      print_types (sigs[i]->args, mt_visible_args (sigs[i]), &buf);
      mt_buf_printf (&buf, "%s)", sigs[i]->variadic ? ", …" : "");
   }
   if (count) {
      mt_buf_adds (&buf, count > 6 ? ", …" : ".");
      mt_error_detail (b->err, "%s", buf.p);
   }
   mt_buf_free (&buf);
   size_t n;
   const char *const *all = mt_function_names (&n),
                     *near = count ? NULL : mt_nearest (name, all, n);
   if (near)
      return mt_error_hint (b->err, "Perhaps you meant the function \"%s\".", near);
   return mt_error_hint (
      b->err,
      "No function matches the given name and argument types. You might need to add explicit type casts.");
}

/* What has a syntax of its own is called by its whole name. */
static bool of_syntax (const char *name)
{
   return strcmp (name, "extract") == 0 || strcmp (name, "overlaps") == 0;
}

bool mt_bind_function (MtBinder *b, const char *name, MtSpan span, MtX **args,
                       const MtName *arg_names, int argc, MtX **out)
{
   int count;
   bool ambiguous = false;
   b->seeds = b->seeds || mt_ieq (name, "setseed");
   if ((b->env->seeded || b->seeds) && argc == 0 && mt_ieq (name, "random")) {
      *out = mt_x_call (b->a, mt_hidden_func ("$random_seeded"), mt_type (MT_T_FLOAT8), NULL, 0,
                        span);
      (*out)->is_volatile = true;
      return true;
   }
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, name, 0, &count);
   const MtSig *s = mt_choose_call (b, sigs, count, args, arg_names, argc, false, &ambiguous);
   if (ambiguous) {
      MtBuf buf = {0};
      print_args (args, arg_names, argc, &buf);
      mt_error_at (b->err, span, MT_E_AMBIGUOUS_FUNCTION, "function %s%s(%s) is not unique",
                   of_syntax (name) ? "pg_catalog." : "", name, buf.p ? buf.p : "");
      mt_buf_free (&buf);
      return mt_error_hint (
         b->err,
         "Could not choose a best candidate function. You might need to add explicit type casts.");
   }
   if (s)
      return mt_place_args (b, s, &args, arg_names, &argc) &&
             mt_build_call (b, s, args, argc, span, out);
   MtTypeId t; /* f(x) where f is a type's name is a cast */
   if (argc == 1 && !arg_names && mt_type_by_name (mt_str (name), &t) && t != MT_T_UNKNOWN &&
       mt_can_coerce (args[0]->type.id, t, MT_COERCE_EXPLICIT))
      return mt_coerce (b, args[0], mt_type (t), MT_COERCE_EXPLICIT, out);
   return no_function (b, name, span, args, arg_names, argc, sigs, count);
}

/* ---- the special ones ---- */

static bool bind_coalesce (MtBinder *b, const MtExpr *e, MtX **args, int argc, MtX **out)
{
   MtTypeId t;
   if (!mt_no_sets (b, args, argc, "COALESCE") || !mt_common_type (b, args, argc, "COALESCE", &t))
      return false;
   MtType type = mt_common_modifier (args, argc, t);
   for (int i = 0; i < argc; i++)
      if (!mt_coerce (b, args[i], type, MT_COERCE_IMPLICIT, &args[i]))
         return false;
   *out = mt_x_list (b->a, MT_X_COALESCE, type, args, argc, e->span);
   return true;
}

/* The elements' type before the arguments. */
static MtX **with_type (MtBinder *b, MtX **args, int argc, MtTypeId t)
{
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) argc + 1);
   list[0] = mt_type_arg (b, mt_type_element (t));
   memcpy (list + 1, args, (size_t) argc * sizeof *list);
   return list;
}

static bool bind_extreme (MtBinder *b, const MtExpr *e, const char *name, MtX **args, int argc,
                          MtX **out)
{
   bool greatest = mt_ieq (name, "greatest");
   MtTypeId t;
   if (!mt_common_type (b, args, argc, greatest ? "GREATEST" : "LEAST", &t))
      return false;
   MtType type = mt_common_modifier (args, argc, t);
   for (int i = 0; i < argc; i++)
      if (!mt_coerce (b, args[i], type, MT_COERCE_IMPLICIT, &args[i]))
         return false;
   bool plain = t != MT_T_FLOAT4 && t != MT_T_FLOAT8 && t != MT_T_NUMERIC &&
                !mt_type_order_has_rank (t);
   const char *kind = t == MT_T_INTERVAL ? "interval" : t == MT_T_JSONB ? "jsonb" : "number";
   const char *which = greatest ? "$greatest" : "$least";
   if (mt_type_is_array (t)) {
      kind = "array";
      args = with_type (b, args, argc++, t);
      plain = false;
   }
   const MtFunc *fn = mt_hidden_func (plain ? which : mt_printf (b->a, "%s_%s", which, kind));
   *out = mt_x_call (b->a, fn, type, args, argc, e->span);
   for (int i = 0; i < argc; i++)
      (*out)->nullable &= args[i]->nullable;
   return true;
}

/* What the operator = takes a value for, which NULLIF gives: numbers that aren't both whole, or
 * both doubles, are compared as one type. */
static MtTypeId nullif_type (MtTypeId value, MtTypeId other)
{
   bool whole = value == MT_T_INT2 || value == MT_T_INT4 || value == MT_T_INT8;
   if ((whole || value == MT_T_NUMERIC) && (other == MT_T_FLOAT4 || other == MT_T_FLOAT8))
      return MT_T_FLOAT8;
   return value == MT_T_VARCHAR ? MT_T_TEXT : whole && other == MT_T_NUMERIC ? MT_T_NUMERIC : value;
}

static bool bind_nullif (MtBinder *b, const MtExpr *e, MtX **args, MtX **out)
{
   MtX *equal, **list = MT_NEW_N (b->a, MtX *, 3), *x = args[0];
   if (!mt_bind_operator (b, "=", e->span, args[0], args[1], &equal))
      return false;
   if (x->type.id == MT_T_UNKNOWN)
      x = equal->call.args[0];
   MtTypeId t = nullif_type (x->type.id, args[1]->type.id);
   if (t != x->type.id && !mt_coerce (b, x, mt_type (t), MT_COERCE_IMPLICIT, &x))
      return false;
   list[0] = equal;
   list[1] = mt_x_null (b->a, x->type, e->span);
   list[2] = x;
   *out = mt_x_list (b->a, MT_X_CASE, x->type, list, 3, e->span);
   return true;
}

/* current_timestamp (p), localtimestamp (p) and localtime (p) */
static bool bind_rounded_now (MtBinder *b, const MtExpr *e, const char *name, MtX *digits,
                              MtX **out)
{
   if (digits->kind != MT_X_CONST || digits->type.id != MT_T_INT4 || digits->value.i < 0)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "%s takes a number of digits", name);
   MtX *x;
   if (!mt_bind_function (b, name, e->span, NULL, NULL, 0, &x))
      return false;
   MtType t = x->type;
   t.mod1 = (int16_t) (digits->value.i > 6 ? 6 : digits->value.i);
   return mt_coerce (b, x, t, MT_COERCE_EXPLICIT, out);
}

bool mt_bind_special (MtBinder *b, MtScope *s, const MtExpr *e, const char *name, MtX **args,
                      int argc, bool *done, MtX **out)
{
   *done = true;
   if (mt_ieq (name, "coalesce") && argc > 0)
      return bind_coalesce (b, e, args, argc, out);
   if ((mt_ieq (name, "greatest") || mt_ieq (name, "least")) && argc > 0)
      return bind_extreme (b, e, name, args, argc, out);
   if (mt_ieq (name, "nullif") && argc == 2)
      return bind_nullif (b, e, args, out);
   if (mt_ieq (name, "pg_typeof") && argc == 1) {
      *out = mt_x_text (b->a, mt_type_info (args[0]->type.id)->display, e->span);
      return true;
   }
   if ((mt_ieq (name, "current_timestamp") || mt_ieq (name, "localtimestamp") ||
        mt_ieq (name, "localtime")) &&
       argc == 1)
      return bind_rounded_now (b, e, name, args[0], out);
   *done = false;
   return true;
}

/* ---- calls as written ---- */

static const char *last_name (const MtNameList *n)
{
   while (n->next)
      n = n->next;
   return n->name.text;
}

static bool refuse_parts (MtBinder *b, const MtExpr *e)
{
   const MtNameList *n = e->call.name;
   if (n->next && !mt_ieq (n->name.text, "pg_catalog") && !mt_ieq (n->name.text, "public"))
      return mt_error_at (b->err, n->name.span, "3F000", "schema \"%s\" does not exist",
                          n->name.text);
   return true;
}

static bool bind_args (MtBinder *b, MtScope *s, const MtExpr *e, MtX ***args, MtName **names,
                       int *argc)
{
   *argc = 0;
   for (const MtExprList *l = e->call.args; l; l = l->next)
      ++*argc;
   if (*argc > 100)
      return mt_error_at (b->err, e->span, "54023",
                          "cannot pass more than 100 arguments to a function");
   *args = MT_NEW_N (b->a, MtX *, (size_t) *argc + 1);
   *names = e->call.arg_names ? MT_NEW_N (b->a, MtName, (size_t) *argc + 1) : NULL;
   int i = 0;
   const MtNameList *n = e->call.arg_names;
   MtX *guard = s->guard;
   bool rows = mt_takes_json_rows (e);
   for (const MtExprList *l = e->call.args; l; l = l->next, i++) {
      if (*names && n) {
         (*names)[i] = n->name;
         n = n->next;
      }
      bool lazy = i > 0 && mt_ieq (last_name (e->call.name), "coalesce");
      if (lazy)
         s->guard = mt_x_both (b->a, s->guard,
                               mt_x_null_test (b->a, (*args)[i - 1], l->expr->span));
      if (rows ? !mt_bind_json_arg (b, s, l->expr, &(*args)[i])
               : !mt_bind_x (b, s, l->expr, &(*args)[i]))
         return false;
   }
   s->guard = guard;
   return true;
}

bool mt_bind_call_expr (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const char *name = last_name (e->call.name);
   int argc = 0, agg_count;
   MtX **args = NULL;
   MtName *names = NULL;
   bool done;
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
   const MtSig **aggs = mt_agg_sigs_by_name (b->a, name, &agg_count);
   if (agg_count)
      return mt_bind_aggregate (b, s, e, aggs, agg_count, out);
   if (e->call.star)
      return no_function (b, name, e->span, NULL, NULL, 0, NULL, 0);
   const char *only = e->call.distinct       ? "DISTINCT"
                      : e->call.order        ? "ORDER BY"
                      : e->call.filter       ? "FILTER"
                      : e->call.within_group ? "WITHIN GROUP"
                                             : NULL;
   if (!bind_args (b, s, e, &args, &names, &argc))
      return false;
   if (e->call.variadic)
      return mt_bind_variadic (b, name, args, argc, e->span, out);
   if (!mt_bind_special (b, s, e, name, args, argc, &done, out))
      return false;
   if (!done && !mt_bind_function (b, name, e->span, args, names, argc, out))
      return false;
   if (mt_is_set (*out) && !mt_check_set (b, s, e, *out))
      return false;
   if (only)
      return mt_error_at (b->err, e->span, "42809",
                          "%s specified, but %s is not an aggregate function", only, name);
   return true;
}
