/* The typed tree: a statement after names and types are resolved. Analysis makes it, and all later
 * stages read it.
 *
 * A query block (MtQuery) is one SELECT: FROM, WHERE, GROUP BY, HAVING, select list, DISTINCT,
 * ORDER BY, LIMIT. Blocks nest through FROM and UNION ALL. The tree is immutable once made. It is
 * in the statement's arena. */
#ifndef MT_QUERY_H
#define MT_QUERY_H

#include "layouts/table.h"

typedef struct MtX MtX;
typedef struct MtQuery MtQuery;
typedef struct MtFunc MtFunc;       /* query/function.h */
typedef struct MtAgg MtAgg;         /* query/function.h */
typedef struct MtWindows MtWindows; /* query/window.h */

typedef enum MtXKind {
   MT_X_CONST,    /* value; MT_NULL for NULL */
   MT_X_COLUMN,   /* column: number of a column of FROM */
   MT_X_CALL,     /* call: a function, operator or cast; strict unless its row says otherwise */
   MT_X_AND,      /* list */
   MT_X_OR,       /* list */
   MT_X_NOT,      /* list[0] */
   MT_X_IS_NULL,  /* list[0] */
   MT_X_IN,       /* list[0] is tested against list[1…], all of one type; three-valued */
   MT_X_CASE,     /* list: when, then, when, then, …, else; whens are boolean */
   MT_X_COALESCE, /* list */
   MT_X_KEY,      /* index: a group key of this block; above the grouping only */
   MT_X_AGG,      /* index: an aggregate of this block; above the grouping only */
   MT_X_TARGET,   /* index: a select-list item; in ORDER BY and DISTINCT only */
   /* index: a window call. Analysis replaces it by a column of FROM. */
   MT_X_WINDOW,
   MT_X_OUTER /* outer: a column of a row around this block, which runs once for each such row */
} MtXKind;

/* MtX.outer.column from here on is an aggregate. */
#define MT_OUTER_AGG (1 << 23)
#define MT_LITERAL (-1) /* MtQuery.literals */

struct MtX {
   MtXKind kind;
   MtType type;
   bool nullable;    /* false: never NULL */
   bool is_volatile; /* contains a volatile function */
   /* Has no infinite time, as far as is known. Pipelines compute with infinite times as with any
    * other (planner/emit/emit_int.h). */
   bool finite;
   /* While a statement is prepared, of an UNKNOWN constant: the number of its parameter, whose type
    * isn't known yet. Otherwise 0. */
   int param;
   int depth; /* levels of nodes; 1: no children */
   /* The number of nodes with children in it; shared nodes count each time. 0: no children. */
   int size;
   MtSpan span;
   union {
      MtVal value;
      int column;
      int index;
      struct {
         int scope;        /* the number of the query around: MtJoin.apply */
         int column;       /* MtLet.column; from MT_OUTER_AGG on: an aggregate of that block */
         const char *name; /* The column's name, for EXPLAIN. NULL: none. */
      } outer;
      struct {
         const MtFunc *fn;
         MtX **args;
         int argc;
      } call;
      struct {
         MtX **list;
         int count;
      };
   };
};

/* The direction of a key of ORDER BY within an aggregate. */
typedef struct MtAggOrder {
   bool descending, nulls_first;
} MtAggOrder;

/* An aggregate call of a block. Equal calls share one record. */
typedef struct MtAggCall {
   const MtAgg *agg;
   /* NULL: count(*). Several arguments, and then the keys of ORDER BY, are one call of
    * mt_agg_row. */
   MtX *arg;
   const MtAggOrder *order; /* The directions of ORDER BY's keys. */
   int order_count;
   MtX *filter; /* NULL: none */
   bool distinct;
   MtType type; /* of the result */
   MtSpan span;
} MtAggCall;

/* A call of locf or interpolate. Expressions refer to it by an MT_X_AGG after the aggregates. */
typedef struct MtFill {
   bool linear;    /* interpolate, not locf */
   bool nulls_too; /* A NULL of an existing row counts as a gap. */
   MtX *value;     /* over keys and aggregates */
   MtX *prev;      /* The value before the first row, over the keys without the time. NULL: none. */
} MtFill;

/* GROUP BY time_bucket_gapfill (…): a row for each bucket of a range, in each group of the other
 * keys. */
typedef struct MtGapfill {
   int key;             /* The index of the time's key, a call of time_bucket. */
   MtX *width, *ts;     /* ts is over FROM's columns */
   MtX *zone;           /* NULL: UTC */
   MtX *start, *finish; /* NULL, or constant NULL: taken from `where` */
   /* WHERE and the conditions of inner joins as written. These may have been pushed down since. */
   const MtX *where;
   MtFill *fills;
   int fill_count;
} MtGapfill;

