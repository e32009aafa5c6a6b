/* Statements: one row each. What kind a statement is, whether it writes, what it is about, how it
 * is checked, described and run. To add one: grammar and tree in parser/, a row in statements.c,
 * its function, a golden file. */
#ifndef MT_STATEMENT_H
#define MT_STATEMENT_H

#include "session/core/core.h"
#include "session/state/session.h"

#include <stddef.h>

#define MT_SF_WRITES 1u  /* a read-only transaction can't have it */
#define MT_SF_DEFINES 2u /* makes or drops collections, which a server's transaction can't hold */
#define MT_SF_FINAL 4u   /* can't be undone together with other statements */
#define MT_SF_APART \
   8u /* reads and writes no table: a transaction's snapshot isn't taken for it
       * \ */
#define MT_SF_NO_CATALOG 16u /* needs no look at the catalog */
#define MT_SF_ROWS 32u       /* changes rows: of temporary tables in read-only transactions, too */
#define MT_SF_TEMPORARY 64u  /* may be about a temporary table */
#define MT_SF_NAMES 128u     /* is about MtStmt.drop.names, a list */

typedef struct MtStmtRow {
   const char *name; /* as errors name it */
   bool (*run) (MtStatement *st, MtError *err);
   unsigned flags; /* MT_SF_… */
   size_t schema_at,
      name_at; /* in MtStmt, the MtName of what it is about; 0: of nothing, or of several */
   /* Whether it may be about what it names: 42501, 3F000, 0A000. NULL: it always may. */
   bool (*admits) (MtStatement *st, MtError *err);
   /* Its columns, without running it (session/run/describe.c); NULL: it has none. */
   bool (*describe) (MtStatement *st, MtColumnList *out, MtError *err);
   /* Where its clauses decide: what it writes as, NULL when it doesn't write. Instead of
    * MT_SF_WRITES. */
   const char *(*writes) (const MtStmt *s);
} MtStmtRow;

const MtStmtRow *mt_stmt_row (const MtStmt *s); /* static */

/* What a statement is about; NULL: nothing, or several. Borrowed from s. */
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

/* The rows' `admits` (targets.c) and `describe` (describe.c). */
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
bool mt_describe_by_running (MtStatement *st, MtColumnList *out, MtError *err); /* 0A000 */

bool mt_run_select (MtStatement *st, MtError *err); /* session.c */

#endif
