/* Documents of counters that are created ahead of their time, with every slot 0. (A stored 0 is no
 * sample.)
 *
 * A document that has all its fields from the beginning does not grow. And at the start of a day,
 * no documents need to be created. If a store's descriptor says `preallocate: N`, one write in N
 * creates the document of its series for the next period. In the first ten minutes of a period,
 * writes also complete the current document. Two Bloom filters per collection remember the
 * documents that exist. They err in about one of a hundred documents; such a document is created by
 * its first write. */
#ifndef MT_PREALLOC_H
#define MT_PREALLOC_H

#include "engine/engine.h"
#include "layouts/table.h"

/* The documents that a session knows to exist, by collection. */
typedef struct MtPrealloc MtPrealloc;

MtPrealloc *mt_prealloc_new (void);    /* owned by the caller: mt_prealloc_free */
void mt_prealloc_free (MtPrealloc *p); /* NULL is allowed */

/* Creates documents for a record that is about to be added to a store with `preallocate`. row: a
 * value per column, checked by the writer. The engine's step is open, and the partitions of the
 * current and the next period exist. Adds the documents to *sent, whose nodes exist. */
bool mt_prealloc_hit (MtPrealloc *p, MtEngine *e, const MtTable *t, const MtStoreDesc *s,
                      const MtVal *row, MtStoreStats *sent, MtError *err);
/* Creates the document of the row's series and period, if it is missing. Conditions as for
 * mt_prealloc_hit. */
bool mt_prealloc_make (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const MtVal *row,
                       MtStoreStats *sent, MtError *err);

#endif
