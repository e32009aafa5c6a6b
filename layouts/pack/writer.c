/* The writer: checks rows, collects them in the chunk in memory, and writes sorted runs to disk
 * when the chunk is full. At the end, the builders make the documents from them. */
#include "base/memory.h"
#include "layouts/cell_state.h"
#include "layouts/collections/collections.h"
#include "layouts/increments.h"
#include "layouts/pack/pack_int.h"
#include "layouts/pack/prealloc.h"
#include "layouts/stats.h"
#include "types/datetime.h"

#include <stdlib.h>
#include <string.h>

/* The state of one store into which the writer writes. */
typedef struct StoreW {
   const MtLayout *l;
   size_t layout, store;
   const MtStoreDesc *desc;
   MtBuilder *builder;
   bool rows;
   MtWriteWay *ways;
   size_t way_count;
   /* statistics of preallocated documents that were sent; some of them existed already */
   MtStoreStats sent;
} StoreW;

struct MtWriter {
   MtEngine *e;
   /* The table. If options.leaves, it has further columns after its own, for the counts of stored
    * sums: the number of records, and the number of values of each column. */
   const MtTable *t;
   size_t own_columns;
   MtArena *leaf; /* holds the values of the current leaf (mt_writer_add_leaf) */
   MtArena *a;
   MtWriterOptions o;
   MtSpill spill;
   StoreW *stores;
   size_t store_count;
   bool sorts; /* some store sorts its rows */
   MtColChunk *cols;
   MtVal *row; /* a copy of the row, with its time rounded down */
   uint32_t count, cap;
   size_t row_bytes;
   bool spilled;
   /* for each chunk whose dictionaries are kept (mt_col_keep): its columns */
   MtColChunk **kept;
   size_t kept_count, kept_bytes;
   bool torn; /* some stores have written a row that another store could not store */
   /* for each column: NULL is not allowed, because of its declaration or of a layout */
   bool *not_null;
   uint64_t *nulls; /* for each column: number of NULLs written */
   /* for each column of not_null: the name of the layout; NULL: the column is declared NOT NULL */
   const char **why;
   /* For each column: the name of a layout in which a sum of 0 means that there is no sample, so
    * that negative values are not allowed; NULL: none. */
   const char **counts;
   bool floors; /* times are rounded down to the table's period */
   bool any_time;
   int64_t min_time, max_time;
   uint64_t rows;
   /* number of documents that increments had created before the writer was opened */
   uint64_t made_before;
   bool hits; /* some store preallocates documents */
};

/* ---- ways ---- */

static void use_columns (MtWriter *w, const MtWriteWay *way)
{
   for (int i = 0; i < way->key_count; i++)
      w->cols[way->keys[i].column].used = true;
   for (int i = 0; i < way->pay_count; i++)
      w->cols[way->pay[i]].used = true;
}

static void forbid_null (MtWriter *w, int column, const MtLayout *l)
{
   if (!w->not_null[column])
      w->why[column] = l->name;
   w->not_null[column] = true;
}

/* Records in w->not_null the columns in which store s can't store NULL: keys, slots, parts of the
 * time, ids, and counters that are summed without a count. Records in w->counts the counters that
 * must not be negative. */
static void forbid_values (MtWriter *w, const MtLayout *l, const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->node_count; i++) {
      const MtNode *n = s->nodes[i];
      for (size_t k = 0; k < n->bind_count; k++)
         if (n->binds[k].from != MT_FROM_FIELD || n->binds[k].kind != MT_BIND_COLUMN)
            forbid_null (w, n->binds[k].column, l);
      if (mt_null_is_no_cell (n) && n->raw.present && !n->raw.many && n->raw.count == 1 &&
          !*n->raw.paths[0])
         forbid_null (w, n->raw.columns[0], l);
      for (size_t k = 0; l->keeps == MT_KEEPS_SUMS && k < n->agg.measure_count; k++) {
         const MtMeasureAgg *m = &n->agg.measures[k];
         bool bare = m->sum && !*m->sum; /* the cell is a single number, so it has no count */
         if (bare || (w->t->columns[m->column].counter && !m->nonnull))
            forbid_null (w, m->column, l);
      }
      for (size_t k = 0; n->agg.zero_is_absent && k < n->agg.measure_count; k++)
         if (w->t->columns[n->agg.measures[k].column].counter)
            w->counts[n->agg.measures[k].column] = l->name;
   }
   for (size_t i = 0; i < s->id_count; i++)
      if (!s->id[i].literal)
         forbid_null (w, s->id[i].bind.column, l);
   for (size_t i = 0; l->keeps == MT_KEEPS_LATEST && i < l->key_count; i++)
      forbid_null (w, l->key[i], l);
   if (l->keeps == MT_KEEPS_LATEST || s->timeseries || s->parts)
      forbid_null (w, w->t->time_column, l);
}

