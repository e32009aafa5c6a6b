/* The typed tree: what a statement means, after names and types are resolved. Made by the binder,
 * read by everything after.
 *
 * A query block is one SELECT: FROM, WHERE, GROUP BY, HAVING, select list, DISTINCT, ORDER BY,
 * LIMIT. Blocks nest through FROM and UNION ALL. Immutable once made; everything is in the
 * statement's arena. */
#ifndef MT_QUERY_H
#define MT_QUERY_H

#include "layouts/table.h"

typedef struct MtX MtX;
typedef struct MtQuery MtQuery;
typedef struct MtFunc MtFunc;       /* query/function.h */
typedef struct MtAgg MtAgg;         /* query/function.h */
typedef struct MtWindows MtWindows; /* query/window.h */

typedef enum MtXKind {
   MT_X_CONST,   /* value (MT_NULL for NULL) */
   MT_X_COLUMN,  /* column: of the block's FROM */
   MT_X_CALL,    /* call: a function, operator or cast; evaluated strictly unless its row says
                    otherwise */
   MT_X_AND,     /* list */
   MT_X_OR,      /* list */
   MT_X_NOT,     /* list[0] */
   MT_X_IS_NULL, /* list[0] */
   MT_X_IN,   /* list[0] is the value, list[1…] the alternatives, all of one type; three-valued */
   MT_X_CASE, /* list: when, then, when, then, …, else (always there); whens are boolean */
   MT_X_COALESCE, /* list */
   MT_X_KEY,      /* index: a group key of this block (only above the grouping) */
   MT_X_AGG,      /* index: an aggregate of this block (only above the grouping) */
   MT_X_TARGET,   /* index: a select-list item of this block (ORDER BY and DISTINCT only) */
   MT_X_WINDOW,   /* index: a window call; only while binding: afterwards those are columns of the
                     block's FROM */
   MT_X_OUTER     /* outer: a column of a row around this block, which runs for each of them */
} MtXKind;

#define MT_OUTER_AGG (1 << 23)
#define MT_LITERAL (-1) /* MtQuery.literals */

