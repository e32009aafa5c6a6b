/* COPY's formats: bytes to rows, and rows to bytes. One row a format. */
#ifndef MT_COPY_H
#define MT_COPY_H

#include "layouts/table.h"

/* Supplies up to n bytes; 0 at the end, -1 with *err set. */
typedef long (*MtReadBytes) (void *ctx, char *buf, size_t n, MtError *err);
/* Takes bytes; false with *err set. */
typedef bool (*MtWriteBytes) (void *ctx, const char *buf, size_t n, MtError *err);

/* An option of COPY … WITH (…), as text; TRUE when it was given without a value. */
typedef struct MtCopyOption {
   const char *name, *value;
   MtSpan span;
} MtCopyOption;

typedef struct MtCopyReader MtCopyReader;

typedef struct MtCopyArgs {
   const char *table;         /* for messages: COPY table, line n */
   const char *source;        /* the file's name; NULL: STDIN */
   const MtColumn *columns;   /* what is read or written, in the order of the data (or of HEADER MATCH) */
   size_t column_count;
   const MtCopyOption *options;
   size_t option_count;
   MtTextStyle style;
   MtReadBytes read;
   MtWriteBytes write;
   void *ctx;
} MtCopyArgs;

/* By the option FORMAT ("text" and "csv" of PostgreSQL, "jsonl"); 22023 for an unknown format or option, with a near name and its place. */
bool mt_copy_reader_open (const MtCopyArgs *args, MtCopyReader **out, MtError *err);
/* The next record: a value a column of args->columns, in the types' own BSON forms, borrowed until the next call; *more = false at the end. Errors have the
 * message of PostgreSQL and a detail "COPY t, line 3, column x: \"…\"" (with the file's name). 22P04, 22021, 22P02 … */
bool mt_copy_read (MtCopyReader *r, const MtVal **row, bool *more, MtError *err);
uint64_t mt_copy_line (const MtCopyReader *r);  /* lines begun so far */
uint64_t mt_copy_bytes (const MtCopyReader *r); /* bytes consumed so far */
void mt_copy_reader_close (MtCopyReader *r);

typedef struct MtCopyWriter MtCopyWriter;
bool mt_copy_writer_open (const MtCopyArgs *args, MtCopyWriter **out, MtError *err); /* writes a header when asked to */
bool mt_copy_write (MtCopyWriter *w, const MtVal *row, MtError *err);
bool mt_copy_writer_finish (MtCopyWriter *w, MtError *err);
void mt_copy_writer_close (MtCopyWriter *w);

typedef struct MtCopyFormat {
   const char *name, *summary, *example;
} MtCopyFormat;
const MtCopyFormat *mt_copy_formats (void); /* ended by a row without a name */

#endif
