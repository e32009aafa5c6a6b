/* Calls of functions: converts the arguments to the parameter types, and finds a function by its
 * name. */
#include "analyze/calls/call.h"
#include "analyze/calls/chars.h"

#include "analyze/calls/array_op.h"
#include "analyze/calls/choose.h"
#include "analyze/calls/inline.h"
#include "analyze/state/lacking.h"
#include "analyze/types/coerce.h"
#include "functions/core/row.h"
#include "types/datetime.h"

#include <string.h>

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

/* Computes the actual types for polymorphic parameters (anyelement …) from the arguments. */
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
      if (mt_sig_param (sig, i) == MT_SIG_ARRAY)
         return mt_error (b->err, MT_E_DATATYPE_MISMATCH,
                          "could not determine polymorphic type because input has type unknown");
   return true;
}

/* Casts date x to timestamp type t for a comparison. A date after the last timestamp becomes
 * infinity instead of an error. */
static MtX *compared_date (MtBinder *b, const MtSig *sig, MtX *x, MtTypeId t)
{
   bool timestamp = t == MT_T_TIMESTAMP || t == MT_T_TIMESTAMPTZ;
   if (sig->fn->cmp == MT_CMP_NONE || !timestamp || x->kind != MT_X_CONST ||
       x->type.id != MT_T_DATE || mt_is_nullish (x->value) ||
       mt_date_fits_timestamp (x->value, NULL))
      return x;
   return mt_x_const (b->a, x->type, mt_v_date (MT_TS_INFINITY), x->span);
}

/* Converts a boolean to the text 't' or 'f', which concat and output use. A cast to text would give
 * 'true' or 'false'. */
static MtX *bool_output (MtBinder *b, MtX *x)
{
   MtX **one = MT_NEW_N (b->a, MtX *, 1);
   one[0] = x;
   return mt_x_call (b->a, mt_hidden_func ("$bool_out"), mt_type (MT_T_TEXT), one, 1, x->span);
}

/* Converts x, argument i of a call of sig, to the type of its parameter. types: the actual types of
 * polymorphic parameters. */
static bool argument (MtBinder *b, const MtSig *sig, const MtPolymorphic *types, int i, MtX *x,
                      MtX **out)
{
   unsigned flags = sig->fn->flags;
   MtTypeId declared = mt_sig_param (sig, i), t = mt_sig_actual (declared, types);
   bool any = declared == MT_SIG_ANY || declared == MT_SIG_NONARRAY,
        text = any && flags & (MT_F_ANY_CAST | MT_F_ANY_OUTPUT);
   if (flags & MT_F_JSON_VALUES)
      return flags & MT_F_JSON_PAIRS && i % 2 == 0 ? mt_json_key (b, x, out)
                                                   : mt_json_value (b, x, out);
   if (flags & MT_F_JSON_TEXTS)
      return flags & MT_F_JSON_PAIRS && i % 2 == 0 ? mt_json_key (b, x, out)
                                                   : mt_json_text_of (b, x, out);
   if (text && flags & MT_F_ANY_OUTPUT && x->type.id == MT_T_BOOL) {
      *out = bool_output (b, x);
      return true;
   }
   if (text && flags & MT_F_ANY_OUTPUT)
      x = mt_chars_padded (b, x);
   if (text || (t == MT_SIG_ANY && x->type.id == MT_T_UNKNOWN))
      t = MT_T_TEXT;
   x = compared_date (b, sig, x, t);
   return mt_coerce (b, x, t == x->type.id ? x->type : mt_type (t),
                     text ? MT_COERCE_EXPLICIT : MT_COERCE_IMPLICIT, out);
}

bool mt_build_call (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out)
{
   MtPolymorphic types;
   if (!polymorphic_types (b, sig, args, argc, span, &types))
      return false;
   int total = argc + (sig->variadic ? 0 : sig->argc - argc);
   MtTypeId element = types.element != MT_T_UNKNOWN ? types.element
                                                    : mt_sig_actual (MT_SIG_COMPATIBLE, &types);
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) total + 1);
   for (int i = 0; i < argc; i++)
      if (!argument (b, sig, &types, i, args[i], &list[i]))
         return false;
   for (int i = argc; i < total; i++)
      if (!mt_hidden_arg (b, sig, i, element, &list[i]))
         return mt_error_at (b->err, span, MT_E_INTERNAL, "function %s lacks an argument",
                             sig->name);
   if (sig->fn->sql)
      return mt_inline_sql (b, sig, list, total, span, out);
   MtType ret = mt_type (mt_sig_actual (sig->ret, &types));
   if (sig->fn->flags & MT_F_FLAT)
      ret = mt_type_flat (mt_type_element (ret.id));
   *out = mt_x_call (b->a, sig->fn, ret, list, total, span);
   mt_flat_call (*out);
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

const char *mt_reads_file (const char *name)
{
   static const char *const functions[] = {"read_file", "read_csv", "read_json", "read_bson"};
   for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
      if (mt_ieq (name, functions[i]))
         return functions[i];
   return NULL;
}

/* Returns whether a call with two arguments would find a function if the arguments were swapped.
 * The error then has a hint, since first (value, ts) takes the time second, but counter_agg (ts,
 * value) takes it first. */
