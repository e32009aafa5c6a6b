/* * and t.* in a select list, with EXCLUDE, REPLACE and RENAME. */
#ifndef MT_STAR_H
#define MT_STAR_H

#include "analyze/names/names.h"
#include "analyze/state/record_shape.h"

/* What a star does with one of its columns. */
typedef struct MtStarColumn {
   bool excluded;
   const MtExpr *value; /* REPLACE: the new value; NULL: the column's own */
   const char *name;    /* RENAME: the new name; NULL: the column's own */
} MtStarColumn;

/* The columns of a star. */
typedef struct MtStar {
   const MtExpr *e;
   MtNames names;
   /* The name of table t if t belongs to an enclosing query. NULL: it does not. */
   const MtName *around;
   /* (expr).* of a record: its value, and its fields. NULL: the columns of a table. */
   MtX *record;
   const MtRecordShape *shape;
   MtStarColumn *changes; /* by name; NULL: the star has no EXCLUDE, REPLACE or RENAME */
   int count;             /* the number of columns that are not excluded */
} MtStar;

/* Finds the columns of star e among those of rel, which is the FROM of scope s. Analyzes the record
 * of (expr).*, so call it once. Fails with 42P01 for an unknown table, with 42703
 * for an unknown column of EXCLUDE, REPLACE or RENAME, with 42701 if a column is named twice there,
 * and with 42702 if a name of REPLACE or RENAME is ambiguous. */
bool mt_star_columns (MtBinder *b, MtScope *s, const MtRel *rel, const MtExpr *e, MtStar *out);
/* Adds the columns to q->targets, which has room for them. */
bool mt_bind_star (MtBinder *b, MtScope *s, const MtStar *star, MtQuery *q);

#endif
