/* Results: the rows that a statement returns, and how they are computed. */
#ifndef MT_SESSION_RESULT_H
#define MT_SESSION_RESULT_H

#include "engine/engine.h"
#include "include/mtsql.h"
#include "planner/plan/plan.h"

/* Where the rows of a result come from. */
typedef enum MtResultKind {
   MT_RESULT_TAG,    /* there are no rows */
   MT_RESULT_CURSOR, /* the cursor of a plan */
   MT_RESULT_ROWS    /* cells: rows of text in memory */
} MtResultKind;

struct MtResult {
   MtSession *session;
   MtArena *arena; /* the statement's */
   bool statement; /* the client's result: the session reuses the arena for the next statement */
   MtResultKind kind;
   const char *tag;
   bool counts_rows; /* the number of rows follows the tag */
   uint64_t rows;    /* read so far */

   MtRelColumn *columns;
   size_t column_count;
   MtVal *values; /* the current row */
   MtBuf *texts;  /* the current row as text, where printed[column] */
   bool *printed;

   MtPlan *plan;
   /* The cursor from which the rows are read. NULL: all rows are read. */
   MtCursor *cursor;
   /* The engine's cursor: the same as `cursor`, or the one from which `cursor` reads. NULL if the
    * plan has arms (parts of a union). */
   MtCursor *remote;
   MtRunStats read; /* sum over the arms that are read to the end */
   MtTextStyle style;
   bool unprinted; /* the caller reads only `values`, so `texts` are not made */
   bool looks;     /* the first command sent also reads the catalog's version */

   bool ends_script; /* reading the last row ends the implicit transaction */
   MtError *verdict; /* faults that CHECK found; NULL: none */

   const char ***cells; /* MT_RESULT_ROWS: cells[row][column], NULL for SQL NULL */
   size_t cell_rows, cell_capacity, at;

   int64_t started_us, planned_us, execute_us;
};

/* Makes an empty result in arena a, which the result then owns. */
MtResult *mt_result_new (MtSession *s, MtArena *a);
/* Closes the cursors, so that the result returns no more rows. */
void mt_result_close (MtResult *r);
/* Sets the command tag, such as "SELECT"; borrowed. */
void mt_result_set_tag (MtResult *r, const char *tag);
/* Gives the result `count` columns of type text with these names. Call it before
 * mt_result_add_row. */
void mt_result_text_columns (MtResult *r, size_t count, const char *const *names);
/* Adds a row of texts. The array is copied, but the texts are borrowed as long as the result
 * lives. */
void mt_result_add_row (MtResult *r, const char *const *cells);
/* Gives the result these columns, but no rows. The columns are borrowed as long as the result
 * lives. count 0: the result has only a command tag. */
void mt_result_no_rows (MtResult *r, MtRelColumn *columns, size_t count);
/* Starts to run a plan, whose rows mt_result_next then returns. want_stats: collects run
 * statistics. */
bool mt_result_run (MtResult *r, MtPlan *plan, bool want_stats, MtError *err);
/* Makes the result return the documents {c0: …} of `next` as rows with the columns of the plan. */
bool mt_result_rows (MtResult *r, const MtPlan *plan, MtNextDoc next, void *ctx, MtError *err);
/* Sets *doc to the next row as a document, borrowed until the next call; NULL: no more rows. */
bool mt_result_next_doc (MtResult *r, const bson_t **doc, MtError *err);
/* Call it after an error: marks the transaction as failed, if r is the result that the client
 * reads. Returns false. */
bool mt_result_failed (MtResult *r);
/* If the error comes from an aggregation operator (division by zero, overflow), replaces it by
 * PostgreSQL's message (22012, 22003). Other errors stay. Returns false. */
bool mt_in_sql_words (const MtResult *r, MtError *err);
/* Returns the statistics of the stages that the engine has run so far. The array of stages is
 * borrowed as long as the result lives. */
void mt_result_stats (const MtResult *r, MtRunStats *out);
/* Sets *out to the statistics of the stages that run in this process after the server's. Returns
 * false if there are none. */
bool mt_result_stats_here (const MtResult *r, MtRunStats *out);

#endif
