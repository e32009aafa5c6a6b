/* The typed tree: a statement whose names and types are resolved. The binder makes it, and the
 * planner and executor read it.
 *
 * A query block (MtQuery) is one SELECT: FROM, WHERE, GROUP BY, HAVING, select list, DISTINCT,
 * ORDER BY, LIMIT. Blocks are nested in FROM and in set operations. Once made, the tree is
 * immutable. It is in the statement's arena. */
#ifndef MT_QUERY_H
#define MT_QUERY_H

#include "layouts/table.h"

typedef struct MtX MtX;
typedef struct MtQuery MtQuery;
typedef struct MtFunc MtFunc;       /* defined in query/function.h */
typedef struct MtAgg MtAgg;         /* defined in query/function.h */
typedef struct MtWindows MtWindows; /* defined in query/window.h */

typedef enum MtXKind {
   MT_X_CONST,    /* a constant in `value`; NULL is MT_NULL */
   MT_X_COLUMN,   /* column number `column` of FROM */
   MT_X_CALL,     /* `call`: a function, operator or cast */
   MT_X_AND,      /* the AND of all expressions in `list` */
   MT_X_OR,       /* the OR of all expressions in `list` */
   MT_X_NOT,      /* NOT list[0] */
   MT_X_IS_NULL,  /* list[0] IS NULL */
   MT_X_IN,       /* list[0] IN (list[1], …), all of one type; the result may be NULL */
   MT_X_CASE,     /* list: condition, result, condition, result, …, ELSE result */
   MT_X_COALESCE, /* COALESCE of all expressions in `list` */
   MT_X_KEY,      /* group key number `index`; only in expressions after GROUP BY */
   MT_X_AGG,      /* aggregate number `index`; only in expressions after GROUP BY */
   MT_X_TARGET,   /* select-list item number `index`; only in ORDER BY and DISTINCT */
   /* Window call number `index`. The binder replaces this node by a column of FROM. */
   MT_X_WINDOW,
   MT_X_OUTER /* `outer`: a column of an enclosing query (correlated sub-select, LATERAL) */
} MtXKind;

/* In MtX.outer.column, MT_OUTER_AGG + i means aggregate number i of the enclosing query. */
#define MT_OUTER_AGG (1 << 23)
#define MT_LITERAL (-1) /* value in MtQuery.literals: the item is a literal of unknown type */

