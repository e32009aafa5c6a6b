/* Adds keys to tables that already have rows: ALTER TABLE … ADD PRIMARY KEY or UNIQUE, and CREATE
 * UNIQUE INDEX. */
#include "session/continuous/continuous.h"
#include "session/coordinate/coordinate.h"
#include "session/core/checks.h"
#include "session/core/keys.h"
#include "session/core/objects.h"
#include "session/core/rows.h"
#include "session/ddl/ddl.h"
#include "session/ddl/expire.h"
#include "session/ddl/key_int.h"
#include "session/dml/dml.h"

#include <string.h>

/* ---- adding a key in a write step ---- */

/* Fails with 23502 if a column that the key makes NOT NULL has NULLs. */
static bool no_nulls (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   for (size_t i = 0; i < k->count && k->kind == MT_KEY_PRIMARY; i++) {
      int at = k->columns[i];
      if (!t->columns[at].not_null && !mt_column_no_nulls (st, t, at, err))
         return false;
   }
   return true;
}

/* Fails with 0A000 on a server if a layout has one document for each row, and the server's unique
 * index can't have the key's condition. */
static bool server_can (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   if (!k->where || k->terms || !mt_engine_caps (st->session->engine)->unique_indexes)
      return true;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_store_is_rows (&t->layouts[i].stores[0]))
         continue;
      mt_error (err, MT_E_FEATURE,
                "a unique index with this condition is not supported on a server");
      return mt_error_hint (err, "Use comparisons of columns with constants, IS NULL and IS NOT "
                                 "NULL, combined by AND.");
   }
   return true;
}

/* Runs the write step that adds key k to table t: checks the rows, creates the server's indexes,
 * and saves `next`, the version of the table that already has the key. */
static bool add_in_step (MtStatement *st, const MtTable *t, MtTable *next, const MtTableKey *k,
                         MtError *err)
{
   MtSession *s = st->session;
   if (!mt_check_layouts (next, err) || !mt_expiry_settle (st, next, err) ||
       !server_can (st, next, k, err) || !mt_no_live_intents (st, t, err) ||
       (!t->temporary && !mt_intend (st, t, MT_INTENDS_REWRITE, NULL, 0, err)) ||
       !no_nulls (st, t, k, err) || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (mt_not_written_meanwhile (st, t, err) && mt_check_key (st, next, k, err) &&
       mt_key_make_indexes (st, next, k, err) &&
       mt_catalog_save_unwritten (s->catalog, t, next, err) && mt_intents_break (st, t, err) &&
       mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   mt_key_refused (st, next, err);
   return false;
}

/* Returns a copy of the table whose columns and layouts may be changed. */
static MtTable next_table (MtArena *a, const MtTable *t)
{
   MtTable next = *t;
   next.columns = MT_NEW_N (a, MtColumn, t->column_count + 1);
   memcpy (next.columns, t->columns, t->column_count * sizeof *t->columns);
   next.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (next.layouts, t->layouts, t->layout_count * sizeof *t->layouts);
   return next;
}

/* ---- ALTER TABLE ---- */

bool mt_add_key (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtKeyDef *d = st->stmt->alter_table.key;
   MtName name = mt_key_full_name (st->session, st->arena, t, &d->name);
   MtTable next = next_table (st->arena, t);
   MtTableKey k;
   if (!mt_make_key (st, &next, d, &k, err) || !mt_name_key (st, t, &name, &k, err)) {
      err->span = MT_NO_SPAN; /* PostgreSQL gives no position here */
      return false;
   }
   mt_keys_with (st->arena, &next, &k);
   return add_in_step (st, t, &next, &k, err);
}

/* ---- CREATE UNIQUE INDEX ---- */

/* Checks that the condition of a unique index has only parts that ON CONFLICT can compare. */
static bool is_plain (MtStatement *st, const char *text, size_t len, MtError *err)
{
   MtExpr *e;
   if (!mt_parse_expr (st->arena, text, len, &e, err))
      return false;
   if (mt_qualify_expr (st->arena, e, "table"))
      return true;
   mt_error_at (err, st->stmt->create_index.where->span, MT_E_FEATURE,
                "this condition of an index is not supported");
   return mt_error_hint (err,
                         "Use comparisons, IS, BETWEEN, IN, LIKE, functions, AND, OR and NOT.");
}

static bool read_condition (MtStatement *st, const MtTable *t, const MtExpr *e, MtTableKey *k,
                            MtError *err)
{
   MtX *x;
   MtBuf text = {0};
   MtTableCheck *c = MT_NEW (st->arena, MtTableCheck);
   if (!mt_bind_predicate (st->arena, &st->env, t, e, &x, err))
      return false;
   mt_print_expr (e, &text);
   if (!is_plain (st, text.p, text.n, err)) {
      mt_buf_free (&text);
      return false;
   }
   *c = (MtTableCheck) {.name = "", .sql = mt_strndup (st->arena, text.p, text.n)};
   mt_buf_free (&text);
   mt_check_columns_of (st->arena, t, x, c);
   k->where = c;
   mt_key_read_terms (st->arena, x, k);
   return true;
}

static bool has_columns (const MtTable *t, const MtNameList *n, MtError *err)
{
   for (; n; n = n->next)
      if (mt_table_column (t, n->name.text, mt_name_is_exact (&n->name)) < 0)
         return mt_error (err, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                          n->name.text) ||
                mt_column_near (t, n->name.text, err);
   return true;
}

/* Fails if t is a continuous view: the refresh of such a view checks no keys. */
static bool not_continuous (MtStatement *st, const MtTable *t, MtError *err)
{
   MtContinuous *v;
   if (!mt_continuous_find (st->session, st->arena, t->name, &v, err))
      return false;
   return !v ||
          mt_error (err, MT_E_FEATURE, "a unique index on a continuous view is not supported");
}

static bool create_unique_index (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_index.name;
   MtKeyDef d = {.kind = MT_KEYDEF_UNIQUE,
                 .name = *name,
                 .columns = st->stmt->create_index.columns,
                 .nulls_equal = st->stmt->create_index.nulls_equal};
   MtTable next = next_table (st->arena, t);
   MtTableKey k;
   if (!has_columns (t, d.columns, err) || !mt_make_key (st, &next, &d, &k, err))
      return false;
   k.kind = MT_KEY_INDEX;
   if (st->stmt->create_index.where &&
       !read_condition (st, t, st->stmt->create_index.where, &k, err))
      return false;
   if (name->text && st->stmt->create_index.if_not_exists &&
       mt_is_relation_name (s, name->text, t->temporary)) {
      mt_notice (s, "NOTICE", NULL, "relation \"%s\" already exists, skipping", name->text);
      return true;
   }
   if (!mt_name_key (st, t, name, &k, err))
      return false;
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot create an index: the target is read-only");
   mt_keys_with (st->arena, &next, &k);
   return add_in_step (st, t, &next, &k, err);
}

bool mt_run_define_index (MtStatement *st, MtError *err)
{
   const MtTable *t;
   if (!st->stmt->create_index.unique)
      return mt_run_create_index (st, err);
   mt_result_set_tag (st->result, "CREATE INDEX");
   const MtName *method = &st->stmt->create_index.method;
   if (method->text && mt_ieq (method->text, "hash"))
      return mt_error (err, MT_E_FEATURE, "access method \"hash\" does not support unique indexes");
   return mt_check_index_clauses (st, err) &&
          mt_need_table (st, &st->stmt->create_index.table, &t, err) &&
          not_continuous (st, t, err) && create_unique_index (st, t, err);
}
