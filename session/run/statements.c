#include "session/advise/advise.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/keys.h"
#include "session/ddl/constraint.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"
#include "session/ddl/key.h"
#include "session/ddl/type.h"
#include "session/dml/dml.h"
#include "session/inspect/inspect.h"
#include "session/maintain/maintain.h"
#include "session/run/run.h"
#include "session/run/statement.h"
#include "session/upkeep/upkeep.h"

/* ---- statements whose clauses decide whether they write ---- */

static const char *create_table_as (const MtStmt *s)
{
   if (s->create_table.materialized)
      return "CREATE MATERIALIZED VIEW";
   return s->create_table.as || s->create_table.execute ? "CREATE TABLE AS" : "CREATE TABLE";
}

static const char *copy_as (const MtStmt *s)
{
   if (s->copy.from)
      return "COPY FROM";
   return s->copy.change ? mt_stmt_writes_as (s->copy.change) : NULL;
}

static bool run_create_table (MtStatement *st, MtError *err)
{
   bool filled = st->stmt->create_table.as || st->stmt->create_table.execute;
   if (mt_creates_continuous (st->stmt))
      return mt_run_create_continuous (st, err);
   return filled ? mt_run_create_table_as (st, err) : mt_run_create_table (st, err);
}

static bool run_alter_table (MtStatement *st, MtError *err)
{
   bool options = st->stmt->alter_table.materialized &&
                  st->stmt->alter_table.action == MT_ALTER_SET_OPTIONS;
   return options ? mt_run_alter_continuous (st, err) : mt_run_alter_table (st, err);
}

static bool run_refresh (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->refresh.name, *schema = &st->stmt->refresh.schema;
   const MtTable *t;
   MtContinuous *v = NULL;
   if (mt_has_continuous (st->session) && !mt_temporary_named (st->session, schema, name) &&
       (!mt_find_table (st->session, schema, name, &t, err) ||
        (t && !mt_continuous_find (st->session, st->arena, t->name, &v, err))))
      return false;
   return v ? mt_run_refresh_continuous (st, v->name, err) : mt_run_refresh (st, err);
}

static const char *select_as (const MtStmt *s) { return s->locks ? "SELECT FOR UPDATE" : NULL; }

static const char *with_as (const MtStmt *s) { return mt_stmt_row (s->with.main)->name; }

static const char *call_as (const MtStmt *s)
{
   return mt_ieq (s->call.x->call.name->name.text, "drop_chunks") ? "drop_chunks()" : "CALL";
}

/* ---- the rows ---- */

#define AT(schema, name) offsetof (MtStmt, schema), offsetof (MtStmt, name)
#define NOTHING 0, 0

#define ROWS (MT_SF_WRITES | MT_SF_ROWS | MT_SF_TEMPORARY)
#define TABLE (MT_SF_WRITES | MT_SF_TEMPORARY)
#define QUIET (MT_SF_APART | MT_SF_NO_CATALOG)

