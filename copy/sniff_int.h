/* Private to copy: the steps of detecting the form of a CSV file. */
#ifndef MT_SNIFF_INT_H
#define MT_SNIFF_INT_H

#include "copy/copy_int.h"
#include "copy/sniff.h"

/* ---- splitting (sniff_dialect.c) ---- */

/* A field of a sampled record. */
typedef struct MtSniffCell {
   MtStr text; /* the value, without quotes and escapes */
   bool quoted;
} MtSniffCell;

/* The state of splitting a text in memory into records. */
typedef struct MtSplit {
   MtArena *a; /* memory for texts from which escapes were removed */
   const char *p, *end;
   char delimiter, quote, escape; /* quote 0: there are no quotes */
   const char *record;            /* the beginning of the current record */
   bool whole;                    /* the text is not cut off: it ends at the end of the file */
   bool unterminated;             /* the text ends within a quoted field */
   uint64_t quoted;               /* number of fields that are in quotes as a whole */
   uint64_t rough;                /* number of fields with a quote at an unexpected position */
} MtSplit;

/* Reads the next record that is not an empty line. Stores its first `cap` fields in `cells`.
 * Returns the number of all its fields. 0: there is no further complete record. */
size_t mt_split_next (MtSplit *s, MtSniffCell *cells, size_t cap);

/* Detects delimiter, quote, escape and the number of lines to skip, from the beginning of the file.
 * *width: the usual number of fields of a record. */
bool mt_sniff_dialect (MtArena *a, const MtSniffGiven *given, const MtSniffPiece *head,
                       MtSniffed *out, size_t *width, MtError *err);

/* ---- sampled records (sniff.c) ---- */

typedef struct MtSniffRows {
   MtSniffCell *cells; /* `width` cells for each record; the first record may be the header */
   size_t count, width;
   size_t near; /* this many records are consecutive from the beginning of the file */
} MtSniffRows;

/* ---- types (sniff_types.c) ---- */

/* Detects the types of all columns, the texts of NULL, the unit of numeric times and the order of
 * dates. Also detects whether the first record is a header, and sets the columns' names. */
void mt_sniff_types (MtArena *a, const MtSniffGiven *given, const MtSniffRows *rows,
                     MtSniffed *out);
/* Adds a sentence about a decision that may be wrong to out->doubts. */
void mt_sniff_doubt (MtArena *a, MtSniffed *out, const char *text);

/* ---- names and roles (sniff_roles.c) ---- */

/* Sets the names of the columns: those that the caller gives, or those in `header`, which may be
 * NULL. */
void mt_sniff_names (MtArena *a, const MtSniffGiven *given, const MtSniffCell *header, size_t width,
                     MtSniffed *out);
/* Returns whether a column's name contains a word for a time, such as "date". */
bool mt_sniff_names_time (const char *name);
/* Returns whether a column's name contains a word for an identifier or code, such as "id". */
bool mt_sniff_names_id (const char *name);
/* Sets the roles of all columns (TIME, dimension, measure …) from their types, names and numbers of
 * distinct values. first: the index of the first record that is not a header. */
void mt_sniff_roles (MtArena *a, const MtSniffGiven *given, const MtSniffRows *rows, size_t first,
                     MtSniffed *out);

/* Converts bytes in an encoding to UTF-8, in arena a. An incomplete character at the end is
 * removed. inside: the bytes may begin inside a character, so invalid bytes in the first line are
 * removed, too. Returns false if other bytes are invalid. */
bool mt_encoding_convert (MtArena *a, const char *encoding, MtStr bytes, bool inside, MtStr *out);

#endif
