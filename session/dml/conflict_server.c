/* INSERT … ON CONFLICT on a server, which has no writer's lock. A unique index finds the existing
 * rows. An existing row is replaced only if no client has changed it since the new values were
 * computed; otherwise the row is tried again. So no key is inserted twice, and no change of another
 * client is lost. The table must have one layout, whose records are documents of their own. */
#include "layouts/read/patch.h"
#include "layouts/stats.h"
#include "layouts/read/decode.h"
#include "engine/pipe.h"
#include "session/coordinate/coordinate.h"
#include "session/core/checks.h"
#include "session/core/core.h"
#include "session/dml/conflict.h"
#include "session/dml/dml.h"

#include <string.h>

enum { CHUNK = 256, ROUNDS = 1000 };

/* ---- supported tables ---- */

static bool report_unsupported (const MtStatement *st, MtError *err, const char *hint)
{
   mt_error_at (err, st->stmt->insert.conflict->span, MT_E_FEATURE,
                "ON CONFLICT is not supported for this table on a server");
   return mt_error_hint (err, "%s", hint);
}

/* Returns whether the index, a document of listIndexes, has exactly the given fields, in any order,
 * and no partial filter. */
static bool has_fields (const bson_iter_t *index, const char *const *fields, size_t count)
{
   bson_iter_t it, key;
   size_t n = 0;
   if (!bson_iter_recurse (index, &it) || bson_iter_find (&it, "partialFilterExpression"))
      return false;
   bson_iter_recurse (index, &it);
   if (!bson_iter_find (&it, "key") || !bson_iter_recurse (&it, &key))
      return false;
   for (; bson_iter_next (&key); n++) {
      bool found = false;
      for (size_t i = 0; i < count; i++)
         found |= strcmp (bson_iter_key (&key), fields[i]) == 0;
      if (!found)
         return false;
   }
   return n == count;
}

/* Returns whether `index` is the name of k, or of a key of t that has the same columns and
 * condition as k. */
static bool is_named (const MtTable *t, const MtTableKey *k, const char *index)
{
   for (size_t i = 0; i < t->unique_count; i++) {
      const MtTableKey *x = &t->keys[i];
      bool same = mt_same_columns (x, k) && x->nulls_equal == k->nulls_equal &&
                  (x->where == k->where ||
                   (x->where && k->where && strcmp (x->where->sql, k->where->sql) == 0));
      if (same && strcmp (index, x->name) == 0)
         return true;
   }
   return false;
}

/* Returns whether the index, a document of listIndexes, enforces key k. Another program may have
 * made the index of a PRIMARY KEY, so it is recognized by name or by its fields. */
static bool is_unique_index (const bson_iter_t *index, const MtTable *t, const MtTableKey *k,
                             const char *const *fields)
{
   bson_iter_t it;
   if (!bson_iter_recurse (index, &it) || !bson_iter_find (&it, "unique") ||
       !bson_iter_as_bool (&it))
      return false;
   bson_iter_recurse (index, &it);
   bool named = bson_iter_find (&it, "name") && BSON_ITER_HOLDS_UTF8 (&it) &&
                is_named (t, k, bson_iter_utf8 (&it, NULL));
   return named || (!k->where && has_fields (index, fields, k->count));
}

static bool has_unique_index (MtStatement *st, const MtTable *t, const MtTableKey *k,
                              const char *const *fields, bool *has, MtError *err)
{
   const char *collection = t->layouts[0].stores[0].collection;
   bson_t *list;
   bson_iter_t it;
   *has = false;
   if (!mt_engine_indexes (st->session->engine, st->arena, collection, &list, err))
      return false;
   for (bool more = bson_iter_init (&it, list) && bson_iter_next (&it); more && !*has;
        more = bson_iter_next (&it))
      *has = is_unique_index (&it, t, k, fields);
   return true;
}

