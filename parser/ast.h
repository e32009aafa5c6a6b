/* The syntax tree: what the user wrote, with its place in the text, and nothing else.
 *
 * Nodes are made by the builders behind the grammar only, live in the statement's arena and are
 * never changed afterwards. A union's live member is named beside its kind. Names are as the lexer
 * left them: unquoted ones as typed (matching ignores case later), quoted ones exact
 * (MtName.quoted). Lists are singly linked through `next`, in source order. */
#ifndef MT_AST_H
#define MT_AST_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

typedef struct MtName {
   const char *text; /* NUL-terminated, in the statement's arena; NULL: absent */
   bool quoted;
   MtSpan span;
} MtName;

/* Whether a name matches by its spelling alone: a quoted one with capitals. Others match whatever
 * their case, "abc" too: it is what PostgreSQL makes of Abc without quotes. */
static inline bool mt_name_is_exact (const MtName *n)
{
   const char *c = n->quoted ? n->text : "";
   while (*c && (*c < 'A' || *c > 'Z'))
      c++;
   return *c != 0;
}

typedef struct MtNameList {
   MtName name;
   struct MtNameList *next;
} MtNameList;

typedef struct MtExpr MtExpr;
typedef struct MtExprList MtExprList;
typedef struct MtSelect MtSelect;
typedef struct MtOrderItem MtOrderItem;

struct MtExprList {
   MtExpr *expr;
   MtExprList *next;
};

/* A type as written: numeric(10,2), double precision, timestamptz, varchar(3)[] … */
typedef struct MtTypeName {
   MtName schema; /* text NULL: none */
   MtName name; /* normalised to one word: "double precision" -> float8, "timestamp with time zone"
                   -> timestamptz */
   int modifiers[2];            /* -1: absent */
   int array_dims;              /* 0: not an array */
   const char *interval_fields; /* interval's "day to second", NULL otherwise */
   MtSpan span;
} MtTypeName;

typedef struct MtTypeList {
   MtTypeName *type;
   struct MtTypeList *next;
} MtTypeList;

/* name type, …: the columns of a function's rows, where the call says them. */
typedef struct MtFieldDef {
   MtName name;
   MtTypeName *type;
   struct MtFieldDef *next;
} MtFieldDef;

typedef enum MtFrameMode { MT_FRAME_ROWS, MT_FRAME_RANGE, MT_FRAME_GROUPS } MtFrameMode;
typedef enum MtFrameBoundKind {
   MT_BOUND_UNBOUNDED_PRECEDING,
   MT_BOUND_PRECEDING, /* offset */
   MT_BOUND_CURRENT_ROW,
   MT_BOUND_FOLLOWING, /* offset */
   MT_BOUND_UNBOUNDED_FOLLOWING
} MtFrameBoundKind;

#define MT_ZONE_INTERVAL "interval "

typedef struct MtFrameBound {
   MtFrameBoundKind kind;
   MtExpr *offset;
   MtSpan span; /* where it begins */
} MtFrameBound;

/* OVER (…), OVER name, or an entry of the WINDOW clause. */
typedef struct MtWindow {
   MtName name;       /* WINDOW name AS; or the referenced name; text NULL: neither */
   MtName base;       /* (base …): the window that this one extends; text NULL: none */
   bool is_reference; /* OVER name, nothing else given */
   MtExprList *partition;
   MtOrderItem *order;
   bool has_frame;
   MtFrameMode mode;
   MtFrameBound start, end;
   const char *exclude; /* "current row" | "group" | "ties" | "no others"; NULL: not given */
   MtSpan span;         /* with its parentheses; of a reference, the name */
   struct MtWindow *next;
} MtWindow;

