/* Chooses how a table is read. A cut is a level of a layout at which reading stops. The cheapest
 * cut that can answer the query wins. */
#ifndef MT_CHOOSE_H
#define MT_CHOOSE_H

#include "planner/cut/candidate.h"
#include "planner/cut/way.h"

/* The chosen way to read a table, in up to MT_MAX_PIECES pieces. Each record belongs to exactly one
 * piece. */
#define MT_MAX_PIECES 8
typedef struct MtChoice {
   MtPiece pieces[MT_MAX_PIECES];
   int count;
} MtChoice;

/* All ways to read the tables of a statement that the planner compared. `chosen` marks the winner
 * for each table. Memory is in the planner's arena. */
typedef struct MtCandidates {
   MtCandidate *list;
   int count, capacity;
   int table_uses;
} MtCandidates;

/* Returns the candidate that was chosen for the most recently planned table. NULL: none. */
MtCandidate *mt_chosen (const MtCandidates *c);

/* Chooses the cheapest cut (level at which reading stops), or combination of cuts, for a query
 * block. Fails with 0A000 if no layout can answer; detail and hint explain the nearest candidates.
 * Fails with 42704 if SET layout or SET cut names an unknown layout or cut. */
bool mt_choose (MtArena *a, const MtNeed *need, const MtPlanSettings *settings,
                MtCandidates *candidates, MtChoice *out, MtError *err);

#endif
