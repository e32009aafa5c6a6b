/* Materialized views: tables that a query fills. The catalog has the table, which is read and planned like any other, in whatever layout it has, and an
 * object of its name, {sql, populated}, that says what it is. */
#include "layouts/partition.h"
#include "layouts/writer.h"
#include "engine/pipe.h"
#include "session/maintain.h"

#include <string.h>

static const MtCatalogObject *find (MtSession *s, const char *name)
{
   const MtCatalogObject *o;
   mt_catalog_find_object (s->catalog, "matview", name, &o);
   return o;
}

bool mt_is_matview (MtSession *s, const char *name)
{
   return find (s, name) != NULL;
}

static bool flag (const bson_t *body, const char *name)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, body, name) && BSON_ITER_HOLDS_BOOL (&it) && bson_iter_bool (&it);
}

static const char *text_of (const bson_t *body, uint32_t *n)
{
   bson_iter_t it;
   *n = 0;
   return bson_iter_init_find (&it, body, "sql") && BSON_ITER_HOLDS_UTF8 (&it) ? bson_iter_utf8 (&it, n) : NULL;
}

const char *mt_matview_definition (MtSession *s, MtArena *a, const char *name)
{
   const MtCatalogObject *o = find (s, name);
   uint32_t n;
   const char *sql = o ? text_of (o->body, &n) : NULL;
   return sql ? mt_strdup (a, sql) : NULL;
}

bool mt_matview_populated (MtSession *s, const char *name)
{
   const MtCatalogObject *o = find (s, name);
   return !o || flag (o->body, "populated");
}

bool mt_matview_readable (MtSession *s, const char *name, MtError *err)
{
   if (s->unread || mt_matview_populated (s, name))
      return true;
   mt_error (err, MT_E_STATE, "materialized view \"%s\" has not been populated", name);
   return mt_error_hint (err, "Use the REFRESH MATERIALIZED VIEW command.");
}

static bool save (MtStatement *st, const char *name, const char *sql, size_t n, bool populated, MtError *err)
{
   bson_t *body = mt_doc_new (st->arena);
   mt_doc_add (body, "sql", mt_v_str (sql, n));
   mt_doc_add (body, "populated", mt_v_bool (populated));
   return mt_catalog_save_object (st->session->catalog, "matview", name, body, err);
}

bool mt_matview_made (MtStatement *st, MtError *err)
{
   MtBuf sql = {0};
   mt_print_select (st->stmt->create_table.as, &sql);
   bool ok = save (st, st->stmt->create_table.name.text, sql.p, sql.n, !st->stmt->create_table.no_data, err);
   mt_buf_free (&sql);
   return ok;
}

bool mt_matview_forget (MtSession *s, const char *name, MtError *err)
{
   bool dropped;
   return mt_catalog_drop_object (s->catalog, "matview", name, &dropped, err);
}

bool mt_matview_rename (MtStatement *st, const char *name, const char *to, MtError *err)
{
   const MtCatalogObject *o = find (st->session, name);
   if (!o)
      return true;
   uint32_t n;
   const char *sql = mt_matview_definition (st->session, st->arena, name);
   bool populated = flag (o->body, "populated");
   text_of (o->body, &n);
   return mt_matview_forget (st->session, name, err) && save (st, to, sql, n, populated, err);
}

/* ---- what can't be done with one ---- */

/* Whether a statement means one by a name: a temporary table hides it. */
static bool names_matview (MtSession *s, const MtName *name)
{
   return mt_is_matview (s, name->text) && !mt_temporary_named (s, NULL, name);
}

static bool refuse_write (MtSession *s, const MtName *name, MtError *err)
{
   return !names_matview (s, name) || mt_error (err, "42809", "cannot change materialized view \"%s\"", name->text);
}

static bool refuse_drop (MtStatement *st, const char *kind, MtError *err)
{
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next)
      if (names_matview (st->session, &n->name)) {
         mt_error (err, "42809", "\"%s\" is not a %s", n->name.text, kind);
         return st->stmt->kind == MT_STMT_TRUNCATE ? false : mt_error_hint (err, "Use DROP MATERIALIZED VIEW to remove a materialized view.");
      }
   return true;
}

