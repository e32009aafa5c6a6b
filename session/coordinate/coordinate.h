/* Several writers on a server without transactions: intents, leases, and the state of a statement.
 * In process, and on servers with transactions, most functions do nothing. An intent is a saved
 * note of what a statement is about to write. A lease is a saved note that a session writes without
 * reading the catalog's version each time. README.md has the details. */
#ifndef MT_SESSION_COORDINATE_H
#define MT_SESSION_COORDINATE_H

#include "session/state/session.h"

/* ---- statement.c: one statement beside other writers ---- */

/* When a statement reads the catalog's version (a number that every change of the catalog
 * raises). */
typedef enum MtLook {
   MT_LOOKS_NEVER,
   MT_LOOKS_FIRST,  /* before anything else */
   MT_LOOKS_BESIDE, /* in the same command that reads the statement's rows */
   MT_LOOKS_BEHIND, /* after the statement's writes */
   MT_LOOKS_ITSELF  /* in the engine's write step, before the statement reads rows */
} MtLook;

/* How a statement ended. The table `retries` in statement.c says which outcomes run again. */
typedef enum MtOutcome {
   MT_OUTCOME_DONE,
   MT_OUTCOME_FAILED,
   MT_OUTCOME_CATALOG_CHANGED, /* the statement used an old catalog; all its writes were undone */
   /* Others changed documents that the statement had read; all its writes were undone. */
   MT_OUTCOME_OUTRUN,
   /* Other statements still write to the table (55006); all its writes were undone. */
   MT_OUTCOME_IN_USE
} MtOutcome;

/* Allocates s->coordination. The session's catalog must be open. */
void mt_coordination_init (MtSession *s);
/* Begins a statement. Reads the catalog now, unless `look` is a later moment and by_cache permits
 * the cached catalog. */
bool mt_coordination_begin (MtSession *s, MtLook look, bool by_cache, MtError *err);
/* Ends a statement, and returns its outcome. ok: the statement has succeeded so far. cur: the
 * cursor of the statement's rows, or NULL. On MT_OUTCOME_FAILED *err is set. */
MtOutcome mt_coordination_end (MtSession *s, const MtStmt *stmt, MtCursor *cur, bool ok,
                               MtError *err);
/* Pauses, and returns whether to run the statement again. tries: the number of earlier retries.
 * until_ms: the end of lock_timeout; 0: no lock_timeout. */
bool mt_coordination_retries (MtSession *s, MtOutcome o, int tries, int64_t until_ms, MtError *err);

/* Returns whether the statement uses the cached catalog, and checks by its first command that the
 * catalog is still current. */
bool mt_is_assuming (const MtSession *s);
/* Checks that the cached catalog is current, before an expression of a write reads a table. 40001
 * if the catalog has changed. */
bool mt_needs_current_catalog (MtSession *s, MtError *err);
/* Lists the table's partitions again, if the cached catalog may miss some. Call it before the table
 * is read or written. */
bool mt_needs_partitions (MtSession *s, const MtTable *t, MtError *err);
/* Records that the statement has read the catalog in its write step. */
void mt_note_catalog_read (MtSession *s);
/* Records that the statement has given a row to the writer (layouts/pack/writer.h). */
void mt_note_row (MtSession *s);
/* Records that others changed documents that the statement had read. */
void mt_note_outrun (MtSession *s);
bool mt_has_intents (const MtSession *s); /* the session has saved intents itself */
/* Returns whether the statement has already announced its change to other sessions, by an
 * intent. */
bool mt_is_announced (const MtSession *s);

/* ---- step.c: the engine's write step, and the intents that end with it ---- */

bool mt_step_begin (MtSession *s, MtError *err);
bool mt_step_commit (MtSession *s, MtError *err);
void mt_step_rollback (MtSession *s);
/* Begins an engine's write step that changes a table's documents. Saves an intent first, if the
 * step isn't one commit and the table is in several collections. mt_step_commit removes the intent.
 * mt_step_rollback removes the intent, too, unless the rollback was incomplete. */
bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err);

/* ---- confirm.c: a short write, before and after ---- */

/* Checks a write before its first row, after mt_table_step_begin. 40001 if a statement that
 * rewrites the table's documents may have missed this write. */
bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err);
/* Sends all waiting rows before the commit, and checks that the table's description has not
 * changed. *now: the current table. *now NULL: the statement must save the table's description, so
 * that other sessions notice the write. */
bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err);
/* Adds a detail to a serialization failure (40001): rows of the statement may be left in documents
 * that others rewrote meanwhile. */
void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version,
                         size_t layouts, MtError *err);

/* ---- lease.c ---- */

/* Returns whether statements on this target use leases. Only servers without transactions need
 * them. */
bool mt_leases_apply (const MtSession *s);
/* Returns whether the catalog's version was read so recently that a statement may begin without
 * reading it again. */
bool mt_look_is_fresh (const MtSession *s);
/* Sets *same: when the last sent rows arrived, nobody had changed the catalog. The session's lease
 * shows this, or a new read of the version. */
bool mt_lease_confirms (MtSession *s, bool *same, MtError *err);
/* Waits until statements that use an older catalog have ended. Call it after a catalog change was
 * saved or announced. always: waits even if no session has a lease, for statements that read the
 * version after their writes. */
bool mt_leases_run_out (MtSession *s, bool always, MtError *err);
/* Like mt_leases_run_out, for a change that can't be undone. Errors are ignored, and a cancel
 * doesn't end the wait. */
void mt_leases_run_out_behind (MtSession *s);
void mt_lease_end (MtSession *s); /* removes the session's own lease */

/* ---- suspend.c ---- */

