/* Preallocation: documents of counters that are created before their period begins, with 0 in every
 * slot. (A stored 0 means that there is no sample.)
 *
 * A document with all its fields from the beginning does not grow. Documents that exist need not be
 * created when a day begins. If a store's descriptor says `preallocate: N`, one write in N creates
 * the document of its series for the next period. In the first ten minutes of a period, writes also
 * complete the current document. Two Bloom filters per collection remember the documents that
 * exist. For about one document in a hundred the filters are wrong. Its first write creates such a
 * document. */
#ifndef MT_PREALLOC_H
#define MT_PREALLOC_H

#include "engine/engine.h"
#include "layouts/table.h"

/* A session's Bloom filters of the documents that exist, by collection. */
typedef struct MtPrealloc MtPrealloc;

MtPrealloc *mt_prealloc_new (void);    /* owned by the caller: mt_prealloc_free */
void mt_prealloc_free (MtPrealloc *p); /* NULL is allowed */

/* A store with `preallocate`, in which documents are created. */
typedef struct MtPreallocStore {
   MtEngine *e;
   const MtTable *t;
   const MtStoreDesc *s;
   MtStoreStats *sent; /* the created documents are added; `nodes` must be allocated */
} MtPreallocStore;

/* Creates documents for a record that is about to be added to a store. row: a value per column,
 * checked by the writer. A step must be open, and the partitions of the current and the next period
 * must exist. */
bool mt_prealloc_hit (MtPrealloc *p, const MtPreallocStore *to, const MtVal *row, MtError *err);
/* Creates the document of the row's series and period, if it is missing. A step must be open, and
 * the document's partition must exist. */
bool mt_prealloc_make (const MtPreallocStore *to, const MtVal *row, MtError *err);

#endif
