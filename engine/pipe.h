/* Builds pipelines as BSON. All documents are allocated in an arena. An expression is passed as a
 * document {"": expression} (mt_doc_of of base/bson.h). */
#ifndef MT_PIPE_H
#define MT_PIPE_H

#include "base/bson.h"

/* Returns {"": {op: [args…]}}: an operator with a list of arguments. Each argument is an expression
 * document; NULL ends the list. */
bson_t *mt_mql_op (MtArena *a, const char *op, const bson_t *arg, ...);
/* Returns {"": {op: arg}}: an operator with one argument. */
bson_t *mt_mql_op1 (MtArena *a, const char *op, const bson_t *arg);
/* Returns {"": {$let: {vars: {name: value}, in: in}}}. `value` and `in` are expression
 * documents. */
bson_t *mt_mql_let (MtArena *a, const char *name, const bson_t *value, const bson_t *in);
/* Returns the expression "$path", which reads a field. If `path` is NULL, returns the constant null
 * (for a key that no later stage reads). */
bson_t *mt_mql_path (MtArena *a, const char *path);
bson_t *mt_mql_int (MtArena *a, int64_t i);
/* Returns the expression for a constant v. If MongoDB could read v as a path or an operator, it is
 * wrapped in $literal. */
bson_t *mt_mql_const (MtArena *a, MtVal v);

/* Returns the expression that parses the text at `path` as a time, by a format of %Y %m %d %H %M %S
 * %L, which may end early. NULL gives null. A text of another form gives on_error, or an error if
 * on_error is MT_MISSING. A value that is no text is always an error. */
bson_t *mt_mql_from_format (MtArena *a, const char *path, const char *format, MtVal on_error);
/* Returns the expression for the beginning of month n (an expression; 0 is January) in the year of
 * `date`. */
bson_t *mt_mql_month_of (MtArena *a, const bson_t *date, const bson_t *n);
/* Like mt_mql_from_format, but parses the result of the expression `text`. */
bson_t *mt_mql_time_of (MtArena *a, const bson_t *text, const char *format, MtVal on_error);

/* Combines an array of $match conditions into one condition, which is true if all are. Operators on
 * the same field become one document ({$gte: 1, $lt: 5}), because all servers can use that for an
 * index. Conditions that can't be combined go into $and. The result is allocated in arena a. */
const bson_t *mt_match_all (MtArena *a, const bson_t *conditions);

typedef struct MtPipe {
   MtArena *a;
   bson_t *stages; /* an array */
   int count;
} MtPipe;

MtPipe *mt_pipe_new (MtArena *a);
void mt_pipe_add (MtPipe *p, const char *stage, const bson_t *body);
void mt_pipe_add_value (MtPipe *p, const char *stage, MtVal v);
void mt_pipe_add_never (MtPipe *p); /* appends a stage that passes no document on */
void mt_pipe_append (MtPipe *p, const MtPipe *other);
void mt_pipe_append_bson (MtPipe *p, const bson_t *stages);

/* Joins two paths with a dot: "a" and "b" give "a.b". Either may be "". */
const char *mt_dotted (MtArena *a, const char *left, const char *right);

#endif
