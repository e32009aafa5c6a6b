/* Private to layouts/descriptor: the state of parsing, values with their places, and sketches. */
#ifndef MT_DESCRIPTOR_INT_H
#define MT_DESCRIPTOR_INT_H

#include "layouts/descriptor/descriptor.h"

#include <string.h>

/* ---- errors (blame.c) ---- */

/* 42P17 with a path in the descriptor; false. */
bool mt_layout_invalid (MtBlame *b, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));
/* Checks the name of a collection. 42P17. */
bool mt_collection_name_ok (MtBlame *b, const char *path, const char *name);

/* ---- sketches (sketch.c) ---- */

/* What a descriptor states of a column. */
typedef enum MtSketchFact {
   MT_SK_TIME = 1, /* its values are times */
   MT_SK_NO_TIME = 2,
   MT_SK_MEASURE = 4,
   MT_SK_BOUND = 8
} MtSketchFact;

/* The table that a descriptor describes, if no table is given. Its columns are the columns that the
 * descriptor names, of type unknown. */
typedef struct MtSketch {
   MtTable table;   /* has room for MT_MAX_COLUMNS and the time */
   unsigned *facts; /* by column: MtSketchFact */
} MtSketch;

/* Returns whether a column of a sketch may be the table's time. */
bool mt_sketch_may_be_time (const MtTable *t, int column);

/* ---- parsing ---- */

typedef struct MtParse {
   MtArena *a;
   const MtTable *t;
   MtSketch *sketch; /* NULL: t has columns; else they are created when they are named */
   MtBlame *blame;
   char path[768]; /* of the current value in the descriptor */
   size_t path_len;
   int next_id;
} MtParse;

/* 42P17 at the current path; false. */
#define MT_BAD(p, ...) mt_layout_invalid ((p)->blame, (p)->path, __VA_ARGS__)

/* Moves the current path into a field, or into element i of an array in a field. The result is for
 * mt_d_leave, which moves it back. */
size_t mt_d_enter (MtParse *p, const char *field);
size_t mt_d_enter_index (MtParse *p, const char *field, size_t i);
void mt_d_leave (MtParse *p, size_t mark);

/* Checks that v is a document whose fields are all among `names` (ended by NULL), each at most
 * once. */
bool mt_d_expect (MtParse *p, MtVal v, const char *const *names);
static inline MtVal mt_d_field (MtVal doc, const char *name)
{
   return mt_doc_get (doc, name, strlen (name));
}
bool mt_d_text (MtParse *p, MtVal v, const char **out);
bool mt_d_int (MtParse *p, MtVal v, int64_t min, int64_t max, int64_t *out);
bool mt_d_path (MtParse *p, MtVal v, const char **out);
bool mt_d_column (MtParse *p, MtStr name, int *out);

/* The following read an optional field; if it is missing, *out keeps its value. */
bool mt_d_opt_bool (MtParse *p, MtVal doc, const char *name, bool *out);
/* Reads one of `words`; *out is its index. */
bool mt_d_opt_word (MtParse *p, MtVal doc, const char *name, const char *const *words, int *out);
bool mt_d_opt_path (MtParse *p, MtVal doc, const char *name, const char **out);
bool mt_d_opt_as (MtParse *p, MtVal doc, uint8_t *as);
/* Reads the encoding of a column's values, which have type t. column < 0: of truncated times
 * (trunc) or parts of the time (part). */
bool mt_d_opt_encoding (MtParse *p, MtVal doc, MtEncoding *e, int column, MtType t, bool part,
                        bool trunc);

/* Finds the sketch's column of that name, or creates it. */
bool mt_sketch_column (MtParse *p, MtStr name, int *out);
/* Notes facts (MtSketchFact) about a column of a sketch. 42P17 if they contradict facts noted
 * before. Does nothing if the columns are a table's. */
bool mt_sketch_note (MtParse *p, int column, unsigned fact);
/* Returns the time column; -1: the table has none. In a sketch, creates it if necessary, because a
 * descriptor need not name it. */
int mt_sketch_time (MtParse *p);

/* ---- checks ---- */

/* Checks a parsed layout beyond its grammar (check.c). */
bool mt_layout_check (const MtTable *t, const MtLayout *l, MtBlame *blame);
/* Returns whether a store's documents can be sharded by a field (NULL: none was found). If not,
 * *why is the reason, for an error's text. */
bool mt_can_shard (const MtStoreDesc *s, const char *at, const char **why);

#endif
