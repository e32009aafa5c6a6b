/* Documents of counters that are made before they are needed, with every slot 0 (a stored 0 is no
 * sample).
 *
 * A document that comes to be with all of its fields doesn't grow, and the first minute of a day
 * has none to make. Where a store's descriptor says `preallocate: N`, one hit in N makes the next
 * period's document of its series, unless it is known to be there; and the first hits of a period,
 * in its first ten minutes, make the document at hand whole, if nobody did. What is known is in two
 * Bloom filters a collection: one in a hundred documents may be thought to be there that isn't, and
 * comes to be by its first hit instead. */
#ifndef MT_PREALLOC_H
#define MT_PREALLOC_H

#include "engine/engine.h"
#include "layouts/table.h"

/* What a session knows, by collection. */
typedef struct MtPrealloc MtPrealloc;

MtPrealloc *mt_prealloc_new (void);    /* owned by the caller: mt_prealloc_free */
void mt_prealloc_free (MtPrealloc *p); /* NULL is allowed */

/* Whether the documents of a store can be made beforehand; *why when not: the end of a sentence
 * about it. */
bool mt_can_preallocate (const MtTable *t, const MtStoreDesc *s, const char **why);

/* A record of table t (a value a column, checked as the writer does) is to be added to a store that
 * preallocates: makes what it makes. The engine's write step is open and the partitions of that
 * period and of the next are there. What was sent to be made is added to *sent (its nodes are
 * there). */
bool mt_prealloc_hit (MtPrealloc *p, MtEngine *e, const MtTable *t, const MtStoreDesc *s,
                      const MtVal *row, MtStoreStats *sent, MtError *err);

/* Makes the document of row's series and the period around row's time, where there is none. *sent:
 * as above. */
bool mt_prealloc_make (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const MtVal *row,
                       MtStoreStats *sent, MtError *err);

/* The unit of time that a document of the store covers. */
MtUnit mt_prealloc_unit (const MtStoreDesc *s);
/* The start (UTC) of the period around a time, and that of the one after. */
int64_t mt_period_start (int64_t ms, MtUnit unit);
int64_t mt_period_end (int64_t start, MtUnit unit);

#endif
