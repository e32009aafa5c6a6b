/* CREATE TABLE. */
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/keys.h"
#include "session/core/objects.h"
#include "session/ddl/constraint.h"
#include "session/ddl/ddl.h"
#include "session/ddl/expire.h"
#include "session/ddl/key.h"

#include <string.h>

/* ---- columns ---- */

static int column_at (const MtTable *t, const char *name)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (strcmp (t->columns[i].name, name) == 0)
         return (int) i;
   return -1;
}

/* Makes the sequences of serial and IDENTITY columns. sequences[i] is the sequence of column i;
 * NULL: it has none. */
static bool build_sequences (MtStatement *st, MtTable *t, MtSequence **sequences, MtError *err)
{
   size_t i = 0;
   for (const MtColumnDef *d = st->stmt->create_table.columns; d; d = d->next, i++)
      if (!mt_column_sequence (st, t, d, &t->columns[i], &sequences[i], err))
         return false;
   return true;
}

static bool save_sequences (MtStatement *st, const MtTable *t, MtSequence *const *sequences,
                            MtError *err)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (sequences[i] && !mt_sequence_make (st, sequences[i], err))
         return false;
   return true;
}

static bool build_columns (MtStatement *st, MtTable *t, MtError *err)
{
   size_t n = 0;
   for (const MtColumnDef *d = st->stmt->create_table.columns; d; d = d->next)
      n++;
   if (n == 0)
      return mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                          "tables without columns are not supported");
   if (n > MT_MAX_COLUMNS)
      return mt_error (err, MT_E_TOO_MANY_COLUMNS, "tables can have at most %d columns",
                       MT_MAX_COLUMNS);
   t->columns = MT_NEW_N (st->arena, MtColumn, n);
   t->time_column = -1;
   for (const MtColumnDef *d = st->stmt->create_table.columns; d; d = d->next) {
      if (column_at (t, d->name.text) >= 0)
         return mt_error_at (err, d->name.span, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" specified more than once", d->name.text);
      if (d->role == MT_ROLE_TIME && t->time_column >= 0)
         return mt_error_at (err, d->name.span, MT_E_INVALID_DEFINITION,
                             "a table has at most one TIME column");
      if (d->role == MT_ROLE_TIME)
         t->time_column = (int) t->column_count;
      if (!mt_build_column (st, d, &t->columns[t->column_count], err))
         return false;
      t->column_count++;
   }
   return true;
}

/* ---- the statement ---- */

bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err)
{
   const MtName *name = &st->stmt->create_table.name;
   const MtTable *existing;
   bool temporary = mt_creates_temporary (st->stmt);
   *exists = false;
   if (!mt_catalog_find_among (st->session->catalog,
                               temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES, name->text,
                               true, &existing, err))
      return false;
   bool taken = existing || (!temporary && mt_is_relation_name (st->session, name->text, false));
   if (!temporary && mt_is_temporary (name->text))
      return mt_error (err, MT_E_RESERVED_NAME,
                       "unacceptable relation name \"%s\": the prefix \"" MT_TEMPORARY
                       "\" is reserved for temporary tables",
                       name->text);
   if (taken && !st->stmt->create_table.if_not_exists)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", name->text);
   if (taken)
      mt_notice (st->session, "NOTICE", NULL, "relation \"%s\" already exists, skipping",
                 name->text);
   *exists = taken;
   return true;
}

/* Fails if the table has a roll-up layout but no layout that keeps records: roll-ups are computed
 * from records. */
static bool check_rollups (const MtTable *t, MtError *err)
{
   const MtLayout *rollup = NULL;
   bool records = false;
   for (size_t i = 0; i < t->layout_count; i++) {
      rollup = t->layouts[i].keeps == MT_KEEPS_ROLLUP ? &t->layouts[i] : rollup;
      records = records || t->layouts[i].keeps == MT_KEEPS_RECORDS;
   }
   if (!rollup || records)
      return true;
   mt_error (err, MT_E_FEATURE, "layout \"%s\" is a roll-up, and no other layout keeps the records",
             rollup->name);
   return mt_error_hint (err,
                         "Create the table with a layout of records, then add the roll-up with "
                         "ALTER TABLE ... ADD LAYOUT.");
}

