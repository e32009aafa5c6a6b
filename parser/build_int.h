/* The builders: functions that the grammar's actions call to create nodes of the syntax tree.
 * They allocate in the statement's arena and set spans (positions in the text) and depths. They
 * report errors by mt_b_fail, and the parse then stops at the next token. */
#ifndef MT_PARSER_BUILD_INT_H
#define MT_PARSER_BUILD_INT_H

#include "base/limits.h"
#include "parser/lexer_int.h"

typedef struct MtParser {
   MtArena *a;
   const char *text;
   size_t len;
   MtError *err;
   bool failed;
   bool syntax_error;
   bool locks, nowait; /* a query has a locking clause such as FOR UPDATE; one has NOWAIT */
   MtSpan error_span;  /* position of the token with a syntax error */
   bool extended;      /* words of other databases are keywords, too (MtLexer.extended) */
   MtStmt *stmt;
   MtExpr *expr;
   struct MtNamed *tables; /* list of all table names in FROM, in reverse order */
   struct MtNamed *ctes;   /* list of all common table expressions, in reverse order */
   MtNameList *databases;  /* becomes MtStmt.databases */
} MtParser;

typedef struct MtNamed {
   const MtFrom *table;
   MtCte *cte;
   struct MtNamed *before;
} MtNamed;
/* Sets MtCte.uses, the number of reads, for all common table expressions of the statement. */
void mt_b_count_uses (MtParser *p);

/* Defines a struct for a list of nodes under construction: its first and last node. */
#define MT_SEQ(Name, Node) \
   typedef struct Name { \
      Node *first, *last; \
   } Name
MT_SEQ (MtNames, MtNameList);
MT_SEQ (MtTargets, MtTarget);
MT_SEQ (MtFroms, MtFrom);
MT_SEQ (MtWindows, MtWindow);
MT_SEQ (MtOptions, MtOption);
MT_SEQ (MtFuncArgs, MtFunctionArg);
MT_SEQ (MtAssigns, MtAssign);
MT_SEQ (MtTypes, MtTypeList);
#define MT_PUSH(seq, node) ((seq).last->next = (node), (seq).last = (node))
#define MT_EMPTY(T) ((T) {0})

typedef struct MtExprs {
   MtExprList *first, *last;
   int depth;
} MtExprs;

typedef struct MtOrders {
   MtOrderItem *first, *last;
   MtSpan end;
} MtOrders;

typedef struct MtGroups {
   MtGroupItem *first, *last;
   bool distinct;
} MtGroups;

typedef struct MtSubselect {
   MtSelect *select;
   MtSpan span; /* position of the sub-select with its parentheses */
} MtSubselect;

/* The list of EXCLUDE, REPLACE and RENAME after a star. */
typedef struct MtStarChanges {
   MtStarItem *first, *last;
   MtSpan span;
} MtStarChanges;

typedef struct MtDistinct {
   bool distinct;
   MtExprList *on;
} MtDistinct;
/* The clauses of a SELECT up to FROM. */
typedef struct MtSelectHead {
   MtToken word; /* the first word: SELECT or FROM */
   MtDistinct distinct;
   MtTargets targets;
   MtInto *into;
   MtFroms from;
   MtSpan end; /* position of the last clause */
} MtSelectHead;

typedef struct MtSampleRange {
   MtExpr *from, *to;
} MtSampleRange;

typedef struct MtSampleFills {
   MtSampleFill *first, *last;
   MtSpan end;
} MtSampleFills;

typedef struct MtSampleAlign {
   bool first_observation;
   MtExpr *zone, *offset;
   MtSpan end;
} MtSampleAlign;

/* The FROM clause of a query that begins with FROM, as in FROM a, b SELECT x. */
typedef struct MtFromFirst {
   MtToken word;
   MtFroms from;
} MtFromFirst;

#define MT_PLAIN ((MtDistinct) {false, NULL})
#define MT_DISTINCT_ALL ((MtDistinct) {true, NULL})

typedef struct MtWith {
   MtCte *first, *last;
   MtSpan span;
   bool recursive;
} MtWith;

typedef struct MtLimit {
   MtExpr *limit, *offset;
   MtSpan span;
   bool has_limit, ties;
} MtLimit;

typedef struct MtLocking {
   const char *strength;
   MtNameList *of;
   MtLockWait wait;
   MtSpan span;
} MtLocking;

typedef struct MtFieldDefs {
   MtFieldDef *first, *last;
} MtFieldDefs;

typedef struct MtAlias {
   MtName name;
   MtNameList *columns;
   MtFieldDef *fields; /* column definitions of a function in FROM; then name.text may be NULL */
   MtSpan span;
} MtAlias;

