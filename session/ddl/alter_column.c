/* ALTER TABLE … ADD, DROP, RENAME and ALTER COLUMN. */
#include "session/continuous/continuous.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "layouts/presets/preset.h"
#include "layouts/descriptor/reshape.h"
#include "layouts/expire.h"
#include "session/core/core.h"
#include "session/core/checks.h"
#include "session/core/index.h"
#include "session/core/keys.h"
#include "session/core/objects.h"
#include "session/core/rows.h"
#include "session/core/sequence.h"
#include "session/ddl/constraint.h"
#include "session/ddl/ddl.h"
#include "session/ddl/key_int.h"
#include "session/ddl/key.h"
#include "session/dml/dml.h"
#include "session/core/schemas.h"

#include <string.h>

typedef struct Alter {
   MtStatement *st;
   /* the expressions that compute the columns of `next`; NULL: the columns of `table` unchanged */
   MtTarget *values;
   const MtTable *table;
   MtTable next;
   /* for each column of `next`: the index of the same column in `table`; -1: it is the added
    * column */
   int *from;
   MtVal added;             /* the new column's value in existing rows; MT_MISSING: in `defaults` */
   MtDefaults defaults;     /* the default values of the columns of `next` */
   MtSequence *sequence;    /* of a new serial or identity column; NULL: none */
   MtSequenceChange change; /* of an identity column's sequence; change.sequence NULL: none */
   const char *column, *to; /* the column that is renamed to `to`; to NULL: the column is dropped */
   const char *loses_sequence; /* a column whose sequence is dropped; NULL: none */
} Alter;

/* ---- writing all rows again ---- */

/* Makes and binds the query that computes the new rows: a SELECT of x->values from the table, whose
 * results are converted to the columns' types as in an assignment. *out is the bound query. */
static bool bind_values (Alter *x, MtQuery **out, MtError *err)
{
   MtStatement *st = x->st;
   size_t n = x->next.column_count;
   const MtColumn **columns = MT_NEW_N (st->arena, const MtColumn *, n + 1);
   for (size_t i = 0; i < n; i++)
      columns[i] = &x->next.columns[i];
   return mt_bind_assigned (st->arena, &st->env,
                            mt_rows_select (st, x->table, NULL, x->values, NULL),
                            (MtAssignment) {columns, n, NULL}, out, err);
}

static bool read_rows (Alter *x, MtSpool *spool, MtError *err)
{
   MtStatement *st = x->st;
   MtPlan *plan;
   const bson_t *doc;
   MtQuery *q;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   if (!(x->values ? bind_values (x, &q, err)
                   : mt_bind_select (st->arena, &st->env,
                                     mt_rows_select (st, x->table, NULL,
                                                     mt_rows_columns (st, x->table), NULL),
                                     &q, err)) ||
       !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("rows", NULL));
   bool ok = mt_result_run (r, plan, false, err);
   while (ok && (ok = mt_result_next_doc (r, &doc, err)) && doc)
      ok = mt_spool_add (spool, doc, err);
   mt_result_free (r);
   return ok && mt_spool_rewind (spool, err);
}

static bool report_nulls (MtStatement *st, const MtTable *t, const char *column, MtError *err)
{
   mt_error (err, MT_E_NOT_NULL, "column \"%s\" of relation \"%s\" contains null values", column,
             t->name);
   return mt_error_of_table (st->session, t, column, NULL, err);
}

static bool report_violated (const Alter *x, const char *check, MtError *err)
{
   mt_error (err, MT_E_CHECK, "check constraint \"%s\" of relation \"%s\" is violated by some row",
             check, x->table->name);
   return mt_error_of_table (x->st->session, x->table, NULL, check, err);
}

/* Returns x->next without constraints that old rows may violate. */
static const MtTable *with_valid_checks (Alter *x)
{
   MtTable *t = MT_NEW (x->st->arena, MtTable);
   *t = x->next;
   t->checks = MT_NEW_N (x->st->arena, MtTableCheck, t->check_count + 1);
   t->check_count = 0;
   for (size_t i = 0; i < x->next.check_count; i++)
      if (!x->next.checks[i].not_valid)
         t->checks[t->check_count++] = x->next.checks[i];
   return t;
}

/* Reads the rows in `spool`, converts them to the new columns, checks NOT NULL and CHECK, and
 * writes them to w. w NULL: only checks them. */
