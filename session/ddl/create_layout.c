/* CREATE LAYOUT, DROP LAYOUT. */
#include "engine/pipe.h"
#include "session/ddl/ddl.h"
#include "session/state/session.h"

#include "types/mongosh.h"
#include "layouts/presets/preset.h"
#include "layouts/descriptor/descriptor.h"

#include <string.h>

static bool has_item (MtSession *s, const char *kind, const char *name)
{
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, kind, &n);
   for (size_t i = 0; i < n; i++)
      if (mt_ieq (items[i].name, name))
         return true;
   return false;
}

/* Returns where `part`, a range of the descriptor's text, is in the text of the statement. Handles
 * literals '…', in which quotes are doubled, and $$…$$. For other literals it returns the range of
 * the whole literal. */
static MtSpan within_literal (const MtStatement *st, MtSpan part)
{
   MtSpan all = st->stmt->create_layout.descriptor_span;
   MtStr text = st->stmt->create_layout.descriptor;
   const char *raw = st->sql + all.start, *end = raw + all.len,
              *close = *raw == '$' ? strchr (raw + 1, '$') : NULL, *p = close ? close + 1 : raw + 1;
   const char *first = NULL, *last = NULL;
   if (*raw != '\'' && !close)
      return all;
   for (size_t i = 0; i < text.n && i < (size_t) (part.start + part.len); i++, p++) {
      if (p >= end || *p != text.p[i])
         return all;
      first = i == (size_t) part.start ? p : first;
      last = p + 1;
      p += !close && *p == '\'';
   }
   if (!first)
      return p < end ? (MtSpan) {(int32_t) (p - st->sql), 1} : all; /* after the end of the text */
   return (MtSpan) {(int32_t) (first - st->sql), (int32_t) (last - first)};
}

/* Converts the descriptor, the text after AS, to BSON in the statement's arena. */
static bool read_descriptor (MtStatement *st, bson_t *out, MtError *err)
{
   MtVal v;
   if (!mt_mongosh_read (st->arena, st->stmt->create_layout.descriptor, &v, err)) {
      err->span = err->span.start < 0 ? st->stmt->create_layout.descriptor_span
                                      : within_literal (st, err->span);
      return false;
   }
   if (v.type != MT_DOC || !bson_init_static (out, v.p, v.len))
      return mt_error_at (err, st->stmt->create_layout.descriptor_span, MT_E_INVALID_DEFINITION,
                          "a descriptor must be a JSON object");
   return true;
}

bool mt_run_create_layout (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_layout.name;
   mt_result_set_tag (st->result, "CREATE LAYOUT");
   for (const char *const *p = mt_preset_names (); *p; p++)
      if (mt_ieq (*p, name->text))
         return mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT,
                             "\"%s\" is the name of a preset", name->text);
   if (!st->stmt->create_layout.or_replace && has_item (s, "layout", name->text))
      return mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT, "layout \"%s\" already exists",
                          name->text);
   bson_t descriptor, *doc = mt_doc_new (st->arena);
   if (!read_descriptor (st, &descriptor, err))
      return false;
   MtBlame blame = {.err = err};
   if (!mt_descriptor_check (st->arena, name->text, &descriptor, &blame)) {
      err->span = within_literal (st, mt_mongosh_place (st->stmt->create_layout.descriptor,
                                                        blame.path, blame.name));
      return false;
   }
   mt_doc_add_doc (doc, "descriptor", &descriptor);
   return mt_catalog_save_object (s->catalog, "layout", name->text, doc, err);
}

bool mt_run_drop_layout (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP LAYOUT");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      bool dropped;
      if (!mt_catalog_drop_object (st->session->catalog, "layout", n->name.text, &dropped, err))
         return false;
      if (dropped)
         continue;
      if (!st->stmt->drop.if_exists)
         return mt_error_at (err, n->name.span, MT_E_UNDEFINED_OBJECT,
                             "layout \"%s\" does not exist", n->name.text) ||
                mt_object_near (st, "layout", n->name.text, err);
      mt_notice (st->session, "NOTICE", NULL, "layout \"%s\" does not exist, skipping",
                 n->name.text);
   }
   return true;
}
