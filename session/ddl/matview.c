/* REFRESH and DROP MATERIALIZED VIEW. */
#include "layouts/collections/partition.h"
#include "layouts/pack/writer.h"
#include "layouts/collections/collections.h"
#include "engine/pipe.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"
#include "session/dml/dml.h"

#include <string.h>

/* ---- REFRESH ---- */

static bool refuse_other (const MtName *name, MtError *err)
{
   return mt_error (err, MT_E_FEATURE, "\"%s\" is not a materialized view", name->text);
}

static bool need_matview (MtStatement *st, const MtName *schema, const MtName *name,
                          const MtTable **t, MtError *err)
{
   MtSession *s = st->session;
   if (mt_temporary_named (s, schema, name))
      return refuse_other (name, err);
   if (mt_is_view (s, name->text))
      return mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a table or materialized view",
                       name->text);
   bool ok = schema->text
                ? mt_find_table (s, schema, name, t, err) &&
                     (!*t || !mt_has_partitions (t, 1) || mt_catalog_look (s->catalog, err))
                : mt_need_table (st, name, t, err);
   if (!ok) {
      err->span = MT_NO_SPAN;
      return false;
   }
   if (!*t)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", name->text);
   return mt_is_matview (s, name->text) || refuse_other (name, err);
}

static bool plan_query (MtStatement *st, const MtTable *t, MtPlan **out, MtError *err)
{
   const char *sql = mt_matview_definition (st->session, st->arena, t->name);
   MtStmt *stmt;
   MtQuery *q;
   const MtColumn **columns = MT_NEW_N (st->arena, const MtColumn *, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++)
      columns[i] = &t->columns[i];
   if (!sql || !mt_parse (st->arena, sql, strlen (sql), &stmt, err) || !stmt ||
       stmt->kind != MT_STMT_SELECT)
      return mt_error (err, MT_E_CORRUPT, "materialized view \"%s\" in the catalog is damaged",
                       t->name);
   MtBindEnv env = st->env;
   env.stored = true;
   if (!mt_bind_assigned (st->arena, &env, stmt->select,
                          (MtAssignment) {columns, t->column_count, NULL}, &q, err)) {
      err->span = MT_NO_SPAN; /* the span is a place in the view's text, not in the statement */
      return false;
   }
   if ((size_t) q->visible_count != t->column_count)
      return mt_error (err, MT_E_STATE,
                       "the query of materialized view \"%s\" has other columns than before",
                       t->name);
   return mt_plan_bound (st, q, out, err);
}

/* A REFRESH of a materialized view. If other clients see documents before a commit, the new
 * documents are written to new collections, which become visible with the view's new entry in the
 * catalog. Until then all clients read the old documents, even if this process dies. */
typedef struct Refresh {
   MtStatement *st;
   const MtTable *t;
   MtTable next;
   MtPlan *plan; /* the plan of the view's query; NULL: the statement says WITH NO DATA */
   bool beside;
} Refresh;

/* Returns whether REFRESH writes a layout's new documents to new collections. Attached collections
 * are emptied and filled in place. */
static bool is_moved (const Refresh *r, size_t layout)
{
   return r->beside && !r->t->layouts[layout].attached;
}

/* Removes collections that an unfinished REFRESH of a dead process left, and announces this REFRESH
 * to other clients by an intent. */
static bool announce_refresh (Refresh *r, MtError *err)
{
   MtStatement *st = r->st;
   if (!r->beside)
      return true;
   if (!mt_no_live_intents (st, r->t, err) || !mt_clear_dead_intents (st, r->t, err))
      return false;
   for (size_t i = 0; i < r->t->layout_count; i++)
      for (size_t j = 0; j < r->t->layouts[i].store_count && is_moved (r, i); j++)
         if (!mt_fresh_name (st, &r->next.layouts[i].stores[j], err))
            return false;
   const MtTable made = r->next;
   if (!mt_intend_moves (st, &r->t, &made, MT_INTENDS_REFRESH, err))
      return false;
   r->next = mt_table_to_change (st->arena, r->t);
   for (size_t i = 0; i < made.layout_count; i++)
      for (size_t j = 0; j < made.layouts[i].store_count && is_moved (r, i); j++) {
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
      if (is_moved (r, i) ? !mt_layout_create_collections (st->session->engine, &r->next, l, err)
                          : !mt_empty_layout (st, r->t, &r->t->layouts[i], r->plan != NULL, err))
         return false;
   }
   return mt_make_indexes (st, &r->next, err);
}

