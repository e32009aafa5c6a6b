/* The arguments of the local executor: the documents, the pipeline, and the limits. */
#ifndef MT_EXEC_ARGS_H
#define MT_EXEC_ARGS_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"
#include "engine/local/store/store.h"

/* A callback that takes a snapshot of a collection. The caller frees *out by mt_source_free. If
 * there is no such collection, *out is an empty source. The executor calls it when a pipeline is
 * compiled, and later for $lookup and $unionWith. */
typedef bool (*MtResolveSource) (void *ctx, const char *collection, MtSource **out, MtError *err);

/* A temporary collection, given as a list of documents. */
typedef struct MtExecTable {
   const char *name;
   MtVal documents;              /* the documents, as an array */
   const struct MtExecTable *up; /* the next table of the list; NULL: none */
} MtExecTable;

/* Variables whose values the caller sets. The pipeline and all its sub-pipelines can use them. */
typedef struct MtExecGiven {
   const char *const *names;
   /* the values; NULL: there are none yet, because the pipeline is only compiled */
   const MtVal *values;
   uint32_t count;
} MtExecGiven;

struct MtCompile;
/* A row of the table of stages: a name, and the function that compiles the stage. */
typedef struct MtStageRow {
   const char *name; /* "$match" */
   bool (*compile) (struct MtCompile *c, MtVal spec);
} MtStageRow;

typedef struct MtExecArgs {
   /* name of the collection to read; NULL: the pipeline begins with $documents, or reads `next` */
   const char *collection;
   /* Opens the collections that the pipeline reads. NULL: there are none. If `remote` is set,
    * `resolve` opens only temporary collections. */
   MtResolveSource resolve;
   void *resolve_ctx; /* must outlive the cursor */
   /* temporary collections, which are searched before `resolve` is called; they must stay valid as
    * long as the cursor */
   const MtExecTable *tables;
   /* Variables whose values the caller sets; NULL: none. They must stay valid as long as the
    * cursor. The values are read when the pipeline begins to run. */
   const MtExecGiven *given;
   /* The option `let` of aggregate: expressions that use no document. Their values become further
    * variables. Borrowed only during the call. NULL: none. */
   const bson_t *let;
   /* The option `collation` of aggregate. MT_MISSING: none. Borrowed only during the call. */
   MtVal collation;
   /* The opened collation, which the outermost pipeline owns. NULL: strings are compared by bytes.
    * mt_exec_open sets this member. */
   const MtTextOrder *order;
   /* the documents of pipelines that $_mtWith names, if they are shared with other pipelines; NULL:
    * this pipeline has its own */
   MtSharedRows *shared;
   /* collections that the enclosing pipeline has read into memory; NULL: there is no enclosing
    * pipeline */
   struct MtExecHeld *held;
   /* called to get the input documents one by one, instead of reading a collection; NULL: not
    * used */
   MtNextDoc next;
   void *next_ctx;
   /* Opens collections whose documents are read as a stream, such as files. NULL: there are none.
    * Must stay valid as long as the cursor. */
   const MtDocStreams *streams;
   /* Runs a pipeline on the server that has the data: the stages that a local stage marks for the
    * server ($_mtRemote). If `resolve` is NULL, it also reads the collections that stages name;
    * each is read once, and kept in memory. NULL: there is no server. */
   bool (*remote) (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                   MtError *err);
   void *remote_ctx;       /* must outlive the cursor */
   const bson_t *pipeline; /* an array of stages; borrowed during the call only */
   /* Additional operators, which are searched before the built-in ones. Borrowed as long as the
    * cursor. NULL: none. */
   const MtOpIndex *ops;
   unsigned threads; /* the most threads to use; 0: as many as there are processors */
   size_t work_mem;  /* bytes for each blocking stage; 0: 256 MiB */
   /* cancels the statement; borrowed until the cursor is freed; NULL: none */
   const MtCancel *cancel;
   /* receives progress reports; borrowed until the cursor is freed; NULL: none */
   const MtProgress *progress;
   /* The table of all stages; the last row has no name. mt_exec_open sets this member. */
   const MtStageRow *stages;
   MtReading reading;
   bool want_stats;
   bool tried; /* the stages and their sub-pipelines were already compiled once to find mistakes */
} MtExecArgs;

#endif
