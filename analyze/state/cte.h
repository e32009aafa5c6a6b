/* State of WITH entries (common table expressions) during analysis. */
#ifndef MT_CTE_H
#define MT_CTE_H

#include "analyze/state/binder.h"

typedef enum MtRecursionPart {
   MT_RECURSION_NONE,
   MT_RECURSION_BASE,
   MT_RECURSION_STEP
} MtRecursionPart;

/* The state of an entry of WITH RECURSIVE. */
typedef struct MtRecursion {
   /* The WITH entries that are visible in this entry's query. */
   const MtCteBind *scope;
   /* The entry is being analyzed now. */
   bool busy;
   /* MtBinder.recursions when the entry's analysis began. */
   int since;
   /* The part being analyzed. Only the recursive part (step) may read the entry itself. */
   MtRecursionPart part;
   /* The enclosing scopes of the recursive part. */
   const MtOuter *outer;
   /* "EXCEPT" or "INTERSECT" while inside one, where the entry must not read itself. NULL:
    * outside. */
   const char *context;
   /* How often the recursive part reads the entry, and the number of the query that does so. */
   int refs, query;
   /* The position of the reference in the text, to count a repeated one once. */
   MtSpan ref;
   /* The columns of the non-recursive part (base). */
   MtRelColumn *columns;
   int column_count;
   /* The name of the working rows in the plan (MtRel.work). */
   const char *work;
} MtRecursion;

/* State of a WITH entry, shared by all its uses. */
typedef struct MtCteState {
   int reads;
   bool varies; /* Computed again, it might give other rows. */
   /* The shared query, computed once. NULL: each use has a copy of the query. */
   MtShared *shared;
} MtCteState;

struct MtCteBind {
   const MtCte *cte;
   /* Recursion state. NULL: WITH without RECURSIVE. */
   MtRecursion *recursion;
   MtCteState *state;
   /* The scopes that enclose the WITH clause. */
   MtOuter *around;
   /* The next visible entry: an earlier one in the clause, or one of an enclosing WITH. */
   const MtCteBind *outer;
};

#endif
