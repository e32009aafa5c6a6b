/* Steps (atomic batches of writes) and transactions of several steps. */
#ifndef MT_ENGINE_STEPS_H
#define MT_ENGINE_STEPS_H

#include "engine/types.h"

/* ---- steps ---- */

/* Begin, commit and roll back a step: all writes between begin and commit. With caps.atomic_write,
 * other clients see a step only when it is committed, and nothing of it after a rollback or a
 * crash. On a server without transactions, they see each write at once, and a rollback undoes the
 * writes one by one. A write outside of begin and commit is a step of its own. */
bool mt_engine_begin (MtEngine *e, MtError *err);
bool mt_engine_commit (MtEngine *e, MtError *err);
bool mt_engine_in_step (const MtEngine *e); /* between begin and commit or rollback */
void mt_engine_rollback (MtEngine *e);
/* Makes the open step's writes visible to the step's own reads. On a server they always are. */
bool mt_engine_see (MtEngine *e, MtError *err);
/* Waits until other threads have sent all batches of writes. Returns false if a batch failed whose
 * error no call has returned yet. Call it before reporting another error, because the batch's error
 * comes first. */
bool mt_engine_sent (MtEngine *e, MtError *err);
/* Returns whether the last call's error may concern documents of earlier calls, because writes are
 * sent in batches. */
bool mt_engine_failed_late (const MtEngine *e);
/* Returns the quoted names of the collections that the last rollback could not restore completely.
 * NULL: all were restored. Borrowed until the next step. */
const char *mt_engine_leftover (const MtEngine *e);

/* ---- signs of life ---- */

/* Starts heartbeats, by which other clients see that this client is alive: from now on, the number
 * at `path` in the documents with these _ids is incremented every two seconds. `ids` is an array;
 * NULL or empty ends the heartbeats. Missing documents are not created. Each call must have the
 * same collection and path.
 *
 * If such a document is missing at a rollback, another client has removed it because this client
 * seemed dead. Then the rollback keeps documents that may belong to the other client. If a rollback
 * goes on in the background, it removes the documents with heartbeats at its end, unless something
 * of the step remains. */
void mt_engine_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes the documents that have heartbeats (mt_engine_beat). After a cancel, the removal may go
 * on in the background. Call it only outside of steps and transactions. */
void mt_engine_retire (MtEngine *e);

/* ---- transactions ---- */

/* Begins a transaction: all steps until mt_engine_txn_commit or mt_engine_txn_rollback. Each step
 * sees the writes of earlier steps; other clients see none of them before the commit. The first
 * step takes the writer's lock. With caps.savepoints, rolling back a step undoes only its own
 * writes. Otherwise it loses the whole transaction, and mt_engine_txn_commit fails (40000). Without
 * caps.transactions, steps fail with 0A000. */
bool mt_engine_txn_begin (MtEngine *e, MtError *err);
bool mt_engine_txn_commit (MtEngine *e, MtError *err);
void mt_engine_txn_rollback (MtEngine *e);
bool mt_engine_in_txn (const MtEngine *e);
/* Returns whether a step of the transaction has begun to write, so that locks may be held. */
bool mt_engine_txn_wrote (const MtEngine *e);
/* Changes the transaction so that each later step is committed at once, and other clients see it. A
 * rollback of the transaction undoes these steps. Collections that the steps drop are removed when
 * the transaction commits. Only with caps.pieces. Fails with 0A000 if the transaction has already
 * written. From then on mt_engine_in_txn returns false. */
bool mt_engine_txn_in_pieces (MtEngine *e, MtError *err);
bool mt_engine_in_pieces (const MtEngine *e);
/* Takes a snapshot: all later reads of the transaction see the data of this moment. If other
 * clients commit after that, later steps of the transaction fail with 40001. Only with
 * caps.snapshots. */
bool mt_engine_txn_freeze (MtEngine *e, MtError *err);

/* Sets a savepoint between two steps of a transaction. *mark identifies it, and may be 0. Only with
 * caps.savepoints. */
bool mt_engine_mark (MtEngine *e, size_t *mark, MtError *err);
/* Undoes all steps after a savepoint, and removes later savepoints. */
void mt_engine_return (MtEngine *e, size_t mark);
/* Removes a savepoint and all later ones, without undoing anything. */
void mt_engine_unmark (MtEngine *e, size_t mark);

/* ---- durability ---- */

/* Sets for how many milliseconds a committed step may stay unsynced, so that several steps share
 * one sync of the disk. A crash of the machine loses at most the steps of that time; a killed
 * process loses none. 0, the default: no delay. Has no effect on a server. */
void mt_engine_set_commit_delay (MtEngine *e, int64_t ms);
/* Syncs all committed steps, so that they are durable. */
bool mt_engine_sync (MtEngine *e, MtError *err);
/* Frees the space on disk that many small steps have left, at the commit of the open step. No
 * effect on a server. */
bool mt_engine_pack (MtEngine *e, const char *const *collections, size_t count, MtError *err);
/* Returns whether all writes of the open step are increments. False if the engine doesn't know. */
bool mt_engine_only_increments (const MtEngine *e);

#endif
