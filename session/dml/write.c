/* Writes rows to all layouts of a table in one step. Also runs ANALYZE. */
#include "layouts/read/attach.h"
#include "layouts/collections/partition.h"
#include "layouts/pack/prealloc.h"
#include "layouts/stats.h"
#include "planner/emit/eval.h"
#include "session/coordinate/coordinate.h"
#include "session/core/checks.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/core/system.h"
#include "session/dml/dml.h"

#include <stdlib.h>
#include <string.h>

/* ---- statistics ---- */

/* Returns a copy of the statistics `from` (NULL: empty ones), to which new rows can be added. */
static MtStoreStats own_stats (MtArena *a, const MtStoreDesc *d, const MtStoreStats *from)
{
   MtStoreStats s = {0};
   if (from)
      mt_stats_add (a, d, &s, from);
   return s;
}

MtTable mt_table_with_stats (MtArena *a, const MtTable *t, const bool *only,
                             MtStoreStats *const *written)
{
   MtTable copy = *t;
   copy.layouts = MT_NEW_N (a, MtLayout, t->layout_count);
   memcpy (copy.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   for (size_t i = 0; i < t->layout_count; i++) {
      MtLayout *l = &copy.layouts[i];
      if ((only && !only[i]) || !written[i] || mt_is_uncounted (l))
         continue;
      MtStoreStats *stats = MT_NEW_N (a, MtStoreStats, l->store_count);
      for (size_t j = 0; j < l->store_count; j++) {
         stats[j] = own_stats (a, &l->stores[j], l->stats ? &l->stats[j] : NULL);
         mt_stats_add (a, &l->stores[j], &stats[j], &written[i][j]);
      }
      l->stats = stats;
   }
   return copy;
}

/* ---- a write step ---- */

bool mt_write_open (MtStatement *st, const MtTable *t, const bool *only, MtWriteStep *out,
                    MtError *err)
{
   MtSession *s = st->session;
   *out = (MtWriteStep) {.st = st,
                         .table = t,
                         .only = only,
                         .bounds = MT_NEW_N (st->arena, MtKeyBounds, t->unique_count + 1),
                         .keys_since = mt_keys_since (st, t)};
   if (!only && !s->prealloc)
      s->prealloc = mt_prealloc_new ();
   MtWriterOptions o = {.cancel = &s->cancel,
                        .progress = &s->progress,
                        .only = only,
                        .made = mt_partition_made,
                        .made_ctx = st,
                        .records = only ? NULL : mt_late_records,
                        .records_ctx = st,
                        .prealloc = only ? NULL : s->prealloc};
   return mt_writer_open (s->engine, t, &o, &out->writer, err);
}

/* Prints a value for an error's detail, shortened to 64 bytes. */
static void show_value (MtType type, MtVal v, const MtTextStyle *style, MtBuf *out)
{
   const size_t most = 64;
   MtBuf text = {0};
   MtError ignored;
   if (mt_is_nullish (v))
      mt_buf_adds (&text, "null");
   else
      mt_value_print (type, v, style, &text, &ignored);
   size_t n = text.n;
   if (n > most)
      for (n = most; n && ((unsigned char) text.p[n] & 0xC0) == 0x80;)
         n--;
   mt_buf_printf (out, "%.*s%s", (int) n, text.p ? text.p : "", n < text.n ? "..." : "");
   mt_buf_free (&text);
}

/* Sets the detail of an error to the failing row. Returns false. */
static bool row_detail (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err)
{
   MtBuf all = {0};
   for (size_t i = 0; i < t->column_count; i++) {
      mt_buf_adds (&all, i ? ", " : "");
      show_value (t->columns[i].type, row[i], &st->env.style, &all);
   }
   mt_error_detail (err, "Failing row contains (%s).", all.p ? all.p : "");
   mt_buf_free (&all);
   return false;
}

bool mt_check_constraints (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (t->columns[i].not_null && mt_is_nullish (row[i])) {
         mt_error (err, MT_E_NOT_NULL,
                   "null value in column \"%s\" of relation \"%s\" violates not-null constraint",
                   t->columns[i].name, t->name);
         mt_error_of_table (st->session, t, t->columns[i].name, NULL, err);
         return row_detail (st, t, row, err);
      }
   const MtTableCheck *failed;
   if (!mt_check_find_failed (st, t, row, &failed, err))
      return false;
   if (!failed)
      return true;
   mt_error (err, MT_E_CHECK, "new row for relation \"%s\" violates check constraint \"%s\"",
             t->name, failed->name);
   mt_error_of_table (st->session, t, NULL, failed->name, err);
   return row_detail (st, t, row, err);
}

/* Counts an added row, and keeps a copy of it in w->only_row if it is the first one. w->only_row is
 * NULL from the second row on. */
static void keep_only_row (MtWriteStep *w, const MtVal *row)
{
   const MtTable *t = w->table;
   w->only_row = NULL;
   if (w->added++ || !t->unique_count)
      return;
   w->only_row = MT_NEW_N (w->st->arena, MtVal, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++)
      w->only_row[i] = mt_v_copy (w->st->arena, row[i]);
}

bool mt_write_add (MtWriteStep *w, const MtVal *row, MtError *err)
{
   keep_only_row (w, row);
   mt_keys_bounds_add (w->st->arena, w->table, w->bounds, row);
   if (!mt_check_constraints (w->st, w->table, row, err) ||
       !mt_key_can_be_told (w->st, w->table, w->keys_since, row, err))
      return false;
   if (w->touch && (!mt_touch_time (w->touch, row[w->table->time_column], err) ||
                    !mt_touch_ahead (w->touch, err)))
      return false;
   mt_note_row (w->st->session);
   return mt_writer_add (w->writer, row, err);
}

/* Packs the added rows into documents and writes them, then checks the uniqueness of their keys.
 * *written receives the statistics of the new documents. */
static bool pack_rows (MtWriteStep *w, MtStoreStats ***written, MtError *err)
{
   return mt_writer_finish (w->writer, w->st->arena, written, err) &&
          mt_check_unique (w->st, w->table, w->bounds, err);
}

/* Finishes the writer, and saves the table's statistics. Two kinds of statements save nothing:
 * those that only increment counters, and short statements on a server (mt_write_confirm). Their
 * statistics are saved by the next change of the table, or at the end of the session. */
static bool finish_and_save (MtWriteStep *w, MtError *err)
{
   MtCatalog *catalog = w->st->session->catalog;
   MtStoreStats **written;
   const MtTable *t = w->table, *now;
   if (!mt_touch_save (w->touch, err) || !pack_rows (w, &written, err) ||
       !mt_write_confirm (w->st, t, &now, err))
      return false;
   bool only_counts = now || mt_engine_only_increments (w->st->session->engine);
   if (only_counts && mt_catalog_count (catalog, now ? now : t, written))
      return true;
   MtTable next = mt_table_with_stats (w->st->arena, now ? now : t, w->only, written);
   return only_counts ? mt_catalog_save_ahead (catalog, now ? now : t, &next, err)
                      : mt_catalog_grow (catalog, t, &next, err);
}

bool mt_write_finish (MtWriteStep *w, MtTable *out, MtError *err)
{
   MtStoreStats **written;
   if (!pack_rows (w, &written, err) ||
       !mt_partitions_look (w->st->session->engine, &w->table, 1, err))
      return false;
   *out = mt_table_with_stats (w->st->arena, w->table, w->only, written);
   return true;
}

void mt_write_close (MtWriteStep *w)
{
   mt_writer_close (w->writer);
   w->writer = NULL;
}

/* Returns the names of the collections that a statement may have written to, ended by a NULL. Empty
 * if the engine writes atomically. Errors are ignored. */
static const char *const *written_collections (MtStatement *st, const MtTable *t)
{
   MtError ignored;
   size_t n = 0, count;
   const char **out = MT_NEW (st->arena, const char *);
   if (mt_engine_caps (st->session->engine)->atomic_write ||
       !mt_partitions_look (st->session->engine, &t, 1, &ignored))
      return out;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count && !t->layouts[i].attached; j++) {
         const char *const *names = mt_store_collections_of (st->arena, &t->layouts[i].stores[j],
                                                             &count);
         const char **more = MT_NEW_N (st->arena, const char *, n + count + 1);
         memcpy (more, out, n * sizeof *more);
         for (size_t k = 0; k < count; k++)
            more[n++] = mt_strdup (st->arena, names[k]);
         out = more;
      }
   return out;
}

