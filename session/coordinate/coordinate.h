/* Coordinates several writers on a server without transactions. On the embedded engine, and on
 * servers with transactions, most of these functions do nothing. An intent is a note in the catalog
 * of what a statement is about to write. A lease is a note in the catalog that a session makes
 * short writes without reading the catalog's version each time. README.md has the details. */
#ifndef MT_SESSION_COORDINATE_H
#define MT_SESSION_COORDINATE_H

#include "session/state/session.h"

/* ---- statement.c: the state of a statement ---- */

/* When a statement reads the catalog's version, a number that each change of the catalog
 * increments. */
typedef enum MtLook {
   MT_LOOKS_NEVER,
   MT_LOOKS_FIRST,  /* before it does anything else */
   MT_LOOKS_BESIDE, /* by the same command that reads the statement's rows */
   MT_LOOKS_BEHIND, /* after the statement has sent its writes */
   MT_LOOKS_ITSELF  /* in the engine's write step, before rows are read */
} MtLook;

/* How a statement ended. The table `retries` in statement.c defines which outcomes make it run
 * again. */
typedef enum MtOutcome {
   MT_OUTCOME_DONE,
   MT_OUTCOME_FAILED,
   MT_OUTCOME_CATALOG_CHANGED, /* it used an outdated catalog; all its writes were undone */
   /* Other clients changed documents that the statement had read; all its writes were undone. */
   MT_OUTCOME_OUTRUN,
   /* Other statements are still writing to the table (55006); all its writes were undone. */
   MT_OUTCOME_IN_USE
} MtOutcome;

/* Allocates s->coordination. The session's catalog must have been opened. */
void mt_coordination_init (MtSession *s);
/* Begins a statement. Reads the catalog, unless `look` says that it is read later, and by_cache
 * allows the cached catalog until then. */
bool mt_coordination_begin (MtSession *s, MtLook look, bool by_cache, MtError *err);
/* Ends a statement, and returns its outcome. ok: the statement has succeeded so far. cur: the
 * cursor of the statement's rows, or NULL. *err is set if the outcome is MT_OUTCOME_FAILED. */
MtOutcome mt_coordination_end (MtSession *s, const MtStmt *stmt, MtCursor *cur, bool ok,
                               MtError *err);
/* Returns whether a statement that ended with outcome `o` must run again, after a pause. The
 * outcome limits the retries by their number, or by the end of lock_timeout. tries: number of
 * earlier retries. until_ms: the time at which lock_timeout ends; 0: it is not set. */
bool mt_coordination_retries (MtSession *s, MtOutcome o, int tries, int64_t until_ms, MtError *err);

/* Returns whether the statement uses the cached catalog, and its first command to the server also
 * checks that the catalog is current. */
bool mt_is_assuming (const MtSession *s);
/* Checks that the cached catalog is current. Call it before an expression in a write reads a table.
 * 40001 if the catalog has changed. */
bool mt_needs_current_catalog (MtSession *s, MtError *err);
/* Reads the list of the table's partitions again if the cached catalog may lack some. Call it
 * before the table is read or written. */
bool mt_needs_partitions (MtSession *s, const MtTable *t, MtError *err);
/* Records that the statement has read the catalog in its write step, so that it is current. */
void mt_note_catalog_read (MtSession *s);
/* Records that the writer (layouts/pack/writer.h) has received a row of the statement. */
void mt_note_row (MtSession *s);
/* Records that other clients changed documents that the statement had read. */
void mt_note_outrun (MtSession *s);
bool mt_has_intents (const MtSession *s); /* returns whether the session itself has saved intents */
/* Returns whether the statement has announced its change to other sessions by an intent. */
bool mt_is_announced (const MtSession *s);

/* ---- step.c: write steps, and the intents that end with them ---- */

bool mt_step_begin (MtSession *s, MtError *err);
bool mt_step_commit (MtSession *s, MtError *err);
void mt_step_rollback (MtSession *s);
/* Begins a write step that changes documents of table t. First saves an intent (a note of a planned
 * write) if the step's writes are not one atomic commit, and the table is in several collections.
 * mt_step_commit removes the intent, and so does mt_step_rollback, unless the rollback was
 * incomplete. */
bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err);

/* ---- confirm.c: checks around a short write ---- */

/* Checks that the statement may write. Call it after mt_table_step_begin, before the first row.
 * 40001 if another statement is rewriting the table's documents, and may have missed this one. */
bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err);
/* Sends all buffered rows before the commit, and checks that the table's description has not
 * changed. *now is set to the current table; NULL: the statement must save the table's description,
 * so that other sessions notice the write. */
bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err);
/* Adds a detail to error 40001 if rows of the statement may be left in documents that other clients
 * have rewritten meanwhile. */
void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version,
                         size_t layouts, MtError *err);

/* ---- lease.c: leases ---- */

/* Returns whether sessions on this target use leases (notes that allow writes by the cached
 * catalog), as only servers without transactions need. */
bool mt_leases_apply (const MtSession *s);
/* Returns whether the catalog's version was read so recently that a statement may begin without
 * reading it again. */
bool mt_look_is_fresh (const MtSession *s);
/* Sets *same to whether the catalog was unchanged when the last rows arrived at the server. The
 * session's lease proves this, or else the version is read again. */
bool mt_lease_confirms (MtSession *s, bool *same, MtError *err);
/* Waits until statements that use an older catalog have ended. Call it after a change of the
 * catalog was saved or announced. always: wait even if no session has a lease, because some
 * statements read the version only after their writes. */
bool mt_leases_run_out (MtSession *s, bool always, MtError *err);
/* Like mt_leases_run_out, but ignores errors and cancel requests, because the change can't be
 * undone. */
void mt_leases_run_out_behind (MtSession *s);
void mt_lease_end (MtSession *s); /* removes the session's own lease */

/* ---- suspend.c: clean-up despite a cancel ---- */

/* A cancel request, a deadline and a memory shortage that are ignored during a clean-up, because
 * other clients depend on it (mt_cancel_suspend). The clean-up ends at until_ms (steady clock) at
 * the latest. A second cancel request ends it at once. */
typedef struct MtSuspended {
   bool requested;
   int64_t deadline_ms;
   int shortage;
} MtSuspended;

MtSuspended mt_cancel_suspend (MtSession *s, int64_t until_ms);
void mt_cancel_resume (MtSession *s, MtSuspended before);

/* ---- intent.c: intents of this session ---- */

#define MT_INTENDS_WRITE "write"
#define MT_INTENDS_CREATE "create"
#define MT_INTENDS_REWRITE "rewrite" /* the writer reads documents, and replaces them */
#define MT_INTENDS_TRUNCATE "truncate"
/* The writer computes a materialized view again, into new collections. */
#define MT_INTENDS_REFRESH "refresh"
#define MT_INTENDS_DROP "drop"
#define MT_INTENDS_DROP_LAYOUT "drop layout"

/* A field in an intent's body: the writer (UPDATE or DELETE) itself checks that the documents it
 * changes were not changed by other clients. */
#define MT_INTENT_LOOKS "looks"

/* Returns whether statements on this target must save intents (notes of planned writes), because
 * other clients see the writes of a step before its commit. */
bool mt_intents_apply (const MtSession *s);
/* Saves an intent: the statement is about to do `what` (MT_INTENDS_…) to table t, and to create
 * `collections`. Does nothing if the writes of a step are one atomic commit. */
bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections,
                size_t count, MtError *err);
/* Returns whether an intent of this session announces the creation of `collection`. */
bool mt_intends_collection (MtStatement *st, const char *collection);
/* Removes the session's intents (notes of planned writes). Warns if another client has removed one
 * of them. */
void mt_intents_end (MtSession *s);
/* Removes the session's intents (notes of planned writes) after its statement was undone. Returns
 * how many of them other clients had already removed. */
size_t mt_intents_drop (MtSession *s);
/* Called after a statement or transaction was undone. Returns whether other clients may have
 * computed stored states of roll-ups (mt_store_joins) that include its rows, and warns. Then its
 * intents (notes of planned writes) must stay, so that readers use the records until REPAIR
 * TABLE. */
