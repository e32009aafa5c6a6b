/* Estimates which share of a store's documents a cut reads. The embedded store groups documents in
 * blocks, and skips a block if its fields' value ranges exclude the conditions. */
#ifndef MT_OPENED_H
#define MT_OPENED_H

#include "planner/cut/candidate.h"
#include "planner/cut/way.h"

/* The engine's answers for one table, for each collection and $match stages. Cuts of the same
 * layout share them. */
typedef struct MtOpenings {
   MtArena *a;
   const MtPlanSettings *settings;
   /* false: the engine is not asked, and each read is assumed to read all documents */
   bool asks;
   struct MtOpenedEntry *entries; /* list of the engine's answers; NULL: none yet */
   const char *columns_of;        /* the collection that `columns` describes; NULL: none yet */
   bool columns;                  /* the collection has all needed fields in column storage */
} MtOpenings;

/* Returns the estimated share of documents that a piece (part) of a plan reads in its partitions.
 * If the engine does not know, it is all of them. */
MtOpened mt_opened_of (MtOpenings *o, const MtNeed *need, const MtPiece *piece);

#endif
