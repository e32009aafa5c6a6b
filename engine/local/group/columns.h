/* $group for rows that are read from the columns of a block (../documents/column.h), instead of its
 * documents. */
#ifndef MT_GROUP_COLUMNS_H
#define MT_GROUP_COLUMNS_H

#include "engine/local/documents/column.h"
#include "engine/local/expr/core.h"

/* A selection of rows of a block: the rows number base + picked[i]. */
typedef struct MtColumnRows {
   const MtStoredColumn *columns; /* by the index of the field in the extraction */
   uint32_t base, count;
   const uint16_t *picked;
} MtColumnRows;

/* Prepares a block for mt_group_add_columns. Returns false if its rows must be pushed one by one: n
 * is not a $group, a part of its key or an argument needs several fields, or there are too many
 * combinations of key values. *ok is false, and w->err set, if it failed. */
bool mt_group_begin_columns (const MtExecNode *n, MtWork *w, const MtExtract *e,
                             const MtStoredColumn *columns, bool *ok);
/* Adds the selected rows of the block to their groups. Call it only after mt_group_begin_columns
 * has returned true. */
bool mt_group_add_columns (const MtExecNode *n, MtWork *w, const MtColumnRows *rows);

#endif
