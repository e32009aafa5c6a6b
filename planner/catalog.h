/* The catalog: what a database's tables, functions and layouts are. A collection `_mtsql_catalog` in the same database, one document each
 * (its `kind` says which), or for a read-only target the session's memory, or a JSON file. */
#ifndef MT_CATALOG_H
#define MT_CATALOG_H

#include "engine/engine.h"
#include "layouts/table.h"

#define MT_CATALOG_COLLECTION "_mtsql_catalog"

typedef struct MtCatalog MtCatalog;

/* e is borrowed for the catalog's life. file: where a read-only target's catalog is kept (made when missing); NULL: in memory. Loads nothing yet. Owned by
 * the caller. */
bool mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err);
void mt_catalog_close (MtCatalog *c);

/* Reads what changed since the last call: at the start of each statement. Tables handed out before stay valid until the next refresh that
 * changes them: a statement refreshes once. XX001 when a document is damaged (it names it). */
bool mt_catalog_refresh (MtCatalog *c, MtError *err);

/* By name as the user wrote it: exact when quoted, else the exact one, else the only one that matches without regard to ASCII case. NULL:
 * none. 42702 when several match. Borrowed. */
bool mt_catalog_find (MtCatalog *c, const char *name, bool quoted, const MtTable **out, MtError *err);
/* All tables sorted by name; names parallel. Borrowed until the next refresh. */
const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count);
const char *const *mt_catalog_table_names (MtCatalog *c, size_t *count);

/* Stores a table (new, or a new version of it: version is raised). Within the engine's open step when there is one. 40001 when another
 * session changed it meanwhile. */
bool mt_catalog_save (MtCatalog *c, const MtTable *t, MtError *err);
bool mt_catalog_drop (MtCatalog *c, const char *name, MtError *err);
/* After mt_engine_rollback: forget what was saved in the step. */
void mt_catalog_rolled_back (MtCatalog *c);

/* Functions and layouts: kept as the BSON that describes them (kind "function" or "layout"); key is the document's own name part. */
typedef struct MtCatalogItem {
   const char *name;
   const bson_t *doc;
} MtCatalogItem;
const MtCatalogItem *mt_catalog_items (MtCatalog *c, const char *kind, size_t *count);
bool mt_catalog_save_item (MtCatalog *c, const char *kind, const char *name, const bson_t *doc, MtError *err);
bool mt_catalog_drop_item (MtCatalog *c, const char *kind, const char *name, bool *dropped, MtError *err);

#endif