/* Returns whether the store's collection certainly exists, because the statistics have documents;
 * this saves a round trip. False for collections with unique indexes or time-series options, which
 * a new collection would lack if another client dropped it. */
static bool is_there (const MtWriter *w, const MtLayout *l, size_t store)
{
   const MtStoreStats *s = l->stats ? &l->stats[store] : NULL;
   return s && s->present && s->documents > 0 && !l->attached && !w->t->unique_count &&
          !l->stores[store].timeseries && !mt_engine_caps (w->e)->savepoints;
}

static bool open_store (MtWriter *w, size_t layout, size_t store, StoreW *sw, MtError *err)
{
   const MtLayout *l = &w->t->layouts[layout];
   const MtStoreDesc *s = &l->stores[store];
   *sw = (StoreW) {
      .l = l, .layout = layout, .store = store, .desc = s, .rows = mt_store_is_rows (s)};
   bool made;
   if (s->timeseries && !mt_engine_beside_transaction (w->e, err))
      return false;
   if (!s->parts && !is_there (w, l, store) &&
       !mt_store_make_collection (w->e, w->t, s, s->collection, &made, err))
      return false;
   MtBuildArgs args = {
      .e = w->e, .t = w->t, .l = l, .store = s, .cancel = w->o.cancel, .o = &w->o, .a = w->a};
   if (!mt_builder_new (&args, &sw->builder, err))
      return false;
   forbid_values (w, l, s);
   sw->sent = (MtStoreStats) {.present = true,
                              .nodes = MT_NEW_N (w->a, MtNodeStats, s->node_count)};
   w->hits |= w->o.prealloc && s->preallocate && mt_engine_caps (w->e)->increments;
   if (sw->rows)
      return true;
   w->sorts = true;
   const MtNode **leaves = MT_NEW_N (w->a, const MtNode *, s->node_count);
   sw->way_count = mt_store_leaves (s, leaves);
   sw->ways = MT_NEW_N (w->a, MtWriteWay, sw->way_count);
   for (size_t i = 0; i < sw->way_count; i++) {
      mt_way_make (w->a, w->t, s, leaves[i], &sw->ways[i]);
      if (w->o.leaves)
         mt_way_count_leaves (w->a, &sw->ways[i], w->own_columns, w->t->time_column);
      use_columns (w, &sw->ways[i]);
   }
   return true;
}

/* ---- opening a writer ---- */

static void size_chunk (MtWriter *w)
{
   size_t most_ways = 0;
   w->row_bytes = 0;
   for (size_t i = 0; i < w->t->column_count; i++)
      if (w->cols[i].used) {
         mt_col_init (&w->cols[i], &w->t->columns[i]);
         w->row_bytes += w->cols[i].dict_kind ? 4 : 8;
      }
   for (size_t i = 0; i < w->store_count; i++)
      most_ways = w->stores[i].way_count > most_ways ? w->stores[i].way_count : most_ways;
   w->row_bytes += sizeof (MtPair) * (most_ways + 1);
   size_t cap = w->spill.memory / w->row_bytes;
   if (cap < 64)
      cap = 64;
   w->cap = cap > INT32_MAX ? INT32_MAX : (uint32_t) cap;
}

