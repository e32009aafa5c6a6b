/* Retention: expire_after of tables and layouts, and removing expired rows
 * (docs/decisions/0008-retention.md). */
#ifndef MT_SESSION_EXPIRE_H
#define MT_SESSION_EXPIRE_H

#include "layouts/expire.h"
#include "session/state/session.h"

/* ---- expire.c ---- */

/* Reads expire_after of CREATE TABLE, and makes the time column NOT NULL. Call it before the
 * layout is built. */
bool mt_expiry_declare (MtStatement *st, const MtLayoutDef *d, MtTable *t, MtError *err);
/* Checks that rows of the table can expire, and sets the unit of expiry. Its layouts are built. */
bool mt_expiry_settle (MtStatement *st, MtTable *t, MtError *err);
/* Prevents expired rows from coming back when a table's expiry changes. Removes documents with
 * expired rows only; other expired rows stay hidden for good. Rows that expired in a single
 * layout stay hidden there. In the engine's open step; *next receives the statistics of the
 * layouts that both tables have. */
bool mt_expiry_retire (MtStatement *st, const MtTable *old, MtTable *next, MtError *err);
/* Reads expire_after of ADD LAYOUT. */
bool mt_expiry_of_layout (MtStatement *st, const MtLayoutDef *d, const MtTable *t, MtLayout *l,
                          MtError *err);
/* Records that a layout has no rows before this time, and will not get any. MT_NEVER_EXPIRES:
 * nothing is recorded. */
void mt_expiry_ended (MtStatement *st, MtLayout *l, int64_t before_ms);
/* 55000 if a layout that is dropped has older rows than all layouts of `next`. */
bool mt_expiry_may_drop (MtStatement *st, const MtTable *t, const MtLayout *gone,
                         const MtTable *next, MtError *err);
/* Lets a server delete expired documents by itself. A notice names the collections where it
 * cannot. */
bool mt_expiry_tell_all (MtStatement *st, const MtTable *t, MtError *err);

/* ---- sweep.c ---- */

/* The documents removed from a collection. */
typedef struct MtSweptCollection {
   const char *name;
   uint64_t documents; /* of a dropped partition: all its documents */
   bool dropped;
} MtSweptCollection;

typedef struct MtSwept {
   MtTable next;            /* the table with its new statistics */
   MtSweptCollection *list; /* in the statement's arena */
   size_t count, capacity;
} MtSwept;

/* Removes documents with only rows before a time, or before their layout's horizon. Partitions
 * are always dropped; of other documents at most `most` are removed (0: all). In the engine's
 * open step. */
bool mt_sweep (MtStatement *st, const MtTable *t, int64_t before_ms, uint64_t most, MtSwept *out,
               MtError *err);
/* Whether some documents have both rows before a time and later ones. */
bool mt_sweep_leaves (MtStatement *st, const MtTable *t, int64_t before_ms, bool *leaves,
                      MtError *err);
/* Removes a table's expired rows in a step of its own. tell: sends notices about it. */
bool mt_sweep_expired (MtStatement *st, const MtTable *t, uint64_t most, bool tell, MtError *err);

#endif
