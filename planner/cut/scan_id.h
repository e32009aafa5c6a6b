/* Composed ids: `_id` values that join several columns, such as "sensor7:2024-05-01". Extracts
 * columns from `_id`, and turns filters on columns into conditions on `_id` (docs/lemma.md,
 * sections 2 and 4). */
#ifndef MT_SCAN_ID_H
#define MT_SCAN_ID_H

#include "engine/pipe.h"
#include "planner/cut/way.h"

/* Returns the field name of an id's part in the document that mt_id_parts makes. In arena a. */
const char *mt_id_part_name (MtArena *a, size_t part);

/* Returns the encoding of an id's part in the document that mt_id_parts makes. That document holds
 * numbers and times as typed values, not as text. */
const MtEncoding *mt_id_part_encoding (const MtTable *t, const MtStoreDesc *s, size_t part);

/* Returns an expression {"": …} that splits `_id` into a document with one field for each part.
 * columns: split only parts of these columns, by table column; NULL: all. lenient: a malformed id
 * gives null fields; otherwise it may raise an error. NULL: no column is in `_id`. In arena a. */
const bson_t *mt_id_parts (MtArena *a, const MtTable *t, const MtStoreDesc *s, const bool *columns,
                           bool lenient);

/* The filters that a condition on `_id` already guarantees, so that they need no check later. */
typedef struct MtIdImplies {
   bool *filters; /* by index of MtNeed.filters: the filter is true */
   bool time;     /* the document's time is in the requested ranges */
} MtIdImplies;

/* Returns a $match condition on `_id` that every document needed by the query satisfies. NULL:
 * there is no such condition. The result and *implies are in arena a. */
const bson_t *mt_id_condition (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                               MtIdImplies *implies);

/* Estimates the share (0 to 1) of a store's documents that satisfy mt_id_condition. 1: there is no
 * condition. *named: the condition lists complete ids. */
double mt_id_share (const MtWay *w, const MtNeed *need, MtRangeSet ranges, bool *named);

#endif
