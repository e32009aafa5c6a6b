/* The state of analysis (name and type resolution), used by all files in analyze/.
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
   MT_CLAUSE_QUALIFY,
   MT_CLAUSE_ORDER,
   MT_CLAUSE_LIMIT,
   MT_CLAUSE_OFFSET,
   MT_CLAUSE_VALUES,
   MT_CLAUSE_FILTER,
   MT_CLAUSE_FUNCTION, /* the body of an SQL function */
   MT_CLAUSE_DEFAULT,  /* a default, or another expression without columns */
   MT_CLAUSE_COPY,     /* COPY FROM … WHERE */
   MT_CLAUSE_CHECK,    /* CHECK */
   MT_CLAUSE_INDEX,    /* CREATE UNIQUE INDEX … WHERE */
   MT_CLAUSE_EXECUTE,  /* an argument of EXECUTE */
   MT_CLAUSE_ON,
   MT_CLAUSE_WINDOW,
   MT_CLAUSE_FRAME,
   MT_CLAUSE_FROM,  /* an argument of a function in FROM */
   MT_CLAUSE_SAMPLE /* a bound or a value of SAMPLE BY */
} MtClause;

/* A select-list item with AS. */
typedef struct MtResultName {
   const MtName *name;
   MtX *x;
} MtResultName;

/* The names and rules at one place of a statement. A query block has one scope for all its clauses,
 * and changes `clause` as it goes. */
struct MtScope {
   /* The columns of FROM. NULL: no columns are visible. */
   const MtRel *rel;
   /* The FROM to which correlated sub-selects are joined, which adds columns. Equals rel, or is
    * NULL if they are not allowed here. */
   MtRel *own;
   /* The number by which sub-selects refer to this scope (MtX.outer.scope). 0: none yet
    * (mt_scope_id). */
   int id;
   MtClause clause;
   /* With MT_CLAUSE_FRAME: "ROWS", "RANGE" or "GROUPS". */
   const char *frame;
   /* The expression stands among the arguments of an aggregate, or of a window call. */
   bool in_aggregate, in_window;
   /* The expression is a condition for which FALSE and NULL have the same effect, as in WHERE. */
   bool only_true;
   /* In a branch of CASE or COALESCE: the condition under which the branch is computed. NULL:
    * always. */
   MtX *guard;

   /* Out: the block calls GROUPING; the block has a hypothetical-set aggregate (MT_GIVEN). */
   bool has_grouping, has_given;
   /* Out: the aggregate calls of the block. MT_X_AGG refers to them by index. */
   MtAggCall *aggs;
   int agg_count, agg_cap;

   /* The select-list items that were bound so far, if they have AS. An expression of the block may
    * use their names, if nothing else has the name. */
   MtResultName *results;
   int result_count;
   /* The number of targets that are no copies of parts of sub-selects (mt_pending_hide). */
   int target_count;

   /* In the body of an SQL function: the arguments $1 … and the names of parameters. */
   MtX **params;
   int param_count;
   const MtSig *param_sig;
   /* Out: the number of uses of each parameter. NULL: not counted. */
   int *param_uses;

   /* Out: the window calls of the block. NULL: window calls are refused. */
   MtWindows *windows;
   /* The WINDOW JOINs of the block, whose right sides its aggregates are over. NULL: none. */
   struct MtWindowJoin *around;
   /* The entries of the WINDOW clause. */
   const MtWindow *named;

   /* Correlated sub-selects in the select list, HAVING and ORDER BY are joined later, when the
    * block is known to be grouped or not (analyze/sub/pending.h). */
   bool defers;
   struct MtPending *pending;
   int pending_count, pending_cap;
   /* The number of columns of sub-selects that are not joined yet (pending). */
   int pending_columns;
   /* Analyzed sub-selects by text, so that repeated sub-selects are analyzed once. */
   struct MtSameSub *same;
};

/* Columns from this number on belong to correlated sub-selects that are not joined yet
 * (pending). */
#define MT_PENDING_COLUMN (1 << 24)

/* A list of scopes to which a sub-select may refer: enclosing queries, and FROM items to its
 * left. */
