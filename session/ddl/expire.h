/* Retention: a table's expire_after, and what goes when rows have expired
 * (docs/decisions/0008-retention.md). */
#ifndef MT_SESSION_EXPIRE_H
#define MT_SESSION_EXPIRE_H

#include "layouts/expire.h"
#include "session/state/session.h"

/* ---- expire.c ---- */

/* What WITH says of it, before the new table's layout is built: its time can't be NULL then. */
bool mt_expiry_declare (MtStatement *st, const MtLayoutDef *d, MtTable *t, MtError *err);
/* Whether the table, whose layouts are built, can have it; sets the unit. */
bool mt_expiry_settle (MtStatement *st, MtTable *t, MtError *err);
/* What had expired in the old table doesn't come back in the changed one, whose rows would last
 * longer: it goes for good, and what can't, since its documents have other rows, too, stays out of
 * sight. What had expired in a layout alone stays out of sight there. In the engine's open step;
 * *next gets the statistics of the layouts that both have. */
bool mt_expiry_retire (MtStatement *st, const MtTable *old, MtTable *next, MtError *err);
/* A further layout's own. */
bool mt_expiry_of_layout (MtStatement *st, const MtLayoutDef *d, const MtTable *t, MtLayout *l,
                          MtError *err);
/* The layout has no rows before that time, nor will it have (MT_NEVER_EXPIRES: it may). */
void mt_expiry_ended (MtStatement *st, MtLayout *l, int64_t before_ms);
/* A layout may go, unless others, which are `next`'s, have lost earlier what it still keeps. */
bool mt_expiry_may_drop (MtStatement *st, const MtTable *t, const MtLayout *gone,
                         const MtTable *next, MtError *err);
/* Tells a server, and the user which collections it doesn't empty by itself. */
bool mt_expiry_tell_all (MtStatement *st, const MtTable *t, MtError *err);

/* ---- sweep.c ---- */

/* What went from a collection. */
typedef struct MtSweptCollection {
   const char *name;
   uint64_t documents; /* of a partition that was dropped, all that it had */
   bool dropped;
} MtSweptCollection;

typedef struct MtSwept {
   MtSweptCollection *list; /* in the statement's arena */
   size_t count, capacity;
} MtSwept;

/* Removes the documents that have nothing but rows before a time, or before their layout's horizon,
 * at most `most` of what isn't partitions (0: all). In the engine's open step; *next is the table
 * with its statistics, and *changed whether anything went. */
bool mt_sweep (MtStatement *st, const MtTable *t, int64_t before_ms, uint64_t most, MtTable *next,
               MtSwept *out, MtError *err);
/* Whether some documents have such rows and others. */
bool mt_sweep_leaves (MtStatement *st, const MtTable *t, int64_t before_ms, bool *leaves,
                      MtError *err);
/* A whole step that removes what has expired of a table; says what went when asked to. */
bool mt_sweep_expired (MtStatement *st, const MtTable *t, uint64_t most, bool tell, MtError *err);

#endif