struct MtX {
   MtXKind kind;
   MtType type;
   bool nullable;    /* false: the value is never NULL */
   bool is_volatile; /* contains a volatile function */
   /* The value is certainly not an infinite time, which MongoDB's operators would treat as an
    * ordinary date. */
   bool finite;
   /* During PREPARE: the number of the parameter that this constant stands for as long as the
    * parameter has no type. Otherwise 0. */
   int param;
   int depth; /* height of the tree; 1: the node has no children */
   /* Number of nodes with children in this expression, itself included. A node that is shared is
    * counted at each occurrence. */
   int size;
   MtSpan span;
   union {
      MtVal value;
      int column;
      int index;
      struct {
         int scope;  /* number of the enclosing query, as in MtJoin.apply */
         int column; /* column number in the enclosing query; from MT_OUTER_AGG on, an aggregate */
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

/* The direction of one key of an aggregate's ORDER BY. */
typedef struct MtAggOrder {
   bool descending, nulls_first;
} MtAggOrder;

/* An aggregate call of a query block. Equal calls share one MtAggCall. */
typedef struct MtAggCall {
   const MtAgg *agg;
   /* The argument. NULL: count(*). Several arguments, and after them the ORDER BY keys, are packed
    * into one call of the pseudo-function mt_agg_row. */
   MtX *arg;
   const MtAggOrder *order; /* For each key of the aggregate's ORDER BY: its direction. */
   int order_count;
   MtX *filter; /* NULL: none */
   bool distinct;
   MtType type; /* type of the result */
   MtSpan span;
   /* Set if the plan reads stored states of this call, and computes from them the result of the
    * call `answers`. NULL: the result is that of this call. */
   const struct MtAggCall *answers;
} MtAggCall;

/* A call of locf or interpolate, for gap filling. An MT_X_AGG whose index is the aggregate count +
 * i refers to fill number i. */
typedef struct MtFill {
   bool linear;    /* true: interpolate; false: locf */
   bool nulls_too; /* NULLs in existing rows are filled, too. */
   MtX *value;     /* an expression over keys and aggregates */
   /* The value before the first row, and, for interpolate, the value after the last row:
    * expressions over the keys other than the time. NULL: none. */
   MtX *prev, *next;
   MtX *prev_time, *next_time; /* for interpolate: the times of prev and next */
} MtFill;

/* GROUP BY time_bucket_gapfill (…). For each combination of the other keys there is a row for each
 * time bucket in a range. */
typedef struct MtGapfill {
   int key;             /* Index of the group key that is the time, a call of time_bucket. */
   MtX *width, *ts;     /* the bucket's width, and the time, over FROM's columns */
   MtX *zone;           /* NULL: UTC */
   MtX *origin;         /* as in time_bucket; NULL: the default */
   MtX *offset;         /* as in time_bucket; NULL: none */
   MtX *start, *finish; /* range of the buckets; NULL or a constant NULL: taken from `where` */
   /* The range begins with the first row, and ends with the last. If start or finish is then a
    * constant NULL, there are no rows, so there is nothing to fill. */
   bool from_first, to_last;
   /* The WHERE and inner join conditions, as they were before pushdown. */
   const MtX *where;
   MtFill *fills;
   int fill_count;
} MtGapfill;

typedef enum MtRelKind {
   MT_REL_NONE,   /* no FROM: one row without columns */
   MT_REL_TABLE,  /* a table, in `table` */
   MT_REL_QUERY,  /* a sub-select, in `query` */
   MT_REL_VALUES, /* VALUES, in `rows` */
   MT_REL_JOIN,   /* a join, in `join`; columns of the left side precede those of the right */
   MT_REL_SERIES, /* generate_series with constants, in `series` */
   MT_REL_UNNEST, /* set-returning functions, in `unnest`; their columns follow the input's */
   MT_REL_WORK,   /* the newest rows of the recursive query with the name `work` */
   MT_REL_SYSTEM, /* a table of pg_catalog: its name is `work`, its rows are in `given` */
   MT_REL_SHARED  /* a query that is computed once and read several times, in `shared` */
} MtRelKind;

/* The stored column whose values a column of a query has, unchanged. */
typedef struct MtOrigin {
   /* The catalog's name of a table (mt_table_id) or view. NULL: there is no such column. */
   const char *relation;
   int column; /* its number in the relation, from 1 */
} MtOrigin;

typedef struct MtRelColumn {
   const char *name;
   MtType type;
   bool nullable, finite; /* like MtX.nullable and MtX.finite */
   MtOrigin origin;
} MtRelColumn;

typedef struct MtRel MtRel;

/* A WITH query, view or sub-select that is computed once and read several times. */
typedef struct MtShared {
   const char *name;          /* name of the WITH query or view */
   const char *work;          /* Name of its rows in stage $_mtWith, unique in the statement. */
   MtQuery *query;            /* The query, after pushdown. */
   struct MtSharedRows *rows; /* Its rows, for all plans of the statement (engine/engine.h). */
   bool checked;              /* Its tables were checked; each shared query is checked only once. */
   int decimals; /* Whether the query groups by a numeric: 1 yes, -1 no, 0 not checked yet. */
} MtShared;

/* generate_series with constant arguments. `next` computes the next value from column 0, the
 * current one. `empty`: an argument is NULL, so there are no rows. */
typedef struct MtSeries {
   MtX *start, *stop, *step;
   MtX *next;
   bool down; /* step is negative */
   bool empty;
} MtSeries;

/* A column that set-returning functions in FROM return. */
typedef struct MtUnnestColumn {
   int call;          /* index of MtUnnest.calls */
   const char *field; /* Name of its field in the row document. NULL: the whole row. */
} MtUnnestColumn;

/* Set-returning functions, called for each row of another FROM item. The row is repeated for each
 * row of the longest set; shorter sets are filled with NULLs. */
typedef struct MtUnnest {
   MtRel *input; /* the item for whose rows they are called; MT_REL_NONE: one row */
   MtX **calls;  /* Calls of set-returning functions, over the input's columns. */
   int count;
   MtUnnestColumn *columns; /* The columns of the functions, which follow those of the input. */
   int column_count;
   bool ordinality; /* WITH ORDINALITY: a last column has the number of the set's row. */
   bool keep;       /* LEFT JOIN: an input row whose sets are empty gives NULLs. */
   MtX *on;         /* A condition over all columns. NULL: none. Not used together with keep. */
} MtUnnest;

/* A variable of the stage $_mtApply: a value of the left row, to which the right side refers by
 * MT_X_OUTER. */
typedef struct MtLet {
   int column;
   MtX *x; /* the value, an expression over the left side's columns */
} MtLet;

/* A join. Its columns are those of the left side, and then those of the right side; `on` uses these
 * numbers. */
typedef struct MtJoin {
   bool keep_left, keep_right; /* Outer join: unmatched rows of this side are returned. */
   MtRel *left, *right;
   MtX *on; /* The join condition. NULL: cross join. */
   /* Only with keep_left: each left row is returned once, and an additional last column is true if
    * the row has a match. */
   bool mark;
   bool single; /* Only with keep_left: a second match is an error (21000). */
   /* ASOF join: each left row has at most one match, the nearest row by the inequality in `on`
    * (planner/plan/asof.h). Never with keep_right. */
   bool asof;
   /* For ASOF: the greatest distance of a match, a constant: an interval without months, or an
    * int8. NULL: no limit. */
   const MtX *tolerance;
   /* Not 0: the right side refers to left columns, so it runs again for each left row. The number
    * is MtX.outer.scope of these references. Never with keep_right. */
   int apply;
   MtLet *lets;
   int let_count;
   /* A condition on the left row. If it is not true, the right side is not run, and the row has no
    * match. NULL: always true. */
   MtX *when;
} MtJoin;

/* A column name that FROM defines. If USING has merged two columns, `expr` computes the value. */
typedef struct MtRelName {
   const char *name;
   int column;
   MtX *expr; /* the value; NULL: it is column number `column` */
} MtRelName;

/* One table of a join, with the column names that its alias can qualify. */
typedef struct MtRelItem {
   const char *alias; /* NULL: none */
   const char *full;  /* schema.table, if the table has no alias; else NULL */
   const MtTable *table;
   const char *system; /* The table's name, if it is in pg_catalog; else NULL. */
   MtRelName *names;
   int name_count;
} MtRelItem;

struct MtRel {
   MtRelKind kind;
   const char *alias;
   const char *full; /* like MtRelItem.full */
   MtRelColumn *columns;
   int column_count;
   const MtTable *table; /* the table; column i is the table's column i */
   MtQuery *query;       /* the sub-select; its columns are the query's targets */
   MtX ***rows;          /* MT_REL_VALUES: the rows, each an array of constant expressions */
   int row_count;
   MtSeries *series;
   MtUnnest *unnest;
   MtJoin *join;
   /* MT_REL_JOIN, MT_REL_UNNEST: the column names for SELECT * and for unqualified names. NULL:
    * those in `columns`. */
   MtRelName *names;
   int name_count;
   /* MT_REL_QUERY: for each column, the index of the sub-select's target; -1: none. NULL: column i
    * is target i. */
   int *targets;
   /* MT_REL_JOIN, MT_REL_UNNEST: the joined tables in order. NULL: there is only the table
    * `alias`. */
   MtRelItem *items;
   int item_count;
   /* MT_REL_WORK: the name of the recursive query's newest rows in the plan. MT_REL_SYSTEM: the
    * table's name. */
   const char *work;
   MtShared *shared;
   MtVal given;         /* MT_REL_SYSTEM: the rows, an array of documents */
   const char **fields; /* MT_REL_SYSTEM: for each column, its field in these documents */
};

typedef struct MtTargetX {
   const char *name;
   MtX *expr; /* Over keys and aggregates if the block is grouped, else over FROM's columns. */
} MtTargetX;

typedef struct MtSortX {
   MtX *expr; /* MT_X_TARGET, or an expression like MtTargetX.expr */
   bool descending;
   bool nulls_first;
   bool never_nan; /* no row has NaN */
} MtSortX;

typedef enum MtTimesKind {
   MT_TIMES_ARMS,      /* the sum over member queries first … first + count - 1 */
   MT_TIMES_UNION,     /* `left` UNION `right` */
   MT_TIMES_INTERSECT, /* `left` INTERSECT `right` */
   MT_TIMES_EXCEPT     /* `left` EXCEPT `right` */
} MtTimesKind;

/* A formula for how often a row occurs in the result of UNION, INTERSECT or EXCEPT, over the
 * numbers of times that it occurs in each member query. */
typedef struct MtTimes {
   MtTimesKind kind;
   bool all; /* false: without ALL, so the row occurs at most once */
   int first, count;
   struct MtTimes *left, *right;
   int height; /* height of the formula's tree; 0 for MT_TIMES_ARMS */
} MtTimes;

struct MtQuery {
   /* The member queries of a set operation, combined by UNION ALL. The targets are then their
    * columns (MT_X_COLUMN), and rel, where … are empty. */
   MtQuery **arms;
   int arm_count;
   /* WITH RECURSIVE: the name of the newest rows (MT_REL_WORK). arms[0] runs once; then arms[1]
    * runs on the newest rows until it returns none. NULL: the query is not recursive. */
   const char *work;
   bool work_all;  /* UNION ALL; false: UNION, which removes duplicates */
   MtTimes *times; /* How often each row is returned (INTERSECT, EXCEPT …). NULL: UNION ALL. */

