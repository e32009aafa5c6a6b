/* Private to layouts/pack: the builder, which writes documents. For each level it has a tree of the
 * fields to write, made from the descriptor. A cell is one element of a level. */
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

/* Storage for the documents of an MtIncrement (engine/write.h). Begins as {0}. The next call of
 * mt_document_increments overwrites it. */
typedef struct MtIncrementParts {
   MtBson amounts, first, fresh, slots;
   MtBuf path;
} MtIncrementParts;
/* Splits a document of new records into its _id, borrowed, and increments in *out. */
bool mt_document_increments (const MtStoreDesc *s, MtVal doc, MtVal *id, MtIncrementParts *out,
                             MtError *err);
void mt_increment_parts_free (MtIncrementParts *p);

/* ---- fields ---- */

typedef enum MtFieldKind {
   MT_F_ID,   /* _id, made by the builder */
   MT_F_BIND, /* a column that the level binds; index: its binding */
   MT_F_N,
   MT_F_SUM, /* a stored sum; index: its measure in the node's `agg` */
   MT_F_MIN_OF,
   MT_F_MAX_OF,
   MT_F_NONNULL,
   MT_F_STATE, /* a stored state; index: its place in the node's `agg` */
   MT_F_RANGE_MIN,
   MT_F_RANGE_MAX,
   MT_F_RAW,     /* a column of the only record; index: its place in MtRaw.columns */
   MT_F_RECORDS, /* the array of records */
   MT_F_CHILD,   /* a level below; index: its place among the node's children */
   MT_F_ARRAY,   /* an array of a level of MT_NODE_ARRAYS; index: its place among these arrays */
   MT_F_GROUP    /* a sub-document of `fields` */
} MtFieldKind;

typedef struct MtFieldW {
   MtFieldKind kind;
   int index;
   /* The node that has the value: this node, or a scalar node written among its fields. */
   const struct MtNodeW *owner;
   const char *name;
   size_t name_size;
   struct MtFieldW *fields;
   size_t field_count;
} MtFieldW;

/* A state that a level keeps, of the cell that is being written. */
typedef struct MtStateW {
   const MtCellState *s;
   MtArena *arena;         /* of the level; has all memory of the state */
   void *memory;           /* the state (MtAggState); if `joins`, in a leaf, of new records only */
   struct MtStateW *above; /* the state that it is merged into; NULL: none */
   /* A stored state can only be joined with one of other times (mt_cell_state_joins). */
   bool joins;
   MtVal stored;        /* if `joins`, in a leaf: the stored state; MT_MISSING: none */
   size_t stored_count; /* how many there are */
   struct MtNodeW *level;
} MtStateW;

/* A state to which a leaf adds each record. */
typedef struct MtStateFeed {
   MtStateW *to;
   int *from; /* by argument that is a column: its index in the stream's `pay` */
} MtStateFeed;

/* The state of one level while the builder writes documents. */
typedef struct MtNodeW {
   const MtNode *n;
   const MtWriteWay *way; /* the first way (path from the root to a leaf) through the node */
   MtStream *stream;      /* the sorted records of `way` */
   int key_start, key_end, parent_key_end;
   struct MtNodeW **kids;
   size_t kid_count;
   MtFieldW *fields;
   size_t field_count;
   /* If is_whole: the level's value is this one field, not a document of `fields`. */
   MtFieldW whole;
   bool is_whole;
   bool inlined; /* a scalar node, whose fields are written among its parent's fields */
   /* The members up to max_time are about the cell that is being written. */
   MtVal *bound;      /* encoded values of the bindings */
   MtBuf *bound_text; /* for each binding, the bytes of its value */
   MtVal *raw;        /* encoded values of the current record */
   MtBuf raw_text;    /* the bytes of `raw` */
   /* For an array of records: one record (only n, fields and raw are used). */
   struct MtNodeW *record;
   MtBson records; /* the array of records so far */
   uint32_t record_count;
   int64_t count;    /* number of records */
   MtSums *acc;      /* for each measure of the store, its sum so far */
   int *acc_pay;     /* in a leaf, for each measure: its index in the stream's `pay`; -1: none */
   MtStateW *states; /* for each state that the level keeps */
   MtArena *state_arena;
   MtVal *cell_key;    /* in a leaf with a state that `joins`: the cell's key, in state_arena */
   MtStateFeed *feeds; /* in a leaf */
   size_t feed_count, feed_cap;
   bool any_time;
   int64_t min_time, max_time;
   /* The members up to next_slot are about the finished cells of the same array or map. */
   MtBson out;
   MtBson *arrays; /* for MT_NODE_ARRAYS: each array so far; else NULL */
   uint32_t cells;
   int64_t next_slot;
   /* Number and size of all cells written, for statistics. */
   double stat_cells, stat_bytes;
   double old_cells, old_bytes; /* the same, before the document that is being written */
} MtNodeW;

/* ---- the newest document of each key (newest.c) ---- */

typedef struct MtNewest MtNewest;
MtNewest *mt_newest_new (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s);
/* Keeps a copy of the document if it is the newest document of its _id so far. */
void mt_newest_add (MtNewest *n, const uint8_t *doc, size_t size);
/* Returns whether the kept documents need so much memory that they should be sent now. */
bool mt_newest_full (const MtNewest *n);
/* Sends all kept documents to the engine, and removes them from memory. */
bool mt_newest_send (MtNewest *n, const MtBuildArgs *x, MtError *err);
const MtNewerCounts *mt_newest_counts (const MtNewest *n);
void mt_newest_free (MtNewest *n);

/* ---- late records (late.c) ----
 *
 * States of points in the order of time can't take points between their own. If new records are so
 * late, the builder leaves the document out, and goes on. At the end it reads all records of the
 * late cells, and makes these documents in another pass over the streams. */

