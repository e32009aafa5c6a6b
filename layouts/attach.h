/* Looking at documents that are there: does a collection have the shape that a descriptor says, and
 * what is in it. */
#ifndef MT_ATTACH_H
#define MT_ATTACH_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Whether the first document of each of a layout's collections that have one fits, and those behind
 * it up to the first that has a record (of 100); else 42P17, with the document's _id and the path
 * in the detail. */
bool mt_layout_check_first (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                            MtError *err);
/* Whether all documents of a partitioned layout fit, and have their records in the time of their
 * collection's name. XX001 says which doesn't. The partitions were looked at. */
bool mt_layout_check_partitions (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                                 MtError *err);

/* Whether a document fits a store of the layout; else XX001, whose detail says where it doesn't and
 * why. */
bool mt_document_fits (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       MtVal doc, MtError *err);

/* Counts documents, cells, bytes and records by reading each store. stats: store_count of them,
 * nodes in arena a. Documents of another shape count as the others do on the average, and the range
 * of time isn't given then; *malformed (may be NULL) says how many there were. */
bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                        MtStoreStats *stats, uint64_t *malformed, MtError *err);

#endif
