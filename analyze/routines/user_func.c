/* User-defined functions: converts CREATE FUNCTION statements and catalog documents to
 * functions. */
#include "analyze/routines/user_func.h"

#include "base/bson.h"
#include "analyze/block/block.h"
#include "analyze/calls/inline.h"
#include "analyze/routines/module.h"
#include "analyze/types/coerce.h"
#include "functions/template.h"
#include "parser/parser.h"
#include "types/mongosh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The contents of a CREATE FUNCTION, from a statement or from a catalog document. */
typedef struct Spec {
   const char *name, *signature, *language, *body, *symbol;
   const char **defaults; /* One for each parameter. NULL: no defaults. */
   unsigned flags;
   int volatility; /* 0 volatile, 1 stable, 2 immutable */
   MtSpan body_span;
   int body_at; /* the body's position in the statement, as in MtStmt */
   /* The function is made from a new statement, not read from the catalog. */
   bool fresh;
   bool allow_c;
} Spec;

/* ---- from a statement ---- */

static bool name_twice (const MtFunctionArg *first, const MtFunctionArg *arg)
{
   for (const MtFunctionArg *o = first; arg->name.text && o != arg; o = o->next)
      if (o->name.text && mt_ieq (o->name.text, arg->name.text))
         return true;
   return false;
}

/* Stores the default of parameter number n as SQL text. The text is analyzed at each call that uses
 * the default. */
static bool one_default (MtBinder *b, const MtFunctionArg *arg, int n, MtType t, Spec *out)
{
   MtScope none = {.clause = MT_CLAUSE_DEFAULT};
   MtX *x;
   if (!arg->default_value)
      return !out->defaults ||
             mt_error_at (
                b->err, arg->type->span, MT_E_FUNCTION_DEFINITION,
                "input parameters after one with a default value must also have defaults");
   if (!out->defaults)
      out->defaults = MT_NEW_N (b->a, const char *, MT_SIG_MAX_ARGS);
   out->defaults[n] = mt_expr_text (b->a, arg->default_value);
   return mt_bind_x (b, &none, arg->default_value, &x) && mt_coerce (b, x, t, MT_COERCE_ASSIGN, &x);
}

/* Refuses enumerated types in signatures. Signatures are stored with the names of types, and an
 * enumerated type can be renamed. */
static bool refuse_enum (MtBinder *b, const MtTypeName *t)
{
   mt_refuse (b, t->span, "an enumerated type in a function's signature is");
   return mt_error_hint (b->err, "Use text.");
}

static bool one_parameter (MtBinder *b, const MtStmt *s, const MtFunctionArg *arg, int n,
                           MtBuf *buf, Spec *out)
{
   MtType t;
   if (n >= MT_SIG_MAX_ARGS)
      return mt_error_at (b->err, arg->type->span, MT_E_TOO_MANY_ARGUMENTS,
                          "functions cannot have more than %d arguments", MT_SIG_MAX_ARGS);
   if (name_twice (s->create_function.args, arg))
      return mt_error_at (b->err, arg->name.span, MT_E_FUNCTION_DEFINITION,
                          "parameter name \"%s\" used more than once", arg->name.text);
   if (!mt_resolve_type (b, arg->type, &t))
      return false;
   if (mt_type_is_enum (mt_type_element (t.id)))
      return refuse_enum (b, arg->type);
   if (mt_type_element (t.id) == MT_T_RECORD)
      return mt_error_at (b->err, arg->type->span, MT_E_FUNCTION_DEFINITION,
                          "SQL functions cannot have arguments of type %s",
                          mt_type_info (t.id)->display);
   mt_buf_printf (buf, "%s%s%s%s", n ? ", " : "", arg->name.text ? arg->name.text : "",
                  arg->name.text ? " " : "", mt_type_info (t.id)->name);
   return one_default (b, arg, n, t, out);
}

static bool signature_of (MtArena *a, const MtBindEnv *env, const MtStmt *s, Spec *out,
                          MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtBuf buf = {0};
   MtType t;
   int n = 0;
   bool ok = true;
   for (const MtFunctionArg *arg = s->create_function.args; arg && ok; arg = arg->next, n++)
      ok = one_parameter (&b, s, arg, n, &buf, out);
   if (ok && !s->create_function.returns)
      ok = mt_error_at (err, s->span, MT_E_INVALID_DEFINITION,
                        "function result type must be specified");
   ok = ok && mt_resolve_type (&b, s->create_function.returns, &t);
   if (ok && mt_type_is_enum (mt_type_element (t.id)))
      ok = refuse_enum (&b, s->create_function.returns);
   if (ok && mt_type_element (t.id) == MT_T_RECORD)
      ok = mt_refuse (&b, s->create_function.returns->span, "RETURNS record is");
   if (ok)
      mt_buf_printf (&buf, "%s-> %s", n ? " " : "", mt_type_info (t.id)->name);
   if (ok)
      out->signature = mt_strndup (a, buf.p, buf.n);
   mt_buf_free (&buf);
   return ok;
}

