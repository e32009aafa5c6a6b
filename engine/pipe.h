/* Builds pipelines as BSON. The arena frees everything. */
#ifndef MT_PIPE_H
#define MT_PIPE_H

#include "base/value.h"

/* An empty document, which is freed with arena a. */
bson_t *mt_doc_new (MtArena *a);
/* {"": v}: an expression document, the form of all expressions here. */
bson_t *mt_doc_of (MtArena *a, MtVal v);
/* The value of an expression document. Borrowed from it. */
MtVal mt_doc_value (const bson_t *d);

void mt_doc_add (bson_t *d, const char *key, MtVal v);
void mt_doc_add_doc (bson_t *d, const char *key, const bson_t *sub);
void mt_doc_add_array (bson_t *d, const char *key, const bson_t *sub);
void mt_doc_add_int (bson_t *d, const char *key, int64_t i);
void mt_doc_add_text (bson_t *d, const char *key, const char *s);
/* "$path" as a string. */
void mt_doc_add_path (MtArena *a, bson_t *d, const char *key, const char *path);

/* Write a document or an array in place. d must not be used between begin and end. */
void mt_doc_begin (bson_t *d, const char *key, bson_t *sub);
void mt_doc_end (bson_t *d, bson_t *sub);
void mt_array_begin (bson_t *d, const char *key, bson_t *sub);
void mt_array_end (bson_t *d, bson_t *sub);

/* {"": {op: [args…]}}. Each argument is an expression document; NULL ends the list. */
bson_t *mt_mql_op (MtArena *a, const char *op, const bson_t *arg, ...);
/* {"": {op: arg}} */
bson_t *mt_mql_op1 (MtArena *a, const char *op, const bson_t *arg);
/* {"": {$let: {vars: {name: value}, in: in}}} with value and in as expression documents. */
bson_t *mt_mql_let (MtArena *a, const char *name, const bson_t *value, const bson_t *in);
/* path NULL: null, for a key that no later stage reads. */
bson_t *mt_mql_path (MtArena *a, const char *path);
bson_t *mt_mql_int (MtArena *a, int64_t i);
/* A constant, in $literal if it could be read as something else. */
bson_t *mt_mql_const (MtArena *a, MtVal v);

/* The time in the text at `path`, by a format of %Y %m %d %H %M %S; later parts may be missing.
 * NULL gives null. on_error: the value for text of another form; missing: an error. A value that is
 * no text is always an error. */
bson_t *mt_mql_from_format (MtArena *a, const char *path, const char *format, MtVal on_error);
/* The start of month n, from 0 on, of the year of a date. */
bson_t *mt_mql_month_of (MtArena *a, const bson_t *date, const bson_t *n);
/* The same for an expression that gives text. */
bson_t *mt_mql_time_of (MtArena *a, const bson_t *text, const char *format, MtVal on_error);

/* Joins conditions in the match language (an array of documents) that must all hold. The operators
 * of a field become one document, which all servers use as bounds of an index. $and has the rest.
 * In arena a. */
const bson_t *mt_match_all (MtArena *a, const bson_t *conditions);

typedef struct MtPipe {
   MtArena *a;
   bson_t *stages; /* an array */
   int count;
} MtPipe;

MtPipe *mt_pipe_new (MtArena *a);
void mt_pipe_add (MtPipe *p, const char *stage, const bson_t *body);
void mt_pipe_add_value (MtPipe *p, const char *stage, MtVal v);
void mt_pipe_add_never (MtPipe *p); /* a stage that passes no document */
void mt_pipe_append (MtPipe *p, const MtPipe *other);
void mt_pipe_append_bson (MtPipe *p, const bson_t *stages);

/* "a" + "." + "b"; either may be "". */
const char *mt_dotted (MtArena *a, const char *left, const char *right);

#endif
