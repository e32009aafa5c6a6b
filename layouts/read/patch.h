/* Changes columns in a stored document that is a single record. */
#ifndef MT_LAYOUTS_PATCH_H
#define MT_LAYOUTS_PATCH_H

#include "layouts/table.h"

/* Returns whether these columns can be changed in the document of a record without changing its
 * _id, so that the document can be updated in place. */
bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count);

/* A change of a row: the columns to set, and a row that has their new values. */
typedef struct MtRowPatch {
   const int *columns;
   size_t count;
   const MtVal *row;
} MtRowPatch;

/* Writes a copy of the document, with the patch's columns set, to `out`, which must be empty. */
bool mt_patch (const MtTable *t, const MtStoreDesc *s, const MtRowPatch *patch, const bson_t *doc,
               bson_t *out, MtError *err);

#endif
