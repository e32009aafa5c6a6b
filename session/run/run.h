/* Running statements: scripts, transactions, cursors, prepared statements. */
#ifndef MT_SESSION_RUN_H
#define MT_SESSION_RUN_H

#include "session/coordinate/coordinate.h"
#include "session/core/core.h"

/* Parses a statement, reads the catalog if necessary, and initializes *out for running the
 * statement. */
bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out,
                         MtError *err);

/* Checks whether the statement may change the objects that it names. Errors: 42501, 3F000,
 * 0A000. */
bool mt_check_names (MtStatement *st, MtError *err);
/* Runs LOCK TABLE … IN ACCESS SHARE MODE: checks that the tables exist, and sends a notice. */
bool mt_run_lock (MtStatement *st, MtError *err);
/* Replaces st->stmt by a copy in which relations have their names in the catalog (place.c). Errors:
 * 3F000, 42P01, 0A000 a name of another database. */
bool mt_place_names (MtStatement *st, MtError *err);

/* Sets *out to the prepared statement that `execute`, an EXECUTE, names, with the values of its
 * parameters. All other members are copied from st. */
bool mt_execute_begin (const MtStatement *st, const MtStmt *execute, MtStatement *out,
                       MtError *err);

/* Runs BEGIN, COMMIT, ROLLBACK, SAVEPOINT and so on. */
bool mt_run_transaction (MtStatement *st, MtError *err);

/* Checks whether a statement may run in the current state of the transaction; fails with 25P02 if
 * the transaction has failed. Does not read the catalog. stmt may be NULL. */
bool mt_transaction_admits (MtSession *s, const MtStmt *stmt, MtError *err);
/* Fails with 25006 if the transaction is read-only and the statement writes. */
bool mt_transaction_may_write (MtSession *s, const MtStmt *stmt, MtError *err);

/* Begin and end a statement that writes; both do nothing for other statements. mt_write_begin takes
 * the engine's writer lock, and reads the catalog again, because another process may have changed
 * it. All write steps of the statement become one. *own: they are not part of a transaction block,
 * so mt_write_end commits or rolls back. mt_write_end returns false if `ok` is false or the commit
 * fails. */
bool mt_write_begin (MtStatement *st, bool *own, MtError *err);
bool mt_write_end (MtStatement *st, bool own, bool ok, MtError *err);

/* These functions begin and end the implicit transaction of a text with several statements
 * (session/run/script.c). On a server without transactions, there may be none; then each statement
 * commits separately. mt_transaction_begin_implicit does nothing within a transaction block, and
 * mt_transaction_end_implicit nothing outside of an implicit transaction. */
bool mt_transaction_can_be_implicit (const MtSession *s, const MtScript *script);
bool mt_transaction_is_implicit (const MtSession *s);
bool mt_transaction_begin_implicit (MtSession *s, const MtScript *script, MtError *err);
bool mt_transaction_end_implicit (MtSession *s, MtError *err);

/* Returns whether the statement writes, so that a read-only transaction refuses it. */
bool mt_stmt_writes (const MtStmt *stmt);

/* Returns the statement's name for the error that a read-only transaction refuses it; NULL: it only
 * reads. */
const char *mt_stmt_writes_as (const MtStmt *stmt);
bool mt_stmt_adds_rows (const MtStmt *stmt); /* inserts or changes rows */

/* Returns whether the catalog is read before the statement runs. At the end of a transaction block
 * it is not, so that COMMIT and ROLLBACK do not wait for a server. */
bool mt_stmt_needs_catalog (const MtStmt *stmt);

/* These return whether the statement creates or drops collections or indexes, and whether a server
 * can undo it. */
bool mt_stmt_defines (const MtStmt *stmt);
bool mt_stmt_is_undoable (const MtStmt *stmt);

/* Ends the implicit transaction of a text with several statements, after the last row of its last
 * result was read (MtUpper.ended). */
