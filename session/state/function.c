/* CREATE FUNCTION, DROP FUNCTION. A function is identified by its name and the types of its
 * arguments. */
#include "engine/pipe.h"
#include "functions/signature.h"
#include "analyze/routines/module.h"
#include "analyze/routines/user_func.h"
#include "query/window.h"
#include "session/state/session.h"

#include <string.h>

/* The user-defined functions of a session. They are read from the catalog again when it has
 * changed. */
typedef struct MtUserFunctions {
   MtArena *arena; /* of the functions from the catalog */
   const MtFunc **list;
   size_t count;
   /* hash of the catalog's functions and the version of the extensions' lists when `list` was
    * made */
   uint64_t fingerprint;
   size_t registered; /* extensions whose operators the engine has */
} MtUserFunctions;

static uint64_t fingerprint (const MtCatalogObject *items, size_t n)
{
   uint64_t h = n;
   for (size_t i = 0; i < n; i++)
      h = mt_v_hash (mt_v_doc (items[i].body), h + 1);
   return h;
}

static void remake (MtSession *s, MtUserFunctions *u, const MtCatalogObject *items, size_t n)
{
   size_t loaded_count;
   const MtFunc *const *loaded = mt_extension_functions (s, &loaded_count);
   if (!u->arena)
      u->arena = mt_arena_new ("functions", s->arena);
   mt_arena_reset (u->arena);
   u->list = MT_NEW_N (u->arena, const MtFunc *, n + loaded_count + 1);
   u->count = 0;
   MtBindEnv env = {
      .style = {.zone = s->settings.zone, .extra_float_digits = s->settings.extra_float_digits}};
   env.user_aggregates = mt_extension_aggregates (s, &env.user_aggregate_count);
   for (size_t i = 0; i < n; i++) {
      MtError why;
      const MtFunc *f;
      env.user_functions = u->list;
      env.user_function_count = u->count;
      if (mt_func_from_bson (u->arena, &env, items[i].body, !s->options.restricted, &f, &why))
         u->list[u->count++] = f;
      else
         mt_notice (s, "WARNING", NULL, "function \"%s\" of the catalog cannot be used: %s",
                    items[i].name, why.message);
   }
   for (size_t i = 0; i < loaded_count; i++)
      u->list[u->count++] = loaded[i];
}

/* Registers the operators of loaded extensions in the engine, so that pipelines can call them for
 * each row. */
static void register_ops (MtSession *s, MtUserFunctions *u)
{
   MtError err;
   const MtOpRow *rows;
   while ((rows = mt_module_ops (u->registered)) && mt_engine_register_ops (s->engine, rows, &err))
      u->registered++;
}

void mt_set_routines (MtSession *s, MtBindEnv *env)
{
   if (!s->functions)
      s->functions = MT_NEW (s->arena, MtUserFunctions);
   MtUserFunctions *u = s->functions;
   size_t n;
   mt_extensions_sync (s);
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "function", &n);
   env->user_aggregates = mt_extension_aggregates (s, &env->user_aggregate_count);
   uint64_t now = fingerprint (items, n) + mt_extensions_version (s);
   if (now != u->fingerprint || !u->list) {
      remake (s, u, items, n);
      u->fingerprint = now;
   }
   register_ops (s, u);
   env->user_functions = u->list;
   env->user_function_count = u->count;
   env->unusable_extension = mt_extension_unusable (s);
}

/* ---- finding a function ---- */

/* Returns "f(integer, text)", with `comma` between the types, in arena a. */
static const char *name_with_types (MtArena *a, const char *name, const MtTypeId *types, int n,
                                    const char *comma)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "%s(", name);
   for (int i = 0; i < n; i++)
      mt_buf_printf (&b, "%s%s", i ? comma : "", mt_sig_type_name (types[i]));
   mt_buf_addc (&b, ')');
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

static bool has_arguments (const MtSig *s, const MtTypeId *types, int n)
{
   if (s->argc != n)
      return false;
   for (int i = 0; i < n; i++)
      if (s->args[i] != types[i])
         return false;
   return true;
}

static bool item_sig (const MtCatalogObject *o, MtSig *sig)
{
   return mt_sig_parse (mt_field_text (o->body, "name"), mt_field_text (o->body, "signature"), 0,
                        sig);
}

/* Returns how many functions in the catalog have the name. *out and *sig: the function that also
 * has these argument types (types NULL: the first function); *out NULL: there is none. */
static int find_items (MtSession *s, const char *name, const MtTypeId *types, int argc,
                       const MtCatalogObject **out, MtSig *sig)
{
   size_t n;
   int of_name = 0;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "function", &n);
   *out = NULL;
   for (size_t i = 0; i < n; i++) {
      MtSig one;
      if (!item_sig (&items[i], &one) || !mt_ieq (one.name, name))
         continue;
      of_name++;
      if (!*out && (!types || has_arguments (&one, types, argc))) {
         *out = &items[i];
         *sig = one;
      }
   }
   return of_name;
}

