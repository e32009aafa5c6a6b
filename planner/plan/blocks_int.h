/* Declarations for the files that plan blocks. */
#ifndef MT_BLOCKS_INT_H
#define MT_BLOCKS_INT_H

#include "planner/cut/choose.h"
#include "planner/plan/plan.h"
#include "planner/plan/plan_int.h"

typedef struct MtPlanning {
   MtArena *a;
   const MtPlanSettings *settings;
   const MtCaps *caps; /* what the engine can do for this query */
   MtCandidates candidates;
   const MtQuery *top;
   struct MtSharedPlans *sharing;
   MtError *err;
} MtPlanning;

/* Shared rows, which are computed once: the body of $_mtWith. Each entry reads only entries
 * before it. */
typedef struct MtSharedPlans {
   bson_t *list;
   MtSharedRows *rows;
   struct SharedPlan {
      const MtShared *shared;
      double rows; /* as in MtPlanBlock */
   } *planned;
   int count, cap;
} MtSharedPlans;

/* Stages, and the collection that they read. NULL: they begin with $documents. */
typedef struct MtPlanBlock {
   const char *collection;
   MtPipe *pipe;
   double rows;        /* estimated maximum of its rows; 0: not known */
   bool walks;         /* its arms are read in order, one after the other */
   MtOutline *outline; /* set if the settings request one */
} MtPlanBlock;

#define MT_ARMS_TOGETHER 250 /* servers accept at most 1,000 stages in a pipeline */

/* Plans a block into *out, which is empty but for its pipe. */
bool mt_plan_block (MtPlanning *p, const MtQuery *q, MtPlanBlock *out);
/* Plans a block that reads one table. */
bool mt_plan_table (MtPlanning *p, const MtQuery *q, MtPlanBlock *b);
/* Plans the arms, or FROM, of another block. Sets places, by column of FROM. */
bool mt_plan_from (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places);

/* Appends the rows of another block. */
void mt_union_with (MtPlanning *p, MtPipe *pipe, const MtPlanBlock *other);
/* The number of cells of the cuts that were chosen for the last table. */
double mt_chosen_cells (const MtCandidates *c);

#endif
