/* Undoes increments, by updates that subtract the amounts and remove the fields that the increments
 * set. */
#include "engine/mongo/undo/undo.h"

bool mt_mongo_take_back (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it;
   bson_t reply;
   int64_t sent = 0;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   mongoc_bulk_operation_t *bulk = mt_mongo_unordered (coll);
   bson_iter_init (&it, u->doc);
   bool ok = true;
   for (; ok && bson_iter_next (&it); sent++) {
      MtMongoInc op = mt_mongo_inc (mt_v_from_iter (&it));
      ok = mt_increment_add_opposite (bulk, &op);
   }
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, &reply, NULL) != 0 &&
           mt_mongo_reply_number (&reply, "nMatched") == sent;
      bson_destroy (&reply);
   }
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   return ok;
}

bool mt_mongo_give_back (MtMongo *m, const char *collection, const MtMongoInc *was,
                         const MtMongoInc *is)
{
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, collection);
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (coll, NULL);
   bool adds = mt_has_fields (was->amounts), takes = mt_has_fields (is->amounts);
   bool ok = (!adds || mt_increment_add (bulk, was, NULL)) &&
             (!takes || mt_increment_add_opposite (bulk, is));
   ok = ok && ((!adds && !takes) || mongoc_bulk_operation_execute (bulk, NULL, NULL) != 0);
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   return ok;
}
