/* Names of FROM's columns, and names of results. */
#ifndef MT_NAMES_H
#define MT_NAMES_H

#include "analyze/state/binder.h"

/* The names that FROM gives, or the names of one of its tables. */
typedef struct MtNames {
   const MtRel *rel;
   const char *alias;
   /* NULL: the columns of rel. */
   const MtRelName *list;
   int count;
} MtNames;

/* Whether `have` is the name `want`. Quoted names are compared exactly, others without case. */
bool mt_same_name (const char *have, const MtName *want);

/* Returns all names of FROM. */
MtNames mt_names_all (const MtRel *rel);
/* Returns the names of one table. False: there is no table of that name. */
bool mt_names_of_table (const MtRel *rel, const MtName *alias, MtNames *out);
/* The same in the queries around, the nearest first. */
bool mt_names_around (const MtBinder *b, const MtName *alias, MtNames *out);
/* Returns the index of a name. -1: none; -2: ambiguous. */
int mt_names_find (const MtNames *n, const MtName *name);
/* Returns the text of name i, and the expression that it means. */
const char *mt_names_text (const MtNames *n, int i);
MtX *mt_names_x (MtBinder *b, const MtNames *n, int i, MtSpan span);

/* Returns the index of a name among all names of FROM. -1: none; -2: ambiguous. */
int mt_rel_column (const MtRel *rel, const MtName *name);
/* Returns the index of a table among rel->items. -1: none. */
int mt_rel_item (const MtRel *rel, const MtName *alias);
/* Returns the alias of the table that a column comes from. NULL: none. */
const char *mt_column_table (const MtRel *rel, int column);

/* Returns the name of a result without AS (PostgreSQL's FigureColname). */
const char *mt_target_name (const MtExpr *e);

#endif
