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

/* A batch is full when it has this many rows, or this many bytes of values. A single longer row is
 * a batch of its own. */
enum { MT_ARROW_BATCH_ROWS = 1 << 16, MT_ARROW_BATCH_BYTES = 8 << 20 };

/* A table of Arrow columns, to which rows are added one by one. */
typedef struct MtArrow MtArrow;

/* The two IPC formats. A file is a stream between two magic strings, with a list of its batches at
 * the end. */
typedef enum MtArrowForm { MT_ARROW_STREAM, MT_ARROW_FILE } MtArrowForm;

typedef struct MtArrowArgs {
   /* The names are copied. A repeated name gets a number: count, count_2. */
   const char *const *names;
   const MtType *types;
   size_t count;
   const MtTextStyle *style; /* borrowed until mt_arrow_close */
} MtArrowArgs;

/* Makes a table with empty columns. The caller owns the result: mt_arrow_close. */
MtArrow *mt_arrow_open (const MtArrowArgs *args);
void mt_arrow_close (MtArrow *t); /* NULL is allowed */

/* Adds a row with a value for each column. Errors: 0A000 an array of several dimensions; 22003 a
 * number that its decimal type can't hold; 22008 an infinite time, or a time or interval beyond 64
 * bits of microseconds or nanoseconds; 22021 text that is not UTF-8; XX001 a stored value is not a
 * value of its column's type. After an error, only mt_arrow_close may be called. */
bool mt_arrow_add (MtArrow *t, const MtVal *row, MtError *err);
/* Returns the number of rows that were added since the last batch was written or taken. */
size_t mt_arrow_rows (const MtArrow *t);
/* Returns whether the rows should be written or taken as a batch now, since one of the limits of a
 * batch is reached. */
bool mt_arrow_is_full (const MtArrow *t);

/* ---- IPC ---- */

/* These functions append to `out`: the start of a file or stream with the types of the columns; the
 * rows that were added since the last batch, as a batch (nothing if there are none); the end of the
 * file or stream. If memory is exhausted, the shortage is recorded (base/memory.h). */
void mt_arrow_put_start (MtArrow *t, MtArrowForm form, MtBuf *out);
void mt_arrow_put_batch (MtArrow *t, MtBuf *out);
void mt_arrow_put_end (MtArrow *t, MtBuf *out);

/* ---- the C data interface ---- */

/* Exports the columns' names and types to *out as the type of a struct. The receiver owns *out. */
void mt_arrow_schema (const MtArrow *t, struct ArrowSchema *out);
/* Moves the rows that were added since the last batch to *out, as an array of structs. The receiver
 * owns *out, which stays valid after mt_arrow_close. */
void mt_arrow_take (MtArrow *t, struct ArrowArray *out);

#endif