typedef struct MtJoinQual {
   MtExpr *on;
   MtNameList *columns;
   MtName alias;
   MtSpan span;
} MtJoinQual;
#define MT_NO_QUAL ((MtJoinQual) {.span = MT_NO_SPAN})

typedef struct MtInList {
   MtExprs list;
   MtSelect *select;
   MtSpan span;
} MtInList;

/* A step after a name or expression: .name, .*, [i] or [i:j]. */
typedef struct MtStep {
   enum { MT_STEP_NAME, MT_STEP_STAR, MT_STEP_INDEX, MT_STEP_SLICE } kind;
   MtToken name;
   MtExpr *low, *high;
   MtSpan span;
   struct MtStep *next;
} MtStep;
MT_SEQ (MtSteps, MtStep);

typedef struct MtWhens {
   MtExprs whens, thens;
} MtWhens;

typedef struct MtArg {
   MtExpr *expr;
   MtToken name;
} MtArg;

typedef struct MtArgs {
   MtExprs list;
   MtNames names;
   bool named;
} MtArgs;

typedef enum MtArgsKind {
   MT_ARGS_ALL,
   MT_ARGS_DISTINCT,
   MT_ARGS_VARIADIC,
   MT_ARGS_STAR
} MtArgsKind;

typedef struct MtFilter {
   MtExpr *expr;
   MtSpan end;
} MtFilter;

typedef struct MtFrame {
   MtFrameBound start, end;
   const char *exclude;
   MtFrameMode mode;
   bool given;
} MtFrame;

typedef struct MtModifiers {
   int n;
   int value[2];
   MtSpan span;
} MtModifiers;
#define MT_NO_MODIFIERS ((MtModifiers) {0, {-1, -1}, MT_NO_SPAN})

typedef struct MtBounds {
   int n;
   MtSpan span;
} MtBounds;
#define MT_NO_BOUNDS ((MtBounds) {0, MT_NO_SPAN})

typedef struct MtZoneClause {
   bool with;
   MtSpan span; /* len 0: the clause was not given */
} MtZoneClause;

typedef struct MtFields {
   const char *text;
   int precision; /* only valid if has_precision is set */
   bool has_precision;
   MtSpan span; /* len 0: the clause was not given */
} MtFields;

typedef struct MtQualified {
   MtName schema, name;
   bool flag;      /* the statement has IF EXISTS or IF NOT EXISTS */
   MtName alias;   /* alias.text NULL: no alias */
   bool has_types; /* the argument types of a function were given */
   MtTypeList *types;
   MtSpan span;
} MtQualified;
#define MT_NO_QUALIFIED ((MtQualified) {.span = MT_NO_SPAN})

typedef struct MtSequenceOptions {
   MtSequenceOption *first, *last;
   MtSpan end;
} MtSequenceOptions;

typedef struct MtInsertRest {
   MtNameList *columns;
   MtOverriding overriding;
   MtSelect *source;
   MtSpan span;
} MtInsertRest;

typedef struct MtCursorOptions {
   bool scroll, no_scroll, binary;
} MtCursorOptions;

typedef struct MtFetch {
   MtFetchHow how;
   int64_t count;
   MtToken name;
} MtFetch;

typedef struct MtConflictTarget {
   MtExprList *list;
   MtExpr *where;
   MtName constraint;
} MtConflictTarget;

typedef struct MtWithData {
   bool none;
   MtSpan span; /* len 0: the clause was not given */
} MtWithData;

typedef struct MtTableItems {
   MtColumnDef *first, *last;
   MtKeyDef *keys, *last_key;
   MtCheckDef *checks, *last_check;
} MtTableItems;

/* A constraint of a table: a key or a CHECK. */
typedef struct MtKey {
   MtKeyDef *key;
   MtCheckDef *check; /* the constraint is a CHECK; then `key` is NULL */
   MtSpan span;
} MtKey;

typedef struct MtOptionValue {
   int kind;
   MtStr value;
   MtNameList *list;
   MtSpan span;
} MtOptionValue;

typedef struct MtBehavior {
   bool cascade;
   MtSpan span;
} MtBehavior;

typedef struct MtDropList {
   MtNames names, schemas;
   MtDropArgs *first, *last;
   bool if_exists, qualified;
   MtSpan end;
} MtDropList;

typedef struct MtCopyClauses {
   MtOption *first, *last;
   MtSpan span;
} MtCopyClauses;

typedef struct MtCopyWhat {
   MtQualified table;
   MtNameList *columns;
   MtSelect *query;
   bool from;
   MtStmt *change; /* the INSERT, UPDATE or DELETE of COPY (…) TO */
} MtCopyWhat;

