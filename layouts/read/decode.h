/* Reading the records and the sums of stored documents. */
#ifndef MT_DECODE_H
#define MT_DECODE_H

#include "layouts/leaves.h"

/* The records of a document. A record is a row of values by column. */
typedef struct MtRecords {
   MtVal **rows;
   size_t count;
   MtStoreStats seen; /* the document's statistics */
} MtRecords;

/* The records or sums of a document at one leaf node. */
typedef struct MtLeaves {
   MtLeaf *list;
   size_t count;
} MtLeaves;

/* Reads the records of a document, into arena a or borrowed from the document. XX001 if the
 * document does not have the layout's shape. */
bool mt_decode_records (MtArena *a, const MtTableStore *from, MtVal doc, MtRecords *out,
                        MtError *err);
/* Reads all records or sums of a leaf node of table t's layout in a document, without sums of no
 * records. In arena a, or borrowed from the document. XX001 if the document does not have the
 * layout's shape. */
bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLeafWay *way, MtVal doc, MtLeaves *out,
                       MtError *err);

#endif
