/* The writer: packs rows of a table into documents, in all its layouts, in one pass.
 *
 * The writer sorts the records for each layout: by document key, then level by level. If they
 * exceed its memory, it writes sorted runs to disk. Then it nests the records, computes sums
 * bottom-up, and writes documents below the size limit in the engine's open step. */
#ifndef MT_WRITER_H
#define MT_WRITER_H

#include "engine/engine.h"
#include "layouts/leaves.h"

typedef struct MtWriter MtWriter;

struct MtPrealloc;

typedef struct MtTimeSpan {
   int64_t from, to; /* time range from `from` to before `to`, in ms */
} MtTimeSpan;

/* Describes records that a writer must read again. A roll-up's aggregate state of points in the
 * order of time can't add new points between stored ones, so it is computed again from all records
 * of its cell (array or map element). */
typedef struct MtLateRecords {
   const MtTable *t;
   const MtLayout *l;       /* the roll-up */
   const MtTimeSpan *times; /* time ranges of the records, sorted and disjoint */
   size_t time_count;
   /* for each column: the value that all these records have; MT_MISSING: any */
   const MtVal *values;
} MtLateRecords;

/* Callback that takes a record, with a value for each column of the table; false on an error. */
typedef bool (*MtTakeRecord) (void *ctx, const MtVal *row, MtError *err);

typedef struct MtWriterOptions {
   size_t memory;              /* bytes of memory for sorting, shared by all layouts; 0: 192 MiB */
   const MtCancel *cancel;     /* borrowed, may be NULL */
   const MtProgress *progress; /* borrowed, may be NULL; called while sorted runs are merged */
   const bool *only;           /* for each of t->layouts: whether it is written; NULL: all are */
   /* Callback: returns whether a stored document with this _id is replaced as a whole, instead of
    * merging new records into it. NULL: never. */
   bool (*takes) (void *ctx, const char *collection, MtVal id);
   void *takes_ctx;
   /* Callback that writes every packed document. NULL: documents that `takes` claims are written by
    * mt_engine_replace, and all others as usual. */
   bool (*replace) (void *takes_ctx, const char *collection, const bson_t *doc, MtError *err);
   /* The input is records or stored sums of another layout, added by mt_writer_add_leaf. Only for
    * layouts that keep sums. */
   bool leaves;
   /* Bloom filters for creating documents before their period begins (layouts/pack/prealloc.h).
    * Borrowed; NULL: none are created ahead. */
   struct MtPrealloc *prealloc;
   /* Callback that reads the `wanted` records of the table, those written by this writer included,
    * and passes each to `take`. It may pass other records, too. NULL: records that are too late for
    * a roll-up are an error (0A000). */
   bool (*records) (void *ctx, const MtLateRecords *wanted, MtTakeRecord take, void *take_ctx,
                    MtError *err);
   void *records_ctx;
   /* Callback after the writer created a partition, with the store's own indexes. May be NULL. */
   bool (*made) (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
   void *made_ctx;
} MtWriterOptions;

/* Begins writing into the layouts of t, which is borrowed until mt_writer_close. The engine must
 * have an open step (mt_engine_begin). options may be NULL. */
bool mt_writer_open (MtEngine *e, const MtTable *t, const MtWriterOptions *options, MtWriter **out,
                     MtError *err);

/* Adds a record: a value for each column, in its type's BSON representation; copied. 23502 for NULL
 * in a column that is NOT NULL, or whose NULL a layout can't store; 54000 if the document would
 * exceed 16 MiB; 22008 for a time that is no multiple of the table's period. If all layouts keep
 * sums, such a time is rounded down instead. */
bool mt_writer_add (MtWriter *w, const MtVal *row, MtError *err);
/* Returns whether some layouts have a row that another layout could not store. Then the caller must
 * roll the step back. */
bool mt_writer_torn (const MtWriter *w);
/* Computes the _id of a record's document. The table must have one layout with one store. *id is
 * borrowed until the next call. */
bool mt_writer_id (MtWriter *w, const MtVal *row, MtVal *id, MtError *err);
/* Adds a leaf (a record, or a group of sums) of another layout. Needs options.leaves. 22003 if a
 * sum is out of range for its column's type. */
bool mt_writer_add_leaf (MtWriter *w, const MtLeaf *leaf, MtError *err);
/* Checks a record as mt_writer_add does, and counts it in the statistics, but does not write it;
 * the caller writes it. */
bool mt_writer_check (MtWriter *w, const MtVal *row, MtError *err);

/* Sorts, packs and writes all rows. (*stats)[i][j], in arena a, has the statistics of what was
 * written into store j of layout i. stats may be NULL. */
bool mt_writer_finish (MtWriter *w, MtArena *a, MtStoreStats ***stats, MtError *err);
/* Releases the writer. If mt_writer_finish was not called, the caller must roll the engine's step
 * back. */
void mt_writer_close (MtWriter *w);

/* Returns whether the writer sends new records of the store as increments to an engine with these
 * capabilities. */
bool mt_writer_increments (const MtTable *t, const MtStoreDesc *s, const MtCaps *caps);
/* Splits doc, a whole document of sums, into the increments *amounts and the fields for a new
 * document *first (see MtIncrement). The caller has initialized both. False if increments can't
 * build this document. */
bool mt_document_adds (const MtTable *t, const MtStoreDesc *s, const bson_t *doc, bson_t *amounts,
                       bson_t *first);

#endif
