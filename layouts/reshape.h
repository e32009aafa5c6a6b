/* Layouts of a table whose columns change. */
#ifndef MT_RESHAPE_H
#define MT_RESHAPE_H

#include "layouts/table.h"

/* The layout with the last column of `next` in its records; t is the table before. NULL fields of
 * stored records: what is stored stays right. 0A000 where the layout has no place for it. In arena
 * a; statistics are not included. */
bool mt_layout_add_column (MtArena *a, const MtTable *t, const MtTable *next, const MtLayout *l,
                           MtLayout *out, MtError *err);
/* The layout without column `gone` of t; 2BP01 where it is built on it. */
bool mt_layout_drop_column (MtArena *a, const MtTable *t, const MtTable *next, const MtLayout *l,
                            int gone, MtLayout *out, MtError *err);
/* The same layout with the names of `next`, which has the same columns. */
bool mt_layout_rename_column (MtArena *a, const MtTable *next, const MtLayout *l, MtLayout *out,
                              MtError *err);

#endif
