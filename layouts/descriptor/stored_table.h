/* Tables as documents of the catalog: {_id: name, kind: "table", version, columns, key, layouts:
 * [{name, …, descriptor, stats}]}. */
#ifndef MT_STORED_TABLE_H
#define MT_STORED_TABLE_H

#include "base/bson.h"
#include "layouts/table.h"

/* Appends the table to `out`, with the statistics of layouts that have some (MtLayout.stats). */
bool mt_table_to_bson (const MtTable *t, bson_t *out, MtError *err);
/* Reads and validates the table of catalog document doc. *out is in arena a, and may borrow from
 * doc. XX001 if the document is damaged. */
bool mt_table_from_bson (MtArena *a, const bson_t *doc, MtTable *out, MtError *err);
/* Appends the statistics of all stores as {stores: [{…}, …]}, for a document apart from the
 * table's. */
void mt_statistics_put (MtBson *b, const MtTable *t);
/* Replaces the table's statistics by those that mt_statistics_put appended, in arena a. Malformed
 * statistics are unknown. NULL: all become unknown. */
void mt_statistics_read (MtArena *a, const bson_t *doc, MtTable *t);
/* Appends the fields of one store's statistics to the document that b has open. */
void mt_stats_put (MtBson *b, const MtStoreDesc *s, const MtStoreStats *st);

#endif
