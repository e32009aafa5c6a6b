/* Reads data: pipelines, cursors, single documents and statistics. */
#ifndef MT_ENGINE_READ_H
#define MT_ENGINE_READ_H

#include "base/compress.h"
#include "engine/types.h"

/* ---- statistics of a run ---- */

struct MtRunStats;

/* How a stage with a pipeline of its own ($lookup, $unionWith, $_mtApply) runs it. Statistics are
 * kept separately for each way. */
typedef enum MtWithin {
   /* once, for the documents of the other collection; $_mtApply: for each document, over rows that
    * are kept */
   MT_WITHIN_ONCE,
   MT_WITHIN_KEPT,   /* $_mtApply: for rows that are the same for each document, and are kept */
   MT_WITHIN_DIRECT, /* $_mtApply: for each document, over the collection */
   MT_WITHIN_COUNT
} MtWithin;

typedef struct MtStageStats {
   const char *stage; /* "$match", "$group", …, or the fused form "$unwind" */
   size_t at;         /* the stage's place in the pipeline */
   uint64_t docs_in;
   uint64_t docs_out;
   /* Total size of the stored documents that the stage read. For a sub-document that was skipped,
    * only its header counts. */
   uint64_t bytes;
   uint64_t us;      /* microseconds in the stage itself, summed over threads */
   uint64_t spilled; /* bytes in temporary files */
   /* Sums of the statistics of the stage's own pipelines. NULL: no such pipeline ran, or statistics
    * were not requested. */
   const struct MtRunStats *within[MT_WITHIN_COUNT];
} MtStageStats;

typedef struct MtRunStats {
   uint64_t docs_read;   /* number of stored documents that were read */
   uint64_t bytes_read;  /* size of the documents that were read */
   uint64_t bytes_total; /* size of the collections */
   uint64_t blocks_read, blocks_pruned;
   /* Number of collections that were read. On a server, only the first collection of each pipeline
    * counts. */
   uint64_t collections;
   uint64_t us;
   const MtStageStats *stages; /* borrowed from the cursor */
   size_t stage_count;
   size_t length;      /* number of stages of the pipeline */
   uint64_t docs_in;   /* number of documents that entered the first stage */
   uint64_t source_us; /* microseconds to supply these documents */
} MtRunStats;

/* ---- pipelines ---- */

/* Names an extra document, of another collection, by its _id. The command of a pipeline can return
 * it together with the pipeline's result, which saves a command (mt_cursor_beside). */
typedef struct MtBeside {
   const char *collection;
   MtVal id;
} MtBeside;

/* Rows of WITH queries ($_mtWith stages), by name. The first pipeline that reads a WITH query
 * computes its rows; later pipelines of the statement read the same rows. The memory is in arena
 * `a`. */
typedef struct MtSharedRows MtSharedRows;
MtSharedRows *mt_shared_rows_new (MtArena *a);

typedef struct MtAggregateArgs {
   const char *collection; /* NULL: no collection; the pipeline begins with $documents */
   const bson_t *pipeline; /* an array of stages: {"0": {…}, …} */
   /* Further fields of the aggregate command: let, hint, collation, cursor, comment. An engine in
    * this process uses only let, hint and collation. NULL: none. */
   const bson_t *options;
   /* If not NULL, the cursor returns one document: the reply of MongoDB's explain command with this
    * verbosity. "queryPlanner" doesn't run the pipeline; "executionStats" does. */
   const char *explain;
   bool want_stats; /* counts and times each stage */
   /* the extra document for mt_cursor_beside; borrowed until the call returns; NULL: none */
   const MtBeside *beside;
   /* rows of WITH queries that the pipelines of one statement share; must outlive the cursor; NULL:
    * none */
   MtSharedRows *shared;
} MtAggregateArgs;

/* Opens a cursor over the result of a pipeline. The caller frees *out by mt_cursor_free. Errors in
 * the pipeline have MongoDB's text: 0A000 (unknown stage or operator) or 22023 (bad arguments).
 * Errors in data have their own SQLSTATE, such as 22012 (division by zero). */
bool mt_engine_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);

/* Sets *doc to the next document of a cursor, borrowed until the next call; NULL at the end. */
bool mt_cursor_next (MtCursor *c, const bson_t **doc, MtError *err);
/* Reads the next document as a row: values[i] is the field "c0", "c1", … with number i, or null if
 * it is missing. The values borrow bytes until the next call. *more is false at the end. Read a
 * cursor either by this function or by mt_cursor_next, not by both. */
bool mt_cursor_row (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err);
/* Reads a document as a row, as mt_cursor_row does. The values borrow the document's bytes. */
void mt_row_read (const bson_t *doc, size_t n, MtVal *values);
/* Runs the pipeline, and sets *doc to the extra document that MtAggregateArgs.beside names; NULL if
 * it does not exist. *known is false if the reply did not contain it, so the caller must read it
 * separately; always so in process. Call it before the first mt_cursor_next. *doc is borrowed until
 * the cursor is freed. */
bool mt_cursor_beside (MtCursor *c, bool *known, const bson_t **doc, MtError *err);
/* Sets *out to the statistics of the run, which are complete at the cursor's end. */
void mt_cursor_stats (MtCursor *c, MtRunStats *out);
void mt_cursor_free (MtCursor *c); /* NULL is allowed */

/* Callback that sets *doc to the next document of a source, or to NULL at its end. It supplies the
 * input of the part of a plan that a server can't run. */
