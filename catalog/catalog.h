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
/* The field of an intent's document that counts the signs of life of its writer
 * (mt_engine_beat). */
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
/* Returns the microseconds since the catalog's version was last read; INT64_MAX if the catalog must
 * be read again. */
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
/* Returns where the version's document is stored, so that a pipeline can return it together with
 * other data (mt_cursor_beside). */
MtBeside mt_catalog_version (MtArena *a);
/* Ends the assumption of mt_catalog_assume. *same: the version has not changed. version: the
 * document that was read with the data; if !found, reads it now. */
bool mt_catalog_confirm (MtCatalog *c, bool found, const bson_t *version, bool *same, MtError *err);
/* Returns the version of the cached catalog, with this session's own changes. The stored version is
 * at least as high. */
int64_t mt_catalog_known (const MtCatalog *c);
/* Reads only the stored version, and keeps the cached catalog. *same: nobody else has changed the
 * catalog. */
bool mt_catalog_unchanged (MtCatalog *c, bool *same, MtError *err);
/* Returns a number that changes whenever the whole catalog is read again or becomes invalid. */
uint64_t mt_catalog_generation (const MtCatalog *c);
/* Returns whether, since the last call, this session has changed anything in the catalog that other
 * sessions rely on. Statistics of written rows and intents do not count. */
bool mt_catalog_take_changed (MtCatalog *c);
/* Increments the version, so that other sessions read the catalog again. within: as a part of the
 * step's transaction; otherwise at once. Only with caps.adjusts. */
bool mt_catalog_bump_beside (MtCatalog *c, bool within, MtError *err);
/* Sets the list of the session's own intents, which the session changes later; borrowed. An intent
 * (a note of what a session is about to write) is an object of kind "intent". Its body has a
 * `table`, and in `what` the kind of change. A refresh marks collections of tables with other
 * sessions' intents as suspect, except the one to trust (mt_leaf_trusted). */
void mt_catalog_own_intents (MtCatalog *c, const char (*names)[25], const size_t *count);
/* Updates the lists of partitions of all tables. mt_catalog_refresh does so, too. */
bool mt_catalog_look (MtCatalog *c, MtError *err);
/* Makes the next refresh read everything again. */
void mt_catalog_invalidate (MtCatalog *c);

/* ---- tables ---- */

/* Returns all tables that are not damaged, sorted by name; borrowed. */
const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count);
/* Which tables a search by name includes. In MT_ANY_TABLE, a temporary table hides a permanent
 * table of the same name. */
typedef enum MtTableScope { MT_ANY_TABLE, MT_PERMANENT_TABLES, MT_TEMPORARY_TABLES } MtTableScope;
bool mt_catalog_find_among (MtCatalog *c, MtTableScope scope, const char *name, bool exact_only,
                            const MtTable **out, MtError *err);
/* Finds a table by name: exactly, or else (unless exact_only) the only table that matches without
 * regard to ASCII case. *out is NULL if there is none. 42702 if several match, XX001 if its
 * document is damaged. */
bool mt_catalog_find (MtCatalog *c, const char *name, bool exact_only, const MtTable **out,
                      MtError *err);
/* Inserts or replaces a table, with its version incremented. *out (may be NULL) is the cached copy.
 */
bool mt_catalog_save (MtCatalog *c, const MtTable *t, const MtTable **out, MtError *err);
/* Replaces `before`, which the catalog returned, by t. On a server, 40001 if another client wrote
 * rows of the table or changed the table since it was read. */
bool mt_catalog_save_unwritten (MtCatalog *c, const MtTable *before, const MtTable *t,
                                MtError *err);
/* Sets error 40001, because another client has changed the table meanwhile, and returns false. */
bool mt_catalog_changed_meanwhile (const char *table, MtError *err);
/* Removes a table by its mt_table_id; it may be damaged. */
bool mt_catalog_drop (MtCatalog *c, const char *id, bool *dropped, MtError *err);

/* ---- statistics of tables ---- */

/* Saves the table `now`, whose statistics grew from `before`, as the catalog returned it. On a
 * server outside of transaction blocks, adds the differences to the stored numbers at once, so that
 * several writers can count together. Elsewhere it is mt_catalog_save. 40001 if another client has
 * changed the table meanwhile. */
bool mt_catalog_grow (MtCatalog *c, const MtTable *before, const MtTable *now, MtError *err);
/* Adds a step's statistics, by layout and store, only to the cached table. False, without adding
 * anything, if plans of other sessions would become wrong. Then call mt_catalog_save_ahead. */
bool mt_catalog_count (MtCatalog *c, const MtTable *t, MtStoreStats *const *written);
/* Like mt_catalog_grow, but saves time bounds that are a day too wide. So the next steps can use
 * mt_catalog_count. */
bool mt_catalog_save_ahead (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err);
/* Saves the statistics that mt_catalog_count has added to cached tables. */
bool mt_catalog_flush (MtCatalog *c, MtError *err);

/* ---- other objects: functions, layouts, intents and so on ---- */

typedef struct MtCatalogObject {
   const char *kind;
   const char *name;
   const bson_t *body; /* the object's content, as it was saved */
} MtCatalogObject;

/* Returns the _id of an object's document, in arena a. */
MtVal mt_catalog_object_id (MtArena *a, const char *kind, const char *name);
/* Returns all objects of a kind, sorted by name; borrowed. */
const MtCatalogObject *mt_catalog_objects (MtCatalog *c, const char *kind, size_t *count);
/* Returns whether there is an object of a kind. Unlike a list of them, it takes no memory, so each
 * statement can ask. */
bool mt_catalog_has_object (const MtCatalog *c, const char *kind);
/* Finds an object by name: exactly, or else without regard to ASCII case. *out is NULL if there is
 * none. */
void mt_catalog_find_object (MtCatalog *c, const char *kind, const char *name,
                             const MtCatalogObject **out);
bool mt_catalog_save_object (MtCatalog *c, const char *kind, const char *name, const bson_t *body,
                             MtError *err);
bool mt_catalog_drop_object (MtCatalog *c, const char *kind, const char *name, bool *dropped,
                             MtError *err);
/* Removes an object after saving it failed, because it may be stored although it is not cached. */
bool mt_catalog_withdraw_object (MtCatalog *c, const char *kind, const char *name, MtError *err);
/* Returns true, once, if the last mt_catalog_grow also checked this session's only intent in the
 * same command. *stood: the intent was still stored. If not, the command has stored it again. */
bool mt_catalog_intent_was_met (MtCatalog *c, bool *stood);
/* Sets the objects in which a number grows from now on, as signs of life (mt_engine_beat). */
void mt_catalog_beat (MtCatalog *c, const char *kind, const char (*names)[25], size_t count);
/* Reads the stored documents of objects of a kind, without using the cache. The caller owns
 * *out. */
bool mt_catalog_documents (MtCatalog *c, const char *kind, MtCursor **out, MtError *err);
/* Reads, without the cache, whether an object is still stored (*yes), and its number of signs of
 * life. */
bool mt_catalog_object_stands (MtCatalog *c, const char *kind, const char *name, bool *yes,
                               int64_t *beats, MtError *err);

#endif
