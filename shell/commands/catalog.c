/* \di, \dn, \dT, \do and so on: lists of objects, which are queries over pg_catalog. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The query and the texts for one list of objects, such as that of \dT. The first column is the
 * schema, unless no_schema is set; the next one is the name, which the command's pattern must
 * match. */
typedef struct CatalogList {
   const char *command;
   const char *title;
   /* columns: the SELECT list; more: the columns to add if the command ends with + */
   const char *columns, *more;
   /* the FROM clause with WHERE and ORDER BY */
   const char *from;
   /* the word in "Did not find any … named" for an empty result; NULL: an empty list is printed */
   const char *what;
   bool no_schema;
   /* relations of pg_catalog are listed even without S and without a pattern */
   bool everything;
} CatalogList;

#define RELATIONS(kinds) \
   "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN (" kinds \
   ") ORDER BY 1, 2"
#define RELATION \
   "n.nspname AS \"Schema\", c.relname AS \"Name\", CASE c.relkind WHEN 'r' THEN 'table' " \
   "WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'index' END AS \"Type\""
#define OWNER ", pg_get_userbyid(c.relowner) AS \"Owner\""
#define SIZE ", pg_size_pretty(pg_table_size(c.oid)) AS \"Size\""
#define DESCRIPTION(oid) ", obj_description(" oid ") AS \"Description\""