static bool open_stores (MtWriter *w, MtError *err)
{
   size_t n = 0;
   for (size_t i = 0; i < w->t->layout_count; i++)
      n += w->t->layouts[i].store_count;
   w->stores = MT_NEW_N (w->a, StoreW, n);
   w->floors = true;
   for (size_t i = 0; i < w->t->layout_count; i++) {
      if (w->o.only && !w->o.only[i])
         continue;
      w->floors = w->floors && w->t->layouts[i].keeps == MT_KEEPS_SUMS;
      for (size_t j = 0; j < w->t->layouts[i].store_count; j++)
         if (!open_store (w, i, j, &w->stores[w->store_count++], err))
            return false;
   }
   return true;
}

/* Returns a copy of the table with additional columns for the counts of stored sums
 * (MtWriter.t). */
static const MtTable *with_counts (MtArena *a, const MtTable *t)
{
   MtTable *x = MT_NEW (a, MtTable);
   *x = *t;
   x->column_count = 2 * t->column_count + 1;
   x->columns = MT_NEW_N (a, MtColumn, x->column_count);
   memcpy (x->columns, t->columns, t->column_count * sizeof *x->columns);
   for (size_t i = t->column_count; i < x->column_count; i++)
      x->columns[i] = (MtColumn) {.name = "", .field = "", .type = mt_type (MT_T_INT8)};
   return x;
}

bool mt_writer_open (MtEngine *e, const MtTable *t, const MtWriterOptions *options, MtWriter **out,
                     MtError *err)
{
   MtArena *a = mt_arena_new ("writer", NULL);
   MtWriter *w = MT_NEW (a, MtWriter);
   *w = (MtWriter) {.e = e, .t = t, .a = a, .own_columns = t->column_count};
   if (options)
      w->o = *options;
   if (w->o.leaves) {
      w->t = t = with_counts (a, t);
      w->leaf = mt_arena_new ("leaf", a);
   }
   w->spill = (MtSpill) {.cancel = w->o.cancel,
                         .memory = w->o.memory ? w->o.memory : (size_t) 192 << 20};
   w->cols = MT_NEW_N (a, MtColChunk, t->column_count);
   w->row = MT_NEW_N (a, MtVal, t->column_count);
   w->not_null = MT_NEW_N (a, bool, t->column_count);
   w->nulls = MT_NEW_N (a, uint64_t, t->column_count);
   w->why = MT_NEW_N (a, const char *, t->column_count);
   w->counts = MT_NEW_N (a, const char *, t->column_count);
   for (size_t i = 0; i < t->column_count; i++)
      w->not_null[i] = t->columns[i].not_null;
   bool ok = open_stores (w, err);
   if (ok)
      size_chunk (w);
   else {
      for (size_t i = 0; i < t->column_count; i++)
         w->cols[i].used = false;
      mt_writer_close (w);
      return false;
   }
   *out = w;
   return true;
}

void mt_writer_close (MtWriter *w)
{
   if (!w)
      return;
   for (size_t i = 0; i < w->store_count; i++) {
      if (w->stores[i].builder)
         mt_builder_free (w->stores[i].builder);
      for (size_t k = 0; k < w->stores[i].way_count; k++)
         mt_way_close (&w->stores[i].ways[k]);
   }
   for (size_t k = 0; k <= w->kept_count; k++)
      for (size_t i = 0; i < w->t->column_count; i++)
         mt_col_free (k < w->kept_count ? &w->kept[k][i] : &w->cols[i]);
   free (w->kept);
   if (w->leaf)
      mt_arena_free (w->leaf);
   mt_arena_free (w->a);
}

/* ---- checking and adding rows ---- */

static bool null_error (const MtWriter *w, size_t c, MtError *err)
{
   if (!w->why[c])
      return mt_error (
         err, MT_E_NOT_NULL,
         "null value in column \"%s\" of relation \"%s\" violates not-null constraint",
         w->t->columns[c].name, w->t->name);
   return mt_error (err, MT_E_NOT_NULL,
                    "null value in column \"%s\" can't be kept by layout \"%s\"",
                    w->t->columns[c].name, w->why[c]);
}

