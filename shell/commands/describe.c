/* \d, \dt, \df, \l, \c and \conninfo. */
#include "shell/commands/command_int.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool failed (MtCall *c, const MtError *err)
{
   mt_report_error (c->sh, err, NULL, 0);
   return false;
}

static const char *shown_count (MtArena *a, double n)
{
   return n < 0 ? "" : mt_printf (a, "%.0f", n);
}

static const char *shown_bytes (MtArena *a, double n)
{
   static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
   size_t u = 0;
   if (n < 0)
      return "";
   /* the same limit as in PostgreSQL's pg_size_pretty */
   while (n >= 10240 && u + 1 < sizeof units / sizeof *units) {
      n /= 1024;
      u++;
   }
   return mt_printf (a, "%.0f %s", n, units[u]);
}

/* For a layout of at least this many bytes, \d also shows the size of its files. For small layouts
 * that size says little, because it depends on what was written and deleted before. */
#define SHOW_FILES_FROM 1e6

static size_t layout_lines (MtArena *a, const MtTableInfo *t, bool plus, const char **out)
{
   size_t n = 0;
   if (t->layout_count)
      out[n++] = "Layouts:";
   for (size_t i = 0; i < t->layout_count; i++) {
      const MtLayoutInfo *l = &t->layouts[i];
      MtBuf b = {0};
      mt_buf_printf (&b, "    \"%s\" %s", l->name, l->preset ? l->preset : "");
      if (l->options && *l->options)
         mt_buf_printf (&b, " (%s)", l->options);
      if (l->keeps && *l->keeps)
         mt_buf_printf (&b, ", keeps %s", l->keeps);
      if (l->attached)
         mt_buf_adds (&b, ", attached");
      if (l->documents >= 0)
         mt_buf_printf (&b, ", %s document%s", shown_count (a, l->documents),
                        l->documents == 1 ? "" : "s");
      if (l->bytes >= 0)
         mt_buf_printf (&b, ", %s", shown_bytes (a, l->bytes));
      if (plus && l->bytes >= SHOW_FILES_FROM && l->disk_bytes > 0)
         mt_buf_printf (&b, " as BSON, %s in files", shown_bytes (a, l->disk_bytes));
      out[n++] = mt_strdup (a, b.p);
      mt_buf_free (&b);
      if (l->levels && *l->levels)
         out[n++] = mt_printf (a, "        %s", l->levels);
      if (plus && l->collections && *l->collections)
         out[n++] = mt_printf (a, "        in %s", l->collections);
   }
   return n;
}

static const char *table_title (MtArena *a, const MtTableInfo *t)
{
   const char *kind = t->definition ? "View" : "Table";
   if (t->materialized)
      kind = "Materialized view";
   return t->hidden || t->temporary ? mt_printf (a, "%s \"%s.%s\"", kind, t->schema, t->name)
                                    : mt_printf (a, "%s \"%s\"", kind, t->name);
}

static void describe (MtCall *c, MtArena *a, const MtTableInfo *t)
{
   static const char *const headers[] = {"Column",  "Type", "Nullable",
                                         "Default", "Role", "Description"};
   size_t columns = c->plus ? 6 : 5;
   const char **footers = MT_NEW_N (a, const char *,
                                    3 * t->layout_count + t->index_count + t->check_count + 7);
   MtListing l = {
      .title = table_title (a, t), .headers = headers, .columns = columns, .footers = footers};
   l.rows = t->column_count;
   l.cells = MT_NEW_N (a, MtStr, columns * (t->column_count + 1));
   for (size_t i = 0; i < t->column_count; i++) {
      const MtColumnInfo *k = &t->columns[i];
      MtStr *row = l.cells + columns * i;
      row[0] = mt_str (k->name);
      row[1] = mt_str (k->type);
      row[2] = mt_str (k->not_null ? "not null" : "");
      row[3] = mt_str (k->default_sql ? k->default_sql : "");
      row[4] = mt_str (k->role ? k->role : "");
      if (c->plus)
         row[5] = mt_str (k->comment ? k->comment : "");
   }
   size_t lines = layout_lines (a, t, c->plus, footers);
   if (t->index_count)
      footers[lines++] = "Indexes:";
   for (size_t i = 0; i < t->index_count; i++)
      footers[lines++] = mt_printf (a, "    %s", t->indexes[i]);
   if (t->check_count)
      footers[lines++] = "Check constraints:";
   for (size_t i = 0; i < t->check_count; i++)
      footers[lines++] = mt_printf (a, "    %s", t->checks[i]);
   if (t->expires)
      footers[lines++] = t->expires;
   if (t->definition) {
      footers[lines++] = "View definition:";
      footers[lines++] = mt_printf (a, " %s;", t->definition);
   }
   mt_print_listing (c->sh, &l);
}

