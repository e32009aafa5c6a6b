/* Temporary tables. Their documents and their catalog entries live in the engine's temporary
 * store (engine/engine.h), so transactions can undo them. */
#include "session/core/core.h"
#include "session/state/session.h"

#include <string.h>

/* ---- statements and temporary tables ---- */

bool mt_is_temporary_schema (const MtName *schema)
{
   return schema && schema->text && mt_ieq (schema->text, "pg_temp");
}

bool mt_creates_temporary (const MtStmt *s)
{
   return s->kind == MT_STMT_CREATE_TABLE &&
          (s->create_table.temporary || mt_is_temporary_schema (&s->create_table.schema));
}

const MtTable *mt_temporary_named (MtSession *s, const MtName *schema, const MtName *name)
{
   const MtTable *t = NULL;
   MtError ignored;
   if (!name->text || (schema && schema->text && !mt_is_temporary_schema (schema)))
      return NULL;
   return mt_catalog_find_among (s->catalog, MT_TEMPORARY_TABLES, name->text,
                                 mt_name_is_exact (name), &t, &ignored)
             ? t
             : NULL;
}

bool mt_hidden_by_temporary (MtSession *s, const char *name)
{
   return mt_temporary_named (s, NULL, &(MtName) {name, true, MT_NO_SPAN}) != NULL;
}

/* ---- CREATE ---- */

bool mt_temporary_set (MtStatement *st, MtTable *t, MtError *err)
{
   const MtStmt *s = st->stmt;
   const MtName *schema = &s->create_table.schema;
   t->temporary = mt_creates_temporary (s);
   if (s->create_table.temporary && schema->text && !mt_is_temporary_schema (schema))
      return mt_error_at (err, schema->span, MT_E_TABLE_DEFINITION,
                          "cannot create temporary relation in non-temporary schema");
   if (s->create_table.on_commit && !t->temporary)
      return mt_error (err, MT_E_TABLE_DEFINITION,
                       "ON COMMIT can only be used on temporary tables");
   t->on_commit = MT_COMMIT_KEEPS;
   if (s->create_table.on_commit == MT_ON_COMMIT_DROP)
      t->on_commit = MT_COMMIT_DROPS;
   else if (s->create_table.on_commit == MT_ON_COMMIT_DELETE)
      t->on_commit = MT_COMMIT_EMPTIES;
   return true;
}

bool mt_temporary_place (MtArena *a, const MtTable *t, MtLayout *l, MtError *err)
{
   for (size_t i = 0; i < l->store_count; i++) {
      MtStoreDesc *s = &l->stores[i];
      bool is = mt_is_temporary (s->collection);
      if (is && !t->temporary)
         return mt_error (err, MT_E_PARAMETER,
                          "collection names that begin with \"" MT_TEMPORARY
                          "\" are reserved for temporary tables");
      if (!is && t->temporary)
         s->collection = mt_printf (a, MT_TEMPORARY "%s", s->collection);
   }
   return true;
}

bool mt_no_temporary (const MtStatement *st, const char *what, MtError *err)
{
   if (!st->session->met_temporary)
      return true;
   mt_error (err, MT_E_FEATURE, "%s must not use temporary tables or views", what);
   return mt_error_hint (
      err,
      "Temporary tables end with the session. Use CREATE TEMPORARY TABLE ... AS to keep the rows "
      "of a query.");
}
