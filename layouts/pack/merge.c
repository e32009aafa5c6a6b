/* Reads the records or sums of a stored document, so that a stream can merge them with new
 * records. */
#include "layouts/pack/pack_int.h"
#include "layouts/read/decode.h"
#include "layouts/read/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct Merge {
   const MtWriteWay *way;
   MtVal part; /* partition of the document, the first key; unused if the way has no partitions */
   MtExtra *extras;
   size_t count, cap;
} Merge;

static MtExtra *add_extra (Merge *m, const MtWalk *w)
{
   size_t parts = m->way->part != NULL;
   MT_GROW_IN (w->a, m->extras, m->count, m->cap, 64);
   MtVal *key = MT_NEW_N (w->a, MtVal, (size_t) w->key_count + 2);
   key[0] = m->part;
   memcpy (key + parts, w->key, (size_t) w->key_count * sizeof *key);
   MtExtra *x = &m->extras[m->count++];
   *x = (MtExtra) {.key = key,
                   .pay = MT_NEW_N (w->a, MtVal, m->way->pay_count + 1),
                   .n = 1,
                   .time = w->time.start};
   return x;
}

static void take_record (void *ctx, const MtWalk *w, const MtNode *n)
{
   Merge *m = ctx;
   MtExtra *x = add_extra (m, w);
   for (int i = 0; i < m->way->pay_count; i++) {
      int c = m->way->pay[i];
      x->pay[i] = c == w->t->time_column ? mt_walk_row_time (w) : w->row[c];
   }
}

static void take_sums (void *ctx, const MtWalk *w, const MtNode *n, MtVal cell, int64_t count)
{
   Merge *m = ctx;
   MtExtra *x = add_extra (m, w);
   x->n = count > 0 ? count : 0;
   x->cell = cell;
   x->nonnull = MT_NEW_N (w->a, int64_t, m->way->pay_count + 1);
   for (int i = 0; i < m->way->pay_count; i++) {
      int c = m->way->pay[i];
      x->pay[i] = c == w->t->time_column && w->time.known ? mt_v_date (w->time.start)
                                                          : mt_v_null ();
      for (size_t k = 0; k < n->agg.measure_count; k++) {
         const MtMeasureAgg *a = &n->agg.measures[k];
         if (a->column != c)
            continue;
         x->pay[i] = a->sum ? mt_path_get (cell, a->sum) : mt_v_int32 (0);
         x->nonnull[i] = mt_stored_nonnull (a, cell, count);
      }
   }
}

/* Computes the sums of m->way from the document's stored records, which are in another leaf. Unlike
 * stored sums, records also give the minimum and maximum. */
static bool from_records (MtArena *a, const MtMergeFrom *from, Merge *m, MtError *err)
{
   const MtWriteWay *way = m->way;
   const MtTable *t = from->t;
   MtLeafWay records = {.l = from->l, .s = way->store, .leaf = mt_store_records (way->store)};
   MtLeaves leaves;
   if (!mt_decode_leaves (a, t, &records, from->doc, &leaves, err))
      return false;
   m->extras = MT_NEW_N (a, MtExtra, leaves.count + 1);
   for (size_t i = 0; i < leaves.count; i++) {
      const MtVal *row = leaves.list[i].row;
      MtExtra *x = &m->extras[m->count++];
      *x = (MtExtra) {.key = MT_NEW_N (a, MtVal, way->key_count + 1),
                      .pay = MT_NEW_N (a, MtVal, way->pay_count + 1),
                      .n = 1};
      for (int k = 0; k < way->key_count; k++)
         x->key[k] = mt_binding_value (t, way->keys[k].bind, row);
      for (int k = 0; k < way->pay_count; k++)
         x->pay[k] = row[way->pay[k]];
      if (t->time_column >= 0 && row[t->time_column].type == MT_DATE)
         x->time = row[t->time_column].i;
   }
   return true;
}

static bool from_way (MtArena *a, const MtMergeFrom *from, Merge *m, MtError *err)
{
   MtWalk w;
   mt_walk_init (&w, a, &(MtTableStore) {from->t, from->l, m->way->store}, err);
   w.leaf = m->way->leaf;
   w.taker = (MtLeafTaker) {.ctx = m, .record = take_record, .sums = take_sums};
   return mt_walk_document (&w, from->doc);
}

static int compare_extras (const void *a, const void *b, void *ctx)
{
   const MtExtra *x = a, *y = b;
   int diff, c = mt_keys_compare (x->key, y->key, ((const MtWriteWay *) ctx)->key_count, &diff);
   return c ? c : (a > b) - (a < b);
}

bool mt_decode_way (MtArena *a, const MtMergeFrom *from, const MtWriteWay *way, MtExtra **out,
                    size_t *count, MtError *err)
{
   Merge m = {.way = way, .part = from->part};
   bool elsewhere = !way->leaf->raw.present && mt_store_records (way->store);
   if (!(elsewhere ? from_records (a, from, &m, err) : from_way (a, from, &m, err)))
      return false;
   /* mtsql writes cells in sorted order, so only documents of other programs need sorting. glibc's
    * qsort_r is a merge sort, so equal keys keep their order. */
   if (m.count)
      qsort_r (m.extras, m.count, sizeof *m.extras, compare_extras, (void *) (uintptr_t) way);
   *out = m.extras;
   *count = m.count;
   return true;
}
