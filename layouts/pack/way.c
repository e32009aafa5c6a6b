/* Ways: a way is the path of levels from the root of a store's documents to one leaf. It defines
 * the sort keys and the other values of records. */
#include "layouts/cell_state.h"
#include "layouts/pack/pack_int.h"

static int add_pay (MtWriteWay *w, int column)
{
   for (int i = 0; i < w->pay_count; i++)
      if (w->pay[i] == column)
         return i;
   w->pay[w->pay_count] = column;
   return w->pay_count++;
}

static void add_keys (MtWriteWay *w, const MtNode *n, int time_column)
{
   if (n->parent)
      add_keys (w, n->parent, time_column);
   else if (w->store->parts)
      w->keys[w->key_count++] = (MtKeyField) {.bind = w->part, .column = w->part->column};
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      if (b->kind == MT_BIND_COLUMN && b->column == time_column && w->time_key < 0)
         w->time_key = w->key_count;
      w->keys[w->key_count++] = (MtKeyField) {.bind = b, .column = b->column};
   }
   w->key_end[n->depth] = w->key_count;
}

void mt_way_make (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtNode *leaf,
                  MtWriteWay *w)
{
   size_t keys = 0;
   for (const MtNode *n = leaf; n; n = n->parent)
      keys += n->bind_count;
   *w = (MtWriteWay) {
      .store = s, .leaf = leaf, .fd = -1, .time_key = -1, .time_pay = -1, .count_pay = -1};
   if (s->parts) {
      w->part = MT_NEW (a, MtBinding);
      *w->part = (MtBinding) {
         .kind = MT_BIND_TIME_TRUNC, .column = t->time_column, .unit = s->parts->unit};
   }
   w->keys = MT_NEW_N (a, MtKeyField, keys + 1);
   w->key_end = MT_NEW_N (a, int, leaf->depth + 1);
   w->pay = MT_NEW_N (a, int, t->column_count + 1);
   add_keys (w, leaf, t->time_column);
   for (size_t i = 0; i < leaf->raw.count; i++)
      add_pay (w, leaf->raw.columns[i]);
   for (const MtNode *n = leaf; n; n = n->parent)
      for (size_t i = 0; i < n->agg.measure_count; i++)
         add_pay (w, n->agg.measures[i].column);
   for (const MtNode *n = leaf; n; n = n->parent)
      for (size_t i = 0; i < n->agg.state_count; i++)
         for (int k = 0; k < n->agg.states[i].argc; k++)
            if (n->agg.states[i].args[k].column >= 0)
               add_pay (w, n->agg.states[i].args[k].column);
   if (s->root->range.present && w->time_key < 0)
      w->time_pay = add_pay (w, t->time_column);
}

void mt_way_count_leaves (MtArena *a, MtWriteWay *w, size_t own, int time_column)
{
   int pays = w->pay_count;
   w->nonnull_pay = MT_NEW_N (a, int, 2 * pays + 2);
   for (int i = 0; i < 2 * pays + 2; i++)
      w->nonnull_pay[i] = -1;
   w->count_pay = add_pay (w, (int) own);
   for (int i = 0; i < pays; i++)
      if (w->pay[i] != time_column)
         w->nonnull_pay[i] = add_pay (w, (int) (own + 1) + w->pay[i]);
}
