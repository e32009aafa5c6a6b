/* CREATE FUNCTION, CREATE LAYOUT, LOAD, and their DROPs. */
#include "planner/user_func.h"
#include "session/session_int.h"

#include <string.h>

/* Functions by name and signature; those of the catalog are read again when it changes. */
typedef struct MtUserFunctions {
   MtArena *arena;            /* of the rows from the catalog */
   const MtFunc **list;
   size_t count;
   uint64_t fingerprint;      /* of the catalog's items they were made from */
   const MtFunc **loaded;     /* by LOAD: for the session's life */
   size_t loaded_count;
} MtUserFunctions;

static uint64_t
fingerprint (const MtCatalogObject *items, size_t n)
{
   uint64_t h = n;
   for (size_t i = 0; i < n; i++)
      h = mt_v_hash (mt_v_doc (items[i].body), h + 1);
   return h;
}

static void
remake (MtSession *s, MtUserFunctions *u, const MtCatalogObject *items, size_t n)
{
   if (!u->arena)
      u->arena = mt_arena_new ("functions", s->arena);
   mt_arena_reset (u->arena);
   u->list = MT_NEW_N (u->arena, const MtFunc *, n + u->loaded_count + 1);
   u->count = 0;
   MtBindEnv env = {.style = {s->settings.zone, 0, s->settings.extra_float_digits}};
   for (size_t i = 0; i < n; i++) {
      MtError why;
      const MtFunc *f;
      env.user_functions = u->list;
      env.user_function_count = u->count;
      if (mt_func_from_bson (u->arena, &env, items[i].body, !s->options.restricted, &f, &why))
         u->list[u->count++] = f;
      else
         mt_notice (s, "WARNING", NULL, "function \"%s\" of the catalog can't be used: %s", items[i].name, why.message);
   }
   for (size_t i = 0; i < u->loaded_count; i++)
      u->list[u->count++] = u->loaded[i];
}

const MtFunc *const *
mt_user_functions (MtSession *s, size_t *count)
{
   if (!s->functions)
      s->functions = MT_NEW (s->arena, MtUserFunctions);
   MtUserFunctions *u = s->functions;
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "function", &n);
   uint64_t now = fingerprint (items, n) + u->loaded_count;
   if (now != u->fingerprint || !u->list) {
      remake (s, u, items, n);
      u->fingerprint = now;
   }
   *count = u->count;
   return u->list;
}

static void
free_bson (void *b)
{
   bson_destroy (b);
}

static bson_t *
new_item (MtArena *a)
{
   bson_t *doc = bson_new ();
   mt_arena_defer (a, free_bson, doc);
   return doc;
}

static bool
has_item (MtSession *s, const char *kind, const char *name)
{
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, kind, &n);
   for (size_t i = 0; i < n; i++)
      if (mt_ieq (items[i].name, name))
         return true;
   return false;
}

bool
mt_run_create_function (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtFunc *f;
   const MtName *name = &st->stmt->create_function.name;
   bson_t *doc = new_item (st->arena);
   mt_result_set_tag (st->result, "CREATE FUNCTION");
   if (!st->stmt->create_function.or_replace && has_item (s, "function", name->text))
      return mt_error_at (err, name->span, "42723", "function \"%s\" already exists", name->text);
   return mt_func_from_create (st->arena, &st->env, st->stmt, !s->options.restricted, &f, err) && mt_func_to_bson (st->stmt, doc, err) &&
          mt_catalog_save_object (s->catalog, "function", name->text, doc, err);
}

static bool
drop_items (MtStatement *st, const char *kind, const char *undefined, MtError *err)
{
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      bool dropped;
      if (!mt_catalog_drop_object (st->session->catalog, kind, n->name.text, &dropped, err))
         return false;
      if (dropped)
         continue;
      if (!st->stmt->drop.if_exists)
         return mt_error_at (err, n->name.span, undefined, "%s \"%s\" does not exist", kind, n->name.text);
      mt_notice (st->session, "NOTICE", NULL, "%s \"%s\" does not exist, skipping", kind, n->name.text);
   }
   return true;
}

bool
mt_run_drop_function (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP FUNCTION");
   return drop_items (st, "function", MT_E_UNDEFINED_FUNCTION, err);
}

bool
mt_run_create_layout (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_layout.name;
   bson_error_t why;
   mt_result_set_tag (st->result, "CREATE LAYOUT");
   for (const char *const *p = mt_preset_names (); *p; p++)
      if (mt_ieq (*p, name->text))
         return mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT, "\"%s\" is a preset's name", name->text);
   if (!st->stmt->create_layout.or_replace && has_item (s, "layout", name->text))
      return mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT, "layout \"%s\" already exists", name->text);
   MtStr text = st->stmt->create_layout.descriptor;
   bson_t *descriptor = bson_new_from_json ((const uint8_t *) text.p, (ssize_t) text.n, &why);
   if (!descriptor)
      return mt_error_at (err, st->stmt->create_layout.descriptor_span, MT_E_TEXT_REPRESENTATION, "the descriptor is not valid JSON: %s", why.message);
   mt_arena_defer (st->arena, free_bson, descriptor);
   if (!bson_has_field (descriptor, "stores") || !bson_has_field (descriptor, "keeps"))
      return mt_error_at (err, st->stmt->create_layout.descriptor_span, MT_E_INVALID_DEFINITION, "a descriptor needs \"keeps\" and \"stores\"");
   bson_t *doc = new_item (st->arena);
   return bson_append_document (doc, "descriptor", -1, descriptor) && mt_catalog_save_object (s->catalog, "layout", name->text, doc, err);
}

bool
mt_run_drop_layout (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP LAYOUT");
   return drop_items (st, "layout", MT_E_UNDEFINED_OBJECT, err);
}

bool
mt_run_load (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   MtUserFunctions *u = s->functions;
   const MtFunc *const *rows;
   size_t n;
   mt_result_set_tag (st->result, "LOAD");
   if (s->options.restricted)
      return mt_error_at (err, st->stmt->load.span, "42501", "LOAD is not allowed in restricted mode");
   const char *file = mt_strndup (s->arena, st->stmt->load.file.p, st->stmt->load.file.n);
   if (!mt_module_load (s->arena, file, &rows, &n, err)) {
      err->span = st->stmt->load.span;
      return false;
   }
   const MtFunc **all = MT_NEW_N (s->arena, const MtFunc *, u->loaded_count + n + 1);
   if (u->loaded_count)
      memcpy (all, u->loaded, u->loaded_count * sizeof *all);
   memcpy (all + u->loaded_count, rows, n * sizeof *all);
   u->loaded = all;
   u->loaded_count += n;
   return true;
}
