/* Looks up names of tables and columns in FROM, and names result columns. */
#ifndef MT_NAMES_H
#define MT_NAMES_H

#include "analyze/state/binder.h"

/* The column names of the whole FROM clause, or of one table in it. */
typedef struct MtNames {
   const MtRel *rel;
   const char *alias;
   /* The names. NULL: the names of rel's columns. */
   const MtRelName *list;
   int count;
   const char *full; /* of one table: schema.table (MtRelItem.full) */
} MtNames;

/* Returns whether `have` matches the name `want`. Unquoted names ignore case. */
bool mt_same_name (const char *have, const MtName *want);

/* Returns the column names of a whole FROM clause. */
MtNames mt_names_all (const MtRel *rel);
/* Finds the column names of one table of FROM. False: there is no table `alias`. */
bool mt_names_of_table (const MtRel *rel, const MtName *alias, MtNames *out);
/* Returns the name of the table in schema.table, the first two of `parts`: with the schema, unless
 * the table's schema is not known here. */
const MtName *mt_qualifier_of (MtBinder *b, const MtRel *rel, const MtNameList *parts);
/* Finds the column names of table `alias` in the enclosing queries, the nearest first. False: there
 * is no such table. */
bool mt_names_around (const MtBinder *b, const MtName *alias, MtNames *out);
/* Returns the index of a column name in n. -1: not found; -2: ambiguous. */
int mt_names_find (const MtNames *n, const MtName *name);
/* Return the text of name i, and the expression for its column. */
const char *mt_names_text (const MtNames *n, int i);
MtX *mt_names_x (MtBinder *b, const MtNames *n, int i, MtSpan span);

/* Returns the index of a column name in a whole FROM clause. -1: not found; -2: ambiguous. */
int mt_rel_column (const MtRel *rel, const MtName *name);
/* Returns the most similar of the names. NULL: none is similar. */
const char *mt_names_nearest (MtArena *a, const MtNames *n, const char *name);
/* Adds the hint of a similar column of rel to the error that is set. Returns false. */
bool mt_names_near (MtBinder *b, const MtRel *rel, const char *name);
/* Returns the index of table `alias` in rel->items. -1: not found. */
int mt_rel_item (const MtRel *rel, const MtName *alias);
/* Returns the alias of the table to which a column of rel belongs. NULL: none. */
const char *mt_column_table (const MtRel *rel, int column);
/* Sets the error that rel (NULL: none) has no table of this name, with a hint if the statement has
 * the table elsewhere or under another name. Returns false. */
bool mt_no_from_entry (MtBinder *b, const MtRel *rel, const MtName *table, MtSpan span);

/* Returns the name of a select-list item that has no AS (PostgreSQL's FigureColname). */
const char *mt_target_name (const MtExpr *e);

#endif
