/* An index of a table. The catalog stores it as an object {table, columns, had}. Each collection of
 * the table whose documents store all these columns as fields of the document has it. */
#ifndef MT_SESSION_INDEX_H
#define MT_SESSION_INDEX_H

#include "session/core/objects.h"

typedef struct MtIndex {
   const char *name, *table; /* table: mt_table_id */
   const char **columns;
   const char **had; /* collections that had the same index before CREATE INDEX */
   size_t column_count, had_count;
} MtIndex;

/* Writes an index to the catalog. */
bool mt_index_save (MtStatement *st, const MtIndex *x, MtError *err);
/* Reads a catalog object into an index in arena a. */
MtIndex mt_index_load (MtArena *a, const MtCatalogObject *o);
/* Finds a table by mt_table_id; *out = NULL if the table does not exist. */
bool mt_index_table (MtSession *s, const char *id, const MtTable **out, MtError *err);
/* The indexes of the table with this mt_table_id, in arena a. */
MtIndex *mt_indexes_of (MtSession *s, MtArena *a, const char *table, size_t *count);
/* The fields that store an index's columns in a store's documents, in arena a. NULL: at least one
 * column is no field of the document. */
const char **mt_index_fields (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtIndex *x);

#endif
