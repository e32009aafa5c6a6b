/* Heartbeats: a number in each listed document is incremented every BEAT_MS, even while the session
 * is busy. So other clients can distinguish a slow writer from a dead one.
 *
 * A thread with a connection of its own increments the numbers. It starts with the first listed
 * document, and connects when a document has been listed for BEAT_MS. It reports no errors, because
 * a writer that others declared dead finds that out before it commits. */
#include "engine/mongo/conn/conn.h"

#include "base/memory.h"
#include "base/thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BEAT_MS = 2000, BEAT_LIMIT_MS = 4000 /* for one update, including connecting */ };

struct MtBeat {
   pthread_t thread;
   pthread_mutex_t lock; /* protects `ids` and `ends` */
   pthread_cond_t changed;
   bson_t *ids; /* array of the listed documents' _ids; NULL: none */
   bool ends;
   MtCancel cancel; /* ends the thread's waits */
   mongoc_uri_t *uri;
   char *database, *collection, *path;
   MtLink link;             /* only the thread uses `link` and `client` */
   mongoc_client_t *client; /* NULL: not connected */
};

static void disconnect (MtBeat *b)
{
   if (b->client)
      mongoc_client_destroy (b->client);
   b->client = NULL;
   b->link = (MtLink) {.cancel = &b->cancel};
}

static void send_beat (MtBeat *b, const bson_t *ids)
{
   bson_t filter = BSON_INITIALIZER, update = BSON_INITIALIZER;
   MtVal all = mt_v_array (ids);
   b->link.limit_ms = mt_now_ms () + BEAT_LIMIT_MS;
   if (!b->client)
      b->client = mt_mongo_client (b->uri, &b->link);
   if (!b->client)
      return;
   mt_doc_printf (&filter, "_id: {$in: %p}", (void *) &all);
   mt_doc_printf (&update, "$inc: {%s: %" PRId64 "}", b->path, INT64_C (1));
   mongoc_collection_t *coll = mongoc_client_get_collection (b->client, b->database, b->collection);
   bool ok = mongoc_collection_update_many (coll, &filter, &update, NULL, NULL, NULL);
   mongoc_collection_destroy (coll);
   if (!ok)
      disconnect (b);
   bson_destroy (&update);
   bson_destroy (&filter);
}

/* The thread's loop. The caller holds the lock. A new list of documents does not restart the
 * interval. */
static void beat (MtBeat *b)
{
   while (!b->ends) {
      if (!b->ids) {
         pthread_cond_wait (&b->changed, &b->lock);
         continue;
      }
      int64_t at = mt_now_ms () + BEAT_MS;
      while (!b->ends && mt_now_ms () < at)
         mt_cond_wait_until (&b->changed, &b->lock, at);
      if (b->ends || !b->ids)
         continue;
      bson_t *ids = bson_copy (b->ids);
      pthread_mutex_unlock (&b->lock);
      send_beat (b, ids);
      bson_destroy (ids);
      pthread_mutex_lock (&b->lock);
   }
}

static void *run (void *arg)
{
   MtBeat *b = arg;
   pthread_mutex_lock (&b->lock);
   beat (b);
   pthread_mutex_unlock (&b->lock);
   disconnect (b);
   return NULL;
}

static void free_beat (MtBeat *b)
{
   pthread_cond_destroy (&b->changed);
   pthread_mutex_destroy (&b->lock);
   bson_destroy (b->ids);
   mongoc_uri_destroy (b->uri);
   bson_free (b->database);
   bson_free (b->collection);
   bson_free (b->path);
   free (b);
}

static MtBeat *new_beat (const MtMongo *m, const char *collection, const char *path)
{
   MtBeat *b = mt_calloc ("connection", 1, sizeof *b);
   pthread_mutex_init (&b->lock, NULL);
   mt_cond_init (&b->changed);
   b->uri = mongoc_uri_copy (m->uri);
   mongoc_uri_set_option_as_int32 (b->uri, MONGOC_URI_CONNECTTIMEOUTMS, BEAT_MS);
   mongoc_uri_set_option_as_int32 (b->uri, MONGOC_URI_SERVERSELECTIONTIMEOUTMS, BEAT_MS);
   b->database = bson_strdup (mongoc_database_get_name (m->conn->db));
   b->collection = bson_strdup (collection);
   b->path = bson_strdup (path);
   b->link.cancel = &b->cancel;
   return b;
}

void mt_mongo_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids)
{
   MtMongo *m = (MtMongo *) e;
   bool any = ids && !bson_empty (ids);
   if (!m->beat && any && m->conn) {
      m->beat = new_beat (m, collection, path);
      if (!mt_thread_start (&m->beat->thread, run, m->beat)) {
         free_beat (m->beat);
         m->beat = NULL;
      }
   }
   MtBeat *b = m->beat;
   if (!b)
      return;
   pthread_mutex_lock (&b->lock);
   if (any && !b->ids)
      pthread_cond_signal (&b->changed);
   bson_destroy (b->ids);
   b->ids = any ? bson_copy (ids) : NULL;
   pthread_mutex_unlock (&b->lock);
}

bool mt_mongo_beats_stand (MtMongo *m)
{
   bson_iter_t it;
   bool stand = !m->beat_gone;
   if (!m->beat || !m->beat->ids ||
       !bson_iter_init (&it, m->beat->ids)) /* only the session's thread changes ids */
      return stand;
   while (stand && bson_iter_next (&it)) {
      bson_t *doc = NULL;
      stand = !mt_mongo_find_with (m, m->beat->collection, mt_v_from_iter (&it), NULL, &doc,
                                   NULL) ||
              doc;
      bson_destroy (doc);
   }
   return stand;
}

/* Deletes the document with this _id. Returns false if it did not exist, or if the outcome is
 * unknown. */
static bool removed (mongoc_collection_t *coll, MtVal id)
{
   bson_t filter = BSON_INITIALIZER;
   bool found;
   mt_doc_add (&filter, "_id", id);
   mt_mongo_delete_one (coll, &filter, NULL, &found, NULL);
   bson_destroy (&filter);
   return found;
}

bool mt_mongo_beat_retire (MtMongo *m, unsigned *found)
{
   unsigned listed = 0;
   bson_iter_t it;
   if (!m->beat || !m->beat->ids || m->lost || !m->conn ||
       !bson_iter_init (&it, m->beat->ids)) /* only the session's thread changes ids */
      return true;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, m->beat->collection);
   for (; bson_iter_next (&it); listed++)
      *found += removed (coll, mt_v_from_iter (&it));
   mongoc_collection_destroy (coll);
   return *found >= listed;
}

void mt_mongo_beat_fini (MtMongo *m)
{
   MtBeat *b = m->beat;
   if (!b)
      return;
   atomic_store (&b->cancel.insisted, true);
   pthread_mutex_lock (&b->lock);
   b->ends = true;
   pthread_cond_signal (&b->changed);
   pthread_mutex_unlock (&b->lock);
   pthread_join (b->thread, NULL);
   free_beat (b);
   m->beat = NULL;
}
