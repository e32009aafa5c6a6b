/* Sending a batch.
 *
 * A transaction that gave way is over as a whole. Where it did nothing but add, to documents that
 * others change in the same way or under _ids of its own, it is done again from its beginning by
 * what it sent, which is kept for that while it isn't too much. */
#include "engine/mongo/write/write.h"

static bool send_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err)
{
   bool ok = b->increments ? mt_mongo_increment_once (m, b, conflict, err)
                           : mt_mongo_insert_once (m, b, conflict, err);
   *conflict &= !m->lost;
   return ok;
}

/* From the beginning, in a transaction of its own. *conflict: it gave way again. */
static bool replay (MtMongo *m, bool *conflict, MtError *err)
{
   m->made = m->made_before_txn;
   if (!mt_txn_restart (m, err))
      return false;
   bool ok = true;
   for (MtMongoBatch *b = m->sent; b && ok; b = b->next)
      ok = send_once (m, b, conflict, err);
   return ok;
}

bool mt_mongo_replay (MtMongo *m, bool commit, MtError *err)
{
   bool ok = false, conflict = true;
   for (int tries = 0; !ok && conflict && m->only_adds && mt_mongo_wait_turn (m, tries, NULL);
        tries++) {
      conflict = false;
      mt_error_clear (err);
      ok = replay (m, &conflict, err) && (!commit || mt_txn_commit_once (m, &conflict, err));
   }
   if (!ok && conflict) /* the statement is to end, which is why it wasn't tried again, or it was
                           tried often enough */
      mt_cancel_check (m->base.cancel, err);
   return ok;
}

/* The batch goes to those that were sent. */
static void keep_sent (MtMongo *m, MtMongoBatch *b)
{
   MtMongoBatch *copy = bson_malloc0 (sizeof *copy), **end = &m->sent;
   *copy = *b;
   copy->name = bson_strdup (b->name);
   copy->coll = mongoc_collection_copy (b->coll);
   copy->next = NULL;
   b->ids = NULL;
   b->docs = (MtBuf) {0};
   while (*end)
      end = &(*end)->next;
   *end = copy;
}

/* An _id that another client may have inserted meanwhile would be an error when it is sent again,
 * and not what the statement meant. */
static bool can_go_on (const MtMongo *m, const MtMongoBatch *b)
{
   return m->only_adds && m->step_bytes <= MT_TXN_BYTES && (b->increments || b->fresh);
}

static bool send_adding (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   bool conflict;
   if (!can_go_on (m, b)) {
      m->only_adds = false;
      mt_mongo_forget_sent (m);
      return send_once (m, b, &conflict, err);
   }
   bool ok = send_once (m, b, &conflict, err);
   keep_sent (m, b);
   return ok || (conflict && mt_mongo_replay (m, false, err));
}

bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   if (!b->ids)
      return true;
   bool ok = m->step == MT_STEP_TRANSACTION ? send_adding (m, b, err)
             : b->increments                ? mt_mongo_send_increments (m, b, err)
                                            : mt_mongo_send_inserts (m, b, err);
   mt_batch_clear (b);
   return ok;
}