/* ---- \dt ---- */

static const char *collections_footer (MtArena *a, const char **names, size_t n)
{
   MtBuf b = {0};
   mt_buf_adds (&b, "Collections of no table:");
   for (size_t i = 0; i < n; i++)
      mt_buf_printf (&b, "%s %s", i ? "," : "", names[i]);
   const char *s = mt_strdup (a, b.p);
   mt_buf_free (&b);
   return s;
}

static const char *layout_names (MtArena *a, const MtTableInfo *t)
{
   MtBuf b = {0};
   for (size_t i = 0; i < t->layout_count; i++)
      mt_buf_printf (&b, "%s%s", i ? ", " : "", t->layouts[i].name);
   const char *s = mt_strdup (a, b.n ? b.p : "");
   mt_buf_free (&b);
   return s;
}

static void totals (const MtTableInfo *t, double *documents, double *bytes)
{
   *documents = *bytes = t->layout_count ? 0 : -1;
   for (size_t i = 0; i < t->layout_count; i++) {
      *documents = *documents < 0 || t->layouts[i].documents < 0
                      ? -1
                      : *documents + t->layouts[i].documents;
      *bytes = *bytes < 0 || t->layouts[i].bytes < 0 ? -1 : *bytes + t->layouts[i].bytes;
   }
}

/* A pattern for names of tables. schema NULL: only tables that search_path finds without a
 * schema. */
typedef struct TablePattern {
   char *schema, *name; /* owned; name NULL: any */
} TablePattern;

/* Returns the dot between schema and name in a pattern: the first dot outside of quotes; NULL:
 * there is none. */
static const char *dot_of (const char *text)
{
   bool quoted = false;
   for (; *text && (quoted || *text != '.'); text++)
      quoted ^= *text == '"';
   return *text ? text : NULL;
}

/* Splits a pattern at the dot between schema and name. If no schema matches the first part, the
 * whole text is a name that contains a dot, such as that of a collection. */
static TablePattern table_pattern (const char *text, const MtTableInfo *t, size_t n)
{
   const char *dot = text ? dot_of (text) : NULL;
   TablePattern p = {0};
   char *schema = dot ? mt_heap_strndup (text, (size_t) (dot - text)) : NULL;
   p.schema = schema ? mt_unquote_name (schema) : NULL;
   free (schema);
   bool known = p.schema &&
                (mt_pattern_match (p.schema, "public") || mt_pattern_match (p.schema, "pg_temp"));
   for (size_t i = 0; p.schema && i < n; i++)
      known |= mt_pattern_match (p.schema, t[i].schema);
   if (p.schema && !known) {
      free (p.schema);
      p.schema = NULL;
      dot = NULL;
   }
   p.name = text ? mt_unquote_name (dot ? dot + 1 : text) : NULL;
   return p;
}

static bool is_meant (const TablePattern *p, const MtTableInfo *t)
{
   bool there = p->schema ? mt_pattern_match (p->schema, t->schema) : !t->hidden;
   return there && (!p->name || mt_pattern_match (p->name, t->name));
}