static bool write_rows (Alter *x, MtSpool *spool, MtWriteStep *w, MtError *err)
{
   const MtTable *next = &x->next, *valid = with_valid_checks (x);
   MtArena *a = mt_arena_new ("row", x->st->arena);
   size_t width = x->table->column_count;
   MtVal *old = MT_NEW_N (x->st->arena, MtVal, width + 1),
         *row = MT_NEW_N (x->st->arena, MtVal, next->column_count + 1);
   const bson_t *doc;
   bool ok;
   while ((ok = mt_spool_next (spool, &doc, err)) && doc) {
      mt_row_read (doc, width, old);
      for (size_t i = 0; i < next->column_count && ok; i++)
         ok = x->from[i] < 0 ||
              mt_value_normalize (a, next->columns[i].type, old[x->from[i]], &row[i], err);
      for (size_t i = 0; i < next->column_count; i++)
         if (x->from[i] < 0)
            row[i] = x->added;
      const MtTableCheck *failed;
      if (!ok || !mt_row_defaults (&x->defaults, a, row, err) ||
          !mt_check_find_failed (x->st, valid, row, &failed, err))
         return false;
      if (failed)
         return report_violated (x, failed->name, err);
      if (w && !mt_writer_add (w->writer, row, err))
         return false;
      mt_arena_reset (a);
   }
   return ok;
}

/* Writes all rows of the table again with the new columns. Layouts over attached collections keep
 * their documents. */
static bool rewrite_rows (Alter *x, MtError *err)
{
   MtStatement *st = x->st;
   MtTable *next = &x->next, filled;
   MtSpool *spool = mt_spool_new (st->arena);
   bool *only = MT_NEW_N (st->arena, bool, next->layout_count + 1);
   MtWriteStep w;
   if (!read_rows (x, spool, err) || !mt_not_written_meanwhile (st, x->table, err))
      return false;
   for (size_t i = 0; i < next->layout_count; i++) {
      only[i] = !next->layouts[i].attached;
      if (only[i] && !mt_empty_layout (st, x->table, &x->table->layouts[i], true, err))
         return false;
      if (only[i])
         next->layouts[i].stats = MT_NEW_N (st->arena, MtStoreStats, next->layouts[i].store_count);
   }
   bool ok = mt_write_open (st, next, only, &w, err);
   if (ok) {
      ok = write_rows (x, spool, &w, err) && mt_write_finish (&w, &filled, err) &&
           mt_intents_break (st, x->table, err) &&
           mt_catalog_save_unwritten (st->session->catalog, x->table, &filled, err);
      mt_write_close (&w);
   }
   return ok;
}

/* Returns whether key k needs a new unique index on a server. The partial filter of such an index
 * depends on the columns' types and on NOT NULL, which ALTER may have changed. */
static bool other_filter (const Alter *x, const MtTableKey *k)
{
   for (size_t i = 0; i < k->count; i++) {
      const MtColumn *old = &x->table->columns[k->columns[i]],
                     *now = &x->next.columns[k->columns[i]];
      if (old->not_null != now->not_null || old->type.id != now->type.id)
         return true;
   }
   return false;
}

/* Drops the server's indexes whose filter has changed, and creates them again. The columns must
 * have the same numbers in both versions of the table. */
static bool make_other_indexes (const Alter *x, MtError *err)
{
   for (size_t i = 0; i < x->next.unique_count; i++)
      if (other_filter (x, &x->next.keys[i]) &&
          (!mt_key_drop_indexes (x->st, x->table, &x->table->keys[i], err) ||
           !mt_key_make_indexes (x->st, &x->next, &x->next.keys[i], err)))
         return false;
   return true;
}

/* Drops the server's indexes of keys that the new version lacks, because their column was
 * dropped. */
static bool drop_old_indexes (const Alter *x, MtError *err)
{
   for (size_t i = 0; i < x->table->unique_count; i++)
      if (!mt_key_named (&x->next, x->table->keys[i].name) &&
          !mt_key_drop_indexes (x->st, x->table, &x->table->keys[i], err))
         return false;
   return true;
}

/* Checks that the rows are unique in the new version's keys, and creates unique indexes for them on
 * a server. ALTER TYPE … USING can make values equal, and an added column can have a key. */
static bool check_keys (const Alter *x, MtError *err)
{
   MtStatement *st = x->st;
   MtAlterKind action = st->stmt->alter_table.action;
   if (action == MT_ALTER_COLUMN_TYPE && !mt_check_unique (st, &x->next, NULL, err))
      return false;
   for (size_t i = x->table->unique_count; i < x->next.unique_count; i++)
      if (!mt_check_key (st, &x->next, &x->next.keys[i], err) ||
          !mt_key_make_indexes (st, &x->next, &x->next.keys[i], err))
         return false;
   bool same_columns = action == MT_ALTER_COLUMN_TYPE || action == MT_ALTER_SET_NOT_NULL ||
                       action == MT_ALTER_DROP_NOT_NULL;
   return !same_columns || make_other_indexes (x, err);
}

/* Announces to other clients, by an intent in the catalog, that all rows are written again. Call it
 * before the rows are checked, so that writers that begin later fail. */
static bool announce_rewrite (Alter *x, MtError *err)
{
   return x->table->temporary || mt_intend (x->st, x->table, MT_INTENDS_REWRITE, NULL, 0, err);
}

/* Runs the change in one write step of the engine (begin … commit). rows_too: also writes all rows
 * again. Fails if a long statement of another client is writing to the table. Writers that had
 * begun before the catalog changed fail when they commit. */