static bool refuse_alter (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.table;
   MtAlterKind k = st->stmt->alter_table.action;
   bool is = names_matview (st->session, name);
   if (st->stmt->alter_table.materialized && !is) {
      const MtTable *t;
      return !mt_need_table (st, name, &t, err) ? st->stmt->alter_table.if_exists : mt_error (err, "42809", "\"%s\" is not a materialized view", name->text);
   }
   if (!is || k == MT_ALTER_RENAME_TO || k == MT_ALTER_ADD_LAYOUT || k == MT_ALTER_DROP_LAYOUT)
      return true;
   if (k == MT_ALTER_RENAME_COLUMN)
      return mt_error_at (err, name->span, MT_E_FEATURE, "renaming columns of a materialized view is not supported");
   if (k == MT_ALTER_SET_OPTIONS || k == MT_ALTER_RESET_OPTIONS) {
      mt_error_at (err, name->span, MT_E_FEATURE, "rows of materialized views that expire are not supported");
      return mt_error_hint (err, "Its query says which rows it has, as of REFRESH MATERIALIZED VIEW: let it say WHERE, or those of its tables expire.");
   }
   mt_error (err, "42809", "ALTER action %s cannot be performed on relation \"%s\"", k == MT_ALTER_ADD_COLUMN ? "ADD COLUMN" : k == MT_ALTER_DROP_COLUMN ? "DROP COLUMN" : "ALTER COLUMN", name->text);
   return mt_error_detail (err, "This operation is not supported for materialized views.");
}

bool mt_matview_admits (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   if (s->kind == MT_STMT_INSERT)
      return refuse_write (st->session, &s->insert.table, err);
   if (s->kind == MT_STMT_UPDATE || s->kind == MT_STMT_DELETE)
      return refuse_write (st->session, &s->change.table, err);
   if (s->kind == MT_STMT_COPY && s->copy.from && s->copy.table.text)
      return !mt_is_matview (st->session, s->copy.table.text) || mt_error (err, "42809", "cannot copy to materialized view \"%s\"", s->copy.table.text);
   if (s->kind == MT_STMT_TRUNCATE || s->kind == MT_STMT_DROP_TABLE)
      return refuse_drop (st, "table", err);
   if (s->kind == MT_STMT_DROP_VIEW)
      return refuse_drop (st, "view", err);
   return s->kind != MT_STMT_ALTER_TABLE || refuse_alter (st, err);
}

/* ---- REFRESH ---- */

static bool no_matview (const MtName *name, MtError *err) { return mt_error (err, MT_E_FEATURE, "\"%s\" is not a materialized view", name->text); }

static bool need (MtStatement *st, const MtName *schema, const MtName *name, const MtTable **t, MtError *err)
{
   MtSession *s = st->session;
   if (mt_temporary_named (s, schema, name))
      return no_matview (name, err);
   if (mt_is_view (s, name->text))
      return mt_error (err, "42809", "\"%s\" is not a table or materialized view", name->text);
   bool ok = schema->text ? mt_find_table (s, schema, name, t, err) && (!*t || !mt_has_partitions (t, 1) || mt_catalog_look (s->catalog, err)) : mt_need_table (st, name, t, err);
   if (!ok) {
      err->span = MT_NO_SPAN;
      return false;
   }
   if (!*t)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", name->text);
   return mt_is_matview (s, name->text) || no_matview (name, err);
}

static bool plan_query (MtStatement *st, const MtTable *t, MtPlan **out, MtError *err)
{
   uint32_t n;
   const char *sql = text_of (find (st->session, t->name)->body, &n);
   MtStmt *stmt;
   MtQuery *q;
   const MtColumn **columns = MT_NEW_N (st->arena, const MtColumn *, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++)
      columns[i] = &t->columns[i];
   if (!sql || !mt_parse (st->arena, mt_strndup (st->arena, sql, n), n, &stmt, err) || !stmt || stmt->kind != MT_STMT_SELECT)
      return mt_error (err, MT_E_CORRUPT, "materialized view \"%s\" in the catalog is damaged", t->name);
   MtBindEnv env = st->env;
   env.stored = true;
   if (!mt_bind_assigned (st->arena, &env, stmt->select, columns, (int) t->column_count, NULL, &q, err)) {
      err->span = MT_NO_SPAN; /* it would be a place in the view's own text */
      return false;
   }
   if ((size_t) q->visible_count != t->column_count)
      return mt_error (err, MT_E_STATE, "the query of materialized view \"%s\" has other columns than before", t->name);
   return mt_plan_bound (st, q, out, err);
}

/* A REFRESH: the view as it is, and as it comes to be. Where others see what is written as it comes, its documents lie in collections of other names then, which the catalog's entry brings into
 * use: until then all see the old ones, also when this process dies. */
typedef struct Refresh {
   MtStatement *st;
   const MtTable *t;
   MtTable next;
   MtPlan *plan;   /* NULL: WITH NO DATA */
   bool beside;
} Refresh;

/* Whether a layout's new documents lie in other collections: those that others made stay. */
static bool moves (const Refresh *r, size_t layout) { return r->beside && !r->t->layouts[layout].attached; }