struct MtX {
   MtXKind kind;
   MtType type;
   bool nullable;    /* false: can't be NULL */
   bool is_volatile; /* contains a volatile function */
   bool finite; /* no time in it is infinite, as far as is known: pipelines compute with infinite
                   times as with any other (planner/emit/emit_int.h) */
   int param;   /* of an UNKNOWN constant while a statement is prepared: the parameter whose type
                   isn't known yet; 0: none */
   int depth;
   int size; /* nodes with children in it, as often as they are in it; 0: none */
   MtSpan span;
   union {
      MtVal value;
      int column;
      int index;
      struct {
         int scope;        /* MtJoin.apply */
         int column;       /* MtLet.column; from MT_OUTER_AGG on an aggregate of that block */
         const char *name; /* of the column, for EXPLAIN; NULL: it has none */
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

typedef struct MtAggOrder {
   bool descending, nulls_first;
} MtAggOrder;

/* One aggregate call of a block; equal calls share one. */
typedef struct MtAggCall {
   const MtAgg *agg;
   MtX *arg; /* NULL: count(*); of several arguments, and of ORDER BY's expressions behind them, a
                call of mt_agg_row */
   const MtAggOrder *order; /* of ORDER BY's expressions */
   int order_count;
   MtX *filter; /* NULL: none */
   bool distinct;
   MtType type; /* of the result */
   MtSpan span;
} MtAggCall;

/* locf or interpolate of a value; an MT_X_AGG behind the aggregates stands for it. */
typedef struct MtFill {
   bool linear;    /* interpolate */
   bool nulls_too; /* a NULL of a row that is there is a gap, too */
   MtX *value;     /* over keys and aggregates */
   MtX *prev;      /* before the first row: over the keys but the time; NULL: none */
} MtFill;

/* GROUP BY time_bucket_gapfill (…): a row for each bucket of a range, in each group of the other
 * keys. */
typedef struct MtGapfill {
   int key;             /* which of the keys; it is a time_bucket call */
   MtX *width, *ts;     /* ts: over FROM's columns */
   MtX *zone;           /* NULL: UTC */
   MtX *start, *finish; /* NULL, or constant NULL: from `where` */
   const MtX *where; /* WHERE and the conditions of inner joins as they were written: they may have
                        gone to where the rows come from */
   MtFill *fills;
   int fill_count;
} MtGapfill;

typedef enum MtRelKind {
   MT_REL_NONE,   /* no FROM: one row without columns */
   MT_REL_TABLE,  /* table */
   MT_REL_QUERY,  /* query: a sub-select */
   MT_REL_VALUES, /* values */
   MT_REL_JOIN,   /* join: columns are the left side's, then the right one's */
   MT_REL_SERIES, /* series */
   MT_REL_UNNEST, /* unnest: columns are the input's, then those of the functions */
   MT_REL_WORK,   /* work: the rows that a recursive query made last */
   MT_REL_SYSTEM, /* work, given: a table of the catalog */
   MT_REL_SHARED  /* shared: rows that are computed once, and read in several places */
} MtRelKind;

typedef struct MtRelColumn {
   const char *name;
   MtType type;
   bool nullable, finite; /* as of the values: MtX */
} MtRelColumn;

typedef struct MtRel MtRel;

/* A common table expression that is computed once, whoever reads it. */
typedef struct MtShared {
   const char *name;          /* of the common table expression */
   const char *work;          /* what its rows are called in plans; one in a statement */
   MtQuery *query;            /* with its conditions pushed down */
   struct MtSharedRows *rows; /* of all plans of the statement (engine/engine.h) */
   bool checked, listed;      /* by those that look at each query's tables once */
   int decimals; /* whether numerics are keys of groups in it: 1 yes, -1 no; 0: nobody has looked */
} MtShared;

/* generate_series: constants of the column's type, and the value after that in column 0; *empty:
 * one of them is NULL. */
typedef struct MtSeries {
   MtX *start, *stop, *step;
   MtX *next;
   bool down; /* step is negative */
   bool empty;
} MtSeries;

/* Functions that give sets, over the rows of another item of FROM: each row once for each row of
 * the longest set (NULLs where another ends before). */
typedef struct MtUnnestColumn {
   int call;
   const char *field; /* of the set's rows, which are documents; NULL: the row is the value */
} MtUnnestColumn;

typedef struct MtUnnest {
   MtRel *input; /* MT_REL_NONE: there is no other item */
   MtX **calls;  /* of rows with MT_F_SET, over the input's columns */
   int count;
   MtUnnestColumn *columns; /* behind the input's */
   int column_count;
   bool ordinality; /* one more column at the end: the number of the row in the set */
   bool keep;       /* an input row whose sets are empty stays, with NULLs */
   MtX *on;         /* over all columns: which rows are wanted; NULL: all. Never with keep */
} MtUnnest;

/* What MT_X_OUTER of a column stands for: a value of the left row. */
typedef struct MtLet {
   int column;
   MtX *x; /* over the columns of the left side */
} MtLet;

/* A join's sides keep their order in its columns. `on` and the two lists of keys are over its
 * columns. */
typedef struct MtJoin {
   bool keep_left, keep_right; /* rows without a partner stay, with NULLs for it */
   MtRel *left, *right;
   MtX *on; /* NULL: every pair */
   /* With keep_left: */
   bool mark;   /* each left row once; one more column at the end says whether it had a partner */
   bool single; /* a second partner is an error (21000) */
   bool asof;   /* each left row has at most one partner, the nearest by `on`'s inequality
                   (planner/plan/asof.h); keep_right isn't set */
   /* The right side refers to the left one's rows, and is made for each of them: keep_right isn't
    * set. */
   int apply; /* MT_X_OUTER.outer.scope; 0: it doesn't */
   MtLet *lets;
   int let_count;
   MtX *when; /* over the left side: for other rows it isn't made, and they have no partner; NULL:
                 for all */
} MtJoin;

/* A name by which a column can be referred to: column `column`, or, where USING made two of them
 * one, an expression over the columns. */
typedef struct MtRelName {
   const char *name;
   int column;
   MtX *expr; /* NULL: the column */
} MtRelName;

/* A table of a join by its alias, and what can be asked of it. */
typedef struct MtRelItem {
   const char *alias; /* NULL: none */
   const MtTable *table;
   const char *system; /* a table of the catalog; NULL: it is none */
   MtRelName *names;
   int name_count;
} MtRelItem;

struct MtRel {
   MtRelKind kind;
   const char *alias;
   MtRelColumn *columns;
   int column_count;
   const MtTable *table; /* columns are the table's, by position */
   MtQuery *query;       /* columns are its targets */
   MtX ***rows;          /* MT_REL_VALUES: constant expressions, row by row */
   int row_count;
   MtSeries *series;
   MtUnnest *unnest;
   MtJoin *join;
   MtRelName *names; /* MT_REL_JOIN, MT_REL_UNNEST: what * gives and names without a table mean;
                        otherwise the columns are */
   int name_count;
   int *targets; /* MT_REL_QUERY: by column the target of the query, -1: nobody wants it; NULL: the
                    same number */
   MtRelItem *items; /* MT_REL_JOIN, MT_REL_UNNEST: in order; otherwise `alias` is the only one */
   int item_count;
   const char *work; /* MT_REL_WORK: what the collection of those rows is called in the plan;
                        MT_REL_SYSTEM: the table's name */
   MtShared *shared;
   MtVal given;         /* MT_REL_SYSTEM: an array of documents … */
   const char **fields; /* … and what the columns are called there */
};

typedef struct MtTargetX {
   const char *name;
   MtX *expr; /* over keys and aggregates when grouped, over FROM's columns otherwise */
} MtTargetX;

typedef struct MtSortX {
   MtX *expr; /* MT_X_TARGET, or an expression as in targets */
   bool descending;
   bool nulls_first;
} MtSortX;

typedef enum MtTimesKind {
   MT_TIMES_ARMS,      /* arms first … first + count - 1, added up */
   MT_TIMES_UNION,     /* left, right */
   MT_TIMES_INTERSECT, /* left, right */
   MT_TIMES_EXCEPT     /* left, right */
} MtTimesKind;

/* How often a row is in the result of a set operation, from how often it is in each arm. */
typedef struct MtTimes {
   MtTimesKind kind;
   bool all; /* false: once at most */
   int first, count;
   struct MtTimes *left, *right;
   int height; /* 0: MT_TIMES_ARMS */
} MtTimes;

struct MtQuery {
   /* UNION ALL: arms are the parts, and targets have MT_X_COLUMN over the arms' columns (then rel,
    * where … are empty). */
   MtQuery **arms;
   int arm_count;
   /* WITH RECURSIVE: arms[0] once, then arms[1] over the rows that were made last (MT_REL_WORK of
    * this name), until there are none. NULL: no. */
   const char *work;
   bool work_all;  /* false: a row comes once */
   MtTimes *times; /* of the arms' rows; NULL: every one of them as often as it is there */