static bool alter_in_step (Alter *x, bool rows_too, MtError *err)
{
   MtSession *s = x->st->session;
   const char *name = mt_table_id (x->st->arena, x->table);
   if (!mt_no_live_intents (x->st, x->table, err) || (rows_too && !announce_rewrite (x, err)) ||
       !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   bool ok = (!x->sequence || mt_sequence_make (x->st, x->sequence, err)) &&
             (!x->change.sequence || mt_sequence_change (x->st, &x->change, err));
   ok = ok && (!x->column || (mt_indexes_rename_column (x->st, name, x->column, x->to, err) &&
                              mt_sequences_rename_column (x->st, name, x->column, x->to, err) &&
                              mt_comments_rename_column (x->st, name, x->column, x->to, err)));
   ok = ok && (!x->loses_sequence ||
               mt_sequences_rename_column (x->st, name, x->loses_sequence, NULL, err));
   ok = ok && drop_old_indexes (x, err);
   ok = ok && (rows_too ? rewrite_rows (x, err) && mt_make_indexes (x->st, &x->next, err)
                        : mt_catalog_save_unwritten (s->catalog, x->table, &x->next, err));
   ok = ok && check_keys (x, err);
   if (ok && mt_intents_break (x->st, x->table, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   mt_key_refused (x->st, &x->next, err);
   return false;
}

/* Copies the old statistics of a layout to its new version, without the statistics of single
 * columns. */
static void keep_stats (Alter *x, size_t layout)
{
   MtLayout *l = &x->next.layouts[layout];
   const MtLayout *old = &x->table->layouts[layout];
   l->stats = MT_NEW_N (x->st->arena, MtStoreStats, l->store_count + 1);
   for (size_t i = 0; i < l->store_count && old->stats; i++) {
      l->stats[i] = old->stats[i];
      l->stats[i].nulls = NULL;
      l->stats[i].null_columns = 0;
   }
}

static bool all_attached (const MtTable *t)
{
   for (size_t i = 0; i < t->layout_count; i++)
      if (!t->layouts[i].attached)
         return false;
   return true;
}

/* ---- ADD COLUMN ---- */

static bool has_rows (MtStatement *st, const MtTable *t, MtExpr *where, bool *yes, MtError *err)
{
   MtTarget *one = MT_NEW (st->arena, MtTarget);
   MtPlan *plan;
   one->expr = MT_NEW (st->arena, MtExpr);
   *one->expr = (MtExpr) {.kind = MT_EXPR_INTEGER, .text = "1", .span = st->stmt->span};
   MtSelect *select = mt_rows_select (st, t, NULL, one, where);
   select->limit = one->expr;
   MtQuery *q;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   if (!mt_bind_select (st->arena, &st->env, select, &q, err) ||
       !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("any", NULL));
   bool ok = mt_result_run (r, plan, false, err) && mt_result_next (r, yes, err);
   mt_result_free (r);
   return ok;
}

static bool check_new_column (Alter *x, const MtColumnDef *d, bool *skip, MtError *err)
{
   *skip = false;
   if (mt_table_column (x->table, d->name.text, false) >= 0) {
      *skip = x->st->stmt->alter_table.action_if_exists;
      if (!*skip)
         return mt_error (err, MT_E_DUPLICATE_COLUMN,
                          "column \"%s\" of relation \"%s\" already exists", d->name.text,
                          x->table->name);
      mt_notice (x->st->session, "NOTICE", NULL,
                 "column \"%s\" of relation \"%s\" already exists, skipping", d->name.text,
                 x->table->name);
      return true;
   }
   bool primary = false;
   for (const MtKeyDef *k = d->keys; k; k = k->next)
      primary |= k->kind == MT_KEYDEF_PRIMARY;
   if (d->role == MT_ROLE_TIME || primary)
      return mt_error_at (err, d->span, MT_E_FEATURE, "adding a %s column is not supported",
                          d->role == MT_ROLE_TIME ? "TIME" : "PRIMARY KEY");
   if (x->table->column_count + 1 > MT_MAX_COLUMNS)
      return mt_error (err, MT_E_TOO_MANY_COLUMNS, "tables can have at most %d columns",
                       MT_MAX_COLUMNS);
   return true;
}

static bool value_for_all (Alter *x, const MtColumn *c, bool *rows_too, MtError *err)
{
   size_t last = x->next.column_count - 1;
   bool any = false;
   if (!mt_table_defaults (x->st, &x->next, &x->defaults, err))
      return false;
   x->added = x->defaults.values[last];
   bool fills = x->defaults.own[last] || !mt_is_nullish (x->added);
   if (x->defaults.own[last] && !has_rows (x->st, x->table, NULL, &fills, err))
      return false;
   *rows_too = fills && !all_attached (x->table);
   if (fills && !*rows_too)
      return mt_error (err, MT_E_FEATURE,
                       "adding a column with a default to attached documents is not supported");
   if (!c->not_null || *rows_too)
      return true;
   return has_rows (x->st, x->table, NULL, &any, err) &&
          (!any || report_nulls (x->st, x->table, c->name, err));
}

/* Fails if another column already uses the document field that the new column would have. A renamed
 * column keeps its old field. */
static bool field_is_free (const MtTable *t, const MtColumn *c, MtError *err)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (t->columns[i].field && c->field && strcmp (t->columns[i].field, c->field) == 0) {
         mt_error (err, MT_E_DUPLICATE_COLUMN, "field \"%s\" holds column \"%s\"", c->field,
                   t->columns[i].name);
         return mt_error_hint (err, "Add %s FIELD 'another name' to the column's definition.",
                               c->name);
      }
   return true;
}

bool mt_add_column (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtColumnDef *d = st->stmt->alter_table.column;
   Alter x = {.st = st, .table = t, .next = *t};
   MtTable *next = &x.next;
   bool skip, rows_too;
   if (!check_new_column (&x, d, &skip, err) || skip)
      return skip;
   next->columns = MT_NEW_N (st->arena, MtColumn, t->column_count + 1);
   memcpy (next->columns, t->columns, t->column_count * sizeof (MtColumn));
   MtColumn *c = &next->columns[next->column_count++];
   if (!mt_build_column (st, d, c, err) || !field_is_free (t, c, err) ||
       !mt_column_sequence (st, t, d, c, &x.sequence, err) ||
       !mt_build_checks (st, next, d, NULL, err) || !mt_build_keys (st, next, d, NULL, err))
      return false;
   x.from = MT_NEW_N (st->arena, int, next->column_count);
   for (size_t i = 0; i < next->column_count; i++)
      x.from[i] = i < t->column_count ? (int) i : -1;
   next->layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_layout_add_column (st->arena, t, next, i, err))
         return false;
      keep_stats (&x, i);
   }
   if (!value_for_all (&x, c, &rows_too, err))
      return false;
   MtSpool *spool = mt_spool_new (st->arena);
   if ((d->checks || c->domain) && !rows_too &&
       !(announce_rewrite (&x, err) && read_rows (&x, spool, err) &&
         write_rows (&x, spool, NULL, err))) {
      mt_intents_drop (st->session);
      return false;
   }
   return alter_in_step (&x, rows_too, err);
}

