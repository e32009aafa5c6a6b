/* Shared libraries with functions in C. */
#include "analyze/routines/module.h"

#include "analyze/routines/user_func.h"
#include "functions/signature.h"
#include "mtsql_ext.h" /* the border that extensions are built against; depends on engine/local/expr/op.h alone */

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static void close_library (void *handle) { dlclose (handle); }

static bool open_module (MtArena *a, const char *file, const MtModule **out, MtError *err)
{
   void *h = dlopen (file, RTLD_NOW | RTLD_LOCAL);
   if (!h)
      return mt_error (err, MT_E_UNDEFINED_FILE, "could not load library \"%s\": %s", file,
                       dlerror ());
   mt_arena_defer (a, close_library, h);
   const MtModule *m = dlsym (h, "mt_module");
   if (!m) {
      mt_error (err, MT_E_INVALID_DEFINITION, "library \"%s\" is not an extension of mtsql", file);
      return mt_error_hint (err, "Extensions export mt_module: see include/mtsql_ext.h.");
   }
   if (m->abi_major != MT_EXT_ABI_MAJOR || m->abi_minor > MT_EXT_ABI_MINOR ||
       m->size < offsetof (MtModule, functions) + sizeof m->functions)
      return mt_error (
         err, MT_E_INVALID_DEFINITION,
         "library \"%s\" was built for version %d.%d of the extension interface, this is %d.%d",
         file, m->abi_major, m->abi_minor, MT_EXT_ABI_MAJOR, MT_EXT_ABI_MINOR);
   *out = m;
   return true;
}

static unsigned ext_flags (unsigned f)
{
   return (f & MT_EXT_NOT_STRICT ? MT_F_NOT_STRICT : 0) |
          (f & MT_EXT_NEVER_NULL ? MT_F_NEVER_NULL : 0) | (f & MT_EXT_STABLE ? MT_F_STABLE : 0) |
          (f & MT_EXT_VOLATILE ? MT_F_VOLATILE : 0);
}

/* An operator that checks strictness itself, because engines don't know the rules of SQL. */
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
   *g = (Guard) {e->fn, strict};
   *op = (MtOpRow) {.name = name,
                    .min_args = 0,
                    .max_args = -1,
                    .flags = e->flags & MT_EXT_VOLATILE ? 0 : MT_OP_FOLD,
                    .fn = guarded,
                    .summary = e->doc,
                    .user = g};
   return op;
}

static const MtExtFunction *find_symbol (const MtModule *m, const char *name)
{
   for (const MtExtFunction *e = m->functions; e && e->name; e++)
      if (strcmp (e->name, name) == 0)
         return e;
   return NULL;
}

bool mt_module_link (MtArena *a, const char *file, const char *symbol, const char *name, MtFunc *f,
                     MtError *err)
{
   const MtModule *m;
   if (!open_module (a, file, &m, err))
      return false;
   const MtExtFunction *e = find_symbol (m, symbol);
   if (!e)
      return mt_error (err, MT_E_UNDEFINED_FUNCTION,
                       "could not find function \"%s\" in library \"%s\"", symbol, file);
   f->op = make_op (a, mt_printf (a, "$_mt_user_%s", name), e, !(f->flags & MT_F_NOT_STRICT));
   f->summary = e->doc;
   return true;
}

bool mt_module_load (MtArena *a, const char *file, const MtFunc *const **functions, size_t *count,
                     MtError *err)
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
      *f = (MtFunc) {.name = e->name,
                     .signature = e->signature,
                     .flags = ext_flags (e->flags) | MT_F_INFINITE,
                     .summary = e->doc,
                     .example = e->example};
      if (!e->fn || !e->signature || !mt_sig_parse (e->name, e->signature, f->flags, &sig))
         return mt_error (err, MT_E_INVALID_DEFINITION,
                          "function \"%s\" of library \"%s\" has a signature that can't be read",
                          e->name, file);
      f->op = make_op (a, mt_printf (a, "$_mt_%s_%s", m->name ? m->name : "ext", e->name), e,
                       !(f->flags & MT_F_NOT_STRICT));
      list[i++] = f;
   }
   *functions = list;
   *count = n;
   return true;
}