/* Returns whether the command lists relation t: \dt lists tables, \dv views, \d both. */
static bool is_listed (const MtCall *c, const MtTableInfo *t)
{
   char kind = c->name[1];
   if (kind == 't')
      return !t->definition;
   return kind != 'v' || (t->definition && !t->materialized);
}

static void say_missing (MtCall *c, const MtTableInfo *tables, size_t n, const char *name)
{
   const char **names = calloc (n + 1, sizeof *names);
   for (size_t i = 0; names && i < n; i++)
      names[i] = tables[i].name;
   const char *near = names ? mt_nearest (name, names, n) : NULL;
   mt_complain (c->sh, "Did not find any relation named \"%s\".", c->argv[0]);
   if (near)
      fprintf (stderr, "HINT:  Perhaps you meant \"%s\".\n", near);
   free (names);
}

static void list (MtCall *c, MtArena *a, const MtTableInfo *tables, size_t n,
                  const TablePattern *pattern, const char *footer)
{
   static const char *const headers[] = {"Name",      "Columns", "Layouts",
                                         "Documents", "Size",    "Description"};
   const char *footers[] = {NULL, footer, NULL};
   size_t columns = c->plus ? 6 : 3;
   MtListing l = {.title = c->name[1] == 'v' ? "List of views" : "List of tables",
                  .headers = headers,
                  .columns = columns,
                  .right = {false, true, false, true, true, false}};
   bool mixed = pattern->schema && strpbrk (pattern->schema, "*?");
   l.cells = MT_NEW_N (a, MtStr, columns * (n + 1));
   for (size_t i = 0; i < n; i++) {
      const MtTableInfo *t = &tables[i];
      double documents, bytes;
      if (!is_listed (c, t) || !is_meant (pattern, t))
         continue;
      totals (t, &documents, &bytes);
      MtStr *row = l.cells + columns * l.rows++;
      row[0] = mt_str (mixed ? mt_printf (a, "%s.%s", t->schema, t->name) : t->name);
      row[1] = mt_str (mt_printf (a, "%zu", t->column_count));
      row[2] = mt_str (t->definition && !t->materialized ? "(view)" : layout_names (a, t));
      if (c->plus) {
         row[3] = mt_str (shown_count (a, documents));
         row[4] = mt_str (shown_bytes (a, bytes));
         row[5] = mt_str (t->comment ? t->comment : "");
      }
   }
   if (!l.rows && pattern->name)
      say_missing (c, tables, n, pattern->name);
   if (!l.rows && !pattern->name && !footer)
      fprintf (stderr, "Did not find any %s.\n", c->name[1] == 'v' ? "views" : "tables");
   if (!l.rows && !footer)
      return;
   footers[0] = mt_printf (a, l.rows == 1 ? "(%zu row)" : "(%zu rows)", l.rows);
   l.footers = footers;
   mt_print_listing (c->sh, &l);
}

/* ---- undeclared collections ---- */

static const char *shown_share (MtArena *a, double share)
{
   double percent = share * 100;
   return share <= 0 ? "" : mt_printf (a, "%.*f%%", percent < 1 || percent > 99 ? 1 : 0, percent);
}