typedef enum MtExprKind {
   MT_EXPR_NULL,
   MT_EXPR_BOOL,         /* boolean */
   MT_EXPR_INTEGER,      /* text: digits, any length; the binder decides int4, int8 or numeric */
   MT_EXPR_DECIMAL,      /* text: with point or exponent */
   MT_EXPR_STRING,       /* str: after unescaping, may hold any valid UTF-8 */
   MT_EXPR_BITSTRING,    /* str: B'…' or X'…' with its letter first */
   MT_EXPR_TYPED_STRING, /* typed: date '2020-01-01', interval '1 day' */
   MT_EXPR_PARAM,        /* param: $1 is 1 */
   MT_EXPR_COLUMN,       /* column: a, t.a, s.t.a */
   MT_EXPR_STAR,         /* column: * (parts NULL) or t.* */
   MT_EXPR_OPERATOR, /* op: any prefix or infix operator, comparison and arithmetic included; "<>"
                        also for != */
   MT_EXPR_AND,      /* list: flattened, two or more */
   MT_EXPR_OR,       /* list: flattened, two or more */
   MT_EXPR_NOT,      /* arg */
   MT_EXPR_IS,       /* is: IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM right */
   MT_EXPR_BETWEEN,  /* between */
   MT_EXPR_IN,       /* in: a list or a sub-select */
   MT_EXPR_LIKE,     /* like: LIKE, ILIKE, SIMILAR TO */
   MT_EXPR_CALL,     /* call: functions and aggregates; extract(), substring(), trim(), position(),
                        overlay() arrive here as calls named extract, substring, btrim/ltrim/rtrim,
                        position, overlay (PostgreSQL's own rule); coalesce, nullif, greatest, least
                        too; current_timestamp & co. as calls without arguments */
   MT_EXPR_CASE,     /* case_ */
   MT_EXPR_CAST,     /* cast: CAST (x AS t), x::t */
   MT_EXPR_AT_TIME_ZONE, /* op: left, right */
   MT_EXPR_COLLATE,      /* collate */
   MT_EXPR_SUBQUERY,     /* subquery: (SELECT …) as a value */
   MT_EXPR_EXISTS,       /* subquery */
   MT_EXPR_QUANTIFIED,   /* quantified: x op ANY|ALL (sub-select or array) */
   MT_EXPR_ARRAY,        /* list: ARRAY[…]; or subquery when list is NULL and subquery isn't */
   MT_EXPR_ROW,          /* list: ROW(…) or (a, b) */
   MT_EXPR_SUBSCRIPT,    /* subscript: a[i], a[i:j] */
   MT_EXPR_FIELD,        /* field: (expr).name */
   MT_EXPR_PART,   /* part: one of the columns of a sub-select's only row; no syntax: what UPDATE
                      makes of (a, b) = (SELECT …) */
   MT_EXPR_DEFAULT /* DEFAULT in VALUES or SET */
} MtExprKind;

typedef enum MtIsTest {
   MT_IS_NULL,
   MT_IS_TRUE,
   MT_IS_FALSE,
   MT_IS_UNKNOWN,
   MT_IS_DISTINCT_FROM
} MtIsTest;
typedef enum MtLikeKind { MT_LIKE, MT_ILIKE, MT_SIMILAR } MtLikeKind;

