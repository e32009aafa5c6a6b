/* Changing a table's layouts after a column was added, dropped or renamed. */
#ifndef MT_RESHAPE_H
#define MT_RESHAPE_H

#include "layouts/table.h"

/* These functions make a layout of `next` from that layout of t, without statistics. t is the table
 * before the change, `next` the table after. next->layouts has room for the layout, which is in
 * arena a. */

/* Adds the last column of `next` to the layout's records. In stored records the column is NULL.
 * 0A000 if the layout has no place for the column. */
bool mt_layout_add_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout,
                           MtError *err);
/* Removes column `gone` of t from the layout. 2BP01 if the layout depends on the column. */
bool mt_layout_drop_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout, int gone,
                            MtError *err);
/* Copies the layout with the column names of `next`. */
bool mt_layout_rename_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout,
                              MtError *err);

#endif
