/* CREATE TABLE … AS, CREATE MATERIALIZED VIEW: creates a table with a query's columns, and fills it
 * in the same write step. */
#include "types/binary.h"
#include "layouts/collections/partition.h"
#include "layouts/collections/collections.h"
#include "session/coordinate/coordinate.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/ddl/expire.h"
#include "session/core/core.h"

#include <string.h>

/* Returns the table's column whose values the output column x has unchanged, also as a GROUP BY
 * key; NULL: x is computed. */
static const MtColumn *source_column (const MtQuery *q, const MtX *x)
{
   if (q->arm_count || q->rel.kind != MT_REL_TABLE)
      return NULL;
   if (x->kind == MT_X_KEY)
      x = q->keys[x->index];
   return x->kind == MT_X_COLUMN ? &q->rel.table->columns[x->column] : NULL;
}

/* Returns the role of a computed column by its type: the first timestamp is the TIME column,
 * numbers and aggregate states are measures, all others are dimensions. */
static MtRole role_by_type (MtTypeId id, bool has_time)
{
   if (mt_type_is_datetime (id))
      return has_time ? MT_COL_PLAIN : MT_COL_TIME;
   return mt_type_is_number (id) || mt_type_is_state (id) ? MT_COL_MEASURE : MT_COL_DIMENSION;
}

static bool named_twice (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (strcmp (t->columns[i].name, name) == 0)
         return true;
   return false;
}

static void give_role (const MtQuery *q, int i, MtTable *t, MtColumn *c)
{
   const MtColumn *from = source_column (q, q->targets[i].expr);
   bool time_taken = t->time_column >= 0;
   if (from && from->role != MT_COL_PLAIN && !(from->role == MT_COL_TIME && time_taken)) {
      c->role = from->role;
      c->period_ms = from->period_ms;
      c->counter = from->counter;
   } else
      c->role = role_by_type (c->type.id, time_taken);
   if (c->role == MT_COL_TIME)
      t->time_column = i;
}

static bool make_columns (MtStatement *st, const MtQuery *q, MtTable *t, MtError *err)
{
   const MtNameList *name = st->stmt->create_table.as_names;
   size_t n = (size_t) q->visible_count;
   if (n == 0)
      return mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                          "tables without columns are not supported");
   t->columns = MT_NEW_N (st->arena, MtColumn, n);
   t->time_column = -1;
   for (size_t i = 0; i < n; i++) {
      MtColumn *c = &t->columns[i];
      const MtTargetX *x = &q->targets[i];
      if (!mt_can_store (x->expr->type.id, MT_NO_SPAN, err))
         return false;
      *c = (MtColumn) {.name = name ? name->name.text : x->name, .type = x->expr->type};
      if (mt_type_is_vector (c->type)) /* tables have no such columns, but arrays */
         c->type = mt_type (c->type.id);
      c->field = c->name;
      if (named_twice (t, c->name))
         return mt_error (err, MT_E_DUPLICATE_COLUMN, "column \"%s\" specified more than once",
                          c->name);
      give_role (q, (int) i, t, c);
      t->column_count++;
      name = name ? name->next : NULL;
   }
   return !name || mt_error (err, MT_E_SYNTAX, "too many column names were specified");
}

static bool add_rows (MtStatement *st, MtResult *r, MtWriteStep *w, uint64_t *count, MtError *err)
{
   MtArena *a = mt_arena_new ("row", st->arena);
   bool more = true, ok = true;
   *count = 0;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      for (size_t i = 0; i < r->column_count && ok; i++)
         ok = mt_value_normalize (a, r->columns[i].type, r->values[i], &r->values[i], err);
      mt_keys_bounds_add (st->arena, w->table, w->bounds, r->values);
      ok = ok && mt_writer_add (w->writer, r->values, err);
      ++*count;
      mt_arena_reset (a);
   }
   return ok;
}

bool mt_fill_table (MtStatement *st, const MtTable *t, MtResult *rows, MtTable *filled,
                    uint64_t *count, MtError *err)
{
   MtWriteStep w;
   if (!mt_write_open (st, t, NULL, &w, err))
      return false;
   bool ok = add_rows (st, rows, &w, count, err) && mt_write_finish (&w, filled, err);
   mt_write_close (&w);
   return ok;
}

/* Removes the error's position if the query is a prepared statement, because the position refers to
 * the text of PREPARE. Returns false. */
static bool without_place (const MtStatement *st, MtError *err)
{
   if (st->stmt->create_table.execute)
      err->span = MT_NO_SPAN;
   return false;
}

/* The source of a new table's rows: a plan or a file. */
typedef struct Source {
   MtPlan *plan;      /* NULL: WITH NO DATA */
   MtFileTable *file; /* the plan's rows are those of this file, as they are; NULL: they are not */
   const MtFileTable *origin; /* the file that the query reads; NULL: it reads none, or more */
} Source;

/* Creates the table and its collections, and fills it with the source's rows. *count is their
 * number. Call it in the engine's open step (begin … commit). */
