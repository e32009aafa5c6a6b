/* The table of statements, with one row for each kind of statement. To add a kind: add its grammar
 * and syntax tree in parser/, a row in statements.c, its function, and a golden file. */
#ifndef MT_STATEMENT_H
#define MT_STATEMENT_H

#include "session/core/core.h"
#include "session/state/session.h"

#include <stddef.h>

#define MT_SF_WRITES 1u  /* a read-only transaction refuses it */
#define MT_SF_DEFINES 2u /* creates or drops collections, which a server's transaction cannot do */
#define MT_SF_FINAL 4u   /* cannot be undone together with other statements */
#define MT_SF_APART 8u   /* reads and writes no table, so a snapshot can begin later */
#define MT_SF_NO_CATALOG 16u /* runs without the catalog */
#define MT_SF_ROWS 32u       /* changes rows; of temporary tables also in read-only transactions */
#define MT_SF_TEMPORARY 64u  /* can name a temporary table */
#define MT_SF_NAMES 128u     /* names a list of objects: MtStmt.drop.names */

typedef struct MtStmtRow {
   const char *name; /* for error messages */
   bool (*run) (MtStatement *st, MtError *err);
   unsigned flags; /* MT_SF_… */
   /* The offsets, in MtStmt, of the schema and the name of the object that the statement names. 0:
    * it names none, or a list. */
   size_t schema_at, name_at;
   /* Checks whether the statement may change the object that it names. Errors: 42501, 3F000, 0A000.
    * NULL: it always may. */
   bool (*admits) (MtStatement *st, MtError *err);
   /* Sets *out to the result's columns without running the statement (session/run/describe.c).
    * NULL: it returns no rows. */
   bool (*describe) (MtStatement *st, MtColumnList *out, MtError *err);
   /* Used instead of MT_SF_WRITES if the statement's clauses decide whether it writes. Returns the
    * statement's name for errors; NULL: it only reads. */
   const char *(*writes) (const MtStmt *s);
} MtStmtRow;

const MtStmtRow *mt_stmt_row (const MtStmt *s); /* static */

/* These return the schema and the name of the object that a statement names; NULL: it names none,
 * or a list. Borrowed from s. */
static inline const MtName *mt_stmt_schema (const MtStmt *s)
{
   size_t at = mt_stmt_row (s)->schema_at;
   return at ? (const MtName *) (const void *) ((const char *) s + at) : NULL;
}
static inline const MtName *mt_stmt_target (const MtStmt *s)
{
   size_t at = mt_stmt_row (s)->name_at;
   return at ? (const MtName *) (const void *) ((const char *) s + at) : NULL;
}

/* Functions for the members `admits` (targets.c) and `describe` (describe.c). */
bool mt_may_change_target (MtStatement *st, MtError *err);
bool mt_may_create_target (MtStatement *st, MtError *err);
bool mt_may_drop (MtStatement *st, MtError *err);
bool mt_may_copy (MtStatement *st, MtError *err);
bool mt_may_analyze (MtStatement *st, MtError *err);
bool mt_may_check (MtStatement *st, MtError *err);
bool mt_describe_query (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_describe_execute (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_describe_explain (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_describe_declare (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_describe_show (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_describe_fetch (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_describe_by_running (MtStatement *st, MtColumnList *out, MtError *err); /* always 0A000 */

bool mt_run_select (MtStatement *st, MtError *err);

#endif
