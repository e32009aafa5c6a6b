/* Retention: the option expire_after of tables and layouts, and the removal of expired rows
 * (docs/decisions/0008-retention.md). */
#ifndef MT_SESSION_EXPIRE_H
#define MT_SESSION_EXPIRE_H

#include "layouts/expire.h"
#include "session/state/session.h"

/* ---- expire.c ---- */

/* Reads the option expire_after of CREATE TABLE into *t, and makes the time column NOT NULL. Call
 * it before the layout is built. */
bool mt_expiry_declare (MtStatement *st, const MtLayoutDef *d, MtTable *t, MtError *err);
/* Checks that rows of the table can expire, and sets the time unit in which they expire. Call it
 * after the table's layouts are built. */
bool mt_expiry_settle (MtStatement *st, MtTable *t, MtError *err);
/* Prevents expired rows from becoming visible again when a table's expiry changes. Removes
 * documents in which all rows have expired. Other expired rows stay hidden for ever, also rows that
 * expired in only one layout. *next receives the statistics of the layouts that both versions of
 * the table have. Call it in the engine's open step (begin … commit). */
bool mt_expiry_retire (MtStatement *st, const MtTable *old, MtTable *next, MtError *err);
/* Reads the option expire_after of ADD LAYOUT into *l. */
bool mt_expiry_of_layout (MtStatement *st, const MtLayoutDef *d, const MtTable *t, MtLayout *l,
                          MtError *err);
/* Records in *l that the layout has no rows before the time before_ms, and will never have any.
 * MT_NEVER_EXPIRES: records nothing. */
void mt_expiry_ended (MtStatement *st, MtLayout *l, int64_t before_ms);
/* Fails with 55000 if layout `gone`, which is being dropped, has rows that are older than all rows
 * of the layouts of `next`. */
bool mt_expiry_may_drop (MtStatement *st, const MtTable *t, const MtLayout *gone,
                         const MtTable *next, MtError *err);
/* Makes the server delete expired documents by itself (TTL indexes). A notice names the collections
 * for which the server cannot do this. */
bool mt_expiry_tell_all (MtStatement *st, const MtTable *t, MtError *err);

/* ---- sweep.c ---- */

/* The documents that were removed from one collection. */
typedef struct MtSweptCollection {
   const char *name;
   /* the number of removed documents; for a dropped partition, all its documents */
   uint64_t documents;
   bool dropped;
} MtSweptCollection;

typedef struct MtSwept {
   MtTable next;            /* the table with its new statistics */
   MtSweptCollection *list; /* in the statement's arena */
   size_t count, capacity;
} MtSwept;

/* Removes documents in which all rows are before the time before_ms or have expired in their
 * layout. Partitions are dropped as a whole, without a limit; at most `most` other documents are
 * removed (0: no limit). Call it in the engine's open step (begin … commit). */
bool mt_sweep (MtStatement *st, const MtTable *t, int64_t before_ms, uint64_t most, MtSwept *out,
               MtError *err);
/* Sets *leaves if some documents have rows before the time before_ms and later rows, so that the
 * documents stay. */
bool mt_sweep_leaves (MtStatement *st, const MtTable *t, int64_t before_ms, bool *leaves,
                      MtError *err);
/* Removes a table's expired rows in a write step of its own, at most `most` documents. tell: sends
 * notices about the removed rows. */
bool mt_sweep_expired (MtStatement *st, const MtTable *t, uint64_t most, bool tell, MtError *err);

#endif
