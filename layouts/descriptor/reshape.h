/* Changing a table's layouts after a column was added, dropped or renamed. */
#ifndef MT_RESHAPE_H
#define MT_RESHAPE_H

#include "layouts/table.h"

/* Adds the last column of `next` to the records of layout l. t is the table before the change,
 * `next` the table after. In stored records the column is NULL. 0A000 if the layout has no place
 * for the column. *out is in arena a, without statistics. */
bool mt_layout_add_column (MtArena *a, const MtTable *t, const MtTable *next, const MtLayout *l,
                           MtLayout *out, MtError *err);
/* Removes column `gone` of t from layout l. 2BP01 if the layout depends on the column. */
bool mt_layout_drop_column (MtArena *a, const MtTable *t, const MtTable *next, const MtLayout *l,
                            int gone, MtLayout *out, MtError *err);
/* Copies layout l with the column names of `next`. */
bool mt_layout_rename_column (MtArena *a, const MtTable *next, const MtLayout *l, MtLayout *out,
                              MtError *err);

#endif
