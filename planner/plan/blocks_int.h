/* Declarations for the files that plan query blocks (one SELECT, VALUES or set operation each). */
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

/* Plans of queries that are computed once and read several times (WITH, views). `list` is the body
 * of the stage $_mtWith; each entry may read earlier entries. */
typedef struct MtSharedPlans {
   bson_t *list;
   MtSharedRows *rows;
   struct SharedPlan {
      const MtShared *shared;
      double rows; /* estimated maximum number of rows; 0: not known */
   } *planned;
   int count, cap;
} MtSharedPlans;

/* The planned stages of a query block. collection: the collection that they read; NULL: the first
 * stage is $documents. */
typedef struct MtPlanBlock {
   const char *collection;
   MtPipe *pipe;
   double rows; /* estimated maximum number of rows; 0: not known */
   double kept; /* estimated share (0 to 1) of `rows` that satisfies the filters; 0: not known */
   bool walks;  /* the members of its UNION ALL must be read in order */
   MtOutline *outline; /* steps for EXPLAIN; NULL: not requested */
} MtPlanBlock;

#define MT_ARMS_TOGETHER 250 /* maximum union members in one pipeline; servers allow 1,000 stages */

/* Plans a query block: appends its stages to out->pipe, and sets the other members. */
bool mt_plan_block (MtPlanning *p, const MtQuery *q, MtPlanBlock *out);
/* Plans a block that reads one table. */
bool mt_plan_table (MtPlanning *p, const MtQuery *q, MtPlanBlock *b);
/* Plans the FROM of a block, or the members of its set operation. Sets places, where each column of
 * FROM is found. */
bool mt_plan_from (MtPlanning *p, const MtQuery *q, MtPlanBlock *b, MtPlace *places);

/* Appends a $unionWith that adds the rows of block `other`. */
void mt_union_with (MtPlanning *p, MtPipe *pipe, const MtPlanBlock *other);
/* Returns the estimated number of cells (entries of the chosen level) read for the last table. */
double mt_chosen_cells (const MtCandidates *c);

#endif