bool mt_undone_was_read (MtSession *s);
/* Leaves the session's intents (notes of planned writes) in the catalog, because the statement
 * can't be undone. Their counters stop, so other clients will consider the writer dead. */
void mt_intents_leave (MtSession *s);
/* Checks that all intents (notes of planned writes) of the session are still stored. 40001 if
 * another client has removed one. */
bool mt_intents_stand (MtSession *s, MtError *err);

/* ---- others.c: intents of other writers ---- */

typedef struct MtIntent {
   const char *name, *what; /* what: one of MT_INTENDS_…, "add layout" or "rebuild" */
   int64_t at_ms;
   MtVal collections; /* array of the names of collections that the writer creates */
} MtIntent;

/* Returns the intents (notes of planned writes) of other writers about a table, as of the last read
 * of the catalog. In arena a. */
MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* Returns the text field `name` of an intent's body, in arena a. NULL: there is no such field, or
 * it is not a text. */
const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name);
/* Sends the user a notice for each intent (a note of a planned write) of another writer about the
 * table. */
void mt_tell_intents (MtStatement *st, const MtTable *t);
/* Checks that the writers of all intents (notes of planned writes) about the table are dead. 55006
 * if one may be alive. */
bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Checks that no other client has written to the table. Call it before rewritten documents replace
 * the table's documents. 40001 if one has written; 55006 if one is still writing. */
bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err);
/* Removes the intents (notes of planned writes) of other clients to write to a table. Before these
 * clients commit, they find their intents missing, and fail with 40001. */
bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err);
/* ---- leftover.c: remains of dead writers ---- */

/* Removes the intents (notes of planned writes) in `list`, and the collections that their writers
 * have created. */
bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count,
                       MtError *err);
/* Removes the intents (notes of planned writes) of dead writers about a table, and the collections
 * that they have created. DROP TABLE calls it first. */
bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Removes the remains of a CREATE TABLE or DROP TABLE of table t whose writer has died. CREATE
 * TABLE calls it first. 55006 if the writer may be alive. */
bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err);
/* Checks a collection that belongs to no table. 55000 if a CREATE TABLE or DROP TABLE is working on
 * it, or has died while it did. */
bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err);
/* Checks that no other writer is about to create `collection`. 55000 if another intent names it. */
bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection,
                             MtError *err);
/* Returns the name of a store's collection in intents (notes of planned writes). For a partitioned
 * store it is one name for all partitions, such as calls_YYYY_MM. In arena a, or borrowed from the
 * store. */
const char *mt_intended_name (MtArena *a, const MtStoreDesc *s);

/* ---- alive.c: whether other writers are alive ---- */

bool mt_intent_may_live (const MtSession *s, const MtIntent *i);
/* Waits until each intent (a note of a planned write) about the statement's tables is removed, or
 * its writer has proved alive, or counts as dead. Called before a statement creates, changes or
 * drops tables. Then reads the catalog again, so the caller must not keep pointers into the
 * catalog. */
bool mt_intents_await (MtStatement *st, MtError *err);
/* Waits until all statements that now add rows to the table have ended. 55006 if one goes on too
 * long. Does not wait for UPDATE and DELETE, which detect changes by others themselves. Does not
 * read the catalog again. */
bool mt_adders_end (MtStatement *st, const MtTable *t, MtError *err);
/* Like mt_adders_end, but waits for all statements and transactions with an intent (a note of a
 * planned write) about the table. */
bool mt_writers_end (MtStatement *st, const MtTable *t, MtError *err);

/* ---- promise.c: texts for EXPLAIN ---- */

/* Returns the text in EXPLAIN that tells how rows are added to a store's documents. In arena a. */
const char *mt_how_rows_are_added (MtArena *a, const MtTable *t, const MtStoreDesc *s,
                                   const MtLayout *l, const MtCaps *caps);
/* Returns the text in EXPLAIN that tells whether the commit is atomic, and when it is durable
 * (MtWritePlan.commit). In the statement's arena. */
const char *mt_commit_promise (MtStatement *st, const MtTable *t);

#endif
