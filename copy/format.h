/* The description of a COPY format, and functions that formats share. Formats of extensions are
 * described by the same structure as built-in ones. */
#ifndef MT_COPY_FORMAT_H
#define MT_COPY_FORMAT_H

#include "copy/copy.h"

#include <string.h>

/* The description of an option of a format. */
typedef struct MtCopyOptionRow {
   const char *name;
   const char *type;
   /* The default value of the option. */
   const char *otherwise;
   const char *summary;
} MtCopyOptionRow;

typedef struct MtCopyFormat {
   const char *name;
   const char *summary;
   /* The options that only this format has. The last element has no name. */
   const MtCopyOptionRow *options;
   /* Starts reading. It may store the format's own data in in->state. NULL: the format only
    * supports COPY TO. */
   bool (*open_in) (MtCopyIn *in, MtError *err);
   /* Reads the next record into in->row. Sets *end if there are no more records. If it fails
    * because only this record is wrong, it sets in->can_go_on. */
   bool (*next) (MtCopyIn *in, bool *end, MtError *err);
   /* Starts writing. NULL: the format only supports COPY FROM. */
   bool (*open_out) (MtCopyOut *out, MtError *err);
   /* Writes the values of a row. */
   bool (*row) (MtCopyOut *out, const MtVal *row, MtError *err);
   const char *example;
   /* The defaults of DELIMITER and QUOTE; 0: the format has none. */
   char delimiter, quote;
   /* The default text of NULL. */
   const char *null;
   /* No error in a record prevents reading the next record. */
   bool whole_records;
   /* Returns remark number i about the whole file (mt_copy_in_remark), or NULL if there are no
    * more. A pointer NULL means that there are none. */
   const char *(*remark) (const MtCopyIn *in, size_t i, const char **hint);
   /* The format decodes the bytes of the file itself. Otherwise it reads UTF-8 text. */
   bool decodes;
} MtCopyFormat;

/* The built-in formats; the last row has no name. */
const MtCopyFormat *mt_copy_formats (void);
/* Checks that the formats of an extension have new names. Fails with 42710 if a built-in format, or
 * one of another extension, has the same name. */
bool mt_copy_check_formats (const char *extension, const MtCopyFormat *rows, MtError *err);
/* Adds the formats of an extension for the whole process. `rows` is borrowed forever. */
void mt_copy_add_formats (const MtCopyFormat *rows);

/* Values of the options that several formats have. */
typedef struct MtCopyOptions {
   char delimiter, quote, escape; /* 0: the format has no quote and escape */
   const char *null;              /* the text of NULL that COPY TO writes */
   size_t null_len;
   const MtStr *nulls; /* COPY FROM: the texts of NULL */
   size_t null_count;
   bool header, header_match;
   int64_t skip;         /* CSV: the number of lines before the header or the first record */
   int64_t epoch;        /* units per second: 1, 1000, 1000000, 1000000000; 0: times are text */
   MtDateOrder order;    /* of the numbers in dates; from the option DATESTYLE */
   char decimal;         /* the decimal separator of numbers: '.' or ',' */
   const char *encoding; /* PostgreSQL's name of the encoding; NULL: not given */
} MtCopyOptions;

typedef struct MtRecode MtRecode; /* a conversion between an encoding and UTF-8 (encoding.c) */
typedef struct MtCopyAhead MtCopyAhead; /* the thread that reads rows ahead (ahead.c) */

/* Where a record is in the file, for messages: its text, line, and position in the line. */
typedef struct MtCopyPlace {
   MtStr record;
   uint64_t line, pos;
} MtCopyPlace;

