/* Writers on servers without transactions: intents, leases, and one statement's state. README.md
 * explains the terms. In process, and on servers with transactions, most functions do nothing. */
#ifndef MT_SESSION_COORDINATE_H
#define MT_SESSION_COORDINATE_H

#include "session/state/session.h"

/* ---- statement.c: one statement beside other writers ---- */

/* When a statement reads the catalog's version. */
typedef enum MtLook {
   MT_LOOKS_NEVER,
   MT_LOOKS_FIRST,  /* before anything else */
   MT_LOOKS_BESIDE, /* by the command that reads its rows */
   MT_LOOKS_BEHIND, /* after its writes */
   MT_LOOKS_ITSELF  /* in its step, before it reads */
} MtLook;

/* How a statement ended. statement.c has the table of retries. */
typedef enum MtOutcome {
   MT_OUTCOME_DONE,
   MT_OUTCOME_FAILED,
   MT_OUTCOME_CATALOG_CHANGED, /* it used an old catalog, and nothing of it is left */
   MT_OUTCOME_OUTRUN,          /* others changed what it had read, and nothing of it is left */
   MT_OUTCOME_IN_USE           /* the same while others still write (55006) */
} MtOutcome;

/* Makes s->coordination; the catalog is open. */
void mt_coordination_init (MtSession *s);
/* Begins a statement. Reads the catalog, unless `look` says later and by_cache permits it. */
bool mt_coordination_begin (MtSession *s, MtLook look, bool by_cache, MtError *err);
/* Ends a statement. ok: it has succeeded so far. cur: the cursor of its rows, or NULL. On
 * MT_OUTCOME_FAILED *err is set. */
MtOutcome mt_coordination_end (MtSession *s, const MtStmt *stmt, MtCursor *cur, bool ok,
                               MtError *err);
/* Whether to run the statement again, after a pause. tries: how often it was run again. until_ms:
 * the end of lock_timeout; 0: none. */
bool mt_coordination_retries (MtSession *s, MtOutcome o, int tries, int64_t until_ms, MtError *err);

/* Whether the statement reads by the cached catalog, and confirms it by its first command. */
bool mt_is_assuming (const MtSession *s);
/* Before an expression of a write reads a table: the catalog must be current. 40001 */
bool mt_needs_current_catalog (MtSession *s, MtError *err);
/* Before the table is read or written: reads its partitions, if the cached catalog may miss
 * some. */
bool mt_needs_partitions (MtSession *s, const MtTable *t, MtError *err);
void mt_note_catalog_read (MtSession *s); /* the statement has read the catalog in its step */
void mt_note_row (MtSession *s);          /* the statement has given the writer a row */
void mt_note_outrun (MtSession *s);       /* others changed what the statement had read */
bool mt_has_intents (const MtSession *s); /* of its own */
/* Whether others know of the statement's change already. */
bool mt_is_announced (const MtSession *s);

/* ---- step.c: the engine's write step, and the intents that end with it ---- */

bool mt_step_begin (MtSession *s, MtError *err);
bool mt_step_commit (MtSession *s, MtError *err);
void mt_step_rollback (MtSession *s);
/* Begins the step of a change of a table's documents. First it saves an intent, if the step isn't
 * one commit and the table is in several collections. mt_step_commit ends the intent.
 * mt_step_rollback does, too, unless something of the step may be left. */
bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err);

/* ---- confirm.c: a short write, before and after ---- */

/* After mt_table_step_begin: 40001 if another statement that rewrites the table's documents may
 * not have seen this one. */
bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err);
/* Before the commit: sends what waits. *now: the table as it is; the statement needn't save its
 * description, so that others notice the write. NULL: the statement has to save it. */
bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err);
/* Adds a detail to a 40001: rows of the statement may be left in documents that were rewritten
 * meanwhile. */
void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version,
                         size_t layouts, MtError *err);

/* ---- lease.c ---- */

/* Whether statements use leases here. */
bool mt_leases_apply (const MtSession *s);
/* Whether the last look is recent enough for a statement to begin without another. */
bool mt_look_is_fresh (const MtSession *s);
/* Whether nobody had changed the catalog when all that was sent had arrived. */
bool mt_lease_confirms (MtSession *s, bool *same, MtError *err);
/* After a change was saved or announced: waits until statements that use an older catalog have
 * ended. always: waits even if there is no lease, for statements that look behind their writes. */
bool mt_leases_run_out (MtSession *s, bool always, MtError *err);
/* The same after a change that can't be undone: nothing is an error, and a cancel doesn't end
 * it. */
