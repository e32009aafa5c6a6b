/* What the files of analysis share. */
#ifndef MT_BIND_INT_H
#define MT_BIND_INT_H

#include "analyze/bind.h"
#include "functions/signature.h"
#include "query/x.h"

/* ---- types ---- */

typedef enum MtCoercion { MT_COERCE_IMPLICIT, MT_COERCE_ASSIGN, MT_COERCE_EXPLICIT } MtCoercion;

bool mt_can_coerce (MtTypeId from, MtTypeId to, MtCoercion how);
/* PostgreSQL's select_common_type. what: "CASE", "UNION" …, for the error. */
typedef struct MtBinder MtBinder;
bool mt_common_type (MtBinder *b, MtX *const *list, int count, const char *what, MtTypeId *out);
/* t, their common type, with the modifier that all of them have as t (PostgreSQL's
 * select_common_typmod). */
MtType mt_common_modifier (MtX *const *list, int count, MtTypeId t);
/* mt_common_type of types alone, MT_T_UNKNOWN where nothing is known; false: there is none, and
 * types[*bad] doesn't go with *out. */
bool mt_common_type_of (const MtTypeId *types, int count, MtTypeId *out, int *bad);
/* A type as written, resolved. */
bool mt_resolve_type (MtBinder *b, const MtTypeName *tn, MtType *out);
bool mt_is_oid (const MtTypeName *tn);
/* *x was cast from that type to oid, which is a bigint here: its range is checked, and a small
 * negative number wraps around. */
void mt_check_oid (MtBinder *b, MtTypeId from, MtX **x);
/* x as a value of type `to`. The literal's or the expression's place is in errors. */
bool mt_coerce (MtBinder *b, MtX *x, MtType to, MtCoercion how, MtX **out);

/* ---- arrays (array.c) ---- */

/* An array as another array or as text, or text as an array: there is such a cast. */
MtX *mt_array_cast (MtBinder *b, MtX *x, MtType to, MtCoercion how);
typedef struct MtScope MtScope;
/* ARRAY[…], ARRAY(SELECT …): elements are cast to those of `want` (NULL: to what they have in
 * common). */
bool mt_bind_array (MtBinder *b, MtScope *s, const MtExpr *e, const MtType *want, MtX **out);
/* An array of those arrays, of type t like them: 2202E where their dimensions differ. */
bool mt_array_of_arrays (MtBinder *b, const MtVal *values, int n, MtType t, MtSpan span, MtX **out);
/* ARRAY(SELECT …) (sub.c). */
bool mt_bind_array_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* a[i], a[i:j]; jsonb's too. */
bool mt_bind_subscript (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* left op ANY|ALL (array). */
bool mt_bind_any_array (MtBinder *b, MtX *left, const char *op, bool all, MtX *array, MtSpan span,
                        MtX **out);
/* left op ANY|ALL of those, of which there is one at least. */
bool mt_compare_any (MtBinder *b, MtX *left, const char *op, bool all, MtX **list, int n,
                     MtSpan span, MtX **out);
/* f (…, VARIADIC array): the array is the last argument. */
bool mt_bind_variadic (MtBinder *b, const char *name, MtX **args, int argc, MtSpan span, MtX **out);
/* A comparison of arrays by the hidden function of that name, which knows the elements' type. */
MtX *mt_array_comparison (MtBinder *b, MtX *x, const char *name);
/* Makes a call over an array of one dimension one that MongoDB has operators for, if there is
 * one. */
void mt_flat_call (MtX *x);
/* A type's name as an argument for operators, which know values only. */
MtX *mt_type_arg (MtBinder *b, MtTypeId t);

/* ---- binding ---- */

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
   MT_CLAUSE_FUNCTION,
   MT_CLAUSE_DEFAULT,
   MT_CLAUSE_EXECUTE,
   MT_CLAUSE_ON,
   MT_CLAUSE_WINDOW,
   MT_CLAUSE_FRAME,
   MT_CLAUSE_FROM
} MtClause;

