/* The syntax tree of a statement: what the user wrote, with its position in the text.
 *
 * The builders (build_int.h) create the nodes in the statement's arena. Nodes never change
 * afterwards. The comment beside a node's kind names the union member that it uses. Names are as
 * the lexer returns them: an unquoted name as it was typed, a quoted name (MtName.quoted) without
 * its quotes. Lists are singly linked through `next`, in the order of the text. */
#ifndef MT_AST_H
#define MT_AST_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

typedef struct MtName {
   const char *text; /* NUL-terminated, in the statement's arena; NULL: there is no name */
   bool quoted;
   MtSpan span;
} MtName;

/* Returns whether the name matches only in its exact spelling, that is, whether it is quoted and
 * has capital letters. All other names match case-insensitively, even the quoted "abc", because
 * PostgreSQL folds an unquoted Abc to abc. */
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
typedef struct MtStarItem MtStarItem;

struct MtExprList {
   MtExpr *expr;
   MtExprList *next;
};

/* A type as the user wrote it: numeric(10,2), double precision, timestamptz, varchar(3)[], … */
typedef struct MtTypeName {
   MtName schema; /* schema.text NULL: no schema was given */
   /* one word: "double precision" becomes float8, "timestamp with time zone" timestamptz */
   MtName name;
   int modifiers[2]; /* the numbers in parentheses, as in numeric(10,2); -1: not given */
   int array_dims;   /* number of array dimensions; 0: not an array */
   /* the fields of an interval type, such as "day to second"; NULL: not given */
   const char *interval_fields;
   MtSpan span;
} MtTypeName;

typedef struct MtTypeList {
   MtTypeName *type;
   struct MtTypeList *next;
} MtTypeList;

/* A column definition `name type` after a function in FROM: a column of the rows that the
 * function returns. */
typedef struct MtFieldDef {
   MtName name;
   MtTypeName *type;
   struct MtFieldDef *next;
} MtFieldDef;

typedef enum MtFrameMode { MT_FRAME_ROWS, MT_FRAME_RANGE, MT_FRAME_GROUPS } MtFrameMode;
typedef enum MtFrameBoundKind {
   MT_BOUND_UNBOUNDED_PRECEDING,
   MT_BOUND_PRECEDING, /* MtFrameBound.offset PRECEDING */
   MT_BOUND_CURRENT_ROW,
   MT_BOUND_FOLLOWING, /* MtFrameBound.offset FOLLOWING */
   MT_BOUND_UNBOUNDED_FOLLOWING
} MtFrameBoundKind;

#define MT_ZONE_INTERVAL "interval "

typedef struct MtFrameBound {
   MtFrameBoundKind kind;
   MtExpr *offset;
   MtSpan span; /* position where the bound begins in the text */
} MtFrameBound;

/* A window definition: OVER (…), OVER name, or an item of the WINDOW clause. */
typedef struct MtWindow {
   /* the name in `WINDOW name AS`, or the name in `OVER name`; text NULL: neither */
   MtName name;
   /* in (base …), the name of the window that this window extends; text NULL: none */
   MtName base;
   bool is_reference; /* the definition is only `OVER name` */
   MtExprList *partition;
   MtOrderItem *order;
   bool has_frame;
   MtFrameMode mode;
   MtFrameBound start, end;
   /* the EXCLUDE option: "current row", "group", "ties" or "no others"; NULL: not given */
   const char *exclude;
   /* position of the definition with its parentheses, or of the name in `OVER name` */
   MtSpan span;
   struct MtWindow *next;
} MtWindow;

