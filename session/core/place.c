/* Finds the schema of an unqualified relation name by search_path. */
#include "session/core/schemas.h"
#include "session/core/system.h"
#include "session/core/undeclared.h"

#include <string.h>

/* Returns whether the catalog has a table, view, sequence or index of this name. */
static bool has_relation (MtSession *s, const MtName *stored)
{
   const MtTable *t = NULL;
   const MtCatalogObject *index = NULL, *view = NULL, *sequence = NULL;
   MtError ignored;
   if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, stored->text,
                               mt_name_is_exact (stored), &t, &ignored) ||
       t)
      return true; /* the error is reported when the table is used */
   mt_catalog_find_object (s->catalog, "index", stored->text, &index);
   mt_catalog_find_object (s->catalog, "view", stored->text, &view);
   mt_catalog_find_object (s->catalog, "sequence", stored->text, &sequence);
   return index || view || sequence;
}

static bool has_collection (MtSession *s, const MtName *stored)
{
   MtUndeclared *u = NULL;
   MtError ignored;
   return mt_undeclared_find (s, stored->text, mt_name_is_exact (stored), false, &u, &ignored) && u;
}

static MtName joined (MtArena *a, const char *schema, const MtName *name)
{
   MtName stored = *name;
   if (strcmp (schema, "public") != 0)
      stored.text = mt_printf (a, "%s.%s", schema, name->text);
   return stored;
}

/* Sets *out to the schemas of search_path that can contain the user's relations, and returns their
 * number. *found is set to the first schema, in the order of search_path, that contains relation
 * `name`; NULL: none does. collections: collections without a table count as relations. */
static size_t find_along (MtSession *s, MtArena *a, const MtName *name, bool collections,
                          const char ***out, const char **found)
{
   size_t n, kept = 0;
   const char **path = mt_search_path (s, a, false, &n);
   *found = NULL;
   for (size_t i = 0; i < n; i++) {
      MtName stored = joined (a, path[i], name);
      if (strcmp (path[i], "pg_catalog") == 0)
         continue;
      bool system = strcmp (path[i], "information_schema") == 0;
      if (!*found && (system ? mt_is_information_view (name)
                             : has_relation (s, &stored) ||
                                  (collections && (n > 1 || strcmp (path[i], "public") != 0) &&
                                   has_collection (s, &stored))))
         *found = path[i];
      if (!system)
         path[kept++] = path[i];
   }
   *out = path;
   return kept;
}

static bool is_public_in (const char **path, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (strcmp (path[i], "public") == 0)
         return true;
   return false;
}

static bool no_relation (MtSession *s, const MtName *name, MtError *err)
{
   mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist",
                name->text);
   return has_relation (s, name) &&
          mt_error_hint (err, "Schema public has it, and is not in search_path.");
}

/* Returns whether an unqualified name already is a name in the catalog that includes its schema. */
static bool is_stored (MtSession *s, MtArena *a, const MtName *name)
{
   const char *rest;
   return mt_schema_of (s, a, name->text, &rest) != NULL;
}

/* Returns whether the name's schema need not be searched in search_path: it is the only schema, the
 * name includes its schema, or it is the name of a temporary table or of a table of the system
 * catalog. */
static bool is_found_anyway (MtSession *s, MtArena *a, const MtName *name)
{
   return !name->text || mt_path_is_plain (s) || is_stored (s, a, name) ||
          mt_temporary_named (s, NULL, name) || mt_may_be_system (NULL, name);
}

bool mt_place_relation (void *ctx, MtArena *a, const MtName *name, const char **out, MtError *err)
{
   MtSession *s = ctx;
   const char **path;
   *out = NULL;
   if (is_found_anyway (s, a, name))
      return true;
   size_t n = find_along (s, a, name, true, &path, out);
   if (*out && strcmp (*out, "public") == 0)
      *out = NULL;
   return *out || is_public_in (path, n) || no_relation (s, name, err);
}

