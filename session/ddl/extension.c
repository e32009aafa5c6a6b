/* CREATE EXTENSION, ALTER EXTENSION, DROP EXTENSION. */
#include "base/control.h"
#include "base/extension.h"
#include "engine/pipe.h"
#include "session/ddl/ddl.h"
#include "session/state/session.h"

#include <string.h>

enum { MOST_REQUIRED = 32 }; /* depth of extensions that require each other */

static bool may_use (const MtStatement *st, const char *what, MtError *err)
{
   return !st->session->options.restricted ||
          mt_error (err, MT_E_PRIVILEGE, "%s EXTENSION is not allowed in restricted mode", what);
}

/* Finds the control file of an extension; 0A000 if there is none. */
static bool find_control (MtStatement *st, const char *name, MtControl **out, MtError *err)
{
   const char *path = mt_extension_search_path (st->session);
   if (!mt_control_find (st->arena, path, name, out, err))
      return false;
   if (*out)
      return true;
   MtControl *all;
   size_t n;
   mt_control_list (st->arena, path, &all, &n);
   const char **names = MT_NEW_N (st->arena, const char *, n + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = all[i].name;
   const char *near = mt_nearest (name, names, n);
   mt_error (err, MT_E_FEATURE, "extension \"%s\" is not available", name);
   mt_error_detail (err, "No folder of extension_path has the file \"%s.control\".", name);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near)
               : mt_error_hint (err, "pg_available_extensions lists the extensions that are "
                                     "installed.");
}

/* ---- scripts ---- */

static bool in_script (const MtControl *c, const char *part, const char *text, const char *at,
                       MtError *err)
{
   int line = 1;
   for (const char *p = text; p < at; p++)
      line += *p == '\n';
   err->span = MT_NO_SPAN;
   return mt_error_detail (err, "The statement is in \"%s--%s.sql\", line %d.", c->name, part,
                           line);
}

static bool run_one (MtStatement *st, const char *sql, size_t len, const char *extension,
                     MtError *err)
{
   MtStatement inner = *st;
   MtStmt *stmt;
   if (!mt_parse (st->arena, sql, len, &stmt, err))
      return false;
   if (stmt->kind != MT_STMT_CREATE_FUNCTION)
      return mt_error (err, MT_E_FEATURE,
                       "a script of an extension can only have CREATE FUNCTION statements");
   inner.stmt = stmt;
   inner.sql = sql;
   inner.sql_len = len;
   inner.extension = extension;
   mt_set_routines (st->session, &inner.env);
   return mt_run_create_function (&inner, err);
}

/* Runs the statements of an extension's script. The functions it makes become members of the
 * extension. */
static bool run_script (MtStatement *st, const MtControl *c, const char *part, const char *text,
                        MtError *err)
{
   size_t at, end = 0, len = strlen (text);
   while (mt_scan_next (text, len, &at, &end)) {
      const char *p = text + at;
      if (!mt_cancel_check (&st->session->cancel, err))
         return false;
      if (!run_one (st, p, end - at, c->name, err))
         return in_script (c, part, text, p + strspn (p, " \n\r\t"), err);
   }
   return true;
}

/* ---- versions ---- */

/* Returns the shortest list of update scripts "a--b" that lead from version `from` to version `to`.
 * The list, in arena a, ends with NULL. NULL: no scripts connect the versions. */
static const char **update_path (MtArena *a, const char *const *scripts, size_t n, const char *from,
                                 const char *to)
{
   /* A breadth-first search. at[i] is a version that can be reached: script by[i] leads to it from
    * version at[before[i]]. */
   const char **at = MT_NEW_N (a, const char *, n + 2), **by = MT_NEW_N (a, const char *, n + 2);
   size_t *before = MT_NEW_N (a, size_t, n + 2), count = 1, found = 0;
   at[0] = from;
   for (size_t i = 0; i < count && !found; i++)
      for (size_t k = 0; k < n && !found; k++) {
         const char *next = strstr (scripts[k], "--");
         size_t len = next ? (size_t) (next - scripts[k]) : 0;
         bool known = !next || strlen (at[i]) != len || memcmp (at[i], scripts[k], len) != 0;
         for (size_t v = 0; v < count && !known; v++)
            known = strcmp (at[v], next + 2) == 0;
         if (known)
            continue;
         at[count] = next + 2;
         by[count] = scripts[k];
         before[count] = i;
         found = strcmp (next + 2, to) == 0 ? count : 0;
         count++;
      }
   if (!found)
      return NULL;
   size_t steps = 0;
   for (size_t i = found; i; i = before[i])
      steps++;
   const char **path = MT_NEW_N (a, const char *, steps + 1);
   for (size_t i = found; i; i = before[i])
      path[--steps] = by[i];
   return path;
}

static bool run_path (MtStatement *st, const MtControl *c, const char *const *path, MtError *err)
{
   for (; path && *path; path++) {
      const char *text;
      if (!mt_control_script (st->arena, c, *path, &text, err) ||
          (text && !run_script (st, c, *path, text, err)))
         return false;
   }
   return true;
}