typedef enum MtExprKind {
   MT_EXPR_NULL,
   MT_EXPR_BOOL, /* data in MtExpr.boolean */
   /* MtExpr.text: any number of digits; the binder chooses int4, int8 or numeric */
   MT_EXPR_INTEGER,
   MT_EXPR_DECIMAL,      /* MtExpr.text: a number with a decimal point or an exponent */
   MT_EXPR_STRING,       /* MtExpr.str: the text without quotes and escapes, any valid UTF-8 */
   MT_EXPR_BITSTRING,    /* MtExpr.str: a bit string B'…' or X'…', with its letter first */
   MT_EXPR_TYPED_STRING, /* MtExpr.typed: date '2020-01-01', interval '1 day' */
   MT_EXPR_PARAM,        /* MtExpr.param: the number of a parameter, 1 for $1 */
   MT_EXPR_COLUMN,       /* MtExpr.column: a, t.a, s.t.a */
   MT_EXPR_STAR,         /* MtExpr.column: * (with parts NULL), t.* or (expr).* */
   /* MtExpr.op: any prefix or infix operator, including comparison and arithmetic; != is stored
    * as "<>" */
   MT_EXPR_OPERATOR,
   MT_EXPR_AND,     /* MtExpr.list: two or more operands; a AND b AND c is one node */
   MT_EXPR_OR,      /* MtExpr.list: two or more operands; a OR b OR c is one node */
   MT_EXPR_NOT,     /* data in MtExpr.arg */
   MT_EXPR_IS,      /* MtExpr.is: IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM right */
   MT_EXPR_BETWEEN, /* data in MtExpr.between */
   MT_EXPR_IN,      /* MtExpr.in: IN with a list or a sub-select */
   MT_EXPR_LIKE,    /* MtExpr.like: LIKE, ILIKE, SIMILAR TO */
   /* MtExpr.call: a call of a function or an aggregate. As in PostgreSQL, extract(),
    * substring(), trim(), position() and overlay() become calls of extract, substring,
    * btrim/ltrim/rtrim, position and overlay. coalesce, nullif, greatest and least are calls,
    * too. current_timestamp and the like are calls without arguments. */
   MT_EXPR_CALL,
   MT_EXPR_CASE,         /* data in MtExpr.case_ */
   MT_EXPR_CAST,         /* MtExpr.cast: CAST (x AS t), x::t */
   MT_EXPR_AT_TIME_ZONE, /* MtExpr.op: `left` AT TIME ZONE `right` */
   MT_EXPR_COLLATE,      /* data in MtExpr.collate */
   MT_EXPR_SUBQUERY,     /* MtExpr.subquery: (SELECT …) as a value */
   MT_EXPR_EXISTS,       /* MtExpr.subquery: EXISTS (SELECT …) */
   MT_EXPR_QUANTIFIED,   /* MtExpr.quantified: x op ANY|ALL (sub-select or array) */
   /* MtExpr.list for ARRAY[…], or MtExpr.subquery for ARRAY(SELECT …); the other one is NULL */
   MT_EXPR_ARRAY,
   MT_EXPR_ROW,       /* MtExpr.list: ROW(…) or (a, b) */
   MT_EXPR_SUBSCRIPT, /* MtExpr.subscript: a[i], a[i:j] */
   MT_EXPR_FIELD,     /* MtExpr.field: (expr).name */
   /* MtExpr.part: one column of the only row of a sub-select. No syntax gives it; the builder makes
    * it for (a, b) = (SELECT …) in UPDATE. */
   MT_EXPR_PART,
   MT_EXPR_DEFAULT /* the word DEFAULT in VALUES or SET */
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
   MtSpan outer; /* position of the expression with the parentheses around it, if any */
   /* position for errors about the operator: the word BETWEEN, IN, LIKE or IS DISTINCT FROM, the ::
    * of a cast; otherwise `span` */
   MtSpan at;
   /* height of the tree below this node, including sub-selects; at most MT_MAX_EXPR_DEPTH */
   int depth;
   union {
      bool boolean;
      const char *text;
      MtStr str;
      int param;
      MtExpr *arg;
      struct {
         MtExprList *list;
         MtSelect *subquery;
         MtExprList *last; /* the last element of `list`, for the builders */
         bool bare;        /* MT_EXPR_ROW written as (a, b), without the word ROW */
      };
      struct {
         MtTypeName *type;
         MtStr str;
         MtSpan str_span; /* position of the literal without the type's name */
      } typed;
      struct {
         MtNameList *parts;
         MtStarItem *changes; /* only MT_EXPR_STAR; NULL: none */
         MtExpr *of;          /* only MT_EXPR_STAR: (expr).*; NULL: * or t.* */
      } column;
      struct {
         const char *op; /* the operator's name, NUL-terminated */
         MtSpan op_span;
         MtExpr *left; /* left operand; NULL: the operator is a prefix operator */
         MtExpr *right;
      } op;
      struct {
         MtIsTest test;
         bool negated;
         MtExpr *left, *right; /* `right` is only for IS DISTINCT FROM */
      } is;
      struct {
         bool negated, symmetric;
         MtExpr *value, *low, *high;
      } between;
      struct {
         bool negated;
         MtExpr *value;
         MtExprList *list; /* the list of values; NULL: IN has a sub-select */
         MtSelect *subquery;
      } in;
      struct {
         MtLikeKind kind;
         bool negated;
         /* `escape` NULL: the escape character is the backslash */
         MtExpr *value, *pattern, *escape;
      } like;
      struct {
         MtNameList *name; /* the function's name; two elements if it has a schema */
         MtExprList *args;
         /* names of the arguments in the order of `args` (name => value); NULL: no argument has
          * a name */
         MtNameList *arg_names;
         bool star; /* the call is f(*), as in count(*) */
         bool distinct;
         bool variadic;      /* the last argument has the word VARIADIC */
         MtOrderItem *order; /* ORDER BY inside the parentheses of the call */
         MtOrderItem *within_group;
         MtExpr *filter;
         MtWindow *over;   /* the OVER clause; NULL: this is not a window function call */
         int ignore_nulls; /* null treatment; 0: not given, 1: IGNORE NULLS, 2: RESPECT NULLS */
      } call;
      struct {
         /* the operand in CASE operand WHEN …; NULL: CASE WHEN condition … */
         MtExpr *operand;
         MtExprList *whens, *thens; /* the expressions after WHEN and THEN, in the same order */
         MtExpr *otherwise;         /* the expression after ELSE; NULL: there is no ELSE */
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
         bool all;           /* true for ALL, false for ANY and SOME */
         MtSelect *subquery; /* the sub-select; NULL: the operand is `array` */
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
         /* the sub-select (an MT_EXPR_SUBQUERY), shared by the parts for each of its columns */
         const MtExpr *row;
         int index, count;
      } part;
   };
};

typedef enum MtStarChange { MT_STAR_EXCLUDE, MT_STAR_REPLACE, MT_STAR_RENAME } MtStarChange;

/* A column in EXCLUDE (…), REPLACE (…) or RENAME (…) after * or t.*. Items of one kind are adjacent
 * in the list. */
struct MtStarItem {
   MtStarChange kind;
   MtName table, name; /* table.text NULL: the name has no qualifier */
   MtExpr *expr;       /* MT_STAR_REPLACE: the new value */
   MtName as;          /* MT_STAR_RENAME: the new name */
   MtStarItem *next;
};

struct MtOrderItem {
   MtExpr *expr; /* an MT_EXPR_STAR for ORDER BY ALL, which only a SELECT can have */
   bool descending;
   int nulls;            /* 0: not given, 1: NULLS FIRST, 2: NULLS LAST */
   const char *using_op; /* the operator in ORDER BY x USING >; NULL: there is no USING */
   MtOrderItem *next;
};

/* Returns whether the item is ORDER BY ALL, which sorts by all result columns from left to
 * right. */
static inline bool mt_order_is_all (const MtOrderItem *o)
{
   return o->expr->kind == MT_EXPR_STAR && !o->expr->column.parts && !o->expr->column.of;
}

/* One item of the list after SELECT or RETURNING. */
typedef struct MtTarget {
   MtExpr *expr; /* an MT_EXPR_STAR for * and t.* */
   MtName alias; /* alias.text NULL: no alias */
   struct MtTarget *next;
} MtTarget;