struct MtScope {
   const MtRel *rel;
   int id; /* MT_X_OUTER.outer.scope of its columns; 0: none yet */
   MtRel
      *own; /* the same, where sub-selects that refer to it may add columns; NULL: they may not */
   MtClause clause;
   bool in_aggregate;
   MtX *guard; /* within CASE and COALESCE: for which rows what is being bound is computed at all;
                  NULL: for all */
   bool has_grouping; /* out: GROUPING was called */
   bool has_given;    /* out: MT_GIVEN was called */
   bool only_true;    /* of what is being bound it matters only whether it is TRUE */
   bool in_window;    /* among a window call's arguments */
   MtAggCall *aggs;
   int agg_count, agg_cap;
   MtX **params; /* $1 … of an SQL function's body */
   int param_count;
   int *param_uses;        /* how often each occurs, counted; may be NULL */
   const MtSig *param_sig; /* its parameters' names */
   MtWindows *windows;     /* calls so far; NULL: there is no SELECT to compute them */
   const MtWindow *named;  /* its WINDOW clause */
   const char *frame;      /* MT_CLAUSE_FRAME: "ROWS" … */
   bool defers;            /* sub-selects that may stand above a grouping wait for it (pending.c) */
   struct MtPending *pending;
   struct MtSameSub *same; /* those that wait, by their text: the same written twice is one */
   int pending_count, pending_cap;
   int pending_columns;
};

/* A common table expression of WITH RECURSIVE while it is being bound (recursive.c). */
typedef enum MtRecursionPart {
   MT_RECURSION_NONE,
   MT_RECURSION_BASE,
   MT_RECURSION_STEP
} MtRecursionPart;
typedef struct MtRecursion {
   const struct MtCteBind *scope; /* what it may refer to */
   bool busy;                     /* being bound */
   int since;                     /* MtBinder.recursions then */
   MtRecursionPart part;          /* that is being bound: only the step may refer to the whole */
   const struct MtOuter *outer;   /* the scopes around the step */
   const char *
      context; /* "EXCEPT", "INTERSECT": what the step must not refer to it within; NULL: nothing */
   int refs, query;      /* how often, and in which query (MtBinder.query), the step refers to it */
   MtSpan ref;           /* where; a WITH query in the step has it again each time it is read */
   MtRelColumn *columns; /* of the base */
   int column_count;
   const char *work;
} MtRecursion;

/* What became of a common table expression that was read. */
typedef struct MtCteState {
   int reads;        /* how often the statement reads it */
   MtShared *shared; /* NULL: each reading has a copy of its query */
} MtCteState;

typedef struct MtCteBind {
   const MtCte *cte;
   MtRecursion *recursion; /* NULL: WITH without RECURSIVE */
   MtCteState *state;
   struct MtOuter *around;        /* the scopes around it */
   const struct MtCteBind *outer; /* CTEs that this one may refer to, and the next to look at */
} MtCteBind;

/* The scopes around a sub-select, and those on the left of an item of FROM. */
typedef struct MtOuter {
   MtScope *scope;
   struct MtOuter *next;
   bool referred; /* there is a reference to a column of the scope */
   bool crossed;  /* or to one further out */
   int query;     /* lateral: the query whose FROM it is; 0: a sub-select's */
   bool denied;   /* lateral: the join's kind doesn't allow references */
} MtOuter;

/* Which queries the arguments of an aggregate refer to: its own, and the nearest around. */
typedef struct MtReach {
   const MtScope *scope;
   const MtOuter *around; /* of the scope */
   int columns;           /* FROM has so many, before sub-selects add theirs */
   bool own;
   const MtOuter *nearest; /* NULL: none */
} MtReach;
void mt_reach_x (MtReach *r, MtX *x);
void mt_reach_query (MtReach *r, MtQuery *q);

