/* Finds, replaces and deletes single documents by _id. */
#include "engine/mongo/mongo_int.h"

bool mt_mongo_find (MtMongo *m, const char *collection, MtVal id, bson_t **doc, MtError *err)
{
   bson_t rules = BSON_INITIALIZER;
   *doc = NULL;
   bool ok = mt_mongo_append_collation (m, collection, &rules, err) &&
             mt_mongo_find_with (m, collection, id, &rules, doc, err);
   bson_destroy (&rules);
   return ok;
}

bool mt_mongo_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                       MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_ready (m, err) || !mt_mongo_flush (m, err) ||
       !mt_mongo_find (m, collection, id, doc, err))
      return false;
   if (*doc)
      mt_arena_defer (a, (void (*) (void *)) bson_destroy, *doc);
   return true;
}

bool mt_mongo_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_iter_t it;
   bson_error_t error;
   if (!bson_iter_init_find (&it, doc, "_id"))
      return mt_error (err, MT_E_PARAMETER, "a document that replaces another needs an _id");
   MtVal id = mt_v_from_iter (&it);
   if (!mt_mongo_may_change (m, collection, err) || !mt_mongo_ready (m, err) ||
       !mt_mongo_drop_before_use (m, collection, err) || !mt_txn_enter (m, err) ||
       !mt_mongo_flush (m, err) || !mt_mongo_remember_stored (m, collection, id, err))
      return false;
   bson_t filter = BSON_INITIALIZER, opts;
   mt_doc_add (&filter, "_id", id);
   mt_mongo_opts (m, &opts);
   mt_doc_printf (&opts, "upsert: true, validate: false");
   bool ok;
   int tries = 0;
   do
      ok = mongoc_collection_replace_one (mt_mongo_batch (m, collection, false)->coll, &filter, doc,
                                          &opts, NULL, &error);
   while (!ok && m->step == MT_STEP_PLAIN && mt_mongo_send_again (m, &error, &tries));
   bson_destroy (&opts);
   bson_destroy (&filter);
   return ok || mt_mongo_error (m, &error, true, err);
}

/* Deletes the document with this _id; *deleted is true if it existed. With `keeps`, remembers the
 * document, so that a rollback can restore it. */
static bool delete_id (MtMongo *m, const char *collection, MtVal id, bool keeps, bool *deleted,
                       MtError *err)
{
   bson_error_t error;
   if (!mt_mongo_may_change (m, collection, err) || !mt_mongo_ready (m, err) ||
       !mt_mongo_drop_before_use (m, collection, err) || !mt_txn_enter (m, err) ||
       !mt_mongo_flush (m, err) || (keeps && !mt_mongo_remember_stored (m, collection, id, err)))
      return false;
   bson_t filter = BSON_INITIALIZER, opts;
   mt_doc_add (&filter, "_id", id);
   mt_mongo_opts (m, &opts);
   bool ok;
   int tries = 0;
   do
      ok = mt_mongo_delete_one (mt_mongo_batch (m, collection, false)->coll, &filter, &opts,
                                deleted, &error);
   while (!ok && m->step == MT_STEP_PLAIN && mt_mongo_send_again (m, &error, &tries));
   bson_destroy (&opts);
   bson_destroy (&filter);
   return ok || mt_mongo_error (m, &error, true, err);
}

bool mt_mongo_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted, MtError *err)
{
   return delete_id ((MtMongo *) e, collection, id, true, deleted, err);
}

bool mt_mongo_delete_apart (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                            MtError *err)
{
   return delete_id ((MtMongo *) e, collection, id, !e->own_step, deleted, err);
}
