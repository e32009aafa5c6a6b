/* What statements may change: the catalog's own tables and schemas are only read. */
#include "session/core/core.h"
#include "session/core/system.h"

static bool denied (const MtName *schema, const MtName *name, MtGuarded intent, MtError *err)
{
   if (intent == MT_GUARD_CHANGE)
      return mt_error_at (err, name->span, "42501", "permission denied: \"%s\" is a system catalog",
                          name->text);
   mt_error_at (err, schema->span, "42501", "permission denied to create \"%s.%s\"", schema->text,
                name->text);
   return mt_error_detail (err, "System catalog modifications are currently disallowed.");
}

/* The schema of what is the session's own. */
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

/* Most statements find what they are about by its name alone. */
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
   return mt_error_hint (
      err, "Drop the temporary table, or give it another name, before. SELECT can read both.");
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
                : denied (schema, name, intent, err);
   if (mt_is_temporary_schema (schema))
      return temporary_target (st, schema, name, intent, err);
   if (intent == MT_GUARD_CHANGE && !mt_not_hidden (st, schema, name, err))
      return false;
   if (schema && schema->text)
      return mt_ieq (schema->text, "public") ||
             mt_error_at (err, schema->span, "3F000", "schema \"%s\" does not exist", schema->text);
   if (intent == MT_GUARD_CREATE ||
       (mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, &ignored) &&
        t))
      return true;
   return !mt_is_system (NULL, name) || denied (NULL, name, intent, err);
}

bool mt_may_change (MtStatement *st, const MtName *schema, const MtName *name, MtError *err)
{
   return mt_may (st, schema, name, MT_GUARD_CHANGE, err);
}
