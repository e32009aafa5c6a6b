/* Undoes definitions: drops and renames collections, and drops indexes, each by a command of its
 * own. */
#include "engine/mongo/undo/undo.h"

#include <string.h>

bool mt_mongo_drop_now (MtMongo *m, const char *name, MtError *err)
{
   bson_error_t e;
   bson_t opts;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, name);
   mt_mongo_plain_opts (m, &opts);
   bool ok = mongoc_collection_drop_with_opts (coll, &opts, &e);
   bson_destroy (&opts);
   mongoc_collection_destroy (coll);
   /* A new collection of the same name may have another collation or none, so read the list
    * again. */
   m->knows_collations &= m->collated.n == 0;
   if (ok || strcmp (mt_mongo_state (e.code, e.message), MT_E_UNDEFINED_TABLE) == 0)
      return true;
   return mt_mongo_error (m, &e, true, err);
}

bool mt_mongo_rename_now (MtMongo *m, const char *name, const char *to, MtError *err)
{
   bson_t cmd = BSON_INITIALIZER;
   bson_error_t e;
   const char *db = mongoc_database_get_name (m->conn->db);
   MtBuf from = {0}, target = {0};
   mt_buf_printf (&from, "%s.%s", db, name);
   mt_buf_printf (&target, "%s.%s", db, to);
   mt_doc_printf (&cmd, "renameCollection: %s, to: %s", from.p, target.p);
   bool ok = mongoc_client_command_simple (m->conn->client, "admin", &cmd, NULL, NULL, &e) ||
             mt_mongo_error (m, &e, true, err);
   if (ok)
      mt_drops_rename (m, name, to);
   mt_buf_free (&target);
   mt_buf_free (&from);
   bson_destroy (&cmd);
   return ok;
}

bool mt_mongo_drop_index_now (MtMongo *m, const char *collection, const char *name, MtError *err)
{
   enum { NO_INDEX = 27, NO_COLLECTION = 26 };
   bson_t cmd = BSON_INITIALIZER, opts;
   bson_error_t error;
   mt_doc_printf (&cmd, "dropIndexes: %s, index: %s", collection, name);
   mt_mongo_plain_opts (m, &opts);
   bool ok = mongoc_database_write_command_with_opts (m->conn->db, &cmd, &opts, NULL, &error);
   bson_destroy (&opts);
   bson_destroy (&cmd);
   return ok || error.code == NO_INDEX || error.code == NO_COLLECTION ||
          mt_mongo_error (m, &error, true, err);
}
