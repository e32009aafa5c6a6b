/* What statements may change: the catalog's own tables and schemas are only read. */
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

static bool may_drop (MtStatement *st, MtError *err)
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

bool mt_check_names (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   switch (s->kind) {
   case MT_STMT_PREALLOCATE: return may (st, &s->preallocate.schema, &s->preallocate.table, INTENT_CHANGE, err);
   case MT_STMT_INSERT: return may (st, &s->insert.schema, &s->insert.table, INTENT_CHANGE, err);
   case MT_STMT_UPDATE:
   case MT_STMT_DELETE: return may (st, &s->change.schema, &s->change.table, INTENT_CHANGE, err);
   case MT_STMT_ALTER_TABLE: return may (st, &s->alter_table.schema, &s->alter_table.table, INTENT_CHANGE, err);
   case MT_STMT_COPY:
      return s->copy.from ? may (st, &s->copy.schema, &s->copy.table, INTENT_CHANGE, err) : !s->copy.table.text || not_hidden (st, &s->copy.schema, &s->copy.table, err);
   case MT_STMT_CHECK: return not_hidden (st, &s->maintain.schema, &s->maintain.table, err);
   case MT_STMT_CREATE_TABLE: return may (st, &s->create_table.schema, &s->create_table.name, INTENT_CREATE, err);
   case MT_STMT_CREATE_VIEW: return may (st, &s->create_view.schema, &s->create_view.name, INTENT_CREATE, err);
   case MT_STMT_CREATE_INDEX: return may (st, &s->create_index.schema, &s->create_index.table, INTENT_CHANGE, err);
   case MT_STMT_COMMENT: return may (st, &s->comment.schema, &s->comment.name, INTENT_CHANGE, err);
   case MT_STMT_ANALYZE: return !s->maintain.table.text || mt_is_system (&s->maintain.schema, &s->maintain.table) || may (st, &s->maintain.schema, &s->maintain.table, INTENT_CHANGE, err);
   case MT_STMT_TRUNCATE: case MT_STMT_DROP_TABLE: case MT_STMT_DROP_VIEW: case MT_STMT_DROP_MATVIEW: return may_drop (st, err);
   case MT_STMT_SELECT: case MT_STMT_PREPARE: case MT_STMT_EXECUTE: case MT_STMT_DEALLOCATE: case MT_STMT_SET: case MT_STMT_RESET: case MT_STMT_SHOW:
   case MT_STMT_EXPLAIN: case MT_STMT_CREATE_FUNCTION: case MT_STMT_DROP_FUNCTION: case MT_STMT_CREATE_LAYOUT: case MT_STMT_DROP_LAYOUT: case MT_STMT_DROP_INDEX:
   case MT_STMT_LOAD: case MT_STMT_TRANSACTION: case MT_STMT_DISCARD: case MT_STMT_DECLARE: case MT_STMT_FETCH: case MT_STMT_CLOSE:
   case MT_STMT_REFRESH: case MT_STMT_CALL: break;
   case MT_STMT_REPAIR: return may (st, &s->maintain.schema, &s->maintain.table, INTENT_CHANGE, err);
   case MT_STMT_VACUUM: return !s->maintain.table.text || may (st, &s->maintain.schema, &s->maintain.table, INTENT_CHANGE, err);
   }
   return true;
}