struct MtBinder {
   MtArena *a;
   const MtBindEnv *env;
   MtSharing *sharing; /* mt_sharing */
   const MtSig *sees;  /* the function with MT_F_SEES whose body is being bound; NULL: none */
   MtReach *reach;     /* of the aggregate whose arguments are being bound, for sub-selects in them;
                          NULL: none */
   bool seeds;         /* setseed was called in what is bound so far */
   MtError *err;
   int depth;
   int inline_depth;
   bool expands; /* what is bound isn't in the statement's text, or was bound before */
   const MtCteBind *ctes;
   MtOuter *outer;
   MtOuter *lateral;       /* outer, and before it what LATERAL items may refer to */
   const MtOuter *unseen;  /* what they could refer to if they were LATERAL, for a hint */
   int scope_count;        /* ids of scopes that were given */
   int query, query_count; /* the query that is being bound; how many there were */
   int work_count;         /* names of recursive queries' rows that were given */
   int recursions;         /* common table expressions whose binding has begun */
   int oldest; /* MtRecursion.since of the outermost whose rows were referred to within; INT_MAX:
                  none was */
   MtRecursion *binding;    /* of the common table expression that is being bound */
   const MtCteBind *hidden; /* those that the one being bound can't see, for a hint */
   MtRel *beside; /* what a function in FROM may refer to: the items to its left; NULL: nothing */
   bool hypothetical;    /* what is being bound has calls of MT_GIVEN */
   const MtExpr *parted; /* the sub-select of the last MT_EXPR_PART, and its columns */
   MtX **parts;
   const MtSelect *assigned; /* its UNKNOWN targets stay so: they become what they are stored in */
};

