/* Temporary tables at the end of a transaction, and DISCARD TEMP. */
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/run/run.h"

#include <string.h>

static bool end_one (MtStatement *st, const MtTable *t, bool drop, MtError *err)
{
   MtSession *s = st->session;
   if (drop || t->on_commit == MT_COMMIT_DROPS)
      return mt_drop_one_table (st, t, err);
   if (!mt_step_begin (s, err))
      return false;
   if (mt_truncate_table (st, t, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

/* Runs the ON COMMIT actions of all temporary tables; discard: drops the tables instead. */
static bool end_tables (MtSession *s, bool discard, MtError *err)
{
   size_t n;
   MtStatement st;
   MtArena *a = mt_arena_new ("temporary tables", NULL);
   const MtTable *const *all = mt_catalog_tables (s->catalog, &n);
   const MtTable **list = MT_NEW_N (a, const MtTable *, n + 1);
   bool ok = true;
   memcpy (list, all, n * sizeof *list);
   mt_statement_init (s, a, NULL, &st);
   mt_engine_aim_temporary (s->engine, true);
   for (size_t i = 0; i < n && ok; i++)
      if (list[i]->temporary && (discard || list[i]->on_commit != MT_COMMIT_KEEPS))
         ok = end_one (&st, list[i], discard, err);
   mt_engine_aim_temporary (s->engine, false);
   mt_arena_free (a);
   return ok;
}

bool mt_temporary_commit (MtSession *s, MtError *err)
{
   MtEngine *e = mt_engine_temporary (s->engine);
   return !e || !mt_engine_txn_wrote (e) || end_tables (s, false, err);
}

bool mt_temporary_discard (MtSession *s, MtError *err)
{
   return !mt_engine_temporary (s->engine) || end_tables (s, true, err);
}