static const MtStmtRow rows[] = {
   [MT_STMT_SELECT] = {"SELECT", mt_run_select, 0, NOTHING, NULL, mt_describe_query, select_as},
   [MT_STMT_INSERT] = {"INSERT", mt_run_insert, ROWS, AT (insert.schema, insert.table),
                       mt_may_change_target, mt_describe_query, NULL},
   [MT_STMT_UPDATE] = {"UPDATE", mt_run_change, ROWS, AT (change.schema, change.table),
                       mt_may_change_target, mt_describe_query, NULL},
   [MT_STMT_DELETE] = {"DELETE", mt_run_change, ROWS, AT (change.schema, change.table),
                       mt_may_change_target, mt_describe_query, NULL},
   [MT_STMT_MERGE] = {"MERGE", mt_run_merge, ROWS, AT (change.schema, change.table),
                      mt_may_change_target, mt_describe_query, NULL},
   [MT_STMT_TRUNCATE] = {"TRUNCATE TABLE", mt_run_truncate, TABLE | MT_SF_DEFINES | MT_SF_NAMES,
                         NOTHING, mt_may_drop, NULL, NULL},
   [MT_STMT_PREPARE] = {"PREPARE", mt_run_prepare, 0, NOTHING, NULL, NULL, NULL},
   [MT_STMT_EXECUTE] = {"EXECUTE", mt_run_execute, 0, NOTHING, NULL, mt_describe_execute, NULL},
   [MT_STMT_DEALLOCATE] = {"DEALLOCATE", mt_run_deallocate, 0, NOTHING, NULL, NULL, NULL},
   [MT_STMT_CREATE_TABLE] = {"CREATE TABLE", run_create_table, MT_SF_DEFINES | MT_SF_TEMPORARY,
                             AT (create_table.schema, create_table.name), mt_may_create_target,
                             NULL, create_table_as},
   [MT_STMT_DROP_TABLE] = {"DROP TABLE", mt_run_drop_table, TABLE | MT_SF_DEFINES | MT_SF_NAMES,
                           NOTHING, mt_may_drop, NULL, NULL},
   [MT_STMT_ALTER_TABLE] = {"ALTER TABLE", run_alter_table, TABLE | MT_SF_DEFINES,
                            AT (alter_table.schema, alter_table.table), mt_may_change_target, NULL,
                            NULL},
   [MT_STMT_COPY] = {"COPY", mt_run_copy, MT_SF_ROWS | MT_SF_TEMPORARY,
                     /* ANALYZE, the next row: PostgreSQL allows it in read-only transactions; here
                      * it writes to the catalog. */
                     AT (copy.schema, copy.table), mt_may_copy, NULL, copy_as},
   [MT_STMT_ANALYZE] = {"ANALYZE", mt_run_analyze, TABLE, AT (maintain.schema, maintain.table),
                        mt_may_analyze, NULL, NULL},
   [MT_STMT_PREALLOCATE] = {"PREALLOCATE", mt_run_preallocate, TABLE | MT_SF_FINAL,
                            AT (preallocate.schema, preallocate.table), mt_may_change_target, NULL,
                            NULL},
   [MT_STMT_SET] = {"SET", mt_run_set, QUIET, NOTHING, NULL, NULL, NULL},
   [MT_STMT_SET_CONSTRAINTS] = {"SET CONSTRAINTS", mt_run_set_constraints, QUIET, NOTHING, NULL,
                                NULL, NULL},
   [MT_STMT_RESET] = {"RESET", mt_run_reset, QUIET, NOTHING, NULL, NULL, NULL},
   [MT_STMT_SHOW] = {"SHOW", mt_run_show, QUIET, NOTHING, NULL, mt_describe_show, NULL},
   [MT_STMT_EXPLAIN] = {"EXPLAIN", mt_run_explain, 0, NOTHING, NULL, mt_describe_explain, NULL},
   [MT_STMT_ADVISE] = {"ADVISE", mt_run_advise, 0, NOTHING, NULL, mt_describe_by_running, NULL},
   [MT_STMT_CREATE_FUNCTION] = {"CREATE FUNCTION", mt_run_create_function, MT_SF_WRITES, NOTHING,
                                NULL, NULL, NULL},
   [MT_STMT_DROP_FUNCTION] = {"DROP FUNCTION", mt_run_drop_function, MT_SF_WRITES, NOTHING, NULL,
                              NULL, NULL},
   [MT_STMT_CREATE_LAYOUT] = {"CREATE LAYOUT", mt_run_create_layout, MT_SF_WRITES, NOTHING, NULL,
                              NULL, NULL},
   [MT_STMT_DROP_LAYOUT] = {"DROP LAYOUT", mt_run_drop_layout, MT_SF_WRITES, NOTHING, NULL, NULL,
                            NULL},
   [MT_STMT_CREATE_VIEW] = {"CREATE VIEW", mt_run_create_view, MT_SF_WRITES,
                            AT (create_view.schema, create_view.name), mt_may_create_target, NULL,
                            NULL},
   [MT_STMT_DROP_VIEW] = {"DROP VIEW", mt_run_drop_view, MT_SF_WRITES | MT_SF_NAMES, NOTHING,
                          mt_may_drop, NULL, NULL},
   [MT_STMT_CREATE_INDEX] = {"CREATE INDEX", mt_run_define_index, TABLE | MT_SF_DEFINES,
                             AT (create_index.schema, create_index.table), mt_may_change_target,
                             NULL, NULL},
   [MT_STMT_DROP_INDEX] = {"DROP INDEX", mt_run_drop_index, TABLE | MT_SF_DEFINES | MT_SF_FINAL,
                           NOTHING, NULL, NULL, NULL},
   [MT_STMT_COMMENT] = {"COMMENT", mt_run_comment, TABLE, AT (comment.schema, comment.name),
                        mt_may_change_target, NULL, NULL},
   [MT_STMT_LOAD] = {"LOAD", mt_run_load, 0, NOTHING, NULL, NULL, NULL},
   [MT_STMT_CREATE_EXTENSION] = {"CREATE EXTENSION", mt_run_create_extension, MT_SF_WRITES, NOTHING,
                                 NULL, NULL, NULL},
   [MT_STMT_ALTER_EXTENSION] = {"ALTER EXTENSION", mt_run_alter_extension, MT_SF_WRITES, NOTHING,
                                NULL, NULL, NULL},
   [MT_STMT_DROP_EXTENSION] = {"DROP EXTENSION", mt_run_drop_extension, MT_SF_WRITES, NOTHING, NULL,
                               NULL, NULL},
   [MT_STMT_TRANSACTION] = {"a transaction statement", mt_run_transaction, MT_SF_APART, NOTHING,
                            NULL, NULL, NULL},
   [MT_STMT_DISCARD] = {"DISCARD", mt_run_discard, 0, NOTHING, NULL, NULL, NULL},
   [MT_STMT_DECLARE] = {"DECLARE", mt_run_declare, 0, NOTHING, NULL, mt_describe_declare, NULL},
   [MT_STMT_FETCH] = {"FETCH", mt_run_fetch, 0, NOTHING, NULL, mt_describe_fetch, NULL},
   [MT_STMT_CLOSE] = {"CLOSE", mt_run_close, 0, NOTHING, NULL, NULL, NULL},
   [MT_STMT_REFRESH] = {"REFRESH MATERIALIZED VIEW", run_refresh, MT_SF_WRITES | MT_SF_DEFINES,
                        AT (refresh.schema, refresh.name), NULL, NULL, NULL},
   [MT_STMT_DROP_MATVIEW] = {"DROP MATERIALIZED VIEW", mt_run_drop_matview,
                             MT_SF_WRITES | MT_SF_DEFINES | MT_SF_NAMES, NOTHING, mt_may_drop, NULL,
                             NULL},
   [MT_STMT_CHECK] = {"CHECK", mt_run_check, 0, AT (maintain.schema, maintain.table), mt_may_check,
                      mt_describe_by_running, NULL},
   [MT_STMT_REPAIR] = {"REPAIR", mt_run_repair, TABLE | MT_SF_FINAL,
                       AT (maintain.schema, maintain.table), mt_may_change_target,
                       mt_describe_by_running, NULL},
   [MT_STMT_VACUUM] = {"VACUUM", mt_run_vacuum, TABLE | MT_SF_FINAL,
                       AT (maintain.schema, maintain.table), mt_may_change_target,
                       mt_describe_by_running, NULL},
   [MT_STMT_CREATE_ALERT] = {"CREATE ALERT", mt_run_create_alert, MT_SF_WRITES, NOTHING, NULL, NULL,
                             NULL},
   [MT_STMT_ALTER_ALERT] = {"ALTER ALERT", mt_run_alter_alert, MT_SF_WRITES, NOTHING, NULL, NULL,
                            NULL},
   [MT_STMT_DROP_ALERT] = {"DROP ALERT", mt_run_drop_alert, MT_SF_WRITES, NOTHING, NULL, NULL,
                           NULL},
   [MT_STMT_CREATE_TYPE] = {"CREATE TYPE", mt_run_create_type, MT_SF_WRITES, NOTHING, NULL, NULL,
                            NULL},
   [MT_STMT_ALTER_TYPE] = {"ALTER TYPE", mt_run_alter_type, MT_SF_WRITES, NOTHING, NULL, NULL,
                           NULL},
   [MT_STMT_DROP_TYPE] = {"DROP TYPE", mt_run_drop_type, MT_SF_WRITES, NOTHING, NULL, NULL, NULL},
   [MT_STMT_CREATE_DOMAIN] = {"CREATE DOMAIN", mt_run_create_domain, MT_SF_WRITES, NOTHING, NULL,
                              NULL, NULL},
   [MT_STMT_ALTER_DOMAIN] = {"ALTER DOMAIN", mt_run_alter_domain, MT_SF_WRITES, NOTHING, NULL, NULL,
                             NULL},
   [MT_STMT_DROP_DOMAIN] = {"DROP DOMAIN", mt_run_drop_domain, MT_SF_WRITES, NOTHING, NULL, NULL,
                            NULL},
   [MT_STMT_CREATE_SEQUENCE] = {"CREATE SEQUENCE", mt_run_create_sequence, MT_SF_WRITES,
                                AT (sequence.schema, sequence.name), NULL, NULL, NULL},
   [MT_STMT_ALTER_SEQUENCE] = {"ALTER SEQUENCE", mt_run_alter_sequence, MT_SF_WRITES,
                               AT (sequence.schema, sequence.name), NULL, NULL, NULL},
   [MT_STMT_ALTER_INDEX] = {"ALTER INDEX", mt_run_alter_index, TABLE | MT_SF_DEFINES,
                            AT (sequence.schema, sequence.name), NULL, NULL, NULL},
   [MT_STMT_DROP_SEQUENCE] = {"DROP SEQUENCE", mt_run_drop_sequence, MT_SF_WRITES, NOTHING, NULL,
                              NULL, NULL},
   [MT_STMT_CREATE_SCHEMA] = {"CREATE SCHEMA", mt_run_create_schema, MT_SF_WRITES, NOTHING, NULL,
                              NULL, NULL},
   [MT_STMT_ALTER_SCHEMA] = {"ALTER SCHEMA", mt_run_alter_schema, MT_SF_WRITES, NOTHING, NULL, NULL,
                             NULL},
   [MT_STMT_LOCK] = {"LOCK TABLE", mt_run_lock, MT_SF_NAMES, NOTHING, NULL, NULL, NULL},
   [MT_STMT_DROP_SCHEMA] = {"DROP SCHEMA", mt_run_drop_schema, MT_SF_WRITES | MT_SF_DEFINES,
                            NOTHING, NULL, NULL, NULL},
   [MT_STMT_CALL] = {"CALL", mt_run_call, MT_SF_WRITES | MT_SF_FINAL, NOTHING, NULL,
                     mt_describe_by_running, call_as},
   [MT_STMT_WITH] = {"WITH", mt_run_with, MT_SF_WRITES | MT_SF_ROWS, NOTHING, NULL,
                     mt_describe_query, with_as},
};