struct MtExpr {
   MtExprKind kind;
   MtSpan span;
   MtSpan outer; /* with the parentheses around it, if any */
   MtSpan at; /* where errors point that are about its operator: the word, of BETWEEN, IN, LIKE, IS
                 DISTINCT FROM; ::; else the span */
   int depth; /* levels of nodes below, sub-selects included; never above MT_MAX_EXPR_DEPTH */
   union {
      bool boolean;
      const char *text;
      MtStr str;
      int param;
      MtExpr *arg;
      struct {
         MtExprList *list;
         MtSelect *subquery;
         MtExprList *last; /* of list: for builders */
         bool bare;        /* MT_EXPR_ROW: (a, b), without the word */
      };
      struct {
         MtTypeName *type;
         MtStr str;
         MtSpan str_span; /* of the literal alone */
      } typed;
      struct {
         MtNameList *parts;
      } column;
      struct {
         const char *op; /* NUL-terminated */
         MtSpan op_span;
         MtExpr *left; /* NULL: prefix operator */
         MtExpr *right;
      } op;
      struct {
         MtIsTest test;
         bool negated;
         MtExpr *left, *right; /* right: DISTINCT FROM only */
      } is;
      struct {
         bool negated, symmetric;
         MtExpr *value, *low, *high;
      } between;
      struct {
         bool negated;
         MtExpr *value;
         MtExprList *list; /* NULL: sub-select */
         MtSelect *subquery;
      } in;
      struct {
         MtLikeKind kind;
         bool negated;
         MtExpr *value, *pattern, *escape; /* escape NULL: backslash */
      } like;
      struct {
         MtNameList *name; /* schema-qualified names have two parts */
         MtExprList *args;
         MtNameList *arg_names; /* parallel to args when any is named (name => value); else NULL */
         bool star;             /* count(*) */
         bool distinct;
         bool variadic;      /* the last argument */
         MtOrderItem *order; /* inside the parentheses */
         MtOrderItem *within_group;
         MtExpr *filter;
         MtWindow *over;   /* NULL: not a window call */
         int ignore_nulls; /* 0 not said, 1 IGNORE NULLS, 2 RESPECT NULLS */
      } call;
      struct {
         MtExpr *operand;           /* NULL: searched CASE */
         MtExprList *whens, *thens; /* parallel */
         MtExpr *otherwise;         /* NULL: ELSE NULL */
      } case_;
      struct {
         MtExpr *arg;
         MtTypeName *type;
      } cast;
      struct {
         MtExpr *arg;
         MtName collation;
      } collate;
      struct {
         MtExpr *left;
         const char *op;
         MtSpan op_span;
         bool all;           /* ANY/SOME otherwise */
         MtSelect *subquery; /* or */
         MtExpr *array;
      } quantified;
      struct {
         MtExpr *array, *low, *high;
         bool slice;
      } subscript;
      struct {
         MtExpr *arg;
         MtName name;
      } field;
      struct {
         const MtExpr *row; /* MT_EXPR_SUBQUERY; the same for all of its parts */
         int index, count;
      } part;
   };
};

struct MtOrderItem {
   MtExpr *expr;
   bool descending;
   int nulls;            /* 0 not said, 1 NULLS FIRST, 2 NULLS LAST */
   const char *using_op; /* ORDER BY x USING >; NULL otherwise */
   MtOrderItem *next;
};

/* One item of the select list, or of RETURNING. */
typedef struct MtTarget {
   MtExpr *expr; /* MT_EXPR_STAR for * and t.* */
   MtName alias; /* text NULL: none */
   struct MtTarget *next;
} MtTarget;

typedef enum MtFromKind {
   MT_FROM_TABLE,    /* table */
   MT_FROM_SUBQUERY, /* subquery */
   MT_FROM_FUNCTION, /* function: an MT_EXPR_CALL; rows_from for several */
   MT_FROM_JOIN      /* join */
} MtFromKind;

typedef enum MtJoinKind {
   MT_JOIN_INNER,
   MT_JOIN_LEFT,
   MT_JOIN_RIGHT,
   MT_JOIN_FULL,
   MT_JOIN_CROSS,
   MT_JOIN_ASOF
} MtJoinKind;

typedef struct MtFrom {
   MtFromKind kind;
   MtSpan span;
   MtName alias;
   MtNameList *column_aliases;
   bool lateral;
   bool with_ordinality;
   int depth;
   union {
      struct {
         MtName schema, name;
         bool only;
         MtExpr *sample; /* TABLESAMPLE method (…): an MT_EXPR_CALL */
         MtExpr *repeatable;
      } table;
      MtSelect *subquery;
      struct {
         MtExpr *call;
         MtExprList *rows_from;
         MtFieldDef *fields; /* AS x (a int, …): NULL: none */
      } function;
      struct {
         MtJoinKind kind;
         bool natural;
         bool asof_left; /* ASOF LEFT JOIN: rows of the left side without a match are kept */
         struct MtFrom *left, *right;
         MtExpr *on;
         MtNameList *using_columns;
         MtName using_alias;
      } join;
   };
   struct MtFrom *next; /* comma list */
} MtFrom;

typedef struct MtCte {
   MtName name;
   MtNameList *columns;
   MtSelect *query;
   int materialized; /* 0 not said, 1 MATERIALIZED, 2 NOT MATERIALIZED */
   int uses;         /* 0 … 3, or more: items of FROM in the whole statement that have its name */
   bool self;        /* some of them are in its own text */
   struct MtCte *next;
} MtCte;

