/* Expressions over rows that are at hand: RETURNING, and what UPDATE and DELETE compute. */
#ifndef MT_ROWS_H
#define MT_ROWS_H

#include "base/spool.h"
#include "session/state/session.h"

/* A query over a table's columns, as a pipeline over rows {c0: …, c1: …} that are given to it; its
 * documents are {c0: …} by target. q must be over the table alone; it is changed. In the
 * statement's arena. */
bool mt_rows_plan (MtStatement *st, MtQuery *q, MtPlan **out, MtError *err);

/* A row as {c0: …}, appended to `out`; and back, borrowed from the document. */
bool mt_row_write (const MtVal *row, size_t width, bson_t *out, MtError *err);
void mt_row_read (const bson_t *doc, size_t width, MtVal *row);

/* Called for each row, in order; doc is borrowed during the call. */
typedef bool (*MtRowOut) (void *ctx, size_t row, const bson_t *doc, MtError *err);
bool mt_rows_run (MtStatement *st, const MtPlan *plan, MtVal *const *rows, size_t count,
                  size_t width, MtRowOut out, void *ctx, MtError *err);

/* SELECT targets FROM t AS alias, as a tree; alias.text NULL: none. */
MtSelect *mt_rows_select (MtStatement *st, const MtTable *t, const MtName *alias, MtTarget *targets,
                          MtExpr *where);
/* A table's column, and all of them as a select list. */
MtExpr *mt_column_expr (MtArena *a, const MtColumn *c, MtSpan span);
MtTarget *mt_rows_columns (MtStatement *st, const MtTable *t);

/* ---- RETURNING ---- */

typedef struct MtReturning {
   MtStatement *st;
   MtPlan *plan;     /* NULL: no RETURNING */
   size_t width;     /* columns of a row */
   MtSelect *around; /* its sub-selects refer to the rows: bound and run for each batch of them;
                        NULL: there are none like that */
   MtArena *a;       /* of the rows that wait */
   MtVal **rows;
   size_t count;
   MtSpool *spool;
} MtReturning;

bool mt_returning_open (MtStatement *st, const MtTable *t, const MtName *alias, MtTarget *list,
                        MtCte *with, MtReturning *out, MtError *err);
bool mt_returning_add (MtReturning *r, const MtVal *row, MtError *err); /* copied */
/* After the last row, in the step that writes them: what can't be computed undoes it. */
bool mt_returning_end (MtReturning *r, MtError *err);
/* The statement's result: the rows, if there is a RETURNING, and the tag. */
bool mt_returning_finish (MtReturning *r, const char *tag, MtError *err);

#endif
