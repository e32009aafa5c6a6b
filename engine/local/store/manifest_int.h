/* The manifest of a store: the log of its commits. manifest.c describes the format. */
#ifndef MT_MANIFEST_INT_H
#define MT_MANIFEST_INT_H

#include "engine/local/store/store_int.h"

#define MT_SLOT_SIZE 64u
#define MT_LOG_START 8192u

/* ---- io.c: the last commit that was synced, in the file LOCK ---- */

/* The last synced commit, as the file LOCK has it: its number and the hash of its record. seq is 0
 * if LOCK has none. `whole`: the stamp's checksum is right; older programs write none. */
typedef struct MtStamp {
   uint64_t store_id, seq, chain;
   bool whole;
} MtStamp;

/* Writes commit `seq` as the last synced one into the file LOCK, and reads it from there. Writing
 * ignores failures. */
void mt_stamp_write (const MtStore *s, uint64_t seq, uint64_t chain);
void mt_stamp_read (const MtStore *s, MtStamp *out);
/* Tries to take the writer's lock, without waiting. Returns a file descriptor, and closing it
 * releases the lock. Returns -1 if another process has the lock, or if the file can't be opened. */
int mt_store_try_lock (const MtStore *s);

/* ---- mates.c: the stores of one folder in this process ---- */

typedef struct MtMates MtMates;

/* Waits until no other session of this process has the writer's lock for the same folder, at most
 * up to the time `until` (of mt_now_ms), and takes it. On failure returns false and sets errno:
 * EWOULDBLOCK after the timeout, 0 if the statement was cancelled (then *err is set). */
bool mt_mates_lock (MtStore *s, int64_t until, MtError *err);
void mt_mates_unlock (MtStore *s);
/* Waits while another session of this process syncs the same log. If commit `seq` is synced
 * afterwards, returns the number of the last synced commit, which is at least seq. Otherwise
 * returns a smaller number: then the caller must sync, and call mt_mates_end_sync with the last
 * commit that it synced, or with 0 on failure. */
uint64_t mt_mates_begin_sync (MtStore *s, uint64_t seq);
void mt_mates_end_sync (MtStore *s, uint64_t seq);
void mt_mates_leave (MtStore *s);

/* ---- head.c ---- */

/* A head slot of the manifest: it names the newest commit `seq`. `synced` is the end of the synced
 * log at the time when the slot was written. */
typedef struct MtSlot {
   uint32_t version;
   uint64_t store_id, seq, log_end, chain, synced;
} MtSlot;

/* The two head slots of the manifest. If one of them is damaged, `newest` is the undamaged one, and
 * `older` is not set. */
typedef struct MtHead {
   MtSlot newest, older;
   int bad_slot; /* index of the damaged slot; -1: none */
} MtHead;

void mt_slot_write (uint8_t p[MT_SLOT_SIZE], const MtSlot *t);
/* Decodes the head slot at p into *t. Returns false if its checksum or its magic bytes are
 * wrong. */
bool mt_slot_read (const uint8_t p[MT_SLOT_SIZE], MtSlot *t);
/* Returns the head slot for commit `seq`, with the current end of the store's log. */
MtSlot mt_head_slot (const MtStore *s, uint64_t seq);
/* Reads both head slots. If one looks damaged, reads again for a while, because a writer may be
 * writing it. */
bool mt_head_read (MtStore *s, MtHead *out, MtError *err);
/* Writes the head slot that names the store's last commit. From then on other processes see that
 * commit. */
bool mt_head_write (MtStore *s, MtError *err);
/* Syncs the log, so that all commits up to number `seq` are durable, and later ones written
 * meanwhile by others, too. The caller need not hold the writer's lock. */
bool mt_manifest_sync (MtStore *s, uint64_t seq, MtError *err);

/* ---- manifest.c ---- */

/* Returns the path of the manifest in `folder` with `suffix` appended. The caller frees it. */
char *mt_manifest_path (const char *folder, const char *suffix);
/* Sets *err to XX001: the manifest is damaged at offset `at`; `what` describes the damage. Returns
 * false. */
bool mt_manifest_corrupt (const MtStore *s, uint64_t at, const char *what, MtError *err);
/* Creates the manifest of an empty store in the folder `path`. Does nothing if there is one. */
bool mt_manifest_make (const char *path, MtError *err);
/* Opens the manifest and applies all of its records. */
bool mt_manifest_open (MtStore *s, MtError *err);
/* Repairs the manifest before a write: applies valid records that the head slots don't name,
 * truncates incomplete ones, and rewrites slots that are damaged or in an old format. The caller
 * holds the writer's lock. */
bool mt_manifest_heal (MtStore *s, MtError *err);
/* Applies commits that other processes have written since. Does nothing while a step (begin to
 * commit) is open or the store is frozen. */
bool mt_manifest_refresh (MtStore *s, MtError *err);
/* Sets *newest to whether no other process has committed since the last refresh. */
bool mt_manifest_is_newest (MtStore *s, bool *newest, MtError *err);
/* Appends a commit's record to the manifest, without syncing (mt_manifest_sync). With `publish`,
 * also writes the head slot, so that other processes see the commit at once. Call it only between
 * mt_group_enter and mt_group_leave. On an error, *unknown is set if it is unknown whether the
 * record was written; then the store must be opened again. */
bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool publish, bool *unknown,
                         MtError *err);
/* Returns whether the manifest is so much longer than one record of the whole state that compacting
 * pays. */
bool mt_manifest_compact_due (const MtStore *s);
/* Replaces the manifest by a new file, whose single record contains the whole state. */
bool mt_manifest_compact (MtStore *s, MtError *err);
/* Reads the undamaged records of a damaged or missing manifest. *lost is the number of records that
 * cannot be read completely, plus one if the manifest is an old copy. Collections whose names are
 * lost are called salvaged_ID. */
bool mt_manifest_salvage (MtStore *s, uint64_t *lost, MtError *err);

#endif
