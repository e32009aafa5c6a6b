/* The extensions that a session uses, because of LOAD or CREATE EXTENSION, and checks of the names
 * that they add. */
#include "analyze/routines/module.h"
#include "base/control.h"
#include "copy/format.h"
#include "functions/signature.h"
#include "session/state/session.h"

#include <stdio.h>
#include <string.h>

/* An extension that the session has used, with its functions and aggregates. */
typedef struct Used {
   const MtModule *module;
   MtModuleRows rows;
   unsigned use; /* of type MtUse; 0: the entry is not in use any more */
} Used;

typedef struct MtExtensions {
   Used *used;
   size_t count, cap;
   /* the functions and aggregates of all used extensions */
   const MtFunc **functions;
   const MtAgg **aggregates;
   size_t function_count, aggregate_count;
   uint64_t version;     /* incremented when `functions` or `aggregates` changes */
   uint64_t fingerprint; /* hash of the catalog's extensions and extension_path at the last sync */
   const char *unusable; /* an extension of the catalog that can't be loaded; NULL: none */
   bool synced, syncing;
} MtExtensions;

static MtExtensions *extensions_of (MtSession *s)
{
   if (!s->extensions)
      s->extensions = MT_NEW (s->arena, MtExtensions);
   return s->extensions;
}

const MtFunc *const *mt_extension_functions (MtSession *s, size_t *count)
{
   MtExtensions *x = extensions_of (s);
   *count = x->function_count;
   return x->functions;
}

const MtAgg *const *mt_extension_aggregates (MtSession *s, size_t *count)
{
   MtExtensions *x = extensions_of (s);
   *count = x->aggregate_count;
   return x->aggregates;
}

const char *mt_extension_unusable (MtSession *s) { return extensions_of (s)->unusable; }

uint64_t mt_extensions_version (MtSession *s) { return extensions_of (s)->version; }

/* ---- checking names ---- */

static bool same_arguments (const MtSig *a, const MtSig *b)
{
   return a->argc == b->argc && memcmp (a->args, b->args, (size_t) a->argc * sizeof *a->args) == 0;
}

/* Returns whether a function of the session already has the name and the argument types of `sig`;
 * sig NULL: whether one has the name. */
static bool other_function (MtArena *a, const MtBindEnv *env, const char *name, const MtSig *sig)
{
   int count;
   const MtSig **sigs = mt_sigs_by_name (a, env, name, 0, &count);
   bool found = count && !sig;
   for (int i = 0; i < count && !found; i++)
      found = same_arguments (sigs[i], sig);
   return found;
}

static bool other_aggregate (MtArena *a, const MtBindEnv *env, const char *name)
{
   int count;
   mt_agg_sigs_by_name (a, env, name, &count);
   return count || mt_is_window_function (name);
}

static bool is_function_of (const MtModuleRows *rows, const char *name)
{
   for (size_t i = 0; i < rows->function_count; i++)
      if (mt_ieq (rows->functions[i]->name, name))
         return true;
   return false;
}

static bool taken (const MtModule *m, const char *kind, const char *name, MtError *err)
{
   mt_error (err, MT_E_DUPLICATE_FUNCTION, "%s \"%s\" of extension \"%s\" already exists", kind,
             name, m->name);
   return mt_error_hint (err, "A name of an extension must differ from built-in names and from "
                              "those of other extensions.");
}

/* Fails if a name in the extension is taken. A function may overload another function with other
 * argument types. An aggregate needs a name that no function has, because calls with its name are
 * searched among aggregates only. */
static bool check_names (MtArena *a, const MtBindEnv *env, const MtModule *m,
                         const MtModuleRows *rows, MtError *err)
{
   for (size_t i = 0; i < rows->function_count; i++) {
      const MtFunc *f = rows->functions[i];
      MtSig sig;
      if (!mt_sig_parse (f->name, f->signature, f->flags, &sig) ||
          other_aggregate (a, env, f->name) || other_function (a, env, f->name, &sig))
         return taken (m, "function", f->name, err);
   }
   for (size_t i = 0; i < rows->aggregate_count; i++) {
      const char *name = rows->aggregates[i]->name;
      if (other_aggregate (a, env, name) || other_function (a, env, name, NULL) ||
          is_function_of (rows, name))
         return taken (m, "aggregate", name, err);
   }
   return !m->copy_formats || mt_copy_check_formats (m->name, m->copy_formats, err);
}

/* ---- using an extension ---- */

/* Makes the lists of the functions and aggregates of all extensions in use again. The old lists
 * stay allocated. */
static void relist (MtSession *s, MtExtensions *x)
{
   size_t nf = 0, na = 0;
   for (size_t i = 0; i < x->count; i++) {
      nf += x->used[i].rows.function_count;
      na += x->used[i].rows.aggregate_count;
   }
   x->functions = MT_NEW_N (s->arena, const MtFunc *, nf + 1);
   x->aggregates = MT_NEW_N (s->arena, const MtAgg *, na + 1);
   x->function_count = x->aggregate_count = 0;
   for (size_t i = 0; i < x->count; i++) {
      const MtModuleRows *r = &x->used[i].rows;
      for (size_t k = 0; x->used[i].use && k < r->function_count; k++)
         x->functions[x->function_count++] = r->functions[k];
      for (size_t k = 0; x->used[i].use && k < r->aggregate_count; k++)
         x->aggregates[x->aggregate_count++] = r->aggregates[k];
   }
   x->version++;
}

