/* The unique keys of a table (PRIMARY KEY, UNIQUE, CREATE UNIQUE INDEX): their lists, names and
 * definitions, and the unique indexes for them on servers. */
#ifndef MT_SESSION_KEYS_H
#define MT_SESSION_KEYS_H

#include "session/core/core.h"

/* Adds key k to t, a new version of a table; a PRIMARY KEY becomes the first. */
void mt_keys_with (MtArena *a, MtTable *t, const MtTableKey *k);
/* Removes key k from t, a new version of a table. */
void mt_keys_without (MtArena *a, MtTable *t, const MtTableKey *k);
/* Removes from t the keys that contain column `gone`, or whose condition reads it, and renumbers
 * the columns of the others. t is the new version of table `from`, without the column. */
void mt_keys_without_column (MtArena *a, const MtTable *from, MtTable *t, int gone);

/* Returns whether a table, view, sequence, index or key has this name, among temporary relations or
 * among the others. Index and key names share one name space with tables. */
bool mt_is_relation_name (MtSession *s, const char *name, bool temporary);
/* Returns the name in the catalog for a key of table t that is given without a schema. A key, like
 * all relations, is in the schema of its table. In arena a. */
MtName mt_key_full_name (MtSession *s, MtArena *a, const MtTable *t, const MtName *given);
/* Finds a key of a table by name: the one with exactly this name, or else, unless the name is
 * quoted, one that matches case-insensitively. NULL: there is none. */
const MtTableKey *mt_key_by_name (const MtTable *t, const MtName *name);
/* Runs SET CONSTRAINTS. No constraint is deferrable, so ALL has no effect; a name is 42704 or
 * 42809. */
bool mt_run_set_constraints (MtStatement *st, MtError *err);
/* Like mt_key_by_name, among all tables, temporary ones first. *of is set to the key's table. */
const MtTableKey *mt_find_key (MtSession *s, const MtName *name, const MtTable **of);

/* Returns a key's definition as pg_get_constraintdef shows it, such as UNIQUE (a, b). In arena
 * a. */
const char *mt_key_shown (MtArena *a, const MtTable *t, const MtTableKey *k);
/* Returns the text after CREATE UNIQUE INDEX name ON table USING btree, such as (a, b) WHERE (a >
 * 0). pretty: without the parentheses around the condition. */
const char *mt_key_index_shown (MtArena *a, const MtTable *t, const MtTableKey *k, bool pretty);

/* Create or drop the unique index for a key, in all collections of a table on a server. Call them
 * in an open write step. */
bool mt_key_make_indexes (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);
bool mt_key_drop_indexes (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);

/* Drops a key, in a write step of its own. */
bool mt_drop_key (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);

#endif