static const CatalogList lists[] = {
   {"di", "List of relations", RELATION OWNER ", t.relname AS \"Table\"",
    ", pg_get_indexdef(c.oid) AS \"Definition\"" DESCRIPTION ("c.oid"),
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_index i ON "
    "i.indexrelid = c.oid JOIN pg_class t ON t.oid = i.indrelid ORDER BY 1, 2",
    "relation", false, false},
   {"dm", "List of relations", RELATION OWNER, SIZE DESCRIPTION ("c.oid"), RELATIONS ("'m'"),
    "relation", false, false},
   {"dn", "List of schemas", "n.nspname AS \"Name\", pg_get_userbyid(n.nspowner) AS \"Owner\"", "",
    "FROM pg_namespace n ORDER BY 1", NULL, true, false},
   {"dD", "List of domains",
    "n.nspname AS \"Schema\", t.typname AS \"Name\", format_type(t.typbasetype, t.typtypmod) AS "
    "\"Type\", CASE WHEN t.typnotnull THEN 'not null' ELSE '' END AS \"Nullable\", t.typdefault AS "
    "\"Default\", array_to_string(ARRAY(SELECT pg_get_constraintdef(r.oid) FROM pg_constraint r "
    "WHERE t.oid = r.contypid ORDER BY r.conname), ' ') AS \"Check\"",
    "",
    "FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype = 'd' ORDER BY 1, 2",
    "domain", false, false},
   {"dT", "List of data types", "n.nspname AS \"Schema\", format_type(t.oid, NULL) AS \"Name\"",
    ", t.typname AS \"Internal name\", CASE WHEN t.typlen < 0 THEN 'var' ELSE "
    "t.typlen::text END "
    "AS \"Size\", array_to_string(ARRAY(SELECT e.enumlabel FROM pg_enum e WHERE e.enumtypid = "
    "t.oid ORDER BY e.enumsortorder), E'\\n') AS \"Elements\"",
    "FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typelem = 0 AND "
    "t.typtype <> 'p' ORDER BY 1, 2",
    NULL, false, false},
   {"do", "List of operators",
    "'pg_catalog' AS \"Schema\", o.oprname AS \"Name\", CASE WHEN o.oprleft <> 0 THEN "
    "format_type(o.oprleft, NULL) END AS \"Left arg type\", format_type(o.oprright, NULL) AS "
    "\"Right arg type\", "
    "format_type(o.oprresult, NULL) AS \"Result type\"" DESCRIPTION ("o.oid"),
    "", "FROM pg_operator o ORDER BY 1, 2, 3, 4", NULL, false, true},
   {"dd", "Object descriptions",
    "n.nspname AS \"Schema\", CASE WHEN d.objsubid = 0 THEN c.relname ELSE c.relname || '.' || "
    "a.attname END AS \"Name\", "
    "CASE WHEN d.objsubid > 0 THEN 'column' WHEN c.relkind = 'v' THEN 'view' WHEN c.relkind "
    "= 'm' "
    "THEN 'materialized view' WHEN c.relkind = 'i' THEN 'index' ELSE 'table' END AS \"Object\", "
    "d.description AS \"Description\"",
    "",
    "FROM pg_description d JOIN pg_class c ON c.oid = d.objoid AND d.classoid = 1259 JOIN "
    "pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_attribute a ON a.attrelid = "
    "c.oid AND "
    "a.attnum = d.objsubid ORDER BY 1, 2",
    NULL, false, false},
   {"dp", "Access privileges",
    RELATION
    ", NULL::text AS \"Access privileges\", NULL::text AS \"Column privileges\", NULL::text AS "
    "\"Policies\"",
    "", RELATIONS ("'r', 'v', 'm'"), NULL, false, false},
   {"du", "List of roles",
    "r.rolname AS \"Role name\", concat_ws(', ', CASE WHEN r.rolsuper THEN 'Superuser' END, "
    "CASE "
    "WHEN r.rolbypassrls THEN 'Bypass RLS' END) AS \"Attributes\"",
    "", "FROM pg_roles r ORDER BY 1", NULL, true, true},
   {"dC", "List of casts",
    "'pg_catalog' AS \"Schema\", format_type(c.castsource, NULL) AS \"Source type\", "
    "format_type(c.casttarget, NULL) AS \"Target type\", "
    "CASE c.castcontext WHEN 'i' THEN 'yes' WHEN 'a' THEN 'in assignment' ELSE 'no' END AS "
    "\"Implicit?\"",
    "", "FROM pg_cast c ORDER BY 1, 2, 3", NULL, false, true},
   {"dconfig", "List of configuration parameters",
    "s.name AS \"Parameter\", current_setting(s.name) AS \"Value\"",
    ", s.vartype AS \"Type\", s.context AS \"Context\"", "FROM pg_settings s ORDER BY 1", NULL,
    true, true},
   {"dx", "List of installed extensions",
    "e.extname AS \"Name\", e.extversion AS \"Version\", n.nspname AS \"Schema\", "
    "d.description AS \"Description\"",
    "",
    "FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace LEFT JOIN pg_description d ON "
    "d.objoid = e.oid AND d.classoid = 3079 ORDER BY 1",
    NULL, true, true},
   {"dalert", "List of alerts",
    "a.alertname AS \"Name\", CASE WHEN NOT a.enabled THEN 'disabled' ELSE coalesce(a.state, 'not "
    "checked') END AS \"State\", a.since AS \"Since\", a.firing AS \"Firing rows\", a.checked AS "
    "\"Checked\"",
    ", a.lasting AS \"For\", a.every AS \"Every\", a.notify AS \"Command\", a.definition AS "
    "\"Definition\"",
    "FROM pg_alerts a ORDER BY 1", "alert", true, true},
   {"ds", "List of relations", RELATION OWNER, "", RELATIONS ("'S'"), "relation", false, false},
};

/* A pattern "schema.name" or "name". Both parts may contain the wildcards * and ?. */
typedef struct Pattern {
   char *schema, *name; /* owned; NULL: any */
} Pattern;

static Pattern read_pattern (const char *text)
{
   const char *dot = text ? strchr (text, '.') : NULL;
   Pattern p = {0};
   if (!text)
      return p;
   if (dot) {
      char *schema = mt_heap_strndup (text, (size_t) (dot - text));
      p.schema = schema ? mt_unquote_name (schema) : NULL;
      free (schema);
   }
   p.name = mt_unquote_name (dot ? dot + 1 : text);
   return p;
}

static bool is_own (const char *schema)
{
   return strcmp (schema, "pg_catalog") != 0 && strcmp (schema, "information_schema") != 0;
}

static bool is_listed (const CatalogList *k, const Pattern *p, bool all, const char *schema,
                       const char *name)
{
   if (p->schema && !k->no_schema && !mt_pattern_match (p->schema, schema))
      return false;
   if (p->name)
      return mt_pattern_match (p->name, name);
   return all || k->everything || is_own (schema);
}

