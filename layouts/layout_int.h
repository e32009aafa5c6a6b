/* What the files of layouts/ share: units of time, encodings, checks. Private. */
#ifndef MT_LAYOUT_INT_H
#define MT_LAYOUT_INT_H

#include "base/datetime.h"
#include "layouts/stored.h"

/* ---- time ---- */

/* The start (UTC) of the unit around ms; weeks begin on Monday; MT_UNIT_EPOCH gives 0. */
int64_t mt_utc_floor (int64_t ms, MtUnit u);
/* The start of the unit after the one that begins at `start`. */
int64_t mt_utc_next (int64_t start, MtUnit u);
/* Whole units since the start of `of`, without base. */
static inline int64_t mt_utc_part (int64_t ms, MtUnit unit, MtUnit of)
{
   return mt_floor_div (ms - mt_utc_floor (ms, of), mt_unit_ms (unit));
}

/* ---- descriptors ---- */

/* "stores[0].root.sub" of a node, added to out. */
void mt_node_path (size_t store, const MtNode *n, MtBuf *out);
/* What a parsed descriptor must fulfil beyond its grammar (check.c). */
bool mt_layout_check (const MtTable *t, const char *name, const MtLayout *l, MtError *err);
bool mt_layout_invalid (MtError *err, const char *layout, const char *path, const char *fmt, ...) __attribute__ ((format (printf, 4, 5)));

/* Whether a store's documents can be sharded by a field (NULL: can't); *why when not, for a descriptor's error. */
bool mt_can_shard (const MtStoreDesc *s, const char *at, const char **why);

static inline bool mt_id_is_auto (const MtStoreDesc *s) { return s->id_count == 0; }
/* True when a binding of the root lies at or under _id. */
bool mt_root_binds_id (const MtStoreDesc *s);

#define MT_FLUSH_LEVELS 50000

#endif
