/* Changes numbers of a document that several clients change at the same time (mt_engine_adjust).
 * Each change is one update command, so that no client overwrites another's change. */
#include "engine/mongo/mongo_int.h"

static void put (bson_t *to, const char *op, const bson_t *values)
{
   if (values && !bson_empty (values))
      mt_doc_add_doc (to, op, values);
}

/* Builds the filter and the update document of an update command for the change `a` of the document
 * `id`. */
static void command (MtVal id, const MtAdjust *a, bson_t *filter, bson_t *update)
{
   bson_init (filter);
   bson_init (update);
   mt_doc_add (filter, "_id", id);
   if (a->also)
      bson_concat (filter, a->also);
   put (update, "$inc", a->add);
   put (update, "$min", a->lower);
   put (update, "$max", a->raise);
   put (update, "$set", a->set);
   put (update, "$setOnInsert", a->first);
}

static bool add (mongoc_bulk_operation_t *bulk, MtVal id, const MtAdjust *a, bson_error_t *e)
{
   bson_t filter, update, opts = BSON_INITIALIZER;
   command (id, a, &filter, &update);
   mt_doc_add (&opts, "upsert", mt_v_bool (a->first != NULL));
   bool ok = mongoc_bulk_operation_update_one_with_opts (bulk, &filter, &update, &opts, e);
   bson_destroy (&opts);
   bson_destroy (&update);
   bson_destroy (&filter);
   return ok;
}

enum { MOST_TOGETHER = 4 };

/* Changes of several documents that one bulk write makes in this order. `done` of them have
 * succeeded. */
typedef struct Together {
   MtVal ids[MOST_TOGETHER];
   const MtAdjust *how[MOST_TOGETHER];
   size_t count, done;
} Together;

static void note_came (void *ctx, size_t index)
{
   Together *t = ctx;
   bool *came = t->how[t->done + index]->came;
   if (came)
      *came = true;
}

/* Sends, in one bulk write without a retry, all changes that are not done yet, and advances
 * t->done. *found is true if the document of the first change existed. (The other changes are
 * upserts, which always match. So it existed if as many documents matched as changes were made.) */
static bool try_together (MtMongo *m, const char *collection, Together *t, bool *found,
                          bson_error_t *e)
{
   bson_t reply;
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (
      mt_mongo_batch (m, collection, false)->coll, NULL);
   mt_mongo_comment_bulk (m, bulk);
   if (m->conn->session)
      mongoc_bulk_operation_set_client_session (bulk, m->conn->session);
   bool ok = true;
   for (size_t i = t->done; i < t->count && ok; i++)
      ok = add (bulk, t->ids[i], t->how[i], e);
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, &reply, e) != 0;
      MtWriteErrors errors = mt_mongo_write_errors (&reply);
      size_t left = t->count - t->done, done = ok ? left : 0;
      if (!ok && mt_mongo_next_write_error (&errors) && errors.index < left)
         done = errors.index;
      int64_t met = mt_mongo_reply_number (&reply, "nMatched") +
                    mt_mongo_reply_number (&reply, "nUpserted");
      if (!t->done && done)
         *found = met >= (int64_t) done;
      mt_mongo_each_upserted (&reply, left, note_came, t);
      t->done += done;
      bson_destroy (&reply);
   }
   mongoc_bulk_operation_destroy (bulk);
   return ok;
}

static bool adjust_together (MtMongo *m, const char *collection, MtVal id, const MtAdjust *a,
                             bool *found, MtError *err)
{
   bson_error_t e = {0};
   Together t = {0};
   bool ok = false, again = true;
   *found = false;
   for (; a && t.count < MOST_TOGETHER; id = a->then_id, a = a->then) {
      t.ids[t.count] = id;
      t.how[t.count++] = a;
   }
   for (int tries = 0; !ok && again; tries++) {
      ok = try_together (m, collection, &t, found, &e);
      again = !ok && (mt_mongo_gave_way (e.code, e.message) || mt_mongo_is_duplicate (e.code)) &&
              mt_mongo_wait_turn (m, tries, NULL);
   }
   /* If the reply was lost, assume that the document was created. */
   for (size_t i = 0; i < t.count; i++)
      m->beat_gone |= t.how[i]->came && (*t.how[i]->came || !ok);
   return ok || mt_mongo_error (m, &e, true, err);
}

