/* Tables, collections and layouts by name. */
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/undeclared.h"
#include "session/continuous/continuous.h"

#include <stdlib.h>
#include <string.h>

bool mt_is_unchanged (const MtChangedTables *changed, const MtName *table, MtError *err)
{
   bool own = changed && table->span.start == changed->own.start &&
              table->span.len == changed->own.len;
   for (size_t i = 0; changed && !own && i < changed->count; i++)
      if (mt_ieq (changed->names[i]->text, table->text)) {
         mt_error_at (
            err, table->span, MT_E_FEATURE,
            "reading table \"%s\", which an earlier part of WITH changes, is not supported",
            table->text);
         return mt_error_hint (err, "Read the rows that the part returns (RETURNING), or run two "
                                    "statements in a transaction block.");
      }
   return true;
}

/* Returns whether relations of this schema are stored in the catalog as "schema.name". Those of
 * public are stored without a prefix. */
static bool is_in_schema (const MtName *schema)
{
   return schema && schema->text && !mt_ieq (schema->text, "public") &&
          strcmp (schema->text, MT_STORED_SCHEMA) != 0;
}

/* Finds a table (only if `tables`) or an undeclared collection by its name in the catalog; *out
 * stays NULL if there is none. A collection's name may contain dots. */
static bool find_stored (MtSession *s, const MtName *stored, bool tables, const MtTable **out,
                         MtError *err)
{
   MtUndeclared *u;
   bool attached = false;
   if (tables && !mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, stored->text,
                                         mt_name_is_exact (stored), out, err))
      return false;
   if (*out)
      return mt_needs_partitions (s, *out, err) && mt_matview_readable (s, (*out)->name, err);
   if (!mt_undeclared_find (s, stored->text, mt_name_is_exact (stored), false, &u, err))
      return false;
   if (u && mt_collection_owner (s, mt_undeclared_table (u)->name, &attached) && !attached)
      u = NULL; /* documents are read through the table that describes them */
   if (u)
      *out = mt_undeclared_table (u);
   return true;
}

bool mt_binder_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                      MtError *err)
{
   MtSession *s = ctx;
   MtName stored = *name;
   bool qualified = is_in_schema (schema);
   *out = NULL;
   if (!mt_needs_current_catalog (s, err))
      return false;
   if (schema && schema->text &&
       (mt_ieq (schema->text, "pg_catalog") || mt_ieq (schema->text, "information_schema")))
      return true;
   if (mt_is_temporary_schema (schema)) {
      bool ok = mt_is_unchanged (s->changed, name, err) &&
                mt_catalog_find_among (s->catalog, MT_TEMPORARY_TABLES, name->text,
                                       mt_name_is_exact (name), out, err);
      s->met_temporary |= ok && *out;
      return ok;
   }
   MtArena *a = mt_arena_new ("name", NULL);
   if (qualified)
      stored.text = mt_printf (a, "%s.%s", schema->text, name->text);
   bool ok = mt_is_unchanged (s->changed, &stored, err) &&
             find_stored (s, &stored, !qualified || mt_schema_named (s, a, schema), out, err);
   mt_arena_free (a);
   return ok;
}

/* Returns the names of all tables and collections, for hints such as "did you mean". Borrowed until
 * the next call. */
