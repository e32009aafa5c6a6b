/* Checks whether a statement may change the objects that it names. */
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/system.h"

static bool deny_system (const MtName *schema, const MtName *name, MtGuarded intent, MtError *err)
{
   if (intent == MT_GUARD_CHANGE)
      return mt_error_at (err, name->span, MT_E_PRIVILEGE,
                          "permission denied: \"%s\" is a system catalog", name->text);
   mt_error_at (err, schema->span, MT_E_PRIVILEGE, "permission denied to create \"%s.%s\"",
                schema->text, name->text);
   return mt_error_detail (err, "System catalog modifications are currently disallowed.");
}

/* Checks that the statement may create or change `name` in the schema pg_temp: only temporary
 * tables can be there. */
static bool temporary_target (MtStatement *st, const MtName *schema, const MtName *name,
                              MtGuarded intent, MtError *err)
{
   bool there = intent == MT_GUARD_CREATE ? mt_creates_temporary (st->stmt)
                                          : mt_temporary_named (st->session, schema, name) != NULL;
   if (there || (intent == MT_GUARD_CHANGE && st->stmt->kind == MT_STMT_DROP_TABLE &&
                 st->stmt->drop.if_exists))
      return true;
   if (intent == MT_GUARD_CHANGE)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE,
                          "relation \"%s.%s\" does not exist", schema->text, name->text);
   return mt_error_at (err, schema->span, MT_E_FEATURE, "CREATE TEMPORARY VIEW is not supported");
}

/* Checks the name only for statements that find a table by its name alone, as most do. */
bool mt_not_hidden (MtStatement *st, const MtName *schema, const MtName *name, MtError *err)
{
   if (st->stmt->kind == MT_STMT_COMMENT || st->stmt->kind == MT_STMT_ANALYZE)
      return true;
   if (!schema || !schema->text || !mt_ieq (schema->text, "public") ||
       !mt_temporary_named (st->session, NULL, name))
      return true;
   mt_error_at (err, name->span, MT_E_FEATURE,
                "naming \"%s.%s\", which a temporary table hides, is not supported here",
                schema->text, name->text);
   return mt_error_hint (err,
                         "Drop or rename the temporary table first. SELECT can read both tables.");
}

bool mt_may (MtStatement *st, const MtName *schema, const MtName *name, MtGuarded intent,
             MtError *err)
{
   const MtTable *t;
   MtError ignored;
   if (!name->text)
      return true;
   if (schema && schema->text &&
       (mt_ieq (schema->text, "pg_catalog") || mt_ieq (schema->text, "information_schema")))
      return intent == MT_GUARD_CHANGE && !mt_is_system (schema, name)
                ? mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE,
                               "relation \"%s.%s\" does not exist", schema->text, name->text)
                : deny_system (schema, name, intent, err);
   if (mt_is_temporary_schema (schema))
      return temporary_target (st, schema, name, intent, err);
   if (intent == MT_GUARD_CHANGE && !mt_not_hidden (st, schema, name, err))
      return false;
   if (intent == MT_GUARD_CREATE && st->stmt->kind == MT_STMT_CREATE_TABLE &&
       st->stmt->create_table.temporary)
      return true; /* mt_temporary_set checks the schema */
   if (schema && schema->text)
      return mt_ieq (schema->text, "public") ||
             mt_error_at (err, schema->span, MT_E_SCHEMA, "schema \"%s\" does not exist",
                          schema->text);
   if (intent == MT_GUARD_CREATE ||
       (mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, &ignored) &&
        t))
      return true;
   return !mt_is_system (NULL, name) || deny_system (NULL, name, intent, err);
}

bool mt_may_change (MtStatement *st, const MtName *schema, const MtName *name, MtError *err)
{
   return mt_may (st, schema, name, MT_GUARD_CHANGE, err);
}

/* ---- materialized views ---- */

/* Returns whether a name means a materialized view. It does not if a temporary table of the same
 * name hides the view. */
static bool names_matview (MtSession *s, const MtName *name)
{
   return mt_is_matview (s, name->text) && !mt_temporary_named (s, NULL, name);
}

static bool refuse_write (MtSession *s, const MtName *name, MtError *err)
{
   return !names_matview (s, name) ||
          mt_error (err, MT_E_WRONG_OBJECT, "cannot change materialized view \"%s\"", name->text);
}

static bool refuse_drop (MtStatement *st, const char *kind, MtError *err)
{
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next)
      if (names_matview (st->session, &n->name)) {
         mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a %s", n->name.text, kind);
         return st->stmt->kind == MT_STMT_TRUNCATE
                   ? false
                   : mt_error_hint (err,
                                    "Use DROP MATERIALIZED VIEW to remove a materialized view.");
      }
   return true;
}

static const char *column_action (MtAlterKind k)
{
   switch (k) {
   case MT_ALTER_ADD_COLUMN: return "ADD COLUMN";
   case MT_ALTER_DROP_COLUMN: return "DROP COLUMN";
   default: return "ALTER COLUMN";
   }
}

static bool refuse_alter (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.table;
   MtAlterKind k = st->stmt->alter_table.action;
   bool is = names_matview (st->session, name);
   if (st->stmt->alter_table.materialized && !is) {
      const MtTable *t;
      return !mt_need_table (st, name, &t, err)
                ? st->stmt->alter_table.if_exists
                : mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a materialized view",
                            name->text);
   }
   if (!is || k == MT_ALTER_RENAME_TO || k == MT_ALTER_SET_SCHEMA || k == MT_ALTER_ADD_LAYOUT ||
       k == MT_ALTER_DROP_LAYOUT ||
       (st->stmt->alter_table.materialized && k == MT_ALTER_SET_OPTIONS))
      return true;
   if (k == MT_ALTER_RENAME_COLUMN)
      return mt_error_at (err, name->span, MT_E_FEATURE,
                          "renaming columns of a materialized view is not supported");
   if (k == MT_ALTER_SET_OPTIONS || k == MT_ALTER_RESET_OPTIONS) {
      mt_error_at (err, name->span, MT_E_FEATURE,
                   "expire_after is not supported for materialized views");
      return mt_error_hint (
         err, "Add a WHERE clause to its query, or set expire_after for the tables that it reads.");
   }
   mt_error (err, MT_E_WRONG_OBJECT, "ALTER action %s cannot be performed on relation \"%s\"",
             column_action (k), name->text);
   return mt_error_detail (err, "This operation is not supported for materialized views.");
}

bool mt_matview_admits (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   if (s->kind == MT_STMT_INSERT)
      return refuse_write (st->session, &s->insert.table, err);
   if (s->kind == MT_STMT_UPDATE || s->kind == MT_STMT_DELETE || s->kind == MT_STMT_MERGE)
      return refuse_write (st->session, &s->change.table, err);
   if (s->kind == MT_STMT_COPY && s->copy.from && s->copy.table.text)
      return !mt_is_matview (st->session, s->copy.table.text) ||
             mt_error (err, MT_E_WRONG_OBJECT, "cannot copy to materialized view \"%s\"",
                       s->copy.table.text);
   if (s->kind == MT_STMT_TRUNCATE || s->kind == MT_STMT_DROP_TABLE)
      return refuse_drop (st, "table", err);
   if (s->kind == MT_STMT_DROP_VIEW)
      return refuse_drop (st, "view", err);
   return s->kind != MT_STMT_ALTER_TABLE || refuse_alter (st, err);
}