typedef enum MtFromKind {
   MT_FROM_TABLE,    /* data in MtFrom.table */
   MT_FROM_SUBQUERY, /* data in MtFrom.subquery */
   MT_FROM_FUNCTION, /* MtFrom.function: a function call, or several with ROWS FROM */
   MT_FROM_JOIN      /* data in MtFrom.join */
} MtFromKind;

typedef enum MtJoinKind {
   MT_JOIN_INNER,
   MT_JOIN_LEFT,
   MT_JOIN_RIGHT,
   MT_JOIN_FULL,
   MT_JOIN_CROSS,
   MT_JOIN_ASOF,
   MT_JOIN_WINDOW /* QuestDB's WINDOW JOIN: aggregates over the right rows near each left row */
} MtJoinKind;

/* A bound of a WINDOW JOIN's range. */
typedef struct MtJoinBound {
   MtExpr *width; /* NULL: CURRENT ROW */
   bool following;
   bool unbounded;
   MtSpan span;
} MtJoinBound;

/* RANGE BETWEEN from AND to, of a WINDOW JOIN. */
typedef struct MtJoinRange {
   MtJoinBound from, to;
   bool exclude; /* EXCLUDE PREVAILING: without it, the last row before the range counts, too */
   MtSpan span;
} MtJoinRange;

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
         MtExpr *sample; /* TABLESAMPLE method (…), as an MT_EXPR_CALL; NULL: none */
         MtExpr *repeatable;
      } table;
      MtSelect *subquery;
      struct {
         MtExpr *call;
         MtExprList *rows_from;
         MtFieldDef *fields; /* column definitions, as in AS x (a int, …); NULL: none */
      } function;
      struct {
         MtJoinKind kind;
         bool natural;
         bool asof_left;    /* for ASOF LEFT JOIN: rows of the left side without a match are kept */
         bool nearest;      /* for ASOF NEAREST JOIN */
         MtExpr *tolerance; /* for ASOF JOIN … TOLERANCE, a constant; NULL: none */
         MtJoinRange *range; /* for MT_JOIN_WINDOW */
         struct MtFrom *left, *right;
         MtExpr *on;
         MtNameList *using_columns;
         MtName using_alias;
      } join;
   };
   struct MtFrom *next; /* the next item of FROM, after a comma */
} MtFrom;

/* What a locking clause such as FOR UPDATE does if other transactions have locked a row: wait,
 * fail, or skip the row. */
typedef enum MtLockWait { MT_LOCK_WAITS, MT_LOCK_NOWAIT, MT_LOCK_SKIPS } MtLockWait;

typedef struct MtCte {
   MtName name;
   MtNameList *columns;
   MtSelect *query;     /* NULL: `stmt` is set */
   struct MtStmt *stmt; /* an INSERT, UPDATE or DELETE; NULL: a query */
   /* The rows that `stmt` returned when it ran (query/environment.h). NULL: it has not run. */
   const struct MtCteRows *rows;
   int materialized; /* 0: not given, 1: MATERIALIZED, 2: NOT MATERIALIZED */
   /* number of FROM items in the whole statement with this name; 3: three or more */
   int uses;
   bool self; /* the query reads its own name (it is recursive) */
   struct MtCte *next;
} MtCte;

typedef enum MtGroupKind {
   MT_GROUP_EXPR,
   MT_GROUP_ALL, /* the only item: GROUP BY ALL */
   MT_GROUP_EMPTY,
   MT_GROUP_ROLLUP,
   MT_GROUP_CUBE,
   MT_GROUP_SETS
} MtGroupKind;

typedef struct MtGroupItem {
   MtGroupKind kind;
   MtSpan span;
   MtExpr *expr;              /* the expression, for MT_GROUP_EXPR */
   struct MtGroupItem *items; /* the items in the parentheses of ROLLUP, CUBE and GROUPING SETS */
   struct MtGroupItem *next;
} MtGroupItem;

typedef enum MtSampleFillKind {
   MT_FILL_NONE, /* FILL (NONE): empty buckets give no rows; the only item of its list */
   MT_FILL_PREV,
   MT_FILL_LINEAR,
   MT_FILL_VALUE /* MtSampleFill.value, perhaps an MT_EXPR_NULL */
} MtSampleFillKind;

/* An item of FILL (…): the value of an aggregate in an empty bucket. */
typedef struct MtSampleFill {
   MtSampleFillKind kind;
   MtExpr *value;
   MtSpan span;
   struct MtSampleFill *next;
} MtSampleFill;

/* SAMPLE BY width [FROM a TO b] [FILL (…)] [ALIGN TO …]. */
typedef struct MtSampleBy {
   MtExpr *width;       /* an interval literal */
   MtExpr *from, *to;   /* NULL: not given */
   MtSampleFill *fills; /* NULL: not given */
   bool first_observation;
   MtExpr *zone, *offset; /* string literals; NULL: not given */
   MtSpan span;
} MtSampleBy;

/* LATEST ON time PARTITION BY keys. */
typedef struct MtLatest {
   MtExpr *time;
   MtExprList *keys;
   MtSpan span;
} MtLatest;

typedef enum MtSelectKind {
   MT_SELECT_PLAIN,  /* data in MtSelect.plain */
   MT_SELECT_VALUES, /* MtSelect.values: the rows of VALUES */
   MT_SELECT_SETOP,  /* MtSelect.setop: UNION, INTERSECT or EXCEPT */
   MT_SELECT_SUMMARY /* MtSelect.summary: rows about a query or about the tables */
} MtSelectKind;

typedef enum MtSummary {
   MT_SUMMARY_SUMMARIZE,
   MT_SUMMARY_DESCRIBE,
   MT_SUMMARY_TABLES,    /* SHOW TABLES */
   MT_SUMMARY_ALL_TABLES /* SHOW ALL TABLES */
} MtSummary;

