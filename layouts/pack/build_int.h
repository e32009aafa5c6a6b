/* Private to layouts/pack: the builder, which makes and writes documents. For each level of a
 * store's documents it keeps an MtNodeW with a tree of the fields to write. A cell is one element
 * of a level: an array element, a map's value, or the document itself. */
#ifndef MT_LAYOUTS_BUILD_INT_H
#define MT_LAYOUTS_BUILD_INT_H

#include "base/bson.h"
#include "layouts/cell_state.h"
#include "layouts/increments.h"
#include "layouts/pack/pack_int.h"
#include "layouts/sums.h"

#include <stdlib.h>
#include <string.h>

/* ---- increments (increment.c) ---- */

/* Buffers for the documents of an MtIncrement (engine/write.h). Initialize it to {0}. Each call of
 * mt_document_increments overwrites the content. */
typedef struct MtIncrementParts {
   MtBson amounts, first, fresh, slots;
   MtBuf path;
} MtIncrementParts;
/* Splits doc, a document of new records, into its _id, which is borrowed, and the increments that
 * add its content to the stored document. */
bool mt_document_increments (const MtStoreDesc *s, MtVal doc, MtVal *id, MtIncrementParts *out,
                             MtError *err);
void mt_increment_parts_free (MtIncrementParts *p);

/* ---- fields ---- */

typedef enum MtFieldKind {
   MT_F_ID,   /* the _id, which the builder makes */
   MT_F_BIND, /* a column that the level binds; index: the binding's index */
   MT_F_N,
   MT_F_SUM, /* a stored sum; index: the measure's index in the node's `agg` */
   MT_F_MIN_OF,
   MT_F_MAX_OF,
   MT_F_NONNULL,
   MT_F_STATE, /* a stored aggregate state; index: its index in the node's `agg` */
   MT_F_RANGE_MIN,
   MT_F_RANGE_MAX,
   MT_F_RAW,     /* a column of the level's only record; index: its index in MtRaw.columns */
   MT_F_RECORDS, /* the array of records */
   MT_F_CHILD,   /* a nested level; index: its index among the node's children */
   /* a parallel array of a level of MT_NODE_ARRAYS; index: its index among these arrays */
   MT_F_ARRAY,
   MT_F_GROUP /* a sub-document, whose fields are `fields` */
} MtFieldKind;

typedef struct MtFieldW {
   MtFieldKind kind;
   int index;
   /* The level that the value comes from: this level, or a scalar level whose fields are written
    * among the fields of this one. */
   const struct MtNodeW *owner;
   const char *name;
   size_t name_size;
   struct MtFieldW *fields;
   size_t field_count;
} MtFieldW;

/* An aggregate state that a level keeps, for the cell (array or map element) that is being
 * written. */
typedef struct MtStateW {
   const MtCellState *s;
   MtArena *arena; /* the level's arena, which has all memory of the state */
   /* the state in memory (MtAggState); in a leaf with `joins`, only of new records */
   void *memory;
   struct MtStateW *above; /* the upper level's state that it is merged into; NULL: none */
   /* A stored state can only be joined with states of later or earlier times, not of overlapping
    * ones (mt_cell_state_joins). */
   bool joins;
   MtVal stored;        /* in a leaf with `joins`: the state of the stored cell; MT_MISSING: none */
   size_t stored_count; /* number of stored states that were found for the cell */
   struct MtNodeW *level;
} MtStateW;

/* A leaf's state to which each new record is added, and where its arguments come from. */
typedef struct MtStateFeed {
   MtStateW *to;
   int *from; /* for each argument that is a column: its index in the stream's `pay` */
} MtStateFeed;