static Used *used_of (MtExtensions *x, const MtModule *m)
{
   for (size_t i = 0; i < x->count; i++)
      if (x->used[i].module == m)
         return &x->used[i];
   return NULL;
}

static bool admit (MtSession *s, const MtModule *m, const MtModuleRows *rows, MtError *err)
{
   MtBindEnv env = {0};
   MtArena *a = mt_arena_new ("names", NULL);
   mt_set_routines (s, &env);
   bool ok = check_names (a, &env, m, rows, err);
   mt_arena_free (a);
   return ok && (!s->options.extension || s->options.extension (s->options.ctx, m, err));
}

bool mt_extension_use (MtSession *s, const MtModule *m, MtUse use, MtError *err)
{
   MtExtensions *x = extensions_of (s);
   Used *known = used_of (x, m);
   MtModuleRows rows = {0};
   if (known && known->use) {
      known->use |= use;
      return true;
   }
   if (known)
      rows = known->rows;
   if ((!known && !mt_module_rows (s->arena, m, &rows, err)) || !admit (s, m, &rows, err))
      return false;
   if (m->copy_formats)
      mt_copy_add_formats (m->copy_formats);
   if (!known) {
      MT_GROW_IN (s->arena, x->used, x->count, x->cap, 4);
      x->used[x->count++] = (Used) {.module = m, .rows = rows, .use = use};
   } else {
      known->use = use;
   }
   relist (s, x);
   return true;
}

/* ---- the catalog's extensions ---- */

static uint64_t fingerprint (MtSession *s, const MtCatalogObject *items, size_t n)
{
   const char *path = s->settings.extension_path ? s->settings.extension_path : "";
   uint64_t h = mt_v_hash (mt_v_cstr (path), n);
   for (size_t i = 0; i < n; i++)
      h = mt_v_hash (mt_v_cstr (items[i].name), h + 1);
   return h;
}

const MtCatalogObject *mt_extension_created (MtSession *s, const char *name)
{
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "extension", &n);
   for (size_t i = 0; i < n; i++)
      if (strcmp (items[i].name, name) == 0)
         return &items[i];
   return NULL;
}

/* Returns the folders in which extensions are searched. For a restricted session NULL: only
 * installed extensions. */
const char *mt_extension_search_path (MtSession *s)
{
   return s->options.restricted ? NULL : s->settings.extension_path;
}

/* Loads the library of an extension that the catalog lists. */
static bool use_created (MtSession *s, MtArena *a, const char *name, MtError *err)
{
   MtControl *c;
   const MtModule *m;
   if (!mt_control_find (a, mt_extension_search_path (s), name, &c, err))
      return false;
   if (!c)
      return mt_error (err, MT_E_FEATURE, "no folder of extension_path has the file \"%s.control\"",
                       name);
   return !c->module ||
          (mt_extension_open (c->module, &m, err) && mt_extension_use (s, m, MT_USE_CREATED, err));
}

static void warn (MtSession *s, const char *name, const MtError *why)
{
   char hint[256];
   snprintf (hint, sizeof hint,
             "Install a version of the extension that fits, or use DROP EXTENSION \"%s\".", name);
   mt_notice (s, "WARNING", hint, "extension \"%s\" cannot be used: %s", name, why->message);
}

void mt_extensions_changed (MtSession *s) { extensions_of (s)->synced = false; }

void mt_extensions_sync (MtSession *s)
{
   MtExtensions *x = extensions_of (s);
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "extension", &n);
   uint64_t now = fingerprint (s, items, n);
   if (x->syncing || (x->synced && x->fingerprint == now))
      return;
   x->syncing = true;
   x->unusable = NULL;
   MtArena *a = mt_arena_new ("extensions", NULL);
   for (size_t i = 0; i < x->count; i++)
      x->used[i].use &= ~(unsigned) MT_USE_CREATED;
   relist (s, x);
   for (size_t i = 0; i < n; i++) {
      MtError why;
      mt_error_clear (&why);
      if (use_created (s, a, mt_strdup (a, items[i].name), &why))
         continue;
      x->unusable = x->unusable ? x->unusable : mt_strdup (s->arena, items[i].name);
      warn (s, items[i].name, &why);
   }
   mt_arena_free (a);
   x->fingerprint = now;
   x->synced = true;
   x->syncing = false;
}

/* ---- LOAD ---- */

/* Opens the library of the installed extension `file`, or the library with this file name. Sets
 * *out. */
static bool open_library (MtStatement *st, const char *file, const MtModule **out, MtError *err)
{
   MtControl *c = NULL;
   if (!mt_control_find (st->arena, st->session->settings.extension_path, file, &c, err))
      return false;
   if (c && !c->module) {
      mt_error (err, MT_E_FEATURE, "extension \"%s\" has no library", file);
      return mt_error_hint (err, "Use CREATE EXTENSION.");
   }
   return mt_extension_open (c ? c->module : file, out, err);
}

bool mt_run_load (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtModule *m;
   mt_result_set_tag (st->result, "LOAD");
   if (s->options.restricted)
      return mt_error_at (err, st->stmt->load.span, MT_E_PRIVILEGE,
                          "LOAD is not allowed in restricted mode");
   const char *file = mt_strndup (st->arena, st->stmt->load.file.p, st->stmt->load.file.n);
   if (open_library (st, file, &m, err) && mt_extension_use (s, m, MT_USE_LOADED, err))
      return true;
   err->span = st->stmt->load.span;
   return false;
}
