/* CREATE LAYOUT and its DROP. */
#include "session/session_int.h"

#include <string.h>

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
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      bool dropped;
      if (!mt_catalog_drop_object (st->session->catalog, "layout", n->name.text, &dropped, err))
         return false;
      if (dropped)
         continue;
      if (!st->stmt->drop.if_exists)
         return mt_error_at (err, n->name.span, MT_E_UNDEFINED_OBJECT, "layout \"%s\" does not exist", n->name.text);
      mt_notice (st->session, "NOTICE", NULL, "layout \"%s\" does not exist, skipping", n->name.text);
   }
   return true;
}
