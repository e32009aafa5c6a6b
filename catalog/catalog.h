/* The catalog: tables, functions, named layouts and other objects. They are stored as documents in
 * the collection _mtsql_catalog of the same database or store, and cached here. If that is
 * read-only, the catalog is in memory, or in a file (--catalog FILE).
 *
 * There are three forms of documents. A table: {_id: NAME, kind: "table", …}
 * (layouts/descriptor/stored_table.h). Another object: {_id: {kind: KIND, name: NAME}, kind, name,
 * body}. The catalog's version: {_id: {kind: "version"}, kind: "version", n: int64}. Every change
 * increments the version, so that other sessions notice it and read the catalog again.
 *
 * Between mt_engine_begin and the commit (a step), changes of the catalog are committed or rolled
 * back with the step. After a rollback, the caller calls mt_catalog_invalidate. Returned tables and
 * objects are borrowed until the second next call of mt_catalog_refresh. So a statement that begins
 * with a refresh can use them until its end. */
#ifndef MT_CATALOG_H
#define MT_CATALOG_H

#include "engine/engine.h"
#include "layouts/table.h"

#define MT_CATALOG_COLLECTION "_mtsql_catalog"
/* The field in an intent's document that its writer increments from time to time, to show that it
 * is alive (mt_engine_beat). */
#define MT_BEATS "beats"
/* The catalog of temporary tables, and of objects that belong to them. */
#define MT_TEMPORARY_CATALOG MT_TEMPORARY MT_CATALOG_COLLECTION

typedef struct MtCatalog MtCatalog;

/* Opens and reads a catalog. file: the path of the catalog's file. NULL: the catalog is in the
 * engine, or in memory if the engine is read-only; then objects in the catalog collection of the
 * read-only target are read, too. The caller owns *out: mt_catalog_close. Fails with 58P01, 58030
 * or XX001 if the file can't be read. */
bool mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err);
void mt_catalog_close (MtCatalog *c); /* NULL is allowed */

/* ---- refreshing the cache ---- */

/* Reads the catalog again if its version has changed. Statements begin with this call. Sets
 * *changed if something was read; `changed` may be NULL. */
bool mt_catalog_refresh (MtCatalog *c, bool *changed, MtError *err);
/* Returns how many microseconds ago the catalog's version was last read. INT64_MAX: the catalog
 * must be read again. */
int64_t mt_catalog_age_us (const MtCatalog *c);
/* Begins a statement with the cached catalog, without reading the version, instead of
 * mt_catalog_refresh. Only for read-only statements that accept a catalog as old as
 * mt_catalog_age_us. */
void mt_catalog_keep (MtCatalog *c);
/* Begins a read-only statement with the cached catalog, assuming that the version has not changed.
 * The statement reads the version together with its data (mt_catalog_version), and then calls
 * mt_catalog_confirm. If the assumption was wrong, the statement is repeated after
 * mt_catalog_refresh. Partitions are listed by mt_partitions_look. Returns false if the statement
 * must begin with mt_catalog_refresh instead. */
bool mt_catalog_assume (MtCatalog *c);
/* Returns the collection and _id of the version's document. A pipeline can return this document in
 * addition to its own (mt_cursor_beside). */
MtBeside mt_catalog_version (MtArena *a);
/* Checks the assumption of mt_catalog_assume, and sets *same if it was right. version: the
 * version's document, which the statement read with its data. If `found` is false, reads the
 * document now. */
bool mt_catalog_confirm (MtCatalog *c, bool found, const bson_t *version, bool *same, MtError *err);
/* Returns the version of the cached catalog, including this session's own changes. The stored
 * version is at least this. */
int64_t mt_catalog_known (const MtCatalog *c);
/* Sets *same if no other session has changed the catalog. Reads only the stored version. Does not
 * change the cache. */
bool mt_catalog_unchanged (MtCatalog *c, bool *same, MtError *err);
/* Returns a number that is different after the whole catalog was read again or invalidated. So
 * results that depend on the catalog can be cached. */
uint64_t mt_catalog_generation (const MtCatalog *c);
/* Returns whether this session has changed anything in the catalog on which other sessions rely,
 * since the last call of this function. Statistics of written rows, and intents, don't count. */
bool mt_catalog_take_changed (MtCatalog *c);
/* Increments the catalog's version, so that other sessions read it again. within: as part of the
 * open step's transaction; otherwise at once. Requires caps.adjusts. */
bool mt_catalog_bump_beside (MtCatalog *c, bool within, MtError *err);
/* Sets the names of this session's own intents; the list is borrowed, and the session changes it
 * later. An intent is a note of what a session is about to write: an object of kind "intent", whose
 * body has the `table`, and in `what` the kind of change. If another session has an intent for a
 * table, a refresh marks the table's stores as suspect, except the one that is taken as right
 * (mt_leaf_trusted). */
void mt_catalog_own_intents (MtCatalog *c, const char (*names)[25], const size_t *count);
/* Reads the lists of partitions of all tables again. mt_catalog_refresh does this, too. */
bool mt_catalog_look (MtCatalog *c, MtError *err);
/* Makes the next mt_catalog_refresh read everything again. */
void mt_catalog_invalidate (MtCatalog *c);

/* ---- tables ---- */

