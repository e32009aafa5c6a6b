/* Steps and transactions. */
#ifndef MT_ENGINE_STEPS_H
#define MT_ENGINE_STEPS_H

#include "engine/types.h"

/* ---- steps ---- */

/* All writes between begin and commit are one step. With caps.atomic_write, others see the step at
 * its commit, and nothing of it after a rollback or a crash. On a server without transactions,
 * others see each write as it arrives, and a rollback undoes the writes one by one. A write outside
 * of begin and commit is a step of its own. */
bool mt_engine_begin (MtEngine *e, MtError *err);
bool mt_engine_commit (MtEngine *e, MtError *err);
bool mt_engine_in_step (const MtEngine *e); /* between begin and commit or rollback */
void mt_engine_rollback (MtEngine *e);
/* Makes the open step's writes visible to reads. On a server, writes of the step are always visible
 * to the step's own reads. */
bool mt_engine_see (MtEngine *e, MtError *err);
/* Waits for batches of writes that other threads send. False: a batch failed, and no call has
 * returned its error yet. A caller that is about to fail for another reason calls this first. */
bool mt_engine_sent (MtEngine *e, MtError *err);
/* Returns whether the last call's error may be about documents of earlier calls, because writes are
 * sent in batches. */
bool mt_engine_failed_late (const MtEngine *e);
/* Returns the quoted names of collections that the last rollback could not restore completely.
 * NULL: all were restored. Borrowed until the next step. */
const char *mt_engine_leftover (const MtEngine *e);

/* ---- signs of life ---- */

/* Sends signs of life: from now on, every two seconds, increments the number at `path` in the
 * documents with these _ids. `ids` is an array; NULL or empty: none. Missing documents are not
 * created. All calls must give the same collection and path. If such a document is gone at a
 * rollback, another client has removed it because this client seemed dead. Then the rollback keeps
 * documents that may be the other client's. A rollback that goes on after mt_engine_rollback has
 * returned removes these documents at its end, unless something of the step remains. */
void mt_engine_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes the documents that send signs of life (mt_engine_beat). After a cancel, the removal may
 * go on after the return. Only outside of steps and transactions. */
void mt_engine_retire (MtEngine *e);

/* ---- transactions ---- */

/* Begins a transaction: all steps up to mt_engine_txn_commit or mt_engine_txn_rollback. Each step
 * sees the writes of earlier steps; other clients don't. The first step takes the writer's lock.
 * With caps.savepoints, a step that is rolled back undoes only its own writes. Otherwise the whole
 * transaction is lost, and mt_engine_txn_commit fails (40000). Without caps.transactions, steps are
 * refused (0A000). */
bool mt_engine_txn_begin (MtEngine *e, MtError *err);
bool mt_engine_txn_commit (MtEngine *e, MtError *err);
void mt_engine_txn_rollback (MtEngine *e);
bool mt_engine_in_txn (const MtEngine *e);
/* Returns whether the transaction has tried to write, so that it may hold locks. */
bool mt_engine_txn_wrote (const MtEngine *e);
/* Puts the transaction into pieces: each later step commits at once, and other clients see it. A
 * rollback of the transaction undoes all these steps. Collections that the steps drop are removed
 * when the transaction commits. 0A000 if the transaction has written already. Only with
 * caps.pieces. mt_engine_in_txn returns false from then on. */
bool mt_engine_txn_in_pieces (MtEngine *e, MtError *err);
bool mt_engine_in_pieces (const MtEngine *e);
/* Takes a snapshot: all later reads of the transaction see the data as of now. If other clients
 * commit, later steps of the transaction fail with 40001. Only with caps.snapshots. */
bool mt_engine_txn_freeze (MtEngine *e, MtError *err);

/* Makes a savepoint between two steps of a transaction. *mark identifies the savepoint, and may be
 * 0. Only with caps.savepoints. */
bool mt_engine_mark (MtEngine *e, size_t *mark, MtError *err);
/* Undoes all steps since a savepoint, and releases later savepoints. */
void mt_engine_return (MtEngine *e, size_t mark);
/* Releases a savepoint and all later savepoints. */
void mt_engine_unmark (MtEngine *e, size_t mark);

/* ---- durability ---- */

/* Sets a delay, in ms, until a step becomes durable after its commit. Several steps can then share
 * one sync to disk. A crash of the machine loses at most the steps of that delay; a killed process
 * loses none. 0, the default: no delay. No effect on a server. */
void mt_engine_set_commit_delay (MtEngine *e, int64_t ms);
/* Makes all committed steps durable. */
bool mt_engine_sync (MtEngine *e, MtError *err);
/* Frees the space on disk that many small steps have left, at the commit of the open step. No effect
 * on a server. */
bool mt_engine_pack (MtEngine *e, const char *const *collections, size_t count, MtError *err);
/* Returns whether all writes of the open step are increments. False if the engine doesn't know. */
bool mt_engine_only_increments (const MtEngine *e);

#endif