/* Drops empty collections that no table owns. A server creates such a collection if the statement
 * writes after another client dropped the collection. */
static void drop_unowned (MtStatement *st, const char *const *names)
{
   MtSession *s = st->session;
   const bson_t all = BSON_INITIALIZER;
   const char *first;
   MtError ignored;
   bool attached;
   uint64_t n;
   if (!*names || !mt_catalog_refresh (s->catalog, NULL, &ignored))
      return;
   for (; *names; names++) {
      if (!mt_collection_owner (s, *names, &attached) &&
          mt_count_matching (st, *names, &all, &n, &first, &ignored) &&
          !n) /* the count in a server's statistics may be out of date */
         mt_engine_drop_collection (s->engine, *names, &ignored);
   }
}

/* If the error is that a document of several records exists already, because another client created
 * it after this statement had searched for it, marks the error so that the statement runs again and
 * adds to that document. */
static void tell_of_another (MtStatement *st, const MtTable *t, MtError *err)
{
   MtEngine *e = st->session->engine;
   bool merges = false, keyed = false;
   if (err->topic != MT_TOPIC_ID || mt_engine_caps (e)->increment_bytes != SIZE_MAX)
      return;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++) {
         const MtStoreDesc *s = &t->layouts[i].stores[j];
         bool rows = mt_store_is_rows (s), own = s->id_count || mt_root_binds_id (s);
         keyed |= rows && own;
         merges |= !rows && !s->repeats && own;
      }
   if (keyed || !merges)
      return;
   mt_error_outrun (err);
   mt_error_hint (
      err, "Another client created the same document of table \"%s\". Run the statement again.",
      t->name);
   if (st->stmt->kind == MT_STMT_INSERT)
      mt_note_outrun (st->session);
}