typedef enum MtSetOp { MT_UNION, MT_INTERSECT, MT_EXCEPT } MtSetOp;

typedef struct MtRowList {
   MtExprList *row;
   MtSpan span;
   struct MtRowList *next;
} MtRowList;

/* The ON COMMIT clause: what happens to a temporary table when a transaction commits. */
typedef enum MtOnCommitClause {
   MT_ON_COMMIT_NONE,
   MT_ON_COMMIT_PRESERVE,
   MT_ON_COMMIT_DELETE,
   MT_ON_COMMIT_DROP
} MtOnCommitClause;

/* The target of SELECT … INTO schema.name. */
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
         /* the select list; NULL: SELECT with an empty list, which PostgreSQL allows */
         MtTarget *targets;
         MtFrom *from;
         MtExpr *where;
         MtLatest *latest;   /* NULL: none */
         MtSampleBy *sample; /* NULL: none; otherwise group_by is NULL */
         bool group_distinct;
         MtGroupItem *group_by;
         MtExpr *having;
         MtWindow *windows;
         MtExpr *qualify; /* the condition after QUALIFY; NULL: none */
         bool returning;  /* a query over changed rows: the list is RETURNING's */
      } plain;
      struct {
         MtRowList *rows;
         MtRowList *last; /* the last element of `rows`, for the builders */
      } values;
      struct {
         MtSetOp op;
         bool all;
         MtSelect *left, *right;
      } setop;
      struct {
         MtSummary what;
         MtSelect *query; /* SUMMARIZE, DESCRIBE: the query; SELECT * FROM t for the table t */
      } summary;
   };
   MtOrderItem *order;
   MtExpr *limit; /* the expression after LIMIT; NULL: no LIMIT, or LIMIT ALL */
   MtExpr *offset;
   bool limit_with_ties; /* FETCH FIRST … WITH TIES */
   /* an INTO clause where it is not allowed, so that error 42601 can point at it; NULL: none */
   MtInto *into;
   /* the strength of FOR UPDATE, FOR SHARE, …; NULL: none */
   const char *locking;
   MtNameList *lock_of; /* the tables after OF in FOR UPDATE OF … */
   MtLockWait lock_wait;
};

/* An option of WITH (…), COPY or EXPLAIN: NAME = value, NAME value, or NAME alone. */
typedef struct MtOption {
   MtName name;
   enum { MT_OPT_NONE, MT_OPT_STRING, MT_OPT_NUMBER, MT_OPT_WORD, MT_OPT_BOOL, MT_OPT_LIST } kind;
   MtStr value;      /* the text of the value; for MT_OPT_BOOL "true" or "false" */
   MtNameList *list; /* for MT_OPT_LIST: the names in (a, b) */
   MtSpan span;      /* position of the value, or of the name if there is no value */
   struct MtOption *next;
} MtOption;

typedef enum MtColumnRole {
   MT_ROLE_NONE,
   MT_ROLE_TIME,
   MT_ROLE_DIMENSION,
   MT_ROLE_MEASURE
} MtColumnRole;

/* [CONSTRAINT name] CHECK (expr). */
typedef struct MtCheckDef {
   MtName name; /* text NULL: not given */
   MtExpr *expr;
   MtSpan span;
   bool not_valid; /* NOT VALID, which has an effect in ALTER TABLE */
   struct MtCheckDef *next;
} MtCheckDef;

/* A label of an enumerated type. */
typedef struct MtLabel {
   MtStr text;
   MtSpan span;
   struct MtLabel *next;
} MtLabel;

typedef enum MtDomainChange {
   MT_DOMAIN_ADD_CHECK,
   MT_DOMAIN_DROP_CONSTRAINT,
   MT_DOMAIN_SET_NOT_NULL,
   MT_DOMAIN_DROP_NOT_NULL,
   MT_DOMAIN_SET_DEFAULT,
   MT_DOMAIN_DROP_DEFAULT
} MtDomainChange;

typedef enum MtTypeChange { MT_TYPE_ADD_VALUE, MT_TYPE_RENAME_VALUE, MT_TYPE_RENAME } MtTypeChange;

/* An option of a sequence. */
typedef enum MtSequenceWord {
   MT_SEQUENCE_AS,        /* uses `type` */
   MT_SEQUENCE_INCREMENT, /* this and MINVALUE, MAXVALUE, START and CACHE use `number` */
   MT_SEQUENCE_MINVALUE,  /* off: NO MINVALUE */
   MT_SEQUENCE_MAXVALUE,  /* off: NO MAXVALUE */
   MT_SEQUENCE_START,
   MT_SEQUENCE_CACHE,
   MT_SEQUENCE_CYCLE,   /* off: NO CYCLE */
   MT_SEQUENCE_RESTART, /* uses `number`; off: RESTART without a number */
   MT_SEQUENCE_OWNED,   /* `owner` is table.column or schema.table.column; off: NONE */
   MT_SEQUENCE_NAME,    /* `owner` is the name in SEQUENCE NAME */
   /* SET GENERATED ALWAYS of ALTER COLUMN; off: BY DEFAULT. The last word. */
   MT_SEQUENCE_GENERATED
} MtSequenceWord;

typedef struct MtSequenceOption {
   MtSequenceWord word;
   bool off;
   int64_t number;
   MtTypeName *type;
   MtNameList *owner;
   MtSpan span;
   struct MtSequenceOption *next;
} MtSequenceOption;

/* GENERATED … AS IDENTITY. */
typedef enum MtIdentity { MT_IDENTITY_NONE, MT_IDENTITY_ALWAYS, MT_IDENTITY_BY_DEFAULT } MtIdentity;

typedef enum MtKeyDefKind {
   MT_KEYDEF_SUMS,    /* KEY (…): the default key of layouts */
   MT_KEYDEF_PRIMARY, /* PRIMARY KEY (…) */
   MT_KEYDEF_UNIQUE   /* UNIQUE (…) */
} MtKeyDefKind;

