/* The layouts of a table after a change of its columns. */
#ifndef MT_RESHAPE_H
#define MT_RESHAPE_H

#include "layouts/table.h"

/* Makes the layout that keeps the last column of `next` in its records, too; t is the table before
 * the change. Stored records stay valid: the column is NULL in them. 0A000 if the layout has no
 * place for the column. *out is in arena a, without statistics. */
bool mt_layout_add_column (MtArena *a, const MtTable *t, const MtTable *next, const MtLayout *l,
                           MtLayout *out, MtError *err);
/* Makes the layout without column `gone` of t. 2BP01 if the layout depends on the column. */
bool mt_layout_drop_column (MtArena *a, const MtTable *t, const MtTable *next, const MtLayout *l,
                            int gone, MtLayout *out, MtError *err);
/* Makes the same layout with the column names of `next`. */
bool mt_layout_rename_column (MtArena *a, const MtTable *next, const MtLayout *l, MtLayout *out,
                              MtError *err);

#endif