static bool make_and_fill (MtStatement *st, MtTable *t, const Source *from, uint64_t *count,
                           MtError *err)
{
   MtResult *rows;
   MtTable filled;
   if (!mt_layout_create_collections (st->session->engine, t, &t->layouts[0], err))
      return false;
   if (!from->plan)
      return mt_catalog_save (st->session->catalog, t, NULL, err);
   if (from->file)
      return mt_fill_from_file (st, t, from->file, &filled, count, err) &&
             mt_catalog_save (st->session->catalog, &filled, NULL, err);
   bool ok = mt_rows_of_plan (st, from->plan, &rows, err);
   if (ok) {
      ok = mt_fill_table (st, t, rows, &filled, count, err) &&
           mt_catalog_save (st->session->catalog, &filled, NULL, err);
      mt_result_free (rows);
   }
   return ok || without_place (st, err);
}

static bool no_collections (MtStatement *st, const MtLayout *l, MtError *err)
{
   bool has = false;
   MtTable alone = {.layouts = (MtLayout *) l, .layout_count = 1};
   const MtTable *look = &alone;
   if (!mt_partitions_look (st->session->engine, &look, 1, err))
      return false;
   for (size_t i = 0; i < l->store_count; i++) {
      if (!mt_engine_has_collection (st->session->engine, l->stores[i].collection, &has, err))
         return false;
      const MtPartitions *parts = l->stores[i].parts;
      if (parts ? parts->count > 0 : has)
         return mt_error_at (err, st->stmt->create_table.name.span, MT_E_DUPLICATE_TABLE,
                             "collection \"%s\" already exists",
                             parts ? parts->list[0].collection : l->stores[i].collection);
   }
   return true;
}

/* Binds the query after AS; for AS EXECUTE, the prepared query with the given parameter values.
 * *from is the statement of the query. */
static bool bind_source (MtStatement *st, MtStatement *from, MtQuery **q, MtError *err)
{
   const MtStmt *execute = st->stmt->create_table.execute;
   *from = *st;
   if (!execute)
      return mt_bind_select (st->arena, &st->env, st->stmt->create_table.as, q, err);
   if (!st->session->upper->execute (st, execute, from, err))
      return false;
   if (from->stmt->kind != MT_STMT_SELECT)
      return mt_error (err, MT_E_WRONG_OBJECT, "prepared statement is not a SELECT");
   return mt_bind_select (from->arena, &from->env, from->stmt->select, q, err) ||
          without_place (st, err);
}

/* Fills *t with columns and layout of the new table, and plans the source of its rows. Creates no
 * collections. *exists: a table of this name exists, and IF NOT EXISTS was given. */
static bool new_table (MtStatement *st, MtTable *t, Source *out, bool *exists, MtError *err)
{
   MtStatement from;
   MtQuery *q;
   *t = (MtTable) {.name = st->stmt->create_table.name.text,
                   .layouts = MT_NEW (st->arena, MtLayout)};
   *out = (Source) {0};
   if (!mt_new_table_name (st, exists, err) || *exists)
      return *exists;
   if (!mt_temporary_set (st, t, err))
      return false;
   if (!bind_source (st, &from, &q, err) || !make_columns (st, q, t, err))
      return false;
   if (st->continuous) /* its bucket */
      t->columns[t->time_column].not_null = true;
   if (!st->stmt->create_table.no_data && !mt_plan_bound (&from, q, &out->plan, err))
      return without_place (st, err);
   out->file = mt_file_of_query (st->session, q);
   if (q->rel.kind == MT_REL_TABLE)
      out->origin = mt_file_of_table (st->session, q->rel.table);
   if (st->stmt->create_table.materialized && !mt_no_temporary (st, "materialized views", err))
      return false;
   if (!mt_expiry_declare (st, st->stmt->create_table.layout, t, err) ||
       !mt_build_layout (st, t, st->stmt->create_table.layout, &t->layouts[0], err))
      return false;
   t->layout_count = 1;
   return mt_expiry_settle (st, t, err);
}

bool mt_plan_create_table_as (MtStatement *st, MtWritePlan *out, MtError *err)
{
   MtTable t;
   Source from;
   bool exists;
   *out = (MtWritePlan) {.verb = st->stmt->create_table.materialized ? "Create materialized view"
                                                                     : "Create table",
                         .table = st->stmt->create_table.name.text};
   if (!new_table (st, &t, &from, &exists, err))
      return false;
   out->source = from.plan;
   if (!exists && !no_collections (st, &t.layouts[0], err))
      return false;
   if (!exists)
      mt_plan_stores (st, &t, "made, and rows are added", out);
   return true;
}

bool mt_run_create_table_as (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   MtTable t;
   Source from;
   uint64_t count = 0;
   bool exists;
   bool materialized = st->stmt->create_table.materialized;
   mt_result_set_tag (st->result, materialized ? "CREATE MATERIALIZED VIEW" : "CREATE TABLE AS");
   if (!new_table (st, &t, &from, &exists, err) || exists)
      return exists;
   if (!mt_clear_creation (st, &t, err) || !no_collections (st, &t.layouts[0], err) ||
       !mt_intend_layout (st, &t, &t.layouts[0], MT_INTENDS_CREATE, err))
      return false;
   if (!mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (!make_and_fill (st, &t, &from, &count, err) ||
       (materialized && !mt_matview_made (st, err)) || !mt_step_commit (s, err)) {
      mt_step_rollback (s);
      return false;
   }
   if (from.origin)
      mt_tell_counters (s, &t, from.origin);
   if (from.plan || st->stmt->create_table
                       .execute) /* PostgreSQL's tag for AS EXECUTE … WITH NO DATA is SELECT 0 */
      mt_result_set_tag (st->result,
                         mt_printf (st->arena, "SELECT %llu", (unsigned long long) count));
   return true;
}
