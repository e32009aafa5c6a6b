/* Checks and statistics of the documents that collections contain. */
#ifndef MT_ATTACH_H
#define MT_ATTACH_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Checks the first document of each of a layout's collections. If it has no records, also checks
 * the following ones, up to the first that has, or 100. 42P17, with the document's _id and the path
 * in the detail. */
bool mt_layout_check_first (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                            MtError *err);
/* Checks all documents of a partitioned layout, and that their records lie in the partition's time.
 * The list of partitions is up to date (mt_partitions_look). XX001. */
bool mt_layout_check_partitions (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                                 MtError *err);
/* Checks that a document has the shape of a layout's store. XX001, with the place in the detail. */
bool mt_document_fits (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       MtVal doc, MtError *err);

/* Reads all documents of a layout, and computes statistics of each store (analyze.c). stats has
 * room for store_count of them; their nodes are in arena a. Documents of another shape are counted
 * like the average of the others, and then no range of time is computed. *malformed (may be NULL):
 * the number of such documents. */
bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                        MtStoreStats *stats, uint64_t *malformed, MtError *err);

#endif
