/* Looking at documents that are there: does a collection have the shape that a descriptor says, and what is in it. */
#ifndef MT_ATTACH_H
#define MT_ATTACH_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Decodes up to `sample` documents (0: 100) of each store structurally. True when the collection is empty or missing, or its first document fits;
 * else 42P17, with the document's _id and the path in the detail. */
bool mt_layout_check_sample (MtEngine *e, const MtTable *t, const MtLayout *l, size_t sample, MtArena *a, MtError *err);

/* Whether a document fits a store of the layout; else XX001, whose detail says where it doesn't and why. */
bool mt_document_fits (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s, MtVal doc, MtError *err);

/* Counts documents, cells, bytes and records by reading up to `limit` documents of each store (0: all); what wasn't read is estimated
 * from the collection's size, and then the range of time is not given. stats: store_count of them, nodes in arena a. Documents of
 * another shape are left out; *malformed (may be NULL) says how many there were. */
bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, size_t limit, MtArena *a, MtStoreStats *stats, uint64_t *malformed, MtError *err);

#endif
