/* Declarations for the files that plan query blocks. A block is one SELECT, VALUES or set
 * operation. */
#ifndef MT_BLOCKS_INT_H
#define MT_BLOCKS_INT_H

#include "planner/cut/choose.h"
#include "planner/plan/plan.h"
#include "planner/plan/plan_int.h"

typedef struct MtPlanning {
   MtArena *a;
   const MtPlanSettings *settings;
   const MtCaps *caps; /* what the server or local engine can do */
   MtCandidates candidates;
   const MtQuery *top;
   struct MtSharedPlans *sharing;
   MtError *err;
} MtPlanning;

/* The plans of queries that are computed once and read several times (WITH, views). `list` is the
 * body of the stage $_mtWith; each element can read earlier ones. */
typedef struct MtSharedPlans {
   bson_t *list;
   MtSharedRows *rows;
   struct SharedPlan {
      const MtShared *shared;
      double rows; /* estimated maximum number of rows; 0: unknown */
   } *planned;
   int count, cap;
} MtSharedPlans;

/* The planned stages of a query block. collection: the collection that they read; NULL: they begin
 * with $documents. */
typedef struct MtPlanBlock {
   const char *collection;
   MtPipe *pipe;
   double rows; /* estimated maximum number of rows; 0: unknown */
   double kept; /* estimated share (0 to 1) of `rows` for which the filters are true; 0: unknown */
   bool walks;  /* its UNION ALL must be read member by member, in order */
   MtOutline *outline; /* steps for EXPLAIN; NULL: not needed */
} MtPlanBlock;

/* greatest number of union members in a pipeline; servers allow 1,000 stages */
#define MT_ARMS_TOGETHER 250

/* Plans a query block: appends its stages to out->pipe, and sets the other members of *out. */
bool mt_plan_block (MtPlanning *p, const MtQuery *q, MtPlanBlock *out);
/* Plans a block over one table. */
bool mt_plan_table (MtPlanning *p, const MtQuery *q, MtPlanBlock *b);
/* Plans the FROM of a block, or the members of its set operation. Sets places[i] to where column
 * number i of FROM is found. */
bool mt_plan_from (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places);

/* Appends a $unionWith that adds the rows of block `other`. */
void mt_union_with (MtPlanning *p, MtPipe *pipe, const MtPlanBlock *other);
/* Returns the estimated number of cells (entries of the chosen level) that are read of the table
 * planned last. */
double mt_chosen_cells (const MtCandidates *c);

#endif
