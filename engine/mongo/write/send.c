/* Sends a batch of inserts or increments.
 *
 * If a transaction meets another client's write, the server may end the whole transaction. If it
 * has only inserted and incremented, it is repeated by sending its batches again. So batches that
 * were sent are kept, up to MT_TXN_BYTES. */
#include "engine/mongo/write/write.h"

static bool send_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err)
{
   bool ok = b->increments ? mt_mongo_increment_once (m, b, conflict, err)
                           : mt_mongo_insert_once (m, b, conflict, err);
   *conflict &= !m->lost;
   return ok;
}

/* Repeats the transaction once: starts a new one and sends all kept batches. *conflict is true if
 * the server has ended it again. */
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
   if (!ok && conflict) /* if a cancel prevented the retry, the error is the cancel's */
      mt_cancel_check (m->base.cancel, err);
   return ok;
}

/* Moves the contents of a batch to m->sent, so that the transaction can be repeated. `b` keeps only
 * its name. */
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

/* Returns whether the transaction could be repeated with this batch. Not if the caller gave its
 * _ids: another client could insert the same _id meanwhile, and the error would be misleading. */
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

static bool send_waiting (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   if (m->step == MT_STEP_TRANSACTION)
      return send_adding (m, b, err);
   return b->increments ? mt_mongo_send_increments (m, b, err) : mt_mongo_send_inserts (m, b, err);
}

bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   if (!b->ids)
      return true;
   bool ok = send_waiting (m, b, err);
   mt_batch_clear (b);
   return ok;
}