/* Returns whether a built-in function has this name and these argument types, or an aggregate has
 * this name. */
static bool has_builtin (const MtBindEnv *env, const char *name, const MtTypeId *types, int argc)
{
   MtArena *a = mt_arena_new ("names", NULL);
   int count, aggs;
   const MtSig **sigs = mt_sigs_by_name (a, NULL, name, 0, &count);
   bool found = false;
   mt_agg_sigs_by_name (a, env, name, &aggs);
   for (int i = 0; i < count && !found; i++)
      found = mt_visible_args (sigs[i]) == argc &&
              memcmp (sigs[i]->args, types, (size_t) argc * sizeof *types) == 0;
   mt_arena_free (a);
   return found || aggs || mt_is_window_function (name);
}

/* ---- CREATE FUNCTION ---- */

static bool cannot_change (MtError *err, MtArena *a, const MtSig *old, const char *what)
{
   mt_error (err, MT_E_FUNCTION_DEFINITION, "cannot %s", what);
   return mt_error_hint (err, "Use DROP FUNCTION %s first.",
                         name_with_types (a, old->name, old->args, old->argc, ","));
}

static int default_count (const bson_t *doc)
{
   bson_iter_t it;
   int n = 0;
   MtVal list = bson_iter_init_find (&it, doc, "defaults") ? mt_v_from_iter (&it) : mt_v_missing ();
   for (size_t i = 0; list.type == MT_ARRAY && i < mt_doc_count (list); i++)
      n += mt_doc_at (list, i).type == MT_STRING;
   return n;
}

/* Checks that all calls of the old function stay valid after CREATE OR REPLACE: same result type,
 * same argument names, at least as many defaults. */
static bool check_replacement (MtArena *a, const MtCatalogObject *o, const MtSig *old,
                               const MtSig *sig, const bson_t *doc, MtError *err)
{
   if (old->ret != sig->ret)
      return cannot_change (err, a, old, "change return type of existing function");
   for (int i = 0; i < sig->argc; i++)
      if (old->arg_names[i].n && !mt_str_ieq (old->arg_names[i], sig->arg_names[i]))
         return cannot_change (err, a, old,
                               mt_printf (a, "change name of input parameter \"%.*s\"",
                                          (int) old->arg_names[i].n, old->arg_names[i].p));
   return default_count (o->body) <= default_count (doc) ||
          cannot_change (err, a, old, "remove parameter defaults from existing function");
}

bool mt_run_create_function (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_function.name;
   const MtCatalogObject *existing;
   const MtFunc *f;
   MtSig sig, old;
   bson_t *doc = mt_doc_new (st->arena);
   mt_result_set_tag (st->result, "CREATE FUNCTION");
   if (!mt_func_from_create (st->arena, &st->env, st->stmt, !s->options.restricted, &f, err) ||
       !mt_func_to_bson (&st->env, st->stmt, doc, err))
      return false;
   if (!mt_sig_parse (f->name, f->signature, f->flags, &sig))
      return mt_error (err, MT_E_INTERNAL, "function \"%s\" has no signature", f->name);
   find_items (s, name->text, sig.args, sig.argc, &existing, &old);
   if ((existing && !st->stmt->create_function.or_replace) ||
       (!existing && has_builtin (&st->env, name->text, sig.args, sig.argc)))
      return mt_error_at (err, name->span, MT_E_DUPLICATE_FUNCTION,
                          "function \"%s\" already exists with same argument types", name->text);
   if (existing && !check_replacement (st->arena, existing, &old, &sig, doc, err))
      return false;
   const char *member = existing ? mt_field_text (existing->body, "extension") : "",
              *extension = st->extension ? st->extension : member;
   if (existing && st->extension && strcmp (member, st->extension) != 0)
      return mt_error (err, MT_E_STATE, "function \"%s\" is not a member of extension \"%s\"",
                       existing->name, st->extension) ||
             mt_error_hint (err, "Drop the function first.");
   if (*extension)
      mt_doc_add_text (doc, "extension", extension);
   const char *key = existing ? mt_strdup (st->arena, existing->name)
                              : name_with_types (st->arena, name->text, sig.args, sig.argc, ", ");
   return mt_catalog_save_object (s->catalog, "function", key, doc, err);
}

/* ---- DROP FUNCTION ---- */

/* Finds the function that DROP FUNCTION names, and its name with types in *shown; *out NULL: it
 * does not exist. */