/* What a dead one left goes; the catalog is told of what would be left of this one. */
static bool announce (Refresh *r, MtError *err)
{
   MtStatement *st = r->st;
   if (!r->beside)
      return true;
   if (!mt_no_live_intents (st, r->t, err) || !mt_clear_dead_intents (st, r->t, err))
      return false;
   for (size_t i = 0; i < r->t->layout_count; i++)
      for (size_t j = 0; j < r->t->layouts[i].store_count && moves (r, i); j++)
         if (!mt_fresh_name (st, &r->next.layouts[i].stores[j], err))
            return false;
   const MtTable made = r->next;
   if (!mt_intend_moves (st, &r->t, &made, MT_INTENDS_REFRESH, err))
      return false;
   r->next = mt_table_to_change (st->arena, r->t);
   for (size_t i = 0; i < made.layout_count; i++)
      for (size_t j = 0; j < made.layouts[i].store_count && moves (r, i); j++) {
         r->next.layouts[i].stores[j].collection = made.layouts[i].stores[j].collection;
         r->next.layouts[i].stores[j].parts = made.layouts[i].stores[j].parts;
      }
   return true;
}

static bool make_room (Refresh *r, MtError *err)
{
   MtStatement *st = r->st;
   for (size_t i = 0; i < r->t->layout_count; i++) {
      MtLayout *l = &r->next.layouts[i];
      l->stats = MT_NEW_N (st->arena, MtStoreStats, l->store_count + 1);
      if (moves (r, i) ? !mt_layout_create_collections (st->session->engine, &r->next, l, err) : !mt_empty_layout (st, r->t, &r->t->layouts[i], r->plan != NULL, err))
         return false;
   }
   return mt_make_indexes (st, &r->next, err);
}

static bool drop_old (Refresh *r, MtError *err)
{
   for (size_t i = 0; i < r->t->layout_count; i++)
      for (size_t j = 0; j < r->t->layouts[i].store_count && moves (r, i); j++)
         if (!mt_drop_store (r->st, &r->t->layouts[i].stores[j], err))
            return false;
   return true;
}

/* In the engine's open step. */
static bool fill_anew (Refresh *r, MtError *err)
{
   MtStatement *st = r->st;
   MtCatalog *catalog = st->session->catalog;
   MtTable filled = r->next;
   MtResult *rows = NULL;
   uint64_t count;
   uint32_t n;
   const char *name = mt_strdup (st->arena, r->t->name), *sql = mt_matview_definition (st->session, st->arena, name);
   text_of (find (st->session, name)->body, &n);
   if (r->plan && !mt_rows_of_plan (st, r->plan, &rows, err))
      return false;
   bool ok = make_room (r, err) && (!rows || mt_fill_table (st, &r->next, rows, &filled, &count, err));
   mt_result_free (rows);
   ok = ok && (r->plan || save (st, name, sql, n, false, err));
   ok = ok && (r->beside ? drop_old (r, err) && mt_not_written_meanwhile (st, r->t, err) && mt_catalog_save_unwritten (catalog, r->t, &filled, err) : mt_catalog_save (catalog, &filled, NULL, err));
   return ok && (!r->plan || save (st, name, sql, n, true, err));
}

bool mt_run_refresh (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   Refresh r = {.st = st, .beside = mt_intents_apply (s)};
   mt_result_set_tag (st->result, "REFRESH MATERIALIZED VIEW");
   if (!need (st, &st->stmt->refresh.schema, &st->stmt->refresh.name, &r.t, err))
      return false;
   if (st->stmt->refresh.concurrently && !mt_matview_populated (s, r.t->name))
      return mt_error (err, MT_E_FEATURE, "CONCURRENTLY cannot be used when the materialized view is not populated");
   if (st->stmt->refresh.concurrently && st->stmt->refresh.no_data)
      return mt_error (err, MT_E_SYNTAX, "REFRESH options CONCURRENTLY and WITH NO DATA cannot be used together");
   if (!st->stmt->refresh.no_data && !plan_query (st, r.t, &r.plan, err))
      return false;
   r.next = mt_table_to_change (st->arena, r.t);
   if (!announce (&r, err) || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (fill_anew (&r, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

/* ---- DROP ---- */

bool mt_run_drop_matview (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP MATERIALIZED VIEW");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtTable *t;
      if (!mt_catalog_find (st->session->catalog, n->name.text, mt_name_is_exact (&n->name), &t, err))
         return false;
      bool view = !t && mt_is_view (st->session, n->name.text);
      if (view || (t && !mt_is_matview (st->session, mt_table_id (st->arena, t)))) {
         mt_error (err, "42809", "\"%s\" is not a materialized view", n->name.text);
         return mt_error_hint (err, "Use DROP %s to remove a %s.", view ? "VIEW" : "TABLE", view ? "view" : "table");
      }
      if (!t && !st->stmt->drop.if_exists)
         return mt_error (err, MT_E_UNDEFINED_TABLE, "materialized view \"%s\" does not exist", n->name.text);
      if (!t)
         mt_notice (st->session, "NOTICE", NULL, "materialized view \"%s\" does not exist, skipping", n->name.text);
      else if (!mt_drop_one_table (st, t, err) || !mt_catalog_refresh (st->session->catalog, NULL, err))
         return false;
   }
   return true;
}
