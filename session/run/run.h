/* Running statements: scripts, transactions, cursors, prepared statements. */
#ifndef MT_SESSION_RUN_H
#define MT_SESSION_RUN_H

#include "session/core/core.h"

/* Parses and sets up; the catalog is fresh. */
bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out,
                         MtError *err);

/* Whether the statement may change what it names: 42501 for what is the catalog's own, 3F000 for a
 * schema that doesn't exist. */
bool mt_check_names (MtStatement *st, MtError *err);

/* The statement that st's EXECUTE is about, with its parameters' values: *out is st but for
 * that. */
bool mt_execute_begin (const MtStatement *st, const MtStmt *execute, MtStatement *out,
                       MtError *err);

bool mt_run_transaction (MtStatement *st, MtError *err);

/* Whether a statement may run in the state that the session is in, before the catalog is looked at:
 * 25P02. stmt may be NULL. */
bool mt_transaction_admits (MtSession *s, const MtStmt *stmt, MtError *err);
bool mt_transaction_may_write (MtSession *s, const MtStmt *stmt, MtError *err); /* 25006 */

/* Around a statement, which does nothing unless it writes and the engine has a writer's lock: the
 * lock is taken and the catalog read again, so that nothing is bound to what another process
 * changed; the statement's steps are one. *own: they aren't part of a transaction block.
 * mt_write_end gives back `ok`, or that the commit failed. */
bool mt_write_begin (MtStatement *st, bool *own, MtError *err);
bool mt_write_end (MtStatement *st, bool own, bool ok, MtError *err);

/* The transaction that several statements in one text are (session/run/script.c). The target may
 * have none for them: then each statement is by itself. The third does nothing in a block, the last
 * does nothing outside of it. */
bool mt_transaction_can_be_implicit (const MtSession *s, const MtScript *script);
bool mt_transaction_is_implicit (const MtSession *s);
bool mt_transaction_begin_implicit (MtSession *s, const MtScript *script, MtError *err);
bool mt_transaction_end_implicit (MtSession *s, MtError *err);

/* Whether a read-only transaction refuses the statement. */
bool mt_stmt_writes (const MtStmt *stmt);

/* What it writes as, for errors; NULL: it writes nothing. */
const char *mt_stmt_writes_as (const MtStmt *stmt);
bool mt_stmt_adds_rows (const MtStmt *stmt); /* or changes them */

/* Whether the catalog is read before the statement runs. The end of a block waits for no server. */
bool mt_stmt_needs_catalog (const MtStmt *stmt);

/* Whether it makes or drops collections or indexes; whether a server can take back what it does. */
bool mt_stmt_defines (const MtStmt *stmt);
bool mt_stmt_is_undoable (const MtStmt *stmt);

/* The last row of a result that ends a script was read; it is freed before that. */
bool mt_script_ended (MtResult *r, MtError *err);
void mt_script_left (MtResult *r);

bool mt_run_declare (MtStatement *st, MtError *err);
bool mt_run_fetch (MtStatement *st, MtError *err);
bool mt_run_close (MtStatement *st, MtError *err);
bool mt_cursors_commit (MtSession *s, MtError *err); /* those WITH HOLD read all their rows */
void mt_cursors_end (MtSession *s, bool committed);  /* their transaction is over */
void mt_cursors_undone (
   MtSession *s, size_t depth); /* those declared behind the savepoint of this depth are closed */
void mt_cursors_released (MtSession *s, size_t depth); /* savepoints beyond this depth are gone */
void mt_cursors_close (MtSession *s);                  /* all */

/* INSERT, UPDATE, DELETE, COPY of one: which even a read-only transaction may do. */
bool mt_changes_temporary_rows (MtSession *s, const MtStmt *stmt);

/* Before a statement that writes: the engine's steps are the temporary store's alone where it is
 * about nothing else. */
bool mt_aim (MtStatement *st, MtError *err);

/* What ON COMMIT says, in the transaction that is about to be committed; DISCARD TEMP. */
bool mt_temporary_commit (MtSession *s, MtError *err);
bool mt_temporary_discard (MtSession *s, MtError *err);

bool mt_register_session_ops (MtSession *s, MtError *err); /* session/run/ops.c */
bool mt_run_discard (MtStatement *st, MtError *err);
void mt_transaction_failed (MtSession *s);
void mt_transaction_abandon (MtSession *s); /* ROLLBACK, whatever the state */
MtLook mt_look_of (const MtStmt *stmt);
MtLook mt_prepared_look (MtSession *s, const MtName *name);
bool mt_run_stmt (MtStatement *st, MtError *err);
bool mt_check_statement (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err);
bool mt_run_prepare (MtStatement *st, MtError *err); /* session/run/prepare.c */
bool mt_run_execute (MtStatement *st, MtError *err);
bool mt_run_deallocate (MtStatement *st, MtError *err);
void mt_prepared_forget (MtSession *s); /* all */
bool mt_fetch_columns (MtStatement *st, MtColumnList *out,
                       MtError *err); /* of a FETCH, none of a MOVE; the cursor's own */

#endif
