/* Changing columns of a stored document that is a single record. */
#ifndef MT_LAYOUTS_PATCH_H
#define MT_LAYOUTS_PATCH_H

#include "layouts/table.h"

/* Returns whether these columns can be changed in a record's document without changing its _id. */
bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count);
/* Writes the document to `out`, which is empty, with the fields of these columns set to the values
 * in `row`. */
bool mt_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count,
               const MtVal *row, const bson_t *doc, bson_t *out, MtError *err);

#endif