/* Adds the rows of the result that match the command's pattern to the table l. */
static bool collect (MtCall *c, const CatalogList *k, MtArena *a, MtResult *r, MtListing *l,
                     MtError *err)
{
   Pattern p = read_pattern (c->argc ? c->argv[0] : NULL);
   bool more = true, ok = true, all = strchr (c->name, 'S') != NULL;
   size_t cap = 0;
   l->columns = mt_result_columns (r);
   const char **headers = MT_NEW_N (a, const char *, l->columns + 1);
   for (size_t i = 0; i < l->columns; i++)
      headers[i] = mt_strdup (a, mt_result_name (r, i));
   l->headers = headers;
   while ((ok = mt_result_next (r, &more, err)) && more) {
      const char *schema = mt_result_text (r, 0, NULL),
                 *name = mt_result_text (r, k->no_schema ? 0 : 1, NULL);
      if (!is_listed (k, &p, all, schema ? schema : "", name ? name : ""))
         continue;
      if (l->rows == cap) {
         cap = mt_room ("list", cap, l->rows + 1, 16, l->columns * sizeof *l->cells, sizeof cap);
         l->cells = mt_arena_move (a, l->cells, l->rows, cap, l->columns * sizeof *l->cells);
      }
      for (size_t i = 0; i < l->columns; i++) {
         const char *text = mt_result_text (r, i, NULL);
         l->cells[l->rows * l->columns + i] = mt_str (text ? mt_strdup (a, text) : "");
      }
      l->rows++;
   }
   free (p.schema);
   free (p.name);
   return ok;
}

static bool show (MtCall *c, const CatalogList *k)
{
   MtArena *a = mt_arena_new ("list", NULL);
   MtError err = {0};
   MtResult *r = NULL;
   MtListing l = {.title = k->title};
   const char *sql = mt_printf (a, "SELECT %s%s %s", k->columns, c->plus ? k->more : "", k->from);
   bool ok = mt_query (c->sh->session, sql, -1, &r, &err) && collect (c, k, a, r, &l, &err);
   mt_result_free (r);
   if (!ok)
      mt_report_error (c->sh, &err, NULL, 0);
   else if (!l.rows && k->what && c->argc)
      mt_complain (c->sh, "Did not find any %s named \"%s\".", k->what, c->argv[0]);
   else if (!l.rows && k->what)
      mt_complain (c->sh, "Did not find any %ss.", k->what);
   else
      mt_print_listing (c->sh, &l);
   mt_arena_free (a);
   return ok;
}

bool mt_cmd_catalog (MtCall *c)
{
   const char *name = c->name[0] == 'z' ? "dp" : c->name;
   if (strncmp (name, "dg", 2) == 0)
      name = "du";
   for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
      if (strncmp (name, lists[i].command, 2) == 0)
         return show (c, &lists[i]);
   return false;
}

/* Prints the objects of the extension `name`, for \dx+. */
static bool list_objects (MtCall *c, MtArena *a, const char *name, MtError *err)
{
   static const char *const headers[] = {"Object description"};
   MtExtensionInfo x;
   if (!mt_extension_info (c->sh->session, a, name, &x, err))
      return false;
   MtListing l = {.title = mt_printf (a, "Objects in extension \"%s\"", name),
                  .headers = headers,
                  .columns = 1,
                  .rows = x.count};
   l.cells = MT_NEW_N (a, MtStr, x.count + 1);
   for (size_t i = 0; i < x.count; i++)
      l.cells[i] = mt_str (x.objects[i]);
   mt_print_listing (c->sh, &l);
   return true;
}

/* Sets *names and *count to the names of the extensions that match the pattern, in arena a. */
static bool extension_names (MtCall *c, MtArena *a, const char ***names, size_t *count,
                             MtError *err)
{
   MtResult *r = NULL;
   bool more = true;
   size_t cap = 0;
   char *pattern = c->argc ? mt_unquote_name (c->argv[0]) : NULL;
   *names = NULL;
   *count = 0;
   bool ok = mt_query (c->sh->session, "SELECT extname FROM pg_extension ORDER BY 1", -1, &r, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      const char *name = mt_result_text (r, 0, NULL);
      if (pattern && !mt_pattern_match (pattern, name))
         continue;
      MT_GROW_IN (a, *names, *count, cap, 8);
      (*names)[(*count)++] = mt_strdup (a, name);
   }
   mt_result_free (r);
   free (pattern);
   return ok;
}