static const char *text_of (MtArena *a, MtStr s) { return s.p ? mt_strndup (a, s.p, s.n) : NULL; }

static bool spec_of (MtArena *a, const MtBindEnv *env, const MtStmt *s, Spec *out, MtError *err)
{
   *out = (Spec) {.name = s->create_function.name.text,
                  .language = s->create_function.language.text,
                  .body = text_of (a, s->create_function.body),
                  .symbol = text_of (a, s->create_function.symbol),
                  .volatility = s->create_function.volatility,
                  .body_span = s->create_function.body_span,
                  .body_at = s->create_function.body_at};
   if (!s->create_function.strict)
      out->flags |= MT_F_NOT_STRICT;
   if (s->create_function.volatility == 0 && out->language && mt_ieq (out->language, "c"))
      out->flags |= MT_F_VOLATILE;
   if (s->create_function.volatility == 1)
      out->flags |= MT_F_STABLE;
   if (!out->language)
      return mt_error_at (err, s->span, MT_E_INVALID_DEFINITION, "no language specified");
   if (!out->body)
      return mt_error_at (err, s->span, MT_E_INVALID_DEFINITION, "no function body specified");
   return signature_of (a, env, s, out, err);
}

/* ---- LANGUAGE sql ---- */

/* Moves the position of an error from the function's body to the statement's text, if the position
 * is known. */
static void place_in_body (const Spec *spec, MtError *err)
{
   if (spec->body_at >= 0 && err->span.start >= 0)
      err->span.start += spec->body_at;
   else
      err->span = spec->body_span;
}

static bool run_nothing (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out,
                         MtError *err)
{
   *out = (MtVals) {0};
   return true;
}

static bool wrong_result (const MtSig *sig, const char *detail, MtError *err)
{
   char copy[256];
   snprintf (copy, sizeof copy, "%s", detail);
   mt_error_clear (err);
   mt_error (err, MT_E_FUNCTION_DEFINITION,
             "return type mismatch in function declared to return %s",
             mt_type_info (sig->ret)->display);
   return mt_error_detail (err, "%s", copy);
}

/* Checks the SQL body of a function by analyzing it with placeholders for its arguments. */
static bool check_sql (MtArena *a, const MtBindEnv *env, const Spec *spec, const MtFunc *f,
                       const MtSig *sig, MtError *err)
{
   MtBindEnv dry = *env;
   MtBinder b = mt_binder_new (a, &dry, err);
   MtX *args[MT_SIG_MAX_ARGS], *x;
   MtExpr *body;
   bool reads;
   dry.run = env->run ? run_nothing : NULL;
   dry.params = NULL;
   bool ok = mt_func_body (a, f->sql, &body, &reads, err);
   if (!ok && mt_error_is (err, MT_E_FUNCTION_DEFINITION))
      return wrong_result (sig, err->detail, err);
   for (int i = 0; i < sig->argc; i++) {
      args[i] = reads ? mt_x_null (a, mt_type (sig->args[i]), MT_NO_SPAN)
                      : mt_x_new (a, MT_X_COLUMN, mt_type (sig->args[i]), MT_NO_SPAN);
      args[i]->column = reads ? args[i]->column : i;
   }
   MtScope s = {
      .clause = MT_CLAUSE_FUNCTION, .params = args, .param_count = sig->argc, .param_sig = sig};
   if (!ok || !mt_bind_x (&b, &s, body, &x)) {
      place_in_body (spec, err);
      return false;
   }
   if (x->is_volatile && spec->volatility) {
      mt_error_at (err, spec->body_span, MT_E_FEATURE,
                   "a function declared %s whose body is volatile is not supported",
                   spec->volatility == 1 ? "STABLE" : "IMMUTABLE");
      return mt_error_hint (err, "Declare the function VOLATILE.");
   }
   if (mt_coerce (&b, x, mt_type (sig->ret), MT_COERCE_ASSIGN, &x))
      return true;
   return wrong_result (
      sig, mt_printf (a, "Actual return type is %s.", mt_type_info (x->type.id)->display), err);
}

/* ---- LANGUAGE mql ---- */

