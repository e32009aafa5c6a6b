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

#include "session/dml/dml.h"
#include "layouts/leaves.h"
#include "planner/cut/range.h"
#include "session/continuous/continuous.h"
#include "session/core/core.h"
#include "session/core/rows.h"

typedef struct MtRowMap MtRowMap;

typedef struct MtChange {
   MtStatement *st;
   const MtTable *table;
   const char *verb; /* the name of the statement for messages: "UPDATE" or "DELETE" */
   bool update;
   /* The leaves (sums) that DELETE removes from a table without records. NULL: the table has
    * records. */
   const MtLeafWay *leaf;
   MtQuery *query; /* SELECT the new values FROM table WHERE … */
   int *columns;   /* the columns that SET changes */
   size_t count;
   /* Computes WHERE and SET for rows of the table: c0 is the value of WHERE, c1 … are the new
    * values. */
   MtPlan *verdict;
   bool joined; /* a query over several tables returns the changed rows (change_join.c) */
   /* if `joined`: the query over several tables; its columns are the table's, then the new
    * values */
   MtQuery *source;
   /* if `joined`: the rows that `source` returned. `query` then has a condition that is true for
    * all of these rows. */
   MtRowMap *map;
   bool gathered; /* `map` is complete */
   uint64_t hits; /* the number of rows that `source` returned */
   bool once;     /* for MERGE: no row may be returned by `source` twice */
   MtReturning returning;
   uint64_t rows; /* the number of changed rows in the first store */
   bool any_time;
   int64_t first_ms, last_ms; /* the range of the changed rows' old times */
   bool any_new_time;
   int64_t new_first_ms, new_last_ms; /* UPDATE: the range of the changed rows' new times */
   MtKeyBounds *bounds;               /* UPDATE: the bounds of the new values, by key */
   MtTouch *touch;   /* buckets of continuous views that change; NULL: none read the table */
   MtRangeSet times; /* times for which WHERE can be true */
   /* DELETE removes all rows whose time is in `times` without reading them; partitions inside
    * `times` are dropped */
   bool whole;
   struct MtStoreChange *stores;
   size_t store_count;
} MtChange;

/* The change of one collection of a store (an ordinary collection or a partition). */
typedef struct MtPartChange {
   MtLayout layout; /* a copy of the store's layout that has only this collection */
   MtStoreDesc desc;
   MtSpool *deleted;  /* documents to delete: {_id: …} */
   MtSpool *replaced; /* new versions of documents */
   /* The _id values of `deleted`. Each has two values: whether a document with this _id was written
    * again, and the hash of the old document (mt_change_mark). NULL: no document can be written
    * again. */
   MtRowMap *ids;
   bool drop; /* the collection is dropped */
} MtPartChange;

typedef struct MtStoreChange {
   MtChange *c;
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *desc;
   /* records: the store keeps records, not sums. patches: each record is a document of its own,
    * which can be changed in place and keeps its _id. */
   bool records, patches;
   /* Other clients may increment documents of the store. A document is replaced only if no client
    * has changed it since it was read (change_same.c). */
   bool guarded;
   MtTable alone;              /* a copy of the table that has only this store */
   MtWriter *writer;           /* the writer of the store; writes to the table `alone` */
   struct MtPartChange *parts; /* the changes of the store's collections */
   size_t part_count;
   MtSpool *added; /* rows that go to the writer after everything is read */
   /* If the store keeps the newest record of each key: the keys of changed rows, each with the
    * newest time of these rows. NULL: the store keeps something else. */
   MtRowMap *keys;
   MtStoreStats removed; /* the statistics of the deleted documents */
   uint64_t rows;
} MtStoreChange;

/* Returns whether collection `part` of the store can have records with a time in one of the ranges
 * `times`. */
bool mt_change_meets (const MtStoreChange *s, size_t part, MtRangeSet times);
/* Passes the documents of collection `part` that may have records with a time in `times` to the
 * visitor v. */
bool mt_change_each (const MtStoreChange *s, size_t part, MtRangeSet times,
                     const MtDocumentVisit *v, MtError *err);
/* Returns whether a time in ms lies in one of the ranges. */
bool mt_change_lies_in (MtRangeSet times, int64_t ms);

/* A batch of rows (records or sums) for which WHERE and SET are computed together. */
typedef struct MtBatch {
   MtStoreChange *s;
   MtArena *a;
   MtVal **rows;
   size_t count, capacity;
   bool *hit;
   MtVal **changed; /* UPDATE: the new row; NULL where WHERE is not true */
} MtBatch;

/* Makes an empty batch. The caller frees its arena b->a. */
void mt_batch_init (MtBatch *b, MtStoreChange *s);
/* Adds a row to the batch. The row's values must live as long as b->a. */
void mt_batch_add (MtBatch *b, MtVal *row);
/* Computes WHERE and SET for the rows of the batch: sets b->hit and b->changed. Keeps changed rows
 * for RETURNING and for stores of newest records. */
bool mt_batch_judge (MtBatch *b, MtError *err);
/* Removes all rows from the batch. */
void mt_batch_reset (MtBatch *b);

/* Reads the SET clause: sets c->columns, and returns the new values as a select list. */
bool mt_change_targets (MtChange *c, MtTarget **out, MtError *err);
/* Binds an UPDATE or DELETE. */
bool mt_change_begin (MtStatement *st, MtChange *c, MtError *err);
/* Runs the write step of the change. *stale is set if another process changed the catalog before
 * the step began: the statement was bound to old layouts, and wrote nothing. */
bool mt_change_step (MtChange *c, bool *stale, MtError *err);
/* Raises 21000 for a row that MERGE changes twice. Returns false. */
bool mt_report_second_hit (MtError *err);
/* Runs an UPDATE inside another statement, whose RETURNING receives the rows. */
bool mt_change_for (MtStatement *st, MtReturning *returning, uint64_t *rows, MtError *err);