   MtRel rel;
   /* Window calls, which are computed over rel, a sub-select. The columns of FROM are then the
    * calls, followed by the sub-select's columns. NULL: none. */
   MtWindows *windows;
   MtX *where;   /* Boolean expression over FROM's columns. NULL: none. */
   bool grouped; /* the block has GROUP BY, HAVING or an aggregate */
   MtX **keys;   /* over FROM's columns */
   int key_count;
   MtAggCall *aggs;
   int agg_count;
   MtX *having;        /* over keys and aggregates */
   MtGapfill *gapfill; /* Gap filling, which is applied after HAVING. NULL: none. */
   MtTargetX *targets; /* the select list, followed by hidden items for ORDER BY */
   int target_count;
   int visible_count;
   /* For each target: MT_LITERAL if it is an untyped literal or NULL that became text; a number
    * above 0 if it is that untyped parameter, which became text; 0 otherwise. NULL: 0 for all. */
   int *literals;
   /* For each visible target: its origin. Set for the outermost query and for shared ones. NULL: no
    * target has an origin. */
   MtOrigin *origins;
   bool distinct; /* SELECT DISTINCT, of the visible targets */
   MtSortX *sort;
   int sort_count;
   int on_count;   /* DISTINCT ON: number of its keys, the first sort keys; 0: none. */
   bool unordered; /* the block has no ORDER BY, so its rows may come in any order */
   int64_t limit;  /* -1: none */
   bool with_ties; /* FETCH … WITH TIES: also returns rows that sort equal to the last one */
   int64_t offset; /* 0: none */
};

/* Copies the properties nullable and finite to x, which is a reference to the value of `from`. */
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
/* Returns an MtRelColumn without an origin. */
static inline MtRelColumn mt_column_computed (const char *name, MtType type, bool nullable,
                                              bool finite)
{
   return (MtRelColumn) {name, type, nullable, finite, {NULL, 0}};
}
static inline MtRelColumn mt_rel_column_of (const char *name, const MtX *x)
{
   return mt_column_computed (name, x->type, x->nullable, x->finite);
}
/* Returns the MtRelColumn for a stored column of a table. Stored times are never infinite, because
 * the writer rejects infinite times. */
static inline MtRelColumn mt_rel_column_stored (const MtColumn *c)
{
   return mt_column_computed (c->name, c->type, !c->not_null, true);
}
/* Returns the MtRelColumn for a target of q, with its origin. Call it before q is rewritten. */
MtRelColumn mt_rel_column_target (const MtQuery *q, int target);
/* Sets q->origins. Call it before q is rewritten. */
void mt_query_set_origins (MtArena *a, MtQuery *q);

/* Prints an expression as SQL, for EXPLAIN and tests. Column names are those of q, which may be
 * NULL. */
void mt_x_print (const MtX *x, const MtQuery *q, MtBuf *out);

/* Calls `visit` for each expression of q and of its sub-queries. visit may replace *x. Stops and
 * returns false when visit returns false. */
typedef bool (*MtVisitX) (void *ctx, MtX **x);
bool mt_query_each (MtQuery *q, MtVisitX visit, void *ctx);
bool mt_rel_each (MtRel *rel, MtVisitX visit, void *ctx);
/* Calls `visit` for each table that q and its sub-queries read, once for each occurrence. visit may
 * replace *t by another table with the same columns. Stops and returns false when visit returns
 * false. Temporary memory is in arena a. */
typedef bool (*MtVisitTable) (void *ctx, const MtTable **t);
bool mt_tables_each (MtArena *a, MtQuery *q, MtVisitTable visit, void *ctx);
/* Calls `visit` for each target of q, and then for each sort key. visit may replace *x. Stops and
 * returns false when visit returns false. */
bool mt_results_each (MtQuery *q, MtVisitX visit, void *ctx);
/* Returns whether x refers to a column of the enclosing query number `scope` (by MT_X_OUTER). 0: to
 * a column of any enclosing query. */
bool mt_x_has_outer (const MtX *x, int scope);
/* Returns whether running the query twice may give different rows, as with random(). */
bool mt_query_is_volatile (const MtQuery *q);
/* Returns the name, without "$$", of the variable in $_mtApply for a column of an enclosing query.
 * In arena a. */
const char *mt_outer_name (MtArena *a, int scope, int column);

/* Returns a copy of q in arena a, with copies of its sub-queries, joins and member queries.
 * Expressions are shared, because they are never changed in place. */
MtQuery *mt_query_copy (MtArena *a, const MtQuery *q);

#endif
