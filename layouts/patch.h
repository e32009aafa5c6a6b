/* Changing what is stored: the records of a document, and a record that is a document of its
 * own. */
#ifndef MT_LAYOUTS_PATCH_H
#define MT_LAYOUTS_PATCH_H

#include "layouts/table.h"

/* The first node of a store that keeps records; NULL: it keeps sums only. */
const MtNode *mt_store_records (const MtStoreDesc *s);

/* The records of a stored document, a value a column, borrowed from the document or in arena a.
 * *seen (its nodes in a) is what the document counts in the store's statistics. XX001 when it
 * doesn't fit the descriptor. */
bool mt_decode_records (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                        MtVal doc, MtVal ***rows, size_t *count, MtStoreStats *seen, MtError *err);

/* The time of a document's records, as far as its root tells: [*start, *start + …) of `unit`;
 * MT_UNIT_MS: exactly *start. False: it doesn't tell. */
bool mt_document_time (MtArena *a, const MtTable *t, const MtStoreDesc *s, MtVal doc,
                       int64_t *start, MtUnit *unit);
/* Whether the root tells of it at all; *unit as above. */
bool mt_documents_have_time (const MtTable *t, const MtStoreDesc *s, MtUnit *unit);

/* Widens a span of time to whole units; both ends are in it. */
void mt_document_span (MtUnit unit, int64_t *first, int64_t *last);

/* Whether a record's document can keep its _id when these columns change: it has no other fields
 * that follow from them. */
bool mt_can_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count);
/* The document with the columns' fields changed and all others as they are, appended to `out`,
 * which is empty. */
bool mt_patch (const MtTable *t, const MtStoreDesc *s, const int *columns, size_t count,
               const MtVal *row, const bson_t *doc, bson_t *out, MtError *err);

/* Where a column is in a record's document, a path; NULL: it has no place of its own. */
const char *mt_row_field (const MtStoreDesc *s, int column);
/* The fields of the table's PRIMARY KEY in a record's document, of which a unique index keeps equal
 * keys apart as SQL does; paths has room for all its columns. False: there are no such fields, or
 * values that are equal in SQL alone. */
bool mt_key_fields (const MtTable *t, const MtStoreDesc *s, const char **paths);

/* Takes what documents counted away from a store's statistics (never below 0; what only bounds
 * values stays). */
void mt_stats_take (const MtStoreDesc *s, MtStoreStats *from, const MtStoreStats *less);

#endif