bool mt_write_step (MtStatement *st, const MtTable *t, MtFeed feed, void *ctx, MtError *err)
{
   MtSession *s = st->session;
   MtWriteStep w = {0};
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only",
                       t->name);
   const char *name = mt_strdup (st->arena, t->name);
   int64_t made = t->made, version = t->version;
   size_t layouts = t->layout_count;
   if (!mt_table_step_begin (st, t, err))
      return false;
   bool announced = mt_has_intents (s);
   bool ok = mt_write_ahead (st, t, err) && mt_write_open (st, t, NULL, &w, err);
   if (ok) {
      ok = mt_touch_open (st, t, &w.touch, err) && feed (ctx, &w, err) && finish_and_save (&w, err);
      mt_write_close (&w);
   }
   if (ok && mt_step_commit (s, err))
      return true;
   mt_engine_sent (s->engine, err);
   const char *const *written = written_collections (st, t);
   mt_step_rollback (s);
   tell_of_another (st, t, err);
   mt_key_refused_row (st, t, w.only_row, err);
   if (mt_error_is (err, MT_E_SERIALIZATION)) {
      drop_unowned (st, written);
      if (!announced)
         mt_write_ambiguous (s, name, made, version, layouts, err);
   }
   return false;
}

/* ---- filling a new layout from the others ---- */

