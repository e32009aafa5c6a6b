/* Private to layouts/pack: the builder. It writes a node's value from a tree of fields that is
 * compiled from the descriptor. */
#ifndef MT_LAYOUTS_BUILD_INT_H
#define MT_LAYOUTS_BUILD_INT_H

#include "base/bson.h"
#include "layouts/increments.h"
#include "layouts/pack/pack_int.h"
#include "layouts/sums.h"

#include <stdlib.h>
#include <string.h>

/* ---- increments (increment.c) ---- */

/* The documents of MtIncrement. Begins as {0}. The next document overwrites the last. */
typedef struct MtIncrementParts {
   MtBson amounts, first, fresh, slots;
   MtBuf path;
} MtIncrementParts;
/* Splits a document of new records into increments. *id is borrowed. */
bool mt_document_increments (const MtStoreDesc *s, MtVal doc, MtVal *id, MtIncrementParts *out,
                             MtError *err);
void mt_increment_parts_free (MtIncrementParts *p);

/* ---- fields ---- */

typedef enum MtFieldKind {
   MT_F_ID,   /* _id, made by the builder */
   MT_F_BIND, /* index: binding of the node */
   MT_F_N,
   MT_F_SUM, /* index: measure of the node's agg */
   MT_F_MIN_OF,
   MT_F_MAX_OF,
   MT_F_NONNULL,
   MT_F_RANGE_MIN,
   MT_F_RANGE_MAX,
   MT_F_RAW,     /* index: column of the single record */
   MT_F_RECORDS, /* the array of records */
   MT_F_CHILD,   /* index: child of the node */
   MT_F_ARRAY,   /* index: one of the owner's parallel arrays */
   MT_F_GROUP    /* a sub-document of `fields` */
} MtFieldKind;

typedef struct MtFieldW {
   MtFieldKind kind;
   int index;
   const struct MtNodeW *owner; /* the node with the value: this one, or a scalar inlined into it */
   const char *name;
   size_t name_size;
   struct MtFieldW *fields;
   size_t field_count;
} MtFieldW;

/* A level while documents are built. */
typedef struct MtNodeW {
   const MtNode *n;
   const MtWriteWay *way; /* the first way through the node */
   MtStream *stream;      /* of that way */
   int key_start, key_end, parent_key_end;
   struct MtNodeW **kids;
   size_t kid_count;
   MtFieldW *fields;
   size_t field_count;
   MtFieldW whole; /* is_whole: the value is this one field; else `fields` */
   bool is_whole;
   bool inlined; /* a scalar that is written among its parent's fields */
   /* The open cell: */
   MtVal *bound;           /* encoded values of the bindings */
   MtBuf *bound_text;      /* their bytes, one per binding */
   MtVal *raw;             /* encoded values of the current record */
   MtBuf raw_text;         /* their bytes */
   struct MtNodeW *record; /* of an array of records: one record; it uses only n, fields and raw */
   MtBson records;         /* the elements of the array */
   uint32_t record_count;
   int64_t count; /* number of records */
   MtSums *acc;   /* by the store's measures */
   int *acc_pay;  /* of leaves, by measure: its index in the stream's pay; -1: none */
   bool any_time;
   int64_t min_time, max_time;
   /* The closed cells in the same container: */
   MtBson out;
   MtBson *arrays; /* of parallel arrays: the elements of each; else NULL */
   uint32_t cells;
   int64_t next_slot;
   /* Statistics: */
   double stat_cells, stat_bytes;
   double old_cells, old_bytes; /* before the open document */
} MtNodeW;

/* ---- the newest document of each key (newest.c) ---- */

