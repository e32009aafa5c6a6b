/* The engine for MongoDB servers: opens the connection, lists collections and indexes, and reads
 * statistics. */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* ---- listing collections and indexes ---- */

static int by_name (const void *a, const void *b)
{
   return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns whether a collection is hidden from the user: it is internal to the server, or will be
 * dropped at the commit. */
static bool is_hidden (const MtMongo *m, const char *name)
{
   bool hidden = strncmp (name, "system.", 7) == 0 ||
                 strncmp (name, MT_MONGO_DROPPED, sizeof MT_MONGO_DROPPED - 1) == 0;
   for (size_t k = 0; k < m->drop_count && !hidden; k++)
      hidden = strcmp (m->drops[k], name) == 0;
   return hidden;
}

static bool mongo_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                               MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   if (!mt_mongo_ready (m, err) || !mt_mongo_flush (m, err))
      return false;
   bson_t opts;
   mt_mongo_plain_opts (m, &opts);
   char **all = mongoc_database_get_collection_names_with_opts (m->conn->db, &opts, &error);
   bson_destroy (&opts);
   if (!all)
      return mt_mongo_error (m, &error, false, err);
   size_t n = 0, kept = 0;
   while (all[n])
      n++;
   const char **out = MT_NEW_N (a, const char *, n);
   for (size_t i = 0; i < n; i++) {
      if (!is_hidden (m, all[i]))
         out[kept++] = mt_strdup (a, all[i]);
   }
   bson_strfreev (all);
   qsort (out, kept, sizeof *out, by_name);
   *names = out;
   *count = kept;
   return true;
}

static bool mongo_indexes (MtEngine *e, const char *collection, bson_t *list, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t opts;
   bson_error_t error;
   const bson_t *index;
   if (!mt_mongo_ready (m, err) || !mt_mongo_flush (m, err))
      return false;
   mt_mongo_plain_opts (m, &opts);
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, collection);
   mongoc_cursor_t *c = mongoc_collection_find_indexes_with_opts (coll, &opts);
   while (mongoc_cursor_next (c, &index))
      mt_doc_push (list, mt_v_doc (index));
   bool ok = !mongoc_cursor_error (c, &error) || mt_mongo_error (m, &error, false, err);
   mongoc_cursor_destroy (c);
   mongoc_collection_destroy (coll);
   bson_destroy (&opts);
   return ok;
}

static bool mongo_has_collection (MtEngine *e, const char *name, bool *has, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_ready (m, err) || !mt_mongo_flush (m, err) ||
       !mt_mongo_look_up (m, name, has, err))
      return false;
   *has &= !is_hidden (m, name);
   return true;
}

static uint64_t number_at (const bson_t *doc, const char *path)
{
   bson_iter_t it, at;
   if (!bson_iter_init (&it, doc) || !bson_iter_find_descendant (&it, path, &at))
      return 0;
   int64_t v = BSON_ITER_HOLDS_DOUBLE (&at) ? (int64_t) bson_iter_double (&at)
                                            : bson_iter_as_int64 (&at);
   return v > 0 ? (uint64_t) v : 0;
}

static bson_t *run_for_one (MtMongo *m, const char *collection, const char *pipeline, MtError *err)
{
   bson_t *p = bson_new_from_json ((const uint8_t *) pipeline, -1, NULL),
          *out = mt_mongo_run_for_one (m, collection, p, err);
   bson_destroy (p);
   return out;
}

/* Reads *out from the fields of `doc` whose names are `prefix` and count, size or storageSize.
 * Frees `doc`. Returns false if `doc` is NULL or the numbers can't be true: some servers return 0
 * bytes. */