static MtQuery *all_rows (MtArena *a, const MtTable *t)
{
   MtQuery *q = MT_NEW (a, MtQuery);
   q->rel = (MtRel) {
      .kind = MT_REL_TABLE, .alias = t->name, .table = t, .column_count = (int) t->column_count};
   q->rel.columns = MT_NEW_N (a, MtRelColumn, t->column_count);
   q->targets = MT_NEW_N (a, MtTargetX, t->column_count);
   for (size_t i = 0; i < t->column_count; i++) {
      MtX *x = MT_NEW (a, MtX);
      *x = (MtX) {.kind = MT_X_COLUMN,
                  .type = t->columns[i].type,
                  .nullable = !t->columns[i].not_null,
                  .finite = true,
                  .span = MT_NO_SPAN,
                  .column = (int) i};
      q->targets[i] = (MtTargetX) {t->columns[i].name, x};
      q->rel.columns[i] = mt_rel_column_stored (&t->columns[i]);
   }
   q->target_count = q->visible_count = (int) t->column_count;
   q->limit = -1;
   return q;
}

static bool copy_all_rows (MtStatement *st, const MtTable *from, MtWriteStep *w, MtError *err)
{
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   MtPlan *plan;
   settings.layout = settings.cut = NULL;
   if (!mt_plan_query (st->arena, all_rows (st->arena, from), &settings, &plan, err))
      return false;
   MtArena *row_arena = mt_arena_new ("row", st->arena);
   MtResult *r = mt_result_new (st->session, mt_arena_new ("fill", NULL));
   bool more = true, ok = mt_result_run (r, plan, false, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      for (size_t i = 0; i < r->column_count && ok; i++)
         ok = mt_value_normalize (row_arena, r->columns[i].type, r->values[i], &r->values[i], err);
      ok = ok && mt_writer_add (w->writer, r->values, err);
      mt_arena_reset (row_arena);
   }
   mt_result_free (r);
   return ok;
}

bool mt_fill_layout (MtStatement *st, const MtTable *from, MtTable *to, size_t layout, MtError *err)
{
   bool *only = MT_NEW_N (st->arena, bool, to->layout_count + 1);
   MtWriteStep w;
   only[layout] = true;
   if (!mt_write_open (st, to, only, &w, err))
      return false;
   bool ok = copy_all_rows (st, from, &w, err) && mt_write_finish (&w, to, err);
   mt_write_close (&w);
   return ok;
}

/* Returns the name of a store's collection for EXPLAIN. For a partitioned store it is a pattern
 * such as base_YYYY_MM: which partitions are written is not known before the rows. */
static const char *shown_collection (MtArena *a, const MtStoreDesc *s)
{
   if (!s->parts)
      return s->collection;
   return mt_printf (a, "%s_%s", s->collection,
                     s->parts->unit == MT_UNIT_DAY ? "YYYY_MM_DD" : "YYYY_MM");
}

void mt_plan_stores (MtStatement *st, const MtTable *t, const char *how, MtWritePlan *out)
{
   size_t n = 0;
   for (size_t i = 0; i < t->layout_count; i++)
      n += t->layouts[i].store_count;
   out->table = t->name;
   out->commit = mt_commit_promise (st, t);
   out->stores = MT_NEW_N (st->arena, MtStorePlan, n + 1);
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++) {
         const MtStoreDesc *s = &t->layouts[i].stores[j];
         const char *what = how ? how
                                : mt_how_rows_are_added (st->arena, t, s, &t->layouts[i],
                                                         mt_engine_caps (st->session->engine));
         out->stores[out->store_count++] = (MtStorePlan) {
            t->layouts[i].name, shown_collection (st->arena, s), what, NULL};
      }
}

/* ---- columns ---- */

/* Keeps the error of a column's default in out->refused, and clears *err. The error is reported
 * only if a row needs this default. */
static void refuse_default (MtStatement *st, MtDefaults *out, size_t column, MtError *err)
{
   MtError *why = MT_NEW (st->arena, MtError);
   *why = *err;
   why->span = MT_NO_SPAN;
   *err = (MtError) {.span = MT_NO_SPAN};
   out->refused[column] = why;
   out->values[column] = mt_v_missing ();
}