   MtRel rel;
   MtWindows *windows; /* computed over rel, which is a sub-select: its first columns are the calls,
                          the sub-select's come after; NULL: none */
   MtX *where;         /* NULL: none; boolean; over FROM's columns */
   bool grouped;       /* GROUP BY or aggregates or HAVING */
   MtX **keys;         /* over FROM's columns */
   int key_count;
   MtAggCall *aggs;
   int agg_count;
   MtX *having;        /* over keys and aggregates */
   MtGapfill *gapfill; /* NULL: none; after HAVING */
   MtTargetX *targets; /* visible ones first */
   int target_count;
   int visible_count;
   int *literals; /* by target: MT_LITERAL, a string literal or NULL that was made text because
                     nothing said what else; a parameter's number, where it was; 0: neither. NULL:
                     none is */
   bool distinct; /* over the visible targets */
   MtSortX *sort;
   int sort_count;
   int on_count;   /* DISTINCT ON: the first of sort are its keys; 0: none */
   bool unordered; /* and there is no ORDER BY */
   int64_t limit;  /* -1: none */
   bool with_ties; /* and the rows behind that sort like the last one */
   int64_t offset; /* 0: none */
};

/* What is known of the values of `from` holds for x, which refers to them. */
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
/* A stored column, whose times are finite (layouts/writer.c refuses others). */
static inline MtRelColumn mt_rel_column_stored (const MtColumn *c)
{
   return (MtRelColumn) {c->name, c->type, !c->not_null, true};
}

/* Debug text of an expression or a query, as SQL (EXPLAIN's filters, tests). Column names come from
 * rel. */
void mt_x_print (const MtX *x, const MtQuery *q, MtBuf *out);

/* Calls visit for each expression of q and of the blocks below, and lets it replace it (lists may
 * be shared with copies of q). False: a visit failed. */
typedef bool (*MtVisitX) (void *ctx, MtX **x);
bool mt_query_each (MtQuery *q, MtVisitX visit, void *ctx);
bool mt_rel_each (MtRel *rel, MtVisitX visit, void *ctx);
/* Whether there is an MT_X_OUTER of this scope; 0: of any. */
bool mt_x_has_outer (const MtX *x, int scope);
/* Whether rows may differ when they are computed again. */
bool mt_query_is_volatile (const MtQuery *q);
/* What MT_X_OUTER of a let is called in a pipeline, without "$$". */
const char *mt_outer_name (MtArena *a, int scope, int column);

/* A copy in arena a whose queries, joins and arms are its own; expressions, which nobody changes,
 * are shared. */
MtQuery *mt_query_copy (MtArena *a, const MtQuery *q);

#endif
