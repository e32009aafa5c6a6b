/* Reading: pipelines, cursors, single documents and statistics. */
#ifndef MT_ENGINE_READ_H
#define MT_ENGINE_READ_H

#include "engine/types.h"

/* ---- statistics of a run ---- */

struct MtRunStats;

/* Why a stage runs a pipeline of its own. */
typedef enum MtWithin {
   MT_WITHIN_ONCE, /* for the other side's documents; $_mtApply: for each document, over kept rows */
   MT_WITHIN_KEPT,   /* $_mtApply: for rows that are the same for each document, and are kept */
   MT_WITHIN_DIRECT, /* $_mtApply: for each document, over the collection */
   MT_WITHIN_COUNT
} MtWithin;

typedef struct MtStageStats {
   const char *stage; /* "$match", "$group", …, or the fused form "$unwind" */
   size_t at;         /* the stage's place in the pipeline */
   uint64_t docs_in;
   uint64_t docs_out;
   uint64_t bytes; /* of stored documents that the stage read; a skipped sub-document counts by its
                      * header */
   uint64_t us;    /* time in the stage itself, summed over threads */
   uint64_t spilled; /* bytes in temporary files */
   /* All runs of the stage's own pipelines, added up. NULL: there was none, or it wasn't
    * counted. */
   const struct MtRunStats *within[MT_WITHIN_COUNT];
} MtStageStats;

typedef struct MtRunStats {
   uint64_t docs_read;    /* stored documents */
   uint64_t docs_skipped; /* malformed documents, if the caller leaves them out */
   uint64_t bytes_read;   /* of the documents read */
   uint64_t bytes_total;  /* size of the collections */
   uint64_t blocks_read, blocks_pruned;
   uint64_t collections; /* opened; on a server only those that a pipeline begins with */
   uint64_t us;
   const MtStageStats *stages; /* borrowed from the cursor */
   size_t stage_count;
   size_t length;      /* of the pipeline, in stages */
   uint64_t docs_in;   /* into the first stage */
   uint64_t source_us; /* time to supply them */
} MtRunStats;

/* ---- pipelines ---- */

/* A document of another collection, which the same command may find. */
typedef struct MtBeside {
   const char *collection;
   MtVal id;
} MtBeside;

/* The rows of $_mtWith stages, by name. The first pipeline that reads them computes them; all
 * others read the same rows. They live as long as arena `a`. */
typedef struct MtSharedRows MtSharedRows;
MtSharedRows *mt_shared_rows_new (MtArena *a);

typedef struct MtAggregateArgs {
   const char *collection; /* NULL: none; the pipeline begins with $documents */
   const bson_t *pipeline; /* an array of stages: {"0": {…}, …} */
   const bson_t *options;  /* mongo: more fields of the command (hint, maxTimeMS, comment); NULL */
   bool want_stats;        /* counts and times each stage */
   const MtBeside *beside; /* for mt_cursor_beside; borrowed until the call returns; NULL: none */
   MtSharedRows *shared;   /* of the pipelines of one statement; outlives the cursor; NULL: none */
} MtAggregateArgs;

/* Runs a pipeline. Owned by the caller: mt_cursor_free. Errors of the pipeline have MongoDB's text:
 * 0A000 (unknown stage or operator) or 22023 (bad arguments). Errors of data have their SQLSTATE
 * (22012, 22003, …). */
bool mt_engine_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);

/* The next document, borrowed until the next call. *doc NULL: the end. */
bool mt_cursor_next (MtCursor *c, const bson_t **doc, MtError *err);
/* Before the first mt_cursor_next: runs the pipeline, and returns the document of args.beside. *doc
 * NULL: it does not exist. *known false: it did not come with the answer, and the caller has to
 * find it. In process that is always so. Borrowed until the cursor is freed. */
bool mt_cursor_beside (MtCursor *c, bool *known, const bson_t **doc, MtError *err);
void mt_cursor_stats (MtCursor *c, MtRunStats *out); /* complete at the cursor's end */
void mt_cursor_free (MtCursor *c);                   /* NULL is allowed */

/* Runs a pipeline of the local executor over documents that `next` supplies. Plans use this for the
 * parts that a server can't run. Owned by the caller. */
typedef bool (*MtNextDoc) (void *ctx, const bson_t **doc, MtError *err);
bool mt_local_aggregate_over (MtNextDoc next, void *ctx, const bson_t *pipeline,
                              const MtCancel *cancel, MtCursor **out, MtError *err);
typedef struct MtOverArgs {
   MtNextDoc next; /* supplies the documents */
   void *ctx;
   const bson_t *pipeline;
   bool want_stats; /* these two as in MtAggregateArgs */
   MtSharedRows *shared;
} MtOverArgs;

/* The same with this engine's operators, cancel flag and memory. */
bool mt_engine_aggregate_over (MtEngine *e, const MtOverArgs *args, MtCursor **out, MtError *err);

/* ---- documents and collections ---- */

/* Finds a document by its _id, in arena `a`. *doc NULL: there is none. Sees the open step's
 * writes. */
bool mt_engine_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                        MtError *err);

/* The names of all collections, sorted, in arena `a`. */
bool mt_engine_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                            MtError *err);
bool mt_engine_has_collection (MtEngine *e, const char *name, bool *has, MtError *err);
/* Whether reads of the collection have to say {collation: {locale: "simple"}}, because it has a
 * collation of its own. False if the engine has not looked at the collection yet. */
bool mt_engine_is_collated (MtEngine *e, const char *collection);

typedef struct MtCollStats {
   uint64_t documents;
   uint64_t bytes;        /* of the documents as BSON */
   uint64_t stored_bytes; /* on disk; 0: not known */
} MtCollStats;

bool mt_engine_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
/* Whether the collection has a document. False if it is missing. The open step's writes count. */
bool mt_engine_has_documents (MtEngine *e, const char *collection, bool *has, MtError *err);
/* A list of {v, key, name, …}, as a server lists indexes, in arena `a`. An engine without indexes
 * lists the one on _id. */
bool mt_engine_indexes (MtEngine *e, MtArena *a, const char *collection, bson_t **out,
                        MtError *err);

#endif
