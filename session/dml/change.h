/* UPDATE and DELETE: what their files share.
 *
 * Each store of the table that keeps records is changed by itself: the planner says which documents
 * hold records that WHERE is true of; those are decoded, WHERE and SET are computed over their
 * records, and what is left of them, and what came of it, goes through a writer of that store, as
 * new rows would, in place of the documents. A record that is a document of its own is deleted, or
 * patched. Stores that keep nothing but sums are filled anew from the table's records, in the span
 * of time that the changed ones have. Of stores of the newest records the keys whose newest one
 * changes are filled anew. Where no store keeps records DELETE takes whole leaves, if WHERE is as
 * true of all that one sums up: the leaves that tell most are what records are else. Nothing is
 * written before everything is read. */
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
   const MtLeafWay *leaf; /* of a table of nothing but sums: the leaves that go, or stay; NULL:
                             there are records */
   MtQuery *query;        /* SELECT the new values FROM table WHERE … */
   int *columns;          /* of the table, those that get them */
   size_t count;
   MtPlan *verdict; /* over rows: c0 is whether WHERE is true of the row, c1 … are its new values */
   bool joined; /* what changes is what a query says (change_join.c), and not WHERE over a row: */
   MtQuery *source; /* the table's columns, and the new values */
   MtRowMap *map;   /* its rows; `query` then says what they have in common */
   MtReturning returning;
   uint64_t rows; /* changed, as the first store has them */
   bool any_time;
   int64_t first_ms, last_ms; /* of the changed rows' old times */
   bool any_new_time;
   int64_t new_first_ms, new_last_ms; /* UPDATE: of their new ones */
   MtRangeSet times;                  /* that WHERE can be true of */
   bool whole; /* DELETE of all that lies in them, which nobody looks at: partitions within them are
                  dropped */
   struct MtStoreChange *stores;
   size_t store_count;
} MtChange;

/* Of one of a store's collections. */
typedef struct MtPartChange {
   MtLayout layout; /* of that collection alone */
   MtStoreDesc desc;
   MtSpool *deleted;  /* {_id: …} */
   MtSpool *replaced; /* documents */
   MtRowMap *ids;     /* of `deleted`, each with whether it was written again, and what it was
                         (mt_change_mark); NULL: none can be */
   bool drop;         /* all of it goes */
} MtPartChange;

typedef struct MtStoreChange {
   MtChange *c;
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *desc;
   bool records, patches; /* it keeps records; they are documents whose _id may stay */
   bool guarded; /* others may count into its documents meanwhile: one changes only while it is what
                    was read (change_same.c) */
   MtTable alone;              /* the table with this store only */
   MtWriter *writer;           /* of `alone` */
   struct MtPartChange *parts; /* its collections */
   size_t part_count;
   MtSpool *added;       /* rows for the writer, where that writes at once */
   MtRowMap *keys;       /* a store of the newest records: keys of the changed rows, each with their
                            newest time; NULL: another store */
   MtStoreStats removed; /* what the deleted documents counted */
   uint64_t rows;
} MtStoreChange;

/* Whether the times of one of the store's collections meet some, lie within them all. */
bool mt_change_meets (const MtStoreChange *s, size_t part, MtRangeSet times);
bool mt_change_covers (const MtStoreChange *s, size_t part, MtRangeSet times);
/* change_sums.c: the documents of one of them that may have records of those times. */
bool mt_change_each (const MtStoreChange *s, size_t part, MtRangeSet times,
                     const MtDocumentVisit *v, MtError *err);
bool mt_change_lies_in (MtRangeSet times, int64_t ms);

/* Records, or leaves, on their way through the verdict. */
typedef struct MtBatch {
   MtStoreChange *s;
   MtArena *a;
   MtVal **rows;
   size_t count, capacity;
   bool *hit;
   MtVal **changed; /* UPDATE: the row as it will be; NULL where not hit */
} MtBatch;

void mt_batch_init (MtBatch *b, MtStoreChange *s);
/* The row's values last as long as b->a. */
void mt_batch_add (MtBatch *b, MtVal *row);
bool mt_batch_judge (MtBatch *b, MtError *err);
void mt_batch_reset (MtBatch *b);

/* What SET says: c->columns and their new values, as a select list (change.c). */
bool mt_change_targets (MtChange *c, MtTarget **out, MtError *err);
/* An UPDATE that is a part of another statement, whose RETURNING gets the rows. */
bool mt_change_for (MtStatement *st, MtReturning *returning, uint64_t *rows, MtError *err);