/* Marks a partition to be dropped as a whole: counts its rows in s->rows, and takes them out of the
 * statistics. */
bool mt_change_drop (MtStoreChange *s, size_t part, MtError *err);
/* Takes the partition's documents and `records` records out of the store's statistics. */
bool mt_change_forget (MtStoreChange *s, MtPartChange *p, double records, MtError *err);
/* These functions read a store's documents and prepare its change: for a store of records, of sums,
 * and of newest records. */
bool mt_change_records (MtStoreChange *s, MtError *err);
bool mt_change_sums (MtStoreChange *s, MtError *err);
bool mt_change_latest (MtStoreChange *s, MtError *err);
/* Returns whether other clients may increment documents of the store (MtStoreChange.guarded). */
bool mt_change_is_guarded (const MtStoreChange *s);
/* Returns a hash of a document's bytes, which identifies this version of the document. */
int64_t mt_change_mark (const bson_t *doc);
/* Waits until writers of other clients have ended that may have added to some of the layout's
 * stores of sums, but not yet to the others. Call it between reading and writing; later additions
 * are found by mt_change_same. Fails with 55006 if a writer does not end. */
bool mt_change_is_next (MtChange *c, MtError *err);
/* Writes `doc` in place of the document that was read with this _id (doc NULL: deletes it); if none
 * was read, inserts `doc`. Fails with 40001 if another client changed the document since it was
 * read. */
bool mt_change_same (MtStoreChange *s, const char *collection, MtVal id, const bson_t *doc,
                     MtError *err);
/* Sets c->leaf, for a table that keeps only sums. Fails with 0A000 if WHERE is not the same for all
 * records of a sum. */
bool mt_change_find_leaf (MtChange *c, MtError *err);
/* Returns whether the leaves of c->leaf are in this store. */
bool mt_change_has_leaf (const MtStoreChange *s);
/* Passes the leaves (sums) with a time in `times` that DELETE does not remove to the store's
 * writer, so that they are written again. */
bool mt_change_feed_leaves (MtStoreChange *s, MtRangeSet times, MtError *err);
/* Sets *n to the number of records from which the leaves (sums) of a collection were computed. */
bool mt_change_count_leaves (MtStoreChange *s, const MtPartChange *p, uint64_t *n, MtError *err);
/* Returns the number of records from which a leaf was computed; 1 if the leaf has no count of
 * them. */
static inline uint64_t mt_leaf_records (const MtLeaf *leaf)
{
   return leaf->n > 1 ? (uint64_t) leaf->n : 1;
}
/* Notes the key of a changed row, with its time, for stores that keep the newest record of each
 * key. changed: the new row; NULL: the row is deleted. Call it before mt_change_latest changes such
 * a store. */
bool mt_change_see_key (MtChange *c, const MtVal *old, const MtVal *changed, MtError *err);
/* Adds a new row to s->added. The store's writer receives these rows after all documents are
 * read. */
bool mt_change_add_later (MtStoreChange *s, const MtVal *row, MtError *err);
/* Reads all rows for which `where` is true (NULL: all rows of the table), and computes WHERE and
 * SET of the statement for them. Passes the rows for which take() returns true, as they are after
 * the change, to the store's writer. */
bool mt_change_feed (MtStoreChange *s, MtExpr *where,
                     bool (*take) (MtStoreChange *s, const MtVal *row, bool changed), MtError *err);
/* Sets *out to `where` AND the condition that a row has not expired. */
bool mt_change_unexpired (MtStatement *st, const MtTable *t, MtExpr *where, MtExpr **out,
                          MtError *err);
/* Returns a constant expression of the column's type with the value v; NULL with an error. */
MtExpr *mt_change_constant (MtStatement *st, const MtColumn *c, MtVal v, MtError *err);
/* Iterates over a map: returns the next row (key and further values), or NULL at the end. Start
 * with *at = 0. */
MtVal *mt_row_map_next (const MtRowMap *m, size_t *at);
/* Binds the query over several tables that finds the changed rows (c->source). */
bool mt_change_bind_join (MtChange *c, MtTarget *values, MtError *err);
/* Runs the query over several tables, and keeps its rows in c->map. */
bool mt_change_gather_rows (MtChange *c, MtError *err);
/* The same, unless it was done, and binds c->query to the rows. */
bool mt_change_gather (MtChange *c, MtError *err);
/* Returns whether the query over several tables found no row to change. */
bool mt_change_is_empty (const MtChange *c);
/* Makes a hash map in arena a. Its keys are rows of `width` values; each has `values` further
 * values. equal: values are compared as in SQL, so 1.0 and 1.00 are the same key; otherwise they
 * differ. */
MtRowMap *mt_row_map_new (MtArena *a, size_t width, size_t values, bool equal);
/* Adds a row, followed by its further values, to the map. The values are copied. A row that is
 * already in the map stays as it is. */
void mt_row_map_keep (MtRowMap *m, const MtVal *row);
/* Returns the further values of the row in the map; NULL: the map does not have it. */
MtVal *mt_row_map_find (const MtRowMap *m, const MtVal *row);
/* Returns the two values that MtPartChange.ids has for a document; NULL: the document will not be
 * deleted. */
MtVal *mt_change_of_id (const MtStoreChange *s, const char *collection, MtVal id);
/* Adds a document to those that are deleted after everything is read, and its statistics `seen` to
 * s->removed. */
bool mt_change_take_out (MtStoreChange *s, MtPartChange *p, const bson_t *doc,
                         const MtStoreStats *seen, MtError *err);

#endif