static bool drop_old (Refresh *r, MtError *err)
{
   for (size_t i = 0; i < r->t->layout_count; i++)
      for (size_t j = 0; j < r->t->layouts[i].store_count && is_moved (r, i); j++)
         if (!mt_drop_store (r->st, &r->t->layouts[i].stores[j], err))
            return false;
   return true;
}

/* Replaces the view's rows by the rows of its query. Call it in the engine's open step (begin …
 * commit). */
static bool fill_anew (Refresh *r, MtError *err)
{
   MtStatement *st = r->st;
   MtCatalog *catalog = st->session->catalog;
   MtTable filled = r->next;
   MtResult *rows = NULL;
   uint64_t count;
   const char *name = mt_strdup (st->arena, r->t->name),
              *sql = mt_matview_definition (st->session, st->arena, name);
   if (r->plan && !mt_rows_of_plan (st, r->plan, &rows, err))
      return false;
   bool ok = make_room (r, err) &&
             (!rows || mt_fill_table (st, &r->next, rows, &filled, &count, err));
   mt_result_free (rows);
   ok = ok && (r->plan || mt_matview_save (st, name, sql, false, err));
   ok = ok && (r->beside ? drop_old (r, err) && mt_not_written_meanwhile (st, r->t, err) &&
                              mt_catalog_save_unwritten (catalog, r->t, &filled, err)
                         : mt_catalog_save (catalog, &filled, NULL, err));
   return ok && (!r->plan || mt_matview_save (st, name, sql, true, err));
}

bool mt_run_refresh (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   Refresh r = {.st = st, .beside = mt_intents_apply (s)};
   mt_result_set_tag (st->result, "REFRESH MATERIALIZED VIEW");
   if (!need_matview (st, &st->stmt->refresh.schema, &st->stmt->refresh.name, &r.t, err))
      return false;
   if (st->stmt->refresh.concurrently && !mt_matview_populated (s, r.t->name))
      return mt_error (err, MT_E_FEATURE,
                       "CONCURRENTLY cannot be used when the materialized view is not populated");
   if (st->stmt->refresh.concurrently && st->stmt->refresh.no_data)
      return mt_error (err, MT_E_SYNTAX,
                       "REFRESH options CONCURRENTLY and WITH NO DATA cannot be used together");
   if (!st->stmt->refresh.no_data && !plan_query (st, r.t, &r.plan, err))
      return false;
   r.next = mt_table_to_change (st->arena, r.t);
   if (!announce_refresh (&r, err) || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (fill_anew (&r, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   mt_key_refused (st, &r.next, err);
   return false;
}

/* ---- DROP ---- */

static bool find_matview (MtStatement *st, const MtName *name, const char **out, MtError *err)
{
   const MtTable *t;
   if (!mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, err))
      return false;
   bool view = !t && mt_is_view (st->session, name->text);
   if (view || (t && !mt_is_matview (st->session, mt_table_id (st->arena, t)))) {
      mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a materialized view", name->text);
      return mt_error_hint (err, "Use DROP %s to remove a %s.", view ? "VIEW" : "TABLE",
                            view ? "view" : "table");
   }
   if (!t && !st->stmt->drop.if_exists)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "materialized view \"%s\" does not exist",
                       name->text) ||
             mt_object_near (st, "matview", name->text, err);
   if (t)
      *out = mt_table_id (st->arena, t);
   else
      mt_notice (st->session, "NOTICE", NULL, "materialized view \"%s\" does not exist, skipping",
                 name->text);
   return true;
}

bool mt_run_drop_matview (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP MATERIALIZED VIEW");
   return mt_drop_named (st, MT_RELATION_MATVIEW, find_matview, err);
}
