/* DISCARD, UNLISTEN and LOCK TABLE. */
#include "session/core/core.h"
#include "session/core/objects.h"
#include "layouts/pack/prealloc.h"
#include "session/state/advisory.h"
#include "session/core/sequence.h"
#include "session/dml/dml.h"
#include "session/run/run.h"
#include "session/state/session.h"

bool mt_run_discard (MtStatement *st, MtError *err)
{
   static const char *const tags[] = {"DISCARD ALL", "DISCARD PLANS", "DISCARD SEQUENCES",
                                      "DISCARD TEMP", "UNLISTEN"};
   MtSession *s = st->session;
   mt_result_set_tag (st->result, tags[st->stmt->discard]);
   if (st->stmt->discard == MT_DISCARD_TEMP)
      return mt_temporary_discard (s, err);
   if (st->stmt->discard == MT_DISCARD_SEQUENCES)
      mt_sequences_forget (s);
   if (st->stmt->discard != MT_DISCARD_ALL) /* DISCARD PLANS and UNLISTEN have nothing to do */
      return true;
   if (s->txn.state != MT_TRANSACTION_NONE)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "DISCARD ALL cannot run inside a transaction block");
   mt_cursors_close (s);
   mt_prepared_forget (s);
   mt_advisory_release_all (s);
   mt_sequences_forget (s);
   mt_settings_init (s);
   mt_prealloc_free (s->prealloc);
   s->prealloc = NULL;
   return mt_temporary_discard (s, err);
}

/* ---- LOCK TABLE ---- */

bool mt_run_lock (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "LOCK TABLE");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtTable *t;
      if (!mt_is_view (st->session, n->name.text) && !mt_need_table (st, &n->name, &t, err))
         return false;
   }
   mt_notice (st->session, "NOTICE", NULL, "LOCK TABLE has no effect");
   return true;
}