static int *all_columns (MtArena *a, const MtTable *t)
{
   int *columns = MT_NEW_N (a, int, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++)
      columns[i] = (int) i;
   return columns;
}

/* Fails if no unique index of the server enforces key k. Each key needs one, because the server's
 * duplicate-key errors decide which rows are new. */
static bool check_key_index (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   const MtStoreDesc *d = &t->layouts[0].stores[0];
   const char *fields[MT_MAX_COLUMNS];
   bool has;
   if (!mt_key_fields (t, k, d, fields))
      return report_unsupported (
         st, err,
         "Another client could insert the same key at the same time: a unique index does not "
         "recognize all equal values of this key.");
   return has_unique_index (st, t, k, fields, &has, err) &&
          (has || report_unsupported (
                     st, err,
                     mt_printf (st->arena, "Collection \"%s\" has no unique index for key \"%s\".",
                                d->collection, k->name)));
}

bool mt_conflict_check_server (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtStoreDesc *d = &t->layouts[0].stores[0];
   if (!t->unique_count)
      return true;
   if (mt_engine_in_txn (st->session->engine))
      return report_unsupported (
         st, err,
         "Run it outside a transaction block: a key that another client inserts at the same time "
         "would end the whole transaction.");
   if (d->parts)
      return report_unsupported (
         st, err,
         "Another client could insert the same key into another partition at the same time.");
   if (t->layout_count != 1 || t->layouts[0].store_count != 1 || !mt_store_is_rows (d))
      return report_unsupported (
         st, err,
         "Use a table with the layout rows only: its unique index prevents other clients from "
         "inserting the same key.");
   if (!mt_can_patch (t, d, all_columns (st->arena, t), t->column_count))
      return report_unsupported (st, err, "Rows of this layout can't be changed in place.");
   for (size_t i = 0; i < t->unique_count; i++)
      if (!check_key_index (st, t, &t->keys[i], err))
         return false;
   return true;
}

/* ---- the state of the statement ---- */

typedef struct Upsert {
   MtConflictRows *c;
   MtStatement *st;
   const MtTable *t;
   const MtLayout *l;
   const MtStoreDesc *d;
   MtWriter *writer; /* used only to check rows */
   MtChange set;     /* the columns that DO UPDATE changes */
   MtTarget *values;
   MtArbiter *arbiter;  /* the arbiter of DO UPDATE; DO NOTHING: the first arbiter */
   bool only;           /* all keys are arbiters: a refused row conflicts with one of them */
   const char **fields; /* the names of the top-level fields of a row's document */
   size_t field_count;
   int *all;
   MtStoreStats added;
   MtSpool *again; /* rows to try again in the next round */
   size_t again_count;
} Upsert;

/* A batch of the rows, which are written together. */
typedef struct Chunk {
   MtArena *a;
   MtVal *rows[CHUNK];  /* the rows to insert */
   bson_t *docs[CHUNK]; /* the rows as documents, without _id */
   bool refused[CHUNK];
   bson_t *old[CHUNK]; /* the existing document with the row's key; NULL: none */
   MtVal *old_rows[CHUNK];
   size_t count;
} Chunk;

static bool retry_later (Upsert *u, const MtVal *row, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_row_write (row, u->t->column_count, &doc, err) &&
             mt_spool_add (u->again, &doc, err);
   bson_destroy (&doc);
   u->again_count++;
   return ok;
}

/* ---- new rows ---- */

static bool fill_chunk (Upsert *u, MtSpool *from, Chunk *x, MtError *err)
{
   size_t width = u->t->column_count;
   const bson_t *doc = NULL, none = BSON_INITIALIZER;
   MtVal *row = MT_NEW_N (x->a, MtVal, width + 1);
   x->count = 0;
   while (x->count < CHUNK) {
      if (!mt_spool_next (from, &doc, err))
         return false;
      if (!doc)
         return true;
      mt_row_read (doc, width, row);
      MtVal *own = x->rows[x->count] = MT_NEW_N (x->a, MtVal, width + 1);
      for (size_t i = 0; i < width; i++)
         own[i] = mt_v_copy (x->a, row[i]);
      x->docs[x->count] = mt_doc_new (x->a);
      if (!mt_writer_check (u->writer, own, err) ||
          !mt_patch (u->t, u->d, &(MtRowPatch) {u->all, width, own}, &none, x->docs[x->count], err))
         return false;
      x->count++;
   }
   return true;
}

