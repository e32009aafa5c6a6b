/* The catalog: tables, functions, named layouts and other objects. They are kept as documents of
 * the collection _mtsql_catalog in the same database, and cached here. The catalog of a read-only
 * target is kept in memory, or in a file (--catalog FILE).
 *
 * The documents: {_id: NAME, kind: "table", …} (layouts/descriptor/stored_table.h), {_id: {kind:
 * KIND, name: NAME}, kind, name, body}, and {_id: {kind: "version"}, kind: "version", n: int64}.
 * Every change increments the version, so that other sessions read the catalog again.
 *
 * In an engine's step (mt_engine_begin), a change is part of the step. After a rollback the
 * caller calls mt_catalog_invalidate. Tables and objects that the catalog returns are borrowed
 * until the second mt_catalog_refresh from now. So a statement that begins with a refresh can
 * use them until its end. */
#ifndef MT_CATALOG_H
#define MT_CATALOG_H

#include "engine/engine.h"
#include "layouts/table.h"

#define MT_CATALOG_COLLECTION "_mtsql_catalog"
/* The field of an object that counts its signs of life. */
#define MT_BEATS "beats"
/* The catalog of temporary tables, and of objects that belong to them. */
#define MT_TEMPORARY_CATALOG MT_TEMPORARY MT_CATALOG_COLLECTION

typedef struct MtCatalog MtCatalog;

/* Opens a catalog, and reads it. file: the catalog's file; NULL: the catalog is in the engine, or
 * if that is read-only, in memory; objects that a read-only target contains are read, too. Owned by
 * the caller: mt_catalog_close. 58P01, 58030, XX001 for a file that cannot be read. */
bool mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err);
void mt_catalog_close (MtCatalog *c); /* NULL is allowed */

/* ---- reading again ---- */

/* Reads the catalog again if the version has changed. A statement begins with this. *changed (may
 * be NULL): something was read. */
bool mt_catalog_refresh (MtCatalog *c, bool *changed, MtError *err);
/* Returns the time since the version was last read; INT64_MAX if the catalog must be read again. */
int64_t mt_catalog_age_us (const MtCatalog *c);
/* Begins a statement with the cached catalog, in place of mt_catalog_refresh. Only for statements
 * that read, if they accept the catalog's age. */
void mt_catalog_keep (MtCatalog *c);
/* Begins a read-only statement with the cached catalog, on the assumption that the version has not
 * changed. The statement reads the version together with its data (mt_catalog_version), and then
 * calls mt_catalog_confirm. If the assumption was wrong, the statement begins again with
 * mt_catalog_refresh. Partitions are listed by mt_partitions_look. False: the statement must begin
 * with mt_catalog_refresh. */
bool mt_catalog_assume (MtCatalog *c);
/* Returns the version's document, for reading it beside other data. */
MtBeside mt_catalog_version (MtArena *a);
/* *same: the version is still the assumed one. If !found, reads the version. */
bool mt_catalog_confirm (MtCatalog *c, bool found, const bson_t *version, bool *same, MtError *err);
/* Returns the cached version with this session's own changes. The stored version is not less. */
int64_t mt_catalog_known (const MtCatalog *c);
/* Reads the version only, and keeps the cache. *same: nobody else has changed the catalog. */
bool mt_catalog_unchanged (MtCatalog *c, bool *same, MtError *err);
/* Returns a number that changes whenever the whole catalog is read again, or must be. */
uint64_t mt_catalog_generation (const MtCatalog *c);
/* Returns whether this session has changed anything that other sessions rely on since the last
 * call. Statistics of written rows and intents do not count. */
bool mt_catalog_told (MtCatalog *c);
/* Increments the version, so that other sessions read the catalog again: at once, or (within) as a
 * part of the step's transaction. Needs an engine that can adjust numbers. */
bool mt_catalog_bump_beside (MtCatalog *c, bool within, MtError *err);
/* Sets the names of the session's own intents; borrowed, *count of them at any time. An intent
 * is an object of kind "intent" whose body names a `table`, and in `what` the kind of change. If
 * another session intends to write, rewrite or truncate a table, a refresh marks the table's
 * collections as suspect, except the one that is trusted (mt_leaf_trusted). */
void mt_catalog_own_intents (MtCatalog *c, const char (*names)[25], const size_t *count);
/* Lists the partitions of all tables. mt_catalog_refresh does this, too. */
bool mt_catalog_look (MtCatalog *c, MtError *err);
/* Makes the next refresh read everything again. */
void mt_catalog_invalidate (MtCatalog *c);

/* ---- tables ---- */

