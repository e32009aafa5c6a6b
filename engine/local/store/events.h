/* Increments that are not in the documents yet. They lie over the blocks of a collection until they
 * are folded into new documents.
 *
 * The totals are kept, by document and path: the future values of the documents' fields. So a
 * faulty increment (a field that is not a number, an overflow) is refused when it comes, and a
 * reader needs only the totals. MtEventUndo undoes changes, the last one first. */
#ifndef MT_STORE_EVENTS_H
#define MT_STORE_EVENTS_H

#include "engine/local/store/store_int.h"

#define MT_NO_DOC UINT32_MAX

typedef struct MtEventDoc {
   uint32_t hash; /* of the _id */
   /* Offset in `bytes` of {_id: …}. For a document that increments created, its initial fields
    * follow. */
   uint32_t head_at;
   /* The place of the stored document. serial MT_NO_DOC: there is none. */
   uint32_t serial, offset, ordinal;
   uint32_t stored;      /* size of the stored document, or of the initial fields of a new one */
   uint32_t grown;       /* estimated growth in bytes */
   uint32_t size;        /* the most bytes of the document with its totals */
   uint32_t first, last; /* its slots; MT_NO_DOC: none */
} MtEventDoc;

typedef struct MtEventSlot {
   uint32_t doc, path;
   uint32_t next; /* the document's next slot, in the order of arrival; MT_NO_DOC: none */
   uint8_t type;
   bool absent; /* the stored document does not have this field */
   union {
      int64_t i;
      uint8_t decimal[16];
   };
} MtEventSlot;

typedef struct MtEventPath {
   uint32_t at, n, hash;
   /* The path's number in the operation that is being written. It is valid if `round` is the
    * collection's. */
   uint32_t round, ref;
} MtEventPath;

/* A hash table of indexes into an array. */
typedef struct MtEventTable {
   uint32_t *at;
   uint32_t mask; /* 0: not built yet */
} MtEventTable;

struct MtEvents {
   atomic_uint refs; /* snapshots share it; changed only when refs is 1 */
   uint8_t *bytes;
   uint32_t n, cap;
   MtEventDoc *docs;
   /* `made` counts the documents that no block has. */
   uint32_t doc_count, doc_cap, made;
   MtEventSlot *slots;
   uint32_t slot_count, slot_cap;
   MtEventPath *paths;
   uint32_t path_count, path_cap;
   MtEventTable doc_table, slot_table, path_table;
   /* The documents by place. Documents that no block has follow at the end, by _id. */
   uint32_t *order;
   uint32_t ordered; /* how many of them are sorted */
};

/* A change in this step, for undoing. */
typedef struct MtEventUndo {
   enum { MT_UNDO_DOC, MT_UNDO_SLOT, MT_UNDO_VALUE } kind;
   MtEventSlot was; /* for MT_UNDO_VALUE */
   uint32_t slot;
} MtEventUndo;

void mt_events_unref (MtEvents *o);
size_t mt_events_bytes (const MtEvents *o);
/* Builds the document with its totals into `out`, which is cleared before. `base`: the bytes of the
 * stored document, verified; NULL: there is none. */
void mt_events_build (const MtEvents *o, uint32_t doc, const uint8_t *base, MtBuf *out);
/* Sorts o->order. */
void mt_events_sort (MtEvents *o);
MtVal mt_events_id (const MtEvents *o, uint32_t doc);
/* Reads the stored document, verified. *doc is NULL if there is none. */
bool mt_events_stored (MtColl *c, const MtEventDoc *d, const uint8_t **doc, MtError *err);

/* ---- events.c ---- */

/* Applies the increments of commits that were only queued so far. Call it before the collection's
 * documents are read. */
bool mt_events_catch_up (MtColl *c, MtError *err);
/* Queues the increments of a commit, to be applied later. */
void mt_events_queue (MtColl *c, const uint8_t *ops, size_t n);
/* Writes the totals into the documents, as replacements of this step. Needed before another change
 * of the collection. */
bool mt_events_fold (MtColl *c, MtError *err);
/* Applies one increment of the document {_id: …} and logs it for the commit. *made: there was no
 * such document. On failure nothing of it remains. */
bool mt_events_add (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                    bool *made, MtError *err);
/* Undoes the changes of the step behind the first `undo_count`. */
void mt_events_undo (MtColl *c, size_t undo_count);
/* Like mt_events_undo, and also cuts the log to `log` bytes and `refs` paths. */
void mt_events_return (MtColl *c, size_t log, size_t undo, uint32_t refs);
/* Ends a step. */
void mt_events_step_over (MtColl *c, bool committed);
/* Forgets all increments, after a fold. */
void mt_events_forget (MtColl *c);
/* Returns whether the document has increments. Call mt_events_catch_up before. False after a fold
 * in this step. */
bool mt_events_have (const MtColl *c, MtVal id);
/* Returns whether there are increments to be folded. */
bool mt_events_any (const MtColl *c);
/* Writes all totals as the payload of an operation. */
void mt_events_encode (const MtEvents *o, MtBuf *out);
/* Gets a stored document with its totals, in `a`. *p and *n stay as they are if it has none. */
bool mt_events_find (MtColl *c, MtVal id, MtArena *a, const uint8_t **p, size_t *n, MtError *err);

#endif
