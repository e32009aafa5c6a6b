/* Increments that documents don't have yet: what lies over the blocks of a collection until it is
 * folded into new documents.
 *
 * Kept are totals, by document and path: what the documents' fields are to become. So an increment
 * is checked when it comes (a field that is no number, an overflow), and reading needs only the
 * totals. Undone from the end, by `MtEventUndo`. */
#ifndef MT_STORE_EVENTS_H
#define MT_STORE_EVENTS_H

#include "engine/local/store/store_int.h"

#define MT_NO_DOC UINT32_MAX

typedef struct MtEventDoc {
   uint32_t hash;    /* of the _id */
   uint32_t head_at; /* in `bytes`: {_id: …} and, of a document that increments made, what it begins
                        with */
   uint32_t serial, offset, ordinal; /* of the stored document; serial MT_NO_DOC: there is none */
   uint32_t stored;      /* size of the stored document, or of what a new one begins with */
   uint32_t grown;       /* about so much larger it becomes */
   uint32_t size;        /* at most: of the document with its totals */
   uint32_t first, last; /* its slots; MT_NO_DOC: none */
} MtEventDoc;

typedef struct MtEventSlot {
   uint32_t doc, path;
   uint32_t next; /* of the document, in the order in which they came; MT_NO_DOC: none */
   uint8_t type;
   bool absent; /* the stored document doesn't have it */
   union {
      int64_t i;
      uint8_t decimal[16];
   };
} MtEventSlot;

typedef struct MtEventPath {
   uint32_t at, n, hash;
   uint32_t round, ref; /* its number in the operation that is being written, where the round is the
                           collection's */
} MtEventPath;

/* A hash table of numbers of things that lie in an array. */
typedef struct MtEventTable {
   uint32_t *at;
   uint32_t mask; /* 0: not made yet */
} MtEventTable;

struct MtEvents {
   atomic_uint refs; /* shared with snapshots; changed only when it is 1 */
   uint8_t *bytes;
   uint32_t n, cap;
   MtEventDoc *docs;
   uint32_t doc_count, doc_cap, made; /* made: how many of them no block has */
   MtEventSlot *slots;
   uint32_t slot_count, slot_cap;
   MtEventPath *paths;
   uint32_t path_count, path_cap;
   MtEventTable doc_table, slot_table, path_table;
   uint32_t *order;  /* documents by their place; those that no block has by _id, at the end */
   uint32_t ordered; /* how many were sorted */
};

/* A change of this step. */
typedef struct MtEventUndo {
   enum { MT_UNDO_DOC, MT_UNDO_SLOT, MT_UNDO_VALUE } kind;
   MtEventSlot was; /* MT_UNDO_VALUE */
   uint32_t slot;
} MtEventUndo;

void mt_events_unref (MtEvents *o);
size_t mt_events_bytes (const MtEvents *o);
/* The document as its totals make it. `base`: the stored one's bytes, verified; NULL: there is
 * none. Into `out`, which is cleared. */
void mt_events_build (const MtEvents *o, uint32_t doc, const uint8_t *base, MtBuf *out);
/* Sorts o->order. */
void mt_events_sort (MtEvents *o);
MtVal mt_events_id (const MtEvents *o, uint32_t doc);
/* The stored document, verified. *doc NULL: there is none. */
bool mt_events_stored (MtColl *c, const MtEventDoc *d, const uint8_t **doc, MtError *err);

/* ---- events.c ---- */

/* Takes over what commits said about the collection's increments; before its documents are looked
 * at. */
bool mt_events_catch_up (MtColl *c, MtError *err);
void mt_events_queue (MtColl *c, const uint8_t *ops,
                      size_t n); /* what a commit says: looked at later */
/* Puts the totals into the documents, as replacements of this step, before something else changes
 * the collection. */
bool mt_events_fold (MtColl *c, MtError *err);
/* One increment of {_id: …}, logged for the commit. *made: there was no such document. False leaves
 * nothing of it. */
bool mt_events_add (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                    bool *made, MtError *err);
void mt_events_undo (MtColl *c, size_t undo_count); /* back to so many changes of the step */
void mt_events_return (MtColl *c, size_t log, size_t undo,
                       uint32_t refs); /* and to so much of its log */
void mt_events_step_over (MtColl *c, bool committed);
void mt_events_forget (MtColl *c); /* documents have them */
bool mt_events_have (
   const MtColl *c,
   MtVal id); /* of that document; after catching up; false where the step has folded */
bool mt_events_any (const MtColl *c); /* some wait to be folded */
/* All totals as the payload of an operation. */
void mt_events_encode (const MtEvents *o, MtBuf *out);
/* A stored document with its totals, in `a`; p and n stay what they are when it has none. */
bool mt_events_find (MtColl *c, MtVal id, MtArena *a, const uint8_t **p, size_t *n, MtError *err);

#endif