static bool take_stats (bson_t *doc, const char *prefix, MtCollStats *out)
{
   char path[64];
   if (!doc)
      return false;
   snprintf (path, sizeof path, "%scount", prefix);
   out->documents = number_at (doc, path);
   snprintf (path, sizeof path, "%ssize", prefix);
   out->bytes = number_at (doc, path);
   snprintf (path, sizeof path, "%sstorageSize", prefix);
   out->stored_bytes = number_at (doc, path);
   bson_destroy (doc);
   return out->documents > 0 && out->bytes > 0;
}

static bson_t *coll_stats (MtMongo *m, const char *collection)
{
   bson_t cmd = BSON_INITIALIZER, reply, opts;
   bson_error_t e;
   mt_doc_add_text (&cmd, "collStats", collection);
   mt_mongo_opts (m, &opts);
   bool ok = mongoc_database_read_command_with_opts (m->conn->db, &cmd, NULL, &opts, &reply, &e);
   bson_t *out = ok ? bson_copy (&reply) : NULL;
   bson_destroy (&opts);
   bson_destroy (&reply);
   bson_destroy (&cmd);
   return out;
}

static bool stats_of (MtMongo *m, const char *collection, MtCollStats *out, MtError *err)
{
   MtEngine *e = &m->base;
   MtError ignored;
   bool has;
   if (!mongo_has_collection (e, collection, &has, err))
      return false;
   if (!has)
      return true;
   mt_error_clear (&ignored);
   if (take_stats (run_for_one (m, collection, "{\"0\": {\"$collStats\": {\"storageStats\": {}}}}",
                                &ignored),
                   "storageStats.", out) ||
       take_stats (coll_stats (m, collection), "", out))
      return true;
   *out = (MtCollStats) {0}; /* let the server count */
   mt_error_clear (&ignored);
   bson_t *doc = run_for_one (
      m, collection,
      "{\"0\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}, \"b\": {\"$sum\": "
      "{\"$bsonSize\": \"$$ROOT\"}}}}}",
      &ignored);
   if (!doc && mt_error_is_set (&ignored)) {
      mt_error_clear (&ignored);
      doc = run_for_one (m, collection,
                         "{\"0\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}}}}", &ignored);
   }
   if (!doc && mt_error_is_set (&ignored)) {
      if (err)
         *err = ignored;
      return false;
   }
   if (doc) {
      out->documents = number_at (doc, "n");
      out->bytes = number_at (doc, "b");
      bson_destroy (doc);
   }
   return true;
}

/* Reads a collection's statistics. Uses no transaction, because some servers refuse $collStats in a
 * transaction and end it. */
static bool mongo_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   m->beside = true;
   bool ok = stats_of (m, collection, out, err);
   m->beside = false;
   return ok;
}

/* Sets *has to whether the collection has a document, by reading one, which is faster than
 * statistics. Runs in the transaction, so that documents inserted by it count. */
static bool mongo_has_documents (MtEngine *e, const char *collection, bool *has, MtError *err)
{
   MtError failed = {0};
   bson_t *doc = run_for_one ((MtMongo *) e, collection,
                              "{\"0\": {\"$limit\": 1}, \"1\": {\"$project\": {\"_id\": 1}}}",
                              &failed);
   *has = doc != NULL;
   if (doc)
      bson_destroy (doc);
   if (!mt_error_is_set (&failed))
      return true;
   if (err)
      *err = failed;
   return false;
}

/* ---- opening ---- */

static void mongo_close (MtEngine *e)
{
   mt_engine_rollback (e);
   mt_mongo_free ((MtMongo *) e);
}

/* Sends a ping to see whether the server was restarted, and connects again if the connection is
 * lost. */
static bool mongo_reconnect (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t ping = BSON_INITIALIZER;
   mt_doc_add_int (&ping, "ping", 1);
   if (!m->lost && m->conn &&
       !mongoc_client_command_simple (m->conn->client, "admin", &ping, NULL, NULL, NULL))
      m->lost = true;
   bson_destroy (&ping);
   return mt_mongo_ready (m, err);
}

