#include "session/core/types.h"

#include "session/core/domains.h"

#include "engine/pipe.h"

#include <string.h>

#define TYPE "type"

static int64_t number_of (MtVal body, const char *name)
{
   MtVal v = mt_doc_field (body, name);
   return v.type == MT_INT64 || v.type == MT_INT32 ? v.i : 0;
}

static const char *text_of (MtArena *a, MtVal body, const char *name)
{
   MtVal v = mt_doc_field (body, name);
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static bool load_labels (MtArena *a, MtVal list, MtOwnType *out)
{
   if (list.type != MT_ARRAY)
      return false;
   MtVal *each = mt_v_elements (a, list, &out->count);
   out->labels = MT_NEW_N (a, MtEnumLabel, out->count + 1);
   for (size_t i = 0; i < out->count; i++) {
      MtVal order = mt_doc_field (each[i], "order");
      out->labels[i] = (MtEnumLabel) {text_of (a, each[i], "label"), number_of (each[i], "oid"),
                                      order.type == MT_DOUBLE ? order.d : 0};
      if (!out->labels[i].text)
         return false;
   }
   return true;
}

static bool load (MtArena *a, const MtCatalogObject *o, MtOwnType *out)
{
   MtVal body = mt_v_doc (o->body);
   *out = (MtOwnType) {.name = mt_strdup (a, o->name),
                       .made = text_of (a, body, "made"),
                       .oid = number_of (body, "oid"),
                       .array_oid = number_of (body, "array_oid")};
   if (!out->made || !load_labels (a, mt_doc_field (body, "labels"), out))
      return false;
   out->id = mt_enum_id (mt_str (out->made));
   return out->id != MT_T_UNKNOWN;
}

bool mt_own_type_find (MtSession *s, MtArena *a, const char *name, MtOwnType **out, MtError *err)
{
   const MtCatalogObject *o;
   *out = NULL;
   mt_catalog_find_object (s->catalog, TYPE, name, &o);
   if (!o)
      return true;
   *out = MT_NEW (a, MtOwnType);
   return load (a, o, *out) ||
          mt_error (err, MT_E_CORRUPT, "type \"%s\" in the catalog is damaged", o->name);
}

MtOwnType *mt_own_type_list (MtSession *s, MtArena *a, size_t *count)
{
   size_t all = 0;
   const MtCatalogObject *o = mt_catalog_has_object (s->catalog, TYPE)
                                 ? mt_catalog_objects (s->catalog, TYPE, &all)
                                 : NULL;
   MtOwnType *list = MT_NEW_N (a, MtOwnType, all + 1);
   *count = 0;
   for (size_t i = 0; i < all; i++)
      *count += load (a, &o[i], &list[*count]);
   return list;
}

/* ---- OIDs ---- */

/* Returns whether a user's type, its array type or one of its labels has this OID. */
static bool is_used (const MtOwnType *all, size_t count, int64_t oid)
{
   for (size_t i = 0; i < count; i++) {
      if (all[i].oid == oid || all[i].array_oid == oid)
         return true;
      for (size_t k = 0; k < all[i].count; k++)
         if (all[i].labels[k].oid == oid)
            return true;
   }
   return false;
}

/* Returns whether a domain, or a constraint of a domain, has this OID. */
static bool is_domain (MtStatement *st, int64_t oid)
{
   size_t count;
   const MtDomain *all = mt_domain_list (st->session, st->arena, &count);
   for (size_t i = 0; i < count; i++) {
      if (all[i].oid == oid)
         return true;
      for (size_t k = 0; k < all[i].check_count; k++)
         if (all[i].checks[k].oid == oid)
            return true;
   }
   return false;
}

int64_t mt_own_oid (MtStatement *st, const char *type, const char *label)
{
   size_t count;
   const MtOwnType *all = mt_own_type_list (st->session, st->arena, &count);
   const char *text = mt_printf (st->arena, "%s\n%s", type, label);
   uint32_t h = 2166136261u;
   for (const char *p = text; *p; p++)
      h = (h ^ (uint8_t) *p) * 16777619u;
   int64_t oid = 1000000 + h % 90000000u; /* above built-in types, below functions */
   while (is_used (all, count, oid) || is_domain (st, oid))
      oid++;
   return oid;
}

void mt_own_label (MtStatement *st, const MtOwnType *t, MtEnumLabel *label)
{
   label->oid = mt_own_oid (st, t->name, label->text);
}

/* ---- saving ---- */

static void define (MtArena *a, const MtOwnType *t)
{
   const char **labels = MT_NEW_N (a, const char *, t->count + 1);
   const uint32_t oids[2] = {(uint32_t) t->oid, (uint32_t) t->array_oid};
   for (size_t i = 0; i < t->count; i++)
      labels[i] = t->labels[i].text;
   mt_enum_define (t->id, t->name, oids, labels, t->count);
}

static bson_t *body_of (MtArena *a, const MtOwnType *t)
{
   bson_t *body = mt_doc_new (a), *list = mt_doc_new (a);
   for (size_t i = 0; i < t->count; i++) {
      char key[MT_INDEX_SIZE];
      bson_t *label = mt_doc_new (a);
      mt_doc_add_text (label, "label", t->labels[i].text);
      mt_doc_add (label, "oid", mt_v_int64 (t->labels[i].oid));
      mt_doc_add (label, "order", mt_v_double (t->labels[i].order));
      mt_doc_add_doc (list, mt_index_key ((uint32_t) i, key), label);
   }
   mt_doc_add_text (body, "made", t->made);
   mt_doc_add (body, "oid", mt_v_int64 (t->oid));
   mt_doc_add (body, "array_oid", mt_v_int64 (t->array_oid));
   mt_doc_add_array (body, "labels", list);
   return body;
}

bool mt_own_type_save (MtStatement *st, MtOwnType *t, MtError *err)
{
   if (!t->made) {
      bson_oid_t id;
      char text[25];
      bson_oid_init (&id, NULL);
      bson_oid_to_string (&id, text);
      t->made = mt_strdup (st->arena, text);
      t->id = mt_enum_id (mt_str (t->made));
      t->oid = mt_own_oid (st, t->name, "");
      t->array_oid = mt_own_oid (st, t->name, "[]");
   }
   if (t->id == MT_T_UNKNOWN)
      return mt_error (err, MT_E_LIMIT, "there cannot be more than %u enumerated types",
                       MT_MAX_ENUMS);
   if (!mt_catalog_save_object (st->session->catalog, TYPE, t->name, body_of (st->arena, t), err))
      return false;
   define (st->arena, t);
   return true;
}

/* ---- types of the process ---- */

void mt_own_types_define (MtSession *s)
{
   uint64_t now = mt_catalog_generation (s->catalog);
   if (s->types_seen == now + 1)
      return;
   s->types_seen = now + 1;
   if (!mt_catalog_has_object (s->catalog, TYPE))
      return;
   MtArena *a = mt_arena_new ("types", NULL);
   size_t count;
   const MtOwnType *all = mt_own_type_list (s, a, &count);
   for (size_t i = 0; i < count; i++)
      define (a, &all[i]);
   mt_arena_free (a);
}

bool mt_own_type_named (void *ctx, const char *name, MtTypeId *out)
{
   MtSession *s = ctx;
   const MtCatalogObject *o = NULL;
   if (mt_catalog_has_object (s->catalog, TYPE))
      mt_catalog_find_object (s->catalog, TYPE, name, &o);
   if (!o && name[0] == '_' && name[1] != '_' && mt_own_type_named (ctx, name + 1, out)) {
      *out = mt_type_array (*out);
      return true;
   }
   if (!o)
      return false;
   MtVal made = mt_doc_field (mt_v_doc (o->body), "made");
   *out = made.type == MT_STRING ? mt_enum_id ((MtStr) {(const char *) made.p, made.len})
                                 : MT_T_UNKNOWN;
   return *out != MT_T_UNKNOWN;
}
