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
void mt_engine_rollback (MtEngine *e);
/* Makes the open step's writes visible to reads. On a server they are anyway. */
bool mt_engine_see (MtEngine *e, MtError *err);
/* Waits for batches that other threads send. False: a batch failed, and no call has returned its
 * error yet. For a caller that is about to fail for another reason. */
bool mt_engine_sent (MtEngine *e, MtError *err);
/* Whether the last call's error is, or may be, of documents that earlier calls gave. */
bool mt_engine_failed_late (const MtEngine *e);
/* After a rollback: quoted names of collections that may still have documents of the step, or miss
 * documents that it deleted. NULL: none. Borrowed until the next step. */
const char *mt_engine_leftover (const MtEngine *e);

/* ---- signs of life ---- */

/* From now on, the number at `path` grows every two seconds in the documents with these _ids (an
 * array; NULL or empty: none). Missing documents are not made. Collection and path must always be
 * the same. If such a document is gone at a rollback, another client took the step for dead. Then
 * the rollback keeps documents that may be another client's. If a rollback goes on after
 * mt_engine_rollback has returned, it removes these documents at its end, unless something of the
 * step remains. */
void mt_engine_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes these documents. After a cancel that may go on when the call has returned. Only outside
 * of steps and transactions. */
void mt_engine_retire (MtEngine *e);

/* ---- transactions ---- */

/* Joins the steps up to mt_engine_txn_commit or mt_engine_txn_rollback. Each step sees the earlier
 * ones; other clients don't. The first step takes the writer's lock. A step that is rolled back
 * undoes itself only with caps.savepoints. Otherwise the whole transaction is lost, and
 * mt_engine_txn_commit fails (40000). Without caps.transactions, steps are refused (0A000). */
bool mt_engine_txn_begin (MtEngine *e, MtError *err);
bool mt_engine_txn_commit (MtEngine *e, MtError *err);
void mt_engine_txn_rollback (MtEngine *e);
bool mt_engine_in_txn (const MtEngine *e);
/* Whether the transaction has written, or tried to, and so has locks. */
bool mt_engine_txn_wrote (const MtEngine *e);
/* From now on the transaction's steps are committed one by one, and others see them. A rollback of
 * the transaction undoes all of them. Collections that they dropped go at its commit. 0A000 if the
 * transaction has written. Only with caps.pieces. mt_engine_in_txn returns false from then on. */
bool mt_engine_txn_in_pieces (MtEngine *e, MtError *err);
bool mt_engine_in_pieces (const MtEngine *e);
/* All reads of the transaction see the data as of now. If others commit, its steps fail (40001).
 * Only with caps.snapshots. */
bool mt_engine_txn_freeze (MtEngine *e, MtError *err);

/* A savepoint between two steps of a transaction; *mark may be 0. Only with caps.savepoints. */
bool mt_engine_mark (MtEngine *e, size_t *mark, MtError *err);
/* Undoes all steps since the savepoint, and releases those that came after it. */
void mt_engine_return (MtEngine *e, size_t mark);
/* Releases a savepoint, and those that came after it. */
void mt_engine_unmark (MtEngine *e, size_t mark);

/* ---- durability ---- */

/* ms by which a step of increments alone may become durable after its commit, so that several steps
 * share a sync. A crash loses at most the steps of that time. 0, the default: no delay. No effect
 * on a server. */
void mt_engine_set_commit_delay (MtEngine *e, int64_t ms);
/* Makes all committed steps durable. */
bool mt_engine_sync (MtEngine *e, MtError *err);
/* Whether the open step has done nothing but increment. False if the engine doesn't know. */
bool mt_engine_only_increments (const MtEngine *e);

#endif