void mt_leases_run_out_behind (MtSession *s);
void mt_lease_end (MtSession *s); /* removes the session's own */

/* ---- suspend.c ---- */

/* Suspends a cancel and the deadline during a clean-up that other clients depend on. The clean-up
 * ends at until_ms (steady clock). A second cancel still ends it. */
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
#define MT_INTENDS_REWRITE "rewrite" /* documents are read, and written again in their place */
#define MT_INTENDS_TRUNCATE "truncate"
#define MT_INTENDS_REFRESH "refresh" /* new documents of a materialized view, in new collections */
#define MT_INTENDS_DROP "drop"
#define MT_INTENDS_DROP_LAYOUT "drop layout"

/* In an intent's body: the writer checks by itself whether others were faster. */
#define MT_INTENT_LOOKS "looks"

/* Whether statements save intents: others see a step's writes before its commit. */
bool mt_intents_apply (const MtSession *s);
/* Saves an intent: `what` is done to the table, and these collections are made. Does nothing if
 * steps are one commit. */
bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections,
                size_t count, MtError *err);
/* Whether an intent of the statement, or of an earlier one of the transaction, makes it. */
bool mt_intends_collection (MtStatement *st, const char *collection);
/* Removes the intents, and warns if others had removed one before. */
void mt_intents_end (MtSession *s);
/* Removes the intents of a statement that was undone. Returns how many were gone. */
size_t mt_intents_drop (MtSession *s);
/* Leaves the intents of a statement that can't be undone, without signs of life from now on. */
void mt_intents_leave (MtSession *s);
/* 40001 if others have removed one of the intents. */
bool mt_intents_stand (MtSession *s, MtError *err);

/* ---- others.c: the intents of other writers ---- */

typedef struct MtIntent {
   const char *name, *what; /* what: of MT_INTENDS_…, "add layout" or "rebuild" */
   int64_t at_ms;
   MtVal collections; /* that are made, an array */
} MtIntent;

/* Other writers' intents about a table when the catalog was last read, in arena a. */
MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* A text of an intent's body, in arena a. NULL: there is none. */
const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name);
/* A notice for each of a table's intents. */
void mt_tell_intents (MtStatement *st, const MtTable *t);
/* 55006 if a writer with an intent about the table may be alive. */
bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Before rewritten documents take their place: 40001 if others have written to the table, 55006 if
 * they still do. */
bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err);
/* Removes the intents to write to a table. Their writers find out before they commit. */
bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err);
/* ---- leftover.c: what dead writers leave ---- */

/* Removes intents, and the collections that their writers have made. */
bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count,
                       MtError *err);
/* Before a table is dropped: the same for the intents of dead writers. */
bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Before a table is created: removes what a dead writer left that was creating or dropping a table
 * of that name. 55006 if the writer may be alive. */
bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err);
/* 55000 if a CREATE TABLE or DROP TABLE is at work on the collection, or died there. The collection
 * is no table's by the catalog. */
bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err);
/* 55000 if another writer's intent makes that collection. */
bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection,
                             MtError *err);
/* The name of a store's collection in an intent; calls_YYYY_MM for all its partitions. In arena a,
 * or the store's own. */
const char *mt_intended_name (MtArena *a, const MtStoreDesc *s);

/* ---- alive.c: whether other writers are alive ---- */

bool mt_intent_may_live (const MtSession *s, const MtIntent *i);
/* Before a statement that creates, changes or drops tables: waits until each intent about them has
 * gone, or has shown whether its writer is alive. Reads the catalog again then; the caller must not
 * hold anything of it. */
bool mt_intents_await (MtStatement *st, MtError *err);
/* Waits until all statements have ended that add to the table now. 55006 if one goes on. UPDATE and
 * DELETE check by themselves whether others were faster, so they aren't waited for. Doesn't read
 * the catalog again. */
bool mt_adders_end (MtStatement *st, const MtTable *t, MtError *err);

/* ---- promise.c: for EXPLAIN ---- */

/* How rows come to a store's documents. In arena a. */
const char *mt_how_rows_are_added (MtArena *a, const MtTable *t, const MtStoreDesc *s,
                                   const MtLayout *l, const MtCaps *caps);
/* What the commit of a statement about this table promises (MtWritePlan.commit). adds: it only adds
 * rows. In the statement's arena. */
const char *mt_commit_promise (MtStatement *st, const MtTable *t, bool adds);

#endif
