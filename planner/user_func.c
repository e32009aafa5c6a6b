/* Functions from outside: rows made from CREATE FUNCTION and from shared libraries. */
#include "planner/user_func.h"

#include "mtsql_ext.h" /* the border that extensions are built against; depends on engine/local/op.h alone */
#include "parser/parser.h"
#include "planner/bind_int.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What CREATE FUNCTION says, in a form that comes from a statement or from the catalog. */
typedef struct Spec {
   const char *name, *signature, *language, *body, *symbol;
   unsigned flags;
   MtSpan body_span;
} Spec;

/* ---- from a statement ---- */

static bool signature_of (MtArena *a, const MtStmt *s, const char **out, MtError *err)
{
   MtBindEnv env = {0};
   MtBinder b = {.a = a, .env = &env, .err = err};
   MtBuf buf = {0};
   MtType t;
   int n = 0;
   bool ok = true;
   for (const MtFunctionArg *arg = s->create_function.args; arg && ok; arg = arg->next, n++) {
      if (arg->default_value)
         ok = mt_refuse (&b, arg->type->span, "a default of a parameter is");
      else if (n >= MT_SIG_MAX_ARGS)
         ok = mt_error_at (err, arg->type->span, "54023", "functions cannot have more than %d arguments", MT_SIG_MAX_ARGS);
      else if ((ok = mt_resolve_type (&b, arg->type, &t)))
         mt_buf_printf (&buf, "%s%s%s%s", n ? ", " : "", arg->name.text ? arg->name.text : "", arg->name.text ? " " : "", mt_type_info (t.id)->name);
   }
   if (ok && !s->create_function.returns)
      ok = mt_error_at (err, s->span, MT_E_INVALID_DEFINITION, "function result type must be specified");
   if (ok && (ok = mt_resolve_type (&b, s->create_function.returns, &t)))
      mt_buf_printf (&buf, "%s-> %s", n ? " " : "", mt_type_info (t.id)->name);
   if (ok)
      *out = mt_strndup (a, buf.p, buf.n);
   mt_buf_free (&buf);
   return ok;
}

static const char *text_of (MtArena *a, MtStr s)
{
   return s.p ? mt_strndup (a, s.p, s.n) : NULL;
}

static bool spec_of (MtArena *a, const MtStmt *s, Spec *out, MtError *err)
{
   *out = (Spec){.name = s->create_function.name.text, .language = s->create_function.language.text, .body = text_of (a, s->create_function.body),
                 .symbol = text_of (a, s->create_function.symbol), .body_span = s->create_function.body_span};
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
   return signature_of (a, s, &out->signature, err);
}

/* ---- LANGUAGE sql ---- */

/* "SELECT x" is the expression x. */
static const char *sql_expression (MtArena *a, const char *body)
{
   size_t n = strlen (body);
   while (n && strchr (" \t\r\n;", body[n - 1]))
      n--;
   const char *p = body;
   while (p < body + n && strchr (" \t\r\n", *p))
      p++;
   if (body + n - p > 7 && strncasecmp (p, "select", 6) == 0 && strchr (" \t\r\n(", p[6]))
      p += 6;
   return mt_strndup (a, p, (size_t) (body + n - p));
}

static bool check_sql (MtArena *a, const MtBindEnv *env, const Spec *spec, MtFunc *f, const MtSig *sig, MtError *err)
{
   MtBinder b = {.a = a, .env = env, .err = err};
   MtX *args[MT_SIG_MAX_ARGS], *x;
   MtExpr *body;
   for (int i = 0; i < sig->argc; i++) { /* stand-ins that are no constants */
      args[i] = mt_x_new (a, MT_X_COLUMN, mt_type (sig->args[i]), MT_NO_SPAN);
      args[i]->column = i;
   }
   MtScope s = {.clause = MT_CLAUSE_FUNCTION, .params = args, .param_count = sig->argc, .param_sig = sig};
   bool ok = mt_parse_expr (a, f->sql, strlen (f->sql), &body, err) && mt_bind_x (&b, &s, body, &x) && mt_coerce (&b, x, mt_type (sig->ret), MT_COERCE_ASSIGN, &x);
   if (!ok)
      err->span = spec->body_span;
   return ok;
}

