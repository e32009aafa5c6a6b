/* Which of the rows' targets statements may be about. */
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

/* ANALYZE of what the catalog itself has does nothing. */
bool mt_may_analyze (MtStatement *st, MtError *err)
{
   const MtName *name = mt_stmt_target (st->stmt);
   return (name->text && mt_is_system (mt_stmt_schema (st->stmt), name)) ||
          mt_may_change_target (st, err);
}

bool mt_check_names (MtStatement *st, MtError *err)
{
   const MtStmtRow *row = mt_stmt_row (st->stmt);
   return !row->admits || row->admits (st, err);
}
