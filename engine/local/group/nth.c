/* Finds the last of the first n groups in a sort order, so that blocks without needed groups can be
 * skipped. */
#include "engine/local/group/group.h"

#include <stdlib.h>

struct MtGroupHeap {
   const MtRec **recs; /* a heap of the first groups in sort order, the last of them on top */
   size_t n, cap;
   uint32_t seen; /* how many groups of the table were already compared */
   bool arrays;   /* a sort key is an array, which $sort compares by one element */
};

static int compare (const MtGroupOrder *o, const MtRec *a, const MtRec *b)
{
   for (uint32_t i = 0; i < o->count; i++) {
      int sign = mt_v_compare (a->keys[o->parts[i]], b->keys[o->parts[i]]);
      if (sign)
         return o->dirs[i] > 0 ? sign : -sign;
   }
   return 0;
}

static void sift_down (const MtGroupOrder *o, MtGroupHeap *h, size_t i)
{
   for (;;) {
      size_t last = i, kid = 2 * i + 1;
      if (kid < h->n && compare (o, h->recs[kid], h->recs[last]) > 0)
         last = kid;
      if (kid + 1 < h->n && compare (o, h->recs[kid + 1], h->recs[last]) > 0)
         last = kid + 1;
      if (last == i)
         return;
      const MtRec *t = h->recs[i];
      h->recs[i] = h->recs[last];
      h->recs[last] = t;
      i = last;
   }
}

static void add (const MtGroupOrder *o, MtGroupHeap *h, const MtRec *r)
{
   for (uint32_t i = 0; i < o->count; i++)
      h->arrays |= r->keys[o->parts[i]].type == MT_ARRAY;
   if (h->n == o->rows) {
      if (compare (o, r, h->recs[0]) < 0) {
         h->recs[0] = r;
         sift_down (o, h, 0);
      }
      return;
   }
   MT_GROW ("group", h->recs, h->n, h->cap, 16);
   h->recs[h->n++] = r;
   for (size_t i = h->n - 1; i && compare (o, h->recs[i], h->recs[(i - 1) / 2]) > 0;
        i = (i - 1) / 2) {
      h->recs[i] = h->recs[(i - 1) / 2];
      h->recs[(i - 1) / 2] = r;
   }
}

bool mt_group_nth (const MtExecNode *n, MtWork *w, MtGroupOrder o, MtVal *keys)
{
   const MtGroupNode *g = (const MtGroupNode *) n;
   MtGroupState *st = w->state[g->n.id];
   if (!st || st->file_count) /* groups on disk may repeat groups of the table */
      return false;
   if (!st->first)
      st->first = mt_x_calloc (1, sizeof *st->first);
   MtGroupHeap *h = st->first;
   while (h->seen < st->table.count)
      add (&o, h, mt_table_rec (&st->table, h->seen++));
   if (h->arrays || h->n < o.rows)
      return false;
   for (uint32_t i = 0; i < o.count; i++)
      keys[i] = h->recs[0]->keys[o.parts[i]];
   return true;
}

void mt_group_heap_free (MtGroupHeap *h)
{
   if (h)
      free (h->recs);
   free (h);
}