/* ---- LANGUAGE mql ---- */

/* "$name" of a named argument becomes its "$n": where it stands as a whole string and isn't a key. */
static const char *number_holes (MtArena *a, const char *body, const MtSig *sig)
{
   MtBuf out = {0};
   for (const char *p = body; *p;) {
      bool replaced = false;
      for (int i = 0; i < sig->argc && p[0] == '"' && p[1] == '$' && !replaced; i++) {
         MtStr name = sig->arg_names[i];
         const char *end = p + 2 + name.n;
         if (!name.n || strncmp (p + 2, name.p, name.n) || *end != '"' || end[1 + strspn (end + 1, " \t\r\n")] == ':')
            continue;
         mt_buf_printf (&out, "\"$%d\"", i + 1);
         p = end + 1;
         replaced = true;
      }
      if (replaced)
         continue;
      if (*p == '"') { /* another string, whole */
         const char *end = p + 1;
         while (*end && *end != '"')
            end += *end == '\\' && end[1] ? 2 : 1;
         mt_buf_add (&out, p, (size_t) (end - p) + (*end != 0));
         p = end + (*end != 0);
      } else {
         mt_buf_addc (&out, *p++);
      }
   }
   const char *text = mt_strndup (a, out.p, out.n);
   mt_buf_free (&out);
   return text;
}

static bool check_holes (const bson_iter_t *at, int argc, int depth, MtError *err)
{
   bson_iter_t it = *at, child;
   if (depth > MT_MAX_BSON_DEPTH)
      return mt_error (err, MT_E_LIMIT, "a document may be nested %d levels deep", MT_MAX_BSON_DEPTH);
   while (bson_iter_next (&it)) {
      if (BSON_ITER_HOLDS_UTF8 (&it)) {
         const char *s = bson_iter_utf8 (&it, NULL);
         if (s[0] == '$' && s[1] && strspn (s + 1, "0123456789") == strlen (s + 1) && (atoi (s + 1) < 1 || atoi (s + 1) > argc))
            return mt_error (err, "42P02", "there is no parameter %s", s);
         if (s[0] == '$' && s[1] != '$' && strcmp (s, "$*") && !(s[1] >= '0' && s[1] <= '9')) {
            mt_error (err, MT_E_INVALID_DEFINITION, "template refers to a field \"%s\"", s + 1);
            return mt_error_hint (err, "A template may use its arguments only ($1, $2 …, or $* for all); put other text into $literal.");
         }
      } else if (bson_iter_recurse (&it, &child) && strcmp (bson_iter_key (&it), "$literal") && !check_holes (&child, argc, depth + 1, err))
         return false;
   }
   return true;
}

static bool check_mql (MtArena *a, const Spec *spec, const MtSig *sig, MtError *err)
{
   bson_error_t why;
   bson_iter_t it;
   bson_t *b = bson_new_from_json ((const uint8_t *) mt_printf (a, "{\"\": %s}", spec->body), -1, &why);
   if (!b)
      return mt_error_at (err, spec->body_span, MT_E_INVALID_DEFINITION, "template is not valid extended JSON: %s", why.message);
   bool ok = bson_iter_init (&it, b) && check_holes (&it, sig->argc, 0, err);
   bson_destroy (b);
   if (!ok)
      err->span = spec->body_span;
   return ok;
}

/* ---- LANGUAGE c ---- */

static void close_library (void *handle)
{
   dlclose (handle);
}

