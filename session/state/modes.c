/* The modes of transactions: isolation level, read-only, deferrable. */
#include "session/state/session.h"

#include <string.h>

static const char *const isolation_names[] = {"", "read uncommitted", "read committed",
                                              "repeatable read", "serializable"};

const char *mt_isolation_name (MtIsolation i) { return isolation_names[i]; }

bool mt_check_isolation (MtSession *s, MtIsolation i, MtError *err)
{
   if (i < MT_REPEATABLE_READ || mt_engine_caps (s->engine)->snapshots)
      return true;
   mt_error (err, MT_E_FEATURE, "isolation level %s is not supported on this server",
             isolation_names[i]);
   return mt_error_hint (
      err, "Use READ COMMITTED: each read there returns the data committed at that time.");
}

MtTxnModes mt_txn_modes (MtTxnModes otherwise, MtTxnModes said)
{
   return (MtTxnModes) {said.isolation ? said.isolation : otherwise.isolation,
                        said.access ? said.access : otherwise.access,
                        said.deferrable ? said.deferrable : otherwise.deferrable};
}

bool mt_set_transaction (MtSession *s, MtTxnModes said, MtError *err)
{
   MtTransaction *t = &s->txn;
   MtTxnModes *m = &t->modes;
   if (t->state == MT_TRANSACTION_NONE) {
      mt_notice (s, "WARNING", NULL, "SET TRANSACTION can only be used in transaction blocks");
      return true;
   }
   if (said.isolation && said.isolation != m->isolation && t->queried)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "SET TRANSACTION ISOLATION LEVEL must be called before any query");
   if (said.isolation && said.isolation != m->isolation && t->savepoints)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction");
   if (said.access == MT_ACCESS_WRITE && m->access == MT_ACCESS_READ && t->queried)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "transaction read-write mode must be set before any query");
   if (said.deferrable && t->queried)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "SET TRANSACTION [NOT] DEFERRABLE must be called before any query");
   if (!mt_check_isolation (s, said.isolation, err))
      return false;
   *m = mt_txn_modes (*m, said);
   return true;
}
