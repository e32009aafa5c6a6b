/* \d for indexes and for relations of pg_catalog. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct Relation {
   const char *schema, *name, *kind, *oid;
   /* for an index: its properties and its table as text; NULL: the relation is not an index */
   const char *index;
} Relation;

static const char columns_of_index[] =
   "SELECT a.attname AS \"Column\", format_type(a.atttypid, a.atttypmod) AS \"Type\", 'yes' AS "
   "\"Key?\", quote_ident(a.attname) AS \"Definition\" FROM pg_catalog.pg_attribute a "
   "WHERE a.attrelid = %s AND a.attnum > 0 ORDER BY a.attnum";
static const char columns_of_table[] =
   "SELECT a.attname AS \"Column\", format_type(a.atttypid, a.atttypmod) AS \"Type\", '' AS "
   "\"Collation\", CASE WHEN a.attnotnull THEN 'not null' ELSE '' END AS \"Nullable\", "
   "'' AS \"Default\" FROM pg_catalog.pg_attribute a WHERE a.attrelid = %s AND a.attnum > 0 ORDER "
   "BY a.attnum";
/* Returns indexes and relations of pg_catalog, which \d describes after the user's tables. */
static const char relations[] =
   "SELECT n.nspname, c.relname, c.relkind, c.oid, CASE WHEN i.indisprimary THEN 'primary key, ' "
   "WHEN i.indisunique THEN 'unique, ' ELSE '' END || 'btree, for table \"' || n.nspname || '.' "
   "|| t.relname || '\"' "
   "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace LEFT JOIN "
   "pg_catalog.pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_catalog.pg_class t ON t.oid = "
   "i.indrelid "
   "WHERE c.relkind = 'i' OR n.nspname IN ('pg_catalog', 'information_schema') ORDER BY 1, 2";

static const char *cell (MtArena *a, const MtResult *r, size_t column)
{
   const char *text = mt_result_text ((MtResult *) r, column, NULL);
   return text ? mt_strdup (a, text) : NULL;
}

static bool show (MtCall *c, MtArena *a, const Relation *x, MtError *err)
{
   MtResult *r = NULL;
   const char *what = *x->kind == 'v' ? "View" : "Table",
              *footers[] = {x->index ? x->index : "", NULL};
   MtListing l = {.title = mt_printf (a, "%s \"%s.%s\"", x->index ? "Index" : what, x->schema,
                                      x->name),
                  .footers = x->index ? footers : footers + 1};
   bool more = true,
        ok = mt_query (c->sh->session,
                       mt_printf (a, x->index ? columns_of_index : columns_of_table, x->oid), -1,
                       &r, err);
   if (ok) {
      l.columns = mt_result_columns (r);
      const char **headers = MT_NEW_N (a, const char *, l.columns + 1);
      for (size_t i = 0; i < l.columns; i++)
         headers[i] = mt_strdup (a, mt_result_name (r, i));
      l.headers = headers;
      l.cells = MT_NEW_N (a, MtStr, l.columns * (MT_MAX_COLUMNS + 1));
   }
   while (ok && (ok = mt_result_next (r, &more, err)) && more && l.rows < MT_MAX_COLUMNS) {
      for (size_t i = 0; i < l.columns; i++) {
         const char *text = cell (a, r, i);
         l.cells[l.rows * l.columns + i] = mt_str (text ? text : "");
      }
      l.rows++;
   }
   mt_result_free (r);
   if (ok)
      mt_print_listing (c->sh, &l);
   return ok;
}

/* Returns whether a relation matches the patterns for its name and its schema. schema NULL: any
 * schema except information_schema. */
static bool matches (const char *schema, const char *name, const Relation *x)
{
   return mt_pattern_match (name, x->name) &&
          (schema ? mt_pattern_match (schema, x->schema)
                  : strcmp (x->schema, "information_schema") != 0);
}

bool mt_describe_relations (MtCall *c, const char *pattern, size_t *found)
{
   MtArena *a = mt_arena_new ("relations", NULL);
   const char *dot = strchr (pattern, '.');
   char *first = dot ? mt_heap_strndup (pattern, (size_t) (dot - pattern)) : NULL,
        *schema = first ? mt_unquote_name (first) : NULL,
        *name = mt_unquote_name (dot ? dot + 1 : pattern);
   size_t n = 0, cap = 0;
   Relation *list = NULL;
   MtError err = {0};
   MtResult *r = NULL;
   bool more = true, ok = mt_query (c->sh->session, relations, -1, &r, &err);
   while (ok && (ok = mt_result_next (r, &more, &err)) && more) {
      Relation x = {cell (a, r, 0), cell (a, r, 1), cell (a, r, 2), cell (a, r, 3), cell (a, r, 4)};
      if (!matches (schema, name, &x))
         continue;
      MT_GROW_IN (a, list, n, cap, 16);
      list[n++] = x;
   }
   mt_result_free (r);
   for (size_t i = 0; ok && i < n; i++)
      ok = show (c, a, &list[i], &err);
   if (!ok)
      mt_report_error (c->sh, &err, NULL, 0);
   *found = n;
   free (first);
   free (schema);
   free (name);
   mt_arena_free (a);
   return ok;
}
