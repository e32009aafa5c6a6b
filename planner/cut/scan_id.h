/* Composed ids in pipelines: their parts as expressions, and which ids a query can meet
 * (docs/lemma.md, sections 2 and 4). */
#ifndef MT_SCAN_ID_H
#define MT_SCAN_ID_H

#include "engine/pipe.h"
#include "planner/cut/way.h"

/* The field of a part in the document that mt_id_parts returns. In arena a. */
const char *mt_id_part_name (MtArena *a, size_t part);

/* The encoding of a part in that document. Numbers and times there have their own types, not
 * text. */
const MtEncoding *mt_id_part_encoding (const MtTable *t, const MtStoreDesc *s, size_t part);

/* An expression {"": …} for a document with the parts of `_id` that the root's bindings read.
 * columns: only parts of these columns (by column of the table; NULL: all). lenient: the fields
 * are null when the id isn't composed as the descriptor says. Otherwise such an id may be an
 * error. NULL: nothing is read from the id. In arena a. */
const bson_t *mt_id_parts (MtArena *a, const MtTable *t, const MtStoreDesc *s, const bool *columns,
                           bool lenient);

/* Which conditions on values of the id follow from a condition on the whole `_id`. */
typedef struct MtIdImplies {
   bool *filters; /* by filter of the need: it is true */
   bool time;     /* the root's time is in the ranges */
} MtIdImplies;

/* A condition on `_id` that holds for every document that the query can need. NULL: nothing is
 * known. In arena a, as is *implies. */
const bson_t *mt_id_condition (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                               MtIdImplies *implies);

/* Estimates the share of the documents that satisfy this condition; 1 when there is none.
 * *named: the condition lists whole ids. */
double mt_id_share (const MtWay *w, const MtNeed *need, MtRangeSet ranges, bool *named);

#endif