_Static_assert (sizeof rows / sizeof *rows == MT_STMT_WITH + 1,
                "every kind of statement has a row");

const MtStmtRow *mt_stmt_row (const MtStmt *s) { return &rows[s->kind]; }

/* ---- functions over the table of statements ---- */

const char *mt_stmt_writes_as (const MtStmt *s)
{
   const MtStmtRow *row = mt_stmt_row (s);
   if (row->writes)
      return row->writes (s);
   return row->flags & MT_SF_WRITES ? row->name : NULL;
}

bool mt_stmt_writes (const MtStmt *s) { return mt_stmt_writes_as (s) != NULL; }

bool mt_stmt_defines (const MtStmt *s)
{
   bool temporary = s->kind == MT_STMT_CREATE_TABLE && s->create_table.temporary;
   return (mt_stmt_row (s)->flags & MT_SF_DEFINES) && !temporary;
}

bool mt_stmt_is_undoable (const MtStmt *s)
{
   for (const MtStmt *a = s; a && s->kind == MT_STMT_ALTER_TABLE; a = a->alter_table.next)
      if (a->alter_table.action == MT_ALTER_SET_OPTIONS ||
          a->alter_table.action == MT_ALTER_RESET_OPTIONS)
         return false;
   return !(mt_stmt_row (s)->flags & MT_SF_FINAL);
}

bool mt_stmt_adds_rows (const MtStmt *s)
{
   return (mt_stmt_row (s)->flags & MT_SF_ROWS) && (s->kind != MT_STMT_COPY || s->copy.from);
}

bool mt_check_names (MtStatement *st, MtError *err)
{
   const MtStmtRow *row = mt_stmt_row (st->stmt);
   return !row->admits || row->admits (st, err);
}