struct MtCopyIn {
   /* The first members do not change after opening. While a thread reads ahead, the caller reads
    * them for each row. So they must not be in the same cache lines as the members that the thread
    * writes. */
   MtCopyInArgs x;
   const MtCopyFormat *format;
   MtCopyAhead *ahead; /* the thread that reads ahead; NULL: none */
   MtCopyOptions o;
   MtArena *a;
   MtArena *values; /* has the values of the current row; reset for the next row */
   bool values_used;
   int *columns; /* for each field of the file: its column */
   size_t column_count;
   MtVal *row;
   MtStr record; /* the line of the row, if the format has lines; borrowed from buf */
   char *buf;    /* the bytes read; the current record begins at `start` */
   size_t start, n, cap;
   bool eof;
   uint64_t bytes;
   /* The number of the line that errors name: of the current record, or of the wrong field. */
   uint64_t line;
   uint64_t pos; /* position in `line` for errors, from 1; 0: not known */
   /* After an error: only the current record is wrong, and the next one can be read. */
   bool can_go_on;
   /* After an error: a text is not a valid value of the column with index bad_column. bad_text is
    * the beginning of the text. */
   bool mistyped;
   int bad_column;
   char bad_text[104];
   bool started;
   void *state;       /* the format's own data, in arena a */
   MtRecode *recode;  /* NULL: the text is UTF-8 */
   MtTextStyle style; /* of x.style, with the order of o */
   MtBuf scratch;     /* text of the current record's fields without escapes */
   char date[10];     /* the last date that was read, as text; the next member is its day */
   int64_t date_days;
};

struct MtCopyOut {
   MtCopyOutArgs x;
   const MtCopyFormat *format;
   MtCopyOptions o;
   MtArena *a;
   MtRecode *recode; /* NULL: UTF-8 is written */
   MtBuf text, value;
   void *state; /* the format's own data, in arena a */
   /* Appends the trailer of the file to `text`. open_out sets it. NULL: the format has no
    * trailer. */
   bool (*finish) (MtCopyOut *out, MtError *err);
};

/* A function that writes one field. quote: the option FORCE_QUOTE is set for its column. */
typedef void (*MtPutField) (MtCopyOut *out, const char *p, size_t n, bool quote);
/* Write a line with the columns' names, or a line with the values of a row. `put` writes each
 * field. */
void mt_copy_put_header (MtCopyOut *out, MtPutField put);
bool mt_copy_put_row (MtCopyOut *out, const MtVal *row, MtPutField put, MtError *err);

/* Moves the current record to the start of the buffer, and reads more bytes after it. *p, a pointer
 * into the record, is adjusted. Sets in->eof at the end of the file. */
bool mt_copy_fill (MtCopyIn *in, const char **p, MtError *err);
/* Reads up to n bytes of the file, and counts them for mt_copy_in_bytes. *got is their number, 0 at
 * the end of the file. */
bool mt_copy_bytes (MtCopyIn *in, char *to, size_t n, long *got, MtError *err);
/* Returns whether the text of a field is one of the texts that mean NULL. */
static inline bool mt_copy_is_null (const MtCopyIn *in, MtStr text)
{
   for (size_t i = 0; i < in->o.null_count; i++)
      if (text.n == in->o.nulls[i].n && !memcmp (text.p, in->o.nulls[i].p, text.n))
         return true;
   return false;
}
/* Converts the text of a field to a value of the column with index `column`. *out may borrow from
 * the text. */
bool mt_copy_value (MtCopyIn *in, int column, MtStr text, MtVal *out, MtError *err);
/* Adds a context such as 'COPY t, line 3, column x: "…"' to an error, and returns false. column -1:
 * the error concerns the whole line. */
bool mt_copy_context (const MtCopyIn *in, int column, MtStr text, MtError *err);
/* Fails with 54000 if the values of the current row are too large for a document. */
bool mt_copy_check_size (MtCopyIn *in, MtError *err);
bool mt_copy_check_utf8 (MtCopyIn *in, int column, MtStr text, MtError *err);

/* Skips a byte order mark (BOM) at the start of the file, and sets in->started. */
bool mt_copy_skip_mark (MtCopyIn *in, MtError *err);

/* Returns the option with this name that the statement gives, or NULL. Borrowed until open_in
 * returns. */
const MtPresetOption *mt_copy_option (const MtCopyIn *in, const char *name);
/* Stores the value of option o in *out, borrowed like the option. Fails with 42601 if the option
 * has no value. */
bool mt_copy_text_option (const MtPresetOption *o, const char *name, const char **out,
                          MtError *err);

/* Stores the code point of each of the 256 bytes in `map`, for an encoding with one byte per
 * character. -1: the byte is no character. Returns false if the encoding is unknown, or has
 * characters of several bytes. */
bool mt_encoding_map (const char *name, int map[256]);

#endif