typedef bool (*MtNextDoc) (void *ctx, const bson_t **doc, MtError *err);
/* Runs a pipeline in this process, without an engine, over the documents that `next` returns. The
 * caller owns *out. */
bool mt_local_aggregate_over (MtNextDoc next, void *ctx, const bson_t *pipeline,
                              const MtCancel *cancel, MtCursor **out, MtError *err);
typedef struct MtOverArgs {
   MtNextDoc next; /* supplies the documents */
   void *ctx;
   const bson_t *pipeline;
   bool want_stats; /* counts and times each stage */
   MtSharedRows *shared;
} MtOverArgs;

/* Runs a pipeline in this process over the documents that args->next returns, with the engine's
 * operators, cancel flag and memory limit. The caller owns *out. */
bool mt_engine_aggregate_over (MtEngine *e, const MtOverArgs *args, MtCursor **out, MtError *err);

/* ---- streams ---- */

/* A source of documents that are generated while a pipeline reads them, such as the rows of a text
 * file. An implementation's struct begins with an MtDocStream. */
typedef struct MtDocStream MtDocStream;
struct MtDocStream {
   bool (*next) (MtDocStream *s, const bson_t **doc, MtError *err); /* as MtNextDoc */
   void (*close) (MtDocStream *s); /* frees the stream itself too */
   /* Skips the next document without checking its content. *raw is its text in the file, borrowed
    * until the next call; raw->p is NULL at the end. The member is NULL if the stream is not a
    * file. */
   bool (*pass) (MtDocStream *s, MtStr *raw, MtError *err);
};

/* Return a stream of a file's documents: extended JSON (one after the other, or in one array), or
 * BSON. The caller closes the stream, and keeps `in` and `path` until then. Errors name the file
 * and the line or offset. */
MtDocStream *mt_json_stream (MtUnpack *in, const char *path);
MtDocStream *mt_bson_stream (MtUnpack *in, const char *path);

/* The prefix of the names of collections that are streams (MtDocStream). They count as temporary
 * collections, so their pipelines run in this process. */
#define MT_STREAMED MT_TEMPORARY "file "
bool mt_is_streamed (const char *collection); /* false for NULL */

void mt_doc_stream_close (MtDocStream *s); /* NULL is allowed */

/* Opens a stream by the name of its collection. */
typedef struct MtDocStreams {
   bool (*open) (void *ctx, const char *collection, MtDocStream **out, MtError *err);
   void *ctx;
} MtDocStreams;
/* Sets the functions by which the engine opens streams. `streams` is borrowed until the engine is
 * closed. */
void mt_engine_set_streams (MtEngine *e, const MtDocStreams *streams);

/* ---- documents and collections ---- */

/* Sets *doc to the document with this _id, allocated in arena `a`, or to NULL if there is none.
 * Writes of the open step are visible. */
bool mt_engine_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                        MtError *err);

/* Lists the names of all collections, sorted, allocated in arena `a`. */
bool mt_engine_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                            MtError *err);
bool mt_engine_has_collection (MtEngine *e, const char *name, bool *has, MtError *err);
/* Returns the path of the collection's file if it is a text file (CSV), which has no documents,
 * else NULL. The result is borrowed. */
const char *mt_engine_text_file (MtEngine *e, const char *collection);
/* Returns whether the collection has its own collation, so that reads need {collation: {locale:
 * "simple"}} to compare texts as bytes. False if the engine has not read the collection's options
 * yet. */
bool mt_engine_is_collated (MtEngine *e, const char *collection);

typedef struct MtCollStats {
   uint64_t documents;
   uint64_t bytes;        /* size of all documents as BSON */
   uint64_t stored_bytes; /* size on disk; 0: not known */
} MtCollStats;

bool mt_engine_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
/* Returns how many bytes of the store's files the collection takes. 0: it has none, or the target
 * is a server. */
uint64_t mt_engine_disk_bytes (MtEngine *e, const char *collection);

/* How many blocks of documents a pipeline would open; the rest is skipped because of their value
 * ranges. */
typedef struct MtOpenedBlocks {
   size_t blocks, opened; /* the number of blocks that were checked, and that would be opened */
   uint64_t bytes, opened_bytes;
   size_t step; /* 1: all blocks of the collection were checked; 3: every third one */
   bool finds;  /* an index finds single documents in the opened blocks */
} MtOpenedBlocks;

/* Computes which blocks of a collection a pipeline of $match stages would open, without reading
 * documents. Returns false, without an error, if that is unknown: the engine has no blocks or no
 * ranges, or the pipeline is invalid. */
bool mt_engine_opened (MtEngine *e, const char *collection, const bson_t *pipeline,
                       MtOpenedBlocks *out);
/* Returns whether the collection probably stores these top-level fields as columns (the values of a
 * field together), so that they can be read instead of documents. A block near the collection's
 * middle decides. */
bool mt_engine_keeps_columns (MtEngine *e, const char *collection, const char *const *fields,
                              size_t count);
/* Sets *has to whether the collection has a document; false if there is no such collection. Writes
 * of the open step count. */
bool mt_engine_has_documents (MtEngine *e, const char *collection, bool *has, MtError *err);
/* Sets *out to the collection's indexes as an array of {v, key, name, …}, allocated in arena `a`.
 * An engine in this process lists only the index on _id. */
bool mt_engine_indexes (MtEngine *e, MtArena *a, const char *collection, bson_t **out,
                        MtError *err);

#endif
