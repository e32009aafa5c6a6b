/* Schemas, and search_path. */
#include "session/core/schemas.h"

#include "session/state/search_path.h"

#include <string.h>

/* ---- schemas ---- */

bool mt_has_schemas (MtSession *s) { return mt_catalog_has_object (s->catalog, MT_SCHEMA_KIND); }

const char *mt_schema_named (MtSession *s, MtArena *a, const MtName *name)
{
   const MtCatalogObject *o = NULL;
   if (!mt_has_schemas (s))
      return NULL;
   mt_catalog_find_object (s->catalog, MT_SCHEMA_KIND, name->text, &o);
   bool same = o && (!mt_name_is_exact (name) || strcmp (o->name, name->text) == 0);
   return same ? mt_strdup (a, o->name) : NULL;
}

const char *mt_schema_of (MtSession *s, MtArena *a, const char *stored, const char **name)
{
   const char *dot = strchr (stored, '.');
   *name = stored;
   if (!dot || dot == stored || !dot[1] || !mt_has_schemas (s))
      return NULL;
   MtName schema = {mt_strndup (a, stored, (size_t) (dot - stored)), true, MT_NO_SPAN};
   const char *found = mt_schema_named (s, a, &schema);
   if (!found || strcmp (found, schema.text) != 0)
      return NULL;
   *name = dot + 1;
   return found;
}

const char *mt_unqualified (MtSession *s, const char *stored)
{
   const char *name = stored;
   if (strchr (stored, '.') && mt_has_schemas (s)) {
      MtArena *a = mt_arena_new ("schema", NULL);
      mt_schema_of (s, a, stored, &name);
      mt_arena_free (a);
   }
   return name;
}

bool mt_error_of_table (MtSession *s, const MtTable *t, const char *column, const char *constraint,
                        MtError *err)
{
   MtArena *a = mt_arena_new ("schema", NULL);
   const char *name, *schema = mt_schema_of (s, a, t->name, &name);
   if (!schema)
      schema = t->temporary ? "pg_temp_1" : "public";
   mt_error_in_table (err, schema, name, column, constraint);
   mt_arena_free (a);
   return false;
}

const char *mt_qualified (MtSession *s, MtArena *a, const char *stored)
{
   const char *name, *schema = mt_schema_of (s, a, stored, &name);
   return schema ? mt_printf (a, "%s.%s", mt_quoted (a, schema), mt_quoted (a, name))
                 : mt_quoted (a, stored);
}

const char **mt_schema_names (MtSession *s, MtArena *a, size_t *count)
{
   size_t n = 0;
   const MtCatalogObject *o = mt_has_schemas (s)
                                 ? mt_catalog_objects (s->catalog, MT_SCHEMA_KIND, &n)
                                 : NULL;
   const char **names = MT_NEW_N (a, const char *, n + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = mt_strdup (a, o[i].name);
   *count = n;
   return names;
}

/* ---- the search path ---- */

const char *mt_user_name (MtSession *s, MtArena *a)
{
   const char *target = s->options.target, *at = target ? strstr (target, "://") : NULL;
   const char *sign = at ? strchr (at, '@') : NULL;
   size_t n = sign ? strcspn (at + 3, ":@") : 0;
   return n ? mt_strndup (a, at + 3, n) : "mtsql";
}

/* Returns the setting search_path; "" if it is empty. */
static const char *path_text (const MtSession *s)
{
   return s->settings.search_path ? s->settings.search_path : "";
}

/* Returns the name, as it is stored, of the schema that an item of search_path means; NULL: it
 * doesn't exist. "$user" means the schema with the user's name. */
static const char *existing (MtSession *s, MtArena *a, const char *name)
{
   static const char *const fixed[] = {"public", "pg_catalog", "information_schema", NULL};
   if (strcmp (name, "$user") == 0) {
      if (!mt_has_schemas (s))
         return NULL;
      name = mt_user_name (s, a);
   }
   for (size_t i = 0; fixed[i]; i++)
      if (strcmp (name, fixed[i]) == 0)
         return fixed[i];
   return mt_schema_named (s, a, &(MtName) {name, true, MT_NO_SPAN});
}

const char **mt_search_path (MtSession *s, MtArena *a, bool implicit, size_t *count)
{
   const char *text = path_text (s), *p = text, *name;
   size_t most = 4, n = 0;
   bool catalog = false;
   for (const char *c = text; *c; c++)
      most += *c == ',';
   const char **path = MT_NEW_N (a, const char *, most);
   if (implicit && mt_engine_temporary (s->engine))
      path[n++] = "pg_temp_1";
   size_t begin = n;
   while ((name = mt_next_schema (a, &p))) {
      const char *schema = existing (s, a, name);
      bool again = !schema;
      for (size_t i = 0; i < n && !again; i++)
         again = strcmp (path[i], schema) == 0;
      if (!again)
         path[n++] = schema;
      catalog |= schema && strcmp (schema, "pg_catalog") == 0;
   }
   if (implicit && !catalog) {
      memmove (path + begin + 1, path + begin, (n - begin) * sizeof *path);
      path[begin] = "pg_catalog";
      n++;
   }
   *count = n;
   return path;
}

bool mt_path_is_plain (MtSession *s)
{
   return !mt_has_schemas (s) && strcmp (path_text (s), "\"$user\", public") == 0;
}
