/* Increments (amounts added to numeric fields) that are not yet written into the documents. Readers
 * apply them to the stored documents. A fold later writes new documents with the sums.
 *
 * For each document and path the total is kept: the field's value after all increments. So readers
 * need only the totals, and an invalid increment (the field is not a number, or overflows) fails at
 * once. MtEventUndo undoes changes, the newest first. */
#ifndef MT_STORE_EVENTS_H
#define MT_STORE_EVENTS_H

#include "engine/local/store/store_int.h"

#define MT_NO_DOC UINT32_MAX

typedef struct MtEventDoc {
   uint32_t hash; /* hash of the _id */
   /* Offset of the document {_id: …} in MtEvents.bytes. If increments created the document, its
    * initial fields follow the _id. */
   uint32_t head_at;
   /* Where the stored document is: the serial number of its block, and its offset and number in the
    * block. serial is MT_NO_DOC if increments created the document, so that no block has it. */
   uint32_t serial, offset, ordinal;
   /* bytes of the stored document, or of its initial fields if increments created it */
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
   /* The number of the path in the log record that the open step (an uncommitted batch) writes. It
    * is valid only if `round` equals MtColl.path_round; otherwise the record has not used the path
    * yet. */
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
   /* `made`: how many of the documents were created by increments and are in no block yet */
   uint32_t doc_count, doc_cap, made;
   MtEventSlot *slots;
   uint32_t slot_count, slot_cap;
   MtEventPath *paths;
   uint32_t path_count, path_cap;
   MtEventTable doc_table, slot_table, path_table;
   /* Numbers of the documents, sorted by block and offset. Documents that increments created come
    * last, sorted by _id. */
   uint32_t *order;
   uint32_t ordered; /* how many entries of `order` are sorted */
};

/* The information that undoes one change that the open step (an uncommitted batch) made to the
 * increments. */
typedef struct MtEventUndo {
   enum { MT_UNDO_DOC, MT_UNDO_SLOT, MT_UNDO_VALUE } kind;
   MtEventSlot was; /* the slot before the change; only for MT_UNDO_VALUE */
   uint32_t slot;
} MtEventUndo;

void mt_events_unref (MtEvents *o);
size_t mt_events_bytes (const MtEvents *o);
/* Writes document number `doc`, with its totals applied, to `out`, which is cleared first. `base`
 * is the stored document, already verified; NULL if increments created the document. */
void mt_events_build (const MtEvents *o, uint32_t doc, const uint8_t *base, MtBuf *out);
/* Sorts o->order by the places of the documents: block, then offset. */
void mt_events_sort (MtEvents *o);
MtVal mt_events_id (const MtEvents *o, uint32_t doc);
/* Reads and verifies the stored document, without applying increments. Sets *doc to NULL if
 * increments created the document. */
bool mt_events_stored (MtColl *c, const MtEventDoc *d, const uint8_t **doc, MtError *err);

/* ---- events.c ---- */

/* Applies the committed increments that mt_events_queue has queued. Call it before reading
 * documents of the collection. */
bool mt_events_catch_up (MtColl *c, MtError *err);
/* Queues n bytes of committed increments `ops`, as read from the log. mt_events_catch_up applies
 * them later. */
void mt_events_queue (MtColl *c, const uint8_t *ops, size_t n);
/* Replaces every document that has increments by one with the totals, as writes of the open step
 * (an uncommitted batch). Call it before any other kind of write to the collection. */
bool mt_events_fold (MtColl *c, MtError *err);
/* Adds `amounts` to the document with the _id of `id`, and logs the increment for the commit. If
 * the document does not exist, creates it from `first`, and sets *made. A failure changes
 * nothing. */
bool mt_events_add (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                    bool *made, MtError *err);
/* Returns to a savepoint: undoes the changes of the open step (an uncommitted batch) except the
 * first `undo`. Shortens the log of increments to `log` bytes and `refs` paths. */
void mt_events_return (MtColl *c, size_t log, size_t undo, uint32_t refs);
/* Clears the undo list and the log of increments when a step ends by a commit or a rollback. */
void mt_events_step_over (MtColl *c, bool committed);
/* Removes all increments, after they were folded into the documents. */
void mt_events_forget (MtColl *c);
/* Returns whether the document with this _id has increments. Call mt_events_catch_up before. The
 * result is false if the open step (an uncommitted batch) has already folded the increments. */
bool mt_events_have (const MtColl *c, MtVal id);
/* Returns whether the collection has increments that are not folded into documents yet. */
bool mt_events_any (const MtColl *c);
/* Appends all totals to `out`, encoded as an operation MT_OP_EVENTS of the manifest. */
void mt_events_encode (const MtEvents *o, MtBuf *out);
/* Sets *p and *n to the document with this _id with its increments applied, allocated in `a`.
 * Leaves both unchanged if the document has no increments. Returns false on error. */
bool mt_events_find (MtColl *c, MtVal id, MtArena *a, const uint8_t **p, size_t *n, MtError *err);

#endif
