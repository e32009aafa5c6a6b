/* Which statements are about temporary tables, and what becomes of those when a transaction
 * commits. */
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/run/run.h"
#include "session/run/statement.h"

#include <string.h>

/* Whether all of a list are. */
static bool all_named (MtSession *s, const MtStmt *stmt)
{
   const MtNameList *schema = stmt->drop.schemas;
   for (const MtNameList *n = stmt->drop.names; n; n = n->next) {
      if (!mt_temporary_named (s, schema ? &schema->name : NULL, &n->name))
         return false;
      schema = schema ? schema->next : NULL;
   }
   return true;
}

static bool all_indexes (MtSession *s, const MtStmt *stmt)
{
   for (const MtNameList *n = stmt->drop.names; n; n = n->next) {
      const MtCatalogObject *o;
      bson_iter_t it;
      mt_catalog_find_object (s->catalog, "index", n->name.text, &o);
      if (!o || !bson_iter_init_find (&it, o->body, "table") || !BSON_ITER_HOLDS_UTF8 (&it) ||
          !mt_is_temporary (bson_iter_utf8 (&it, NULL)))
         return false;
   }
   return true;
}

static bool is_about_temporary (MtSession *s, const MtStmt *stmt)
{
   unsigned flags = mt_stmt_row (stmt)->flags;
   if (!(flags & MT_SF_TEMPORARY))
      return false;
   if (stmt->kind == MT_STMT_CREATE_TABLE)
      return mt_creates_temporary (stmt);
   if (stmt->kind == MT_STMT_DROP_INDEX)
      return all_indexes (s, stmt);
   return flags & MT_SF_NAMES
             ? all_named (s, stmt)
             : mt_temporary_named (s, mt_stmt_schema (stmt), mt_stmt_target (stmt)) != NULL;
}

bool mt_changes_temporary_rows (MtSession *s, const MtStmt *stmt)
{
   return (mt_stmt_row (stmt)->flags & MT_SF_ROWS) && is_about_temporary (s, stmt);
}

bool mt_aim (MtStatement *st, MtError *err)
{
   MtEngine *e = st->session->engine;
   if (mt_creates_temporary (st->stmt) && !mt_engine_keep_temporary (e, err))
      return false;
   mt_engine_aim_temporary (e, is_about_temporary (st->session, st->stmt));
   return true;
}

/* ---- the end of a transaction ---- */

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

/* All of them go, or those whose ON COMMIT says something have it done. */
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