static const char *const *table_names (MtSession *s, size_t *count)
{
   size_t n, more = 0;
   const MtTable *const *tables = mt_catalog_tables (s->catalog, &n);
   const char **collections;
   MtError ignored;
   if (!s->hints)
      s->hints = mt_arena_new ("hints", s->arena);
   mt_arena_reset (s->hints);
   if (!mt_engine_collections (s->engine, s->hints, &collections, &more, &ignored))
      more = 0;
   size_t system;
   const char *const *system_names = mt_system_names (&system);
   const char **names = MT_NEW_N (s->hints, const char *, n + more + system + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = tables[i]->name;
   size_t kept = n;
   bool attached;
   for (size_t i = 0; i < more; i++)
      if (!mt_is_temporary (collections[i]) &&
          (!mt_collection_owner (s, collections[i], &attached) || attached))
         names[kept++] = collections[i];
   for (size_t i = 0; i < system; i++)
      names[kept++] = system_names[i];
   *count = kept;
   return names;
}

const char *const *mt_binder_tables (void *ctx, size_t *count) { return table_names (ctx, count); }

static const char *change_verb (MtStmtKind k)
{
   switch (k) {
   case MT_STMT_INSERT: return "insert into";
   case MT_STMT_UPDATE: return "update";
   case MT_STMT_DELETE: return "delete from";
   case MT_STMT_MERGE: return "merge into";
   default: return NULL;
   }
}

/* Sets the error that a view cannot be changed, and returns false. PostgreSQL can write to simple
 * views; mtsql cannot. */
static bool refuse_view (const MtStmt *s, const MtName *name, MtError *err)
{
   const char *what = change_verb (s->kind);
   if (!what)
      return mt_error_at (err, name->span, MT_E_WRONG_OBJECT, "\"%s\" is a view, not a table",
                          name->text);
   mt_error_at (err, name->span, MT_E_FEATURE, "cannot %s view \"%s\"", what, name->text);
   return mt_error_hint (err, "Change the table that the view reads.");
}

bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err)
{
   if (!mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), out, err))
      return false;
   st->session->met_temporary |= *out && (*out)->temporary;
   if (*out)
      return mt_needs_partitions (st->session, *out, err);
   size_t count;
   const char *const *names = table_names (st->session, &count);
   const char *near = mt_nearest (name->text, names, count);
   MtUndeclared *u;
   if (mt_is_view (st->session, name->text))
      return refuse_view (st->stmt, name, err);
   if (!mt_undeclared_find (st->session, name->text, mt_name_is_exact (name), false, &u, err))
      return false;
   if (u) {
      mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE,
                   "collection \"%s\" is not declared as a table", name->text);
      return mt_error_hint (err, "SELECT can read it. \\infer %s proposes a CREATE TABLE.",
                            name->text);
   }
   mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist",
                name->text);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near) : false;
}

bool mt_find_table (MtSession *s, const MtName *schema, const MtName *name, const MtTable **out,
                    MtError *err)
{
   if (!schema->text)
      return mt_catalog_find (s->catalog, name->text, mt_name_is_exact (name), out, err);
   return mt_catalog_find_among (
      s->catalog, mt_is_temporary_schema (schema) ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES,
      name->text, mt_name_is_exact (name), out, err);
}

bool mt_layout_near (const MtTable *t, const char *name, MtError *err)
{
   const char **names = mt_malloc ("names", t->layout_count * sizeof *names + 1);
   for (size_t i = 0; i < t->layout_count; i++)
      names[i] = t->layouts[i].name;
   mt_error_near (err, name, names, t->layout_count);
   free (names);
   return false;
}

bool mt_object_near (MtStatement *st, const char *kind, const char *name, MtError *err)
{
   size_t n;
   const MtCatalogObject *o = mt_catalog_objects (st->session->catalog, kind, &n);
   const char **names = MT_NEW_N (st->arena, const char *, n + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = o[i].name;
   return mt_error_near (err, name, names, n);
}

bool mt_table_near (MtStatement *st, const char *name, MtError *err)
{
   size_t count;
   const char *const *names = table_names (st->session, &count);
   return mt_error_near (err, name, names, count);
}

bool mt_need_layout (const MtTable *t, const MtName *name, size_t *out, MtError *err)
{
   for (*out = 0; *out < t->layout_count; ++*out)
      if (mt_ieq (t->layouts[*out].name, name->text))
         return true;
   return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT,
                       "layout \"%s\" of table \"%s\" does not exist", name->text, t->name) ||
          mt_layout_near (t, name->text, err);
}