/* change_drop.c: counts what goes with a partition that is dropped; takes it out of the
 * statistics. */
bool mt_change_drop (MtStoreChange *s, size_t part, MtError *err);
bool mt_change_forget (MtStoreChange *s, MtPartChange *p, double records, MtError *err);
bool mt_change_records (MtStoreChange *s, MtError *err); /* change_records.c */
bool mt_change_sums (MtStoreChange *s, MtError *err);    /* change_sums.c */
/* change_same.c: whether a store is to be guarded; what tells a document from what it becomes. Puts
 * `doc` (NULL: nothing) in the place of what was read under that _id, or where nothing was read,
 * and nothing is: 40001 and the session is outrun where it isn't that any more. */
bool mt_change_is_guarded (const MtStoreChange *s);
int64_t mt_change_mark (const bson_t *doc);
/* Between what was read and what is written: where sums lie in several collections, whoever was
 * adding to them may have reached one, and not yet another. It is waited until they have ended, and
 * what they added later shows (mt_change_same); 55006 while one of them goes on. */
bool mt_change_is_next (MtChange *c, MtError *err);
bool mt_change_same (MtStoreChange *s, const char *collection, MtVal id, const bson_t *doc,
                     MtError *err);
/* change_leaves.c: of a table of nothing but sums finds c->leaf; 0A000 where it can't be said which
 * sums go. */
bool mt_change_find_leaf (MtChange *c, MtError *err);
/* Whether the store is the one with those leaves. */
bool mt_change_has_leaf (const MtStoreChange *s);
/* What is left of the leaves of those times goes to the store's writer. */
bool mt_change_feed_leaves (MtStoreChange *s, MtRangeSet times, MtError *err);
/* How many records the leaves of a collection stand for. */
bool mt_change_count_leaves (MtStoreChange *s, const MtPartChange *p, uint64_t *n, MtError *err);
/* Records that a leaf stands for: 1 where it doesn't count them. */
static inline uint64_t mt_leaf_records (const MtLeaf *leaf)
{
   return leaf->n > 1 ? (uint64_t) leaf->n : 1;
}
/* change_latest.c: sees a changed row before stores of newest records are; NULL: it goes. Then the
 * store itself. */
bool mt_change_see_key (MtChange *c, const MtVal *old, const MtVal *changed, MtError *err);
bool mt_change_latest (MtStoreChange *s, MtError *err);
/* A row for the store's writer, once everything was read. */
bool mt_change_add_later (MtStoreChange *s, const MtVal *row, MtError *err);
/* All of the table's rows for which `where` holds (NULL: all), judged; those that `take` wants go
 * to the store's writer. */
bool mt_change_feed (MtStoreChange *s, MtExpr *where,
                     bool (*take) (MtStoreChange *s, const MtVal *row, bool changed), MtError *err);
/* WHERE, which is true of no row that has expired. */
bool mt_change_unexpired (MtStatement *st, const MtTable *t, MtExpr *where, MtExpr **out,
                          MtError *err);
/* A constant of the column's type. */
MtExpr *mt_change_constant (MtStatement *st, const MtColumn *c, MtVal v, MtError *err);
/* The keys of such a map, one after the other; *at begins as 0. NULL at the end. */
MtVal *mt_row_map_next (const MtRowMap *m, size_t *at);
/* change_join.c: binds the query; runs it; whether it gave none; the new values of a row, NULL: it
 * doesn't change. */
bool mt_change_bind_join (MtChange *c, MtTarget *values, MtError *err);
bool mt_change_gather (MtChange *c, MtError *err);
bool mt_change_is_empty (const MtChange *c);
/* Rows by their values (change_join.c), each with further ones; in the statement's arena.
 * equal: 1.0 and 1.00 are one value. */
MtRowMap *mt_row_map_new (MtArena *a, size_t width, size_t values, bool equal);
void mt_row_map_keep (MtRowMap *m, const MtVal *row); /* the first of equal ones; copied */
MtVal *mt_row_map_find (const MtRowMap *m,
                        const MtVal *row); /* the further ones; NULL: not there */
/* What is known of a document that goes, by its _id; NULL: it doesn't. */
MtVal *mt_change_of_id (const MtStoreChange *s, const char *collection, MtVal id);
/* The document goes from its collection. */
bool mt_change_take_out (MtStoreChange *s, MtPartChange *p, const bson_t *doc,
                         const MtStoreStats *seen, MtError *err);

#endif