static bool count_new (Upsert *u, Chunk *x, size_t i, MtError *err)
{
   MtRecords records;
   u->c->affected++;
   if (!mt_decode_records (x->a, &(MtTableStore) {u->t, u->l, u->d}, mt_v_doc (x->docs[i]),
                           &records, err))
      return false;
   mt_stats_add (u->st->arena, u->d, &u->added, &records.seen);
   return mt_returning_add (u->c->returning, x->rows[i], err);
}

static bool insert_chunk (Upsert *u, Chunk *x, MtError *err)
{
   bool ok = mt_engine_insert_absent (u->st->session->engine, u->d->collection,
                                      (const bson_t *const *) x->docs, x->count, x->refused, err);
   for (size_t i = 0; i < x->count && ok; i++)
      ok = x->refused[i] || count_new (u, x, i, err);
   return ok;
}

/* ---- existing rows ---- */

/* Appends {field: {$eq: value}, …} with the key values of document `doc` to a $match, and the
 * partial filter of the key's index. */
static bool add_key_condition (const Upsert *u, const MtTableKey *k, const bson_t *doc, MtBson *to,
                               MtError *err)
{
   const char *fields[MT_MAX_COLUMNS];
   bson_t filter = BSON_INITIALIZER;
   bool ok = mt_key_fields (u->t, k, u->d, fields) && mt_key_filter (u->t, k, u->d, &filter, err);
   for (size_t i = 0; i < k->count && ok; i++) {
      MtVal v = mt_path_get (mt_v_doc (doc), fields[i]);
      v = v.type == MT_MISSING ? mt_v_null () : v;
      mt_bson_printf (to, "%s: {$eq: %p}", fields[i], (void *) &v);
   }
   MtVal and = mt_doc_field (mt_v_doc (&filter), "$and");
   if (ok && and.type == MT_ARRAY)
      mt_bson_put (to, "$and", and);
   bson_destroy (&filter);
   return ok;
}

/* Sets *out to the pipeline [{$match: {$or: [{key: {$eq: …}}, …]}}] that finds the existing
 * documents with the keys of the refused rows; NULL: no refused row can have one. only: the index
 * of the one row to search for; -1: all refused rows. */
static bool existing_pipeline (const Upsert *u, MtArbiter *b, const Chunk *x, int only,
                               bson_t **out, MtError *err)
{
   MtBson to = {0};
   uint32_t n = 0;
   bool ok = true, counts;
   mt_bson_start (&to);
   size_t stage = mt_bson_doc_at (&to, 0), match = mt_bson_doc (&to, "$match"),
          any = mt_bson_array (&to, "$or");
   for (size_t i = 0; i < x->count && ok; i++) {
      if (!x->refused[i] || (only >= 0 && (size_t) only != i))
         continue;
      ok = mt_arbiter_counts (u->c, b, x->rows[i], &counts, err);
      if (!ok || !counts)
         continue;
      size_t one = mt_bson_doc_at (&to, n++);
      ok = add_key_condition (u, b->key, x->docs[i], &to, err);
      mt_bson_end (&to, one);
   }
   mt_bson_end (&to, any);
   mt_bson_end (&to, match);
   mt_bson_end (&to, stage);
   bson_t *pipeline = mt_doc_new (x->a);
   mt_bson_finish_into (&to, pipeline);
   *out = n ? pipeline : NULL;
   return ok;
}