static bool open_module (MtArena *a, const char *file, const MtModule **out, MtError *err)
{
   void *h = dlopen (file, RTLD_NOW | RTLD_LOCAL);
   if (!h)
      return mt_error (err, MT_E_UNDEFINED_FILE, "could not load library \"%s\": %s", file, dlerror ());
   mt_arena_defer (a, close_library, h);
   const MtModule *m = dlsym (h, "mt_module");
   if (!m) {
      mt_error (err, MT_E_INVALID_DEFINITION, "library \"%s\" is not an extension of mtsql", file);
      return mt_error_hint (err, "Extensions export mt_module: see include/mtsql_ext.h.");
   }
   if (m->abi_major != MT_EXT_ABI_MAJOR || m->abi_minor > MT_EXT_ABI_MINOR || m->size < offsetof (MtModule, functions) + sizeof m->functions)
      return mt_error (err, MT_E_INVALID_DEFINITION, "library \"%s\" was built for version %d.%d of the extension interface, this is %d.%d", file, m->abi_major,
                       m->abi_minor, MT_EXT_ABI_MAJOR, MT_EXT_ABI_MINOR);
   *out = m;
   return true;
}

static unsigned ext_flags (unsigned f)
{
   return (f & MT_EXT_NOT_STRICT ? MT_F_NOT_STRICT : 0) | (f & MT_EXT_NEVER_NULL ? MT_F_NEVER_NULL : 0) | (f & MT_EXT_STABLE ? MT_F_STABLE : 0) |
          (f & MT_EXT_VOLATILE ? MT_F_VOLATILE : 0);
}

/* The operator keeps the strictness itself: engines call it without knowing SQL. */
typedef struct Guard {
   MtOpFn fn;
   bool strict;
} Guard;

static bool guarded (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const Guard *g = ev->user;
   for (int i = 0; g->strict && i < argc; i++)
      if (mt_is_nullish (args[i])) {
         *out = mt_v_null ();
         return true;
      }
   return g->fn (ev, args, argc, out);
}

static MtOpRow *make_op (MtArena *a, const char *name, const MtExtFunction *e, bool strict)
{
   MtOpRow *op = MT_NEW (a, MtOpRow);
   Guard *g = MT_NEW (a, Guard);
   *g = (Guard){e->fn, strict};
   *op = (MtOpRow){.name = name, .min_args = 0, .max_args = -1, .flags = e->flags & MT_EXT_VOLATILE ? 0 : MT_OP_FOLD, .fn = guarded, .summary = e->doc, .user = g};
   return op;
}

static const MtExtFunction *find_symbol (const MtModule *m, const char *name)
{
   for (const MtExtFunction *e = m->functions; e && e->name; e++)
      if (strcmp (e->name, name) == 0)
         return e;
   return NULL;
}

static bool link_c (MtArena *a, const Spec *spec, MtFunc *f, MtError *err)
{
   const MtModule *m;
   const char *symbol = spec->symbol ? spec->symbol : spec->name;
   if (!open_module (a, spec->body, &m, err)) {
      err->span = spec->body_span;
      return false;
   }
   const MtExtFunction *e = find_symbol (m, symbol);
   if (!e)
      return mt_error_at (err, spec->body_span, MT_E_UNDEFINED_FUNCTION, "could not find function \"%s\" in library \"%s\"", symbol, spec->body);
   f->op = make_op (a, mt_printf (a, "$_mt_user_%s", spec->name), e, !(f->flags & MT_F_NOT_STRICT));
   f->summary = e->doc;
   return true;
}

/* ---- rows ---- */

static bool make (MtArena *a, const MtBindEnv *env, const Spec *spec, bool allow_c, const MtFunc **out, MtError *err)
{
   MtFunc *f = MT_NEW (a, MtFunc);
   MtSig sig;
   *f = (MtFunc){.name = spec->name, .signature = spec->signature, .flags = spec->flags, .summary = ""};
   if (!mt_sig_parse (f->name, f->signature, f->flags, &sig))
      return mt_error (err, MT_E_CORRUPT, "function \"%s\" has a signature that can't be read: %s", spec->name, spec->signature);
   sig.fn = f;
   if (mt_ieq (spec->language, "sql")) {
      f->sql = sql_expression (a, spec->body);
      if (!check_sql (a, env, spec, f, &sig, err))
         return false;
   } else if (mt_ieq (spec->language, "mql")) {
      Spec numbered = *spec;
      numbered.body = f->mql = number_holes (a, spec->body, &sig);
      if (!check_mql (a, &numbered, &sig, err))
         return false;
   } else if (mt_ieq (spec->language, "c")) {
      if (!allow_c)
         return mt_error_at (err, spec->body_span, "42501", "permission denied for language c");
      if (!link_c (a, spec, f, err))
         return false;
   } else {
      mt_error (err, MT_E_UNDEFINED_OBJECT, "language \"%s\" does not exist", spec->language);
      return mt_error_hint (err, "Languages are sql, mql and c.");
   }
   *out = f;
   return true;
}