struct MtOuter {
   MtScope *scope;
   MtOuter *next;
   /* Out: the sub-select refers to a column of this scope. */
   bool referred;
   /* Out: the sub-select refers to a column of this scope or of one further out. */
   bool crossed;
   /* Not 0: the scope is the FROM items to the left of a LATERAL item, in the query of this number.
    * 0: the scope is an enclosing query. */
   int query;
   /* The kind of join (RIGHT, FULL) forbids LATERAL references to this scope. */
   bool denied;
   /* The scope is the left side of a WINDOW JOIN. A name that the right side has, too, is
    * ambiguous. */
   bool shares;
};

struct MtBinder {
   MtArena *a;
   const MtBindEnv *env;
   MtError *err;
   const MtBindUpper *upper;

   /* Nesting depth of expressions and queries (mt_enter), and of inlined SQL functions. */
   int depth, inline_depth;
   /* The text being analyzed is not in the statement (a view, a function), or is analyzed again.
    * Its queries are counted for a limit (mt_count_query). */
   bool expands;
   /* State shared by all queries of the statement. Read it with mt_sharing. NULL: not set yet. */
   MtSharing *sharing;

   /* The enclosing queries of the sub-select being analyzed. */
   MtOuter *outer;
   /* The scopes to which LATERAL items may refer: FROM items to the left, then `outer`. */
   MtOuter *lateral;
   /* FROM items to which a sub-select in FROM could refer if it were LATERAL. For hints. */
   const MtOuter *unseen;
   /* FROM items to the left of a function in FROM, whose arguments may use their columns. NULL:
    * none. */
   MtRel *beside;
   /* The number of scope ids assigned so far. */
   int scope_count;
   /* The number of the query being analyzed, and the count of queries so far. */
   int query, query_count;

   /* The visible WITH entries, innermost first. */
   const MtCteBind *ctes;
   /* WITH entries that would be visible if WITH were RECURSIVE. For hints. */
   const MtCteBind *hidden;
   /* The WITH RECURSIVE entry being analyzed. NULL: none. */
   struct MtRecursion *binding;
   /* The number of WITH RECURSIVE entries whose analysis has begun. */
   int recursions;
   /* The lowest MtRecursion.since of the recursive queries that were read. INT_MAX: none. */
   int oldest;
   /* The number of names assigned to working rows of recursive queries (MtRel.work). */
   int work_count;

   /* During analysis of an aggregate's arguments: the queries to which the arguments refer. */
   struct MtReach *reach;
   /* The expression being analyzed has a hypothetical-set aggregate (MT_GIVEN,
    * analyze/group/sets.h). */
   bool hypothetical;
   /* The statement called setseed before this point. */
   bool seeds;
   /* The VOLATILE SQL function whose body is being analyzed. NULL: none. */
   const MtSig *sees;
   /* UPDATE … SET (a, b) = (SELECT …): the last such sub-select, and its columns. */
   const MtExpr *parted;
   MtX **parts;
   /* The query whose rows INSERT stores. Its untyped literals get the types of table columns
    * later. */
   const MtSelect *assigned;
};

/* Analyzes expression e in scope s into *out. */
static inline bool mt_bind_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   return b->upper->x (b, s, e, out);
}

/* Analyzes a query. Constant expressions are not computed yet (see mt_fold_query). */
static inline bool mt_bind_query (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   return b->upper->query (b, s, out);
}

/* Analyzes the query of WITH entry c for a use at position `at`. c is one of b->ctes. */
static inline bool mt_bind_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out)
{
   return b->upper->cte (b, c, at, out);
}

/* Enters one more level of nesting; mt_leave leaves it. Fails with 54001 if nesting is too deep or
 * SQL functions are too large, and with 57014 if the statement was cancelled. */
bool mt_enter (MtBinder *b, MtSpan span);
static inline void mt_leave (MtBinder *b) { b->depth--; }

/* Raises 0A000 with the message "<what> not supported", and returns false. `what` ends with "is" or
 * "are". */
bool mt_refuse (MtBinder *b, MtSpan span, const char *what);

/* Replaces *x by a copy, and calls `child` for each child pointer of the copy. `child` may replace
 * the child. A node without children is not copied. */
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

/* Returns the scope that has the parameters of the SQL function being analyzed: s or an enclosing
 * scope. NULL: none. */
const MtScope *mt_body_scope (const MtBinder *b, const MtScope *s);
/* Returns argument i (from 0) of the SQL function being inlined, and counts its use. */
MtX *mt_body_param (const MtScope *body, int i);

#endif