typedef enum MtGroupKind {
   MT_GROUP_EXPR,
   MT_GROUP_EMPTY,
   MT_GROUP_ROLLUP,
   MT_GROUP_CUBE,
   MT_GROUP_SETS
} MtGroupKind;

typedef struct MtGroupItem {
   MtGroupKind kind;
   MtSpan span;
   MtExpr *expr;              /* MT_GROUP_EXPR */
   struct MtGroupItem *items; /* ROLLUP, CUBE, SETS */
   struct MtGroupItem *next;
} MtGroupItem;

typedef enum MtSelectKind {
   MT_SELECT_PLAIN,  /* plain */
   MT_SELECT_VALUES, /* values: rows of expressions */
   MT_SELECT_SETOP   /* setop */
} MtSelectKind;

typedef enum MtSetOp { MT_UNION, MT_INTERSECT, MT_EXCEPT } MtSetOp;

typedef struct MtRowList {
   MtExprList *row;
   MtSpan span;
   struct MtRowList *next;
} MtRowList;

/* SELECT … INTO schema.name */
/* What becomes of a temporary table when a transaction commits. */
typedef enum MtOnCommitClause {
   MT_ON_COMMIT_NONE,
   MT_ON_COMMIT_PRESERVE,
   MT_ON_COMMIT_DELETE,
   MT_ON_COMMIT_DROP
} MtOnCommitClause;

typedef struct MtInto {
   MtName schema, name;
   bool temporary;
   MtSpan span;
} MtInto;

struct MtSelect {
   MtSelectKind kind;
   MtSpan span;
   int depth;
   bool with_recursive;
   MtCte *with;
   union {
      struct {
         bool distinct;
         MtExprList *distinct_on;
         MtTarget *targets; /* NULL: SELECT with an empty list (PostgreSQL allows it) */
         MtFrom *from;
         MtExpr *where;
         bool group_distinct;
         MtGroupItem *group_by;
         MtExpr *having;
         MtWindow *windows;
      } plain;
      struct {
         MtRowList *rows;
         MtRowList *last; /* of rows: for builders */
      } values;
      struct {
         MtSetOp op;
         bool all;
         MtSelect *left, *right;
      } setop;
   };
   MtOrderItem *order;
   MtExpr *limit; /* NULL: none, or LIMIT ALL */
   MtExpr *offset;
   bool limit_with_ties; /* FETCH FIRST … WITH TIES */
   MtInto *into;         /* where it isn't allowed (42601); NULL: none */
   const char *locking;  /* "update", "share"…: refused later; NULL: none */
};

/* NAME = value, NAME value or a bare NAME in WITH (…), COPY and EXPLAIN options. */
typedef struct MtOption {
   MtName name;
   enum { MT_OPT_NONE, MT_OPT_STRING, MT_OPT_NUMBER, MT_OPT_WORD, MT_OPT_BOOL, MT_OPT_LIST } kind;
   MtStr value;      /* the text of the value; MT_OPT_BOOL: "true"/"false" */
   MtNameList *list; /* MT_OPT_LIST: (a, b) */
   MtSpan span;      /* of the value, or of the name */
   struct MtOption *next;
} MtOption;

typedef enum MtColumnRole {
   MT_ROLE_NONE,
   MT_ROLE_TIME,
   MT_ROLE_DIMENSION,
   MT_ROLE_MEASURE
} MtColumnRole;

typedef struct MtColumnDef {
   MtName name;
   MtTypeName *type;
   MtColumnRole role;
   bool counter; /* MEASURE COUNTER */
   MtStr period; /* TIME PERIOD '60 s'; p NULL: none */
   MtSpan period_span;
   MtStr field; /* FIELD 'stored name'; p NULL: the column's name */
   bool not_null, primary_key, unique;
   bool null_said; /* NULL or NOT NULL was written */
   MtExpr *default_value;
   MtExpr *generated; /* GENERATED ALWAYS AS (…) STORED */
   MtExpr *check;
   MtSpan span;
   struct MtColumnDef *next;
} MtColumnDef;

/* USING layout WITH (…) */
typedef struct MtLayoutDef {
   MtName name;   /* ADD LAYOUT name; text NULL: the layout's own name */
   MtName access; /* USING name; text NULL: not given */
   MtOption *options;
   MtSpan span;
} MtLayoutDef;