bool mt_bind_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* A boolean expression for a clause ("WHERE", "HAVING" …). */
bool mt_bind_bool (MtBinder *b, MtScope *s, const MtExpr *e, const char *what, MtX **out);
bool mt_bind_call_expr (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_column_ref (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_operator (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out);
bool mt_bind_special (MtBinder *b, MtScope *s, const MtExpr *e, const char *name, MtX **args,
                      int argc, bool *done, MtX **out);
/* What lies within a jsonb or a document (json.c): x -> 'name'; x[key]. */
/* Functions that take rows (a table's alias, ROW (…)) as objects; their argument, bound. */
bool mt_takes_json_rows (const MtExpr *call);
bool mt_bind_json_arg (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* jsonb_to_record and its like in FROM, whose columns FROM says: the call and the columns' types;
 * *call NULL: another function, without them. Then the columns, added to rel. */
bool mt_bind_json_records (MtBinder *b, MtScope *s, const MtFrom *f, MtX **call,
                           const MtType **types);
void mt_json_record_columns (MtBinder *b, const MtFrom *f, const MtType *types, MtRel *rel);
bool mt_json_field (MtBinder *b, MtX *x, const char *name, MtSpan span, MtX **out);
bool mt_json_subscript (MtBinder *b, MtX *x, MtX *key, MtSpan span, MtX **out);
/* x as jsonb, as to_jsonb gives it; as a key of an object (22023: it can't be one), which is a
 * jsonb, too. */
bool mt_json_value (MtBinder *b, MtX *x, MtX **out);
bool mt_json_key (MtBinder *b, MtX *x, MtX **out);
/* A call of the function of that name over bound arguments. */
bool mt_bind_function (MtBinder *b, const char *name, MtSpan span, MtX **args,
                       const MtName *arg_names, int argc, MtX **out);
bool mt_bind_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int sig_count,
                        MtX **out);
/* The operator of two arguments that is meant without looking at what coercions allow: of just
 * their types, or of the one that is known; NULL: it takes more. */
const MtSig *mt_obvious_operator (const MtSig *const *sigs, int count, const MtTypeId *args);
/* Chooses among signatures by PostgreSQL's rules; *out NULL: none fits. False: ambiguous or another
 * error. */
const MtSig *mt_choose_sig (const MtSig *const *sigs, int count, const MtTypeId *args, int argc,
                            bool is_operator, bool *ambiguous);
/* The candidate that a call means: arguments by place, or (names not NULL) those whose
 * names[i].text isn't by name. NULL: none, or several (*ambiguous). */
const MtSig *mt_choose_call (MtBinder *b, const MtSig **sigs, int count, MtX *const *args,
                             const MtName *names, int argc, bool is_operator, bool *ambiguous);
/* A call's arguments in the order of the chosen candidate's parameters, with defaults for those
 * that were left out. */
bool mt_place_args (MtBinder *b, const MtSig *s, MtX ***args, const MtName *names, int *argc);
bool mt_build_call (MtBinder *b, const MtSig *sig, MtX **args, int argc, MtSpan span, MtX **out);

/* The scope of the SQL function's body that is being bound, around s or s itself; NULL: none. Its
 * parameter number i (from 0). */
const MtScope *mt_body_scope (const MtBinder *b, const MtScope *s);
MtX *mt_body_param (const MtScope *body, int i);

/* rank (v) WITHIN GROUP (ORDER BY x) and the like (hypothetical.c). */
bool mt_is_hypothetical (const MtExpr *e);
bool mt_bind_hypothetical (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* Sub-selects as values (sub.c). */
bool mt_bind_scalar_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_exists (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_in_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_quantified (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);

/* Rows of values (row.c). */
typedef struct MtRow {
   MtX **x;
   int n;
} MtRow;
bool mt_is_row (const MtExpr *e);
/* The fields of an MT_EXPR_ROW. */
bool mt_bind_fields (MtBinder *b, MtScope *s, const MtExpr *e, MtRow *out);
/* 42601: rows of different lengths; rows of one field are compared as these. */
bool mt_row_compare (MtBinder *b, const char *op, MtSpan span, const MtRow *l, const MtRow *r,
                     MtX **out);
/* Comparisons of which a side, or the value, is a row. */
bool mt_bind_row_compare (MtBinder *b, MtScope *s, const char *op, MtSpan span, const MtExpr *left,
                          const MtExpr *right, MtX **out);
bool mt_bind_row_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_null (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_bind_row_distinct (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* MT_EXPR_PART. */
bool mt_bind_part (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_distinct_from (MtBinder *b, MtX *l, MtX *r, MtSpan span, MtX **out);
/* The columns of the only row of a sub-select (sub.c). */
bool mt_bind_row_sub (MtBinder *b, MtScope *s, const MtSelect *select, MtSpan span, MtRow *out);

/* A sub-select that becomes a join of the query around it, once it is known whether that is grouped
 * below it. Until then its columns, and behind them the mark, are MT_X_COLUMN from `first` on,
 * which is at least MT_PENDING_COLUMN. */
#define MT_PENDING_COLUMN (1 << 24)
typedef struct MtPending {
   MtRel *right;
   MtJoin *join; /* what becomes of the join's; over the columns of FROM and of pending ones */
   int first;
   MtSpan span;
   int target; /* the first of the hidden targets that hold the join's expressions while the block
                  is grouped */
   int at;     /* its first column, once it is a join; 0: it isn't */
} MtPending;
/* Binds a sub-select (bind), or gives what the same text in the same place gave before. */
bool mt_bind_once (MtBinder *b, MtScope *s, const MtExpr *e,
                   bool (*bind) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out), MtX **out);
MtPending *mt_pending_new (MtBinder *b, MtScope *s, MtRel *right, const MtJoin *how, MtSpan span);
/* What needn't stand above a grouping becomes a join of FROM. */
bool mt_pending_below (MtBinder *b, MtScope *s, MtQuery *q);
/* Hides the expressions of the others among the targets: what happens to these happens to them. */
void mt_pending_hide (MtBinder *b, MtScope *s, MtQuery *q);
/* After the grouping: it becomes a sub-select, and they joins of that. */
bool mt_pending_above (MtBinder *b, MtScope *s, MtQuery *q);
/* Makes all of a block up to HAVING a sub-select; what stands above is over its columns. More of
 * that: in `list`. */
bool mt_lower_query (MtBinder *b, MtQuery *q, MtX **list, int count);

/* Those that refer to the query around them (correlated.c): q isn't folded yet. */
bool mt_correlated_exists (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out);
bool mt_correlated_any (MtBinder *b, MtScope *s, const MtRow *left, const char *op, bool all,
                        MtQuery *q, MtSpan span, MtX **out);
bool mt_correlated_value (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtX **out);
/* Also of one that doesn't refer to it: all its columns. */
bool mt_correlated_row (MtBinder *b, MtScope *s, MtQuery *q, MtSpan span, MtRow *out);

/* What an MT_X_OUTER is in the block that it refers to. */
MtX *mt_outer_value (MtArena *a, const MtX *x);
/* The id of a scope, made when it has none. */
int mt_scope_id (MtBinder *b, MtScope *s);
/* Makes a join whose right side has references to that scope, which is the left side, an apply. */
void mt_join_apply (MtBinder *b, MtJoin *j, int scope);

bool mt_bind_query (MtBinder *b, const MtSelect *s, MtQuery **out);
/* TABLESAMPLE over the table in *rel, which becomes a sub-select. */
bool mt_bind_sample (MtBinder *b, const MtFrom *f, MtRel *rel);
bool mt_bind_from (MtBinder *b, const MtFrom *f, MtRel *rel);
bool mt_bind_setop (MtBinder *b, const MtSelect *s, MtQuery **out);
/* The query of a common table expression; c as found in b->ctes. */
bool mt_bind_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out);
/* What is shared in the statement: where nobody says (MtBindEnv.sharing), in what this binder
 * binds. */
MtSharing *mt_sharing (MtBinder *b);
/* After one query of c was bound: *q becomes a reading of rows that are computed once, where they
 * should be. alone: it refers to nothing around it. */
bool mt_share_cte (MtBinder *b, const MtCteBind *c, bool alone, MtQuery **q);
/* The same of a view's query. *read: rows of that view that are computed once, or NULL: bind its
 * query, and then call mt_share_view. */
typedef struct MtViewRead MtViewRead;
MtViewRead *mt_view_read (MtBinder *b, const char *name, MtQuery **read);
bool mt_share_view (MtBinder *b, MtViewRead *v, MtQuery **q);
/* A sub-select in FROM that is read several times, by grouping sets: computed once where it is
 * large. */
bool mt_share_from (MtBinder *b, MtRel *rel, int times);
/* How many queries are in copies of q that the statement's text doesn't have. 54001: too many. */
bool mt_count_copies (MtBinder *b, const MtQuery *q, MtSpan span);
/* One query more is bound. 54001: too many; 57014. */
bool mt_count_query (MtBinder *b, MtSpan span);
MtQuery *mt_shared_reading (MtBinder *b, MtShared *s, MtSpan at);

/* base UNION [ALL] step as one block. In between `before` takes note of the base's columns. */
typedef bool (*MtBeforeStep) (MtBinder *b, void *ctx, const MtQuery *base);
bool mt_bind_recursion (MtBinder *b, const MtSelect *s, MtBeforeStep before, void *ctx,
                        const MtCte *cte, MtQuery **out);
/* Makes the queries of a WITH known; the caller restores b->ctes. */
bool mt_push_ctes (MtBinder *b, const MtSelect *s);
/* At the end of a query block: no aggregates where rows of the step itself are read. */
bool mt_check_step (MtBinder *b, const MtQuery *q);
/* Common table expressions down to `outer` that nobody read are bound, too: they may have
 * mistakes. */
bool mt_bind_unread_ctes (MtBinder *b, const MtCteBind *outer);
bool mt_bind_order (MtBinder *b, MtScope *s, const MtOrderItem *items, MtQuery *q);
/* One key of ORDER BY or DISTINCT ON (clause): a position, an output column, or an expression over
 * FROM's columns. */
bool mt_bind_sort_key (MtBinder *b, MtScope *s, const MtExpr *e, const char *clause,
                       const MtQuery *q, MtX **out);
/* After mt_bind_order; keys NULL: no DISTINCT ON. */
bool mt_bind_distinct_on (MtBinder *b, MtScope *s, const MtExprList *keys, MtQuery *q);
/* ASC, DESC, USING and NULLS of an item: the rest of *out stays as it is. */
bool mt_sort_direction (MtBinder *b, const MtOrderItem *o, MtSortX *out);
bool mt_bind_limit (MtBinder *b, const MtSelect *s, MtQuery *q);
/* Makes a block over a table whose rows may come once (and have not been grouped) a grouping by its
 * columns, where it can be one. */
void mt_distinct_as_groups (MtBinder *b, MtQuery *q);
/* A key of GROUP BY: a column of FROM, an output column, a position, or an expression. */
bool mt_bind_group_key (MtBinder *b, MtScope *s, const MtExpr *e, const MtQuery *q, MtX **out);

/* Grouping sets (sets.c): indexes of q->keys. */
typedef struct MtGroupSet {
   int *keys;
   int count;
} MtGroupSet;
typedef struct MtGroupSets {
   MtGroupSet *list;
   int count;
} MtGroupSets;
/* Sets q->keys to those of all sets. */
bool mt_bind_group_by (MtBinder *b, MtScope *s, const MtSelect *select, MtQuery *q,
                       MtGroupSets *out);
/* GROUPING (…): a call that mt_is_grouping knows, until mt_split_sets. */
bool mt_bind_grouping (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
bool mt_is_grouping (const MtX *x);
/* "$given" (value): the value that rank (value) WITHIN GROUP and its like are given, in their
 * counts, until mt_split_sets. There the value's keys are NULL where a set doesn't have them,
 * unlike the same columns of the counted rows. */
#define MT_GIVEN "$given"
bool mt_bind_given (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* After mt_group_query. */
bool mt_split_sets (MtBinder *b, const MtScope *s, const MtGroupSets *sets, MtQuery *q);
MtWindows *mt_windows_new (MtArena *a);
/* A call with OVER, or of a function that needs it (window.c). */
bool mt_bind_window_call (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out);
/* An aggregate with OVER, its arguments bound. */
bool mt_bind_window_aggregate (MtBinder *b, MtScope *s, const MtExpr *e, const MtAggCall *agg,
                               bool nullable, bool finite, MtX **out);
/* Binds the WINDOW clause's entries, whether anything uses them or not. */
bool mt_bind_named_windows (MtBinder *b, MtScope *s);
/* Moves the block below its window calls: q's FROM becomes a sub-select. Does nothing where there
 * are none. After mt_split_sets. */
bool mt_window_query (MtBinder *b, MtQuery *q);
/* Turns columns into keys, checks that nothing else is left. */
bool mt_group_query (MtBinder *b, MtScope *s, MtGroupSets *sets, MtQuery *q);
/* After it: q->gapfill. 0A000 where time_bucket_gapfill, locf or interpolate stand elsewhere than
 * they may. */
bool mt_gapfill_query (MtBinder *b, MtQuery *q, bool has_sets);
bool mt_fold_query (MtBinder *b, MtQuery *q);
bool mt_fold (MtBinder *b, MtX **x);
/* Comparisons of times between two milliseconds, as ones of the whole milliseconds before them; *x
 * is folded otherwise. */
bool mt_fold_moments (MtBinder *b, MtX **x);
/* The operator between a time that lies between two milliseconds, on its left, and whole ones;
 * *left: what to give it. */
const char *mt_moment_operator (MtBinder *b, const char *op, MtX **left);
/* *x: a literal of that text. One of times becomes an ARRAY[…] where elements lie between two
 * milliseconds, which an array's value can't tell. */
bool mt_exact_array (MtBinder *b, MtStr text, MtX **x);
/* Whether x is such an ARRAY[…]. */
bool mt_has_moments (const MtX *x);

/* The names that FROM gives, or those of one of its tables. */
typedef struct MtNames {
   const MtRel *rel;
   const char *alias;
   const MtRelName *list; /* NULL: the columns of rel */
   int count;
} MtNames;
MtNames mt_names_all (const MtRel *rel);
/* False: there is no table of that name. */
bool mt_names_of_table (const MtRel *rel, const MtName *alias, MtNames *out);
/* The same of the queries around, the nearest first; one of their columns, *out NULL: there is none
 * of that name. */
bool mt_names_around (const MtBinder *b, const MtName *alias, MtNames *out);
bool mt_outer_column (MtBinder *b, const MtName *qualifier, const MtName *name, MtSpan span,
                      MtX **out);
const char *mt_names_text (const MtNames *n, int i);
MtX *mt_names_x (MtBinder *b, const MtNames *n, int i, MtSpan span);
/* The alias of the table that column comes from; NULL: none. */
const char *mt_column_table (const MtRel *rel, int column);
/* Its index, -1 none, -2 ambiguous. */
int mt_names_find (const MtNames *n, const MtName *name);
/* The same among all names. */
int mt_rel_column (const MtRel *rel, const MtName *name);
/* Quoted names are compared as they are, others whatever their case. */
bool mt_same_name (const char *have, const MtName *want);
/* JOIN … ON, USING, NATURAL, and lists (join.c). */
bool mt_bind_join (MtBinder *b, const MtFrom *f, MtRel *rel);
/* generate_series (series.c): of constants *done; of others *call, as any set. Neither: something
 * else. */
bool mt_bind_series (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtX **call, bool *done);
/* Functions in FROM (unnest.c). */
bool mt_bind_from_function (MtBinder *b, const MtFrom *f, MtRel *rel);
/* The item to the right of others, which functions may refer to (sub-selects in their arguments add
 * columns to *left). */
bool mt_bind_beside (MtBinder *b, MtRel *left, const MtFrom *f, MtRel *right);
/* Makes a join whose right side is a function of the left one's columns the rows of that function
 * over the left side. */
bool mt_bind_values (MtBinder *b, const MtSelect *s,
                     MtQuery **out); /* into *out, or into another (values.c) */
bool mt_bind_on (MtBinder *b, const MtFrom *f,
                 MtRel *rel); /* JOIN … ON of a join whose sides and kind are set (on.c); rel may be
                                 no join then */
bool mt_join_unnest (MtBinder *b, MtSpan span, MtRel *rel);
/* A call that gives a set; whether there is one below x; whether it may stand here (0A000). */
bool mt_is_set (const MtX *x);
bool mt_has_set (const MtX *x);
/* 0A000 where one of the list is, or has, a call that gives a set; what: CASE … */
bool mt_no_sets (MtBinder *b, MtX *const *list, int count, const char *what);
bool mt_check_set (MtBinder *b, const MtScope *s, const MtExpr *e, const MtX *x);
/* Sets among the keys of GROUP BY, before mt_group_query; among the results, after mt_window_query
 * (expand.c). */
bool mt_expand_keys (MtBinder *b, MtQuery *q);
bool mt_expand_query (MtBinder *b, MtQuery *q);
bool mt_bind_from_item (MtBinder *b, const MtFrom *f, MtRel *rel);
/* The right side of a join, which may refer to the left one where it is LATERAL (not with
 * `denied`). *apply: the scope by which it does; 0: it doesn't. */
bool mt_bind_right (MtBinder *b, const MtFrom *f, MtRel *left, bool denied, MtRel *right,
                    int *apply);
/* Joins `right` to *rel in place: the columns of *rel keep their numbers and names, the other's
 * follow, without names, and then, with mark, whether there was a partner. */
bool mt_join_unnamed (MtBinder *b, MtRel *rel, MtRel *right, bool mark, MtSpan span);
bool mt_join_rels (MtBinder *b, MtRel *left, MtRel *right, MtSpan span, MtRel *rel);
const char *mt_target_name (const MtExpr *e);
/* UNKNOWN literals of the select list become text. */
bool mt_settle_unknown (MtBinder *b, MtX **x);
/* An expression that stands for two: a parameter whose type the first use has told has it in the
 * next. */
MtX *mt_param_again (MtBinder *b, MtX *x);

bool mt_enter (MtBinder *b, MtSpan span); /* depth; 54001 */
static inline void mt_leave (MtBinder *b) { b->depth--; }
/* *x becomes a copy of itself whose children are what `child` makes of them; what has none
 * stays. */
bool mt_x_map_children (MtBinder *b, MtX **x, bool (*child) (void *ctx, MtX **x), void *ctx);

bool mt_refuse (MtBinder *b, MtSpan span, const char *what); /* 0A000: "<what> is not supported" */

/* Of a function that isn't here: false, with 0A000, when PostgreSQL has it. */
bool mt_refuse_lacking_function (MtBinder *b, const char *name, MtSpan span);
/* Whether PostgreSQL has that operator with that type on its left, which isn't here. */
bool mt_is_lacking_operator (const char *op, MtTypeId left);
/* Whether PostgreSQL has a type of that name, which isn't here. */
bool mt_is_lacking_type (const char *name);

#endif