/* The state of one level while the builder writes documents. */
typedef struct MtNodeW {
   const MtNode *n;
   const MtWriteWay *way; /* the first path from the root to a leaf that includes the node */
   MtStream *stream;      /* the sorted records for `way` */
   int key_start, key_end, parent_key_end;
   struct MtNodeW **kids;
   size_t kid_count;
   MtFieldW *fields;
   size_t field_count;
   /* If is_whole: the level's value is this one value, not a document of `fields`. */
   MtFieldW whole;
   bool is_whole;
   bool inlined; /* a scalar level, whose fields are written among its parent's fields */
   /* The members down to max_time describe the cell that is being written. */
   MtVal *bound;      /* encoded keys of the cell: a value for each of the level's bindings */
   MtBuf *bound_text; /* for each binding, the bytes of its value */
   MtVal *raw;        /* encoded values of the current record */
   MtBuf raw_text;    /* the bytes of `raw` */
   /* For an array of records: describes one record; only n, fields and raw are used. */
   struct MtNodeW *record;
   MtBson records; /* the array of the cell's records so far */
   uint32_t record_count;
   int64_t count;    /* number of records in the cell */
   MtSums *acc;      /* for each measure of the store, its sum in the cell so far */
   int *acc_pay;     /* in a leaf, for each measure: its index in the stream's `pay`; -1: none */
   MtStateW *states; /* for each state that the level keeps */
   MtArena *state_arena;
   MtVal *cell_key;    /* in a leaf with a state that `joins`: the cell's key, in state_arena */
   MtStateFeed *feeds; /* in a leaf: the states to which its records are added */
   size_t feed_count, feed_cap;
   bool any_time;
   int64_t min_time, max_time;
   /* The members down to next_slot describe the finished cells of the current array or map. */
   MtBson out;
   MtBson *arrays; /* for MT_NODE_ARRAYS: each parallel array so far; else NULL */
   uint32_t cells;
   int64_t next_slot;
   /* Number and size of all cells written so far, for statistics. */
   double stat_cells, stat_bytes;
   /* stat_cells and stat_bytes before the document that is being written */
   double old_cells, old_bytes;
} MtNodeW;

/* ---- the newest document of each key (newest.c) ---- */

typedef struct MtNewest MtNewest;
MtNewest *mt_newest_new (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s);
/* Keeps a copy of the document, unless a newer document of the same _id is already kept. */
void mt_newest_add (MtNewest *n, const uint8_t *doc, size_t size);
/* Returns whether the documents that are kept in memory are so large that they should be sent
 * now. */
bool mt_newest_full (const MtNewest *n);
/* Sends all kept documents to the engine, and removes them from memory. */
bool mt_newest_send (MtNewest *n, const MtBuildArgs *x, MtError *err);
const MtNewerCounts *mt_newest_counts (const MtNewest *n);
void mt_newest_free (MtNewest *n);

/* ---- late records (late.c) ----
 *
 * Aggregate states of points in the order of time can't add points between their stored points. If
 * new records are so late, the builder skips their document. After the pass it reads all records of
 * the affected cells (array or map elements) again, and builds these documents in another pass over
 * the streams. */

typedef struct MtLate MtLate;

/* Marks the current cell (array or map element) of a leaf as late, so that its document is built in
 * the next pass. ms: the time of one of its records. */
void mt_late_add (struct MtBuilder *b, const struct MtNodeW *leaf, int64_t ms);
/* Returns whether the current pass builds the document of the first stream's current key. The first
 * pass builds all documents, later passes only late ones. */
bool mt_late_makes (struct MtBuilder *b);
/* If the current cell's records were read again, sets *found, and *out to its state, in the state's
 * arena. */
bool mt_late_state (struct MtBuilder *b, const struct MtStateW *s, bool *found, MtVal *out);
void mt_late_free (struct MtBuilder *b);

/* ---- the builder (build.c) ---- */

/* A collection to which the builder writes documents. */
typedef struct MtBuildTarget {
   MtPartition part; /* the partition; for a store without partitions, only its collection is set */
   bool lookup;      /* stored documents may exist, and must be read and merged */
} MtBuildTarget;

struct MtBuilder {
   MtBuildArgs x;
   MtNewest *newest; /* for a layout of latest records: the newest documents so far; else NULL */
   MtNodeW *root;
   MtNodeW **nodes;     /* all levels, by MtNode.id */
   int *measures;       /* the measures of which the store keeps sums, extremes or counts */
   bool *measure_range; /* for each of `measures`: some level keeps its minimum and maximum */
   size_t measure_count;
   MtStream *streams;
   size_t stream_count;
   MtBuildTarget *to;       /* the collection of the current document */
   MtBuildTarget **targets; /* partitions used so far, sorted by time */
   size_t target_count, target_cap;
   /* index of the first key that the root binds: 1 if there are partitions, else 0 */
   int first_key;
   /* can_split: the records of one key may be divided into several documents. rows: each record is
    * a document. check_ids: the engine must check that _ids are unique. */
   bool can_split, rows, check_ids;
   bool increments; /* documents are sent as increments */
   /* a stored document is replaced only if no other writer changed it since it was read */
   bool guarded;
   bool doubled;        /* the error already states that two records have one key */
   bool outrun;         /* another writer changed the stored document, so it must be merged again */
   bool again;          /* the streams can be rewound to `marks`, to merge the document again */
   MtStreamMark *marks; /* if guarded: each stream's position before the current document */
   double sent;         /* number of documents sent as increments */
   size_t budget;
   int64_t flush_levels;
   size_t doc_bytes; /* estimated size of the current document */
   int64_t doc_cells;
   MtVal id; /* the current document's _id; MT_MISSING: _id is a column of the rows */
   uint8_t oid[12];
   MtVal *row_key; /* if `rows`: values of the columns (or times) bound at the root level */
   MtBuf id_text, scratch;
   MtIncrementParts parts;
   MtBson doc;
   MtArena *doc_arena; /* holds the stored document that is merged with new records */
   bool replacing;
   const bson_t *old; /* the stored document that will be replaced, in doc_arena */
   bool taking;       /* the current document replaces the stored one as a whole */
   bool is_late;      /* a cell of the current document is late, so it is built in the next pass */
   MtLate *late;      /* the late cells that this pass has found; NULL: none */
   /* the late cells of the previous pass, with their states; NULL: this is the first pass */
   MtLate *read;
   int passes;
   size_t old_size;
   double documents, bytes, records, spans_ms; /* what was written so far, for statistics */
   MtError *err;
};

