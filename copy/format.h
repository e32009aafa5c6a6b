/* What a COPY format is made of: its row, and the functions that formats share. Built-in formats
 * and those of extensions have the same rows. */
#ifndef MT_COPY_FORMAT_H
#define MT_COPY_FORMAT_H

#include "copy/copy.h"

/* An option of a format. */
typedef struct MtCopyOptionRow {
   const char *name;
   const char *type;
   /* the default */
   const char *otherwise;
   const char *summary;
} MtCopyOptionRow;

typedef struct MtCopyFormat {
   const char *name;
   const char *summary;
   /* the last row has no name */
   const MtCopyOptionRow *options;
   /* Prepares reading. in->state is the format's own. */
   bool (*open_in) (MtCopyIn *in, MtError *err);
   /* Reads the next record into in->row. *end: there is none. After an error, in->can_go_on says
    * whether only this record is wrong. */
   bool (*next) (MtCopyIn *in, bool *end, MtError *err);
   /* Prepares writing; NULL: the format has FROM only. */
   bool (*open_out) (MtCopyOut *out, MtError *err);
   /* Writes a row. */
   bool (*row) (MtCopyOut *out, const MtVal *row, MtError *err);
   const char *example;
   /* the defaults of DELIMITER and QUOTE; 0: the format has none */
   char delimiter, quote;
   /* the default text of NULL */
   const char *null;
   /* every error of a record is the record's own, not the file's */
   bool whole_records;
   /* Returns the i-th remark about the whole file (mt_copy_in_remark). NULL: there are none. */
   const char *(*remark) (const MtCopyIn *in, size_t i, const char **hint);
   /* the format decodes the file itself; otherwise it reads UTF-8 */
   bool decodes;
} MtCopyFormat;

/* The built-in formats; the last row has no name. */
const MtCopyFormat *mt_copy_formats (void);
/* Adds the formats of an extension for the whole process. rows is borrowed forever. */
void mt_copy_add_formats (const MtCopyFormat *rows);

/* The options that several formats share. */
typedef struct MtCopyOptions {
   char delimiter, quote, escape; /* quote and escape 0: the format has none */
   const char *null;
   size_t null_len;
   bool header, header_match;
   int64_t epoch;        /* units in a second: 1, 1000, 1000000; 0: times are text */
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

/* Returns the option of a name that the statement gives; NULL: none. Borrowed until open_in
 * returns. */
const MtPresetOption *mt_copy_option (const MtCopyIn *in, const char *name);
/* Reads an option that needs a value. *out is borrowed like the option. 42601: it has none. */
bool mt_copy_text_option (const MtPresetOption *o, const char *name, const char **out,
                          MtError *err);

/* Sets map to the characters of an encoding's 256 bytes; -1: none. False: the encoding isn't known,
 * or a character of it can have several bytes. */
bool mt_encoding_map (const char *name, int map[256]);

#endif