/* The argument types of a function that is dropped. */
typedef struct MtDropArgs {
   bool given; /* false: the name alone */
   MtTypeList *types;
   struct MtDropArgs *next;
} MtDropArgs;

typedef struct MtFunctionArg {
   MtName name; /* text NULL: unnamed */
   MtTypeName *type;
   MtExpr *default_value;
   struct MtFunctionArg *next;
} MtFunctionArg;

/* column = value, or (a, b) = row. */
typedef struct MtAssign {
   MtNameList *columns;
   MtExpr *value; /* may be DEFAULT, or of a row */
   bool row;
   bool part; /* column.field or column[…] = value */
   struct MtAssign *next;
} MtAssign;

/* ON CONFLICT [(target) | ON CONSTRAINT name] DO {NOTHING | UPDATE SET … [WHERE …]} */
typedef struct MtOnConflict {
   MtExprList *target;
   MtExpr *target_where;
   MtName constraint; /* text NULL: none */
   bool updates;
   MtAssign *set;
   MtExpr *where;
   MtSpan span;
} MtOnConflict;

typedef enum MtStmtKind {
   MT_STMT_SELECT,          /* select */
   MT_STMT_INSERT,          /* insert */
   MT_STMT_UPDATE,          /* change */
   MT_STMT_DELETE,          /* change */
   MT_STMT_TRUNCATE,        /* drop: names, schemas, cascade */
   MT_STMT_PREPARE,         /* prepare */
   MT_STMT_EXECUTE,         /* execute */
   MT_STMT_DEALLOCATE,      /* execute: name only; text NULL: ALL */
   MT_STMT_CREATE_TABLE,    /* create_table */
   MT_STMT_DROP_TABLE,      /* drop */
   MT_STMT_ALTER_TABLE,     /* alter_table */
   MT_STMT_COPY,            /* copy */
   MT_STMT_ANALYZE,         /* maintain (table.text NULL: all) */
   MT_STMT_PREALLOCATE,     /* preallocate */
   MT_STMT_SET,             /* set */
   MT_STMT_RESET,           /* set: name only; text NULL: ALL */
   MT_STMT_SHOW,            /* set: name only; text NULL: ALL */
   MT_STMT_EXPLAIN,         /* explain */
   MT_STMT_CREATE_FUNCTION, /* create_function */
   MT_STMT_DROP_FUNCTION,   /* drop */
   MT_STMT_CREATE_LAYOUT,   /* create_layout */
   MT_STMT_DROP_LAYOUT,     /* drop */
   MT_STMT_CREATE_VIEW,     /* create_view */
   MT_STMT_DROP_VIEW,       /* drop */
   MT_STMT_CREATE_INDEX,    /* create_index */
   MT_STMT_DROP_INDEX,      /* drop */
   MT_STMT_COMMENT,         /* comment */
   MT_STMT_LOAD,            /* load: a shared library */
   MT_STMT_TRANSACTION,     /* transaction */
   MT_STMT_DISCARD,         /* discard */
   MT_STMT_DECLARE,         /* declare */
   MT_STMT_FETCH,           /* fetch; MOVE, too */
   MT_STMT_CLOSE,           /* execute: name only; text NULL: ALL */
   MT_STMT_REFRESH,         /* refresh: a materialized view */
   MT_STMT_DROP_MATVIEW,    /* drop */
   MT_STMT_CHECK,           /* maintain: CHECK TABLE, CHECK LAYOUT */
   MT_STMT_REPAIR,          /* maintain */
   MT_STMT_VACUUM,          /* maintain: table.text NULL: all */
   MT_STMT_CALL             /* call: CALL drop_chunks (…); a SELECT of nothing else is one, too */
} MtStmtKind;

typedef enum MtAlterKind {
   MT_ALTER_ADD_LAYOUT,    /* layout */
   MT_ALTER_DROP_LAYOUT,   /* name */
   MT_ALTER_RENAME_TO,     /* name */
   MT_ALTER_ADD_COLUMN,    /* column, name */
   MT_ALTER_DROP_COLUMN,   /* name, cascade */
   MT_ALTER_RENAME_COLUMN, /* name, new_name */
   MT_ALTER_COLUMN_TYPE,   /* name, column: its type; using_expr */
   MT_ALTER_SET_DEFAULT,   /* name, column: its default */
   MT_ALTER_DROP_DEFAULT,  /* name */
   MT_ALTER_SET_NOT_NULL,  /* name */
   MT_ALTER_DROP_NOT_NULL, /* name */
   MT_ALTER_SET_OPTIONS,   /* options */
   MT_ALTER_RESET_OPTIONS  /* options: their names */
} MtAlterKind;

