/* The keys of a table (PRIMARY KEY, UNIQUE, CREATE UNIQUE INDEX): lists of keys, names,
 * definitions, the servers' indexes. */
#ifndef MT_SESSION_KEYS_H
#define MT_SESSION_KEYS_H

#include "session/core/core.h"

/* Adds a key to a new version of a table; a PRIMARY KEY comes first. */
void mt_keys_with (MtArena *a, MtTable *t, const MtTableKey *k);
/* Removes a key from a new version of a table. */
void mt_keys_without (MtArena *a, MtTable *t, const MtTableKey *k);
/* Removes the keys that have a column or whose condition reads it, and renumbers the columns behind
 * it, in a new version of a table whose old version is `from`. */
void mt_keys_without_column (MtArena *a, const MtTable *from, MtTable *t, int gone);

/* Returns whether a table, view, sequence, index or key has this name, among the temporary ones or
 * the others. Indexes share their names. */
bool mt_is_relation_name (MtSession *s, const char *name, bool temporary);
/* Returns the name in the catalog of a key of this table, whose name has no schema: keys have the
 * table's schema, like all relations. In arena a. */
MtName mt_key_full_name (MtSession *s, MtArena *a, const MtTable *t, const MtName *given);
/* Finds a key of a table: by the name exactly, or else without regard to case, unless the name is
 * quoted. NULL: none. */
const MtTableKey *mt_key_by_name (const MtTable *t, const MtName *name);
/* The same among all tables, the temporary ones first. */
const MtTableKey *mt_find_key (MtSession *s, const MtName *name, const MtTable **of);

/* Returns the definition as pg_get_constraintdef shows it: UNIQUE (a, b). In arena a. */
const char *mt_key_shown (MtArena *a, const MtTable *t, const MtTableKey *k);
/* Returns what follows CREATE UNIQUE INDEX name ON table USING btree: (a, b) WHERE (a > 0); pretty:
 * without the parentheses of the condition. */
const char *mt_key_index_shown (MtArena *a, const MtTable *t, const MtTableKey *k, bool pretty);

/* Creates or drops the unique index of a key in all collections of a table on a server. Call them
 * in the engine's open step. */
bool mt_key_make_indexes (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);
bool mt_key_drop_indexes (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);

/* Drops a key in a step of its own. */
bool mt_drop_key (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);

#endif
