/* The state of analysis, which every room below analyze/ uses.
 *
 * MtBinder is the state of one statement. MtScope holds the names and rules at one place in the
 * statement. MtOuter is the list of scopes around a sub-select.
 *
 * Expressions contain sub-selects, and sub-selects contain expressions. So the lower rooms call two
 * functions of the upper rooms: mt_bind_x and mt_bind_query. They call them through MtBindUpper. */
#ifndef MT_BINDER_H
#define MT_BINDER_H

#include "functions/signature.h"
#include "query/environment.h"
#include "query/x.h"

typedef struct MtBinder MtBinder;
typedef struct MtScope MtScope;
typedef struct MtOuter MtOuter;
typedef struct MtCteBind MtCteBind; /* analyze/state/cte.h */

/* The functions of upper rooms that lower rooms call. mt_binder_new sets them. */
typedef struct MtBindUpper {
   /* Binds an expression (analyze/expr). */
   bool (*x) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
   /* Binds a query block, VALUES, or a set operation (analyze/block). */
   bool (*query) (MtBinder *b, const MtSelect *s, MtQuery **out);
   /* Binds a common table expression that FROM reads (analyze/block). */
   bool (*cte) (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out);
} MtBindUpper;

/* The clause in which an expression stands. It decides which calls are allowed there. */
typedef enum MtClause {
   MT_CLAUSE_SELECT,
   MT_CLAUSE_WHERE,
   MT_CLAUSE_GROUP,
   MT_CLAUSE_HAVING,
   MT_CLAUSE_ORDER,
   MT_CLAUSE_LIMIT,
   MT_CLAUSE_OFFSET,
   MT_CLAUSE_VALUES,
   MT_CLAUSE_FILTER,
   MT_CLAUSE_FUNCTION, /* the body of an SQL function */
   MT_CLAUSE_DEFAULT,  /* a default, or another expression over one row */
   MT_CLAUSE_EXECUTE,  /* an argument of EXECUTE */
   MT_CLAUSE_ON,
   MT_CLAUSE_WINDOW,
   MT_CLAUSE_FRAME,
   MT_CLAUSE_FROM /* an argument of a function in FROM */
} MtClause;

/* The names and rules at one place of a statement. A query block has one scope for all its clauses,
 * and changes `clause` as it goes. */
struct MtScope {
   /* The columns of FROM. NULL: there are none. */
   const MtRel *rel;
   /* The same as rel if correlated sub-selects may join to it, which adds columns. NULL: they may
    * not. */
   MtRel *own;
   /* MT_X_OUTER.outer.scope of references to its columns. 0: not given yet (mt_scope_id). */
   int id;
   MtClause clause;
   /* With MT_CLAUSE_FRAME: "ROWS", "RANGE" or "GROUPS". */
   const char *frame;
   /* The expression stands among the arguments of an aggregate, or of a window call. */
   bool in_aggregate, in_window;
   /* Only TRUE matters of the expression: FALSE and NULL have the same effect. */
   bool only_true;
   /* In CASE and COALESCE: the condition on which the expression is computed. NULL: always. */
   MtX *guard;

   /* Out: calls of GROUPING, or of MT_GIVEN, were bound. */
   bool has_grouping, has_given;
   /* Out: the aggregate calls of the block. MT_X_AGG refers to them by index. */
   MtAggCall *aggs;
   int agg_count, agg_cap;

   /* In the body of an SQL function: its arguments $1 …, and its parameters' names. */
   MtX **params;
   int param_count;
   const MtSig *param_sig;
   /* Out: the number of uses of each parameter. NULL: not counted. */
   int *param_uses;

   /* Out: the window calls of the block. NULL: window calls are refused. */
   MtWindows *windows;
   /* The entries of the WINDOW clause. */
   const MtWindow *named;

   /* Correlated sub-selects above a possible grouping wait until the block is known to be grouped or
    * not (analyze/sub/pending.h). */
   bool defers;
   struct MtPending *pending;
   int pending_count, pending_cap;
   /* The number of columns that pending sub-selects have so far. */
   int pending_columns;
   /* Sub-selects by their text. A sub-select that is written twice is bound once. */
   struct MtSameSub *same;
};

/* A column with this number or a higher one belongs to a pending sub-select. */
#define MT_PENDING_COLUMN (1 << 24)