/* ---- DROP COLUMN ---- */

bool mt_drop_column (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name;
   Alter x = {.st = st, .table = t, .next = *t};
   MtTable *next = &x.next;
   int gone = mt_table_column (t, name->text, mt_name_is_exact (name));
   if (gone < 0 && st->stmt->alter_table.action_if_exists) {
      mt_notice (st->session, "NOTICE", NULL,
                 "column \"%s\" of relation \"%s\" does not exist, skipping", name->text, t->name);
      return true;
   }
   if (gone < 0)
      return mt_error (err, MT_E_UNDEFINED_COLUMN,
                       "column \"%s\" of relation \"%s\" does not exist", name->text, t->name) ||
             mt_column_near (t, name->text, err);
   if (gone == t->time_column || t->column_count == 1)
      return mt_error_at (err, name->span, MT_E_FEATURE, "dropping %s is not supported",
                          t->column_count == 1 ? "a table's only column" : "the TIME column");
   const MtTableKey *primary = mt_primary_key (t);
   if (mt_in_key (t->key, t->key_count, gone) ||
       (primary && mt_in_key (primary->columns, primary->count, gone)))
      return mt_error_at (err, name->span, MT_E_FEATURE,
                          "dropping a column of the key is not supported");
   x.column = t->columns[gone].name;
   mt_without_check (st, next, NULL, x.column);
   next->columns = MT_NEW_N (st->arena, MtColumn, t->column_count);
   x.from = MT_NEW_N (st->arena, int, t->column_count);
   next->column_count = 0;
   for (size_t i = 0; i < t->column_count; i++)
      if ((int) i != gone) {
         x.from[next->column_count] = (int) i;
         next->columns[next->column_count++] = t->columns[i];
      }
   next->time_column = t->time_column > gone ? t->time_column - 1 : t->time_column;
   mt_keys_without_column (st->arena, t, next, gone);
   next->layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_layout_drop_column (st->arena, t, next, i, gone, err))
         return false;
      keep_stats (&x, i);
   }
   return alter_in_step (&x, !all_attached (t), err);
}

/* ---- RENAME COLUMN ---- */

/* Fails with 0A000 if the condition of a partial index reads a column. */
static bool no_index_reads (const MtTable *t, int column, MtSpan span, const char *doing,
                            MtError *err)
{
   const char *name = t->columns[column].name;
   for (size_t i = 0; i < t->unique_count; i++) {
      if (!t->keys[i].where || !mt_check_mentions (t->keys[i].where, name))
         continue;
      mt_error_at (err, span, MT_E_FEATURE,
                   "%s column \"%s\" is not supported: index \"%s\" reads it", doing, name,
                   t->keys[i].name);
      return mt_error_hint (err, "Drop the index, and add it again afterwards.");
   }
   return true;
}

