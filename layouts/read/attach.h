/* Checking the documents of existing collections, and computing their statistics. */
#ifndef MT_ATTACH_H
#define MT_ATTACH_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Checks the first documents of each collection of a layout, up to the first document with records,
 * or 100. 42P17 if a document does not have the layout's shape; the detail has the document's _id
 * and the path. */
bool mt_layout_check_first (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                            MtError *err);
/* Checks all documents of a partitioned layout, and that their records lie in the partition's time.
 * The list of partitions must be up to date (mt_partitions_look). XX001 if a document is wrong. */
bool mt_layout_check_partitions (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                                 MtError *err);
/* Checks that a document has the shape of a store. If not, XX001 with the place in the
 * detail. */
bool mt_document_fits (MtArena *a, const MtTableStore *of, MtVal doc, MtError *err);

/* The statistics of a layout. */
typedef struct MtLayoutStats {
   MtStoreStats *stores; /* one element per store */
   uint64_t malformed;   /* the number of documents of another shape */
} MtLayoutStats;

/* Reads all documents of a layout, and computes its statistics, in arena a. Malformed documents
 * count like an average document; then no range of time is computed. */
bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                        MtLayoutStats *out, MtError *err);

#endif
