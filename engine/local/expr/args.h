/* The arguments of the executor: the source of documents, and the limits. */
#ifndef MT_EXEC_ARGS_H
#define MT_EXEC_ARGS_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"
#include "engine/local/store/store.h"

/* Takes a snapshot of a collection. The caller frees *out by mt_source_free. An unknown
 * collection is an empty source. The executor calls this function while a pipeline is compiled,
 * and later for $lookup and $unionWith. */
typedef bool (*MtResolveSource) (void *ctx, const char *collection, MtSource **out, MtError *err);

/* A temporary collection, given as a list of documents. */
typedef struct MtExecTable {
   const char *name;
   MtVal documents;              /* the documents, as an array */
   const struct MtExecTable *up; /* the next table; NULL: none */
} MtExecTable;

/* Variables whose values come from outside the pipeline. All pipelines within the pipeline can
 * use them. */
typedef struct MtExecGiven {
   const char *const *names;
   /* values of the variables; NULL: no values yet, because the pipeline is only compiled */
   const MtVal *values;
   uint32_t count;
} MtExecGiven;

struct MtCompile;
/* A row of the table of stages. */
typedef struct MtStageRow {
   const char *name; /* "$match" */
   bool (*compile) (struct MtCompile *c, MtVal spec);
} MtStageRow;

typedef struct MtExecArgs {
   /* name of the collection; NULL: the pipeline begins with $documents, or reads `next` */
   const char *collection;
   /* Opens the collections of the pipeline. NULL: there are no collections. If `remote` is set,
    * `resolve` only opens temporary collections. */
   MtResolveSource resolve;
   void *resolve_ctx; /* must outlive the cursor */
   /* temporary collections, searched before `resolve` is called; must outlive the cursor */
   const MtExecTable *tables;
   /* Variables from outside; NULL: none. Must outlive the cursor. The values are read when the
    * pipeline begins to run. */
   const MtExecGiven *given;
   /* Expressions without a document, whose values are more variables from outside: the option
    * `let` of aggregate. Borrowed during the call only. NULL: none. */
   const bson_t *let;
   /* The option `collation` of aggregate; MT_MISSING: none. Borrowed during the call only. */
   MtVal collation;
   /* The collation of the pipeline, which belongs to the outermost pipeline; NULL: strings are
    * compared by their bytes. mt_exec_open sets this member. */
   const MtTextOrder *order;
   /* rows of $_mtWith stages, shared with other pipelines; NULL: the pipeline has its own */
   MtSharedRows *shared;
   /* collections that the enclosing pipeline has read; NULL: there is no enclosing pipeline */
   struct MtExecHeld *held;
   /* returns the input documents one by one, instead of a collection; NULL: not used */
   MtNextDoc next;
   void *next_ctx;
   /* Opens the collections that are streams. NULL: there are none. Must outlive the cursor. */
   const MtDocStreams *streams;
   /* Opens a cursor on the server that has the data, for the stages that a stage marks for the
    * server. If `resolve` is NULL it also reads whole collections that stages name; each is read
    * once and kept. NULL: there is no server. */
   bool (*remote) (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                   MtError *err);
   void *remote_ctx;       /* must outlive the cursor */
   const bson_t *pipeline; /* an array of stages; borrowed during the call only */
   /* Additional operators, searched before the built-in ones. Borrowed until the cursor is
    * freed. NULL: none. */
   const MtOpIndex *ops;
   unsigned threads; /* the most threads to use; 0: as many as there are processors */
   size_t work_mem;  /* bytes for each blocking stage; 0: 256 MiB */
   /* cancels the statement; borrowed until the cursor is freed; NULL: none */
   const MtCancel *cancel;
   /* receives the progress; borrowed until the cursor is freed; NULL: none */
   const MtProgress *progress;
   /* The table of all stages; the last row has no name. mt_exec_open sets this member. */
   const MtStageRow *stages;
   MtReading reading;
   bool want_stats;
   bool tried; /* the stages and their sub-pipelines were already compiled once to find mistakes */
} MtExecArgs;

#endif