bool mt_rename_column (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name, *to = &st->stmt->alter_table.new_name;
   Alter x = {.st = st, .table = t, .next = *t};
   MtTable *next = &x.next;
   int at = mt_table_column (t, name->text, mt_name_is_exact (name));
   if (at < 0)
      return mt_error (err, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist", name->text) ||
             mt_column_near (t, name->text, err);
   for (size_t i = 0; i < t->column_count; i++)
      if (strcmp (t->columns[i].name, to->text) == 0)
         return mt_error (err, MT_E_DUPLICATE_COLUMN,
                          "column \"%s\" of relation \"%s\" already exists", to->text, t->name);
   next->columns = MT_NEW_N (st->arena, MtColumn, t->column_count);
   memcpy (next->columns, t->columns, t->column_count * sizeof (MtColumn));
   for (size_t i = 0; i < t->check_count; i++)
      if (mt_check_mentions (&t->checks[i], t->columns[at].name)) {
         mt_error_at (err, name->span, MT_E_FEATURE,
                      "renaming column \"%s\" is not supported: constraint \"%s\" reads it",
                      t->columns[at].name, t->checks[i].name);
         return mt_error_hint (err, "Drop the constraint, and add it again afterwards.");
      }
   if (!no_index_reads (t, at, name->span, "renaming", err))
      return false;
   next->columns[at].name = to->text;
   x.column = t->columns[at].name;
   x.to = to->text;
   next->layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_layout_rename_column (st->arena, t, next, i, err))
         return false;
      const MtLayout *l = &t->layouts[i];
      next->layouts[i].options_text = mt_preset_renamed (
         st->arena, t, l->preset, l->options_text ? l->options_text : "", at, to->text);
      next->layouts[i].stats = t->layouts[i].stats;
   }
   return alter_in_step (&x, false, err);
}

/* ---- ALTER COLUMN ---- */

/* Sets x->values to all columns of the table, with the USING expression instead of the column with
 * index `at`. */
static void values_of (Alter *x, int at)
{
   MtStatement *st = x->st;
   MtTarget *t = x->values = mt_rows_columns (st, x->table);
   for (int i = 0; i < at; i++)
      t = t->next;
   if (st->stmt->alter_table.using_expr)
      t->expr = st->stmt->alter_table.using_expr;
}

static bool not_castable (Alter *x, int at, MtError *err)
{
   const MtColumn *c = &x->next.columns[at];
   const char *type = mt_type_display (x->st->arena, c->type);
   bool using = x->st->stmt->alter_table.using_expr != NULL;
   if (!mt_error_is (err, MT_E_DATATYPE_MISMATCH))
      return false;
   if (using) {
      mt_error (err, MT_E_DATATYPE_MISMATCH,
                "result of USING clause for column \"%s\" cannot be cast automatically to type %s",
                c->name, type);
      return mt_error_hint (err, "You might need to add an explicit cast.");
   }
   mt_error (err, MT_E_DATATYPE_MISMATCH, "column \"%s\" cannot be cast automatically to type %s",
             c->name, type);
   return mt_error_hint (err, "You might need to specify \"USING %s::%s\".", c->name, type);
}

static bool default_fits (Alter *x, MtColumn *c, MtError *err)
{
   MtExpr *e;
   MtX *v;
   MtError inner;
   if (!c->default_sql)
      return true;
   if (!mt_parse_default (x->st, c, &e, err))
      return false;
   return mt_bind_expr (x->st->arena, &x->st->env, e, c->type, &v, &inner) ||
          mt_error (err, MT_E_DATATYPE_MISMATCH,
                    "default for column \"%s\" cannot be cast automatically to type %s", c->name,
                    mt_type_display (x->st->arena, c->type));
}

static bool change_type (Alter *x, int at, MtError *err)
{
   MtStatement *st = x->st;
   MtColumn *c = &x->next.columns[at], made;
   MtQuery *q;
   if (!mt_build_column (st, st->stmt->alter_table.column, &made, err))
      return false;
   if (c->identity && !mt_type_is_integer (made.type.id))
      return mt_error (err, MT_E_PARAMETER,
                       "identity column type must be smallint, integer, or bigint");
   bool time = mt_type_is_datetime (made.type.id);
   if (at == x->table->time_column && !time) {
      mt_error_at (err, st->stmt->alter_table.column->type->span, MT_E_FEATURE,
                   "the time column can only be of type timestamptz, timestamp or date");
      return mt_error_hint (err, "Create another table with CREATE TABLE ... AS SELECT ...");
   }
   for (size_t i = 0; i < x->table->layout_count; i++)
      if (x->table->layouts[i].attached)
         return mt_error (err, MT_E_FEATURE,
                          "changing the type of a column in attached documents is not supported");
   c->type = made.type;
   c->domain = made.domain;
   values_of (x, at);
   return (bind_values (x, &q, err) || not_castable (x, at, err)) && default_fits (x, c, err) &&
          mt_checks_fit (st, &x->next, err);
}