bool mt_cmd_extensions (MtCall *c)
{
   if (!c->plus)
      return mt_cmd_catalog (c);
   MtArena *a = mt_arena_new ("extensions", NULL);
   MtError err = {0};
   const char **names;
   size_t n;
   bool ok = extension_names (c, a, &names, &n, &err);
   for (size_t i = 0; i < n && ok; i++)
      ok = list_objects (c, a, names[i], &err);
   if (!ok)
      mt_report_error (c->sh, &err, NULL, 0);
   else if (!n && c->argc)
      mt_complain (c->sh, "Did not find any extension named \"%s\".", c->argv[0]);
   else if (!n)
      mt_complain (c->sh, "Did not find any extensions.");
   mt_arena_free (a);
   return ok;
}

/* Lists the user's relations and, because the command has S, those of pg_catalog: \dS, \dtS,
 * \dvS. */
bool mt_list_relations (MtCall *c)
{
   static const CatalogList of_kind[] = {
      {"dt", "List of relations", RELATION OWNER, SIZE DESCRIPTION ("c.oid"), RELATIONS ("'r'"),
       "relation", false, false},
      {"dv", "List of relations", RELATION OWNER, SIZE DESCRIPTION ("c.oid"), RELATIONS ("'v'"),
       "relation", false, false},
      {"d", "List of relations", RELATION OWNER, SIZE DESCRIPTION ("c.oid"),
       RELATIONS ("'r', 'v', 'm'"), "relation", false, false},
   };
   size_t i = 0;
   while (strncmp (c->name, of_kind[i].command, strlen (of_kind[i].command)) != 0)
      i++;
   return show (c, &of_kind[i]);
}

/* ---- \sv, and numbers of lines ---- */

/* For a function, line numbers start at its body, as in psql. */
bool mt_print_numbered (FILE *f, const char *text, bool function)
{
   int number = function ? 0 : 1;
   for (const char *line = text; *line;
        line += strcspn (line, "\n") + (line[strcspn (line, "\n")] != 0)) {
      int n = (int) strcspn (line, "\n");
      if (!number && strncmp (line, "AS ", 3) == 0)
         number = 1;
      if (number)
         fprintf (f, "%-7d %.*s\n", number++, n, line);
      else
         fprintf (f, "        %.*s\n", n, line);
   }
   return !ferror (f);
}

static void print_view (MtCall *c, const char *text)
{
   if (c->plus)
      mt_print_numbered (mt_output (c->sh), text, false);
   else
      fputs (text, mt_output (c->sh));
}

bool mt_cmd_view_text (MtCall *c)
{
   MtArena *a = mt_arena_new ("view", NULL);
   MtError err = {0};
   MtResult *r = NULL;
   bool more = false, ok = false;
   if (!c->argc) {
      mt_complain (c->sh, "view name is required");
   } else {
      MtBuf name = {0};
      mt_buf_quoted (&name, '\'', mt_str (c->argv[0]));
      const char *sql = mt_printf (
         a,
         "SELECT c.oid::regclass, pg_get_viewdef(c.oid), CASE c.relkind WHEN 'm' THEN 'CREATE "
         "MATERIALIZED VIEW' ELSE 'CREATE OR REPLACE VIEW' END FROM pg_class c WHERE c.oid = "
         "%.*s::regclass AND c.relkind IN ('v', 'm')",
         (int) name.n, name.p);
      mt_buf_free (&name);
      ok = mt_query (c->sh->session, sql, -1, &r, &err) && mt_result_next (r, &more, &err);
      if (!ok)
         mt_report_error (c->sh, &err, NULL, 0);
      else if (!more)
         mt_complain (c->sh, "\"%s\" is not a view", c->argv[0]);
      else
         print_view (c, mt_printf (a, "%s %s AS\n%s\n", mt_result_text (r, 2, NULL),
                                   mt_result_text (r, 0, NULL), mt_result_text (r, 1, NULL)));
      ok = ok && more;
   }
   mt_result_free (r);
   mt_arena_free (a);
   return ok;
}
