/* Numbers of one document that several clients keep: added to, and bounds that only move outwards, so that nobody takes back what another one wrote. */
#include "engine/mongo/mongo_int.h"

static void put (bson_t *to, const char *op, const bson_t *values)
{
   if (values && !bson_empty (values))
      bson_append_document (to, op, -1, values);
}

bool mt_mongo_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   bson_t filter = BSON_INITIALIZER, update = BSON_INITIALIZER, opts, reply, *old = NULL;
   bool remember = a->undone && m->step == MT_STEP_PLAIN && !m->base.own_step;
   if (!mt_mongo_ready (m, err) || (a->within && !mt_mongo_flush (m, err)) || (remember && !mt_mongo_find (m, collection, id, &old, err)))
      return false;
   mt_v_append (&filter, "_id", 3, id);
   if (a->also)
      bson_concat (&filter, a->also);
   put (&update, "$inc", a->add);
   put (&update, "$min", a->lower);
   put (&update, "$max", a->raise);
   put (&update, "$set", a->set);
   put (&update, "$setOnInsert", a->first);
   if (a->within)
      mt_mongo_opts (m, &opts);
   else
      mt_mongo_plain_opts (m, &opts);
   BSON_APPEND_BOOL (&opts, "upsert", a->first != NULL);
   mongoc_collection_t *coll = mt_mongo_batch (m, collection, false)->coll;
   bool ok = false, again = true;
   for (int tries = 0; !ok && again; tries++) {
      ok = mongoc_collection_update_one (coll, &filter, &update, &opts, &reply, &error);
      *found = ok && (mt_mongo_reply_number (&reply, "matchedCount") || mt_mongo_reply_number (&reply, "upsertedCount"));
      bool whole = a->within && m->step == MT_STEP_TRANSACTION; /* which is over with what it did before */
      again = !ok && !whole && (mt_mongo_gave_way (error.code, error.message) || (a->first && mt_mongo_is_duplicate (error.code))) && mt_mongo_wait_turn (m, tries, NULL);
      bson_destroy (&reply);
   }
   if (old && (*found || !ok))
      mt_mongo_remember_old (m, collection, old);
   else if (old)
      bson_destroy (old);
   bson_destroy (&opts);
   bson_destroy (&update);
   bson_destroy (&filter);
   return ok || mt_mongo_error (m, &error, true, err);
}