bool mt_column_no_nulls (MtStatement *st, const MtTable *t, int at, MtError *err)
{
   bool any = false;
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   *e = (MtExpr) {.kind = MT_EXPR_IS, .span = st->stmt->span};
   e->is.test = MT_IS_NULL;
   e->is.left = mt_column_expr (st->arena, &t->columns[at], st->stmt->span);
   return has_rows (st, t, e, &any, err) &&
          (!any || report_nulls (st, t, t->columns[at].name, err));
}

static bool is_of_identity (MtAlterKind k)
{
   return k == MT_ALTER_ADD_IDENTITY || k == MT_ALTER_IDENTITY || k == MT_ALTER_DROP_IDENTITY;
}

/* Makes a sequence for column c, which must be NOT NULL and without a default. */
static bool add_identity (Alter *x, MtColumn *c, MtError *err)
{
   const char *why = NULL;
   if (mt_type_is_integer (c->type.id) && !c->not_null)
      why = "must be declared NOT NULL before identity can be added";
   else if (c->identity)
      why = "is already an identity column";
   else if (c->default_sql)
      why = "already has a default value";
   if (why)
      return mt_error (err, MT_E_STATE, "column \"%s\" of relation \"%s\" %s", c->name,
                       x->table->name, why);
   return mt_column_sequence (x->st, &x->next, x->st->stmt->alter_table.column, c, &x->sequence,
                              err);
}

/* Changes the sequence of an identity column and when it is used, or ends it: the sequence is
 * dropped. */
static bool change_identity (Alter *x, MtColumn *c, MtAlterKind k, MtError *err)
{
   if (k == MT_ALTER_ADD_IDENTITY)
      return add_identity (x, c, err);
   if (!c->identity)
      return mt_error (err, MT_E_STATE,
                       "column \"%s\" of relation \"%s\" is not an identity column", c->name,
                       x->table->name);
   if (k == MT_ALTER_IDENTITY)
      return mt_identity_change (x->st, x->table, c, &x->change, err);
   c->identity = c->always = false;
   c->default_sql = NULL;
   x->loses_sequence = c->name;
   return true;
}

/* An identity column keeps its sequence and NOT NULL. */
static bool may_change_identity (const Alter *x, const MtColumn *c, MtError *err)
{
   MtAlterKind k = x->st->stmt->alter_table.action;
   return !c->identity || k == MT_ALTER_COLUMN_TYPE || k == MT_ALTER_SET_NOT_NULL ||
          is_of_identity (k) ||
          mt_error (err, MT_E_SYNTAX, "column \"%s\" of relation \"%s\" is an identity column",
                    c->name, x->table->name);
}

static bool change_column (Alter *x, int at, MtError *err)
{
   MtStatement *st = x->st;
   MtColumn *c = &x->next.columns[at];
   MtAlterKind k = st->stmt->alter_table.action;
   if (!may_change_identity (x, c, err))
      return false;
   if (k == MT_ALTER_COLUMN_TYPE)
      return change_type (x, at, err);
   if (is_of_identity (k))
      return change_identity (x, c, k, err);
   if (k == MT_ALTER_SET_DEFAULT) {
      bool ok = mt_set_default (st, st->stmt->alter_table.column->default_value, c, err);
      if (!ok) /* PostgreSQL gives no position here */
         err->span = MT_NO_SPAN;
      return ok;
   }
   if (k == MT_ALTER_DROP_DEFAULT)
      c->default_sql = NULL;
   const MtTableKey *primary = mt_primary_key (x->table);
   if (k == MT_ALTER_DROP_NOT_NULL && primary && mt_in_key (primary->columns, primary->count, at))
      return mt_error (err, MT_E_TABLE_DEFINITION, "column \"%s\" is in a primary key", c->name);
   MtError reads;
   if (k == MT_ALTER_DROP_NOT_NULL && at == x->table->time_column &&
       !mt_no_continuous_reads (st->session, x->table->name, &reads))
      return mt_no_view_reads (st, x->table->name, false, err);
   if (k == MT_ALTER_DROP_NOT_NULL && mt_expires (x->table) && at == x->table->time_column)
      return mt_error (err, MT_E_TABLE_DEFINITION, "column \"%s\" is the time at which rows expire",
                       c->name);
   if (k == MT_ALTER_SET_NOT_NULL || k == MT_ALTER_DROP_NOT_NULL)
      c->not_null = k == MT_ALTER_SET_NOT_NULL;
   return k != MT_ALTER_SET_NOT_NULL ||
          (announce_rewrite (x, err) && mt_column_no_nulls (x->st, x->table, at, err));
}

static bool not_in_layout (const MtLayout *l, const MtColumn *c, MtArena *a, MtError *err)
{
   const char *why = mt_strdup (a, err->message);
   mt_error (err, MT_E_FEATURE, "layout \"%s\" cannot store column \"%s\" as %s", l->name, c->name,
             mt_type_display (a, c->type));
   mt_error_detail (err, "%s", why);
   return mt_error_hint (err, "Drop the layout first, and add another afterwards.");
}

