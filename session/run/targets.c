/* Checks whether statements may change the objects that they name. */
#include "session/core/core.h"
#include "session/run/run.h"
#include "session/run/statement.h"
#include "session/core/system.h"

bool mt_may_drop (MtStatement *st, MtError *err)
{
   const MtNameList *schema = st->stmt->drop.schemas;
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      bool elsewhere = schema && schema->name.text && !mt_ieq (schema->name.text, "public") &&
                       !mt_is_system (&schema->name, &n->name);
      if (!(elsewhere && st->stmt->drop.if_exists) &&
          !mt_may (st, schema ? &schema->name : NULL, &n->name, MT_GUARD_CHANGE, err))
         return false;
      schema = schema ? schema->next : NULL;
   }
   return true;
}

bool mt_may_change_target (MtStatement *st, MtError *err)
{
   return mt_may (st, mt_stmt_schema (st->stmt), mt_stmt_target (st->stmt), MT_GUARD_CHANGE, err);
}

bool mt_may_create_target (MtStatement *st, MtError *err)
{
   return mt_may (st, mt_stmt_schema (st->stmt), mt_stmt_target (st->stmt), MT_GUARD_CREATE, err);
}

bool mt_may_check (MtStatement *st, MtError *err)
{
   return mt_not_hidden (st, mt_stmt_schema (st->stmt), mt_stmt_target (st->stmt), err);
}

bool mt_may_copy (MtStatement *st, MtError *err)
{
   if (st->stmt->copy.from)
      return mt_may_change_target (st, err);
   return !st->stmt->copy.table.text || mt_may_check (st, err);
}

/* Checks an ANALYZE. A system table is allowed, though nothing is done for it. */
bool mt_may_analyze (MtStatement *st, MtError *err)
{
   const MtName *name = mt_stmt_target (st->stmt);
   return (name->text && mt_is_system (mt_stmt_schema (st->stmt), name)) ||
          mt_may_change_target (st, err);
}

/* ---- temporary tables ---- */

/* Returns whether all names in the list of a statement (drop.names) are temporary tables. */
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
