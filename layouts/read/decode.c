#include "layouts/read/decode.h"

#include "layouts/read/walk.h"

#include <string.h>

/* The rows read so far from the records or sums of one node. */
typedef struct Rows {
   const MtNode *source; /* the node whose cells are read; NULL: no cell was found yet */
   MtVal **rows;
   size_t count, cap;
   /* For rows of sums: each row's number of records, and its number of values for each column. */
   int64_t *n, **nonnull;
   MtVal *cells;
   size_t sums_cap;
} Rows;

static MtVal *add_row (Rows *r, const MtWalk *w)
{
   size_t n = w->t->column_count;
   int tc = w->t->time_column;
   MT_GROW_IN (w->a, r->rows, r->count, r->cap, 16);
   MtVal *row = MT_NEW_N (w->a, MtVal, n + 1);
   memcpy (row, w->row, n * sizeof *row);
   if (tc >= 0)
      row[tc] = mt_walk_row_time (w);
   return r->rows[r->count++] = row;
}

static void take_record (void *ctx, const MtWalk *w, const MtNode *n)
{
   Rows *r = ctx;
   if (n == r->source)
      add_row (r, w);
}

static void grow_sums (Rows *r, MtArena *a)
{
   if (r->sums_cap == r->cap)
      return;
   int64_t *n = MT_NEW_N (a, int64_t, r->cap), **nonnull = MT_NEW_N (a, int64_t *, r->cap);
   MtVal *cells = MT_NEW_N (a, MtVal, r->cap);
   if (r->sums_cap) {
      memcpy (cells, r->cells, r->sums_cap * sizeof *cells);
      memcpy (n, r->n, r->sums_cap * sizeof *n);
      memcpy (nonnull, r->nonnull, r->sums_cap * sizeof *nonnull);
   }
   r->n = n;
   r->nonnull = nonnull;
   r->cells = cells;
   r->sums_cap = r->cap;
}

/* MtLeafTaker.sums: adds a row of sums. Its measures are the sums of cell `cell`. */
static void take_sums (void *ctx, const MtWalk *w, const MtNode *n, MtVal cell, int64_t count)
{
   Rows *r = ctx;
   if (n != r->source)
      return;
   MtVal *row = add_row (r, w);
   int64_t *nonnull = MT_NEW_N (w->a, int64_t, w->t->column_count + 1);
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      MtVal sum = m->sum ? mt_path_get (cell, m->sum) : mt_v_null ();
      row[m->column] = sum.type == MT_MISSING ? mt_v_null () : sum;
      nonnull[m->column] = !m->nonnull && mt_is_nullish (sum) ? 0
                                                              : mt_stored_nonnull (m, cell, count);
   }
   grow_sums (r, w->a);
   r->n[r->count - 1] = count > 0 ? count : 0;
   r->nonnull[r->count - 1] = nonnull;
   r->cells[r->count - 1] = cell;
}

bool mt_decode_records (MtArena *a, const MtTableStore *from, MtVal doc, MtRecords *out,
                        MtError *err)
{
   MtWalk w;
   Rows r = {.source = mt_store_records (from->s)};
   mt_walk_init (&w, a, from, err);
   w.taker = (MtLeafTaker) {.ctx = &r, .record = take_record};
   w.found.nodes = MT_NEW_N (a, MtNodeStats, from->s->node_count);
   if (!mt_walk_document (&w, doc))
      return false;
   *out = (MtRecords) {.rows = r.rows,
                       .count = r.count,
                       .seen = {.present = true,
                                .documents = 1,
                                .bytes = doc.len,
                                .records = w.found.records,
                                .spans_ms = w.found.spans_ms,
                                .nodes = w.found.nodes}};
   return true;
}

bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLeafWay *way, MtVal doc, MtLeaves *out,
                       MtError *err)
{
   MtWalk w;
   Rows r = {.source = way->leaf};
   mt_walk_init (&w, a, &(MtTableStore) {t, way->l, way->s}, err);
   w.leaf = way->leaf;
   w.taker = (MtLeafTaker) {.ctx = &r, .record = take_record, .sums = take_sums};
   if (!mt_walk_document (&w, doc))
      return false;
   *out = (MtLeaves) {MT_NEW_N (a, MtLeaf, r.count + 1), r.count};
   for (size_t i = 0; i < r.count; i++)
      out->list[i] = way->leaf->raw.present
                        ? (MtLeaf) {.row = r.rows[i], .n = 1}
                        : (MtLeaf) {r.rows[i], r.n[i], r.nonnull[i], r.cells[i]};
   return true;
}