/* If the cast of the column `at` failed because of an integer overflow, replaces the error by
 * PostgreSQL's message. Returns `ok`. */
static bool report_overflow (bool ok, const Alter *x, int at, MtError *err)
{
   MtTypeId id = x->next.columns[at].type.id;
   if (!ok && mt_type_is_integer (id) &&
       (err->topic == MT_TOPIC_INTEGER || err->topic == MT_TOPIC_BIGINT))
      mt_error (err, MT_E_NUMERIC_RANGE, "%s out of range",
                mt_type_display (x->st->arena, x->next.columns[at].type));
   return ok;
}

bool mt_alter_column (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name;
   Alter x = {.st = st, .table = t, .next = *t};
   MtTable *next = &x.next;
   int at = mt_table_column (t, name->text, mt_name_is_exact (name));
   bool rows_too = st->stmt->alter_table.action == MT_ALTER_COLUMN_TYPE;
   if (at < 0)
      return mt_error (err, MT_E_UNDEFINED_COLUMN,
                       "column \"%s\" of relation \"%s\" does not exist", name->text, t->name) ||
             mt_column_near (t, name->text, err);
   if (rows_too && !no_index_reads (t, at, name->span, "changing the type of", err))
      return false;
   if (st->stmt->alter_table.action_if_exists && !t->columns[at].identity) {
      mt_notice (st->session, "NOTICE", NULL,
                 "column \"%s\" of relation \"%s\" is not an identity column, skipping",
                 t->columns[at].name, t->name);
      return true;
   }
   next->columns = MT_NEW_N (st->arena, MtColumn, t->column_count);
   memcpy (next->columns, t->columns, t->column_count * sizeof (MtColumn));
   if (!change_column (&x, at, err)) {
      mt_intents_drop (st->session);
      return false;
   }
   x.from = MT_NEW_N (st->arena, int, t->column_count);
   next->layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   for (size_t i = 0; i < t->column_count; i++)
      x.from[i] = (int) i;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_layout_rename_column (st->arena, t, next, i, err))
         return not_in_layout (&t->layouts[i], &next->columns[at], st->arena, err);
      next->layouts[i].options_text = t->layouts[i].options_text;
      next->layouts[i].stats = t->layouts[i].stats;
   }
   return report_overflow (alter_in_step (&x, rows_too, err), &x, at, err);
}

/* ---- constraints ---- */

/* Fails with 23514 if a row violates the constraint `name`, whose condition is e. Announces to
 * other clients that constraints change. */
static bool check_rows (Alter *x, const char *name, const MtExpr *e, MtError *err)
{
   bool any = false;
   MtExpr *violates = MT_NEW (x->st->arena, MtExpr);
   *violates = (MtExpr) {.kind = MT_EXPR_NOT, .span = e->span, .depth = e->depth + 1};
   violates->arg = (MtExpr *) e;
   if (announce_rewrite (x, err) && has_rows (x->st, x->table, violates, &any, err) &&
       (!any || report_violated (x, name, err)))
      return true;
   mt_intents_drop (x->st->session);
   return false;
}

bool mt_add_check (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtCheckDef *d = st->stmt->alter_table.check;
   Alter x = {.st = st, .table = t, .next = *t};
   if (!mt_add_check_to (st, &x.next, d, err))
      return false;
   size_t at = 0;
   while (at < t->check_count && strcmp (x.next.checks[at].name, t->checks[at].name) == 0)
      at++;
   x.next.checks[at].not_valid = d->not_valid;
   return (d->not_valid || check_rows (&x, x.next.checks[at].name, d->expr, err)) &&
          alter_in_step (&x, false, err);
}

bool mt_validate_constraint (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name;
   Alter x = {.st = st, .table = t, .next = *t};
   MtExpr *e;
   size_t at = 0;
   while (at < t->check_count && strcmp (t->checks[at].name, name->text) != 0)
      at++;
   if (at == t->check_count) {
      const MtTableKey *k = mt_key_named (t, name->text);
      bool key = k && k->kind != MT_KEY_INDEX;
      return mt_error (err, key ? MT_E_WRONG_OBJECT : MT_E_UNDEFINED_OBJECT,
                       "constraint \"%s\" of relation \"%s\" %s", name->text, t->name,
                       key ? "is not a foreign key or check constraint" : "does not exist");
   }
   const char *sql = t->checks[at].sql;
   if (!t->checks[at].not_valid)
      return true;
   x.next.checks = MT_NEW_N (st->arena, MtTableCheck, t->check_count);
   memcpy (x.next.checks, t->checks, t->check_count * sizeof *t->checks);
   x.next.checks[at].not_valid = false;
   return mt_parse_expr (st->arena, sql, strlen (sql), &e, err) &&
          check_rows (&x, name->text, e, err) && alter_in_step (&x, false, err);
}

