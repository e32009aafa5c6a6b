/* Reads the records and the stored sums of documents. */
#ifndef MT_DECODE_H
#define MT_DECODE_H

#include "layouts/leaves.h"

/* The records of one document. A record is a row with a value for each column. */
typedef struct MtRecords {
   MtVal **rows;
   size_t count;
   MtStoreStats seen; /* the document's statistics */
} MtRecords;

/* The records or sums of one document at one leaf node (lowest level). */
typedef struct MtLeaves {
   MtLeaf *list;
   size_t count;
} MtLeaves;

/* Reads the records of a document into *out, in arena a or borrowed from the document. XX001 if the
 * document does not have the layout's shape. */
bool mt_decode_records (MtArena *a, const MtTableStore *from, MtVal doc, MtRecords *out,
                        MtError *err);
/* Reads all records or sums that a document has at the leaf node of `way`. Sums without records are
 * left out. *out is in arena a, or borrowed from the document. XX001 if the document does not have
 * the layout's shape. */
bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLeafWay *way, MtVal doc, MtLeaves *out,
                       MtError *err);

#endif
