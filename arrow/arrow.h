/* Rows as Arrow columns: for Arrow's IPC formats, and for its C data interface.
 *
 *    MtArrow *t = mt_arrow_open (&args);
 *    mt_arrow_put_start (t, MT_ARROW_STREAM, &out);
 *    mt_arrow_add (t, row, &err) …      if mt_arrow_is_full: mt_arrow_put_batch (t, &out)
 *    mt_arrow_put_end (t, &out);
 *    mt_arrow_close (t);
 *
 * kinds.c has the Arrow type of each SQL type. README.md says what the types can't hold. */
#ifndef MT_ARROW_H
#define MT_ARROW_H

#include "arrow/c_data.h"
#include "types/type.h"

/* The limits of a batch: rows, and bytes of values. A single longer row is a batch of its own. */
enum { MT_ARROW_BATCH_ROWS = 1 << 16, MT_ARROW_BATCH_BYTES = 8 << 20 };

/* Columns that are filled row by row. */
typedef struct MtArrow MtArrow;

/* The two IPC formats. A file is a stream between two marks, with a list of its batches at the
 * end. */
typedef enum MtArrowForm { MT_ARROW_STREAM, MT_ARROW_FILE } MtArrowForm;

typedef struct MtArrowArgs {
   /* The names are copied. Equal names get numbers: count, count_2. */
   const char *const *names;
   const MtType *types;
   size_t count;
   const MtTextStyle *style; /* borrowed until mt_arrow_close */
} MtArrowArgs;

/* Makes empty columns. The caller owns the result: mt_arrow_close. */
MtArrow *mt_arrow_open (const MtArrowArgs *args);
void mt_arrow_close (MtArrow *t); /* NULL is allowed */

/* Adds a row with a value for each column. Errors: 0A000 an array of several dimensions; 22003 a
 * number that its decimal type can't hold; 22008 an infinite time, or a time or interval beyond 64
 * bits of microseconds or nanoseconds; 22021 text that is not UTF-8; XX001 a stored value is not a
 * value of its column's type. After an error, only mt_arrow_close may be called. */
bool mt_arrow_add (MtArrow *t, const MtVal *row, MtError *err);
/* Returns the number of rows that no batch has taken yet. */
size_t mt_arrow_rows (const MtArrow *t);
/* Returns whether the rows should be taken as a batch now. */
bool mt_arrow_is_full (const MtArrow *t);

/* ---- IPC ---- */

/* Add the beginning with the types, the rows so far as a batch, and the end to `out`. A batch
 * without rows adds nothing. If memory is exhausted, the shortage is recorded. */
void mt_arrow_put_start (MtArrow *t, MtArrowForm form, MtBuf *out);
void mt_arrow_put_batch (MtArrow *t, MtBuf *out);
void mt_arrow_put_end (MtArrow *t, MtBuf *out);

/* ---- the C data interface ---- */

/* Exports the types of the columns as a struct. The receiver owns *out. */
void mt_arrow_schema (const MtArrow *t, struct ArrowSchema *out);
/* Moves the rows so far to *out, an array of structs. The receiver owns *out, which outlives t. */
void mt_arrow_take (MtArrow *t, struct ArrowArray *out);

#endif