static const MtEngineVt mongo_vt = {
   .close = mongo_close,
   .aggregate = mt_mongo_aggregate,
   .collections = mongo_collections,
   .has_collection = mongo_has_collection,
   .collated = mt_mongo_is_collated,
   .stats = mongo_stats,
   .has_documents = mongo_has_documents,
   .indexes = mongo_indexes,
   .begin = mt_mongo_begin,
   .commit = mt_mongo_commit,
   .rollback = mt_mongo_rollback,
   .txn_begin = mt_txn_block,
   .own_collection = mt_mongo_own,
   .pieces = mt_mongo_pieces,
   .pieces_commit = mt_mongo_pieces_commit,
   .pieces_rollback = mt_mongo_pieces_rollback,
   .leftover = mt_mongo_leftover,
   .beat = mt_mongo_beat,
   .retire = mt_mongo_retire,
   .sent = mt_mongo_sent,
   .failed_late = mt_mongo_failed_late,
   .reconnect = mongo_reconnect,
   .create_collection = mt_mongo_create,
   .shard = mt_mongo_shard,
   .ensure_collection = mt_mongo_ensure,
   .drop_collection = mt_mongo_drop,
   .insert = mt_mongo_insert,
   .replace = mt_mongo_replace,
   .increment = mt_mongo_increment,
   .incremented = mt_mongo_incremented,
   .adjust = mt_mongo_adjust,
   .create_timeseries = mt_mongo_create_timeseries,
   .timeseries = mt_mongo_timeseries,
   .beside_txn = mt_mongo_beside_txn,
   .keep_newer = mt_mongo_keep_newer,
   .find_id = mt_mongo_find_id,
   .delete_id = mt_mongo_delete_id,
   .delete_apart = mt_mongo_delete_apart,
   .create_index = mt_mongo_create_index,
   .create_unique_index = mt_mongo_create_unique_index,
   .drop_unique_index = mt_mongo_drop_unique_index,
   .insert_absent = mt_mongo_insert_absent,
   .replace_same = mt_mongo_replace_same,
   .expire = mt_mongo_expire,
   .delete_matching = mt_mongo_delete_matching,
   .drop_index = mt_mongo_drop_index,
};

static void name_field (MtMongo *m)
{
   uint32_t random[2];
   if (getrandom (random, sizeof random, 0) != (ssize_t) sizeof random)
      random[0] = (uint32_t) getpid (), random[1] = (uint32_t) mt_now_us ();
   snprintf (m->beside_field, sizeof m->beside_field, "_mtsql_%08x%08x", random[0], random[1]);
}

bool mt_mongo_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err)
{
   if (!mt_driver_load (err))
      return false;
   MtMongo *m = mt_calloc ("connection", 1, sizeof *m);
   mt_engine_init (&m->base, &mongo_vt, options);
   m->base.caps.engine = "mongo";
   name_field (m);
   m->base.cancel = options->cancel;
   if (!mt_mongo_uri (target, options, &m->uri, err) || !mt_mongo_ready (m, err)) {
      mongo_close (&m->base);
      return false;
   }
   m->base.caps.router = m->conn->router;
   m->base.caps.atomic_write = m->base.caps.transactions = m->conn->txn_able;
   m->base.caps.pieces = true;
   m->base.caps.increments = m->base.caps.adjusts = m->base.caps.fresh_fields =
      m->base.caps.unique_indexes = true;
   m->base.caps.fresh_slots = m->conn->update_pipelines;
   m->base.caps.increment_bytes = SIZE_MAX;
   m->base.caps.atomic_bytes = m->conn->txn_able ? MT_TXN_BYTES : 0;
   mt_mongo_probe (m);
   /* Routers can't return an extra document of another collection with a pipeline's result
    * (beside.c), because they would run the $unionWith on another server. */
   m->base.caps.finds_beside = !m->conn->router &&
                               !mt_caps_lack (&m->base.caps, MT_UNION_WITH_COLLECTION);
   *out = &m->base;
   return true;
}