typedef enum MtTxnVerb {
   MT_TXN_BEGIN,       /* modes */
   MT_TXN_START,       /* modes */
   MT_TXN_COMMIT,      /* chain */
   MT_TXN_ROLLBACK,    /* chain */
   MT_TXN_SAVEPOINT,   /* name */
   MT_TXN_RELEASE,     /* name */
   MT_TXN_ROLLBACK_TO, /* name */
   MT_TXN_SET,         /* modes: SET TRANSACTION */
   MT_TXN_SET_SESSION  /* modes: SET SESSION CHARACTERISTICS AS TRANSACTION */
} MtTxnVerb;

typedef enum MtIsolation {
   MT_ISOLATION_UNSAID,
   MT_READ_UNCOMMITTED,
   MT_READ_COMMITTED,
   MT_REPEATABLE_READ,
   MT_SERIALIZABLE
} MtIsolation;

/* What was said of a transaction; the last counts. */
typedef struct MtTxnModes {
   MtIsolation isolation;
   enum { MT_ACCESS_UNSAID, MT_ACCESS_WRITE, MT_ACCESS_READ } access;
   enum { MT_DEFER_UNSAID, MT_DEFER_NO, MT_DEFER_YES } deferrable;
} MtTxnModes;

typedef enum MtFetchHow {
   MT_FETCH_FORWARD,
   MT_FETCH_BACKWARD,
   MT_FETCH_ABSOLUTE,
   MT_FETCH_RELATIVE
} MtFetchHow;

typedef enum MtDiscard {
   MT_DISCARD_ALL,
   MT_DISCARD_PLANS,
   MT_DISCARD_SEQUENCES,
   MT_DISCARD_TEMP
} MtDiscard;

typedef enum MtCommentOn { MT_COMMENT_TABLE, MT_COMMENT_VIEW, MT_COMMENT_COLUMN } MtCommentOn;

/* A literal, read by its statement. */
typedef struct MtTypedText {
   MtStr str;
   MtSpan span;
} MtTypedText;

