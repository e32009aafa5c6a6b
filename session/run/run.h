/* Running statements: scripts, transactions, cursors, prepared statements. */
#ifndef MT_SESSION_RUN_H
#define MT_SESSION_RUN_H

#include "session/coordinate/coordinate.h"
#include "session/core/core.h"

/* Parses a statement and sets it up, with the current catalog. */
bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out,
                         MtError *err);

/* Checks whether the statement may change the objects that it names; 42501, 3F000, 0A000. */
bool mt_check_names (MtStatement *st, MtError *err);
/* LOCK TABLE … IN ACCESS SHARE MODE: checks that the tables exist, and gives a notice. */
bool mt_run_lock (MtStatement *st, MtError *err);
/* Replaces st->stmt by a copy with the names of relations as the catalog has them (place.c); 3F000,
 * 42P01, 0A000 for another database. */
bool mt_place_names (MtStatement *st, MtError *err);

/* Sets *out to the prepared statement that an EXECUTE names, with the values of its parameters.
 * The rest is copied from st. */
bool mt_execute_begin (const MtStatement *st, const MtStmt *execute, MtStatement *out,
                       MtError *err);

/* BEGIN, COMMIT, ROLLBACK, SAVEPOINT and so on. */
bool mt_run_transaction (MtStatement *st, MtError *err);

/* Checks whether a statement may run now; 25P02 in a failed transaction. It does not read the
 * catalog. stmt may be NULL. */
bool mt_transaction_admits (MtSession *s, const MtStmt *stmt, MtError *err);
/* 25006 if a read-only transaction refuses the statement */
bool mt_transaction_may_write (MtSession *s, const MtStmt *stmt, MtError *err);

/* Begin and end a statement that writes. mt_write_begin takes the engine's writer lock and reads
 * the catalog again, because another process may have changed it. All steps of the statement become
 * one. *own: they are no part of a transaction block. mt_write_end commits or rolls back, and
 * returns false if `ok` is false or the commit fails. Both do nothing for statements that only
 * read. */
bool mt_write_begin (MtStatement *st, bool *own, MtError *err);
bool mt_write_end (MtStatement *st, bool own, bool ok, MtError *err);

/* The implicit transaction of a text with several statements (session/run/script.c). A target
 * without transactions may have none; then each statement commits by itself.
 * mt_transaction_begin_implicit does nothing in a block, mt_transaction_end_implicit nothing
 * outside of one. */
bool mt_transaction_can_be_implicit (const MtSession *s, const MtScript *script);
bool mt_transaction_is_implicit (const MtSession *s);
bool mt_transaction_begin_implicit (MtSession *s, const MtScript *script, MtError *err);
bool mt_transaction_end_implicit (MtSession *s, MtError *err);

/* Whether a read-only transaction refuses the statement. */
bool mt_stmt_writes (const MtStmt *stmt);

/* The statement's name for the error of a read-only transaction; NULL: it only reads. */
const char *mt_stmt_writes_as (const MtStmt *stmt);
bool mt_stmt_adds_rows (const MtStmt *stmt); /* inserts or changes rows */

/* Whether the catalog is read before the statement runs. It is not at the end of a block, which
 * must not wait for a server. */
bool mt_stmt_needs_catalog (const MtStmt *stmt);

/* Whether the statement creates or drops collections or indexes; whether a server can undo it. */
bool mt_stmt_defines (const MtStmt *stmt);
bool mt_stmt_is_undoable (const MtStmt *stmt);

/* MtUpper.ended: called when the last row of a script's last result was read. Ends the script's
 * implicit transaction. */
bool mt_script_ended (MtResult *r, MtError *err);
/* MtUpper.left: called when a script's last result is freed before its last row was read. */
void mt_script_left (MtResult *r);

bool mt_run_declare (MtStatement *st, MtError *err);
bool mt_run_fetch (MtStatement *st, MtError *err);
bool mt_run_close (MtStatement *st, MtError *err);
/* Reads all rows of cursors WITH HOLD before COMMIT. */
bool mt_cursors_commit (MtSession *s, MtError *err);
/* Closes the transaction's cursors at its end; after COMMIT those WITH HOLD stay. */
void mt_cursors_end (MtSession *s, bool committed);
/* Closes the cursors declared after the savepoint of this depth. */
void mt_cursors_undone (MtSession *s, size_t depth);
/* Moves cursors out of released savepoints deeper than this. */
void mt_cursors_released (MtSession *s, size_t depth);
/* Closes all cursors. */
void mt_cursors_close (MtSession *s);

/* Whether the statement only changes rows of a temporary table, which read-only transactions
 * allow. */
bool mt_changes_temporary_rows (MtSession *s, const MtStmt *stmt);

/* Directs the engine's steps to the temporary store if the statement changes temporary tables
 * only. */
bool mt_aim (MtStatement *st, MtError *err);

/* Runs the ON COMMIT actions of temporary tables before a commit; drops all temporary tables. */
bool mt_temporary_commit (MtSession *s, MtError *err);
bool mt_temporary_discard (MtSession *s, MtError *err);

/* Registers the operators of ops.c in the session's engine. */
bool mt_register_session_ops (MtSession *s, MtError *err);
bool mt_run_discard (MtStatement *st, MtError *err);
/* Rolls the transaction back in any state. */
void mt_transaction_abandon (MtSession *s);
/* When the statement, or a prepared statement, reads the catalog. */
MtLook mt_look_of (const MtStmt *stmt);
MtLook mt_prepared_look (MtSession *s, const MtName *name);
/* Runs a statement that is set up: checks, locks, and calls the function of its row. */
bool mt_run_stmt (MtStatement *st, MtError *err);
/* Binds a SELECT, INSERT, UPDATE or DELETE without running it, and returns its columns. */
bool mt_check_statement (MtStatement *st, MtColumnList *out, MtError *err);
/* Parses and runs one statement, again if other clients changed its tables. *out is owned by the
 * caller. */
bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err);
/* A statement to run: a text, or a statement of mt_prepare with its values. */
typedef struct MtToRun {
   MtStr sql;
   const MtPrepared *prepared; /* NULL: a text */
   const MtVal *values;
   size_t count;
} MtToRun;
/* Like mt_run_one. Values are read before the statement runs. */
bool mt_run_given (MtSession *s, const MtToRun *what, MtResult **out, MtError *err);
/* Gives st the parameters of a statement of mt_prepare; the errors of mt_execute about values. */
bool mt_prepared_values (MtStatement *st, const MtToRun *what, MtError *err);
bool mt_run_prepare (MtStatement *st, MtError *err);
bool mt_run_execute (MtStatement *st, MtError *err);
bool mt_run_deallocate (MtStatement *st, MtError *err);
/* Removes all prepared statements. */
void mt_prepared_forget (MtSession *s);
/* The columns of a FETCH; none for MOVE. Borrowed from the cursor. */
bool mt_fetch_columns (MtStatement *st, MtColumnList *out, MtError *err);

#endif
