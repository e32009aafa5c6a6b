/* Steps (all writes between begin and commit) as transactions, on servers that have them.
 *
 * Servers limit the time of a transaction, so a long load can't be one. A step begins undecided,
 * and collects its inserts in batches. It becomes a transaction when it reads, replaces or deletes,
 * or when it commits with at most MT_TXN_BYTES. It becomes plain (no transaction) when it grows
 * larger, or creates or drops collections. The step of a single call is plain from the
 * beginning. */
#include "engine/mongo/write/write.h"

#include <string.h>

void mt_txn_begin_step (MtMongo *m)
{
   m->step_bytes = 0;
   bool alone = m->base.own_step && !m->base.in_txn;
   m->step = alone || m->base.in_pieces || !m->conn->txn_able ? MT_STEP_PLAIN : MT_STEP_UNDECIDED;
}

bool mt_txn_enter (MtMongo *m, MtError *err)
{
   bson_error_t e;
   if (m->step != MT_STEP_UNDECIDED)
      return true;
   if (!m->conn->write_session &&
       !(m->conn->write_session = mongoc_client_start_session (m->conn->client, NULL, &e)))
      return mt_mongo_error (m, &e, true, err);
   if (!mongoc_client_session_start_transaction (m->conn->write_session, NULL, &e))
      return mt_mongo_error (m, &e, true, err);
   mt_mongo_forget_undo (m); /* from now on, the server undoes the step */
   m->step = MT_STEP_TRANSACTION;
   m->only_adds = !m->base.in_txn;
   m->made_before_txn = m->made;
   return true;
}

bool mt_txn_block (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (m->step == MT_STEP_UNDECIDED)
      return mt_txn_enter (m, err);
   return mt_error (err, MT_E_FEATURE,
                    "writing in a transaction block is not supported on this server");
}

bool mt_txn_restart (MtMongo *m, MtError *err)
{
   bson_error_t e;
   mongoc_client_session_abort_transaction (m->conn->write_session, NULL);
   return mongoc_client_session_start_transaction (m->conn->write_session, NULL, &e) ||
          mt_mongo_error (m, &e, true, err);
}

bool mt_txn_commit_once (MtMongo *m, bool *conflict, MtError *err)
{
   bson_error_t e = {0};
   bson_t reply;
   m->committing = true;
   bool ok = mongoc_client_session_commit_transaction (m->conn->write_session, &reply, &e);
   *conflict = !ok && mt_mongo_conflict (&reply, &e);
   bson_destroy (&reply);
   if (!ok)
      mt_mongo_error (m, &e, true, err);
   m->committing = false;
   *conflict &= !m->lost;
   return ok;
}

/* Aborts the transaction on the server that the step (a batch of writes) uses. After a lost
 * connection nothing is sent: the server ends the transaction with its session, which the next
 * connection kills. */
void mt_txn_abort (MtMongo *m)
{
   const MtConn *c = m->conn;
   if (m->step == MT_STEP_TRANSACTION && c && c->write_session && !m->lost && !c->link.given_up)
      mongoc_client_session_abort_transaction (c->write_session, NULL);
   m->step = MT_STEP_PLAIN;
}

bool mt_txn_no_definition (const MtMongo *m, MtError *err)
{
   if (!m->base.in_txn)
      return true;
   mt_error (
      err, MT_E_FEATURE,
      "making and dropping collections and indexes in a transaction block is not supported on a "
      "server");
   return mt_error_hint (err, "Do it before the block, or after it.");
}

bool mt_txn_undoable (const MtMongo *m, const char *collection, MtError *err)
{
   if (!m->base.in_pieces || mt_mongo_made_in_step (m, collection))
      return true;
   mt_error (
      err, MT_E_FEATURE,
      "this change of collection \"%s\" is not supported in a transaction block on a server: it "
      "can't be undone",
      collection);
   return mt_error_hint (err, "Do it before the block, or after it.");
}