static void describe_collection (MtCall *c, MtArena *a, const MtCollectionInfo *k)
{
   static const char *const headers[] = {"Field", "Column type", "In the sample", "Missing"};
   const char *footers[] = {NULL, NULL, NULL};
   MtListing l = {.title = mt_printf (a, "Collection \"%s\", not declared", k->name),
                  .headers = headers,
                  .columns = 4,
                  .right = {false, false, false, true},
                  .rows = k->field_count,
                  .footers = footers};
   l.cells = MT_NEW_N (a, MtStr, 4 * (k->field_count + 1));
   for (size_t i = 0; i < k->field_count; i++) {
      MtStr *row = l.cells + 4 * i;
      row[0] = mt_str (k->fields[i].path);
      row[1] = mt_str (k->fields[i].type);
      row[2] = mt_str (k->fields[i].seen);
      row[3] = mt_str (shown_share (a, k->fields[i].missing));
   }
   const char *all = shown_count (a, k->documents), *some = shown_count (a, k->sampled),
              *bytes = shown_bytes (a, k->bytes);
   if (k->sampled < k->documents)
      footers[0] = mt_printf (a, "A random sample of %s of %s documents (%s).", some, all, bytes);
   else if (k->documents == 1)
      footers[0] = mt_printf (a, "Its only document (%s).", bytes);
   else
      footers[0] = mt_printf (a, "All %s documents (%s).", all, bytes);
   if (k->hidden)
      footers[1] = mt_printf (a, "Fields without a name in SQL: %s", k->hidden);
   mt_print_listing (c->sh, &l);
}

/* Describes the undeclared collections that match the pattern, and returns their number. *ok is
 * false after an error, which is reported. */
static size_t describe_collections (MtCall *c, MtArena *a, const char *const *names, size_t n,
                                    const char *pattern, bool *ok)
{
   size_t found = 0;
   for (size_t i = 0; i < n && *ok; i++) {
      MtCollectionInfo k;
      MtError err = {0};
      bool there = false;
      if (!mt_pattern_match (pattern, names[i]))
         continue;
      *ok = mt_collection_info (c->sh->session, a, names[i], &k, &there, &err);
      if (!*ok)
         failed (c, &err);
      else if (there)
         describe_collection (c, a, &k);
      found += there;
   }
   return found;
}

static bool tables (MtCall *c, bool details)
{
   MtArena *a = mt_arena_new ("tables", NULL);
   MtTableInfo *t;
   MtError err = {0};
   const char **collections;
   size_t n, collection_count, found = 0;
   TablePattern pattern = {0};
   bool ok = mt_tables (c->sh->session, a, &t, &n, &err) &&
             mt_other_collections (c->sh->session, a, &collections, &collection_count, &err);
   if (ok)
      pattern = table_pattern (c->argc ? c->argv[0] : NULL, t, n);
   if (!ok) {
      failed (c, &err);
   } else if (details && pattern.name) {
      for (size_t i = 0; i < n; i++) {
         if (is_meant (&pattern, &t[i])) {
            describe (c, a, &t[i]);
            found++;
         }
      }
      if (!pattern.schema || mt_pattern_match (pattern.schema, "public"))
         found += describe_collections (c, a, collections, collection_count, pattern.name, &ok);
      if (ok && !found)
         ok = mt_describe_relations (c, c->argv[0], &found);
      if (ok && !found)
         say_missing (c, t, n, pattern.name);
      ok = ok && found;
   } else {
      list (c, a, t, n, &pattern,
            collection_count && !pattern.name
               ? collections_footer (a, collections, collection_count)
               : NULL);
   }
   free (pattern.schema);
   free (pattern.name);
   mt_arena_free (a);
   return ok;
}

static bool is_of_catalog (const char *pattern)
{
   return strncasecmp (pattern, "pg_catalog.", 11) == 0 ||
          strncasecmp (pattern, "information_schema.", 19) == 0;
}

bool mt_cmd_describe (MtCall *c)
{
   return strchr (c->name, 'S') && !c->argc ? mt_list_relations (c) : tables (c, true);
}
bool mt_cmd_tables (MtCall *c)
{
   return strchr (c->name, 'S') || (c->argc && is_of_catalog (c->argv[0])) ? mt_list_relations (c)
                                                                           : tables (c, false);
}

