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
   MT_X_CONST,    /* a constant in `value`; NULL is MT_NULL */
   MT_X_COLUMN,   /* a column of FROM, numbered by `column` */
   MT_X_CALL,     /* `call`: a function, operator or cast */
   MT_X_AND,      /* the AND of all expressions in `list` */
   MT_X_OR,       /* the OR of all expressions in `list` */
   MT_X_NOT,      /* NOT list[0] */
   MT_X_IS_NULL,  /* list[0] IS NULL */
   MT_X_IN,       /* list[0] IN (list[1], …), all of one type; NULL, too, may be the result */
   MT_X_CASE,     /* list: condition, result, condition, result, …, ELSE result */
   MT_X_COALESCE, /* COALESCE of all expressions in `list` */
   MT_X_KEY,      /* the group key number `index`; used only in expressions after GROUP BY */
   MT_X_AGG,      /* the aggregate number `index`; used only in expressions after GROUP BY */
   MT_X_TARGET,   /* the select-list item number `index`; only in ORDER BY and DISTINCT */
   /* The window call number `index`. Analysis replaces this node by a column of FROM. */
   MT_X_WINDOW,
   MT_X_OUTER /* `outer`: a column of an enclosing query (correlated sub-select, LATERAL) */
} MtXKind;

/* MtX.outer.column of MT_OUTER_AGG + i is aggregate i of the enclosing query. */
#define MT_OUTER_AGG (1 << 23)
#define MT_LITERAL (-1) /* value in MtQuery.literals: the item is a literal of unknown type */

