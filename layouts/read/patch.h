/* Changing a stored document that is one record. */
#ifndef MT_LAYOUTS_PATCH_H
#define MT_LAYOUTS_PATCH_H

#include "layouts/table.h"

/* Returns whether a change of these columns can be written into a record's document, so that the
 * document keeps its _id. */
bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count);
/* Appends the document to `out`, which is empty, with the columns' fields set to the values in
 * `row`. */
bool mt_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count,
               const MtVal *row, const bson_t *doc, bson_t *out, MtError *err);

#endif
