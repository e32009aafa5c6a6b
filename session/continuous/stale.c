/* Marks of stale buckets: catalog objects of the kind "stale", with a body {view, lo, hi, claimed}.
 * Each mark is a document of its own, so several writers on a server can add marks at the same
 * time. */
#include "session/continuous/continuous.h"

#include "engine/pipe.h"
#include "layouts/expire.h"

#include <string.h>

#define KIND "stale"

static bool is_of (const MtCatalogObject *o, const MtContinuous *v)
{
   return mt_v_is_text (mt_doc_field (mt_v_doc (o->body), "view"), v->id);
}

MtStale *mt_stale_list (MtSession *s, MtArena *a, const MtContinuous *v, size_t *count)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, KIND, &n);
   MtStale *list = MT_NEW_N (a, MtStale, n + 1);
   *count = 0;
   for (size_t i = 0; i < n; i++) {
      MtVal body = mt_v_doc (all[i].body), claimed = mt_doc_field (body, "claimed");
      if (is_of (&all[i], v))
         list[(*count)++] = (MtStale) {.name = mt_strdup (a, all[i].name),
                                       .range = {mt_doc_field (body, "lo").i,
                                                 mt_doc_field (body, "hi").i},
                                       .claimed = claimed.type == MT_BOOL && claimed.i};
   }
   return list;
}

MtRangeSet mt_stale_ranges (MtSession *s, MtArena *a, const MtContinuous *v, bool claimed)
{
   size_t n;
   const MtStale *list = mt_stale_list (s, a, v, &n);
   MtRangeSet all = {0};
   for (size_t i = 0; i < n; i++)
      if (list[i].claimed || !claimed)
         all = mt_ranges_union (a, all, mt_ranges_one (a, list[i].range.lo, list[i].range.hi));
   return all;
}

bool mt_stale_add (MtSession *s, MtArena *a, const MtContinuous *v, MtRange range, bool claimed,
                   MtError *err)
{
   bson_t *body = mt_doc_new (a);
   bson_oid_t oid;
   char name[25];
   bson_oid_init (&oid, NULL);
   bson_oid_to_string (&oid, name);
   mt_doc_add_text (body, "view", v->id);
   mt_doc_add (body, "lo", mt_v_int64 (range.lo));
   mt_doc_add (body, "hi", mt_v_int64 (range.hi));
   mt_doc_add (body, "claimed", mt_v_bool (claimed));
   return mt_catalog_save_object (s->catalog, KIND, name, body, err);
}

bool mt_stale_drop (MtSession *s, const char *name, MtError *err)
{
   bool dropped;
   return mt_catalog_drop_object (s->catalog, KIND, name, &dropped, err);
}

/* ---- retention ---- */

bool mt_kept_before (MtSession *s, const MtContinuous *v, int64_t now_ms, int64_t *out,
                     MtError *err)
{
   const MtTable *t;
   int64_t kept = v->kept_ms;
   if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, v->source, true, &t, err))
      return false;
   int64_t horizon = t ? mt_expiry_horizon (t, now_ms) : MT_NEVER_EXPIRES;
   if (horizon != MT_NEVER_EXPIRES && horizon > kept)
      kept = horizon;
   if (!mt_bucket_ceil (s, v, &kept, err))
      return false;
   *out = kept < v->watermark_ms ? kept : v->watermark_ms;
   return true;
}

bool mt_continuous_expired (MtSession *s, MtArena *a, const char *table, int64_t before_ms,
                            MtError *err)
{
   MtContinuous *list;
   size_t n;
   if (!mt_continuous_list (s, a, &list, &n, err))
      return false;
   for (size_t i = 0; i < n; i++) {
      if (strcmp (list[i].source, table) != 0 || list[i].kept_ms >= before_ms)
         continue;
      list[i].kept_ms = before_ms;
      if (!mt_continuous_save (s, a, &list[i], err))
         return false;
   }
   return true;
}