static MtVal *key_and_number (const Upsert *u, Chunk *x, const MtVal *row, int32_t number)
{
   const MtTableKey *k = u->arbiter->key;
   MtVal *key = MT_NEW_N (x->a, MtVal, k->count + 2);
   for (size_t i = 0; i < k->count; i++)
      key[i] = mt_is_nullish (row[k->columns[i]]) ? mt_v_null () : row[k->columns[i]];
   key[k->count] = mt_v_int32 (number);
   return key;
}

static bool keep_existing (Upsert *u, Chunk *x, const MtRowMap *map, const bson_t *doc,
                           MtError *err)
{
   MtVal copy = mt_v_copy (x->a, mt_v_doc (doc));
   MtRecords found;
   if (!mt_decode_records (x->a, &(MtTableStore) {u->t, u->l, u->d}, copy, &found, err))
      return false;
   const MtVal *number = found.count == 1
                            ? mt_row_map_find (map, key_and_number (u, x, found.rows[0], 0))
                            : NULL;
   if (number) {
      bson_t *old = mt_doc_new (x->a);
      bson_concat (old, doc);
      x->old[number->i] = old;
      x->old_rows[number->i] = found.rows[0];
   }
   return true;
}

/* Reads the existing documents that have the arbiter's keys of the refused rows, into x->old. */
static bool read_existing (Upsert *u, Chunk *x, MtError *err)
{
   MtRowMap *map = mt_row_map_new (x->a, u->arbiter->key->count, 1, true);
   const bson_t *doc;
   bson_t *pipeline;
   MtCursor *cursor;
   memset (x->old, 0, sizeof x->old);
   if (!existing_pipeline (u, u->arbiter, x, -1, &pipeline, err))
      return false;
   if (!pipeline)
      return true;
   for (size_t i = 0; i < x->count; i++)
      if (x->refused[i])
         mt_row_map_keep (map, key_and_number (u, x, x->rows[i], (int32_t) i));
   MtAggregateArgs args = {.collection = u->d->collection, .pipeline = pipeline};
   if (!mt_engine_aggregate (u->st->session->engine, &args, &cursor, err))
      return false;
   bool ok;
   while ((ok = mt_cursor_next (cursor, &doc, err)) && doc)
      if (!(ok = keep_existing (u, x, map, doc, err)))
         break;
   mt_cursor_free (cursor);
   return ok;
}

/* ---- new values of existing rows ---- */

#define ROW_NUMBER "?row?"

static MtExpr *number_of (MtStatement *st, const char *table)
{
   static const MtColumn column = {.name = ROW_NUMBER};
   return mt_qualified_column (st, table, &column);
}

/* Returns the query that computes the new values of existing rows: SELECT number, condition, values
 * … FROM (VALUES …) t, (VALUES …) excluded WHERE t.number = excluded.number. Row numbers pair each
 * existing row with the row to insert. */
static MtSelect *select_values (Upsert *u, Chunk *x, MtParams *p)
{
   MtStatement *st = u->st;
   const MtOnConflict *said = st->stmt->insert.conflict;
   const char *name = st->stmt->insert.alias.text ? st->stmt->insert.alias.text : u->t->name;
   MtConflictValues old, given;
   mt_conflict_values (st, u->t, name, ROW_NUMBER, &old);
   mt_conflict_values (st, u->t, "excluded", ROW_NUMBER, &given);
   for (size_t i = 0; i < x->count; i++)
      if (x->refused[i] && x->old[i]) {
         mt_conflict_value (&old, p, x->old_rows[i], (int32_t) i);
         mt_conflict_value (&given, p, x->rows[i], (int32_t) i);
      }
   MtTarget *number = MT_NEW (st->arena, MtTarget), *condition = MT_NEW (st->arena, MtTarget);
   MtExpr *yes = MT_NEW (st->arena, MtExpr), *same = MT_NEW (st->arena, MtExpr);
   *yes = (MtExpr) {.kind = MT_EXPR_BOOL, .span = st->stmt->span, .boolean = true};
   number->expr = number_of (st, name);
   condition->expr = said->where ? said->where : yes;
   number->next = condition;
   condition->next = u->values;
   *same = (MtExpr) {.kind = MT_EXPR_OPERATOR, .span = st->stmt->span};
   same->op.op = "=";
   same->op.op_span = same->span;
   same->op.left = number_of (st, name);
   same->op.right = number_of (st, "excluded");
   MtSelect *select = mt_rows_select (st, u->t, NULL, number, same);
   select->plain.from = old.from;
   old.from->next = given.from;
   return select;
}

