/* Composed ids: `_id` texts that join several columns, such as "sensor7:2024-05-01". Extracts
 * columns from the `_id`, and converts filters on these columns to conditions on the `_id`
 * (docs/lemma.md, sections 2 and 4). */
#ifndef MT_SCAN_ID_H
#define MT_SCAN_ID_H

#include "engine/pipe.h"
#include "planner/cut/way.h"

/* Returns the name of the field for part number `part` of the _id, in the document that mt_id_parts
 * makes. In arena a. */
const char *mt_id_part_name (MtArena *a, size_t part);

/* Returns the encoding of part number `part` of the _id in the document that mt_id_parts makes.
 * There, numbers and times are no longer text. */
const MtEncoding *mt_id_part_encoding (const MtTable *t, const MtStoreDesc *s, size_t part);

/* Returns an expression {"": …} that splits the _id into a document with a field for each part.
 * columns: for each table column, whether its part is needed; NULL: all are. lenient: a malformed
 * _id gives null fields; otherwise it may raise an error. NULL: no column is in the _id. In arena
 * a. */
const bson_t *mt_id_parts (MtArena *a, const MtTable *t, const MtStoreDesc *s, const bool *columns,
                           bool lenient);

/* Conditions of the query that the condition on _id already guarantees. */
typedef struct MtIdImplies {
   bool *filters; /* for each index of MtNeed.filters: the filter is guaranteed */
   bool time;     /* the document's time is guaranteed to be in the queried ranges */
} MtIdImplies;

/* Returns a $match condition on the _id that is true for every document that the query needs. NULL:
 * there is none. The result and *implies are in arena a. */
const bson_t *mt_id_condition (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                               MtIdImplies *implies);

/* Estimates the share (0 to 1) of the store's documents for which the condition of mt_id_condition
 * is true; 1 if there is none. *named is set to whether the condition lists complete _ids. */
double mt_id_share (const MtWay *w, const MtNeed *need, MtRangeSet ranges, bool *named);

#endif
