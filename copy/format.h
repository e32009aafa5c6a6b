/* The row of a COPY format, and the functions that formats share. Built-in formats and those of
 * extensions have the same rows. */
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
   char delimiter, quote, escape; /* 0: the format has no quote and escape */
   const char *null;
   size_t null_len;
   bool header, header_match;
   int64_t epoch;        /* units per second: 1, 1000, 1000000; 0: times are text */
   const char *encoding; /* PostgreSQL's name; NULL: not given */
} MtCopyOptions;

typedef struct MtRecode MtRecode;       /* a conversion (encoding.c) */
typedef struct MtCopyAhead MtCopyAhead; /* the thread that reads (ahead.c) */

/* The place of a record. */
typedef struct MtCopyPlace {
   MtStr record;
   uint64_t line, pos;
} MtCopyPlace;

struct MtCopyIn {
   /* Members that do not change come first. While a thread reads, the caller reads them for each
    * row, and they share no cache line with members that the thread writes. */
   MtCopyInArgs x;
   const MtCopyFormat *format;
   MtCopyAhead *ahead; /* NULL: there is no thread */
   MtCopyOptions o;
   MtArena *a;
   MtArena *values; /* of the current row; reset after its use */
   bool values_used;
   int *columns; /* the column of each field */
   size_t column_count;
   MtVal *row;
   MtStr record; /* the line of the row, if the format has lines; borrowed from buf */
   char *buf;    /* the bytes read; the current record begins at `start` */
   size_t start, n, cap;
   bool eof;
   uint64_t bytes;
   /* the line that errors name: of the record, or of the wrong field */
   uint64_t line;
   uint64_t pos; /* the position in that line from 1; 0: not known */
   /* after an error: only the current record is wrong, and the next can be read */
   bool can_go_on;
   /* the error: a text (bad_text, cut) is not of the type of bad_column */
   bool mistyped;
   int bad_column;
   char bad_text[104];
   bool started;
   void *state;      /* of the format, in arena a */
   MtRecode *recode; /* NULL: the text is UTF-8 */
   MtBuf scratch;    /* unescaped text of the record */
   char date[10];    /* the last date, as text and as a day */
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

/* Writes lines of fields: a header, if it is wanted, and the values of a row. `put` writes a
 * field; quote: FORCE_QUOTE. */
typedef void (*MtPutField) (MtCopyOut *out, const char *p, size_t n, bool quote);
void mt_copy_put_header (MtCopyOut *out, MtPutField put);
bool mt_copy_put_row (MtCopyOut *out, const MtVal *row, MtPutField put, MtError *err);

/* Reads more bytes after the current record, which moves to the start of the buffer, and *p with
 * it. Sets in->eof at the end. */
bool mt_copy_fill (MtCopyIn *in, const char **p, MtError *err);
/* Reads up to n bytes and counts them. *got = 0: the end. */
bool mt_copy_bytes (MtCopyIn *in, char *to, size_t n, long *got, MtError *err);
/* Converts the text of a field to a value of the column. *out may borrow the text. */
bool mt_copy_value (MtCopyIn *in, int column, MtStr text, MtVal *out, MtError *err);
/* Adds the context "COPY t, line 3, column x: "…"" to an error, and returns false. column -1: of
 * the whole line. */
bool mt_copy_context (const MtCopyIn *in, int column, MtStr text, MtError *err);
/* 54000: the values of the row do not fit in a document. */
bool mt_copy_check_size (MtCopyIn *in, MtError *err);
bool mt_copy_check_utf8 (MtCopyIn *in, int column, MtStr text, MtError *err);

/* Skips a byte order mark at the start, and sets in->started. */
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
