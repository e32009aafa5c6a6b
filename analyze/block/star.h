/* * and t.* in a select list, with EXCLUDE, REPLACE and RENAME. */
#ifndef MT_STAR_H
#define MT_STAR_H

#include "analyze/names/names.h"
#include "analyze/state/record_shape.h"

/* The changes that EXCLUDE, REPLACE and RENAME make to one column of a star (* or t.*). */
typedef struct MtStarColumn {
   bool excluded;
   const MtExpr *value; /* the new value, from REPLACE; NULL: the column's own value */
   const char *name;    /* the new name, from RENAME; NULL: the column's own name */
} MtStarColumn;

/* The columns that a star (* or t.*) in a select list stands for. */
typedef struct MtStar {
   const MtExpr *e;
   MtNames names;
   /* For t.*: the name of t, if t is a table of an enclosing query; otherwise NULL. */
   const MtName *around;
   /* For (expr).* over a record: the record, and the names and types of its fields. NULL: the star
    * stands for columns of tables. */
   MtX *record;
   const MtRecordShape *shape;
   MtStarColumn *changes; /* by name; NULL: the star has no EXCLUDE, REPLACE or RENAME */
   int count;             /* the number of columns that are not excluded */
} MtStar;

/* Finds the columns that the star e (*, t.* or (expr).*) stands for. rel: the FROM of scope s. Call
 * it only once for (expr).*, since it analyzes expr. Fails with 42P01 for an unknown table, with
 * 42703 for an unknown column in EXCLUDE, REPLACE or RENAME, with 42701 if a column is named twice
 * there, and with 42702 if a name in REPLACE or RENAME is ambiguous. */
bool mt_star_columns (MtBinder *b, MtScope *s, const MtRel *rel, const MtExpr *e, MtStar *out);
/* Adds the columns of the star to the select list q->targets, which must have room for star->count
 * more. */
bool mt_bind_star (MtBinder *b, MtScope *s, const MtStar *star, MtQuery *q);

#endif
