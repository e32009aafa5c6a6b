/* COPY's formats: text in from a callback, rows of a table out; and rows out as text.
 *
 * Readers stream: nothing but the record at hand is held, and what was read ahead. Errors carry
 * PostgreSQL's text, and as detail its CONTEXT line (COPY t, line 3, column x: "…"). SQLSTATEs:
 * 22P04 for a broken file, 22021 for bytes that are no UTF-8, 22P02, 22003, 22007, 22008 for
 * values, 42601, 22023 and 0A000 for options, 54000 for a record over MT_COPY_MAX_RECORD or whose
 * values are over MT_MAX_DOC_BYTES, 58030 when reading fails. */
#ifndef MT_COPY_H
#define MT_COPY_H

#include "layouts/table.h"
#include "layouts/presets/preset.h"

#define MT_COPY_MAX_RECORD \
   (64u \
    << 20) /* with its quotes and escapes; what it says can't be stored beyond MT_MAX_DOC_BYTES */

typedef struct MtCopyIn MtCopyIn;
typedef struct MtCopyOut MtCopyOut;

typedef struct MtCopyInArgs {
   const MtTable *table;
   const int *columns; /* COPY t (a, b): into these; NULL: all */
   size_t column_count;
   const MtPresetOption *options; /* what WITH says, without FORMAT */
   size_t option_count;
   const bool *force_null, *force_not_null; /* CSV, by column of the table: NULL's text is NULL even
                                               when quoted; is never NULL. NULL: no column */
   const MtTextStyle *style;                /* borrowed until close */
   long (*read) (void *ctx, char *buf, size_t n); /* up to n bytes; 0 at the end, -1 on error */
   void *ctx;
} MtCopyInArgs;

typedef struct MtCopyOutArgs {
   const char *const *names;
   const MtType *types;
   size_t column_count;
   const MtPresetOption *options;
   size_t option_count;
   const bool
      *force_quote; /* CSV, by column of the result: values are quoted; NULL: where they must be */
   const MtTextStyle *style;
   bool (*write) (void *ctx, const char *buf, size_t n); /* false on error */
   void *ctx;
} MtCopyOutArgs;

/* The record that was at fault. */
typedef struct MtCopyBad {
   uint64_t line, pos;        /* pos 0: not known */
   const char *column, *text; /* text that isn't of its column's type; NULL: something else is
                                 wrong. Borrowed until the next call */
} MtCopyBad;

/* format: by name, without regard to case; 22023 when there is none. Owned by the caller:
 * mt_copy_in_close. */
bool mt_copy_in_open (const char *format, const MtCopyInArgs *args, MtCopyIn **out, MtError *err);
/* From now on, before the first row, a thread of its own reads and parses, at most some megabytes
 * ahead: `read` is called by it until close, and has to be one that returns soon (a file, and no
 * pipe). All other functions are as before. Where there can't be a thread, nothing changes. */
void mt_copy_in_ahead (MtCopyIn *in);
/* The next row: a value a column of the table, in its order, MT_MISSING for columns that COPY
 * didn't name or the record doesn't have. Borrowed until the next call. *row = NULL at the end. */
bool mt_copy_in_next (MtCopyIn *in, const MtVal **row, MtError *err);
uint64_t mt_copy_in_bytes (const MtCopyIn *in); /* read so far */
uint64_t mt_copy_in_line (const MtCopyIn *in);
/* After mt_copy_in_next said false: true when only the record at hand was at fault, and the next
 * may be asked for. */
bool mt_copy_in_bad (const MtCopyIn *in, MtCopyBad *out);
bool mt_copy_in_whole_records (const MtCopyIn *in); /* of the format */
/* At the end, what was odd about the file as a whole, one by one from i = 0; NULL: there is no
 * more. *hint may be NULL; both are borrowed until close. */
const char *mt_copy_in_remark (const MtCopyIn *in, size_t i, const char **hint);
/* Adds the current record's place, and its line, to an error that a row met later (a constraint, a
 * layout). */
void mt_copy_in_context (const MtCopyIn *in, MtError *err);
void mt_copy_in_context_late (const MtCopyIn *in,
                              MtError *err); /* it met that record, or one of those before */
void mt_copy_in_close (MtCopyIn *in);        /* NULL is allowed */

bool mt_copy_out_open (const char *format, const MtCopyOutArgs *args, MtCopyOut **out,
                       MtError *err);
bool mt_copy_out_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_copy_out_finish (MtCopyOut *out, MtError *err); /* writes what is buffered */
void mt_copy_out_close (MtCopyOut *out);                /* NULL is allowed */

#endif