static bool fits_swapped (MtBinder *b, const char *name, MtX *const *args, int argc)
{
   int funcs, aggs;
   bool ambiguous;
   if (argc != 2 || args[0]->type.id == MT_T_UNKNOWN || args[1]->type.id == MT_T_UNKNOWN)
      return false;
   const MtTypeId types[] = {args[1]->type.id, args[0]->type.id};
   const MtSig **f = mt_sigs_by_name (b->a, b->env, name, 0, &funcs),
               **g = mt_agg_sigs_by_name (b->a, b->env, name, &aggs);
   return mt_choose_sig (f, funcs, types, 2, false, &ambiguous) ||
          mt_choose_sig (g, aggs, types, 2, false, &ambiguous);
}

static bool hint_at_types (MtBinder *b, const char *name, MtX *const *args, int argc)
{
   bool swapped = fits_swapped (b, name, args, argc);
   return mt_error_hint (
      b->err, "%s",
      swapped ? "Perhaps the arguments are in the wrong order."
              : "No function matches the given name and argument types. You might need to add "
                "explicit type casts.");
}

bool mt_no_such_function (MtBinder *b, const char *name, MtSpan span, MtX *const *args, int argc)
{
   MtBuf buf = {0};
   print_args (args, NULL, argc, &buf);
   mt_error_at (b->err, span, MT_E_UNDEFINED_FUNCTION, "function %s(%s) does not exist", name,
                buf.p ? buf.p : "");
   mt_buf_free (&buf);
   return hint_at_types (b, name, args, argc);
}

/* Returns the name most similar to `name` among built-in functions and aggregates and those of the
 * session. NULL: no name is similar enough. */
static const char *nearest_name (MtBinder *b, const char *name)
{
   size_t n, own = b->env ? b->env->user_function_count + b->env->user_aggregate_count : 0;
   const char *const *all = mt_function_names (&n);
   const char **names = MT_NEW_N (b->a, const char *, n + own + 1);
   memcpy (names, all, n * sizeof *names);
   for (size_t i = 0; own && i < b->env->user_function_count; i++)
      names[n++] = b->env->user_functions[i]->name;
   for (size_t i = 0; own && i < b->env->user_aggregate_count; i++)
      names[n++] = b->env->user_aggregates[i]->name;
   return mt_nearest (name, names, n);
}

bool mt_no_function (MtBinder *b, const char *name, MtSpan span, const MtCallArgs *call)
{
   MtBuf buf = {0};
   const MtSig **sigs = call->sigs;
   int count = call->count;
   if (!count && !mt_refuse_lacking_function (b, name, span))
      return false;
   if (!count && mt_reads_file (name)) {
      mt_error_at (b->err, span, MT_E_FEATURE, "%s is only allowed in FROM", name);
      return mt_error_hint (b->err, "Write SELECT * FROM %s (...).", name);
   }
   print_args (call->args, call->names, call->argc, &buf);
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
   const char *near = count ? NULL : nearest_name (b, name);
   if (!count && b->env && b->env->unusable_extension)
      return mt_error_hint (
         b->err, "The extension \"%s\" of the catalog cannot be used. It may have the function.",
         b->env->unusable_extension);
   if (near)
      return mt_error_hint (b->err, "Perhaps you meant the function \"%s\".", near);
   return hint_at_types (b, name, call->args, call->argc);
}

/* Makes the call that replaces random() after setseed(), so that the values depend on the seed. */
static MtX *seeded_call (MtBinder *b, const MtSig *s, MtSpan span)
{
   const MtFunc *f = mt_hidden_func (mt_printf (b->a, "$%s_seeded", s->name));
   MtX *x = mt_x_call (b->a, f, mt_type (s->ret), NULL, 0, span);
   x->is_volatile = true;
   return x;
}

static bool not_unique (MtBinder *b, const char *name, MtSpan span, const MtCallArgs *call)
{
   MtBuf buf = {0};
   bool syntax = call->sigs[0]->fn->flags & MT_F_SYNTAX;
   print_args (call->args, call->names, call->argc, &buf);
   mt_error_at (b->err, span, MT_E_AMBIGUOUS_FUNCTION, "function %s%s(%s) is not unique",
                syntax ? "pg_catalog." : "", name, buf.p ? buf.p : "");
   mt_buf_free (&buf);
   return mt_error_hint (
      b->err,
      "Could not choose a best candidate function. You might need to add explicit type casts.");
}

bool mt_bind_named_args (MtBinder *b, const char *name, MtSpan span, MtCallArgs *call, MtX **out)
{
   bool ambiguous = false;
   MtTypeId t;
   call->sigs = mt_sigs_by_name (b->a, b->env, name, 0, &call->count);
   const MtSig *s = mt_choose_call (b, call, &ambiguous);
   if (ambiguous)
      return not_unique (b, name, span, call);
   if (s) {
      b->seeds = b->seeds || s->fn->flags & MT_F_SETS_SEED;
      if (s->fn->flags & MT_F_SEEDED && (b->env->seeded || b->seeds)) {
         *out = seeded_call (b, s, span);
         return true;
      }
      return mt_place_args (b, s, call) && mt_build_call (b, s, call->args, call->argc, span, out);
   }
   /* f (x) is a cast if f is a type's name. */
   if (call->argc == 1 && !call->names && mt_named_type (b, name, &t) && t != MT_T_UNKNOWN &&
       mt_can_coerce (call->args[0]->type.id, t, MT_COERCE_EXPLICIT))
      return mt_coerce (b, call->args[0], mt_type (t), MT_COERCE_EXPLICIT, out);
   return mt_no_function (b, name, span, call);
}

bool mt_bind_function (MtBinder *b, const char *name, MtSpan span, MtX **args, int argc, MtX **out)
{
   MtCallArgs call = {.args = args, .argc = argc};
   return mt_bind_named_args (b, name, span, &call, out);
}
