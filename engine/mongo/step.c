/* Begins, commits and rolls back steps (all writes between begin and commit).
 *
 * Without a transaction on the server, other clients see each write at once. Only collections to be
 * dropped stay until the commit.
 *
 * In a transaction whose steps are committed one by one (mt_engine_txn_in_pieces), a rollback
 * undoes all of them. Each step puts a mark into the undo list. Collections to be dropped stay
 * until the whole transaction commits. */
#include "engine/mongo/mongo_int.h"

#include <string.h>

bool mt_mongo_begin (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_ready (m, err))
      return false;
   if (m->base.in_pieces) {
      mt_undo_add (m, MT_UNDO_STEP, "");
   } else {
      mt_mongo_forget_undo (m);
      m->leftover.n = 0;
   }
   m->drops_before = m->drop_count;
   m->made = 0;
   m->beat_gone = false;
   mt_mongo_forget_prefix (m);
   mt_mongo_forget_outcome (m);
   mt_txn_begin_step (m);
   return true;
}

/* Called when a step (a batch of writes) is committed: drops the collections that the step was to
 * drop, and forgets how to undo the step. */
static bool drop_all (MtMongo *m, MtError *err)
{
   bool ok = true;
   for (size_t i = 0; ok && i < m->drop_count; i++)
      ok = mt_mongo_drop_now (m, m->drops[i], err);
   mt_drops_forget (m, 0);
   mt_mongo_forget_undo (m);
   m->leftover.n = 0;
   return ok;
}

bool mt_mongo_commit (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bool ok = mt_mongo_flush (m, err) && mt_txn_commit (m, err) &&
             (!e->in_pieces || !m->undo_full || mt_undo_too_much (err));
   if (!ok) {
      mt_mongo_rollback (e);
      return false;
   }
   return e->in_pieces || drop_all (m, err);
}

/* Undoes the step (the writes since its begin), or with `all` the whole transaction. Afterwards the
 * list of collations may be invalid, because another client may create a collection of the same
 * name with another collation. */
static void roll_back (MtMongo *m, bool all)
{
   MtUndo *rest = NULL;
   mt_mongo_settle (m, NULL);
   mt_mongo_forget_outcome (m);
   mt_mongo_discard (m);
   m->knows_collations &= m->collated.n == 0 || !mt_undo_makes_collections (m);
   all |= !mt_cancel_check (
      m->base.cancel,
      NULL); /* no marks: the job undoes all entries in order, and may go on after a cancel */
   if (all)
      mt_undo_remove_marks (m);
   else
      rest = mt_undo_cut_step (m);
   mt_mongo_undo (m);
   mt_drops_forget (m, all ? 0 : m->drops_before);
   mt_mongo_forget_undo (m);
   m->undo = rest;
}

void mt_mongo_rollback (MtEngine *e) { roll_back ((MtMongo *) e, !e->in_pieces); }

/* ---- steps that are undone together ---- */

void mt_mongo_pieces (MtEngine *e)
{
   MtMongo *m = (MtMongo *) e;
   mt_mongo_forget_undo (m);
   m->leftover.n = 0;
}

bool mt_mongo_pieces_commit (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!m->drop_count || mt_mongo_ready (m, err))
      return drop_all (m, err);
   roll_back (m, true);
   return false;
}

void mt_mongo_pieces_rollback (MtEngine *e) { roll_back ((MtMongo *) e, true); }

const char *mt_mongo_leftover (const MtEngine *e)
{
   const MtMongo *m = (const MtMongo *) e;
   return m->leftover.n ? m->leftover.p : NULL;
}