/* ---- cells (cell.c); if these functions return false, the builder's err is set ---- */

/* Encodes v as a key of the current cell (array or map element): the value of the level's binding i
 * (a column or a part of the time). steady: v's bytes outlive the cell, so they are borrowed;
 * otherwise they are copied. */
bool mt_cell_bind (MtBuilder *b, MtNodeW *nw, size_t i, MtVal v, bool steady);
/* Begins a new cell (element) of the nesting level, whose key is that of the stream's current
 * record. */
bool mt_cell_open (MtBuilder *b, MtNodeW *nw);
/* Reads all records of the current cell (array or map element) from the streams, adds them, and so
 * builds the nested cells. */
bool mt_cell_fill (MtBuilder *b, MtNodeW *nw);
/* Widens the current cell's range of time to include min and max (ms). */
void mt_cell_time (MtNodeW *nw, int64_t min, int64_t max);
static inline size_t mt_container_bytes (const MtNodeW *nw)
{
   size_t n = nw->out.n;
   for (size_t i = 0; nw->arrays && i < nw->n->field_count; i++)
      n += nw->arrays[i].n;
   return n;
}
static inline size_t mt_children_bytes (const MtNodeW *nw)
{
   size_t n = 0;
   for (size_t i = 0; i < nw->kid_count; i++)
      n += mt_container_bytes (nw->kids[i]);
   return n;
}
/* Sets error 23502, because the column of the level's binding i (a stored key) can't be NULL in
 * this layout, and returns false. */
bool mt_refuse_null (MtBuilder *b, const MtNodeW *nw, size_t i);
/* Sets error 54000, because the current document is too large, and returns false. If the reason is
 * a failed allocation, sets that error instead. */
bool mt_doc_too_large (MtBuilder *b);

/* Sets b->id, the current document's _id, from `key`: the values of the columns and times that the
 * root level binds (make_id.c). b->id may borrow these values. */
bool mt_make_id (MtBuilder *b, const MtVal *key);

/* ---- stored aggregate states (state.c) ---- */

/* Create and free the aggregate states that a nesting level stores. */
void mt_kept_states_new (MtBuilder *b, MtNodeW *nw);
void mt_kept_states_free (MtNodeW *nw);
/* Finds, for each state of a nesting level, the state of an upper level that it is merged into.
 * Call it when the states of all levels are created. */
void mt_kept_states_link (MtBuilder *b, MtNodeW *nw);
/* Sets leaf->feeds: the states to which the records of way w are added. */
void mt_kept_states_feed (MtBuilder *b, MtNodeW *leaf, const MtWriteWay *w);
/* Resets the level's states for a new cell (array or map element). */
void mt_kept_states_open (MtBuilder *b, MtNodeW *nw);
/* Adds the current record of the leaf's stream to the states that it feeds. */
bool mt_kept_states_add (MtBuilder *b, MtNodeW *leaf);
/* Merges the states of a finished cell (array or map element) into those of upper levels. */
bool mt_kept_states_fold (MtBuilder *b, const MtNodeW *nw);
/* Sets *out to the state of the current cell (array or map element) in its stored form, in the
 * state's arena; null: the cell has no records for it. */
bool mt_kept_states_value (MtBuilder *b, MtStateW *s, MtVal *out);

/* ---- fields (field.c) ---- */

bool mt_compile_fields (MtBuilder *b, MtNodeW *nw);
bool mt_write_fields (MtBuilder *b, MtBson *w, const MtFieldW *fields, size_t count);
/* Sets *out to the value of field f, which must be a single value (not MT_F_CHILD, MT_F_GROUP or
 * MT_F_ARRAY). `decimal` is memory for a decimal's bytes. */
bool mt_field_value (MtBuilder *b, const MtFieldW *f, MtVal *out, uint8_t decimal[16]);

#endif
