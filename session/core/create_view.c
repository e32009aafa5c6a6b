/* CREATE VIEW, and the views that read a table. */
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/state/session.h"

#include <string.h>

/* ---- what views read ---- */

/* Returns whether the query reads several tables. Then a new column of one table can change the
 * meaning of a name in it. */
static bool reads_several (const char *sql)
{
   static const char *const behind[] = {"where", "group", "having", "window",
                                        "order", "limit", "offset", "fetch"};
   const char *from = mt_find_word (sql, "from"), *end = sql + strlen (sql);
   if (!from || mt_find_word (from + 1, "from") || mt_find_word (sql, "join"))
      return from != NULL;
   for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
      const char *at = mt_find_word (from, behind[i]);
      end = at && at < end ? at : end;
   }
   return memchr (from, ',', (size_t) (end - from)) != NULL;
}

/* Checks that no view's query has the table's name in it; 0A000 if one has. kind: "view" or
 * "matview". adds_column: only a column is added, which affects views of several tables, and
 * materialized views with *. */
static bool none_reads (MtStatement *st, const char *kind, const char *table, bool adds_column,
                        MtError *err)
{
   size_t n;
   const MtCatalogObject *views = mt_catalog_objects (st->session->catalog, kind, &n);
   for (size_t i = 0; i < n; i++) {
      bson_iter_t it;
      if (!bson_iter_init_find (&it, views[i].body, "sql") || !BSON_ITER_HOLDS_UTF8 (&it))
         continue;
      const char *sql = bson_iter_utf8 (&it, NULL);
      bool safe = adds_column && !reads_several (sql) && !(*kind == 'm' && strchr (sql, '*'));
      if (!mt_find_word (sql, table) || safe)
         continue;
      mt_error (err, MT_E_FEATURE, "cannot alter table \"%s\" because view \"%s\" reads it", table,
                views[i].name);
      return mt_error_hint (err, "Drop the view, and create it again afterwards.");
   }
   return true;
}

bool mt_no_view_reads (MtStatement *st, const char *table, bool adds_column, MtError *err)
{
   return none_reads (st, "view", table, adds_column, err) &&
          none_reads (st, "matview", table, adds_column, err);
}

/* ---- CREATE VIEW ---- */

static bool name_free (MtStatement *st, const MtCatalogObject *existing, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_view.name;
   const MtTable *t;
   bool has = false;
   if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, name->text, true, &t, err))
      return false;
   if (t && st->stmt->create_view.or_replace)
      return mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a view", name->text);
   if (!t && !existing && !mt_engine_has_collection (s->engine, name->text, &has, err))
      return false;
   return (!t && !has && (!existing || st->stmt->create_view.or_replace)) ||
          mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", name->text);
}

/* Checks that no column changes its type; 42P16. If the old query can't be bound any more, all
 * types are accepted. */
static bool same_types (MtStatement *st, const MtView *old, const MtQuery *q,
                        const char *const *columns, MtError *err)
{
   MtQuery *before;
   MtError ignored;
   MtBindEnv env = st->env;
   env.run = mt_run_nothing;
   if (!mt_bind_select (st->arena, &env, old->query, &before, &ignored))
      return true;
   for (int i = 0; i < old->count; i++) {
      int at = 0;
      while (at < before->visible_count && strcmp (before->targets[at].name, old->own[i]) != 0)
         at++;
      if (at == before->visible_count)
         continue;
      MtType was = before->targets[at].expr->type, is = q->targets[i].expr->type;
      const char *from = mt_type_display (st->arena, was), *to = mt_type_display (st->arena, is);
      if (strcmp (from, to) != 0)
         return mt_error (err, MT_E_TABLE_DEFINITION,
                          "cannot change data type of view column \"%s\" from %s to %s", columns[i],
                          from, to);
   }
   return true;
}

/* Checks that CREATE OR REPLACE VIEW only adds columns at the end. */
static bool check_replaced (MtStatement *st, const MtCatalogObject *existing, const MtQuery *q,
                            const char *const *columns, MtError *err)
{
   MtView old;
   if (!existing)
      return true;
   if (!mt_view_of_object (st->arena, existing, &old, err))
      return false;
   if (q->visible_count < old.count)
      return mt_error (err, MT_E_TABLE_DEFINITION, "cannot drop columns from view");
   for (int i = 0; i < old.count; i++)
      if (strcmp (old.columns[i], columns[i]) != 0) {
         mt_error (err, MT_E_TABLE_DEFINITION, "cannot change name of view column \"%s\" to \"%s\"",
                   old.columns[i], columns[i]);
         return mt_error_hint (err, "Drop the view first.");
      }
   return same_types (st, &old, q, columns, err);
}

static bool view_columns (MtStatement *st, const MtQuery *q, const char **columns, MtError *err)
{
   int i = 0;
   for (const MtNameList *n = st->stmt->create_view.columns; n; n = n->next, i++) {
      if (i == q->visible_count)
         return mt_error (err, MT_E_SYNTAX, "CREATE VIEW specifies more column names than columns");
      columns[i] = n->name.text;
   }
   for (; i < q->visible_count; i++)
      columns[i] = q->targets[i].name;
   for (i = 0; i < q->visible_count; i++)
      for (int k = 0; k < i; k++)
         if (strcmp (columns[i], columns[k]) == 0)
            return mt_error (err, MT_E_DUPLICATE_COLUMN, "column \"%s\" specified more than once",
                             columns[i]);
   return q->visible_count > 0 ||
          mt_error (err, MT_E_INVALID_DEFINITION, "view must have at least one column");
}

static bson_t *list_of (MtArena *a, const char *const *list, int count)
{
   bson_t *array = mt_doc_new (a);
   for (int i = 0; i < count; i++)
      mt_doc_add_text (array, mt_printf (a, "%d", i), list[i]);
   return array;
}

bool mt_run_create_view (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   MtArena *a = st->arena;
   const char *name = st->stmt->create_view.name.text;
   const MtCatalogObject *existing = mt_view_object (s, name);
   MtQuery *q;
   MtBuf sql = {0};
   mt_result_set_tag (st->result, "CREATE VIEW");
   st->session->unread = true;
   bool ok = name_free (st, existing, err) &&
             mt_bind_select (a, &st->env, st->stmt->create_view.query, &q, err);
   st->session->unread = false;
   if (!ok || !mt_no_temporary (st, "views", err))
      return false;
   const char **columns = MT_NEW_N (a, const char *, (size_t) q->visible_count + 1),
              **own = MT_NEW_N (a, const char *, (size_t) q->visible_count + 1);
   if (!view_columns (st, q, columns, err) || !check_replaced (st, existing, q, columns, err))
      return false;
   for (int i = 0; i < q->visible_count; i++)
      own[i] = q->targets[i].name;
   bson_t *body = mt_doc_new (a);
   if (!mt_print_stored (st, st->stmt->create_view.query, &sql, err))
      return false;
   mt_doc_add (body, "sql", mt_v_copy (a, mt_v_str (sql.p, sql.n)));
   mt_buf_free (&sql);
   mt_doc_add_array (body, "columns", list_of (a, columns, q->visible_count));
   mt_doc_add_array (body, "own", list_of (a, own, q->visible_count));
   return mt_catalog_save_object (s->catalog, "view", existing ? existing->name : name, body, err);
}
