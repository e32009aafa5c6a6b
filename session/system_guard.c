/* What statements may change: the catalog's own tables and schemas are only read. */
#include "session/statement.h"
#include "session/system_int.h"

typedef enum Intent { INTENT_CREATE, INTENT_CHANGE } Intent;

static bool denied (const MtName *schema, const MtName *name, Intent intent, MtError *err)
{
   if (intent == INTENT_CHANGE)
      return mt_error_at (err, name->span, "42501", "permission denied: \"%s\" is a system catalog", name->text);
   mt_error_at (err, schema->span, "42501", "permission denied to create \"%s.%s\"", schema->text, name->text);
   return mt_error_detail (err, "System catalog modifications are currently disallowed.");
}

/* The schema of what is the session's own. */
static bool temporary_target (MtStatement *st, const MtName *schema, const MtName *name, Intent intent, MtError *err)
{
   bool there = intent == INTENT_CREATE ? mt_creates_temporary (st->stmt) : mt_temporary_named (st->session, schema, name) != NULL;
   if (there || (intent == INTENT_CHANGE && st->stmt->kind == MT_STMT_DROP_TABLE && st->stmt->drop.if_exists))
      return true;
   if (intent == INTENT_CHANGE)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "relation \"%s.%s\" does not exist", schema->text, name->text);
   return mt_error_at (err, schema->span, MT_E_FEATURE, "CREATE TEMPORARY VIEW is not supported");
}

/* Most statements find what they are about by its name alone. */
static bool not_hidden (MtStatement *st, const MtName *schema, const MtName *name, MtError *err)
{
   if (st->stmt->kind == MT_STMT_COMMENT || st->stmt->kind == MT_STMT_ANALYZE)
      return true;
   if (!schema || !schema->text || !mt_ieq (schema->text, "public") || !mt_temporary_named (st->session, NULL, name))
      return true;
   mt_error_at (err, name->span, MT_E_FEATURE, "naming \"%s.%s\", which a temporary table hides, is not supported here", schema->text, name->text);
   return mt_error_hint (err, "Drop the temporary table, or give it another name, before. SELECT can read both.");
}

static bool may (MtStatement *st, const MtName *schema, const MtName *name, Intent intent, MtError *err)
{
   const MtTable *t;
   MtError ignored;
   if (!name->text)
      return true;
   if (schema && schema->text && (mt_ieq (schema->text, "pg_catalog") || mt_ieq (schema->text, "information_schema")))
      return intent == INTENT_CHANGE && !mt_is_system (schema, name) ? mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "relation \"%s.%s\" does not exist", schema->text, name->text)
                                                                     : denied (schema, name, intent, err);
   if (mt_is_temporary_schema (schema))
      return temporary_target (st, schema, name, intent, err);
   if (intent == INTENT_CHANGE && !not_hidden (st, schema, name, err))
      return false;
   if (schema && schema->text)
      return mt_ieq (schema->text, "public") || mt_error_at (err, schema->span, "3F000", "schema \"%s\" does not exist", schema->text);
   if (intent == INTENT_CREATE || (mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, &ignored) && t))
      return true;
   return !mt_is_system (NULL, name) || denied (NULL, name, intent, err);
}

bool mt_may_change (MtStatement *st, const MtName *schema, const MtName *name, MtError *err)
{
   return may (st, schema, name, INTENT_CHANGE, err);
}

bool mt_may_drop (MtStatement *st, MtError *err)
{
   const MtNameList *schema = st->stmt->drop.schemas;
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      bool elsewhere = schema && schema->name.text && !mt_ieq (schema->name.text, "public") && !mt_is_system (&schema->name, &n->name);
      if (!(elsewhere && st->stmt->drop.if_exists) && !may (st, schema ? &schema->name : NULL, &n->name, INTENT_CHANGE, err))
         return false;
      schema = schema ? schema->next : NULL;
   }
   return true;
}

bool mt_may_change_target (MtStatement *st, MtError *err)
{
   return may (st, mt_stmt_schema (st->stmt), mt_stmt_target (st->stmt), INTENT_CHANGE, err);
}

bool mt_may_create_target (MtStatement *st, MtError *err)
{
   return may (st, mt_stmt_schema (st->stmt), mt_stmt_target (st->stmt), INTENT_CREATE, err);
}

bool mt_may_check (MtStatement *st, MtError *err)
{
   return not_hidden (st, mt_stmt_schema (st->stmt), mt_stmt_target (st->stmt), err);
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
   return (name->text && mt_is_system (mt_stmt_schema (st->stmt), name)) || mt_may_change_target (st, err);
}

bool mt_check_names (MtStatement *st, MtError *err)
{
   const MtStmtRow *row = mt_stmt_row (st->stmt);
   return !row->admits || row->admits (st, err);
}
