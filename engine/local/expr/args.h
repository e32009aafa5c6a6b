/* What the executor is given: where documents come from, and what bounds it. */
#ifndef MT_EXEC_ARGS_H
#define MT_EXEC_ARGS_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"
#include "engine/local/store/store.h"

/* Gives the snapshot of a collection; *out is owned by the cursor (mt_source_free), an unknown
 * collection is an empty source. Called while the pipeline is compiled, and while it runs for
 * $lookup and $unionWith. */
typedef bool (*MtResolveSource) (void *ctx, const char *collection, MtSource **out, MtError *err);

/* A collection that is a list of documents, for the stages of a pipeline. */
typedef struct MtExecTable {
   const char *name;
   MtVal documents;              /* an array */
   const struct MtExecTable *up; /* further ones */
} MtExecTable;

/* Variables whose values come from outside: names of the same meaning in all pipelines within a
 * pipeline. */
typedef struct MtExecGiven {
   const char *const *names;
   const MtVal *values; /* NULL: none yet (the pipeline is only compiled) */
   uint32_t count;
} MtExecGiven;

/* A stage or an accumulator that exists: one row each. */
struct MtCompile;
typedef struct MtStageRow {
   const char *name;                                  /* "$match" */
   bool (*compile) (struct MtCompile *c, MtVal spec); /* the executor's own */
   const char *summary;                               /* one line */
   const char *example; /* a stage, or an accumulator, in extended JSON */
} MtStageRow;
const MtStageRow *mt_exec_accum_row (size_t index); /* NULL: no more; compile is NULL */

typedef struct MtExecArgs {
   const char *collection; /* NULL: the pipeline begins with $documents (or is over `next`) */
   MtResolveSource
      resolve; /* NULL: there are no collections; beside `remote`: for temporary ones alone */
   void *resolve_ctx;         /* must outlive the cursor */
   const MtExecTable *tables; /* looked at before resolve; must outlive the cursor */
   const MtExecGiven
      *given; /* NULL: none; must outlive the cursor, values are looked at when a run begins */
   MtSharedRows *shared;    /* rows of $_mtWith stages; NULL: they are this executor's own */
   struct MtExecHeld *held; /* of the executor that this one is part of; NULL: it is part of none */
   MtNextDoc next; /* instead of a collection: documents supplied one by one; NULL otherwise */
   void *next_ctx;
   /* Opens a cursor where the data is, for stages within the pipeline that say what runs there, and
    * for collections that they name without saying so, which are read once and held (when there is
    * no resolve); NULL: there is no such place. */
   bool (*remote) (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                   MtError *err);
   void *remote_ctx;       /* must outlive the cursor */
   const bson_t *pipeline; /* an array of stages; borrowed during the call only */
   const MtOpIndex *ops; /* further operators, looked at before the built-in ones; borrowed for the
                            cursor's life; NULL: none */
   unsigned threads;     /* 0: number of processors */
   size_t work_mem;      /* bytes for each blocking stage; 0: 256 MiB */
   const MtCancel *cancel;     /* borrowed for the cursor's life; NULL: none */
   const MtProgress *progress; /* the same */
   /* The stages that exist; the last row has no name. Set by mt_exec_open. */
   const MtStageRow *stages;
   bool want_stats;
   bool tried; /* the stages were compiled before, and those within them for their mistakes */
} MtExecArgs;

#endif
