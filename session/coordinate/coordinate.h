/* Writers on servers without transactions: intents, leases, the engine's step. */
#ifndef MT_SESSION_COORDINATE_H
#define MT_SESSION_COORDINATE_H

#include "session/state/session.h"

/* How a store gets what is added to it (session/coordinate/promise.c); in arena a. */
const char *mt_how_rows_are_added (MtArena *a, const MtTable *t, const MtStoreDesc *s,
                                   const MtLayout *l, const MtCaps *caps);

/* MtWritePlan.commit of a statement about this table, which does nothing but add rows where `adds`;
 * in the statement's arena (session/coordinate/promise.c). */
const char *mt_commit_promise (MtStatement *st, const MtTable *t, bool adds);

/* Before a table's documents change (session/coordinate/intent.c): the engine's write step, behind
 * an intent in the catalog where it isn't one commit and the table lies in several collections.
 * mt_step_commit ends the intent; mt_step_rollback, too, unless something of the step may be
 * left. */
bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err);

/* Around what a statement sends. Before it, in the step of mt_table_step_begin: whether those who
 * are making the table's documents anew have seen its intent, or it what they made: 40001. Before
 * the commit of a short one: *now: the table as it still is, whose description needn't be saved for
 * others to notice that it was written to; NULL: it has to be. What waits is sent. */
bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err);
bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err);

/* Of a statement that failed for another's change of the table: what its error has to say. */
void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version,
                         size_t layouts, MtError *err);

/* Leases, where a server's writes are no transactions: whether a statement may begin without a
 * look; after something was changed, or announced, for which those who write by an older look have
 * to end (nothing where there are none); the session's own goes. */
bool mt_leases_apply (const MtSession *s);
bool mt_look_is_fresh (const MtSession *s);
bool mt_leases_run_out (
   MtSession *s, bool always,
   MtError *err); /* always: those without a lease, too, as far as they take no longer */
void mt_lease_end (MtSession *s);

/* Behind a change that is saved: it is done, so nothing of this is an error, nor cancelled. */
void mt_leases_run_out_behind (MtSession *s);

/* For what others go by, which has to be done whatever ended the statement: the cancel and the
 * deadline that it met don't count until mt_unhush, but until_ms (steady clock). Who cancels again
 * still ends it. */
typedef struct MtHushed {
   bool requested;
   int64_t deadline_ms;
   int shortage;
} MtHushed;

MtHushed mt_hush (MtSession *s, int64_t until_ms);
void mt_unhush (MtSession *s, MtHushed h);

/* Whether nobody had changed the catalog a moment ago, when all that was sent had arrived. */
bool mt_lease_confirms (MtSession *s, bool *same, MtError *err);

/* An intent alone: what is done, and the collections that it makes. Nothing where steps are one
 * commit. */
bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections,
                size_t count, MtError *err);
#define MT_INTENDS_CREATE "create"

#define MT_INTENDS_REWRITE \
   "rewrite" /* the documents are read, go, and come again in their place
              * \ */

#define MT_INTENDS_TRUNCATE "truncate"

#define MT_INTENDS_REFRESH \
   "refresh" /* of a materialized view, to which nobody else writes: old and new documents lie in \
                collections of their own */

#define MT_INTENDS_DROP "drop"

#define MT_INTENDS_DROP_LAYOUT "drop layout"

/* One for the collections of a layout that are to be made; none for those that are there. 55000
 * where somebody else's makes one of them. */
void mt_intents_end (MtSession *s);

/* Whether the statement, or an earlier one of the same transaction in pieces, is the one that makes
 * it. */
bool mt_intends_collection (MtStatement *st, const char *collection);
size_t mt_intents_drop (
   MtSession *s); /* the same of a statement that was undone. How many were gone */
void mt_intents_leave (MtSession *s); /* of one that couldn't be undone: they stay, without a sign
                                         of life from now on */

/* The engine's write step, and what the catalog keeps of it. */
bool mt_step_begin (MtSession *s, MtError *err);
bool mt_step_commit (MtSession *s, MtError *err);
void mt_step_rollback (MtSession *s);

#define MT_INTENT_LOOKS \
   "looks" /* in an intent's body: its writer looks by himself whether others were faster */

typedef struct MtIntent {
   const char *name, *what; /* "write", "rewrite", "add layout", "rebuild", or of MT_INTENDS_… */
   int64_t at_ms;
   MtVal collections; /* that are made, as an array */
} MtIntent;

/* Other writers' intents about a table, as the catalog had them when the statement began; in arena
 * a. */
MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count);

/* Whose rows go with a table's, or with all that is in it, is to notice: other writers' intents
 * end. */
bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err);

/* 40001 where that was done to this session's, or where it was taken for dead. */
bool mt_intents_stand (MtSession *s, MtError *err);
void mt_tell_intents (MtStatement *st, const MtTable *t); /* a notice for each */

/* A text of an intent's body, in arena a; NULL: there is none. */
const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name);

/* Before a statement that makes, changes or removes what others may be writing to: where the
 * catalog has intents about its tables, it is waited until each has gone, has given a sign of life,
 * or has given none for intent_timeout. The catalog is read again then: nothing of it may be
 * held. */
bool mt_intents_await (MtStatement *st, MtError *err);

/* Whether an intent's writer may go on. */
bool mt_intent_may_live (const MtSession *s, const MtIntent *i);

/* Until nobody adds to the table any more who did when this was called; 55006 where one of them
 * goes on. UPDATE and DELETE look by themselves whether others were faster, and aren't waited for.
 * The catalog isn't read again. */
bool mt_adders_end (MtStatement *st, const MtTable *t, MtError *err);

/* Whether statements have intents: others see what a step writes as it comes. */
bool mt_intents_apply (const MtSession *s);

/* 55006 while there are some whose writers weren't found dead. */
bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err);

/* Before what was made of a table's documents takes their place: 40001 where others wrote to it, as
 * far as the catalog knows, 55006 where they do. */
bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err);

/* Removes intents and the collections that they left. */
bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count,
                       MtError *err);

/* What a dead writer left of a table of that name that it was about to make or to drop, before one
 * is made: 55006 where it may still be alive. */
bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err);

/* Before a table is dropped: those of writers who are taken for dead. */
bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err);

/* 55000 where CREATE TABLE or DROP TABLE is at work on a collection that is no table's by the
 * catalog, or died there: what it has is half of it. */
bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err);

/* What an intent calls a store's collection, or all of its partitions: calls_YYYY_MM. In arena a
 * where need be. */
const char *mt_intended_name (MtArena *a, const MtStoreDesc *s);

/* 55000 where another's intent is about to make that collection. */
bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection,
                             MtError *err);

#endif