/* Returns whether a value is infinity or -infinity of a time type, or an array with one. Dates in
 * jsonb or documents are not checked. */
static bool is_infinite (const MtColumn *c, MtVal v)
{
   if (v.type != MT_ARRAY)
      return v.type == MT_DATE && !mt_ts_is_finite (v.i);
   MtTypeId of = mt_type_element (c->type.id);
   bool found = false;
   if (of != MT_T_DATE && of != MT_T_TIMESTAMP && of != MT_T_TIMESTAMPTZ)
      return false;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   while (!found && mt_doc_next (&it, &key, &v))
      found = is_infinite (c, v);
   return found;
}

/* Checks a value of column c. An infinite time is an error, because pipelines would treat it as an
 * ordinary time. A negative count is an error if a sum of 0 would mean that there is no sample. */
static bool check_value (const MtWriter *w, size_t c, MtVal v, MtError *err)
{
   if (is_infinite (&w->t->columns[c], v)) {
      mt_error (err, MT_E_DATETIME_RANGE, "time in column \"%s\" is out of range",
                w->t->columns[c].name);
      return mt_error_hint (err,
                            "Stored times are finite. NULL can stand for a time that hasn't come.");
   }
   if (!w->counts[c] || !mt_is_number (v) || mt_v_compare_numbers (v, mt_v_int32 (0)) >= 0 ||
       mt_v_is_nan (v))
      return true;
   mt_error (err, MT_E_NUMERIC_RANGE,
             "negative value in column \"%s\" can't be kept by layout \"%s\"",
             w->t->columns[c].name, w->counts[c]);
   return mt_error_hint (
      err,
      "A COUNTER is added to, and never goes down: a sum of 0 means there that nothing happened.");
}

/* Checks that the time is in range. If it is no multiple of the table's period, rounds it down in
 * *v, or, if some layout keeps more than sums, sets error 22008. */
static bool fix_time (MtWriter *w, MtVal *v, MtError *err)
{
   const MtColumn *c = &w->t->columns[w->t->time_column];
   if (v->type != MT_DATE)
      return mt_is_nullish (*v) ? true : mt_writer_mistyped (c, *v, err);
   if (v->i < -INT64_C (210866803200000) || v->i > INT64_C (9224318016000000))
      return mt_error (err, MT_E_DATETIME_RANGE, "time in column \"%s\" is out of range", c->name);
   if (c->period_ms && v->i % c->period_ms) {
      if (!w->floors) {
         MtBuf text = {0};
         mt_timestamp_out (v->i, &text);
         bool seconds = c->period_ms % 1000 == 0;
         mt_error (err, MT_E_DATETIME_RANGE,
                   "time \"%s\" in column \"%s\" is not a multiple of the period of %lld %s",
                   text.p, c->name, (long long) (seconds ? c->period_ms / 1000 : c->period_ms),
                   seconds ? "s" : "ms");
         mt_buf_free (&text);
         return mt_error_hint (
            err,
            "Truncate it, for example with time_bucket; a table without PERIOD takes any time.");
      }
      v->i = mt_floor_div (v->i, c->period_ms) * c->period_ms;
   }
   w->min_time = !w->any_time || v->i < w->min_time ? v->i : w->min_time;
   w->max_time = !w->any_time || v->i > w->max_time ? v->i : w->max_time;
   w->any_time = true;
   return true;
}

static size_t chunk_bytes (const MtWriter *w)
{
   size_t n = (size_t) w->count * w->row_bytes;
   for (size_t i = 0; i < w->t->column_count; i++)
      n += w->cols[i].dict.used;
   return n;
}

/* The dictionaries of all spilled chunks together may have this share of the memory. */
#define KEPT_SHARE 8

/* Returns new columns for the chunk's dictionaries, if they are small enough to be kept; otherwise
 * NULL. */