/* A layout of sums adds up rows with the same key, so it cannot check that keys are unique. Hence a
 * table with keys needs a layout that keeps records. */
bool mt_check_layouts (const MtTable *t, MtError *err)
{
   if (!check_rollups (t, err))
      return false;
   if (!t->unique_count)
      return true;
   const char *what = mt_key_word (t->keys[0].kind);
   if (t->layouts[0].stores[0].timeseries) {
      mt_error (err, MT_E_FEATURE, "a %s of a table in a time-series collection is not supported",
                what);
      return mt_error_hint (err, "Such collections can have several records of the same time.");
   }
   bool records = false;
   for (size_t i = 0; i < t->layout_count; i++)
      records |= t->layouts[i].keeps == MT_KEEPS_RECORDS;
   if (records)
      return true;
   mt_error (err, MT_E_FEATURE, "a %s of a table that keeps no records is not supported", what);
   return mt_error_hint (err, "Use KEY (column, …) for the columns by which sums are kept.");
}

/* Announces, by an intent in the catalog, the collections that a layout will create. They belong to
 * no layout until they are filled. */
bool mt_intend_layout (MtStatement *st, const MtTable *t, MtLayout *l, const char *what,
                       MtError *err)
{
   MtTable alone = {.layouts = l, .layout_count = 1};
   const MtTable *look = &alone;
   const char **made = MT_NEW_N (st->arena, const char *, l->store_count + 1);
   size_t n = 0;
   if (!mt_partitions_look (st->session->engine, &look, 1, err))
      return false;
   for (size_t i = 0; i < l->store_count; i++) {
      const MtStoreDesc *s = &l->stores[i];
      const char *name = mt_intended_name (st->arena, s);
      bool has;
      if (!mt_collection_intended (st, t, name, err) ||
          !mt_engine_has_collection (st->session->engine, s->collection, &has, err))
         return false;
      if (!(s->parts ? s->parts->count > 0 : has))
         made[n++] = name;
   }
   bool nothing = n == 0 && (t->temporary || strcmp (what, MT_INTENDS_CREATE) == 0);
   return nothing || mt_intend (st, t, what, made, n, err);
}

bool mt_run_create_table (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   bool exists;
   mt_result_set_tag (st->result, "CREATE TABLE");
   if (!mt_new_table_name (st, &exists, err) || exists)
      return exists;
   MtTable t = {.name = st->stmt->create_table.name.text};
   t.layouts = MT_NEW (st->arena, MtLayout);
   MtSequence *sequences[MT_MAX_COLUMNS] = {NULL};
   if (!mt_temporary_set (st, &t, err) || !build_columns (st, &t, err) ||
       !mt_build_keys (st, &t, st->stmt->create_table.columns, st->stmt->create_table.keys, err) ||
       !build_sequences (st, &t, sequences, err) ||
       !mt_build_checks (st, &t, st->stmt->create_table.columns, st->stmt->create_table.checks,
                         err) ||
       !mt_expiry_declare (st, st->stmt->create_table.layout, &t, err) ||
       !mt_build_layout (st, &t, st->stmt->create_table.layout, &t.layouts[0], err))
      return false;
   t.layout_count = 1;
   if (!mt_expiry_settle (st, &t, err) || !mt_clear_creation (st, &t, err) ||
       !mt_intend_layout (st, &t, &t.layouts[0], MT_INTENDS_CREATE, err))
      return false;
   if (!mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (mt_check_layouts (&t, err) &&
       mt_attach_or_create (st, &t, st->stmt->create_table.layout, &t.layouts[0], err) &&
       (!t.expiry || mt_expiry_tell_all (st, &t, err)) && save_sequences (st, &t, sequences, err) &&
       mt_catalog_save (s->catalog, &t, NULL, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}
