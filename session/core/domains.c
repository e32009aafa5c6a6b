#include "session/core/domains.h"

#include "session/core/types.h"

#include "engine/pipe.h"

#include <string.h>

#define DOMAIN "domain"

static const char *text_of (MtArena *a, MtVal body, const char *name)
{
   MtVal v = mt_doc_field (body, name);
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static int64_t number_of (MtVal body, const char *name, int64_t otherwise)
{
   MtVal v = mt_doc_field (body, name);
   return v.type == MT_INT64 || v.type == MT_INT32 ? v.i : otherwise;
}

static bool load (MtArena *a, const MtCatalogObject *o, MtDomain *out)
{
   MtVal body = mt_v_doc (o->body), list = mt_doc_field (body, "checks"),
         not_null = mt_doc_field (body, "not_null");
   const char *base = text_of (a, body, "base");
   *out = (MtDomain) {.name = mt_strdup (a, o->name),
                      .not_null = not_null.type == MT_BOOL && not_null.i,
                      .default_sql = text_of (a, body, "default"),
                      .oid = number_of (body, "oid", 0)};
   if (!base || !mt_type_by_name (mt_str (base), &out->base.id) || list.type != MT_ARRAY)
      return false;
   out->base.mod1 = (int16_t) number_of (body, "mod1", -1);
   out->base.mod2 = (int16_t) number_of (body, "mod2", -1);
   MtVal *each = mt_v_elements (a, list, &out->check_count);
   out->checks = MT_NEW_N (a, struct MtDomainCheck, out->check_count + 1);
   for (size_t i = 0; i < out->check_count; i++) {
      out->checks[i] = (struct MtDomainCheck) {
         text_of (a, each[i], "name"), text_of (a, each[i], "sql"), number_of (each[i], "oid", 0)};
      if (!out->checks[i].name || !out->checks[i].sql)
         return false;
   }
   return true;
}

bool mt_domain_named (void *ctx, MtArena *a, const char *name, MtDomain *out)
{
   MtSession *s = ctx;
   const MtCatalogObject *o = NULL;
   if (mt_catalog_has_object (s->catalog, DOMAIN))
      mt_catalog_find_object (s->catalog, DOMAIN, name, &o);
   return o && load (a, o, out);
}

MtDomain *mt_domain_list (MtSession *s, MtArena *a, size_t *count)
{
   size_t all = 0;
   const MtCatalogObject *o = mt_catalog_has_object (s->catalog, DOMAIN)
                                 ? mt_catalog_objects (s->catalog, DOMAIN, &all)
                                 : NULL;
   MtDomain *list = MT_NEW_N (a, MtDomain, all + 1);
   *count = 0;
   for (size_t i = 0; i < all; i++)
      *count += load (a, &o[i], &list[*count]);
   return list;
}

bool mt_domain_save (MtStatement *st, MtDomain *d, MtError *err)
{
   MtArena *a = st->arena;
   bson_t *body = mt_doc_new (a), *list = mt_doc_new (a);
   d->oid = d->oid ? d->oid : mt_own_oid (st, "domain", d->name);
   for (size_t i = 0; i < d->check_count; i++) {
      char key[MT_INDEX_SIZE];
      bson_t *check = mt_doc_new (a);
      if (!d->checks[i].oid)
         d->checks[i].oid = mt_own_oid (st, d->name, d->checks[i].name);
      mt_doc_add_text (check, "name", d->checks[i].name);
      mt_doc_add_text (check, "sql", d->checks[i].sql);
      mt_doc_add (check, "oid", mt_v_int64 (d->checks[i].oid));
      mt_doc_add_doc (list, mt_index_key ((uint32_t) i, key), check);
   }
   mt_doc_add (body, "oid", mt_v_int64 (d->oid));
   mt_doc_add_text (body, "base", mt_type_handle (d->base.id));
   mt_doc_add_int (body, "mod1", d->base.mod1);
   mt_doc_add_int (body, "mod2", d->base.mod2);
   mt_doc_add (body, "not_null", mt_v_bool (d->not_null));
   if (d->default_sql)
      mt_doc_add_text (body, "default", d->default_sql);
   mt_doc_add_array (body, "checks", list);
   return mt_catalog_save_object (st->session->catalog, DOMAIN, d->name, body, err);
}