bool mt_drop_constraint (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name;
   Alter x = {.st = st, .table = t, .next = *t};
   mt_without_check (st, &x.next, name->text, NULL);
   if (x.next.check_count < t->check_count)
      return alter_in_step (&x, false, err);
   MtName full = mt_key_full_name (st->session, st->arena, t, name);
   const MtTableKey *k = mt_key_by_name (t, &full);
   if (k && k->kind != MT_KEY_INDEX)
      return mt_drop_key (st, t, k, err);
   if (!st->stmt->alter_table.action_if_exists)
      return mt_error (err, MT_E_UNDEFINED_OBJECT,
                       "constraint \"%s\" of relation \"%s\" does not exist", name->text, t->name);
   mt_notice (st->session, "NOTICE", NULL,
              "constraint \"%s\" of relation \"%s\" does not exist, skipping", name->text, t->name);
   return true;
}

/* Renames a CHECK constraint in a new version of the table. False: there is none of this name. */
static bool rename_check (MtStatement *st, MtTable *next, const char *from, const char *to)
{
   MtTableCheck *checks = MT_NEW_N (st->arena, MtTableCheck, next->check_count + 1);
   bool found = false;
   if (next->check_count)
      memcpy (checks, next->checks, next->check_count * sizeof *checks);
   for (size_t i = 0; i < next->check_count; i++)
      if (strcmp (checks[i].name, from) == 0) {
         checks[i].name = to;
         found = true;
      }
   next->checks = checks;
   mt_sort_checks (next);
   return found;
}

/* Renames key k of table t. */
static bool rename_key (MtStatement *st, const MtTable *t, const MtTableKey *k, const MtName *to,
                        MtError *err)
{
   Alter x = {.st = st, .table = t, .next = *t};
   MtTableKey renamed = *k;
   if (!mt_name_key (st, t, to, &renamed, err))
      return false;
   if (k->kind != MT_KEY_PRIMARY && mt_engine_caps (st->session->engine)->unique_indexes) {
      mt_error_at (err, to->span, MT_E_FEATURE,
                   "renaming a UNIQUE constraint or index is not supported on a server");
      return mt_error_hint (err, "Drop it, and add it with the other name.");
   }
   mt_keys_without (st->arena, &x.next, k);
   mt_keys_with (st->arena, &x.next, &renamed);
   return alter_in_step (&x, false, err);
}

bool mt_rename_constraint (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.name, *to = &st->stmt->alter_table.new_name;
   Alter x = {.st = st, .table = t, .next = *t};
   MtName full = mt_key_full_name (st->session, st->arena, t, name),
          other = mt_key_full_name (st->session, st->arena, t, to);
   const MtTableKey *k = mt_key_by_name (t, &full);
   MtTableKey unnamed = {0};
   if (k && k->kind != MT_KEY_INDEX)
      return rename_key (st, t, k, &other, err);
   if (!rename_check (st, &x.next, name->text, to->text))
      return mt_error (err, MT_E_UNDEFINED_OBJECT,
                       "constraint \"%s\" for table \"%s\" does not exist", name->text, t->name);
   return mt_name_key (st, t, &other, &unnamed, err) && alter_in_step (&x, false, err);
}

/* ---- ALTER INDEX ---- */

/* Renames an index that is not unique. */
static bool rename_index (MtStatement *st, const MtCatalogObject *o, const MtName *to, MtError *err)
{
   MtSession *s = st->session;
   MtIndex x = mt_index_load (st->arena, o);
   const char *old = x.name;
   bool dropped;
   if (mt_is_relation_name (s, to->text, mt_is_temporary (x.table)))
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists",
                       mt_unqualified (s, to->text));
   x.name = to->text;
   if (!mt_step_begin (s, err))
      return false;
   if (mt_catalog_drop_object (s->catalog, "index", old, &dropped, err) &&
       mt_index_save (st, &x, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

bool mt_run_alter_index (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->sequence.name;
   const MtName *to = &st->stmt->sequence.new_name;
   const MtCatalogObject *o;
   const MtTable *t;
   mt_result_set_tag (st->result, "ALTER INDEX");
   const MtTableKey *k = mt_find_key (s, name, &t);
   if (k)
      return rename_key (st, t, k, to, err);
   mt_catalog_find_object (s->catalog, "index", name->text, &o);
   if (o)
      return rename_index (st, o, to, err);
   if (!mt_catalog_find (s->catalog, name->text, mt_name_is_exact (name), &t, err))
      return false;
   if (t || mt_is_view (s, name->text) || mt_is_sequence (s, name->text)) {
      mt_error (err, MT_E_FEATURE, "ALTER INDEX of a relation that is no index is not supported");
      return mt_error_hint (err, "Use the statement for its kind, such as ALTER TABLE.");
   }
   if (!st->stmt->sequence.if_exists)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", name->text);
   mt_notice (s, "NOTICE", NULL, "relation \"%s\" does not exist, skipping", name->text);
   return true;
}
