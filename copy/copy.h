/* COPY: converts text from a callback to rows of a table, and rows to text.
 *
 * Readers stream: only the current record is in memory, and the part that was read ahead. Errors
 * have PostgreSQL's text, and its CONTEXT line as context: COPY t, line 3, column x: "…".
 *
 * SQLSTATEs: 22P04 a broken file; 22021 bytes that are not UTF-8; 22P02, 22003, 22007, 22008
 * values; 42601, 22023, 0A000 options; 54000 a record over MT_COPY_MAX_RECORD, or values over
 * MT_MAX_DOC_BYTES; 58030 reading failed. */
#ifndef MT_COPY_H
#define MT_COPY_H

#include "layouts/table.h"
#include "layouts/presets/preset.h"

/* The limit of a record with its quotes and escapes. MT_MAX_DOC_BYTES limits its values. */
#define MT_COPY_MAX_RECORD (64u << 20)

typedef struct MtCopyIn MtCopyIn;
typedef struct MtCopyOut MtCopyOut;

typedef struct MtCopyInArgs {
   const MtTable *table;
   /* The columns that COPY t (a, b) names; NULL: all. */
   const int *columns;
   size_t column_count;
   const MtPresetOption *options; /* the options of WITH, without FORMAT */
   size_t option_count;
   /* CSV only; a flag for each column of the table. force_null: NULL's text is NULL even if quoted.
    * force_not_null: NULL's text is a value. Pointer NULL: false for all. */
   const bool *force_null, *force_not_null;
   /* CSV and text: all texts of NULL; the option NULL is then ignored. Count 0: the option's. */
   const char *const *nulls;
   size_t null_count;
   /* CSV: empty lines are ignored, unless the file has a single column. */
   bool skip_empty;
   /* CSV: the texts of the header, one for each column. 22P04: the file has another header. NULL: not
    * compared. */
   const char *const *header;
   /* What the context of errors calls the input: a file's name. NULL: "COPY " and the table. */
   const char *source;
   const MtTextStyle *style; /* borrowed until close */
   /* Reads up to n bytes. Returns 0 at the end, -1 on error. */
   long (*read) (void *ctx, char *buf, size_t n);
   void *ctx;
} MtCopyInArgs;

typedef struct MtCopyOutArgs {
   const char *const *names;
   const MtType *types;
   size_t column_count;
   const MtPresetOption *options;
   size_t option_count;
   /* CSV only; a flag for each column of the result: always quote its values. Pointer NULL: quote
    * only if necessary. */
   const bool *force_quote;
   const MtTextStyle *style;
   /* Writes n bytes. Returns false on error. */
   bool (*write) (void *ctx, const char *buf, size_t n);
   void *ctx;
} MtCopyOutArgs;

/* The place of a record with an error, for the caller that skips the record. */
typedef struct MtCopyBad {
   uint64_t line, pos; /* line, and position in the line, from 1; pos 0: not known */
   /* A column, and a text that is not of its type. NULL: the record has another error. Borrowed
    * until the next call. */
   const char *column, *text;
} MtCopyBad;

/* The words of the options EPOCH and DATESTYLE, ended by NULL; the latter by MtDateOrder. */
extern const char *const mt_epoch_words[], *const mt_order_words[];
/* For each word of EPOCH, how many of the unit are a second. */
extern const int64_t mt_epoch_units[];
/* Returns the word of a unit. */
const char *mt_epoch_word (int64_t unit);

/* Finds PostgreSQL's name of an encoding in the option's value. *out is static. 22023 */
bool mt_encoding_named (const MtPresetOption *o, const char **out, MtError *err);

/* Opens a reader. format: a name, in any case. The caller owns *out: mt_copy_in_close. 22023:
 * there is no such format. */
bool mt_copy_in_open (const char *format, const MtCopyInArgs *args, MtCopyIn **out, MtError *err);
/* Starts a thread that reads and parses some megabytes ahead. Call it before the first row. The
 * thread calls `read` until close, so `read` must return soon: it may read a file, but not a
 * pipe. If no thread can start, mt_copy_in_next reads as before. */
void mt_copy_in_ahead (MtCopyIn *in);
/* Reads the next row, with a value for each column of the table. A value MT_MISSING: COPY does not
 * name the column, or the record lacks it. *row is borrowed until the next call; NULL: the end. */
bool mt_copy_in_next (MtCopyIn *in, const MtVal **row, MtError *err);
/* Returns the number of bytes read so far. */
uint64_t mt_copy_in_bytes (const MtCopyIn *in);
uint64_t mt_copy_in_line (const MtCopyIn *in);
/* Returns, after mt_copy_in_next has failed, whether only the current record is wrong. If so, *out
 * has its place, and the next row can be read. */
bool mt_copy_in_bad (const MtCopyIn *in, MtCopyBad *out);
/* Returns whether in this format, every error of a record concerns only that record
 * (MtCopyFormat.whole_records). */
bool mt_copy_in_whole_records (const MtCopyIn *in);
/* Returns, after the last row, the i-th remark about the whole file. NULL: there are no more.
 * *hint may be NULL. Both are borrowed until close. */
const char *mt_copy_in_remark (const MtCopyIn *in, size_t i, const char **hint);
/* Adds the place and the line of the current record to a later error of its row, such as a
 * violated constraint. */
void mt_copy_in_context (const MtCopyIn *in, MtError *err);
/* Adds the place to an error that the current record or an earlier record caused. */
void mt_copy_in_context_late (const MtCopyIn *in, MtError *err);
void mt_copy_in_close (MtCopyIn *in); /* NULL is allowed */

bool mt_copy_out_open (const char *format, const MtCopyOutArgs *args, MtCopyOut **out,
                       MtError *err);
bool mt_copy_out_row (MtCopyOut *out, const MtVal *row, MtError *err);
/* Writes the buffered text. */
bool mt_copy_out_finish (MtCopyOut *out, MtError *err);
void mt_copy_out_close (MtCopyOut *out); /* NULL is allowed */

#endif
