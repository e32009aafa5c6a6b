/* $group over the rows of a block that is read by its columns (../documents/column.h). */
#ifndef MT_GROUP_COLUMNS_H
#define MT_GROUP_COLUMNS_H

#include "engine/local/documents/column.h"
#include "engine/local/expr/core.h"

/* Some rows of a block: the rows `base + picked[i]`. */
typedef struct MtColumnRows {
   const MtStoredColumn *columns; /* in the order of the fields of the extraction */
   uint32_t base, count;
   const uint16_t *picked;
} MtColumnRows;

/* Begins a block. Returns false if its rows must be pushed one by one: the node is no $group, a
 * part of its key or an argument needs several fields, or there would be too many combinations of
 * key values. Fails with w->err set, which *ok tells. */
bool mt_group_begin_columns (const MtExecNode *n, MtWork *w, const MtExtract *e,
                             const MtStoredColumn *columns, bool *ok);
/* Adds rows of the block. */
bool mt_group_add_columns (const MtExecNode *n, MtWork *w, const MtColumnRows *rows);

#endif
