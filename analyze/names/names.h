/* Looks up names of tables and columns in FROM, and names result columns. */
#ifndef MT_NAMES_H
#define MT_NAMES_H

#include "analyze/state/binder.h"

/* The column names of the whole FROM clause, or of one table in it. */
typedef struct MtNames {
   const MtRel *rel;
   const char *alias;
   /* The names and their columns. NULL: the names are those of rel->columns. */
   const MtRelName *list;
   int count;
   const char *full; /* for one table: its name as schema.table (MtRelItem.full) */
} MtNames;

/* Returns whether the name `have` is `want`. Case is ignored, unless `want` is quoted. */
bool mt_same_name (const char *have, const MtName *want);

/* Returns the column names of a whole FROM clause. */
MtNames mt_names_all (const MtRel *rel);
/* Finds the column names of the table in FROM that has the alias `alias`. Returns false if there is
 * no such table. */
bool mt_names_of_table (const MtRel *rel, const MtName *alias, MtNames *out);
/* Returns the name of the table in a name like schema.table.column, whose dot-separated parts are
 * `parts`. The result includes the schema, unless it is not known which schema the table has. */
const MtName *mt_qualifier_of (MtBinder *b, const MtRel *rel, const MtNameList *parts);
/* Finds the column names of table `alias` in the enclosing queries, the nearest first. False: there
 * is no such table. */
bool mt_names_around (const MtBinder *b, const MtName *alias, MtNames *out);
/* Returns the index of a column name in n. -1: not found; -2: ambiguous. */
int mt_names_find (const MtNames *n, const MtName *name);
/* Return the text of name i of n, and an expression that reads its column. */
const char *mt_names_text (const MtNames *n, int i);
MtX *mt_names_x (MtBinder *b, const MtNames *n, int i, MtSpan span);

/* Returns the index of a column name in a whole FROM clause. -1: not found; -2: ambiguous. */
int mt_rel_column (const MtRel *rel, const MtName *name);
/* Returns the name in n that is most similar to `name`. NULL: no name is similar enough. */
const char *mt_names_nearest (MtArena *a, const MtNames *n, const char *name);
/* Adds a hint to the current error that names the column of rel most similar to `name`. Returns
 * false. */
bool mt_names_near (MtBinder *b, const MtRel *rel, const char *name);
/* Returns the index of table `alias` in rel->items. -1: not found. */
int mt_rel_item (const MtRel *rel, const MtName *alias);
/* Returns the alias of the table in rel to which a column belongs. NULL: it belongs to no table. */
const char *mt_column_table (const MtRel *rel, int column);
/* Raises the error that rel has no table of this name. rel is NULL if the query has no FROM. Adds a
 * hint if the statement has the table, but under an alias, or where it can't be referenced. Returns
 * false. */
bool mt_no_from_entry (MtBinder *b, const MtRel *rel, const MtName *table, MtSpan span);

/* Returns the name of a select-list item that has no AS (PostgreSQL's FigureColname). */
const char *mt_target_name (const MtExpr *e);

#endif