struct MtX {
   MtXKind kind;
   MtType type;
   bool nullable;    /* false: the value is never NULL */
   bool is_volatile; /* contains a volatile function */
   /* The value is known not to be an infinite time. MongoDB's operators treat 'infinity' as an
    * ordinary date. */
   bool finite;
   /* During PREPARE: the number of the parameter for which this constant stands, while the
    * parameter has no type. Otherwise 0. */
   int param;
   int depth; /* levels of nodes; 1: no children */
   /* The number of nodes with children in this expression. Shared nodes count at each place. */
   int size;
   MtSpan span;
   union {
      MtVal value;
      int column;
      int index;
      struct {
         int scope;  /* the enclosing query, as in MtJoin.apply */
         int column; /* a column of the enclosing query; from MT_OUTER_AGG on: its aggregate */
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
   /* The argument. NULL: count(*). Several arguments, followed by ORDER BY keys, are packed as one
    * call of the pseudo-function mt_agg_row. */
   MtX *arg;
   const MtAggOrder *order; /* By key of the aggregate's ORDER BY: the direction. */
   int order_count;
   MtX *filter; /* NULL: none */
   bool distinct;
   MtType type; /* of the result */
   MtSpan span;
   /* The plan reads the states of this call, and computes from them the result of another call,
    * `answers`. NULL: the result is this call's. */
   const struct MtAggCall *answers;
} MtAggCall;

/* A call of locf or interpolate. MT_X_AGG refers to fill i by index aggregate count + i. */
typedef struct MtFill {
   bool linear;    /* interpolate, not locf */
   bool nulls_too; /* A NULL of an existing row counts as a gap. */
   MtX *value;     /* over keys and aggregates */
   /* The value before the first row and, for interpolate, behind the last one, over the keys without
    * the time. NULL: none. */
   MtX *prev, *next;
   MtX *prev_time, *next_time; /* for interpolate: the times of these values */
} MtFill;

/* GROUP BY time_bucket_gapfill (…). Each group of the other keys gets a row for each time bucket of
 * a range. */
typedef struct MtGapfill {
   int key;             /* The index of the time's key, a call of time_bucket. */
   MtX *width, *ts;     /* ts is over FROM's columns */
   MtX *zone;           /* NULL: UTC */
   MtX *origin;         /* as in time_bucket; NULL: the default */
   MtX *offset;         /* as in time_bucket; NULL: none */
   MtX *start, *finish; /* range of buckets; NULL or a constant NULL: derived from `where` */
   /* start is the time of the first row, finish that of the last one. A constant NULL: there is no
    * row, and so no gap. */
   bool from_first, to_last;
   /* WHERE and inner join conditions, as before pushdown. */
   const MtX *where;
   MtFill *fills;
   int fill_count;
} MtGapfill;

typedef enum MtRelKind {
   MT_REL_NONE,   /* no FROM: one row without columns */
   MT_REL_TABLE,  /* a table, in `table` */
   MT_REL_QUERY,  /* a sub-select, in `query` */
   MT_REL_VALUES, /* VALUES, in `rows` */
   MT_REL_JOIN,   /* a join, in `join`: the left side's columns, then the right side's */
   MT_REL_SERIES, /* generate_series with constants, in `series` */
   MT_REL_UNNEST, /* set-returning functions, in `unnest`, after the columns of their input */
   MT_REL_WORK,   /* the newest rows of a recursive query, named by `work` */
   MT_REL_SYSTEM, /* a table of pg_catalog: name in `work`, rows in `given` */
   MT_REL_SHARED  /* a query that is computed once and read in several places, in `shared` */
} MtRelKind;

typedef struct MtRelColumn {
   const char *name;
   MtType type;
   bool nullable, finite; /* as MtX.nullable, MtX.finite */
} MtRelColumn;

typedef struct MtRel MtRel;

/* A WITH query, view or sub-select that is computed once and read in several places. */
typedef struct MtShared {
   const char *name;          /* the name of the common table expression, or the view's */
   const char *work;          /* The name for its rows in $_mtWith, unique in the statement. */
   MtQuery *query;            /* The query, after pushdown. */
   struct MtSharedRows *rows; /* The rows, for all plans of the statement (engine/engine.h). */
   bool checked;              /* Set by the pass that checks the tables of each query once. */
   int decimals; /* Whether the query groups by a numeric. 1: yes; -1: no; 0: not checked yet. */
} MtShared;

/* generate_series with constant arguments. `next` computes the next value from column 0. `empty`:
 * an argument is NULL, so there are no rows. */
typedef struct MtSeries {
   MtX *start, *stop, *step;
   MtX *next;
   bool down; /* step is negative */
   bool empty;
} MtSeries;

/* A column of a set-returning function. */
typedef struct MtUnnestColumn {
   int call;          /* index of MtUnnest.calls */
   const char *field; /* The field of the row document. NULL: the whole row. */
} MtUnnestColumn;

/* Set-returning functions over the rows of another item of FROM. Each row is repeated for each row
 * of the longest set. Shorter sets give NULLs. */
typedef struct MtUnnest {
   MtRel *input; /* the item whose rows are repeated; MT_REL_NONE: one row */
   MtX **calls;  /* Calls of set-returning functions, over the input's columns. */
   int count;
   MtUnnestColumn *columns; /* The functions' columns, which follow the input's. */
   int column_count;
   bool ordinality; /* WITH ORDINALITY: an extra last column numbers the rows of the set. */
   bool keep;       /* LEFT JOIN: an input row with empty sets is returned with NULLs. */
   MtX *on;         /* A condition over all columns. NULL: none. Never with keep. */
} MtUnnest;

/* A variable of $_mtApply: a value of the left row that the right side uses (MT_X_OUTER). */
typedef struct MtLet {
   int column;
   MtX *x; /* the value, an expression over the left side's columns */
} MtLet;

/* A join. Its columns are the left side's, then the right side's. `on` is over these columns. */
typedef struct MtJoin {
   bool keep_left, keep_right; /* Outer join: unmatched rows of the side are returned with NULLs. */
   MtRel *left, *right;
   MtX *on; /* The join condition. NULL: cross join. */
   /* With keep_left only. Each left row is returned once, and an extra last column is true if the
    * row had a partner. */
   bool mark;
   bool single; /* With keep_left only. A second partner is an error (21000). */
   /* ASOF: each left row has at most one partner, the nearest by the inequality in `on`
    * (planner/plan/asof.h). Never with keep_right. */
   bool asof;
   /* ASOF: how far away a partner may be, a constant: an interval without months, or an int8. NULL:
    * any distance. */
   const MtX *tolerance;
   /* Not 0: the right side refers to left columns, and runs once for each left row. The number is
    * MtX.outer.scope of these references. Never with keep_right. */
   int apply;
   MtLet *lets;
   int let_count;
   /* A condition on the left row. If it is not true, the right side is not run, and the row has no
    * partner. NULL: always true. */
   MtX *when;
} MtJoin;

/* A column name of FROM. For a column that USING merged, `expr` computes the value. */
typedef struct MtRelName {
   const char *name;
   int column;
   MtX *expr; /* the value; NULL: the column number `column` */
} MtRelName;

/* One table of a join, with the column names that can be qualified by its alias. */
typedef struct MtRelItem {
   const char *alias; /* NULL: none */
   const char *full;  /* schema.table, for a table without an alias of its own; else NULL */
   const MtTable *table;
   const char *system; /* The name, if the table is in pg_catalog. Otherwise NULL. */
   MtRelName *names;
   int name_count;
} MtRelItem;

struct MtRel {
   MtRelKind kind;
   const char *alias;
   const char *full; /* as in MtRelItem */
   MtRelColumn *columns;
   int column_count;
   const MtTable *table; /* the columns are the table's, by position */
   MtQuery *query;       /* the columns are its targets */
   MtX ***rows;          /* MT_REL_VALUES: constant expressions, row by row */
   int row_count;
   MtSeries *series;
   MtUnnest *unnest;
   MtJoin *join;
   /* MT_REL_JOIN, MT_REL_UNNEST: the columns of SELECT * and of unqualified names. NULL:
    * `columns`. */
   MtRelName *names;
   int name_count;
   /* MT_REL_QUERY: by column, the index of the sub-select's target; -1: none. NULL: column i is
    * target i. */
   int *targets;
   /* MT_REL_JOIN, MT_REL_UNNEST: the joined tables in order. NULL: only the table `alias`. */
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
   bool never_nan; /* no row has NaN */
} MtSortX;

typedef enum MtTimesKind {
   MT_TIMES_ARMS,      /* the sum over arms first … first + count - 1 */
   MT_TIMES_UNION,     /* left, right */
   MT_TIMES_INTERSECT, /* left, right */
   MT_TIMES_EXCEPT     /* left, right */
} MtTimesKind;

/* How often a row occurs in the result of UNION, INTERSECT or EXCEPT, as a formula over its counts
 * in the member queries (arms). */
typedef struct MtTimes {
   MtTimesKind kind;
   bool all; /* false: without ALL, so at most once */
   int first, count;
   struct MtTimes *left, *right;
   int height; /* 0 for MT_TIMES_ARMS */
} MtTimes;

struct MtQuery {
   /* The member queries of a set operation, combined by UNION ALL. The targets are their columns
    * (MT_X_COLUMN); rel, where … are then empty. */
   MtQuery **arms;
   int arm_count;
   /* WITH RECURSIVE: the name of the newest rows (MT_REL_WORK). arms[0] runs once; arms[1] runs on
    * the newest rows until it returns none. NULL: not recursive. */
   const char *work;
   bool work_all;  /* false: UNION, which removes duplicates */
   MtTimes *times; /* How often each row is returned. NULL: UNION ALL. */

