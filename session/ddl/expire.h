/* Retention: the option expire_after of tables and layouts, and the removal of expired rows
 * (docs/decisions/0008-retention.md). */
#ifndef MT_SESSION_EXPIRE_H
#define MT_SESSION_EXPIRE_H

#include "layouts/expire.h"
#include "session/state/session.h"

/* ---- expire.c ---- */

/* Reads expire_after of CREATE TABLE, and makes the time column NOT NULL. Call it before the
 * layout is built. */
bool mt_expiry_declare (MtStatement *st, const MtLayoutDef *d, MtTable *t, MtError *err);
/* Checks that rows of the table can expire, and sets the unit of expiry. The table's layouts must
 * be built. */
bool mt_expiry_settle (MtStatement *st, MtTable *t, MtError *err);
/* Prevents expired rows from coming back when a table's expiry changes. Removes documents with
 * expired rows only; other expired rows stay hidden for ever. Rows that expired in only one layout
 * stay hidden in this layout. Call it in the engine's open step (begin … commit). *next receives
 * the statistics of the layouts that both tables have. */
bool mt_expiry_retire (MtStatement *st, const MtTable *old, MtTable *next, MtError *err);
/* Reads the option expire_after of ADD LAYOUT into *l. */
bool mt_expiry_of_layout (MtStatement *st, const MtLayoutDef *d, const MtTable *t, MtLayout *l,
                          MtError *err);
/* Records that a layout has no rows before before_ms, and will never have any. MT_NEVER_EXPIRES:
 * records nothing. */
void mt_expiry_ended (MtStatement *st, MtLayout *l, int64_t before_ms);
/* Fails with 55000 if the layout `gone`, which is dropped, has older rows than all layouts of
 * `next`. */
bool mt_expiry_may_drop (MtStatement *st, const MtTable *t, const MtLayout *gone,
                         const MtTable *next, MtError *err);
/* Lets a server delete expired documents by itself. A notice names the collections in which the
 * server cannot do this. */
bool mt_expiry_tell_all (MtStatement *st, const MtTable *t, MtError *err);

/* ---- sweep.c ---- */

/* The documents removed from a collection. */
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

/* Removes documents whose rows are all before before_ms, or before the time at which rows of their
 * layout expire. Whole partitions are always dropped; at most `most` other documents are removed
 * (0: all). Call it in the engine's open step (begin … commit). */
bool mt_sweep (MtStatement *st, const MtTable *t, int64_t before_ms, uint64_t most, MtSwept *out,
               MtError *err);
/* Sets *leaves if some documents have both rows before before_ms and later rows, and so stay. */
bool mt_sweep_leaves (MtStatement *st, const MtTable *t, int64_t before_ms, bool *leaves,
                      MtError *err);
/* Removes a table's expired rows in a separate step. tell: sends notices about the removed rows. */
bool mt_sweep_expired (MtStatement *st, const MtTable *t, uint64_t most, bool tell, MtError *err);

#endif
