/* The catalog: tables, functions and named layouts, kept as documents of the collection
 * _mtsql_catalog of the same database, and cached here. A read-only target's catalog lives in the
 * session, or in a file (--catalog FILE).
 *
 * Documents: {_id: NAME, kind: "table", …} (layouts/table.h), {_id: {kind: "function" | "layout",
 * name: NAME}, kind, name, …}, and
 * {_id: {kind: "version"}, kind: "version", n: int64}, which every change increments, so that other
 * sessions notice.
 *
 * Inside an engine step (mt_engine_begin) a change is part of the step; after a rollback call
 * mt_catalog_invalidate. Tables and objects that this gives out are borrowed until the second next
 * mt_catalog_refresh: a statement that began with a refresh may use them to its end. */
#ifndef MT_CATALOG_H
#define MT_CATALOG_H

#include "engine/engine.h"
#include "layouts/table.h"

#define MT_CATALOG_COLLECTION "_mtsql_catalog"
#define MT_BEATS "beats" /* of an object that is kept alive */
#define MT_TEMPORARY_CATALOG \
   MT_TEMPORARY MT_CATALOG_COLLECTION /* of temporary tables, and of what there is about them */

typedef struct MtCatalog MtCatalog;

/* file: where a catalog is kept instead of in the engine (NULL: in the engine, or only in memory
 * when that is read-only; what a read-only target brings along is read). Owned by the caller:
 * mt_catalog_close. 58P01, 58030, XX001 for a file that can't be read. */
bool mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err);
void mt_catalog_close (MtCatalog *c); /* NULL is allowed */

/* Reads again what changed, if the version document says so; call it where a statement begins.
 * *changed may be NULL. */
bool mt_catalog_refresh (MtCatalog *c, bool *changed, MtError *err);
int64_t mt_catalog_age_us (const MtCatalog *c); /* since the last refresh asked for the version;
                                                   INT64_MAX: it has to be read again */
void mt_catalog_keep (MtCatalog *c); /* a statement begins with what is known: for one that only
                                        reads, and may be so late */
/* A statement that only reads may begin with what is known, and have the version looked at while it
 * reads: mt_catalog_version gives what to look for, mt_catalog_confirm says by it (found false:
 * it's asked for) whether that was right; else the statement is begun again, by mt_catalog_refresh.
 * mt_catalog_assume is false where it has to begin with that. Which partitions a table has is
 * looked at by mt_partitions_look then, when it is met. */
bool mt_catalog_assume (MtCatalog *c);
MtBeside mt_catalog_version (MtArena *a);
bool mt_catalog_confirm (MtCatalog *c, bool found, const bson_t *version, bool *same, MtError *err);
/* The version that was read last, with this session's own changes since: the stored one isn't
 * less. */
int64_t mt_catalog_known (const MtCatalog *c);
/* A look at the version alone, which leaves what was given out: *same: nobody else has changed
 * anything since it was read. */
bool mt_catalog_unchanged (MtCatalog *c, bool *same, MtError *err);
uint64_t mt_catalog_generation (
   const MtCatalog *c); /* another number after all was read again, or has to be */
/* Whether this session has changed what others go by (statistics of rows written, and intents,
 * apart) since it was last asked. */
bool mt_catalog_told (MtCatalog *c);
/* Others are to read the catalog again, where numbers can be adjusted: at once, or (within) as part
 * of the step's transaction. */
bool mt_catalog_bump_beside (MtCatalog *c, bool within, MtError *err);
/* Intents are objects of kind "intent" whose body names a `table`, and what is done as `what`;
 * where that is "write", "rewrite" or "truncate", the table's collections but the one that is right
 * by itself are marked as suspect by the refresh that finds it. Those in `names` (borrowed, *count
 * of them at any time) aren't looked at: the session's own. */
void mt_catalog_own_intents (MtCatalog *c, const char (*names)[25], const size_t *count);
/* Looks which partitions the tables have, in one listing of the collections; a refresh does it,
 * too. */
bool mt_catalog_look (MtCatalog *c, MtError *err);
/* The next refresh reads everything again. */
void mt_catalog_invalidate (MtCatalog *c);

/* ---- tables ---- */

