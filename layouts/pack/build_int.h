/* How a node's value is written: a tree of fields compiled from the descriptor, and a buffer for
 * BSON. Private to writer_*.c. */
#ifndef MT_LAYOUTS_BUILD_INT_H
#define MT_LAYOUTS_BUILD_INT_H

#include "layouts/increments.h"
#include "layouts/pack/pack_int.h"
#include "layouts/sums.h"

#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

typedef struct MtWire {
   uint8_t *p;
   size_t n, cap;
} MtWire;

void mt_wire_grow (MtWire *w, size_t more);
static inline void mt_wire_room (MtWire *w, size_t more)
{
   if (w->cap - w->n < more)
      mt_wire_grow (w, more);
}
static inline void mt_wire_bytes (MtWire *w, const void *p, size_t n)
{
   if (!n)
      return;
   mt_wire_room (w, n);
   memcpy (w->p + w->n, p, n);
   w->n += n;
}
static inline void mt_wire_byte (MtWire *w, uint8_t b)
{
   mt_wire_room (w, 1);
   w->p[w->n++] = b;
}
static inline void mt_wire_int32 (MtWire *w, int32_t i) { mt_wire_bytes (w, &i, 4); }
/* A document's or array's length is written when it ends. */
static inline size_t mt_wire_begin (MtWire *w)
{
   size_t at = w->n;
   mt_wire_int32 (w, 0);
   return at;
}
static inline void mt_wire_end (MtWire *w, size_t at)
{
   mt_wire_byte (w, 0);
   int32_t size = (int32_t) (w->n - at);
   memcpy (w->p + at, &size, 4);
}
/* Type byte and name; name_size counts its NUL. */
static inline void mt_wire_head (MtWire *w, uint8_t type, const char *name, size_t name_size)
{
   mt_wire_room (w, 1 + name_size);
   w->p[w->n++] = type;
   memcpy (w->p + w->n, name, name_size);
   w->n += name_size;
}
void mt_wire_value (MtWire *w, MtVal v);         /* the value's bytes, after its head */
size_t mt_wire_index (uint32_t i, char out[12]); /* an array's key, its size with the NUL */

/* ---- increments (writer_inc.c) ---- */

/* What MtIncrement has, each part the bytes of a document. Begins as {0}, and is used again: the
 * next document overwrites it. */
typedef struct MtIncrementParts {
   MtWire amounts, first, fresh, slots;
   MtBuf path;
} MtIncrementParts;
/* A document of new records alone as increments: its _id, borrowed, and the parts. */
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
   MT_F_ARRAY,   /* index: one of parallel arrays, the owner's */
   MT_F_GROUP    /* a sub-document: fields */
} MtFieldKind;

typedef struct MtFieldW {
   MtFieldKind kind;
   int index;
   const struct MtNodeW
      *owner; /* the node whose state it is: this one, or a scalar inlined into it */
   const char *name;
   size_t name_size;
   struct MtFieldW *fields;
   size_t field_count;
} MtFieldW;

typedef struct MtNodeW {
   const MtNode *n;
   const MtWriteWay *way; /* the first one below it */
   MtStream *stream;
   int key_start, key_end, parent_key_end;
   struct MtNodeW **kids;
   size_t kid_count;
   MtFieldW *fields;
   size_t field_count;
   MtFieldW whole; /* the value itself is this one field; else fields */
   bool is_whole;
   bool inlined; /* a scalar written among its parent's fields */
   /* the open cell */
   MtVal *bound;      /* encoded */
   MtBuf *bound_text; /* one a binding */
   MtVal *raw;        /* encoded values of the record at hand */
   MtBuf raw_text;
   struct MtNodeW *record; /* many records: the fields of one; only n, fields, raw are used */
   MtWire records;
   uint32_t record_count;
   int64_t count;
   MtSums *acc;  /* by the store's measures */
   int *acc_pay; /* leaves: which payload is the measure; -1: none */
   bool any_time;
   int64_t min_time, max_time;
   /* closed cells of the container */
   MtWire out;
   MtWire *arrays; /* parallel arrays, each its elements; else NULL */
   uint32_t cells;
   int64_t next_slot;
   /* statistics */
   double stat_cells, stat_bytes;
   double old_cells, old_bytes; /* before the document at hand */
} MtNodeW;