/* A scope around a sub-select, or to the left of an item of FROM. */
struct MtOuter {
   MtScope *scope;
   MtOuter *next;
   /* Out: the sub-select refers to a column of the scope. */
   bool referred;
   /* Out: the sub-select refers to a column of the scope or of one further out. */
   bool crossed;
   /* For items to the left of a LATERAL item: the number of their query. 0: a sub-select's scope. */
   int query;
   /* The kind of the join forbids LATERAL references to this item. */
   bool denied;
};

struct MtBinder {
   MtArena *a;
   const MtBindEnv *env;
   MtError *err;
   const MtBindUpper *upper;

   /* The nesting of expressions and queries (mt_enter), and of SQL functions' bodies. */
   int depth, inline_depth;
   /* The text being bound isn't the statement's own, or is bound a second time. Such text is counted
    * (mt_count_query). */
   bool expands;
   /* The state that all queries of the statement share; use mt_sharing. NULL: not fetched yet. */
   MtSharing *sharing;

   /* The scopes around the sub-select being bound. */
   MtOuter *outer;
   /* `outer`, preceded by the items that LATERAL items may refer to. */
   MtOuter *lateral;
   /* Items that a sub-select in FROM could refer to if it were LATERAL. Used for hints. */
   const MtOuter *unseen;
   /* The items to the left of a function in FROM, which may refer to them. NULL: none. */
   MtRel *beside;
   /* The number of scopes' ids given so far. */
   int scope_count;
   /* The number of the query being bound, and of queries so far. */
   int query, query_count;

   /* The common table expressions that may be read here, the nearest first. */
   const MtCteBind *ctes;
   /* Those that WITH without RECURSIVE hides from the one being bound. Used for hints. */
   const MtCteBind *hidden;
   /* The recursive common table expression being bound. NULL: none. */
   struct MtRecursion *binding;
   /* The number of common table expressions whose binding has begun. */
   int recursions;
   /* The lowest MtRecursion.since among recursive queries whose rows were read. INT_MAX: none. */
   int oldest;
   /* The number of names given to rows of recursive queries. */
   int work_count;

   /* While the arguments of an aggregate are bound: the queries that they refer to. */
   struct MtReach *reach;
   /* The expression being bound has calls of MT_GIVEN (analyze/group/sets.h). */
   bool hypothetical;
   /* setseed was called so far. */
   bool seeds;
   /* The VOLATILE SQL function whose body is being bound. NULL: none. */
   const MtSig *sees;
   /* The sub-select of the last MT_EXPR_PART, and its columns. */
   const MtExpr *parted;
   MtX **parts;
   /* The query whose rows are stored. Its UNKNOWN targets get the types of their columns later. */
   const MtSelect *assigned;
};

/* Binds an expression in scope s. */
static inline bool mt_bind_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   return b->upper->x (b, s, e, out);
}

/* Binds a query. Constants aren't folded yet. */
static inline bool mt_bind_query (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   return b->upper->query (b, s, out);
}

/* Binds the query of a common table expression that is read at `at`; c is one of b->ctes. */
static inline bool mt_bind_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out)
{
   return b->upper->cte (b, c, at, out);
}

/* Counts one more level of nesting. 54001: nested too deep, or SQL functions' bodies are too large;
 * 57014: cancelled. Call mt_leave if it returns true. */
bool mt_enter (MtBinder *b, MtSpan span);
static inline void mt_leave (MtBinder *b) { b->depth--; }

/* Raises 0A000, "<what> not supported". Returns false. `what` ends with "is" or "are". */
bool mt_refuse (MtBinder *b, MtSpan span, const char *what);

/* Replaces *x by a copy, and calls `child` for each child of the copy, which it may replace. A node
 * without children stays as it is. */
bool mt_x_map_children (MtBinder *b, MtX **x, bool (*child) (void *ctx, MtX **x), void *ctx);

/* Returns the number of expressions in a list. */
static inline int mt_list_length (const MtExprList *l)
{
   int n = 0;
   for (; l; l = l->next)
      n++;
   return n;
}
/* Returns the last of several names joined by dots. */
static inline const MtName *mt_last_name (const MtNameList *n)
{
   while (n->next)
      n = n->next;
   return &n->name;
}

/* Returns the state that the statement's queries share: MtBindEnv.sharing, or this binder's own. */
MtSharing *mt_sharing (MtBinder *b);

/* Returns the scope of the SQL function's body being bound: s or one around it. NULL: none. */
const MtScope *mt_body_scope (const MtBinder *b, const MtScope *s);
/* Returns the function's argument i (from 0), and counts the use. */
MtX *mt_body_param (const MtScope *body, int i);

#endif
