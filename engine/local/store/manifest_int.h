/* The manifest of a store: the log of its commits. Its format is described in manifest.c. */
#ifndef MT_MANIFEST_INT_H
#define MT_MANIFEST_INT_H

#include "engine/local/store/store_int.h"

#define MT_SLOT_SIZE 64u
#define MT_LOG_START 8192u

/* ---- io.c: the last commit that was synced, in the file LOCK ---- */

/* seq 0: LOCK contains no commit. `whole`: its checksum is right; older programs write none. */
typedef struct MtStamp {
   uint64_t store_id, seq, chain;
   bool whole;
} MtStamp;

/* Writes the number of the last commit that was synced into the file LOCK. Ignores failures. */
void mt_stamp_write (const MtStore *s, uint64_t seq, uint64_t chain);
void mt_stamp_read (const MtStore *s, MtStamp *out);
/* Takes the writer's lock for a moment, without waiting. Returns a descriptor; closing it gives the
 * lock back. -1: another process has the lock, or the file can't be opened. */
int mt_store_try_lock (const MtStore *s);

/* ---- mates.c: the stores of one folder in this process ---- */

typedef struct MtMates MtMates;

/* Takes the writer's lock among the stores of this process, or waits for it until the time `until`.
 * Returns false with errno: EWOULDBLOCK, or 0 if the statement was cancelled and *err is set. */
bool mt_mates_lock (MtStore *s, int64_t until, MtError *err);
void mt_mates_unlock (MtStore *s);
/* Waits while another store of this process syncs the log. Returns the number of a commit that is
 * synced, if it is `seq` or a later one. Else the caller must sync, and call mt_mates_end_sync with
 * the last commit that it synced, or 0. */
uint64_t mt_mates_begin_sync (MtStore *s, uint64_t seq);
void mt_mates_end_sync (MtStore *s, uint64_t seq);
void mt_mates_leave (MtStore *s);

/* ---- head.c ---- */

/* A head slot of the manifest. `synced`: the end of the log that was synced when the slot was
 * written. */
typedef struct MtSlot {
   uint32_t version;
   uint64_t store_id, seq, log_end, chain, synced;
} MtSlot;

/* The two head slots of the manifest. If one is damaged, `newest` is the other slot, and `older`
 * is not set. */
typedef struct MtHead {
   MtSlot newest, older;
   int bad_slot; /* index of the damaged slot; -1: none */
} MtHead;

void mt_slot_write (uint8_t p[MT_SLOT_SIZE], const MtSlot *t);
/* Returns whether the slot is undamaged. */
bool mt_slot_read (const uint8_t p[MT_SLOT_SIZE], MtSlot *t);
/* Returns a slot with this number and the store's end of the log. */
MtSlot mt_head_slot (const MtStore *s, uint64_t seq);
/* Reads the head slots. Retries if a slot looks damaged, because a writer may be writing it. */
bool mt_head_read (MtStore *s, MtHead *out, MtError *err);
/* Writes the slot of the store's last commit, so that other processes see it. */
bool mt_head_write (MtStore *s, MtError *err);
/* Makes all commits up to number `seq` durable, together with those that others have written
 * meanwhile. The caller need not hold the writer's lock. */
bool mt_manifest_sync (MtStore *s, uint64_t seq, MtError *err);

/* ---- manifest.c ---- */

/* Returns the path of the manifest, with a suffix. The caller frees it. */
char *mt_manifest_path (const char *folder, const char *suffix);
/* Sets XX001 for the manifest, and returns false. */
bool mt_manifest_corrupt (const MtStore *s, uint64_t at, const char *what, MtError *err);
/* Creates the manifest (the log of commits) of an empty store. Does nothing if the manifest
 * exists. */
bool mt_manifest_make (const char *path, MtError *err);
/* Opens the manifest and reads it from the beginning. */
bool mt_manifest_open (MtStore *s, MtError *err);
/* Repairs the end of the manifest after a crash: takes over commits that the slots don't name, cuts
 * off torn ones, and writes a damaged or old slot anew. The caller holds the writer's lock. */
bool mt_manifest_heal (MtStore *s, MtError *err);
/* Reads and applies the commits of other processes. Does nothing while a step is open or the
 * store is frozen. */
bool mt_manifest_refresh (MtStore *s, MtError *err);
/* Sets *newest to whether no other process has committed since the last refresh. */
bool mt_manifest_is_newest (MtStore *s, bool *newest, MtError *err);
/* Appends a record to the manifest. mt_manifest_sync makes it durable. `publish`: other processes
 * see it; else only those that hold the writer's lock. Call it only between mt_group_enter and
 * mt_group_leave. *unknown is set if only reopening the store can show whether the commit
 * succeeded. */
bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool publish, bool *unknown,
                         MtError *err);
/* Returns whether the manifest is much longer than a record of the whole state would be. */
bool mt_manifest_compact_due (const MtStore *s);
/* Replaces the manifest by a new one with a single record, which contains the whole state. */
bool mt_manifest_compact (MtStore *s, MtError *err);
/* Reads the undamaged parts of a damaged or missing manifest. *lost is the number of records
 * that cannot be read in full. A manifest that is an old copy counts as one lost record.
 * Collections whose names are lost get new names. */
bool mt_manifest_salvage (MtStore *s, uint64_t *lost, MtError *err);

#endif
