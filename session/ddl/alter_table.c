/* ALTER TABLE: runs the actions in their order; adds, drops and renames layouts and tables. */
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/ddl/constraint.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"
#include "session/ddl/expire.h"
#include "session/ddl/key.h"

#include <string.h>

/* Returns a copy of t whose array of layouts has space for one more layout. */
static MtTable copy_table (MtArena *a, const MtTable *t)
{
   MtTable copy = *t;
   copy.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (copy.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   return copy;
}

static bool add_layout (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   MtTable next = copy_table (st->arena, t);
   MtLayout *l = &next.layouts[t->layout_count];
   const MtLayoutDef *d = st->stmt->alter_table.layout;
   if (st->stmt->alter_table.action_if_exists && d &&
       mt_has_layout (t, d->name.text ? d->name.text : d->access.text))
      return true;
   if (!mt_build_layout (st, t, d, l, err) || !mt_expiry_of_layout (st, d, t, l, err) ||
       !mt_clear_leftover (st, t, d, l, err))
      return false;
   next.layout_count++;
   if (!mt_expiry_settle (st, &next, err) || !mt_intend_layout (st, t, l, "add layout", err))
      return false;
   if (!mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   bool ok = mt_expiry_retire (st, t, &next, err) && mt_attach_or_create (st, &next, d, l, err) &&
             (l->attached || (mt_fill_new_layout (st, &next, t->layout_count, err) &&
                              mt_not_written_meanwhile (st, t, err))) &&
             mt_make_indexes (st, &next, err) &&
             (!mt_expires (&next) || mt_expiry_tell_all (st, &next, err)) &&
             mt_catalog_save_unwritten (s->catalog, t, &next, err) && mt_step_commit (s, err);
   if (ok)
      return true;
   mt_step_rollback (s);
   return false;
}

static bool drop_layout (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->alter_table.name;
   MtTable next = copy_table (st->arena, t);
   const MtLayout *gone = NULL;
   next.layout_count = 0;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (mt_ieq (t->layouts[i].name, name->text))
         gone = &t->layouts[i];
      else
         next.layouts[next.layout_count++] = t->layouts[i];
   }
   if (!gone && st->stmt->alter_table.action_if_exists)
      return true;
   if (!gone)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT,
                          "layout \"%s\" of table \"%s\" does not exist", name->text, t->name) ||
             mt_layout_near (t, name->text, err);
   if (next.layout_count == 0) {
      mt_error_at (err, name->span, MT_E_INVALID_DEFINITION,
                   "layout \"%s\" is the only one of table \"%s\"", name->text, t->name);
      return mt_error_hint (err, "Use DROP TABLE to drop the table with its data.");
   }
   if (!mt_check_layouts (&next, err) || !mt_expiry_may_drop (st, t, gone, &next, err) ||
       !mt_begin_drop (st, t, gone, 1, MT_INTENDS_DROP_LAYOUT, err))
      return false;
   if (mt_drop_collections (s, gone, err) && mt_catalog_save (s->catalog, &next, NULL, err) &&
       mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static bool rename_table (MtStatement *st, const MtTable *t, const MtName *name, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *existing;
   MtTable next = *t;
   bool dropped;
   next.name = name->text;
   next.version = 0;
   if (!mt_catalog_find_among (s->catalog, t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES,
                               name->text, true, &existing, err) ||
       (!t->temporary && !mt_not_a_view (s, name, err)))
      return false;
   if (existing)
      return mt_error_at (err, name->span, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists",
                          name->text);
   if (!mt_checks_fit (st, &next, err) ||
       (!t->temporary && !mt_no_view_reads (st, t->name, false, err)) || !mt_step_begin (s, err))
      return false;
   const char *id = mt_table_id (st->arena, t), *to = mt_table_id (st->arena, &next);
   if (mt_indexes_rename (st, id, to, err) && mt_sequences_rename_table (st, id, to, err) &&
       mt_comments_rename (st, id, to, err) && mt_matview_rename (st, id, to, err) &&
       mt_catalog_drop (s->catalog, id, &dropped, err) &&
       mt_catalog_save (s->catalog, &next, NULL, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

/* Fails if SET SCHEMA would also have to move sequences or indexes of the table, which is not
 * supported. */
static bool may_move (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t sequences, indexes;
   const char *id = mt_table_id (st->arena, t), *what = NULL;
   const MtSequence *q = mt_sequence_list (st->session, st->arena, &sequences);
   const MtIndexInfo *x = mt_index_list (st->session, st->arena, &indexes);
   for (size_t i = 0; i < sequences; i++)
      if (q[i].table && strcmp (q[i].table, id) == 0)
         what = "serial and IDENTITY columns";
   for (size_t i = 0; i < indexes; i++)
      if (strcmp (x[i].table, id) == 0)
         what = "indexes";
   if (!what)
      return true;
   mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                "SET SCHEMA for a table with %s is not supported", what);
   return mt_error_hint (err,
                         "Create the table in the other schema, and copy its rows with INSERT.");
}

static bool set_schema (MtStatement *st, const MtTable *t, MtError *err)
{
   MtName schema = st->stmt->alter_table.name, name = {.quoted = true, .span = schema.span};
   mt_schema_of (st->session, st->arena, t->name, &name.text);
   if (t->temporary)
      return mt_error_at (err, schema.span, MT_E_FEATURE,
                          "cannot move objects into or out of temporary schemas");
   if (mt_ieq (schema.text, "pg_catalog") || mt_ieq (schema.text, "information_schema"))
      return mt_error_at (err, schema.span, MT_E_PRIVILEGE, "permission denied for schema %s",
                          schema.text);
   if (!mt_place_new (st->session, st->arena, &schema, &name, err))
      return false;
   return strcmp (name.text, t->name) == 0 ||
          (may_move (st, t, err) && rename_table (st, t, &name, err));
}

/* Drops the views that read the column first. Without CASCADE they are an error (2BP01). */
static bool drop_column (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name;
   int at = mt_table_column (t, name->text, mt_name_is_exact (name));
   if (at < 0)
      return mt_drop_column (st, t, err);
   MtDropped d = {.table = t, .column = t->columns[at].name};
   d.shown = mt_printf (st->arena, "column %s of table %s", d.column, t->name);
   return mt_drop_users (st, &d, st->stmt->alter_table.cascade, err) &&
          mt_need_table (st, &st->stmt->alter_table.table, &t, err) && mt_drop_column (st, t, err);
}

static bool alter_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtAlterKind action = st->stmt->alter_table.action;
   bool renames = action == MT_ALTER_RENAME_COLUMN || action == MT_ALTER_COLUMN_TYPE,
        adds = action == MT_ALTER_ADD_COLUMN;
   if ((renames || adds) && !t->temporary && !mt_no_view_reads (st, t->name, adds, err))
      return false;
   switch (action) {
   case MT_ALTER_ADD_LAYOUT: return add_layout (st, t, err);
   case MT_ALTER_DROP_LAYOUT: return drop_layout (st, t, err);
   case MT_ALTER_RENAME_TO: return rename_table (st, t, &st->stmt->alter_table.name, err);
   case MT_ALTER_SET_SCHEMA: return set_schema (st, t, err);
   case MT_ALTER_ADD_COLUMN: return mt_add_column (st, t, err);
   case MT_ALTER_DROP_COLUMN: return drop_column (st, t, err);
   case MT_ALTER_RENAME_COLUMN: return mt_rename_column (st, t, err);
   case MT_ALTER_COLUMN_TYPE:
   case MT_ALTER_SET_DEFAULT:
   case MT_ALTER_DROP_DEFAULT:
   case MT_ALTER_SET_NOT_NULL:
   case MT_ALTER_ADD_IDENTITY:
   case MT_ALTER_IDENTITY:
   case MT_ALTER_DROP_IDENTITY:
   case MT_ALTER_DROP_NOT_NULL: return mt_alter_column (st, t, err);
   case MT_ALTER_RENAME_CONSTRAINT: return mt_rename_constraint (st, t, err);
   case MT_ALTER_ADD_CHECK: return mt_add_check (st, t, err);
   case MT_ALTER_VALIDATE: return mt_validate_constraint (st, t, err);
   case MT_ALTER_ADD_KEY: return mt_add_key (st, t, err);
   case MT_ALTER_DROP_CONSTRAINT: return mt_drop_constraint (st, t, err);
   case MT_ALTER_SET_OPTIONS:
   case MT_ALTER_RESET_OPTIONS: return mt_alter_options (st, t, err);
   }
   return false;
}

/* Returns the pass (0, 1 …) in which an action of ALTER TABLE runs. As in PostgreSQL, drops run
 * before additions, whatever their order in the statement. */
static int pass_of (MtAlterKind action)
{
   switch (action) {
   case MT_ALTER_DROP_CONSTRAINT:
   case MT_ALTER_DROP_COLUMN:
   case MT_ALTER_DROP_DEFAULT:
   case MT_ALTER_DROP_IDENTITY:
   case MT_ALTER_DROP_NOT_NULL: return 0;
   case MT_ALTER_COLUMN_TYPE: return 1;
   case MT_ALTER_ADD_COLUMN: return 2;
   case MT_ALTER_ADD_IDENTITY: return 4; /* the column may become NOT NULL in pass 3 */
   case MT_ALTER_ADD_CHECK:
   case MT_ALTER_ADD_KEY:
   case MT_ALTER_ADD_LAYOUT:
   case MT_ALTER_DROP_LAYOUT:
   case MT_ALTER_RENAME_TO:
   case MT_ALTER_SET_SCHEMA:
   case MT_ALTER_RENAME_COLUMN:
   case MT_ALTER_RENAME_CONSTRAINT:
   case MT_ALTER_VALIDATE:
   case MT_ALTER_IDENTITY:
   case MT_ALTER_SET_DEFAULT:
   case MT_ALTER_SET_NOT_NULL:
   case MT_ALTER_SET_OPTIONS:
   case MT_ALTER_RESET_OPTIONS: break;
   }
   return 3;
}

/* Runs the actions of one ALTER TABLE one after the other; each starts from the table as the
 * previous action left it. The caller makes all of them one atomic step (mt_write_begin). */
static bool alter_each (MtStatement *st, MtError *err)
{
   MtStatement one = *st;
   if (st->stmt->alter_table.next && !mt_engine_caps (st->session->engine)->savepoints &&
       !mt_engine_in_pieces (st->session->engine)) {
      mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                   "several actions in one ALTER TABLE are not supported on a server");
      return mt_error_hint (err, "Use a statement for each action.");
   }
   for (int pass = 0; pass < 5; pass++)
      for (const MtStmt *s = st->stmt; s; s = s->alter_table.next) {
         const MtTable *t;
         one.stmt = s;
         if (pass_of (s->alter_table.action) == pass &&
             (!mt_matview_admits (&one, err) ||
              !mt_need_table (&one, &s->alter_table.table, &t, err) || !alter_table (&one, t, err)))
            return false;
      }
   return true;
}

bool mt_run_alter_table (MtStatement *st, MtError *err)
{
   const MtTable *t;
   const MtName *name = &st->stmt->alter_table.table;
   mt_result_set_tag (st->result, st->stmt->alter_table.materialized ? "ALTER MATERIALIZED VIEW"
                                                                     : "ALTER TABLE");
   if (st->stmt->alter_table.if_exists &&
       !mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, err))
      return false;
   if (st->stmt->alter_table.if_exists && !t) {
      mt_notice (st->session, "NOTICE", NULL, "relation \"%s\" does not exist, skipping",
                 name->text);
      return true;
   }
   return alter_each (st, err);
}
