/* Stores the totals of a collection's increments: arrays of documents, of paths, and of slots (the
 * total of one field of one document), and hash tables to find documents and paths. */
#include "engine/local/store/patch.h"
#include "engine/local/store/events.h"
#include "base/memory.h"

#include <stdlib.h>

void mt_events_unref (MtEvents *o)
{
   if (!o || atomic_fetch_sub (&o->refs, 1) != 1)
      return;
   free (o->bytes);
   free (o->docs);
   free (o->slots);
   free (o->paths);
   free (o->doc_table.at);
   free (o->slot_table.at);
   free (o->path_table.at);
   free (o->order);
   free (o);
}

size_t mt_events_bytes (const MtEvents *o)
{
   if (!o)
      return 0;
   size_t tables = 4 * ((size_t) o->doc_table.mask + o->slot_table.mask + o->path_table.mask);
   return o->n + o->doc_count * sizeof *o->docs + o->slot_count * sizeof *o->slots +
          o->path_count * sizeof *o->paths + tables;
}

MtVal mt_events_id (const MtEvents *o, uint32_t doc)
{
   const uint8_t *head = o->bytes + o->docs[doc].head_at;
   return mt_bson_value (head[4], head + 9);
}

static MtVal slot_value (const MtEventSlot *s)
{
   MtVal v = {.type = s->type, .i = s->i};
   if (s->type == MT_DECIMAL) {
      v.p = s->decimal;
      v.len = 16;
   }
   return v;
}

void mt_events_build (const MtEvents *o, uint32_t doc, const uint8_t *base, MtBuf *out)
{
   const MtEventDoc *d = &o->docs[doc];
   const uint8_t *from = base ? base : o->bytes + d->head_at;
   MtPatch p = {.doc = *out};
   mt_buf_clear (&p.doc);
   if (!mt_buf_reserve (&p.doc, d->size)) {
      *out = p.doc;
      return;
   }
   mt_buf_add (&p.doc, from, mt_get32 (from));
   for (uint32_t s = d->first; s != MT_NO_DOC; s = o->slots[s].next) {
      const MtEventPath *path = &o->paths[o->slots[s].path];
      mt_patch_set (&p, (MtStr) {(const char *) o->bytes + path->at, path->n},
                    slot_value (&o->slots[s]), o->slots[s].absent);
   }
   *out = p.doc;
}

/* ---- in order ---- */

static int by_place (const void *a, const void *b, void *ctx)
{
   const MtEvents *o = ctx;
   uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;
   const MtEventDoc *x = &o->docs[i], *y = &o->docs[k];
   if (x->serial != y->serial)
      return x->serial < y->serial ? -1 : 1;
   if (x->serial == MT_NO_DOC)
      return mt_v_compare (mt_events_id (o, i), mt_events_id (o, k));
   return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

void mt_events_sort (MtEvents *o)
{
   if (o->ordered == o->doc_count)
      return;
   o->order = mt_realloc ("increments", o->order, o->doc_count * sizeof *o->order);
   for (uint32_t i = 0; i < o->doc_count; i++)
      o->order[i] = i;
   qsort_r (o->order, o->doc_count, sizeof *o->order, by_place, o);
   o->ordered = o->doc_count;
}