typedef struct MtFuncOptions {
   MtTypeName *returns;
   MtToken language;
   MtToken body, symbol;
   int volatility;
   bool strict, has_volatility;
   int body_at;
   MtSpan end;
} MtFuncOptions;

/* ---- shared ---- */
/* Sets an error at `span`, unless the parse has already failed. Returns false. */
bool mt_b_fail (MtParser *p, MtSpan span, const char *sqlstate, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
void mt_b_syntax_error (MtParser *p, MtToken t);
void mt_b_too_deep (MtParser *p);
/* Fails with 0A000 and the message "`what` is not supported". */
void mt_b_refuse (MtParser *p, MtToken t, const char *what);
MtExpr *mt_b_refuse_expr (MtParser *p, MtToken t, const char *what);
/* Returns the depth of a node whose children have the depths a, b and c: the greatest plus 1. Fails
 * if it exceeds MT_MAX_EXPR_DEPTH. */
int mt_b_depth (MtParser *p, int a, int b, int c);
MtSpan mt_b_join_spans (MtSpan first, MtSpan last);
/* Returns a new statement, whose text begins with t and ends with `end`. */
static inline MtStmt *mt_b_stmt (MtParser *p, MtStmtKind kind, MtToken t, MtSpan end)
{
   MtStmt *s = MT_NEW (p->a, MtStmt);
   s->kind = kind;
   s->span = mt_b_join_spans (t.span, end);
   return s;
}
MtName mt_b_name (MtToken t);
MtStr mt_b_str (MtToken t);
void mt_b_input_stmt (MtParser *p, MtStmt *s);
void mt_b_input_expr (MtParser *p, MtExpr *e);

/* ---- names and types ---- */
MtNames mt_b_names (MtParser *p, MtToken t);
void mt_b_push_name (MtParser *p, MtNames *names, MtToken t);
MtNames mt_b_names_before (MtParser *p, MtToken first, MtNames rest);
MtNames mt_b_func_name (MtParser *p, MtToken first, MtSteps steps);
MtQualified mt_b_qualified (MtParser *p, MtToken schema, MtToken name);
MtQualified mt_b_qualified_if (MtQualified q);
MtQualified mt_b_qualified_alias (MtQualified q, MtToken alias);
MtQualified mt_b_qualified_args (MtParser *p, MtQualified q, MtFuncArgs args, MtToken end);
/* Returns the name of a function with a schema. Fails with 0A000 if the schema is not public. */
MtQualified mt_b_function_of (MtParser *p, MtToken schema, MtToken name);
MtToken mt_b_dotted (MtParser *p, MtToken a, MtToken b);
MtToken mt_b_string_name (MtParser *p, MtToken t);
MtTypeName *mt_b_type (MtParser *p, MtToken first, const char *name, MtToken last);
MtTypeName *mt_b_type_named (MtParser *p, MtNames names);
MtTypeName *mt_b_type_args (MtParser *p, MtNames names, MtArgs args, MtOrders order, MtToken end);
MtTypeName *mt_b_type_modified (MtParser *p, MtTypeName *t, MtModifiers m);
MtTypeName *mt_b_type_default_length (MtTypeName *t);
MtTypeName *mt_b_type_array (MtTypeName *t, MtBounds b);
MtTypeName *mt_b_type_setof (MtParser *p, MtToken t, MtTypeName *type);
MtTypeName *mt_b_type_float (MtParser *p, MtToken t, MtToken precision, MtToken end);
MtTypeName *mt_b_type_char (MtParser *p, MtToken t, MtToken varying);
MtTypeName *mt_b_type_time (MtParser *p, MtToken t, const char *name, MtModifiers m,
                            MtZoneClause z);
MtTypeName *mt_b_type_interval (MtParser *p, MtToken t, MtToken precision, MtFields f);
MtBounds mt_b_bounds (MtBounds b, MtToken end);
MtModifiers mt_b_modifiers (MtParser *p, MtExprs e, MtToken end);
MtModifiers mt_b_length (MtParser *p, MtToken n, MtToken end);
MtZoneClause mt_b_zone (bool with, MtToken t);
MtFields mt_b_fields (const char *text, MtToken t);
MtFields mt_b_fields_to (MtFields f, const char *text);
MtFields mt_b_fields_second (MtParser *p, MtToken n, MtToken end);
MtFields mt_b_fields_end (MtToken end);

/* ---- expressions ---- */
MtExprs mt_b_exprs (MtParser *p, MtExpr *e);
/* Builds a list of up to four expressions; it ends before the first NULL. */
MtExprs mt_b_exprs4 (MtParser *p, MtExpr *a, MtExpr *b, MtExpr *c, MtExpr *d);
void mt_b_push (MtParser *p, MtExprs *list, MtExpr *e);
MtExpr *mt_b_number (MtParser *p, MtToken t);
MtExpr *mt_b_normalize (MtParser *p, MtToken t, MtExpr *e, MtToken form, MtToken end);
MtExpr *mt_b_is_normalized (MtParser *p, MtExpr *e, MtToken form,
                            MtToken end); /* `form` without text: NFC */
MtExpr *mt_b_string (MtParser *p, MtExprKind kind, MtToken t);
MtExpr *mt_b_bool (MtParser *p, MtToken t, bool value);
MtExpr *mt_b_null (MtParser *p, MtToken t);
MtExpr *mt_b_default (MtParser *p, MtToken t);
MtExpr *mt_b_param (MtParser *p, MtToken t);
MtExpr *mt_b_star (MtParser *p, MtToken t);
MtExpr *mt_b_typed (MtParser *p, MtTypeName *type, MtToken t);
MtExpr *mt_b_typed_interval (MtParser *p, MtToken i, MtToken precision, MtToken t, MtFields f);
MtExpr *mt_b_column (MtParser *p, MtToken name, MtSteps steps);
MtExpr *mt_b_steps (MtParser *p, MtExpr *e, MtSteps steps);
MtSteps mt_b_first_step (MtStep *s);
MtStep *mt_b_step_name (MtParser *p, MtToken t);
MtStep *mt_b_step_star (MtParser *p, MtToken t);
MtStep *mt_b_step_index (MtParser *p, MtExpr *e, MtToken end);
MtStep *mt_b_step_slice (MtParser *p, MtExpr *low, MtExpr *high, MtToken end);
MtExpr *mt_b_paren (MtToken l, MtExpr *e, MtToken r);
MtExpr *mt_b_at (MtExpr *e, MtToken word);
MtExpr *mt_b_prefix (MtParser *p, MtToken op, MtExpr *right);
MtExpr *mt_b_infix (MtParser *p, MtExpr *left, MtToken op, MtExpr *right);
MtExpr *mt_b_junction (MtParser *p, MtExprKind kind, MtExpr *left, MtExpr *right);
MtExpr *mt_b_not (MtParser *p, MtToken t, MtExpr *e);
MtExpr *mt_b_like (MtParser *p, MtLikeKind kind, bool negated, MtExpr *value, MtExpr *pattern,
                   MtExpr *escape);
MtExpr *mt_b_is (MtParser *p, MtIsTest test, bool negated, MtExpr *left, MtToken end);
MtExpr *mt_b_distinct_from (MtParser *p, bool negated, MtExpr *left, MtExpr *right);
MtExpr *mt_b_overlaps (MtParser *p, MtExpr *left, MtToken op, MtExpr *right);
MtExpr *mt_b_between (MtParser *p, bool negated, bool symmetric, MtExpr *value, MtExpr *low,
                      MtExpr *high);
MtInList mt_b_in_select (MtSubselect s);
MtInList mt_b_in_exprs (MtExprs e, MtToken end);
MtExpr *mt_b_in (MtParser *p, bool negated, MtExpr *value, MtInList list);
MtToken mt_b_not_like (MtToken t, const char *text);
MtExpr *mt_b_quantified_select (MtParser *p, MtExpr *left, MtToken op, MtToken quantifier,
                                MtSubselect s);
MtExpr *mt_b_quantified_array (MtParser *p, MtExpr *left, MtToken op, MtToken quantifier,
                               MtExpr *array, MtToken end);
MtExpr *mt_b_cast_op (MtParser *p, MtExpr *e, MtTypeName *type);
MtExpr *mt_b_cast (MtParser *p, MtToken t, MtExpr *e, MtTypeName *type, MtToken end);
MtExpr *mt_b_collate (MtParser *p, MtExpr *e, MtNames name);
MtExpr *mt_b_at_time_zone (MtParser *p, MtExpr *left, MtToken op, MtExpr *right);
MtExpr *mt_b_subquery (MtParser *p, MtSubselect s);
MtExpr *mt_b_exists (MtParser *p, MtToken t, MtSubselect s);
MtExpr *mt_b_array_select (MtParser *p, MtToken t, MtSubselect s);
MtExpr *mt_b_array (MtParser *p, MtToken l, MtExprs e, MtToken r);
MtExpr *mt_b_array_at (MtToken t, MtExpr *array);
MtExpr *mt_b_row (MtParser *p, MtToken t, MtExprs e, MtToken end);
MtExpr *mt_b_row_more (MtParser *p, MtToken t, MtExprs e, MtExpr *last, MtToken end);
MtWhens mt_b_whens (MtParser *p, MtExpr *when, MtExpr *then);
void mt_b_when (MtParser *p, MtWhens *w, MtExpr *when, MtExpr *then);
MtExpr *mt_b_case (MtParser *p, MtToken t, MtExpr *operand, MtWhens w, MtExpr *otherwise,
                   MtToken end);

/* ---- calls ---- */
MtArg mt_b_arg (MtExpr *e, MtToken name);
MtArgs mt_b_args (MtParser *p, MtArg arg);
MtArgs mt_b_args_more (MtParser *p, MtArgs args, MtArg arg);
MtExpr *mt_b_call (MtParser *p, MtNames name, MtArgs args, MtToken end);
MtExpr *mt_b_call_full (MtParser *p, MtNames name, MtArgs args, MtArgsKind kind, MtOrders order,
                        MtToken end);
MtExpr *mt_b_call_clauses (MtParser *p, MtExpr *call, MtOrders within, MtFilter filter, int nulls,
                           MtWindow *over);
MtExpr *mt_b_builtin (MtParser *p, MtToken t, const char *name, MtExprs args, MtToken end);
MtExpr *mt_b_builtin_args (MtParser *p, MtToken t, const char *name, MtArgs args, MtToken end);
MtExpr *mt_b_niladic (MtParser *p, MtToken t);
MtExpr *mt_b_clock (MtParser *p, MtToken t, MtToken precision, MtToken end);
MtExpr *mt_b_extract (MtParser *p, MtToken t, MtToken field, MtExpr *e, MtToken end);
MtExprs mt_b_substring_for (MtParser *p, MtExpr *e, MtExpr *n);
MtFilter mt_b_filter (MtExpr *e, MtToken end);
MtOrders mt_b_orders_end (MtOrders o, MtToken end);
MtWindow *mt_b_window_ref (MtParser *p, MtToken name);
MtWindow *mt_b_window (MtParser *p, MtToken l, MtToken name, MtExprs partition, MtOrders order,
                       MtFrame frame, MtToken r);
MtWindow *mt_b_window_named (MtParser *p, MtToken name, MtWindow *w);
MtFrame mt_b_frame (MtFrameMode mode, MtFrame f, const char *exclude);
MtFrame mt_b_frame_from (MtParser *p, MtFrameBound start);
MtFrame mt_b_frame_between (MtParser *p, MtFrameBound start, MtFrameBound end);
MtFrameBound mt_b_bound (MtFrameBoundKind kind, MtSpan span, MtExpr *offset);

/* ---- FROM ---- */
MtFroms mt_b_froms (MtFrom *f);
MtFrom *mt_b_from_table (MtParser *p, MtQualified q, bool only);
MtFrom *mt_b_from_alias (MtParser *p, MtFrom *f, MtAlias alias);
MtFrom *mt_b_from_sample (MtParser *p, MtFrom *f, MtNames method, MtExprs args, MtToken end,
                          MtExpr *repeatable);
MtFrom *mt_b_from_lateral (MtToken t, MtFrom *f);
MtFrom *mt_b_from_select (MtParser *p, MtSubselect s);
MtFrom *mt_b_from_paren (MtToken l, MtFrom *f, MtToken r);
/* Builds FROM 'path', which is short for FROM read_file ('path'). */
MtFrom *mt_b_from_file (MtParser *p, MtToken path);
MtFrom *mt_b_from_function (MtParser *p, MtExpr *call, MtToken ordinality);
MtFrom *mt_b_from_rows (MtParser *p, MtToken t, MtExprs calls, MtToken end, MtToken ordinality);
MtFrom *mt_b_join (MtParser *p, MtJoinKind kind, bool natural, MtFrom *left, MtFrom *right,
                   MtJoinQual q);
/* Creates an ASOF join. keeps_left: it is ASOF LEFT JOIN. tolerance NULL: none. */
MtFrom *mt_b_join_asof (MtParser *p, bool nearest, bool keeps_left, MtFrom *left, MtFrom *right,
                        MtJoinQual q, MtExpr *tolerance);
MtJoinQual mt_b_join_using (MtParser *p, MtNames columns, MtToken end, MtToken alias);
MtJoinQual mt_b_join_on (MtExpr *e);
MtAlias mt_b_alias (MtParser *p, MtToken name);
MtAlias mt_b_alias_columns (MtParser *p, MtToken name, MtNames columns, MtToken end);
MtFieldDefs mt_b_field_def (MtParser *p, MtFieldDefs list, MtToken name, MtTypeName *type);
MtAlias mt_b_alias_defs (MtParser *p, MtToken name, MtFieldDefs fields, MtToken end);

/* ---- transactions and cursors (build_txn.c) ---- */
MtStmt *mt_b_transaction_modes (MtParser *p, MtTxnVerb verb, MtToken t, MtTxnModes modes);
MtStmt *mt_b_transaction_name (MtParser *p, MtTxnVerb verb, MtToken t, MtToken name);
MtStmt *mt_b_transaction_end (MtParser *p, MtTxnVerb verb, MtToken t, bool chain);
MtTxnModes mt_b_modes (MtTxnModes a, MtTxnModes b);
MtCursorOptions mt_b_cursor_option (MtCursorOptions o, MtToken option, bool no);
MtStmt *mt_b_declare (MtParser *p, MtToken t, MtToken name, MtCursorOptions o, bool hold,
                      MtSelect *query);
MtFetch mt_b_fetch_args (MtFetchHow how, int64_t count, MtToken name);
int64_t mt_b_int64 (MtParser *p, MtToken t, bool negative);
MtStmt *mt_b_fetch_stmt (MtParser *p, MtToken t, bool move, MtFetch f);
MtStmt *mt_b_close (MtParser *p, MtToken t, MtToken name, MtToken end);
MtStmt *mt_b_discard (MtParser *p, MtToken t, MtDiscard what, MtToken end);

/* ---- statements ---- */
MtStmt *mt_b_select_stmt (MtParser *p, MtSelect *s);
MtStmt *mt_b_advise (MtParser *p, MtToken t, MtOptions options, MtSelect *select, MtToken text);
MtStmt *mt_b_explain (MtParser *p, MtToken t, MtOptions options, MtStmt *s);
MtOptions mt_b_explain_flags (MtParser *p, MtToken analyze, MtToken verbose);
MtStmt *mt_b_insert (MtParser *p, MtToken t, MtQualified table, MtInsertRest rest, MtOnConflict *c,
                     MtTargets returning);
MtStmt *mt_b_insert_with (MtParser *p, MtWith with, MtStmt *insert);
MtStmt *mt_b_change_with (MtParser *p, MtWith with, MtStmt *change);
MtAssigns mt_b_assigns (MtAssign *a);
MtAssign *mt_b_assign (MtParser *p, MtNames columns, MtExpr *value, bool row);
MtAssign *mt_b_assign_part (MtParser *p, MtToken column, MtExpr *value);
MtStmt *mt_b_update (MtParser *p, MtToken t, MtQualified table, MtAssigns set, MtFroms from,
                     MtExpr *where, MtTargets returning);
MtStmt *mt_b_delete (MtParser *p, MtToken t, MtQualified table, MtFroms from, MtExpr *where,
                     MtTargets returning);
MtTypes mt_b_types (MtParser *p, MtTypeName *t);
void mt_b_push_type (MtParser *p, MtTypes *list, MtTypeName *t);
MtStmt *mt_b_prepare (MtParser *p, MtToken t, MtToken name, MtTypes types, MtStmt *s);
MtStmt *mt_b_execute (MtParser *p, MtToken t, MtToken name, MtExprs args, MtToken end);
MtStmt *mt_b_deallocate (MtParser *p, MtToken t, MtToken name, MtToken end);
MtInsertRest mt_b_insert_from (MtNames columns, MtSelect *s);
MtInsertRest mt_b_insert_default (MtToken end);
MtOnConflict *mt_b_conflict (MtParser *p, MtToken t, MtConflictTarget target, MtToken end);
MtOnConflict *mt_b_conflict_update (MtParser *p, MtToken t, MtConflictTarget target, MtAssigns set,
                                    MtExpr *where);
MtStmt *mt_b_create_table (MtParser *p, MtToken t, MtQualified name, MtTableItems items,
                           MtToken end, MtLayoutDef *layout);
MtStmt *mt_b_create_table_as (MtParser *p, MtToken t, MtQualified name, MtNames columns,
                              MtLayoutDef *layout, MtSelect *s, MtWithData data);
/* Builds CREATE TABLE t FROM 'file', which is short for CREATE TABLE t AS SELECT * FROM 'file'. */
MtStmt *mt_b_create_table_from (MtParser *p, MtToken t, MtQualified name, MtToken from,
                                MtFrom *file, MtLayoutDef *layout);
MtStmt *mt_b_create_table_execute (MtParser *p, MtToken t, MtQualified name, MtNames columns,
                                   MtLayoutDef *layout, MtStmt *execute, MtWithData data);
typedef struct MtOnCommitRule {
   MtOnCommitClause clause;
   MtSpan span;
} MtOnCommitRule;
MtOnCommitRule mt_b_on_commit (MtOnCommitClause clause, MtToken on, MtToken end);
MtStmt *mt_b_temporary (MtStmt *create, bool temporary, MtOnCommitRule rule);
/* The list of an ALTER TABLE's actions. `last` is the action to which further options are added. */
typedef struct MtAlterActions {
   MtStmt *first, *last;
} MtAlterActions;
MtAlterActions mt_b_alter_actions (MtAlterActions list, MtStmt *action);
MtStmt *mt_b_alter_table (MtToken t, MtQualified table, MtAlterActions actions);
MtWithData mt_b_with_data (bool none, MtToken t);
MtTableItems mt_b_items_column (MtParser *p, MtTableItems items, MtColumnDef *c);
MtTableItems mt_b_items_key (MtParser *p, MtTableItems items, MtKey k);
MtColumnDef *mt_b_column_def (MtParser *p, MtToken name, MtTypeName *type);
void mt_b_column_role (MtParser *p, MtColumnDef *c, MtColumnRole role, MtToken t);
void mt_b_column_period (MtParser *p, MtColumnDef *c, MtToken t, MtToken period);
void mt_b_column_counter (MtParser *p, MtColumnDef *c, MtToken t, MtToken end);
void mt_b_column_field (MtParser *p, MtColumnDef *c, MtToken t, MtToken field);
void mt_b_column_not_null (MtParser *p, MtColumnDef *c, MtToken t, MtToken end, bool not_null);
void mt_b_column_default (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e);
void mt_b_column_generated (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e, MtToken end);
MtLayoutDef *mt_b_layout (MtParser *p, MtToken t, MtToken access, MtOptions options, MtToken end);
MtLayoutDef *mt_b_layout_named (MtParser *p, MtToken name, MtLayoutDef *l);
MtOptions mt_b_options (MtOption *o);
MtOption *mt_b_option (MtParser *p, MtToken name);
MtOption *mt_b_option_value (MtParser *p, MtToken name, MtOptionValue v);
MtOptionValue mt_b_option_atom (MtParser *p, int kind, MtToken t);
MtOptionValue mt_b_option_negative (MtParser *p, MtToken minus, MtToken t);
MtOptionValue mt_b_option_zone_interval (MtParser *p, MtToken t);
MtOptionValue mt_b_option_bool (bool value, MtToken t);
MtOptionValue mt_b_option_word (MtParser *p, MtToken t); /* the words on and off become booleans */
MtOptionValue mt_b_option_list (MtToken l, MtNames names, MtToken r);
MtStmt *mt_b_drop (MtParser *p, MtStmtKind kind, MtToken t, MtDropList names, MtBehavior b);
MtBehavior mt_b_behavior (bool cascade, MtToken t);
MtDropList mt_b_drop_list (MtParser *p, MtDropList list, MtQualified q);
MtStmt *mt_b_alter_add (MtParser *p, MtToken t, MtQualified table, bool if_not_exists,
                        MtLayoutDef *l);
MtStmt *mt_b_alter_name (MtParser *p, MtToken t, MtQualified table, MtAlterKind action,
                         MtQualified name);
MtStmt *mt_b_alter_add_column (MtParser *p, MtToken t, MtQualified table, bool if_not_exists,
                               MtColumnDef *c);
MtStmt *mt_b_alter_type (MtParser *p, MtToken t, MtQualified table, MtToken name, MtTypeName *type,
                         MtExpr *using_expr);
MtStmt *mt_b_alter_default (MtParser *p, MtToken t, MtQualified table, MtToken name, MtExpr *value);
MtStmt *mt_b_alter_column (MtParser *p, MtToken t, MtQualified table, MtToken name,
                           MtAlterKind action, MtToken end);
MtStmt *mt_b_alter_behavior (MtStmt *s, MtBehavior b);
MtStmt *mt_b_alter_rename (MtParser *p, MtToken t, MtQualified table, MtToken from, MtToken to);
MtCopyWhat mt_b_copy_table (MtQualified table, MtNames columns, bool from);
MtCopyWhat mt_b_copy_query (MtStmt *s);
MtStmt *mt_b_copy (MtParser *p, MtToken t, MtCopyWhat what, MtToken file, MtCopyClauses options,
                   MtExpr *where);
MtCopyClauses mt_b_copy_options (MtOptions o, MtToken end);
MtCopyClauses mt_b_copy_old (MtParser *p, MtCopyClauses o, MtToken t, const char *name,
                             MtToken value);
MtCopyClauses mt_b_copy_force (MtParser *p, MtCopyClauses o, MtToken t, const char *name,
                               MtNames columns);
MtStmt *mt_b_set_begin (MtStmt *s, MtToken t, bool local);
MtStmt *mt_b_set (MtParser *p, MtToken name, MtOptions values);
MtStmt *mt_b_set_default (MtParser *p, MtToken name, MtToken end);
MtToken mt_b_renamed (MtToken t, const char *name);
MtStmt *mt_b_setting (MtParser *p, MtStmtKind kind, MtToken t, MtToken name, MtToken end);
MtStmt *mt_b_analyzed_columns (MtStmt *s, MtNames columns);
/* Sets the options of VACUUM (…) or ANALYZE (…). Fails with 42601 for an option that PostgreSQL
 * does not have. */
MtStmt *mt_b_maintain_options (MtParser *p, MtStmt *s, MtOptions options);
MtStmt *mt_b_maintain (MtParser *p, MtStmtKind kind, MtToken t, MtToken layout, MtQualified table);
MtStmt *mt_b_vacuum (MtStmt *s, bool full, bool analyze);
MtStmt *mt_b_preallocate (MtParser *p, MtToken t, MtQualified table, MtToken length, MtToken from);
MtStmt *mt_b_load (MtParser *p, MtToken t, MtToken file);
MtStmt *mt_b_create_view (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                          MtNames columns, MtSelect *query);
/* The clauses after the columns of an index. */
typedef struct MtIndexEnd {
   bool nulls_equal;
   MtExpr *where;
   MtNames ignored; /* the words of the clauses without effect */
   MtSpan span;     /* the last clause; len 0: none */
} MtIndexEnd;
typedef struct MtIndexColumns {
   MtNames names;
   MtNames classes; /* operator classes */
   bool ordered;    /* some column has DESC or NULLS FIRST or LAST */
} MtIndexColumns;
/* class: the operator class; class.text NULL: not given. */
MtIndexColumns mt_b_push_index_column (MtParser *p, MtIndexColumns list, MtToken name,
                                       MtToken class);
MtStmt *mt_b_alter_options (MtParser *p, MtToken t, MtQualified table, MtAlterKind action,
                            MtOptions options, MtToken end);
MtStmt *mt_b_alter_of_layout (MtStmt *s, MtToken layout);
MtStmt *mt_b_call_stmt (MtParser *p, MtToken t, MtExpr *call);
/* If s is SELECT of a single call of a procedure such as drop_chunks, converts it to a CALL.
 * Returns other statements unchanged. */
MtStmt *mt_b_lone_call (MtStmt *s);
MtStmt *mt_b_create_index (MtParser *p, MtToken t, MtToken name, bool unique, MtQualified table,
                           MtToken method, MtIndexColumns columns, MtToken end);
MtStmt *mt_b_index_end (MtStmt *s, MtIndexEnd end);
MtStmt *mt_b_comment (MtParser *p, MtToken t, MtCommentOn on, MtQualified name, MtToken text);
MtStmt *mt_b_comment_column (MtParser *p, MtToken t, MtToken schema, MtToken table, MtToken column,
                             MtToken text);
MtStmt *mt_b_create_layout (MtParser *p, MtToken t, bool or_replace, MtToken name,
                            MtToken descriptor);
MtStmt *mt_b_create_function (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                              MtFuncArgs args, MtFuncOptions o);
MtFuncArgs mt_b_func_args (MtFunctionArg *arg);
MtFunctionArg *mt_b_func_arg (MtParser *p, MtToken name, MtTypeName *type);
MtFunctionArg *mt_b_func_arg_refused (MtParser *p, MtToken mode, MtTypeName *type);
MtFunctionArg *mt_b_func_arg_default (MtFunctionArg *arg, MtExpr *e);
MtFuncOptions mt_b_func_returns (MtParser *p, MtFuncOptions o, MtTypeName *type);
MtFuncOptions mt_b_func_returns_table (MtParser *p, MtFuncOptions o, MtToken t);
MtFuncOptions mt_b_func_language (MtParser *p, MtFuncOptions o, MtToken name, MtToken end);
MtFuncOptions mt_b_func_body (MtParser *p, MtFuncOptions o, MtToken body, MtToken symbol);
MtFuncOptions mt_b_func_volatility (MtParser *p, MtFuncOptions o, int volatility, MtToken t);
MtFuncOptions mt_b_func_strict (MtFuncOptions o, bool strict, MtToken t);

#endif