static MtColChunk *room_to_keep (MtWriter *w)
{
   size_t bytes = 0;
   for (size_t i = 0; i < w->t->column_count; i++)
      bytes += w->cols[i].dict.used + sizeof (uint32_t) * w->cols[i].dict.count;
   if (w->kept_bytes + bytes > w->spill.memory / KEPT_SHARE)
      return NULL;
   w->kept_bytes += bytes;
   w->kept = mt_realloc ("writer", w->kept, (w->kept_count + 1) * sizeof *w->kept);
   return w->kept[w->kept_count++] = MT_NEW_N (w->a, MtColChunk, w->t->column_count);
}

static bool spill (MtWriter *w, MtError *err)
{
   MtChunkRows rows = {w->cols, w->count, room_to_keep (w)};
   bool ok = true;
   for (size_t i = 0; i < w->store_count; i++)
      for (size_t k = 0; ok && k < w->stores[i].way_count; k++)
         ok = mt_way_spill (&w->stores[i].ways[k], w->t, &rows, &w->spill, err);
   for (size_t i = 0; i < w->t->column_count; i++)
      if (rows.kept)
         mt_col_keep (&w->cols[i], &rows.kept[i]);
      else
         mt_col_reset (&w->cols[i]);
   w->count = 0;
   w->spilled = true;
   return ok;
}

/* Checks row *checked. If its time must be rounded down, *checked is set to w->row, the corrected
 * copy. */
static bool check_row (MtWriter *w, const MtVal **checked, MtError *err)
{
   const MtTable *t = w->t;
   const MtVal *row = *checked;
   for (size_t i = 0; i < t->column_count; i++) {
      if (!mt_is_nullish (row[i])) {
         if (!check_value (w, i, row[i], err))
            return false;
         continue;
      }
      if (w->not_null[i])
         return null_error (w, i, err);
      w->nulls[i]++;
   }
   if (t->time_column >= 0) {
      MtVal ts = row[t->time_column];
      if (!fix_time (w, &ts, err))
         return false;
      if (ts.i != row[t->time_column].i) {
         memcpy (w->row, row, t->column_count * sizeof *row);
         w->row[t->time_column] = ts;
         *checked = w->row;
      }
   }
   return true;
}

bool mt_writer_id (MtWriter *w, const MtVal *row, MtVal *id, MtError *err)
{
   return mt_builder_row_id (w->stores[0].builder, row, id, err);
}

bool mt_writer_check (MtWriter *w, const MtVal *row, MtError *err)
{
   return check_row (w, &row, err);
}

/* Creates, for preallocation, the partitions of time ms and of the next period. */
static bool visit_next (MtWriter *w, const StoreW *sw, int64_t ms, MtError *err)
{
   MtUnit unit = mt_prealloc_unit (sw->desc);
   return !sw->desc->parts ||
          (mt_builder_visit (sw->builder, mt_utc_next (mt_utc_floor (ms, unit), unit), err) &&
           mt_builder_visit (sw->builder, ms, err));
}

static bool hit (MtWriter *w, const MtVal *row, MtError *err)
{
   if (!w->rows && !mt_engine_incremented (w->e, &w->made_before, err))
      return false;
   for (size_t i = 0; i < w->store_count; i++) {
      StoreW *sw = &w->stores[i];
      MtPreallocStore to = {w->e, w->t, sw->desc, &sw->sent};
      if (sw->desc->preallocate && (!visit_next (w, sw, row[w->t->time_column].i, err) ||
                                    !mt_prealloc_hit (w->o.prealloc, &to, row, err)))
         return false;
   }
   return true;
}

static bool add_columns (MtWriter *w, const MtVal *row, MtError *err)
{
   const MtTable *t = w->t;
   for (size_t i = 0; i < t->column_count; i++)
      if (w->cols[i].used &&
          !mt_col_add (&w->cols[i], &t->columns[i], w->count, w->cap, row[i], err))
         return false;
   w->count++;
   bool full = w->count == w->cap || ((w->count & 255) == 0 && chunk_bytes (w) > w->spill.memory);
   return full ? spill (w, err) : true;
}