/* A key of a table. */
typedef struct MtKeyDef {
   MtKeyDefKind kind;
   MtName name; /* name after CONSTRAINT; text NULL: not given */
   MtNameList *columns;
   bool nulls_equal; /* NULLS NOT DISTINCT */
   MtSpan span;
   struct MtKeyDef *next;
} MtKeyDef;

typedef struct MtColumnDef {
   MtName name;
   MtTypeName *type;
   MtColumnRole role;
   bool counter; /* the column is declared as MEASURE COUNTER */
   MtStr period; /* the text in TIME PERIOD '60 s'; p NULL: not given */
   MtSpan period_span;
   MtStr field; /* the text in FIELD 'stored name'; p NULL: the field has the column's name */
   bool not_null;
   bool null_said; /* the definition contains NULL or NOT NULL */
   MtExpr *default_value;
   MtExpr *generated; /* the expression in GENERATED ALWAYS AS (…) STORED */
   MtIdentity identity;
   MtSequenceOption *sequence; /* the options of IDENTITY */
   MtCheckDef *checks;
   MtKeyDef *keys;    /* PRIMARY KEY and UNIQUE constraints in this column's definition */
   MtName constraint; /* only during parsing: the name after CONSTRAINT */
   MtSpan span;
   struct MtColumnDef *next;
} MtColumnDef;

/* The layout of a table: USING layout WITH (…). */
typedef struct MtLayoutDef {
   /* the name in ADD LAYOUT name; text NULL: the name of the access method is used */
   MtName name;
   MtName access; /* the name in USING name; text NULL: not given */
   MtOption *options;
   MtSpan span;
} MtLayoutDef;

/* The argument types in DROP FUNCTION name (types). */
typedef struct MtDropArgs {
   bool given; /* false: DROP FUNCTION has only the function's name */
   MtTypeList *types;
   struct MtDropArgs *next;
} MtDropArgs;

typedef struct MtFunctionArg {
   MtName name; /* name.text NULL: the argument has no name */
   MtTypeName *type;
   MtExpr *default_value;
   struct MtFunctionArg *next;
} MtFunctionArg;

/* An assignment of UPDATE: column = value, or (a, b) = row. */
typedef struct MtAssign {
   MtNameList *columns;
   MtExpr *value; /* may be DEFAULT; for (a, b) = … a row or a sub-select */
   bool row;
   bool part; /* the target is column.field or column[…] */
   struct MtAssign *next;
} MtAssign;

/* The clause ON CONFLICT [(target) | ON CONSTRAINT name] DO {NOTHING | UPDATE SET … [WHERE …]}. */
typedef struct MtOnConflict {
   MtExprList *target;
   MtExpr *target_where;
   MtName constraint; /* the name in ON CONSTRAINT name; text NULL: none */
   bool updates;
   MtAssign *set;
   MtExpr *where;
   MtSpan span;
} MtOnConflict;

/* OVERRIDING {SYSTEM | USER} VALUE of INSERT. */
typedef enum MtOverriding {
   MT_OVERRIDING_NONE,
   MT_OVERRIDING_SYSTEM,
   MT_OVERRIDING_USER
} MtOverriding;

typedef enum MtMergeAction {
   MT_MERGE_NOTHING,
   MT_MERGE_UPDATE,
   MT_MERGE_DELETE,
   MT_MERGE_INSERT
} MtMergeAction;

/* A clause WHEN [NOT] MATCHED [AND where] THEN action, of MERGE. */
typedef struct MtMergeWhen {
   bool matched;
   MtMergeAction action;
   MtExpr *where;       /* NULL: the clause has no AND */
   MtAssign *set;       /* of UPDATE */
   MtNameList *columns; /* of INSERT; NULL: none are named */
   MtOverriding overriding;
   MtRowList *values; /* the row of INSERT; NULL: DEFAULT VALUES */
   MtSpan span;
   struct MtMergeWhen *next;
} MtMergeWhen;

