/* Reading a layout's descriptor: its values, each with its place for errors (descriptor_read.c),
 * and what it says of columns by itself (sketch.c). Private. */
#ifndef MT_DESCRIPTOR_INT_H
#define MT_DESCRIPTOR_INT_H

#include "layouts/layout_int.h"

#include <string.h>

typedef struct MtParse {
   MtArena *a;
   const MtTable *t;
   MtSketch *sketch; /* NULL: t's columns are given; else they come to be as they are named */
   MtBlame *blame;
   char path[768]; /* where in the descriptor */
   size_t path_len;
   int next_id;
} MtParse;

/* ---- places ---- */

#define MT_BAD(p, ...) mt_layout_invalid ((p)->blame, (p)->path, __VA_ARGS__)

/* Goes into a field, or into an element of the array in it; what comes back leads out again
 * (mt_d_leave). */
size_t mt_d_enter (MtParse *p, const char *field);
size_t mt_d_enter_index (MtParse *p, const char *field, size_t i);
void mt_d_leave (MtParse *p, size_t mark);

/* ---- values ---- */

/* A document whose fields are all among `names` (ended by NULL), none twice. */
bool mt_d_expect (MtParse *p, MtVal v, const char *const *names);
static inline MtVal mt_d_field (MtVal doc, const char *name)
{
   return mt_doc_get (doc, name, strlen (name));
}
bool mt_d_text (MtParse *p, MtVal v, const char **out);
bool mt_d_int (MtParse *p, MtVal v, int64_t min, int64_t max, int64_t *out);
bool mt_d_path (MtParse *p, MtVal v, const char **out);
bool mt_d_column (MtParse *p, MtStr name, int *out);

/* A field that may be left out; *out stays then. */
bool mt_d_opt_bool (MtParse *p, MtVal doc, const char *name, bool *out);
bool mt_d_opt_word (MtParse *p, MtVal doc, const char *name, const char *const *words,
                    int *out); /* one of `words`, whose index goes to *out */
bool mt_d_opt_path (MtParse *p, MtVal doc, const char *name, const char **out);
bool mt_d_opt_as (MtParse *p, MtVal doc, uint8_t *as);
/* "encoding" of a column's values of type t, or (column < 0) of truncated times, or of parts of the
 * time. */
bool mt_d_opt_encoding (MtParse *p, MtVal doc, MtEncoding *e, int column, MtType t, bool part,
                        bool trunc);

/* Reads a descriptor into *out, with p's columns. */
bool mt_layout_read (MtParse *p, const bson_t *descriptor, MtLayout *out);

/* ---- sketches ---- */

/* The column of that name, made when it is the first time that it is named. */
bool mt_sketch_column (MtParse *p, MtStr name, int *out);
/* A fact (MtSketchFact) about a column of a sketch; 42P17 where it can't hold beside the others. Of
 * a table's column nothing is done. */
bool mt_sketch_note (MtParse *p, int column, unsigned fact);
/* The table's time, which a descriptor needn't name; its number, or -1 when the table has none. */
int mt_sketch_time (MtParse *p);

#endif
