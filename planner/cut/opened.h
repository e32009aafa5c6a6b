/* Which share of a store's documents a cut opens, by the ranges that the embedded store keeps. */
#ifndef MT_OPENED_H
#define MT_OPENED_H

#include "planner/cut/candidate.h"
#include "planner/cut/way.h"

/* The answers for one table, by collection and stages. Cuts of one layout share them. */
typedef struct MtOpenings {
   MtArena *a;
   const MtPlanSettings *settings;
   bool asks;                     /* false: each piece opens all documents */
   struct MtOpenedEntry *entries; /* NULL: none yet */
   const char *columns_of;        /* the collection that `columns` is about; NULL: none yet */
   bool columns;                  /* it keeps the needed fields as columns */
} MtOpenings;

/* Returns the share of the documents that a piece opens in its partitions: all, if the engine
 * doesn't say. */
MtOpened mt_opened_of (MtOpenings *o, const MtNeed *need, const MtPiece *piece);

#endif
