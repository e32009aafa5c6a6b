/* COPY: converts text from a callback to rows of a table, and rows to text.
 *
 * Readers work as streams: they keep only the current record and a buffer in memory. Errors have
 * the messages of PostgreSQL, and a context such as: COPY t, line 3, column x: "…".
 *
 * SQLSTATEs: 22P04 the file's format is wrong; 22021 bytes that are not UTF-8; 22P02, 22003, 22007,
 * 22008 invalid values; 42601, 22023, 0A000 invalid options; 54000 a record is longer than
 * MT_COPY_MAX_RECORD, or its values are larger than MT_MAX_DOC_BYTES; 58030 reading failed. */
#ifndef MT_COPY_H
#define MT_COPY_H

#include "layouts/table.h"
#include "layouts/presets/preset.h"

/* The maximum length in bytes of a record in the file, with its quotes and escapes. The limit of
 * its values is MT_MAX_DOC_BYTES. */
#define MT_COPY_MAX_RECORD (64u << 20)

typedef struct MtCopyIn MtCopyIn;
typedef struct MtCopyOut MtCopyOut;

typedef struct MtCopyInArgs {
   const MtTable *table;
   /* The indexes of the columns that COPY t (a, b) lists. NULL: all columns. */
   const int *columns;
   size_t column_count;
   const MtPresetOption *options; /* the options of WITH, without FORMAT */
   size_t option_count;
   /* Only for CSV: a flag for each column of the table. force_null: a text of NULL is NULL even in
    * quotes. force_not_null: a text of NULL is a value, not NULL. A pointer NULL means false for
    * all columns. */
   const bool *force_null, *force_not_null;
   /* For CSV and text: the texts that are read as NULL, instead of the option NULL. Count 0: the
    * option NULL is used. */
   const char *const *nulls;
   size_t null_count;
   /* For CSV: empty lines are ignored, if the file has more than one column. */
   bool skip_empty;
   /* For CSV: the texts that the header must have, one for each column; otherwise COPY fails with
    * 22P04. NULL: the header is not compared. */
   const char *const *header;
   /* The name of the input in the context of errors, such as a file name. NULL: "COPY " and the
    * name of the table. */
   const char *source;
   const MtTextStyle *style; /* borrowed until close */
   /* Reads up to n bytes into buf. Returns their number, 0 at the end, or -1 on error. */
   long (*read) (void *ctx, char *buf, size_t n);
   void *ctx;
} MtCopyInArgs;

typedef struct MtCopyOutArgs {
   const char *const *names;
   const MtType *types;
   size_t column_count;
   const MtPresetOption *options;
   size_t option_count;
   /* Only for CSV: a flag for each column of the result: its values are always quoted. NULL: values
    * are quoted only if necessary. */
   const bool *force_quote;
   const MtTextStyle *style;
   /* Writes n bytes from buf. Returns false on error. */
   bool (*write) (void *ctx, const char *buf, size_t n);
   void *ctx;
} MtCopyOutArgs;

/* Where the current record has an error, for callers that skip such records. */
typedef struct MtCopyBad {
   uint64_t line, pos; /* line, and position in the line, from 1; pos 0: not known */
   /* If a text is not a valid value of its column: the column's name and the text, borrowed until
    * the next call. NULL: the record has another error. */
   const char *column, *text;
} MtCopyBad;

/* The values of the options EPOCH and DATESTYLE; each list ends with NULL. mt_order_words is
 * indexed by MtDateOrder. */
extern const char *const mt_epoch_words[], *const mt_order_words[];
/* For each word of mt_epoch_words: how many of its units are one second. */
extern const int64_t mt_epoch_units[];
/* Returns the word of mt_epoch_words for a unit. unit: how many units are one second. */
const char *mt_epoch_word (int64_t unit);

/* Stores PostgreSQL's name of the encoding in the value of option o in *out; it is static. Fails
 * with 22023 if the encoding is unknown. */
bool mt_encoding_named (const MtPresetOption *o, const char **out, MtError *err);

/* Opens a reader. format: the name of a format, in any case. The caller owns *out:
 * mt_copy_in_close. Fails with 22023 if there is no such format. */
bool mt_copy_in_open (const char *format, const MtCopyInArgs *args, MtCopyIn **out, MtError *err);
/* Starts a thread that reads and parses some megabytes ahead. Call it before the first row is read.
 * The thread calls `read` until mt_copy_in_close, so `read` must not block for long: it may read a
 * file, but not a pipe. If no thread can be started, the reader works as before. */
void mt_copy_in_ahead (MtCopyIn *in);
/* Reads the next row: a value for each column of the table. A value is MT_MISSING if COPY does not
 * list the column, or if the record has no such field. *row is borrowed until the next call. NULL:
 * there are no more rows. */
bool mt_copy_in_next (MtCopyIn *in, const MtVal **row, MtError *err);
/* Returns the number of bytes read so far. */
uint64_t mt_copy_in_bytes (const MtCopyIn *in);
uint64_t mt_copy_in_line (const MtCopyIn *in);
/* Call it after mt_copy_in_next has failed. Returns whether only the current record is wrong, so
 * that the next row can be read. Stores where the error is in *out. */
bool mt_copy_in_bad (const MtCopyIn *in, MtCopyBad *out);
/* Returns whether, in this format, an error in a record never prevents reading the next one
 * (MtCopyFormat.whole_records). */
bool mt_copy_in_whole_records (const MtCopyIn *in);
/* Call it after the last row. Returns remark number i about the whole file, and its hint in *hint,
 * which may be NULL. Returns NULL if there are no more remarks. Both texts are borrowed until
 * mt_copy_in_close. */
const char *mt_copy_in_remark (const MtCopyIn *in, size_t i, const char **hint);
/* Adds the line number and the text of the current record to an error that was found after the
 * record was read, such as a violated constraint. */
void mt_copy_in_context (const MtCopyIn *in, MtError *err);
/* Adds the line number of the current record to an error that it or an earlier record caused. */
void mt_copy_in_context_late (const MtCopyIn *in, MtError *err);
void mt_copy_in_close (MtCopyIn *in); /* NULL is allowed */

bool mt_copy_out_open (const char *format, const MtCopyOutArgs *args, MtCopyOut **out,
                       MtError *err);
bool mt_copy_out_row (MtCopyOut *out, const MtVal *row, MtError *err);
/* Writes the end of the file, and the text that is still buffered. */
bool mt_copy_out_finish (MtCopyOut *out, MtError *err);
void mt_copy_out_close (MtCopyOut *out); /* NULL is allowed */

#endif
