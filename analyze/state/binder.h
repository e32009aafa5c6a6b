/* The state of analysis (name and type resolution), used by all files in analyze/.
 *
 * MtBinder is the state for one statement. MtScope has the names and rules of one query block.
 * MtOuter lists the scopes that enclose a sub-select.
 *
 * Expressions contain sub-selects, and sub-selects contain expressions. So code in the lower
 * folders calls two functions of the upper folders, mt_bind_x and mt_bind_query, by pointers in
 * MtBindUpper. */
#ifndef MT_BINDER_H
#define MT_BINDER_H

#include "functions/signature.h"
#include "query/environment.h"
#include "query/x.h"

typedef struct MtBinder MtBinder;
typedef struct MtScope MtScope;
typedef struct MtOuter MtOuter;
typedef struct MtCteBind MtCteBind; /* analyze/state/cte.h */

/* Pointers to functions of analyze/expr and analyze/block that code in lower folders calls.
 * mt_binder_new sets them. */
typedef struct MtBindUpper {
   /* Analyzes an expression (analyze/expr). */
   bool (*x) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
   /* Analyzes a query block, VALUES, or a set operation (analyze/block). */
   bool (*query) (MtBinder *b, const MtSelect *s, MtQuery **out);
   /* Analyzes the query of a WITH entry that FROM refers to (analyze/block). */
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

/* The names and rules of one query block, for the analysis of its expressions. All clauses of the
 * block use the same scope; `clause` is set before each clause. */
struct MtScope {
   /* The columns of FROM. NULL: no columns are visible. */
   const MtRel *rel;
   /* The FROM to which correlated sub-selects are joined, so that it gets more columns. It is the
    * same as rel. NULL: correlated sub-selects are not allowed here. */
   MtRel *own;
   /* The number by which expressions in sub-selects refer to this scope (MtX.outer.scope). 0:
    * mt_scope_id has not assigned one. */
   int id;
   MtClause clause;
   /* With MT_CLAUSE_FRAME: "ROWS", "RANGE" or "GROUPS". */
   const char *frame;
   /* The current expression is inside the arguments of an aggregate, or of a window call. */
   bool in_aggregate, in_window;
   /* The expression is a condition for which FALSE and NULL have the same effect, as in WHERE. */
   bool only_true;
   /* In a branch of CASE or COALESCE: the condition under which the branch is computed. NULL:
    * always. */
   MtX *guard;

   /* Out: the block calls GROUPING, or has a hypothetical-set aggregate with an argument marked by
    * MT_GIVEN. */
   bool has_grouping, has_given;
   /* Out: the aggregate calls of the block. MT_X_AGG refers to them by index. */
   MtAggCall *aggs;
   int agg_count, agg_cap;

   /* The select-list items with AS that have been analyzed so far. An expression of the block may
    * use such a name, if it has no other meaning. */
   MtResultName *results;
   int result_count;
   /* The number of select-list items without the hidden ones that mt_pending_hide adds for
    * sub-selects. */
   int target_count;

   /* In the body of an SQL function: the arguments $1 …, and the signature with the parameters'
    * names. */
   MtX **params;
   int param_count;
   const MtSig *param_sig;
   /* Out: how often the body uses each parameter. NULL: not counted. */
   int *param_uses;

   /* Out: the window calls of the block. NULL: window calls are refused. */
   MtWindows *windows;
   /* The WINDOW JOINs of the block, over whose right sides its aggregates are computed. NULL:
    * none. */
   struct MtWindowJoin *around;
   /* The entries of the WINDOW clause. */
   const MtWindow *named;

   /* Correlated sub-selects in the select list, HAVING and ORDER BY are collected in `pending`.
    * They are joined to FROM, or to the grouped rows, after the whole block was analyzed
    * (analyze/sub/pending.h). */
   bool defers;
   struct MtPending *pending;
   int pending_count, pending_cap;
   /* The total number of columns of the sub-selects in `pending`. */
   int pending_columns;
   /* Analyzed sub-selects and their texts, so that a repeated sub-select is analyzed only once. */
   struct MtSameSub *same;
};

/* Column numbers from here on are temporary numbers for columns of correlated sub-selects that are
 * not joined yet (MtScope.pending). */
#define MT_PENDING_COLUMN (1 << 24)

/* A linked list of the scopes whose columns a sub-select may use: enclosing queries, and FROM items
 * to the left of a LATERAL item. */
struct MtOuter {
   MtScope *scope;
   MtOuter *next;
   /* Out: the sub-select uses a column of this scope. */
   bool referred;
   /* Out: the sub-select uses a column of this scope or of a scope that encloses it. */
   bool crossed;
   /* The number of the query, if the scope is the FROM items to the left of a LATERAL item in that
    * query. 0: the scope is an enclosing query. */
   int query;
   /* LATERAL references to this scope are errors, because of the kind of join (RIGHT or FULL). */
   bool denied;
   /* The scope is the left side of a WINDOW JOIN. A name that both sides have is ambiguous. */
   bool shares;
};

struct MtBinder {
   MtArena *a;
   const MtBindEnv *env;
   MtError *err;
   const MtBindUpper *upper;

   /* The current nesting depth of expressions and queries (mt_enter), and of SQL functions replaced
    * by their bodies. */
   int depth, inline_depth;
   /* The text being analyzed comes from a view or a function, or is analyzed a second time. So its
    * queries count towards the limit of mt_count_query. */
   bool expands;
   /* State shared by all queries of the statement. Read it with mt_sharing. NULL: not set yet. */
   MtSharing *sharing;

   /* The scopes that enclose the query being analyzed. */
   MtOuter *outer;
   /* The scopes to which LATERAL items may refer: the FROM items to their left, then the scopes of
    * `outer`. */
   MtOuter *lateral;
   /* FROM items to which a sub-select in FROM could refer if it were LATERAL. Used only for hints
    * of errors. */
   const MtOuter *unseen;
   /* The FROM items to the left of the function in FROM that is being analyzed. Its arguments may
    * use their columns. NULL: none. */
   MtRel *beside;
   /* The number of scope ids assigned so far. */
   int scope_count;
   /* The number of the query being analyzed, and the number of queries analyzed so far. */
   int query, query_count;

   /* The visible WITH entries, innermost first. */
   const MtCteBind *ctes;
   /* WITH entries that would be visible if the WITH clause were RECURSIVE. Used only for hints of
    * errors. */
   const MtCteBind *hidden;
   /* The WITH RECURSIVE entry being analyzed. NULL: none. */
   struct MtRecursion *binding;
   /* The number of WITH RECURSIVE entries whose analysis has begun. */
   int recursions;
   /* The lowest MtRecursion.since of the recursive entries that the current query reads from
    * inside. INT_MAX: it reads none. */
   int oldest;
   /* The number of names (MtRel.work) assigned so far to the newest rows of recursive queries. */
   int work_count;

   /* During analysis of an aggregate's arguments: the queries to which the arguments refer. */
   struct MtReach *reach;
   /* The expression being analyzed was generated for a hypothetical-set aggregate, so MT_GIVEN is
    * allowed in it (analyze/group/sets.h). */
   bool hypothetical;
   /* The statement has called setseed() before this point, so random() must use the seed. */
   bool seeds;
   /* The VOLATILE SQL function whose body is being analyzed. NULL: none. */
   const MtSig *sees;
   /* For UPDATE … SET (a, b) = (SELECT …): the last such sub-select, and its analyzed columns. */
   const MtExpr *parted;
   MtX **parts;
   /* The query whose rows INSERT stores. Its untyped literals keep no type, since they are cast to
    * the types of table columns later. */
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

/* Analyzes the query of WITH entry c for a reference at position `at`. c must be one of b->ctes. */
static inline bool mt_bind_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out)
{
   return b->upper->cte (b, c, at, out);
}

/* Counts one more level of nesting, until mt_leave is called. Fails with 54001 if nesting is too
 * deep or the bodies of SQL functions are too large, and with 57014 if the statement was
 * cancelled. */
bool mt_enter (MtBinder *b, MtSpan span);
static inline void mt_leave (MtBinder *b) { b->depth--; }

/* Raises the error 0A000 with the message "<what> not supported", and returns false. `what` ends
 * with "is" or "are". */
bool mt_refuse (MtBinder *b, MtSpan span, const char *what);

/* Replaces *x by a copy, and calls child (ctx, &c) for each child c of the copy, which `child` may
 * replace. A node without children is not copied. */
bool mt_x_map_children (MtBinder *b, MtX **x, bool (*child) (void *ctx, MtX **x), void *ctx);

/* Returns the number of expressions in a list. */
static inline int mt_list_length (const MtExprList *l)
{
   int n = 0;
   for (; l; l = l->next)
      n++;
   return n;
}
/* Returns the last part of a dotted name, such as c of a.b.c. */
static inline const MtName *mt_last_name (const MtNameList *n)
{
   while (n->next)
      n = n->next;
   return &n->name;
}

/* Returns the state that all queries of the statement share: MtBindEnv.sharing, or that of b if it
 * is NULL. */
MtSharing *mt_sharing (MtBinder *b);

/* Returns the scope with the parameters of the SQL function whose body is being analyzed: s or an
 * enclosing scope. NULL: no body is being analyzed. */
const MtScope *mt_body_scope (const MtBinder *b, const MtScope *s);
/* Returns argument i (from 0) of the SQL function call that is replaced by its body. Adds 1 to the
 * argument's use count. */
MtX *mt_body_param (const MtScope *body, int i);

#endif