static bool numbered (MtArena *a, const MtSig *sig, MtVal v, MtVal *out, MtError *err);

static bool numbered_members (MtArena *a, const MtSig *sig, MtVal v, MtVal *out, MtError *err)
{
   size_t n = mt_doc_count (v), i = 0;
   MtStr *keys = MT_NEW_N (a, MtStr, n + 1);
   MtVal *vals = MT_NEW_N (a, MtVal, n + 1);
   for (MtDocIter it = mt_doc_iter (v); i < n && mt_doc_next (&it, &keys[i], &vals[i]); i++)
      if (!mt_str_is (keys[i], "$literal") && !numbered (a, sig, vals[i], &vals[i], err))
         return false;
   return v.type == MT_DOC ? mt_v_make_doc (a, keys, vals, i, out, err)
                           : mt_v_make_array (a, vals, i, out, err);
}

/* Replaces a string "$name" in the MQL template, where `name` is a parameter, by "$n" with the
 * parameter's number. Only whole strings are replaced, and no keys. */
static bool numbered (MtArena *a, const MtSig *sig, MtVal v, MtVal *out, MtError *err)
{
   *out = v;
   if (v.type == MT_DOC || v.type == MT_ARRAY)
      return numbered_members (a, sig, v, out, err);
   for (int i = 0; i < sig->argc && v.type == MT_STRING && v.len > 1 && *v.p == '$'; i++)
      if (sig->arg_names[i].n &&
          mt_str_eq ((MtStr) {(const char *) v.p + 1, v.len - 1}, sig->arg_names[i])) {
         const char *hole = mt_printf (a, "$%d", i + 1);
         *out = mt_v_cstr (hole);
         break;
      }
   return true;
}

static bool check_holes (const bson_iter_t *at, int argc, int depth, MtError *err)
{
   bson_iter_t it = *at, child;
   if (depth > MT_MAX_BSON_DEPTH)
      return mt_error (err, MT_E_LIMIT, "a document may be nested %d levels deep",
                       MT_MAX_BSON_DEPTH);
   while (bson_iter_next (&it)) {
      if (strcmp (bson_iter_key (&it), "$literal") == 0)
         continue;
      if (BSON_ITER_HOLDS_UTF8 (&it)) {
         const char *s = bson_iter_utf8 (&it, NULL);
         bool number = s[0] == '$' && s[1] && strspn (s + 1, "0123456789") == strlen (s + 1);
         if (number && (atoi (s + 1) < 1 || atoi (s + 1) > argc))
            return mt_error (err, MT_E_UNDEFINED_PARAMETER, "there is no parameter %s", s);
         if (s[0] == '$' && !number && strcmp (s, "$*") &&
             (s[1] != '$' || strncmp (s, "$$ROOT", 6) == 0 || strncmp (s, "$$CURRENT", 9) == 0)) {
            mt_error (err, MT_E_INVALID_DEFINITION, "template refers to a field \"%s\"", s + 1);
            return mt_error_hint (
               err,
               "A template may refer to its arguments only: $1, $2 …, or $*. Put other text into "
               "$literal.");
         }
      } else if (bson_iter_recurse (&it, &child) && !check_holes (&child, argc, depth + 1, err))
         return false;
   }
   return true;
}

static bool is_volatile (MtVal v)
{
   static const char *const names[] = {"$rand", "$sampleRate", "$function"};
   MtStr key;
   MtVal e;
   bool found = false;
   for (MtDocIter it = mt_doc_iter (v); !found && mt_doc_next (&it, &key, &e);) {
      for (size_t i = 0; i < sizeof names / sizeof *names && v.type == MT_DOC; i++)
         found |= mt_str_is (key, names[i]);
      found = found || (!mt_str_is (key, "$literal") && is_volatile (e));
   }
   return found;
}

