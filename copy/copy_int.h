/* What the formats of COPY share. */
#ifndef MT_COPY_INT_H
#define MT_COPY_INT_H

#include "copy/copy.h"
#include "layouts/table.h"
#include "types/datetime.h"

typedef struct MtCopyOptions {
   char delimiter, quote, escape; /* quote and escape 0: the format has none */
   const char *null;
   size_t null_len;
   bool header, header_match;
   int64_t epoch; /* units in a second: 1, 1000, 1000000; 0: times are text */
   const char *record, *name_space, *paths; /* arcanum; NULL: not given */
   MtSpan paths_span;
   const char *encoding; /* PostgreSQL's name; NULL: not given */
} MtCopyOptions;

typedef struct MtRecode MtRecode;       /* from or to another encoding (encoding.c) */
typedef struct MtCopyAhead MtCopyAhead; /* a thread that reads (ahead.c) */

/* Where a record is. */
typedef struct MtCopyPlace {
   MtStr record;
   uint64_t line, pos;
} MtCopyPlace;

struct MtCopyIn {
   /* What doesn't change comes first: while a thread reads, its user looks at this for each row,
    * and shares no cache line with what the thread writes. */
   MtCopyInArgs x;
   const MtCopyFormat *format;
   MtCopyAhead *ahead; /* NULL: there is no thread */
   MtCopyOptions o;
   MtArena *a;
   MtArena *values; /* of the row at hand; reset when it was used */
   bool values_used;
   int *columns; /* by field */
   size_t column_count;
   MtVal *row;
   MtStr record; /* the line that `row` is from, where the format has lines; borrowed from buf */
   char *buf;    /* what was read; the record at hand begins at `start` */
   size_t start, n, cap;
   bool eof;
   uint64_t bytes;
   uint64_t
      line; /* of the file, that errors name: where the record begins, or the field that is wrong */
   uint64_t pos;   /* in that line, from 1; 0: the format doesn't say */
   bool can_go_on; /* after an error: only the record at hand is at fault, and the next may be asked
                      for */
   bool mistyped; /* what is wrong with it is that text of `bad_column` isn't of its type: bad_text,
                     cut */
   int bad_column;
   char bad_text[104];
   bool started;
   void *state;      /* the format's, in arena a */
   MtRecode *recode; /* NULL: the text is UTF-8 */
   MtBuf scratch;    /* unescaped text of the record */
   char date[10];    /* the last that was read, 2015-04-12, and its day */
   int64_t date_days;
};

struct MtCopyOut {
   MtCopyOutArgs x;
   const MtCopyFormat *format;
   MtCopyOptions o;
   MtArena *a;
   MtRecode *recode; /* NULL: UTF-8 is written */
   MtBuf text, value;
};

/* Lines of fields between delimiters: the names, where a header is asked for, and a row's values,
 * each written by `put` (quote: it has FORCE_QUOTE). */
typedef void (*MtPutField) (MtCopyOut *out, const char *p, size_t n, bool quote);
void mt_copy_put_header (MtCopyOut *out, MtPutField put);
bool mt_copy_put_row (MtCopyOut *out, const MtVal *row, MtPutField put, MtError *err);

/* Reads more behind the record at hand, which moves to the buffer's front; *p is moved along. Sets
 * eof at the end. */
bool mt_copy_fill (MtCopyIn *in, const char **p, MtError *err);
/* Reads up to n bytes, and counts them; *got = 0 at the end. */
bool mt_copy_bytes (MtCopyIn *in, char *to, size_t n, long *got, MtError *err);
/* Text of a field to the column's value, which may borrow the text. */
bool mt_copy_value (MtCopyIn *in, int column, MtStr text, MtVal *out, MtError *err);
/* "COPY t, line 3, column x: "…"" as the error's context; column -1: the whole line. */
bool mt_copy_context (const MtCopyIn *in, int column, MtStr text, MtError *err);
/* 54000 when the row's values can't be in one document. */
bool mt_copy_check_size (MtCopyIn *in, MtError *err);
bool mt_copy_check_utf8 (MtCopyIn *in, int column, MtStr text, MtError *err);

/* Where reading begins: some programs begin UTF-8 with a mark. Sets started. */
bool mt_copy_skip_mark (MtCopyIn *in, MtError *err);

/* ---- reading ahead ---- */

/* As mt_copy_in_next, by the reader itself. */
bool mt_copy_in_read (MtCopyIn *in, const MtVal **row, MtError *err);
/* From now on a thread reads; NULL: there can't be one. Closed before what is borrowed of the
 * reader goes. */
MtCopyAhead *mt_copy_ahead_open (MtCopyIn *in);
void mt_copy_ahead_close (MtCopyAhead *h); /* NULL is allowed */
/* So many records were at fault, at each of which the thread waits, that it is better closed now:
 * the reader goes on by itself from where it is. */
bool mt_copy_ahead_is_vain (const MtCopyAhead *h);
bool mt_copy_ahead_next (MtCopyAhead *h, const MtVal **row, MtError *err);
const MtCopyPlace *mt_copy_ahead_place (
   const MtCopyAhead *h); /* of the last row; NULL: there was an error, or the end, and the reader
                             itself says where */
uint64_t mt_copy_ahead_bytes (const MtCopyAhead *h); /* read with the rows at hand */

/* ---- encodings ---- */

/* ENCODING's value by PostgreSQL's own name, static. 22023 when there is none such. */
bool mt_encoding_find (const MtPresetOption *o, const char **out, MtError *err);
/* From (to, with `write`) the encoding of that name; *out NULL: nothing is to be converted. Closed
 * with the arena. 0A000 where the system doesn't have it. */
bool mt_recode_open (MtArena *a, const char *name, bool write, MtRecode **out, MtError *err);
/* As mt_copy_bytes, in UTF-8; size is more than a character. 22P05 or 22021 when the file's next
 * character is none. */
bool mt_recode_read (MtCopyIn *in, char *to, size_t size, long *got, MtError *err);
/* UTF-8 in whole characters; *out is borrowed until the next call. 22P05 when one isn't in the
 * encoding. */
bool mt_recode_text (MtRecode *r, MtStr text, MtStr *out, MtError *err);
/* The characters of an encoding's 256 bytes, -1 for none; false when it isn't one of a byte a
 * character, or not known. */
bool mt_encoding_map (const char *name, int map[256]);

extern const MtCopyOptionRow mt_text_options[], mt_csv_options[], mt_jsonl_options[],
   mt_arcanum_options[];
bool mt_text_open_in (MtCopyIn *in, MtError *err);
bool mt_text_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_text_open_out (MtCopyOut *out, MtError *err);
bool mt_text_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_csv_open_in (MtCopyIn *in, MtError *err);
bool mt_csv_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_csv_open_out (MtCopyOut *out, MtError *err);
bool mt_csv_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_jsonl_open_in (MtCopyIn *in, MtError *err);
bool mt_jsonl_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_jsonl_open_out (MtCopyOut *out, MtError *err);
bool mt_jsonl_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_arcanum_open_in (MtCopyIn *in, MtError *err);
bool mt_arcanum_next (MtCopyIn *in, bool *end, MtError *err);
const char *mt_arcanum_remark (const MtCopyIn *in, size_t i, const char **hint);

#endif
