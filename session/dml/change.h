/* UPDATE and DELETE: declarations shared by the files change*.c.
 *
 * Each store that keeps records is changed by itself. The planner finds the documents with records
 * for which WHERE is true. Those documents are decoded, and WHERE and SET are computed over their
 * records. The remaining and the new records go through a writer of the store, which replaces the
 * documents. A record that is a document of its own is deleted or patched.
 *
 * Stores of sums only are filled again from the table's records, for the span of time of the
 * changed ones. In a store of newest records, the keys whose newest record changes are filled
 * again. If no store keeps records, DELETE removes whole leaves, provided WHERE is the same for all
 * records of a leaf.
 *
 * Nothing is written before everything is read. */
#ifndef MT_CHANGE_H
#define MT_CHANGE_H

#include "layouts/leaves.h"
#include "planner/cut/range.h"
#include "session/core/core.h"
#include "session/core/rows.h"

typedef struct MtRowMap MtRowMap;

typedef struct MtChange {
   MtStatement *st;
   const MtTable *table;
   const char *verb; /* "UPDATE", "DELETE" */
   bool update;
   /* The leaves that DELETE removes from a table of sums only. NULL: the table has records. */
   const MtLeafWay *leaf;
   MtQuery *query; /* SELECT the new values FROM table WHERE … */
   int *columns;   /* the columns that SET changes */
   size_t count;
   /* Computes over rows of the table: c0 is the value of WHERE, c1 … are the new values. */
   MtPlan *verdict;
   bool joined;     /* a query over several tables returns the changed rows (change_join.c) */
   MtQuery *source; /* joined: that query; its columns are the table's, then the new values */
   /* joined: the rows of that query; `query` is then a condition that holds for all of them */
   MtRowMap *map;
   MtReturning returning;
   uint64_t rows; /* the number of changed rows in the first store */
   bool any_time;
   int64_t first_ms, last_ms; /* the range of the changed rows' old times */
   bool any_new_time;
   int64_t new_first_ms, new_last_ms; /* UPDATE: the range of their new times */
   MtRangeSet times;                  /* times for which WHERE can be true */
   /* DELETE of all rows in `times`, which need not be read: partitions inside `times` are
    * dropped */
   bool whole;
   struct MtStoreChange *stores;
   size_t store_count;
} MtChange;

/* The change of one collection of a store. */
typedef struct MtPartChange {
   MtLayout layout; /* the layout with this collection only */
   MtStoreDesc desc;
   MtSpool *deleted;  /* documents to delete: {_id: …} */
   MtSpool *replaced; /* new versions of documents */
   /* The _id values of `deleted`, each with two values: whether the document was written again,
    * and its mark (mt_change_mark). NULL: no document can be written again. */
   MtRowMap *ids;
   bool drop; /* the collection is dropped */
} MtPartChange;

typedef struct MtStoreChange {
   MtChange *c;
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *desc;
   /* records: the store keeps records. patches: each record is a document, which can keep its
    * _id. */
   bool records, patches;
   /* Other clients may increment its documents. A document is replaced only if it is still the
    * one that was read (change_same.c). */
   bool guarded;
   MtTable alone;              /* the table with this store only */
   MtWriter *writer;           /* writes to `alone` */
   struct MtPartChange *parts; /* by collection */
   size_t part_count;
   MtSpool *added; /* rows that go to the writer after everything is read */
   /* A store of newest records: the keys of changed rows, each with their newest time. NULL:
    * another store. */
   MtRowMap *keys;
   MtStoreStats removed; /* the statistics of the deleted documents */
   uint64_t rows;
} MtStoreChange;

/* Whether a collection of the store overlaps some times; whether they contain all its times. */
bool mt_change_meets (const MtStoreChange *s, size_t part, MtRangeSet times);
bool mt_change_covers (const MtStoreChange *s, size_t part, MtRangeSet times);
/* change_sums.c: visits the documents of a collection that may have records of these times. */
bool mt_change_each (const MtStoreChange *s, size_t part, MtRangeSet times,
                     const MtDocumentVisit *v, MtError *err);
/* Whether a time in ms is one of these times. */
bool mt_change_lies_in (MtRangeSet times, int64_t ms);

/* A batch of records or leaves for which WHERE and SET are computed. */
typedef struct MtBatch {
   MtStoreChange *s;
   MtArena *a;
   MtVal **rows;
   size_t count, capacity;
   bool *hit;
   MtVal **changed; /* UPDATE: the new row; NULL where not hit */
} MtBatch;

/* Makes an empty batch. The caller frees b->a. */
void mt_batch_init (MtBatch *b, MtStoreChange *s);
/* Adds a row. Its values must live as long as b->a. */
void mt_batch_add (MtBatch *b, MtVal *row);
/* Computes WHERE and SET for the rows: sets b->hit and b->changed. Notes changed rows for RETURNING
 * and for stores of newest records. */
bool mt_batch_judge (MtBatch *b, MtError *err);
/* Removes all rows. */
void mt_batch_reset (MtBatch *b);

