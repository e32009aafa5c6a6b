/* An index of a table. In the catalog it is an object {table, columns, had}. An index is created in
 * each collection of the table whose documents store all its columns in fields of their own. */
#ifndef MT_SESSION_INDEX_H
#define MT_SESSION_INDEX_H

#include "session/core/objects.h"

typedef struct MtIndex {
   const char *name, *table; /* table: as returned by mt_table_id */
   const char **columns;
   const char **had; /* collections that had an equal index before CREATE INDEX */
   size_t column_count, had_count;
} MtIndex;

/* Writes an index to the catalog. */
bool mt_index_save (MtStatement *st, const MtIndex *x, MtError *err);
/* Converts a catalog object to an index, in arena a. */
MtIndex mt_index_load (MtArena *a, const MtCatalogObject *o);
/* Finds a table by its mt_table_id. *out is NULL if it does not exist. */
bool mt_index_table (MtSession *s, const char *id, const MtTable **out, MtError *err);
/* Returns the indexes of the table with this mt_table_id, in arena a. */
MtIndex *mt_indexes_of (MtSession *s, MtArena *a, const char *table, size_t *count);
/* Returns the paths of the fields that store an index's columns in documents of store s, in arena
 * a. NULL: some column is not stored in a field. */
const char **mt_index_fields (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtIndex *x);

#endif