/* All that can be read, sorted by name; borrowed. */
const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count);
/* Which of the tables: a temporary one hides the other of its name. */
typedef enum MtTableScope { MT_ANY_TABLE, MT_PERMANENT_TABLES, MT_TEMPORARY_TABLES } MtTableScope;
bool mt_catalog_find_among (MtCatalog *c, MtTableScope scope, const char *name, bool exact_only,
                            const MtTable **out, MtError *err);
/* Among all, by name: exact, or else (unless exact_only) the only one that matches without regard
 * to ASCII case. *out = NULL: there is none. 42702 when several match, XX001 when its description
 * is damaged. */
bool mt_catalog_find (MtCatalog *c, const char *name, bool exact_only, const MtTable **out,
                      MtError *err);
/* Inserts or replaces the table of that name; copied, with its version one higher. *out (may be
 * NULL) is the cached copy. */
bool mt_catalog_save (MtCatalog *c, const MtTable *t, const MtTable **out, MtError *err);
/* The same of what was made of `before`, which this gave out, where a server's other clients write:
 * 40001 if they did, or changed the table, since it was read. */
bool mt_catalog_save_unwritten (MtCatalog *c, const MtTable *before, const MtTable *t,
                                MtError *err);
/* The error of that; false. */
bool mt_catalog_changed_meanwhile (const char *table, MtError *err);
/* Saves what a step made of the statistics: `now`, of a table `before` that this gave out. On a
 * server, outside of blocks, the numbers in the description change by what the step added, at once
 * and beside its transaction, and bounds only move outwards, so that several writers lose nothing
 * of each other's; elsewhere as mt_catalog_save. 40001: the table was changed meanwhile. */
bool mt_catalog_grow (MtCatalog *c, const MtTable *before, const MtTable *now, MtError *err);
/* Adds what a step wrote (by layout and store) to the statistics of a table that this gave out, in
 * memory alone, where nothing that others rely on changes; false: it does, and nothing was added.
 * mt_catalog_save_ahead is for those then: bounds of the time are saved a day further than they
 * are, so that the next steps needn't. */
bool mt_catalog_count (MtCatalog *c, const MtTable *t, MtStoreStats *const *written);
bool mt_catalog_save_ahead (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err);
/* Saves what was counted. */
bool mt_catalog_flush (MtCatalog *c, MtError *err);
bool mt_catalog_drop (MtCatalog *c, const char *id, bool *dropped,
                      MtError *err); /* by mt_table_id; damaged ones too */

/* ---- functions and layouts ---- */

typedef struct MtCatalogObject {
   const char *kind; /* "function" or "layout" */
   const char *name;
   const bson_t *body; /* what was saved */
} MtCatalogObject;

/* The _id of an object's document, in arena a. */
MtVal mt_catalog_object_id (MtArena *a, const char *kind, const char *name);
/* All objects of a kind, sorted by name; borrowed. */
const MtCatalogObject *mt_catalog_objects (MtCatalog *c, const char *kind, size_t *count);
/* *out = NULL: there is none (names are compared without regard to ASCII case when there is no
 * exact one). */
void mt_catalog_find_object (MtCatalog *c, const char *kind, const char *name,
                             const MtCatalogObject **out);
bool mt_catalog_save_object (MtCatalog *c, const char *kind, const char *name, const bson_t *body,
                             MtError *err);
bool mt_catalog_drop_object (MtCatalog *c, const char *kind, const char *name, bool *dropped,
                             MtError *err);
/* What a save that failed may have stored all the same is removed, whether or not this session has
 * read it. */
bool mt_catalog_withdraw_object (MtCatalog *c, const char *kind, const char *name, MtError *err);
/* What the last growth of a table's description met of this session's one intent, by the same
 * command: true, once, where it looked; *stood: it was there. Else it has been made again, for what
 * is taken back then. */
bool mt_catalog_intent_was_met (MtCatalog *c, bool *stood);
/* Objects that are kept alive from now on (mt_engine_beat), instead of those before. */
void mt_catalog_beat (MtCatalog *c, const char *kind, const char (*names)[25], size_t count);
/* The documents of a kind as they are now, whatever this catalog knows of them. */
bool mt_catalog_documents (MtCatalog *c, const char *kind, MtCursor **out, MtError *err);
/* Whether it is still stored, whatever this session has read, and how many signs of life there
 * were. */
bool mt_catalog_object_stands (MtCatalog *c, const char *kind, const char *name, bool *yes,
                               int64_t *beats, MtError *err);

#endif