static bool bind_values (Upsert *u, Chunk *x, MtPlan **out, MtError *err)
{
   static const MtColumn number = {.name = ROW_NUMBER, .type = {.id = MT_T_INT4}},
                         condition = {.name = "WHERE", .type = {.id = MT_T_BOOL}};
   MtStatement inner = *u->st;
   MtParams p;
   MtQuery *q;
   const MtColumn **columns = MT_NEW_N (u->st->arena, const MtColumn *, u->set.count + 3);
   columns[0] = &number;
   columns[1] = &condition;
   for (size_t i = 0; i < u->set.count; i++)
      columns[2 + i] = &u->t->columns[u->set.columns[i]];
   mt_conflict_params (u->st, 2 * x->count * (u->t->column_count + 1), &p);
   inner.env.params = &p;
   return mt_bind_assigned (u->st->arena, &inner.env, select_values (u, x, &p),
                            (MtAssignment) {columns, u->set.count + 2, NULL}, &q, err) &&
          mt_plan_bound (&inner, q, out, err);
}

static bool replace_row (Upsert *u, Chunk *x, size_t i, const MtVal *values, MtError *err)
{
   size_t width = u->t->column_count;
   MtVal *row = MT_NEW_N (x->a, MtVal, width + 1);
   bson_t *doc = mt_doc_new (x->a);
   bool replaced;
   memcpy (row, x->old_rows[i], width * sizeof *row);
   for (size_t k = 0; k < u->set.count; k++) {
      MtVal v;
      if (!mt_value_normalize (x->a, u->t->columns[u->set.columns[k]].type, values[k], &v, err))
         return false;
      row[u->set.columns[k]] = mt_v_copy (x->a, v);
   }
   MtReplaceSame r = {.collection = u->d->collection,
                      .old = x->old[i],
                      .doc = doc,
                      .fields = u->fields,
                      .field_count = u->field_count};
   if (!mt_check_constraints (u->st, u->t, row, err) || !mt_writer_check (u->writer, row, err) ||
       !mt_patch (u->t, u->d, &(MtRowPatch) {u->set.columns, u->set.count, row}, x->old[i], doc,
                  err) ||
       !mt_engine_replace_same (u->st->session->engine, &r, &replaced, err))
      return false;
   if (!replaced)
      return retry_later (u, x->rows[i], err);
   u->c->affected++;
   return mt_returning_add (u->c->returning, row, err);
}

/* Updates the existing rows of a chunk. Computes all new values before it writes the first row, so
 * that after an error less has to be undone. */
static bool update_chunk (Upsert *u, Chunk *x, MtError *err)
{
   MtPlan *plan;
   MtResult *r;
   bool more = true, any = false;
   for (size_t i = 0; i < x->count; i++)
      any |= x->refused[i] && x->old[i];
   if (!any)
      return true;
   if (!bind_values (u, x, &plan, err) || !mt_rows_of_plan (u->st, plan, &r, err))
      return false;
   size_t n = 0;
   MtVal **values = MT_NEW_N (x->a, MtVal *, x->count + 1);
   bool ok = true;
   while (ok && (ok = mt_result_next (r, &more, err)) && more && n < x->count) {
      if (r->values[1].type != MT_BOOL || !r->values[1].i)
         continue;
      values[n] = MT_NEW_N (x->a, MtVal, r->column_count + 1);
      for (size_t i = 0; i < r->column_count; i++)
         values[n][i] = mt_v_copy (x->a, r->values[i]);
      n++;
   }
   mt_result_free (r);
   for (size_t i = 0; i < n && ok; i++)
      ok = replace_row (u, x, (size_t) values[i][0].i, values[i] + 2, err);
   return ok;
}

