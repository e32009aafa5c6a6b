/* Rebuilds the documents of a block that is stored only as columns. The result has the same bytes
 * as the documents from which the columns were made. */
#ifndef MT_REBUILD_H
#define MT_REBUILD_H

#include "engine/local/documents/column.h"

/* The rebuilt documents of one block; some of them may not have been rebuilt yet. Only one thread
 * at a time may use it. */
typedef struct MtRebuilt MtRebuilt;

/* Prepares *m to rebuild the documents of a block from its columns: `rows` documents with `size`
 * bytes in all. If *m was prepared for the same block before, it keeps the documents that were
 * rebuilt. Does not read the columns yet; they must stay valid. ok: bits that show which columns
 * were verified before, as for mt_columns_find; borrowed. If *m is NULL, it is created. Returns
 * false if memory is exhausted. */
bool mt_rebuild_begin (MtRebuilt **m, const MtColumns *c, uint32_t rows, uint32_t size,
                       MtColumnsSeen *ok);
/* Returns the memory of the documents. Its bytes are undefined until mt_rebuild has rebuilt them.
 * It is valid until mt_rebuild_begin is called for another block. */
const uint8_t *mt_rebuilt_data (const MtRebuilt *m);
/* Rebuilds all documents that contain some of the bytes from *from to *to, where *from < *to <=
 * size. Widens both to all bytes that have been rebuilt. Returns false if the columns are damaged,
 * or if memory is exhausted. */
bool mt_rebuild (MtRebuilt *m, size_t *from, size_t *to);
void mt_rebuilt_free (MtRebuilt *m); /* NULL is allowed */

#endif
