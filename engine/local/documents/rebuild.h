/* Rebuilds the documents of a block that is kept as columns only. They have the bytes that the
 * documents had when the columns were made. */
#ifndef MT_REBUILD_H
#define MT_REBUILD_H

#include "engine/local/documents/column.h"

/* The documents of one block, as far as they were rebuilt. Only one thread uses it at a time. */
typedef struct MtRebuilt MtRebuilt;

/* Prepares for the documents of a block: `size` bytes in `rows` documents. Keeps what was rebuilt
 * if it is the same block as before. Does not read the columns yet. They and `ok`, which is that of
 * mt_columns_find, stay borrowed. *m NULL: creates it. Returns false if there is no memory. */
bool mt_rebuild_begin (MtRebuilt **m, const MtColumns *c, uint32_t rows, uint32_t size,
                       atomic_uint_least64_t *ok);
/* Returns where the documents are. Their bytes are undefined until mt_rebuild. They are valid until
 * mt_rebuild_begin for another block. */
const uint8_t *mt_rebuilt_data (const MtRebuilt *m);
/* Rebuilds all documents that touch the bytes from `from` to `to`, where from < to <= size. Widens
 * both to documents around them that are rebuilt as well. Returns false if the columns are damaged,
 * or if there is no memory. */
bool mt_rebuild (MtRebuilt *m, size_t *from, size_t *to);
void mt_rebuilt_free (MtRebuilt *m); /* NULL is allowed */

#endif