/* Installs a version: with its own script, or with the script of another version and update
 * scripts. An extension that is only a library has one version and no script. */
static bool install (MtStatement *st, const MtControl *c, const char *version, MtError *err)
{
   size_t n;
   const char *text, **scripts = mt_control_scripts (st->arena, c, &n);
   if (!mt_control_script (st->arena, c, version, &text, err))
      return false;
   if (text)
      return run_script (st, c, version, text, err);
   if (c->module && strcmp (version, c->default_version) == 0)
      return true;
   for (size_t i = 0; i < n; i++) {
      const char **path = strstr (scripts[i], "--")
                             ? NULL
                             : update_path (st->arena, scripts, n, scripts[i], version);
      if (path)
         return mt_control_script (st->arena, c, scripts[i], &text, err) && text &&
                run_script (st, c, scripts[i], text, err) && run_path (st, c, path, err);
   }
   return mt_error (err, MT_E_PARAMETER,
                    "extension \"%s\" has no installation script nor update path for version "
                    "\"%s\"",
                    c->name, version);
}

/* ---- CREATE EXTENSION ---- */

static bool save (MtStatement *st, const MtControl *c, const char *version, MtError *err)
{
   bson_t *doc = mt_doc_new (st->arena), *required = mt_doc_new (st->arena);
   mt_doc_add_text (doc, "version", version);
   if (c->comment)
      mt_doc_add_text (doc, "comment", c->comment);
   for (size_t i = 0; i < c->required_count; i++)
      mt_doc_push (required, mt_v_cstr (c->required[i]));
   mt_doc_add_array (doc, "requires", required);
   return mt_catalog_save_object (st->session->catalog, "extension", c->name, doc, err);
}

static bool use_library (MtStatement *st, const MtControl *c, MtError *err)
{
   const MtModule *m;
   return !c->module || (mt_extension_open (c->module, &m, err) &&
                         mt_extension_use (st->session, m, MT_USE_CREATED, err));
}

static bool create (MtStatement *st, const char *name, const char *version, int depth,
                    MtError *err);

/* Checks that the extensions which c requires are installed. With CASCADE, installs those that are
 * missing. */
static bool have_required (MtStatement *st, const MtControl *c, int depth, MtError *err)
{
   for (size_t i = 0; i < c->required_count; i++) {
      const char *name = c->required[i];
      if (mt_extension_created (st->session, name))
         continue;
      if (!st->stmt->extension.cascade) {
         mt_error (err, MT_E_UNDEFINED_OBJECT, "required extension \"%s\" is not installed", name);
         return mt_error_hint (err, "Use CREATE EXTENSION ... CASCADE to install required "
                                    "extensions too.");
      }
      if (depth == MOST_REQUIRED)
         return mt_error (err, MT_E_INVALID_DEFINITION,
                          "extension \"%s\" requires itself, or too many others", name);
      mt_notice (st->session, "NOTICE", NULL, "installing required extension \"%s\"", name);
      if (!create (st, name, NULL, depth + 1, err))
         return false;
   }
   return true;
}

static bool create (MtStatement *st, const char *name, const char *version, int depth, MtError *err)
{
   MtControl *c;
   if (!find_control (st, name, &c, err) || !have_required (st, c, depth, err))
      return false;
   version = version ? version : c->default_version;
   return use_library (st, c, err) && install (st, c, version, err) && save (st, c, version, err);
}

bool mt_run_create_extension (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->extension.name;
   mt_result_set_tag (st->result, "CREATE EXTENSION");
   if (!may_use (st, "CREATE", err))
      return false;
   if (mt_extension_created (st->session, name->text) && st->stmt->extension.if_not_exists) {
      mt_notice (st->session, "NOTICE", NULL, "extension \"%s\" already exists, skipping",
                 name->text);
      return true;
   }
   if (mt_extension_created (st->session, name->text))
      return mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT, "extension \"%s\" already exists",
                          name->text);
   bool ok = create (st, name->text, st->stmt->extension.version.text, 0, err);
   mt_extensions_changed (st->session);
   mt_result_set_tag (st->result, "CREATE EXTENSION");
   if (!ok && err->span.start < 0)
      err->span = name->span;
   return ok;
}

/* ---- ALTER EXTENSION ---- */

static bool update (MtStatement *st, const MtControl *c, const char *from, const char *to,
                    MtError *err)
{
   size_t n;
   const char **scripts = mt_control_scripts (st->arena, c, &n),
              **path = update_path (st->arena, scripts, n, from, to);
   bool library_only = c->module && !path && strcmp (to, c->default_version) == 0;
   for (size_t i = 0; i < n; i++)
      library_only &= strstr (scripts[i], "--") != NULL;
   if (!path && !library_only)
      return mt_error (err, MT_E_PARAMETER,
                       "extension \"%s\" has no update path from version \"%s\" to version \"%s\"",
                       c->name, from, to);
   return use_library (st, c, err) && run_path (st, c, path, err) && save (st, c, to, err);
}