bool mt_cmd_infer (MtCall *c)
{
   MtArena *a = mt_arena_new ("infer", NULL);
   MtError err = {0};
   const char *text;
   bool found, ok = false;
   char *name = c->argc ? mt_unquote_name (c->argv[0]) : NULL;
   if (!name)
      mt_complain (c->sh, "\\infer: missing required argument");
   else if (!mt_infer (c->sh->session, a, name, &text, &found, &err))
      failed (c, &err);
   else if (!found && c->sh->open.restricted)
      mt_complain (c->sh, "\\infer is not allowed in a restricted session, except for collections");
   else if (!found)
      mt_complain (c->sh, "Did not find any collection named \"%s\".", name);
   else
      ok = fputs (text, mt_output (c->sh)) >= 0;
   free (name);
   mt_arena_free (a);
   return ok;
}

/* ---- \df, \da ---- */

bool mt_cmd_functions (MtCall *c)
{
   static const char *const headers[] = {"Name", "Signature", "Kind", "Description", "Example"};
   MtArena *a = mt_arena_new ("functions", NULL);
   MtFunctionInfo *f;
   MtError err = {0};
   size_t n, columns = c->plus ? 5 : 4;
   bool aggregates = c->name[1] == 'a', ok = mt_functions (c->sh->session, a, &f, &n, &err);
   if (ok) {
      MtListing l = {.title = aggregates ? "List of aggregate functions" : "List of functions",
                     .headers = headers,
                     .columns = columns};
      l.cells = MT_NEW_N (a, MtStr, columns * (n + 1));
      for (size_t i = 0; i < n; i++) {
         bool agg = f[i].kind && strcmp (f[i].kind, "agg") == 0;
         if ((aggregates && !agg) || (c->argc && !mt_pattern_match (c->argv[0], f[i].name)))
            continue;
         MtStr *row = l.cells + columns * l.rows++;
         const char *values[] = {f[i].name, f[i].signature, f[i].kind, f[i].summary, f[i].example};
         for (size_t k = 0; k < columns; k++)
            row[k] = mt_str (values[k] ? values[k] : "");
      }
      mt_print_listing (c->sh, &l);
   } else {
      failed (c, &err);
   }
   mt_arena_free (a);
   return ok;
}

/* ---- \sf ---- */

bool mt_cmd_function_text (MtCall *c)
{
   MtArena *a = mt_arena_new ("function", NULL);
   MtError err = {0};
   const char *text;
   bool ok = false;
   if (!c->argc)
      mt_complain (c->sh, "function name is required");
   else if (!mt_function_definition (c->sh->session, a, c->argv[0], &text, &err))
      failed (c, &err);
   else if (c->plus)
      ok = mt_print_numbered (mt_output (c->sh), text, true);
   else
      ok = fputs (text, mt_output (c->sh)) >= 0;
   mt_arena_free (a);
   return ok;
}

/* ---- the connection ---- */

bool mt_cmd_databases (MtCall *c)
{
   static const char *const headers[] = {"Name"};
   MtArena *a = mt_arena_new ("databases", NULL);
   const char **names;
   MtError err = {0};
   size_t n;
   bool ok = mt_databases (c->sh->session, a, &names, &n, &err);
   if (ok) {
      MtListing l = {.title = "List of databases", .headers = headers, .columns = 1, .rows = n};
      l.cells = MT_NEW_N (a, MtStr, n + 1);
      for (size_t i = 0; i < n; i++)
         l.cells[i] = mt_str (names[i]);
      mt_print_listing (c->sh, &l);
   } else {
      failed (c, &err);
   }
   mt_arena_free (a);
   return ok;
}

bool mt_cmd_conninfo (MtCall *c)
{
   fprintf (mt_output (c->sh), "You are connected to %s%s%s%s.\n", c->sh->target ? "\"" : "",
            c->sh->shown_target, c->sh->target ? "\"" : "",
            c->sh->open.read_only ? ", read only" : "");
   return true;
}

bool mt_cmd_connect (MtCall *c)
{
   if (!c->argc)
      return mt_cmd_conninfo (c);
   if (!mt_shell_connect (c->sh, c->argv[0])) {
      fputs ("Previous connection kept\n", stderr);
      return false;
   }
   return mt_var_bool (&c->sh->vars, "QUIET", false) || mt_cmd_conninfo (c);
}
