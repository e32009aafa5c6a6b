/* Detects the form of a CSV file: its encoding, delimiter, quotes, header, texts of NULL, and the
 * names, types and roles of its columns.
 *
 * The input is one or more pieces of the file, and what the caller already knows of it; everything
 * else is detected. The result can be converted to options of COPY, which then reads the file in
 * this form. */
#ifndef MT_SNIFF_H
#define MT_SNIFF_H

#include "copy/copy.h"
#include "layouts/table.h"

#define MT_PIECE_BEGINS 1

/* A piece of a file: its beginning, or a piece from its middle. */
typedef struct MtSniffPiece {
   MtStr bytes;
   /* The offset of the piece in the file. 0: the beginning of the first file; MT_PIECE_BEGINS: the
    * beginning of another file. */
   uint64_t at;
   bool last; /* the piece extends to the end of the file */
} MtSniffPiece;

typedef enum MtKnown { MT_KNOWN_NOT, MT_KNOWN_NO, MT_KNOWN_YES } MtKnown;

/* A column whose type the caller gives. */
typedef struct MtSniffType {
   const char *name; /* case is ignored in comparisons */
   MtType type;
} MtSniffType;

/* What the caller already knows of the file. All zero: nothing. */
typedef struct MtSniffGiven {
   char delimiter, quote, escape; /* 0: not known */
   bool no_quote;                 /* fields are never quoted */
   MtKnown header;
   bool has_skip, has_order;
   int64_t skip;         /* number of lines before the header */
   const char *encoding; /* NULL: not known */
   const char *const *nulls;
   size_t null_count;
   int64_t epoch; /* units per second of numeric times; 0: not known */
   MtDateOrder order;
   char decimal; /* the decimal separator of numbers; 0: not known */
   const char *const *names;
   size_t name_count; /* 0: names are not known */
   const MtSniffType *types;
   size_t type_count;
   bool all_text;    /* columns for which no type is given are text */
   bool no_counters; /* never makes a measure column a COUNTER */
} MtSniffGiven;

typedef struct MtSniffColumn {
   const char *name;
   MtType type;
   MtRole role;
   bool counter;
   bool not_null;       /* no value of the column in the sample is NULL */
   bool force_null;     /* the texts of NULL mean NULL even in quotes */
   bool force_not_null; /* the texts of NULL are ordinary values in this column */
   bool given;          /* the caller gave the type */
   uint64_t distinct;   /* number of different values in the sample */
} MtSniffColumn;

/* The detected form of a file, in the arena of mt_sniff. */
typedef struct MtSniffed {
   char delimiter, quote, escape;
   bool header;
   int64_t skip;
   const char *encoding; /* PostgreSQL's name */
   const char **nulls;
   size_t null_count;
   int64_t epoch; /* units per second; 0: no column has numeric times */
   MtDateOrder order;
   char decimal;
   MtSniffColumn *columns;
   size_t column_count;
   const char **titles; /* the texts of the header, one for each column; NULL: there is none */
   uint64_t records;    /* number of sampled records */
   /* The decisions that may be wrong. Each is a sentence that names the option which changes the
    * decision. */
   const char **doubts;
   size_t doubt_count;
} MtSniffed;

/* Detects the form of a CSV file from `count` pieces of it. pieces[0] is its beginning. All results
 * are in arena a. Fails with 22P04 if the file is empty, or no number of fields is common; with
 * 22021 if two encodings are mixed; with 54011 if there are too many columns. */
bool mt_sniff (MtArena *a, const MtSniffGiven *given, const MtSniffPiece *pieces, size_t count,
               MtSniffed *out, MtError *err);

/* Returns the type of a time in ISO form: date, timestamp or timestamptz. MT_T_UNKNOWN: the text is
 * not such a time. */
MtTypeId mt_sniff_iso_time (MtStr text);

/* Returns the options of COPY that read a file of this form, as SQL text such as "FORMAT csv,
 * HEADER". In arena a. */
const char *mt_sniff_options (MtArena *a, const MtSniffed *s);
/* Returns a summary of the form in one line, such as "delimiter ';', header, encoding WIN1252". In
 * arena a. */
const char *mt_sniff_summary (MtArena *a, const MtSniffed *s);

#endif
