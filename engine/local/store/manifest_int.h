/* The manifest of a store: the log of its commits. The format is at the top of manifest.c. */
#ifndef MT_MANIFEST_INT_H
#define MT_MANIFEST_INT_H

#include "engine/local/store/store_int.h"

/* The last commit, as the file LOCK has it behind the writer's process id. seq 0: LOCK doesn't
 * say. */
typedef struct MtStamp {
   uint64_t store_id, seq, chain;
} MtStamp;

void mt_stamp_write (const MtStore *s); /* under the lock; a failure is ignored */
void mt_stamp_read (const MtStore *s, MtStamp *out);

bool mt_manifest_make (const char *path,
                       MtError *err); /* an empty store's; not an error when it exists */
bool mt_manifest_open (MtStore *s, MtError *err); /* opens and reads it whole */
bool mt_manifest_heal (MtStore *s,
                       MtError *err); /* writes a damaged head slot again; under the lock */
bool mt_manifest_refresh (
   MtStore *s, MtError *err); /* takes over what others committed; not in a step, nor when frozen */
bool mt_manifest_is_newest (MtStore *s, bool *newest,
                            MtError *err); /* nobody has committed since */
/* Makes a record durable. Only between mt_group_enter and leave. */
bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool *unknown, MtError *err);
bool mt_manifest_compact_due (const MtStore *s);
bool mt_manifest_compact (MtStore *s, MtError *err);
/* Reads what is whole of a damaged manifest, also one that isn't there. *lost: how many records
 * can't be read, wholly or in part; 1 if the manifest is an old copy. Collections whose names are
 * lost get new ones. */
bool mt_manifest_salvage (MtStore *s, uint64_t *lost, MtError *err);

#endif