bool mt_script_ended (MtResult *r, MtError *err);
/* Ends the implicit transaction if the last result is freed before its last row was read
 * (MtUpper.left). */
void mt_script_left (MtResult *r);

bool mt_run_declare (MtStatement *st, MtError *err);
bool mt_run_fetch (MtStatement *st, MtError *err);
bool mt_run_close (MtStatement *st, MtError *err);
/* Reads all remaining rows of the cursors WITH HOLD. Call it before COMMIT. */
bool mt_cursors_commit (MtSession *s, MtError *err);
/* Closes the cursors of the transaction that ends. After a COMMIT, cursors WITH HOLD stay open. */
void mt_cursors_end (MtSession *s, bool committed);
/* Closes the cursors that were declared after the savepoint with this depth, to which ROLLBACK TO
 * returns. */
void mt_cursors_undone (MtSession *s, size_t depth);
/* Makes cursors of released savepoints, those deeper than `depth`, belong to the savepoint with
 * this depth. */
void mt_cursors_released (MtSession *s, size_t depth);
/* Closes all cursors. */
void mt_cursors_close (MtSession *s);

/* Returns whether the statement only changes rows of a temporary table, which read-only
 * transactions allow. */
bool mt_changes_temporary_rows (MtSession *s, const MtStmt *stmt);

/* If the statement changes only temporary tables, makes the engine's write steps go to the
 * temporary store. */
bool mt_aim (MtStatement *st, MtError *err);

/* mt_temporary_commit runs the ON COMMIT actions of temporary tables before a commit;
 * mt_temporary_discard drops all temporary tables. */
bool mt_temporary_commit (MtSession *s, MtError *err);
bool mt_temporary_discard (MtSession *s, MtError *err);

/* Registers the session's SQL functions (ops.c) as operators of its engine. */
bool mt_register_session_ops (MtSession *s, MtError *err);
bool mt_run_discard (MtStatement *st, MtError *err);
/* Rolls the transaction back, whatever its state is. */
void mt_transaction_abandon (MtSession *s);
/* Return when a statement, or the prepared statement of this name, reads the catalog. */
MtLook mt_look_of (const MtStmt *stmt);
MtLook mt_prepared_look (MtSession *s, const MtName *name);
/* Runs an initialized statement: checks, takes locks, and calls the function of its row in the
 * table of statements. */
bool mt_run_stmt (MtStatement *st, MtError *err);
/* Binds a SELECT, INSERT, UPDATE or DELETE without running it, and sets *out to its columns. */
bool mt_check_statement (MtStatement *st, MtColumnList *out, MtError *err);
/* Parses and runs one statement, and runs it again if other clients have changed its tables
 * meanwhile. *out is owned by the caller: mt_result_free. */
bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err);
/* A statement to run: an SQL text, or a statement of mt_prepare with the values of its
 * parameters. */
typedef struct MtToRun {
   MtStr sql;
   const MtPrepared *prepared; /* NULL: a text */
   const MtVal *values;
   size_t count;
} MtToRun;
/* Like mt_run_one, for a text or a prepared statement. The parameters' values are converted before
 * the statement runs. */
bool mt_run_given (MtSession *s, const MtToRun *what, MtResult **out, MtError *err);
/* Sets the parameters of st to the values for a statement of mt_prepare. Errors about values are
 * those of mt_execute. */
bool mt_prepared_values (MtStatement *st, const MtToRun *what, MtError *err);
bool mt_run_prepare (MtStatement *st, MtError *err);
bool mt_run_execute (MtStatement *st, MtError *err);
bool mt_run_deallocate (MtStatement *st, MtError *err);
/* Removes all prepared statements. */
void mt_prepared_forget (MtSession *s);
/* Sets *out to the columns of the cursor that a FETCH reads; none for MOVE. Borrowed from the
 * cursor. */
bool mt_fetch_columns (MtStatement *st, MtColumnList *out, MtError *err);

#endif
