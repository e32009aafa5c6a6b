/* Increments (additions to numbers of documents) that are not yet written into the documents.
 * Readers apply the increments to the stored documents until a fold writes new documents.
 *
 * For each document and path, the total is kept: the value that the field has after all
 * increments. So a faulty increment (a field that is not a number, an overflow) fails at once,
 * and a reader needs only the totals. MtEventUndo undoes changes, the last change first. */
#ifndef MT_STORE_EVENTS_H
#define MT_STORE_EVENTS_H

#include "engine/local/store/store_int.h"

#define MT_NO_DOC UINT32_MAX

typedef struct MtEventDoc {
   uint32_t hash; /* hash of the _id */
   /* Offset of the document {_id: …} in MtEvents.bytes. If increments created the document, its
    * initial fields follow the _id. */
   uint32_t head_at;
   /* The place of the stored document: the number of the block, and the document's offset and
    * number in the block. serial MT_NO_DOC: increments created the document. */
   uint32_t serial, offset, ordinal;
   /* size of the stored document, or of the initial fields if increments created the document */
   uint32_t stored;
   uint32_t grown; /* by how many bytes the totals make the document larger (estimated) */
   uint32_t size;  /* the document with its totals has at most this size in bytes */
   /* the document's first and last slot (a slot is the total of one field); MT_NO_DOC: none */
   uint32_t first, last;
} MtEventDoc;

typedef struct MtEventSlot {
   uint32_t doc, path;
   uint32_t next; /* the same document's next slot; MT_NO_DOC: this slot is the last */
   uint8_t type;
   bool absent; /* the stored document does not have the field */
   union {
      int64_t i;
      uint8_t decimal[16];
   };
} MtEventSlot;

typedef struct MtEventPath {
   uint32_t at, n, hash;
   /* `ref` is the path's number in the operation that the step writes. `ref` is valid if `round`
    * equals MtColl.path_round. */
   uint32_t round, ref;
} MtEventPath;

/* A hash table whose entries are indexes into one of the arrays of MtEvents. */
typedef struct MtEventTable {
   uint32_t *at;
   uint32_t mask; /* size of the table minus 1; 0: the table is not built yet */
} MtEventTable;

struct MtEvents {
   atomic_uint refs; /* snapshots share the struct; a writer changes it only while `refs` is 1 */
   uint8_t *bytes;
   uint32_t n, cap;
   MtEventDoc *docs;
   /* `made` is the number of documents that increments created and that no block contains yet. */
   uint32_t doc_count, doc_cap, made;
   MtEventSlot *slots;
   uint32_t slot_count, slot_cap;
   MtEventPath *paths;
   uint32_t path_count, path_cap;
   MtEventTable doc_table, slot_table, path_table;
   /* Indexes of the documents, sorted by their places in the blocks. Documents that increments
    * created are at the end, sorted by _id. */
   uint32_t *order;
   uint32_t ordered; /* how many entries of `order` are sorted */
};

/* How to undo one change that the open step made to the increments. */
typedef struct MtEventUndo {
   enum { MT_UNDO_DOC, MT_UNDO_SLOT, MT_UNDO_VALUE } kind;
   MtEventSlot was; /* the slot before the change; only for MT_UNDO_VALUE */
   uint32_t slot;
} MtEventUndo;

void mt_events_unref (MtEvents *o);
size_t mt_events_bytes (const MtEvents *o);
/* Builds document number `doc` with its totals into `out`. Clears `out` first. `base`: the
 * verified bytes of the stored document; NULL: increments created the document. */
void mt_events_build (const MtEvents *o, uint32_t doc, const uint8_t *base, MtBuf *out);
/* Sorts o->order, the documents with increments, by their places in the blocks. */
void mt_events_sort (MtEvents *o);
MtVal mt_events_id (const MtEvents *o, uint32_t doc);
/* Reads and verifies the stored document, without its increments. *doc is NULL if increments
 * created the document. */
bool mt_events_stored (MtColl *c, const MtEventDoc *d, const uint8_t **doc, MtError *err);

/* ---- events.c ---- */

/* Applies committed increments that were only queued so far. Call it before you read the
 * collection's documents. */
bool mt_events_catch_up (MtColl *c, MtError *err);
/* Queues the committed increments `ops`; mt_events_catch_up applies them later. */
void mt_events_queue (MtColl *c, const uint8_t *ops, size_t n);
/* Folds the increments: replaces the documents by documents with the totals, within the open
 * step. Call it before any other kind of write to the collection. */
bool mt_events_fold (MtColl *c, MtError *err);
/* Adds `amounts` to the document {_id: …}, and logs the increment for the commit. *made is set
 * if the document did not exist. On failure nothing is changed. */
bool mt_events_add (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                    bool *made, MtError *err);
/* Undoes all but the first `undo` changes of the open step. Also shortens the log of increments
 * to `log` bytes and `refs` paths. */
void mt_events_return (MtColl *c, size_t log, size_t undo, uint32_t refs);
/* Clears the log and the undo list of increments at the end of a step. */
void mt_events_step_over (MtColl *c, bool committed);
/* Removes all increments, after they were folded into the documents. */
void mt_events_forget (MtColl *c);
/* Returns whether the document with this _id has increments. Call mt_events_catch_up before.
 * Returns false if the open step has folded the increments. */
bool mt_events_have (const MtColl *c, MtVal id);
/* Returns whether the collection has increments that are not folded into documents yet. */
bool mt_events_any (const MtColl *c);
/* Writes all totals as the operands of a manifest operation (MT_OP_EVENTS). */
void mt_events_encode (const MtEvents *o, MtBuf *out);
/* Returns the document with this _id with its increments applied, allocated in `a`. Leaves *p
 * and *n unchanged if the document has no increments. */
bool mt_events_find (MtColl *c, MtVal id, MtArena *a, const uint8_t **p, size_t *n, MtError *err);

#endif
