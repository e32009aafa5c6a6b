/* Makes a server delete old documents: by a TTL index, or by expireAfterSeconds of a time-series
 * collection. Some servers accept the command and ignore it, so the indexes are read afterwards to
 * see whether it worked. */
#include "engine/mongo/mongo_int.h"

#include <inttypes.h>
#include <string.h>

static bool command (MtMongo *m, const bson_t *cmd)
{
   bson_t opts;
   bson_error_t error;
   mt_mongo_plain_opts (m, &opts);
   bool ok = mongoc_database_write_command_with_opts (m->conn->db, cmd, &opts, NULL, &error);
   bson_destroy (&opts);
   return ok;
}

static bool is_on (MtVal key, const char *path)
{
   bson_t doc;
   bson_iter_t it;
   return key.type == MT_DOC && bson_init_static (&doc, key.p, key.len) &&
          bson_iter_init (&it, &doc) && bson_iter_next (&it) &&
          strcmp (bson_iter_key (&it), path) == 0 && !bson_iter_next (&it);
}

typedef struct Index {
   const char *name; /* name of the index; NULL: there is no index */
   int64_t after_s;  /* documents expire after so many seconds; -1: never */
} Index;

/* Finds the index whose only field is `path`. out->name is NULL if there is none; out->after_s is
 * -1 if it is no TTL index. */
static bool look (MtMongo *m, MtArena *a, const char *collection, const char *path, Index *out,
                  MtError *err)
{
   bson_t *list;
   *out = (Index) {NULL, -1};
   if (!mt_engine_indexes (&m->base, a, collection, &list, err))
      return false;
   MtVal all = mt_v_array (list);
   for (size_t i = 0; i < mt_doc_count (all); i++) {
      MtVal index = mt_doc_at (all, i), key = mt_doc_field (index, "key"),
            is = mt_doc_field (index, "name"), after = mt_doc_field (index, "expireAfterSeconds");
      if (is.type != MT_STRING || !is_on (key, path))
         continue;
      out->name = mt_strndup (a, (const char *) is.p, is.len);
      if (mt_is_number (after))
         out->after_s = after.type == MT_DOUBLE ? (int64_t) after.d : after.i;
   }
   return true;
}

static bool change_index (MtMongo *m, const char *collection, const char *path, int64_t after_s)
{
   bson_t cmd = BSON_INITIALIZER;
   mt_doc_printf (&cmd,
                  "collMod: %s, index: {keyPattern: {%s: 1}, expireAfterSeconds: %" PRId64 "}",
                  collection, path, after_s);
   bool ok = command (m, &cmd);
   bson_destroy (&cmd);
   return ok;
}

static bool drop_index (MtMongo *m, const char *collection, const char *name)
{
   bson_t cmd = BSON_INITIALIZER;
   mt_doc_printf (&cmd, "dropIndexes: %s, index: %s", collection, name);
   bool ok = command (m, &cmd);
   bson_destroy (&cmd);
   return ok;
}

/* Creates a TTL index on `path` that deletes documents after_s seconds after their time; after_s <
 * 0: an ordinary index. */
static bool make_index (MtMongo *m, const char *collection, const char *path, int64_t after_s)
{
   bson_t cmd = BSON_INITIALIZER;
   char *name = bson_strdup_printf ("%s_1", path);
   MtVal after = after_s >= 0 ? mt_v_int64 (after_s) : mt_v_missing ();
   mt_doc_printf (&cmd,
                  "createIndexes: %s, indexes: [{key: {%s: 1}, name: %s, expireAfterSeconds: %p}]",
                  collection, path, name, (void *) &after);
   bool ok = command (m, &cmd);
   bson_destroy (&cmd);
   bson_free (name);
   return ok;
}

/* Makes the index on `path` a TTL index of after_s seconds, or an ordinary index if after_s < 0. If
 * the server can't change the index, drops it and creates a new one. A unique index is not dropped
 * and stays. */
static bool set_index (MtMongo *m, MtArena *a, const char *collection, const char *path,
                       int64_t after_s, MtError *err)
{
   Index is;
   if (!look (m, a, collection, path, &is, err))
      return false;
   if ((is.name && is.after_s == after_s) || (!is.name && after_s < 0) ||
       (is.name && after_s >= 0 && change_index (m, collection, path, after_s)))
      return true;
   if (!is.name || drop_index (m, collection, is.name))
      make_index (m, collection, path, after_s);
   return true;
}

/* Sets after how many seconds a time-series collection deletes its documents; after_s < 0:
 * never. */
static void set_series (MtMongo *m, const char *collection, int64_t after_s)
{
   bson_t cmd = BSON_INITIALIZER;
   MtVal after = after_s >= 0 ? mt_v_int64 (after_s) : mt_v_cstr ("off");
   mt_doc_printf (&cmd, "collMod: %s, expireAfterSeconds: %p", collection, (void *) &after);
   command (m, &cmd);
   bson_destroy (&cmd);
}

static bool is_set (MtMongo *m, MtArena *a, const char *collection, const char *path,
                    int64_t *after_s, MtError *err)
{
   const MtTimeseries *series = NULL;
   Index index;
   if (path) {
      bool found = look (m, a, collection, path, &index, err);
      *after_s = index.after_s;
      return found;
   }
   bool ok = mt_mongo_timeseries (&m->base, a, collection, &series, err);
   *after_s = series ? series->expire_after_s : -1;
   return ok;
}

bool mt_mongo_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                      bool *does, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   int64_t is = -1;
   if (!mt_txn_no_definition (m, err) || !mt_txn_undoable (m, collection, err) ||
       !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) || !mt_mongo_flush (m, err))
      return false;
   MtArena *a = mt_arena_new ("expiry", NULL);
   bool ok = !path || set_index (m, a, collection, path, after_s, err);
   ok = ok && is_set (m, a, collection, path, &is, err);
   if (ok && !path && is != after_s) {
      set_series (m, collection, after_s);
      ok = is_set (m, a, collection, path, &is, err);
   }
   *does = ok && after_s >= 0 && is == after_s;
   mt_arena_free (a);
   return ok;
}

bool mt_mongo_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                               uint64_t *deleted, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t opts, reply;
   bson_error_t error;
   bson_iter_t it;
   if (!mt_txn_undoable (m, collection, err) || !mt_mongo_may_change (m, collection, err) ||
       !mt_mongo_ready (m, err) || !mt_mongo_flush (m, err) || !mt_txn_plain (m, err))
      return false;
   mt_mongo_plain_opts (m, &opts);
   bool ok = mongoc_collection_delete_many (mt_mongo_batch (m, collection, false)->coll, filter,
                                            &opts, &reply, &error);
   *deleted = ok && bson_iter_init_find (&it, &reply, "deletedCount")
                 ? (uint64_t) bson_iter_as_int64 (&it)
                 : 0;
   bson_destroy (&reply);
   bson_destroy (&opts);
   return ok || mt_mongo_error (m, &error, true, err);
}