bool mt_run_alter_extension (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->extension.name;
   const MtCatalogObject *o = mt_extension_created (st->session, name->text);
   MtControl *c;
   mt_result_set_tag (st->result, "ALTER EXTENSION");
   if (!may_use (st, "ALTER", err))
      return false;
   if (!o)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT, "extension \"%s\" does not exist",
                          name->text);
   const char *from = mt_strdup (st->arena, mt_field_text (o->body, "version"));
   if (!find_control (st, name->text, &c, err))
      return false;
   const char *to = st->stmt->extension.version.text;
   to = to ? to : c->default_version;
   if (strcmp (from, to) == 0) {
      mt_notice (st->session, "NOTICE", NULL,
                 "version \"%s\" of extension \"%s\" is already installed", to, name->text);
      return true;
   }
   bool ok = update (st, c, from, to, err);
   mt_extensions_changed (st->session);
   mt_result_set_tag (st->result, "ALTER EXTENSION");
   if (!ok && err->span.start < 0)
      err->span = name->span;
   return ok;
}

/* ---- DROP EXTENSION ---- */

/* A list of the names of the extensions that a statement drops, in the arena of the statement. */
typedef struct Dropped {
   const char **names;
   size_t count, cap;
} Dropped;

static bool is_dropped (const Dropped *d, const char *name)
{
   for (size_t i = 0; i < d->count; i++)
      if (strcmp (d->names[i], name) == 0)
         return true;
   return false;
}

static bool needs (const MtCatalogObject *o, const char *name)
{
   MtVal list = mt_doc_field (mt_v_doc (o->body), "requires"), v;
   MtDocIter items = mt_doc_iter (list);
   MtStr key;
   while (list.type == MT_ARRAY && mt_doc_next (&items, &key, &v))
      if (mt_v_is_text (v, name))
         return true;
   return false;
}

static void add_dropped (MtStatement *st, Dropped *d, const char *name)
{
   MT_GROW_IN (st->arena, d->names, d->count, d->cap, 4);
   d->names[d->count++] = mt_strdup (st->arena, name);
}

static bool add_named (MtStatement *st, Dropped *d, MtError *err)
{
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const char *name = n->name.text;
      if (!mt_extension_created (st->session, name) && !st->stmt->drop.if_exists)
         return mt_error_at (err, n->name.span, MT_E_UNDEFINED_OBJECT,
                             "extension \"%s\" does not exist", name);
      if (!mt_extension_created (st->session, name))
         mt_notice (st->session, "NOTICE", NULL, "extension \"%s\" does not exist, skipping", name);
      else if (!is_dropped (d, name))
         add_dropped (st, d, name);
   }
   return true;
}

/* Adds to d the installed extensions that require one of those in d. Without CASCADE, fails if
 * there is one. */
static bool add_dependent (MtStatement *st, Dropped *d, MtError *err)
{
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (st->session->catalog, "extension", &n);
   for (size_t i = 0; i < d->count; i++)
      for (size_t k = 0; k < n; k++) {
         if (!needs (&items[k], d->names[i]) || is_dropped (d, items[k].name))
            continue;
         if (!st->stmt->drop.cascade) {
            mt_error (err, MT_E_DEPENDENT_OBJECTS,
                      "cannot drop extension %s because other objects depend on it", d->names[i]);
            mt_error_detail (err, "extension %s depends on extension %s", items[k].name,
                             d->names[i]);
            return mt_error_hint (err, "Use DROP ... CASCADE to drop the dependent objects too.");
         }
         mt_notice (st->session, "NOTICE", NULL, "drop cascades to extension %s", items[k].name);
         add_dropped (st, d, items[k].name);
      }
   return true;
}

/* Drops the functions that were made by the extension's scripts. */
static bool drop_members (MtStatement *st, const char *extension, MtError *err)
{
   size_t n;
   bool dropped;
   const char *name = NULL;
   do {
      const MtCatalogObject *items = mt_catalog_objects (st->session->catalog, "function", &n);
      name = NULL;
      for (size_t i = 0; i < n && !name; i++)
         if (strcmp (mt_field_text (items[i].body, "extension"), extension) == 0)
            name = mt_strdup (st->arena, items[i].name);
      if (name && !mt_catalog_drop_object (st->session->catalog, "function", name, &dropped, err))
         return false;
   } while (name);
   return true;
}

bool mt_run_drop_extension (MtStatement *st, MtError *err)
{
   Dropped d = {0};
   bool dropped;
   mt_result_set_tag (st->result, "DROP EXTENSION");
   if (!may_use (st, "DROP", err) || !add_named (st, &d, err) || !add_dependent (st, &d, err))
      return false;
   for (size_t i = 0; i < d.count; i++)
      if (!drop_members (st, d.names[i], err) ||
          !mt_catalog_drop_object (st->session->catalog, "extension", d.names[i], &dropped, err))
         return false;
   mt_extensions_changed (st->session);
   return true;
}