typedef enum MtStmtKind {
   MT_STMT_SELECT,           /* data in MtStmt.select */
   MT_STMT_INSERT,           /* data in MtStmt.insert */
   MT_STMT_UPDATE,           /* data in MtStmt.change */
   MT_STMT_DELETE,           /* data in MtStmt.change */
   MT_STMT_MERGE,            /* data in MtStmt.change; `where` is the condition behind ON */
   MT_STMT_TRUNCATE,         /* MtStmt.drop, without `args` and `if_exists` */
   MT_STMT_PREPARE,          /* data in MtStmt.prepare */
   MT_STMT_EXECUTE,          /* data in MtStmt.execute */
   MT_STMT_DEALLOCATE,       /* MtStmt.execute, only `name`; name.text NULL: DEALLOCATE ALL */
   MT_STMT_CREATE_TABLE,     /* data in MtStmt.create_table */
   MT_STMT_DROP_TABLE,       /* data in MtStmt.drop */
   MT_STMT_ALTER_TABLE,      /* data in MtStmt.alter_table */
   MT_STMT_COPY,             /* data in MtStmt.copy */
   MT_STMT_ANALYZE,          /* MtStmt.maintain; table.text NULL: all tables */
   MT_STMT_PREALLOCATE,      /* data in MtStmt.preallocate */
   MT_STMT_SET,              /* data in MtStmt.set */
   MT_STMT_SET_CONSTRAINTS,  /* the names are in MtStmt.drop; NULL: ALL */
   MT_STMT_RESET,            /* MtStmt.set, only `name`; name.text NULL: RESET ALL */
   MT_STMT_SHOW,             /* MtStmt.set, only `name`; name.text NULL: SHOW ALL */
   MT_STMT_EXPLAIN,          /* data in MtStmt.explain */
   MT_STMT_ADVISE,           /* data in MtStmt.advise */
   MT_STMT_CREATE_FUNCTION,  /* data in MtStmt.create_function */
   MT_STMT_DROP_FUNCTION,    /* data in MtStmt.drop */
   MT_STMT_CREATE_LAYOUT,    /* data in MtStmt.create_layout */
   MT_STMT_DROP_LAYOUT,      /* data in MtStmt.drop */
   MT_STMT_CREATE_VIEW,      /* data in MtStmt.create_view */
   MT_STMT_DROP_VIEW,        /* data in MtStmt.drop */
   MT_STMT_CREATE_INDEX,     /* data in MtStmt.create_index */
   MT_STMT_DROP_INDEX,       /* data in MtStmt.drop */
   MT_STMT_COMMENT,          /* data in MtStmt.comment */
   MT_STMT_LOAD,             /* MtStmt.load: LOAD of a shared library */
   MT_STMT_CREATE_EXTENSION, /* data in MtStmt.extension */
   MT_STMT_ALTER_EXTENSION,  /* MtStmt.extension: ALTER EXTENSION … UPDATE */
   MT_STMT_DROP_EXTENSION,   /* data in MtStmt.drop */
   MT_STMT_TRANSACTION,      /* data in MtStmt.transaction */
   MT_STMT_DISCARD,          /* data in MtStmt.discard */
   MT_STMT_DECLARE,          /* data in MtStmt.declare */
   MT_STMT_FETCH,            /* MtStmt.fetch, for FETCH and MOVE */
   MT_STMT_CLOSE,            /* MtStmt.execute, only `name`; name.text NULL: CLOSE ALL */
   MT_STMT_REFRESH,          /* MtStmt.refresh: REFRESH MATERIALIZED VIEW */
   MT_STMT_DROP_MATVIEW,     /* data in MtStmt.drop */
   MT_STMT_CHECK,            /* MtStmt.maintain: CHECK TABLE or CHECK LAYOUT */
   MT_STMT_REPAIR,           /* data in MtStmt.maintain */
   MT_STMT_VACUUM,           /* MtStmt.maintain; table.text NULL: all tables */
   MT_STMT_CREATE_ALERT,     /* data in MtStmt.alert */
   MT_STMT_ALTER_ALERT,      /* data in MtStmt.alert */
   MT_STMT_DROP_ALERT,       /* data in MtStmt.drop */
   MT_STMT_CREATE_SEQUENCE,  /* data in MtStmt.sequence */
   MT_STMT_ALTER_SEQUENCE,   /* data in MtStmt.sequence */
   MT_STMT_ALTER_INDEX,      /* data in MtStmt.sequence: name, new_name and if_exists */
   MT_STMT_DROP_SEQUENCE,    /* data in MtStmt.drop */
   MT_STMT_CREATE_SCHEMA,    /* data in MtStmt.define_schema */
   MT_STMT_ALTER_SCHEMA,     /* MtStmt.define_schema: RENAME TO */
   MT_STMT_DROP_SCHEMA,      /* data in MtStmt.drop */
   MT_STMT_LOCK,             /* MtStmt.drop: LOCK TABLE … IN ACCESS SHARE MODE */
   MT_STMT_CREATE_TYPE,      /* data in MtStmt.type */
   MT_STMT_ALTER_TYPE,       /* data in MtStmt.type */
   MT_STMT_DROP_TYPE,        /* data in MtStmt.drop */
   MT_STMT_CREATE_DOMAIN,    /* data in MtStmt.domain */
   MT_STMT_ALTER_DOMAIN,     /* data in MtStmt.domain */
   MT_STMT_DROP_DOMAIN,      /* data in MtStmt.drop */
   /* MtStmt.call: CALL of a procedure, or a SELECT that only calls one */
   MT_STMT_CALL,
   MT_STMT_WITH /* WITH whose entries change rows; data in MtStmt.with */
} MtStmtKind;

typedef enum MtAlterKind {
   MT_ALTER_ADD_LAYOUT,    /* uses the member `layout` */
   MT_ALTER_DROP_LAYOUT,   /* uses the member `name` */
   MT_ALTER_RENAME_TO,     /* uses the member `name` */
   MT_ALTER_SET_SCHEMA,    /* uses the member `name`: the schema */
   MT_ALTER_ADD_COLUMN,    /* uses the members `column` and `name` */
   MT_ALTER_DROP_COLUMN,   /* uses the members `name` and `cascade` */
   MT_ALTER_RENAME_COLUMN, /* uses the members `name` and `new_name` */
   MT_ALTER_COLUMN_TYPE,   /* uses the members `name`, `column` (only its type) and `using_expr` */
   MT_ALTER_SET_DEFAULT,   /* uses the members `name` and `column` (only its default) */
   MT_ALTER_DROP_DEFAULT,  /* uses the member `name` */
   MT_ALTER_SET_NOT_NULL,  /* uses the member `name` */
   MT_ALTER_DROP_NOT_NULL, /* uses the member `name` */
   MT_ALTER_ADD_IDENTITY,  /* uses the members `name` and `column` (identity and sequence) */
   MT_ALTER_IDENTITY,      /* uses the members `name` and `column` (only the sequence's options) */
   MT_ALTER_DROP_IDENTITY, /* uses the members `name` and `action_if_exists` */
   MT_ALTER_RENAME_CONSTRAINT, /* uses the members `name` and `new_name` */
   MT_ALTER_ADD_CHECK,         /* uses the member `check` */
   MT_ALTER_ADD_KEY,           /* uses the member `key` */
   MT_ALTER_VALIDATE,          /* VALIDATE CONSTRAINT; uses the member `name` */
   MT_ALTER_DROP_CONSTRAINT,   /* uses the members `name` and `cascade` */
   MT_ALTER_SET_OPTIONS,       /* uses the member `options` */
   MT_ALTER_RESET_OPTIONS      /* uses the member `options` (only the names) */
} MtAlterKind;

