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
   /* The entry's query is being analyzed now. */
   bool busy;
   /* The value of MtBinder.recursions when the analysis of the entry began: a serial number. */
   int since;
   /* The part being analyzed now. Only the recursive part (step) may refer to the entry itself. */
   MtRecursionPart part;
   /* The scopes that enclose the recursive part. */
   const MtOuter *outer;
   /* The name of the set operation being analyzed, "EXCEPT" or "INTERSECT", if the entry must not
    * refer to itself in it. Otherwise NULL. */
   const char *context;
   /* How often the recursive part refers to the entry, and the number of the query with the
    * reference. */
   int refs, query;
   /* The text position of the reference. A reference that is analyzed twice counts once. */
   MtSpan ref;
   /* The columns of the non-recursive part (base). */
   MtRelColumn *columns;
   int column_count;
   /* The name of the rows that the previous round added, in the plan (MtRel.work). */
   const char *work;
} MtRecursion;

/* State of a WITH entry that all references to it share. */
typedef struct MtCteState {
   int reads;
   bool varies; /* the query is volatile: computing it again may give other rows */
   /* The shared query, whose rows are computed once. NULL: each reference has its own copy of the
    * query. */
   MtShared *shared;
} MtCteState;

struct MtCteBind {
   const MtCte *cte;
   /* The state of recursion. NULL: the WITH clause is not RECURSIVE. */
   MtRecursion *recursion;
   MtCteState *state;
   /* The scopes that enclose the WITH clause. */
   MtOuter *around;
   /* The next entry that is visible where this one is: an earlier one of the clause, or one of an
    * enclosing WITH. */
   const MtCteBind *outer;
};

#endif
