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
   int64_t from, to; /* ms; from `from` to before `to` */
} MtTimeSpan;

/* Records that a writer needs again: a state that a roll-up keeps of points in the order of time
 * can't take points between its own. */
typedef struct MtLateRecords {
   const MtTable *t;
   const MtLayout *l;       /* the roll-up */
   const MtTimeSpan *times; /* sorted, with gaps between them */
   size_t time_count;
   const MtVal *values; /* by column: the value that all of these records have; MT_MISSING: any */
} MtLateRecords;

/* Takes a record, with a value by column of the table. */
typedef bool (*MtTakeRecord) (void *ctx, const MtVal *row, MtError *err);

typedef struct MtWriterOptions {
   size_t memory;              /* bytes for sorting, for all layouts together; 0: 192 MiB */
   const MtCancel *cancel;     /* borrowed, may be NULL */
   const MtProgress *progress; /* borrowed, may be NULL; called while sorted runs are merged */
   const bool *only;           /* for each of t->layouts: write it; NULL: all */
   /* Returns whether to replace a stored document of that _id as a whole, instead of merging new
    * records into it. NULL: never. */
   bool (*takes) (void *ctx, const char *collection, MtVal id);
   void *takes_ctx;
   /* Writes every packed document. NULL: documents that `takes` claims are written by
    * mt_engine_replace, and all others as usual. */
   bool (*replace) (void *takes_ctx, const char *collection, const bson_t *doc, MtError *err);
   /* The input is records or stored sums of another layout (mt_writer_add_leaf), for layouts that
    * keep sums. */
   bool leaves;
   /* Documents are created before their period begins (layouts/pack/prealloc.h). Borrowed; NULL:
    * they are not. */
   struct MtPrealloc *prealloc;
   /* Reads records of the table, the writer's own included, and passes each to `take`. May pass
    * others, too. NULL: late rows for such a roll-up are refused (0A000). */
   bool (*records) (void *ctx, const MtLateRecords *wanted, MtTakeRecord take, void *take_ctx,
                    MtError *err);
   void *records_ctx;
   /* Called after the writer created a partition with the store's own indexes. May be NULL. */
   bool (*made) (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
   void *made_ctx;
} MtWriterOptions;

/* Begins writing into the layouts of t, which is borrowed until mt_writer_close. The engine's step
 * must be open (mt_engine_begin). options may be NULL. */
bool mt_writer_open (MtEngine *e, const MtTable *t, const MtWriterOptions *options, MtWriter **out,
                     MtError *err);

/* Adds a record: a value per column, in the types' own BSON representation; copied. 23502 for NULL
 * in a NOT NULL column or in a column that a layout cannot hold NULL of; 54000 if its document
 * would exceed 16 MiB; 22008 for a time that is no multiple of the table's period. If every layout
 * keeps sums, such a time is rounded down instead. */
bool mt_writer_add (MtWriter *w, const MtVal *row, MtError *err);
/* Returns whether a row is in some layouts but not in others, because one could not hold it. Then
 * the step can only be rolled back. */
bool mt_writer_torn (const MtWriter *w);
/* Computes the _id of a record's document. The table must have one layout with one store. *id is
 * borrowed until the next call. */
bool mt_writer_id (MtWriter *w, const MtVal *row, MtVal *id, MtError *err);
/* Adds sums that another layout keeps of some records. Needs options.leaves. 22003 if the column's
 * type cannot hold a sum. */
bool mt_writer_add_leaf (MtWriter *w, const MtLeaf *leaf, MtError *err);
/* Checks a record as mt_writer_add does, without writing it. The caller writes the record itself.
 * The record counts in the statistics' time bounds and NULLs. */
bool mt_writer_check (MtWriter *w, const MtVal *row, MtError *err);

/* Sorts, packs and writes all rows. (*stats)[i][j], in arena a, counts what was written into store
 * j of layout i. stats may be NULL. */
bool mt_writer_finish (MtWriter *w, MtArena *a, MtStoreStats ***stats, MtError *err);
/* Releases the writer. If mt_writer_finish was not called, the caller must roll the engine's step
 * back. */
void mt_writer_close (MtWriter *w);

/* Returns whether the writer sends new records of the store as increments to an engine with these
 * capabilities. */
bool mt_writer_increments (const MtTable *t, const MtStoreDesc *s, const MtCaps *caps);
/* Splits a whole document of sums into *amounts and *first (see MtIncrement), which the caller has
 * initialized. False if increments can't build this document. */
bool mt_document_adds (const MtTable *t, const MtStoreDesc *s, const bson_t *doc, bson_t *amounts,
                       bson_t *first);

#endif