typedef enum MtTxnVerb {
   MT_TXN_BEGIN,       /* uses the member `modes` */
   MT_TXN_START,       /* uses the member `modes` */
   MT_TXN_COMMIT,      /* uses the member `chain` */
   MT_TXN_ROLLBACK,    /* uses the member `chain` */
   MT_TXN_SAVEPOINT,   /* uses the member `name` */
   MT_TXN_RELEASE,     /* uses the member `name` */
   MT_TXN_ROLLBACK_TO, /* uses the member `name` */
   MT_TXN_SET,         /* SET TRANSACTION; uses the member `modes` */
   MT_TXN_SET_SESSION  /* SET SESSION CHARACTERISTICS AS TRANSACTION; uses the member `modes` */
} MtTxnVerb;

typedef enum MtIsolation {
   MT_ISOLATION_UNSAID,
   MT_READ_UNCOMMITTED,
   MT_READ_COMMITTED,
   MT_REPEATABLE_READ,
   MT_SERIALIZABLE
} MtIsolation;

/* The modes that a transaction statement gives. If a mode is given twice, the last one is used. */
typedef struct MtTxnModes {
   MtIsolation isolation;
   enum { MT_ACCESS_UNSAID, MT_ACCESS_WRITE, MT_ACCESS_READ } access;
   enum { MT_DEFER_UNSAID, MT_DEFER_NO, MT_DEFER_YES } deferrable;
} MtTxnModes;

typedef enum MtAlertSwitch { MT_ALERT_KEEPS, MT_ALERT_ENABLE, MT_ALERT_DISABLE } MtAlertSwitch;

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
   MT_DISCARD_TEMP,
   MT_DISCARD_CHANNELS /* UNLISTEN, which does nothing, because LISTEN is not supported */
} MtDiscard;

typedef enum MtCommentOn { MT_COMMENT_TABLE, MT_COMMENT_VIEW, MT_COMMENT_COLUMN } MtCommentOn;

/* A string literal whose text the statement interprets. */
typedef struct MtTypedText {
   MtStr str;
   MtSpan span;
} MtTypedText;

