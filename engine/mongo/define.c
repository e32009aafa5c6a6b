/* Creates, shards and drops collections and indexes on a server. */
#include "engine/mongo/mongo_int.h"

#include <stdlib.h>
#include <string.h>

bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_txn_no_definition (m, err) || !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) ||
       !mt_mongo_flush (m, err))
      return false;
   m->drops = bson_realloc (m->drops, (m->drop_count + 1) * sizeof *m->drops);
   m->drops[m->drop_count++] = bson_strdup (name);
   return true;
}

/* Called when a name is needed that belongs to a collection to be dropped at the commit: renames
 * that collection to a temporary name. */
static bool put_aside (MtMongo *m, const char *name, MtError *err)
{
   bson_oid_t oid;
   char to[sizeof MT_MONGO_DROPPED + 24] = MT_MONGO_DROPPED;
   bool has;
   if (!mt_mongo_look_up (m, name, &has, err))
      return false;
   bson_oid_init (&oid, NULL);
   bson_oid_to_string (&oid, to + sizeof MT_MONGO_DROPPED - 1);
   if (!has) {
      mt_drops_rename (m, name, to);
      return true;
   }
   MtUndo *u = mt_undo_add (m, MT_UNDO_RENAME, name);
   u->doc = bson_new ();
   mt_doc_add_text (u->doc, "to", to);
   mt_undo_add (m, MT_UNDO_CREATE, name); /* a rollback drops the new collection of that name */
   return mt_mongo_rename_now (m, name, to, err);
}

bool mt_mongo_drop_before_use (MtMongo *m, const char *name, MtError *err)
{
   for (size_t i = 0; i < m->drop_count; i++)
      if (strcmp (m->drops[i], name) == 0) {
         if (!mt_mongo_settle (m, err))
            return false;
         if (m->base.in_pieces)
            return put_aside (m, name, err);
         if (!mt_mongo_drop_now (m, name, err))
            return false;
         bson_free (m->drops[i]);
         m->drops[i] = m->drops[--m->drop_count];
         mt_mongo_leave (m, name); /* a rollback can't restore a dropped collection */
         return true;
      }
   return true;
}

static bool create_now (MtMongo *m, const char *name, const bson_t *opts, bson_error_t *error)
{
   mongoc_collection_t *coll;
   int tries = 0;
   do
      coll = mongoc_database_create_collection (m->conn->db, name, opts, error);
   while (!coll && mt_mongo_send_again (m, error, &tries));
   if (coll)
      mongoc_collection_destroy (coll);
   return coll != NULL;
}

bool mt_mongo_create_with (MtMongo *m, const char *name, const bson_t *options, bson_error_t *error,
                           MtError *err)
{
   bool has;
   /* Check this first, because newer servers accept a second create with the same options. */
   if (!mt_txn_no_definition (m, err) || !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) ||
       !mt_mongo_drop_before_use (m, name, err) ||
       !mt_engine_has_collection (&m->base, name, &has, err))
      return false;
   if (has)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "collection \"%s\" already exists", name);
   bson_t opts;
   mt_mongo_plain_opts (m, &opts);
   if (options)
      bson_concat (&opts, options);
   /* Record it before the command is sent, because the reply can be lost. */
   mt_undo_add (m, MT_UNDO_CREATE, name);
   bool ok = create_now (m, name, &opts, error);
   bson_destroy (&opts);
   return ok;
}

void mt_mongo_own (MtEngine *e, const char *name)
{
   MtMongo *m = (MtMongo *) e;
   if (mt_mongo_keeps (m))
      mt_undo_add (m, MT_UNDO_CREATE, name);
}

bool mt_mongo_create (MtEngine *e, const char *name, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   return mt_mongo_create_with (m, name, NULL, &error, err) ||
          (!mt_error_is_set (err) && mt_mongo_error (m, &error, true, err));
}

static bool admin_command (MtMongo *m, const char *command, const char *target, const bson_t *key,
                           MtError *err)
{
   bson_t cmd = BSON_INITIALIZER, reply;
   bson_error_t error;
   mt_doc_add_text (&cmd, command, target);
   if (key)
      mt_doc_add_doc (&cmd, "key", key);
   bool ok = mongoc_client_command_simple (m->conn->client, "admin", &cmd, NULL, &reply, &error) ||
             mt_mongo_error (m, &error, true, err);
   bson_destroy (&reply);
   bson_destroy (&cmd);
   return ok;
}

/* Shards a collection. Before MongoDB 6.0, sharding of the database must be enabled first. */
bool mt_mongo_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_txn_no_definition (m, err) || !mt_txn_undoable (m, collection, err) ||
       !mt_mongo_ready (m, err) || !mt_txn_plain (m, err))
      return false;
   const char *db = mongoc_database_get_name (m->conn->db);
   MtBuf name = {0};
   mt_buf_printf (&name, "%s.%s", db, collection);
   bool ok = admin_command (m, "enableSharding", db, NULL, err) &&
             admin_command (m, "shardCollection", name.p, key, err);
   mt_buf_free (&name);
   return ok;
}

/* ---- indexes ---- */

