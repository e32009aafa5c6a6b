/* Composed ids in pipelines: their parts as expressions, and which ids a query can meet
 * (docs/lemma.md, sections 2 and 4). */
#ifndef MT_SCAN_ID_H
#define MT_SCAN_ID_H

#include "engine/pipe.h"
#include "planner/cut/way.h"

/* The name of a part in what mt_id_parts gives. In arena a. */
const char *mt_id_part_name (MtArena *a, size_t part);

/* How a part's value is stored in what mt_id_parts gives: numbers and times as themselves, not as
 * text. */
const MtEncoding *mt_id_part_encoding (const MtTable *t, const MtStoreDesc *s, size_t part);

/* An expression {"": …}: the values of the parts of `_id` that the root's bindings are read from,
 * as a document; of `columns` only (by column of the table, NULL: all). Its fields are null where
 * the id isn't composed as the descriptor says when `lenient`, else that may end in an error. NULL:
 * nothing is bound from the id. In arena a. */
const bson_t *mt_id_parts (MtArena *a, const MtTable *t, const MtStoreDesc *s, const bool *columns,
                           bool lenient);

/* What follows from a condition on `_id` that names whole ids, of what is read from them. */
typedef struct MtIdImplies {
   bool *filters; /* by filter of the need: it is true */
   bool time;     /* the ranges' condition on the root's time is */
} MtIdImplies;

/* A condition on `_id` that every document which the query can be about fulfils, NULL: nothing is
 * known. In arena a, as is what it implies. */
const bson_t *mt_id_condition (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                               MtIdImplies *implies);

/* A guess at the share of the documents that fulfil it; 1 where there is none. *named: it has the
 * documents' whole ids. */
double mt_id_share (const MtWay *w, const MtNeed *need, MtRangeSet ranges, bool *named);

#endif