typedef enum MtRelKind {
   MT_REL_NONE,   /* no FROM: one row without columns */
   MT_REL_TABLE,  /* table */
   MT_REL_QUERY,  /* query: a sub-select */
   MT_REL_VALUES, /* rows */
   MT_REL_JOIN,   /* join: the left side's columns, then the right side's */
   MT_REL_SERIES, /* series */
   MT_REL_UNNEST, /* unnest: the input's columns, then those of the functions */
   MT_REL_WORK,   /* work: the newest rows of a recursive query */
   MT_REL_SYSTEM, /* work, given: a table of pg_catalog */
   MT_REL_SHARED  /* shared: rows that are computed once and read in several places */
} MtRelKind;

typedef struct MtRelColumn {
   const char *name;
   MtType type;
   bool nullable, finite; /* as MtX.nullable, MtX.finite */
} MtRelColumn;

typedef struct MtRel MtRel;

/* A query that is computed once and read in several places. */
typedef struct MtShared {
   const char *name;          /* the name of the common table expression, or the view's */
   const char *work;          /* The name of its rows in plans, unique in the statement. */
   MtQuery *query;            /* Its conditions are pushed down already. */
   struct MtSharedRows *rows; /* The rows, for all plans of the statement (engine/engine.h). */
   bool checked, listed;      /* Set by passes that visit the tables of each query once. */
   int decimals; /* Whether numerics are group keys in it. 1: yes; -1: no; 0: not checked yet. */
} MtShared;

/* generate_series: constants of the column's type. `next` computes the next value from column 0.
 * `empty`: one of the constants is NULL. */
typedef struct MtSeries {
   MtX *start, *stop, *step;
   MtX *next;
   bool down; /* step is negative */
   bool empty;
} MtSeries;

/* A column of a set-returning function. */
typedef struct MtUnnestColumn {
   int call;          /* index of MtUnnest.calls */
   const char *field; /* A field of the set's rows, which are documents. NULL: the whole row. */
} MtUnnestColumn;

/* Set-returning functions over the rows of another item of FROM. Each row is repeated for each row
 * of the longest set. Shorter sets give NULLs. */
typedef struct MtUnnest {
   MtRel *input; /* MT_REL_NONE: there is no other item */
   MtX **calls;  /* Calls of functions with MT_F_SET, over the input's columns. */
   int count;
   MtUnnestColumn *columns; /* The columns after the input's. */
   int column_count;
   bool ordinality; /* One more column at the end: the number of the row in the set. */
   bool keep;       /* An input row whose sets are empty stays, with NULLs. */
   MtX *on;         /* A condition over all columns. NULL: none. Never with keep. */
} MtUnnest;

/* The value that MT_X_OUTER of a column refers to, for one left row. */
typedef struct MtLet {
   int column;
   MtX *x; /* over the columns of the left side */
} MtLet;

/* A join. Its columns are the left side's, then the right side's. `on` is over these columns. */
typedef struct MtJoin {
   bool keep_left, keep_right; /* Rows without a partner stay, with NULLs for it. */
   MtRel *left, *right;
   MtX *on; /* NULL: every pair */
   /* With keep_left only. Each left row comes once. One more column at the end is true if the row had
    * a partner. */
   bool mark;
   bool single; /* With keep_left only. A second partner is an error (21000). */
   /* Each left row has at most one partner, the nearest by `on`'s inequality (planner/plan/asof.h).
    * Never with keep_right. */
   bool asof;
   /* The right side refers to the left side's rows, and is computed for each of them: the scope of
    * these references (MT_X_OUTER.outer.scope). 0: there are none. Never with keep_right. */
   int apply;
   MtLet *lets;
   int let_count;
   /* A condition over the left side. If it isn't true, the row has no partner, and the right side
    * isn't computed. NULL: always true. */
   MtX *when;
} MtJoin;

/* A name for a column. USING merges two columns: then `expr` is over the columns. */
typedef struct MtRelName {
   const char *name;
   int column;
   MtX *expr; /* NULL: the column `column` */
} MtRelName;

/* A table of a join, and its names. */
typedef struct MtRelItem {
   const char *alias; /* NULL: none */
   const MtTable *table;
   const char *system; /* The name of a table of pg_catalog. NULL: it is none. */
   MtRelName *names;
   int name_count;
} MtRelItem;

struct MtRel {
   MtRelKind kind;
   const char *alias;
   MtRelColumn *columns;
   int column_count;
   const MtTable *table; /* the columns are the table's, by position */
   MtQuery *query;       /* the columns are its targets */
   MtX ***rows;          /* MT_REL_VALUES: constant expressions, row by row */
   int row_count;
   MtSeries *series;
   MtUnnest *unnest;
   MtJoin *join;
   /* MT_REL_JOIN, MT_REL_UNNEST: the meaning of * and of names without a table. NULL: the
    * columns. */
   MtRelName *names;
   int name_count;
   /* MT_REL_QUERY: the query's target for each column; -1: none. NULL: the same numbers. */
   int *targets;
   /* MT_REL_JOIN, MT_REL_UNNEST: the tables in order. NULL: `alias` is the only one. */
   MtRelItem *items;
   int item_count;
   /* MT_REL_WORK: the name of the rows in the plan. MT_REL_SYSTEM: the table's name. */
   const char *work;
   MtShared *shared;
   MtVal given;         /* MT_REL_SYSTEM: an array of documents … */
   const char **fields; /* … and the columns' names there */
};

