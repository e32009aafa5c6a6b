/* Changing columns of a stored document that is a single record. */
#ifndef MT_LAYOUTS_PATCH_H
#define MT_LAYOUTS_PATCH_H

#include "layouts/table.h"

/* Returns whether these columns can be changed in a record's document without changing its _id. */
bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count);

/* The columns to set, and a row with their new values. */
typedef struct MtRowPatch {
   const int *columns;
   size_t count;
   const MtVal *row;
} MtRowPatch;

/* Writes the document to `out`, which is empty, with the fields of the patch's columns set. */
bool mt_patch (const MtTable *t, const MtStoreDesc *s, const MtRowPatch *patch, const bson_t *doc,
               bson_t *out, MtError *err);

#endif