/* Changes the document by findAndModify, and returns the changed document in *a->after (NULL: not
 * found). */
static bool adjust_and_read (MtMongo *m, const char *collection, MtVal id, const MtAdjust *a,
                             bool *found, MtError *err)
{
   bson_error_t error = {0};
   bson_t filter, update, reply;
   mongoc_collection_t *coll = mt_mongo_batch (m, collection, false)->coll;
   mongoc_find_and_modify_opts_t *opts = mongoc_find_and_modify_opts_new ();
   bool ok = false, again = true;
   command (id, a, &filter, &update);
   mongoc_find_and_modify_opts_set_update (opts, &update);
   mongoc_find_and_modify_opts_set_flags (opts, MONGOC_FIND_AND_MODIFY_RETURN_NEW |
                                                   (a->first ? MONGOC_FIND_AND_MODIFY_UPSERT
                                                             : MONGOC_FIND_AND_MODIFY_NONE));
   *a->after = NULL;
   for (int tries = 0; !ok && again; tries++) {
      ok = mongoc_collection_find_and_modify_with_opts (coll, &filter, opts, &reply, &error);
      MtVal doc = ok ? mt_doc_field (mt_v_doc (&reply), "value") : mt_v_null ();
      if (doc.type == MT_DOC) {
         bson_t view;
         *a->after = mt_doc_new (a->a);
         if (bson_init_static (&view, doc.p, doc.len))
            bson_concat (*a->after, &view);
      }
      again = !ok &&
              (mt_mongo_gave_way (error.code, error.message) ||
               (a->first && mt_mongo_is_duplicate (error.code))) &&
              mt_mongo_wait_turn (m, tries, NULL);
      bson_destroy (&reply);
   }
   *found = *a->after != NULL;
   mongoc_find_and_modify_opts_destroy (opts);
   bson_destroy (&update);
   bson_destroy (&filter);
   return ok || mt_mongo_error (m, &error, true, err);
}

bool mt_mongo_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found,
                      MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   bson_t filter, update, opts, reply, *old = NULL;
   bool remember = a->undone && m->step == MT_STEP_PLAIN && mt_mongo_keeps (m);
   if (!mt_mongo_ready (m, err) || (a->within && !mt_mongo_flush (m, err)) ||
       (remember && !mt_mongo_find (m, collection, id, &old, err)))
      return false;
   if (a->after)
      return adjust_and_read (m, collection, id, a, found, err);
   if (a->then)
      return adjust_together (m, collection, id, a, found, err);
   command (id, a, &filter, &update);
   if (a->within)
      mt_mongo_opts (m, &opts);
   else
      mt_mongo_plain_opts (m, &opts);
   mt_doc_add (&opts, "upsert", mt_v_bool (a->first != NULL));
   mongoc_collection_t *coll = mt_mongo_batch (m, collection, false)->coll;
   bool ok = false, again = true;
   for (int tries = 0; !ok && again; tries++) {
      ok = mongoc_collection_update_one (coll, &filter, &update, &opts, &reply, &error);
      *found = ok && (mt_mongo_reply_number (&reply, "matchedCount") ||
                      mt_mongo_reply_number (&reply, "upsertedCount"));
      /* An error ends a transaction on the server, so a retry is useless. */
      bool whole = a->within && m->step == MT_STEP_TRANSACTION;
      again = !ok && !whole &&
              (mt_mongo_gave_way (error.code, error.message) ||
               (a->first && mt_mongo_is_duplicate (error.code))) &&
              mt_mongo_wait_turn (m, tries, NULL);
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