typedef struct MtLate MtLate;

/* Leaves the current document out, because of the current cell of a leaf. ms: the time of one of its
 * records. */
void mt_late_add (struct MtBuilder *b, const struct MtNodeW *leaf, int64_t ms);
/* Returns whether this pass makes the document of the first stream's current key. */
bool mt_late_makes (struct MtBuilder *b);
/* Sets *out to a state of the current cell, in the state's arena, and *found, if its records were
 * read. */
bool mt_late_state (struct MtBuilder *b, const struct MtStateW *s, bool *found, MtVal *out);
void mt_late_free (struct MtBuilder *b);

/* ---- the builder (build.c) ---- */

/* A collection that the builder writes documents to. */
typedef struct MtBuildTarget {
   MtPartition part; /* the partition; without partitions, only its name is set */
   bool lookup;      /* stored documents may have to be merged */
} MtBuildTarget;

struct MtBuilder {
   MtBuildArgs x;
   MtNewest *newest; /* for a layout of latest records, the newest so far; else NULL */
   MtNodeW *root;
   MtNodeW **nodes;     /* all levels, by MtNode.id */
   int *measures;       /* the columns of which the store keeps sums, extremes or counts */
   bool *measure_range; /* for each of `measures`: some level keeps its min and max */
   size_t measure_count;
   MtStream *streams;
   size_t stream_count;
   MtBuildTarget *to;       /* the collection of the document that is being written */
   MtBuildTarget **targets; /* partitions used so far, sorted by time */
   size_t target_count, target_cap;
   int first_key; /* index of the root's first key: 1 if there are partitions */
   /* `rows`: each record is a document. */
   bool can_split, rows, check_ids;
   bool increments;     /* documents are sent as increments */
   bool guarded;        /* stored documents are replaced only if nobody else changed them */
   bool doubled;        /* the error is already about two records of one key */
   bool outrun;         /* another writer changed the stored document: it must be merged again */
   bool again;          /* the streams can go back to `marks`, to merge the document again */
   MtStreamMark *marks; /* if guarded: each stream's position before the current document */
   double sent;         /* number of documents sent as increments */
   size_t budget;
   int64_t flush_levels;
   size_t doc_bytes; /* estimated size of the document that is being written */
   int64_t doc_cells;
   MtVal id; /* its _id; MT_MISSING: _id is one of the root's columns */
   uint8_t oid[12];
   MtVal *row_key; /* if `rows`: the values of the root's bindings */
   MtBuf id_text, scratch;
   MtIncrementParts parts;
   MtBson doc;
   MtArena *doc_arena; /* has the stored document that new records are merged with */
   bool replacing;
   const bson_t *old; /* the stored document that is replaced, in doc_arena */
   bool taking;       /* a stored document of this _id is replaced as a whole */
   bool is_late;      /* the document must be left out, see above */
   MtLate *late;      /* the late cells that this pass found; NULL: none */
   MtLate *read;      /* the late cells of the pass before; NULL: this is the first pass */
   int passes;
   size_t old_size;
   double documents, bytes, records, spans_ms; /* written so far, for statistics */
   MtError *err;
};

/* ---- cells (cell.c); these functions set the builder's err if they return false ---- */

/* Encodes v as the value of binding i in the current cell. steady: v's bytes outlive the cell;
 * otherwise the bytes are copied. */
bool mt_cell_bind (MtBuilder *b, MtNodeW *nw, size_t i, MtVal v, bool steady);
/* Begins a new cell (element) of the level, for the stream's current record. */
bool mt_cell_open (MtBuilder *b, MtNodeW *nw);
/* Reads all records of the current cell from the streams, and adds them to the cell. */
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
/* Sets error 23502, because binding i can't store NULL, and returns false. */
bool mt_refuse_null (MtBuilder *b, const MtNodeW *nw, size_t i);
/* Sets error 54000, because the current document is too large, and returns false. If memory ran
 * short, sets that error instead. */
bool mt_doc_too_large (MtBuilder *b);

/* Sets b->id from the values of the root's bindings (make_id.c). b->id may borrow these values. */
bool mt_make_id (MtBuilder *b, const MtVal *key);

/* ---- states (state.c) ---- */

/* Makes the states of a level, and frees them. */
void mt_kept_states_new (MtBuilder *b, MtNodeW *nw);
void mt_kept_states_free (MtNodeW *nw);
/* Finds the states above that those of a level are merged into. Call it when all levels have
 * theirs. */
void mt_kept_states_link (MtBuilder *b, MtNodeW *nw);
/* Finds the states to which a leaf adds the records of a way. */
void mt_kept_states_feed (MtBuilder *b, MtNodeW *leaf, const MtWriteWay *w);
/* Begins the states of a new cell. */
void mt_kept_states_open (MtBuilder *b, MtNodeW *nw);
/* Adds the current record of the leaf's stream. */
bool mt_kept_states_add (MtBuilder *b, MtNodeW *leaf);
/* Merges the states of a complete cell into those above. */
bool mt_kept_states_fold (MtBuilder *b, const MtNodeW *nw);
/* Sets *out to a state as documents have it, in the state's arena; null: no record counts. */
bool mt_kept_states_value (MtBuilder *b, MtStateW *s, MtVal *out);

/* ---- fields (field.c) ---- */

bool mt_compile_fields (MtBuilder *b, MtNodeW *nw);
bool mt_write_fields (MtBuilder *b, MtBson *w, const MtFieldW *fields, size_t count);
/* Sets *out to the value of a field that is no child, group or array. `decimal` has the bytes of a
 * decimal. */
bool mt_field_value (MtBuilder *b, const MtFieldW *f, MtVal *out, uint8_t decimal[16]);

#endif