/* Documents of which each key has one, the newest (writer_newest.c). */
typedef struct MtNewest MtNewest;
MtNewest *mt_newest_new (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s);
void mt_newest_add (MtNewest *n, const uint8_t *doc,
                    size_t size); /* copied, if it is the newest one of its _id so far */
bool mt_newest_full (const MtNewest *n);
bool mt_newest_send (MtNewest *n, const MtBuildArgs *x, MtError *err); /* all go to the engine */
const MtNewerCounts *mt_newest_counts (const MtNewest *n);
void mt_newest_free (MtNewest *n);
/* A collection that documents go to. */
typedef struct MtBuildTarget {
   MtPartition part; /* a store without partitions has the name alone */
   bool lookup;      /* documents are there that may be merged with */
} MtBuildTarget;

struct MtBuilder {
   MtBuildArgs x;
   MtNewest *newest; /* NULL: every record is kept */
   MtNodeW *root;
   MtNodeW **nodes;     /* by id */
   int *measures;       /* columns that some agg of the store keeps */
   bool *measure_range; /* parallel: some agg keeps the smallest or largest */
   size_t measure_count;
   MtStream *streams;
   size_t stream_count;
   MtBuildTarget *to;       /* of the open document */
   MtBuildTarget **targets; /* partitions, by time */
   size_t target_count, target_cap;
   int first_key; /* of the root: 1 behind the partition */
   bool can_split, rows, check_ids;
   bool increments; /* documents are sent as increments */
   bool doubled;    /* it failed by two records of one key, which its error names */
   bool guarded; /* others may change a stored document while it is merged: it is replaced only if
                    they didn't */
   bool outrun;  /* and they have: it is to be merged again */
   bool again;   /* which can be done */
   MtStreamMark
      *marks;   /* where the streams stood before the open document, one a stream; guarded only */
   double sent; /* such documents */
   size_t budget;
   int64_t flush_levels;
   size_t doc_bytes; /* of the open document, about */
   int64_t doc_cells;
   MtVal id; /* of the open document; MT_MISSING: bound by the root */
   uint8_t oid[12];
   MtVal *row_key; /* rows: the root's bindings of the row at hand */
   MtBuf id_text, scratch;
   MtIncrementParts parts;
   MtWire doc;
   MtArena *doc_arena; /* of a stored document that is merged */
   bool replacing;
   const bson_t *old; /* what it replaces, in doc_arena */
   bool taking;       /* what is there under this _id is replaced as a whole */
   size_t old_size;
   double documents, bytes, records;
   MtError *err;
};

/* ---- cells (writer_cell.c): where false, the builder's err is set ---- */

/* An encoded value of binding i of the open cell; text of v that won't last (not steady) is
 * copied. */
bool mt_cell_bind (MtBuilder *b, MtNodeW *nw, size_t i, MtVal v, bool steady);
/* A cell of the record at which the node's stream stands, and then all records that belong to
 * it. */
bool mt_cell_open (MtBuilder *b, MtNodeW *nw);
bool mt_cell_fill (MtBuilder *b, MtNodeW *nw);
void mt_cell_time (MtNodeW *nw, int64_t min,
                   int64_t max); /* ms; the open cell has records of these times */
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
/* Errors; both return false. */
bool mt_refuse_null (MtBuilder *b, const MtNodeW *nw, size_t i);
bool mt_doc_too_large (MtBuilder *b);

/* Sets the builder's id for a root with these values of its bindings, which the id may borrow
 * (writer_id.c). */
bool mt_make_id (MtBuilder *b, const MtVal *key);

/* ---- fields (writer_field.c) ---- */

bool mt_compile_fields (MtBuilder *b, MtNodeW *nw);
bool mt_write_fields (MtBuilder *b, MtWire *w, const MtFieldW *fields, size_t count);
/* The value of a field that is not a child, a group or records. */
bool mt_field_value (MtBuilder *b, const MtFieldW *f, MtVal *out, uint8_t decimal[16]);

#endif