/* Reads SET: sets c->columns, and returns the new values as a select list (change.c). */
bool mt_change_targets (MtChange *c, MtTarget **out, MtError *err);
/* Runs an UPDATE inside another statement, whose RETURNING receives the rows. */
bool mt_change_for (MtStatement *st, MtReturning *returning, uint64_t *rows, MtError *err);

/* change_drop.c: counts the rows of a partition that is dropped; takes it out of the statistics. */
bool mt_change_drop (MtStoreChange *s, size_t part, MtError *err);
bool mt_change_forget (MtStoreChange *s, MtPartChange *p, double records, MtError *err);
/* Read a store and prepare its change: a store of records, of sums, of newest records. */
bool mt_change_records (MtStoreChange *s, MtError *err);
bool mt_change_sums (MtStoreChange *s, MtError *err);
bool mt_change_latest (MtStoreChange *s, MtError *err);
/* change_same.c: whether a store is guarded; the hash that identifies a version of a document.
 * mt_change_same puts `doc` (NULL: nothing) in place of the document that was read with this
 * _id, or inserts it if none was read. 40001 if the document is another by now, and the session
 * is outrun. */
bool mt_change_is_guarded (const MtStoreChange *s);
int64_t mt_change_mark (const bson_t *doc);
/* Call it between reading and writing. If sums lie in several collections, a concurrent writer
 * may have added to some of them only. Waits until such writers end; mt_change_same finds what
 * they added later. 55006 if one of them goes on. */
bool mt_change_is_next (MtChange *c, MtError *err);
bool mt_change_same (MtStoreChange *s, const char *collection, MtVal id, const bson_t *doc,
                     MtError *err);
/* change_leaves.c: sets c->leaf for a table of sums only; 0A000 if WHERE cannot be decided for
 * whole leaves. */
bool mt_change_find_leaf (MtChange *c, MtError *err);
/* Whether this store has the leaves of c->leaf. */
bool mt_change_has_leaf (const MtStoreChange *s);
/* Passes the remaining leaves of these times to the store's writer. */
bool mt_change_feed_leaves (MtStoreChange *s, MtRangeSet times, MtError *err);
/* Counts the records that the leaves of a collection represent. */
bool mt_change_count_leaves (MtStoreChange *s, const MtPartChange *p, uint64_t *n, MtError *err);
/* The number of records that a leaf represents; 1 if the leaf does not count them. */
static inline uint64_t mt_leaf_records (const MtLeaf *leaf)
{
   return leaf->n > 1 ? (uint64_t) leaf->n : 1;
}
/* change_latest.c: notes a changed row (changed NULL: deleted) for stores of newest records.
 * Call it before mt_change_latest changes such a store. */
bool mt_change_see_key (MtChange *c, const MtVal *old, const MtVal *changed, MtError *err);
/* Keeps a row for the store's writer until everything is read. */
bool mt_change_add_later (MtStoreChange *s, const MtVal *row, MtError *err);
/* Computes WHERE and SET for all rows with the condition `where` (NULL: all). Passes those for
 * which `take` returns true to the store's writer. */
bool mt_change_feed (MtStoreChange *s, MtExpr *where,
                     bool (*take) (MtStoreChange *s, const MtVal *row, bool changed), MtError *err);
/* Adds to WHERE the condition that a row has not expired. */
bool mt_change_unexpired (MtStatement *st, const MtTable *t, MtExpr *where, MtExpr **out,
                          MtError *err);
/* Makes a constant of the column's type. */
MtExpr *mt_change_constant (MtStatement *st, const MtColumn *c, MtVal v, MtError *err);
/* Iterates over the keys of a map; *at begins as 0. NULL at the end. */
MtVal *mt_row_map_next (const MtRowMap *m, size_t *at);
/* change_join.c: binds the query over several tables; runs it; whether it returned no rows. */
bool mt_change_bind_join (MtChange *c, MtTarget *values, MtError *err);
bool mt_change_gather (MtChange *c, MtError *err);
bool mt_change_is_empty (const MtChange *c);
/* A map from rows by their values to further values (change_join.c). In the statement's arena.
 * equal: 1.0 and 1.00 are the same. */
MtRowMap *mt_row_map_new (MtArena *a, size_t width, size_t values, bool equal);
/* Adds a row with its further values, which are copied. Of equal rows the first one stays. */
void mt_row_map_keep (MtRowMap *m, const MtVal *row);
/* The further values of a row; NULL: the row is not in the map. */
MtVal *mt_row_map_find (const MtRowMap *m, const MtVal *row);
/* The values of MtPartChange.ids for a deleted document; NULL: it is not deleted. */
MtVal *mt_change_of_id (const MtStoreChange *s, const char *collection, MtVal id);
/* Deletes a document from its collection later. */
bool mt_change_take_out (MtStoreChange *s, MtPartChange *p, const bson_t *doc,
                         const MtStoreStats *seen, MtError *err);

#endif