bool mt_func_from_create (MtArena *a, const MtBindEnv *env, const MtStmt *create, bool allow_c, const MtFunc **out, MtError *err)
{
   Spec spec;
   return spec_of (a, create, &spec, err) && make (a, env, &spec, allow_c, out, err);
}

bool mt_func_to_bson (const MtStmt *create, bson_t *out, MtError *err)
{
   MtArena *a = mt_arena_new ("function", NULL);
   Spec spec;
   bool ok = spec_of (a, create, &spec, err);
   if (ok) {
      BSON_APPEND_UTF8 (out, "name", spec.name);
      BSON_APPEND_UTF8 (out, "signature", spec.signature);
      BSON_APPEND_UTF8 (out, "language", spec.language);
      BSON_APPEND_UTF8 (out, "body", spec.body);
      if (spec.symbol)
         BSON_APPEND_UTF8 (out, "symbol", spec.symbol);
      BSON_APPEND_INT32 (out, "flags", (int32_t) spec.flags);
   }
   mt_arena_free (a);
   return ok;
}

static const char *field (MtArena *a, const bson_t *doc, const char *name)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, doc, name) && BSON_ITER_HOLDS_UTF8 (&it) ? mt_strdup (a, bson_iter_utf8 (&it, NULL)) : NULL;
}

bool mt_func_from_bson (MtArena *a, const MtBindEnv *env, const bson_t *doc, bool allow_c, const MtFunc **out, MtError *err)
{
   bson_iter_t it;
   Spec spec = {.name = field (a, doc, "name"), .signature = field (a, doc, "signature"), .language = field (a, doc, "language"),
                .body = field (a, doc, "body"), .symbol = field (a, doc, "symbol"), .body_span = MT_NO_SPAN};
   if (!spec.name || !spec.signature || !spec.language || !spec.body)
      return mt_error (err, MT_E_CORRUPT, "a function's document in the catalog is damaged");
   if (bson_iter_init_find (&it, doc, "flags") && BSON_ITER_HOLDS_NUMBER (&it))
      spec.flags = (unsigned) bson_iter_as_int64 (&it) & (MT_F_NOT_STRICT | MT_F_VOLATILE | MT_F_STABLE);
   return make (a, env, &spec, allow_c, out, err);
}

bool mt_module_load (MtArena *a, const char *file, const MtFunc *const **functions, size_t *count, MtError *err)
{
   const MtModule *m;
   size_t n = 0, i = 0;
   MtSig sig;
   if (!open_module (a, file, &m, err))
      return false;
   for (const MtExtFunction *e = m->functions; e && e->name; e++)
      n++;
   const MtFunc **list = MT_NEW_N (a, const MtFunc *, n + 1);
   for (const MtExtFunction *e = m->functions; e && e->name; e++) {
      MtFunc *f = MT_NEW (a, MtFunc);
      *f = (MtFunc){.name = e->name, .signature = e->signature, .flags = ext_flags (e->flags), .summary = e->doc, .example = e->example};
      if (!e->fn || !e->signature || !mt_sig_parse (e->name, e->signature, f->flags, &sig))
         return mt_error (err, MT_E_INVALID_DEFINITION, "function \"%s\" of library \"%s\" has a signature that can't be read", e->name, file);
      f->op = make_op (a, mt_printf (a, "$_mt_%s_%s", m->name ? m->name : "ext", e->name), e, !(f->flags & MT_F_NOT_STRICT));
      list[i++] = f;
   }
   *functions = list;
   *count = n;
   return true;
}
