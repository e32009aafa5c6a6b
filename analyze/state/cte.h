/* Common table expressions while a statement is bound. */
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
   /* The entries that it may refer to. */
   const MtCteBind *scope;
   /* It is being bound. */
   bool busy;
   /* MtBinder.recursions at the start of its binding. */
   int since;
   /* The part being bound. Only the step may refer to the query itself. */
   MtRecursionPart part;
   /* The scopes around the step. */
   const MtOuter *outer;
   /* "EXCEPT" or "INTERSECT": the step must not refer to the query within this operation. NULL: no
    * such operation. */
   const char *context;
   /* The number of references in the step, and the query that has them (MtBinder.query). */
   int refs, query;
   /* The place of the reference. A common table expression in the step repeats it each time it is
    * read. */
   MtSpan ref;
   /* The columns of the base. */
   MtRelColumn *columns;
   int column_count;
   /* The name of the working rows in the plan (MtRel.work). */
   const char *work;
} MtRecursion;

/* The readings of a common table expression. */
typedef struct MtCteState {
   int reads;
   /* The rows that are computed once. NULL: each reading has its own copy of the query. */
   MtShared *shared;
} MtCteState;

struct MtCteBind {
   const MtCte *cte;
   /* NULL: WITH without RECURSIVE. */
   MtRecursion *recursion;
   MtCteState *state;
   /* The scopes around the WITH clause. */
   MtOuter *around;
   /* The next entry: one before it in the clause, or one of a clause further out. */
   const MtCteBind *outer;
};

#endif
