/* Private to layouts/descriptor: the parser's state, functions for single values, and sketches
 * (tables made from a descriptor alone). */
#ifndef MT_DESCRIPTOR_INT_H
#define MT_DESCRIPTOR_INT_H

#include "layouts/descriptor/descriptor.h"

#include <string.h>

/* ---- errors (blame.c) ---- */

/* Sets error 42P17 (invalid descriptor) with `path`, the position of the fault, and returns
 * false. */
bool mt_layout_invalid (MtBlame *b, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));
/* Checks the name of a collection in a descriptor. 42P17 if the name is invalid. */
bool mt_collection_name_ok (MtBlame *b, const char *path, const char *name);

/* ---- sketches (sketch.c) ---- */

/* A fact about a column that a descriptor states without a table. */
typedef enum MtSketchFact {
   MT_SK_TIME = 1, /* its values are times */
   MT_SK_NO_TIME = 2,
   MT_SK_MEASURE = 4,
   MT_SK_BOUND = 8
} MtSketchFact;

/* A table made from the columns that a descriptor names, for checking a descriptor without a table.
 * The types of its columns are unknown. */
typedef struct MtSketch {
   MtTable table;   /* with memory for MT_MAX_COLUMNS columns and the time */
   unsigned *facts; /* for each column: a set of MtSketchFact */
} MtSketch;

/* In a sketch (a table made from a descriptor alone): returns whether a column may be the table's
 * time. */
bool mt_sketch_may_be_time (const MtTable *t, int column);

/* ---- parsing ---- */

typedef struct MtParse {
   MtArena *a;
   const MtTable *t;
   /* NULL: the columns are those of t; else a column is created when the descriptor names it */
   MtSketch *sketch;
   MtBlame *blame;
   char path[768]; /* path of the current value in the descriptor */
   size_t path_len;
   int next_id;
} MtParse;

/* Sets error 42P17 (invalid descriptor) at the current path, and returns false. */
#define MT_BAD(p, ...) mt_layout_invalid ((p)->blame, (p)->path, __VA_ARGS__)

/* mt_d_enter appends a field's name to the current path, mt_d_enter_index a field's name and an
 * array index i. Both return the earlier length of the path, which mt_d_leave takes to restore
 * it. */
size_t mt_d_enter (MtParse *p, const char *field);
size_t mt_d_enter_index (MtParse *p, const char *field, size_t i);
void mt_d_leave (MtParse *p, size_t mark);

/* Checks that v is a document whose fields are all among `names` (ended by NULL), each at most
 * once. */
bool mt_d_expect (MtParse *p, MtVal v, const char *const *names);
bool mt_d_text (MtParse *p, MtVal v, const char **out);
bool mt_d_int (MtParse *p, MtVal v, int64_t min, int64_t max, int64_t *out);
bool mt_d_path (MtParse *p, MtVal v, const char **out);
bool mt_d_column (MtParse *p, MtStr name, int *out);

/* The functions mt_d_opt_… read the optional field `name` of doc. If the field is missing, *out
 * keeps its value. They return false with error 42P17 if the value is invalid. */
bool mt_d_opt_bool (MtParse *p, MtVal doc, const char *name, bool *out);
/* Reads an optional field whose value is one of the texts in `words`. *out is set to the index of
 * the text; it keeps its value if the field is missing. */
bool mt_d_opt_word (MtParse *p, MtVal doc, const char *name, const char *const *words, int *out);
bool mt_d_opt_path (MtParse *p, MtVal doc, const char *name, const char **out);
bool mt_d_opt_as (MtParse *p, MtVal doc, uint8_t *as);
/* Returns the name that descriptors use in "as" for the BSON type `as` of a stored number. */
const char *mt_number_word (uint8_t as);
/* Describes the values that an encoding stores: a column's, truncated times, or parts of the
 * time. */
typedef struct MtEncodedValues {
   int column; /* < 0: the values are truncated times, or parts of the time */
   MtType type;
   bool part;  /* the values are parts of the time, such as the hour of the day, as integers */
   bool trunc; /* the values are truncated times, such as the start of the day */
} MtEncodedValues;

/* Reads the optional field "encoding" of doc, and checks that the encoding can store `values`. If
 * the field is missing, *e gets the default encoding. */
bool mt_d_opt_encoding (MtParse *p, MtVal doc, MtEncodedValues values, MtEncoding *e);

/* Sets *out to the index of the sketch's column of that name; creates it if it is missing. A sketch
 * is a table made from a descriptor alone. */
bool mt_sketch_column (MtParse *p, MtStr name, int *out);
/* Adds facts (bits of MtSketchFact) to a column of a sketch (a table made from a descriptor alone).
 * 42P17 if they contradict earlier facts. Does nothing if there is no sketch, because the columns
 * come from a table. */
bool mt_sketch_note (MtParse *p, int column, unsigned fact);
/* Returns the index of the time column; -1: the table has none. In a sketch (a table made from a
 * descriptor alone), creates the time column if it is missing, because a descriptor need not name
 * it. */
int mt_sketch_time (MtParse *p);

/* ---- checks ---- */

/* Checks that the parts of a parsed layout are consistent with each other and with table t: its
 * key, and the nesting levels, _id and options of its stores (check.c). The parser has only checked
 * single values. Fails with 42P17, or with 54011 if the table has too many columns. */
bool mt_layout_check (const MtTable *t, const MtLayout *l, MtBlame *blame);
/* Returns whether a store's collection can be sharded by the field at path `at`. NULL: the column
 * has no field, so it can't. If false, *why is set to the reason, as part of an error message. */
bool mt_can_shard (const MtStoreDesc *s, const char *at, const char **why);

#endif
