/* Expressions over rows in memory: RETURNING, and the new values of UPDATE and DELETE. */
#ifndef MT_ROWS_H
#define MT_ROWS_H

#include "base/spool.h"
#include "session/state/session.h"

/* Plans a query over a table's columns as a pipeline over rows {c0: …, c1: …} in memory. Its
 * documents are {c0: …} by target. q reads the table alone, and is changed. In the statement's
 * arena. */
bool mt_rows_plan (MtStatement *st, MtQuery *q, MtPlan **out, MtError *err);

/* Appends a row to `out` as {c0: …}; 54000 if it is too large. mt_row_read (engine/read.h) reads it
 * back. */
bool mt_row_write (const MtVal *row, size_t width, bson_t *out, MtError *err);

/* Rows in memory, and the plan (mt_rows_plan) that computes over them. */
typedef struct MtGivenRows {
   const MtPlan *plan;
   MtVal *const *rows;
   size_t count;
   size_t width; /* columns of a row */
} MtGivenRows;

/* Called for each row, in order; doc is borrowed during the call. */
typedef bool (*MtRowOut) (void *ctx, size_t row, const bson_t *doc, MtError *err);
bool mt_rows_run (MtStatement *st, const MtGivenRows *rows, MtRowOut out, void *ctx, MtError *err);

/* Names a table in FROM, whatever search_path is. */
void mt_name_table (MtStatement *st, const MtTable *t, MtFrom *f);
/* Makes the syntax tree of SELECT targets FROM t AS alias WHERE where; alias.text NULL: no
 * alias. */
MtSelect *mt_rows_select (MtStatement *st, const MtTable *t, const MtName *alias, MtTarget *targets,
                          MtExpr *where);
/* A new parameter $n with this value, which is borrowed. p has room for it. */
MtExpr *mt_parameter_expr (MtStatement *st, MtParams *p, MtType type, MtVal value);
/* The syntax trees of a column, and of all columns as a select list. */
MtExpr *mt_column_expr (MtArena *a, const MtColumn *c, MtSpan span);
MtTarget *mt_rows_columns (MtStatement *st, const MtTable *t);

/* ---- RETURNING ---- */

typedef struct MtReturning {
   MtStatement *st;
   MtPlan *plan; /* NULL: there is no RETURNING */
   size_t width; /* columns of a row */
   /* Set if sub-selects in RETURNING refer to the rows; else NULL. It is bound and run again for
    * each batch of rows. */
   MtSelect *around;
   MtArena *a; /* owns the rows of the batch */
   MtVal **rows;
   size_t count;
   MtSpool *spool;
} MtReturning;

/* A statement's RETURNING clause, and the names that it may use. */
typedef struct MtReturningClause {
   const MtName *alias; /* of the changed table */
   MtTarget *list;      /* NULL: there is no RETURNING */
   MtCte *with;
} MtReturningClause;

bool mt_returning_open (MtStatement *st, const MtTable *t, const MtReturningClause *clause,
                        MtReturning *out, MtError *err);
/* Adds a changed row, which is copied. */
bool mt_returning_add (MtReturning *r, const MtVal *row, MtError *err);
/* Computes the last batch. Call it in the step that writes the rows, so that an error undoes
 * them. */
bool mt_returning_end (MtReturning *r, MtError *err);
/* Gives the statement's result the tag, and the rows if there is a RETURNING. */
bool mt_returning_finish (MtReturning *r, const char *tag, MtError *err);

#endif