/* Returns all tables whose documents are valid, sorted by name. Borrowed. */
const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count);
/* The tables that a search by name includes. With MT_ANY_TABLE, a temporary table hides a permanent
 * table of the same name. */
typedef enum MtTableScope { MT_ANY_TABLE, MT_PERMANENT_TABLES, MT_TEMPORARY_TABLES } MtTableScope;
bool mt_catalog_find_among (MtCatalog *c, MtTableScope scope, const char *name, bool exact_only,
                            const MtTable **out, MtError *err);
/* Finds a table by its exact name. If there is none and exact_only is false, finds the only table
 * whose name differs in ASCII case. *out is NULL if there is none. Fails with 42702 if several
 * names differ in case, and with XX001 if the table's document is damaged. */
bool mt_catalog_find (MtCatalog *c, const char *name, bool exact_only, const MtTable **out,
                      MtError *err);
/* Inserts or replaces a table, with its version incremented. Sets *out to the cached copy; `out`
 * may be NULL. */
bool mt_catalog_save (MtCatalog *c, const MtTable *t, const MtTable **out, MtError *err);
/* Replaces table `before`, which the catalog returned, by t. On a server, fails with 40001 if
 * another client has changed the table, or written rows of it, since `before` was read. */
bool mt_catalog_save_unwritten (MtCatalog *c, const MtTable *before, const MtTable *t,
                                MtError *err);
/* Raises the error 40001: another client has changed the table meanwhile. Returns false. */
bool mt_catalog_changed_meanwhile (const char *table, MtError *err);
/* Removes the table with this mt_table_id, even if its document is damaged. *dropped: it
 * existed. */
bool mt_catalog_drop (MtCatalog *c, const char *id, bool *dropped, MtError *err);

/* ---- statistics of tables ---- */

/* Saves table `now`, whose statistics are greater than those of `before`, which the catalog
 * returned. On a server, outside of transaction blocks, the differences are added to the stored
 * numbers at once, so that several writers can add to them at the same time. Otherwise works like
 * mt_catalog_save. Fails with 40001 if another client has changed the table meanwhile. */
bool mt_catalog_grow (MtCatalog *c, const MtTable *before, const MtTable *now, MtError *err);
/* Adds the statistics of written rows only to the cached table t, without saving them.
 * written[i][j]: those of store j of layout i. Returns false, without adding anything, if the
 * stored statistics would become so wrong that other sessions make bad plans. Then call
 * mt_catalog_save_ahead. */
bool mt_catalog_count (MtCatalog *c, const MtTable *t, MtStoreStats *const *written);
/* Like mt_catalog_grow, but widens the saved time bounds by a day. So mt_catalog_count need not
 * save the bounds of the next rows. */
bool mt_catalog_save_ahead (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err);
/* Saves the statistics that mt_catalog_count has added to cached tables. */
bool mt_catalog_flush (MtCatalog *c, MtError *err);

/* ---- other objects: functions, layouts, intents and so on ---- */

typedef struct MtCatalogObject {
   const char *kind;
   const char *name;
   const bson_t *body; /* the object's content, as it was saved */
} MtCatalogObject;

/* Returns the _id of the document of an object, in arena a. */
MtVal mt_catalog_object_id (MtArena *a, const char *kind, const char *name);
/* Returns all objects of a kind, sorted by name. Borrowed. */
const MtCatalogObject *mt_catalog_objects (MtCatalog *c, const char *kind, size_t *count);
/* Returns whether there is any object of a kind. Unlike mt_catalog_objects, it allocates no memory,
 * so each statement can call it. */
bool mt_catalog_has_object (const MtCatalog *c, const char *kind);
/* Finds an object by its exact name, or else by its name in another ASCII case. *out is NULL if
 * there is none. */
void mt_catalog_find_object (MtCatalog *c, const char *kind, const char *name,
                             const MtCatalogObject **out);
bool mt_catalog_save_object (MtCatalog *c, const char *kind, const char *name, const bson_t *body,
                             MtError *err);
bool mt_catalog_drop_object (MtCatalog *c, const char *kind, const char *name, bool *dropped,
                             MtError *err);
/* Removes an object from the engine after saving it failed: it may be stored although it is not in
 * the cache. */
bool mt_catalog_withdraw_object (MtCatalog *c, const char *kind, const char *name, MtError *err);
/* Returns true if the last mt_catalog_grow also checked, in the same command, that this session's
 * only intent is still stored; only the first call after it returns true. *stood: it was stored. If
 * not, the command has stored it again. */
bool mt_catalog_intent_was_met (MtCatalog *c, bool *stood);
/* Sets the objects whose number of signs of life (MT_BEATS) is incremented from time to time from
 * now on (mt_engine_beat). */
void mt_catalog_beat (MtCatalog *c, const char *kind, const char (*names)[25], size_t count);
/* Reads the stored documents of all objects of a kind, without the cache. The caller owns the
 * cursor *out. */
bool mt_catalog_documents (MtCatalog *c, const char *kind, MtCursor **out, MtError *err);
/* Reads whether an object is still stored (*yes), and its number of signs of life (*beats,
 * MT_BEATS). Does not use the cache. */
bool mt_catalog_object_stands (MtCatalog *c, const char *kind, const char *name, bool *yes,
                               int64_t *beats, MtError *err);

#endif