/* Returns the MQL template v as canonical extended JSON. */
static const char *canonical_text (MtArena *a, MtVal v)
{
   MtBuf b = {0};
   mt_v_to_json (v, true, &b);
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

static bool make_mql (MtArena *a, const Spec *spec, const MtSig *sig, MtFunc *f, MtError *err)
{
   MtVal v, wrapped;
   bson_t view;
   bson_iter_t it;
   MtStr none = {"", 0};
   if (!mt_mongosh_read (a, mt_str (spec->body), &v, err)) {
      place_in_body (spec, err);
      return false;
   }
   if (!numbered (a, sig, v, &v, err) || !mt_v_make_doc (a, &none, &v, 1, &wrapped, err))
      return false;
   if (!bson_init_static (&view, wrapped.p, wrapped.len) || !bson_iter_init (&it, &view) ||
       !check_holes (&it, sig->argc, 0, err)) {
      err->span = spec->body_span;
      return false;
   }
   f->mql = canonical_text (a, v);
   f->here = mt_template_read (a, f);
   if (spec->volatility == 0 && is_volatile (wrapped))
      f->flags |= MT_F_VOLATILE;
   return true;
}

/* ---- LANGUAGE c ---- */

static bool link_c (MtArena *a, const Spec *spec, MtFunc *f, MtError *err)
{
   const char *symbol = spec->symbol ? spec->symbol : spec->name;
   if (mt_module_link (a, spec->body, symbol, f, err))
      return true;
   err->span = spec->body_span;
   return false;
}

/* ---- making functions ---- */

/* Makes function *out from `spec`. Checks the body of a new SQL function. The body of a function
 * from the catalog is not checked: it may call functions that are missing now, which its calls will
 * report. */
static bool make (MtArena *a, const MtBindEnv *env, const Spec *spec, const MtFunc **out,
                  MtError *err)
{
   MtFunc *f = MT_NEW (a, MtFunc);
   MtSig sig;
   *f = (MtFunc) {.name = spec->name,
                  .signature = spec->signature,
                  .flags = spec->flags | MT_F_INFINITE,
                  .defaults = spec->defaults,
                  .summary = ""};
   if (!mt_sig_parse (f->name, f->signature, f->flags, &sig))
      return mt_error (err, MT_E_CORRUPT, "function \"%s\" has a signature that can't be read: %s",
                       spec->name, spec->signature);
   sig.fn = f;
   if (mt_ieq (spec->language, "sql")) {
      f->sql = spec->body;
      f->flags |= spec->volatility == 0 ? MT_F_SEES : 0;
      if (spec->fresh && !check_sql (a, env, spec, f, &sig, err))
         return false;
   } else if (mt_ieq (spec->language, "mql")) {
      if (!make_mql (a, spec, &sig, f, err))
         return false;
   } else if (mt_ieq (spec->language, "c")) {
      if (!spec->allow_c && !mt_extension_is_bundled (spec->body))
         return mt_error_at (err, spec->body_span, MT_E_PRIVILEGE,
                             "permission denied for language c");
      if (!link_c (a, spec, f, err))
         return false;
   } else {
      mt_error (err, MT_E_UNDEFINED_OBJECT, "language \"%s\" does not exist", spec->language);
      return mt_error_hint (err, "Languages are sql, mql and c.");
   }
   *out = f;
   return true;
}

bool mt_func_from_create (MtArena *a, const MtBindEnv *env, const MtStmt *create, bool allow_c,
                          const MtFunc **out, MtError *err)
{
   Spec spec;
   if (!spec_of (a, env, create, &spec, err))
      return false;
   spec.fresh = true;
   spec.allow_c = allow_c;
   return make (a, env, &spec, out, err);
}

static void append_defaults (const char **defaults, bson_t *out)
{
   bson_t list;
   int last = MT_SIG_MAX_ARGS;
   while (!defaults[last - 1])
      last--;
   mt_array_begin (out, "defaults", &list);
   for (int i = 0; i < last; i++)
      mt_doc_push (&list, defaults[i] ? mt_v_cstr (defaults[i]) : mt_v_null ());
   mt_array_end (out, &list);
}

bool mt_func_to_bson (const MtBindEnv *env, const MtStmt *create, bson_t *out, MtError *err)
{
   MtArena *a = mt_arena_new ("function", NULL);
   Spec spec;
   bool ok = spec_of (a, env, create, &spec, err);
   if (ok) {
      mt_doc_printf (out, "name: %s, signature: %s, language: %s, body: %s", spec.name,
                     spec.signature, spec.language, spec.body);
      if (spec.symbol)
         mt_doc_add_text (out, "symbol", spec.symbol);
      mt_doc_printf (out, "flags: %d, volatility: %d", (int) spec.flags, spec.volatility);
      if (spec.defaults)
         append_defaults (spec.defaults, out);
   }
   mt_arena_free (a);
   return ok;
}

static const char *field (MtArena *a, const bson_t *doc, const char *name)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, doc, name) && BSON_ITER_HOLDS_UTF8 (&it)
             ? mt_strdup (a, bson_iter_utf8 (&it, NULL))
             : NULL;
}