typedef struct MtStmt {
   MtStmtKind kind;
   MtSpan span;
   union {
      MtSelect *select;
      struct {
         MtName schema, table;
         MtNameList *columns;
         MtSelect *source;       /* VALUES or SELECT; NULL: DEFAULT VALUES */
         MtOnConflict *conflict; /* NULL: none */
         MtTarget *returning;
         MtName alias; /* text NULL: none */
      } insert;
      struct {
         MtName name;
         MtTypeList *types; /* of its parameters, as far as they are given */
         struct MtStmt *stmt;
      } prepare;
      struct {
         MtName name;
         MtExprList *args;
      } execute;
      struct {
         MtName schema, table, alias;
         MtCte *with;
         bool with_recursive;
         MtAssign *set; /* UPDATE */
         MtFrom *from;  /* UPDATE … FROM, DELETE … USING */
         MtExpr *where;
         MtTarget *returning;
      } change;
      struct {
         MtName schema, name;
         bool if_not_exists;
         MtColumnDef *columns;
         MtNameList *key;        /* PRIMARY KEY (…) or KEY (…) as a table constraint */
         bool primary;           /* it is PRIMARY */
         MtLayoutDef *layout;    /* NULL: default */
         MtSelect *as;           /* CREATE TABLE … AS */
         struct MtStmt *execute; /* CREATE TABLE … AS EXECUTE: instead of `as` */
         MtNameList *as_names;   /* its columns' names; NULL: the query's */
         bool no_data;
         bool materialized; /* CREATE MATERIALIZED VIEW … AS */
         bool temporary;
         MtOnCommitClause on_commit;
      } create_table;
      struct {
         MtNameList *names;
         MtNameList *schemas; /* parallel to names (text NULL: none); NULL when no name has one */
         MtDropArgs *args;    /* DROP FUNCTION: parallel to names */
         bool if_exists;
         bool cascade;
      } drop;
      struct {
         MtName schema, table;
         bool if_exists;
         MtAlterKind action;
         bool action_if_exists; /* ADD … IF NOT EXISTS, DROP … IF EXISTS */
         MtLayoutDef *layout;
         MtColumnDef *column;
         MtExpr *using_expr; /* NULL: none */
         MtOption *options;
         MtName name, new_name; /* name: SET and RESET: of a layout; text NULL: of the table */
         bool cascade;
         bool materialized;   /* ALTER MATERIALIZED VIEW */
         struct MtStmt *next; /* another action of the same statement; NULL: none */
      } alter_table;
      struct {
         MtName schema, table; /* table.text NULL: query */
         MtNameList *columns;
         MtSelect *query;
         struct MtStmt
            *change; /* TO: INSERT, UPDATE or DELETE, whose RETURNING is copied; NULL: none */
         bool from;  /* TO otherwise */
         MtStr file; /* p NULL: STDIN or STDOUT */
         MtSpan file_span;
         MtOption *options;
         MtExpr *where;
      } copy;
      MtName table;
      struct {
         MtExpr *x;
         bool select; /* written as SELECT */
      } call;
      struct {
         MtName schema, table;
         MtTypedText length, from; /* FOR '1 day' FROM '2020-01-01'; from.str.p NULL: now */
      } preallocate;
      struct {
         MtName name;
         bool local;
         bool is_default;  /* SET x TO DEFAULT */
         MtOption *values; /* a list; usually one; of SET TIME ZONE INTERVAL '…' its text behind
                              MT_ZONE_INTERVAL */
      } set;
      struct {
         MtOption *options; /* ANALYZE, VERBOSE, FORMAT … */
         struct MtStmt *stmt;
      } explain;
      struct {
         MtName name;
         bool or_replace;
         MtFunctionArg *args;
         MtTypeName *returns;
         MtName language;
         MtStr body;       /* AS 'body' */
         MtStr symbol;     /* AS 'library', 'symbol' */
         MtSpan body_span; /* of the literal, with its quotes */
         int body_at; /* where the body's own text begins in the statement; -1: it isn't there as it
                         is (doubled quotes, escapes) */
         int volatility; /* 0 volatile (default), 1 stable, 2 immutable */
         bool strict;
      } create_function;
      struct {
         MtName name; /* text NULL: made of the columns' */
         bool if_not_exists;
         MtName schema, table;
         MtName method; /* USING; text NULL: not given */
         MtNameList *columns;
         bool ordered; /* DESC or NULLS FIRST or LAST, which has no effect */
      } create_index;
      struct {
         MtCommentOn on;
         MtName schema, name;
         MtName column; /* of `name`; text NULL: the comment is on that itself */
         MtStr text;    /* p NULL: none any more */
      } comment;
      struct {
         MtName schema, name;
         bool or_replace;
         MtNameList *columns; /* NULL: the query's names */
         MtSelect *query;
      } create_view;
      struct {
         MtName name;
         bool or_replace;
         MtStr descriptor; /* AS '{…}' */
         MtSpan descriptor_span;
      } create_layout;
      struct {
         MtStr file;
         MtSpan span;
      } load;
      struct {
         MtTxnVerb verb;
         MtTxnModes modes;
         MtName name;
         bool chain; /* AND CHAIN */
      } transaction;
      MtDiscard discard;
      struct {
         MtName schema, name;
         bool concurrently, no_data;
      } refresh;
      struct {
         MtName schema, table;
         MtName layout;       /* text NULL: all */
         MtName from;         /* REPAIR: the layout that is right; text NULL: not said */
         bool full, analyze;  /* VACUUM */
         MtNameList *columns; /* of ANALYZE */
      } maintain;
      struct {
         MtName name;
         MtSelect *query;
         bool scroll, no_scroll, binary, hold;
      } declare;
      struct {
         MtName name;
         MtFetchHow how;
         int64_t count; /* of rows, or which row; INT64_MAX: ALL */
         bool move;
      } fetch;
   };
} MtStmt;

#endif