/* ---- rounds ---- */

/* Fails with 23505 if the refused row `row` has the same key as an existing row in a key that is
 * not the arbiter. */
static bool check_others (Upsert *u, Chunk *x, size_t row, MtError *err)
{
   for (size_t i = 0; i < u->t->unique_count && !u->only; i++) {
      MtArbiter other = {.key = &u->t->keys[i]};
      const bson_t *doc;
      bson_t *pipeline;
      MtCursor *cursor;
      if (other.key->where && !mt_check_bind (u->st, u->t, other.key->where, &other.where, err))
         return false;
      if (other.key == u->arbiter->key ||
          (existing_pipeline (u, &other, x, (int) row, &pipeline, err) && !pipeline))
         continue;
      if (mt_error_is_set (err))
         return false;
      MtAggregateArgs args = {.collection = u->d->collection, .pipeline = pipeline};
      if (!mt_engine_aggregate (u->st->session->engine, &args, &cursor, err))
         return false;
      bool ok = mt_cursor_next (cursor, &doc, err), found = ok && doc;
      mt_cursor_free (cursor);
      if (found) {
         MtVal *values = MT_NEW_N (x->a, MtVal, other.key->count + 1);
         for (size_t k = 0; k < other.key->count; k++)
            values[k] = x->rows[row][other.key->columns[k]];
         return mt_report_duplicate (u->st, u->t, other.key, values, err);
      }
      if (!ok)
         return false;
   }
   return true;
}

/* Updates or ignores the existing rows of a chunk. A refused row without an existing row either
 * conflicts with another key, which is an error, or another client has deleted the existing row, so
 * it is tried again. */
static bool settle_refused (Upsert *u, Chunk *x, bool updates, MtError *err)
{
   if (!updates && u->only)
      return true;
   if (!read_existing (u, x, err) || (updates && !update_chunk (u, x, err)))
      return false;
   for (size_t i = 0; i < x->count; i++)
      if (x->refused[i] && !x->old[i] &&
          (!check_others (u, x, i, err) || !retry_later (u, x->rows[i], err)))
         return false;
   return true;
}

static bool run_round (Upsert *u, MtSpool *rows, MtError *err)
{
   bool updates = u->st->stmt->insert.conflict->updates, ok = mt_spool_rewind (rows, err);
   Chunk *x = MT_NEW (u->st->arena, Chunk);
   u->again = mt_spool_new (u->st->arena);
   u->again_count = 0;
   x->a = mt_arena_new ("conflicting rows", u->st->arena);
   do {
      ok = ok && fill_chunk (u, rows, x, err) && insert_chunk (u, x, err) &&
           settle_refused (u, x, updates, err);
      mt_arena_reset (x->a);
   } while (ok && x->count == CHUNK);
   mt_arena_free (x->a);
   return ok;
}

static bool run_rounds (Upsert *u, MtError *err)
{
   MtSpool *rows = u->c->rows;
   for (int i = 0; i < ROUNDS; i++) {
      if (!run_round (u, rows, err))
         return false;
      if (u->again_count == 0)
         return mt_returning_end (u->c->returning, err);
      rows = u->again;
   }
   return mt_error_outrun (err);
}