bool mt_table_defaults (MtStatement *st, const MtTable *t, MtDefaults *out, MtError *err)
{
   size_t n = t->column_count + 1;
   *out = (MtDefaults) {.st = st,
                        .values = MT_NEW_N (st->arena, MtVal, n),
                        .own = MT_NEW_N (st->arena, const MtX *, n),
                        .refused = MT_NEW_N (st->arena, const MtError *, n)};
   for (size_t i = 0; i < t->column_count; i++) {
      const MtColumn *c = &t->columns[i];
      MtExpr *e;
      MtX *x;
      out->values[i] = mt_v_null ();
      if (!c->default_sql)
         continue;
      if (!mt_parse_default (st, c, &e, err))
         return false;
      if (!mt_bind_expr (st->arena, &st->env, e, c->type, &x, err)) {
         if (!st->env.changed || !mt_error_is (err, MT_E_FEATURE))
            return false;
         refuse_default (st, out, i, err);
         out->count = t->column_count;
      } else if (x->is_volatile) {
         out->own[i] = x;
         out->values[i] = mt_v_missing ();
         out->count = t->column_count;
      } else if (!mt_eval_const (st->arena, x, &st->env, &out->values[i], err))
         return false;
   }
   return true;
}

bool mt_row_defaults (const MtDefaults *d, MtArena *a, MtVal *row, MtError *err)
{
   for (size_t i = 0; i < d->count; i++)
      if (d->refused[i] && row[i].type == MT_MISSING) {
         *err = *d->refused[i];
         return false;
      } else if (d->own[i] && row[i].type == MT_MISSING &&
                 !mt_eval_const (a, d->own[i], &d->st->env, &row[i], err))
         return false;
   return true;
}

/* ---- statistics on demand ---- */

static bool analyze_layout (MtStatement *st, const MtTable *t, MtLayout *l, MtError *err)
{
   MtLayoutStats found;
   if (!mt_layout_analyze (st->session->engine, t, l, st->arena, &found, err))
      return false;
   if (found.malformed)
      mt_notice (st->session, "WARNING", NULL,
                 "%llu document%s of another shape than layout \"%s\"",
                 (unsigned long long) found.malformed, found.malformed == 1 ? " is" : "s are",
                 l->name);
   for (size_t i = 0; i < l->store_count && l->stats && !l->attached;
        i++) { /* a scan cannot find NULLs in stored sums */
      found.stores[i].nulls = l->stats[i].nulls;
      found.stores[i].null_columns = l->stats[i].null_columns;
   }
   l->stats = found.stores;
   return true;
}

bool mt_analyze (MtStatement *st, const MtTable *t, MtError *err)
{
   MtTable next = *t;
   next.layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   memcpy (next.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   for (size_t i = 0; i < t->layout_count; i++)
      if (!analyze_layout (st, t, &next.layouts[i], err))
         return false;
   return mt_catalog_save (st->session->catalog, &next, NULL, err);
}

/* Finds the table that ANALYZE names. *out NULL: it is a system table, which has no statistics. */
static bool analyzed_table (MtStatement *st, const MtTable **out, MtError *err)
{
   const MtName *schema = &st->stmt->maintain.schema, *name = &st->stmt->maintain.table;
   if (!mt_find_table (st->session, schema, name, out, err))
      return false;
   if (*out || mt_is_system (schema, name))
      return true;
   return schema->text ? mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE,
                                      "relation \"%s.%s\" does not exist", schema->text, name->text)
                       : mt_need_table (st, name, out, err);
}

bool mt_run_analyze (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "ANALYZE");
   const MtTable *t;
   if (st->stmt->maintain.table.text)
      return analyzed_table (st, &t, err) &&
             (!t ||
              (mt_check_columns (t, st->stmt->maintain.columns, err) && mt_analyze (st, t, err)));
   size_t n;
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &n);
   const MtTable **copy = MT_NEW_N (st->arena, const MtTable *, n + 1);
   memcpy (copy, all, n * sizeof *copy);
   for (size_t i = 0; i < n; i++)
      if (!mt_analyze (st, copy[i], err))
         return false;
   return true;
}