typedef struct MtStmt {
   MtStmtKind kind;
   MtSpan span;
   bool locks;  /* some query in it has FOR UPDATE or another locking clause */
   bool nowait; /* some locking clause has NOWAIT */
   /* pairs of names for names with a database: the database, then the whole name; NULL: none */
   MtNameList *databases;
   union {
      MtSelect *select;
      struct {
         MtName schema, table;
         MtNameList *columns;
         MtSelect *source;       /* the VALUES or SELECT with the new rows; NULL: DEFAULT VALUES */
         MtOnConflict *conflict; /* the ON CONFLICT clause; NULL: none */
         MtTarget *returning;
         MtName alias; /* alias.text NULL: no alias */
         MtOverriding overriding;
      } insert;
      /* MT_STMT_WITH: WITH items that change rows. The statement `main` has the same WITH list. */
      struct {
         struct MtStmt *main; /* SELECT, INSERT, UPDATE or DELETE */
         MtCte *ctes;
      } with;
      struct {
         MtName name;
         MtTypeList *types; /* types of the first parameters; further ones are inferred */
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
         MtAssign *set; /* the assignments of UPDATE */
         MtFrom *from;  /* the items of UPDATE … FROM or DELETE … USING; the source of MERGE */
         MtExpr *where;
         MtTarget *returning;
         MtMergeWhen *whens; /* of MERGE */
      } change;
      struct {
         MtName schema, name;
         bool if_not_exists;
         MtColumnDef *columns;
         /* keys of the table; those in a column's definition are with the column */
         MtKeyDef *keys;
         /* CHECK constraints of the table; those in a column's definition are with the column */
         MtCheckDef *checks;
         MtLayoutDef *layout;    /* the first layout; NULL: the default layout */
         MtSelect *as;           /* the query of CREATE TABLE … AS */
         struct MtStmt *execute; /* for CREATE TABLE … AS EXECUTE, used instead of `as` */
         MtNameList *as_names;   /* the column names given for `as`; NULL: the query's names */
         bool no_data;
         bool materialized; /* the statement is CREATE MATERIALIZED VIEW … AS */
         /* options `continuous` and `materialized_only` of a materialized view; NULL: neither */
         MtOption *continuous;
         bool temporary;
         MtOnCommitClause on_commit;
      } create_table;
      struct {
         MtNameList *names;
         /* schemas in the order of `names`, with text NULL for no schema; NULL: no name has a
          * schema */
         MtNameList *schemas;
         MtDropArgs *args; /* for DROP FUNCTION: the argument types, in the order of `names` */
         bool if_exists;
         bool cascade;
         bool restart; /* for TRUNCATE: RESTART IDENTITY */
      } drop;
      struct {
         MtName schema, name;
         MtName new_name; /* for RENAME TO; text NULL: another ALTER */
         bool if_exists;  /* the statement has IF EXISTS or IF NOT EXISTS */
         bool temporary;
         MtSequenceOption *options;
      } sequence;
      struct {
         MtName name;
         MtName new_name; /* for RENAME TO */
         MtName owner;    /* after AUTHORIZATION; text NULL: not given */
         bool if_not_exists;
      } define_schema;
      struct {
         MtName schema, name;
         MtTypeChange change; /* for ALTER TYPE */
         MtLabel *labels;     /* CREATE TYPE: all labels; ADD VALUE and RENAME VALUE: the label */
         /* the label after BEFORE or AFTER, or the new label of RENAME VALUE */
         MtLabel *other;
         bool before; /* `other` follows BEFORE, not AFTER */
         bool if_not_exists;
         MtName new_name; /* for RENAME TO */
      } type;
      struct {
         MtName schema, name;
         MtDomainChange change; /* for ALTER DOMAIN */
         /* CREATE DOMAIN: the type and all clauses. ALTER DOMAIN: the new constraint or default. In
          * its conditions the name VALUE means the value. */
         MtColumnDef *def;
         MtName constraint; /* for DROP CONSTRAINT */
         bool if_exists;
      } domain;
      struct {
         MtName schema, table;
         bool if_exists;
         MtAlterKind action;
         bool action_if_exists; /* the action has IF [NOT] EXISTS, as in ADD … IF NOT EXISTS */
         MtLayoutDef *layout;
         MtColumnDef *column;
         MtCheckDef *check;
         MtKeyDef *key;
         MtExpr *using_expr; /* the expression after USING; NULL: none */
         MtOption *options;
         /* for SET and RESET, `name` is a layout; name.text NULL: the options belong to the
          * table */
         MtName name, new_name;
         bool cascade;
         bool materialized;   /* the statement is ALTER MATERIALIZED VIEW */
         struct MtStmt *next; /* the next action of the same ALTER TABLE; NULL: none */
      } alter_table;
      struct {
         /* the table that is copied; table.text NULL: `query` or `change` is copied */
         MtName schema, table;
         MtNameList *columns;
         MtSelect *query;
         struct MtStmt
            /* for COPY TO: the INSERT, UPDATE or DELETE whose RETURNING rows are copied; NULL:
             * none */
            *change;
         bool from;  /* true for COPY FROM, false for COPY TO */
         MtStr file; /* the file's name; p NULL: STDIN or STDOUT */
         MtSpan file_span;
         MtOption *options;
         MtExpr *where;
      } copy;
      MtName table;
      struct {
         MtExpr *x;
         bool select; /* the call was written as SELECT f (…) */
      } call;
      struct {
         MtName schema, table;
         /* the texts in FOR '1 day' FROM '2020-01-01'; from.str.p NULL: from now on */
         MtTypedText length, from;
      } preallocate;
      struct {
         MtName name;
         bool local;
         bool is_default; /* the statement is SET x TO DEFAULT */
         /* list of the new values, usually one. For SET TIME ZONE INTERVAL '…' the value is
          * MT_ZONE_INTERVAL followed by the text. */
         MtOption *values;
      } set;
      struct {
         MtOption *options; /* list of the options ANALYZE, VERBOSE, FORMAT, … */
         struct MtStmt *stmt;
      } explain;
      struct {
         MtOption *options;
         MtSelect *select; /* the query; NULL: the workload is `text` */
         MtStr text;       /* statements, separated by ';' */
         MtSpan text_span;
      } advise;
      struct {
         MtName name;
         bool or_replace;
         MtFunctionArg *args;
         MtTypeName *returns;
         MtName language;
         MtStr body;       /* the text in AS 'body' */
         MtStr symbol;     /* the second text in AS 'library', 'symbol' */
         MtSpan body_span; /* position of the body's literal, with its quotes */
         /* offset of the body's text in the statement; -1: unknown, because the literal has doubled
          * quotes or escapes */
         int body_at;
         int volatility; /* 0: volatile (the default), 1: stable, 2: immutable */
         bool strict;
      } create_function;
      struct {
         MtName name; /* the index's name; text NULL: a name is made from the columns' names */
         bool if_not_exists;
         MtName schema, table;
         MtName method; /* the name after USING; text NULL: not given */
         MtNameList *columns;
         bool unique, nulls_equal; /* UNIQUE, NULLS NOT DISTINCT */
         MtExpr *where;            /* the WHERE of a partial index; NULL: none */
         MtNameList *classes;      /* the columns' operator classes */
         /* the words of clauses that have no effect, such as INCLUDE */
         MtNameList *ignored;
         bool ordered; /* some column has DESC or NULLS FIRST or LAST, which has no effect */
      } create_index;
      struct {
         MtCommentOn on;
         MtName schema, name;
         /* a column of the table `name`; text NULL: the comment is on the table or view */
         MtName column;
         MtStr text; /* the comment's text; p NULL: the comment is removed */
      } comment;
      struct {
         MtName schema, name;
         bool or_replace;
         MtNameList *columns; /* names of the view's columns; NULL: the query's names */
         MtSelect *query;
      } create_view;
      struct {
         MtName name;
         bool or_replace;
         MtStr descriptor; /* the layout's descriptor, the text in AS '{…}' */
         MtSpan descriptor_span;
      } create_layout;
      struct {
         MtStr file;
         MtSpan span;
      } load;
      struct {
         MtName name;
         MtName version; /* text NULL: not given */
         bool if_not_exists, cascade;
      } extension;
      /* CREATE ALERT and ALTER ALERT. In the latter, `if_exists` is IF EXISTS. */
      struct {
         MtName name;
         MtName new_name; /* the name after RENAME TO; text NULL: none */
         bool or_replace, if_exists;
         MtSelect *query; /* CREATE ALERT: the query */
         /* the texts after FOR, EVERY and NOTIFY; str.p NULL: not given */
         MtTypedText lasting, every, notify;
         MtAlertSwitch enable; /* ENABLE or DISABLE */
      } alert;
      struct {
         MtTxnVerb verb;
         MtTxnModes modes;
         MtName name;
         bool chain; /* the statement has AND CHAIN */
      } transaction;
      MtDiscard discard;
      struct {
         MtName schema, name;
         bool concurrently, no_data;
      } refresh;
      struct {
         MtName schema, table;
         MtName layout; /* the layout to work on; text NULL: all layouts */
         /* for REPAIR: the layout whose data is correct; text NULL: not given */
         MtName from;
         bool full, analyze;  /* the options FULL and ANALYZE of VACUUM */
         MtNameList *columns; /* the columns that ANALYZE names */
      } maintain;
      struct {
         MtName name;
         MtSelect *query;
         bool scroll, no_scroll, binary, hold;
      } declare;
      struct {
         MtName name;
         MtFetchHow how;
         /* number of rows, or the row's number for ABSOLUTE and RELATIVE; INT64_MAX: ALL */
         int64_t count;
         bool move;
      } fetch;
   };
} MtStmt;

#endif