bool mt_writer_add (MtWriter *w, const MtVal *row, MtError *err)
{
   if (!check_row (w, &row, err) || (w->hits && !hit (w, row, err)))
      return false;
   if ((++w->rows & 4095) == 0 && !mt_cancel_check (w->o.cancel, err))
      return false;
   bool begun = false;
   for (size_t i = 0; i < w->store_count; i++) {
      if (!w->stores[i].rows)
         continue;
      if (!mt_builder_row (w->stores[i].builder, row, err)) {
         w->torn |= begun;
         return false;
      }
      begun = true;
   }
   if (!w->sorts || add_columns (w, row, err))
      return true;
   w->torn = true;
   return false;
}

bool mt_writer_torn (const MtWriter *w) { return w->torn; }

/* Converts sum v to the type of its column. 22003 if it is out of range. */
static bool sum_value (const MtColumn *c, MtVal v, MtVal *out, uint8_t decimal[16], MtError *err)
{
   bool whole = mt_type_is_integer (c->type.id), numeric = c->type.id == MT_T_NUMERIC;
   MtInt128 i;
   MtNum n;
   *out = v;
   if (!mt_is_number (v) || (!whole && !numeric && v.type == MT_DOUBLE))
      return true;
   if (!mt_num_from_val (v, &n) ||
       (whole && (!mt_num_to_int128 (n, &i) || i > INT64_MAX || i < INT64_MIN)))
      return mt_error (err, MT_E_NUMERIC_RANGE, "a sum of column \"%s\" is out of range", c->name);
   if (whole) {
      *out = c->type.id == MT_T_INT8 ? mt_v_int64 ((int64_t) i)
                                     : (MtVal) {.type = MT_INT32, .i = (int64_t) i};
   } else if (numeric) {
      memcpy (decimal, &n, 16);
      *out = (MtVal) {.type = MT_DECIMAL, .len = 16, .p = decimal};
   } else {
      *out = mt_v_double (mt_num_to_double (n));
   }
   return true;
}

bool mt_writer_add_leaf (MtWriter *w, const MtLeaf *leaf, MtError *err)
{
   size_t own = w->own_columns;
   MtVal *row = MT_NEW_N (w->leaf, MtVal, w->t->column_count);
   bool ok = true;
   row[own] = mt_v_int64 (leaf->n);
   for (size_t i = 0; i < own && ok; i++) {
      uint8_t *decimal = MT_NEW_N (w->leaf, uint8_t, 16);
      bool summed = leaf->nonnull && leaf->nonnull[i];
      row[i] = leaf->row[i];
      row[own + 1 + i] = mt_v_int64 (summed ? leaf->nonnull[i] : 1);
      ok = !summed || sum_value (&w->t->columns[i], leaf->row[i], &row[i], decimal, err);
   }
   ok = ok && mt_writer_add (w, row, err);
   mt_arena_reset (w->leaf);
   return ok;
}

/* ---- writing the documents ---- */

/* Opens stream number i of a store. Streams are opened in reverse order: later leaves are finer,
 * and an earlier leaf (lowest level) may share their sorted rows. */
static bool open_stream (MtWriter *w, StoreW *sw, MtStream *streams, size_t i, MtError *err)
{
   MtWriteWay *way = &sw->ways[i];
   if (w->spilled)
      return mt_stream_open_runs (&streams[i], way, w->t, &w->spill, err);
   for (size_t k = i + 1; k < sw->way_count; k++)
      if (!streams[k].borrowed && mt_way_goes_along (way, &streams[k]))
         return mt_stream_open_along (&streams[i], way, w->t, &streams[k], err);
   return mt_stream_open_memory (&streams[i], way, w->t, w->cols, w->count, err);
}

static bool run_streams (MtWriter *w, StoreW *sw, MtError *err)
{
   MtStream *streams = mt_calloc ("writer", sw->way_count, sizeof *streams);
   size_t closed = sw->way_count;
   bool ok = true;
   while (ok && closed)
      ok = open_stream (w, sw, streams, --closed, err);
   ok = ok && mt_builder_run (sw->builder, streams, sw->way_count, err);
   for (size_t i = closed; i < sw->way_count; i++)
      mt_stream_close (&streams[i]);
   free (streams);
   return ok;
}