static void index_name (const MtUniqueIndex *x, MtBuf *out)
{
   mt_buf_adds (out, x->name ? x->name : "");
   for (size_t i = 0; i < x->count && !x->name; i++)
      mt_buf_printf (out, "%s%s_1", i ? "_" : "", x->paths[i]);
}

/* Drops an index. If x->name is NULL, its name is computed from the paths, as for creation. */
static bool drop_index (MtMongo *m, const char *collection, const MtUniqueIndex *x, MtError *err)
{
   MtBuf name = {0};
   if (!mt_txn_no_definition (m, err) || !mt_txn_undoable (m, collection, err) ||
       !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) || !mt_mongo_flush (m, err))
      return false;
   index_name (x, &name);
   bool ok = mt_mongo_drop_index_now (m, collection, name.p ? name.p : "", err);
   mt_buf_free (&name);
   return ok;
}

bool mt_mongo_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                          size_t count, MtError *err)
{
   return drop_index ((MtMongo *) e, collection, &(MtUniqueIndex) {.paths = paths, .count = count},
                      err);
}

bool mt_mongo_drop_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                 MtError *err)
{
   return drop_index ((MtMongo *) e, collection, x, err);
}

/* Records that a rollback must drop the index, if the reply of createIndexes says that it is
 * new. */
static void remember_index (MtMongo *m, const char *collection, const char *name,
                            const bson_t *reply)
{
   if (!m->base.in_pieces || mt_mongo_reply_number (reply, "numIndexesAfter") <=
                                mt_mongo_reply_number (reply, "numIndexesBefore"))
      return;
   MtUndo *u = mt_undo_add (m, MT_UNDO_INDEX, collection);
   u->doc = bson_new ();
   mt_doc_add_text (u->doc, "name", name);
}

static bool send_index (MtMongo *m, const char *collection, const MtUniqueIndex *x, bool unique,
                        MtError *err)
{
   enum { OPTIONS_CONFLICT = 85 };
   bson_t cmd = BSON_INITIALIZER, key = BSON_INITIALIZER, opts, reply = BSON_INITIALIZER;
   bson_error_t error;
   MtBuf name = {0};
   for (size_t i = 0; i < x->count; i++)
      mt_doc_add_int (&key, x->paths[i], 1);
   index_name (x, &name);
   MtVal on = mt_v_doc (&key), is_unique = unique ? mt_v_bool (true) : mt_v_missing (),
         filter = x->filter ? mt_v_doc (x->filter) : mt_v_missing ();
   mt_doc_printf (&cmd,
                  "createIndexes: %s, indexes: [{key: %p, name: %s, unique: %p, "
                  "partialFilterExpression: %p}]",
                  collection, (void *) &on, name.p ? name.p : "", (void *) &is_unique,
                  (void *) &filter);
   mt_mongo_plain_opts (m, &opts);
   bool ok;
   int tries = 0;
   do {
      bson_destroy (&reply);
      ok = mongoc_database_write_command_with_opts (m->conn->db, &cmd, &opts, &reply, &error);
   } while (!ok && mt_mongo_send_again (m, &error, &tries));
   /* An index on these fields exists under another name: two keys of the same columns share it. */
   if (!ok && unique && error.code == OPTIONS_CONFLICT &&
       strstr (error.message, "already exists with a different name"))
      ok = true;
   else if (ok)
      remember_index (m, collection, name.p ? name.p : "", &reply);
   bson_destroy (&reply);
   bson_destroy (&opts);
   bson_destroy (&key);
   bson_destroy (&cmd);
   mt_buf_free (&name);
   return ok || mt_mongo_error (m, &error, true, err);
}

bool mt_mongo_create_index (MtEngine *e, const char *collection, const char *const *paths,
                            size_t count, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   return mt_txn_no_definition (m, err) && mt_mongo_ready (m, err) && mt_txn_plain (m, err) &&
          mt_mongo_flush (m, err) &&
          send_index (m, collection, &(MtUniqueIndex) {.paths = paths, .count = count}, false, err);
}

bool mt_mongo_create_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                   MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (x->may_exist)
      return mt_mongo_ready (m, err) && send_index (m, collection, x, true, err);
   return mt_txn_no_definition (m, err) && mt_mongo_ready (m, err) && mt_txn_plain (m, err) &&
          mt_mongo_flush (m, err) && mt_mongo_may_change (m, collection, err) &&
          send_index (m, collection, x, true, err);
}

bool mt_mongo_ensure (MtEngine *e, const char *name, const char *const *paths, size_t count,
                      MtError *err)
{
   enum { COLLECTION_EXISTS = 48 };
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   bson_t opts;
   if (!mt_mongo_ready (m, err) || !mt_mongo_drop_before_use (m, name, err))
      return false;
   mt_mongo_plain_opts (m, &opts);
   bool made = create_now (m, name, &opts, &error);
   bson_destroy (&opts);
   if (!made && error.code != COLLECTION_EXISTS)
      return mt_mongo_error (m, &error, true, err);
   return !count ||
          send_index (m, name, &(MtUniqueIndex) {.paths = paths, .count = count}, false, err);
}
