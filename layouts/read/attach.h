/* Checks the documents of existing collections against a layout, and computes their statistics. */
#ifndef MT_ATTACH_H
#define MT_ATTACH_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Checks the first documents of each collection of a layout against the layout's shape: up to the
 * first document with records, at most 100. 42P17 if a document has another shape; the detail has
 * the document's _id and the path. */
bool mt_layout_check_first (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                            MtError *err);
/* Checks all documents of a partitioned layout, and that their times are within their
 * partition's. Call mt_partitions_look before, to update the list of partitions. XX001 if a
 * document is wrong. */
bool mt_layout_check_partitions (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                                 MtError *err);
/* Checks that document doc has the shape of store `of`. XX001 if not; the detail has the path. */
bool mt_document_fits (MtArena *a, const MtTableStore *of, MtVal doc, MtError *err);

/* Statistics of a layout, as ANALYZE computes them. */
typedef struct MtLayoutStats {
   MtStoreStats *stores; /* one element per store */
   uint64_t malformed;   /* number of documents that don't have the layout's shape */
} MtLayoutStats;

/* Reads all documents of a layout, and computes its statistics, in arena a. Malformed documents are
 * counted as average documents; then the time range is not computed. */
bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                        MtLayoutStats *out, MtError *err);

#endif
