/* Chooses how a table is read. A cut is a level of a layout at which a plan stops reading. The
 * cheapest cut that can answer the query is chosen. */
#ifndef MT_CHOOSE_H
#define MT_CHOOSE_H

#include "planner/cut/candidate.h"
#include "planner/cut/way.h"

/* The chosen way to read a table, as up to MT_MAX_PIECES pieces, for different times. Each record
 * is read by exactly one piece. */
#define MT_MAX_PIECES 8
typedef struct MtChoice {
   MtPiece pieces[MT_MAX_PIECES];
   int count;
} MtChoice;

/* All candidates for reading the tables of a statement, for EXPLAIN. `chosen` marks the one that is
 * used for each table. In the planner's arena. */
typedef struct MtCandidates {
   MtCandidate *list;
   int count, capacity;
   int table_uses;
} MtCandidates;

/* Returns the chosen candidate of the table that was planned last. NULL: none. */
MtCandidate *mt_chosen (const MtCandidates *c);

/* Chooses the cheapest cut (level at which a plan stops reading), or combination of cuts, for a
 * query block. 0A000 if no layout can answer; detail and hint explain the nearest candidates. 42704
 * if SET layout or SET cut has an unknown name. */
bool mt_choose (MtArena *a, const MtNeed *need, const MtPlanSettings *settings,
                MtCandidates *candidates, MtChoice *out, MtError *err);

#endif