/* The cancel, the deadline and the shortage of memory that a clean-up has suspended
 * (mt_cancel_suspend), because other clients depend on the clean-up. The clean-up ends at until_ms
 * (steady clock) at the latest. A second cancel also ends the clean-up. */
typedef struct MtSuspended {
   bool requested;
   int64_t deadline_ms;
   int shortage;
} MtSuspended;

MtSuspended mt_cancel_suspend (MtSession *s, int64_t until_ms);
void mt_cancel_resume (MtSession *s, MtSuspended before);

/* ---- intent.c: the session's own intents ---- */

#define MT_INTENDS_WRITE "write"
#define MT_INTENDS_CREATE "create"
#define MT_INTENDS_REWRITE "rewrite" /* the writer reads documents, and replaces them */
#define MT_INTENDS_TRUNCATE "truncate"
/* The writer writes a materialized view again, into new collections. */
#define MT_INTENDS_REFRESH "refresh"
#define MT_INTENDS_DROP "drop"
#define MT_INTENDS_DROP_LAYOUT "drop layout"

/* A field of an intent's body: the writer (UPDATE or DELETE) checks by itself whether others
 * changed the documents first. */
#define MT_INTENT_LOOKS "looks"

/* Returns whether statements save intents on this target. They do if others see a step's writes
 * before the step's commit. */
bool mt_intents_apply (const MtSession *s);
/* Saves an intent: the statement is about to do `what` (MT_INTENDS_…) to the table, and to create
 * these collections. Does nothing if steps are one commit. */
bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections,
                size_t count, MtError *err);
/* Returns whether an intent of this session's statement or transaction creates the collection. */
bool mt_intends_collection (MtStatement *st, const char *collection);
/* Removes the session's intents. Warns if another client had already removed one of them. */
void mt_intents_end (MtSession *s);
/* Removes the session's intents, after the statement was undone. Returns the number of intents that
 * others had already removed. */
size_t mt_intents_drop (MtSession *s);
/* Returns whether other clients may have computed states of roll-ups (mt_store_joins) from rows of
 * the statement or transaction, which was undone, and warns. Then its intents must stay: readers
 * take the records until REPAIR TABLE. */
bool mt_undone_was_read (MtSession *s);
/* Leaves the session's intents in the catalog, for a statement that can't be undone. They give no
 * more signs of life, so others will take the writer for dead. */
void mt_intents_leave (MtSession *s);
/* Checks that all intents of the session are still stored. 40001 if another client has removed
 * one. */
bool mt_intents_stand (MtSession *s, MtError *err);

/* ---- others.c: the intents of other writers ---- */

typedef struct MtIntent {
   const char *name, *what; /* what: one of MT_INTENDS_…, "add layout" or "rebuild" */
   int64_t at_ms;
   MtVal collections; /* array of the collections that the writer creates */
} MtIntent;

/* Returns the intents of other writers about a table, as of the last read of the catalog. In arena
 * a. */
MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* Returns a text field of an intent's body, in arena a. NULL: no such field, or no text. */
const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name);
/* Sends the user a notice for each intent of another writer about the table. */
void mt_tell_intents (MtStatement *st, const MtTable *t);
/* Checks that all writers with an intent about the table are dead. 55006 if one may be alive. */
bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Checks, before rewritten documents replace a table's documents, that no other client has written
 * to the table. 40001 if one has; 55006 if one still writes. */
bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err);
/* Removes other clients' intents to write to a table. Their statements then fail with 40001 before
 * they commit. */
bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err);
/* ---- leftover.c: what dead writers leave ---- */

/* Removes the intents of a list, and the collections that the intents' writers have created. */
bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count,
                       MtError *err);
/* Removes the intents of dead writers about a table, and the collections that these writers have
 * created. DROP TABLE calls it first. */
bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Removes the remains of a CREATE TABLE or DROP TABLE of this name whose writer died. CREATE TABLE
 * calls it first. 55006 if that writer may be alive. */
bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err);
/* Checks a collection that belongs to no table of the catalog. 55000 if a CREATE TABLE or DROP
 * TABLE works on the collection, or died while it did. */
bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err);
/* Checks that no other writer is about to create the collection. 55000 if an intent names it. */
bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection,
                             MtError *err);
/* Returns the name by which an intent names a store's collection. A partitioned store has one name
 * for all partitions, such as calls_YYYY_MM. In arena a, or borrowed from the store. */
const char *mt_intended_name (MtArena *a, const MtStoreDesc *s);

/* ---- alive.c: whether other writers are alive ---- */

bool mt_intent_may_live (const MtSession *s, const MtIntent *i);
/* Waits until each intent about the statement's tables is gone, or its writer has proved alive or
 * dead. Called before a statement creates, changes or drops tables. Then reads the catalog again,
 * so the caller must not hold pointers into the catalog. */
bool mt_intents_await (MtStatement *st, MtError *err);
/* Waits until all statements that now add rows to the table have ended. 55006 if one goes on. Does
 * not wait for UPDATE and DELETE, which check for changes by others themselves. Does not read the
 * catalog again. */
bool mt_adders_end (MtStatement *st, const MtTable *t, MtError *err);
/* The same for all statements, and transactions, that have saved an intent about the table. */
bool mt_writers_end (MtStatement *st, const MtTable *t, MtError *err);

/* ---- promise.c: for EXPLAIN ---- */

/* Returns EXPLAIN's text on how rows are added to a store's documents. In arena a. */
const char *mt_how_rows_are_added (MtArena *a, const MtTable *t, const MtStoreDesc *s,
                                   const MtLayout *l, const MtCaps *caps);
/* Returns EXPLAIN's text on the commit: whether it is atomic, and when it is durable
 * (MtWritePlan.commit). adds: the statement only adds rows. In the statement's arena. */
const char *mt_commit_promise (MtStatement *st, const MtTable *t);

#endif
