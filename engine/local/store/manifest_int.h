/* The manifest of a store: the log of its commits. Its format is described in manifest.c. */
#ifndef MT_MANIFEST_INT_H
#define MT_MANIFEST_INT_H

#include "engine/local/store/store_int.h"

/* The last commit according to the file LOCK. seq 0: LOCK contains no commit. */
typedef struct MtStamp {
   uint64_t store_id, seq, chain;
} MtStamp;

/* Writes the number of the last commit into the file LOCK. The caller holds the writer's lock.
 * Ignores failures. */
void mt_stamp_write (const MtStore *s);
void mt_stamp_read (const MtStore *s, MtStamp *out);

/* Creates the manifest (the log of commits) of an empty store. Does nothing if the manifest
 * exists. */
bool mt_manifest_make (const char *path, MtError *err);
/* Opens the manifest and reads it from the beginning. */
bool mt_manifest_open (MtStore *s, MtError *err);
/* Repairs a damaged head slot of the manifest. The caller holds the writer's lock. */
bool mt_manifest_heal (MtStore *s, MtError *err);
/* Reads and applies the commits of other processes. Does nothing while a step is open or the
 * store is frozen. */
bool mt_manifest_refresh (MtStore *s, MtError *err);
/* Sets *newest to whether no other process has committed since the last refresh. */
bool mt_manifest_is_newest (MtStore *s, bool *newest, MtError *err);
/* Appends a record to the manifest and makes it durable. Call it only between mt_group_enter and
 * mt_group_leave. *unknown is set if only reopening the store can show whether the commit
 * succeeded. */
bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool *unknown, MtError *err);
/* Returns whether the manifest is much longer than a record of the whole state would be. */
bool mt_manifest_compact_due (const MtStore *s);
/* Replaces the manifest by a new one with a single record, which contains the whole state. */
bool mt_manifest_compact (MtStore *s, MtError *err);
/* Reads the undamaged parts of a damaged or missing manifest. *lost is the number of records
 * that cannot be read in full. A manifest that is an old copy counts as one lost record.
 * Collections whose names are lost get new names. */
bool mt_manifest_salvage (MtStore *s, uint64_t *lost, MtError *err);

#endif
