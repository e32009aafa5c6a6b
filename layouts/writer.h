/* The writer: rows of a table become documents, in all its layouts, in one pass. Knows level kinds,
 * no presets.
 *
 * Records are sorted by each layout's own order (document keys, then level by level), in bounded
 * memory with runs on disk, nested, summed bottom-up, and flushed as documents below the size
 * limit. All documents go through the engine's open write step. */
#ifndef MT_WRITER_H
#define MT_WRITER_H

#include "engine/engine.h"
#include "layouts/leaves.h"

typedef struct MtWriter MtWriter;

struct MtPrealloc;

typedef struct MtWriterOptions {
   size_t memory;              /* bytes for sorting, over all layouts; 0: 192 MiB */
   const MtCancel *cancel;     /* borrowed, may be NULL */
   const MtProgress *progress; /* borrowed, may be NULL: called while runs are merged */
   const bool *only;           /* NULL: all layouts; else parallel to t->layouts */
   /* Whether the document of that _id is there, in that collection, and nothing of it is to stay:
    * then it is replaced, and not merged with. NULL: never. */
   bool (*takes) (void *ctx, const char *collection, MtVal id);
   void *takes_ctx;
   /* How documents get there, such and those that nobody takes; NULL: such ones by
    * mt_engine_replace. */
   bool (*replace) (void *takes_ctx, const char *collection, const bson_t *doc, MtError *err);
   bool leaves; /* what comes is leaves, by mt_writer_add_leaf, for layouts that keep sums */
   struct MtPrealloc
      *prealloc; /* borrowed: each row is a hit (layouts/prealloc.h); NULL: none is */
   /* A partition of a store came to be, with the indexes that the store itself wants. NULL: nobody
    * wants to know. */
   bool (*made) (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
   void *made_ctx;
} MtWriterOptions;

/* Begins writing into the layouts of t. The engine's write step must be open (mt_engine_begin). t
 * is borrowed until close. */
bool mt_writer_open (MtEngine *e, const MtTable *t, const MtWriterOptions *options, MtWriter **out,
                     MtError *err);

/* One record: a value a column, in the table's order, in the types' own BSON representation;
 * copied. 23502 for NULL in a NOT NULL column or where a layout can't hold it (a map's key, a
 * slot), 54000 when its document would pass 16 MiB, 22008 for a time off the grid of the table's
 * period (floored instead where every layout keeps sums). */
bool mt_writer_add (MtWriter *w, const MtVal *row, MtError *err);
/* Some layouts have a row that another one couldn't hold (its time in whole seconds, a number as
 * int32): the step can only be rolled back. */
bool mt_writer_torn (const MtWriter *w);

/* The _id of the document that a record is, or becomes, in the only layout's only store; borrowed
 * until the next call. */
bool mt_writer_id (MtWriter *w, const MtVal *row, MtVal *id, MtError *err);
/* What other documents keep of some records, added up: with the options' `leaves`. 22003 for a sum
 * that the column's type can't hold. */
bool mt_writer_add_leaf (MtWriter *w, const MtLeaf *leaf, MtError *err);

/* The checks of mt_writer_add alone, for a record that is written by other ways; it counts in the
 * statistics' bounds and NULLs. */
bool mt_writer_check (MtWriter *w, const MtVal *row, MtError *err);

/* Sorts, packs and writes everything. Then stats[i][j] (layout i, store j; in arena a) has what the
 * writer counted, to be merged into the catalog's. */
bool mt_writer_finish (MtWriter *w, MtArena *a, MtStoreStats ***stats, MtError *err);

/* Releases; without finish nothing that wasn't flushed is written (the caller rolls the engine's
 * step back). */
void mt_writer_close (MtWriter *w);

/* Makes the collections of a layout that don't exist yet, with indexes on what their documents are
 * found by. The writer does it itself when one is missing. */
bool mt_layout_create_collections (MtEngine *e, const MtTable *t, const MtLayout *l, MtError *err);

/* Whether an engine of these abilities gets what is added to the store as increments of documents
 * that nobody reads. */
bool mt_writer_increments (const MtTable *t, const MtStoreDesc *s, const MtCaps *caps);

/* A whole document of a store of sums as increments of nothing, into *amounts and *first (of
 * MtIncrement; initialized by the caller). False where nobody adds to such a document, or it has
 * what can't be added. */
bool mt_document_adds (const MtTable *t, const MtStoreDesc *s, const bson_t *doc, bson_t *amounts,
                       bson_t *first);

/* Counts times a factor. */
void mt_stats_scale (const MtStoreDesc *s, MtStoreStats *stats, double factor);

/* Adds what a writer counted to a store's statistics (nodes in arena a). */
void mt_stats_add (MtArena *a, const MtStoreDesc *s, MtStoreStats *into, const MtStoreStats *more);

#endif
