/* Computes expressions over rows in memory: RETURNING, and the new values of UPDATE and DELETE. */
#ifndef MT_ROWS_H
#define MT_ROWS_H

#include "base/spool.h"
#include "session/state/session.h"

/* Plans q, a query over one table, as a pipeline over rows {c0: …, c1: …} in memory, where c0 is
 * the table's first column. It returns documents {c0: …} with a field for each target. q is
 * changed. In the statement's arena. */
bool mt_rows_plan (MtStatement *st, MtQuery *q, MtPlan **out, MtError *err);

/* Appends a row to `out` as {c0: …}, which mt_row_read (engine/read.h) reads. 54000 if it is too
 * large. */
bool mt_row_write (const MtVal *row, size_t width, bson_t *out, MtError *err);

/* Rows in memory, and the plan made by mt_rows_plan that is run over them. */
typedef struct MtGivenRows {
   const MtPlan *plan;
   MtVal *const *rows;
   size_t count;
   size_t width; /* number of columns of a row */
} MtGivenRows;

/* Callback for each result row, in order. row: its index; doc: borrowed during the call. */
typedef bool (*MtRowOut) (void *ctx, size_t row, const bson_t *doc, MtError *err);
bool mt_rows_run (MtStatement *st, const MtGivenRows *rows, MtRowOut out, void *ctx, MtError *err);

/* Makes f refer to table t, independently of search_path. */
void mt_name_table (MtStatement *st, const MtTable *t, MtFrom *f);
/* Returns the syntax tree of SELECT targets FROM t AS alias WHERE where. alias.text NULL: there is
 * no alias. */
MtSelect *mt_rows_select (MtStatement *st, const MtTable *t, const MtName *alias, MtTarget *targets,
                          MtExpr *where);
/* Adds a parameter with this value, which is borrowed, to p, and returns the expression $n for it.
 * p must have room for it. */
MtExpr *mt_parameter_expr (MtStatement *st, MtParams *p, MtType type, MtVal value);
/* Return the syntax trees of a column, and of all columns as a select list. */
MtExpr *mt_column_expr (MtArena *a, const MtColumn *c, MtSpan span);
MtTarget *mt_rows_columns (MtStatement *st, const MtTable *t);

/* ---- RETURNING ---- */

typedef struct MtReturning {
   MtStatement *st;
   MtPlan *plan; /* NULL: there is no RETURNING */
   size_t width; /* number of columns of a row */
   /* The RETURNING query, if its sub-selects refer to the changed rows; else NULL. It is bound and
    * run again for each batch of rows. */
   MtSelect *around;
   MtArena *a; /* holds the rows of the current batch */
   MtVal **rows;
   size_t count;
   MtSpool *spool;
} MtReturning;

/* A statement's RETURNING clause, and the names that it may refer to. */
typedef struct MtReturningClause {
   const MtName *alias; /* alias of the changed table */
   MtTarget *list;      /* NULL: there is no RETURNING */
   MtCte *with;
} MtReturningClause;

bool mt_returning_open (MtStatement *st, const MtTable *t, const MtReturningClause *clause,
                        MtReturning *out, MtError *err);
/* Adds a copy of a changed row, for which RETURNING is computed. */
bool mt_returning_add (MtReturning *r, const MtVal *row, MtError *err);
/* Computes RETURNING for the last batch of rows. Call it in the write step that writes the rows, so
 * that an error undoes them. */
bool mt_returning_end (MtReturning *r, MtError *err);
/* Sets the command tag of the statement's result, and, if there is a RETURNING, its rows. */
bool mt_returning_finish (MtReturning *r, const char *tag, MtError *err);

#endif
