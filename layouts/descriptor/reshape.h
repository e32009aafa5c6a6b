/* Changes a table's layouts after a column was added, dropped or renamed. */
#ifndef MT_RESHAPE_H
#define MT_RESHAPE_H

#include "layouts/table.h"

/* Each of these functions builds layout number `layout` of table `next` in next->layouts, from the
 * same layout of t. t is the table before the change of columns, `next` the table after it. The new
 * layout has no statistics and is in arena a. The caller has allocated next->layouts. */

/* Adds the last column of `next` to the records of the layout. Stored records have NULL in it.
 * 0A000 if the layout can't store the column. */
bool mt_layout_add_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout,
                           MtError *err);
/* Removes column `gone` of t from the layout. 2BP01 if the layout depends on the column. */
bool mt_layout_drop_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout, int gone,
                            MtError *err);
/* Copies the layout with the column names of `next`. */
bool mt_layout_rename_column (MtArena *a, const MtTable *t, MtTable *next, size_t layout,
                              MtError *err);

#endif