static bool write_store (MtWriter *w, StoreW *sw, MtError *err)
{
   bool ok = run_streams (w, sw, err);
   while (ok && mt_builder_is_late (sw->builder))
      ok = mt_late_read (sw->builder, err) && run_streams (w, sw, err);
   return ok;
}

static bool end_store (MtWriter *w, StoreW *sw, MtError *err)
{
   return sw->rows ? mt_builder_end_rows (sw->builder, err) : !w->rows || write_store (w, sw, err);
}

/* Returns the turn (0 to 2) in which a store is written. Roll-ups that may have to read records
 * again come after the stores with records. Layouts of latest records come last, because their
 * writes are not undone by a server's rollback, so nothing may fail after them. */
static int turn_of (const StoreW *sw)
{
   return sw->l->keeps == MT_KEEPS_LATEST ? 2 : mt_store_joins (sw->l, sw->desc);
}

static bool end_stores (MtWriter *w, MtError *err)
{
   for (int turn = 0; turn < 3; turn++)
      for (size_t i = 0; i < w->store_count; i++) {
         StoreW *sw = &w->stores[i];
         if (turn_of (sw) != turn)
            continue;
         if (w->o.progress && w->o.progress->report)
            w->o.progress->report (w->o.progress->ctx, "packing", i, w->store_count, w->rows);
         if (!end_store (w, sw, err))
            return false;
      }
   return true;
}

/* Sets *share to the share of the preallocated documents sent that did not exist before. */
static bool share_made (MtWriter *w, double *share, MtError *err)
{
   double sent = 0;
   uint64_t made;
   for (size_t i = 0; i < w->store_count; i++)
      sent += w->stores[i].sent.documents;
   *share = 0;
   if (sent == 0)
      return true;
   if (!mt_engine_incremented (w->e, &made, err))
      return false;
   *share = (double) (made - w->made_before) / sent;
   return true;
}

/* Sets the numbers of NULLs in statistics *st. On a server, simultaneous inserts can lose a count,
 * so there each nullable column counts at least one NULL. */
static void count_nulls (MtWriter *w, MtArena *a, const MtStoreDesc *s, MtStoreStats *st)
{
   bool alone = mt_engine_caps (w->e)->local_operators ||
                (s->write != MT_WRITE_INSERT && s->write != MT_WRITE_NEWER);
   st->nulls = MT_NEW_N (a, uint64_t, w->t->column_count);
   st->null_columns = w->t->column_count;
   for (size_t i = 0; i < st->null_columns; i++)
      st->nulls[i] = alone || w->not_null[i] || w->nulls[i] ? w->nulls[i] : 1;
}

bool mt_writer_finish (MtWriter *w, MtArena *a, MtStoreStats ***stats, MtError *err)
{
   double made;
   if ((w->spilled && w->count && !spill (w, err)) || !share_made (w, &made, err))
      return false;
   MtStoreStats **all = MT_NEW_N (a, MtStoreStats *, w->t->layout_count);
   for (size_t i = 0; i < w->t->layout_count; i++)
      all[i] = MT_NEW_N (a, MtStoreStats, w->t->layouts[i].store_count);
   if (!end_stores (w, err))
      return false;
   for (size_t i = 0; i < w->store_count; i++) {
      StoreW *sw = &w->stores[i];
      MtStoreStats *st = &all[sw->layout][sw->store];
      mt_builder_stats (sw->builder, a, st);
      mt_stats_scale (sw->desc, &sw->sent, made);
      mt_stats_add (a, sw->desc, st, &sw->sent);
      if (!w->o.leaves) /* sums don't show whether there were NULLs */
         count_nulls (w, a, sw->desc, st);
      st->has_time = w->any_time;
      st->min_ms = w->min_time;
      st->max_ms = w->max_time;
   }
   if (stats)
      *stats = all;
   return true;
}
