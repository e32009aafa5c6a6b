/* Chooses how a table is read: compares all cuts of all layouts and takes the cheapest legal
 * one. */
#ifndef MT_CHOOSE_H
#define MT_CHOOSE_H

#include "planner/cut/candidate.h"
#include "planner/cut/way.h"

/* The pieces are disjoint, and together they cover all records. */
#define MT_MAX_PIECES 8
typedef struct MtChoice {
   MtPiece pieces[MT_MAX_PIECES];
   int count;
} MtChoice;

/* The candidates of a statement, in arena a. The chosen one of each table is marked. */
typedef struct MtCandidates {
   MtCandidate *list;
   int count, capacity;
   int table_uses;
} MtCandidates;

/* The chosen candidate of the last table. NULL: none was chosen. */
MtCandidate *mt_chosen (const MtCandidates *c);

/* Chooses the cheapest cut, or combination of cuts, that answers the need. 0A000: no layout can
 * answer; detail and hint give the reasons of the nearest candidates. 42704: the settings name a
 * layout or a cut that does not exist. */
bool mt_choose (MtArena *a, const MtNeed *need, const MtPlanSettings *settings,
                MtCandidates *candidates, MtChoice *out, MtError *err);

#endif