/* Returns all tables that are not damaged, sorted by name; borrowed. */
const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count);
/* A temporary table hides another table of the same name. */
typedef enum MtTableScope { MT_ANY_TABLE, MT_PERMANENT_TABLES, MT_TEMPORARY_TABLES } MtTableScope;
bool mt_catalog_find_among (MtCatalog *c, MtTableScope scope, const char *name, bool exact_only,
                            const MtTable **out, MtError *err);
/* Finds a table by name: exactly, or else (unless exact_only) the only table that matches
 * without regard to ASCII case. *out is NULL if there is none. 42702 if several match, XX001 if
 * its document is damaged. */
bool mt_catalog_find (MtCatalog *c, const char *name, bool exact_only, const MtTable **out,
                      MtError *err);
/* Inserts or replaces a table, with its version incremented. *out (may be NULL) is the cached copy.
 */
bool mt_catalog_save (MtCatalog *c, const MtTable *t, const MtTable **out, MtError *err);
/* Replaces `before`, which the catalog returned, by t. On a server, 40001 if another client wrote
 * rows of the table or changed the table since it was read. */
bool mt_catalog_save_unwritten (MtCatalog *c, const MtTable *before, const MtTable *t,
                                MtError *err);
/* 40001 for a table that was changed meanwhile; false. */
bool mt_catalog_changed_meanwhile (const char *table, MtError *err);
/* Removes a table by its mt_table_id; it may be damaged. */
bool mt_catalog_drop (MtCatalog *c, const char *id, bool *dropped, MtError *err);

/* ---- statistics of tables ---- */

/* Saves the statistics of `now`, which grew from `before`, which the catalog returned. On a
 * server and outside of transaction blocks, adds the differences to the stored numbers, at once.
 * So several writers lose nothing of each other's counts. Elsewhere it is mt_catalog_save.
 * 40001: the table was changed meanwhile. */
bool mt_catalog_grow (MtCatalog *c, const MtTable *before, const MtTable *now, MtError *err);
/* Adds what a step wrote (by layout and store) to the cached statistics only. False, without adding
 * anything, if another session's plans could become wrong: then mt_catalog_save_ahead is needed. */
bool mt_catalog_count (MtCatalog *c, const MtTable *t, MtStoreStats *const *written);
/* Like mt_catalog_grow, but saves bounds of time that are a day wider, so that the next steps
 * can use mt_catalog_count. */
bool mt_catalog_save_ahead (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err);
/* Saves what mt_catalog_count added. */
bool mt_catalog_flush (MtCatalog *c, MtError *err);

/* ---- other objects: functions, layouts, intents and so on ---- */

typedef struct MtCatalogObject {
   const char *kind;
   const char *name;
   const bson_t *body; /* as it was saved */
} MtCatalogObject;

/* Returns the _id of an object's document, in arena a. */
MtVal mt_catalog_object_id (MtArena *a, const char *kind, const char *name);
/* Returns all objects of a kind, sorted by name; borrowed. */
const MtCatalogObject *mt_catalog_objects (MtCatalog *c, const char *kind, size_t *count);
/* Finds an object by name: exactly, or else without regard to ASCII case. *out is NULL if there is
 * none. */
void mt_catalog_find_object (MtCatalog *c, const char *kind, const char *name,
                             const MtCatalogObject **out);
bool mt_catalog_save_object (MtCatalog *c, const char *kind, const char *name, const bson_t *body,
                             MtError *err);
bool mt_catalog_drop_object (MtCatalog *c, const char *kind, const char *name, bool *dropped,
                             MtError *err);
/* Removes an object that a failed save may have stored, even if it is not cached. */
bool mt_catalog_withdraw_object (MtCatalog *c, const char *kind, const char *name, MtError *err);
/* The last growth of a table's statistics also checked this session's only intent, in the same
 * command. Returns true, once, if it did. *stood: the intent was still stored; otherwise it was
 * stored again. */
bool mt_catalog_intent_was_met (MtCatalog *c, bool *stood);
/* Sets the objects that send signs of life from now on (mt_engine_beat). */
void mt_catalog_beat (MtCatalog *c, const char *kind, const char (*names)[25], size_t count);
/* Reads the stored documents of a kind, without the cache. */
bool mt_catalog_documents (MtCatalog *c, const char *kind, MtCursor **out, MtError *err);
/* Reads whether an object is still stored, and its number of signs of life, without the cache. */
bool mt_catalog_object_stands (MtCatalog *c, const char *kind, const char *name, bool *yes,
                               int64_t *beats, MtError *err);

#endif