static const char **read_defaults (MtArena *a, const bson_t *doc)
{
   bson_iter_t it, each;
   if (!bson_iter_init_find (&it, doc, "defaults") || !BSON_ITER_HOLDS_ARRAY (&it) ||
       !bson_iter_recurse (&it, &each))
      return NULL;
   const char **list = MT_NEW_N (a, const char *, MT_SIG_MAX_ARGS);
   for (int i = 0; i < MT_SIG_MAX_ARGS && bson_iter_next (&each); i++)
      list[i] = BSON_ITER_HOLDS_UTF8 (&each) ? mt_strdup (a, bson_iter_utf8 (&each, NULL)) : NULL;
   return list;
}

static int number_field (const bson_t *doc, const char *name, int otherwise)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, doc, name) && BSON_ITER_HOLDS_NUMBER (&it)
             ? (int) bson_iter_as_int64 (&it)
             : otherwise;
}

static bool spec_from_bson (MtArena *a, const bson_t *doc, Spec *out, MtError *err)
{
   *out = (Spec) {.name = field (a, doc, "name"),
                  .signature = field (a, doc, "signature"),
                  .language = field (a, doc, "language"),
                  .body = field (a, doc, "body"),
                  .symbol = field (a, doc, "symbol"),
                  .defaults = read_defaults (a, doc),
                  .body_span = MT_NO_SPAN,
                  .body_at = -1};
   if (!out->name || !out->signature || !out->language || !out->body)
      return mt_error (err, MT_E_CORRUPT, "a function's document in the catalog is damaged");
   out->flags = (unsigned) number_field (doc, "flags", MT_F_NOT_STRICT) &
                (MT_F_NOT_STRICT | MT_F_VOLATILE | MT_F_STABLE);
   out->volatility = number_field (doc, "volatility", out->flags & MT_F_STABLE ? 1 : 0);
   return true;
}

bool mt_func_from_bson (MtArena *a, const MtBindEnv *env, const bson_t *doc, bool allow_c,
                        const MtFunc **out, MtError *err)
{
   Spec spec;
   if (!spec_from_bson (a, doc, &spec, err))
      return false;
   spec.allow_c = allow_c;
   return make (a, env, &spec, out, err);
}

/* ---- CREATE FUNCTION as text ---- */

static void print_word (const char *word, MtBuf *out)
{
   size_t n = strlen (word);
   bool plain = !mt_keyword_restricted (word, n) && !(word[0] >= '0' && word[0] <= '9') &&
                strspn (word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                   n;
   mt_buf_printf (out, plain ? "%s" : "\"%s\"", word);
}

static void print_parameters (const MtSig *sig, const char *const *defaults, MtBuf *out)
{
   for (int i = 0; i < sig->argc; i++) {
      mt_buf_printf (out, "%s%.*s%s%s", i ? ", " : "", (int) sig->arg_names[i].n,
                     sig->arg_names[i].n ? sig->arg_names[i].p : "", sig->arg_names[i].n ? " " : "",
                     mt_type_info (sig->args[i])->display);
      if (defaults && defaults[i])
         mt_buf_printf (out, " DEFAULT %s", defaults[i]);
   }
}

bool mt_func_definition (MtArena *a, const bson_t *doc, const char **out, MtError *err)
{
   static const char *const volatility[] = {"", " STABLE", " IMMUTABLE"};
   Spec spec;
   MtSig sig;
   MtBuf b = {0};
   const char *tag = "function";
   if (!spec_from_bson (a, doc, &spec, err) ||
       !mt_sig_parse (spec.name, spec.signature, spec.flags, &sig))
      return mt_error (err, MT_E_CORRUPT, "a function's document in the catalog is damaged");
   while (strstr (spec.body, mt_printf (a, "$%s$", tag)))
      tag = mt_printf (a, "%sx", tag);
   mt_buf_adds (&b, "CREATE OR REPLACE FUNCTION ");
   print_word (spec.name, &b);
   mt_buf_addc (&b, '(');
   print_parameters (&sig, spec.defaults, &b);
   mt_buf_printf (&b, ")\n RETURNS %s\n LANGUAGE %s\n", mt_type_info (sig.ret)->display,
                  spec.language);
   const char *how = volatility[spec.volatility < 0 || spec.volatility > 2 ? 0 : spec.volatility],
              *strict = spec.flags & MT_F_NOT_STRICT ? "" : " STRICT";
   if (*how || *strict)
      mt_buf_printf (&b, "%s%s\n", how, strict);
   mt_buf_printf (&b, "AS $%s$%s$%s$", tag, spec.body, tag);
   if (spec.symbol)
      mt_buf_printf (&b, ", $%s$%s$%s$", tag, spec.symbol, tag);
   mt_buf_addc (&b, '\n');
   *out = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return true;
}
