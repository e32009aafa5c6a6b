/* Reading: pipelines, cursors, single documents and statistics. */
#ifndef MT_ENGINE_READ_H
#define MT_ENGINE_READ_H

#include "base/compress.h"
#include "engine/types.h"

/* ---- statistics of a run ---- */

struct MtRunStats;

/* The reason why a stage (such as $lookup, $unionWith or $_mtApply) runs a pipeline of its own. */
typedef enum MtWithin {
   /* For the documents of the other collection; $_mtApply: for each document, over kept rows. */
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
   /* Size of the stored documents that the stage read; a skipped sub-document counts only its
    * header. */
   uint64_t bytes;
   uint64_t us;      /* microseconds in the stage itself, summed over threads */
   uint64_t spilled; /* bytes in temporary files */
   /* Statistics of the stage's own pipelines, added up. NULL: no pipeline ran, or statistics were
    * off. */
   const struct MtRunStats *within[MT_WITHIN_COUNT];
} MtStageStats;

typedef struct MtRunStats {
   uint64_t docs_read;   /* number of stored documents that were read */
   uint64_t bytes_read;  /* size of the documents that were read */
   uint64_t bytes_total; /* size of the collections */
   uint64_t blocks_read, blocks_pruned;
   /* Number of collections that were read; on a server, only the first of each pipeline. */
   uint64_t collections;
   uint64_t us;
   const MtStageStats *stages; /* borrowed from the cursor */
   size_t stage_count;
   size_t length;      /* number of stages of the pipeline */
   uint64_t docs_in;   /* number of documents that entered the first stage */
   uint64_t source_us; /* microseconds to supply these documents */
} MtRunStats;

/* ---- pipelines ---- */

/* An extra document, of another collection. The command that runs a pipeline can return this
 * document, too (mt_cursor_beside). */
typedef struct MtBeside {
   const char *collection;
   MtVal id;
} MtBeside;

/* The rows of WITH queries ($_mtWith stages), by name. The first pipeline that needs the rows of a
 * name computes them; later pipelines read the same rows. Lives as long as arena `a`. */
typedef struct MtSharedRows MtSharedRows;
MtSharedRows *mt_shared_rows_new (MtArena *a);

typedef struct MtAggregateArgs {
   const char *collection; /* NULL: no collection; the pipeline begins with $documents */
   const bson_t *pipeline; /* an array of stages: {"0": {…}, …} */
   /* More fields of the command aggregate: let, hint, collation, cursor, comment. An engine in
    * process reads `let`, `hint` and `collation`. NULL: none. */
   const bson_t *options;
   /* The cursor returns one document instead: the answer to MongoDB's command explain with this
    * verbosity ("queryPlanner", which doesn't run the pipeline, or "executionStats"). NULL: no. */
   const char *explain;
   bool want_stats; /* counts and times each stage */
   /* The document for mt_cursor_beside; borrowed until the call returns; NULL: none. */
   const MtBeside *beside;
   /* Shared by the pipelines of one statement; outlives the cursor; NULL: none. */
   MtSharedRows *shared;
} MtAggregateArgs;

/* Runs a pipeline. The caller owns *out: mt_cursor_free. Errors of the pipeline have MongoDB's
 * text: 0A000 (unknown stage or operator) or 22023 (bad arguments). Errors of data have their own
 * SQLSTATE, such as 22012 (division by zero). */
bool mt_engine_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);

/* Returns the next document of a cursor in *doc, borrowed until the next call. *doc NULL: the
 * end. */
bool mt_cursor_next (MtCursor *c, const bson_t **doc, MtError *err);
/* Reads the next document as a row: values[i] is its field named c and i in decimal ("c0"), or null
 * if it is missing. The bytes of the values are borrowed until the next call. *more false: the end.
 * A cursor is read either by this function or by mt_cursor_next, from its start to its end. */
bool mt_cursor_row (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err);
/* Reads a document as such a row. The bytes of the values are borrowed from the document. */
void mt_row_read (const bson_t *doc, size_t n, MtVal *values);
/* Runs the pipeline, and returns the document of MtAggregateArgs.beside. Call it before the first
 * mt_cursor_next. *doc NULL: the document does not exist. *known false: the answer did not contain
 * the document, so the caller has to find it; always so in process. Borrowed until the cursor is
 * freed. */
bool mt_cursor_beside (MtCursor *c, bool *known, const bson_t **doc, MtError *err);
/* The statistics are complete at the cursor's end. */
void mt_cursor_stats (MtCursor *c, MtRunStats *out);
void mt_cursor_free (MtCursor *c); /* NULL is allowed */

/* Returns the next document of a source; *doc NULL: the end. Plans run the parts that a server
 * can't run on documents from such a source. */
typedef bool (*MtNextDoc) (void *ctx, const bson_t **doc, MtError *err);
/* Runs a pipeline in the local executor over the documents that `next` supplies, without an engine.
 * The caller owns *out. */
bool mt_local_aggregate_over (MtNextDoc next, void *ctx, const bson_t *pipeline,
                              const MtCancel *cancel, MtCursor **out, MtError *err);