typedef struct MtTargetX {
   const char *name;
   MtX *expr; /* Over keys and aggregates if the block is grouped, otherwise over FROM's columns. */
} MtTargetX;

typedef struct MtSortX {
   MtX *expr; /* MT_X_TARGET, or an expression as in targets */
   bool descending;
   bool nulls_first;
} MtSortX;

typedef enum MtTimesKind {
   MT_TIMES_ARMS,      /* the sum over arms first … first + count - 1 */
   MT_TIMES_UNION,     /* left, right */
   MT_TIMES_INTERSECT, /* left, right */
   MT_TIMES_EXCEPT     /* left, right */
} MtTimesKind;

/* How often a row occurs in the result of a set operation, computed from its counts in the arms. */
typedef struct MtTimes {
   MtTimesKind kind;
   bool all; /* false: at most once */
   int first, count;
   struct MtTimes *left, *right;
   int height; /* 0 for MT_TIMES_ARMS */
} MtTimes;

struct MtQuery {
   /* UNION ALL of the arms. The targets are MT_X_COLUMN over the arms' columns. rel, where … are
    * empty. */
   MtQuery **arms;
   int arm_count;
   /* WITH RECURSIVE: the name of the working rows (MT_REL_WORK). arms[0] runs once. arms[1] runs
    * over the newest rows until there are none. NULL: not recursive. */
   const char *work;
   bool work_all;  /* false: UNION, which removes duplicates */
   MtTimes *times; /* How often rows of the arms occur. NULL: as often as in the arms. */

   MtRel rel;
   /* Window calls, computed over rel, a sub-select. FROM's columns are the calls, then the
    * sub-select's columns. NULL: none. */
   MtWindows *windows;
   MtX *where;   /* NULL: none. Boolean, over FROM's columns. */
   bool grouped; /* there is GROUP BY, HAVING or an aggregate */
   MtX **keys;   /* over FROM's columns */
   int key_count;
   MtAggCall *aggs;
   int agg_count;
   MtX *having;        /* over keys and aggregates */
   MtGapfill *gapfill; /* NULL: none. Applied after HAVING. */
   MtTargetX *targets; /* visible ones first */
   int target_count;
   int visible_count;
   /* For each target. MT_LITERAL: a literal or NULL that was made text, as nothing gave it a type.
    * Above 0: such a parameter's number. 0: neither. NULL: all are 0. */
   int *literals;
   bool distinct; /* over the visible targets */
   MtSortX *sort;
   int sort_count;
   int on_count;   /* DISTINCT ON: the number of its keys, which are the first of sort. 0: none. */
   bool unordered; /* there is no ORDER BY */
   int64_t limit;  /* -1: none */
   bool with_ties; /* rows that sort like the last one are kept, too */
   int64_t offset; /* 0: none */
};

/* x refers to the values of `from`: copies what is known of these. */
static inline void mt_x_refers (MtX *x, const MtX *from)
{
   x->nullable = from->nullable;
   x->finite = from->finite;
}
static inline void mt_x_refers_column (MtX *x, const MtRelColumn *from)
{
   x->nullable = from->nullable;
   x->finite = from->finite;
}
static inline MtRelColumn mt_rel_column_of (const char *name, const MtX *x)
{
   return (MtRelColumn) {name, x->type, x->nullable, x->finite};
}
/* Returns a stored column. Its times are finite (layouts/writer.c refuses others). */
static inline MtRelColumn mt_rel_column_stored (const MtColumn *c)
{
   return (MtRelColumn) {c->name, c->type, !c->not_null, true};
}

/* Prints an expression as SQL, for EXPLAIN and tests. Columns' names come from q, which may be
 * NULL. */
void mt_x_print (const MtX *x, const MtQuery *q, MtBuf *out);

/* Calls visit for each expression of q and of the queries below it. The visit may replace the
 * expression. Lists may be shared with copies of q. Returns false if a visit does. */
typedef bool (*MtVisitX) (void *ctx, MtX **x);
bool mt_query_each (MtQuery *q, MtVisitX visit, void *ctx);
bool mt_rel_each (MtRel *rel, MtVisitX visit, void *ctx);
/* The same for the targets of q, and then for its sort keys. */
bool mt_results_each (MtQuery *q, MtVisitX visit, void *ctx);
/* Whether x has an MT_X_OUTER of this scope; 0: of any scope. */
bool mt_x_has_outer (const MtX *x, int scope);
/* Whether the query's rows may differ when they are computed again. */
bool mt_query_is_volatile (const MtQuery *q);
/* Returns the name of a let in a pipeline, without "$$". */
const char *mt_outer_name (MtArena *a, int scope, int column);

/* Returns a copy in arena a with its own queries, joins and arms. Expressions are shared, because
 * nothing changes them in place. */
MtQuery *mt_query_copy (MtArena *a, const MtQuery *q);

#endif
