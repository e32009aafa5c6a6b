/* The functions that compile the stages of a pipeline into nodes. */
#ifndef MT_STAGES_H
#define MT_STAGES_H

#include "engine/local/group/group.h"
#include "engine/local/window/window.h"

bool mt_compile_stages (MtCompile *c, const bson_t *pipeline);
bool mt_compile_stage (MtCompile *c, const char *name, MtVal spec);
/* Checks that a stage's specification is an object that has only fields in `names`, which ends with
 * NULL. not_object, unknown: MongoDB's error codes if it is no object, or has another field. */
bool mt_stage_fields (MtCompile *c, MtVal spec, const char *const *names, int32_t not_object,
                      int32_t unknown);

bool mt_stage_match (MtCompile *c, MtVal spec);
/* Returns the condition of a $match node that does nothing but test it. NULL for other nodes. */
const MtMatch *mt_match_of (const MtExecNode *n);
bool mt_stage_project (MtCompile *c, MtVal spec);
bool mt_stage_add_fields (MtCompile *c, MtVal spec);
bool mt_stage_unset (MtCompile *c, MtVal spec);
bool mt_stage_replace (MtCompile *c, MtExecExpr *e);
bool mt_stage_unwind (MtCompile *c, MtVal spec);
/* Returns the slot of the array that an $unwind reads, or MT_NO_SLOT for other nodes. */
uint32_t mt_unwind_slot (const MtExecNode *n);
/* Gets slot and element of an $unwind that only hands on the elements of arrays. Returns false for
 * other nodes. */
bool mt_unwind_of (const MtExecNode *n, uint32_t *from, const MtExecVar **element);
bool mt_stage_sort (MtCompile *c, MtVal spec, uint64_t limit, uint64_t ties);
/* The order of a $sort that keeps only first rows. */
typedef struct MtSortOrder {
   const uint32_t *slots; /* of the sort keys */
   const int8_t *dirs;    /* 1: ascending, -1: descending */
   uint32_t count;
   uint64_t rows; /* how many rows are needed */
} MtSortOrder;

/* Stores the sort order of a $sort with a limit in *out. Returns false if n is another node. */
bool mt_sort_order (const MtExecNode *n, MtSortOrder *out);
/* Stores the sort keys of the last needed row, among the rows that this worker has seen, in `keys`.
 * They are borrowed until the worker's next row. *block: a row with equal keys is needed only if
 * its block has at most this number. Returns false if any row may be needed. */
bool mt_sort_last (const MtExecNode *n, const MtWork *w, MtVal *keys, size_t *block);

/* The compile-time state of sorting by computed values. The values become fields of a separate
 * document, so any names may be used. */
typedef struct MtSorting {
   MtShape *doc;
   MtBson spec;
   uint32_t count;
} MtSorting;

MtSorting mt_sorting_begin (MtCompile *c);
/* Adds a sort key: the value of shape `key`, as the field `name`. direction: 1 or -1, as in
 * $sort. */
void mt_sorting_add (MtCompile *c, MtSorting *s, const char *name, MtShape *key, MtVal direction);
/* Compiles a $sort of the current documents by the added keys. Does nothing if there are none. */
bool mt_sorting_end (MtCompile *c, MtSorting *s);

bool mt_stage_limit (MtCompile *c, MtVal spec);
bool mt_stage_limit_ties (MtCompile *c, MtVal spec);
bool mt_stage_until (MtCompile *c, MtVal spec);
bool mt_stage_recursive (MtCompile *c, MtVal spec);
bool mt_stage_with (MtCompile *c, MtVal spec);
bool mt_stage_read (MtCompile *c, MtVal spec);
bool mt_stage_skip (MtCompile *c, MtVal spec);
bool mt_stage_count (MtCompile *c, MtVal spec);
bool mt_stage_sort_by_count (MtCompile *c, MtVal spec);
bool mt_stage_bucket (MtCompile *c, MtVal spec);
bool mt_stage_union (MtCompile *c, MtVal spec);
bool mt_stage_lookup (MtCompile *c, MtVal spec);
bool mt_stage_facet (MtCompile *c, MtVal spec);
bool mt_stage_sample (MtCompile *c, MtVal spec);
bool mt_stage_documents (MtCompile *c, MtVal spec);
bool mt_stage_join (MtCompile *c, MtVal spec);
bool mt_stage_table (MtCompile *c, MtVal spec);
bool mt_stage_series (MtCompile *c, MtVal spec);
bool mt_stage_apply (MtCompile *c, MtVal spec);
bool mt_stage_asof (MtCompile *c, MtVal spec);
/* Helpers of stages that join rows. mt_pair_input makes the named fields the only ones of the
 * current document; slots: each field gets its own slot. mt_pair_output then adds the fields of the
 * other row to the document. */
bool mt_pair_input (MtCompile *c, MtVal names, bool slots);
bool mt_pair_output (MtCompile *c, MtExecVar *row, MtVal names);

#endif
