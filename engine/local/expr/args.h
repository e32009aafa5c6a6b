/* The executor's arguments: the source of documents, and the limits. */
#ifndef MT_EXEC_ARGS_H
#define MT_EXEC_ARGS_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"
#include "engine/local/store/store.h"

/* Takes a snapshot of a collection. The cursor owns *out (mt_source_free). An unknown collection is
 * an empty source. Called while the pipeline is compiled, and later for $lookup and $unionWith. */
typedef bool (*MtResolveSource) (void *ctx, const char *collection, MtSource **out, MtError *err);

/* A collection that is a list of documents. */
typedef struct MtExecTable {
   const char *name;
   MtVal documents;              /* an array */
   const struct MtExecTable *up; /* further tables */
} MtExecTable;

/* Variables with values from outside. They are visible in all pipelines within the pipeline. */
typedef struct MtExecGiven {
   const char *const *names;
   const MtVal *values; /* NULL: no values yet (the pipeline is only compiled) */
   uint32_t count;
} MtExecGiven;

/* A stage or an accumulator, for its table, help and the reference. */
struct MtCompile;
typedef struct MtStageRow {
   const char *name;                                  /* "$match" */
   bool (*compile) (struct MtCompile *c, MtVal spec); /* private to the executor */
   const char *summary;                               /* one line */
   const char *example; /* a stage or an accumulator in extended JSON */
} MtStageRow;
/* Returns an accumulator's row (compile is NULL), or NULL behind the last one. */
const MtStageRow *mt_exec_accum_row (size_t index);

typedef struct MtExecArgs {
   const char *collection; /* NULL: the pipeline begins with $documents, or reads `next` */
   /* NULL: there are no collections. Beside `remote` it serves temporary collections only. */
   MtResolveSource resolve;
   void *resolve_ctx;         /* must outlive the cursor */
   const MtExecTable *tables; /* searched before resolve; must outlive the cursor */
   /* NULL: none. Must outlive the cursor. The values are read when a run begins. */
   const MtExecGiven *given;
   MtSharedRows *shared;    /* rows of $_mtWith stages; NULL: the pipeline has its own */
   struct MtExecHeld *held; /* of the enclosing pipeline; NULL: there is none */
   MtNextDoc next; /* supplies documents one by one, instead of a collection; NULL: not used */
   void *next_ctx;
   /* Opens a cursor on the server that has the data. It runs the stages that a stage marks for the
    * server. Without resolve it also reads whole collections that stages name; they are read once
    * and kept. NULL: there is no server. */
   bool (*remote) (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                   MtError *err);
   void *remote_ctx;       /* must outlive the cursor */
   const bson_t *pipeline; /* an array of stages; borrowed during the call only */
   /* Further operators, searched before the built-in ones. Borrowed for the cursor's life. NULL:
    * none. */
   const MtOpIndex *ops;
   unsigned threads;           /* 0: the number of processors */
   size_t work_mem;            /* bytes for each blocking stage; 0: 256 MiB */
   const MtCancel *cancel;     /* borrowed for the cursor's life; NULL: none */
   const MtProgress *progress; /* borrowed for the cursor's life; NULL: none */
   /* The table of stages; the last row has no name. Set by mt_exec_open. */
   const MtStageRow *stages;
   bool want_stats;
   bool tried; /* the stages and their sub-pipelines were compiled before to find mistakes */
} MtExecArgs;

#endif
