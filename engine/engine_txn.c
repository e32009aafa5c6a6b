/* Transactions of several steps. The engine's function `begin` is called at the first step, and its
 * `commit` or `rollback` at the end of the transaction. Each single step is only a savepoint in
 * it. */
#include "engine/implement.h"

bool mt_engine_in_txn (const MtEngine *e) { return e->in_txn; }
bool mt_engine_txn_wrote (const MtEngine *e) { return e->txn_open || e->txn_lost; }

bool mt_engine_txn_begin (MtEngine *e, MtError *err)
{
   if (e->in_step || e->in_txn || e->in_pieces)
      return mt_error (err, MT_E_IN_USE, "a step of writing is open already");
   e->in_txn = true;
   e->txn_open = e->txn_lost = false;
   return !e->temporary || mt_engine_txn_begin (e->temporary, err);
}

bool mt_engine_in_pieces (const MtEngine *e) { return e->in_pieces; }

bool mt_engine_txn_in_pieces (MtEngine *e, MtError *err)
{
   if (e->in_pieces)
      return true;
   if (e->txn_open || e->txn_lost || !e->in_txn || !e->caps.pieces) {
      mt_error (
         err, MT_E_FEATURE,
         "making and dropping collections in a transaction block that has written is not supported "
         "on a server");
      return mt_error_hint (err, "Begin the block with the statement that makes or drops them.");
   }
   e->in_txn = false;
   e->in_pieces = true;
   e->vt->pieces (e);
   return true;
}

static bool commit_target (MtEngine *e, MtError *err)
{
   if (e->txn_lost)
      return mt_error (err, MT_E_ROLLED_BACK, "the transaction was rolled back by the server");
   return e->in_pieces ? e->vt->pieces_commit (e, err) : !e->txn_open || e->vt->commit (e, err);
}

static void over (MtEngine *e)
{
   e->in_txn = e->txn_open = e->txn_lost = e->in_pieces = false;
   if (e->vt->freeze)
      e->vt->freeze (e, false, NULL);
}

bool mt_engine_txn_commit (MtEngine *e, MtError *err)
{
   bool ok = commit_target (e, err);
   over (e);
   if (!ok && e->temporary)
      mt_engine_txn_rollback (e->temporary);
   return ok && (!e->temporary || mt_engine_txn_commit (e->temporary, err));
}

void mt_engine_txn_rollback (MtEngine *e)
{
   if (e->in_pieces)
      e->vt->pieces_rollback (e);
   else if (e->txn_open)
      e->vt->rollback (e);
   over (e);
   if (e->temporary)
      mt_engine_txn_rollback (e->temporary);
}

bool mt_engine_txn_freeze (MtEngine *e, MtError *err)
{
   return e->vt->freeze ? e->vt->freeze (e, true, err)
                        : mt_error (err, MT_E_FEATURE, "this target has no snapshots");
}

/* ---- savepoints ---- */

bool mt_engine_mark (MtEngine *e, size_t *mark, MtError *err)
{
   *mark = 0;
   return !e->txn_open || e->vt->mark (e, mark, err);
}

void mt_engine_return (MtEngine *e, size_t mark)
{
   if (e->in_pieces) {
      e->vt->pieces_rollback (e);
   } else if (e->txn_open && mark) {
      e->vt->return_to (e, mark);
   } else if (e->txn_open) {
      e->vt->rollback (e);
      e->txn_open = false;
   }
}

void mt_engine_unmark (MtEngine *e, size_t mark)
{
   if (e->txn_open && mark)
      e->vt->unmark (e, mark);
}

bool mt_engine_see (MtEngine *e, MtError *err)
{
   if (e->temporary && e->temporary->in_step && !mt_engine_see (e->temporary, err))
      return false;
   return e->aimed || !e->vt->see || e->vt->see (e, err);
}

/* ---- steps in a transaction ---- */

static bool begin_all (MtEngine *e, MtError *err)
{
   if (!e->caps.transactions) {
      mt_error (err, MT_E_FEATURE,
                "writing in a transaction block is not supported on this server");
      return mt_error_hint (
         err, "It has no transactions: end the block, and each statement is a step of its own.");
   }
   if (!e->vt->begin (e, err))
      return false;
   if (!e->vt->txn_begin || e->vt->txn_begin (e, err))
      return true;
   e->vt->rollback (e);
   return false;
}

bool mt_txn_step_begin (MtEngine *e, MtError *err)
{
   if (e->txn_lost)
      return mt_error (
         err, MT_E_IN_FAILED_TRANSACTION,
         "current transaction is aborted, commands ignored until end of transaction block");
   bool first = !e->txn_open;
   if (first && !begin_all (e, err))
      return false;
   e->txn_open = true;
   e->step_mark = 0;
   e->made_before = 0;
   if (!first && e->caps.increments && !e->vt->incremented (e, &e->made_before, err))
      return false;
   if (!e->vt->mark || first || e->vt->mark (e, &e->step_mark, err))
      return true;
   return false;
}

bool mt_txn_step_commit (MtEngine *e, MtError *err)
{
   if (e->vt->see && !e->vt->see (e, err)) {
      mt_txn_step_rollback (e);
      return false;
   }
   mt_engine_unmark (e, e->step_mark);
   return true;
}

void mt_txn_step_rollback (MtEngine *e)
{
   if (e->vt->return_to) {
      mt_engine_return (e, e->step_mark);
      mt_engine_unmark (e, e->step_mark);
      return;
   }
   e->vt->rollback (e);
   e->txn_open = false;
   e->txn_lost = true;
}