static bool find_dropped (MtStatement *st, const MtName *name, const MtDropArgs *args,
                          const char **shown, const MtCatalogObject **out, MtError *err)
{
   MtTypeId types[MT_SIG_MAX_ARGS];
   MtSig sig;
   int n = 0;
   for (const MtTypeList *t = args->types; t; t = t->next) {
      MtType type;
      if (n == MT_SIG_MAX_ARGS)
         return mt_error_at (err, t->type->span, MT_E_TOO_MANY_ARGUMENTS,
                             "functions cannot have more than %d arguments", MT_SIG_MAX_ARGS);
      if (!mt_bind_type (st->arena, &st->env, t->type, &type, err))
         return false;
      types[n++] = type.id;
   }
   *shown = name_with_types (st->arena, name->text, types, n, ", ");
   int count = find_items (st->session, name->text, args->given ? types : NULL, n, out, &sig);
   if (!args->given && count > 1) {
      mt_error_at (err, name->span, MT_E_AMBIGUOUS_FUNCTION, "function name \"%s\" is not unique",
                   name->text);
      return mt_error_hint (err, "Specify the argument list to select the function unambiguously.");
   }
   if (!*out && args->given && has_builtin (&st->env, name->text, types, n))
      return mt_error_at (err, name->span, MT_E_DEPENDENT_OBJECTS,
                          "cannot drop function %s because it is required by the database system",
                          *shown);
   return true;
}

bool mt_function_dropped (MtStatement *st, const MtName *name, const MtDropArgs *args,
                          MtDroppedFunction *out, MtError *err)
{
   const MtCatalogObject *o;
   MtSig sig;
   *out = (MtDroppedFunction) {0};
   if (!find_dropped (st, name, args, &out->shown, &o, err))
      return false;
   if (!o)
      return true;
   const char *extension = mt_field_text (o->body, "extension");
   if (*extension) {
      mt_error_at (err, name->span, MT_E_DEPENDENT_OBJECTS,
                   "cannot drop function %s because extension %s requires it", out->shown,
                   extension);
      return mt_error_hint (err, "You can drop extension %s instead.", extension);
   }
   out->key = mt_strdup (st->arena, o->name);
   if (!item_sig (o, &sig))
      return true;
   out->shown = name_with_types (st->arena, sig.name, sig.args, sig.argc, ",");
   out->name = mt_strdup (st->arena, sig.name);
   for (size_t i = 0; i < st->env.user_function_count; i++) {
      const MtFunc *f = st->env.user_functions[i];
      MtSig one;
      if (!mt_sig_parse (f->name, f->signature, f->flags, &one) || !mt_ieq (f->name, sig.name))
         continue;
      if (has_arguments (&one, sig.args, sig.argc))
         out->function = f;
   }
   return true;
}

/* ---- \sf ---- */

/* Returns whether two texts are equal if blanks, and upper or lower case, are ignored. */
static bool is_same_text (const char *s, const char *t)
{
   for (;; s++, t++) {
      s += strspn (s, " ");
      t += strspn (t, " ");
      if (!*s || strncasecmp (s, t, 1))
         return !*s && !*t;
   }
}

static bool is_named (const char *own, const char *name, size_t n)
{
   return strlen (own) == n && strncasecmp (own, name, n) == 0;
}

static bool is_builtin_name (const char *name, size_t n)
{
   size_t functions, aggregates, windows;
   const MtFunc *f = mt_builtin_functions (&functions);
   const MtAgg *g = mt_builtin_aggregates (&aggregates);
   const MtWindowFunc *w = mt_builtin_windows (&windows);
   bool found = false;
   for (size_t i = 0; i < functions && !found; i++)
      found = is_named (f[i].name, name, n);
   for (size_t i = 0; i < aggregates && !found; i++)
      found = is_named (g[i].name, name, n);
   for (size_t i = 0; i < windows && !found; i++)
      found = is_named (w[i].name, name, n);
   return found;
}

bool mt_function_definition (MtSession *s, MtArena *a, const char *name, const char **out,
                             MtError *err)
{
   MT_BEGIN_CALL (s, err);
   size_t n;
   const MtCatalogObject *items, *found = NULL;
   if (!mt_catalog_refresh (s->catalog, NULL, err))
      return false;
   items = mt_catalog_objects (s->catalog, "function", &n);
   size_t named = strcspn (name, "(");
   while (named && name[named - 1] == ' ')
      named--;
   for (size_t i = 0; i < n; i++) {
      MtSig sig;
      if (!item_sig (&items[i], &sig) || !is_named (sig.name, name, named))
         continue;
      if (name[named] &&
          !is_same_text (name_with_types (a, sig.name, sig.args, sig.argc, ","), name))
         continue;
      if (found)
         return mt_error (err, MT_E_AMBIGUOUS_FUNCTION, "more than one function named \"%s\"",
                          name);
      found = &items[i];
   }
   if (!found && is_builtin_name (name, named)) {
      mt_error (err, MT_E_WRONG_OBJECT, "function \"%s\" is built in", name);
      return mt_error_hint (err, "Functions that CREATE FUNCTION made have a definition.");
   }
   if (!found)
      return mt_error (err, MT_E_UNDEFINED_FUNCTION, "function \"%s\" does not exist", name);
   return mt_func_definition (a, found->body, out, err);
}