static const char *const kept_schemas[] = {"public", "pg_temp", "pg_catalog", "information_schema",
                                           "_mtsql_stored"};

static bool stays (const MtName *schema)
{
   for (size_t i = 0; i < sizeof kept_schemas / sizeof *kept_schemas; i++)
      if (mt_ieq (schema->text, kept_schemas[i]))
         return true;
   return false;
}

static bool no_schema (const MtName *schema, MtError *err)
{
   return mt_error_at (err, schema->span, MT_E_SCHEMA, "schema \"%s\" does not exist",
                       schema->text);
}

/* Replaces *name by its name in the catalog, given its schema, and clears *given, the schema in the
 * statement. */
static void set_name (MtArena *a, const char *schema, MtName *given, MtName *name)
{
   MtName stored = joined (a, schema, name);
   *name = stored;
   *given = (MtName) {.span = MT_NO_SPAN};
}

bool mt_place_name (MtSession *s, MtArena *a, MtName *schema, MtName *name, bool *missing,
                    MtError *err)
{
   const char **path, *found;
   if (schema->text && !stays (schema)) {
      found = mt_schema_named (s, a, schema);
      if (!found && missing)
         *missing = true;
      if (!found)
         return missing || no_schema (schema, err);
      set_name (a, found, schema, name);
      return true;
   }
   if (schema->text || is_found_anyway (s, a, name))
      return true;
   size_t n = find_along (s, a, name, false, &path, &found);
   if (found && strcmp (found, "information_schema") == 0)
      *schema = (MtName) {found, true, name->span};
   else if (found)
      set_name (a, found, schema, name);
   else if (n && !is_public_in (path, n))
      set_name (a, path[0], schema, name); /* the error names the first schema of the path */
   return found || n || !has_relation (s, name) || no_relation (s, name, err);
}

bool mt_place_new (MtSession *s, MtArena *a, MtName *schema, MtName *name, MtError *err)
{
   if (!name->text || (schema->text && stays (schema)) ||
       (!schema->text && (mt_path_is_plain (s) || is_stored (s, a, name))))
      return true;
   if (schema->text) {
      const char *found = mt_schema_named (s, a, schema);
      if (!found)
         return no_schema (schema, err);
      set_name (a, found, schema, name);
      return true;
   }
   size_t n;
   const char **path = mt_search_path (s, a, false, &n);
   if (!n)
      return mt_error_at (err, name->span, MT_E_SCHEMA, "no schema has been selected to create in");
   if (stays (&(MtName) {path[0], true, MT_NO_SPAN}))
      *schema = strcmp (path[0], "public") == 0 ? *schema : (MtName) {path[0], true, name->span};
   else
      set_name (a, path[0], schema, name);
   return true;
}

/* ---- relation names in texts ---- */

void mt_read_relation (MtArena *a, MtStr text, MtName *schema, MtName *name)
{
   MtBuf part = {0};
   MtName parts[2] = {{.span = MT_NO_SPAN}, {.span = MT_NO_SPAN}};
   for (size_t i = 0; i <= text.n; i++) {
      bool quoted = i < text.n && text.p[i] == '"';
      parts[1].quoted |= quoted;
      if (i == text.n || text.p[i] == '.') {
         parts[1].text = mt_strndup (a, part.p ? part.p : "", part.n);
         if (i < text.n) {
            parts[0] = parts[1];
            parts[1] = (MtName) {.span = MT_NO_SPAN};
         }
         mt_buf_clear (&part);
      } else if (!quoted)
         mt_buf_addc (&part, text.p[i]);
      for (i += quoted; quoted && i < text.n && (text.p[i] != '"' || text.p[i + 1] == '"'); i++) {
         i += text.p[i] == '"';
         mt_buf_addc (&part, text.p[i]);
      }
   }
   mt_buf_free (&part);
   *schema = parts[0];
   *name = parts[1];
}
