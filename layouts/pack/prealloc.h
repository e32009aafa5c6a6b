/* Preallocation: documents of counters are created before their period (such as the day) begins,
 * with 0 in every slot. A stored 0 means that there is no sample.
 *
 * A document with all its fields from the beginning does not grow, and at the beginning of a day
 * there are not so many documents to create. If a store's descriptor has `preallocate: N`, one
 * write in N creates the document of its series for the next period. In the first ten minutes of a
 * period, writes also complete the current document. Two Bloom filters for each collection remember
 * which documents exist. For about one document in a hundred the filter is wrong; such a document
 * is created by its first write. */
#ifndef MT_PREALLOC_H
#define MT_PREALLOC_H

#include "engine/engine.h"
#include "layouts/table.h"

/* A session's Bloom filters of existing documents, for each collection. */
typedef struct MtPrealloc MtPrealloc;

MtPrealloc *mt_prealloc_new (void);    /* owned by the caller: mt_prealloc_free */
void mt_prealloc_free (MtPrealloc *p); /* NULL is allowed */

/* A store whose descriptor has `preallocate`, and where its documents are created. */
typedef struct MtPreallocStore {
   MtEngine *e;
   const MtTable *t;
   const MtStoreDesc *s;
   /* statistics to which created documents are added; `nodes` must be allocated */
   MtStoreStats *sent;
} MtPreallocStore;

/* Called for each record before it is written: may create the document of the record's series for
 * the next period, or complete the current one. row: a value for each column, checked by the
 * writer. The engine must have an open step, and the partitions of both periods must exist. */
bool mt_prealloc_hit (MtPrealloc *p, const MtPreallocStore *to, const MtVal *row, MtError *err);
/* Creates the document of the row's series and period, if it is missing. The engine must have an
 * open step, and the document's partition must exist. */
bool mt_prealloc_make (const MtPreallocStore *to, const MtVal *row, MtError *err);

#endif
