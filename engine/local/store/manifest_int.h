/* The manifest of a store: the log of its commits. Its format is described in manifest.c. */
#ifndef MT_MANIFEST_INT_H
#define MT_MANIFEST_INT_H

#include "engine/local/store/store_int.h"

/* The last commit, as the file LOCK names it. seq 0: LOCK does not name it. */
typedef struct MtStamp {
   uint64_t store_id, seq, chain;
} MtStamp;

/* Writes the stamp, under the lock. Ignores failures. */
void mt_stamp_write (const MtStore *s);
void mt_stamp_read (const MtStore *s, MtStamp *out);

/* Creates the manifest of an empty store. An existing one is no error. */
bool mt_manifest_make (const char *path, MtError *err);
/* Opens the manifest and reads it from the beginning. */
bool mt_manifest_open (MtStore *s, MtError *err);
/* Writes a damaged head slot anew, under the lock. */
bool mt_manifest_heal (MtStore *s, MtError *err);
/* Takes over the commits of other processes. Does nothing in a step or when the store is frozen. */
bool mt_manifest_refresh (MtStore *s, MtError *err);
/* *newest: no other process has committed since. */
bool mt_manifest_is_newest (MtStore *s, bool *newest, MtError *err);
/* Makes a record durable. Only between mt_group_enter and mt_group_leave. *unknown as in
 * mt_store_commit_record. */
bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool *unknown, MtError *err);
/* Returns whether the log is much larger than the state that it describes. */
bool mt_manifest_compact_due (const MtStore *s);
/* Replaces the log by a single record. */
bool mt_manifest_compact (MtStore *s, MtError *err);
/* Reads the readable part of a damaged or missing manifest. *lost counts the records that cannot be
 * read in full; an old copy counts as one. Collections whose names are lost get new ones. */
bool mt_manifest_salvage (MtStore *s, uint64_t *lost, MtError *err);

#endif
