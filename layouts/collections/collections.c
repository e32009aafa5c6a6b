#include "layouts/collections/collections.h"

#include "base/bson.h"
#include "layouts/collections/server_expiry.h"

#include <string.h>

/* Fills paths[] with the paths of the index that finds the store's documents, and returns their
 * number. If each document is one record, that is the time; otherwise it is the fields of the
 * document's key. */
static size_t key_paths (const MtStoreDesc *s, const char *paths[16])
{
   size_t n = 0;
   for (size_t i = 0; i < s->root->bind_count && n < 16; i++) {
      const MtBinding *b = &s->root->binds[i];
      bool time = b->kind != MT_BIND_COLUMN || b->encoding.kind >= MT_ENC_DATE;
      if (b->from == MT_FROM_FIELD && !mt_path_in_id (b->at) && (time || !mt_store_is_rows (s)))
         paths[n++] = b->at;
   }
   return n;
}

/* The fields of an index. */
typedef struct IndexKey {
   const char *const *paths;
   size_t count;
} IndexKey;

/* Creates an index of the collection. An existing one is no error, because several writers may
 * create the same partition at once. */
static bool make_index (MtEngine *e, const MtStoreDesc *s, const char *collection, IndexKey key,
                        MtError *err)
{
   return s->parts ? mt_engine_ensure_collection (e, collection, key.paths, key.count, err)
                   : mt_engine_create_index (e, collection, key.paths, key.count, err);
}

static bool index_of_key (MtEngine *e, const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                          const char **paths)
{
   /* A sharded collection can't have the index: a unique index sees only the keys of its own
    * shard. */
   return mt_engine_caps (e)->unique_indexes && !s->shard_count && mt_key_fields (t, k, s, paths);
}

bool mt_store_make_key (MtEngine *e, const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                        const char *collection, MtError *err)
{
   const char *paths[MT_MAX_COLUMNS];
   bson_t filter = BSON_INITIALIZER;
   if (!index_of_key (e, t, k, s, paths))
      return true;
   MtUniqueIndex x = {.name = k->kind == MT_KEY_PRIMARY ? NULL : k->name,
                      .paths = paths,
                      .count = k->count,
                      .may_exist = s->parts != NULL};
   bool ok = mt_key_filter (t, k, s, &filter, err);
   if (ok) {
      x.filter = bson_empty (&filter) ? NULL : &filter;
      ok = mt_engine_create_unique_index (e, collection, &x, err);
   }
   bson_destroy (&filter);
   return ok;
}

bool mt_store_drop_key (MtEngine *e, const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                        const char *collection, MtError *err)
{
   const char *paths[MT_MAX_COLUMNS];
   MtUniqueIndex x = {
      .name = k->kind == MT_KEY_PRIMARY ? NULL : k->name, .paths = paths, .count = k->count};
   return !index_of_key (e, t, k, s, paths) || mt_engine_drop_unique_index (e, collection, &x, err);
}

static bool create_indexes (MtEngine *e, const MtTable *t, const MtStoreDesc *s,
                            const char *collection, MtError *err)
{
   const char *paths[16], *range[] = {s->root->range.min, s->root->range.max}, *key[MT_MAX_COLUMNS];
   size_t n = key_paths (s, paths);
   const MtTableKey *primary = mt_primary_key (t);
   for (size_t i = 0; i < t->unique_count; i++)
      if (!mt_store_make_key (e, t, &t->keys[i], s, collection, err))
         return false;
   bool same = primary && n == primary->count && index_of_key (e, t, primary, s, key);
   for (size_t i = 0; i < n && same; i++)
      same = strcmp (paths[i], key[i]) == 0;
   if (n && !same && !make_index (e, s, collection, (IndexKey) {paths, n}, err))
      return false;
   bool does;
   if (s->root->range.present && !make_index (e, s, collection, (IndexKey) {range, 2}, err))
      return false;
   return !mt_expiry_ages (t, s) || mt_expiry_tell (e, t, s, collection, &does, err);
}

static bool shard (MtEngine *e, const MtStoreDesc *s, const char *collection, MtError *err)
{
   if (!s->shard_count || !mt_engine_caps (e)->router)
      return true;
   MtBson b = {0};
   bson_t key;
   mt_bson_start (&b);
   for (size_t i = 0; i < s->shard_count; i++)
      mt_bson_put (&b, s->shard[i].at, s->shard[i].hashed ? mt_v_cstr ("hashed") : mt_v_int32 (1));
   bool ok = mt_bson_finish (&b, &key) && mt_engine_shard (e, collection, &key, err);
   mt_bson_free (&b);
   return ok;
}

bool mt_store_make_collection (MtEngine *e, const MtTable *t, const MtStoreDesc *s,
                               const char *collection, bool *made, MtError *err)
{
   bool has = false;
   *made = false;
   if (!mt_engine_has_collection (e, collection, &has, err) || has)
      return has;
   *made = true;
   if (s->timeseries) {
      MtTimeseries series = mt_engine_caps (e)->local_operators ? *s->timeseries
                                                                : mt_expiry_series (t, s);
      return mt_engine_create_timeseries (e, collection, &series, err) &&
             shard (e, s, collection, err);
   }
   if (!(s->parts ? mt_engine_ensure_collection (e, collection, NULL, 0, err)
                  : mt_engine_create_collection (e, collection, err)))
      return false;
   return shard (e, s, collection, err) && create_indexes (e, t, s, collection, err);
}

bool mt_store_make_again (MtEngine *e, const MtTable *t, const MtStoreDesc *s, MtError *err)
{
   bool made;
   if (mt_store_make_collection (e, t, s, s->collection, &made, err))
      return true;
   if (s->timeseries || !mt_error_is (err, MT_E_DUPLICATE_TABLE))
      return false;
   mt_error_clear (err);
   return shard (e, s, s->collection, err) && create_indexes (e, t, s, s->collection, err);
}

bool mt_layout_create_collections (MtEngine *e, const MtTable *t, const MtLayout *l, MtError *err)
{
   bool made;
   for (size_t i = 0; i < l->store_count; i++)
      if (!l->stores[i].parts &&
          !mt_store_make_collection (e, t, &l->stores[i], l->stores[i].collection, &made, err))
         return false;
   return true;
}