typedef struct MtOverArgs {
   MtNextDoc next; /* supplies the documents */
   void *ctx;
   const bson_t *pipeline;
   bool want_stats; /* want_stats and shared: as in MtAggregateArgs */
   MtSharedRows *shared;
} MtOverArgs;

/* Runs a pipeline in the local executor over the documents that args->next supplies. Uses the
 * engine's operators, cancel flag and memory limit. The caller owns *out. */
bool mt_engine_aggregate_over (MtEngine *e, const MtOverArgs *args, MtCursor **out, MtError *err);

/* ---- streams ---- */

/* Documents that are made while a pipeline reads them, such as the rows of a text file. An
 * implementation's own struct begins with an MtDocStream. */
typedef struct MtDocStream MtDocStream;
struct MtDocStream {
   bool (*next) (MtDocStream *s, const bson_t **doc, MtError *err); /* as MtNextDoc */
   void (*close) (MtDocStream *s); /* frees the stream itself too */
   /* Passes over the next document, whose content is not checked. *raw: its bytes as they are in
    * the file, borrowed until the next call; raw->p NULL: the end. NULL: not a file's stream. */
   bool (*pass) (MtDocStream *s, MtStr *raw, MtError *err);
};

/* Return the documents of a file: extended JSON (one after the other, or one array), or BSON. The
 * caller closes the stream, and keeps `in` and `path` until then. Errors name the file, with its
 * line or offset. */
MtDocStream *mt_json_stream (MtUnpack *in, const char *path);
MtDocStream *mt_bson_stream (MtUnpack *in, const char *path);

/* The prefix of collections that are streams. They count as temporary collections, so their
 * pipelines run in process. */
#define MT_STREAMED MT_TEMPORARY "file "
bool mt_is_streamed (const char *collection); /* false for NULL */

void mt_doc_stream_close (MtDocStream *s); /* NULL is allowed */

/* Opens streams by the names of their collections. */
typedef struct MtDocStreams {
   bool (*open) (void *ctx, const char *collection, MtDocStream **out, MtError *err);
   void *ctx;
} MtDocStreams;
/* Sets the function that opens the engine's streams. Borrowed until the engine is closed. */
void mt_engine_set_streams (MtEngine *e, const MtDocStreams *streams);

/* ---- documents and collections ---- */

/* Finds a document by its _id, in arena `a`. *doc NULL: no document has that _id. Writes of the
 * open step are visible. */
bool mt_engine_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                        MtError *err);

/* Returns the names of all collections, sorted, in arena `a`. */
bool mt_engine_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                            MtError *err);
bool mt_engine_has_collection (MtEngine *e, const char *name, bool *has, MtError *err);
/* Returns the path of a text file (CSV) of the target, which is listed as a collection, but has no
 * documents. NULL: the collection has documents. Borrowed. */
const char *mt_engine_text_file (MtEngine *e, const char *collection);
/* Returns whether the collection has a collation of its own, so that reads need {collation:
 * {locale: "simple"}}. False if the engine has not read the collection's options yet. */
bool mt_engine_is_collated (MtEngine *e, const char *collection);

typedef struct MtCollStats {
   uint64_t documents;
   uint64_t bytes;        /* size of all documents as BSON */
   uint64_t stored_bytes; /* size on disk; 0: not known */
} MtCollStats;

bool mt_engine_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
/* Returns how many bytes of the store's files a collection takes. 0: there are none, or the target is
 * a server. */
uint64_t mt_engine_disk_bytes (MtEngine *e, const char *collection);

/* The blocks of documents that a pipeline would open, by the ranges of their fields. */
typedef struct MtOpenedBlocks {
   size_t blocks, opened; /* the number of blocks that were checked, and that would be opened */
   uint64_t bytes, opened_bytes;
   size_t step; /* 1: all blocks of the collection were checked; 3: every third one */
   bool finds;  /* an index finds single documents in the opened blocks */
} MtOpenedBlocks;

/* Finds out which blocks of a collection a pipeline of $match stages would open. Reads no documents.
 * Returns false, without an error, if it is not known: the engine has no blocks, or doesn't skip
 * them, or the pipeline is wrong. */
bool mt_engine_opened (MtEngine *e, const char *collection, const bson_t *pipeline,
                       MtOpenedBlocks *out);
/* Returns whether the collection probably keeps these top-level fields as columns, which are read
 * instead of documents: a block near its middle does. */
bool mt_engine_keeps_columns (MtEngine *e, const char *collection, const char *const *fields,
                              size_t count);
/* Sets *has to whether the collection contains a document; false if the collection is missing.
 * Writes of the open step count. */
bool mt_engine_has_documents (MtEngine *e, const char *collection, bool *has, MtError *err);
/* Returns the collection's indexes as an array of {v, key, name, …}, in arena `a`. An engine in
 * process lists only the index on _id. */
bool mt_engine_indexes (MtEngine *e, MtArena *a, const char *collection, bson_t **out,
                        MtError *err);

#endif