static void name_fields (Upsert *u)
{
   MtArena *a = u->st->arena;
   u->fields = MT_NEW_N (a, const char *, u->t->column_count + 1);
   for (size_t i = 0; i < u->t->column_count; i++) {
      const char *path = mt_row_field (u->d, (int) i), *dot = path ? strchr (path, '.') : NULL;
      if (path)
         u->fields[u->field_count++] = dot ? mt_printf (a, "%.*s", (int) (dot - path), path) : path;
   }
}

/* Adds the inserted rows to the table's statistics, and saves them. */
static bool save_statistics (Upsert *u, MtError *err)
{
   MtArena *a = u->st->arena;
   MtTable next = *u->t;
   MtStoreStats **written, *stats = MT_NEW (a, MtStoreStats);
   if (!mt_writer_finish (u->writer, a, &written, err))
      return false;
   *stats = (MtStoreStats) {0};
   if (u->l->stats)
      mt_stats_add (a, u->d, stats, &u->l->stats[0]);
   mt_stats_add (a, u->d, stats, &u->added);
   mt_stats_add (a, u->d, stats, &written[0][0]);
   next.layouts = MT_NEW (a, MtLayout);
   *next.layouts = *u->l;
   if (!mt_is_uncounted (u->l))
      next.layouts->stats = stats;
   return u->c->affected == 0 || mt_catalog_grow (u->st->session->catalog, u->t, &next, err);
}

/* Marks as stale the buckets of continuous views that contain the times of the rows. If the key
 * lacks the time, an existing row can have any time, so all buckets are marked. */
static bool touch_rows (Upsert *u, MtTouch **out, MtError *err)
{
   MtConflictRows *c = u->c;
   int time = u->t->time_column;
   const bson_t *doc;
   if (!mt_touch_open (u->st, u->t, out, err))
      return false;
   if (!*out)
      return true;
   bool moves = !mt_in_key (u->arbiter->key->columns, u->arbiter->key->count, time), ok = true;
   for (size_t i = 0; i < u->set.count; i++)
      moves = moves || u->set.columns[i] == time;
   if (moves && u->st->stmt->insert.conflict->updates)
      return mt_touch_all (*out, err) && mt_touch_save (*out, err);
   MtVal *row = MT_NEW_N (u->st->arena, MtVal, u->t->column_count + 1);
   ok = mt_spool_rewind (c->rows, err);
   while (ok && (ok = mt_spool_next (c->rows, &doc, err)) && doc) {
      mt_row_read (doc, u->t->column_count, row);
      ok = mt_touch_time (*out, row[time], err);
   }
   return ok && mt_touch_save (*out, err) && mt_spool_rewind (c->rows, err);
}

bool mt_conflict_write_server (MtConflictRows *c, MtReturning *returning, MtError *err)
{
   MtStatement *st = c->st, inner = *st;
   MtSession *s = st->session;
   Upsert u = {.c = c,
               .st = st,
               .t = c->table,
               .l = &c->table->layouts[0],
               .d = &c->table->layouts[0].stores[0],
               .arbiter = &c->arbiters[0],
               .only = c->arbiter_count == c->table->unique_count};
   MtStmt *update;
   c->returning = returning;
   if (!mt_conflict_update (st, c->table, &update, err))
      return false;
   inner.stmt = update;
   u.set = (MtChange) {.st = &inner, .table = c->table, .verb = "UPDATE", .update = true};
   u.all = all_columns (st->arena, c->table);
   name_fields (&u);
   if (!mt_change_targets (&u.set, &u.values, err) || !mt_table_step_begin (st, u.t, err))
      return false;
   MtWriterOptions o = {.cancel = &s->cancel, .progress = &s->progress};
   bool ok = mt_writer_open (s->engine, u.t, &o, &u.writer, err);
   MtTouch *touch;
   if (ok) {
      ok = touch_rows (&u, &touch, err) && run_rounds (&u, err) && mt_touch_confirm (touch, err) &&
           save_statistics (&u, err);
      mt_writer_close (u.writer);
   }
   if (ok && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   mt_key_refused (st, u.t, err);
   return false;
}