   MtRel rel;
   /* Window calls, computed over rel, a sub-select. FROM's columns are the calls, then the
    * sub-select's columns. NULL: none. */
   MtWindows *windows;
   MtX *where;   /* NULL: none. Boolean, over FROM's columns. */
   bool grouped; /* the block has GROUP BY, HAVING or an aggregate */
   MtX **keys;   /* over FROM's columns */
   int key_count;
   MtAggCall *aggs;
   int agg_count;
   MtX *having;        /* over keys and aggregates */
   MtGapfill *gapfill; /* NULL: none. Applied after HAVING. */
   MtTargetX *targets; /* the select list, then hidden items for ORDER BY */
   int target_count;
   int visible_count;
   /* By target. MT_LITERAL: an untyped literal or NULL that became text. Above 0: the number of an
    * untyped parameter that became text. 0: all others. NULL: all are 0. */
   int *literals;
   bool distinct; /* SELECT DISTINCT of the visible targets */
   MtSortX *sort;
   int sort_count;
   int on_count;   /* DISTINCT ON: the number of its keys, which are the first of sort. 0: none. */
   bool unordered; /* the block has no ORDER BY, so its rows may come in any order */
   int64_t limit;  /* -1: none */
   bool with_ties; /* FETCH … WITH TIES: also returns rows that sort equal to the last one */
   int64_t offset; /* 0: none */
};

/* Copies the properties nullable and finite from `from` to x, a reference to its value. */
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
/* Returns the MtRelColumn of a table column. Stored times are finite, because layouts/writer.c
 * rejects infinite ones. */
static inline MtRelColumn mt_rel_column_stored (const MtColumn *c)
{
   return (MtRelColumn) {c->name, c->type, !c->not_null, true};
}

/* Prints an expression as SQL, for EXPLAIN and tests. Columns' names come from q, which may be
 * NULL. */
void mt_x_print (const MtX *x, const MtQuery *q, MtBuf *out);

/* Calls `visit` for each expression of q and of its sub-queries. visit may replace *x. Returns
 * false as soon as visit returns false. */
typedef bool (*MtVisitX) (void *ctx, MtX **x);
bool mt_query_each (MtQuery *q, MtVisitX visit, void *ctx);
bool mt_rel_each (MtRel *rel, MtVisitX visit, void *ctx);
/* Calls `visit` for each table that q and its sub-queries read, once for each place. visit may
 * replace *t by another table with the same columns. Returns false as soon as visit returns false.
 * Memory is taken from arena a. */
typedef bool (*MtVisitTable) (void *ctx, const MtTable **t);
bool mt_tables_each (MtArena *a, MtQuery *q, MtVisitTable visit, void *ctx);
/* Calls `visit` for each target of q, then for each sort key. visit may replace *x. Returns false
 * as soon as visit returns false. */
bool mt_results_each (MtQuery *q, MtVisitX visit, void *ctx);
/* Returns whether x refers to a column of the enclosing query number `scope` (MT_X_OUTER). 0: of
 * any enclosing query. */
bool mt_x_has_outer (const MtX *x, int scope);
/* Returns whether running the query twice may give different rows, as with random(). */
bool mt_query_is_volatile (const MtQuery *q);
/* Returns the name of the $_mtApply variable for a column of an enclosing query, without "$$". In
 * arena a. */
const char *mt_outer_name (MtArena *a, int scope, int column);

/* Returns a copy in arena a with its own queries, joins and arms. Expressions are shared, because
 * nothing changes them in place. */
MtQuery *mt_query_copy (MtArena *a, const MtQuery *q);

#endif