typedef struct MtNewest MtNewest;
MtNewest *mt_newest_new (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s);
/* Copies the document if it is the newest of its _id so far. */
void mt_newest_add (MtNewest *n, const uint8_t *doc, size_t size);
/* Returns whether the documents need much memory, so that they should be sent. */
bool mt_newest_full (const MtNewest *n);
/* Sends all documents to the engine, and removes them. */
bool mt_newest_send (MtNewest *n, const MtBuildArgs *x, MtError *err);
const MtNewerCounts *mt_newest_counts (const MtNewest *n);
void mt_newest_free (MtNewest *n);

/* ---- the builder (build.c) ---- */

/* A collection that documents are written to. */
typedef struct MtBuildTarget {
   MtPartition part; /* without partitions only the name is set */
   bool lookup;      /* stored documents may have to be merged */
} MtBuildTarget;

struct MtBuilder {
   MtBuildArgs x;
   MtNewest *newest; /* NULL: all records are kept */
   MtNodeW *root;
   MtNodeW **nodes;     /* by id */
   int *measures;       /* the columns of which the store keeps sums, extremes or counts */
   bool *measure_range; /* parallel: some level keeps extremes */
   size_t measure_count;
   MtStream *streams;
   size_t stream_count;
   MtBuildTarget *to;       /* of the open document */
   MtBuildTarget **targets; /* partitions met so far, by time */
   size_t target_count, target_cap;
   int first_key; /* index of the root's first key: 1 if there are partitions */
   /* How documents are written: */
   bool can_split, rows, check_ids;
   bool increments;     /* as increments */
   bool guarded;        /* stored documents are replaced only if nobody else changed them */
   bool doubled;        /* the error is already about two records of one key */
   bool outrun;         /* another writer changed the stored document: it must be merged again */
   bool again;          /* the streams can go back for that */
   MtStreamMark *marks; /* positions before the open document, one per stream; if guarded */
   double sent;         /* number of documents sent as increments */
   size_t budget;
   int64_t flush_levels;
   /* The open document: */
   size_t doc_bytes; /* estimated */
   int64_t doc_cells;
   MtVal id; /* MT_MISSING: the root binds it */
   uint8_t oid[12];
   MtVal *row_key; /* of single records: the values of the root's bindings */
   MtBuf id_text, scratch;
   MtIncrementParts parts;
   MtBson doc;
   MtArena *doc_arena; /* of the stored document */
   bool replacing;
   const bson_t *old; /* the stored document that is replaced, in doc_arena */
   bool taking;       /* a stored document of this _id is replaced as a whole */
   size_t old_size;
   /* Statistics: */
   double documents, bytes, records;
   MtError *err;
};

/* ---- cells (cell.c); these functions set the builder's err if they return false ---- */

/* Encodes value v of binding i for the open cell. steady: v's bytes outlive the cell; otherwise
 * they are copied. */
bool mt_cell_bind (MtBuilder *b, MtNodeW *nw, size_t i, MtVal v, bool steady);
/* Opens a cell for the stream's current record. */
bool mt_cell_open (MtBuilder *b, MtNodeW *nw);
/* Reads all records of the open cell from the streams. */
bool mt_cell_fill (MtBuilder *b, MtNodeW *nw);
/* Notes that the open cell has records in this range of time (ms). */
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
/* 23502 for a NULL of binding i; false. */
bool mt_refuse_null (MtBuilder *b, const MtNodeW *nw, size_t i);
/* 54000 for the open document, or the shortage of memory that was recorded; false. */
bool mt_doc_too_large (MtBuilder *b);

/* Sets the builder's id for these values of the root's bindings, which the id may borrow
 * (make_id.c). */
bool mt_make_id (MtBuilder *b, const MtVal *key);

/* ---- fields (field.c) ---- */

bool mt_compile_fields (MtBuilder *b, MtNodeW *nw);
bool mt_write_fields (MtBuilder *b, MtBson *w, const MtFieldW *fields, size_t count);
/* Returns the value of a field that is no child, group or array. A decimal's bytes are in
 * `decimal`. */
bool mt_field_value (MtBuilder *b, const MtFieldW *f, MtVal *out, uint8_t decimal[16]);

#endif
