/* Stores continuous views in the catalog, as objects of the kind "continuous". Each has the name of
 * its materialized view. */
#include "session/continuous/continuous.h"

#include "engine/pipe.h"

#include <string.h>

#define KIND "continuous"
#define RUN "continuous_run"

/* The types of a time column, and their names in the object. */
static const struct {
   const char *name;
   MtTypeId id;
} types[] = {{"timestamptz", MT_T_TIMESTAMPTZ}, {"timestamp", MT_T_TIMESTAMP}, {"date", MT_T_DATE}};

bool mt_has_continuous (MtSession *s) { return mt_catalog_has_object (s->catalog, KIND); }

/* ---- reading ---- */

static const char *text_of (MtArena *a, MtVal body, const char *field)
{
   MtVal v = mt_doc_field (body, field);
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static int64_t number_of (MtVal body, const char *field)
{
   MtVal v = mt_doc_field (body, field);
   return v.type == MT_INT64 ? v.i : 0;
}

static bool is_true (MtVal v) { return v.type == MT_BOOL && v.i; }

static MtTypeId type_of (MtVal body)
{
   MtVal v = mt_doc_field (body, "type");
   for (size_t i = 0; i < sizeof types / sizeof *types; i++)
      if (mt_v_is_text (v, types[i].name))
         return types[i].id;
   return MT_T_UNKNOWN;
}

static const char *type_name (MtTypeId id)
{
   size_t i = 0;
   while (i + 1 < sizeof types / sizeof *types && types[i].id != id)
      i++;
   return types[i].name;
}

static void read_policy (MtArena *a, MtVal v, MtPolicy *out)
{
   *out = (MtPolicy) {.set = v.type == MT_DOC};
   if (!out->set)
      return;
   out->start = text_of (a, v, "start");
   out->end = text_of (a, v, "end");
   out->every_ms = number_of (v, "every_ms");
}

static bool read_object (MtArena *a, const MtCatalogObject *o, MtContinuous *out, MtError *err)
{
   MtVal body = mt_v_doc (o->body);
   *out = (MtContinuous) {.name = mt_strdup (a, o->name),
                          .id = text_of (a, body, "id"),
                          .source = text_of (a, body, "source"),
                          .time = text_of (a, body, "time"),
                          .bucket = text_of (a, body, "bucket"),
                          .column = text_of (a, body, "column"),
                          .type = type_of (body),
                          .width_ms = number_of (body, "width_ms"),
                          .origin_ms = number_of (body, "origin_ms"),
                          .watermark_ms = number_of (body, "watermark_ms"),
                          .kept_ms = number_of (body, "kept_ms"),
                          .materialized_only = is_true (mt_doc_field (body, "materialized_only"))};
   read_policy (a, mt_doc_field (body, "policy"), &out->policy);
   if (out->id && out->source && out->time && out->bucket && out->column &&
       out->type != MT_T_UNKNOWN && out->width_ms >= 0)
      return true;
   mt_error (err, MT_E_CORRUPT, "continuous view \"%s\" in the catalog is damaged", o->name);
   return mt_error_hint (err, "Drop the view, and create it again.");
}

bool mt_continuous_find (MtSession *s, MtArena *a, const char *name, MtContinuous **out,
                         MtError *err)
{
   const MtCatalogObject *o;
   *out = NULL;
   mt_catalog_find_object (s->catalog, KIND, name, &o);
   if (!o || strcmp (o->name, name) != 0)
      return true;
   *out = MT_NEW (a, MtContinuous);
   return read_object (a, o, *out, err);
}

bool mt_continuous_list (MtSession *s, MtArena *a, MtContinuous **out, size_t *count, MtError *err)
{
   const MtCatalogObject *o = mt_catalog_objects (s->catalog, KIND, count);
   *out = MT_NEW_N (a, MtContinuous, *count + 1);
   for (size_t i = 0; i < *count; i++)
      if (!read_object (a, &o[i], &(*out)[i], err))
         return false;
   return true;
}

/* ---- saving ---- */

static void add_text (bson_t *doc, const char *name, const char *text)
{
   if (text)
      mt_doc_add_text (doc, name, text);
}

static void add_policy (MtArena *a, bson_t *body, const MtPolicy *p)
{
   if (!p->set)
      return;
   bson_t *doc = mt_doc_new (a);
   add_text (doc, "start", p->start);
   add_text (doc, "end", p->end);
   mt_doc_add (doc, "every_ms", mt_v_int64 (p->every_ms));
   mt_doc_add_doc (body, "policy", doc);
}

const bson_t *mt_continuous_body (MtArena *a, const MtContinuous *v)
{
   bson_t *body = mt_doc_new (a);
   mt_doc_add_text (body, "id", v->id);
   mt_doc_add_text (body, "source", v->source);
   mt_doc_add_text (body, "time", v->time);
   mt_doc_add_text (body, "bucket", v->bucket);
   mt_doc_add_text (body, "column", v->column);
   mt_doc_add_text (body, "type", type_name (v->type));
   mt_doc_add (body, "width_ms", mt_v_int64 (v->width_ms));
   mt_doc_add (body, "origin_ms", mt_v_int64 (v->origin_ms));
   mt_doc_add (body, "watermark_ms", mt_v_int64 (v->watermark_ms));
   mt_doc_add (body, "kept_ms", mt_v_int64 (v->kept_ms));
   mt_doc_add (body, "materialized_only", mt_v_bool (v->materialized_only));
   add_policy (a, body, &v->policy);
   return body;
}

bool mt_continuous_save (MtSession *s, MtArena *a, const MtContinuous *v, MtError *err)
{
   return mt_catalog_save_object (s->catalog, KIND, v->name, mt_continuous_body (a, v), err);
}

/* ---- runs of --maintain ---- */

bool mt_continuous_ran (MtSession *s, MtArena *a, const MtContinuous *v, int64_t *out, MtError *err)
{
   bson_t *doc;
   *out = 0;
   if (!mt_engine_find_id (s->engine, a, MT_CATALOG_COLLECTION,
                           mt_catalog_object_id (a, RUN, v->id), &doc, err))
      return false;
   if (doc)
      *out = mt_doc_field (mt_doc_field (mt_v_doc (doc), "body"), "at").i;
   return true;
}

bool mt_continuous_note_run (MtSession *s, MtArena *a, const MtContinuous *v, int64_t now_ms,
                             MtError *err)
{
   bson_t *doc = mt_doc_new (a), *body = mt_doc_new (a);
   mt_doc_add (body, "at", mt_v_date (now_ms));
   mt_doc_add (doc, "_id", mt_catalog_object_id (a, RUN, v->id));
   mt_doc_add_text (doc, "kind", RUN);
   mt_doc_add_text (doc, "name", v->id);
   mt_doc_add_doc (doc, "body", body);
   return mt_engine_replace (s->engine, MT_CATALOG_COLLECTION, doc, err);
}

static bool forget_run (MtSession *s, MtArena *a, const MtContinuous *v, MtError *err)
{
   bool deleted;
   return mt_engine_delete_id (s->engine, MT_CATALOG_COLLECTION,
                               mt_catalog_object_id (a, RUN, v->id), &deleted, err);
}

/* ---- dropping and renaming ---- */

static bool drop_marks (MtSession *s, MtArena *a, const MtContinuous *v, MtError *err)
{
   size_t n;
   MtStale *list = mt_stale_list (s, a, v, &n);
   for (size_t i = 0; i < n; i++)
      if (!mt_stale_drop (s, list[i].name, err))
         return false;
   return true;
}

bool mt_continuous_forget (MtSession *s, const char *name, MtError *err)
{
   MtArena *a = mt_arena_new ("continuous", NULL);
   MtContinuous *v;
   MtError damaged;
   bool dropped;
   /* A view with a damaged definition can be dropped, too. */
   bool found = mt_continuous_find (s, a, name, &v, &damaged) && v,
        ok = (!found || (drop_marks (s, a, v, err) && forget_run (s, a, v, err))) &&
             mt_catalog_drop_object (s->catalog, KIND, name, &dropped, err);
   mt_arena_free (a);
   return ok;
}

bool mt_continuous_rename (MtSession *s, const char *name, const char *to, MtError *err)
{
   MtArena *a = mt_arena_new ("continuous", NULL);
   MtContinuous *v;
   bool dropped, ok = mt_continuous_find (s, a, name, &v, err);
   if (ok && v) {
      v->name = to;
      ok = mt_catalog_drop_object (s->catalog, KIND, name, &dropped, err) &&
           mt_continuous_save (s, a, v, err);
   }
   mt_arena_free (a);
   return ok;
}

bool mt_no_continuous_reads (MtSession *s, const char *table, MtError *err)
{
   MtArena *a = mt_arena_new ("continuous", NULL);
   MtContinuous *list;
   size_t n;
   bool ok = mt_continuous_list (s, a, &list, &n, err);
   for (size_t i = 0; ok && i < n; i++)
      if (strcmp (list[i].source, table) == 0) {
         mt_error (err, MT_E_DEPENDENT_OBJECTS,
                   "cannot drop \"%s\" because other objects depend on it", table);
         mt_error_detail (err, "Continuous view \"%s\" reads it.", list[i].name);
         ok = mt_error_hint (err, "Use DROP MATERIALIZED VIEW %s first.", list[i].name);
      }
   mt_arena_free (a);
   return ok;
}
