/* Sends all waiting batches. Before, an undecided step becomes either plain or a transaction. */
#include "engine/mongo/write/write.h"

static bool is_waiting (const MtMongo *m)
{
   for (const MtMongoBatch *b = m->batches; b; b = b->next)
      if (b->ids)
         return true;
   return false;
}

bool mt_mongo_flush (MtMongo *m, MtError *err)
{
   if (!mt_mongo_settle (m, err) || (is_waiting (m) && !mt_txn_enter (m, err)))
      return false;
   for (MtMongoBatch *b = m->batches; b; b = b->next)
      if (!mt_mongo_send (m, b, err))
         return false;
   return true;
}

bool mt_txn_plain (MtMongo *m, MtError *err)
{
   if (m->step != MT_STEP_UNDECIDED)
      return true;
   m->step = MT_STEP_PLAIN;
   return mt_mongo_flush (m, err);
}

bool mt_txn_gathered (MtMongo *m, size_t bytes, bool *wait, MtError *err)
{
   m->step_bytes += bytes;
   *wait = m->step == MT_STEP_UNDECIDED && m->step_bytes <= MT_TXN_BYTES;
   if (m->base.in_txn && m->step_bytes > MT_TXN_BYTES) {
      mt_error (err, MT_E_LIMIT,
                "a transaction block inserts more than %zu MB, which servers don't take",
                MT_TXN_BYTES >> 20);
      return mt_error_hint (err, "A single statement outside of a block may insert any amount.");
   }
   return *wait || mt_txn_plain (m, err);
}

bool mt_txn_commit (MtMongo *m, MtError *err)
{
   bool conflict;
   if (m->step != MT_STEP_TRANSACTION)
      return true;
   if (!mt_txn_commit_once (m, &conflict, err) &&
       !(conflict && m->only_adds && mt_mongo_replay (m, true, err)))
      return false;
   m->step = MT_STEP_PLAIN;
   mt_mongo_forget_sent (m);
   return true;
}
